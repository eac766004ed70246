// Lanes of an output of the wormhole router: who is owned, and which asking lane of an input gets one in this cycle. A group for
// each lane that is not best-effort, and one for all that are, in turns; in a group turns over inputs, or over their lanes. Which
// of the free best-effort lanes it gets is drawn. Rule YW4.
`default_nettype none

module worm_vlalloc #(
    parameter int PORTS = 5,
    parameter int VLS = 16,
    localparam int OW = $clog2(PORTS)
) (
    input  wire logic                 clk_i,
    input  wire logic                 rst_i,
    input  wire logic                 seed_we_i,
    input  wire logic [15:0]          seed_i,
    input  wire logic [VLS-1:0]       be_i,      // best-effort lanes
    input  wire logic [PORTS-1:0]     link_up_i,
    input  wire logic [PORTS*VLS-1:0] ask_i,     // element i*VLS+v: lane v of input i asks
    output logic [PORTS*VLS-1:0]      grant_o,   // one-hot, or 0
    output logic [VLS-1:0]            vl_o,      // the lane that is granted, one-hot
    input  wire logic [VLS-1:0]       go_i,      // lane of the flit that goes, one-hot
    input  wire logic                 tail_i,    // it is a tail
    output logic [VLS-1:0]            owned_o,
    output logic [7:0]                ptr_group_o,
    output logic [8*VLS-1:0]          ptr_lane_o,
    output logic [15:0]               ptr_be_o,
    output logic [15:0]               lfsr_o
);
  localparam int N = PORTS * VLS;
  localparam int RW = $clog2(N);
  localparam int GW = $clog2(VLS + 1);
  localparam int CW = $clog2(VLS + 1);

  // ---- in each group: who is next
  logic [N-1:0]         next;       // element i*VLS+v; of best-effort lanes 0
  logic [N-1:0]         next_be;
  logic [VLS:0]         can_go;     // by group
  logic [VLS*OW-1:0]    next_in;    // its input
  logic [RW-1:0]        next_lane;  // its input lane
  logic                 any_be;
  logic [VLS-1:0]       free_be;
  logic [VLS:0]         group;      // that has its turn, one-hot
  logic [GW-1:0]        group_at;
  logic                 any;
  logic [GW-1:0]        ptr_group_q;
  logic [RW-1:0]        ptr_be_q;

  assign free_be = be_i & ~owned_o;
  assign can_go[VLS] = any_be && free_be != '0;

  for (genvar g = 0; g < VLS; g++) begin : g_group
    logic [OW-1:0]    ptr_q;
    logic [PORTS-1:0] asks, gnt;
    logic             any_ask;

    for (genvar i = 0; i < PORTS; i++) begin : g_in
      assign asks[i] = ask_i[i*VLS+g];
      assign next[i*VLS+g] = gnt[i];
    end

    rr_arbiter #(.N(PORTS)) u_rr (
        .req_i(asks),
        .ptr_i(ptr_q),
        .gnt_o(gnt),
        .idx_o(next_in[g*OW+:OW]),
        .any_o(any_ask)
    );

    assign can_go[g] = any_ask && !be_i[g] && !owned_o[g];

    always_ff @(posedge clk_i) begin
      if (rst_i) ptr_q <= '0;
      else if (group[g]) ptr_q <= (next_in[g*OW+:OW] == OW'(PORTS - 1)) ? '0 : next_in[g*OW+:OW] + 1'b1;
    end

    assign ptr_lane_o[8*g+:8] = 8'(ptr_q);
  end

  rr_arbiter #(.N(N)) u_rr_be (
      .req_i(ask_i & {PORTS{be_i}}),
      .ptr_i(ptr_be_q),
      .gnt_o(next_be),
      .idx_o(next_lane),
      .any_o(any_be)
  );

  // ---- the group that has its turn
  rr_arbiter #(.N(VLS + 1)) u_rr_group (
      .req_i(can_go),
      .ptr_i(ptr_group_q),
      .gnt_o(group),
      .idx_o(group_at),
      .any_o(any)
  );

  assign grant_o = (next & {PORTS{group[VLS-1:0]}}) | (next_be & {N{group[VLS]}});

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      ptr_group_q <= '0;
      ptr_be_q <= '0;
    end else begin
      if (any) ptr_group_q <= (group_at == GW'(VLS)) ? '0 : group_at + 1'b1;
      if (group[VLS]) ptr_be_q <= (next_lane == RW'(N - 1)) ? '0 : next_lane + 1'b1;
    end
  end

  // ---- the lane that it gets: its own, or one of the free ones of best-effort, each alike
  logic [15:0]       stepped;
  logic [VLS*CW-1:0] below;    // free ones below each,
  logic [CW-1:0]     many;     // and all
  logic [15+CW:0]    product;
  logic [VLS-1:0]    drawn;

  lfsr_steps #(.STEPS(26)) u_steps (.x_i(lfsr_o), .x_o(stepped));

  always_comb begin
    many = '0;
    for (int u = 0; u < VLS; u++) begin
      below[u*CW+:CW] = many;
      many = many + CW'(free_be[u]);
    end
  end
  assign product = (16 + CW)'(lfsr_o) * (16 + CW)'(many);

  for (genvar u = 0; u < VLS; u++) begin : g_drawn
    assign drawn[u] = free_be[u] && below[u*CW+:CW] == product[16+:CW];
  end
  assign vl_o = group[VLS] ? drawn : group[VLS-1:0];

  always_ff @(posedge clk_i) begin
    if (rst_i) lfsr_o <= 16'hACE1;
    else if (seed_we_i) lfsr_o <= (seed_i == '0) ? 16'd1 : seed_i;
    else if (group[VLS]) lfsr_o <= stepped;
  end

  // ---- until its tail goes, or the owner's link is down before its header went
  logic [OW-1:0] owner;  // input that is granted a lane

  always_comb begin
    owner = '0;
    for (int i = 0; i < PORTS; i++) if (grant_o[i*VLS+:VLS] != '0) owner = owner | OW'(i);
  end

  for (genvar u = 0; u < VLS; u++) begin : g_owned
    logic          owned_q, begun_q;  // the header went
    logic [OW-1:0] owner_q;
    logic          heard;             // the owner's link is up

    always_comb begin
      heard = 1'b0;
      for (int i = 0; i < PORTS; i++) if (owner_q == OW'(i)) heard = heard || link_up_i[i];
    end

    always_ff @(posedge clk_i) begin
      if (rst_i) owned_q <= 1'b0;
      else if (vl_o[u]) owned_q <= 1'b1;
      else if (go_i[u] ? tail_i : !begun_q && !heard) owned_q <= 1'b0;
      begun_q <= !vl_o[u] && (begun_q || go_i[u]);
      if (vl_o[u]) owner_q <= owner;
    end

    assign owned_o[u] = owned_q;
  end

  assign ptr_group_o = 8'(ptr_group_q);
  assign ptr_be_o = 16'(ptr_be_q);

  wire unused = &{1'b0, product[15:0]};
endmodule

`default_nettype wire
