#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Readers of data sets (tdat export --to parquet -o lake): all columns of all tables, all agree.

The facts of a column are its values that are not null and their sum: of texts the bytes, of lists
the items and their sum. Those of each part, read alone, are what each reader has to find in a table.

usage: readers.py TDAT SCRATCH INPUT...    LAKE_READERS="duckdb polars": only these
"""
# pylint: disable=too-few-public-methods,import-outside-toplevel,missing-class-docstring
import glob
import os
import shutil
import subprocess
import sys
import urllib.parse

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

WIDE = pa.decimal128(38, 0)


def kind_of(arrow):
    """number, text, numbers or texts."""
    if pa.types.is_list(arrow) or pa.types.is_large_list(arrow):
        return kind_of(arrow.value_type) + "s"
    if pa.types.is_dictionary(arrow):
        return kind_of(arrow.value_type)
    if (pa.types.is_string(arrow) or pa.types.is_binary(arrow) or pa.types.is_large_string(arrow) or
            pa.types.is_large_binary(arrow)):
        return "text"
    return "number"


class Table:
    """The folder of a table, its parts, and the kinds of its columns."""

    def __init__(self, folder):
        self.folder = folder
        self.name = urllib.parse.unquote(os.path.basename(folder).split("=", 1)[1])
        self.parts = sorted(glob.glob(os.path.join(glob.escape(folder), "*", "*.parquet")))
        self.schema = pq.read_schema(self.parts[0])
        self.kinds = {c.name: kind_of(c.type) for c in self.schema}


def number_sum(column):
    kind = column.type
    if pa.types.is_boolean(kind):
        column = column.cast(pa.int8())
    elif pa.types.is_timestamp(kind):
        column = column.cast(pa.int64())
    if not pa.types.is_decimal(kind):
        column = column.cast(pa.decimal128(20, 0))
    total = pc.sum(column.cast(WIDE)).as_py()
    return int(total or 0)


def text_sum(column):
    if pa.types.is_dictionary(column.type):
        column = pc.cast(column, column.type.value_type)
    return pc.sum(pc.binary_length(column)).as_py() or 0


def arrow_facts(table, kinds):
    facts = {}
    for name, kind in kinds.items():
        column = table.column(name)
        count = len(column) - column.null_count
        if kind.endswith("s"):
            column = pc.list_flatten(column)
            count = len(column)
        facts[name] = (count, text_sum(column) if kind.startswith("text") else number_sum(column))
    return facts


def add(a, b):
    return {k: (a[k][0] + b[k][0], a[k][1] + b[k][1]) if k in a else b[k] for k in b}


def alone(table):
    """The facts of all parts, each read by itself: that they have one schema is tested here, too."""
    facts = {}
    for part in table.parts:
        schema = pq.read_schema(part)
        if not schema.equals(table.schema, check_metadata=False):
            sys.exit(f"{part}: another schema than {table.parts[0]}: {schema}")
        for column in schema:
            if column.metadata and b"tdat.type" in column.metadata:
                sys.exit(f"{part}: {column.name}: metadata that differs by file")
        facts = add(facts, arrow_facts(pq.ParquetFile(part).read(), table.kinds))
    return facts


def whole(row, names):
    return {n: (int(row[2 * i] or 0), int(row[2 * i + 1] or 0)) for i, n in enumerate(names)}


def in_order(table):
    """The facts as columns of a query: the count and the sum of each column."""
    return list(table.kinds.items())


# ---- readers: each is a class with facts(table) ----

class Pyarrow:
    def facts(self, table):
        return arrow_facts(ds.dataset(table.folder, partitioning="hive").to_table(), table.kinds)


class Duckdb:
    union = "false"

    def __init__(self, _):
        import duckdb
        self.sql = duckdb.connect().execute

    def facts(self, table):
        terms = []
        for name, kind in in_order(table):
            c = '"' + name.replace('"', '""') + '"'
            if kind == "number":
                terms += [f"count({c})", f"sum(CASE WHEN typeof({c}) LIKE 'TIMESTAMP%' THEN "
                          f"epoch_ns({c}::TIMESTAMP_NS)::HUGEINT ELSE {c}::HUGEINT END)"
                          if pa.types.is_timestamp(table.schema.field(name).type)
                          else f"sum({c}::HUGEINT)"]
            elif kind == "text":
                terms += [f"count({c})", f"sum(octet_length(encode({c}::VARCHAR)))"
                          if not pa.types.is_binary(table.schema.field(name).type)
                          else f"sum(octet_length({c}))"]
            elif kind == "numbers":
                terms += [f"sum(len({c}))", f"sum(list_sum({c}::HUGEINT[]))"]
            else:
                terms += [f"sum(len({c}))", f"sum(list_sum([strlen(x) for x in {c}]))"]
        path = table.folder.replace("'", "''")
        row = self.sql(f"SELECT {', '.join(terms)} FROM read_parquet('{path}/**/*.parquet', "
                       f"hive_partitioning=true, union_by_name={self.union})").fetchone()
        return whole(row, table.kinds)


class DuckdbUnion(Duckdb):
    union = "true"


class Polars:
    def __init__(self, _):
        import polars
        self.pl = polars

    def facts(self, table):
        pl = self.pl
        frame = pl.scan_parquet(table.folder + "/**/*.parquet", hive_partitioning=True)
        terms = []
        for i, (name, kind) in enumerate(in_order(table)):
            c = pl.col(name)
            if kind.endswith("s"):
                c = c.list.explode(keep_nulls=False, empty_as_null=False)
            count = c.count()
            if kind.startswith("text"):
                binary = pa.types.is_binary(table.schema.field(name).type)
                total = (c.bin.size() if binary else c.cast(pl.String).str.len_bytes()).sum()
            else:
                total = c.cast(pl.Int64).cast(pl.Int128).sum() if pa.types.is_timestamp(
                    table.schema.field(name).type) else c.cast(pl.Int128).sum()
            terms += [count.alias(f"n{i}"), total.alias(f"s{i}")]
        return whole(frame.select(terms).collect().row(0), table.kinds)


class Chdb:
    def __init__(self, _):
        import chdb
        self.query = chdb.query

    def facts(self, table):
        terms = []
        for name, kind in in_order(table):
            c = "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"
            if kind == "number":
                stamp = pa.types.is_timestamp(table.schema.field(name).type)
                terms += [f"count({c})", f"sum(toInt256(toUnixTimestamp64Nano({c})))" if stamp
                          else f"sum(toInt256({c}))"]
            elif kind == "text":
                terms += [f"count({c})", f"sum(length({c}))"]
            elif kind == "numbers":
                terms += [f"sum(length({c}))", f"sum(arraySum(x -> toInt256(x), {c}))"]
            else:
                terms += [f"sum(length({c}))", f"sum(arraySum(x -> length(x), {c}))"]
        path = table.folder.replace("'", "\\'")
        out = str(self.query(f"SELECT {', '.join(terms)} FROM file('{path}/file=*/*.parquet', Parquet) "
                             "SETTINGS use_hive_partitioning = 1", "TSV")).strip()
        return whole([None if v == "\\N" else v for v in out.split("\t")], table.kinds)


class Spark:
    merge = "false"

    def __init__(self, scratch):
        from pyspark.sql import SparkSession
        self.spark = (SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
                      .config("spark.sql.shuffle.partitions", "2")
                      .config("spark.driver.memory", "2g")
                      .config("spark.local.dir", scratch)
                      .config("spark.sql.ansi.enabled", "true").getOrCreate())
        self.spark.sparkContext.setLogLevel("ERROR")

    def facts(self, table):
        frame = (self.spark.read.option("mergeSchema", self.merge)
                 .option("basePath", table.folder).parquet(table.folder))
        terms = []
        for name, kind in in_order(table):
            c = "`" + name.replace("`", "``") + "`"
            wide = "cast({} as decimal(38,0))"
            if kind == "number":
                value = f"cast({c} as int)" if pa.types.is_boolean(
                    table.schema.field(name).type) else c
                terms += [f"count({c})", f"sum({wide.format(value)})"]
            elif kind == "text":
                terms += [f"count({c})", f"sum(octet_length({c}))"]
            elif kind == "numbers":
                total = f"aggregate({c}, {wide.format(0)}, (a, x) -> {wide.format('a + x')})"
                terms += [f"sum(if({c} is null, 0, size({c})))", f"sum({total})"]
            else:
                terms += [f"sum(if({c} is null, 0, size({c})))",
                          f"sum(aggregate({c}, 0L, (a, x) -> a + octet_length(x)))"]
        terms = [f"{t} as c{i}" for i, t in enumerate(terms)]
        return whole(frame.selectExpr(*terms).collect()[0], table.kinds)


class SparkMerge(Spark):
    merge = "true"


class Copied:
    """Readers that write beside the parts: they get a folder of links."""

    def __init__(self, scratch):
        self.scratch = os.path.join(scratch, type(self).__name__)

    def copy(self, table):
        folder = os.path.join(self.scratch, table.name.replace("/", "."))
        shutil.copytree(table.folder, folder, copy_function=os.link)
        return folder


class Delta(Copied):
    """Delta Lake: the parts become a table of it, where they are."""
    def facts(self, table):
        from deltalake import DeltaTable, Field, Schema, convert_to_deltalake
        from deltalake.schema import PrimitiveType
        folder = self.copy(table)
        convert_to_deltalake(folder, partition_by=Schema([Field("file", PrimitiveType("string"))]),
                             partition_strategy="hive")
        return arrow_facts(DeltaTable(folder).to_pyarrow_table(), table.kinds)


class Iceberg(Copied):
    """Iceberg: add_files takes the parts, where they are."""
    def __init__(self, scratch):
        super().__init__(scratch)
        from pyiceberg.catalog.sql import SqlCatalog
        os.makedirs(self.scratch)
        self.catalog = SqlCatalog("lake", uri=f"sqlite:///{self.scratch}/catalog.db",
                                  warehouse=f"file://{self.scratch}")
        self.catalog.create_namespace("lake")

    def facts(self, table):
        made = self.catalog.create_table("lake." + table.name.replace("/", "_").replace("@", "_"),
                                         schema=table.schema.remove_metadata())
        made.add_files(["file://" + p for p in table.parts])
        return arrow_facts(made.scan().to_arrow(), table.kinds)


READERS = {"pyarrow": lambda _: Pyarrow(), "duckdb": Duckdb, "duckdb-union": DuckdbUnion,
           "polars": Polars, "chdb": Chdb, "delta": Delta, "iceberg": Iceberg, "spark": Spark,
           "spark-merge": SparkMerge}


# Delta Lake and Iceberg have no unsigned numbers: they read a data set that has none. Spark starts a job for each table.
LAKES = {"keep": [n for n in READERS if n not in ("delta", "iceberg", "spark")],
         "decimal": [n for n in READERS if n not in ("duckdb-union", "spark-merge")]}


def compare(name, reader, tables, want):
    bad = 0
    for table in tables:
        try:
            got = reader.facts(table)
        except Exception as e:  # pylint: disable=broad-except
            got = {"failed": str(e).replace("\n", " ")[:300]}
        if got != want[table.name]:
            bad += 1
            wrong = {k: (got.get(k), v) for k, v in want[table.name].items() if got.get(k) != v}
            print(f"{name}: {table.name}: {got if 'failed' in got else wrong}"[:500])
    print(f"{name}: {len(tables) - bad} of {len(tables)} tables agree", flush=True)
    return bad


def try_lake(tdat, scratch, choice, inputs):
    lake = os.path.join(scratch, choice, "lake")
    os.makedirs(os.path.dirname(lake))
    done = subprocess.run([tdat, "export", "-q", "--to", "parquet", "--nodate", "-O",
                           f"unsigned={choice}", "--partition", "event,file", "-o", lake, *inputs],
                          stderr=subprocess.PIPE, text=True, check=False)
    if "@2" in done.stderr:
        sys.exit(f"one command, two types: {done.stderr}")
    tables = [Table(f) for f in sorted(glob.glob(os.path.join(lake, "event=*")))]
    want = {t.name: alone(t) for t in tables}
    columns = sum(len(t.kinds) for t in tables)
    print(f"{choice}: {len(tables)} tables, {sum(len(t.parts) for t in tables)} parts, "
          f"{columns} columns")
    if len(tables) < 20:
        sys.exit(f"few tables: {done.stderr}")
    names = os.environ.get("LAKE_READERS", "").split() or LAKES[choice]
    return sum(compare(n, READERS[n](os.path.dirname(lake)), tables, want)
               for n in names if n in LAKES[choice])


def main():
    tdat, scratch, *inputs = sys.argv[1:]
    sys.exit(bool(sum([try_lake(tdat, scratch, choice, inputs) for choice in LAKES])))


main()
