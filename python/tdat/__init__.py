# SPDX-License-Identifier: LGPL-2.1-or-later
"""Read, write and query trace.dat files, the recordings of the Linux kernel's tracer.

    import tdat
    trace = tdat.open("trace.dat")
    trace["sched_switch"].select("ts", "cpu", "next_comm").time("+1s", "+2s").to_pandas()
    trace.sql("SELECT next_comm, count(*) FROM sched_switch GROUP BY 1")

docs/python.md is the manual.
"""
from ._convert import convert, export
from ._errors import Error, TraceWarning
from ._extension import path as duckdb_extension
from ._relation import Relation, Row
from ._tdat import version as __version__
from ._trace import Damage, Event, Hist, LeftOut, Tables, Trace, diff, open
from ._write import EventType, Writer, write

__all__ = ["Damage", "Error", "Event", "EventType", "Hist", "LeftOut", "Relation", "Row", "Tables",
           "Trace", "TraceWarning", "Writer", "convert", "diff", "duckdb_extension", "export", "open", "write",
           "__version__"]
