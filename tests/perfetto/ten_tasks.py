#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The queries that docs/python.md has for Perfetto, run by its trace processor and by tdat sql.

usage: ten_tasks.py TDAT FOLDER TRACE_PROCESSOR FILE

The file is exported for Perfetto first, as the page says. Where both have the table, they must give
the same rows.
"""
import json
import re
import subprocess
import sys

from processor import Processor

tdat, folder, program, path = sys.argv[1:]
page = open(sys.argv[0].rsplit("/", 3)[0] + "/docs/python.md", encoding="utf-8").read()


def sql(query):
    out = subprocess.run([tdat, "sql", "--perfetto", "--json", path, query], check=True,
                         stdout=subprocess.PIPE).stdout
    return [tuple(r.values()) for r in json.loads(out)]


def same(what, query):
    got, want = sorted(sql(query), key=repr), sorted(processor.query(query), key=repr)
    if got != want or not got:
        sys.exit(f"{what}: tdat {got[:3]} of {len(got)}, Perfetto {want[:3]} of {len(want)}")
    print(f"{what}: {len(got)} rows alike")


exported = f"{folder}/ten.pftrace"
subprocess.run([tdat, "export", "-q", "--to", "perfetto", "-o", exported, path], check=True)
processor = Processor(f"{__file__.rsplit('/', 1)[0]}/trace_processor.js", program)
processor.load(exported)
queries = re.findall(r'tp\.query\("([^"…]+)"\)', page)
if len(queries) != 3:
    sys.exit(f"docs/python.md has the queries {queries}")
names, events, states = queries
same("which events are there", names)
same("all events of a type", events)
(a, b), = processor.query("SELECT min(ts), (min(ts) + max(ts)) / 2 FROM ftrace_event")
same("a span of time", f"{events} AND ts BETWEEN {a} AND {b}")
same("a question in SQL", "SELECT cpu, count(*), sum(dur) FROM sched WHERE dur > 0 GROUP BY cpu")
if not processor.query(states):
    sys.exit("thread_state of Perfetto has no rows")
same("states of tasks: running", "SELECT ts, dur, cpu, tid FROM thread_state JOIN thread USING (utid) "
     "WHERE state = 'Running' AND dur > 0 AND utid <> 0")
for which in (sql, processor.query):
    if not which("SELECT ts, dur FROM thread_state WHERE state = 'R'"):
        sys.exit("no task waited for a CPU")
print("waiting for a CPU: rows in both")
processor.close()
