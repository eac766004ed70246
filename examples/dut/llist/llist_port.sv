// An input port that is not quell's: an example for `quell cosim input-port --dut` (docs/dut.md).
//
// SystemVerilog. One memory of blocks for all; each output and VL has a queue in it, a linked list of blocks, and so has what is free. A
// packet that comes is a chain of its own until all of it is there: then the chain is hung behind its queue, or, if its end is damaged,
// behind the free list. Every output has a reader of its own, which takes its queue's first block and hangs it behind the free list. There
// are no hot queues; of the trees it knows nothing but that a line which holds a queue back may be stopped. Names, pipeline and an
// asynchronous reset are its own; the rules (R1, B1-B3, F1, A2, E5) are those of docs/input-port.md.
//
// Four bugs can be planted, by macros: BUG_FREE (a block that comes free while one is taken is lost to the free list), BUG_LATE (a queue
// whose last block is read while a packet is hung behind it goes on at the pointer from before that), BUG_CROSS (a packet that ends while
// another queue is granted is hung behind that), BUG_TWICE (of two outputs that read one VL in one cycle each counts both blocks).
module llist_port #(
  parameter int NP     = 3,    // outputs
  parameter int NV     = 2,    // VLs
  parameter int LONG   = 4,    // flits of the longest packet
  parameter int DEPTH  = 24,   // blocks, NV equal shares
  parameter int ROUTES = 16,   // entries of the forwarding table
  parameter int TREES  = 2,    // lines of an output
  parameter int BYTES  = 32    // of a flit
) (
  input  logic                          ck,
  input  logic                          arst_n,
  // forwarding table, and cycles of silence that end a packet (0: none do)
  input  logic                          fwd_set,
  input  logic [15:0]                   fwd_at,
  input  logic [7:0]                    fwd_to,
  input  logic [15:0]                   hush_max,
  // from the link
  input  logic                          los,        // loss of signal
  input  logic                          gap,        // no flit in this cycle
  input  logic                          sop, eop, err,
  input  logic [BYTES-1:0][7:0]         octets,
  input  logic                          tbs_set,
  input  logic [7:0]                    tbs_vl,
  input  logic [11:0]                   tbs,
  // from the outputs
  input  logic [NP-1:0][NV-1:0]         gnt,
  input  logic [NP-1:0][NV-1:0]         hold,
  input  logic [NP-1:0][NV-1:0][7:0]    hold_tree,
  input  logic [NP-1:0]                 stall,      // no flit is taken in this cycle
  input  logic [NP-1:0][TREES-1:0]      tree_is, tree_off,
  // to the outputs
  output logic [NP-1:0][NV-1:0]         ask,
  output logic [NP-1:0][NV-1:0][6:0]    ask_len,
  output logic [NP-1:0][NV-1:0][15:0]   ask_to,
  output logic [NP-1:0][NV-1:0]         ask_cn,
  output logic [NP-1:0]                 rests,      // the reader has nothing to do
  output logic [NP-1:0]                 ends,
  output logic [NP-1:0]                 lane_vld, lane_sop, lane_eop,
  output logic [BYTES-1:0][7:0]         lane [NP],
  // credits
  output logic                          cr,
  output logic [7:0]                    cr_vl,
  output logic [11:0]                   cr_lim,
  output logic                          init        // the reset is not over yet
);

  localparam int SHARE = DEPTH / NV;
  localparam int NQ = NP * NV;
  localparam int PW = $clog2(DEPTH);
  typedef logic [PW-1:0] ptr_t;
  typedef logic [15:0] num_t;

  typedef struct packed {
    logic [7:0]  vl;
    logic [6:0]  len;
    logic [15:0] to;
    logic        cn;
  } head_t;

  typedef struct packed {
    logic        act;
    logic        fresh;  // no flit of it has gone
    logic [7:0]  vl;
    logic [6:0]  left;
  } reader_t;

  // The memory: flits, and the pointer of each block to the one behind it; of a packet's first block its header.
  logic [BYTES-1:0][7:0] mem [DEPTH];
  ptr_t  link [DEPTH];
  head_t head [DEPTH];
  logic [7:0] fwd [ROUTES];

  // Lists: the first and the last block, and how many.
  ptr_t    free_first, free_last;
  num_t    free_n;
  ptr_t    q_first [NQ], q_last [NQ];
  num_t    q_pkts [NQ];  // whole packets, with that which is read
  logic    q_tied [NQ];
  logic [7:0] q_tie [NQ];
  num_t    used [NV];
  logic [11:0] came [NV];
  reader_t rd [NP];
  logic [NP-1:0][TREES-1:0] off_q;

  // The packet that comes, a chain.
  logic    rx, rx_skip;
  ptr_t    rx_first, rx_last;
  head_t   rx_h;
  logic [7:0] rx_out;
  logic [6:0] rx_n;
  num_t    quiet;
  logic    ctx;
  logic [7:0] ctx_vl;
  logic [1:0] slot;
  logic [7:0] slot_vl;

  // The header.
  head_t       h;
  logic [11:0] h_up;
  logic [7:0]  h_out;
  logic        h_vl_ok;
  always_comb begin
    h_up = {1'b0, octets[4][2:0], octets[5]} + 12'd15;
    h.vl = {4'd0, octets[0][7:4]};
    h.len = h_up[11] ? '0 : h_up[10:4];
    h.to = {octets[2], octets[3]};
    h.cn = octets[1][1:0] == 2'd2 && octets[8] == 8'h80;
    h_vl_ok = int'(h.vl) < NV;
    h_out = int'(h.to) < ROUTES ? fwd[h.to[$clog2(ROUTES)-1:0]] : 8'hff;
  end

  logic heard, begins, good, goes_on, hush, undo, store, whole;
  assign heard = !init && !los && !gap;
  assign begins = heard && sop;
  assign good = h_vl_ok && h.len != '0 && int'(h.len) <= LONG && int'(h_out) < NP && !err && eop == (h.len == 7'd1)
                && int'(used[h_vl_ok ? h.vl : 8'd0]) + int'(h.len) <= SHARE;
  assign goes_on = heard && !sop && rx && !err && eop == (rx_n + 7'd1 == rx_h.len);
  assign hush = !init && !los && gap && rx && hush_max != '0 && quiet + 16'd1 >= hush_max;
  assign undo = !init && rx && (los || hush || (heard && !goes_on));
  assign store = (begins && good) || goes_on;
  assign whole = store && eop;

  // The queue of a packet that is whole, and its chain.
  logic [7:0] in_out, in_vl;
  ptr_t       in_first;
  int         in_q;
  assign in_out = begins ? h_out : rx_out;
  assign in_vl = begins ? h.vl : rx_h.vl;
  assign in_first = begins ? free_first : rx_first;

  // Requests: every queue with a packet, of outputs whose reader rests.
  logic [NQ-1:0] halted, taken;
  always_comb begin
    ask = '0;
    ask_len = '0;
    ask_to = '0;
    ask_cn = '0;
    halted = '0;
    taken = '0;
    for (int o = 0; o < NP; o++) begin
      rests[o] = !rd[o].act;
      ends[o] = rd[o].act && rd[o].left == 7'd1;
      for (int v = NV - 1; v >= 0; v--) begin
        halted[o*NV+v] = q_tied[o*NV+v] && off_q[o][q_tie[o*NV+v]];
        if (!init && !rd[o].act && q_pkts[o*NV+v] != '0 && !halted[o*NV+v]) begin
          ask[o][v] = 1'b1;
          ask_len[o][v] = head[q_first[o*NV+v]].len;
          ask_to[o][v] = head[q_first[o*NV+v]].to;
          ask_cn[o][v] = head[q_first[o*NV+v]].cn;
          // The lowest VL of those that are granted goes.
          if (gnt[o][v]) begin
            for (int w = 0; w < NV; w++) taken[o*NV+w] = w == v;
          end
        end
      end
    end
    in_q = int'(in_out) * NV + int'(in_vl);
`ifdef BUG_CROSS
    for (int q = 0; q < NQ; q++) if (taken[q]) in_q = q;
`endif
  end

  // What is read: up to a block an output.
  logic [NP-1:0] reads;
  ptr_t          read_at [NP];
  always_comb begin
    for (int o = 0; o < NP; o++) begin
      reads[o] = rd[o].act && !stall[o];
      read_at[o] = q_first[o*NV+int'(rd[o].vl)];
    end
  end

  // All that changes lists does so here, on their values of the next cycle.
  ptr_t link_d [DEPTH];
  ptr_t free_first_d, free_last_d;
  num_t free_n_d;
  ptr_t q_first_d [NQ], q_last_d [NQ];
  num_t q_pkts_d [NQ];
  num_t used_d [NV];
  always_comb begin
    link_d = link;
    free_first_d = free_first;
    free_last_d = free_last;
    free_n_d = free_n;
    q_first_d = q_first;
    q_last_d = q_last;
    q_pkts_d = q_pkts;
    used_d = used;
    // A packet is hung behind its queue.
    if (goes_on) link_d[rx_last] = free_first;
    if (whole) begin
      if (q_pkts[in_q] == '0) q_first_d[in_q] = in_first;
      else link_d[q_last[in_q]] = in_first;
      q_last_d[in_q] = free_first;
      q_pkts_d[in_q] = q_pkts[in_q] + 16'd1;
    end
    // A block is taken.
    if (store) begin
      free_n_d = free_n_d - 16'd1;
      used_d[in_vl] = used_d[in_vl] + 16'd1;
      free_first_d = link[free_first];
    end
    // Blocks come free: those that are read, and the chain of a packet that ended before its time.
    for (int o = 0; o < NP; o++) begin
      if (reads[o]) begin
`ifdef BUG_LATE
        q_first_d[o*NV+int'(rd[o].vl)] = link[read_at[o]];
`else
        q_first_d[o*NV+int'(rd[o].vl)] = link_d[read_at[o]];
`endif
        if (rd[o].left == 7'd1) q_pkts_d[o*NV+int'(rd[o].vl)] = q_pkts_d[o*NV+int'(rd[o].vl)] - 16'd1;
        used_d[rd[o].vl] = used_d[rd[o].vl] - 16'd1;
`ifdef BUG_TWICE
        for (int p = 0; p < o; p++) if (reads[p] && rd[p].vl == rd[o].vl) used_d[rd[o].vl] = used_d[rd[o].vl] - 16'd1;
`endif
        if (free_n_d == '0) free_first_d = read_at[o];
        else link_d[free_last_d] = read_at[o];
        free_n_d = free_n_d + 16'd1;
`ifdef BUG_FREE
        if (!store) free_last_d = read_at[o];
`else
        free_last_d = read_at[o];
`endif
      end
    end
    if (undo) begin
      if (free_n_d == '0) free_first_d = rx_first;
      else link_d[free_last_d] = rx_first;
      free_n_d = free_n_d + 16'(rx_n);
      free_last_d = rx_last;
      used_d[rx_h.vl] = used_d[rx_h.vl] - 16'(rx_n);
    end
  end

  always_ff @(posedge ck or negedge arst_n) begin
    if (!arst_n) begin
      init <= 1'b1;
      for (int b = 0; b < DEPTH; b++) link[b] <= ptr_t'(b + 1);
      for (int r = 0; r < ROUTES; r++) fwd[r] <= '1;
      free_first <= '0;
      free_last <= ptr_t'(DEPTH - 1);
      free_n <= num_t'(DEPTH);
      for (int q = 0; q < NQ; q++) begin
        q_first[q] <= '0;
        q_last[q] <= '0;
        q_pkts[q] <= '0;
        q_tied[q] <= 1'b0;
        q_tie[q] <= '0;
      end
      for (int v = 0; v < NV; v++) begin
        used[v] <= '0;
        came[v] <= '0;
      end
      for (int o = 0; o < NP; o++) rd[o] <= '0;
      off_q <= '0;
      rx <= 1'b0;
      rx_skip <= 1'b0;
      rx_n <= '0;
      quiet <= '0;
      ctx <= 1'b0;
      lane_vld <= '0;
      lane_sop <= '0;
      lane_eop <= '0;
      slot <= '0;
      slot_vl <= '0;
      cr <= 1'b0;
    end else begin
      init <= 1'b0;
      link <= link_d;
      free_first <= free_first_d;
      free_last <= free_last_d;
      free_n <= free_n_d;
      q_first <= q_first_d;
      q_last <= q_last_d;
      q_pkts <= q_pkts_d;
      used <= used_d;
      if (!init && fwd_set && int'(fwd_at) < ROUTES) fwd[fwd_at[$clog2(ROUTES)-1:0]] <= fwd_to;

      // What comes.
      if (store) begin
        mem[free_first] <= octets;
        rx_last <= free_first;
        rx_n <= begins ? 7'd1 : rx_n + 7'd1;
      end
      if (begins && good) begin
        head[free_first] <= h;
        rx_first <= free_first;
        rx_h <= h;
        rx_out <= h_out;
      end
      if (begins) begin
        rx <= good && !eop;
        rx_skip <= !good && !eop;
        ctx <= h_vl_ok;
        ctx_vl <= h.vl;
      end else if (heard) begin
        rx <= goes_on && !eop;
        rx_skip <= !goes_on && !eop;
        if (!rx && !rx_skip) ctx <= 1'b0;
      end else if (!init && los) begin
        rx <= 1'b0;
        rx_skip <= 1'b0;
        ctx <= 1'b0;
      end else if (hush) begin
        rx <= 1'b0;
        rx_skip <= 1'b1;
      end
      quiet <= (heard || !rx) ? '0 : (&quiet) ? quiet : quiet + 16'd1;
      for (int v = 0; v < NV; v++) begin
        if (!init && los) came[v] <= '0;
        else
          came[v] <= (!init && tbs_set && int'(tbs_vl) == v ? tbs : came[v])
                     + 12'(begins ? h_vl_ok && int'(h.vl) == v
                                  : heard && (rx || rx_skip) && ctx && int'(ctx_vl) == v);
      end

      // What leaves.
      off_q <= tree_is & tree_off;
      lane_vld <= reads;
      lane_sop <= '0;
      lane_eop <= '0;
      for (int o = 0; o < NP; o++) begin
        if (reads[o]) begin
          lane[o] <= mem[read_at[o]];
          lane_sop[o] <= rd[o].fresh;
          lane_eop[o] <= rd[o].left == 7'd1;
          rd[o].fresh <= 1'b0;
          rd[o].left <= rd[o].left - 7'd1;
          rd[o].act <= rd[o].left != 7'd1;
        end
        for (int v = 0; v < NV; v++) begin
          if (taken[o*NV+v]) begin
            rd[o] <= '{act: 1'b1, fresh: 1'b1, vl: 8'(v), left: ask_len[o][v]};
            q_tied[o*NV+v] <= 1'b0;
          end else if (ask[o][v] && hold[o][v] && int'(hold_tree[o][v]) < TREES) begin
            q_tied[o*NV+v] <= 1'b1;
            q_tie[o*NV+v] <= hold_tree[o][v];
          end else if (q_tied[o*NV+v] && !tree_is[o][q_tie[o*NV+v]]) begin
            q_tied[o*NV+v] <= 1'b0;
          end
        end
      end

      // Credits: a message in four cycles, for one VL after the other.
      slot <= slot + 2'd1;
      cr <= !init && !los && slot == 2'd3;
      if (slot == 2'd3) begin
        cr_vl <= slot_vl;
        cr_lim <= came[slot_vl] + 12'(SHARE) - 12'(used[slot_vl]);
        slot_vl <= int'(slot_vl) == NV - 1 ? '0 : slot_vl + 8'd1;
      end
    end
  end

endmodule
