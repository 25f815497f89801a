#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds program and library without importers, libelf, plugins, SQLite and
# tdat view, then with importers
# only: what they need at run time, what they say of parts that are not there, and what
# pkg-config and find_package tell of them.
# usage: components.sh SOURCE_DIR CC GENERATOR [LAUNCHER]
set -eu
source=$1
cc=$2
generator=$3
launcher=${4:-}
fixtures=$source/tests/fixtures
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0

fail() {
	echo "$*"
	bad=1
}

# build OPTION...: tmp/build and tmp/prefix. Without optimising: only what is there counts.
build() {
	cmake -G "$generator" -S "$source" -B "$tmp/build" -DCMAKE_C_COMPILER="$cc" \
		-DCMAKE_C_COMPILER_LAUNCHER="$launcher" -DCMAKE_BUILD_TYPE=Debug \
		-DCMAKE_C_FLAGS_DEBUG=-O0 -DTDAT_TESTS=OFF -DTDAT_EXAMPLES=OFF \
		-DTDAT_WERROR=ON "$@" >"$tmp/log" 2>&1 &&
		cmake --build "$tmp/build" >>"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
	rm -rf "$tmp/prefix"
	cmake --install "$tmp/build" --prefix "$tmp/prefix" >"$tmp/log"
	pc=$(find "$tmp/prefix" -name libtdat.pc)
	tdat=$tmp/prefix/bin/tdat
}

# needs NAME...: the program and the library need no library but these and libc's.
needs() {
	for object in "$tdat" "$(find "$tmp/prefix" -name 'libtdat.so.*.*.*')"; do
		readelf -d "$object" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' >"$tmp/needed"
		grep -q '^libzstd\.so' "$tmp/needed" || fail "$object: readelf finds no libzstd"
		while read -r name; do
			case " libc libm libpthread $* " in
			*" ${name%%.so*} "*) ;;
			*) expr "$name" : 'ld[-6]' >/dev/null || fail "$object needs $name" ;;
			esac
		done <"$tmp/needed"
	done
}

# says STATUS SENTENCE COMMAND...: the command's exit status and (in part) what it says.
says() {
	want=$1
	sentence=$2
	shift 2
	got=0
	"$@" >"$tmp/out" 2>"$tmp/err" || got=$?
	[ "$got" = "$want" ] || fail "$*: exit status $got, not $want"
	grep -qF -- "$sentence" "$tmp/err" || fail "$*: does not say '$sentence': $(cat "$tmp/err")"
}

# finds COMPONENT RESULT: whether find_package has it.
finds() {
	mkdir -p "$tmp/find"
	printf 'cmake_minimum_required(VERSION 3.20)\nproject(p C)\nfind_package(tdat 0.1 COMPONENTS %s)\nmessage("found=${tdat_FOUND}")\n' \
		"$1" >"$tmp/find/CMakeLists.txt"
	cmake -S "$tmp/find" -B "$tmp/find/build" -DCMAKE_C_COMPILER="$cc" \
		-DCMAKE_PREFIX_PATH="$tmp/prefix" >"$tmp/log" 2>&1 || fail "find_package $1: $(cat "$tmp/log")"
	grep -qi "found=$2" "$tmp/log" || fail "find_package of $1 is not $2: $(cat "$tmp/log")"
}

modules() {
	[ "$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --print-requires-private libtdat |
		grep -v libdeflate | sort | xargs)" = "$1" ] || fail "libtdat.pc does not require $1"
	[ "$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --variable=components libtdat)" = "$2" ] ||
		fail "libtdat.pc has not the components '$2'"
}

build -DTDAT_IMPORTERS=OFF -DTDAT_LIBELF=OFF -DTDAT_PLUGINS=OFF -DTDAT_SQLITE=OFF \
	-DTDAT_RECORD=OFF -DTDAT_VIEW=OFF
needs libz libzstd libdeflate
modules "libzstd zlib" ""
finds importers 0
finds '' 1
"$tdat" dump "$fixtures/valid/s390x-61-kstack.dat" >"$tmp/out" && [ -s "$tmp/out" ] ||
	fail "dump prints nothing"
capture=$fixtures/foreign/ktr/fbsd_amd64_ring
says 2 "built without importers" "$tdat" convert --from ktr -o "$tmp/o.dat" "$capture"
says 1 "built without importers" "$tdat" convert -o "$tmp/o.dat" "$capture"
says 0 "built without importers" "$tdat" list --formats
sed -n 's/^IMPORTER(\(.*\))$/\1/p' "$source/formats/import/importer_list.h" >"$tmp/names"
[ -s "$tmp/names" ] || fail "importer_list.h has no rows"
! grep -wf "$tmp/names" "$tmp/out" || fail "list --formats names importers"
grep -q '^csv ' "$tmp/out" || fail "list --formats does not name csv"
says 1 "built without plugins" "$tdat" dump --plugin-dir "$tmp" "$fixtures/valid/s390x-61-kstack.dat"
says 1 "built without user-events record (TDAT_RECORD)" "$tdat" user-events record -- true
says 1 "view needs the program tdat-view" "$tdat" view "$fixtures/valid/s390x-61-kstack.dat"
says 1 "built without it (TDAT_SQLITE=OFF)" "$tdat" export --to sqlite -o "$tmp/o.sqlite" \
	"$fixtures/valid/s390x-61-kstack.dat"

build -DTDAT_IMPORTERS=ON -DTDAT_LIBELF=OFF -DTDAT_PLUGINS=OFF -DTDAT_SQLITE=OFF -DTDAT_VIEW=OFF \
	-DTDAT_RECORD=ON
needs libz libzstd libdeflate
modules "libzstd zlib" importers
finds importers 1
finds 'importers elf' 0
# Listings and lists of strings do without; an ELF file as the kernel does not.
says 0 "" "$tdat" convert -f -o "$tmp/o.dat" "$fixtures/foreign/ktr/text_tdump"
says 1 "built without it (TDAT_LIBELF=OFF)" "$tdat" convert -f --from ktr --kernel "$tdat" \
	-o "$tmp/o.dat" "$capture"
cp -r "$capture" "$tmp/capture"
cp "$tdat" "$tmp/capture/kernel"
says 1 "built without it (TDAT_LIBELF=OFF)" "$tdat" convert -f --from ktr -o "$tmp/o.dat" "$tmp/capture"
[ -s "$tmp/o.dat" ] || fail "entries without an image are lost"
# The library that is loaded into programs is found where it was installed.
says 0 "0 events" "$tdat" user-events record -f -o "$tmp/o.dat" -- sh -c :
exit $bad
