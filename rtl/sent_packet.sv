// The packet accepted last, until its last flit has left: then its entity's last time of injection is written, which
// is not before a link at LINK_INTERVAL could have sent it. Rules H5, H6; docs/hca-throttle.md section 4.
`default_nettype none

module sent_packet #(
    parameter int NE = 64,
    parameter int TS_W = 24,
    parameter int PARITY = 0,
    localparam int EW = $clog2(NE)
) (
    input  wire logic            clk_i,
    input  wire logic            rst_i,
    input  wire logic [3:0]      interval_i,  // cycles per flit
    input  wire logic [TS_W-1:0] now_i,
    input  wire logic            accept_i,    // a packet is accepted
    input  wire logic [EW-1:0]   ent_i,       // of this entity
    input  wire logic [6:0]      len_i,       // not 0
    input  wire logic            sent_i,      // the last flit of the packet kept here
    output logic                 valid_o,
    output logic      [EW-1:0]   ent_o,       // 0 without a packet, like the length
    output logic      [6:0]      len_o,
    output logic                 put_o,       // Mealy: write {1, lti_o, len_o} for ent_o
    output logic      [TS_W-1:0] lti_o,
    output logic                 parity_err_o
);
  localparam logic [TS_W-1:0] SPAN_MAX = TS_W'(1) << (TS_W - 2);

  logic            valid_d;
  logic [EW-1:0]   ent_d;
  logic [6:0]      len_d;
  logic [TS_W-1:0] left_q, left_d, span_cut;  // cycles until the link could have sent it
  logic [10:0]     span;

  assign put_o = valid_o && (sent_i || accept_i);
  assign lti_o = now_i + left_q;
  assign span = 11'(len_i) * 11'(interval_i);
  assign span_cut = (32'(span) > 32'(SPAN_MAX)) ? SPAN_MAX : TS_W'(span);

  always_comb begin
    valid_d = valid_o;
    ent_d = ent_o;
    len_d = len_o;
    left_d = (left_q == '0) ? '0 : left_q - 1'b1;
    if (!rst_i && accept_i) begin
      valid_d = 1'b1;
      ent_d = ent_i;
      len_d = len_i;
      left_d = span_cut - 1'b1;
    end else if (rst_i || put_o) begin
      valid_d = 1'b0;
      ent_d = '0;
      len_d = '0;
      left_d = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    valid_o <= valid_d;
    ent_o <= ent_d;
    len_o <= len_d;
    left_q <= left_d;
  end

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{valid_d, ent_d, len_d, left_d}),
      .now_i(^{valid_o, ent_o, len_o, left_q}),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
