"""Mutates programs token by token and compiles the mutants.

    mutants.py TILEC TOKENS-FROM-PROGRAM… --count N --seed S --scratch DIR

Each mutant has a token deleted, doubled, or swapped with a neighbour (up to three such changes). It must end
within 10 seconds with status 0, or with status 1 and at least one located message; anything else is printed
with the seed that makes it again.
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("tilec")
parser.add_argument("programs", nargs="+")
parser.add_argument("--count", type=int, default=300)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--scratch", required=True)
parser.add_argument("--full", action="store_true", help="compile to a fatbin and a stub, not only to stage tile")
args = parser.parse_args()

TOKEN = re.compile(r'\s+|//[^\n]*|"[^"\n]*"|\w+|\+:|->|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/]=|.', re.S)
scratch = pathlib.Path(args.scratch)
scratch.mkdir(parents=True, exist_ok=True)
sources = {path: TOKEN.findall(pathlib.Path(path).read_text()) for path in args.programs}


def mutate(tokens, rng):
    tokens = list(tokens)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        solid = [i for i, token in enumerate(tokens) if token.strip() and not token.startswith("//")]
        at = rng.randrange(len(solid))
        i = solid[at]
        kind = rng.choice(("delete", "double", "swap"))
        if kind == "delete":
            del tokens[i]
        elif kind == "double":
            tokens.insert(i, tokens[i] + " ")
        else:
            j = solid[(at + 1) % len(solid)]
            tokens[i], tokens[j] = tokens[j], tokens[i]
    return "".join(tokens)


bad = accepted = 0
for number in range(args.count):
    path = args.programs[number % len(args.programs)]
    seed = f"{args.seed}/{number}"
    mutant = scratch / f"mutant{number}.tile"
    mutant.write_text(mutate(sources[path], random.Random(seed)))
    command = [args.tilec, str(mutant), "--color=never"]
    command += (["-o", str(scratch / "mutant.fatbin"), "--source", str(scratch / "mutant.cpp"), "--target=sm_90a"]
                if args.full else ["--emit=tile", "-o", "/dev/null"])
    try:
        run = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=10)
        located = re.search(rf"^{re.escape(str(mutant))}:\d+:\d+: error: ", run.stderr, re.M)
        good = run.returncode == 0 or (run.returncode == 1 and located)
        what = f"exit status {run.returncode}"
        accepted += run.returncode == 0
    except subprocess.TimeoutExpired as expired:
        good, what = False, "no end within 10 s"
    if good:
        mutant.unlink()
    else:
        bad += 1
        print(f"{mutant} ({path}, seed {seed}): {what}\n{run.stderr[-2000:]}")
print(f"{args.count} mutants, {accepted} accepted, {args.count - accepted - bad} rejected with a place, {bad} bad")
sys.exit(bool(bad))
