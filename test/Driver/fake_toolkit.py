"""fake_toolkit.py FOLDER COMMANDS: a CUDA Toolkit whose ptxas tells its version and otherwise runs COMMANDS."""
import pathlib
import sys

folder = pathlib.Path(sys.argv[1]) / "bin"
folder.mkdir(parents=True, exist_ok=True)
VERSION = 'case "$1" in --version) echo "Cuda compilation tools, release 13.0, V13.0.88"; exit 0;; esac\n'
for tool, commands in (("ptxas", sys.argv[2]), ("fatbinary", "exit 1")):
    path = folder / tool
    path.write_text("#!/bin/sh\n" + VERSION + commands + "\n")
    path.chmod(0o755)
