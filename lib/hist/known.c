/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events that every kernel with hist triggers has, whatever is built into it. A trace.dat has the
 * formats of events that were recorded, and onmatch() may name others: what it names decides how
 * the kernel answers, though nothing comes of it.
 */
#include "event.h"

static const struct {
	const char *system;
	const char *events; /* with a blank before and behind each */
} known[] = {
	{"sched", " sched_kthread_stop sched_kthread_stop_ret sched_migrate_task sched_move_numa "
		  "sched_pi_setprio sched_process_exec sched_process_exit sched_process_fork "
		  "sched_process_free sched_process_hang sched_process_wait sched_stat_blocked "
		  "sched_stat_iowait sched_stat_runtime sched_stat_sleep sched_stat_wait "
		  "sched_stick_numa sched_swap_numa sched_switch sched_wait_task "
		  "sched_wake_idle_without_ipi sched_wakeup sched_wakeup_new sched_waking "},
	{"irq", " irq_handler_entry irq_handler_exit softirq_entry softirq_exit softirq_raise "},
	{"timer", " hrtimer_cancel hrtimer_expire_entry hrtimer_expire_exit hrtimer_init "
		  "hrtimer_start itimer_expire itimer_state tick_stop timer_cancel "
		  "timer_expire_entry timer_expire_exit timer_init timer_start "},
	{"workqueue", " workqueue_activate_work workqueue_execute_end workqueue_execute_start "
		      "workqueue_queue_work "},
	{"signal", " signal_deliver signal_generate "},
	{"task", " task_newtask task_rename "},
	{"raw_syscalls", " sys_enter sys_exit "},
	{"kmem", " kfree kmalloc kmem_cache_alloc kmem_cache_free mm_page_alloc "
		 "mm_page_alloc_extfrag mm_page_alloc_zone_locked mm_page_free "
		 "mm_page_free_batched mm_page_pcpu_drain rss_stat "},
	{"block", " block_bio_backmerge block_bio_bounce block_bio_complete block_bio_frontmerge "
		  "block_bio_queue block_bio_remap block_dirty_buffer block_getrq block_plug "
		  "block_rq_complete block_rq_error block_rq_insert block_rq_issue block_rq_merge "
		  "block_rq_remap block_rq_requeue block_split block_touch_buffer block_unplug "},
	{"net", " napi_gro_frags_entry napi_gro_frags_exit napi_gro_receive_entry "
		"napi_gro_receive_exit net_dev_queue net_dev_start_xmit net_dev_xmit "
		"net_dev_xmit_timeout netif_receive_skb netif_receive_skb_entry "
		"netif_receive_skb_exit netif_receive_skb_list_entry netif_receive_skb_list_exit "
		"netif_rx netif_rx_entry netif_rx_exit "},
	{"skb", " consume_skb kfree_skb skb_copy_datagram_iovec "},
	{"sock", " inet_sk_error_report inet_sock_set_state sock_exceed_buf_limit "
		 "sock_rcvqueue_full "},
	{"tcp", " tcp_destroy_sock tcp_probe tcp_rcv_space_adjust tcp_receive_reset "
		"tcp_retransmit_skb tcp_retransmit_synack tcp_send_reset "},
	{"power", " cpu_frequency cpu_frequency_limits cpu_idle suspend_resume "},
	{"rcu", " rcu_utilization "},
	{"writeback", " writeback_dirty_folio writeback_dirty_inode writeback_exec "
		      "writeback_pages_written writeback_queue writeback_start "
		      "writeback_single_inode writeback_written "},
	{"syscalls", " sys_enter_close sys_enter_openat sys_enter_read sys_enter_write "
		     "sys_exit_close sys_exit_openat sys_exit_read sys_exit_write "},
};

/* True if the name is a whole word of the list. No name has a blank, so at[-1] is in the list. */
static bool is_known(const char *system, const char *name)
{
	const size_t len = strlen(name);

	if (strchr(name, ' '))
		return false;
	for (size_t i = 0; len && i < sizeof(known) / sizeof(known[0]); i++) {
		const char *at = known[i].events;

		if (strcmp(known[i].system, system) != 0)
			continue;
		for (; (at = strstr(at, name)); at += len)
			if (at[-1] == ' ' && at[len] == ' ')
				return true;
	}
	return false;
}

struct hist_event *hist_event_match(struct tdat_hist *h, const char *system, const char *name)
{
	struct hist_event *e = hist_event_find(h, system, name);

	/* The event never comes, but the kernel accepts its name: it gets no fields and no id. */
	if (e || !is_known(system, name))
		return e;
	hist_note(h, "onmatch() names %s/%s, but the file has no such events", system, name);
	e = hist_alloc(h, 1, sizeof(*e));
	if (!e)
		return NULL;
	e->system = hist_strdup(h, system);
	e->name = hist_strdup(h, name);
	return e->system && e->name ? e : NULL;
}
