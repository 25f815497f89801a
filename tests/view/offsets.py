#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A file beside itself with --ts-offset: the second one's rows are those of the first, so much later,
and its events those of dump with the same offset.

usage: offsets.py TDAT FILE
"""
import json
import subprocess
import sys

from client import View

tdat, path = sys.argv[1:3]
bad = []


def check(ok, what):
    if not ok:
        bad.append(what)


def cells(view, key, window):
    row = view.get("picture", rows=[key], width=300, **{"from": window[0], "to": window[1]})
    return row["rows"][0]["cells"], [task["comm"] for task in row["tasks"]]


def compare(offset):
    # Bins of the index begin where the trace does, so the rows are read from the files.
    more = ("--read-always", "1000000")
    with View(tdat, path, path, args=(*more, "--port", "0")) as v:
        alone = v.get("trace")
    with View(tdat, "-i", path, "-i", path, "--ts-offset", str(offset), args=more) as v:
        v.ready()
        trace = v.get("trace")
        first, last = int(alone["from"]), int(alone["to"])
        check([f["ts_offset"] for f in trace["files"]] == ["0", str(offset)], "ts_offset")
        check(int(trace["from"]) == min(first, first + offset) and
              int(trace["to"]) == max(last, last + offset), "the span of both")
        pid = v.get("stats", **{"from": first, "to": last})["tasks"][0]["pid"]
        quarter = (last - first) // 4
        for window in ((first, last), (first + quarter, first + 2 * quarter)):
            later = window[0] + offset, window[1] + offset
            for row in ("cpu:%d:0", "events:%d:0", f"task:%d:{pid}"):
                a, names = cells(v, row % 0, window)
                b, others = cells(v, row % 1, later)
                # Open intervals end with their own file, not with the other one.
                check(a == b and a, f"{row} {window}: {a[:3]} is not {b[:3]}")
                check(names == others, f"{row} {window}: {names} are not {others}")
        rows = v.get("events", count=1000)["rows"]
        for rec in (0, 1):
            row = next(r for r in rows if r["rec"] == rec)
            event = v.get("event", key=row["key"])
            check((event["ts"], event["rec"], event["event"]) == (row["ts"], rec, row["event"]),
                  f"the event {row['key']}: {event}")
        name = rows[0]["event"].split("/")[1].upper()
        part = [v.get("search", contains=name, cpus=str(cpu)) for cpu in (0, 1)]
        check(all(name.lower() in f"{p['hit']['event']} {p['hit']['text']}".lower() for p in part if p["hit"]),
              f"a text: {part}")
    dump = subprocess.run([tdat, "dump", "--json", "--text", "-i", path, "-i", path, "--ts-offset",
                           str(offset)], stdout=subprocess.PIPE, check=True).stdout.decode()
    want = [json.loads(line) for line in dump.splitlines()][:1000]
    check([(int(e["ts"]), e["cpu"], e["pid"], e["text"]) for e in rows] ==
          [(e["ts"], e["cpu"], e["pid"], e["text"]) for e in want], "the events of dump")


compare(1000000)
compare(-2500000)
wrong = subprocess.run([tdat, "view", "--no-browser", "--ts-offset", "1", path], capture_output=True,
                       check=False)
check(wrong.returncode == 2 and b"must follow" in wrong.stderr, f"order: {wrong}")
wrong = subprocess.run([tdat, "view", "--no-browser", path, "--ts-offset", "x"], capture_output=True,
                       check=False)
check(wrong.returncode == 2 and b"needs a number" in wrong.stderr, f"number: {wrong}")
print("\n".join(bad) or "equal")
sys.exit(bool(bad))
