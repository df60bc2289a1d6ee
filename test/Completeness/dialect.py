"""What the tile dialect promises of its ops, checked against its own definition.

    dialect.py ROOT

with tile-opt and llvm-tblgen on PATH. The definition is `llvm-tblgen --dump-json` of Tile.td. Every op
- has a summary, and a description with an `Example:` that contains the op, parses and round-trips;
- occurs in a test/Dialect/Tile/ops-*.mlir, whose RUN lines print and parse it in four forms;
- has constraints labelled <op>_c1, _c2 …, each at a check in lib/Dialect/Tile/IR and above a case of a *-invalid.mlir
  that expects an error; no label exists that no description has.
Every rule of the stage verifier has a case of stage-invalid.mlir likewise.

Then the checks are tried themselves: with any one piece of evidence removed they must complain.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
tile_opt, tblgen = shutil.which("tile-opt"), shutil.which("llvm-tblgen")
llvm_include = pathlib.Path(tblgen).resolve().parent.parent / "include"
TESTS = root / "test/Dialect/Tile"
LIBRARY = root / "lib/Dialect/Tile/IR"
FORMS = ["tile-opt %s | tile-opt |", "--mlir-print-op-generic | tile-opt", "--mlir-print-debuginfo | tile-opt",
         "--emit-bytecode | tile-opt"]
LABEL = re.compile(r"//[^\n]*?\b(\w+_[cs]\d+)\b")


def run(arguments, text):
    return subprocess.run([tile_opt, *arguments], input=text, capture_output=True)


def load_ops():
    command = [tblgen, "--dump-json", "-I", llvm_include, "-I", root / "include",
               root / "include/tilec/Dialect/Tile/IR/Tile.td"]
    records = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    ops = {}
    for name in records["!instanceof"]["Op"]:
        record = records[name]
        if record["opDialect"]["def"] == "Tile_Dialect":
            ops["tile." + record["opName"]] = (record["summary"], record["description"])
    return ops


def round_trip_files():
    """The ops that each file with all RUN lines contains, by what tile-opt prints in generic form."""
    files = {}
    for path in sorted(TESTS.glob("ops-*.mlir")):
        text = path.read_text()
        runs = [line for line in text.splitlines() if "RUN:" in line]
        if all(any(form in line and "FileCheck" in line for line in runs) for form in FORMS):
            printed = run(["--mlir-print-op-generic"], text.encode()).stdout.decode()
            files[path.name] = set(re.findall(r'"(tile\.[\w.]+)"\(', printed))
    return files


def invalid_cases():
    """(label, has an expected error) of every case."""
    cases = []
    for path in sorted(TESTS.glob("*-invalid.mlir")):
        for case in re.split(r"^// -----$", path.read_text(), flags=re.M):
            first = re.findall(r"^// (\w+_[cs]\d+)$", case, re.M)
            cases += [(label, "expected-error" in case) for label in first]
    return cases


def verifier_labels():
    labels = set()
    for path in sorted(LIBRARY.glob("*.cpp")):
        labels.update(LABEL.findall(path.read_text()))
    return labels


def stage_rules():
    return re.findall(r'^    \{"(stage_s\d+)"', (LIBRARY / "StageVerifier.cpp").read_text(), re.M)


def check_examples(ops, parse=True):
    for name, (summary, description) in ops.items():
        if not summary.strip():
            yield f"{name} has no summary"
        if not re.split("Constraints:|Example:", description)[0].strip():
            yield f"{name} does not say what it does"
        block = re.search(r"Example:\s*```mlir\n(.*?)```", description, re.S)
        if not block:
            yield f"{name} has no example"
            continue
        if name + " " not in block[1] and name + "\n" not in block[1] and name not in block[1].split():
            yield f"{name} does not occur in its example"
        if not parse:
            continue
        once = run([], block[1].encode())
        twice = run([], once.stdout)
        if once.returncode or twice.returncode or once.stdout != twice.stdout:
            yield f"the example of {name} does not parse and round-trip:\n{once.stderr.decode()}{twice.stderr.decode()}"


def check_round_trips(ops, files):
    seen = set().union(*files.values()) if files else set()
    yield from (f"{name} is in no round-trip test" for name in ops if name not in seen)


def check_labels(ops, rules, cases, verifiers):
    tested = {label for label, expects in cases if expects}
    declared = set(rules)
    for name, (_, description) in ops.items():
        prefix = name.removeprefix("tile.").replace(".", "_")
        labels = re.findall(r"^\s*- `(\w+)`:", description, re.M)
        if labels != [f"{prefix}_c{i + 1}" for i in range(len(labels))]:
            yield f"the constraints of {name} are not labelled {prefix}_c1, _c2 …: {labels}"
        declared.update(labels)
        yield from (f"no invalid test for {label}" for label in labels if label not in tested)
        yield from (f"no verifier names {label}" for label in labels if label not in verifiers)
    yield from (f"no invalid test for {label}" for label in rules if label not in tested)
    yield from (f"a test names {label}, which is no constraint" for label, _ in cases if label not in declared)
    yield from (f"a verifier names {label}, which is no constraint" for label in sorted(verifiers - declared))


def self_test(ops, files, rules, cases, verifiers):
    """Removes one piece of evidence after the other."""
    for name, (summary, description) in ops.items():
        only = {name: (summary, description)}
        if not list(check_round_trips(only, {f: seen - {name} for f, seen in files.items()})):
            yield f"{name} could be untested"
        if not list(check_examples({name: (summary, description.replace("```mlir", "```"))}, parse=False)):
            yield f"{name} could lack its example"
        for label in re.findall(r"^\s*- `(\w+)`:", description, re.M):
            without = [case for case in cases if case[0] != label]
            if not list(check_labels(ops, rules, without, verifiers)):
                yield f"{label} could lack its test"
            if not list(check_labels(ops, rules, cases, verifiers - {label})):
                yield f"{label} could lack its check"
    broken = {"tile.broken": ("broken", "Example:\n```mlir\nfunc.func @f() { tile.broken\n```")}
    if not list(check_examples(broken)):
        yield "an example could be wrong"


ops, files, rules, cases, verifiers = load_ops(), round_trip_files(), stage_rules(), invalid_cases(), verifier_labels()
problems = [*check_examples(ops), *check_round_trips(ops, files), *check_labels(ops, rules, cases, verifiers)]
if not problems:
    problems = list(self_test(ops, files, rules, cases, verifiers))
for problem in problems:
    print(problem)
print(f"{len(ops)} ops, {len({label for label, _ in cases})} labels, {len(rules)} stage rules, {len(problems)} problems")
sys.exit(bool(problems) or not ops or not rules)
