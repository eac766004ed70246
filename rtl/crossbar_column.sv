// What an output port gets from the crossbar: the flit of the input port that sends to it, if one does.
// At most one sends in a cycle (A1). Combinational. Rule A1.
`default_nettype none

module crossbar_column #(
    parameter int PORTS = 8,
    parameter int FLIT_W = 512
) (
    input  wire logic [PORTS-1:0]        valid_i,  // the input sends to this output
    input  wire logic [PORTS*FLIT_W-1:0] data_i,
    output logic [FLIT_W-1:0]            data_o    // 0 without a flit
);
  always_comb begin
    data_o = '0;
    for (int i = 0; i < PORTS; i++)
      if (valid_i[i]) data_o = data_o | data_i[i*FLIT_W +: FLIT_W];
  end
endmodule

`default_nettype wire
