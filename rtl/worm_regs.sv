// Registers of the wormhole router, each of a port but the mask of best-effort lanes, CTRL and NODE_ID; sticky errors; reading. A
// write shows in the next cycle, and so does what is read. docs/worm-router.md, Registers. Rules C1, YW7, YA2.
`default_nettype none

module worm_regs #(
    parameter int PORTS = 5,
    parameter int VLS = 16,
    parameter int ADMIT = 0,
    parameter int CNT_W = 32
) (
    input  wire logic                   clk_i,
    input  wire logic                   rst_i,
    input  wire logic                   we_i,
    input  wire logic                   re_i,
    input  wire logic [7:0]             port_i,
    input  wire logic [7:0]             addr_i,
    input  wire logic [31:0]            data_i,
    input  wire logic [16*PORTS-1:0]    err_set_i,
    output logic [16*PORTS-1:0]         err_o,
    output logic [VLS-1:0]              be_o,          // best-effort lanes
    output logic [8*PORTS-1:0]          lhp_o,
    output logic [8*PORTS*VLS-1:0]      weight_in_o,   // element p*VLS+v
    output logic [8*PORTS*VLS-1:0]      weight_out_o,
    output logic [PORTS-1:0]            seed_we_o,     // Mealy: the draw of output p takes data_i
    input  wire logic [16*PORTS-1:0]    lfsr_i,
    input  wire logic [CNT_W*PORTS-1:0] cnt_flits_i,
    input  wire logic [CNT_W*PORTS-1:0] cnt_msgs_i,
    input  wire logic [16*PORTS-1:0]    cnt_drop_i,
    // admission; without it inputs have no effect and outputs are 0
    output logic                        admit_en_o,
    output logic [15:0]                 node_id_o,
    output logic [13*PORTS-1:0]         limit_o,
    output logic [4*PORTS-1:0]          wshift_o,
    output logic [16*PORTS-1:0]         next_o,        // node at the other end,
    output logic [PORTS-1:0]            host_o,        // which is an adapter
    input  wire logic [13*PORTS-1:0]    used_i,
    input  wire logic [16*PORTS*VLS-1:0] book_out_i,   // element p*VLS+v
    input  wire logic [16*PORTS*VLS-1:0] book_in_i,
    input  wire logic [16*PORTS-1:0]    cnt_booked_i,
    input  wire logic [16*PORTS-1:0]    cnt_refused_i,
    output logic                        rvalid_o,
    output logic [31:0]                 rdata_o
);
  localparam logic [7:0] ALL = 8'd255;
  localparam int D = VLS - 2;  // lanes of data
  localparam logic [15:0] DATA = 16'((1 << D) - 1);

  logic [PORTS-1:0]    of_port, write;
  logic [15:0]         be_q;
  logic [32*PORTS-1:0] held;  // what is read at each port
  logic [31:0]         rdata_d;

  for (genvar p = 0; p < PORTS; p++) begin : g_port
    logic [15:0] err_q, err_clear;
    logic [7:0]  lhp_q;
    logic [31:0] value, more;  // what is read; what admission adds to it

    assign of_port[p] = port_i == 8'(p);
    assign write[p] = we_i && (of_port[p] || port_i == ALL);
    assign seed_we_o[p] = write[p] && addr_i == quell_pkg::WR_LFSR_SEED;
    assign err_clear = (write[p] && addr_i == quell_pkg::WR_ERR_CLEAR) ? data_i[15:0] : '0;

    always_ff @(posedge clk_i) begin
      if (rst_i) lhp_q <= 8'd64;
      else if (write[p] && addr_i == quell_pkg::WR_LHP) lhp_q <= data_i[7:0];
      err_q <= rst_i ? '0 : (err_q & ~err_clear) | err_set_i[16*p+:16];
    end

    for (genvar v = 0; v < VLS; v++) begin : g_weight
      logic [7:0] in_q, out_q;

      always_ff @(posedge clk_i) begin
        if (rst_i) in_q <= 8'd1;
        else if (write[p] && addr_i == quell_pkg::WR_WEIGHT_IN + 8'(v)) in_q <= data_i[7:0];
        if (rst_i) out_q <= 8'd1;
        else if (write[p] && addr_i == quell_pkg::WR_WEIGHT_OUT + 8'(v)) out_q <= data_i[7:0];
      end

      assign weight_in_o[8*(p*VLS+v)+:8] = in_q;
      assign weight_out_o[8*(p*VLS+v)+:8] = out_q;
    end

    // C1: what is read, as it is before a write of the same cycle
    always_comb begin
      case (addr_i)
        quell_pkg::WR_LHP: value = 32'(lhp_q);
        quell_pkg::WR_BE_MASK: value = 32'(be_q);
        quell_pkg::WR_LFSR_SEED: value = 32'(lfsr_i[16*p+:16]);
        quell_pkg::WR_ERR_CLEAR: value = 32'(err_q);
        quell_pkg::WR_CNT_FLITS: value = 32'(cnt_flits_i[CNT_W*p+:CNT_W]);
        quell_pkg::WR_CNT_MSGS: value = 32'(cnt_msgs_i[CNT_W*p+:CNT_W]);
        quell_pkg::WR_CNT_DROP: value = 32'(cnt_drop_i[16*p+:16]);
        default: begin
          value = more;
          for (int v = 0; v < VLS; v++) begin
            if (addr_i == quell_pkg::WR_WEIGHT_IN + 8'(v)) value = value | 32'(weight_in_o[8*(p*VLS+v)+:8]);
            if (addr_i == quell_pkg::WR_WEIGHT_OUT + 8'(v)) value = value | 32'(weight_out_o[8*(p*VLS+v)+:8]);
          end
        end
      endcase
    end

    if (ADMIT != 0) begin : g_admit
      logic [12:0] limit_q;
      logic [3:0]  wshift_q;
      logic [16:0] next_q;

      always_ff @(posedge clk_i) begin
        if (rst_i) limit_q <= 13'd4096;
        else if (write[p] && addr_i == quell_pkg::WR_LIMIT) limit_q <= data_i[12:0];
        if (rst_i) wshift_q <= 4'd4;
        else if (write[p] && addr_i == quell_pkg::WR_WSHIFT) wshift_q <= data_i[3:0];
        if (rst_i) next_q <= '0;
        else if (write[p] && addr_i == quell_pkg::WR_NEXT) next_q <= data_i[16:0];
      end

      assign limit_o[13*p+:13] = limit_q;
      assign wshift_o[4*p+:4] = wshift_q;
      assign {host_o[p], next_o[16*p+:16]} = next_q;

      always_comb begin
        case (addr_i)
          quell_pkg::WR_CTRL: more = 32'(admit_en_o);
          quell_pkg::WR_LIMIT: more = 32'(limit_q);
          quell_pkg::WR_WSHIFT: more = 32'(wshift_q);
          quell_pkg::WR_NODE_ID: more = 32'(node_id_o);
          quell_pkg::WR_NEXT: more = 32'(next_q);
          quell_pkg::WR_USED: more = 32'(used_i[13*p+:13]);
          quell_pkg::WR_CNT_BOOKED: more = 32'(cnt_booked_i[16*p+:16]);
          quell_pkg::WR_CNT_REFUSED: more = 32'(cnt_refused_i[16*p+:16]);
          default: begin
            more = '0;
            for (int v = 0; v < VLS; v++) begin
              if (addr_i == quell_pkg::WR_BOOK_OUT + 8'(v)) more = more | 32'(book_out_i[16*(p*VLS+v)+:16]);
              if (addr_i == quell_pkg::WR_BOOK_IN + 8'(v)) more = more | 32'(book_in_i[16*(p*VLS+v)+:16]);
            end
          end
        endcase
      end
    end else begin : g_admit
      assign more = '0;
      assign limit_o[13*p+:13] = '0;
      assign wshift_o[4*p+:4] = '0;
      assign {host_o[p], next_o[16*p+:16]} = '0;
    end

    assign held[32*p+:32] = of_port[p] ? value : '0;
    assign err_o[16*p+:16] = err_q;
    assign lhp_o[8*p+:8] = lhp_q;
  end

  // Written with the number of any port, but not of one that is not there.
  always_ff @(posedge clk_i) begin
    if (rst_i) be_q <= quell_pkg::best_effort_lanes(D);
    else if (write != '0 && addr_i == quell_pkg::WR_BE_MASK) be_q <= data_i[15:0];
  end
  assign be_o = VLS'(be_q & DATA);

  if (ADMIT != 0) begin : g_admit
    always_ff @(posedge clk_i) begin
      if (rst_i) admit_en_o <= 1'b0;
      else if (write != '0 && addr_i == quell_pkg::WR_CTRL) admit_en_o <= data_i[0];
      if (rst_i) node_id_o <= '0;
      else if (write != '0 && addr_i == quell_pkg::WR_NODE_ID) node_id_o <= data_i[15:0];
    end
  end else begin : g_admit
    assign {admit_en_o, node_id_o} = '0;
    wire unused_admit = &{1'b0, used_i, book_out_i, book_in_i, cnt_booked_i, cnt_refused_i};
  end

  always_comb begin
    rdata_d = '0;
    for (int p = 0; p < PORTS; p++) rdata_d = rdata_d | held[32*p+:32];
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || !re_i) begin
      rvalid_o <= 1'b0;
      rdata_o <= '0;
    end else begin
      rvalid_o <= 1'b1;
      rdata_o <= rdata_d;
    end
  end

  wire unused = &{1'b0, data_i};
endmodule

`default_nettype wire
