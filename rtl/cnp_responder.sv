// CNP responder of an adapter: a FIFO of the CNPs to send, which asks the output port like an input of
// a switch does and puts them on its crossbar. Rule H2; docs/hca.md section 3.
`default_nettype none

module cnp_responder #(
    parameter int VLS = 1,
    parameter int CNPQ = 16,
    parameter int PARITY = 0,
    localparam int VW = (VLS > 1) ? $clog2(VLS) : 1
) (
    input  wire logic           clk_i,
    input  wire logic           rst_i,
    input  wire logic [15:0]    lid_i,
    input  wire logic           push_i,        // answer a packet of this source
    input  wire logic [15:0]    push_dlid_i,
    input  wire logic [3:0]     push_sl_i,
    input  wire logic [VW-1:0]  push_vl_i,
    output logic                full_o,
    output logic      [7:0]     pkts_o,
    output logic                req_valid_o,   // a candidate of VL req_vl_o, one flit
    output logic      [VW-1:0]  req_vl_o,
    output logic      [15:0]    req_dlid_o,
    input  wire logic           grant_i,
    input  wire logic           rd_en_i,
    output logic                act_o,         // a CNP is about to be put on the crossbar
    output logic                sw_valid_o,    // a CNP, on the crossbar
    output logic      [159:0]   sw_header_o,  // its first bytes, the others are 0
    output logic                parity_err_o
);
  localparam int AW = $clog2(CNPQ);
  localparam int EW = 16 + 4 + VW;

  // ---- the FIFO
  logic [AW-1:0] head_q, head_d, tail_q, tail_d;
  logic [AW:0]   fill_q, fill_d;
  logic          push, pop;
  logic          own_err, fifo_err;  // of parity
  logic [EW-1:0] head;

  assign full_o = fill_q == (AW + 1)'(CNPQ);
  assign push = push_i && !full_o;
  assign pop = grant_i && req_valid_o && (!act_o || rd_en_i);

  always_comb begin
    head_d = head_q;
    tail_d = tail_q;
    fill_d = fill_q;
    if (rst_i) begin
      head_d = '0;
      tail_d = '0;
      fill_d = '0;
    end else begin
      if (pop) head_d = head_q + 1'b1;
      if (push) tail_d = tail_q + 1'b1;
      fill_d = fill_q + (AW + 1)'(push) - (AW + 1)'(pop);
    end
  end

  always_ff @(posedge clk_i) begin
    head_q <= head_d;
    tail_q <= tail_d;
    fill_q <= fill_d;
  end

  ram_async #(.DEPTH(CNPQ), .WIDTH(EW), .PARITY(PARITY)) u_fifo (
      .clk_i(clk_i),
      .we_i(push),
      .waddr_i(tail_q),
      .wdata_i({push_dlid_i, push_sl_i, push_vl_i}),
      .raddr_i(head_q),
      .rdata_o(head),
      .used_i(req_valid_o),
      .parity_err_o(fifo_err)
  );

  assign pkts_o = 8'(fill_q);
  assign req_valid_o = fill_q != '0;
  assign req_dlid_o = req_valid_o ? head[EW-1-:16] : '0;
  assign req_vl_o = head[VW-1:0];

  // ---- the CNP granted, then the one on the crossbar
  logic [EW-1:0] cnp_q, cnp_d, sw_q, sw_d;
  logic [15:0]   slid_q, slid_d;
  logic          emit;

  assign emit = act_o && rd_en_i;

  logic act_d, sw_valid_d;

  always_comb begin
    act_d = act_o;
    sw_valid_d = sw_valid_o;
    cnp_d = cnp_q;
    sw_d = sw_q;
    slid_d = slid_q;
    if (rst_i) begin
      act_d = 1'b0;
      sw_valid_d = 1'b0;
    end else begin
      act_d = pop || (act_o && !rd_en_i);
      sw_valid_d = emit;
    end
    if (pop) cnp_d = head;
    if (emit) begin
      sw_d = cnp_q;
      slid_d = lid_i;
    end
  end

  always_ff @(posedge clk_i) begin
    act_o <= act_d;
    sw_valid_o <= sw_valid_d;
    cnp_q <= cnp_d;
    sw_q <= sw_d;
    slid_q <= slid_d;
  end

  logic [159:0] header;

  packet_header u_header (
      .vl_i(4'(sw_q[VW-1:0])),
      .sl_i(sw_q[VW+:4]),
      .dlid_i(sw_q[EW-1-:16]),
      .words_i(11'd10),
      .slid_i(slid_q),
      .opcode_i(quell_pkg::OPCODE_CNP),
      .becn_i(1'b1),
      .qp_i(16'd0),
      .psn_i(24'd0),
      .header_o(header)
  );

  assign sw_header_o = sw_valid_o ? header : '0;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i(clk_i),
      .next_i(^{head_d, tail_d, fill_d, act_d, sw_valid_d, cnp_d, sw_d, slid_d}),
      .now_i(^{head_q, tail_q, fill_q, act_o, sw_valid_o, cnp_q, sw_q, slid_q}),
      .err_o(own_err)
  );

  assign parity_err_o = own_err || fifo_err;
endmodule

`default_nettype wire
