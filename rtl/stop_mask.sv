// Which flows a stopped line of the adapter's output CAM holds back: bit f is set one cycle after some
// line was valid, stopped and had DLID lid_base + f in its list. Rule H5; docs/hca.md section 2.
`default_nettype none

module stop_mask #(
    parameter int FLOWS = 64,
    parameter int LINES = 9,
    parameter int DLIST = 8,
    parameter int PARITY = 0
) (
    input  wire logic                        clk_i,
    input  wire logic                        rst_i,
    input  wire logic [15:0]                 lid_base_i,
    input  wire logic [LINES-1:0]            ol_valid_i,
    input  wire logic [LINES-1:0]            ol_stop_i,
    input  wire logic [8*LINES-1:0]          ol_dcnt_i,
    input  wire logic [16*DLIST*LINES-1:0]   ol_dlist_i,
    output logic      [FLOWS-1:0]            stop_o,
    output logic                             parity_err_o
);
  localparam int ENTRIES = LINES * DLIST;
  localparam int SLICES = (FLOWS + 31) / 32;
  localparam int SW = (SLICES > 1) ? $clog2(SLICES) : 1;

  logic [SLICES-1:0]     slice_err;  // of parity
  logic [LINES-1:0]      stopped;
  logic [ENTRIES-1:0]    named;  // the entry of a stopped line names a flow
  logic [SW*ENTRIES-1:0] row;    // the flow's slice: bit b of all entries from ENTRIES * b on
  logic [ENTRIES*32-1:0] col;    // its place there, one-hot

  assign stopped = ol_valid_i & ol_stop_i;

  // Written so that a simulator skips the lines that are not stopped.
  for (genvar k = 0; k < LINES; k++) begin : g_line
    logic [15:0] flow;
    always_comb begin
      flow = '0;
      named[DLIST*k+:DLIST] = '0;
      for (int b = 0; b < SW; b++) row[ENTRIES*b+DLIST*k+:DLIST] = '0;
      col[32*DLIST*k+:32*DLIST] = '0;
      if (stopped[k]) begin
        for (int d = 0; d < DLIST; d++) begin
          flow = ol_dlist_i[16*(DLIST*k+d)+:16] - lid_base_i;
          named[DLIST*k+d] = 8'(d) < ol_dcnt_i[8*k+:8] && flow < 16'(FLOWS);
          for (int b = 0; b < SW; b++) row[ENTRIES*b+DLIST*k+d] = flow[5+b];
          col[32*(DLIST*k+d)+:32] = 32'd1 << flow[4:0];
        end
      end
    end
  end

  for (genvar s = 0; s < SLICES; s++) begin : g_slice
    // All entries at once: a loop over them takes Yosys most of its time with many flows.
    localparam logic [SW-1:0] HERE = SW'(s);
    logic [ENTRIES-1:0] here;
    always_comb begin
      here = named;
      for (int b = 0; b < SW; b++) here = here & (row[ENTRIES*b+:ENTRIES] ^ {ENTRIES{!HERE[b]}});
    end
    stop_mask_slice #(
        .LEN((FLOWS - 32 * s < 32) ? FLOWS - 32 * s : 32),
        .ENTRIES(ENTRIES), .PARITY(PARITY)
    ) u_slice (
        .clk_i, .rst_i,
        .row_i(here),
        .col_i(col),
        .stop_o(stop_o[32*s+:((FLOWS-32*s<32)?FLOWS-32*s:32)]),
        .parity_err_o(slice_err[s])
    );
  end

  assign parity_err_o = slice_err != '0;
endmodule

`default_nettype wire
