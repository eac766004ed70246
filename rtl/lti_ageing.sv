// Walks over the last times of injection, one entity a cycle (A0 read, A1 check), and forgets those
// so old that their comparison with the time would wrap. Rule H5.
`default_nettype none

module lti_ageing #(
    parameter int NE = 64,
    parameter int TS_W = 24,
    parameter int PARITY = 0,
    localparam int EW = $clog2(NE)
) (
    input  wire logic            clk_i,
    input  wire logic            rst_i,
    input  wire logic            ready_i,
    input  wire logic [TS_W-1:0] now_i,
    input  wire logic            accept_i,   // the LTI memory is written by an injection
    output logic [EW-1:0]        raddr_o,
    output logic                 used_o,     // what was read matters
    input  wire logic            lv_i,       // data read, in A1
    input  wire logic [TS_W-1:0] lti_i,
    output logic                 forget_o,   // Mealy: clear the entity
    output logic [EW-1:0]        forget_ent_o,
    output logic                 parity_err_o
);
  localparam logic [TS_W-1:0] AGE_MAX = TS_W'(1) << (TS_W - 2);

  logic            a1_q, a1_d;  // A1 may act: no injection was accepted in its A0
  logic [EW-1:0]   ag_q, ag_d, a1_e_q, a1_e_d;
  logic [TS_W-1:0] elapsed;

  assign raddr_o = ag_q;
  assign used_o = a1_q;
  assign elapsed = now_i - lti_i;
  assign forget_o = a1_q && lv_i && !elapsed[TS_W-1] && elapsed > AGE_MAX;
  assign forget_ent_o = a1_e_q;

  always_comb begin
    ag_d = ag_q;
    a1_d = ready_i && !accept_i && !rst_i;
    a1_e_d = ag_q;
    if (rst_i) ag_d = '0;
    else if (ready_i) ag_d = (ag_q == EW'(NE - 1)) ? '0 : ag_q + 1'b1;
  end

  always_ff @(posedge clk_i) begin
    a1_q <= a1_d;
    a1_e_q <= a1_e_d;
    ag_q <= ag_d;
  end

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i(clk_i),
      .next_i(^{a1_d, a1_e_d, ag_d}),
      .now_i(^{a1_q, a1_e_q, ag_q}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
