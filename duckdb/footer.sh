#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Writes OUT, which is the shared object IN with the footer that DuckDB wants behind a loadable extension:
# fields of 32 bytes, the last first (three that are free, the kind of API, the version of the extension, that of
# the C API, the platform, the magic "4"), and 256 bytes for a signature, which are zeros: there is none.
# usage: footer.sh IN OUT PLATFORM API_VERSION VERSION
set -eu

# Prints a field of 32 bytes.
field() {
	[ ${#1} -le 32 ] || { echo "footer.sh: $1 is too long" >&2; exit 1; }
	printf '%s' "$1"
	head -c $((32 - ${#1})) /dev/zero
}

{
	cat "$1"
	for text in "" "" "" C_STRUCT "$5" "$4" "$3" 4; do
		field "$text"
	done
	head -c 256 /dev/zero
} >"$2.new"
mv "$2.new" "$2"
