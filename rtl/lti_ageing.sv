// Walks over the last times of injection, an entity in two cycles (A0 read, A1 check), and forgets those so old that
// their comparison with the time would wrap. A step beside a write of a packet sent is made again, so that no entity is
// passed over. Rule H5; docs/hca-throttle.md section 5.
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
    input  wire logic            put_i,      // the LTI memory is written for a packet sent
    output logic      [EW-1:0]   ent_o,      // entity of the step: read in A0
    output logic                 used_o,     // what was read matters
    input  wire logic            lv_i,       // data read, in A1
    input  wire logic [TS_W-1:0] lti_i,
    output logic                 forget_o,   // Mealy: clear the entity
    output logic                 parity_err_o
);
  localparam logic [TS_W-1:0] AGE_MAX = TS_W'(1) << (TS_W - 2);

  logic            a1_q, a1_d;    // the step is in A1
  logic            put_q, put_d;  // there was a write in its A0
  logic [EW-1:0]   ent_d;
  logic [TS_W-1:0] elapsed;

  assign used_o = a1_q && !put_q && !put_i;
  assign elapsed = now_i - lti_i;
  assign forget_o = used_o && lv_i && !elapsed[TS_W-1] && elapsed > AGE_MAX;

  always_comb begin
    a1_d = ready_i && !a1_q;
    put_d = put_i;
    ent_d = ent_o;
    if (rst_i) {a1_d, put_d, ent_d} = '0;
    else if (used_o) ent_d = (ent_o == EW'(NE - 1)) ? '0 : ent_o + 1'b1;
  end

  always_ff @(posedge clk_i) begin
    a1_q <= a1_d;
    put_q <= put_d;
    ent_o <= ent_d;
  end

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{a1_d, put_d, ent_d}),
      .now_i(^{a1_q, put_q, ent_o}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
