// Lanes of outputs and their owners: a lane of an output is owned if and only if one lane of an input owns it, and it is one; credits
// are no more than the room that they stand for. Instantiated by worm_router; for simulation. Rules YW2, YW4, F1.
`default_nettype none

module worm_owner_checker #(
    parameter int PORTS = 5,
    parameter int VLS = 16,
    parameter int DEPTH = 10
) (
    input wire logic                   clk_i,
    input wire logic                   rst_i,
    input wire logic [PORTS*VLS-1:0]   own_i,
    input wire logic [PORTS-1:0]       slot_own_i,
    input wire logic [8*PORTS-1:0]     slot_way_i,
    input wire logic [8*PORTS*VLS-1:0] own_out_i,
    input wire logic [8*PORTS*VLS-1:0] own_vl_i,
    input wire logic [PORTS*VLS-1:0]   owned_i,
    input wire logic [8*PORTS*VLS-1:0] cr_i
);
  localparam int N = PORTS * VLS;

  logic [N-1:0] lanes;  // that somebody owns: a lane of an input, or a reply slot
  logic         apart, exists, bounded, none;

  always_comb begin
    lanes = '0;
    apart = 1'b1;
    exists = 1'b1;
    bounded = 1'b1;
    none = 1'b1;
    for (int l = 0; l < N; l++) begin
      logic [N-1:0] mine;
      mine = '0;
      if (own_i[l]) mine = N'(1) << (32'(own_out_i[8*l+:8]) * VLS + 32'(own_vl_i[8*l+:8]));
      apart = apart && (lanes & mine) == '0;
      lanes = lanes | mine;
      exists = exists && own_out_i[8*l+:8] < 8'(PORTS) && own_vl_i[8*l+:8] < 8'(VLS);
      none = none && (own_i[l] || (own_out_i[8*l+:8] == '0 && own_vl_i[8*l+:8] == '0));
      bounded = bounded && cr_i[8*l+:8] <= 8'(DEPTH);
    end
    for (int i = 0; i < PORTS; i++) begin
      logic [N-1:0] mine;
      mine = '0;
      if (slot_own_i[i]) mine = N'(1) << (32'(slot_way_i[8*i+:8]) * VLS + VLS - 2);
      apart = apart && (lanes & mine) == '0;
      lanes = lanes | mine;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      yw4_one_owner: assert (apart);
      yw4_owned_by_somebody: assert (lanes == owned_i);
      yw4_lane_exists: assert (exists && none);
      yw2_credits_within_room: assert (bounded);
    end
  end
endmodule

`default_nettype wire
