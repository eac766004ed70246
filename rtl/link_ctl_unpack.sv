// The fields of a link's control word; its unused bits are not looked at. docs/link.md.
// Combinational.
`default_nettype none

module link_ctl_unpack #(
    parameter int DLIST = 8,
    localparam int CTL = 8 * (16 + 2 * DLIST)
) (
    input  wire logic [CTL-1:0]   ctl_i,
    output logic                  fctbs_valid_o,
    output logic [7:0]            fctbs_vl_o,
    output logic [11:0]           fctbs_o,
    output logic                  fccl_valid_o,
    output logic [7:0]            fccl_vl_o,
    output logic [11:0]           fccl_o,
    output logic                  msg_valid_o,
    output logic [1:0]            msg_type_o,
    output logic [7:0]            msg_line_o,
    output logic [7:0]            msg_vl_o,
    output logic [23:0]           msg_root_o,
    output logic [5:0]            msg_hops_o,
    output logic                  msg_stop_o,
    output logic [7:0]            msg_dcnt_o,
    output logic [16*DLIST-1:0]   msg_dlist_o
);
  logic unused;

  assign fctbs_valid_o = ctl_i[0];
  assign fccl_valid_o = ctl_i[1];
  assign msg_valid_o = ctl_i[2];
  assign msg_type_o = ctl_i[4:3];
  assign msg_stop_o = ctl_i[5];
  assign fctbs_vl_o = ctl_i[8*1 +: 8];
  assign fctbs_o = {ctl_i[8*2 +: 4], ctl_i[8*3 +: 8]};
  assign fccl_vl_o = ctl_i[8*4 +: 8];
  assign fccl_o = {ctl_i[8*5 +: 4], ctl_i[8*6 +: 8]};
  assign msg_line_o = ctl_i[8*8 +: 8];
  assign msg_vl_o = ctl_i[8*9 +: 8];
  assign msg_hops_o = ctl_i[8*10 +: 6];
  assign msg_dcnt_o = ctl_i[8*11 +: 8];
  assign msg_root_o = {ctl_i[8*12 +: 8], ctl_i[8*13 +: 8], ctl_i[8*14 +: 8]};
  for (genvar d = 0; d < DLIST; d++) begin : g_entry
    assign msg_dlist_o[16*d +: 16] = {ctl_i[8*(16+2*d) +: 8], ctl_i[8*(17+2*d) +: 8]};
  end
  assign unused = &{1'b0, ctl_i[7:6], ctl_i[8*2+4 +: 4], ctl_i[8*5+4 +: 4], ctl_i[8*7 +: 8],
                    ctl_i[8*10+6 +: 2], ctl_i[8*15 +: 8]};
endmodule

`default_nettype wire
