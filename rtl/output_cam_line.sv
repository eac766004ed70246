// One line of the output CAM: a congestion tree announced by the neighbour downstream.
// Rules E3, E5, E6, E8. A line that is not valid holds zeros.
`default_nettype none

module output_cam_line #(
    parameter int DLIST = 8,
    parameter int TIMER_W = 32
) (
    input  wire logic                 clk_i,
    input  wire logic                 rst_i,
    input  wire logic                 iso_en_i,
    input  wire logic [TIMER_W-1:0]   limit_i,      // life without a message
    // message for this line (line number and VL are legal, isolation is on)
    input  wire logic                 msg_valid_i,
    input  wire logic [1:0]           msg_type_i,
    input  wire logic [7:0]           msg_vl_i,
    input  wire logic [23:0]          msg_root_i,
    input  wire logic [5:0]           msg_hops_i,
    input  wire logic                 msg_stop_i,
    input  wire logic [7:0]           msg_dcnt_i,
    input  wire logic [16*DLIST-1:0]  msg_dlist_i,
    // look-up, in the same cycle
    input  wire logic [7:0]           vl_i,
    input  wire logic [15:0]          dlid_i,
    output logic                      match_o,
    // state
    output logic                      valid_o,
    output logic                      stop_o,
    output logic [7:0]                vl_o,
    output logic [5:0]                hops_o,
    output logic [23:0]               root_o,
    output logic [TIMER_W-1:0]        timer_o,
    output logic [7:0]                dcnt_o,
    output logic [16*DLIST-1:0]       dlist_o
);
  logic same, load, set_stop, expired, free;

  always_comb begin
    same = valid_o && vl_o == msg_vl_i;
    load = msg_valid_i && msg_type_i == quell_pkg::MSG_ALLOC && (!valid_o || same);
    set_stop = msg_valid_i && same
        && (msg_type_i == quell_pkg::MSG_STOP || msg_type_i == quell_pkg::MSG_GO);
    expired = valid_o && timer_o >= limit_i && !load && !set_stop;
    free = !iso_en_i || expired
        || (msg_valid_i && msg_type_i == quell_pkg::MSG_ALLOC && valid_o && !same)
        || (msg_valid_i && msg_type_i == quell_pkg::MSG_DEALLOC && same);
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || free) begin
      valid_o <= 1'b0;
      stop_o <= 1'b0;
      vl_o <= '0;
      hops_o <= '0;
      root_o <= '0;
      timer_o <= '0;
      dcnt_o <= '0;
      dlist_o <= '0;
    end else if (load) begin
      valid_o <= 1'b1;
      stop_o <= msg_stop_i;
      vl_o <= msg_vl_i;
      hops_o <= msg_hops_i;
      root_o <= msg_root_i;
      timer_o <= '0;
      dcnt_o <= (msg_dcnt_i > 8'(DLIST)) ? 8'(DLIST) : msg_dcnt_i;
      dlist_o <= msg_dlist_i;
    end else if (set_stop) begin
      stop_o <= msg_type_i == quell_pkg::MSG_STOP;
      timer_o <= '0;
    end else if (valid_o && timer_o != '1) begin
      timer_o <= timer_o + 1'b1;
    end
  end

  always_comb begin
    match_o = 1'b0;
    for (int d = 0; d < DLIST; d++)
      if (8'(d) < dcnt_o && dlist_o[16*d+:16] == dlid_i) match_o = 1'b1;
    if (!valid_o || vl_o != vl_i) match_o = 1'b0;
  end
endmodule

`default_nettype wire
