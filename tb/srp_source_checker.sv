// What an adapter with reservation sends: RES and replies go as soon as their lane and the output let them, each once and as it
// was made; an ACK is of a packet that the host has taken, a GRANT of a RES that came; packets say what they were chosen as, and
// wait for each other one at a time and for no credit. Instantiated by hca with SRP = 1 under QUELL_CHECK. Rules Q1, Q4, Q12, Q13, Q17,
// Q20; docs/hca.md section 13.
`default_nettype none

module srp_source_checker #(
    parameter int VLS = 4,
    parameter int MTU = 32,
    parameter int FLIT_BYTES = 64,
    parameter int FLOWS = 64,
    parameter int CTL_BLOCKS = 64,
    parameter int NMAX = 16,
    parameter int REPQ = 16,
    parameter int NOW_W = 32,
    localparam int DW = 8 * FLIT_BYTES,
    localparam int D = VLS - 3  // the spec lane
) (
    input wire logic              clk_i,
    input wire logic              rst_i,
    input wire logic              ready_i,
    input wire logic              link_up_i,
    input wire logic [15:0]       lid_i,
    input wire logic [15:0]       lid_base_i,
    input wire logic              attr_we_i,
    input wire logic [15:0]       attr_flow_i,
    input wire logic [3:0]        attr_sl_i,
    // what is taken from the reservation
    input wire logic [FLOWS-1:0]  go_i,          // flows with a granted packet
    input wire logic              inj_valid_i,
    input wire logic              accept_i,
    input wire logic [1:0]        inj_kind_i,
    input wire logic [3:0]        inj_lane_i,
    input wire logic [12:0]       inj_id_i,
    input wire logic [7:0]        inj_seq_i,
    input wire logic [7:0]        inj_n_i,
    input wire logic              inj_last_i,
    input wire logic              inj_rty_i,
    input wire logic              ungranted_i,
    input wire logic              res_valid_i,
    input wire logic              res_ready_i,
    input wire logic [15:0]       res_flow_i,
    input wire logic [3:0]        res_sl_i,
    input wire logic [12:0]       res_id_i,
    input wire logic [7:0]        res_n_i,
    input wire logic [15:0]       res_size_i,
    input wire logic              res_last_i,
    input wire logic              res_rty_i,
    input wire logic              res_init_i,
    input wire logic              out_valid_i,
    input wire logic              out_ready_i,
    // what it is told
    input wire logic              end_valid_i,
    input wire logic              end_bad_i,
    input wire logic [15:0]       end_slid_i,
    input wire logic [3:0]        end_sl_i,
    input wire logic [12:0]       end_id_i,
    input wire logic [7:0]        end_seq_i,
    input wire logic              end_rty_i,
    input wire logic              rin_valid_i,
    input wire logic [15:0]       rin_slid_i,
    input wire logic [3:0]        rin_sl_i,
    input wire logic [12:0]       rin_id_i,
    input wire logic [15:0]       rin_size_i,
    input wire logic              rin_init_i,
    // injector
    input wire logic              rx_first_i,
    input wire logic [DW-1:0]     rx_data_i,
    input wire logic [DW-1:0]     dma_data_i,
    input wire logic              sending_i,
    input wire logic [16*(D+1)-1:0] used_i,      // blocks in use in the input port
    input quell_pkg::credit_t     fccl_i,        // its message of credits
    // output port
    input wire logic [D:0]        data_req_i,
    input wire logic [7*(D+1)-1:0] data_len_i,
    input wire logic [3*VLS-1:0]  grant_i,
    input wire logic [12*VLS-1:0] left_i,        // credits: limit less blocks granted
    input wire logic              rd_en_i,
    input wire logic [2:0]        act_i,
    input wire logic [2:0]        end_i,
    input wire logic              sw_i,
    input wire logic [255:0]      sw_data_i,
    input wire logic              tx_first_i,
    input wire logic [DW-1:0]     tx_data_i
);
  localparam int RES = VLS + D + 1;        // requests of the RES,
  localparam int REPLY = 2 * VLS + D + 2;  // of the reply
  localparam logic [3*VLS-1:0] OWN = ((3 * VLS)'(1) << RES) | ((3 * VLS)'(1) << REPLY);
  localparam logic [3*VLS-1:0] OF_DATA = (3 * VLS)'((1 << (D + 1)) - 1);

  function automatic logic [15:0] swapped(input logic [15:0] x);
    swapped = {x[7:0], x[15:8]};
  endfunction

  // ---- whose turn it is
  logic         free, res_credit, reply_credit, past_ok_q;
  logic [D:0]   lacks;
  logic         nothing;    // is in the adapter's queues, or on its way there for some cycles
  logic [1:0]   empty_q;    // cycles of that,
  logic [D:0]   told_q;     // and lanes of which credits were told since
  logic         late_q;     // all of them
  logic [1:0]   inside_q;   // packets taken and not granted, nor refused
  logic         inside_ok;
  logic [1:0]   flying_q;   // RES and replies granted and not on the crossbar
  logic         robbed;     // the neighbour takes credits back, or promises more than there can be; or the link is down
  logic         upset_q;    // so it was since the packet in the adapter's queues was chosen
  logic [2:0]   calm_q;     // cycles since
  logic [12*(D+1)-1:0] least_q;  // credits that are to be there, of those a cycle ago

  always_comb begin
    free = act_i == '0 || ((act_i & end_i) != '0 && rd_en_i);
    res_credit = left_i[12*(D+1)+:12] - 12'd1 <= 12'd2048;
    reply_credit = left_i[12*(D+2)+:12] - 12'd1 <= 12'd2048;
    for (int v = 0; v <= D; v++) lacks[v] = data_req_i[v] && left_i[12*v+:12] < 12'(data_len_i[7*v+:7]);  // (a buffer has 2048 at most)
    robbed = !link_up_i;
    for (int v = 0; v <= D; v++)
      if (left_i[12*v+:12] - least_q[12*v+:12] > 12'd2048 || left_i[12*v+:12] > 12'd2048) robbed = 1'b1;
    inside_ok = inside_q == '0 || (inside_q == 2'd1 && ungranted_i);
    nothing = !sending_i && used_i == '0 && !accept_i;
  end

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    if (rst_i) begin
      inside_q <= '0;
      empty_q <= '0;
      told_q <= '0;
      late_q <= 1'b0;
      flying_q <= '0;
      calm_q <= '0;
      upset_q <= 1'b0;
    end else begin
      if (empty_q != '0 && nothing) inside_q <= '0;  // (what comes to the input port is seen there two cycles later)
      else inside_q <= inside_q + 2'(accept_i) - 2'((grant_i & OF_DATA) != '0);
      empty_q <= !nothing ? '0 : (empty_q == '1) ? empty_q : empty_q + 1'b1;
      told_q <= (empty_q != '1 || !nothing) ? '0 : told_q | ((D + 1)'(fccl_i.valid) << fccl_i.vl);
      late_q <= nothing && told_q == '1;
      flying_q <= flying_q + 2'(res_ready_i || out_ready_i) - 2'(sw_i);
      calm_q <= robbed ? '0 : (calm_q == '1) ? calm_q : calm_q + 1'b1;
      upset_q <= robbed || (upset_q && (calm_q < 3'd4 || inj_valid_i || inside_q != '0));
    end
  end

  always_ff @(posedge clk_i) begin
    for (int v = 0; v <= D; v++)
      least_q[12*v+:12] <= rst_i ? '0 : left_i[12*v+:12] - (grant_i[v] ? 12'(data_len_i[7*v+:7]) : 12'd0);
  end

  // ---- granted packets with credits of the link, of one flow or another: so many cycles without a break, in which nothing was sent
  logic [3:0] flow_sl_q[0:FLOWS-1];
  logic [2:0] linked_q;
  logic       linked;

  always_comb begin
    linked = 1'b0;
    for (int f = 0; f < FLOWS; f++)
      for (int v = 0; v < D; v++)
        if (go_i[f] && 32'(flow_sl_q[f]) % D == v && left_i[12*v+:12] >= 12'(MTU) && left_i[12*v+:12] <= 12'd2048) linked = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    for (int f = 0; f < FLOWS; f++) begin
      if (rst_i) flow_sl_q[f] <= '0;
      else if (ready_i && attr_we_i && 32'(attr_flow_i) == f) flow_sl_q[f] <= attr_sl_i;
    end
    if (rst_i || !linked) linked_q <= '0;
    else if (!sending_i && linked_q != '1) linked_q <= linked_q + 1'b1;
  end

  // ---- the flit that a RES must become
  logic [15:0]  lid_q;
  logic [255:0] res_q, res_flit;
  logic [255:0] res_was_q;  // in the cycle before: on a slow link the next one is granted as the last one is emitted

  assign res_flit = {32'd0, 16'd0, swapped(res_size_i), res_id_i[12:8], res_init_i, res_last_i, res_rty_i, res_n_i, 8'd0, res_id_i[7:0],  // bytes 31 to 20
      24'd0, 8'd0, 8'd0, 24'd0, 16'hFFFF, 8'd0, 8'hC0,                                                  // BTH
      16'd0, 8'd16, 8'd0, swapped(lid_base_i + res_flow_i), res_sl_i, 4'h2, 4'(D + 1), 4'd0};             // LRH, without SLID

  always_ff @(posedge clk_i) begin
    lid_q <= lid_i;
    if (res_ready_i) res_q <= res_flit;
    res_was_q <= res_q;
  end

  logic         is_res, is_grant, is_ack;
  logic [255:0] unsigned_flit;  // without SLID

  always_comb begin
    is_res = sw_i && sw_data_i[71:64] == 8'hC0;
    is_grant = sw_i && sw_data_i[71:64] == 8'hC1;
    is_ack = sw_i && (sw_data_i[71:64] == 8'hC2 || sw_data_i[71:64] == 8'hC3);
    unsigned_flit = sw_data_i;
    unsigned_flit[63:48] = '0;
  end

  // ---- who is owed an ACK, and who a GRANT, in the order in which they came
  localparam int EA = $clog2(REPQ + 4);
  localparam int GA = $clog2(CTL_BLOCKS + REPQ + 8);
  // a RES of legal size is always granted
  localparam bit GRANTS = 64'(NMAX * MTU) * 2 * 15 < 64'd1 << (NOW_W - 1);
  logic [42:0]    ends[0:2**EA-1];   // R, NACK, SLID, SL, id, seq
  logic [33:0]    asked[0:2**GA-1];  // I, SLID, SL, id
  logic [EA-1:0]  end_put_q, end_get_q;
  logic [GA-1:0]  ask_put_q, ask_get_q;
  logic [EA-1:0]  end_wait;
  logic [GA-1:0]  ask_wait;
  logic [42:0]    ack_owed;
  logic [33:0]    grant_owed;
  logic           res_legal, ack_right, grant_right;
  logic [127:0]   to;  // of a reply: what all kinds have alike

  assign end_wait = end_put_q - end_get_q;
  assign ask_wait = ask_put_q - ask_get_q;
  assign ack_owed = ends[end_get_q];
  assign grant_owed = asked[ask_get_q];
  assign res_legal = rin_size_i != '0 && 32'(rin_size_i) <= NMAX * MTU;

  always_comb begin
    to = sw_data_i[159:32];
    to[31:16] = '0;  // SLID
    to[39:32] = '0;  // opcode
    ack_right = end_wait != '0
        && sw_data_i[31:0] == {swapped(ack_owed[40:25]), ack_owed[24:21], 4'h2, 4'(D + 2), 4'd0}
        && sw_data_i[71:64] == (ack_owed[41] ? 8'hC3 : 8'hC2)
        && to == {24'd0, 8'd0, 8'd0, 24'd0, 16'hFFFF, 8'd0, 8'd0, 16'd0, 8'd16, 8'd0}
        && sw_data_i[255:160] == {64'd0, ack_owed[20:16], 2'd0, ack_owed[42], 8'd0, ack_owed[7:0], ack_owed[15:8]};
    grant_right = !GRANTS || (ask_wait != '0
        && sw_data_i[31:0] == {swapped(grant_owed[32:17]), grant_owed[16:13], 4'h2, 4'(D + 2), 4'd0}
        && to == {24'd0, 8'd0, 8'd0, 24'd0, 16'hFFFF, 8'd0, 8'd0, 16'd0, 8'd16, 8'd0}
        && sw_data_i[223:160] == {32'd0, grant_owed[12:8], grant_owed[33], 18'd0, grant_owed[7:0]});
  end

  always_ff @(posedge clk_i) begin
    if (end_valid_i) ends[end_put_q] <= {end_rty_i, end_bad_i, end_slid_i, end_sl_i, end_id_i, end_seq_i};
    if (rin_valid_i) asked[ask_put_q] <= {rin_init_i, rin_slid_i, rin_sl_i, rin_id_i};
    if (rst_i) begin
      {end_put_q, end_get_q, ask_put_q, ask_get_q} <= '0;
    end else begin
      if (end_valid_i) end_put_q <= end_put_q + 1'b1;
      if (is_ack) end_get_q <= end_get_q + 1'b1;
      if (rin_valid_i && res_legal) ask_put_q <= ask_put_q + 1'b1;
      if (is_grant) ask_get_q <= ask_get_q + 1'b1;
    end
  end

  // ---- the packet that is injected, as it was taken
  logic [1:0]  kind_q;
  logic [3:0]  lane_q;
  logic [95:0] says_q;
  logic        packet_right;

  always_ff @(posedge clk_i) begin
    if (accept_i) begin
      kind_q <= inj_kind_i;
      lane_q <= inj_lane_i;
      says_q <= {64'd0, inj_id_i[12:8], 1'b0, inj_last_i, inj_rty_i, inj_n_i, inj_seq_i, inj_id_i[7:0]};
    end
  end

  always_comb begin
    packet_right = rx_data_i[7:4] == lane_q;
    case (kind_q)
      2'd1: packet_right = packet_right && 32'(lane_q) == D && rx_data_i[71:64] == 8'hC4 && rx_data_i[255:160] == says_q;
      2'd2: packet_right = packet_right && 32'(lane_q) < D && rx_data_i[71:64] == 8'hC5 && rx_data_i[255:160] == says_q;
      2'd3: packet_right = packet_right && 32'(lane_q) < D && rx_data_i[71:64] == 8'h04 && rx_data_i[255:160] == dma_data_i[255:160];
      default: packet_right = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      q12_reply_goes_first: assert (!(out_valid_i && reply_credit && free) || out_ready_i);
      q17_res_goes_next: assert (!(res_valid_i && res_credit && free) || res_ready_i || (out_valid_i && reply_credit));
      q17_only_what_asks: assert ((grant_i[3*VLS-1:VLS] & ~OWN[3*VLS-1:VLS]) == '0 && res_ready_i == grant_i[RES]
          && out_ready_i == grant_i[REPLY] && (res_valid_i || !grant_i[RES]) && (out_valid_i || !grant_i[REPLY]));
      q17_what_left_goes: assert (flying_q == 2'(act_i[2:1] != '0) + 2'(sw_i));
      q4_res_right: assert (!is_res || unsigned_flit == res_was_q);
      q4_from_here: assert (!sw_i || (sw_data_i[63:48] == swapped(lid_q) && (is_res || is_grant || is_ack)));
      q4_packet_says: assert (!rx_first_i || packet_right);
      q12_ack_of_taken: assert (!is_ack || ack_right);
      q13_grant_of_came: assert (!is_grant || grant_right);
      q12_few_owed: assert (32'(end_wait) <= REPQ + 2 && 32'(ask_wait) <= CTL_BLOCKS + REPQ + 4);
      q20_one_inside: assert (inside_ok && (!accept_i || inside_q == '0));
      q20_refused_is_over: assert (!late_q || !ungranted_i || accept_i);
      q20_spec_harmless: assert (!accept_i || inj_kind_i != quell_pkg::SRP_SPEC || linked_q < 3'd4);
      q20_never_lacks_credit: assert (upset_q || robbed || lacks == '0);
      q1_spec_unmarked: assert (!tx_first_i || 32'(tx_data_i[7:4]) != D || tx_data_i[103:102] == '0);
      q1_silent_in_sweep: assert (ready_i || {inj_valid_i, res_valid_i, out_valid_i, act_i, sw_i, ungranted_i} == '0);
    end
  end

  wire unused = &{1'b0, rx_data_i, dma_data_i, tx_data_i, fccl_i};
endmodule

`default_nettype wire
