// FIFO of an adapter's words, of replies on a VL or of messages: a small one in a memory that is read at once, a large one in a memory with
// synchronous read, whose oldest word is shown from registers. To the outside they are alike: what is pushed into the empty FIFO
// is shown in the next cycle, and one word may leave in every cycle. Rules AK4, YC4; docs/hca.md section 3.
`default_nettype none

module word_fifo #(
    parameter int DEPTH = 16,  // a power of two
    parameter int WIDTH = 8,
    parameter int PARITY = 0
) (
    input  wire logic             clk_i,
    input  wire logic             rst_i,
    input  wire logic             push_i,   // nothing happens when full
    input  wire logic [WIDTH-1:0] data_i,
    input  wire logic             pop_i,    // only with valid_o
    output logic                  valid_o,
    output logic                  full_o,
    output logic [$clog2(DEPTH):0] fill_o,  // words in it
    output logic      [WIDTH-1:0] data_o,   // undefined without valid_o
    output logic                  parity_err_o
);
  localparam int SMALL = 64;
  localparam int AW = $clog2(DEPTH);

  logic [AW:0] fill_q, fill_d;
  logic        put;
  logic        fill_err, mem_err;  // of parity

  assign put = push_i && !full_o;
  assign fill_d = rst_i ? '0 : fill_q + (AW + 1)'(put) - (AW + 1)'(pop_i);
  always_ff @(posedge clk_i) fill_q <= fill_d;

  assign fill_o = fill_q;
  assign full_o = fill_q == (AW + 1)'(DEPTH);

  parity_group #(.PARITY(PARITY)) u_fill_parity (
      .clk_i,
      .next_i(^fill_d),
      .now_i(^fill_q),
      .err_o(fill_err)
  );

  if (DEPTH <= SMALL) begin : g_small
    logic [AW-1:0] head_q, head_d, tail_q, tail_d;
    logic          ptr_err, ram_err;

    assign head_d = rst_i ? '0 : head_q + AW'(pop_i);
    assign tail_d = rst_i ? '0 : tail_q + AW'(put);

    always_ff @(posedge clk_i) begin
      head_q <= head_d;
      tail_q <= tail_d;
    end

    assign valid_o = fill_q != '0;

    ram_async #(.DEPTH(DEPTH), .WIDTH(WIDTH), .PARITY(PARITY)) u_ram (
        .clk_i,
        .we_i(put),
        .waddr_i(tail_q),
        .wdata_i(data_i),
        .raddr_i(head_q),
        .rdata_o(data_o),
        .used_i(valid_o),
        .parity_err_o(ram_err)
    );

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i,
        .next_i(^{head_d, tail_d}),
        .now_i(^{head_q, tail_q}),
        .err_o(ptr_err)
    );

    assign mem_err = ptr_err || ram_err;
  end else begin : g_large
    receive_fifo #(.DEPTH(DEPTH), .WIDTH(WIDTH), .PARITY(PARITY)) u_fifo (
        .clk_i, .rst_i,
        .push_i(put),
        .data_i, .pop_i, .valid_o, .data_o,
        .parity_err_o(mem_err)
    );
  end

  assign parity_err_o = fill_err || mem_err;
endmodule

`default_nettype wire
