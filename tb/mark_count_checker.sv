// Which packets leave an output with marks, where counts mark them: after a trigger as many as were there, and no more; VB beside MB only. With
// CIOQ what goes into the queue comes here in place of the link.
// Instantiated by switch_output_port under QUELL_CHECK. Rules SM3-SM5, VM2.
`default_nettype none

module mark_count_checker #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int FLIT_BYTES = 64,
    parameter int VL_BY_DEST = 0,
    parameter int MARKERS = 0,
    parameter int CIOQ = 0,
    localparam int N = PORTS * VLS,
    localparam int DW = 8 * FLIT_BYTES
) (
    input wire logic              clk_i,
    input wire logic              rst_i,
    input wire logic              mark_en_i,
    input wire logic [1:0]        det_i,
    input wire logic              vb_en_i,
    input wire logic [15:0]       out_th_i,
    input wire logic [15:0]       vb_th_i,
    input wire logic [N-1:0]      enter_i,
    input wire logic [N-1:0]      full_evt_i,
    input wire logic [16*N-1:0]   fill_i,
    input wire logic [16*VLS-1:0] ofill_i,     // CIOQ: room taken in the queue
    input wire logic              sw_valid_i,
    input wire logic              sw_first_i,
    input wire logic              sw_mark_i,
    input wire logic [DW-1:0]     sw_data_i,
    input wire logic              lost_i,      // the flit on the crossbar is dropped
    input wire logic              tx_valid_i,
    input wire logic [DW-1:0]     tx_data_i,
    input wire logic [18*VLS-1:0] cnt1_i,
    input wire logic [18*VLS-1:0] cnt2_i,
    input wire logic [VLS-1:0]    sat_i
);
  if (MARKERS == 0) begin : g_off
    always_ff @(posedge clk_i) begin
      if (!rst_i) sm4_marks_off: assert ({cnt1_i, cnt2_i, sat_i} == '0);
    end
    wire unused = &{1'b0, mark_en_i, det_i, vb_en_i, out_th_i, vb_th_i, enter_i, full_evt_i, fill_i, ofill_i, sw_valid_i, sw_first_i, sw_mark_i,
                    sw_data_i, lost_i, tx_valid_i, tx_data_i};
  end else begin : g_on
    logic          grh, markable, head;
    logic [7:0]    opcode, lane;
    logic [DW-1:0] fecn, mb, vb;  // where these marks stand
    logic          past_ok_q, past2_ok_q;

    always_comb begin
      grh = FLIT_BYTES == 64 && sw_data_i[9:8] == 2'd3;
      opcode = grh ? sw_data_i[(48*8)%DW +: 8] : sw_data_i[64 +: 8];
      lane = (VL_BY_DEST != 0) ? 8'({sw_data_i[23:16], sw_data_i[31:24]} % 16'(VLS)) : {4'd0, sw_data_i[7:4]};
      head = sw_valid_i && sw_first_i;
      markable = (sw_data_i[9:8] == 2'd2 || grh) && opcode != 8'h80 && opcode[4:0] != 5'h11 && sw_data_i[23:22] != 2'b11
          && lane < 8'(VLS);
      {fecn, mb, vb} = '0;
      fecn[(grh ? 52 * 8 : 12 * 8) % DW + 7] = 1'b1;
      mb[(grh ? 52 * 8 : 12 * 8) % DW + 5] = 1'b1;
      vb[(grh ? 52 * 8 : 12 * 8) % DW + 4] = 1'b1;
    end

    // ---- packets that are to be marked since the last trigger: as many as were counted then, less those that left
    logic [VLS-1:0] must, may, few, trig_fill, trig_many, sure, above, not_all;
    logic [VLS-1:0] over, over_q, else_due;
    logic [1:0]     det_q;
    logic [15:0]    out_th_q;

    for (genvar v = 0; v < VLS; v++) begin : g_vl
      logic        enters, enters_q, fill_q;
      logic [17:0] due_q, due;
      logic        leaves, known_q;
      logic [23:0] sum;
      always_comb begin
        enters = 1'b0;
        trig_fill[v] = 1'b0;
        sum = '0;
        for (int i = 0; i < PORTS; i++) begin
          enters = enters || enter_i[i*VLS+v];
          trig_fill[v] = trig_fill[v] || (full_evt_i[i*VLS+v] && det_i[1]);
          sum = sum + 24'(fill_i[16*(i*VLS+v) +: 16]);
        end
        // of the cycle before
        trig_many[v] = enters_q && det_q == 2'd3 && cnt1_i[18*v +: 18] > 18'(out_th_q);
        due = (fill_q || trig_many[v]) ? cnt1_i[18*v +: 18] : due_q;
        leaves = head && markable && lane == 8'(v);
        must[v] = leaves && det_i[1] && known_q && due != '0;
        may[v] = leaves && ((det_i[1] && due != '0) || !known_q);
        few[v] = leaves;
        else_due[v] = known_q && cnt2_i[18*v +: 18] != due;
        not_all[v] = trig_many[v] && cnt2_i[18*v +: 18] != cnt1_i[18*v +: 18];
        above[v] = cnt2_i[18*v +: 18] > cnt1_i[18*v +: 18];
        over[v] = ((CIOQ != 0) ? 24'(ofill_i[16*v +: 16]) : sum) > 24'(vb_th_i);
      end
      always_ff @(posedge clk_i) begin
        enters_q <= !rst_i && enters;
        fill_q <= !rst_i && trig_fill[v];
        known_q <= !rst_i;
        due_q <= (rst_i || !det_i[1]) ? '0 : due - 18'(leaves && due != '0);
        over_q[v] <= !rst_i && over[v];
      end
    end
    assign sure = must;

    logic          must_q, may_q, other_q, head_q, markable_q, vb_may_q;
    logic [DW-1:0] data_q, fecn_q, mb_q, vb_q, added;

    assign added = tx_data_i & ~data_q;

    always_ff @(posedge clk_i) begin
      past_ok_q <= !rst_i;
      past2_ok_q <= !rst_i && past_ok_q;
      det_q <= det_i;
      out_th_q <= out_th_i;
      head_q <= !rst_i && head && !lost_i;
      must_q <= (sure != '0) || (markable && sw_mark_i);
      may_q <= may != '0;
      other_q <= mark_en_i || sw_mark_i;  // marked for another reason, perhaps
      markable_q <= markable;
      data_q <= sw_data_i;
      {fecn_q, mb_q, vb_q} <= {fecn, mb, vb};
      vb_may_q <= 1'b0;
      for (int v = 0; v < VLS; v++) if (lane == 8'(v) && ((CIOQ != 0) ? over[v] : over_q[v]) && vb_en_i) vb_may_q <= 1'b1;
      if (!rst_i && past2_ok_q) begin
        sm4_copy_not_above: assert (above == '0);
        sm4_due_are_counted: assert (else_due == '0);
        sm5_each_arrival: assert (not_all == '0);
        if (head_q) begin
          sm4_trigger_marks_all: assert (!must_q || (CIOQ != 0 && !tx_valid_i) || (tx_valid_i && (tx_data_i & fecn_q) != '0));
          sm4_marks_bounded: assert (may_q || other_q || (added & fecn_q) == '0);
          vm2_unmarkable_passes: assert (markable_q || !tx_valid_i || added == '0);
          vm2_never_alone: assert ((added & vb_q) == '0 || ((data_q & mb_q) != '0 && vb_may_q));
          sm4_c_bounded: cover (may_q);
          vm2_c_validated: cover ((added & vb_q) != '0);
        end
      end
    end
    wire unused = &{1'b0, few, sat_i, ofill_i};
  end
endmodule

`default_nettype wire
