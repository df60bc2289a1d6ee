# macro_params.py OUT.mlir DEFINES...: an entry point with a parameter for every macro that the files define, each
# the output of a preprocessor with -dM, and some names more.
import re
import sys

names = {"A", "int", "int_", "int__", "image", "args", "error", "stream", "data", "std", "class", "M_PI", "M_PI_"}
for path in sys.argv[2:]:
    names |= set(re.findall(r"^#define (\w+)", open(path).read(), re.M))
names = sorted(names)
with open(sys.argv[1], "w") as out:
    arguments = ", ".join(f"%a{i}: i64" for i in range(len(names)))
    params = ", ".join(f'#tile.scalar_param<name = "{name}", type = i64>' for name in names)
    out.write("module {\n  tile.kernel @k(%x: i64) {\n    %one = arith.constant 1 : i64\n")
    out.write("    tile.grid (%b) in (%one) threads(32) {\n      tile.yield\n    }\n    tile.return\n  }\n")
    out.write(f"  tile.entry @every({arguments}) params [{params}] {{\n    %one = arith.constant 1 : i64\n")
    out.write("    %sum0 = arith.addi %one, %one : i64\n")
    for i in range(len(names)):
        out.write(f"    %sum{i + 1} = arith.addi %sum{i}, %a{i} : i64\n")
    out.write(f"    tile.launch @k grid(%one) args(%sum{len(names)} : i64)\n    tile.return\n  }}\n}}\n")
