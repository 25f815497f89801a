# SPDX-License-Identifier: GPL-2.0-or-later
"""The main job of the static program, with ROOT as its root folder, and without the system calls that are newer
than Linux 4.4: a filter answers ENOSYS to them, as that kernel would. Needs root, for chroot.

usage: old_kernel.py [--emulator PROGRAM] ROOT    PROGRAM in ROOT runs those of another processor
"""
import ctypes
import errno
import json
import os
import pathlib
import platform
import subprocess
import sys
import urllib.request

# The first system call of Linux 4.5, copy_file_range, by the machine that this runs on.
FIRST_NEW = {"x86_64": 326, "aarch64": 285}[platform.machine()]
STATX = {"x86_64": 332, "aarch64": 291}[platform.machine()]

emulator = [sys.argv[2]] if sys.argv[1] == "--emulator" else []
root = pathlib.Path(sys.argv[-1]).resolve()
libc = ctypes.CDLL(None, use_errno=True)


class Filter(ctypes.Structure):
    _fields_ = [("code", ctypes.c_ushort), ("jt", ctypes.c_ubyte), ("jf", ctypes.c_ubyte), ("k", ctypes.c_uint)]


class Program(ctypes.Structure):
    _fields_ = [("len", ctypes.c_ushort), ("filter", ctypes.POINTER(Filter))]


# Loads the number of the call; if it is a new one, the answer is ENOSYS, else all is allowed.
RULES = (Filter * 4)(Filter(0x20, 0, 0, 0), Filter(0x35, 0, 1, FIRST_NEW),
                     Filter(0x06, 0, 0, 0x00050000 | errno.ENOSYS), Filter(0x06, 0, 0, 0x7fff0000))
PROGRAM = Program(len(RULES), RULES)


def enter():
    """In the child: ROOT, and the kernel of then."""
    os.chroot(root)
    os.chdir("/out")
    assert libc.prctl(38, 1, 0, 0, 0) == 0  # PR_SET_NO_NEW_PRIVS
    assert libc.prctl(22, 2, ctypes.byref(PROGRAM), 0, 0) == 0  # PR_SET_SECCOMP
    # That the filter filters.
    assert libc.syscall(STATX, -1, 0, 0, 0, 0) == -1 and ctypes.get_errno() == errno.ENOSYS


def start(*args):
    return subprocess.Popen([*emulator, *args], preexec_fn=enter, env={}, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def run(*args, status=0):
    # The kernel of this machine does not start the program behind "tdat view" under an emulator.
    view = emulator and args[0] == "view"
    done = start("/libexec/tdat/tdat-view", *args[1:]) if view else start("/bin/tdat", *args)
    out, err = (text.decode() for text in done.communicate())
    assert done.returncode == status, (args, done.returncode, out[-500:], err[-500:])
    return out, err


def one(sql):
    out, _ = run("sql", "--csv", "/in/trace.dat", sql)
    return out.split()[-1]


version, _ = run("--version")
assert version.splitlines()[1:] == ["built without plugins of libtraceevent (TDAT_PLUGINS)",
                                    "built without user-events record (TDAT_RECORD)"], version
rows = int(one("SELECT count(*) FROM sched_switch"))
assert rows > 100
out, _ = run("/in/trace.dat")
assert "Damage   none" in out
assert json.loads(run("info", "--json", "/in/trace.dat")[0])[0]["version"] == 7
plain, _ = run("report", "/in/trace.dat")
assert plain.count(" sched_switch:") == rows
run("check", "/in/trace.dat")
for command in ("latency", "profile", "stat", "why"):
    assert run(command, "/in/trace.dat")[0]
for packed in ("packed.gz", "packed.tar"):
    assert run("report", f"/in/{packed}")[0] == plain, packed
for form, name in (("parquet", "tables"), ("sqlite", "out.sqlite"), ("perfetto", "out.pftrace")):
    run("export", "--to", form, "-o", name, "/in/trace.dat")
    assert (root / "out" / name).exists()
run("repair", "-o", "whole.dat", "/in/trace.dat")
run("check", "whole.dat")
# With the strings of its kernel, an ELF file; one argument points to memory that was not recorded.
_, err = run("convert", "-o", "ktr.dat", "/in/ktr", status=1)
assert err.splitlines()[0] == "tdat: 1 string argument not resolved" and "6 events" in err, err
_, err = run("dump", "--plugin-dir", "/in", "/in/trace.dat", status=1)
assert "built without plugins" in err
_, err = run("user-events", "record", "-o", "u.dat", "--", "/bin/tdat", status=1)
assert "built without user-events record (TDAT_RECORD=OFF)" in err, err
run("view", "-o", "picture.html", "/in/trace.dat")
assert "<html" in (root / "out/picture.html").read_text()
view = ["/libexec/tdat/tdat-view"] if emulator else ["/bin/tdat", "view"]
with start(*view, "--no-browser", "/in/trace.dat") as server:
    try:
        with urllib.request.urlopen(server.stdout.readline().decode().strip()) as page:
            size = len(page.read())
            assert page.status == 200 and size > 100000
    finally:
        server.terminate()
names = sorted(str(p.relative_to(root)) for p in root.glob("share/man/man*/tdat*"))
assert len(names) > 20 and (root / "share/bash-completion/completions/tdat").exists(), names
print(f"{version.splitlines()[0]}: {rows} rows, {size} bytes of page, {len(names)} manual pages")
