# SPDX-License-Identifier: LGPL-2.1-or-later
"""Files of object stores and others that fsspec knows ("s3://bucket/trace.dat"), as copies here."""
from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from typing import Any, Iterator, List, NamedTuple, Optional, Sequence

from ._errors import make


def is_remote(path: str) -> bool:
    """Whether a path is an address: a file here whose name has "://" is written "./…"."""
    return "://" in path and not path.startswith((".", "/"))


def fsspec_for(path: str) -> Any:
    """The module that reads an address."""
    try:
        import fsspec
    except ImportError:
        raise make("failed", f"{path}: fsspec is not installed; pip install tdat[remote], and what fsspec "
                             "needs for this kind of address, such as s3fs") from None
    return fsspec


def _copy(path: str, to: str) -> None:
    os.makedirs(os.path.dirname(to), exist_ok=True)
    with fsspec_for(path).open(path, "rb") as source, open(to, "wb") as target:
        shutil.copyfileobj(source, target, 1 << 20)


def _put(made: str, path: str) -> None:
    """Puts a file or a folder there."""
    fs, name = fsspec_for(path).core.url_to_fs(path)
    if not os.path.isdir(made):
        fs.put_file(made, name)
        return
    # Not put(recursive=True), which puts the folder into one that is there.
    for top, _, names in os.walk(made):
        for n in names:
            to = f"{name.rstrip('/')}/{os.path.relpath(os.path.join(top, n), made)}"
            fs.makedirs(to.rpartition("/")[0], exist_ok=True)
            fs.put_file(os.path.join(top, n), to)


@contextlib.contextmanager
def copies(paths: Sequence[str]) -> Iterator[List[str]]:
    """Paths that can be opened: those of copies, which are gone afterwards, of remote files."""
    with tempfile.TemporaryDirectory(prefix="tdat-") if any(map(is_remote, paths)) else \
            contextlib.nullcontext("") as folder:
        found = [os.path.join(folder, str(i), "trace.dat") if is_remote(p) else p
                 for i, p in enumerate(paths)]
        for path, copy in zip(paths, found):
            if copy != path:
                _copy(path, copy)
        yield found


class Staged(NamedTuple):
    """What a program is given that knows no remote files, and the folder to run it in."""

    paths: List[str]
    out: str
    cwd: Optional[str]


@contextlib.contextmanager
def staged(paths: Sequence[str], out: str = "") -> Iterator[Staged]:
    """Copies remote files to where their addresses are paths in cwd, so that they keep their names. A remote
    output is put there when all is done."""
    if not any(map(is_remote, [*paths, out])):
        yield Staged(list(paths), out, None)
        return
    with tempfile.TemporaryDirectory(prefix="tdat-") as folder:
        found = []
        for path in paths:
            if is_remote(path) and ".." in path.split("/"):
                raise ValueError(f"{path}: an address cannot have ..")
            if is_remote(path):
                _copy(path, os.path.join(folder, "in", path))
            found.append(path if is_remote(path) else os.path.abspath(path))
        os.makedirs(os.path.join(folder, "in"), exist_ok=True)
        made = os.path.join(folder, "out", os.path.basename(out.rstrip("/")) or "out")
        os.makedirs(os.path.dirname(made))
        yield Staged(found, made if is_remote(out) else os.path.abspath(out), os.path.join(folder, "in"))
        if is_remote(out):
            _put(made, out)
