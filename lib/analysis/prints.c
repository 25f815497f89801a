/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints events for derived tables, each by the print fmt of its own format, made once. Texts are
 * valid until the next print: tables intern the parts that they keep (derived_intern).
 */
#include "prints.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints are made when the first event of a type comes. */
enum tdat_status prints_init(struct prints *p, struct derived_out *out, struct tdat_error *err)
{
	p->out = out;
	tdat_build_init(&p->text, false);
	p->by_type = calloc((size_t)derived_type_count(out) + 1, sizeof(struct model_print *));
	if (!p->by_type)
		return tdat_error_no_memory(err, "texts of events");
	return model_scratch_new(&p->scratch, err);
}

void prints_fini(struct prints *p)
{
	for (uint32_t i = 0; p->by_type && i < derived_type_count(p->out); i++)
		model_print_free(p->by_type[i]);
	free(p->by_type);
	model_scratch_free(p->scratch);
	tdat_build_fini(&p->text);
}

/* The event's text; it is valid until the next call. Empty after a failure, which ends the pass. */
struct tdat_span prints_run(struct prints *p, const struct derived_type *type,
			    const struct model_event *ev)
{
	struct model_print **print = &p->by_type[type->index];

	p->text.len = 0;
	if (*print || model_print_new(print, type->format, type->env, MODEL_PRINT_NO_PLUGINS,
				      NULL) == TDAT_OK) {
		model_print_run(*print, ev, p->scratch, &p->text);
		tdat_build_u8(&p->text, '\0');
	}
	if (p->text.failed || !p->text.len) {
		derived_fail(p->out);
		return (struct tdat_span){(const uint8_t *)"", 0};
	}
	return (struct tdat_span){p->text.ptr, p->text.len - 1};
}

/* The part of the text between two words; ptr is NULL if they are not there. */
struct tdat_span prints_between(struct prints *p, const struct derived_type *type,
				const struct model_event *ev, const char *before,
				const char *behind)
{
	const char *start = strstr((const char *)prints_run(p, type, ev).ptr, before);
	const char *end = start ? strstr(start + strlen(before), behind) : NULL;

	if (!end)
		return (struct tdat_span){NULL, 0};
	start += strlen(before);
	return (struct tdat_span){(const uint8_t *)start, (size_t)(end - start)};
}

/* Twelve bits of the major number, twenty of the minor one. */
void prints_dev(struct derived_out *o, uint64_t dev)
{
	char text[32];
	const int n = snprintf(text, sizeof(text), "%" PRIu32 ",%" PRIu32, (uint32_t)dev >> 20,
			       (uint32_t)dev & 0xfffff);

	derived_put_text(o, (struct tdat_span){(const uint8_t *)text, (size_t)n});
}
