/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls the functions that plugins add to print fmt: jbd2, xen, cfg80211, kvm. Each function is
 * a row of native_funcs: name, arguments and code. func_tables.c finds it when
 * print_ast.c makes a print fmt in the reading of trace-cmd; text is what the plugin prints.
 */
#include "func_tables.h"

#include "core/endian.h"
#include "core/number.h"

/* MINORBITS of include/linux/kdev_t.h. */
#define MINOR_BITS 20

/* jbd2_dev_to_name(): "major:minor", because the name of a device is not recorded. */
static void jbd2_dev(const struct func_args *a, struct tdat_build *out)
{
	uint32_t dev = (uint32_t)a->v[0].num;

	tdat_number_u64(out, dev >> MINOR_BITS);
	tdat_build_u8(out, ':');
	tdat_number_u64(out, dev & ((1u << MINOR_BITS) - 1));
}

/* The plugin does not convert either: HZ is not recorded. */
static uint64_t jiffies_value(const struct func_args *a)
{
	return a->v[0].num;
}

static void jiffies(const struct func_args *a, struct tdat_build *out)
{
	tdat_number_i64(out, (int64_t)a->v[0].num);
}

/* Hypercalls by number, spelled as the plugin xen spells them. */
static const char *const hypercalls[] = {
	[0] = "(set_trap_table)",
	[1] = "(mmu_update)",
	[2] = "(set_gdt)",
	[3] = "(stack_switch)",
	[4] = "(set_callbacks)",
	[5] = "(fpu_taskswitch)",
	[6] = "(sched_op_compat)",
	[7] = "(dom0_op)",
	[8] = "(set_debugreg)",
	[9] = "(get_debugreg)",
	[10] = "(update_descriptor)",
	[12] = "(memory_op)",
	[13] = "(multicall)",
	[14] = "(update_va_mapping)",
	[15] = "(set_timer_op)",
	[16] = "(event_channel_op_compat)",
	[17] = "(xen_version)",
	[18] = "(console_io)",
	[19] = "(physdev_op_compat)",
	[20] = "(grant_table_op)",
	[21] = "(vm_assist)",
	[22] = "(update_va_mapping_otherdomain)",
	[23] = "(iret)",
	[24] = "(vcpu_op)",
	[25] = "(set_segment_base)",
	[26] = "(mmuext_op)",
	[27] = "(acm_op)",
	[28] = "(nmi_op)",
	[29] = "(sched_op)",
	[30] = "(callback_op)",
	[31] = "(xenoprof_op)",
	[32] = "(event_channel_op)",
	[33] = "(physdev_op)",
	[34] = "(hvm_op)",
	[48] = "(arch_0)",
	[49] = "(arch_1)",
	[50] = "(arch_2)",
	[51] = "(arch_3)",
	[52] = "(arch_4)",
	[53] = "(arch_5)",
	[54] = "(arch_6)",
	[55] = "(arch_7)",
};

const char *model_hypercall_name(uint32_t op)
{
	return KERNEL_NAME(hypercalls, op, "");
}

static void hypercall(const struct func_args *a, struct tdat_build *out)
{
	tdat_build_str(out, model_hypercall_name((uint32_t)a->v[0].num));
}

/* Little endian, whatever the file is. */
static uint64_t le16(const struct func_args *a)
{
	return a->v[0].bytes.len >= 2 ? tdat_load16(a->v[0].bytes.ptr, false) : 0;
}

/* Bit 1 of an x86 page table entry. */
static uint64_t writable_pte(const struct func_args *a)
{
	return a->v[0].num & 2;
}

const struct print_func native_funcs[] = {
	{"jbd2_dev_to_name", "n", ALWAYS, .run = jbd2_dev},
	{"jiffies_to_msecs", "n", ALWAYS, .run = jiffies, .value = jiffies_value},
	{"xen_hypercall_name", "n", ALWAYS, .run = hypercall},
	{"__le16_to_cpup", "b", ALWAYS, .value = le16},
	{"is_writable_pte", "n", ALWAYS, .value = writable_pte},
	{.name = NULL},
};
