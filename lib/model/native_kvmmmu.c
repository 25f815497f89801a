/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints events of kvmmmu (shadow pages) as the plugin kvm of libtraceevent does. A shadow
 * page's role is a word of bit fields, printed from the lowest bit on. Where bits moved (Linux
 * 5.18) default text follows the kernel, and --compat follows the plugin.
 */
#include "native_tables.h"

#include "native_util.h"

enum { ROLE, ROOT_COUNT, UNSYNC, CREATED, GFN };
enum { KERNEL_5_18 = 5 << 16 | 18 << 8 };

/* True if bit 4 of a role means entries of 4 bytes, not PAE's 8. */
static bool is_small(const struct model_env *env)
{
	return env->kernel && (!env->kernel_version || env->kernel_version >= KERNEL_5_18);
}

static const char *when(uint32_t set, const char *text)
{
	return set ? text : "";
}

/* Prints the bits of union kvm_mmu_page_role (arch/x86/include/asm/kvm_host.h), from the lowest. */
static void print_role(uint32_t role, bool small, struct tdat_build *out)
{
	static const char access[8][4] = {"---", "--x", "w--", "w-x", "-u-", "-ux", "wu-", "wux"};

	tdat_number_u64(out, role & 15);
	native_lit(out, " q");
	tdat_number_u64(out, role >> 5 & 3);
	tdat_build_str(out, when(role >> 7 & 1, " direct"));
	tdat_build_u8(out, ' ');
	tdat_build_str(out, access[role >> 8 & 7]);
	tdat_build_str(out, when(role >> 11 & 1, " invalid"));
	tdat_build_u8(out, ' ');
	/* The bit means the opposite since Linux 5.18 (small). */
	tdat_build_str(out, when((role >> 4 & 1) == small, "!"));
	native_lit(out, "pae ");
	tdat_build_str(out, when(!(role >> 12 & 1), "!"));
	native_lit(out, "nxe ");
	tdat_build_str(out, when(!(role >> 13 & 1), "!"));
	native_lit(out, "wp");
	tdat_build_str(out, when(role >> 14 & 1, " smep"));
	tdat_build_str(out, when(role >> 15 & 1, " smap"));
	tdat_build_str(out, when(role >> 24, " smm"));
}

/*
 * Prints role, root count and synchronization. The plugin ends its text with a NUL, which --compat
 * keeps.
 */
static bool role_run(const struct model_native *n, const struct model_event *event,
		     struct tdat_build *out)
{
	uint64_t v;

	if (!native_get(&n->f[ROLE], event->record, &v, out))
		return false;
	/* The plugin's bit fields fit little-endian machines only. */
	if (n->f[ROLE].big) {
		native_lit(out, "WORD: ");
		tdat_number_x64(out, (uint32_t)v, 8);
	} else {
		print_role((uint32_t)v, is_small(n->env), out);
	}
	if (native_num(&n->f[ROOT_COUNT], event->record, &v)) {
		native_lit(out, " root ");
		tdat_number_u64(out, (uint32_t)v);
		tdat_build_u8(out, ' ');
	} else {
		native_no_field(&n->f[ROOT_COUNT], out);
	}
	if (!native_get(&n->f[UNSYNC], event->record, &v, out))
		return false;
	tdat_build_str(out, v ? "unsync" : "sync");
	if (!n->env->kernel)
		tdat_build_u8(out, 0);
	return true;
}

/* Prints whether the page is new, its guest frame number, and its role. */
static bool get_page_run(const struct model_native *n, const struct model_event *event,
			 struct tdat_build *out)
{
	uint64_t v;

	if (!native_get(&n->f[CREATED], event->record, &v, out))
		return false;
	tdat_build_str(out, v ? "new " : "existing ");
	if (!native_get(&n->f[GFN], event->record, &v, out))
		return false;
	native_lit(out, "sp gfn ");
	tdat_number_x64(out, v, 0);
	tdat_build_u8(out, ' ');
	return role_run(n, event, out);
}

#define FIELDS .fields = {"role", "root_count", "unsync", "created", "gfn"}

const struct model_native_entry native_kvmmmu[] = {
	{"kvmmmu", "kvm_mmu_get_page", get_page_run, FIELDS},
	{"kvmmmu", "kvm_mmu_sync_page", role_run, FIELDS},
	{"kvmmmu", "kvm_mmu_unsync_page", role_run, FIELDS},
	{"kvmmmu", "kvm_mmu_zap_page", role_run, FIELDS},
	{"kvmmmu", "kvm_mmu_prepare_zap_page", role_run, FIELDS},
	{.name = NULL},
};
