// An input port that is not quell's: an example for `quell cosim input-port --dut` (docs/dut.md).
//
// Plain Verilog-2001. One FIFO for all outputs and VLs, store and forward: a packet is written behind the others while it comes, can be
// asked for when all of it is there, and is taken back if its end is damaged. The head alone asks; there are no hot queues, and of the
// trees it knows nothing but that a line which holds its head back may be stopped. Names and pipeline are its own; the rules (R1, B1-B3,
// F1, A2, E5) are those of docs/input-port.md.
//
// Four bugs can be planted, by macros: BUG_LEAK (a block that is read while one of its VL is written is never free again), BUG_OVERDRAW
// (of a packet taken back one block too many is free), BUG_STOP (the stop of
// line 0 is taken for that of the line which holds the head back), BUG_SILENCE (a packet that
// ended by silence is not taken back).
module fifo_port #(
  parameter NP     = 3,    // outputs
  parameter NV     = 2,    // VLs
  parameter LONG   = 4,    // flits of the longest packet
  parameter DEPTH  = 24,   // flits of the FIFO, NV equal shares
  parameter ROUTES = 16,   // entries of the forwarding table
  parameter TREES  = 2,    // lines of an output
  parameter W      = 256   // bits of a flit
) (
  input  wire                 clk,
  input  wire                 rst,
  // forwarding table, and cycles of silence that end a packet (0: none do)
  input  wire                 tab_wr,
  input  wire [15:0]          tab_dlid,
  input  wire [7:0]           tab_out,
  input  wire [15:0]          patience,
  // from the link
  input  wire                 link,
  input  wire                 in_vld,
  input  wire                 in_sop,
  input  wire                 in_eop,
  input  wire                 in_err,
  input  wire [W-1:0]         in_flit,
  input  wire                 sync_vld,
  input  wire [7:0]           sync_vl,
  input  wire [11:0]          sync_cnt,
  // from the outputs; element o*NV+v, or o
  input  wire [NP*NV-1:0]     pick,
  input  wire [NP*NV-1:0]     wait_vld,
  input  wire [8*NP*NV-1:0]   wait_tree,
  input  wire [NP-1:0]        pull,
  input  wire [TREES*NP-1:0]  tree_vld,
  input  wire [TREES*NP-1:0]  tree_stop,
  // to the outputs
  output reg  [NP*NV-1:0]     ask,
  output reg  [7*NP*NV-1:0]   ask_len,
  output reg  [16*NP*NV-1:0]  ask_dlid,
  output reg  [NP*NV-1:0]     ask_cn,
  output reg  [NP-1:0]        busy,
  output reg  [NP-1:0]        ending,
  output reg  [NP-1:0]        out_vld,
  output reg  [NP-1:0]        out_sop,
  output reg  [NP-1:0]        out_eop,
  output reg  [W*NP-1:0]      out_flit,
  // credits
  output reg                  cr_vld,
  output reg  [7:0]           cr_vl,
  output reg  [11:0]          cr_lim,
  output reg                  up
);

  localparam SHARE = DEPTH / NV;

  reg [7:0]   table_out [0:ROUTES-1];
  // the FIFO of flits, and that of its packets: output, VL, length, DLID, notification
  reg [W-1:0] flits [0:DEPTH-1];
  reg [7:0]   p_out [0:DEPTH-1];
  reg [7:0]   p_vl  [0:DEPTH-1];
  reg [6:0]   p_len [0:DEPTH-1];
  reg [15:0]  p_dlid [0:DEPTH-1];
  reg         p_cn  [0:DEPTH-1];
  reg [15:0]  wp, rp;        // flit written next, flit read next
  reg [15:0]  pw, pr, pkts;  // packet written next, the head, and how many
  reg [15:0]  used [0:NV-1];
  reg [11:0]  came [0:NV-1];

  // the packet that comes: where it began, what it is, how much is there
  reg         rx, rx_skip;
  reg [15:0]  rx_at;
  reg [7:0]   rx_out, rx_vl;
  reg [6:0]   rx_len, rx_cnt;
  reg [15:0]  rx_dlid;
  reg         rx_cn;
  reg [15:0]  quiet;
  // the VL that flits without a header count for
  reg         ctx_ok;
  reg [7:0]   ctx_vl;
  // the packet that leaves
  reg         tx;
  reg [7:0]   tx_out, tx_vl;
  reg [6:0]   tx_left;
  reg         tx_sop;
  // the line that holds the head back
  reg         tied;
  reg [7:0]   tie;
  reg [TREES*NP-1:0] stop_q;
  reg [3:0]   slot;
  reg [7:0]   slot_vl;

  // The header of a flit: byte n at bits 8n.
  wire [3:0]  h_vl   = in_flit[7:4];
  wire [1:0]  h_lnh  = in_flit[9:8];
  wire [15:0] h_dlid = {in_flit[23:16], in_flit[31:24]};
  wire [10:0] h_len  = {in_flit[34:32], in_flit[47:40]};  // words of 4 bytes
  wire [11:0] h_up   = {1'b0, h_len} + 12'd15;
  wire [6:0]  h_n    = h_up[11] ? 7'd0 : h_up[10:4];  // flits; 0 is no length
  wire        h_cn   = h_lnh == 2'd2 && in_flit[71:64] == 8'h80;
  wire        h_vlok = h_vl < NV;
  wire [7:0]  h_out  = (h_dlid < ROUTES) ? table_out[h_dlid] : 8'hff;

  wire        heard  = up && link && in_vld;
  wire        header = heard && in_sop;
  wire        fits   = h_vlok && h_n <= SHARE - used[h_vlok ? h_vl : 4'd0];
  wire        good   = h_vlok && h_n != 7'd0 && h_n <= LONG && h_out < NP && fits && !in_err
                       && in_eop == (h_n == 7'd1);
  wire        next   = heard && !in_sop && rx && !in_err && in_eop == (rx_cnt + 7'd1 == rx_len);
  wire        hush   = up && link && !in_vld && rx && patience != 16'd0 && quiet + 16'd1 >= patience;
  // The packet that came ends before its time.
  wire        undo   = up && rx && (!link || hush || (heard && !next));
  wire        whole  = (header && good && in_eop) || (next && in_eop);
  wire        store  = (header && good) || next;
  wire [7:0]  s_vl   = header ? {4'd0, h_vl} : rx_vl;
  wire [15:0] s_at   = (header && undo) ? rx_at : wp;

  // The head, and its line.
  wire [7:0]  t_out  = p_out[pr];
  wire [7:0]  t_vl   = p_vl[pr];
  wire [31:0] t_at   = t_out * NV + t_vl;
`ifdef BUG_STOP
  wire        halted = tied && stop_q[t_out * TREES];
`else
  wire        halted = tied && stop_q[t_out * TREES + tie];
`endif
  wire        asks   = up && !tx && pkts != 16'd0 && !halted;
  wire        taken  = asks && pick[t_at];
  wire        read   = tx && pull[tx_out];
  wire [7:0]  held_by = wait_tree[8 * t_at +: 8];

  function [15:0] after(input [15:0] at);
    after = (at == DEPTH - 1) ? 16'd0 : at + 16'd1;
  endfunction

  always @* begin
    ask      = 0;
    ask_len  = 0;
    ask_dlid = 0;
    ask_cn   = 0;
    busy     = 0;
    ending   = 0;
    if (asks) begin
      ask[t_at]               = 1'b1;
      ask_len[7 * t_at +: 7]    = p_len[pr];
      ask_dlid[16 * t_at +: 16] = p_dlid[pr];
      ask_cn[t_at]            = p_cn[pr];
    end
    if (tx) begin
      busy[tx_out]   = 1'b1;
      ending[tx_out] = tx_left == 7'd1;
    end
  end

  integer k;
  reg [15:0] u;
  always @(posedge clk) begin
    if (rst) begin
      for (k = 0; k < ROUTES; k = k + 1) table_out[k] <= 8'hff;
      for (k = 0; k < NV; k = k + 1) begin
        used[k] <= 16'd0;
        came[k] <= 12'd0;
      end
      wp <= 16'd0;
      rp <= 16'd0;
      pw <= 16'd0;
      pr <= 16'd0;
      pkts <= 16'd0;
      rx <= 1'b0;
      rx_skip <= 1'b0;
      rx_cnt <= 7'd0;
      quiet <= 16'd0;
      ctx_ok <= 1'b0;
      tx <= 1'b0;
      tied <= 1'b0;
      stop_q <= 0;
      slot <= 4'd0;
      slot_vl <= 8'd0;
      out_vld <= 0;
      out_sop <= 0;
      out_eop <= 0;
      cr_vld <= 1'b0;
      up <= 1'b0;
    end else begin
      up <= 1'b1;
      if (up && tab_wr && tab_dlid < ROUTES) table_out[tab_dlid] <= tab_out;

      // What comes.
      if (undo) rx <= 1'b0;
`ifdef BUG_SILENCE
      if (undo && !hush) wp <= rx_at;
`else
      if (undo) wp <= rx_at;
`endif
      if (up && !link) begin
        rx_skip <= 1'b0;
        ctx_ok <= 1'b0;
      end
      if (hush) rx_skip <= 1'b1;
      quiet <= (heard || !rx) ? 16'd0 : (quiet == 16'hffff) ? quiet : quiet + 16'd1;
      if (store) begin
        flits[s_at] <= in_flit;
        wp <= after(s_at);
      end
      if (header) begin
        ctx_ok <= h_vlok;
        ctx_vl <= {4'd0, h_vl};
        rx <= good && !in_eop;
        rx_skip <= !good && !in_eop;
        rx_at <= s_at;
        rx_out <= h_out;
        rx_vl <= {4'd0, h_vl};
        rx_len <= h_n;
        rx_dlid <= h_dlid;
        rx_cn <= h_cn;
        rx_cnt <= 7'd1;
      end else if (heard) begin
        rx_skip <= (rx ? !next : 1'b1) && !in_eop;
        if (!rx && !rx_skip) ctx_ok <= 1'b0;
        if (next) rx_cnt <= rx_cnt + 7'd1;
        if (next && in_eop) rx <= 1'b0;
      end
      if (whole) begin
        p_out[pw] <= header ? h_out : rx_out;
        p_vl[pw] <= s_vl;
        p_len[pw] <= header ? h_n : rx_len;
        p_dlid[pw] <= header ? h_dlid : rx_dlid;
        p_cn[pw] <= header ? h_cn : rx_cn;
        pw <= after(pw);
      end
      pkts <= pkts + {15'd0, whole} - {15'd0, read && tx_left == 7'd1};

      // Blocks in use, and flits that came.
      for (k = 0; k < NV; k = k + 1) begin
        u = used[k];
        if (undo && rx_vl == k) begin
`ifdef BUG_SILENCE
          if (!hush)
`endif
          u = u - {9'd0, rx_cnt};
`ifdef BUG_OVERDRAW
          if (u != 16'd0) u = u - 16'd1;
`endif
        end
        if (store && s_vl == k) u = u + 16'd1;
`ifdef BUG_LEAK
        if (read && tx_vl == k && !(store && s_vl == k)) u = u - 16'd1;
`else
        if (read && tx_vl == k) u = u - 16'd1;
`endif
        used[k] <= u;
        if (up && !link) came[k] <= 12'd0;
        else
          came[k] <= ((up && sync_vld && sync_vl == k) ? sync_cnt : came[k])
                     + {11'd0, header ? {4'd0, h_vl} == k && h_vlok
                                      : heard && ctx_ok && ctx_vl == k && (rx || rx_skip)};
      end

      // What leaves.
      stop_q <= tree_vld & tree_stop;
      if (taken) begin
        tx <= 1'b1;
        tx_out <= t_out;
        tx_vl <= t_vl;
        tx_left <= p_len[pr];
        tx_sop <= 1'b1;
        tied <= 1'b0;
      end else if (asks && wait_vld[t_at] && held_by < TREES) begin
        tied <= 1'b1;
        tie <= held_by;
      end else if (tied && !tree_vld[t_out * TREES + tie]) begin
        tied <= 1'b0;
      end
      out_vld <= 0;
      out_sop <= 0;
      out_eop <= 0;
      if (read) begin
        out_vld[tx_out] <= 1'b1;
        out_sop[tx_out] <= tx_sop;
        out_eop[tx_out] <= tx_left == 7'd1;
        out_flit[W * tx_out +: W] <= flits[rp];
        rp <= after(rp);
        tx_sop <= 1'b0;
        tx_left <= tx_left - 7'd1;
        if (tx_left == 7'd1) begin
          tx <= 1'b0;
          pr <= after(pr);
        end
      end

      // Credits: a message in four cycles, for one VL after the other.
      slot <= (slot == 4'd3) ? 4'd0 : slot + 4'd1;
      cr_vld <= up && link && slot == 4'd3;
      if (slot == 4'd3) begin
        cr_vl <= slot_vl;
        cr_lim <= came[slot_vl] + SHARE - used[slot_vl];
        slot_vl <= (slot_vl == NV - 1) ? 8'd0 : slot_vl + 8'd1;
      end
    end
  end

endmodule
