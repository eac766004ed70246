// Which packets an input takes in: those for which its VL has room. A sender that keeps to its credits has none
// refused. With SRP the three highest lanes have sizes of their own. Combinational. Rules B3, F1, Q1.
`default_nettype none

module accept_policy_credit #(
    parameter int VLS = 1,
    parameter int CAP = 2048,
    parameter int SRP = 0,
    parameter int SPEC_BLOCKS = CAP,
    parameter int CTL_BLOCKS = CAP
) (
    input  quell_pkg::header_t     head_i,
    input  wire logic [VLS*12-1:0] used_i,  // blocks in use
    output logic                   take_o
);
  localparam int MOST = (SRP != 0 && SPEC_BLOCKS > CAP && SPEC_BLOCKS >= CTL_BLOCKS) ? SPEC_BLOCKS
      : (SRP != 0 && CTL_BLOCKS > CAP) ? CTL_BLOCKS : CAP;
  localparam int RW = (MOST < 1) ? 1 : $clog2(MOST + 1);  // who has a lane without blocks says so
  localparam int XW = (RW > 8) ? RW : 8;  // a length beside the room

  logic [VLS*RW-1:0] rooms;
  logic [RW-1:0]     room;

  for (genvar v = 0; v < VLS; v++) begin : g_room
    localparam int SIZE = (SRP == 0 || v < VLS - 3) ? CAP : (v == VLS - 3) ? SPEC_BLOCKS : CTL_BLOCKS;
    assign rooms[v*RW +: RW] = RW'(SIZE) - used_i[v*12 +: RW];
  end

  always_comb begin
    room = rooms[RW-1:0];
    for (int v = 1; v < VLS; v++) if (head_i.vl == 8'(v)) room = rooms[v*RW +: RW];
  end
  assign take_o = XW'(head_i.n) <= XW'(room);

  wire unused = &{1'b0, head_i, used_i};
endmodule

`default_nettype wire
