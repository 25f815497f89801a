# SPDX-License-Identifier: LGPL-2.1-or-later
"""Exceptions and warnings of the package."""
from __future__ import annotations

import os
import sys
import warnings
from typing import Optional


class Error(Exception):
    """A failure of tdat: a sentence, a status, and the place in the file.

    status: "damaged", "format", "usage", "not found", "limit", "unsupported", "system" ...
    offset: byte offset in the file, or None.
    """

    status: str = "failed"
    offset: Optional[int] = None


class SystemFailure(Error, OSError):
    """A failed system call; errno is its error number."""


class MissingFile(SystemFailure, FileNotFoundError):
    """A file does not exist."""


class TraceWarning(UserWarning):
    """The trace lacks data that the result needs, and the result does not show this."""


def warn(sentence: str) -> None:
    """Print a warning that names the line of the user's program that called the package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back and os.path.dirname(frame.f_code.co_filename) == os.path.dirname(__file__):
        level, frame = level + 1, frame.f_back
    warnings.warn(sentence, TraceWarning, level)


def make(status: str, message: str, offset: Optional[int] = None, errno: int = 0) -> Error:
    """Return the exception for a status of the library."""
    kind = MissingFile if errno == 2 else SystemFailure if errno else Error
    e = kind(message)
    e.status = status
    e.offset = offset
    if isinstance(e, OSError):
        e.errno = errno
    return e


def refused(sentence: str, said: str) -> Error:
    """Return the error for a trigger that the kernel would reject, with the kernel's message."""
    return make("usage", f"{sentence}\n{said.rstrip()}")
