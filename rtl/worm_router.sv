// A wormhole router with virtual lanes: a message holds its lane from header to tail, and between two of its flits others pass.
// Stage 1 stores a flit, 2 looks up its route, 3 gives its message a lane of the output, in 4 it goes, in 5 it crosses into the
// register of the link. With ADMIT = 1 bandwidth is booked for streams. Rules YW1 to YW8, YA1 to YA3, YA5 to YA7, F1, R1, C1;
// docs/worm-router.md.
`default_nettype none

module worm_router #(
    parameter int PORTS = 5,
    parameter int VLS = 16,
    parameter int DEPTH = 10,
    parameter int LFT_DEPTH = 1024,
    parameter int ADMIT = 0,
    parameter int CNT_W = 32
) (
    input  wire logic                   clk_i,
    input  wire logic                   rst_i,
    input  wire logic                   cfg_we_i,
    input  wire logic                   cfg_re_i,
    input  wire logic [7:0]             cfg_port_i,    // 255: all, for writes
    input  wire logic [7:0]             cfg_addr_i,
    input  wire logic [31:0]            cfg_data_i,
    input  wire logic                   lft_we_i,      // forwarding table, of all ports
    input  wire logic [15:0]            lft_addr_i,
    input  wire logic [7:0]             lft_port_i,
    input  wire logic [PORTS-1:0]       link_up_i,
    input  wire logic [PORTS-1:0]       rx_valid_i,    // flits from the links
    input  wire logic [4*PORTS-1:0]     rx_vl_i,
    input  wire logic [PORTS-1:0]       rx_first_i,
    input  wire logic [PORTS-1:0]       rx_last_i,
    input  wire logic [PORTS-1:0]       rx_bad_i,
    input  wire logic [128*PORTS-1:0]   rx_data_i,
    input  wire logic [PORTS*VLS-1:0]   rx_credit_i,   // pulses of the next hop
    output logic                        ready_o,
    output logic [PORTS-1:0]            tx_valid_o,    // flits to the links
    output logic [4*PORTS-1:0]          tx_vl_o,
    output logic [PORTS-1:0]            tx_first_o,
    output logic [PORTS-1:0]            tx_last_o,
    output logic [PORTS-1:0]            tx_bad_o,
    output logic [128*PORTS-1:0]        tx_data_o,
    output logic [PORTS*VLS-1:0]        tx_credit_o,   // pulses to the sender
    output logic [PORTS*VLS-1:0]        lane_owned_o,  // for other schemes: the output's, the input's
    output logic [PORTS*VLS-1:0]        lane_full_o,
    output logic [16*PORTS-1:0]         err_o,
    output logic                        cfg_rvalid_o,
    output logic [31:0]                 cfg_rdata_o,
    output logic [8*PORTS*VLS-1:0]      st_level_o,    // architectural state for lockstep
    output logic [PORTS*VLS-1:0]        st_open_o,
    output logic [PORTS*VLS-1:0]        st_drain_o,
    output logic [PORTS*VLS-1:0]        st_cut_o,
    output logic [8*PORTS*VLS-1:0]      st_owed_o,
    output logic [PORTS*VLS-1:0]        st_own_o,
    output logic [8*PORTS*VLS-1:0]      st_own_out_o,
    output logic [8*PORTS*VLS-1:0]      st_own_vl_o,
    output logic [PORTS*VLS-1:0]        st_owned_o,
    output logic [8*PORTS*VLS-1:0]      st_cr_o,
    output logic [8*PORTS*VLS-1:0]      st_place_in_o,
    output logic [8*PORTS*VLS-1:0]      st_left_in_o,
    output logic [8*PORTS*VLS-1:0]      st_place_out_o,
    output logic [8*PORTS*VLS-1:0]      st_left_out_o,
    output logic [8*PORTS-1:0]          st_guard_in_o,
    output logic [8*PORTS-1:0]          st_guard_out_o,
    output logic [8*PORTS-1:0]          st_ptr_group_o,
    output logic [8*PORTS*VLS-1:0]      st_ptr_lane_o,
    output logic [16*PORTS-1:0]         st_ptr_be_o,
    output logic [16*PORTS-1:0]         st_lfsr_o,
    output logic [CNT_W*PORTS-1:0]      st_cnt_flits_o,
    output logic [CNT_W*PORTS-1:0]      st_cnt_msgs_o,
    output logic [16*PORTS-1:0]         st_cnt_drop_o,
    output logic [16*PORTS-1:0]         st_used_o,     // admission; 0 with ADMIT = 0
    output logic [16*PORTS*VLS-1:0]     st_book_out_o,
    output logic [16*PORTS*VLS-1:0]     st_book_in_o,
    output logic [7:0]                  st_ptr_adm_o,
    output logic [PORTS-1:0]            st_adm_o,
    output logic [PORTS-1:0]            st_eat_o,
    output logic [8*PORTS-1:0]          st_slot_o,
    output logic [8*PORTS-1:0]          st_slot_way_o,
    output logic [PORTS-1:0]            st_slot_routed_o,
    output logic [PORTS-1:0]            st_slot_turn_o,
    output logic [PORTS-1:0]            st_slot_own_o,
    output logic [PORTS*VLS-1:0]        st_books_o,
    output logic [PORTS*VLS-1:0]        st_final_o,
    output logic [16*PORTS*VLS-1:0]     st_final_bw_o,
    output logic [16*PORTS-1:0]         st_cnt_booked_o,
    output logic [16*PORTS-1:0]         st_cnt_refused_o
);
  // (So that an illegal number is told as such.)
  localparam int P = (PORTS >= 2) ? PORTS : 2;
  localparam int V = (VLS >= 3) ? VLS : 3;
  localparam int OW = $clog2(P);
  localparam int VW = $clog2(V);
  localparam int N = P * V;

  if (PORTS < 2 || PORTS > 16) begin : g_bad_ports
    $error("PORTS must be 2..16");
  end
  if (VLS < 3 || VLS > 16) begin : g_bad_vls
    $error("VLS must be 3..16: a lane of data, reply and control");
  end
  if (DEPTH < 2 || DEPTH > 64) begin : g_bad_depth
    $error("DEPTH must be 2..64");
  end
  if (LFT_DEPTH < 2 || LFT_DEPTH > 65536) begin : g_bad_lft_depth
    $error("LFT_DEPTH must be 2..65536");
  end
  if (ADMIT < 0 || ADMIT > 1) begin : g_bad_admit
    $error("ADMIT must be 0 or 1");
  end
  if (CNT_W < 2 || CNT_W > 32) begin : g_bad_cnt_w
    $error("CNT_W must be 2..32");
  end

  // ---- registers
  logic [P-1:0]    ready;  // all alike
  logic            run;
  logic [V-1:0]    be;
  logic [8*P-1:0]  lhp;
  logic [8*N-1:0]  weight_in, weight_out;
  logic [P-1:0]    seed_we;
  logic [16*P-1:0] err_set;

  // ---- of admission
  logic            admit_en, table_ready;
  logic [15:0]     node_id;
  logic [13*P-1:0] limit, used;
  logic [4*P-1:0]  wshift;
  logic [16*P-1:0] next;
  logic [P-1:0]    host;
  logic [V-1:0]    rt;  // real-time lanes

  assign rt = ({V{1'b1}} >> 2) & ~be;
  assign run = (&ready) && table_ready;
  assign ready_o = run;

  worm_regs #(.PORTS(P), .VLS(V), .ADMIT(ADMIT), .CNT_W(CNT_W)) u_regs (
      .clk_i, .rst_i,
      .we_i(cfg_we_i && run),
      .re_i(cfg_re_i && run),
      .port_i(cfg_port_i),
      .addr_i(cfg_addr_i),
      .data_i(cfg_data_i),
      .err_set_i(err_set),
      .err_o,
      .be_o(be),
      .lhp_o(lhp),
      .weight_in_o(weight_in),
      .weight_out_o(weight_out),
      .seed_we_o(seed_we),
      .lfsr_i(st_lfsr_o),
      .cnt_flits_i(st_cnt_flits_o),
      .cnt_msgs_i(st_cnt_msgs_o),
      .cnt_drop_i(st_cnt_drop_o),
      .admit_en_o(admit_en),
      .node_id_o(node_id),
      .limit_o(limit),
      .wshift_o(wshift),
      .next_o(next),
      .host_o(host),
      .used_i(used),
      .book_out_i(st_book_out_o),
      .book_in_i(st_book_in_o),
      .cnt_booked_i(st_cnt_booked_o),
      .cnt_refused_i(st_cnt_refused_o),
      .rvalid_o(cfg_rvalid_o),
      .rdata_o(cfg_rdata_o)
  );

  // ---- inputs
  logic [P*N-1:0]   ask;        // element i*N+o*V+v
  logic [P*P-1:0]   grant_in;   // element o*P+i: output o grants input i a lane,
  logic [N-1:0]     grant_lane; // element o*V+v: its lane v,
  logic [P*VW-1:0]  grant_vl;   // this one
  logic [P*P-1:0]   pick_out, nom_out, second_out;  // element i*P+o
  logic [N-1:0]     pick_vl, nom_vl, second_vl;     // element i*V+u
  logic [P*4-1:0]   pick_class, second_class;
  logic [P-1:0]     stands, called, pick_goes, second_goes, tail;
  logic [P-1:0]     idle;       // outputs for second picks
  logic [N-1:0]     ok;         // element o*V+u
  logic [P*131-1:0] flit;
  // admission: candidates, decisions, reply slots that own a lane, streams that end, what may be wrong
  logic [P*P-1:0]   spared;  // element o*P+i: the slot of input i owns the reply lane of output o
  logic [P-1:0]     probe, releases, adm_none, passes, consumed, booked, refused, books, adm_lost, bad_sums, astray;
  logic [16*P-1:0]  adm_bw, adm_node, adm_slid, end_bw;
  logic [4*P-1:0]   adm_vl;
  logic [OW*P-1:0]  adm_out;
  logic [7:0]       way;
  logic [N-1:0]     ends;

  for (genvar i = 0; i < P; i++) begin : g_in
    logic [V-1:0]    own, any, grant, nom, pick, second, goes;
    logic [OW*V-1:0] own_out;
    logic [VW*V-1:0] own_vl;
    logic [V*V-1:0]  ahead;
    logic            due, bad_vl, no_route, overflow, framing, link_down;

    logic [3:0]      slot;
    logic            slot_own, pick_slot, second_slot, both;
    logic [P-1:0]    grant_reply;
    logic [OW-1:0]   slot_way;
    logic [8*V-1:0]  weight;

    worm_input #(.PORTS(P), .VLS(V), .DEPTH(DEPTH), .LFT_DEPTH(LFT_DEPTH), .ADMIT(ADMIT)) u_input (
        .clk_i, .rst_i,
        .ready_o(ready[i]),
        .link_up_i(link_up_i[i]),
        .lft_we_i, .lft_addr_i, .lft_port_i,
        .rx_valid_i(rx_valid_i[i]),
        .rx_vl_i(rx_vl_i[4*i+:4]),
        .rx_first_i(rx_first_i[i]),
        .rx_last_i(rx_last_i[i]),
        .rx_bad_i(rx_bad_i[i]),
        .rx_data_i(rx_data_i[128*i+:128]),
        .credit_o(tx_credit_o[i*V+:V]),
        .ask_o(ask[i*N+:N]),
        .grant_i(grant),
        .grant_reply_i(grant_reply),
        .grant_vl_i(grant_vl),
        .own_o(own),
        .own_out_o(own_out),
        .own_vl_o(own_vl),
        .any_o(any),
        .nom_i(nom),
        .pick_i(pick),
        .second_i(second),
        .called_i(called[i]),
        .pick_goes_i(pick_goes[i]),
        .second_goes_i(second_goes[i]),
        .goes_o(goes),
        .tail_o(tail[i]),
        .flit_o(flit[131*i+:131]),
        .admit_en_i(admit_en),
        .rt_i(rt),
        .node_id_i(node_id),
        .probe_o(probe[i]),
        .release_o(releases[i]),
        .adm_bw_o(adm_bw[16*i+:16]),
        .adm_vl_o(adm_vl[4*i+:4]),
        .adm_node_o(adm_node[16*i+:16]),
        .adm_slid_o(adm_slid[16*i+:16]),
        .adm_out_o(adm_out[OW*i+:OW]),
        .adm_none_o(adm_none[i]),
        .passes_i(passes[i]),
        .consumed_i(consumed[i]),
        .booked_i(booked[i]),
        .refused_i(refused[i]),
        .way_i(way),
        .slot_own_o(slot_own),
        .pick_slot_i(pick_slot),
        .second_slot_i(second_slot),
        .both_i(both),
        .reply_out_i(st_cr_o[8*(i*V+V-2)+:8] != 8'(DEPTH) || st_owned_o[i*V+V-2]),
        .end_o(ends[i*V+:V]),
        .end_bw_o(end_bw[16*i+:16]),
        .books_i(books[i]),
        .adm_lost_o(adm_lost[i]),
        .adm_o(st_adm_o[i]),
        .eat_o(st_eat_o[i]),
        .slot_o(slot),
        .slot_way_o(slot_way),
        .slot_routed_o(st_slot_routed_o[i]),
        .slot_turn_o(st_slot_turn_o[i]),
        .books_o(st_books_o[i*V+:V]),
        .final_o(st_final_o[i*V+:V]),
        .final_bw_o(st_final_bw_o[16*i*V+:16*V]),
        .cnt_booked_o(st_cnt_booked_o[16*i+:16]),
        .cnt_refused_o(st_cnt_refused_o[16*i+:16]),
        .bad_vl_o(bad_vl),
        .no_route_o(no_route),
        .overflow_o(overflow),
        .framing_o(framing),
        .link_down_o(link_down),
        .cnt_drop_o(st_cnt_drop_o[16*i+:16]),
        .level_o(st_level_o[8*i*V+:8*V]),
        .open_o(st_open_o[i*V+:V]),
        .drain_o(st_drain_o[i*V+:V]),
        .cut_o(st_cut_o[i*V+:V]),
        .owed_o(st_owed_o[8*i*V+:8*V])
    );

    worm_pick #(.PORTS(P), .VLS(V)) u_pick (
        .own_i(own),
        .own_out_i(own_out),
        .own_vl_i(own_vl),
        .any_i(any),
        .slot_own_i(slot_own),
        .slot_out_i(slot_way),
        .slot_turn_i(st_slot_turn_o[i]),
        .ok_i(ok),
        .be_i(be),
        .ahead_i(ahead),
        .due_i(due),
        .idle_i(idle),
        .pick_o(pick),
        .pick_out_o(pick_out[i*P+:P]),
        .pick_vl_o(pick_vl[i*V+:V]),
        .class_o(pick_class[4*i+:4]),
        .nom_o(nom),
        .nom_out_o(nom_out[i*P+:P]),
        .nom_vl_o(nom_vl[i*V+:V]),
        .stands_o(stands[i]),
        .second_o(second),
        .second_out_o(second_out[i*P+:P]),
        .second_vl_o(second_vl[i*V+:V]),
        .second_class_o(second_class[4*i+:4]),
        .pick_slot_o(pick_slot),
        .second_slot_o(second_slot),
        .both_o(both)
    );

    wrr_order #(.N(V)) u_order (
        .clk_i, .rst_i,
        .go_i(goes),
        .weight_i(weight),
        .ahead_o(ahead),
        .place_o(st_place_in_o[8*i*V+:8*V]),
        .left_o(st_left_in_o[8*i*V+:8*V])
    );

    wire be_waits = nom != '0;  // (Yosys stops on '0 in a connection of a proof's top module.)

    worm_guard u_guard (
        .clk_i, .rst_i,
        .rt_goes_i(pick_goes[i] && pick_class[4*i+2]),  // (a second look passes nobody)
        .step_i(8'd1),
        .clear_i(called[i] || (pick_goes[i] && pick_class[4*i+3])),
        .be_waits_i(be_waits),
        .limit_i(lhp[8*i+:8]),
        .count_o(st_guard_in_o[8*i+:8]),
        .due_o(due)
    );

    always_comb begin
      grant = '0;
      for (int o = 0; o < P; o++) begin
        if (grant_in[o*P+i]) grant = grant | grant_lane[o*V+:V];
        grant_reply[o] = grant_in[o*P+i] && grant_lane[o*V+V-2];
      end
    end

    worm_weights #(.VLS(V)) u_weights (
        .booked_i(rt & {V{admit_en}}),
        .book_i(st_book_in_o[16*i*V+:16*V]),
        .shift_i(wshift[4*i+:4]),
        .weight_i(weight_in[8*i*V+:8*V]),
        .weight_o(weight)
    );

    assign books[i] = used[13*i+:13] != '0 || st_book_in_o[16*i*V+:16*V] != '0;
    assign st_used_o[16*i+:16] = 16'(used[13*i+:13]);
    assign st_slot_o[8*i+:8] = 8'(slot);
    assign st_slot_way_o[8*i+:8] = 8'(slot_way);
    assign st_slot_own_o[i] = slot_own;
    for (genvar o = 0; o < P; o++) begin : g_spared
      assign spared[o*P+i] = slot_own && slot_way == OW'(o);
    end

    assign st_own_o[i*V+:V] = own;
    for (genvar v = 0; v < V; v++) begin : g_own
      assign st_own_out_o[8*(i*V+v)+:8] = 8'(own_out[OW*v+:OW]);
      assign st_own_vl_o[8*(i*V+v)+:8] = 8'(own_vl[VW*v+:VW]);
    end

    always_comb begin
      err_set[16*i+:16] = '0;
      err_set[16*i+quell_pkg::WE_BAD_VL] = bad_vl;
      err_set[16*i+quell_pkg::WE_NO_ROUTE] = no_route;
      err_set[16*i+quell_pkg::WE_OVERFLOW] = overflow;
      err_set[16*i+quell_pkg::WE_FRAMING] = framing;
      err_set[16*i+quell_pkg::WE_BAD_RELEASE] = bad_sums[i] || astray[i];
      err_set[16*i+quell_pkg::WE_ADM_LOST] = adm_lost[i];
      err_set[16*i+quell_pkg::WE_CREDIT] = credit_err[i];
      err_set[16*i+quell_pkg::WE_LINK_DOWN] = link_down;
    end
  end

  // ---- lanes of the outputs
  logic [N-1:0]   go_vl;     // lane of the flit that goes, element o*V+u
  logic [P-1:0]   tail_out;  // it is a tail
  logic [P-1:0]   credit_err;

  for (genvar o = 0; o < P; o++) begin : g_lanes
    logic [N-1:0] asking;

    for (genvar i = 0; i < P; i++) begin : g_ask
      assign asking[i*V+:V] = ask[i*N+o*V+:V];
    end

    worm_vlalloc #(.PORTS(P), .VLS(V)) u_lanes (
        .clk_i, .rst_i,
        .seed_we_i(seed_we[o]),
        .seed_i(cfg_data_i[15:0]),
        .be_i(be),
        .link_up_i,
        .spared_i(spared[o*P+:P]),
        .ask_i(asking),
        .in_o(grant_in[o*P+:P]),
        .lane_o(grant_lane[o*V+:V]),
        .vl_o(grant_vl[o*VW+:VW]),
        .go_i(go_vl[o*V+:V]),
        .tail_i(tail_out[o]),
        .owned_o(st_owned_o[o*V+:V]),
        .ptr_group_o(st_ptr_group_o[8*o+:8]),
        .ptr_lane_o(st_ptr_lane_o[8*o*V+:8*V]),
        .ptr_be_o(st_ptr_be_o[16*o+:16]),
        .lfsr_o(st_lfsr_o[16*o+:16])
    );
  end

  // ---- who goes
  logic [P*V*V-1:0] ahead_out;
  logic [P-1:0]     guarded, due_out, rt_goes, turn, be_waits;
  logic [P*P-1:0]   from;  // element o*P+i

  worm_crossbar #(.PORTS(P), .VLS(V)) u_crossbar (
      .clk_i, .rst_i,
      .pick_out_i(pick_out),
      .pick_vl_i(pick_vl),
      .class_i(pick_class),
      .nom_out_i(nom_out),
      .nom_vl_i(nom_vl),
      .stands_i(stands),
      .second_out_i(second_out),
      .second_vl_i(second_vl),
      .second_class_i(second_class),
      .ahead_i(ahead_out),
      .guarded_i(guarded),
      .due_i(due_out),
      .idle_o(idle),
      .called_o(called),
      .pick_goes_o(pick_goes),
      .second_goes_o(second_goes),
      .from_o(from),
      .vl_o(go_vl),
      .rt_goes_o(rt_goes),
      .turn_o(turn),
      .be_waits_o(be_waits)
  );

  // ---- outputs
  logic [P*P-1:0] crosses;   // element o*P+i
  logic [4*P-1:0] cross_vl;

  for (genvar o = 0; o < P; o++) begin : g_out
    logic [8*V-1:0] weight;

    worm_weights #(.VLS(V)) u_weights (
        .booked_i(rt & {V{admit_en}}),
        .book_i(st_book_out_o[16*o*V+:16*V]),
        .shift_i(wshift[4*o+:4]),
        .weight_i(weight_out[8*o*V+:8*V]),
        .weight_o(weight)
    );

    worm_output #(.PORTS(P), .VLS(V), .DEPTH(DEPTH), .CNT_W(CNT_W)) u_output (
        .clk_i, .rst_i,
        .run_i(run),
        .link_up_i(link_up_i[o]),
        .rx_credit_i(rx_credit_i[o*V+:V]),
        .weight_i(weight),
        .lhp_i(lhp[8*o+:8]),
        .ok_o(ok[o*V+:V]),
        .ahead_o(ahead_out[o*V*V+:V*V]),
        .guarded_o(guarded[o]),
        .due_o(due_out[o]),
        .from_i(from[o*P+:P]),
        .vl_i(go_vl[o*V+:V]),
        .tail_i(tail),
        .rt_goes_i(rt_goes[o]),
        .turn_i(turn[o]),
        .be_waits_i(be_waits[o]),
        .tail_o(tail_out[o]),
        .flit_i(flit),
        .crosses_o(crosses[o*P+:P]),
        .cross_vl_o(cross_vl[4*o+:4]),
        .tx_valid_o(tx_valid_o[o]),
        .tx_vl_o(tx_vl_o[4*o+:4]),
        .tx_first_o(tx_first_o[o]),
        .tx_last_o(tx_last_o[o]),
        .tx_bad_o(tx_bad_o[o]),
        .tx_data_o(tx_data_o[128*o+:128]),
        .credit_err_o(credit_err[o]),
        .cnt_flits_o(st_cnt_flits_o[CNT_W*o+:CNT_W]),
        .cnt_msgs_o(st_cnt_msgs_o[CNT_W*o+:CNT_W]),
        .cr_o(st_cr_o[8*o*V+:8*V]),
        .place_o(st_place_out_o[8*o*V+:8*V]),
        .left_o(st_left_out_o[8*o*V+:8*V]),
        .guard_o(st_guard_out_o[8*o+:8])
    );
  end

  // ---- admission
  if (ADMIT != 0) begin : g_admit
    logic          add, take;
    logic [P-1:0]  in, out;
    logic [V-1:0]  lane;
    logic [15:0]   bw;
    logic [OW-1:0] ptr;
    logic [N-1:0]  to_lane;  // element o*V+u: what crosses to output o is in lane u

    worm_admission #(.PORTS(P), .VLS(V), .LFT_DEPTH(LFT_DEPTH)) u_admission (
        .clk_i, .rst_i,
        .ready_o(table_ready),
        .lft_we_i, .lft_addr_i, .lft_port_i,
        .own_i(node_id),
        .rt_i(rt),
        .probe_i(probe),
        .release_i(releases),
        .bw_i(adm_bw),
        .vl_i(adm_vl),
        .node_i(adm_node),
        .slid_i(adm_slid),
        .out_i(adm_out),
        .none_i(adm_none),
        .passes_o(passes),
        .consumed_o(consumed),
        .booked_o(booked),
        .refused_o(refused),
        .astray_o(astray),
        .way_o(way),
        .link_up_i,
        .limit_i(limit),
        .host_i(host),
        .next_i(next),
        .used_i(used),
        .add_o(add),
        .take_o(take),
        .in_o(in),
        .out_o(out),
        .lane_o(lane),
        .bw_o(bw),
        .ptr_o(ptr)
    );

    for (genvar o = 0; o < P; o++) begin : g_cross
      for (genvar u = 0; u < V; u++) begin : g_lane
        assign to_lane[o*V+u] = cross_vl[4*o+:4] == 4'(u);
      end
    end

    worm_sums #(.PORTS(P), .VLS(V)) u_sums (
        .clk_i, .rst_i,
        .admit_en_i(admit_en),
        .add_i(add),
        .take_i(take),
        .in_i(in),
        .out_i(out),
        .lane_i(lane),
        .bw_i(bw),
        .end_i(ends),
        .end_bw_i(end_bw),
        .from_i(crosses),
        .to_lane_i(to_lane),
        .used_o(used),
        .book_out_o(st_book_out_o),
        .book_in_o(st_book_in_o),
        .bad_o(bad_sums)
    );

    assign st_ptr_adm_o = 8'(ptr);
  end else begin : g_admit
    assign table_ready = 1'b1;
    assign {passes, consumed, booked, refused, bad_sums, astray, used, way} = '0;
    assign {st_book_out_o, st_book_in_o, st_ptr_adm_o} = '0;

    wire unused_admit = &{1'b0, limit, next, host, crosses, cross_vl, probe, releases, adm_none, adm_bw, adm_vl, adm_node,
        adm_slid, adm_out, ends, end_bw};
  end

  // ---- for other schemes
  assign lane_owned_o = st_owned_o & {P*V{run}};
  for (genvar n = 0; n < P * V; n++) begin : g_shown
    assign lane_full_o[n] = run && st_level_o[8*n+:8] == 8'(DEPTH);
  end

`ifdef QUELL_CHECK
  worm_owner_checker #(.PORTS(P), .VLS(V), .DEPTH(DEPTH)) u_owner_check (
      .clk_i, .rst_i,
      .own_i(st_own_o),
      .slot_own_i(st_slot_own_o),
      .slot_way_i(st_slot_way_o),
      .own_out_i(st_own_out_o),
      .own_vl_i(st_own_vl_o),
      .owned_i(st_owned_o),
      .cr_i(st_cr_o)
  );

  if (ADMIT != 0) begin : g_admit_check
    worm_admission_checker #(.PORTS(P), .VLS(V), .DEPTH(DEPTH), .LFT_DEPTH(LFT_DEPTH)) u_check (
        .clk_i, .rst_i,
        .ready_i(ready_o),
        .cfg_we_i, .cfg_port_i, .cfg_addr_i, .cfg_data_i,
        .lft_we_i, .lft_addr_i, .lft_port_i,
        .link_up_i, .rx_valid_i, .rx_vl_i, .rx_first_i, .rx_last_i, .rx_bad_i, .rx_data_i,
        .tx_valid_i(tx_valid_o),
        .tx_vl_i(tx_vl_o),
        .tx_first_i(tx_first_o),
        .tx_last_i(tx_last_o),
        .tx_bad_i(tx_bad_o),
        .tx_data_i(tx_data_o),
        .err_i(err_o),
        .level_i(st_level_o),
        .open_i(st_open_o),
        .own_i(st_own_o),
        .own_out_i(st_own_out_o),
        .own_vl_i(st_own_vl_o),
        .left_in_i(st_left_in_o),
        .left_out_i(st_left_out_o),
        .used_i(st_used_o),
        .book_out_i(st_book_out_o),
        .book_in_i(st_book_in_o),
        .adm_i(st_adm_o),
        .slot_i(st_slot_o),
        .slot_routed_i(st_slot_routed_o),
        .slot_own_i(st_slot_own_o),
        .slot_way_i(st_slot_way_o),
        .cr_i(st_cr_o),
        .owned_i(st_owned_o),
        .cnt_booked_i(st_cnt_booked_o),
        .cnt_refused_i(st_cnt_refused_o)
    );
  end

  worm_router_checker #(.PORTS(P), .VLS(V), .DEPTH(DEPTH), .LFT_DEPTH(LFT_DEPTH), .ADMIT(ADMIT)) u_check (
      .clk_i, .rst_i,
      .cfg_we_i, .cfg_re_i, .cfg_port_i, .cfg_addr_i, .cfg_data_i,
      .lft_we_i, .lft_addr_i, .lft_port_i,
      .link_up_i, .rx_valid_i, .rx_vl_i, .rx_first_i, .rx_last_i, .rx_bad_i, .rx_data_i, .rx_credit_i,
      .ready_i(ready_o),
      .tx_valid_i(tx_valid_o),
      .tx_vl_i(tx_vl_o),
      .tx_first_i(tx_first_o),
      .tx_last_i(tx_last_o),
      .tx_bad_i(tx_bad_o),
      .tx_data_i(tx_data_o),
      .tx_credit_i(tx_credit_o),
      .err_i(err_o),
      .cfg_rvalid_i(cfg_rvalid_o),
      .cfg_rdata_i(cfg_rdata_o)
  );
`endif
endmodule

`default_nettype wire
