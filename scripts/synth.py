#!/usr/bin/env python3
"""Synthesises one unit of rtl/ with Yosys and reports what it is made of.

  scripts/synth.py switch_input_port -P PORTS=3 -P VLS=2 ... [--gates] [--netlist FILE] [--json]
  scripts/synth.py hca_throttle -P FLOWS=1024 --memory 128x16

Stops with exit status 1 and a message when the RTL does not read, when a latch or an undriven or multiply
driven wire is found, or when a memory asked for with --memory (DEPTHxWIDTH, DEPTH and WIDTH being the least
that count) was not kept as a memory. Needs pyosys (./setup puts it into .venv).
"""

import argparse
import json
import os
import pathlib
import re
import sys
import tempfile
import traceback

ROOT = pathlib.Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv/bin/python"

try:
    from pyosys import libyosys as ys
except ImportError:
    if VENV.exists() and pathlib.Path(sys.prefix) != ROOT / ".venv":
        os.execv(VENV, [str(VENV), *sys.argv])
    sys.exit("synth.py: error: pyosys is not installed; remedy: run ./setup")

LATCHES = ("$dlatch", "$adlatch", "$dlatchsr", "$sr", "$_DLATCH", "$_SR_")
FLIPFLOPS = ("$dff", "$sdff", "$adff", "$aldff", "$_DFF", "$_SDFF", "$ff")


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("unit", help="top module")
    p.add_argument("-P", dest="params", action="append", default=[], metavar="NAME=VALUE")
    p.add_argument("--gates", action="store_true", help="map to gates (memories stay memories)")
    p.add_argument("--keep-state", action="store_true", help="keep the st_* ports, which show state to co-simulation")
    p.add_argument("--memory", action="append", default=[], metavar="DEPTHxWIDTH", help="a memory that must be there")
    p.add_argument("--netlist", metavar="FILE", help="write the netlist, module <unit>_netlist")
    p.add_argument("--json", action="store_true", help="print the report as JSON")
    return p.parse_args()


def sources():
    """The RTL files, packages first as Yosys wants them."""
    files = sorted((ROOT / "rtl").glob("*.sv"))
    return sorted(files, key=lambda f: not f.name.endswith("_pkg.sv"))


def elaborate(unit, params):
    """The passes that read a unit and make its instances. Only files whose modules it may have are read, by the names in them: all
    would take longer than many a unit."""
    files = {f.stem: f for f in sources()}
    needed, names = {name for name in files if name.endswith("_pkg")}, {unit}
    while names:
        name = names.pop()
        needed.add(name)
        if name in files:
            text = re.sub("//.*", "", files[name].read_text())
            names |= files.keys() & set(re.findall(r"\w+", text)) - needed
    chparam = " ".join("-chparam " + p.replace("=", " ") for p in params)
    return [
        f"read_verilog -sv {' '.join(str(f) for name, f in files.items() if name in needed)}",
        f"hierarchy -check -top {unit} {chparam}",
    ]


def wrap(netlist):
    """Breaks long concatenations: the preprocessor of Icarus takes no line of more than 16 KB."""
    with open(netlist, encoding="utf-8") as file:
        lines = [line if len(line) < 8000 else line.replace(" , ", " ,\n    ") for line in file]
    with open(netlist, "w", encoding="utf-8") as file:
        file.writelines(lines)


def main():
    args = arguments()
    wanted = [tuple(int(n) for n in m.split("x")) for m in args.memory]
    passes = [*elaborate(args.unit, args.params), "proc", "flatten"]
    if not args.keep_state:
        passes.append("delete -port w:st_*")
    passes += ["opt", "memory -nomap", "opt_clean", "check -assert"]
    if args.gates:
        # what is left of the gates' own constants goes in one round: further rounds take a third of all the time and find little
        passes += ["opt -full", "wreduce", "alumacc", "techmap", "opt_expr", "opt_merge", "opt_dff"]
        # by bit: of vectors that depend on themselves from bit to bit some simulators make the wrong thing
        passes += ["splitnets", "opt_clean", "check -assert"]
    passes.append(f"rename -top {args.unit}_netlist")
    if args.netlist:
        passes.append(f"write_verilog -noattr {args.netlist}")

    report = quietly(lambda: synthesise(args, passes))
    if args.netlist:
        wrap(args.netlist)
    if args.json:
        print(json.dumps(report))
    else:
        show(report)

    faults = [f"{report['latches']} latches"] if report["latches"] else []
    left = list(report["memories"])
    for depth, bits in wanted:
        fits = [m for m in left if m["depth"] >= depth and m["width"] >= bits]
        if fits:
            left.remove(min(fits, key=lambda m: m["depth"] * m["width"]))
        else:
            faults.append(f"no memory of at least {depth} words of {bits} bits was kept as a memory")
    if faults:
        sys.exit(f"synth.py: error: {args.unit}: " + "; ".join(faults))


def quietly(work):
    """The result of work(), run in a child: Yosys ends the process on an error. Its log is shown only then."""
    with tempfile.NamedTemporaryFile("r") as log, tempfile.NamedTemporaryFile("r") as result:
        child = os.fork()
        if child == 0:
            status = 1
            try:
                with open(log.name, "w") as out:
                    os.dup2(out.fileno(), 1)
                    os.dup2(out.fileno(), 2)
                with open(result.name, "w") as out:
                    json.dump(work(), out)
                status = 0
            except SystemExit as stopped:
                print(stopped, file=sys.stderr)
            except Exception:
                traceback.print_exc()
                sys.stderr.flush()
            finally:
                os._exit(status)
        status = os.waitpid(child, 0)[1]
        if status != 0:
            lines = log.read().splitlines()[-15:]
            sys.exit("\n".join(["synth.py: error: Yosys stopped; the end of its log:", *lines]))
        return json.load(result)


def write_aiger(design, path):
    """Makes the design a circuit of gates and registers that begin with any value, in ASCII AIGER with names. What is
    undefined becomes an input."""
    for command in [
        "memory_map",
        "opt",
        "techmap",
        "opt",
        "dffunmap",
        "setundef -undriven -anyseq",
        "setundef -anyseq",
        "aigmap",
        "opt_clean",
        f"write_aiger -ascii -symbols {path}",
    ]:
        ys.run_pass(command, design)


def synthesise(args, passes):
    """Runs the passes and returns the report."""
    design = ys.Design()
    for command in passes:
        ys.run_pass(command, design)
    memories, cells, flops, latches = [], 0, 0, 0
    for cell in design.top_module().cells_.values():
        kind = cell.type.str()
        if kind == "$mem_v2":
            par = {k.str(): v for k, v in cell.parameters.items()}
            memories.append(
                {
                    "name": par["\\MEMID"].decode_string().lstrip("\\"),
                    "depth": par["\\SIZE"].as_int(),
                    "width": par["\\WIDTH"].as_int(),
                    "read_ports": par["\\RD_PORTS"].as_int(),
                    "write_ports": par["\\WR_PORTS"].as_int(),
                }
            )
            continue
        cells += 1
        if kind.startswith(LATCHES):
            latches += 1
        elif kind.startswith(FLIPFLOPS):
            flops += cell.getPort(ys.IdString("\\Q")).size()
    return {
        "unit": args.unit,
        "parameters": dict(p.split("=") for p in args.params),
        "level": "gates" if args.gates else "words",
        "cells": cells,
        "flip_flop_bits": flops,
        "latches": latches,
        "memory_bits": sum(m["depth"] * m["width"] for m in memories),
        "memories": sorted(memories, key=lambda m: -m["depth"] * m["width"]),
    }


def show(r):
    print(f"{r['unit']} {' '.join(f'{k}={v}' for k, v in r['parameters'].items())}")
    print(f"  cells ({r['level']}) {r['cells']}, flip-flops {r['flip_flop_bits']}, latches {r['latches']}")
    print(f"  {'memory':40} {'depth':>6} {'width':>6} {'bits':>9} read write")
    for m in r["memories"]:
        bits = m["depth"] * m["width"]
        print(f"  {m['name']:40} {m['depth']:6} {m['width']:6} {bits:9} {m['read_ports']:4} {m['write_ports']:5}")


if __name__ == "__main__":
    main()
