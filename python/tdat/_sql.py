# SPDX-License-Identifier: LGPL-2.1-or-later
"""Queries in SQL, by DuckDB where it is installed, else by SQLite within tdat.

A query is planned first, against empty tables with the same columns: the plan says which columns each
table is read for, and which conditions its rows are to meet. Then tdat's extension of DuckDB reads the
tables (_extension.py). Without it DuckDB knows them as objects that give out Arrow streams, which have
only the columns that are read. Conditions on ts, cpu, pid and buffer go into the reader. DuckDB compares
each row all the same, so that a condition that was not understood costs time only.
"""
from __future__ import annotations

import difflib
import json
import re
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Sequence, Set, Tuple

from . import _extension
from ._relation import BOUNDS, DERIVED, EVENT, EVENTS, LOST, Relation, narrowed

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from ._trace import Trace

# Without these the plan of a query of empty tables is that of full ones.
KEPT_OUT = ("statistics_propagation", "compressed_materialization", "late_materialization",
            "empty_result_pullup")
NUMBER = r"(-?\d+)(?:::\w+)?"
# Before DuckDB 2.0 without blanks, and with a word before what is compared once more.
COMPARED = re.compile(rf"\(?(ts|cpu|pid) ?(=|>=|<=|>|<) ?{NUMBER}\)?")
BETWEEN = re.compile(rf"\(?(ts|cpu|pid) BETWEEN {NUMBER} AND {NUMBER}\)?")
LISTED = re.compile(rf"\(?(cpu|pid) IN \(({NUMBER}(?:, {NUMBER})*)\)\)?")
BUFFERED = re.compile(r"\(?buffer ?(?:= ?('(?:[^']|'')*')|IN \(((?:, )?'(?:[^']|'')*')+\))\)?")
LISTING = re.compile(r"\b(show|describe|summarize|pragma|information_schema|duckdb_\w+)\b", re.I)
MOST_LISTED = 4096


class Answer:
    """Rows of a query: names of columns, and the rows as tuples, which a table of Arrow gives when they are
    asked for."""

    def __init__(self, columns: List[str], rows: Optional[List[Tuple[Any, ...]]],
                 table: "Optional[pyarrow.Table]" = None, pushed: Optional[Dict[str, Any]] = None
                 ) -> None:
        self.columns = columns
        self._made = rows
        self._table = table
        self.pushed = pushed or {}

    @property
    def _rows(self) -> List[Tuple[Any, ...]]:
        if self._made is None:
            columns = self._table.columns if self._table is not None else []
            self._made = list(zip(*(_values_of(c) for c in columns)))
        return self._made

    def fetchall(self) -> List[Tuple[Any, ...]]:
        """All rows as a list of tuples."""
        return list(self._rows)

    def __iter__(self) -> Iterator[Tuple[Any, ...]]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows) if self._table is None else self._table.num_rows

    def to_arrow(self) -> "pyarrow.Table":
        """A table of pyarrow."""
        import pyarrow
        if self._table is not None:
            return self._table
        columns = list(zip(*self._rows)) if self._rows else [()] * len(self.columns)
        return pyarrow.Table.from_arrays([pyarrow.array(list(c)) for c in columns], self.columns)

    def to_pandas(self, **options: Any) -> "pandas.DataFrame":
        """A data frame of pandas."""
        return self.to_arrow().to_pandas(**options)

    def to_polars(self) -> "polars.DataFrame":
        """A data frame of polars."""
        import polars
        return polars.DataFrame(self.to_arrow())

    def __repr__(self) -> str:
        return f"<Answer {self.columns}: {len(self)} rows>"

    def _repr_html_(self) -> str:
        import html
        head = "".join(f"<th>{html.escape(c)}</th>" for c in self.columns)
        shown = self._rows if self._table is None else Answer([], None, self._table[:50])._rows
        body = "".join("<tr>" + "".join(
            f"<td>{html.escape('' if v is None else str(v))}</td>" for v in row) + "</tr>"
            for row in shown[:50])
        more = f"<p>{len(self)} rows, 50 are shown</p>" if len(self) > 50 else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _values_of(column: Any) -> List[Any]:
    """The values of a column. Sums that 64 bits do not hold come as decimals without a point."""
    values: List[Any] = column.to_pylist()
    if getattr(column.type, "scale", None) == 0:
        values = [None if v is None else int(v) for v in values]
    return values


def query(trace: "Trace", text: str, parameters: Sequence[Any], engine: Optional[str],
          perfetto: bool) -> Answer:
    """Answers a query."""
    if engine not in (None, "duckdb", "sqlite"):
        raise ValueError('engine is "duckdb" or "sqlite"')
    if engine != "sqlite" and not perfetto:
        try:
            import duckdb
        except ImportError:
            if engine:
                raise
        else:
            return _by_duckdb(duckdb, trace, text, parameters)
    columns, rows = trace._core.sql(text, list(parameters), perfetto)
    return Answer(columns, rows)


# ---- DuckDB ----

def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _named(trace: "Trace", text: str) -> Dict[str, Relation]:
    """The tables whose names are in the text, short names too; all where it lists tables."""
    low = text.lower()
    every = LISTING.search(text)
    found: Dict[str, Relation] = {}
    taken: Set[str] = set()
    for name in [*trace.tables, *trace.tables._short]:
        key = name.lower()
        if key in taken or not (every or key in low or key.replace('"', '""') in low):
            continue
        taken.add(key)
        found[name] = trace.tables[name]
    return found


def _by_duckdb(duckdb: Any, trace: "Trace", text: str, parameters: Sequence[Any]) -> Answer:
    relations = _named(trace, text)
    narrow = _plan(duckdb, relations, text, parameters)
    if narrow and not LISTING.search(text) and _extension.reads(trace, duckdb):
        try:
            return _by_extension(duckdb, trace, relations, narrow, text, parameters)
        except duckdb.InterruptException:
            raise
        except duckdb.Error:
            pass  # the streams fail as well, as tdat does, or do without the extension
    sources = {n: _Source(r, narrow.get(n.lower())) for n, r in relations.items()}
    try:
        return _execute(duckdb, sources, text, parameters)
    except duckdb.CatalogException as e:
        raise _unknown(trace, e) from None
    except duckdb.BinderException:
        # A column that the plan does without is of the type null; the query may need its own.
        if not any(s.wanted for s in sources.values()):
            raise
        sources = {n: _Source(r, None) for n, r in relations.items()}
        return _execute(duckdb, sources, text, parameters)


def _by_extension(duckdb: Any, trace: "Trace", relations: Dict[str, Relation],
                  narrow: "Dict[str, Wanted]", text: str, parameters: Sequence[Any]) -> Answer:
    for name, relation in relations.items():
        if name.lower() in narrow:
            narrow[name.lower()].narrow(relation)
    with _extension.connect(duckdb, trace, relations, narrow) as db:
        answer = _answer(db, text, parameters)
    answer.pushed = {n: narrow[n.lower()].facts() for n in relations if n.lower() in narrow}
    return answer


def _unknown(trace: "Trace", error: Exception) -> Exception:
    """The error with the nearest names of tables, where a table is not there."""
    name = re.search(r"Table with name (\S+) does not exist", str(error))
    near = difflib.get_close_matches(name[1], [*trace.tables, *trace.tables._short]) if name else []
    if not name or not near:
        return error
    lines = [line for line in str(error).split("\n") if not line.startswith("Did you mean")]
    return type(error)("\n".join([lines[0], "Did you mean " + " or ".join(f'"{n}"' for n in near) + "?", *lines[1:]]))


class _Source:
    """A table as DuckDB scans it, and the streams that it was given, for their failures."""

    def __init__(self, relation: Relation, wanted: "Optional[Wanted]") -> None:
        self.relation = relation
        self.wanted = wanted
        self.streams: List[Any] = []
        self.is_read_once = wanted is not None and wanted.scans == 1
        if not wanted:
            return
        self.relation = wanted.narrow(relation)

    def for_version(self, version: str) -> Any:
        """What DuckDB is given: before 1.5 it asks for one stream, also where a query reads a table twice."""
        if self.is_read_once or [int(n) for n in re.findall(r"\d+", version)[:2]] >= [1, 5]:
            return self
        import pyarrow
        return pyarrow.table(self)

    def __arrow_c_schema__(self) -> object:
        if self.wanted:
            # The columns that are not read are nulls in the stream: it tells of them itself.
            return self.relation._stream().__arrow_c_schema__()
        return self.relation.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        stream = self.relation._stream()
        self.streams.append(stream)
        return stream.__arrow_c_stream__()


def _execute(duckdb: Any, sources: Dict[str, _Source], text: str, parameters: Sequence[Any]
             ) -> Answer:
    with duckdb.connect() as db:
        for name, source in sources.items():
            db.register(name, source.for_version(duckdb.__version__))
        try:
            answer = _answer(db, text, parameters)
        except Exception:
            for source in sources.values():
                for stream in source.streams:
                    stream.raise_failure()
            raise
    answer.pushed = {n: s.wanted.facts() for n, s in sources.items() if s.wanted}
    return answer


def _answer(db: Any, text: str, parameters: Sequence[Any]) -> Answer:
    """Runs a query."""
    # None: a statement without a result. The truth of a result would run the query.
    result = db.sql(text, params=list(parameters) or None)
    if result is None:
        return Answer([], None)
    columns = list(result.columns)
    table = _arrow_of(result)
    return Answer(columns, result.fetchall() if table is None else None, table)


def _arrow_of(result: Any) -> Any:
    """The result as a table of pyarrow, where that is installed. DuckDB's sums of integers are integers of 128
    bits, which Arrow lacks: they have 64 bits where all values fit."""
    try:
        import pyarrow
    except ImportError:
        return None
    wide = [i for i, t in enumerate(result.types) if str(t) == "HUGEINT"]
    table = (getattr(result, "to_arrow_table", None) or result.arrow)()
    for i in wide:
        field = table.schema.field(i)
        try:
            cast = table.column(i).cast(pyarrow.decimal128(38, 0)).cast(pyarrow.int64())
        except pyarrow.ArrowInvalid:
            continue
        table = table.set_column(i, field.with_type(pyarrow.int64()), cast)
    return table


# ---- what a query reads ----

class Wanted:
    """What a query reads of a table: columns, and bounds and lists of values."""

    def __init__(self) -> None:
        self.scans = 0
        self.columns: Set[str] = set()
        self.bounds: Dict[str, Tuple[int, int]] = {}
        self.lists: Dict[str, Set[int]] = {}
        self.buffers: Optional[Set[str]] = None

    def narrow(self, r: Relation) -> Relation:
        """The relation with only what is read."""
        every = r.columns
        if not all(re.fullmatch(r"\w+", c) for c in every):
            # Which columns conditions name, and what they say, is read in the plan as words.
            self.columns, self.bounds, self.lists, self.buffers = set(every), {}, {}, None
            return r
        columns = [c for c in every if c in self.columns] or every[:1]
        self.columns = set(columns)
        r = r._with(columns=columns, layout=every)
        if r._kind not in (EVENTS, EVENT, LOST, DERIVED):
            self.bounds, self.lists = {}, {}
        if "ts" in self.bounds:
            r = r._with(span=self.bounds["ts"])
        for name, method in (("cpu", r.cpu), ("pid", r.pid)):
            values = self._values(name)
            if values is not None:
                r = getattr(r, name)(*values)
        known = {b["name"] for f in r._trace.info for b in f["buffers"]}
        # "top" is the pattern of the buffer without a name. A filter of no buffer that is there fails.
        if r._kind not in (EVENTS, EVENT) or not (self.buffers or set()) & known or "top" in known:
            self.buffers = None
        if self.buffers is not None:
            self.buffers &= known
            r = r.buffer(*self.buffer_patterns())
        return r

    def buffer_patterns(self) -> List[str]:
        """The buffers as patterns that match nothing else."""
        return [re.sub(r"([*?\[\\])", r"\\\1", b) or "top" for b in sorted(self.buffers or ())]

    def _values(self, name: str) -> Optional[List[int]]:
        lo, hi = self.bounds.get(name, BOUNDS[name])
        if name in self.lists:
            return sorted(v for v in self.lists[name] if lo <= v <= hi)
        return list(range(lo, hi + 1)) if hi - lo < MOST_LISTED else None

    def facts(self) -> Dict[str, Any]:
        """What goes into the reader, for Answer.pushed."""
        facts: Dict[str, Any] = {"columns": sorted(self.columns)}
        if "ts" in self.bounds:
            facts["ts"] = self.bounds["ts"]
        for name in ("cpu", "pid"):
            values = self._values(name)
            if values is not None:
                facts[name] = values
        if self.buffers is not None:
            facts["buffer"] = sorted(self.buffers)
        return facts

    def take(self, condition: str) -> None:
        """Takes a condition that all rows meet, if it is one that the reader knows."""
        m = COMPARED.fullmatch(condition)
        if m:
            self._bound(m[1], *_span(m[1], m[2], int(m[3])))
            return
        m = BETWEEN.fullmatch(condition)
        if m:
            self._bound(m[1], int(m[2]), int(m[3]))
            return
        if BUFFERED.fullmatch(condition):
            names = {n.replace("''", "'") for n in re.findall(r"'((?:[^']|'')*)'", condition)}
            self.buffers = names if self.buffers is None else self.buffers & names
            return
        m = LISTED.fullmatch(condition)
        values = {int(v) for v in re.findall(r"-?\d+", re.sub(r"::\w+", "", m[2]))} if m else None
        name = m[1] if m else None
        if not m:
            ors = [COMPARED.fullmatch(part) for part in _parts(condition, " OR ")]
            if all(o and o[2] == "=" for o in ors) and len({o[1] for o in ors if o}) == 1:
                name = ors[0][1]  # type: ignore[index]
                values = {int(o[3]) for o in ors if o}
        if name in ("cpu", "pid") and values is not None and len(values) <= MOST_LISTED:
            self.lists[name] = self.lists.get(name, values) & values

    def _bound(self, name: str, lo: int, hi: int) -> None:
        self.bounds[name] = narrowed(name, self.bounds.get(name, BOUNDS[name]), lo, hi)


def _span(name: str, op: str, value: int) -> Tuple[int, int]:
    lo, hi = BOUNDS[name]
    if op == "=":
        return value, value
    if op in (">", ">="):
        return value + (op == ">"), hi
    return lo, value - (op == "<")


def _parts(text: str, word: str) -> List[str]:
    """The operands of AND or OR at the top of an expression."""
    while text.startswith("(") and _closing(text, 0) == len(text) - 1:
        text = text[1:-1]
    parts, depth, start, i, between = [], 0, 0, 0, False
    while i < len(text):
        if text[i] == "'":
            i = text.find("'", i + 1)
            if i < 0:
                return [text]
        elif text[i] in "()":
            depth += 1 if text[i] == "(" else -1
        elif not depth and text.startswith(" BETWEEN ", i):
            between = True
        elif not depth and text.startswith(word, i):
            if between and word == " AND ":
                between = False
            else:
                parts.append(text[start:i])
                start = i + len(word)
        i += 1
    return parts + [text[start:]]


def _closing(text: str, at: int) -> int:
    depth, i = 0, at
    while i < len(text):
        if text[i] == "'":
            i = text.find("'", i + 1)
            if i < 0:
                return -1
        elif text[i] in "()":
            depth += 1 if text[i] == "(" else -1
            if not depth:
                return i
        i += 1
    return -1


class _Empty:
    """A table's columns without its rows."""

    def __init__(self, relation: Relation) -> None:
        self._relation = relation.head(0)

    def __arrow_c_schema__(self) -> object:
        return self._relation.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._relation._stream().__arrow_c_stream__()


def _plan(duckdb: Any, relations: Dict[str, Relation], text: str, parameters: Sequence[Any]
          ) -> Dict[str, Wanted]:
    """What a query reads of each table; nothing where that cannot be told."""
    if not re.match(r"\s*(select|with|from|\()", text, re.I):
        return {}
    with duckdb.connect() as db:
        db.execute(f"SET disabled_optimizers = '{','.join(_known(db))}'")
        for name, relation in relations.items():
            db.register("tdat_empty", _Empty(relation))
            db.execute(f"CREATE TABLE {_quoted(name)} AS FROM tdat_empty")
            db.unregister("tdat_empty")
        try:
            plan = db.execute("EXPLAIN (FORMAT JSON) " + text, list(parameters) or None).fetchall()
        except duckdb.Error:
            return {}  # the query itself fails, with its own text
    wanted: Dict[str, Wanted] = {}
    try:
        for root in json.loads(plan[-1][1]):
            _walk(root, [], wanted)
    except (LookupError, TypeError, ValueError):
        return {}
    for name, w in wanted.items():
        # Several scans of a table have conditions of their own.
        if w.scans > 1:
            w.bounds, w.lists, w.buffers = {}, {}, None
    return wanted


def _known(db: Any) -> List[str]:
    names = {row[0] for row in db.execute("SELECT name FROM duckdb_optimizers()").fetchall()}
    return [n for n in KEPT_OUT if n in names]


def _walk(node: Dict[str, Any], above: List[str], wanted: Dict[str, Wanted]) -> None:
    info = node.get("extra_info") or {}
    if node["name"].strip() == "SEQ_SCAN":
        w = wanted.setdefault(_table(info["Table"]), Wanted())
        w.scans += 1
        w.columns.update(_strings(info.get("Projections", [])))
        for text in _strings(info.get("Filters", [])) + above:
            _columns_in(text, w)
            for condition in _parts(re.sub("^optional: ", "", text), " AND "):
                w.take(condition)
    passed = _strings(info.get("Expression", [])) if node["name"].strip() == "FILTER" else []
    for child in node.get("children", []):
        _walk(child, passed, wanted)


def _columns_in(text: str, w: Wanted) -> None:
    """Columns of conditions that are compared while a table is scanned."""
    w.columns.update(re.findall(r"\w+", text))


def _table(name: str) -> str:
    return name.split(".", 2)[-1].lower()


def _strings(value: Any) -> List[str]:
    return [value] if isinstance(value, str) and value else list(value or [])
