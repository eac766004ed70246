#!/usr/bin/env python3
"""One unit of rtl/ as plain Verilog, for simulators that do not read the RTL (Icarus): nothing is optimised or mapped.

  scripts/plain_verilog.py hca_throttle throttle.v -P FLOWS=5 -P CCT=8

The top module is named <unit>_netlist and has no parameters. An index beyond a vector, which in the RTL reads x and writes nothing, makes
a whole vector x here: FLOWS that is no power of two does so in hca_throttle. Needs pyosys (./setup puts it into .venv).
"""

import argparse
import pathlib
import sys

import synth  # starts itself again with the Python that has pyosys


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("unit", help="top module")
    p.add_argument("file", type=pathlib.Path, help="file to write")
    p.add_argument("-P", dest="params", action="append", default=[], metavar="NAME=VALUE")
    args = p.parse_args()
    design = synth.ys.Design()
    for text in (
        *synth.elaborate(args.unit, args.params),
        "proc -noopt",
        f"rename -top {args.unit}_netlist",
        f"write_verilog -noattr {args.file}",
    ):
        try:
            synth.ys.run_pass(text, design)
        except RuntimeError as e:
            sys.exit(f"plain_verilog.py: error: {text.split()[0]}: {e}")
    synth.wrap(args.file)


if __name__ == "__main__":
    main()
