// What comes to an adapter for its reservation: RES and replies of the link, which the receiver has judged, a cycle after they
// came, and the ends of SPEC packets as the host takes them. Rules Q12, Q13, Q16; docs/hca.md section 13.
`default_nettype none

module reservation_arrivals #(
    parameter int FLIT_BYTES = 64
) (
    input  wire logic                    clk_i,
    input  wire logic                    rst_i,
    // from the link
    input  wire logic                    res_i,        // a RES,
    input  wire logic                    reply_i,      // a reply,
    input  wire logic [15:0]             slid_i,
    input  wire logic [3:0]              sl_i,
    input  wire logic [15:0]             flow_i,       // of this flow
    input  wire logic [8*FLIT_BYTES-1:0] data_i,
    output logic                         rin_valid_o,
    output logic [15:0]                  rin_slid_o,
    output logic [3:0]                   rin_sl_o,
    output logic [7:0]                   rin_id_o,
    output logic [15:0]                  rin_size_o,
    output logic                         rep_valid_o,
    output logic [1:0]                   rep_kind_o,
    output logic [15:0]                  rep_flow_o,
    output logic [7:0]                   rep_id_o,
    output logic [7:0]                   rep_seq_o,
    output logic [31:0]                  rep_wait_o,
    // to the host
    input  wire logic                    taken_i,      // the host takes this flit
    input  wire logic                    spec_i,       // of a SPEC packet
    input  wire logic                    first_i,
    input  wire logic                    last_i,
    input  wire logic                    bad_i,
    input  wire logic [8*FLIT_BYTES-1:0] host_data_i,
    output logic                         end_valid_o,  // Mealy, with its fields: it is the end of one
    output logic                         end_bad_o,
    output logic [15:0]                  end_slid_o,
    output logic [3:0]                   end_sl_o,
    output logic [7:0]                   end_id_o,
    output logic [7:0]                   end_seq_o
);
  // ---- of the link
  always_ff @(posedge clk_i) begin
    rin_valid_o <= !rst_i && res_i;
    rin_slid_o <= slid_i;
    rin_sl_o <= sl_i;
    rin_id_o <= data_i[quell_pkg::SRP_LSB +: 8];
    rin_size_o <= quell_pkg::wire16(data_i[quell_pkg::SRP_SIZE_LSB +: 16]);
    rep_valid_o <= !rst_i && reply_i;
    rep_kind_o <= data_i[quell_pkg::BTH_RAW_LSB +: 2];  // opcodes 0xC1 to 0xC3
    rep_flow_o <= flow_i;
    rep_id_o <= data_i[quell_pkg::SRP_LSB +: 8];
    rep_seq_o <= data_i[quell_pkg::SRP_SEQ_LSB +: 8];
    rep_wait_o <= quell_pkg::wire32(data_i[quell_pkg::SRP_WAIT_LSB +: 32]);
  end

  // ---- of the packet that the host takes: from its first flit
  logic [35:0] of_q, head;  // SLID, SL, id, seq

  assign head = first_i ? {quell_pkg::wire16(host_data_i[quell_pkg::SLID_LSB +: 16]), host_data_i[quell_pkg::SL_LSB +: 4],
                           host_data_i[quell_pkg::SRP_LSB +: 8], host_data_i[quell_pkg::SRP_SEQ_LSB +: 8]} : of_q;

  always_ff @(posedge clk_i) if (taken_i) of_q <= head;

  assign end_valid_o = taken_i && spec_i && last_i;
  assign end_bad_o = bad_i;
  assign {end_slid_o, end_sl_o, end_id_o, end_seq_o} = head;

  wire unused = &{1'b0, data_i, host_data_i};
endmodule

`default_nettype wire
