// Free blocks of the buffer, one bit each. Offers the lowest free block; up to FREES blocks return
// in a cycle. The search looks at words of 32 bits first, then inside the chosen word. Rule B1.
`default_nettype none

module block_pool #(
    parameter int BLOCKS = 2048,
    parameter int FREES = 8,
    localparam int AW = (BLOCKS > 1) ? $clog2(BLOCKS) : 1
) (
    input  wire logic                clk_i,
    input  wire logic                rst_i,
    input  wire logic                take_i,        // block_o is used up in this cycle
    output logic [AW-1:0]            block_o,
    input  wire logic [FREES-1:0]    free_i,
    input  wire logic [FREES*AW-1:0] free_block_i
);
  localparam int WORDS = (BLOCKS + 31) / 32;
  localparam int CHUNK = 4096;
  localparam int WW = (WORDS > 1) ? $clog2(WORDS) : 1;

  logic [BLOCKS-1:0]   used_q;
  logic [BLOCKS-1:0]   used_d;
  logic [BLOCKS-1:0]   free;
  logic [WORDS*32-1:0] map;
  logic [WORDS-1:0]    has;
  logic [WORDS-1:0]    first_word;
  logic [WW-1:0]       word_idx;
  logic [31:0]         word;
  logic [31:0]         first_bit;
  logic [4:0]          bit_idx;

  // blocks beyond the last one count as used
  assign free = ~used_q;
  assign map = (WORDS * 32)'(free);
  for (genvar w = 0; w < WORDS; w++) begin : g_has
    assign has[w] = |map[w*32 +: 32];
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

  always_comb begin
    used_d = used_q;
    for (int f = 0; f < FREES; f++) if (free_i[f]) used_d[free_block_i[f*AW +: AW]] = 1'b0;
    if (take_i) used_d[block_o] = 1'b1;
  end

  // In chunks, because lint takes a constant of more than 8192 bits for a mistake.
  for (genvar c = 0; c < BLOCKS; c += CHUNK) begin : g_used
    localparam int LEN = (BLOCKS - c < CHUNK) ? BLOCKS - c : CHUNK;
    always_ff @(posedge clk_i) begin
      if (rst_i) used_q[c +: LEN] <= '0;
      else used_q[c +: LEN] <= used_d[c +: LEN];
    end
  end

`ifdef QUELL_CHECK
  block_pool_checker #(
      .BLOCKS(BLOCKS),
      .FREES (FREES)
  ) u_checker (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .take_i      (take_i),
      .block_i     (block_o),
      .free_i      (free_i),
      .free_block_i(free_block_i),
      .used_i      (used_q)
  );
`endif
endmodule

`default_nettype wire
