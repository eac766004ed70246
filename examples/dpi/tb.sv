// A design beside the golden model, in any simulator with DPI (docs/bindings.md): random flows, BECNs and table entries; every output and all state
// compared in every cycle. +bug adds a bug to the design, +cycles=N says how long.
`default_nettype none

module tb;
  localparam int VLS = 2;
  localparam int FLOWS = 5;
  localparam int CCT = 8;
  localparam int TS_W = 10;
  localparam int NE = 16;
  localparam int NV = 2;

  logic clk_i = 0;
  logic rst_i = 1;
  always #5 clk_i = !clk_i;

  logic cfg_we_i, cfg_re_i, cct_we_i, attr_we_i, becn_valid_i, inj_ready_i, sent_i, ready_o, inj_valid_o,
      cfg_rvalid_o, st_snd_o, st_ent_we_o, st_ent_run_o, st_lti_we_o, st_lti_valid_o;
  logic [7:0] cfg_addr_i;
  logic [31:0] cfg_data_i, cfg_rdata_o;
  logic [15:0] cct_addr_i, cct_data_i, attr_flow_i, becn_flow_i, sl_ok_i, inj_flow_o, err_o, st_vp_o, st_wk_o,
      st_rs_o, st_sl_run_o, st_sl_act_o, st_ent_addr_o, st_lti_addr_o;
  logic [3:0] attr_sl_i, inj_sl_o, st_ent_esl_o;
  logic [FLOWS-1:0] req_i, stop_i, blocked_o, st_went_o;
  logic [6:0] inj_len_i, st_lti_len_o;
  logic [TS_W-1:0] st_now_o, st_lti_o;
  logic [17:0] st_tick_o, st_ent_t0_o;
  logic [16*NV-1:0] st_sp_o;
  logic [255:0] st_fp_o;
  logic [NE-1:0] st_blk_o;
  logic [18*16-1:0] st_sl_t0_o;
  logic [14*16-1:0] st_sl_steps_o;
  logic [13:0] st_ent_ccti_o, st_ent_seen_o;

  slow_throttle #(.VLS(VLS), .FLOWS(FLOWS), .CCT(CCT), .TS_W(TS_W)) dut (.*);

  // The checker says where the two differ ...
  logic differs_o;
  quell_check_hca_throttle #(.VLS(VLS), .FLOWS(FLOWS), .CCT(CCT), .TS_W(TS_W), .STATE(1)) check (.*);

  // ... and the golden model has outputs of its own.
  logic golden_ready, golden_valid;
  logic [15:0] golden_flow;
  /* verilator lint_off PINMISSING */
  quell_golden_hca_throttle #(.VLS(VLS), .FLOWS(FLOWS), .CCT(CCT), .TS_W(TS_W)) golden (
      .ready_o(golden_ready), .inj_valid_o(golden_valid), .inj_flow_o(golden_flow),
      .clk_i(clk_i), .rst_i(rst_i), .cfg_we_i(cfg_we_i), .cfg_re_i(cfg_re_i), .cfg_addr_i(cfg_addr_i),
      .cfg_data_i(cfg_data_i), .cct_we_i(cct_we_i), .cct_addr_i(cct_addr_i), .cct_data_i(cct_data_i),
      .attr_we_i(attr_we_i), .attr_flow_i(attr_flow_i), .attr_sl_i(attr_sl_i), .becn_valid_i(becn_valid_i),
      .becn_flow_i(becn_flow_i), .req_i(req_i), .stop_i(stop_i), .sl_ok_i(sl_ok_i), .inj_ready_i(inj_ready_i),
      .inj_len_i(inj_len_i), .sent_i(sent_i)
  );
  /* verilator lint_on PINMISSING */

  int cycles = 2000;
  int offers = 0;
  int n = -4;  // cycles of reset before cycle 0
  initial begin
    void'($value$plusargs("cycles=%d", cycles));
    {cfg_we_i, cfg_re_i, cfg_addr_i, cfg_data_i, cct_we_i, cct_addr_i, cct_data_i} = '0;
    {attr_we_i, attr_flow_i, attr_sl_i, becn_valid_i, becn_flow_i, stop_i, inj_ready_i, sent_i} = '0;
    req_i = '1;
    sl_ok_i = '1;
    inj_len_i = 7'd4;
  end

  always @(posedge clk_i) begin
    n <= n + 1;
    rst_i <= n < -1;
    if (!rst_i) begin
      if ({ready_o, inj_valid_o, inj_flow_o} !== {golden_ready, golden_valid, golden_flow} && !differs_o)
        $display("cycle %0d: the offer is not the golden model's", n);
      if (inj_valid_o) offers <= offers + 1;
      cfg_we_i     <= ready_o && n % 64 < 3;  // CTRL.enable, CCTI_INCREASE, CCTI_LIMIT
      cfg_addr_i   <= 8'(n % 64);
      cfg_data_i   <= (n % 64 == 2) ? 32'd7 : 32'd1;
      cct_we_i     <= ready_o && n % 64 > 8;
      cct_addr_i   <= 16'(n % CCT);
      cct_data_i   <= 16'(8 * (n % CCT));
      becn_valid_i <= ready_o && $urandom_range(3) == 0;
      becn_flow_i  <= 16'($urandom_range(FLOWS - 1));
      req_i        <= FLOWS'($urandom);
      inj_ready_i  <= $urandom_range(1) == 0;
      sent_i       <= $urandom_range(3) == 0;
    end
    if (n == cycles) begin
      if (differs_o) $display("the design differs from its golden model");
      else $display("equal in %0d cycles, %0d cycles with an offer", cycles, offers);
      $finish;
    end
  end
endmodule

`default_nettype wire
