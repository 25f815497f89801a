#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What tdat view says and draws of a file with damaged pages: in the middle of a CPU's data, at its
end, and of a file that is cut.

usage: damage.py TDAT FILE
"""
import json
import os
import re
import subprocess
import sys
import tempfile

from client import View, rows

tdat, file = sys.argv[1:3]
PAGE = 4096
RUNNING = 0


def damaged(folder, name, places):
    """A copy in which the lengths of pages, counted from the end, make no sense."""
    with open(file, "rb") as f:
        data = bytearray(f.read())
    for page in places:
        at = len(data) - page * PAGE
        data[at + 8:at + 16] = b"\xff" * 8
    path = os.path.join(folder, name)
    with open(path, "wb") as f:
        f.write(data)
    return path


def stamps(path):
    found = {}
    for line in subprocess.run([tdat, "dump", "--json", path], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, check=False).stdout.splitlines():
        e = json.loads(line)
        found.setdefault(e["cpu"], []).append((e["ts"], e.get("lost", 0)))
    return found


def check(path, pages):
    """pages: damaged ones by CPU; the last of them is the CPU's last page if the number is negative."""
    events = stamps(path)
    with View(tdat, path) as view:
        view.ready()
        trace = view.get("trace")
        first, last = int(trace["from"]), int(trace["to"])
        said = view.get("progress")["damage"]
        for cpu, count in pages.items():
            words = f"CPU {cpu}: {abs(count)} damaged page{'s' if abs(count) > 1 else ''}, "
            assert any(one.startswith(words) for one in said), (words, said)
            answer = view.get("picture", rows=[f"lost:0:{cpu}", f"cpu:0:{cpu}"], width=1000)
            lost, row = answer["rows"]
            assert lost["damage"].startswith(words.split(": ")[1]), lost
            cells = [(c["t0"] + first, c["t1"] + first) for c in rows(lost)]
            want = [(a[0], b[0]) for a, b in zip(events[cpu], events[cpu][1:]) if b[1]]
            if count < 0:
                want.append((events[cpu][-1][0], last))
            assert cells == want and cells, (cpu, cells, want)
            runs = rows(row)
            assert row["exact"] and runs
            for begin, end in cells:
                for run in runs:
                    assert run["t1"] + first <= begin or run["t0"] + first >= end, (run, begin, end)
            # The run that the damage ended says so.
            assert any(c.get("open") == "lost" and c["t1"] + first == begin for begin, _ in cells
                       for c in runs), runs
        for span in ((first, last), (first + (last - first) // 3, last)):
            stats = view.get("stats", to=span[1], **{"from": span[0]})
            assert all(c["busy"] <= c["known"] <= span[1] - span[0] for c in stats["cpus"]), stats
        lengths = [c["known"] for c in stats["cpus"]]
        _, err = view.stop()
        for cpu, count in pages.items():
            assert re.search(rf"CPU {cpu}: {abs(count)} damaged page", err), err
    return lengths


with tempfile.TemporaryDirectory() as folder:
    whole = check(damaged(folder, "whole.dat", ()), {})
    middle = check(damaged(folder, "middle.dat", (4,)), {1: 1})
    # With several damaged pages the end is not known, unless events follow the last of them.
    end = check(damaged(folder, "end.dat", (10, 4, 1)), {0: 1, 1: -2})
    assert end[1] < middle[1] < whole[1], (whole, middle, end)
    assert end[0] < middle[0] == whole[0], (whole, middle, end)
    # Damage within a page may give its last records a late time: no cell goes beyond the loss behind it.
    with open(file, "rb") as f:
        data = bytearray(f.read())
    at = len(data) - 5 * PAGE + 100
    data[at:at + 64] = b"\x1e" * 64
    late = os.path.join(folder, "late.dat")
    with open(late, "wb") as f:
        f.write(data)
    with View(tdat, late) as view:
        view.ready()
        trace = view.get("trace")
        span = int(trace["to"]) - int(trace["from"])
        stats = view.get("stats", **{"from": trace["from"], "to": trace["to"]})
        assert all(c["busy"] <= c["known"] <= span for c in stats["cpus"]), (stats["cpus"], span)
        for row in view.get("picture", rows=["cpu:0:0", "cpu:0:1"], width=10000)["rows"]:
            runs = rows(row)
            assert all(a["t1"] <= b["t0"] for a, b in zip(runs, runs[1:])), row["key"]
    cut = os.path.join(folder, "cut.dat")
    with open(file, "rb") as f, open(cut, "wb") as out:
        out.write(f.read()[:-PAGE - 1000])
    with View(tdat, cut) as view:
        view.ready()
        last = int(view.get("trace")["to"])
        first = int(view.get("trace")["from"])
        assert view.get("trace")["files"][0]["damage"]
        row = view.get("picture", rows="lost:0:1", width=100)["rows"][0]
        lost = rows(row)
        assert lost[-1]["t1"] + first == last and lost[-1]["count"] == -1, lost
        assert lost[-1]["t0"] + first == stamps(cut)[1][-1][0], lost
        # What the CPU lacks is said; it is no loss of the kernel.
        progress = view.get("progress")
        words = f"the file ends before the last {PAGE + 1000} bytes of its data"
        assert f"CPU 1: {words}" in progress["damage"], progress
        assert row["damage"] == words and not progress["lost_marks"], (row, progress)
        # Behind the cut, a task that does not run on another CPU may have run on this one.
        pids = [t["pid"] for t in view.get("tasks")["tasks"] if t["pid"]]
        tasks = view.get("picture", rows=[f"task:0:{pid}" for pid in pids], width=10000)["rows"]
        cells = [c for task in tasks for c in rows(task) if c["t0"] > lost[-1]["t0"]]
        assert any(c["state"] == RUNNING for c in cells)
        assert all(c["state"] == RUNNING or c["t1"] == c["t0"] for c in cells)
    # The CPU with the last event ends within its data: a moment, as nothing follows. Two files are named.
    with View(tdat, file) as view:
        length = view.get("trace")["recordings"][0]["cpus"][1]["len"]
    short = os.path.join(folder, "short.dat")
    with open(file, "rb") as f, open(short, "wb") as out:
        out.write(f.read()[:-length - 1])
    with View(tdat, short, file) as view:
        view.ready()
        trace = view.get("trace")
        moment = stamps(short)[0][-1][0] - int(trace["from"])
        row = view.get("picture", rows="lost:0:0", width=100)["rows"][0]
        assert (rows(row)[-1]["t0"], rows(row)[-1]["t1"], rows(row)[-1]["count"]) == (moment, moment, -1), rows(row)
        said = view.get("progress")["damage"]
        assert said == ["CPU 0 of short.dat: the file ends before the last byte of its data",
                        f"CPU 1 of short.dat: the file ends before all {length} bytes of its data"], said
    # A chunk of compressed data that cannot be inflated is not called a page.
    packed = os.path.join(folder, "packed.dat")
    subprocess.run([tdat, "convert", "-q", "--file-version", "7", "--compression", "zlib", "-o", packed, file], check=True)
    [begin] = [cpu["offset"] for cpu in json.loads(subprocess.run(
        [tdat, "info", "--json", packed], stdout=subprocess.PIPE, check=True).stdout)[0]["buffers"][0]["cpus"] if cpu["cpu"] == 0]
    with open(packed, "r+b") as f:
        f.seek(begin + 4 + 8)
        f.write(b"\xee" * 4)
    with View(tdat, packed) as view:
        view.ready()
        said = [view.get("progress")["damage"][0], view.get("picture", rows="lost:0:0", width=100)["rows"][0]["damage"]]
        said.append(view.stop()[1])
        assert all("1 damaged page or chunk, " in one for one in said), said
print("whole, middle, end, cut:", whole, middle, end)
