// A throttle that is not quell's: an example for `quell cosim hca-throttle --dut` (docs/dut.md).
//
// Plain Verilog-2001. All state is in flip-flops and every flow's timer runs by itself, so there is no sweep and no RAM to wait for.
// One candidate is looked at in a cycle: stage A picks it round robin among the queues that could go, stage B reads the table, works
// out the delay and offers the queue or passes on. Names, polarity of the reset and pipeline are its own; the rules (H3 to H8) are those of
// docs/hca-throttle.md.
//
// Four bugs can be planted, by macros: BUG_SHORT (a delay that ends with a tick is a cycle short), BUG_INDEX (an index at the limit reads the
// entry before it), BUG_LOST_CN (a notification in the cycle after another one is lost), BUG_UNFAIR (the queue that went is first again).
module nic_pacer #(
  parameter N  = 8,   // queues
  parameter CT = 128, // entries of the table
  parameter TW = 16   // bits of time
) (
  input  wire         clk,
  input  wire         rst_n,
  // registers, table, SL of a queue
  input  wire         reg_wr,
  input  wire [7:0]   reg_no,
  input  wire [31:0]  reg_val,
  input  wire [3:0]   flit_gap,  // cycles a flit takes on the link, 0 acts as 1
  input  wire         tab_wr,
  input  wire [15:0]  tab_addr,
  input  wire [15:0]  tab_val,
  input  wire         map_wr,
  input  wire [15:0]  map_q,
  input  wire [3:0]   map_sl,
  // notifications
  input  wire         cn_vld,
  input  wire [15:0]  cn_q,
  // queues
  input  wire [N-1:0] q_want,
  input  wire [N-1:0] q_hold,
  input  wire [15:0]  sl_open,
  // the offer, and what becomes of it
  output reg          go,
  output reg  [15:0]  go_q,
  output reg  [3:0]   go_sl,
  input  wire         take,
  input  wire [6:0]   take_len,
  input  wire         done,
  output reg          up
);

  localparam NE = (N > 16) ? N : 16;  // owners of an index
  localparam [31:0] GAP_MAX = 32'd1 << (TW - 2);

  // registers
  reg        enable, per_sl, sl_timer, restart, absolute;
  reg [7:0]  inc;
  reg [13:0] limit;
  reg [7:0]  low;
  reg [15:0] timer;
  reg [15:0] tick_len;
  // tables
  reg [15:0] cct [0:CT-1];
  reg [3:0]  sl_of [0:N-1];
  // owners of an index
  reg [13:0] idx [0:NE-1];
  reg        run [0:NE-1];
  reg [17:0] t0 [0:NE-1];
  reg        known [0:NE-1];
  reg signed [TW+1:0] since [0:NE-1];  // cycles since the last flit of its last packet
  reg [6:0]  len [0:NE-1];
  // timers of the SLs
  reg        s_run [0:15];
  reg [17:0] s_t0 [0:15];
  // time
  reg [15:0] tc;
  reg [17:0] tick;
  // the packet being sent
  reg        snd;
  reg [15:0] snd_e;
  reg [6:0]  snd_len;
  reg [31:0] snd_left;
  // selection
  reg [15:0] ptr;
  reg [N-1:0] went;
  reg        b_vld;
  reg [15:0] b_q;

  wire [13:0] last  = CT - 1;
  wire [13:0] lim   = (limit < last) ? limit : last;
  wire [13:0] floor = ({6'd0, low} < lim) ? {6'd0, low} : lim;
  wire [31:0] pace  = (flit_gap == 4'd0) ? 32'd1 : {28'd0, flit_gap};

  function [15:0] owner(input [15:0] q, input [3:0] sl, input by_sl);
    owner = by_sl ? {12'd0, sl} : q;
  endfunction

  // Stage A: the first queue from the pointer on that could go. Queues of one owner take turns: else one that comes just before another
  // would have the owner inside its delay whenever that one is looked at.
  reg        a_vld;
  reg [15:0] a_q;
  reg [15:0] scan;
  reg [NE-1:0] fresh;  // owners of a queue that could go and has not since another one of them
  integer    i;
  always @* begin
    fresh = 0;
    for (i = 0; i < N; i = i + 1)
      if (q_want[i] && !q_hold[i] && sl_open[sl_of[i]] && !went[i]) fresh[owner(i, sl_of[i], per_sl)] = 1'b1;
    a_vld = 1'b0;
    a_q   = 16'd0;
    for (i = N - 1; i >= 0; i = i - 1) begin
      scan = ptr + i;
      if (scan >= N) scan = scan - N;
      if (q_want[scan] && !q_hold[scan] && sl_open[sl_of[scan]]
          && (!went[scan] || !fresh[owner(scan, sl_of[scan], per_sl)])) begin
        a_vld = 1'b1;
        a_q   = scan;
      end
    end
  end

  // Stage B: the delay of the candidate, and the verdict.
  wire [3:0]  b_sl = sl_of[b_q];
  wire [15:0] b_e  = owner(b_q, b_sl, per_sl);
`ifdef BUG_INDEX
  wire [13:0] b_at = (idx[b_e] < lim) ? idx[b_e] : (lim == 14'd0) ? lim : lim - 14'd1;
`else
  wire [13:0] b_at = (idx[b_e] < lim) ? idx[b_e] : lim;
`endif
  wire [15:0] b_entry = cct[b_at];
  wire        b_busy = snd && snd_e == b_e;
  wire [31:0] b_len  = b_busy ? {25'd0, snd_len} : {25'd0, len[b_e]};
  wire [31:0] b_time = b_len * pace;
  wire [31:0] b_full = absolute ? {16'd0, b_entry} : (b_time >> b_entry[15:14]) * b_entry[13:0];
  wire [31:0] b_gap  = (b_full > GAP_MAX) ? GAP_MAX : b_full;
  // The offer shows a cycle later.
`ifdef BUG_SHORT
  wire signed [TW+1:0] b_since = since[b_e] + ((tc == 16'd0) ? 2 : 1);
`else
  wire signed [TW+1:0] b_since = since[b_e] + 1;
`endif
  wire        b_over = !known[b_e] || b_since > $signed({1'b0, b_gap[TW:0]});
  wire        b_pass = !enable || b_gap == 32'd0 || (!b_busy && b_over);
  wire        b_open = q_want[b_q] && !q_hold[b_q] && sl_open[b_sl];
  wire        g_open = q_want[go_q] && !q_hold[go_q] && sl_open[go_sl];

  wire taken = go && take;
  wire [15:0] t_e = owner(go_q, go_sl, per_sl);
  wire [6:0]  t_len  = (take_len == 7'd0) ? 7'd1 : take_len;
  wire [31:0] t_time = (t_len * pace > GAP_MAX) ? GAP_MAX : t_len * pace;

  // Notification: which owner, and which timers end.
  wire        cn     = cn_vld && cn_q < N && enable;
  wire [3:0]  cn_sl  = sl_of[cn_q[15:0] < N ? cn_q : 16'd0];
  wire [15:0] cn_e   = owner(cn_q, cn_sl, per_sl);
`ifdef BUG_LOST_CN
  reg         cn_was;
  always @(posedge clk) cn_was <= cn && rst_n;
`endif
  wire        retime = reg_wr && (reg_no == 8'd0 || reg_no == 8'd4 || reg_no == 8'd5);
  wire        ticks  = enable && timer != 16'd0;

  function [13:0] step(input [13:0] x, input [13:0] f);
    step = (x > f) ? x - 14'd1 : f;
  endfunction
  function [13:0] raise(input [13:0] x, input [7:0] by, input [13:0] most);
    raise = ({1'b0, x} + by > {1'b0, most}) ? most : x + by;
  endfunction

  // The SL of an owner, and whether its index falls in this cycle.
  reg [15:0] s_off;  // SLs with an index off the floor
  reg [15:0] s_end;
  reg [3:0]  e_sl;
  reg        e_end;
  reg [13:0] e_idx;
  integer    e, s;
  always @* begin
    s_off = 16'd0;
    for (e = 0; e < NE; e = e + 1) begin
      if (per_sl ? e < 16 : e < N) begin
        if (idx[e] != floor) s_off[per_sl ? e[3:0] : sl_of[e % N]] = 1'b1;
      end
    end
    for (s = 0; s < 16; s = s + 1)
      s_end[s] = ticks && sl_timer && s_run[s] && !retime && (tick - s_t0[s] >= {2'd0, timer});
  end

  integer k;
  always @(posedge clk) begin
    if (!rst_n) begin
      {enable, per_sl, sl_timer, restart, absolute} <= 5'd0;
      inc      <= 8'd1;
      limit    <= CT - 1;
      low      <= 8'd0;
      timer    <= 16'd150;
      tick_len <= 16'd80;
      for (k = 0; k < CT; k = k + 1) cct[k] <= 16'd0;
      for (k = 0; k < N; k = k + 1) sl_of[k] <= 4'd0;
      for (k = 0; k < NE; k = k + 1) begin
        idx[k]   <= 14'd0;
        run[k]   <= 1'b0;
        t0[k]    <= 18'd0;
        known[k] <= 1'b0;
        since[k] <= 0;
        len[k]   <= 7'd0;
      end
      for (k = 0; k < 16; k = k + 1) begin
        s_run[k] <= 1'b0;
        s_t0[k]  <= 18'd0;
      end
      tc    <= 16'd0;
      tick  <= 18'd0;
      snd   <= 1'b0;
      snd_e <= 16'd0;
      snd_len  <= 7'd0;
      snd_left <= 32'd0;
      ptr   <= 16'd0;
      went  <= 0;
      b_vld <= 1'b0;
      b_q   <= 16'd0;
      go    <= 1'b0;
      go_q  <= 16'd0;
      go_sl <= 4'd0;
      up    <= 1'b0;
    end else begin
      up <= 1'b1;

      // registers and tables
      if (up && reg_wr) begin
        case (reg_no)
          8'd0: {absolute, restart, sl_timer, per_sl, enable} <= reg_val[4:0];
          8'd1: inc <= reg_val[7:0];
          8'd2: limit <= reg_val[13:0];
          8'd3: low <= reg_val[7:0];
          8'd4: timer <= reg_val[15:0];
          8'd5: tick_len <= reg_val[15:0];
          default: ;
        endcase
      end
      if (up && tab_wr && tab_addr < CT) cct[tab_addr] <= tab_val;
      if (up && map_wr && map_q < N) sl_of[map_q] <= map_sl;

      // time
      if (tc + 16'd1 >= tick_len) begin
        tc   <= 16'd0;
        tick <= tick + 18'd1;
      end else begin
        tc <= tc + 16'd1;
      end

      // indices
      for (k = 0; k < NE; k = k + 1) begin
        e_sl  = per_sl ? k[3:0] : sl_of[k % N];
        e_end = sl_timer ? s_end[e_sl]
                         : (ticks && !retime && run[k] && (tick - t0[k] >= {2'd0, timer}));
        e_idx = e_end ? step(idx[k], floor) : idx[k];
        if (!sl_timer) begin
          if (e_end) begin
            t0[k]  <= t0[k] + {2'd0, timer};
            run[k] <= e_idx != floor;
          end
          if (run[k] && retime) t0[k] <= tick;
          if (enable && !run[k] && e_idx != floor) begin
            run[k] <= 1'b1;
            t0[k]  <= tick;
          end
        end
        if (up && cn && cn_e == k) begin
`ifdef BUG_LOST_CN
          if (!cn_was)
`endif
          e_idx = raise(e_idx, inc, lim);
          if (!sl_timer && (restart || !run[k] || (e_end && step(idx[k], floor) == floor))) begin
            run[k] <= 1'b1;
            t0[k]  <= tick;
          end
        end
        idx[k] <= e_idx;
      end
      for (k = 0; k < 16; k = k + 1) begin
        if (s_end[k]) s_t0[k] <= s_t0[k] + {2'd0, timer};
        if (retime || !s_run[k]) s_t0[k] <= tick;
        s_run[k] <= sl_timer && s_off[k];
        if (sl_timer && cn && cn_sl == k) begin
          s_run[k] <= 1'b1;
          if (restart || !s_run[k]) s_t0[k] <= tick;
        end
      end

      // the packet being sent, and the time since the last one
      for (k = 0; k < NE; k = k + 1)
        if (since[k] < $signed({1'b0, GAP_MAX[TW:0]}) + 1) since[k] <= since[k] + 1;
      if (snd && snd_left != 32'd0) snd_left <= snd_left - 32'd1;
      if (snd && (done || taken)) begin
        snd          <= 1'b0;
        known[snd_e] <= 1'b1;
        since[snd_e] <= 1 - $signed({1'b0, snd_left[TW:0]});
        len[snd_e]   <= snd_len;
      end
      if (taken) begin
        snd      <= 1'b1;
        snd_e    <= t_e;
        snd_len  <= t_len;
        snd_left <= t_time - 32'd1;
      end

      // selection
      if (go) begin
        b_vld <= 1'b0;
        if (take) begin
          go  <= 1'b0;
          for (k = 0; k < N; k = k + 1)
            if (owner(k, sl_of[k], per_sl) == t_e && !fresh[t_e]) went[k] <= 1'b0;
          went[go_q] <= 1'b1;
`ifdef BUG_UNFAIR
          ptr <= go_q;
`else
          ptr <= (go_q + 16'd1 >= N) ? 16'd0 : go_q + 16'd1;
`endif
        end else if (!g_open) begin
          // The next in turn was looked at already, and is again.
          go  <= 1'b0;
          ptr <= (go_q + 16'd1 >= N) ? 16'd0 : go_q + 16'd1;
        end
      end else begin
        b_vld <= up && a_vld;
        b_q   <= a_q;
        if (a_vld) ptr <= (a_q + 16'd1 >= N) ? 16'd0 : a_q + 16'd1;
        if (b_vld && b_pass && b_open) begin
          go    <= 1'b1;
          go_q  <= b_q;
          go_sl <= b_sl;
          b_vld <= 1'b0;
        end
      end
    end
  end

endmodule
