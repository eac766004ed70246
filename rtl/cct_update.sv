// Update pipeline of the CCTIs: a BECN raises the index of its entity, the timer sweep lowers the
// indices, one entity a cycle. Stages: U0 choose and read the flow's SL, U1 read the entity,
// U2 compute and write. Rules H3, H4, H7. An entity is {ccti 14, run, t0 18, seen 8}.
`default_nettype none

module cct_update #(
    parameter int FLOWS = 64,
    parameter int PARITY = 0,
    localparam int NE = (FLOWS > 16) ? FLOWS : 16,
    localparam int FW = $clog2(FLOWS),
    localparam int EW = $clog2(NE)
) (
    input  wire logic           clk_i,
    input  wire logic           rst_i,
    input  wire logic           ready_i,
    input  wire logic           enable_i,
    input  wire logic           sl_mode_i,
    input  wire logic           per_sl_i,
    input  wire logic           restart_i,
    input  wire logic [7:0]     increase_i,
    input  wire logic [13:0]    limit_i,
    input  wire logic [7:0]     min_i,
    input  wire logic [15:0]    timer_i,
    input  wire logic [17:0]    tick_i,
    input  wire logic [8*16-1:0] steps_i,
    input  wire logic           becn_valid_i,  // of a flow that exists
    input  wire logic [FW-1:0]  becn_flow_i,
    input  wire logic [3:0]     becn_sl_i,
    output logic [FW-1:0]       attr_raddr_o,
    input  wire logic [3:0]     attr_rdata_i,
    output logic                attr_used_o,
    output logic [EW-1:0]       ent_raddr_o,
    input  wire logic [40:0]    ent_rdata_i,
    output logic                ent_used_o,
    output logic                ent_we_o,
    output logic [EW-1:0]       ent_waddr_o,
    output logic [40:0]         ent_wdata_o,
    output logic [15:0]         sl_becn_o,     // for the SL timers, one-hot
    output logic [15:0]         sl_keep_o,
    output logic                parity_err_o
);
  // ---- U0: choose
  logic [EW-1:0] sweep_q, sweep_d, u0_f;

  assign u0_f = becn_valid_i ? EW'(becn_flow_i) : sweep_q;
  assign attr_raddr_o = u0_f[FW-1:0];

  always_comb begin
    sweep_d = sweep_q;
    if (rst_i) sweep_d = '0;
    else if (ready_i && !becn_valid_i) sweep_d = (sweep_q == EW'(NE - 1)) ? '0 : sweep_q + 1'b1;
  end

  always_ff @(posedge clk_i) sweep_q <= sweep_d;

  // ---- U1: entity and SL
  logic          u1_valid_q, u1_valid_d, u1_becn_q, u1_becn_d, u1_valid;
  logic [EW-1:0] u1_f_q, u1_f_d, u1_e;
  logic [3:0]    u1_sl_q, u1_sl_d, u1_s;

  assign u1_valid_d = ready_i && !rst_i;
  assign u1_becn_d = becn_valid_i;
  assign u1_f_d = u0_f;
  assign u1_sl_d = becn_sl_i;

  always_ff @(posedge clk_i) begin
    u1_valid_q <= u1_valid_d;
    u1_becn_q <= u1_becn_d;
    u1_f_q <= u1_f_d;
    u1_sl_q <= u1_sl_d;
  end

  always_comb begin
    u1_valid = u1_valid_q;
    u1_e = u1_f_q;
    u1_s = u1_becn_q ? u1_sl_q : attr_rdata_i;
    if (sl_mode_i) begin
      if (!u1_becn_q) u1_s = u1_f_q[3:0];
      u1_e = EW'(u1_s);
      if (!u1_becn_q && (EW + 1)'(u1_f_q) >= (EW + 1)'(16)) u1_valid = 1'b0;
    end else if ((EW + 1)'(u1_f_q) >= (EW + 1)'(FLOWS)) begin
      u1_valid = 1'b0;
    end
  end

  assign ent_raddr_o = u1_e;
  assign attr_used_o = u1_valid && !u1_becn_q && !sl_mode_i;

  // ---- U2: compute and write
  logic          u2_valid_q, u2_valid_d, u2_becn_q, u2_becn_d, last_we_q, last_we_d;
  logic [EW-1:0] u2_e_q, u2_e_d, last_e_q, last_e_d;
  logic [3:0]    u2_s_q, u2_s_d;
  logic [40:0]   last_data_q, last_data_d;  // the write of the previous cycle, which the read did not see
  logic [13:0]   ccti, ccti_now, ccti_new, floor;
  logic [14:0]   raised;
  logic          run, run_new, expired;
  logic [17:0]   t0, t0_new, since;
  logic [7:0]    seen, steps;

  assign u2_valid_d = u1_valid && !rst_i;
  assign u2_becn_d = u1_becn_q;
  assign u2_e_d = u1_e;
  assign u2_s_d = u1_s;
  assign last_we_d = ent_we_o && !rst_i;
  assign last_e_d = u2_e_q;
  assign last_data_d = ent_wdata_o;

  always_ff @(posedge clk_i) begin
    u2_valid_q <= u2_valid_d;
    u2_becn_q <= u2_becn_d;
    u2_e_q <= u2_e_d;
    u2_s_q <= u2_s_d;
    last_we_q <= last_we_d;
    last_e_q <= last_e_d;
    last_data_q <= last_data_d;
  end

  logic again;  // the entity of the previous cycle

  assign again = last_we_q && last_e_q == u2_e_q;
  assign ent_used_o = ent_we_o && !again;
  assign {ccti, run, t0, seen} = again ? last_data_q : ent_rdata_i;
  assign steps = steps_i[8*u2_s_q+:8];

  ccti_catch_up u_catch_up (
      .per_sl_i(per_sl_i),
      .ccti_i(ccti),
      .seen_i(seen),
      .steps_i(steps),
      .min_i(min_i),
      .ccti_o(ccti_now)
  );

  always_comb begin
    ent_we_o = u2_valid_q && enable_i;
    ccti_new = ccti_now;
    run_new = run;
    t0_new = t0;
    floor = 14'(min_i);
    raised = 15'(ccti_now) + 15'(increase_i);
    since = tick_i - t0;
    expired = run && timer_i != '0 && since >= 18'(timer_i);
    sl_becn_o = '0;
    sl_keep_o = '0;
    if (u2_becn_q) begin
      ccti_new = (raised > 15'(limit_i)) ? limit_i : raised[13:0];
      if (per_sl_i) begin
        sl_becn_o[u2_s_q] = ent_we_o;
      end else if (!run || restart_i) begin
        run_new = 1'b1;
        t0_new = tick_i;
      end
    end else if (per_sl_i) begin
      sl_keep_o[u2_s_q] = ent_we_o && ccti_now > floor;
    end else if (expired) begin
      ccti_new = (ccti_now > floor) ? ccti_now - 1'b1 : floor;
      if (ccti_new <= floor) run_new = 1'b0;
      else t0_new = t0 + 18'(timer_i);
    end
    ent_waddr_o = ent_we_o ? u2_e_q : '0;
    ent_wdata_o = ent_we_o ? {ccti_new, run_new, t0_new, per_sl_i ? steps : seen} : '0;
  end

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i(clk_i),
      .next_i(^{sweep_d, u1_valid_d, u1_becn_d, u1_f_d, u1_sl_d, u2_valid_d, u2_becn_d, u2_e_d, u2_s_d,
            last_we_d, last_e_d, last_data_d}),
      .now_i(^{sweep_q, u1_valid_q, u1_becn_q, u1_f_q, u1_sl_q, u2_valid_q, u2_becn_q, u2_e_q, u2_s_q,
            last_we_q, last_e_q, last_data_q}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
