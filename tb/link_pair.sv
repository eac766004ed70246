// Two switches of three ports, joined by port 0 over wires of some delay, with two hosts each: what is conserved over the pair and
// its wires, in both directions. Flits are counted where they enter the wire, where they leave it and where they leave the
// buffer behind it; nothing is taken from the switches but the credits they hold. For simulation (tests/broken.rs).
`default_nettype none

`ifndef YOSYS
module link_pair #(
    parameter int DELAY = 5
) (
    input wire logic        clk_i,
    input wire logic        rst_i,
    input wire logic [31:0] seed_i,
    input wire logic        traffic_i  // hosts send; afterwards everything has to leave
);
  localparam int PORTS = 3, VLS = 2, MTU = 4, BLOCKS = 24, HPQS = 1, LINES = 2, DLIST = 2, HOSTS = 4;
  localparam int CAP = BLOCKS / VLS, PV = PORTS * VLS, DW = 256, CTL = 8 * (16 + 2 * DLIST);
  localparam int QUIET = 16 + 2 * DELAY;  // the next credit message of a lane has come
  localparam int DRAIN = 3000;            // all packets at a quarter of a flit a cycle, then the timers of lines

  typedef struct packed {
    logic           valid, first, last, bad;
    logic [DW-1:0]  data;
    logic [CTL-1:0] ctl;
  } wire_t;

  // ---- registers: routes, isolation (by a bit of the seed), thresholds, timers
  logic       [1:0]  ready;
  logic              go;       // the registers are written
  logic       [4:0]  step_q;
  logic              cfg_we_i, lft_we_i;
  wire               cfg_re_i = 1'b0;  // for switches that have the pin
  logic       [7:0]  cfg_unit_i, cfg_port_i, cfg_addr_i;
  logic       [31:0] cfg_data_i;

  assign go = step_q == 5'd20;
  always_ff @(posedge clk_i) begin
    if (rst_i) step_q <= '0;
    else if (ready == 2'b11 && !go) step_q <= step_q + 1'b1;
  end

  always_comb begin
    lft_we_i = ready == 2'b11 && step_q >= 5'd1 && step_q <= 5'(HOSTS);
    cfg_we_i = ready == 2'b11 && step_q >= 5'd10 && !go;
    cfg_port_i = 8'hFF;
    cfg_unit_i = 8'd0;
    cfg_addr_i = quell_pkg::IP_CTRL;
    cfg_data_i = 32'(seed_i[7:6] != 2'd0);
    case (step_q)
      5'd11: {cfg_addr_i, cfg_data_i} = {quell_pkg::IP_HTH, 32'd5};
      5'd12: {cfg_addr_i, cfg_data_i} = {quell_pkg::IP_LTH, 32'(seed_i[2:1])};
      5'd13: {cfg_addr_i, cfg_data_i} = {quell_pkg::IP_LINE_TIMER, seed_i[5] ? 32'd200 : 32'd6};
      5'd14: {cfg_addr_i, cfg_data_i} = {quell_pkg::IP_REFRESH, 32'd50};
      5'd15: {cfg_unit_i, cfg_addr_i, cfg_data_i} = {8'd1, quell_pkg::OP_CTRL, 32'(seed_i[7:6] != 2'd0) << 1};
      5'd16: {cfg_unit_i, cfg_addr_i, cfg_data_i} = {8'd1, quell_pkg::OP_LINE_TIMER, 32'd200};
      5'd17: {cfg_unit_i, cfg_addr_i, cfg_data_i} = {8'd1, quell_pkg::OP_TX_INTERVAL, 32'(seed_i[4:3])};
      5'd18: {cfg_addr_i, cfg_data_i} = {quell_pkg::IP_RX_INTERVAL, 32'(seed_i[4:3])};
      default: ;
    endcase
  end

  // ---- switches, hosts, wires
  wire_t from_switch[2*PORTS], to_switch[2*PORTS];  // port p of switch s: s*PORTS+p
  logic [HOSTS-1:0]    wrong;
  logic [32*HOSTS-1:0] sent, got;
  logic [1:0]          busy;                    // something is left in a switch
  logic [2*VLS-1:0]    over, lost, ahead, backlog, unequal, uncounted;

  wire [PORTS-1:0] link_up_i = '1;  // for switches that have the pin

  for (genvar s = 0; s < 2; s++) begin : g_switch
    logic [PORTS-1:0]            tx_valid, tx_first, tx_last, tx_bad, rx_valid, rx_first, rx_last, rx_bad;
    logic [PORTS*DW-1:0]         tx_data, rx_data;
    logic [PORTS*CTL-1:0]        tx_ctl, rx_ctl;
    logic [PORTS*VLS*16-1:0]     used;
    logic [PORTS*LINES*2-1:0]    line_state;
    logic [PORTS*LINES-1:0]      ol_valid;
    logic                        cfg_rvalid_o;
    logic [31:0]                 cfg_rdata_o;
    wire [7:0] host_port = ((step_q - 5'd1) >> 1) == 5'(s) ? 8'd1 + {7'd0, !step_q[0]} : 8'd0;

    switch #(
        .PORTS(PORTS), .VLS(VLS), .MTU(MTU), .BLOCKS(BLOCKS), .HPQS(HPQS), .LINES(LINES), .DLIST(DLIST),
        .LFT_DEPTH(16), .FLIT_BYTES(DW / 8), .TIMER_W(8), .CNT_W(5)
    ) u_switch (
        .*,
        .lft_addr_i(16'(step_q)), .lft_port_i(host_port),
        .rx_valid_i(rx_valid), .rx_first_i(rx_first), .rx_last_i(rx_last), .rx_bad_i(rx_bad), .rx_data_i(rx_data),
        .rx_ctl_i(rx_ctl), .ready_o(ready[s]),
        .tx_valid_o(tx_valid), .tx_first_o(tx_first), .tx_last_o(tx_last), .tx_bad_o(tx_bad), .tx_data_o(tx_data),
        .tx_ctl_o(tx_ctl), .st_used_o(used), .st_line_state_o(line_state), .st_ol_valid_o(ol_valid),
        .err_in_o(), .err_out_o(), .st_accept_o(), .st_claim_o(), .st_claim_ahead_o(), .st_cnt_marked_o(), .st_cnt_nohpq_o(), .st_cnt_noline_o(),
        .st_spec_nack_o(), .st_cnt_spec_drop_o(), .st_cnt1_o(), .st_cnt2_o(), .st_ofill_o(), .st_cnt_sent_o(), .st_cong_state_o(), .st_cpq_fill_o(), .st_hpq_fill_o(), .st_line_dcnt_o(), .st_lost_o(),
        .st_ol_stop_o(), .st_txr_o()
    );
    stay_checker #(
        .PORTS(PORTS), .VLS(VLS), .MTU(MTU), .BLOCKS(BLOCKS), .HPQS(HPQS), .LINES(LINES), .LFT_DEPTH(16), .FLIT_W(DW), .CTL(CTL)
    ) u_stay (
        .*,
        .ready_i(ready[s]), .lft_addr_i(16'(step_q)), .lft_port_i(host_port),
        .rx_valid_i(rx_valid), .rx_first_i(rx_first), .rx_last_i(rx_last), .rx_bad_i(rx_bad), .rx_data_i(rx_data),
        .rx_ctl_i(rx_ctl), .tx_valid_i(tx_valid), .tx_first_i(tx_first), .tx_last_i(tx_last), .tx_data_i(tx_data),
        .used_i(used)
    );
    assign busy[s] = used != '0 || line_state != '0 || ol_valid != '0;

    for (genvar p = 0; p < PORTS; p++) begin : g_port
      assign from_switch[s*PORTS+p] = {tx_valid[p], tx_first[p], tx_last[p], tx_bad[p], tx_data[p*DW+:DW], tx_ctl[p*CTL+:CTL]};
      assign {rx_valid[p], rx_first[p], rx_last[p], rx_bad[p], rx_data[p*DW+:DW], rx_ctl[p*CTL+:CTL]} = to_switch[s*PORTS+p];
    end

    // the joint link, from this switch to the other
    wire_t wire_q[DELAY];
    always_ff @(posedge clk_i)
      for (int d = 0; d < DELAY; d++) wire_q[d] <= rst_i ? '0 : (d == 0) ? from_switch[s*PORTS] : wire_q[(d == 0) ? 0 : d-1];
    assign to_switch[(1-s)*PORTS] = wire_q[DELAY-1];

    for (genvar h = 0; h < 2; h++) begin : g_host
      localparam int P = s * PORTS + 1 + h, K = 2 * s + h;
      wire_t out_q, in_q, out;
      always_ff @(posedge clk_i) begin
        out_q <= rst_i ? '0 : out;
        in_q <= rst_i ? '0 : from_switch[P];
      end
      assign to_switch[P] = out_q;
      pair_host #(.VLS(VLS), .MTU(MTU), .HOSTS(HOSTS), .DLIST(DLIST), .CAP(8), .LID(K + 1)) u_host (
          .clk_i(clk_i), .rst_i(rst_i), .seed_i(seed_i), .on_i(go && traffic_i),
          .rx_valid_i(in_q.valid), .rx_first_i(in_q.first), .rx_last_i(in_q.last), .rx_bad_i(in_q.bad),
          .rx_data_i(in_q.data), .rx_ctl_i(in_q.ctl),
          .tx_valid_o(out.valid), .tx_first_o(out.first), .tx_last_o(out.last), .tx_data_o(out.data), .tx_ctl_o(out.ctl),
          .sent_o(sent[32*K+:32]), .got_o(got[32*K+:32]), .wrong_o(wrong[K])
      );
      assign out.bad = 1'b0;
    end
  end

  // ---- counts of each direction and lane: blocks granted, flits onto the wire, off it, out of the buffer behind it
  for (genvar s = 0; s < 2; s++) begin : g_way
    localparam int Y = 1 - s;
    wire_t a, b;
    logic [3:0] a_vl, a_vl_q, b_vl, b_vl_q;
    assign a = from_switch[s*PORTS];
    assign b = to_switch[Y*PORTS];
    assign a_vl = a.first ? a.data[7:4] : a_vl_q;
    assign b_vl = b.first ? b.data[7:4] : b_vl_q;
    always_ff @(posedge clk_i) begin
      if (a.valid) a_vl_q <= a_vl;
      if (b.valid) b_vl_q <= b_vl;
    end

    // lanes of the packets that leave the other switch's input port 0
    logic [PORTS-1:0]   y_valid, y_first;
    logic [4*PORTS-1:0] y_vl, y_vl_q;
    for (genvar o = 0; o < PORTS; o++) begin : g_leave
      assign y_valid[o] = g_switch[Y].u_switch.in_valid[o];
      assign y_first[o] = g_switch[Y].u_switch.in_first[o];
      assign y_vl[4*o+:4] = y_first[o] ? g_switch[Y].u_switch.in_data[o*DW+4+:4] : y_vl_q[4*o+:4];
    end
    always_ff @(posedge clk_i) y_vl_q <= y_vl;

    for (genvar v = 0; v < VLS; v++) begin : g_vl
      localparam int E = s * VLS + v;
      logic [11:0] granted_q, on_q, off_q, out_q, granted, leave, fccl, txr, word;
      logic [7:0]  quiet_q;
      logic        heard_q, has_word;

      assign fccl = g_switch[s].u_switch.out_fccl[12*v+:12];
      assign txr = g_switch[s].u_switch.st_txr_o[12*v+:12];
      assign has_word = a.ctl[0] && a.ctl[15:8] == 8'(v);
      assign word = {a.ctl[16+:4], a.ctl[24+:8]};
      always_comb begin
        granted = '0;
        leave = '0;
        for (int i = 0; i < PORTS; i++)
          if (g_switch[s].u_switch.out_grant[i*VLS+v])
            granted = granted + 12'(g_switch[s].u_switch.in_req_len[(i*PORTS*VLS+v)*7+:7]);
        for (int o = 0; o < PORTS; o++) leave = leave + 12'(y_valid[o] && y_vl[4*o+:4] == 4'(v));
      end
      always_ff @(posedge clk_i) begin
        if (rst_i) begin
          {granted_q, on_q, off_q, out_q, quiet_q, heard_q} <= '0;
        end else begin
          granted_q <= granted_q + granted;
          on_q <= on_q + 12'(a.valid && a_vl == 4'(v));
          off_q <= off_q + 12'(b.valid && b_vl == 4'(v));
          out_q <= out_q + leave;
          heard_q <= heard_q || fccl != '0;
          quiet_q <= (leave != '0 || !go) ? '0 : quiet_q + 8'(quiet_q != '1);
        end
      end
      // what the sender may send in all, and what has left: never more than the buffer lies between (and what is being read)
      assign over[E] = heard_q && 12'(fccl - out_q) > 12'(CAP + PORTS) && 12'(fccl - out_q) < 12'd2048;
      // and never less, once the messages have come
      assign lost[E] = quiet_q > 8'(QUIET) && 12'(fccl - out_q) != 12'(CAP);
      assign ahead[E] = 12'(fccl - on_q) > 12'd2048 || 12'(off_q - out_q) > 12'(CAP) || 12'(on_q - off_q) > 12'(DELAY);
      assign backlog[E] = 12'(granted_q - on_q) > 12'(2 * MTU);
      assign unequal[E] = txr != granted_q;
      assign uncounted[E] = has_word && word != on_q;
    end
  end

  // ---- after the traffic
  logic [11:0] calm_q;
  logic [31:0] all_sent, all_got;
  always_comb begin
    all_sent = '0;
    all_got = '0;
    for (int h = 0; h < HOSTS; h++) begin
      all_sent = all_sent + sent[32*h+:32];
      all_got = all_got + got[32*h+:32];
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || traffic_i) calm_q <= '0;
    else if (calm_q != '1) calm_q <= calm_q + 1'b1;
    if (!rst_i) begin
      f1_pair_limit: assert (over == '0);
      f1_pair_credits_return: assert (lost == '0);
      f1_pair_within_credit: assert (ahead == '0);
      f1_pair_granted_is_sent: assert (backlog == '0);
      f1_pair_granted_is_counted: assert (unequal == '0);
      f1_pair_fctbs_is_sent: assert (uncounted == '0);
      b1_pair_delivers_in_order: assert (wrong == '0);
      a3_pair_drains: assert (calm_q != 12'(DRAIN) || (all_sent == all_got && all_sent != '0));
      e6_pair_lines_end: assert (calm_q != 12'(DRAIN) || busy == '0);
    end
  end
endmodule
`endif

`default_nettype wire
