# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tables of many trace.dat files in Apache Spark 4.1, through its Python data source API.

    from tdat.spark import TraceDataSource
    spark.dataSource.register(TraceDataSource)
    spark.read.format("tdat").option("table", "sched/sched_switch").load("traces/*.dat")

docs/scale.md lists the options.
"""
from __future__ import annotations

import concurrent.futures
import difflib
import glob
import json
import logging
import os
from dataclasses import dataclass
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Set, Tuple
from urllib.parse import unquote, urlsplit

import pyarrow
import pyspark
from pyspark.sql import types as spark

if tuple(map(int, pyspark.__version__.split(".")[:2])) < (4, 1):
    raise ImportError(f"tdat.spark needs Spark 4.1 or later, but this is {pyspark.__version__}: export "
                      "the traces to a lake of Parquet, or read them by mapInArrow (docs/scale.md, "
                      '"Spark 3.5")')

from pyspark.sql.datasource import (DataSource, DataSourceReader, EqualTo, Filter, GreaterThan,
                                    GreaterThanOrEqual, In, InputPartition, LessThan,
                                    LessThanOrEqual)
from pyspark.sql.pandas.types import to_arrow_schema

from ._errors import Error
from ._relation import BOUNDS, DERIVED, EVENT, EVENTS, INT64, LOST, Relation, narrowed
from ._remote import fsspec_for, is_remote
from ._trace import Trace

SPLIT_BYTES = 64 << 20
MAGIC = b"\x17\x08\x44tracing"
OPTIONS = {name.lower(): name for name in (
    "table", "columns", "where", "start", "end", "cpu", "pid", "splits", "splitBytes", "pushdown",
    "damage", "rawTs", "noDate", "pairs", "path", "paths")}
# What Spark itself adds to the options of tables of a catalog, beside "option.NAME" for each.
OF_CATALOGS = {"serialization.format", "location", "provider", "owner", "comment", "external",
               "is_managed_location"}
# Metadata of the first column: Spark keeps the schema of such a table, and forgets its options.
KEPT = "tdat.options"
FILES = "files"  # a table of our own: a row for each file
# As Spark reads these types from Parquet.
TYPES = {"c": spark.ByteType(), "C": spark.ShortType(), "s": spark.ShortType(),
         "S": spark.IntegerType(), "i": spark.IntegerType(), "I": spark.LongType(),
         "l": spark.LongType(), "L": spark.DecimalType(20, 0), "b": spark.BooleanType(),
         "u": spark.StringType(), "z": spark.BinaryType(), "t": spark.LongType()}
FILES_SCHEMA = spark.StructType([
    spark.StructField("file", spark.StringType()), spark.StructField("host", spark.StringType()),
    spark.StructField("size", spark.LongType()), spark.StructField("events", spark.LongType()),
    spark.StructField("error", spark.StringType()), spark.StructField("offset", spark.LongType())])
log = logging.getLogger(__name__)


# ---- files ----

def _plain(path: str) -> str:
    """Return the local path for "file:/a", the form of Spark for paths of tables; other paths stay."""
    return unquote(urlsplit(path).path) if path.startswith("file:/") else path


def _is_trace(f: Any) -> bool:
    """Return True if an open file starts like a trace.dat."""
    return bool(f.read(len(MAGIC)) == MAGIC)


def _is_hidden(name: str, folder: str) -> bool:
    """Return True for files and folders that Spark ignores: names that start with "_" or "."."""
    return any(part.startswith(("_", ".")) for part in name[len(folder):].split("/"))


def _remote(path: str) -> Dict[str, int]:
    """Return the files of an address with their sizes."""
    fs, name = fsspec_for(path).core.url_to_fs(path)
    names = fs.glob(name) if glob.has_magic(path) else [name]
    found = {}
    for n in names:
        if not fs.isdir(n):
            found[fs.unstrip_protocol(n)] = int(fs.size(n) or 0)
            continue
        for inner, facts in sorted(fs.find(n, detail=True).items()):
            if not _is_hidden(inner, n):
                with fs.open(inner, "rb") as f:
                    if _is_trace(f):
                        found[fs.unstrip_protocol(inner)] = int(facts["size"] or 0)
    return found


def _here(path: str) -> Dict[str, int]:
    """Return the files of a local path with their sizes. Paths are absolute: workers run in other folders."""
    path = os.path.abspath(path)
    names = glob.glob(path, recursive=True) if glob.has_magic(path) else [path]
    found = {}
    for name in names:
        if not os.path.isdir(name):
            found[name] = os.path.getsize(name)
            continue
        for top, _, inner in os.walk(name):
            for n in (os.path.join(top, i) for i in inner):
                if not _is_hidden(n, name) and os.path.isfile(n):
                    with open(n, "rb") as f:
                        if _is_trace(f):
                            found[n] = os.path.getsize(n)
    return found


def _found(paths: Sequence[str]) -> List[Tuple[str, int]]:
    """Return the files of paths, folders and patterns with their sizes, sorted by name."""
    found: Dict[str, int] = {}
    for path in map(_plain, paths):
        some = _remote(path) if is_remote(path) else _here(path)
        if not some:
            raise FileNotFoundError(f"{path}: no trace.dat was found")
        found.update(some)
    return sorted(found.items())


def _options(given: Dict[str, str]) -> Dict[str, str]:
    """Return the options by their names, which SQL converts to lower case."""
    found = {}
    for name, value in given.items():
        if name.lower() in OF_CATALOGS or name.lower().startswith("option."):
            continue
        if name.lower() not in OPTIONS:
            near = difflib.get_close_matches(name.lower(), OPTIONS, 1)
            raise ValueError(f"there is no option {name!r}" +
                             (f"; did you mean {OPTIONS[near[0]]!r}?" if near else
                              f": {', '.join(sorted(OPTIONS.values()))}"))
        found[OPTIONS[name.lower()]] = value
    return found


def _flag(options: Dict[str, str], name: str) -> bool:
    value = options.get(name, "false").lower()
    if value not in ("true", "false"):
        raise ValueError(f"option {name} must be true or false, not {value}")
    return value == "true"


def _open(path: str, options: Dict[str, str]) -> Trace:
    try:
        return Trace([path], _damage(options), _flag(options, "rawTs"), _flag(options, "noDate"),
                     json.loads(options.get("pairs", "[]")))
    except Error as e:
        if path not in str(e):
            e.args = (f"{path}: {e}",)
        raise


def _damage(options: Dict[str, str]) -> str:
    value = options.get("damage", "error")
    if value not in ("error", "skip"):
        raise ValueError(f"option damage must be error or skip, not {value}")
    return "error" if value == "error" else "keep"


def _host(trace: Trace) -> Optional[str]:
    """Return the node name in the option UNAME."""
    for number, data in trace["options"].select("id", "data").tuples():
        words = data.rstrip(b"\0").decode("utf-8", "replace").split() if number == 5 else []
        if len(words) > 1:
            return str(words[1])
    return None


# ---- schemas ----

def _spark_type(form: str, item: Optional[str]) -> spark.DataType:
    if form == "+l" and item:
        return spark.ArrayType(TYPES[item[0]])
    return TYPES[form[0]]


WIDER = [spark.ByteType(), spark.ShortType(), spark.IntegerType(), spark.LongType(),
         spark.DecimalType(20, 0)]


def _wider(a: spark.DataType, b: spark.DataType) -> spark.DataType:
    """Return a type that can store the values of both."""
    if a == b:
        return a
    if isinstance(a, spark.ArrayType) and isinstance(b, spark.ArrayType):
        return spark.ArrayType(_wider(a.elementType, b.elementType))
    if a in WIDER and b in WIDER:
        return max(a, b, key=WIDER.index)
    raise ValueError(f"it is {a.simpleString()} and {b.simpleString()}")


def _columns(relation: Relation) -> Dict[str, spark.DataType]:
    """Return the columns of a table of one file."""
    return {name: _spark_type(form, item) for name, form, item, _ in relation.types}


def _merged(all_columns: Iterable[Tuple[str, Dict[str, spark.DataType]]], table: str,
            wanted: Optional[List[str]]) -> spark.StructType:
    """Return the columns of all files, and file and host."""
    merged: Dict[str, spark.DataType] = {}
    first: Dict[str, str] = {}
    for path, columns in all_columns:
        for name, of in columns.items():
            try:
                merged[name] = _wider(merged.get(name, of), of)
            except ValueError as e:
                raise ValueError(f"table {table}, column {name}: {e}, in {first[name]} and {path}"
                                 ) from None
            first.setdefault(name, path)
    names = {n.lower() for n in merged}
    for name in ("file", "host"):
        merged[_own(name, names)] = spark.StringType()
    missing = [name for name in wanted or () if name not in merged]
    if missing:
        raise ValueError(f"table {table} has no column {missing[0]!r}")
    return spark.StructType([spark.StructField(n, merged[n]) for n in wanted or merged])


def _own(name: str, taken: Any) -> str:
    """Return the name of an additional column; a column of the table takes precedence."""
    return f"trace_{name}" if name in taken else name


# ---- the data source ----

@dataclass
class TracePartition(InputPartition):
    """Files, or one piece of a file: path, number of the piece, number of pieces."""

    files: Tuple[Tuple[str, int, int], ...]
    size: int


class TraceDataSource(DataSource):
    """The format "tdat"."""

    @classmethod
    def name(cls) -> str:
        """Return its name in spark.read.format()."""
        return "tdat"

    def _paths(self, options: Dict[str, str]) -> List[str]:
        if "paths" in options:
            return list(json.loads(options["paths"]))
        if "path" not in options:
            raise ValueError("load() needs a path")
        return [options["path"]]

    def schema(self) -> spark.StructType:
        """Return the schema of all files that have the table; damage=skip skips damaged files."""
        options = _options(self.options)
        table = options.get("table", "events")
        columns = [c.strip() for c in options["columns"].split(",")] if "columns" in options else None
        if table == FILES:
            first, *others = FILES_SCHEMA.fields
            return spark.StructType([spark.StructField(
                first.name, first.dataType, metadata={KEPT: json.dumps(options)}), *others])

        def look(file: Tuple[str, int]) -> Any:
            try:
                with _open(file[0], options) as trace:
                    return file[0], _columns(trace[table]) if table in trace.tables else None
            except (Error, OSError) as e:
                if _damage(options) == "error":
                    raise
                return file[0], e
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            seen = list(pool.map(look, _found(self._paths(options))))
        good = [(path, found) for path, found in seen if isinstance(found, dict)]
        if not good:
            failures = [None, *(e for _, e in seen if isinstance(e, Exception))]
            raise ValueError(f"no file has a table {table!r}") from failures[-1]
        made = _merged(good, table, columns)
        made.fields[0].metadata = {KEPT: json.dumps(options)}
        return made

    def reader(self, schema: spark.StructType) -> DataSourceReader:
        """Return a reader for the columns of the schema."""
        options = _options(self.options)
        if not options and schema.fields:
            options = json.loads(schema.fields[0].metadata.get(KEPT, "{}"))
        files = _found(self._paths(options))
        if options.get("table") == FILES:
            return FilesReader(files, options, schema)
        if _flag(options, "pushdown"):
            return PushingReader(files, options, schema)
        return TraceReader(files, options, schema)


def _packed(pieces: List[Tuple[Tuple[str, int, int], int]], most: int) -> List[InputPartition]:
    """Group pieces, in their order, into tasks of about most bytes, but enough tasks to keep a machine busy.

    Opening a file counts as 1 MiB.
    """
    costs = [size + (1 << 20) for _, size in pieces]
    each = min(most, -(-sum(costs) // (4 * (os.cpu_count() or 1)))) if costs else most
    parts: List[InputPartition] = []
    last: List[Tuple[str, int, int]] = []
    size = 0
    for (piece, _), cost in zip(pieces, costs):
        if last and size + cost > each:
            parts.append(TracePartition(tuple(last), size))
            last, size = [], 0
        last.append(piece)
        size += cost
    return parts + ([TracePartition(tuple(last), size)] if last else [])


class FilesReader(DataSourceReader):
    """Returns a row for each file, after reading all of it."""

    def __init__(self, files: List[Tuple[str, int]], options: Dict[str, str],
                 schema: spark.StructType) -> None:
        self.files, self.options, self.schema = files, {**options, "damage": "skip"}, schema

    def partitions(self) -> Sequence[InputPartition]:
        """Return groups of files."""
        return _packed([((path, 0, 1), size) for path, size in self.files], SPLIT_BYTES)

    def read(self, partition: InputPartition) -> Iterator[Tuple[Any, ...]]:
        """Return the rows of the files."""
        assert isinstance(partition, TracePartition)
        sizes = dict(self.files)
        for path, _, _ in partition.files:
            row: Dict[str, Any] = dict.fromkeys(("host", "events", "error", "offset"))
            row.update(file=path, size=sizes[path])
            try:
                with _open(path, self.options) as trace:
                    row["host"] = _host(trace)
                    row["events"] = trace["events"].count()
                    if trace.damage:
                        row["offset"], row["error"] = trace.damage[0]
            except (Error, OSError) as e:
                row["error"], row["offset"] = str(e), getattr(e, "offset", None)
            yield tuple(row[f.name] for f in self.schema)


class TraceReader(DataSourceReader):
    """Reads a table of each file, in pieces by time."""

    def __init__(self, files: List[Tuple[str, int]], options: Dict[str, str],
                 schema: spark.StructType) -> None:
        self.files, self.options, self.schema = files, options, schema
        self.table = options.get("table", "events")
        self.bounds = dict(BOUNDS)
        self.lists: Dict[str, Set[Any]] = {}

    # ---- planning ----

    def partitions(self) -> Sequence[InputPartition]:
        """Return pieces of about splitBytes, or splits pieces of each file; small files are grouped."""
        each = int(self.options.get("splitBytes", SPLIT_BYTES))
        pieces: List[Tuple[Tuple[str, int, int], int]] = []
        for path, size in self.files:
            if "file" in self.lists and path not in self.lists["file"]:
                continue
            count = self._pieces(size)
            pieces += [((path, i, count), size // count) for i in range(count)]
        if "splits" in self.options:
            return [TracePartition((piece,), size) for piece, size in pieces]
        return _packed(pieces, each)

    def _pieces(self, size: int) -> int:
        if "/" not in self.table and self.table not in ("events", "lost") and not self._is_event():
            return 1
        if "splits" in self.options:
            return max(1, int(self.options["splits"]))
        each = int(self.options.get("splitBytes", SPLIT_BYTES))
        return max(1, -(-size // each))

    def _is_event(self) -> bool:
        """Return True if the table's short name is that of an event: other tables are one piece per file."""
        for path, _ in self.files:
            try:
                with _open(path, self.options) as trace:
                    if self.table in trace.tables:
                        return trace[self.table].kind == "event"
            except (Error, OSError):
                continue
        return False

    # ---- reading, in a worker ----

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        """Return the rows of a task."""
        assert isinstance(partition, TracePartition)
        for path, piece, pieces in partition.files:
            try:
                with _open(path, self.options) as trace:
                    if self.table not in trace.tables:
                        continue
                    yield from self._rows(trace, path, piece, pieces)
                    for place in trace.damage:
                        log.warning("tdat: omitted from %s: %s", path, place.message)
            except (Error, OSError) as e:
                if _damage(self.options) == "error":
                    text = str(e)
                    e.args = (f"{'' if path in text else path + ': '}table {self.table}: {text}",)
                    raise
                log.warning("tdat: omitted %s: %s", path, e)

    def _rows(self, trace: Trace, path: str, piece: int, pieces: int
              ) -> Iterator[pyarrow.RecordBatch]:
        relation = self._chosen(trace[self.table])
        if relation is None:
            return
        there = set(relation.columns)
        own = {_own("file", there): path, _own("host", there): None}
        host = _own("host", there)
        if host in self.schema.names:
            own[host] = _host(trace)
        names = [n for n in self.schema.names if n in there]
        # Without columns of its own a table still has a number of rows.
        relation = relation.select(*(names or relation.columns[:1]))
        if relation._kind in (EVENTS, EVENT, LOST):
            relation = relation.split(piece, pieces)
        elif piece:
            return
        target = to_arrow_schema(self.schema, timezone="UTC")
        for batch in relation.to_batches():
            if batch.num_rows:
                yield _conform(batch, target, own, f"{path}: table {self.table}")

    def _chosen(self, relation: Relation) -> Optional[Relation]:
        """Return the rows that options and filters select, or None if there are none."""
        o = self.options
        if o.get("where"):
            relation = relation.where(o["where"])
        if o.get("start") or o.get("end"):
            relation = relation.time(o.get("start"), o.get("end"))
        for name in ("cpu", "pid"):
            if o.get(name):
                relation = getattr(relation, name)(*(int(v) for v in o[name].split(",")))
        if relation._kind not in (EVENTS, EVENT, LOST, DERIVED):
            return relation
        if self.bounds["ts"] != INT64 and not (o.get("start") or o.get("end")):
            relation = relation._with(span=self.bounds["ts"])
        for name in ("cpu", "pid"):
            values = self.lists.get(name)
            if values is not None and not o.get(name):
                lo, hi = self.bounds[name]
                values = {v for v in values if isinstance(v, int) and lo <= v <= hi}
                if not values:
                    return None
                relation = getattr(relation, name)(*sorted(values))
        return relation


class PushingReader(TraceReader):
    """Also applies filters, if spark.sql.python.filterPushdown.enabled is set."""

    def pushFilters(self, filters: List[Filter]) -> Iterable[Filter]:
        """Accept the supported filters on ts, cpu, pid and file. Spark also applies all filters itself."""
        for f in filters:
            column: Sequence[str] = getattr(f, "attribute", ())
            if len(column) == 1:
                self._take(f, column[0])
            yield f

    def _take(self, f: Filter, name: str) -> None:
        value = getattr(f, "value", None)
        if name == "file" and isinstance(f, (EqualTo, In)):
            self._list(name, list(value or ()) if isinstance(f, In) else [value])
        if name == "file" or name not in self.bounds:
            return
        if isinstance(f, In):
            self._list(name, list(value or ()))
        elif isinstance(value, bool) or not isinstance(value, int):
            return
        elif isinstance(f, EqualTo):
            self._bound(name, value, value)
            self._list(name, [value])
        elif isinstance(f, (GreaterThan, GreaterThanOrEqual)):
            self._bound(name, value + isinstance(f, GreaterThan), INT64[1])
        elif isinstance(f, (LessThan, LessThanOrEqual)):
            self._bound(name, INT64[0], value - isinstance(f, LessThan))

    def _list(self, name: str, values: List[Any]) -> None:
        self.lists[name] = self.lists.get(name, set(values)) & set(values)

    def _bound(self, name: str, lo: int, hi: int) -> None:
        self.bounds[name] = narrowed(name, self.bounds[name], lo, hi)


def _conform(batch: pyarrow.RecordBatch, target: pyarrow.Schema, own: Dict[str, Optional[str]],
             where: str) -> pyarrow.RecordBatch:
    """Return a batch with the columns and types of a schema; missing columns are null."""
    arrays = []
    for field in target:
        if field.name in batch.schema.names:
            column = batch.column(field.name)
            try:
                arrays.append(column.cast(field.type))
            except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError) as e:
                raise ValueError(f"{where}, column {field.name}: {column.type} is not {field.type}: "
                                 f"{e}") from None
        else:
            arrays.append(pyarrow.repeat(pyarrow.scalar(own.get(field.name), field.type),
                                         batch.num_rows))
    return pyarrow.RecordBatch.from_arrays(arrays, schema=target)
