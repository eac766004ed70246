// Table of useful outputs: a mask of the router's outputs for each destination, and for each lane of the adapter that of the header in
// front of it, looked up one lane a cycle. After reset every entry is swept to 0; ready_o is low for exactly those LFT_DEPTH cycles.
// docs/injection-control.md, section 1. Rules YL1, R1.
`default_nettype none

module useful_outputs #(
    parameter int PORTS = 5,
    parameter int VLS = 16,
    parameter int LFT_DEPTH = 1024
) (
    input  wire logic              clk_i,
    input  wire logic              rst_i,
    output logic                   ready_o,
    input  wire logic              we_i,
    input  wire logic [15:0]       addr_i,
    input  wire logic [PORTS-1:0]  mask_i,
    input  wire logic [VLS-1:0]    front_i,   // a header is in front of the lane,
    input  wire logic [16*VLS-1:0] dlid_i,    // to this destination
    output logic [VLS-1:0]         have_o,    // known, for
    output logic [16*VLS-1:0]      dlid_o,    // this destination
    output logic [PORTS*VLS-1:0]   way_o,
    output logic [3:0]             ask_o,     // whose look-up is next
    output logic                   look_o,    // one is under way,
    output logic [3:0]             look_vl_o  // for this lane
);
  localparam int AW = $clog2(LFT_DEPTH);
  localparam int VW = $clog2(VLS);

  // ---- sweep
  logic [AW-1:0] sweep_q;
  logic          write, we, parity_err;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      sweep_q <= '0;
      ready_o <= 1'b0;
    end else if (!ready_o) begin
      sweep_q <= sweep_q + 1'b1;
      ready_o <= sweep_q == AW'(LFT_DEPTH - 1);
    end
  end

  assign write = ready_o && we_i && {1'b0, addr_i} < 17'(LFT_DEPTH);
  assign we = !ready_o || write;

  // ---- whose look-up begins
  logic [VLS-1:0]   known, asks, gnt;
  logic [VW-1:0]    ask_q, look_vl_q, idx;
  logic             look_q, inside_q, any;
  logic [15:0]      wanted, wanted_q;
  logic [PORTS-1:0] answer, entry;

  rr_arbiter #(.N(VLS)) u_ask (.req_i(asks), .ptr_i(ask_q), .gnt_o(gnt), .idx_o(idx), .any_o(any));

  always_comb begin
    wanted = '0;
    for (int v = 0; v < VLS; v++) if (gnt[v]) wanted = wanted | dlid_i[16*v+:16];
  end

  ram_sync #(.DEPTH(LFT_DEPTH), .WIDTH(PORTS)) u_table (
      .clk_i,
      .we_i(we),
      .waddr_i(ready_o ? addr_i[AW-1:0] : sweep_q),
      .wdata_i(ready_o ? mask_i : '0),
      .re_i(any),
      .raddr_i(wanted[AW-1:0]),
      .rdata_o(entry),
      .used_i(1'b0),
      .parity_err_o(parity_err)
  );

  assign answer = inside_q ? entry : '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      ask_q <= '0;
      look_q <= 1'b0;
      look_vl_q <= '0;
    end else if (ready_o) begin
      look_q <= any && !write;
      look_vl_q <= write ? '0 : idx;
      if (any && !write) ask_q <= (idx == VW'(VLS - 1)) ? '0 : idx + 1'b1;
    end
    wanted_q <= wanted;
    inside_q <= {1'b0, wanted} < 17'(LFT_DEPTH);
  end

  // ---- what lanes know
  for (genvar v = 0; v < VLS; v++) begin : g_lane
    logic [15:0] dlid_q;
    logic        meant, mine;

    assign meant = look_q && look_vl_q == VW'(v);
    assign mine = meant && front_i[v] && dlid_i[16*v+:16] == wanted_q;
    assign known[v] = have_o[v] && dlid_q == dlid_i[16*v+:16];
    assign asks[v] = front_i[v] && !known[v] && !meant;

    always_ff @(posedge clk_i) begin
      if (rst_i || write || (ready_o && !mine && !(front_i[v] && known[v]))) begin
        have_o[v] <= 1'b0;
        dlid_q <= '0;
        way_o[PORTS*v+:PORTS] <= '0;
      end else if (mine) begin
        have_o[v] <= 1'b1;
        dlid_q <= wanted_q;
        way_o[PORTS*v+:PORTS] <= answer;
      end
    end

    assign dlid_o[16*v+:16] = dlid_q;
  end

  assign ask_o = 4'(ask_q);
  assign look_o = look_q;
  assign look_vl_o = 4'(look_vl_q);

  wire unused = &{1'b0, parity_err, wanted};
endmodule

`default_nettype wire
