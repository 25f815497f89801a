#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares derived tables with latencies that the kernel's own hist triggers measured.

usage: kernel.py TDAT CORPUS/hist
The recordings hold synthetic events beside those that they come from (CORPUS/hist/README.md):
each must be a row of the table, in the same order for each key.
"""
import collections
import json
import lzma
import os
import re
import subprocess
import sys

COUNTS = collections.Counter()


def rows(tdat, path, table):
    out = subprocess.run([tdat, "export", "-q", "--to", "jsonl", "--table", table, path],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    return [json.loads(line) for line in out.decode("utf-8", "replace").splitlines()]


def usecs(row, start="ts"):
    """As a hist trigger has it: both times are rounded to microseconds."""
    return micro(row["ts"] + row["dur"]) - micro(row[start])


def micro(ns):
    """ns2usecs() of Linux."""
    return (ns + 500) // 1000


def by_key(pairs):
    lists = collections.defaultdict(list)
    for key, value in pairs:
        lists[key].append(value)
    return lists


def closed(table_rows):
    return [r for r in table_rows if r["dur"] is not None]


def woken_off_cpu(tdat, path):
    """The kernel measures also from wakeups of tasks that are on a CPU still, which do not wait."""
    running, on_cpu, kept = set(), set(), []
    lines = []
    for table in "sched/sched_switch", "sched/sched_waking", "synthetic/wakeup_lat":
        lines += [(r["ts"], table, r) for r in rows(tdat, path, table)]
    for _, table, r in sorted(lines, key=lambda line: line[0]):
        if table == "sched/sched_switch":
            running.discard(r["prev_pid"])
            running.add(r["next_pid"])
        elif table == "sched/sched_waking":
            (on_cpu.add if r["field_pid"] in running else on_cpu.discard)(r["field_pid"])
        elif r["field_pid"] not in on_cpu:
            kept.append(r)
    return kept


def wakeups(tdat, path):
    got = by_key((r["pid"], usecs(r, "waking_ts")) for r in closed(rows(tdat, path, "wakeup"))
                 if r["waking_ts"] is not None)
    return got, by_key((r["field_pid"], r["lat"]) for r in woken_off_cpu(tdat, path))


def off_cpu(tdat, path):
    """States of a task from leaving a CPU to getting one again."""
    got, since = [], {}
    for r in sorted(rows(tdat, path, "thread_state"), key=lambda r: r["ts"]):
        if r["prev_state"] is not None:
            since[r["pid"]] = r["ts"]
        elif r["state"] == "running" and r["pid"] in since:
            got.append((r["pid"], micro(r["ts"]) - micro(since.pop(r["pid"]))))
    return by_key(got), by_key((r["field_pid"], r["us"])
                               for r in rows(tdat, path, "synthetic/offcpu"))


def on_cpu(tdat, path):
    got = by_key((r["pid"], usecs(r)) for r in closed(rows(tdat, path, "sched")) if r["pid"] > 0)
    return got, by_key((r["field_pid"], r["us"]) for r in rows(tdat, path, "synthetic/oncpu"))


def latency(r):
    """The field of a synthetic event that is the latency."""
    return next(r[k] for k in ("lat", "d", "d2", "us", "ns", "delta") if k in r)


def interrupts(tdat, path):
    got = by_key((r["irq"], r["dur"]) for r in closed(rows(tdat, path, "irq")))
    return got, by_key((r["irq"], latency(r)) for r in rows(tdat, path, "synthetic/irq_lat"))


def softirqs(tdat, path):
    got = by_key((r["vec"], r["dur"]) for r in closed(rows(tdat, path, "softirq")))
    return got, by_key((r["vec"], latency(r)) for r in rows(tdat, path, "synthetic/softirq_lat"))


def syscalls(tdat, path):
    got = by_key((r["pid"], usecs(r)) for r in closed(rows(tdat, path, "syscall")))
    return got, by_key((r["pid"], latency(r)) for r in rows(tdat, path, "synthetic/sys_lat"))


def block(tdat, path):
    got = by_key(((r["dev"], r["sector"]), usecs(r, "issue_ts"))
                 for r in closed(rows(tdat, path, "block_io")) if r["issue_ts"] is not None)
    return got, by_key(((f"{r['dev'] >> 20},{r['dev'] & 0xfffff}", r["sector"]), latency(r))
                       for r in rows(tdat, path, "synthetic/blk_lat"))


def microseconds(ns):
    """As the tracer function_graph prints a duration: seven digits at most, cut."""
    us, rest = divmod(ns, 1000)
    digits = max(0, min(3, 7 - len(str(us))))
    return f"{us}." + f"{rest:03}"[:digits] if len(str(us)) < 7 else str(us)


def calls(tdat, path):
    """Durations of functions in the kernel's own file "trace" of the same buffer."""
    got = by_key(("us", microseconds(r["kernel_dur"])) for r in closed(rows(tdat, path, "function"))
                 if r["kernel_dur"] is not None)
    with lzma.open(path.replace("trace.dat", "trace.txt.xz"), "rt") as f:
        return got, by_key(("us", d) for d in re.findall(r"(?m)^ *\d+\) . ?([\d.]+) us", f.read()))


def call_names(tdat, path):
    """Names of calls that only raw events tell of, as the kernel's modifier .syscall prints them."""
    with open(path.replace("trace.dat", "hist.txt"), encoding="utf-8") as f:
        want = set(re.findall(r"id: sys_(\w+) +\[ *(\d+)\]", f.read()))
    got = {(r["name"], str(r["nr"])) for r in rows(tdat, path, "syscall")}
    return by_key(("name", n) for n in got), by_key(("name", n) for n in want)


CASES = {"fgraph": (calls,), "wakelat": (wakeups, off_cpu, on_cpu), "irq": (interrupts, softirqs),
         "syscalls": (syscalls, call_names), "block": (block,)}


def main():
    tdat, folder = sys.argv[1:]
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name, "trace.dat")
        for measure in CASES.get(name.split("-")[-1], ()):
            got, want = measure(tdat, path)
            bad = 0
            for key, values in want.items():
                mine = collections.Counter(got.get(key, ()))
                bad += sum((collections.Counter(values) - mine).values())
                COUNTS[measure.__name__] += len(values)
            if bad:
                sys.exit(f"{name}: {measure.__name__}: {bad} of the kernel's "
                         f"{sum(map(len, want.values()))} latencies are not in the table")
    if len(COUNTS) != sum(map(len, CASES.values())):
        sys.exit(f"not all kinds of latencies were there: {dict(COUNTS)}")
    print(dict(COUNTS))


main()
