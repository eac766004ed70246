// Whether an input of the wormhole router lost what the sums of admission hang on, or may have: a message that carries bandwidth was
// refused, cut short or has no route, or its link is down. Which messages that are coming in carry bandwidth. Rules YA1, YA3 (ADM_LOST).
`default_nettype none

module worm_lost #(
    parameter int VLS = 16
) (
    input  wire logic           clk_i,
    input  wire logic           rst_i,
    input  wire logic           admit_en_i,
    input  wire logic           link_up_i,
    input  wire logic [VLS-1:0] rt_i,      // real-time lanes
    input  wire logic           here_i,    // a flit comes,
    input  wire logic           header_i,  // as a header,
    input  wire logic [VLS-1:0] to_i,      // for this lane, one-hot, or 0
    input  wire logic [127:0]   data_i,
    input  wire logic           push_i,    // it is stored,
    input  wire logic           first_i,   // as this
    input  wire logic           last_i,
    input  wire logic           bad_i,
    input  wire logic           books_i,   // something is booked on the link or by streams from it
    input  wire logic           control_i, // there is something in the control lane, or coming in
    input  wire logic           replies_i, // a reply may be on its way in this input, or over the link
    input  wire logic           no_route_i,  // the header of the cycle before has no route
    input  wire logic           no_way_i,  // a reply has no route
    output logic                lost_o,    // Mealy
    output logic [VLS-1:0]      books_o
);
  localparam int CONTROL = VLS - 1;
  localparam int REPLY = VLS - 2;

  logic [7:0] kind;
  logic       admission, reply, carries;
  logic       stays_q;  // the header of the cycle before carries bandwidth, and is not decided here
  logic       refused, cut;

  assign kind = data_i[quell_pkg::WORM_TYPE_LSB+:8];
  assign admission = kind == quell_pkg::WT_PROBE || kind == quell_pkg::WT_RELEASE;
  assign reply = kind == quell_pkg::WT_ACK || kind == quell_pkg::WT_NACK;
  assign carries = (to_i[CONTROL] && admission) || (to_i[REPLY] && reply)
      || ((to_i & rt_i) != '0 && kind == quell_pkg::WT_DATA && data_i[quell_pkg::WORM_FINAL_LSB]);

  assign refused = here_i && header_i && carries && !(push_i && first_i);
  assign cut = push_i && last_i && bad_i && (first_i ? carries : (to_i & books_o) != '0);
  assign lost_o = admit_en_i && ((!link_up_i && (books_i || control_i || replies_i)) || refused || cut || no_way_i || (stays_q && no_route_i));

  always_ff @(posedge clk_i) begin
    stays_q <= !rst_i && push_i && first_i && carries && !(to_i[CONTROL] && kind == quell_pkg::WT_PROBE);
    if (rst_i || !link_up_i) books_o <= '0;
    else if (push_i && last_i) books_o <= books_o & ~to_i;
    else if (push_i && first_i) books_o <= (books_o & ~to_i) | (carries ? to_i : '0);
  end

  wire unused = &{1'b0, data_i};
endmodule

`default_nettype wire
