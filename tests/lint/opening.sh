#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each file of code opens, behind its licence line, with a comment that begins with a whole
# sentence, which says what the file is for: in C with a capital letter first and a period last,
# in scripts, modules and build files with a period last. Sources of C with more than 100 lines have
# an opening of at least three lines: what the file does, its input and output, what always holds.
# usage: opening.sh SOURCE_DIR
set -eu
cd "$1"
files=$(find lib formats include sql duckdb python user-events view cli tests fuzz bench examples scripts \
	-name '*.[ch]' ! -path '*/fixtures/*' | sort)
count=$(echo "$files" | wc -l)
[ "$count" -gt 200 ] || { echo "only $count files found"; exit 1; }

# A sentence may go over several lines, and ends with a period before a blank, the end of the
# paragraph or the end of the comment.
# shellcheck disable=SC2086
awk '
	function judge() {
		if (file == "" || judged)
			return
		judged = 1
		if (text !~ /^[A-Z]/)
			complain("the opening comment does not start with a capital letter")
		else if (text !~ /\.( |$)/)
			complain("the first sentence of the opening comment does not end with a period")
	}
	function complain(what) {
		print file ":2: " what ": " substr(text, 1, 60)
		bad = 1
	}
	FNR == 1 { judge(); file = FILENAME; judged = 0; text = ""; next }
	judged { next }
	FNR == 2 && !/^\/\*/ { text = $0; judged = 1; complain("no opening comment"); next }
	{
		line = $0
		end = line ~ /\*\//
		sub(/^\/\*/, "", line)
		sub(/\*\/.*/, "", line)
		sub(/^[ \t]*\*?[ \t]*/, "", line)
		sub(/[ \t]*$/, "", line)
		if (line != "")
			text = text (text == "" ? "" : " ") line
		if (end || (line == "" && text != "") || (FNR > 2 && text == ""))
			judge()
	}
	END { judge(); exit bad }
' $files

# Programs of the tests and tables of generated rows need no more than their sentence.
long=$(echo "$files" | grep -E '^(lib|formats|sql|duckdb|python|user-events|view|cli)/.*\.c$' | grep -v '_table\.c$')
# shellcheck disable=SC2086
awk '
	function judge() {
		if (file != "" && lines > 100 && opening < 3) {
			print file ":2: " lines " lines, and an opening of " opening + 0
			bad = 1
		}
	}
	FNR == 1 { judge(); file = FILENAME; opening = 0; open = 1; lines = 0 }
	{ lines++ }
	open && FNR > 1 { if (/[A-Za-z0-9]/) opening++; if (/\*\//) open = 0 }
	END { judge(); exit bad }
' $long

# The comment is one of #, of // or a docstring; it comes first of all but what tools ask for. In
# cases of tests/cli the sentence stands before their "Expectation:".
files=$(find CMakeLists.txt cmake lib formats sql duckdb python user-events view web cli tests fuzz bench \
	examples scripts -type f ! -path '*/fixtures/*' \
	! -path '*/__pycache__/*' \( -name '*.sh' -o -name '*.py' -o -name '*.js' -o -name '*.mjs' \
	-o -name '*.cmake' -o -name CMakeLists.txt -o -path 'scripts/*' ! -name '*.*' \) | sort)
count=$(echo "$files" | wc -l)
[ "$count" -gt 200 ] || { echo "only $count scripts and build files found"; exit 1; }
# shellcheck disable=SC2086
awk '
	function judge() {
		if (file == "" || judged)
			return
		judged = 1
		if (text == "" || text ~ /^(usage|Expectation):/ || text !~ /\.( |$)/) {
			print file ": does not open with a sentence that says what it is for"
			bad = 1
		}
	}
	FNR == 1 { judge(); file = FILENAME; judged = 0; text = ""; doc = 0 }
	judged || /^#!/ || /SPDX-License-Identifier/ || /^# shellcheck / { next }
	{
		line = $0
		if (doc || line ~ /^"""/) {
			end = line ~ /"""$/ && (doc || length(line) > 3) || line == ""
			doc = 1
			gsub(/"""/, "", line)
		} else {
			end = !sub(/^(#|\/\/) ?/, "", line) || line == ""
			if (end)
				line = ""
		}
		if (line != "")
			text = text (text == "" ? "" : " ") line
		if (end)
			judge()
	}
	END { judge(); exit bad }
' $files
