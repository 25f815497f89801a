# SPDX-License-Identifier: LGPL-2.1-or-later
"""Failures as exceptions."""
from __future__ import annotations

import os
import sys
import warnings
from typing import Optional


class Error(Exception):
    """A failure of tdat: one sentence, and where in the file.

    status: "damaged", "format", "usage", "not found", "limit", "unsupported", "system" ...
    offset: byte of the file, or None.
    """

    status: str = "failed"
    offset: Optional[int] = None


class SystemFailure(Error, OSError):
    """A system call failed; errno says how."""


class MissingFile(SystemFailure, FileNotFoundError):
    """A file is not there."""


class TraceWarning(UserWarning):
    """Something that a trace does not have, which an answer does not show."""


def warn(sentence: str) -> None:
    """Warns at the line that called the package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back and os.path.dirname(frame.f_code.co_filename) == os.path.dirname(__file__):
        level, frame = level + 1, frame.f_back
    warnings.warn(sentence, TraceWarning, level)


def make(status: str, message: str, offset: Optional[int] = None, errno: int = 0) -> Error:
    """The exception for a status of the library."""
    kind = MissingFile if errno == 2 else SystemFailure if errno else Error
    e = kind(message)
    e.status = status
    e.offset = offset
    if isinstance(e, OSError):
        e.errno = errno
    return e


def refused(sentence: str, said: str) -> Error:
    """A trigger that the kernel would refuse, with what it would have said."""
    return make("usage", f"{sentence}\n{said.rstrip()}")
