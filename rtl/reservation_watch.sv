// What an adapter with DEDUP hears of its link, in front of its receiver: flits and credits go through a register, and in the cycle
// before the receiver judges one, the table of sources is asked whether its packet came before. Rules Q21, Q22; docs/hca.md section 14.
`default_nettype none

module reservation_watch #(
    parameter int FLOWS = 64,
    parameter int FLIT_BYTES = 64,
    localparam int DW = 8 * FLIT_BYTES
) (
    input  wire logic           clk_i,
    input  wire logic           rst_i,
    input  wire logic           ready_i,
    input  wire logic           link_up_i,
    input  wire logic [15:0]    lid_base_i,
    input  wire logic           rx_valid_i,
    input  wire logic           rx_first_i,
    input  wire logic           rx_last_i,
    input  wire logic           rx_bad_i,
    input  wire logic [DW-1:0]  rx_data_i,
    input  quell_pkg::credit_t  fctbs_i,
    // a cycle later
    output logic                link_up_o,
    output logic                rx_valid_o,
    output logic                rx_first_o,
    output logic                rx_last_o,
    output logic                rx_bad_o,
    output logic [DW-1:0]       rx_data_o,
    output quell_pkg::credit_t  fctbs_o,
    output logic                strange_o,     // a packet or RES that would be told apart, of a source that is nobody's
    // of this cycle, for the table
    output logic                see_look_o,
    output logic                see_mark_o,
    output logic                see_res_o,
    output logic                see_init_o,
    output logic [15:0]         see_flow_o,
    output logic [12:0]         see_id_o,
    output logic [7:0]          see_seq_o,
    output logic                see_spec_o,    // a SPEC packet begins
    output logic                see_pass_o,    // a packet ends that is not told apart, and has its place in the order
    output logic [23:0]         see_psn_o
);
  localparam int PSN_LSB = quell_pkg::BTH_RAW_LSB + quell_pkg::BTH_PSN;
  logic        flit, first, plain, packet, pass, res, known, open_q, pass_q;
  logic [7:0]  opcode;
  logic [15:0] flow;
  logic [60:0] of, of_q;  // flow, id, seq, PSN of the packet

  assign flit = ready_i && link_up_i && rx_valid_i;
  assign first = flit && rx_first_i;
  assign plain = rx_data_i[quell_pkg::LNH_LSB +: 2] == 2'd2;
  assign opcode = rx_data_i[quell_pkg::BTH_RAW_LSB +: 8];
  assign packet = plain && (opcode == quell_pkg::OPCODE_SRP_SPEC
      || (opcode == quell_pkg::OPCODE_SRP_GRANTED && rx_data_i[quell_pkg::SRP_FLAGS_LSB]));
  assign pass = plain && (opcode == quell_pkg::OPCODE_SEND_ONLY
      || (opcode == quell_pkg::OPCODE_SRP_GRANTED && !rx_data_i[quell_pkg::SRP_FLAGS_LSB]));
  assign res = plain && opcode == quell_pkg::OPCODE_SRP_RES;
  assign flow = quell_pkg::wire16(rx_data_i[quell_pkg::SLID_LSB +: 16]) - lid_base_i;
  assign known = flow < 16'(FLOWS);
  assign of = rx_first_i ? {flow, rx_data_i[quell_pkg::SRP_ID_HIGH_LSB +: 5], rx_data_i[quell_pkg::SRP_LSB +: 8],
      rx_data_i[quell_pkg::SRP_SEQ_LSB +: 8], quell_pkg::wire24(rx_data_i[PSN_LSB +: 24])} : of_q;

  assign see_look_o = first && packet && known;
  assign see_mark_o = flit && rx_last_i && (rx_first_i ? packet && known : open_q);
  assign see_pass_o = flit && rx_last_i && (rx_first_i ? pass && known : pass_q);
  assign see_spec_o = see_look_o && opcode == quell_pkg::OPCODE_SRP_SPEC;
  assign see_res_o = first && res && known;
  assign see_init_o = rx_data_i[quell_pkg::SRP_FLAGS_LSB + 2];
  assign {see_flow_o, see_id_o, see_seq_o, see_psn_o} = of;

  always_ff @(posedge clk_i) begin
    if (rst_i || !link_up_i) {open_q, pass_q} <= '0;
    else if (first) {open_q, pass_q} <= {packet, pass} & {2{known && !rx_last_i}};
    else if (flit && rx_last_i) {open_q, pass_q} <= '0;
    if (first) of_q <= of;
    link_up_o <= rst_i || link_up_i;
    rx_valid_o <= !rst_i && ready_i && rx_valid_i;
    rx_first_o <= rx_first_i;
    rx_last_o <= rx_last_i;
    rx_bad_o <= rx_bad_i;
    rx_data_o <= rx_data_i;
    fctbs_o <= fctbs_i;
    fctbs_o.valid <= !rst_i && ready_i && fctbs_i.valid;
    strange_o <= !rst_i && first && (packet || res) && !known;
  end
endmodule

`default_nettype wire
