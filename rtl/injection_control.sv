// Injection control beside a wormhole adapter: holds headers of best-effort messages in front of the adapter's lanes, by the lanes of the
// own router (At-Least-One) or by the full lanes of all (Self-Tuned), for HOLD_MAX cycles at most. Rules YL1, YS1 to YS4, R1, C1;
// docs/injection-control.md.
`default_nettype none

module injection_control #(
    parameter int PORTS = 5,
    parameter int VLS = 16,
    parameter int LFT_DEPTH = 1024
) (
    input  wire logic                 clk_i,
    input  wire logic                 rst_i,
    input  wire logic                 cfg_we_i,
    input  wire logic                 cfg_re_i,
    input  wire logic [7:0]           cfg_addr_i,
    input  wire logic [31:0]          cfg_data_i,
    input  wire logic                 use_we_i,      // table of useful outputs
    input  wire logic [15:0]          use_addr_i,
    input  wire logic [15:0]          use_mask_i,
    input  wire logic [VLS-1:0]       be_front_i,    // of the adapter
    input  wire logic [16*VLS-1:0]    be_dlid_i,
    input  wire logic                 tx_valid_i,
    input  wire logic [3:0]           tx_vl_i,
    input  wire logic                 tx_first_i,
    input  wire logic                 dlv_valid_i,
    input  wire logic [VLS-1:0]       link_free_i,
    input  wire logic [VLS-1:0]       own_full_i,
    input  wire logic [PORTS*VLS-1:0] owned_i,       // of the router
    input  wire logic [PORTS*VLS-1:0] full_i,
    input  wire logic                 gather_i,      // side-band
    input  wire logic                 sum_valid_i,
    input  wire logic [23:0]          sum_full_i,
    input  wire logic [23:0]          sum_flits_i,
    output logic                      ready_o,
    output logic [VLS-1:0]            be_hold_o,
    output logic                      give_valid_o,
    output logic [15:0]               give_full_o,
    output logic [15:0]               give_flits_o,
    output logic                      cfg_rvalid_o,
    output logic [31:0]               cfg_rdata_o,
    output logic [VLS-1:0]            st_have_o,     // architectural state for lockstep
    output logic [16*VLS-1:0]         st_dlid_o,
    output logic [16*VLS-1:0]         st_way_o,
    output logic [3:0]                st_ask_o,
    output logic                      st_look_o,
    output logic [3:0]                st_look_vl_o,
    output logic [15:0]               st_free_o,
    output logic [15:0]               st_clear_o,
    output logic                      st_link_o,
    output logic [16*VLS-1:0]         st_held_o,
    output logic [15:0]               st_flits_o,
    output logic [23:0]               st_f0_o,
    output logic [23:0]               st_f1_o,
    output logic [16:0]               st_k_o,
    output logic                      st_throttle_o,
    output logic                      st_over_o,
    output logic [23:0]               st_t_o,
    output logic [1:0]                st_sums_o,
    output logic [25:0]               st_tput_o,
    output logic [25:0]               st_last_o,
    output logic [25:0]               st_best_tput_o,
    output logic [23:0]               st_best_full_o,
    output logic [23:0]               st_best_t_o,
    output logic [2:0]                st_bad_o
);
  // (So that an illegal number is told as such.)
  localparam int P = (PORTS >= 2 && PORTS <= 16) ? PORTS : 2;
  localparam int V = (VLS >= 3 && VLS <= 16) ? VLS : 3;
  localparam int DEPTH = (LFT_DEPTH >= 2) ? LFT_DEPTH : 2;

  if (PORTS < 2 || PORTS > 16) begin : g_bad_ports
    $error("PORTS must be 2..16");
  end
  if (VLS < 3 || VLS > 16) begin : g_bad_vls
    $error("VLS must be 3..16: a lane of data, reply and control");
  end
  if (LFT_DEPTH < 2 || LFT_DEPTH > 65536) begin : g_bad_lft_depth
    $error("LFT_DEPTH must be 2..65536");
  end

  logic run;

  assign ready_o = run;

  // ---- registers
  logic          alo, self_tuned, count_router, t_we;
  logic [P-1:0]  channels;
  logic [15:0]   hold_max, up, down;
  logic [3:0]    gather;
  logic [V-1:0]  be;
  logic [23:0]   all;

  injection_regs #(.PORTS(P), .VLS(V)) u_regs (
      .clk_i, .rst_i,
      .we_i(cfg_we_i && run),
      .re_i(cfg_re_i && run),
      .addr_i(cfg_addr_i),
      .data_i(cfg_data_i),
      .alo_o(alo),
      .self_tuned_o(self_tuned),
      .count_router_o(count_router),
      .channels_o(channels),
      .hold_max_o(hold_max),
      .gather_o(gather),
      .up_o(up),
      .down_o(down),
      .be_o(be),
      .all_o(all),
      .t_we_o(t_we),
      .t_i(st_t_o),
      .rvalid_o(cfg_rvalid_o),
      .rdata_o(cfg_rdata_o)
  );

  // ---- At-Least-One
  logic [P*V-1:0] way;
  logic [P-1:0]   free, clear;
  logic [V-1:0]   may;

  useful_outputs #(.PORTS(P), .VLS(V), .LFT_DEPTH(DEPTH)) u_useful (
      .clk_i, .rst_i,
      .ready_o(run),
      .we_i(use_we_i),
      .addr_i(use_addr_i),
      .mask_i(use_mask_i[P-1:0]),
      .front_i(be_front_i),
      .dlid_i(be_dlid_i),
      .have_o(st_have_o),
      .dlid_o(st_dlid_o),
      .way_o(way),
      .ask_o(st_ask_o),
      .look_o(st_look_o),
      .look_vl_o(st_look_vl_o)
  );

  alo_gate #(.PORTS(P), .VLS(V)) u_alo (
      .clk_i, .rst_i,
      .run_i(run),
      .be_i(be),
      .channels_i(channels),
      .owned_i,
      .link_free_i,
      .have_i(st_have_o),
      .way_i(way),
      .free_o(free),
      .clear_o(clear),
      .link_o(st_link_o),
      .may_o(may)
  );

  // ---- Self-Tuned
  selftune u_selftune (
      .clk_i, .rst_i,
      .run_i(run),
      .gather_i(gather),
      .up_i(up),
      .down_i(down),
      .all_i(all),
      .t_we_i(t_we),
      .t_data_i(cfg_data_i[23:0]),
      .sum_valid_i, .sum_full_i, .sum_flits_i,
      .throttle_o(st_throttle_o),
      .f0_o(st_f0_o),
      .f1_o(st_f1_o),
      .k_o(st_k_o),
      .over_o(st_over_o),
      .t_o(st_t_o),
      .sums_o(st_sums_o),
      .tput_o(st_tput_o),
      .last_o(st_last_o),
      .best_tput_o(st_best_tput_o),
      .best_full_o(st_best_full_o),
      .best_t_o(st_best_t_o),
      .bad_o(st_bad_o)
  );

  // ---- hold, and how long it has been
  for (genvar v = 0; v < V; v++) begin : g_lane
    logic [15:0] held_q;
    logic        overdue, stop, leaves;

    assign overdue = hold_max != '0 && held_q >= hold_max;
    assign stop = (alo && !may[v]) || (self_tuned && st_throttle_o);
    assign be_hold_o[v] = run && be[v] && stop && !overdue;
    assign leaves = tx_valid_i && tx_first_i && tx_vl_i == 4'(v);

    always_ff @(posedge clk_i) begin
      if (rst_i || !run || !be_front_i[v] || leaves) held_q <= '0;
      else if (be_hold_o[v] && held_q != '1) held_q <= held_q + 1'b1;
    end

    assign st_held_o[16*v+:16] = held_q;
    assign st_way_o[16*v+:16] = 16'(way[P*v+:P]);
  end

  // ---- what the side-band asks for (YS1)
  logic [15:0] full_lanes, flits;

  always_comb begin
    full_lanes = '0;
    // (not those that are full because their headers are held here)
    for (int v = 0; v < V; v++) full_lanes = full_lanes + 16'(own_full_i[v] && !(be_hold_o[v] && be_front_i[v]));
    for (int n = 0; n < P * V; n++) full_lanes = full_lanes + 16'(full_i[n] && count_router);
  end
  assign flits = st_flits_o + 16'(dlv_valid_i && st_flits_o != '1);

  always_ff @(posedge clk_i) begin
    if (rst_i || !run) begin
      st_flits_o <= '0;
      give_valid_o <= 1'b0;
      give_full_o <= '0;
      give_flits_o <= '0;
    end else begin
      st_flits_o <= gather_i ? '0 : flits;
      give_valid_o <= gather_i;
      give_full_o <= gather_i ? full_lanes : '0;
      give_flits_o <= gather_i ? flits : '0;
    end
  end

  assign st_free_o = 16'(free);
  assign st_clear_o = 16'(clear);

`ifdef QUELL_CHECK
  injection_control_checker #(.PORTS(P), .VLS(V)) u_check (
      .clk_i, .rst_i,
      .run_i(run),
      .cfg_we_i, .cfg_addr_i, .cfg_data_i,
      .use_we_i,
      .be_front_i, .be_dlid_i,
      .tx_valid_i, .tx_vl_i, .tx_first_i,
      .link_free_i,
      .owned_i,
      .own_full_i,
      .full_i,
      .gather_i,
      .dlv_valid_i,
      .sum_valid_i, .sum_full_i,
      .be_hold_i(be_hold_o),
      .give_valid_i(give_valid_o),
      .give_full_i(give_full_o),
      .give_flits_i(give_flits_o),
      .t_i(st_t_o)
  );
`endif

  wire unused = &{1'b0, use_mask_i};
endmodule

`default_nettype wire
