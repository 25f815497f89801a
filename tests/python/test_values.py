# SPDX-License-Identifier: GPL-2.0-or-later
"""What Python gets is what dump --json and the exporters write."""
import copy
import json
import pickle

import duckdb
import polars
import pyarrow
import pyarrow.feather
import pytest

import tdat
from conftest import dump, run


def test_events_are_those_of_dump(each):
    expected = dump(each)
    trace = tdat.open(each)
    events = list(trace)
    assert len(events) == len(expected)
    buffers = {b["name"] for b in trace.info[0]["buffers"]}
    for e, d in zip(events, expected):
        assert (e.ts, e.cpu, e.pid, e.comm) == (d["ts"], d["cpu"], d["pid"], d["comm"])
        assert (e.system, e.name) == (d["system"], d["event"])
        assert e.buffer == d.get("buffer", "") and e.buffer in buffers
        assert e.lost == (-1 if d.get("lost") is True else d.get("lost", 0))
        fields = {k: v.hex() if isinstance(v, bytes) else v for k, v in e.fields.items()}
        assert fields == d["fields"]
        if e.system is None:
            assert e.id == d["id"]


def test_tables_are_those_of_the_exporter(each, tmp_path):
    run("export", "--quiet", "--to", "arrow", "--table", "*", "-o", tmp_path, each)
    trace = tdat.open(each)
    left = {p.name for p in tmp_path.iterdir()}
    assert left
    for name, relation in trace.tables.items():
        path = tmp_path / (name.replace("/", ".") + ".arrow")
        table = pyarrow.table(relation)
        assert table.num_rows == relation.count()
        if not table.num_rows:
            assert path.name not in left
            continue
        left.remove(path.name)
        written = pyarrow.feather.read_table(path, memory_map=False)
        assert table.schema.equals(written.schema, check_metadata=True), name
        assert table.to_pydict() == written.to_pydict(), name
        names = relation.columns
        assert [dict(zip(names, t)) for t in relation.tuples()] == plain(table), name
    assert not left


def plain(table):
    """Rows as our own decoder gives them: times are integers."""
    for i, field in enumerate(table.schema):
        if pyarrow.types.is_timestamp(field.type):
            table = table.set_column(i, field.name, table.column(i).cast(pyarrow.int64()))
    return table.to_pylist()


def test_readers_take_a_relation(sched):
    relation = sched["sched_switch"].select("ts", "cpu", "next_comm", "prev_state_name")
    rows = list(relation.tuples())
    assert len(rows) == 296
    assert [tuple(r.values()) for r in pyarrow.table(relation).to_pylist()] == rows
    assert polars.DataFrame(relation).rows() == rows
    assert polars.from_arrow(relation.to_arrow()).rows() == rows
    assert duckdb.from_arrow(relation).fetchall() == rows
    assert [tuple(r) for r in relation.to_pandas().itertuples(index=False)] == rows
    assert relation.to_polars().rows() == rows
    assert [tuple(r) for r in relation] == rows
    assert sum(b.num_rows for b in relation.to_batches()) == len(rows)
    assert pyarrow.schema(relation).names == relation.columns


def test_rows_are_small_objects(sched):
    row = next(iter(sched["sched_switch"]))
    assert row.next_comm == row["next_comm"] == "trace-cmd" and row[0] == row.ts
    assert row.keys()[:3] == ["ts", "cpu", "buffer"] and row.asdict()["next_pid"] == 381
    for same in copy.copy(row), copy.deepcopy(row), pickle.loads(pickle.dumps(row)):
        assert same == row and same.next_pid == 381
    with pytest.raises(AttributeError):
        row.nothing
    with pytest.raises(AttributeError):
        row.ts = 3
    event = next(iter(sched))
    assert event["runtime"] == event.fields["runtime"] and event.get("nothing", 3) == 3
    with pytest.raises(KeyError):
        event["nothing"]


def test_several_files_are_one_trace(sched):
    one, two = (sched._paths[0], str(tdat.__file__ and sched._paths[0]).replace("zstd", "zlib"))
    trace = tdat.open(one, two)
    rows = list(trace["sched_switch"].select("ts", "file").tuples())
    assert len(rows) == 592 and {f for _, f in rows} == {one, two}
    times = [t for t, _ in rows]
    # As dump has them: these two converted files are not in order within a CPU.
    expected = [json.loads(x) for x in run("dump", "--json", "-e", "sched_switch", one, two).splitlines()]
    assert times == [d["ts"] for d in expected]
    assert len(trace.info) == 2
