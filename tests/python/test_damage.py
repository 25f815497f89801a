# SPDX-License-Identifier: GPL-2.0-or-later
"""What cannot be read is an exception with its place, or is kept and told of."""
import errno
import os
import threading

import pyarrow
import pytest

import tdat
from conftest import FILES, VALID, dump

FILE = VALID / "x64-61-v7-none-tiny.dat"


@pytest.fixture
def broken(tmp_path):
    """A file in which one page says that it is longer than a page."""
    data = bytearray(FILE.read_bytes())
    with tdat.open(FILE) as trace:
        cpu, off, size = max(trace.info[0]["buffers"][0]["cpus"], key=lambda c: c[2])
    page = off + (size // 4096 // 2) * 4096
    data[page + 8:page + 16] = b"\xff\xff\xff\x0f\0\0\0\0"
    path = tmp_path / "broken.dat"
    path.write_bytes(data)
    return path, page


def test_damaged_page(broken):
    path, page = broken
    trace = tdat.open(path)
    for read in (lambda r: r.to_arrow(), lambda r: r.to_pandas(), lambda r: r.to_polars(),
                 lambda r: list(r), lambda r: r.count(), lambda r: list(r.to_batches())):
        with pytest.raises(tdat.Error, match="damaged page") as e:
            read(trace["events"])
        assert e.value.status == "damaged" and page <= e.value.offset < page + 4096
        assert str(path) in str(e.value)
    with pytest.raises(OSError, match="damaged page"):
        pyarrow.table(trace["events"])
    for engine in ("duckdb", "sqlite"):
        with pytest.raises(tdat.Error, match="damaged page"):
            trace.sql("SELECT count(*) FROM events", engine=engine)
    with pytest.raises(tdat.Error, match="damaged page"):
        list(trace)
    with pytest.raises(tdat.Error):
        trace.latency()
    assert trace["events"].head(1).count() == 1


def test_first_page(tmp_path):
    """The table cpus reads the first and the last page of each CPU only."""
    with tdat.open(FILE) as trace:
        off = trace["cpus"].to_arrow()["off"][0].as_py()
    data = bytearray(FILE.read_bytes())
    data[off + 8:off + 16] = b"\xff\xff\xff\x0f\0\0\0\0"
    path = tmp_path / "first.dat"
    path.write_bytes(data)
    with pytest.raises(tdat.Error, match="damaged page"):
        tdat.open(path)["cpus"].to_arrow()
    with tdat.open(path, damage="keep") as trace:
        assert len(trace["cpus"].to_arrow()) >= 1 and len(trace.damage) == 1


def test_damage_is_kept(broken):
    path, page = broken
    trace = tdat.open(path, damage="keep")
    expected = dump(path)
    assert trace["events"].count() == len(expected) == len(list(trace)) <= len(dump(FILE))
    assert len(trace.damage) == 1
    assert page <= trace.damage[0].offset < page + 4096 and "damaged page" in trace.damage[0].message
    assert trace.latency()["rows"] >= 0
    assert trace.sql("SELECT count(*) FROM events").fetchall() == [(len(expected),)]


@pytest.fixture
def undescribed(tmp_path):
    """A file whose first event of a CPU has an id that no format has."""
    data = bytearray(FILE.read_bytes())
    with tdat.open(FILE) as trace:
        off = max(trace.info[0]["buffers"][0]["cpus"], key=lambda c: c[2])[1]
    head = int.from_bytes(data[off + 16:off + 20], "little")
    assert 1 <= head & 31 <= 28, "the page begins with data"
    data[off + 20:off + 22] = (60000).to_bytes(2, "little")
    path = tmp_path / "undescribed.dat"
    path.write_bytes(data)
    return path


def test_events_without_a_format(undescribed):
    """A table of one type has nothing to do with them; all others might have."""
    for read in (lambda t: list(t), lambda t: t["events"].count(), lambda t: t["wakeup"].count(),
                 lambda t: t.latency(), lambda t: t.profile(),
                 lambda t: t.sql("SELECT count(*) FROM sched", engine="duckdb"),
                 lambda t: t.sql("SELECT count(*) FROM events", engine="sqlite")):
        with tdat.open(undescribed) as trace:
            assert trace["sched_switch"].count() > 0
            with pytest.raises(tdat.Error, match="id 60000") as e:
                read(trace)
            assert str(undescribed) in str(e.value)
            assert trace["sched_switch"].count() > 0
    with tdat.open(undescribed, damage="keep") as trace:
        assert trace.damage == []
        assert trace["wakeup"].count() >= 0
        assert len(list(trace)) == len(dump(FILE))
        assert len(trace.damage) == 1 and "id 60000" in trace.damage[0].message


def test_cut_files(tmp_path):
    whole = FILE.read_bytes()
    path = tmp_path / "cut.dat"
    for part in (0, 5, 10, 300, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:part])
        try:
            with tdat.open(path) as trace:
                list(trace)
                raise AssertionError(f"{part} bytes are a sound file")
        except tdat.Error as e:
            assert e.status in ("damaged", "format") and str(path) in str(e)
        try:
            with tdat.open(path, damage="keep") as trace:
                assert len(list(trace)) >= 0 and trace.damage
        except tdat.Error as e:
            assert e.offset is not None or part == 0


def test_every_byte_may_be_wrong(tmp_path):
    whole = bytearray((VALID / "x64-61-v6-tiny.dat").read_bytes())
    path = tmp_path / "wrong.dat"
    for at in range(7, len(whole), len(whole) // 60):
        data = bytearray(whole)
        data[at] ^= 0xff
        path.write_bytes(data)
        try:
            trace = tdat.open(path, damage="keep")
            for relation in trace.tables.values():
                relation.head(50).to_arrow().validate(full=True)
            list(trace.events(limit=500))
        except tdat.Error as e:
            assert str(e)


def test_system_failures(tmp_path):
    with pytest.raises(FileNotFoundError) as e:
        tdat.open(tmp_path / "nothing.dat")
    assert isinstance(e.value, tdat.Error) and e.value.errno == errno.ENOENT
    with pytest.raises(tdat.Error, match="this is a folder"):
        tdat.open(tmp_path)
    with pytest.raises(ValueError):
        tdat.open()
    with pytest.raises(ValueError):
        tdat.open(FILE, damage="what")
    with pytest.raises(ValueError):
        tdat.open("a\0b")
    with pytest.raises(TypeError):
        tdat._trace._tdat.Trace()


def test_opening_lets_go_of_the_gil(tmp_path):
    """A thread that opens a pipe waits for another thread's bytes: with the GIL it would for ever."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found = []
    reader = threading.Thread(target=lambda: found.append(tdat.open(pipe)["events"].count()),
                              daemon=True)
    reader.start()
    with open(pipe, "wb") as f:
        f.write(FILE.read_bytes())
    reader.join(20)
    assert found == [len(dump(FILE))]


def test_threads_share_a_trace():
    trace = tdat.open(FILES[3], FILES[4])
    names = [n for n, r in trace.tables.items() if r.count()][:12]
    alone = {n: list(trace[n].tuples()) for n in names}
    events = [e.ts for e in trace]
    wrong = []

    def work(seed):
        for i in range(len(names)):
            name = names[(i + seed) % len(names)]
            if list(trace[name].tuples()) != alone[name]:
                wrong.append(name)
        if [e.ts for e in trace] != events:
            wrong.append("events")
        if trace.sql("SELECT count(*) FROM events", engine="sqlite").fetchall() != [(len(events),)]:
            wrong.append("sql")

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_an_iterator_of_two_threads():
    rows = tdat.open(FILES[3])["events"].tuples()
    found = []

    def work():
        try:
            for row in rows:
                found.append(row)
        except ValueError:
            pass

    threads = [threading.Thread(target=work) for _ in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == len(set(found))
