# SPDX-License-Identifier: GPL-2.0-or-later
# Versions and compressions change nothing of what is read.
# Expectation: trace-cmd, run here, prints the same for all forms; by hand: version and
# compression asked for
in=$FIXTURES/foreign/kmemtrace/le32_smp
"$TDAT" convert -q -o first.dat "$in"
"$TDAT" dump --compat debian12 first.dat >first
for form in "6 none" "6 any" "7 none" "7 zlib" "7 zstd" "7 any"; do
	set -- $form
	"$TDAT" convert -q --file-version $1 --compression $2 -o "$1-$2.dat" "$in"
	"$TDAT" dump --compat debian12 "$1-$2.dat" | cmp first -
	# Debian builds trace-cmd without zlib.
	[ "$2" = zlib ] || trace-cmd report "$1-$2.dat" 2>err | cmp first -
	[ ! -s err ]
	"$TDAT" info --json "$1-$2.dat" | jq -c "[.[0] | .version, .compression]"
done
