// A round robin over flows, as those see it who wait: while a flow can go, no other one is chosen twice. One flow at a time is
// followed, until it is chosen or cannot go. Instantiated by reservation_pick_checker for each of its choices. Rules Q19, Q20.
`default_nettype none

module flow_turns_checker #(
    parameter int FLOWS = 64,
    localparam int FW = $clog2(FLOWS)
) (
    input wire logic             clk_i,
    input wire logic             rst_i,
    input wire logic [FLOWS-1:0] want_i,    // flows that can go
    input wire logic             chosen_i,  // one is chosen,
    input wire logic [FW-1:0]    flow_i     // this one
);
  logic [FW-1:0]    f_q;
  logic [FLOWS-1:0] once_q;
  logic             restart, twice_q;

  assign restart = rst_i || !want_i[f_q] || (chosen_i && flow_i == f_q);

  always_ff @(posedge clk_i) begin
    if (rst_i) f_q <= '0;
    else if (restart) f_q <= (f_q == FW'(FLOWS - 1)) ? '0 : f_q + 1'b1;
    if (restart) once_q <= '0;
    else if (chosen_i) once_q[flow_i] <= 1'b1;
    twice_q <= !restart && chosen_i && once_q[flow_i];
  end

  logic past_ok_q;
  always_ff @(posedge clk_i) past_ok_q <= !rst_i;

  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      q19_flow_turn: assert (!twice_q);
      q19_chosen_wants: assert (!chosen_i || want_i[flow_i]);
    end
  end
endmodule

`default_nettype wire
