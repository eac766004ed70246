// How fast a rate recovers that is e of the way to the lowest one: h(e) = (1 - 2^-e) / e (FIMD) or e / (1 + e^2) (AIMD),
// from a ROM of 65536 * h(i/64), i = 0..64, by interpolation. Combinational. Rule SR2; docs/source-response.md, rate
// functions.
`default_nettype none

module recovery_table (
    input  wire logic        aimd_i,
    input  wire logic [24:8] e_i,      // 24 bits behind the point, at most 1
    output logic      [25:0] h_o       // 26 bits behind the point
);
  // entry 64 first
  localparam logic [16*65-1:0] FIMD = {
      16'd32768,
      16'd32926, 16'd33084, 16'd33244, 16'd33405, 16'd33567, 16'd33730, 16'd33894, 16'd34060,
      16'd34226, 16'd34394, 16'd34563, 16'd34733, 16'd34904, 16'd35076, 16'd35249, 16'd35424,
      16'd35600, 16'd35777, 16'd35955, 16'd36135, 16'd36316, 16'd36498, 16'd36681, 16'd36866,
      16'd37052, 16'd37239, 16'd37428, 16'd37617, 16'd37809, 16'd38001, 16'd38195, 16'd38390,
      16'd38587, 16'd38785, 16'd38984, 16'd39185, 16'd39387, 16'd39591, 16'd39796, 16'd40002,
      16'd40210, 16'd40420, 16'd40631, 16'd40843, 16'd41057, 16'd41272, 16'd41489, 16'd41708,
      16'd41928, 16'd42150, 16'd42373, 16'd42598, 16'd42825, 16'd43053, 16'd43282, 16'd43514,
      16'd43747, 16'd43982, 16'd44218, 16'd44456, 16'd44696, 16'd44938, 16'd45181, 16'd45426
  };
  localparam logic [16*65-1:0] AIMD = {
      16'd32768,
      16'd32764, 16'd32751, 16'd32730, 16'd32700, 16'd32660, 16'd32610, 16'd32549, 16'd32478,
      16'd32395, 16'd32301, 16'd32194, 16'd32074, 16'd31941, 16'd31794, 16'd31633, 16'd31457,
      16'd31266, 16'd31059, 16'd30835, 16'd30595, 16'd30337, 16'd30062, 16'd29767, 16'd29454,
      16'd29122, 16'd28770, 16'd28397, 16'd28004, 16'd27589, 16'd27153, 16'd26695, 16'd26214,
      16'd25712, 16'd25186, 16'd24637, 16'd24066, 16'd23471, 16'd22852, 16'd22211, 16'd21546,
      16'd20858, 16'd20147, 16'd19414, 16'd18658, 16'd17880, 16'd17081, 16'd16261, 16'd15420,
      16'd14560, 16'd13681, 16'd12785, 16'd11871, 16'd10941, 16'd9996, 16'd9037, 16'd8066,
      16'd7083, 16'd6090, 16'd5089, 16'd4080, 16'd3065, 16'd2046, 16'd1024, 16'd0
  };

  logic [6:0]  i, j;          // entries below and above
  logic [15:0] here, next, apart;
  logic [25:0] between;

  always_comb begin
    i = (e_i[24:18] > 7'd64) ? 7'd64 : e_i[24:18];
    j = (e_i[24:18] >= 7'd64) ? 7'd64 : e_i[24:18] + 1'b1;
    here = aimd_i ? AIMD[16*i+:16] : FIMD[16*i+:16];
    next = aimd_i ? AIMD[16*j+:16] : FIMD[16*j+:16];
    apart = (next > here) ? next - here : here - next;
    between = 26'(apart) * 26'(e_i[17:8]);
    h_o = (next > here) ? {here, 10'd0} + between : {here, 10'd0} - between;
  end
endmodule

`default_nettype wire
