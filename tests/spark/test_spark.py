# SPDX-License-Identifier: GPL-2.0-or-later
"""tdat.spark on a local cluster of two worker processes: the rows that one process reads."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys

import duckdb
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.functions import col

import tdat
from tdat import _program
from tdat.spark import TraceDataSource

VALID = pathlib.Path(__file__).parent.parent / "fixtures" / "valid"
SCHED = VALID / "x64-61-conv-v7-zstd.dat"


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["SPARK_LOCAL_DIRS"] = str(tmp_path_factory.mktemp("spark"))
    os.chdir(tmp_path_factory.mktemp("cwd"))
    session = (SparkSession.builder.master("local-cluster[2,1,1024]").appName("tdat")
               .config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
               .config("spark.sql.shuffle.partitions", "2")
               .config("spark.executor.memory", "512m")
               .config("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"])
               .config("spark.python.daemon.module", "warm_daemon")
               .config("spark.executorEnv.SPARK_LOCAL_IP", "127.0.0.1")
               .config("spark.sql.python.filterPushdown.enabled", "true").getOrCreate())
    session.sparkContext.setLogLevel("ERROR")
    session.dataSource.register(TraceDataSource)
    yield session
    session.stop()


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """50 files of several machines, each with times of its own."""
    folder = tmp_path_factory.mktemp("many")
    files = sorted(VALID.glob("*.dat"))
    for i in range(50):
        shutil.copy(files[i % len(files)], folder / f"{i:02}.dat")
    return folder


def load(spark, path, **options):
    reader = spark.read.format("tdat")
    for name, value in options.items():
        reader = reader.option(name, value)
    return reader.load(str(path))


def test_fifty_files(spark, many):
    frame = load(spark, many / "*.dat", table="sched/sched_switch",
                 columns="ts,cpu,next_pid,next_comm,file,host")
    got = sorted(tuple(r) for r in frame.collect())
    expected = []
    for path in sorted(many.iterdir()):
        trace = tdat.open(path)
        if "sched/sched_switch" in trace.tables:
            uname = [v for k, v in trace["info"].tuples() if k == "uname"]
            host = uname[0].split()[1] if uname else None
            expected += [(*row, str(path), host) for row in
                         trace["sched_switch"].select("ts", "cpu", "next_pid", "next_comm").tuples()]
    assert got == sorted(expected) and len(got) > 4000
    # Small files share tasks.
    assert 1 < frame.rdd.getNumPartitions() <= 4 * os.cpu_count() + 1


def test_pieces_of_one_file(spark):
    expected = [e.ts for e in tdat.open(SCHED)]
    frame = load(spark, SCHED, table="events", columns="ts,event", splits=16)
    assert frame.rdd.getNumPartitions() == 16
    assert [r.ts for r in frame.collect()] == expected
    # Derived tables are one piece, whatever splits says.
    sched = load(spark, SCHED, table="sched", splits=16)
    assert sched.rdd.getNumPartitions() == 1
    assert sched.count() == tdat.open(SCHED)["sched"].count()


def test_all_types(spark):
    for path in (VALID / "x64-lab612-dynevents.dat", VALID / "arm64-16k-612-kstack.dat", SCHED,
                 VALID / "x64-61-date.dat"):
        trace = tdat.open(path)
        names = [n for n, r in trace.tables.items() if "/" in n and r.count()]
        for name in names[:2] + ["ftrace/kernel_stack"] * ("ftrace/kernel_stack" in names):
            rows = [tuple(r)[:-2] for r in load(spark, path, table=name).collect()]
            assert [tuple(int(v) if type(v).__name__ == "Decimal" else plain(v) for v in r)
                    for r in rows] == list(trace[name].tuples()), name


def plain(v):
    if isinstance(v, list):
        return [int(x) if type(x).__name__ == "Decimal" else x for x in v]
    return bytes(v) if isinstance(v, bytearray) else v


def test_filters(spark):
    trace = tdat.open(SCHED)
    lo, hi = trace.ts("+50ms"), trace.ts("+150ms")
    plain_frame = load(spark, SCHED, table="sched/sched_switch", splits=3)
    pushed = load(spark, SCHED, table="sched/sched_switch", splits=3, pushdown="true")
    expected = trace["sched_switch"].select("ts", "cpu", "pid").time(lo, hi - 1).cpu(1).tuples()
    expected = sorted(r for r in expected if r[2] in (0, 380))
    assert expected
    for frame in (plain_frame, pushed):
        chosen = frame.where((col("ts") >= lo) & (col("ts") < hi) & (col("cpu") == 1) &
                             col("pid").isin(0, 380)).select("ts", "cpu", "pid")
        assert sorted(tuple(r) for r in chosen.collect()) == expected
    options = load(spark, SCHED, table="sched/sched_switch", start=f"{lo}ns", end=f"{hi - 1}ns",
                   cpu="1", where="next_pid == 0 || next_pid != 0").where(col("pid").isin(0, 380))
    assert sorted((r.ts, r.cpu, r.pid) for r in options.collect()) == expected
    given = spark.read.format("tdat").schema("cpu bigint, ts bigint, nothing string").option(
        "table", "sched/sched_switch").load(str(SCHED))
    assert [tuple(r) for r in given.collect()] == \
        [(*r, None) for r in trace["sched_switch"].select("cpu", "ts").tuples()]


def test_pushed_filters_choose_what_is_read():
    from pyspark.sql.datasource import EqualTo, GreaterThan, In, LessThan
    source = TraceDataSource({"path": str(SCHED), "table": "sched/sched_switch", "pushdown": "true"})
    reader = source.reader(source.schema())
    filters = [GreaterThan(("ts",), tdat.open(SCHED).ts("+50ms")), EqualTo(("cpu",), 1),
               In(("pid",), (0, 380))]
    assert list(reader.pushFilters(filters)) == filters
    read = sum(b.num_rows for p in reader.partitions() for b in reader.read(p))
    trace = tdat.open(SCHED)
    assert read == trace["sched_switch"].time(trace.ts("+50ms") + 1).cpu(1).pid(0, 380).count()
    derived = TraceDataSource({"path": str(SCHED), "table": "sched", "pushdown": "true"})
    reader = derived.reader(derived.schema())
    list(reader.pushFilters(filters))
    read = sum(b.num_rows for p in reader.partitions() for b in reader.read(p))
    rows = trace["sched"].select("ts", "cpu", "pid").tuples()
    assert read == sum(ts > trace.ts("+50ms") and cpu == 1 and pid in (0, 380)
                       for ts, cpu, pid in rows) > 0
    reader = source.reader(source.schema())
    list(reader.pushFilters([EqualTo(("file",), "other.dat")]))
    assert not reader.partitions()
    for f in (GreaterThan(("ts",), 2**63 - 1), LessThan(("ts",), -2**63), EqualTo(("cpu",), 2**40)):
        reader = source.reader(source.schema())
        list(reader.pushFilters([f]))
        assert not sum(b.num_rows for p in reader.partitions() for b in reader.read(p))


def test_killed_worker(spark, tmp_path):
    """The worker that reads the file is killed once; the task comes again, and the answer is the same."""
    mark = tmp_path / "killed"

    def die_once(batches):
        for batch in batches:
            if not mark.exists():
                mark.touch()
                # The parent of the Python worker's daemon is the executor, a process of its own.
                os.kill(os.getpid(), signal.SIGKILL)
            yield batch

    frame = load(spark, SCHED, table="sched/sched_switch", columns="ts,cpu", splits=4)
    got = frame.mapInArrow(die_once, frame.schema).collect()
    assert mark.exists()
    assert sorted(tuple(r) for r in got) == \
        sorted(tdat.open(SCHED)["sched_switch"].select("ts", "cpu").tuples())


def test_killed_executor(spark, tmp_path):
    """The same for a whole executor."""
    mark = tmp_path / "killed"

    def die_once(batches):
        for batch in batches:
            if not mark.exists():
                mark.touch()
                daemon = os.getppid()
                with open(f"/proc/{daemon}/stat", encoding="ascii") as f:
                    executor = int(f.read().rpartition(")")[2].split()[1])
                with open(f"/proc/{executor}/cmdline", "rb") as f:
                    assert b"CoarseGrainedExecutorBackend" in f.read()
                os.kill(executor, signal.SIGKILL)
            yield batch

    frame = load(spark, SCHED, table="sched/sched_switch", columns="ts,cpu", splits=4)
    got = frame.mapInArrow(die_once, frame.schema).collect()
    assert mark.exists()
    assert sorted(tuple(r) for r in got) == \
        sorted(tdat.open(SCHED)["sched_switch"].select("ts", "cpu").tuples())


def test_broken_files(spark, tmp_path):
    shutil.copy(SCHED, tmp_path / "a.dat")
    (tmp_path / "broken.dat").write_bytes(SCHED.read_bytes()[:3000])
    with pytest.raises(Exception, match="broken.dat"):
        load(spark, tmp_path / "*.dat", table="sched/sched_switch", columns="ts").collect()
    rows = load(spark, tmp_path / "*.dat", table="sched/sched_switch", columns="ts,file",
                damage="skip").collect()
    assert [r.ts for r in rows] == [r[0] for r in tdat.open(SCHED)["sched_switch"].select("ts").tuples()]
    assert {r.file for r in rows} == {str(tmp_path / "a.dat")}
    files = {os.path.basename(r.file): r for r in load(spark, tmp_path / "*.dat", table="files").collect()}
    assert files["a.dat"].error is None and files["a.dat"].events == len(list(tdat.open(SCHED)))
    assert files["a.dat"].host == "tracelab" and "broken.dat" in files["broken.dat"].error
    assert files["broken.dat"].offset is not None


def test_remote_files(spark):
    for prefix in ("local://", "file://", "file:"):  # "local" is fsspec's, which copies
        frame = load(spark, f"{prefix}{SCHED}", table="sched/sched_switch", columns="ts", splits=2)
        assert frame.count() == 296


def test_folders(spark, tmp_path):
    """Files at any depth that begin as a trace.dat does; "_" and "." hide."""
    for name in ("a.dat", "in/b.trace", "_temporary/c.dat", ".d.dat"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(SCHED, tmp_path / name)
    (tmp_path / "README").write_text("no trace")
    for path in (tmp_path, f"local://{tmp_path}"):
        assert load(spark, path, table="sched/sched_switch").count() == 2 * 296
    with pytest.raises(Exception, match="no trace.dat was found"):
        load(spark, os.path.dirname(__file__), table="files").count()


def test_tables_of_a_catalog(spark, tmp_path):
    spark.sql("DROP TABLE IF EXISTS switches")
    spark.sql(f"CREATE TABLE switches USING tdat OPTIONS (table 'sched/sched_switch', path '{SCHED}', "
              "splitBytes '1000000')")
    assert spark.sql("SELECT count(*) FROM switches").collect()[0][0] == 296
    spark.sql("DROP TABLE switches")


def test_schemas_are_merged(spark):
    """Kernels of 32 and of 64 bits in either order."""
    files = [VALID / "i386-61-v6-sched.dat", VALID / "x64-61-v6-tiny.dat", SCHED,
             VALID / "s390x-61-v7-zstd-sched.dat"]
    wanted = sum(tdat.open(f)["events"].count() for f in files)
    for order in (files, files[::-1]):
        reader = spark.read.format("tdat").option("table", "events")
        frame = reader.load([str(f) for f in order])
        assert len(frame.collect()) == wanted
        switches = spark.read.format("tdat").option("table", "sched/sched_switch").load(
            [str(f) for f in order])
        sums = switches.groupBy("file").agg(F.sum("prev_state")).collect()
        for file, total in sums:
            assert total == sum(r[0] for r in tdat.open(file)["sched_switch"].select("prev_state").tuples())


def test_failures_name_the_place(spark):
    reader = spark.read.format("tdat").option("table", "sched/sched_switch")
    with pytest.raises(Exception, match=f"{SCHED.name}: table sched/sched_switch, column next_comm"):
        reader.schema("ts bigint, next_comm bigint").load(str(SCHED)).collect()


def test_spark_3(spark, many):
    """The way of docs/scale.md without a data source, as it stands there."""
    text = (VALID.parent.parent.parent / "docs" / "scale.md").read_text(encoding="utf-8")
    code = text.split("### Spark 3.5")[1].split("```python\n")[1].split("```")[0]
    names = {"spark": spark}
    exec(code.replace("/data/*.dat", f"{many}/*.dat"), names)
    wanted = load(spark, many / "*.dat", table="sched/sched_switch", columns="ts,next_pid,next_comm,file")
    assert sorted(map(tuple, names["frame"].select("ts", "next_pid", "next_comm", "file").collect())) == \
        sorted(map(tuple, wanted.collect()))


def test_page(spark, tmp_path, monkeypatch, capsys):
    """The block of docs/data.md prints what stands below it."""
    (tmp_path / "many").mkdir()
    for i in range(100):
        shutil.copy(SCHED, tmp_path / "many" / f"{i:03}.dat")
    monkeypatch.chdir(tmp_path)
    page = (VALID.parent.parent.parent / "docs" / "data.md").read_text(encoding="utf-8")
    code, wanted = page.split("## 9.")[1].split("```python\n")[1].split("```\n\n```text\n")
    capsys.readouterr()
    # Spark's own processes began in another folder.
    exec(code.replace('"many"', repr(str(tmp_path / "many"))), {})
    assert capsys.readouterr().out == wanted.split("```")[0]


def test_old_spark_is_refused():
    script = "import pyspark; pyspark.__version__ = '3.5.3'; import tdat.spark"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert b"needs Spark 4.1 or later, but this is 3.5.3" in done.stderr and b"mapInArrow" in done.stderr


def test_wrong_options(spark, tmp_path):
    with pytest.raises(Exception, match="there is no option 'tabel'; did you mean 'table'"):
        load(spark, SCHED, tabel="sched/sched_switch").count()
    for options, text in (({"table": "nothing"}, "nothing"), ({"columns": "nothing"}, "nothing"),
                          ({"damage": "what"}, "damage")):
        with pytest.raises(Exception, match=text):
            load(spark, SCHED, **options).count()
    with pytest.raises(Exception, match="nowhere"):
        load(spark, tmp_path / "nowhere*.dat").count()


def test_lake(spark, many, tmp_path):
    """The data set of tdat export, read by Spark, DuckDB and ClickHouse, which read only the parts they need."""
    files = sorted(many.iterdir())[:20]
    subprocess.run([_program.program(), "export", "--quiet", "--to", "parquet", "--nodate", "--table",
                    "sched/*", "-o", str(tmp_path / "lake"), *map(str, files)], check=True)
    lake = tmp_path / "lake"
    wanted = str(files[2].name), str(files[5].name)
    expected = {}
    for path in files:
        trace = tdat.open(path, no_date=True)
        if path.name in wanted and "sched/sched_switch" in trace.tables:
            n = trace["sched_switch"].cpu(0).count()
            if n:
                expected[path.name] = n
    assert expected
    frame = spark.read.option("basePath", str(lake)).parquet(str(lake / "event=sched_switch"))
    frame = frame.where(col("file").isin(*wanted) & (col("cpu") == 0)).groupBy("file").count()
    assert dict(tuple(r) for r in frame.collect()) == expected
    plan = frame._jdf.queryExecution().toString()
    assert "PartitionFilters: [" in plan and "file" in plan.split("PartitionFilters: [")[1].split("]")[0]
    names = ", ".join(f"'{w}'" for w in wanted)
    query = (f"SELECT file, count(*) FROM read_parquet('{lake}/**/*.parquet', hive_partitioning = true, "
             f"union_by_name = true) WHERE event = 'sched_switch' AND file IN ({names}) AND cpu = 0 GROUP BY 1")
    assert dict(duckdb.sql(query).fetchall()) == expected
    plan = duckdb.sql("EXPLAIN ANALYZE " + query).fetchall()[0][1]
    scanned = [line for line in plan.splitlines() if "Total Files Read" in line or "Scanning Files" in line]
    assert scanned, plan
    import chdb
    query = (f"SELECT file, count(*) FROM file('{lake}/event=*/file=*/*.parquet', Parquet) "
             f"WHERE event = 'sched_switch' AND file IN ({names}) AND cpu = 0 GROUP BY file "
             "SETTINGS use_hive_partitioning = 1")
    got = str(chdb.query(query, "TSV")).split("\n")
    assert {k: int(v) for k, v in (line.split("\t") for line in got if line)} == expected
