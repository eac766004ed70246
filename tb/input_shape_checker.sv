// Lemmas on what is where in an input port, for proofs only (FORMAL): memories and lists are walked in every
// cycle. Instantiated by switch_input_port. Every used block belongs to one packet, every packet is in one place
// (a queue or an engine), and the charges are those of the packets. With small parameters only: the walk is long.
`default_nettype none

module input_shape_checker #(
    parameter int PORTS = 2,
    parameter int VLS = 1,
    parameter int MTU = 2,
    parameter int BLOCKS = 4,
    parameter int NQ = 2,      // cold queues
    parameter int HPQS = 1,
    parameter int LINES = 2,
    parameter int AW = 2,
    parameter int CW = 3,
    parameter int OW = 1,
    parameter int ONE_QUEUE = 0,
    localparam int PV = PORTS * VLS,
    localparam int VW = (VLS > 1) ? $clog2(VLS) : 1,
    localparam int HW = (HPQS > 1) ? $clog2(HPQS) : 1,
    localparam int DW = OW + 24,
    localparam int MW = $clog2(MTU + 1),                    // of a length
    localparam int BW = $clog2(BLOCKS + 1),
    localparam int FW = $clog2((BLOCKS + PORTS) * MTU + 1)  // of a charge
) (
    input wire logic                     clk_i,
    input wire logic                     rst_i,
    input wire logic [BLOCKS-1:0]        used_i,       // blocks that are not free
    input wire logic [VLS*16-1:0]        used_count_i,
    // queues: cold ones, then hot ones
    input wire logic [NQ*AW-1:0]         cold_head_i,
    input wire logic [HPQS*AW-1:0]       hot_head_i,
    input wire logic [NQ*CW-1:0]         cold_pkts_i,
    input wire logic [HPQS*16-1:0]       hot_pkts_i,
    input wire logic [PV*16-1:0]         cold_fill_i,
    input wire logic [HPQS*16-1:0]       hot_fill_i,
    input wire logic [BLOCKS*AW-1:0]     cold_link_i,
    input wire logic [BLOCKS*AW-1:0]     hot_link_i,
    // of each packet, by its first block; links from block to block
    input wire logic [BLOCKS*DW-1:0]     desc_i,
    input wire logic [BLOCKS*7-1:0]      stored_i,
    input wire logic [BLOCKS*AW-1:0]     link_i,
    // the packet being received
    input wire logic                     open_i,
    input wire logic [AW-1:0]            open_id_i,
    input wire logic [AW-1:0]            open_tail_i,
    input wire logic [6:0]               open_a_i,
    input wire logic [6:0]               open_n_i,
    input wire logic [VW-1:0]            open_vl_i,
    // engines
    input wire logic [PORTS-1:0]         act_i,
    input wire logic [PORTS*22-1:0]      load_i,       // {open, n, a, r}
    input wire logic [PORTS*AW-1:0]      block_i,
    input wire logic [PORTS*VW-1:0]      vl_i,
    input wire logic [PORTS-1:0]         hot_i,
    input wire logic [PORTS*HW-1:0]      hpq_i,
    // lines
    input wire logic [LINES*2-1:0]       line_state_i,
    input wire logic [LINES*8-1:0]       line_out_i,
    input wire logic [LINES*16-1:0]      line_queue_i,
    // descriptor of each place in each queue
    output logic [(NQ+HPQS)*BLOCKS*DW-1:0] place_o
);
  logic [BLOCKS-1:0]         seen;
  logic                      twice, bad_count, bad_tail, bad_open;
  logic [7:0]                opens;         // places that the packet being received is in
  logic [PORTS-1:0]          orphan;        // reads of a hot queue whose line is of another output
  logic [(NQ+HPQS)*FW-1:0]   charge;        // what the packets in and of each queue are charged
  logic [NQ*16-1:0]          cold_charge;
  logic [HPQS*16-1:0]        hot_charge;
  logic [(NQ+HPQS)*BLOCKS-1:0] named;       // blocks that name packets of a queue
  logic [PORTS-1:0]          lost;          // reads of no queue
  logic [BW-1:0]             blocks;
  logic [AW-1:0]             at, block;
  logic [DW-1:0]             desc;
  logic [6:0]                n, count, a, r;
  logic [MW-1:0]             rest;
  logic                      is_open, owned;

  always_comb begin
    seen = '0;
    twice = 1'b0;
    bad_count = 1'b0;
    bad_tail = 1'b0;
    bad_open = 1'b0;
    opens = '0;
    charge = '0;
    place_o = '0;
    orphan = '0;
    lost = '0;
    named = '0;
    owned = 1'b0;
    at = '0;
    block = '0;
    desc = '0;
    n = '0;
    a = '0;
    r = '0;
    count = '0;
    rest = '0;
    cold_charge = '0;
    hot_charge = '0;
    is_open = 1'b0;
    for (int q = 0; q < NQ + HPQS; q++) begin
      at = (q < NQ) ? cold_head_i[((q < NQ) ? q : 0)*AW +: AW] : hot_head_i[((q < NQ) ? 0 : q - NQ)*AW +: AW];
      for (int i = 0; i < BLOCKS; i++) begin
        desc = desc_i[at*DW +: DW];
        place_o[(q*BLOCKS+i)*DW +: DW] = desc;
        n = desc[22:16];
        is_open = open_i && at == open_id_i;
        count = is_open ? open_a_i : (n == 7'd1) ? 7'd1 : stored_i[at*7 +: 7];
        if ((q < NQ) ? CW'(i) < cold_pkts_i[((q < NQ) ? q : 0)*CW +: CW]
            : 16'(i) < hot_pkts_i[((q < NQ) ? 0 : q - NQ)*16 +: 16]) begin
          named[q*BLOCKS + 32'(at)] = 1'b1;
          if (n == '0 || n > 7'(MTU) || count == '0 || count > n) bad_count = 1'b1;
          if (is_open) begin
            opens = opens + 8'd1;
            if (n != open_n_i) bad_open = 1'b1;
          end
          block = at;
          for (int j = 0; j < MTU; j++) begin
            if (7'(j) < count) begin
              if (seen[block]) twice = 1'b1;
              seen[block] = 1'b1;
              if (is_open && 7'(j + 1) == count && block != open_tail_i) bad_tail = 1'b1;
              block = link_i[block*AW +: AW];
            end
          end
        end
        at = (q < NQ) ? cold_link_i[at*AW +: AW] : hot_link_i[at*AW +: AW];
      end
    end
    for (int o = 0; o < PORTS; o++) begin
      is_open = load_i[o*22+21];
      n = load_i[o*22+14 +: 7];
      a = is_open ? open_a_i : load_i[o*22+7 +: 7];
      r = load_i[o*22 +: 7];
      block = block_i[o*AW +: AW];
      if (act_i[o]) begin
        if (is_open) begin
          opens = opens + 8'd1;
          if (n != open_n_i) bad_open = 1'b1;
        end
        if (n > 7'(MTU) || r > a) bad_count = 1'b1;
        // the last block is read and free, and so no other packet's: only the packet being received takes blocks
        if (is_open && r == a && used_i[open_tail_i]) bad_tail = 1'b1;
        rest = n[MW-1:0] - r[MW-1:0];
        if (32'(vl_i[o*VW +: VW]) >= VLS || (hot_i[o] && 32'(hpq_i[o*HW +: HW]) >= HPQS)) lost[o] = 1'b1;
        for (int j = 0; j < MTU; j++) begin
          if (7'(j) < a - r) begin
            if (seen[block]) twice = 1'b1;
            seen[block] = 1'b1;
            if (is_open && 7'(j + 1) == a - r && block != open_tail_i) bad_tail = 1'b1;
            block = link_i[block*AW +: AW];
          end
        end
        for (int q = 0; q < NQ; q++)
          if (!hot_i[o] && (ONE_QUEUE != 0 || (q / VLS == o && vl_i[o*VW +: VW] == VW'(q % VLS))))
            charge[q*FW +: FW] = charge[q*FW +: FW] + FW'(rest);
        for (int h = 0; h < HPQS; h++) begin
          if (hot_i[o] && hpq_i[o*HW +: HW] == HW'(h)) begin
            charge[(NQ+h)*FW +: FW] = charge[(NQ+h)*FW +: FW] + FW'(rest);
            owned = 1'b0;
            for (int k = 0; k < LINES; k++)
              if (line_state_i[k*2+1] && line_queue_i[k*16 +: 16] == 16'(PV + h)
                  && line_out_i[k*8 +: 8] == 8'(o)) owned = 1'b1;
            if (!owned) orphan[o] = 1'b1;
          end
        end
      end else if (is_open) begin
        bad_open = 1'b1;
      end
    end
    for (int q = 0; q < NQ + HPQS; q++) begin
      for (int b = 0; b < BLOCKS; b++)
        charge[q*FW +: FW] = charge[q*FW +: FW] + (named[q*BLOCKS+b] ? FW'(desc_i[b*DW+16 +: MW]) : '0);
      if (q < NQ) cold_charge[((q < NQ) ? q : 0)*16 +: 16] = 16'(charge[q*FW +: FW]);
      else hot_charge[((q < NQ) ? 0 : q - NQ)*16 +: 16] = 16'(charge[q*FW +: FW]);
    end
    blocks = '0;
    for (int b = 0; b < BLOCKS; b++) blocks = blocks + BW'(used_i[b]);
  end

  logic [15:0] used_sum;
  always_comb begin
    used_sum = '0;
    for (int v = 0; v < VLS; v++) used_sum = used_sum + used_count_i[v*16 +: 16];
  end

  always @(posedge clk_i) begin
    if (!rst_i) begin
      b1_l_block_in_one_place: assert (!twice && seen == used_i);
      b1_l_used_are_counted: assert (used_sum == 16'(blocks));
      b1_l_cold_charge: assert (cold_fill_i[NQ*16-1:0] == cold_charge);
      b1_l_hot_charge: assert (hot_fill_i == hot_charge);
      b1_l_reads_of_a_queue: assert (lost == '0);
      b2_l_open_in_one_place: assert (opens == 8'(open_i) && !bad_open);
      b2_l_open_incomplete: assert (!open_i || (open_a_i != '0 && open_a_i < open_n_i && open_n_i <= 7'(MTU)));
      b2_l_open_tail: assert (!bad_tail);
      b2_l_counts: assert (!bad_count);
      e6_l_reads_of_its_line: assert (orphan == '0);
      b2_l_open_vl: assert (!open_i || 32'(open_vl_i) < VLS);
      // with one VL: what was promised to the packet being received is still there
      if (VLS == 1)
        f1_l_room_for_the_rest: assert (!open_i || 8'(blocks) + 8'(open_n_i - open_a_i) <= 8'(BLOCKS));
    end
  end
endmodule

`default_nettype wire
