# SPDX-License-Identifier: GPL-2.0-or-later
# The number of threads changes no byte of statistics.
# Expectation: compared here: one thread and five
for f in s390x-61-v7-zstd-sched x64-61-v6-tiny; do
	"$TDAT" stat --threads 1 "$FIXTURES/valid/$f.dat" >one
	"$TDAT" stat --threads 5 "$FIXTURES/valid/$f.dat" | cmp - one
done
