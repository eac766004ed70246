// What an adapter with reservation sends of itself: the RES of its register and the replies of its FIFO. Each asks the output
// port on its lane like an input of a switch does; one engine puts what is granted on its crossbar, a flit each. Rules Q1, Q4, Q12,
// Q17, Q22; docs/hca.md sections 3, 13, 14.
`default_nettype none

module reservation_source #(
    parameter int VLS = 4
) (
    input  wire logic        clk_i,
    input  wire logic        rst_i,
    input  wire logic [15:0] lid_i,
    input  wire logic [15:0] lid_base_i,
    // the RES on offer
    input  wire logic        res_valid_i,
    input  wire logic [15:0] res_flow_i,
    input  wire logic [3:0]  res_sl_i,
    input  wire logic [12:0] res_id_i,
    input  wire logic [7:0]  res_n_i,
    input  wire logic [15:0] res_size_i,
    input  wire logic        res_last_i,
    input  wire logic        res_rty_i,
    input  wire logic        res_init_i,
    // the reply
    input  wire logic        out_valid_i,
    input  wire logic [1:0]  out_kind_i,
    input  wire logic [15:0] out_lid_i,
    input  wire logic [3:0]  out_sl_i,
    input  wire logic [12:0] out_id_i,
    input  wire logic [7:0]  out_seq_i,
    input  wire logic [31:0] out_wait_i,
    input  wire logic        out_rty_i,
    input  wire logic        out_init_i,
    // the output port's requesters 1 and 2
    output logic [2*VLS-1:0]    req_valid_o,
    output logic [7*2*VLS-1:0]  req_len_o,
    output logic [16*2*VLS-1:0] req_dlid_o,
    input  wire logic [2*VLS-1:0] grant_i,     // one at most
    input  wire logic        rd_en_i,
    output logic             res_ready_o,      // Mealy: the RES is taken,
    output logic             out_ready_o,      // the reply is
    output logic [1:0]       act_o,            // one is about to be put on the crossbar, of these requesters
    output logic             sw_valid_o,       // and is on it,
    output logic [255:0]     sw_data_o         // its first bytes, the others are 0
);
  localparam int RES = VLS - 2;          // element of the RES
  localparam int REPLY = 2 * VLS - 1;    // of the reply

  // one of them, with all that its flit says but for SLID
  typedef struct packed {
    logic                   res;     // else a reply,
    logic [1:0]             kind;    // of this kind
    logic [15:0]            dlid;
    logic [3:0]             sl;
    quell_pkg::srp_fields_t fields;
  } message_t;

  logic [15:0] res_lid;

  assign res_lid = lid_base_i + res_flow_i;

  always_comb begin
    req_valid_o = '0;
    req_len_o = '0;
    req_dlid_o = '0;
    req_valid_o[RES] = res_valid_i;
    req_valid_o[REPLY] = out_valid_i;
    req_len_o[7*RES+:7] = 7'(res_valid_i);
    req_len_o[7*REPLY+:7] = 7'(out_valid_i);
    if (res_valid_i) req_dlid_o[16*RES+:16] = res_lid;
    if (out_valid_i) req_dlid_o[16*REPLY+:16] = out_lid_i;
  end

  assign res_ready_o = grant_i[RES] && res_valid_i;
  assign out_ready_o = grant_i[REPLY] && out_valid_i;
  wire unused = &{1'b0, grant_i};

  // ---- the one granted, then the one on the crossbar
  message_t    res, reply, next_q, sw_q;
  logic        emit;
  logic [15:0] slid_q;

  assign res = {1'b1, 2'd0, res_lid, res_sl_i, {res_id_i, 8'd0, res_n_i, res_init_i, res_last_i, res_rty_i, res_size_i, 32'd0}};
  assign reply = {1'b0, out_kind_i, out_lid_i, out_sl_i, {out_id_i, out_seq_i, 8'd0, out_init_i, 1'b0, out_rty_i, 16'd0, out_wait_i}};
  assign emit = act_o != '0 && rd_en_i;

  always_ff @(posedge clk_i) begin
    act_o <= {out_ready_o, res_ready_o} | (rd_en_i ? 2'd0 : act_o);
    sw_valid_o <= emit;
    if (res_ready_o) next_q <= res;
    if (out_ready_o) next_q <= reply;
    if (emit) begin
      sw_q <= next_q;
      slid_q <= lid_i;
    end
    if (rst_i) begin
      act_o <= '0;
      sw_valid_o <= 1'b0;
    end
  end

  // ---- its flit
  logic [159:0] header;
  logic [95:0]  bytes;

  packet_header u_header (
      .vl_i(sw_q.res ? 4'(VLS - 2) : 4'(VLS - 1)),
      .sl_i(sw_q.sl),
      .dlid_i(sw_q.dlid),
      .words_i(11'd16),
      .slid_i(slid_q),
      .opcode_i(sw_q.res ? quell_pkg::OPCODE_SRP_RES : quell_pkg::OPCODE_SRP_GRANT - 8'd1 + 8'(sw_q.kind)),
      .marks_i(4'd0),
      .qp_i(16'd0),
      .psn_i(24'd0),
      .header_o(header)
  );

  srp_fields u_fields (
      .fields_i(sw_q.fields),
      .bytes_o(bytes)
  );

  assign sw_data_o = sw_valid_o ? {bytes, header} : '0;
endmodule

`default_nettype wire
