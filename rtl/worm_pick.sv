// What an input of the wormhole router would send: of its lanes that can send the first one (pick), and the first one of
// best-effort (nominee), which goes instead of the pick when an output calls the input. Combinational. Rules YW5, YW6.
`default_nettype none

module worm_pick #(
    parameter int PORTS = 5,
    parameter int VLS = 16,
    localparam int OW = $clog2(PORTS),
    localparam int VW = $clog2(VLS)
) (
    input  wire logic [VLS-1:0]       own_i,
    input  wire logic [OW*VLS-1:0]    own_out_i,
    input  wire logic [VW*VLS-1:0]    own_vl_i,
    input  wire logic [VLS-1:0]       any_i,      // there is a flit to send, or a made tail
    input  wire logic [PORTS*VLS-1:0] ok_i,       // lane o*VLS+u can be sent to
    input  wire logic [VLS-1:0]       be_i,       // best-effort lanes
    input  wire logic [VLS*VLS-1:0]   ahead_i,    // the input's order
    input  wire logic                 due_i,      // of the guard
    output logic [VLS-1:0]            pick_o,     // one-hot, or 0; so are all that follow
    output logic [PORTS-1:0]          pick_out_o,
    output logic [VLS-1:0]            pick_vl_o,
    output logic [3:0]                class_o,    // of the pick: reply, control, real-time, best-effort from bit 0 on
    output logic [VLS-1:0]            nom_o,
    output logic [PORTS-1:0]          nom_out_o,
    output logic [VLS-1:0]            nom_vl_o,
    output logic                      stands_o    // the nominee may have a guard turn
);
  localparam int REPLY = VLS - 2;
  localparam int CONTROL = VLS - 1;
  localparam logic [VLS-1:0] DATA = {VLS{1'b1}} >> 2;

  // ---- what each lane owns, as one-hot numbers, and whether it can send
  logic [PORTS*VLS-1:0] out;  // element v*PORTS+o
  logic [VLS*VLS-1:0]   vl;   // element v*VLS+u
  logic [VLS-1:0]       sends;

  for (genvar v = 0; v < VLS; v++) begin : g_lane
    logic [VLS-1:0] there;  // lanes of its output that can be sent to

    always_comb begin
      there = '0;
      for (int o = 0; o < PORTS; o++) if (own_out_i[OW*v+:OW] == OW'(o)) there = there | ok_i[o*VLS+:VLS];
    end
    assign out[v*PORTS+:PORTS] = PORTS'(1) << own_out_i[OW*v+:OW];
    assign vl[v*VLS+:VLS] = VLS'(1) << own_vl_i[VW*v+:VW];
    assign sends[v] = own_i[v] && any_i[v] && (there & vl[v*VLS+:VLS]) != '0;
  end

  // ---- the first of either class of data
  logic [VLS-1:0]   rt, be, rt_first;
  logic [PORTS-1:0] rt_out;
  logic [VLS-1:0]   rt_vl;

  assign rt = sends & DATA & ~be_i;
  assign be = sends & be_i;

  order_first #(.N(VLS)) u_rt (.req_i(rt), .ahead_i, .first_o(rt_first));
  order_first #(.N(VLS)) u_be (.req_i(be), .ahead_i, .first_o(nom_o));

  always_comb begin
    rt_out = '0;
    rt_vl = '0;
    nom_out_o = '0;
    nom_vl_o = '0;
    for (int v = 0; v < REPLY; v++) begin
      rt_out = rt_out | (out[v*PORTS+:PORTS] & {PORTS{rt_first[v]}});
      rt_vl = rt_vl | (vl[v*VLS+:VLS] & {VLS{rt_first[v]}});
      nom_out_o = nom_out_o | (out[v*PORTS+:PORTS] & {PORTS{nom_o[v]}});
      nom_vl_o = nom_vl_o | (vl[v*VLS+:VLS] & {VLS{nom_o[v]}});
    end
  end

  // ---- the classes in their order
  always_comb begin
    if (sends[REPLY]) begin
      class_o = 4'b0001;
      pick_o = VLS'(1) << REPLY;
      pick_out_o = out[REPLY*PORTS+:PORTS];
      pick_vl_o = vl[REPLY*VLS+:VLS];
    end else if (sends[CONTROL]) begin
      class_o = 4'b0010;
      pick_o = VLS'(1) << CONTROL;
      pick_out_o = out[CONTROL*PORTS+:PORTS];
      pick_vl_o = vl[CONTROL*VLS+:VLS];
    end else if (rt != '0) begin
      class_o = 4'b0100;
      pick_o = rt_first;
      pick_out_o = rt_out;
      pick_vl_o = rt_vl;
    end else begin
      class_o = {be != '0, 3'b000};
      pick_o = nom_o;
      pick_out_o = nom_out_o;
      pick_vl_o = nom_vl_o;
    end
  end

  assign stands_o = be != '0 && !sends[REPLY] && !sends[CONTROL] && (due_i || rt == '0);
endmodule

`default_nettype wire
