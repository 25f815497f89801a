#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares tdat latency --json and --csv with what is computed here from the tables' rows.

usage: latency.py TDAT FILE...
"""
import collections
import csv
import io
import json
import shlex
import subprocess
import sys

CASES = (
    ("wakeup", "dur", ("comm", "pid")), ("thread_state", "dur", ("state",)),
    ("sched", "dur", ("cpu",)), ("sched/sched_switch", "next_prio", ("prev_state_name",)),
    ("wakeup", "wakeup_dur", ("comm", "waker_comm")), ("softirq", "wait_dur", ("name", "cpu")),
)
QUANTILES = {"p50": 500, "p90": 900, "p99": 990, "p99.9": 999}


def output(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False).stdout.decode("utf-8")


def summary(values):
    values = sorted(values)
    n, log2 = len(values), collections.Counter()
    for v in values:
        log2[1 << v.bit_length() - 1 if v > 0 else 0] += 1
    got = {"count": n, "sum": sum(values), "mean": sum(values) // n if n else 0,
           "min": values[0] if n else 0, "max": values[-1] if n else 0,
           "log2": [{"from": k, "count": log2[k]} for k in sorted(log2)]}
    for name, part in QUANTILES.items():
        got[name] = values[-(-n * part // 1000) - 1] if n else 0
    return got


def check(what, want, got):
    if want != got:
        sys.exit(f"{what}: {got}, not {want}")


def check_worst(tdat, where, worst, values, rows, value):
    check(f"{where}: greatest", sorted(values, reverse=True)[:5], [w["value"] for w in worst])
    for w in worst[:1]:
        row = [r for r in rows if r["ts"] == w["ts"] and r[value] == w["value"]]
        if not row:
            sys.exit(f"{where}: there is no such row: {w}")
        words = shlex.split(w["dump"])
        dump = output(tdat, *words[1:], "--json").splitlines()
        if not dump or json.loads(dump[0])["ts"] != w["ts"]:
            sys.exit(f"{where}: {w['dump']} does not begin with the row")


def main():
    tdat, files = sys.argv[1], sys.argv[2:]
    count = 0
    for path in files:
        for table, value, keys in CASES:
            where = f"{path}: {table} {value} by {','.join(keys)}"
            rows = [json.loads(line) for line in output(
                tdat, "export", "--to", "jsonl", "--table", table, path).splitlines()]
            if not rows:
                continue
            words = (tdat, "latency", "--table", table, "--value", value, "--by", ",".join(keys))
            got = json.loads(output(*words, "--json", path))[0]
            groups = collections.defaultdict(list)
            for row in rows:
                if row[value] is not None:
                    groups[tuple(row[k] for k in keys)].append(row[value])
            check(where, (len(rows), sum(r[value] is None for r in rows)),
                  (got["rows"], got["rows_without_value"]))
            every = [v for group in groups.values() for v in group]
            check(where + ": all", summary(every), got["all"])
            check(where + ": groups", len(groups), len(got["groups"]))
            for group in got["groups"]:
                key = group.pop("key")
                key = tuple(key[k] for k in keys)
                check(f"{where}: {key}", summary(groups[key]), group)
            check_worst(tdat, where, got["worst"], every, rows, value)
            lines = list(csv.DictReader(io.StringIO(output(*words, "--csv", path))))
            check(where + ": csv", sorted(map(str, (g["p99"] for g in got["groups"]))),
                  sorted(line["p99"] for line in lines))
            count += len(groups)
    if not count:
        sys.exit("nothing was compared")
    print(count, "groups")


main()
