# SPDX-License-Identifier: GPL-2.0-or-later
"""Answers of the program are those that other ways of counting give."""
import json
from collections import Counter, defaultdict

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
            groups[tuple(str(k) for k in key)].append(v)
    assert len(groups) == len(facts["groups"])
    for g in facts["groups"]:
        values = sorted(groups[tuple(g["key"].values())])
        n = len(values)
        assert (g["count"], g["sum"], g["min"], g["max"]) == (n, sum(values), values[0], values[-1])
        for name, part in (("p50", 500), ("p90", 900), ("p99", 990), ("p99.9", 999)):
            assert g[name] == values[max(0, -(-n * part // 1000) - 1)]
    limited = sched.latency(table, value, by=by, cpu=1)
    assert 0 < limited["rows"] < facts["rows"]


def test_profile(sched):
    facts = sched.profile()
    assert facts == json.loads(run("profile", "--json", sched._paths[0]))
    on_cpu = Counter()
    for pid, dur in sched["sched"].select("pid", "dur").tuples():
        on_cpu[pid] += dur or 0
    assert {t["pid"]: t["on_cpu"] for t in facts["tasks"] if t["on_cpu"]} == \
        {p: d for p, d in on_cpu.items() if d and p}


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
