// Detector of an input port with one queue: a head that has asked in vain for so long, while the queue is filled so far, makes
// the output that it wants a root. Rule E1.
`default_nettype none

module detect_wait #(
    parameter int PORTS = 8,
    parameter int FW = 17,
    parameter int PARITY = 0
) (
    input  wire logic             clk_i,
    input  wire logic             rst_i,
    input  wire logic [15:0]      hold_i,      // cycles
    input  wire logic [15:0]      detect_i,    // flits
    input  wire logic             any_i,
    input  wire logic             pop_i,       // the head leaves
    input  wire logic [FW-1:0]    fill_i,
    input  wire logic [PORTS-1:0] head_any_i,  // by output
    input  wire logic [PORTS-1:0] head_cnp_i,
    input  wire logic [PORTS-1:0] asks_i,      // the head's request
    input  wire logic [PORTS-1:0] served_i,    // which is granted
    output logic [PORTS-1:0]      root_o,
    output logic [15:0]           wait_o,      // cycles in vain
    output logic                  parity_err_o
);
  localparam int TW = (FW > 16) ? FW : 16;  // fills beside thresholds

  logic [15:0] wait_q, wait_d;
  logic        due;

  always_comb begin
    wait_d = wait_q;
    if (rst_i || pop_i || !any_i) wait_d = '0;
    else if (asks_i != '0 && wait_q != '1) wait_d = wait_q + 16'd1;
  end

  always_ff @(posedge clk_i) wait_q <= wait_d;

  assign due = wait_q >= hold_i && TW'(fill_i) > TW'(detect_i);
  assign root_o = due ? head_any_i & ~head_cnp_i & ~served_i : '0;
  assign wait_o = wait_q;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^wait_d),
      .now_i(^wait_q),
      .err_o(parity_err_o)
  );
endmodule

`default_nettype wire
