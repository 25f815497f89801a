/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tells what of a stored text is not read, and writes one of which all is. */
#include "stored_text.h"

#include <string.h>

#include "lines.h"
#include "symbols.h"

/* ODD: it is read, but hardly as it was meant. */
enum line_use { READ, ODD, SKIPPED, ENDS };

/* Decimal digits, and the blanks before them. */
static bool skip_number(struct tdat_span line, size_t *pos)
{
	size_t start;

	*pos = start = model_skip_space(line, *pos);
	while (*pos < line.len && line.ptr[*pos] >= '0' && line.ptr[*pos] <= '9')
		++*pos;
	return *pos > start;
}

static bool is_tgid_line(struct tdat_span line)
{
	size_t pos = 0;

	return skip_number(line, &pos) && skip_number(line, &pos) &&
	       model_skip_space(line, pos) == line.len;
}

/*
 * Whether a line is one as the kernel writes them (kernel/trace/trace_printk.c, t_show): of others
 * the table takes something, but hardly the address and text that they were meant to have.
 */
static bool is_printk_line(struct tdat_span line)
{
	static const char between[] = " : \"";
	size_t pos = 2;

	if (line.len < pos || memcmp(line.ptr, "0x", 2) != 0)
		return false;
	while (pos < line.len && model_hex_value((char)line.ptr[pos]) < 16)
		pos++;
	return pos > 2 && pos <= 18 && line.len - pos > sizeof(between) - 1 &&
	       !memcmp(line.ptr + pos, between, sizeof(between) - 1) &&
	       line.ptr[line.len - 1] == '"';
}

/* What its table does with a line. */
static enum line_use use_of(enum model_text which, struct tdat_span line)
{
	bool ends = false;

	switch (which) {
	case MODEL_TEXT_KALLSYMS:
		return model_symbols_reads(line) ? READ : ENDS;
	case MODEL_TEXT_CMDLINES:
		return model_tasks_reads(line) ? READ : ENDS;
	case MODEL_TEXT_PRINTK:
		if (!model_printk_reads(line, &ends))
			return ends ? ENDS : SKIPPED;
		return is_printk_line(line) ? READ : ODD;
	case MODEL_TEXT_TGIDS:
		break;
	}
	return is_tgid_line(line) ? READ : SKIPPED;
}

static void note(struct model_unread *u, struct tdat_span text, struct tdat_span part, bool nul)
{
	if (model_is_blank(part))
		return;
	if (!u->len) {
		u->off = (size_t)(part.ptr - text.ptr);
		u->nul = nul;
	}
	u->len += part.len;
}

struct model_unread model_text_unread(enum model_text which, struct tdat_span text)
{
	struct model_unread u = {0, 0, false};
	struct model_lines lines = model_lines_init(text);
	struct tdat_span line, rest;

	while (model_lines_next(&lines, &line)) {
		switch (use_of(which, line)) {
		case READ:
			break;
		case ODD:
		case SKIPPED:
			note(&u, text, line, false);
			break;
		case ENDS:
			line.len = text.len - (size_t)(line.ptr - text.ptr);
			note(&u, text, line, false);
			if (u.len)
				return u;
			break;
		}
	}
	if (!text.len)
		return u;
	rest.ptr = lines.end;
	rest.len = text.len - (size_t)(lines.end - text.ptr);
	note(&u, text, rest, true);
	return u;
}

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

/* Puts a line of printk formats as the kernel would write what the table takes of it. */
static void put_printk_line(struct tdat_build *out, struct tdat_span line)
{
	struct tdat_span fmt;
	uint64_t addr;

	if (!model_printk_line(line, &addr, &fmt))
		return;
	tdat_build_printf(out, "0x%llx : \"", (unsigned long long)addr);
	tdat_build_bytes(out, fmt.ptr, fmt.len);
	tdat_build_str(out, "\"\n");
}

void model_text_mend(enum model_text which, struct tdat_span text, struct tdat_build *out)
{
	while (text.len) {
		/* Lines of the text up to its first NUL, then of what stands behind. */
		struct model_lines lines = model_lines_init(text);
		struct tdat_span line;
		size_t taken = (size_t)(lines.end - text.ptr);

		while (model_lines_next(&lines, &line)) {
			const enum line_use use = use_of(which, line);

			if (use == ODD) {
				put_printk_line(out, line);
			} else if (use == READ) {
				tdat_build_bytes(out, line.ptr, line.len);
				tdat_build_u8(out, '\n');
			}
		}
		taken += taken < text.len;
		text.ptr += taken;
		text.len -= taken;
	}
}
