#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures KernelShark, without a screen, on a file: how long it works until its first picture stands,
and the most memory it had resident. Its window is never complete before it has read all events, so
the time is that of its last work; it needs the packages kernelshark and xvfb.

With a program and a browser it measures tdat view in the same run, by turns: the time from the command until the
rows of CPUs and the overview of all events stand (as in KernelShark's first picture), the time until the rows of tasks,
calls and counters that KernelShark does not have stand too, and the memory of the server and of the tab; and how
KernelShark's are to the first and the last.

usage: kernelshark.py FILE [TDAT CHROMIUM]
"""
import json
import os
import subprocess
import sys
import tempfile
import time

TICKS = os.sysconf("SC_CLK_TCK")


def used(pid):
    """Seconds of processor time of a process, and its highest resident set in MiB."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    with open(f"/proc/{pid}/status", encoding="utf-8") as f:
        peak = next(int(line.split()[1]) for line in f if line.startswith("VmHWM"))
    return (int(fields[11]) + int(fields[12])) / TICKS, peak / 1024


def work(args, display, home):
    """Seconds until the program has worked for nothing more than drawing again for a second."""
    env = dict(os.environ, DISPLAY=display, HOME=home, QT_QPA_PLATFORM="xcb", XDG_RUNTIME_DIR=home)
    start = time.monotonic()
    # To root it shows a warning, and nothing else before that is closed.
    user = ["setpriv", "--reuid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    p = subprocess.Popen([*user, "kernelshark", *args], env=env, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL)
    last, busy, peak = 0.0, start, 0.0
    while time.monotonic() - busy < 1.5 and p.poll() is None:
        time.sleep(0.02)
        now, peak = used(p.pid)
        if now - last >= 0.02:
            last, busy = now, time.monotonic()
    p.kill()
    p.wait()
    return busy - start, peak


def view(tdat, chromium, path):
    """Seconds from the commands to CPUs and overview, and to all rows; MiB of the server and of the tab together."""
    page = os.path.join(os.path.dirname(os.path.abspath(__file__)), "view_page.mjs")
    done = subprocess.run(["node", page, chromium, "--command", tdat, path], check=True, capture_output=True, text=True)
    found = json.loads(done.stdout)
    return (found["overview_from_command"] / 1e3, found["from_command"] / 1e3,
            (found["server"] + found["tab_own"]) / 2**20)


file = os.path.abspath(sys.argv[1])
display = f":{90 + os.getpid() % 100}"
with tempfile.TemporaryDirectory() as home:
    os.chmod(home, 0o777)
    x = subprocess.Popen(["Xvfb", display, "-screen", "0", "1400x860x24"], stderr=subprocess.DEVNULL)
    time.sleep(1)
    try:
        empty = work([], display, home)
        for _ in range(3):
            seconds, peak = work(["-i", file], display, home)
            print(f"kernelshark      {seconds:8.2f} s with its start, {seconds - empty[0]:.2f} s more than "
                  f"without a file, {peak:.0f} MiB")
            if len(sys.argv) == 4:
                own, rows, memory = view(sys.argv[2], sys.argv[3], file)
                print(f"tdat view        {own:8.2f} s with the start of a browser ({rows:.2f} s with all rows), "
                      f"{memory:.0f} MiB of server and tab; "
                      f"KernelShark {seconds / own:.1f} times the time, {peak / memory:.1f} times the memory")
    finally:
        x.terminate()
        x.wait()
