/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes events of texts: typed ones where that is possible, else ones that carry the text. Each
 * name of these gets a format of its own (event_forms.c): nothing in their fields is computed.
 *
 * Where a text has events of several CPUs in one microsecond, and a later one is of a lower CPU,
 * a nanosecond is added for each, as readers put equal times in the order of CPUs.
 */
#include "text_events.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/file.h>

#include "core/text.h"
#include "event_forms.h"
#include "import/record.h"

enum {
	NAME_MOST = 120,
	NAMES_MOST = 8192, /* further names are part of the text */
	COMM_MOST = 255,
	RAISE_MOST = 499, /* more would round to the next microsecond */
	CPUS_MOST = 1 << 16,
	TASKS_MOST = 1 << 19, /* names of further ones are left out */
	MOMENTS_MOST = 16 << 20
};

/* ---- names ---- */

struct ft_name {
	char *name;
	size_t len;
	enum form_id form;
	uint16_t id;
};

struct ft_task {
	int32_t pid;
	uint32_t tgid;
	char *comm;
};

void ft_out_init(struct ft_out *o, const struct tdat_emit *emit, const char *system, bool big)
{
	memset(o, 0, sizeof(*o));
	o->emit = emit;
	o->tracer = "";
	o->system = system;
	o->text_most = FT_TEXT_MOST;
	tdat_build_init(&o->record, big);
	tdat_build_init(&o->moments, big);
}

void ft_out_fini(struct ft_out *o)
{
	for (size_t i = 0; i < o->name_map.count; i++)
		free(o->names[i].name);
	for (size_t i = 0; i < o->task_map.count; i++)
		free(o->tasks[i].comm);
	free(o->names);
	free(o->tasks);
	free(o->lost);
	tdat_map_fini(&o->name_map);
	tdat_map_fini(&o->task_map);
	tdat_build_fini(&o->record);
	tdat_build_fini(&o->moments);
}

/* The format of events of that name and form; *id stays 0 if there are too many names already. */
static enum tdat_status name_id(struct ft_out *o, enum form_id form, struct tdat_span name,
				uint16_t *id, struct tdat_error *err)
{
	const uint64_t hash = tdat_hash_bytes(o->name_map.seed, name.ptr, name.len) + form;
	enum tdat_status st;
	uint32_t i;

	TDAT_MAP_FIND(i, &o->name_map, hash,
		      o->names[i].form == form && o->names[i].len == name.len &&
			      !memcmp(o->names[i].name, name.ptr, name.len));
	if (i != TDAT_MAP_NONE) {
		*id = o->names[i].id;
		return TDAT_OK;
	}
	if (o->name_map.count >= NAMES_MOST)
		return TDAT_OK;
	if (!TDAT_MAP_GROW(&o->name_map, o->names, &o->name_cap))
		return tdat_error_no_memory(err, "names of events");
	i = (uint32_t)o->name_map.count;
	o->names[i] = (struct ft_name){malloc(name.len + 1), name.len, form, 0};
	if (!o->names[i].name)
		return tdat_error_no_memory(err, "names of events");
	memcpy(o->names[i].name, name.ptr, name.len);
	o->names[i].name[name.len] = 0;
	st = ft_form_emit(o->emit, form, o->system, o->names[i].name, &o->names[i].id, err);
	if (st != TDAT_OK) {
		free(o->names[i].name);
		return st;
	}
	*id = o->names[i].id;
	/* The first element sets the seed. */
	tdat_map_put(&o->name_map, tdat_hash_bytes(o->name_map.seed, name.ptr, name.len) + form, i);
	return TDAT_OK;
}

/* ---- tasks ---- */

/* From ts on the task has that name. Rows beyond the limit are not kept. */
static void keep_moment(struct ft_out *o, uint64_t ts, int32_t pid, const char *comm)
{
	if (o->moments.len > MOMENTS_MOST)
		return;
	tdat_build_u64(&o->moments, ts);
	tdat_build_u32(&o->moments, (uint32_t)pid);
	tdat_build_cstr(&o->moments, comm);
	o->moment_count++;
}

static enum tdat_status set_comm(struct ft_out *o, struct ft_task *t, struct tdat_span comm,
				 uint64_t ts, struct tdat_error *err)
{
	const size_t len = comm.len < COMM_MOST ? comm.len : COMM_MOST;
	char *copy;

	if (t->comm && strlen(t->comm) == len && !memcmp(t->comm, comm.ptr, len))
		return TDAT_OK;
	copy = malloc(len + 1);
	if (!copy)
		return tdat_error_no_memory(err, "names of tasks");
	memcpy(copy, comm.ptr, len);
	copy[len] = 0;
	o->renamed += t->comm != NULL;
	free(t->comm);
	t->comm = copy;
	keep_moment(o, ts, t->pid, copy);
	return tdat_emit_comm(o->emit, t->pid, copy, err);
}

static bool is_unknown(struct tdat_span comm)
{
	return !comm.len || tdat_span_is(comm, "<...>");
}

enum tdat_status ft_out_task(struct ft_out *o, const struct ft_head *h, uint64_t ts,
			     struct tdat_error *err)
{
	uint64_t hash = tdat_hash_u64(o->task_map.seed, (uint32_t)h->pid);
	const bool named = !is_unknown(h->comm);
	uint32_t i;

	if (h->pid <= 0 || (!named && h->tgid == FT_NONE))
		return TDAT_OK;
	TDAT_MAP_FIND(i, &o->task_map, hash, o->tasks[i].pid == h->pid);
	if (i == TDAT_MAP_NONE && o->task_map.count >= TASKS_MOST) {
		o->unnamed++;
		return TDAT_OK;
	}
	if (i == TDAT_MAP_NONE) {
		if (!TDAT_MAP_GROW(&o->task_map, o->tasks, &o->task_cap))
			return tdat_error_no_memory(err, "names of tasks");
		/* The first element sets the seed. */
		hash = tdat_hash_u64(o->task_map.seed, (uint32_t)h->pid);
		i = tdat_map_add(&o->task_map, hash);
		o->tasks[i] = (struct ft_task){h->pid, FT_NONE, NULL};
	}
	if (h->tgid != FT_NONE)
		o->tasks[i].tgid = h->tgid;
	return named ? set_comm(o, &o->tasks[i], h->comm, ts, err) : TDAT_OK;
}

/* ---- times and losses ---- */

enum tdat_status ft_out_lost(struct ft_out *o, uint32_t cpu, int64_t count, struct tdat_error *err)
{
	if (cpu >= CPUS_MOST)
		return TDAT_OK;
	if (!TDAT_GROW_ZERO(o->lost, &o->lost_count, (size_t)cpu + 1))
		return tdat_error_no_memory(err, "lost events");
	o->lost[cpu] = count < 0 || o->lost[cpu] < 0 ? -1 : o->lost[cpu] + count;
	return TDAT_OK;
}

static uint64_t time_of(struct ft_out *o, const struct ft_head *h)
{
	uint64_t ts = h->ts;

	o->rank++;
	if (o->ranks)
		return o->rank;
	if (h->unit == FT_NO_TIME)
		return o->last_given;
	if (o->sort || h->unit == FT_COUNT || h->digits > 6 || ts != o->last_ts) {
		o->last_ts = ts;
	} else {
		ts = o->last_given;
		if (h->cpu < o->last_cpu && ts - o->last_ts < RAISE_MOST) {
			ts++;
			o->raised++;
		}
	}
	o->last_given = ts;
	o->last_cpu = h->cpu;
	return ts;
}

static enum tdat_status emit_record(struct ft_out *o, uint64_t ts, uint32_t cpu,
				    struct tdat_span record, struct tdat_error *err)
{
	struct tdat_emit_event ev = {.cpu = cpu, .ts = ts, .record = record};

	if (cpu < o->lost_count) {
		ev.lost_before = o->lost[cpu];
		o->lost[cpu] = 0;
	}
	return tdat_emit_event(o->emit, &ev, err);
}

/* ---- events ---- */

/* Hands over o->record, which has all but the flags. */
static enum tdat_status finish(struct ft_out *o, const struct ft_head *h, uint64_t ts,
			       struct tdat_error *err)
{
	struct tdat_build *b = &o->record;

	if (b->failed)
		return tdat_error_no_memory(err, "an event");
	b->ptr[2] = h->flags;
	b->ptr[3] = h->preempt;
	o->events++;
	return o->sort ? import_sort_add(o->sort, ts, h->cpu, b->ptr, b->len, err)
		       : emit_record(o, ts, h->cpu, import_record_span(b), err);
}

enum tdat_status ft_out_parts(struct ft_out *o, const struct ft_head *h, enum form_id form,
			      struct tdat_span name, const struct ft_part *parts,
			      struct tdat_error *err)
{
	const struct ft_form *f = &ft_forms[form];
	size_t at[FT_FIELDS_MOST], room = o->text_most;
	struct tdat_build *b = &o->record;
	const uint64_t ts = time_of(o, h);
	enum tdat_status st = ft_out_task(o, h, ts, err);
	uint16_t id = 0;

	if (st == TDAT_OK)
		st = name_id(o, form, name, &id, err);
	if (st != TDAT_OK)
		return st;
	import_record_begin(b, id, h->pid);
	for (size_t i = 0; i < f->count; i++) {
		at[i] = b->len;
		if (f->fields[i].type == F_U64)
			tdat_build_u64(b, parts[i].num);
		else
			tdat_build_u32(b, (uint32_t)parts[i].num);
	}
	for (size_t i = 0; i < f->count; i++) {
		struct tdat_span s = parts[i].text;

		if (f->fields[i].type != F_TEXT)
			continue;
		o->cut += s.len > room;
		s.len = s.len < room ? s.len : room;
		room -= s.len;
		import_record_string(b, at[i], s.ptr, s.len);
	}
	return finish(o, h, ts, err);
}

static enum tdat_status sorted_record(void *ctx, uint64_t ts, uint32_t cpu, struct tdat_span data,
				      struct tdat_error *err)
{
	return emit_record(ctx, ts, cpu, data, err);
}

enum tdat_status ft_out_typed(struct ft_out *o, const struct ft_head *h, struct tdat_span name,
			      struct tdat_span text, bool *done, struct tdat_error *err)
{
	struct tdat_build *b = &o->record;
	struct tdat_span record = {NULL, 0};
	enum tdat_status st = TDAT_OK;
	uint16_t id = 0;
	uint64_t ts;

	*done = false;
	if (o->typed)
		st = ft_typed_record(o->typed, name, text, o->emit, &record, &id, err);
	/* A record that no page takes stays a text, which is cut. */
	if (st != TDAT_OK || !record.len || record.len > o->text_most)
		return st;
	*done = true;
	ts = time_of(o, h);
	st = ft_out_task(o, h, ts, err);
	if (st != TDAT_OK)
		return st;
	import_record_begin(b, id, h->pid);
	tdat_build_bytes(b, record.ptr + IMPORT_COMMON_LEN, record.len - IMPORT_COMMON_LEN);
	o->typed_count++;
	return finish(o, h, ts, err);
}

/* NUL bytes end a string: each starts a field of its own. */
enum tdat_status ft_out_text(struct ft_out *o, const struct ft_head *h, struct tdat_span name,
			     struct tdat_span text, struct tdat_error *err)
{
	struct ft_part parts[FT_FIELDS_MOST] = {{0, text}};
	enum form_id form = FORM_TEXT;
	const uint8_t *nul;

	while (form < FORM_NUL7 && (nul = memchr(parts[form].text.ptr, 0, parts[form].text.len))) {
		struct tdat_span *s = &parts[form].text, *next = &parts[form + 1].text;

		next->ptr = nul + 1;
		next->len = s->len - (size_t)(nul + 1 - s->ptr);
		s->len = (size_t)(nul - s->ptr);
		form++;
	}
	if (form == FORM_NUL7 && memchr(parts[FORM_NUL7].text.ptr, 0, parts[FORM_NUL7].text.len))
		o->cut++;
	return ft_out_parts(o, h, form, name, parts, err);
}

static bool name_char(uint8_t c)
{
	return tdat_is_word(c) || c == '.' || c == '-';
}

/* How many characters of a name stand at the start; 0 where it starts as a number does. */
static size_t name_len(struct tdat_span s)
{
	size_t n = 0;

	while (n < s.len && n < NAME_MOST && name_char(s.ptr[n]))
		n++;
	if (n && (s.ptr[0] == '-' || s.ptr[0] == '.'))
		return 0;
	return n && tdat_is_dec(s.ptr[0]) && !memchr(s.ptr, '_', n) ? 0 : n;
}

/* "sys_read(fd: 3, ...)" and "sys_read -> 0x1": false, and nothing is done, if it is none. */
static bool syscall_text(struct ft_out *o, const struct ft_head *h, struct tdat_span text,
			 enum tdat_status *st, struct tdat_error *err)
{
	const bool compat = tdat_span_starts(text, "compat_sys_");
	const size_t skip = compat ? 11 : 4;
	struct tdat_span rest, name;
	char full[NAME_MOST + 32];
	bool enter, done;
	int n;

	if (!compat && !tdat_span_starts(text, "sys_"))
		return false;
	rest = tdat_span_from(text, skip);
	name = (struct tdat_span){rest.ptr, name_len(rest)};
	rest = tdat_span_from(rest, name.len);
	enter = tdat_span_starts(rest, "(");
	if (!name.len || (!enter && !tdat_span_starts(rest, " -> ")))
		return false;
	rest = tdat_span_from(rest, enter ? 1 : 4);
	if (enter && rest.len && rest.ptr[rest.len - 1] == ')')
		rest.len--;
	n = snprintf(full, sizeof(full), "%ssys_%s_%.*s", compat ? "compat_" : "",
		     enter ? "enter" : "exit", (int)name.len, (const char *)name.ptr);
	*st = ft_out_typed(o, h, (struct tdat_span){(const uint8_t *)full, (size_t)n}, text, &done,
			   err);
	if (*st == TDAT_OK && !done)
		*st = ft_out_text(o, h, (struct tdat_span){(const uint8_t *)full, (size_t)n}, rest,
				  err);
	return true;
}

/* "a <-b": of the function tracer. Without the parent it is one name, and what follows it. */
static enum tdat_status function_text(struct ft_out *o, const struct ft_head *h,
				      struct tdat_span text, struct tdat_error *err)
{
	struct ft_part parts[2] = {{0, text}, {0, {text.ptr, 0}}};
	const uint8_t *p = text.ptr, *end = text.ptr + text.len;

	while ((p = memchr(p, '<', (size_t)(end - p)))) {
		if (p > text.ptr && p[-1] == ' ' && end - p > 1 && p[1] == '-') {
			parts[0].text.len = (size_t)(p - text.ptr) - 1;
			parts[1].text = (struct tdat_span){p + 2, (size_t)(end - p) - 2};
			break;
		}
		p++;
	}
	return ft_out_parts(o, h, FORM_FUNCTION, tdat_span_of("function"), parts, err);
}

/* Cuts " <address>" off a name, which is left in *name; the address is empty if there is none. */
static struct tdat_span take_address(struct tdat_span *name)
{
	const uint8_t *at = name->len ? memchr(name->ptr, '<', name->len) : NULL;
	struct tdat_span address = {name->ptr, 0};

	if (at && at > name->ptr && name->ptr[name->len - 1] == '>') {
		address.ptr = at + 1;
		address.len = (size_t)(name->ptr + name->len - at) - 2;
		*name = ft_trimmed(name->ptr, at);
	}
	return address;
}

/* "a <-b (repeats: 1, last_ts: 12.345678)" */
static enum tdat_status repeats_text(struct ft_out *o, const struct ft_head *h,
				     struct tdat_span text, struct tdat_error *err)
{
	const uint8_t *end = text.ptr + text.len, *arrow = memmem(text.ptr, text.len, " <-", 3);
	const uint8_t *open = memmem(text.ptr, text.len, " (repeats: ", 11);
	struct ft_part parts[5];

	if (!arrow || !open || open < arrow || end[-1] != ')')
		return ft_out_text(o, h, tdat_span_of("func_repeats"), text, err);
	memset(parts, 0, sizeof(parts));
	parts[0].text = (struct tdat_span){text.ptr, (size_t)(arrow - text.ptr)};
	parts[1].text = (struct tdat_span){arrow + 3, (size_t)(open - arrow) - 3};
	parts[2].text = (struct tdat_span){open + 11, (size_t)(end - open) - 12};
	parts[3].text = take_address(&parts[0].text);
	parts[4].text = take_address(&parts[1].text);
	return ft_out_parts(o, h, FORM_REPEATS, tdat_span_of("func_repeats"), parts, err);
}

/* Lines of the wakeup tracers: "  123:120:S   + [001] 456:120:R ..." */
static const char *wakeup_name(struct tdat_span text)
{
	struct ft_cursor c = {text.ptr, text.ptr + text.len};
	uint64_t v;

	ft_blanks(&c);
	if (!ft_number(&c, &v) || !ft_take(&c, ":"))
		return NULL;
	ft_blanks(&c);
	if (!ft_number(&c, &v) || !ft_take(&c, ":"))
		return NULL;
	return tdat_span_has(text, "==> [") ? "context_switch"
	       : tdat_span_has(text, "+ [") ? "wakeup"
					    : NULL;
}

/* Texts that start with no name of an event. */
static enum tdat_status unnamed_text(struct ft_out *o, const struct ft_head *h,
				     struct tdat_span text, struct tdat_error *err)
{
	const struct tdat_span tracer = tdat_span_of(o->tracer);
	const char *wakeup = wakeup_name(text);
	const bool one_word = text.len && !memchr(text.ptr, ' ', text.len);

	if (tdat_span_starts(text, "# ") && tdat_span_has(text, " buf:"))
		return ft_out_text(o, h, tdat_span_of("raw_data"), text, err);
	if (wakeup)
		return ft_out_text(o, h, tdat_span_of(wakeup), text, err);
	if (tdat_span_has(text, "(repeats:"))
		return repeats_text(o, h, text, err);
	if (tdat_span_has(text, " <-") || (name_len(text) && one_word) ||
	    !strcmp(o->tracer, "function"))
		return function_text(o, h, text, err);
	if (tdat_span_has(text, ": "))
		return ft_out_text(o, h, tdat_span_of("print"), text, err);
	return ft_out_text(o, h,
			   tracer.len && name_len(tracer) == tracer.len && strcmp(o->tracer, "nop")
				   ? tracer
				   : tdat_span_of("text"),
			   text, err);
}

/* Of trace-cmd report --ts-diff: the text behind "(+739)   ", or behind blanks of that column. */
static struct tdat_span behind_diff(struct tdat_span text)
{
	struct ft_cursor c = {text.ptr, text.ptr + text.len};
	const bool diff = ft_take(&c, "(+");
	uint64_t v;

	ft_take(&c, "-");
	if (diff && ft_number(&c, &v) && ft_take(&c, ")") && ft_blanks(&c))
		return (struct tdat_span){c.p, (size_t)(c.end - c.p)};
	tdat_take_blanks(&text);
	return text;
}

enum tdat_status ft_out_event(struct ft_out *o, const struct ft_head *h, struct tdat_span text,
			      struct tdat_error *err)
{
	struct ft_part part = {0, {NULL, 0}};
	struct tdat_span name;
	enum tdat_status st;
	size_t n;
	bool done;

	if (o->report)
		text = behind_diff(text);
	n = name_len(text);
	name = (struct tdat_span){text.ptr, n};
	if (tdat_span_starts(text, "<stack trace"))
		return ft_out_text(o, h, tdat_span_of("kernel_stack"), text, err);
	if (tdat_span_starts(text, "<user stack trace"))
		return ft_out_text(o, h, tdat_span_of("user_stack"), text, err);
	if (syscall_text(o, h, text, &st, err))
		return st;
	if (!n || n == text.len || text.ptr[n] != ':')
		return unnamed_text(o, h, text, err);
	text = tdat_span_from(text, n + 1);
	while (tdat_span_starts(text, " ")) {
		text = tdat_span_from(text, 1);
		if (!o->report)
			break;
	}
	part.text = text;
	if (n == 18 && !memcmp(name.ptr, "tracing_mark_write", n) && !memchr(text.ptr, 0, text.len))
		return ft_out_parts(o, h, FORM_PRINT, tdat_span_of("print"), &part, err);
	st = ft_out_typed(o, h, name, text, &done, err);
	return st == TDAT_OK && !done ? ft_out_text(o, h, name, text, err) : st;
}

enum tdat_status ft_out_graph(struct ft_out *o, const struct ft_graph_line *l,
			      struct tdat_span func, struct tdat_error *err)
{
	const struct ft_part entry[] = {
		{l->depth, {NULL, 0}},
		{0, l->name},
		{0, l->args},
		{0, {l->note.ptr, l->kind == FT_GRAPH_ENTRY ? l->note.len : 0}}};
	const struct ft_part leave[] = {
		{l->duration, {NULL, 0}}, {l->depth, {NULL, 0}}, {0, func}, {0, l->note}};
	const bool plain = !l->has_duration;
	enum tdat_status st = TDAT_OK;

	if (l->kind != FT_GRAPH_EXIT)
		st = ft_out_parts(o, &l->head, FORM_ENTRY, tdat_span_of("funcgraph_entry"), entry,
				  err);
	if (st != TDAT_OK || l->kind == FT_GRAPH_ENTRY)
		return st;
	return ft_out_parts(o, &l->head, plain ? FORM_EXIT_PLAIN : FORM_EXIT,
			    tdat_span_of("funcgraph_exit"), leave + plain, err);
}

/* Names of threads and their groups, as a trace.dat has them. */
static enum tdat_status emit_tgids(struct ft_out *o, struct tdat_error *err)
{
	struct tdat_build b;
	enum tdat_status st = TDAT_OK;
	char line[32];

	tdat_build_init(&b, false);
	for (size_t i = 0; i < o->task_map.count; i++) {
		if (o->tasks[i].tgid == FT_NONE)
			continue;
		snprintf(line, sizeof(line), "%" PRId32 " %" PRIu32 "\n", o->tasks[i].pid,
			 o->tasks[i].tgid);
		tdat_build_str(&b, line);
	}
	if (b.failed)
		st = tdat_error_no_memory(err, "thread groups");
	else if (b.len)
		st = tdat_emit_option(o->emit, TDAT_OPTION_SAVED_TGIDS, b.ptr, b.len, err);
	tdat_build_fini(&b);
	return st;
}

/* Option TASK_NAMES, where a task has more names than one. */
static enum tdat_status emit_moments(struct ft_out *o, struct tdat_error *err)
{
	struct tdat_build b;
	enum tdat_status st;

	if (!o->renamed)
		return TDAT_OK;
	tdat_build_init(&b, o->record.big);
	tdat_build_u32(&b, o->moment_count);
	tdat_build_bytes(&b, o->moments.ptr, o->moments.len);
	st = b.failed || o->moments.failed
		     ? tdat_error_no_memory(err, "names of tasks")
		     : tdat_emit_option(o->emit, TDAT_OPTION_TASK_NAMES, b.ptr, b.len, err);
	tdat_build_fini(&b);
	if (st == TDAT_OK && o->moments.len > MOMENTS_MOST)
		st = tdat_emit_warnf(
			o->emit, NULL, TDAT_NO_OFFSET, err,
			"tasks change their names %" PRIu64 " times: tdat keeps the first %" PRIu32
			" names with their times, and only the last name of other tasks",
			o->renamed, o->moment_count);
	return st;
}

enum tdat_status ft_out_finish(struct ft_out *o, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	if (o->sort)
		st = import_sort_each(o->sort, sorted_record, o, err);
	if (st == TDAT_OK && o->unnamed)
		st = tdat_emit_warnf(
			o->emit, NULL, TDAT_NO_OFFSET, err,
			"%" PRIu64
			" events belong to tasks beyond the first %d, whose names are omitted",
			o->unnamed, TASKS_MOST);
	if (st == TDAT_OK)
		st = emit_moments(o, err);
	return st == TDAT_OK ? emit_tgids(o, err) : st;
}
