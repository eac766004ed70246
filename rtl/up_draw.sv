// A route of *any up port* becomes one of the outputs that lead up, drawn anew for each packet; the way there and the way back of
// one packet are the same. The registers of the draw: which outputs lead up, and the LFSR. Rule UP1.
`default_nettype none

module up_draw #(
    parameter int PORTS = 8,
    parameter int BACK = 0
) (
    input  wire logic        clk_i,
    input  wire logic        rst_i,
    input  wire logic        we_i,    // register write
    input  wire logic [7:0]  addr_i,
    input  wire logic [31:0] data_i,
    input  wire logic        head_i,  // a header is judged,
    input  wire logic [7:0]  entry_i,  // with this entry of its destination,
    input  wire logic [7:0]  back_entry_i,  // with BACK of its source
    output logic [7:0]       route_o,
    output logic [7:0]       back_o,
    output logic [31:0]      mask_o,
    output logic [15:0]      lfsr_o
);
  localparam logic [7:0] ANY_UP = 8'hFE;
  localparam logic [7:0] NO_ROUTE = 8'hFF;

  logic [31:0]         mask_q, mask_d;
  logic [15:0]         lfsr_q, lfsr_d;
  logic [PORTS-1:0]    one;
  logic [7:0]          drawn;
  logic                up, back_up;

  // The random bits of the next draw: 16 steps, so that no bit is used twice.
  logic [15:0] stepped;

  lfsr_steps #(.STEPS(16)) u_steps (.x_i(lfsr_q), .x_o(stepped));

  draw_one #(.N(PORTS)) u_draw (.set_i(mask_q[PORTS-1:0]), .x_i(lfsr_q), .one_o(one));

  always_comb begin
    drawn = (one == '0) ? NO_ROUTE : '0;
    for (int o = 0; o < PORTS; o++) if (one[o]) drawn = drawn | 8'(o);
  end

  assign up = entry_i == ANY_UP;
  assign back_up = BACK != 0 && back_entry_i == ANY_UP;
  assign route_o = up ? drawn : entry_i;
  assign back_o = back_up ? drawn : back_entry_i;

  always_comb begin
    mask_d = mask_q;
    lfsr_d = lfsr_q;
    if (rst_i) begin
      mask_d = '0;
      lfsr_d = 16'hACE1;
    end else begin
      if (head_i && (up || back_up)) lfsr_d = stepped;
      if (we_i && addr_i == quell_pkg::IP_UP_MASK) mask_d = data_i;
      if (we_i && addr_i == quell_pkg::IP_UP_SEED) lfsr_d = (data_i[15:0] == '0) ? 16'd1 : data_i[15:0];
    end
  end

  always_ff @(posedge clk_i) begin
    mask_q <= mask_d;
    lfsr_q <= lfsr_d;
  end

  assign mask_o = mask_q;
  assign lfsr_o = lfsr_q;
endmodule

`default_nettype wire
