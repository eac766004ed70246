// Which line of its output each queue of an input port is bound to: the one that held its head back, or the next line of a
// hot queue's line. While that line is stopped the queue asks no more and the others of its output and VL do. Rules A3, E5;
// docs/input-port.md, section 4.
`default_nettype none

module queue_ties #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int HPQS = 2,
    parameter int LINES = 9,
    parameter int ONE_QUEUE = 0,
    parameter int PARITY = 0,
    localparam int PV = PORTS * VLS,
    localparam int NQ = (ONE_QUEUE != 0) ? 1 : PV,
    localparam int OW = (PORTS > 1) ? $clog2(PORTS) : 1,
    localparam int HW = (HPQS > 1) ? $clog2(HPQS) : 1,
    localparam int LW = (LINES > 1) ? $clog2(LINES) : 1
) (
    input  wire logic                   clk_i,
    input  wire logic                   rst_i,
    // what is asked, and what becomes of it
    input  wire logic [PV-1:0]          req_valid_i,
    input  wire logic [PV-1:0]          req_hot_i,
    input  wire logic [PV*HW-1:0]       req_hpq_i,
    input  wire logic [PV-1:0]          served_i,
    input  wire logic [PV-1:0]          held_i,
    input  wire logic [PV*8-1:0]        held_line_i,
    // lines of the outputs, one cycle old
    input  wire logic [PORTS*LINES-1:0] ol_valid_i,
    input  wire logic [PORTS*LINES-1:0] ol_stop_i,
    // cold queues
    input  wire logic                   can_alloc_i,
    input  wire logic [NQ-1:0]          cold_pop_i,    // the head leaves
    input  wire logic [NQ-1:0]          cold_start_i,  // there is a head, and it could start
    input  wire logic [NQ*OW-1:0]       cold_out_i,
    input  wire logic [PV-1:0]          cold_match_i,  // the head belongs to a HOT or DRAIN line
    // hot queues and their lines
    input  wire logic [HPQS-1:0]        hot_pop_i,
    input  wire logic [HPQS-1:0]        hot_start_i,
    input  wire logic [HPQS*OW-1:0]     hot_out_i,
    input  wire logic [HPQS-1:0]        hot_linked_i,  // its line is HOT and linked
    input  wire logic [HPQS*LW-1:0]     hot_next_i,    // to this line
    // the bindings
    output logic [NQ-1:0]               cold_bound_o,
    output logic [NQ*LW-1:0]            cold_line_o,
    output logic [NQ-1:0]               cold_stopped_o,
    output logic [HPQS-1:0]             hot_bound_o,
    output logic [HPQS*LW-1:0]          hot_line_o,
    output logic [HPQS-1:0]             hot_stopped_o,
    output logic [PORTS*LINES-1:0]      pend_o,        // a head that could start is bound to the line
    // state
    output logic [HPQS-1:0]             hot_tied_o,
    output logic [HPQS*LW-1:0]          hot_tie_o,
    output logic                        parity_err_o
);
  localparam int N = NQ + HPQS;  // cold queues, then hot queues
  localparam int KW = (PORTS * LINES > 1) ? $clog2(PORTS * LINES) : 1;

  logic              can_alloc_q, can_alloc_d, again;
  logic [N-1:0]      tied_q, tied_d, queue_err;
  logic [N*LW-1:0]   tie_q, tie_d;
  logic [N-1:0]      held;   // the queue's head is held back,
  logic [N*LW-1:0]   by;     // by this line
  logic [N-1:0]      leaves, bound, pends;
  logic [N*LW-1:0]   line;
  logic [N*KW-1:0]   at;     // index of the line that the queue is bound to, among all outputs'
  logic              own_err;
  logic [PV-1:0]     asks;   // requests that are held back

  for (genvar q = 0; q < PV; q++) begin : g_asks
    assign asks[q] = req_valid_i[q] && held_i[q] && !served_i[q] && held_line_i[q*8 +: 8] < 8'(LINES);
  end

  // ---- each queue has one request at most
  for (genvar q = 0; q < NQ; q++) begin : g_cold
    if (ONE_QUEUE != 0) begin : g_one
      always_comb begin
        held[q] = (asks & ~req_hot_i) != '0;
        by[q*LW +: LW] = '0;
        for (int o = 0; o < PORTS; o++)
          if (asks[o] && !req_hot_i[o]) by[q*LW +: LW] = by[q*LW +: LW] | held_line_i[o*8 +: LW];
      end
      assign at[q*KW +: KW] = KW'(cold_out_i[q*OW +: OW]) * KW'(LINES) + KW'(line[q*LW +: LW]);
      assign pends[q] = cold_start_i[q] && !cold_match_i[cold_out_i[q*OW +: OW]];
    end else begin : g_many
      assign held[q] = asks[q] && !req_hot_i[q];
      assign by[q*LW +: LW] = held_line_i[q*8 +: LW];
      assign at[q*KW +: KW] = KW'(q / VLS * LINES) + KW'(line[q*LW +: LW]);
      assign pends[q] = cold_start_i[q] && !cold_match_i[q];
    end
    assign leaves[q] = cold_pop_i[q] || (again && !held[q]);
    assign bound[q] = tied_q[q];
    assign line[q*LW +: LW] = tie_q[q*LW +: LW];
    assign cold_stopped_o[q] = bound[q] && ol_stop_i[at[q*KW +: KW]];
  end

  for (genvar h = 0; h < HPQS; h++) begin : g_hot
    localparam int Q = NQ + h;
    always_comb begin
      held[Q] = 1'b0;
      by[Q*LW +: LW] = '0;
      for (int q = 0; q < PV; q++) begin
        if (asks[q] && req_hot_i[q] && req_hpq_i[q*HW +: HW] == HW'(h)) begin
          held[Q] = 1'b1;
          by[Q*LW +: LW] = by[Q*LW +: LW] | held_line_i[q*8 +: LW];
        end
      end
    end
    assign leaves[Q] = hot_pop_i[h];
    assign bound[Q] = tied_q[Q] || hot_linked_i[h];
    assign line[Q*LW +: LW] = tied_q[Q] ? tie_q[Q*LW +: LW] : hot_next_i[h*LW +: LW];
    assign at[Q*KW +: KW] = KW'(hot_out_i[h*OW +: OW]) * KW'(LINES) + KW'(line[Q*LW +: LW]);
    assign pends[Q] = hot_start_i[h];
    assign hot_stopped_o[h] = bound[Q] && ol_stop_i[at[Q*KW +: KW]];
  end

  assign cold_bound_o = bound[NQ-1:0];
  assign hot_bound_o = bound[N-1:NQ];
  assign cold_line_o = line[NQ*LW-1:0];
  assign hot_tied_o = tied_q[N-1:NQ];
  assign hot_tie_o = tie_q[N*LW-1:NQ*LW];
  for (genvar h = 0; h < HPQS; h++) begin : g_hot_line
    assign hot_line_o[h*LW +: LW] = bound[NQ+h] ? line[(NQ+h)*LW +: LW] : '0;
  end

  always_comb begin
    pend_o = '0;
    for (int q = 0; q < N; q++) if (bound[q] && pends[q]) pend_o[at[q*KW +: KW]] = 1'b1;
  end

  // ---- the ties; a cold head is let go when it may be told of its line and get a hot queue
  assign can_alloc_d = !rst_i && can_alloc_i;
  assign again = can_alloc_i && !can_alloc_q;

  for (genvar q = 0; q < N; q++) begin : g_tie
    always_comb begin
      tied_d[q] = tied_q[q];
      tie_d[q*LW +: LW] = tie_q[q*LW +: LW];
      if (rst_i || leaves[q]) begin
        tied_d[q] = 1'b0;
        tie_d[q*LW +: LW] = '0;
      end else if (held[q]) begin
        tied_d[q] = 1'b1;
        tie_d[q*LW +: LW] = by[q*LW +: LW];
      end else if (tied_q[q] && !ol_valid_i[at[q*KW +: KW]]) begin
        tied_d[q] = 1'b0;
        tie_d[q*LW +: LW] = '0;
      end
    end

    always_ff @(posedge clk_i) begin
      tied_q[q] <= tied_d[q];
      tie_q[q*LW +: LW] <= tie_d[q*LW +: LW];
    end

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i,
        .next_i(^{tied_d[q], tie_d[q*LW +: LW]}),
        .now_i(^{tied_q[q], tie_q[q*LW +: LW]}),
        .err_o(queue_err[q])
    );
  end

  always_ff @(posedge clk_i) can_alloc_q <= can_alloc_d;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(can_alloc_d),
      .now_i(can_alloc_q),
      .err_o(own_err)
  );

  assign parity_err_o = own_err || queue_err != '0;

  if (ONE_QUEUE == 0) begin : g_unused
    logic unused;
    assign unused = &{1'b0, cold_out_i};
  end
endmodule

`default_nettype wire
