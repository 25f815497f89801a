# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws which task ran on which CPU."""
from __future__ import annotations

import html
import os
from typing import TYPE_CHECKING, Any, Dict, List, Tuple, Union

if TYPE_CHECKING:
    from ._trace import Trace

LEFT, ROW, HEAD, FOOT = 90, 22, 24, 22
LETTER = 6.5  # width of a letter


class Timeline:
    """A picture. The attribute svg contains it as a string."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_html_(self) -> str:
        return self.svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Write the picture to a file."""
        with open(path, "w", encoding="utf-8") as f:
            f.write(self.svg)


def _safe(text: str) -> str:
    """Return a text for SVG: names of tasks may contain any bytes; XML allows no control characters."""
    return html.escape("".join(c if c >= " " and c not in "\x7f\ufffe\uffff" and not
                               "\ud800" <= c <= "\udfff" else "\ufffd" for c in text))


class _Lane:
    """One CPU: slices of at least one pixel, and the busy share of each pixel by shorter slices."""

    def __init__(self, width: int) -> None:
        self.wide: List[Tuple[float, float, int, str, int]] = []
        self.short = [0.0] * (width + 1)

    def add(self, x0: float, x1: float, pid: int, comm: str, dur: int) -> None:
        """Add a slice."""
        if x1 - x0 >= 1:
            self.wide.append((x0, x1, pid, comm, dur))
        else:
            self.short[int(x0)] += x1 - x0

    def svg(self, y: int, unit: str) -> List[str]:
        """Return its rectangles."""
        out = [f'<rect x="{LEFT + x}" y="{y + 2}" width="1" height="{ROW - 4}" fill="#888" '
               f'fill-opacity="{min(1.0, busy):.2f}"/>'
               for x, busy in enumerate(self.short) if busy >= 0.01]
        for x0, x1, pid, comm, dur in self.wide:
            name = _safe(comm)
            out.append(f'<g><title>{name} {pid}, {dur} {unit}</title><rect x="{LEFT + x0:.1f}" '
                       f'y="{y + 2}" width="{x1 - x0:.1f}" height="{ROW - 4}" '
                       f'fill="hsl({pid * 47 % 360},55%,70%)"/>')
            letters = int((x1 - x0 - 4) / LETTER)
            if letters >= 3:
                out.append(f'<text x="{LEFT + x0 + 2:.1f}" y="{y + 15}">'
                           f"{_safe(comm[:letters])}</text>")
            out.append("</g>")
        return out


def _moment(ts: int, unit: str) -> str:
    """Return a time of the trace as text."""
    return f"{ts // 10**9}.{ts % 10**9:09d} s" if unit == "ns" else f"{ts} {unit}"


def _ticks(span: int, width: int, height: int, unit: str) -> List[str]:
    """Return lines at round times after the start, at most ten, with their numbers below."""
    step = 1
    while span // step > max(1, min(10, width // 80)):
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    scale, name = 1, unit
    if unit == "ns":
        scale, name = next((s, n) for s, n in ((10**9, "s"), (10**6, "ms"), (1000, "µs"), (1, "ns"))
                           if step >= s or s == 1)
    out = []
    for t in range(0, span + 1, step):
        x = LEFT + t * width / span
        out.append(f'<line x1="{x:.1f}" y1="{HEAD}" x2="{x:.1f}" y2="{height - FOOT + 4}" '
                   'stroke="#ccc"/>')
        out.append(f'<text x="{x:.1f}" y="{height - 4}" text-anchor="middle">+{t // scale:,}'
                   f'{f" {name}" if t + step > span or not t else ""}</text>')
    return out


def timeline(trace: "Trace", start: Any, end: Any, width: int) -> Timeline:
    """Draw a time span of the trace. The default is the whole trace."""
    if width < 1:
        raise ValueError(f"a picture cannot be {width} pixels wide")

    def time(t: Any, default: str) -> int:
        return t if isinstance(t, int) else trace.ts(default if t is None else t)
    lo, hi = time(start, "+0s"), time(end, "-0s")
    span = max(1, hi - lo)
    several = len(trace._paths) > 1
    columns = ["ts", "dur", "cpu", "pid", "comm", "open", "buffer"] + ["file"] * several
    lanes: Dict[Tuple[str, str, int], _Lane] = {}
    unit = "ns" if trace._seconds() else "ticks"
    for ts, dur, cpu, pid, comm, is_open, buffer, *file in \
            trace["sched"].select(*columns).time(lo, hi).tuples():
        lane = lanes.setdefault((file[0] if file else "", buffer or "", cpu), _Lane(width))
        # A slice that the end of the recording cut goes on; one that a loss cut is not known to.
        stop = ts + dur if dur is not None else hi if is_open == "end" else ts
        if pid == 0 or stop < lo or ts > hi:
            continue
        lane.add(max(0, ts - lo) * width / span, (min(stop, hi) - lo) * width / span, pid,
                 comm or "", stop - ts)
    order = sorted(lanes)
    height = HEAD + ROW * max(1, len(order)) + FOOT
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + width + 10} {height}" '
           f'width="{LEFT + width + 10}" height="{height}" style="max-width:100%;height:auto" '
           'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" '
           'fill="white"/>',
           f'<text x="{LEFT}" y="15">from {_moment(lo, unit)} to {_moment(hi, unit)}</text>']
    out += _ticks(span, width, height, unit)
    for i, key in enumerate(order):
        y = HEAD + i * ROW
        label = " ".join([t for t in (os.path.basename(key[0])[:8], key[1][:8]) if t] +
                         [f"CPU {key[2]}"])
        out.append(f'<text x="4" y="{y + 15}">{_safe(label)}</text>')
        out += lanes[key].svg(y, unit)
    if not order:
        out.append(f'<text x="{LEFT}" y="{HEAD + 15}">no sched_switch in this time</text>')
    return Timeline("\n".join(out + ["</svg>"]) + "\n")

