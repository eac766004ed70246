// Who goes in the crossbar of the wormhole router: the winners of the guard turns, then for each other output the first of the
// picks of the inputs that no guard turn called. Combinational, one iteration: who loses sends nothing. At an output no two
// inputs have the same lane (a lane has one owner), so lanes stand for inputs there. Rules YW5, YW6.
`default_nettype none

module worm_crossbar #(
    parameter int PORTS = 5,
    parameter int VLS = 16
) (
    // of input i (worm_pick)
    input  wire logic [PORTS*PORTS-1:0]   pick_out_i,  // element i*PORTS+o
    input  wire logic [PORTS*VLS-1:0]     pick_vl_i,   // element i*VLS+u
    input  wire logic [PORTS*4-1:0]       class_i,
    input  wire logic [PORTS*PORTS-1:0]   nom_out_i,
    input  wire logic [PORTS*VLS-1:0]     nom_vl_i,
    input  wire logic [PORTS-1:0]         stands_i,
    // of output o
    input  wire logic [PORTS*VLS*VLS-1:0] ahead_i,     // its order
    input  wire logic [PORTS-1:0]         guarded_i,   // it has a guard,
    input  wire logic [PORTS-1:0]         due_i,       // in which best-effort is due
    // who goes
    output logic [PORTS-1:0]              called_o,    // the nominee of input i
    output logic [PORTS-1:0]              pick_goes_o, // its pick
    output logic [PORTS*PORTS-1:0]        from_o,      // element o*PORTS+i: input i sends to output o
    output logic [PORTS*VLS-1:0]          vl_o,        // element o*VLS+u: in its lane u
    output logic [PORTS-1:0]              rt_goes_o,   // to output o
    output logic [PORTS-1:0]              be_goes_o,
    output logic [PORTS-1:0]              be_waits_o   // some nominee is for output o
);
  localparam int REPLY = VLS - 2;
  localparam int CONTROL = VLS - 1;

  logic [PORTS*PORTS-1:0] calls;   // element o*PORTS+i: output o calls input i
  logic [PORTS*PORTS-1:0] passes;  // it takes the pick of input i

  always_comb begin
    called_o = '0;
    for (int o = 0; o < PORTS; o++) called_o = called_o | calls[o*PORTS+:PORTS];
  end

  always_comb begin
    pick_goes_o = '0;
    for (int o = 0; o < PORTS; o++) pick_goes_o = pick_goes_o | passes[o*PORTS+:PORTS];
  end
  assign from_o = calls | passes;

  for (genvar o = 0; o < PORTS; o++) begin : g_out
    // ---- guard turn: picks count as they are
    logic             prompt, rt_here, turn;  // a pick of reply or control, of real-time
    logic [PORTS-1:0] stand;                  // inputs whose nominees stand,
    logic [VLS-1:0]   stand_vl, guard_vl;     // and their lanes

    always_comb begin
      prompt = 1'b0;
      rt_here = 1'b0;
      stand_vl = '0;
      be_waits_o[o] = 1'b0;
      for (int i = 0; i < PORTS; i++) begin
        stand[i] = nom_out_i[i*PORTS+o] && stands_i[i];
        prompt = prompt || (pick_out_i[i*PORTS+o] && class_i[4*i+:2] != '0);
        rt_here = rt_here || (pick_out_i[i*PORTS+o] && class_i[4*i+2]);
        be_waits_o[o] = be_waits_o[o] || nom_out_i[i*PORTS+o];
        stand_vl = stand_vl | (nom_vl_i[i*VLS+:VLS] & {VLS{stand[i]}});
      end
    end
    assign turn = guarded_i[o] && stand != '0 && !prompt && (!rt_here || due_i[o]);

    order_first #(.N(VLS)) u_guard (.req_i(stand_vl), .ahead_i(ahead_i[o*VLS*VLS+:VLS*VLS]), .first_o(guard_vl));

    // ---- the picks that are left, by class
    logic [PORTS-1:0] left;
    logic             reply, control;
    logic [VLS-1:0]   rt, be, rt_first, be_first, pass_vl;

    always_comb begin
      reply = 1'b0;
      control = 1'b0;
      rt = '0;
      be = '0;
      for (int i = 0; i < PORTS; i++) begin
        left[i] = pick_out_i[i*PORTS+o] && !called_o[i];
        reply = reply || (left[i] && class_i[4*i]);
        control = control || (left[i] && class_i[4*i+1]);
        rt = rt | (pick_vl_i[i*VLS+:VLS] & {VLS{left[i] && class_i[4*i+2]}});
        be = be | (pick_vl_i[i*VLS+:VLS] & {VLS{left[i] && class_i[4*i+3]}});
      end
    end

    order_first #(.N(VLS)) u_rt (.req_i(rt), .ahead_i(ahead_i[o*VLS*VLS+:VLS*VLS]), .first_o(rt_first));
    order_first #(.N(VLS)) u_be (.req_i(be), .ahead_i(ahead_i[o*VLS*VLS+:VLS*VLS]), .first_o(be_first));

    always_comb begin
      if (reply) pass_vl = VLS'(1) << REPLY;
      else if (control) pass_vl = VLS'(1) << CONTROL;
      else if (rt != '0) pass_vl = rt_first;
      else pass_vl = be_first;
    end

    // ---- whose lane that is
    for (genvar i = 0; i < PORTS; i++) begin : g_in
      assign calls[o*PORTS+i] = turn && stand[i] && (guard_vl & nom_vl_i[i*VLS+:VLS]) != '0;
      assign passes[o*PORTS+i] = !turn && left[i] && (pass_vl & pick_vl_i[i*VLS+:VLS]) != '0;
    end

    assign vl_o[o*VLS+:VLS] = turn ? guard_vl : pass_vl;
    assign rt_goes_o[o] = !turn && !reply && !control && rt != '0;
    assign be_goes_o[o] = turn || (!reply && !control && rt == '0 && be != '0);
  end
endmodule

`default_nettype wire
