// Round robin over many flows: the first one set in want_i at or after ptr_i, wrapping at N.
// Two levels, words of 32 flows, so that thousands of flows stay cheap. Combinational. Rule H8.
`default_nettype none

module flow_scan #(
    parameter int N = 64,
    localparam int W = (N > 1) ? $clog2(N) : 1
) (
    input  wire logic [N-1:0] want_i,
    input  wire logic [W-1:0] ptr_i,
    output logic              any_o,
    output logic [W-1:0]      idx_o   // 0 when there is none
);
  localparam int WORDS = (N + 31) / 32;
  localparam int CW = (WORDS > 1) ? $clog2(WORDS) : 1;

  logic [32*WORDS-1:0] want;
  logic [WORDS-1:0]    busy, later;   // words with a flow that wants; those after the pointer's word
  logic [CW-1:0]       here, next, sel;
  logic [4:0]          start, bit_idx;
  logic [31:0]         ahead, word;   // in the pointer's word: at or after the pointer

  assign want = (32 * WORDS)'(want_i);
  assign {here, start} = (CW + 5)'(ptr_i);

  always_comb begin
    for (int j = 0; j < WORDS; j++) busy[j] = |want[32*j+:32];
    later = busy & (({WORDS{1'b1}} << here) << 1);
    ahead = want[32*here+:32] & (32'hFFFF_FFFF << start);
  end

  lowest_one #(.N(WORDS)) u_word (
      .x_i((later != '0) ? later : busy),
      .idx_o(next)
  );

  assign sel = (ahead != '0) ? here : next;
  assign word = (ahead != '0) ? ahead : want[32*next+:32];

  lowest_one #(.N(32)) u_bit (
      .x_i(word),
      .idx_o(bit_idx)
  );

  assign any_o = busy != '0;
  assign idx_o = W'({sel, bit_idx});
endmodule

`default_nettype wire
