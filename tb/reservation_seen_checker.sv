// What a destination promises of what it is told comes from its sources: nothing is refused for no cause, and a packet that was taken is
// not taken again, as long as its number can be no other chunk's, and acknowledged while nothing of a newer chunk has come. With inorder
// nothing speculative is taken but what is next. Instantiated by reservation_seen under QUELL_CHECK. Rules Q21, Q22.
//
// One packet at a time is followed, from when it was taken.
`default_nettype none

module reservation_seen_checker #(
    parameter int FLOWS = 64,
    parameter int NMAX = 16,
    localparam int FW = $clog2(FLOWS)
) (
    input wire logic            clk_i,
    input wire logic            rst_i,
    input wire logic            ready_i,
    input wire logic            look_i,
    input wire logic            mark_i,
    input wire logic            res_i,
    input wire logic            init_i,
    input wire logic [15:0]     flow_i,
    input wire logic [12:0]     id_i,
    input wire logic [7:0]      seq_i,
    input wire logic            spec_i,
    input wire logic            pass_i,
    input wire logic [23:0]     psn_i,
    input wire logic            inorder_i,
    input wire logic            ok_i,
    input wire logic            drop_i,
    input wire logic            ack_i,
    input wire logic [12:0]     known_i,
    input wire logic            we_i         // something was noted in the cycle before
);
  localparam logic [7:0] PLACES = 8'(NMAX - 1);

  // ---- what came in the cycle before
  logic          past_ok_q, look_q, mark_q, res_q, ask_q, spec_q, pass_q;
  logic [23:0]   psn_q;
  logic [FW-1:0] flow_q;
  logic [12:0]   id_q;
  logic [7:0]    seq_q;

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    {look_q, mark_q, res_q, ask_q, pass_q} <= '0;
    if (!rst_i && ready_i && flow_i < 16'(FLOWS)) begin
      res_q <= res_i && !init_i;
      ask_q <= res_i && init_i;
      look_q <= look_i && !res_i;
      mark_q <= mark_i && !res_i;
      pass_q <= pass_i && !res_i && !look_i && !mark_i;
    end
    flow_q <= flow_i[FW-1:0];
    id_q <= id_i;
    spec_q <= spec_i;
    psn_q <= psn_i;
    seq_q <= seq_i & PLACES;
  end

  // ---- sources of which anything was taken since the reset
  logic [FLOWS-1:0] any_q;
  logic             told;      // a packet or RES that is taken

  assign told = ok_i && (mark_q || res_q);

  always_ff @(posedge clk_i) begin
    if (rst_i) any_q <= '0;
    else if (told) any_q[flow_q] <= 1'b1;
  end

  // ---- of each source the packet behind the one that came last; of those that are told apart, the one that was noted last
  logic [FLOWS-1:0] runs_q;                    // it is known
  logic [23:0]      after_q[0:FLOWS-1];
  logic             came_q, apart_q, reset_q, noted;  // one came in the cycle before, told apart; or the RES of a source that was reset
  logic [FW-1:0]    came_of_q;
  logic [23:0]      came_psn_q;
  logic             early;                     // a SPEC packet that is not the next one

  assign noted = came_q && (we_i || !apart_q);
  assign early = inorder_i && look_q && spec_q && !((noted && came_of_q == flow_q) ? psn_q == came_psn_q + 24'd1
      : runs_q[flow_q] && !(reset_q && came_of_q == flow_q) && psn_q == after_q[flow_q]);

  always_ff @(posedge clk_i) begin
    came_q <= !rst_i && ok_i && (mark_q || pass_q);
    apart_q <= mark_q;
    reset_q <= !rst_i && ok_i && ask_q;
    came_of_q <= flow_q;
    came_psn_q <= psn_q;
    if (noted) after_q[came_of_q] <= came_psn_q + 24'd1;
    if (rst_i) runs_q <= '0;
    else if (noted) runs_q[came_of_q] <= 1'b1;
    else if (reset_q) runs_q[came_of_q] <= 1'b0;
  end

  // ---- the packet that is followed; how many chunks its source is beyond it
  logic          follow_q, here, same, newer;
  logic          marked_q;                 // one was whole and good in the cycle before: followed if that was noted
  logic [FW-1:0] of_q, marked_of_q;
  logic [12:0]   of_id_q, marked_id_q, beyond_q, beyond, ahead;
  logic [7:0]    of_seq_q, marked_seq_q;
  logic [11:0]   turn_q;

  assign here = follow_q && flow_q == of_q;
  assign beyond = id_q - of_id_q;          // of what came
  assign ahead = beyond - beyond_q;
  assign newer = here && told && ahead != '0 && !ahead[12];
  assign same = here && look_q && id_q == of_id_q && seq_q == of_seq_q;

  always_ff @(posedge clk_i) begin
    turn_q <= rst_i ? '0 : turn_q + 1'b1;
    marked_q <= !rst_i && mark_q && ok_i && !(here && ahead[12]);
    marked_of_q <= flow_q;
    marked_id_q <= id_q;
    marked_seq_q <= seq_q;
    if (rst_i || turn_q == '0 || (newer && (beyond < beyond_q || beyond > 13'd4000))) begin
      follow_q <= 1'b0;
    end else if (!follow_q) begin
      // (nothing of that source comes in between)
      follow_q <= marked_q && we_i && !(told && flow_q == marked_of_q);
      of_q <= marked_of_q;
      of_id_q <= marked_id_q;
      of_seq_q <= marked_seq_q;
      beyond_q <= '0;
    end else if (newer) begin
      beyond_q <= beyond;
    end
  end

  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      q22_taken_once: assert (!same || drop_i);
      q22_again_is_told: assert (!same || ack_i == (beyond_q == '0));
      q21_spec_in_order: assert (!early || drop_i);
      q22_drop_for_cause: assert (!drop_i || early || ((look_q || res_q) && any_q[flow_q]));
      q22_new_is_taken: assert (!(here && (look_q || res_q) && ahead != '0 && !ahead[12]) || !drop_i || early);
      q22_late_res_dropped: assert (!(here && res_q && ahead[12]) || drop_i);
      q22_ack_of_packet: assert (!ack_i || (look_q && drop_i));
      q22_known: assert (known_i == ((!res_q && !ask_q) ? 13'd0 : !any_q[flow_q] ? id_q : here ? of_id_q + beyond_q : known_i));
    end
  end
endmodule

`default_nettype wire
