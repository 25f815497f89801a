# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs tdat view and asks it questions; nothing but Python's own library is needed."""
import http.client
import json
import signal
import subprocess
import time
import urllib.parse


class View:
    def __init__(self, tdat, *files, args=()):
        self.process = subprocess.Popen([tdat, "view", "--no-browser", *args, *files],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.address = self.process.stdout.readline().decode().strip()
        if not self.address:
            raise RuntimeError(self.process.stderr.read().decode())
        url = urllib.parse.urlsplit(self.address)
        self.host, self.port, self.path = url.hostname, url.port, url.path

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()

    def connect(self):
        return http.client.HTTPConnection(self.host, self.port, timeout=60)

    def request(self, path, method="GET", headers=None, connection=None):
        """Status, headers and body of a path that begins with a slash."""
        c = connection or self.connect()
        c.putrequest(method, path, skip_host=headers is not None and "Host" in headers)
        for name, value in (headers or {}).items():
            c.putheader(name, value)
        c.endheaders()
        r = c.getresponse()
        body = r.read()
        if not connection:
            c.close()
        return r.status, r.headers, body

    def ask(self, question, connection=None, **params):
        """The status and the JSON of an answer."""
        query = "?" + urllib.parse.urlencode(params, doseq=True) if params else ""
        status, headers, body = self.request(f"{self.path}api/{question}{query}",
                                             connection=connection)
        if headers["Content-Type"] != "application/json; charset=utf-8":
            raise AssertionError(headers["Content-Type"])
        return status, json.loads(body)

    def get(self, question, **params):
        """The JSON of an answer that is complete."""
        end = time.monotonic() + 120
        while True:
            status, answer = self.ask(question, **params)
            if status != 200:
                raise AssertionError(f"{question} {params}: {status} {answer}")
            parts = [answer, answer.get("wakeups")] + answer.get("rows", [])
            if not any(p.get("pending") or p.get("partial") for p in parts if isinstance(p, dict)):
                return answer
            if time.monotonic() > end:
                raise AssertionError(f"{question} {params}: not complete after 120 s")
            time.sleep(0.02)

    def ready(self):
        while not self.get("progress")["ready"]:
            time.sleep(0.01)

    def stop(self, by=signal.SIGINT):
        """The exit status, and what was said on standard error."""
        self.process.send_signal(by)
        err = self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()
        return self.process.wait(60), err


def rows(table):
    """The cells of a row of a picture as dictionaries."""
    return [dict(zip(table["columns"], cell)) for cell in table["cells"]]
