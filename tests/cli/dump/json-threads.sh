# SPDX-License-Identifier: GPL-2.0-or-later
# The bytes do not depend on the number of threads.
# Expectation: compared here: the bytes of one thread and of four; the count of lines is made by
# tdat
f=$FIXTURES/valid/s390x-61-v7-zstd-sched.dat
"$TDAT" dump --json --text --threads 1 "$f" >one
"$TDAT" dump --json --text --threads 4 "$f" | cmp - one
grep -c . one
