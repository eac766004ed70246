// What a user of a switch is promised, with none of its mechanisms: an output that has credit for a packet that asks for it
// serves one, or its trees or stops change, within a bound, whatever a stop holds back. Instantiated at the end of switch; for
// simulation.
`default_nettype none

module progress_checker #(
    parameter int PORTS = 8,
    parameter int VLS = 1,
    parameter int MTU = 32,
    parameter int HPQS = 2,
    parameter int LINES = 9,
    parameter int ONE_QUEUE = 0,
    parameter int CIOQ = 0,
    parameter int OCAP = 2048,  // room that it needs then
    localparam int PV = PORTS * VLS
) (
    input wire logic                    clk_i,
    input wire logic                    rst_i,
    input wire logic [PORTS*PORTS-1:0]  act_i,        // packets in progress, element i*PORTS+o
    input wire logic [PORTS*PV-1:0]     grant_i,      // element o*PV+i*VLS+v
    input wire logic [PORTS*PV-1:0]     take_i,
    input wire logic [PORTS*PV-1:0]     req_valid_i,  // element (i*PORTS+o)*VLS+v
    input wire logic [PORTS*PV-1:0]     req_cnp_i,
    input wire logic [PORTS*PV*7-1:0]   req_len_i,
    input wire logic [PORTS-1:0]        can_alloc_i,
    input wire logic [PORTS*VLS*12-1:0] fccl_i,
    input wire logic [PORTS*VLS*12-1:0] txr_i,
    input wire logic [PORTS*VLS*16-1:0] ofill_i,
    input wire logic [PORTS-1:0]        link_up_i,
    input wire logic [PORTS*LINES-1:0]  ol_valid_i,
    input wire logic [PORTS*LINES-1:0]  ol_stop_i
);
  // Each request may have to be told of a tree first, one in a cycle at each input; what is told may be told once more. Each
  // queue may be held back once, and asks no more then.
  localparam int STILL = 8 * PORTS * VLS * (1 + HPQS) + 8;

  logic [PORTS-1:0] still;  // outputs that serve nobody, though they could

  logic [PORTS-1:0] can_alloc_q;

  logic [PORTS-1:0] up_q;

  always_ff @(posedge clk_i) begin
    can_alloc_q <= can_alloc_i;
    up_q <= link_up_i;
  end

  // credit, or room in the queue, that is left of an output and VL after a packet
  function automatic logic [11:0] left(input int o, input int v, input logic [11:0] n);
    if (CIOQ != 0) left = 12'(OCAP) - ofill_i[(o*VLS+v)*16 +: 12] - n;
    else left = fccl_i[(o*VLS+v)*12 +: 12] - txr_i[(o*VLS+v)*12 +: 12] - n;
  endfunction
  wire unused_ofill = &{1'b0, ofill_i, fccl_i, txr_i, up_q};

  for (genvar o = 0; o < PORTS; o++) begin : g_output
    logic [LINES-1:0] lines_q, stops_q;
    logic [15:0]      still_q;
    logic             asked, answered, sending;

    always_comb begin
      asked = 1'b0;
      answered = 1'b0;
      sending = 1'b0;
      for (int i = 0; i < PORTS; i++) begin
        sending = sending || act_i[i*PORTS+o];
        for (int v = 0; v < VLS; v++) begin
          if (req_valid_i[(i*PORTS+o)*VLS+v] && left(o, v, 12'(MTU)) < 12'd2049 && (!req_cnp_i[(i*PORTS+o)*VLS+v]
              || left(o, v, 12'(req_len_i[((i*PORTS+o)*VLS+v)*7 +: 7])) < 12'd2049)) asked = 1'b1;
          if (grant_i[o*PV+i*VLS+v] && (ONE_QUEUE == 0 || take_i[o*PV+i*VLS+v])) answered = 1'b1;
        end
      end
      // with one read port an input's packet for one output keeps it from the others
      if (ONE_QUEUE != 0 && act_i != '0) sending = 1'b1;
      if (CIOQ != 0 && !(link_up_i[o] && up_q[o])) asked = 1'b0;
    end

    assign still[o] = still_q > 16'(STILL);

    always_ff @(posedge clk_i) begin
      lines_q <= ol_valid_i[o*LINES +: LINES];
      stops_q <= ol_stop_i[o*LINES +: LINES];
      if (rst_i || !asked || answered || sending || stops_q != ol_stop_i[o*LINES +: LINES]
          || lines_q != ol_valid_i[o*LINES +: LINES] || can_alloc_i != can_alloc_q) still_q <= '0;
      else if (!still[o]) still_q <= still_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i) a3_output_moves: assert (still == '0);
  end
endmodule

`default_nettype wire
