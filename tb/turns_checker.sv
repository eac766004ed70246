// What the packets of a stopped line are promised, with none of the mechanisms: after each stop the first packet goes round
// among the inputs that have one in a hot queue linked to the line, also where the tree dies after each go and comes back
// with the next packet (where another one comes it begins anew); and where no stop is left something goes. One for each
// output of a switch with isolation; for simulation. Rules A3, E5.
`default_nettype none

module turns_checker #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int HPQS = 2,
    parameter int LINES = 9,
    parameter int DLIST = 8,
    parameter int ONE_QUEUE = 0,
    localparam int PV = PORTS * VLS
) (
    input wire logic                      clk_i,
    input wire logic                      rst_i,
    // hot queues and lines of the inputs
    input wire logic [PORTS-1:0]          open_i,        // a packet is being received
    input wire logic [PORTS*HPQS*16-1:0]  hpq_pkts_i,
    input wire logic [PORTS*HPQS-1:0]     hpq_tied_i,    // a line that it is not linked to may hold the queue back
    input wire logic [PORTS*LINES*2-1:0]  line_state_i,
    input wire logic [PORTS*LINES*8-1:0]  line_out_i,
    input wire logic [PORTS*LINES*16-1:0] line_queue_i,
    input wire logic [PORTS*LINES*8-1:0]  line_next_i,
    input wire logic [PORTS*LINES-1:0]    line_linked_i,
    // the output
    input wire logic [7:0]                out_i,         // its number
    input wire logic [PORTS*PORTS-1:0]    act_i,         // packets in progress, element i*PORTS+o
    input wire logic [PV-1:0]             served_i,      // element i*VLS+v
    input wire logic [PV*16-1:0]          req_dlid_i,
    input wire logic [PV-1:0]             req_cnp_i,
    input wire logic [PV-1:0]             req_hot_i,
    input wire logic [PV-1:0]             req_bound_i,
    input wire logic [PV*8-1:0]           req_line_i,
    input wire logic [VLS*12-1:0]         fccl_i,
    input wire logic [VLS*12-1:0]         txr_i,
    input wire logic [LINES-1:0]          ol_valid_i,
    input wire logic [LINES-1:0]          ol_stop_i,
    input wire logic [LINES*8-1:0]        ol_vl_i,
    input wire logic [LINES*24-1:0]       ol_root_i,
    input wire logic [LINES*8-1:0]        ol_dcnt_i,
    input wire logic [LINES*DLIST*16-1:0] ol_dlist_i
);
  localparam int STILL = 8 * PORTS * VLS * (1 + HPQS) + 8;

  logic [LINES-1:0]       lists, of_line;       // lines that list the packet served; and the lowest, or that it is bound to
  logic [PORTS-1:0]       served_in;
  logic                   data, hot, sending;
  logic [15:0]            dlid;                 // of the packet served
  logic [7:0]             vl, queue;
  logic [PORTS*LINES-1:0] waits, starved;       // element i*LINES+k
  logic [PORTS*LINES*7-1:0] missed_q, missed_d; // others' first packets, one after the other, while one waits: in this life of the tree or another
  logic [PORTS*LINES*3-1:0] waited_q, waited_d; // whether it waited in the last three cycles
  logic [LINES-1:0]       first;                // the first packet after the stop goes
  logic [LINES-1:0]       still, valid_q, stops_q;
  logic [LINES-1:0]       new_tree;             // another one than was there last
  logic [LINES*8-1:0]     vl_q, dcnt_q;
  logic [LINES*24-1:0]    root_q;
  logic [LINES*DLIST*16-1:0] dlist_q;

  // Loops over all elements of something are not unrolled when there are many: these are in each output of a switch.
  always_comb begin
    lists = '0;
    of_line = '0;
    served_in = '0;
    data = 1'b0;
    hot = 1'b0;
    sending = 1'b0;
    dlid = '0;
    vl = '0;
    for (int i = 0; i < PORTS; i++) sending = sending || act_i[i*PORTS+32'(out_i)] || (ONE_QUEUE != 0 && act_i[i*PORTS +: PORTS] != '0);
    for (int r = 0; r < PV; r++) begin
      if (served_i[r] && !req_cnp_i[r]) begin
        data = 1'b1;
        hot = req_hot_i[r];
        served_in[r/VLS] = 1'b1;
        dlid = req_dlid_i[16*r +: 16];
        vl = 8'(r % VLS);
        if (req_bound_i[r]) of_line = of_line | (LINES'(1) << req_line_i[8*r +: 8]);
      end
    end
    if (data)
      for (int j = 0; j < LINES*DLIST; j++)
        if (ol_dlist_i[16*j +: 16] == dlid && ol_valid_i[j/DLIST] && ol_vl_i[8*(j/DLIST) +: 8] == vl
            && 8'(j % DLIST) < ol_dcnt_i[8*(j/DLIST) +: 8]) lists = lists | (LINES'(1) << (j / DLIST));
    of_line = of_line | (lists & (~lists + 1'b1));
  end

  // A hot queue of the input is linked to the line and has a packet that is whole.
  always_comb begin
    waits = '0;
    queue = '0;
    for (int j = 0; j < PORTS*LINES; j++)
      if (line_state_i[2*j +: 2] == quell_pkg::LN_HOT && line_linked_i[j] && line_out_i[8*j +: 8] == out_i
          && line_next_i[8*j +: 8] < 8'(LINES)) begin
        queue = 8'(line_queue_i[16*j +: 16] - 16'(PV));
        if (line_queue_i[16*j +: 16] >= 16'(PV) && line_queue_i[16*j +: 16] < 16'(PV + HPQS)
            && !hpq_tied_i[(j/LINES)*HPQS+32'(queue)]
            && hpq_pkts_i[((j/LINES)*HPQS+32'(queue))*16 +: 16] > 16'(open_i[j/LINES]))
          waits = waits | ((PORTS*LINES)'(1) << (32'(line_next_i[8*j +: 8]) + (j / LINES) * LINES));
      end
  end

  always_comb begin
    new_tree = '0;
    for (int k = 0; k < LINES; k++)
      if (ol_vl_i[8*k +: 8] != vl_q[8*k +: 8] || ol_root_i[24*k +: 24] != root_q[24*k +: 24]
          || ol_dcnt_i[8*k +: 8] < dcnt_q[8*k +: 8]) new_tree = new_tree | (LINES'(1) << k);
    if (ol_dlist_i != dlist_q)
      for (int j = 0; j < LINES*DLIST; j++)
        if (8'(j % DLIST) < dcnt_q[8*(j/DLIST) +: 8] && ol_dlist_i[16*j +: 16] != dlist_q[16*j +: 16])
          new_tree = new_tree | (LINES'(1) << (j / DLIST));
  end
  always_ff @(posedge clk_i) begin
    vl_q <= ol_vl_i;
    root_q <= ol_root_i;
    dcnt_q <= ol_dcnt_i;
    dlist_q <= ol_dlist_i;
  end

  // A packet of the line, or of the line that is away just now, goes from the input: nothing is missed. The input has waited
  // in the last cycles, too: the output has seen it, and the other inputs that it has.
  always_comb begin
    missed_d = missed_q;
    starved = '0;
    for (int j = 0; j < PORTS*LINES; j++) begin
      if (missed_q[7*j +: 7] >= 7'(PORTS)) starved[j] = 1'b1;
      if (new_tree[j%LINES] || (data && served_in[j/LINES] && (of_line[j%LINES] || (hot && !ol_valid_i[j%LINES])))
          || (first[j%LINES] && !(waits[j] && waited_q[3*j +: 3] == '1))) missed_d[7*j +: 7] = '0;
      else if (first[j%LINES] && missed_q[7*j +: 7] < 7'(PORTS)) missed_d[7*j +: 7] = missed_q[7*j +: 7] + 1'b1;
    end
  end
  always_comb
    for (int j = 0; j < PORTS*LINES; j++) waited_d[3*j +: 3] = {waited_q[3*j +: 2], waits[j]};
  always_ff @(posedge clk_i) begin
    missed_q <= rst_i ? '0 : missed_d;
    waited_q <= rst_i ? '0 : waited_d;
  end

  for (genvar k = 0; k < LINES; k++) begin : g_line
    logic stop_q, open_q;   // its stop has ended, and nothing of it has gone since
    logic ends;
    logic any;

    assign ends = stop_q && ol_valid_i[k] && !ol_stop_i[k];
    assign first[k] = (open_q || ends) && data && of_line[k];

    always_ff @(posedge clk_i) begin
      stop_q <= !rst_i && ol_valid_i[k] && ol_stop_i[k];
      open_q <= !rst_i && ol_valid_i[k] && !ol_stop_i[k] && (open_q || ends) && !first[k];
    end

    // ---- a line that is not stopped, with a packet waiting for it, credit, and the output idle
    logic        asked;
    logic [15:0] still_q;
    always_comb begin
      any = 1'b0;
      for (int i = 0; i < PORTS; i++) any = any || waits[i*LINES+k];
      asked = 1'b0;
      for (int v = 0; v < VLS; v++)
        if (ol_vl_i[8*k +: 8] == 8'(v) && 12'(fccl_i[v*12 +: 12] - txr_i[v*12 +: 12] - 12'(MTU)) < 12'd2049)
          asked = ol_valid_i[k] && !ol_stop_i[k] && any;
    end
    assign still[k] = still_q > 16'(STILL);
    always_ff @(posedge clk_i) begin
      if (rst_i || !asked || sending || served_i != '0 || valid_q != ol_valid_i || stops_q != ol_stop_i) still_q <= '0;
      else if (!still[k]) still_q <= still_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    valid_q <= ol_valid_i;
    stops_q <= ol_stop_i;
    if (!rst_i) begin
      a3_each_input_after_stops: assert (starved == '0);
      a3_freed_line_moves: assert (still == '0);
    end
  end
endmodule

`default_nettype wire
