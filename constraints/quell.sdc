# Constraints of a unit on its own; see README.md beside this file.
if {![info exists QUELL_PERIOD]} { set QUELL_PERIOD 12.8 }
set io_delay [expr {0.3 * $QUELL_PERIOD}]

create_clock -name clk -period $QUELL_PERIOD [get_ports clk_i]
set_clock_uncertainty [expr {0.02 * $QUELL_PERIOD}] [get_clocks clk]

# Every input but the clock (OpenSTA's Tcl: get_ports gives a list).
foreach port [get_ports *_i] {
  if {[get_property $port full_name] ne "clk_i"} { set_input_delay $io_delay -clock clk $port }
}
set_output_delay $io_delay -clock clk [all_outputs]
foreach port [all_outputs] {
  if {[string match st_* [get_property $port full_name]]} { set_false_path -to $port }
}
