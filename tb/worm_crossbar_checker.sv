// The crossbar of the wormhole router, seen apart from how it decides: one flit leaves an input and enters an output; it goes where and in
// the lane in which its input would send it; who goes is of the first class of those that could; no output idles beside an input that idles
// and has something for it; a nominee is called where the guard lets it and nowhere else. What it takes of its surroundings: choices are
// whole, lanes are those of their classes and nobody's else, the orders are orders, second picks are for idle outputs. Instantiated by
// worm_crossbar; for simulation.
// Rules YW5, YW6.
`default_nettype none

module worm_crossbar_checker #(
    parameter int PORTS = 5,
    parameter int VLS = 16
) (
    input wire logic                   clk_i,
    input wire logic                   rst_i,
    input wire logic [PORTS*PORTS-1:0] pick_out_i,
    input wire logic [PORTS*VLS-1:0]   pick_vl_i,
    input wire logic [PORTS*4-1:0]     class_i,
    input wire logic [PORTS*PORTS-1:0] nom_out_i,
    input wire logic [PORTS*VLS-1:0]   nom_vl_i,
    input wire logic [PORTS-1:0]       stands_i,
    input wire logic [PORTS*PORTS-1:0] second_out_i,
    input wire logic [PORTS*VLS-1:0]   second_vl_i,
    input wire logic [PORTS*4-1:0]     second_class_i,
    input wire logic [PORTS*VLS*VLS-1:0] ahead_i,
    input wire logic [PORTS-1:0]       guarded_i,
    input wire logic [PORTS-1:0]       due_i,
    input wire logic [PORTS-1:0]       idle_i,
    input wire logic [PORTS-1:0]       called_i,
    input wire logic [PORTS-1:0]       pick_goes_i,
    input wire logic [PORTS-1:0]       second_goes_i,
    input wire logic [PORTS*PORTS-1:0] from_i,
    input wire logic [PORTS*VLS-1:0]   vl_i,
    input wire logic [PORTS-1:0]       rt_goes_i,
    input wire logic [PORTS-1:0]       turn_i
);
  localparam int REPLY = VLS - 2;
  localparam int CONTROL = VLS - 1;

  // ---- by input
  logic [PORTS-1:0] one_out, whole, fits, as_chosen;
  logic [PORTS-1:0] picks, sends;

  for (genvar i = 0; i < PORTS; i++) begin : g_in
    logic [PORTS-1:0] to, pick_out, nom_out, second_out;
    logic [VLS-1:0]   pick_vl, nom_vl, second_vl;
    logic [3:0]       pick_class, second_class;

    always_comb for (int o = 0; o < PORTS; o++) to[o] = from_i[o*PORTS+i];
    assign {pick_out, nom_out, second_out} = {pick_out_i[i*PORTS+:PORTS], nom_out_i[i*PORTS+:PORTS], second_out_i[i*PORTS+:PORTS]};
    assign {pick_vl, nom_vl, second_vl} = {pick_vl_i[i*VLS+:VLS], nom_vl_i[i*VLS+:VLS], second_vl_i[i*VLS+:VLS]};
    assign {pick_class, second_class} = {class_i[4*i+:4], second_class_i[4*i+:4]};
    assign picks[i] = pick_out != '0;
    assign sends[i] = to != '0;

    assign one_out[i] = $onehot0(to) && $onehot0({called_i[i], pick_goes_i[i], second_goes_i[i]})
        && sends[i] == (called_i[i] || pick_goes_i[i] || second_goes_i[i]);
    // a choice is one lane of one output, of one class; a nominee or a second pick is only where there is a pick
    assign whole[i] = $onehot0(pick_out) && $onehot0(nom_out) && $onehot0(second_out)
        && (picks[i] ? $onehot(pick_vl) && $onehot(pick_class) : pick_class == '0)
        && (nom_out == '0 || ($onehot(nom_vl) && picks[i])) && (second_out == '0 || ($onehot(second_vl) && $onehot(second_class) && picks[i]));
    // reply and control have a lane each, the others those of data
    assign fits[i] = (!picks[i] || {pick_class[1], pick_class[0]} == pick_vl[CONTROL:REPLY])
        && (nom_out == '0 || nom_vl[CONTROL:REPLY] == '0)
        && (second_out == '0 || {second_class[1], second_class[0]} == second_vl[CONTROL:REPLY]);
    assign as_chosen[i] = !sends[i] || (called_i[i] ? to == nom_out && stands_i[i] : pick_goes_i[i] ? to == pick_out : to == second_out);
  end

  // ---- by output
  logic [PORTS-1:0] one_in, lane, class_first, busy, look_idle, guard, counted, apart, total, for_idle;

  for (genvar o = 0; o < PORTS; o++) begin : g_out
    logic [PORTS-1:0] from;
    logic [3:0]       here, left, second;  // classes of picks: all for the output, those not called, second ones of inputs that idle
    logic [3:0]       goes;                // of what goes
    logic             called, looked, standing, turn;
    logic [VLS-1:0]   vl;

    assign from = from_i[o*PORTS+:PORTS];

    always_comb begin
      here = '0;
      left = '0;
      second = '0;
      goes = '0;
      standing = 1'b0;
      vl = '0;
      for (int i = 0; i < PORTS; i++) begin
        if (pick_out_i[i*PORTS+o]) here = here | class_i[4*i+:4];
        if (pick_out_i[i*PORTS+o] && !called_i[i]) left = left | class_i[4*i+:4];
        if (second_out_i[i*PORTS+o] && !called_i[i] && !pick_goes_i[i]) second = second | second_class_i[4*i+:4];
        if (nom_out_i[i*PORTS+o] && stands_i[i]) standing = 1'b1;
        if (from[i]) begin
          goes = goes | (called_i[i] ? 4'b1000 : pick_goes_i[i] ? class_i[4*i+:4] : second_class_i[4*i+:4]);
          vl = vl | (called_i[i] ? nom_vl_i[i*VLS+:VLS] : pick_goes_i[i] ? pick_vl_i[i*VLS+:VLS] : second_vl_i[i*VLS+:VLS]);
        end
      end
      called = (from & called_i) != '0;
      looked = (from & second_goes_i) != '0;
    end
    assign turn = guarded_i[o] && standing && here[1:0] == '0 && (!here[2] || due_i[o]);

    assign one_in[o] = $onehot0(from);
    assign lane[o] = vl == vl_i[o*VLS+:VLS] && $onehot0(vl);
    // lower bits are of classes that go before
    assign class_first[o] = called || goes == (looked ? second & (~second + 4'd1) : left & (~left + 4'd1));
    assign busy[o] = goes != '0 || (left == '0 && second == '0);
    assign look_idle[o] = !looked || (left == '0 && !turn);
    assign guard[o] = called == turn;

    // a lane is one input's; of two lanes one is ahead, and of three no two are each ahead of the next
    logic [VLS-1:0]     theirs, mine;
    logic [VLS*VLS-1:0] leads;

    always_comb begin
      theirs = '0;
      mine = '0;
      apart[o] = 1'b1;
      for_idle[o] = 1'b1;
      for (int i = 0; i < PORTS; i++) begin
        mine = (pick_vl_i[i*VLS+:VLS] & {VLS{pick_out_i[i*PORTS+o]}}) | (nom_vl_i[i*VLS+:VLS] & {VLS{nom_out_i[i*PORTS+o]}})
            | (second_vl_i[i*VLS+:VLS] & {VLS{second_out_i[i*PORTS+o]}});
        if ((mine & theirs) != '0) apart[o] = 1'b0;
        theirs = theirs | mine;
        if (second_out_i[i*PORTS+o] && !idle_i[o]) for_idle[o] = 1'b0;
      end
      total[o] = 1'b1;
      for (int v = 0; v < VLS; v++) begin
        for (int w = 0; w < VLS; w++) begin
          if (w >= v && ahead_i[(o*VLS+v)*VLS+w]) total[o] = 1'b0;
          leads[v*VLS+w] = (v < w) ? ahead_i[(o*VLS+w)*VLS+v] : !ahead_i[(o*VLS+v)*VLS+w];
        end
      end
      for (int v = 0; v < VLS; v++) for (int w = 0; w < v; w++) for (int x = 0; x < w; x++) begin
        if (leads[v*VLS+w] == leads[w*VLS+x] && leads[w*VLS+x] == leads[x*VLS+v]) total[o] = 1'b0;
      end
    end
    assign counted[o] = rt_goes_i[o] == goes[2] && turn_i[o] == turn;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      yw5_env_one_place_to_go: assert (&whole);
      yw5_env_lanes_fit: assert (&fits && &apart);
      yw5_env_order_is_total: assert (&total);
      yw5_env_second_for_idle: assert (&for_idle);
      yw5_an_input_sends_one: assert (&one_out);
      yw5_an_output_gets_one: assert (&one_in);
      yw5_goes_as_chosen: assert (&as_chosen && &lane);
      yw5_first_class_goes: assert (&class_first);
      yw5_no_output_idles: assert (&busy);
      yw5_something_goes: assert (picks == '0 || sends != '0);
      yw5_second_look_is_for_idle: assert (&look_idle);
      yw6_guard_turns: assert (&guard);
      yw6_guards_are_told: assert (&counted);
    end
  end
endmodule

`default_nettype wire
