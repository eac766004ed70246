// Of an input's lanes the one that it sends from: of the first class that is there, reply, control, real-time or best-effort, the
// first in the input's order; and the first one of best-effort. With each its output and the lane there. Combinational. Rule YW5.
`default_nettype none

module worm_choose #(
    parameter int PORTS = 5,
    parameter int VLS = 16
) (
    input  wire logic [VLS-1:0]       lanes_i,
    input  wire logic [VLS-1:0]       be_i,       // best-effort lanes
    input  wire logic [PORTS*VLS-1:0] out_i,      // element v*PORTS+o: the output of each
    input  wire logic [VLS*VLS-1:0]   vl_i,       // element v*VLS+u: its lane there
    input  wire logic [VLS*VLS-1:0]   ahead_i,    // the order
    output logic [VLS-1:0]            pick_o,     // one-hot, or 0; so are all that follow
    output logic [PORTS-1:0]          pick_out_o,
    output logic [VLS-1:0]            pick_vl_o,
    output logic [3:0]                class_o,    // of the pick: reply, control, real-time, best-effort from bit 0 on
    output logic [VLS-1:0]            nom_o,      // of best-effort
    output logic [PORTS-1:0]          nom_out_o,
    output logic [VLS-1:0]            nom_vl_o
);
  localparam int REPLY = VLS - 2;
  localparam int CONTROL = VLS - 1;
  localparam logic [VLS-1:0] DATA = {VLS{1'b1}} >> 2;

  logic [VLS-1:0]   rt, be, rt_first;
  logic [PORTS-1:0] rt_out;
  logic [VLS-1:0]   rt_vl;

  assign rt = lanes_i & DATA & ~be_i;
  assign be = lanes_i & be_i;

  order_first #(.N(VLS)) u_rt (.req_i(rt), .ahead_i, .first_o(rt_first));
  order_first #(.N(VLS)) u_be (.req_i(be), .ahead_i, .first_o(nom_o));

  always_comb begin
    rt_out = '0;
    rt_vl = '0;
    nom_out_o = '0;
    nom_vl_o = '0;
    for (int v = 0; v < REPLY; v++) begin
      rt_out = rt_out | (out_i[v*PORTS+:PORTS] & {PORTS{rt_first[v]}});
      rt_vl = rt_vl | (vl_i[v*VLS+:VLS] & {VLS{rt_first[v]}});
      nom_out_o = nom_out_o | (out_i[v*PORTS+:PORTS] & {PORTS{nom_o[v]}});
      nom_vl_o = nom_vl_o | (vl_i[v*VLS+:VLS] & {VLS{nom_o[v]}});
    end
  end

  always_comb begin
    if (lanes_i[REPLY]) begin
      class_o = 4'b0001;
      pick_o = VLS'(1) << REPLY;
      pick_out_o = out_i[REPLY*PORTS+:PORTS];
      pick_vl_o = vl_i[REPLY*VLS+:VLS];
    end else if (lanes_i[CONTROL]) begin
      class_o = 4'b0010;
      pick_o = VLS'(1) << CONTROL;
      pick_out_o = out_i[CONTROL*PORTS+:PORTS];
      pick_vl_o = vl_i[CONTROL*VLS+:VLS];
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
endmodule

`default_nettype wire
