# SPDX-License-Identifier: LGPL-2.1-or-later
"""HTML for notebooks: tables of bounded length. Strings from a trace are escaped."""
from __future__ import annotations

import html
import itertools
from typing import Any, Dict, Iterable, List, Optional, Sequence

SHOWN = 20  # rows of a table, and lines of a text
COLUMNS, LETTERS = 60, 200  # most columns of a table, and letters of a cell


def more(left: Optional[int]) -> str:
    """Return the line below a table with the number of rows not shown; None: unknown number."""
    return "" if left == 0 else f"<p>… {'more' if left is None else f'{left:,} more'}</p>"


def cell(value: Any) -> str:
    """Return a value, or its beginning."""
    if isinstance(value, (list, tuple)) and len(value) > SHOWN:
        value = f"{str(value[:SHOWN])[:-1]}, … {len(value) - SHOWN:,} more]"
    text = "" if value is None else str(value)
    if len(text) > 2 * LETTERS:
        text = f"{text[:LETTERS]}… {len(text) - LETTERS:,} more letters"
    return html.escape(text)


def table(columns: Sequence[str], rows: Iterable[Iterable[Any]], left: Optional[int] = 0) -> str:
    """Return these rows as a table. left is the number of further rows."""
    head = "".join(f"<th>{cell(c)}</th>" for c in columns[:COLUMNS])
    body = "".join("<tr>" + "".join(f"<td>{cell(v)}</td>" for v in itertools.islice(row, COLUMNS)) + "</tr>"
                   for row in rows)
    beside = f"<p>… {len(columns) - COLUMNS:,} more columns</p>" if len(columns) > COLUMNS else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more(left)}{beside}"


def lines(text: str) -> str:
    """Return the first lines of a text."""
    found = text.splitlines()
    return (f"<pre>{html.escape(chr(10).join(found[:SHOWN]))}</pre>"
            f"{more(max(0, len(found) - SHOWN))}")


def _brief(value: Any) -> Any:
    """Return a value for a cell: for lists of lists or dicts, only their length."""
    if isinstance(value, list) and any(isinstance(v, (list, dict)) for v in value):
        return f"[{len(value):,}]"
    if isinstance(value, dict):
        return ", ".join(f"{k}={_brief(v)}" for k, v in list(value.items())[:SHOWN])
    return value


def facts(value: Any, title: str = "") -> str:
    """Return a summary as HTML: lists of dicts become tables, all other values one table."""
    head = f"<h4>{cell(title)}</h4>" if title else ""
    if isinstance(value, list):
        if not all(isinstance(v, dict) for v in value):
            value = [{"": v} for v in value]
        columns: Dict[str, None] = {}
        for v in value[:SHOWN]:
            columns.update(dict.fromkeys(v))
        return head + table(list(columns), ([_brief(v.get(c)) for c in columns]
                                            for v in value[:SHOWN]), max(0, len(value) - SHOWN))
    inner: List[str] = []
    plain = {k: v for k, v in value.items() if not isinstance(v, (list, dict))}
    if plain:
        inner.append(table(list(plain), [plain.values()]))
    inner += [facts(v, k) for k, v in value.items() if k not in plain and v]
    return head + "".join(inner)
