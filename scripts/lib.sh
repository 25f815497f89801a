# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shared by the scripts here: sourced, never run.

# Everything happens in the source folder, wherever the script was called from.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1

say() {
	printf '== %s\n' "$*"
}

die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		die "needs root or sudo for: $*"
	fi
}

# Installs those of the Debian packages that are missing. Fails, and says why, when apt could
# not; a list of packages that could not be renewed is no failure, the older one may do.
install_packages() {
	local missing=() package

	if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
		say "No apt here: taking it that these are installed under other names: $*"
		return 0
	fi
	for package in "$@"; do
		dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null |
			grep -qx installed || missing+=("$package")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	say "Installing ${missing[*]}"
	mkdir -p "$root/build"
	as_root apt-get -q update >"$root/build/apt.log" 2>&1 || true
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y \
		--no-install-recommends "${missing[@]}" >>"$root/build/apt.log" 2>&1 || {
		cat "$root/build/apt.log"
		return 1
	}
}

# fuzz_seeds TARGET: its folder of fuzz/corpus, which some targets share (fuzz/CMakeLists.txt).
fuzz_seeds() {
	case $1 in
	table) echo fuzz/corpus/open ;;
	events | export) echo fuzz/corpus/sink ;;
	*) echo "fuzz/corpus/$1" ;;
	esac
}

# Tests write many small traces, each synced to the disk: in memory, where there is enough of it.
tests_in_memory() {
	case ${TMPDIR:-} in /dev/shm/tdat-tests-*) return 0 ;; esac
	[ "$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1)" -ge 4000000 ] 2>/dev/null || return 0
	TMPDIR=$(mktemp -d /dev/shm/tdat-tests-XXXXXX)
	export TMPDIR
	# shellcheck disable=SC2064 # this folder, whatever TMPDIR is then
	trap "rm -rf '$TMPDIR'" EXIT
}

need_packages() {
	install_packages "$@" || die "apt could not install them"
}

# shellcheck disable=SC2034 # for those who source this
build_packages=(gcc libc6-dev cmake ninja-build pkg-config zlib1g-dev libdeflate-dev libzstd-dev
	libtraceevent-dev libtraceevent1-plugin libelf-dev libsqlite3-dev libreadline-dev libmicrohttpd-dev libarchive-dev
	liblzma-dev libbz2-dev)
# shellcheck disable=SC2034 # too
test_packages=("${build_packages[@]}" g++ clang clang-format check trace-cmd libtracecmd-dev libtracefs-dev
	libkshark-dev libjson-c-dev jq python3 python3-dev openjdk-17-jre-headless python3-venv xz-utils zstd mandoc groff-base
	babeltrace2 meson abigail-tools python3-bt2 chromium zsh fish tmux)
# clang with what fuzzers, sanitizers and coverage link.
# shellcheck disable=SC2034 # too
clang_packages=("${build_packages[@]}" clang libclang-rt-dev)
# Node.js of others brings npm along, and Debian's npm cannot stand beside it.
command -v npm >/dev/null || test_packages+=(nodejs npm)

# build PRESET [CMAKE_OPTION...]: configures and builds build/PRESET.
# Arguments that name what of it is wanted; without any it is all.
build_targets=()
build() {
	local preset=$1
	shift
	cmake --preset "$preset" "$@" >"$root/build/$preset.log" 2>&1 ||
		{ cat "$root/build/$preset.log"; die "configuring $preset failed"; }
	cmake --build --preset "$preset" "${build_targets[@]}" -- --quiet
}

# The time of the sources: of the commit, which an archive knows, too.
source_epoch() {
	local commit time

	read -r commit time <cmake/commit.txt
	case $commit in
	*Format*) git log -1 --format=%ct ;;
	*) echo "$time" ;;
	esac
}

# duckdb_headers FILE: DuckDB's headers as the archive that source packages have beside ours.
duckdb_headers() {
	local headers

	headers=$("$root/scripts/duckdb-header") || die "DuckDB's headers cannot be had"
	tar -C "$headers" --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rw,go=r --mtime=@0 \
		--transform='s,^,duckdb-header/,' -c duckdb.h duckdb_extension.h | xz -T1 >"$1"
}
