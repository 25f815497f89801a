/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes one line of a listing apart. Rows are those of ktrdump, of tdump, of DragonFly's tool,
 * and of the kernel debugger on a console. Each form has a function below; a line that fits
 * none is not a row.
 */
#include "listing.h"

#include <string.h>

#include "core/checked.h"
#include "core/text.h"
#include "entry_layout.h"
#include "ktrgraph.h"

/* Widths of columns as the tools print them; the printf formats pad to these. */
enum { CPU_WIDTH = 3, TIME_WIDTH = 16, FILE_WIDTH = 40, ID_WIDTH = 20 };

/* Rest of a line; the take functions move p only over what they accept. */
struct col {
	const uint8_t *p, *end;
};

static size_t skip_spaces(struct col *c)
{
	const uint8_t *start = c->p;

	while (c->p < c->end && (*c->p == ' ' || *c->p == '\t'))
		c->p++;
	return (size_t)(c->p - start);
}

static bool take(struct col *c, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(c->end - c->p) < len || memcmp(c->p, word, len))
		return false;
	c->p += len;
	return true;
}

/* Reads a number; returns its digits, 0 also if the value exceeds 64 bits. */
static size_t take_number(struct col *c, unsigned int base, uint64_t *out)
{
	struct tdat_span rest = {c->p, (size_t)(c->end - c->p)};
	const uint8_t *start = c->p;

	if (!tdat_take_u64(&rest, base, out))
		return 0;
	c->p = rest.ptr;
	return (size_t)(c->p - start);
}

static struct tdat_span take_token(struct col *c)
{
	const uint8_t *start = c->p;

	while (c->p < c->end && *c->p != ' ' && *c->p != '\t')
		c->p++;
	return (struct tdat_span){start, (size_t)(c->p - start)};
}

/* Takes the blank that ends a column; the line may end instead. */
static bool take_gap(struct col *c)
{
	return c->p == c->end || take(c, " ") || take(c, "\t");
}

/*
 * Takes a right-aligned decimal. strict: its width with blanks must be exact, or a number of the
 * text would pass as a column.
 */
static bool take_aligned(struct col *c, size_t width, bool strict, uint64_t *out)
{
	size_t blanks = skip_spaces(c), digits = take_number(c, 10, out);

	if (!digits || !take_gap(c))
		return false;
	return !strict || (blanks ? blanks + digits == width : digits >= width);
}

/* Splits "path:12" (ktrdump) or "path.12" (ddb) at its last mark. */
static bool split_location(struct tdat_span token, char mark, struct tdat_span *file,
			   uint32_t *line)
{
	size_t i = token.len;
	struct col c;
	uint64_t v;

	while (i && tdat_is_dec(token.ptr[i - 1]))
		i--;
	/* A file's name has at least one character before the mark. */
	if (i < 2 || i == token.len || token.ptr[i - 1] != (uint8_t)mark)
		return false;
	c = (struct col){token.ptr + i, token.ptr + token.len};
	if (!take_number(&c, 10, &v) || v > UINT32_MAX)
		return false;
	*file = (struct tdat_span){token.ptr, i - 1};
	*line = (uint32_t)v;
	return true;
}

/* Takes a thread's address; libcs print a null pointer in different ways. */
static bool take_thread(struct col *c, uint64_t *thread)
{
	*thread = 0;
	if (take(c, "(nil)") || take(c, "(null)"))
		return true;
	return take(c, "0x") && take_number(c, 16, thread) > 0;
}

/* Sets the CPU; one out of range becomes CPU 0 and is reported. */
static void set_cpu(struct ktr_text_row *row, uint64_t cpu)
{
	row->has_cpu = true;
	row->bad_cpu = cpu >= KTR_CPU_MAX;
	row->cpu = row->bad_cpu ? 0 : (uint32_t)cpu;
}

/* Takes "file:line", padded to its width. A longer location pushes the next column to the right. */
static bool take_file(struct col *c, struct ktr_text_row *row)
{
	const uint8_t *start = c->p;

	if (!split_location(take_token(c), ':', &row->file, &row->line))
		return false;
	while (c->p < c->end && (size_t)(c->p - start) < FILE_WIDTH && *c->p == ' ')
		c->p++;
	return take_gap(c);
}

/* Takes one column of ktrdump. The order of columns is that of the heading. */
static bool take_column(const struct ktr_text_shape *shape, enum ktr_column column, struct col *c,
			struct ktr_text_row *row)
{
	uint64_t v;

	switch (column) {
	case KTR_COLUMN_CPU:
		if (!take_aligned(c, CPU_WIDTH, shape->strict, &v))
			return false;
		set_cpu(row, v);
		return true;
	case KTR_COLUMN_TIME:
		row->has_time = take_aligned(c, TIME_WIDTH, shape->strict, &row->time);
		return row->has_time;
	case KTR_COLUMN_FILE:
		return take_file(c, row);
	case KTR_COLUMN_THREAD:
		return take_thread(c, &row->thread) && take_gap(c);
	default:
		return true;
	}
}

/* Ktrdump's row: the index, then the columns that its options chose, then the text. */
static bool row_ktrdump(const struct ktr_text_shape *shape, struct col *c, struct ktr_text_row *row)
{
	if (!take_aligned(c, 6, shape->strict, &row->index))
		return false;
	row->has_index = true;
	for (unsigned int i = 0; i < shape->column_count; i++)
		if (!take_column(shape, shape->columns[i], c, row))
			return false;
	return true;
}

/* Takes DragonFly's time: cycles, or "N.NNN uS" since the row before (its -r). */
static bool take_dragonfly_time(struct col *c, struct ktr_text_row *row)
{
	uint64_t rest;

	skip_spaces(c);
	if (!take_number(c, 10, &row->time))
		return false;
	row->has_time = true;
	if (!take(c, "."))
		return skip_spaces(c) || c->p == c->end;
	/* Three decimals of microseconds make whole ns. */
	if (take_number(c, 10, &rest) != 3 || !tdat_mul_u64(row->time, 1000, &row->time) ||
	    !tdat_add_u64(row->time, rest, &row->time) || !take(c, " uS"))
		return false;
	row->time_is_ns = true;
	return take_gap(c);
}

/* Takes one column of DragonFly's ktrdump, whose columns are left-aligned. */
static bool take_dragonfly(enum ktr_column column, struct col *c, struct ktr_text_row *row)
{
	const uint8_t *start;
	uint64_t v;

	switch (column) {
	case KTR_COLUMN_CPU:
		if (!take_number(c, 10, &v))
			return false;
		set_cpu(row, v);
		skip_spaces(c);
		return true;
	case KTR_COLUMN_TIME:
		return take_dragonfly_time(c, row);
	case KTR_COLUMN_CALLERS:
		skip_spaces(c);
		row->caller2 = take_token(c);
		skip_spaces(c);
		row->caller1 = take_token(c);
		skip_spaces(c);
		return row->caller1.len > 0;
	/* An id longer than its column pushes the text to the right. */
	case KTR_COLUMN_ID:
		start = c->p;
		row->id = take_token(c);
		while (c->p < c->end && c->p - start < ID_WIDTH && *c->p == ' ')
			c->p++;
		return row->id.len && take_gap(c);
	case KTR_COLUMN_FILE:
		skip_spaces(c);
		start = c->p;
		if (!split_location(take_token(c), ':', &row->file, &row->line))
			return false;
		start += row->file.len + 1; /* the line is left-aligned in 4 */
		while (c->p < c->end && c->p - start < 4 && *c->p == ' ')
			c->p++;
		return take_gap(c);
	default:
		return true;
	}
}

/* DragonFly's row: a hexadecimal index of six digits, then the columns. */
static bool row_dragonfly(const struct ktr_text_shape *shape, struct col *c,
			  struct ktr_text_row *row)
{
	if (!take(c, " ") || take_number(c, 16, &row->index) != 6 || !take(c, " "))
		return false;
	row->has_index = true;
	for (unsigned int i = 0; i < shape->column_count; i++)
		if (!take_dragonfly(shape->columns[i], c, row))
			return false;
	return true;
}

/* Row of BSD/OS: CPU, index and time in hex. kdebug prints a colon behind them. */
static bool row_tdump(const struct ktr_text_shape *shape, struct col *c, struct ktr_text_row *row)
{
	uint64_t cpu;

	skip_spaces(c);
	if (!take_number(c, 16, &cpu) || !skip_spaces(c) || !take_number(c, 16, &row->index) ||
	    !skip_spaces(c) || !take_number(c, 16, &row->time))
		return false;
	if (shape->form == KTR_TEXT_KDEBUG ? !take(c, ":") : false)
		return false;
	if (!take_gap(c))
		return false;
	set_cpu(row, cpu);
	row->has_index = row->has_time = true;
	/* With -v tdump prints the five parameters before the text. */
	for (unsigned int i = 0; shape->words && i < 5; i++) {
		skip_spaces(c);
		if (!take_number(c, 16, &row->parms[i]) || !take_gap(c))
			return false;
	}
	return true;
}

/*
 * Row of FreeBSD's ddb ("show ktr"): INDEX (THREAD:cpuN) TIME FILE.LINE: text. CPU, time and
 * location may be missing.
 */
static bool row_ddb(struct col *c, struct ktr_text_row *row)
{
	uint64_t cpu;
	const uint8_t *colon;

	skip_spaces(c);
	if (!take_number(c, 10, &row->index) || !take(c, " (") || !take_thread(c, &row->thread))
		return false;
	row->has_index = true;
	if (take(c, ":cpu")) {
		if (!take_number(c, 10, &cpu))
			return false;
		set_cpu(row, cpu);
	}
	if (!take(c, ")"))
		return false;
	/* Without -v the text follows at once. */
	if (take(c, ": ") || (take(c, ":") && c->p == c->end))
		return true;
	if (!take(c, " "))
		return false;
	skip_spaces(c);
	row->has_time = take_number(c, 10, &row->time) > 0;
	if (!row->has_time || !take(c, " "))
		return false;
	/*
	 * The location ends at the first colon that ends a word: files may have colons in their
	 * names.
	 */
	for (colon = c->p; colon < c->end; colon++)
		if (*colon == ':' && (colon + 1 == c->end || colon[1] == ' '))
			break;
	if (colon == c->end || !split_location((struct tdat_span){c->p, (size_t)(colon - c->p)},
					       '.', &row->file, &row->line))
		return false;
	c->p = colon + (colon + 1 == c->end ? 1 : 2);
	return true;
}

/* Takes "FILE.LINE" and a tab, as KTR prints on the console, if they are there. */
static void take_console_location(struct col *c, struct ktr_text_row *row)
{
	const uint8_t *tab = memchr(c->p, '\t', (size_t)(c->end - c->p));
	struct tdat_span location;

	if (!tab)
		return;
	location = (struct tdat_span){c->p, (size_t)(tab - c->p)};
	if (memchr(location.ptr, ' ', location.len) ||
	    !split_location(location, '.', &row->file, &row->line))
		return;
	c->p = tab + 1;
}

/* Takes "cpuN "; returns false and moves nothing if it is not there. */
static bool take_console_cpu(struct col *c, struct ktr_text_row *row)
{
	struct col start = *c;
	uint64_t cpu;

	if (take(c, "cpu") && take_number(c, 10, &cpu) && take(c, " ")) {
		set_cpu(row, cpu);
		return true;
	}
	*c = start;
	return false;
}

/*
 * Line of KTR_VERBOSE on the console. A CPU or a location is needed, or each line of a console
 * would be a row.
 */
static bool row_console(struct col *c, struct ktr_text_row *row)
{
	bool cpu = take_console_cpu(c, row);

	take_console_location(c, row);
	return cpu || row->file.len;
}

/* Row of an older ddb: INDEX: [SEC.USEC ][cpuN ][FILE.LINE<TAB>]text. */
static bool row_ddb_old(struct col *c, struct ktr_text_row *row)
{
	struct col start;
	uint64_t sec, usec;

	skip_spaces(c);
	if (!take_number(c, 10, &row->index) || !take(c, ": "))
		return false;
	row->has_index = true;
	start = *c;
	skip_spaces(c);
	/* The text may begin with a number, so a time must be complete. */
	if (take_number(c, 10, &sec) && take(c, ".") && take_number(c, 10, &usec) == 6 &&
	    take(c, " ") && tdat_mul_u64(sec, 1000000000, &sec)) {
		row->time = sec + usec * 1000;
		row->has_time = row->time_is_ns = true;
	} else {
		*c = start;
	}
	take_console_cpu(c, row);
	take_console_location(c, row);
	return true;
}

/*
 * Parses a line as a row of the listing's form. False: it is not a row, and *out is partly filled.
 * The text is the rest of the line.
 */
bool ktr_text_row(const struct ktr_text_shape *shape, struct tdat_span line,
		  struct ktr_text_row *out)
{
	struct col c = {line.ptr, line.ptr + line.len};
	bool ok = false;

	memset(out, 0, sizeof(*out));
	/* Ddb's pager leaves its prompt in console logs, and blanks or backspaces that wipe it. */
	if (take(&c, "--More--"))
		while (c.p < c.end && (*c.p == ' ' || *c.p == '\r' || *c.p == '\b'))
			c.p++;
	switch (shape->form) {
	case KTR_TEXT_KTRDUMP:
		ok = row_ktrdump(shape, &c, out);
		break;
	case KTR_TEXT_DRAGONFLY:
		ok = row_dragonfly(shape, &c, out);
		break;
	case KTR_TEXT_TDUMP:
	case KTR_TEXT_KDEBUG:
		ok = row_tdump(shape, &c, out);
		break;
	case KTR_TEXT_DDB:
		ok = row_ddb(&c, out);
		break;
	case KTR_TEXT_DDB_OLD:
		ok = row_ddb_old(&c, out);
		break;
	case KTR_TEXT_CONSOLE:
		ok = row_console(&c, out);
		break;
	case KTR_TEXT_NONE:
		break;
	}
	out->text = (struct tdat_span){c.p, (size_t)(c.end - c.p)};
	return ok;
}

static bool starts(struct tdat_span line, const char *word)
{
	struct col c = {line.ptr, line.ptr + line.len};

	return take(&c, word);
}

static bool only_of(struct tdat_span line, const char *chars)
{
	for (size_t i = 0; i < line.len; i++)
		if (!line.ptr[i] || !strchr(chars, line.ptr[i]))
			return false;
	return true;
}

/* True for a debugger's prompt: kdebug's "0> t", ddb's "db> show ktr". */
static bool is_prompt(struct tdat_span line)
{
	struct col c = {line.ptr, line.ptr + line.len};
	uint64_t cpu;

	return take(&c, "db>") || take(&c, "db{") || (take_number(&c, 10, &cpu) && take(&c, ">"));
}

/*
 * True for lines that tools print around rows: headings, separators and prompts. They are not
 * reported.
 */
bool ktr_text_is_noise(const struct ktr_text_shape *shape, struct tdat_span line)
{
	struct ktr_text_shape other = {0};

	if (only_of(line, " \t\r") || only_of(line, "- =") || starts(line, "--More--") ||
	    starts(line, "--- End of trace buffer ---"))
		return true;
	if (shape->form == KTR_TEXT_KTRDUMP || shape->form == KTR_TEXT_DRAGONFLY)
		return starts(line, "TSC frequency is") || ktr_text_header(line, &other);
	return is_prompt(line) || starts(line, "C Idx") || starts(line, "C Index") ||
	       starts(line, "Newest entry at clock ");
}

/*
 * Parses a heading that begins with "index", and sets the columns by its words. Unknown words are
 * skipped.
 */
bool ktr_text_header(struct tdat_span line, struct ktr_text_shape *shape)
{
	static const struct {
		const char *word;
		enum ktr_column column;
	} words[] = {
		{"cpu", KTR_COLUMN_CPU},     {"timestamp", KTR_COLUMN_TIME},
		{"file", KTR_COLUMN_FILE},   {"tid", KTR_COLUMN_THREAD},
		{"ID", KTR_COLUMN_ID},	     {"caller2", KTR_COLUMN_CALLERS},
		{"trace", KTR_COLUMN_TRACE},
	};
	struct col c = {line.ptr, line.ptr + line.len};

	if (!take(&c, "index") || !skip_spaces(&c))
		return false;
	shape->column_count = 0;
	while (c.p < c.end) {
		struct tdat_span token = take_token(&c);

		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (ktr_span_is(token, words[i].word) &&
			    shape->column_count < KTR_COLUMN_COUNT)
				shape->columns[shape->column_count++] = words[i].column;
		skip_spaces(&c);
	}
	return shape->column_count > 0;
}
