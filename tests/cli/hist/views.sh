# SPDX-License-Identifier: GPL-2.0-or-later
# Tables and JSON hold what the kernel's text holds.
# Expectation: made by tdat, proves only that nothing changed
f=$FIXTURES/hist/x64-612-edge
"$TDAT" hist --table --setup "$f/setup.txt" "$f/trace.dat" | head -n 60
"$TDAT" hist --json --setup "$f/setup.txt" "$f/trace.dat" >json
jq -c '.triggers[6].entries[0], (.triggers | length), (.triggers[] | [.event, .hits, .dropped])' json
