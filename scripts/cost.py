#!/usr/bin/env python3
"""Worker of `quell cost`: elaborates designs and maps modules to a cell library with Yosys.

Reads one JSON object a line from standard input and answers each with one line:

  {"op": "elaborate", "top": "switch", "params": {"PORTS": 8}, "ties": {"output_regs.mark_en_o": 0}, "out": DIR}
    -> {"top": NAME, "modules": {NAME: {"base", "file", "instances": {NAME: MODULE}, "memories", "ports"}}}
       Every module is a file of RTLIL in DIR, named by its content. Memories stay memories.
  {"op": "map", "file": FILE, "library": FILE.lib, "out": FILE.v}
    -> {"cells": {KIND: COUNT}}
       The module's own logic mapped to the library; instances of other modules are kept.
  {"op": "buffer", "top": NAME, "files": [FILE.v], "library": FILE.lib, "out": FILE.v}
    -> {"buffers": {MODULE: {KIND: COUNT}}}
       The mapped modules of a design in one file, with buffers where a cell drives more than it may.

An input that Yosys refuses ends the worker with status 1 and the end of Yosys's log on standard error.
"""

import functools
import hashlib
import json
import os
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv/bin/python"

try:
    from pyosys import libyosys as ys
except ImportError:
    if VENV.exists() and pathlib.Path(sys.prefix) != ROOT / ".venv":
        os.execv(VENV, [str(VENV), *sys.argv])
    sys.exit("pyosys is not installed; remedy: run ./setup")

# Area first; then large fan-outs are buffered and cells sized, so that delays mean something.
ABC = "strash;&get -n;&fraig -x;&put;dch -f;map -B 0.9;topo;buffer -c;upsize;dnsize"


def sources():
    """The RTL files, packages first as Yosys wants them."""
    files = sorted((ROOT / "rtl").glob("*.sv"))
    return sorted(files, key=lambda f: not f.name.endswith("_pkg.sv"))


class Worker:
    def __init__(self):
        self.design = ys.Design()
        self.read = False

    def run(self, command):
        ys.run_pass(command, self.design)

    def elaborate(self, job):
        run = self.run
        if not self.read:
            run("design -reset")
            run("read_verilog -sv " + " ".join(str(f) for f in sources()))
            run("design -save rtl")
            self.read = True
        run("design -load rtl")
        top = job["top"]
        chparam = " ".join(f"-chparam {k} {v}" for k, v in job["params"].items())
        run(f"hierarchy -check -top {top} {chparam}")
        run("proc")
        run("setattr -unset src *")
        top = self.design.top_module().name.str()
        run(f"delete -port {top}/w:st_*")  # what co-simulation looks at
        for port, value in job["ties"].items():
            self.tie(*port.split("."), value)
        self.settle()
        run("opt")
        self.settle()
        run("memory -nomap")
        run("opt_clean")
        run(f"hierarchy -top {top}")  # modules without an instance go
        run("autoname")
        return self.describe(job["out"])

    def settle(self):
        """Carries constants and unused outputs through the hierarchy: they go one level a round."""
        sizes = []
        while len(sizes) < 3 or sizes[-1] != sizes[-2]:
            for step in ("opt_hier", "opt_expr", "opt_dff", "opt_clean"):
                self.run(step)
            sizes.append(sum(len(m.cells_) + len(m.wires_) for m in self.design.modules_.values()))

    def tie(self, base, port, value):
        """Sets what every instance of a module gives its surroundings to a constant: a feature that a scheme does
        not have."""
        name = ys.IdString("\\" + port)
        found = False
        for module in list(self.design.modules_.values()):
            for cell in list(module.cells_.values()):
                kind = self.design.module(cell.type)
                if kind is None or base_of(kind) != base or not cell.hasPort(name):
                    continue
                found = True
                outside = cell.getPort(name)
                width = outside.size()
                loose = module.addWire(ys.IdString(f"\\{cell.name.str().lstrip(chr(92))}_{port}_untied"), width)
                cell.setPort(name, ys.SigSpec(loose))
                module.connect(outside, ys.SigSpec(ys.Const(value, width)))
        if not found:
            sys.exit(f"there is no {base} with a port {port}")

    def describe(self, folder):
        """Writes every module to a file and says what it holds. Names become ones that every tool accepts: the
        module's and, where it has parameters, a digest of them."""
        names = {}
        for module in self.design.modules_.values():
            full, base = module.name.str(), base_of(module)
            names[full] = base if full == "\\" + base else f"{base}_{digest(full)[:8]}"
        longest_first = sorted(names, key=len, reverse=True)
        modules = {}
        for module in list(self.design.modules_.values()):
            full = module.name.str()
            instances, mems, ports = {}, [], {}
            for cell in module.cells_.values():
                kind = cell.type.str()
                if kind == "$mem_v2":
                    mems.append(memory(cell))
                elif kind in names:
                    instances[cell.name.str().lstrip("\\")] = names[kind]
            for wire in module.wires_.values():
                if wire.port_input or wire.port_output:
                    ports[wire.name.str().lstrip("\\")] = [wire.width, "in" if wire.port_input else "out"]
            path = pathlib.Path(folder) / f".{os.getpid()}.il"
            self.run(f"select -module {full}")
            self.run(f"write_rtlil -selected {path}")
            self.run("select -clear")
            text = canonical(path.read_text())
            for name in longest_first:
                text = text.replace(name, "\\" + names[name]) if name != "\\" + names[name] else text
            file = f"{names[full]}-{digest(text)[:16]}.il"
            path.write_text(text)
            os.replace(path, path.with_name(file))
            modules[names[full]] = {
                "base": base_of(module),
                "file": file,
                "instances": dict(sorted(instances.items())),
                "memories": mems,
                "ports": dict(sorted(ports.items())),
            }
        return {"top": names[self.design.top_module().name.str()], "modules": modules}

    def map(self, job):
        run = self.run
        self.design = ys.Design()
        self.read = False
        library = job["library"]
        run(f"read_rtlil {job['file']}")
        run("alumacc")
        run("opt_expr")
        run("techmap")
        run("opt -fast")
        run(f"dfflibmap -liberty {library}")
        run("opt -fast")
        run(f"abc -script +{ABC.replace(' ', ',')} -liberty {library}")
        run("setundef -zero")
        run("splitnets")
        run("opt_clean -purge")
        module = next(iter(self.design.modules_.values()))
        cells = {}
        for cell in module.cells_.values():
            kind = cell.type.str().lstrip("\\")
            cells[kind] = cells.get(kind, 0) + 1
        odd = sorted(k for k in cells if k.startswith("$"))
        if odd:
            sys.exit(f"{module.name.str()}: the library has no cell for {', '.join(odd)}")
        run(f"write_verilog -noattr -noexpr {job['out']}")
        return {"cells": dict(sorted(cells.items()))}


    def buffer(self, job):
        """Modules are mapped one by one, so a cell that drives a port was not sized for what is behind it. Where the
        load is beyond the cell's max_capacitance, a buffer comes behind it; a module is the same in all its places,
        so it gets what the worst one needs."""
        run = self.run
        self.design = ys.Design()
        self.read = False
        for file in job["files"]:
            run(f"read_verilog {file}")
        out = pathlib.Path(job["out"])
        netlist = out.with_suffix(".json")
        run(f"write_json {netlist}")
        design = json.loads(netlist.read_text())
        buffers = add_buffers(design["modules"], job["top"], liberty(job["library"]))
        netlist.write_text(json.dumps(design))
        self.design = ys.Design()
        run(f"read_json {netlist}")
        # OpenSTA 2.0 reads no assignment to a list.
        run(f"write_verilog -noattr -noexpr -simple-lhs {out}")
        netlist.unlink()
        return {"buffers": buffers}


@functools.cache
def liberty(path):
    """The pins of a library's cells: {cell: {pin: {attribute: value}}}."""
    text = re.sub(r"/\*.*?\*/|\\\n", "", pathlib.Path(path).read_text(), flags=re.S)
    cells, groups = {}, []
    token = re.compile(r'(\w+)\s*\(([^()]*)\)\s*\{|(\w+)\s*:\s*"?([^";]*)"?\s*;|(\})')
    for kind, name, attribute, value, end in token.findall(text):
        if kind:
            groups.append((kind, name.strip(' "')))
        elif end:
            groups.pop()
        elif len(groups) == 3 and groups[1][0] == "cell" and groups[2][0] == "pin":
            cells.setdefault(groups[1][1], {}).setdefault(groups[2][1], {})[attribute] = value.strip()
    return cells


def add_buffers(modules, top, cells):
    """Adds buffers to a design as Yosys writes it in JSON; says which, by module."""
    limit = {}  # (cell, output pin): the most that it drives
    takes = {}  # (cell, input pin): capacitance
    kinds = []  # buffers: limit, cell, input, output
    for cell, pins in cells.items():
        ins = [p for p, a in pins.items() if a.get("direction") == "input"]
        for pin, a in pins.items():
            if a.get("direction") == "input":
                takes[cell, pin] = float(a.get("capacitance", 0))
            elif "max_capacitance" in a:
                limit[cell, pin] = float(a["max_capacitance"])
                if len(ins) == 1 and a.get("function", "").strip("() ") == ins[0]:
                    kinds.append((limit[cell, pin], cell, ins[0], pin))
    kinds.sort()

    order = []  # children before parents

    def visit(name):
        if name in modules and name not in order:
            for cell in modules[name]["cells"].values():
                visit(cell["type"])
            order.append(name)

    visit(top)
    loads = {}  # of each net of a module, inside it
    for name in order:
        load = loads[name] = {}
        for cell in modules[name]["cells"].values():
            kind = cell["type"]
            for pin, nets in cell["connections"].items():
                if kind in modules:
                    port = modules[kind]["ports"][pin]
                    taken = [loads[kind].get(b, 0) for b in port["bits"]] if port["direction"] == "input" else []
                else:
                    taken = [takes.get((kind, pin), 0)]
                for net, c in zip(nets, taken):
                    load[net] = load.get(net, 0) + c
    behind = {name: {} for name in order}  # of each net that a port leads out: the most outside
    for name in reversed(order):
        for cell in modules[name]["cells"].values():
            kind = cell["type"]
            if kind not in modules:
                continue
            for pin, port in modules[kind]["ports"].items():
                if port["direction"] == "output" and pin in cell["connections"]:
                    for net, b in zip(cell["connections"][pin], port["bits"]):
                        c = loads[name].get(net, 0) + behind[name].get(net, 0)
                        behind[kind][b] = max(behind[kind].get(b, 0), c)
    added = {}
    for name in order:
        module = modules[name]
        nets = [b for cell in module["cells"].values() for c in cell["connections"].values() for b in c]
        free = max((b for b in nets if isinstance(b, int)), default=1) + 1
        for cell in list(module["cells"].values()):
            for pin, nets in cell["connections"].items():
                load = loads[name].get(nets[0], 0) + behind[name].get(nets[0], 0) if len(nets) == 1 else 0
                if load <= limit.get((cell["type"], pin), load):
                    continue
                strong = [k for k in kinds if k[0] > limit[cell["type"], pin]]
                if not strong:
                    continue
                _, kind, a, y = next((k for k in strong if k[0] >= load), strong[-1])
                module["cells"][f"behind_{free}"] = {
                    "hide_name": 0,
                    "type": kind,
                    "parameters": {},
                    "attributes": {},
                    "connections": {a: [free], y: nets},
                }
                cell["connections"][pin] = [free]
                free += 1
                count = added.setdefault(name, {})
                count[kind] = count.get(kind, 0) + 1
    return added


def base_of(module):
    """The name of a module without its parameters."""
    if module.has_attribute(ys.IdString("\\hdlname")):
        return module.get_string_attribute(ys.IdString("\\hdlname")).lstrip("\\")
    name = module.name.str()
    found = re.fullmatch(r"\$paramod(?:\$[0-9a-f]+)?\\(\w+)(?:\\.*)?", name)
    return found.group(1) if found else name.lstrip("\\")


def memory(cell):
    par = {k.str(): v for k, v in cell.parameters.items()}
    return {
        "depth": par["\\SIZE"].as_int(),
        "width": par["\\WIDTH"].as_int(),
        "reads": par["\\RD_PORTS"].as_int(),
        "writes": par["\\WR_PORTS"].as_int(),
    }


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def canonical(text):
    """The text with Yosys's running numbers replaced by their order, so that equal modules have equal text."""
    seen = {}
    text = re.sub(r"^(#.*|autoidx .*)\n", "", text, flags=re.M)
    return re.sub(r"(?<=\$)\d+\b", lambda m: str(seen.setdefault(m.group(), len(seen))), text)


def main():
    answers = os.fdopen(os.dup(1), "w")
    log = tempfile.NamedTemporaryFile("r", prefix="quell-cost-")
    out = os.open(log.name, os.O_WRONLY | os.O_APPEND)
    os.dup2(out, 1)
    # Yosys ends the process on an error: so a parent waits and shows the end of the log.
    child = os.fork()
    if child != 0:
        answers.close()
        status = os.waitpid(child, 0)[1]
        if status != 0:
            lines = [line for line in log.read().splitlines() if line.strip()]
            wrong = [line for line in lines if "ERROR" in line]
            print("\n".join(wrong[-3:] or lines[-8:]), file=sys.stderr)
        sys.exit(0 if status == 0 else 1)
    worker = Worker()
    for line in sys.stdin:
        job = json.loads(line)
        answer = getattr(worker, job["op"])(job)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
        os.ftruncate(out, 0)
    os._exit(0)


if __name__ == "__main__":
    main()
