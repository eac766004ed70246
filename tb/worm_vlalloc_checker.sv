// Lanes of an output of the wormhole router: none has two owners; a lane that is not best-effort is got by those of its number, a
// best-effort one by best-effort ones; if some asking lane can have one, one gets it; and nobody is passed by more than the others of its
// group, once each, nor its group by more than the other groups. Instantiated by worm_vlalloc; for simulation. Rule YW4.
`default_nettype none

module worm_vlalloc_checker #(
    parameter int PORTS = 5,
    parameter int VLS = 16
) (
    input wire logic                 clk_i,
    input wire logic                 rst_i,
    input wire logic [VLS-1:0]       be_i,
    input wire logic [PORTS*VLS-1:0] ask_i,
    input wire logic [PORTS-1:0]     in_i,
    input wire logic [VLS-1:0]       lane_i,
    input wire logic [VLS-1:0]       vl_i,
    input wire logic [VLS-1:0]       go_i,
    input wire logic [VLS-1:0]       owned_i
);
  localparam int N = PORTS * VLS;

  logic [N-1:0]   grant;
  logic           any;
  logic [VLS-1:0] can;      // lanes that are not best-effort, by number: asked for and free
  logic           can_be;
  logic           be_grant;

  always_comb begin
    can = '0;
    can_be = 1'b0;
    for (int i = 0; i < PORTS; i++) begin
      grant[i*VLS+:VLS] = lane_i & {VLS{in_i[i]}};
      can = can | (ask_i[i*VLS+:VLS] & ~be_i & ~owned_i);
      can_be = can_be || ((ask_i[i*VLS+:VLS] & be_i) != '0 && (be_i & ~owned_i) != '0);
    end
  end
  assign any = in_i != '0;
  assign be_grant = any && (lane_i & be_i) != '0;

  // ---- how often each lane was passed by others of its group, and each group by others
  logic [N-1:0]   late;
  logic [VLS:0]   group_late;
  logic [VLS-1:0] be_q;
  logic           same;  // nobody changed who is best-effort

  always_ff @(posedge clk_i) be_q <= be_i;
  assign same = be_q == be_i;

  for (genvar l = 0; l < N; l++) begin : g_lane
    localparam int V = l % VLS;
    logic [15:0] passed_q;

    always_ff @(posedge clk_i) begin
      if (rst_i || !ask_i[l] || grant[l] || !same) passed_q <= '0;
      else if (any && (be_i[V] ? be_grant : lane_i[V])) passed_q <= passed_q + 16'd1;
    end
    assign late[l] = same && passed_q >= (be_i[V] ? 16'(N) : 16'(PORTS));
  end

  for (genvar g = 0; g <= VLS; g++) begin : g_group
    logic [15:0] passed_q;
    logic        can_go, goes;

    if (g < VLS) begin : g_own
      assign can_go = can[g];
      assign goes = lane_i[g];
    end else begin : g_be
      assign can_go = can_be;
      assign goes = be_grant;
    end

    always_ff @(posedge clk_i) begin
      if (rst_i || !can_go || goes || !same) passed_q <= '0;
      else if (any) passed_q <= passed_q + 16'd1;
    end
    assign group_late[g] = same && passed_q > 16'(VLS);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      yw4_one_grant: assert ($onehot0(in_i) && $onehot0(lane_i) && $onehot0(vl_i) && any == (lane_i != '0) && any == (vl_i != '0));
      yw4_asked: assert ((grant & ~ask_i) == '0);
      yw4_free: assert ((vl_i & owned_i) == '0);
      yw4_of_its_class: assert (!any || ((lane_i & be_i) != '0 ? (vl_i & be_i) != '0 : vl_i == lane_i));
      yw4_some_go: assert (any == (can_be || can != '0));
      yw4_owned_when_it_goes: assert ((go_i & ~owned_i) == '0);
      yw4_lanes_take_turns: assert (late == '0);
      yw4_groups_take_turns: assert (group_late == '0);
    end
  end
endmodule

`default_nettype wire
