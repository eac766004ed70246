// What an input port takes on its control lane, by the link's pins: replies of one flit, and nothing else; what is refused is told.
// Instantiated by switch_input_port with CTL_VL = 1; for simulation. Rule CL3; docs/input-port.md section 1.
`default_nettype none

module class_checker #(
    parameter int VLS = 2,
    parameter int FLIT_W = 512,
    localparam int VW = (VLS > 1) ? $clog2(VLS) : 1
) (
    input wire logic              clk_i,
    input wire logic              rst_i,
    input wire logic              run_i,
    input wire logic              link_up_i,
    input wire logic              rx_valid_i,
    input wire logic              rx_first_i,
    input wire logic [FLIT_W-1:0] rx_data_i,
    // a cycle later
    input wire logic              accept_i,
    input wire logic [VW-1:0]     accept_vl_i,
    input wire logic              extend_i,
    input wire logic [VW-1:0]     store_vl_i,
    input wire logic              told_i        // BAD_CLASS
);
  logic       first_q, there_q, reply_q, short_q, live_q;
  logic [7:0] opcode;
  logic       bth;

  always_comb begin
    opcode = rx_data_i[71:64];
    bth = rx_data_i[9:8] == 2'd2;
    if (FLIT_W == 512 && rx_data_i[9:8] == 2'd3) begin
      opcode = rx_data_i[384%FLIT_W+:8];
      bth = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    live_q <= !rst_i;
    first_q <= !rst_i && run_i && link_up_i && rx_valid_i && rx_first_i;
    there_q <= rx_data_i[7:4] == 4'(VLS - 1);
    reply_q <= bth && (opcode == 8'h80 || opcode[4:0] == 5'h11);
    // 1 to 16 words
    short_q <= rx_data_i[34:32] == '0 && rx_data_i[47:45] == '0 && rx_data_i[44:40] != '0 && rx_data_i[44:40] <= 5'd16;
    if (!rst_i && live_q) begin
      cl3_in_refusal_is_told: assert (told_i == (first_q && there_q && !(reply_q && short_q)));
      cl3_in_takes_replies: assert (!accept_i || accept_vl_i != VW'(VLS - 1) || (first_q && there_q && reply_q && short_q));
      cl3_in_no_long_packet: assert (!extend_i || store_vl_i != VW'(VLS - 1));
    end
  end

  wire unused = &{1'b0, rx_data_i};
endmodule

`default_nettype wire
