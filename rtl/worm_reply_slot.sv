// Reply slot of an input of the wormhole router: the one answer that the input owes to a probe, a message of ten flits. It is a source of
// its own beside the FIFO of the input's reply lane, whose messages must not wait for it, and takes turns with it where both ask for
// one lane, or can send. It keeps the header; the other flits are 0. Rule YA3.
`default_nettype none

module worm_reply_slot #(
    parameter int PORTS = 5,
    localparam int OW = $clog2(PORTS)
) (
    input  wire logic                  clk_i,
    input  wire logic                  rst_i,
    // a probe is answered
    input  wire logic                  fill_i,
    input  wire logic                  ack_i,
    input  wire quell_pkg::worm_head_t head_i,       // the probe
    input  wire logic [15:0]           node_id_i,
    output logic                       empty_o,
    // the way to its sender, in the cycle after
    input  wire logic [7:0]            way_i,
    output logic                       no_way_o,     // Mealy: there is none
    // the reply lane
    output logic                       asks_o,       // it asks for the lane of its output,
    input  wire logic                  grant_i,      // gets it,
    output logic                       own_o,        // owns it
    input  wire logic                  goes_i,       // a flit of the slot goes
    input  wire logic                  served_i,     // slot or FIFO had what both wanted:
    input  wire logic                  fifo_i,       // the FIFO
    output logic                       last_o,       // a flit of the slot is the tail
    output logic                       crosses_o,    // what went in the cycle before was of the slot:
    output logic [129:0]               flit_o,       // first, last, data
    // state
    output logic [3:0]                 left_o,
    output logic                       routed_o,
    output logic [OW-1:0]              way_o,
    output logic                       turn_o
);
  localparam logic [3:0] FLITS = 4'd10;
  localparam logic [10:0] PKT_LEN = 11'd40;  // in words of four bytes

  logic                  asked_q;  // filled in the cycle before
  quell_pkg::worm_head_t head_q;
  logic                  ack_q;
  logic [15:0]           node_q;
  logic                  first_q, last_q;
  logic                  goes;
  logic [127:0]          header;

  assign empty_o = left_o == '0;
  assign no_way_o = asked_q && way_i >= 8'(PORTS);
  assign asks_o = routed_o && !own_o;
  assign goes = goes_i;
  assign last_o = left_o == 4'd1;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      asked_q <= 1'b0;
      left_o <= '0;
      routed_o <= 1'b0;
      way_o <= '0;
      own_o <= 1'b0;
      turn_o <= 1'b0;
      crosses_o <= 1'b0;
    end else begin
      asked_q <= fill_i;
      if (fill_i) left_o <= FLITS;
      else if (no_way_o) left_o <= '0;
      else if (goes) left_o <= left_o - 4'd1;
      if (asked_q && !no_way_o) begin
        routed_o <= 1'b1;
        way_o <= way_i[OW-1:0];
      end else if (goes && last_o) begin
        routed_o <= 1'b0;
        way_o <= '0;
      end
      if (grant_i) own_o <= 1'b1;
      else if (goes && last_o) own_o <= 1'b0;
      if (served_i) turn_o <= fifo_i;
      crosses_o <= goes;
    end
    if (fill_i) begin
      head_q <= head_i;
      ack_q <= ack_i;
      node_q <= node_id_i;
    end
    first_q <= left_o == FLITS;
    last_q <= last_o;
  end

  assign header = {
    quell_pkg::wire16(node_q), head_q.bw, head_q.conn, head_q.flags, ack_q ? quell_pkg::WT_ACK : quell_pkg::WT_NACK,
    head_q.dlid, PKT_LEN[7:0], head_q.lrh4, PKT_LEN[10:8], head_q.slid, head_q.lrh0
  };
  assign flit_o = {first_q, last_q, first_q ? header : 128'd0};

  wire unused = &{1'b0, way_i, head_q.probe, head_q.release_, head_q.node};
endmodule

`default_nettype wire
