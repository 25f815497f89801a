/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Decides how the events of one type become messages. */
#include "event_plan.h"

#include <stdlib.h>
#include <string.h>

#include "known_events.h"
#include "numbers.h"
#include "proto.h"

static bool is_number_len(uint32_t len)
{
	return len == 1 || len == 2 || len == 4 || len == 8;
}

/* Whether print fmt prints the field as a mask: "__get_bitmask(cpus)". */
static bool printed_as_mask(const struct tdat_format *format, const char *name)
{
	static const char *const calls[] = {"__get_bitmask(", "__get_rel_bitmask(",
					    "__get_cpumask(", "__get_rel_cpumask("};
	const char *fmt = tdat_format_print_fmt(format);
	const size_t n = strlen(name);

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		const char *at = fmt;

		while ((at = strstr(at, calls[i]))) {
			at += strlen(calls[i]);
			if (!strncmp(at, name, n) && at[n] == ')')
				return true;
		}
	}
	return false;
}

/* Arrays of char are text; those of u8 and unsigned char are numbers. */
static bool is_text(const struct tdat_field *f)
{
	return (f->flags & TDAT_FIELD_STRING) && strstr(f->type, "char") &&
	       !strstr(f->type, "unsigned");
}

static void classify(struct pf_field *x, const struct tdat_format *format)
{
	const struct tdat_field *f = x->field;
	const bool array = f->flags & (TDAT_FIELD_ARRAY | TDAT_FIELD_DYNAMIC | TDAT_FIELD_FLEXIBLE);

	x->is_signed = f->flags & TDAT_FIELD_SIGNED;
	x->elem_len = f->elem_len;
	if (strstr(f->type, "cpumask") || printed_as_mask(format, f->name)) {
		x->kind = PF_MASK;
		if (x->elem_len != 4 && x->elem_len != 8)
			x->elem_len = 8;
	} else if (is_text(f)) {
		x->kind = PF_STRING;
	} else if (array) {
		x->kind = is_number_len(f->elem_len) ? PF_NUMBERS : PF_HEX;
	} else {
		x->kind = is_number_len(f->len) ? PF_NUMBER : PF_HEX;
	}
}

/* ---- the messages that Perfetto has ---- */

/* Whether all values of a field fit into that of the message, which is made of it then. */
static bool fit(struct pf_field *x, struct pf_known_field known)
{
	switch (known.type) {
	case 'l':
	case 'q':
		break;
	case 'i':
	case 'u':
		if (x->kind != PF_NUMBER || x->field->len > 4)
			return false;
		x->narrow = (uint8_t)known.type;
		break;
	case 's':
		x->number = known.number;
		return x->kind == PF_STRING;
	case 'b':
		x->number = known.number;
		if (x->kind != PF_HEX && (x->kind != PF_NUMBERS || x->elem_len != 1))
			return false;
		x->kind = PF_BYTES;
		return true;
	case 'Q':
		x->number = known.number;
		if (x->kind != PF_NUMBERS || x->is_signed)
			return false;
		x->kind = PF_NUMBERS_EACH;
		return true;
	default:
		return false;
	}
	x->number = known.number;
	return x->kind == PF_NUMBER;
}

/*
 * Whether Perfetto's message of the event's name has a place for all its fields. It may have more:
 * kernels differ. Where it has fewer, it would lose values.
 */
static bool fits(struct pf_plan *p, const struct pf_known_event *event)
{
	struct pf_known_field known;

	for (size_t i = 0; i < p->count; i++)
		if (!pf_known_field(event, p->fields[i].field->name, &known) ||
		    !fit(&p->fields[i], known))
			return false;
	return true;
}

/* ---- all other events ---- */

static void number_fields(struct pf_plan *p)
{
	const size_t more = p->text ? 1 : 0;

	for (size_t i = 0; i < p->count; i++) {
		p->fields[i].number = (uint32_t)i + 1;
		p->fields[i].narrow = 0;
		classify(&p->fields[i], p->format);
	}
	p->own_count = p->count;
	if (p->form == PF_DESCRIBED && p->count + more > PF_MOST_FIELDS)
		p->own_count = PF_MOST_FIELDS - 1 - more;
}

/* Messages have their fields in the order of their numbers, as all writers of them do. */
static int by_number(const void *a, const void *b)
{
	const struct pf_field *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static bool is_event(const struct tdat_format *format, const char *name)
{
	return !strcmp(tdat_format_system(format), "ftrace") &&
	       !strcmp(tdat_format_name(format), name);
}

enum tdat_status pf_plan_new(struct pf_plan **out, const struct tdat_format *format,
			     uint32_t number, bool pairs, struct tdat_error *err)
{
	size_t n;
	const struct tdat_field *fields = tdat_format_fields(format, &n);
	const struct pf_known_event *known = pf_known_event(tdat_format_name(format));
	struct pf_plan *p = calloc(1, sizeof(*p));

	*out = NULL;
	if (p)
		p->fields = calloc(n + 1, sizeof(*p->fields));
	if (!p || !p->fields) {
		pf_plan_free(p);
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory for an event");
	}
	p->format = format;
	for (size_t i = 0; i < n; i++)
		if (!(fields[i].flags & TDAT_FIELD_COMMON))
			p->fields[p->count++].field = &fields[i];
	for (size_t i = 0; i < p->count; i++)
		classify(&p->fields[i], format);
	p->stack = is_event(format, "kernel_stack") || is_event(format, "user_stack");
	p->text = is_event(format, "bprint") || is_event(format, "bputs");
	p->own_count = p->count;
	if (known && !p->text && fits(p, known)) {
		p->form = PF_TYPED;
		p->number = known->number;
		qsort(p->fields, p->count, sizeof(*p->fields), by_number);
	} else {
		p->form = pairs ? PF_PAIRS : PF_DESCRIBED;
		p->number = pairs ? (uint32_t)PF_EVENT_GENERIC : number;
		number_fields(p);
	}
	*out = p;
	return TDAT_OK;
}

void pf_plan_free(struct pf_plan *p)
{
	if (!p)
		return;
	free(p->fields);
	free(p);
}

/* ---- descriptors ---- */

static void describe_field(struct tdat_build *b, const char *name, size_t number, enum pf_type type)
{
	const size_t at = proto_open(b, PF_PROTO_FIELD);

	proto_cstr(b, PF_FIELD_NAME, name);
	proto_u64(b, PF_FIELD_NUMBER, number);
	proto_u64(b, PF_FIELD_LABEL, PF_LABEL_OPTIONAL);
	proto_u64(b, PF_FIELD_TYPE, (uint64_t)type);
	proto_close(b, at);
}

void pf_plan_describe(const struct pf_plan *p, struct tdat_build *b)
{
	const size_t at = proto_open(b, PF_BUNDLE_DESCRIPTOR);
	size_t proto, i;

	proto_u64(b, PF_DESCRIPTOR_ID, p->number);
	proto = proto_open(b, PF_DESCRIPTOR_PROTO);
	proto_cstr(b, PF_PROTO_NAME, tdat_format_name(p->format));
	for (i = 0; i < p->own_count; i++) {
		const struct pf_field *f = &p->fields[i];

		describe_field(b, f->field->name, f->number,
			       f->kind != PF_NUMBER ? PF_TYPE_STRING
			       : f->is_signed	    ? PF_TYPE_INT64
						    : PF_TYPE_UINT64);
	}
	if (i < p->count)
		describe_field(b, "more_fields", ++i, PF_TYPE_STRING);
	if (p->text)
		describe_field(b, "text", i + 1, PF_TYPE_STRING);
	proto_close(b, proto);
	proto_cstr(b, PF_DESCRIPTOR_GROUP, tdat_format_system(p->format));
	proto_close(b, at);
}
