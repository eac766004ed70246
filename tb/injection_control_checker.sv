// What a user of injection control is promised, told by its ports: nothing but best-effort is held, without a scheme nothing, and no header
// for longer than HOLD_MAX; At-Least-One holds nothing beside an idle router, nor where all outputs have free lanes; Self-Tuned holds
// nothing while the side-band is silent or sees no full lane; the threshold keeps its ends; what is delivered is told once, and what is held
// itself is not told as full.
// Instantiated by injection_control under QUELL_CHECK; for simulation. Rules YL1, YS1, YS2, YS3.
`default_nettype none

module injection_control_checker #(
    parameter int PORTS = 5,
    parameter int VLS = 16,
    localparam int P = PORTS,
    localparam int V = VLS
) (
    input wire logic           clk_i,
    input wire logic           rst_i,
    input wire logic           run_i,
    input wire logic           cfg_we_i,
    input wire logic [7:0]     cfg_addr_i,
    input wire logic [31:0]    cfg_data_i,
    input wire logic           use_we_i,
    input wire logic [V-1:0]   be_front_i,
    input wire logic [16*V-1:0] be_dlid_i,
    input wire logic           tx_valid_i,
    input wire logic [3:0]     tx_vl_i,
    input wire logic           tx_first_i,
    input wire logic [V-1:0]   link_free_i,
    input wire logic [P*V-1:0] owned_i,
    input wire logic [V-1:0]   own_full_i,
    input wire logic [P*V-1:0] full_i,
    input wire logic           gather_i,
    input wire logic           dlv_valid_i,
    input wire logic           sum_valid_i,
    input wire logic [23:0]    sum_full_i,
    input wire logic [V-1:0]   be_hold_i,
    input wire logic           give_valid_i,
    input wire logic [15:0]    give_full_i,
    input wire logic [15:0]    give_flits_i,
    input wire logic [23:0]    t_i
);
  localparam logic [15:0] DATA = 16'((1 << (V - 2)) - 1);
  localparam logic [7:0] PATIENCE = 8'(V + 3);  // a look-up of each lane, and its own way

  // ---- registers
  logic [1:0]  scheme_q;
  logic [15:0] be_q, channels_q, max_q, up_q;
  logic [23:0] all_q;
  logic [3:0]  gather_q;
  logic        written_q, t_written_q;        // in the cycle before
  logic [15:0] p_up_q;
  logic [23:0] p_all_q;
  logic [V-1:0] be;

  assign be = V'(be_q & DATA);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      scheme_q <= '0;
      be_q <= quell_pkg::best_effort_lanes(V - 2);
      channels_q <= '1;
      max_q <= '1;
      up_q <= 16'd15;
      all_q <= 24'd1536;
      gather_q <= 4'd5;
    end else if (run_i && cfg_we_i) begin
      case (cfg_addr_i)
        8'd0: scheme_q <= cfg_data_i[1:0];
        8'd1: channels_q <= cfg_data_i[15:0];
        8'd2: max_q <= cfg_data_i[15:0];
        8'd3: gather_q <= cfg_data_i[3:0];
        8'd4: up_q <= cfg_data_i[15:0];
        8'd5: be_q <= cfg_data_i[15:0];
        8'd7: all_q <= cfg_data_i[23:0];
        default: ;
      endcase
    end
    written_q <= rst_i || (run_i && cfg_we_i);
    t_written_q <= rst_i || (run_i && cfg_we_i && cfg_addr_i == 8'd9);
    {p_up_q, p_all_q} <= {up_q, all_q};
  end

  // ---- how long the header in front of each lane has been held; how long it has had all that At-Least-One may ask for
  logic [V-1:0] too_long, against_free;
  logic [P-1:0] some_free, all_free;
  logic         idle_q;                       // some channel had all its lanes free
  logic         ready_q;

  for (genvar p = 0; p < P; p++) begin : g_port
    assign some_free[p] = (be & ~owned_i[V*p+:V]) != '0;
    assign all_free[p] = channels_q[p] && be != '0 && (be & owned_i[V*p+:V]) == '0;
  end
  always_ff @(posedge clk_i) begin
    idle_q <= run_i && all_free != '0;
    ready_q <= run_i && !rst_i;
  end

  for (genvar v = 0; v < V; v++) begin : g_lane
    logic [16:0] held_q;
    logic [7:0]  free_q;
    logic [15:0] dlid_q;
    logic        gone;

    assign gone = tx_valid_i && tx_first_i && tx_vl_i == 4'(v);
    assign too_long[v] = be_front_i[v] && be_hold_i[v] && max_q != '0 && held_q >= 17'(max_q);
    assign against_free[v] = be_front_i[v] && be_hold_i[v] && free_q >= PATIENCE;

    always_ff @(posedge clk_i) begin
      dlid_q <= be_dlid_i[16*v+:16];
      if (rst_i || !run_i || !be_front_i[v] || gone) held_q <= '0;
      else held_q <= held_q + 17'(be_hold_i[v] && !held_q[16]);
      if (rst_i || !run_i || !be_front_i[v] || gone || dlid_q != be_dlid_i[16*v+:16] || use_we_i || (cfg_we_i && cfg_addr_i == 8'd5)
          || some_free != '1 || (be & link_free_i) == '0) free_q <= '0;
      else free_q <= free_q + 8'(free_q != '1);
    end
  end

  // ---- the side-band
  logic [17:0] quiet_q;                       // cycles since a sum
  logic        zero_q, none_q, none_q2;       // the last sum saw nothing; so did the one before; in the cycle before
  logic [16:0] flits_q, flits;
  logic        asked_q;
  logic [15:0] told_q, jam, jam_q;            // full lanes that are not so because a header is held
  logic [23:0] t_q;

  always_comb begin
    jam = '0;
    for (int v = 0; v < V; v++) jam = jam + 16'(own_full_i[v] && !(be_front_i[v] && be_hold_i[v]));
    for (int n = 0; n < P * V; n++) jam = jam + 16'(full_i[n]);
  end

  assign flits = flits_q + 17'(dlv_valid_i && flits_q != 17'h0ffff);

  always_ff @(posedge clk_i) begin
    if (rst_i || !run_i) begin
      quiet_q <= '1;
      {zero_q, none_q, none_q2} <= '0;
      flits_q <= '0;
      asked_q <= 1'b0;
      told_q <= '0;
      jam_q <= '0;
    end else begin
      if (sum_valid_i) begin
        quiet_q <= '0;
        zero_q <= sum_full_i == '0;
        none_q <= zero_q && sum_full_i == '0;
      end else if (cfg_we_i && cfg_addr_i == 8'd3) quiet_q <= '0;  // (with a longer time for each gathering silence may be over)
      else quiet_q <= quiet_q + 18'(quiet_q != '1);
      none_q2 <= none_q;
      flits_q <= gather_i ? '0 : flits;
      asked_q <= gather_i;
      told_q <= flits[15:0];
      jam_q <= jam;
    end
    t_q <= t_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i && ready_q) begin
      yl1_only_best_effort_is_held: assert ((be_hold_i & ~be) == '0);
      yl1_no_scheme_holds_nothing: assert (scheme_q == 2'd1 || scheme_q == 2'd2 || be_hold_i == '0);
      yl1_no_header_is_held_for_ever: assert (too_long == '0);
      yl1_idle_router_holds_nothing: assert (written_q || scheme_q != 2'd1 || !idle_q || be_hold_i == '0);
      yl1_free_channels_hold_nothing: assert (written_q || scheme_q != 2'd1 || against_free == '0);
      ys1_asked_is_told: assert (give_valid_i == asked_q);
      ys1_flits_are_told_once: assert (!asked_q || give_flits_i == told_q);
      ys1_held_headers_are_no_jam: assert (!asked_q || give_full_i <= jam_q);
      ys2_silence_holds_nothing: assert (written_q || scheme_q != 2'd2 || quiet_q <= (18'd2 << gather_q) + 18'd1 || be_hold_i == '0);
      ys2_no_full_lane_holds_nothing: assert (written_q || scheme_q != 2'd2 || !(none_q && none_q2) || be_hold_i == '0);
      ys3_threshold_has_ends: assert (t_written_q || t_i == t_q || (t_i <= p_all_q && (t_i >= 24'(p_up_q) || t_i == p_all_q) && (t_i != '0 || p_all_q == '0)));
    end
  end
  wire unused = &{1'b0, cfg_data_i, channels_q};
endmodule

`default_nettype wire
