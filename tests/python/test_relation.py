# SPDX-License-Identifier: GPL-2.0-or-later
"""Selections give the rows that a look at all rows gives."""
import pickle

import pytest

import tdat
from conftest import FILES, VALID, dump, run


def rows(relation):
    return list(relation.tuples())


def test_time_cpu_pid(sched):
    table = sched["sched_switch"].select("ts", "cpu", "pid", "next_pid")
    every = rows(table)
    lo, hi = every[40][0], every[200][0]
    inside = [r for r in every if lo <= r[0] <= hi]
    assert 0 < len(inside) < len(every)
    assert rows(table.time(lo, hi)) == inside
    assert rows(table.time(lo)) == [r for r in every if r[0] >= lo]
    assert rows(table.time(None, hi).cpu(1)) == [r for r in every if r[0] <= hi and r[1] == 1]
    assert rows(table.pid(0)) == [r for r in every if r[2] == 0]
    start = sched.ts("+100ms")
    assert rows(table.time("+100ms")) == [r for r in every if r[0] >= start]
    assert rows(sched["events"].select("ts").time(lo, hi).cpu(0)) == \
        [(d["ts"],) for d in dump(sched._paths[0]) if d["cpu"] == 0 and lo <= d["ts"] <= hi]


def test_where(sched):
    table = sched["sched_switch"].select("cpu", "next_pid", "next_prio")
    every = rows(table)
    assert rows(table.where("next_pid == 0")) == [r for r in every if r[1] == 0]
    both = table.where("next_pid != 0 || next_prio < 100").where("next_prio == 120")
    assert rows(both) == [r for r in every if (r[1] or r[2] < 100) and r[2] == 120]
    with pytest.raises(tdat.Error, match="none of its events has a field 'nothing'") as e:
        rows(table.where("nothing == 3"))
    assert e.value.status == "not found"
    with pytest.raises(ValueError):
        sched["tasks"].where("pid == 3")
    with pytest.raises(ValueError):
        sched["tasks"].time("+1s")


def test_derived_tables(sched):
    every = rows(sched["sched"].select("ts", "dur", "cpu", "pid", "comm"))
    assert len(every) > 100
    assert rows(sched["sched"].select("ts", "dur", "cpu", "pid", "comm").cpu(1)) == \
        [r for r in every if r[2] == 1]
    assert rows(sched["sched"].select("ts", "dur", "cpu", "pid", "comm").pid(0)) == \
        [r for r in every if r[3] == 0]
    lo, hi = every[30][0], every[60][0]
    assert rows(sched["sched"].select("ts", "dur", "cpu", "pid", "comm").time(lo, hi)) == \
        [r for r in every if r[0] <= hi and (r[1] is None or r[0] + r[1] >= lo)]
    list(sched["syscall"])
    assert all(n.count > 0 for n in sched.left_out)


def test_head_and_pieces(sched):
    for name in ("sched_switch", "events", "symbols", "sched"):
        every = rows(sched[name])
        for n in (0, 1, 7, len(every), len(every) + 1):
            assert rows(sched[name].head(n)) == every[:n]
            assert sched[name].head(n).to_arrow().num_rows == min(n, len(every))
        assert sched[name].head(9).head(20).count() == min(9, len(every))
        for pieces in (1, 3, 16):
            assert sum((rows(sched[name].split(i, pieces)) for i in range(pieces)), []) == every


def test_head_stops_early():
    table = tdat.open(FILES[0])["events"].head(5).to_arrow()
    table.validate(full=True)
    assert table.num_rows == 5


def test_names(sched):
    assert sched["sched_switch"].name == sched["sched/sched_switch"].name == "sched/sched_switch"
    assert sched["sched"].kind == "derived" and sched["sched_switch"].kind == "event"
    assert "sched_switch" in sched.tables and "nothing" not in sched.tables
    assert "events" in list(sched.tables) and len(sched.tables) == len(list(sched.tables))
    with pytest.raises(KeyError):
        sched["nothing"]
    with pytest.raises(tdat.Error, match="no column 'nothing'"):
        sched["events"].select("nothing").to_arrow()
    text = next(sched["events"].select("text", "ts").tuples())[0]
    assert text.encode() == run("dump", "--limit", "1", sched._paths[0]).splitlines()[1]


def test_options():
    path = VALID / "x64-61-date.dat"
    plain, raw, no_date = (tdat.open(path, **o) for o in ({}, {"raw_ts": True}, {"no_date": True}))
    first = [next(iter(t)).ts for t in (plain, raw, no_date)]
    assert first == [dump(path, *a)[0]["ts"] for a in ([], ["--raw-ts"], ["--nodate"])]
    assert len(set(first)) > 1
    pairs = ["q: sched/sched_waking(pid) -> sched/sched_switch(next_pid)"]
    trace = tdat.open(VALID / "x64-61-conv-v7-zstd.dat", pairs=pairs)
    assert trace["q"].count() > 10
    again = pickle.loads(pickle.dumps(trace))
    assert rows(again["q"]) == rows(trace["q"])


def test_events_by_filter(sched):
    path = sched._paths[0]
    for ours, theirs in (({"where": "sched_switch: prev_pid == 0"},
                          ["-F", "sched_switch: prev_pid == 0"]),
                         ({"event": ["sched_w*", "sched_switch"]},
                          ["-e", "sched_w*", "-e", "sched_switch"]),
                         ({"cpu": 1, "time": ("+10ms", "+50ms")},
                          ["--cpu", "1", "--from", "+10ms", "--to", "+50ms"]),
                         ({"comm": "trace-cmd", "limit": 5}, ["--comm", "trace-cmd", "--limit", "5"])):
        assert [(e.ts, e.name) for e in sched.events(**ours)] == \
            [(d["ts"], d["event"]) for d in dump(path, *theirs)]


def test_closed(sched):
    stream = sched["events"]._stream()
    rows = iter(sched["thread_state"])
    next(rows)
    sched.close()
    assert sum(1 for row in rows) > 100
    with pytest.raises(ValueError):
        sched["events"].to_arrow()
    assert stream.count() > 1000


def test_wrong_numbers(sched):
    for relation in (sched["events"].cpu(-1), sched["events"].cpu(1 << 40), sched["events"].cpu("x"),
                     sched["events"].pid(1 << 31), sched["events"].pid(None)):
        with pytest.raises((TypeError, ValueError, OverflowError)):
            relation.count()
    for call in (sched["events"].comm, sched["events"].buffer, lambda: sched.timeline(width=0),
                 lambda: sched.latency(time=("+1s",)), lambda: sched.hist("nothing hist:keys=cpu")):
        with pytest.raises((ValueError, tdat.Error)) as e:
            call()
        assert "null" not in str(e.value)


def test_too_many_pieces(sched):
    events = sched["events"]
    assert sum(events.split(i, 2**32 - 1).count() for i in range(100)) == events.count()
    assert not events.split(2**32 - 2, 2**32 - 1).count()
