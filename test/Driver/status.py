"""status.py WANTED COMMAND…: runs the command; succeeds if its exit status is WANTED."""
import subprocess
import sys

wanted, command = int(sys.argv[1]), sys.argv[2:]
got = subprocess.run(command).returncode
if got != wanted:
    sys.exit(f"exit status {got}, wanted {wanted}: {' '.join(command)}")
