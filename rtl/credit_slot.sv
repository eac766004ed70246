// When a side of a link tells of its credits: one message an interval, the VLs in rotation. Rule F1.
`default_nettype none

module credit_slot #(
    parameter int VLS = 1,
    parameter int PARITY = 0,
    localparam int VW = (VLS > 1) ? $clog2(VLS) : 1
) (
    input  wire logic          clk_i,
    input  wire logic          rst_i,
    input  wire logic          run_i,       // 0: no messages; the first cycle with 1 has one
    input  wire logic [15:0]   interval_i,  // cycles from one to the next; 0 acts as 1
    output logic               valid_o,
    output logic      [VW-1:0] vl_o,        // of the message, or of the next one
    output logic               parity_err_o
);
  logic [15:0]   at_q, at_d;  // cycle within the interval
  logic [VW-1:0] vl_d;

  assign valid_o = run_i && at_q == '0;

  always_comb begin
    at_d = at_q;
    vl_d = vl_o;
    if (rst_i || !run_i) begin
      at_d = '0;
      vl_d = '0;
    end else begin
      at_d = (17'(at_q) + 17'd1 >= 17'(interval_i)) ? '0 : at_q + 16'd1;
      if (valid_o) vl_d = (vl_o == VW'(VLS - 1)) ? '0 : vl_o + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    at_q <= at_d;
    vl_o <= vl_d;
  end

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{at_d, vl_d}),
      .now_i(^{at_q, vl_o}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
