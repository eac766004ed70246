#!/usr/bin/env python3
"""Worker of `quell cost`: elaborates designs and maps modules to a cell library with Yosys.

Reads one JSON object a line from standard input and answers each with one line:

  {"op": "elaborate", "top": "switch", "params": {"PORTS": 8}, "ties": {"output_regs.mark_en_o": 0}, "out": DIR}
    -> {"top": NAME, "modules": {NAME: {"base", "file", "children", "instances": {NAME: MODULE}, "memories", "ports"}}}
       The own logic of every module is a file of RTLIL in DIR, named by its content. Memories stay memories.
  {"op": "map", "file": FILE, "library": FILE.lib, "out": STEM}
    -> {"cells": {KIND: COUNT}}
       The module's own logic mapped to the library, as STEM.v and STEM.net (JSON); instances of other modules are kept.
  {"op": "buffer", "top": NAME, "modules": {NAME: [STEM, CHILDREN]}, "library": FILE.lib, "out": FILE.v}
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

# The types of instances of other modules in a module's own file.
CHILD = "quell_child_"

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
        return self.describe(job["out"])

    def settle(self):
        """Carries constants and unused outputs through the hierarchy: they go one level a round."""
        sizes = []
        while len(sizes) < 3 or sizes[-1] != sizes[-2]:
            changed = False
            for step in ("opt_hier", "opt_expr", "opt_dff", "opt_clean"):
                self.design.scratchpad_unset("opt.did_something")
                self.run(step)
                changed |= self.design.scratchpad_get_bool("opt.did_something")
            if not changed:
                return
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
        """Writes every module to a file and says what it holds. The file is the module's own logic, named by its
        content: the modules inside it are CHILD0, CHILD1, .. there. A module of a design is named by its content and
        that of all inside it, so that equal ones have one name whatever parameters they were made with."""
        names, modules = {}, {}
        top = self.design.top_module()

        def visit(module):
            full, base = module.name.str(), base_of(module)
            instances, children, mems, ports = {}, [], [], {}
            for cell in module.cells_.values():
                kind = cell.type.str()
                inside = self.design.module(cell.type)
                if kind == "$mem_v2":
                    mems.append(memory(cell))
                elif inside is not None:
                    if kind not in names:
                        visit(inside)
                    instances[cell.name.str().lstrip("\\")] = names[kind]
            for wire in module.wires_.values():
                if wire.port_input or wire.port_output:
                    ports[wire.name.str().lstrip("\\")] = [wire.width, "in" if wire.port_input else "out"]
            path = pathlib.Path(folder) / f".{os.getpid()}.il"
            self.run(f"select -module {full}")
            self.run(f"write_rtlil -selected {path}")
            self.run("select -clear")

            def child(match):
                if match[1] not in names:
                    return match[0]
                if names[match[1]] not in children:
                    children.append(names[match[1]])
                return f"  cell \\{CHILD}{children.index(names[match[1]])} "

            text = path.read_text().replace(f"module {full}\n", f"module \\{base}\n", 1)
            text = canonical(re.sub(r"^  cell (\S+) ", child, text, flags=re.M))
            file = f"{base}-{digest(text)[:16]}.il"
            path.write_text(text)
            os.replace(path, path.with_name(file))
            names[full] = base if module == top else f"{base}_{digest(file + str(children))[:8]}"
            modules[names[full]] = {
                "base": base,
                "file": file,
                "children": children,
                "instances": dict(sorted(instances.items())),
                "memories": mems,
                "ports": dict(sorted(ports.items())),
            }

        visit(top)
        return {"top": names[top.name.str()], "modules": modules}

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
        run("rename -enumerate -pattern g% c:*")  # one name in both files
        module = next(iter(self.design.modules_.values()))
        cells = {}
        for cell in module.cells_.values():
            kind = cell.type.str().lstrip("\\")
            if not kind.startswith(CHILD):
                cells[kind] = cells.get(kind, 0) + 1
        odd = sorted(k for k in cells if k.startswith("$"))
        if odd:
            sys.exit(f"{module.name.str()}: the library has no cell for {', '.join(odd)}")
        # OpenSTA 2.0 reads no assignment to a list.
        for write, kind in (("write_verilog -noattr -noexpr -simple-lhs", "v"), ("write_json", "net")):
            beside = f"{job['out']}.{kind}.{os.getpid()}"
            run(f"{write} {beside}")
            os.replace(beside, f"{job['out']}.{kind}")
        return {"cells": dict(sorted(cells.items()))}

    def buffer(self, job):
        """Modules are mapped one by one, so a cell that drives a port was not sized for what is behind it. Where the
        load is beyond the cell's max_capacitance, a buffer comes behind it; a module is the same in all its places,
        so it gets what the worst one needs."""
        modules = {}
        for name, (stem, children) in job["modules"].items():
            net = netlist(stem + ".net")
            modules[name] = {**net, "children": children}
        added = add_buffers(modules, job["top"], liberty(job["library"]))
        with open(job["out"], "w") as out:
            for name, (stem, children) in job["modules"].items():
                text = pathlib.Path(stem + ".v").read_text()
                text = re.sub(rf"^  {CHILD}(\d+) ", lambda m: f"  {children[int(m[1])]} ", text, flags=re.M)
                text = re.sub(r"^module \S+?(?=\()", f"module {name}", text, count=1, flags=re.M)
                out.write(with_buffers(text, added[name]) if name in added else text)
        counts = {}
        for name, buffers in added.items():
            kinds = [kind for kind, _, _ in buffers.values()]
            counts[name] = {kind: kinds.count(kind) for kind in sorted(set(kinds))}
        return {"buffers": counts}


@functools.cache
def netlist(path):
    """A mapped module: its ports and cells as Yosys writes them in JSON."""
    (module,) = json.loads(pathlib.Path(path).read_text())["modules"].values()
    return module


def with_buffers(text, buffers):
    """The Verilog of a mapped module with buffers at some outputs of cells: {(cell, pin): (kind, input, output)}."""
    lines, cell, added = [], None, []
    for line in text.split("\n"):
        if head := re.fullmatch(r"  \S+ \\?(\S+) +\(", line):
            cell = head[1]
        elif pin := re.fullmatch(r"    \.(\w+)\((.*)\)(,?)", line):
            if (cell, pin[1]) in buffers:
                kind, a, y = buffers[cell, pin[1]]
                n = len(added)
                added.append(f"  {kind} behind_{n} (.{a}(few_{n}), .{y}({pin[2]}));")
                line = f"    .{pin[1]}(few_{n}){pin[3]}"
        elif line == "endmodule":
            lines += added
        lines.append(line)
    return "\n".join(lines)


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
    """Which outputs of cells get a buffer: {module: {(cell, output): (buffer, its input, its output)}}."""
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

    order, inside = [], {}  # children before parents; instances of other modules

    def visit(name):
        if name in modules and name not in inside:
            module = modules[name]
            child = {f"{CHILD}{i}": kind for i, kind in enumerate(module["children"])}
            instances = [c for c in module["cells"].values() if c["type"] in child]
            inside[name] = [(child[c["type"]], c["connections"]) for c in instances if child[c["type"]] in modules]
            for kind, _ in inside[name]:
                visit(kind)
            order.append(name)

    visit(top)
    loads = {}  # of each net of a module, inside it
    for name in order:
        load = loads[name] = {}
        for cell in modules[name]["cells"].values():
            for pin, nets in cell["connections"].items():
                if c := takes.get((cell["type"], pin)):
                    load[nets[0]] = load.get(nets[0], 0) + c
        for kind, connections in inside[name]:
            for pin, port in modules[kind]["ports"].items():
                if port["direction"] == "input":
                    for net, b in zip(connections.get(pin, []), port["bits"]):
                        load[net] = load.get(net, 0) + loads[kind].get(b, 0)
    behind = {name: {} for name in order}  # of each net that a port leads out: the most outside
    for name in reversed(order):
        for kind, connections in inside[name]:
            for pin, port in modules[kind]["ports"].items():
                if port["direction"] == "output":
                    for net, b in zip(connections.get(pin, []), port["bits"]):
                        c = loads[name].get(net, 0) + behind[name].get(net, 0)
                        behind[kind][b] = max(behind[kind].get(b, 0), c)
    added = {}
    for name in order:
        for at, cell in modules[name]["cells"].items():
            for pin, nets in cell["connections"].items():
                most = limit.get((cell["type"], pin))
                if most is None:
                    continue
                load = loads[name].get(nets[0], 0) + behind[name].get(nets[0], 0)
                strong = [k for k in kinds if k[0] > most] if load > most else []
                if strong:
                    best = next((k for k in strong if k[0] >= load), strong[-1])
                    added.setdefault(name, {})[at, pin] = best[1:]
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


# A name that Yosys made, with one of its running numbers.
OWN = re.compile(r"(?<!\S)\$\S*\$\d\S*")


def canonical(text):
    """A module's RTLIL without parameters, its parts in an order and Yosys's own names in a numbering that do not depend
    on what was done before, so that equal modules have equal text."""
    text = re.sub(r"^(#.*|autoidx .*|attribute \\src .*|  parameter .*|)\n", "", text, flags=re.M)
    part = r"(?:  attribute .*\n)*  (?:cell .*\n(?:    .*\n)*  end|wire .*|connect .*)\n"
    parts = re.findall(part, text)
    head, *rest = re.sub(part, "", text).partition("end\n")
    if rest != ["end\n", ""]:
        sys.exit(f"RTLIL that scripts/cost.py does not know: {rest[1][:200]}")
    wires, others = [], []
    for p in parts:
        (wires if re.match(r"(?:  attribute .*\n)*  wire ", p) else others).append(p)
    others.sort(key=lambda p: OWN.sub("$own", p))
    seen = {}
    number = functools.partial(OWN.sub, lambda m: f"$own${seen.setdefault(m.group(), len(seen))}")
    others = [number(p) for p in others]
    return head + "".join(sorted(number(w) for w in wires)) + "".join(others) + "end\n"


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
