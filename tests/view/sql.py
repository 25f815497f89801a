#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""api/sql of tdat view against tdat sql, and its bounds.

usage: sql.py TDAT FILE
"""
import http.client
import json
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from client import View

tdat, file = sys.argv[1:3]
SLOW = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"


def ask_slowly(view):
    try:
        status, _ = view.ask("sql", query=SLOW)
        assert status == 500, status
    except http.client.HTTPException:
        pass  # the server ended before it answered


# What a query could not read is told beside its rows, as tdat sql tells it on standard error.
with tempfile.NamedTemporaryFile(suffix=".dat") as broken:
    data = bytearray(open(file, "rb").read())
    data[-6000:-5900] = b"\xff" * 100
    broken.write(data)
    broken.flush()
    query = "SELECT count(*) AS n FROM events"
    printed = subprocess.run([tdat, "sql", "--json", broken.name, query], capture_output=True, check=False)
    assert printed.returncode == 1 and b"offset" in printed.stderr, printed
    with View(tdat, broken.name) as view:
        answer = view.get("sql", query=query)
        assert answer["rows"] == [[json.loads(printed.stdout)[0]["n"]]], answer
        assert len(answer["notes"]) == 1 and answer["notes"][0].startswith("damage of CPU "), answer
        assert view.get("sql", query="SELECT 1")["notes"] == []

with View(tdat, file) as view:
    assert view.get("trace")["sql"] is True
    for query in ("SELECT event, count(*) AS n FROM events GROUP BY 1 ORDER BY 1",
                  "SELECT ts, next_comm FROM sched_switch WHERE next_pid = 14 ORDER BY ts LIMIT 5; -- five",
                  "SELECT NULL AS a, 1.5 AS b, 'x<y' AS c"):
        answer = view.get("sql", query=query)
        printed = json.loads(subprocess.check_output([tdat, "sql", "--json", file, query]))
        assert [dict(zip(answer["columns"], row)) for row in answer["rows"]] == printed, query
        assert answer["more"] is False
    answer = view.get("sql", query="SELECT x'00ff', 9223372036854775807")
    assert answer["rows"] == [[{"hex": "00ff"}, "9223372036854775807"]]
    answer = view.get("sql", query="SELECT ts FROM events", limit=7)
    assert len(answer["rows"]) == 7 and answer["more"] is True
    for wrong in ("", "SELEC 1", "SELECT 1; SELECT 2", "CREATE TABLE t(a)", "ATTACH '/tmp/x' AS y",
                  "PRAGMA temp_store = 1", "SELECT load_extension('x')", "DELETE FROM events"):
        status, answer = view.ask("sql", query=wrong)
        assert status == 400 and answer["error"].startswith("SQL: "), (wrong, status, answer)
    assert view.ask("sql", query="SELECT 1", limit=10001)[0] == 400
    status, answer = view.ask("sql", query="SELECT hex(zeroblob(3000000)), hex(zeroblob(3000000))")
    assert status in (400, 413, 500), status
    # A query ends when its client goes away, and so does one that waits for it: the next one does
    # not wait for the 30 s that they may take.
    gone = []
    for _ in range(2):
        gone.append(socket.create_connection((view.host, view.port)))
        path = f"{view.path}api/sql?" + urllib.parse.urlencode({"query": SLOW})
        gone[-1].sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    time.sleep(0.3)
    gone[0].close()
    gone[1].setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    gone[1].close()  # by a reset
    begin = time.monotonic()
    assert view.get("sql", query="SELECT 1")["rows"] == [[1]]
    assert time.monotonic() - begin < 10
    # A query that runs does not hold up other answers, and ends with the server.
    slow = threading.Thread(target=ask_slowly, args=(view,))
    slow.start()
    time.sleep(0.3)
    assert view.ask("events", count=1)[0] == 200
    begin = time.monotonic()
    view.process.send_signal(signal.SIGINT)
    view.process.wait(timeout=10)
    slow.join(10)
    assert time.monotonic() - begin < 5 and view.process.returncode == 0
