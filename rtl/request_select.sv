// The packet that each output and VL is offered: cold head or a hot queue's head. CNPs go first (not with cnp_plain; or the
// cold head whatever it is), else round robin; a hot queue that eight of them passed is next. A queue that a
// line holds back (queue_ties) is not offered. A queue that had its turn yields to those that could go and had
// none since, whoever moved the pointer while they were held. Without isolation a limit may keep requests from being shown.
// Rules A2, A3, AG2, B2, E4, E5, SM2, Q7.
`default_nettype none

module request_select #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int HPQS = 2,
    parameter int LINES = 9,
    parameter int AW = 11,
    parameter int ONE_QUEUE = 0,
    parameter int ISOLATION = 1,
    parameter int PARITY = 0,
    localparam int PV = PORTS * VLS,
    localparam int NQ = (ONE_QUEUE != 0) ? 1 : PV,
    localparam int QW = (PV > 1) ? $clog2(PV) : 1,
    localparam int HW = (HPQS > 1) ? $clog2(HPQS) : 1,
    localparam int LW = (LINES > 1) ? $clog2(LINES) : 1
) (
    input  wire logic               clk_i,
    input  wire logic               rst_i,
    input  wire logic               cold_first_i,
    input  wire logic               cnp_plain_i,   // a CNP is as data
    input  wire logic [PORTS-1:0]   eng_free_i,
    input  wire logic [PV-1:0]      served_i,      // the request is granted
    input  wire logic [PV-1:0]      show_i,        // it may be shown (ISOLATION = 0)
    // receiver's open packet
    input  wire logic               open_i,
    input  wire logic [AW-1:0]      open_id_i,
    input  wire logic               open_start_i,
    // heads of cold queues, by output and VL
    input  wire logic [PV-1:0]      head_any_i,
    input  wire logic [PV*AW-1:0]   head_id_i,
    input  wire logic [PV*7-1:0]    head_n_i,
    input  wire logic [PV*16-1:0]   head_dlid_i,
    input  wire logic [PV-1:0]      head_cnp_i,
    input  wire logic [PV-1:0]      head_markable_i,
    input  wire logic [PV-1:0]      head_whole_i,  // whatever the receiver does: it is a NACK (SRP)
    input  wire logic [PV-1:0]      cold_match_i,  // the head belongs to a HOT or DRAIN line
    input  wire logic [NQ-1:0]      cold_bound_i,  // a line of the output may hold the queue: this one
    input  wire logic [NQ*LW-1:0]   cold_line_i,
    input  wire logic [NQ-1:0]      cold_stopped_i,  // and does
    // heads of hot queues and their lines
    input  wire logic [HPQS-1:0]    hot_any_i,
    input  wire logic [HPQS*AW-1:0] hot_id_i,
    input  wire logic [HPQS*7-1:0]  hot_n_i,
    input  wire logic [HPQS*16-1:0] hot_dlid_i,
    input  wire logic [HPQS-1:0]    hot_markable_i,
    input  wire logic [HPQS-1:0]    hot_busy_i,    // a line has it
    input  wire logic [HPQS*QW-1:0] hot_q_i,       // index of that line's output and VL
    input  wire logic [HPQS-1:0]    hot_bound_i,
    input  wire logic [HPQS*LW-1:0] hot_line_i,
    input  wire logic [HPQS-1:0]    hot_stopped_i,
    input  wire logic [HPQS-1:0]    hot_unlinked_i,  // that line is HOT and has no link
    output logic [NQ-1:0]           cold_start_o,  // there is a head, and it could start
    output logic [HPQS-1:0]         hot_start_o,
    // the offers
    output logic [PV-1:0]           valid_o,
    output logic [PV*7-1:0]         n_o,
    output logic [PV*16-1:0]        dlid_o,
    output logic [PV-1:0]           cnp_o,
    output logic [PV-1:0]           markable_o,
    output logic [PV-1:0]           hot_o,
    output logic [PV-1:0]           unlinked_o,
    output logic [PV*AW-1:0]        id_o,
    output logic [PV-1:0]           open_o,        // the packet is being received
    output logic [PV*HW-1:0]        hpq_o,
    output logic [PV-1:0]           bound_o,       // its queue is bound to a line of the output: this one
    output logic [PV*8-1:0]         line_o,
    // state
    output logic [NQ-1:0]           cold_went_o,   // queues that yield
    output logic [HPQS-1:0]         hot_went_o,
    output logic                    parity_err_o
);
  logic [PV-1:0]   head_open, head_start;
  logic [HPQS-1:0] hot_open;
  logic [HPQS-1:0] hot_ready;

  for (genvar q = 0; q < PV; q++) begin : g_cold
    assign head_open[q] = open_i && open_id_i == head_id_i[q*AW +: AW] && !head_whole_i[q];
    assign head_start[q] = head_any_i[q] && (!head_open[q] || open_start_i);
  end
  assign cold_start_o = (ONE_QUEUE != 0) ? NQ'(|head_start) : head_start[NQ-1:0];
  for (genvar h = 0; h < HPQS; h++) begin : g_hot
    assign hot_open[h] = open_i && open_id_i == hot_id_i[h*AW +: AW];
    assign hot_start_o[h] = hot_any_i[h] && (!hot_open[h] || open_start_i);
    assign hot_ready[h] = hot_start_o[h] && hot_busy_i[h] && !hot_stopped_i[h];
  end

  logic [PV-1:0] ptr_err;  // of parity
  logic          went_err;
  assign parity_err_o = ptr_err != '0 || went_err;

  // of each request served by round robin, bit 0: cold, 1+h: HPQ h
  localparam int QUEUES = HPQS + 1;
  logic [PV*QUEUES-1:0] went_set;    // the queue that it was of
  logic [PV*QUEUES-1:0] went_clear;  // those that it was chosen among, if all had gone

  for (genvar q = 0; q < PV; q++) begin : g_request
    localparam int O = q / VLS;
    localparam int C = (ONE_QUEUE != 0) ? 0 : q;  // its cold queue
    logic            cold_ok;
    logic [HPQS:0]   pick;  // bit 0: cold, 1+h: HPQ h
    logic            valid;
    logic [HPQS-1:0] pick_h;

    assign cold_ok = head_start[q] && !cold_stopped_i[C]
        && (head_cnp_i[q] || !cold_match_i[q]);

    if (ISOLATION != 0) begin : g_isolation
      localparam int CW = $clog2(HPQS + 1);
      localparam logic [3:0] BY_MAX = 4'd8;
      logic [HPQS:0]   ready, went, pool, fresh;
      logic [HPQS:0]   rr_pick;
      logic [CW-1:0]   rr_idx;
      logic            rr_any;
      logic [CW-1:0]   ptr_q, ptr_d;
      logic [3:0]      by_q, by_d;  // cold heads that went first since a hot queue was served, while one could be
      logic            hot_any, cold_top, cold_now, hot_due;

      assign ready[0] = cold_ok;
      for (genvar h = 0; h < HPQS; h++) begin : g_hot
        assign ready[1+h] = hot_ready[h] && hot_q_i[h*QW +: QW] == QW'(q);
      end
      assign hot_any = ready[HPQS:1] != '0;
      assign cold_top = cold_ok && ((head_cnp_i[q] && !cnp_plain_i) || cold_first_i);
      assign hot_due = by_q == BY_MAX && hot_any;
      assign cold_now = cold_top && !hot_due;  // goes first: round robin has no say
      assign pool = {ready[HPQS:1], ready[0] && !cold_top};
      assign went = {hot_went_o, cold_went_o[C]};
      assign fresh = pool & ~went;
      assign went_set[q*QUEUES +: QUEUES] = (served_i[q] && !cold_now) ? rr_pick : '0;
      assign went_clear[q*QUEUES +: QUEUES] = (served_i[q] && !cold_now && fresh == '0) ? pool : '0;
      rr_arbiter #(
          .N(HPQS + 1)
      ) u_rr (
          .req_i((fresh != '0) ? fresh : pool),
          .ptr_i(ptr_q),
          .gnt_o(rr_pick),
          .idx_o(rr_idx),
          .any_o(rr_any)
      );
      assign pick = cold_now ? (HPQS + 1)'(1) : rr_pick;
      assign valid = (cold_now || rr_any) && eng_free_i[O];

      always_comb begin
        ptr_d = ptr_q;
        by_d = by_q;
        if (rst_i) begin
          ptr_d = '0;
          by_d = '0;
        end else if (served_i[q]) begin
          if (!cold_now) ptr_d = (rr_idx == CW'(HPQS)) ? '0 : rr_idx + 1'b1;
          if (!pick[0]) by_d = '0;
          else if (cold_now && hot_any && by_q != BY_MAX) by_d = by_q + 1'b1;
        end
      end

      always_ff @(posedge clk_i) begin
        ptr_q <= ptr_d;
        by_q <= by_d;
      end

      parity_group #(.PARITY(PARITY)) u_parity (
          .clk_i,
          .next_i(^{ptr_d, by_d}),
          .now_i(^{ptr_q, by_q}),
          .err_o(ptr_err[q])
      );
    end else begin : g_plain
      assign pick = (HPQS + 1)'(cold_ok);
      assign valid = cold_ok && eng_free_i[O] && show_i[q];
      assign ptr_err[q] = 1'b0;
      assign went_set[q*QUEUES +: QUEUES] = '0;
      assign went_clear[q*QUEUES +: QUEUES] = '0;
    end

    assign pick_h = pick[HPQS:1];
    assign valid_o[q] = valid;
    assign hot_o[q] = valid && !pick[0];
    assign cnp_o[q] = valid && pick[0] && head_cnp_i[q];
    assign unlinked_o[q] = valid && |(pick_h & hot_unlinked_i);
    assign open_o[q] = pick[0] ? head_open[q] : |(pick_h & hot_open);
    assign markable_o[q] = pick[0] ? head_markable_i[q] : |(pick_h & hot_markable_i);

    always_comb begin
      n_o[q*7 +: 7] = head_n_i[q*7 +: 7];
      dlid_o[q*16 +: 16] = head_dlid_i[q*16 +: 16];
      id_o[q*AW +: AW] = head_id_i[q*AW +: AW];
      hpq_o[q*HW +: HW] = '0;
      bound_o[q] = cold_bound_i[C];
      line_o[q*8 +: 8] = 8'(cold_line_i[C*LW +: LW]);
      for (int h = 0; h < HPQS; h++) begin
        if (pick_h[h]) begin
          n_o[q*7 +: 7] = hot_n_i[h*7 +: 7];
          dlid_o[q*16 +: 16] = hot_dlid_i[h*16 +: 16];
          id_o[q*AW +: AW] = hot_id_i[h*AW +: AW];
          hpq_o[q*HW +: HW] = HW'(h);
          bound_o[q] = hot_bound_i[h];
          line_o[q*8 +: 8] = 8'(hot_line_i[h*LW +: LW]);
        end
      end
      if (!valid) begin
        n_o[q*7 +: 7] = '0;
        dlid_o[q*16 +: 16] = '0;
        bound_o[q] = 1'b0;
        line_o[q*8 +: 8] = '0;
      end
    end
  end

  // ---- queues that yield
  if (ISOLATION != 0) begin : g_went
    wire unused_show = &{1'b0, show_i};
    logic [NQ-1:0]   cold_went_d;
    logic [HPQS-1:0] hot_went_d;

    always_comb begin
      cold_went_d = cold_went_o;
      hot_went_d = hot_went_o;
      for (int q = 0; q < PV; q++) begin
        if (went_clear[q*QUEUES]) cold_went_d[(ONE_QUEUE != 0) ? 0 : q] = 1'b0;
        hot_went_d = hot_went_d & ~went_clear[q*QUEUES+1 +: HPQS];
      end
      for (int q = 0; q < PV; q++) begin
        if (went_set[q*QUEUES]) cold_went_d[(ONE_QUEUE != 0) ? 0 : q] = 1'b1;
        hot_went_d = hot_went_d | went_set[q*QUEUES+1 +: HPQS];
      end
      if (rst_i) begin
        cold_went_d = '0;
        hot_went_d = '0;
      end
    end

    always_ff @(posedge clk_i) begin
      cold_went_o <= cold_went_d;
      hot_went_o <= hot_went_d;
    end

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i,
        .next_i(^{cold_went_d, hot_went_d}),
        .now_i(^{cold_went_o, hot_went_o}),
        .err_o(went_err)
    );
  end else begin : g_plain
    assign cold_went_o = '0;
    assign hot_went_o = '0;
    assign went_err = 1'b0;
    logic unused;
    assign unused = &{1'b0, clk_i, rst_i, cold_first_i, cnp_plain_i, served_i, hot_q_i, hot_ready, went_set, went_clear};
  end
endmodule

`default_nettype wire
