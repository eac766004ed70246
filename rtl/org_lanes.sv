// Queue organisation of an input port with the lanes of speculative reservation: a cold queue for each output and data lane, one
// FIFO for each of spec, res and reply, whose head is seen by the output that it goes to. The head of spec may have become a
// NACK, which goes elsewhere and has one flit, or be kept from asking. Ports as those of org_voq. Rules B1, A2, Q2, Q7.
`default_nettype none

module org_lanes #(
    parameter int PORTS = 8,
    parameter int VLS = 4,
    parameter int BLOCKS = 1152,
    parameter int MOST = 512,  // blocks of the largest lane
    parameter int FW = 15,
    localparam int D = VLS - 3,  // data lanes; the spec lane
    localparam int NQ = PORTS * D + 3,
    localparam int PV = PORTS * VLS,
    localparam int OW = (PORTS > 1) ? $clog2(PORTS) : 1,
    localparam int VW = $clog2(VLS),
    localparam int AW = (BLOCKS > 1) ? $clog2(BLOCKS) : 1,
    localparam int CW = $clog2(MOST + 1),
    localparam int DESC_W = OW + 24
) (
    input  wire logic                 clk_i,
    input  wire logic                 rst_i,
    // a packet comes
    input  wire logic                 accept_i,
    input  wire logic [OW-1:0]        accept_out_i,
    input  wire logic [VW-1:0]        accept_vl_i,
    input  wire logic [6:0]           accept_n_i,
    input  wire logic [AW-1:0]        accept_id_i,
    // the head of spec
    input  wire logic                 nack_i,       // is a NACK,
    input  wire logic [OW-1:0]        nack_out_i,   // for this output
    input  wire logic                 hidden_i,     // or asks for nothing
    // requests and grants
    input  wire logic [PV-1:0]        req_valid_i,
    input  wire logic [PV-1:0]        grant_i,
    input  wire logic                 release_i,    // a packet's charge leaves at its grant
    // engines: what they do, and what they and the discard engine release
    input  wire logic [PORTS-1:0]     rd_en_i,
    input  wire logic [PORTS-1:0]     act_i,
    input  wire logic [PORTS-1:0]     end_i,
    input  wire logic [PORTS*7-1:0]   rd_release_i,
    input  wire logic [PORTS*VW-1:0]  rd_vl_i,
    input  wire logic [6:0]           discard_release_i,
    output logic [PORTS-1:0]          free_o,       // the engine can take a packet
    output logic [PV-1:0]             served_o,     // grants that are served
    // the queues
    output logic [NQ-1:0]             any_o,
    output logic [NQ*AW-1:0]          id_o,         // packet at the head
    input  wire logic [NQ*DESC_W-1:0] desc_i,       // {output, desc_t} of it
    output logic                      spec_any_o,
    output logic                      spec_pop_o,
    output logic [AW-1:0]             spec_id_o,
    output logic [6:0]                spec_n_o,     // of the packet that came
    // heads by output and VL
    output logic [PV-1:0]             head_any_o,
    output logic [PV*AW-1:0]          head_id_o,
    output logic [PV*7-1:0]           head_n_o,
    output logic [PV*16-1:0]          head_dlid_o,
    output logic [PV-1:0]             head_cnp_o,
    output logic [PV-1:0]             head_nack_o,
    output logic [PV*FW-1:0]          fill_o,       // of data
    output logic [PV*7-1:0]           gone_o,       // charges of data that leave at a grant
    // state
    output logic [PV*16-1:0]          st_pkts_o,
    output logic [PV*16-1:0]          st_fill_o
);
  localparam int SPEC = PORTS * D;  // the queue of the spec lane; res and reply come next
  localparam int QW = $clog2(NQ);
  localparam int RW = 7 + $clog2(PORTS + 1);  // what all engines release

  logic [QW-1:0]    accept_q;
  logic [NQ-1:0]    pop;
  logic [NQ*CW-1:0] pkts;
  logic [NQ*FW-1:0] fill;
  logic [NQ*RW-1:0] leaves;
  logic [NQ*7-1:0]  gone;
  logic [1:0]       unused_err;  // of parity

  assign accept_q = (accept_vl_i < VW'(D)) ? QW'(accept_out_i) * QW'(D) + QW'(accept_vl_i)
      : QW'(SPEC - D) + QW'(accept_vl_i);

  queue_lists #(
      .N     (NQ),
      .BLOCKS(BLOCKS), .CAP(MOST)
  ) u_lists (
      .clk_i, .rst_i,
      .push_i      (accept_i),
      .push_q_i    (accept_q),
      .push_id_i   (accept_id_i),
      .pop_i       (pop),
      .any_o,
      .head_o      (id_o),
      .pkts_o      (pkts),
      .parity_err_o(unused_err[0])
  );

  queue_fill #(
      .N (NQ),
      .FW(FW), .RW(RW)
  ) u_fill (
      .clk_i, .rst_i,
      .add_i       (accept_i),
      .add_q_i     (accept_q),
      .add_n_i     (accept_n_i),
      .move_i      (1'b0),
      .move_q_i    ('0),
      .move_n_i    ('0),
      .release_i   (leaves),
      .grant_i     (gone),
      .fill_o      (fill),
      .parity_err_o(unused_err[1])
  );

  // ---- of an output's VLs the lowest with a valid request is served
  for (genvar o = 0; o < PORTS; o++) begin : g_output
    logic [VLS-1:0] good;
    assign free_o[o] = !act_i[o] || end_i[o];
    assign good = grant_i[o*VLS +: VLS] & req_valid_i[o*VLS +: VLS] & {VLS{!act_i[o] || rd_en_i[o]}};
    assign served_o[o*VLS +: VLS] = good & (~good + 1'b1);
  end

  // ---- data: each output its own queue
  for (genvar q = 0; q < SPEC; q++) begin : g_data
    localparam int O = q / D;
    localparam int V = q % D;
    localparam int R = O * VLS + V;  // its request
    quell_pkg::desc_t head;
    logic             unused;        // its output is known
    assign {unused, head} = {^desc_i[q*DESC_W+24 +: OW], desc_i[q*DESC_W +: 24]};
    assign pop[q] = served_o[R];
    assign leaves[q*RW +: RW] = (rd_vl_i[O*VW +: VW] == VW'(V)) ? RW'(rd_release_i[O*7 +: 7]) : '0;
    assign gone[q*7 +: 7] = (release_i && pop[q]) ? head.n : '0;
    assign head_any_o[R] = any_o[q];
    assign head_id_o[R*AW +: AW] = id_o[q*AW +: AW];
    assign head_n_o[R*7 +: 7] = head.n;
    assign head_dlid_o[R*16 +: 16] = head.dlid;
    assign head_cnp_o[R] = head.cnp;
    assign head_nack_o[R] = 1'b0;
    assign fill_o[R*FW +: FW] = fill[q*FW +: FW];
    assign gone_o[R*7 +: 7] = gone[q*7 +: 7];
    assign st_pkts_o[R*16 +: 16] = 16'(pkts[q*CW +: CW]);
    assign st_fill_o[R*16 +: 16] = 16'(fill[q*FW +: FW]);
  end

  // ---- spec, res, reply: one queue each
  for (genvar k = 0; k < 3; k++) begin : g_fifo
    localparam int Q = SPEC + k;
    localparam int V = D + k;
    quell_pkg::desc_t head;
    logic [OW-1:0]    out;
    logic             nack, asks;
    logic [6:0]       n;
    logic [RW-1:0]    released;
    logic [PORTS-1:0] served;

    assign nack = k == 0 && nack_i;
    assign asks = any_o[Q] && !(k == 0 && hidden_i);
    assign head = desc_i[Q*DESC_W +: 24];
    assign out = nack ? nack_out_i : desc_i[Q*DESC_W+24 +: OW];
    assign n = nack ? 7'd1 : head.n;
    assign pop[Q] = served != '0;
    assign gone[Q*7 +: 7] = (release_i && pop[Q]) ? n : '0;
    assign leaves[Q*RW +: RW] = released;

    always_comb begin
      released = (k == 0) ? RW'(discard_release_i) : '0;
      for (int o = 0; o < PORTS; o++)
        if (rd_vl_i[o*VW +: VW] == VW'(V)) released = released + RW'(rd_release_i[o*7 +: 7]);
    end

    for (genvar o = 0; o < PORTS; o++) begin : g_output
      localparam int R = o * VLS + V;
      assign served[o] = served_o[R];
      assign head_any_o[R] = asks && out == OW'(o);
      assign head_id_o[R*AW +: AW] = id_o[Q*AW +: AW];
      assign head_n_o[R*7 +: 7] = n;
      assign head_dlid_o[R*16 +: 16] = head.dlid;
      assign head_cnp_o[R] = head.cnp;
      assign head_nack_o[R] = nack;
      assign fill_o[R*FW +: FW] = '0;
      assign gone_o[R*7 +: 7] = '0;
      assign st_pkts_o[R*16 +: 16] = (o == 0) ? 16'(pkts[Q*CW +: CW]) : '0;
      assign st_fill_o[R*16 +: 16] = (o == 0) ? 16'(fill[Q*FW +: FW]) : '0;
    end

    if (k == 0) begin : g_spec
      assign spec_any_o = any_o[Q];
      assign spec_pop_o = pop[Q];
      assign spec_id_o = id_o[Q*AW +: AW];
      assign spec_n_o = head.n;
    end
  end
endmodule

`default_nettype wire
