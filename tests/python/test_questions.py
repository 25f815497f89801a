# SPDX-License-Identifier: GPL-2.0-or-later
"""Answers of the program are those that other ways of counting give."""
import json
import warnings
from collections import Counter, defaultdict

import pyarrow.parquet
import pytest

import tdat
from conftest import VALID, run


@pytest.mark.parametrize("table,value,by", [("wakeup", "dur", ["comm", "pid"]),
                                            ("thread_state", "dur", ["state"]),
                                            ("sched_switch", "next_prio", ["cpu"])])
def test_latency(sched, table, value, by):
    facts = sched.latency(table, value, by=by)
    assert facts == json.loads(run("latency", "--json", "--table", sched[table].name, "--value",
                                   value, "--by", ",".join(by), sched._paths[0]))[0]
    groups = defaultdict(list)
    for *key, v in sched[table].select(*by, value).tuples():
        if v is not None:
            groups[tuple(key)].append(v)
    assert len(groups) == len(facts["groups"])
    for g in facts["groups"]:
        values = sorted(groups[tuple(g["key"].values())])
        n = len(values)
        assert (g["count"], g["sum"], g["min"], g["max"]) == (n, sum(values), values[0], values[-1])
        for name, part in (("p50", 500), ("p90", 900), ("p99", 990), ("p99.9", 999)):
            assert g[name] == values[max(0, -(-n * part // 1000) - 1)]
    limited = sched.latency(table, value, by=by, cpu=1)
    assert 0 < limited["rows"] < facts["rows"]


@pytest.mark.parametrize("name", ["x64-61-conv-v7-zstd.dat", "x64-61-clock-x86-tsc.dat"])
def test_times(name, tmp_path):
    """Numbers are values of the column ts everywhere, texts those of the program."""
    trace = tdat.open(VALID / name)
    times = [e.ts for e in trace.events()]
    lo, hi = times[len(times) // 4], times[len(times) // 2]
    inside = sum(lo <= t <= hi for t in times)
    for time in ((lo, hi), (lo, trace._time_text(hi)), (trace._time_text(lo), hi)):
        assert sum(1 for _ in trace.events(time=time)) == inside
        assert trace["events"].time(*time).count() == inside
        trace.export("parquet", tmp_path / "p", tables="events", time=time, force=True)
        assert pyarrow.parquet.read_table(tmp_path / "p").num_rows == inside
    for reader in (trace["events"].time, lambda *time: trace.events(time=time), trace.timeline,
                   lambda *time: trace.export("chrome", tmp_path / "c", time=time)):
        for time in ((hi, lo), (trace._time_text(hi), trace._time_text(lo))):
            with pytest.raises(tdat.Error) as e:
                result = reader(*time)
                result.count() if hasattr(result, "count") else list(result)
            assert e.value.status == "usage"
    with pytest.raises(TypeError):
        trace.latency("sched_switch", "next_prio", time=(1.5, None))


def test_times_of_questions(sched):
    wakeups = list(sched["wakeup"].select("ts", "dur").tuples())
    lo, hi = (wakeups[len(wakeups) * n // 4][0] for n in (1, 3))
    assert sched.latency(time=(lo, hi))["rows"] == sched["wakeup"].time(lo, hi).count() > 0
    facts = sched.profile(time=(lo, hi))
    assert facts == json.loads(run("profile", "--json", f"--from={lo}ns", f"--to={hi}ns",
                                   sched._paths[0]))
    assert facts["cpus"] and facts != sched.profile()


def test_profile(sched):
    facts = sched.profile()
    assert facts == json.loads(run("profile", "--json", sched._paths[0]))
    on_cpu = Counter()
    for pid, dur in sched["sched"].select("pid", "dur").tuples():
        on_cpu[pid] += dur or 0
    assert {t["pid"]: t["on_cpu"] for t in facts["tasks"] if t["on_cpu"]} == \
        {p: d for p, d in on_cpu.items() if d and p}


def test_why(sched):
    path = sched._paths[0]
    for options, args in (({}, []), ({"worst": 3}, ["--worst=3"]), ({"comm": "work.sh"}, ["--task=work.sh"]),
                          ({"of": "wakeups", "summary": True}, ["--summary"]),
                          ({"comm": "work.sh", "time": ("+10ms", "+20ms")},
                           ["--task=work.sh", "--from=+10ms", "--until=+20ms"]),
                          ({"comm": "work.sh", "of": "all", "time": (sched.ts("+10ms"), None)},
                           ["--task=work.sh", "--of=all", f"--from={sched.ts('+10ms')}ns"])):
        found = sched.why(**options)
        assert found == json.loads(run("why", "--json", *args, path)) and found, options
    assert "segments" in found._repr_html_()
    for wrong in ({"of": "nothing"}, {"of": "all"}, {"summary": True, "worst": 2}):
        with pytest.raises(ValueError):
            sched.why(**wrong)


def test_diff(sched):
    path = sched._paths[0]
    half = {"a": {"time": ("+0s", "+50ms")}, "b": {"time": ("+50ms", None)}}
    args = ["--a=--until +50ms --from +0s", "--b=--from +50ms"]
    for options, more in (({}, []), ({"by": "pid"}, ["--by=pid"]), ({"min_change": 0}, ["--min-change=0"]),
                          ({"cpu": 0}, ["--cpu=0"])):
        assert tdat.diff(sched, sched, **half, **options) == \
            json.loads(run("diff", "--json", *args, *more, path)), options
    other = tdat.open(VALID / "s390x-61-v7-zstd-sched.dat")
    found = tdat.diff([sched, sched], other)
    assert found["a"]["samples"] == 2 and found["changes"]
    assert sched.diff(other) == json.loads(run("diff", "--json", path, other._paths[0]))
    with pytest.raises(tdat.Error, match="sample on each side"):
        tdat.diff([], sched)
    with pytest.raises(ValueError):
        tdat.diff(sched, sched, by="name")


def test_hist(sched):
    trigger = "sched/sched_switch hist:keys=next_comm:vals=next_prio:sort=hitcount.descending"
    hist = sched.hist(trigger)
    assert hist.text.encode() == run("hist", sched._paths[0], trigger)
    counts = Counter(r[0] for r in sched["sched_switch"].select("next_comm").tuples())
    assert f"Hits: {sum(counts.values())}" in str(hist) and hist._repr_html_().startswith("<pre>")
    with pytest.raises(tdat.Error, match="error: Couldn't find field") as e:
        sched.hist("sched/sched_switch hist:keys=nothing")
    assert e.value.status == "usage"
    assert "lat" in sched.hist(
        "sched/sched_waking hist:keys=pid:ts0=common_timestamp.usecs",
        "sched/sched_switch hist:keys=next_pid:us=common_timestamp.usecs-$ts0:"
        "onmatch(sched.sched_waking).trace(lat,$us,next_pid)",
        "synthetic/lat hist:keys=pid,us.log2:sort=pid,us", synth="lat u64 us; pid_t pid").text


def test_export(sched, tmp_path):
    import pyarrow.parquet
    out = tmp_path / "s.parquet"
    assert sched.export("parquet", out, tables="sched/sched_switch", cpu=1) == []
    assert pyarrow.parquet.read_table(out).num_rows == sched["sched_switch"].cpu(1).count()
    with pytest.raises(tdat.Error, match="s.parquet") as e:
        tdat.export(sched._paths[0], "parquet", out, tables="sched/sched_switch")
    assert e.value.status in ("usage", "failed")
    with pytest.raises(tdat.Error):
        tdat.export(sched, "nothing", out)
    with pytest.raises(TypeError):
        sched.export("parquet", out, colour=3)
    tdat.export([sched._paths[0], VALID / "x64-61-v6-tiny.dat"], "parquet", tmp_path / "lake", partition=["event", "file"])
    assert (tmp_path / "lake" / "event=sched_switch").is_dir()


def test_convert(tmp_path):
    foreign = VALID.parent / "foreign" / "kmemtrace"
    out = tmp_path / "k.dat"
    assert tdat.convert(foreign / "be64_smp", out) == []
    assert len(list(tdat.open(out))) == 12
    with pytest.raises(tdat.Error, match="trailing bytes"):
        tdat.convert(foreign / "bad_truncated_record", tmp_path / "c.dat")
    assert not (tmp_path / "c.dat").exists()
    said = tdat.convert(foreign / "bad_truncated_record", tmp_path / "c.dat", warnings="keep")
    assert any("trailing bytes" in s for s in said) and (tmp_path / "c.dat").exists()
    tdat.convert(out, tmp_path / "six.dat", version=6)
    assert tdat.open(tmp_path / "six.dat").info[0]["version"] == 6


def test_program(sched):
    from tdat import _program
    assert _program.run(["--version"]).output.decode().split()[1] == tdat.__version__
    assert _program.path_text("-x.dat") == "./-x.dat"


def test_what_was_not_recorded():
    """Answers that are empty because events were not recorded warn, by the sentence of the program."""
    path = VALID / "x64-61-syscalls.dat"
    with tdat.open(path) as trace:
        for ask in (trace.latency, lambda: trace["wakeup"].to_arrow(), lambda: list(trace["wakeup"]),
                    lambda: trace["wakeup"].count(), lambda: trace.sql("SELECT count(*) FROM wakeup"),
                    lambda: trace.sql("SELECT * FROM wakeup LIMIT 3"),
                    lambda: trace.sql("SELECT s.comm, w.dur FROM syscall AS s LEFT JOIN wakeup AS w ON s.pid = w.pid"),
                    lambda: trace.sql("SELECT max(dur) FROM wakeup", engine="sqlite")):
            with pytest.warns(tdat.TraceWarning, match="^wakeup needs sched/sched_switch and .*; this trace has "
                                                       ".*trace-cmd record -e sched_switch") as found:
                ask()
            assert {w.filename for w in found} == {__file__}
        with pytest.warns(tdat.TraceWarning, match="^critical_path needs"):
            assert trace.why() == []
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert trace["syscall"].count() and not trace["syscall"].pid(99999).count()
            assert trace.sql("SELECT count(*) FROM syscall WHERE pid = 99999").fetchall() == [(0,)]
    with tdat.open(VALID / "x64-lab612-user-events.dat") as trace, pytest.warns(tdat.TraceWarning, match="^sched needs"):
        trace.profile()


def test_names_that_are_not_known(tmp_path):
    """Numbers of system calls have no names without a machine."""
    with tdat.write(tmp_path / "n.dat") as w:
        enter, leave = (w.event_type(f, n, "raw_syscalls") for f, n in (
            ({"id": "s64", "args": "u64[]"}, "sys_enter"), ({"id": "s64", "ret": "s64"}, "sys_exit")))
        enter(1, pid=5, id=0, args=[])
        leave(2, pid=5, id=0, ret=3)
    with tdat.open(tmp_path / "n.dat") as trace:
        for ask in (lambda: trace["syscall"].to_arrow(), lambda: trace.sql("SELECT name FROM syscall")):
            with pytest.warns(tdat.TraceWarning, match="syscall: omitted 1 times: name of a system call"):
                ask()


def test_wrong_options(sched, tmp_path):
    for ask in (lambda: sched.latency(time="+2s"), lambda: sched.latency(time=("+2s",)), lambda: sched.why(time=5),
                lambda: list(sched.events(time="+2s")),
                lambda: tdat.export(sched, "parquet", tmp_path / "x.parquet", tables="events", time="+2s")):
        with pytest.raises(ValueError, match="time must be a pair of start and end"):
            ask()
    with pytest.raises(TypeError, match="start and end"):
        sched["sched_switch"].time(("+1s", "+2s"))
    with pytest.raises(KeyError, match="did you mean 'wakeup'"):
        sched["waekup"]
    for many in (tmp_path, tmp_path / "*.dat"):
        with pytest.raises(tdat.Error, match=r"tdat.open\(\*sorted\(glob.glob\("):
            tdat.open(many)
