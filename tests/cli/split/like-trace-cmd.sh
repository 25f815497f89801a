# SPDX-License-Identifier: GPL-2.0-or-later
# The pieces of the top buffer are those that trace-cmd split makes, file by file.
# Of what trace-cmd gets wrong (-s, -m and -u lose events; big-endian 7) there is none.
# Expectation: trace-cmd, run here, splits the same file and reports the same of both
dir=.
[ ! -w /dev/shm ] || dir=$(mktemp -d /dev/shm/tdat-XXXXXX) # trace-cmd writes byte by byte
trap 'rm -rf "$dir"' EXIT
cd "$dir"
for name in x64-61-v7-none-tiny i386-61-v7-zstd-sched s390x-61-v6-sched x64-lab612-lost-v6 \
	ppc64el-61-syscalls x64-61-v6-tiny; do
	in=$FIXTURES/valid/$name.dat
	for option in "-e 100" "-c -e 30" "-p 2" "-C 1 -e 40"; do
		rm -f ours.* theirs.*
		"$TDAT" split -q -i "$in" -o ours --top -r $option
		trace-cmd split -i "$in" -o theirs -r $option >/dev/null 2>&1
		n=0
		for ours in ours.*; do
			"$TDAT" check "$ours" >/dev/null
			trace-cmd report "$ours" >report 2>/dev/null
			trace-cmd report "theirs.${ours#ours.}" 2>/dev/null | cmp report -
			n=$((n + 1))
		done
		echo "$name $option: $n files, $(ls theirs.* | wc -l) of trace-cmd"
	done
done
