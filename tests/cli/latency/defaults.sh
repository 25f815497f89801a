# SPDX-License-Identifier: GPL-2.0-or-later
# Tables have columns of their own to tell of; one without rows says so; names of files are quoted.
# Expectation: by hand; that the numbers are right is what tests/analysis/latency.py compares
markers=$FIXTURES/valid/i386-61-markers.dat
for table in timer workqueue kvm slice counter latency_sample page_fault block_io syscall; do
	echo "$table: $("$TDAT" latency --table "$table" --csv "$markers" 2>/dev/null | sed -n '1s/,count.*//p')"
	"$TDAT" latency --table "$table" "$markers" 2>/dev/null | sed -n 2p || echo "exit $?"
done
"$TDAT" latency --table irq "$markers" || echo "exit $?"
# The command that shows a row is one that a shell takes.
cp "$FIXTURES/valid/i386-61-v6-sched.dat" "it's one.dat"
"$TDAT" latency --worst 1 "it's one.dat" | sed -n 's/^ *tdat dump/tdat dump/p' >command
cat command
(PATH=$(dirname "$TDAT"):$PATH && sh ./command | sed -n 's/^cpus=/CPUs: /p')
# What a table is about can be asked for by a word.
"$TDAT" latency --by what --table wakeup,thread_state --json "it's one.dat" >what
"$TDAT" latency --table wakeup,thread_state --json "it's one.dat" | cmp - what
