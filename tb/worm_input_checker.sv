// An input of the wormhole router, by a FIFO of its own for one lane after the other, which says nothing of routes but where they came from:
// every flit that is taken has a credit that goes back once, when the flit has left; no lane holds more than its room; a message that goes
// or is discarded begins with its header and ends with its tail, and what is said of the lanes fits. Instantiated by worm_input; for
// simulation. Rules YW1, YW2, YW3, F1.
`default_nettype none

module worm_input_checker #(
    parameter int VLS = 16,
    parameter int DEPTH = 10
) (
    input wire logic             clk_i,
    input wire logic             rst_i,
    input wire logic             link_up_i,
    input wire logic [VLS-1:0]   push_i,     // a flit is stored,
    input wire logic [VLS-1:0]   stray_i,    // dropped with a pulse due
    input wire logic             first_i,    // as it is stored
    input wire logic             last_i,
    input wire logic [VLS-1:0]   goes_i,
    input wire logic [VLS-1:0]   discard_i,
    input wire logic [VLS-1:0]   credit_i,
    input wire logic [VLS-1:0]   own_i,
    input wire logic [VLS-1:0]   open_i,
    input wire logic [VLS-1:0]   drain_i,
    input wire logic [VLS-1:0]   cut_i,
    input wire logic [VLS-1:0]   ask_i,
    input wire logic [VLS-1:0]   grant_i,
    input wire logic [8*VLS-1:0] level_i,
    input wire logic [8*VLS-1:0] owed_i
);
  localparam int AW = $clog2(DEPTH);

  logic [VLS-1:0] held, room, home, meant, begun_ok, fits, has_end;

  for (genvar v = 0; v < VLS; v++) begin : g_lane
    logic [7:0]       level, owed;
    logic [DEPTH-1:0] first_q, last_q;  // of the flits of the FIFO, the oldest in bit 0
    logic [7:0]       flits_q;
    logic [15:0]      lent_q;           // flits taken whose credits have not left
    logic             over_q;           // the sender sent more than it had credits for
    logic             sent_q;           // a header went, the tail did not
    logic             pop;
    logic [7:0]       at;

    assign level = level_i[8*v+:8];
    assign owed = owed_i[8*v+:8];
    assign pop = discard_i[v] || (goes_i[v] && !cut_i[v]);
    assign at = flits_q - 8'(pop);

    always_ff @(posedge clk_i) begin
      if (rst_i || !link_up_i) begin
        flits_q <= '0;
        lent_q <= '0;
        over_q <= 1'b0;
      end else begin
        flits_q <= at + 8'(push_i[v]);
        if (pop) {first_q, last_q} <= {first_q >> 1, last_q >> 1};
        if (push_i[v]) begin
          first_q[at[AW-1:0]] <= first_i;
          last_q[at[AW-1:0]] <= last_i;
        end
        lent_q <= lent_q + 16'(push_i[v]) + 16'(stray_i[v]) - 16'(credit_i[v]);
        if (lent_q > 16'(DEPTH)) over_q <= 1'b1;
      end
      if (rst_i) sent_q <= 1'b0;
      else if (goes_i[v]) sent_q <= !cut_i[v] && !last_q[0];
    end

    assign held[v] = level == flits_q;
    assign room[v] = level <= 8'(DEPTH) && owed <= 8'(DEPTH) && !(push_i[v] && level == 8'(DEPTH)) && !(pop && level == '0);
    // what left and what is here are all that was lent
    assign home[v] = over_q || lent_q > 16'(DEPTH) || lent_q == 16'(level) + 16'(owed) + 16'(credit_i[v]);
    // a message goes from its header to its tail; a made tail only ends one whose header went
    assign begun_ok[v] = !goes_i[v] || (own_i[v] && (cut_i[v] ? sent_q : flits_q != '0 && first_q[0] == !sent_q));
    assign meant[v] = !discard_i[v] || (first_q[0] == !drain_i[v] && (!own_i[v] || cut_i[v]) && flits_q != '0);
    assign fits[v] = (!cut_i[v] || own_i[v]) && (!ask_i[v] || (!own_i[v] && !drain_i[v] && flits_q != '0 && first_q[0])) && (!grant_i[v] || ask_i[v]);
    // the tail of what goes, or of what is discarded, is here, or comes, or is made
    assign has_end[v] = (!own_i[v] || cut_i[v] || open_i[v] || (last_q & ~({DEPTH{1'b1}} << flits_q)) != '0)
        && (!drain_i[v] || open_i[v] || flits_q != '0) && (!open_i[v] || drain_i[v] || flits_q != '0 || (own_i[v] && !cut_i[v]));
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      yw1_level_is_what_came: assert (&held);
      yw1_room: assert (&room);
      yw2_credits_come_home: assert (&home);
      yw3_header_to_tail: assert (&begun_ok);
      yw2_discards_whole: assert (&meant);
      yw3_lanes_fit: assert (&fits);
      yw3_ends_come: assert (&has_end);
    end
  end
endmodule

`default_nettype wire
