# SPDX-License-Identifier: GPL-2.0-or-later
"""An assistant's client asks the server, by the package of the protocol's authors."""
import asyncio
import json
import os
import shutil
import sys

import pytest

import tdat
from conftest import VALID

mcp = pytest.importorskip("mcp")


def talk(folder, *calls):
    """The texts that tools answer, or the failures as exceptions would name them."""
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    async def run():
        server = StdioServerParameters(command=sys.executable, args=["-m", "tdat.mcp", str(folder)],
                                       env=dict(os.environ))
        async with stdio_client(server) as (r, w), ClientSession(r, w) as session:
            await session.initialize()
            names = {t.name for t in (await session.list_tools()).tools}
            assert names == {"files", "summary", "tables", "sql", "latency", "why", "diff", "picture"}
            answers = []
            for tool, args in calls:
                got = await session.call_tool(tool, args)
                answers.append((got.is_error, got.content[0].text))
            return answers
    return asyncio.run(run())


def test_tools(tmp_path, sched):
    folder = tmp_path / "traces"
    (folder / "in").mkdir(parents=True)
    shutil.copy(sched._paths[0], folder / "in" / "a.dat")
    shutil.copy(VALID / "s390x-61-v7-zstd-sched.dat", folder / "b.dat")
    shutil.copy(VALID / "x64-61-v6-tiny.dat", tmp_path / "secret.dat")
    os.symlink(tmp_path / "secret.dat", folder / "link.dat")
    a = {"file": "in/a.dat"}
    good = talk(folder, ("files", {}), ("summary", a), ("tables", a), ("tables", {**a, "table": "wakeup"}),
                ("sql", {**a, "query": "SELECT * FROM events"}), ("latency", {**a, "by": ["comm"]}),
                ("why", {**a, "task": "work.sh"}), ("diff", {"before": "in/a.dat", "after": "b.dat"}),
                ("picture", {**a, "start": "+10ms", "end": "+12ms"}))
    assert not any(failed for failed, _ in good), good
    texts = [text for _, text in good]
    assert all(len(text) <= 60_000 for text in texts)
    files, summary, tables, columns, sql, latency, why, diff = map(json.loads, texts[:8])
    assert [f["file"] for f in files["files"]] == [str(folder / "b.dat"), str(folder / "in" / "a.dat")]
    assert summary["events"] == sched["events"].count() and summary["busiest_tasks"]
    assert "sched/sched_switch" in tables["events"] and "wakeup" in tables["derived"]
    assert "dur" in columns["columns"]
    assert len(sql["rows"]) == 50 and sql["more_rows"]
    assert latency["rows"] == sched.latency()["rows"]
    assert [i["from"] for i in why["intervals"]] == [i["from"] for i in sched.why(comm="work.sh")]
    assert diff["unchanged"] == tdat.diff(sched, tdat.open(folder / "b.dat"))["unchanged"]
    assert texts[8].startswith("<svg")
    shutil.copy(VALID / "x64-61-syscalls.dat", folder / "calls.dat")
    for failed, text in talk(folder, ("latency", {"file": "calls.dat"}), ("why", {"file": "calls.dat"}),
                             ("sql", {"file": "calls.dat", "query": "SELECT count(*) FROM wakeup"})):
        assert not failed and "this trace has" in json.loads(text)["warnings"][0]
    for (failed, text), part in zip(talk(
            folder, ("summary", {"file": "../secret.dat"}), ("summary", {"file": "link.dat"}),
            ("summary", {"file": str(tmp_path / "secret.dat")}), ("sql", {**a, "query": "DROP TABLE x"}),
            ("sql", {**a, "query": "ATTACH '/tmp/x' AS y"}), ("latency", {**a, "table": "nothing"}),
            ("why", {**a, "of": "nothing"})),
            ("no file", "no file", "no file", "SQL", "SQL", "no table", "of must be")):
        assert failed and part in text, text


def test_time_of_a_query_is_bounded(sched):
    with pytest.raises(tdat.Error, match="canceled after") as e:
        sched._core.sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
                        [], False, 10, 0.2)
    assert e.value.status == "limit"
    assert len(sched._core.sql("SELECT * FROM events", [], False, 7, 0.0)[1]) == 7


def test_length_of_a_value_is_bounded(sched):
    with pytest.raises(tdat.Error, match="too big"):
        sched.sql("SELECT hex(zeroblob(400000000))", engine="sqlite")
