// Oldest first, told by requests, credits and grants: nobody older is passed, and of those as old as ages go each has its turn. Instantiated by
// switch_output_port under QUELL_CHECK. Rule AG1.
`default_nettype none

module oldest_checker #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int STAMP_W = 0,
    localparam int N = PORTS * VLS,
    localparam int AGE_W = (STAMP_W > 0) ? STAMP_W : 1
) (
    input wire logic               clk_i,
    input wire logic               rst_i,
    input wire logic               sched_i,
    input wire logic               plain_i,   // CNPs are as data
    input wire logic [N-1:0]       req_valid_i,
    input wire logic [N-1:0]       req_cnp_i,
    input wire logic [N*AGE_W-1:0] req_age_i,
    input wire logic [12*VLS-1:0]  fccl_i,
    input wire logic [12*VLS-1:0]  txr_i,
    input wire logic [8*VLS-1:0]   passed_i,
    input wire logic [N-1:0]       grant_i
);
  if (STAMP_W > 0) begin : g_on
    localparam logic [AGE_W-1:0] MOST = {1'b1, {AGE_W-1{1'b0}}};

    logic [N-1:0]     data, fits;  // requests that ages are for; and have credit
    logic [VLS-1:0]   urgent;      // VLs that go first, for they let 32 CNPs pass
    logic             granted, rushes, passes;
    logic [AGE_W-1:0] age;
    logic [N-1:0]     late;
    logic             past_ok_q;

    assign data = plain_i ? req_valid_i : req_valid_i & ~req_cnp_i;

    always_comb begin
      urgent = '0;
      for (int v = 0; v < VLS; v++) urgent[v] = !plain_i && passed_i[8*v +: 8] == 8'd32;
      granted = 1'b0;
      rushes = 1'b0;
      age = '0;
      for (int r = 0; r < N; r++) begin
        fits[r] = data[r] && 12'(fccl_i[12*(r%VLS) +: 12] - txr_i[12*(r%VLS) +: 12] - 12'(MTU)) <= 12'd2048;
        if (grant_i[r] && data[r]) begin
          granted = 1'b1;
          rushes = urgent[r%VLS];
          age = req_age_i[r*AGE_W +: AGE_W];
        end
      end
      passes = 1'b0;
      for (int r = 0; r < N; r++)
        if (granted && fits[r] && (!rushes || urgent[r%VLS]) && req_age_i[r*AGE_W +: AGE_W] > age) passes = 1'b1;
    end

    for (genvar r = 0; r < N; r++) begin : g_wait
      logic [6:0] others_q;
      logic       other;
      always_comb begin
        other = 1'b0;
        for (int i = 0; i < PORTS; i++)
          // no input shows more than MOST
          if (grant_i[i*VLS+r%VLS] && data[i*VLS+r%VLS] && i != r / VLS && req_age_i[(i*VLS+r%VLS)*AGE_W +: AGE_W] <= MOST) other = 1'b1;
      end
      assign late[r] = others_q > 7'(PORTS - 1);
      always_ff @(posedge clk_i) begin
        if (rst_i || !sched_i || !data[r] || grant_i[r] || req_age_i[r*AGE_W +: AGE_W] != MOST) others_q <= '0;
        else if (other && !late[r]) others_q <= others_q + 1'b1;
      end
    end

    always_ff @(posedge clk_i) begin
      past_ok_q <= !rst_i;
      if (!rst_i && past_ok_q) begin
        ag1_oldest_goes: assert (!sched_i || !passes);
        ag1_bounded_wait: assert (late == '0);
        ag1_c_younger_waits: cover (sched_i && granted && fits != grant_i);
      end
    end
  end else begin : g_off
    wire unused = &{1'b0, clk_i, rst_i, sched_i, plain_i, req_valid_i, req_cnp_i, req_age_i, fccl_i, txr_i, passed_i, grant_i};
  end
endmodule

`default_nettype wire
