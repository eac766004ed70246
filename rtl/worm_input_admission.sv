// Admission at an input of the wormhole router: what is in front of its control lane is a candidate until it has been decided, and
// then goes on or is consumed; its reply slot; ends of its streams; messages that are lost. Rules YA1, YA2, YA3, YA5, YA6.
`default_nettype none

module worm_input_admission #(
    parameter int PORTS = 5,
    parameter int VLS = 16,
    parameter int DEPTH = 10,
    localparam int OW = $clog2(PORTS),
    localparam int PW = $clog2(DEPTH)
) (
    input  wire logic              clk_i,
    input  wire logic              rst_i,
    input  wire logic              admit_en_i,
    input  wire logic              link_up_i,
    input  wire logic [VLS-1:0]    rt_i,          // real-time lanes
    input  wire logic [15:0]       node_id_i,
    // stage 1
    input  wire logic              here_i,
    input  wire logic              header_i,      // as it comes
    input  wire logic [VLS-1:0]    to_i,
    input  wire logic [127:0]      data_i,
    input  wire logic              push_i,
    input  wire logic              first_i,       // as it is stored
    input  wire logic              last_i,
    input  wire logic              bad_i,
    input  wire logic [PW-1:0]     end_at_i,      // of the control lane: place of its next flit,
    input  wire logic [PW-1:0]     front_at_i,    // and of its front
    input  wire logic              control_i,     // something is in it, or coming in
    input  wire logic              replies_i,     // so it is in the reply lane, or a reply is under way on the link's other side
    input  wire logic              no_route_i,    // the header that came in the cycle before has no route
    // its front
    input  wire logic              header_here_i, // a header whose route is there
    input  wire logic              none_i,        // it has none
    input  wire logic              last_front_i,
    input  wire logic              own_i,
    input  wire logic              gone_i,        // a header goes
    input  wire logic              discard_i,     // a flit is discarded
    output logic                   hold_o,        // a header must not ask,
    output logic                   spare_o,       // nor be discarded
    output logic                   eaten_o,       // what is discarded does not count
    // decision (worm_admission)
    output logic                   probe_o,       // candidates
    output logic                   release_o,
    output logic [15:0]            bw_o,
    output logic [3:0]             vl_o,
    output logic [15:0]            node_o,
    output logic [15:0]            slid_o,
    input  wire logic              passes_i,      // decided: it goes on,
    input  wire logic              consumed_i,    // or is consumed;
    input  wire logic              booked_i,      // a probe that fits,
    input  wire logic              refused_i,     // or not
    input  wire logic [7:0]        way_i,
    // reply lane (worm_reply_slot)
    output logic                   slot_asks_o,
    input  wire logic              slot_grant_i,
    output logic                   slot_own_o,
    input  wire logic              slot_goes_i,
    input  wire logic              served_i,
    input  wire logic              fifo_i,
    output logic                   slot_last_o,
    output logic                   crosses_o,
    output logic [129:0]           slot_flit_o,
    // ends of streams
    input  wire logic [VLS-1:0]    goes_i,
    input  wire logic [130:0]      flit_i,
    output logic [VLS-1:0]         end_o,
    output logic [15:0]            end_bw_o,
    // errors, state
    input  wire logic              books_i,       // something is booked here
    output logic                   no_way_o,
    output logic                   lost_o,
    output logic                   adm_o,
    output logic                   eat_o,
    output logic [3:0]             slot_o,
    output logic [OW-1:0]          slot_way_o,
    output logic                   slot_routed_o,
    output logic                   slot_turn_o,
    output logic [VLS-1:0]         books_o,
    output logic [VLS-1:0]         final_o,
    output logic [16*VLS-1:0]      final_bw_o,
    output logic [15:0]            cnt_booked_o,
    output logic [15:0]            cnt_refused_o
);
  localparam int CONTROL = VLS - 1;

  quell_pkg::worm_head_t head;
  logic                  open;   // it may be decided
  logic                  empty;  // the slot

  worm_heads #(.DEPTH(DEPTH)) u_heads (
      .clk_i,
      .we_i(push_i && to_i[CONTROL]),
      .waddr_i(end_at_i),
      .data_i,
      .raddr_i(front_at_i),
      .head_o(head)
  );

  // A message that has a lane (admission was off) goes on.
  assign open = admit_en_i && link_up_i && header_here_i && !own_i && !adm_o;
  assign probe_o = open && head.probe && empty;
  assign release_o = open && head.release_ && !none_i;
  assign hold_o = admit_en_i && (head.probe || head.release_) && !adm_o;
  assign spare_o = admit_en_i && head.probe;
  assign eaten_o = consumed_i || eat_o;

  assign bw_o = quell_pkg::wire16(head.bw);
  assign vl_o = head.lrh0[7:4];
  assign node_o = quell_pkg::wire16(head.node);
  assign slid_o = quell_pkg::wire16(head.slid);

  always_ff @(posedge clk_i) begin
    if (rst_i || !link_up_i) begin
      adm_o <= 1'b0;
      eat_o <= 1'b0;
    end else begin
      adm_o <= passes_i || (adm_o && !gone_i);
      if (discard_i) eat_o <= eaten_o && !last_front_i;
    end
  end

  event_counter #(.CNT_W(16)) u_booked (.clk_i, .rst_i, .event_i(booked_i), .count_o(cnt_booked_o));
  event_counter #(.CNT_W(16)) u_refused (.clk_i, .rst_i, .event_i(refused_i), .count_o(cnt_refused_o));

  worm_reply_slot #(.PORTS(PORTS)) u_slot (
      .clk_i, .rst_i,
      .fill_i(consumed_i && head.probe),
      .ack_i(booked_i),
      .head_i(head),
      .node_id_i,
      .empty_o(empty),
      .way_i,
      .no_way_o,
      .asks_o(slot_asks_o),
      .grant_i(slot_grant_i),
      .own_o(slot_own_o),
      .goes_i(slot_goes_i),
      .served_i,
      .fifo_i,
      .last_o(slot_last_o),
      .crosses_o,
      .flit_o(slot_flit_o),
      .left_o(slot_o),
      .routed_o(slot_routed_o),
      .way_o(slot_way_o),
      .turn_o(slot_turn_o)
  );

  worm_final #(.VLS(VLS)) u_final (
      .clk_i, .rst_i, .admit_en_i, .rt_i, .goes_i, .flit_i, .end_o, .end_bw_o, .final_o, .final_bw_o
  );

  worm_lost #(.VLS(VLS)) u_lost (
      .clk_i, .rst_i, .admit_en_i, .link_up_i, .rt_i,
      .here_i, .header_i, .to_i, .data_i, .push_i, .first_i, .last_i, .bad_i,
      .books_i,
      .control_i,
      .replies_i,
      .no_route_i,
      .no_way_i(no_way_o),
      .lost_o,
      .books_o
  );
endmodule

`default_nettype wire
