/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints the call site in front of kmem events as the plugin kmem of libtraceevent does. After
 * the call site's symbol the event's own print fmt follows, so the handler only prints a
 * prefix. It is for events with a field call_site.
 */
#include "native_tables.h"

#include "native_util.h"
#include "core/put.h"

struct call_site {
	struct model_native base;
	const struct model_env *env;
	struct native_field call_site;
};

/*
 * Prints "(function+0xoff) " before the event's print fmt. Always false, so that print fmt follows.
 */
static bool call_site_run(const struct model_native *self, const struct model_event *event,
			  struct tdat_build *out)
{
	const struct call_site *c = (const struct call_site *)self;
	struct tdat_span name;
	uint64_t v, start;
	uint8_t *p;

	if (!native_num(&c->call_site, event->record, &v))
		return false;
	name = native_name(c->env, event, v, &start);
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

static enum tdat_status call_site_init(struct model_native **out,
				       const struct tdat_event_format *format,
				       const struct model_env *env, struct tdat_error *err)
{
	struct call_site *c = native_alloc(sizeof(*c), format, err);

	if (!c)
		return TDAT_E_NOMEM;
	c->base.run = call_site_run;
	c->env = env;
	c->call_site = native_field_find(format, "call_site");
	*out = &c->base;
	return TDAT_OK;
}

const struct model_native_entry native_kmem[] = {
	{"kmem", "kfree", call_site_init},
	{"kmem", "kmalloc", call_site_init},
	{"kmem", "kmalloc_node", call_site_init},
	{"kmem", "kmem_cache_alloc", call_site_init},
	{"kmem", "kmem_cache_alloc_node", call_site_init},
	{"kmem", "kmem_cache_free", call_site_init},
	{NULL, NULL, NULL},
};
