/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints events of kvmmmu (shadow pages) as the plugin kvm of libtraceevent does. A shadow
 * page's role is a word of bit fields, printed from the lowest bit on. Where bits moved (Linux
 * 5.18) default text follows the kernel, and --compat follows the plugin.
 */
#include "native_tables.h"

#include "native_util.h"

/* A handler of one of the kvmmmu events. */
struct mmu_page {
	struct model_native base;
	struct native_field role, root_count, unsync;
	struct native_field created, gfn; /* kvm_mmu_get_page */
	bool kernel;
	bool small; /* bit 4 means entries of 4 bytes, not PAE's 8 */
};

enum { KERNEL_5_18 = 5 << 16 | 18 << 8 };

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
static bool role_run(const struct model_native *self, const struct model_event *event,
		     struct tdat_build *out)
{
	const struct mmu_page *m = (const struct mmu_page *)self;
	uint64_t v;

	if (!native_get(&m->role, event->record, &v, out))
		return false;
	/* The plugin's bit fields fit little-endian machines only. */
	if (m->role.big) {
		native_lit(out, "WORD: ");
		tdat_number_x64(out, (uint32_t)v, 8);
	} else {
		print_role((uint32_t)v, m->small, out);
	}
	if (native_num(&m->root_count, event->record, &v)) {
		native_lit(out, " root ");
		tdat_number_u64(out, (uint32_t)v);
		tdat_build_u8(out, ' ');
	} else {
		native_no_field(&m->root_count, out);
	}
	if (!native_get(&m->unsync, event->record, &v, out))
		return false;
	tdat_build_str(out, v ? "unsync" : "sync");
	if (!m->kernel)
		tdat_build_u8(out, 0);
	return true;
}

/* Prints whether the page is new, its guest frame number, and its role. */
static bool get_page_run(const struct model_native *self, const struct model_event *event,
			 struct tdat_build *out)
{
	const struct mmu_page *m = (const struct mmu_page *)self;
	uint64_t v;

	if (!native_get(&m->created, event->record, &v, out))
		return false;
	tdat_build_str(out, v ? "new " : "existing ");
	if (!native_get(&m->gfn, event->record, &v, out))
		return false;
	native_lit(out, "sp gfn ");
	tdat_number_x64(out, v, 0);
	tdat_build_u8(out, ' ');
	return role_run(self, event, out);
}

static enum tdat_status role_init(struct model_native **out, const struct tdat_event_format *format,
				  const struct model_env *env, struct tdat_error *err)
{
	struct mmu_page *m = native_alloc(sizeof(*m), format, err);

	if (!m)
		return TDAT_E_NOMEM;
	m->kernel = env->kernel;
	m->small = env->kernel && (!env->kernel_version || env->kernel_version >= KERNEL_5_18);
	m->base.run = role_run;
	m->role = native_field_find(format, "role");
	m->root_count = native_field_find(format, "root_count");
	m->unsync = native_field_find(format, "unsync");
	m->created = native_field_find(format, "created");
	m->gfn = native_field_find(format, "gfn");
	*out = &m->base;
	return TDAT_OK;
}

static enum tdat_status get_page_init(struct model_native **out,
				      const struct tdat_event_format *format,
				      const struct model_env *env, struct tdat_error *err)
{
	enum tdat_status status = role_init(out, format, env, err);

	if (status == TDAT_OK)
		(*out)->run = get_page_run;
	return status;
}

const struct model_native_entry native_kvmmmu[] = {
	{"kvmmmu", "kvm_mmu_get_page", get_page_init},
	{"kvmmmu", "kvm_mmu_sync_page", role_init},
	{"kvmmmu", "kvm_mmu_unsync_page", role_init},
	{"kvmmmu", "kvm_mmu_zap_page", role_init},
	{"kvmmmu", "kvm_mmu_prepare_zap_page", role_init},
	{NULL, NULL, NULL},
};
