// Properties of the switch that hold in every cycle, whatever the links bring. Instantiated at the end
// of the module under QUELL_CHECK; each label names the rule that a failure breaks.
`default_nettype none

module switch_checker #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int LINES = 9,
    parameter int DLIST = 8,
    parameter int FLIT_W = 512,
    parameter int ONE_QUEUE = 0,
    parameter int MARKERS = 0,
    parameter int CIOQ = 0,
    localparam int PV = PORTS * VLS,
    localparam int PP = PORTS * PORTS,
    localparam int CTL = 8 * (16 + 2 * DLIST)
) (
    input wire logic                    clk_i,
    input wire logic                    rst_i,
    input wire logic                    ready_i,
    input wire logic [PORTS-1:0]        link_up_i,
    input wire logic [PORTS*2-1:0]      due_i,       // packets on their way over the crossbar, as the outputs count them
    // the crossbar, element i*PORTS+o
    input wire logic [PP-1:0]           act_i,
    input wire logic [PP-1:0]           valid_i,
    input wire logic [PP-1:0]           first_i,
    input wire logic [PP-1:0]           last_i,
    input wire logic [PP-1:0]           bad_i,
    input wire logic [PP*FLIT_W-1:0]    data_i,
    // the match: what the outputs propose and could serve, and what is served, element o*PV+i*VLS+v
    input wire logic [PORTS*PV-1:0]     grant_i,
    input wire logic [PORTS*PV-1:0]     elig_i,
    input wire logic [PORTS*PV-1:0]     held_i,
    input wire logic [PORTS*PV-1:0]     take_i,
    // requests as the inputs show them, element i*PORTS+o (and VL); credits of the outputs
    input wire logic [PORTS*PV-1:0]     req_valid_i,
    input wire logic [PORTS*PV-1:0]     req_cnp_i,  // of the requests, element o*PORTS+i (and VL): CNPs, of a class of their own
    input wire logic [PORTS-1:0]        plain_i,    // outputs that serve CNPs as data
    // claims, element i*PORTS+o, and the order of each output (ONE_QUEUE)
    input wire logic [PP-1:0]           claim_i,
    input wire logic [PORTS*PORTS*PORTS-1:0] order_i,  // element (o*PORTS+i)*PORTS+j: j is before i
    input wire logic [PORTS*VLS*12-1:0] fccl_i,
    input wire logic [PORTS*VLS*12-1:0] txr_i,
    // CAM lines: of the inputs, element i*LINES+k, and of the outputs
    input wire logic [PORTS*LINES*2-1:0]  line_state_i,
    input wire logic [PORTS*LINES*8-1:0]  line_out_i,
    input wire logic [PORTS*LINES*8-1:0]  line_vl_i,
    input wire logic [PORTS*LINES*8-1:0]  line_next_i,
    input wire logic [PORTS*LINES*24-1:0] line_root_i,
    input wire logic [PORTS*LINES-1:0]    line_linked_i,
    input wire logic [PORTS*LINES-1:0]    ol_valid_i,
    input wire logic [PORTS*LINES*8-1:0]  ol_vl_i,
    input wire logic [PORTS*LINES*24-1:0] ol_root_i,
    // the links
    input wire logic [PORTS-1:0]        tx_valid_i,
    input wire logic [PORTS-1:0]        tx_first_i,
    input wire logic [PORTS-1:0]        tx_last_i,
    input wire logic [PORTS-1:0]        tx_bad_i,
    input wire logic [PORTS*FLIT_W-1:0] tx_data_i,
    input wire logic [PORTS*CTL-1:0]    tx_ctl_i,
    input wire logic [PORTS*16-1:0]     err_in_i,
    input wire logic [PORTS*16-1:0]     err_out_i
);
  // bits of a control word: without a use, and of each field group
  localparam logic [CTL-1:0] UNUSED = (CTL'(8'hC0)) | (CTL'(8'hF0) << 16) | (CTL'(8'hF0) << 40)
      | (CTL'(8'hFF) << 56) | (CTL'(8'hC0) << 80) | (CTL'(8'hFF) << 120);
  localparam logic [CTL-1:0] FCTBS = CTL'(24'hFF_FFFF) << 8;
  localparam logic [CTL-1:0] FCCL = CTL'(24'hFF_FFFF) << 32;
  localparam logic [CTL-1:0] MESSAGE = ~(CTL'(64'hFFFF_FFFF_FFFF_FFFF)) | CTL'(8'h38);

  logic [PORTS-1:0] ctl_unused, ctl_fctbs, ctl_fccl, ctl_message;
  logic [PORTS-1:0] two_inputs, other_input, lost, changed, ghost, miscounted, bad_grant, framing;
  logic [PORTS-1:0] two_engines, two_takes, two_answers, not_asked;
  logic [PORTS-1:0] passed_by, own_first, not_kept, late, other_tree, talks;
  logic [PORTS-1:0] busy;     // inputs with a packet in progress that show nothing (ONE_QUEUE)
  logic [PORTS-1:0] sending;  // outputs with a packet on its way (ONE_QUEUE)
  logic [PORTS-1:0] credit;  // outputs with credit for a packet of MTU flits (ONE_QUEUE)
  logic             past_ok_q;
  logic [PORTS-1:0] plain_q;

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    plain_q <= plain_i;
  end

  for (genvar p = 0; p < PORTS; p++) begin : g_port
    logic [CTL-1:0] ctl;
    assign ctl = tx_ctl_i[p*CTL +: CTL];
    assign talks[p] = !ready_i && (ctl != '0 || tx_valid_i[p]);
    assign ctl_unused[p] = (ctl & UNUSED) != '0;
    assign ctl_fctbs[p] = !ctl[0] && (ctl & FCTBS) != '0;
    assign ctl_fccl[p] = !ctl[1] && (ctl & FCCL) != '0;
    assign ctl_message[p] = !ctl[2] && (ctl & MESSAGE) != '0;
    assign bad_grant[p] = err_in_i[p*16+quell_pkg::IE_BAD_GRANT];
    assign framing[p] = err_out_i[p*16+quell_pkg::OE_XB_FRAMING];

    // ---- output p: who sends to it
    logic [PORTS-1:0]  sends, sender_q;
    logic              sends_q, first, last, bad, first_q, last_q, bad_q, open_q;
    logic [FLIT_W-1:0] data, data_q, marks;  // marks: FECN, VB

    always_comb begin
      sends = '0;
      first = 1'b0;
      last = 1'b0;
      bad = 1'b0;
      data = '0;
      for (int i = 0; i < PORTS; i++) begin
        sends[i] = valid_i[i*PORTS+p];
        first = first || first_i[i*PORTS+p];
        last = last || last_i[i*PORTS+p];
        bad = bad || bad_i[i*PORTS+p];
        if (valid_i[i*PORTS+p]) data = data_i[(i*PORTS+p)*FLIT_W +: FLIT_W];
      end
      marks = '0;
      marks[quell_pkg::BTH_RAW_LSB+quell_pkg::BTH_FECN] = 1'b1;
      marks[quell_pkg::BTH_RAW_LSB+quell_pkg::BTH_MARKS] = MARKERS != 0;
      if (FLIT_W == 512) begin
        marks[(quell_pkg::BTH_GRH_LSB+quell_pkg::BTH_FECN)%FLIT_W] = 1'b1;
        marks[(quell_pkg::BTH_GRH_LSB+quell_pkg::BTH_MARKS)%FLIT_W] = MARKERS != 0;
      end
    end
    assign two_inputs[p] = (sends & (sends - 1'b1)) != '0;
    assign other_input[p] = open_q && sends != '0 && sends != sender_q;
    // a packet that was granted, read or on the crossbar while the link was down, and the flit that is shown of it
    logic engine_old_q, flit_old_q, gone_q;
    logic granted, reads;

    assign granted = ((ONE_QUEUE != 0) ? take_i[p*PV +: PV] : grant_i[p*PV +: PV]) != '0;
    always_comb begin
      reads = 1'b0;
      for (int i = 0; i < PORTS; i++) reads = reads || act_i[i*PORTS+p];
    end

    always_ff @(posedge clk_i) begin
      engine_old_q <= !rst_i && (!link_up_i[p] || (!granted && engine_old_q));
      flit_old_q <= !rst_i && (!link_up_i[p] || engine_old_q);
      gone_q <= flit_old_q || !link_up_i[p];
    end
    // (with a queue between crossbar and link output_queue_checker sees to it)
    assign ghost[p] = CIOQ == 0 && gone_q && tx_valid_i[p];
    assign sending[p] = reads;
    assign miscounted[p] = due_i[p*2 +: 2] != 2'(reads) + 2'(sends != '0 && last);

    assign lost[p] = CIOQ == 0 && !gone_q && {sends_q, first_q, last_q, bad_q} != {tx_valid_i[p], tx_first_i[p], tx_last_i[p], tx_bad_i[p]};
    assign changed[p] = CIOQ == 0 && sends_q && !gone_q && (tx_data_i[p*FLIT_W +: FLIT_W] & ~(first_q ? marks : '0)) != (data_q & ~(first_q ? marks : '0));

    always_ff @(posedge clk_i) begin
      sends_q <= |sends;
      first_q <= first;
      last_q <= last;
      bad_q <= bad;
      data_q <= data;
      if (rst_i) begin
        open_q <= 1'b0;
        sender_q <= '0;
      end else if (sends != '0) begin
        open_q <= !last;
        sender_q <= sends;
      end
    end

    // ---- what the lines of input p are linked to is the same tree, or not shown
    logic [LINES-1:0] strange;
    for (genvar k = 0; k < LINES; k++) begin : g_line
      localparam int K = p * LINES + k;
      logic [31:0] at;  // the line that it is linked to, among those of all outputs
      assign at = 32'(line_out_i[K*8 +: 8]) * 32'(LINES) + 32'(line_next_i[K*8 +: 8]);
      assign strange[k] = line_state_i[K*2+1] && line_linked_i[K]
          && line_out_i[K*8 +: 8] < 8'(PORTS) && line_next_i[K*8 +: 8] < 8'(LINES) && ol_valid_i[at]
          && (ol_vl_i[at*8 +: 8] != line_vl_i[K*8 +: 8] || ol_root_i[at*24 +: 24] != line_root_i[K*24 +: 24]);
    end
    assign other_tree[p] = strange != '0;

    // ---- the match, seen by input p and by output p
    if (ONE_QUEUE != 0) begin : g_one
      logic [PORTS-1:0] active, taken, answer, req, cnp, held, idle, far, starved, overtaken;
      for (genvar o = 0; o < PORTS; o++) begin : g_of
        assign active[o] = act_i[p*PORTS+o];
        assign taken[o] = take_i[o*PORTS+p];
        assign answer[o] = take_i[p*PORTS+o];
        assign req[o] = req_valid_i[p*PORTS+o];
        assign cnp[o] = req_cnp_i[o*PORTS+p];
        assign held[o] = held_i[o*PORTS+p];
        // Output o waits for the packet that an input with a claim, before input p, has in progress: while a long one
        // goes on, input p may send many short ones to others.
        logic waits;
        always_comb begin
          waits = 1'b0;
          for (int i = 0; i < PORTS; i++)
            if (claim_i[i*PORTS+o] && busy[i] && order_i[(o*PORTS+p)*PORTS+i]) waits = 1'b1;
        end
        assign idle[o] = credit[o] && !sending[o] && !waits && take_i[o*PORTS +: PORTS] == '0;

        // A request that stays: packets of its class that output o served for others, and packets that input p
        // sent to other outputs while o had nothing to do.
        logic        wants_q, cnp_q, served_like;
        logic [15:0] others_q, own_q;

        assign served_like = ((take_i[o*PORTS +: PORTS] & req_cnp_i[o*PORTS +: PORTS]) != '0) == (req[o] ? cnp[o] : cnp_q);
        always_ff @(posedge clk_i) begin
          if (rst_i || taken[o] || plain_q[o] != plain_i[o] || (!busy[p] && (!req[o] || held[o]))) begin
            wants_q <= 1'b0;
            others_q <= '0;
            own_q <= '0;
          end else begin
            if (req[o]) begin
              wants_q <= 1'b1;
              cnp_q <= cnp[o];
            end
            if ((req[o] || wants_q) && served_like && take_i[o*PORTS +: PORTS] != '0 && others_q != '1) others_q <= others_q + 1'b1;
            if (req[o] && idle[o] && taken != '0 && own_q != '1) own_q <= own_q + 1'b1;
          end
        end
        assign far[o] = others_q > 16'(3 * PORTS);
        assign starved[o] = own_q > 16'(4 * PORTS);

        // A claim of input p: packets, of whatever class, that output o served for others while p was busy, or could have been
        // served: each other input has one at most, whose claim is older or that was not served for longer.
        logic [7:0] ahead_q;
        logic       waiting;
        assign waiting = claim_i[p*PORTS+o] && (busy[p] || (req[o] && credit[o] && !held[o]));
        assign overtaken[o] = ahead_q > 8'(PORTS - 1);
        always_ff @(posedge clk_i) begin
          if (rst_i || !claim_i[p*PORTS+o] || taken[o]) ahead_q <= '0;
          else if (waiting && take_i[o*PORTS +: PORTS] != '0 && !overtaken[o]) ahead_q <= ahead_q + 1'b1;
        end
      end
      assign late[p] = overtaken != '0;
      // output p serves somebody behind an input that has a claim and is busy
      always_comb begin
        not_kept[p] = 1'b0;
        for (int i = 0; i < PORTS; i++)
          for (int w = 0; w < PORTS; w++)
            if (claim_i[i*PORTS+p] && busy[i] && answer[w] && order_i[(p*PORTS+w)*PORTS+i]) not_kept[p] = 1'b1;
      end
      assign busy[p] = active != '0 && req == '0;
      assign credit[p] = 12'(fccl_i[p*12 +: 12] - txr_i[p*12 +: 12] - 12'(MTU)) < 12'd2049;
      assign passed_by[p] = far != '0;
      assign own_first[p] = starved != '0;
      assign two_engines[p] = (active & (active - 1'b1)) != '0;
      assign two_takes[p] = (taken & (taken - 1'b1)) != '0;
      assign two_answers[p] = (answer & (answer - 1'b1)) != '0;
      assign not_asked[p] = (answer & ~(grant_i[p*PORTS +: PORTS] | elig_i[p*PORTS +: PORTS])) != '0;
    end else begin : g_many
      assign two_engines[p] = 1'b0;
      assign credit[p] = 1'b0;
      assign busy[p] = 1'b0;
      assign not_kept[p] = claim_i[p*PORTS +: PORTS] != '0;
      assign passed_by[p] = 1'b0;
      assign own_first[p] = 1'b0;
      assign late[p] = 1'b0;
      assign two_takes[p] = 1'b0;
      assign two_answers[p] = (grant_i[p*PV +: PV] & (grant_i[p*PV +: PV] - 1'b1)) != '0;
      assign not_asked[p] = take_i[p*PV +: PV] != '0 || elig_i[p*PV +: PV] != '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      a1_one_input_per_output: assert (two_inputs == '0);
      a1_packet_from_one_input: assert (other_input == '0);
      a1_one_engine_per_input: assert (two_engines == '0);
      a1_input_matched_once: assert (two_takes == '0);
      a1_output_matched_once: assert (two_answers == '0);
      a1_match_of_requests: assert (not_asked == '0);
      a1_grants_are_served: assert (bad_grant == '0);
      a3_output_goes_round: assert (passed_by == '0);
      a3_output_keeps_its_turn: assert (not_kept == '0);
      a3_input_goes_round: assert (own_first == '0);
      a3_claim_waits_a_round: assert (late == '0);
      e6_linked_to_its_tree: assert (other_tree == '0);
      f1_silent_until_ready: assert (talks == '0);
      b3_no_ghost_of_old_life: assert (ghost == '0);
      b3_due_is_on_its_way: assert (miscounted == '0);
      f1_deaf_until_ready: assert (ready_i || (fccl_i == '0 && ol_valid_i == '0));
      b3_no_flit_lost: assert (lost == '0);
      b3_no_flit_changed: assert (changed == '0);
      b3_packets_whole: assert (framing == '0);
      f1_ctl_unused_zero: assert (ctl_unused == '0);
      f1_ctl_fctbs_zero: assert (ctl_fctbs == '0);
      f1_ctl_fccl_zero: assert (ctl_fccl == '0);
      e2_ctl_message_zero: assert (ctl_message == '0);
      a1_c_all_send: cover (tx_valid_i == '1);
      b3_c_sent: cover ((tx_last_i & ~tx_bad_i) != '0);
    end
  end

  wire unused = &{1'b0, act_i, grant_i, elig_i, req_valid_i, fccl_i, txr_i, held_i, req_cnp_i, order_i, plain_q, busy, sending, credit, err_in_i, err_out_i};
endmodule

`default_nettype wire
