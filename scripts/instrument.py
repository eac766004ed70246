#!/usr/bin/env python3
"""Netlists of a unit with faults that inputs switch on, for `quell mutate` and `quell seu`. Uses Yosys (pyosys).

  scripts/instrument.py mutants UNIT -P NAME=VALUE ... --count N --seed S --netlist FILE --list FILE --model FILE
      N mutants, chosen by Yosys' `mutate` so that they spread over modules, lines and wires. Input mut_K
      switches mutant K on. The list (JSON) says for each where it is and what it does. The model is the same netlist
      in ASCII AIGER, registers beginning with any value.

  scripts/instrument.py flips UNIT -P ... --netlist FILE --list FILE
      Every register, and every word of the small memories, has an input flip_K that inverts bits of what it holds at
      the next clock edge. The list (JSON) has the registers: port, width, name.

The netlist is at the level of words, flat, with memories as memories and all st_* ports; module <UNIT>_netlist.
"""

import argparse
import json
import os
import pathlib
import re
import tempfile

import synth
from synth import ys

# Ports whose change is not a fault of the logic: clocks.
CLOCKS = ("CLK", "RD_CLK", "WR_CLK")


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", choices=["mutants", "flips"])
    p.add_argument("unit", nargs="?", help="top module")
    p.add_argument("-P", dest="params", action="append", default=[], metavar="NAME=VALUE")
    p.add_argument("--count", type=int, default=1000)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--netlist", metavar="FILE")
    p.add_argument("--list", metavar="FILE")
    p.add_argument("--model", metavar="FILE")
    return p.parse_args()


def main():
    args = arguments()
    work = {"mutants": mutants, "flips": flips}[args.what]
    result = synth.quietly(lambda: work(args))
    with open(args.list, "w") as f:
        json.dump(result, f)


def netlist(args, memory="memory -nomap"):
    """The unit's flat netlist of words."""
    design = ys.Design()
    for command in [
        *synth.elaborate(args.unit, args.params),
        "proc",
        "flatten",
        "opt",
        memory,
        "opt -full",
        "check -assert",
        f"rename -top {args.unit}_netlist",
    ]:
        ys.run_pass(command, design)
    return design


def write(design, path):
    """Writes the netlist beside its place and moves it there."""
    # By bit: of vectors that depend on themselves from bit to bit Verilator 5.006 makes the wrong thing.
    ys.run_pass("splitnets", design)
    ys.run_pass("opt_clean", design)
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
    cells = {name: cell.type.str().lstrip("$") for name, cell in design.top_module().cells_.items()}
    for line in lines:
        mutant = parse(line)
        if mutant["port"] in CLOCKS or len(found) == args.count:
            continue
        k = len(found)
        ys.run_pass(line.replace("mutate ", f"mutate -ctrl mut_{k} 1 1 ", 1), design)
        mutant["kind"] = cells[ys.IdString(mutant["cell"] if mutant["cell"][0] == "$" else "\\" + mutant["cell"])]
        mutant["command"] = line
        found.append(mutant)
    write(design, args.netlist)
    synth.write_aiger(design, args.model)
    return found


# Memories up to so many bits become flip-flops.
SMALL = 2048


def small_memories(design):
    """Selects the memories that become flip-flops."""
    for cell in list(design.top_module().cells_.values()):
        if cell.type.str() == "$mem_v2":
            parameters = {k.str(): v for k, v in cell.parameters.items()}
            if parameters["\\SIZE"].as_int() * parameters["\\WIDTH"].as_int() <= SMALL:
                yield cell


def flips(args):
    """Builds the flips in."""
    # Registers as the RTL has them: no second copy of an address inside a memory's read port.
    design = netlist(args, "memory -nomap -nordff")
    top = design.top_module()
    for cell in list(small_memories(design)):
        ys.run_pass(f"memory_map c:{cell.name.str().lstrip(chr(92))}", design)
    ys.run_pass("opt_clean", design)
    # A flip must also be seen by a register that is not enabled or is being reset.
    ys.run_pass("dffunmap", design)
    found = []
    for cell in list(top.cells_.values()):
        kind = cell.type.str()
        if not kind.startswith(synth.FLIPFLOPS):
            continue
        if kind != "$dff":
            raise RuntimeError(f"a register of type {kind} cannot be flipped")
        d, q = (ys.IdString(p) for p in ("\\D", "\\Q"))
        data, n, k = cell.getPort(d), cell.getPort(q).size(), len(found)
        flip = top.addWire(ys.IdString(f"\\flip_{k}"), n)
        flip.port_input = True
        changed = top.addWire(ys.IdString(f"\\flipped_{k}"), n)
        top.addXor(ys.IdString(f"\\flip_xor_{k}"), data, ys.SigSpec(flip), ys.SigSpec(changed))
        cell.setPort(d, ys.SigSpec(changed))
        found.append({"port": f"flip_{k}", "width": n, "name": register_name(cell)})
    top.fixup_ports()
    write(design, args.netlist)
    return found


def register_name(cell):
    """The name of what a register drives, where it has one."""
    signal = cell.getPort(ys.IdString("\\Q"))
    for bit in signal.bits():
        name = bit.wire.name.str() if bit.is_wire() else ""
        if name.startswith("\\"):
            return name.lstrip("\\")
    return cell.name.str().lstrip("\\")


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
