# SPDX-License-Identifier: GPL-2.0-or-later
"""Queries: DuckDB and SQLite say the same, and what the plan pushes into the reader changes nothing."""
import random

import duckdb
import pytest

import tdat
from tdat import _extension, _sql

QUERIES = (
    "SELECT next_comm, count(*) AS n FROM sched_switch GROUP BY 1 ORDER BY n DESC, 1",
    'SELECT cpu, min(ts), max(ts) FROM "sched/sched_switch" GROUP BY 1 ORDER BY 1',
    "SELECT w.pid, count(*) FROM sched_wakeup w JOIN sched_switch s ON w.field_pid = s.next_pid "
    "WHERE w.cpu = 0 AND s.cpu = 1 GROUP BY 1 ORDER BY 1",
    "SELECT count(*) FROM sched_switch a, sched_switch b WHERE a.ts = b.ts AND a.cpu = 0",
    "SELECT state, sum(dur) FROM thread_state GROUP BY 1 ORDER BY 1",
    "SELECT event, count(*) FROM events WHERE cpu IN (0, 1) AND pid <> 0 GROUP BY 1 ORDER BY 1",
    "WITH x AS (SELECT * FROM events WHERE cpu = 1) SELECT count(*) FROM x",
    "SELECT count(*) FROM tasks",
)


@pytest.mark.parametrize("query", QUERIES)
def test_both_engines(sched, query):
    one, two = (sched.sql(query, engine=e) for e in ("duckdb", "sqlite"))
    assert one.fetchall() == two.fetchall() and len(one) > 0
    assert one.to_arrow().num_rows == two.to_arrow().num_rows == len(one) == len(one.to_polars())


def test_what_is_pushed(sched):
    answer = sched.sql("SELECT next_comm FROM sched_switch WHERE ts >= 64800000000 AND "
                       "ts < 64900000000 AND cpu = 1 AND pid IN (0, 380) AND next_comm = 'x AND y'")
    assert answer.pushed == {"sched_switch": {
        "columns": ["cpu", "next_comm", "pid", "ts"], "ts": (64800000000, 64899999999),
        "cpu": [1], "pid": [0, 380]}}
    answer = sched.sql("SELECT count(*) FROM sched_switch WHERE cpu = 1 OR prev_pid = 0")
    assert answer.pushed == {"sched_switch": {"columns": ["cpu", "prev_pid"]}}
    assert sched.sql("SELECT count(*) FROM events").pushed["events"]["columns"] == ["ts"]
    # Two scans of a table have two conditions.
    answer = sched.sql("SELECT (SELECT count(*) FROM events WHERE cpu = 0), "
                       "(SELECT count(*) FROM events WHERE cpu = 1)")
    assert "cpu" not in answer.pushed["events"] and len(answer) == 1
    assert sched.sql("SELECT * FROM sched_switch LIMIT 3").to_arrow().num_columns == 21


@pytest.mark.parametrize("table", ["sched", "thread_state", "wakeup", "migration"])
def test_derived_tables_take_conditions(sched, table):
    every = rows_of(sched[table])
    lo, hi = sorted(r[0] for r in every)[len(every) // 3], sorted(r[0] for r in every)[len(every) // 2]
    pid = every[len(every) // 3][2]
    query = f"SELECT ts, cpu, pid, dur FROM {table} WHERE ts >= {lo} AND ts < {hi} AND pid = {pid}"
    answer = sched.sql(query, engine="duckdb")
    assert answer.pushed == {table: {"columns": ["cpu", "dur", "pid", "ts"], "ts": (lo, hi - 1),
                                     "pid": [pid]}}
    assert answer.fetchall() == sched.sql(query, engine="sqlite").fetchall() == \
        [r for r in every if lo <= r[0] < hi and r[2] == pid] != []
    assert rows_of(sched[table]._with(span=(lo, hi)).cpu(1)) == \
        [r for r in every if lo <= r[0] <= hi and r[1] == 1]


def rows_of(relation):
    return list(relation.select("ts", "cpu", "pid", "dur").tuples())


def test_pushed_rows_are_not_read(sched):
    relation = sched["sched_switch"]
    wanted = _sql._plan(duckdb, {"sched_switch": relation},
                        "SELECT count(*) FROM sched_switch WHERE cpu = 1 AND ts > 64800000000", ())
    narrow = wanted["sched_switch"].narrow(relation)
    assert narrow.count() == relation.cpu(1).time(64800000001).count() < relation.count()
    batch = next(narrow.to_batches())
    assert batch.schema.names == relation.columns
    assert {f.name for f in batch.schema if str(f.type) != "null"} == {"ts", "cpu"}
    batch.validate(full=True)


@pytest.mark.parametrize("seed", range(25))
def test_random_conditions(sched, seed):
    rng = random.Random(seed)
    every = [r[0] for r in sched["sched_switch"].select("ts").tuples()]

    def condition(depth=0):
        kind = rng.randrange(8 if depth < 2 else 6)
        if kind == 0:
            return f"ts {rng.choice(['<', '<=', '>', '>=', '='])} {rng.choice(every)}"
        if kind == 1:
            a, b = sorted(rng.sample(every, 2))
            return f"ts BETWEEN {a} AND {b}"
        if kind == 2:
            return f"cpu {rng.choice(['=', '<>', '<', '>='])} {rng.randrange(3)}"
        if kind == 3:
            return f"pid IN ({', '.join(str(rng.choice([0, 380, 381, 15, -1])) for _ in range(3))})"
        if kind == 4:
            return f"next_comm = '{rng.choice(['work.sh', 'a AND cpu = 5', 'it''s'])}'"
        if kind == 5:
            return f"next_prio > {rng.randrange(90, 125)}"
        word = rng.choice([" AND ", " OR "])
        text = word.join(condition(depth + 1) for _ in range(rng.randrange(2, 4)))
        return rng.choice(["({})", "NOT ({})"]).format(text)

    query = f"SELECT ts, next_comm FROM sched_switch WHERE {condition()} ORDER BY 1, 2"
    assert sched.sql(query).fetchall() == sched.sql(query, engine="sqlite").fetchall(), query


@pytest.mark.parametrize("column,edges", [("ts", (-2**63, 2**63 - 1)), ("cpu", (0, 2**32 - 1)),
                                          ("pid", (-2**31, 2**31 - 1))])
def test_edges(sched, column, edges):
    for edge in edges:
        for value in (edge - 1, edge, edge + 1):
            for op in ("<", "<=", ">", ">=", "="):
                query = f"SELECT count(*) FROM sched_switch WHERE {column} {op} {value}"
                assert sched.sql(query).fetchall() == \
                    sched.sql(query, engine="sqlite").fetchall(), query


def test_parameters(sched):
    query = "SELECT count(*) FROM sched_switch WHERE cpu = ? AND next_comm = ?"
    counts = [sched.sql(query, (0, "work.sh"), engine=e).fetchall() for e in ("duckdb", "sqlite")]
    assert counts[0] == counts[1] and counts[0][0][0] > 0
    with pytest.raises(ValueError):
        sched.sql(query, (0,), engine="sqlite")


def test_dates():
    from conftest import VALID
    trace = tdat.open(VALID / "x64-61-date.dat")
    event = next(iter(trace)).name
    rows = trace.sql(f"SELECT min(ts), count(*) FROM {event} WHERE ts > TIMESTAMP '2000-01-01'")
    assert rows.fetchall()[0][1] == trace[event].count()


def test_sqlite_reads_only(sched):
    for text in ("CREATE TABLE x(a); INSERT INTO x VALUES (1)", "ATTACH 'x' AS y", "DELETE FROM events"):
        with pytest.raises(tdat.Error):
            sched.sql(text, engine="sqlite")
    with pytest.raises(ValueError):
        sched.sql("SELECT 1; SELECT 2", engine="sqlite")
    assert sched.sql("SELECT time('+1s')", engine="sqlite").fetchall() == [(sched.ts("+1s"),)]
    assert sched.sql("SELECT count(*) FROM sched_slice", perfetto=True).fetchall()[0][0] > 0
    with pytest.raises(ValueError):
        sched.sql("SELECT 1", engine="duckdb", perfetto=True)


def test_answers(sched, monkeypatch):
    """Each query runs once; an empty answer has its columns; sums are integers; a statement may have no result."""
    monkeypatch.setattr(_extension, "path", lambda: None)
    reads = []
    made = _sql._Source.__arrow_c_stream__

    def count(self, requested_schema=None):
        reads.append(self)
        return made(self, requested_schema)

    _sql._Source.__arrow_c_stream__ = count
    try:
        answer = sched.sql("SELECT sum(dur), sum(dur::HUGEINT * 10000000000000) FROM thread_state")
        assert len(reads) == 1
        # Table sched, whose name is a part of the other, is not read, and lists of tables read none.
        sched.sql("SELECT count(*), max(next_pid) FROM sched_switch, (SELECT 1)")
        assert {s.relation.name for s in reads} == {"thread_state", "sched/sched_switch"}
        reads.clear()
        assert len(sched.sql("SHOW TABLES", engine="duckdb")) > 20 and not reads
    finally:
        _sql._Source.__arrow_c_stream__ = made
    total = sum(d for d, in sched.sql("SELECT dur FROM thread_state WHERE dur IS NOT NULL"))
    assert answer.fetchall() == [(total, total * 10000000000000)]
    assert all(type(v) is int for v in answer.fetchall()[0])
    assert str(answer.to_arrow().schema.types[0]) == "int64"
    for engine in ("duckdb", "sqlite"):
        none = sched.sql("SELECT ts, comm FROM events WHERE cpu = 99", engine=engine)
        assert none.columns == ["ts", "comm"] == none.to_arrow().column_names and len(none) == 0
    assert sched.sql("CREATE TABLE x AS SELECT 1 AS a").fetchall() in ([], [(1,)])


def test_errors(sched):
    with pytest.raises(duckdb.Error, match="nowhere"):
        sched.sql("SELECT * FROM nowhere")
    with pytest.raises(duckdb.CatalogException, match='mean "sched_switch"'):
        sched.sql("SELECT * FROM sched_swich")
    for text in ("SELEC 1", "SELECT nope FROM sched_switch"):
        with pytest.raises(duckdb.Error) as e:
            sched.sql(text)
        assert "EXPLAIN" not in str(e.value)
    with pytest.raises(tdat.Error, match="SQL: no such table: nowhere"):
        sched.sql("SELECT * FROM nowhere", engine="sqlite")
    assert len(sched.sql("SHOW TABLES")) >= len(sched.tables)


QUOTED = (
    'SELECT cpu, count(*) FROM "sched/sched_switch" WHERE ts > 64800000000 GROUP BY 1 ORDER BY 1',
    'SELECT * FROM "sched/sched_switch"', 'SELECT id + 1 FROM options ORDER BY 1', 'SELECT * FROM "tasks"',
    "-- a comment\n/* SELECT */ SELECT ts FROM sched_switch WHERE cpu = 1",
    '/* one */ /* two */\n(SELECT count(*) FROM "sched/sched_switch")',
)


@pytest.mark.parametrize("query", QUOTED)
def test_quoted_names_and_comments(sched, query):
    """Names that DuckDB quotes, and comments before a query, change nothing in what the reader takes over."""
    answer = sched.sql(query, engine="duckdb")
    table, = answer.pushed
    assert answer.pushed[table]["columns"] and f'{table}' in query
    if "WHERE" in query:
        assert answer.pushed[table].keys() & {"ts", "cpu"}
    if " * " not in query and not query.startswith("/*"):
        assert answer.fetchall() == sched.sql(query, engine="sqlite").fetchall()


@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
def test_named_parameters(sched, engine):
    query = "SELECT count(*) FROM sched_switch WHERE cpu = $cpu AND next_comm = $comm"
    named = sched.sql(query, {"comm": "work.sh", "cpu": 0}, engine=engine).fetchall()
    assert named == sched.sql(query.replace("$cpu", "?").replace("$comm", "?"), [0, "work.sh"],
                              engine=engine).fetchall() and named[0][0] > 0
    for wrong in ({"cpu": 0}, {"cpu": 0, "comm": "", "more": 1}, {"cpu": 0, "com": ""}):
        with pytest.raises((duckdb.Error, ValueError)):
            sched.sql(query, wrong, engine=engine)
    with pytest.raises(TypeError, match="a list of values, or a dict"):
        sched.sql(query, "ab", engine=engine)


def test_hints(sched):
    """Errors say what to write instead."""
    for query, hint in (("SELECT * FROM events WHERE ts > time('+1s')", r'trace\.ts\("\+1s"\)'),
                        ("SELECT percentile(dur, 99) FROM wakeup", "quantile_cont")):
        with pytest.raises(duckdb.Error, match=hint):
            sched.sql(query)
    assert sched.sql("SELECT count(*) FROM events WHERE ts >= $since", {"since": sched.ts("+0.1s")}).fetchall() == \
        sched.sql("SELECT count(*) FROM events WHERE ts >= time('+0.1s')", engine="sqlite").fetchall()
    for query, hint in (("SELECT * FROM sched_swich", "did you mean 'sched_switch'"),
                        ("SELECT next_com FROM sched_switch", "did you mean 'next_comm'")):
        with pytest.raises(tdat.Error, match=hint):
            sched.sql(query, engine="sqlite")
    with pytest.raises(ValueError, match="there is no query"):
        sched.sql("CREATE TABLE x(a)", engine="sqlite")
    with pytest.raises(ValueError, match="one by one"):
        sched.sql("SELECT 1; SELECT 2", engine="sqlite")


def test_a_name_that_is_not_utf8(tmp_path):
    import os
    from conftest import VALID
    path = os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.dat")
    with open(path, "wb") as out:
        out.write((VALID / "x64-61-conv-v7-zstd.dat").read_bytes())
    with tdat.open(path) as trace:
        assert trace.sql("SELECT cpu + 0, count(*) FROM events GROUP BY 1").to_arrow().num_rows == 2
