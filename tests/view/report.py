#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The report of tdat view: its policy, its bounds, and its data against what other commands print.

usage: report.py TDAT FILE
"""
import base64
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

tdat, file = sys.argv[1:3]


def run(*args, status=0):
    done = subprocess.run([tdat, *args], capture_output=True)
    assert done.returncode == status, (args, done.returncode, done.stderr)
    return done.stdout


def view(*args, status=0):
    return run("view", *args, file, status=status)


def lines(*args):
    return [json.loads(line) for line in run(*args, file).splitlines()]


def data_of(page):
    text = re.search(r'<script type="application/json" id="tdat-data">(.*?)</script>', page, re.S)[1]
    assert "<" not in text
    return json.loads(text)


def check_policy(page):
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'; ") and "unsafe" not in policy and "http" not in policy
    for kind, tag in (("script-src", '<script type="module">'), ("style-src", "<style>")):
        [text] = re.findall(re.escape(tag) + r"(.*?)</(?:script|style)>", page, re.S)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind} 'sha256-{digest}'" in policy, kind
    assert len(re.findall("<script", page)) == 2 and "<link rel=\"stylesheet\"" not in page
    assert not re.search(r"^(import|export) ", page, re.M)


def check_events(report, expected, count):
    events = report["events"]
    assert events["total"] == len(expected)
    shown = [(int(e["ts"]), e["cpu"], e["pid"]) for e in events["rows"]]
    assert shown == [(int(e["ts"]), int(e["cpu"]), int(e["pid"])) for e in expected[:count]]


def check_cpus(picture, first, last):
    """Where all cells are single intervals they are those of table sched that touch the span."""
    rows = lines("export", "--to", "jsonl", "--table", "sched", "-q", "-o", "-")
    for row in picture["rows"]:
        if row["kind"] != "cpu":
            continue
        assert row["exact"], row["key"]
        found = {(first + cell[0], first + cell[1], picture["tasks"][cell[2]]["pid"])
                 for cell in row["cells"] if cell[2] >= 0}
        wanted = {(int(r["ts"]), int(r["ts"]) + int(r["dur"]), int(r["pid"])) for r in rows
                  if int(r["cpu"]) == int(row["key"].split(":")[2])
                  and int(r["ts"]) <= last and int(r["ts"]) + int(r["dur"]) >= first}
        assert wanted and found <= wanted and len(wanted - found) <= 2, (found ^ wanted)
        assert all(a in (first, last) or b in (first, last) for a, b, _ in wanted - found)


events = lines("dump", "--json", "--json-strings")
page = view("-o", "-").decode()
check_policy(page)
whole = data_of(page)
assert [int(whole["trace"][k]) for k in ("from", "to")] == [int(events[i]["ts"]) for i in (0, -1)]
check_events(whole, events, 20000)
assert whole["stats"]["events"] == whole["progress"]["events"] == len(events)
assert view("-o", "-", "--threads", "1").decode() == page

# A span: its ends as dump takes them.
first = int(events[0]["ts"]) + 10_000_000
last = int(events[-1]["ts"]) - 50_000_000
of_span = lines("dump", "--json", "--json-strings", "--from", f"{first}ns", "--to", f"{last}ns")
report = data_of(view("-o", "-", "--from", "+10ms", "--until=-50ms", "--events", "100", "--width", "2048").decode())
assert report["span"] == {"from": str(first), "to": str(last)}
check_events(report, of_span, 100)
check_cpus(report["detail"], first, last)
assert report["picture"]["width"] == report["detail"]["width"] == 2048
tasks = [row for row in report["detail"]["rows"] if row["kind"] == "states"]
busiest = [f"task:{task['rec']}:{task['pid']}" for task in report["stats"]["tasks"] if task["pid"]]
drawn = {row["key"] for row in tasks if row["cells"]}
assert busiest and set(busiest[:32]) <= drawn
keys = [[row["key"] for row in report[picture]["rows"]] for picture in ("picture", "detail")]
assert keys[0] == keys[1] and len(keys[0]) == report["limits"]["rows"] <= 256
same = data_of(view("-o", "-", "--from", f"{first // 10**9}.{first % 10**9:09}", "--to", f"{last}ns",
                    "--events", "100", "--width", "2048").decode())
assert same == report
added = data_of(view("-o", "-", "--row", "event:sched/sched_waking").decode())
[row] = [row for row in added["detail"]["rows"] if row["key"] == "event:sched/sched_waking"]
assert added["first"] == ["event:sched/sched_waking"] and report["first"] == []
assert sum(cell[2] for cell in row["cells"]) == sum(e["event"] == "sched_waking" for e in events)

# Times that need 64 bits, as a broken page may have them, or a clock that is shifted far.
far = data_of(run("view", "-o", "-", file, "--ts-offset", str(2**63 - 1)).decode())
assert int(far["events"]["rows"][0]["ts"]) == int(events[0]["ts"]) + 2**63 - 1 > 2**63
assert far["events"]["total"] == len(events)

# Files: none is replaced unless asked for, and none is left half made.
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "report.html")
    view("-o", path)
    with open(path, "rb") as f:
        assert f.read().decode() == page
    view("-o", path, status=1)
    view("-o", path, "-f", "--events", "5")
    with open(path) as f:
        assert len(data_of(f.read())["events"]["rows"]) == 5
    assert os.listdir(folder) == ["report.html"]
    run("view", "-f", "-o", path, os.path.join(folder, "absent.dat"), status=1)
    run("view", "-f", "-o", file, file, status=2)
    view("-o", os.path.join(folder, "no", "report.html"), status=1)
    os.mkfifo(path + ".pipe")
    with open(path + ".got", "wb") as got:
        reader = subprocess.Popen(["cat", path + ".pipe"], stdout=got)
        view("-f", "-o", path + ".pipe")
        reader.wait(timeout=60)
    with open(path + ".got") as f:
        assert f.read() == page
    assert sorted(os.listdir(folder)) == ["report.html", "report.html.got", "report.html.pipe"]
    os.unlink(path + ".got")
    os.unlink(path + ".pipe")
    assert os.listdir(folder) == ["report.html"]
for wrong in (["--from", "1s"], ["-o", "-", "--port", "80"], ["-o", "-", "--from", "soon"],
              ["-o", "-", "--from", "-1ms", "--to", "+1ms"], ["-o", "-", "--row", "nothing"]):
    assert view(*wrong, status=2) == b"", wrong
print(f"{len(page)} bytes, {len(events)} events")
