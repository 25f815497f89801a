# SPDX-License-Identifier: GPL-2.0-or-later
# JSON of every fixture is valid.
# Expectation: jq parses the JSON of every file
for f in "$FIXTURES"/valid/*.dat; do
	"$TDAT" info --json -v --count "$f" >out.json
	jq -e ".[0].version" out.json >/dev/null || { echo "$f"; exit 1; }
done
