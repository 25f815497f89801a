/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes one line of a listing apart. Rows are those of ktrdump, of tdump, of DragonFly's tool,
 * and of the kernel debugger on a console. Each form has a function below; a line that fits
 * none is not a row.
 */
#include "ktr.h"

#include <string.h>

#include "core/checked.h"
#include "core/text.h"
#include "import/text_lines.h"
#include "entry_layout.h"
#include "ktrgraph.h"

/* Widths of columns as the tools print them; the printf formats pad to these. */
enum { INDEX_WIDTH = 6, CPU_WIDTH = 3, TIME_WIDTH = 16, FILE_WIDTH = 40, ID_WIDTH = 20 };

/* Digits of cycles in an older ddb, at least. */
enum { CYCLES_DIGITS = 10 };

/* The take functions move the rest of a line only over what they accept. */
static size_t skip_spaces(struct tdat_span *c)
{
	const size_t len = c->len;

	tdat_take_blanks(c);
	return len - c->len;
}

/* Skips blanks up to a width that is counted from start. */
static void skip_padding(struct tdat_span *c, const uint8_t *start, ptrdiff_t width)
{
	while (c->len && c->ptr - start < width && *c->ptr == ' ')
		ktr_span_skip(c, " ");
}

/* Reads a number; returns its digits, 0 also if the value exceeds 64 bits. */
static size_t take_number(struct tdat_span *c, unsigned int base, uint64_t *out)
{
	struct tdat_span rest = *c;
	const size_t len = c->len;

	if (!tdat_take_u64(&rest, base, out))
		return 0;
	*c = rest;
	return len - c->len;
}

/* Takes the blank that ends a column; the line may end instead. */
static bool take_gap(struct tdat_span *c)
{
	return !c->len || ktr_span_skip(c, " ") || ktr_span_skip(c, "\t");
}

/*
 * Takes a right-aligned decimal. strict: its width with blanks must be exact, or a number of the
 * text would pass as a column.
 */
static bool take_aligned(struct tdat_span *c, size_t width, bool strict, uint64_t *out)
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
	struct tdat_span c;
	uint64_t v;

	while (i && tdat_is_dec(token.ptr[i - 1]))
		i--;
	/* A file's name has at least one character before the mark. */
	if (i < 2 || i == token.len || token.ptr[i - 1] != (uint8_t)mark)
		return false;
	c = (struct tdat_span){token.ptr + i, token.len - i};
	if (!take_number(&c, 10, &v) || v > UINT32_MAX)
		return false;
	*file = (struct tdat_span){token.ptr, i - 1};
	*line = (uint32_t)v;
	return true;
}

/* Takes a thread's address; libcs print a null pointer in different ways. */
static bool take_thread(struct tdat_span *c, uint64_t *thread)
{
	*thread = 0;
	if (ktr_span_skip(c, "(nil)") || ktr_span_skip(c, "(null)"))
		return true;
	return ktr_span_skip(c, "0x") && take_number(c, 16, thread) > 0;
}

/* Sets the CPU; one out of range becomes CPU 0 and is reported. */
static void set_cpu(struct ktr_text_row *row, uint64_t cpu)
{
	row->bad_cpu = cpu >= KTR_CPU_MAX;
	row->cpu = row->bad_cpu ? 0 : (uint32_t)cpu;
}

/* Takes "file:line", padded to its width. A longer location pushes the next column to the right. */
static bool take_file(struct tdat_span *c, struct ktr_text_row *row)
{
	const uint8_t *start = c->ptr;

	if (!split_location(tdat_take_token(c), ':', &row->file, &row->line))
		return false;
	skip_padding(c, start, FILE_WIDTH);
	return take_gap(c);
}

/* Takes one column of ktrdump. The order of columns is that of the heading. */
static bool take_column(const struct ktr_text_shape *shape, enum ktr_column column,
			struct tdat_span *c, struct ktr_text_row *row)
{
	uint64_t v;

	switch (column) {
	case KTR_COLUMN_CPU:
		if (!take_aligned(c, CPU_WIDTH, shape->strict, &v) ||
		    (shape->strict && v >= KTR_CPU_MAX))
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
static bool row_ktrdump(const struct ktr_text_shape *shape, struct tdat_span *c,
			struct ktr_text_row *row)
{
	if (!take_aligned(c, (size_t)(INDEX_WIDTH + shape->indent), shape->strict, &row->index))
		return false;
	row->has_index = true;
	for (unsigned int i = 0; i < shape->column_count; i++)
		if (!take_column(shape, shape->columns[i], c, row))
			return false;
	return true;
}

/* Takes DragonFly's time: cycles, or "N.NNN uS" since the row before (its -r). */
static bool take_dragonfly_time(struct tdat_span *c, struct ktr_text_row *row)
{
	uint64_t rest;
	bool negative;

	skip_spaces(c);
	/* A factor of -A that is too large makes differences negative: 0 is nearest. */
	negative = ktr_span_skip(c, "-");
	if (!take_number(c, 10, &row->time))
		return false;
	row->has_time = true;
	if (!ktr_span_skip(c, "."))
		return skip_spaces(c) || !c->len;
	/* Three decimals of microseconds make whole ns. */
	if (take_number(c, 10, &rest) != 3 || !tdat_mul_u64(row->time, 1000, &row->time) ||
	    !tdat_add_u64(row->time, rest, &row->time) || !ktr_span_skip(c, " uS"))
		return false;
	row->time_is_ns = true;
	if (negative)
		row->time = 0;
	return take_gap(c);
}

/* Takes a caller: "fork1+77", or its address. */
static bool take_caller(struct tdat_span *c, struct tdat_span *caller)
{
	skip_spaces(c);
	*caller = tdat_take_token(c);
	return caller->len && (memchr(caller->ptr, '+', caller->len) ||
			       (caller->len > 2 && !memcmp(caller->ptr, "0x", 2)));
}

/* Takes one column of DragonFly's ktrdump, whose columns are left-aligned. */
static bool take_dragonfly(enum ktr_column column, struct tdat_span *c, struct ktr_text_row *row)
{
	const uint8_t *start = c->ptr;
	uint64_t v;

	switch (column) {
	case KTR_COLUMN_CPU:
		if (!take_number(c, 10, &v))
			return false;
		set_cpu(row, v);
		skip_padding(c, start, CPU_WIDTH);
		return take_gap(c);
	case KTR_COLUMN_TIME:
		return take_dragonfly_time(c, row);
	case KTR_COLUMN_CALLERS:
		if (!take_caller(c, &row->caller2) || !take_caller(c, &row->caller1))
			return false;
		skip_spaces(c);
		return true;
	/* An id longer than its column pushes the text to the right. */
	case KTR_COLUMN_ID:
		row->id = tdat_take_token(c);
		skip_padding(c, start, ID_WIDTH);
		return row->id.len && take_gap(c);
	case KTR_COLUMN_FILE:
		skip_spaces(c);
		start = c->ptr;
		if (!split_location(tdat_take_token(c), ':', &row->file, &row->line))
			return false;
		skip_padding(c, start + row->file.len + 1, 4); /* the line is left-aligned */
		return take_gap(c);
	default:
		return true;
	}
}

/* Bytes that a column of DragonFly's ktrdump takes at least, unless it ends the line. */
static ptrdiff_t dragonfly_width(enum ktr_column column)
{
	static const uint8_t widths[KTR_COLUMN_COUNT] = {
		[KTR_COLUMN_CPU] = CPU_WIDTH + 1,
		[KTR_COLUMN_TIME] = TIME_WIDTH + 1,
		[KTR_COLUMN_ID] = ID_WIDTH + 1,
	};

	return widths[column];
}

/* DragonFly's row: a hexadecimal index of six digits, then the columns. */
static bool row_dragonfly(const struct ktr_text_shape *shape, struct tdat_span *c,
			  struct ktr_text_row *row)
{
	if (!skip_spaces(c) || take_number(c, 16, &row->index) != INDEX_WIDTH ||
	    !ktr_span_skip(c, " "))
		return false;
	row->has_index = true;
	for (unsigned int i = 0; i < shape->column_count; i++) {
		const uint8_t *start = c->ptr;

		if (!take_dragonfly(shape->columns[i], c, row) ||
		    (shape->strict && c->len &&
		     c->ptr - start < dragonfly_width(shape->columns[i])))
			return false;
	}
	return true;
}

/*
 * Row of FreeBSD's schedgraph.d: CPU, ns and a KTRGRAPH message. Its make_ktr.sh puts a number and
 * a tab before each.
 */
static bool row_dtrace(struct tdat_span *c, struct ktr_text_row *row)
{
	size_t blanks = skip_spaces(c), digits, time_digits;
	struct tdat_span rest = *c;
	uint64_t cpu;

	row->has_index = take_number(&rest, 10, &row->index) && ktr_span_skip(&rest, "\t");
	if (row->has_index)
		*c = rest;
	digits = take_number(c, 10, &cpu);
	if (!digits || cpu >= KTR_CPU_MAX || !ktr_span_skip(c, " "))
		return false;
	time_digits = take_number(c, 10, &row->time);
	if (!time_digits || !ktr_span_skip(c, " "))
		return false;
	set_cpu(row, cpu);
	row->has_time = row->time_is_ns = true;
	rest = *c;
	/* An index and a time as wide as their columns are of ktrdump -t. */
	return ktr_span_skip(&rest, "KTRGRAPH ") &&
	       (row->has_index || !blanks || blanks + digits != INDEX_WIDTH ||
		time_digits < TIME_WIDTH);
}

/* Row of BSD/OS: CPU, index and time in hex. kdebug prints a colon behind them. */
static bool row_tdump(const struct ktr_text_shape *shape, struct tdat_span *c,
		      struct ktr_text_row *row)
{
	uint64_t cpu;

	skip_spaces(c);
	if (!take_number(c, 16, &cpu) || !skip_spaces(c) || !take_number(c, 16, &row->index) ||
	    !skip_spaces(c) || !take_number(c, 16, &row->time))
		return false;
	if (shape->form == KTR_TEXT_KDEBUG ? !ktr_span_skip(c, ":") : false)
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

/* Takes the colon before a text, which may be empty. */
static bool take_text_mark(struct tdat_span *c)
{
	return ktr_span_skip(c, ": ") || (c->len == 1 && ktr_span_skip(c, ":"));
}

/*
 * Row of FreeBSD's ddb ("show ktr"): INDEX (THREAD:cpuN) TIME FILE.LINE: text. CPU, time and
 * location may be missing.
 */
static bool row_ddb(struct tdat_span *c, struct ktr_text_row *row)
{
	uint64_t cpu;
	size_t len;

	skip_spaces(c);
	if (!take_number(c, 10, &row->index) || !ktr_span_skip(c, " (") ||
	    !take_thread(c, &row->thread))
		return false;
	row->has_index = true;
	if (ktr_span_skip(c, ":cpu")) {
		if (!take_number(c, 10, &cpu))
			return false;
		set_cpu(row, cpu);
	}
	if (!ktr_span_skip(c, ")"))
		return false;
	/* The text follows at once, with /V behind the time. */
	if (take_text_mark(c))
		return true;
	if (!ktr_span_skip(c, " "))
		return false;
	skip_spaces(c);
	row->has_time = take_number(c, 10, &row->time) > 0;
	if (row->has_time && take_text_mark(c))
		return true;
	if (!row->has_time || !ktr_span_skip(c, " "))
		return false;
	/*
	 * The location ends at the first colon that ends a word: files may have colons in their
	 * names.
	 */
	for (len = 0; len < c->len; len++)
		if (c->ptr[len] == ':' && (len + 1 == c->len || c->ptr[len + 1] == ' '))
			break;
	if (len == c->len ||
	    !split_location((struct tdat_span){c->ptr, len}, '.', &row->file, &row->line))
		return false;
	len += len + 1 == c->len ? 1 : 2;
	*c = (struct tdat_span){c->ptr + len, c->len - len};
	return true;
}

/* Takes "FILE.LINE" and a tab, as KTR prints on the console; false: they are not there. */
static bool take_console_location(struct tdat_span *c, struct ktr_text_row *row)
{
	const uint8_t *tab = c->len ? memchr(c->ptr, '\t', c->len) : NULL;
	struct tdat_span location;

	if (!tab)
		return false;
	location = (struct tdat_span){c->ptr, (size_t)(tab - c->ptr)};
	if (memchr(location.ptr, ' ', location.len) ||
	    !split_location(location, '.', &row->file, &row->line))
		return false;
	*c = (struct tdat_span){tab + 1, c->len - location.len - 1};
	return true;
}

/* Takes "cpuN "; returns false and moves nothing if it is not there. */
static bool take_console_cpu(struct tdat_span *c, struct ktr_text_row *row)
{
	struct tdat_span start = *c;
	uint64_t cpu;

	if (ktr_span_skip(c, "cpu") && take_number(c, 10, &cpu) && ktr_span_skip(c, " ")) {
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
static bool row_console(struct tdat_span *c, struct ktr_text_row *row)
{
	bool cpu;

	skip_spaces(c);
	cpu = take_console_cpu(c, row);
	take_console_location(c, row);
	return cpu || row->file.len;
}

/*
 * Takes the time of an older ddb: "SEC.USEC" of 2000 and 2001, since then cycles before a location.
 * The text may begin with a number, so a time must be complete.
 */
static bool take_old_time(struct tdat_span *c, struct ktr_text_row *row)
{
	struct tdat_span rest = *c;
	uint64_t v, usec;
	size_t digits;
	bool ns;

	skip_spaces(&rest);
	digits = take_number(&rest, 10, &v);
	ns = digits && ktr_span_skip(&rest, ".");
	if (ns) {
		if (take_number(&rest, 10, &usec) != 6 || !tdat_mul_u64(v, 1000000000, &v))
			return false;
		v += usec * 1000;
		ktr_span_skip(&rest, ":"); /* until 2000 */
	}
	if (!digits || !ktr_span_skip(&rest, " "))
		return false;
	if (!ns && (digits < CYCLES_DIGITS || !take_console_location(&rest, row)))
		return false;
	row->time = v;
	row->has_time = true;
	row->time_is_ns = ns;
	*c = rest;
	return true;
}

/*
 * Row of an older ddb: INDEX: [SEC.USEC ][cpuN ][FILE.LINE<TAB>]text, since 2002
 * INDEX: [cpuN ][CYCLES FILE.LINE<TAB>]text. DragonFly has the CPU first.
 */
static bool row_ddb_old(struct tdat_span *c, struct ktr_text_row *row)
{
	bool cpu;

	skip_spaces(c);
	cpu = take_console_cpu(c, row);
	if (!take_number(c, 10, &row->index) || !ktr_span_skip(c, ": "))
		return false;
	row->has_index = true;
	cpu = cpu || take_console_cpu(c, row);
	take_old_time(c, row);
	if (!cpu)
		take_console_cpu(c, row);
	if (!row->file.len)
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
	bool ok = false;

	memset(out, 0, sizeof(*out));
	/* Ddb's pager leaves its prompt in console logs, and blanks or backspaces that wipe it. */
	if (ktr_span_skip(&line, "--More--"))
		while (ktr_span_skip(&line, " ") || ktr_span_skip(&line, "\r") ||
		       ktr_span_skip(&line, "\b"))
			;
	switch (shape->form) {
	case KTR_TEXT_KTRDUMP:
		ok = row_ktrdump(shape, &line, out);
		break;
	case KTR_TEXT_DRAGONFLY:
		ok = row_dragonfly(shape, &line, out);
		break;
	case KTR_TEXT_TDUMP:
	case KTR_TEXT_KDEBUG:
		ok = row_tdump(shape, &line, out);
		break;
	case KTR_TEXT_DTRACE:
		ok = row_dtrace(&line, out);
		break;
	case KTR_TEXT_DDB:
		ok = row_ddb(&line, out);
		break;
	case KTR_TEXT_DDB_OLD:
		ok = row_ddb_old(&line, out);
		break;
	case KTR_TEXT_CONSOLE:
		ok = row_console(&line, out);
		break;
	case KTR_TEXT_NONE:
		break;
	}
	out->text = line;
	return ok;
}

/* Takes off the marks of quoted mail, "> " or "| ", of all levels. No row begins with them. */
void ktr_text_unquote(struct tdat_span *line)
{
	for (;;) {
		struct tdat_span rest = *line;

		skip_spaces(&rest);
		if (!ktr_span_skip(&rest, ">") && !ktr_span_skip(&rest, "|"))
			return;
		ktr_span_skip(&rest, " ");
		*line = rest;
	}
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
	uint64_t cpu;

	return ktr_span_skip(&line, "db>") || ktr_span_skip(&line, "db{") ||
	       (take_number(&line, 10, &cpu) && ktr_span_skip(&line, ">"));
}

/*
 * True for lines that tools print around rows: headings, separators and prompts. They are not
 * reported.
 */
bool ktr_text_is_noise(const struct ktr_text_shape *shape, struct tdat_span line)
{
	struct ktr_text_shape other = {0};

	skip_spaces(&line);
	if (only_of(line, " \t\r") || only_of(line, "- =") || ktr_span_skip(&line, "--More--") ||
	    ktr_span_skip(&line, "--- End of trace buffer ---"))
		return true;
	if (shape->form == KTR_TEXT_KTRDUMP || shape->form == KTR_TEXT_DRAGONFLY)
		return ktr_span_skip(&line, "TSC frequency is") || ktr_text_header(line, &other);
	return is_prompt(line) || ktr_span_skip(&line, "C Idx") ||
	       ktr_span_skip(&line, "C Index") || ktr_span_skip(&line, "Newest entry at clock ");
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

	skip_spaces(&line);
	if (!ktr_span_skip(&line, "index") || !skip_spaces(&line))
		return false;
	shape->column_count = 0;
	while (line.len) {
		struct tdat_span token = tdat_take_token(&line);

		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (tdat_span_is(token, words[i].word) &&
			    shape->column_count < KTR_COLUMN_COUNT)
				shape->columns[shape->column_count++] = words[i].column;
		skip_spaces(&line);
	}
	return shape->column_count > 0;
}
