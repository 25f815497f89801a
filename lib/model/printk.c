/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parses printk_formats: lines of 0xADDR : "format". Like libtraceevent it keeps the text after ":
 * " without its quotes and without a final "\n" (two characters); other escapes stay unresolved.
 * The table finds a string by its exact address; it is immutable and shared by threads.
 */
#include "symbols.h"

#include <stdlib.h>

#include "addr_table.h"
#include "core/text.h"

struct model_printk {
	const uint8_t *text;
	struct model_addr_table table;
};

/*
 * Reads an address as strtoull() with base 16 does: text that is not a number is 0, and what is too
 * large is the maximum.
 */
static uint64_t parse_hex(struct tdat_span s)
{
	size_t i = tdat_skip_space(s, 0);
	bool negative = false;
	uint64_t v;

	if (i < s.len && (s.ptr[i] == '-' || s.ptr[i] == '+'))
		negative = s.ptr[i++] == '-';
	if (s.len - i > 2 && s.ptr[i] == '0' && (s.ptr[i + 1] | 0x20) == 'x' &&
	    tdat_digit(s.ptr[i + 2]) < 16)
		i += 2;
	s = (struct tdat_span){s.ptr + i, s.len - i};
	return tdat_take_u64(&s, 16, &v) && negative ? 0 - v : v;
}

/* Removes the quotes and a final "\n" in escaped form. */
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
	/* The address ends at the first colon; the string may have more of them. */
	colon = (const uint8_t *)memchr(line.ptr, ':', line.len);
	if (!colon)
		return true;
	num.ptr = line.ptr;
	num.len = (size_t)(colon - line.ptr);
	*addr = parse_hex(num);
	/* One byte behind the colon is skipped, which is a blank in the kernel's lines. */
	if (line.len - num.len < 2)
		return true;
	fmt->ptr = colon + 2;
	fmt->len = line.len - num.len - 2;
	*fmt = strip(*fmt);
	return true;
}

/* Tells stored_text.c how read_lines() treats a line. */
bool model_printk_reads(struct tdat_span line, bool *ends)
{
	struct tdat_span fmt;
	uint64_t addr;

	*ends = !parse_line(line, &addr, &fmt);
	return !*ends && fmt.ptr;
}

/* Adds all lines up to the one that ends the table. False: no memory. */
static bool read_lines(struct model_addr_list *list, struct tdat_span text)
{
	struct tdat_lines lines = tdat_lines_init(text);
	struct tdat_span line, fmt;
	uint64_t addr;

	while (tdat_lines_next(&lines, &line) && parse_line(line, &addr, &fmt))
		if (fmt.ptr &&
		    !model_addr_list_add(list, addr, (size_t)(fmt.ptr - text.ptr), fmt.len))
			return false;
	return true;
}

/* Returns how long the address part of a line is, 0: the line has no string. */
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

	/* The table keeps offsets of 32 bits. */
	if (text.len > UINT32_MAX)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "printk formats have %zu bytes, more than %u", text.len,
				      UINT32_MAX);
	p = (struct model_printk *)calloc(1, sizeof(*p));
	if (!p || !read_lines(&list, text) || !model_addr_table_init(&p->table, &list)) {
		model_addr_list_fini(&list);
		model_printk_free(p);
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory for %zu bytes of printk formats", text.len);
	}
	p->text = text.ptr;
	model_addr_list_fini(&list);
	*out = p;
	return TDAT_OK;
}

void model_printk_free(struct model_printk *p)
{
	if (!p)
		return;
	model_addr_table_fini(&p->table);
	free(p);
}

size_t model_printk_count(const struct model_printk *p)
{
	return p ? p->table.total : 0;
}

/* Finds a string by its exact address: formats of trace_printk() are whole strings. */
struct tdat_span model_printk_find(const struct model_printk *p, uint64_t addr)
{
	struct tdat_span s = {NULL, 0};
	size_t k;

	if (!p)
		return s;
	k = model_addr_table_below(&p->table, addr);
	if (!k || p->table.keys[k] != addr)
		return s;
	s.ptr = p->text + p->table.exact[k].off;
	s.len = p->table.exact[k].len;
	return s;
}
