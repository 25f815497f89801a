#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the tables of make_tables with pyarrow, DuckDB, polars and ClickHouse (chdb).

usage: read_back.py MAKE_TABLES FOLDER FIRST_SEED LAST_SEED [EXPORTER...]
"""
import base64
import json
import sys

import duckdb
import polars
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq

from expected import expect, fail, run, same

try:
    import chdb
    import chdb.session
except ImportError:
    chdb = None

INTS = {"c": pa.int8(), "C": pa.uint8(), "s": pa.int16(), "S": pa.uint16(), "i": pa.int32(),
        "I": pa.uint32(), "l": pa.int64(), "L": pa.uint64()}
TYPES = dict(INTS, b=pa.bool_(), g=pa.float64(), u=pa.string(), z=pa.binary(),
             tDn=pa.duration("ns"))
TYPES["tsn:"] = pa.timestamp("ns")
TYPES["tsn:UTC"] = pa.timestamp("ns", "UTC")


def plain(array, column):
    """Values of an Arrow array as they are expected: bits of doubles, numbers of times."""
    if isinstance(array, pa.ChunkedArray):
        return [v for chunk in array.chunks for v in plain(chunk, column)]
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode() if not array.dictionary.null_count else \
            pa.array(array.to_pylist(), array.type.value_type)
    if column["format"].startswith("t"):
        array = array.cast(pa.int64())
    values = array.to_pylist()
    if column["format"] == "g" and not column["list"]:
        raw = pa.Array.from_buffers(pa.int64(), len(array), array.buffers(), array.null_count,
                                    array.offset)
        return [None if v is None else f"{v & (1 << 64) - 1:016x}" for v in raw.to_pylist()]
    if column["format"] == "z":
        return [None if v is None else v.hex() for v in values]
    return values


def arrow_type(column, wide):
    value = TYPES[column["format"]]
    if column["list"]:
        return pa.list_(pa.field("item", value, column["item_nullable"]))
    if column["index"]:
        return pa.dictionary(pa.int32() if wide else INTS[column["index"]], value)
    return value


def check_table(table, columns, values, where, wide):
    expect(table.num_columns == len(columns), where, "number of columns")
    for i, (column, want) in enumerate(zip(columns, values)):
        field, at = table.schema.field(i), f"{where}: column {i} {column}"
        expect(field.name == column["name"], at, f"name {field.name!r}")
        expect(field.nullable == column["nullable"], at, "nullable")
        expect(field.type == arrow_type(column, wide), at, f"type {field.type}")
        if column["metadata"]:
            expect((field.metadata or {}).get(b"ctype") == b"unsigned long", at, field.metadata)
        same(plain(table.column(i), column), want, at)
    metadata = table.schema.metadata
    expect(metadata[b"tdat.clock"] == b"local" and metadata[b"empty"] == b"" and
           metadata[b"host"].decode() == 'ä "host"', where, f"metadata {metadata}")


# ---- Parquet ----

def order_key(value):
    return value.encode() if isinstance(value, str) else value


def leaves(column, rows):
    """Values of the leaf, as Parquet counts them: also a null for each list without items."""
    if not column["list"]:
        return rows
    return [v for row in rows for v in (row if row else [None])]


def check_statistics(chunk, column, rows, where):
    found, statistics = leaves(column, rows), chunk.statistics
    expect(chunk.num_values == len(found), where, f"{chunk.num_values} values")
    expect(statistics.null_count == sum(v is None for v in found), where,
           f"null_count {statistics.null_count}")
    numbers = [v for v in found if v is not None]
    if column["format"] not in INTS and column["format"] not in ("b", "u", "z"):
        return
    if not numbers:
        expect(not statistics.has_min_max, where, "statistics of nothing")
        return
    if column["format"] == "z":
        numbers = [bytes.fromhex(v) for v in numbers]
    least, greatest = min(numbers, key=order_key), max(numbers, key=order_key)
    if not statistics.has_min_max:
        expect(column["format"] in "uz" and len(order_key(greatest)) > 64, where, "no statistics")
        return
    if column["format"] in ("u", "z"):
        found_min, found_max = order_key(statistics.min), order_key(statistics.max)
        least, greatest = order_key(least), order_key(greatest)
        expect(found_min <= least and least.startswith(found_min), where, "min of texts")
        expect(found_max >= greatest, where, "max of texts")
        expect(len(least) > 64 or found_min == least, where, "min of short texts")
        expect(len(greatest) > 64 or found_max == greatest, where, "max of short texts")
        return
    expect(statistics.min == least and statistics.max == greatest, where,
           f"range {statistics.min} to {statistics.max}, not {least} to {greatest}")


def check_metadata(path, columns, values, where):
    metadata = pq.read_metadata(path)
    expect(metadata.created_by.startswith("tdat version "), where, metadata.created_by)
    expect(b"ARROW:schema" in metadata.metadata, where, "no ARROW:schema")
    message = base64.b64decode(metadata.metadata[b"ARROW:schema"])
    expect(len(pa.ipc.read_schema(pa.BufferReader(message))) == len(columns), where, "schema")
    row = 0
    for g in range(metadata.num_row_groups):
        group = metadata.row_group(g)
        expect(group.num_columns == len(columns), where, "columns of a row group")
        for i, column in enumerate(columns):
            check_statistics(group.column(i), column, values[i][row:row + group.num_rows],
                             f"{where}: row group {g}, column {i}")
        row += group.num_rows
    expect(row == metadata.num_rows, where, "rows of row groups")
    return metadata


def expected_column(column, rows):
    """What a reader without Arrow's types finds: doubles as numbers are left out."""
    if column["format"] == "z":
        return [None if v is None else bytes.fromhex(v) for v in rows]
    return rows


def check_duckdb(path, columns, values, where):
    connection = duckdb.connect()
    for i, column in enumerate(columns):
        if column["format"] == "g" or any(columns[k]["name"].lower() == column["name"].lower()
                                          for k in range(len(columns)) if k != i):
            continue
        name = '"' + column["name"].replace('"', '""') + '"'
        if column["format"].startswith("ts"):
            name = f"epoch_ns({name})"
        at = f"{where}: duckdb: column {i} {column}"
        got = connection.execute(f"select {name} from read_parquet(?)", [path]).fetchall()
        if column["format"].startswith("ts"):
            # DuckDB has no timestamps beyond its own range, and two that mean infinity.
            pairs = [(g[0], w) for g, w in zip(got, values[i]) if w is None or
                     abs(w) < 1 << 62]
            same([g for g, _ in pairs], [w for _, w in pairs], at)
            continue
        same([row[0] for row in got], expected_column(column, values[i]), at)


def check_polars(path, columns, values, where, read):
    frame = read(path)
    for i, column in enumerate(columns):
        at = f"{where}: polars: column {i} {column}"
        series = frame.get_columns()[i]
        expect(series.name == column["name"], at, series.name)
        if column["format"] == "g":
            continue
        if column["format"].startswith("t"):
            series = series.to_physical()
        same(series.to_list(), expected_column(column, values[i]), at)


def check_clickhouse(path, columns, values, where, form):
    if not chdb:
        return
    for i, column in enumerate(columns):
        if column["format"] not in INTS and column["format"] != "u":
            continue
        at = f"{where}: clickhouse: column {i} {column}"
        name = column["name"].replace("\\", "\\\\").replace("`", "\\`")
        if not name.strip() or any(c["name"] == column["name"] for c in columns[:i]):
            continue
        out = chdb.query(f"select `{name}` as v from file('{path}', {form}) "
                         "settings output_format_json_quote_64bit_integers=0, "
                         "input_format_parquet_preserve_order=1, max_threads=1",
                         "JSONCompactEachRow")
        got = [json.loads(line)[0] for line in str(out).splitlines()]
        want = values[i]
        if column["list"]:
            # ClickHouse has no lists that are null.
            want = [[] if v is None else v for v in want]
        same(got, want, at)


def check_parquet(path, columns, values, where):
    check_table(pq.read_table(path), columns, values, f"{where}: pyarrow", True)
    check_metadata(path, columns, values, where)
    check_duckdb(path, columns, values, where)
    check_polars(path, columns, values, where, polars.read_parquet)
    check_clickhouse(path, columns, values, where, "Parquet")


# ---- Arrow ----

def check_arrow_file(path, columns, values, where):
    check_table(pa.ipc.open_file(path).read_all(), columns, values, f"{where}: pyarrow", True)
    check_polars(path, columns, values, where, polars.read_ipc)
    check_duckdb_arrow(pa.ipc.open_file(path).read_all(), values, where)


def check_duckdb_arrow(table, values, where):
    connection = duckdb.connect()
    connection.register("t", table)
    count = connection.execute("select count(*) from t").fetchone()[0]
    expect(count == len(values[0]), where, f"duckdb counts {count}")


def check_arrow_stream(path, columns, values, where):
    with pa.OSFile(path) as f:
        table = pa.ipc.open_stream(f).read_all()
    check_table(table, columns, values, f"{where}: pyarrow", False)
    check_polars(path, columns, values, where, polars.read_ipc_stream)


def check_arrow_deltas(path, columns, values, where):
    """polars does not read deltas of dictionaries."""
    with pa.OSFile(path) as f:
        table = pa.ipc.open_stream(f).read_all()
    check_table(table, columns, values, f"{where}: pyarrow", False)


# ---- ClickHouse ----

CLICKHOUSE = dict({"b": "Bool", "g": "Float64", "u": "String", "z": "String", "tDn": "Int64",
                   "tsn:": "DateTime64(9, 'UTC')", "tsn:UTC": "DateTime64(9, 'UTC')"},
                  **{k: str(v).replace("u", "U").replace("int", "Int") for k, v in INTS.items()})


def clickhouse_type(column):
    """Arrays cannot be Nullable."""
    value = CLICKHOUSE[column["format"]]
    if column["item_nullable"] if column["list"] else column["nullable"]:
        value = f"Nullable({value})"
    return f"Array({value})" if column["list"] else value


def clickhouse_query(text):
    out = chdb.query(text + " settings output_format_json_quote_64bit_integers=0, max_threads=1",
                     "JSONCompactEachRow")
    return [json.loads(line) for line in str(out).splitlines()]


def clickhouse_value(column):
    name = "`" + column["name"].replace("\\", "\\\\").replace("`", "\\`") + "`"
    if column["format"].startswith("ts"):
        return f"toUnixTimestamp64Nano({name})"
    if column["format"] == "z":
        return f"lower(hex({name}))"
    if column["format"] == "g":
        return f"lower(leftPad(hex(reinterpretAsUInt64({name})), 16, '0'))"
    return name


def check_native(path, columns, values, where):
    expect(chdb, where, "needs chdb")
    types = clickhouse_query(f"describe file('{path}', Native)")
    same([row[:2] for row in types], [[c["name"], clickhouse_type(c)] for c in columns], f"{where}: types")
    rows = clickhouse_query(f"select {', '.join(clickhouse_value(c) for c in columns)} "
                            f"from file('{path}', Native)")
    for i, column in enumerate(columns):
        want = [[] if v is None and column["list"] else v for v in values[i]]
        same([row[i] for row in rows], want, f"{where}: column {i} {column}")


def check_native_ddl(path, columns, values, where):
    """The statement makes a table of these columns; the rows are not in the file."""
    expect(chdb, where, "needs chdb")
    with open(path, encoding="utf-8") as f:
        statement = f.read()
    session = chdb.session.Session()
    try:
        session.query(statement)
        types = [json.loads(line) for line in str(session.query(
            "select name, type from system.columns where table = 'random/table' "
            "order by position", "JSONCompactEachRow")).splitlines()]
    finally:
        session.close()
    want = [[c["name"], f"LowCardinality({clickhouse_type(c)})" if c["index"]
             else clickhouse_type(c)] for c in columns]
    same(types, want, f"{where}: types")
    expect(statement.endswith("ORDER BY tuple();\n"), where, statement[-40:])


KINDS = {
    "clickhouse": ("clickhouse", "native", [[]], check_native),
    "clickhouse-ddl": ("clickhouse", "sql", [["ddl="]], check_native_ddl),
    "parquet": ("parquet", "parquet", [[], ["compression=none"], ["row-group=1000"],
                                       ["memory=20000"], ["budget=30000", "level=3"]],
                check_parquet),
    "arrow-file": ("arrow", "arrow", [["container=file"],
                                      ["container=file", "compression=zstd"]],
                   check_arrow_file),
    "arrow-stream": ("arrow", "arrows", [["container=stream"],
                                         ["container=stream", "compression=zstd"]],
                     check_arrow_stream),
    "arrow-deltas": ("arrow", "arrows", [["container=stream", "deltas="]], check_arrow_deltas),
}


if __name__ == "__main__":
    sys.exit(run(KINDS, sys.argv[1:]))
