// The control word of a link from its fields: flow control of this direction's flits, credits and
// congestion message for the other direction's. docs/link.md. Combinational.
`default_nettype none

module link_ctl_pack #(
    parameter int DLIST = 8,
    localparam int CTL = 8 * (16 + 2 * DLIST)
) (
    input  wire logic                fctbs_valid_i,
    input  wire logic [7:0]          fctbs_vl_i,
    input  wire logic [11:0]         fctbs_i,
    input  wire logic                fccl_valid_i,
    input  wire logic [7:0]          fccl_vl_i,
    input  wire logic [11:0]         fccl_i,
    input  wire logic                msg_valid_i,
    input  wire logic [1:0]          msg_type_i,
    input  wire logic [7:0]          msg_line_i,
    input  wire logic [7:0]          msg_vl_i,
    input  wire logic [23:0]         msg_root_i,
    input  wire logic [5:0]          msg_hops_i,
    input  wire logic                msg_stop_i,
    input  wire logic [7:0]          msg_dcnt_i,
    input  wire logic [16*DLIST-1:0] msg_dlist_i,
    output logic [CTL-1:0]           ctl_o
);
  logic [16*DLIST-1:0] dlist;  // entries with their bytes in wire order

  for (genvar d = 0; d < DLIST; d++) begin : g_entry
    assign dlist[16*d +: 16] = {msg_dlist_i[16*d +: 8], msg_dlist_i[16*d+8 +: 8]};
  end

  // from byte 15 (and the list) down to byte 0
  assign ctl_o = {
    dlist,
    8'd0, msg_root_i[7:0], msg_root_i[15:8], msg_root_i[23:16],
    msg_dcnt_i, {2'd0, msg_hops_i}, msg_vl_i, msg_line_i,
    8'd0, fccl_i[7:0], {4'd0, fccl_i[11:8]}, fccl_vl_i,
    fctbs_i[7:0], {4'd0, fctbs_i[11:8]}, fctbs_vl_i,
    {2'd0, msg_stop_i, msg_type_i, msg_valid_i, fccl_valid_i, fctbs_valid_i}
  };
endmodule

`default_nettype wire
