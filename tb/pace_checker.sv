// A packet that comes at the link's pace, without a pause, and is read no faster than the registers say (RD_INTERVAL by links, XB_INTERVAL by the
// crossbar) is never read too soon, at whichever pace. Instantiated by switch_input_port with CIOQ = 1; for simulation. Rules B2, CQ2.
`default_nettype none

`ifndef YOSYS
module pace_checker #(
    parameter int PORTS = 8
) (
    input wire logic             clk_i,
    input wire logic             rst_i,
    input wire logic             accept_i,       // a packet comes
    input wire logic             extend_i,       // another flit of it
    input wire logic             open_i,         // it has not ended
    input wire logic [3:0]       rx_interval_i,
    input wire logic [3:0]       rd_interval_i,
    input wire logic [3:0]       xb_interval_i,
    input wire logic [PORTS-1:0] rd_en_i,        // of the crossbar
    input wire logic [PORTS-1:0] rd_slow_i,      // of the link
    input wire logic [PORTS-1:0] slow_i,
    input wire logic             underrun_i
);
  logic             keeps_q;  // since the packet that is coming was accepted, everybody kept his pace
  logic [3:0]       quiet_q;
  logic [11:0]      paces, paces_q;
  logic [PORTS-1:0] hasty;

  assign paces = {rx_interval_i, rd_interval_i, xb_interval_i};

  for (genvar o = 0; o < PORTS; o++) begin : g_output
    logic [3:0] fast_q, link_q;  // cycles since the last slot
    assign hasty[o] = (rd_en_i[o] && fast_q < xb_interval_i) || (rd_slow_i[o] && link_q < rd_interval_i);
    always_ff @(posedge clk_i) begin
      fast_q <= rd_en_i[o] ? 4'd1 : (fast_q == '1) ? fast_q : fast_q + 4'd1;
      link_q <= rd_slow_i[o] ? 4'd1 : (link_q == '1) ? link_q : link_q + 4'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    paces_q <= paces;
    quiet_q <= (accept_i || extend_i) ? 4'd1 : (quiet_q == '1) ? quiet_q : quiet_q + 4'd1;
    if (rst_i) keeps_q <= 1'b0;
    else if (accept_i) keeps_q <= 1'b1;
    else if (open_i && (hasty != '0 || paces != paces_q || (!extend_i && quiet_q >= rx_interval_i))) keeps_q <= 1'b0;
    if (!rst_i) begin
      cq2_in_time: assert (!underrun_i || !open_i || !keeps_q || hasty != '0 || paces != paces_q);
      cq2_c_slow: cover (open_i && keeps_q && slow_i != '0);
    end
  end
endmodule
`endif

`default_nettype wire
