# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes a trace.dat: event types from dataclasses, dicts or Arrow schemas."""
from __future__ import annotations

import dataclasses
import os
import re
import struct
import sys
import typing
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Type, Union

from . import _remote, _tdat

PathLike = Union[str, "os.PathLike[str]"]
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Of each type: the letter of struct, bytes, and how print fmt prints it.
INTEGERS = {"s8": ("b", 1, "%d"), "u8": ("B", 1, "%u"), "s16": ("h", 2, "%d"),
            "u16": ("H", 2, "%u"), "s32": ("i", 4, "%d"), "u32": ("I", 4, "%u"),
            "s64": ("q", 8, "%lld"), "u64": ("Q", 8, "%llu"), "bool": ("?", 1, "%d")}
ARROW = {"c": "s8", "C": "u8", "s": "s16", "S": "u16", "i": "s32", "I": "u32", "l": "s64",
         "L": "u64", "b": "bool", "u": "str", "U": "str", "vu": "str", "z": "bytes", "Z": "bytes", "vz": "bytes"}
# What an event cannot hold, by the beginning of its Arrow format, and what to do.
REFUSED = {
    "n": "has no type, as all of it is null; leave it out, or fill it",
    "d": "has decimals; cast it to int64, after scaling fractions to whole numbers",
    "ts": "has times of another unit than nanoseconds; cast it, as in df[{0!r}].astype('datetime64[ns]')",
    "tD": "has durations of another unit than nanoseconds; cast it, as in df[{0!r}].astype('timedelta64[ns]')",
    "td": "has dates; cast it to timestamp('ns'), as in pandas.to_datetime(df[{0!r}]).astype('datetime64[ns]')",
    "tt": "has times of day; cast it to int64",
    "ti": "has calendar intervals; write months, days and nanoseconds as columns of integers",
    "w": "has binary data of a fixed length; cast it to binary()",
    "+w": "has lists of a fixed length; cast it to list_(...) of integers",
    "+l": "has lists of other things than integers; scale fractions, write texts as one text",
    "+L": "has lists of other things than integers; scale fractions, write texts as one text",
    "+s": "has structs; make a column of each of their fields",
    "+m": "has maps; make a column of each key",
}
PYTHON: Dict[Any, str] = {int: "s64", bool: "bool", str: "str", bytes: "bytes"}
COMMON = 8  # bytes of common_type, common_flags, common_preempt_count and common_pid


def _kind(of: Any, name: str) -> str:
    """Return the kind of a field from its annotation: "u32", "str", "bytes", "u16[]"."""
    if typing.get_origin(of) is getattr(typing, "Annotated", None) or hasattr(of, "__metadata__"):
        for extra in of.__metadata__:
            if isinstance(extra, str):
                return _kind(extra, name)
        of = typing.get_args(of)[0]
    if of in PYTHON:
        return PYTHON[of]
    if typing.get_origin(of) in (list, tuple, typing.Sequence):
        item = typing.get_args(of)[0]
        kind = _kind(item, name)
        if kind in INTEGERS:
            return kind + "[]"
    if isinstance(of, str):
        base = of[:-2] if of.endswith("[]") else of
        if base in INTEGERS or of in ("str", "bytes"):
            return of
    raise TypeError(f"field {name}: an event cannot hold {of!r}; integers, bool, str, bytes and "
                    'lists of integers it can, "u32" or Annotated[int, "u32"] says how wide')


def _arrow_kind(name: str, form: str, item: Optional[str]) -> str:
    if form in ARROW:
        return ARROW[form]
    if form.startswith(("tsn", "tDn")):
        return "s64"
    if form in ("+l", "+L") and item in ARROW and ARROW[item] in INTEGERS:
        return ARROW[item] + "[]"
    if form in ("e", "f", "g"):
        raise TypeError(f"column {name}: an event cannot hold fractions (Arrow type {form}); scale "
                        f"it to whole numbers, as in (df[{name!r}] * 1000).round().astype('int64')"
                        ", and fill nulls, which make whole numbers of pandas fractions")
    advice = REFUSED.get(form[:2], REFUSED.get(form[:1], "has values that an event cannot hold; cast it to "
                                               "integers or text"))
    raise TypeError(f"column {name} {advice.format(name)} (Arrow type {form})")


def _nanoseconds(form: str) -> int:
    """Return the nanoseconds per unit of a column ts. Numbers are nanoseconds."""
    if form.startswith(("ts", "tD")):
        return {"s": 10**9, "m": 10**6, "u": 1000, "n": 1}[form[2]]
    if ARROW.get(form) not in INTEGERS or form == "b":
        raise TypeError(f"column ts: the Arrow type {form} is not a time; use whole nanoseconds or timestamps")
    return 1


class EventType:
    """An event type of a writer. Calling it writes an event."""

    def __init__(self, writer: "Writer", system: str, name: str, fields: Dict[str, str],
                 print_fmt: Optional[str]) -> None:
        for what in (system, name, *fields):
            if not NAME.fullmatch(what):
                raise ValueError(f"{what!r} is not a valid name of an event, a system or a field")
        for field in fields:
            if field.startswith("common_"):
                raise ValueError(f"{field}: common fields have such names")
        self.system, self.name, self.fields = system, name, fields
        self._writer = writer
        self._order = ">" if writer.byte_order == "big" else "<"
        self._places: List[Tuple[str, str, int, Optional[str]]] = []
        self._len = COMMON
        self._values: List[Callable[[Any], Any]] = []
        self.id = writer._core.format(system, self._format(print_fmt))

    def _format(self, print_fmt: Optional[str]) -> str:
        """Return the text of the format file."""
        order = [("unsigned short", "common_type", 0, 2, 0), ("unsigned char", "common_flags", 2, 1, 0),
                 ("unsigned char", "common_preempt_count", 3, 1, 0), ("int", "common_pid", 4, 4, 1)]
        own = []
        for name, kind in self.fields.items():
            size = INTEGERS[kind][1] if kind in INTEGERS else 4
            self._len += -self._len % size
            c_type = kind if kind in INTEGERS else "__data_loc " + (
                "char[]" if kind == "str" else "u8[]" if kind == "bytes" else kind)
            own.append((c_type, name, self._len, size, int(kind[0] == "s" and kind in INTEGERS)))
            self._places.append((name, kind, self._len, None))
            self._len += size
        lines = [f"name: {self.name}", "ID: 0", "format:"]
        for group in (order, own):
            lines += [f"\tfield:{t} {n};\toffset:{o};\tsize:{s};\tsigned:{g};"
                      for t, n, o, s, g in group] + [""]
        return "\n".join(lines) + f"\nprint fmt: {print_fmt or self._print_fmt()}\n"

    def _print_fmt(self) -> str:
        text, args = [], []
        for name, kind in self.fields.items():
            if kind in INTEGERS:
                text.append(f"{name}={INTEGERS[kind][2]}")
                args.append(f"REC->{name}")
            elif kind == "str":
                text.append(f"{name}=%s")
                args.append(f"__get_str({name})")
            else:
                size = 1 if kind == "bytes" else INTEGERS[kind[:-2]][1]
                text.append(f"{name}=%s")
                args.append(f"__print_array(__get_dynamic_array({name}), "
                            f"__get_dynamic_array_len({name}) / {size}, {size})")
        return ", ".join(['"' + " ".join(text) + '"', *args])

    def _record(self, pid: int, values: Sequence[Any]) -> bytes:
        """Return the bytes of an event."""
        order = self._order
        record = bytearray(self._len)
        try:
            struct.pack_into(order + "HBBi", record, 0, self.id, 0, 0, pid)
        except struct.error:
            raise ValueError(f"pid: {pid!r} is not a 32-bit integer") from None
        for (name, kind, off, _), value in zip(self._places, values):
            try:
                if kind in INTEGERS:
                    struct.pack_into(order + INTEGERS[kind][0], record, off, value)
                    continue
                data = self._data(kind, value)
            except (struct.error, TypeError, AttributeError) as e:
                raise ValueError(f"field {name} ({kind}) cannot hold {value!r}: {e}") from None
            if len(record) + len(data) > 0xffff:
                raise ValueError(f"field {name}: the event has more than 65535 bytes")
            struct.pack_into(order + "I", record, off, len(data) << 16 | len(record))
            record += data
        return bytes(record)

    def _data(self, kind: str, value: Any) -> bytes:
        if kind == "str":
            data: bytes = value.encode("utf-8", "surrogateescape")
            if b"\0" in data:
                raise TypeError("a string of an event cannot contain NUL")
            return data + b"\0"
        if kind == "bytes":
            return bytes(value)
        return struct.pack(f"{self._order}{len(value)}{INTEGERS[kind[:-2]][0]}", *value)

    def __call__(self, ts: int, *, cpu: int = 0, pid: int = 0, lost: int = 0, buffer: int = 0,
                 **values: Any) -> None:
        """Write an event. The times of a CPU must not decrease.

        lost: the number of events dropped before this event; -1: an unknown number.
        """
        if values.keys() != self.fields.keys():
            wrong = sorted(values.keys() ^ self.fields.keys())
            raise TypeError(f"{self.name}: fields missing or unknown: {', '.join(wrong)}")
        self._put(ts, cpu, pid, [values[n] for n in self.fields], lost, buffer)

    def _put(self, ts: int, cpu: int, pid: int, values: Sequence[Any], lost: int = 0,
             buffer: int = 0) -> None:
        self._writer._core.event(buffer, cpu, ts, lost, self._record(pid, values))


class Writer:
    """Writes a trace.dat. The file appears when the writer is closed."""

    def __init__(self, path: PathLike, *, version: int = 0, compression: Optional[str] = None,
                 level: int = 0, force: bool = False, byte_order: str = sys.byteorder,
                 cpus: int = 0, clock: str = "local", uname: Optional[str] = None,
                 made_by: Optional[str] = "tdat (Python)") -> None:
        if _remote.is_remote(os.fspath(path)):
            raise ValueError(f"{os.fspath(path)}: a trace.dat is written here; write a file, and put it there by "
                             "fsspec")
        if byte_order not in ("little", "big"):
            raise ValueError('byte_order must be "little" or "big"')
        self.byte_order = byte_order
        self._core = _tdat.writer(os.fspath(path), version, compression, level, force,
                                  byte_order == "big", cpus, clock, uname, made_by)
        self._types: Dict[Type[Any], EventType] = {}

    def event_type(self, fields: Any, name: Optional[str] = None, system: str = "python", *,
                   print_fmt: Optional[str] = None) -> EventType:
        """Define an event type.

        fields: a dataclass, a dict of names and types, or an object with an Arrow schema. Types are int (s64),
        bool, str, bytes, list[int], or strings: "u8" to "s64", "u16[]".
        """
        if hasattr(fields, "__arrow_c_schema__") or hasattr(fields, "__arrow_c_stream__"):
            kinds = _arrow_fields(fields)
        elif dataclasses.is_dataclass(fields):
            kinds = _dataclass_fields(fields)
            name = name or fields.__name__.lower()  # type: ignore[union-attr]
        else:
            kinds = {n: _kind(t, n) for n, t in dict(fields).items()}
        if not name:
            raise ValueError("the event type needs a name")
        made = EventType(self, system, name, kinds, print_fmt)
        if isinstance(fields, type):
            self._types[fields] = made
        return made

    def emit(self, event: Any, ts: int, *, cpu: int = 0, pid: int = 0, lost: int = 0,
             buffer: int = 0) -> None:
        """Write an object of a dataclass as an event. The first object of a dataclass defines the event type."""
        made = self._types.get(type(event)) or self.event_type(type(event))
        made._put(ts, cpu, pid, [getattr(event, n) for n in made.fields], lost, buffer)

    def table(self, data: Any, name: str, system: str = "python", *,
              print_fmt: Optional[str] = None) -> int:
        """Write the rows of a pandas data frame, or of any Arrow stream, as events of one type.

        The columns ts, cpu, pid, comm and lost have the same meaning as in tdat's tables; only ts is required.
        All other columns are fields of the events. Rows must be in order of time. Numbers in ts are nanoseconds; Arrow
        timestamps have their own unit. Returns the number of events.
        """
        rows = _tdat.rows(_stream_of(data))
        columns = rows.columns()
        at = {c[0]: i for i, c in enumerate(columns)}
        if "ts" not in at:
            raise ValueError("the table has no column ts")
        unit = _nanoseconds(columns[at["ts"]][1])
        own = [c for c in columns if c[0] not in ("ts", "cpu", "pid", "comm", "lost")]
        made = EventType(self, system, name, {c[0]: _arrow_kind(*c[:3]) for c in own}, print_fmt)
        places = [at[c[0]] for c in own]
        named: Dict[int, str] = {}
        count = 0
        for row in rows:
            def value(column: str, default: Any) -> Any:
                v = row[at[column]] if column in at else default
                return default if v is None else v
            pid, comm = value("pid", 0), value("comm", None)
            values = [row[i] for i in places]
            if row[at["ts"]] is None or None in values:
                names = ["ts"] if row[at["ts"]] is None else [c[0] for c in own]
                null = names[values.index(None) if None in values and names != ["ts"] else 0]
                raise ValueError(f"row {count}: column {null} is null, which an event cannot be; "
                                 "leave such rows out, or put a value in its place (fillna, "
                                 "fill_null)")
            if comm is not None and named.get(pid) != comm:
                named[pid] = comm
            made._put(row[at["ts"]] * unit, value("cpu", 0), pid, values, value("lost", 0))
            count += 1
        for pid, comm in named.items():
            self.task(pid, comm)
        return count

    def task(self, pid: int, name: str) -> None:
        """Set the name of a task."""
        self._core.comm(pid, name)

    def buffer(self, name: str, clock: Optional[str] = None) -> int:
        """Add a buffer instance, and return its number, which is the argument buffer of its events."""
        return self._core.buffer(name, clock)

    def kallsyms(self, text: str) -> None:
        """Add symbols, in the format of /proc/kallsyms."""
        self._core.text("kallsyms", text)

    def option(self, number: int, data: bytes) -> None:
        """Add an option of the header, with its number and its bytes."""
        self._core.option(number, data)

    def close(self) -> int:
        """Write the file, and return the number of events."""
        return self._core.finish()

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], *rest: object) -> None:
        if kind is None:
            self.close()
        else:
            self._core.abandon()


def _dataclass_fields(of: Any) -> Dict[str, str]:
    try:
        hints = typing.get_type_hints(of, include_extras=True)
    except (NameError, SyntaxError):
        # An annotation is no expression: "u16[]".
        hints = {}
    return {f.name: _kind(hints.get(f.name, f.type), f.name) for f in dataclasses.fields(of)}


def _arrow_fields(data: Any) -> Dict[str, str]:
    if not hasattr(data, "__arrow_c_stream__"):
        data = _NoRows(data)
    columns = _tdat.rows(data.__arrow_c_stream__()).columns()
    return {c[0]: _arrow_kind(*c[:3]) for c in columns}


def _stream_of(data: Any) -> object:
    """Return the Arrow stream of a data frame or of an object with such a stream."""
    if isinstance(data, (dict, list, tuple)):
        raise TypeError(f"table() needs a data frame or an Arrow table, not a {type(data).__name__}; "
                        "pandas.DataFrame or pyarrow.table makes one of it")
    try:
        if not hasattr(data, "__arrow_c_stream__"):
            import pyarrow  # pandas before 2.2
            data = pyarrow.Table.from_pandas(data, preserve_index=False)
        stream: object = data.__arrow_c_stream__()
        return stream
    except OverflowError as e:
        raise OverflowError("a column contains a number of more than 64 bits, which an event cannot hold; write it as "
                            f"text, as in df['x'].astype(str) ({e})") from None


class _NoRows:
    """A stream of a schema without rows."""

    def __init__(self, schema: Any) -> None:
        self._schema = schema

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        import pyarrow
        schema = pyarrow.schema(self._schema)
        return pyarrow.RecordBatchReader.from_batches(schema, []).__arrow_c_stream__()


def write(path: PathLike, **options: Any) -> Writer:
    """Create a writer of a trace.dat: see Writer. Use it in a with statement, or close it."""
    return Writer(path, **options)
