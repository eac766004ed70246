// Choice of the packet that an output serves next, and of the packet that it compares with its CAM
// lines while it has none to serve. Requester r = input * VLS + VL. Rules A1-A3, E3, E7, F1.
// Everything is decided within the cycle; the state is two pointers and a counter.
`default_nettype none

module grant_arbiter #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int LINES = 9,
    parameter int ONE_QUEUE = 0,
    parameter int ISOLATION = 1,
    parameter int PARITY = 0,
    localparam int N = PORTS * VLS
) (
    input  wire logic                   clk_i,
    input  wire logic                   rst_i,
    input  wire logic                   iso_en_i,
    input  wire logic                   free_i,        // the output can take a packet
    input  wire logic [12*VLS-1:0]      avail_i,       // FCCL - TXR per VL
    input  wire logic [N-1:0]           req_valid_i,
    input  wire logic [7*N-1:0]         req_len_i,
    input  wire logic [16*N-1:0]        req_dlid_i,
    input  wire logic [N-1:0]           req_cnp_i,
    input  wire logic [N-1:0]           req_hot_i,
    input  wire logic [N-1:0]           req_unlinked_i,
    input  wire logic [PORTS-1:0]       can_alloc_i,
    input  wire logic [LINES*PORTS-1:0] known_i,
    input  wire logic [LINES*PORTS-1:0] room_i,
    // CAM look-up of the packet under examination, answered in the same cycle
    output logic [7:0]                  look_vl_o,
    output logic [15:0]                 look_dlid_o,
    input  wire logic [LINES-1:0]       hit_i,         // one-hot
    // ONE_QUEUE: what the match of the switch made of the proposals
    input  wire logic [N-1:0]           take_i,
    input  wire logic [N-1:0]           req_match_i,   // requests that belong to a CAM line
    input  wire logic [N-1:0]           req_told_i,    // and must be told first
    output logic [N-1:0]                grant_o,
    output logic [N-1:0]                elig_o,
    output logic [VLS-1:0]              grant_vl_o,    // one-hot
    output logic [6:0]                  grant_len_o,
    output logic [PORTS-1:0]            prop_valid_o,
    output logic [7:0]                  prop_vl_o,
    output logic [15:0]                 rr_o,
    output logic [15:0]                 scan_o,
    output logic [15:0]                 cnt_e7_o,
    output logic                        parity_err_o
);
  localparam int W = (N > 1) ? $clog2(N) : 1;
  localparam logic [11:0] HALF = 12'd2048;

  // ---- winner among the requests that fit
  logic [N-1:0] fits, fit_cnp, pool, win, served;
  logic [W-1:0] rr_q, rr_d, win_idx;
  logic         win_any, told, grant, e7;

  for (genvar r = 0; r < N; r++) begin : g_fit
    logic [11:0] rest;
    assign rest = avail_i[12*(r%VLS)+:12] - 12'(req_len_i[7*r+:7]);
    assign fits[r] = req_valid_i[r] && rest <= HALF;
  end

  assign fit_cnp = fits & req_cnp_i;
  assign pool = !free_i ? '0 : (fit_cnp != '0) ? fit_cnp : fits;

  rr_arbiter #(.N(N)) u_winner (
      .req_i(pool), .ptr_i(rr_q), .gnt_o(win), .idx_o(win_idx), .any_o(win_any)
  );

  assign grant = win_any && !told;
  assign grant_o = grant ? win : '0;
  assign rr_o = 16'(rr_q);

  // What is served: the grant, or with ONE_QUEUE the lowest possible one of the requests taken.
  if (ONE_QUEUE != 0) begin : g_take
    logic [N-1:0] taken;
    assign taken = free_i ? take_i & fits : '0;
    assign served = taken & (~taken + 1'b1);
    assign elig_o = (prop_valid_o != '0) ? '0 : pool & ~req_told_i;
    assign e7 = (served & req_match_i & ~req_told_i & ~req_hot_i) != '0;
  end else begin : g_grant
    logic unused;
    assign unused = &{1'b0, take_i, req_match_i, req_told_i};
    assign served = grant_o;
    assign elig_o = '0;
  end

  always_comb begin
    rr_d = rr_q;
    if (rst_i) rr_d = '0;
    else if (grant && (served & grant_o) != '0) rr_d = (win_idx == W'(N - 1)) ? '0 : win_idx + 1'b1;
  end

  always_ff @(posedge clk_i) rr_q <= rr_d;

  logic rr_err, scan_err;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i(clk_i),
      .next_i(^rr_d),
      .now_i(^rr_q),
      .err_o(rr_err)
  );

  assign parity_err_o = rr_err || scan_err;

  always_comb begin
    grant_vl_o = '0;
    grant_len_o = '0;
    for (int r = 0; r < N; r++) begin
      if (served[r]) begin
        grant_vl_o[r%VLS] = 1'b1;
        grant_len_o = grant_len_o | req_len_i[7*r+:7];
      end
    end
  end

  // ---- CAM check of the winner, or of a scanned request when there is none
  if (ISOLATION != 0) begin : g_iso
    logic [N-1:0]     scan_pool, found, look;
    logic [W-1:0]     scan_q, scan_d, found_idx;
    logic             found_any, matched, look_hot, look_unlinked, look_known, look_room, look_alloc;
    logic [PORTS-1:0] look_in;
    logic [15:0]      cnt_e7_q, cnt_e7_d;

    assign scan_pool = (iso_en_i && !win_any) ? req_valid_i & ~req_cnp_i & (~req_hot_i | req_unlinked_i) : '0;

    rr_arbiter #(.N(N)) u_scan (
        .req_i(scan_pool), .ptr_i(scan_q), .gnt_o(found), .idx_o(found_idx), .any_o(found_any)
    );

    always_comb begin
      look = win | found;
      look_vl_o = '0;
      look_dlid_o = '0;
      look_in = '0;
      for (int r = 0; r < N; r++) begin
        if (look[r]) begin
          look_vl_o = look_vl_o | 8'(r % VLS);
          look_dlid_o = look_dlid_o | req_dlid_i[16*r+:16];
          look_in[r/VLS] = 1'b1;
        end
      end
    end

    always_comb begin
      look_known = 1'b0;
      look_room = 1'b0;
      for (int i = 0; i < PORTS; i++) begin
        if (look_in[i]) begin
          look_known = look_known || (known_i[LINES*i+:LINES] & hit_i) != '0;
          look_room = look_room || (room_i[LINES*i+:LINES] & hit_i) != '0;
        end
      end
      look_alloc = (look_in & can_alloc_i) != '0;
      look_hot = (look & req_hot_i) != '0;
      look_unlinked = (look & req_unlinked_i) != '0;
      matched = iso_en_i && look != '0 && (look & req_cnp_i) == '0 && hit_i != '0;
      told = matched && (look_hot ? look_unlinked : look_known ? look_room : look_alloc);
      prop_valid_o = told ? look_in : '0;
      prop_vl_o = told ? look_vl_o : '0;
    end

    always_comb begin
      scan_d = scan_q;
      cnt_e7_d = cnt_e7_q;
      if (rst_i) begin
        scan_d = '0;
        cnt_e7_d = '0;
      end else begin
        if (found_any) scan_d = (found_idx == W'(N - 1)) ? '0 : found_idx + 1'b1;
        if (e7 && cnt_e7_q != '1) cnt_e7_d = cnt_e7_q + 1'b1;
      end
    end

    always_ff @(posedge clk_i) begin
      scan_q <= scan_d;
      cnt_e7_q <= cnt_e7_d;
    end

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i(clk_i),
        .next_i(^{scan_d, cnt_e7_d}),
        .now_i(^{scan_q, cnt_e7_q}),
        .err_o(scan_err)
    );

    if (ONE_QUEUE == 0) begin : g_e7
      assign e7 = grant && matched && !look_hot;
    end

    assign scan_o = 16'(scan_q);
    assign cnt_e7_o = cnt_e7_q;
  end else begin : g_no_iso
    assign told = 1'b0;
    assign look_vl_o = '0;
    assign look_dlid_o = '0;
    assign prop_valid_o = '0;
    assign prop_vl_o = '0;
    assign scan_o = '0;
    assign cnt_e7_o = '0;
    assign scan_err = 1'b0;
    if (ONE_QUEUE == 0) begin : g_e7
      assign e7 = 1'b0;
    end
    wire unused = &{1'b0, e7, iso_en_i, req_dlid_i, req_hot_i, req_unlinked_i, can_alloc_i, known_i, room_i, hit_i};
  end
endmodule

`default_nettype wire
