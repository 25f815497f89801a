# SPDX-License-Identifier: GPL-2.0-or-later
# The stack of a synthetic event has the functions of the event's text in JSON and in tables, too.
# Expectation: compared here with the text, which is made without columns; the number of lines was made by tdat
f=$FIXTURES/hist/x64-612-offstack/trace.dat
"$TDAT" dump -e synthetic/block_lat "$f" | awk '/: [a-z_]+: /{ on = /: block_lat:/ } on' |
	sed -nE 's|^(.*stack=)?=> ([^ (/]+)(/0x[0-9a-f]+)?$|\2|p' >want
"$TDAT" dump --json -e synthetic/block_lat "$f" | grep '"event":"block_lat"' >events
sed -E 's/.*"stack_sym":\[([^]]*)\].*/\1/' events | tr , '\n' | tr -d '"' >got
"$TDAT" sql --csv "$f" "SELECT value FROM block_lat, json_each(stack_sym)" | tr -d '\r' | sed 1d >sql
wc -l <got
cmp got want
cmp sql want
