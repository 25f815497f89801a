# SPDX-License-Identifier: GPL-2.0-or-later
# Commands for people on a terminal of 200 columns: no line is wrapped.
# Expectation: by hand: each screen was looked at on 2026-11-26; that lines fit is what tmux says
. "$(dirname "$0")/show.inc"
show 200
