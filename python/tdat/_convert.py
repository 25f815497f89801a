# SPDX-License-Identifier: LGPL-2.1-or-later
"""Converts captures to trace.dat, and trace.dat to other formats, with the program tdat."""
from __future__ import annotations

import os
from typing import Any, Dict, List, Optional, Sequence, Union

from . import _program, _remote
from ._errors import make
from ._relation import as_list
from ._trace import Trace, _times

PathLike = Union[str, "os.PathLike[str]"]


def _selection(trace: Trace, options: Dict[str, Any]) -> List[str]:
    """Convert the options that select events to arguments, and remove them from the dict."""
    args: List[str] = []
    for name, value in zip(("--from", "--until"), _times(options.pop("time", None))):
        if value is not None:
            args += [f"{name}={trace._time_text(value)}"]
    for name in ("cpu", "pid"):
        values = as_list(options.pop(name, None))
        if values:
            args += [f"--{name}", ",".join(str(int(v)) for v in values)]
    for name in ("comm", "event", "buffer"):
        for value in as_list(options.pop(name, None)):
            args += [f"--{name}={value}"]
    for value in as_list(options.pop("where", None)):
        args += [f"-F{value}"]
    return args


def convert(source: Union[PathLike, Sequence[PathLike]], out: PathLike, *,
            from_format: Optional[str] = None, version: Optional[int] = None,
            compression: Optional[str] = None, byte_order: Optional[str] = None,
            force: bool = False, options: Optional[Dict[str, Any]] = None,
            warnings: str = "error") -> List[str]:
    """Convert a capture or a trace.dat to a new trace.dat, like tdat convert.

    options: options of the format ("tdat convert --from FORMAT --help").
    warnings: "error" raises an exception on a warning and creates no file; "keep" returns the warnings.
    """
    args = ["convert", "--quiet"]
    args += [f"--from={from_format}"] if from_format else []
    args += [f"--file-version={version}"] if version else []
    args += [f"--compression={compression}"] if compression else []
    args += [f"--endian={byte_order}"] if byte_order else []
    args += ["--force"] * force + ["--strict"] * (warnings == "error")
    for name, value in (options or {}).items():
        option = f"--{name}" if len(name) > 1 else f"-{name}"
        args += [option] if value is True else [f"{option}={value}" if len(name) > 1
                                                else f"{option}{value}"]
    with _remote.staged([os.fspath(p) for p in as_list(source)], os.fspath(out)) as at:
        args += [f"--output={at.out}", *map(_program.path_text, at.paths)]
        done = _program.run(args, warnings == "keep", at.cwd)
        if done.status and not os.path.exists(at.out):
            raise make("failed", "\n".join(done.warnings))
    return done.warnings


def export(source: Union[Trace, PathLike, Sequence[PathLike]], to: str, out: PathLike, *,
           tables: Union[str, Sequence[str], None] = None,
           columns: Union[str, Sequence[str], None] = None,
           partition: Union[str, Sequence[str], None] = None, force: bool = False,
           threads: Optional[int] = None, options: Optional[Dict[str, Any]] = None,
           **select: Any) -> List[str]:
    """Export a trace as Parquet, Arrow, Perfetto and other formats, like tdat export. Return the messages.

    options: options of the format ("tdat list --formats").
    select: the events to export, by time, cpu, pid, comm, event, buffer and where.
    Damage raises an exception, unless the trace was opened with damage="keep".
    """
    trace = source if isinstance(source, Trace) else Trace(as_list(source))
    args = ["export", "--quiet", f"--to={to}"]
    args += [f"--table={t}" for t in as_list(tables)]
    args += [f"--column={c}" for c in as_list(columns)]
    if partition is not None:
        args += ["--partition=" + ",".join(as_list(partition))]
    args += ["--force"] * force + ([f"--threads={threads}"] if threads else [])
    for name, value in (options or {}).items():
        args += [f"-O{name}" if value is True else f"-O{name}={value}"]
    args += _selection(trace, select)
    if select:
        raise TypeError(f"unknown options: {', '.join(select)}")
    strict, raw_ts, no_date, pairs = trace._options
    args += ["--raw-ts"] * raw_ts + ["--nodate"] * no_date
    args += [f"--pair={p}" for p in pairs]
    with _remote.staged(trace._paths, os.fspath(out)) as at:
        args += [f"--output={at.out}", *map(_program.path_text, at.paths)]
        said = _program.run(args, not strict, at.cwd).warnings
    return [s.replace(at.out, os.fspath(out)) for s in said]
