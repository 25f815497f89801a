#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The row of live kernel memory against SQL: at each time the allocations of table kmem that began and did not end.

usage: kmem.py TDAT FILE
"""
import json
import subprocess
import sys

from client import View, rows

tdat, file = sys.argv[1:3]
KEY = "counter:0:kmem_live_bytes"
# An allocation at a live pointer, whose free was not recorded, ends the one before.
QUERY = """
WITH alloc AS (SELECT ts, dur, open, bytes_alloc AS bytes, LEAD(ts) OVER (PARTITION BY ptr ORDER BY ts) AS next
               FROM kmem WHERE special IS NULL AND kind <> 'pages'),
     step AS (SELECT ts, bytes FROM alloc
              UNION ALL SELECT CASE WHEN open = 'unended' THEN next ELSE ts + dur END, -bytes FROM alloc
              WHERE dur IS NOT NULL OR open = 'unended')
SELECT ts, sum(sum(bytes)) OVER (ORDER BY ts) AS live FROM step GROUP BY ts ORDER BY ts
"""
done = subprocess.run([tdat, "sql", "--json", file, QUERY], check=True, capture_output=True, text=True)
wanted = {int(row["ts"]): int(row["live"]) for row in json.loads(done.stdout)}
with View(tdat, file) as view:
    view.ready()
    first = [row["key"] for row in view.get("rows", kind="usual")["rows"]]
    assert KEY in first, first
    answer = view.get("picture", rows=KEY, width=16384)
    row = answer["rows"][0]
    assert row["exact"], "values share cells"
    begin = int(answer["from"])
    found = {begin + cell["t0"]: cell["last"] for cell in rows(row)}
    # Frees of what the trace did not allocate repeat the value that is there.
    extra = {ts: value for ts, value in found.items() if ts not in wanted}
    at = sorted(wanted)
    for ts, value in extra.items():
        before = [one for one in at if one < ts]
        assert value == (wanted[before[-1]] if before else 0), (ts, value)
    assert {ts: value for ts, value in found.items() if ts in wanted} == wanted
    # Zoomed out each cell has the least, the most and the last value of its part.
    answer = view.get("picture", rows=KEY, width=200)
    cells = rows(answer["rows"][0])
    values = sorted(found.items())
    assert len(cells) < len(values) / 10
    for cell in cells:
        # The last moment of a cell holds until the next value.
        part = [value for ts, value in values if cell["t0"] <= ts - begin < cell["t1"]]
        assert min(part) >= cell["min"] and max(part) <= cell["max"] and cell["last"] in part, (cell, part[-3:])
        assert cell["min"] in part and cell["max"] in part
print(f"{len(found)} values, at most {max(found.values())} bytes")
