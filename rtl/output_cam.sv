// CAM of an output port: the trees of congestion downstream, one line per input CAM line of the
// neighbour. Keeps them by its messages and finds the line of a packet. Rules E3, E5, E6, E8.
`default_nettype none

module output_cam #(
    parameter int VLS = 1,
    parameter int LINES = 9,
    parameter int DLIST = 8,
    parameter int TIMER_W = 32,
    parameter int PARITY = 0
) (
    input  wire logic                      clk_i,
    input  wire logic                      rst_i,
    input  wire logic                      live_i,      // isolation is on and the link is up: else there are no lines
    input  wire logic [TIMER_W-1:0]        limit_i,
    input  wire logic                      msg_valid_i,
    input  wire logic [1:0]                msg_type_i,
    input  wire logic [7:0]                msg_line_i,
    input  wire logic [7:0]                msg_vl_i,
    input  wire logic [23:0]               msg_root_i,
    input  wire logic [5:0]                msg_hops_i,
    input  wire logic                      msg_stop_i,
    input  wire logic [7:0]                msg_dcnt_i,
    input  wire logic [16*DLIST-1:0]       msg_dlist_i,
    output logic                           bad_line_o,  // Mealy
    output logic                           bad_vl_o,    // Mealy
    // look-up, in the same cycle
    input  wire logic [7:0]                vl_i,
    input  wire logic [15:0]               dlid_i,
    output logic [LINES-1:0]               hit_o,       // lowest matching line, one-hot
    output logic [7:0]                     hit_line_o,
    output logic [5:0]                     hit_hops_o,
    output logic [23:0]                    hit_root_o,
    output logic                           hit_stop_o,  // some matching line is stopped
    // state
    output logic [LINES-1:0]               valid_o,
    output logic [LINES-1:0]               shown_o,
    output logic [LINES-1:0]               stop_o,      // shown and stopped
    output logic [2*LINES-1:0]             hold_o,
    output logic [8*LINES-1:0]             vl_o,
    output logic [6*LINES-1:0]             hops_o,
    output logic [24*LINES-1:0]            root_o,
    output logic [TIMER_W*LINES-1:0]       timer_o,
    output logic [8*LINES-1:0]             dcnt_o,
    output logic [16*DLIST*LINES-1:0]      dlist_o,
    output logic                           parity_err_o
);
  logic             accept;
  logic [LINES-1:0] match;
  logic [LINES-1:0] line_err;  // of parity

  assign bad_line_o = live_i && msg_valid_i && msg_line_i >= 8'(LINES);
  assign bad_vl_o = live_i && msg_valid_i && msg_vl_i >= 8'(VLS);
  assign accept = live_i && msg_valid_i && !bad_line_o && !bad_vl_o;

  for (genvar k = 0; k < LINES; k++) begin : g_line
    output_cam_line #(
        .DLIST(DLIST),
        .TIMER_W(TIMER_W),
        .PARITY(PARITY)
    ) u_line (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .live_i(live_i),
        .limit_i(limit_i),
        .msg_valid_i(accept && msg_line_i == 8'(k)),
        .msg_type_i(msg_type_i),
        .msg_vl_i(msg_vl_i),
        .msg_root_i(msg_root_i),
        .msg_hops_i(msg_hops_i),
        .msg_stop_i(msg_stop_i),
        .msg_dcnt_i(msg_dcnt_i),
        .msg_dlist_i(msg_dlist_i),
        .vl_i(vl_i),
        .dlid_i(dlid_i),
        .match_o(match[k]),
        .valid_o(valid_o[k]),
        .shown_o(shown_o[k]),
        .stop_o(stop_o[k]),
        .hold_o(hold_o[2*k+:2]),
        .vl_o(vl_o[8*k+:8]),
        .hops_o(hops_o[6*k+:6]),
        .root_o(root_o[24*k+:24]),
        .timer_o(timer_o[TIMER_W*k+:TIMER_W]),
        .dcnt_o(dcnt_o[8*k+:8]),
        .dlist_o(dlist_o[16*DLIST*k+:16*DLIST]),
        .parity_err_o(line_err[k])
    );
  end

  assign parity_err_o = line_err != '0;
  assign hit_o = match & (~match + 1'b1);
  assign hit_stop_o = (match & stop_o) != '0;

  always_comb begin
    hit_line_o = '0;
    hit_hops_o = '0;
    hit_root_o = '0;
    for (int k = 0; k < LINES; k++) begin
      if (hit_o[k]) begin
        hit_line_o = hit_line_o | 8'(k);
        hit_hops_o = hit_hops_o | hops_o[6*k+:6];
        hit_root_o = hit_root_o | root_o[24*k+:24];
      end
    end
  end
endmodule

`default_nettype wire
