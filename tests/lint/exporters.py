#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the lists of exporters in header, documents and man page with the table of the program.

The table is "tdat list --formats --json". Its rows stand in include/tdat/export.h (all), in
docs/exports.md and man/tdat-export.1 (those of tdat export).

usage: exporters.py [--update] TDAT SOURCE_DIR
"""
import json
import os
import re
import subprocess
import sys

# File, what its rows look like, how one is written, kinds.
LISTS = (
    ("include/tdat/export.h", r"(?: \*   \w+ +(?:events|tables|packets) .*\n)+",
     lambda e: f" *   {e['name']:<11} {e['kind']:<8} {e['summary']}\n", ("events", "tables", "packets")),
    ("docs/exports.md", r"(?:\| \[`\w+`\].*\n)+",
     lambda e: f"| [`{e['name']}`](#{e['name']}) | {e['kind']} | {e['summary']} |\n", ("tables", "packets")),
    ("man/tdat-export.1", r"(?<=exporters\n)(?:\.It .*\n)*",
     lambda e: f".It {e['name']} Ta {e['kind']} Ta {e['summary'].replace('.', chr(92) + '&.')}\n",
     ("tables", "packets")),
)


def main():
    update = "--update" in sys.argv
    tdat, source = [a for a in sys.argv[1:] if a != "--update"]
    out = subprocess.run([tdat, "list", "--formats", "--json"], check=True, capture_output=True)
    exports = json.loads(out.stdout)["exports"]
    names = [e["name"] for e in exports]
    bad = len(names) < 5 or len(set(names)) < len(names)
    if bad:
        print("names that are not unique, or too few:", *names)
    for path, rows, row, kinds in LISTS:
        path = os.path.join(source, path)
        with open(path, encoding="utf-8") as f:
            text = f.read()
        want = "".join(row(e) for e in exports if e["kind"] in kinds)
        made, count = re.subn(rows, lambda _: want, text, count=1)
        if update:
            with open(path, "w", encoding="utf-8") as f:
                f.write(made)
        elif made != text or not count:
            print(f"{path}: not the exporters of tdat list --formats: exporters.py --update writes them")
            bad = True
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
