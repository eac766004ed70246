// Registers of injection control; reading. A write shows in the next cycle, and so does what is read. The threshold is not kept here
// (`selftune` has it): its write is passed on. docs/injection-control.md, Registers. Rule C1.
`default_nettype none

module injection_regs #(
    parameter int PORTS = 5,
    parameter int VLS = 16
) (
    input  wire logic        clk_i,
    input  wire logic        rst_i,
    input  wire logic        we_i,
    input  wire logic        re_i,
    input  wire logic [7:0]  addr_i,
    input  wire logic [31:0] data_i,
    output logic             alo_o,           // the scheme
    output logic             self_tuned_o,
    output logic             count_router_o,
    output logic [PORTS-1:0] channels_o,
    output logic [15:0]      hold_max_o,
    output logic [3:0]       gather_o,
    output logic [15:0]      up_o,
    output logic [15:0]      down_o,
    output logic [VLS-1:0]   be_o,            // best-effort lanes
    output logic [23:0]      all_o,
    output logic             t_we_o,          // Mealy: the threshold takes data_i
    input  wire logic [23:0] t_i,
    output logic             rvalid_o,
    output logic [31:0]      rdata_o
);
  localparam int D = VLS - 2;  // lanes of data
  localparam logic [15:0] DATA = 16'((1 << D) - 1);

  logic [1:0]  scheme_q;
  logic [15:0] channels_q, be_q;
  logic [31:0] value;

  assign t_we_o = we_i && addr_i == quell_pkg::IC_T;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      scheme_q <= '0;
      count_router_o <= 1'b1;
      channels_q <= 16'((1 << PORTS) - 1);
      hold_max_o <= '1;
      gather_o <= 4'd5;
      up_o <= 16'd15;
      be_q <= quell_pkg::best_effort_lanes(D);
      down_o <= 16'd61;
      all_o <= 24'd1536;
    end else if (we_i) begin
      case (addr_i)
        quell_pkg::IC_CTRL: {count_router_o, scheme_q} <= data_i[2:0];
        quell_pkg::IC_CHANNELS: channels_q <= data_i[15:0];
        quell_pkg::IC_HOLD_MAX: hold_max_o <= data_i[15:0];
        quell_pkg::IC_GATHER: gather_o <= data_i[3:0];
        quell_pkg::IC_UP: up_o <= data_i[15:0];
        quell_pkg::IC_BE_MASK: be_q <= data_i[15:0];
        quell_pkg::IC_DOWN: down_o <= data_i[15:0];
        quell_pkg::IC_ALL: all_o <= data_i[23:0];
        default: ;
      endcase
    end
  end

  assign alo_o = scheme_q == quell_pkg::IC_ALO;
  assign self_tuned_o = scheme_q == quell_pkg::IC_SELF_TUNED;
  assign channels_o = channels_q[PORTS-1:0];
  assign be_o = VLS'(be_q & DATA);

  // C1: what is read, as it is before a write of the same cycle
  always_comb begin
    case (addr_i)
      quell_pkg::IC_CTRL: value = 32'({count_router_o, scheme_q});
      quell_pkg::IC_CHANNELS: value = 32'(channels_q);
      quell_pkg::IC_HOLD_MAX: value = 32'(hold_max_o);
      quell_pkg::IC_GATHER: value = 32'(gather_o);
      quell_pkg::IC_UP: value = 32'(up_o);
      quell_pkg::IC_BE_MASK: value = 32'(be_q);
      quell_pkg::IC_DOWN: value = 32'(down_o);
      quell_pkg::IC_ALL: value = 32'(all_o);
      quell_pkg::IC_T: value = 32'(t_i);
      default: value = '0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || !re_i) begin
      rvalid_o <= 1'b0;
      rdata_o <= '0;
    end else begin
      rvalid_o <= 1'b1;
      rdata_o <= value;
    end
  end

  wire unused = &{1'b0, data_i};
endmodule

`default_nettype wire
