// Update pipeline of the CCTIs: a BECN raises the index of its entity, the timer sweep lowers the indices, one
// operation a cycle. Stages: U0 choose, U1 find the entity and read it, U2 compute and write. Rules H3, H4, H7;
// docs/hca-throttle.md section 2. An entity is {ccti 14, run, t0 18, seen 14, esl 4}.
`default_nettype none

module cct_update #(
    parameter int FLOWS = 64,
    parameter int PARITY = 0,
    localparam int NE = (FLOWS > 16) ? FLOWS : 16,
    localparam int FW = (FLOWS > 1) ? $clog2(FLOWS) : 1,
    localparam int EW = $clog2(NE)
) (
    input  wire logic               clk_i,
    input  wire logic               rst_i,
    input  wire logic               ready_i,
    input  wire logic               enable_i,
    input  wire logic               sl_mode_i,
    input  wire logic               per_sl_i,
    input  wire logic               restart_i,
    input  wire logic [7:0]         increase_i,
    input  wire logic [13:0]        limit_i,
    input  wire logic [7:0]         min_i,
    input  wire logic [15:0]        timer_i,
    input  wire logic               retime_i,      // all periods begin anew
    input  wire logic [17:0]        tick_i,
    input  wire logic [14*16-1:0]   steps_i,       // of the SL timers
    input  wire logic [4*FLOWS-1:0] sl_i,          // SLs of the flows
    input  wire logic               becn_valid_i,  // of a flow that exists
    input  wire logic [FW-1:0]      becn_flow_i,
    output logic      [EW-1:0]      ent_raddr_o,
    input  wire logic [50:0]        ent_rdata_i,
    output logic                    ent_used_o,
    output logic                    ent_we_o,
    output logic      [EW-1:0]      ent_waddr_o,
    output logic      [50:0]        ent_wdata_o,
    output logic      [15:0]        sl_use_o,      // to the SL timers: the operation in U2 uses one, one-hot,
    output logic                    sl_restart_o,  // and begins its period anew;
    output logic                    sl_end_o,      // it is the last of a sweep
    output logic      [15:0]        rs_o,          // operations of the sweep until all periods are counted anew
    output logic                    parity_err_o
);
  // ---- U0: choose
  logic [EW-1:0] sweep_q, sweep_d;

  always_comb begin
    sweep_d = sweep_q;
    if (rst_i) sweep_d = '0;
    else if (ready_i && !becn_valid_i) sweep_d = (sweep_q == EW'(NE - 1)) ? '0 : sweep_q + 1'b1;
  end

  always_ff @(posedge clk_i) sweep_q <= sweep_d;

  // ---- U1: entity
  logic          u1_valid_q, u1_valid_d, u1_becn_q, u1_becn_d;
  logic [EW-1:0] u1_f_q, u1_f_d, u1_e;
  logic [3:0]    u1_sl;

  assign u1_valid_d = ready_i && !rst_i;
  assign u1_becn_d = becn_valid_i;
  assign u1_f_d = becn_valid_i ? EW'(becn_flow_i) : sweep_q;

  always_ff @(posedge clk_i) begin
    u1_valid_q <= u1_valid_d;
    u1_becn_q <= u1_becn_d;
    u1_f_q <= u1_f_d;
  end

  for (genvar b = 0; b < 4; b++) begin : g_u1_sl
    assign u1_sl[b] = sl_i[b*FLOWS+32'(u1_f_q[FW-1:0])];
  end

  assign u1_e = (u1_becn_q && sl_mode_i) ? EW'(u1_sl) : u1_f_q;
  assign ent_raddr_o = u1_e;

  // ---- U2: compute and write
  logic          u2_valid_q, u2_valid_d, u2_live_q, u2_live_d, u2_becn_q, u2_becn_d, u2_mode_q, u2_mode_d;
  logic          last_we_q, last_we_d;
  logic [EW-1:0] u2_e_q, u2_e_d, last_e_q, last_e_d;
  logic [50:0]   last_data_q, last_data_d;  // the write of the previous cycle, which the read did not see

  assign u2_valid_d = u1_valid_q && !rst_i;
  assign u2_live_d = u1_valid_q && !rst_i
      && (u1_becn_q || (EW + 1)'(u1_f_q) < (sl_mode_i ? (EW + 1)'(16) : (EW + 1)'(FLOWS)));
  assign u2_becn_d = u1_becn_q;
  assign u2_mode_d = sl_mode_i;
  assign u2_e_d = u1_e;
  assign last_we_d = ent_we_o && !rst_i;
  assign last_e_d = u2_e_q;
  assign last_data_d = ent_wdata_o;

  always_ff @(posedge clk_i) begin
    u2_valid_q <= u2_valid_d;
    u2_live_q <= u2_live_d;
    u2_becn_q <= u2_becn_d;
    u2_mode_q <= u2_mode_d;
    u2_e_q <= u2_e_d;
    last_we_q <= last_we_d;
    last_e_q <= last_e_d;
    last_data_q <= last_data_d;
  end

  logic        again;  // the entity of the previous cycle
  logic [13:0] ccti, seen, steps;
  logic        run;
  logic [17:0] t0;
  logic [3:0]  esl, flow_sl, s;
  logic [EW:0] rs_q, rs_d;

  for (genvar b = 0; b < 4; b++) begin : g_u2_sl
    assign flow_sl[b] = sl_i[b*FLOWS+32'(u2_e_q[FW-1:0])];
  end

  assign again = last_we_q && last_e_q == u2_e_q;
  assign ent_used_o = ent_we_o && !again;
  assign {ccti, run, t0, seen, esl} = again ? last_data_q : ent_rdata_i;
  assign s = u2_mode_q ? u2_e_q[3:0] : flow_sl;
  assign steps = steps_i[14*s+:14];

  // steps that are due: those of the SL timer since the entity was last seen, or of its own timer, a power of two
  logic [13:0] behind, due, ccti_now;
  logic [17:0] since, due_time;  // age of the period; that of the steps due
  logic        expired, anew;

  always_comb begin
    behind = steps_i[14*esl+:14] - seen;
    since = tick_i - t0;
    due = '0;
    due_time = '0;
    expired = 1'b0;
    anew = run && rs_q != '0;  // the period begins anew
    if (per_sl_i) begin
      due = (rs_q != '0) ? '0 : behind;
    end else if (run && !anew && timer_i != '0) begin
      for (int j = 0; j < 8; j++) begin
        if (23'(since) >= 23'(timer_i) << j) begin
          expired = 1'b1;
          due = 14'd1 << j;
          due_time = 18'(timer_i) << j;
        end
      end
    end
  end

  ccti_step u_step (
      .ccti_i(ccti),
      .steps_i(due),
      .min_i,
      .ccti_o(ccti_now)
  );

  logic [13:0] ccti_new;
  logic [14:0] raised;
  logic        run_new, off_min;
  logic [17:0] t0_new;

  always_comb begin
    ent_we_o = u2_live_q && enable_i;
    off_min = ccti_now != 14'(min_i);
    raised = 15'(ccti_now) + 15'(increase_i);
    ccti_new = ccti_now;
    if (u2_becn_q) ccti_new = (raised > 15'(limit_i)) ? limit_i : raised[13:0];

    run_new = run;
    t0_new = t0;
    if (!per_sl_i) begin
      if (anew) t0_new = tick_i;
      if (expired) begin
        t0_new = t0 + due_time;
        run_new = off_min;
      end
      if (u2_becn_q ? (!run_new || restart_i) : (!run_new && off_min)) begin
        run_new = 1'b1;
        t0_new = tick_i;
      end
    end
    ent_waddr_o = ent_we_o ? u2_e_q : '0;
    ent_wdata_o = ent_we_o
        ? {ccti_new, run_new, t0_new, per_sl_i ? steps : seen, per_sl_i ? s : esl} : '0;

    sl_use_o = '0;
    sl_use_o[s] = ent_we_o && per_sl_i && (u2_becn_q || off_min);
    sl_restart_o = u2_becn_q && restart_i;
  end

  // ---- end of a sweep; operations of it after a retime (an operation that does nothing counts)
  logic u2_sweep;

  assign u2_sweep = u2_valid_q && !u2_becn_q;
  assign sl_end_o = u2_sweep && u2_e_q == EW'(NE - 1) && enable_i && per_sl_i;
  assign rs_o = 16'(rs_q);

  always_comb begin
    rs_d = rs_q;
    if (rst_i) rs_d = '0;
    else if (retime_i) rs_d = (EW + 1)'(NE + 1);  // the operation that is in U1 now was found under the mode before
    else if (u2_sweep && rs_q != '0) rs_d = rs_q - 1'b1;
  end

  always_ff @(posedge clk_i) rs_q <= rs_d;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{sweep_d, u1_valid_d, u1_becn_d, u1_f_d, u2_valid_d, u2_live_d, u2_becn_d, u2_mode_d, u2_e_d,
            last_we_d, last_e_d, last_data_d, rs_d}),
      .now_i(^{sweep_q, u1_valid_q, u1_becn_q, u1_f_q, u2_valid_q, u2_live_q, u2_becn_q, u2_mode_q, u2_e_q,
            last_we_q, last_e_q, last_data_q, rs_q}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
