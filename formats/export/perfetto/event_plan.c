/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decides how the events of one type become messages. A type that Perfetto has a message for
 * (known_events.c) gets that message, if its fields fit; others get a descriptor with their own
 * fields. The plan is made once for each type and thread.
 */
#include "event_plan.h"

#include <stdlib.h>
#include <string.h>

#include "known_events.h"
#include "proto.h"

/* Lengths of which a number can be loaded. */
static bool is_number_len(uint32_t len)
{
	return len == 1 || len == 2 || len == 4 || len == 8;
}

/* True if the format is the ftrace event of this name. */
static bool is_event(const struct tdat_event_format *format, const char *name)
{
	return !strcmp(tdat_event_format_system(format), "ftrace") &&
	       !strcmp(tdat_event_format_name(format), name);
}

/*
 * True for text: arrays of char. Raw data of programs is not, nor are arrays of u8 and unsigned
 * char.
 */
static bool is_text(const struct tdat_field *f)
{
	return (f->flags & TDAT_FIELD_STRING) && strstr(f->type, "char") &&
	       !strstr(f->type, "signed") && !is_event(f->format, "raw_data");
}

/*
 * Sets how a field is read. Numbers and text, the most common, are read by event_write.c; others
 * through cells as the table exports have them.
 */
static void classify(struct pf_field *x)
{
	const struct tdat_field *f = x->field;
	const bool array = f->flags & (TDAT_FIELD_ARRAY | TDAT_FIELD_DYNAMIC | TDAT_FIELD_FLEXIBLE);

	x->is_signed = f->flags & TDAT_FIELD_SIGNED;
	x->column = PF_NO_COLUMN;
	if (is_text(f) && !strstr(f->type, "cpumask"))
		x->kind = PF_STRING;
	else
		x->kind = !array && is_number_len(f->len) ? PF_NUMBER : PF_CELL;
}

/* ---- the messages that Perfetto has ---- */

/*
 * True if all values of a field fit into the message's field, whose number and form it takes then.
 * Letters of known.type: l, q: 64 bits; i, u: 32 bits; s: string; b: bytes; Q: repeated 64 bits.
 */
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
		if (x->kind != PF_CELL || x->field->elem_len != 1)
			return false;
		x->kind = PF_BYTES;
		return true;
	case 'Q':
		x->number = known.number;
		if (x->kind != PF_CELL || x->is_signed || !is_number_len(x->field->elem_len))
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
 * True for events that trace processor makes slices, counters, states or names of. They keep their
 * own message even if it cannot hold all fields; other events get a descriptor then.
 */
static bool is_drawn(const char *name)
{
	static const char *const names[] = {
		"cpu_frequency",
		"cpu_idle",
		"funcgraph_entry",
		"funcgraph_exit",
		"ipi_entry",
		"ipi_exit",
		"irq_handler_entry",
		"irq_handler_exit",
		"sched_process_exit",
		"sched_process_free",
		"sched_switch",
		"sched_wakeup",
		"sched_wakeup_new",
		"sched_waking",
		"signal_deliver",
		"signal_generate",
		"softirq_entry",
		"softirq_exit",
		"suspend_resume",
		"sys_enter",
		"sys_exit",
		"task_newtask",
		"task_rename",
		"workqueue_execute_end",
		"workqueue_execute_start",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/*
 * True if Perfetto's message of the event's name can hold all fields; it may have more, as kernels
 * differ. Fields of a drawn event that find no place go behind the others in p->fields.
 */
static bool fits(struct pf_plan *p, const struct pf_known_event *event)
{
	const bool drawn = is_drawn(event->name);
	size_t placed = 0;

	for (size_t i = 0; i < p->count; i++) {
		struct pf_field f = p->fields[i];
		struct pf_known_field known;

		if (pf_known_field(event, f.field->name, &known) && fit(&f, known)) {
			p->fields[i] = p->fields[placed];
			p->fields[placed++] = f;
		} else if (!drawn) {
			return false;
		}
	}
	p->left_out = p->count - placed;
	p->count = placed;
	return placed || !p->left_out;
}

/* ---- all other events ---- */

/* Order of the format; the fields of one format are in one array. */
static int by_place(const void *a, const void *b)
{
	const struct pf_field *x = a, *y = b;

	return (x->field > y->field) - (x->field < y->field);
}

/* Order of the numbers, as all writers of protobuf have it. */
static int by_number(const void *a, const void *b)
{
	const struct pf_field *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

/*
 * Numbers the fields of a described event from 1 in the format's order. fits() may have moved and
 * classified them.
 */
static void number_fields(struct pf_plan *p)
{
	const size_t more = p->text ? 1 : 0;

	p->count += p->left_out;
	p->left_out = 0;
	qsort(p->fields, p->count, sizeof(*p->fields), by_place);
	for (size_t i = 0; i < p->count; i++) {
		p->fields[i].number = (uint32_t)i + 1;
		p->fields[i].narrow = 0;
		classify(&p->fields[i]);
	}
	p->own_count = p->count;
	/* Fields that are too many for a descriptor share one, "more_fields". */
	if (p->form == PF_DESCRIBED && p->count + more > PF_MOST_FIELDS)
		p->own_count = PF_MOST_FIELDS - 1 - more;
}

/*
 * Finds trace_marker text: ftrace/print in the kernel's own traces, tracing_mark_write in those of
 * importers. trace_printk() makes bprint or bputs.
 */
static void find_marks(struct pf_plan *p)
{
	const struct tdat_field *buf = tdat_event_format_field(p->format, "buf");
	const char *name = tdat_event_format_name(p->format);

	p->ip = tdat_event_format_field(p->format, "ip");
	p->marks = p->text;
	if ((!strcmp(name, "print") || !strcmp(name, "tracing_mark_write")) && buf &&
	    is_text(buf)) {
		p->mark = buf;
		p->marks = true;
	}
}

/* Finds other uses of the event beside its message: stacks, marks, calls. */
static void find_uses(struct pf_plan *p)
{
	static const struct {
		const char *event, *field;
	} functions[] = {
		/* Trace processor takes these for functions (kKernelFunctionFields). */
		{"funcgraph_entry", "func"},	       {"funcgraph_exit", "func"},
		{"hrtimer_expire_entry", "function"},  {"mm_shrink_slab_start", "shrink"},
		{"sched_blocked_reason", "caller"},    {"workqueue_activate_work", "function"},
		{"workqueue_execute_end", "function"}, {"workqueue_execute_start", "function"},
		{"workqueue_queue_work", "function"},
	};
	const char *name = tdat_event_format_name(p->format);

	p->user = is_event(p->format, "user_stack");
	p->frames = tdat_event_format_field(p->format, "caller");
	p->stack = p->frames && (p->user || is_event(p->format, "kernel_stack"));
	/* Since Linux 5.9 a kernel's stack has its number of frames. */
	if (p->stack && !p->user)
		p->size = tdat_event_format_field(p->format, "size");
	p->text = is_event(p->format, "bprint") || is_event(p->format, "bputs");
	find_marks(p);
	p->exit = is_event(p->format, "funcgraph_exit");
	p->call = p->exit || is_event(p->format, "funcgraph_entry") ||
		  is_event(p->format, "fgraph_retaddr_entry") ||
		  is_event(p->format, "funcgraph_retaddr_entry");
	if (p->call)
		p->function = tdat_event_format_field(p->format, "func");
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (!strcmp(functions[i].event, name))
			p->function = tdat_event_format_field(p->format, functions[i].field);
	/* Events made of the kernel's text have the name itself. */
	if (p->function && (p->function->flags & TDAT_FIELD_STRING)) {
		p->name = p->function;
		p->function = NULL;
	}
	/* The kernel's addresses have the size of its long. */
	if (p->function && p->function->len != 4 && p->function->len != 8)
		p->function = NULL;
	p->call &= p->function || p->name;
}

/* Plan with the event's own fields, not yet in a form. NULL: no memory. */
static struct pf_plan *plan_of_fields(const struct tdat_event_format *format)
{
	size_t n;
	const struct tdat_field *fields = tdat_event_format_fields(format, &n);
	struct pf_plan *p = calloc(1, sizeof(*p));

	if (p)
		p->fields = calloc(n + 1, sizeof(*p->fields));
	if (!p || !p->fields) {
		pf_plan_free(p);
		return NULL;
	}
	p->format = format;
	for (size_t i = 0; i < n; i++)
		if (!(fields[i].flags & TDAT_FIELD_COMMON))
			p->fields[p->count++].field = &fields[i];
	for (size_t i = 0; i < p->count; i++)
		classify(&p->fields[i]);
	return p;
}

/*
 * Decides the form of an event's messages. number: of the descriptor, if it needs one. On failure
 * *out is NULL.
 */
enum tdat_status pf_plan_new(struct pf_plan **out, const struct tdat_event_format *format,
			     uint32_t number, const struct pf_choice *choice,
			     struct tdat_error *err)
{
	struct pf_plan *p = plan_of_fields(format);
	const struct pf_known_event *known;

	*out = p;
	if (!p)
		return tdat_error_no_memory(err, "an event");
	find_uses(p);
	known = pf_known_event(tdat_event_format_name(format));
	/*
	 * Marks and drawn calls are written in other ways, so their message is not used; and the
	 * kernel's own message has no place for a name.
	 */
	if (known && !p->marks && !p->name && !(choice->tracks && p->call) && fits(p, known)) {
		p->form = PF_TYPED;
		p->number = known->number;
		p->own_count = p->count;
		qsort(p->fields, p->count, sizeof(*p->fields), by_number);
	} else {
		p->form = choice->pairs ? PF_PAIRS : PF_DESCRIBED;
		p->number = choice->pairs ? (uint32_t)PF_EVENT_GENERIC : number;
		number_fields(p);
		if (!p->call)
			p->function = NULL;
	}
	return TDAT_OK;
}

/* Finds the column of each field that is read through cells, once its table type is known. */
void pf_plan_columns(struct pf_plan *p, const struct tdat_cell_type *type)
{
	size_t i, k;

	p->cells = type;
	for (i = 0; i < p->count; i++) {
		for (k = 0; p->fields[i].kind == PF_CELL && k < type->column_count; k++)
			if (!strcmp(type->columns[k], p->fields[i].field->name))
				p->fields[i].column = k;
	}
}

void pf_plan_free(void *plan)
{
	struct pf_plan *p = plan;

	if (!p)
		return;
	free(p->fields);
	free(p);
}

/* Appends the note about the fields of a typed event that are left out. */
void pf_plan_left_out(const struct pf_plan *p, struct tdat_build *out)
{
	tdat_build_str(out, tdat_event_format_system(p->format));
	tdat_build_u8(out, '/');
	tdat_build_str(out, tdat_event_format_name(p->format));
	tdat_build_str(out, ": Perfetto's message does not have the field");
	tdat_build_str(out, p->left_out > 1 ? "s " : " ");
	for (size_t i = p->count; i < p->count + p->left_out; i++) {
		tdat_build_str(out, i > p->count ? ", " : "");
		tdat_build_str(out, p->fields[i].field->name);
	}
}

/* ---- descriptors ---- */

/* Describes one field as a FieldDescriptorProto does. */
void pf_describe_field(struct tdat_build *b, const char *name, size_t number, enum pf_type type)
{
	const size_t at = proto_open(b, PF_PROTO_FIELD);

	proto_cstr(b, PF_FIELD_NAME, name);
	proto_u64(b, PF_FIELD_NUMBER, number);
	proto_u64(b, PF_FIELD_LABEL, PF_LABEL_OPTIONAL);
	proto_u64(b, PF_FIELD_TYPE, (uint64_t)type);
	proto_close(b, at);
}

/*
 * Writes the descriptor of a described event: name, group, and the fields in order of their
 * numbers.
 */
void pf_plan_describe(const struct pf_plan *p, struct tdat_build *b)
{
	const size_t at = proto_open(b, PF_BUNDLE_DESCRIPTOR);
	size_t proto, i;

	proto_u64(b, PF_DESCRIPTOR_ID, p->number);
	proto = proto_open(b, PF_DESCRIPTOR_PROTO);
	proto_cstr(b, PF_PROTO_NAME, tdat_event_format_name(p->format));
	for (i = 0; i < p->own_count; i++) {
		const struct pf_field *f = &p->fields[i];

		pf_describe_field(b, f->field->name, f->number,
				  f->kind != PF_NUMBER ? PF_TYPE_STRING
				  : f->is_signed       ? PF_TYPE_INT64
						       : PF_TYPE_UINT64);
	}
	if (i < p->count)
		pf_describe_field(b, "more_fields", ++i, PF_TYPE_STRING);
	if (p->text)
		pf_describe_field(b, "text", i + 1, PF_TYPE_STRING);
	proto_close(b, proto);
	proto_cstr(b, PF_DESCRIPTOR_GROUP, tdat_event_format_system(p->format));
	proto_close(b, at);
}
