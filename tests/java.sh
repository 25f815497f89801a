# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the tests that run Spark. Exit status 77: there is no Java of version 17 or later.
# The runs are short: the second compiler of Java costs more than its code saves.

version=$(java -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1) || version=
[ "${version:-0}" -ge 17 ] || {
	echo "skipped: no Java of version 17 or later"
	exit 77
}
export JDK_JAVA_OPTIONS="${JDK_JAVA_OPTIONS:-} -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
