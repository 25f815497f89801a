# SPDX-License-Identifier: LGPL-2.1-or-later
"""Opened files as one trace."""
from __future__ import annotations

import difflib
import html
import json
import operator
import os
from collections.abc import Mapping
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union, cast

from . import _errors, _extension, _html, _program, _remote, _sql, _tdat, _timeline
from ._relation import DERIVED, EVENT, Relation, Time, as_list, span_of

PathLike = Union[str, "os.PathLike[str]"]


class Event:
    """An event: the columns that all events share as attributes, and its fields by name."""

    __slots__ = ("ts", "cpu", "pid", "comm", "system", "name", "file", "id", "buffer", "_names",
                 "lost", "_values")

    def __init__(self, values: Tuple[Any, ...]) -> None:
        (self.ts, self.cpu, self.pid, self.comm, self.system, self.name, self.file, self.id,
         self.buffer, self._names, self.lost, self._values) = values

    @property
    def fields(self) -> Dict[str, Any]:
        """The fields as a dict, with the values of dump --json."""
        return dict(zip(self._names, self._values))

    def __getitem__(self, field: str) -> Any:
        try:
            return self._values[self._names.index(field)]
        except ValueError:
            raise KeyError(field) from None

    def get(self, field: str, default: Any = None) -> Any:
        """Return the value of a field, or default if the event lacks the field."""
        return self[field] if field in self._names else default

    def __repr__(self) -> str:
        fields = "".join(f" {k}={v!r}" for k, v in self.fields.items())
        return f"<Event {self.ts} cpu={self.cpu} pid={self.pid} {self.system}/{self.name}{fields}>"


class Damage(NamedTuple):
    """A place in a file that could not be read."""

    offset: Optional[int]
    message: str


class LeftOut(NamedTuple):
    """The number of rows that a derived table omitted when it was last read, and the reason."""

    table: str
    what: str
    count: int  # type: ignore[assignment] # hides the method of tuple


class Tables(Mapping[str, Relation]):
    """The tables of a trace by name."""

    def __init__(self, trace: "Trace") -> None:
        self._trace = trace
        self._all = {t[0]: t for t in trace._core.tables()}
        short: Dict[str, List[str]] = {}
        for name, kind, _, event in self._all.values():
            if kind == EVENT and event:
                short.setdefault(event, []).append(name)
        self._short = {k: v[0] for k, v in short.items() if len(v) == 1 and k not in self._all}

    def __getitem__(self, name: str) -> Relation:
        found = self._all.get(name) or self._all.get(self._short.get(name, ""))
        if not found:
            near = difflib.get_close_matches(str(name), [*self._all, *self._short])
            hint = "; did you mean " + " or ".join(map(repr, near)) + "?" if near else ""
            raise KeyError(f"there is no table {name!r}{hint}")
        return Relation(self._trace, *found)

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __contains__(self, name: object) -> bool:
        return name in self._all or name in self._short

    def __repr__(self) -> str:
        return repr(list(self._all))


class Facts(Dict[str, Any]):
    """The result of latency(), profile() or diff(). It has the contents of tdat's option --json."""

    def _repr_html_(self) -> str:
        return _html.facts(self)


class Reasons(List[Any]):
    """The result of why(): intervals with their segments and causes. It has the contents of tdat why --json."""

    def _repr_html_(self) -> str:
        shown = self[:_html.SHOWN]
        return "".join(_html.facts(i) for i in shown) + _html.more(len(self) - len(shown))


class Hist:
    """Histograms. text has the contents of the kernel's file hist, and facts the same data as objects."""

    def __init__(self, text: str, facts: Any) -> None:
        self.text = text
        self.facts = facts

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Hist of {len(self.facts)} events>" if hasattr(self.facts, "__len__") else "<Hist>"

    def _repr_html_(self) -> str:
        return _html.lines(self.text)


def _several(names: Sequence[str], error: _errors.Error) -> _errors.Error:
    """Return the error; for a pattern or a folder, explain how to open many files."""
    for name in names:
        if os.path.exists(name) and not os.path.isdir(name):
            continue
        pattern = os.path.join(name, "*.dat") if os.path.isdir(name) else name
        if os.path.isdir(name) or any(c in name for c in "*?["):
            what = "a folder" if os.path.isdir(name) else "a pattern, not a file"
            return _errors.make("usage", f"{name}: this is {what}; tdat.open(*sorted(glob.glob({pattern!r}))) opens "
                                "such files as one trace, and tdat.export makes a lake of them")
    return error


def _times(time: Any) -> Tuple[Any, Any]:
    """Return start and end of the option time."""
    if time is None:
        return None, None
    if isinstance(time, (str, int)) or len(time) != 2:
        raise ValueError(f'time must be a pair of start and end, time=("+1s", "+2s"), where None leaves an end open; '
                        f"not {time!r}")
    start, end = time
    return start, end


class Trace:
    """One trace, from one or several files. It never changes, and several threads may use it at the same time."""

    def __init__(self, paths: Sequence[PathLike], damage: str = "error", raw_ts: bool = False,
                 no_date: bool = False, pairs: Sequence[str] = ()) -> None:
        if damage not in ("error", "keep"):
            raise ValueError('damage must be "error" or "keep"')
        self._paths = [os.fspath(p) for p in paths]
        if not self._paths:
            raise ValueError("at least one file is needed")
        if not all(isinstance(p, str) for p in self._paths):
            raise TypeError("paths must be str or os.PathLike of str")
        self._options = (damage == "error", raw_ts, no_date, list(pairs))
        names = [os.path.abspath(p) if p == "-" else p for p in self._paths]
        try:
            # A copy of a remote file can go once it is open.
            with _remote.copies(names) as paths:
                self._core = _tdat.open(paths, names, damage == "error", raw_ts, no_date, list(pairs))
        except _errors.Error as e:
            raise _several(names, e) from None
        self._stats = _extension.stats(self._paths)
        self._tables: Optional[Tables] = None
        self._lacks: Dict[str, Optional[str]] = {}
        self._closed = False

    def close(self) -> None:
        """Close the files. Streams that are being read stay valid."""
        self._closed = True
        self._core.close()

    def __enter__(self) -> "Trace":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __reduce__(self) -> Tuple[Any, ...]:
        strict, raw_ts, no_date, pairs = self._options
        return (Trace, (self._paths, "error" if strict else "keep", raw_ts, no_date, pairs))

    def _cautions(self, *tables: str, is_empty: bool) -> List[str]:
        """Return warnings about derived tables: tables that have no rows because the events that they need were not
        recorded, and tables with unknown names."""
        sentences: List[Optional[str]] = []
        for name in tables:
            if self.tables._all[name][1] != DERIVED:
                continue
            if is_empty and name not in self._lacks:
                self._lacks[name] = self._core.lacks(name)
            sentences += [self._lacks[name]] if is_empty else []
            sentences += [f"{n.table}: omitted {n.count} times: {n.what}" for n in self.left_out
                          if n.table == name and n.what.startswith("name of a system call")]
        return [s for s in sentences if s]

    def _warn(self, *tables: str, is_empty: bool) -> None:
        """Warn about tables that were read. What was omitted cannot be asked of a closed trace."""
        if self._closed:
            return
        for sentence in self._cautions(*tables, is_empty=is_empty):
            _errors.warn(sentence)

    # ---- what there is ----

    @property
    def info(self) -> List[Dict[str, Any]]:
        """A dict of facts for each file."""
        return self._core.files()

    @property
    def tables(self) -> Tables:
        """All tables by name."""
        if self._tables is None:
            self._tables = Tables(self)
        return self._tables

    def __getitem__(self, name: str) -> Relation:
        """Return a table by name. sched_switch means sched/sched_switch if the name is unambiguous."""
        return self.tables[name]

    @property
    def damage(self) -> List[Damage]:
        """The places that could not be read so far."""
        return [Damage(*d) for d in self._core.damage()]

    @property
    def left_out(self) -> List[LeftOut]:
        """For each derived table and reason: the number of rows omitted when the table was last read."""
        return [LeftOut(*n) for n in self._core.notes()]

    def ts(self, time: str) -> int:
        """Convert a string to a value of the column ts: "+1.5s", "-100ms", "12.5"."""
        return self._core.time(time)

    def _seconds(self) -> bool:
        return all(f["seconds"] for f in self.info)

    def _time_text(self, t: Time) -> Optional[str]:
        """Return a time in the syntax of the program. Ints are values of the column ts."""
        if t is None or isinstance(t, str):
            return t
        return f"{operator.index(t)}ns" if self._seconds() else str(operator.index(t))

    def _title(self) -> str:
        more = f" and {len(self._paths) - 1} more" if len(self._paths) > 1 else ""
        return self._paths[0] + more

    # ---- events ----

    def events(self, where: Union[str, Sequence[str], None] = None, *,
               event: Union[str, Sequence[str], None] = None,
               time: Tuple[Any, Any] = (None, None), cpu: Any = None, pid: Any = None,
               comm: Any = None, buffer: Any = None, limit: Optional[int] = None
               ) -> Iterator[Event]:
        """Iterate over the selected events in the order of tdat dump, with their fields.

        where: expressions in the syntax of tdat dump -F. An event must match at least one of them.
        event: patterns for names of events.
        """
        choice: Dict[str, Any] = {"limit": limit}
        for key, value in (("exprs", where), ("events", event), ("cpus", cpu), ("pids", pid),
                           ("comms", comm), ("buffers", buffer)):
            choice[key] = as_list(value) or None
        lo, hi = _times(time)
        if isinstance(lo, str) or isinstance(hi, str):
            choice.update({"from": self._time_text(lo), "to": self._time_text(hi)})
        elif lo is not None or hi is not None:
            choice["span"] = span_of(lo, hi)
        return map(Event, self._core.events(choice))

    def __iter__(self) -> Iterator[Event]:
        return self.events()

    # ---- questions ----

    def sql(self, query: str, parameters: _sql.Parameters = (), *, engine: Optional[str] = None,
            perfetto: bool = False) -> "_sql.Answer":
        """Run an SQL query on the tables.

        parameters: a list of values for ?, or a dict of values for $name.
        engine: "duckdb" (the default if it is installed), or "sqlite", which is part of tdat and supports the
        functions and names of docs/sql.md.
        perfetto: support PerfettoSQL; uses "sqlite".
        """
        return _sql.query(self, query, parameters, engine, perfetto)

    def _selected(self, select: Dict[str, Any]) -> Dict[str, Any]:
        """Convert the options time, cpu, pid, comm, event, buffer and where to a choice."""
        select = dict(select)
        lo, hi = _times(select.pop("time", None))
        choice: Dict[str, Any] = {"from": self._time_text(lo), "to": self._time_text(hi),
                                  "paths": self._paths}
        for key, name in (("exprs", "where"), ("events", "event"), ("cpus", "cpu"),
                          ("filter_pids", "pid"), ("comms", "comm"), ("buffers", "buffer")):
            choice[key] = as_list(select.pop(name, None)) or None
        if select:
            raise TypeError(f"unknown options: {', '.join(select)}")
        return choice

    def _summary(self, kind: str, select: Dict[str, Any], choice: Dict[str, Any]) -> Any:
        return json.loads(self._core.summary(kind, {**self._selected(select), **choice}))

    def latency(self, table: str = "wakeup", value: Optional[str] = None, *,
                by: Union[str, Sequence[str], None] = None, worst: int = 5, **select: Any) -> Facts:
        """Measure the durations in a table, and return the contents of tdat latency --json.

        select: the events, by time=(start, end), cpu, pid, comm, event, buffer and where.
        """
        facts = Facts(self._summary("latency", select, {
            "table": self[table].name, "value": value or None, "worst": worst,
            "keys": as_list(by)}))
        self._warn(self[table].name, is_empty=not facts["groups"])
        return facts

    def profile(self, **select: Any) -> Facts:
        """Sum up how each task and CPU spent its time, and return the contents of tdat profile --json."""
        facts = Facts(self._summary("profile", select, {}))
        self._warn("sched", is_empty=not facts["cpus"] and not facts["tasks"])
        return facts

    def why(self, of: Optional[str] = None, *, worst: Optional[int] = None, summary: bool = False,
            **select: Any) -> Reasons:
        """Explain why tasks waited, and return the contents of tdat why --json.

        of: "waits": while tasks are off the CPU; "wakeups": from a wakeup until the task gets a CPU; "all": the whole
        time of tasks. The default is "wakeups" without pid and comm, "all" with pid or comm and a time but without
        worst, and "waits" otherwise.
        worst: the number of longest intervals to explain. The default is 5 with pid or comm, and 1 otherwise.
        summary: add up the causes of all intervals.
        """
        choice: Dict[str, Any] = {}
        of_task = bool(as_list(select.get("pid")) or as_list(select.get("comm")))
        lo, hi = _times(select.get("time"))
        if of is None:
            of = "waits" if of_task else "wakeups"
            if of_task and worst is None and not summary and (lo, hi) != (None, None):
                of = "all"
        if of not in ("all", "waits", "wakeups"):
            raise ValueError('of must be "all", "waits" or "wakeups"')
        if summary and worst is not None:
            raise ValueError("summary and worst cannot be combined")
        if of == "all":
            if worst is not None or (not of_task and not summary):
                raise ValueError('of="all" needs pid or comm, and cannot be combined with worst')
            if (lo, hi) != (None, None):
                choice["span"] = span_of(*(self.ts(t) if isinstance(t, str) else t
                                           for t in (lo, hi)))
        elif not summary:
            choice["worst"] = worst if worst is not None else 5 if of_task else 1
        reasons = Reasons(self._summary(f"why {of}", select, choice))
        self._warn("critical_path", is_empty=not reasons)
        return reasons

    def diff(self, after: "Trace", **options: Any) -> Facts:
        """Compare this trace with a later one: tdat.diff(self, after, ...)."""
        return diff(self, after, **options)

    def hist(self, *triggers: str, synth: Union[str, Sequence[str]] = (),
             kernel: Optional[str] = None, file: int = 0) -> Hist:
        """Compute what the kernel's hist triggers would have computed: "sched/sched_switch hist:keys=next_comm"."""
        items: List[Tuple[Optional[str], Optional[str], str]] = []
        items += [(None, None, s) for s in as_list(synth)]
        for trigger in triggers:
            event, _, text = trigger.strip().partition(" ")
            system, slash, name = event.rpartition("/")
            items.append((system if slash else None, name, text.strip()))
        text, facts = (self._core.hist(file, items, kernel, {}, view) for view in (0, 3))
        return Hist(text, json.loads(facts))

    def export(self, to: str, out: PathLike, **options: Any) -> List[str]:
        """Export the files of this trace with tdat.export."""
        from ._convert import export
        return export(self, to, out, **options)

    # ---- showing ----

    def timeline(self, start: Any = None, end: Any = None, *, width: int = 1000
                 ) -> "_timeline.Timeline":
        """Draw which task ran on which CPU; notebooks show the picture."""
        return _timeline.timeline(self, start, end, width)

    def view(self, *, height: int = 700) -> "_program.View":
        """Show the timeline of tdat view as a live page in a notebook frame.

        The machine that runs Python serves the page: if the browser runs on another machine, forward the port.
        """
        if any(self._options[1:]):
            raise ValueError("view() shows the files as they are: raw_ts, no_date and pairs of "
                             "tdat.open have no meaning")
        with _remote.staged(self._paths) as at:
            return _program.View([_program.path_text(p) for p in at.paths], height, at.cwd)

    def __repr__(self) -> str:
        return f"<Trace {self._title()!r}: {len(self.tables)} tables>"

    def _repr_html_(self) -> str:
        facts = ("name", "version", "byte_order", "compression", "cpus", "size", "formats",
                 "symbols", "tasks")
        files = self.info
        kinds = {"events": [], "derived": []}  # type: Dict[str, List[str]]
        for name, kind, _, _ in self._core.tables():
            if kind in (EVENT, DERIVED):
                kinds["events" if kind == EVENT else "derived"].append(html.escape(name))
        events = kinds["events"]
        return (_html.table(facts, ([f[k] for k in facts] for f in files[:_html.SHOWN]),
                            max(0, len(files) - _html.SHOWN)) +
                f"<p>Derived tables: {', '.join(kinds['derived'])}</p><details><summary>"
                f"{len(events)} event types</summary>{', '.join(events[:500])}"
                f"{_html.more(max(0, len(events) - 500))}</details>")


def diff(before: Union[Trace, Sequence[Trace]], after: Union[Trace, Sequence[Trace]], *,
         a: Optional[Dict[str, Any]] = None, b: Optional[Dict[str, Any]] = None,
         min_change: float = 0.05, by: str = "comm", **select: Any) -> Facts:
    """Compare two recordings, and return the changes that are larger than noise, with the contents of tdat diff --json.

    before, after: a trace, or a list of traces, each of which is a sample.
    a, b: the events of one side, for example to compare two parts of one trace: a={"time": ("+0s", "+5s")}.
    by: "comm", or "pid", which distinguishes tasks of the same name.
    select: the events of both sides, by time, cpu, pid, comm, event, buffer and where.
    """
    if by not in ("comm", "pid"):
        raise ValueError('by must be "comm" or "pid"')
    if min_change < 0:
        raise ValueError("min_change must be a share of at least 0, such as 0.05 for 5 %")
    samples = []
    for side, (traces, own) in enumerate(((before, a), (after, b))):
        for trace in as_list(traces):
            samples.append((side, trace._core, trace._selected({**select, **(own or {})})))
    return Facts(json.loads(_tdat.diff(min_change or -1.0, by == "pid", samples)))


def open(*paths: Union[PathLike, Sequence[PathLike]], damage: str = "error", raw_ts: bool = False,
         no_date: bool = False, pairs: Sequence[str] = ()) -> Trace:
    """Open one trace.dat, or several trace.dat files as one trace. fsspec opens addresses such as "s3://…".

    damage: "error" raises an exception if data cannot be read, at the latest at the end of a table; "keep" reads all
    readable data, and Trace.damage lists the unreadable places.
    raw_ts: times as stored in the ring buffer. no_date: ignore the offset of record --date.
    pairs: additional tables of intervals from one event to another, "[NAME:] EVENT(FIELD) -> EVENT(FIELD)"
    (docs/analysis.md).
    """
    files: List[PathLike] = []
    for p in paths:
        files += p if isinstance(p, (list, tuple)) else [cast(PathLike, p)]
    return Trace(files, damage, raw_ts, no_date, pairs)
