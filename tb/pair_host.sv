// A host at a switch of link_pair: sends packets of random lengths, lanes and destinations as far as its credits go, takes those
// that come at a random pace, and looks at each: for it, whole, and next in order of its source and lane. For simulation.
`default_nettype none

`ifndef YOSYS
module pair_host #(
    parameter int VLS = 2,
    parameter int MTU = 4,     // 4
    parameter int HOSTS = 4,   // a power of two; their LIDs begin at 1
    parameter int DLIST = 2,
    parameter int CAP = 8,     // blocks of each lane
    parameter int LID = 1,
    localparam int DW = 256,
    localparam int CTL = 8 * (16 + 2 * DLIST),
    localparam int HW = $clog2(HOSTS),
    localparam int VW = $clog2(VLS)
) (
    input  wire logic           clk_i,
    input  wire logic           rst_i,
    input  wire logic [31:0]    seed_i,
    input  wire logic           on_i,      // packets may begin
    input  wire logic           rx_valid_i,
    input  wire logic           rx_first_i,
    input  wire logic           rx_last_i,
    input  wire logic           rx_bad_i,
    input  wire logic [DW-1:0]  rx_data_i,
    input  wire logic [CTL-1:0] rx_ctl_i,
    output logic                tx_valid_o,
    output logic                tx_first_o,
    output logic                tx_last_o,
    output logic [DW-1:0]       tx_data_o,
    output logic [CTL-1:0]      tx_ctl_o,
    output logic [31:0]         sent_o,    // packets
    output logic [31:0]         got_o,
    output logic                wrong_o    // one was not as it should be
);
  logic [31:0] r_q, r_x, r_y;  // random bits
  assign r_x = r_q ^ (r_q << 13);
  assign r_y = r_x ^ (r_x >> 17);

  always_ff @(posedge clk_i) r_q <= rst_i ? (seed_i ^ (32'h9E37_79B9 * LID)) | 32'd1 : r_y ^ (r_y << 5);

  // ---- sending
  logic [11:0]   fccl_q[0:VLS-1], txr_q[0:VLS-1], out_q[0:VLS-1];
  logic [23:0]   psn_q[0:HOSTS*VLS-1];
  logic [HW-1:0] want_to, to_q;
  logic [VW-1:0] want_vl, vl_q;
  logic [2:0]    want_n, n_q, left_q;  // flits
  logic          begins;

  assign want_to = r_q[8] ? '0 : (HW'(r_q[12:9]) == HW'(LID - 1)) ? HW'(LID) : HW'(r_q[12:9]);  // half of them go to host 0
  assign want_vl = r_q[13+:VW];
  assign want_n = 3'd1 + 3'(r_q[17:16]);
  assign begins = on_i && (left_q == '0 || (left_q == 3'd1 && tx_valid_o)) && want_to != HW'(LID - 1) && r_q[2:0] != '0
      && 12'(fccl_q[want_vl] - txr_q[want_vl] - 12'(want_n)) <= 12'd2048;
  assign tx_valid_o = left_q != '0 && r_q[5:3] != '0;
  assign tx_first_o = tx_valid_o && left_q == n_q;
  assign tx_last_o = tx_valid_o && left_q == 3'd1;

  always_comb begin
    tx_data_o = '0;
    if (tx_valid_o) tx_data_o[248+:8] = {5'd0, left_q};
    if (tx_first_o) begin
      tx_data_o[4+:4] = 4'(vl_q);
      tx_data_o[8+:2] = quell_pkg::LNH_BTH;
      tx_data_o[24+:8] = 8'(to_q) + 8'd1;
      tx_data_o[40+:8] = {1'b0, n_q, 4'd0};
      tx_data_o[56+:8] = 8'(LID);
      tx_data_o[64+:8] = 8'd4;
      tx_data_o[136+:24] = psn_q[HW'(to_q)*VLS+32'(vl_q)];
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      left_q <= '0;
      sent_o <= '0;
      for (int v = 0; v < VLS; v++) begin
        fccl_q[v] <= '0;
        txr_q[v] <= '0;
        out_q[v] <= '0;
      end
      for (int k = 0; k < HOSTS * VLS; k++) psn_q[k] <= '0;
    end else begin
      if (rx_ctl_i[1]) fccl_q[rx_ctl_i[32+:VW]] <= {rx_ctl_i[40+:4], rx_ctl_i[48+:8]};
      if (tx_valid_o) begin
        left_q <= left_q - 1'b1;
        out_q[vl_q] <= out_q[vl_q] + 1'b1;
      end
      if (tx_last_o) begin
        sent_o <= sent_o + 1'b1;
        psn_q[32'(to_q)*VLS+32'(vl_q)] <= psn_q[32'(to_q)*VLS+32'(vl_q)] + 1'b1;
      end
      if (begins) begin
        to_q <= want_to;
        vl_q <= want_vl;
        n_q <= want_n;
        left_q <= want_n;
        txr_q[want_vl] <= txr_q[want_vl] + 12'(want_n);
      end
    end
  end

  // ---- taking
  logic [11:0]   in_q[0:VLS-1], kept_q[0:VLS-1];
  logic [23:0]   next_q[0:HOSTS*VLS-1];
  logic [VW-1:0] rx_vl, rx_vl_q, word_vl;
  logic [HW-1:0] from;
  logic [2:0]    rx_left, rx_left_q;  // flits to come, with this one
  logic [3:0]    time_q;
  logic          open_q;

  assign rx_vl = rx_first_i ? rx_data_i[4+:VW] : rx_vl_q;
  assign rx_left = rx_first_i ? rx_data_i[44+:3] : rx_left_q;
  assign from = HW'(rx_data_i[56+:8] - 8'd1);
  assign word_vl = VW'(time_q >> 2);

  always_comb begin
    tx_ctl_o = '0;
    if (time_q[1:0] == 2'd0 && !rst_i) begin
      tx_ctl_o[1:0] = 2'b11;
      tx_ctl_o[8+:8] = 8'(word_vl);
      {tx_ctl_o[16+:4], tx_ctl_o[24+:8]} = out_q[word_vl];
      tx_ctl_o[32+:8] = 8'(word_vl);
      {tx_ctl_o[40+:4], tx_ctl_o[48+:8]} = in_q[word_vl] + 12'(CAP) - kept_q[word_vl];
    end
  end

  always_ff @(posedge clk_i) begin
    time_q <= rst_i ? '0 : time_q + 1'b1;
    if (rst_i) begin
      got_o <= '0;
      wrong_o <= 1'b0;
      open_q <= 1'b0;
      for (int v = 0; v < VLS; v++) begin
        in_q[v] <= '0;
        kept_q[v] <= '0;
      end
      for (int k = 0; k < HOSTS * VLS; k++) next_q[k] <= '0;
    end else begin
      for (int v = 0; v < VLS; v++) begin
        in_q[v] <= in_q[v] + 12'(rx_valid_i && rx_vl == VW'(v));
        kept_q[v] <= kept_q[v] + 12'(rx_valid_i && rx_vl == VW'(v)) - 12'(kept_q[v] != '0 && r_q[20+2*v+:2] == 2'd0);
        if (kept_q[v] > 12'(CAP)) wrong_o <= 1'b1;
      end
      if (rx_valid_i) begin
        open_q <= !rx_last_i;
        rx_vl_q <= rx_vl;
        rx_left_q <= rx_left - 1'b1;
        if (rx_first_i == open_q || rx_bad_i || rx_last_i != (rx_left == 3'd1) || rx_data_i[248+:8] != {5'd0, rx_left})
          wrong_o <= 1'b1;
        if (rx_last_i) got_o <= got_o + 1'b1;
        if (rx_first_i) begin
          next_q[32'(from)*VLS+32'(rx_vl)] <= next_q[32'(from)*VLS+32'(rx_vl)] + 1'b1;
          if ({rx_data_i[16+:8], rx_data_i[24+:8]} != 16'(LID) || rx_data_i[136+:24] != next_q[32'(from)*VLS+32'(rx_vl)])
            wrong_o <= 1'b1;
        end
      end
    end
  end

  wire unused = &{1'b0, MTU != 4, rx_ctl_i, rx_data_i};
endmodule
`endif

`default_nettype wire
