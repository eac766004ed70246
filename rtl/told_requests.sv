// For every request at once: does it belong to a CAM line of this output, must its input be told so
// before it may be served, or does a line hold it back, being stopped or having its turn elsewhere. Only for outputs whose grants may go to
// another request than the one that they chose (ONE_QUEUE, one VL). Rules A3, E3, E5, E7. Combinational, and
// from the fields of the requests alone: the match decides by what is held which requests are shown.
`default_nettype none

module told_requests #(
    parameter int PORTS = 8,
    parameter int LINES = 9,
    parameter int DLIST = 8
) (
    input  wire logic                      iso_en_i,
    input  wire logic [16*PORTS-1:0]       req_dlid_i,
    input  wire logic [PORTS-1:0]          req_cnp_i,
    input  wire logic [PORTS-1:0]          req_hot_i,
    input  wire logic [PORTS-1:0]          req_unlinked_i,
    input  wire logic [PORTS-1:0]          can_alloc_i,
    input  wire logic [LINES*PORTS-1:0]    known_i,
    input  wire logic [LINES*PORTS-1:0]    room_i,
    // the lines
    input  wire logic [LINES-1:0]          valid_i,  // and shown
    input  wire logic [LINES-1:0]          stop_i,
    input  wire logic [LINES*PORTS-1:0]    other_i,  // per input and line: it is another input's turn
    input  wire logic [LINES-1:0]          closing_i,  // nobody is told of it any more
    input  wire logic [8*LINES-1:0]        dcnt_i,
    input  wire logic [16*DLIST*LINES-1:0] dlist_i,
    output logic [PORTS-1:0]               match_o,
    output logic [PORTS-1:0]               told_o,
    output logic [PORTS-1:0]               held_o,
    output logic [LINES*PORTS-1:0]         lines_o,  // the lines that the request matches,
    output logic [LINES*PORTS-1:0]         line_o,   // the lowest of them, one-hot,
    output logic [LINES*PORTS-1:0]         by_o      // and the one that holds it back
);
  for (genvar i = 0; i < PORTS; i++) begin : g_request
    logic [LINES-1:0] match;
    logic [LINES-1:0] stop;
    logic [LINES-1:0] hit;      // lowest of each
    logic [LINES-1:0] hit_stop;
    logic [LINES-1:0] by;

    always_comb begin
      match = '0;
      if (iso_en_i && !req_cnp_i[i] && valid_i != '0) begin
        for (int k = 0; k < LINES; k++)
          for (int d = 0; d < DLIST; d++)
            if (valid_i[k] && 8'(d) < dcnt_i[8*k+:8] && dlist_i[16*(DLIST*k+d)+:16] == req_dlid_i[16*i+:16])
              match[k] = 1'b1;
      end
    end
    assign hit = match & (~match + 1'b1);
    assign match_o[i] = match != '0;
    assign told_o[i] = match_o[i] && (hit & closing_i) == '0 && (req_hot_i[i] ? req_unlinked_i[i]
        : (hit & known_i[LINES*i+:LINES]) != '0 ? (hit & room_i[LINES*i+:LINES]) != '0 : can_alloc_i[i]);
    assign stop = match & stop_i;
    assign hit_stop = stop & (~stop + 1'b1);
    assign by = (stop != '0) ? hit_stop : hit & other_i[LINES*i+:LINES];
    assign held_o[i] = by != '0 && !told_o[i];
    assign lines_o[LINES*i+:LINES] = match;
    assign line_o[LINES*i+:LINES] = hit;
    assign by_o[LINES*i+:LINES] = told_o[i] ? '0 : by;
  end
endmodule

`default_nettype wire
