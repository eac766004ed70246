// The counts of markable packets, told by the links and the crossbar: what came in by headers and routes, less what began to cross, is what
// an output counts. Instantiated at the end of switch; for simulation. Rules SM4, B3.
`default_nettype none

module counts_checker #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int BLOCKS = 2048,
    parameter int LFT_DEPTH = 16,
    parameter int FLIT_W = 512,
    parameter int VL_BY_DEST = 0,
    parameter int MARKERS = 0,
    parameter int CTL_VL = 0,  // 1: no data get in on the highest VL
    localparam int PV = PORTS * VLS,
    localparam int CAP = BLOCKS / VLS,
    localparam int AW = $clog2(LFT_DEPTH)
) (
    input wire logic                          clk_i,
    input wire logic                          rst_i,
    input wire logic                          ready_i,
    input wire logic [PORTS-1:0]              link_up_i,
    input wire logic                          lft_we_i,
    input wire logic [15:0]                   lft_addr_i,
    input wire logic [7:0]                    lft_port_i,
    input wire logic [PORTS-1:0]              rx_valid_i,
    input wire logic [PORTS-1:0]              rx_first_i,
    input wire logic [PORTS-1:0]              rx_last_i,
    input wire logic [PORTS-1:0]              rx_bad_i,
    input wire logic [PORTS*FLIT_W-1:0]       rx_data_i,
    input wire logic [PORTS*VLS*16-1:0]       used_i,
    // the crossbar, element i*PORTS+o
    input wire logic [PORTS*PORTS-1:0]        act_i,
    input wire logic [PORTS*PORTS-1:0]        valid_i,
    input wire logic [PORTS*PORTS-1:0]        first_i,
    input wire logic [PORTS*PORTS*FLIT_W-1:0] data_i,
    input wire logic [PORTS*PV-1:0]           full_evt_i,  // a fill, element i*PV+o*VLS+v
    input wire logic [PV*18-1:0]              cnt1_i,
    input wire logic [PV*18-1:0]              cnt2_i
);
  if (MARKERS == 0) begin : g_off
    always_ff @(posedge clk_i) begin
      if (!rst_i) sm4_counts_off: assert ({cnt1_i, cnt2_i} == '0);
    end
    wire unused = &{1'b0, ready_i, link_up_i, lft_we_i, lft_addr_i, lft_port_i, rx_valid_i, rx_first_i, rx_last_i, rx_bad_i, rx_data_i,
                    used_i, act_i, valid_i, first_i, data_i, full_evt_i};
  end else begin : g_on
    // ---- what a first flit says
    function automatic logic markable(input logic [FLIT_W-1:0] flit);
      logic unused;
      logic [7:0] opcode;
      logic       grh;
      unused = &{1'b0, flit};
      grh = FLIT_W == 512 && flit[9:8] == 2'd3;
      opcode = grh ? flit[(48*8)%FLIT_W +: 8] : flit[64 +: 8];
      markable = (flit[9:8] == 2'd2 || grh) && opcode != 8'h80 && opcode[4:0] != 5'h11 && flit[23:22] != 2'b11;
    endfunction
    function automatic logic [7:0] lane(input logic [FLIT_W-1:0] flit);
      logic unused;
      unused = &{1'b0, flit};
      lane = (VL_BY_DEST != 0) ? 8'({flit[23:16], flit[31:24]} % 16'(VLS)) : {4'd0, flit[7:4]};
    endfunction

    // ---- routes
    logic [7:0]    lft_q[0:LFT_DEPTH-1];  // swept until the switch is ready
    logic [AW-1:0] sweep_q;

    always_ff @(posedge clk_i) begin
      if (rst_i) sweep_q <= '0;
      else sweep_q <= (sweep_q == AW'(LFT_DEPTH - 1)) ? '0 : sweep_q + 1'b1;
      if (!ready_i) lft_q[sweep_q] <= 8'hFF;
      else if (lft_we_i && 32'(lft_addr_i) < LFT_DEPTH) lft_q[lft_addr_i[AW-1:0]] <= lft_port_i;
    end

    // ---- packets that come: a first flit is judged in the cycle after
    logic [PORTS*PV-1:0] came_q;  // element i*PV+o*VLS+v: accepted in the cycle before

    for (genvar i = 0; i < PORTS; i++) begin : g_input
      logic        head_q, markable_q, shape_q, takes;
      logic [7:0]  vl_q, out_q, n, n_q;
      logic [15:0] dlid;
      logic [PV-1:0] came;

      assign dlid = {rx_data_i[i*FLIT_W+16 +: 8], rx_data_i[i*FLIT_W+24 +: 8]};
      assign n = {1'b0, rx_data_i[i*FLIT_W+32 +: 3], rx_data_i[i*FLIT_W+44 +: 4]} + 8'(rx_data_i[i*FLIT_W+40 +: 4] != '0);

      always_ff @(posedge clk_i) begin
        head_q <= !rst_i && ready_i && link_up_i[i] && rx_valid_i[i] && rx_first_i[i];
        markable_q <= markable(rx_data_i[i*FLIT_W +: FLIT_W]);
        shape_q <= !rx_bad_i[i] && rx_last_i[i] == (n == 8'd1);
        vl_q <= lane(rx_data_i[i*FLIT_W +: FLIT_W]);
        n_q <= n;
        out_q <= (32'(dlid) < LFT_DEPTH) ? lft_q[dlid[AW-1:0]] : 8'hFF;
      end

      always_comb begin
        takes = head_q && markable_q && shape_q && vl_q < 8'(VLS - CTL_VL) && n_q != '0 && n_q <= 8'(MTU) && out_q < 8'(PORTS);
        came = '0;
        for (int o = 0; o < PORTS; o++)
          for (int v = 0; v < VLS; v++)
            came[o*VLS+v] = takes && out_q == 8'(o) && vl_q == 8'(v) && 16'(n_q) + used_i[(i*VLS+v)*16 +: 16] <= 16'(CAP);
      end
      always_ff @(posedge clk_i) came_q[i*PV +: PV] <= rst_i ? '0 : came;
    end

    // ---- the counts; a packet that came is told in the cycle after
    logic [PV-1:0] else_counted, above, else_copied;

    for (genvar o = 0; o < PORTS; o++) begin : g_output
      logic              begins;
      logic [FLIT_W-1:0] data;
      always_comb begin
        begins = 1'b0;
        data = '0;
        for (int i = 0; i < PORTS; i++)
          if (valid_i[i*PORTS+o] && first_i[i*PORTS+o]) begin
            begins = 1'b1;
            data = data | data_i[(i*PORTS+o)*FLIT_W +: FLIT_W];
          end
      end
      for (genvar v = 0; v < VLS; v++) begin : g_vl
        localparam int Q = o * VLS + v;
        logic [17:0] count_q, comes;
        logic        told, told_q;
        always_comb begin
          comes = '0;
          told = 1'b0;
          for (int i = 0; i < PORTS; i++) begin
            comes = comes + 18'(came_q[i*PV+Q]);
            told = told || full_evt_i[i*PV+Q];
          end
        end
        // what a scan of the switch would find when a buffer fills is what is to be marked (with det off: nothing)
        always_ff @(posedge clk_i) told_q <= !rst_i && told;
        assign else_copied[Q] = told_q && cnt2_i[Q*18 +: 18] != '0 && cnt2_i[Q*18 +: 18] != count_q;
        always_ff @(posedge clk_i)
          count_q <= rst_i ? '0 : count_q + comes - 18'(begins && markable(data) && lane(data) == 8'(v));
        assign else_counted[Q] = cnt1_i[Q*18 +: 18] != count_q;
        assign above[Q] = cnt2_i[Q*18 +: 18] > cnt1_i[Q*18 +: 18];
      end
    end

    // ---- nothing inside
    logic [3:0] empty_q;
    logic       past_ok_q;

    always_ff @(posedge clk_i) begin
      past_ok_q <= !rst_i;
      if (rst_i || used_i != '0 || act_i != '0 || valid_i != '0 || rx_valid_i != '0) empty_q <= '0;
      else if (empty_q != 4'd8) empty_q <= empty_q + 1'b1;
      if (!rst_i && past_ok_q) begin
        sm4_counts_the_packets: assert (else_counted == '0);
        sm4_nothing_left: assert (empty_q != 4'd8 || {cnt1_i, cnt2_i} == '0);
        sm4_not_above: assert (above == '0);
        sm4_copy_is_a_scan: assert (else_copied == '0);
        sm4_c_marks_due: cover (cnt2_i != '0);
      end
    end
  end
endmodule

`default_nettype wire
