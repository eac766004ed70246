// What apb_config promises to the bus and to the unit behind it (rule C2). Instantiated by apb_config under QUELL_CHECK.
`default_nettype none

module apb_checker (
    input wire logic         clk_i,
    input wire logic         rst_i,
    input wire logic         psel_i,
    input wire logic         penable_i,
    input wire logic         pwrite_i,
    input wire logic [20:0]  paddr_i,
    input wire logic [31:0]  pwdata_i,
    input wire logic         ready_i,
    input wire logic         cfg_rvalid_i,
    input wire logic [31:0]  cfg_rdata_i,
    input wire logic         pready_i,
    input wire logic         pslverr_i,
    input wire logic [31:0]  prdata_i,
    input wire logic         cfg_re_i,
    input wire logic [4:0]   we_i,      // write strobes
    input wire logic [179:0] words_i    // what goes with the strobes
);
  wire access = psel_i && penable_i;
  wire strobe = cfg_re_i || we_i != '0;
  wire ends = access && pready_i;

  logic done_q;   // this transfer had its strobe
  logic asked_q;  // a read was asked for in the last cycle
  logic held_q;   // the last cycle was one of a transfer that goes on
  logic past_ok_q;
  logic        pwrite_q;
  logic [20:0] paddr_q;
  logic [31:0] pwdata_q;

  always_ff @(posedge clk_i) begin
    past_ok_q <= !rst_i;
    done_q <= !rst_i && access && !pready_i && (done_q || strobe);
    asked_q <= !rst_i && cfg_re_i;
    held_q <= !rst_i && psel_i && !ends;
    pwrite_q <= pwrite_i;
    paddr_q <= paddr_i;
    pwdata_q <= pwdata_i;
  end

  // A master that keeps to the bus: what follows is promised to no other.
  wire proper = past_ok_q && (held_q ? access && pwrite_i == pwrite_q && paddr_i == paddr_q && pwdata_i == pwdata_q : !access);

  always @(posedge clk_i) begin
    if (!rst_i && past_ok_q) begin
      // of the unit (C1)
      c2_env_read_is_answered: assert (cfg_rvalid_i == asked_q && (cfg_rvalid_i || cfg_rdata_i == '0));
      c2_env_stays_ready: assert (!asked_q || ready_i);
      // only a read goes on after its strobe, for the cycle of its answer
      c2_read_waits_once: assert (!done_q || asked_q);
    end
    if (!rst_i && proper) begin
      c2_ready_in_access: assert (!pready_i || (access && ready_i));
      c2_error_with_ready: assert (!pslverr_i || pready_i);
      c2_error_has_no_strobe: assert (!pslverr_i || (!strobe && !done_q && prdata_i == '0));
      c2_strobe_in_access: assert (!strobe || (access && ready_i));
      c2_one_strobe: assert (({cfg_re_i, we_i} & ({cfg_re_i, we_i} - 6'd1)) == '0 && !(strobe && done_q));
      c2_each_has_strobe: assert (!ends || pslverr_i || strobe || done_q);
      c2_strobe_of_its_kind: assert (pwrite_i ? !cfg_re_i : we_i == '0);
      c2_write_ends_at_once: assert (!(access && ready_i && pwrite_i) || pready_i);
      c2_read_ends_next: assert (!asked_q || ends);
      c2_read_is_passed_on: assert (!asked_q || (prdata_i == cfg_rdata_i && !pslverr_i));
      c2_quiet: assert ((strobe || words_i == '0) && (pready_i || prdata_i == '0));
    end
  end
endmodule

`default_nettype wire
