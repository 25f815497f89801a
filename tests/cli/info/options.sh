# SPDX-License-Identifier: GPL-2.0-or-later
# What lies in the options: as text with -v, as JSON always.
# Expectation: made by tdat, proves only that nothing changed
"$TDAT" info -v "$FIXTURES/valid/x64-61-v7-none-tiny.dat" | sed -n '/^  Options *[0-9]* *$/,$p' | tail -n +2
"$TDAT" info --json "$FIXTURES/valid/x64-61-v7-none-tiny.dat" |
	jq -c '.[0].options[] | select(.name == "BUFFER" or .name == "TRACECLOCK" or .name == "CPUCOUNT") | [.name, .value]'
