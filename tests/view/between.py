#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tasks that only common_pid tells: events between losses that are all of one task, on a CPU that has a
sched_switch. Compares rows of CPUs and tasks, lists and sums with what the made-up events prove.

usage: between.py TDAT
"""
import os
import subprocess
import sys
import tempfile

from client import View, rows

tdat = sys.argv[1]
HEAD = "# tracer: nop\n#\n#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
# CPU, microseconds, pid; a loss; a switch from a pid to another one.
LOSS = "loss"
CPUS = {
    # Proven before the first switch, behind it, and up to the end; others: two tasks, idle, a single event.
    0: [(100, 7), (150, 7), (200, 7), LOSS, (300, 7), (350, 8), (390, 8), LOSS, (400, 0), (450, 0), LOSS, (500, 7),
        LOSS, (600, 8), (700, 7, 9), (750, 9), LOSS, (800, 9), (900, 9), LOSS, (1000, 8), (1100, 8)],
    # No switch: common_pid proves nothing.
    1: [(100, 7), (200, 7), LOSS, (300, 7), (400, 7)],
    # A switch proves more: the task ran up to it.
    2: [(100, 6), (200, 5), (300, 5), (400, 5, 6), LOSS, (500, 5), (600, 5), (700, 5, 6), (1100, 6)],
}
PROVEN = {0: [(100, 200, 7, "lost"), (700, 750, 9, "lost"), (800, 900, 9, "lost"), (1000, 1100, 8, None)],
          1: [], 2: [(200, 400, 5, None), (400, 400, 6, "lost"), (500, 700, 5, None), (700, 1100, 6, "end")]}


def write(path):
    lines = []
    for cpu, events in CPUS.items():
        for at, event in enumerate(events):
            if event == LOSS:
                continue
            us, pid, *pids = event
            text = (f"sched_switch: prev_comm=t prev_pid={pid} prev_prio=120 prev_state=S ==> next_comm=t "
                    f"next_pid={pids[0]} next_prio=120" if pids else "sched_waking: comm=w pid=99 prio=120 target_cpu=000")
            lost = f"CPU:{cpu} [LOST 3 EVENTS]\n" if at and events[at - 1] == LOSS else ""
            lines.append((us, f"{lost}{'t':>16}-{pid:<7} [{cpu:03}] ..... {us / 1e6:12.6f}: {text}\n"))
    with open(path, "w", encoding="ascii") as f:
        f.write(HEAD + "".join(text for _, text in sorted(lines, key=lambda line: line[0])))


def check(path, *args):
    with View(tdat, path, args=args) as view:
        view.ready()
        trace = view.get("trace")
        first, last = int(trace["from"]), int(trace["to"])
        # All of the trace, and windows inside of what is proven before and behind the first switch.
        for a, b in ((first, last), (120000, 180000), (820000, 880000), (1010000, 1090000), (420000, 640000)):
            stats = {one["cpu"]: one for one in view.get("stats", to=b, **{"from": a})["cpus"]}
            for cpu, proven in PROVEN.items():
                answer = view.get("picture", rows=f"cpu:0:{cpu}", width=2000, to=b, **{"from": a})
                want = [(1000 * t0, 1000 * t1, pid, how) for t0, t1, pid, how in proven if 1000 * t0 <= b and 1000 * t1 >= a]
                got = [(a + c["t0"], a + c["t1"], answer["tasks"][c["task"]]["pid"], c.get("open"))
                       for c in rows(answer["rows"][0])]
                assert got == want, (args, a, b, cpu, got, want)
                busy = sum(min(t1, b) - max(t0, a) for t0, t1, _, _ in want)
                assert (stats[cpu]["busy"], stats[cpu]["known"]) == (busy, busy), (a, b, stats[cpu], busy)
        for pid in (5, 6, 7, 8, 9):
            mine = sorted(run[:2] for proven in PROVEN.values() for run in proven if run[2] == pid)
            [task] = [one for one in view.get("tasks")["tasks"] if one["pid"] == pid]
            assert (task["time"], task["n"], task["first"], task["last"]) == \
                (1000 * sum(t1 - t0 for t0, t1 in mine), len(mine), str(1000 * mine[0][0]), str(1000 * mine[-1][1])), task
            answer = view.get("picture", rows=f"task:0:{pid}", width=2000, to=last, **{"from": first})
            got = sorted((first + c["t0"], first + c["t1"]) for c in rows(answer["rows"][0])
                         if answer["states"][c["state"]] == "running")
            assert got == [(1000 * t0, 1000 * t1) for t0, t1 in mine], (pid, got, mine)


with tempfile.TemporaryDirectory() as folder:
    text, made = os.path.join(folder, "trace.txt"), os.path.join(folder, "trace.dat")
    write(text)
    subprocess.run([tdat, "convert", "-q", "-o", made, text], check=True)
    for name in (text, made):
        check(name)
        check(name, "--threads", "1")
