"""Compares the drawings of a Markdown page with what the tool draws.

    run_drawings.py PAGE TILEC

A block of code whose first line is `$ tilec ARGUMENTS` has the output of that command behind it, word for word. Pictures
`![…](NAME.svg)` beside the page are the --svg drawing of the last such block before them.
"""
import pathlib
import re
import shlex
import subprocess
import sys

page, tilec = pathlib.Path(sys.argv[1]), sys.argv[2]


def run(command, *more):
    return subprocess.run([tilec, *shlex.split(command), *more], capture_output=True, text=True, check=True).stdout


text = page.read_text()
found = re.findall(r"^```\n\$ tilec ([^\n]*)\n(.*?)^```|^!\[[^]]*\]\(([^)]*\.svg)\)", text, re.M | re.S)
drawings = [command for command, _, _ in found if command]
pictures = [picture for _, _, picture in found if picture]
if not drawings or not pictures:
    sys.exit(f"{page}: no drawings, or no pictures")
wrong, last = 0, ""
for command, drawing, picture in found:
    if command:
        last = command
        if run(command) != drawing:
            wrong += 1
            print(f"{page}: not what 'tilec {command}' draws")
    elif run(last, "--svg") != (page.parent / picture).read_text():
        wrong += 1
        print(f"{page}: {picture} is not what 'tilec {last} --svg' draws")
print(f"{len(drawings)} drawings and {len(pictures)} pictures, {wrong} wrong")
sys.exit(bool(wrong))
