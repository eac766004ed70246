// Packets granted that have not come over the crossbar as a whole, and those of them that are lost because
// the link went down meanwhile: what comes of a lost packet, and all that comes while the link is down, is
// dropped. Packets come in the order of their grants, so the lost ones are the oldest. Rule B3;
// docs/output-port.md section 9.
`default_nettype none

module crossbar_debt #(
    parameter int PARITY = 0
) (
    input  wire logic       clk_i,
    input  wire logic       rst_i,
    input  wire logic       link_up_i,
    input  wire logic       grant_i,   // a packet is granted
    input  wire logic       end_i,     // the last flit of one is on the crossbar
    output logic            lost_o,    // Mealy: what is on the crossbar is dropped
    output logic      [1:0] due_o,     // packets granted that have not come, at most 3
    output logic      [1:0] drop_o,    // of these, packets that are lost
    output logic            parity_err_o
);
  logic [1:0] due_d, drop_d, due_left;

  always_comb begin
    due_left = (end_i && due_o != '0) ? due_o - 1'b1 : due_o;
    due_d = (grant_i && due_left != '1) ? due_left + 1'b1 : due_left;
    if (!link_up_i) drop_d = due_d;
    else drop_d = (end_i && drop_o != '0) ? drop_o - 1'b1 : drop_o;
    if (rst_i) {due_d, drop_d} = '0;
  end

  always_ff @(posedge clk_i) begin
    due_o <= due_d;
    drop_o <= drop_d;
  end

  assign lost_o = !link_up_i || drop_o != '0;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{due_d, drop_d}),
      .now_i(^{due_o, drop_o}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
