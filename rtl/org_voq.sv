// Queue organisation of an input port: a cold queue for each output and VL. Which grants are served, what enters and
// leaves the queues, and their heads as the outputs see them. Rules B1, A2.
`default_nettype none

module org_voq #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int BLOCKS = 2048,
    parameter int CAP = 2048,
    parameter int FW = 17,
    parameter int PARITY = 0,
    localparam int NQ = PORTS * VLS,  // its queues
    localparam int PV = PORTS * VLS,
    localparam int OW = (PORTS > 1) ? $clog2(PORTS) : 1,
    localparam int VW = (VLS > 1) ? $clog2(VLS) : 1,
    localparam int QW = (PV > 1) ? $clog2(PV) : 1,
    localparam int AW = (BLOCKS > 1) ? $clog2(BLOCKS) : 1,
    localparam int CW = $clog2(CAP + 1),
    localparam int DESC_W = OW + 24
) (
    input  wire logic                 clk_i,
    input  wire logic                 rst_i,
    // a packet comes
    input  wire logic                 accept_i,
    input  wire logic [QW-1:0]        accept_q_i,   // its output and VL
    input  wire logic [6:0]           accept_n_i,
    input  wire logic [AW-1:0]        accept_id_i,
    // one goes to a hot queue
    input  wire logic                 move_i,
    input  wire logic [PV-1:0]        move_from_i,  // one-hot
    input  wire logic [QW-1:0]        move_q_i,
    input  wire logic [6:0]           move_n_i,
    // requests and grants
    input  wire logic [PV-1:0]        req_valid_i,
    input  wire logic [PV-1:0]        req_hot_i,
    input  wire logic [PV-1:0]        grant_i,
    input  wire logic                 release_i,    // a packet's charge leaves at its grant
    // engines: what they do, and what they release of packets of this VL, hot or not
    input  wire logic [PORTS-1:0]     rd_en_i,
    input  wire logic [PORTS-1:0]     act_i,
    input  wire logic [PORTS-1:0]     end_i,
    input  wire logic [PORTS*7-1:0]   rd_release_i,
    input  wire logic [PORTS*VW-1:0]  rd_vl_i,
    input  wire logic [PORTS-1:0]     rd_hot_i,
    output logic [PORTS-1:0]          free_o,       // the engine can take a packet
    output logic [PV-1:0]             served_o,     // grants that are served
    // the queues
    output logic [NQ-1:0]             any_o,
    output logic [NQ*AW-1:0]          id_o,         // packet at the head
    input  wire logic [NQ*DESC_W-1:0] desc_i,       // {output, desc_t} of it
    output logic [NQ-1:0]             pop_o,
    output logic [NQ*OW-1:0]          out_o,        // where it goes
    // heads by output and VL
    output logic [PV-1:0]             head_any_o,
    output logic [PV*AW-1:0]          head_id_o,
    output logic [PV*7-1:0]           head_n_o,
    output logic [PV*16-1:0]          head_dlid_o,
    output logic [PV-1:0]             head_cnp_o,
    output logic [NQ*FW-1:0]          fill_o,
    output logic [NQ*7-1:0]           gone_o,       // charges that leave at a grant
    // state
    output logic [PV*16-1:0]          st_pkts_o,
    output logic [PV*16-1:0]          st_fill_o,
    output logic                      parity_err_o
);
  logic [NQ*CW-1:0] pkts;
  logic [NQ*7-1:0]  leaves;  // flits that leave each queue's charge
  logic             lists_err, fill_err;

  queue_lists #(
      .N     (NQ),
      .BLOCKS(BLOCKS), .CAP(CAP), .PARITY(PARITY)
  ) u_lists (
      .clk_i, .rst_i,
      .push_i      (accept_i),
      .push_q_i    (accept_q_i),
      .push_id_i   (accept_id_i),
      .pop_i       (pop_o),
      .any_o,
      .head_o      (id_o),
      .pkts_o      (pkts),
      .parity_err_o(lists_err)
  );

  queue_fill #(
      .N (NQ),
      .FW(FW), .PARITY(PARITY)
  ) u_fill (
      .clk_i, .rst_i,
      .add_i       (accept_i),
      .add_q_i     (accept_q_i),
      .add_n_i     (accept_n_i),
      .move_i, .move_q_i, .move_n_i,
      .release_i   (leaves),
      .grant_i     (gone_o),
      .fill_o,
      .parity_err_o(fill_err)
  );

  // ---- of an output's VLs the lowest with a valid request is served
  for (genvar o = 0; o < PORTS; o++) begin : g_output
    logic [VLS-1:0] good;
    assign free_o[o] = !act_i[o] || end_i[o];
    assign good = grant_i[o*VLS +: VLS] & req_valid_i[o*VLS +: VLS] & {VLS{!act_i[o] || rd_en_i[o]}};
    assign served_o[o*VLS +: VLS] = good & (~good + 1'b1);
  end

  for (genvar q = 0; q < NQ; q++) begin : g_queue
    localparam int O = q / VLS;
    quell_pkg::desc_t head;
    assign leaves[q*7 +: 7] = (!rd_hot_i[O] && rd_vl_i[O*VW +: VW] == VW'(q % VLS)) ? rd_release_i[O*7 +: 7] : '0;
    assign gone_o[q*7 +: 7] = (release_i && served_o[q] && !req_hot_i[q]) ? head.n : '0;
    assign {out_o[q*OW +: OW], head} = desc_i[q*DESC_W +: DESC_W];
    assign head_cnp_o[q] = head.cnp;
    assign head_n_o[q*7 +: 7] = head.n;
    assign head_dlid_o[q*16 +: 16] = head.dlid;
    assign st_pkts_o[q*16 +: 16] = 16'(pkts[q*CW +: CW]);
    assign st_fill_o[q*16 +: 16] = 16'(fill_o[q*FW +: FW]);
  end

  assign pop_o = (served_o & ~req_hot_i) | move_from_i;
  assign head_any_o = any_o;
  assign head_id_o = id_o;
  assign parity_err_o = lists_err || fill_err;
endmodule

`default_nettype wire
