// Moves messages of a wormhole adapter from its queues into lanes, one at a time, a flit a cycle: of the heads that fit in their lanes
// control goes first, then real-time, then best-effort, which has its turn when LHP times its flits have passed it. The next is chosen
// while the last flit is moved, so that no cycle is lost. Which of the best-effort lanes is drawn. The header is made here; the other
// flits are asked for of the host, and are 0 in the adapter's own. Rules YC3, YC4, YW7.
`default_nettype none

module worm_mover #(
    parameter int VLS = 16,
    parameter int LANE = 40
) (
    input  wire logic               clk_i,
    input  wire logic               rst_i,
    // registers
    input  wire logic [VLS-1:0]     be_i,
    input  wire logic [7:0]         lhp_i,
    input  wire logic [15:0]        lid_i,
    input  wire logic               seed_we_i,
    input  wire logic [15:0]        seed_i,
    // heads of the queues
    input  wire logic               control_i,
    input  wire logic [39:0]        control_head_i,  // DLID, length, tag; so is that of best-effort
    output logic                    control_pop_o,
    input  wire logic               own_i,
    input  wire logic [15:0]        own_conn_i,
    input  wire logic               own_release_i,
    input  wire logic [15:0]        own_dlid_i,
    input  wire logic [15:0]        own_bw_i,
    input  wire logic [15:0]        own_node_i,
    input  wire logic [3:0]         own_lane_i,
    input  wire logic [5:0]         own_seq_i,
    output logic                    own_pop_o,
    input  wire logic               rt_i,
    input  wire logic [40:0]        rt_head_i,       // connection, length, final, tag
    input  wire logic [15:0]        rt_dlid_i,
    input  wire logic [15:0]        rt_bw_i,
    input  wire logic [3:0]         rt_lane_i,
    output logic                    rt_pop_o,
    input  wire logic               be_waits_i,
    input  wire logic [39:0]        be_head_i,
    output logic                    be_pop_o,
    // lanes
    input  wire logic [8*VLS-1:0]   level_i,
    output logic [VLS-1:0]          push_o,          // a flit is moved into this lane, one-hot, or 0
    output logic                    first_o,
    output logic                    last_o,
    output logic [127:0]            data_o,
    output quell_pkg::worm_msg_t    msg_o,           // what it is of
    // the host
    output logic                    dma_valid_o,
    output logic [15:0]             dma_tag_o,
    output logic [7:0]              dma_index_o,
    input  wire logic [127:0]       dma_data_i,
    // state
    output logic                    move_o,
    output logic [3:0]              move_vl_o,
    output logic [7:0]              move_left_o,
    output logic                    own_first_o,
    output logic [15:0]             guard_o,
    output logic [15:0]             lfsr_o
);
  localparam int CONTROL = VLS - 1;
  localparam logic [7:0] OWN_LEN = (LANE < 10) ? 8'(LANE) : 8'd10;

  // ---- which heads fit
  logic [8*VLS-1:0] room;
  logic             own_meant, control_fits, rt_fits, be_due;
  logic [7:0]       control_len;
  logic [VLS-1:0]   be_fits;  // lanes in which the best-effort head does
  logic             choose_control, choose_rt, choose_be, idle;

  for (genvar v = 0; v < VLS; v++) begin : g_room
    assign room[8*v+:8] = 8'(LANE) - level_i[8*v+:8] - 8'(push_o[v]);
    assign be_fits[v] = be_waits_i && be_i[v] && room[8*v+:8] >= be_head_i[23:16];
  end

  assign idle = !move_o || last_o;
  assign own_meant = own_i && (!control_i || own_first_o);
  assign control_len = own_meant ? OWN_LEN : control_head_i[23:16];
  assign control_fits = (own_i || control_i) && room[8*CONTROL+:8] >= control_len;

  always_comb begin
    rt_fits = 1'b0;
    for (int v = 0; v < VLS; v++) if (rt_lane_i == 4'(v)) rt_fits = rt_i && room[8*v+:8] >= rt_head_i[24:17];
  end

  assign choose_control = idle && control_fits;
  assign choose_be = idle && !control_fits && be_fits != '0 && (!rt_fits || be_due);
  assign choose_rt = idle && !control_fits && rt_fits && !choose_be;

  // Of flits of real-time messages that pass best-effort.
  worm_guard #(.W(16)) u_guard (
      .clk_i, .rst_i,
      .rt_goes_i(choose_rt),
      .step_i(16'(rt_head_i[24:17])),
      .clear_i(choose_be),
      .be_waits_i(be_fits != '0),
      .limit_i(16'(lhp_i) * 16'(be_head_i[23:16])),
      .count_o(guard_o),
      .due_o(be_due)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) own_first_o <= 1'b0;
    else if (choose_control) own_first_o <= !own_meant;
  end

  assign control_pop_o = choose_control && !own_meant;
  assign own_pop_o = choose_control && own_meant;
  assign rt_pop_o = choose_rt;
  assign be_pop_o = choose_be;

  // ---- a lane of best-effort, each alike
  logic [VLS-1:0] one;
  logic [3:0]     drawn;

  worm_draw #(.VLS(VLS)) u_draw (
      .clk_i, .rst_i, .seed_we_i, .seed_i,
      .set_i(be_fits),
      .takes_i(choose_be),
      .drawn_o(one),
      .lfsr_o
  );

  always_comb begin
    drawn = '0;
    for (int v = 0; v < VLS; v++) if (one[v]) drawn = drawn | 4'(v);
  end

  // ---- the message that is being moved
  quell_pkg::worm_msg_t msg_q;
  logic [15:0]          dlid_q, bw_q, node_q;
  logic [7:0]           len_q;
  logic [3:0]           lane_q;  // in the header,
  logic [5:0]           seq_q;   // of a probe
  logic [7:0]           kind;
  logic [9:0]           pkt_len;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      move_o <= 1'b0;
      move_vl_o <= '0;
      move_left_o <= '0;
    end else if (choose_control) begin
      move_o <= 1'b1;
      move_vl_o <= 4'(CONTROL);
      move_left_o <= control_len;
    end else if (choose_rt) begin
      move_o <= 1'b1;
      move_vl_o <= rt_lane_i;
      move_left_o <= rt_head_i[24:17];
    end else if (choose_be) begin
      move_o <= 1'b1;
      move_vl_o <= drawn;
      move_left_o <= be_head_i[23:16];
    end else if (move_o) begin
      move_o <= !last_o;
      if (last_o) move_vl_o <= '0;
      move_left_o <= move_left_o - 8'd1;
    end
    if (choose_control && own_meant) begin
      msg_q <= {2'd3, own_release_i, own_conn_i, 16'd0};
      {dlid_q, bw_q, len_q, lane_q} <= {own_dlid_i, own_bw_i, OWN_LEN, own_lane_i};
      node_q <= own_release_i ? own_node_i : '0;
      seq_q <= own_release_i ? '0 : own_seq_i;
    end else if (choose_control) begin
      msg_q <= {2'd0, 1'b0, 16'd0, control_head_i[15:0]};
      {dlid_q, bw_q, len_q, lane_q} <= {control_head_i[39:24], 16'd0, control_head_i[23:16], 4'(CONTROL)};
      node_q <= '0;
    end else if (choose_rt) begin
      msg_q <= {2'd1, rt_head_i[16], rt_head_i[40:25], rt_head_i[15:0]};
      {dlid_q, bw_q, len_q, lane_q} <= {rt_dlid_i, rt_head_i[16] ? rt_bw_i : 16'd0, rt_head_i[24:17], rt_lane_i};
      node_q <= '0;
    end else if (choose_be) begin
      msg_q <= {2'd2, 1'b0, 16'd0, be_head_i[15:0]};
      {dlid_q, bw_q, len_q, lane_q} <= {be_head_i[39:24], 16'd0, be_head_i[23:16], drawn};
      node_q <= '0;
    end
  end

  always_comb begin
    case (msg_q.kind)
      2'd0: kind = 8'd5;
      2'd3: kind = msg_q.last ? quell_pkg::WT_RELEASE : quell_pkg::WT_PROBE;
      default: kind = quell_pkg::WT_DATA;
    endcase
  end
  assign pkt_len = {len_q, 2'b00};

  logic [127:0] header;

  assign header = {
    quell_pkg::wire16(node_q), quell_pkg::wire16(bw_q), quell_pkg::wire16(msg_q.conn),
    (msg_q.kind == 2'd3) ? seq_q : 6'd0, msg_q.kind == 2'd1, msg_q.kind == 2'd1 && msg_q.last, kind,
    quell_pkg::wire16(lid_i), pkt_len[7:0], 6'd0, pkt_len[9:8], quell_pkg::wire16(dlid_q), 8'd0, lane_q, 4'd0
  };

  assign first_o = move_o && move_left_o == len_q;
  assign last_o = move_o && move_left_o == 8'd1;
  assign dma_valid_o = move_o && !first_o && msg_q.kind != 2'd3;
  assign dma_tag_o = dma_valid_o ? msg_q.tag : '0;
  assign dma_index_o = dma_valid_o ? len_q - move_left_o : '0;
  assign data_o = first_o ? header : dma_valid_o ? dma_data_i : '0;
  assign msg_o = msg_q;
  always_comb for (int v = 0; v < VLS; v++) push_o[v] = move_o && move_vl_o == 4'(v);

endmodule

`default_nettype wire
