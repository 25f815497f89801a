# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks pass with the event that they belong to: the last one of their context on their CPU.
# Expectation: jq, which counts by the rule in all events of the file and prints every other line of the golden
f=$FIXTURES/valid/arm64-16k-612-kstack.dat
want() {
	"$TDAT" dump --json "$f" | jq -sr '
		reduce (.[] | select(.event)) as $e ({owner: {}, events: 0, stacks: 0};
			"\($e.buffer) \($e.cpu) \($e.pid) \($e.flags)" as $key |
			if $e.event == "kernel_stack" or $e.event == "user_stack" then
				.stacks += (if .owner[$key] then 1 else 0 end)
			else
				($e | '"$1"') as $passes | .owner[$key] = $passes |
				.events += (if $passes then 1 else 0 end)
			end) | "\(.events) \(.stacks)"'
}
got() {
	"$TDAT" dump --json "$@" "$f" 2>/dev/null | jq -sr '[.[] | select(.event)] |
		[length, (map(select(.event | endswith("_stack"))) | length)] | "\(.[0] - .[1]) \(.[1])"'
}
pid=$("$TDAT" sql --csv "$f" "SELECT pid FROM sched_switch WHERE pid > 0 LIMIT 1" | sed 1d | tr -d '\r')
want '.event == "sched_switch"'
got -e sched_switch
got -F sched_switch
want '.event != "sched_switch"'
got -v -F sched_switch
want '.event == "sched_switch" and .fields.next_pid > 100'
got -F 'sched_switch: next_pid > 100'
want ".pid == $pid or .fields.pid == $pid or .fields.next_pid == $pid"
got --pid "$pid"
# A stack that is asked for by name passes by itself.
got -e kernel_stack
"$TDAT" flame -F 'sched_switch: next_pid > 100' "$f" | awk '{ n += $NF } END { print n }'
