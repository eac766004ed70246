// What a user of a lossless switch is promised, told by its links alone: a packet that came in whole leaves within a bound, counted in what
// its output sends and in what it sends not while it could. An output could in a cycle if the words that its link brought give
// credit for a packet of MTU flits on the packet's VL (less what was sent), and have stopped no tree; with one read port an input
// depends on all outputs. Nothing is taken from the switch but its pins and the blocks in use. One packet of each input is followed at
// a time, known by its first flit. With oldest first the packets that were in the switch go before; with a limit of bypassing
// (both known from the writes to registers) an input depends on all outputs, too. Instantiated at the end of switch; for simulation. Rules A3, B1, E5.
`default_nettype none

`ifndef YOSYS
module stay_checker #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int BLOCKS = 2048,
    parameter int HPQS = 2,
    parameter int LINES = 9,
    parameter int LFT_DEPTH = 16,
    parameter int FLIT_W = 512,
    parameter int ONE_QUEUE = 0,
    parameter int VL_BY_DEST = 0,
    parameter int MARKERS = 0,
    parameter int STAMP_W = 0,
    parameter int QUEUED = 0,  // flits that an output may hold (CIOQ)
    parameter int DATA_VLS = VLS,  // what is on the VLs above is no data
    parameter int CAP = BLOCKS / VLS,  // blocks of a VL of data
    parameter int CTL = 8
) (
    input wire logic                    clk_i,
    input wire logic                    rst_i,
    input wire logic                    ready_i,
    input wire logic                    cfg_we_i,
    input wire logic [7:0]              cfg_unit_i,
    input wire logic [7:0]              cfg_port_i,
    input wire logic [7:0]              cfg_addr_i,
    input wire logic [3:0]              cfg_data_i,
    input wire logic [PORTS-1:0]        link_up_i,
    input wire logic                    lft_we_i,
    input wire logic [15:0]             lft_addr_i,
    input wire logic [7:0]              lft_port_i,
    input wire logic [PORTS-1:0]        rx_valid_i,
    input wire logic [PORTS-1:0]        rx_first_i,
    input wire logic [PORTS-1:0]        rx_last_i,
    input wire logic [PORTS-1:0]        rx_bad_i,
    input wire logic [PORTS*FLIT_W-1:0] rx_data_i,
    input wire logic [PORTS*CTL-1:0]    rx_ctl_i,
    input wire logic [PORTS-1:0]        tx_valid_i,
    input wire logic [PORTS-1:0]        tx_first_i,
    input wire logic [PORTS-1:0]        tx_last_i,
    input wire logic [PORTS*FLIT_W-1:0] tx_data_i,
    input wire logic [PORTS*VLS*16-1:0] used_i
);
  localparam int VW = (VLS > 1) ? $clog2(VLS) : 1;
  localparam int OW = (PORTS > 1) ? $clog2(PORTS) : 1;
  localparam int LW = (LINES > 1) ? $clog2(LINES) : 1;
  localparam int AW = (LFT_DEPTH > 1) ? $clog2(LFT_DEPTH) : 1;
  // Packets of data that an output may send while one waits there that could go, for each block that was before it: one of each
  // other input, on each VL, before each of its own input and VL; of these 8 cold ones that go first and one more, and each hot
  // queue twice. With one read port those for other outputs wait there as long.
  localparam int TURNS = PORTS * VLS * (10 + 2 * HPQS);
  localparam int OTHERS = PORTS * MTU;  // where an input depends on all outputs
  // Oldest first: all that was in the switch when a packet came. A queue of the output: what is in it, and of other VLs as much each time.
  localparam int OLDER = ((STAMP_W > 0) ? PORTS * (BLOCKS + MTU) : 0) + QUEUED * VLS;
  // Cycles in which an output sends nothing though it could: each request is told of a tree and told once more, may be held once;
  // four times the longest TX_INTERVAL.
  localparam int STILL = 8 * PORTS * VLS * (1 + HPQS) + 64;
  localparam logic [7:0] NO_PORT = 8'hFF;

  function automatic logic [7:0] vl_of(input logic [3:0] vl, input logic [15:0] dlid);
    vl_of = (VL_BY_DEST != 0) ? 8'(dlid % 16'(VLS)) : {4'd0, vl};
  endfunction
  function automatic logic [7:0] flits_of(input logic [10:0] words);
    flits_of = {1'b0, words[10:4]} + 8'(words[3:0] != '0);
  endfunction

  logic [7:0]    lft_q[0:LFT_DEPTH-1];  // swept until the switch is ready
  logic [AW-1:0] sweep_q;
  logic          rerouted_q;

  always_ff @(posedge clk_i) begin
    rerouted_q <= lft_we_i;
    if (rst_i) sweep_q <= '0;
    else sweep_q <= (sweep_q == AW'(LFT_DEPTH - 1)) ? '0 : sweep_q + 1'b1;
    if (!ready_i) lft_q[sweep_q] <= NO_PORT;
    else if (lft_we_i && 32'(lft_addr_i) < LFT_DEPTH) lft_q[lft_addr_i[AW-1:0]] <= lft_port_i;
  end

  // ---- what the links say of each output
  logic [PORTS*VLS-1:0] could;          // credit for a packet, and nobody stops anything
  logic [PORTS-1:0]     open, news, data_goes;

  for (genvar o = 0; o < PORTS; o++) begin : g_output
    logic [CTL-1:0]    word;
    logic [47:0]       lrh;
    logic [LINES-1:0]  line_q, stop_q;
    logic [12*VLS-1:0] limit_q, sent_q;
    logic [VLS-1:0]    heard_q, fits;
    logic [7:0]        vl, vl_q, rest, rest_q;
    logic              open_q, up_q;

    wire unused = &{1'b0, word, lrh};

    assign word = rx_ctl_i[o*CTL +: CTL];
    assign lrh = tx_data_i[o*FLIT_W +: 48];
    assign vl = tx_first_i[o] ? vl_of(lrh[7:4], {lrh[23:16], lrh[31:24]}) : vl_q;
    assign rest = tx_last_i[o] ? '0 : tx_first_i[o] ? flits_of({lrh[34:32], lrh[47:40]}) - 8'd1 : (rest_q == '0) ? '0 : rest_q - 8'd1;
    assign open[o] = open_q || tx_valid_i[o];
    assign news[o] = word[2] && !word[4];  // ALLOC, DEALLOC
    assign data_goes[o] = tx_valid_i[o] && tx_first_i[o] && tx_data_i[o*FLIT_W+quell_pkg::BTH_RAW_LSB +: 8] != quell_pkg::OPCODE_CNP
        && vl < 8'(DATA_VLS);

    always_ff @(posedge clk_i) begin
      up_q <= ready_i && link_up_i[o];
      if (rst_i || !ready_i || !link_up_i[o]) begin
        {line_q, stop_q, limit_q, sent_q, heard_q, open_q, rest_q} <= '0;
      end else begin
        if (word[1] && word[32 +: 8] < 8'(VLS)) begin
          heard_q[word[32+:VW]] <= 1'b1;
          limit_q[12*word[32+:VW] +: 12] <= {word[40 +: 4], word[48 +: 8]};
        end
        if (word[2] && word[64 +: 8] < 8'(LINES)) begin
          case (word[4:3])
            quell_pkg::MSG_ALLOC: begin
              line_q[word[64+:LW]] <= 1'b1;
              stop_q[word[64+:LW]] <= word[5];
            end
            quell_pkg::MSG_DEALLOC: begin
              line_q[word[64+:LW]] <= 1'b0;
              stop_q[word[64+:LW]] <= 1'b0;
            end
            quell_pkg::MSG_STOP: stop_q[word[64+:LW]] <= line_q[word[64+:LW]];
            default: stop_q[word[64+:LW]] <= 1'b0;
          endcase
        end
        if (tx_valid_i[o]) begin
          if (vl < 8'(VLS)) sent_q[12*vl[VW-1:0] +: 12] <= sent_q[12*vl[VW-1:0] +: 12] + 12'd1;
          vl_q <= vl;
          open_q <= !tx_last_i[o];
          rest_q <= rest;
        end
      end
    end

    for (genvar v = 0; v < VLS; v++) begin : g_vl
      logic [3:0] fits_q;  // the last cycles: a packet granted shows on the link after two
      wire [11:0] left = limit_q[12*v +: 12] - sent_q[12*v +: 12] - ((vl_q == 8'(v)) ? 12'(rest_q) : 12'd0) - 12'(MTU);
      assign fits[v] = heard_q[v] && up_q && left <= 12'd2048;
      always_ff @(posedge clk_i) fits_q <= rst_i ? '0 : {fits_q[2:0], fits[v] && stop_q == '0};
      assign could[o*VLS+v] = fits_q != '0 && stop_q == '0 && link_up_i[o] && ready_i;
    end
  end

  // ---- a packet of each input
  logic [PORTS-1:0] stays, stands;

  for (genvar i = 0; i < PORTS; i++) begin : g_input
    logic [FLIT_W-1:0] data_q, marks;
    logic              limited_q, one_q, one;  // a limit of bypassing is set, or was in the packet's stay; it depends on all outputs
    logic [47:0]       lrh;
    logic [7:0]        vl, n, n_q, count_q, vl_q, out;
    logic [OW-1:0]     out_q;
    logic [15:0]       dlid, before_q;
    logic              coming_q, inside_q, plain, room, able, gone;
    logic [31:0]       sends_q, bound;
    logic [15:0]       still_q;
    wire unused = &{1'b0, lrh};

    assign lrh = rx_data_i[i*FLIT_W +: 48];
    assign dlid = {lrh[23:16], lrh[31:24]};
    assign vl = vl_of(lrh[7:4], {lrh[23:16], lrh[31:24]});
    assign n = flits_of({lrh[34:32], lrh[47:40]});
    assign out = (32'(dlid) < LFT_DEPTH) ? lft_q[dlid[AW-1:0]] : NO_PORT;
    // a packet that nobody may refuse; room for it beside a flit that is on its way in
    assign room = 16'(CAP) >= used_i[(i*VLS+32'(vl[VW-1:0]))*16 +: 16] + 16'(n) + 16'd2;
    assign plain = rx_first_i[i] && !rx_bad_i[i] && n != '0 && n <= 8'(MTU) && rx_last_i[i] == (n == 8'd1)
        && lrh[9:8] == quell_pkg::LNH_BTH && out < 8'(PORTS) && !lft_we_i && !rerouted_q && room
        && rx_data_i[i*FLIT_W+quell_pkg::BTH_RAW_LSB +: 8] != quell_pkg::OPCODE_CNP && vl < 8'(DATA_VLS);

    always_comb begin
      marks = '0;
      marks[quell_pkg::BTH_RAW_LSB+quell_pkg::BTH_FECN] = 1'b1;
      marks[quell_pkg::BTH_RAW_LSB+quell_pkg::BTH_MB] = MARKERS != 0;
      marks[quell_pkg::BTH_RAW_LSB+quell_pkg::BTH_MARKS] = MARKERS != 0;
      one = ONE_QUEUE != 0 || one_q;
      able = could[32'(out_q)*VLS+32'(vl_q)];
      if (one) for (int o = 0; o < PORTS; o++) able = able && could[o*VLS+32'(vl_q)];
      gone = tx_valid_i[out_q] && tx_first_i[out_q] && (tx_data_i[32'(out_q)*FLIT_W +: FLIT_W] & ~marks) == (data_q & ~marks);
    end

    always_ff @(posedge clk_i) begin
      if (rst_i) limited_q <= 1'b0;
      else if (STAMP_W > 0 && ready_i && cfg_we_i && cfg_unit_i == 8'd0 && (cfg_port_i == 8'(i) || cfg_port_i == 8'hFF)
          && cfg_addr_i == quell_pkg::IP_BYPASS) limited_q <= cfg_data_i != '0;
      one_q <= limited_q || (one_q && inside_q);
      if (rst_i || !ready_i || !link_up_i[i]) begin
        coming_q <= 1'b0;
        inside_q <= 1'b0;
      end else if (inside_q) begin
        if (gone || !link_up_i[out_q]) inside_q <= 1'b0;
      end else if (!coming_q) begin
        if (rx_valid_i[i] && plain) begin
          coming_q <= !rx_last_i[i];
          inside_q <= rx_last_i[i];
          data_q <= rx_data_i[i*FLIT_W +: FLIT_W];
          out_q <= OW'(out);
          vl_q <= vl;
          n_q <= n;
          count_q <= 8'd1;
          before_q <= used_i[(i*VLS+32'(vl[VW-1:0]))*16 +: 16] + 16'd2;
        end
      end else begin
        // whole and without a pause, so that no time limit cuts it; not gone before it is whole, and not dropped with its output's link
        count_q <= count_q + 8'd1;
        if (!link_up_i[out_q] || !rx_valid_i[i] || rx_first_i[i] || rx_bad_i[i] || rx_last_i[i] != (count_q + 8'd1 == n_q) || gone) coming_q <= 1'b0;
        else if (rx_last_i[i]) begin
          coming_q <= 1'b0;
          inside_q <= 1'b1;
        end
      end
      if (rst_i || !inside_q) begin
        sends_q <= '0;
        still_q <= '0;
      end else begin
        sends_q <= sends_q + 32'(able && data_goes[out_q]);
        if (!able || open[out_q] || news[out_q] || (one && (open != '0 || news != '0))) still_q <= '0;
        else if (!stands[i]) still_q <= still_q + 1'b1;
      end
    end
    assign bound = ((32'(before_q) + 32'd1) * 32'(TURNS) + 32'(OLDER)) * (one ? 32'(OTHERS) : 32'd1);
    assign stays[i] = inside_q && sends_q > bound;
    assign stands[i] = still_q > 16'(STILL);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      a3_packet_leaves: assert (stays == '0);
      a3_packet_moves: assert (stands == '0);
    end
  end
endmodule
`endif

`default_nettype wire
