# SPDX-License-Identifier: GPL-2.0-or-later
"""What the package does where nothing else is installed, and no compiler can be found.

usage: clean.py FIXTURES
"""
import importlib.util
import sys

import tdat

for name in ("pyarrow", "duckdb", "pandas", "polars", "numpy", "pytest"):
    assert not importlib.util.find_spec(name), name
trace = tdat.open(f"{sys.argv[1]}/x64-61-conv-v7-zstd.dat")
rows = list(trace["sched_switch"].where("next_pid != 0").select("ts", "next_comm", "prev_state_name"))
assert rows and rows[0].next_comm == "trace-cmd" and rows[0].prev_state_name == "R"
events = list(trace.events("sched_switch: next_pid != 0"))
assert [e.ts for e in events] == [r.ts for r in rows]
answer = trace.sql("SELECT count(*) AS n FROM sched_switch WHERE next_pid <> ?", (0,))
assert answer.columns == ["n"] and answer.fetchall() == [(len(rows),)]
assert trace.latency()["rows"] > 0 and "<svg" in trace.timeline().svg and trace._repr_html_()
with tdat.write("out.dat") as w:
    w.event_type({"a": int, "s": str}, "mine")(5, cpu=1, pid=2, a=3, s="x")
assert [e.fields for e in tdat.open("out.dat")] == [{"a": 3, "s": "x"}]
tdat.convert("out.dat", "six.dat", version=6)
tdat.export("six.dat", "parquet", "out.parquet", tables="python/mine")
try:
    trace["events"].to_arrow()
except ImportError:
    pass
else:
    sys.exit("pyarrow is there")
print(f"{len(rows)} rows")
