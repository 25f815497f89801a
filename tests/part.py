# SPDX-License-Identifier: GPL-2.0-or-later
"""Which of the things that a test goes through it takes, by TDAT_PART as in unit/common/part.h."""
import os


def part_of(things):
    """Of a list those that the part has, by their order."""
    nth, of = map(int, os.environ.get("TDAT_PART", "1/1").split("/"))
    return [thing for i, thing in enumerate(things) if i % of == nth - 1]
