// Linear forwarding table: destination to output port, one look-up a cycle; with BACK = 1 a second one, of the way back to
// the source. After reset every entry is swept to 0xFF (no route); ready_o is low for exactly those DEPTH cycles. Rules R1, Q5.
`default_nettype none

module route_table #(
    parameter int DEPTH = 1024,
    parameter int BACK = 0,
    parameter int PARITY = 0
) (
    input  wire logic        clk_i,
    input  wire logic        rst_i,
    output logic             ready_o,
    input  wire logic        we_i,
    input  wire logic [15:0] addr_i,
    input  wire logic [7:0]  port_i,
    input  wire logic [15:0] dlid_i,
    input  wire logic [15:0] slid_i,
    output logic [7:0]       route_o,  // of dlid_i one cycle ago
    output logic [7:0]       back_o,   // of slid_i one cycle ago; no route with BACK = 0
    input  wire logic        used_i,  // route_o matters
    output logic             parity_err_o
);
  localparam int AW = $clog2(DEPTH);
  localparam logic [7:0] NO_ROUTE = 8'hFF;

  logic [AW-1:0] sweep_q, sweep_d;
  logic          ready_q, ready_d;
  logic          known_q, known_d;  // the look-up was inside the table
  logic          we;
  logic [AW-1:0] waddr;
  logic [7:0]    wdata;
  logic          own_err, table_err, back_err;

  // by look-up: the destination, with BACK the source, too
  localparam int READS = (BACK != 0) ? 2 : 1;
  logic [READS*AW-1:0] raddr;
  logic [READS*8-1:0]  rdata;
  logic [READS-1:0]    known;

  assign we = !ready_q || (we_i && {1'b0, addr_i} < 17'(DEPTH));
  assign waddr = ready_q ? addr_i[AW-1:0] : sweep_q;
  assign wdata = ready_q ? port_i : NO_ROUTE;

  always_comb begin
    sweep_d = sweep_q;
    ready_d = ready_q;
    known_d = {1'b0, dlid_i} < 17'(DEPTH);
    if (rst_i) begin
      sweep_d = '0;
      ready_d = 1'b0;
    end else if (!ready_q) begin
      sweep_d = sweep_q + 1'b1;
      ready_d = sweep_q == AW'(DEPTH - 1);
    end
  end

  always_ff @(posedge clk_i) begin
    known_q <= known_d;
    sweep_q <= sweep_d;
    ready_q <= ready_d;
  end

  ram_sync #(
      .DEPTH(DEPTH),
      .WIDTH(8),
      .READS(READS),
      .PARITY(PARITY)
  ) u_table (
      .clk_i,
      .we_i   (we),
      .waddr_i(waddr),
      .wdata_i(wdata),
      .re_i   ({READS{1'b1}}),
      .raddr_i(raddr),
      .rdata_o(rdata),
      .used_i ({READS{used_i}} & known),
      .parity_err_o(table_err)
  );

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{known_d, sweep_d, ready_d}),
      .now_i(^{known_q, sweep_q, ready_q}),
      .err_o(own_err)
  );

  assign parity_err_o = own_err || table_err || back_err;
  assign ready_o = ready_q;
  assign route_o = known_q ? rdata[7:0] : NO_ROUTE;

  if (BACK != 0) begin : g_back
    logic back_q, back_d;

    assign back_d = {1'b0, slid_i} < 17'(DEPTH);

    always_ff @(posedge clk_i) back_q <= back_d;

    assign raddr = {slid_i[AW-1:0], dlid_i[AW-1:0]};
    assign known = {back_q, known_q};
    assign back_o = back_q ? rdata[READS*8-1 -: 8] : NO_ROUTE;

    parity_group #(.PARITY(PARITY)) u_parity_back (
        .clk_i,
        .next_i(back_d),
        .now_i(back_q),
        .err_o(back_err)
    );
  end else begin : g_back
    wire unused = &{1'b0, slid_i};
    assign raddr = dlid_i[AW-1:0];
    assign known = known_q;
    assign back_o = NO_ROUTE;
    assign back_err = 1'b0;
  end

`ifdef QUELL_CHECK
  route_table_checker #(
      .DEPTH(DEPTH)
  ) u_checker (
      .clk_i, .rst_i,
      .ready_i(ready_q),
      .we_i, .addr_i, .port_i, .dlid_i,
      .route_i(route_o)
  );
`endif
endmodule

`default_nettype wire
