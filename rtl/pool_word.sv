// Up to 32 bits of the map of used blocks. A freed block is named by its word's row and a one-hot column,
// which all words share: decoding the whole number for every bit costs several times as much. Rule B1.
`default_nettype none

module pool_word #(
    parameter int LEN = 32,
    parameter int FREES = 8,
    parameter int PARITY = 0
) (
    input  wire logic                clk_i,
    input  wire logic                rst_i,
    input  wire logic [FREES-1:0]    row_i,   // the freed block is in this word
    input  wire logic [FREES*32-1:0] col_i,   // its place in the word, one-hot
    input  wire logic                take_i,  // a block of this word is used up
    input  wire logic [31:0]         take_col_i,
    output logic                     has_o,   // some block is free
    output logic [31:0]              free_o,
    output logic                     parity_err_o
);
  logic [LEN-1:0] used_q, used_d, freed, free;

  always_comb begin
    freed = '0;
    if (row_i != '0)
      for (int f = 0; f < FREES; f++) freed = freed | ({LEN{row_i[f]}} & col_i[f*32 +: LEN]);
  end

  assign used_d = rst_i ? '0 : (used_q & ~freed) | ({LEN{take_i}} & take_col_i[LEN-1:0]);

  always_ff @(posedge clk_i) used_q <= used_d;

  assign has_o = used_q != '1;
  assign free = ~used_q;
  assign free_o = 32'(free);

  if (LEN < 32) begin : g_short
    logic unused;
    assign unused = &{1'b0, col_i, take_col_i};
  end

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^used_d),
      .now_i(^used_q),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
