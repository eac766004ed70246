// Self-Tuned: an estimate of the network's full lanes between two sums, linear from the last two, against a threshold that is tuned by
// what the network delivers: down when that falls, up when it does not although headers were held; back to what was best when it falls
// far. docs/injection-control.md, section 3. Rules YS2, YS3, YS4.
`default_nettype none

module selftune (
    input  wire logic        clk_i,
    input  wire logic        rst_i,
    input  wire logic        run_i,
    input  wire logic [3:0]  gather_i,     // log2 of the cycles between sums
    input  wire logic [15:0] up_i,
    input  wire logic [15:0] down_i,
    input  wire logic [23:0] all_i,
    input  wire logic        t_we_i,
    input  wire logic [23:0] t_data_i,
    input  wire logic        sum_valid_i,
    input  wire logic [23:0] sum_full_i,
    input  wire logic [23:0] sum_flits_i,
    output logic             throttle_o,
    output logic [23:0]      f0_o,
    output logic [23:0]      f1_o,
    output logic [16:0]      k_o,
    output logic             over_o,
    output logic [23:0]      t_o,
    output logic [1:0]       sums_o,
    output logic [25:0]      tput_o,
    output logic [25:0]      last_o,
    output logic [25:0]      best_tput_o,
    output logic [23:0]      best_full_o,
    output logic [23:0]      best_t_o,
    output logic [2:0]       bad_o
);
  localparam logic [1:0] LAST_SUM = 2'd2;   // of three in a period
  localparam logic [2:0] BAD_END = 3'd4;    // the fifth period in a row far below the best
  localparam logic [3:0] GATHER = 4'd5;     // after reset

  // ---- estimate (YS2)
  logic [16:0]        limit;
  logic               silent, above;
  logic signed [24:0] slope;
  logic signed [41:0] way, est;

  assign limit = 17'd2 << gather_i;  // 2^(GATHER+1)
  assign silent = k_o >= limit;
  assign slope = $signed({1'b0, f1_o}) - $signed({1'b0, f0_o});
  assign way = 42'(slope) * $signed(42'(k_o));
  assign est = $signed(42'(f1_o)) + (way >>> gather_i);
  assign above = !silent && est > $signed(42'(t_o));

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      {f0_o, f1_o} <= '0;
      k_o <= 17'd2 << GATHER;
      throttle_o <= 1'b0;
    end else if (run_i) begin
      throttle_o <= above;
      if (sum_valid_i) begin
        f1_o <= sum_full_i;
        f0_o <= silent ? sum_full_i : f1_o;
        k_o <= '0;
      end else if (silent) k_o <= limit;
      else k_o <= k_o + 1'b1;
    end
  end

  // ---- threshold (YS3, YS4)
  logic        over, drop, better, far;
  logic [25:0] tput;
  logic [23:0] least, tuned, back, bounded;  // (least: a step up, too)

  assign over = over_o || above;
  assign tput = tput_o + 26'(sum_flits_i);
  assign drop = {tput, 2'b00} < 28'(last_o) + 28'({last_o, 1'b0});
  assign better = tput > best_tput_o;
  assign far = {tput, 1'b0} < 27'(best_tput_o);
  assign least = (up_i == '0) ? 24'd1 : 24'(up_i);
  assign back = (best_t_o < best_full_o) ? best_t_o : best_full_o;

  always_comb begin
    tuned = t_o;
    if (drop) tuned = (t_o > 24'(down_i)) ? t_o - 24'(down_i) : '0;
    else if (over) tuned = (t_o > 24'hFFFFFF - least) ? '1 : t_o + least;
    if (!better && far) tuned = back;
    bounded = (tuned < least) ? least : tuned;
    if (bounded > all_i) bounded = all_i;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      t_o <= 24'd15;
      {over_o, sums_o, tput_o, last_o} <= '0;
      {best_tput_o, best_full_o, best_t_o, bad_o} <= '0;
    end else if (run_i) begin
      if (t_we_i) t_o <= t_data_i;
      if (t_we_i || (sum_valid_i && silent)) begin
        {over_o, sums_o, tput_o, last_o} <= '0;
        {best_tput_o, best_full_o, best_t_o, bad_o} <= '0;
      end else if (!sum_valid_i) over_o <= over;
      else if (sums_o != LAST_SUM) begin
        sums_o <= sums_o + 1'b1;
        tput_o <= tput;
        over_o <= over;
      end else begin
        {over_o, sums_o, tput_o} <= '0;
        last_o <= tput;
        t_o <= bounded;
        if (better) begin
          best_tput_o <= tput;
          best_full_o <= sum_full_i;
          best_t_o <= t_o;
          bad_o <= '0;
        end else if (!far) bad_o <= '0;
        else if (bad_o == BAD_END) {best_tput_o, best_full_o, best_t_o, bad_o} <= '0;
        else bad_o <= bad_o + 1'b1;
      end
    end
  end
endmodule

`default_nettype wire
