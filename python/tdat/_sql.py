# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs SQL queries in DuckDB if it is installed, otherwise in the SQLite that tdat contains.

A query is planned first, with empty tables that have the same columns: the plan shows which columns of each
table the query reads, and which conditions its rows must meet. Then tdat's extension of DuckDB reads the tables
(_extension.py). Without the extension, DuckDB gets objects that return Arrow streams with only the needed
columns. Conditions on ts, cpu, pid and buffer are passed to the reader. DuckDB also checks the conditions of each row, so
if tdat does not recognize a condition, the query is only slower.
"""
from __future__ import annotations

import difflib
import json
import re
from typing import (TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence, Set, Tuple,
                    Union)

from . import _errors, _extension, _html
from ._relation import BOUNDS, DERIVED, EVENT, EVENTS, LOST, Relation, narrowed

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from ._trace import Trace

NUMBER = r"(-?\d+)(?:::\w+)?"
# Before DuckDB 2.0 without blanks, and with a word before what is compared once more.
COMPARED = re.compile(rf"\(?(ts|cpu|pid) ?(=|>=|<=|>|<) ?{NUMBER}\)?")
BETWEEN = re.compile(rf"\(?(ts|cpu|pid) BETWEEN {NUMBER} AND {NUMBER}\)?")
LISTED = re.compile(rf"\(?(cpu|pid) IN \(({NUMBER}(?:, {NUMBER})*)\)\)?")
BUFFERED = re.compile(r"\(?buffer ?(?:= ?('(?:[^']|'')*')|IN \(((?:, )?'(?:[^']|'')*')+\))\)?")
# A query that reads, behind blanks and comments.
READING = re.compile(r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/)*(?:select|with|from|values|\()", re.I | re.S)
LISTING = re.compile(r"\b(show|describe|summarize|pragma|information_schema|duckdb_\w+)\b", re.I)
MOST_LISTED = 4096
# Functions that only tdat sql has, and what says the same to DuckDB.
FUNCTIONS = {
    "time": 'trace.ts("+1s") gives the number: trace.sql("... WHERE ts >= $since", {"since": trace.ts("+1s")})',
    "percentile": "quantile_cont(x, 0.99) is its percentile(x, 99)",
    "log2_bucket": "1 << floor(log2(x))::INT is its log2_bucket(x)",
    "comm": "the column comm has the names, and the table tasks those that were saved",
    "sym": 'columns NAME_sym have symbols; engine="sqlite" knows sym()',
}
Parameters = Union[Sequence[Any], Mapping[str, Any]]
Bound = Union[List[Any], Dict[str, Any]]
STAR_ITSELF = ("class", "type", "relation_name", "query_location", "query_location_length")


class Answer:
    """The result of a query: names of columns, and rows as tuples, converted from an Arrow table when used."""

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

    def lacks_values(self) -> bool:
        """Return True if there is no row, a column of nulls, or a single row with a zero: a table may be
        absent."""
        if not len(self):
            return True
        columns = zip(*self._rows) if self._table is None or len(self) == 1 else self._table.columns
        return any(c[0] in (None, 0) if len(self) == 1 else all(v is None for v in c) if isinstance(c, tuple)
                   else c.null_count == len(self) for c in columns)

    def fetchall(self) -> List[Tuple[Any, ...]]:
        """Return all rows as a list of tuples."""
        return list(self._rows)

    def __iter__(self) -> Iterator[Tuple[Any, ...]]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows) if self._table is None else self._table.num_rows

    def to_arrow(self) -> "pyarrow.Table":
        """Return a pyarrow table."""
        import pyarrow
        if self._table is not None:
            return self._table
        columns = list(zip(*self._rows)) if self._rows else [()] * len(self.columns)
        return pyarrow.Table.from_arrays([pyarrow.array(list(c)) for c in columns], self.columns)

    def to_pandas(self, **options: Any) -> "pandas.DataFrame":
        """Return a pandas data frame."""
        return self.to_arrow().to_pandas(**options)

    def to_polars(self) -> "polars.DataFrame":
        """Return a polars data frame."""
        import polars
        return polars.DataFrame(self.to_arrow())

    def __repr__(self) -> str:
        return f"<Answer {self.columns}: {len(self)} rows>"

    def _repr_html_(self) -> str:
        shown = self if self._table is None else Answer([], None, self._table[:_html.SHOWN])
        return _html.table(self.columns, shown._rows[:_html.SHOWN],
                           max(0, len(self) - _html.SHOWN))


def _values_of(column: Any) -> List[Any]:
    """Return the values of a column. Sums beyond 64 bits arrive as decimals without a point."""
    values: List[Any] = column.to_pylist()
    if getattr(column.type, "scale", None) == 0:
        values = [None if v is None else int(v) for v in values]
    return values


def query(trace: "Trace", text: str, parameters: Parameters, engine: Optional[str],
          perfetto: bool) -> Answer:
    """Run a query and return its answer."""
    if engine not in (None, "duckdb", "sqlite"):
        raise ValueError('engine must be "duckdb" or "sqlite"')
    if engine == "duckdb" and perfetto:
        raise ValueError('perfetto=True needs engine="sqlite", or no engine')
    if isinstance(parameters, (str, bytes)):
        raise TypeError("parameters must be a list of values, or a dict of names and values")
    bound: Bound = dict(parameters) if isinstance(parameters, Mapping) else list(parameters)
    if engine != "sqlite" and not perfetto:
        try:
            import duckdb
        except ImportError:
            if engine:
                raise
        else:
            return _by_duckdb(duckdb, trace, text, bound)
    try:
        columns, rows = trace._core.sql(text, bound, perfetto, -1, 0.0)
    except _errors.Error as e:
        raise _near(trace, text, e) from None
    answer = Answer(columns, rows)
    trace._warn(*words(trace, text), is_empty=answer.lacks_values())
    return answer


def words(trace: "Trace", text: str) -> List[str]:
    """Return the tables whose names are words of a text."""
    found = {w.lower() for w in re.findall(r"\w+", text)}
    return [n for n in trace.tables if n.lower() in found]


def _near(trace: "Trace", text: str, error: _errors.Error) -> _errors.Error:
    """Return SQLite's error; if a table or column is missing, add the nearest names."""
    missing = re.search(r"no such (table|column): (\S+)", str(error))
    if not missing:
        return error
    names = [*trace.tables, *trace.tables._short] if missing[1] == "table" else \
        [c for r in _named(trace, text).values() for c in r.columns]
    near = difflib.get_close_matches(missing[2], names)
    hint = "; did you mean " + " or ".join(repr(n) for n in near) + "?" if near else ""
    return _errors.make(error.status, f"{error}{hint}", error.offset)


# ---- DuckDB ----

def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _is_in(name: str, text: str) -> bool:
    """Return whether a table's name is a word of a query, also as a quoted name. Both are in lower case."""
    return any(one in text and re.search(rf"(?<![\w/]){re.escape(one)}(?![\w/])", text)
               for one in {name, name.replace('"', '""')})


def _named(trace: "Trace", text: str) -> Dict[str, Relation]:
    """Return the tables whose names or short names are words of the text; all tables if it lists tables."""
    low = text.lower()
    every = LISTING.search(text)
    found: Dict[str, Relation] = {}
    taken: Set[str] = set()
    for name in [*trace.tables, *trace.tables._short]:
        key = name.lower()
        if key in taken or not (every or _is_in(key, low)):
            continue
        taken.add(key)
        found[name] = trace.tables[name]
    return found


def _by_duckdb(duckdb: Any, trace: "Trace", text: str, parameters: Bound) -> Answer:
    relations = _named(trace, text)
    narrow, answer = _answered(duckdb, trace, relations, text, parameters)
    trace._warn(*(r.name for n, r in relations.items() if n.lower() in narrow), is_empty=answer.lacks_values())
    return answer


def _answered(duckdb: Any, trace: "Trace", relations: Dict[str, Relation], text: str, parameters: Bound
              ) -> "Tuple[Dict[str, Wanted], Answer]":
    """Return what the query reads of each table, and its answer."""
    narrow = _plan(duckdb, relations, text, parameters)
    for name, relation in relations.items():
        if name.lower() in narrow:
            narrow[name.lower()].relation = narrow[name.lower()].narrow(relation)
    answer = _directly(narrow)
    if answer is None and narrow and not LISTING.search(text) and _extension.reads(trace, duckdb):
        answer = _by_extension(duckdb, trace, narrow, text, parameters)
    if answer is not None:
        answer.pushed = {n: narrow[n.lower()].facts() for n in relations if n.lower() in narrow}
        return narrow, answer
    sources = {n: _Source(r, narrow.get(n.lower())) for n, r in relations.items()}
    try:
        return narrow, _execute(duckdb, sources, text, parameters)
    except (duckdb.CatalogException, duckdb.ParserException) as e:
        raise _unknown(trace, text, e) from None
    except duckdb.BinderException:
        # A column that the plan does without is of the type null; the query may need its own.
        if not any(s.wanted for s in sources.values()):
            raise
        sources = {n: _Source(r, None) for n, r in relations.items()}
        return narrow, _execute(duckdb, sources, text, parameters)


def _directly(narrow: "Dict[str, Wanted]") -> Optional[Answer]:
    """Answer a query that only selects columns and rows, if the reader supports all of it: DuckDB would copy
    each value, and each name of a dictionary. Return None for other queries."""
    wanted = next(iter(narrow.values()), None)
    if len(narrow) != 1 or wanted is None or wanted.result is None or wanted.relation is None:
        return None
    try:
        import pyarrow
    except ImportError:
        return None
    # Small batches are quicker to keep: their memory does not come from the system one by one.
    relation = wanted.relation._with(columns=[column for _, column in wanted.result], layout=None,
                                     batch_rows=8192)
    # DuckDB has timestamps of its own.
    if any(t[1].startswith("t") for t in relation.types):
        return None
    names = [name for name, _ in wanted.result]
    with relation._reading() as stream:
        table = pyarrow.table(stream).rename_columns(names)
    return Answer(names, None, table)


def _by_extension(duckdb: Any, trace: "Trace", narrow: "Dict[str, Wanted]", text: str,
                  parameters: Bound) -> Optional[Answer]:
    """Answer with the extension. None: it failed; streams then fail as well, with tdat's own errors."""
    try:
        with _extension.cursor(duckdb, "reader") as db:
            for name, wanted in narrow.items():
                if wanted.relation is None:
                    return None
                call = _extension.call(trace, wanted.relation, wanted)
                db.execute(f"CREATE TEMP VIEW {_quoted(name)} AS FROM {call}")
            return _answer(db, text, parameters)
    except duckdb.InterruptException:
        raise
    except duckdb.Error:
        return None


def _unknown(trace: "Trace", text: str, error: Exception) -> Exception:
    """Return the error; add the nearest names if a table is missing, or DuckDB's equivalent of a function of
    tdat sql."""
    table = re.search(r"Table with name (\S+) does not exist", str(error))
    function = re.search(r"Function with name (\w+) does not exist", str(error))
    near = difflib.get_close_matches(table[1], [*trace.tables, *trace.tables._short]) if table else []
    name = function[1].lower() if function else ""
    if "syntax error" in str(error) and re.search(r"\btime *\(", text, re.I):
        name = "time"  # which DuckDB parses as a type
    if name in FUNCTIONS:
        hint = f"{name}() is a function of tdat sql, which DuckDB lacks: {FUNCTIONS[name]}"
    elif near:
        hint = "Did you mean " + " or ".join(f'"{n}"' for n in near) + "?"
    else:
        return error
    lines = [line for line in str(error).split("\n") if not line.startswith("Did you mean")]
    return type(error)("\n".join([lines[0], hint, *lines[1:]]))


class _Source:
    """A table as DuckDB scans it, and its streams, for their failures."""

    def __init__(self, relation: Relation, wanted: "Optional[Wanted]") -> None:
        self.relation = relation
        self.wanted = wanted
        self.streams: List[Any] = []
        self.is_read_once = wanted is not None and wanted.scans == 1
        if wanted and wanted.relation:
            self.relation = wanted.relation

    def for_version(self, version: str, is_named: bool) -> Any:
        """Return an object for DuckDB: before 1.5, it requests only one stream even if a query reads a table
        twice. A table that is only listed has no rows."""
        if self.is_read_once or [int(n) for n in re.findall(r"\d+", version)[:2]] >= [1, 5]:
            return self
        import pyarrow
        return pyarrow.table(self) if is_named else pyarrow.schema(self).empty_table()

    def __arrow_c_schema__(self) -> object:
        if self.wanted:
            # The columns that are not read are nulls in the stream: it tells of them itself.
            return self.relation._stream().__arrow_c_schema__()
        return self.relation.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        stream = self.relation._stream()
        self.streams.append(stream)
        return stream.__arrow_c_stream__()


def _execute(duckdb: Any, sources: Dict[str, _Source], text: str, parameters: Bound
             ) -> Answer:
    with duckdb.connect() as db:
        for name, source in sources.items():
            db.register(name, source.for_version(duckdb.__version__, _is_in(name.lower(), text.lower())))
        try:
            answer = _answer(db, text, parameters)
        except Exception:
            for source in sources.values():
                for stream in source.streams:
                    stream.raise_failure()
            raise
    answer.pushed = {n: s.wanted.facts() for n, s in sources.items() if s.wanted}
    return answer


def _answer(db: Any, text: str, parameters: Bound) -> Answer:
    """Run a query."""
    # None: a statement without a result. The truth of a result would run the query.
    result = db.sql(text, params=parameters or None)
    if result is None:
        return Answer([], None)
    columns = list(result.columns)
    table = _arrow_of(result)
    return Answer(columns, result.fetchall() if table is None else None, table)


def _arrow_of(result: Any) -> Any:
    """Return the result as a pyarrow table, or None if pyarrow is not installed. DuckDB's sums of integers have
    128 bits, which Arrow lacks: they get 64 bits if all values fit."""
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
    """The part of a table that a query reads: columns, bounds and lists of values."""

    def __init__(self) -> None:
        self.scans = 0
        self.columns: Set[str] = set()
        self.bounds: Dict[str, Tuple[int, int]] = {}
        self.lists: Dict[str, Set[int]] = {}
        self.buffers: Optional[Set[str]] = None
        self.is_exact = True  # the reader knows all conditions
        # Where the rows of the table are the answer: the names of its columns, and whose they are.
        self.result: Optional[List[Tuple[str, str]]] = None
        self.relation: Optional[Relation] = None  # as it is read

    def narrow(self, r: Relation) -> Relation:
        """Return the relation restricted to this part."""
        every = r.columns
        if not all(re.fullmatch(r"\w+", c) for c in every):
            # Which columns conditions name, and what they say, is read in the plan as words.
            self.columns, self.bounds, self.lists, self.buffers = set(every), {}, {}, None
            self.result = None
            return r
        columns = [c for c in every if c in self.columns] or every[:1]
        self.columns = set(columns)
        r = r._with(columns=columns, layout=every)
        conditions = {*self.bounds, *self.lists} | ({"buffer"} if self.buffers is not None else set())
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
        # Rows of derived tables, and conditions that are too wide for a list, are left to DuckDB.
        if conditions and (r._kind not in (EVENTS, EVENT) or not conditions <= self.facts().keys()):
            self.result = None
        return r

    def buffer_patterns(self) -> List[str]:
        """Return the buffers as patterns that match nothing else."""
        return [re.sub(r"([*?\[\\])", r"\\\1", b) or "top" for b in sorted(self.buffers or ())]

    def _values(self, name: str) -> Optional[List[int]]:
        lo, hi = self.bounds.get(name, BOUNDS[name])
        if name in self.lists:
            return sorted(v for v in self.lists[name] if lo <= v <= hi)
        return list(range(lo, hi + 1)) if hi - lo < MOST_LISTED else None

    def facts(self) -> Dict[str, Any]:
        """Return what is passed to the reader, for Answer.pushed."""
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
        """Add a condition that all rows meet, if the reader supports it."""
        self.is_exact &= self._takes(condition)

    def _takes(self, condition: str) -> bool:
        m = COMPARED.fullmatch(condition)
        if m:
            self._bound(m[1], *_span(m[1], m[2], int(m[3])))
            return True
        m = BETWEEN.fullmatch(condition)
        if m:
            self._bound(m[1], int(m[2]), int(m[3]))
            return True
        m = LISTED.fullmatch(condition)
        values = {int(v) for v in re.findall(r"-?\d+", re.sub(r"::\w+", "", m[2]))} if m else None
        name = m[1] if m else None
        if not m:
            parts = _parts(condition, " OR ")
            if all(BUFFERED.fullmatch(part) for part in parts):
                names = {n.replace("''", "'") for p in parts
                         for n in re.findall(r"'((?:[^']|'')*)'", p)}
                self.buffers = names if self.buffers is None else self.buffers & names
                return True
            ors = [COMPARED.fullmatch(part) for part in parts]
            if all(o and o[2] == "=" for o in ors) and len({o[1] for o in ors if o}) == 1:
                name = ors[0][1]  # type: ignore[index]
                values = {int(o[3]) for o in ors if o}
        if name in ("cpu", "pid") and values is not None and len(values) <= MOST_LISTED:
            self.lists[name] = self.lists.get(name, values) & values
            return True
        return False

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
    """Return the operands of AND or OR at the top level of an expression."""
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


def _plan(duckdb: Any, relations: Dict[str, Relation], text: str, parameters: Bound
          ) -> Dict[str, Wanted]:
    """Return what a query reads of each table; nothing if the plan does not show it."""
    if not READING.match(text):
        return {}
    with _extension.cursor(duckdb, "planner") as db:
        for name, relation in relations.items():
            db.register("tdat_empty", _Empty(relation))
            db.execute(f"CREATE TEMP TABLE {_quoted(name)} AS FROM tdat_empty")
            db.unregister("tdat_empty")
        return _plan_of(duckdb, db, relations, text, parameters)


def _plan_of(duckdb: Any, db: Any, relations: Dict[str, Relation], text: str, parameters: Bound
             ) -> Dict[str, Wanted]:
    """Do the same with empty tables of the connection."""
    wanted: Dict[str, Wanted] = {}
    try:
        plan = db.execute("EXPLAIN (FORMAT JSON) " + text, parameters or None).fetchall()
        roots = json.loads(plan[-1][1])
        for root in roots:
            _walk(root, [], wanted)
    except duckdb.Error:
        return {}  # the query itself fails, with its own text
    except (LookupError, TypeError, ValueError):
        return {}
    try:
        names = list(db.sql(text, params=parameters or None).columns)
        _take_result(db, roots, relations, text, names, wanted)
    except (duckdb.Error, LookupError, TypeError, ValueError):
        pass  # DuckDB answers
    for w in wanted.values():
        # Several scans of a table have conditions of their own.
        if w.scans > 1:
            w.bounds, w.lists, w.buffers = {}, {}, None
    return wanted


def _take_result(db: Any, roots: List[Dict[str, Any]], relations: Dict[str, Relation], text: str, names: List[str],
                 wanted: Dict[str, Wanted]) -> None:
    """Accept a plan of one scan whose conditions the reader supports, and a query that names its columns."""
    scan, = roots
    for above in ("PROJECTION", "FILTER"):
        scan = scan["children"][0] if scan["name"].strip() == above else scan
    info = scan.get("extra_info") or {}
    if scan["name"].strip() != "SEQ_SCAN" or \
            not info.keys() <= {"Table", "Type", "Projections", "Filters", "Estimated Cardinality"}:
        return
    w = wanted[_table(info["Table"])]
    every = {n.lower(): r for n, r in relations.items()}[_table(info["Table"])].columns
    columns = _selected(db, text, every)
    if w.is_exact and len(columns) == len(names):
        w.result = list(zip(names, columns))


def _selected(db: Any, text: str, every: List[str]) -> List[str]:
    """Return the columns of a query that consists of columns and a condition, each once; else none."""
    parsed = json.loads(db.execute("SELECT json_serialize_sql($1)", [text]).fetchall()[0][0])
    node = parsed["statements"][0]["node"]
    if len(parsed["statements"]) > 1 or node["type"] != "SELECT_NODE" or node["modifiers"] or \
            node["from_table"]["type"] != "BASE_TABLE" or node["cte_map"]["map"] or \
            any(node["from_table"].get(k) for k in ("sample", "column_name_alias", "at_clause")):
        return []
    known = {c.lower(): c for c in every}
    columns: List[str] = []
    for item in node["select_list"]:
        if item["class"] == "COLUMN_REF" and item["column_names"][-1].lower() in known:
            columns.append(known[item["column_names"][-1].lower()])
        elif item["class"] == "STAR" and not any(v for k, v in item.items() if k not in STAR_ITSELF):
            columns += every
        else:
            return []
    return columns if len(columns) == len(set(columns)) else []


def _walk(node: Dict[str, Any], above: List[str], wanted: Dict[str, Wanted]) -> None:
    info = node.get("extra_info") or {}
    if node["name"].strip() == "SEQ_SCAN":
        w = wanted.setdefault(_table(info["Table"]), Wanted())
        w.scans += 1
        w.columns.update(_strings(info.get("Projections", [])))
        for text in _strings(info.get("Filters", [])) + above:
            _columns_in(text, w)
            # What is optional follows from other conditions.
            is_exact, is_optional = w.is_exact, text.startswith("optional: ")
            for condition in _parts(text[10:] if is_optional else text, " AND "):
                w.take(condition)
            w.is_exact = is_exact if is_optional else w.is_exact
    passed = _strings(info.get("Expression", [])) if node["name"].strip() == "FILTER" else []
    for child in node.get("children", []):
        _walk(child, passed, wanted)


def _columns_in(text: str, w: Wanted) -> None:
    """Add the columns of conditions that are compared during the scan of a table."""
    w.columns.update(re.findall(r"\w+", text))


def _table(name: str) -> str:
    """Return the name of a table in a plan: DuckDB 1.2 prints name, other versions temp.main.name or
    "temp".main."name"."""
    name = re.sub(r'^"?temp"?\.main\.', "", name)
    if len(name) > 2 and name[0] == name[-1] == '"':
        name = name[1:-1].replace('""', '"')
    return name.lower()


def _strings(value: Any) -> List[str]:
    return [value] if isinstance(value, str) and value else list(value or [])
