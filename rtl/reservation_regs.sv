// Registers and counters of the unit reservation (docs/reservation.md); a write shows in the next cycle, and so does what is
// read. Values are bounded here to what the rules use. Rules C1, Q10, Q14, Q15, Q18, Q21, Q22.
`default_nettype none

module reservation_regs #(
    parameter int NMAX = 16,
    parameter int CNT_W = 32,
    parameter int NOW_W = 32,
    parameter int DEDUP = 0
) (
    input  wire logic        clk_i,
    input  wire logic        rst_i,
    input  wire logic        we_i,
    input  wire logic        re_i,
    input  wire logic [7:0]  addr_i,
    input  wire logic [31:0] data_i,
    input  wire logic [15:0] err_i,
    input  wire logic        count_spec_i,      // one is counted
    input  wire logic        count_granted_i,
    input  wire logic        count_bypass_i,
    input  wire logic        count_res_i,
    input  wire logic        count_grant_i,
    input  wire logic        count_ack_i,
    input  wire logic        count_nack_i,
    input  wire logic        count_stale_i,
    input  wire logic        count_wasted_i,
    input  wire logic        count_rto_i,
    input  wire logic        count_dup_i,
    output logic             srp_en_o,
    output logic             rtt_comp_o,
    output logic             spec_off_o,
    output logic             merge_o,
    output logic             fast_o,
    output logic             inorder_o,
    output logic             walkin_o,
    output logic [NOW_W-1:0] rto_o,             // at most half of what `now` counts to
    output logic [15:0]      eps_o,
    output logic [6:0]       nmax_run_o,        // 1..NMAX
    output logic [15:0]      nmin_o,
    output logic [3:0]       rx_interval_o,     // at least 1
    output logic [15:0]      err_clear_o,       // Mealy
    output logic             rvalid_o,
    output logic [31:0]      rdata_o
);
  localparam logic [7:0] CTRL = 8'd0;
  localparam logic [7:0] EPS = 8'd1;
  localparam logic [7:0] NMAX_RUN = 8'd2;
  localparam logic [7:0] NMIN = 8'd3;
  localparam logic [7:0] RX_INTERVAL = 8'd5;
  localparam logic [7:0] RTO = 8'd6;
  localparam logic [7:0] ERR_CLEAR = 8'd10;
  localparam logic [7:0] CNT_SPEC = 8'd128;
  localparam logic [7:0] CNT_GRANTED = 8'd129;
  localparam logic [7:0] CNT_BYPASS = 8'd130;
  localparam logic [7:0] CNT_RES = 8'd131;
  localparam logic [7:0] CNT_GRANT = 8'd132;
  localparam logic [7:0] CNT_ACK = 8'd133;
  localparam logic [7:0] CNT_NACK = 8'd134;
  localparam logic [7:0] CNT_STALE = 8'd135;
  localparam logic [7:0] CNT_WASTED = 8'd136;

  localparam logic [7:0] CNT_RTO = 8'd137;
  localparam logic [7:0] CNT_DUP = 8'd138;
  localparam logic [6:0] CTRL_BITS = (DEDUP != 0) ? 7'h7F : 7'h4F;  // those that are there
  localparam logic [31:0] LONGEST = 32'((33'd1 << (NOW_W - 1)) - 33'd1);

  logic [6:0] ctrl_q;
  logic [6:0] nmax_run_q;
  logic [3:0] rx_interval_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      ctrl_q <= 7'd2;
      eps_o <= 16'd3277;
      nmax_run_q <= 7'(NMAX);
      nmin_o <= 16'd4;
      rx_interval_q <= 4'd1;
    end else if (we_i) begin
      case (addr_i)
        CTRL: ctrl_q <= data_i[6:0] & CTRL_BITS;
        EPS: eps_o <= data_i[15:0];
        NMAX_RUN: nmax_run_q <= data_i[6:0];
        NMIN: nmin_o <= data_i[15:0];
        RX_INTERVAL: rx_interval_q <= data_i[3:0];
        default: ;
      endcase
    end
  end

  assign {walkin_o, inorder_o, fast_o, merge_o, spec_off_o, rtt_comp_o, srp_en_o} = ctrl_q;

  // ---- with DEDUP: time-out, and its counters
  logic [31:0]      rto;
  logic [CNT_W-1:0] late, dup;

  if (DEDUP != 0) begin : g_dedup
    logic [31:0] rto_q;

    always_ff @(posedge clk_i) begin
      if (rst_i) rto_q <= '0;
      else if (we_i && addr_i == RTO) rto_q <= data_i;
    end

    assign rto = rto_q;
    event_counter #(.CNT_W(CNT_W)) u_late (.clk_i, .rst_i, .event_i(count_rto_i), .count_o(late));
    event_counter #(.CNT_W(CNT_W)) u_dup (.clk_i, .rst_i, .event_i(count_dup_i), .count_o(dup));
  end else begin : g_no_dedup
    assign rto = '0;
    assign late = '0;
    assign dup = '0;
    wire unused = &{1'b0, count_rto_i, count_dup_i};
  end

  assign rto_o = (rto > LONGEST) ? NOW_W'(LONGEST) : NOW_W'(rto);
  assign nmax_run_o = (nmax_run_q == '0) ? 7'd1 : (nmax_run_q > 7'(NMAX)) ? 7'(NMAX) : nmax_run_q;
  assign rx_interval_o = (rx_interval_q == '0) ? 4'd1 : rx_interval_q;
  assign err_clear_o = (we_i && addr_i == ERR_CLEAR) ? data_i[15:0] : '0;

  wire unused = &{1'b0, data_i};

  // ---- counters
  logic [CNT_W-1:0] spec, granted, bypass, res, grant, ack, nack, stale, wasted;

  event_counter #(.CNT_W(CNT_W)) u_spec (.clk_i, .rst_i, .event_i(count_spec_i), .count_o(spec));
  event_counter #(.CNT_W(CNT_W)) u_granted (.clk_i, .rst_i, .event_i(count_granted_i), .count_o(granted));
  event_counter #(.CNT_W(CNT_W)) u_bypass (.clk_i, .rst_i, .event_i(count_bypass_i), .count_o(bypass));
  event_counter #(.CNT_W(CNT_W)) u_res (.clk_i, .rst_i, .event_i(count_res_i), .count_o(res));
  event_counter #(.CNT_W(CNT_W)) u_grant (.clk_i, .rst_i, .event_i(count_grant_i), .count_o(grant));
  event_counter #(.CNT_W(CNT_W)) u_ack (.clk_i, .rst_i, .event_i(count_ack_i), .count_o(ack));
  event_counter #(.CNT_W(CNT_W)) u_nack (.clk_i, .rst_i, .event_i(count_nack_i), .count_o(nack));
  event_counter #(.CNT_W(CNT_W)) u_stale (.clk_i, .rst_i, .event_i(count_stale_i), .count_o(stale));
  event_counter #(.CNT_W(CNT_W)) u_wasted (.clk_i, .rst_i, .event_i(count_wasted_i), .count_o(wasted));

  // C1: what is read, as it is before a write of the same cycle
  logic [31:0] rdata_d;

  always_comb begin
    case (addr_i)
      CTRL: rdata_d = 32'(ctrl_q);
      EPS: rdata_d = 32'(eps_o);
      NMAX_RUN: rdata_d = 32'(nmax_run_q);
      NMIN: rdata_d = 32'(nmin_o);
      RX_INTERVAL: rdata_d = 32'(rx_interval_q);
      RTO: rdata_d = rto;
      ERR_CLEAR: rdata_d = 32'(err_i);
      CNT_SPEC: rdata_d = 32'(spec);
      CNT_GRANTED: rdata_d = 32'(granted);
      CNT_BYPASS: rdata_d = 32'(bypass);
      CNT_RES: rdata_d = 32'(res);
      CNT_GRANT: rdata_d = 32'(grant);
      CNT_ACK: rdata_d = 32'(ack);
      CNT_NACK: rdata_d = 32'(nack);
      CNT_STALE: rdata_d = 32'(stale);
      CNT_WASTED: rdata_d = 32'(wasted);
      CNT_RTO: rdata_d = 32'(late);
      CNT_DUP: rdata_d = 32'(dup);
      default: rdata_d = '0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || !re_i) begin
      rvalid_o <= 1'b0;
      rdata_o <= '0;
    end else begin
      rvalid_o <= 1'b1;
      rdata_o <= rdata_d;
    end
  end
endmodule

`default_nettype wire
