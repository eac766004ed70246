// Registers of a wormhole router as they were written, for its checkers: those of admission are 0 without it. Nothing of the router is
// taken for true but that it is ready.
`default_nettype none

module worm_written #(
    parameter int PORTS = 5,
    parameter int VLS = 16,
    parameter int ADMIT = 0,
    localparam int P = PORTS,
    localparam int V = VLS,
    localparam int PV = PORTS * VLS
) (
    input  wire logic          clk_i,
    input  wire logic          rst_i,
    input  wire logic          ready_i,
    input  wire logic          cfg_we_i,
    input  wire logic [7:0]    cfg_port_i,
    input  wire logic [7:0]    cfg_addr_i,
    input  wire logic [31:0]   cfg_data_i,
    output logic [P-1:0]       at_port_o,  // ports that a write is for
    output logic               we_o,       // there is one
    output logic [15:0]        be_o,
    output logic [8*PV-1:0]    w_in_o,
    output logic [8*PV-1:0]    w_out_o,
    output logic               ctrl_o,
    output logic [15:0]        id_o,
    output logic [13*P-1:0]    limit_o,
    output logic [4*P-1:0]     shift_o,
    output logic [17*P-1:0]    next_o
);
  localparam int D = V - 2;                    // data lanes
  localparam int B = (D / 4 > 1) ? D / 4 : 1;  // best-effort lanes after reset

  assign we_o = ready_i && cfg_we_i && at_port_o != '0;
  for (genvar p = 0; p < P; p++) begin : g_at
    assign at_port_o[p] = cfg_port_i == 8'(p) || cfg_port_i == 8'd255;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      be_o <= '0;
      for (int v = D - B; v < D; v++) be_o[v] <= 1'b1;
      w_in_o <= {PV{8'd1}};
      w_out_o <= {PV{8'd1}};
    end else if (we_o) begin
      if (cfg_addr_i == 8'd5) be_o <= cfg_data_i[15:0];
      for (int p = 0; p < P; p++) if (at_port_o[p]) begin
        for (int v = 0; v < V; v++) begin
          if (cfg_addr_i == 8'(32 + v)) w_in_o[8*(p*V+v)+:8] <= cfg_data_i[7:0];
          if (cfg_addr_i == 8'(48 + v)) w_out_o[8*(p*V+v)+:8] <= cfg_data_i[7:0];
        end
      end
    end
    if (rst_i || ADMIT == 0) begin
      {ctrl_o, id_o, next_o} <= '0;
      limit_o <= (ADMIT != 0) ? {P{13'd4096}} : '0;
      shift_o <= (ADMIT != 0) ? {P{4'd4}} : '0;
    end else if (we_o) begin
      if (cfg_addr_i == 8'd0) ctrl_o <= cfg_data_i[0];
      if (cfg_addr_i == 8'd6) id_o <= cfg_data_i[15:0];
      for (int p = 0; p < P; p++) if (at_port_o[p]) begin
        if (cfg_addr_i == 8'd1) limit_o[13*p+:13] <= cfg_data_i[12:0];
        if (cfg_addr_i == 8'd2) shift_o[4*p+:4] <= cfg_data_i[3:0];
        if (cfg_addr_i == 8'd7) next_o[17*p+:17] <= cfg_data_i[16:0];
      end
    end
  end

  wire unused = &{1'b0, cfg_data_i};
endmodule

`default_nettype wire
