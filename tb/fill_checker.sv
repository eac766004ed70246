// Fills of an input's buffer and the marks that they bring, told by the link, the levels and the crossbar. One packet is followed at a
// time, where queues are cold only. Instantiated by switch_input_port under QUELL_CHECK. Rules SM1-SM4, VM1.
`default_nettype none

module fill_checker #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int FLIT_BYTES = 64,
    parameter int VL_BY_DEST = 0,
    parameter int MARKERS = 0,
    parameter int FOLLOWS = 0,  // no hot queues, a queue for each output and VL
    localparam int PV = PORTS * VLS,
    localparam int DW = 8 * FLIT_BYTES,
    localparam int QW = (PV > 1) ? $clog2(PV) : 1
) (
    input wire logic                clk_i,
    input wire logic                rst_i,
    input wire logic [15:0]         level_i,
    input wire logic                naive_i,
    input wire logic                mb_en_i,
    input wire logic [15:0]         mb_th_i,
    // link: what comes, and what of it is accepted and stored a cycle later
    input wire logic [DW-1:0]       rx_data_i,
    input wire logic                accept_i,
    input wire logic                store_i,
    input wire logic [QW-1:0]       accept_q_i,
    input wire logic [DW-1:0]       stored_i,
    input wire logic [VLS*16-1:0]   used_i,
    // queues
    input wire logic [PV*16-1:0]    cpq_pkts_i,
    input wire logic [PV-1:0]       served_i,
    // crossbar
    input wire logic [PORTS-1:0]    xb_valid_i,
    input wire logic [PORTS-1:0]    xb_first_i,
    input wire logic [PORTS-1:0]    xb_mark_i,
    input wire logic [PORTS*DW-1:0] xb_data_i,
    // what is told
    input wire logic [PV-1:0]       enter_i,
    input wire logic [PV-1:0]       full_evt_i,
    input wire logic [PV*16-1:0]    waiting_i,
    input wire logic [VLS-1:0]      full_i,
    input wire logic [VLS-1:0]      armed_i,
    input wire logic [PV*16-1:0]    ncnt_i
);
  // Whether a packet may be marked, by its first flit; and where MB stands in it.
  function automatic logic markable(input logic [DW-1:0] flit);
    logic unused;
    logic [7:0] opcode;
    unused = &{1'b0, flit};
    opcode = (FLIT_BYTES == 64 && flit[9:8] == 2'd3) ? flit[(48*8)%DW +: 8] : flit[64 +: 8];
    markable = (flit[9:8] == 2'd2 || (FLIT_BYTES == 64 && flit[9:8] == 2'd3)) && opcode != 8'h80 && opcode[4:0] != 5'h11
        && flit[23:22] != 2'b11;
  endfunction
  function automatic logic [DW-1:0] mb_of(input logic [DW-1:0] flit);
    logic unused;
    unused = &{1'b0, flit};
    mb_of = '0;
    mb_of[((FLIT_BYTES == 64 && flit[9:8] == 2'd3) ? 52 * 8 : 12 * 8) % DW + 5] = 1'b1;
  endfunction
  function automatic logic [7:0] lane(input logic [DW-1:0] flit);
    logic unused;
    unused = &{1'b0, flit};
    lane = (VL_BY_DEST != 0) ? 8'({flit[23:16], flit[31:24]} % 16'(VLS)) : {4'd0, flit[7:4]};
  endfunction
  function automatic logic [7:0] flits(input logic [DW-1:0] flit);
    logic unused;
    unused = &{1'b0, flit};
    flits = {1'b0, flit[34:32], flit[47:44]} + 8'(flit[43:40] != '0);
  endfunction

  if (MARKERS == 0) begin : g_off
    always_ff @(posedge clk_i) begin
      if (!rst_i) sm1_markers_off: assert ({enter_i, full_evt_i, xb_mark_i, waiting_i, full_i, armed_i, ncnt_i} == '0);
    end
    wire unused = &{1'b0, level_i, naive_i, mb_en_i, mb_th_i, rx_data_i, accept_i, store_i, accept_q_i, stored_i, used_i, cpq_pkts_i,
                    served_i, xb_valid_i, xb_first_i, xb_data_i};
  end else begin : g_on
    logic [DW-1:0]  data_q;      // flit that is judged
    logic [PV-1:0]  came, left;  // markable packets of each output and VL: accepted, first flit on the crossbar
    logic [VLS-1:0] comes;       // a packet of this VL is accepted
    logic [7:0]     data_vl;
    logic           past_ok_q;

    always_ff @(posedge clk_i) begin
      data_q <= rx_data_i;
      past_ok_q <= !rst_i;
    end

    always_comb begin
      came = '0;
      comes = '0;
      data_vl = lane(data_q);
      if (accept_i) begin
        came[accept_q_i] = markable(data_q);
        for (int v = 0; v < VLS; v++) comes[v] = data_vl == 8'(v);
      end
      left = '0;
      for (int o = 0; o < PORTS; o++)
        for (int v = 0; v < VLS; v++)
          left[o*VLS+v] = xb_valid_i[o] && xb_first_i[o] && markable(xb_data_i[o*DW +: DW]) && lane(xb_data_i[o*DW +: DW]) == 8'(v);
    end

    // ---- packets that wait: those that came, less those that begin to cross (granted ones are about to)
    logic [PV-1:0]   else_waits;
    logic [PORTS*2-1:0] due_q;  // grants whose first flit has not come

    for (genvar o = 0; o < PORTS; o++) begin : g_due
      always_ff @(posedge clk_i)
        due_q[2*o +: 2] <= rst_i ? '0 : due_q[2*o +: 2] + 2'(served_i[o*VLS +: VLS] != '0) - 2'(xb_valid_i[o] && xb_first_i[o]);
    end
    for (genvar q = 0; q < PV; q++) begin : g_waits
      logic [15:0] inside_q;
      always_ff @(posedge clk_i) inside_q <= rst_i ? '0 : inside_q + 16'(came[q]) - 16'(left[q]);
      assign else_waits[q] = due_q[2*(q/VLS) +: 2] == '0 && waiting_i[q*16 +: 16] != inside_q;
    end

    // ---- fills: the level passes upwards, and a packet came since the last time
    logic [VLS-1:0] over, over_q, came_q, fills, fills_q;
    logic [PV-1:0]  had_q, else_told;
    logic [VLS-1:0] event_vl, uncaused;

    for (genvar v = 0; v < VLS; v++) begin : g_vl
      logic comes1_q, comes2_q, since_q, below_q, below1_q, below2_q;
      assign over[v] = used_i[v*16 +: 16] > level_i;
      assign fills[v] = over[v] && !over_q[v] && came_q[v];
      always_comb begin
        event_vl[v] = 1'b0;
        for (int o = 0; o < PORTS; o++) event_vl[v] = event_vl[v] || full_evt_i[o*VLS+v];
      end
      // (an event is told in the cycle after its own)
      assign uncaused[v] = event_vl[v] && !((since_q || comes2_q) && (below_q || below2_q));
      always_ff @(posedge clk_i) begin
        over_q[v] <= !rst_i && over[v];
        came_q[v] <= !rst_i && (comes[v] || (came_q[v] && !fills[v]));
        fills_q[v] <= !rst_i && fills[v];
        comes1_q <= !rst_i && comes[v];
        comes2_q <= !rst_i && comes1_q;
        below1_q <= rst_i || !over[v];
        below2_q <= rst_i || below1_q;
        since_q <= !rst_i && !event_vl[v] && (since_q || comes2_q);
        below_q <= rst_i || (!event_vl[v] && (below_q || below2_q));
      end
    end
    for (genvar q = 0; q < PV; q++) begin : g_told
      assign else_told[q] = full_evt_i[q] != (fills_q[q%VLS] && had_q[q]);
      always_ff @(posedge clk_i) had_q[q] <= !rst_i && waiting_i[q*16 +: 16] != '0;
    end

    // ---- marks: beside first flits of markable packets; MB in what is stored
    logic [PORTS-1:0] stray;
    logic [DW-1:0]    new_mb;
    logic             full, entered_q;
    logic [PV-1:0]    came1_q;

    for (genvar o = 0; o < PORTS; o++) begin : g_stray
      assign stray[o] = xb_mark_i[o] && !(xb_valid_i[o] && xb_first_i[o] && markable(xb_data_i[o*DW +: DW]));
    end
    always_comb begin
      full = 1'b0;
      for (int v = 0; v < VLS; v++)
        if (data_vl == 8'(v)) full = 17'(used_i[v*16 +: 16]) + 17'(flits(data_q)) > 17'(mb_th_i);
      new_mb = (accept_i && mb_en_i && full && markable(data_q)) ? mb_of(data_q) & ~data_q : '0;
    end

    always_ff @(posedge clk_i) begin
      entered_q <= !rst_i;
      came1_q <= rst_i ? '0 : came;
      if (!rst_i && past_ok_q) begin
        sm2_waiting_is_what_waits: assert (else_waits == '0);
        sm1_fill_has_a_cause: assert (uncaused == '0);
        sm1_fill_is_told: assert (else_told == '0);
        sm3_only_first: assert (stray == '0);
        sm4_enter_is_told: assert (!entered_q || enter_i == came1_q);
        vm1_only_mb: assert (!store_i || (stored_i & ~(accept_i && markable(data_q) ? mb_of(data_q) : '0))
            == (data_q & ~(accept_i && markable(data_q) ? mb_of(data_q) : '0)));
        vm1_marked_when_full: assert (!store_i || stored_i == (data_q | new_mb));
        sm1_c_fill: cover (fills != '0);
        vm1_c_marked: cover (store_i && new_mb != '0);
      end
    end

    // ---- a packet that is followed: it leaves marked if it waited in a cycle of a fill
    if (FOLLOWS != 0) begin : g_follow
      logic          here_q, marks_q, same_q, naive_q, goes_q, leaves, wrong;
      logic [QW-1:0] q_q;
      logic [15:0]   ahead_q;
      logic [1:0]    before_q;  // first flits that cross before its own
      logic          begins;

      always_comb begin
        leaves = here_q && served_i[q_q] && ahead_q == '0;
        begins = xb_valid_i[32'(q_q)/VLS] && xb_first_i[32'(q_q)/VLS];
        wrong = goes_q && begins && before_q == '0 && same_q && xb_mark_i[32'(q_q)/VLS] != marks_q;
      end

      always_ff @(posedge clk_i) begin
        naive_q <= naive_i;
        if (here_q) begin
          if (naive_i != naive_q) same_q <= 1'b0;
          if (served_i[q_q]) ahead_q <= ahead_q - 16'd1;
          if (leaves) begin
            here_q <= 1'b0;
            goes_q <= 1'b1;
            before_q <= due_q[2*(32'(q_q)/VLS) +: 2] - 2'(begins);
          end else if (fills[32'(q_q)%VLS] && naive_i) marks_q <= 1'b1;
        end else if (goes_q) begin
          if (begins && before_q == '0) goes_q <= 1'b0;
          else if (begins) before_q <= before_q - 2'd1;
        end else begin
          here_q <= accept_i && markable(data_q);
          same_q <= naive_i == naive_q;
          marks_q <= 1'b0;
          q_q <= accept_q_i;
          ahead_q <= cpq_pkts_i[accept_q_i*16 +: 16] - 16'(served_i[accept_q_i]);
        end
        if (rst_i) {here_q, goes_q} <= '0;
        if (!rst_i && past_ok_q) begin
          sm3_marks_who_was_there: assert (!wrong);
          sm3_c_marked: cover (goes_q && begins && marks_q);
        end
      end
    end else begin : g_follow
      wire unused = &{1'b0, naive_i, cpq_pkts_i};
    end
    wire unused = &{1'b0, full_i, armed_i, ncnt_i};
  end
endmodule

`default_nettype wire
