// Headers of the control lane of an input, beside their flits, as far as admission needs them: the flits themselves are in a memory
// that is read when a flit goes. Rule YA1.
`default_nettype none

module worm_heads #(
    parameter int DEPTH = 10,
    localparam int PW = $clog2(DEPTH)
) (
    input  wire logic             clk_i,
    input  wire logic             we_i,     // a flit is stored in the lane,
    input  wire logic [PW-1:0]    waddr_i,  // at this place
    input  wire logic [127:0]     data_i,
    input  wire logic [PW-1:0]    raddr_i,  // place of the front
    output quell_pkg::worm_head_t head_o
);
  quell_pkg::worm_head_t head;
  logic                  parity_err;

  assign head.probe = data_i[quell_pkg::WORM_TYPE_LSB+:8] == quell_pkg::WT_PROBE;
  assign head.release_ = data_i[quell_pkg::WORM_TYPE_LSB+:8] == quell_pkg::WT_RELEASE;
  assign head.node = data_i[127:112];
  assign head.bw = data_i[quell_pkg::WORM_BW_LSB+:16];
  assign head.conn = data_i[95:80];
  assign head.flags = data_i[79:72];
  assign head.slid = data_i[quell_pkg::SLID_LSB+:16];
  assign head.lrh4 = data_i[39:35];
  assign head.dlid = data_i[quell_pkg::DLID_LSB+:16];
  assign head.lrh0 = data_i[15:0];

  ram_async #(.DEPTH(DEPTH), .WIDTH($bits(head))) u_heads (
      .clk_i,
      .we_i,
      .waddr_i,
      .wdata_i(head),
      .raddr_i,
      .rdata_o(head_o),
      .used_i(1'b0),
      .parity_err_o(parity_err)
  );

  wire unused = &{1'b0, parity_err, data_i};
endmodule

`default_nettype wire
