// What the throttle of an adapter may choose from: flows with a packet whose VL has room in the adapter's own
// buffer. Combinational. Rules F1, H5; docs/hca.md section 2.
`default_nettype none

module injection_gate #(
    parameter int FLOWS = 64,
    parameter int VLS = 1,
    parameter int VL_BY_DEST = 0
) (
    input  wire logic [15:0]       lid_base_i,
    input  wire logic [FLOWS-1:0]  any_i,        // per flow: its queue has a packet
    input  wire logic [VLS-1:0]    room_i,       // per VL: credits for a packet of MTU flits
    output logic      [FLOWS-1:0]  req_o,        // to the throttle: flows,
    output logic      [15:0]       sl_ok_o       // and SLs whose VL has room
);
  if (VL_BY_DEST != 0) begin : g_by_dest
    // room of the VL of flow f: the lanes rotated to start at that of lid_base_i; after the last DLID
    // comes DLID 0, so beyond it the rotation is another one
    localparam int WRAP = (VLS - 65536 % VLS) % VLS;
    localparam int TURNS = (FLOWS + VLS - 1) / VLS;
    logic [15:0]      start, start_wrapped, left;
    logic [VLS-1:0]   turned, turned_wrapped;
    logic [FLOWS-1:0] wrapped;

    assign start = lid_base_i % 16'(VLS);
    assign start_wrapped = (start + 16'(WRAP)) % 16'(VLS);
    assign turned = VLS'({room_i, room_i} >> start);
    assign turned_wrapped = VLS'({room_i, room_i} >> start_wrapped);
    assign left = -lid_base_i;  // DLIDs from lid_base_i to the last, 0 for 65536
    assign wrapped = (left == '0) ? '0 : {FLOWS{1'b1}} << left;
    assign req_o = any_i
        & ((FLOWS'({TURNS{turned}}) & ~wrapped) | (FLOWS'({TURNS{turned_wrapped}}) & wrapped));
    assign sl_ok_o = '1;
  end else begin : g_by_sl
    assign req_o = any_i;
    for (genvar s = 0; s < 16; s++) begin : g_sl
      assign sl_ok_o[s] = room_i[s%VLS];
    end
    wire unused = &{1'b0, lid_base_i};
  end
endmodule

`default_nettype wire
