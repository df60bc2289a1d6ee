"""Compiles and runs random programs, and tells what goes wrong with which seed.

    run_smith.py --first=N --count=M [options] -- TILEC [OPTION…]

TILEC is the compiler with options for every run of it. tile-smith prints the program of a seed. It is compiled to PTX
for a target that the seed chooses, its check is run on the device, and tile-opt evaluates it after every pass up to
stage schedule with the check's sizes and data. A line for each failing seed says what it is:

    crash      a signal, exit status 70 or an assertion
    rejected   an error in a program that is right
    wrong      another result than the oracle, or after a pass another than before
    timeout    no end in time

The exit status is 1 if there is one. The program stays in the scratch folder under the seed's number.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

parser = argparse.ArgumentParser(usage=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--first", type=int, default=1)
parser.add_argument("--count", type=int, default=100)
parser.add_argument("--seeds", help="a file whose lines begin with a seed, instead of --first and --count")
parser.add_argument("--size", choices=("small", "medium"), default="small")
parser.add_argument("--jobs", type=int, default=1)
parser.add_argument("--timeout", type=float, default=60, help="seconds for each command")
parser.add_argument("--scratch", default="smith-out")
parser.add_argument("--device", default="reference", help="of tilec check; one that compiles gets --target, too")
parser.add_argument("--targets", default="sm_80,sm_86,sm_89,sm_90a,sm_120", help="the seed takes one of them")
parser.add_argument("--steps", default="compile,check,passes", help="which of the three to run")
parser.add_argument("tilec", nargs="+")
args = parser.parse_args()
scratch = pathlib.Path(args.scratch)
scratch.mkdir(parents=True, exist_ok=True)


# Of a program that is right, tile-opt must not say that it ignores it, or that its blocks or iterations conflict.
WRONG = re.compile(r"^failed  |computes something else|not evaluated|evaluated in ascending order only", re.M)


def kind_of(status, output):
    if status < 0 or status == 70 or "Assertion" in output or "PLEASE submit a bug report" in output:
        return "crash"
    return "wrong" if WRONG.search(output) else "rejected"


def run(command):
    """The kind of failure and the output, or None."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=args.timeout)
    except subprocess.TimeoutExpired:
        return "timeout", ""
    output = done.stdout + done.stderr
    if done.returncode == 0 and not WRONG.search(output):
        return None
    return kind_of(done.returncode, output), output


def check_arguments(program):
    """The values and ranges of the check as tile-opt takes them."""
    values = re.search(r"^check smith \{(.*?)\}", program, re.M | re.S).group(1)
    values = re.sub(r"(\w+) in range\((-?\d+), (-?\d+)\)", r"\1=\2:\3", values)
    values = re.sub(r"\s", "", values)
    return ["--tile-eval-args=" + values] if values else []


def test(seed):
    path = scratch / f"{seed}.tile"
    target = args.targets.split(",")[seed % len(args.targets.split(","))]
    failure = run(["tile-smith", f"--seed={seed}", f"--size={args.size}", "-o", str(path)])
    if failure:
        return seed, "tile-smith", *failure
    check = args.tilec[:1] + ["check", str(path), f"--device={args.device}"] + args.tilec[1:]
    if args.device != "reference":
        check.append(f"--target={target}")
    steps = {"compile": [args.tilec + [str(path), f"--target={target}", "--emit=ptx", "-o", f"{path}.ptx"]],
             "check": [check],
             "passes": [args.tilec + [str(path), f"--target={target}", "--emit=tile", "-o", f"{path}.mlir"],
                        ["tile-opt", f"{path}.mlir", "--tile-eval", "--tile-verify-stage-each",
                         *check_arguments(path.read_text()), "--tile-pipeline=from=tile to=schedule", "-o", os.devnull]]}
    failures = []
    for step in args.steps.split(","):
        for command in steps[step]:
            failure = run(command)
            if failure:
                failures.append((step, *failure, command))
                break
    for suffix in (".ptx", ".mlir"):
        pathlib.Path(str(path) + suffix).unlink(missing_ok=True)
    if not failures:
        path.unlink()
        return None
    with open(f"{path}.log", "w") as log:
        for step, kind, output, command in failures:
            log.write(f"{step}: {kind}: {' '.join(command)}\n{output}\n")
    step, kind, output, _ = failures[0]
    return seed, step, kind, output


def main():
    if args.seeds:
        lines = pathlib.Path(args.seeds).read_text().splitlines()
        seeds = [int(line.split()[0]) for line in lines if line and not line.startswith("#")]
    else:
        seeds = range(args.first, args.first + args.count)
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for failure in pool.map(test, seeds):
            if failure:
                bad += 1
                seed, step, kind, output = failure
                reason = re.search(r"^.*(error:|failed  |Assertion|evaluated).*$", output, re.M)
                print(f"seed {seed}: {kind} ({step}) {reason.group(0)[:200] if reason else ''}", flush=True)
    print(f"{len(seeds)} seeds, {bad} failed")
    sys.exit(bool(bad))


main()
