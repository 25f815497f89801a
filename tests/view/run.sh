#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The page of tdat view in a real browser, compared with what the other commands print.
# usage: run.sh TDAT SOURCE_DIR [CASE...]
# TDAT_SCREENSHOTS names a folder for the pictures of docs/.
set -eu
tdat=$1
source=$2
shift 2
chromium=$(command -v chromium || command -v chromium-browser) || {
	echo 'skipped: no chromium' >&2
	exit 77
}
modules=$("$source/scripts/node-modules" view)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
node "$source/tests/view/browser.mjs" "$tdat" "$source" "$modules" "$chromium" "$tmp" "$@"
