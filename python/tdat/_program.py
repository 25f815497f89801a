# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the program tdat that lies in the package.

What is not in the library but in the program (captures of others, data sets, quantiles) is asked of the
program, so that it has one implementation, and works in its sandbox.
"""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Union

from ._errors import make

PathLike = Union[str, "os.PathLike[str]"]
Strings = Union[str, Sequence[str]]


class Result(NamedTuple):
    """What a run printed."""

    output: bytes
    warnings: List[str]
    status: int


def program() -> str:
    """The path of the program."""
    return os.environ.get("TDAT_PROGRAM") or str(Path(__file__).parent / "bin" / "tdat")


def path_text(path: PathLike) -> str:
    """A path as the program takes it: one that begins with - is no option."""
    text = os.fspath(path)
    return "./" + text if text.startswith("-") else text


def as_list(value: Optional[Union[str, Iterable[Any]]]) -> List[Any]:
    """A list of what may be a single value or None."""
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple, set, frozenset, range)) else [value]


def run(args: Sequence[str], keep_damage: bool = False) -> Result:
    """Runs the program. Failures raise; with keep_damage status 1 with an output does not."""
    done = subprocess.run([program(), *args], stdin=subprocess.DEVNULL, capture_output=True,
                          check=False)
    said = done.stderr.decode("utf-8", "replace").splitlines()
    said = [line[6:] if line.startswith("tdat: ") else line for line in said]
    if done.returncode == 0 or (done.returncode == 1 and keep_damage):
        return Result(done.stdout, said, done.returncode)
    text = "\n".join(said) or f"tdat ended with status {done.returncode}"
    raise make("usage" if done.returncode == 2 else "failed", text)


def selection(options: Dict[str, Any]) -> List[str]:
    """Arguments of the options that choose events; takes them out of the dict."""
    args: List[str] = []
    time = options.pop("time", None)
    if time is not None:
        for name, value in zip(("--from", "--until"), time):
            if value is not None:
                args += [f"{name}={value}"]
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


def main() -> int:
    """The command tdat of the package: becomes the program."""
    os.execv(program(), ["tdat", *sys.argv[1:]])
