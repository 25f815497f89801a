# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs queries in DuckDB with tdat's DuckDB extension, which the package contains.

The extension reads the files on all threads of DuckDB, and decodes only the columns that a query needs. DuckDB loads
unsigned extensions only into databases that were created to allow it. The package loads the extension into its
own database, and never changes the databases of the user's program.
"""
from __future__ import annotations

import os
import stat
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple

from ._relation import Relation

if TYPE_CHECKING:
    from ._sql import Wanted
    from ._trace import Trace

# Without these the plan of a query of empty tables is that of full ones.
KEPT_OUT = ("statistics_propagation", "compressed_materialization", "late_materialization",
            "empty_result_pullup")
OLDEST = (1, 5)  # of DuckDB, that the package tries the extension with
Stat = Tuple[int, int, int, int]


def path() -> Optional[str]:
    """Return the path of the extension, or None if the package was built without it."""
    file = os.environ.get("TDAT_DUCKDB_EXTENSION")
    if file is None:
        file = str(Path(__file__).parent / "tdat.duckdb_extension")
    return file if os.path.isfile(file) else None


def stats(paths: Sequence[str]) -> Optional[List[Stat]]:
    """Return values that show whether files changed; None if one is not a regular file."""
    try:
        found = [os.stat(p) for p in paths]
    except OSError:
        return None
    if not all(stat.S_ISREG(s.st_mode) for s in found):
        return None
    return [(s.st_dev, s.st_ino, s.st_size, s.st_mtime_ns) for s in found]


def reads(trace: "Trace", duckdb: Any) -> bool:
    """Return True if the extension reads the same as the trace: unchanged files, without damage."""
    strict, _, _, pairs = trace._options
    version = tuple(int(n) for n in duckdb.__version__.split(".")[:2])
    # DuckDB takes texts of UTF-8 only.
    if any(p.encode("utf-8", "replace") != os.fsencode(p) for p in trace._paths):
        return False
    return bool(version >= OLDEST and path() and strict and not pairs and trace._stats and
                stats(trace._paths) == trace._stats)


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def call(trace: "Trace", relation: Relation, wanted: "Wanted") -> str:
    """Return the call that reads a table; named parameters select the rows that the query needs."""
    _, raw_ts, no_date, _ = trace._options
    paths = ", ".join(_text(os.path.abspath(p) if p == "-" else p) for p in trace._paths)
    parts = [f"[{paths}], {_text(relation.name)}, filename := false"]
    parts += ["raw_ts := true"] * raw_ts + ["no_date := true"] * no_date
    facts = wanted.facts()
    lo, hi = facts.get("ts", (0, 0))
    if lo > hi:
        parts.append("cpu := []")  # no row
        return f"read_tdat({', '.join(parts)})"
    if "ts" in facts:
        parts.append(f"since := {lo}, until := {hi}")
    parts += [f"{name} := {facts[name]}" for name in ("cpu", "pid") if name in facts]
    if "buffer" in facts:
        names = ", ".join(_text(b) for b in wanted.buffer_patterns())
        parts.append(f"buffer := [{names}]")
    return f"read_tdat({', '.join(parts)})"


# ---- connections ----

_kept: Dict[str, Any] = {}
_lock = threading.Lock()


def cursor(duckdb: Any, name: str) -> Any:
    """Return a connection to one of two kept in-memory databases, because creating one takes longer than many
    queries: the planner, and the reader, which has the extension. Temporary objects end with the connection."""
    with _lock:
        db = _kept.get(name)
        if db is None:
            db = _kept[name] = _planner(duckdb) if name == "planner" else _reader(duckdb)
        return db.cursor()


def _planner(duckdb: Any) -> Any:
    db = duckdb.connect(config={"threads": 1})
    names = {row[0] for row in db.execute("SELECT name FROM duckdb_optimizers()").fetchall()}
    db.execute(f"SET disabled_optimizers = '{','.join(n for n in KEPT_OUT if n in names)}'")
    return db


def _reader(duckdb: Any) -> Any:
    db = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    db.execute(f"LOAD {_text(str(path()))}")
    return db


def _forget() -> None:
    """Close the kept databases: a forked process lacks their threads."""
    with _lock:
        while _kept:
            _kept.popitem()[1].close()


os.register_at_fork(before=_forget)
