#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the rooms of the tree with the graph in ARCHITECTURE.md.

An edge from room A to room B is there when a file of A includes a header of B, or
when an object of A needs a symbol that an object of B defines. The graph in the
document lists all edges; it must have no circle, and the tree must have exactly
those edges. Rooms outside of lib/ may only call public functions (lib/tdat.map
exports them) and the tools of lib/core that TOOLS names; cli/ and python/ reach formats/
by public functions only. Objects of user-events/preload/ are not read, as they define
functions of the C library: its edges come from headers.

usage: rooms.py [--print] SOURCE_DIR BUILD_DIR
--print: writes the tree's graph as the document should have it.
"""
import collections
import functools
import json
import os
import re
import shlex
import subprocess
import sys

BEGIN, END = "<!-- rooms: begin -->", "<!-- rooms: end -->"
TOOLS = {
    "arrow_value", "atrace", "build", "byte_set", "checked", "common_fields", "cursor", "endian",
    "entries", "errno_name", "errno_table", "grow", "hash", "heap", "json_text", "json_writer", "on_demand",
    "map", "nearest", "number", "opts", "other_file", "output_name", "packed", "regex_bound",
    "search", "spill", "syscalls", "task_groups", "temp_file", "text", "thread", "utf8", "wall", "zero",
}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]*)"', re.M)
TRACEEVENT = re.compile(r'#[ \t]*include[ \t]*[<"](traceevent/|event-parse)')


def room_of(path):
    parts = path.split("/")
    if parts[0] == "cli":  # the table of commands stands on user-events/, which stands on the rest
        return "cli/commands" if parts[1] in ("commands", "main.c") else "cli"
    split = parts[0] in ("lib", "formats", "user-events", "view") and len(parts) > 2
    return "/".join(parts[:2]) if split else parts[0]


def sources(root):
    for top in ("lib", "formats", "sql", "duckdb", "python", "user-events", "view", "cli", "include"):
        for folder, _, names in sorted(os.walk(os.path.join(root, top))):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    yield os.path.relpath(os.path.join(folder, name), root)


@functools.lru_cache(maxsize=None)
def include_folders(root):
    """Where the compiler looks for headers beside the folder of the source."""
    return [".", "lib", "formats", "formats/import", "formats/export", "view", "include",
            "user-events"] + [
        folder for folder, _, _ in os.walk(os.path.join(root, "cli"))]


@functools.lru_cache(maxsize=None)
def resolve(root, folder, name):
    """The file that an include of a file in folder means, relative to the source folder."""
    for place in [folder] + include_folders(root):
        full = os.path.normpath(os.path.join(root, place, name))
        if os.path.isfile(full):
            return os.path.relpath(full, root)
    return None


def objects(root, build):
    """The source of each object of the library and the program."""
    tops = tuple(os.path.join(root, top, "") for top in ("lib", "formats", "sql", "duckdb", "user-events",
                                                        "view", "cli"))
    found = {}
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as f:
        for entry in json.load(f):
            if not entry["file"].startswith(tops) or "/user-events/preload/" in entry["file"]:
                continue
            words = shlex.split(entry["command"])
            obj = os.path.join(entry["directory"], words[words.index("-o") + 1])
            if os.path.isfile(obj):
                found[obj] = os.path.relpath(entry["file"], root)
    return found


def symbols(root, build, top=""):
    """Where each symbol of the sources in top is defined, and which are needed by which."""
    found = {obj: path for obj, path in objects(root, build).items() if path.startswith(top)}
    out = subprocess.run(["nm", "-A", "-P"] + list(found), check=True, capture_output=True,
                         text=True).stdout
    defined, needed = {}, set()
    for line in out.splitlines():
        obj, _, rest = line.partition(": ")
        name, kind = rest.split()[:2]
        if kind in "TRDBC":
            defined[name] = found[obj]
        elif kind == "U":
            needed.add((found[obj], name))
    return defined, sorted(needed)


def main():
    args = [a for a in sys.argv[1:] if a != "--print"]
    root, build = os.path.abspath(args[0]), os.path.abspath(args[1])
    edges = collections.defaultdict(lambda: collections.defaultdict(list))
    complaints = []
    includes = 0

    with open(os.path.join(root, "tests/lint/symbols.txt"), encoding="utf-8") as f:
        public = set(f.read().split())

    def add(path, target, why, is_public):
        source, to = room_of(path), room_of(target)
        if source == to or to == "include":
            return
        if source.startswith("lib/"):
            edges[source][to].append(f"{path}: {why}")
        elif is_public:
            edges[source]["public"].append(f"{path}: {why}")
        elif to == "lib/core" and os.path.splitext(os.path.basename(target))[0] in TOOLS:
            edges[source]["byte tools"].append(f"{path}: {why}")
        elif to.startswith("lib/") or (source.split("/")[0] in ("cli", "python") and
                                       to.startswith("formats")):
            complaints.append(f"{path}: {why} of {target}: {source} may only use what is public")
        else:
            edges[source][to].append(f"{path}: {why}")

    traceevent = []
    for path in sources(root):
        with open(os.path.join(root, path), encoding="utf-8") as f:
            text = f.read()
        if TRACEEVENT.search(text):
            traceevent.append(path)
        for name in INCLUDE.findall(text):
            includes += 1
            target = resolve(root, os.path.dirname(path), name)
            if target is None:
                complaints.append(f'{path} includes "{name}", which is nowhere')
            else:
                add(path, target, f'#include "{name}"', False)
    if len(traceevent) > 1 or any(not p.startswith("lib/model/") for p in traceevent):
        complaints.append("libtraceevent is for one file of lib/model: " + ", ".join(traceevent))

    defined, needed = symbols(root, build)
    for path, name in needed:
        if name in defined:
            add(path, defined[name], name, name in public)
    if includes < 100 or len(defined) < 100:
        complaints.append(f"only {includes} includes and {len(defined)} symbols: the check itself is broken")

    tree = {(a, b) for a, targets in edges.items() for b in targets}
    level = {}

    def depth(room, seen=()):
        if room in seen:
            complaints.append("a circle of rooms: " + " -> ".join(seen + (room,)))
            return 0
        if room not in level:
            level[room] = 1 + max((depth(b, seen + (room,)) for b in edges.get(room, ())), default=-1)
        return level[room]

    rooms = sorted(edges, key=lambda room: (depth(room), room))
    lines = ["| Room | Stands on |", "|---|---|"]
    lines += [f"| `{r}` | " + ", ".join(f"`{b}`" if "/" in b else b
              for b in sorted(edges[r], key=lambda b: (depth(b), b))) + " |" for r in rooms]
    if "--print" in sys.argv:
        print("\n".join(lines))
        return 0

    with open(os.path.join(root, "ARCHITECTURE.md"), encoding="utf-8") as f:
        text = f.read()
    drawn = set()
    for line in text.partition(BEGIN)[2].partition(END)[0].splitlines():
        cells = [c.strip() for c in line.strip("|").split("|")]
        if len(cells) == 2 and cells[0].startswith("`"):
            drawn |= {(cells[0].strip("`"), b.strip(" `")) for b in cells[1].split(",")}
    for a, b in sorted(tree - drawn):
        complaints.append(f"{a} uses {b}, which ARCHITECTURE.md does not allow: " + "; ".join(edges[a][b][:3]))
    built = {room_of(path) for path in objects(root, build).values()}
    for a, b in sorted(drawn - tree):
        if a == "duckdb" and a not in built:
            continue  # without DuckDB's headers there are no objects that could use it
        complaints.append(f"ARCHITECTURE.md says that {a} stands on {b}, but it does not")
    print("\n".join(complaints) or f"{len(rooms)} rooms, {len(tree)} edges, as drawn")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
