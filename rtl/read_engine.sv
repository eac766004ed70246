// Streams one packet after the other to one output: reads its blocks in order, frees them, ends a
// cut packet with a pad flit. A packet's tag goes along. A packet whose charge left at its grant releases nothing. With
// MARKERS it keeps whether the packet is to be marked, and says so beside its first flit. Rules B1, B2, B3, SM3.
`default_nettype none

module read_engine #(
    parameter int AW = 11,
    parameter int TAG_W = 1,
    parameter int MARKERS = 0,
    parameter int PARITY = 0
) (
    input  wire logic          clk_i,
    input  wire logic          rst_i,
    input  wire logic          rd_en_i,
    // the packet to load
    input  wire logic          load_i,
    input  wire logic [AW-1:0] load_id_i,
    input  wire logic [6:0]    load_n_i,
    input  wire logic          load_open_i,   // it is being received
    input  wire logic [6:0]    load_a_i,      // else: flits stored of it
    input  wire logic [TAG_W-1:0] load_tag_i,
    input  wire logic          load_paid_i,   // its charge leaves now
    input  wire logic          load_mark_i,   // it is to be marked
    // the receiver's open packet
    input  wire logic [6:0]    open_a_i,
    input  wire logic          extend_i,
    input  wire logic [AW-1:0] extend_block_i,
    input  wire logic          close_i,
    input  wire logic [6:0]    close_a_i,
    // the block of the next flit, from the link memory
    output logic [AW-1:0]      block_o,
    input  wire logic [AW-1:0] link_i,
    // what happens in this cycle
    output logic               read_o,        // block_o is read and free
    output logic               follow_o,      // and link_i is where the packet goes on
    output logic               underrun_o,
    output logic [6:0]         release_o,     // flits released of the charge
    output logic [TAG_W-1:0]   tag_o,         // of the packet
    output logic               act_o,
    output logic               end_o,
    // what was read in the last cycle
    output logic               xb_valid_o,
    output logic               xb_first_o,
    output logic               xb_last_o,
    output logic               xb_bad_o,
    output logic               xb_mark_o,     // beside xb_first
    output logic               parity_err_o
);
  logic          act_q, act_d;
  logic          open_q, open_d;  // the packet is being received
  logic [AW-1:0] block_q, block_d;
  logic [6:0]    n_q, n_d;
  logic [6:0]    a_q, a_d;     // flits stored in the end, valid when not open
  logic [6:0]    r_q, r_d;     // flits emitted
  logic [6:0]    r_inc;
  logic [TAG_W-1:0] tag_q, tag_d;
  logic          paid_q, paid_d;  // the charge has left

  logic go;
  logic pad;
  logic last;

  assign go = act_q && rd_en_i;
  assign read_o = go && r_q < (open_q ? open_a_i : a_q);
  assign follow_o = read_o && r_inc < (open_q ? open_a_i : a_q);
  assign pad = go && !open_q && r_q == a_q;
  assign last = (read_o && r_q == n_q - 7'd1) || pad;
  assign underrun_o = go && !read_o && !pad;
  assign release_o = paid_q ? '0 : pad ? n_q - r_q : 7'(read_o);
  assign act_o = act_q;
  assign end_o = act_q && !open_q && (r_q == n_q - 7'd1 || r_q == a_q);
  assign block_o = block_q;
  assign tag_o = tag_q;
  assign r_inc = r_q + 7'(read_o);

  logic xb_valid_d, xb_first_d, xb_last_d, xb_bad_d;
  logic own_err, mark_err;  // of parity

  always_comb begin
    act_d = act_q;
    open_d = open_q;
    block_d = block_q;
    n_d = n_q;
    a_d = a_q;
    r_d = r_q;
    tag_d = tag_q;
    paid_d = paid_q;
    xb_valid_d = xb_valid_o;
    xb_first_d = xb_first_o;
    xb_last_d = xb_last_o;
    xb_bad_d = xb_bad_o;
    if (rst_i) begin
      act_d = 1'b0;
      open_d = 1'b0;
      block_d = '0;
      n_d = '0;
      a_d = '0;
      r_d = '0;
      tag_d = '0;
      paid_d = 1'b0;
      xb_valid_d = 1'b0;
      xb_first_d = 1'b0;
      xb_last_d = 1'b0;
      xb_bad_d = 1'b0;
    end else begin
      xb_valid_d = read_o || pad;
      xb_first_d = read_o && r_q == '0;
      xb_last_d = last;
      xb_bad_d = pad;
      if (load_i) begin
        act_d = 1'b1;
        open_d = load_open_i && !close_i;
        block_d = load_id_i;
        n_d = load_n_i;
        a_d = load_open_i ? close_a_i : load_a_i;
        r_d = '0;
        tag_d = load_tag_i;
        paid_d = load_paid_i;
      end else begin
        if (last) act_d = 1'b0;
        r_d = r_inc;
        // The link of a block is good from the cycle after the next flit is stored.
        if (open_q && extend_i && open_a_i == r_inc) block_d = extend_block_i;
        else if (read_o) block_d = link_i;
        if (open_q && close_i) begin
          open_d = 1'b0;
          a_d = close_a_i;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    act_q <= act_d;
    open_q <= open_d;
    block_q <= block_d;
    n_q <= n_d;
    a_q <= a_d;
    r_q <= r_d;
    tag_q <= tag_d;
    paid_q <= paid_d;
    xb_valid_o <= xb_valid_d;
    xb_first_o <= xb_first_d;
    xb_last_o <= xb_last_d;
    xb_bad_o <= xb_bad_d;
  end

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{act_d, open_d, block_d, n_d, a_d, r_d, tag_d, paid_d, xb_valid_d, xb_first_d, xb_last_d,
            xb_bad_d}),
      .now_i(^{act_q, open_q, block_q, n_q, a_q, r_q, tag_q, paid_q, xb_valid_o, xb_first_o, xb_last_o,
            xb_bad_o}),
      .err_o(own_err)
  );

  // ---- the packet is to be marked
  if (MARKERS != 0) begin : g_mark
    logic mark_q, mark_d, xb_mark_d;

    assign mark_d = !rst_i && (load_i ? load_mark_i : mark_q);
    assign xb_mark_d = xb_first_d && mark_q;

    always_ff @(posedge clk_i) begin
      mark_q <= mark_d;
      xb_mark_o <= xb_mark_d;
    end

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i,
        .next_i(^{mark_d, xb_mark_d}),
        .now_i(^{mark_q, xb_mark_o}),
        .err_o(mark_err)
    );
  end else begin : g_mark
    wire unused = load_mark_i;
    assign xb_mark_o = 1'b0;
    assign mark_err = 1'b0;
  end

  assign parity_err_o = own_err || mark_err;

`ifdef QUELL_CHECK
  read_engine_checker u_checker (
      .clk_i, .rst_i, .rd_en_i, .load_i, .load_n_i, .load_open_i, .load_a_i, .load_paid_i, .open_a_i, .extend_i, .close_i,
      .close_a_i,
      .act_i      (act_q),
      .open_i     (open_q),
      .n_i        (n_q),
      .a_i        (a_q),
      .r_i        (r_q),
      .paid_i     (paid_q),
      .read_i     (read_o),
      .pad_i      (pad),
      .last_i     (last),
      .end_i      (end_o),
      .release_i  (release_o),
      .xb_valid_i (xb_valid_o),
      .xb_first_i (xb_first_o),
      .xb_last_i  (xb_last_o)
  );
`endif
endmodule

`default_nettype wire
