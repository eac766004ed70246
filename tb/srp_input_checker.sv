// What an input port with the lanes of speculative reservation does, by its pins and by a record of its own of what came on the three
// FIFO lanes: what lanes take and promise, that FIFOs are FIFOs, how old speculative packets are that ask and leave, that each drop makes one NACK
// of the packet dropped, and that nothing is left behind. Instantiated by switch_input_port with SRP = 1; for simulation. Rules
// Q1, Q2, Q5 to Q9; docs/input-port.md section 16.
`default_nettype none

module srp_input_checker #(
    parameter int PORTS = 3,
    parameter int VLS = 4,
    parameter int FLIT_W = 256,
    parameter int DATA_BLOCKS = 8,
    parameter int SPEC_BLOCKS = 8,
    parameter int CTL_BLOCKS = 4,
    localparam int PV = PORTS * VLS,
    localparam int VW = $clog2(VLS),
    localparam int D = VLS - 3  // the spec lane
) (
    input wire logic                    clk_i,
    input wire logic                    rst_i,
    // the link
    input wire logic                    run_i,
    input wire logic                    link_up_i,
    input wire logic                    rx_valid_i,
    input wire logic                    rx_first_i,
    input wire logic [FLIT_W-1:0]       rx_data_i,
    // a cycle later
    input wire logic                    accept_i,
    input wire logic [VW-1:0]           accept_vl_i,
    input wire logic                    told_i,        // BAD_CLASS
    input wire logic                    open_i,        // a packet is being received
    // settings
    input wire logic                    drop_en_i,
    input wire logic [14:0]             ttw_i,
    // requests, grants that are served, the crossbar
    input wire logic [PV-1:0]           req_valid_i,
    input wire logic [PV*16-1:0]        req_dlid_i,
    input wire logic [PORTS-1:0]        req_nack_i,
    input wire logic [PV-1:0]           served_i,
    input wire logic [PORTS-1:0]        xb_valid_i,
    input wire logic [PORTS-1:0]        xb_first_i,
    input wire logic [PORTS-1:0]        xb_last_i,
    input wire logic [PORTS-1:0]        xb_bad_i,
    input wire logic [PORTS*FLIT_W-1:0] xb_data_i,
    // state
    input wire logic [VLS*16-1:0]       used_i,
    input wire logic [VLS*12-1:0]       abr_i,
    input wire logic                    fc_valid_i,
    input wire logic [7:0]              fc_vl_i,
    input wire logic [11:0]             fccl_i,
    input wire logic [PV*16-1:0]        pkts_i,
    input wire logic [PV*16-1:0]        fill_i,
    input wire logic                    nack_i,        // the head of the spec FIFO
    input wire logic                    disc_act_i,
    input wire logic [6:0]              disc_r_i,
    input wire logic [31:0]             cnt_i
);
  localparam int HEAD = 256;  // header and the fields behind it
  localparam int MOST = (SPEC_BLOCKS > CTL_BLOCKS) ? SPEC_BLOCKS : CTL_BLOCKS;  // packets of a FIFO
  localparam int RW = $clog2(MOST + 1);
  localparam int MW = $clog2(3 * MOST);

  function automatic int size(input int v);
    size = (v < D) ? DATA_BLOCKS : (v == D) ? SPEC_BLOCKS : CTL_BLOCKS;
  endfunction
  function automatic logic [15:0] number(input logic [15:0] bytes);
    number = {bytes[7:0], bytes[15:8]};
  endfunction

  // ---- the flit that is judged, a cycle after the pins
  logic            first_q, live_q;
  logic [HEAD-1:0] head_q;
  logic [3:0]      vl;
  logic            one_flit, spec, fits_lane;

  always_ff @(posedge clk_i) begin
    live_q <= !rst_i;
    first_q <= !rst_i && run_i && link_up_i && rx_valid_i && rx_first_i;
    head_q <= rx_data_i[HEAD-1:0];
  end

  always_comb begin
    vl = head_q[7:4];
    one_flit = head_q[34:32] == '0 && head_q[47:45] == '0 && head_q[44:40] != '0 && head_q[44:40] <= 5'd16;
    spec = head_q[9:8] == 2'd2 && head_q[71:64] == 8'hC4;
    fits_lane = 32'(vl) < D || 32'(vl) >= VLS || (32'(vl) == D ? spec : one_flit);
  end

  // ---- lane of what an output got last, and of what it had got a cycle ago: 0 data, 1 spec, 2 res, 3 reply
  logic [PORTS*2-1:0] lane_q, lane1_q;

  // ---- the record: of each FIFO lane (0: spec) what came and has not left
  logic [HEAD-1:0] head_mem[0:3*MOST-1];
  logic [15:0]     born_mem[0:3*MOST-1];
  logic [3*RW-1:0] from_q, many_q;
  logic [15:0]     time_q;
  logic [2:0]      comes, goes, two_ask, wrong_head, wrong_many, left;
  logic [HEAD-1:0] oldest;
  logic [16:0]     sum;                       // age of the oldest packet of the spec lane

  assign oldest = head_mem[MW'(from_q[0+:RW])];
  assign sum = {1'b0, number(oldest[223:208])} + {1'b0, time_q - born_mem[MW'(from_q[0+:RW])]};

  for (genvar k = 0; k < 3; k++) begin : g_lane
    logic [PORTS-1:0] asks, served;
    logic [15:0]      dlid, flying_q;  // packets that left the FIFO and have not crossed
    logic [RW-1:0]    at;
    logic [MW-1:0]    to;
    logic [PORTS-1:0] ends;

    for (genvar o = 0; o < PORTS; o++) begin : g_of
      assign asks[o] = req_valid_i[o*VLS+D+k];
      assign served[o] = served_i[o*VLS+D+k];
      assign ends[o] = xb_valid_i[o] && xb_last_i[o] && lane1_q[o*2 +: 2] == 2'(k + 1);
    end
    always_comb begin
      dlid = '0;
      for (int o = 0; o < PORTS; o++) if (asks[o]) dlid = dlid | req_dlid_i[(o*VLS+D+k)*16 +: 16];
    end
    assign at = from_q[k*RW +: RW];
    assign to = MW'(k * MOST + (32'(at) + 32'(many_q[k*RW +: RW])) % MOST);
    assign comes[k] = accept_i && accept_vl_i == VW'(D + k);
    assign goes[k] = served != '0;
    assign two_ask[k] = (asks & (asks - 1'b1)) != '0;
    assign wrong_head[k] = asks != '0 && (many_q[k*RW +: RW] == '0 || dlid != number(head_mem[MW'(k*MOST)+MW'(at)][31:16]));
    assign wrong_many[k] = pkts_i[(D+k)*16 +: 16] != 16'(many_q[k*RW +: RW]);
    assign left[k] = many_q[k*RW +: RW] == '0 && flying_q == '0 && !(k == 0 && disc_act_i) && !open_i && !accept_i
        && (used_i[(D+k)*16 +: 16] != '0 || fill_i[(D+k)*16 +: 16] != '0);

    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        from_q[k*RW +: RW] <= '0;
        many_q[k*RW +: RW] <= '0;
        flying_q <= '0;
      end else begin
        if (goes[k]) from_q[k*RW +: RW] <= (32'(at) == MOST - 1) ? '0 : at + 1'b1;
        many_q[k*RW +: RW] <= many_q[k*RW +: RW] + RW'(comes[k]) - RW'(goes[k]);
        flying_q <= flying_q + 16'(goes[k]) - 16'($countones(ends));
      end
      if (comes[k]) begin
        head_mem[to] <= head_q;
        born_mem[to] <= time_q + 16'd1;
      end
    end
  end

  // ---- what an output got last, and what it had got a cycle ago: that is what is on the crossbar
  logic [PORTS-1:0]      nack_load_q, nack1_q;
  logic [PORTS*HEAD-1:0] want_q, want1_q;      // first flit of a speculative packet as it came
  logic [PORTS*16-1:0]   age_q, age1_q, limit_q, limit1_q;
  logic [PORTS-1:0]      wrong_age, wrong_rest, too_old, wrong_image, not_whole;

  for (genvar o = 0; o < PORTS; o++) begin : g_output
    logic [HEAD-1:0] flit, came, image;
    assign flit = xb_data_i[o*FLIT_W +: HEAD];
    assign came = want1_q[o*HEAD +: HEAD];

    always_comb begin
      image = came;
      image[7:4] = 4'(VLS - 1);
      image[31:16] = came[63:48];
      image[63:48] = came[31:16];
      {image[34:32], image[47:40]} = 11'd16;
      image[71:64] = 8'hC3;
      image[103:102] = 2'd0;
      image[223:208] = 16'd0;
    end

    assign wrong_age[o] = xb_first_i[o] && lane1_q[o*2 +: 2] == 2'd1 && !nack1_q[o] && number(flit[223:208]) != age1_q[o*16 +: 16];
    assign wrong_rest[o] = xb_first_i[o] && lane1_q[o*2 +: 2] == 2'd1 && !nack1_q[o]
        && {flit[HEAD-1:224], flit[207:0]} != {came[HEAD-1:224], came[207:0]};
    assign too_old[o] = xb_first_i[o] && lane1_q[o*2 +: 2] == 2'd1 && !nack1_q[o] && number(flit[223:208]) > limit1_q[o*16 +: 16];
    assign wrong_image[o] = xb_first_i[o] && nack1_q[o] && flit != image;
    assign not_whole[o] = xb_first_i[o] && nack1_q[o] && (!xb_last_i[o] || xb_bad_i[o]);

    always_ff @(posedge clk_i) begin
      if (served_i[o*VLS +: VLS] != '0) begin
        lane_q[o*2 +: 2] <= {served_i[o*VLS+D+1] || served_i[o*VLS+D+2], served_i[o*VLS+D] || served_i[o*VLS+D+2]};
        nack_load_q[o] <= served_i[o*VLS+D] && req_nack_i[o];
        want_q[o*HEAD +: HEAD] <= oldest;
        age_q[o*16 +: 16] <= sum[16] ? '1 : sum[15:0];
        limit_q[o*16 +: 16] <= drop_en_i ? {1'b0, ttw_i} : '1;
      end
      {lane1_q[o*2 +: 2], nack1_q[o], want1_q[o*HEAD +: HEAD], age1_q[o*16 +: 16], limit1_q[o*16 +: 16]}
          <= {lane_q[o*2 +: 2], nack_load_q[o], want_q[o*HEAD +: HEAD], age_q[o*16 +: 16], limit_q[o*16 +: 16]};
      if (rst_i) {lane_q[o*2 +: 2], nack_load_q[o], lane1_q[o*2 +: 2], nack1_q[o]} <= '0;
    end
  end

  // ---- drops
  logic        asks_plain, asks_nack, late_q, nack_q, act_q, comes_q;
  logic [6:0]  r_q;
  logic [VW-1:0] last_vl_q;  // lane of the packet that came last
  logic [31:0] cnt_q, sent_q;
  logic [VLS-1:0] over, promised;

  always_comb begin
    asks_plain = 1'b0;
    asks_nack = req_nack_i != '0;
    for (int o = 0; o < PORTS; o++) if (req_valid_i[o*VLS+D] && !req_nack_i[o]) asks_plain = 1'b1;
    for (int v = 0; v < VLS; v++) begin
      over[v] = 32'(used_i[v*16 +: 16]) > size(v);
      promised[v] = fc_valid_i && fc_vl_i == 8'(v) && 32'(12'(fccl_i - abr_i[v*12 +: 12])) + 32'(used_i[v*16 +: 16]) > size(v);
    end
  end

  always_ff @(posedge clk_i) begin
    time_q <= rst_i ? '0 : time_q + 16'd1;
    // the oldest one is too old and nothing is discarded
    late_q <= !rst_i && many_q[0+:RW] != '0 && !nack_i && drop_en_i && sum > {2'b0, ttw_i} && !disc_act_i;
    nack_q <= !rst_i && nack_i;
    act_q <= !rst_i && disc_act_i;
    r_q <= disc_r_i;
    if (accept_i) last_vl_q <= accept_vl_i;
    comes_q <= open_i && last_vl_q == VW'(D);
    cnt_q <= rst_i ? '0 : cnt_i;
    if (rst_i) sent_q <= '0;
    else if (goes[0] && asks_nack) sent_q <= sent_q + 32'd1;
    if (!rst_i && live_q) begin
      q1_refusal_is_told: assert (told_i == (first_q && !fits_lane));
      q1_takes_what_belongs: assert (!accept_i || (first_q && fits_lane && VW'(vl) == accept_vl_i));
      q1_within_its_blocks: assert (over == '0);
      q1_promise_within_lane: assert (promised == '0);
      q2_one_output: assert (two_ask == '0);
      q2_oldest_asks: assert (wrong_head == '0);
      q2_all_wait: assert (wrong_many == '0);
      q5_age_is_time: assert (wrong_age == '0);
      q5_only_age: assert (wrong_rest == '0);
      q6_too_old_asks_not: assert (!asks_plain || !drop_en_i || sum <= {2'b0, ttw_i});
      q6_age_on_wire: assert (too_old == '0);
      q7_old_is_dropped: assert ((nack_i && !nack_q) == late_q);
      q7_drops_counted: assert (cnt_i - cnt_q == 32'(nack_i && !nack_q));
      q7_one_nack_a_drop: assert (cnt_i == sent_q + 32'(nack_i));
      q7_nack_asks_alone: assert (!asks_nack || (nack_i && !asks_plain));
      q8_never_pauses: assert (!act_q || comes_q || !disc_act_i || disc_r_i == r_q + 7'd1);
      q8_nothing_left: assert (left == '0);
      q9_image: assert (wrong_image == '0);
      q9_one_whole_flit: assert (not_whole == '0);
    end
  end

  wire unused = &{1'b0, xb_data_i, rx_data_i, head_q, pkts_i, fill_i};
endmodule

`default_nettype wire
