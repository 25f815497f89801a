# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tables of a trace as lazy relations."""
from __future__ import annotations

import contextlib
import html
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Optional, Tuple, Union

from . import _errors, _html, _tdat

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from ._trace import Trace

EVENTS, EVENT, LOST, META, DERIVED = range(5)
KINDS = ("events", "event", "lost", "meta", "derived")
Time = Union[int, str, None]
INT64 = (-(1 << 63), (1 << 63) - 1)
BOUNDS: Dict[str, Tuple[int, int]] = {
    "ts": INT64, "cpu": (0, (1 << 32) - 1), "pid": (-(1 << 31), (1 << 31) - 1)}


def as_list(value: Any) -> List[Any]:
    """Return a list for a list, a single value or None."""
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple, set, frozenset, range)) else [value]


def span_of(start: Optional[int], end: Optional[int]) -> Tuple[int, int]:
    """Return the start and the end of a time span as values of the column ts."""
    lo = INT64[0] if start is None else start
    hi = INT64[1] if end is None else end
    if start is not None and end is not None and start > end:
        raise _errors.make("usage", f"the end of the time span, {end}, is before its start, {start}")
    return lo, hi


def narrowed(column: str, had: Tuple[int, int], lo: int, hi: int) -> Tuple[int, int]:
    """Return the intersection of both ranges, limited to the range of the column: "ts > 2**63 - 1" is empty."""
    least, most = BOUNDS[column]
    return min(max(lo, had[0]), most), max(min(hi, had[1]), least)


class Row:
    """A row of a table: its values as attributes, items or a dict."""

    __slots__ = ("_names", "_values")

    def __init__(self, names: Dict[str, int], values: Tuple[Any, ...]) -> None:
        object.__setattr__(self, "_names", names)
        object.__setattr__(self, "_values", values)

    def __getattr__(self, name: str) -> Any:
        try:
            return self._values[self._names[name]]
        except KeyError:
            raise AttributeError(f"there is no column {name!r}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("rows cannot be changed")

    def __reduce__(self) -> Tuple[Any, ...]:
        """Let copy and pickle recreate the row: an empty one would have no names to look up."""
        return Row, (self._names, self._values)

    def __getitem__(self, name: Union[str, int]) -> Any:
        return self._values[name if isinstance(name, int) else self._names[name]]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Row):
            return self.asdict() == other.asdict()
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._values)

    def __dir__(self) -> List[str]:
        return [*object.__dir__(self), *self._names]

    def keys(self) -> List[str]:
        """Return the names of the columns."""
        return list(self._names)

    def asdict(self) -> Dict[str, Any]:
        """Return a dict of columns and values."""
        return dict(zip(self._names, self._values))

    def __repr__(self) -> str:
        return "Row(" + ", ".join(f"{k}={v!r}" for k, v in self.asdict().items()) + ")"


class Relation:
    """Rows of a table, read only on demand.

    Methods such as select() and time() return a new relation. Libraries that accept Arrow streams read a
    relation without copies: pyarrow.table(r), polars.DataFrame(r), duckdb.from_arrow(r).
    """

    def __init__(self, trace: "Trace", name: str, kind: int, system: Optional[str],
                 event: Optional[str]) -> None:
        self._trace = trace
        self._name = name
        self._kind = kind
        self._system = system
        self._event = event
        self._choice: Dict[str, Any] = {}
        self._wheres: List[str] = []

    # ---- what is wanted ----

    @property
    def name(self) -> str:
        """The name of the table, "sched/sched_switch"."""
        return self._name

    @property
    def kind(self) -> str:
        """"events", "event", "lost", "meta" or "derived"."""
        return KINDS[self._kind]

    def _with(self, **choice: Any) -> "Relation":
        r = Relation(self._trace, self._name, self._kind, self._system, self._event)
        r._choice = {**self._choice, **choice}
        r._wheres = self._wheres
        return r

    def _not_meta(self, what: str) -> None:
        if self._kind == META:
            raise ValueError(f"{self._name} is not a table of events, so {what} cannot be used")

    def select(self, *columns: str) -> "Relation":
        """Select columns, in this order. The column "text" is the line that tdat dump prints."""
        return self._with(columns=list(columns))

    def where(self, expression: str) -> "Relation":
        """Select the events that match an expression in the syntax of tdat dump -F.

        For the table of an event type, the expression contains its fields: "prev_prio < 100 && next_pid != 0". If
        where() is called several times, an event must match all expressions. For the table events and for derived
        tables, the expression has the form "EVENTS: EXPRESSION". The rows of a derived table are then computed
        only from the matching events.
        """
        if self._kind in (LOST, META):
            raise ValueError(f"{self._name} is not a table of events, so where() cannot be used")
        if self._kind != EVENT and self._wheres:
            raise ValueError(f"{self._name}: where() can be used once; use && in one expression")
        r = self._with()
        r._wheres = [*self._wheres, expression]
        return r

    def time(self, start: Time = None, end: Time = None) -> "Relation":
        """Select rows from start to end, inclusive.

        start and end are values of the column ts (int), or strings in the syntax of tdat dump --from: "+1s" after the
        first event, "-100ms" before the last event, "12.5". For a derived table, select the rows whose interval
        overlaps the time span.
        """
        self._not_meta("time()")
        if isinstance(start, (tuple, list)):
            raise TypeError('time() needs start and end as two arguments: time("+1s", "+2s")')
        if self._kind != DERIVED and not isinstance(start, str) and not isinstance(end, str):
            return self._with(span=span_of(start, end))
        texts = {"from": self._trace._time_text(start), "to": self._trace._time_text(end)}
        return self._with(**texts)

    def cpu(self, *cpus: int) -> "Relation":
        """Select rows of these CPUs."""
        self._not_meta("cpu()")
        return self._with(cpus=list(cpus))

    def pid(self, *pids: int) -> "Relation":
        """Select rows with one of these values in the column pid."""
        self._not_meta("pid()")
        return self._with(pids=list(pids))

    def comm(self, *patterns: str) -> "Relation":
        """Select tasks by patterns such as "kworker*": their events, and events with their pid in pid or next_pid."""
        self._not_meta("comm()")
        if not patterns:
            raise ValueError("comm() needs a pattern")
        return self._with(comms=list(patterns))

    def buffer(self, *patterns: str) -> "Relation":
        """Select events of these buffers; "top" is the top-level buffer."""
        self._not_meta("buffer()")
        if not patterns:
            raise ValueError("buffer() needs a pattern")
        return self._with(buffers=list(patterns))

    def head(self, rows: int = 10) -> "Relation":
        """Select the first rows; no other rows are read. The argument is the number of rows."""
        had = self._choice.get("limit")
        return self._with(limit=rows if had is None else min(rows, had))

    def split(self, piece: int, pieces: int) -> "Relation":
        """Divide the trace into pieces by time, and select one piece. Pieces are numbered from 0."""
        return self._with(split=piece, split_count=pieces)

    def _final(self) -> Dict[str, Any]:
        choice = dict(self._choice)
        if self._wheres and self._kind == EVENT:
            both = " && ".join(f"({w})" for w in self._wheres)
            choice["exprs"] = [f"{self._system}/{self._event}: {both}"]
        elif self._wheres:
            choice["exprs"] = list(self._wheres)
        return choice

    # ---- reading ----

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._stream().__arrow_c_stream__()

    def __arrow_c_schema__(self) -> object:
        names = {"columns": self._choice.get("columns")}
        return self._trace._core.schema(self._name, names)

    def _stream(self) -> "_tdat.Stream":
        return self._trace._core.stream(self._name, self._final())

    def _end(self, rows: int) -> None:
        """Warn about the table, and about missing rows if none were read."""
        if self._choice.get("limit") != 0:
            self._trace._warn(self._name, is_empty=not rows)

    @contextlib.contextmanager
    def _reading(self) -> Iterator["_tdat.Stream"]:
        """Yield a stream. Failures of the library that reads the stream are raised as errors of tdat."""
        stream = self._stream()
        try:
            yield stream
        except Exception:
            stream.raise_failure()
            raise

    def _rows(self) -> Iterator[Tuple[Any, ...]]:
        count = 0
        with self._reading() as stream:
            for count, row in enumerate(_tdat.rows(stream.__arrow_c_stream__()), 1):
                yield row
        self._end(count)

    @property
    def columns(self) -> List[str]:
        """The names of the columns."""
        return [c[0] for c in self.types]

    @property
    def types(self) -> List[Tuple[str, str, Optional[str], bool]]:
        """For each column: its name, its Arrow format, the format of list items, and True if dictionary-encoded."""
        r = self._with(limit=0, span=None, **{"from": None, "to": None})
        r._wheres = []
        return _tdat.rows(r._stream().__arrow_c_stream__()).columns()

    def __iter__(self) -> Iterator[Row]:
        names: Optional[Dict[str, int]] = None
        with self._reading() as stream:
            rows = _tdat.rows(stream.__arrow_c_stream__())
            names = {c[0]: i for i, c in enumerate(rows.columns())}
            count = 0
            for count, values in enumerate(rows, 1):
                yield Row(names, values)
        self._end(count)

    def tuples(self) -> Iterator[Tuple[Any, ...]]:
        """Iterate over the rows as tuples, which is faster than Row objects."""
        return self._rows()

    def count(self) -> int:
        """Return the number of rows. Only one column is read."""
        r = self if self._choice.get("columns") else self.select(self.columns[0])
        count = r._stream().count()
        self._end(count)
        return count

    def to_arrow(self) -> "pyarrow.Table":
        """Read all rows as a pyarrow table."""
        import pyarrow
        with self._reading() as stream:
            table = pyarrow.table(stream)
        self._end(table.num_rows)
        return table

    def to_batches(self) -> "Iterator[pyarrow.RecordBatch]":
        """Iterate over the record batches, in bounded memory."""
        import pyarrow
        count = 0
        with self._reading() as stream:
            for batch in pyarrow.RecordBatchReader.from_stream(stream):
                count += batch.num_rows
                yield batch
        self._end(count)

    def to_pandas(self, **options: Any) -> "pandas.DataFrame":
        """Read all rows as a pandas data frame, with the options of pyarrow's to_pandas()."""
        return self.to_arrow().to_pandas(**options)

    def to_polars(self) -> "polars.DataFrame":
        """Read all rows as a polars data frame."""
        import polars
        with self._reading() as stream:
            frame = polars.DataFrame(stream)
        self._end(frame.height)
        return frame

    # ---- showing ----

    def __repr__(self) -> str:
        chosen = "".join(f", {k}={v!r}" for k, v in self._final().items() if v is not None)
        return f"<Relation {self._name!r} of {self._trace._title()!r}{chosen}>"

    def _repr_html_(self) -> str:
        rows = list(self.head(_html.SHOWN + 1))
        left: Optional[int] = 0
        if len(rows) > _html.SHOWN:
            try:
                left = self.count() - _html.SHOWN
            except _errors.Error:
                left = None  # damage behind the rows that are shown
        return (f"<p><b>{html.escape(self._name)}</b></p>" +
                _html.table(self.columns, rows[:_html.SHOWN], left))
