// APB (IHI 0024C) before the register port and the tables of a switch or an adapter. docs/apb.md; rule C2.
`default_nettype none

module apb_config #(
    parameter int ADAPTER = 0,
    parameter int PORTS = 8,
    parameter int LFT_DEPTH = 1024,
    parameter int FLOWS = 64,
    parameter int CCT = 128,
    parameter int RESPONSE = 0
) (
    input  wire logic        clk_i,
    input  wire logic        rst_i,
    input  wire logic        psel_i,
    input  wire logic        penable_i,
    input  wire logic        pwrite_i,
    input  wire logic [20:0] paddr_i,
    input  wire logic [31:0] pwdata_i,
    input  wire logic        ready_i,       // of the unit
    input  wire logic        cfg_rvalid_i,
    input  wire logic [31:0] cfg_rdata_i,
    output logic             pready_o,
    output logic             pslverr_o,
    output logic [31:0]      prdata_o,
    output logic             cfg_we_o,
    output logic             cfg_re_o,
    output logic [7:0]       cfg_unit_o,
    output logic [7:0]       cfg_port_o,
    output logic [7:0]       cfg_addr_o,
    output logic [31:0]      cfg_data_o,
    output logic             lft_we_o,
    output logic [15:0]      lft_addr_o,
    output logic [7:0]       lft_port_o,
    output logic             cct_we_o,
    output logic [15:0]      cct_addr_o,
    output logic [15:0]      cct_data_o,
    output logic             wt_we_o,
    output logic [15:0]      wt_addr_o,
    output logic [31:0]      wt_data_o,
    output logic             attr_we_o,
    output logic [15:0]      attr_flow_o,
    output logic [3:0]       attr_sl_o
);
  if (ADAPTER != 0 && ADAPTER != 1) begin : g_bad_adapter
    $error("parameter ADAPTER must be 0 or 1");
  end
  if (PORTS < 1 || PORTS > 64) begin : g_bad_ports
    $error("parameter PORTS is out of range: legal is 1..64");
  end
  if (LFT_DEPTH < 2 || LFT_DEPTH > 65536) begin : g_bad_lft_depth
    $error("parameter LFT_DEPTH is out of range: legal is 2..65536");
  end
  if (FLOWS < 2 || FLOWS > 4096) begin : g_bad_flows
    $error("parameter FLOWS is out of range: legal is 2..4096");
  end
  if (CCT < 8 || CCT > 16384 || (CCT & (CCT - 1)) != 0) begin : g_bad_cct
    $error("parameter CCT must be a power of two, 8..16384");
  end
  if (RESPONSE != 0 && RESPONSE != 1) begin : g_bad_response
    $error("parameter RESPONSE must be 0 or 1");
  end
  if (RESPONSE != 0 && ADAPTER == 0) begin : g_response_of_switch
    $error("parameter RESPONSE = 1 needs ADAPTER = 1");
  end

  // ---- what the address names
  localparam int WAITS = 16;  // waiting times, where another adapter has the CCT
  logic        reg_hit, lft_hit, cct_hit, wt_hit, attr_hit;
  logic [15:0] entry;  // of a table

  if (ADAPTER != 0) begin : g_adapter
    assign reg_hit = paddr_i[20:12] == '0;
    assign attr_hit = paddr_i[20:14] == 7'h01 && 13'(paddr_i[13:2]) < 13'(FLOWS);
    assign cct_hit = RESPONSE == 0 && paddr_i[20:16] == 5'h01 && 15'(paddr_i[15:2]) < 15'(CCT);
    assign wt_hit = RESPONSE != 0 && paddr_i[20:16] == 5'h01 && 15'(paddr_i[15:2]) < 15'(WAITS);
    assign lft_hit = paddr_i[20:18] == 3'h1 && 17'(paddr_i[17:2]) < 17'(LFT_DEPTH);
    assign entry = lft_hit ? paddr_i[17:2] : (cct_hit || wt_hit) ? 16'(paddr_i[15:2]) : 16'(paddr_i[13:2]);
  end else begin : g_switch
    logic port_hit;
    assign port_hit = paddr_i[19:12] < 8'(PORTS) || (paddr_i[19:12] == 8'hFF && pwrite_i);
    assign reg_hit = !paddr_i[20] && !paddr_i[11] && port_hit;
    assign attr_hit = 1'b0;
    assign cct_hit = 1'b0;
    assign wt_hit = 1'b0;
    assign lft_hit = paddr_i[20] && 19'(paddr_i[19:2]) < 19'(LFT_DEPTH);
    assign entry = paddr_i[17:2];
  end

  // ---- transfers: the cycle in which a read is answered is known by cfg_rvalid_i
  logic access, table_hit, good, write;

  assign access = psel_i && penable_i && ready_i;
  assign table_hit = lft_hit || cct_hit || wt_hit || attr_hit;
  assign good = paddr_i[1:0] == '0 && (reg_hit || (table_hit && pwrite_i));
  assign write = access && good && pwrite_i;

  assign pslverr_o = access && !good;
  assign pready_o = access && (!good || pwrite_i || cfg_rvalid_i);
  assign prdata_o = (access && good && !pwrite_i) ? cfg_rdata_i : '0;

  assign cfg_we_o = write && reg_hit;
  assign cfg_re_o = access && good && !pwrite_i && !cfg_rvalid_i;
  assign lft_we_o = write && lft_hit;
  assign cct_we_o = write && cct_hit;
  assign wt_we_o = write && wt_hit;
  assign attr_we_o = write && attr_hit;

  always_comb begin
    cfg_unit_o = '0;
    cfg_port_o = '0;
    cfg_addr_o = '0;
    if (cfg_we_o || cfg_re_o) begin
      cfg_unit_o = 8'(paddr_i[11:10]);
      cfg_port_o = (ADAPTER != 0) ? '0 : paddr_i[19:12];
      cfg_addr_o = paddr_i[9:2];
    end
  end

  assign cfg_data_o = cfg_we_o ? pwdata_i : '0;
  assign lft_addr_o = lft_we_o ? entry : '0;
  assign lft_port_o = lft_we_o ? pwdata_i[7:0] : '0;
  assign cct_addr_o = cct_we_o ? entry : '0;
  assign cct_data_o = cct_we_o ? pwdata_i[15:0] : '0;
  assign wt_addr_o = wt_we_o ? entry : '0;
  assign wt_data_o = wt_we_o ? pwdata_i : '0;
  assign attr_flow_o = attr_we_o ? entry : '0;
  assign attr_sl_o = attr_we_o ? pwdata_i[3:0] : '0;

`ifdef QUELL_CHECK
  apb_checker u_checker (
      .clk_i, .rst_i, .psel_i, .penable_i, .pwrite_i, .paddr_i, .pwdata_i, .ready_i, .cfg_rvalid_i, .cfg_rdata_i,
      .pready_i (pready_o),
      .pslverr_i(pslverr_o),
      .prdata_i (prdata_o),
      .cfg_re_i (cfg_re_o),
      .we_i     ({cfg_we_o, lft_we_o, cct_we_o, wt_we_o, attr_we_o}),
      .words_i  ({cfg_unit_o, cfg_port_o, cfg_addr_o, cfg_data_o, lft_addr_o, lft_port_o, cct_addr_o, cct_data_o, wt_addr_o,
                  wt_data_o, attr_flow_o, attr_sl_o})
  );
`else
  wire unused = &{1'b0, clk_i, rst_i};  // it has no state: the unit says when a read is answered
`endif
endmodule

`default_nettype wire
