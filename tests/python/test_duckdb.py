# SPDX-License-Identifier: GPL-2.0-or-later
"""The extension of DuckDB gives the rows and types that DuckDB makes of the Arrow streams, and trace.sql reads by it."""
import os
import pathlib
import subprocess
import sys

import duckdb
import pyarrow
import pytest

import tdat
from conftest import FILES, VALID
from tdat import _extension, _sql

SCHED = VALID / "x64-61-conv-v7-zstd.dat"
DATED = VALID / "x64-61-date.dat"

SHARED = sorted(pathlib.Path(os.environ.get("TDAT_SHARED", "nowhere"), "corpus", "files").glob("*.dat"))[::10]

if _extension.path() is None:
    pytest.skip("the wheel has no extension of DuckDB (scripts/duckdb-header)", allow_module_level=True)


def loaded(**config):
    """A connection with the extension."""
    db = duckdb.connect(config={"allow_unsigned_extensions": "true", **config})
    db.execute(f"LOAD '{tdat.duckdb_extension()}'")
    return db


def arrow(result):
    """A result as a table of pyarrow."""
    return (getattr(result, "to_arrow_table", None) or result.arrow)()


def call(path, table, more=""):
    """read_tdat() of a table."""
    quoted = [str(t).replace("'", "''") for t in (path, table)]
    return f"read_tdat('{quoted[0]}', '{quoted[1]}'{more})"


def by_stream(db, relation):
    """What DuckDB makes of the stream of a table."""
    db.register("streamed", relation)
    try:
        result = db.sql("FROM streamed")
        return [str(t) for t in result.types], arrow(result)
    finally:
        db.unregister("streamed")


def test_every_table(each):
    compare_tables(each)


@pytest.mark.skipif(not SHARED, reason="no shared corpus")
def test_every_table_of_the_shared_corpus():
    """One file of ten."""
    assert len(SHARED) > 5
    for path in SHARED:
        compare_tables(path)


def compare_tables(path):
    """Compares the tables of a file that have rows, and some that have none, with their streams."""
    db = loaded()
    with tdat.open(path) as trace:
        rows = empty = 0
        for name, relation in trace.tables.items():
            if relation.head(1).count():
                rows += 1
            elif empty < 8:
                empty += 1
            else:
                continue
            types, expected = by_stream(db, relation)
            result = db.sql(f"FROM {call(path, name)}")
            assert [str(t) for t in result.types] == types, (path, name)
            assert arrow(result).equals(expected), (path, name)
        assert rows > 3


def test_several_files():
    some = [str(f) for f in FILES[3:6]]
    names = ", ".join(f"'{f}'" for f in some)
    db = loaded()
    with tdat.open(some) as trace:
        for name in ("events", "tasks", "lost"):
            types, expected = by_stream(db, trace[name])
            result = db.sql(f"FROM read_tdat([{names}], '{name}', filename := false)")
            assert [str(t) for t in result.types] == types and arrow(result).equals(expected)
            # The column of the names stands in for `file`, and last.
            whole = arrow(db.sql(f"FROM read_tdat([{names}], '{name}')"))
            assert whole.column_names == [c for c in expected.column_names if c != "file"] + ["filename"]
            assert whole["filename"].to_pylist() == expected["file"].to_pylist()


def test_patterns_and_names(tmp_path):
    for name in ("b.dat", "a.dat", "[x].dat"):
        (tmp_path / name).write_bytes(SCHED.read_bytes())
    db = loaded()
    count = db.sql(f"SELECT count(*) FROM {call(SCHED, 'events')}").fetchall()[0][0]
    found = db.sql(f"SELECT filename, count(*) FROM {call(tmp_path / '?.dat', 'events')} GROUP BY 1 ORDER BY 1")
    assert found.fetchall() == [(str(tmp_path / n), count) for n in ("a.dat", "b.dat")]
    one = call(tmp_path / "a*.dat", "sched_switch")
    assert db.sql(f"SELECT DISTINCT filename FROM {one}").fetchall() == [(str(tmp_path / "a.dat"),)]
    # A file of that name comes before the pattern, and is a single one.
    assert "filename" not in db.sql(f"FROM {call(tmp_path / '[x].dat', 'events')}").columns
    named = db.sql(f"FROM {call(tmp_path / '[x].dat', 'events', ', filename := true')}")
    assert named.columns[-1] == "filename"
    assert {r[-1] for r in named.fetchall()} == {str(tmp_path / "[x].dat")}


def test_a_field_named_filename(tmp_path):
    path = tmp_path / "f.dat"
    with tdat.write(path) as w:
        w.event_type({"filename": "u32"}, "opened")(ts=1, filename=7)
    named = loaded().sql(f"FROM {call(path, 'opened', ', filename := true')}")
    assert named.columns[-2:] == ["filename", "filename_2"]
    assert named.fetchall()[0][-2:] == (7, str(path))


@pytest.mark.parametrize("table", ["events", "sched_switch", "sched", "thread_state"])
def test_named_parameters(sched, table):
    db = loaded()
    relation = sched[table]
    every = list(relation.select("ts", "cpu", "pid").tuples())
    times = sorted(r[0] for r in every)
    lo, hi, pid = times[len(times) // 3], times[len(times) // 2], every[len(every) // 3][2]

    def rows(more):
        return db.sql(f"SELECT ts, cpu, pid FROM {call(SCHED, table, ', ' + more)}").fetchall()

    assert rows(f"since := {lo}, until := {hi}") == [r for r in every if lo <= r[0] <= hi] != []
    assert rows(f"since := {lo}") == [r for r in every if lo <= r[0]]
    assert rows(f"until := {hi}") == [r for r in every if r[0] <= hi]
    at = sched.ts("+1ms")
    assert rows("since := '+1ms'") == [r for r in every if at <= r[0]]
    for text in ("[1]", "1", "[1::UTINYINT, 1]"):
        assert rows(f"cpu := {text}") == [r for r in every if r[1] == 1] != []
    assert rows("cpu := [0, 1]") == every and rows("cpu := []") == [] == rows("pid := [-1]")
    assert rows(f"pid := [{pid}], cpu := [0, 1]") == [r for r in every if r[2] == pid] != []
    assert rows(f"since := {-2**63}, until := {2**63 - 1}") == every
    assert rows("since := NULL, cpu := NULL, buffer := NULL, damage := NULL") == every


def test_buffers():
    buffers = [VALID / f for f in os.listdir(VALID) if f.endswith(".dat")]
    found = 0
    db = loaded()
    for path in buffers:
        with tdat.open(path) as trace:
            names = [b["name"] for b in trace.info[0]["buffers"]]
            for name in names if len(names) > 1 else []:
                more = f", buffer := ['{name or 'top'}']"
                count = db.sql(f"SELECT count(*) FROM {call(path, 'events', more)}").fetchall()[0][0]
                assert count == trace["events"].buffer(name or "top").count()
                answer = trace.sql(f"SELECT count(*) FROM events WHERE buffer = '{name}'")
                assert answer.fetchall() == [(count,)]
                assert answer.pushed["events"].get("buffer") == [name]
                found += 1
                answer = trace.sql(f"SELECT ts FROM events WHERE buffer IN ('{name}', 'nowhere')")
                assert len(answer) == count and answer.pushed["events"]["buffer"] == [name]
    assert found > 1
    with tdat.open(SCHED) as trace:
        assert trace.sql("SELECT count(*) FROM events WHERE buffer = 'nowhere'").fetchall() == [(0,)]


def test_text_and_dates():
    db = loaded()
    with tdat.open(SCHED) as trace:
        lines = [t for t, in trace["sched_switch"].select("text").tuples()]
        got = db.sql(f"SELECT text FROM {call(SCHED, 'sched_switch', ', text := true')}").fetchall()
        assert [t for t, in got] == lines != []
    with tdat.open(DATED) as trace:
        events = trace["events"].select("ts").to_arrow()["ts"].cast(pyarrow.int64()).to_pylist()
    middle = events[len(events) // 2]
    for text in (str(middle), f"make_timestamp_ns({middle})", f"TIMESTAMPTZ '2000-01-01'"):
        count = db.sql(f"SELECT count(*) FROM {call(DATED, 'events', f', since := {text}')}").fetchall()[0][0]
        assert count == (len(events) if "2000" in text else sum(t >= middle for t in events))
    raw = db.sql(f"SELECT min(ts) FROM {call(DATED, 'events', ', raw_ts := true')}").fetchall()[0][0]
    with tdat.open(DATED, raw_ts=True) as trace:
        assert raw == next(trace["events"].select("ts").tuples())[0]
    plain = db.sql(f"SELECT min(ts) FROM {call(DATED, 'events', ', no_date := true')}").fetchall()[0][0]
    with tdat.open(DATED, no_date=True) as trace:
        assert plain == next(trace["events"].select("ts").tuples())[0]


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A file of several pieces."""
    path = tmp_path_factory.mktemp("large") / "large.dat"
    n = 300000
    table = pyarrow.table({"ts": pyarrow.array([1000 + 7 * i for i in range(n)]),
                           "cpu": pyarrow.array([i % 4 for i in range(n)], pyarrow.int32()),
                           "pid": pyarrow.array([i % 9 for i in range(n)], pyarrow.int32()),
                           "value": pyarrow.array(range(n), pyarrow.int64()),
                           "name": pyarrow.array([f"a name that is long: {i % 5}" for i in range(n)])})
    with tdat.write(path, compression="none") as w:
        w.table(table, "sample", system="app")
    assert path.stat().st_size > 8 << 20
    return path, n


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_pieces(large, threads):
    path, n = large
    db = loaded(threads=threads)
    total = db.sql(f"SELECT count(*), sum(value), min(ts), max(ts), count(DISTINCT name) FROM {call(path, 'sample')}")
    assert total.fetchall() == [(n, n * (n - 1) // 2, 1000, 1000 + 7 * (n - 1), 5)]
    # Rows that nobody sorts are in the order of the table, whatever the threads.
    values = arrow(db.sql(f"SELECT value, name FROM {call(path, 'app/sample')}"))
    assert values["value"].to_pylist() == list(range(n))
    assert values["name"].to_pylist() == [f"a name that is long: {i % 5}" for i in range(n)]
    assert len(db.sql(f"FROM {call(path, 'sample')} LIMIT 5").fetchall()) == 5
    some = db.sql(f"SELECT count(*) FROM {call(path, 'sample')} a JOIN {call(path, 'events')} b USING (ts)")
    assert some.fetchall() == [(n,)]


def test_plan_and_size(large):
    path, n = large
    db = loaded()
    plan = db.sql(f"EXPLAIN SELECT sum(value) FROM {call(path, 'sample')} WHERE cpu = 1").fetchall()[-1][1]
    assert "READ_TDAT" in plan and "value" in plan and "cpu" in plan and "name" not in plan.replace("filename", "")
    facts = db.sql(f"EXPLAIN (FORMAT JSON) FROM {call(path, 'events')}").fetchall()[-1][1]
    assert n // 4 < int(facts.split('"Estimated Cardinality": "')[1].split('"')[0]) < n * 4


def test_tables(sched):
    db = loaded()
    rows = db.sql(f"FROM tdat_tables('{SCHED}')")
    assert rows.columns == ["name", "kind", "system", "event", "summary", "needs", "record"]
    got = rows.fetchall()
    assert [r[:4] for r in got] == \
        [(r.name, r.kind, r._system, r._event) for r in sched.tables.values()]
    assert any(r[4] for r in got) and dict((r[0], r[1]) for r in got)["sched"] == "derived"
    with pytest.raises(duckdb.Error, match="No such file"):
        db.sql("FROM tdat_tables('nowhere.dat')")


ERRORS = (
    ("('{f}', 'sched_swich')", "has no table 'sched_swich'; did you mean 'sched_switch'"),
    ("('{f}', 'zzzzzzzz')", r"has no table 'zzzzzzzz'; tdat_tables\(\) lists them"),
    ("('{f}', NULL)", "the second parameter must be the name of a table"),
    ("('nowhere.dat', 'events')", "nowhere.dat: No such file"),
    ("('nowhere*.dat', 'events')", "no file has this name"),
    ("(NULL, 'events')", "a text or a list of texts"),
    ("([], 'events')", "at least one file"),
    ("([1], 'events')", "a text or a list of texts"),
    ("('/', 'events')", "director"),
    ("('-', 'events')", "No such file"),
    ("('{f}', 'events', cpu := 'a')", "cpu needs integers from 0"),
    ("('{f}', 'events', cpu := -1)", "cpu needs integers from 0"),
    ("('{f}', 'events', cpu := [NULL])", "cpu needs integers from 0"),
    ("('{f}', 'events', pid := 99999999999)", "pid needs integers from"),
    ("('{f}', 'events', pid := 1e30)", "pid needs integers from"),
    ("('{f}', 'events', since := 1.5)", "since needs a value of the column ts"),
    ("('{f}', 'events', since := 170141183460469231731687303715884105727)", "since needs a value"),
    ("('{f}', 'events', until := 'soon')", "until: 'soon'"),
    ("('{f}', 'events', since := TIMESTAMP '2020-01-01')", "since needs a value of the column ts"),
    ("('{f}', 'events', since := 2, until := 1)", "until, 1, is earlier than since, 2"),
    ("('{f}', 'events', buffer := [1])", "buffer needs a text"),
    ("('{f}', 'events', buffer := [])", "buffer needs a name"),
    ("('{f}', 'events', buffer := 'nowhere')", "no buffer is named 'nowhere'"),
    ("('{f}', 'events', damage := 'what')", "damage must be 'error' or 'keep'"),
    ("('{f}', 'tasks', cpu := [1])", "tasks is not a table of events, so cpu cannot be used"),
)


@pytest.mark.parametrize("text,sentence", ERRORS)
def test_errors(text, sentence):
    db = loaded()
    with pytest.raises(duckdb.Error, match=sentence) as e:
        db.sql("FROM read_tdat" + text.format(f=SCHED)).fetchall()
    assert "read_tdat: " in str(e.value)


def test_damage(tmp_path):
    """A damaged page is an error of the query, unless it is to be kept: then all else is there."""
    data = bytearray((VALID / "x64-61-v7-none-tiny.dat").read_bytes())
    with tdat.open(VALID / "x64-61-v7-none-tiny.dat") as trace:
        cpu, off, size = max(trace.info[0]["buffers"][0]["cpus"], key=lambda c: c[2])
    page = off + (size // 4096 // 2) * 4096
    data[page + 8:page + 16] = b"\xff\xff\xff\x0f\0\0\0\0"
    path = tmp_path / "broken.dat"
    path.write_bytes(data)
    db = loaded()
    for query in ("SELECT count(*) FROM {}", "SELECT event, count(*) FROM {} GROUP BY 1", "FROM {}"):
        with pytest.raises(duckdb.Error, match=f"{path}: CPU {cpu}: 1 damaged pages; the first at offset"):
            db.sql(query.format(call(path, "events"))).fetchall()
    kept = db.sql(f"SELECT count(*) FROM {call(path, 'events', chr(44) + 'damage := ' + repr('keep'))}")
    with tdat.open(path, damage="keep") as trace:
        assert kept.fetchall()[0][0] == trace["events"].count() > 0
    # A cut file does not open.
    path.write_bytes(data[:off + 100])
    with pytest.raises(duckdb.Error, match="read_tdat: "):
        db.sql(f"FROM {call(path, 'events')}")


def test_every_byte_may_be_wrong(tmp_path):
    whole = bytearray((VALID / "x64-61-v6-tiny.dat").read_bytes())
    path = tmp_path / "wrong.dat"
    db = loaded()
    read = 0
    for at in range(7, len(whole), len(whole) // 60):
        data = bytearray(whole)
        data[at] ^= 0xff
        path.write_bytes(data)
        for how in ("keep", "error"):
            try:
                for name, in db.sql(f"SELECT name FROM tdat_tables('{path}')").fetchall()[:40]:
                    db.sql(f"FROM {call(path, name, f', damage := {how!r}')}").fetchall()
                    read += 1
            except duckdb.Error as e:
                assert "tdat" in str(e)
    assert read > 100


def test_footer():
    """What DuckDB reads of the end of a file before it loads it."""
    with open(tdat.duckdb_extension(), "rb") as f:
        footer = f.read()[-512:]
    fields = [footer[at:at + 32].rstrip(b"\0").decode() for at in range(0, 256, 32)]
    platform = duckdb.sql("PRAGMA platform").fetchall()[0][0]
    assert fields == ["", "", "", "C_STRUCT", f"v{tdat.__version__}", "v1.2.0", platform, "4"]
    assert footer[256:] == bytes(256)


def test_only_unsigned():
    """DuckDB says what it wants, and a connection of the user is not changed."""
    with pytest.raises(duckdb.Error, match="allow_unsigned_extensions"):
        duckdb.connect().execute(f"LOAD '{tdat.duckdb_extension()}'")
    with tdat.open(SCHED) as trace:
        trace.sql("SELECT count(*) FROM events GROUP BY cpu")
    with pytest.raises(duckdb.Error, match="allow_unsigned_extensions"):
        duckdb.connect().execute(f"LOAD '{tdat.duckdb_extension()}'")
    with pytest.raises(duckdb.Error, match="read_tdat"):
        duckdb.sql(f"FROM {call(SCHED, 'events')}")


# ---- trace.sql ----

GROUPED = "SELECT event, count(*), min(ts) FROM events WHERE cpu = 1 AND ts > 0 GROUP BY 1 ORDER BY 1"


@pytest.fixture
def calls(monkeypatch):
    """The calls of read_tdat that trace.sql makes."""
    made = []
    real = _extension.call

    def call_(*args):
        made.append(real(*args))
        return made[-1]

    monkeypatch.setattr(_extension, "call", call_)
    return made


def without(monkeypatch, trace, query):
    """The answer by streams."""
    with monkeypatch.context() as m:
        m.setattr(_extension, "path", lambda: None)
        return trace.sql(query, engine="duckdb")


def test_sql_reads_by_the_extension(sched, calls, monkeypatch):
    answer = sched.sql(GROUPED)
    assert len(calls) == 1 and "cpu := [1]" in calls[0] and "since := 1, until := " in calls[0]
    other = without(monkeypatch, sched, GROUPED)
    assert len(calls) == 1 and answer.pushed == other.pushed
    assert answer.to_arrow().equals(other.to_arrow()) and len(answer) > 3
    # Two scans, several files, options of opening.
    join = "SELECT count(*) FROM events a JOIN events b USING (ts) WHERE a.cpu = 0"
    assert sched.sql(join).fetchall() == without(monkeypatch, sched, join).fetchall()
    with tdat.open(FILES[3], FILES[4]) as both:
        per = "SELECT file, count(*) FROM events GROUP BY 1 ORDER BY 1"
        assert both.sql(per).fetchall() == without(monkeypatch, both, per).fetchall()
    monkeypatch.chdir(VALID)
    with tdat.open(FILES[3].name, FILES[4].name) as both:
        assert both.sql(per).fetchall() == without(monkeypatch, both, per).fetchall()
    with tdat.open(DATED, raw_ts=True) as raw:
        first = "SELECT min(ts), typeof(min(ts)) FROM events"
        assert raw.sql(first).fetchall() == without(monkeypatch, raw, first).fetchall()
    assert len(calls) == 5


def test_sql_reads_by_streams_where_it_must(tmp_path, calls):
    path = tmp_path / "x.dat"
    path.write_bytes(SCHED.read_bytes())
    trace = tdat.open(path)
    assert len(trace.sql(GROUPED)) > 3 and len(calls) == 1
    # Another file has its name now.
    os.replace(path, tmp_path / "y.dat")
    path.write_bytes((VALID / "x64-61-v7-none-tiny.dat").read_bytes())
    with tdat.open(tmp_path / "y.dat") as moved:
        assert trace.sql(GROUPED).fetchall() == moved.sql(GROUPED).fetchall()
    assert len(calls) == 2
    with tdat.open(SCHED, damage="keep") as kept:
        kept.sql(GROUPED)
    with tdat.open(SCHED, pairs=["p: sched/sched_switch(next_pid) -> sched/sched_switch(prev_pid)"]) as pairs:
        assert len(pairs.sql("SELECT cpu, count(*) FROM p GROUP BY 1")) > 0
    assert len(calls) == 2


@pytest.mark.parametrize("query,direct", [
    ("SELECT * FROM events", True),
    ("SELECT ts, cpu AS c, event FROM events WHERE cpu = 1 AND ts > 64800000000", True),
    ("FROM sched_switch", True),
    ('SELECT s.pid, "s"."TS" FROM sched_switch s WHERE pid IN (0, 380)', True),
    ("SELECT event FROM formats", True),
    ("SELECT * FROM sched", True),
    ("SELECT ts, cpu FROM sched WHERE cpu = 1", False),
    ("SELECT ts, cpu + 1 AS cpu FROM events WHERE cpu = 1", False),
    ("SELECT ts, ts FROM events", False),
    ("SELECT * EXCLUDE (ts) FROM events", False),
    ("SELECT cpu FROM events e(a, cpu)", False),
    ("SELECT e.* FROM events e WHERE cpu = 0 OR cpu = 1", True),
    ("SELECT ts FROM events WHERE cpu >= 0", False),
    ("SELECT ts FROM events WHERE cpu = 1 AND (ts > 64800000000 OR pid = 1)", False),
    ("SELECT DISTINCT event FROM events ORDER BY 1", False),
    ("SELECT ts FROM events LIMIT 3", False),
    ("SELECT ts FROM events ORDER BY ts DESC", False),
    ("SELECT ts FROM events WHERE pid > 100", False),
    ("SELECT ts FROM events WHERE comm = 'x'", False),
    ("SELECT ts FROM events TABLESAMPLE 100%", False),
    ("SELECT count(*) FROM events", False),
    ("SELECT a.ts FROM events a, formats b WHERE b.event = 'sched_switch'", False),
    ("WITH e AS (SELECT ts FROM events) SELECT ts FROM e", False),
])
def test_what_the_reader_answers(sched, calls, monkeypatch, query, direct):
    """Queries that only choose columns and rows need no DuckDB; names of dictionaries are all that differs."""
    answer = sched.sql(query)
    assert bool(calls) != direct
    if "SAMPLE" in query:
        return
    with monkeypatch.context() as m:
        m.setattr(_sql, "_directly", lambda narrow: None)
        by_extension, by_streams = sched.sql(query), without(m, sched, query)
    assert answer.columns == by_extension.columns == by_streams.columns
    assert answer.fetchall() == by_extension.fetchall() == by_streams.fetchall()
    assert by_extension.to_arrow().equals(by_streams.to_arrow())
    for mine, its in zip(answer.to_arrow().schema.types, by_extension.to_arrow().schema.types):
        assert (mine.value_type if pyarrow.types.is_dictionary(mine) else mine) == its


def test_random_texts_of_buffers(sched):
    for text in ("it''s", "*", "", "a\\b", "x'' OR buffer = ''"):
        for condition in (f"buffer = '{text}'", f"buffer IN ('{text}', 'b')", f"buffer = '{text}' OR buffer = 'c'",
                          f"buffer <> '{text}'", f"NOT (buffer = '{text}')"):
            query = f"SELECT count(*) FROM events WHERE {condition}"
            assert sched.sql(query).fetchall() == sched.sql(query, engine="sqlite").fetchall(), query


def test_fork():
    """A forked process makes databases of its own."""
    script = (f"import os, tdat\ntrace = tdat.open({str(SCHED)!r})\nq = {GROUPED!r}\n"
              "rows = trace.sql(q).fetchall()\npid = os.fork()\n"
              "assert trace.sql(q).fetchall() == rows\n"
              "if pid:\n    assert os.waitpid(pid, 0)[1] == 0\n")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    assert subprocess.run([sys.executable, "-c", script], env=env, timeout=60, check=False).returncode == 0
