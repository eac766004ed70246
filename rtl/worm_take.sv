// Of the picks for an output the one that goes: of the first class that is there, the one whose lane is first in the output's
// order. No two inputs have the same lane of an output (a lane has one owner), so lanes stand for inputs. Combinational. Rule YW5.
`default_nettype none

module worm_take #(
    parameter int PORTS = 5,
    parameter int VLS = 16
) (
    input  wire logic [PORTS-1:0]     for_i,    // inputs whose picks are for the output,
    input  wire logic [PORTS*VLS-1:0] vl_i,     // element i*VLS+u: their lanes
    input  wire logic [PORTS*4-1:0]   class_i,  // and classes: reply, control, real-time, best-effort from bit 0 on
    input  wire logic [VLS*VLS-1:0]   ahead_i,  // the order
    output logic [PORTS-1:0]          take_o,   // who goes, one-hot, or 0; so are
    output logic [VLS-1:0]            vl_o,     // the lane
    output logic                      rt_o      // it is of real-time
);
  localparam int REPLY = VLS - 2;
  localparam int CONTROL = VLS - 1;

  logic           reply, control;
  logic [VLS-1:0] rt, be, rt_first, be_first;

  always_comb begin
    reply = 1'b0;
    control = 1'b0;
    rt = '0;
    be = '0;
    for (int i = 0; i < PORTS; i++) begin
      reply = reply || (for_i[i] && class_i[4*i]);
      control = control || (for_i[i] && class_i[4*i+1]);
      rt = rt | (vl_i[i*VLS+:VLS] & {VLS{for_i[i] && class_i[4*i+2]}});
      be = be | (vl_i[i*VLS+:VLS] & {VLS{for_i[i] && class_i[4*i+3]}});
    end
  end

  order_first #(.N(VLS)) u_rt (.req_i(rt), .ahead_i, .first_o(rt_first));
  order_first #(.N(VLS)) u_be (.req_i(be), .ahead_i, .first_o(be_first));

  always_comb begin
    if (reply) vl_o = VLS'(1) << REPLY;
    else if (control) vl_o = VLS'(1) << CONTROL;
    else if (rt != '0) vl_o = rt_first;
    else vl_o = be_first;
    for (int i = 0; i < PORTS; i++) take_o[i] = for_i[i] && (vl_o & vl_i[i*VLS+:VLS]) != '0;
  end

  assign rt_o = rt != '0 && !reply && !control;
endmodule

`default_nettype wire
