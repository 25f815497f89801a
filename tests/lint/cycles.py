#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Fails on a cycle of files that include each other.

A unit is a .c with the .h of the same base name beside it; a header without a .c is a unit of
its own. An edge is an #include "..." of a header in another unit. Units that reach each other
are a knot. Knots that exist still are in KNOWN, each as the set of its units: the list may only
shrink, so a knot that is gone or smaller must be taken out, and no other may be there.

usage: cycles.py [--print] SOURCE_DIR
--print: writes the knots of the tree as KNOWN should have them.
"""
import os
import sys

from rooms import INCLUDE, resolve, sources

TOPS = ("lib/", "cli/", "formats/", "sql/", "view/", "user-events/", "python/")

KNOWN = [
]


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
    root = os.path.abspath([a for a in sys.argv[1:] if a != "--print"][0])
    edges, why = graph(root)
    found = knots(edges)
    if "--print" in sys.argv:
        for knot in found:
            print(f'    "{" ".join(knot)}",')
            for unit in knot:
                for other in sorted(edges[unit] & set(knot)):
                    print("        #", why[unit, other])
        return 0
    known = {tuple(sorted(line.split())) for line in KNOWN}
    complaints = []
    if len(edges) < 100 or len(why) < 100:
        complaints.append(f"only {len(edges)} units and {len(why)} edges: the check itself is broken")
    for knot in found:
        if knot not in known:
            complaints.append("a cycle of files: " + " ".join(knot))
            complaints += ["    " + why[a, b] for a in knot for b in sorted(edges[a] & set(knot))]
    for knot in sorted(known - set(found)):
        complaints.append("no longer a cycle, take it out of KNOWN: " + " ".join(knot))
    print("\n".join(complaints) or f"{len(edges)} units, {len(why)} edges, {len(known)} known cycles")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
