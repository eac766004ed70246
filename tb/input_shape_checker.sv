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
    parameter int ISOLATION = 1,  // there are hot queues
    parameter int MARKERS = 0,    // a descriptor says whether its packet is markable
    parameter int RW = 4,         // bits of what ACKs are charged in a hot queue
    localparam int PV = PORTS * VLS,
    localparam int VW = (VLS > 1) ? $clog2(VLS) : 1,
    localparam int HW = (HPQS > 1) ? $clog2(HPQS) : 1,
    localparam int DW = OW + 24,
    localparam int WW = DW + ((ISOLATION != 0) ? 1 : 0) + ((MARKERS != 0) ? 1 : 0),  // of a word with it
    localparam int MW = $clog2(MTU + 1),                    // of a length
    localparam int BW = $clog2(BLOCKS + 1),
    localparam int FW = $clog2((BLOCKS + PORTS) * MTU + 1)  // of a charge
) (
    input wire logic clk_i,
    input wire logic rst_i
);
  // ---- what is looked at in the port (scripts/prove_model.py makes the connections)
  (* view = "u_buffer.u_pool.map" *) logic [(BLOCKS+31)/32*32-1:0] free_map;
  (* view = "st_used_o" *) logic [VLS*16-1:0] used_count;
  // queues: cold ones, then hot ones
  (* view = "cold_id" *) logic [NQ*AW-1:0] cold_head;
  (* view = "hot_id" *) logic [HPQS*AW-1:0] hot_head;
  (* view = "g_org.u_org.pkts" *) logic [NQ*CW-1:0] cold_pkts;
  (* view = "st_hpq_pkts_o" *) logic [HPQS*16-1:0] hot_pkts;
  (* view = "st_cpq_fill_o" *) logic [PV*16-1:0] cold_fill;
  (* view = "st_hpq_fill_o" *) logic [HPQS*16-1:0] hot_fill;
  (* view = "g_isolation.u_isolation.u_acks.fill_o", absent = (ISOLATION == 0) *) logic [HPQS*RW-1:0] acks_fill;
  (* view = "g_org.u_org.u_lists.u_next.all" *) logic [BLOCKS*AW-1:0] cold_link;
  (* view = "g_isolation.u_isolation.u_lists.u_next.all", absent = (ISOLATION == 0) *) logic [BLOCKS*AW-1:0] hot_link;
  // of each packet, by its first block; links from block to block
  (* view = "u_descriptors.all" *) logic [BLOCKS*WW-1:0] descs;
  (* view = "u_buffer.u_stored.all" *) logic [BLOCKS*7-1:0] stored;
  (* view = "u_buffer.u_links.all" *) logic [BLOCKS*AW-1:0] link;
  // the packet being received
  (* view = "rx_open" *) logic open;
  (* view = "open_id" *) logic [AW-1:0] open_id;
  (* view = "open_tail" *) logic [AW-1:0] open_tail;
  (* view = "open_a" *) logic [6:0] open_a;
  (* view = "u_framer.n_q" *) logic [6:0] open_n;
  (* view = "u_framer.ctx_vl_q" *) logic [VW-1:0] open_vl;
  // engines
  (* view = "xb_act_o" *) logic [PORTS-1:0] act;
  (* view = "u_buffer.g_engine[*].u_engine.open_q" *) logic [PORTS-1:0] load_open;
  (* view = "u_buffer.g_engine[*].u_engine.n_q" *) logic [PORTS*7-1:0] load_n;
  (* view = "u_buffer.g_engine[*].u_engine.a_q" *) logic [PORTS*7-1:0] load_a;
  (* view = "u_buffer.g_engine[*].u_engine.r_q" *) logic [PORTS*7-1:0] load_r;
  (* view = "u_buffer.g_engine[*].u_engine.paid_q" *) logic [PORTS-1:0] load_paid;  // its charge left at its grant
  (* view = "rd_block" *) logic [PORTS*AW-1:0] rd_block;
  (* view = "rd_vl" *) logic [PORTS*VW-1:0] rd_vl;
  (* view = "rd_ack" *) logic [PORTS-1:0] rd_ack;  // an ACK of a hot queue
  (* view = "rd_hot" *) logic [PORTS-1:0] rd_hot;
  (* view = "rd_hpq" *) logic [PORTS*HW-1:0] rd_hpq;
  // lines
  (* view = "st_line_state_o" *) logic [LINES*2-1:0] line_state;
  (* view = "st_line_out_o" *) logic [LINES*8-1:0] line_out;
  (* view = "st_line_queue_o" *) logic [LINES*16-1:0] line_queue;

  // ---- what is seen
  logic [(NQ+HPQS)*BLOCKS*DW-1:0] place;  // descriptor of each place in each queue
  logic [BLOCKS-1:0]         used;          // blocks that are not free
  logic [BLOCKS-1:0]         seen;
  logic                      twice, bad_count, bad_tail, bad_open;
  logic [7:0]                opens;         // places that the packet being received is in
  logic [PORTS-1:0]          orphan;        // reads of a hot queue whose line is of another output
  logic [(NQ+HPQS)*FW-1:0]   charge;        // what the packets in and of each queue are charged
  logic [NQ*16-1:0]          cold_charge;
  logic [HPQS*16-1:0]        hot_charge;
  logic [HPQS*RW-1:0]        acks_charge;  // of ACKs alone
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
    place = '0;
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
    acks_charge = '0;
    is_open = 1'b0;
    for (int q = 0; q < NQ + HPQS; q++) begin
      at = (q < NQ) ? cold_head[((q < NQ) ? q : 0)*AW +: AW] : hot_head[((q < NQ) ? 0 : q - NQ)*AW +: AW];
      for (int i = 0; i < BLOCKS; i++) begin
        desc = descs[at*WW +: DW];
        place[(q*BLOCKS+i)*DW +: DW] = desc;
        n = desc[22:16];
        is_open = open && at == open_id;
        count = is_open ? open_a : (n == 7'd1) ? 7'd1 : stored[at*7 +: 7];
        if ((q < NQ) ? CW'(i) < cold_pkts[((q < NQ) ? q : 0)*CW +: CW]
            : 16'(i) < hot_pkts[((q < NQ) ? 0 : q - NQ)*16 +: 16]) begin
          named[q*BLOCKS + 32'(at)] = 1'b1;
          if (n == '0 || n > 7'(MTU) || count == '0 || count > n) bad_count = 1'b1;
          if (is_open) begin
            opens = opens + 8'd1;
            if (n != open_n) bad_open = 1'b1;
          end
          block = at;
          for (int j = 0; j < MTU; j++) begin
            if (7'(j) < count) begin
              if (seen[block]) twice = 1'b1;
              seen[block] = 1'b1;
              if (is_open && 7'(j + 1) == count && block != open_tail) bad_tail = 1'b1;
              block = link[block*AW +: AW];
            end
          end
        end
        at = (q < NQ) ? cold_link[at*AW +: AW] : hot_link[at*AW +: AW];
      end
    end
    for (int o = 0; o < PORTS; o++) begin
      is_open = load_open[o];
      n = load_n[o*7 +: 7];
      a = is_open ? open_a : load_a[o*7 +: 7];
      r = load_r[o*7 +: 7];
      block = rd_block[o*AW +: AW];
      if (act[o]) begin
        if (is_open) begin
          opens = opens + 8'd1;
          if (n != open_n) bad_open = 1'b1;
        end
        if (n > 7'(MTU) || r > a) bad_count = 1'b1;
        // the last block is read and free, and so no other packet's: only the packet being received takes blocks
        if (is_open && r == a && used[open_tail]) bad_tail = 1'b1;
        rest = load_paid[o] ? '0 : n[MW-1:0] - r[MW-1:0];
        if (32'(rd_vl[o*VW +: VW]) >= VLS || (rd_hot[o] && 32'(rd_hpq[o*HW +: HW]) >= HPQS)) lost[o] = 1'b1;
        for (int j = 0; j < MTU; j++) begin
          if (7'(j) < a - r) begin
            if (seen[block]) twice = 1'b1;
            seen[block] = 1'b1;
            if (is_open && 7'(j + 1) == a - r && block != open_tail) bad_tail = 1'b1;
            block = link[block*AW +: AW];
          end
        end
        for (int q = 0; q < NQ; q++)
          if (!rd_hot[o] && (ONE_QUEUE != 0 || (q / VLS == o && rd_vl[o*VW +: VW] == VW'(q % VLS))))
            charge[q*FW +: FW] = charge[q*FW +: FW] + FW'(rest);
        for (int h = 0; h < HPQS; h++) begin
          if (rd_hot[o] && rd_hpq[o*HW +: HW] == HW'(h)) begin
            charge[(NQ+h)*FW +: FW] = charge[(NQ+h)*FW +: FW] + FW'(rest);
            if (rd_ack[o]) acks_charge[h*RW +: RW] = acks_charge[h*RW +: RW] + RW'(rest);
            owned = 1'b0;
            for (int k = 0; k < LINES; k++)
              if (line_state[k*2+1] && line_queue[k*16 +: 16] == 16'(PV + h)
                  && line_out[k*8 +: 8] == 8'(o)) owned = 1'b1;
            if (!owned && !load_paid[o]) orphan[o] = 1'b1;
          end
        end
      end else if (is_open) begin
        bad_open = 1'b1;
      end
    end
    for (int q = 0; q < NQ + HPQS; q++) begin
      for (int b = 0; b < BLOCKS; b++) begin
        charge[q*FW +: FW] = charge[q*FW +: FW] + (named[q*BLOCKS+b] ? FW'(descs[b*WW+16 +: MW]) : '0);
        if (ISOLATION != 0 && q >= NQ)
          acks_charge[((q < NQ) ? 0 : q - NQ)*RW +: RW] = acks_charge[((q < NQ) ? 0 : q - NQ)*RW +: RW]
              + ((named[q*BLOCKS+b] && descs[b*WW+((ISOLATION != 0) ? DW : 0)]) ? RW'(descs[b*WW+16 +: MW]) : '0);
      end
      if (q < NQ) cold_charge[((q < NQ) ? q : 0)*16 +: 16] = 16'(charge[q*FW +: FW]);
      else hot_charge[((q < NQ) ? 0 : q - NQ)*16 +: 16] = 16'(charge[q*FW +: FW]);
    end
    blocks = '0;
    for (int b = 0; b < BLOCKS; b++) blocks = blocks + BW'(used[b]);
  end

  assign used = ~free_map[BLOCKS-1:0];

  logic [15:0] used_sum;
  always_comb begin
    used_sum = '0;
    for (int v = 0; v < VLS; v++) used_sum = used_sum + used_count[v*16 +: 16];
  end

  always @(posedge clk_i) begin
    if (!rst_i) begin
      b1_l_block_in_one_place: assert (!twice && seen == used);
      b1_l_used_are_counted: assert (used_sum == 16'(blocks));
      b1_l_cold_charge: assert (cold_fill[NQ*16-1:0] == cold_charge);
      b1_l_hot_charge: assert (hot_fill == hot_charge);
      e5_l_acks_charge: assert (ISOLATION == 0 || acks_fill == acks_charge);
      b1_l_reads_of_a_queue: assert (lost == '0);
      b2_l_open_in_one_place: assert (opens == 8'(open) && !bad_open);
      b2_l_open_incomplete: assert (!open || (open_a != '0 && open_a < open_n && open_n <= 7'(MTU)));
      b2_l_open_tail: assert (!bad_tail);
      b2_l_counts: assert (!bad_count);
      e6_l_reads_of_its_line: assert (orphan == '0);
      b2_l_open_vl: assert (!open || 32'(open_vl) < VLS);
      // with one VL: what was promised to the packet being received is still there
      if (VLS == 1)
        f1_l_room_for_the_rest: assert (!open || 8'(blocks) + 8'(open_n - open_a) <= 8'(BLOCKS));
    end
  end
endmodule

`default_nettype wire
