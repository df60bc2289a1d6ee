"""evaluate_passes.py FILE FOLDER [KERNEL[:ARGUMENTS]…]: every kernel of a program computes the same after each pass up
to stage schedule, with made-up sizes or with these (`k:N=512,A=-8:8`, as --tile-eval-args takes them).

Each kernel goes through the pipeline alone: `--tile-eval` evaluates a whole module after each pass on each kernel,
so that together they would take quadratic time. Prints what fails, and exits with 1 then. One that cannot be
evaluated fails too, since it would pass whatever the passes do; a KERNEL without arguments is one that has no
meaning for some made-up data.
"""

import concurrent.futures
import os
import re
import subprocess
import sys


def main():
    source, folder, *about = sys.argv[1:]
    arguments = dict(text.split(":", 1) for text in about if ":" in text)
    undefined = {text for text in about if ":" not in text}
    os.makedirs(folder, exist_ok=True)
    with open(source) as file:
        text = file.read()
    items = list(re.finditer(r"^kernel (\w+).*?^}", text, re.M | re.S))
    kernels = [item.group(1) for item in items]
    # What kernels may use: one line each, or up to a brace at the margin.
    shared = re.findall(r"^(?:fn|const)\b[^\n]*(?:[;}]\n|\n.*?^}\n)", text, re.M | re.S)
    texts = ["".join(shared) + item.group(0) for item in items]
    if not kernels:
        sys.exit("no kernels in " + source)

    def evaluate(name, text):
        path = os.path.join(folder, name)
        with open(path + ".tile", "w") as file:
            file.write(text + "\n")
        commands = [
            ["tilec", path + ".tile", "--emit=tile", "--target=sm_90a", "-o", path + ".mlir"],
            ["tile-opt", path + ".mlir", "--tile-eval", "--tile-verify-stage-each",
             *(["--tile-eval-args=" + arguments[name]] if name in arguments else []),
             "--tile-pipeline=from=tile to=schedule", "-o", os.devnull],
        ]
        for command in commands:
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0 or "not evaluated" in done.stderr and name not in undefined:
                return f"{name}: {' '.join(command)}\n{done.stderr}"
        return ""

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [text for text in pool.map(evaluate, kernels, texts) if text]
    for text in failures:
        print(text, file=sys.stderr)
    sys.exit(1 if failures else 0)


main()
