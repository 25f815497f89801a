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
    with pytest.raises(ValueError, match="cannot contain"):
        tdat.convert("memory://traces/../../a.dat", "memory://traces/c.dat")
    found = builtins.__import__
    monkeypatch.setattr(builtins, "__import__", lambda name, *rest: (
        (_ for _ in ()).throw(ImportError(name)) if name == "fsspec" else found(name, *rest)))
    with pytest.raises(tdat.Error, match="pip install"):
        tdat.open(ADDRESS)


def test_what_is_there_stays(store):
    """Outputs are replaced by force alone, as those here are."""
    for make, out in ((lambda **o: tdat.export(FILE, "parquet", "memory://traces/e.parquet", tables="events", **o),
                       "/traces/e.parquet"),
                      (lambda **o: tdat.convert(FILE, "memory://traces/c.dat", **o), "/traces/c.dat"),
                      (lambda **o: tdat.export(FILE, "parquet", "memory://traces/flat", tables=["events", "tasks"],
                                               **o), "/traces/flat/tasks.parquet"),
                      (lambda **o: tdat.export(FILE, "ctf", "memory://traces/ctf", **o), "/traces/ctf/metadata")):
        make()
        made = store.cat(out)
        store.pipe(out, b"/* CTF 1.8 */ precious" if out.endswith("metadata") else b"precious")
        before = store.cat(out)
        with pytest.raises(tdat.Error, match="^memory://traces/.* exists already"):
            make()
        assert store.cat(out) == before
        make(force=True)
        assert store.cat(out)[:4] == made[:4] and len(store.cat(out)) > 100


def test_a_lake_grows(store, tmp_path):
    """A second export into a lake there does what it does here, file by file."""
    dated = [VALID / "x64-61-date.dat", VALID / "i386-61-v6-sched.dat"]
    said = []
    for lake in (str(tmp_path / "lake"), "memory://traces/lake"):
        tdat.export([FILE, VALID / "s390x-61-v6-sched.dat"], "parquet", lake, tables="sched/*")
        said.append([s.replace(lake, "") for s in tdat.export(dated, "parquet", lake, tables="sched/*")])
        # One file joins the lake, too, and with force its parts that have no successor go.
        tdat.export(VALID / "ppc64el-61-lost.dat", "parquet", lake, tables="sched/*")
        with pytest.raises(tdat.Error, match="force=True replaces it"):
            tdat.export(VALID / "ppc64el-61-lost.dat", "parquet", lake, tables="sched/sched_switch")
        tdat.export(VALID / "ppc64el-61-lost.dat", "parquet", lake, tables="sched/sched_switch", force=True)
        for keys in ("none", "event", "event,file,host"):
            with pytest.raises(tdat.Error, match=f"{lake}: is a data set with folders by event,file"):
                tdat.export(FILE, "parquet", lake, tables="sched/*", partition=keys)
    assert said[0] == said[1] and "sched_switch@2" in said[0][0]
    here = {str(p.relative_to(tmp_path / "lake")): p for p in (tmp_path / "lake").rglob("*") if p.is_file()}
    there = {n[len("/traces/lake/"):]: n for n in store.find("/traces/lake")}
    assert here.keys() - {"_tdat/lock"} == there.keys() and len(here) > 20
    for name, path in there.items():
        assert store.cat(path) == here[name].read_bytes(), name
