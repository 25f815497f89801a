#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The interactive part of tdat sql on a pseudo-terminal, as a user types.

usage: shell.py TDAT FOLDER FILE
"""
import os
import pty
import re
import select
import signal
import sys
import time

PROMPT, MORE = b"tdat> ", b"   ...> "


class Shell:
    """The program on a terminal of its own."""

    def __init__(self, *args, **env):
        self.seen = b""
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.environ.update({"TERM": "dumb", "LC_ALL": "C.UTF-8", "INPUTRC": "/dev/null"} | env)
            os.execv(args[0], args)

    def wait(self, text, seconds=60):
        """What is printed up to a text."""
        end = time.monotonic() + seconds
        while text not in self.seen:
            ready = select.select([self.fd], [], [], max(0, end - time.monotonic()))[0]
            try:
                more = os.read(self.fd, 65536) if ready else b""
            except OSError:
                more = b""
            if not more:
                sys.exit(f"no {text} comes, but: {self.seen[-2000:]}")
            self.seen += more
        out, _, self.seen = self.seen.partition(text)
        return out.replace(b"\r\n", b"\n")

    def type(self, text):
        os.write(self.fd, text)

    def ask(self, line):
        """What a whole line prints, without what is echoed of it."""
        self.type(line + b"\n")
        out = self.wait(PROMPT)
        return out.partition(b"\n")[2]

    def end(self):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                if select.select([self.fd], [], [], 0.2)[0]:
                    self.seen += os.read(self.fd, 65536)
            except OSError:
                pass
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                os.close(self.fd)
                return os.waitstatus_to_exitcode(status)
        os.kill(self.pid, signal.SIGKILL)
        sys.exit(f"the program does not end: {self.seen[-500:]}")


def must(true, what):
    if not true:
        sys.exit(what)


def main():
    tdat, folder, path = sys.argv[1:4]
    os.makedirs(folder, exist_ok=True)
    history = os.path.join(folder, "history")
    if os.path.exists(history):
        os.remove(history)
    sh = Shell(tdat, "sql", path, TDAT_HISTORY=history)
    sh.wait(PROMPT)
    must(b" 7" in sh.ask(b"SELECT 3 + 4 AS seven;"), "an expression")
    out = sh.ask(b".tables sched/sched_sw*")
    names = [line.split()[0] for line in out.strip().split(b"\n")]
    must(names == [b'"sched/sched_swap_numa"', b'"sched/sched_switch"'], f".tables: {out}")
    must(b"next_comm TEXT" in sh.ask(b".schema sched_switch"), ".schema")
    must(b".tables" in sh.ask(b".help"), ".help")
    must(b"there is no command" in sh.ask(b".nothing"), "an unknown command")
    out = sh.ask(b"SELECT * FROM unknown;")
    must(b"no such table" in out, f"an unknown table: {out}")
    must(b"can only read" in sh.ask(b"ATTACH 't' AS t;"), "a statement that writes")
    # A statement over several lines.
    sh.type(b"SELECT\n")
    sh.wait(MORE)
    must(b"42" in sh.ask(b"42 AS n;"), "a statement over two lines")
    must(sh.ask(b".mode jsonl") == b"", ".mode")
    must(b'{"n":42}' in sh.ask(b"SELECT 42 AS n;"), "JSON")
    # Completion: a table, then a column of it, by the key of the tabulator.
    sh.type(b"SELECT count(*) > 5 AS n FROM sched_swi\t WHERE next_co\t <> '';\n")
    out = sh.wait(PROMPT)
    must(b"sched_switch WHERE next_comm" in out and b'{"n":1}' in out, f"completion: {out}")
    # Ctrl-C drops a line that is typed, and ends a query.
    sh.type(b"SELECT nonsense ")
    sh.wait(b"nonsense ")
    sh.type(b"\x03")
    sh.wait(PROMPT)
    sh.type(b"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
            b"SELECT count(*) FROM n, n AS m;\n")
    sh.wait(b"m;")
    time.sleep(0.5)
    start = time.monotonic()
    sh.type(b"\x03")
    must(b"interrupted" in sh.wait(PROMPT), "Ctrl-C ends a query")
    must(time.monotonic() - start < 30, "Ctrl-C takes long")
    must(b'{"n":1}' in sh.ask(b"SELECT 1 AS n;"), "a query after Ctrl-C")
    sh.type(b".quit\n")
    must(sh.end() == 0, ".quit")
    with open(history, "rb") as f:
        lines = f.read().split(b"\n")
    must(b"SELECT 3 + 4 AS seven;" in lines and b".quit" in lines, f"the history: {lines}")
    must(os.stat(history).st_mode & 0o777 == 0o600, "the history can be read by others")
    # The next session has it: the key that goes up.
    sh = Shell(tdat, "sql", path, TDAT_HISTORY=history)
    sh.wait(PROMPT)
    sh.type(b"\x10\x10\n")  # Ctrl-P twice: not .quit, but the line before it
    must(re.search(rb"\n *1\n", sh.wait(PROMPT)), "the history of the session before")
    sh.type(b"\x04")
    must(sh.end() == 0, "Ctrl-D")
    # A long query shows how many rows were read, on a terminal that can be written over.
    sh = Shell(tdat, "sql", path, "SELECT count(*) FROM events a, events b, events c", TERM="xterm")
    sh.wait(b"reading: ")
    must(re.search(rb"^[1-9][0-9]* rows", sh.wait(b"/s")), "the progress of a query")
    sh.type(b"\x03")
    must(sh.end() == -signal.SIGINT, "Ctrl-C ends the program")
    print("typed")


if __name__ == "__main__":
    main()
