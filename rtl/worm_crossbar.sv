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
    input  wire logic [PORTS*VLS*VLS-1:0] before_i,    // its order
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
  localparam int D = VLS - 2;  // lanes of data
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
    logic [D*D-1:0] prior;
    for (genvar w = 0; w < D; w++) begin : g_before
      assign prior[w*D+:D] = before_i[o*VLS*VLS+w*VLS+:D];
    end

    // ---- guard turn: picks count as they are
    logic           prompt, rt_here, turn;  // a pick of reply or control, of real-time
    logic [D-1:0]   standing, guard_vl;     // lanes of the nominees that stand

    always_comb begin
      prompt = 1'b0;
      rt_here = 1'b0;
      standing = '0;
      be_waits_o[o] = 1'b0;
      for (int i = 0; i < PORTS; i++) begin
        if (pick_out_i[i*PORTS+o]) begin
          prompt = prompt | (|class_i[4*i+:2]);
          rt_here = rt_here | class_i[4*i+2];
        end
        if (nom_out_i[i*PORTS+o]) begin
          be_waits_o[o] = 1'b1;
          if (stands_i[i]) standing = standing | nom_vl_i[i*VLS+:D];
        end
      end
    end
    assign turn = guarded_i[o] && standing != '0 && !prompt && (!rt_here || due_i[o]);

    order_first #(.N(D)) u_guard (.req_i(standing), .before_i(prior), .first_o(guard_vl));

    for (genvar i = 0; i < PORTS; i++) begin : g_call
      assign calls[o*PORTS+i] = turn && stands_i[i] && nom_out_i[i*PORTS+o] && (guard_vl & nom_vl_i[i*VLS+:D]) != '0;
    end

    // ---- the picks that are left, by class
    logic           reply, control;
    logic [D-1:0]   rt, be, rt_first, be_first;
    logic [VLS-1:0] pass_vl;

    always_comb begin
      reply = 1'b0;
      control = 1'b0;
      rt = '0;
      be = '0;
      for (int i = 0; i < PORTS; i++) begin
        if (pick_out_i[i*PORTS+o] && !called_o[i]) begin
          reply = reply | class_i[4*i];
          control = control | class_i[4*i+1];
          if (class_i[4*i+2]) rt = rt | pick_vl_i[i*VLS+:D];
          if (class_i[4*i+3]) be = be | pick_vl_i[i*VLS+:D];
        end
      end
    end

    order_first #(.N(D)) u_rt (.req_i(rt), .before_i(prior), .first_o(rt_first));
    order_first #(.N(D)) u_be (.req_i(be), .before_i(prior), .first_o(be_first));

    always_comb begin
      pass_vl = '0;
      if (reply) pass_vl[REPLY] = 1'b1;
      else if (control) pass_vl[CONTROL] = 1'b1;
      else if (rt != '0) pass_vl[D-1:0] = rt_first;
      else pass_vl[D-1:0] = be_first;
    end

    for (genvar i = 0; i < PORTS; i++) begin : g_pass
      assign passes[o*PORTS+i] = !turn && !called_o[i] && pick_out_i[i*PORTS+o] && (pass_vl & pick_vl_i[i*VLS+:VLS]) != '0;
    end

    assign vl_o[o*VLS+:VLS] = turn ? VLS'(guard_vl) : pass_vl;
    assign rt_goes_o[o] = !turn && !reply && !control && rt != '0;
    assign be_goes_o[o] = turn || (!reply && !control && rt == '0 && be != '0);
  end

  wire unused = &{1'b0, before_i, nom_vl_i};  // of reply and control
endmodule

`default_nettype wire
