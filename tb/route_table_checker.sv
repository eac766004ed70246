// The forwarding table gives what was written last. Instantiated by route_table under QUELL_CHECK. One
// entry is followed: any (formal tools choose it), or that of the first write (simulation).
`default_nettype none

module route_table_checker #(
    parameter int DEPTH = 1024
) (
    input wire logic          clk_i,
    input wire logic          rst_i,
    input wire logic          ready_i,
    input wire logic          we_i,
    input wire logic [15:0]   addr_i,
    input wire logic [7:0]    port_i,
    input wire logic [15:0]   dlid_i,
    input wire logic [7:0]    route_i
);
  logic        past_ok_q, ready_q, followed_q, outside_q, looked_q;
  logic [15:0] entry;
  logic [7:0]  port_q, expect_q;
  logic [16:0] swept_q;

`ifdef FORMAL
  logic [15:0] entry_q;
  (* anyconst *) logic [15:0] choice;
  always_ff @(posedge clk_i) if (rst_i) entry_q <= choice;
  assign entry = entry_q;
  assign followed_q = 1'b1;
`else
  logic [15:0] entry_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) followed_q <= 1'b0;
    else if (ready_i && we_i && !followed_q) followed_q <= 1'b1;
    if (!followed_q) entry_q <= addr_i;
  end
  assign entry = followed_q ? entry_q : addr_i;
`endif

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    ready_q <= ready_i;
    outside_q <= 17'(dlid_i) >= 17'(DEPTH);
    looked_q <= dlid_i == entry && followed_q;
    expect_q <= port_q;
    if (rst_i) swept_q <= '0;
    else if (!ready_i) swept_q <= swept_q + 1'b1;
    if (rst_i) port_q <= 8'hFF;
    else if (ready_i && we_i && addr_i == entry && 17'(addr_i) < 17'(DEPTH)) port_q <= port_i;
  end

  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      r1_last_written: assert (!ready_q || !looked_q || route_i == expect_q);
      r1_none_outside: assert (!outside_q || route_i == 8'hFF);
      r1_ready_after_sweep: assert (ready_i == (swept_q == 17'(DEPTH)));
      r1_c_rewritten: cover (ready_q && looked_q && expect_q == 8'd1 && port_q == 8'd0);
    end
  end

`ifdef FORMAL
  // lemmas: the sweep clears what it has passed, and the entry followed holds what is expected of it
  (* view = "u_table.all" *) logic [DEPTH*8-1:0] entries;
  (* view = "sweep_q" *) logic [$clog2(DEPTH)-1:0] sweep;
  logic [7:0] held;
  always_comb begin
    held = 8'hFF;
    for (int i = 0; i < DEPTH; i++)
      if (entry == 16'(i) && (ready_i || 32'(sweep) > i)) held = entries[i*8 +: 8];
  end
  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      r1_l_sweep: assert (ready_i || swept_q == 17'(sweep));
      r1_l_held: assert (held == port_q);
      r1_l_unwritten: assert (17'(entry) < 17'(DEPTH) || port_q == 8'hFF);
      r1_l_expect: assert (!ready_q || ready_i);
    end
  end
`endif
endmodule

`default_nettype wire
