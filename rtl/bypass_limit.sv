// How many packets of a lane may pass its oldest one: names the queue with the oldest head of each VL, holds on to it until
// that packet leaves, and shows no other request of the lane once enough have passed. Of heads as old as each other the one
// behind the last that was it comes first. Rule AG2; docs/input-port.md section 15.
`default_nettype none

module bypass_limit #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int STAMP_W = 24,
    parameter int PARITY = 0,
    localparam int PV = PORTS * VLS
) (
    input  wire logic                  clk_i,
    input  wire logic                  rst_i,
    input  wire logic [3:0]            limit_i,     // 0: none
    // heads of the queues, by output and VL
    input  wire logic [PV-1:0]         head_any_i,
    input  wire logic [PV*STAMP_W-1:0] age_i,
    input  wire logic [PV-1:0]         served_i,    // the head leaves
    output logic      [PV-1:0]         show_o,      // its request may be shown
    // state
    output logic      [VLS-1:0]        st_pinned_o,
    output logic      [VLS*8-1:0]      st_pin_o,
    output logic      [VLS*4-1:0]      st_bypass_o,
    output logic                       parity_err_o
);
  localparam int OW = (PORTS > 1) ? $clog2(PORTS) : 1;
  localparam int NW = $clog2(PORTS + 1);
  localparam int SW = ((NW > 4) ? NW : 4) + 1;  // packets that have passed and pass now
  localparam logic [3:0] BYPASS_MAX = 4'd15;

  logic [VLS-1:0] vl_err;  // of parity

  for (genvar v = 0; v < VLS; v++) begin : g_vl
    logic [PORTS-1:0]         any, served, pool, first, oldest, pin;  // by output; pin: one-hot
    logic [PORTS*STAMP_W-1:0] age;
    logic                     pinned_q, pinned_d;
    logic [OW-1:0]            pin_q, pin_d, next_pin, first_idx;
    logic [3:0]               bypass_q, bypass_d;
    logic                     first_any, exists, spent;
    logic [SW-1:0]            passed;

    for (genvar o = 0; o < PORTS; o++) begin : g_out
      assign any[o] = head_any_i[o*VLS+v];
      assign served[o] = served_i[o*VLS+v];
      assign age[o*STAMP_W +: STAMP_W] = age_i[(o*VLS+v)*STAMP_W +: STAMP_W];
      assign pin[o] = pin_q == OW'(o);
      assign show_o[o*VLS+v] = !spent || pin[o];
    end

    // Whoever may pass it no more is pinned.
    assign spent = limit_i != '0 && bypass_q >= limit_i;

    oldest_first #(.N(PORTS), .W(STAMP_W)) u_oldest (
        .pool_i(any), .age_i(age), .oldest_o(pool)
    );

    assign next_pin = (pin_q == OW'(PORTS - 1)) ? '0 : pin_q + 1'b1;

    rr_arbiter #(.N(PORTS)) u_first (
        .req_i(pool), .ptr_i(next_pin), .gnt_o(first), .idx_o(first_idx), .any_o(first_any)
    );

    assign oldest = pinned_q ? pin : first;
    assign exists = pinned_q || first_any;

    always_comb begin
      passed = SW'(bypass_q);
      for (int o = 0; o < PORTS; o++) passed = passed + SW'(served[o]);
      pinned_d = 1'b0;
      pin_d = pin_q;
      bypass_d = '0;
      if (limit_i != '0 && exists) begin
        pin_d = pinned_q ? pin_q : first_idx;
        if ((oldest & served) == '0) begin
          pinned_d = 1'b1;
          bypass_d = (passed > SW'(BYPASS_MAX)) ? BYPASS_MAX : passed[3:0];
        end
      end
      if (rst_i) begin
        pinned_d = 1'b0;
        pin_d = '0;
        bypass_d = '0;
      end
    end

    always_ff @(posedge clk_i) begin
      pinned_q <= pinned_d;
      pin_q <= pin_d;
      bypass_q <= bypass_d;
    end

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i,
        .next_i(^{pinned_d, pin_d, bypass_d}),
        .now_i(^{pinned_q, pin_q, bypass_q}),
        .err_o(vl_err[v])
    );

    assign st_pinned_o[v] = pinned_q;
    assign st_pin_o[v*8 +: 8] = 8'(pin_q);
    assign st_bypass_o[v*4 +: 4] = bypass_q;
  end

  assign parity_err_o = vl_err != '0;
endmodule

`default_nettype wire
