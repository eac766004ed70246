// Ends of streams at an input of the wormhole router: what it sent in the cycle before crosses now; a header that says that its message
// is its stream's last one is remembered with its bandwidth, and with the tail the stream ends. Rule YA6.
`default_nettype none

module worm_final #(
    parameter int VLS = 16
) (
    input  wire logic              clk_i,
    input  wire logic              rst_i,
    input  wire logic              admit_en_i,
    input  wire logic [VLS-1:0]    rt_i,        // real-time lanes
    input  wire logic [VLS-1:0]    goes_i,      // lane of the flit that goes, one-hot, or 0
    input  wire logic [130:0]      flit_i,      // the one that went in the cycle before: first, last, bad, data
    output logic [VLS-1:0]         end_o,       // lane whose stream ends, one-hot, or 0. Mealy, in the cycle of flit_i, as is
    output logic [15:0]            end_bw_o,    // its bandwidth
    output logic [VLS-1:0]         final_o,
    output logic [16*VLS-1:0]      final_bw_o
);
  logic [VLS-1:0] lane_q;   // of the flit that crosses
  logic           first, last, told;
  logic [15:0]    bw, kept;

  assign {first, last} = flit_i[130:129];
  assign told = flit_i[quell_pkg::WORM_TYPE_LSB+:8] == quell_pkg::WT_DATA && flit_i[quell_pkg::WORM_FINAL_LSB] && (lane_q & rt_i) != '0 && admit_en_i;
  assign bw = quell_pkg::wire16(flit_i[quell_pkg::WORM_BW_LSB+:16]);

  always_comb begin
    kept = '0;
    for (int v = 0; v < VLS; v++) if (lane_q[v]) kept = kept | final_bw_o[16*v+:16];
  end

  assign end_o = (last && (first ? told : (lane_q & final_o) != '0)) ? lane_q : '0;
  assign end_bw_o = first ? bw : kept;

  always_ff @(posedge clk_i) begin
    lane_q <= rst_i ? '0 : goes_i;
    if (rst_i) final_o <= '0;
    else if (last) final_o <= final_o & ~lane_q;
    else if (first) final_o <= (final_o & ~lane_q) | (told ? lane_q : '0);
  end

  for (genvar v = 0; v < VLS; v++) begin : g_bw
    always_ff @(posedge clk_i) begin
      if (rst_i) final_bw_o[16*v+:16] <= '0;
      else if (lane_q[v] && first) final_bw_o[16*v+:16] <= bw;
    end
  end

  wire unused = &{1'b0, flit_i};
endmodule

`default_nettype wire
