// What an input of the wormhole router would send: of its lanes that can send the first one (pick); the first one of best-effort
// (nominee), which goes instead of the pick when an output calls the input; and the first one of those for outputs to which nothing
// goes (second), which goes if neither of them does. The reply slot stands in the place of the reply lane, or its FIFO. Combinational.
// Rules YW5, YW6, YA3.
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
    input  wire logic [VLS-1:0]       any_i,        // there is a flit to send, or a made tail
    input  wire logic                 slot_own_i,   // the reply slot owns the reply lane
    input  wire logic [OW-1:0]        slot_out_i,   // of this output,
    input  wire logic                 slot_turn_i,  // and goes before the FIFO of the reply lane
    input  wire logic [PORTS*VLS-1:0] ok_i,         // lane o*VLS+u can be sent to
    input  wire logic [VLS-1:0]       be_i,         // best-effort lanes
    input  wire logic [VLS*VLS-1:0]   ahead_i,      // the input's order
    input  wire logic                 due_i,        // of the guard
    input  wire logic [PORTS-1:0]     idle_i,       // outputs to which nothing goes: they depend on picks and nominees
    output logic [VLS-1:0]            pick_o,       // one-hot, or 0; so are all that follow
    output logic [PORTS-1:0]          pick_out_o,
    output logic [VLS-1:0]            pick_vl_o,
    output logic [3:0]                class_o,      // of the pick: reply, control, real-time, best-effort from bit 0 on
    output logic [VLS-1:0]            nom_o,
    output logic [PORTS-1:0]          nom_out_o,
    output logic [VLS-1:0]            nom_vl_o,
    output logic                      stands_o,     // the nominee may have a guard turn
    output logic [VLS-1:0]            second_o,
    output logic [PORTS-1:0]          second_out_o,
    output logic [VLS-1:0]            second_vl_o,
    output logic [3:0]                second_class_o,
    output logic                      pick_slot_o,  // of the reply lane the slot is meant, in the pick,
    output logic                      second_slot_o,  // in the second look
    output logic                      both_o        // it and the FIFO can send
);
  // ---- what each lane owns, as one-hot numbers, and whether it can send
  localparam int REPLY = VLS - 2;

  logic [PORTS*VLS-1:0] out;      // element v*PORTS+o
  logic [PORTS*VLS-1:0] out_idle; // in the second look
  logic [VLS*VLS-1:0]   vl;       // element v*VLS+u
  logic [VLS-1:0]       sends;
  logic [VLS-1:0]       to_idle;  // its output is idle

  for (genvar v = 0; v < VLS; v++) begin : g_lane
    logic [VLS-1:0] there;  // lanes of its output that can be sent to

    always_comb begin
      there = '0;
      for (int o = 0; o < PORTS; o++) if (own_out_i[OW*v+:OW] == OW'(o)) there = there | ok_i[o*VLS+:VLS];
    end
    if (v == REPLY) begin : g_reply
      logic [PORTS-1:0] of_fifo, of_slot;
      logic [VLS-1:0]   slot_there;
      logic             fifo_sends, slot_sends, fifo_idle, slot_idle;

      always_comb begin
        slot_there = '0;
        for (int o = 0; o < PORTS; o++) if (slot_out_i == OW'(o)) slot_there = slot_there | ok_i[o*VLS+:VLS];
      end
      assign of_fifo = PORTS'(1) << own_out_i[OW*v+:OW];
      assign of_slot = PORTS'(1) << slot_out_i;
      assign fifo_sends = own_i[v] && any_i[v] && there[v];
      assign slot_sends = slot_own_i && slot_there[v];
      assign fifo_idle = fifo_sends && (of_fifo & idle_i) != '0;
      assign slot_idle = slot_sends && (of_slot & idle_i) != '0;
      assign pick_slot_o = slot_sends && (!fifo_sends || slot_turn_i);
      assign second_slot_o = slot_idle && (!fifo_idle || slot_turn_i);
      assign both_o = fifo_sends && slot_sends;
      assign out[v*PORTS+:PORTS] = pick_slot_o ? of_slot : of_fifo;
      assign out_idle[v*PORTS+:PORTS] = second_slot_o ? of_slot : of_fifo;
      assign vl[v*VLS+:VLS] = VLS'(1) << REPLY;
      assign sends[v] = fifo_sends || slot_sends;
      assign to_idle[v] = fifo_idle || slot_idle;

      wire unused_reply = &{1'b0, slot_there, own_vl_i[VW*v+:VW], there};
    end else begin : g_other
      assign out[v*PORTS+:PORTS] = PORTS'(1) << own_out_i[OW*v+:OW];
      assign out_idle[v*PORTS+:PORTS] = out[v*PORTS+:PORTS];
      assign vl[v*VLS+:VLS] = VLS'(1) << own_vl_i[VW*v+:VW];
      assign sends[v] = own_i[v] && any_i[v] && (there & vl[v*VLS+:VLS]) != '0;
      assign to_idle[v] = (out[v*PORTS+:PORTS] & idle_i) != '0;
    end
  end

  worm_choose #(.PORTS(PORTS), .VLS(VLS)) u_pick (
      .lanes_i(sends),
      .be_i,
      .out_i(out),
      .vl_i(vl),
      .ahead_i,
      .pick_o, .pick_out_o, .pick_vl_o, .class_o, .nom_o, .nom_out_o, .nom_vl_o
  );

  assign stands_o = nom_o != '0 && class_o[1:0] == '0 && (due_i || class_o[3]);

  logic [2*VLS+PORTS-1:0] nom_second;

  worm_choose #(.PORTS(PORTS), .VLS(VLS)) u_second (
      .lanes_i(sends & to_idle),
      .be_i,
      .out_i(out_idle),
      .vl_i(vl),
      .ahead_i,
      .pick_o(second_o),
      .pick_out_o(second_out_o),
      .pick_vl_o(second_vl_o),
      .class_o(second_class_o),
      .nom_o(nom_second[VLS-1:0]),
      .nom_out_o(nom_second[2*VLS+:PORTS]),
      .nom_vl_o(nom_second[VLS+:VLS])
  );

  wire unused = &{1'b0, nom_second};
endmodule

`default_nettype wire
