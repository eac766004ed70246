// CCTI timers of the 16 SLs (mode timer_per_sl): each expiry makes one step, which the entities of
// the SL catch up with; a timer without activity since its last step goes idle. Rule H4.
`default_nettype none

module sl_timers #(
    parameter int PARITY = 0
) (
    input  wire logic         clk_i,
    input  wire logic         rst_i,
    input  wire logic         run_i,      // timers are in use and may expire
    input  wire logic         restart_i,  // a BECN restarts a running timer
    input  wire logic [15:0]  timer_i,
    input  wire logic [17:0]  tick_i,
    input  wire logic [15:0]  becn_i,     // a BECN of the SL takes effect, one-hot
    input  wire logic [15:0]  keep_i,     // the SL still has an index to lower, one-hot
    output logic [15:0]       srun_o,
    output logic [18*16-1:0]  st0_o,
    output logic [8*16-1:0]   steps_o,
    output logic [15:0]       act_o,
    output logic              parity_err_o
);
  logic [15:0] sl_err;  // of parity

  for (genvar s = 0; s < 16; s++) begin : g_sl
    logic        run_q, run_d, act_q, act_d, expired;
    logic [17:0] t0_q, t0_d, since;
    logic [7:0]  steps_q, steps_d;

    always_comb begin
      run_d = run_q;
      act_d = act_q;
      t0_d = t0_q;
      steps_d = steps_q;
      since = tick_i - t0_q;
      expired = run_i && run_q && since >= 18'(timer_i) && !(becn_i[s] && restart_i);
      if (expired && act_q) begin
        steps_d = steps_q + 1'b1;
        t0_d = t0_q + 18'(timer_i);
        act_d = 1'b0;
      end else if (expired) begin
        run_d = 1'b0;
      end
      if (becn_i[s]) begin
        if (!run_d || restart_i) t0_d = tick_i;
        run_d = 1'b1;
      end
      if (becn_i[s] || keep_i[s]) act_d = 1'b1;
      if (rst_i) {run_d, act_d, t0_d, steps_d} = '0;
    end

    always_ff @(posedge clk_i) begin
      run_q <= run_d;
      act_q <= act_d;
      t0_q <= t0_d;
      steps_q <= steps_d;
    end

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i(clk_i),
        .next_i(^{run_d, act_d, t0_d, steps_d}),
        .now_i(^{run_q, act_q, t0_q, steps_q}),
        .err_o(sl_err[s])
    );

    assign srun_o[s] = run_q;
    assign act_o[s] = act_q;
    assign st0_o[18*s+:18] = t0_q;
    assign steps_o[8*s+:8] = steps_q;
  end

  assign parity_err_o = sl_err != '0;
endmodule

`default_nettype wire
