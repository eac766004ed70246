// Properties of a read engine: every flit stored is emitted once, and nothing else but the pad flit of a
// cut packet. Instantiated by read_engine under QUELL_CHECK.
`default_nettype none

module read_engine_checker (
    input wire logic       clk_i,
    input wire logic       rst_i,
    input wire logic       rd_en_i,
    input wire logic       load_i,
    input wire logic [6:0] load_n_i,
    input wire logic       load_open_i,
    input wire logic [6:0] load_a_i,
    input wire logic       load_paid_i,
    input wire logic [6:0] open_a_i,
    input wire logic       extend_i,
    input wire logic       close_i,
    input wire logic [6:0] close_a_i,
    // the engine
    input wire logic       act_i,
    input wire logic       open_i,
    input wire logic [6:0] n_i,
    input wire logic [6:0] a_i,
    input wire logic [6:0] r_i,
    input wire logic       paid_i,
    input wire logic       read_i,
    input wire logic       pad_i,
    input wire logic       last_i,
    input wire logic       end_i,
    input wire logic [6:0] release_i,
    input wire logic       xb_valid_i,
    input wire logic       xb_first_i,
    input wire logic       xb_last_i
);
  logic       follows_q, extend_q, end_q, stream_q;
  logic [6:0] open_a_q;
  logic [7:0] released_q;  // of the packet's charge
  logic       left_q;      // the charge left at the grant
  logic       begun;       // the stream is within a packet after this cycle

  assign begun = xb_valid_i ? !xb_last_i : stream_q;

  always_ff @(posedge clk_i) begin
    follows_q <= !rst_i && !close_i && (load_i ? load_open_i : (act_i && open_i));
    open_a_q <= open_a_i;
    extend_q <= extend_i;
    end_q <= !rst_i && end_i && rd_en_i;
    stream_q <= !rst_i && begun;
    if (rst_i || load_i) released_q <= '0;
    else released_q <= released_q + 8'(release_i);
    if (rst_i) left_q <= 1'b0;
    else if (load_i) left_q <= load_paid_i;
  end

  always @(posedge clk_i) begin
    if (!rst_i) begin
      // what the engine expects: a packet when it has room, of legal length, and of a receiver that counts
      b2_env_load_when_free: assert (!load_i || !act_i || last_i);
      b2_env_load_legal: assert (!load_i || (load_n_i != '0 && load_n_i <= 7'd64));
      b2_env_load_stored: assert (!load_i || load_open_i || (load_a_i != '0 && load_a_i <= load_n_i));
      b2_env_load_open: assert (!load_i || !load_open_i || (open_a_i != '0 && open_a_i < load_n_i));
      b2_env_open_incomplete: assert (!act_i || !open_i || open_a_i < n_i);
      b2_env_open_counts: assert (!follows_q || open_a_i == open_a_q + 7'(extend_q));
      b2_env_close_counts: assert (!close_i || close_a_i == open_a_i + 7'(extend_i));
      // what it promises
      b3_reads_what_is_stored: assert (!act_i || r_i <= (open_i ? open_a_i : a_i));
      b2_open_has_flits: assert (!act_i || !open_i || open_a_i != '0);
      b2_length_kept: assert (!act_i || (n_i <= 7'd64 && r_i < n_i && (open_i || (a_i <= n_i && a_i != '0))));
      b3_pad_only_when_cut: assert (!pad_i || (a_i < n_i && r_i == a_i));
      b3_last_flit_is_the_nth: assert (!last_i || pad_i || r_i == n_i - 7'd1);
      b3_stream_is_of_the_packet: assert (begun == (act_i && r_i != '0));
      b3_first_opens: assert (!xb_valid_i || !xb_first_i || !stream_q);
      b1_charge_released: assert (!act_i || released_q == (left_q ? 8'd0 : 8'(r_i)));
      b1_whole_charge_released: assert (!last_i || released_q + 8'(release_i) == (left_q ? 8'd0 : 8'(n_i)));
      b1_paid_is_of_the_packet: assert (!act_i || paid_i == left_q);
      b2_end_emits: assert (!end_q || (xb_valid_i && xb_last_i));
      b2_no_gap: assert (!act_i || open_i || !rd_en_i || read_i || pad_i);
      b3_c_pad: cover (pad_i && r_i == 7'd2);
      b2_c_cut_through: cover (read_i && open_i && r_i == 7'd2);
      b2_c_next_at_once: cover (load_i && last_i);
    end
  end
endmodule

`default_nettype wire
