// SL of each flow, in flip-flops, because the selection looks at those of all flows at once: bit b of the SL of flow f
// is bit b*FLOWS + f. A write shows in the next cycle. Rule H7; docs/hca-throttle.md.
`default_nettype none

module flow_sl #(
    parameter int FLOWS = 64,
    parameter int PARITY = 0,
    localparam int FW = (FLOWS > 1) ? $clog2(FLOWS) : 1
) (
    input  wire logic               clk_i,
    input  wire logic               rst_i,
    input  wire logic               we_i,    // of a flow that exists
    input  wire logic [FW-1:0]      flow_i,
    input  wire logic [3:0]         sl_i,
    output logic      [4*FLOWS-1:0] sl_o,
    output logic                    parity_err_o
);
  logic [4*FLOWS-1:0] sl_d;

  always_comb begin
    sl_d = sl_o;
    if (rst_i) begin
      for (int b = 0; b < 4; b++) sl_d[b*FLOWS+:FLOWS] = '0;
    end else if (we_i) begin
      for (int b = 0; b < 4; b++) sl_d[b*FLOWS+32'(flow_i)] = sl_i[b];
    end
  end

  always_ff @(posedge clk_i) sl_o <= sl_d;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^sl_d),
      .now_i(^sl_o),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
