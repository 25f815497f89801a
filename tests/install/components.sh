#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds program and library without all components, then with importers and user_events only, then
# with other importers: what they need at run time, what they say of parts that are not there, and
# what pkg-config and find_package tell of them.
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

# exported PREFIX...: libtdat exports a function whose name starts with one of them.
exported() {
	for prefix; do
		! nm -D --defined-only "$(find "$tmp/prefix" -name 'libtdat.so.*.*.*')" | grep -q " T $prefix" ||
			return 0
	done
	return 1
}

modules() {
	[ "$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --print-requires-private libtdat |
		grep -v libdeflate | sort | xargs)" = "$1" ] || fail "libtdat.pc does not require $1"
	[ "$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --variable=components libtdat)" = "$2" ] ||
		fail "libtdat.pc has not the components '$2'"
}

build -DTDAT_IMPORTERS=OFF -DTDAT_LIBELF=OFF -DTDAT_PLUGINS=OFF -DTDAT_SQLITE=OFF -DTDAT_DUCKDB=OFF \
	-DTDAT_USER_EVENTS=OFF -DTDAT_HIST=OFF -DTDAT_KTR=OFF -DTDAT_VIEW=OFF -DTDAT_PACKED=OFF
[ -z "$(find "$tmp/prefix" -name '*.duckdb_extension')" ] || fail "there is an extension of DuckDB"
needs libz libzstd libdeflate
modules "libzstd zlib" ""
finds importers 0
finds '' 1
"$tdat" dump "$fixtures/valid/s390x-61-kstack.dat" >"$tmp/out" && [ -s "$tmp/out" ] ||
	fail "dump prints nothing"
gzip -c "$fixtures/valid/s390x-61-kstack.dat" >"$tmp/packed.gz"
says 1 "is packed, and reading it needs a tdat built with TDAT_PACKED=ON" "$tdat" dump "$tmp/packed.gz"
"$tdat" --version >"$tmp/out"
[ "$(grep -c '^built without ' "$tmp/out")" = 10 ] || fail "--version does not say what is left out"
capture=$fixtures/foreign/ktr/fbsd_amd64_ring
says 2 "built without importers" "$tdat" convert --from ktr -o "$tmp/o.dat" "$capture"
says 1 "built without importers" "$tdat" convert -o "$tmp/o.dat" "$capture"
says 0 "built without importers" "$tdat" list --formats
sed -n 's/^IMPORTER(\(.*\))$/\1/p' "$source/formats/import/importer_list.h" >"$tmp/names"
[ -s "$tmp/names" ] || fail "importer_list.h has no rows"
! grep -wf "$tmp/names" "$tmp/out" || fail "list --formats names importers"
grep -q '^csv ' "$tmp/out" || fail "list --formats does not name csv"
says 1 "built without plugins" "$tdat" dump --plugin-dir "$tmp" "$fixtures/valid/s390x-61-kstack.dat"
says 1 "without the command user-events (TDAT_USER_EVENTS=OFF)" "$tdat" user-events record -- true
says 1 "without the command hist (TDAT_HIST=OFF)" "$tdat" hist "$fixtures/valid/s390x-61-kstack.dat"
says 1 "without the command sql (TDAT_SQLITE=OFF)" "$tdat" sql "select 1"
[ ! -e "$tmp/prefix/include/tdat/user_events.h" ] || fail "user_events.h is installed"
[ ! "$(find "$tmp/prefix" -name 'libtdat-user-events*')" ] || fail "the preloaded library is installed"
! exported tdat_hist_ tdat_user_ || fail "functions of components are exported"
says 1 "view needs the program tdat-view" "$tdat" view "$fixtures/valid/s390x-61-kstack.dat"
says 1 "built without it (TDAT_SQLITE=OFF)" "$tdat" export --to sqlite -o "$tmp/o.sqlite" \
	"$fixtures/valid/s390x-61-kstack.dat"

build -DTDAT_IMPORTERS=ON -DTDAT_KTR=ON -DTDAT_USER_EVENTS=ON
needs libz libzstd libdeflate
modules "libzstd zlib" "importers ktr user_events"
finds 'importers ktr user_events' 1
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
[ -e "$tmp/prefix/include/tdat/user_events.h" ] || fail "user_events.h is not installed"
exported tdat_user_ || fail "functions of user_events are not exported"

build -DTDAT_RECORD=OFF
says 1 "built without user-events record (TDAT_RECORD=OFF)" "$tdat" user-events record -f \
	-o "$tmp/o.dat" -- sh -c :
[ ! "$(find "$tmp/prefix" -name 'libtdat-user-events*')" ] || fail "the preloaded library is installed"

build -DTDAT_HIST=ON -DTDAT_KTR=OFF -DTDAT_USER_EVENTS=OFF
modules "libzstd zlib" "importers hist"
"$tdat" list --formats >"$tmp/out"
! grep -E '^(ktr|user_events) ' "$tmp/out" || fail "list --formats names importers that are left out"
grep -q '^gtsc ' "$tmp/out" || fail "list --formats does not name gtsc"
says 2 "unknown format 'ktr'" "$tdat" convert --from ktr -o "$tmp/o.dat" "$capture"
says 1 "(TDAT_USER_EVENTS=OFF)" "$tdat" convert -f --from gtsc --record "t u32 x" -o "$tmp/o.dat" "$capture"
"$tdat" hist --help >"$tmp/out" || fail "hist --help fails"
exported tdat_hist_ || fail "functions of hist are not exported"
exit $bad
