#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Queries as Perfetto's documentation has them for its tables, run on a trace.dat.

The queries have the shape of those on https://perfetto.dev/docs (CPU scheduling, ftrace, SQL
tables). What they must give is computed here from the lines of tdat dump --json.

usage: perfetto.py TDAT FILE...
"""
import collections
import json
import subprocess
import sys


def run(*args):
    return subprocess.run(args, check=True, capture_output=True).stdout


class Trace:
    """One file: its events by dump, and queries of it."""

    def __init__(self, tdat, path):
        self.tdat, self.path = tdat, path
        self.events = [json.loads(line) for line in run(tdat, "dump", "--json", path).splitlines()]
        self.events = [e for e in self.events if "event" in e]
        self.names = {t["pid"]: t for t in map(json.loads, run(
            tdat, "export", "--to", "jsonl", "--table", "tasks", "-o", "-", path).splitlines()) if t["used"]}

    def sql(self, query, *options):
        out = run(self.tdat, "sql", "--json", *options, self.path, query)
        return [tuple(r.values()) for r in json.loads(out)]

    def slices(self):
        """Times on a CPU, from one sched_switch to the next: ts, dur, cpu, pid, prio, state."""
        open_, out = {}, []
        for e in self.events:
            if e["event"] != "sched_switch":
                continue
            cpu, f = e["cpu"], e["fields"]
            if e.get("lost"):
                raise SystemExit(f"{self.path}: a file without losses is wanted")
            if cpu in open_:
                start = open_[cpu]
                if start[1] == f["prev_pid"]:
                    out.append((start[0], e["ts"] - start[0], cpu, start[1], start[2]))
            open_[cpu] = (e["ts"], f["next_pid"], f["next_prio"])
        return out

    def check(self, what, got, want):
        if sorted(got, key=repr) != sorted(want, key=repr):
            print(f"{self.path}: {what}")
            sys.exit(f"got  {sorted(got, key=repr)[:5]}\nwant {sorted(want, key=repr)[:5]}")

    def name(self, pid):
        return "swapper" if not pid else self.names.get(pid, {}).get("comm")

    def scheduling(self):
        slices = self.slices()
        got = self.sql("""
            SELECT ts, dur, cpu, priority, thread.name AS thread
            FROM sched_slice LEFT JOIN thread USING (utid) LEFT JOIN process USING (upid)
            WHERE dur >= 0""")
        self.check("slices with threads", got,
                   [(ts, dur, cpu, prio, self.name(pid)) for ts, dur, cpu, pid, prio in slices])
        total = collections.Counter()
        for _, dur, _, pid, _ in slices:
            if pid:
                total[self.name(pid)] += dur
        self.check("CPU time by thread", self.sql("""
            SELECT thread.name AS thread_name, SUM(dur) AS cpu_time
            FROM sched JOIN thread USING (utid)
            WHERE dur > 0 AND utid != 0 GROUP BY 1 ORDER BY 2 DESC""", "--perfetto"),
                   [r for r in total.items() if r[0] is not None])
        busy = collections.Counter()
        for _, dur, cpu, pid, _ in slices:
            busy[cpu] += dur if pid else 0
        self.check("busy time by CPU", self.sql("""
            SELECT cpu, SUM(CASE WHEN utid = 0 THEN 0 ELSE dur END) AS busy FROM sched_slice
            WHERE dur >= 0 GROUP BY cpu"""), list(busy.items()))
        self.check("time that threads ran", self.sql("""
            SELECT thread.name, SUM(dur) FROM thread_state JOIN thread USING (utid)
            WHERE state = 'Running' AND dur > 0 GROUP BY 1""", "--perfetto"),
                   [r for r in total.items() if r[0] is not None])
        return len(slices)

    def arguments(self):
        switches = [(i, e) for i, e in enumerate(self.events) if e["event"] == "sched_switch"]
        got = self.sql("""
            SELECT id, ts, cpu, EXTRACT_ARG(arg_set_id, 'prev_comm') AS prev_comm,
                EXTRACT_ARG(arg_set_id, 'next_pid') AS next_pid, EXTRACT_ARG(arg_set_id, 'no') AS no
            FROM ftrace_event WHERE name = 'sched_switch'""")
        self.check("arguments of events", got,
                   [(i, e["ts"], e["cpu"], e["fields"]["prev_comm"], e["fields"]["next_pid"], None)
                    for i, e in switches])
        # Numbers that fall make the reader start anew.
        got = self.sql("""
            SELECT id, EXTRACT_ARG(id, 'next_pid') AS n FROM
                (SELECT id FROM ftrace_event WHERE name = 'sched_switch' ORDER BY id DESC LIMIT 9)""")
        self.check("arguments in another order", got,
                   [(i, e["fields"]["next_pid"]) for i, e in switches[-9:]])
        i, e = switches[len(switches) // 2]
        got = self.sql(f"SELECT flat_key, display_value FROM args WHERE arg_set_id = {i}")
        keys = dict(got)
        if keys.get("next_comm") != e["fields"]["next_comm"] or \
                keys.get("next_pid") != str(e["fields"]["next_pid"]):
            sys.exit(f"{self.path}: args of {i} are {got}")
        self.check("events by name", self.sql("SELECT name, count(*) FROM ftrace_event GROUP BY 1"),
                   list(collections.Counter(e["event"] for e in self.events).items()))
        self.check("a join with args", self.sql("""
            SELECT count(*) FROM ftrace_event JOIN args USING (arg_set_id)
            WHERE ftrace_event.name = 'sched_switch' AND key = 'prev_pid' AND int_value = 0"""),
                   [(sum(e["fields"]["prev_pid"] == 0 for _, e in switches),)])

    def names_of_tasks(self):
        self.check("threads", self.sql("SELECT utid, tid, name FROM thread WHERE utid <> 0"),
                   [(p, p, t["comm"]) for p, t in self.names.items() if p])
        self.check("CPUs", self.sql("SELECT cpu FROM cpu"),
                   [(c,) for c in {r[0] for r in self.sql("SELECT cpu FROM cpus")}])
        # A task without a group is a process, as in what tdat exports for Perfetto.
        tasks = self.names.keys() | {e["pid"] for e in self.events} | {0}
        groups = {self.names.get(p, {}).get("tgid") or p for p in tasks if p >= 0}
        self.check("processes", self.sql("SELECT pid FROM process"), [(g,) for g in groups])


def main():
    for path in sys.argv[2:]:
        trace = Trace(sys.argv[1], path)
        count = trace.scheduling()
        trace.arguments()
        trace.names_of_tasks()
        if count < 50:
            sys.exit(f"{path} has only {count} slices")
        print(f"{path}: {len(trace.events)} events, {count} slices")


if __name__ == "__main__":
    main()
