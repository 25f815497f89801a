# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the program tdat that the package contains.

The program has features that the library lacks: import in a sandbox, and data sets of many files. The package runs
the program for these features (_convert.py), so that each feature has one implementation.
"""
from __future__ import annotations

import html
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import List, NamedTuple, Optional, Sequence, Union

from ._errors import make

PathLike = Union[str, "os.PathLike[str]"]


class Result(NamedTuple):
    """The output of a run."""

    output: bytes
    warnings: List[str]
    status: int


def program() -> str:
    """Return the path of the program: in the package, or else the installed one."""
    own = str(Path(__file__).parent / "bin" / "tdat")
    return os.environ.get("TDAT_PROGRAM") or (not os.path.exists(own) and shutil.which("tdat")) or own


def path_text(path: PathLike) -> str:
    """Return a path as an argument of the program. A path that starts with - must not be read as an option."""
    text = os.fspath(path)
    return "./" + text if text.startswith("-") else text


def _said(stderr: bytes) -> List[str]:
    """Return the messages of the program, without its name."""
    lines = stderr.decode("utf-8", "replace").splitlines()
    return [line[6:] if line.startswith("tdat: ") else line for line in lines]


def run(args: Sequence[str], keep_damage: bool = False, cwd: Optional[str] = None) -> Result:
    """Run the program in the folder cwd. Failures raise, except status 1 with an output if keep_damage is set."""
    done = subprocess.run([program(), *args], stdin=subprocess.DEVNULL, capture_output=True,
                          check=False, cwd=cwd)
    said = _said(done.stderr)
    if done.returncode == 0 or (done.returncode == 1 and keep_damage):
        return Result(done.stdout, said, done.returncode)
    text = "\n".join(said) or f"tdat ended with status {done.returncode}"
    text = text.replace("--force replaces", "force=True replaces")
    raise make("usage" if done.returncode == 2 else "failed", text)


class View:
    """The page of tdat view, served by a process until close() or the deletion of this object."""

    def __init__(self, args: Sequence[str], height: int, cwd: Optional[str] = None) -> None:
        self.height = height
        with tempfile.TemporaryFile() as said:
            self._process = subprocess.Popen(
                [program(), "view", "--no-browser", "--in-frame", *args],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=said, text=True, cwd=cwd)
            assert self._process.stdout
            with self._process.stdout as out:
                self.url = out.readline().strip()
            if not self.url:
                status = self._process.wait()
                said.seek(0)
                raise make("failed", "\n".join(_said(said.read())) or
                           f"tdat ended with status {status}")

    def close(self) -> None:
        """Stop the server."""
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait()

    def __enter__(self) -> "View":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_process"):
            self.close()

    def __repr__(self) -> str:
        return f"<View {self.url}>"

    def _repr_html_(self) -> str:
        return (f'<iframe src="{html.escape(self.url)}" width="100%" height="{self.height}" '
                'style="border:0"></iframe>')


def main() -> int:
    """Run the package's command tdat: this process becomes the program."""
    os.execv(program(), ["tdat", *sys.argv[1:]])
