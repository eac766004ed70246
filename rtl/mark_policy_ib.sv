// Which packets an output marks: data of a VL in the congestion state, by a count, by chance or in a fraction of
// cases. A policy sees the headers of each packet that begins and answers in the same cycle. Rules M1, M2.
`default_nettype none

module mark_policy_ib #(
    parameter int VLS = 1,
    parameter int PARITY = 0
) (
    input  wire logic              clk_i,
    input  wire logic              rst_i,
    input  wire logic              mark_en_i,
    input  wire logic [1:0]        mode_i,
    input  wire logic [15:0]       rate_i,
    input  wire logic [8:0]        fraction_i,
    input  wire logic [7:0]        packet_size_i,
    input  wire logic              seed_we_i,
    input  wire logic [15:0]       seed_i,
    input  wire logic [VLS-1:0]    cong_state_i,
    input  wire logic              first_i,       // a packet begins,
    input  wire logic [VLS-1:0]    vl_i,          // on this VL, one-hot; 0 for one that does not exist,
    input  quell_pkg::header_t     head_i,        // with these headers
    output logic                   mark_o,        // Mealy: it is marked
    output logic [16*VLS-1:0]      mark_count_o,
    output logic [15:0]            lfsr_o,
    output logic                   parity_err_o
);
  logic bth, cnp, ack, mcast;

  assign {bth, cnp, ack, mcast} = {head_i.bth, head_i.cnp, head_i.ack, head_i.mcast};
  wire unused_head = &{1'b0, head_i};

  // The random bits of the next packet: 26 steps, so that no bit is used twice.
  logic [15:0] stepped;

  lfsr_steps #(.STEPS(26)) u_steps (.x_i(lfsr_o), .x_o(stepped));

  // ---- marking
  logic        eligible, count_hit, random_hit, fraction_hit;
  logic [15:0] mc;  // mark counter of the packet's VL
  logic [32:0] product;

  always_comb begin
    mc = '0;
    for (int v = 0; v < VLS; v++) if (vl_i[v]) mc = mc | mark_count_o[16*v+:16];
    eligible = first_i && mark_en_i && (vl_i & cong_state_i) != '0 && bth && !cnp && !ack && !mcast
        && head_i.n >= packet_size_i;
    product = (33'(lfsr_o) - 33'd1) * (33'(rate_i) + 33'd1);
    count_hit = mc >= rate_i;
    random_hit = product < 33'd65536;
    fraction_hit = {1'b0, lfsr_o[7:0]} < fraction_i;
    case (mode_i)
      2'd1: mark_o = eligible && random_hit;
      2'd2: mark_o = eligible && fraction_hit;
      default: mark_o = eligible && count_hit;
    endcase
  end

  logic [VLS-1:0] vl_err;  // of parity

  for (genvar v = 0; v < VLS; v++) begin : g_vl
    logic [15:0] mc_q, mc_d;
    always_comb begin
      mc_d = mc_q;
      if (rst_i) mc_d = '0;
      else if (eligible && vl_i[v] && mode_i != 2'd1 && mode_i != 2'd2)
        mc_d = count_hit ? '0 : mc_q + 1'b1;
    end

    always_ff @(posedge clk_i) mc_q <= mc_d;

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i,
        .next_i(^mc_d),
        .now_i(^mc_q),
        .err_o(vl_err[v])
    );
    assign mark_count_o[16*v+:16] = mc_q;
  end

  logic [15:0] lfsr_d;

  always_comb begin
    lfsr_d = lfsr_o;
    if (rst_i) lfsr_d = 16'hACE1;
    else if (seed_we_i) lfsr_d = seed_i;
    else if (eligible) lfsr_d = stepped;
  end

  always_ff @(posedge clk_i) lfsr_o <= lfsr_d;

  logic own_err;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^lfsr_d),
      .now_i(^lfsr_o),
      .err_o(own_err)
  );

  assign parity_err_o = own_err || vl_err != '0;
endmodule

`default_nettype wire
