// Who is granted at an output with the lanes of speculative reservation: reply before res before data before spec, in a class
// round robin among the requests that fit. Credits of a lane of data or spec that a request lacked as it was passed are owed
// to it. A NACK asks in the place of its input's speculative packet and is a reply. Rules Q3, Q7, A2, A3; docs/output-port.md
// section 16.
`default_nettype none

module class_arbiter #(
    parameter int PORTS = 8,
    parameter int VLS = 4,
    localparam int N = PORTS * VLS
) (
    input  wire logic              clk_i,
    input  wire logic              rst_i,
    input  wire logic              free_i,       // the output can take a packet
    input  wire logic [12*VLS-1:0] left_i,       // credit limit less blocks granted
    input  wire logic [N-1:0]      req_valid_i,
    input  wire logic [7*N-1:0]    req_len_i,
    input  wire logic [PORTS-1:0]  req_nack_i,   // per input: its request of the spec lane is a NACK
    output logic      [N-1:0]      grant_o,
    output logic      [VLS-1:0]    grant_vl_o,   // lane whose credits are taken, one-hot
    output logic      [6:0]        grant_len_o,
    output logic      [16*4-1:0]   ptr_o,        // of data, spec, res, reply
    output logic      [VLS-1:0]    owed_o,
    output logic      [8*VLS-1:0]  owed_in_o
);
  localparam int D = VLS - 3;  // data lanes; the spec lane
  localparam int RES = D + 1;
  localparam int REPLY = D + 2;
  localparam int DATAS = PORTS * D;
  localparam int PW = (PORTS > 1) ? $clog2(PORTS) : 1;

  // ---- requests by lane v of data and spec, element v*PORTS+i: those that ask, have credit, fit, are granted
  logic [(D+1)*PORTS-1:0] ask, credit, fits, win;
  // places that the class's ring passes, and those from its pointer on
  logic [(D+1)*PORTS-1:0] passed, ahead;
  // credits that are owed
  logic [D:0]             owed_q, owed_d;
  logic [PW*(D+1)-1:0]    owed_in_q, owed_in_d;

  for (genvar v = 0; v <= D; v++) begin : g_lane
    for (genvar i = 0; i < PORTS; i++) begin : g_in
      localparam int R = i * VLS + v;
      localparam int E = v * PORTS + i;
      assign ask[E] = req_valid_i[R] && !(v == D && req_nack_i[i]);
      assign credit[E] = quell_pkg::credit_fits(left_i[12*v+:12], 8'(req_len_i[7*R+:7]));
      assign fits[E] = ask[E] && credit[E] && (!owed_q[v] || owed_in_q[PW*v+:PW] == PW'(i));
    end
  end

  // ---- the rings
  logic [DATAS-1:0]   data_fits, data_win, data_passed, data_ahead;
  logic [PORTS-1:0]   res_fits, res_win, unused_res_passed, unused_res_ahead;
  logic [2*PORTS-1:0] reply_fits, reply_win, unused_reply_passed, unused_reply_ahead;
  logic               go_reply, go_res, go_data, go_spec;

  for (genvar i = 0; i < PORTS; i++) begin : g_place
    for (genvar v = 0; v < D; v++) begin : g_data
      assign data_fits[i*D+v] = fits[v*PORTS+i];
      assign win[v*PORTS+i] = data_win[i*D+v];
      assign passed[v*PORTS+i] = data_passed[i*D+v];
      assign ahead[v*PORTS+i] = data_ahead[i*D+v];
    end
    assign res_fits[i] = req_valid_i[i*VLS+RES] && quell_pkg::credit_fits(left_i[12*RES+:12], 8'(req_len_i[7*(i*VLS+RES)+:7]));
    assign reply_fits[2*i] = req_valid_i[i*VLS+REPLY]
        && quell_pkg::credit_fits(left_i[12*REPLY+:12], 8'(req_len_i[7*(i*VLS+REPLY)+:7]));
    assign reply_fits[2*i+1] = req_valid_i[i*VLS+D] && req_nack_i[i]
        && quell_pkg::credit_fits(left_i[12*REPLY+:12], 8'(req_len_i[7*(i*VLS+D)+:7]));
    // what is granted: of each input's spec lane the packet or the NACK
    assign grant_o[i*VLS+REPLY] = reply_win[2*i];
    assign grant_o[i*VLS+RES] = res_win[i];
    assign grant_o[i*VLS+D] = win[D*PORTS+i] || reply_win[2*i+1];
    for (genvar v = 0; v < D; v++) begin : g_grant
      assign grant_o[i*VLS+v] = win[v*PORTS+i];
    end
  end

  assign go_reply = free_i && reply_fits != '0;
  assign go_res = free_i && reply_fits == '0 && res_fits != '0;
  assign go_data = free_i && reply_fits == '0 && res_fits == '0 && data_fits != '0;
  assign go_spec = free_i && reply_fits == '0 && res_fits == '0 && data_fits == '0 && fits[D*PORTS+:PORTS] != '0;

  class_ring #(.N(DATAS)) u_data (
      .clk_i, .rst_i, .go_i(go_data), .fits_i(data_fits),
      .win_o(data_win), .ahead_o(data_ahead), .passed_o(data_passed), .ptr_o(ptr_o[0+:16])
  );
  class_ring #(.N(PORTS)) u_spec (
      .clk_i, .rst_i, .go_i(go_spec), .fits_i(fits[D*PORTS+:PORTS]),
      .win_o(win[D*PORTS+:PORTS]), .ahead_o(ahead[D*PORTS+:PORTS]), .passed_o(passed[D*PORTS+:PORTS]), .ptr_o(ptr_o[16+:16])
  );
  class_ring #(.N(PORTS)) u_res (
      .clk_i, .rst_i, .go_i(go_res), .fits_i(res_fits),
      .win_o(res_win), .ahead_o(unused_res_ahead), .passed_o(unused_res_passed), .ptr_o(ptr_o[32+:16])
  );
  class_ring #(.N(2 * PORTS)) u_reply (
      .clk_i, .rst_i, .go_i(go_reply), .fits_i(reply_fits),
      .win_o(reply_win), .ahead_o(unused_reply_ahead), .passed_o(unused_reply_passed), .ptr_o(ptr_o[48+:16])
  );

  // ---- credits that are owed: to the first of a lane that was passed for lack of them, until it is granted or does not ask
  for (genvar v = 0; v <= D; v++) begin : g_owed
    logic [PORTS-1:0] lacks, near, first;  // passed without credit; those that the ring comes to first
    logic             ends;

    assign lacks = ask[v*PORTS+:PORTS] & ~credit[v*PORTS+:PORTS] & passed[v*PORTS+:PORTS];
    assign near = ((lacks & ahead[v*PORTS+:PORTS]) != '0) ? lacks & ahead[v*PORTS+:PORTS] : lacks;
    assign first = near & (~near + 1'b1);

    always_comb begin
      ends = 1'b0;
      for (int i = 0; i < PORTS; i++)
        if (owed_in_q[PW*v+:PW] == PW'(i) && (win[v*PORTS+i] || !ask[v*PORTS+i])) ends = 1'b1;
      owed_d[v] = owed_q[v];
      owed_in_d[PW*v+:PW] = owed_in_q[PW*v+:PW];
      if (rst_i || (free_i && owed_q[v] && ends)) begin
        owed_d[v] = 1'b0;
        owed_in_d[PW*v+:PW] = '0;
      end else if (!owed_q[v] && first != '0) begin
        owed_d[v] = 1'b1;
        for (int i = 0; i < PORTS; i++) if (first[i]) owed_in_d[PW*v+:PW] = owed_in_d[PW*v+:PW] | PW'(i);
      end
    end
    assign owed_in_o[8*v+:8] = 8'(owed_in_q[PW*v+:PW]);
  end

  always_ff @(posedge clk_i) begin
    owed_q <= owed_d;
    owed_in_q <= owed_in_d;
  end

  assign owed_o = VLS'(owed_q);
  assign owed_in_o[8*VLS-1:8*(D+1)] = '0;

  // ---- what the grant takes
  assign grant_vl_o[REPLY] = go_reply;
  assign grant_vl_o[RES] = go_res;
  assign grant_vl_o[D] = go_spec;
  for (genvar v = 0; v < D; v++) begin : g_taken
    assign grant_vl_o[v] = win[v*PORTS+:PORTS] != '0;
  end

  always_comb begin
    grant_len_o = '0;
    for (int r = 0; r < N; r++) if (grant_o[r]) grant_len_o = grant_len_o | req_len_i[7*r+:7];
  end
endmodule

`default_nettype wire
