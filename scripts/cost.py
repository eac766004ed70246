#!/usr/bin/env python3
"""Worker of `quell cost`: elaborates designs and maps modules to a cell library with Yosys.

Reads one JSON object a line from standard input and answers each with one line:

  {"op": "elaborate", "top": "switch", "params": {"PORTS": 8}, "ties": {"output_regs.mark_en_o": 0}, "out": DIR}
    What a job shares with the one before, all but "ties", is not done again.
    -> {"top": NAME, "modules": {NAME: {"base", "file", "children", "instances": {NAME: MODULE}, "memories", "ports"}}}
       The own logic of every module is a file of RTLIL in DIR, named by its content. Memories stay memories.
  {"op": "map", "file": FILE, "library": FILE.lib, "out": STEM}
    -> {"cells": {KIND: COUNT}}
       The module's own logic mapped to the library, as STEM.blif; instances of other modules are kept.

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

# A module's delay may be up to -D (ps): what is shorter by itself (a column of the crossbar) would take half as much area again
# to be as short as it can be. Then large fan-outs are buffered and cells sized, so that delays mean something.
ABC = "strash;{}map -B 0.9 -D 400;topo;buffer -c;upsize;dnsize"
# Equal parts are joined first: without that the map of free blocks is twice as slow. (&fraig -x, as Yosys has it, finds as much in
# four times the time.) From so many cells on it is left out: it would take minutes, and in the choice among 1024 flows finds nothing.
JOIN = "&get -n;&fraig -y;&put;"
HUGE = 60000
# dch keeps several structures to choose from. Paths become shorter by it, and it takes two thirds of the time of large
# modules. In those without registers (the map of free blocks, who was told of a line, the stop mask), dc2 needs a tenth of
# that and finds 12 % less area and paths that are 5 % longer (told_requests at 64 nodes).
LARGE = 5000


def sources():
    """The RTL files, packages first as Yosys wants them."""
    files = sorted((ROOT / "rtl").glob("*.sv"))
    return sorted(files, key=lambda f: not f.name.endswith("_pkg.sv"))


class Worker:
    def __init__(self):
        self.design = ys.Design()
        self.read = False
        self.processed = None  # the top and parameters that are saved as "processed"

    def run(self, command):
        ys.run_pass(command, self.design)

    def elaborate(self, job):
        run = self.run
        if not self.read:
            run("design -reset")
            run("read_verilog -sv " + " ".join(str(f) for f in sources()))
            run("design -save rtl")
            self.read = True
        if self.processed == (job["top"], job["params"]):
            run("design -load processed")
        else:
            run("design -load rtl")
            chparam = " ".join(f"-chparam {k} {v}" for k, v in job["params"].items())
            run(f"hierarchy -check -top {job['top']} {chparam}")
            run("proc")
            run("setattr -unset src *")
            top = self.design.top_module().name.str()
            run(f"delete -port {top}/w:st_*")  # what co-simulation looks at
            run("design -save processed")
            self.processed = (job["top"], job["params"])
        top = self.design.top_module().name.str()
        for port, value in job["ties"].items():
            self.tie(*port.split("."), value)
        self.settle()
        run("opt")
        self.settle()
        # Only where there is one: else it looks through every module for nothing.
        for module in list(self.design.modules_.values()):
            if module.memories or any(c.type.str().startswith("$mem") for c in module.cells_.values()):
                run(f"memory -nomap {module.name.str()}")
                run(f"opt_clean {module.name.str()}")
        run(f"hierarchy -top {top}")  # modules without an instance go
        return self.describe(job["out"])

    def settle(self):
        """Carries constants and unused outputs through the hierarchy: they go one level a round."""
        sizes = []
        while len(sizes) < 3 or sizes[-1] != sizes[-2]:
            changed = False
            for step in ("opt_hier", "opt_expr", "opt_dff", "opt_clean"):
                # What was clean after the round before is so where nothing was done since.
                if step == "opt_clean" and sizes and not changed:
                    return
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
        self.read, self.processed = False, None
        library = job["library"]
        run(f"read_rtlil {job['file']}")
        run("alumacc")
        run("opt_expr")
        run("techmap")
        run("opt -fast")
        kinds = [c.type.str() for c in next(iter(self.design.modules_.values())).cells_.values()]
        join = JOIN if len(kinds) < HUGE else ""
        large = len(kinds) > LARGE and not any("DFF" in k for k in kinds)
        run(f"dfflibmap -liberty {library}")
        run("opt -fast")
        script = ABC.format(join + ("dc2;" if large else "dch -f;"))
        run(f"abc -script +{script.replace(' ', ',')} -liberty {library}")
        run("setundef -zero")
        run("splitnets")
        run("opt_clean -purge")
        run("rename -enumerate -pattern g% c:*")
        module = next(iter(self.design.modules_.values()))
        cells = {}
        for cell in module.cells_.values():
            kind = cell.type.str().lstrip("\\")
            if not kind.startswith(CHILD):
                cells[kind] = cells.get(kind, 0) + 1
        odd = sorted(k for k in cells if k.startswith("$"))
        if odd:
            sys.exit(f"{module.name.str()}: the library has no cell for {', '.join(odd)}")
        beside = f"{job['out']}.{os.getpid()}"
        run(f"write_blif -gates -cname {beside}")
        os.replace(beside, f"{job['out']}.blif")
        return {"cells": dict(sorted(cells.items()))}


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
NUMBER = re.compile(r"\$(\d+)")


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
    # Yosys writes its own names in the order of their text, in which 1000 is before 999; by number it is the order in
    # which they were made, and that is the same wherever the module is.
    others.sort(key=lambda p: (OWN.sub("$own", p), [int(n) for o in OWN.findall(p) for n in NUMBER.findall(o)]))
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
