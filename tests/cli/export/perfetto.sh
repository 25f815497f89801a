# SPDX-License-Identifier: GPL-2.0-or-later
# The exporter perfetto writes one file, which is replaced with --force only.
# Expectation: compared here: as many events as dump has; the first byte is what Perfetto needs; by hand
f=$FIXTURES/valid/i386-61-v7-buffers.dat
run() {
	"$TDAT" export --to perfetto "$@" 2>&1 && echo "exit 0" || echo "exit $?"
}
"$TDAT" dump --json "$f" | wc -l
run -o a.pftrace "$f"
run -o a.pftrace "$f"
run -q -f -o a.pftrace --threads 3 "$f"
"$TDAT" export --to perfetto "$f" | cmp - a.pftrace && echo same
head -c 1 a.pftrace | od -An -tx1
run -o b.pftrace --table tasks "$f"
run -o b.pftrace -O no-such=1 "$f"
run -o b.pftrace -e sched_switch --cpu 77 "$f"
run -o "$PWD/missing/b.pftrace" "$f" | sed "s|$PWD|PWD|"
ls -A
