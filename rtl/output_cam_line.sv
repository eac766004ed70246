// One line of the output CAM: a congestion tree announced by the neighbour downstream.
// Rules A3, E3, E5, E6, E8. A line that is not valid remembers its last tree, and has no other state, but for the
// cycles that it stays hidden: a line that is freed or becomes another tree's is away for two cycles, in which the
// inputs drop their links.
// After a stop the line is fresh: its first packet goes round among the inputs that have one waiting for it.
// A tree that ends while that turn is due leaves the line closing: it stays until the turn was used. Whose turn
// is next is kept for a tree that goes and comes back; it is drawn where another one comes, for trees that take a place
// in turn would move each other's pointer. A turn that is due when the line leaves its tree all the same is lost, as is
// that of a line that stayed for it when it goes with the turn unused; which is told to who grants.
`default_nettype none

module output_cam_line #(
    parameter int PORTS = 8,
    parameter int DLIST = 8,
    parameter int TIMER_W = 32,
    parameter int PARITY = 0,
    localparam int PW = (PORTS > 1) ? $clog2(PORTS) : 1
) (
    input  wire logic                 clk_i,
    input  wire logic                 rst_i,
    input  wire logic                 live_i,       // 0: no line, no message
    input  wire logic [TIMER_W-1:0]   limit_i,      // life without a message
    // message for this line (line number and VL are legal, messages are heard)
    input  wire logic                 valid_i,
    input  quell_pkg::tree_msg_t      msg_i,
    input  wire logic [16*DLIST-1:0]  dlist_i,
    // look-up, in the same cycle
    input  wire logic [7:0]           vl_i,
    input  wire logic [15:0]          dlid_i,
    output logic                      match_o,
    // turns after a stop
    input  wire logic [PORTS-1:0]     pend_i,       // inputs in which a packet that could start is bound to the line
    input  wire logic                 granted_i,    // a data packet of the line is granted,
    input  wire logic [PORTS-1:0]     granted_in_i, // of this input
    output logic [PORTS-1:0]          other_o,      // per input: it is another input's turn
    output logic                      lost_o,       // a turn that is due will not be
    output logic                      other_tree_o, // another tree than the last one comes:
    input  wire logic [PW-1:0]        drawn_i,      // its turns begin with this input
    // state
    output logic                      valid_o,
    output logic                      shown_o,      // valid, and not hidden
    output logic                      stop_o,       // shown and stopped
    output logic [1:0]                hold_o,       // cycles to stay hidden
    output logic [7:0]                vl_o,
    output logic [5:0]                hops_o,
    output logic [23:0]               root_o,
    output logic [TIMER_W-1:0]        timer_o,
    output logic [7:0]                dcnt_o,
    output logic [16*DLIST-1:0]       dlist_o,
    output logic                      fresh_o,      // its stop has ended, and nothing of it was granted since
    output logic                      closing_o,    // the tree is gone, that turn is still due
    output logic [PW-1:0]             turn_o,       // the turns go on from this input
    output logic                      parity_err_o
);
  logic             stop_q, same, load, set_stop, expired, ends, due, close, free, other, any_turn;
  logic [7:0]       msg_dcnt;
  logic [DLIST-1:0] changed;  // entries of the list that the message has differently

  wire unused_msg = &{1'b0, msg_i.valid, msg_i.line};

  // Another tree: a line's list only grows in its life.
  always_comb begin
    msg_dcnt = (msg_i.dcnt > 8'(DLIST)) ? 8'(DLIST) : msg_i.dcnt;
    for (int d = 0; d < DLIST; d++)
      changed[d] = 8'(d) < dcnt_o && dlist_o[16*d+:16] != dlist_i[16*d+:16];
    other = vl_o != msg_i.vl || root_o != msg_i.root || msg_dcnt < dcnt_o || changed != '0;
  end

  always_comb begin
    same = valid_o && vl_o == msg_i.vl;
    load = valid_i && msg_i.kind == quell_pkg::MSG_ALLOC;
    set_stop = valid_i && same && !closing_o
        && (msg_i.kind == quell_pkg::MSG_STOP || msg_i.kind == quell_pkg::MSG_GO);
    expired = valid_o && timer_o >= limit_i && !load && !set_stop;
    ends = expired || (valid_i && msg_i.kind == quell_pkg::MSG_DEALLOC && same);
    // the turn after its last stop is still due: the line stays for it if somebody waits
    due = shown_o && (stop_q || (fresh_o && !granted_i));
    close = ends && !closing_o && due && any_turn;
    free = !live_i || (ends && !close) || (closing_o && !load && (granted_i || !any_turn));
  end

  logic valid_d, stop_d;
  logic [1:0] hold_d;
  logic [7:0] vl_d, dcnt_d;
  logic [5:0] hops_d;
  logic [23:0] root_d;
  logic [TIMER_W-1:0] timer_d;
  logic [16*DLIST-1:0] dlist_d;

  always_comb begin
    valid_d = valid_o;
    stop_d = stop_q;
    hold_d = (hold_o == '0) ? '0 : hold_o - 1'b1;
    if (valid_o && (free || other_tree_o)) hold_d = 2'd2;
    if (rst_i) hold_d = '0;
    vl_d = vl_o;
    hops_d = hops_o;
    root_d = root_o;
    timer_d = timer_o;
    dcnt_d = dcnt_o;
    dlist_d = dlist_o;
    if (rst_i) begin
      vl_d = '0;
      hops_d = '0;
      root_d = '0;
      dcnt_d = '0;
      dlist_d = '0;
    end
    if (rst_i || free) begin
      valid_d = 1'b0;
      stop_d = 1'b0;
      timer_d = '0;
    end else if (load) begin
      valid_d = 1'b1;
      stop_d = msg_i.stop;
      vl_d = msg_i.vl;
      hops_d = msg_i.hops;
      root_d = msg_i.root;
      timer_d = '0;
      dcnt_d = msg_dcnt;
      dlist_d = dlist_i;
    end else if (close) begin
      stop_d = 1'b0;
      timer_d = '0;
    end else if (set_stop) begin
      stop_d = msg_i.kind == quell_pkg::MSG_STOP;
      timer_d = '0;
    end else if (valid_o && timer_o != '1) begin
      timer_d = timer_o + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    valid_o <= valid_d;
    stop_q <= stop_d;
    hold_o <= hold_d;
    vl_o <= vl_d;
    hops_o <= hops_d;
    root_o <= root_d;
    timer_o <= timer_d;
    dcnt_o <= dcnt_d;
    dlist_o <= dlist_d;
  end

  assign shown_o = valid_o && hold_o == '0;
  assign stop_o = shown_o && stop_q;

  // ---- turns: the first input from turn_o that waits
  logic [PORTS-1:0] in_turn;
  logic             fresh_d, closing_d;
  logic [PW-1:0]    turn_d, next_in, unused_idx;

  rr_arbiter #(.N(PORTS)) u_turn (
      .req_i(pend_i), .ptr_i(turn_o), .gnt_o(in_turn), .idx_o(unused_idx), .any_o(any_turn)
  );

  assign other_tree_o = load && other;  // (not live: no message)
  // (A line that stays for its turn loses it even if nobody waits at this moment: a head is let go for a cycle, too.)
  assign lost_o = due && (((other_tree_o || !live_i) && (any_turn || closing_o)) || (closing_o && free));
  assign other_o = (fresh_o && shown_o && any_turn) ? ~in_turn : '0;

  always_comb begin
    next_in = '0;
    for (int i = 0; i < PORTS - 1; i++) if (granted_in_i[i]) next_in = next_in | PW'(i + 1);
  end

  always_comb begin
    fresh_d = fresh_o;
    turn_d = turn_o;
    closing_d = (closing_o || close) && !load;
    if (rst_i || free || other_tree_o) begin
      fresh_d = 1'b0;
      closing_d = 1'b0;
    end else if (stop_d) fresh_d = 1'b0;
    else if (stop_q) fresh_d = 1'b1;  // let go, or closing
    else if (granted_i) fresh_d = 1'b0;
    if (rst_i) turn_d = '0;
    else if (other_tree_o) turn_d = drawn_i;
    else if (fresh_o && granted_i) turn_d = next_in;
  end

  always_ff @(posedge clk_i) begin
    fresh_o <= fresh_d;
    closing_o <= closing_d;
    turn_o <= turn_d;
  end

  always_comb begin
    match_o = 1'b0;
    for (int d = 0; d < DLIST; d++)
      if (8'(d) < dcnt_o && dlist_o[16*d+:16] == dlid_i) match_o = 1'b1;
    if (!shown_o || vl_o != vl_i) match_o = 1'b0;
  end

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{valid_d, stop_d, hold_d, vl_d, hops_d, root_d, timer_d, dcnt_d, dlist_d, fresh_d,
            closing_d, turn_d}),
      .now_i(^{valid_o, stop_q, hold_o, vl_o, hops_o, root_o, timer_o, dcnt_o, dlist_o, fresh_o,
            closing_o, turn_o}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
