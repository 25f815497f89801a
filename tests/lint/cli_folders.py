#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the folders of cli/ by includes and by symbols of objects.

A folder uses only those folders that BELOW names, and no file needs, directly or
through others, itself: NAME.c and NAME.h count as one file. Every source opens with
the licence and a comment that says what the file is for.

usage: cli_folders.py SOURCE_DIR BUILD_DIR
"""
import collections
import os
import re
import sys

from rooms import INCLUDE, sources, symbols

BELOW = {
    "terminal": set(),
    "args": {"terminal"},
    "safety": {"args", "terminal"},
    "input": {"args", "safety", "terminal"},
    "output": {"args", "safety", "terminal"},
    "tables": {"args", "input", "output", "safety", "terminal"},
    "view": {"args", "input", "output", "safety", "terminal"},
    "commands": {"args", "input", "output", "safety", "tables", "terminal", "view"},
    ".": {"args", "commands", "input", "output", "safety", "tables", "terminal"},
}
OPENING = re.compile(r"/\* SPDX-License-Identifier: [^*]* \*/\n/\*(?: |\n \* )[A-Za-z][^/]{15,}")


def main():
    root, build = (os.path.abspath(a) for a in sys.argv[1:3])
    complaints = []
    needs = collections.defaultdict(set)
    files = [p for p in sources(root) if p.startswith("cli/")]

    def add(path, target, why):
        if not target or (target.endswith(".h") and target not in files):
            return
        source, to = (os.path.relpath(os.path.splitext(p)[0], "cli") for p in (path, target))
        folders = os.path.dirname(source) or ".", os.path.dirname(to) or "."
        if source != to:
            needs[source].add(to)
        if folders[0] != folders[1] and folders[1] not in BELOW.get(folders[0], ()):
            complaints.append(f"{path}: {why} of {target}: {folders[0]}/ must not use {folders[1]}/")

    for path in files:
        with open(os.path.join(root, path), encoding="utf-8") as f:
            text = f.read()
        if not OPENING.match(text):
            complaints.append(f"{path} does not open with what it is for")
        for name in INCLUDE.findall(text):
            add(path, "cli/" + name, f'#include "{name}"')
    defined, needed = symbols(root, build, "cli/")
    for path, name in needed:
        add(path, defined.get(name), name)

    done = set()

    def visit(name, way):
        if name in way:
            circle = way[way.index(name):] + [name]
            complaints.append("a circle of files in cli/: " + " -> ".join(circle))
        elif name not in done:
            for target in sorted(needs[name]):
                visit(target, way + [name])
            done.add(name)

    for name in sorted(needs):
        visit(name, [])
    edges = sum(len(t) for t in needs.values())
    if len(files) < 50 or edges < 100:
        complaints.append(f"only {len(files)} files and {edges} uses: the check itself is broken")
    print("\n".join(complaints) or f"{len(files)} files, {edges} uses, no circle")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
