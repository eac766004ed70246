// Configuration registers of the input port, effective thresholds, sticky errors; reads. Rules C1, D1, D4, B2, B3, Q6.
`default_nettype none

module input_config #(
    parameter int MTU = 32,
    parameter int CAP = 2048,
    parameter int TIMER_W = 32,
    parameter int RX_TIMEOUT_RESET = 1024,
    parameter int PARITY = 0
) (
    input  wire logic         clk_i,
    input  wire logic         rst_i,
    input  wire logic         we_i,
    input  wire logic         re_i,
    input  wire logic [7:0]   addr_i,
    input  wire logic [31:0]  data_i,
    input  wire logic [15:0]  set_err_i,
    input  wire logic [15:0]  cnt_drop_i,
    input  wire logic [15:0]  cnt_nohpq_i,
    input  wire logic [15:0]  cnt_noline_i,
    input  wire logic [31:0]  cnt_spec_drop_i,
    input  wire logic [31:0]  up_mask_i,       // registers of the draw of routes; 0 without
    input  wire logic [15:0]  up_seed_i,
    output logic              iso_en_o,
    output logic              cold_first_o,
    output logic              cnp_plain_o,     // CNPs take their turns as data do
    output logic              release_o,       // a packet's charge leaves at its grant
    output logic              root_hpq_o,      // a root takes a hot queue
    output logic [15:0]       hth_o,
    output logic [15:0]       lth_o,           // at least 1
    output logic              never_o,         // weight 0: a CPQ is never congested
    output logic [15:0]       cpq_hth_o,       // effective thresholds of CPQs
    output logic [15:0]       cpq_lth_o,
    output logic [15:0]       fc_interval_o,   // 0 acts as 1
    output logic [3:0]        rx_interval_o,   // at least 1
    output logic [15:0]       rx_timeout_o,
    output logic [TIMER_W-1:0] line_timer_o,   // at least 1
    output logic [15:0]       refresh_o,
    output logic [15:0]       switch_id_o,
    output logic [15:0]       stop_o,          // thresholds of HPQs
    output logic [15:0]       go_o,
    output logic [15:0]       detect_o,        // ONE_QUEUE: when the queue makes a root
    output logic [15:0]       hold_o,
    output logic              naive_o,         // packets that are there at a fill are marked
    output logic              mb_en_o,
    output logic [3:0]        rd_interval_o,   // at least 1
    output logic [15:0]       fill_level_o,
    output logic [15:0]       mb_th_o,
    output logic [3:0]        bypass_o,        // 0: no limit
    output logic [3:0]        xb_interval_o,   // at least 1
    output logic              drop_en_o,       // speculative packets that queued for more than ttw_o are dropped
    output logic [14:0]       ttw_o,
    output logic [15:0]       err_o,
    output logic              rvalid_o,
    output logic [31:0]       rdata_o,
    output logic              parity_err_o
);
  localparam logic [15:0] STEP = 16'(CAP / 16);  // fill that one unit of weight stands for
  // Thresholds after reset: below what a lane's buffer holds, however small that is.
  localparam int HIGH = (6 * MTU < 3 * CAP / 4) ? 6 * MTU : 3 * CAP / 4;
  localparam int LOW = (4 * MTU < CAP / 2) ? 4 * MTU : CAP / 2;

  logic [6:0]         ctrl_q, ctrl_d;
  logic [15:0]        hth_q, hth_d;
  logic [15:0]        lth_q, lth_d;
  logic [4:0]         weight_q, weight_d;
  logic [15:0]        fc_interval_q, fc_interval_d;
  logic [3:0]         rx_interval_q, rx_interval_d;
  logic [15:0]        rx_timeout_q, rx_timeout_d;
  logic [TIMER_W-1:0] line_timer_q, line_timer_d;
  logic [15:0]        refresh_q, refresh_d;
  logic [15:0]        switch_id_q, switch_id_d;
  logic [15:0]        stop_q, stop_d;
  logic [15:0]        go_q, go_d;
  logic [15:0]        detect_q, detect_d;
  logic [15:0]        hold_q, hold_d;
  logic [3:0]         rd_interval_q, rd_interval_d;
  logic [15:0]        fill_level_q, fill_level_d;
  logic [15:0]        mb_th_q, mb_th_d;
  logic [3:0]         bypass_q, bypass_d;
  logic [3:0]         xb_interval_q, xb_interval_d;
  logic               drop_en_q, drop_en_d;
  logic [14:0]        ttw_q, ttw_d;
  logic [15:0]        err_q, err_d;
  logic [15:0]        err_clear;
  assign err_clear = (we_i && addr_i == quell_pkg::IP_ERR_CLEAR) ? data_i[15:0] : '0;

  always_comb begin
    ctrl_d = ctrl_q;
    hth_d = hth_q;
    lth_d = lth_q;
    weight_d = weight_q;
    fc_interval_d = fc_interval_q;
    rx_interval_d = rx_interval_q;
    rx_timeout_d = rx_timeout_q;
    line_timer_d = line_timer_q;
    refresh_d = refresh_q;
    switch_id_d = switch_id_q;
    stop_d = stop_q;
    go_d = go_q;
    detect_d = detect_q;
    hold_d = hold_q;
    rd_interval_d = rd_interval_q;
    fill_level_d = fill_level_q;
    mb_th_d = mb_th_q;
    bypass_d = bypass_q;
    xb_interval_d = xb_interval_q;
    drop_en_d = drop_en_q;
    ttw_d = ttw_q;
    err_d = err_q;
    if (rst_i) begin
      ctrl_d = '0;
      hth_d = 16'(HIGH);
      lth_d = 16'(LOW);
      weight_d = '0;
      fc_interval_d = 16'd4;
      rx_interval_d = 4'd1;
      rx_timeout_d = 16'(RX_TIMEOUT_RESET);
      line_timer_d = '1;
      refresh_d = '0;
      switch_id_d = '0;
      stop_d = '0;
      go_d = '0;
      detect_d = 16'(LOW);
      hold_d = 16'(MTU);
      rd_interval_d = 4'd1;
      fill_level_d = 16'(CAP - (MTU + 1) / 2);
      mb_th_d = 16'(66 * CAP / 100);
      bypass_d = '0;
      xb_interval_d = 4'd1;
      drop_en_d = 1'b0;
      ttw_d = 15'd203;
      err_d = '0;
    end else begin
      err_d = (err_q & ~err_clear) | set_err_i;
      if (we_i) begin
        case (addr_i)
          quell_pkg::IP_CTRL: ctrl_d = data_i[6:0];
          quell_pkg::IP_HTH: hth_d = data_i[15:0];
          quell_pkg::IP_LTH: lth_d = data_i[15:0];
          quell_pkg::IP_WEIGHT: weight_d = data_i[4:0];
          quell_pkg::IP_FC_INTERVAL: fc_interval_d = data_i[15:0];
          quell_pkg::IP_RX_INTERVAL: rx_interval_d = data_i[3:0];
          quell_pkg::IP_RX_TIMEOUT: rx_timeout_d = data_i[15:0];
          quell_pkg::IP_LINE_TIMER: line_timer_d = (33'(data_i) >> TIMER_W != '0) ? '1 : data_i[TIMER_W-1:0];
          quell_pkg::IP_REFRESH: refresh_d = data_i[15:0];
          quell_pkg::IP_SWITCH_ID: switch_id_d = data_i[15:0];
          quell_pkg::IP_STOP: stop_d = data_i[15:0];
          quell_pkg::IP_GO: go_d = data_i[15:0];
          quell_pkg::IP_DETECT: detect_d = data_i[15:0];
          quell_pkg::IP_HOLD: hold_d = data_i[15:0];
          quell_pkg::IP_RD_INTERVAL: rd_interval_d = data_i[3:0];
          quell_pkg::IP_FILL_LEVEL: fill_level_d = data_i[15:0];
          quell_pkg::IP_MB_TH: mb_th_d = data_i[15:0];
          quell_pkg::IP_BYPASS: bypass_d = data_i[3:0];
          quell_pkg::IP_XB_INTERVAL: xb_interval_d = data_i[3:0];
          quell_pkg::IP_SPEC: drop_en_d = data_i[0];
          quell_pkg::IP_TTW: ttw_d = data_i[14:0];
          default: ;
        endcase
      end
    end
  end

  // C1: what is read, as it is before a write of the same cycle
  logic        rvalid_d;
  logic [31:0] rdata_d;

  always_comb begin
    rvalid_d = re_i && !rst_i;
    rdata_d = '0;
    if (rvalid_d) begin
      case (addr_i)
        quell_pkg::IP_CTRL: rdata_d = 32'(ctrl_q);
        quell_pkg::IP_HTH: rdata_d = 32'(hth_q);
        quell_pkg::IP_LTH: rdata_d = 32'(lth_q);
        quell_pkg::IP_WEIGHT: rdata_d = 32'(weight_q);
        quell_pkg::IP_FC_INTERVAL: rdata_d = 32'(fc_interval_q);
        quell_pkg::IP_RX_INTERVAL: rdata_d = 32'(rx_interval_q);
        quell_pkg::IP_RX_TIMEOUT: rdata_d = 32'(rx_timeout_q);
        quell_pkg::IP_LINE_TIMER: rdata_d = 32'(line_timer_q);
        quell_pkg::IP_REFRESH: rdata_d = 32'(refresh_q);
        quell_pkg::IP_SWITCH_ID: rdata_d = 32'(switch_id_q);
        quell_pkg::IP_ERR_CLEAR: rdata_d = 32'(err_q);
        quell_pkg::IP_STOP: rdata_d = 32'(stop_q);
        quell_pkg::IP_GO: rdata_d = 32'(go_q);
        quell_pkg::IP_DETECT: rdata_d = 32'(detect_q);
        quell_pkg::IP_HOLD: rdata_d = 32'(hold_q);
        quell_pkg::IP_RD_INTERVAL: rdata_d = 32'(rd_interval_q);
        quell_pkg::IP_FILL_LEVEL: rdata_d = 32'(fill_level_q);
        quell_pkg::IP_MB_TH: rdata_d = 32'(mb_th_q);
        quell_pkg::IP_BYPASS: rdata_d = 32'(bypass_q);
        quell_pkg::IP_XB_INTERVAL: rdata_d = 32'(xb_interval_q);
        quell_pkg::IP_SPEC: rdata_d = 32'(drop_en_q);
        quell_pkg::IP_TTW: rdata_d = 32'(ttw_q);
        quell_pkg::IP_CNT_DROP: rdata_d = 32'(cnt_drop_i);
        quell_pkg::IP_CNT_NOHPQ: rdata_d = 32'(cnt_nohpq_i);
        quell_pkg::IP_CNT_NOLINE: rdata_d = 32'(cnt_noline_i);
        quell_pkg::IP_CNT_SPEC_DROP: rdata_d = cnt_spec_drop_i;
        quell_pkg::IP_UP_MASK: rdata_d = up_mask_i;
        quell_pkg::IP_UP_SEED: rdata_d = 32'(up_seed_i);
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    ctrl_q <= ctrl_d;
    hth_q <= hth_d;
    lth_q <= lth_d;
    weight_q <= weight_d;
    fc_interval_q <= fc_interval_d;
    rx_interval_q <= rx_interval_d;
    rx_timeout_q <= rx_timeout_d;
    line_timer_q <= line_timer_d;
    refresh_q <= refresh_d;
    switch_id_q <= switch_id_d;
    stop_q <= stop_d;
    go_q <= go_d;
    detect_q <= detect_d;
    hold_q <= hold_d;
    rd_interval_q <= rd_interval_d;
    fill_level_q <= fill_level_d;
    mb_th_q <= mb_th_d;
    bypass_q <= bypass_d;
    xb_interval_q <= xb_interval_d;
    drop_en_q <= drop_en_d;
    ttw_q <= ttw_d;
    err_q <= err_d;
    rvalid_o <= rvalid_d;
    rdata_o <= rdata_d;
  end

  // D4: the weight replaces the high threshold; the low one keeps its distance.
  logic [4:0]  units;
  logic [15:0] gap;
  logic [15:0] weight_hth;
  logic [15:0] lth;
  logic [16:0] low;
  logic [15:0] weight_lth;

  assign units = 5'd16 - {1'b0, weight_q[3:0]};
  assign lth = (lth_q == '0) ? 16'd1 : lth_q;  // an empty queue is below it
  assign gap = (hth_q > lth) ? hth_q - lth : '0;
  assign weight_hth = 16'(units) * STEP;
  assign low = {1'b0, weight_hth} - {1'b0, gap};
  assign weight_lth = (low[16] || low == '0) ? 16'd1 : low[15:0];

  assign iso_en_o = ctrl_q[0];
  assign cold_first_o = ctrl_q[1];
  assign cnp_plain_o = ctrl_q[2];
  assign release_o = ctrl_q[3];
  assign root_hpq_o = ctrl_q[4];
  assign hth_o = hth_q;
  assign lth_o = lth;
  assign never_o = weight_q == 5'h10;
  assign cpq_hth_o = weight_q[4] ? weight_hth : hth_q;
  assign cpq_lth_o = weight_q[4] ? weight_lth : lth;
  assign fc_interval_o = fc_interval_q;
  assign rx_interval_o = (rx_interval_q == '0) ? 4'd1 : rx_interval_q;
  assign rx_timeout_o = rx_timeout_q;
  assign line_timer_o = (line_timer_q == '0) ? TIMER_W'(1) : line_timer_q;
  assign refresh_o = refresh_q;
  assign switch_id_o = switch_id_q;
  assign stop_o = (stop_q == '0) ? hth_q : stop_q;
  assign go_o = (go_q == '0) ? lth : go_q;
  assign detect_o = detect_q;
  assign hold_o = hold_q;
  assign naive_o = ctrl_q[5];
  assign mb_en_o = ctrl_q[6];
  assign rd_interval_o = (rd_interval_q == '0) ? 4'd1 : rd_interval_q;
  assign fill_level_o = fill_level_q;
  assign mb_th_o = mb_th_q;
  assign bypass_o = bypass_q;
  assign xb_interval_o = (xb_interval_q == '0) ? 4'd1 : xb_interval_q;
  assign drop_en_o = drop_en_q;
  assign ttw_o = ttw_q;
  assign err_o = err_q;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i(clk_i),
      .next_i(^{ctrl_d, hth_d, lth_d, weight_d, fc_interval_d, rx_interval_d, rx_timeout_d, line_timer_d,
            refresh_d, switch_id_d, stop_d, go_d, detect_d, hold_d, rd_interval_d, fill_level_d, mb_th_d, bypass_d, xb_interval_d,
            drop_en_d, ttw_d, err_d, rvalid_d, rdata_d}),
      .now_i(^{ctrl_q, hth_q, lth_q, weight_q, fc_interval_q, rx_interval_q, rx_timeout_q, line_timer_q,
            refresh_q, switch_id_q, stop_q, go_q, detect_q, hold_q, rd_interval_q, fill_level_q, mb_th_q, bypass_q, xb_interval_q,
            drop_en_q, ttw_q, err_q, rvalid_o, rdata_o}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
