// Congestion state of each VL of an output: how much congestion the inputs contribute (each queue,
// their sum, or the sum per contributor) and the root or victim test: an output is the root of what it
// sends on a VL as long as its data find their credits, or with root_now while there are credits. The state of the cycle
// before is shown, and the one that a packet's own grant leaves. Rules D2, D3, D5, D6; the sum for VM2.
`default_nettype none

module congestion_state #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int CIOQ = 0,
    parameter int PARITY = 0,
    localparam int NW = $clog2(PORTS + 1),  // number of inputs
    localparam int SW = 16 + NW             // sum of fills
) (
    input  wire logic                    clk_i,
    input  wire logic                    rst_i,
    input  wire logic [1:0]              eval_i,
    input  wire logic                    victim_i,
    input  wire logic                    root_now_i,  // the root test is whether there is credit in this cycle
    input  wire logic [VLS-1:0]          credit_i,    // of the link, for a packet of MTU flits
    input  wire logic [15:0]             sum_hth_i,
    input  wire logic [15:0]             sum_lth_i,
    input  wire logic [PORTS*VLS-1:0]    cong_i,
    input  wire logic [16*PORTS*VLS-1:0] fill_i,
    input  wire logic [12*VLS-1:0]       ofill_i,    // CIOQ: room taken in the queue
    input  wire logic [VLS-1:0]          starved_i,  // data could go, but for credits
    input  wire logic [VLS-1:0]          grant_i,    // data go
    output logic [VLS-1:0]               state_o,
    output logic [VLS-1:0]               now_o,       // the state, of the contributions of this cycle
    output logic [8*VLS-1:0]             count_o,
    output logic [VLS-1:0]               waited_o,
    output logic [VLS-1:0]               rooted_o,
    output logic [VLS-1:0]               root_held_o,  // may mark by it, of the cycle before
    output logic [SW*VLS-1:0]            sum_o,        // flits waiting, of all inputs
    output logic                         parity_err_o
);
  localparam int XW = SW + NW;

  wire queue_mode = CIOQ != 0 && eval_i == 2'd3;
  wire sum_mode = eval_i == 2'd1 || eval_i == 2'd2 || queue_mode;

  logic [VLS-1:0] vl_err;  // of parity

  for (genvar v = 0; v < VLS; v++) begin : g_vl
    logic          state_q, state_d, hs_q, hs_d, waited_q, waited_d, rooted_q, rooted_d, root_held_q, root_held_d;
    logic [7:0]    count_q, count_d;
    logic [NW-1:0] holders, contributors;
    logic [SW-1:0] sum;
    logic [XW-1:0] x;

    always_comb begin
      holders = '0;
      contributors = '0;
      sum = '0;
      for (int i = 0; i < PORTS; i++) begin
        holders = holders + NW'(cong_i[i*VLS+v]);
        contributors = contributors + NW'(|fill_i[16*(i*VLS+v)+:16]);
        sum = sum + SW'(fill_i[16*(i*VLS+v)+:16]);
      end
      x = (eval_i == 2'd2) ? XW'(sum) * XW'(contributors) : XW'(sum);
      if (queue_mode) x = XW'(ofill_i[12*v+:12]);
      hs_d = hs_q;
      if (x < XW'(sum_lth_i)) hs_d = 1'b0;
      if (x > XW'(sum_hth_i)) hs_d = 1'b1;
      if (!sum_mode) hs_d = 1'b0;
      count_d = sum_mode ? 8'(hs_d) : 8'(holders);
      root_held_d = victim_i || (root_now_i ? credit_i[v] : rooted_q);
      state_d = count_q != '0 && root_held_d;
      waited_d = (waited_q || starved_i[v]) && !grant_i[v];
      rooted_d = grant_i[v] ? !waited_q : rooted_q;
      if (rst_i) begin
        {hs_d, count_d, state_d, waited_d} = '0;
        {rooted_d, root_held_d} = '1;
      end
    end

    always_ff @(posedge clk_i) begin
      hs_q <= hs_d;
      count_q <= count_d;
      state_q <= state_d;
      waited_q <= waited_d;
      rooted_q <= rooted_d;
      root_held_q <= root_held_d;
    end

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i,
        .next_i(^{hs_d, count_d, state_d, waited_d, rooted_d, root_held_d}),
        .now_i(^{hs_q, count_q, state_q, waited_q, rooted_q, root_held_q}),
        .err_o(vl_err[v])
    );

    assign state_o[v] = state_q;
    assign waited_o[v] = waited_q;
    assign rooted_o[v] = rooted_q;
    assign root_held_o[v] = root_held_q;
    assign now_o[v] = count_q != '0 && root_held_q;
    assign count_o[8*v+:8] = count_q;
    assign sum_o[SW*v+:SW] = sum;
  end

  assign parity_err_o = vl_err != '0;
endmodule

`default_nettype wire
