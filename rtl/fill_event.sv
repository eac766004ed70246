// What the fills of an input's buffer mean to its outputs: counts the markable packets that wait for each output and VL,
// tells which outputs have packets in a lane's buffer that has just become full, and which packets naive
// marking takes: those that were there at the fill. Rules SM1-SM4; docs/input-port.md section 14.
`default_nettype none

module fill_event #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int CAP = 2048,
    parameter int PARITY = 0,
    localparam int PV = PORTS * VLS,
    localparam int VW = (VLS > 1) ? $clog2(VLS) : 1,
    localparam int QW = (PV > 1) ? $clog2(PV) : 1,
    localparam int CW = $clog2(CAP + 1)
) (
    input  wire logic              clk_i,
    input  wire logic              rst_i,
    input  wire logic [15:0]       level_i,
    input  wire logic              naive_i,
    input  wire logic [VLS*12-1:0] used_i,
    // a packet comes
    input  wire logic              accept_i,
    input  wire logic [VW-1:0]     accept_vl_i,
    input  wire logic [QW-1:0]     accept_q_i,    // output and VL
    input  wire logic              accept_markable_i,
    // markable packets that are granted
    input  wire logic [PV-1:0]     leave_i,
    output logic [PV-1:0]          mark_o,        // Mealy: and are to be marked
    output logic [PV-1:0]          enter_o,       // a markable packet came in the cycle before
    output logic [PV-1:0]          full_evt_o,    // the buffer became full in the cycle before, with packets for the output
    // state
    output logic [PV*16-1:0]       st_waiting_o,
    output logic [VLS-1:0]         st_full_o,
    output logic [VLS-1:0]         st_armed_o,
    output logic [PV*16-1:0]       st_ncnt_o,
    output logic                   parity_err_o
);
  logic [VLS-1:0] over;  // the level is passed
  logic [VLS-1:0] fills;
  logic [VLS-1:0] armed_d;
  logic [PV-1:0]  enter_d, full_evt_d;
  logic [PV-1:0]  q_err;  // of parity
  logic           own_err;

  // ---- fills: the level was passed upwards since a packet came
  for (genvar v = 0; v < VLS; v++) begin : g_vl
    assign over[v] = 16'(used_i[v*12 +: 12]) > level_i;
    assign fills[v] = over[v] && !st_full_o[v] && st_armed_o[v];
    assign armed_d[v] = !rst_i
        && ((accept_i && accept_vl_i == VW'(v)) || (st_armed_o[v] && !fills[v]));
  end

  // ---- packets that wait, and the next ones that naive marking takes
  for (genvar q = 0; q < PV; q++) begin : g_q
    localparam int V = q % VLS;
    logic [CW-1:0] waiting_q, waiting_d, ncnt_q, ncnt_d, left;

    assign enter_d[q] = !rst_i && accept_i && accept_markable_i && accept_q_i == QW'(q);
    assign full_evt_d[q] = !rst_i && fills[V] && waiting_q != '0;
    assign mark_o[q] = naive_i && leave_i[q] && ncnt_q != '0;
    assign left = waiting_q - CW'(leave_i[q]);

    always_comb begin
      waiting_d = left + CW'(enter_d[q]);
      ncnt_d = ncnt_q - CW'(mark_o[q]);
      if (fills[V]) ncnt_d = left;
      if (rst_i || !naive_i) ncnt_d = '0;
      if (rst_i) waiting_d = '0;
    end

    always_ff @(posedge clk_i) begin
      waiting_q <= waiting_d;
      ncnt_q <= ncnt_d;
    end

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i,
        .next_i(^{waiting_d, ncnt_d}),
        .now_i(^{waiting_q, ncnt_q}),
        .err_o(q_err[q])
    );

    assign st_waiting_o[q*16 +: 16] = 16'(waiting_q);
    assign st_ncnt_o[q*16 +: 16] = 16'(ncnt_q);
  end

  logic [VLS-1:0] full_d;
  assign full_d = rst_i ? '0 : over;

  always_ff @(posedge clk_i) begin
    st_full_o <= full_d;
    st_armed_o <= armed_d;
    enter_o <= enter_d;
    full_evt_o <= full_evt_d;
  end

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{full_d, armed_d, enter_d, full_evt_d}),
      .now_i(^{st_full_o, st_armed_o, enter_o, full_evt_o}),
      .err_o(own_err)
  );

  assign parity_err_o = own_err || q_err != '0;
endmodule

`default_nettype wire
