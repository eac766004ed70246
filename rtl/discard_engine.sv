// Frees the flits of a packet that is dropped, but for its first one: a block a cycle, also while the packet arrives; of a
// packet that was cut the rest of its charge last. It gives no data. Rule Q8; docs/input-port.md section 16.
`default_nettype none

module discard_engine #(
    parameter int AW = 11,
    parameter int PARITY = 0
) (
    input  wire logic          clk_i,
    input  wire logic          rst_i,
    // the packet to discard, of more than one flit; only when idle
    input  wire logic          load_i,
    input  wire logic [AW-1:0] load_id_i,      // its first block
    input  wire logic [6:0]    load_n_i,
    input  wire logic          load_open_i,    // it is being received
    input  wire logic [6:0]    load_a_i,       // else: flits stored of it
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
    output logic               read_o,         // block_o is free
    output logic               follow_o,       // link_i is where the packet goes on
    output logic [6:0]         release_o,      // flits released of the charge
    output logic               act_o,
    output logic [6:0]         r_o,            // flits that are done with; 0 when idle
    output logic               parity_err_o
);
  logic          act_q, act_d;
  logic          open_q, open_d;    // the packet is being received
  logic [AW-1:0] block_q, block_d;
  logic [6:0]    n_q, n_d;
  logic [6:0]    a_q, a_d;          // flits stored in the end, valid when not open
  logic [6:0]    r_q, r_d;
  logic [6:0]    a, r_inc;
  logic          rest;              // of a packet that was cut

  assign a = open_q ? open_a_i : a_q;
  assign read_o = act_q && r_q < a;
  assign rest = act_q && !open_q && r_q == a_q;
  assign r_inc = r_q + 7'(read_o);
  // From the first block the way leads on at the start, if there is a second one.
  assign block_o = act_q ? block_q : load_id_i;
  assign follow_o = act_q ? read_o && r_inc < a : load_i && (load_open_i ? open_a_i : load_a_i) > 7'd1;
  assign release_o = rest ? n_q - r_q : 7'(read_o);
  assign act_o = act_q;
  assign r_o = r_q;

  always_comb begin
    act_d = act_q;
    open_d = open_q;
    block_d = block_q;
    n_d = n_q;
    a_d = a_q;
    r_d = r_q;
    if (rst_i) begin
      act_d = 1'b0;
      open_d = 1'b0;
      block_d = '0;
      n_d = '0;
      a_d = '0;
      r_d = '0;
    end else if (load_i) begin
      act_d = 1'b1;
      open_d = load_open_i && !close_i;
      block_d = (load_open_i && extend_i && open_a_i == 7'd1) ? extend_block_i : link_i;
      n_d = load_n_i;
      a_d = load_open_i ? close_a_i : load_a_i;
      r_d = 7'd1;
    end else if (act_q) begin
      r_d = r_inc;
      // The link of a block is good from the cycle after the next flit is stored.
      if (open_q && extend_i && open_a_i == r_inc) block_d = extend_block_i;
      else if (read_o) block_d = link_i;
      if (open_q && close_i) begin
        open_d = 1'b0;
        a_d = close_a_i;
      end
      if (rest || r_inc == n_q) begin
        act_d = 1'b0;
        open_d = 1'b0;
        r_d = '0;
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
  end

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{act_d, open_d, block_d, n_d, a_d, r_d}),
      .now_i(^{act_q, open_q, block_q, n_q, a_q, r_q}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
