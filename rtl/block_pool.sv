// Free blocks of the buffer, one bit each. Offers the lowest free block; up to FREES blocks return
// in a cycle. The search looks at words of 32 bits first, then inside the chosen word. Rule B1.
`default_nettype none

module block_pool #(
    parameter int BLOCKS = 2048,
    parameter int FREES = 8,
    parameter int PARITY = 0,
    localparam int AW = (BLOCKS > 1) ? $clog2(BLOCKS) : 1
) (
    input  wire logic                clk_i,
    input  wire logic                rst_i,
    input  wire logic                take_i,        // block_o is used up in this cycle
    output logic [AW-1:0]            block_o,
    input  wire logic [FREES-1:0]    free_i,
    input  wire logic [FREES*AW-1:0] free_block_i,
    output logic                     parity_err_o
);
  localparam int WORDS = (BLOCKS + 31) / 32;
  localparam int WW = (WORDS > 1) ? $clog2(WORDS) : 1;

  logic [WORDS*32-1:0] map;
  logic [WORDS-1:0]    has;
  logic [WORDS-1:0]    word_err;  // of parity
  logic [WORDS-1:0]    first_word;
  logic [WW-1:0]       word_idx;
  logic [31:0]         word;
  logic [31:0]         first_bit;
  logic [4:0]          bit_idx;
  logic [FREES*32-1:0] col;  // of each returned block: its place in its word
  logic [FREES*WW-1:0] row;  // and that word

  for (genvar f = 0; f < FREES; f++) begin : g_free
    logic [WW+4:0] block;
    assign block = (WW + 5)'(free_block_i[f*AW +: AW]);
    assign row[f*WW +: WW] = block[WW+4:5];
    for (genvar b = 0; b < 32; b++) begin : g_col
      assign col[f*32 + b] = block[4:0] == 5'(b);
    end
  end

  for (genvar w = 0; w < WORDS; w++) begin : g_word
    logic [FREES-1:0] here;
    for (genvar f = 0; f < FREES; f++) begin : g_here
      assign here[f] = free_i[f] && row[f*WW +: WW] == WW'(w);
    end
    pool_word #(
        .LEN  ((BLOCKS - 32 * w < 32) ? BLOCKS - 32 * w : 32),
        .FREES(FREES), .PARITY(PARITY)
    ) u_word (
        .clk_i, .rst_i,
        .row_i     (here),
        .col_i     (col),
        .take_i    (take_i && first_word[w]),
        .take_col_i(first_bit),
        .has_o     (has[w]),
        .free_o    (map[w*32 +: 32]),
        .parity_err_o(word_err[w])
    );
  end

  assign first_word = has & (~has + 1'b1);

  always_comb begin
    word_idx = '0;
    for (int w = 0; w < WORDS; w++) if (first_word[w]) word_idx = word_idx | WW'(w);
  end
  always_comb begin
    word = map[31:0];
    for (int w = 1; w < WORDS; w++) if (word_idx == WW'(w)) word = map[w*32 +: 32];
  end
  assign first_bit = word & (~word + 1'b1);
  always_comb begin
    bit_idx = '0;
    for (int b = 0; b < 32; b++) if (first_bit[b]) bit_idx = bit_idx | 5'(b);
  end

  assign block_o = AW'({word_idx, bit_idx});
  assign parity_err_o = word_err != '0;

`ifdef QUELL_CHECK
  block_pool_checker #(
      .BLOCKS(BLOCKS), .FREES(FREES)
  ) u_checker (
      .clk_i, .rst_i, .take_i,
      .block_i     (block_o),
      .free_i, .free_block_i,
      .used_i      (~map[BLOCKS-1:0])
  );
`endif
endmodule

`default_nettype wire
