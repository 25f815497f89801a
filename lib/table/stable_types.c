/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The registry of ABI-stable events: those that the kernel keeps for the programs that read them.
 * Each row is an event and the types of its columns of numbers, as wide as the widest kernel from
 * 4.x to 6.x has them. Types are in the words of Arrow. field_kind.c asks for a field's type;
 * tests/unit/table/test_stable_types.c compares the rows with formats of kernels.
 */
#include "stable_types.h"

#include <stdio.h>
#include <string.h>

#include "core/search.h"

/* Sorted by event. */
static const struct {
	const char *event, *columns;
} events[] = {
	{"block/block_bio_complete", "dev uint32, sector uint64, nr_sector uint32, error int32"},
	{"block/block_bio_queue", "dev uint32, sector uint64, nr_sector uint32"},
	{"block/block_bio_remap",
	 "dev uint32, sector uint64, nr_sector uint32, old_dev uint32, old_sector uint64"},
	{"block/block_rq_complete",
	 "dev uint32, sector uint64, nr_sector uint32, error int32, ioprio uint32"},
	{"block/block_rq_error",
	 "dev uint32, sector uint64, nr_sector uint32, error int32, ioprio uint32"},
	{"block/block_rq_insert",
	 "dev uint32, sector uint64, nr_sector uint32, bytes uint32, ioprio uint32"},
	{"block/block_rq_issue",
	 "dev uint32, sector uint64, nr_sector uint32, bytes uint32, ioprio uint32"},
	{"block/block_rq_requeue", "dev uint32, sector uint64, nr_sector uint32, ioprio uint32"},
	{"exceptions/page_fault_kernel", "address uint64, ip uint64, error_code uint64"},
	{"exceptions/page_fault_user", "address uint64, ip uint64, error_code uint64"},
	{"ftrace/bprint", "ip uint64, buf list<uint32>"},
	{"ftrace/bputs", "ip uint64, str uint64"},
	{"ftrace/funcgraph_entry", "func uint64, depth int32"},
	{"ftrace/funcgraph_exit", "func uint64, retval uint64, depth int32, overrun uint32, "
				  "calltime uint64, rettime uint64"},
	{"ftrace/function", "ip uint64, parent_ip uint64"},
	{"ftrace/kernel_stack", "size int32, caller list<uint64>"},
	{"ftrace/print", "ip uint64"},
	{"ftrace/user_stack", "tgid uint32, caller list<uint64>"},
	{"irq/irq_handler_entry", "irq int32"},
	{"irq/irq_handler_exit", "irq int32, ret int32"},
	{"irq/softirq_entry", "vec uint32"},
	{"irq/softirq_exit", "vec uint32"},
	{"irq/softirq_raise", "vec uint32"},
	{"kmem/kfree", "call_site uint64, ptr uint64"},
	{"kmem/kmalloc", "call_site uint64, ptr uint64, bytes_req uint64, bytes_alloc uint64, "
			 "gfp_flags uint64, node int32"},
	{"kmem/kmem_cache_alloc", "call_site uint64, ptr uint64, bytes_req uint64, bytes_alloc "
				  "uint64, gfp_flags uint64, node int32"},
	{"kmem/kmem_cache_free", "call_site uint64, ptr uint64"},
	{"kmem/mm_page_alloc", "pfn uint64, order uint32, gfp_flags uint64, migratetype int32"},
	{"kmem/mm_page_free", "pfn uint64, order uint32"},
	{"kmem/rss_stat", "mm_id uint32, curr uint32, member int32, size int64"},
	{"napi/napi_poll", "napi uint64, work int32, budget int32"},
	{"net/net_dev_queue", "skbaddr uint64, len uint32"},
	{"net/net_dev_xmit", "skbaddr uint64, len uint32, rc int32"},
	{"net/netif_receive_skb", "skbaddr uint64, len uint32"},
	{"net/netif_rx", "skbaddr uint64, len uint32"},
	{"power/cpu_frequency", "state uint32, cpu_id uint32"},
	{"power/cpu_idle", "state uint32, cpu_id uint32"},
	{"raw_syscalls/sys_enter", "id int64, args list<uint64>"},
	{"raw_syscalls/sys_exit", "id int64, ret int64"},
	{"sched/sched_migrate_task", "pid int32, prio int32, orig_cpu int32, dest_cpu int32"},
	{"sched/sched_pi_setprio", "pid int32, oldprio int32, newprio int32"},
	{"sched/sched_process_exec", "pid int32, old_pid int32"},
	{"sched/sched_process_exit", "pid int32, prio int32"},
	{"sched/sched_process_fork", "parent_pid int32, child_pid int32"},
	{"sched/sched_process_free", "pid int32, prio int32"},
	{"sched/sched_process_wait", "pid int32, prio int32"},
	{"sched/sched_stat_blocked", "pid int32, delay uint64"},
	{"sched/sched_stat_iowait", "pid int32, delay uint64"},
	{"sched/sched_stat_runtime", "pid int32, runtime uint64, vruntime uint64"},
	{"sched/sched_stat_sleep", "pid int32, delay uint64"},
	{"sched/sched_stat_wait", "pid int32, delay uint64"},
	{"sched/sched_switch",
	 "prev_pid int32, prev_prio int32, prev_state int64, next_pid int32, next_prio int32"},
	{"sched/sched_wakeup", "pid int32, prio int32, target_cpu int32, success int32"},
	{"sched/sched_wakeup_new", "pid int32, prio int32, target_cpu int32, success int32"},
	{"sched/sched_waking", "pid int32, prio int32, target_cpu int32, success int32"},
	{"signal/signal_deliver",
	 "sig int32, errno int32, code int32, sa_handler uint64, sa_flags uint64"},
	{"signal/signal_generate",
	 "sig int32, errno int32, code int32, pid int32, group int32, result int32"},
	{"skb/kfree_skb",
	 "skbaddr uint64, location uint64, rx_sk uint64, protocol uint16, reason uint32"},
	{"task/task_newtask", "pid int32, clone_flags uint64, oom_score_adj int16"},
	{"task/task_rename", "pid int32, oom_score_adj int16"},
	{"timer/hrtimer_cancel", "hrtimer uint64"},
	{"timer/hrtimer_expire_entry", "hrtimer uint64, now int64, function uint64"},
	{"timer/hrtimer_expire_exit", "hrtimer uint64"},
	{"timer/hrtimer_start",
	 "hrtimer uint64, function uint64, expires int64, softexpires int64, mode uint32"},
	{"timer/tick_stop", "success int32, dependency int32"},
	{"timer/timer_cancel", "timer uint64"},
	{"timer/timer_expire_entry", "timer uint64, now uint64, function uint64, baseclk uint64"},
	{"timer/timer_expire_exit", "timer uint64"},
	{"timer/timer_start", "timer uint64, function uint64, expires uint64, bucket_expiry "
			      "uint64, now uint64, flags uint32"},
	{"workqueue/workqueue_execute_end", "work uint64, function uint64"},
	{"workqueue/workqueue_execute_start", "work uint64, function uint64"},
	{"workqueue/workqueue_queue_work",
	 "work uint64, function uint64, req_cpu int64, cpu int64"},
};

const char *table_stable_event(size_t index, const char **columns)
{
	if (index >= sizeof(events) / sizeof(events[0]))
		return NULL;
	*columns = events[index].columns;
	return events[index].event;
}

/* The order of an event's name and "SYSTEM/NAME". */
static int order(const char *event, const char *system, const char *name)
{
	const size_t n = strcspn(event, "/");
	const int by_system = strncmp(event, system, n);

	if (by_system || system[n])
		return by_system ? by_system : -1;
	return strcmp(event + n + 1, name);
}

/* Reads "int64" or "list<uint32>"; a list has the type of its items. */
static void read_type(const char *text, struct table_column *c)
{
	if (!strncmp(text, "list<", 5))
		text += 5;
	c->is_signed = *text == 'i';
	text += c->is_signed ? 3 : 4;
	c->len = *text == '8' ? 1 : *text == '1' ? 2 : *text == '3' ? 4 : 8;
}

void table_stable_type(const struct tdat_field *f, struct table_column *c)
{
	const char *system = tdat_event_format_system(f->format);
	const char *name = tdat_event_format_name(f->format);
	const size_t count = sizeof(events) / sizeof(events[0]), n = strlen(f->name);
	struct table_column stable = *c;
	const char *at;
	size_t i;

	TDAT_SEARCH(i, count, order(events[i].event, system, name) < 0);
	if (i == count || order(events[i].event, system, name) != 0)
		return;
	/* An event has some ten columns. */
	for (at = events[i].columns; at; at = (at = strchr(at, ',')) ? at + 2 : NULL) {
		if (strncmp(at, f->name, n) != 0 || at[n] != ' ')
			continue;
		read_type(at + n + 1, &stable);
		if (table_int_holds(&stable, c->len, c->is_signed))
			*c = stable;
		return;
	}
}
