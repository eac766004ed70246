// What an ACK makes of a flow's window, rate and slots, by the severity of its bits: the first that applies changes, and
// nothing else. Combinational. Rules VR2, VR4, SR2; docs/source-response.md section 2.
`default_nettype none

module response_step (
    input  wire logic [1:0]  sev_i,       // 0 clean, 1 warm, 2 hot
    input  wire logic        dyn_i,       // windows move
    input  wire logic        lipd_i,
    input  wire logic        aimd_i,
    input  wire logic        rate_i,
    input  wire logic        slots_i,
    input  wire logic [7:0]  win_max_i,
    input  wire logic [3:0]  g_i,
    input  wire logic [3:0]  ws_steps_i,
    input  wire logic [7:0]  win_i,       // as they are now (response_values)
    input  wire logic [32:0] x_i,
    input  wire logic [3:0]  j_i,
    output logic      [7:0]  win_o,
    output logic      [32:0] x_o,
    output logic      [3:0]  j_o
);
  localparam logic [1:0] CLEAN = 2'd0;
  localparam logic [1:0] WARM = 2'd1;

  logic [32:0] marked, recovered;

  rate_step u_rate (
      .lipd_i, .aimd_i, .g_i, .x_i,
      .marked_o(marked),
      .recovered_o(recovered)
  );

  always_comb begin
    win_o = win_i;
    x_o = x_i;
    j_o = j_i;
    if (sev_i == CLEAN) begin
      if (j_i != '0) j_o = '0;
      else if (x_i > (33'd1 << 24)) x_o = recovered;
      else if (dyn_i && win_i < win_max_i) win_o = win_i + 1'b1;
    end else if (sev_i == WARM) begin
      if (dyn_i && win_i > 8'd1) win_o = win_i - 1'b1;
    end else begin
      if (dyn_i && win_i > 8'd1) win_o = win_i - 1'b1;
      else if (slots_i) j_o = (j_i < ws_steps_i) ? j_i + 1'b1 : ws_steps_i;
      else if (rate_i) x_o = marked;
    end
  end
endmodule

`default_nettype wire
