// At-Least-One: a header may go if every useful channel has a free lane, the adapter's link among them, or some channel has all its lanes
// free. What router and adapter show is registered first. docs/injection-control.md, section 1. Rule YL1.
`default_nettype none

module alo_gate #(
    parameter int PORTS = 5,
    parameter int VLS = 16
) (
    input  wire logic                 clk_i,
    input  wire logic                 rst_i,
    input  wire logic                 run_i,
    input  wire logic [VLS-1:0]       be_i,         // best-effort lanes
    input  wire logic [PORTS-1:0]     channels_i,
    input  wire logic [PORTS*VLS-1:0] owned_i,
    input  wire logic [VLS-1:0]       link_free_i,
    input  wire logic [VLS-1:0]       have_i,
    input  wire logic [PORTS*VLS-1:0] way_i,        // useful outputs of the lane's header
    output logic [PORTS-1:0]          free_o,       // some best-effort lane is free
    output logic [PORTS-1:0]          clear_o,      // all are
    output logic                      link_o,
    output logic [VLS-1:0]            may_o
);
  for (genvar p = 0; p < PORTS; p++) begin : g_port
    always_ff @(posedge clk_i) begin
      if (rst_i || !run_i) begin
        free_o[p] <= 1'b0;
        clear_o[p] <= 1'b0;
      end else begin
        free_o[p] <= (be_i & ~owned_i[VLS*p+:VLS]) != '0;
        clear_o[p] <= be_i != '0 && (be_i & owned_i[VLS*p+:VLS]) == '0;
      end
    end
  end

  always_ff @(posedge clk_i) link_o <= !rst_i && run_i && (be_i & link_free_i) != '0;

  for (genvar v = 0; v < VLS; v++) begin : g_lane
    assign may_o[v] = (have_i[v] && link_o && (way_i[PORTS*v+:PORTS] & ~free_o) == '0)
        || (channels_i & clear_o) != '0;
  end
endmodule

`default_nettype wire
