/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compiles the parts of a format string and their trees into the items of a program. Input is
 * the parsed print fmt (print_ast.h), output a struct of items that print_run.c executes.
 * Memory and steps of a program are counted while it is compiled, and a program that is too
 * expensive is refused, so that running it needs no check. Reading the fmt as the kernel does
 * is in kfmt_compile.c, which adds items of its own.
 */
#include "print_compile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/search.h"

/*
 * No kernel has fixed fields beyond: a record fits in a page. Shorter records are padded to this
 * many zeros at most.
 */
enum { RECORD_MAX = 1 << 16 };

/* Testing a flag takes a fraction of the time of an operation: this many count as one step. */
enum { PAIRS_PER_STEP = 4 };

/*
 * TEXT_SLACK lies behind literals, so that 16 bytes may be copied at once. ITEM_ROOM is the most
 * that a number or a name of NAME_MAX_LEN prints without asking for room.
 */
enum { TEXT_SLACK = 16, ITEM_ROOM = 64, NAME_MAX_LEN = ITEM_ROOM };

/* True if the fixed part of a record has a size that programs may read without checks. */
static bool is_sane(const struct tdat_event_format *format)
{
	return format->fixed_len <= RECORD_MAX;
}

/* Keeps the first reason; without PROG_OK nothing more is compiled. */
void compile_foreign(struct compiler *c, const char *fmt, ...)
{
	va_list args;

	if (c->result != PROG_OK)
		return;
	c->result = PROG_FOREIGN;
	va_start(args, fmt);
	vsnprintf(c->why, c->why_len, fmt, args);
	va_end(args);
}

/* node_max is the limit print_steps: it bounds the time of one event's text. */
bool compile_steps(struct compiler *c, uint32_t n)
{
	if (n <= c->node_max - c->nodes) {
		c->nodes += n;
		return true;
	}
	c->limit = "print_steps";
	compile_foreign(c, "it has more than %u operations (limit print_steps)", c->node_max);
	return false;
}

void *compile_alloc(struct compiler *c, size_t n)
{
	void *p = tdat_arena_alloc(&c->prog->arena, n);

	if (!p)
		c->result = PROG_NOMEM;
	return p;
}

/* Returns a copy with slack behind it, which put_literal() may read. */
const char *compile_keep_text(struct compiler *c, const void *text, size_t len)
{
	char *p = compile_alloc(c, len + TEXT_SLACK);

	if (p && len)
		memcpy(p, text, len);
	return p;
}

/*
 * Reads flags, width, precision and letter of a conversion in the order of printf. False: it is one
 * that libtraceevent hands to the C library in a way that we do not follow, or is beyond a limit.
 */
static bool read_spec(struct compiler *c, const struct part *part, struct item *it)
{
	const char *p = part->text + 1, *letters;
	struct tdat_num_spec *s = &it->spec;
	bool star = false;
	char *end;

	for (; *p && strchr("-+#0", *p); p++) {
		s->left |= *p == '-';
		s->plus |= *p == '+';
		s->alt |= *p == '#';
		s->zero |= *p == '0';
	}
	s->prec = -1;
	if (*p == '*') {
		star = true;
		p++;
	} else {
		s->width = (int32_t)strtoull(p, &end, 10);
		p = end;
	}
	if (*p == '.' && p[1] == '*') {
		star = it->star_prec = true;
		p += 2;
	} else if (*p == '.') {
		p++;
		s->prec = 0;
		if (*p >= '0' && *p <= '9') {
			s->prec = (int32_t)strtoull(p, &end, 10);
			p = end;
		}
	}
	letters = p;
	p += strspn(p, "hlLzZ");
	s->conv = *p == 'i' ? 'd' : *p;
	if (p[0] == '\0' || p[1] != '\0' || p - letters > 2 || (star && !part->star) ||
	    (p - letters == 2 && memcmp(letters, "hh", 2) && memcmp(letters, "ll", 2)) ||
	    (p > letters && strchr("sc", *p))) {
		compile_foreign(c, "conversion %s", part->text);
		return false;
	}
	/* libtraceevent would print a gigabyte of blanks. */
	if ((uint32_t)s->width > c->prog->text_max ||
	    (s->prec >= 0 && (uint32_t)s->prec > c->prog->text_max)) {
		compile_foreign(c, "conversion %s (limit print_len)", part->text);
		return false;
	}
	return true;
}

/* Returns the bits of a number by its length modifiers. */
static uint8_t bits_of(const struct part *part)
{
	return part->longs == -2 ? 8 : part->longs == -1 ? 16 : part->longs == 0 ? 32 : 64;
}

/*
 * Returns the operation that is made for a conversion without flags, or for %08lx; I_NUM: any
 * other, or one that has something else.
 */
enum item_op compile_number_op(const struct tdat_num_spec *s, uint8_t bits, bool other)
{
	if (other || s->left || s->plus || s->space || s->alt || s->prec >= 0)
		return I_NUM;
	if (s->zero && s->conv == 'x' && s->width <= 16)
		return I_HEX_ZERO;
	if (s->zero || s->width)
		return I_NUM;
	if (s->conv == 'd' && bits >= 32)
		return bits == 32 ? I_DEC32 : I_DEC64;
	if (s->conv == 'u' && bits >= 32)
		return I_UDEC;
	return s->conv == 'x' && bits >= 32 ? I_HEX : I_NUM;
}

/* Compiles "%d" and its like. */
static void compile_number(struct compiler *c, const struct part *part, struct item *it)
{
	if (!read_spec(c, part, it))
		return;
	it->bits = bits_of(part);
	if (part->star)
		it->star = expr_compile(c, part->star);
	it->value = expr_compile(c, part->arg);
	it->op = (uint8_t)compile_number_op(&it->spec, it->bits, it->star);
}

/*
 * Returns the value of a table's entry: a number, a name known from old kernels, or -1.
 * libtraceevent has the same list, since those kernels exported names instead of numbers.
 */
static int64_t pair_value(const char *text)
{
	static const struct {
		const char *name;
		int64_t value;
	} known[] = {{"HI_SOFTIRQ", 0},	     {"TIMER_SOFTIRQ", 1},     {"NET_TX_SOFTIRQ", 2},
		     {"NET_RX_SOFTIRQ", 3},  {"BLOCK_SOFTIRQ", 4},     {"IRQ_POLL_SOFTIRQ", 5},
		     {"TASKLET_SOFTIRQ", 6}, {"SCHED_SOFTIRQ", 7},     {"HRTIMER_SOFTIRQ", 8},
		     {"RCU_SOFTIRQ", 9},     {"HRTIMER_NORESTART", 0}, {"HRTIMER_RESTART", 1}};
	size_t i;

	if (text[0] >= '0' && text[0] <= '9')
		return (int64_t)strtoull(text, NULL, 0);
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i].name, text))
			return known[i].value;
	return -1;
}

/* Orders by value; of equal values by place, because qsort() is not stable. */
static int by_value(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	return TDAT_ORDER(x->value, y->value, TDAT_ORDER(x->at, y->at, 0));
}

/*
 * Sorts a table for searching. The first of pairs with the same value counts, as in a search from
 * the start.
 */
static void sort_pairs(struct pairs *p, struct pair *list)
{
	uint32_t i, n = 0;

	qsort(list, p->count, sizeof(*list), by_value);
	for (i = 0; i < p->count; i++)
		if (!n || list[n - 1].value != list[i].value)
			list[n++] = list[i];
	p->count = n;
	/* Small values are found without a search (pairs_find). */
	for (i = 0; i < n && i < 255 && list[i].value < sizeof(p->first); i++)
		p->first[list[i].value] = (uint8_t)(i + 1);
}

/* A multiplicative hash: cheap, and collisions only cost a comparison. */
static uint64_t mix(uint64_t hash, uint64_t v)
{
	hash = (hash ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static uint64_t mix_text(uint64_t hash, const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		hash = mix(hash, (uint8_t)text[i]);
	return mix(hash, len);
}

/*
 * Hashes all that decides the text of a flag word. Cached texts are found by this hash and by the
 * address of the pairs: memory of a freed program may be used again.
 */
static void hash_pairs(struct compiler *c, struct pairs *p, const struct item *it)
{
	uint64_t hash = mix((uint32_t)it->spec.width, (uint32_t)it->spec.prec);
	uint32_t i;

	if (c->result != PROG_OK)
		return;
	hash = mix_text(mix(hash, it->spec.left), p->delim, p->delim_len);
	for (i = 0; i < p->count; i++)
		hash = mix_text(mix(hash, p->list[i].value), p->list[i].text, p->list[i].len);
	p->hash = hash;
}

void compile_pairs_done(struct compiler *c, struct pairs *out, struct pair *list,
			const struct item *it, bool sorted)
{
	hash_pairs(c, out, it);
	if (sorted)
		sort_pairs(out, list);
	else
		compile_steps(c, out->count / PAIRS_PER_STEP);
}

/* Makes the table of __print_flags() or __print_symbolic(). NULL: c->result says why. */
static const struct pairs *compile_pairs(struct compiler *c, const struct ast *n,
					 const struct item *it)
{
	struct pairs *out = compile_alloc(c, sizeof(*out));
	const struct ast_pair *p;
	struct pair *list;
	uint32_t i = 0;
	int64_t v;

	if (!out)
		return NULL;
	for (p = n->pairs; p; p = p->next)
		out->count++;
	list = tdat_arena_array(&c->prog->arena, out->count + 1u, sizeof(*list));
	if (!list) {
		c->result = PROG_NOMEM;
		return NULL;
	}
	for (p = n->pairs; p; p = p->next, i++) {
		v = pair_value(p->value);
		list[i].value = (uint64_t)v;
		list[i].len = (uint32_t)strlen(p->text);
		list[i].text = compile_keep_text(c, p->text, list[i].len);
		list[i].at = i;
		out->negative |= v < 0;
		out->text_len += list[i].len;
	}
	out->list = list;
	out->delim_len = n->delim ? (uint32_t)strlen(n->delim) : 0;
	out->delim = compile_keep_text(c, n->delim, out->delim_len);
	out->text_len += (uint64_t)out->delim_len * out->count;
	compile_pairs_done(c, out, list, it, n->type == AST_SYMBOL);
	return c->result == PROG_OK ? out : NULL;
}

/* Compiles the bytes that __print_hex() and __print_array() show. */
static void compile_bytes(struct compiler *c, const struct ast *n, struct item *it)
{
	const struct ast *from = n->a;

	it->op = n->type == AST_INT_ARRAY ? I_INTS : I_BYTES;
	it->flag = n->type == AST_HEX; /* blanks between bytes */
	if (from->type != AST_DYN && from->type != AST_FIELD) {
		/* libtraceevent takes any other argument for a field: it crashes. */
		it->op = I_NONE;
		return;
	}
	it->field = from->field;
	it->value = expr_compile(c, n->b);
	if (n->c)
		it->value2 = expr_compile(c, n->c);
	it->flag2 = from->type == AST_DYN;
	if (!it->field)
		it->op = I_NONE;
}

/* True if text is printed as it is, neither cut nor padded. */
static bool is_plain(const struct item *it)
{
	return !it->star && !it->spec.width && it->spec.prec < 0;
}

/*
 * Compiles a field behind "%s". libtraceevent decides by size: a scalar as long as a pointer is an
 * address of printk_formats, all else is text.
 */
static void compile_string_field(struct compiler *c, const struct ast *n, struct item *it)
{
	const struct tdat_field *f = n->field;

	if (!f)
		return;
	it->off = f->off;
	it->len = f->len;
	if (!(f->flags & TDAT_FIELD_ARRAY) && f->len == c->long_size)
		it->op = I_ADDRESS;
	else if (f->len && f->len <= NAME_MAX_LEN && is_plain(it))
		it->op = f->len == 16 ? I_NAME16 : I_NAME;
	else
		it->op = f->len ? I_CHARS : I_REST;
}

static void compile_text(struct compiler *c, const struct ast *n, struct item *it);

/* Compiles "cond ? text : text". Both arms are items without a literal of their own. */
static void compile_choice(struct compiler *c, const struct ast *n, struct item *it)
{
	struct item *arms;

	if (strcmp(n->text, "?") != 0)
		return;
	it->value = expr_compile(c, n->a);
	arms = compile_alloc(c, 2 * sizeof(*arms));
	if (!arms || !it->value)
		return;
	arms[0] = arms[1] = *it;
	arms[0].text_len = arms[1].text_len = 0;
	compile_text(c, n->b->a, &arms[0]);
	compile_text(c, n->b->b, &arms[1]);
	it->op = I_CHOICE;
	it->yes = &arms[0];
	it->no = &arms[1];
	/* A known condition leaves one arm, with the literal of the whole. */
	if (it->value->op == X_CONST) {
		struct item chosen = it->value->k ? arms[0] : arms[1];

		chosen.text = it->text;
		chosen.text_len = it->text_len;
		*it = chosen;
	}
}

/*
 * Compiles the text that "%s" prints of a tree. Trees without text print nothing (I_NONE), as in
 * libtraceevent.
 */
static void compile_text(struct compiler *c, const struct ast *n, struct item *it)
{
	it->op = I_NONE;
	switch (n->type) {
	case AST_ATOM:
		it->op = I_TEXT;
		it->len = (uint32_t)strlen(n->text);
		it->str = compile_keep_text(c, n->text, it->len);
		break;
	case AST_FIELD:
		compile_string_field(c, n, it);
		break;
	case AST_FLAGS:
	case AST_SYMBOL:
		it->op = n->type == AST_FLAGS ? I_FLAGS : I_SYMBOL;
		it->value = expr_compile(c, n->a);
		it->pairs = compile_pairs(c, n, it);
		break;
	case AST_HEX:
	case AST_HEX_STR:
	case AST_INT_ARRAY:
		compile_bytes(c, n, it);
		break;
	case AST_STRING:
	case AST_BITMASK:
	case AST_CPUMASK:
		it->field = n->field;
		if (n->field)
			it->op = n->type == AST_STRING	  ? I_DYN_STR
				 : n->type == AST_BITMASK ? I_BITMASK
							  : I_CPUMASK;
		break;
	case AST_OP:
		compile_choice(c, n, it);
		break;
	case AST_FUNC:
		it->op = I_CALL;
		it->call = compile_call(c, n);
		break;
	case AST_NULL:
	case AST_TYPE:
	case AST_DYN:
	case AST_DYN_LEN:
		break;
	}
}

/*
 * Compiles a call of a plugin's function. Its parser made sure that the arguments are as many as
 * the function takes.
 */
const struct prog_call *compile_call(struct compiler *c, const struct ast *n)
{
	struct prog_call *call = compile_alloc(c, sizeof(*call));
	struct prog_arg *to;
	const char *kind;

	if (!call)
		return NULL;
	call->func = n->func;
	to = call->args;
	kind = n->func->args;
	for (const struct ast *arg = n->args; arg; arg = arg->next, kind++) {
		if (*kind == '.')
			continue;
		to->num = expr_compile(c, arg);
		to->bytes = to->rest = *kind == 'b' && arg->type == AST_DYN;
		to->field = arg->field;
		to++;
	}
	return call;
}

static void compile_string(struct compiler *c, const struct part *part, struct item *it)
{
	if (!read_spec(c, part, it))
		return;
	if (part->star)
		it->star = expr_compile(c, part->star);
	compile_text(c, part->arg, it);
}

/* Moves the collected literal into the item, which prints it before its value. */
void compile_flush_text(struct compiler *c, struct item *it)
{
	it->text = compile_keep_text(c, c->text.ptr, c->text.len);
	it->text_len = (uint32_t)c->text.len;
	c->room += c->text.len;
	c->text_len += c->text.len;
	c->text.len = 0;
	/*
	 * The limit grows with the record, the literals of a format do not: they are held to
	 * print_len alone.
	 */
	if (c->prog->text_per_byte && c->text_len > c->prog->text_max) {
		c->limit = "print_len";
		compile_foreign(c, "it has more than %u bytes of text (limit print_len)",
				c->prog->text_max);
	}
}

/* Appends an item. The array may move: a pointer to an item is good until the next one. */
static struct item *new_item(struct compiler *c)
{
	struct item *more;

	if (!TDAT_GROW(c->items, &c->item_cap, c->prog->count + 1u)) {
		c->result = PROG_NOMEM;
		return NULL;
	}
	more = &c->items[c->prog->count++];
	memset(more, 0, sizeof(*more));
	more->big = c->format->big;
	more->spec.prec = -1;
	c->room += ITEM_ROOM;
	return more;
}

struct item *compile_add_item(struct compiler *c)
{
	return compile_steps(c, 1) ? new_item(c) : NULL;
}

/* Appends an item, unless it is a constant string of known width, which joins the literals. */
void compile_put_item(struct compiler *c, struct item *it)
{
	struct item *slot;

	if (c->result != PROG_OK)
		return;
	if (it->op == I_TEXT && !it->star) {
		tdat_string_printf(&c->text, it->str, it->len, it->spec.left, it->spec.width,
				   it->spec.prec);
		return;
	}
	slot = compile_add_item(c);
	if (!slot)
		return;
	compile_flush_text(c, it);
	*slot = *it;
}

static void compile_value(struct compiler *c, const struct part *part, struct item *it)
{
	if (part->type == PART_NUMBER)
		compile_number(c, part, it);
	else if (part->type == PART_POINTER)
		item_compile_pointer(c, part, it);
	else
		compile_string(c, part, it);
}

/* Compiles one part of the format string. raw: function addresses are printed as "name (0x...)". */
static void compile_part(struct compiler *c, const struct part *part, bool raw)
{
	struct item it = {.big = c->format->big, .spec.prec = -1};

	if (part->type == PART_TEXT) {
		tdat_build_bytes(&c->text, part->text, part->len);
		return;
	}
	it.bits = 64;
	compile_value(c, part, &it);
	it.flag2 = it.op == I_FUNCTION ? raw && !c->env->tep17 : it.flag2;
	if (it.op != I_NONE)
		compile_put_item(c, &it);
}

/* Adds an item that prints a field by its type. */
static void compile_raw_field(struct compiler *c, const struct tdat_field *f)
{
	struct item *it = compile_add_item(c);

	if (!it)
		return;
	it->op = I_RAW;
	it->field = f;
	it->off = f->off;
	it->len = f->len;
	compile_flush_text(c, it);
}

/*
 * Returns the part of print fmt that shows this field, found as libtraceevent searches. It goes
 * from the last part found around the end, and finds nothing once the last part of all was used.
 * *prefix: "0x" stands before it.
 */
static const struct part *part_of(const struct part *first, const struct part **at,
				  const struct tdat_field *f, bool *prefix)
{
	const struct part *start = *at, *p = start;
	const struct ast *n;

	*prefix = false;
	if (!start || (f->flags & (TDAT_FIELD_ARRAY | TDAT_FIELD_STRING)))
		return NULL;
	do {
		if (p->type == PART_TEXT) {
			*prefix = p->len > 1 && !memcmp(p->text + p->len - 2, "0x", 2);
		} else {
			for (n = p->arg; n && n->type == AST_TYPE; n = n->a)
				;
			if (n && n->type == AST_FIELD && n->field == f) {
				*at = p->next;
				return p;
			}
			*prefix = false;
		}
		p = p->next ? p->next : first;
	} while (p != start);
	return NULL;
}

/* Compiles " name=value" of all fields. parts NULL: by their types only. */
static void compile_fields(struct compiler *c, const struct part *parts, bool raw)
{
	const struct tdat_event_format *format = c->format;
	const struct part *at = parts, *p;
	bool prefix;
	size_t i;

	for (i = format->common_count; i < format->field_count && c->result == PROG_OK; i++) {
		const struct tdat_field *f = &format->fields[i];

		tdat_build_u8(&c->text, ' ');
		tdat_build_str(&c->text, f->name);
		tdat_build_u8(&c->text, '=');
		p = part_of(parts, &at, f, &prefix);
		if (p && prefix)
			tdat_build_str(&c->text, "0x");
		if (p)
			compile_part(c, p, raw);
		else
			compile_raw_field(c, f);
	}
}

/*
 * Moves the items into the arena, where they stay, and computes the room that run_items() asks for.
 */
static void finish(struct compiler *c)
{
	struct print_prog *prog = c->prog;
	struct item *items;

	if (c->text.len) {
		struct item *it = new_item(c);

		if (it)
			compile_flush_text(c, it);
	}
	if (c->text.failed)
		c->result = PROG_NOMEM;
	items = tdat_arena_array(&prog->arena, prog->count + 1u, sizeof(*items));
	if (!items) {
		c->result = PROG_NOMEM;
		return;
	}
	if (prog->count)
		memcpy(items, c->items, prog->count * sizeof(*items));
	prog->items = items;
	prog->room =
		c->room + TEXT_SLACK > UINT32_MAX ? UINT32_MAX : (uint32_t)c->room + TEXT_SLACK;
	if (is_sane(c->format) && !prog_pads(prog, c->format))
		c->result = PROG_NOMEM;
}

/* Compiles what libtraceevent prints for a print fmt that it cannot parse. */
static void compile_broken(struct compiler *c, const struct ast_print *parsed,
			   enum model_print_style style)
{
	if (style != MODEL_PRINT_RAW)
		tdat_build_str(&c->text, "[FAILED TO PARSE]");
	compile_fields(c, NULL, style == MODEL_PRINT_RAW);
	if (c->result != PROG_OK)
		return;
	snprintf(c->why, c->why_len, "%s", parsed->why);
	c->result = PROG_BROKEN;
}

/* True for ftrace/bprint, whose print fmt is the string that each record points to. */
static bool is_bprint(const struct tdat_event_format *format)
{
	return !strcmp(format->system, "ftrace") && !strcmp(format->name, "bprint");
}

/* Compiles ftrace/bprint to one item (print_bprint.c). */
static void compile_bprint(struct compiler *c)
{
	const struct tdat_field *buf = tdat_event_format_field(c->format, "buf");
	struct ast fmt = {.type = AST_FIELD, .field = tdat_event_format_field(c->format, "fmt")};
	struct ast ip = {.type = AST_FIELD, .field = tdat_event_format_field(c->format, "ip")};
	struct item *it;

	if (!buf || !fmt.field || !ip.field) {
		compile_foreign(c, "it lacks the field fmt, buf or ip");
		return;
	}
	it = compile_add_item(c);
	if (!it)
		return;
	it->op = I_BPRINT;
	it->off = buf->off;
	it->value = expr_compile(c, &fmt);
	it->value2 = expr_compile(c, &ip);
	compile_flush_text(c, it);
}

/*
 * Compiles print fmt in the reading that env asks for; the kernel's falls back to that of
 * libtraceevent if there is no format string.
 */
static void compile_tree(struct compiler *c, enum model_print_style style)
{
	struct ast_print parsed = {.tep17 = c->env->tep17};
	struct part *parts = NULL, *p;
	bool plugins = style != MODEL_PRINT_NO_PLUGINS && !c->env->no_plugins;
	bool ok;

	if (c->env->kernel && style != MODEL_PRINT_RAW && !is_bprint(c->format) && kfmt_compile(c))
		return;
	ok = ast_parse(&parsed, c->format, plugins, &c->tree) &&
	     part_split(&parts, &parsed, &c->tree);
	if (parsed.nomem) {
		c->result = PROG_NOMEM;
		/* libtraceevent might follow: its complaint is not printed then. */
	} else if (parsed.too_deep) {
		compile_fields(c, NULL, style == MODEL_PRINT_RAW);
		c->result = PROG_BROKEN;
		snprintf(c->why, c->why_len, "%s", parsed.why);
	} else if (!ok) {
		compile_broken(c, &parsed, style);
	} else if (is_bprint(c->format)) {
		if (style == MODEL_PRINT_RAW)
			compile_fields(c, NULL, true);
		else
			compile_bprint(c);
	} else if (style == MODEL_PRINT_RAW) {
		compile_fields(c, parts, true);
	} else {
		for (p = parts; p && c->result == PROG_OK; p = p->next)
			compile_part(c, p, false);
	}
}

static struct compiler start(struct print_prog *out, const struct tdat_event_format *format,
			     const struct model_env *env, char *why, size_t why_len)
{
	struct compiler c = {.prog = out,
			     .format = format,
			     .env = env,
			     .why = why,
			     .why_len = why_len,
			     .long_size = env->long_size};

	memset(out, 0, sizeof(*out));
	out->format = format;
	out->text_max = model_text_max(env);
	out->text_per_byte = model_text_per_byte(env);
	c.node_max = model_steps_max(env);
	return c;
}

/* Frees what only compiling needs. A broken print fmt leaves a program, too. */
static enum prog_result end(struct compiler *c)
{
	if (c->result == PROG_OK || c->result == PROG_BROKEN)
		finish(c);
	free(c->items);
	tdat_build_fini(&c->text);
	tdat_arena_fini(&c->tree);
	return c->result;
}

enum prog_result prog_compile(struct print_prog *out, const struct tdat_event_format *format,
			      const struct model_env *env, enum model_print_style style, char *why,
			      size_t why_len)
{
	struct compiler c = start(out, format, env, why, why_len);

	if (is_sane(format))
		compile_tree(&c, style);
	else
		compile_foreign(&c, "its fields end at byte %zu of a record", format->fixed_len);
	return end(&c);
}

/*
 * Compiles name=value of all fields, which is used when nothing else works: what goes beyond a
 * limit is left out.
 */
enum prog_result prog_compile_fields(struct print_prog *out, const struct tdat_event_format *format,
				     const struct model_env *env, char *why, size_t why_len)
{
	struct compiler c = start(out, format, env, why, why_len);

	if (is_sane(format))
		compile_fields(&c, NULL, false);
	else
		tdat_build_str(&c.text, "[FIELDS BEYOND ANY RECORD]");
	if (c.result == PROG_FOREIGN) {
		c.result = PROG_OK;
		c.text.len = 0;
		tdat_build_printf(&c.text, "[CUT AT LIMIT %s]", c.limit);
	}
	return end(&c);
}

void prog_fini(struct print_prog *prog)
{
	tdat_arena_fini(&prog->arena);
}
