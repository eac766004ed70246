// Table of the flows that send with reservations: a word a flow in a memory with synchronous read, and what the choice of the next
// operation looks at of all flows at once, in flip-flops. The word of the flow looked at in t is shown in t+1 as the write
// of t left it, and may be written then. A word is {st 3, byp, id 13, n 7, rem 16, mpsn 24, mlast 7, todo NMAX, out NMAX,
// time, ...}. Rules Q16, Q22; docs/reservation.md sections 4, 13.
`default_nettype none

module reservation_table #(
    parameter int FLOWS = 64,
    parameter int NMAX = 16,
    parameter int WORD_W = 71 + 2 * 16 + 32,
    localparam int FW = $clog2(FLOWS)
) (
    input  wire logic              clk_i,
    input  wire logic              rst_i,
    input  wire logic              sweep_i,       // the word of sweep_flow_i becomes 0
    input  wire logic [FW-1:0]     sweep_flow_i,
    input  wire logic [FW-1:0]     flow_i,        // the flow looked at
    input  wire logic              we_i,          // write to the flow looked at in the cycle before
    input  wire logic [WORD_W-1:0] word_i,
    output logic [FW-1:0]          flow_o,        // that flow, and its word
    output logic [WORD_W-1:0]      word_o,
    output logic [FLOWS-1:0]       idle_o,
    output logic [FLOWS-1:0]       rs_o,          // asks for a RES
    output logic [FLOWS-1:0]       sp_o,          // has a packet for the speculative lane
    output logic [FLOWS-1:0]       go_o,          // has a packet for a data lane
    output logic [FLOWS-1:0]       wt_o           // waits for its time
);
  localparam int TODO_LSB = WORD_W - 71 - NMAX;

  logic              we, last_we_q, err;
  logic [FW-1:0]     waddr, last_flow_q;
  logic [WORD_W-1:0] wdata, rdata, last_word_q;

  always_comb begin
    we = we_i;
    waddr = flow_o;
    wdata = word_i;
    if (sweep_i) begin
      we = 1'b1;
      waddr = sweep_flow_i;
      wdata = '0;
    end
  end

  ram_sync #(.DEPTH(FLOWS), .WIDTH(WORD_W)) u_words (
      .clk_i,
      .we_i(we),
      .waddr_i(waddr),
      .wdata_i(wdata),
      .re_i(1'b1),
      .raddr_i(flow_i),
      .rdata_o(rdata),
      .used_i(1'b1),
      .parity_err_o(err)
  );

  // The memory shows the old word when it is written in the cycle in which it is read.
  always_ff @(posedge clk_i) begin
    flow_o <= flow_i;
    last_we_q <= we_i && !rst_i;
    last_flow_q <= flow_o;
    last_word_q <= word_i;
  end

  assign word_o = (last_we_q && last_flow_q == flow_o) ? last_word_q : rdata;

  // ---- what all see of a flow
  logic [2:0] st;
  logic       more;  // something is to be sent

  assign st = word_i[WORD_W-1-:3];
  assign more = word_i[TODO_LSB+:NMAX] != '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      idle_o <= {FLOWS{1'b1}};
      rs_o <= '0;
      sp_o <= '0;
      go_o <= '0;
      wt_o <= '0;
    end else if (we_i) begin
      idle_o[flow_o] <= st == quell_pkg::SR_IDLE;
      rs_o[flow_o] <= st == quell_pkg::SR_RESW;
      sp_o[flow_o] <= st == quell_pkg::SR_SPEC && more;
      go_o[flow_o] <= st == quell_pkg::SR_GO && more;
      wt_o[flow_o] <= st == quell_pkg::SR_WAIT;
    end
  end

  wire unused = &{1'b0, err};  // without parity
endmodule

`default_nettype wire
