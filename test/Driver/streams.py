"""streams.py TILEC FOLDER: runs it with standard streams closed or full, and compares statuses and outputs."""
import itertools
import pathlib
import subprocess
import sys

tilec, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
# Compiles with a warning, which needs standard error while the output is open.
good, bad = folder / "good.tile", folder / "bad.tile"
good.write_text("kernel k(out Y: f32[N]) { grid(1, threads = 32) as (b) { fragment unused: f32[4]; Y[b] = 1; } }\n")
bad.write_text("kernel\n")
subprocess.run([tilec, good, "--emit=tile", "-o", folder / "wanted.mlir"], stderr=subprocess.DEVNULL, check=True)
wanted = (folder / "wanted.mlir").read_bytes()
problems = 0


def expect(what, got, want):
    global problems
    if got != want:
        problems += 1
        print(f"{what}: {got!r}, wanted {want!r}")


def run(redirections, *arguments):
    return subprocess.run(["sh", "-c", f'exec "$@" {redirections}', "sh", tilec, *map(str, arguments)],
                          stderr=subprocess.DEVNULL).returncode


for count in range(4):
    for which in itertools.combinations(["<&-", ">&-", "2>&-"], count):
        closed = " ".join(which)
        output = folder / "got.mlir"
        output.unlink(missing_ok=True)
        expect(f"status with {closed}", run(closed, good, "--emit=tile", "-o", output), 0)
        expect(f"output with {closed}", output.read_bytes() if output.exists() else None, wanted)
        expect(f"bad program with {closed}", run(closed, bad, "--emit=tile", "-o", output), 1)
expect("errors into a full disk", run("2>/dev/full", bad, "--emit=tile", "-o", folder / "none"), 1)
expect("closed standard output", run(">&-", good, "--emit=tile", "-o", "-"), 3)
expect("full standard output", run(">/dev/full", good, "--emit=tile", "-o", "-"), 3)
expect("closed standard input", run("<&-", "-", "--emit=tile", "-o", folder / "none"), 1)
sys.exit(problems != 0)
