// Who goes first at an output with the lanes of speculative reservation, by its requests, grants and credit alone: replies before
// all else and each in its turn, no lane for the credit of another, no packet passed for ever by shorter ones. Instantiated by
// switch_output_port with SRP = 1; for simulation. Rules Q1, Q3, Q7; docs/output-port.md section 16.
`default_nettype none

module srp_output_checker #(
    parameter int PORTS = 3,
    parameter int VLS = 4,
    localparam int N = PORTS * VLS,
    localparam int D = VLS - 3  // the spec lane
) (
    input wire logic              clk_i,
    input wire logic              rst_i,
    input wire logic              link_up_i,
    input wire logic              free_i,
    input wire logic [N-1:0]      req_valid_i,
    input wire logic [7*N-1:0]    req_len_i,
    input wire logic [PORTS-1:0]  req_nack_i,
    input wire logic [12*VLS-1:0] fccl_i,
    input wire logic [12*VLS-1:0] txr_i,
    input wire logic [N-1:0]      grant_i,
    input wire logic [VLS-1:0]    owed_i,
    input wire logic [8*VLS-1:0]  owed_in_i,
    input wire logic [VLS-1:0]    short_i,   // a packet of the lane ended early: credit comes back
    input wire logic [VLS-1:0]    waited_i,
    input wire logic [VLS-1:0]    rooted_i
);
  function automatic logic ready(input logic [11:0] ahead, input logic [11:0] need);
    ready = ahead >= need && ahead <= 12'd2048 + need;
  endfunction

  // ---- requests by lane: a NACK is of the reply lane. Places of replies: inputs, then NACKs of inputs.
  logic [N-1:0]         lane_ok;       // there is credit for it on its lane
  logic [PORTS-1:0]     nack_asks, nack_goes;
  logic [2*PORTS-1:0]   reply_asks, reply_goes, reply_late;
  logic [PORTS-1:0]     res_asks, res_goes, res_late;
  logic [(D+1)*PORTS-1:0] long_late;
  logic                 reply_ready, res_ready, data_ready, spec_ready, low_goes, data_goes, spec_goes;
  logic [12*VLS-1:0]    txr_q;
  logic [VLS-1:0]       short_q;
  logic [7*VLS-1:0]     took_q, took;
  logic                 live_q, up_q;

  for (genvar r = 0; r < N; r++) begin : g_request
    localparam int I = r / VLS;
    localparam int V = r % VLS;
    logic nack;
    assign nack = V == D && req_nack_i[I];
    assign lane_ok[r] = req_valid_i[r] && (nack
        ? ready(fccl_i[12*(D+2)+:12] - txr_i[12*(D+2)+:12], 12'(req_len_i[7*r+:7]))
        : ready(fccl_i[12*V+:12] - txr_i[12*V+:12], 12'(req_len_i[7*r+:7])));
  end

  always_comb begin
    for (int i = 0; i < PORTS; i++) begin
      nack_asks[i] = lane_ok[i*VLS+D] && req_nack_i[i];
      nack_goes[i] = grant_i[i*VLS+D] && req_nack_i[i];
      reply_asks[i] = lane_ok[i*VLS+D+2];
      reply_goes[i] = grant_i[i*VLS+D+2];
      res_asks[i] = lane_ok[i*VLS+D+1];
      res_goes[i] = grant_i[i*VLS+D+1];
    end
    reply_asks[2*PORTS-1:PORTS] = nack_asks;
    reply_goes[2*PORTS-1:PORTS] = nack_goes;
    reply_ready = reply_asks != '0;
    res_ready = res_asks != '0;
    // (not while the lane's credit is owed to another one)
    data_ready = 1'b0;
    spec_ready = 1'b0;
    data_goes = 1'b0;
    spec_goes = 1'b0;
    took = '0;
    for (int i = 0; i < PORTS; i++) begin
      for (int v = 0; v <= D; v++)
        if (lane_ok[i*VLS+v] && !(v == D && req_nack_i[i]) && (!owed_i[v] || owed_in_i[8*v+:8] == 8'(i))) begin
          if (v == D) spec_ready = 1'b1;
          else data_ready = 1'b1;
        end
      for (int v = 0; v < VLS; v++)
        if (grant_i[i*VLS+v]) begin
          if (v == D && req_nack_i[i]) took[7*(D+2)+:7] = took[7*(D+2)+:7] | req_len_i[7*(i*VLS+v)+:7];
          else took[7*v+:7] = took[7*v+:7] | req_len_i[7*(i*VLS+v)+:7];
          if (v < D) data_goes = 1'b1;
          if (v == D && !req_nack_i[i]) spec_goes = 1'b1;
        end
    end
    low_goes = data_goes || spec_goes;
  end

  // ---- others of its class that go while one could
  for (genvar p = 0; p < 2 * PORTS; p++) begin : g_reply
    logic [8:0] past_q;
    assign reply_late[p] = past_q > 9'(2 * PORTS - 1);
    always_ff @(posedge clk_i) begin
      if (rst_i || !reply_asks[p] || reply_goes[p]) past_q <= '0;
      else if (reply_goes != '0 && !reply_late[p]) past_q <= past_q + 1'b1;
    end
  end
  for (genvar p = 0; p < PORTS; p++) begin : g_res
    logic [8:0] past_q;
    assign res_late[p] = past_q > 9'(PORTS - 1);
    always_ff @(posedge clk_i) begin
      if (rst_i || !res_asks[p] || res_goes[p]) past_q <= '0;
      else if (res_goes != '0 && !res_late[p]) past_q <= past_q + 1'b1;
    end
  end

  // ---- others of its lane of data or spec that go while one asks, with credit or without
  for (genvar v = 0; v <= D; v++) begin : g_lane
    for (genvar i = 0; i < PORTS; i++) begin : g_in
      logic [11:0] past_q;
      logic        asks, goes, other;
      assign asks = req_valid_i[i*VLS+v] && !(v == D && req_nack_i[i]);
      assign goes = asks && grant_i[i*VLS+v];
      always_comb begin
        other = 1'b0;
        for (int j = 0; j < PORTS; j++)
          if (j != i && grant_i[j*VLS+v] && !(v == D && req_nack_i[j])) other = 1'b1;
      end
      assign long_late[v*PORTS+i] = past_q > 12'(3 * PORTS);
      always_ff @(posedge clk_i) begin
        if (rst_i || goes || (free_i && !asks)) past_q <= '0;
        else if (other && !long_late[v*PORTS+i]) past_q <= past_q + 1'b1;
      end
    end
  end

  // ---- credit is owed to nobody who does not ask
  logic [VLS-1:0] idle_owed, idle_owed_q;
  always_comb begin
    idle_owed = '0;
    for (int v = 0; v <= D; v++)
      for (int i = 0; i < PORTS; i++)
        if (free_i && owed_i[v] && owed_in_i[8*v+:8] == 8'(i) && !(req_valid_i[i*VLS+v] && !(v == D && req_nack_i[i]))) idle_owed[v] = 1'b1;
  end

  // ---- TXR moves on the lane whose credit was taken
  logic [VLS-1:0] wrong_lane;
  for (genvar v = 0; v < VLS; v++) begin : g_txr
    assign wrong_lane[v] = up_q && !short_q[v] && txr_i[12*v+:12] != txr_q[12*v+:12] + 12'(took_q[7*v+:7]);
  end

  always_ff @(posedge clk_i) begin
    live_q <= !rst_i;
    up_q <= !rst_i && link_up_i;
    txr_q <= txr_i;
    short_q <= short_i;
    took_q <= took;
    idle_owed_q <= rst_i ? '0 : idle_owed;
    if (!rst_i && live_q) begin
      q3_one_grant: assert ((grant_i & (grant_i - 1'b1)) == '0 && (free_i || grant_i == '0));
      q3_grant_has_credit: assert ((grant_i & ~lane_ok) == '0);
      q3_reply_first: assert (!(reply_ready && free_i) || reply_goes != '0);
      q3_res_next: assert (!(low_goes && res_ready));
      q3_data_before_spec: assert (!(spec_goes && data_ready));
      q3_free_is_used: assert (!free_i || grant_i != '0 || !(reply_ready || res_ready || data_ready || spec_ready));
      q3_reply_has_turn: assert (reply_late == '0);
      q3_res_has_turn: assert (res_late == '0);
      q3_long_has_turn: assert (long_late == '0);
      q3_owed_ends: assert ((idle_owed_q & owed_i) == '0);
      q3_no_root_test: assert (waited_i[VLS-1:D] == '0 && rooted_i[VLS-1:D] == '1);
      q7_own_credit: assert (wrong_lane == '0);
    end
  end

  wire unused = &{1'b0, waited_i, rooted_i};
endmodule

`default_nettype wire
