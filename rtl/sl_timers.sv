// CCTI timers of the 16 SLs (mode timer_per_sl): each expiry makes one step, which the entities of the SL catch up with.
// A timer that no operation has used in a whole sweep goes idle. Rule H4.
`default_nettype none

module sl_timers #(
    parameter int PARITY = 0
) (
    input  wire logic         clk_i,
    input  wire logic         rst_i,
    input  wire logic         run_i,     // timers are in use
    input  wire logic         retime_i,  // all periods begin anew
    input  wire logic         restart_i, // a use begins the period anew
    input  wire logic         end_i,     // a sweep ends
    input  wire logic [15:0]  use_i,     // one-hot
    input  wire logic [15:0]  timer_i,   // 0: no expiry
    input  wire logic [17:0]  tick_i,
    output logic [15:0]       srun_o,
    output logic [18*16-1:0]  st0_o,
    output logic [14*16-1:0]  steps_o,
    output logic [15:0]       act_o,
    output logic              parity_err_o
);
  logic [15:0] sl_err;  // of parity

  for (genvar s = 0; s < 16; s++) begin : g_sl
    logic        run_q, run_d, act_q, act_d, expired;
    logic [17:0] t0_q, t0_d, since;
    logic [13:0] steps_q, steps_d;

    always_comb begin
      run_d = run_q;
      act_d = act_q;
      t0_d = t0_q;
      steps_d = steps_q;
      since = tick_i - t0_q;
      expired = run_i && run_q && timer_i != '0 && since >= 18'(timer_i) && !retime_i;
      if (expired) begin
        steps_d = steps_q + 1'b1;
        t0_d = t0_q + 18'(timer_i);
      end
      if (use_i[s]) begin
        if (!run_q || restart_i) t0_d = tick_i;
        run_d = 1'b1;
        act_d = 1'b1;
      end else if (end_i) begin
        if (!act_q) run_d = 1'b0;
        act_d = 1'b0;
      end
      if (retime_i) t0_d = tick_i;
      if (rst_i) {run_d, act_d, t0_d, steps_d} = '0;
    end

    always_ff @(posedge clk_i) begin
      run_q <= run_d;
      act_q <= act_d;
      t0_q <= t0_d;
      steps_q <= steps_d;
    end

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i,
        .next_i(^{run_d, act_d, t0_d, steps_d}),
        .now_i(^{run_q, act_q, t0_q, steps_q}),
        .err_o(sl_err[s])
    );

    assign srun_o[s] = run_q;
    assign act_o[s] = act_q;
    assign st0_o[18*s+:18] = t0_q;
    assign steps_o[14*s+:14] = steps_q;
  end

  assign parity_err_o = sl_err != '0;
endmodule

`default_nettype wire
