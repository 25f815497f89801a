# SPDX-License-Identifier: GPL-2.0-or-later
"""The blocks of docs/data.md, as they stand there, print what stands below them.

The outputs were made by running the page: what they prove beyond that nothing changed is what the
other tests of this folder compare. TDAT_UPDATE=1 writes them anew.
"""
import contextlib
import io
import os
import re
import shutil

import pytest

import tdat
from conftest import VALID

PAGE = VALID.parent.parent.parent / "docs" / "data.md"
BLOCKS = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.S)


def test_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = PAGE.read_text(encoding="utf-8")
    for source, name in re.findall(r'^cp "\$TDAT/(.*?)" (\S+)', page, re.M):
        shutil.copy(PAGE.parent.parent / source, tmp_path / name)
    assert len(BLOCKS.findall(page)) == page.count("```python")
    names, parts, at = {}, [], 0
    for block in BLOCKS.finditer(page):
        code, wanted = block.groups()
        if "pyspark" in code:  # tests/spark has Java
            parts.append(wanted)
            continue
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(code, names)
        parts.append(out.getvalue())
        if not os.environ.get("TDAT_UPDATE"):
            assert out.getvalue() == wanted, code
    if os.environ.get("TDAT_UPDATE"):
        made = []
        for block, text in zip(BLOCKS.finditer(page), parts):
            made += [page[at:block.start(2)], text]
            at = block.end(2)
        PAGE.write_text("".join(made) + page[at:], encoding="utf-8")
        pytest.fail("docs/data.md was written anew")


def test_readme(tmp_path, monkeypatch):
    """The block of README.md runs, and each of its lines has an answer."""
    block, = re.findall(r"```python\n(.*?)```", (PAGE.parent.parent / "README.md").read_text(encoding="utf-8"), re.S)
    shutil.copy(VALID / "x64-61-conv-v7-zstd.dat", tmp_path / "trace.dat")
    monkeypatch.chdir(tmp_path)
    names = {}
    lines = block.strip().split("\n")
    assert lines[0] == "import tdat" and len(lines) > 4
    exec("\n".join(lines[:3]), names)
    for line in lines[3:]:
        answer = eval(line, names)
        assert len(answer), line


def test_python_page(tmp_path, monkeypatch):
    """The blocks of docs/python.md run in their order, and write a file that is read back."""
    pa = pytest.importorskip("pyarrow")
    shutil.copy(VALID / "x64-61-conv-v7-zstd.dat", tmp_path / "trace.dat")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (PAGE.parent / "python.md").read_text(encoding="utf-8"), re.S)
    names = {"__name__": "page", "arrow_table": pa.table({"ts": [2000, 3000], "value": [1, 2]})}
    assert len(blocks) == 2
    for block in blocks:
        exec(block, names)
    with tdat.open("app.dat") as written:
        assert written["events"].count() == 3
