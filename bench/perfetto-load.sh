#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Processor time that Perfetto's trace processor (as WebAssembly: tests/perfetto/trace-processor) takes to load
# an exported file, its memory, and how many events arrive.
# usage: bench/perfetto-load.sh TDAT [FILE.dat] [EXPORT_OPTION]...
#   FILE.dat may also be an .xz; without a file the shared big/mixed.dat.xz is used.
set -eu

tdat=${1:?usage: perfetto-load.sh TDAT [FILE.dat] [EXPORT_OPTION]...}
# shellcheck source=bench/lib.sh
. "$(dirname "$0")/lib.sh"
input "${2:-}"
[ $# -lt 2 ] && shift || shift 2
root=$(cd "$(dirname "$0")/.." && pwd)
venv=$("$root/scripts/python-venv" perfetto)
program=$("$root/tests/perfetto/trace-processor")
"$tdat" export --to perfetto -q -f "$@" -o "$tmp/out.pftrace" "$file"
"$venv/bin/python" - "$root/tests/perfetto" "$program" "$tmp/out.pftrace" <<'END'
import os, sys
sys.path.insert(0, sys.argv[1])
from processor import Processor
processor = Processor(os.path.join(sys.argv[1], "trace_processor.js"), sys.argv[2])
version = processor.status().version_code
def seconds():
    with open(f"/proc/{processor.process.pid}/stat", encoding="ascii") as f:
        user, system = f.read().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
start = seconds()
processor.load(sys.argv[3])
spent = seconds() - start
(events,), = processor.query("select count(*) from ftrace_event")
with open(f"/proc/{processor.process.pid}/status", encoding="ascii") as f:
    peak = next(int(line.split()[1]) for line in f if line.startswith("VmHWM"))
print(f"{version}: {os.path.getsize(sys.argv[3])} bytes, {events} events in {spent:.1f} s, {peak // 1024} MiB")
bad = processor.query("select name, value from stats where value != 0 and severity != 'info'")
print(f"stats that are not right: {bad}")
processor.close()
END
