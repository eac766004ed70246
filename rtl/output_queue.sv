// Queue of an output with CIOQ = 1: a FIFO of flits for each VL, all in one memory with a write and a synchronous read port, since one flit
// comes and one leaves in a cycle at most; the heads are shown from registers one cycle after they were stored. And the room of each VL: flits of
// packets granted that have not left. When the link goes down everything is forgotten. Rule CQ1; docs/output-queue.md section 1.
`default_nettype none

module output_queue #(
    parameter int VLS = 1,
    parameter int OCAP = 2048,  // flits of each VL
    parameter int WIDTH = 8,    // of a flit
    parameter int PARITY = 0
) (
    input  wire logic                 clk_i,
    input  wire logic                 rst_i,
    input  wire logic                 link_up_i,
    // room
    input  wire logic [VLS-1:0]       grant_i,      // VL of a packet granted in this cycle, one-hot
    input  wire logic [6:0]           grant_len_i,
    input  wire logic [VLS-1:0]       short_i,      // VL of a packet that ended early, one-hot
    input  wire logic [7:0]           short_by_i,   // flits that it did not bring
    output logic [12*VLS-1:0]         ofill_o,
    // flits
    input  wire logic [VLS-1:0]       push_i,       // one-hot; not of a VL that is full
    input  wire logic [WIDTH-1:0]     flit_i,
    input  wire logic [VLS-1:0]       pop_i,        // one-hot; only of a VL with a flit
    output logic [VLS-1:0]            any_o,
    output logic [VLS-1:0]            full_o,
    output logic [WIDTH*VLS-1:0]      head_o,       // undefined without any_o
    output logic [16*VLS-1:0]         flits_o,
    output logic                      parity_err_o
);
  localparam int DEPTH = VLS * OCAP;
  localparam int AW = (DEPTH > 1) ? $clog2(DEPTH) : 1;
  localparam int PW = (OCAP > 1) ? $clog2(OCAP) : 1;
  localparam int CW = $clog2(OCAP + 1);

  function automatic logic [PW-1:0] after(input logic [PW-1:0] p);
    after = (p == PW'(OCAP - 1)) ? '0 : p + 1'b1;
  endfunction

  logic [VLS-1:0]    read;  // the next head comes from the memory
  logic [AW*VLS-1:0] read_at, write_at;
  logic [AW-1:0]     raddr, waddr;
  logic [WIDTH-1:0]  stored;
  logic [VLS-1:0]    from_ram;
  logic [VLS-1:0]    vl_err;
  logic              ram_err;

  always_comb begin
    raddr = '0;
    waddr = '0;
    for (int v = 0; v < VLS; v++) begin
      if (read[v]) raddr = raddr | read_at[AW*v+:AW];
      if (push_i[v]) waddr = waddr | write_at[AW*v+:AW];
    end
  end

  ram_sync #(.DEPTH(DEPTH), .WIDTH(WIDTH), .PARITY(PARITY)) u_ram (
      .clk_i,
      .we_i(push_i != '0),
      .waddr_i(waddr),
      .wdata_i(flit_i),
      .re_i(read != '0),
      .raddr_i(raddr),
      .rdata_o(stored),
      .used_i(from_ram != '0),
      .parity_err_o(ram_err)
  );

  for (genvar v = 0; v < VLS; v++) begin : g_vl
    localparam logic [AW-1:0] BASE = AW'(v * OCAP);
    logic [PW-1:0]    head_q, head_d, tail_q, tail_d;  // places of the oldest flit, and of the next one
    logic [CW-1:0]    flits_q, flits_d;
    logic             ram_q, ram_d;                    // the head is what the memory shows
    logic [WIDTH-1:0] first_q, first_d;                // else it is here
    logic             direct;                          // the flit that comes is the next head
    logic [11:0]      ofill_q, ofill_d;
    logic [11:0]      up, down;

    assign direct = push_i[v] && (flits_q == '0 || (flits_q == CW'(1) && pop_i[v]));
    assign read[v] = pop_i[v] && flits_q != CW'(1);
    assign read_at[AW*v+:AW] = BASE + AW'(after(head_q));
    assign write_at[AW*v+:AW] = BASE + AW'(tail_q);

    always_comb begin
      head_d = pop_i[v] ? after(head_q) : head_q;
      tail_d = push_i[v] ? after(tail_q) : tail_q;
      flits_d = flits_q + CW'(push_i[v]) - CW'(pop_i[v]);
      ram_d = read[v];
      first_d = direct ? flit_i : ram_q ? stored : first_q;
      up = ofill_q + (grant_i[v] ? 12'(grant_len_i) : 12'd0);
      down = 12'(pop_i[v]) + (short_i[v] ? 12'(short_by_i) : 12'd0);
      ofill_d = (up < down) ? '0 : up - down;
      if (rst_i || !link_up_i) begin
        {head_d, tail_d, flits_d, ofill_d} = '0;
        ram_d = 1'b0;
      end
    end

    always_ff @(posedge clk_i) begin
      head_q <= head_d;
      tail_q <= tail_d;
      flits_q <= flits_d;
      ram_q <= ram_d;
      first_q <= first_d;
      ofill_q <= ofill_d;
    end

    parity_group #(.PARITY(PARITY)) u_parity (
        .clk_i,
        .next_i(^{head_d, tail_d, flits_d, ram_d, first_d, ofill_d}),
        .now_i(^{head_q, tail_q, flits_q, ram_q, first_q, ofill_q}),
        .err_o(vl_err[v])
    );

    assign from_ram[v] = ram_q;
    assign any_o[v] = flits_q != '0;
    assign full_o[v] = flits_q == CW'(OCAP);
    assign head_o[WIDTH*v+:WIDTH] = ram_q ? stored : first_q;
    assign flits_o[16*v+:16] = 16'(flits_q);
    assign ofill_o[12*v+:12] = ofill_q;
  end

  assign parity_err_o = ram_err || vl_err != '0;
endmodule

`default_nettype wire
