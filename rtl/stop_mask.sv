// Which flows a stopped line of the adapter's output CAM holds back: bit f is set one cycle after some
// line was valid, stopped and had DLID lid_base + f in its list. Rule H5; docs/hca.md section 2.
`default_nettype none

module stop_mask #(
    parameter int FLOWS = 64,
    parameter int LINES = 9,
    parameter int DLIST = 8
) (
    input  wire logic                        clk_i,
    input  wire logic                        rst_i,
    input  wire logic [15:0]                 lid_base_i,
    input  wire logic [LINES-1:0]            ol_valid_i,
    input  wire logic [LINES-1:0]            ol_stop_i,
    input  wire logic [8*LINES-1:0]          ol_dcnt_i,
    input  wire logic [16*DLIST*LINES-1:0]   ol_dlist_i,
    output logic      [FLOWS-1:0]            stop_o
);
  localparam int FW = $clog2(FLOWS);

  logic [LINES-1:0] stopped;
  logic [FLOWS-1:0] mask;
  logic [15:0]      flow;

  assign stopped = ol_valid_i & ol_stop_i;

  // Written so that a simulator skips the lines that are not stopped.
  always_comb begin
    mask = '0;
    flow = '0;
    if (stopped != '0) begin
      for (int k = 0; k < LINES; k++) begin
        if (stopped[k]) begin
          for (int d = 0; d < DLIST; d++) begin
            flow = ol_dlist_i[16*(DLIST*k+d)+:16] - lid_base_i;
            if (8'(d) < ol_dcnt_i[8*k+:8] && flow < 16'(FLOWS)) mask[flow[FW-1:0]] = 1'b1;
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) stop_o <= '0;
    else stop_o <= mask;
  end
endmodule

`default_nettype wire
