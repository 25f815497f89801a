# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tables of many trace.dat files in Apache Spark 4, by its Python data source API.

    from tdat.spark import TraceDataSource
    spark.dataSource.register(TraceDataSource)
    spark.read.format("tdat").option("table", "sched/sched_switch").load("traces/*.dat")

docs/python.md lists the options, docs/scale.md says how to plan with them.
"""
from __future__ import annotations

import contextlib
import glob
import json
import logging
import os
import shutil
import tempfile
from dataclasses import dataclass
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

import pyarrow
from pyspark.sql import types as spark
from pyspark.sql.datasource import (DataSource, DataSourceReader, EqualTo, Filter, GreaterThan,
                                    GreaterThanOrEqual, In, InputPartition, LessThan,
                                    LessThanOrEqual)
from pyspark.sql.pandas.types import to_arrow_schema

from ._errors import Error
from ._relation import BOUNDS, DERIVED, EVENT, EVENTS, INT64, LOST, Relation, narrowed
from ._trace import Trace

SPLIT_BYTES = 64 << 20
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

def _is_remote(path: str) -> bool:
    return "://" in path


def _found(paths: Sequence[str]) -> List[Tuple[str, int]]:
    """The files that paths and patterns mean, with their sizes, each once, in order of names."""
    found: Dict[str, int] = {}
    for path in paths:
        if _is_remote(path):
            import fsspec
            fs, name = fsspec.core.url_to_fs(path)
            names = [n for n in fs.glob(name)] if glob.has_magic(name) else [name]
            some = {fs.unstrip_protocol(n): int(fs.size(n) or 0) for n in names}
        else:
            names = glob.glob(path, recursive=True) if glob.has_magic(path) else [path]
            some = {n: os.path.getsize(n) for n in names}
        if not some:
            raise FileNotFoundError(f"no file is called {path}")
        found.update(some)
    return sorted(found.items())


@contextlib.contextmanager
def _local(path: str) -> Iterator[str]:
    """A path that can be opened: that of a copy, which is gone afterwards, of a remote file."""
    if not _is_remote(path):
        yield path
        return
    import fsspec
    with tempfile.TemporaryDirectory(prefix="tdat-") as folder:
        copy = os.path.join(folder, "trace.dat")
        with fsspec.open(path, "rb") as source, open(copy, "wb") as target:
            shutil.copyfileobj(source, target, 1 << 20)
        yield copy


def _flag(options: Dict[str, str], name: str) -> bool:
    value = options.get(name, "false").lower()
    if value not in ("true", "false"):
        raise ValueError(f"option {name} is true or false, not {value}")
    return value == "true"


def _open(path: str, options: Dict[str, str]) -> Trace:
    """Opens a file. A remote one stays open when its copy is gone."""
    with _local(path) as local:
        try:
            return Trace([local], _damage(options), _flag(options, "rawTs"),
                         _flag(options, "noDate"), json.loads(options.get("pairs", "[]")))
        except Error as e:
            if path not in str(e):
                e.args = (f"{path}: {e}",)
            raise


def _damage(options: Dict[str, str]) -> str:
    value = options.get("damage", "error")
    if value not in ("error", "skip"):
        raise ValueError(f"option damage is error or skip, not {value}")
    return "error" if value == "error" else "keep"


def _host(trace: Trace) -> Optional[str]:
    """The node name of the option UNAME."""
    for number, data in trace["options"].select("id", "data").tuples():
        words = data.rstrip(b"\0").decode("utf-8", "replace").split() if number == 5 else []
        if len(words) > 1:
            return words[1]
    return None


# ---- schemas ----

def _spark_type(form: str, item: Optional[str]) -> spark.DataType:
    if form == "+l" and item:
        return spark.ArrayType(TYPES[item[0]])
    return TYPES[form[0]]


def _schema(relation: Relation, wanted: Optional[List[str]]) -> spark.StructType:
    fields = [spark.StructField(name, _spark_type(form, item))
              for name, form, item, _ in relation.types]
    names = {f.name.lower() for f in fields}
    fields += [spark.StructField(_own(name, names), spark.StringType()) for name in ("file", "host")]
    if wanted is None:
        return spark.StructType(fields)
    by_name = {f.name: f for f in fields}
    missing = [name for name in wanted if name not in by_name]
    if missing:
        raise ValueError(f"table {relation.name} has no column {missing[0]!r}")
    return spark.StructType([by_name[name] for name in wanted])


def _own(name: str, taken: Any) -> str:
    """The name of a column of ours: one of the table comes first."""
    return f"trace_{name}" if name in taken else name


# ---- the data source ----

@dataclass
class TracePartition(InputPartition):
    """A piece of a file."""

    path: str
    size: int
    piece: int
    pieces: int


class TraceDataSource(DataSource):
    """The format "tdat"."""

    @classmethod
    def name(cls) -> str:
        """Its name in spark.read.format()."""
        return "tdat"

    def _paths(self) -> List[str]:
        if "paths" in self.options:
            return list(json.loads(self.options["paths"]))
        if "path" not in self.options:
            raise ValueError("load() needs a path")
        return [self.options["path"]]

    def schema(self) -> spark.StructType:
        """That of the first file that has the table; with damage=skip broken ones are passed by."""
        options = dict(self.options)
        table = options.get("table", "events")
        columns = [c.strip() for c in options["columns"].split(",")] if "columns" in options else None
        if table == FILES:
            return FILES_SCHEMA
        failure: Optional[Exception] = None
        for path, _ in _found(self._paths()):
            try:
                with _open(path, options) as trace:
                    if table in trace.tables:
                        return _schema(trace[table], columns)
            except (Error, OSError) as e:
                if _damage(options) == "error":
                    raise
                failure = e
        raise ValueError(f"no file has a table {table!r}") from failure

    def reader(self, schema: spark.StructType) -> DataSourceReader:
        """Reads the columns of the schema."""
        options = dict(self.options)
        files = _found(self._paths())
        if options.get("table") == FILES:
            return FilesReader(files, options, schema)
        if _flag(options, "pushdown"):
            return PushingReader(files, options, schema)
        return TraceReader(files, options, schema)


class FilesReader(DataSourceReader):
    """A row for each file, of which everything is read."""

    def __init__(self, files: List[Tuple[str, int]], options: Dict[str, str],
                 schema: spark.StructType) -> None:
        self.files, self.options, self.schema = files, {**options, "damage": "skip"}, schema

    def partitions(self) -> Sequence[InputPartition]:
        """One for each file."""
        return [TracePartition(path, size, 0, 1) for path, size in self.files]

    def read(self, partition: InputPartition) -> Iterator[Tuple[Any, ...]]:
        """What is to say of a file."""
        assert isinstance(partition, TracePartition)
        row: Dict[str, Any] = dict.fromkeys(("host", "events", "error", "offset"))
        row.update(file=partition.path, size=partition.size)
        try:
            with _open(partition.path, self.options) as trace:
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
        self.lists: Dict[str, set] = {}

    # ---- planning ----

    def partitions(self) -> Sequence[InputPartition]:
        """Pieces of about splitBytes, or as many of each file as splits says."""
        parts: List[InputPartition] = []
        for path, size in self.files:
            if "file" in self.lists and path not in self.lists["file"]:
                continue
            pieces = self._pieces(size)
            parts += [TracePartition(path, size, i, pieces) for i in range(pieces)]
        return parts

    def _pieces(self, size: int) -> int:
        if "/" not in self.table and self.table not in ("events", "lost") and not self._is_event():
            return 1
        if "splits" in self.options:
            return max(1, int(self.options["splits"]))
        each = int(self.options.get("splitBytes", SPLIT_BYTES))
        return max(1, -(-size // each))

    def _is_event(self) -> bool:
        """Whether the table's short name is that of an event: others are one piece of a file."""
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
        """The rows of a piece."""
        assert isinstance(partition, TracePartition)
        try:
            with _open(partition.path, self.options) as trace:
                if self.table not in trace.tables:
                    return
                yield from self._rows(trace, partition)
                for place in trace.damage:
                    log.warning("tdat: left out of %s: %s", partition.path, place.message)
        except (Error, OSError) as e:
            if _damage(self.options) == "error":
                raise
            log.warning("tdat: left out %s: %s", partition.path, e)

    def _rows(self, trace: Trace, partition: TracePartition) -> Iterator[pyarrow.RecordBatch]:
        relation = self._chosen(trace[self.table])
        if relation is None:
            return
        there = set(relation.columns)
        own = {_own("file", there): partition.path, _own("host", there): None}
        host = _own("host", there)
        if host in self.schema.names:
            own[host] = _host(trace)
        names = [n for n in self.schema.names if n in there]
        # Without columns of its own a table still has a number of rows.
        relation = relation.select(*(names or relation.columns[:1]))
        if relation._kind in (EVENTS, EVENT, LOST):
            relation = relation.split(partition.piece, partition.pieces)
        elif partition.piece:
            return
        target = to_arrow_schema(self.schema, timezone="UTC")
        for batch in relation.to_batches():
            if batch.num_rows:
                yield _conform(batch, target, own)

    def _chosen(self, relation: Relation) -> Optional[Relation]:
        """The rows that options and filters ask for; None: there are none."""
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
    """Also takes filters; Spark wants spark.sql.python.filterPushdown.enabled to be set for it."""

    def pushFilters(self, filters: List[Filter]) -> Iterable[Filter]:
        """Takes what it knows of ts, cpu, pid and file. Spark looks at all filters once more."""
        for f in filters:
            column = getattr(f, "attribute", ())
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


def _conform(batch: pyarrow.RecordBatch, target: pyarrow.Schema, own: Dict[str, Optional[str]]
             ) -> pyarrow.RecordBatch:
    """A batch with the columns and types of a schema; what it does not have is null."""
    arrays = []
    for field in target:
        if field.name in batch.schema.names:
            arrays.append(batch.column(field.name).cast(field.type))
        else:
            arrays.append(pyarrow.repeat(pyarrow.scalar(own.get(field.name), field.type),
                                         batch.num_rows))
    return pyarrow.RecordBatch.from_arrays(arrays, schema=target)
