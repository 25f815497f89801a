#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Draws sentences of README.md, the manual pages and docs/, for a reader who grades which are clear at first reading.

The commit seeds the draw: the same commit gives the same sentences. A sentence that several pages contain counts once. Blocks of
code, tables and headings are omitted.

usage: sentences.py SOURCE_DIR [COUNT [SEED]]       100 sentences, the commit of SOURCE_DIR
"""
import pathlib
import random
import re
import subprocess
import sys


def markdown(text):
    """Paragraphs and items of lists."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"^```.*?^```", "\n", text, flags=re.M | re.S)
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", text):
        if not re.match(r"\s*([|#!]|    )", block):
            yield re.sub(r"^\s*([-*]|\d+\.) ", "", block)


def manual(path):
    """Paragraphs as a terminal shows them."""
    text = subprocess.run(["mandoc", "-Tutf8", "-O", "width=1000", path], check=True, capture_output=True, text=True).stdout
    text = re.sub(".\b", "", text)
    for section in re.split(r"\n(?=[A-Z])", text)[1:-1]:
        if not re.match(r"NAME|SYNOPSIS|EXAMPLES|SEE ALSO", section):
            # Lines of a terminal wide enough for all but the longest paragraphs, without the tags of lists.
            for line in re.sub(r"(.{900})\n\s*", r"\1 ", section).split("\n")[1:]:
                yield re.sub(r"^\s+\S+( \S+){0,3}(?<![.!?:])\s{2,}", "", line)


def sentences(block):
    """Whole sentences of four words or more. A sentence does not end within quoted code."""
    block = re.sub(r"`[^`]*`|‘[^’]*’", lambda quoted: quoted[0].replace(" ", "\0"), " ".join(block.split()))
    for sentence in re.split(r"(?<=[.!?:])\s+(?=tdat |trace-cmd |lib[a-z]+ |[A-Z`\"“‘*\[-])", block):
        words = re.findall(r"[A-Za-z]{2,}", sentence)
        if len(words) >= 4 and sentence[-1] in ".!?:":
            yield sentence.replace("\0", " ")


def main():
    if sys.argv[1:2] in ([], ["-h"], ["--help"]):
        print(__doc__)
        sys.exit(len(sys.argv) < 2)
    root = pathlib.Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    seed = sys.argv[3] if len(sys.argv) > 3 else subprocess.run(
        ["git", "-C", root, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    found = {}
    for path in [root / "README.md", *sorted((root / "docs").rglob("*.md")), *sorted((root / "man").glob("*.[1-9]"))]:
        blocks = markdown(path.read_text(encoding="utf-8")) if path.suffix == ".md" else manual(path)
        for sentence in (s for b in blocks for s in sentences(b)):
            found.setdefault(sentence, path.relative_to(root))
    print(f"# {count} of {len(found)} sentences, seed {seed}")
    places = list(found.items())
    for number, i in enumerate(sorted(random.Random(seed).sample(range(len(places)), min(count, len(places)))), 1):
        print(f"{number}. [{places[i][1]}] {places[i][0]}")


main()
