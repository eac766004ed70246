// A pair of switches and adapters (adapter_loop.sv) with CNPs and injection throttling. What a user is promised of it: every packet
// once, whole and in order; afterwards everything has left, lines are free, credits home, every CCTI is at its minimum, and a packet
// of each flow goes at once. For simulation (tests/broken.rs).
`default_nettype none

`ifndef YOSYS
module adapter_pair #(
    parameter int DELAY = 5
) (
    input wire logic        clk_i,
    input wire logic        rst_i,
    input wire logic [31:0] seed_i,
    input wire logic        traffic_i  // hosts send; afterwards everything has to leave
);
  localparam int FLOWS = 2;
  localparam logic [13:0] MIN = 14'd1;

  // ---- registers of its own
  logic [5:0]  step;
  logic [7:0]  own_unit, own_addr;
  logic [31:0] own_data;

  always_comb begin
    {own_unit, own_addr, own_data} = {quell_pkg::HU_INPUT, quell_pkg::IP_CTRL, 32'(seed_i[7:6] != 2'd0)};
    case (step)
      6'd29: {own_unit, own_addr, own_data} = {quell_pkg::HU_CHOOSER, 8'd3, 18'd0, MIN};  // CCTI_MIN
      6'd30: {own_unit, own_addr, own_data} = {quell_pkg::HU_CHOOSER, 8'd1, 31'd0, 1'b1};  // CCTI_INCREASE
      6'd31: {own_unit, own_addr, own_data} = {quell_pkg::HU_CHOOSER, 8'd4, 30'd0, 2'd2};  // CCTI_TIMER
      6'd32: {own_unit, own_addr, own_data} = {quell_pkg::HU_CHOOSER, 8'd5, 28'd0, 4'd10};  // TICK_CYCLES
      // CTRL: enable; the index of a flow or of an SL; a timer of an index or of an SL; restart; absolute times
      6'd33: {own_unit, own_addr, own_data} = {quell_pkg::HU_CHOOSER, 8'd0, 27'd0, 1'b1, seed_i[10:8], 1'b1};
      6'd34: {own_unit, own_addr, own_data} = {quell_pkg::HU_ADAPTER, quell_pkg::HCA_CTRL, 30'd0, seed_i[11], 1'b1};
      6'd36: {own_unit, own_addr, own_data} = {quell_pkg::HU_ADAPTER, quell_pkg::HCA_BECN_PER, 31'd0, seed_i[12]};
      default: ;
    endcase
  end

  logic drained, probed, all_here, some, wrong, busy, away;

  adapter_loop #(.DELAY(DELAY)) u_loop (
      .clk_i, .rst_i, .seed_i, .traffic_i, .lose_i(1'b0), .mute_i(1'b0),
      .step_o(step), .own_unit_i(own_unit), .own_addr_i(own_addr), .own_data_i(own_data),
      .go_o(), .drained_o(drained), .probed_o(probed), .all_here_o(all_here), .some_o(some),
      .wrong_o(wrong), .busy_o(busy), .away_o(away)
  );

  // {ccti 14, run, t0 18, seen 14, esl 4}; with a timer of an SL a sweep brings the index up to date
  logic [2*FLOWS-1:0] above;  // indices of flows, or of SLs: flow f has SL f
  for (genvar s = 0; s < 2; s++) begin : g_side
    for (genvar e = 0; e < FLOWS; e++) begin : g_entity
      assign above[s*FLOWS+e] = u_loop.g_side[s].u_hca.g_throttle.u_chooser.u_entities.mem[e][50:37] != MIN;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      b1_adapters_in_order: assert (!wrong);
      a3_adapters_drain: assert (!drained || (all_here && some));
      e6_adapters_lines_end: assert (!drained || !busy);
      f1_adapters_credits_home: assert (!drained || !away);
      h4_adapters_index_at_minimum: assert (!drained || above == '0);
      h8_adapters_free_flow_goes: assert (!probed || all_here);
    end
  end
endmodule
`endif

`default_nettype wire
