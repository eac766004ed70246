// Receive FIFO of an adapter: flits with their flags and VL, in a memory with synchronous read. The
// oldest flit is shown from registers one cycle after it was stored, so also when it was the only one.
// docs/hca.md section 4.
`default_nettype none

module receive_fifo #(
    parameter int DEPTH = 256,
    parameter int WIDTH = 8,
    parameter int PARITY = 0
) (
    input  wire logic              clk_i,
    input  wire logic              rst_i,
    input  wire logic              push_i,   // never beyond DEPTH
    input  wire logic [WIDTH-1:0]  data_i,
    input  wire logic              pop_i,    // only with valid_o
    output logic                   valid_o,
    output logic      [WIDTH-1:0]  data_o,  // undefined without valid_o
    output logic                   parity_err_o
);
  localparam int AW = (DEPTH > 1) ? $clog2(DEPTH) : 1;
  localparam int CW = $clog2(DEPTH + 1);

  logic [AW-1:0]    head_q, head_d, tail_q, tail_d, head;
  logic [CW-1:0]    fill_q, fill_d;
  logic             show, bypass;  // another flit will be shown; it is the one just stored
  logic             bypass_q, bypass_d;
  logic             own_err, ram_err;  // of parity
  logic [WIDTH-1:0] stored, bypass_data_q, bypass_data_d;

  function automatic logic [AW-1:0] after(input logic [AW-1:0] p);
    after = (p == AW'(DEPTH - 1)) ? '0 : p + 1'b1;
  endfunction

  assign head = pop_i ? after(head_q) : head_q;
  assign show = pop_i || fill_q == '0;
  assign bypass = show && push_i && tail_q == head;

  always_comb begin
    head_d = head_q;
    tail_d = tail_q;
    fill_d = fill_q;
    bypass_d = bypass_q;
    bypass_data_d = bypass_data_q;
    if (rst_i) begin
      head_d = '0;
      tail_d = '0;
      fill_d = '0;
    end else begin
      head_d = head;
      if (push_i) tail_d = after(tail_q);
      fill_d = fill_q + CW'(push_i) - CW'(pop_i);
    end
    if (show) bypass_d = bypass;
    if (bypass) bypass_data_d = data_i;
  end

  always_ff @(posedge clk_i) begin
    head_q <= head_d;
    tail_q <= tail_d;
    fill_q <= fill_d;
    bypass_q <= bypass_d;
    bypass_data_q <= bypass_data_d;
  end

  ram_sync #(.DEPTH(DEPTH), .WIDTH(WIDTH), .PARITY(PARITY)) u_ram (
      .clk_i,
      .we_i(push_i),
      .waddr_i(tail_q),
      .wdata_i(data_i),
      .re_i(show && !bypass),
      .raddr_i(head),
      .rdata_o(stored),
      .used_i(valid_o && !bypass_q),
      .parity_err_o(ram_err)
  );

  assign valid_o = fill_q != '0;
  assign data_o = bypass_q ? bypass_data_q : stored;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{head_d, tail_d, fill_d, bypass_d, bypass_data_d}),
      .now_i(^{head_q, tail_q, fill_q, bypass_q, bypass_data_q}),
      .err_o(own_err)
  );

  assign parity_err_o = own_err || ram_err;
endmodule

`default_nettype wire
