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
  localparam int CW = $clog2(PORTS + 1);

  logic [31:0]         mask_q, mask_d;
  logic [15:0]         lfsr_q, lfsr_d;
  logic [PORTS*CW-1:0] below;  // outputs that lead up below each,
  logic [CW-1:0]       many;   // and all
  logic [15+CW:0]      product;
  logic [CW-1:0]       nth;
  logic [7:0]          drawn;
  logic                up, back_up;

  // The random bits of the next draw: 16 steps, so that no bit is used twice.
  logic [15:0] stepped;

  lfsr_steps #(.STEPS(16)) u_steps (.x_i(lfsr_q), .x_o(stepped));

  always_comb begin
    many = '0;
    for (int o = 0; o < PORTS; o++) begin
      below[o*CW +: CW] = many;
      many = many + CW'(mask_q[o]);
    end
  end
  assign product = (16 + CW)'(lfsr_q) * (16 + CW)'(many);
  assign nth = product[16 +: CW];

  always_comb begin
    drawn = (many == '0) ? NO_ROUTE : '0;
    for (int o = 0; o < PORTS; o++) if (mask_q[o] && below[o*CW +: CW] == nth) drawn = drawn | 8'(o);
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

  wire unused = &{1'b0, product[15:0]};
endmodule

`default_nettype wire
