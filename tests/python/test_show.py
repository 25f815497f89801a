# SPDX-License-Identifier: GPL-2.0-or-later
"""What notebooks show: text of a trace stays text."""
import copy
import pickle
import urllib.request
import xml.etree.ElementTree

import pytest

import tdat
from conftest import VALID

EVIL = '<script>alert(1)</script>'


def evil(tmp_path):
    path = tmp_path / "evil&<b>.dat"
    with tdat.write(path) as w:
        switch = w.event_type({"prev_comm": str, "prev_pid": "s32", "prev_prio": "s32",
                               "prev_state": "s64", "next_comm": str, "next_pid": "s32",
                               "next_prio": "s32"}, "sched_switch", "sched")
        w.task(5, EVIL[:15])
        for i in range(4):
            a, b = (5, 6) if i % 2 else (6, 5)
            switch(1000 * (i + 1), pid=a, prev_comm=EVIL, prev_pid=a, prev_prio=120, prev_state=0,
                   next_comm=EVIL + "\x01\x1b[31m\"'", next_pid=b, next_prio=120)
        # Names of events, systems and columns that no kernel has.
        text = ("name: a\"b<i>\nID: 0\nformat:\n\tfield:unsigned short common_type;\toffset:0;"
                "\tsize:2;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
                "\tfield:int x;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: \"%d\", REC->x\n")
        try:
            number = w._core.format("<s>", text)
        except tdat.Error:
            number = None
        if number is not None:
            w._core.event(0, 0, 9000, 0, number.to_bytes(2, "little") + bytes(10))
    return tdat.open(path)


def test_html(tmp_path):
    trace = evil(tmp_path)
    pages = [trace._repr_html_()] + [r._repr_html_() for r in trace.tables.values()]
    pages += [trace.sql("SELECT * FROM sched_switch", engine=e)._repr_html_()
              for e in ("duckdb", "sqlite")]
    pages += [trace.latency("sched")._repr_html_(), trace.profile()._repr_html_(),
              trace.hist("sched/sched_switch hist:keys=next_comm")._repr_html_()]
    assert any("&lt;script&gt;" in p for p in pages)
    for page in pages:
        assert "<script" not in page and "<i>" not in page and "<b>.dat" not in page
    assert repr(trace) and repr(trace["sched_switch"]) and repr(next(iter(trace)))


def test_bounded(sched):
    """A notebook shows the first rows, and how many more there are."""
    for shown in (sched.sql("SELECT * FROM events", engine="sqlite"), sched["events"], sched.profile(),
                  sched.latency("sched", by=["pid", "comm"], worst=1000), sched.why(worst=1000),
                  sched.hist("sched/sched_switch hist:keys=next_pid,next_prio,prev_pid"), sched):
        page = shown._repr_html_()
        assert page.count("<tr>") <= 2500 and len(page) < 300_000, type(shown)
    answer = sched.sql("SELECT * FROM events", engine="sqlite")
    assert answer._repr_html_().count("<tr>") == 21 and f"{len(answer) - 20:,} more" in answer._repr_html_()


def test_rows_copy(sched):
    for row in (next(iter(sched["sched_switch"])), next(iter(sched))):
        for twin in (copy.copy(row), copy.deepcopy(row), pickle.loads(pickle.dumps(row))):
            assert repr(twin) == repr(row) and twin.ts == row.ts


def test_view(sched):
    """The page of tdat view in a frame, as long as somebody has it."""
    try:
        page = sched.view(height=300)
    except tdat.Error as e:
        pytest.skip(str(e))  # a wheel without libmicrohttpd
    with page:
        assert f'src="{page.url}"' in page._repr_html_()
        with urllib.request.urlopen(page.url) as got:
            assert "frame-ancestors" not in got.headers["Content-Security-Policy"]
            assert b"<canvas" in got.read()
    with pytest.raises(OSError):
        urllib.request.urlopen(page.url)


def test_hostile_names_are_no_sql(tmp_path):
    trace = evil(tmp_path)
    for engine in ("duckdb", "sqlite"):
        assert trace.sql("SELECT count(*) FROM sched_switch", engine=engine).fetchall() == [(4,)]
        for name in trace.tables:
            quoted = '"' + name.replace('"', '""') + '"'
            assert trace.sql(f"SELECT count(*) FROM {quoted}", engine=engine).fetchall() == \
                [(trace[name].count(),)]


def test_timeline(tmp_path, sched):
    for trace in (evil(tmp_path), sched, tdat.open(VALID / "x64-61-v6-tiny.dat"),
                  tdat.open(VALID / "x64-61-date.dat")):
        picture = trace.timeline()
        xml.etree.ElementTree.fromstring(picture.svg)
        assert "<script" not in picture.svg and picture._repr_html_() == picture.svg
    whole = sched.timeline(width=800)
    assert 'viewBox="0 0 900 ' in whole.svg and " ms</text>" in whole.svg
    assert "CPU 0" in whole.svg and "CPU 1" in whole.svg and "work.sh" in whole.svg
    part = sched.timeline("+10ms", "+20ms")
    assert part.svg != whole.svg
    part.save(tmp_path / "t.svg")
    assert (tmp_path / "t.svg").read_text(encoding="utf-8") == part.svg


def test_timeline_is_what_ran(sched):
    """The width of all slices of a CPU is its time outside of the idle task."""
    lo, hi = sched.ts("+0s"), sched.ts("-0s")
    root = xml.etree.ElementTree.fromstring(sched.timeline(width=2000).svg)
    space = "{http://www.w3.org/2000/svg}"
    drawn = {}
    for parent in [root, *root.iter(space + "g")]:
        for r in parent.findall(space + "rect"):
            if r.get("x"):
                width = float(r.get("width")) * float(r.get("fill-opacity", 1))
                drawn[r.get("y")] = drawn.get(r.get("y"), 0) + width
    busy = {}
    for ts, dur, cpu, pid, is_open in sched["sched"].select("ts", "dur", "cpu", "pid", "open").tuples():
        end = ts + dur if dur is not None else hi if is_open == "end" else ts
        if pid:
            busy[cpu] = busy.get(cpu, 0) + end - ts
    assert len(drawn) == len(busy) == 2
    for cpu, y in zip(sorted(busy), sorted(drawn, key=int)):
        assert abs(drawn[y] - busy[cpu] * 2000 / (hi - lo)) < 15


def test_cells_are_bounded(sched):
    assert f"… {sched['events'].count() - 20:,} more" in sched["events"]._repr_html_()
    wide = sched.sql("SELECT repeat('x', 1000000) AS big, range(100000) AS list FROM range(3)")
    assert len(wide._repr_html_()) < 5000 and "999,800 more letters" in wide._repr_html_()
    many = sched.sql("SELECT " + ", ".join(f"{i} AS c{i}" for i in range(3000)))
    assert len(many._repr_html_()) < 5000 and "2,940 more columns" in many._repr_html_()
