// Configuration registers of the source response (docs/source-response.md); a write shows in the next cycle, and so does
// what is read. Values are bounded here to what the rules use. Rules C1, AK6, SR1, VR1, VR4.
`default_nettype none

module response_regs #(
    parameter int PARITY = 0
) (
    input  wire logic        clk_i,
    input  wire logic        rst_i,
    input  wire logic        we_i,
    input  wire logic        re_i,
    input  wire logic [7:0]  addr_i,
    input  wire logic [31:0] data_i,
    input  wire logic [15:0] err_i,
    output logic             enable_o,
    output logic             lipd_o,         // resp = 1
    output logic             aimd_o,         // resp = 3
    output logic             rate_o,         // resp = 1, 2 or 3: marks lower a rate
    output logic             slots_o,        // resp = 4: marks add waiting slots
    output logic             dyn_o,          // windows move
    output logic             from_ack_o,
    output logic             unit_o,
    output logic             reset_empty_o,
    output logic [7:0]       wmax_o,
    output logic [7:0]       win_max_o,      // W: at least 1
    output logic             windows_o,      // windows are on
    output logic [3:0]       g_o,            // lowest rate 2^-g, g = 2..8
    output logic [3:0]       ws_steps_o,
    output logic [15:0]      rtt_min_o,
    output logic [15:0]      sevmap_o,
    output logic [3:0]       interval_o,     // LINK_INTERVAL, at least 1
    output logic [15:0]      err_clear_o,    // Mealy
    output logic             rvalid_o,
    output logic [31:0]      rdata_o,
    output logic             parity_err_o
);
  localparam logic [7:0] CTRL = 8'd0;
  localparam logic [7:0] WMAX = 8'd1;
  localparam logic [7:0] RMIN_EXP = 8'd2;
  localparam logic [7:0] WS_STEPS = 8'd3;
  localparam logic [7:0] RTT_MIN = 8'd4;
  localparam logic [7:0] SEVMAP = 8'd5;
  localparam logic [7:0] LINK_INTERVAL = 8'd6;
  localparam logic [7:0] ERR_CLEAR = 8'd10;

  logic [7:0]  ctrl_q, ctrl_d, wmax_d;
  logic [3:0]  rmin_exp_q, rmin_exp_d, ws_steps_d, interval_q, interval_d;
  logic [15:0] rtt_min_d, sevmap_d;
  logic [2:0]  resp;

  always_comb begin
    ctrl_d = ctrl_q;
    wmax_d = wmax_o;
    rmin_exp_d = rmin_exp_q;
    ws_steps_d = ws_steps_o;
    rtt_min_d = rtt_min_o;
    sevmap_d = sevmap_o;
    interval_d = interval_q;
    if (rst_i) begin
      ctrl_d = '0;
      wmax_d = 8'd1;
      rmin_exp_d = 4'd8;
      ws_steps_d = 4'd3;
      rtt_min_d = 16'd1;
      sevmap_d = 16'hAA00;
      interval_d = 4'd1;
    end else if (we_i) begin
      case (addr_i)
        CTRL: ctrl_d = data_i[7:0];
        WMAX: wmax_d = data_i[7:0];
        RMIN_EXP: rmin_exp_d = data_i[3:0];
        WS_STEPS: ws_steps_d = data_i[3:0];
        RTT_MIN: rtt_min_d = data_i[15:0];
        SEVMAP: sevmap_d = data_i[15:0];
        LINK_INTERVAL: interval_d = data_i[3:0];
        default: ;
      endcase
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
        CTRL: rdata_d = 32'(ctrl_q);
        WMAX: rdata_d = 32'(wmax_o);
        RMIN_EXP: rdata_d = 32'(rmin_exp_q);
        WS_STEPS: rdata_d = 32'(ws_steps_o);
        RTT_MIN: rdata_d = 32'(rtt_min_o);
        SEVMAP: rdata_d = 32'(sevmap_o);
        LINK_INTERVAL: rdata_d = 32'(interval_q);
        ERR_CLEAR: rdata_d = 32'(err_i);
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    ctrl_q <= ctrl_d;
    wmax_o <= wmax_d;
    rmin_exp_q <= rmin_exp_d;
    ws_steps_o <= ws_steps_d;
    rtt_min_o <= rtt_min_d;
    sevmap_o <= sevmap_d;
    interval_q <= interval_d;
    rvalid_o <= rvalid_d;
    rdata_o <= rdata_d;
  end

  assign enable_o = ctrl_q[0];
  assign resp = ctrl_q[3:1];
  assign dyn_o = ctrl_q[4];
  assign from_ack_o = ctrl_q[5];
  assign unit_o = ctrl_q[6];
  assign reset_empty_o = ctrl_q[7];
  assign lipd_o = resp == 3'd1;
  assign aimd_o = resp == 3'd3;
  assign rate_o = resp == 3'd1 || resp == 3'd2 || resp == 3'd3;
  assign slots_o = resp == 3'd4;
  assign win_max_o = (wmax_o == '0) ? 8'd1 : wmax_o;
  assign windows_o = enable_o && wmax_o != '0;
  assign g_o = (rmin_exp_q < 4'd2) ? 4'd2 : (rmin_exp_q > 4'd8) ? 4'd8 : rmin_exp_q;
  assign interval_o = (interval_q == '0) ? 4'd1 : interval_q;
  assign err_clear_o = (we_i && addr_i == ERR_CLEAR) ? data_i[15:0] : '0;

  wire unused = &{1'b0, data_i};

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{ctrl_d, wmax_d, rmin_exp_d, ws_steps_d, rtt_min_d, sevmap_d, interval_d, rvalid_d, rdata_d}),
      .now_i(^{ctrl_q, wmax_o, rmin_exp_q, ws_steps_o, rtt_min_o, sevmap_o, interval_q, rvalid_o, rdata_o}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
