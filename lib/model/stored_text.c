/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the parts of a stored text that its reader does not read, and writes the text anew without
 * them. Texts are saved_cmdlines, tgids, kallsyms and printk formats. Their readers stop at the
 * first line of another shape, as libtraceevent does; this file reads on and counts what they leave
 * out, for check, and drops such lines, for repair and the writer. The reader itself judges each
 * line, so the two cannot differ.
 */
#include "stored_text.h"

#include <string.h>

#include "core/text.h"
#include "symbols.h"

/*
 * How the reader of a text treats one line. ODD: it takes something else from it than was meant;
 * TWICE: a table prefers another line about the same task or address; SKIPPED: it takes nothing;
 * ENDS: neither this line nor any behind it is read.
 */
enum line_use { READ, ODD, TWICE, SKIPPED, ENDS };

/*
 * A kind of text. Two lines may be about one task or address: the table says which one counts.
 * Without a table each of them does.
 */
struct reader {
	enum model_text which;
	struct model_tasks *tasks;
	struct model_printk *printk;
};

/* Builds the table that the text has for its users. False: no memory. */
static bool reader_init(struct reader *r, enum model_text which, struct tdat_span text)
{
	*r = (struct reader){.which = which};
	if (which == MODEL_TEXT_CMDLINES)
		return model_tasks_new(&r->tasks, text, NULL) == TDAT_OK;
	if (which == MODEL_TEXT_PRINTK)
		return model_printk_new(&r->printk, text, NULL) == TDAT_OK;
	return true;
}

static void reader_fini(struct reader *r)
{
	model_tasks_free(r->tasks);
	model_printk_free(r->printk);
}

/* Takes a decimal number, and the blanks before it; returns how many digits it has. */
static size_t take_number(struct tdat_span *line, uint64_t *v)
{
	*line = tdat_span_from(*line, tdat_skip_space(*line, 0));
	return tdat_take_digits(line, 10, v);
}

/* True for "PID TGID": saved_tgids of the kernel. */
static bool is_tgid_line(struct tdat_span line)
{
	uint64_t v;

	return take_number(&line, &v) && take_number(&line, &v) && tdat_is_blank(line);
}

/*
 * True for a line as the kernel writes it (kernel/trace/trace_printk.c, t_show). The table takes
 * something from other lines, too, but hardly the address and text that were meant.
 */
static bool is_printk_line(struct tdat_span line)
{
	static const char between[] = " : \"";
	size_t pos = 2;

	if (line.len < pos || memcmp(line.ptr, "0x", 2) != 0)
		return false;
	while (pos < line.len && tdat_digit((char)line.ptr[pos]) < 16)
		pos++;
	return pos > 2 && pos <= 18 && line.len - pos > sizeof(between) - 1 &&
	       !memcmp(line.ptr + pos, between, sizeof(between) - 1) &&
	       line.ptr[line.len - 1] == '"';
}

/* True for a line as the kernel writes it (saved_cmdlines_show): "%d %s\n". */
static bool is_task_line(struct tdat_span line)
{
	const size_t pos = tdat_skip_space(line, 0);
	const bool negative = pos < line.len && line.ptr[pos] == '-';
	uint64_t pid;

	line = tdat_span_from(line, pos + negative);
	tdat_take_digits(&line, 10, &pid);
	return pid <= (uint64_t)INT32_MAX + negative && line.len && tdat_is_space(*line.ptr);
}

/* A name that the table does not find for its pid lost to another line. */
static enum line_use use_of_task(const struct reader *r, struct tdat_span line)
{
	struct tdat_span comm;
	int32_t pid;

	if (!model_tasks_line(line, &pid, &comm))
		return ENDS;
	if (!is_task_line(line))
		return ODD;
	return !r->tasks || tdat_span_same(comm, model_tasks_known(r->tasks, pid)) ? READ : TWICE;
}

static enum line_use use_of_printk(const struct reader *r, struct tdat_span line)
{
	struct tdat_span fmt;
	bool ends = false;
	uint64_t addr;

	if (!model_printk_reads(line, &ends))
		return ends ? ENDS : SKIPPED;
	if (!is_printk_line(line))
		return ODD;
	if (!r->printk || !model_printk_line(line, &addr, &fmt))
		return READ;
	return tdat_span_same(fmt, model_printk_find(r->printk, addr)) ? READ : TWICE;
}

/* Returns how the table treats a line. */
static enum line_use use_of(const struct reader *r, struct tdat_span line)
{
	switch (r->which) {
	case MODEL_TEXT_KALLSYMS:
		return model_symbols_reads(line) ? READ : ENDS;
	case MODEL_TEXT_CMDLINES:
		return use_of_task(r, line);
	case MODEL_TEXT_PRINTK:
		return use_of_printk(r, line);
	case MODEL_TEXT_TGIDS:
		break;
	}
	return is_tgid_line(line) ? READ : SKIPPED;
}

/* Adds a part that is not read; where and why are those of the first one. Blanks are no loss. */
static void note(struct model_unread *u, struct tdat_span text, struct tdat_span part,
		 enum model_unread_why why)
{
	if (tdat_is_blank(part))
		return;
	if (!u->len) {
		u->off = (size_t)(part.ptr - text.ptr);
		u->why = why;
	}
	u->len += part.len;
}

/* Notes a line that is not read. False: nothing behind it is read. */
static bool look_at_line(struct model_unread *u, enum line_use use, struct tdat_span text,
			 struct tdat_span line, bool cut)
{
	switch (use) {
	case READ:
		if (cut)
			note(u, text, line, MODEL_UNREAD_CUT);
		break;
	case ODD:
		note(u, text, line, MODEL_UNREAD_ODD);
		break;
	case TWICE:
		note(u, text, line, MODEL_UNREAD_TWICE);
		break;
	case SKIPPED:
		note(u, text, line, MODEL_UNREAD_SHAPE);
		break;
	case ENDS:
		/* All of the rest counts as not read. */
		line.len = text.len - (size_t)(line.ptr - text.ptr);
		note(u, text, line, MODEL_UNREAD_SHAPE);
		return !u->len;
	}
	return true;
}

/* Walks a text as its reader does, and returns what that leaves out. */
struct model_unread model_text_unread(enum model_text which, struct tdat_span text)
{
	struct model_unread u = {0, 0, MODEL_UNREAD_SHAPE, false};
	struct tdat_lines lines = tdat_lines_init(text);
	struct tdat_span line, rest;
	struct reader r;
	bool more = true;

	if (!text.len)
		return u;
	u.no_memory = !reader_init(&r, which, text);
	while (!u.no_memory && more && tdat_lines_next(&lines, &line))
		more = look_at_line(&u, use_of(&r, line), text, line,
				    line.ptr + line.len == lines.end);
	/* Readers stop at a NUL, as they do in C. */
	rest.ptr = lines.end;
	rest.len = text.len - (size_t)(lines.end - text.ptr);
	if (!u.no_memory && more)
		note(&u, text, rest, MODEL_UNREAD_NUL);
	reader_fini(&r);
	return u;
}

/* Returns the shape of a good line, for messages. */
const char *model_text_shape(enum model_text which)
{
	static const char *const shapes[] = {
		[MODEL_TEXT_KALLSYMS] = "ADDRESS TYPE NAME",
		[MODEL_TEXT_PRINTK] = "0xADDRESS : \"FORMAT\"",
		[MODEL_TEXT_CMDLINES] = "PID NAME",
		[MODEL_TEXT_TGIDS] = "PID TGID",
	};

	return shapes[which];
}

/* Writes a line as the kernel would write what the table takes of it. */
static void put_odd_line(const struct reader *r, struct tdat_span line, struct tdat_build *out)
{
	struct tdat_span text;
	uint64_t addr;
	int32_t pid;

	if (r->which == MODEL_TEXT_CMDLINES && model_tasks_line(line, &pid, &text)) {
		tdat_build_printf(out, "%d ", pid);
		tdat_build_bytes(out, text.ptr, text.len);
		tdat_build_u8(out, '\n');
	} else if (r->which == MODEL_TEXT_PRINTK && model_printk_line(line, &addr, &text)) {
		tdat_build_printf(out, "0x%llx : \"", (unsigned long long)addr);
		tdat_build_bytes(out, text.ptr, text.len);
		tdat_build_str(out, "\"\n");
	}
}

/* Appends the lines of text up to its first NUL that the table reads; others are dropped. */
static void mend_lines(const struct reader *r, struct tdat_span text, struct tdat_build *out)
{
	struct tdat_lines lines = tdat_lines_init(text);
	struct tdat_span line;

	while (tdat_lines_next(&lines, &line)) {
		switch (use_of(r, line)) {
		case ODD:
			put_odd_line(r, line, out);
			break;
		case READ:
			tdat_build_bytes(out, line.ptr, line.len);
			tdat_build_u8(out, '\n');
			break;
		default:
			break;
		}
	}
}

/*
 * Appends the texts between NULs as one, and the lines behind those of another shape. Without a
 * table r drops no line that is only there twice.
 */
static void join_lines(enum model_text which, struct tdat_span text, struct tdat_build *out)
{
	const struct reader r = {.which = which};

	while (text.len) {
		struct tdat_lines lines = tdat_lines_init(text);
		size_t taken = (size_t)(lines.end - text.ptr);

		mend_lines(&r, text, out);
		taken += taken < text.len;
		text = tdat_span_from(text, taken);
	}
}

/*
 * Writes the text anew so that its reader reads all of it. Two passes: duplicates can only be
 * judged by a table of the joined text.
 */
void model_text_mend(enum model_text which, struct tdat_span text, struct tdat_build *out)
{
	struct tdat_build joined;
	struct reader r;

	tdat_build_init(&joined, false);
	join_lines(which, text, &joined);
	text = (struct tdat_span){joined.ptr, joined.len};
	if (joined.failed || !reader_init(&r, which, text)) {
		out->failed = true;
	} else {
		mend_lines(&r, text, out);
		reader_fini(&r);
	}
	tdat_build_fini(&joined);
}
