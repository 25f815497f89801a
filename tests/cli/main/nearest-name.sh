# SPDX-License-Identifier: GPL-2.0-or-later
# A misspelled name out of a file gets the nearest one that the file has, or none if none is near.
# Expectation: by hand: the name meant, and none where none is near
f=$FIXTURES/valid/i386-61-v7-buffers.dat

# meant NAME ARG...: the sentence proposes NAME; "-": it says that a name is unknown, and no more.
meant() {
	want=$1
	shift
	said=$("$TDAT" "$@" 2>&1 >out || true)
	case $said in
	*"; did you mean '$want'?") return ;;
	*"did you mean"*) ;;
	*" is named '"* | *" has a "* | *"has no column '"* | *"no such column"*)
		[ "$want" != - ] || return 0
		;;
	esac
	echo "$*: not $want: $said"
}

meant sched_switch dump -e shced_switch $f
meant sched:sched_switch dump -e sched:shced_switch $f
meant sched_wakeup dump -e sched_wakeu $f
meant - dump -e block_rq_issue $f
meant sched_switch dump -F 'sched_swicth: prev_pid == 1' $f
meant prev_pid dump -F 'sched_switch: prev_pdi == 1' $f
meant - dump -F 'sched_switch: pid == 1' $f
meant top stat --buffer tpo $f
meant - stat --buffer nothing $f
meant event stat --by evnt $f
meant wakeup latency --table wakup $f
meant comm latency --by com $f
meant waker_pid latency --by waker $f
meant - latency --by disk $f
meant thread_state export --to csv --table thread_sate -o x.csv $f
meant prev_comm export --to csv --column prev_com -o x.csv $f
meant wakeup sql $f 'SELECT count(*) FROM wakeups'
meant waker_comm sql $f 'SELECT w.waker_com FROM wakeup w'
meant - sql $f 'SELECT disk FROM wakeup'
meant sched:sched_switch list $f sched:sched_swtich
meant sched_switch hist $f 'sched/sched_swich hist:keys=prev_pid'
meant next_pid hist $f 'sched/sched_switch hist:keys=nxt_pid'
meant prev_pid latency --pair 'x: sched/sched_switch(prev_pi) -> sched/sched_switch(next_pid)' \
	--table x $f
meant usleep dump --comm usleeep $f
