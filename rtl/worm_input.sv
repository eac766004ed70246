// Input of the wormhole router: a FIFO for each lane, all in one memory, since one flit comes and one leaves in a cycle at most;
// arrival checks; routes of headers; which output lane the message at the front of a lane owns; discarding; made tails when the
// link went down; credit pulses to the sender. What a lane does next hangs on its front flit alone, of which first, last and route
// are kept apart from the data and shown in the cycle. With ADMIT = 1 admission decides what is in front of the control lane, and a
// reply slot sends on the reply lane, too. Rules YW1, YW2, YW3, YW8, F1, R1; YA2, YA3, YA5.
`default_nettype none

module worm_input #(
    parameter int PORTS = 5,
    parameter int VLS = 16,
    parameter int DEPTH = 10,
    parameter int LFT_DEPTH = 1024,
    parameter int ADMIT = 0,
    localparam int OW = $clog2(PORTS),
    localparam int VW = $clog2(VLS)
) (
    input  wire logic              clk_i,
    input  wire logic              rst_i,
    output logic                   ready_o,
    input  wire logic              link_up_i,
    input  wire logic              lft_we_i,
    input  wire logic [15:0]       lft_addr_i,
    input  wire logic [7:0]        lft_port_i,
    input  wire logic              rx_valid_i,
    input  wire logic [3:0]        rx_vl_i,
    input  wire logic              rx_first_i,
    input  wire logic              rx_last_i,
    input  wire logic              rx_bad_i,
    input  wire logic [127:0]      rx_data_i,
    output logic [VLS-1:0]         credit_o,      // pulses to the sender
    // allocation
    output logic [PORTS*VLS-1:0]   ask_o,         // element o*VLS+v: lane v asks for a lane of output o
    input  wire logic [VLS-1:0]    grant_i,       // it gets it
    input  wire logic [PORTS-1:0]  grant_reply_i, // outputs that grant the reply lane theirs
    input  wire logic [VW*PORTS-1:0] grant_vl_i,  // by output: which one
    // crossbar
    output logic [VLS-1:0]         own_o,
    output logic [OW*VLS-1:0]      own_out_o,
    output logic [VW*VLS-1:0]      own_vl_o,
    output logic [VLS-1:0]         any_o,         // a flit to send, or a made tail
    input  wire logic [VLS-1:0]    nom_i,         // lane that goes with called_i, one-hot,
    input  wire logic [VLS-1:0]    pick_i,        // with pick_goes_i,
    input  wire logic [VLS-1:0]    second_i,      // with second_goes_i
    input  wire logic              called_i,      // one of these at most
    input  wire logic              pick_goes_i,
    input  wire logic              second_goes_i,
    output logic [VLS-1:0]         goes_o,        // lane of the flit that goes, one-hot
    output logic                   tail_o,        // if one goes, it is a tail
    output logic [130:0]           flit_o,        // the one that went in the cycle before: first, last, bad, data
    // admission; without it inputs have no effect and outputs are 0
    input  wire logic              admit_en_i,
    input  wire logic [VLS-1:0]    rt_i,          // real-time lanes
    input  wire logic [15:0]       node_id_i,
    output logic                   probe_o,       // candidate of the control lane
    output logic                   release_o,
    output logic [15:0]            adm_bw_o,
    output logic [3:0]             adm_vl_o,
    output logic [15:0]            adm_node_o,
    output logic [15:0]            adm_slid_o,
    output logic [OW-1:0]          adm_out_o,
    output logic                   adm_none_o,    // it has no route
    input  wire logic              passes_i,      // it is decided: it goes on,
    input  wire logic              consumed_i,    // or is consumed;
    input  wire logic              booked_i,      // a probe that fits,
    input  wire logic              refused_i,     // or not
    input  wire logic [7:0]        way_i,         // route of the answer to it, in the cycle after
    output logic                   slot_own_o,    // the reply slot owns the reply lane of its output
    input  wire logic              pick_slot_i,   // of the reply lane the slot goes, with pick_goes_i,
    input  wire logic              second_slot_i, // with second_goes_i
    input  wire logic              both_i,        // FIFO and slot can send
    input  wire logic              reply_out_i,   // a reply may be on its way over the link
    output logic [VLS-1:0]         end_o,         // lane of flit_o whose stream ends, one-hot, or 0
    output logic [15:0]            end_bw_o,
    input  wire logic              books_i,       // something is booked on the link, or by streams that come in
    output logic                   adm_lost_o,
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
    output logic [15:0]            cnt_refused_o,
    // errors, counter, state
    output logic                   bad_vl_o,
    output logic                   no_route_o,
    output logic                   overflow_o,
    output logic                   framing_o,
    output logic                   link_down_o,
    output logic [15:0]            cnt_drop_o,
    output logic [8*VLS-1:0]       level_o,
    output logic [VLS-1:0]         open_o,
    output logic [VLS-1:0]         drain_o,
    output logic [VLS-1:0]         cut_o,
    output logic [8*VLS-1:0]       owed_o
);
  localparam int WORDS = VLS * DEPTH;
  localparam int AW = $clog2(WORDS);
  localparam int PW = $clog2(DEPTH);
  localparam int CW = $clog2(DEPTH + 1);
  localparam int CONTROL = VLS - 1;
  localparam int REPLY = VLS - 2;

  function automatic logic [PW-1:0] after(input logic [PW-1:0] p);
    after = (p == PW'(DEPTH - 1)) ? '0 : p + 1'b1;
  endfunction

  // ---- stage 1: is the flit taken, and as what
  logic [VLS-1:0] to, full;           // lane that it is for, one-hot; lanes that are full
  logic           here, room, open;   // of its lane
  logic           push, ends, stray;  // it ends the message that is open; it belongs to none
  logic           first, last, bad;   // as it is stored

  for (genvar v = 0; v < VLS; v++) begin : g_to
    assign to[v] = rx_vl_i == 4'(v);
  end
  assign here = ready_o && link_up_i && rx_valid_i;
  assign room = (to & ~full) != '0;
  assign open = (to & open_o) != '0;
  assign push = here && room && (rx_first_i || open);
  assign ends = rx_first_i && open;
  assign stray = here && room && !rx_first_i && !open;
  assign first = rx_first_i && !open;
  assign last = rx_last_i || ends;
  assign bad = (rx_bad_i && rx_last_i) || ends;

  assign bad_vl_o = here && to == '0;
  assign overflow_o = here && (to & full) != '0;
  assign framing_o = stray || (push && ends);
  assign link_down_o = ready_o && !link_up_i && open_o != '0;

  // ---- stage 2: the route of a header
  logic [VLS-1:0] head_q;     // lane of the header that came in the cycle before, one-hot
  logic [PW-1:0]  head_at_q;  // its place in the FIFO
  logic [7:0]     route;
  logic [7:0]     back;       // there is no second look-up
  logic           none;
  logic [OW:0]    entry;      // no route, output
  logic [PW-1:0]  write_at;
  logic           table_err;

  route_table #(.DEPTH(LFT_DEPTH)) u_table (
      .clk_i, .rst_i,
      .ready_o,
      .we_i(lft_we_i),
      .addr_i(lft_addr_i),
      .port_i(lft_port_i),
      .dlid_i(quell_pkg::wire16(rx_data_i[quell_pkg::DLID_LSB+:16])),
      .slid_i(16'd0),
      .route_o(route),
      .back_o(back),
      .used_i(1'b0),
      .parity_err_o(table_err)
  );

  assign none = route >= 8'(PORTS);
  assign entry = {none, route[OW-1:0]};
  assign no_route = link_up_i && head_q != '0 && none;
  assign no_route_o = no_route || no_way;

  always_ff @(posedge clk_i) begin
    head_q <= (rst_i || !(push && first)) ? '0 : to;
    head_at_q <= write_at;
  end

  // ---- lanes: the front flit, and what becomes of it
  logic [VLS-1:0]    any, header, first_front, last_front, none_front;  // of a flit; of one whose route is there
  logic [OW*VLS-1:0] to_out;      // where to
  logic [PW*VLS-1:0] front_at, end_at;
  logic [VLS-1:0]    push_v, stray_v;
  logic [VLS-1:0]    chosen;  // lane that goes if one does
  logic [VLS-1:0]    pop, discard, ask;
  logic [VLS-1:0]    ends_v, returns;  // the output lane is free: the tail goes; the link is down before the header went
  logic [VLS-1:0]    pulse;
  logic [VLS-1:0]    may;     // lanes whose FIFO may ask
  logic [VLS-1:0]    flags_err, routes_err;

  // what admission adds, by lane: a header of the control lane must not ask, or not be discarded, or is consumed; what is discarded
  // does not count; the reply lane's slot is meant if that lane goes, goes, sends its tail
  logic [VLS-1:0]    held, spare, consumed, eaten, slot_meant, slot_goes, slot_last;
  logic              slot_asks;
  logic              no_way, crosses;
  logic [VLS-1:0]    fifo_goes, fifo_grant;  // a flit of the lane's FIFO goes; it gets a lane
  logic              no_route;               // a header
  logic [129:0]      slot_flit;
  logic [VLS-1:0]    tails;       // of a lane a tail would go

  assign push_v = to & {VLS{push}};
  assign stray_v = to & {VLS{stray}};
  assign chosen = called_i ? nom_i : pick_goes_i ? pick_i : second_i;
  assign goes_o = (called_i || pick_goes_i || second_goes_i) ? chosen : '0;
  assign tail_o = (chosen & tails) != '0;
  assign may = header & ~none_front & ~own_o & ~cut_o & {VLS{link_up_i}} & ~held;
  assign ask = may;
  assign fifo_goes = goes_o & ~slot_goes;
  assign discard = ((drain_o & any) | (header & none_front & ~spare) | consumed) & {VLS{link_up_i}};
  assign pop = discard | (fifo_goes & ~cut_o);
  assign tails = (slot_meant & slot_last) | (~slot_meant & (cut_o | last_front));
  assign ends_v = fifo_goes & (cut_o | last_front);
  assign returns = any & first_front & ~cut_o & ~fifo_goes & {VLS{!link_up_i}};
  assign any_o = any | cut_o;

  always_ff @(posedge clk_i) begin
    if (rst_i || !link_up_i) begin
      open_o <= '0;
      drain_o <= '0;
      credit_o <= '0;
    end else begin
      open_o <= last ? open_o & ~push_v : open_o | push_v;
      drain_o <= (drain_o & ~discard) | (discard & ~last_front);
      credit_o <= pulse;
    end
    if (rst_i) begin
      own_o <= '0;
      cut_o <= '0;
    end else begin
      own_o <= (own_o | fifo_grant) & ~ends_v & ~returns;
      cut_o <= own_o & ~ends_v & ~returns & (cut_o | {VLS{!link_up_i}});
    end
  end

  for (genvar v = 0; v < VLS; v++) begin : g_lane
    logic [PW-1:0] front_q, end_q;  // places of the oldest flit, and of the next one
    logic [CW-1:0] level_q, owed_q;
    logic [OW-1:0] own_out_q;
    logic [VW-1:0] own_vl_q;
    logic [OW-1:0] route_v;  // of the front
    logic [VW-1:0] vl;       // that this output grants
    logic [CW:0]   due;      // pulses, beside the one of a flit that leaves

    ram_async #(.DEPTH(DEPTH), .WIDTH(2)) u_flags (
        .clk_i,
        .we_i(push_v[v]),
        .waddr_i(end_q),
        .wdata_i({first, last}),
        .raddr_i(front_q),
        .rdata_o({first_front[v], last_front[v]}),
        .used_i(1'b0),
        .parity_err_o(flags_err[v])
    );

    ram_async #(.DEPTH(DEPTH), .WIDTH(OW + 1)) u_routes (
        .clk_i,
        .we_i(head_q[v]),
        .waddr_i(head_at_q),
        .wdata_i(entry),
        .raddr_i(front_q),
        .rdata_o({none_front[v], route_v}),
        .used_i(1'b0),
        .parity_err_o(routes_err[v])
    );

    assign any[v] = level_q != '0;
    // A header whose route is not there yet is the last flit that came.
    assign header[v] = any[v] && first_front[v] && !(head_q[v] && level_q == CW'(1));

    always_comb begin
      due = (CW + 1)'(owed_q) + (CW + 1)'(stray_v[v]);
      vl = '0;
      for (int o = 0; o < PORTS; o++) if (route_v == OW'(o)) vl = vl | grant_vl_i[VW*o+:VW];
    end
    assign pulse[v] = pop[v] || due != '0;

    always_ff @(posedge clk_i) begin
      if (rst_i || !link_up_i) begin
        {front_q, end_q, level_q, owed_q} <= '0;
      end else begin
        if (pop[v]) front_q <= after(front_q);
        if (push_v[v]) end_q <= after(end_q);
        // Who goes is known last.
        level_q <= pop[v] ? level_q - CW'(!push_v[v]) : level_q + CW'(push_v[v]);
        if (pop[v]) owed_q <= (due > (CW + 1)'(DEPTH)) ? CW'(DEPTH) : CW'(due);
        else owed_q <= (due == '0) ? '0 : CW'(due - 1'b1);
      end
      if (rst_i || ends_v[v] || returns[v]) {own_out_q, own_vl_q} <= '0;
      else if (fifo_grant[v]) {own_out_q, own_vl_q} <= {route_v, vl};
    end

    assign to_out[OW*v+:OW] = route_v;
    assign front_at[PW*v+:PW] = front_q;
    assign end_at[PW*v+:PW] = end_q;
    assign full[v] = level_q == CW'(DEPTH);
    assign own_out_o[OW*v+:OW] = own_out_q;
    assign own_vl_o[VW*v+:VW] = own_vl_q;
    assign level_o[8*v+:8] = 8'(level_q);
    assign owed_o[8*v+:8] = 8'(owed_q);
  end

  for (genvar o = 0; o < PORTS; o++) begin : g_ask
    always_comb begin
      for (int v = 0; v < VLS; v++) ask_o[o*VLS+v] = ask[v] && to_out[OW*v+:OW] == OW'(o);
      if (slot_asks && slot_way_o == OW'(o)) ask_o[o*VLS+REPLY] = 1'b1;
    end
  end

  // ---- data: written in stage 1, read in stage 4. Who goes is known late, the places of pick and nominee are not.
  logic [AW-1:0]  waddr, nom_at, pick_at, second_at;
  logic [128:0]   word;
  logic           data_err;
  logic           made_q, first_q, last_q;  // of the flit that goes

  always_comb begin
    write_at = '0;
    waddr = '0;
    nom_at = '0;
    pick_at = '0;
    second_at = '0;
    for (int v = 0; v < VLS; v++) begin
      if (to[v]) begin
        write_at = write_at | end_at[PW*v+:PW];
        waddr = waddr | (AW'(v * DEPTH) + AW'(end_at[PW*v+:PW]));
      end
      if (nom_i[v]) nom_at = nom_at | (AW'(v * DEPTH) + AW'(front_at[PW*v+:PW]));
      if (pick_i[v]) pick_at = pick_at | (AW'(v * DEPTH) + AW'(front_at[PW*v+:PW]));
      if (second_i[v]) second_at = second_at | (AW'(v * DEPTH) + AW'(front_at[PW*v+:PW]));
    end
  end

  ram_sync #(.DEPTH(WORDS), .WIDTH(129)) u_data (
      .clk_i,
      .we_i(push),
      .waddr_i(waddr),
      .wdata_i({bad, rx_data_i}),
      .re_i(called_i || pick_goes_i || second_goes_i),
      .raddr_i(called_i ? nom_at : pick_goes_i ? pick_at : second_at),
      .rdata_o(word),
      .used_i(1'b0),
      .parity_err_o(data_err)
  );

  always_ff @(posedge clk_i) begin
    made_q <= (fifo_goes & cut_o) != '0;
    first_q <= (fifo_goes & first_front & ~cut_o) != '0;
    last_q <= tail_o;
  end

  assign flit_o = crosses ? {slot_flit[129:128], 1'b0, slot_flit[127:0]} : {first_q, last_q, made_q || word[128], made_q ? 128'd0 : word[127:0]};

  // ---- admission
  if (ADMIT != 0) begin : g_admit
    logic hold, spared, uncounted, last_of;
    logic meant, same, slot_grant, fifo_gets, slot_gets;

    // where both ask for one lane it is the turn's
    assign slot_gets = slot_asks && grant_reply_i[slot_way_o];
    assign fifo_gets = may[REPLY] && grant_reply_i[to_out[OW*REPLY+:OW]];
    assign same = slot_asks && may[REPLY] && to_out[OW*REPLY+:OW] == slot_way_o;
    assign slot_grant = slot_gets && (!same || slot_turn_o);
    assign meant = (pick_goes_i && pick_slot_i) || (!pick_goes_i && second_goes_i && second_slot_i);

    worm_input_admission #(.PORTS(PORTS), .VLS(VLS), .DEPTH(DEPTH)) u_admission (
        .clk_i, .rst_i, .admit_en_i, .link_up_i, .rt_i, .node_id_i,
        .here_i(here),
        .header_i(rx_first_i),
        .to_i(to),
        .data_i(rx_data_i),
        .push_i(push),
        .first_i(first),
        .last_i(last),
        .bad_i(bad),
        .end_at_i(end_at[PW*CONTROL+:PW]),
        .front_at_i(front_at[PW*CONTROL+:PW]),
        .control_i(any[CONTROL] || open_o[CONTROL]),
        .header_here_i(header[CONTROL]),
        .none_i(none_front[CONTROL]),
        .last_front_i(last_front[CONTROL]),
        .own_i(own_o[CONTROL]),
        .gone_i(goes_o[CONTROL] && first_front[CONTROL] && !cut_o[CONTROL]),
        .discard_i(discard[CONTROL]),
        .hold_o(hold),
        .spare_o(spared),
        .eaten_o(uncounted),
        .probe_o, .release_o,
        .bw_o(adm_bw_o),
        .vl_o(adm_vl_o),
        .node_o(adm_node_o),
        .slid_o(adm_slid_o),
        .passes_i, .consumed_i, .booked_i, .refused_i, .way_i,
        .replies_i(any[REPLY] || open_o[REPLY] || reply_out_i),
        .no_route_i(no_route),
        .slot_asks_o(slot_asks),
        .slot_grant_i(slot_grant),
        .slot_own_o,
        .slot_goes_i(slot_goes[REPLY]),
        .served_i((same && slot_gets) || (both_i && pick_goes_i)),
        .fifo_i((same && slot_gets) ? !slot_turn_o : !pick_slot_i),
        .slot_last_o(last_of),
        .crosses_o(crosses),
        .slot_flit_o(slot_flit),
        .goes_i(goes_o),
        .flit_i(flit_o),
        .end_o, .end_bw_o,
        .books_i,
        .no_way_o(no_way),
        .lost_o(adm_lost_o),
        .adm_o, .eat_o, .slot_o, .slot_way_o, .slot_routed_o, .slot_turn_o, .books_o, .final_o, .final_bw_o, .cnt_booked_o, .cnt_refused_o
    );

    assign held = VLS'(hold) << CONTROL;
    assign spare = VLS'(spared) << CONTROL;
    assign consumed = VLS'(consumed_i) << CONTROL;
    assign eaten = VLS'(uncounted) << CONTROL;
    assign slot_meant = VLS'(meant) << REPLY;
    assign slot_goes = goes_o & slot_meant;
    assign slot_last = VLS'(last_of) << REPLY;
    assign adm_out_o = to_out[OW*CONTROL+:OW];
    assign adm_none_o = none_front[CONTROL];

    always_comb begin
      fifo_grant = grant_i;
      fifo_grant[REPLY] = fifo_gets && !(same && slot_turn_o);
    end
  end else begin : g_admit
    assign {held, spare, consumed, eaten, slot_meant, slot_goes, slot_last} = '0;
    assign {no_way, crosses, slot_flit, slot_asks, slot_own_o} = '0;
    assign fifo_grant = grant_i;
    assign {probe_o, release_o, adm_bw_o, adm_vl_o, adm_node_o, adm_slid_o, adm_out_o, adm_none_o} = '0;
    assign {end_o, end_bw_o, adm_lost_o} = '0;
    assign {adm_o, eat_o, slot_o, slot_way_o, slot_routed_o, slot_turn_o} = '0;
    assign {books_o, final_o, final_bw_o, cnt_booked_o, cnt_refused_o} = '0;

    wire unused_admit = &{1'b0, admit_en_i, rt_i, node_id_i, passes_i, consumed_i, booked_i, refused_i, way_i, books_i, grant_reply_i, pick_slot_i, second_slot_i, both_i, reply_out_i};
  end

  // ---- flits that were not stored, or discarded
  logic [16:0] drops;

  always_comb begin
    drops = 17'(cnt_drop_o) + 17'(here && !push);
    for (int v = 0; v < VLS; v++) drops = drops + 17'(discard[v] && !eaten[v]);
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) cnt_drop_o <= '0;
    else cnt_drop_o <= drops[16] ? '1 : drops[15:0];
  end

  wire unused = &{1'b0, back, table_err, flags_err, routes_err, data_err};

`ifdef QUELL_CHECK
  worm_input_checker #(.VLS(VLS), .DEPTH(DEPTH)) u_check (
      .clk_i, .rst_i, .link_up_i,
      .push_i(push_v),
      .stray_i(stray_v),
      .first_i(first),
      .last_i(last),
      .goes_i(fifo_goes),
      .discard_i(discard),
      .credit_i(credit_o),
      .own_i(own_o),
      .open_i(open_o),
      .drain_i(drain_o),
      .cut_i(cut_o),
      .ask_i(ask),
      .grant_i(fifo_grant),
      .level_i(level_o),
      .owed_i(owed_o)
  );
`endif
endmodule

`default_nettype wire
