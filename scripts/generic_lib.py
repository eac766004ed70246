#!/usr/bin/env python3
"""Writes tech/generic45.lib: a small cell library of 45 nm proportions, with delays by logical effort.

Areas are those of the Nangate 45 nm open cell library relative to its NAND2 (0.798 um2). The delay of a cell of
strength s is tau * (p + g * C / (s * C_IN)), with tau a fifth of the fan-out-of-4 delay (Sutherland, Sproull, Harris,
"Logical Effort"), which is 0.5 ns per um of gate length at the slow corner (Ho, Mai, Horowitz, "The future of wires").
A tenth of the input's transition time adds
to it. So each table is a plane, given by a few points.

  scripts/generic_lib.py > tech/generic45.lib
"""

NODE = 0.045  # um
NAND2 = 0.798  # um2
TAU = 500.0 * NODE / 5  # ps
C_IN = 1.7  # fF, input of an inverter of strength 1
LOADS = (0.5, 5.0, 20.0, 100.0)  # fF; ABC wants more points than a line needs, and none at 0
SLEWS = (1.0, 20.0, 100.0, 1000.0)  # ps
SLEW = 0.1  # of the input's transition time that adds to the delay

# name: strengths, area of strength 1 in NAND2, logical effort, parasitic delay, function, inputs, sense
GATES = {
    "INV": ((1, 2, 4, 8), 0.67, 1.0, 1.0, "(!A)", "A", "negative"),
    "BUF": ((1, 2, 4, 8, 16), 1.0, 1.0, 2.5, "A", "A", "positive"),
    "NAND2": ((1, 2), 1.0, 4 / 3, 2.0, "(!(A&B))", "AB", "negative"),
    "NAND3": ((1,), 1.33, 5 / 3, 3.0, "(!(A&B&C))", "ABC", "negative"),
    "NAND4": ((1,), 1.67, 2.0, 4.0, "(!(A&B&C&D))", "ABCD", "negative"),
    "NOR2": ((1, 2), 1.0, 5 / 3, 2.0, "(!(A|B))", "AB", "negative"),
    "NOR3": ((1,), 1.33, 7 / 3, 3.0, "(!(A|B|C))", "ABC", "negative"),
    "AND2": ((1,), 1.33, 4 / 3, 3.5, "(A&B)", "AB", "positive"),
    "OR2": ((1,), 1.33, 5 / 3, 3.5, "(A|B)", "AB", "positive"),
    "AOI21": ((1,), 1.33, 2.0, 3.0, "(!((A&B)|C))", "ABC", "negative"),
    "OAI21": ((1,), 1.33, 2.0, 3.0, "(!((A|B)&C))", "ABC", "negative"),
    "AOI22": ((1,), 1.67, 2.0, 4.0, "(!((A&B)|(C&D)))", "ABCD", "negative"),
    "OAI22": ((1,), 1.67, 2.0, 4.0, "(!((A|B)&(C|D)))", "ABCD", "negative"),
    "XOR2": ((1,), 2.0, 4.0, 4.0, "(A^B)", "AB", "non"),
    "XNOR2": ((1,), 2.0, 4.0, 4.0, "(!(A^B))", "AB", "non"),
    "MUX2": ((1,), 2.33, 2.0, 4.0, "((A&!S)|(B&S))", "ABS", "non"),
}


def table(kind, base, slope):
    rows = ", ".join('"' + ", ".join(f"{base + slope * c + SLEW * t:.4f}" for c in LOADS) + '"' for t in SLEWS)
    return f'          {kind} (line) {{\n            values ({rows});\n          }}\n'


def arc(pin, base, slope, extra):
    text = f'        timing () {{\n          related_pin : "{pin}";\n{extra}'
    for kind in ("cell_rise", "cell_fall"):
        text += table(kind, base, slope)
    for kind in ("rise_transition", "fall_transition"):
        text += table(kind, 2 * TAU, 2 * slope)
    return text + "        }\n"


def gate(name, strength, area, effort, parasitic, function, inputs, sense):
    # A cell of strength s: s times the input, the slope by s; a buffer's first stage stays small.
    drive = effort if name != "BUF" else 1.0
    load = C_IN * effort * (strength if name != "BUF" else max(1, strength / 4))
    slope = TAU * drive / (strength * C_IN * effort) if name != "BUF" else TAU / (strength * C_IN)
    size = area * (1 + 0.6 * (strength - 1))
    text = f"  cell ({name}_X{strength}) {{\n    area : {size * NAND2:.4f};\n"
    for pin in inputs:
        text += f"    pin ({pin}) {{ direction : input; capacitance : {load:.4f}; }}\n"
    text += f'    pin (Y) {{\n        direction : output; function : "{function}"; max_capacitance : {60 * strength};\n'
    for pin in inputs:
        text += arc(pin, TAU * parasitic, slope, f"          timing_sense : {sense}_unate;\n")
    return text + "    }\n  }\n"


def flip_flop():
    ends = '"20.0, 20.0", "20.0, 20.0"'
    text = f"  cell (DFF_X1) {{\n    area : {5.67 * NAND2:.4f};\n"
    text += '    ff (IQ, IQN) { next_state : "D"; clocked_on : "CK"; }\n'
    text += f"    pin (CK) {{ direction : input; clock : true; capacitance : {C_IN}; }}\n"
    text += f"    pin (D) {{\n        direction : input; capacitance : {C_IN};\n"
    for kind in ("setup_rising", "hold_rising"):
        values = ends if kind == "setup_rising" else '"0.0, 0.0", "0.0, 0.0"'
        text += f'        timing () {{ related_pin : "CK"; timing_type : {kind};\n'
        text += f"          rise_constraint (check) {{ values ({values}); }}\n"
        text += f"          fall_constraint (check) {{ values ({values}); }}\n        }}\n"
    text += '    }\n    pin (Q) {\n        direction : output; function : "IQ"; max_capacitance : 60;\n'
    text += arc("CK", TAU * 10, TAU / C_IN, "          timing_type : rising_edge;\n")
    return text + "    }\n  }\n"


def main():
    print("/* Made by scripts/generic_lib.py, which says what it is. */")
    print("library (generic45) {")
    print('  delay_model : table_lookup; time_unit : "1ps"; voltage_unit : "1V"; current_unit : "1uA";')
    print('  pulling_resistance_unit : "1kohm"; leakage_power_unit : "1nW"; capacitive_load_unit (1, ff);')
    for edge in ("rise", "fall"):
        print(f"  input_threshold_pct_{edge} : 50; output_threshold_pct_{edge} : 50;")
        print(f"  slew_lower_threshold_pct_{edge} : 20; slew_upper_threshold_pct_{edge} : 80;")
    print("  nom_process : 1; nom_voltage : 1.0; nom_temperature : 25;")
    print("  default_max_transition : 1000; default_input_pin_cap : 1.7; default_output_pin_cap : 0;")
    print("  default_inout_pin_cap : 0; default_fanout_load : 1;")
    print("  lu_table_template (line) {")
    print("    variable_1 : input_net_transition; variable_2 : total_output_net_capacitance;")
    print(f'    index_1 ("{", ".join(map(str, SLEWS))}"); index_2 ("{", ".join(map(str, LOADS))}");\n  }}')
    print("  lu_table_template (check) {")
    print("    variable_1 : related_pin_transition; variable_2 : constrained_pin_transition;")
    print('    index_1 ("0.0, 1000.0"); index_2 ("0.0, 1000.0");\n  }')
    for name, (strengths, *rest) in GATES.items():
        for strength in strengths:
            print(gate(name, strength, *rest), end="")
    print(flip_flop(), end="")
    print("}")


if __name__ == "__main__":
    main()
