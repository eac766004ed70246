// libquell_model by DPI (docs/bindings.md): what the modules quell_golden_* and quell_check_* call. A unit is a number, 0 is none; functions that
// give an int give -1 with an error. Ports go as parts of 1024 bits of one vector for all inputs, outputs or state (group 0, 1, 2), the first
// signal of the unit's list lowest.
package quell_dpi_pkg;
  // A golden unit: its name (`hca-throttle`), and a build, `NAME=VALUE`s or both.
  import "DPI-C" function longint unsigned quell_dpi_new(input string kind, input string parameters);
  // The text of the last error.
  import "DPI-C" function string quell_dpi_error();
  // An error if the unit has no such port, or one of another width.
  import "DPI-C" function int quell_dpi_port(input longint unsigned unit, input string name, input int bits);
  // Inputs of this cycle, and what a design shows. The last part makes it so.
  import "DPI-C" function int quell_dpi_put(input longint unsigned unit, input int group, input int part, input logic [1023:0] bits);
  // Golden outputs and state of this cycle, part 0 first.
  import "DPI-C" function int quell_dpi_get(input longint unsigned unit, input int group, input int part, output bit [1023:0] bits);
  // Signals that are not compared in this cycle: names, separated by blanks.
  import "DPI-C" function int quell_dpi_forget(input longint unsigned unit, input string names);
  // How many elements differ: outputs (0), outputs and state (1).
  import "DPI-C" function int quell_dpi_check(input longint unsigned unit, input int strength);
  // The report of the last difference.
  import "DPI-C" function string quell_dpi_report(input longint unsigned unit);
  import "DPI-C" function int quell_dpi_step(input longint unsigned unit);
  import "DPI-C" function int quell_dpi_reset(input longint unsigned unit);
  import "DPI-C" function int quell_dpi_free(input longint unsigned unit);
endpackage
