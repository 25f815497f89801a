/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parses kallsyms into a table of function names. A line is "%16llx %c %s" and perhaps a tab
 * and "[module]"; the first line of another shape ends the table, as in libtraceevent. It is
 * built at the first look-up, under a lock, and is immutable then. Two questions have two
 * answers: libtraceevent's (model_symbols_find) and the kernel's (model_symbols_lookup).
 */
#include "symbols.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "addr_table.h"
#include "core/text.h"

#define CACHE_BITS 12

/* Symbols of one file. Everything but the text is made at the first look-up. */
struct model_symbols {
	const uint8_t *text;
	size_t text_len;
	/* Made when an address is looked up first: many dumps never ask. */
	pthread_mutex_t lock;
	atomic_bool ready;
	atomic_bool failed;		/* there was no memory for the table */
	struct model_addr_table table;	/* empty without memory for it */
	uint64_t etext, einittext, end; /* where parts of the kernel's image end; 0: unknown */
	bool has_data; /* symbols of the kernel's data: without CONFIG_KALLSYMS_ALL it lists none */
	/*
	 * Where addresses were found last. Any thread may write any index at any
	 * time: what is read is checked against the table.
	 */
	_Atomic uint32_t *cache;
	model_symbols_lookup_fn on_lookup; /* NULL: nobody */
	void *on_lookup_ctx;
};

/* One line of kallsyms; name points into the text. */
struct symbol {
	uint64_t addr;
	uint8_t type;
	struct tdat_span name;
};

#define ADDR_WIDTH 16 /* characters that sscanf("%16llx") takes, sign and 0x too */

/*
 * Reads the common line: 16 hexadecimal digits, a space, the type, a space. It is worth a way of
 * its own: a file may have hundreds of thousands of lines.
 */
static bool parse_fixed(struct tdat_span line, struct symbol *s)
{
	unsigned int bad = 0;
	uint64_t addr = 0;
	size_t i;

	if (line.len < ADDR_WIDTH + 4 || line.ptr[ADDR_WIDTH] != ' ' ||
	    line.ptr[ADDR_WIDTH + 2] != ' ')
		return false;
	/* The values of all digits are collected: bit 4 is set if any of them is not one. */
	for (i = 0; i < ADDR_WIDTH; i++) {
		unsigned int v = tdat_digit(line.ptr[i]);

		bad |= v;
		addr = addr << 4 | v;
	}
	if ((bad & 16) || tdat_is_space(line.ptr[ADDR_WIDTH + 1]))
		return false;
	s->addr = addr;
	s->type = line.ptr[ADDR_WIDTH + 1];
	s->name.ptr = line.ptr + ADDR_WIDTH + 3;
	return true;
}

/* Reads an address as sscanf("%16llx") does: white space, sign, 0x, up to 16 characters in all. */
static bool parse_addr(struct tdat_span line, size_t *pos, uint64_t *addr)
{
	size_t i = tdat_skip_space(line, 0);
	size_t end = line.len - i > ADDR_WIDTH ? i + ADDR_WIDTH : line.len;
	bool negative = false;
	size_t start;
	uint64_t v;

	if (i < end && (line.ptr[i] == '-' || line.ptr[i] == '+'))
		negative = line.ptr[i++] == '-';
	start = i;
	if (end - i >= 2 && line.ptr[i] == '0' && (line.ptr[i + 1] | 0x20) == 'x')
		i += 2; /* alone it is a number too: glibc takes its 0 */
	i += tdat_take_digits(&(struct tdat_span){line.ptr + i, end - i}, 16, &v);
	*addr = negative ? 0 - v : v;
	*pos = i;
	return i > start;
}

/* Reads a line of any other spacing, as sscanf() does. */
static bool parse_scanned(struct tdat_span line, struct symbol *s)
{
	size_t pos;

	if (!parse_addr(line, &pos, &s->addr))
		return false;
	pos = tdat_skip_space(line, pos);
	if (pos == line.len)
		return false;
	s->type = line.ptr[pos++];
	s->name.ptr = line.ptr + tdat_skip_space(line, pos);
	return true;
}

/* Reads one line. False: it ends the table. */
static bool parse_line(struct tdat_span line, struct symbol *s)
{
	const uint8_t *end = line.ptr + line.len;

	if (!parse_fixed(line, s) && !parse_scanned(line, s))
		return false;
	while (s->name.ptr < end && tdat_is_space(*s->name.ptr))
		s->name.ptr++;
	s->name.len = (size_t)(tdat_find_space(s->name.ptr, end) - s->name.ptr);
	return s->name.len > 0;
}

bool model_symbols_reads(struct tdat_span line)
{
	struct symbol s;

	/* Where a name ends need not be known of the common line. */
	return (parse_fixed(line, &s) && !tdat_is_space(*s.name.ptr)) || parse_line(line, &s);
}

/*
 * False for mapping symbols of arm ($a, $d, $t, $x) and absolute symbols, such as offsets of
 * per-CPU variables.
 */
static bool is_function(const struct symbol *s)
{
	return s->name.ptr[0] != '$' && s->type != 'A' && s->type != 'a';
}

/* True if a module's name follows the symbol. */
static bool is_module(struct tdat_span line, const struct symbol *s)
{
	const size_t at = (size_t)(s->name.ptr + s->name.len - line.ptr);

	return memchr(line.ptr + at, '[', line.len - at);
}

/* Notes where parts of the kernel's image end, and whether symbols of data are listed at all. */
static void note_bounds(struct model_symbols *m, struct tdat_span line, const struct symbol *s)
{
	const struct {
		const char *name;
		uint64_t *at;
	} bounds[] = {{"_etext", &m->etext}, {"_einittext", &m->einittext}, {"_end", &m->end}};

	if (!m->has_data && !strchr("tTwWaA", s->type) && !is_module(line, s))
		m->has_data = true;
	if (s->name.ptr[0] != '_')
		return;
	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
		if (tdat_span_is(s->name, bounds[i].name))
			*bounds[i].at = s->addr;
}

/* Adds all lines up to the one that ends the table. False: no memory. */
static bool read_lines(struct model_symbols *m, struct model_addr_list *list, struct tdat_span text)
{
	struct tdat_lines lines = tdat_lines_init(text);
	struct tdat_span line;
	struct symbol s;

	while (tdat_lines_next(&lines, &line) && parse_line(line, &s)) {
		if (is_function(&s) &&
		    !model_addr_list_add(list, s.addr, (size_t)(s.name.ptr - text.ptr), s.name.len))
			return false;
		note_bounds(m, line, &s);
	}
	return true;
}

enum tdat_status model_symbols_new(struct model_symbols **out, struct tdat_span text,
				   struct tdat_error *err)
{
	struct model_symbols *s;

	if (text.len > UINT32_MAX)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "kallsyms have %zu bytes, more than %u", text.len,
				      UINT32_MAX);
	s = (struct model_symbols *)calloc(1, sizeof(*s));
	if (s)
		s->cache = (_Atomic uint32_t *)calloc((size_t)1 << CACHE_BITS, sizeof(*s->cache));
	if (!s || !s->cache) {
		free(s);
		return tdat_error_no_memory(err, "symbols");
	}
	pthread_mutex_init(&s->lock, NULL);
	s->text = text.ptr;
	s->text_len = text.len;
	*out = s;
	return TDAT_OK;
}

void model_symbols_free(struct model_symbols *s)
{
	if (!s)
		return;
	model_addr_table_fini(&s->table);
	pthread_mutex_destroy(&s->lock);
	free(s->cache);
	free(s);
}

/* Builds the table; called once, under the lock. Without memory it stays empty. */
static void build(struct model_symbols *s)
{
	const struct tdat_span text = {s->text, s->text_len};
	struct model_addr_list list = {NULL, 0, 0};

	if (!read_lines(s, &list, text) || !model_addr_table_init(&s->table, &list)) {
		model_addr_table_fini(&s->table);
		memset(&s->table, 0, sizeof(s->table));
		atomic_store(&s->failed, true);
	}
	model_addr_list_fini(&list);
	atomic_store_explicit(&s->ready, true, memory_order_release);
}

/* Removes const for the members that change under the lock. */
static struct model_symbols *mut(const struct model_symbols *s)
{
	union {
		const struct model_symbols *in;
		struct model_symbols *out;
	} u = {s};

	return u.out;
}

/* Returns the table, built if need be. After the first time it takes one acquire load. */
static const struct model_addr_table *table_of(const struct model_symbols *s)
{
	struct model_symbols *m = mut(s);

	if (!atomic_load_explicit(&m->ready, memory_order_acquire)) {
		pthread_mutex_lock(&m->lock);
		if (!atomic_load_explicit(&m->ready, memory_order_relaxed))
			build(m);
		pthread_mutex_unlock(&m->lock);
	}
	return &s->table;
}

bool model_symbols_failed(const struct model_symbols *s)
{
	return atomic_load(&mut(s)->failed);
}

/* Returns the index in the table of the function that addr lies in, or 0. */
static size_t find(const struct model_symbols *s, uint64_t addr)
{
	const struct model_addr_table *t = table_of(s);
	_Atomic uint32_t *slot = &s->cache[addr * 0x9e3779b97f4a7c15u >> (64 - CACHE_BITS)];
	size_t k = atomic_load_explicit(slot, memory_order_relaxed);

	/* A slot may hold the index of another address: the table decides. */
	if (k && t->keys[k] <= addr && addr < t->ends[k])
		return k;
	k = model_addr_table_below(t, addr);
	if (!k || addr > t->last) /* nothing says where the last function ends */
		return 0;
	atomic_store_explicit(slot, (uint32_t)k, memory_order_relaxed);
	return k;
}

void model_symbols_on_lookup(struct model_symbols *s, model_symbols_lookup_fn fn, void *ctx)
{
	s->on_lookup = fn;
	s->on_lookup_ctx = ctx;
}

/* Finds a name as libtraceevent does: a function reaches to the next one, whatever lies between. */
struct tdat_span model_symbols_find(const struct model_symbols *s, uint64_t addr, uint64_t *start)
{
	struct tdat_span name = {NULL, 0};
	const struct model_addr_value *v;
	size_t k = s ? find(s, addr) : 0;

	if (k) {
		v = s->table.keys[k] == addr ? &s->table.exact[k] : &s->table.inside[k];
		name.ptr = s->text + v->off;
		name.len = v->len;
		if (start)
			*start = s->table.keys[k];
	}
	if (s && s->on_lookup)
		s->on_lookup(s->on_lookup_ctx, addr, name, k ? s->table.keys[k] : addr, false);
	return name;
}

/* Reads the symbol of the line that at lies in. False: that line has no function. */
static bool line_symbol(const struct model_symbols *s, const uint8_t *at, struct symbol *symbol)
{
	const uint8_t *start = at, *end = s->text + s->text_len;
	const uint8_t *nl = (const uint8_t *)memchr(at, '\n', (size_t)(end - at));
	struct tdat_span line;

	while (start > s->text && start[-1] != '\n')
		start--;
	line.ptr = start;
	line.len = (size_t)((nl ? nl : end) - start);
	return parse_line(line, symbol) && is_function(symbol);
}

/* Returns the module's name behind a tab, without its brackets; empty: the kernel itself. */
static struct tdat_span module_of(const struct model_symbols *s, struct tdat_span name)
{
	const uint8_t *p = name.ptr + name.len, *end = s->text + s->text_len, *from;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	if (p == end || *p != '[')
		return (struct tdat_span){p, 0};
	for (from = ++p; p < end && *p != ']' && *p != '\n';)
		p++;
	return (struct tdat_span){from, (size_t)(p - from)};
}

/* Returns the first symbol at the key of an index, which is the one that the kernel prints. */
static struct tdat_span first_name(const struct model_symbols *s, size_t k)
{
	const struct model_addr_value *v = &s->table.inside[k];

	return (struct tdat_span){s->text + v->off, v->len};
}

/*
 * LAST_MOST: the bytes that the last function of a kernel or a module may have. A table without
 * data has nothing between a module's last function and the end of its data.
 */
enum { MODULE_PAGE = 4096, LAST_MOST = 1 << 16, MODULE_DATA_TAIL = 1 << 18 };

/* Rounds up to a page: modules are laid out in whole pages. */
static uint64_t page_up(uint64_t addr)
{
	return (addr + MODULE_PAGE - 1) & ~(uint64_t)(MODULE_PAGE - 1);
}

/* True if the symbol is a function (t or T). */
static bool is_text(const struct model_symbols *s, struct tdat_span name)
{
	struct symbol symbol;

	return line_symbol(s, name.ptr, &symbol) && (symbol.type | 0x20) == 't';
}

/*
 * Returns where a symbol of a module ends: at the module's next one, but the last function at the
 * end of the module's code. No file says where that is, except that it is the end of a page. n is
 * the index of the next symbol of any module, or 0.
 */
static uint64_t module_end(const struct model_symbols *s, size_t n, uint64_t addr,
			   const struct model_symbol *sym)
{
	const uint64_t next = n ? s->table.keys[n] : UINT64_MAX, tail = page_up(addr + 1);
	const struct tdat_span name = n ? first_name(s, n) : sym->name;
	const struct tdat_span module = module_of(s, name);

	if (n && module.len == sym->module.len &&
	    !memcmp(module.ptr, sym->module.ptr, module.len) &&
	    (is_text(s, name) || !is_text(s, sym->name) || next <= tail))
		return next;
	return addr - sym->start < (s->has_data ? LAST_MOST : MODULE_DATA_TAIL) && tail <= next
		       ? tail
		       : addr;
}

/*
 * True if the kernel looks for what lies behind its own symbol at start. Only the symbol decides,
 * not the address: merged files have symbols of several kernels.
 */
static bool is_inside(const struct model_symbols *s, uint64_t start)
{
	return start != s->end && (s->has_data || (start != s->etext && start != s->einittext));
}

/*
 * Finds the symbol as the kernel does. False: the kernel finds nothing at addr, which lies behind
 * the start of the symbol at index k.
 */
static bool kernel_symbol(const struct model_symbols *s, size_t k, uint64_t addr,
			  struct model_symbol *out)
{
	uint64_t end = s->table.ends[k];
	bool sized = true;
	size_t next;

	out->name = first_name(s, k);
	out->module = module_of(s, out->name);
	out->start = s->table.keys[k];
	if (tdat_span_is(out->module, "__builtin__ftrace") ||
	    tdat_span_is(out->module, "__builtin__kprobes"))
		return false;
	next = end <= s->table.last ? model_addr_table_below(&s->table, end) : 0;
	if (tdat_span_is(out->module, "bpf"))
		out->module.len = 0; /* of these the kernel tells no module */
	else if (out->module.len)
		end = module_end(s, next, addr, out);
	else if (!is_inside(s, out->start))
		return false;
	else if (next && module_of(s, first_name(s, next)).len) /* the last of the kernel's own */
		sized = false;
	out->size = next && sized ? end - out->start : 0;
	if (!sized && end - out->start > LAST_MOST)
		end = out->start + LAST_MOST;
	return out->start && addr < end;
}

bool model_symbols_lookup(const struct model_symbols *s, uint64_t addr, struct model_symbol *out)
{
	const size_t k = s ? find(s, addr) : 0;
	const bool found = k && kernel_symbol(s, k, addr, out);

	if (s && s->on_lookup) {
		/* Lines that are kept must have the symbol's first name and its end, too. */
		model_symbols_find(s, addr, NULL);
		if (found && out->size) {
			model_symbols_find(s, out->start + 1, NULL);
			model_symbols_find(s, s->table.ends[k], NULL);
		}
	}
	return found;
}

/*
 * Finds the address of a name by searching the text: print fmts ask rarely, and an index by name
 * would have to be built for all symbols. The last of several lines counts.
 */
bool model_symbols_address(const struct model_symbols *s, const char *name, uint64_t *addr)
{
	size_t len = strlen(name);
	const uint8_t *p, *end;
	struct symbol symbol;
	const uint8_t *hit = NULL;

	if (!s || !s->text_len || !len)
		return false;
	end = s->text + s->text_len;
	for (p = s->text; p < end; p += len) {
		p = (const uint8_t *)memmem(p, (size_t)(end - p), name, len);
		if (!p)
			break;
		if (line_symbol(s, p, &symbol) && symbol.name.ptr == p && symbol.name.len == len) {
			*addr = symbol.addr;
			hit = p;
		}
	}
	if (hit && s->on_lookup)
		s->on_lookup(s->on_lookup_ctx, *addr, (struct tdat_span){hit, len}, *addr, true);
	return hit;
}

bool model_symbols_last(const struct model_symbols *s, uint64_t *addr)
{
	if (!s || !table_of(s)->count)
		return false;
	*addr = s->table.last;
	return true;
}

/* Walks all lines that the table reads, in the order of the file. */
void model_symbols_each(const struct model_symbols *s, model_symbol_fn fn, void *ctx)
{
	struct tdat_lines lines = tdat_lines_init((struct tdat_span){s->text, s->text_len});
	struct tdat_span line;
	struct symbol symbol;

	while (tdat_lines_next(&lines, &line) && parse_line(line, &symbol))
		if (!fn(ctx, symbol.name))
			return;
}
