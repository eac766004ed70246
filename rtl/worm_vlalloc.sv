// Lanes of an output of the wormhole router: who is owned, and which asking lane of an input gets one in this cycle. A group for
// each lane that is not best-effort, and one for all that are, in turns; in a group turns over inputs, or over their lanes. Which
// of the free best-effort lanes it gets is drawn. Rules YW4, F1.
`default_nettype none

module worm_vlalloc #(
    parameter int PORTS = 5,
    parameter int VLS = 16,
    localparam int OW = $clog2(PORTS),
    localparam int VW = $clog2(VLS)
) (
    input  wire logic                 clk_i,
    input  wire logic                 rst_i,
    input  wire logic                 seed_we_i,
    input  wire logic [15:0]          seed_i,
    input  wire logic [PORTS-1:0]     link_up_i,
    input  wire logic [PORTS-1:0]     spared_i,  // the reply lane's owner is the slot of that input, and no message of the link: it keeps the lane
    input  wire logic [VLS-1:0]       be_i,      // best-effort lanes
    input  wire logic [PORTS*VLS-1:0] ask_i,     // element i*VLS+v: lane v of input i asks
    output logic [PORTS-1:0]          in_o,      // input that is granted one, one-hot, or 0; so are
    output logic [VLS-1:0]            lane_o,    // its lane,
    output logic [VW-1:0]             vl_o,   // and the lane that it gets (a number)
    input  wire logic [VLS-1:0]       go_i,      // lane of the flit that goes, one-hot
    input  wire logic                 tail_i,    // it is a tail
    output logic [VLS-1:0]            owned_o,
    output logic [7:0]                ptr_group_o,
    output logic [8*VLS-1:0]          ptr_lane_o,
    output logic [15:0]               ptr_be_o,
    output logic [15:0]               lfsr_o
);
  localparam int GW = $clog2(VLS + 1);

  function automatic logic [OW-1:0] after(input logic [OW-1:0] i);
    after = (i == OW'(PORTS - 1)) ? '0 : i + 1'b1;
  endfunction

  // ---- the group that has its turn
  logic [VLS-1:0]   free_be;
  logic [VLS-1:0]   ask;      // of any input
  logic [PORTS-1:0] be_ask;   // some best-effort lane of the input asks
  logic [VLS:0]     group;    // one-hot
  logic [GW-1:0]    group_at, ptr_group_q;
  logic             any;

  assign free_be = be_i & ~owned_o;

  always_comb begin
    ask = '0;
    for (int i = 0; i < PORTS; i++) begin
      ask = ask | ask_i[i*VLS+:VLS];
      be_ask[i] = (ask_i[i*VLS+:VLS] & be_i) != '0;
    end
  end

  rr_arbiter #(.N(VLS + 1)) u_group (
      .req_i({be_ask != '0 && free_be != '0, ask & ~be_i & ~owned_o}),
      .ptr_i(ptr_group_q),
      .gnt_o(group),
      .idx_o(group_at),
      .any_o(any)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) ptr_group_q <= '0;
    else if (any) ptr_group_q <= (group_at == GW'(VLS)) ? '0 : group_at + 1'b1;
  end

  // ---- its input. The pointer of best-effort is a lane of an input: that input's lanes from there on, then those of the inputs
  // behind it, at last the rest of its own.
  logic [OW-1:0]     ptr_in_q, ptr, ptr_rt, in_at;
  logic [VW-1:0]     ptr_vl_q;
  logic [OW*VLS-1:0] ptr_lane_q;
  logic [VLS-1:0]    rest;       // those lanes from there on
  logic [PORTS-1:0]  asks;
  logic              any_in;

  always_comb begin
    rest = '0;
    for (int i = 0; i < PORTS; i++) if (ptr_in_q == OW'(i)) rest = rest | ask_i[i*VLS+:VLS];
    rest = rest & be_i & ({VLS{1'b1}} << ptr_vl_q);
    ptr_rt = '0;
    for (int g = 0; g < VLS; g++) if (group[g]) ptr_rt = ptr_rt | ptr_lane_q[OW*g+:OW];
    for (int i = 0; i < PORTS; i++) asks[i] = group[VLS] ? be_ask[i] : (ask_i[i*VLS+:VLS] & group[VLS-1:0]) != '0;
    ptr = ptr_rt;
    if (group[VLS]) ptr = (rest != '0) ? ptr_in_q : after(ptr_in_q);
  end

  rr_arbiter #(.N(PORTS)) u_in (
      .req_i(asks),
      .ptr_i(ptr),
      .gnt_o(in_o),
      .idx_o(in_at),
      .any_o(any_in)
  );

  // ---- its lane
  logic [VLS-1:0] row, lowest;
  logic [VW-1:0]  lane_at;

  always_comb begin
    row = '0;
    for (int i = 0; i < PORTS; i++) if (in_o[i]) row = row | (ask_i[i*VLS+:VLS] & be_i);
    if (rest != '0) row = rest;
    lowest = row & (~row + 1'b1);
    lane_o = group[VLS] ? lowest : group[VLS-1:0];
    lane_at = '0;
    for (int v = 0; v < VLS; v++) if (lowest[v]) lane_at = lane_at | VW'(v);
  end

  for (genvar g = 0; g < VLS; g++) begin : g_pointer
    always_ff @(posedge clk_i) begin
      if (rst_i) ptr_lane_q[OW*g+:OW] <= '0;
      else if (group[g]) ptr_lane_q[OW*g+:OW] <= after(in_at);
    end
    assign ptr_lane_o[8*g+:8] = 8'(ptr_lane_q[OW*g+:OW]);
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      ptr_in_q <= '0;
      ptr_vl_q <= '0;
    end else if (group[VLS]) begin
      ptr_in_q <= (lane_at == VW'(VLS - 1)) ? after(in_at) : in_at;
      ptr_vl_q <= (lane_at == VW'(VLS - 1)) ? '0 : lane_at + 1'b1;
    end
  end

  // ---- the lane that it gets: its own, or one of the free ones of best-effort, each alike
  logic [VLS-1:0] drawn, vl;

  worm_draw #(.VLS(VLS)) u_draw (
      .clk_i, .rst_i, .seed_we_i, .seed_i,
      .set_i(free_be),
      .takes_i(group[VLS]),
      .drawn_o(drawn),
      .lfsr_o
  );

  always_comb begin
    vl = group[VLS] ? drawn : group[VLS-1:0];
    vl_o = '0;
    for (int u = 0; u < VLS; u++) if (vl[u]) vl_o = vl_o | VW'(u);
  end

  // ---- until its tail goes, or the owner's link is down before its header went
  logic [VLS-1:0]    begun_q;  // the header went
  logic [OW*VLS-1:0] owner_q;
  logic [VLS-1:0]    heard;    // the owner's link is up

  for (genvar u = 0; u < VLS; u++) begin : g_owned
    if (u == VLS - 2) begin : g_reply
      assign heard[u] = link_up_i[owner_q[OW*u+:OW]] || spared_i[owner_q[OW*u+:OW]];
    end else begin : g_other
      assign heard[u] = link_up_i[owner_q[OW*u+:OW]];
    end

    always_ff @(posedge clk_i) if (vl[u]) owner_q[OW*u+:OW] <= in_at;
  end

  always_ff @(posedge clk_i) begin
    owned_o <= rst_i ? '0 : (owned_o & ~(go_i & {VLS{tail_i}}) & (go_i | begun_q | heard)) | vl;
    begun_q <= (begun_q | go_i) & ~vl;
  end

  assign ptr_group_o = 8'(ptr_group_q);
  assign ptr_be_o = 16'(ptr_in_q) * 16'(VLS) + 16'(ptr_vl_q);

  wire unused = &{1'b0, any_in};

`ifdef QUELL_CHECK
  worm_vlalloc_checker #(.PORTS(PORTS), .VLS(VLS)) u_check (
      .clk_i, .rst_i,
      .be_i, .ask_i,
      .in_i(in_o),
      .lane_i(lane_o),
      .vl_i(vl),
      .go_i,
      .owned_i(owned_o)
  );
`endif
endmodule

`default_nettype wire
