"""evaluate_passes.py FILE FOLDER: every kernel of a program computes the same after each pass up to stage schedule.

Each kernel goes through the pipeline alone: `--tile-eval` evaluates a whole module after each pass on each kernel,
so that together they would take quadratic time. Prints what fails, and exits with 1 then.
"""

import concurrent.futures
import os
import re
import subprocess
import sys


def main():
    source, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    with open(source) as file:
        kernels = re.findall(r"^kernel (\w+).*?^}", file.read(), re.M | re.S)
        file.seek(0)
        texts = [match.group(0) for match in re.finditer(r"^kernel \w+.*?^}", file.read(), re.M | re.S)]
    if not kernels:
        sys.exit("no kernels in " + source)

    def evaluate(name, text):
        path = os.path.join(folder, name)
        with open(path + ".tile", "w") as file:
            file.write(text + "\n")
        commands = [
            ["tilec", path + ".tile", "--emit=tile", "--target=sm_90a", "-o", path + ".mlir"],
            ["tile-opt", path + ".mlir", "--tile-eval", "--tile-verify-stage-each",
             "--tile-pipeline=from=tile to=schedule", "-o", os.devnull],
        ]
        for command in commands:
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                return f"{name}: {' '.join(command)}\n{done.stderr}"
        return ""

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [text for text in pool.map(evaluate, kernels, texts) if text]
    for text in failures:
        print(text, file=sys.stderr)
    sys.exit(1 if failures else 0)


main()
