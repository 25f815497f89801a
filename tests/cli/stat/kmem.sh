# SPDX-License-Identifier: GPL-2.0-or-later
# What kmemtrace-report told: of a converted capture without being asked. Sums are
# compared with the list of events that came with the capture.
# Expectation: by hand from the list of events that the captures were packed from
# (expected.txt): sums; tables are made by tdat
sums() { # of expected.txt: allocations, bytes asked for, bytes given, frees
	sed -n 's/^\[.*bytes_req=\([0-9]*\) bytes_alloc=\([0-9]*\).*/a \1 \2/p; s/^\[.*free: .*/f/p' \
		"$1" | awk '/^a/ { n++; q += $2; g += $3 } /^f/ { f++ }
		END { printf "%d %d %d %d\n", n, q, g, f }'
}
for sample in be64_smp le32_smp ftrace_bin_le64 le64_basic rfc2_be; do
	dir=$FIXTURES/foreign/kmemtrace/$sample
	"$TDAT" convert -q --from kmemtrace -o $sample.dat "$dir"
	want=$(sums "$dir/expected.txt")
	got=$("$TDAT" stat --json $sample.dat | sed -n '/"kmem": {/,$p' | awk '
		/"allocs":/ && !n { n = $2 + 0 } /"bytes_req":/ && !q { q = $2 + 0 }
		/"bytes_alloc":/ && !g { g = $2 + 0 } /"frees":/ { f += $2 }
		END { printf "%d %d %d %d\n", n, q, g, f }')
	[ "$got" = "$want" ] || echo "$sample: $got, not $want"
done
"$TDAT" stat le64_basic.dat | sed -n '/kind$/,$p'
"$TDAT" stat --kmem-live 1 --top 1 be64_smp.dat >limited || echo $?
sed -n '/kind$/,$p' limited
"$TDAT" stat --json le64_basic.dat | sed -n '/"kmem": {/,/"by_call_site"/p'
