# SPDX-License-Identifier: LGPL-2.1-or-later
"""Local copies of remote files: files in object stores, and others that fsspec supports ("s3://bucket/trace.dat")."""
from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from ._errors import Error, make


def is_remote(path: str) -> bool:
    """Return True if a path is an address. A local file whose name contains "://" is written "./…"."""
    return "://" in path and not path.startswith((".", "/"))


def fsspec_for(path: str) -> Any:
    """Return the module that reads an address."""
    try:
        import fsspec
    except ImportError:
        raise make("failed", f"{path}: fsspec is not installed; pip install tdat[remote], and what fsspec "
                             "needs for this kind of address, such as s3fs") from None
    return fsspec


def _copy(path: str, to: str) -> None:
    """Copy a file with its modification time, by which a data set recognizes the file."""
    os.makedirs(os.path.dirname(to), exist_ok=True)
    fsspec = fsspec_for(path)
    try:
        with fsspec.open(path, "rb") as source, open(to, "wb") as target:
            shutil.copyfileobj(source, target, 1 << 20)
    except FileNotFoundError:
        raise make("system", f"{path}: there is no such file", None, errno.ENOENT) from None
    except ValueError as e:
        raise make("usage", f"{path}: {e}") from None
    with contextlib.suppress(NotImplementedError, AttributeError, OSError):
        fs, name = fsspec.core.url_to_fs(path)
        changed = fs.modified(name).timestamp()
        os.utime(to, (changed, changed))


class _Output:
    """A remote output, and its local image, which shows the existing files to a program that cannot access
    remote files. Files that describe a data set are copied; all others are empty."""

    def __init__(self, path: str, image: str) -> None:
        self._image = image
        self._fs, name = fsspec_for(path).core.url_to_fs(path)
        self._name = name.rstrip("/")
        self._before: Dict[str, Tuple[int, int, int]] = {}
        if self._fs.isfile(self._name):
            self._place("")
        elif self._fs.isdir(self._name):
            os.makedirs(image)
            for file in self._fs.find(self._name):
                self._place(file[len(self._name) + 1:])

    def _place(self, part: str) -> None:
        here = os.path.join(self._image, *part.split("/")) if part else self._image
        os.makedirs(os.path.dirname(here), exist_ok=True)
        # The metadata of CTF tells that a folder is one.
        if part in ("_schema.json", "metadata") or part.startswith("_tdat/"):
            self._fs.get_file(self._remote(part), here)
        else:
            open(here, "wb").close()
        self._before[part] = self._stat(here)

    def _remote(self, part: str) -> str:
        return f"{self._name}/{part}" if part else self._name

    @staticmethod
    def _stat(path: str) -> Tuple[int, int, int]:
        found = os.stat(path)
        return found.st_ino, found.st_size, found.st_mtime_ns

    def put(self) -> None:
        """Upload new and changed files: parts of a data set first, its records last."""
        after = {}
        for top, _, names in os.walk(self._image):
            after.update({os.path.relpath(os.path.join(top, n), self._image): os.path.join(top, n) for n in names})
        if os.path.isfile(self._image):
            after[""] = self._image
        for part in sorted(after, key=lambda p: (p.startswith("_tdat/"), p == "_schema.json", p)):
            if part == "_tdat/lock" or self._stat(after[part]) == self._before.get(part):
                continue
            self._fs.makedirs(self._remote(part).rpartition("/")[0], exist_ok=True)
            self._fs.put_file(after[part], self._remote(part))
        for part in self._before.keys() - after.keys():
            self._fs.rm_file(self._remote(part))


@contextlib.contextmanager
def copies(paths: Sequence[str]) -> Iterator[List[str]]:
    """Yield local paths. For a remote file, the path is a temporary copy."""
    with tempfile.TemporaryDirectory(prefix="tdat-") if any(map(is_remote, paths)) else \
            contextlib.nullcontext("") as folder:
        found = [os.path.join(folder, str(i), "trace.dat") if is_remote(p) else p
                 for i, p in enumerate(paths)]
        for path, copy in zip(paths, found):
            if copy != path:
                _copy(path, copy)
        yield found


class Staged(NamedTuple):
    """Paths for a program that cannot access remote files, and the folder to run it in."""

    paths: List[str]
    out: str
    cwd: Optional[str]


@contextlib.contextmanager
def staged(paths: Sequence[str], out: str = "") -> Iterator[Staged]:
    """Copy remote files so that their addresses are paths in cwd, which keeps their names. A remote output is
    uploaded at the end, under the rules for a local one: existing files stay unless force is set."""
    if not any(map(is_remote, [*paths, out])):
        yield Staged(list(paths), out, None)
        return
    with tempfile.TemporaryDirectory(prefix="tdat-") as folder:
        found = []
        for path in paths:
            if is_remote(path) and ".." in path.split("/"):
                raise ValueError(f"{path}: an address cannot contain ..")
            if is_remote(path):
                _copy(path, os.path.join(folder, "in", path))
            found.append(path if is_remote(path) else os.path.abspath(path))
        os.makedirs(os.path.join(folder, "in"), exist_ok=True)
        if not is_remote(out):
            yield Staged(found, os.path.abspath(out), os.path.join(folder, "in"))
            return
        made = os.path.join(folder, "out", os.path.basename(out.rstrip("/")) or "out")
        os.makedirs(os.path.dirname(made))
        output = _Output(out, made)
        try:
            yield Staged(found, made, os.path.join(folder, "in"))
        except Error as e:
            raise make(e.status, str(e).replace(made, out.rstrip("/")), e.offset) from None
        output.put()
