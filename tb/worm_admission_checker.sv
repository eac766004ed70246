// What a user of a wormhole router is promised of admission: what is booked is what went on or was answered with ACK, less what was released
// and what ended; a probe is booked if and only if it fits (a real-time lane), after one turn of each other input at most, and goes on as it came or is answered once, by ten flits
// to its sender; a release goes as far as its stream is booked; what may have made the sums wrong is told. Instantiated by worm_router under
// QUELL_CHECK. Rules YA1-YA3, YA5-YA7.
//
// It looks at the cycle before (p_*): at the message in front of each control lane, by a FIFO of its own that is filled from the pins. That a
// flit left shows in st_level, a decision in the counters and st_adm: they are taken as told, and what follows is looked for in the sums and on
// the links, where a flit that went shows two cycles later. The sums are counted here by themselves.
`default_nettype none

module worm_admission_checker #(
    parameter int PORTS = 5,
    parameter int VLS = 16,
    parameter int DEPTH = 10,
    parameter int LFT_DEPTH = 1024,
    localparam int P = PORTS,
    localparam int V = VLS,
    localparam int PV = PORTS * VLS
) (
    input wire logic             clk_i,
    input wire logic             rst_i,
    input wire logic             ready_i,
    input wire logic             cfg_we_i,
    input wire logic [7:0]       cfg_port_i,
    input wire logic [7:0]       cfg_addr_i,
    input wire logic [31:0]      cfg_data_i,
    input wire logic             lft_we_i,
    input wire logic [15:0]      lft_addr_i,
    input wire logic [7:0]       lft_port_i,
    input wire logic [P-1:0]     link_up_i,
    input wire logic [P-1:0]     rx_valid_i,
    input wire logic [4*P-1:0]   rx_vl_i,
    input wire logic [P-1:0]     rx_first_i,
    input wire logic [P-1:0]     rx_last_i,
    input wire logic [P-1:0]     rx_bad_i,
    input wire logic [128*P-1:0] rx_data_i,
    input wire logic [P-1:0]     tx_valid_i,
    input wire logic [4*P-1:0]   tx_vl_i,
    input wire logic [P-1:0]     tx_first_i,
    input wire logic [P-1:0]     tx_last_i,
    input wire logic [P-1:0]     tx_bad_i,
    input wire logic [128*P-1:0] tx_data_i,
    input wire logic [16*P-1:0]  err_i,
    input wire logic [8*PV-1:0]  level_i,
    input wire logic [PV-1:0]    open_i,
    input wire logic [PV-1:0]    own_i,
    input wire logic [8*PV-1:0]  own_out_i,
    input wire logic [8*PV-1:0]  own_vl_i,
    input wire logic [8*PV-1:0]  left_in_i,
    input wire logic [8*PV-1:0]  left_out_i,
    input wire logic [16*P-1:0]  used_i,
    input wire logic [16*PV-1:0] book_out_i,
    input wire logic [16*PV-1:0] book_in_i,
    input wire logic [P-1:0]     adm_i,
    input wire logic [8*P-1:0]   slot_i,
    input wire logic [P-1:0]     slot_routed_i,
    input wire logic [P-1:0]     slot_own_i,
    input wire logic [8*P-1:0]   slot_way_i,
    input wire logic [8*PV-1:0]  cr_i,
    input wire logic [PV-1:0]    owned_i,
    input wire logic [16*P-1:0]  cnt_booked_i,
    input wire logic [16*P-1:0]  cnt_refused_i
);
  localparam int D = V - 2;                    // data lanes,
  localparam int R = V - 2;                    // reply,
  localparam int C = V - 1;                    // control
  localparam int OW = $clog2(PORTS);
  localparam int FW = $clog2(DEPTH);
  localparam int AW = (LFT_DEPTH > 1) ? $clog2(LFT_DEPTH) : 1;
  localparam logic [7:0] NONE = 8'd255;        // no route

  function automatic logic [15:0] number(input logic [15:0] bytes);
    number = {bytes[7:0], bytes[15:8]};
  endfunction

  // ---- registers and table as they were written, and as they were in the cycle before
  logic             we;
  logic [P-1:0]     at_port;
  logic             en_q, p_en_q;
  logic [15:0]      id_q, p_id_q, be_q, p_be_q;
  logic [13*P-1:0]  limit_q, p_limit_q;
  logic [4*P-1:0]   shift_q, p_shift_q;
  logic [17*P-1:0]  next_q, p_next_q;
  logic [8*PV-1:0]  w_in_q, p_w_in_q, w_out_q, p_w_out_q;
  logic [7:0]       lft_q[0:LFT_DEPTH-1];
  logic [LFT_DEPTH-1:0] written_q;
  logic             p_lft_we_q;                // an entry was written in the cycle before, over this one
  logic [15:0]      p_lft_at_q;
  logic [7:0]       p_lft_old_q;
  logic             lft_we;

  assign lft_we = ready_i && lft_we_i && 32'(lft_addr_i) < LFT_DEPTH;
  worm_written #(.PORTS(PORTS), .VLS(VLS), .ADMIT(1)) u_written (
      .clk_i, .rst_i, .ready_i, .cfg_we_i, .cfg_port_i, .cfg_addr_i, .cfg_data_i,
      .at_port_o(at_port),
      .we_o(we),
      .be_o(be_q),
      .w_in_o(w_in_q),
      .w_out_o(w_out_q),
      .ctrl_o(en_q),
      .id_o(id_q),
      .limit_o(limit_q),
      .shift_o(shift_q),
      .next_o(next_q)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      written_q <= '0;
      p_lft_we_q <= 1'b0;
    end else begin
      if (lft_we) written_q[AW'(lft_addr_i)] <= 1'b1;
      p_lft_we_q <= lft_we;
    end
    if (lft_we) lft_q[AW'(lft_addr_i)] <= lft_port_i;
    p_lft_at_q <= lft_addr_i;
    p_lft_old_q <= written_q[AW'(lft_addr_i)] ? lft_q[AW'(lft_addr_i)] : NONE;
    {p_en_q, p_id_q, p_be_q, p_limit_q, p_shift_q, p_next_q} <= {en_q, id_q, be_q, limit_q, shift_q, next_q};
    {p_w_in_q, p_w_out_q} <= {w_in_q, w_out_q};
  end

  function automatic logic is_rt(input int v);
    is_rt = v < D && !p_be_q[v];
  endfunction

  // ---- what was seen in the cycle before, and of owners two cycles ago
  logic             p_ok_q;                    // no reset
  logic             p_ready_q;
  logic [P-1:0]     p_up_q, p_valid_q, p_first_q, p_last_q, p_bad_q, p_adm_q, p_slot_own_q, pp_slot_own_q, p_slot_routed_q;
  logic [4*P-1:0]   p_vl_q;
  logic [128*P-1:0] p_data_q;
  logic [8*PV-1:0]  p_level_q, p_own_out_q, p_own_vl_q, pp_own_out_q, pp_own_vl_q, p_left_in_q, p_left_out_q;
  logic [PV-1:0]    p_open_q, p_own_q, pp_own_q;
  logic [16*P-1:0]  p_used_q, p_booked_q, p_refused_q;
  logic [P-1:0]     p_bad_err_q, p_lost_err_q;         // errors that were there and were not cleared
  logic [16*PV-1:0] p_out_q, p_in_q;
  logic [8*P-1:0]   p_slot_q, p_slot_way_q, pp_slot_way_q;
  logic [P-1:0]     p_reply_q;                 // replies may be in the input, or on their way over the link

  always_ff @(posedge clk_i) begin
    p_ok_q <= !rst_i;
    p_ready_q <= ready_i && !rst_i;
    {p_up_q, p_valid_q, p_first_q, p_last_q, p_bad_q, p_adm_q} <= {link_up_i, rx_valid_i, rx_first_i, rx_last_i, rx_bad_i, adm_i};
    {p_vl_q, p_data_q, p_level_q, p_open_q, p_own_q} <= {rx_vl_i, rx_data_i, level_i, open_i, own_i};
    {p_own_out_q, p_own_vl_q, p_left_in_q, p_left_out_q} <= {own_out_i, own_vl_i, left_in_i, left_out_i};
    {pp_own_q, pp_own_out_q, pp_own_vl_q, pp_slot_own_q} <= {p_own_q, p_own_out_q, p_own_vl_q, p_slot_own_q};
    {p_slot_q, p_slot_own_q, p_slot_routed_q, p_slot_way_q, pp_slot_way_q} <= {slot_i, slot_own_i, slot_routed_i, slot_way_i, p_slot_way_q};
    for (int p = 0; p < P; p++)
      p_reply_q[p] <= level_i[8*(p*V+R)+:8] != '0 || open_i[p*V+R] || cr_i[8*(p*V+R)+:8] != 8'(DEPTH) || owned_i[p*V+R];
    {p_used_q, p_out_q, p_in_q, p_booked_q, p_refused_q} <= {used_i, book_out_i, book_in_i, cnt_booked_i, cnt_refused_i};
    for (int p = 0; p < P; p++) begin
      p_bad_err_q[p] <= err_i[16*p+4] && !(we && at_port[p] && cfg_addr_i == 8'd10 && cfg_data_i[4]);
      p_lost_err_q[p] <= err_i[16*p+5] && !(we && at_port[p] && cfg_addr_i == 8'd10 && cfg_data_i[5]);
    end
  end

  // ---- the message in front of each control lane, and what became of it
  logic [P-1:0]     probe, release_, ready, candidate;   // it is one; its route is there
  logic [P-1:0]     booked, refused, passes, consumed, goes_on;
  logic [16*P-1:0]  bw;
  logic [4*P-1:0]   vl;
  logic [8*P-1:0]   to, home;                  // its output; that of its answer
  logic [P-1:0]     astray, ends_here;         // a release's way
  logic [128*P-1:0] head, answer;
  logic [P-1:0]     no_probe, both, wrong_way, not_fit, fit, late;
  logic [17:0]      sum[0:P-1];

  for (genvar i = 0; i < P; i++) begin : g_front
    logic [128:0] flits[0:DEPTH-1];            // first, data
    logic [7:0]   routes[0:DEPTH-1];
    logic [FW-1:0] at_q, tail;
    logic [7:0]   level_q;
    logic         young_q;                     // the last flit that came is a header, whose route is not there yet
    logic         stores, first, pop, header;
    logic [7:0]   route;
    logic [15:0]  dlid, slid;
    logic [P-1:0] passed_q;                    // inputs that were decided while this one waited

    assign stores = p_ready_q && p_up_q[i] && p_valid_q[i] && p_vl_q[4*i+:4] == 4'(C) && p_level_q[8*(i*V+C)+:8] < 8'(DEPTH)
        && (p_first_q[i] || p_open_q[i*V+C]);
    assign first = p_first_q[i] && !p_open_q[i*V+C];
    assign pop = p_up_q[i] && p_level_q[8*(i*V+C)+:8] + 8'(stores) != level_i[8*(i*V+C)+:8];

    // where a header that came leads
    assign dlid = number(p_data_q[128*i+16+:16]);
    assign slid = number(head[128*i+48+:16]);
    always_comb begin
      route = NONE;
      if (32'(dlid) < LFT_DEPTH) begin
        if (p_lft_we_q && p_lft_at_q == dlid) route = p_lft_old_q;
        else if (written_q[AW'(dlid)]) route = lft_q[AW'(dlid)];
      end
      home[8*i+:8] = NONE;
      if (32'(slid) < LFT_DEPTH) begin
        if (p_lft_we_q && p_lft_at_q == slid) home[8*i+:8] = p_lft_old_q;
        else if (written_q[AW'(slid)]) home[8*i+:8] = lft_q[AW'(slid)];
      end
      if (home[8*i+:8] >= 8'(P)) home[8*i+:8] = NONE;
    end

    assign head[128*i+:128] = flits[at_q][127:0];
    assign header = level_q != '0 && flits[at_q][128];
    assign ready[i] = header && !(young_q && level_q == 8'd1);
    assign to[8*i+:8] = routes[at_q];
    assign probe[i] = ready[i] && head[128*i+64+:8] == 8'd1;
    assign release_[i] = ready[i] && head[128*i+64+:8] == 8'd4 && to[8*i+:8] != NONE;
    assign bw[16*i+:16] = number(head[128*i+96+:16]);
    assign vl[4*i+:4] = head[128*i+4+:4];
    assign candidate[i] = p_en_q && p_up_q[i] && !p_adm_q[i] && !p_own_q[i*V+C] && ((probe[i] && p_slot_q[8*i+:8] == '0) || release_[i]);

    assign booked[i] = cnt_booked_i[16*i+:16] != p_booked_q[16*i+:16];
    assign refused[i] = cnt_refused_i[16*i+:16] != p_refused_q[16*i+:16];
    assign passes[i] = adm_i[i] && !p_adm_q[i];
    assign consumed[i] = pop && p_en_q && (probe[i] || release_[i]) && !p_adm_q[i] && !p_own_q[i*V+C];
    assign goes_on[i] = pop && p_adm_q[i] && (probe[i] || release_[i]);  // to its output

    // what it should be, by what was booked then
    assign sum[i] = (to[8*i+:8] < 8'(P)) ? 18'(used_q[13*to[8*i+:8]+:13]) + 18'(bw[16*i+:16]) : '0;
    assign fit[i] = to[8*i+:8] < 8'(P) && p_up_q[OW'(to[8*i+:8])] && is_rt(32'(vl[4*i+:4])) && sum[i] <= 18'd4096 && sum[i] <= 18'(p_limit_q[13*to[8*i+:8]+:13]);
    assign astray[i] = release_[i] && number(head[128*i+112+:16]) == p_id_q;  // it was refused here
    assign ends_here[i] = to[8*i+:8] < 8'(P) && (astray[i] || p_next_q[17*to[8*i+:8]+16] || (release_[i] && p_next_q[17*to[8*i+:8]+:16] == number(head[128*i+112+:16])));
    assign no_probe[i] = ((booked[i] || refused[i]) && !(candidate[i] && probe[i])) || (passes[i] && !candidate[i]) || (consumed[i] && !candidate[i]);
    assign both[i] = (booked[i] && refused[i]) || ((booked[i] || refused[i]) && passes[i] == consumed[i])
        || (probe[i] && (passes[i] || consumed[i]) && !booked[i] && !refused[i]);
    assign not_fit[i] = booked[i] && !fit[i];
    assign wrong_way[i] = probe[i] ? (booked[i] && consumed[i] != ends_here[i]) || (refused[i] && !consumed[i])
        : release_[i] && ((consumed[i] && !ends_here[i]) || (passes[i] && ends_here[i]));
    assign late[i] = candidate[i] && ((passes | consumed) & passed_q) != '0;
    assign answer[128*i+:128] = {number(p_id_q), head[128*i+72+:40], booked[i] ? 8'd2 : 8'd3, head[128*i+16+:16], 8'd40, head[128*i+35+:5], 3'd0,
        head[128*i+48+:16], head[128*i+:16]};

    assign tail = FW'((32'(at_q) + 32'(level_q)) % DEPTH);

    always_ff @(posedge clk_i) begin
      if (stores) begin
        flits[tail] <= {first, p_data_q[128*i+:128]};
        routes[tail] <= (first && route < 8'(P)) ? route : NONE;
      end
      if (rst_i || !p_ok_q || !p_up_q[i] || !p_ready_q) {at_q, level_q, young_q} <= '0;
      else begin
        if (pop) at_q <= (32'(at_q) == DEPTH - 1) ? '0 : at_q + 1'b1;
        level_q <= level_q + 8'(stores) - 8'(pop);
        young_q <= stores && first;
      end
      if (rst_i || !candidate[i] || consumed[i] || passes[i]) passed_q <= '0;
      else passed_q <= passed_q | passes | consumed;
    end
  end

  // ---- ends of streams: tails on the links now, which crossed in the cycle before. (Outputs have one message in a lane at a time.)
  logic [PV-1:0]    final_q;                   // of lane u of output o: the message there is a stream's last one
  logic [16*PV-1:0] final_bw_q;
  logic [P-1:0]     ends, told;                // at output o a stream ends; what is there says that it is its last message
  logic [16*P-1:0]  end_bw;
  logic [8*P-1:0]   end_in, end_lane;          // the lane where it came from

  always_comb begin
    end_in = '0;
    end_lane = '0;
    for (int o = 0; o < P; o++) begin
      for (int i = 0; i < P; i++) for (int v = 0; v < V; v++)
        if (pp_own_q[i*V+v] && pp_own_out_q[8*(i*V+v)+:8] == 8'(o) && pp_own_vl_q[8*(i*V+v)+:8] == 8'(tx_vl_i[4*o+:4])) begin
          end_in[8*o+:8] = 8'(i);
          end_lane[8*o+:8] = 8'(v);
        end
      told[o] = tx_first_i[o] && tx_data_i[128*o+64+:8] == 8'd0 && tx_data_i[128*o+72] && is_rt(32'(end_lane[8*o+:8])) && p_en_q;
      ends[o] = tx_valid_i[o] && tx_last_i[o] && (tx_first_i[o] ? told[o] : final_q[o*V+32'(tx_vl_i[4*o+:4])]);
      end_bw[16*o+:16] = tx_first_i[o] ? number(tx_data_i[128*o+96+:16]) : final_bw_q[16*(o*V+32'(tx_vl_i[4*o+:4]))+:16];
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) final_q <= '0;
    else for (int o = 0; o < P; o++) if (tx_valid_i[o]) begin
      if (tx_first_i[o]) final_bw_q[16*(o*V+32'(tx_vl_i[4*o+:4]))+:16] <= number(tx_data_i[128*o+96+:16]);
      if (tx_first_i[o] || tx_last_i[o]) final_q[o*V+32'(tx_vl_i[4*o+:4])] <= told[o] && !tx_last_i[o];
    end
  end

  // ---- the sums: what went on or is answered with ACK, less what is released and what ended
  logic [13*P-1:0]  used_q, used;
  logic [16*PV-1:0] out_q, out, in_q, in;
  logic [P-1:0]     over;                      // more was to be taken off a sum of the port than there was
  logic [P-1:0]     wrong, released, ended;    // a sum of the port is another one; with what changed there
  logic [16*P-1:0]  adds, takes;               // of the input's message

  function automatic logic [16:0] less(input logic [17:0] from, input logic [17:0] off);  // {more than there was, rest}
    less = (off > from) ? {1'b1, 16'd0} : {1'b0, 16'(from - off)};
  endfunction
  function automatic logic [15:0] more(input logic [15:0] to_it, input logic [15:0] on);
    more = (17'(to_it) + 17'(on) > 17'h0ffff) ? 16'hffff : to_it + on;
  endfunction

  always_comb begin
    logic [17:0] off;
    logic [16:0] rest;
    logic [15:0] on;
    {used, out, in, wrong} = '0;
    {over, released, ended} = '0;
    {adds, takes} = '0;
    for (int i = 0; i < P; i++) begin
      adds[16*i+:16] = booked[i] ? bw[16*i+:16] : '0;
      takes[16*i+:16] = (release_[i] && !astray[i] && (passes[i] || consumed[i])) ? bw[16*i+:16] : '0;
    end
    for (int p = 0; p < P; p++) begin
      off = ends[p] ? 18'(end_bw[16*p+:16]) : '0;
      on = '0;
      for (int i = 0; i < P; i++) if (to[8*i+:8] == 8'(p)) begin
        off = off + 18'(takes[16*i+:16]);
        on = on + adds[16*i+:16];
        if (takes[16*i+:16] != '0) {released[p], released[i]} = 2'b11;
      end
      rest = less(18'(used_q[13*p+:13]), off);
      over[p] = over[p] || rest[16];
      used[13*p+:13] = 13'(more(rest[15:0], on));
      if (ends[p]) begin
        ended[p] = 1'b1;
        ended[32'(end_in[8*p+:8])] = 1'b1;
      end
      for (int v = 0; v < V; v++) begin
        off = (ends[p] && tx_vl_i[4*p+:4] == 4'(v)) ? 18'(end_bw[16*p+:16]) : '0;
        on = '0;
        for (int i = 0; i < P; i++) if (to[8*i+:8] == 8'(p) && vl[4*i+:4] == 4'(v)) begin
          off = off + 18'(takes[16*i+:16]);
          on = on + adds[16*i+:16];
        end
        rest = less(18'(out_q[16*(p*V+v)+:16]), off);
        over[p] = over[p] || rest[16];
        out[16*(p*V+v)+:16] = more(rest[15:0], on);
        // streams that come in
        off = (vl[4*p+:4] == 4'(v)) ? 18'(takes[16*p+:16]) : '0;
        for (int o = 0; o < P; o++) if (ends[o] && end_in[8*o+:8] == 8'(p) && end_lane[8*o+:8] == 8'(v)) off = off + 18'(end_bw[16*o+:16]);
        rest = less(18'(in_q[16*(p*V+v)+:16]), off);
        over[p] = over[p] || rest[16];
        in[16*(p*V+v)+:16] = more(rest[15:0], (vl[4*p+:4] == 4'(v)) ? adds[16*p+:16] : '0);
      end
    end
    for (int p = 0; p < P; p++) if (astray[p] && consumed[p]) over[p] = 1'b1;
    if (!p_en_q) {used, out, in, over} = '0;
    for (int p = 0; p < P; p++)
      wrong[p] = 16'(used[13*p+:13]) != used_i[16*p+:16] || out[16*p*V+:16*V] != book_out_i[16*p*V+:16*V] || in[16*p*V+:16*V] != book_in_i[16*p*V+:16*V];
  end

  always_ff @(posedge clk_i) {used_q, out_q, in_q} <= (rst_i || !p_ok_q) ? '0 : {used, out, in};

  logic [P-1:0] above, bad_told, bad_made;
  for (genvar p = 0; p < P; p++) begin : g_limit
    // (with LIMIT lowered it stays above until what is booked ends)
    assign above[p] = used_i[16*p+:16] > p_used_q[16*p+:16] && (used_i[16*p+:16] > 16'(p_limit_q[13*p+:13]) || used_i[16*p+:16] > 16'd4096);
    assign bad_told[p] = over[p] && !err_i[16*p+4];
    assign bad_made[p] = err_i[16*p+4] && !over[p] && !p_bad_err_q[p];
  end

  // ---- answers: ten flits on the reply lane of the output that leads to the sender
  logic [P-1:0]     no_home_q;                 // filled two cycles ago, without a way
  logic [8*P-1:0]   way_q;
  logic [4*P-1:0]   left_q;                    // flits of the answer that are still to be seen
  logic [128*P-1:0] answer_q;
  logic [P-1:0]     owed;                      // answered in the cycle before
  logic [P-1:0]     twice, other, no_reply, lost_way, passed, waits;
  logic [P-1:0]     slot_sends;

  always_comb begin
    twice = '0;
    other = '0;
    no_reply = '0;
    lost_way = '0;
    slot_sends = '0;
    for (int o = 0; o < P; o++) if (tx_valid_i[o] && tx_vl_i[4*o+:4] == 4'(R)) begin
      for (int i = 0; i < P; i++) if (pp_slot_own_q[i] && pp_slot_way_q[8*i+:8] == 8'(o)) begin
        slot_sends[i] = 1'b1;
        no_reply[i] = left_q[4*i+:4] == '0;
        other[i] = {tx_first_i[o], tx_last_i[o], tx_bad_i[o], tx_data_i[128*o+:128]}
            != {left_q[4*i+:4] == 4'd10, left_q[4*i+:4] == 4'd1, 1'b0, (left_q[4*i+:4] == 4'd10) ? answer_q[128*i+:128] : 128'd0};
        lost_way[i] = way_q[8*i+:8] != 8'(o);
      end
    end
    for (int i = 0; i < P; i++) twice[i] = owed[i] && left_q[4*i+:4] > 4'(slot_sends[i]);
  end

  for (genvar i = 0; i < P; i++) begin : g_answer
    logic [1:0] turns_q;                       // messages of the FIFO that got the lane for which the answer waited
    logic       granted;
    logic [7:0] free_q;                        // cycles for which the lane that it waits for has been free

    assign owed[i] = probe[i] && consumed[i];
    assign granted = own_i[i*V+R] && !p_own_q[i*V+R] && own_out_i[8*(i*V+R)+:8] == slot_way_i[8*i+:8];
    assign passed[i] = turns_q > 2'd1;
    assign waits[i] = free_q > 8'(V + 1);

    always_ff @(posedge clk_i) begin
      if (rst_i) {left_q[4*i+:4], no_home_q[i]} <= '0;
      else begin
        no_home_q[i] <= owed[i] && home[8*i+:8] == NONE;
        if (owed[i]) left_q[4*i+:4] <= (home[8*i+:8] == NONE) ? '0 : 4'd10;
        else if (slot_sends[i]) left_q[4*i+:4] <= left_q[4*i+:4] - 4'd1;
      end
      if (owed[i]) begin
        answer_q[128*i+:128] <= answer[128*i+:128];
        way_q[8*i+:8] <= home[8*i+:8];
      end
      if (rst_i || !slot_routed_i[i] || slot_own_i[i] || owned_i[32'(slot_way_i[8*i+:8])*V+R]) free_q <= '0;
      else free_q <= free_q + 8'(free_q != '1);
      if (rst_i || !p_slot_routed_q[i] || slot_own_i[i]) turns_q <= '0;
      else if (granted) turns_q <= turns_q + 2'd1;
    end
  end

  // ---- what goes on is on its link two cycles after it went
  logic [P-1:0]     went_q, changed;
  logic [OW*P-1:0]  went_to_q;
  logic [128*P-1:0] went_head_q;

  for (genvar i = 0; i < P; i++) begin : g_went
    assign changed[i] = went_q[i] && !(tx_valid_i[went_to_q[OW*i+:OW]] && tx_first_i[went_to_q[OW*i+:OW]] && tx_vl_i[4*went_to_q[OW*i+:OW]+:4] == 4'(C)
        && tx_data_i[128*went_to_q[OW*i+:OW]+:128] == went_head_q[128*i+:128]);
    always_ff @(posedge clk_i) begin
      went_q[i] <= !rst_i && goes_on[i];
      went_to_q[OW*i+:OW] <= OW'(to[8*i+:8]);
      went_head_q[128*i+:128] <= head[128*i+:128];
    end
  end

  // ---- what may have made the sums wrong
  logic [PV-1:0] carries_q;                    // the message that is coming in there carries bandwidth
  logic [P-1:0]  lost, untold, groundless;

  for (genvar i = 0; i < P; i++) begin : g_lost
    logic       comes, carries, carried, stored, first, last, bad, booked_here;
    logic       strays_q;                      // the header of two cycles ago has no route, carries bandwidth and is no probe
    logic [7:0] route;
    logic [15:0] dlid;
    logic [7:0] kind;
    logic [3:0] lane;

    assign lane = p_vl_q[4*i+:4];
    assign kind = p_data_q[128*i+64+:8];
    assign comes = p_ready_q && p_up_q[i] && p_valid_q[i] && 32'(lane) < V;
    assign carries = (lane == 4'(C) && (kind == 8'd1 || kind == 8'd4)) || (lane == 4'(R) && (kind == 8'd2 || kind == 8'd3)) || (is_rt(32'(lane)) && kind == 8'd0 && p_data_q[128*i+72]);
    assign stored = comes && p_level_q[8*(i*V+32'(lane))+:8] < 8'(DEPTH) && (p_first_q[i] || p_open_q[i*V+32'(lane)]);
    assign first = p_first_q[i] && !p_open_q[i*V+32'(lane)];
    assign last = p_last_q[i] || (p_first_q[i] && p_open_q[i*V+32'(lane)]);
    assign bad = (p_bad_q[i] && p_last_q[i]) || (p_first_q[i] && p_open_q[i*V+32'(lane)]);
    assign carried = first ? carries : carries_q[i*V+32'(lane)];
    assign booked_here = p_used_q[16*i+:16] != '0 || p_in_q[16*i*V+:16*V] != '0 || p_level_q[8*(i*V+C)+:8] != '0 || p_open_q[i*V+C] || p_reply_q[i];
    assign lost[i] = p_en_q && ((p_ready_q && !p_up_q[i] && booked_here) || (comes && p_first_q[i] && carries && !(stored && first))
        || (stored && last && bad && carried) || no_home_q[i] || (p_up_q[i] && strays_q));
    assign dlid = number(p_data_q[128*i+16+:16]);
    always_comb begin
      route = NONE;
      if (32'(dlid) < LFT_DEPTH) begin
        if (p_lft_we_q && p_lft_at_q == dlid) route = p_lft_old_q;
        else if (written_q[AW'(dlid)]) route = lft_q[AW'(dlid)];
      end
    end
    assign untold[i] = lost[i] && !err_i[16*i+5];
    assign groundless[i] = err_i[16*i+5] && !lost[i] && !p_lost_err_q[i];
    always_ff @(posedge clk_i) begin
      strays_q <= !rst_i && p_ready_q && stored && first && carries && route >= 8'(P) && !(lane == 4'(C) && kind == 8'd1);
      if (rst_i || !p_ready_q || !p_up_q[i]) carries_q[i*V+:V] <= '0;
      else if (stored && (first || last)) carries_q[i*V+32'(lane)] <= carried && !last;
    end
  end

  // ---- weights: flits that are left to a lane are as many, one less, or its weight
  logic [PV-1:0] weight_off;

  function automatic logic follows(input logic [7:0] now, input logic [7:0] was, input logic [7:0] weight);
    follows = now == was || (was > 8'd1 && now == was - 8'd1) || (was <= 8'd1 && now == weight);
  endfunction

  for (genvar r = 0; r < PV; r++) begin : g_weight
    logic [15:0] share_in, share_out;
    logic [7:0]  w_in, w_out;

    assign share_in = p_in_q[16*r+:16] >> p_shift_q[4*(r/V)+:4];
    assign share_out = p_out_q[16*r+:16] >> p_shift_q[4*(r/V)+:4];

    always_comb begin
      w_in = p_w_in_q[8*r+:8];
      w_out = p_w_out_q[8*r+:8];
      if (p_en_q && is_rt(r % V)) begin
        w_in = (share_in > 16'd255) ? 8'd255 : share_in[7:0];
        w_out = (share_out > 16'd255) ? 8'd255 : share_out[7:0];
      end
      if (w_in == '0) w_in = 8'd1;
      if (w_out == '0) w_out = 8'd1;
    end

    assign weight_off[r] = !follows(left_in_i[8*r+:8], p_left_in_q[8*r+:8], w_in) || !follows(left_out_i[8*r+:8], p_left_out_q[8*r+:8], w_out);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i && p_ok_q) begin
      ya1_goes_on_as_it_came: assert (changed == '0);
      ya2_within_limit: assert (above == '0);
      ya2_decides_candidates: assert (no_probe == '0);
      ya2_decided_once: assert (both == '0);
      ya2_one_a_cycle: assert ($onehot0(passes | consumed));
      ya2_booked_fits: assert (not_fit == '0);
      ya2_refused_does_not_fit: assert ((refused & fit) == '0);
      ya2_somebody_is_decided: assert (candidate == '0 || (passes | consumed) != '0);
      ya2_passed_once: assert (late == '0);
      ya2_sums_are_what_went_on: assert ((wrong & ~released & ~ended) == '0);
      ya2_stops_where_it_should: assert ((wrong_way & probe) == '0);
      ya3_answered_once: assert (twice == '0 && no_reply == '0);
      ya3_reply_of_ten_flits: assert (other == '0);
      ya3_reply_goes_home: assert (lost_way == '0);
      ya3_passed_once: assert (passed == '0);
      ya3_waits_for_no_neighbour: assert (waits == '0);
      ya3_lost_is_told: assert (untold == '0);
      ya3_lost_has_a_cause: assert (groundless == '0);
      ya5_release_takes_off: assert ((wrong & released & ~ended) == '0);
      ya5_stops_where_it_should: assert ((wrong_way & release_) == '0);
      ya5_bad_release_is_told: assert (bad_told == '0 && bad_made == '0);
      ya6_end_takes_off: assert ((wrong & ended) == '0);
      ya7_weights_are_what_is_booked: assert (weight_off == '0);
    end
  end

  wire unused = &{1'b0, cfg_data_i, ready, p_data_q, err_i};
endmodule

`default_nettype wire
