// Which entries of the adapter's output CAM lines hold their flows back: all of a stopped line, and after a stop all but the
// one whose turn it is, until that one's packet went. The turns go round among the entries that have a packet ready, one at
// each end of a stop; the search for it looks at one entry a cycle. Rules H5, H8; docs/hca.md section 2.
`default_nettype none

module flow_turns #(
    parameter int FLOWS = 64,
    parameter int LINES = 9,
    parameter int DLIST = 8,
    parameter int PARITY = 0
) (
    input  wire logic                      clk_i,
    input  wire logic                      rst_i,
    input  wire logic                      ready_i,
    input  wire logic [15:0]               lid_base_i,
    input  wire logic [LINES-1:0]          ol_valid_i,
    input  wire logic [LINES-1:0]          ol_stop_i,
    input  wire logic [8*LINES-1:0]        ol_dcnt_i,
    input  wire logic [16*DLIST*LINES-1:0] ol_dlist_i,
    input  wire logic [FLOWS-1:0]          able_i,     // the flow has a packet that no delay is known to keep back
    input  wire logic                      accept_i,   // a packet goes,
    input  wire logic [15:0]               flow_i,     // of this flow
    output logic      [DLIST*LINES-1:0]    holds_o,    // Mealy: the entry's flow waits
    output logic      [LINES-1:0]          fresh_o,    // a stop of the line has ended, and its turn is not over
    output logic      [8*LINES-1:0]        turn_o,
    output logic                           parity_err_o
);
  localparam int FW = $clog2(FLOWS);
  localparam int DW = (DLIST > 1) ? $clog2(DLIST) : 1;
  localparam int SW = (LINES > 1) ? $clog2(LINES) : 1;

  logic [LINES-1:0]    stopped_q, stopped_d;  // the line was valid and stopped in the last cycle
  logic [LINES-1:0]    fresh_d;
  logic [DW*LINES-1:0] turn_q, turn_d;
  logic [SW-1:0]       slot_q, slot_d;        // line whose turn is looked at
  logic [16*LINES-1:0] flow;                  // that the entry in turn names
  logic [LINES-1:0]    there, goes;           // there is such an entry; its packet goes
  logic [15:0]         seek;
  logic                found;                 // the flow looked at is able

  assign stopped_d = rst_i ? '0 : ol_valid_i & ol_stop_i;
  assign slot_d = (rst_i || !ready_i || slot_q == SW'(LINES - 1)) ? '0 : slot_q + 1'b1;

  // ---- the entries in turn
  for (genvar k = 0; k < LINES; k++) begin : g_entry
    always_comb begin
      flow[16*k+:16] = '0;
      for (int d = 0; d < DLIST; d++)
        if (turn_q[DW*k+:DW] == DW'(d)) flow[16*k+:16] = ol_dlist_i[16*(DLIST*k+d)+:16] - lid_base_i;
    end
    assign there[k] = 8'(turn_q[DW*k+:DW]) < ol_dcnt_i[8*k+:8];
    assign goes[k] = accept_i && there[k] && flow[16*k+:16] == flow_i;
    assign turn_o[8*k+:8] = 8'(turn_q[DW*k+:DW]);
  end

  always_comb begin
    seek = '0;
    for (int k = 0; k < LINES; k++) if (slot_q == SW'(k)) seek = seek | flow[16*k+:16];
  end
  assign found = seek < 16'(FLOWS) && able_i[seek[FW-1:0]];

  // ---- turns
  for (genvar k = 0; k < LINES; k++) begin : g_line
    logic [DW-1:0] next;
    assign next = (turn_q[DW*k+:DW] == DW'(DLIST - 1)) ? '0 : turn_q[DW*k+:DW] + 1'b1;

    always_comb begin
      fresh_d[k] = fresh_o[k];
      if (rst_i || !ol_valid_i[k] || ol_stop_i[k]) fresh_d[k] = 1'b0;
      else if (stopped_q[k]) fresh_d[k] = 1'b1;
      else if (goes[k]) fresh_d[k] = 1'b0;

      turn_d[DW*k+:DW] = turn_q[DW*k+:DW];
      if (rst_i || !ol_valid_i[k] || !there[k]) turn_d[DW*k+:DW] = '0;
      else if (goes[k] && (fresh_o[k] || ol_stop_i[k])) turn_d[DW*k+:DW] = next;
      else if (fresh_o[k] && slot_q == SW'(k) && !found) turn_d[DW*k+:DW] = next;
    end

    for (genvar d = 0; d < DLIST; d++) begin : g_holds
      assign holds_o[DLIST*k+d] = ol_valid_i[k] && 8'(d) < ol_dcnt_i[8*k+:8]
          && (ol_stop_i[k] || (fresh_d[k] && turn_q[DW*k+:DW] != DW'(d)));
    end
  end

  always_ff @(posedge clk_i) begin
    stopped_q <= stopped_d;
    fresh_o <= fresh_d;
    turn_q <= turn_d;
    slot_q <= slot_d;
  end

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i(clk_i),
      .next_i(^{stopped_d, fresh_d, turn_d, slot_d}),
      .now_i(^{stopped_q, fresh_o, turn_q, slot_q}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
