// Queue organisation of an input port: one cold queue for all outputs, of one VL, and one engine that reads at a time. Its
// head is seen by the output that it goes to. Ports as those of org_voq. Rules B1, A2.
`default_nettype none

module org_one_queue #(
    parameter int PORTS = 8,
    parameter int BLOCKS = 2048,
    parameter int CAP = 2048,
    parameter int FW = 17,
    parameter int PARITY = 0,
    localparam int OW = (PORTS > 1) ? $clog2(PORTS) : 1,
    localparam int AW = (BLOCKS > 1) ? $clog2(BLOCKS) : 1,
    localparam int CW = $clog2(CAP + 1),
    localparam int DESC_W = OW + 24
) (
    input  wire logic                clk_i,
    input  wire logic                rst_i,
    // a packet comes
    input  wire logic                accept_i,
    input  wire logic [6:0]          accept_n_i,
    input  wire logic [AW-1:0]       accept_id_i,
    // one goes to a hot queue
    input  wire logic                move_i,
    input  wire logic [6:0]          move_n_i,
    // requests and grants
    input  wire logic [PORTS-1:0]    req_valid_i,
    input  wire logic [PORTS-1:0]    req_hot_i,
    input  wire logic [PORTS-1:0]    grant_i,
    input  wire logic                release_i,   // a packet's charge leaves at its grant
    // engines: what they do, and what they release of packets, hot or not
    input  wire logic [PORTS-1:0]    rd_en_i,
    input  wire logic [PORTS-1:0]    act_i,
    input  wire logic [PORTS-1:0]    end_i,
    input  wire logic [PORTS*7-1:0]  rd_release_i,
    input  wire logic [PORTS-1:0]    rd_hot_i,
    output logic [PORTS-1:0]         free_o,      // the engine can take a packet
    output logic [PORTS-1:0]         served_o,    // grants that are served
    // the queue
    output logic                     any_o,
    output logic [AW-1:0]            id_o,        // packet at the head
    input  wire logic [DESC_W-1:0]   desc_i,      // {output, desc_t} of it
    output logic                     pop_o,
    output logic [OW-1:0]            out_o,       // where it goes
    // the head by output
    output logic [PORTS-1:0]         head_any_o,
    output logic [PORTS*AW-1:0]      head_id_o,
    output logic [PORTS*7-1:0]       head_n_o,
    output logic [PORTS*16-1:0]      head_dlid_o,
    output logic [PORTS-1:0]         head_cnp_o,
    output logic [FW-1:0]            fill_o,
    // state
    output logic [PORTS*16-1:0]      st_pkts_o,
    output logic [PORTS*16-1:0]      st_fill_o,
    output logic                     parity_err_o
);
  logic [CW-1:0]    pkts;
  logic [6:0]       leaves;  // flits that leave the queue's charge
  logic [PORTS-1:0] good;
  quell_pkg::desc_t head;
  logic             lists_err, fill_err;

  queue_lists #(
      .N     (1),
      .BLOCKS(BLOCKS), .CAP(CAP), .PARITY(PARITY)
  ) u_lists (
      .clk_i, .rst_i,
      .push_i      (accept_i),
      .push_q_i    (1'b0),
      .push_id_i   (accept_id_i),
      .pop_i       (pop_o),
      .any_o,
      .head_o      (id_o),
      .pkts_o      (pkts),
      .parity_err_o(lists_err)
  );

  queue_fill #(
      .N (1),
      .FW(FW), .PARITY(PARITY)
  ) u_fill (
      .clk_i, .rst_i,
      .add_i       (accept_i),
      .add_q_i     (1'b0),
      .add_n_i     (accept_n_i),
      .move_i,
      .move_q_i    (1'b0),
      .move_n_i,
      .release_i   (leaves),
      .grant_i     ((release_i && (served_o & ~req_hot_i) != '0) ? head.n : 7'd0),
      .fill_o,
      .parity_err_o(fill_err)
  );

  // ---- of all outputs the lowest with a valid request is served
  assign free_o = {PORTS{(act_i & ~end_i) == '0}};
  assign good = ((act_i & ~rd_en_i) == '0) ? grant_i & req_valid_i : '0;
  assign served_o = good & (~good + 1'b1);
  assign pop_o = |(served_o & ~req_hot_i) || move_i;

  always_comb begin
    leaves = '0;
    for (int o = 0; o < PORTS; o++) if (!rd_hot_i[o]) leaves = leaves | rd_release_i[o*7 +: 7];
  end

  assign {out_o, head} = desc_i;
  for (genvar o = 0; o < PORTS; o++) begin : g_output
    assign head_any_o[o] = any_o && out_o == OW'(o);
  end
  assign head_id_o = {PORTS{id_o}};
  assign head_n_o = {PORTS{head.n}};
  assign head_dlid_o = {PORTS{head.dlid}};
  assign head_cnp_o = {PORTS{head.cnp}};
  assign st_pkts_o = (PORTS * 16)'(pkts);
  assign st_fill_o = (PORTS * 16)'(16'(fill_o));
  assign parity_err_o = lists_err || fill_err;
endmodule

`default_nettype wire
