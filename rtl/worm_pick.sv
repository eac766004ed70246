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
    input  wire logic [VLS*VLS-1:0]   before_i,   // the input's order
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
  localparam int D = VLS - 2;  // lanes of data
  localparam int REPLY = VLS - 2;
  localparam int CONTROL = VLS - 1;

  // ---- what each lane owns, as one-hot numbers, and whether it can send
  logic [VLS*PORTS-1:0] out;  // element v*PORTS+o
  logic [VLS*VLS-1:0]   vl;   // element v*VLS+u
  logic [VLS-1:0]       sends;

  for (genvar v = 0; v < VLS; v++) begin : g_lane
    logic [PORTS-1:0] there;  // by output: the lane of that number can be sent to
    for (genvar o = 0; o < PORTS; o++) begin : g_out
      assign out[v*PORTS+o] = own_out_i[OW*v+:OW] == OW'(o);
      assign there[o] = |(ok_i[o*VLS+:VLS] & vl[v*VLS+:VLS]);
    end
    for (genvar u = 0; u < VLS; u++) begin : g_vl
      assign vl[v*VLS+u] = own_vl_i[VW*v+:VW] == VW'(u);
    end
    assign sends[v] = own_i[v] && any_i[v] && |(there & out[v*PORTS+:PORTS]);
  end

  // ---- the first of either class of data
  logic [D*D-1:0]   prior;
  logic [D-1:0]     rt, be, rt_first, be_first;
  logic [PORTS-1:0] rt_out, be_out;
  logic [VLS-1:0]   rt_vl, be_vl;

  for (genvar w = 0; w < D; w++) begin : g_before
    assign prior[w*D+:D] = before_i[w*VLS+:D];
  end
  assign rt = sends[D-1:0] & ~be_i[D-1:0];
  assign be = sends[D-1:0] & be_i[D-1:0];

  order_first #(.N(D)) u_rt (.req_i(rt), .before_i(prior), .first_o(rt_first));
  order_first #(.N(D)) u_be (.req_i(be), .before_i(prior), .first_o(be_first));

  always_comb begin
    rt_out = '0;
    be_out = '0;
    rt_vl = '0;
    be_vl = '0;
    for (int v = 0; v < D; v++) begin
      if (rt_first[v]) begin
        rt_out = rt_out | out[v*PORTS+:PORTS];
        rt_vl = rt_vl | vl[v*VLS+:VLS];
      end
      if (be_first[v]) begin
        be_out = be_out | out[v*PORTS+:PORTS];
        be_vl = be_vl | vl[v*VLS+:VLS];
      end
    end
  end

  // ---- the classes in their order
  always_comb begin
    class_o = '0;
    if (sends[REPLY]) begin
      class_o[0] = 1'b1;
      pick_o = VLS'(1) << REPLY;
      pick_out_o = out[REPLY*PORTS+:PORTS];
      pick_vl_o = vl[REPLY*VLS+:VLS];
    end else if (sends[CONTROL]) begin
      class_o[1] = 1'b1;
      pick_o = VLS'(1) << CONTROL;
      pick_out_o = out[CONTROL*PORTS+:PORTS];
      pick_vl_o = vl[CONTROL*VLS+:VLS];
    end else if (rt != '0) begin
      class_o[2] = 1'b1;
      pick_o = VLS'(rt_first);
      pick_out_o = rt_out;
      pick_vl_o = rt_vl;
    end else begin
      class_o[3] = be != '0;
      pick_o = VLS'(be_first);
      pick_out_o = be_out;
      pick_vl_o = be_vl;
    end
  end

  assign nom_o = VLS'(be_first);
  assign nom_out_o = be_out;
  assign nom_vl_o = be_vl;
  assign stands_o = be != '0 && !sends[REPLY] && !sends[CONTROL] && (due_i || rt == '0);

  wire unused = &{1'b0, be_i, before_i};  // of reply and control
endmodule

`default_nettype wire
