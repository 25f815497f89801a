#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The sums of disk requests in a span (api/sums) against those of requests that are made up here, and of
recordings against SQL.

usage: io_sums.py TDAT SEED [FILE...]
"""
import collections
import json
import os
import random
import subprocess
import sys
import tempfile

from client import View

tdat, seed = sys.argv[1:3]
random.seed(int(seed))
DEVICES, KINDS, US = ("8,0", "8,16", "254,0"), ("R", "RA", "W", "WS", "FF"), 1000
STEPS = {"queue": "block_bio_queue: {dev} {rwbs} {sector} + 8 [dd]",
         "insert": "block_rq_insert: {dev} {rwbs} 4096 () {sector} + 8 none,0,0 [dd]",
         "issue": "block_rq_issue: {dev} {rwbs} 4096 () {sector} + 8 none,0,0 [dd]",
         "complete": "block_rq_complete: {dev} {rwbs} () {sector} + 8 none,0,0 [0]"}


def make(path):
    """Requests as (begin, end, name); without an end they are open at the end of the file."""
    lines, requests = [], []
    for number in range(400):
        dev, rwbs = random.choice(DEVICES), random.choice(KINDS)
        steps = random.choice((("queue", "insert", "issue"), ("queue", "issue"), ("issue",)))
        steps += ("complete",) if random.random() < 0.95 else ()
        at = sorted(random.sample(range(1, 20000), len(steps)))
        begin = random.randrange(1000000)
        for step, us in zip(steps, at):
            lines.append((begin + us, STEPS[step].format(dev=dev, rwbs=rwbs, sector=8 * number)))
        last = (begin + at[-1]) * US if steps[-1] == "complete" else None
        requests.append(((begin + at[0]) * US, last, f"{dev} {rwbs}"))
    lines.sort()
    with open(path, "w", encoding="ascii") as f:
        f.write("# tracer: nop\n#\n#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n")
        for us, text in lines:
            f.write(f"              dd-161     [{us % 2:03}] ..... {us // 1000000:5}.{us % 1000000:06}: {text}\n")
    end = lines[-1][0] * US
    return [(a, end if b is None else b, name) for a, b, name in requests]


def sums(requests, first, last):
    found = collections.defaultdict(lambda: [0, 0, 0])
    for begin, end, name in requests:
        if begin <= last and end >= first:
            one = found[name]
            one[0] += 1
            one[1] += min(end, last) - max(begin, first)
            one[2] = max(one[2], end - begin)
    return dict(found)


def by_sql(path, first, last, end):
    query = f"""
        WITH r AS (SELECT dev || ' ' || rwbs AS name, ts, coalesce(ts + dur, CASE open WHEN 'end' THEN {end} ELSE ts END) AS till
                   FROM block_io)
        SELECT name, count(*) AS n, sum(min(till, {last}) - max(ts, {first})) AS time, max(till - ts) AS longest
        FROM r WHERE ts <= {last} AND till >= {first} GROUP BY name"""
    done = subprocess.run([tdat, "sql", "--json", path, query], check=True, capture_output=True, text=True)
    return {row["name"]: [row["n"], row["time"], row["longest"]] for row in json.loads(done.stdout)}


def compare(path, requests=None):
    """The number of sums that were compared, in spans at random."""
    compared = 0
    with View(tdat, path) as view:
        view.ready()
        trace = view.get("trace")
        begin, end = int(trace["from"]), int(trace["to"])
        assert not requests or end == max(one[1] for one in requests), end
        for turn in range(8):
            span = sorted(random.sample(range(begin, end + 1), 2)) if turn else (begin, end)
            answer = view.get("sums", to=span[1], **{"from": span[0]})
            # A table without rows in the span is missing.
            table = {"columns": ["name", "n", "time", "longest"], "cells": [], "total": 0, "left_out": 0}
            table = next((one for one in answer["tables"] if one["table"] == "block_io"), table)
            assert table["columns"] == ["name", "n", "time", "longest"], table["columns"]
            found = {cell[0]: cell[1:] for cell in table["cells"]}
            if requests:
                assert found == sums(requests, *span), span
            if trace["sql"]:
                assert found == by_sql(path, *span, end), span
            assert table["total"] == len(found) and table["left_out"] == 0
            times = [cell[2] for cell in table["cells"]]
            assert times == sorted(times, reverse=True), times
            compared += len(found)
    return compared


with tempfile.TemporaryDirectory() as folder:
    dat, text = os.path.join(folder, "io.dat"), os.path.join(folder, "io.txt")
    made = make(text)
    subprocess.run([tdat, "convert", "-q", "-o", dat, text], check=True)
    counts = [compare(dat, made), *(compare(path) for path in sys.argv[3:])]
print(f"{' and '.join(map(str, counts))} sums are right")
assert min(counts) > 10 and counts[0] > 80, counts
