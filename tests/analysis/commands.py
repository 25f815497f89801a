#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares tdat profile, flame, stat --by and pairs of events with sums over the tables' rows.

usage: commands.py TDAT FILE...
"""
import collections
import json
import subprocess
import sys
import xml.dom.minidom

COUNTS = collections.Counter()


def output(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False).stdout.decode("utf-8")


def rows(tdat, path, table, *options):
    return [json.loads(line) for line in output(
        tdat, "export", "-q", "--to", "jsonl", "--table", table, *options, path).splitlines()]


def check(what, want, got):
    if want != got:
        sys.exit(f"{what}: {got}, not {want}")
    COUNTS[what.split(": ")[1].split(" ")[0]] += 1


def switches_missing(switches):
    """CPUs, by buffer, of which a recording filtered by task or event lacks switches."""
    last, missing = {}, set()
    for r in switches:
        key = r["buffer"], r["cpu"]
        if last.get(key, r["prev_pid"]) != r["prev_pid"]:
            missing.add(key)
        last[key] = r["next_pid"]
    return missing


def check_profile(tdat, path):
    tables = {name: rows(tdat, path, name) for name in (
        "sched", "thread_state", "wakeup", "migration", "irq", "softirq", "syscall")}
    got = json.loads(output(tdat, "profile", "--json", path))
    missing = switches_missing(rows(tdat, path, "sched/sched_switch"))
    for cpu in got["cpus"]:
        mine = [r for r in tables["sched"]
                if r["cpu"] == cpu["cpu"] and r["buffer"] == cpu["buffer"]]
        busy = sum(r["dur"] or 0 for r in mine if r["pid"])
        if not tables["sched"]:
            check(f"{path}: cpu unknown", [None] * 3, [cpu[k] for k in ("busy", "idle", "switches")])
            continue
        check(f"{path}: cpu busy", busy, cpu["busy"])
        check(f"{path}: cpu idle", sum(r["dur"] or 0 for r in mine) - busy, cpu["idle"])
        lost = (cpu["buffer"], cpu["cpu"]) in missing or any(r["open"] == "lost" for r in mine)
        if mine and not lost:
            check(f"{path}: cpu span", cpu["busy"] + cpu["idle"],
                  cpu["last_ts"] - cpu["first_ts"])
        end = None
        for r in sorted(mine, key=lambda r: r["ts"]):
            if end is not None and (r["ts"] < end or (not lost and r["ts"] != end)):
                sys.exit(f"{path}: CPU {cpu['cpu']}: {r} does not follow {end}")
            end = r["ts"] + (r["dur"] or 0)
    for task in got["tasks"]:
        def mine(table, key="pid"):
            return [r for r in tables[table]
                    if r[key] == task["pid"] and r["buffer"] == task["buffer"]]
        states, end = sorted(mine("thread_state"), key=lambda r: r["ts"]), 0
        for r in states:
            if r["ts"] < end:
                sys.exit(f"{path}: task {task['pid']}: {r} begins before {end}")
            end = r["ts"] + (r["dur"] or 0)

        def time(*names):
            return sum(r["dur"] or 0 for r in states if r["state"] in names)
        want = {
            "on_cpu": sum(r["dur"] or 0 for r in mine("sched")) if task["pid"] else 0,
            "waiting": time("runnable", "preempted"), "blocked": time("uninterruptible"),
            "sleeping": time("sleeping", "stopped", "traced", "parked", "idle", "other"),
            "preemptions": sum(r["state"] == "preempted" for r in states),
            "migrations": len(mine("migration")), "wakeups": len(mine("wakeup")),
            "switches": len(mine("sched")) if task["pid"] else 0}
        made_of = {"on_cpu": "sched", "switches": "sched", "migrations": "migration",
                   "wakeups": "wakeup"}
        # Numbers of a table without rows are unknown: nothing says that its events were recorded.
        want = {k: v if tables[made_of.get(k, "thread_state")] else None for k, v in want.items()}
        check(f"{path}: task {task['pid']}", want, {k: task[k] for k in want})
        for name in ("irq", "softirq", "syscall"):
            sums = {"count": len(mine(name)), "dur": sum(r["dur"] or 0 for r in mine(name))}
            check(f"{path}: {name}s of {task['pid']}", sums if tables[name] else None,
                  task[name + "s"])
        check(f"{path}: wakers of {task['pid']}",
              sorted(collections.Counter(r["waker_pid"] for r in mine("wakeup")).items()),
              sorted(sum((collections.Counter({w["pid"]: w["count"]}) for w in task["wakers"]),
                         collections.Counter()).items()))


def clean(name):
    """A function without its offset, as it stands in a frame."""
    at = name.rfind("+0x")
    return (name[:at] if at > 0 else name).replace(";", ":")


def check_flame(tdat, path):
    sources = {
        "kernel-stack": [(r["comm"], r.get("caller_sym"), 1)
                         for r in rows(tdat, path, "ftrace/kernel_stack")],
        "function": [(r["comm"], r["stack"], r["self_dur"]) for r in rows(
            tdat, path, "function", "--column", "comm", "--column", "stack", "--column",
            "self_dur")],
        "off-cpu": [(r["comm"], r["stack"], r["dur"]) for r in rows(tdat, path, "thread_state")
                    if r["state"] not in ("running", "runnable", "dead")]}
    # Without any stack, flame says which events are missing.
    if not any(stack for _, stack, _ in sources["off-cpu"]):
        del sources["off-cpu"]
    for source, stacks in sources.items():
        want = collections.Counter()
        for comm, stack, weight in stacks:
            if weight:
                frames = [comm] + [clean(f) for f in reversed(stack or ["[no stack]"])]
                want[";".join(frames)] += weight
        if not want:
            continue
        folded = output(tdat, "flame", "--of", source, path)
        got = {s: int(n) for s, n in (line.rsplit(" ", 1) for line in folded.splitlines())}
        check(f"{path}: flame of {source}", dict(want), got)
        profile = json.loads(output(tdat, "flame", "--of", source, "--to", "speedscope", path))
        names = [f["name"] for f in profile["shared"]["frames"]]
        one = profile["profiles"][0]
        check(f"{path}: speedscope of {source}", dict(want), {
            ";".join(names[i] for i in sample): weight
            for sample, weight in zip(one["samples"], one["weights"])})
        check(f"{path}: speedscope end", sum(want.values()), one["endValue"])
        svg = xml.dom.minidom.parseString(output(tdat, "flame", "--of", source, "--to", "svg",
                                                 path))
        frames = [g for g in svg.getElementsByTagName("g") if g.hasAttribute("data-x")]
        nodes = {s[:i] for s in (tuple(k.split(";")) for k in want)
                 for i in range(1, len(s) + 1)}
        check(f"{path}: svg of {source}", len(nodes), len(frames))
        top = [g for g in frames if g.getAttribute("data-n") in {n[0] for n in nodes}]
        if abs(sum(float(g.getAttribute("data-w")) for g in top if
                   g.getElementsByTagName("rect")[0].getAttribute("y") ==
                   max(g.getElementsByTagName("rect")[0].getAttribute("y") for g in top)) - 1) \
                > 1e-6 and len(top) == len({n[0] for n in nodes}):
            sys.exit(f"{path}: the lowest row of {source} is not as wide as all")


def check_stat(tdat, path):
    table = rows(tdat, path, "sched/sched_switch")
    if not table:
        return
    want = collections.defaultdict(lambda: [0, 0])
    for r in table:
        group = want[r["comm"], r["next_prio"]]
        group[0] += 1
        group[1] += r["prev_pid"]
    got = json.loads(output(tdat, "stat", "--by", "comm,next_prio", "--sum", "prev_pid", "--json",
                            "-e", "sched/sched_switch", path))
    check(f"{path}: stat --by", {k: tuple(v) for k, v in want.items()},
          {(g["key"]["comm"], g["key"]["next_prio"]): (g["count"], g["sum"]) for g in got})
    events = collections.Counter((r["system"], r["event"]) for r in rows(tdat, path, "events"))
    got = json.loads(output(tdat, "stat", "--by", "system", "--by", "event", "--json", path))
    check(f"{path}: stat --by event", dict(events),
          {(g["key"]["system"], g["key"]["event"]): g["count"] for g in got})


def check_pairs(tdat, path):
    """A pair that says what a table does has the table's rows; of block_io it knows no queue or
    insert, whose loss the table has to do with, too."""
    lost = rows(tdat, path, "lost")
    pairs = {
        "softirq": "mine: irq/softirq_entry(CPU,vec) -> irq/softirq_exit(CPU,vec)",
        "block_io": "mine: block/block_rq_issue(dev,sector) -> block/block_rq_complete(dev,sector)",
    }
    for table, pair in pairs.items():
        want = rows(tdat, path, table)
        got = rows(tdat, path, "mine", "--pair", pair)
        start = "issue_ts" if table == "block_io" else "ts"
        closed = [(r[start], r["ts"] + r["dur"]) for r in want
                  if r["dur"] is not None and r[start] is not None]
        found = sorted((r["ts"], r["ts"] + r["dur"]) for r in got if r["dur"] is not None)
        if lost and table == "block_io":
            closed = [row for row in closed if row in set(found)]
        check(f"{path}: pairs of {table}", sorted(closed), found)
    want = [r for r in rows(tdat, path, "softirq") if r["vec"] == 9 and r["dur"] is not None]
    got = rows(tdat, path, "mine", "--pair", "mine: irq/softirq_entry(CPU) if vec == 9 -> "
               "irq/softirq_exit(CPU) if vec == 9")
    found = sorted((r["ts"], r["dur"]) for r in got if r["dur"] is not None)
    check(f"{path}: pairs with filters", sorted((r["ts"], r["dur"]) for r in want), found)


def main():
    tdat, files = sys.argv[1], sys.argv[2:]
    for path in files:
        check_profile(tdat, path)
        check_flame(tdat, path)
        check_stat(tdat, path)
        check_pairs(tdat, path)
    print(dict(COUNTS))


main()
