// The control word of a link from its fields: flow control of this direction's flits, credits and
// congestion message for the other direction's. docs/link.md. Combinational.
`default_nettype none

module link_ctl_pack #(
    parameter int DLIST = 8,
    localparam int CTL = 8 * (16 + 2 * DLIST)
) (
    input  quell_pkg::credit_t       fctbs_i,
    input  quell_pkg::credit_t       fccl_i,
    input  quell_pkg::tree_msg_t     msg_i,
    input  wire logic [16*DLIST-1:0] dlist_i,
    output logic [CTL-1:0]           ctl_o
);
  logic [16*DLIST-1:0] dlist;  // entries with their bytes in wire order

  for (genvar d = 0; d < DLIST; d++) begin : g_entry
    assign dlist[16*d +: 16] = quell_pkg::wire16(dlist_i[16*d +: 16]);
  end

  // from byte 15 (and the list) down to byte 0
  assign ctl_o = {
    dlist,
    8'd0, msg_i.root[7:0], msg_i.root[15:8], msg_i.root[23:16],
    msg_i.dcnt, {2'd0, msg_i.hops}, msg_i.vl, msg_i.line,
    8'd0, quell_pkg::wire16({4'd0, fccl_i.blocks}), fccl_i.vl,
    quell_pkg::wire16({4'd0, fctbs_i.blocks}), fctbs_i.vl,
    {2'd0, msg_i.stop, msg_i.kind, msg_i.valid, fccl_i.valid, fctbs_i.valid}
  };
endmodule

`default_nettype wire
