# SPDX-License-Identifier: GPL-2.0-or-later
"""Files at addresses of fsspec: here its file system in memory; docs/scale.md, which a test runs, has S3."""
import builtins

import fsspec
import pytest
from conftest import VALID

import tdat

FILE = VALID / "x64-61-conv-v7-zstd.dat"
ADDRESS = "memory://traces/a.dat"


@pytest.fixture(autouse=True)
def store():
    fs = fsspec.filesystem("memory")
    fs.pipe("/traces/a.dat", FILE.read_bytes())
    fs.pipe("/traces/bad.dat", b"no trace")
    yield fs
    fs.store.clear()


def test_open():
    with tdat.open(ADDRESS) as there, tdat.open(FILE) as here:
        columns = ("ts", "cpu", "pid", "event")
        assert list(there["events"].select(*columns).tuples()) == list(here["events"].select(*columns).tuples())
        assert repr(there["events"]).startswith(f"<Relation 'events' of {ADDRESS!r}")
        assert there.sql("SELECT count(*) FROM events").fetchall() == [(here["events"].count(),)]
        try:
            with there.view() as page:
                assert page.url.startswith("http://127.0.0.1")
        except tdat.Error as e:  # the package has no tdat-view where libmicrohttpd is missing
            assert "tdat-view" in str(e)


def test_export_and_convert(store):
    with tdat.open(ADDRESS) as trace:
        tdat.export(trace, "parquet", "memory://traces/out", tables=["sched/sched_switch", "sched/sched_waking"])
        tdat.export(trace, "parquet", "memory://traces/one.parquet", tables="events", columns=["ts", "cpu"])
    assert len([n for n in store.find("/traces/out") if n.endswith(".parquet")]) == 2, store.find("/traces/out")
    assert store.cat("/traces/one.parquet")[:4] == b"PAR1"
    tdat.convert(ADDRESS, "memory://traces/b.dat", version=6)
    with tdat.open("memory://traces/b.dat", FILE) as both:
        assert {row[0] for row in both["events"].select("file").tuples()} == {"memory://traces/b.dat", str(FILE)}


def test_refused(store, monkeypatch):
    with pytest.raises(tdat.Error, match="memory://traces/bad.dat"):
        tdat.open("memory://traces/bad.dat")
    with pytest.raises(FileNotFoundError):
        tdat.open("memory://traces/none.dat")
    with pytest.raises(ValueError, match="cannot have"):
        tdat.convert("memory://traces/../../a.dat", "memory://traces/c.dat")
    found = builtins.__import__
    monkeypatch.setattr(builtins, "__import__", lambda name, *rest: (
        (_ for _ in ()).throw(ImportError(name)) if name == "fsspec" else found(name, *rest)))
    with pytest.raises(tdat.Error, match="pip install"):
        tdat.open(ADDRESS)
