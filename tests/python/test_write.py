# SPDX-License-Identifier: GPL-2.0-or-later
"""Written files are read back by tdat and, where it is there, by trace-cmd."""
import dataclasses
import shutil
import subprocess
from typing import List

import pandas
import pyarrow
import pytest

import tdat
from conftest import VALID, dump, run

try:
    from typing import Annotated
except ImportError:
    from typing_extensions import Annotated


@dataclasses.dataclass
class Request:
    kind: Annotated[int, "u8"]
    size: int
    done: bool
    path: str
    data: bytes
    parts: List[int]
    codes: "u16[]"  # noqa: F821


@pytest.mark.parametrize("order", ["little", "big"])
@pytest.mark.parametrize("version", [6, 7])
def test_dataclass(tmp_path, order, version):
    path = tmp_path / "w.dat"
    with tdat.write(path, byte_order=order, version=version, clock="local") as w:
        assert not path.exists()
        w.task(7, "server")
        for i in range(500):
            w.emit(Request(i % 256, -i * 10**12, i % 2 == 0, f"/p/é{i}", bytes([i % 256] * 3),
                           [i, -i], [i, 65535]), 1000 + i, cpu=i % 3, pid=7, lost=5 if i == 9 else 0)
    trace = tdat.open(path)
    assert trace.info[0]["byte_order"] == order and trace.info[0]["version"] == version
    rows = list(trace["request"])
    assert len(rows) == 500 and rows[9].lost == 5
    for i, r in enumerate(rows):
        assert (r.ts, r.cpu, r.field_pid if "field_pid" in r.keys() else r.pid, r.comm) == \
            (1000 + i, i % 3, 7, "server")
        assert (r.kind, r.size, r.done, r.path) == (i % 256, -i * 10**12, i % 2 == 0, f"/p/é{i}")
        assert (r.data, r.parts, r.codes) == ([i % 256] * 3, [i, -i], [i, 65535])
    subprocess.run([tdat._program.program(), "check", "--quiet", str(path)], check=True)
    text = run("dump", "--limit", "1", path).decode()
    assert "kind=0 size=0 done=1 path=/p/é0 data={0x0,0x0,0x0}" in text, text
    if shutil.which("trace-cmd") and version == 6:
        said = subprocess.run(["trace-cmd", "report", str(path)], capture_output=True, check=True)
        assert b"kind=9 size=-9000000000000 done=0 path=/p/\xc3\xa99" in said.stdout


def test_rows_of_a_table(tmp_path):
    source = tdat.open(VALID / "x64-61-conv-v7-zstd.dat")["sched_switch"]
    columns = ("ts", "cpu", "pid", "comm", "prev_comm", "prev_pid", "next_comm", "next_pid")
    with tdat.write(tmp_path / "t.dat") as w:
        assert w.table(source.select(*columns), "sched_switch", "sched") == 296
    again = tdat.open(tmp_path / "t.dat")["sched_switch"]
    assert list(again.select(*columns).tuples()) == list(source.select(*columns).tuples())
    assert again.select("ts", "cpu").to_arrow().equals(source.select("ts", "cpu").to_arrow())


def test_arrow_types(tmp_path):
    schema = pyarrow.schema([("a", pyarrow.int8()), ("b", pyarrow.uint64()), ("c", pyarrow.bool_()),
                             ("d", pyarrow.large_string()), ("e", pyarrow.list_(pyarrow.int16())),
                             ("f", pyarrow.dictionary(pyarrow.int8(), pyarrow.string()))])
    with tdat.write(tmp_path / "a.dat") as w:
        made = w.event_type(schema, "thing", "my")
        assert made.fields == {"a": "s8", "b": "u64", "c": "bool", "d": "str", "e": "s16[]",
                               "f": "str"}
        made(5, a=-3, b=2**64 - 1, c=True, d="x", e=[1, -2], f="y")
    row = next(iter(tdat.open(tmp_path / "a.dat")["my/thing"]))
    assert (row.a, row.b, row.c, row.d, row.e, row.f) == (-3, 2**64 - 1, True, "x", [1, -2], "y")
    for table in (pyarrow.table({"ts": [1], "x": [1.5]}), pyarrow.table({"x": [1]})):
        with pytest.raises((TypeError, ValueError)), tdat.write(tmp_path / "b.dat") as w:
            w.table(table, "t")
    with pytest.raises(ValueError, match="column x is null"), tdat.write(tmp_path / "b.dat") as w:
        w.table(pyarrow.table({"ts": [1, 2], "x": [1, None]}), "t")
    assert not (tmp_path / "b.dat").exists()


def test_units_of_time(tmp_path):
    for ts, ns in ((pyarrow.timestamp("s"), 10**9), (pyarrow.timestamp("ms", tz="UTC"), 10**6),
                   (pyarrow.timestamp("us"), 1000), (pyarrow.timestamp("ns"), 1),
                   (pyarrow.duration("us"), 1000), (pyarrow.int64(), 1), (pyarrow.uint32(), 1)):
        with tdat.write(tmp_path / "u.dat", force=True) as w:
            w.table(pyarrow.table({"ts": pyarrow.array([3, 7]).cast(ts), "x": [1, 2]}), "t")
        assert [e.ts for e in tdat.open(tmp_path / "u.dat").events()] == [3 * ns, 7 * ns]
    for ts in (pyarrow.array(["3"]), pyarrow.array([1.5]), pyarrow.array([True])):
        with pytest.raises(TypeError, match="is not a time"), tdat.write(tmp_path / "b.dat") as w:
            w.table(pyarrow.table({"ts": ts, "x": [1]}), "t")


class Ends:
    """A number that ends its writer when it is asked for."""

    def __init__(self, writer):
        self.writer = writer

    def __index__(self):
        self.writer._core.abandon()
        return 1


def test_writer_that_ends_in_a_call(tmp_path):
    for name in ("ts", "cpu", "buffer"):
        w = tdat.write(tmp_path / "e.dat")
        made = w.event_type({"a": "u8"}, "t")
        with pytest.raises(ValueError, match="closed"):
            made(**{"ts": 1, "a": 1, name: Ends(w)})
    w = tdat.write(tmp_path / "e.dat")
    with pytest.raises(ValueError, match="closed"):
        w.option(Ends(w), b"x")


def test_pandas(tmp_path):
    """A data frame is written; what an event cannot hold is said with the column and what to do."""
    frame = pandas.DataFrame({"ts": [10, 20], "cpu": [0, 1], "load": [1.5, 2.25], "name": ["a", "b"]})
    with tdat.write(tmp_path / "p.dat") as w:
        with pytest.raises(TypeError, match="column load: .*whole numbers.*df\\['load'\\] \\* 1000"):
            w.table(frame, "sample")
        frame["load"] = (frame["load"] * 1000).round().astype("int64")
        assert w.table(frame, "sample") == 2
        holes = pandas.DataFrame({"ts": [30, 40], "n": pandas.array([1, None], dtype="Int64")})
        with pytest.raises(ValueError, match="row 1: column n is null.*fillna"):
            w.table(holes, "holes")
        w.table(holes.fillna(-1).assign(ts=[50, 60]), "filled")
    rows = list(tdat.open(tmp_path / "p.dat")["python/sample"].select("ts", "cpu", "load", "name").tuples())
    assert rows == [(10, 0, 1500, "a"), (20, 1, 2250, "b")]


def test_wrong_values(tmp_path):
    path = tmp_path / "w.dat"
    with pytest.raises(RuntimeError), tdat.write(path) as w:
        made = w.event_type({"a": "u8", "s": str}, "t")
        for values in ({"a": 256, "s": ""}, {"a": -1, "s": ""}, {"a": 1, "s": "a\0b"},
                       {"a": 1, "s": "x" * 70000}, {"a": None, "s": ""}):
            with pytest.raises(ValueError):
                made(1, **values)
        with pytest.raises(TypeError):
            made(1, a=3)
        for fields, name in (({"a b": int}, "t2"), ({"a": int}, "t\n2"), ({"common_pid": int}, "x")):
            with pytest.raises(ValueError):
                w.event_type(fields, name)
        with pytest.raises(TypeError):
            w.event_type({"a": float}, "t3")
        for number in ({"ts": -1}, {"ts": 2**64}, {"cpu": -1}, {"cpu": 2**32}, {"cpu": 2**32 + 1},
                       {"buffer": 2**32}, {"pid": 2**31}, {"lost": -2}, {"lost": 2**63},
                       {"ts": 1.5}, {"cpu": None}):
            with pytest.raises((TypeError, ValueError, OverflowError)):
                made(**{"ts": 1, "a": 1, "s": "", **number})
        for number in (-1, 2**16 + 5, 2**64):
            with pytest.raises(ValueError):
                w.option(number, b"x")
        made(10, a=1, s="")
        raise RuntimeError
    assert not path.exists()
    for number in ({"cpus": 2**32 + 1}, {"version": 2**32 + 6}, {"cpus": -1}):
        with pytest.raises(ValueError):
            tdat.write(path, **number)
    path.write_text("mine")
    with pytest.raises(tdat.Error, match="w.dat"):
        tdat.write(path)
    assert path.read_text() == "mine"
    w = tdat.write(path, force=True)
    w.event_type({"a": "u8"}, "t")(1, a=1)
    assert w.close() == 1 and dump(path)[0]["fields"] == {"a": 1}
    with pytest.raises(ValueError):
        w.close()


@pytest.mark.parametrize("compression", ["zstd", "zlib"])
def test_data_that_compresses_well(tmp_path, compression):
    """What is written opens, however well it compresses."""
    count = 300_000
    with tdat.write(tmp_path / "c.dat", compression=compression) as w:
        w.table(pyarrow.table({"ts": [5] * count, "x": [0] * count}), "t")
        made = w.event_type({"s": str}, "long")
        for i in range(5000):
            made(10 + i, cpu=1, s="a" * 1000)
    with tdat.open(tmp_path / "c.dat") as trace:
        assert trace["t"].count() == count and trace["long"].count() == 5000
        assert {r.s for r in trace["long"]} == {"a" * 1000}
    assert (tmp_path / "c.dat").stat().st_size < count * 2
    subprocess.run([tdat._program.program(), "check", "--quiet", str(tmp_path / "c.dat")], check=True)


def test_views(tmp_path):
    """Texts as polars has them; long ones lie in buffers of their own."""
    import polars
    texts = ["a", "", "é" * 6, "exactly12 by", "more than twelve bytes", "x" * 1500]
    frame = polars.DataFrame({"ts": list(range(6)), "name": texts, "kind": polars.Series(texts, dtype=polars.Categorical)})
    with tdat.write(tmp_path / "v.dat") as w:
        assert w.table(frame[1:], "t") == 5
        w.table(pyarrow.table({"ts": range(10, 16), "v": pyarrow.array(texts, pyarrow.string_view()),
                               "b": pyarrow.array([t.encode() for t in texts], pyarrow.binary_view())}), "u")
    with tdat.open(tmp_path / "v.dat") as trace:
        assert [(r.name, r.kind) for r in trace["t"]] == [(t, t) for t in texts[1:]]
        assert [(r.v, bytes(r.b)) for r in trace["u"]] == [(t, t.encode()) for t in texts]


def test_sentences(tmp_path):
    """What an event cannot hold is said with the column and what to do."""
    import datetime
    import decimal
    day = datetime.date(2026, 1, 2)
    for values, advice in ((pyarrow.nulls(1), "leave it out"), (pyarrow.array([decimal.Decimal("1.5")]), "cast it to int64"),
                           (pyarrow.array([day]), "cast it to timestamp"), (pyarrow.array([datetime.time(1)]), "int64"),
                           (pyarrow.array([1], pyarrow.timestamp("us")), r"astype\('datetime64\[ns\]'\)"),
                           (pyarrow.array([1], pyarrow.duration("s")), "timedelta64"),
                           (pyarrow.array([b"ab"], pyarrow.binary(2)), r"cast it to binary\(\)"),
                           (pyarrow.array([[1.5]]), "integers"), (pyarrow.array([{"a": 1}]), "each of their fields")):
        with pytest.raises(TypeError, match=f"^column x has .*{advice}"), tdat.write(tmp_path / "s.dat") as w:
            w.table(pyarrow.table({"ts": [1], "x": values}), "t")
    with pytest.raises(OverflowError, match="64 bits"), tdat.write(tmp_path / "s.dat") as w:
        w.table(pandas.DataFrame({"ts": [1], "x": pandas.Series([2**64], dtype=object)}), "t")
    with pytest.raises(TypeError, match="pandas.DataFrame"), tdat.write(tmp_path / "s.dat") as w:
        w.table({"ts": [1]}, "t")
    with pytest.raises(ValueError, match=f"ts: {2**63} is not from 0 to"), tdat.write(tmp_path / "s.dat") as w:
        w.table(pyarrow.table({"ts": pyarrow.array([1, 2**63], pyarrow.uint64()), "x": [1, 2]}), "t")
    with pytest.raises(ValueError, match="a trace.dat is written here"):
        tdat.write("memory://traces/w.dat")
    assert not (tmp_path / "s.dat").exists()
