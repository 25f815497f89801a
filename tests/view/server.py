#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the server of tdat view lets others do: token, Host, methods, headers, lengths, questions
that make no sense, two clients at once, a client that stops reading, and how it ends.

usage: server.py TDAT FILE [REQUESTS]
REQUESTS: how many to send one after the other.
"""
import base64
import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from client import View


def is_how(v, err):
    """Whether nothing was said but how to end the program and to reach it by ssh."""
    return (err.startswith("Press Ctrl-C to stop. ") and err.count("\n") == 1 and
            f"ssh -N -L {v.port}:127.0.0.1:{v.port} " in err)


tdat, file = sys.argv[1:3]
many = int(sys.argv[3]) if len(sys.argv) > 3 else 200
bad = []


def check(ok, what):
    if not ok:
        bad.append(what)


def status(view, path, **kwargs):
    return view.request(path, **kwargs)[0]


def first_answers(page):
    text = page.split('<script type="application/json" id="tdat-data">')[1].split("</script")[0]
    return json.loads(text)["live"]


with View(tdat, file) as v:
    v.ready()
    own = v.path + "api/trace"
    check(len(v.path) == 34 and v.host == "127.0.0.1", f"the address is {v.address}")

    # The secret part.
    token = v.path.strip("/")
    other = ("0" if token[0] != "0" else "1") + token[1:]
    for path in ("/", "/api/trace", f"/{other}/api/trace", f"/{token[:-1]}/api/trace", f"/{token}x/",
                 f"/{token}", f"//{token}/api/trace", f"/{token.upper()}X/api/trace"):
        check(status(v, path) == 404, f"{path} is not 404")

    # Who is asked: other names are other machines', as after DNS rebinding.
    for host, want in (("evil.example", 403), (f"evil.example:{v.port}", 403), ("", 403),
                       (f"127.0.0.1.evil.example:{v.port}", 403), ("localhost:8000", 200),
                       ("LOCALHOST", 200), ("[::1]:1", 200), ("127.0.0.1:x", 403)):
        got = status(v, own, headers={"Host": host})
        check(got == want or (not host and got == 400), f"Host {host}: {got}, not {want}")

    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
        got, headers, _ = v.request(own, method=method)
        check(got == 405 and headers["Allow"] == "GET, HEAD", f"{method}: {got}")
    got, headers, body = v.request(own, method="HEAD")
    check(got == 200 and not body and int(headers["Content-Length"]) > 100, "HEAD")

    # Headers of all answers, also of failures and of the page.
    for path in (own, v.path, v.path + "nothing", "/", v.path + "api/nothing", v.path + "index.html"):
        _, headers, _ = v.request(path)
        check("default-src 'none'" in headers["Content-Security-Policy"] and
              "'unsafe" not in headers["Content-Security-Policy"] and
              headers["X-Content-Type-Options"] == "nosniff" and
              headers["Referrer-Policy"] == "no-referrer" and
              headers["Cache-Control"] == "no-store" and
              "Access-Control-Allow-Origin" not in headers, f"headers of {path}")
    for name in ("", "index.html"):
        got, headers, body = v.request(v.path + name)
        check(got == 200 and headers["Content-Type"] == "text/html; charset=utf-8",
              f"the page '{name}': {got}")
        page = body.decode()
        for kind, tag in (("script-src", '<script type="module">'), ("style-src", "<style>")):
            inside = page.split(tag)[1].split("</" + tag[1:].split()[0].rstrip(">"))[0]
            digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
            check(f"{kind} 'sha256-{digest}';" in headers["Content-Security-Policy"],
                  f"{kind} allows something else than the page has")
        check(first_answers(page)["trace"] == v.get("trace"), "the answers in the page")
    for name in ("../cli/main.c", "%2e%2e/main.js", "main.js/", "api"):
        check(status(v, v.path + name) == 404, f"{name} is not 404")

    # Lengths, and questions that make no sense.
    check(status(v, own + "?" + "x" * 17000) == 413, "a query of 17,000 bytes is not 413")
    for question in ("trace?x=1", "picture?width=0", "picture?width=x", "picture?rows=nothing:0:0",
                     "picture?rows=cpu:0", "picture?from=9&to=1", "picture?from=-1",
                     "picture?from=99999999999999999999", "tasks?limit=10001", "picture?a%00b=1",
                     "picture?from=%g0", "events?at=x", "events?count=1001", "event", "event?key=1:2",
                     "events?filter=no_such_event%3A+x+%3D%3D", "search?dir=up", "events?cpus=a",
                     "events?cpus=3-1", "events?pids=", "events?pids=99999999999"):
        got, _, body = v.request(f"{v.path}api/{question}")
        check(got == 400 and b'"error"' in body, f"{question}: {got} {body[:100]}")
    check(status(v, v.path + "api/nothing") == 404, "api/nothing is not 404")
    check(v.ask("event", key="1:0:0:1:0")[0] == 404, "an event that is not there is not 404")
    for text, at in (("sched_switch: nofield == 1", 14), ("sched_switch: next_pid == (1", 28)):
        status_of, answer = v.ask("events", filter=text)
        check((status_of, answer.get("at")) == (400, at), f"{text}: {status_of} {answer}")
    # The error of a pair quotes what was asked, and counts its columns; stacks have no lines to search.
    while (answer := v.ask("flame", contains="sh")[1]).get("pending"):
        time.sleep(0.02)
    check(answer.get("error") == "the parameter contains selects lines of events, not stacks", f"contains: {answer}")
    for text, want in (("x -> y", 'pair "x -> y": expected SYSTEM/EVENT at column 2'),
                       ("a/b(c) -> d", 'pair "a/b(c) -> d": expected SYSTEM/EVENT at column 12'),
                       ("a/b(c) -> d/e(c)", 'pair "a/b(c) -> d/e(c)": there is no event a/b')):
        while (answer := v.ask("pair", pair=text)[1]).get("pending"):
            time.sleep(0.02)
        check(answer.get("error") == want, f"{text}: {answer}")
    # Cells of ticks have their last moment in t1, also where they are made of bins of the index.
    with View(tdat, file, args=("--read-always", "1")) as bins:
        cells = bins.get("picture", rows="events:0:0", width=16)["rows"][0]["cells"]
        check(len(cells) > 2 and all(a[1] < b[0] for a, b in zip(cells, cells[1:])),
              f"cells of ticks overlap: {cells}")
    check(v.ask("picture", rows=["cpu:%d:0" % i for i in range(257)])[0] == 413, "257 rows")
    check(v.get("picture", rows="cpu:0:4000000000")["rows"][0]["cells"] == [], "a CPU that is not there")

    # Two clients at once get the same as one.
    t = v.get("trace")
    keys = ["cpu:%d:%d" % (r, c["cpu"]) for r, rec in enumerate(t["recordings"]) for c in rec["cpus"]]
    want = v.get("picture", rows=keys, width=500)
    wrong = []

    def client():
        c = v.connect()
        for _ in range(50):
            if v.ask("picture", connection=c, rows=keys, width=500) != (200, want):
                wrong.append(1)
        c.close()

    threads = [threading.Thread(target=client) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(not wrong, "two clients at once get other answers")

    # Clients that ask and do not read keep nobody else from answers.
    stuck = []
    for _ in range(8):
        s = socket.create_connection((v.host, v.port))
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        for _ in range(50):
            s.setblocking(False)
            try:
                s.send(f"GET {v.path}api/trace HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            except OSError:
                break
        stuck.append(s)
    check(v.get("trace") == t, "beside clients that do not read")
    with open(f"/proc/{v.process.pid}/status", encoding="utf-8") as f:
        peak = [int(line.split()[1]) for line in f if line.startswith("VmHWM")][0]
    if not os.environ.get("ASAN_OPTIONS"):
        check(peak < 256 << 10, f"the server took {peak} KiB")
    for s in stuck:
        s.close()
    code, err = v.stop()
    check(code == 0 and is_how(v, err), f"Ctrl-C: exit status {code}, {err}")

for by in (signal.SIGTERM, signal.SIGHUP):
    with View(tdat, file) as v:
        code, err = v.stop(by)
        check(code == 0 and is_how(v, err), f"{by}: exit status {code}, {err}")

# A file that another program shortens: a message, and the server goes on.
with tempfile.TemporaryDirectory() as folder:
    copy = os.path.join(folder, "<b>cut<i>\x1b[31m.dat")
    shutil.copy(file, copy)
    with View(tdat, copy) as v:
        v.ready()
        before = v.get("events", count=1000)
        name = v.get("trace")["files"][0]["name"]
        check(name == os.path.basename(copy), f"the name of the file is {name}")
        page = v.request(v.path)[2].decode()
        check(first_answers(page)["trace"] == v.get("trace") and "<b>cut" not in page,
              "the answers in the page of a file with a hostile name")
        os.truncate(copy, os.path.getsize(copy) // 2)
        for question in ("events?count=1000", "picture?rows=cpu:0:0&rows=task:0:1", "stats?latency=1",
                         "search?events=*"):
            got, _, body = v.request(f"{v.path}api/{question}")
            check(got in (200, 500) and body.startswith(b"{"), f"cut: {question}: {got} {body[:200]}")
        os.unlink(copy)
        check(v.ask("trace")[0] == 200, "after the file was cut and deleted")
        check(v.process.poll() is None, "the server ended when its file was cut")
        code, err = v.stop()
        check(code == 0, f"cut: exit status {code}, {err}")

# What is wrong with a filter, and how it can go on.
with View(tdat, file) as v:
    answer = v.get("filter", text="sched_switch: next_p")
    check({"next_pid", "next_prio"} <= set(answer["candidates"]) and answer["from"] == 14,
          f"completion: {answer}")
    answer = v.get("filter", text="sched_sw")
    check(answer["candidates"] == ["sched_swap_numa", "sched_switch"] and not answer["ok"], f"completion: {answer}")
    answer = v.get("filter", text="sched_switch: next_pid == 1")
    check(answer["ok"] and "error" not in answer, f"a filter that is right: {answer}")
    answer = v.get("filter", text="sched_switch: next_pid ==")
    check(not answer["ok"] and answer["error"], f"a filter that is wrong: {answer}")
    for _ in range(many // 100):
        c = v.connect()
        c.connect()
        kept = c.sock
        for i in range(100):
            got, _ = v.ask("picture", connection=c, rows="cpu:0:0", width=1 + i)
            check(got == 200 and c.sock is kept, f"request {i}: {got}, kept: {c.sock is kept}")
        c.close()

# Clients without the token hold nothing: they have seconds for a request, and the oldest go first.
def is_ended(s, seconds):
    s.settimeout(seconds)
    try:
        return s.recv(1 << 16) == b""
    except ConnectionError:
        return True
    except TimeoutError:
        return False


with View(tdat, file) as v:
    page = v.connect()
    check(v.ask("trace", connection=page)[0] == 200, "a connection with the token")
    kept = page.sock
    # A body says nothing, and the request behind it is answered.
    page.request("GET", v.path + "api/progress", body=b"x" * 100000)
    check(page.getresponse().read().startswith(b'{"done"') and page.sock is kept, "a request with a body")
    # New strangers end older ones, not a connection with the token.
    for _ in range(10):
        burst = [socket.create_connection((v.host, v.port)) for _ in range(30)]
        check(v.ask("progress", connection=page)[0] == 200 and page.sock is kept, "in a burst of strangers")
        for s in burst:
            s.close()
    strangers = [socket.create_connection((v.host, v.port)) for _ in range(80)]
    for s in strangers:
        try:
            s.sendall(b"GET / HTTP/1.1\r\nX: ")
        except OSError:
            pass
    start = time.monotonic()
    for _ in range(10):
        check(v.ask("trace")[0] == 200, "beside clients that do not end their request")
    check(time.monotonic() - start < 4, f"the page waited {time.monotonic() - start} s for strangers")
    # One that sends a byte now and then has no more time than the others.
    while time.monotonic() - start < 5.5:
        time.sleep(0.5)
        for s in strangers:
            try:
                s.send(b"x")
            except OSError:
                pass
    check(sum(is_ended(s, 3) for s in strangers) == len(strangers), "strangers are ended after seconds")
    check(v.ask("trace", connection=page)[0] == 200 and page.sock is kept, "a connection with the token stays")
    check(v.request("/wrong/", connection=page)[0] == 404 and page.sock is None, "a wrong token ends it")
    # Clients with the token cannot keep all connections.
    held = [v.connect() for _ in range(60)]
    for c in held:
        check(v.ask("progress", connection=c)[0] == 200, "one of many connections with the token")
    check(sum(c.sock is not None for c in held) == 16, "16 connections stay open")
    check(v.ask("trace")[0] == 200, "beside them")
    for c in held:
        c.close()
    s = socket.create_connection((v.host, v.port))
    s.sendall(b"GET /wrong/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
    time.sleep(0.2)
    got = s.recv(1 << 16)
    check(got.startswith(b"HTTP/1.1 404") and b"Connection: close" in got and is_ended(s, 3),
          f"a wrong token: {got[:300]}")

# Other pages may show it in a frame only where that was asked for.
for args, wanted in (((), True), (("--in-frame",), False)):
    with View(tdat, file, args=args) as v:
        _, headers, _ = v.request(v.path)
        check(("frame-ancestors 'none'" in headers["Content-Security-Policy"]) == wanted, f"frames: {headers}")

# The browser gets a file that leads to the page, so that the token is in no arguments.
with tempfile.TemporaryDirectory() as folder:
    browser = os.path.join(folder, "xdg-open")
    with open(browser, "w", encoding="ascii") as f:
        f.write(f'#!/bin/sh\nstat -c %a "$1" >{folder}/mode\ncat "$1" >{folder}/page\n'
                f'echo "$1" >{folder}/path\nexit $(cat {folder}/fails)\n')
    os.chmod(browser, 0o755)
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER",
                                                            "SSH_CONNECTION", "XDG_RUNTIME_DIR")}

    def opened(more, fails=0, opens=False):
        with open(f"{folder}/fails", "w", encoding="ascii") as f:
            f.write(str(fails))
        server = subprocess.Popen([tdat, "view", file], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, env={**env, "TMPDIR": folder, **more})
        address = server.stdout.readline().strip()
        end = time.monotonic() + 5
        while opens and not os.path.exists(f"{folder}/path") and time.monotonic() < end:
            time.sleep(0.02)
        err = ""
        while not opens and "tdat: " not in err and (line := server.stderr.readline()):
            err += line
        arguments = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as f:
                    arguments.append(f.read())
            except OSError:
                pass
        check(not any(address.rsplit("/", 2)[1].encode() in one for one in arguments),
              "the token is in the arguments of a process")
        server.send_signal(signal.SIGINT)
        err += server.stderr.read()
        check(server.wait(60) == 0, f"with a browser: {err}")
        return address, err

    path = {"PATH": f"{folder}:{os.environ['PATH']}"}
    address, err = opened({**path, "DISPLAY": ":9"}, opens=True)
    with open(f"{folder}/page", encoding="utf-8") as f:
        page = f.read()
    with open(f"{folder}/mode", encoding="ascii") as f:
        check(f.read().strip() == "600", "others can read the file for the browser")
    check(f'url={address}"' in page, f"the file for the browser: {page}")
    with open(f"{folder}/path", encoding="utf-8") as f:
        left = f.read().strip()
    check(left.startswith(f"{folder}/tdat-view-") and left.endswith(".html"), f"the file {left}")
    check(not os.path.exists(left), "the file for the browser stays")
    check("no browser" not in err, f"a browser that opens: {err}")
    check("xdg-open failed (3)" in opened({**path, "DISPLAY": ":9"}, fails=3)[1], "a browser that fails")
    check("xdg-open is missing" in opened({"PATH": folder + "/none", "DISPLAY": ":9"})[1], "no xdg-open")
    err = opened({**path, "SSH_CONNECTION": "10.0.0.1 4 10.0.0.2 22", "USER": "me"})[1]
    check("no display (ssh)" in err and " me@10.0.0.2 and open the address" in err, f"ssh: {err}")

# Each run has a token of its own.
with View(tdat, file) as v, View(tdat, file) as w:
    check(v.path != w.path, "two servers have the same token")
    taken = subprocess.run([tdat, "view", "--no-browser", "--port", str(w.port), file],
                           capture_output=True, text=True, check=False)
    check(taken.returncode == 1 and "cannot listen" in taken.stderr, "a port that is taken")

print("\n".join(bad) or "all as it should be")
sys.exit(1 if bad else 0)
