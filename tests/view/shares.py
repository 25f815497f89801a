#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Rows of CPUs and tasks against tdat sql: in each pixel column each state is as high as its share
of the pixel's time, to one pixel of a row that is 24 high. Of answers, made from the file and from
the index, and of still pictures.

usage: shares.py TDAT FILE...
"""
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

from client import View, rows
from truth import Truth

tdat, files = sys.argv[1], sys.argv[2:]
TALL, BAR, WIDTH, GUTTER = 24, 20, 1000, 150
SVG = "{http://www.w3.org/2000/svg}"
PLACES = {"running": 0, "runnable": 1, "preempted": 1, "uninterruptible": 2}
# The last one is of dead tasks, which count as sleeping in shares.
FILLS = {"#078158": 0, "#96620a": 1, "#7a4fa0": 2, "#e6e6e1": 3, "#fff": 3}
bad, done, partly = [], 0, 0


def lines(*words):
    text = subprocess.run([tdat, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False).stdout.decode("utf-8", "replace")
    return [json.loads(line) for line in text.splitlines()]


def intervals(path, first, last):
    """By row: (begin, end, place of the state in a column)."""
    truth = Truth(lines("dump", "--json", path))
    found = {}

    def add(kind, buffer, number, begin, end, place):
        found.setdefault((kind, buffer, number), []).append((begin, end, place))

    def end_of(r, cpu):
        return (r["ts"] + r["dur"] if r["dur"] is not None else
                truth.lost_at(r["buffer"], cpu, r["ts"]) if r["open"] == "lost" else last)

    for r in lines("sql", "--jsonl", path, "SELECT ts, dur, open, cpu, pid, buffer FROM sched"):
        add("cpu", r["buffer"], r["cpu"], r["ts"], end_of(r, r["cpu"]), 0 if r["pid"] else 3)
    for r in lines("sql", "--jsonl", path,
                   "SELECT ts, dur, open, cpu, pid, state, buffer FROM thread_state"):
        add("task", r["buffer"], r["pid"], r["ts"],
            end_of(r, r["cpu"] if r["state"] == "running" else None), PLACES.get(r["state"], 3))
    for buffer, cpu, pid, begin, end in truth.early:
        add("cpu", buffer, cpu, begin, end, 0 if pid else 3)
        if pid:
            add("task", buffer, pid, begin, end, 0)
    return found


def columns(parts, first, last):
    """The share of each state in each pixel; parts are begin, end and the states' shares of that."""
    made = [[0.0] * 4 for _ in range(WIDTH)]
    pixel = (last - first) / WIDTH
    for begin, end, shares in parts:
        x0, x1 = max(0, (begin - first) / pixel), min(WIDTH, (end - first) / pixel)
        for x in range(int(x0), WIDTH):
            part = min(x1, x + 1) - max(x0, x)
            if part <= 0:
                break
            for place, share in enumerate(shares):
                made[x][place] += part * share
    return made


def of_answer(row, kind, answer, first):
    """The same of the cells of an answer."""
    parts = []
    for c in rows(row):
        length = max(1, c["t1"] - c["t0"])
        if kind == "cpu":
            times = [c["busy"], 0, 0, c["known"] - c["busy"]]
        elif "running" in c:
            times = [c["running"], c["runnable"], c["blocked"], c["sleeping"]]
        else:
            times = [0] * 4
            times[PLACES.get(answer["states"][c["state"]], 3)] = length
        parts.append((first + c["t0"], first + c["t1"], [time / length for time in times]))
    return parts


def of_picture(elements, is_cpu):
    """The same of the rectangles and paths of a still picture; unknown has the fifth place."""
    made = [[0.0] * 5 for _ in range(WIDTH)]
    for e in elements:
        fill = e.get("fill") or ""
        place = 4 if fill == "url(#unknown)" else 0 if is_cpu else FILLS[fill]
        if e.tag == SVG + "rect":
            steps = [(float(e.get("x")), float(e.get("width")), float(e.get("height")))]
        else:
            steps = [(float(x), float(w), abs(float(a) - float(b))) for x, a, b, w in
                     re.findall(r"M([\d.]+) ([\d.]+)V([\d.]+)h([\d.]+)", e.get("d"))]
        for x, width, height in steps:
            for at in range(int(x) - GUTTER, int(x) - GUTTER + int(width)):
                made[at][place] += height / BAR
    return made


def compare(got, want, tall, what):
    global done, partly
    for x, (a, b) in enumerate(zip(got, want)):
        done += 1
        partly += 0.05 < b[0] < 0.95
        if any(abs(p - q) * tall > 1 for p, q in zip(a, b)):
            bad.append(f"{what} column {x}: {[round(p, 3) for p in a]} is not {[round(q, 3) for q in b]}")
            return


def compare_answers(path, args, found, zooms, recs):
    with View(tdat, path, args=args) as view:
        view.ready()
        for first, last in zooms:
            for kind, buffer, number in found:
                key = f"{kind}:{recs[buffer]}:{number}"
                answer = view.get("picture", rows=key, width=WIDTH, to=last, **{"from": first})
                row = answer["rows"][0]
                # What is finer than a row of more states than are kept is told, not drawn.
                if row.get("coarse"):
                    continue
                want = [(a, b, [float(p == place) for p in range(4)])
                        for a, b, place in found[kind, buffer, number]]
                compare(columns(of_answer(row, kind, answer, first), first, last),
                        columns(want, first, last), TALL, f"{path} {key} {first}..{last} {args}")


def compare_picture(path, found, first, last, unit, recs):
    tasks = [key for key in found if key[0] == "task"][:40]
    options = [word for key in tasks for word in ("--row", f"task:{recs[key[1]]}:{key[2]}")]
    text = subprocess.run([tdat, "view", "--svg", "-o", "-", "--width", str(WIDTH), "--from",
                           f"{first}{unit}", "--to", f"{last}{unit}", *options, path],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    drawn, label = {}, None
    for e in xml.fromstring(text):
        if e.tag == SVG + "text" and e.get("x") == "4":
            label = drawn.setdefault(e.text, [])
        elif label is not None and (e.get("class") == "share" or (e.tag == SVG + "rect" and
                                                                 not e.get("class"))):
            label.append(e)
    for kind, buffer, number in [key for key in found if key[0] == "cpu"] + tasks:
        mine = f", rec {recs[buffer]}" if len(recs) > 1 else ""
        label = [name for name in drawn if name == f"CPU {number}{mine}" or
                 (kind == "task" and re.search(rf"[- ]{number}{mine}$", name) and
                  not name.startswith("CPU "))]
        got = of_picture(drawn[label[0]], kind == "cpu")
        want = columns([(a, b, [float(p == place) for p in range(4)])
                        for a, b, place in found[kind, buffer, number]], first, last)
        # Idle is white, and what is neither known nor drawn would be, too: both are compared.
        compare([[*c[:3], 1 - sum(c[:3]) - c[4]] if kind == "cpu" else c[:4] for c in got],
                want, BAR, f"{path} {label[0]} {first}..{last} svg")


for file in files:
    with View(tdat, file) as one:
        trace = one.get("trace")
    begin, end = int(trace["from"]), int(trace["to"])
    numbers = {r["buffer"]: i for i, r in enumerate(trace["recordings"])}
    states = intervals(file, begin, end)
    windows = [(begin, end)] + [(begin + (end - begin) * (share - 1) // (2 * share),
                                 begin + (end - begin) * (share + 1) // (2 * share))
                                for share in (3, 10, 60, 500)]
    compare_answers(file, (), states, windows, numbers)
    compare_answers(file, ("--read-always", "1"), states, windows, numbers)
    for window in windows:
        compare_picture(file, states, *window, "ns" if trace["unit"] == "ns" else "", numbers)
print("\n".join(bad[:30]) or f"{done} columns, {partly} of them with shares of a running task")
if done < 10000 or partly < 1000:
    bad.append("too few comparisons: the test itself is broken")
    print(bad[-1])
sys.exit(1 if bad else 0)
