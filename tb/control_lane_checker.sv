// The control lane of an output (CTL_VL = 1), by its requests, grants and credit alone: who goes before whom, that it is a matter of
// the lane, that neither side takes the other's credit, and that data are not stopped. Instantiated by switch_output_port; for
// simulation. Rule CL1; docs/output-port.md section 15.
`default_nettype none

module control_lane_checker #(
    parameter int PORTS = 3,
    parameter int VLS = 2,
    parameter int MTU = 4,
    localparam int N = PORTS * VLS,
    localparam int D = VLS - 1  // the control lane
) (
    input wire logic              clk_i,
    input wire logic              rst_i,
    input wire logic              plain_i,
    input wire logic              free_i,
    input wire logic [N-1:0]      req_valid_i,
    input wire logic [7*N-1:0]    req_len_i,
    input wire logic [12*VLS-1:0] fccl_i,
    input wire logic [12*VLS-1:0] txr_i,
    input wire logic [N-1:0]      grant_i,
    input wire logic [VLS-1:0]    waited_i,
    input wire logic [VLS-1:0]    rooted_i
);
  logic           first_q, control_fits, control_goes, data_goes;
  logic [VLS-1:0] data_asks, data_fits, lane_goes, due;

  function automatic logic ready(input logic [11:0] ahead, input logic [11:0] need);
    ready = ahead >= need && ahead <= 12'd2048 + need;
  endfunction

  always_comb begin
    control_fits = 1'b0;
    data_asks = '0;
    data_fits = '0;
    lane_goes = '0;
    for (int i = 0; i < PORTS; i++) begin
      lane_goes = lane_goes | grant_i[i*VLS+:VLS];
      if (req_valid_i[i*VLS+D] && ready(fccl_i[12*D+:12] - txr_i[12*D+:12], 12'(req_len_i[7*(i*VLS+D)+:7]))) control_fits = 1'b1;
      for (int v = 0; v < D; v++)
        if (req_valid_i[i*VLS+v]) begin
          data_asks[v] = 1'b1;
          data_fits[v] = ready(fccl_i[12*v+:12] - txr_i[12*v+:12], 12'(MTU));
        end
    end
    control_goes = lane_goes[D];
    data_goes = (lane_goes & ~(VLS'(1) << D)) != '0;
  end

  // control packets that went while data of the VL asked, since data of it went
  logic [6*D-1:0] past_q;

  for (genvar v = 0; v < D; v++) begin : g_vl
    assign due[v] = data_fits[v] && past_q[6*v+:6] >= 6'd32;
    always_ff @(posedge clk_i) begin
      if (rst_i || plain_i || lane_goes[v]) past_q[6*v+:6] <= '0;
      else if (control_goes && data_asks[v] && past_q[6*v+:6] != 6'd63) past_q[6*v+:6] <= past_q[6*v+:6] + 6'd1;
    end
  end
  assign due[D] = 1'b0;

  always_ff @(posedge clk_i) begin
    first_q <= rst_i;
    if (!rst_i && !first_q && !plain_i) begin
      cl1_control_first: assert (!data_goes || !control_fits || due != '0);
      cl1_data_in_a_flood: assert (!control_goes || due == '0);
      cl1_free_is_used: assert (!free_i || grant_i != '0 || !(control_fits || data_fits != '0));
      cl1_own_credit: assert (!control_goes || control_fits);
    end
    if (!rst_i && !first_q) cl1_no_root_test: assert (!waited_i[D] && rooted_i[D]);
  end

  wire unused = &{1'b0, data_asks};
endmodule

`default_nettype wire
