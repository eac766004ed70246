// Configuration registers of the throttle unit (docs/hca-throttle.md); a write shows in the next cycle, and so does what is read. Rule C1.
`default_nettype none

module throttle_regs #(
    parameter int CCT = 128,
    parameter int VL_BY_DEST = 0,
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
    output logic             sl_mode_o,    // never with VL_BY_DEST: lanes that are served apart cannot share a delay
    output logic             per_sl_o,     // timer_per_sl
    output logic             restart_o,
    output logic             cct_abs_o,
    output logic [7:0]       increase_o,
    output logic [13:0]      limit_o,      // at most CCT-1
    output logic [7:0]       min_o,        // at most limit_o
    output logic [15:0]      timer_o,
    output logic [15:0]      tick_last_o,  // TICK_CYCLES - 1, 0 for 0
    output logic [3:0]       interval_o,   // LINK_INTERVAL, at least 1
    output logic             retime_o,     // Mealy: what the timers' periods depend on is written
    output logic [15:0]      err_clear_o,  // Mealy
    output logic             rvalid_o,
    output logic [31:0]      rdata_o,
    output logic             parity_err_o
);
  localparam logic [7:0] CTRL = 8'd0;
  localparam logic [7:0] CCTI_INCREASE = 8'd1;
  localparam logic [7:0] CCTI_LIMIT = 8'd2;
  localparam logic [7:0] CCTI_MIN = 8'd3;
  localparam logic [7:0] CCTI_TIMER = 8'd4;
  localparam logic [7:0] TICK_CYCLES = 8'd5;
  localparam logic [7:0] LINK_INTERVAL = 8'd6;
  localparam logic [7:0] ERR_CLEAR = 8'd10;

  localparam logic [13:0] LAST_ENTRY = 14'(CCT - 1);

  logic [4:0]  ctrl_q, ctrl_d;
  logic [13:0] limit_q, limit_d;
  logic [15:0] tick_cycles_q, tick_cycles_d;
  logic [3:0]  interval_q, interval_d;

  logic [7:0] increase_d, min_q, min_d;
  logic [15:0] timer_d;

  always_comb begin
    ctrl_d = ctrl_q;
    increase_d = increase_o;
    limit_d = limit_q;
    min_d = min_q;
    timer_d = timer_o;
    tick_cycles_d = tick_cycles_q;
    interval_d = interval_q;
    if (rst_i) begin
      ctrl_d = '0;
      increase_d = 8'd1;
      limit_d = LAST_ENTRY;
      min_d = '0;
      timer_d = 16'd150;
      tick_cycles_d = 16'd80;
      interval_d = 4'd1;
    end else if (we_i) begin
      case (addr_i)
        CTRL: ctrl_d = data_i[4:0];
        CCTI_INCREASE: increase_d = data_i[7:0];
        CCTI_LIMIT: limit_d = data_i[13:0];
        CCTI_MIN: min_d = data_i[7:0];
        CCTI_TIMER: timer_d = data_i[15:0];
        TICK_CYCLES: tick_cycles_d = data_i[15:0];
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
        CCTI_INCREASE: rdata_d = 32'(increase_o);
        CCTI_LIMIT: rdata_d = 32'(limit_q);
        CCTI_MIN: rdata_d = 32'(min_q);
        CCTI_TIMER: rdata_d = 32'(timer_o);
        TICK_CYCLES: rdata_d = 32'(tick_cycles_q);
        LINK_INTERVAL: rdata_d = 32'(interval_q);
        ERR_CLEAR: rdata_d = 32'(err_i);
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    ctrl_q <= ctrl_d;
    increase_o <= increase_d;
    limit_q <= limit_d;
    min_q <= min_d;
    timer_o <= timer_d;
    tick_cycles_q <= tick_cycles_d;
    interval_q <= interval_d;
    rvalid_o <= rvalid_d;
    rdata_o <= rdata_d;
  end

  assign enable_o = ctrl_q[0];
  assign sl_mode_o = ctrl_q[1] && VL_BY_DEST == 0;
  assign per_sl_o = ctrl_q[2];
  assign restart_o = ctrl_q[3];
  assign cct_abs_o = ctrl_q[4];
  assign limit_o = (limit_q >= LAST_ENTRY) ? LAST_ENTRY : limit_q;
  assign min_o = (14'(min_q) > limit_o) ? limit_o[7:0] : min_q;
  assign tick_last_o = (tick_cycles_q == '0) ? '0 : tick_cycles_q - 1'b1;
  assign interval_o = (interval_q == '0) ? 4'd1 : interval_q;
  assign retime_o = we_i && (addr_i == CTRL || addr_i == CCTI_TIMER || addr_i == TICK_CYCLES);
  assign err_clear_o = (we_i && addr_i == ERR_CLEAR) ? data_i[15:0] : '0;

  wire unused = &{1'b0, data_i};

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i(clk_i),
      .next_i(^{ctrl_d, increase_d, limit_d, min_d, timer_d, tick_cycles_d, interval_d, rvalid_d,
          rdata_d}),
      .now_i(^{ctrl_q, increase_o, limit_q, min_q, timer_o, tick_cycles_q, interval_q, rvalid_o,
          rdata_o}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
