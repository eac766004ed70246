// Ages and the limit of bypassing, told by the time that passes. One packet is followed at a time, known by its place. Instantiated by
// switch_input_port under QUELL_CHECK. Rules AG1, AG2.
`default_nettype none

module age_checker #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int STAMP_W = 0,
    localparam int PV = PORTS * VLS,
    localparam int AGE_W = (STAMP_W > 0) ? STAMP_W : 1,
    localparam int QW = (PV > 1) ? $clog2(PV) : 1
) (
    input wire logic                clk_i,
    input wire logic                rst_i,
    input wire logic [3:0]          limit_i,
    input wire logic                accept_i,
    input wire logic [QW-1:0]       accept_q_i,
    input wire logic                rx_open_i,
    input wire logic [PV*16-1:0]    cpq_pkts_i,
    input wire logic [PORTS-1:0]    xb_act_i,
    input wire logic [PORTS-1:0]    xb_end_i,
    input wire logic [PV-1:0]       req_valid_i,
    input wire logic [PV*AGE_W-1:0] req_age_i,
    input wire logic [PV-1:0]       served_i,
    input wire logic [PV-1:0]       aged_i,
    input wire logic [VLS-1:0]      pinned_i,
    input wire logic [VLS*8-1:0]    pin_i,
    input wire logic [VLS*4-1:0]    bypass_i
);
  if (STAMP_W == 0) begin : g_off
    always_ff @(posedge clk_i) begin
      if (!rst_i) ag1_ages_off: assert ({req_age_i, aged_i, pinned_i, pin_i, bypass_i} == '0);
    end
    wire unused = &{1'b0, limit_i, accept_i, accept_q_i, rx_open_i, cpq_pkts_i, xb_act_i, xb_end_i, req_valid_i, served_i};
  end else begin : g_on
    localparam logic [32:0] RANGE = 33'd1 << STAMP_W;  // of stamps
    localparam logic [32:0] MOST = RANGE >> 1;         // age

    // ---- a packet: its time, and the packets of its lane that came before, by queue
    logic                here_q, known_q, first_q, leaves, oldest, asks, known;
    logic [QW-1:0]       q_q;
    logic [32:0]         time_q;
    logic [PORTS*16-1:0] ahead_q;
    logic [15:0]         passed_q, passes;  // packets that came later and went before it, since it was the oldest
    logic [3:0]          limit_q;
    logic                bounded_q, passed_by, wrong_age, hidden;
    logic                past_ok_q;

    always_comb begin
      asks = here_q && ahead_q[(32'(q_q)/VLS)*16 +: 16] == '0;  // it is a head
      leaves = asks && served_i[q_q];
      oldest = here_q && ahead_q == '0;
      known = known_q || time_q < RANGE;  // it was a head before a stamp of its age came again
      passes = passed_q;
      for (int o = 0; o < PORTS; o++)
        if (served_i[o*VLS+32'(q_q)%VLS] && o != 32'(q_q) / VLS) passes = passes + 16'd1;
      passed_by = oldest && bounded_q && !leaves && limit_q == limit_i && passes > 16'(limit_i) + 16'(PORTS - 2);
      wrong_age = asks && req_valid_i[q_q] && known
          && 33'(req_age_i[q_q*AGE_W +: AGE_W]) != ((time_q < MOST) ? time_q : MOST);
      // the oldest that could go, though its request is not shown
      hidden = oldest && bounded_q && limit_q == limit_i && !rx_open_i && !req_valid_i[q_q] && (!xb_act_i[32'(q_q)/VLS] || xb_end_i[32'(q_q)/VLS]);
    end

    always_ff @(posedge clk_i) begin
      past_ok_q <= !rst_i;
      limit_q <= limit_i;
      if (here_q) begin
        if (time_q != RANGE) time_q <= time_q + 33'd1;
        known_q <= asks && known;
        first_q <= first_q || oldest;
        for (int o = 0; o < PORTS; o++)
          if (served_i[o*VLS+32'(q_q)%VLS] && ahead_q[o*16 +: 16] != '0) ahead_q[o*16 +: 16] <= ahead_q[o*16 +: 16] - 16'd1;
        // it is the oldest and younger than ages go, and nobody else was it before
        if (limit_i == '0 || !oldest) bounded_q <= 1'b0;
        else if (limit_q != limit_i || !bounded_q) begin
          bounded_q <= time_q < MOST && (!pinned_i[32'(q_q)%VLS] || pin_i[(32'(q_q)%VLS)*8 +: 8] == 8'(32'(q_q) / VLS));
          passed_q <= '0;
        end else passed_q <= passes;
        if (leaves) here_q <= 1'b0;
      end else begin
        here_q <= accept_i;
        q_q <= accept_q_i;
        time_q <= 33'd1;
        {known_q, first_q, bounded_q, passed_q} <= '0;
        for (int o = 0; o < PORTS; o++)
          ahead_q[o*16 +: 16] <= cpq_pkts_i[(o*VLS+32'(accept_q_i)%VLS)*16 +: 16] - 16'(served_i[o*VLS+32'(accept_q_i)%VLS]);
      end
      if (rst_i) {here_q, bounded_q} <= '0;
    end

    // ---- heads that are as old as ages go: the turns of others that ended meanwhile
    logic [PV-1:0]          late, untold;
    logic [VLS-1:0]         ends;    // a turn ended: the oldest left in the cycle before
    logic [VLS*PORTS-1:0]   served_q;

    for (genvar v = 0; v < VLS; v++) begin : g_vl
      logic [PORTS-1:0] served;
      always_comb begin
        for (int o = 0; o < PORTS; o++) served[o] = served_i[o*VLS+v];
        ends[v] = 1'b0;
        for (int o = 0; o < PORTS; o++)
          if (!pinned_i[v] && pin_i[8*v +: 8] == 8'(o) && served_q[v*PORTS+o]) ends[v] = 1'b1;
      end
      always_ff @(posedge clk_i) served_q[v*PORTS +: PORTS] <= rst_i ? '0 : served;
    end
    for (genvar q = 0; q < PV; q++) begin : g_turns
      logic [6:0] turns_q;
      assign late[q] = turns_q >= 7'(PORTS) && PORTS > 1;
      assign untold[q] = !req_valid_i[q] && req_age_i[q*AGE_W +: AGE_W] != '0;
      always_ff @(posedge clk_i) begin
        if (rst_i || limit_i == '0 || limit_q == '0 || !aged_i[q] || served_i[q]) turns_q <= '0;
        else if (ends[q%VLS] && !late[q]) turns_q <= turns_q + 7'd1;
      end
    end

    always_ff @(posedge clk_i) begin
      if (!rst_i && past_ok_q) begin
        ag1_age_is_time: assert (!wrong_age && untold == '0);
        ag2_bounded_bypass: assert (!passed_by);
        ag2_oldest_asks: assert (!hidden);
        ag2_goes_round: assert (late == '0);
        ag1_c_aged: cover (asks && req_valid_i[q_q] && time_q > MOST);
        ag2_c_passed: cover (bounded_q && passed_q != '0);
      end
    end
    wire unused = &{1'b0, bypass_i, first_q};
  end
endmodule

`default_nettype wire
