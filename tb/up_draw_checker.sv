// Where packets go whose route is any up port, by the pins and by a forwarding table of its own: to an output that leads up and to no other,
// evenly, and now here, now there. The bounds hold for every mask and from every state of 16 random bits but 0: one of m outputs is drawn
// in each 16 * m draws, and 28 to 100 times in 64 * m; no more than 16 draws in a row are the same; of few outputs each comes after
// each. Draws under one mask are counted. Instantiated by switch_input_port with RANDOM_UP = 1; for simulation. Rule UP1.
`default_nettype none

module up_draw_checker #(
    parameter int PORTS = 4,
    parameter int VLS = 1,
    parameter int LFT_DEPTH = 16,
    parameter int FLIT_W = 512,
    parameter int SRP = 0,
    localparam int OW = (PORTS > 1) ? $clog2(PORTS) : 1,
    localparam int VW = (VLS > 1) ? $clog2(VLS) : 1
) (
    input wire logic              clk_i,
    input wire logic              rst_i,
    input wire logic              run_i,
    input wire logic              link_up_i,
    input wire logic              rx_valid_i,
    input wire logic              rx_first_i,
    input wire logic [FLIT_W-1:0] rx_data_i,
    input wire logic              cfg_we_i,
    input wire logic [7:0]        cfg_addr_i,
    input wire logic [31:0]       cfg_data_i,
    input wire logic              lft_we_i,
    input wire logic [15:0]       lft_addr_i,
    input wire logic [7:0]        lft_port_i,
    // a cycle later
    input wire logic [7:0]        route_i,
    input wire logic [7:0]        back_i,
    input wire logic              accept_i,
    input wire logic [OW-1:0]     accept_out_i,
    input wire logic [OW-1:0]     accept_back_i,
    input wire logic [VW-1:0]     accept_vl_i,
    input wire logic              told_i         // NO_ROUTE
);
  localparam int AW = $clog2(LFT_DEPTH);
  localparam int FEW = 4;  // outputs of which pairs are followed

  function automatic logic [15:0] number(input logic [15:0] bytes);
    number = {bytes[7:0], bytes[15:8]};
  endfunction

  // ---- the table, and what it says of the flit that is judged
  logic [7:0]    table_mem[0:LFT_DEPTH-1];
  logic [AW-1:0] swept_q;
  logic [15:0]   dlid, slid;
  logic [7:0]    entry_q, back_q;
  logic          first_q, live_q;
  logic          up, back_up, draw;

  assign dlid = number(rx_data_i[31:16]);
  assign slid = number(rx_data_i[63:48]);

  always_ff @(posedge clk_i) begin
    live_q <= !rst_i;
    swept_q <= (rst_i || run_i) ? '0 : swept_q + 1'b1;
    if (!run_i) table_mem[swept_q] <= 8'hFF;
    else if (lft_we_i && 17'(lft_addr_i) < 17'(LFT_DEPTH)) table_mem[lft_addr_i[AW-1:0]] <= lft_port_i;
    first_q <= !rst_i && run_i && link_up_i && rx_valid_i && rx_first_i;
    entry_q <= (17'(dlid) < 17'(LFT_DEPTH)) ? table_mem[dlid[AW-1:0]] : 8'hFF;
    back_q <= (17'(slid) < 17'(LFT_DEPTH)) ? table_mem[slid[AW-1:0]] : 8'hFF;
  end
  assign up = first_q && entry_q == 8'hFE;
  assign back_up = SRP != 0 && first_q && back_q == 8'hFE;
  assign draw = up || back_up;

  // ---- outputs that lead up, and which was drawn
  logic [PORTS-1:0] on_q, drawn;
  logic [6:0]       many;
  logic             goes_up, comes_back, back_used;

  always_ff @(posedge clk_i) begin
    if (rst_i) on_q <= '0;
    else if (run_i && cfg_we_i && cfg_addr_i == 8'd22) on_q <= cfg_data_i[PORTS-1:0];
  end
  assign many = 7'($countones(on_q));

  always_comb begin
    drawn = '0;
    for (int o = 0; o < PORTS; o++) drawn[o] = (up ? route_i : back_i) == 8'(o);
    goes_up = 1'b0;
    comes_back = 1'b0;
    for (int o = 0; o < PORTS; o++) begin
      if (on_q[o] && route_i == 8'(o)) goes_up = 1'b1;
      if (on_q[o] && back_i == 8'(o)) comes_back = 1'b1;
    end
  end
  assign back_used = SRP != 0 && accept_i && 32'(accept_vl_i) == VLS - 3;

  // ---- draws since the settings were written: of each output how long ago, how many in this window, how many of one in a row
  logic                   written;
  logic [PORTS*16-1:0]    ago_q, count_q;
  logic [15:0]            window_q, size;
  logic [PORTS-1:0]       last_q, late, uneven;
  logic [4:0]             run_q;
  logic                   closes;
  logic [FEW*FEW*16-1:0]  pair_q;
  logic [FEW-1:0]         place, place_q;  // of the outputs that lead up, lowest first
  logic                   missing;

  assign written = run_i && cfg_we_i && (cfg_addr_i == 8'd22 || cfg_addr_i == 8'd23);
  assign size = 16'(many) << 6;
  assign closes = draw && window_q + 16'd1 == size;

  always_comb begin
    for (int o = 0; o < PORTS; o++) begin
      late[o] = on_q[o] && ago_q[o*16 +: 16] > 16'(many) << 4;
      uneven[o] = on_q[o] && closes
          && (count_q[o*16 +: 16] + 16'(drawn[o]) < 16'd28 || count_q[o*16 +: 16] + 16'(drawn[o]) > 16'd100);
    end
    missing = 1'b0;
    for (int i = 0; i < FEW * FEW; i++)
      if (i / FEW < 32'(many) && i % FEW < 32'(many) && 32'(many) <= FEW && pair_q[i*16 +: 16] > 16'(many) * 16'(many) << 4) missing = 1'b1;
  end

  always_comb begin
    int n;
    n = 0;
    place = '0;
    for (int o = 0; o < PORTS; o++) begin
      if (on_q[o] && drawn[o] && n < FEW) place[2'(n)] = 1'b1;
      if (on_q[o]) n = n + 1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || written || many < 7'd2) begin
      ago_q <= '0;
      count_q <= '0;
      window_q <= '0;
      last_q <= '0;
      run_q <= '0;
      pair_q <= '0;
      place_q <= '0;
    end else if (draw) begin
      for (int o = 0; o < PORTS; o++) begin
        ago_q[o*16 +: 16] <= drawn[o] ? '0 : ago_q[o*16 +: 16] + 16'd1;
        count_q[o*16 +: 16] <= closes ? '0 : count_q[o*16 +: 16] + 16'(drawn[o]);
      end
      window_q <= closes ? '0 : window_q + 16'd1;
      last_q <= drawn;
      run_q <= (drawn == last_q) ? run_q + 5'd1 : 5'd1;
      place_q <= place;
      for (int i = 0; i < FEW * FEW; i++)
        pair_q[i*16 +: 16] <= (place_q[i/FEW] && place[i%FEW]) ? '0 : pair_q[i*16 +: 16] + 16'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i && live_q) begin
      up1_leads_up: assert (!up || many == '0 || goes_up);
      up1_back_leads_up: assert (!back_up || many == '0 || comes_back);
      up1_same_way_back: assert (!up || !back_up || route_i == back_i);
      up1_none_leads_up: assert (!up || many != '0 || (told_i && !accept_i));
      up1_none_leads_back: assert (!back_up || many != '0 || !back_used);
      up1_own_route: assert (!first_q || ((up || route_i == entry_q) && (SRP == 0 || back_up || back_i == back_q)));
      up1_goes_there: assert (!accept_i || (8'(accept_out_i) == route_i && (!back_used || 8'(accept_back_i) == back_i)));
      up1_each_is_drawn: assert (late == '0);
      up1_even: assert (uneven == '0);
      up1_not_always_the_same: assert (run_q <= 5'd16);
      up1_each_after_each: assert (!missing);
    end
  end

  wire unused = &{1'b0, rx_data_i, cfg_data_i};
endmodule

`default_nettype wire
