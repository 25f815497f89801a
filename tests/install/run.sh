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
	-DCOMPONENTS=static -DCMAKE_PREFIX_PATH="$prefix" >"$tmp/log" 2>&1 ||
	! cmake --build "$tmp/build" >>"$tmp/log" 2>&1; then
	cat "$tmp/log"
	exit 1
fi
expect "find_package, tdat::tdat" "$tmp/build/shared"
expect "find_package, tdat::static" "$tmp/build/static"

# The shared library needs nothing that pkg-config would find, nor pkg-config; the static one says what it needs.
if ! PKG_CONFIG_LIBDIR=/nowhere PKG_CONFIG_PATH= cmake -G "$generator" -S "$here" -B "$tmp/alone" \
	-DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" >"$tmp/log" 2>&1 ||
	! cmake --build "$tmp/alone" >>"$tmp/log" 2>&1; then
	cat "$tmp/log"
	exit 1
fi
expect "find_package, only tdat::tdat" "$tmp/alone/shared"
! PKG_CONFIG_LIBDIR=/nowhere PKG_CONFIG_PATH= cmake -G "$generator" -S "$here" -B "$tmp/none" -DCOMPONENTS=static \
	-DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" >"$tmp/log" 2>&1
grep -q "tdat::static needs .*libzstd" "$tmp/log" || { cat "$tmp/log"; exit 1; }

if command -v meson >/dev/null; then
	cp -r "$here/meson" "$tmp/meson"
	cp "$here/consumer.c" "$tmp/meson/"
	CC=$cc meson setup "$tmp/meson/build" "$tmp/meson" >"$tmp/log" 2>&1 &&
		meson compile -C "$tmp/meson/build" >>"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
	expect "meson" env LD_LIBRARY_PATH="$libdir" "$tmp/meson/build/consumer"
fi

# What only some need is loaded when it is needed first.
for name in sqlite3 elf traceevent; do
	! readelf -d "$libdir"/libtdat.so.*.*.* | grep "NEEDED.*lib$name" || exit 1
done
# shellcheck disable=SC2046
"$cc" -o "$tmp/on_demand" "$here/on_demand.c" $(pkg-config --cflags --libs libtdat)
[ "$(LD_LIBRARY_PATH=$libdir "$tmp/on_demand" "$tmp/made.db")" = made ] && [ -s "$tmp/made.db" ] || exit 1
mkdir "$tmp/broken"
: >"$tmp/broken/libsqlite3.so.0"
! LD_LIBRARY_PATH=$tmp/broken:$libdir "$tmp/on_demand" "$tmp/none.db" >"$tmp/said" || exit 1
grep -q '^cannot load libsqlite3.so.0, which is needed: install it (' "$tmp/said" || { cat "$tmp/said"; exit 1; }
echo "loaded on demand: ok"

# Users find what it is, how it is used, and under which licenses.
for file in bin/tdat share/doc/tdat/README.md share/doc/tdat/LICENSES/GPL-2.0.txt share/doc/tdat/docs/tables.md \
	share/doc/tdat/examples/count_events.c share/bash-completion/completions/tdat share/man/man3/libtdat.3; do
	[ -s "$prefix/$file" ] || { echo "not installed: $file"; exit 1; }
done

"$prefix/bin/tdat" --version >"$tmp/version"
echo "tdat $(pkg-config --modversion libtdat)" | cmp - "$tmp/version"
