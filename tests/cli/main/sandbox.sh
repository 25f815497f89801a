# SPDX-License-Identifier: GPL-2.0-or-later
# While a command works on what it has opened it has no rights left: Seccomp 2, no
# new privileges. (Builds with a sanitizer are without, see ../CMakeLists.txt.)
# Expectation: from the kernel's /proc/PID/status
grep -q '^Seccomp:' /proc/self/status || { echo "this kernel has no seccomp"; exit 0; }
for i in $(seq 40); do cp "$FIXTURES/valid/s390x-61-kstack.dat" $i.dat; done
mkfifo out

status_of() {
	"$TDAT" "$@" >out 2>/dev/null &
	pid=$!
	exec 3<out
	# It has begun to write, and now waits: the pipe is full.
	dd bs=1 count=1 <&3 >/dev/null 2>&1
	awk '/^(NoNewPrivs|Seccomp):/ { printf "%s%s ", $1, $2 }' "/proc/$pid/status"
	echo "$1"
	exec 3<&-
	wait "$pid" || true
}

status_of dump ./*.dat >seen
status_of dump --plugin-dir . ./*.dat >>seen
status_of info -v ./*.dat ./*.dat ./*.dat >>seen
status_of stat ./*.dat ./*.dat >>seen
[ "$(grep -c '^NoNewPrivs:1 Seccomp:2 ' seen)" = 4 ] || { cat seen; exit 1; }
