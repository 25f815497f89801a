/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How an event becomes text: a native handler, a program, libtraceevent, or name=value. */
#include "print.h"

#include <stdlib.h>
#include <string.h>

#include "native.h"
#include "tep_fallback.h"
#include "text.h"

struct model_print {
	const struct tdat_format *format;
	struct model_native *native; /* or NULL */
	struct model_tep *tep;       /* or NULL */
	enum model_print_style style;
	char reason[160];
};

struct model_scratch {
	struct tdat_build text;
};

enum tdat_status model_print_new(struct model_print **out, const struct tdat_format *format,
				 const struct model_env *env, enum model_print_style style,
				 struct tdat_error *err)
{
	struct model_print *p = calloc(1, sizeof(*p));
	enum tdat_status status;

	if (!p)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory for the print program of event %s", format->name);
	p->format = format;
	p->tep = env->tep;
	p->style = style;
	status = model_native_new(&p->native, format, env, style, err);
	if (status != TDAT_OK) {
		model_print_free(p);
		return status;
	}
	if (!p->native)
		strcpy(p->reason, "print fmt is left to libtraceevent");
	*out = p;
	return TDAT_OK;
}

void model_print_free(struct model_print *p)
{
	if (!p)
		return;
	model_native_free(p->native);
	free(p);
}

enum model_print_kind model_print_kind(const struct model_print *p)
{
	if (p->native)
		return MODEL_PRINT_NATIVE;
	return p->tep ? MODEL_PRINT_FALLBACK : MODEL_PRINT_FIELDS;
}

const char *model_print_reason(const struct model_print *p)
{
	return p->reason;
}

enum tdat_status model_scratch_new(struct model_scratch **out, struct tdat_error *err)
{
	struct model_scratch *s = calloc(1, sizeof(*s));

	if (!s)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory for printing events");
	*out = s;
	return TDAT_OK;
}

void model_scratch_free(struct model_scratch *s)
{
	if (!s)
		return;
	tdat_build_fini(&s->text);
	free(s);
}

static void print_value(const struct tdat_field *f, struct tdat_span record, struct tdat_build *out)
{
	struct tdat_span bytes;
	int64_t i;
	size_t n;

	if (!(f->flags & (TDAT_FIELD_ARRAY | TDAT_FIELD_DYNAMIC)) &&
	    tdat_field_i64(f, record, &i, NULL) == TDAT_OK) {
		if (f->flags & TDAT_FIELD_SIGNED)
			model_text_i64(out, i);
		else
			model_text_u64(out, (uint64_t)i);
		return;
	}
	if (f->flags & TDAT_FIELD_STRING && tdat_field_string(f, record, &bytes, NULL) == TDAT_OK) {
		tdat_build_bytes(out, bytes.ptr, bytes.len);
		return;
	}
	if (tdat_field_bytes(f, record, &bytes, NULL) != TDAT_OK)
		return;
	tdat_build_str(out, "ARRAY[");
	for (n = 0; n < bytes.len; n++) {
		if (n)
			tdat_build_str(out, ", ");
		model_text_x64(out, bytes.ptr[n], 2);
	}
	tdat_build_u8(out, ']');
}

/* name=value of every field: the last resort. */
static void print_fields(const struct tdat_format *format, struct tdat_span record,
			 struct tdat_build *out)
{
	const struct tdat_field *f = format->fields + format->common_count;
	const struct tdat_field *end = format->fields + format->field_count;

	for (; f < end; f++) {
		tdat_build_u8(out, ' ');
		tdat_build_str(out, f->name);
		tdat_build_u8(out, '=');
		print_value(f, record, out);
	}
}

void model_print_run(const struct model_print *p, const struct model_event *event,
		     struct model_scratch *scratch, struct tdat_build *out)
{
	enum model_print_style style = p->style;

	(void)scratch;
	if (p->native) {
		if (p->native->run(p->native, event, out))
			return;
		style = MODEL_PRINT_NO_PLUGINS; /* what is left is print fmt */
	}
	if (p->tep && model_tep_print(p->tep, p->format, style, event, out))
		return;
	print_fields(p->format, event->record, out);
}
