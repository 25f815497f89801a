#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The still picture of tdat view --svg: its intervals against the tables that tdat export writes.

usage: svg.py TDAT FILE
"""
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

tdat, file = sys.argv[1:3]
SVG = "{http://www.w3.org/2000/svg}"


def run(*args, status=0):
    done = subprocess.run([tdat, *args], capture_output=True)
    assert done.returncode == status, (args, done.returncode, done.stderr)
    return done.stdout


def table(name):
    """Its intervals; those that are open end with the trace."""
    rows = [json.loads(line) for line in
            run("export", "--to", "jsonl", "--table", name, "-q", "-o", "-", file).splitlines()]
    for row in rows:
        if row["dur"] is None:
            assert row["open"] == "end", row
            row["dur"] = end - int(row["ts"])
    return rows


def draw(*args, path=file):
    return xml.fromstring(run("view", "--svg", "-o", "-", *args, path))


def nanoseconds(text):
    return int(text.replace(".", ""))


def rows_of(picture):
    """Cells by label: x, width, name and number, begin, end."""
    rows, label = {}, None
    for element in picture:
        if element.tag == SVG + "text" and element.get("x") == "4":
            label = rows.setdefault(element.text, [])
        title = element.find(SVG + "title")
        if element.tag == SVG + "rect" and not element.get("class") and title is not None:
            name, first, last = re.fullmatch(r"(.*), ([\d.]+) to ([\d.]+)", title.text, re.S).groups()
            label.append((float(element.get("x")), float(element.get("width")), name,
                          nanoseconds(first), nanoseconds(last)))
    return rows


def check(found, wanted, first, last, width):
    """The same intervals, but those that fill no pixel; each fills the pixels that its times say."""
    pixels = {}
    for one in wanted:
        left = math.ceil(150 + (max(one[1], first) - first) / (last - first) * width - 0.01)
        right = math.floor(150 + (min(one[2], last) - first) / (last - first) * width + 0.01)
        if right > left:
            pixels[one] = (left, right - left)
    assert {cell[2:]: cell[:2] for cell in found} == pixels, ({cell[2:] for cell in found} ^ pixels.keys())


def touches(row, first, last):
    return int(row["ts"]) < last and int(row["ts"]) + int(row["dur"]) > first


def interval(row, name):
    return name, int(row["ts"]), int(row["ts"]) + int(row["dur"])


end = int(json.loads(run("dump", "--json", "--json-strings", file).splitlines()[-1])["ts"])
sched = [row for row in table("sched") if int(row["pid"]) != 0]
states = table("thread_state")
pid = int(max(sched, key=lambda row: int(row["dur"]))["pid"])
first, last = (int(sched[at]["ts"]) + 1 for at in (len(sched) // 4, len(sched) // 2))
args = ("--from", f"{first}ns", "--to", f"{last}ns", "--row", f"task:0:{pid}")
rows = rows_of(draw(*args))
for cpu in {int(row["cpu"]) for row in sched}:
    check(rows[f"CPU {cpu}"], {interval(row, f"{row['comm']}-{row['pid']}") for row in sched
                               if int(row["cpu"]) == cpu and touches(row, first, last)}, first, last, 1200)
comm = [row["comm"] for row in sched if int(row["pid"]) == pid][-1]
check(rows[f"{comm}-{pid}"], {interval(row, row["state"]) for row in states
                              if int(row["pid"]) == pid and touches(row, first, last)}, first, last, 1200)
assert run("view", "--svg", "-o", "-", *args, file) == \
    run("view", "--svg", "-o", "-", "--threads", "1", *args, file)
assert draw("--width", "64").get("width") == str(150 + 64 + 10)

# Names are text: of the file, and of tasks, which are made as long as they were.
with tempfile.TemporaryDirectory() as folder:
    hostile = os.path.join(folder, "<script>&'\"\x01.dat")
    shutil.copy(file, hostile)
    with open(hostile, "r+b") as f:
        data = f.read().replace(b"rcu_sched", b"<a>&\x1b\xff\"'b")
        f.seek(0)
        f.write(data)
    picture = draw(path=hostile)
    assert picture.find(SVG + "title").text.startswith("<script>&'\"\ufffd.dat: ")
    names = {cell[2] for cells in rows_of(picture).values() for cell in cells}
    assert any(name.endswith("<a>&\ufffd\ufffd\"'b-14") for name in names), names
    assert {element.tag for element in picture.iter()} <= {
        SVG + tag for tag in ("svg", "title", "style", "rect", "path", "text", "defs", "pattern")}

def shares_of(picture):
    """The remark below each label: "busy 12.3%"."""
    found, label = {}, None
    for element in picture:
        if element.tag == SVG + "text" and element.get("x") == "4":
            label = element.text
        elif element.get("class") == "remark":
            found[label] = element.text
    return found


# Of all of the trace the shares are those of the tables, and so is the legend.
begin = int(json.loads(run("dump", "--json", "--json-strings", file).splitlines()[0])["ts"])
whole = draw("--row", f"task:0:{pid}", "--row", "events")
shares = shares_of(whole)
stats = json.loads(re.search(rb'"stats":(.*?),\n', run("view", "-o", "-", file))[1])
for cpu in {int(row["cpu"]) for row in sched}:
    # The statistics have what ran before the first switch, too.
    [busy] = [100 * one["busy"] / one["known"] for one in stats["cpus"] if one["cpu"] == cpu]
    assert abs(float(re.fullmatch(r"busy ([\d.]+)%", shares[f"CPU {cpu}"])[1]) - busy) < 0.1, (cpu, busy, shares)
ran = sum(int(row["dur"]) for row in states
          if int(row["pid"]) == pid and row["state"] == "running") / (end - begin) * 100
assert abs(float(re.match(r"running ([\d.]+)%", shares[f"{comm}-{pid}"])[1]) - ran) < 0.2, (ran, shares)
assert shares["events"] == f"{len(run('dump', '--json', file).splitlines())} events"
legend = [element.text for element in whole if element.get("class") == "name" and
          element.text and re.search(r" [\d.]+%$", element.text)]
times = {}
for row in sched:
    times[row["comm"]] = times.get(row["comm"], 0) + int(row["dur"])
assert [text.rsplit(" ", 1)[0] for text in legend[:3]] == sorted(times, key=times.get, reverse=True)[:3], legend

# The rows, the window and the notes of a view of the page, and no other rows.
note = (first + last) // 2
address = (f"http://127.0.0.1:1/x/#row=task%3A0%3A{pid}&row=events%3A0%3A0&from={first}&to={last}"
           f"&note={note}%3Awhy+%3Cthis%3E&a={first + 5}&b=1&pane=marks")
picture = draw("--view", address)
assert [element.text for element in picture if element.get("x") == "4"] == [f"{comm}-{pid}", "events of CPU 0"]
assert rows_of(picture)[f"{comm}-{pid}"] == rows[f"{comm}-{pid}"]
notes = {element.find(SVG + "title").text: float(re.match(r"M([\d.]+)", element.get("d"))[1])
         for element in picture if element.get("class") == "note"}
assert notes.keys() == {"why <this>", "A"} and abs(notes["why <this>"] - 750) < 1, notes

# Damage is no loss: it has a mark of its own, also at the end of the CPU that has the last event, in rows of
# a CPU's states and of its events.
with tempfile.TemporaryDirectory() as folder:
    cut = os.path.join(folder, "cut.dat")
    with open(file, "rb") as f, open(cut, "wb") as g:
        g.write(f.read()[:-5096])
    dumped = [json.loads(line) for line in run("dump", "--json", file).splitlines()]
    cpus = [arg for cpu in {event["cpu"] for event in dumped} for arg in ("--row", f"events:0:{cpu}")]
    for path, damaged, chosen in ((file, False, []), (cut, True, []), (file, False, cpus), (cut, True, cpus)):
        answer = subprocess.run([tdat, "view", "--svg", "-o", "-", *chosen, path], capture_output=True)
        assert answer.returncode == damaged, answer
        marks = [element for element in xml.fromstring(answer.stdout) if element.get("class") in ("lost", "damaged")]
        assert [mark.get("class") for mark in marks] == ["damaged"] * damaged * (2 if chosen else 1), marks
        words = [element.text for element in xml.fromstring(answer.stdout) if element.get("class") == "name"]
        assert ("damaged" in words) == damaged, words
    assert marks[0].find(SVG + "title").text == "damaged: the file ends before the last 5096 bytes of its data"
    assert marks[0].get("fill") != "#c00", marks[0].attrib

for wrong in (["--svg"], ["--svg", "-o", "-", "--row", "nothing"], ["--svg", "-o", "-", "--row", "task:9:1"],
              ["--svg", "-o", "-", "--view", "#rows=1"]):
    assert run("view", *wrong, file, status=2) == b"", wrong
print({label: len(cells) for label, cells in rows.items()})
