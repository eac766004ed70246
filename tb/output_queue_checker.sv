// An output with a queue, told by grants, crossbar and link: what was granted and has not left is what room was taken for; each VL's flits leave in
// the order in which they came, changed by nothing but marks; the link sends whenever it can, with credits, the VLs in turn, and without gaps; the root
// test by heads that wait for credits; and nothing outlives the link. A copy of the queue is kept here. It says nothing while the crossbar brings
// what was not granted (no switch does that), until the link is down with nothing on its way. Instantiated by switch_output_port with CIOQ = 1.
// Rules CQ1-CQ3, D3, F1, PF1.
`default_nettype none

module output_queue_checker #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int OCAP = 2048,
    parameter int FLIT_BYTES = 64,
    parameter int VL_BY_DEST = 0,
    localparam int N = PORTS * VLS,
    localparam int DW = 8 * FLIT_BYTES,
    localparam int W = DW + 3  // {first, last, bad, data}
) (
    input wire logic              clk_i,
    input wire logic              rst_i,
    input wire logic              link_up_i,
    input wire logic [7:0]        pace_i,     // intervals of link and crossbar
    input wire logic              rd_en_i,
    input wire logic              rd_slow_i,
    input wire logic              sched_i,
    input wire logic              plain_i,
    input wire logic [N-1:0]      req_valid_i,
    input wire logic [7*N-1:0]    req_len_i,
    input wire logic [N-1:0]      req_cnp_i,
    input wire logic [N-1:0]      grant_i,
    input wire logic [1:0]        due_i,
    input wire logic              sw_valid_i,
    input wire logic [W-1:0]      sw_flit_i,
    input wire logic              tx_valid_i,
    input wire logic [W-1:0]      tx_flit_i,
    input wire logic [12*VLS-1:0] fccl_i,
    input wire logic [12*VLS-1:0] txr_i,
    input wire logic [16*VLS-1:0] ofill_i,
    input wire logic [16*VLS-1:0] flits_i,
    input wire logic              sending_i,
    input wire logic              told_i,     // sticky LINK_DOWN
    input wire logic [1:0]        eval_i,
    input wire logic [15:0]       high_i,
    input wire logic [15:0]       low_i,
    input wire logic [8*VLS-1:0]  count_i,
    input wire logic [VLS-1:0]    waited_i,
    input wire logic [VLS-1:0]    rooted_i
);
  localparam int AW = (VLS * OCAP > 1) ? $clog2(VLS * OCAP) : 1;

  // ---- what a first flit says
  function automatic logic [7:0] vl_of(input logic [W-1:0] f);
    logic unused;
    unused = &{1'b0, f};
    vl_of = (VL_BY_DEST != 0) ? 8'({f[23:16], f[31:24]} % 16'(VLS)) : {4'd0, f[7:4]};
  endfunction
  function automatic logic [7:0] n_of(input logic [W-1:0] f);
    logic unused;
    unused = &{1'b0, f};
    n_of = {1'b0, f[34:32], f[47:44]} + 8'(f[43:40] != '0);
  endfunction
  function automatic logic cnp_of(input logic [W-1:0] f);
    logic unused;
    unused = &{1'b0, f};
    cnp_of = (f[9:8] == 2'd2 && f[64+:8] == 8'h80) || (FLIT_BYTES == 64 && f[9:8] == 2'd3 && f[(48*8)%DW+:8] == 8'h80);
  endfunction
  // bits that marks may set in it
  function automatic logic [W-1:0] marks_of(input logic [W-1:0] f);
    logic unused;
    unused = &{1'b0, f};
    marks_of = '0;
    if (f[W-1] && f[9:8] == 2'd2) {marks_of[12*8+7], marks_of[12*8+4]} = '1;
    if (f[W-1] && f[9:8] == 2'd3 && FLIT_BYTES == 64) {marks_of[(52*8)%DW+7], marks_of[(52*8)%DW+4]} = '1;
  endfunction

  // ---- packets granted and not ended, oldest first
  logic [7:0]  due_vl_q[0:3];
  logic [7:0]  due_n_q[0:3];
  logic [3:0]  lost_q;
  logic [2:0]  dues_q;
  logic [7:0]  came_q;      // flits of the oldest
  logic        clean_q, clean2_q, clean3_q;
  logic        first, last, strange, comes, gone, ends;
  logic [7:0]  grant_vl, grant_n;
  logic [1:0]  at;          // where a packet granted now is put

  assign {first, last} = sw_flit_i[W-1-:2];
  assign gone = !link_up_i || lost_q[0];
  assign ends = sw_valid_i && last;
  assign strange = sw_valid_i && (dues_q == '0 || first != (came_q == '0) || (first && (vl_of(sw_flit_i) != due_vl_q[0]
      || n_of(sw_flit_i) != due_n_q[0])) || (came_q + 8'd1 == due_n_q[0] && !last));
  assign comes = clean_q && sw_valid_i && !strange && !gone;
  assign at = 2'(dues_q - 3'(ends));

  always_comb begin
    grant_vl = '0;
    grant_n = '0;
    for (int r = 0; r < N; r++) if (grant_i[r]) begin
      grant_vl = 8'(r % VLS);
      grant_n = 8'(req_len_i[7*r+:7]);
    end
  end

  always_ff @(posedge clk_i) begin
    clean2_q <= !rst_i && clean_q;
    clean3_q <= !rst_i && clean2_q;
    if (rst_i || (!clean_q && !link_up_i && due_i == '0 && !sw_valid_i && grant_i == '0)) begin
      clean_q <= 1'b1;
      dues_q <= '0;
      came_q <= '0;
      lost_q <= '0;
    end else begin
      if (strange || (grant_i != '0 && (dues_q - 3'(ends) >= 3'd3 || grant_n == '0 || grant_n > 8'(MTU)))) clean_q <= 1'b0;
      if (sw_valid_i) came_q <= last ? '0 : came_q + 8'd1;
      dues_q <= dues_q - 3'(ends && dues_q != '0) + 3'(grant_i != '0);
      if (ends) begin
        for (int k = 0; k < 3; k++) begin
          due_vl_q[k] <= due_vl_q[k+1];
          due_n_q[k] <= due_n_q[k+1];
        end
        lost_q <= {1'b0, lost_q[3:1]};
      end
      if (grant_i != '0) begin
        due_vl_q[at] <= grant_vl;
        due_n_q[at] <= grant_n;
        lost_q[at] <= 1'b0;
      end
      if (!link_up_i) lost_q <= '1;
    end
  end

  // ---- the copy of the queue, and the packet on the link
  logic [W-1:0]      store[0:VLS*OCAP-1];
  logic [16*VLS-1:0] rp_q, wp_q, cnt_q;
  logic              open_q;
  logic [7:0]        vl_q, n_q, m_q, vl, n, m;
  logic              tx_first, tx_last, known;
  logic [15:0]       rp;
  logic [W-1:0]      expected;

  assign {tx_first, tx_last} = tx_flit_i[W-1-:2];
  assign vl = tx_first ? vl_of(tx_flit_i) : vl_q;
  assign n = tx_first ? n_of(tx_flit_i) : n_q;
  assign m = tx_first ? 8'd1 : m_q + 8'(m_q != '1);
  assign known = vl < 8'(VLS);
  assign rp = rp_q[16*(known ? 32'(vl) : 0)+:16];
  assign expected = store[AW'((known ? 32'(vl) : 0) * OCAP + 32'(rp))];

  function automatic logic [15:0] after(input logic [15:0] p);
    after = (p == 16'(OCAP - 1)) ? '0 : p + 16'd1;
  endfunction

  always_ff @(posedge clk_i) begin
    if (tx_valid_i) begin
      open_q <= !tx_last;
      {vl_q, n_q, m_q} <= {vl, n, m};
    end
    for (int v = 0; v < VLS; v++) begin
      if (comes && due_vl_q[0] == 8'(v)) begin
        store[AW'(v * OCAP + 32'(wp_q[16*v+:16]))] <= sw_flit_i;
        wp_q[16*v+:16] <= after(wp_q[16*v+:16]);
      end
      if (tx_valid_i && vl == 8'(v)) rp_q[16*v+:16] <= after(rp_q[16*v+:16]);
      cnt_q[16*v+:16] <= cnt_q[16*v+:16] + 16'(comes && due_vl_q[0] == 8'(v)) - 16'(tx_valid_i && vl == 8'(v));
    end
    if (rst_i || !link_up_i || !clean_q) begin
      {rp_q, wp_q, cnt_q} <= '0;
      open_q <= 1'b0;
    end
  end

  // ---- what stands in each VL's queue now, and what its head could do
  logic [VLS-1:0]    stands, could, data, lacks, other_count, other_room, above;
  logic [16*VLS-1:0] rest;
  logic              open;   // after this cycle
  logic              would;  // something leaves
  logic [7:0]        at_vl;

  assign open = tx_valid_i ? !tx_last : open_q;
  assign at_vl = vl;

  for (genvar v = 0; v < VLS; v++) begin : g_vl
    logic [15:0]  place, promised;
    logic [W-1:0] head;
    logic         leaves;
    assign leaves = tx_valid_i && vl == 8'(v);
    assign place = leaves ? after(rp_q[16*v+:16]) : rp_q[16*v+:16];
    assign head = store[AW'(v * OCAP + 32'(place))];
    assign rest[16*v+:16] = cnt_q[16*v+:16] - 16'(leaves);
    assign stands[v] = rest[16*v+:16] != '0;
    assign could[v] = stands[v] && 12'(fccl_i[12*v+:12] - txr_i[12*v+:12] - 12'(n_of(head))) <= 12'd2048;
    assign data[v] = stands[v] && !cnp_of(head);
    assign lacks[v] = data[v] && !could[v];
    always_comb begin
      promised = '0;
      for (int k = 0; k < 4; k++)
        if (3'(k) < dues_q && !lost_q[k] && due_vl_q[k] == 8'(v)) promised = promised + 16'(due_n_q[k]) - ((k == 0) ? 16'(came_q) : 16'd0);
    end
    assign other_count[v] = flits_i[16*v+:16] != rest[16*v+:16];
    assign other_room[v] = ofill_i[16*v+:16] != rest[16*v+:16] + promised;
    assign above[v] = ofill_i[16*v+:16] > 16'(OCAP);
  end
  always_comb begin
    would = could != '0;
    if (open) begin
      would = 1'b0;
      for (int v = 0; v < VLS; v++) if (at_vl == 8'(v) && stands[v]) would = 1'b1;
    end
  end

  // ---- the cycle before
  logic              up_q, would_q, slot_q, starts, fits_q, emptied_q;
  logic [VLS-1:0]    lacks_q, waited_q, rooted_q, could_q, wrong_root, wrong_wait, wrong_txr, start_data;
  logic [12*VLS-1:0] txr_q, left_q;

  assign starts = tx_valid_i && tx_first;

  always_ff @(posedge clk_i) begin
    up_q <= !rst_i && link_up_i;
    emptied_q <= !rst_i && !link_up_i && stands != '0;
    would_q <= !rst_i && link_up_i && rd_slow_i && would;
    slot_q <= !rst_i && link_up_i && rd_slow_i;
    lacks_q <= (rst_i || !rd_slow_i || open) ? '0 : lacks;
    could_q <= (rst_i || !rd_slow_i || open) ? '0 : could;
    waited_q <= waited_i;
    rooted_q <= rooted_i;
    txr_q <= txr_i;
    for (int v = 0; v < VLS; v++) left_q[12*v+:12] <= fccl_i[12*v+:12] - txr_i[12*v+:12];
  end

  always_comb begin
    fits_q = 1'b0;
    for (int v = 0; v < VLS; v++) begin
      start_data[v] = starts && vl == 8'(v) && !cnp_of(tx_flit_i);
      wrong_root[v] = rooted_i[v] != (start_data[v] ? !waited_q[v] : rooted_q[v]);
      wrong_wait[v] = waited_i[v] != (!start_data[v] && (waited_q[v] || lacks_q[v]));
      wrong_txr[v] = up_q && 12'(txr_i[12*v+:12] - txr_q[12*v+:12]) != ((tx_valid_i && vl == 8'(v))
          ? (tx_first ? (tx_last ? 12'd1 : 12'(n)) : (tx_last && m < n) ? 12'(m) - 12'(n) : 12'd0) : 12'd0);
      if (vl == 8'(v) && 12'(left_q[12*v+:12] - 12'(n)) <= 12'd2048) fits_q = 1'b1;
    end
  end

  // ---- a packet that comes without a pause at one of the two paces: no gap of the link may be its fault
  logic       fast_q, slow_q, rd_en_q, rd_slow_q, coming_q, gap;
  logic [7:0] pace_q, coming_vl_q;

  always_ff @(posedge clk_i) begin
    rd_en_q <= rd_en_i;
    rd_slow_q <= rd_slow_i;
    pace_q <= pace_i;
    coming_q <= came_q != '0;
    coming_vl_q <= due_vl_q[0];
    if (sw_valid_i && first) {fast_q, slow_q} <= {2{comes}};
    else begin
      if (rd_en_q && !sw_valid_i) fast_q <= 1'b0;
      if (rd_slow_q && !sw_valid_i) slow_q <= 1'b0;
    end
    if (pace_i != pace_q || rst_i) {fast_q, slow_q} <= '0;
  end
  // the link had a slot and nothing to send in a packet, while that was still coming
  assign gap = slot_q && open_q && !tx_valid_i && coming_q && coming_vl_q == vl_q && (fast_q || slow_q) && pace_i == pace_q;

  // ---- congestion by what room is taken (eval 3), against two thresholds
  logic [1:0]        eval_q, eval2_q;
  logic [15:0]       high_q, low_q;
  logic [16*VLS-1:0] ofill_q;
  logic [8*VLS-1:0]  count_q;
  logic [VLS-1:0]    early, held_on;

  for (genvar v = 0; v < VLS; v++) begin : g_congested
    wire now = count_i[8*v+:8] != '0;
    wire was = count_q[8*v+:8] != '0;
    assign early[v] = now != was && (now ? ofill_q[16*v+:16] <= high_q : ofill_q[16*v+:16] >= low_q);
    assign held_on[v] = now ? ofill_q[16*v+:16] < low_q && ofill_q[16*v+:16] <= high_q : ofill_q[16*v+:16] > high_q;
  end

  always_ff @(posedge clk_i) begin
    eval_q <= eval_i;
    eval2_q <= rst_i ? '0 : eval_q;
    {high_q, low_q, ofill_q, count_q} <= {high_i, low_i, ofill_i, count_i};
    if (!rst_i && eval_q == 2'd3 && eval2_q == 2'd3) begin
      pf1_by_the_queue: assert (early == '0);
      pf1_at_once: assert (held_on == '0);
    end
  end

  // ---- turns at the link: starts of others while a VL could start; data of others that go past a data request that stays
  logic [VLS-1:0] passed_by;
  logic [N-1:0]   late;

  for (genvar v = 0; v < VLS; v++) begin : g_turn
    logic [6:0] others_q;
    assign passed_by[v] = others_q >= 7'(VLS);
    always_ff @(posedge clk_i) begin
      if (rst_i || !clean2_q || !stands[v] || (starts && vl == 8'(v)) || (starts && !could_q[v])) others_q <= '0;
      else if (starts && !passed_by[v]) others_q <= others_q + 1'b1;
    end
  end

  for (genvar r = 0; r < N; r++) begin : g_wait
    logic [6:0] others_q;
    logic       other;
    always_comb begin
      other = 1'b0;
      for (int i = 0; i < PORTS; i++)
        if (i != r / VLS && grant_i[i*VLS+r%VLS] && !req_cnp_i[i*VLS+r%VLS]) other = 1'b1;
    end
    assign late[r] = others_q >= 7'(PORTS);
    always_ff @(posedge clk_i) begin
      if (rst_i || sched_i || plain_i || !req_valid_i[r] || req_cnp_i[r] || grant_i[r]) others_q <= '0;
      else if (other && !late[r]) others_q <= others_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      cq1_long_is_not_passed: assert (late == '0);
      cq3_nothing_of_old_life: assert (up_q || !tx_valid_i);
    end
    if (!rst_i && clean_q && clean2_q) begin
      cq1_stored_and_promised: assert (other_room == '0 && above == '0);
      cq1_all_is_stored: assert (other_count == '0);
      cq1_order: assert (!tx_valid_i || (known && ((tx_flit_i ^ expected) & ~marks_of(expected)) == '0 && (expected & ~tx_flit_i) == '0));
      cq3_packets_whole: assert (!tx_valid_i || tx_first == !open_q);
      cq3_sending: assert (sending_i == open);
      b3_queue_loss_is_told: assert (!emptied_q || told_i);
      cq1_c_full: cover (flits_i[15:0] == 16'(OCAP));
      cq1_c_short: cover (ends && comes && came_q + 8'd1 != due_n_q[0]);
    end
    if (!rst_i && clean_q && clean2_q && clean3_q) begin
      cq3_drains: assert (!would_q || tx_valid_i);
      cq3_only_then: assert (would_q || !tx_valid_i);
      cq3_within_credit: assert (!starts || fits_q);
      cq3_takes_its_blocks: assert (wrong_txr == '0);
      cq3_no_gap: assert (!gap);
      cq3_lanes_in_turn: assert (passed_by == '0);
      d3_queue_root: assert (wrong_root == '0);
      d3_queue_waits: assert (wrong_wait == '0);
      cq3_c_lacks: cover (lacks_q != '0);
    end
  end
endmodule

`default_nettype wire
