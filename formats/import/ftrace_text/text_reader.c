/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads lines and makes events of them. The first line whose columns fit a layout decides on it.
 * A line without such columns belongs to the event above: to a stack, or to a marker of several
 * lines. Around the events may be a page of HTML (systrace) or the messages of a console, each
 * with its time before it.
 */
#include "text_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/text.h"
#include "import/text_lines.h"

/* GRAPH_NAMES: names that are remembered of all CPUs; each has at most GRAPH_NAME bytes. */
enum { GRAPH_DEPTH = 64, GRAPH_NAME = 128, GRAPH_NAMES = 1 << 18, CPUS_MOST = 1 << 16 };

/* What runs on a CPU, as far as function_graph tells. */
struct graph_cpu {
	int32_t pid;
	char comm[64];
	char *names[GRAPH_DEPTH]; /* of the functions that were entered, by depth; NULL: none */
};

struct reader {
	struct ft_facts *facts;
	struct ft_out *out; /* NULL: the first pass */
	bool decided;
	enum ft_layout layout;
	bool in_header; /* behind "# tracer:" */
	bool inside;	/* a dump on the console, a trace in HTML */
	bool html, escaped, crlf;
	bool unended; /* the line is the beginning of one: the file was cut */
	uint64_t last_ts;

	bool pending; /* an event whose text may go on */
	bool in_comment;
	struct ft_head head;
	struct tdat_build comm, text;
	struct graph_cpu **cpus;
	size_t cpu_count, graph_names;
};

/* ---- the event that was begun ---- */

static enum tdat_status report_call(struct reader *r, bool *done, struct tdat_error *err);

static enum tdat_status flush(struct reader *r, struct tdat_error *err)
{
	enum tdat_status st;
	bool done;

	if (!r->pending)
		return TDAT_OK;
	r->pending = r->in_comment = false;
	if (r->comm.failed || r->text.failed)
		return tdat_error_no_memory(err, "an event's text");
	if (!r->out)
		return TDAT_OK;
	r->head.comm = (struct tdat_span){r->comm.ptr, r->comm.len};
	st = report_call(r, &done, err);
	if (st != TDAT_OK || done)
		return st;
	/* A text without bytes has an address, too. */
	return ft_out_event(
		r->out, &r->head,
		(struct tdat_span){r->text.len ? r->text.ptr : (const uint8_t *)"", r->text.len},
		err);
}

static void learn(struct reader *r, const struct ft_head *h)
{
	struct ft_facts *f = r->facts;

	if (!f->events++) {
		f->unit = h->unit;
		f->digits = h->digits;
		f->layout = r->layout;
		f->first_cpu = h->cpu;
	}
	f->several_cpus |= h->cpu != f->first_cpu;
	f->no_task += h->pid == FT_NO_PID;
	if (h->cpu >= f->cpus)
		f->cpus = h->cpu + 1;
	f->backward |= h->unit != FT_NO_TIME && h->ts < r->last_ts;
	if (h->unit != FT_NO_TIME)
		r->last_ts = h->ts;
}

static void begin(struct reader *r, const struct ft_head *h, struct tdat_span text)
{
	r->pending = !h->too_late;
	if (h->too_late) {
		r->facts->too_late += !r->out;
		return;
	}
	if (!r->out) {
		learn(r, h);
		return;
	}
	r->head = *h;
	r->comm.len = r->text.len = 0;
	tdat_build_bytes(&r->comm, h->comm.ptr, h->comm.len);
	tdat_build_bytes(&r->text, text.ptr, text.len);
}

/* The beginning of a line may be that of another event, so it is left out. */
static void go_on(struct reader *r, struct tdat_span line)
{
	if (!r->pending || !r->out || r->unended || r->text.len > FT_TEXT_MOST)
		return;
	tdat_build_u8(&r->text, '\n');
	tdat_build_bytes(&r->text, line.ptr, line.len);
}

/* ---- lines with columns ---- */

static enum tdat_status plain_events(struct reader *r, struct tdat_span line, struct ft_head h,
				     struct tdat_error *err)
{
	enum tdat_status st = flush(r, err);

	while (st == TDAT_OK) {
		const size_t next = ft_head_inside(r->layout, line, h.rest);
		struct ft_head inner;

		if (h.cpu >= CPUS_MOST)
			return tdat_error_set(
				err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				"CPU %u is above the highest CPU number that tdat can write",
				h.cpu);
		if (next == line.len || !ft_head_parse(r->layout, line, next, &inner)) {
			begin(r, &h, tdat_span_from(line, h.rest));
			break;
		}
		begin(r, &h, (struct tdat_span){line.ptr + h.rest, next - h.rest});
		st = flush(r, err);
		h = inner;
	}
	return st;
}

/* Whether the line has the columns of the layout, or of any while none is decided on. */
static bool has_columns(struct reader *r, struct tdat_span line, struct ft_head *h)
{
	if (r->decided)
		return ft_head_parse(r->layout, line, 0, h);
	for (enum ft_layout l = FT_DEFAULT; l < FT_GRAPH; l++) {
		if (ft_head_parse(l, line, 0, h)) {
			r->decided = true;
			r->layout = l;
			return true;
		}
	}
	return false;
}

/* ---- function_graph ---- */

static struct graph_cpu *graph_cpu(struct reader *r, uint32_t cpu)
{
	if (cpu >= CPUS_MOST)
		return NULL;
	if (!TDAT_GROW_ZERO(r->cpus, &r->cpu_count, (size_t)cpu + 1))
		return NULL;
	if (!r->cpus[cpu]) {
		r->cpus[cpu] = calloc(1, sizeof(**r->cpus));
		if (r->cpus[cpu])
			r->cpus[cpu]->pid = FT_NO_PID;
	}
	return r->cpus[cpu];
}

/* Remembers the function of a depth; none if the name is empty or too long, or there are too many.
 */
static bool set_name(struct reader *r, struct graph_cpu *c, uint32_t depth, struct tdat_span s)
{
	char **name = &c->names[depth];

	r->graph_names -= *name != NULL;
	free(*name);
	*name = NULL;
	if (!s.len || s.len >= GRAPH_NAME)
		return true;
	if (r->graph_names >= GRAPH_NAMES) {
		r->facts->unnamed_exits += r->out != NULL;
		return true;
	}
	*name = strndup((const char *)s.ptr, s.len);
	r->graph_names += *name != NULL;
	return *name;
}

static void set_text(char *to, size_t cap, struct tdat_span s)
{
	const size_t n = s.len < cap ? s.len : 0;

	if (n)
		memcpy(to, s.ptr, n);
	to[n] = 0;
}

/* The function that an exit leaves: its comment says, or else the entry of that depth. */
static struct tdat_span left_function(struct graph_cpu *c, const struct ft_graph_line *l)
{
	const char *entered = l->depth < GRAPH_DEPTH ? c->names[l->depth] : NULL;
	struct tdat_span s = {NULL, 0};

	if (l->kind == FT_GRAPH_LEAF)
		return l->name;
	if (l->note.len) {
		const uint8_t *blank = memchr(l->note.ptr, ' ', l->note.len);

		s = (struct tdat_span){l->note.ptr,
				       blank ? (size_t)(blank - l->note.ptr) : l->note.len};
	} else if (entered) {
		s = tdat_span_of(entered);
	}
	return s;
}

static enum tdat_status graph_call(struct reader *r, struct graph_cpu *c, struct ft_graph_line *l,
				   struct tdat_error *err)
{
	const struct tdat_span func = left_function(c, l);
	enum tdat_status st = TDAT_OK;

	if (r->out)
		st = ft_out_graph(r->out, l, func, err);
	else
		learn(r, &l->head);
	if (st == TDAT_OK && l->depth < GRAPH_DEPTH &&
	    !set_name(r, c, l->depth,
		      l->kind == FT_GRAPH_ENTRY ? l->name : (struct tdat_span){NULL, 0}))
		return tdat_error_no_memory(err, "names of functions");
	return st;
}

/* From now on another task runs on the CPU. */
static void graph_switch(struct reader *r, struct graph_cpu *c, const struct ft_head *h)
{
	c->pid = h->pid;
	set_text(c->comm, sizeof(c->comm), h->comm);
	for (uint32_t i = 0; i < GRAPH_DEPTH; i++)
		set_name(r, c, i, (struct tdat_span){NULL, 0});
}

/*
 * The event of trace-cmd report that its plugin prints as function_graph does. *done: it was one,
 * and is handed over.
 */
static enum tdat_status report_call(struct reader *r, bool *done, struct tdat_error *err)
{
	static const char *const names[] = {"funcgraph_entry:", "funcgraph_exit:"};
	struct tdat_span text = {r->text.ptr, r->text.len};
	struct ft_graph_line l = {.kind = FT_GRAPH_NONE};
	struct graph_cpu *c;

	*done = false;
	for (size_t i = 0; r->facts->report && i < 2; i++)
		if (tdat_span_starts(text, names[i]))
			ft_graph_parse(tdat_span_from(text, strlen(names[i])), &l);
	if (l.kind != FT_GRAPH_ENTRY && l.kind != FT_GRAPH_LEAF && l.kind != FT_GRAPH_EXIT)
		return TDAT_OK;
	c = graph_cpu(r, r->head.cpu);
	if (!c)
		return tdat_error_no_memory(err, "a CPU");
	if (c->pid != r->head.pid)
		graph_switch(r, c, &r->head);
	/* Microseconds without a fraction stand where a line of the kernel has its time. */
	if (l.head.unit == FT_MICROS) {
		l.duration = l.head.ts;
		l.has_duration = true;
		l.depth -= l.depth != 0; /* the bar's blanks were taken for a level */
	}
	l.head = r->head;
	*done = true;
	return graph_call(r, c, &l, err);
}

/* The rest of a comment of several lines. */
static enum tdat_status graph_comment(struct reader *r, struct tdat_span line,
				      struct tdat_error *err)
{
	struct tdat_span s = ft_trimmed(line.ptr, line.ptr + line.len);
	const bool end = s.len >= 2 && !memcmp(s.ptr + s.len - 2, "*/", 2);

	if (end) {
		s = ft_trimmed(line.ptr, s.ptr + s.len - 2);
		line.len = (size_t)(s.ptr + s.len - line.ptr);
	}
	go_on(r, line);
	return end ? flush(r, err) : TDAT_OK;
}

static enum tdat_status graph_line(struct reader *r, struct tdat_span line, struct tdat_error *err)
{
	struct ft_graph_line l;
	struct graph_cpu *c;
	enum tdat_status st;

	ft_graph_parse(line, &l);
	if (r->in_comment && !l.has_cpu)
		return graph_comment(r, line, err);
	st = flush(r, err);
	if (st != TDAT_OK || l.kind == FT_GRAPH_NONE)
		return st;
	if (l.kind == FT_GRAPH_MARK) {
		r->facts->marks += !r->out;
		return TDAT_OK;
	}
	c = graph_cpu(r, l.head.cpu);
	if (!c)
		return tdat_error_no_memory(err, "a CPU");
	r->facts->cpu_unknown |= !l.has_cpu;
	if (l.kind == FT_GRAPH_SWITCH) {
		graph_switch(r, c, &l.head);
		return TDAT_OK;
	}
	if (!l.has_task) {
		l.head.pid = c->pid;
		l.head.comm = tdat_span_of(c->comm);
	}
	if (l.kind != FT_GRAPH_EVENT)
		return graph_call(r, c, &l, err);
	begin(r, &l.head, l.event);
	r->in_comment = !l.closed;
	return l.closed ? flush(r, err) : TDAT_OK;
}

static bool is_graph_line(struct tdat_span line)
{
	struct ft_graph_line l;

	ft_graph_parse(line, &l);
	return l.has_cpu && l.kind == FT_GRAPH_ENTRY;
}

/* ---- lines of another kind ---- */

static void header_line(struct reader *r, struct tdat_span line)
{
	struct ft_facts *f = r->facts;
	char text[256];
	unsigned long long in = 0, of = 0;
	unsigned cpus = 0;
	const char *p;
	size_t n = line.len < sizeof(text) - 1 ? line.len : sizeof(text) - 1;

	memcpy(text, line.ptr, n);
	text[n] = 0;
	if (sscanf(text, "# tracer: %31s", f->tracer) == 1 &&
	    !strcmp(f->tracer, "function_graph") && !r->decided) {
		r->decided = true;
		r->layout = FT_GRAPH;
	}
	if (strstr(text, "FUNCTION CALLS") && !r->decided) {
		r->decided = true;
		r->layout = FT_GRAPH;
	}
	if (sscanf(text, "# entries-in-buffer/entries-written: %19llu/%19llu", &in, &of) == 2 ||
	    ((p = strstr(text, "us, #")) && sscanf(p, "us, #%19llu/%19llu", &in, &of) == 2)) {
		f->buffered = in;
		f->written = of;
	}
	p = strstr(text, "#P:");
	if (p && sscanf(p, "#P:%5u", &cpus) == 1 && cpus > f->cpus && cpus <= CPUS_MOST)
		f->cpus = cpus;
	p = strstr(text, "latency trace v");
	if (p)
		sscanf(p, "latency trace v%*s on %63s", f->kernel);
}

/* "CPU:1 [LOST 5 EVENTS]" of trace_pipe, "CPU:1 [5 EVENTS DROPPED]" of trace-cmd report. */
static bool lost_line(struct tdat_span line, uint32_t *cpu, int64_t *count)
{
	struct ft_cursor c = {line.ptr, line.ptr + line.len};
	uint64_t number, n = 0;
	bool counted;

	if (!ft_take(&c, "CPU:") || !ft_number(&c, &number) || !ft_take(&c, " ["))
		return false;
	ft_take(&c, "LOST ");
	counted = ft_number(&c, &n) && ft_take(&c, " ");
	*cpu = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
	*count = counted && n <= INT64_MAX ? (int64_t)n : -1;
	return ft_take(&c, "EVENTS]") || ft_take(&c, "EVENTS DROPPED]");
}

/* Events were overwritten, and those of this CPU begin here: earlier ones may be missing. */
static bool started_line(struct tdat_span line, uint32_t *cpu)
{
	struct ft_cursor c = {line.ptr, line.ptr + line.len};
	uint64_t number;

	if (!ft_take(&c, "##### CPU ") || !ft_number(&c, &number))
		return false;
	*cpu = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
	return ft_take(&c, " buffer started ####");
}

/*
 * The header says that events were overwritten: they came before the first one. How many of them
 * were of which CPU it does not say.
 */
static enum tdat_status lose_overwritten(const struct ft_facts *f, struct ft_out *out,
					 struct tdat_error *err)
{
	const uint64_t lost = f->written > f->buffered ? f->written - f->buffered : 0;
	const bool told = !f->several_cpus && lost <= INT64_MAX;

	return lost ? ft_out_lost(out, f->first_cpu, told ? (int64_t)lost : -1, err) : TDAT_OK;
}

/* How many bytes a console or a log puts before its message; 0: none. */
static size_t console_prefix(struct tdat_span line)
{
	struct ft_cursor c = {line.ptr, line.ptr + line.len};
	const uint8_t *kernel =
		line.len ? memmem(line.ptr, line.len < 96 ? line.len : 96, "kernel: ", 8) : NULL;
	struct ft_head t;
	uint64_t v;

	if (ft_take(&c, "<") && !(ft_number(&c, &v) && ft_take(&c, ">")))
		return 0;
	if (kernel)
		c.p = kernel + 8;
	if (!ft_take(&c, "["))
		return kernel ? (size_t)(c.p - line.ptr) : 0;
	ft_blanks(&c);
	memset(&t, 0, sizeof(t));
	if (!ft_time(&c, &t) || t.unit != FT_SECONDS || !ft_take(&c, "]") || !ft_take(&c, " "))
		return 0;
	if (ft_take(&c, "[")) {
		ft_blanks(&c);
		if ((!ft_take(&c, "T") && !ft_take(&c, "C")) || !ft_number(&c, &v) ||
		    !ft_take(&c, "] "))
			return 0;
	}
	return (size_t)(c.p - line.ptr);
}

static bool is_dashes(struct tdat_span line)
{
	size_t n = 0;

	while (n < line.len && line.ptr[n] == '-')
		n++;
	return n >= 20 && n == line.len;
}

/* A line of a console: without its prefix in *line. False: it is no part of a dump. */
static enum tdat_status console_line(struct reader *r, struct tdat_span *line, bool *take,
				     struct tdat_error *err)
{
	const size_t n = console_prefix(*line);
	struct ft_head h;

	*take = true;
	if (!r->facts->console) {
		if (r->decided || !n || !has_columns(r, tdat_span_from(*line, n), &h))
			return TDAT_OK;
		r->facts->console = r->inside = true;
	}
	*line = tdat_span_from(*line, n);
	if (is_dashes(*line)) {
		r->inside = *take = false;
		return flush(r, err);
	}
	*take = r->inside || has_columns(r, *line, &h);
	r->inside = *take;
	return TDAT_OK;
}

static bool starts_nocase(struct tdat_span s, const char *text)
{
	const size_t len = strlen(text);

	return s.len >= len && !strncasecmp((const char *)s.ptr, text, len);
}

/* A line of a page: whether it is one of the trace, which *line is then. */
static bool html_line(struct reader *r, struct tdat_span *line)
{
	if (!r->inside) {
		r->escaped = tdat_span_has(*line, "linuxPerfData");
		r->inside = r->escaped || tdat_span_has(*line, "trace-data");
		return false;
	}
	if (tdat_span_has(*line, "</script>") || (r->escaped && tdat_span_is(*line, "\\n\";"))) {
		r->inside = false;
		return false;
	}
	if (r->escaped && line->len >= 3 && !memcmp(line->ptr + line->len - 3, "\\n\\", 3))
		line->len -= 3;
	return true;
}

/* A line that starts with "#": of the header, or a part of a text. */
static bool is_header(struct reader *r, struct tdat_span line)
{
	if (!tdat_span_starts(line, "#")) {
		r->in_header = false;
		return false;
	}
	if (tdat_span_starts(line, "# tracer:"))
		r->in_header = true;
	return r->in_header || !(r->pending || (r->out ? r->out->events : r->facts->events)) ||
	       tdat_span_starts(line, "# entries-in-buffer") || line.len == 1 ||
	       (line.len == 2 && line.ptr[1] == ' ');
}

/* Duration marks of lines of function_graph without a CPU are no comments. */
static bool is_marked_duration(const struct reader *r, struct tdat_span line)
{
	struct ft_cursor c = {line.ptr + 1, line.ptr + line.len};
	struct ft_head t;

	memset(&t, 0, sizeof(t));
	return r->decided && r->layout == FT_GRAPH && ft_blanks(&c) && ft_time(&c, &t) &&
	       ft_take(&c, " us");
}

static enum tdat_status one_line(struct reader *r, struct tdat_span line, struct tdat_error *err)
{
	struct ft_head h;
	uint32_t cpu;
	int64_t count;
	enum tdat_status st;
	bool take;

	if (r->html && !html_line(r, &line))
		return TDAT_OK;
	if (!(tdat_span_starts(line, "#") && is_marked_duration(r, line)) && is_header(r, line)) {
		if (!r->out)
			header_line(r, line);
		return flush(r, err);
	}
	st = console_line(r, &line, &take, err);
	if (st != TDAT_OK || !take)
		return st;
	if (lost_line(line, &cpu, &count)) {
		st = flush(r, err);
		return st == TDAT_OK && r->out ? ft_out_lost(r->out, cpu, count, err) : st;
	}
	if (started_line(line, &cpu)) {
		st = flush(r, err);
		return st == TDAT_OK && r->out ? ft_out_lost(r->out, cpu, -1, err) : st;
	}
	if (r->decided && r->layout == FT_GRAPH)
		return graph_line(r, line, err);
	if (has_columns(r, line, &h))
		return plain_events(r, line, h, err);
	if (!r->decided && is_graph_line(line)) {
		r->decided = true;
		r->layout = FT_GRAPH;
		return graph_line(r, line, err);
	}
	if (!r->facts->events && !r->out &&
	    (tdat_span_starts(line, "cpus=") || tdat_span_starts(line, "version =")))
		r->facts->report = true;
	go_on(r, line);
	return TDAT_OK;
}

/* Whether a carriage return stood at the line's end: a part of its text, if not all lines have it.
 */
static bool returned(const struct import_line *line)
{
	return line->ended && line->text.ptr[line->text.len] == '\r';
}

enum tdat_status ft_read_text(const struct tdat_source *source, struct ft_facts *facts,
			      struct ft_out *out, struct tdat_error *err)
{
	struct reader r = {.facts = facts, .out = out, .html = facts->html};
	struct import_lines lines;
	struct import_line line;
	enum tdat_status st;

	if (out && facts->events) {
		r.decided = true;
		r.layout = facts->layout;
		st = lose_overwritten(facts, out, err);
		if (st != TDAT_OK)
			return st;
	}
	tdat_build_init(&r.comm, false);
	tdat_build_init(&r.text, false);
	import_lines_init(&lines, source, 0);
	while ((st = import_lines_next(&lines, &line, err)) == TDAT_OK) {
		facts->lines += !out;
		if (lines.number == 1 && (starts_nocase(line.text, "<!DOCTYPE html") ||
					  starts_nocase(line.text, "<html")))
			r.html = facts->html = true;
		r.crlf |= lines.number == 1 && returned(&line);
		if (!r.crlf && returned(&line))
			line.text.len++;
		r.unended = !line.ended && !line.cut;
		st = one_line(&r, line.text, err);
		if (st != TDAT_OK)
			break;
	}
	if (st == TDAT_E_NOT_FOUND)
		st = flush(&r, err);
	import_lines_fini(&lines);
	tdat_build_fini(&r.comm);
	tdat_build_fini(&r.text);
	for (size_t i = 0; i < r.cpu_count; i++) {
		for (size_t k = 0; r.cpus[i] && k < GRAPH_DEPTH; k++)
			free(r.cpus[i]->names[k]);
		free(r.cpus[i]);
	}
	free(r.cpus);
	return st;
}
