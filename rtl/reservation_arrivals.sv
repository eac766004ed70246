// What comes to an adapter for its reservation: RES and replies of the link, which the receiver has judged, a cycle after they
// came, and the ends of SPEC packets as the host takes them. Rules Q12, Q13, Q15, Q16, Q22; docs/hca.md sections 13, 14.
`default_nettype none

module reservation_arrivals #(
    parameter int FLIT_BYTES = 64,
    parameter int DEDUP = 0
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
    input  wire logic [12:0]             known_i,      // DEDUP: last chunk of the source of the RES
    input  wire logic                    walk_i,       // a packet without reservation begins,
    input  wire logic [6:0]              walk_len_i,   // of so many flits
    output logic                         rin_valid_o,
    output logic [15:0]                  rin_slid_o,
    output logic [3:0]                   rin_sl_o,
    output logic [12:0]                  rin_id_o,
    output logic [15:0]                  rin_size_o,
    output logic                         rin_init_o,
    output logic                         rep_valid_o,
    output logic [1:0]                   rep_kind_o,
    output logic [15:0]                  rep_flow_o,
    output logic [12:0]                  rep_id_o,
    output logic [7:0]                   rep_seq_o,
    output logic [31:0]                  rep_wait_o,
    output logic                         rep_rty_o,
    output logic                         rep_init_o,
    output logic                         walk_valid_o,
    output logic [6:0]                   walk_len_o,
    // to the host
    input  wire logic                    taken_i,      // the host takes this flit
    input  wire logic                    spec_i,       // of a packet whose end is to be told
    input  wire logic                    marker_i,     // or one leaves that stands for a packet which came again
    input  wire logic                    first_i,
    input  wire logic                    last_i,
    input  wire logic                    bad_i,
    input  wire logic [8*FLIT_BYTES-1:0] host_data_i,
    output logic                         end_valid_o,  // Mealy, with its fields: it is the end of one
    output logic                         end_bad_o,
    output logic [15:0]                  end_slid_o,
    output logic [3:0]                   end_sl_o,
    output logic [12:0]                  end_id_o,
    output logic [7:0]                   end_seq_o,
    output logic                         end_rty_o
);
  localparam int INIT = quell_pkg::SRP_FLAGS_LSB + 2;
  localparam int RTY = quell_pkg::SRP_FLAGS_LSB;
  logic init;  // a RES, of a source that was reset

  assign init = DEDUP != 0 && data_i[INIT];

  // ---- of the link
  always_ff @(posedge clk_i) begin
    rin_valid_o <= !rst_i && res_i;
    rin_slid_o <= slid_i;
    rin_sl_o <= sl_i;
    rin_id_o <= init ? known_i : {data_i[quell_pkg::SRP_ID_HIGH_LSB +: 5], data_i[quell_pkg::SRP_LSB +: 8]};
    rin_init_o <= init;
    rin_size_o <= quell_pkg::wire16(data_i[quell_pkg::SRP_SIZE_LSB +: 16]);
    walk_valid_o <= !rst_i && walk_i;
    walk_len_o <= walk_len_i;
    rep_valid_o <= !rst_i && reply_i;
    rep_rty_o <= data_i[RTY];
    rep_init_o <= data_i[INIT];
    rep_kind_o <= data_i[quell_pkg::BTH_RAW_LSB +: 2];  // opcodes 0xC1 to 0xC3
    rep_flow_o <= flow_i;
    rep_id_o <= {data_i[quell_pkg::SRP_ID_HIGH_LSB +: 5], data_i[quell_pkg::SRP_LSB +: 8]};
    rep_seq_o <= data_i[quell_pkg::SRP_SEQ_LSB +: 8];
    rep_wait_o <= quell_pkg::wire32(data_i[quell_pkg::SRP_WAIT_LSB +: 32]);
  end

  // ---- of the packet that the host takes: from its first flit
  logic [41:0] of_q, head;  // SLID, SL, id, seq, R

  assign head = (first_i || marker_i) ? {quell_pkg::wire16(host_data_i[quell_pkg::SLID_LSB +: 16]), host_data_i[quell_pkg::SL_LSB +: 4],
      host_data_i[quell_pkg::SRP_ID_HIGH_LSB +: 5], host_data_i[quell_pkg::SRP_LSB +: 8], host_data_i[quell_pkg::SRP_SEQ_LSB +: 8],
      host_data_i[RTY]} : of_q;

  always_ff @(posedge clk_i) if (taken_i) of_q <= head;

  assign end_valid_o = (taken_i && spec_i && last_i) || marker_i;
  assign end_bad_o = bad_i && !marker_i;
  assign {end_slid_o, end_sl_o, end_id_o, end_seq_o, end_rty_o} = head;

  wire unused = &{1'b0, data_i, host_data_i, known_i, init};
endmodule

`default_nettype wire
