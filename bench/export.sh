#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tables and what exporters make of them: batches of Arrow without an exporter on one thread,
# Parquet and Arrow files on two, against trace-cmd report through pyarrow's CSV reader; the size of
# the data set against the file with zstd. Least processor time of some runs.
# usage: bench/export.sh TDAT BENCH_TABLES PYTHON [FILE.dat] [RUNS]
#   PYTHON is one with pyarrow (scripts/python-venv). FILE.dat may also be an .xz; without a file
#   the shared big/mixed.dat.xz is used. trace-cmd report is run once.
set -eu

tdat=${1:?usage: export.sh TDAT BENCH_TABLES PYTHON [FILE.dat] [RUNS]}
tables=${2:?bench_tables is missing} python=${3:?a python with pyarrow is missing}
runs=${5:-5}
# shellcheck source=bench/lib.sh
. "$(dirname "$0")/lib.sh"
input "${4:-}"
memory
events=$("$tdat" stat --json "$file" | sed -nE 's/.*"events": ?([0-9]+).*/\1/p' | head -n 1)

# Processor time of a command and its children, in milliseconds, and wall time.
once() {
	start=$(date +%s%N)
	sh -c '"$@" >/dev/null 2>"$0"; times' "$tmp/err" "$@" | sed -n 2p |
		sed -E 's/([0-9]+)m([0-9.]+)s/\1 \2/g' |
		awk '{ printf "%.0f ", ($1 * 60 + $2 + $3 * 60 + $4) * 1000 }'
	echo $((($(date +%s%N) - start) / 1000000))
}

# row NAME OUT COMMAND...: OUT is removed before each run.
row() {
	name=$1 out=$2
	shift 2
	for _ in $(seq "$runs"); do
		rm -rf "$out"
		once "$@"
	done | awk -v n="$name" -v e="$events" '{
		if (NR == 1 || $1 < c) c = $1
		if (NR == 1 || $2 < w) w = $2
	}
	END { printf "%-44s %7d ms CPU, %.2f M events/s of it; %7d ms wall\n", n, c, e / c / 1000, w }'
}

echo "$events events, least of $runs runs"
for what in sched/sched_switch events types all; do
	"$tables" "$file" "$runs" "$what"
done
row "arrow, --threads 1" "$mem/arrow" "$tdat" export -q --to arrow --threads 1 -o "$mem/arrow" "$file"
row "arrow, all tables of events, --threads 2" "$mem/arrow" "$tdat" export -q --to arrow --threads 2 \
	--table '*/*' --table events -o "$mem/arrow" "$file"
rm -rf "$mem/arrow"
row "parquet with zstd, --threads 2" "$mem/parquet" "$tdat" export -q --to parquet --threads 2 \
	-o "$mem/parquet" "$file"
echo "parquet: $(find "$mem/parquet" -type f -exec cat {} + | wc -c) bytes"
"$tdat" convert --compression zstd -o "$mem/zstd.dat" "$file" >/dev/null 2>&1
echo "trace.dat with zstd: $(wc -c <"$mem/zstd.dat") bytes"
rm -rf "$mem/parquet" "$mem/zstd.dat"
echo "peak of parquet: $(peak "$tdat" export -q --to parquet --threads 2 -o "$mem/parquet" "$file") KiB"
if command -v trace-cmd >/dev/null; then
	runs=1
	# shellcheck disable=SC2016 # the inner shell expands them
	row "trace-cmd report | pyarrow's CSV to Parquet" "$mem/report.parquet" sh -c \
		'trace-cmd report -i "$1" 2>/dev/null | "$2" "$3" "$4"' - "$file" "$python" \
		"$(dirname "$0")/report_parquet.py" "$mem/report.parquet"
	echo "its file: $(wc -c <"$mem/report.parquet") bytes"
fi
