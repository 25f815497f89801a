#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Traces of 4, 96 and 4,096 CPUs with as many events: rows of several CPUs are the sums of their CPUs,
answers do not grow with the CPUs, and 4,096 CPUs open in at most three times what 4 take. Summaries of
400,000 events are given up when nobody waits for them.

usage: many.py TDAT MANY_CPUS EVENTS
"""
import collections
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

from client import View, rows

tdat, many_cpus, events = sys.argv[1:4]
WIDTH = 1000


def folded(first, count):
    """Keys of the rows for CPUs, as the page and reports have them."""
    size = 1
    while -(-count // size) > 16:
        size *= 16
    return [f"cpus:0:{at}-{min(at + size, first + count) - 1}" if size > 1 else f"cpu:0:{at}"
            for at in range(first, first + count, size)]


def processors(view):
    """Seconds of processors that a server took: not the time on the clock, in which others run, too."""
    with open(f"/proc/{view.process.pid}/stat", encoding="ascii") as f:
        times = f.read().rsplit(")", 1)[1].split()
    return (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")


def idle(view):
    while not (view.get("progress")["ready"] and view.get("progress")["jobs"] == 0):
        time.sleep(0.05)


def opens(path, count):
    """Seconds of processors until the index is complete and the first rows are drawn from it."""
    best = None
    keys = folded(0, count) if count > 64 else [f"cpu:0:{cpu}" for cpu in range(count)]
    for _ in range(5):
        with View(tdat, path) as view:
            page = len(view.request(view.path)[2])
            idle(view)
            picture = view.get("picture", rows=["events", *keys[:20]], width=WIDTH)
            took = processors(view)
            best = took if best is None else min(best, took)
    return best, page, len(json.dumps(picture))


def sums(path, count, key, first, last):
    """The row of several CPUs against rows of each: busy and known time by column."""
    answers = []
    with View(tdat, path) as view:
        view.ready()
        trace = view.get("trace")
        assert trace["recordings"][0]["cpu_list"] == f"0-{count - 1}", trace["recordings"]
        assert trace["recordings"][0]["cpu_total"] == count
        assert len(trace["recordings"][0]["cpus"]) == min(count, 256)
        assert trace["recordings"][0]["rows"] == folded(0, count)
        begin, end = int(trace["from"]), int(trace["to"])
        for window in ((begin, end), (begin + (end - begin) // 3, begin + (end - begin) // 3 + 4000000)):
            group = view.get("picture", rows=key, width=WIDTH, to=window[1], **{"from": window[0]})
            row = group["rows"][0]
            assert row["kind"] == "cpus" and row["cpus"] == last - first + 1, row["cpus"]
            assert row["opens"] == folded(first, last - first + 1), row["opens"]
            pixel = (window[1] - window[0]) / WIDTH
            want = collections.defaultdict(lambda: [0.0, 0.0])
            for cpu in range(first, last + 1):
                one = view.get("picture", rows=f"cpu:0:{cpu}", width=WIDTH, to=window[1],
                               **{"from": window[0]})["rows"][0]
                for c in rows(one):
                    x0, x1 = max(0, c["t0"] / pixel), min(WIDTH, c["t1"] / pixel)
                    for x in range(int(x0), min(WIDTH, int(x1) + 1)):
                        part = (min(x1, x + 1) - max(x0, x)) * pixel
                        if part > 0:
                            want[x][0] += c["busy"] * part / (c["t1"] - c["t0"])
                            want[x][1] += c["known"] * part / (c["t1"] - c["t0"])
            got = {round(c["t0"] / pixel): (c["busy"], c["known"]) for c in rows(row)}
            # Sums from the index are spread over a sixteenth of its bins: two pixels of 20.
            height = pixel * row["cpus"] / 10
            assert len(got) > WIDTH * 0.9, len(got)
            for x, (busy, known) in want.items():
                have = got.get(x, (0, 0))
                assert abs(have[0] - busy) <= height and abs(have[1] - known) <= height, \
                    (key, window, x, have, busy, known, height)
            answers.append(len(got))
        stats = view.get("stats")
        assert stats["cpus_total"] == count and len(stats["cpus"]) == min(count, 256)
        assert stats["events"] == int(events)
    return answers


def given_up(path):
    """Summaries that nobody waits for: when the server ends, and when the client has gone."""
    summaries = {"sums": {}, "diff": {}, "why": {"rec": 0, "pid": 1},
                 "pair": {"pair": "sched/sched_switch(next_pid) -> sched/sched_switch(prev_pid)"}}
    with View(tdat, path) as view:
        idle(view)
        before = processors(view)
        whole = {name: view.get(name, **params) for name, params in summaries.items()}
        took = processors(view) - before
    with View(tdat, path) as view:
        idle(view)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        own = processors(view)
        for name, params in summaries.items():
            assert view.ask(name, **params)[1] == {"pending": True}, name
        assert view.stop()[0] == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        ending = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime - own
    print(f"summaries take {took:.2f} s of processors, an end in the midst of them {ending:.2f}")
    assert ending < took / 2, (ending, took)
    # The server stands still until the client has not asked for long, so that nothing is done before.
    with View(tdat, path) as view:
        idle(view)
        spans = [{"a_to": int(view.get("trace")["to"]) - i} for i in range(9)]
        for span in spans[:8]:
            assert view.ask("diff", **span)[1] == {"pending": True}
        status, answer = view.ask("diff", **spans[8])
        assert status == 503 and "too many" in answer["error"], answer
        view.process.send_signal(signal.SIGSTOP)
        time.sleep(6)
        view.process.send_signal(signal.SIGCONT)
        idle(view)
        # None was made: a client that comes again has to wait, and gets what another one got.
        for span in (spans[8], spans[0]):
            assert view.ask("diff", **span)[1] == {"pending": True}
        assert view.get("diff", **spans[0]) == whole["diff"]


with tempfile.TemporaryDirectory() as folder:
    files = {}
    for cpus in (4, 96, 4096):
        files[cpus] = os.path.join(folder, f"{cpus}.dat")
        subprocess.run([many_cpus, files[cpus], str(cpus), events], check=True)
    print(sums(files[96], 96, "cpus:0:16-31", 16, 31))
    print(sums(files[4096], 4096, "cpus:0:256-511", 256, 511))
    # A still picture has the rows of the page, and is bounded: of many rows it is made of fewer pixels.
    keys = [f"cpu:0:{cpu}" for cpu in range(96)]
    for cpus, args, labels, width in (
            (4096, [], [key.replace("cpus:0:", "CPUs ") for key in folded(0, 4096)], 1200),
            (96, ["--view", "&".join(f"row={key}" for key in keys), "--width", "16384"],
             [key.replace("cpu:0:", "CPU ") for key in keys], None)):
        svg = subprocess.run([tdat, "view", "--svg", "-o", "-", *args, files[cpus]], check=True,
                             capture_output=True).stdout.decode()
        assert re.findall(r'<text x="4"[^>]*>([^<]*)<', svg) == labels
        wide = int(re.search(r'width="(\d+)"', svg)[1]) - 160
        assert wide == width or (width is None and wide < 16384), wide
        assert len(svg) < 7 << 20
        print(f"{len(svg)} bytes of SVG, {wide} pixels")
    given_up(files[4])
    took = {cpus: opens(path, cpus) for cpus, path in files.items()}
    print({cpus: (round(one[0], 3), *one[1:]) for cpus, one in took.items()})
    assert took[4096][1] < took[4][1] + (64 << 10), "the page grows with the CPUs"
    assert took[4096][2] < 8 << 20, "the picture grows with the CPUs"
    assert took[4096][0] <= 3 * took[4][0], "4,096 CPUs take more than three times what 4 take"
