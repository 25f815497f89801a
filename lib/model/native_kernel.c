/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the handler of an event whose text code of the kernel makes, and prints addresses for
 * them. Sources: kernel/trace/trace_output.c and its neighbors, Linux 6.1 to 6.19. It is asked
 * for dump -N; native_ktrace.c, native_kprobe.c, native_ksyscall.c and native_ksynth.c have the
 * handlers.
 */
#include "native_kernel.h"

#include <string.h>

#include "core/text.h"

static const struct {
	const char *system; /* NULL: any; groups of probes have names that users chose */
	enum tdat_status (*make)(struct model_native **out, const struct tdat_event_format *format,
				 const struct model_env *env, struct tdat_error *err);
	/* Handlers by system; the last row takes all other systems. */
} kinds[] = {
	{"ftrace", native_ktrace_new},
	{"syscalls", native_ksyscall_new},
	{"synthetic", native_ksynth_new},
	{NULL, native_kprobe_new},
};

enum tdat_status native_kernel_new(struct model_native **out,
				   const struct tdat_event_format *format,
				   const struct model_env *env, struct tdat_error *err)
{
	size_t i = 0;

	*out = NULL;
	while (kinds[i].system && strcmp(kinds[i].system, format->system) != 0)
		i++;
	return kinds[i].make(out, format, env, err);
}

/* Prints "+0xoff/0xsize [module]" behind a name. */
static void put_offset(const struct model_symbol *s, uint64_t addr, struct tdat_build *out)
{
	native_lit(out, "+0x");
	tdat_number_x64(out, addr - s->start, 0);
	native_lit(out, "/0x");
	tdat_number_x64(out, s->size, 0);
	if (!s->module.len)
		return;
	native_lit(out, " [");
	native_text(out, s->module);
	tdat_build_u8(out, ']');
}

void native_symbol(const struct model_env *env, const struct model_event *event, uint64_t addr,
		   struct tdat_build *out)
{
	struct model_symbol s;

	if (model_symbol_cache_lookup(event->names, env->symbols, addr, &s)) {
		native_text(out, s.name);
		put_offset(&s, addr, out);
		return;
	}
	tdat_number_0x(out, addr);
}

/*
 * True for the address to which functions with a kretprobe return. The kernel prints no name for
 * it, as the real caller is not known.
 */
static bool is_trampoline(const struct model_symbol *s, uint64_t addr)
{
	static const char *const names[] = {"arch_rethook_trampoline", "__kretprobe_trampoline",
					    "kretprobe_trampoline"};

	for (size_t i = 0; addr == s->start && i < sizeof(names) / sizeof(names[0]); i++)
		if (tdat_span_is(s->name, names[i]))
			return true;
	return false;
}

void native_code(const struct model_env *env, const struct model_event *event, uint64_t addr,
		 bool offset, struct tdat_build *out)
{
	struct model_symbol s;

	if (!addr) {
		tdat_build_u8(out, '0');
	} else if (!model_symbol_cache_lookup(event->names, env->symbols, addr, &s)) {
		native_lit(out, "0x");
		tdat_number_x64(out, addr, offset ? 0 : 8);
	} else if (is_trampoline(&s, addr)) {
		native_lit(out, "[unknown/kretprobe'd]");
	} else {
		native_text(out, s.name);
		if (offset)
			put_offset(&s, addr, out);
	}
}

/* Returns the bytes of a __data_loc, cut at the end of the record. */
struct tdat_span native_loc(struct tdat_span record, uint32_t off, bool big)
{
	const uint64_t loc = native_load(record, off, 4, big);
	const size_t at = loc & UINT16_MAX, len = (size_t)(loc >> 16);
	struct tdat_span s = {record.ptr, 0};

	if (at < record.len) {
		s.ptr = record.ptr + at;
		s.len = len < record.len - at ? len : record.len - at;
	}
	return s;
}

struct tdat_span native_cstr(struct tdat_span record, size_t off)
{
	return native_str(record, off, SIZE_MAX);
}
