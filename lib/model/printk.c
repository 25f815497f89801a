/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parses printk_formats: lines of 0xADDR : "format". What libtraceevent keeps is the
 * text after ": " without its quotes and without a final "\n" (two characters);
 * other escapes stay as they are.
 */
#include "symbols.h"

#include <stdlib.h>

#include "addr_table.h"
#include "bprint_args.h"
#include "core/build.h"
#include "lines.h"

/* A part of model_printk's takes. */
struct printk_takes {
	uint32_t off, len;
	bool known; /* false: the string has other conversions than a kernel's */
};

struct model_printk {
	const uint8_t *text;
	struct model_addr_table table;
	struct tdat_build takes;       /* bprint_takes() of all strings */
	struct printk_takes *takes_of; /* by index of the table, as exact */
};

/* strtoull(s, NULL, 16): what is no number is 0, what is too large the maximum. */
static uint64_t parse_hex(struct tdat_span s)
{
	size_t i = model_skip_space(s, 0);
	bool negative = false;
	uint64_t v = 0;

	if (i < s.len && (s.ptr[i] == '-' || s.ptr[i] == '+'))
		negative = s.ptr[i++] == '-';
	if (s.len - i > 2 && s.ptr[i] == '0' && (s.ptr[i + 1] | 0x20) == 'x' &&
	    model_hex_value(s.ptr[i + 2]) < 16)
		i += 2;
	for (; i < s.len && model_hex_value(s.ptr[i]) < 16; i++) {
		if (v >> 60)
			return UINT64_MAX;
		v = v << 4 | model_hex_value(s.ptr[i]);
	}
	return negative ? 0 - v : v;
}

static struct tdat_span strip(struct tdat_span s)
{
	if (s.len && s.ptr[0] == '"') {
		s.ptr++;
		s.len--;
	}
	if (s.len && s.ptr[s.len - 1] == '"') {
		s.len--;
		if (s.len >= 2 && s.ptr[s.len - 2] == '\\' && s.ptr[s.len - 1] == 'n')
			s.len -= 2;
	}
	return s;
}

/*
 * False when the line ends the table: it has only colons. A line without text after the colon
 * and one more byte has no string; libtraceevent takes the following lines for one, which is of
 * no use.
 */
static bool parse_line(struct tdat_span line, uint64_t *addr, struct tdat_span *fmt)
{
	const uint8_t *colon;
	struct tdat_span num;

	fmt->ptr = NULL;
	fmt->len = 0;
	while (line.len && line.ptr[0] == ':') {
		line.ptr++;
		line.len--;
	}
	if (!line.len)
		return false;
	colon = (const uint8_t *)memchr(line.ptr, ':', line.len);
	if (!colon)
		return true;
	num.ptr = line.ptr;
	num.len = (size_t)(colon - line.ptr);
	*addr = parse_hex(num);
	if (line.len - num.len < 2)
		return true;
	fmt->ptr = colon + 2;
	fmt->len = line.len - num.len - 2;
	*fmt = strip(*fmt);
	return true;
}

bool model_printk_reads(struct tdat_span line, bool *ends)
{
	struct tdat_span fmt;
	uint64_t addr;

	*ends = !parse_line(line, &addr, &fmt);
	return !*ends && fmt.ptr;
}

static bool read_lines(struct model_addr_list *list, struct tdat_span text)
{
	struct model_lines lines = model_lines_init(text);
	struct tdat_span line, fmt;
	uint64_t addr;

	while (model_lines_next(&lines, &line) && parse_line(line, &addr, &fmt))
		if (fmt.ptr &&
		    !model_addr_list_add(list, addr, (size_t)(fmt.ptr - text.ptr), fmt.len))
			return false;
	return true;
}

/* Reads the conversions of all strings once: events of trace_printk() are many. */
static bool read_takes(struct model_printk *p)
{
	const size_t count = p->table.count + 1;

	p->takes_of = (struct printk_takes *)calloc(count, sizeof(*p->takes_of));
	for (size_t k = 1; p->takes_of && k < count; k++) {
		const struct model_addr_value *v = &p->table.exact[k];
		const size_t off = p->takes.len;
		const struct tdat_span string = {p->text + v->off, v->len};
		const bool known = bprint_takes(&p->takes, string);

		/* There are fewer of them than bytes of text, which are below 4 GiB. */
		p->takes_of[k] =
			(struct printk_takes){(uint32_t)off, (uint32_t)(p->takes.len - off), known};
	}
	return p->takes_of && !p->takes.failed;
}

size_t model_printk_line(struct tdat_span line, uint64_t *addr, struct tdat_span *fmt)
{
	const uint8_t *colon;

	if (!parse_line(line, addr, fmt) || !fmt->ptr)
		return 0;
	colon = line.ptr;
	while (*colon == ':') /* before the number they are skipped */
		colon++;
	while (*colon != ':')
		colon++;
	return (size_t)(colon - line.ptr);
}

enum tdat_status model_printk_new(struct model_printk **out, struct tdat_span text,
				  struct tdat_error *err)
{
	struct model_addr_list list = {NULL, 0, 0};
	struct model_printk *p;

	if (text.len > UINT32_MAX)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "printk formats have %zu bytes, more than %u", text.len,
				      UINT32_MAX);
	p = (struct model_printk *)calloc(1, sizeof(*p));
	if (p) {
		p->text = text.ptr;
		tdat_build_init(&p->takes, false);
	}
	if (!p || !read_lines(&list, text) || !model_addr_table_init(&p->table, &list) ||
	    !read_takes(p)) {
		model_addr_list_fini(&list);
		model_printk_free(p);
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory for %zu bytes of printk formats", text.len);
	}
	model_addr_list_fini(&list);
	*out = p;
	return TDAT_OK;
}

void model_printk_free(struct model_printk *p)
{
	if (!p)
		return;
	model_addr_table_fini(&p->table);
	tdat_build_fini(&p->takes);
	free(p->takes_of);
	free(p);
}

size_t model_printk_count(const struct model_printk *p)
{
	return p ? p->table.total : 0;
}

/* The index of the string at exactly addr; 0: there is none. */
static size_t find(const struct model_printk *p, uint64_t addr)
{
	const size_t k = p ? model_addr_table_below(&p->table, addr) : 0;

	return k && p->table.keys[k] == addr ? k : 0;
}

struct tdat_span model_printk_find(const struct model_printk *p, uint64_t addr)
{
	const size_t k = find(p, addr);

	if (!k)
		return (struct tdat_span){NULL, 0};
	return (struct tdat_span){p->text + p->table.exact[k].off, p->table.exact[k].len};
}

struct tdat_span model_printk_takes(const struct model_printk *p, uint64_t addr)
{
	static const uint8_t none[1];
	const size_t k = find(p, addr);

	if (!k || !p->takes_of[k].known)
		return (struct tdat_span){NULL, 0};
	return (struct tdat_span){p->takes.ptr ? p->takes.ptr + p->takes_of[k].off : none,
				  p->takes_of[k].len};
}
