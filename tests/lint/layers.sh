#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Fails when a file includes a header of a layer it must not know.
# usage: layers.sh SOURCE_DIR
set -eu
cd "$1"

# May files of layer $1 include headers of $2? Both are folders; formats and cli
# see only the public headers and the four byte tools of core.
allowed() {
	[ "$1" = "$2" ] && return 0
	case "$1 $2" in
	"lib/dat lib/core" | "lib/model lib/core") return 0 ;;
	"lib/read lib/core" | "lib/read lib/dat" | "lib/read lib/model") return 0 ;;
	"lib/write lib/core" | "lib/write lib/dat" | "lib/write lib/model") return 0 ;;
	"lib/merge lib/core" | "lib/merge lib/dat" | "lib/merge lib/model" | "lib/merge lib/read" | "lib/merge lib/write") return 0 ;;
	"lib/repair lib/core" | "lib/repair lib/dat" | "lib/repair lib/read" | "lib/repair lib/write") return 0 ;;
	"lib/split lib/core" | "lib/split lib/dat" | "lib/split lib/model" | "lib/split lib/read" | "lib/split lib/write") return 0 ;;
	esac
	return 1
}

layer_of() {
	case $1 in
	lib/*/*) echo "$1" | cut -d/ -f1-2 ;;
	formats/*/*) echo "$1" | cut -d/ -f1-2 ;;
	*) echo "$1" | cut -d/ -f1 ;;
	esac
}

byte_tool() {
	case $1 in
	lib/core/cursor.h | lib/core/build.h | lib/core/checked.h | lib/core/endian.h) return 0 ;;
	esac
	return 1
}

# The file an include of $2 in $1 means, relative to the source folder.
resolve() {
	for try in "$(dirname "$1")/$2" "lib/$2" "formats/$2" "formats/import/$2" "formats/export/$2" \
		"include/$2" "cli/$2"; do
		if [ -f "$try" ]; then
			realpath --relative-to=. "$try"
			return
		fi
	done
	echo "missing/$2"
}

bad=0
count=0
for file in $(find lib formats cli include -name '*.[ch]' | sort); do
	from=$(layer_of "$file")
	for name in $(sed -n 's/^[ \t]*#[ \t]*include[ \t]*"\([^"]*\)".*/\1/p' "$file"); do
		count=$((count + 1))
		target=$(resolve "$file" "$name")
		to=$(layer_of "$target")
		allowed "$from" "$to" && continue
		case $from in
		formats/*) byte_tool "$target" && continue ;;
		esac
		echo "$file includes $target: $from must not know $to"
		bad=1
	done
	if [ "$from" != lib/model ] && grep -Eq '#[ \t]*include[ \t]*[<"](traceevent/|event-parse)' "$file"; then
		echo "$file includes libtraceevent: only lib/model may"
		bad=1
	fi
done
users=$(grep -lE '#[ \t]*include[ \t]*[<"](traceevent/|event-parse)' -r lib | wc -l)
if [ "$users" -gt 1 ]; then
	echo "libtraceevent is included by $users files, it should stay behind one:"
	grep -lE '#[ \t]*include[ \t]*[<"](traceevent/|event-parse)' -r lib
	bad=1
fi
if [ "$count" -lt 10 ]; then
	echo "only $count includes found: the check itself is broken"
	bad=1
fi
exit $bad
