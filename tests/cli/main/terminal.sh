# SPDX-License-Identifier: GPL-2.0-or-later
# A file whose every text holds escape sequences, C1 bytes, broken UTF-8, and in one file
# characters that turn the direction of text or are not seen: names of
# events, systems, fields, tasks, buffers, clocks, printk formats, symbols, uname,
# statistics, and its own name. On a terminal no command lets one of them through.
# Expectation: by hand: Python's unicodedata finds no control or format character; compared here: --raw-
# bytes with a pipe
for f in s390x-61-v6-sched i386-61-v7-buffers; do
	cp "$FIXTURES/valid/$f.dat" $f.in
done
python3 - <<'P'

ESC, C1, BAD = b'\x1b', b'\x9b', b'\xff'

def bend(b, word, *at):
    """The word's bytes at these places become hostile, its length stays."""
    evil = bytearray(word)
    for k, i in enumerate(at or (len(word) // 2,)):
        evil[i] = (ESC, C1, BAD)[k % 3][0]
    return b.replace(word, bytes(evil))

# Of three bytes each: an override, an isolate, a mark, a byte order mark, a line separator.
HIDDEN = [c.encode() for c in '\u202e\u2066\u200f\ufeff\u2028\u2060\u200d\ufe0f']

def hide(b, word, *at):
    i = max(1, len(word) // 2 - 1)
    if len(word.rstrip(b'\0')) < 5:
        return b
    HIDDEN.append(HIDDEN.pop(0))
    return b.replace(word, word[:i] + HIDDEN[0] + word[i + 3:])

for name, bend in (('s390x-61-v6-sched', bend), ('i386-61-v7-buffers', bend),
                   ('i386-61-v7-buffers', hide)):
    b = open(name + '.in', 'rb').read()
    b = bend(b, b'work.sh', 2, 4, 6)
    for word in (b'sched_wakeup', b'sched_switch', b'softirq_raise', b'timer_start', b'prev_comm',
                 b'next_prio', b'sched\0', b'irq\0', b'timer\0', b'foo\0', b'Linux ', b'entries:',
                 b'rcu_preempt', b'vec=%u', b'local\0', b'[local]', b'signed:1', b'ksoftirqd',
                 b'_stext', b'swapper', b'kworker', b'vector', b'3.1.6', b'unsigned', b'ftrace', b'REC->buf'):
        if word.endswith(b'\0'):
            b = bend(b, word, 1)
        else:
            b = bend(b, word)
    evil = '\x1b[2J\u009b' if bend is not hide else '\u202e\U000e0041\u061c'
    open(f'{name}-{evil}.dat', 'wb').write(b)
P
set -- ./*.dat

# Runs a command on a pseudo-terminal; nothing of its output may be a control byte.
try() {
	: >shown
	words=
	for w; do words="$words '$w'"; done
	script -qec "'$TDAT'$words" shown.raw </dev/null >/dev/null 2>&1 || true
	# The first and the last line are script's own.
	sed '1d;$d' shown.raw >shown
	python3 - "$*" <<'P' || bad=1
import sys, unicodedata
raw = open('shown', 'rb').read().replace(b'\r\n', b'\n')
try:
    text = raw.decode()
except UnicodeDecodeError as e:
    sys.exit(f'{ascii(sys.argv[1])}: broken UTF-8: {raw[max(0, e.start - 30):e.start + 10]}')
for i, c in enumerate(text):
    if unicodedata.category(c) in ('Cc', 'Cf', 'Zl', 'Zp') and c not in '\n\t' or c == '\ufe0f':
        sys.exit(f'{ascii(sys.argv[1])}: control or hidden character: {ascii(text[max(0, i - 30):i + 10])}')
if not text:
    sys.exit(f'{ascii(sys.argv[1])}: no output')
P
	cat shown >>all
}

bad=0
for f; do
	try info "$f"
	try info -v --count "$f"
	try info --json "$f"
	for o in stat uname version-of cpus first-event check-events ts-check; do
		"$TDAT" info --$o "$f" >piped 2>&1 || true
		[ ! -s piped ] || try info --$o "$f"
	done
	for s in header_page header_event kallsyms printk cmdlines formats options; do
		try info --section $s "$f"
	done
	try dump "$f"
	try dump -R "$f"
	try dump -l "$f"
	try dump --json --text "$f"
	try stat "$f"
	try stat --json "$f"
	try check -v "$f"
	try check -v --json "$f"
	for form in '' --csv --json --jsonl --markdown; do
		# shellcheck disable=SC2086
		try sql $form "$f" 'SELECT comm, pid FROM tasks'
		# shellcheck disable=SC2086
		try sql $form "$f" 'SELECT event, count(*) FROM events GROUP BY 1'
	done
	try stat --by comm,event "$f"
	try latency "$f"
	try profile "$f"
	try flame "$f"
	try hist "$f" 'sched/sched_wakeup hist:keys=comm'
	try list -i "$f"
	try list --fields -i "$f"
	try list --fields --json -i "$f"
	# The stored text of one event; this one's print fmt is bent.
	try list -i "$f" ftrace:bputs
	try repair -f -o "$f.new" "$f"
	try repair -f --json -o "$f.new" "$f"
	try convert -f -o "$f.new" "$f"
	try convert -f --from ktr -o "$f.new" "$f"
	try dump "$f.none"
	try dump -e "$(printf 'x\033[2J')" "$f"
done
grep -q '\\x1b' all && grep -q '\\x9b' all && grep -q '\\xff' all &&
	grep -q '\\xe2\\x80\\xae' all && grep -q '\\u202e' all && grep -q '\\xf3\\xa0\\x81\\x81' all || { echo "nothing was escaped"; bad=1; }
[ $bad = 0 ] || exit 1

# --raw-bytes is what a pipe gets.
f=$1
for words in 'dump' 'info --section kallsyms' 'info --section formats'; do
	# shellcheck disable=SC2086
	# One of the formats is bent, which dump tells of with exit 1: on stderr, left out here.
	"$TDAT" $words "$f" >piped 2>said || [ $? = 1 ]
	script -qec "'$TDAT' $words --raw-bytes '$f' 2>said" /dev/null </dev/null | tr -d '\r' |
		cmp - piped
done
