// CNP responder of an adapter: a FIFO of the CNPs to send, which asks the output port like an input of
// a switch does and puts them on its crossbar. Rule H2; docs/hca.md section 3.
`default_nettype none

module cnp_responder #(
    parameter int VLS = 1,
    parameter int CNPQ = 16,
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
    output logic      [159:0]   sw_header_o    // its first bytes, the others are 0
);
  localparam int AW = $clog2(CNPQ);
  localparam int EW = 16 + 4 + VW;

  // ---- the FIFO
  logic [AW-1:0] head_q, tail_q;
  logic [AW:0]   fill_q;
  logic          push, pop;
  logic [EW-1:0] head;

  assign full_o = fill_q == (AW + 1)'(CNPQ);
  assign push = push_i && !full_o;
  assign pop = grant_i && req_valid_o && (!act_o || rd_en_i);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      head_q <= '0;
      tail_q <= '0;
      fill_q <= '0;
    end else begin
      if (pop) head_q <= head_q + 1'b1;
      if (push) tail_q <= tail_q + 1'b1;
      fill_q <= fill_q + (AW + 1)'(push) - (AW + 1)'(pop);
    end
  end

  ram_async #(.DEPTH(CNPQ), .WIDTH(EW)) u_fifo (
      .clk_i(clk_i),
      .we_i(push),
      .waddr_i(tail_q),
      .wdata_i({push_dlid_i, push_sl_i, push_vl_i}),
      .raddr_i(head_q),
      .rdata_o(head)
  );

  assign pkts_o = 8'(fill_q);
  assign req_valid_o = fill_q != '0;
  assign req_dlid_o = req_valid_o ? head[EW-1-:16] : '0;
  assign req_vl_o = head[VW-1:0];

  // ---- the CNP granted, then the one on the crossbar
  logic [EW-1:0] cnp_q, sw_q;
  logic [15:0]   slid_q;
  logic          emit;

  assign emit = act_o && rd_en_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      act_o <= 1'b0;
      sw_valid_o <= 1'b0;
    end else begin
      act_o <= pop || (act_o && !rd_en_i);
      sw_valid_o <= emit;
    end
    if (pop) cnp_q <= head;
    if (emit) begin
      sw_q <= cnp_q;
      slid_q <= lid_i;
    end
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
endmodule

`default_nettype wire
