#!/usr/bin/env python3
"""Netlists of a unit with faults that inputs switch on, for `quell mutate` and `quell seu`. Uses Yosys (pyosys).

  scripts/instrument.py mutants UNIT -P NAME=VALUE ... --count N --seed S --netlist FILE --list FILE
      N mutants, chosen by Yosys' `mutate` so that they spread over modules, lines and wires. Input mut_K
      switches mutant K on. The list (JSON) says for each where it is and what it does.

The netlist is at the level of words, flat, with memories as memories and all st_* ports; module <UNIT>_netlist.
"""

import argparse
import json
import os
import pathlib
import re
import sys
import tempfile

import synth
from synth import ys

# Ports whose change is not a fault of the logic: clocks.
CLOCKS = ("CLK", "RD_CLK", "WR_CLK")


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", choices=["mutants"])
    p.add_argument("unit", help="top module")
    p.add_argument("-P", dest="params", action="append", default=[], metavar="NAME=VALUE")
    p.add_argument("--count", type=int, default=1000)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--netlist", metavar="FILE", required=True)
    p.add_argument("--list", metavar="FILE", required=True)
    return p.parse_args()


def main():
    args = arguments()
    work = {"mutants": mutants}[args.what]
    result = synth.quietly(lambda: work(args))
    with open(args.list, "w") as f:
        json.dump(result, f)


def netlist(args):
    """The unit's flat netlist of words."""
    design = ys.Design()
    chparam = " ".join("-chparam " + p.replace("=", " ") for p in args.params)
    for command in [
        f"read_verilog -sv {' '.join(str(f) for f in synth.sources())}",
        f"hierarchy -check -top {args.unit} {chparam}",
        "proc",
        "flatten",
        "opt",
        "memory -nomap",
        "opt -full",
        "check -assert",
        f"rename -top {args.unit}_netlist",
    ]:
        ys.run_pass(command, design)
    return design


def write(design, path):
    """Writes the netlist beside its place and moves it there."""
    ys.run_pass("opt_clean", design)
    # No combinational loop may have come in.
    ys.run_pass(f"write_verilog -noattr {path}.part", design)
    os.replace(f"{path}.part", path)


def place(src):
    """(file, line) of an src attribute's first location."""
    m = re.match(r"(?:.*/)?([^/|]+):(\d+)", src)
    return (m.group(1), int(m.group(2))) if m else ("", 0)


def mutants(args):
    """Chooses the mutants and builds them in."""
    design = netlist(args)
    found, asked = [], args.count + args.count // 20 + 20
    with tempfile.TemporaryDirectory() as scratch:
        chosen = f"{scratch}/list"
        ys.run_pass(f"mutate -list {asked} -seed {args.seed} -o {chosen}", design)
        lines = pathlib.Path(chosen).read_text().splitlines()
    for line in lines:
        mutant = parse(line)
        if mutant["port"] in CLOCKS or len(found) == args.count:
            continue
        k = len(found)
        ys.run_pass(line.replace("mutate ", f"mutate -ctrl mut_{k} 1 1 ", 1), design)
        mutant["command"] = line
        found.append(mutant)
    write(design, args.netlist)
    return found


def parse(line):
    """One line of `mutate -list`."""
    words = line.split()
    options = {}
    for name, value in zip(words[1::2], words[2::2]):
        if name == "-src":
            # The last is the cell's, before it the wire's.
            options["src"] = value
        else:
            options[name[1:]] = value
    file, row = place(options.get("src", ""))
    return {
        "mode": options["mode"],
        "cell": options["cell"].lstrip("\\"),
        "port": options["port"],
        "bit": int(options["portbit"]),
        "by": int(options["ctrlbit"]) if "ctrlbit" in options else None,
        "wire": options.get("wire", "").lstrip("\\"),
        "file": file,
        "line": row,
    }


if __name__ == "__main__":
    main()
