// The shared packet buffer of an input port: blocks of a flit each, linked to packets, and the engines that read them. It
// knows no queues: a packet is named by its first block, and an engine gives back the tag that came with its packet
// beside what it releases. The last DISCARDS engines give no data: they free what comes behind the first block of a packet that is dropped.
// What is read in a cycle is on xb_* in the next one (a read latency of 1), one flit a cycle with rd_en_i; users rely on
// xb_*, act_o and end_o only, so that a buffer of banks may start a read later. Rules B1, B2, B3, Q8.
`default_nettype none

module pkt_buffer #(
    parameter int BLOCKS = 2048,
    parameter int FLIT_W = 512,
    parameter int ENGINES = 8,
    parameter int DISCARDS = 0,
    parameter int READS = 8,    // read ports: one for each engine with data, or 1 if those read one at a time
    parameter int TAG_W = 1,
    parameter int MARKERS = 0,
    parameter int PARITY = 0,
    localparam int AW = (BLOCKS > 1) ? $clog2(BLOCKS) : 1,
    localparam int DATAS = ENGINES - DISCARDS
) (
    input  wire logic                     clk_i,
    input  wire logic                     rst_i,
    // the packet being received (rx_framer)
    input  wire logic                     accept_i,      // its first flit is stored,
    input  wire logic                     extend_i,      // or a further one
    input  wire logic [FLIT_W-1:0]        data_i,
    output logic [AW-1:0]                 block_o,       // where a flit stored now goes
    input  wire logic [AW-1:0]            open_id_i,
    input  wire logic [AW-1:0]            open_tail_i,
    input  wire logic [6:0]               open_a_i,
    input  wire logic                     close_i,
    input  wire logic [6:0]               close_a_i,
    // the packet that an engine reads next
    input  wire logic [ENGINES-1:0]       load_i,
    input  wire logic [ENGINES*AW-1:0]    load_id_i,
    input  wire logic [ENGINES*7-1:0]     load_n_i,
    input  wire logic [ENGINES-1:0]       load_open_i,   // it is being received
    input  wire logic [ENGINES*TAG_W-1:0] load_tag_i,
    input  wire logic                     load_paid_i,   // the charges of packets loaded now leave now
    input  wire logic [ENGINES-1:0]       load_mark_i,   // to be marked (with MARKERS)
    // engines
    input  wire logic [ENGINES-1:0]       rd_en_i,
    output logic [ENGINES-1:0]            act_o,         // reads a packet,
    output logic [ENGINES-1:0]            end_o,         // of which the last flit is next
    output logic [ENGINES-1:0]            read_o,        // a block is read and free
    output logic [ENGINES*AW-1:0]         rd_block_o,    // that block
    output logic [ENGINES*7-1:0]          release_o,     // flits of the charge released
    output logic [ENGINES*TAG_W-1:0]      tag_o,
    output logic                          underrun_o,
    output logic [6:0]                    discard_r_o,   // flits that a discard engine is done with, 0 when idle
    // what was read in the last cycle
    output logic [DATAS-1:0]              xb_valid_o,
    output logic [DATAS-1:0]              xb_first_o,
    output logic [DATAS-1:0]              xb_last_o,
    output logic [DATAS-1:0]              xb_bad_o,
    output logic [DATAS-1:0]              xb_mark_o,     // beside xb_first
    output logic [DATAS*FLIT_W-1:0]       xb_data_o,
    output logic                          parity_err_o
);
  localparam int PORTS = READS + DISCARDS;  // of the memories without data
  localparam bit SHARED = READS < DATAS;

  logic                    store;
  logic [ENGINES-1:0]      follow, load_used, underrun, engine_err;
  logic [((DISCARDS > 0) ? DISCARDS : 1)*7-1:0] discard_r;
  logic [ENGINES*AW-1:0]   link;
  logic [ENGINES*7-1:0]    stored;
  logic [DATAS*FLIT_W-1:0] data;
  logic                    pool_err, link_err, stored_err;  // of parity
  logic                    unused_data_err;                 // payload

  // by read port
  logic [PORTS-1:0]        mem_rd;
  logic [PORTS-1:0]        mem_follow;     // the link read is where a packet goes on
  logic [PORTS*AW-1:0]     mem_block;
  logic [PORTS*AW-1:0]     mem_link;
  logic [READS*FLIT_W-1:0] mem_data;
  logic [PORTS*AW-1:0]     mem_load_id;
  logic [PORTS-1:0]        mem_load_used;  // the entry read is loaded
  logic [PORTS*7-1:0]      mem_stored;

  assign store = accept_i || extend_i;

  block_pool #(
      .BLOCKS(BLOCKS),
      .FREES (PORTS),
      .PARITY(PARITY)
  ) u_pool (
      .clk_i, .rst_i,
      .take_i      (store),
      .block_o,
      .free_i      (mem_rd),
      .free_block_i(mem_block),
      .parity_err_o(pool_err)
  );

  ram_sync #(
      .DEPTH(BLOCKS),
      .WIDTH(FLIT_W),
      .READS(READS)
  ) u_data (
      .clk_i,
      .we_i        (store),
      .waddr_i     (block_o),
      .wdata_i     (data_i),
      .re_i        (mem_rd[READS-1:0]),
      .raddr_i     (mem_block[READS*AW-1:0]),
      .rdata_o     (mem_data),
      .used_i      (READS'(0)),
      .parity_err_o(unused_data_err)
  );

  // from a block to the next one of its packet
  ram_async #(
      .DEPTH(BLOCKS),
      .WIDTH(AW),
      .READS(PORTS),
      .PARITY(PARITY)
  ) u_links (
      .clk_i,
      .we_i        (extend_i),
      .waddr_i     (open_tail_i),
      .wdata_i     (block_o),
      .raddr_i     (mem_block),
      .rdata_o     (mem_link),
      .used_i      (mem_follow),
      .parity_err_o(link_err)
  );

  // Stored flits of packets that are no longer received; a packet of one flit needs no entry.
  ram_async #(
      .DEPTH(BLOCKS),
      .WIDTH(7),
      .READS(PORTS),
      .PARITY(PARITY)
  ) u_stored (
      .clk_i,
      .we_i        (close_i),
      .waddr_i     (open_id_i),
      .wdata_i     (close_a_i),
      .raddr_i     (mem_load_id),
      .rdata_o     (mem_stored),
      .used_i      (mem_load_used),
      .parity_err_o(stored_err)
  );

  for (genvar e = 0; e < DATAS; e++) begin : g_engine
    logic one;

    assign one = load_n_i[e*7 +: 7] == 7'd1;
    assign load_used[e] = load_i[e] && !load_open_i[e] && !one;

    read_engine #(
        .AW(AW), .TAG_W(TAG_W), .MARKERS(MARKERS), .PARITY(PARITY)
    ) u_engine (
        .clk_i, .rst_i,
        .rd_en_i       (rd_en_i[e]),
        .load_i        (load_i[e]),
        .load_id_i     (load_id_i[e*AW +: AW]),
        .load_n_i      (load_n_i[e*7 +: 7]),
        .load_open_i   (load_open_i[e]),
        .load_a_i      (one ? 7'd1 : stored[e*7 +: 7]),
        .load_tag_i    (load_tag_i[e*TAG_W +: TAG_W]),
        .load_paid_i,
        .load_mark_i   (load_mark_i[e]),
        .open_a_i, .extend_i,
        .extend_block_i(block_o),
        .close_i, .close_a_i,
        .block_o       (rd_block_o[e*AW +: AW]),
        .link_i        (link[e*AW +: AW]),
        .read_o        (read_o[e]),
        .follow_o      (follow[e]),
        .underrun_o    (underrun[e]),
        .release_o     (release_o[e*7 +: 7]),
        .tag_o         (tag_o[e*TAG_W +: TAG_W]),
        .act_o         (act_o[e]),
        .end_o         (end_o[e]),
        .xb_valid_o    (xb_valid_o[e]),
        .xb_first_o    (xb_first_o[e]),
        .xb_last_o     (xb_last_o[e]),
        .xb_bad_o      (xb_bad_o[e]),
        .xb_mark_o     (xb_mark_o[e]),
        .parity_err_o  (engine_err[e])
    );
    assign xb_data_o[e*FLIT_W +: FLIT_W] = (xb_valid_o[e] && !xb_bad_o[e]) ? data[e*FLIT_W +: FLIT_W] : '0;
  end

  for (genvar e = DATAS; e < ENGINES; e++) begin : g_discard
    localparam int P = READS + e - DATAS;
    logic one;

    assign one = load_n_i[e*7 +: 7] == 7'd1;
    assign load_used[e] = load_i[e] && !load_open_i[e] && !one;

    discard_engine #(
        .AW(AW), .PARITY(PARITY)
    ) u_engine (
        .clk_i, .rst_i,
        .load_i        (load_i[e]),
        .load_id_i     (load_id_i[e*AW +: AW]),
        .load_n_i      (load_n_i[e*7 +: 7]),
        .load_open_i   (load_open_i[e]),
        .load_a_i      (one ? 7'd1 : stored[e*7 +: 7]),
        .open_a_i, .extend_i,
        .extend_block_i(block_o),
        .close_i, .close_a_i,
        .block_o       (rd_block_o[e*AW +: AW]),
        .link_i        (link[e*AW +: AW]),
        .read_o        (read_o[e]),
        .follow_o      (follow[e]),
        .release_o     (release_o[e*7 +: 7]),
        .act_o         (act_o[e]),
        .r_o           (discard_r[(e-DATAS)*7 +: 7]),
        .parity_err_o  (engine_err[e])
    );
    assign tag_o[e*TAG_W +: TAG_W] = load_tag_i[e*TAG_W +: TAG_W];
    assign end_o[e] = 1'b0;
    assign underrun[e] = 1'b0;
    assign mem_rd[P] = read_o[e];
    assign mem_follow[P] = follow[e];
    assign mem_block[P*AW +: AW] = rd_block_o[e*AW +: AW];
    assign mem_load_id[P*AW +: AW] = load_id_i[e*AW +: AW];
    assign mem_load_used[P] = load_used[e];
    assign link[e*AW +: AW] = mem_link[P*AW +: AW];
    assign stored[e*7 +: 7] = mem_stored[P*7 +: 7];
    logic unused;
    assign unused = &{1'b0, rd_en_i[e], load_mark_i[e]};
  end

  if (DISCARDS > 0) begin : g_discarded
    always_comb begin
      discard_r_o = '0;
      for (int d = 0; d < DISCARDS; d++) discard_r_o = discard_r_o | discard_r[d*7 +: 7];
    end
  end else begin : g_discarded
    wire unused = &{1'b0, discard_r};
    assign discard_r = '0;
    assign discard_r_o = '0;
  end

  // ---- read ports of the engines with data
  if (SHARED) begin : g_shared
    always_comb begin
      mem_block[AW-1:0] = '0;
      mem_load_id[AW-1:0] = '0;
      for (int e = 0; e < DATAS; e++) begin
        if (read_o[e]) mem_block[AW-1:0] = mem_block[AW-1:0] | rd_block_o[e*AW +: AW];
        if (load_i[e]) mem_load_id[AW-1:0] = mem_load_id[AW-1:0] | load_id_i[e*AW +: AW];
      end
    end
    assign mem_rd[0] = |read_o[DATAS-1:0];
    assign mem_follow[0] = |follow[DATAS-1:0];
    assign mem_load_used[0] = |load_used[DATAS-1:0];
    assign link[DATAS*AW-1:0] = {DATAS{mem_link[AW-1:0]}};
    assign data = {DATAS{mem_data}};
    assign stored[DATAS*7-1:0] = {DATAS{mem_stored[6:0]}};
  end else begin : g_own
    assign mem_rd[DATAS-1:0] = read_o[DATAS-1:0];
    assign mem_follow[DATAS-1:0] = follow[DATAS-1:0];
    assign mem_block[DATAS*AW-1:0] = rd_block_o[DATAS*AW-1:0];
    assign mem_load_id[DATAS*AW-1:0] = load_id_i[DATAS*AW-1:0];
    assign mem_load_used[DATAS-1:0] = load_used[DATAS-1:0];
    assign link[DATAS*AW-1:0] = mem_link[DATAS*AW-1:0];
    assign data = mem_data;
    assign stored[DATAS*7-1:0] = mem_stored[DATAS*7-1:0];
  end

  assign underrun_o = underrun != '0;
  assign parity_err_o = pool_err || link_err || stored_err || engine_err != '0;
endmodule

`default_nettype wire
