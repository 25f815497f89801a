#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Fails on a cycle of files that include each other.

A unit is a .c with the .h of the same base name beside it; a header without a .c is a unit of
its own. An edge is an #include "..." of a header in another unit.

usage: cycles.py SOURCE_DIR
"""
import os
import sys

from rooms import INCLUDE, resolve, sources

TOPS = ("lib/", "cli/", "formats/", "sql/", "duckdb/", "view/", "user-events/", "python/")


def graph(root):
    """The units that each unit includes, and an include that proves the edge."""
    edges, why = {}, {}
    for path in sources(root):
        if not path.startswith(TOPS):
            continue
        unit = os.path.splitext(path)[0]
        edges.setdefault(unit, set())
        with open(os.path.join(root, path), encoding="utf-8") as f:
            text = f.read()
        for name in INCLUDE.findall(text):
            target = resolve(root, os.path.dirname(path), name)
            other = os.path.splitext(target)[0] if target else unit
            if other != unit and target.startswith(TOPS):
                edges[unit].add(other)
                why.setdefault((unit, other), f'{path} includes "{name}"')
    return edges, why


def knots(edges):
    """The sets of units that reach each other."""
    reach = {}
    for unit in edges:
        seen, more = set(), [unit]
        while more:
            new = edges.get(more.pop(), set()) - seen
            seen |= new
            more += new
        reach[unit] = seen
    return sorted({tuple(sorted(other for other in reach[unit] if unit in reach.get(other, ())))
                   for unit in edges if unit in reach[unit]})


def main():
    edges, why = graph(os.path.abspath(sys.argv[1]))
    complaints = []
    if len(edges) < 100 or len(why) < 100:
        complaints.append(f"only {len(edges)} units and {len(why)} edges: the check itself is broken")
    for knot in knots(edges):
        complaints.append("a cycle of files: " + " ".join(knot))
        complaints += ["    " + why[a, b] for a in knot for b in sorted(edges[a] & set(knot))]
    print("\n".join(complaints) or f"{len(edges)} units, {len(why)} edges, no cycle")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
