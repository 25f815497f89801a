# SPDX-License-Identifier: GPL-2.0-or-later
# Formats that are read and formats that are written: as text, and the same ones as JSON. That
# the options are those of the man page is a lint's.
# Expectation: made by tdat, proves only that nothing changed; compared here by Python: the names
# in the text and in the JSON
set -eu
"$TDAT" list --formats >text
"$TDAT" list --formats --json >json
sed -n '/^Formats that dump/,$p' text
sed -n '/^Formats that convert/,/^$/p' text | grep '^[a-z]' | cut -d' ' -f1 >read
sed -n '/^Formats that dump/,$p' text | grep '^[a-z]' | cut -d' ' -f1 >written
python3 -c '
import json, sys
formats = json.load(open("json"))
for member, name in ("formats", "read"), ("exports", "written"):
    want = open(name).read().split()
    got = [f["name"] for f in formats[member]]
    if not want or got != want:
        sys.exit("%s: %s as JSON, %s as text" % (member, got, want))
'
