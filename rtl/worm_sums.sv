// What is booked: on the link of each output, by streams of each lane there, and by those that come in on each lane of an input. A
// message that is decided changes one of each, and so do the streams that end: one at each output in a cycle at most, since the tails
// cross. Rules YA2, YA5, YA6.
`default_nettype none

module worm_sums #(
    parameter int PORTS = 5,
    parameter int VLS = 16
) (
    input  wire logic                    clk_i,
    input  wire logic                    rst_i,
    input  wire logic                    admit_en_i,
    // decision (worm_admission)
    input  wire logic                    add_i,
    input  wire logic                    take_i,
    input  wire logic [PORTS-1:0]        in_i,
    input  wire logic [PORTS-1:0]        out_i,
    input  wire logic [VLS-1:0]          lane_i,
    input  wire logic [15:0]             bw_i,
    // streams that end, by input
    input  wire logic [PORTS*VLS-1:0]    end_i,      // element i*VLS+v: in lane v
    input  wire logic [16*PORTS-1:0]     end_bw_i,
    input  wire logic [PORTS*PORTS-1:0]  from_i,     // element o*PORTS+i: what input i sent crosses to output o
    input  wire logic [PORTS*VLS-1:0]    to_lane_i,  // element o*VLS+u: in lane u there
    output logic [13*PORTS-1:0]          used_o,     // 4096 at most
    output logic [16*PORTS*VLS-1:0]      book_out_o,
    output logic [16*PORTS*VLS-1:0]      book_in_o,
    output logic [PORTS-1:0]             bad_o       // Mealy: more was to be taken off a sum of the port than there is
);
  logic             clear;
  logic [PORTS-1:0] ends;  // some stream of the input

  assign clear = rst_i || !admit_en_i;
  for (genvar i = 0; i < PORTS; i++) begin : g_ends
    assign ends[i] = end_i[i*VLS+:VLS] != '0;
  end

  for (genvar p = 0; p < PORTS; p++) begin : g_port
    logic [15:0]    end_bw;  // of the stream that ends at output p
    logic [VLS-1:0] bad_out, bad_in;
    logic           ends_out, bad_used;

    assign ends_out = (from_i[p*PORTS+:PORTS] & ends) != '0;

    always_comb begin
      end_bw = '0;
      for (int i = 0; i < PORTS; i++) if (from_i[p*PORTS+i] && ends[i]) end_bw = end_bw | end_bw_i[16*i+:16];
    end

    worm_sum #(.WIDTH(13)) u_used (
        .clk_i,
        .clear_i(clear),
        .end_i(ends_out),
        .end_bw_i(end_bw),
        .take_i(take_i && out_i[p]),
        .add_i(add_i && out_i[p]),
        .bw_i,
        .sum_o(used_o[13*p+:13]),
        .bad_o(bad_used)
    );

    for (genvar v = 0; v < VLS; v++) begin : g_lane
      worm_sum u_out (
          .clk_i,
          .clear_i(clear),
          .end_i(ends_out && to_lane_i[p*VLS+v]),
          .end_bw_i(end_bw),
          .take_i(take_i && out_i[p] && lane_i[v]),
          .add_i(add_i && out_i[p] && lane_i[v]),
          .bw_i,
          .sum_o(book_out_o[16*(p*VLS+v)+:16]),
          .bad_o(bad_out[v])
      );

      worm_sum u_in (
          .clk_i,
          .clear_i(clear),
          .end_i(end_i[p*VLS+v]),
          .end_bw_i(end_bw_i[16*p+:16]),
          .take_i(take_i && in_i[p] && lane_i[v]),
          .add_i(add_i && in_i[p] && lane_i[v]),
          .bw_i,
          .sum_o(book_in_o[16*(p*VLS+v)+:16]),
          .bad_o(bad_in[v])
      );
    end

    assign bad_o[p] = bad_used || bad_out != '0 || bad_in != '0;
  end
endmodule

`default_nettype wire
