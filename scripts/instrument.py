#!/usr/bin/env python3
"""Netlists of a unit with faults that inputs switch on, for `quell mutate` and `quell seu`. Uses Yosys (pyosys).

  scripts/instrument.py mutants UNIT -P NAME=VALUE ... --count N --seed S --netlist FILE --list FILE
      N mutants, chosen by Yosys' `mutate` so that they spread over modules, lines and wires. Input mut_K
      switches mutant K on. The list (JSON) says for each where it is and what it does.

  scripts/instrument.py flips UNIT -P ... --netlist FILE --list FILE
      Every register, and every word of the small memories, has an input flip_K that inverts bits of what it holds at
      the next clock edge. The list (JSON) has the registers: port, width, name.

  scripts/instrument.py equal UNIT -P ... --mutants FILE --numbers K,K,... --seconds T
      Asks ABC whether these mutants of the list FILE do the same as the design. For each prints a line: K, then
      `equivalent HOW`, `differs in cycle N` or `unknown`.

The netlist is at the level of words, flat, with memories as memories and all st_* ports; module <UNIT>_netlist.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import synth
from synth import ys

# Ports whose change is not a fault of the logic: clocks.
CLOCKS = ("CLK", "RD_CLK", "WR_CLK")


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", choices=["mutants", "flips", "equal"])
    p.add_argument("unit", help="top module")
    p.add_argument("-P", dest="params", action="append", default=[], metavar="NAME=VALUE")
    p.add_argument("--count", type=int, default=1000)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--netlist", metavar="FILE")
    p.add_argument("--list", metavar="FILE")
    p.add_argument("--mutants", metavar="FILE")
    p.add_argument("--numbers", default="")
    p.add_argument("--seconds", type=int, default=60)
    return p.parse_args()


def main():
    args = arguments()
    if args.what == "equal":
        return equal(args)
    work = {"mutants": mutants, "flips": flips}[args.what]
    result = synth.quietly(lambda: work(args))
    with open(args.list, "w") as f:
        json.dump(result, f)


def netlist(args, memory="memory -nomap"):
    """The unit's flat netlist of words."""
    design = ys.Design()
    chparam = " ".join("-chparam " + p.replace("=", " ") for p in args.params)
    for command in [
        f"read_verilog -sv {' '.join(str(f) for f in synth.sources())}",
        f"hierarchy -check -top {args.unit} {chparam}",
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
    return found


# Memories up to so many bits become flip-flops, for flips and for the prover.
SMALL = 2048


def small_memories(design):
    """Selects the memories that become flip-flops."""
    top = design.top_module()
    for cell in list(top.cells_.values()):
        if cell.type.str() == "$mem_v2" and memory_bits(cell) <= SMALL:
            yield cell


def memory_bits(cell):
    parameters = {k.str(): v for k, v in cell.parameters.items()}
    return parameters["\\SIZE"].as_int() * parameters["\\WIDTH"].as_int()


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


def equal(args):
    """Asks ABC about some mutants of a list; prints a line for each."""
    listed = json.loads(pathlib.Path(args.mutants).read_text())
    with tempfile.TemporaryDirectory() as scratch:
        base = f"{scratch}/base.il"
        synth.quietly(lambda: comparable(args, base))
        for k in map(int, args.numbers.split(",")):
            aig = f"{scratch}/{k}.aig"
            synth.quietly(lambda: miter(base, listed[k]["command"], aig))
            print(k, ask_abc(aig, args.seconds), flush=True)


def comparable(args, path):
    """The design as the prover takes it: registers start with their reset values, those without one with any
    value (the same one on both sides). A large memory is cut off: what it is told is an output, what it says an
    input, which can only make the answer `differs` where `equivalent` were right."""
    design = netlist(args)
    top = design.top_module()
    for cell in list(top.cells_.values()):
        if cell.type.str() != "$mem_v2" or memory_bits(cell) <= SMALL:
            continue
        for port in [p.str() for p in cell.connections_]:
            signal = cell.getPort(ys.IdString(port))
            if port.endswith("CLK"):
                continue
            wire = top.addWire(ys.IdString(f"\\cut_{cell.name.str()[1:]}_{port[1:]}"), signal.size())
            if cell.input(ys.IdString(port)):
                wire.port_output = True
                top.connect(ys.SigSpec(wire), signal)
            else:
                wire.port_input = True
                top.connect(signal, ys.SigSpec(wire))
        top.remove(cell)
    top.fixup_ports()
    # A memory that is kept must not lose its name: the mutation finds cells by name, so it is mapped later.
    ys.run_pass(f"write_rtlil {path}", design)
    return True


def miter(base, command, path):
    """Design beside mutant, as an AIG whose output is 1 when they differ."""
    design = ys.Design()
    for step in [
        f"read_rtlil {base}",
        "rename -top gold",
        "copy gold gate",
        re.sub(r"-module \S+", "-module gate", command),
        "memory_map",
        "opt_clean",
    ]:
        ys.run_pass(step, design)
    for name in ["\\gold", "\\gate"]:
        power_up(design.module(ys.IdString(name)))
    for step in [
        "miter -equiv -flatten gold gate miter",
        "hierarchy -top miter",
        "opt -full",
        "techmap",
        "opt -nodffe -nosdff",
        "dffunmap",
        "aigmap",
        "opt_clean",
        f"write_aiger -zinit {path}",
    ]:
        ys.run_pass(step, design)
    return True


def begin_with(wire, value):
    """Sets a register's first value. (The attributes that Python sees are a copy.)"""
    attributes = wire.attributes
    attributes[ys.IdString("\\init")] = value
    wire.attributes = attributes


def power_up(module):
    """Gives every register a first value: its reset value, or an input's in the first cycle."""
    first = None
    clock = ys.SigSpec(module.wire(ys.IdString("\\clk_i")))
    for cell in list(module.cells_.values()):
        kind = cell.type.str()
        if not kind.startswith(synth.FLIPFLOPS):
            continue
        q = cell.getPort(ys.IdString("\\Q"))
        n = q.size()
        held = module.addWire(ys.IdString(f"\\held_{cell.name.str()[1:]}"), n)
        value = cell.parameters.get(ys.IdString("\\SRST_VALUE"))
        if kind.startswith("$sdff"):
            begin_with(held, value)
            cell.setPort(ys.IdString("\\Q"), ys.SigSpec(held))
            module.connect(q, ys.SigSpec(held))
            continue
        if first is None:
            first = module.addWire(ys.IdString("\\first_cycle"), 1)
            begin_with(first, ys.Const(1, 1))
            module.addDff(ys.IdString("\\first_cycle_ff"), clock, ys.SigSpec(ys.Const(0, 1)), ys.SigSpec(first))
        start = module.addWire(ys.IdString(f"\\start_{cell.name.str()[1:]}"), n)
        start.port_input = True
        begin_with(held, ys.Const(0, n))
        cell.setPort(ys.IdString("\\Q"), ys.SigSpec(held))
        module.addMux(
            ys.IdString(f"\\mux_{cell.name.str()[1:]}"), ys.SigSpec(held), ys.SigSpec(start), ys.SigSpec(first), q
        )
    module.fixup_ports()


def ask_abc(aig, seconds):
    """What ABC says of a miter."""
    abc = pathlib.Path(sys.modules["pyosys"].__file__).parent / "yosys-abc"
    script = f"read_aiger {aig}; strash; scorr; dc2; scorr -F 2; dc2; ps; pdr -T {seconds}"
    try:
        said = subprocess.run([abc, "-c", script], capture_output=True, text=True, timeout=4 * seconds + 60).stdout
    except subprocess.TimeoutExpired:
        return "unknown"
    if m := re.search(r"asserted in frame (\d+)", said):
        return f"differs in cycle {m.group(1)}"
    left = re.findall(r"lat = *(\d+)  and = *(\d+)", said)
    if left and left[-1] == ("0", "0"):
        # Nothing is left of the difference: the output is constant, and pdr has not found it 1.
        return "equivalent by induction"
    return "equivalent by pdr" if "Property proved" in said else "unknown"


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
