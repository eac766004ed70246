"""Makes pages, tables and headers from the description of the registers, regs/*.rdl. Run it through scripts/regs."""

import argparse
import functools
import json
import re
import sys
import tempfile
from pathlib import Path

from peakrdl_cheader.c_standards import CStandard
from peakrdl_cheader.exporter import CHeaderExporter
from peakrdl_ipxact import IPXACTExporter
from peakrdl_uvm import UVMExporter
from systemrdl import RDLCompileError, RDLCompiler
from systemrdl.node import AddrmapNode, MemNode, RegNode

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "regs" / "units.rdl"
DOCS = ROOT / "docs"
UNITS = {
    "input-port": "switch_input_port",
    "output-port": "switch_output_port",
    "switch": "switch",
    "hca-throttle": "hca_throttle",
    "hca": "hca",
    "source-response": "source_response",
    "reservation": "reservation",
    "worm-router": "worm_router",
    "worm-adapter": "worm_adapter",
    "injection-control": "injection_control",
}

# What docs/registers.json describes, for tests: small sets, so that models of them are made quickly. Two of each unit whose reset
# values have a minimum in them: each side of it is the smaller one once.
PORT = {"VLS": 2, "MTU": 4, "BLOCKS": 24, "LFT_DEPTH": 16, "TIMER_W": 8}
SOURCES = {"VL_BY_DEST": 0, "FLOWS": 5, "CCT": 8}
SETS = [
    ("switch_input_port", PORT),
    ("switch_input_port", {"VLS": 1, "MTU": 4, "BLOCKS": 48, "LFT_DEPTH": 5, "TIMER_W": 32}),
    ("switch_input_port", {**PORT, "RANDOM_UP": 1}),
    ("switch_output_port", {"VLS": 2, "MTU": 4, "BLOCKS": 24, "TIMER_W": 8, "CNT_W": 5}),
    ("switch_output_port", {"VLS": 1, "MTU": 7, "BLOCKS": 64, "TIMER_W": 32}),
    ("switch_output_port", {"VLS": 2, "MTU": 4, "BLOCKS": 48, "TIMER_W": 8, "CIOQ": 1, "OBLOCKS": 24}),
    ("hca_throttle", SOURCES),
    ("hca_throttle", {"VL_BY_DEST": 1, "FLOWS": 7, "CCT": 16}),
    ("switch", {"PORTS": 3, **PORT, "CNT_W": 5}),
    ("hca", {**PORT, **SOURCES, "CNT_W": 7}),
    ("hca", {**PORT, **SOURCES, "CNT_W": 7, "RESPONSE": 1}),
    ("hca", {**PORT, **SOURCES, "CNT_W": 7, "SRP": 1, "VLS": 4, "NMAX": 4}),
    ("source_response", {"FLOWS": 5}),
    ("reservation", {"FLOWS": 5, "NMAX": 4, "CNT_W": 7}),
    ("reservation", {"FLOWS": 5, "NMAX": 4, "CNT_W": 7, "NOW_W": 20, "DEDUP": 1}),
    ("worm_router", {"PORTS": 3, "VLS": 4, "LFT_DEPTH": 8, "CNT_W": 5}),
    ("worm_router", {"PORTS": 2, "VLS": 13, "LFT_DEPTH": 5, "CNT_W": 7}),
    ("worm_router", {"PORTS": 3, "VLS": 4, "LFT_DEPTH": 8, "CNT_W": 5, "ADMIT": 1}),
    ("worm_adapter", {"VLS": 4, "MSGQ": 4, "CNT_W": 5}),
    ("worm_adapter", {"VLS": 13, "MSGQ": 2048, "CNT_W": 7}),
    ("injection_control", {"PORTS": 3, "VLS": 4, "LFT_DEPTH": 5}),
    ("injection_control", {"PORTS": 5, "VLS": 13, "LFT_DEPTH": 8}),
]

HEAD = """# Registers

Made by `scripts/regs` from `regs/*.rdl`; a test compares. Every register and table of a switch, of an adapter, of the source response, of reservation, of
the wormhole router, its adapter and injection control; what they do is said by the rules of the unit pages.

Beside this page: C headers of a switch ([quell_switch.h](quell_switch.h)) and an adapter ([quell_hca.h](quell_hca.h)) with default parameters, and
[registers.json](registers.json), the table that tests compare RTL and golden model with. For any parameters, with IP-XACT and UVM register model:

```
scripts/regs --to DIR switch -P PORTS=16 -P LFT_DEPTH=4096
```

## Access

A register is written by a cycle with `cfg_we` = 1: number `cfg_addr`, value `cfg_data` (32 bits). It is effective in the next cycle. In a switch `cfg_unit` and
`cfg_port` say of which port it is, in an adapter `cfg_unit` of which unit; what they name that is not there is ignored. Port 255 of a switch is all ports. Tables
have write ports of their own.

A register is read by a cycle with `cfg_re` = 1: `cfg_rdata` has what it holds, with `cfg_rvalid` = 1, in the next cycle
([rule C1](conventions.md#register-port)). Registers from 128 on are counters, which can only be read and stay at their largest value. Tables can only be written.

Ignored are writes while `ready` is 0, to numbers that are not listed, and bits of `cfg_data` that belong to no field (but see LINE_TIMER).

The descriptions have byte addresses, for a bus: bits [9:2] are `cfg_addr`, [11:10] `cfg_unit`, in a switch [19:12] `cfg_port`. [APB](apb.md) has such
a bus.

"""


C_NOTE = """// Registers can be written and read, counters (CNT_*) only read; tables can only be written. A bus that reaches them at these
// addresses: docs/apb.md."""


class Wrong(Exception):
    """Something that the user can mend."""


# What the units' RTL takes; VLS to 64 needs VL_BY_DEST = 1.
LEGAL = {
    "PORTS": (1, 64), "VLS": (1, 64), "MTU": (1, 64), "BLOCKS": (1, 131072), "CAP": (1, 2048), "QCAP": (1, 2048), "OBLOCKS": (1, 131072), "LFT_DEPTH": (2, 65536), "TIMER_W": (4, 32),
    "CNT_W": (2, 32), "FLOWS": (2, 4096), "CCT": (8, 16384), "VL_BY_DEST": (0, 1), "RX_TIMEOUT_RESET": (0, 65535),
    "RESPONSE": (0, 1), "SRP": (0, 1), "CIOQ": (0, 1), "RANDOM_UP": (0, 1), "NMAX": (1, 64), "NOW_W": (12, 32), "DEDUP": (0, 1), "ADMIT": (0, 1), "MSGQ": (2, 4096),
}


# Of a unit that takes less.
LEGAL_OF = {"worm_router": {"PORTS": (2, 16), "VLS": (3, 16)}, "worm_adapter": {"VLS": (3, 16)}, "injection_control": {"PORTS": (2, 16), "VLS": (3, 16)}}


def check(unit, parameters):
    """Refuses what no unit can be made with."""
    for name, value in parameters.items():
        low, high = LEGAL_OF.get(unit, {}).get(name, LEGAL[name])
        if not low <= value <= high:
            raise Wrong(f"parameter {name} = {value} is out of range: legal is {low}..{high}")
    for name in ["CCT", "NMAX", "MSGQ"]:
        if parameters.get(name, 8).bit_count() != 1:
            raise Wrong(f"parameter {name} = {parameters[name]} must be a power of two")
    vls = parameters.get("VLS", 1)
    if parameters.get("SRP"):
        if vls < 4 or parameters.get("RESPONSE"):
            raise Wrong(f"parameter SRP = 1 needs VLS >= 4, which is {vls}, and RESPONSE = 0")
        vls -= 2
    for name in ["BLOCKS", "OBLOCKS"] if parameters.get("CIOQ") else ["BLOCKS"]:
        blocks = parameters.get(name)
        if blocks is not None and (blocks % vls or not parameters.get("MTU", 1) <= blocks // vls <= 2048):
            raise Wrong(f"parameter {name} = {blocks} must be a multiple of {'VLS-2' if parameters.get('SRP') else 'VLS'} = {vls}, MTU to 2048 for each")


@functools.cache
def compiled():
    """The description, read once."""
    compiler = RDLCompiler()
    compiler.compile_file(str(SOURCE))
    return compiler


def elaborated(unit, parameters):
    """The unit with these parameters."""
    compiler = compiled()
    known = compiler.root.comp_defs[unit].parameters_dict
    for name in parameters:
        if name not in known:
            raise Wrong(f"{unit} has no parameter {name} here: there are {', '.join(known)}")
    check(unit, parameters)
    return compiler.elaborate(unit, parameters=parameters).top


def windows(node, path=""):
    """The blocks of registers below a unit: path in the RTL, and the node."""
    for child in node.children():
        if isinstance(child, AddrmapNode):
            inside = ".".join(p for p in [path, child.get_property("hdl_path")] if p)
            if any(isinstance(n, RegNode) for n in child.children()):
                yield inside, child
            else:
                yield from windows(child, inside)


def tables(node):
    return [n for n in node.children() if isinstance(n, MemNode)]


# ---- docs/registers.json


def field_json(field, parameters):
    """What a test must know of a field; what is as usual is left out. In a path numbers stand for parameters."""
    said = {"name": field.inst_name, "lsb": field.lsb, "width": field.width, "reset": field.get_property("reset")}
    path = field.get_property("hdl_path_slice")
    if path:
        said["shown"] = path[0]
        for name, value in parameters.items():
            said["shown"] = re.sub(rf"\b{name}\b", str(value), said["shown"])
    for name in ["acts", "at_least", "at_most", "saturates", "of_unit", "rules", "measure", "reset_as"]:
        value = field.get_property(name)
        if value is not None:
            said[name] = value
    if field.get_property("onwrite") is not None:
        said["onwrite"] = field.get_property("onwrite").name
    if field.is_hw_writable:
        said["moves"] = True  # the unit changes it, too
    if not field.is_sw_writable:
        said["counts"] = True  # nothing else does
    return said


def set_json(unit, parameters):
    top = elaborated(unit, parameters)

    def port_map(path, node):
        base = node.raw_absolute_address
        return {
            "part": node.inst_name,
            "cfg_unit": base >> 10 & 3,
            "ports": node.parent.array_dimensions[0] if node.parent.is_array else 1,
            "path": path,
            "registers": [
                {"name": r.inst_name, "address": r.raw_address_offset // 4, "fields": [field_json(f, parameters) for f in r.fields()]}
                for r in node.children()
            ],
        }

    def table(node):
        entry = next(iter(node.children()))
        shown = node.get_property("shown")
        for name, value in parameters.items():
            shown = re.sub(rf"\b{name}\b", str(value), shown)
        return {
            "name": node.inst_name,
            "pins": node.get_property("pins").split(),
            "entries": node.get_property("mementries"),
            "shown": [part.strip() for part in shown.split(",")],
            "fields": [field_json(f, parameters) for f in entry.fields()],
        }

    # The first port stands for all.
    found = {path: port_map(path, node) for path, node in windows_of_first(top)}
    return {
        "unit": unit,
        "parameters": parameters,
        "windows": list(found.values()),
        "tables": [table(n) for n in tables(top)],
    }


def windows_of_first(top):
    for path, node in windows(top):
        if node.parent.is_array:
            node.parent.current_idx = [0]
        yield path, node


def compact(value, indent=0):
    """JSON with one line for what holds no lists of objects."""
    deep = lambda v: isinstance(v, (list, dict)) and any(
        isinstance(e, dict) or deep(e) for e in (v.values() if isinstance(v, dict) else v)
    )
    if not deep(value):
        return json.dumps(value)
    pad = " " * (indent + 1)
    if isinstance(value, dict):
        parts = [f"{json.dumps(k)}: {compact(v, indent + 1)}" for k, v in value.items()]
        return "{" + (",\n" + pad).join(parts) + "}"
    return "[\n" + ",\n".join(pad + compact(v, indent + 1) for v in value) + "]"


def json_text():
    return compact({"sets": [set_json(unit, p) for unit, p in SETS]}) + "\n"


# ---- docs/registers.md


def bits(field):
    high = f"{field.get_property('width_as')}-1" if field.get_property("width_as") else field.msb
    return f"[{field.msb}]" if field.width == 1 else f"[{high}:{field.lsb}]"


def reset(field):
    """The reset value as people write it, which must be the one that SystemRDL knows."""
    value, said = field.get_property("reset"), field.get_property("reset_as")
    if said is None:
        return str(value)
    if said == "all ones":
        known = (1 << field.width) - 1
    elif said == "all outputs":
        known = (1 << default_of(field, "PORTS")) - 1
    elif said == "B highest data lanes":
        data = default_of(field, "VLS") - 2
        share = max(1, data // 4)
        known = (1 << data) - (1 << data - share)
    else:
        names = {name: default_of(field, name) for name in re.findall(r"\b[A-Z]+\b", said)}
        known = eval(said.replace("/", "//"), {"min": min, **names})
    if known != value:
        raise Wrong(f"{field.get_path()}: reset_as {said} is {known}, reset is {value}")
    return said


def default_of(field, name):
    """The value of a parameter of the block of registers that a field is in."""
    return field.parent.parent.inst.parameters_dict[name].get_value()


def meaning(field):
    said = [field.get_property("desc")]
    codes = field.get_property("encode")
    if codes:
        said += [f"{c.value} {c.name}: {c.rdl_desc}" for c in codes]
    least, most = field.get_property("at_least"), field.get_property("at_most")
    if least is not None:
        said.append(f"{'0' if least == 1 else f'below {least}'} acts as {least}")
    if most is not None and most < (1 << field.width) - 1:
        named = reset(field) if most == field.get_property("reset") else most
        said.append(f"above {named} acts as {named}")
    if not field.is_sw_writable:
        said.append("can only be read")
    if field.get_property("saturates"):
        said.append(f"a value that {field.get_property('width_as')} bits do not hold is written as all ones")
    return "; ".join(said)


def rows(cells, register):
    text = ""
    for i, field in enumerate(register.fields()):
        first = cells if i == 0 else [""] * len(cells)
        rest = [bits(field), field.inst_name, reset(field)]
        rest += [field.get_property("measure") or "", field.get_property("rules"), meaning(field)]
        text += "| " + " | ".join(first + rest) + " |\n"
    return text


def page_text():
    text = HEAD
    parts = {}
    for unit in ["switch", "hca", "source_response", "reservation", "worm_router", "worm_adapter", "injection_control"]:
        # All registers that a port, or reservation, may have.
        top = elaborated(unit, {"switch": {"RANDOM_UP": 1}, "reservation": {"DEDUP": 1}, "worm_router": {"ADMIT": 1}}.get(unit, {}))
        text += f"| {link(top)} | byte address | what |\n|---|---|---|\n"
        for _, node in windows_of_first(top):
            parts.setdefault(node.inst_name, node)
            base, port = node.raw_absolute_address, "0x1000 * port + " if node.parent.is_array else ""
            where = f"{port}{base:#x} + 4 * number"
            text += f"| `cfg_unit` {base >> 10 & 3} | {where} | [{node.get_property('name')}](#{anchor(node)}) |\n"
        for node in tables(top):
            parts.setdefault(node.inst_name, node)
            where = f"{node.raw_absolute_address:#x} + 4 * entry"
            text += f"| | {where} | [{node.get_property('name')}](#{anchor(node)}) |\n"
        text += "\n"
    # (A port alone has other reset values than one in an adapter.)
    for node in sorted(parts.values(), key=lambda n: isinstance(n, MemNode)):
        text += f"## {node.get_property('name')}\n\n"
        if isinstance(node, MemNode):
            text += node.get_property("desc") + " Written by " + ", ".join(f"`{p}`" for p in node.get_property("pins").split()) + ".\n\n"
            text += "| bits | field | reset | measure | rules | meaning |\n|---|---|---|---|---|---|\n"
            text += rows([], next(iter(node.children()))) + "\n"
            continue
        text += f"{link(node)}. {node.get_property('desc', default='')}".rstrip()
        text += "\n\n| number | register | bits | field | reset | measure | rules | meaning |\n|---|---|---|---|---|---|---|---|\n"
        after = None
        for register in node.children():
            text += rows([str(register.raw_address_offset // 4), register.inst_name], register)
            if register.get_property("desc", default=None):
                after = register
        text += f"\n{after.inst_name}: {after.get_property('desc')}.\n\n" if after else "\n"
    return text.rstrip("\n") + "\n"


def link(node):
    return f"[{node.get_property('name')}]({node.get_property('page')})"


def anchor(node):
    return node.get_property("name").lower().replace(" ", "-")


# ---- files


def c_header(top, path):
    kinds = {"generate_bitfields": False, "bitfield_order_ltoh": True, "reuse_typedefs": False}
    more = {"wide_reg_subword_size": 32, "explode_top": False, "instantiate": False, "inst_offset": 0, "testcase": False}
    CHeaderExporter().export(top, str(path), std=CStandard.gnu11, **kinds, **more)
    text = path.read_text()
    first = text.index("\n\n#ifndef")
    path.write_text(text[:first] + f"\n//\n{C_NOTE}" + text[first:])


def uvm(top, path):
    UVMExporter().export(top, str(path), reuse_class_definitions=False)
    # The exporter takes paths as they are; elements of an array have their number in theirs.
    text = re.sub(r'\.configure\(this, "([^"]*%0d[^"]*)"\)', r'.configure(this, $sformatf("\1", i0))', path.read_text())
    # A register that is a part of a vector of all ports has no path of its own.
    text = re.sub(r'.*add_hdl_path_slice\("[^"]*%0d[^"]*".*\n', "", text)
    # Nor does it look at who may access a memory: the tables can only be written.
    text = re.sub(r'(this\.m_mem = new\("m_mem", \d+, \d+, )"RW"', r'\1"WO"', text)
    path.write_text(text)


def committed():
    """Name and text of each file in docs/."""
    files = {"registers.md": page_text(), "registers.json": json_text()}
    with tempfile.TemporaryDirectory() as folder:
        for unit in ["switch", "hca"]:
            path = Path(folder) / f"quell_{unit}.h"
            c_header(elaborated(unit, {}), path)
            files[path.name] = path.read_text()
    return files


def main():
    parser = argparse.ArgumentParser(prog="scripts/regs", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare docs/ with what regs/*.rdl gives, and change nothing")
    parser.add_argument("--to", type=Path, metavar="DIR", help="write C header, IP-XACT and UVM register model of UNIT there")
    parser.add_argument("unit", nargs="?", choices=UNITS, help="of which unit")
    parser.add_argument("-P", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the unit")
    args = parser.parse_args()
    if (args.to is None) != (args.unit is None) or (args.P and args.to is None):
        parser.error("--to DIR and UNIT go together, and -P with them")
    if args.to:
        parameters = {}
        for text in args.P:
            name, _, value = text.partition("=")
            if not value.isdecimal():
                raise Wrong(f"-P {text}: NAME=VALUE is wanted, VALUE a whole number")
            parameters[name] = int(value)
        unit = UNITS[args.unit]
        top = elaborated(unit, parameters)
        args.to.mkdir(parents=True, exist_ok=True)
        name = args.to / f"quell_{unit}"
        c_header(top, name.with_suffix(".h"))
        IPXACTExporter(vendor="quell", library="quell").export(top, str(name.with_suffix(".xml")))
        uvm(top, name.with_name(name.name + "_uvm.sv"))
        return
    files = committed()
    differ = [n for n, text in files.items() if not (DOCS / n).is_file() or (DOCS / n).read_text() != text]
    if args.check and differ:
        raise Wrong(f"not what regs/*.rdl gives: {', '.join('docs/' + n for n in differ)}; remedy: run scripts/regs")
    if not args.check:
        for name, text in files.items():
            (DOCS / name).write_text(text)


if __name__ == "__main__":
    try:
        main()
    except (Wrong, RDLCompileError, OSError) as e:
        sys.exit(f"regs: error: {e}")
