#!/usr/bin/env python3
"""Bounded model checking with ABC, which comes with pyosys, for `quell prove`.

  scripts/bmc.py reduce --circuit FILE --out FILE --seconds T
      The same circuit with fewer gates: registers and signals that are equal in all states that are reached become one. What
      is not ready after T seconds is given up: the circuit stays as it is.

  scripts/bmc.py search --circuit FILE --output K --frames N --seconds T
      Is output K ever 1 in the first N steps? Prints `never in N` (as many steps as were searched in T seconds), `never`
      (whatever N is), or `in step N` and, a line a step, the inputs that lead there.

  scripts/bmc.py never --circuit FILE --seconds T
      Is output 0 never 1, in however many steps? Prints `never`, `seen` (it is 1 in some step) or `not known`.

Circuits are binary AIGER; registers begin with 0.
"""

import argparse
import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# ABC lies beside pyosys, which takes a second to import. If it is not there, synth goes to where it is or says what to do.
PYOSYS = importlib.util.find_spec("pyosys")
if PYOSYS is None:
    import synth  # noqa: F401

ABC = pathlib.Path(PYOSYS.origin).parent / "yosys-abc"


def abc(script, seconds):
    """What ABC says; an empty text if it takes too long."""
    try:
        return subprocess.run([ABC, "-c", script], capture_output=True, text=True, timeout=seconds).stdout
    except subprocess.TimeoutExpired:
        return ""


def reduce(args):
    with tempfile.TemporaryDirectory() as scratch:
        small = pathlib.Path(scratch) / "small.aig"
        # (The commands with & are another engine than those without: seconds in place of many minutes. With -c a solver on
        # clauses, which decides what the first one gives up, such as the high bits of sums.)
        steps = "&scl; &lcorr -C 1000; &scorr -C 1000; &dc2; &scorr -c -C 1000"
        abc(f"&read {args.circuit}; {steps}; &write {small}", args.seconds)
        shutil.copyfile(small if small.exists() else args.circuit, args.out)


# With so many registers all states may be known at once; with more it takes too long.
FEW = 100


def proved(cone, said, seconds):
    """Whether an output is never 1 in however many steps, if it depends on few registers."""
    registers = re.search(r"ff =\s*(\d+)", said)
    if not registers or int(registers.group(1)) > FEW:
        return False
    return "Property proved" in abc(f"{cone}; &put; pdr -T {seconds}", seconds + 60)


CLEAN = re.compile(r"No output asserted in (\d+) frames")


def bounded(cone, frames, inputs, seconds):
    """What ABC says of a search. One solver is quick and stops in time; the other (-c) comes further in the same time, but ends late
    or not at all, and then nothing is heard of it."""

    def bmc3(option, seconds, patience):
        steps = f"bmc3 {option} -F {frames} -T {seconds}"
        return abc(f"{cone}; &ps; &put; {steps}; write_cex -a {inputs}", seconds=patience)

    said = bmc3("", seconds // 4 + 1, seconds + 60)
    if "timeout" not in said:
        return said
    seconds -= seconds // 4
    further = bmc3("-c", seconds, seconds + 10)
    steps = [CLEAN.search(text) for text in (further, said)]
    if further == "" or all(steps) and int(steps[0].group(1)) < int(steps[1].group(1)):
        return said
    return further


def search(args):
    with tempfile.TemporaryDirectory() as scratch:
        inputs = pathlib.Path(scratch) / "inputs"
        cone = f"&read {args.circuit}; &cone -a -O {args.output}; &scl"
        said = bounded(cone, args.frames, inputs, args.seconds)
        if m := re.search(r"was asserted in frame (\d+)", said):
            steps = int(m.group(1)) + 1
            print(f"in step {m.group(1)}")
            # The first line is the registers.
            print("\n".join(inputs.read_text().splitlines()[1 : 1 + steps]))
        elif m := CLEAN.search(said):
            print("never" if proved(cone, said, args.seconds) else f"never in {m.group(1)}")
        elif "Explored all reachable states" in said:
            print("never")
        elif said == "":
            print("never in 0")
        elif "network is combinational" in said:
            said = abc(f"{cone}; &put; sat", args.seconds)
            if said == "":
                print("never in 0")
                return
            if "UNSATISFIABLE" not in said:
                sys.exit(f"bmc.py: error: output {args.output} has no registers and is not known to be 0: {said[-400:]}")
            print("never")
        else:
            sys.exit(f"bmc.py: error: ABC says what is not known here: {said[-400:]}")


def never(args):
    # (Gates that are equal become one: what a mutant changes without effect goes before the search begins.)
    small = f"&read {args.circuit}; &scl; &fraig -C 1000; &scl; &ps; &put"
    said = abc(f"{small}; pdr -T {args.seconds}", args.seconds + 10)
    if "ff =" not in said and said:  # no registers are left
        said = abc(f"{small}; sat", args.seconds)
    if "Property proved" in said or "UNSATISFIABLE" in said:
        print("never")
    else:
        print("seen" if "was asserted in frame" in said or "SATISFIABLE" in said else "not known")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", choices=["reduce", "search", "never"])
    p.add_argument("--circuit", required=True, metavar="FILE")
    p.add_argument("--out", metavar="FILE")
    p.add_argument("--output", type=int, metavar="K")
    p.add_argument("--frames", type=int, metavar="N")
    p.add_argument("--seconds", type=int, default=60, metavar="T")
    args = p.parse_args()
    {"reduce": reduce, "search": search, "never": never}[args.what](args)


if __name__ == "__main__":
    main()
