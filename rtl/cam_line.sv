// One CAM line: its fields, its list of destinations, what it wants to tell upstream, and when it
// ends. The queues and shared resources are looked at by cam_lines. Rules E1, E3, E5, E6, E8.
`default_nettype none

module cam_line #(
    parameter int OW = 3,
    parameter int VW = 1,
    parameter int QW = 3,
    parameter int HW = 1,
    parameter int LW = 4,
    parameter int DLIST = 8,
    parameter int TIMER_W = 32,
    parameter int ONE_QUEUE = 0,
    parameter int PARITY = 0,
    localparam int DW = $clog2(DLIST + 1)
) (
    input  wire logic               clk_i,
    input  wire logic               rst_i,
    input  wire logic               iso_en_i,
    input  wire logic               up_i,            // upstream can be told
    input  wire logic [TIMER_W-1:0] limit_i,
    input  wire logic               refresh_i,
    // a FREE line is taken
    input  wire logic               take_root_i,     // ONE_QUEUE: becomes a root line with a hot queue
    input  wire logic               take_hot_i,
    input  wire logic               take_own_i,      // a root takes a hot queue, too (root_hpq)
    input  wire logic [OW-1:0]      take_out_i,
    input  wire logic [VW-1:0]      take_vl_i,
    input  wire logic [QW-1:0]      take_q_i,
    input  wire logic [HW-1:0]      take_hpq_i,
    input  wire logic [23:0]        take_root_id_i,  // of a ROOT
    input  wire logic [15:0]        take_dlid_i,
    input  wire logic               take_listed_i,   // the list starts with take_dlid
    // prop from the output's line
    input  wire logic               relink_i,
    input  wire logic [LW-1:0]      prop_next_i,
    input  wire logic [5:0]         prop_hops_i,
    input  wire logic [23:0]        prop_root_i,
    // events of the line's queue and of its next line
    input  wire logic [15:0]        head_dlid_i,     // head of the CPQ of the line's output and VL
    input  wire logic               append_i,        // put head_dlid on the list
    input  wire logic               accept_i,        // ROOT: a packet enters the CPQ
    input  wire logic               move_i,          // HOT: a packet enters the HPQ
    input  wire logic               wanted_i,        // HOT: the head of the CPQ is to enter the HPQ
    input  wire logic               above_i,         // that packet lifts the HPQ's fill above the stop threshold
    input  wire logic               below_i,         // the HPQ's fill is below the go threshold
    input  wire logic               idle_i,          // the queue has neither packet nor charge
    input  wire logic               cong_i,
    input  wire logic               next_valid_i,
    input  wire logic               next_stop_i,
    // message slot
    output logic                    want_o,
    output logic [1:0]              type_o,
    input  wire logic               serve_i,
    // fields
    output logic                    listed_o,        // head_dlid is on the list
    output logic                    full_o,          // the list is full
    output logic                    root_line_o,     // ONE_QUEUE: the congestion is at this switch's output
    output logic [1:0]              state_o,
    output logic [OW-1:0]           out_o,
    output logic [VW-1:0]           vl_o,
    output logic [QW-1:0]           q_o,
    output logic [HW-1:0]           hpq_o,
    output logic [5:0]              hops_o,
    output logic [23:0]             root_o,
    output logic [LW-1:0]           next_o,
    output logic                    linked_o,
    output logic                    ann_o,
    output logic                    sent_stop_o,
    output logic                    stop_req_o,
    output logic                    reached_o,
    output logic                    dirty_o,
    output logic [TIMER_W-1:0]      timer_o,
    output logic [DW-1:0]           dcnt_o,
    output logic [DLIST*16-1:0]     dlist_o,
    output logic                    own_o,           // a root's line with a hot queue (root_hpq)
    output logic                    parity_err_o
);
  logic [1:0]          state_q, state_d;
  logic [OW-1:0]       out_q, out_d;
  logic [VW-1:0]       vl_q, vl_d;
  logic [QW-1:0]       q_q, q_d;
  logic [HW-1:0]       hpq_q, hpq_d;
  logic [5:0]          hops_q, hops_d;
  logic [23:0]         root_q, root_d;
  logic [LW-1:0]       next_q, next_d;
  logic                linked_q, linked_d;
  logic                ann_q, ann_d;
  logic                sent_stop_q, sent_stop_d;
  logic                stop_req_q, stop_req_d;
  logic                reached_q, reached_d;
  logic                dirty_q, dirty_d;
  logic [TIMER_W-1:0]  timer_q, timer_d;
  logic [DW-1:0]       dcnt_q, dcnt_d;
  logic [DLIST*16-1:0] dlist_q, dlist_d;
  logic                own_q, own_d;

  logic [DLIST-1:0] hit;
  for (genvar d = 0; d < DLIST; d++) begin : g_hit
    assign hit[d] = dcnt_q > DW'(d) && dlist_q[d*16 +: 16] == head_dlid_i;
  end
  assign listed_o = |hit;
  assign full_o = dcnt_q == DW'(DLIST);

  // when it ends
  logic is_root;
  logic is_hot;
  logic is_drain;
  logic expired;
  logic stopped;
  logic ends;  // the free condition holds

  assign is_root = state_q == quell_pkg::LN_ROOT;
  assign is_hot = state_q == quell_pkg::LN_HOT;
  assign is_drain = state_q == quell_pkg::LN_DRAIN;
  assign expired = timer_q >= limit_i;
  assign stopped = is_hot && linked_q && next_stop_i;
  assign root_line_o = ONE_QUEUE != 0 && is_hot && hops_q == 6'd1 && !linked_q;
  assign ends = !append_i && !relink_i && !move_i
      && ((is_root && (expired || !iso_en_i || (idle_i && !accept_i)))
          || (is_hot && idle_i && !stop_req_q && !sent_stop_q && !stopped && !wanted_i)
          || (is_drain && idle_i));

  // what it wants to tell
  logic want_alloc;
  logic want_stop;
  logic want_go;

  assign want_alloc = (is_root || is_hot) && reached_q && dcnt_q != '0 && (!ann_q || dirty_q);
  assign want_stop = ann_q && stop_req_q && !sent_stop_q;
  assign want_go = ann_q && !stop_req_q && sent_stop_q;
  assign want_o = ends ? ann_q : (want_alloc || want_stop || want_go);
  assign type_o = ends ? quell_pkg::MSG_DEALLOC
      : want_alloc ? quell_pkg::MSG_ALLOC
      : want_stop ? quell_pkg::MSG_STOP : quell_pkg::MSG_GO;

  logic serve_alloc;
  logic serve_stop;
  logic serve_go;
  logic freed;
  assign serve_alloc = serve_i && type_o == quell_pkg::MSG_ALLOC;
  assign serve_stop = serve_i && type_o == quell_pkg::MSG_STOP;
  assign serve_go = serve_i && type_o == quell_pkg::MSG_GO;
  assign freed = ends && (!ann_q || serve_i);

  logic hot_root;  // a root takes a hot queue
  assign hot_root = ONE_QUEUE != 0 || take_own_i;

  always_comb begin
    state_d = state_q;
    out_d = out_q;
    vl_d = vl_q;
    q_d = q_q;
    hpq_d = hpq_q;
    hops_d = hops_q;
    root_d = root_q;
    next_d = next_q;
    linked_d = linked_q;
    ann_d = ann_q;
    sent_stop_d = sent_stop_q;
    stop_req_d = stop_req_q;
    reached_d = reached_q;
    dirty_d = dirty_q;
    timer_d = timer_q;
    dcnt_d = dcnt_q;
    dlist_d = dlist_q;
    own_d = own_q;
    if (rst_i || freed) begin
      state_d = quell_pkg::LN_FREE;
      out_d = '0;
      vl_d = '0;
      q_d = '0;
      hpq_d = '0;
      hops_d = '0;
      root_d = '0;
      next_d = '0;
      linked_d = 1'b0;
      ann_d = 1'b0;
      sent_stop_d = 1'b0;
      stop_req_d = 1'b0;
      reached_d = 1'b0;
      dirty_d = 1'b0;
      timer_d = '0;
      dcnt_d = '0;
      dlist_d = '0;
      own_d = 1'b0;
    end else if (take_root_i || take_hot_i) begin
      state_d = (take_hot_i || hot_root) ? quell_pkg::LN_HOT : quell_pkg::LN_ROOT;
      own_d = !take_hot_i && take_own_i;
      out_d = take_out_i;
      vl_d = take_vl_i;
      q_d = take_q_i;
      hpq_d = (take_hot_i || hot_root) ? take_hpq_i : '0;
      hops_d = take_hot_i ? prop_hops_i : 6'd1;
      root_d = take_hot_i ? prop_root_i : take_root_id_i;
      next_d = take_hot_i ? prop_next_i : '0;
      linked_d = take_hot_i;
      reached_d = take_root_i && ONE_QUEUE == 0;
      dcnt_d = DW'(take_listed_i);
      if (take_listed_i) dlist_d[15:0] = take_dlid_i;
    end else if (state_q != quell_pkg::LN_FREE) begin
      if (is_hot && (expired || !iso_en_i) && !relink_i) state_d = quell_pkg::LN_DRAIN;

      if (relink_i) begin
        next_d = prop_next_i;
        hops_d = prop_hops_i;
        root_d = prop_root_i;
        linked_d = 1'b1;
      end else if (!next_valid_i) begin
        linked_d = 1'b0;
      end

      if ((is_root && cong_i) || (is_hot && (linked_q || relink_i || root_line_o || own_q))) timer_d = '0;
      else if (!is_drain && timer_q != '1) timer_d = timer_q + 1'b1;

      if (append_i) begin
        dcnt_d = dcnt_q + 1'b1;
        for (int d = 0; d < DLIST; d++)
          if (dcnt_q == DW'(d)) dlist_d[d*16 +: 16] = head_dlid_i;
      end

      if ((append_i && (ann_q || serve_alloc)) || (refresh_i && ann_q)) dirty_d = 1'b1;
      else if (serve_alloc) dirty_d = 1'b0;

      // A root line is announced from the start and sends no stop: what is in its CPQ is not all on its list.
      if (move_i && above_i) begin
        reached_d = 1'b1;
        if (reached_q) stop_req_d = 1'b1;
      end else if (below_i) begin
        stop_req_d = 1'b0;
      end

      if (serve_alloc) begin
        ann_d = 1'b1;
        sent_stop_d = stop_req_q;
      end else if (serve_stop) begin
        sent_stop_d = 1'b1;
      end else if (serve_go) begin
        sent_stop_d = 1'b0;
      end

      // Upstream forgets the line with the link; what it is to know is told anew.
      if (!up_i) begin
        ann_d = 1'b0;
        sent_stop_d = 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    state_q <= state_d;
    out_q <= out_d;
    vl_q <= vl_d;
    q_q <= q_d;
    hpq_q <= hpq_d;
    hops_q <= hops_d;
    root_q <= root_d;
    next_q <= next_d;
    linked_q <= linked_d;
    ann_q <= ann_d;
    sent_stop_q <= sent_stop_d;
    stop_req_q <= stop_req_d;
    reached_q <= reached_d;
    dirty_q <= dirty_d;
    timer_q <= timer_d;
    dcnt_q <= dcnt_d;
    dlist_q <= dlist_d;
    own_q <= own_d;
  end

  assign state_o = state_q;
  assign out_o = out_q;
  assign vl_o = vl_q;
  assign q_o = q_q;
  assign hpq_o = hpq_q;
  assign hops_o = hops_q;
  assign root_o = root_q;
  assign next_o = next_q;
  assign linked_o = linked_q;
  assign ann_o = ann_q;
  assign sent_stop_o = sent_stop_q;
  assign stop_req_o = stop_req_q;
  assign reached_o = reached_q;
  assign dirty_o = dirty_q;
  assign timer_o = timer_q;
  assign dcnt_o = dcnt_q;
  assign dlist_o = dlist_q;
  assign own_o = own_q;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{state_d, out_d, vl_d, q_d, hpq_d, hops_d, root_d, next_d, linked_d, ann_d, sent_stop_d,
            stop_req_d, reached_d, dirty_d, timer_d, dcnt_d, dlist_d, own_d}),
      .now_i(^{state_q, out_q, vl_q, q_q, hpq_q, hops_q, root_q, next_q, linked_q, ann_q, sent_stop_q,
            stop_req_q, reached_q, dirty_q, timer_q, dcnt_q, dlist_q, own_q}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
