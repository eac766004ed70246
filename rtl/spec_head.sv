// The head of an input's FIFO of speculative packets: how long it has queued, whether that is too long, and when it is dropped
// and so a NACK. What it must know of a packet goes through a FIFO of its own, in step with the packets. Rules Q5, Q6, Q7;
// docs/input-port.md section 16.
`default_nettype none

module spec_head #(
    parameter int PORTS = 8,
    parameter int DEPTH = 512,  // packets
    localparam int OW = (PORTS > 1) ? $clog2(PORTS) : 1
) (
    input  wire logic          clk_i,
    input  wire logic          rst_i,
    input  wire logic          drop_en_i,
    input  wire logic [14:0]   ttw_i,
    // a packet comes
    input  wire logic          push_i,
    input  wire logic [15:0]   push_age_i,   // that its header says
    input  wire logic [OW-1:0] push_back_i,  // where its NACK would go
    // the head
    input  wire logic          any_i,        // there is one
    input  wire logic          pop_i,        // it leaves
    input  wire logic          busy_i,       // the last one that was dropped is still discarded
    output logic               nack_o,       // it was dropped
    output logic               hidden_o,     // it is expired, and asks for nothing
    output logic               drop_o,       // it is dropped in this cycle
    output logic [OW-1:0]      back_o,
    output logic [15:0]        age_o,        // with which it would leave, saturating
    // state
    output logic [15:0]        st_now_o,
    output logic [15:0]        st_age_o,
    output logic [15:0]        st_waited_o,
    output logic [31:0]        st_cnt_o      // packets dropped
);
  localparam int PW = (DEPTH > 1) ? $clog2(DEPTH) : 1;
  localparam int WORD_W = 32 + OW;

  logic [15:0]       now_q, now_d;
  logic [PW-1:0]     put_q, put_d, get_q, get_d;
  logic              nack_q, nack_d;
  logic [31:0]       cnt_q, cnt_d;
  logic [WORD_W-1:0] word;
  logic [15:0]       stamp, age, waited;
  logic [16:0]       sum;
  logic              unused_err;  // of parity

  ram_async #(
      .DEPTH(DEPTH),
      .WIDTH(WORD_W)
  ) u_packets (
      .clk_i,
      .we_i        (push_i),
      .waddr_i     (put_q),
      .wdata_i     ({push_back_i, push_age_i, now_q + 16'd1}),
      .raddr_i     (get_q),
      .rdata_o     (word),
      .used_i      (1'b0),
      .parity_err_o(unused_err)
  );

  assign {back_o, age, stamp} = word;
  assign waited = now_q - stamp;
  assign sum = {1'b0, age} + {1'b0, waited};
  assign age_o = sum[16] ? '1 : sum[15:0];
  assign nack_o = nack_q;
  assign hidden_o = any_i && !nack_q && drop_en_i && sum > {2'b0, ttw_i};
  assign drop_o = hidden_o && !busy_i;

  always_comb begin
    now_d = now_q + 16'd1;
    put_d = put_q;
    get_d = get_q;
    nack_d = (nack_q && !pop_i) || drop_o;
    cnt_d = cnt_q;
    if (push_i) put_d = (put_q == PW'(DEPTH - 1)) ? '0 : put_q + 1'b1;
    if (pop_i) get_d = (get_q == PW'(DEPTH - 1)) ? '0 : get_q + 1'b1;
    if (drop_o && cnt_q != '1) cnt_d = cnt_q + 32'd1;
    if (rst_i) begin
      now_d = '0;
      put_d = '0;
      get_d = '0;
      nack_d = 1'b0;
      cnt_d = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    now_q <= now_d;
    put_q <= put_d;
    get_q <= get_d;
    nack_q <= nack_d;
    cnt_q <= cnt_d;
  end

  assign st_now_o = now_q;
  assign st_age_o = any_i ? age : '0;
  assign st_waited_o = any_i ? waited : '0;
  assign st_cnt_o = cnt_q;
endmodule

`default_nettype wire
