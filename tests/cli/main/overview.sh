# SPDX-License-Identifier: GPL-2.0-or-later
# A file without a command: what it is, and what to ask.
# Expectation: by hand from tdat info and tdat stat; the commands are those that have rows for it.
cp "$FIXTURES/valid/i386-61-v7-buffers.dat" a.dat
"$TDAT" a.dat
"$TDAT" a.dat | grep -o 'tdat [a-z].*a.dat' | grep -v view >commands
while read -r line; do
	[ "$(eval "\"\$TDAT\" ${line#tdat }" 2>/dev/null | wc -l)" -gt 3 ] || echo "nothing: $line"
done <commands
head -c 30000 a.dat >cut.dat
"$TDAT" cut.dat | tail -n 5
"$TDAT" a.dat --json | jq -c '.[0] | [.events, .cpus, .damaged]'
