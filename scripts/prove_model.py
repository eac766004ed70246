#!/usr/bin/env python3
"""Turns one module of rtl/ with its checkers of tb/ into an AIGER model for `quell prove`.

  scripts/prove_model.py block_pool -P BLOCKS=4 -P FREES=2 --out model.aag

The model has one clock; a step is a clock edge. Every register starts with any value. The outputs are the
module's ports, and one for each assertion, cover and assumption, named `assert:NAME`, `cover:NAME`,
`assume:NAME`, which is 1 in the cycles in which it is broken, hit, or holds. Assertions with `_env_` in their
name state what a module expects of its surroundings: they are assumptions of the module's own model and
assertions in that of every module around it. A checker's wire with the attribute `view = "NAME"` is connected to
that net of the module that the checker is in, at any depth (`u_next.all`; `g_engine[*].n_q`: all of them, 0 lowest): so
lemmas see memories and registers without ports for them. With an attribute `absent` that is not 0 there is no such net, and the
wire is 0. Needs pyosys (./setup puts it into .venv).
"""

import argparse
import pathlib
import re
import sys

from synth import quietly, write_aiger, ys

ROOT = pathlib.Path(__file__).resolve().parent.parent
NO_PARAMETERS = re.compile(r"^module \w+ \(", re.MULTILINE)


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("module", help="top module")
    p.add_argument("-P", dest="params", action="append", default=[], metavar="NAME=VALUE")
    p.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="INSTANCE",
        help="leave out what the checkers inside instances of this name state",
    )
    p.add_argument("--rtl", default=ROOT / "rtl", type=pathlib.Path, help="another folder of RTL")
    p.add_argument("--tb", default=ROOT / "tb", type=pathlib.Path, help="another folder of checkers")
    p.add_argument("--out", required=True, metavar="FILE", help="where the model goes (ASCII AIGER)")
    return p.parse_args()


def sources(args):
    """The files: packages and modules without parameters, which are read first, and the others."""
    first, rest = [], []
    for f in sorted(args.rtl.glob("*.sv")) + sorted(args.tb.glob("*.sv")):
        if f.name.endswith("_pkg.sv"):
            first.insert(0, f)
        elif NO_PARAMETERS.search(f.read_text()):
            first.append(f)
        else:
            rest.append(f)
    return first, rest


def bit_name(name):
    return name.lstrip("\\")


def connect_views(design):
    """Gives the checkers' wires with a `view` the value of the net that it names."""
    top = design.top_module()
    wires = {bit_name(w.name.str()): w for w in top.wires_.values()}
    for name, wire in wires.items():
        view = wire.get_string_attribute(ys.IdString("\\view"))
        if not view:
            continue
        checker = name.rpartition(".")[0]  # its path, and that of the module that it is in
        around = checker.rpartition(".")[0]
        wanted = f"{around}.{view}" if around else view
        pattern = re.compile(re.escape(wanted).replace(r"\[\*\]", r"\[(\d+)\]"))
        found = [(m, w) for m, w in ((pattern.fullmatch(n), w) for n, w in wires.items()) if m]
        found.sort(key=lambda f: [int(i) for i in f[0].groups()])
        seen = ys.SigSpec()
        for _, w in found:
            seen.append(ys.SigSpec(w))
        if wire.get_bool_attribute(ys.IdString("\\absent")):
            seen = ys.SigSpec(ys.Const(0, wire.width)) if not found else ys.SigSpec()
        if seen.size() != wire.width:
            sys.exit(f"prove_model.py: error: {name} views {wanted}: {seen.size()} bits instead of {wire.width}")
        top.connect(ys.SigSpec(wire), seen)


def properties(design, without):
    """Replaces every check by an output that tells of it; those inside the instances `without` go."""
    top = design.top_module()
    names = []
    for cell in list(top.cells_.values()):
        if cell.type.str() != "$check":
            continue
        name = bit_name(cell.name.str()).replace("u_checker.", "")
        a = cell.getPort(ys.IdString("\\A"))
        enable = cell.getPort(ys.IdString("\\EN"))
        if any(part in without for part in name.split(".")):
            top.remove(cell)
            continue
        kind = cell.parameters[ys.IdString("\\FLAVOR")].decode_string()
        own = "." not in name
        if kind == "assert" and own and "_env_" in name:
            kind = "assume"

        def fresh(part, at=len(names)):
            return ys.IdString(f"$prove${at}${part}")

        wire = top.addWire(ys.IdString(f"\\{kind}:{name}"), 1)
        wire.port_output = True
        out = ys.SigSpec(wire)
        if kind == "cover":
            top.addAnd(fresh("p"), a, enable, out)
        else:
            # broken = enable and not a; an assumption holds where it is not broken
            not_a = ys.SigSpec(top.addWire(fresh("nw"), 1))
            broken = out if kind == "assert" else ys.SigSpec(top.addWire(fresh("bw"), 1))
            top.addNot(fresh("p"), a, not_a)
            top.addAnd(fresh("q"), enable, not_a, broken)
            if kind == "assume":
                top.addNot(fresh("r"), broken, out)
        top.remove(cell)
        names.append(f"{kind}:{name}")
    top.fixup_ports()
    return names


def main():
    args = arguments()

    def build():
        design = ys.Design()

        def run(command):
            ys.run_pass(command, design)

        chparam = " ".join("-chparam " + p.replace("=", " ") for p in args.params)
        # deferred: modules are elaborated with the parameters that are used, not with the defaults;
        # those without parameters must be known before (Yosys would want them while it elaborates others)
        first, rest = sources(args)
        for defer, files in [("", first), ("-defer", rest)]:
            run(f"read_verilog -sv {defer} -formal -DQUELL_CHECK " + " ".join(str(f) for f in files))
        run(f"hierarchy -check -top {args.module} {chparam}")
        for command in ["proc", "flatten"]:
            run(command)
        connect_views(design)
        run("opt_clean")
        found = properties(design, set(args.without))
        # -nordff: a read port must stay a function of the memory, or induction starts from states in which what was
        # read is not what is stored
        for command in ["opt", "memory -nomap -nordff", "opt_clean"]:
            run(command)
        write_aiger(design, args.out)
        return found

    found = quietly(build)
    if not found:
        sys.exit(f"prove_model.py: error: {args.module} has no property")


if __name__ == "__main__":
    main()
