/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints messages by printf formats of the kernel: docs/formats/ktr.md §3. Conversions take
 * parameters as the kernel that wrote them would, with its word size. Text from the capture is
 * cleaned of control bytes. Used for messages, typed events and names.
 */
#include "printf_format.h"

#include <stdlib.h>
#include <string.h>

#include "clean_text.h"
#include "core/number.h"
#include "core/text.h"
#include "entry_layout.h"
#include "kernel_strings.h"

/* State of the parser. Positions are bytes: a format has at most KTR_STRING_MAX characters. */
struct parser {
	const char *text;
	uint8_t len, pos;
	/* Next parameter. */
	uint8_t parm;
	unsigned int parm_count;
};

/* Takes one character if it comes next. */
static bool take(struct parser *p, char c)
{
	if (p->pos == p->len || p->text[p->pos] != c)
		return false;
	p->pos++;
	return true;
}

/* Takes one flag. False: no flag comes next. */
static bool parse_flag(struct parser *p, struct ktr_conv *c)
{
	if (take(p, '-'))
		c->left = true;
	else if (take(p, '0'))
		c->zero = true;
	else if (take(p, '+'))
		c->plus = true;
	else if (take(p, ' '))
		c->space = true;
	else if (take(p, '#'))
		c->alt = true;
	else
		return take(p, '\''); /* grouping: none in this locale */
	return true;
}

/* Reads a width or precision, 0 if there is none. Hostile widths are cut at KTR_WIDTH_MAX. */
static unsigned int parse_number(struct parser *p)
{
	uint64_t v;

	p->pos = (uint8_t)(tdat_read_digits(p->text + p->pos, p->text + p->len, 10, &v) - p->text);
	return v < KTR_WIDTH_MAX ? (unsigned int)v : KTR_WIDTH_MAX;
}

/* Reads length modifiers. Every parameter fills a word, so "l" and longer all mean a word. */
static void parse_size(struct parser *p, struct ktr_conv *c)
{
	c->size = KTR_ARG_INT;
	for (; p->pos < p->len && strchr("hljtzqL", p->text[p->pos]); p->pos++) {
		if (p->text[p->pos] != 'h')
			c->size = KTR_ARG_WORD;
		else
			c->size = c->size == KTR_ARG_INT ? KTR_ARG_SHORT : KTR_ARG_CHAR;
	}
}

/* CUT: the format ends within a conversion. */
enum outcome { PARSED, CUT, UNSUPPORTED };

/* Parses a conversion behind its percent sign. Each but %% takes the next parameter. */
static enum outcome parse_conv(struct parser *p, struct ktr_conv *c)
{
	char kind;

	c->prec = -1;
	while (parse_flag(p, c))
		;
	c->width = (uint16_t)parse_number(p);
	if (take(p, '.'))
		c->prec = (int16_t)parse_number(p);
	parse_size(p, c);
	if (p->pos == p->len)
		return CUT;
	kind = p->text[p->pos++];
	if (kind == 'i')
		kind = 'd';
	/* BSD's %b and %D take a second argument that says how to print the first. */
	if (kind == 'D' || !strchr("duxXocsp%", kind))
		return UNSUPPORTED;
	c->kind = kind;
	if (kind == 'p')
		c->size = KTR_ARG_WORD;
	/* Plain conversions, the common ones, take a short cut in print_conv(). */
	c->plain = strchr("duxXp", kind) && !c->width && c->prec < 0 && !c->alt && !c->plus &&
		   !c->space;
	if (kind != '%')
		/* KTR_PARMS: the entry has no parameter left for it. */
		c->parm = p->parm < p->parm_count ? p->parm++ : KTR_PARMS;
	return PARSED;
}

/* Fills convs, which has room for every percent sign and the end; returns their number. */
static size_t parse(struct ktr_format *f, unsigned int parm_count)
{
	struct parser p = {.text = f->text, .len = f->len, .parm_count = parm_count};
	uint8_t lit_off = 0;
	size_t n = 0;

	while (p.pos < p.len) {
		struct ktr_conv c = {.lit_off = lit_off, .lit_len = (uint8_t)(p.pos - lit_off)};

		if (p.text[p.pos++] != '%')
			continue;
		switch (parse_conv(&p, &c)) {
		case CUT:
			break; /* stays text */
		case UNSUPPORTED:
			f->unsupported = true;
			return 0;
		case PARSED:
			f->many = f->many || c.parm == KTR_PARMS;
			f->convs[n++] = c;
			lit_off = p.pos;
		}
	}
	f->convs[n] = (struct ktr_conv){.lit_off = lit_off, .lit_len = (uint8_t)(p.len - lit_off)};
	return n + 1;
}

/* True if the format's text holds the word. */
static bool holds(const struct ktr_format *f, const char *word)
{
	return memmem(f->text, f->len, word, strlen(word)) != NULL;
}

/*
 * Parses a format. text.ptr NULL: its address is not resolved. The caller frees the result; NULL:
 * no memory.
 */
struct ktr_format *ktr_format_new(uint64_t addr, struct tdat_span text, unsigned int parm_count)
{
	size_t len = text.len < KTR_STRING_MAX ? text.len : KTR_STRING_MAX, convs = 1;
	struct ktr_format *f;

	/* Each percent sign is at most one conversion; the last element is the text behind them. */
	for (size_t i = 0; i < len; i++)
		convs += text.ptr[i] == '%';
	f = calloc(1, sizeof(*f) + convs * sizeof(f->convs[0]));
	if (!f)
		return NULL;
	f->addr = addr;
	f->resolved = text.ptr != NULL;
	f->len = (uint8_t)len;
	if (len)
		memcpy(f->text, text.ptr, len);
	/* Only formats with "stathz:" can reveal the clock's rate (stathz.c). */
	f->stathz = holds(f, "stathz:");
	f->clean = ktr_text_is_clean((struct tdat_span){text.ptr, len});
	f->conv_count = (uint8_t)parse(f, parm_count);
	return f;
}

bool ktr_conv_signed(const struct ktr_conv *c)
{
	return c->kind == 'd';
}

/* Cuts a parameter to the conversion's size and extends its sign, as C's integer promotions do. */
uint64_t ktr_conv_value(const struct ktr_conv *c, uint64_t parm, unsigned int word)
{
	bool is_signed = ktr_conv_signed(c);

	if (c->kind == 'c' || c->size == KTR_ARG_CHAR)
		return is_signed ? (uint64_t)(int64_t)(int8_t)parm : (uint8_t)parm;
	if (c->size == KTR_ARG_SHORT)
		return is_signed ? (uint64_t)(int64_t)(int16_t)parm : (uint16_t)parm;
	if (c->size == KTR_ARG_INT || word == 4)
		return is_signed ? (uint64_t)(int64_t)(int32_t)parm : (uint32_t)parm;
	return parm;
}

static void pad(struct tdat_build *out, char c, size_t width, size_t used)
{
	if (width > used)
		tdat_build_fill(out, (uint8_t)c, width - used);
}

/*
 * Prints a number above zero by a plain conversion: print_number gives the same, which
 * tests/unit/formats/test_ktr_hot.c compares.
 */
static inline void print_plain(const struct ktr_conv *c, uint64_t v, struct tdat_build *out)
{
	char buf[2 * TDAT_NUMBER_MAX], *end = buf + TDAT_NUMBER_MAX, *p;
	uint8_t *at = tdat_build_room(out, TDAT_NUMBER_MAX);

	if (!at)
		return;
	p = c->kind == 'd' || c->kind == 'u' ? tdat_number_dec(end, v)
					     : tdat_number_hex(end, v, c->kind == 'X');
	if (c->kind == 'p')
		memcpy(p -= 2, "0x", 2);
	/* Copying the constant maximum is faster than copying the exact length. */
	memset(end, 0, TDAT_NUMBER_MAX);
	memcpy(at, p, TDAT_NUMBER_MAX);
	out->len += (size_t)(end - p);
}

/* Prints a number by the C library's rules, with all flags. */
static void print_number(const struct ktr_conv *c, uint64_t v, struct tdat_build *out)
{
	const struct tdat_num_spec spec = {.conv = c->kind,
					   .left = c->left,
					   .zero = c->zero,
					   .plus = c->plus,
					   .space = c->space,
					   .alt = c->alt,
					   .width = c->width,
					   .prec = c->prec};

	tdat_number_printf(out, &spec, v);
}

static void print_hex(struct tdat_build *out, uint64_t v)
{
	tdat_build_bytes(out, "0x", 2);
	tdat_number_x64(out, v, 0);
}

/* Prints the text at an address, or <0xADDR> and returns false if it is not resolved. */
bool ktr_string_print(struct ktr_strings *strings, uint64_t addr, struct tdat_build *out)
{
	const struct ktr_strings_slot *s = ktr_strings_look(strings, addr);

	if (s->clean) {
		tdat_build_bytes(out, s->text.ptr, s->text.len);
		return true;
	}
	if (s->text.ptr) {
		ktr_text_clean(out, s->text);
		return true;
	}
	tdat_build_u8(out, '<');
	print_hex(out, addr);
	tdat_build_u8(out, '>');
	return false;
}

/* Prints a %s argument with precision and width. Padding counts bytes before escaping. */
static void print_string(const struct ktr_conv *c, uint64_t addr, struct ktr_strings *strings,
			 struct tdat_build *out, struct ktr_print_stats *stats)
{
	const struct ktr_strings_slot *s = ktr_strings_look(strings, addr);
	struct tdat_span text = s->text;

	if (!text.ptr) {
		stats->strings_unresolved++;
		ktr_string_print(strings, addr, out);
		return;
	}
	if (c->prec >= 0 && text.len > (size_t)c->prec)
		text.len = (size_t)c->prec;
	if (!c->left)
		pad(out, ' ', c->width, text.len);
	if (s->clean)
		tdat_build_bytes(out, text.ptr, text.len);
	else
		ktr_text_clean(out, text);
	if (c->left)
		pad(out, ' ', c->width, text.len);
}

/* Prints one conversion; plain numbers, nearly all, come first. */
static void print_conv(const struct ktr_conv *c, const struct ktr_entry *e, unsigned int word,
		       struct ktr_strings *strings, struct tdat_build *out,
		       struct ktr_print_stats *stats)
{
	uint64_t v;
	uint8_t byte;

	if (c->plain && c->parm < KTR_PARMS) {
		v = ktr_conv_value(c, e->parms[c->parm], word);
		/* Zero and negative numbers need the general function. */
		if (v && (c->kind != 'd' || v <= INT64_MAX))
			print_plain(c, v, out);
		else
			print_number(c, v, out);
		return;
	}
	if (c->kind == '%') {
		tdat_build_u8(out, '%');
		return;
	}
	if (c->parm >= KTR_PARMS) {
		/* The format wants more than the entry has. */
		tdat_build_str(out, "<no arg>");
		return;
	}
	if (c->kind == 's') {
		print_string(c, e->parms[c->parm], strings, out, stats);
		return;
	}
	if (c->kind != 'c') {
		print_number(c, ktr_conv_value(c, e->parms[c->parm], word), out);
		return;
	}
	byte = (uint8_t)e->parms[c->parm];
	if (!c->left)
		pad(out, ' ', c->width, 1);
	ktr_text_clean(out, (struct tdat_span){&byte, 1});
	if (c->left)
		pad(out, ' ', c->width, 1);
}

/* Prints a format that cannot be filled in: its text or address, then all parameters in hex. */
static void print_raw(const struct ktr_format *f, const struct ktr_entry *e,
		      unsigned int parm_count, struct tdat_build *out)
{
	if (f->resolved) {
		ktr_text_clean(out, (struct tdat_span){(const uint8_t *)f->text, f->len});
		tdat_build_str(out, " [");
	} else {
		tdat_build_str(out, "<fmt ");
		print_hex(out, f->addr);
		tdat_build_str(out, "> ");
	}
	for (unsigned int i = 0; i < parm_count; i++) {
		if (i)
			tdat_build_u8(out, ' ');
		print_hex(out, e->parms[i]);
	}
	if (f->resolved)
		tdat_build_u8(out, ']');
}

/*
 * Copies literal text of a format, in steps of eight bytes. Both buffers have KTR_TEXT_SLACK bytes
 * behind the end. A call of memcpy takes longer to begin than the copy itself.
 */
static inline void put_literal(struct tdat_build *out, const char *text, size_t len)
{
	uint8_t *at = tdat_build_room(out, len + KTR_TEXT_SLACK);

	if (!at)
		return;
	for (size_t i = 0; i < len; i += KTR_TEXT_SLACK)
		memcpy(at + i, text + i, KTR_TEXT_SLACK);
	out->len += len;
}

/* Prints an entry's message: literal text and conversions by turns. */
void ktr_format_print(const struct ktr_format *f, const struct ktr_entry *e, unsigned int word,
		      unsigned int parm_count, struct ktr_strings *strings, struct tdat_build *out,
		      struct ktr_print_stats *stats)
{
	if (!f->resolved || f->unsupported) {
		print_raw(f, e, parm_count, out);
		return;
	}
	for (unsigned int i = 0; i < f->conv_count; i++) {
		const struct ktr_conv *c = &f->convs[i];

		if (f->clean)
			put_literal(out, f->text + c->lit_off, c->lit_len);
		else
			ktr_text_clean(out,
				       (struct tdat_span){(const uint8_t *)f->text + c->lit_off,
							  c->lit_len});
		if (c->kind)
			print_conv(c, e, word, strings, out, stats);
	}
}
