"""Every row of Diagnostics.def has a test that names its ID; every ID that a test names is a row."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
table = (root / "include/tilec/Support/Diagnostics.def").read_text()
rows = dict(re.findall(r"^TILEC_DIAG\((\d{4}), (\w+),", table, re.M))
named = {}
for path in sorted((root / "test").rglob("*")):
    if path.is_file() and path.suffix in (".tile", ".test", ".cpp", ".mlir", ".py", ".def"):
        for number in re.findall(r"TILE(\d{4})\b", path.read_text(errors="replace")):
            named.setdefault(number, path.relative_to(root))

missing = [f"TILE{n} ({name})" for n, name in sorted(rows.items()) if n not in named]
unknown = [f"TILE{n} in {path}" for n, path in sorted(named.items()) if n not in rows]
for line in missing:
    print(f"no test names {line}")
for line in unknown:
    print(f"no such diagnostic: {line}")
print(f"{len(rows)} diagnostics, {len(missing)} without a test, {len(unknown)} unknown IDs")
sys.exit(bool(missing or unknown))
