/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads lines and makes events of them. The first lines with an event's name decide which columns
 * the text has. Frames of a call chain stand behind their sample, and an empty line behind these;
 * any other line belongs to the text above. Records of perf itself name tasks and tell losses.
 */
#include "perf_reader.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "import/record.h"
#include "import/text_lines.h"
#include "perf_events.h"

enum { CPUS_MOST = 1 << 16, DECIDE_LINES = 64 };

struct reader {
	struct ft_facts *facts;
	struct ft_out *out; /* NULL: the first pass */
	uint64_t last_ts;

	bool pending; /* a sample whose text and frames may go on */
	bool in_stack, user;
	size_t blanks; /* empty lines behind it */
	struct perf_line line;
	size_t comm_len, event_len; /* in bytes, which has its text behind these */
	struct tdat_build bytes, frames[2];
	struct perf_words words;
};

static void add_text(struct reader *r, struct tdat_build *to, const char *before,
		     struct tdat_span line)
{
	if (!r->out || to->len > FT_TEXT_MOST)
		return;
	tdat_build_str(to, before);
	tdat_build_bytes(to, line.ptr, line.len);
}

/* Empty lines within a text are its own; behind a call chain, one is perf's. */
static void add_blanks(struct reader *r)
{
	for (; r->blanks; r->blanks--)
		add_text(r, r->in_stack ? &r->frames[r->user] : &r->bytes, "\n",
			 (struct tdat_span){NULL, 0});
}

static enum tdat_status flush(struct reader *r, struct tdat_error *err)
{
	const uint8_t *p;
	enum tdat_status st;

	if (!r->pending)
		return TDAT_OK;
	r->pending = false;
	if (!r->out)
		return TDAT_OK;
	if (r->facts->stacks)
		r->blanks -= r->blanks != 0;
	add_blanks(r);
	if (r->bytes.failed || r->frames[0].failed || r->frames[1].failed)
		return tdat_error_no_memory(err, "an event's text");
	p = r->bytes.ptr;
	r->line.head.comm = (struct tdat_span){p, r->comm_len};
	r->line.event = (struct tdat_span){p + r->comm_len, r->event_len};
	p += r->comm_len + r->event_len;
	r->line.text = (struct tdat_span){p, (size_t)(r->bytes.ptr + r->bytes.len - p)};
	st = perf_out_sample(r->out, &r->line, &r->words, err);
	for (size_t i = 0; i < 2 && st == TDAT_OK; i++) {
		if (r->frames[i].len)
			st = ft_out_text(r->out, &r->line.head, tdat_span_of(perf_stacks[i].name),
					 import_record_span(&r->frames[i]), err);
	}
	return st;
}

static void learn(struct reader *r, const struct ft_head *h)
{
	struct ft_facts *f = r->facts;

	if (!f->events++) {
		f->unit = h->unit;
		f->digits = h->digits;
		f->layout = FT_PERF;
	}
	if (h->cpu == FT_NONE)
		f->cpu_unknown = true;
	else
		f->cpu_known = true;
	if (h->cpu != FT_NONE && h->cpu >= f->cpus)
		f->cpus = h->cpu + 1;
	if (!f->cpus)
		f->cpus = 1;
	f->backward |= h->unit != FT_NO_TIME && h->ts < r->last_ts;
	r->last_ts = h->ts;
}

/* ---- lines ---- */

/* ":1234" is a task of which perf has no name. */
static bool is_unnamed(const struct ft_head *h)
{
	return h->comm.len > 1 && *h->comm.ptr == ':' &&
	       (tdat_is_dec(h->comm.ptr[1]) || h->comm.ptr[1] == '-');
}

static void begin(struct reader *r, struct perf_line *l)
{
	struct tdat_span text = l->text;

	r->pending = true;
	r->in_stack = r->user = false;
	r->blanks = 0;
	learn(r, &l->head);
	if (!r->out) {
		r->facts->kernel_states |= perf_kernel_state(l);
		r->facts->addresses += perf_address(l);
		return;
	}
	/* The column of flags is empty in front of a tracepoint's text. */
	while (tdat_span_starts(text, " "))
		text = tdat_span_from(text, 1);
	if (is_unnamed(&l->head))
		l->head.comm.len = 0;
	if (l->head.cpu == FT_NONE)
		l->head.cpu = 0;
	r->line = *l;
	r->bytes.len = r->frames[0].len = r->frames[1].len = 0;
	tdat_build_bytes(&r->bytes, l->head.comm.ptr, l->head.comm.len);
	tdat_build_bytes(&r->bytes, l->event.ptr, l->event.len);
	r->comm_len = l->head.comm.len;
	r->event_len = l->event.len;
	tdat_build_bytes(&r->bytes, text.ptr, text.len);
}

static void add_frame(struct reader *r, struct tdat_span line)
{
	tdat_take_blanks(&line);
	r->facts->stacks = r->in_stack = true;
	/* The kernel's frames come first. */
	r->user = r->user || perf_is_user(line);
	if (r->out && !r->frames[r->user].len)
		tdat_build_str(&r->frames[r->user], perf_stacks[r->user].title);
	add_text(r, &r->frames[r->user], "\n => ", line);
}

/* ": name:12/12" and " exec: name:12/12", the process before the thread. */
static enum tdat_status task_record(struct reader *r, const struct perf_line *l,
				    struct tdat_error *err)
{
	struct ft_cursor c = {l->text.ptr, l->text.ptr + l->text.len};
	const uint8_t *colon, *slash;
	struct ft_head h = {.pid = FT_NO_PID, .tgid = FT_NONE};
	uint64_t pid, tid;

	ft_take(&c, " exec");
	if (!ft_take(&c, ": ") || c.p == c.end)
		return TDAT_OK;
	slash = memrchr(c.p, '/', (size_t)(c.end - c.p));
	colon = slash ? memrchr(c.p, ':', (size_t)(slash - c.p)) : NULL;
	if (!colon)
		return TDAT_OK;
	h.comm = (struct tdat_span){c.p, (size_t)(colon - c.p)};
	c.p = colon + 1;
	if (!ft_number(&c, &pid) || !ft_take(&c, "/") || !ft_number(&c, &tid) || pid > INT32_MAX ||
	    tid > INT32_MAX)
		return TDAT_OK;
	h.pid = (int32_t)tid;
	h.tgid = (uint32_t)pid;
	return ft_out_task(r->out, &h, l->head.ts, err);
}

/* Losses are told where they happened; LOST_SAMPLES tells them once more at the end. */
static enum tdat_status own_record(struct reader *r, const struct perf_line *l,
				   struct tdat_error *err)
{
	struct ft_cursor c = {l->text.ptr, l->text.ptr + l->text.len};
	uint64_t lost;

	if (!r->out) {
		r->facts->own_records++;
		return TDAT_OK;
	}
	if (tdat_span_is(l->event, "PERF_RECORD_COMM"))
		return task_record(r, l, err);
	if (!tdat_span_is(l->event, "PERF_RECORD_LOST"))
		return TDAT_OK;
	ft_blanks(&c);
	if (!ft_take(&c, "lost ") || !ft_number(&c, &lost) || lost > INT64_MAX)
		return TDAT_OK;
	return ft_out_lost(r->out, l->head.cpu == FT_NONE ? 0 : l->head.cpu, (int64_t)lost, err);
}

static enum tdat_status sample_line(struct reader *r, struct perf_line *l, struct tdat_error *err)
{
	enum tdat_status st = flush(r, err);

	if (st != TDAT_OK)
		return st;
	if (l->head.cpu != FT_NONE && l->head.cpu >= CPUS_MOST)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "CPU %u is above the highest CPU number that tdat can write",
				      l->head.cpu);
	if (perf_is_record(l->event))
		return own_record(r, l, err);
	begin(r, l);
	return TDAT_OK;
}

static void header_line(struct ft_facts *f, struct tdat_span line)
{
	char text[256];
	const size_t n = line.len < sizeof(text) - 1 ? line.len : sizeof(text) - 1;
	unsigned cpus;

	memcpy(text, line.ptr, n);
	text[n] = 0;
	sscanf(text, "# os release : %63s", f->kernel);
	if (sscanf(text, "# nrcpus avail : %5u", &cpus) == 1 && cpus <= CPUS_MOST && cpus > f->cpus)
		f->cpus = cpus;
}

static enum tdat_status one_line(struct reader *r, struct tdat_span line, struct tdat_error *err)
{
	struct perf_line l;

	if (!line.len) {
		r->blanks += r->pending;
		return TDAT_OK;
	}
	if (*line.ptr == '\t' && r->pending && perf_is_frame(line)) {
		add_frame(r, line);
		return TDAT_OK;
	}
	if (!r->pending && *line.ptr == '#') {
		if (!r->out)
			header_line(r->facts, line);
		return TDAT_OK;
	}
	if (perf_line_parse(r->facts->columns, line, &l))
		return sample_line(r, &l, err);
	if (!r->pending)
		return TDAT_OK;
	if (perf_is_frame(line)) {
		add_frame(r, line);
		return TDAT_OK;
	}
	add_blanks(r);
	add_text(r, r->in_stack ? &r->frames[r->user] : &r->bytes, "\n", line);
	return TDAT_OK;
}

/* The columns that most of the first lines with an event's name have; false: no line has one. */
static enum tdat_status decide(const struct tdat_source *source, unsigned *columns, bool *decided,
			       struct tdat_error *err)
{
	unsigned counts[PERF_ALL + 1] = {0}, found, lines_left = DECIDE_LINES;
	struct import_lines lines;
	struct import_line line;
	struct perf_line l;
	enum tdat_status st;

	import_lines_init(&lines, source, 0);
	while ((st = import_lines_next(&lines, &line, err)) == TDAT_OK && lines_left)
		if (line.text.len && !memchr("#\t", *line.text.ptr, 2) &&
		    perf_line_guess(line.text, &found, &l)) {
			lines_left--;
			if (++counts[found] > counts[*columns] || !*decided)
				*columns = found;
			*decided = true;
		}
	import_lines_fini(&lines);
	if (st == TDAT_E_NOT_FOUND)
		tdat_error_reset(err);
	return st == TDAT_E_NOT_FOUND ? TDAT_OK : st;
}

enum tdat_status perf_read_text(const struct tdat_source *source, struct ft_facts *facts,
				struct ft_out *out, struct tdat_error *err)
{
	struct ft_facts own = *facts; /* a second pass learns nothing */
	struct reader r = {.facts = out ? &own : facts,
			   .out = out,
			   .words = {.kernel_states = facts->kernel_states,
				     .addresses = facts->addresses > 0}};
	struct import_lines lines;
	struct import_line line;
	enum tdat_status st;
	bool decided = out != NULL;

	st = out ? TDAT_OK : decide(source, &facts->columns, &decided, err);
	if (st != TDAT_OK || !decided)
		return st;
	tdat_build_init(&r.bytes, false);
	tdat_build_init(&r.frames[0], false);
	tdat_build_init(&r.frames[1], false);
	tdat_build_init(&r.words.text, false);
	import_lines_init(&lines, source, 0);
	while ((st = import_lines_next(&lines, &line, err)) == TDAT_OK) {
		facts->lines += !out;
		st = one_line(&r, line.text, err);
		if (st != TDAT_OK)
			break;
	}
	if (st == TDAT_E_NOT_FOUND)
		st = flush(&r, err);
	import_lines_fini(&lines);
	tdat_build_fini(&r.bytes);
	tdat_build_fini(&r.frames[0]);
	tdat_build_fini(&r.frames[1]);
	tdat_build_fini(&r.words.text);
	return st;
}
