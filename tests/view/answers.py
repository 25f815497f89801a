#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares answers of tdat view with what other commands say of the same file: dump --json, stat
--json and export --table. Windows are chosen at random, from the seed on the command line.

usage: answers.py TDAT SEED FILE...
"""
import collections
import csv
import functools
import io
import json
import random
import subprocess
import sys

from client import View, rows
from truth import Truth

tdat, seed, files = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
bad, done = [], collections.Counter()
csv.field_size_limit(1 << 30)


# What a command says of a file is the same each time, and asked for by many windows.
@functools.cache
def output(*words):
    return subprocess.run([tdat, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False).stdout.decode("utf-8", "replace")


@functools.cache
def table(path, name):
    return list(csv.DictReader(io.StringIO(output("export", "--to", "csv", "-o", "-", "--table", name,
                                                  path))))


def same(got, want, what):
    done[what.split()[1] if " " in what else what] += 1
    if got != want:
        bad.append(f"{what}: {str(got)[:300]} is not {str(want)[:300]}")


class Trace:
    def __init__(self, path, view, events, exact):
        """exact: pictures are made from the file, not from the index."""
        self.path, self.view, self.exact = path, view, exact
        self.truth = Truth(events)
        self.trace = view.get("trace")
        self.first, self.last = int(self.trace["from"]), int(self.trace["to"])
        self.recs = {r["buffer"]: i for i, r in enumerate(self.trace["recordings"])}
        self.unit = "ns" if self.trace["unit"] == "ns" else ""

    def window(self, kind):
        if kind == 0:
            return self.first, self.last
        length = int((self.last - self.first) * 10 ** -random.uniform(0, 4))
        start = random.randint(self.first, self.last - length)
        return start, start + length

    @staticmethod
    def pixel(window, width):
        return (window[1] - window[0]) // width

    def early(self, comms):
        """Rows as of table sched: runs before the first switch of a CPU, and behind losses."""
        return [{"ts": str(a), "dur": str(b - a), "open": "", "cpu": str(cpu), "buffer": buffer,
                 "pid": str(pid), "comm": comms.get(pid, "<...>"), "state": "running"}
                for buffer, cpu, pid, a, b in self.truth.early]

    def picture(self, window, width, keys, **more):
        return self.view.get("picture", rows=keys, width=width, to=window[1], **more,
                             **{"from": window[0]})


def end_of(row, t):
    """Where an interval of a table ends in a picture: what was lost ends at the loss."""
    if row["dur"]:
        return int(row["ts"]) + int(row["dur"])
    if row["open"] == "lost":
        stays = row.get("state", "running") == "running" and "name" not in row
        return t.truth.lost_at(row["buffer"], int(row["cpu"]) if stays or "vec" in row else None,
                               int(row["ts"]))
    # Calls that end their task do not return.
    never_returns = "nr" in row and row["name"] in ("exit", "exit_group")
    return {"end": int(row["ts"]) if never_returns else t.last, "unended": int(row["ts"])}[row["open"]]


# ---- rows of CPUs ----

def overlap(row, a, b, t):
    return max(0, min(end_of(row, t), b) - max(int(row["ts"]), a))


def compare_cpu(t, sched, rec, cpu, window, width):
    key = f"cpu:{rec}:{cpu}"
    answer = t.picture(window, width, key)
    row = answer["rows"][0]
    mine = [r for r in sched if t.recs[r["buffer"]] == rec and int(r["cpu"]) == cpu]
    inside = [r for r in mine if int(r["ts"]) <= window[1] and
              end_of(r, t) >= window[0]]
    what = f"{t.path} {key} {window} {width}"
    tasks = answer["tasks"]
    if row["exact"]:
        want = [(int(r["ts"]), end_of(r, t), int(r["pid"]), r["comm"]) for r in inside]
        got = [(c["t0"] + window[0], c["t1"] + window[0], tasks[c["task"]]["pid"],
                tasks[c["task"]]["comm"]) for c in rows(row)]
        same(got, want, what)
        return
    for c in rows(row):
        a, b = c["t0"] + window[0], c["t1"] + window[0]
        parts = [(r, overlap(r, a, b, t)) for r in mine]
        hit = [(r, o) for r, o in parts if o or a <= int(r["ts"]) < b or
               int(r["ts"]) == b == window[1]]
        known, busy = sum(o for _, o in hit), sum(o for r, o in hit if int(r["pid"]))
        # The index has sixteenths of bins: at least as fine as those of pixels.
        slack = 0 if t.exact else (b - a if c["n"] > 1 else t.pixel(window, width)) // 20 + 2
        same(abs(c["known"] - known) <= slack, True, what + f" known {a} {b} {c['known']} {known}")
        same(abs(c["busy"] - busy) <= slack, True, what + f" busy {a} {b} {c['busy']} {busy}")
        if c["n"] > 1 and t.exact:
            same(c["n"], len(hit), what + f" n {a} {b}")
            by_task = collections.Counter()
            for r, o in hit:
                if not busy or int(r["pid"]):
                    by_task[(int(r["pid"]), r["comm"])] += o
            best = by_task[(tasks[c["task"]]["pid"], tasks[c["task"]]["comm"])]
            same((c["time"], best), (max(by_task.values()),) * 2, what + f" longest {a} {b}")
            longest = max([end_of(r, t) - int(r["ts"]) for r, o in hit if int(r["pid"])], default=0)
            same(c["worst"], longest, what + f" worst {a} {b}")


# ---- rows of events ----

def compare_ticks(t, key, window, width, stamps, **more):
    answer = t.picture(window, width, key, **more)
    row = answer["rows"][0]
    what = f"{t.path} {key} {window} {width}"
    inside = [s for s in stamps if window[0] <= s <= window[1]]
    cells = [(c["t0"] + window[0], c["t1"] + window[0], c["n"]) for c in rows(row)]
    if row["exact"]:
        same([c[0] for c in cells], inside, what)
    elif any(c[0] < window[0] or c[1] > window[1] for c in cells):
        for a, b, n in cells:
            same(n, sum(1 for s in stamps if a <= s <= b), what + f" {a} {b}")
    else:
        same(sum(c[2] for c in cells), len(inside), what)
        for a, b, n in cells:
            same(n <= sum(1 for s in stamps if a <= s <= b), True, what + f" {a} {b}")


# ---- rows of tracks ----

def compare_track(t, name, key, want, window, read):
    answer = t.picture(window, 4000, key)
    row = answer["rows"][0]
    inside = [w for w in want if w[0] <= window[1] and w[1] >= window[0]]
    got = [read(c, answer) for c in rows(row)]
    if row["exact"]:
        same(sorted((g[0] + window[0], g[1] + window[0], *g[2:]) for g in got),
             sorted(inside), f"{t.path} {name} {key} {window}")
    else:
        # A state counts in each pixel in which it has a part.
        n = sum(c["n"] for c in rows(row))
        same(n >= len(inside) if "running" in row["columns"] else n == len(inside), True,
             f"{t.path} {name} {key} {window} {n} {len(inside)}")


def tracks(t, window, early):
    for kind, name in (("task", "thread_state"), ("irq", "irq"), ("softirq", "softirq"),
                       ("syscalls", "syscall"), ("functions", "function"), ("slices", "slice"),
                       ("counter", "counter"), ("block", "block_io")):
        wanted = collections.defaultdict(list)
        last = {}
        for r in table(t.path, name) + (early if kind == "task" else []):
            rec = t.recs[r["buffer"]]
            if kind == "slices" and r["kind"] != "sync":
                continue
            begin, end = int(r["ts"]), end_of(r, t)
            own = {"task": "pid", "syscalls": "pid", "functions": "pid", "slices": "pid", "irq": "cpu",
                   "softirq": "cpu", "counter": "name", "block": "dev"}[kind]
            key = f"{kind}:{rec}:{r[own]}"
            if kind == "task":
                value = (r["state"], int(r["cpu"]) if r["cpu"] else None)
            elif kind == "counter":
                value = (float(r["value"]),)
                if key in last and wanted[key]:
                    wanted[key][-1] = (wanted[key][-1][0], begin, *wanted[key][-1][2:])
                last[key], end = begin, t.last
            elif kind == "functions":
                value = (r["func"], int(r["depth"]))
            elif kind == "slices":
                value = (r["name"], int(r["depth"]))
            elif kind == "syscalls":
                value = (r["name"] or r["nr"],)
            else:
                value = (r["rwbs"] if kind == "block" else r["name"],)
            wanted[key].append((begin, end, *value))
        for key in random.sample(sorted(wanted), min(4, len(wanted))):
            def read(c, answer):
                if kind == "task":
                    return c["t0"], c["t1"], answer["states"][c["state"]], c["cpu"]
                if kind == "counter":
                    return c["t0"], c["t1"], c["last"]
                if kind in ("functions", "slices"):
                    return c["t0"], c["t1"], answer["names"][c["name"]], c["depth"]
                return c["t0"], c["t1"], answer["names"][c["name"]]
            compare_track(t, name, key, wanted[key], window, read)


def wakeups(t, window):
    want = collections.defaultdict(list)
    for r in table(t.path, "wakeup"):
        want[(t.recs[r["buffer"]], int(r["pid"]))].append(r)
    for rec, pid in random.sample(sorted(want), min(5, len(want))):
        answer = t.picture(window, 4000, f"task:{rec}:{pid}")["wakeups"]
        mine = [r for r in want[(rec, pid)] if int(r["ts"]) <= window[1] and
                end_of(r, t) >= window[0]]

        def number(text):
            return int(text) - window[0] if text else None
        same([(c["waking"], c["wakeup"], c["t1"], c["cpu"], c["waker_pid"], c["waker_cpu"])
              for c in rows(answer)],
             [(number(r["waking_ts"]), number(r["wakeup_ts"]),
               number(str(int(r["ts"]) + int(r["dur"]))) if r["dur"] else None,
               int(r["cpu"]) if r["cpu"] else -1, int(r["waker_pid"]), int(r["waker_cpu"]))
              for r in mine], f"{t.path} wakeup {rec}:{pid} {window}")


# ---- lists and sums ----

def compare_list(t, events, window):
    inside = [e for e in events if window[0] <= e["ts"] <= window[1]]
    span = {"from": window[0], "to": window[1]}
    total = t.view.get("events", count=0, **span)["total"]
    same(total, len(inside), f"{t.path} total {window}")
    for _ in range(4):
        at = random.randint(0, max(len(inside) - 1, 0))
        answer = t.view.get("events", at=at, count=50, **span)
        got = [(r["row"], int(r["ts"]), r["cpu"], r["pid"], r["comm"], r["event"]) for r in answer["rows"]]
        want = [(at + i, e["ts"], e["cpu"], e["pid"], e["comm"], f"{e['system']}/{e['event']}")
                for i, e in enumerate(inside[at:at + 50])]
        same(got, want, f"{t.path} list {window} {at}")
        if not inside:
            continue
        ts = inside[at]["ts"] - random.randint(0, 1)
        answer = t.view.get("events", at=f"ts:{max(ts, 0)}", count=1, text=0, **span)
        want = sum(1 for e in inside if e["ts"] < ts)
        same(answer["at"], want, f"{t.path} at {ts}")
        same([int(r["ts"]) for r in answer["rows"]], [e["ts"] for e in inside[want:want + 1]],
             f"{t.path} at {ts}")
    if inside:
        e = random.randrange(len(inside))
        r = t.view.get("events", at=e, count=1, **span)["rows"][0]
        one = t.view.get("event", key=r["key"])
        same((int(one["ts"]), one["cpu"], one["pid"]), (inside[e]["ts"], inside[e]["cpu"],
             inside[e]["pid"]), f"{t.path} event {r['key']}")
        fields = {f["name"]: f["value"] for f in one["fields"]}
        for name, value in inside[e]["fields"].items():
            if isinstance(value, int):
                same(int(fields[name]), value, f"{t.path} field {r['key']} {name}")


def compare_search(t, events):
    """Step by step forward and back through all hits of an event type, as dump gives them."""
    kinds = collections.Counter(f"{e['system']}/{e['event']}" for e in events)
    if not kinds:
        return
    name = random.choice(sorted(kinds))
    want = [e["ts"] for e in events if f"{e['system']}/{e['event']}" == name][:12]
    got, key = [], None
    for _ in want:
        hit = t.view.get("search", events=name, **({"after": key} if key else {}))["hit"]
        got.append(int(hit["ts"]))
        key = hit["key"]
    same(got, want, f"{t.path} search {name}")
    back = []
    for _ in want[:-1]:
        hit = t.view.get("search", events=name, dir="prev", after=key)["hit"]
        back.append(int(hit["ts"]))
        key = hit["key"]
    same(back, want[-2::-1] if len(want) > 1 else [], f"{t.path} search back {name}")
    same(t.view.get("search", events=name, dir="prev", after=key)["hit"], None,
         f"{t.path} search {name} before the first")


def compare_stats(t, sched, window):
    answer = t.view.get("stats", latency=1, to=window[1], **{"from": window[0]})
    stat = json.loads(output("stat", "--json", "--from", f"{window[0]}{t.unit}", "--to",
                             f"{window[1]}{t.unit}", t.path))[0]
    what = f"{t.path} stats {window}"
    same(answer["events"], stat["events"], what)
    same(answer["lost_marks"], sum(window[0] <= int(r["ts"]) <= window[1] for r in table(t.path, "lost")), what)
    counts = collections.Counter()
    for e in stat["by_event"]:
        counts[f"{e['system']}/{e['event']}" if e.get("system") else f"?/{e['id']}"] += e["events"]
    same({e["event"]: e["n"] for e in answer["types"]}, dict(counts), what)
    time, n = collections.Counter(), collections.Counter()
    for r in sched:
        if int(r["pid"]) and int(r["ts"]) <= window[1] and end_of(r, t) >= window[0]:
            who = (t.recs[r["buffer"]], int(r["pid"]), r["comm"])
            time[who] += overlap(r, *window, t)
            n[who] += 1
    same(answer["tasks_total"], len(n), what)
    for task in answer["tasks"]:
        who = (task["rec"], task["pid"], task["comm"])
        same((task["time"], task["n"]), (time[who], n[who]), f"{what} {who}")
    for cpu in answer["cpus"]:
        same(cpu["busy"] <= cpu["known"] <= window[1] - window[0], True, f"{what} known {cpu}")
    late = sorted(int(r["dur"]) for r in table(t.path, "wakeup") if r["dur"] and
                  int(r["ts"]) <= window[1] and int(r["ts"]) + int(r["dur"]) >= window[0])
    got = answer["wakeups"]
    same(got["n"], len(late), what)
    if late:
        rank = [late[max(1, -(-len(late) * p // 100)) - 1] for p in (50, 90, 99)]
        same((got["min"], got["max"], got["sum"], got["p50"], got["p90"], got["p99"]),
             (late[0], late[-1], sum(late), *rank), what)


def compare(path, args):
    events = [json.loads(line) for line in output("dump", "--json", path).splitlines()]
    comms = {0: "<idle>", **{e["pid"]: e["comm"] for e in events if e["pid"]}}
    with View(tdat, path, args=args) as view:
        view.ready()
        t = Trace(path, view, events, not args)
        early = t.early(comms)
        sched = sorted(table(path, "sched") + early, key=lambda r: int(r["ts"]))
        same(view.get("progress")["events"], len(events), f"{path} events")
        by_lane, by_type = collections.defaultdict(list), collections.defaultdict(list)
        for e in events:
            by_lane[(t.recs[e.get("buffer", "")], e["cpu"])].append(e["ts"])
            by_type[f"{e['system']}/{e['event']}"].append(e["ts"])
        for kind in range(4):
            window = t.window(kind)
            for rec, cpu in sorted(by_lane):
                for width in (random.choice((3, 40)), 1000):
                    compare_cpu(t, sched, rec, cpu, window, width)
                    compare_ticks(t, f"events:{rec}:{cpu}", window, width, by_lane[(rec, cpu)])
            for name in random.sample(sorted(by_type), min(3, len(by_type))):
                compare_ticks(t, f"event:{name}", window, random.choice((5, 1000)), by_type[name])
                compare_ticks(t, "hits", window, 700, by_type[name], events=name)
            compare_list(t, events, window)
            compare_stats(t, sched, window)
            tracks(t, window, early)
            wakeups(t, window)
        compare_search(t, events)
        lost = sum(-(e.get("lost", 0) < 0) + max(e.get("lost", 0), 0) for e in events)
        done["lost"] += 1 if lost else 0


random.seed(seed)
for file in files:
    # From the file, and from the index where pixels are longer than its bins.
    compare(file, ())
    compare(file, ("--read-always", "1"))
print("\n".join(bad[:40]) or f"as the other commands: {sum(done.values())} comparisons")
if sum(done.values()) < 100:
    print("too few comparisons: the test itself is broken")
    bad.append("few")
sys.exit(1 if bad else 0)
