// What a destination has of each source: its last chunk that is known here, and which packets of that have come; and the PSN behind that
// of the last packet. Packets and RES that came before, and (inorder) SPEC packets before their time, are told apart by it. An operation
// of t reads the source's word, and is judged in t+1, when it is known whether its packet came whole and good. Rules Q21, Q22; docs/reservation.md section 13.
`default_nettype none

module reservation_seen #(
    parameter int FLOWS = 64,
    parameter int NMAX = 16,
    localparam int FW = $clog2(FLOWS)
) (
    input  wire logic             clk_i,
    input  wire logic             rst_i,
    input  wire logic             sweep_i,       // the word of sweep_flow_i becomes 0
    input  wire logic [FW-1:0]    sweep_flow_i,
    input  wire logic             look_i,        // a packet begins,
    input  wire logic             mark_i,        // ends,
    input  wire logic             res_i,         // or a RES is here,
    input  wire logic             init_i,        // of a source that asks for its last chunk,
    input  wire logic [15:0]      flow_i,        // of this source,
    input  wire logic [12:0]      id_i,          // of this chunk,
    input  wire logic [7:0]       seq_i,         // this packet of it
    input  wire logic             spec_i,        // a SPEC packet begins,
    input  wire logic             pass_i,        // or one ends that is not told apart, and has its place in the order
    input  wire logic [23:0]      psn_i,         // it has this PSN
    input  wire logic             inorder_i,     // SPEC packets are taken in order only
    input  wire logic             ok_i,          // what began or ended in the cycle before is whole and good
    output logic                  drop_o,        // what came in the cycle before came too late, or again,
    output logic                  ack_o,         // a packet again, which is to be acknowledged
    output logic [12:0]           known_o,       // a RES: the last chunk of its source
    output logic                  st_we_o,       // the write of the cycle before
    output logic [15:0]           st_addr_o,
    output logic                  st_v_o,
    output logic [12:0]           st_id_o,
    output logic [NMAX-1:0]       st_got_o,
    output logic                  st_nv_o,
    output logic [23:0]           st_next_o
);
  localparam int W = 39 + NMAX;  // {v, id 13, got NMAX, nv, next 24}
  localparam int IW = (NMAX > 1) ? $clog2(NMAX) : 1;

  // ---- the operation, in t+1
  logic          op, look_q, mark_q, res_q, init_q, spec_q, pass_q;
  logic [FW-1:0] flow_q;
  logic [12:0]   id_q;
  logic [23:0]   psn_q;
  logic [IW-1:0] seq_q;

  assign op = !rst_i && !sweep_i && flow_i < 16'(FLOWS);

  always_ff @(posedge clk_i) begin
    look_q <= op && look_i && !res_i;
    mark_q <= op && mark_i && !res_i;
    res_q <= op && res_i;
    init_q <= init_i;
    spec_q <= spec_i;
    pass_q <= op && pass_i && !look_i && !mark_i && !res_i;
    psn_q <= psn_i;
    flow_q <= flow_i[FW-1:0];
    id_q <= id_i;
    seq_q <= (NMAX > 1) ? seq_i[IW-1:0] : '0;
  end

  // ---- its word, as the operation before left it
  logic            we, we_d, last_we_q, v, nv, err;
  logic [FW-1:0]   waddr, last_flow_q;
  logic [W-1:0]    wdata, rdata, word, next_word, last_word_q;
  logic [12:0]     id;
  logic [23:0]     next;
  logic [NMAX-1:0] got, one;

  assign we = we_d || sweep_i;
  assign waddr = sweep_i ? sweep_flow_i : flow_q;
  assign wdata = sweep_i ? '0 : next_word;

  ram_sync #(.DEPTH(FLOWS), .WIDTH(W)) u_words (
      .clk_i,
      .we_i(we),
      .waddr_i(waddr),
      .wdata_i(wdata),
      .re_i(1'b1),
      .raddr_i(flow_i[FW-1:0]),
      .rdata_o(rdata),
      .used_i(1'b1),
      .parity_err_o(err)
  );

  always_ff @(posedge clk_i) begin
    last_we_q <= we_d && !rst_i;
    last_flow_q <= flow_q;
    last_word_q <= next_word;
  end

  assign word = (last_we_q && last_flow_q == flow_q) ? last_word_q : rdata;
  assign {v, id, got, nv, next} = word;

  // ---- verdict
  logic [12:0] rel;
  logic        newer, same, older, has, early;
  logic        takes, passes, asks, ends;  // writes: a packet that is told apart, another one; a RES, one of a source that was reset

  assign one = NMAX'(1) << seq_q;
  assign rel = id_q - id;
  assign same = v && rel == '0;
  assign older = v && rel[12];
  assign newer = !same && !older;
  assign has = (got & one) != '0;
  assign early = inorder_i && spec_q && !(nv && next == psn_q);
  assign drop_o = (look_q && ((same && has) || older || early)) || (res_q && !init_q && older);
  assign ack_o = look_q && same && has;
  assign known_o = !res_q ? '0 : v ? id : id_q;

  assign takes = ok_i && mark_q && !older;
  assign passes = ok_i && pass_q;
  assign asks = ok_i && res_q && !init_q && newer;
  assign ends = ok_i && res_q && init_q;
  assign we_d = takes || passes || asks || ends;

  always_comb begin
    next_word = word;
    if (takes || asks) next_word[W-1:25] = {1'b1, id_q, asks ? {NMAX{1'b0}} : same ? got | one : one};
    if (takes || passes) next_word[24:0] = {1'b1, psn_q + 24'd1};
    if (ends) next_word[24:0] = '0;
  end

  always_ff @(posedge clk_i) begin
    st_we_o <= we_d && !rst_i;
    {st_addr_o, st_v_o, st_id_o, st_got_o, st_nv_o, st_next_o} <= '0;
    if (we_d && !rst_i) {st_addr_o, st_v_o, st_id_o, st_got_o, st_nv_o, st_next_o} <= {16'(flow_q), next_word};
  end

  wire unused = &{1'b0, err, seq_i};  // without parity

`ifdef QUELL_CHECK
  reservation_seen_checker #(.FLOWS(FLOWS), .NMAX(NMAX)) u_check (
      .clk_i, .rst_i,
      .ready_i(!sweep_i),
      .look_i, .mark_i, .res_i, .init_i, .flow_i, .id_i, .seq_i, .spec_i, .pass_i, .psn_i, .inorder_i, .ok_i,
      .drop_i(drop_o),
      .ack_i(ack_o),
      .known_i(known_o),
      .we_i(st_we_o)
  );
`endif
endmodule

`default_nettype wire
