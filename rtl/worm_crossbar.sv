// Who goes in the crossbar of the wormhole router: the winners of the guard turns; for each other output the first of the picks of
// the inputs that no guard turn called; and for each output to which nothing goes so far, the first of the second picks of the
// inputs from which nothing goes. Combinational. Rules YW5, YW6.
`default_nettype none

module worm_crossbar #(
    parameter int PORTS = 5,
    parameter int VLS = 16
) (
    input  wire logic                     clk_i,
    input  wire logic                     rst_i,
    // of input i (worm_pick)
    input  wire logic [PORTS*PORTS-1:0]   pick_out_i,     // element i*PORTS+o
    input  wire logic [PORTS*VLS-1:0]     pick_vl_i,      // element i*VLS+u
    input  wire logic [PORTS*4-1:0]       class_i,
    input  wire logic [PORTS*PORTS-1:0]   nom_out_i,
    input  wire logic [PORTS*VLS-1:0]     nom_vl_i,
    input  wire logic [PORTS-1:0]         stands_i,
    input  wire logic [PORTS*PORTS-1:0]   second_out_i,
    input  wire logic [PORTS*VLS-1:0]     second_vl_i,
    input  wire logic [PORTS*4-1:0]       second_class_i,
    // of output o
    input  wire logic [PORTS*VLS*VLS-1:0] ahead_i,        // its order
    input  wire logic [PORTS-1:0]         guarded_i,      // it has a guard,
    input  wire logic [PORTS-1:0]         due_i,          // in which best-effort is due
    output logic [PORTS-1:0]              idle_o,         // there is nobody for it but by a second pick; depends on no second pick
    // who goes
    output logic [PORTS-1:0]              called_o,       // the nominee of input i
    output logic [PORTS-1:0]              pick_goes_o,    // its pick
    output logic [PORTS-1:0]              second_goes_o,  // its second pick
    output logic [PORTS*PORTS-1:0]        from_o,         // element o*PORTS+i: input i sends to output o
    output logic [PORTS*VLS-1:0]          vl_o,           // element o*VLS+u: in its lane u
    output logic [PORTS-1:0]              rt_goes_o,      // to output o
    output logic [PORTS-1:0]              turn_o,         // output o has a guard turn
    output logic [PORTS-1:0]              be_waits_o      // some nominee is for output o
);
  logic [PORTS*PORTS-1:0] calls;   // element o*PORTS+i: output o calls input i,
  logic [PORTS*PORTS-1:0] passes;  // takes its pick,
  logic [PORTS*PORTS-1:0] looks;   // takes its second pick

  always_comb begin
    called_o = '0;
    for (int o = 0; o < PORTS; o++) called_o = called_o | calls[o*PORTS+:PORTS];
  end

  always_comb begin
    pick_goes_o = '0;
    for (int o = 0; o < PORTS; o++) pick_goes_o = pick_goes_o | passes[o*PORTS+:PORTS];
  end

  always_comb begin
    second_goes_o = '0;
    for (int o = 0; o < PORTS; o++) second_goes_o = second_goes_o | looks[o*PORTS+:PORTS];
  end
  assign from_o = calls | passes | looks;

  for (genvar o = 0; o < PORTS; o++) begin : g_out
    // ---- guard turn: picks count as they are
    logic             prompt, rt_here;        // a pick of reply or control, of real-time
    logic             turn;
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

    for (genvar i = 0; i < PORTS; i++) begin : g_call
      assign calls[o*PORTS+i] = turn && stand[i] && (guard_vl & nom_vl_i[i*VLS+:VLS]) != '0;
    end

    // ---- the picks that are left
    logic [PORTS-1:0] left;
    logic [VLS-1:0]   pass_vl;
    logic             pass_rt;

    always_comb for (int i = 0; i < PORTS; i++) left[i] = pick_out_i[i*PORTS+o] && !called_o[i] && !turn;

    worm_take #(.PORTS(PORTS), .VLS(VLS)) u_pass (
        .for_i(left),
        .vl_i(pick_vl_i),
        .class_i,
        .ahead_i(ahead_i[o*VLS*VLS+:VLS*VLS]),
        .take_o(passes[o*PORTS+:PORTS]),
        .vl_o(pass_vl),
        .rt_o(pass_rt)
    );

    // ---- the second picks, which are for idle outputs alone
    logic [PORTS-1:0] again;
    logic [VLS-1:0]   look_vl;
    logic             look_rt;

    assign idle_o[o] = !turn && left == '0;

    always_comb for (int i = 0; i < PORTS; i++) again[i] = second_out_i[i*PORTS+o] && !called_o[i] && !pick_goes_o[i];

    worm_take #(.PORTS(PORTS), .VLS(VLS)) u_look (
        .for_i(again),
        .vl_i(second_vl_i),
        .class_i(second_class_i),
        .ahead_i(ahead_i[o*VLS*VLS+:VLS*VLS]),
        .take_o(looks[o*PORTS+:PORTS]),
        .vl_o(look_vl),
        .rt_o(look_rt)
    );

    assign vl_o[o*VLS+:VLS] = (turn ? guard_vl : '0) | pass_vl | look_vl;
    assign rt_goes_o[o] = pass_rt || look_rt;
    assign turn_o[o] = turn;
  end

  wire unused = &{1'b0, clk_i, rst_i};  // it has no state

`ifdef QUELL_CHECK
  worm_crossbar_checker #(.PORTS(PORTS), .VLS(VLS)) u_checker (
      .clk_i, .rst_i,
      .pick_out_i, .pick_vl_i, .class_i, .nom_out_i, .nom_vl_i, .stands_i, .second_out_i, .second_vl_i, .second_class_i,
      .ahead_i, .guarded_i, .due_i,
      .idle_i(idle_o),
      .called_i(called_o),
      .pick_goes_i(pick_goes_o),
      .second_goes_i(second_goes_o),
      .from_i(from_o),
      .vl_i(vl_o),
      .rt_goes_i(rt_goes_o),
      .turn_i(turn_o)
  );
`endif
endmodule

`default_nettype wire
