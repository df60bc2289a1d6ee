"""Line coverage of semantic analysis and of the dialect's verifiers, from the profiles of a test run.

    coverage.py PROFILES-FOLDER LLVM-BIN MINIMUM OBJECT…

Merges the .profraw files under the folder and fails if fewer than MINIMUM percent of the lines of the instrumented
sources (those that the build marks COVERAGE, less the lexer, parser and dumpers) ran.
"""
import json
import pathlib
import subprocess
import sys

folder, llvm, minimum, objects = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]
raw = sorted(str(p) for p in folder.rglob("*.profraw"))
if not raw:
    sys.exit(f"no profiles under {folder}: was the suite run with LLVM_PROFILE_FILE?")
listing = folder / "profiles.txt"
listing.write_text("\n".join(raw))
merged = folder / "merged.profdata"
subprocess.run([llvm / "llvm-profdata", "merge", "-sparse", "-f", listing, "-o", merged], check=True)
arguments = [llvm / "llvm-cov", "export", "-summary-only", f"-instr-profile={merged}", objects[0]]
for other in objects[1:]:
    arguments += ["-object", other]
report = json.loads(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout)

GROUPS = {
    "semantic analysis": ("python-free-frontend/lib/Sema", "python-free-frontend/lib/ConstEval"),
    "verifiers": ("lib/Dialect/Tile/IR/",),
}
worst = 100.0
for name, prefixes in GROUPS.items():
    lines = covered = 0
    for file in report["data"][0]["files"]:
        path = file["filename"]
        if any(prefix in path for prefix in prefixes) and path.endswith(".cpp"):
            summary = file["summary"]["lines"]
            lines += summary["count"]
            covered += summary["covered"]
            print(f"{100 * summary['covered'] / max(summary['count'], 1):6.1f} %  {summary['covered']:5} of "
                  f"{summary['count']:5}  {path}")
    if not lines:
        sys.exit(f"no lines of {name}: is the build instrumented?")
    percent = 100 * covered / lines
    worst = min(worst, percent)
    print(f"{percent:6.1f} %  {covered:5} of {lines:5}  {name} (at least {minimum:g} %)")
sys.exit(worst < minimum)
