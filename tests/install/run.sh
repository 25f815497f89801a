#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Installs a build into a scratch prefix, moves it, and builds a program against
# it in each of the ways the documentation promises.
# usage: run.sh BUILD_DIR SOURCE_DIR CC GENERATOR
set -eu
build=$1
here=$2/tests/install
cc=$3
generator=$4
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

cmake --install "$build" --prefix "$tmp/first" >"$tmp/log" || { cat "$tmp/log"; exit 1; }
mv "$tmp/first" "$tmp/prefix" # nothing may remember where it was installed
prefix=$tmp/prefix
pc=$(find "$prefix" -name libtdat.pc)
libdir=$(dirname "$(dirname "$pc")")
export PKG_CONFIG_PATH="$libdir/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
want="$(pkg-config --modversion libtdat) system"

expect() {
	what=$1
	shift
	got=$("$@") || { echo "$what: exit status $?"; exit 1; }
	[ "$got" = "$want" ] || { echo "$what: printed '$got', not '$want'"; exit 1; }
	echo "$what: ok"
}

# shellcheck disable=SC2046
"$cc" -o "$tmp/pc-shared" "$here/consumer.c" $(pkg-config --cflags --libs libtdat)
expect "pkg-config, shared" env LD_LIBRARY_PATH="$libdir" "$tmp/pc-shared"

# shellcheck disable=SC2046
"$cc" -o "$tmp/pc-static" "$here/consumer.c" $(pkg-config --cflags libtdat) "$libdir/libtdat.a" \
	$(pkg-config --static --libs libtdat | sed 's/-ltdat//')
expect "pkg-config, static" "$tmp/pc-static"

if ! cmake -G "$generator" -S "$here" -B "$tmp/build" -DCMAKE_C_COMPILER="$cc" \
	-DCMAKE_PREFIX_PATH="$prefix" >"$tmp/log" 2>&1 ||
	! cmake --build "$tmp/build" >>"$tmp/log" 2>&1; then
	cat "$tmp/log"
	exit 1
fi
expect "find_package, tdat::tdat" "$tmp/build/shared"
expect "find_package, tdat::static" "$tmp/build/static"

"$prefix/bin/tdat" --version >"$tmp/version"
echo "tdat $(pkg-config --modversion libtdat)" | cmp - "$tmp/version"
