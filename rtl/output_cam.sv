// CAM of an output port: the trees of congestion downstream, one line per input CAM line of the
// neighbour. Keeps them by its messages, finds the line of a packet, and says whose turn it is after a stop. Draws, by
// one LFSR, with which input the turns of a new tree begin, and where a turn is lost which input goes to the front of the order of data.
// Rules A3, E3, E5, E6, E8.
`default_nettype none

module output_cam #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int LINES = 9,
    parameter int DLIST = 8,
    parameter int TIMER_W = 32,
    parameter int PARITY = 0,
    localparam int PW = (PORTS > 1) ? $clog2(PORTS) : 1
) (
    input  wire logic                      clk_i,
    input  wire logic                      rst_i,
    input  wire logic                      live_i,      // isolation is on and the link is up: else there are no lines
    input  wire logic [TIMER_W-1:0]        limit_i,
    input  quell_pkg::tree_msg_t           msg_i,
    input  wire logic [16*DLIST-1:0]       dlist_i,
    output logic                           bad_line_o,  // Mealy
    output logic                           bad_vl_o,    // Mealy
    // look-up, in the same cycle
    input  wire logic [7:0]                vl_i,
    input  wire logic [15:0]               dlid_i,
    output logic [LINES-1:0]               match_o,     // lines that match,
    output logic [LINES-1:0]               hit_o,       // the lowest of them, one-hot
    output logic [7:0]                     hit_line_o,
    output logic [5:0]                     hit_hops_o,
    output logic [23:0]                    hit_root_o,
    output logic [LINES-1:0]               hit_stop_o,  // lowest matching line that is stopped, one-hot
    // turns after a stop, element i*LINES+k
    input  wire logic [PORTS*LINES-1:0]    pend_i,       // a packet of input i that could start is bound to line k
    input  wire logic [LINES-1:0]          granted_i,    // lines of the data packet granted in this cycle,
    input  wire logic [PORTS-1:0]          granted_in_i, // of this input
    output logic [PORTS*LINES-1:0]         other_o,      // the turn of line k is another input's
    output logic [VLS-1:0]                 lost_vl_o,    // turns of these VLs are lost: in the order of their data
    output logic [PW-1:0]                  drawn_o,      // this input goes to the front
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
    output logic [LINES-1:0]               fresh_o,
    output logic [LINES-1:0]               closing_o,
    output logic [16*LINES-1:0]            turn_o,
    output logic [15:0]                    draw_o,       // the LFSR that draws
    output logic                           parity_err_o
);
  logic             accept;
  logic [LINES-1:0] match_stop;
  logic [LINES-1:0] lost, other_tree;
  logic [LINES-1:0] line_err;  // of parity

  assign bad_line_o = live_i && msg_i.valid && msg_i.line >= 8'(LINES);
  assign bad_vl_o = live_i && msg_i.valid && msg_i.vl >= 8'(VLS);
  assign accept = live_i && msg_i.valid && !bad_line_o && !bad_vl_o;

  for (genvar k = 0; k < LINES; k++) begin : g_line
    logic [PORTS-1:0] pend, other;
    logic [PW-1:0]    turn;

    for (genvar i = 0; i < PORTS; i++) begin : g_input
      assign pend[i] = pend_i[LINES*i+k];
      assign other_o[LINES*i+k] = other[i];
    end
    assign turn_o[16*k+:16] = 16'(turn);

    output_cam_line #(
        .PORTS(PORTS), .DLIST(DLIST), .TIMER_W(TIMER_W), .PARITY(PARITY)
    ) u_line (
        .clk_i, .rst_i, .live_i, .limit_i,
        .valid_i(accept && msg_i.line == 8'(k)),
        .msg_i, .dlist_i, .vl_i, .dlid_i,
        .match_o(match_o[k]),
        .pend_i(pend),
        .granted_i(granted_i[k]),
        .granted_in_i,
        .other_o(other),
        .lost_o(lost[k]),
        .other_tree_o(other_tree[k]),
        .drawn_i(drawn_o),
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
        .fresh_o(fresh_o[k]),
        .closing_o(closing_o[k]),
        .turn_o(turn),
        .parity_err_o(line_err[k])
    );
  end

  // ---- draws: for another tree, and for lost turns
  logic [15:0]    draw_d, stepped;
  logic [16+PW:0] product;
  logic           draw_err;

  always_comb begin
    lost_vl_o = '0;
    for (int k = 0; k < LINES; k++)
      for (int v = 0; v < VLS; v++) if (lost[k] && vl_o[8*k+:8] == 8'(v)) lost_vl_o[v] = 1'b1;
  end

  // 16 steps, so that no bit is used twice
  lfsr_steps #(.STEPS(16)) u_steps (.x_i(draw_o), .x_o(stepped));

  assign product = (17 + PW)'(draw_o) * (17 + PW)'(PORTS);
  assign drawn_o = product[16+:PW];
  assign draw_d = rst_i ? 16'hACE1 : ((lost | other_tree) != '0) ? stepped : draw_o;
  wire unused_product = &{1'b0, product[16+PW], product[15:0]};

  always_ff @(posedge clk_i) draw_o <= draw_d;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^draw_d),
      .now_i(^draw_o),
      .err_o(draw_err)
  );

  assign parity_err_o = line_err != '0 || draw_err;
  assign hit_o = match_o & (~match_o + 1'b1);
  assign match_stop = match_o & stop_o;
  assign hit_stop_o = match_stop & (~match_stop + 1'b1);

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
