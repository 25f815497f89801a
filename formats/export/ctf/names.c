/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Translates ftrace's names to those of LTTng's kernel tracer, which its readers know. Source:
 * include/instrumentation/events/ of lttng-modules 2.13, whose events have the kernel's names
 * but for those listed here.
 */
#include "names.h"

#include <string.h>

#include "core/utf8.h"

/* Names that only get LTTng's prefix: by system, then the names, ended by NULL. */
struct prefixed {
	const char *system, *prefix;
	const char *const *names;
};

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

static const struct prefixed prefixes[] = {
	{"irq", "irq_", NAMES("softirq_entry", "softirq_exit", "softirq_raise")},
	{"timer", "timer_",
	 NAMES("hrtimer_cancel", "hrtimer_expire_entry", "hrtimer_expire_exit", "hrtimer_init",
	       "hrtimer_start", "itimer_expire", "itimer_state")},
	{"kmem", "kmem_",
	 NAMES("kfree", "kmalloc", "kmalloc_node", "mm_page_alloc", "mm_page_alloc_extfrag",
	       "mm_page_alloc_zone_locked", "mm_page_free", "mm_page_free_batched",
	       "mm_page_pcpu_drain")},
	{"power", "power_",
	 NAMES("clock_disable", "clock_enable", "clock_set_rate", "cpu_frequency", "cpu_idle",
	       "machine_suspend", "wakeup_source_activate", "wakeup_source_deactivate")},
	{"preemptirq", "preemptirq_",
	 NAMES("irq_disable", "irq_enable", "preempt_disable", "preempt_enable")},
	{"printk", "printk_", NAMES("console")},
	{"random", "random_",
	 NAMES("add_device_randomness", "add_disk_randomness", "add_input_randomness",
	       "credit_entropy_bits", "debit_entropy", "extract_entropy", "extract_entropy_user",
	       "get_random_bytes", "get_random_bytes_arch", "mix_pool_bytes",
	       "mix_pool_bytes_nolock", "prandom_u32", "push_to_pool", "random_read",
	       "urandom_read", "xfer_secondary_pool")},
	{"regmap", "regmap_", NAMES("regcache_sync")},
	{"exceptions", "x86_exceptions_", NAMES("page_fault_kernel", "page_fault_user")},
	{"asoc", "asoc_",
	 NAMES("snd_soc_bias_level_done", "snd_soc_bias_level_start", "snd_soc_dapm_connected",
	       "snd_soc_dapm_done", "snd_soc_dapm_path", "snd_soc_dapm_start",
	       "snd_soc_dapm_walk_done", "snd_soc_dapm_widget_event_done",
	       "snd_soc_dapm_widget_event_start", "snd_soc_dapm_widget_power", "snd_soc_jack_irq",
	       "snd_soc_jack_notify", "snd_soc_jack_report")},
	{"btrfs", "btrfs", NAMES("__extent_writepage")},
	{"btrfs", "btrfs_",
	 NAMES("add_delayed_data_ref", "add_delayed_ref_head", "add_delayed_tree_ref",
	       "alloc_extent_state", "find_free_extent", "free_extent_state",
	       "run_delayed_data_ref", "run_delayed_ref_head", "run_delayed_tree_ref")},
	{"writeback", "writeback_",
	 NAMES("balance_dirty_pages", "bdi_dirty_ratelimit", "global_dirty_state")},
	{"kvmmmu", "kvm_mmu_",
	 NAMES("fast_page_fault", "handle_mmio_page_fault", "mark_mmio_spte")},
	{"net", "net_",
	 NAMES("napi_gro_frags_entry", "napi_gro_frags_exit", "napi_gro_receive_entry",
	       "napi_gro_receive_exit")},
};

/* Names whose beginning is replaced; the first row that matches counts. */
static const struct replaced {
	const char *system, *start, *by;
} replacements[] = {
	{"net", "netif_rx", "net_if_rx"},
	{"net", "netif_receive_skb", "net_if_receive_skb"},
	{"kvm", "kvm_apic", "kvm_x86_apic"},
	{"kvm", "kvm_cpuid", "kvm_x86_cpuid"},
	{"kvm", "kvm_cr", "kvm_x86_cr"},
	{"kvm", "kvm_emulate_insn", "kvm_x86_emulate_insn"},
	{"kvm", "kvm_entry", "kvm_x86_entry"},
	{"kvm", "kvm_eoi", "kvm_x86_eoi"},
	{"kvm", "kvm_exit", "kvm_x86_exit"},
	{"kvm", "kvm_hypercall", "kvm_x86_hypercall"},
	{"kvm", "kvm_inj_", "kvm_x86_inj_"},
	{"kvm", "kvm_msr", "kvm_x86_msr"},
	{"kvm", "kvm_nested_", "kvm_x86_nested_"},
	{"kvm", "kvm_page_fault", "kvm_x86_page_fault"},
	{"kvm", "kvm_pic_set_irq", "kvm_x86_pic_set_irq"},
	{"kvm", "kvm_pio", "kvm_x86_pio"},
	{"kvm", "kvm_pv_eoi", "kvm_x86_pv_eoi"},
	{"skb", "kfree_skb", "skb_kfree"},
	{"skb", "consume_skb", "skb_consume"},
	{"compaction", "mm_compaction_", "compaction_"},
	{"vmscan", "mm_shrink_slab_", "mm_vmscan_shrink_slab_"},
	{"writeback", "folio_wait_writeback", "writeback_folio_wait"},
	{"jbd", "journal_write_superblock", "jbd_journal_write_superblock"},
	{"irq_vectors", "", "x86_irq_vectors_"},
	{"syscalls", "sys_enter_", "syscall_entry_"},
	{"syscalls", "sys_exit_", "syscall_exit_"},
	{"raw_syscalls", "sys_enter", "syscall_entry_unknown"},
	{"raw_syscalls", "sys_exit", "syscall_exit_unknown"},
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* LTTng's prefix for a name; NULL: none is listed. */
static const char *prefix_of(const char *system, const char *name)
{
	for (size_t i = 0; i < COUNT(prefixes); i++) {
		const char *const *n = prefixes[i].names;

		if (strcmp(prefixes[i].system, system) != 0)
			continue;
		for (; *n; n++)
			if (!strcmp(*n, name))
				return prefixes[i].prefix;
	}
	return NULL;
}

/* Writes an event's name as LTTng has it; names that are not listed are the kernel's. */
static void put_lttng(struct tdat_build *out, const char *system, const char *name)
{
	const char *prefix = prefix_of(system, name);

	for (size_t i = 0; !prefix && i < COUNT(replacements); i++) {
		const struct replaced *r = &replacements[i];

		if (strcmp(r->system, system) != 0 || strncmp(r->start, name, strlen(r->start)))
			continue;
		prefix = r->by;
		name += strlen(r->start);
	}
	if (prefix)
		tdat_build_str(out, prefix);
	ctf_put_utf8(out, name);
}

/*
 * Writes the name of an event. call: name of the system call, for events of raw_syscalls; else
 * NULL.
 */
void ctf_event_name(struct tdat_build *out, const struct tdat_event_format *format,
		    enum ctf_names names, const char *call)
{
	const char *name = tdat_event_format_name(format),
		   *system = tdat_event_format_system(format);

	if (names == CTF_NAMES_FTRACE) {
		ctf_put_utf8(out, name);
	} else if (call) {
		tdat_build_str(out, strcmp(name, "sys_enter") ? "syscall_exit_" : "syscall_entry_");
		tdat_build_str(out, call);
	} else if (!strncmp(system, "user_events", 11)) {
		/* A program must not make a sched_switch that readers take for the kernel's. */
		ctf_put_utf8(out, system);
		tdat_build_u8(out, ':');
		ctf_put_utf8(out, name);
	} else {
		put_lttng(out, system, name);
	}
}

/* Name of a field. The kernel's pid of a thread is LTTng's tid, unless the event has both. */
const char *ctf_field_name(const struct tdat_field *f, enum ctf_names names)
{
	static const char *const pids[][2] = {
		{"pid", "tid"},
		{"prev_pid", "prev_tid"},
		{"next_pid", "next_tid"},
		{"parent_pid", "parent_tid"},
		{"child_pid", "child_tid"},
		{"old_pid", "old_tid"},
	};
	const char *system = tdat_event_format_system(f->format);

	if (names == CTF_NAMES_FTRACE || (strcmp(system, "sched") && strcmp(system, "signal")))
		return f->name;
	for (size_t i = 0; i < COUNT(pids); i++)
		if (!strcmp(f->name, pids[i][0]) && !tdat_event_format_field(f->format, pids[i][1]))
			return pids[i][1];
	return f->name;
}

void ctf_put_utf8(struct tdat_build *out, const char *text)
{
	tdat_build_utf8(out, text, strlen(text));
}
