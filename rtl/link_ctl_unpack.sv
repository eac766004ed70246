// The fields of a link's control word; its unused bits are not looked at. docs/link.md.
// Combinational.
`default_nettype none

module link_ctl_unpack #(
    parameter int DLIST = 8,
    localparam int CTL = 8 * (16 + 2 * DLIST)
) (
    input  wire logic [CTL-1:0]  ctl_i,
    output quell_pkg::credit_t   fctbs_o,
    output quell_pkg::credit_t   fccl_o,
    output quell_pkg::tree_msg_t msg_o,
    output logic [16*DLIST-1:0]  dlist_o
);
  logic unused;

  assign fctbs_o.valid = ctl_i[0];
  assign fctbs_o.vl = ctl_i[8*1 +: 8];
  assign fctbs_o.blocks = {ctl_i[8*2 +: 4], ctl_i[8*3 +: 8]};
  assign fccl_o.valid = ctl_i[1];
  assign fccl_o.vl = ctl_i[8*4 +: 8];
  assign fccl_o.blocks = {ctl_i[8*5 +: 4], ctl_i[8*6 +: 8]};
  assign msg_o.valid = ctl_i[2];
  assign msg_o.kind = ctl_i[4:3];
  assign msg_o.stop = ctl_i[5];
  assign msg_o.line = ctl_i[8*8 +: 8];
  assign msg_o.vl = ctl_i[8*9 +: 8];
  assign msg_o.hops = ctl_i[8*10 +: 6];
  assign msg_o.dcnt = ctl_i[8*11 +: 8];
  assign msg_o.root = {ctl_i[8*12 +: 8], ctl_i[8*13 +: 8], ctl_i[8*14 +: 8]};
  for (genvar d = 0; d < DLIST; d++) begin : g_entry
    assign dlist_o[16*d +: 16] = quell_pkg::wire16(ctl_i[8*(16+2*d) +: 16]);
  end
  assign unused = &{1'b0, ctl_i[7:6], ctl_i[8*2+4 +: 4], ctl_i[8*5+4 +: 4], ctl_i[8*7 +: 8],
                    ctl_i[8*10+6 +: 2], ctl_i[8*15 +: 8]};
endmodule

`default_nettype wire
