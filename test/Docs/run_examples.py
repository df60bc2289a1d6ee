"""Runs the examples of a Markdown page through tilec.

    run_examples.py PAGE TILEC SCRATCH

A block ```tile is a whole program and must be accepted without a warning. Words after it say otherwise:
  body            statements: they are put into the grid of a kernel whose parameters are PRELUDE's
  error=TILE0601  must be rejected with exactly this diagnostic first
  warning=TILE09… must be accepted with this warning
  files=NAME      is only written as NAME, for later blocks to import
Every block is compiled to stage `tile`; the exit status is the number of wrong ones, at most 100.
"""
import pathlib
import re
import subprocess
import sys

page, tilec, scratch = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
scratch.mkdir(parents=True, exist_ok=True)

PRELUDE = """kernel example<type T = f16>(A: T[M, K], B: T[K, N], X: f32[M, 64], idx: i32[M], out C: f32[M, N], inout S: f32[M, 64], s: f32)
{
    grid(ceildiv(M, 64), threads = 128) as (bx) {
"""
EPILOGUE = """
    }
}
"""

text = page.read_text()
blocks = [(text[: m.start()].count("\n") + 1, m.group(1).split(), m.group(2))
          for m in re.finditer(r"^```tile([^\n]*)\n(.*?)^```", text, re.M | re.S)]
if not blocks:
    sys.exit(f"{page}: no examples")

wrong = 0
for line, words, code in blocks:
    options = dict((w.split("=", 1) + [""])[:2] for w in words)
    if "files" in options:
        (scratch / options["files"]).write_text(code)
        continue
    if "body" in options:
        code = PRELUDE + code + EPILOGUE
    program = scratch / f"line{line}.tile"
    program.write_text(code)
    run = subprocess.run([tilec, str(program), "--emit=tile", "-o", "/dev/null", "--color=never"],
                         capture_output=True, text=True, timeout=60)
    ids = re.findall(r"(error|warning): .*\[(TILE\d{4})", run.stderr)
    if "error" in options:
        good = run.returncode == 1 and ids and ids[0] == ("error", options["error"])
    elif "warning" in options:
        good = run.returncode == 0 and ids == [("warning", options["warning"])]
    else:
        good = run.returncode == 0 and not run.stderr
    if not good:
        wrong += 1
        print(f"{page}:{line}: exit status {run.returncode}, wanted {' '.join(words) or 'success'}\n{run.stderr}")
print(f"{len(blocks)} examples, {wrong} wrong")
sys.exit(min(wrong, 100))
