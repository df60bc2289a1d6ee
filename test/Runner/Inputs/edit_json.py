# edit_json.py IN STATEMENT OUT: runs a statement on the value `d` of a JSON file.
import json
import sys

d = json.load(open(sys.argv[1]))
exec(sys.argv[2])
json.dump(d, open(sys.argv[3], "w"))
