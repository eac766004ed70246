// Choice of the packet that an output serves next, and of the packet that it compares with its CAM
// lines while it has none to serve. Requester r = input * VLS + VL. Rules A1-A3, E3, E5, E7, F1.
// Everything is decided within the cycle. The winner is found in three steps: class (CNPs or data), VL,
// input; each class has a pointer over the VLs, and for each VL a place for each input, so that nobody's turn
// depends on what other VLs or the other class are granted. CNPs ask until they are served, so that a pointer goes round among
// their inputs; data are held by stops now and then, so of those the input goes that was served longest ago. With cnp_plain there is
// one class: CNPs are as data. With sched (STAMP_W > 0) only the oldest data take part in the choice of VL and input: rule AG1.
`default_nettype none

module grant_arbiter #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int LINES = 9,
    parameter int ONE_QUEUE = 0,
    parameter int ISOLATION = 1,
    parameter int STAMP_W = 0,
    parameter int PARITY = 0,
    localparam int N = PORTS * VLS,
    localparam int PW = (PORTS > 1) ? $clog2(PORTS) : 1,
    localparam int AGE_W = (STAMP_W > 0) ? STAMP_W : 1
) (
    input  wire logic                   clk_i,
    input  wire logic                   rst_i,
    input  wire logic                   iso_en_i,
    input  wire logic                   cnp_plain_i,   // CNPs take their turns as data do
    input  wire logic                   sched_i,       // the oldest data go first
    input  wire logic                   free_i,        // the output can take a packet
    input  wire logic [VLS-1:0]         has_credit_i,  // for a packet of MTU flits, as data need it
    input  wire logic [12*VLS-1:0]      left_i,        // credit limit less blocks granted: a CNP needs its own length
    input  wire logic [N-1:0]           req_valid_i,
    input  wire logic [7*N-1:0]         req_len_i,
    input  wire logic [16*N-1:0]        req_dlid_i,
    input  wire logic [N-1:0]           req_cnp_i,
    input  wire logic [N-1:0]           req_hot_i,
    input  wire logic [N-1:0]           req_unlinked_i,
    input  wire logic [N-1:0]           req_bound_i,   // its queue is bound to this line
    input  wire logic [8*N-1:0]         req_line_i,
    input  wire logic [AGE_W*N-1:0]     req_age_i,
    input  wire logic [PORTS-1:0]       can_alloc_i,
    input  wire logic [LINES*PORTS-1:0] known_i,
    input  wire logic [LINES*PORTS-1:0] room_i,
    // CAM look-up of the packet under examination, answered in the same cycle
    output logic [7:0]                  look_vl_o,
    output logic [15:0]                 look_dlid_o,
    input  wire logic [LINES-1:0]       match_i,       // lines that match,
    input  wire logic [LINES-1:0]       hit_i,         // the lowest of them, one-hot,
    input  wire logic [LINES-1:0]       hit_stop_i,    // and of those that are stopped
    input  wire logic [LINES*PORTS-1:0] other_i,       // per input and line: it is another input's turn
    input  wire logic [LINES-1:0]       closing_i,     // lines that nobody is told of any more
    input  wire logic [VLS-1:0]         lost_vl_i,     // a turn of this VL is lost: in the order of its data
    input  wire logic [PW-1:0]          drawn_i,       // this input goes to the front
    // ONE_QUEUE: what the match of the switch made of the proposals
    input  wire logic [N-1:0]           take_i,
    input  wire logic [N-1:0]           req_match_i,   // requests that belong to a CAM line,
    input  wire logic [N-1:0]           req_told_i,    // must be told first,
    input  wire logic [N-1:0]           req_held_i,    // or wait for a line;
    input  wire logic [LINES*N-1:0]     req_lines_i,   // the lines that each matches,
    input  wire logic [LINES*N-1:0]     req_hit_i,     // and the lowest of them, one-hot
    output logic [N-1:0]                grant_o,
    output logic [N-1:0]                held_o,        // the winner, if a line holds it back (ONE_QUEUE: never)
    output logic [LINES-1:0]            held_by_o,     // that line, one-hot
    output logic [N-1:0]                elig_o,
    output logic [VLS-1:0]              grant_vl_o,    // one-hot
    output logic                        grant_cnp_o,
    output logic [6:0]                  grant_len_o,
    output logic [LINES-1:0]            line_granted_o,  // lines that the data packet granted matches or is bound to
    output logic [PORTS-1:0]            line_granted_in_o,  // and its input
    output logic [PORTS-1:0]            prop_valid_o,
    output logic [7:0]                  prop_vl_o,
    output logic [PORTS*N-1:0]          ahead_o,       // order of data, element i*VLS+v: inputs whose data of v go before i's
    output logic [16*VLS-1:0]           cr_o,          // pointers over the inputs, of CNPs
    output logic [31:0]                 vp_o,          // pointers over the VLs: of data, of CNPs
    output logic [8*VLS-1:0]            passed_o,
    output logic [15:0]                 scan_o,
    output logic [15:0]                 cnt_e7_o,
    output logic                        parity_err_o
);
  localparam int W = (N > 1) ? $clog2(N) : 1;
  localparam int VW = (VLS > 1) ? $clog2(VLS) : 1;
  localparam int CW = 6;  // counts CNPs
  localparam logic [CW-1:0] PASS_MAX = 6'd32;  // CNPs that go ahead of a data packet

  localparam int PP = PORTS * PORTS;

  logic [PW*VLS-1:0] cr_q, cr_d;
  logic [VW-1:0]     vp_q, vp_d, vpc_q, vpc_d;
  logic [CW*VLS-1:0] passed_q, passed_d;

  // ---- class, VL and input of the winner
  logic [N-1:0]     first_class;  // requests that go before data
  logic [N-1:0]     fits, of_class, choice, win, served;
  logic [VLS-1:0]   vl_cnp, vl_data, vl_waits, vl_passed, vl_urgent, vl_pool, vl_choice, win_vl;
  logic             pick_cnp, any, win_any, told, held, grant, e7;
  logic [PORTS-1:0] pool_in, win_in;
  logic [PW-1:0]    in_ptr, in_idx;
  logic [VW-1:0]    vl_idx;
  logic [PP*VLS-1:0] ahead;     // order of the data of each VL
  logic [PP-1:0]    ahead_data, ahead_cnp;  // of the winner's VL: of data, of CNPs
  logic [PORTS*VLS-1:0] moved;  // element v*PORTS+i: input i is served data of VL v, and goes to the end
  logic [VLS-1:0]   order_err;

  assign first_class = cnp_plain_i ? '0 : req_cnp_i;

  // VLs with data that ask, whether they fit or not; those whose data have let enough CNPs pass
  always_comb begin
    vl_waits = '0;
    for (int i = 0; i < PORTS; i++)
      vl_waits = vl_waits | (req_valid_i[i*VLS+:VLS] & ~req_cnp_i[i*VLS+:VLS] & ~req_held_i[i*VLS+:VLS]);
  end
  for (genvar v = 0; v < VLS; v++) begin : g_passed
    assign vl_passed[v] = passed_q[CW*v+:CW] == PASS_MAX;
  end

  // CNPs of a VL whose data have waited for that many are withheld: they would take its credits for ever.
  for (genvar r = 0; r < N; r++) begin : g_fits
    localparam int V = r % VLS;
    assign fits[r] = req_valid_i[r] && !req_held_i[r]
        && (first_class[r] ? quell_pkg::credit_fits(left_i[12*V+:12], 8'(req_len_i[7*r+:7])) && !(vl_passed[V] && vl_waits[V]) : has_credit_i[V]);
  end

  always_comb begin
    vl_cnp = '0;
    vl_data = '0;
    for (int i = 0; i < PORTS; i++) begin
      vl_cnp = vl_cnp | (fits[i*VLS+:VLS] & first_class[i*VLS+:VLS]);
      vl_data = vl_data | (fits[i*VLS+:VLS] & ~first_class[i*VLS+:VLS]);
    end
  end

  assign vl_urgent = cnp_plain_i ? '0 : vl_data & vl_passed;

  assign pick_cnp = vl_cnp != '0 && vl_urgent == '0;
  assign vl_pool = (vl_urgent != '0) ? vl_urgent : (vl_cnp != '0) ? vl_cnp : vl_data;
  assign of_class = fits & ~(first_class ^ {N{pick_cnp}});

  // those that take part in the choice of VL and input, and their VLs
  if (STAMP_W > 0) begin : g_age
    logic [N-1:0] oldest;

    oldest_first #(.N(N), .W(AGE_W)) u_oldest (
        .pool_i(of_class & {PORTS{vl_pool}}), .age_i(req_age_i), .oldest_o(oldest)
    );

    assign choice = (sched_i && !pick_cnp) ? oldest : of_class;
    always_comb begin
      vl_choice = '0;
      for (int i = 0; i < PORTS; i++) vl_choice = vl_choice | choice[i*VLS+:VLS];
      vl_choice = vl_choice & vl_pool;
    end
  end else begin : g_age
    wire unused = &{1'b0, sched_i, req_age_i};
    assign choice = of_class;
    assign vl_choice = vl_pool;
  end

  rr_arbiter #(.N(VLS)) u_vl (
      .req_i(vl_choice), .ptr_i(pick_cnp ? vpc_q : vp_q), .gnt_o(win_vl), .idx_o(vl_idx), .any_o(any)
  );

  // ---- the input: of data the one that was served longest ago, of CNPs the next in turn
  for (genvar v = 0; v < VLS; v++) begin : g_order
    logic [PP-1:0] before_it;
    served_order #(.N(PORTS), .PARITY(PARITY)) u_order (
        .clk_i, .rst_i,
        .served_i(moved[PORTS*v+:PORTS]),
        .front_i(lost_vl_i[v] ? PORTS'(1) << drawn_i : '0),
        .ahead_o(ahead[PP*v+:PP]),
        .before_o(before_it),
        .parity_err_o(order_err[v])
    );
    for (genvar i = 0; i < PORTS; i++) begin : g_of
      assign ahead_o[PORTS*(i*VLS+v)+:PORTS] = before_it[PORTS*i+:PORTS];
    end
  end

  always_comb begin
    in_ptr = '0;
    ahead_data = '0;
    for (int v = 0; v < VLS; v++) begin
      if (win_vl[v]) in_ptr = in_ptr | cr_q[PW*v+:PW];
      if (win_vl[v]) ahead_data = ahead_data | ahead[PP*v+:PP];
    end
    for (int i = 0; i < PORTS; i++) pool_in[i] = (choice[i*VLS+:VLS] & win_vl) != '0;
    // (round robin from a pointer as an order)
    ahead_cnp = '0;
    for (int i = 0; i < PORTS; i++)
      for (int j = 0; j < i; j++) ahead_cnp[i*PORTS+j] = quell_pkg::goes_before(16'(j), 16'(i), 16'(in_ptr));
  end

  order_first #(.N(PORTS)) u_input (
      .req_i(pool_in), .ahead_i(pick_cnp ? ahead_cnp : ahead_data), .first_o(win_in)
  );

  always_comb begin
    in_idx = '0;
    for (int i = 0; i < PORTS; i++) if (win_in[i]) in_idx = in_idx | PW'(i);
  end

  for (genvar i = 0; i < PORTS; i++) begin : g_win
    assign win[i*VLS+:VLS] = (free_i && win_in[i]) ? win_vl : '0;
  end

  assign win_any = free_i && any;
  assign grant = win_any && !told && !held;
  assign grant_o = grant ? win : '0;
  assign held_o = held ? win : '0;

  logic             turn;         // pointers move
  logic [LINES-1:0] lines_served; // lines that what is served matches,
  logic [LINES-1:0] line_served;  // and the lowest of them
  logic [LINES-1:0] look_line;

  // What is served: the grant, or with ONE_QUEUE the lowest possible one of the requests taken.
  if (ONE_QUEUE != 0) begin : g_take
    logic [N-1:0] taken;
    wire unused_line = &{1'b0, look_line, match_i};
    assign taken = free_i ? take_i & fits : '0;
    assign served = taken & (~taken + 1'b1);
    always_comb begin
      lines_served = '0;
      line_served = '0;
      for (int r = 0; r < N; r++) begin
        if (served[r]) begin
          lines_served = lines_served | req_lines_i[LINES*r+:LINES];
          line_served = line_served | req_hit_i[LINES*r+:LINES];
        end
      end
    end
    assign turn = (grant_o & served) != '0;
    assign elig_o = (prop_valid_o != '0 || !free_i) ? '0 : of_class & ~req_told_i;
    assign e7 = (served & req_match_i & ~req_told_i & ~req_hot_i) != '0 && (line_served & closing_i) == '0;
  end else begin : g_grant
    logic unused;
    assign unused = &{1'b0, take_i, req_match_i, req_told_i, req_lines_i, req_hit_i};
    assign served = grant_o;
    assign line_served = grant ? look_line : '0;
    assign lines_served = (line_served != '0) ? match_i : '0;
    assign turn = grant;
    assign elig_o = '0;
  end

  // ---- the pointers and the order of the class and VL whose turn it was move, and no others
  logic           cnp_served;
  logic [VLS-1:0] data_served;  // VL whose data are granted
  logic [PW-1:0] next_in;
  logic [VW-1:0] next_vl;

  assign cnp_served = (served & req_cnp_i) != '0;
  assign grant_cnp_o = cnp_served;

  always_comb begin
    data_served = '0;
    for (int i = 0; i < PORTS; i++) data_served = data_served | (served[i*VLS+:VLS] & ~req_cnp_i[i*VLS+:VLS]);
  end

  assign next_in = (in_idx == PW'(PORTS - 1)) ? '0 : in_idx + 1'b1;
  assign next_vl = (vl_idx == VW'(VLS - 1)) ? '0 : vl_idx + 1'b1;

  always_comb begin
    cr_d = cr_q;
    vp_d = vp_q;
    vpc_d = vpc_q;
    passed_d = passed_q;
    if (rst_i) begin
      cr_d = '0;
      vp_d = '0;
      vpc_d = '0;
      passed_d = '0;
    end else begin
      for (int v = 0; v < VLS; v++) begin
        if (turn && win_vl[v] && pick_cnp) cr_d[PW*v+:PW] = next_in;
      end
      if (turn && pick_cnp) vpc_d = next_vl;
      if (turn && !pick_cnp && vl_urgent == '0) vp_d = next_vl;
      for (int v = 0; v < VLS; v++) begin
        if (data_served[v] || cnp_plain_i) passed_d[CW*v+:CW] = '0;
        else if (cnp_served && vl_waits[v] && !vl_passed[v]) passed_d[CW*v+:CW] = passed_q[CW*v+:CW] + 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    cr_q <= cr_d;
    vp_q <= vp_d;
    vpc_q <= vpc_d;
    passed_q <= passed_d;
  end

  for (genvar v = 0; v < VLS; v++) begin : g_pointers
    assign moved[PORTS*v+:PORTS] = (turn && win_vl[v] && !pick_cnp) ? win_in : '0;
    assign cr_o[16*v+:16] = 16'(cr_q[PW*v+:PW]);
    assign passed_o[8*v+:8] = 8'(passed_q[CW*v+:CW]);
  end
  assign vp_o = {16'(vpc_q), 16'(vp_q)};

  logic ptr_err, scan_err;

  parity_group #(.PARITY(PARITY)) u_parity (
      .clk_i,
      .next_i(^{cr_d, vp_d, vpc_d, passed_d}),
      .now_i(^{cr_q, vp_q, vpc_q, passed_q}),
      .err_o(ptr_err)
  );

  assign parity_err_o = ptr_err || scan_err || order_err != '0;

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

  // ---- lines whose first packet after a stop this may be
  if (ISOLATION != 0) begin : g_lines
    logic [N-1:0] data;
    assign data = served & ~req_cnp_i;
    always_comb begin
      line_granted_o = (data != '0) ? lines_served : '0;
      line_granted_in_o = '0;
      for (int r = 0; r < N; r++) begin
        if (data[r]) begin
          line_granted_in_o[r/VLS] = 1'b1;
          for (int k = 0; k < LINES; k++)
            if (req_bound_i[r] && req_line_i[8*r+:8] == 8'(k)) line_granted_o[k] = 1'b1;
        end
      end
    end
  end else begin : g_no_lines
    wire unused = &{1'b0, req_bound_i, req_line_i, lines_served};
    assign line_granted_o = '0;
    assign line_granted_in_o = '0;
  end

  // ---- CAM check of the winner, or of a scanned request when there is none
  if (ISOLATION != 0) begin : g_iso
    logic [N-1:0]     scan_pool, found, look;
    logic [W-1:0]     scan_q, scan_d, found_idx;
    logic             found_any, matched, tells, look_hot, look_unlinked, look_known, look_room, look_alloc,
                      look_other;
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
      look_other = 1'b0;
      for (int i = 0; i < PORTS; i++) begin
        if (look_in[i]) begin
          look_known = look_known || (known_i[LINES*i+:LINES] & hit_i) != '0;
          look_room = look_room || (room_i[LINES*i+:LINES] & hit_i) != '0;
          look_other = look_other || (other_i[LINES*i+:LINES] & hit_i) != '0;
        end
      end
      look_alloc = (look_in & can_alloc_i) != '0;
      look_hot = (look & req_hot_i) != '0;
      look_unlinked = (look & req_unlinked_i) != '0;
      matched = iso_en_i && look != '0 && (look & req_cnp_i) == '0 && hit_i != '0;
      tells = matched && (hit_i & closing_i) == '0;  // of a tree that is still there
      told = tells && (look_hot ? look_unlinked : look_known ? look_room : look_alloc);
      held = matched && win_any && !told && (hit_stop_i != '0 || look_other);
      prop_valid_o = told ? look_in : '0;
      prop_vl_o = told ? look_vl_o : '0;
    end

    assign look_line = matched ? hit_i : '0;
    assign held_by_o = !held ? '0 : (hit_stop_i != '0) ? hit_stop_i : hit_i;

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
        .clk_i,
        .next_i(^{scan_d, cnt_e7_d}),
        .now_i(^{scan_q, cnt_e7_q}),
        .err_o(scan_err)
    );

    if (ONE_QUEUE == 0) begin : g_e7
      assign e7 = grant && tells && !look_hot;
    end

    assign scan_o = 16'(scan_q);
    assign cnt_e7_o = cnt_e7_q;
  end else begin : g_no_iso
    assign told = 1'b0;
    assign held = 1'b0;
    assign held_by_o = '0;
    assign look_line = '0;
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
    wire unused = &{1'b0, e7, iso_en_i, req_dlid_i, req_hot_i, req_unlinked_i, can_alloc_i, known_i, room_i, hit_i,
        hit_stop_i, other_i, closing_i};
  end
endmodule

`default_nettype wire
