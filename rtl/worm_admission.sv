// Admission of the wormhole router: of the inputs whose control lane has a probe or a release in front one is decided in a cycle, in
// turns: a probe for a real-time lane that fits in the limit of its link is booked and goes on, or is answered where the link leads to its destination; one
// that does not fit is answered; a release goes as far as its stream is booked (to a router that has refused it should not come). The ways of answers. Rules YA2, YA3, YA5.
`default_nettype none

module worm_admission #(
    parameter int PORTS = 5,
    parameter int VLS = 16,
    parameter int LFT_DEPTH = 1024,
    localparam int OW = $clog2(PORTS)
) (
    input  wire logic                clk_i,
    input  wire logic                rst_i,
    output logic                     ready_o,
    input  wire logic                lft_we_i,
    input  wire logic [15:0]         lft_addr_i,
    input  wire logic [7:0]          lft_port_i,
    input  wire logic [15:0]         own_i,       // number of this router
    input  wire logic [VLS-1:0]      rt_i,        // real-time lanes
    // by input: candidates
    input  wire logic [PORTS-1:0]    probe_i,
    input  wire logic [PORTS-1:0]    release_i,
    input  wire logic [16*PORTS-1:0] bw_i,
    input  wire logic [4*PORTS-1:0]  vl_i,
    input  wire logic [16*PORTS-1:0] node_i,
    input  wire logic [16*PORTS-1:0] slid_i,
    input  wire logic [OW*PORTS-1:0] out_i,
    input  wire logic [PORTS-1:0]    none_i,      // no route
    output logic [PORTS-1:0]         passes_o,    // decided: it goes on,
    output logic [PORTS-1:0]         consumed_o,  // or is consumed;
    output logic [PORTS-1:0]         booked_o,    // a probe that fits,
    output logic [PORTS-1:0]         refused_o,   // or not
    output logic [PORTS-1:0]         astray_o,    // a release of a probe that was refused here
    output logic [7:0]               way_o,       // route of the answer to the one that was decided in the cycle before
    // by output
    input  wire logic [PORTS-1:0]    link_up_i,
    input  wire logic [13*PORTS-1:0] limit_i,
    input  wire logic [PORTS-1:0]    host_i,
    input  wire logic [16*PORTS-1:0] next_i,
    input  wire logic [13*PORTS-1:0] used_i,
    // what it does to the sums
    output logic                     add_o,
    output logic                     take_o,
    output logic [PORTS-1:0]         in_o,        // one-hot, as are
    output logic [PORTS-1:0]         out_o,
    output logic [VLS-1:0]           lane_o,      // (or 0)
    output logic [15:0]              bw_o,
    output logic [OW-1:0]            ptr_o
);
  localparam logic [12:0] WHOLE = 13'd4096;  // of a link

  logic          any, probe, none, host, fits, here;
  logic [OW-1:0] who;
  logic [3:0]    vl;
  logic [15:0]   node, slid, next;
  logic [OW-1:0] out;
  logic [12:0]   limit, used;
  logic          up, astray;

  rr_arbiter #(.N(PORTS)) u_turn (
      .req_i(probe_i | release_i),
      .ptr_i(ptr_o),
      .gnt_o(in_o),
      .idx_o(who),
      .any_o(any)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) ptr_o <= '0;
    else if (any) ptr_o <= (who == OW'(PORTS - 1)) ? '0 : who + 1'b1;
  end

  always_comb begin
    bw_o = '0;
    vl = '0;
    node = '0;
    slid = '0;
    out = '0;
    for (int i = 0; i < PORTS; i++) begin
      if (in_o[i]) begin
        bw_o = bw_o | bw_i[16*i+:16];
        vl = vl | vl_i[4*i+:4];
        node = node | node_i[16*i+:16];
        slid = slid | slid_i[16*i+:16];
        out = out | out_i[OW*i+:OW];
      end
    end
    limit = '0;
    used = '0;
    next = '0;
    for (int o = 0; o < PORTS; o++) begin
      out_o[o] = out == OW'(o);
      if (out_o[o]) begin
        limit = limit | ((limit_i[13*o+:13] > WHOLE) ? WHOLE : limit_i[13*o+:13]);
        used = used | used_i[13*o+:13];
        next = next | next_i[16*o+:16];
      end
    end
    for (int v = 0; v < VLS; v++) lane_o[v] = vl == 4'(v);
  end

  assign probe = (in_o & probe_i) != '0;
  assign none = (in_o & none_i) != '0;
  assign host = (out_o & host_i) != '0;
  assign up = (out_o & link_up_i) != '0;
  assign astray = any && !probe && node == own_i;
  assign fits = !none && up && (lane_o & rt_i) != '0 && 17'(used) + 17'(bw_o) <= 17'(limit);
  assign here = probe ? (!fits || host) : (host || next == node || astray);  // its way ends here

  assign add_o = probe && fits;
  assign take_o = any && !probe && !astray;
  assign passes_o = here ? '0 : in_o;
  assign consumed_o = here ? in_o : '0;
  assign booked_o = fits ? in_o & probe_i : '0;
  assign refused_o = fits ? '0 : in_o & probe_i;
  assign astray_o = astray ? in_o : '0;

  // ---- the way of an answer
  logic [7:0] back;
  logic       table_err;

  route_table #(.DEPTH(LFT_DEPTH)) u_table (
      .clk_i, .rst_i,
      .ready_o,
      .we_i(lft_we_i),
      .addr_i(lft_addr_i),
      .port_i(lft_port_i),
      .dlid_i(slid),
      .slid_i(16'd0),
      .route_o(way_o),
      .back_o(back),
      .used_i(1'b0),
      .parity_err_o(table_err)
  );

  wire unused = &{1'b0, back, table_err};
endmodule

`default_nettype wire
