#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Prints the lines of C by folder: without blank lines, comments, and tables that were made
# of other sources (the four below). It judges nothing; the weight of a change is the difference of two runs.
# usage: lines.sh [SOURCE_DIR]
set -eu
cd "${1:-.}"
git ls-files 'lib/*.[ch]' 'cli/*.[ch]' 'formats/*.[ch]' 'include/*.[ch]' 'sql/*.[ch]' 'duckdb/*.[ch]' 'view/*.[ch]' \
	'user-events/*.[ch]' 'python/*.[ch]' |
	while read -r file; do
		case $file in
		*/kernel_consts_table.c | */known_events.c | */syscall_table.c | */errno_table.c) continue ;;
		esac
		awk -v file="$file" '
			{
				line = $0
				out = ""
				while (line != "") {
					if (inside) {
						i = index(line, "*/")
						if (!i) { line = ""; break }
						line = substr(line, i + 2)
						inside = 0
						continue
					}
					i = index(line, "/*")
					if (!i) { out = out line; break }
					out = out substr(line, 1, i - 1)
					line = substr(line, i + 2)
					inside = 1
				}
				if (out ~ /[^ \t]/) n++
			}
			END { split(file, p, "/"); print (p[1] == "lib" || p[1] == "cli" || p[1] == "formats" || p[1] == "user-events" ? p[1] "/" p[2] : p[1]), n + 0 }' "$file"
	done | awk '{ n[$1 ~ /\.[ch]$/ ? substr($1, 1, index($1, "/") - 1) : $1] += $2; all += $2 }
		END { for (f in n) print n[f], f | "sort -rn"; close("sort -rn"); print all, "all" }'
