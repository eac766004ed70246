// Which packets an input takes in: those for which its VL has room. A sender that keeps to its credits has none
// refused. Combinational. Rules B3, F1.
`default_nettype none

module accept_policy_credit #(
    parameter int VLS = 1,
    parameter int CAP = 2048
) (
    input  quell_pkg::header_t     head_i,
    input  wire logic [VLS*12-1:0] used_i,  // blocks in use
    output logic                   take_o
);
  localparam int RW = (CAP < 1) ? 1 : $clog2(CAP + 1);  // who has a lane without blocks says so
  localparam int XW = (RW > 8) ? RW : 8;  // a length beside the room

  logic [RW-1:0] room;

  always_comb begin
    room = RW'(CAP) - used_i[RW-1:0];
    for (int v = 1; v < VLS; v++) if (head_i.vl == 8'(v)) room = RW'(CAP) - used_i[v*12 +: RW];
  end
  assign take_o = XW'(head_i.n) <= XW'(room);

  wire unused = &{1'b0, head_i, used_i};
endmodule

`default_nettype wire
