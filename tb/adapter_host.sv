// The host of an adapter of adapter_pair: posts packets of random lengths to random flows, supplies their flits with pauses, takes
// those that come at a random pace, and looks at each: for it, whole, and next in order of its source. For simulation.
`default_nettype none

`ifndef YOSYS
module adapter_host #(
    parameter int FLOWS = 2,  // LIDs begin at 1: flow f goes to LID f + 1
    parameter int LID = 1
) (
    input  wire logic             clk_i,
    input  wire logic             rst_i,
    input  wire logic [31:0]      seed_i,
    input  wire logic             on_i,       // packets are posted
    input  wire logic             probe_i,    // one of each flow is, in as many cycles
    input  wire logic [1:0]       pace_i,     // flits are taken in a cycle of 1, 2, 3, 4
    input  wire logic [FLOWS-1:0] gen_full_i,
    output logic                  gen_valid_o,
    output logic [15:0]           gen_flow_o,
    output logic [6:0]            gen_len_o,
    output logic [23:0]           gen_psn_o,
    input  wire logic             dma_valid_i,
    input  wire logic [15:0]      dma_flow_i,
    input  wire logic [23:0]      dma_psn_i,
    input  wire logic [6:0]       dma_index_i,
    output logic                  dma_ready_o,
    output logic [255:0]          dma_data_o,
    input  wire logic             host_valid_i,
    input  wire logic             host_first_i,
    input  wire logic             host_last_i,
    input  wire logic             host_bad_i,
    input  wire logic [255:0]     host_data_i,
    output logic                  host_ready_o,
    output logic [31:0]           sent_o,     // packets
    output logic [31:0]           got_o,
    output logic                  wrong_o     // one was not as it should be
);
  localparam int FW = $clog2(FLOWS);

  logic [31:0] r_q, r_x, r_y;  // random bits
  assign r_x = r_q ^ (r_q << 13);
  assign r_y = r_x ^ (r_x >> 17);
  always_ff @(posedge clk_i) r_q <= rst_i ? (seed_i ^ (32'h9E37_79B9 * LID)) | 32'd1 : r_y ^ (r_y << 5);

  // ---- posts
  logic [23:0]   psn_q[0:FLOWS-1];
  logic [FW-1:0] flow, probe_q;

  assign flow = probe_i ? probe_q : r_q[8+:FW];
  assign gen_valid_o = (probe_i || (on_i && r_q[1:0] != '0)) && !gen_full_i[flow];
  assign gen_flow_o = 16'(flow);
  assign gen_len_o = 7'd1 + 7'(r_q[17:16]);
  assign gen_psn_o = psn_q[flow];

  always_ff @(posedge clk_i) begin
    probe_q <= rst_i ? '0 : probe_q + FW'(probe_i);
    if (rst_i) begin
      sent_o <= '0;
      for (int f = 0; f < FLOWS; f++) psn_q[f] <= '0;
    end else if (gen_valid_o) begin
      sent_o <= sent_o + 1'b1;
      psn_q[flow] <= psn_q[flow] + 1'b1;
    end
  end

  // ---- flits: who sends what to whom
  assign dma_ready_o = r_q[5:3] != '0;
  assign dma_data_o = !dma_valid_i ? '0 : {8'(LID), dma_flow_i[7:0] + 8'd1, dma_psn_i, 1'b0, dma_index_i, 208'd0};

  // ---- taking
  logic [23:0]   next_q[0:FLOWS-1];
  logic [FW-1:0] from, from_q;
  logic [23:0]   psn, number_q;
  logic [6:0]    index_q, length, length_q;
  logic          open_q;
  logic          unlike;

  assign host_ready_o = (r_q[21:20] & pace_i) == '0;
  assign from = host_first_i ? FW'(host_data_i[56+:8] - 8'd1) : from_q;
  assign psn = host_first_i ? {host_data_i[136+:8], host_data_i[144+:8], host_data_i[152+:8]} : number_q;
  assign length = host_first_i ? {4'd0, host_data_i[44+:3]} : length_q;
  assign unlike = host_first_i == open_q || host_bad_i || host_last_i != (7'd1 + (host_first_i ? 7'd0 : index_q) == length)
      || (host_first_i && psn != next_q[from])
      || host_data_i[208+:48] != {8'(from) + 8'd1, 8'(LID), psn, 1'b0, host_first_i ? 7'd0 : index_q};

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      got_o <= '0;
      wrong_o <= 1'b0;
      open_q <= 1'b0;
      for (int f = 0; f < FLOWS; f++) next_q[f] <= '0;
    end else if (host_valid_i && host_ready_o) begin
      if (unlike) wrong_o <= 1'b1;
      open_q <= !host_last_i;
      from_q <= from;
      number_q <= psn;
      length_q <= length;
      index_q <= host_first_i ? 7'd1 : index_q + 1'b1;
      if (host_last_i) begin
        got_o <= got_o + 1'b1;
        next_q[from] <= psn + 1'b1;
      end
    end
  end

  wire unused = &{1'b0, host_data_i, dma_flow_i};
endmodule
`endif

`default_nettype wire
