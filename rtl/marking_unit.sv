// Marks that an output makes by counts: how many markable packets the switch holds for it on each VL and how many of the next ones
// are marked, since an input told of a fill or since too many were there; and which marks it validates, being saturated. A packet is in the counts
// from its entering the switch to its first flit here, whatever becomes of it. Rules SM3, SM4, SM5, VM2; docs/output-port.md section 12.
`default_nettype none

module marking_unit #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int CAP = 2048,
    parameter int CIOQ = 0,
    parameter int PARITY = 0,
    localparam int N = PORTS * VLS,
    localparam int NW = $clog2(PORTS + 1),
    localparam int SUM_W = 16 + NW
) (
    input  wire logic                 clk_i,
    input  wire logic                 rst_i,
    input  wire logic [1:0]           det_i,
    input  wire logic                 vb_en_i,
    input  wire logic [15:0]          out_th_i,
    input  wire logic [15:0]          vb_th_i,
    input  wire logic [N-1:0]         enter_i,
    input  wire logic [N-1:0]         full_evt_i,
    input  wire logic [VLS*SUM_W-1:0] sum_i,     // flits waiting, of all inputs,
    input  wire logic [VLS*12-1:0]    ofill_i,   // or with CIOQ room taken in the queue
    input  wire logic                 head_i,    // a packet begins, dropped or not,
    input  wire logic                 keep_i,    // is not dropped,
    input  wire logic                 mark_i,    // is to be marked as its input wants,
    input  wire logic [VLS-1:0]       vl_i,      // on this VL, one-hot; 0 for one that does not exist,
    input  quell_pkg::header_t        header_i,  // with these headers
    output logic                      mark_o,    // Mealy: it is marked
    output logic                      vb_o,      // Mealy: and validated
    output logic [VLS*18-1:0]         st_cnt1_o,
    output logic [VLS*18-1:0]         st_cnt2_o,
    output logic [VLS-1:0]            st_sat_o,
    output logic                      parity_err_o
);
  localparam int W = $clog2(PORTS * CAP + PORTS + 1);
  localparam int XW = ((W > 16) ? W : 16) + 1;

  logic           markable;
  logic [VLS-1:0] vl_marks;  // its next packet is marked
  logic [VLS-1:0] vl_sat;    // the output is saturated
  logic [VLS-1:0] vl_err;    // of parity
  wire unused_header = &{1'b0, header_i};

  assign markable = header_i.bth && !header_i.cnp && !header_i.ack && !header_i.mcast;
  assign mark_o = keep_i && markable && vl_i != '0 && (mark_i || (vl_i & vl_marks) != '0);
  assign vb_o = keep_i && markable && header_i.mb && vb_en_i && (vl_i & vl_sat) != '0;

  for (genvar v = 0; v < VLS; v++) begin : g_vl
    logic [W-1:0]  cnt1_q, cnt1_d, cnt2_q, cnt2_d;
    logic          sat_q, sat_d;
    logic [NW-1:0] enters;
    logic          fill, leaves, trigger;
    logic [XW-1:0] cnt1;  // after this cycle

    always_comb begin
      enters = '0;
      fill = 1'b0;
      for (int i = 0; i < PORTS; i++) begin
        enters = enters + NW'(enter_i[i*VLS+v]);
        fill = fill || full_evt_i[i*VLS+v];
      end
      leaves = head_i && markable && vl_i[v];
      cnt1 = XW'(cnt1_q) - XW'(leaves && cnt1_q != '0) + XW'(enters);
      if (cnt1 > XW'({W{1'b1}})) cnt1 = XW'({W{1'b1}});
      trigger = fill || (det_i[0] && enters != '0 && cnt1 > XW'(out_th_i));
      cnt1_d = cnt1[W-1:0];
      cnt2_d = trigger ? cnt1[W-1:0] : cnt2_q - W'(leaves && cnt2_q != '0);
      sat_d = sum_i[v*SUM_W +: SUM_W] > SUM_W'(vb_th_i);
      if (rst_i || !det_i[1]) cnt2_d = '0;
      if (CIOQ != 0) sat_d = 1'b0;
      if (rst_i) {cnt1_d, sat_d} = '0;
    end

    always_ff @(posedge clk_i) begin
      cnt1_q <= cnt1_d;
      cnt2_q <= cnt2_d;
      sat_q <= sat_d;
    end

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i,
        .next_i(^{cnt1_d, cnt2_d, sat_d}),
        .now_i(^{cnt1_q, cnt2_q, sat_q}),
        .err_o(vl_err[v])
    );

    assign vl_sat[v] = (CIOQ != 0) ? 16'(ofill_i[v*12 +: 12]) > vb_th_i : sat_q;
    assign vl_marks[v] = det_i[1] && cnt2_q != '0;
    assign st_cnt1_o[v*18 +: 18] = 18'(cnt1_q);
    assign st_cnt2_o[v*18 +: 18] = 18'(cnt2_q);
    assign st_sat_o[v] = sat_q;
  end

  assign parity_err_o = vl_err != '0;
endmodule

`default_nettype wire
