/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints the call site in front of kmem events as the plugin kmem of libtraceevent does. After
 * the call site's symbol the event's own print fmt follows, so the handler only prints a
 * prefix. It is for events with a field call_site.
 */
#include "native_tables.h"

#include "native_util.h"
#include "core/put.h"

/*
 * Prints "(function+0xoff) " before the event's print fmt. Always false, so that print fmt follows.
 */
static bool call_site_run(const struct model_native *n, const struct model_event *event,
			  struct tdat_build *out)
{
	struct tdat_span name;
	uint64_t v, start;
	uint8_t *p;

	if (!native_num(&n->f[0], event->record, &v))
		return false;
	name = native_name(n->env, event, v, &start);
	if (!name.ptr)
		return false;
	p = tdat_build_room(out, name.len + 8 + TDAT_PUT_HEX);
	if (!p)
		return false;
	*p++ = '(';
	p = tdat_put_lit(tdat_put_span(p, name), "+0x");
	/* The plugin prints the offset through an int. */
	p = tdat_put_lit(tdat_put_hex(p, (uint32_t)(v - start)), ") ");
	out->len = (size_t)(p - out->ptr);
	return false;
}

const struct model_native_entry native_kmem[] = {
	{"kmem", "kfree", call_site_run, .fields = {"call_site"}},
	{"kmem", "kmalloc", call_site_run, .fields = {"call_site"}},
	{"kmem", "kmalloc_node", call_site_run, .fields = {"call_site"}},
	{"kmem", "kmem_cache_alloc", call_site_run, .fields = {"call_site"}},
	{"kmem", "kmem_cache_alloc_node", call_site_run, .fields = {"call_site"}},
	{"kmem", "kmem_cache_free", call_site_run, .fields = {"call_site"}},
	{.name = NULL},
};
