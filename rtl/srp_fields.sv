// What a packet of speculative reservation says behind its BTH, as bytes 20 to 31 of its first flit (byte 20 is bits 7..0).
// Combinational. Rule Q4; docs/conventions.md.
`default_nettype none

module srp_fields (
    input  quell_pkg::srp_fields_t fields_i,
    output logic [95:0]            bytes_o
);
  assign bytes_o = {
    quell_pkg::wire32(fields_i.delay),
    16'd0,                    // age
    quell_pkg::wire16(fields_i.size),
    fields_i.id[12:8], fields_i.init, fields_i.last, fields_i.rty,
    fields_i.n, fields_i.seq, fields_i.id[7:0]
  };
endmodule

`default_nettype wire
