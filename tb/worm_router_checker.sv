// What a user of a wormhole router is promised, told by its ports alone: each flit that came in goes out once, in the lane and in the order of its
// message, to the output that its DLID led to when it came, or is discarded with an error, or lost with a link; credits are kept and all come
// home; classes go before each other as they should, and nobody waits for ever. Instantiated by worm_router under QUELL_CHECK.
// Rules YW1-YW8, F1, R1, C1.
//
// A flit that goes in t is on tx in t+2, so the cycle that is looked at is two cycles ago: x_* is what came in then, tx_* what went. Copies of the
// lanes are kept by what came and what went; the order in which lanes go is never predicted. A header that two lanes may have sent (with the same
// data) makes the copies vague: nothing more is said until a reset. Admission takes messages of the control lanes, which shows in pulses, and makes
// replies, which are sources beside the lanes; whether it should is said by worm_admission_checker.
`default_nettype none

module worm_router_checker #(
    parameter int PORTS = 5,
    parameter int VLS = 16,
    parameter int DEPTH = 10,
    parameter int LFT_DEPTH = 1024,
    parameter int ADMIT = 0,
    localparam int P = PORTS,
    localparam int V = VLS,
    localparam int PV = PORTS * VLS
) (
    input wire logic              clk_i,
    input wire logic              rst_i,
    input wire logic              cfg_we_i,
    input wire logic              cfg_re_i,
    input wire logic [7:0]        cfg_port_i,
    input wire logic [7:0]        cfg_addr_i,
    input wire logic [31:0]       cfg_data_i,
    input wire logic              lft_we_i,
    input wire logic [15:0]       lft_addr_i,
    input wire logic [7:0]        lft_port_i,
    input wire logic [P-1:0]      link_up_i,
    input wire logic [P-1:0]      rx_valid_i,
    input wire logic [4*P-1:0]    rx_vl_i,
    input wire logic [P-1:0]      rx_first_i,
    input wire logic [P-1:0]      rx_last_i,
    input wire logic [P-1:0]      rx_bad_i,
    input wire logic [128*P-1:0]  rx_data_i,
    input wire logic [PV-1:0]     rx_credit_i,
    input wire logic              ready_i,
    input wire logic [P-1:0]      tx_valid_i,
    input wire logic [4*P-1:0]    tx_vl_i,
    input wire logic [P-1:0]      tx_first_i,
    input wire logic [P-1:0]      tx_last_i,
    input wire logic [P-1:0]      tx_bad_i,
    input wire logic [128*P-1:0]  tx_data_i,
    input wire logic [PV-1:0]     tx_credit_i,
    input wire logic [16*P-1:0]   err_i,
    input wire logic              cfg_rvalid_i,
    input wire logic [31:0]       cfg_rdata_i
);
  localparam int D = V - 2;                        // data lanes; then reply, control
  localparam int LW = $clog2(PV);
  localparam int AW = (LFT_DEPTH > 1) ? $clog2(LFT_DEPTH) : 1;
  localparam int SW = $clog2(PV * DEPTH);
  localparam int FW = 131;                         // {first, last, bad, data}
  localparam logic [7:0] NONE = 8'd255;            // no route
  localparam logic [FW-1:0] MADE = {3'b011, 128'd0};

  // ---- registers and table as they were written
  logic [15:0]      be_q, be_1_q, be_2_q;          // best-effort lanes, as written
  logic [8*P-1:0]   lhp_q;
  logic [8*PV-1:0]  w_in_q, w_out_q;
  logic [7:0]       most_in_q, most_out_q;         // the largest weights since the reset
  logic [7:0]       most_lhp;                      // 0: some port has none
  logic [7:0]       lft_q[0:LFT_DEPTH-1];
  logic [LFT_DEPTH-1:0] written_q;
  logic [P-1:0]     at_port;                       // ports that a write is for
  logic             we;
  logic [3:0]       reg_lane;

  assign reg_lane = cfg_addr_i[3:0];

  // those of admission, 0 without
  logic             ctrl_q;
  logic [15:0]      id_q;
  logic [13*P-1:0]  limit_q;
  logic [4*P-1:0]   shift_q;
  logic [17*P-1:0]  next_q;

  worm_written #(.PORTS(PORTS), .VLS(VLS), .ADMIT(ADMIT)) u_written (
      .clk_i, .rst_i, .ready_i, .cfg_we_i, .cfg_port_i, .cfg_addr_i, .cfg_data_i,
      .at_port_o(at_port),
      .we_o(we),
      .be_o(be_q),
      .w_in_o(w_in_q),
      .w_out_o(w_out_q),
      .ctrl_o(ctrl_q),
      .id_o(id_q),
      .limit_o(limit_q),
      .shift_o(shift_q),
      .next_o(next_q)
  );

  always_comb begin
    most_lhp = '0;
    for (int p = 0; p < P; p++) if (lhp_q[8*p+:8] > most_lhp) most_lhp = lhp_q[8*p+:8];
    for (int p = 0; p < P; p++) if (lhp_q[8*p+:8] == '0) most_lhp = '0;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      lhp_q <= {P{8'd64}};
      {most_in_q, most_out_q} <= {8'd1, 8'd1};
      written_q <= '0;
    end else begin
      for (int p = 0; p < P; p++) if (we && at_port[p] && cfg_addr_i == 8'd3) lhp_q[8*p+:8] <= cfg_data_i[7:0];
      if (we && cfg_addr_i[7:4] == 4'd2 && 32'(reg_lane) < V && cfg_data_i[7:0] > most_in_q) most_in_q <= cfg_data_i[7:0];
      if (we && cfg_addr_i[7:4] == 4'd3 && 32'(reg_lane) < V && cfg_data_i[7:0] > most_out_q) most_out_q <= cfg_data_i[7:0];
      // (with admission any weight may be)
      if (ADMIT != 0 && we && cfg_addr_i == 8'd0 && cfg_data_i[0]) {most_in_q, most_out_q} <= '1;
      if (ready_i && lft_we_i && 32'(lft_addr_i) < LFT_DEPTH) written_q[AW'(lft_addr_i)] <= 1'b1;
    end
    if (ready_i && lft_we_i && 32'(lft_addr_i) < LFT_DEPTH) lft_q[AW'(lft_addr_i)] <= lft_port_i;
  end

  // what a read of now says in the next cycle, where it is known here
  logic        re_q, known, known_q;
  logic [31:0] answer, answer_q;

  always_comb begin
    known = 1'b1;
    answer = '0;
    for (int p = 0; p < P; p++) if (cfg_port_i == 8'(p)) begin
      case (cfg_addr_i)
        8'd3: answer = 32'(lhp_q[8*p+:8]);
        8'd5: answer = 32'(be_q);
        8'd10: answer = 32'(err_i[16*p+:16]);
        8'd8, 8'd128, 8'd129, 8'd130: known = 1'b0;
        8'd0: answer = 32'(ctrl_q);
        8'd1: answer = 32'(limit_q[13*p+:13]);
        8'd2: answer = 32'(shift_q[4*p+:4]);
        8'd6: answer = 32'(id_q);
        8'd7: answer = 32'(next_q[17*p+:17]);
        8'd131, 8'd132, 8'd133: known = ADMIT == 0;
        default: begin
          if (cfg_addr_i[7:4] == 4'd2 && 32'(reg_lane) < V) answer = 32'(w_in_q[8*(p*V+32'(reg_lane))+:8]);
          if (cfg_addr_i[7:4] == 4'd3 && 32'(reg_lane) < V) answer = 32'(w_out_q[8*(p*V+32'(reg_lane))+:8]);
          if (cfg_addr_i[7:4] == 4'd9 || cfg_addr_i[7:4] == 4'd10) known = ADMIT == 0;
        end
      endcase
    end
  end

  // ---- what came in: now, a cycle ago (x1), two cycles ago (x)
  logic             past_ok_q, x1_ready_q, x_ready_q;
  logic [P-1:0]     x1_up_q, x_up_q, x1_valid_q, x_valid_q;
  logic [4*P-1:0]   x1_vl_q, x_vl_q;
  logic [FW*P-1:0]  x1_flit_q, x_flit_q;
  logic [8*P-1:0]   x1_route_q, x_route_q, route;  // the entry of a header's DLID when it came
  logic [PV-1:0]    x1_credit_q, x_credit_q, pulse_q;
  logic [16*P-1:0]  x1_clear_q, x_clear_q, clear, err_1_q;
  logic [15:0]      since_q;                       // cycles since the reset without ready

  for (genvar p = 0; p < P; p++) begin : g_route
    logic [15:0] dlid;
    assign dlid = {rx_data_i[128*p+16+:8], rx_data_i[128*p+24+:8]};
    assign route[8*p+:8] = (rx_valid_i[p] && rx_first_i[p] && 32'(dlid) < LFT_DEPTH && written_q[AW'(dlid)]
        && lft_q[AW'(dlid)] < 8'(P)) ? lft_q[AW'(dlid)] : NONE;
    assign clear[16*p+:16] = (we && at_port[p] && cfg_addr_i == 8'd10) ? cfg_data_i[15:0] : '0;
  end

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    x1_ready_q <= ready_i && !rst_i;
    x_ready_q <= x1_ready_q && !rst_i;
    x1_up_q <= link_up_i;
    x_up_q <= x1_up_q;
    x1_valid_q <= rx_valid_i;
    x_valid_q <= x1_valid_q;
    x1_vl_q <= rx_vl_i;
    x_vl_q <= x1_vl_q;
    for (int p = 0; p < P; p++)
      x1_flit_q[FW*p+:FW] <= {rx_first_i[p], rx_last_i[p], rx_bad_i[p] && rx_last_i[p], rx_data_i[128*p+:128]};
    x_flit_q <= x1_flit_q;
    x1_route_q <= route;
    x_route_q <= x1_route_q;
    x1_credit_q <= rx_credit_i;
    x_credit_q <= x1_credit_q;
    x1_clear_q <= clear;
    x_clear_q <= x1_clear_q;
    be_1_q <= be_q;
    be_2_q <= be_1_q;
    pulse_q <= rst_i ? '0 : tx_credit_i;
    err_1_q <= rst_i ? '0 : err_i;
    re_q <= !rst_i && ready_i && cfg_re_i;
    known_q <= known;
    answer_q <= answer;
    since_q <= (rst_i || ready_i) ? '0 : since_q + 16'(since_q != '1);
  end

  // ---- copies of the lanes, S(t) of the cycle that is looked at. Element r = i*V+v of lane v of input i, or o*V+u of output o.
  logic [FW-1:0]   store[0:PV*DEPTH-1];            // flits, and the routes of headers
  logic [7:0]      routes[0:PV*DEPTH-1];
  logic [8*PV-1:0] level_q, head_q, owe_q, cr_q;
  logic [PV-1:0]   open_q, drain_q, cut_q, young_q;  // young: the newest flit is a header that has no route yet
  logic [PV-1:0]   busy_q, moot_q;                 // the header has left, the tail has not; the class changed while something was there
  logic [PV-1:0]   lost_q;                         // some header without a route may stand in the lane
  logic [8*PV-1:0] to_q;                           // of a busy lane: the lane of the output
  logic [PV-1:0]   held_q;                         // lanes of outputs with a message under way
  logic [8*PV-1:0] from_q;                         // whose
  logic [16*P-1:0] err_q;
  logic            vague_q;

  // replies that inputs owe to probes: flits that are still to come, the header but for its type, and whether the sender cannot be reached
  logic [4*P-1:0]   reply_q;
  logic [128*P-1:0] reply_head_q;
  logic [P-1:0]     no_home_q;
  logic [PV-1:0]    by_slot_q;                     // the message in the lane of an output is such a reply
  logic [8*P-1:0]   reply_to_q;                    // of a reply that has begun: the lane of the output

  function automatic logic is_be(input int v);
    is_be = v < D && be_2_q[v];
  endfunction
  function automatic logic [SW-1:0] slot(input int r, input logic [7:0] k);
    slot = SW'(r * DEPTH + 32'(k));
  endfunction
  function automatic logic [7:0] after(input logic [7:0] k);
    after = (32'(k) == DEPTH - 1) ? '0 : k + 8'd1;
  endfunction

  // ---- who sent what is on tx
  logic [PV-1:0]    goes, leaves, ends, binds, frees;  // a flit of the lane; of its FIFO; a tail; lanes of outputs by header and tail
  logic [P-1:0]     sends;                        // inputs that sent
  logic [P-1:0]     stray, other, no_lane, two_flits, in_message, vague, no_credit, unheard;
  logic [8*P-1:0]   src;
  logic [8*P-1:0]   at;
  logic [FW-1:0]    flit;
  logic [7:0]       found;
  logic [P-1:0]     by_slot, slot_goes;            // what is on tx is of a reply; inputs whose reply it is
  logic             same_class;

  always_comb begin
    goes = '0;
    leaves = '0;
    ends = '0;
    binds = '0;
    frees = '0;
    sends = '0;
    stray = '0;
    other = '0;
    no_lane = '0;
    two_flits = '0;
    in_message = '0;
    vague = '0;
    no_credit = '0;
    unheard = '0;
    src = '0;
    at = '0;
    flit = '0;
    found = '0;
    by_slot = '0;
    slot_goes = '0;
    same_class = 1'b0;
    // flits of messages under way
    for (int o = 0; o < P; o++) begin
      at[8*o+:8] = 8'(o * V) + 8'(tx_vl_i[4*o+:4]);
      flit = {tx_first_i[o], tx_last_i[o], tx_bad_i[o], tx_data_i[128*o+:128]};
      if (tx_valid_i[o]) begin
        if (32'(tx_vl_i[4*o+:4]) >= V) no_lane[o] = 1'b1;
        else begin
          unheard[o] = !x_up_q[o];
          no_credit[o] = cr_q[8*at[8*o+:8]+:8] == '0;
          if (held_q[LW'(at[8*o+:8])]) begin
            src[8*o+:8] = from_q[8*at[8*o+:8]+:8];
            in_message[o] = tx_first_i[o];
            by_slot[o] = by_slot_q[LW'(at[8*o+:8])];
            if (by_slot[o]) other[o] = flit != {1'b0, reply_q[4*(32'(src[8*o+:8])/V)+:4] == 4'd1, 129'd0};
            else if (cut_q[LW'(src[8*o+:8])]) other[o] = flit != MADE;
            else other[o] = !in_message[o] && (level_q[8*src[8*o+:8]+:8] == '0
                || flit != store[slot(32'(src[8*o+:8]), head_q[8*src[8*o+:8]+:8])]);
            if (by_slot[o]) slot_goes[32'(src[8*o+:8])/V] = 1'b1;
            else begin
              leaves[LW'(src[8*o+:8])] = !cut_q[LW'(src[8*o+:8])];
              goes[LW'(src[8*o+:8])] = 1'b1;
              ends[LW'(src[8*o+:8])] = tx_last_i[o];
            end
            if (sends[32'(src[8*o+:8]) / V]) two_flits[o] = 1'b1;
            sends[32'(src[8*o+:8]) / V] = 1'b1;
            frees[LW'(at[8*o+:8])] = tx_last_i[o];
          end else if (!tx_first_i[o]) stray[o] = 1'b1;
        end
      end
    end
    // headers
    for (int o = 0; o < P; o++) begin
      flit = {tx_first_i[o], tx_last_i[o], tx_bad_i[o], tx_data_i[128*o+:128]};
      if (tx_valid_i[o] && tx_first_i[o] && !no_lane[o] && !held_q[LW'(at[8*o+:8])]) begin
        found = '0;
        for (int r = 0; r < PV; r++) begin
          if (level_q[8*r+:8] != '0 && !busy_q[r] && !(young_q[r] && level_q[8*r+:8] == 8'd1)
              && routes[slot(r, head_q[8*r+:8])] == 8'(o) && store[slot(r, head_q[8*r+:8])] == flit) begin
            same_class = (r % V == 32'(tx_vl_i[4*o+:4]) && (moot_q[r] || !is_be(r % V)))
                || (r % V < D && 32'(tx_vl_i[4*o+:4]) < D && (moot_q[r] || (is_be(r % V) && is_be(32'(tx_vl_i[4*o+:4])))));
            // a lane whose flit leaves gives a pulse in the next cycle
            if (same_class && !sends[r / V] && (pulse_q[r] || !x_up_q[r/V])) begin
              if (found == '0) src[8*o+:8] = 8'(r);
              found = found + 8'd1;
            end
          end
        end
        if (ADMIT != 0 && tx_vl_i[4*o+:4] == 4'(V - 2)) for (int i = 0; i < P; i++)
          if (reply_q[4*i+:4] == 4'd10 && !sends[i] && (flit[64+:8] == 8'd2 || flit[64+:8] == 8'd3)
              && {flit[FW-1:72], 8'd0, flit[63:0]} == {3'b100, reply_head_q[128*i+:128]}) begin
            if (found == '0) begin
              src[8*o+:8] = 8'(i * V + V - 2);
              by_slot[o] = 1'b1;
            end
            found = found + 8'd1;
          end
        stray[o] = found == '0;
        vague[o] = found > 8'd1;
        if (found != '0) begin
          if (by_slot[o]) slot_goes[32'(src[8*o+:8])/V] = 1'b1;
          else begin
            leaves[LW'(src[8*o+:8])] = 1'b1;
            goes[LW'(src[8*o+:8])] = 1'b1;
            ends[LW'(src[8*o+:8])] = tx_last_i[o];
          end
          sends[32'(src[8*o+:8]) / V] = 1'b1;
          binds[LW'(at[8*o+:8])] = !tx_last_i[o];
        end
      end
    end
  end

  // ---- what came: stored, or dropped and why
  logic [P-1:0]    bad_vl, overflow, framing, credit, no_route, cut_open;
  logic [PV-1:0]   stores, opens, due, made, young;
  logic [16*P-1:0] err;

  for (genvar i = 0; i < P; i++) begin : g_in
    logic         comes, first, last, legal, full, is_open;
    logic [LW-1:0] r;
    assign comes = x_ready_q && x_up_q[i] && x_valid_q[i];
    assign legal = 32'(x_vl_q[4*i+:4]) < V;
    assign r = LW'(i * V + (legal ? 32'(x_vl_q[4*i+:4]) : 0));
    assign {first, last} = x_flit_q[FW*i+FW-1-:2];
    assign full = level_q[8*r+:8] == 8'(DEPTH);
    assign is_open = open_q[r];
    assign bad_vl[i] = comes && !legal;
    assign overflow[i] = comes && legal && full;
    assign framing[i] = comes && legal && !full && first == is_open;
    assign no_route[i] = (x_up_q[i] && lost_young[i]) || no_home_q[i];
    assign cut_open[i] = x_ready_q && !x_up_q[i] && open_q[i*V+:V] != '0;
    assign credit[i] = x_up_q[i] && bad_credit[i*V+:V] != '0;
    assign err[16*i+:16] = (err_q[16*i+:16] & ~x_clear_q[16*i+:16])
        | {8'd0, cut_open[i], credit[i], (ADMIT != 0) ? err_1_q[16*i+4+:2] : 2'd0, framing[i], overflow[i], no_route[i], bad_vl[i]};
    logic [V-1:0] stored, opened, owed, ended, header;  // (a write to a part that is chosen at run time would be one to all inputs)
    assign stores[i*V+:V] = stored;
    assign opens[i*V+:V] = opened;
    assign due[i*V+:V] = owed;
    assign made[i*V+:V] = ended;
    assign young[i*V+:V] = header;
    always_comb begin
      stored = '0;
      opened = open_q[i*V+:V];
      owed = '0;
      ended = '0;
      header = '0;
      for (int v = 0; v < V; v++) if (comes && !full && x_vl_q[4*i+:4] == 4'(v)) begin
        stored[v] = first || is_open;
        ended[v] = first && is_open;
        header[v] = first && !is_open;
        owed[v] = !first && !is_open;
        opened[v] = (first || is_open) && !last && !(first && is_open);
      end
    end
  end

  // ---- admission: what is in front of a control lane may be taken, and a probe is answered then
  logic            en_1_q, en_2_q;                 // admit_en of the cycle that is looked at, and NODE_ID
  logic [15:0]     id_1_q, id_2_q;
  logic            lft_1_we_q, lft_2_we_q;         // entries of the table that were written since, and what they were
  logic [15:0]     lft_1_at_q, lft_2_at_q;
  logic [7:0]      lft_1_q, lft_2_q;
  logic [P-1:0]    takes, spares, unclear;         // it is taken; a probe that is not discarded; that it went may be for an older pulse

  always_ff @(posedge clk_i) begin
    {en_1_q, en_2_q} <= rst_i ? '0 : {ctrl_q, en_1_q};
    {id_1_q, id_2_q} <= {id_q, id_1_q};
    {lft_1_we_q, lft_2_we_q} <= rst_i ? '0 : {ready_i && lft_we_i && 32'(lft_addr_i) < LFT_DEPTH, lft_1_we_q};
    {lft_1_at_q, lft_2_at_q} <= {lft_addr_i, lft_1_at_q};
    {lft_1_q, lft_2_q} <= {written_q[AW'(lft_addr_i)] ? lft_q[AW'(lft_addr_i)] : NONE, lft_1_q};
  end

  for (genvar i = 0; i < P; i++) begin : g_admission
    localparam int R = i * V + V - 1;
    logic [FW-1:0] front;
    logic [15:0]   slid;
    logic [7:0]    home;
    logic          there, probe;

    assign front = store[slot(R, head_q[8*R+:8])];
    assign there = ADMIT != 0 && x_ready_q && en_2_q && x_up_q[i] && level_q[8*R+:8] != '0 && front[FW-1]
        && !(young_q[R] && level_q[8*R+:8] == 8'd1);
    assign probe = there && front[64+:8] == 8'd1;
    assign spares[i] = probe;  // (also behind a tail that is to be made)
    assign takes[i] = (probe || (there && front[64+:8] == 8'd4)) && !busy_q[R] && pulse_q[R] && !leaves[R];
    assign unclear[i] = takes[i] && (owe_q[8*R+:8] != '0 || due[R]);

    assign slid = {front[48+:8], front[56+:8]};
    always_comb begin
      home = written_q[AW'(slid)] ? lft_q[AW'(slid)] : NONE;
      if (lft_1_we_q && lft_1_at_q == slid) home = lft_1_q;
      if (lft_2_we_q && lft_2_at_q == slid) home = lft_2_q;
      if (32'(slid) >= LFT_DEPTH || home >= 8'(P)) home = NONE;
    end

    always_ff @(posedge clk_i) begin
      if (rst_i) {reply_q[4*i+:4], no_home_q[i]} <= '0;
      else begin
        no_home_q[i] <= probe && takes[i] && home == NONE;
        if (probe && takes[i]) reply_q[4*i+:4] <= (home == NONE) ? '0 : 4'd10;
        else if (slot_goes[i]) reply_q[4*i+:4] <= reply_q[4*i+:4] - 4'd1;
      end
      if (probe && takes[i]) reply_head_q[128*i+:128] <= {id_2_q[7:0], id_2_q[15:8], front[72+:40], 8'd0, front[16+:16], 8'd40, front[35+:5], 3'd0,
          front[48+:16], front[15:0]};
    end
  end

  // ---- per lane: discards, pulses, next state
  logic [PV-1:0] discards, gives, bad_credit;
  logic [P-1:0]  lost_young;
  logic [8*PV-1:0] left;

  for (genvar r = 0; r < PV; r++) begin : g_lane
    localparam int I = r / V;
    logic       front_none;
    logic [7:0] n;
    assign front_none = lost_q[r] && level_q[8*r+:8] != '0 && !(young_q[r] && level_q[8*r+:8] == 8'd1)
        && store[slot(r, head_q[8*r+:8])][FW-1] && routes[slot(r, head_q[8*r+:8])] == NONE;
    assign discards[r] = x_ready_q && x_up_q[I] && level_q[8*r+:8] != '0
        && (drain_q[r] || (r % V == V - 1 && takes[I]) || (front_none && !(r % V == V - 1 && spares[I])));
    assign left[8*r+:8] = level_q[8*r+:8] - 8'(leaves[r]) - 8'(discards[r]);
    assign n = owe_q[8*r+:8] + 8'(leaves[r]) + 8'(discards[r]) + 8'(due[r]);
    assign gives[r] = x_ready_q && x_up_q[I] && n != '0;
    assign bad_credit[r] = x_ready_q && x_credit_q[r] && cr_q[8*r+:8] == 8'(DEPTH);

    always_ff @(posedge clk_i) begin
      logic [7:0] tail;
      tail = 8'((32'(head_q[8*r+:8]) + 32'(level_q[8*r+:8])) % DEPTH);
      if (stores[r]) begin
        store[slot(r, tail)] <= made[r] ? {3'b011, x_flit_q[FW*I+:128]} : x_flit_q[FW*I+:FW];
        routes[slot(r, tail)] <= young[r] ? x_route_q[8*I+:8] : NONE;
      end
      if (rst_i || !x_ready_q || !x_up_q[I]) begin
        level_q[8*r+:8] <= '0;
        head_q[8*r+:8] <= '0;
        owe_q[8*r+:8] <= '0;
        {open_q[r], drain_q[r], young_q[r], lost_q[r]} <= '0;
        cut_q[r] <= !rst_i && x_ready_q && !ends[r] && (busy_q[r] || goes[r]);
      end else begin
        level_q[8*r+:8] <= left[8*r+:8] + 8'(stores[r]);
        if (leaves[r] || discards[r]) head_q[8*r+:8] <= after(head_q[8*r+:8]);
        owe_q[8*r+:8] <= (n == '0) ? '0 : (n > 8'(DEPTH + 1)) ? 8'(DEPTH) : n - 8'd1;
        open_q[r] <= opens[r];
        young_q[r] <= young[r];
        if (discards[r]) drain_q[r] <= !store[slot(r, head_q[8*r+:8])][FW-2];
        lost_q[r] <= (lost_q[r] && left[8*r+:8] != '0) || (young[r] && x_route_q[8*I+:8] == NONE);
        if (goes[r]) cut_q[r] <= 1'b0;
      end
      if (rst_i) {busy_q[r], moot_q[r]} <= '0;
      else begin
        if (goes[r]) busy_q[r] <= !ends[r];
        moot_q[r] <= (moot_q[r] || be_1_q != be_2_q) && (left[8*r+:8] != '0 || stores[r] || (busy_q[r] && !ends[r]));
      end
      // the lane of an output
      if (rst_i || !x_ready_q || !x_up_q[I]) cr_q[8*r+:8] <= 8'(DEPTH);
      else cr_q[8*r+:8] <= cr_q[8*r+:8] - 8'(tx_valid_i[I] && at[8*I+:8] == 8'(r)) + 8'(x_credit_q[r] && !bad_credit[r]);
      if (rst_i || frees[r]) held_q[r] <= 1'b0;
      else if (binds[r]) begin
        held_q[r] <= 1'b1;
        by_slot_q[r] <= by_slot[I];
        from_q[8*r+:8] <= src[8*I+:8];
      end
    end
  end

  always_comb begin
    lost_young = '0;
    for (int r = 0; r < PV; r++)
      if (young_q[r] && x_ready_q && lost_q[r]
          && routes[slot(r, 8'((32'(head_q[8*r+:8]) + 32'(level_q[8*r+:8]) - 1) % DEPTH))] == NONE) lost_young[r/V] = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    for (int o = 0; o < P; o++) if (binds[LW'(at[8*o+:8])]) begin
      if (by_slot[o]) reply_to_q[8*(32'(src[8*o+:8])/V)+:8] <= at[8*o+:8];
      else to_q[8*src[8*o+:8]+:8] <= at[8*o+:8];
    end
    err_q <= rst_i ? '0 : err;
    vague_q <= !rst_i && (vague_q || vague != '0 || unclear != '0);
  end

  // ---- who could send, by what is seen: of a lane whose header has left all is known
  logic [PV-1:0] could, alone;                     // alone: its input has nothing else
  logic [P-1:0]  quick, quick_goes;                // inputs with something in the lanes of reply and control; outputs that take such a flit
  logic [P-1:0]  rt_goes, be_goes;
  logic [P-1:0]  some;                             // inputs with something in their lanes, one lane only
  logic [PV-1:0] filled;

  for (genvar r = 0; r < PV; r++) begin : g_could
    localparam int I = r / V;
    assign filled[r] = level_q[8*r+:8] != '0 || busy_q[r];
    assign could[r] = x_ready_q && busy_q[r] && (level_q[8*r+:8] != '0 || cut_q[r]) && cr_q[8*to_q[8*r+:8]+:8] != '0 && x_up_q[32'(to_q[8*r+:8])/V];
    assign alone[r] = could[r] && some[I];
  end
  for (genvar i = 0; i < P; i++) begin : g_quick
    logic [V-1:0] mine;
    assign mine = filled[i*V+:V];
    assign some[i] = (mine & (mine - 1'b1)) == '0 && reply_q[4*i+:4] == '0;
    assign quick[i] = mine[V-1:V-2] != '0 || reply_q[4*i+:4] != '0;
    assign quick_goes[i] = tx_valid_i[i] && 32'(src[8*i+:8]) % V >= D;
    assign be_goes[i] = tx_valid_i[i] && is_be(32'(src[8*i+:8]) % V);
    assign rt_goes[i] = tx_valid_i[i] && !quick_goes[i] && !be_goes[i];
  end

  // ---- waits: of lanes that could send, of headers that ask for a lane that nobody has; of lanes that are alone at their input
  logic [31:0]     most_w_in, most_w_out, turns, long_rt, long_be, ask_rt, ask_be, lone_rt, lone_be;
  logic [PV-1:0]   starves, starves_alone, waits_rt;
  logic [P-1:0]    rt_waits, early, idle_beside, chain_q;
  logic [8*P-1:0]  passed_q;                       // real-time flits since the last best-effort one, while a lone real-time lane waited
  logic            config_q;                       // LHP or classes are written: waits begin anew

  assign most_w_in = 32'(V) * 32'(most_in_q);
  assign most_w_out = 32'(V) * 32'(most_out_q);
  assign turns = (most_w_in + 1) * (most_w_out + 2);
  // A lane ahead of one that waits spends its flits, and each of them waits for those ahead at its output; guard turns at most double both.
  assign long_rt = 4 * turns;
  assign long_be = 2 * 32'(V + 2) * turns * (32'(most_lhp) + 1);
  assign ask_rt = 32'(P) * (long_rt + 32'(V + 8));
  assign ask_be = 32'(PV) * (long_be + 32'(V + 8));
  assign lone_rt = 2 * most_w_out + 4;
  assign lone_be = (most_w_out + 2) * (32'(most_lhp) + 1) + 4;

  for (genvar r = 0; r < PV; r++) begin : g_wait
    localparam int I = r / V;
    localparam int L = r % V;
    logic [31:0] wait_q, lone_q;
    logic        asks, counts, be;
    logic [7:0]  o;
    assign be = is_be(L);
    assign o = busy_q[r] ? 8'(32'(to_q[8*r+:8]) / V) : routes[slot(r, head_q[8*r+:8])];
    // a header, where a lane for it is not held, and no lane that it could have got is without credits
    always_comb begin
      asks = 1'b0;
      if (x_ready_q && level_q[8*r+:8] != '0 && !busy_q[r] && !(young_q[r] && level_q[8*r+:8] == 8'd1) && o < 8'(P)) begin
        if (!be) asks = !held_q[32'(o)*V+L] && cr_q[8*(32'(o)*V+L)+:8] != '0;
        else begin
          for (int u = 0; u < D; u++) if (be_2_q[u] && !held_q[32'(o)*V+u]) asks = 1'b1;
          for (int u = 0; u < D; u++) if (be_2_q[u] && cr_q[8*(32'(o)*V+u)+:8] == '0) asks = 1'b0;
        end
        if (!x_up_q[I] || !x_up_q[32'(o)]) asks = 1'b0;
      end
    end
    assign counts = (could[r] || asks) && L < D && !quick[I] && quick_goes == '0 && !moot_q[r] && (!be || most_lhp != '0);
    assign starves[r] = wait_q > (busy_q[r] ? (be ? long_be : long_rt) : (be ? ask_be : ask_rt));
    assign starves_alone[r] = lone_q > (be ? lone_be : lone_rt);
    assign waits_rt[r] = alone[r] && L < D && !be && !moot_q[r] && !goes[r];
    always_ff @(posedge clk_i) begin
      if (rst_i || goes[r] || !filled[r] || config_q || vague_q) wait_q <= '0;
      else if (counts && wait_q != '1) wait_q <= wait_q + 32'd1;
      if (rst_i || goes[r] || !alone[r] || config_q || vague_q) lone_q <= '0;
      else if (counts && lone_q != '1) lone_q <= lone_q + 32'd1;
    end
  end

  always_comb begin
    rt_waits = '0;
    idle_beside = '0;
    for (int r = 0; r < PV; r++) begin
      if (waits_rt[r]) rt_waits[32'(to_q[8*r+:8])/V] = 1'b1;
      if (alone[r] && !tx_valid_i[32'(to_q[8*r+:8])/V]) idle_beside[r/V] = 1'b1;
    end
  end
  for (genvar o = 0; o < P; o++) begin : g_guard
    assign early[o] = rt_waits[o] && be_goes[o] && (lhp_2_q[8*o+:8] == '0 || (chain_q[o] && passed_q[8*o+:8] < lhp_2_q[8*o+:8]));
    always_ff @(posedge clk_i) begin
      // (config_q: LHP was another while some of it was counted)
      if (rst_i || config_q || !rt_waits[o]) begin
        if (!rt_goes[o] || rst_i || config_q) chain_q[o] <= 1'b0;
      end else if (be_goes[o]) chain_q[o] <= 1'b1;
      if (be_goes[o]) passed_q[8*o+:8] <= '0;
      else if (rt_goes[o] && passed_q[8*o+:8] != '1) passed_q[8*o+:8] <= passed_q[8*o+:8] + 8'd1;
    end
  end

  logic [8*P-1:0] lhp_1_q, lhp_2_q;
  always_ff @(posedge clk_i) begin
    lhp_1_q <= lhp_q;
    lhp_2_q <= lhp_1_q;
    config_q <= rst_i || lhp_1_q != lhp_q || lhp_2_q != lhp_1_q || be_1_q != be_q || be_2_q != be_1_q;
  end

  // ---- reply and control
  logic [P-1:0] reply_late, control_late, twice;
  for (genvar i = 0; i < P; i++) begin : g_first
    logic [7:0] control_to, reply_to;
    logic       reply_could;  // of a slot that has begun
    assign control_to = to_q[8*(i*V+V-1)+:8];
    assign reply_to = reply_to_q[8*i+:8];
    assign reply_could = x_ready_q && reply_q[4*i+:4] != '0 && reply_q[4*i+:4] != 4'd10 && cr_q[8*reply_to+:8] != '0 && x_up_q[32'(reply_to)/V];
    assign reply_late[i] = (could[i*V+V-2] || reply_could) && !goes[i*V+V-2] && !slot_goes[i];
    // flit by flit in turns, while both have one
    logic both_q, slot_q;
    assign twice[i] = both_q && could[i*V+V-2] && reply_could && slot_goes[i] == slot_q;
    always_ff @(posedge clk_i) begin
      if (rst_i || !busy_q[i*V+V-2] || ends[i*V+V-2] || reply_q[4*i+:4] == '0 || reply_q[4*i+:4] == 4'd10 || (slot_goes[i] && reply_q[4*i+:4] == 4'd1)) both_q <= 1'b0;
      else if (could[i*V+V-2] && reply_could) begin
        both_q <= 1'b1;
        slot_q <= slot_goes[i];
      end
    end
    assign control_late[i] = could[i*V+V-1] && !goes[i*V+V-1] && !goes[i*V+V-2] && !slot_goes[i]
        && !(tx_valid_i[32'(control_to)/V] && 32'(src[8*(32'(control_to)/V)+:8]) % V == V - 2);
  end

  // ---- pins
  logic [P-1:0] not_zero, bad_inside;
  for (genvar p = 0; p < P; p++) begin : g_pin
    assign not_zero[p] = !tx_valid_i[p] && {tx_vl_i[4*p+:4], tx_first_i[p], tx_last_i[p], tx_bad_i[p], tx_data_i[128*p+:128]} != '0;
    assign bad_inside[p] = tx_bad_i[p] && !tx_last_i[p];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      f1_silent_until_ready: assert (ready_i || (tx_valid_i == '0 && tx_credit_i == '0 && err_i == '0));
      f1_ready_in_time: assert (32'(since_q) <= LFT_DEPTH || since_q == '1);
      f1_no_flit_of_another_life: assert (x_ready_q || tx_valid_i == '0);
      c1_read_answered: assert (cfg_rvalid_i == re_q && (re_q || cfg_rdata_i == '0));
      c1_read_is_what_was_written: assert (!re_q || !known_q || cfg_rdata_i == answer_q);
      yw1_zero_without_valid: assert (not_zero == '0);
      yw1_bad_at_the_tail: assert (bad_inside == '0);
      yw1_lane_exists: assert (no_lane == '0);
      if (x_ready_q && !vague_q && vague == '0 && unclear == '0) begin
        yw1_errors_have_a_cause: assert ((err_1_q & ~err) == '0);
        yw1_errors_are_shown: assert ((err & ~err_1_q) == '0);
        yw2_credit_for_each_flit: assert (no_credit == '0);
        yw2_pulse_for_a_flit: assert ((pulse_q & ~gives) == '0);
        yw2_pulses_come_back: assert ((gives & ~pulse_q) == '0);
        yw3_header_has_a_source: assert ((stray & tx_first_i) == '0);
        yw4_flit_of_a_message: assert ((stray & ~tx_first_i) == '0);
        yw4_message_ends_first: assert (in_message == '0);
        yw4_flit_as_it_came: assert (other == '0);
        yw5_one_flit_per_input: assert (two_flits == '0);
        yw5_lone_flit_goes: assert (idle_beside == '0);
        yw5_somebody_goes: assert (could == '0 || tx_valid_i != '0);
        yw6_reply_never_waits: assert (reply_late == '0);
        ya3_flits_in_turns: assert (twice == '0);
        yw6_control_waits_for_replies: assert (control_late == '0);
        yw6_realtime_first: assert (early == '0);
        yw6_turn_at_output: assert (starves_alone == '0);
        yw6_nobody_starves: assert (starves == '0);
        f1_link_down_sends_nothing: assert (unheard == '0);
      end
      yw4_c_two_messages: cover ((held_q & (held_q - 1'b1)) != '0);
      f1_c_made_tail: cover ((goes & cut_q) != '0);
      yw5_c_all_send: cover (tx_valid_i == '1);
    end
  end

  wire unused = &{1'b0, cfg_data_i};
endmodule

`default_nettype wire
