#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each C file opens, behind its licence line, with a comment that begins with a whole
# sentence: a capital letter first and a period last. Such a sentence says what the file is for.
# usage: opening.sh SOURCE_DIR
set -eu
cd "$1"
files=$(find lib formats include sql python preload view cli -name '*.[ch]' | sort)
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
