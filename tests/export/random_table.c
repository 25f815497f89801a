/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes random schemas and batches. Memory that runs out ends the program. */
#include "random_table.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 24, BATCHES_MOST = 24, WORDS_MOST = 3000, JUNK_MOST = 21 };

/* How the values of a column come about. */
enum profile { CONSTANT, FEW, RISING, SMALL, ANY, EXTREME, PROFILES };

struct words {
	char **v;
	size_t *len;
	size_t count;
};

struct random_column {
	const char *format; /* of a list: that of its items */
	char *name;
	bool is_list, nullable, item_nullable, has_nulls, dictionary_nulls, long_texts, fresh;
	char index; /* of a dictionary: its format, else 0 */
	enum profile profile;
	unsigned int null_percent;
	uint64_t last, base;
	struct words words;
};

struct random_table {
	uint64_t random;
	FILE *expected;
	struct random_column columns[COLUMNS_MOST];
	size_t column_count, batch_count, batch;
	struct ArrowSchema schema, children[COLUMNS_MOST], items[COLUMNS_MOST], words[COLUMNS_MOST];
	struct ArrowSchema *child_list[COLUMNS_MOST], *item_list[COLUMNS_MOST];
	struct ArrowArray rows, arrays[COLUMNS_MOST], item_arrays[COLUMNS_MOST],
		word_arrays[COLUMNS_MOST];
	struct ArrowArray *array_list[COLUMNS_MOST], *item_array_list[COLUMNS_MOST];
	const void *buffers[COLUMNS_MOST * 3 + 1][3];
	size_t buffer_count;
	void **owned; /* of the batch */
	size_t owned_count;
	char metadata[4096], column_metadata[256];
	size_t large;
};

static void *need(void *p)
{
	if (!p)
		abort();
	return p;
}

static void *own(struct random_table *t, size_t n)
{
	t->owned = need(realloc(t->owned, (t->owned_count + 1) * sizeof(*t->owned)));
	return t->owned[t->owned_count++] = need(calloc(1, n ? n : 1));
}

/* splitmix64 */
static uint64_t next(struct random_table *t)
{
	uint64_t z = t->random += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static uint64_t below(struct random_table *t, uint64_t n)
{
	return next(t) % n;
}

static bool percent(struct random_table *t, unsigned int p)
{
	return below(t, 100) < p;
}

/* ---- expected values ---- */

static void tell_text(FILE *f, const char *s, size_t len)
{
	fputc('"', f);
	for (size_t i = 0; i < len; i++)
		if (s[i] == '"' || s[i] == '\\')
			fprintf(f, "\\%c", s[i]);
		else if ((unsigned char)s[i] < 0x20 || s[i] == 0x7f)
			fprintf(f, "\\u%04x", (unsigned char)s[i]);
		else
			fputc(s[i], f);
	fputc('"', f);
}

static void tell_bytes(FILE *f, const char *s, size_t len)
{
	fputc('"', f);
	for (size_t i = 0; i < len; i++)
		fprintf(f, "%02x", (unsigned char)s[i]);
	fputc('"', f);
}

/* ---- schema ---- */

static const char *const formats[] = {"b", "c", "C", "s", "S",	  "i",	     "I",  "l",
				      "L", "g", "u", "z", "tsn:", "tsn:UTC", "tDn"};
enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };

static const char *const names[] = {"ts",
				    "pid",
				    "",
				    "a b",
				    "\"quoted\"",
				    "it's",
				    "a.b",
				    "select",
				    "\xc3\xa4\xe2\x82\xac",
				    "\xf0\x9f\x90\x82",
				    "a/b\\c",
				    "list",
				    "new\nline",
				    "ts",
				    "element",
				    "x[0]",
				    "%s",
				    "NULL"};
enum { NAMES = sizeof(names) / sizeof(names[0]) };

static size_t put_i32(char *p, int32_t v)
{
	memcpy(p, &v, sizeof(v));
	return sizeof(v);
}

static size_t put_pair(char *p, const char *key, const char *value)
{
	size_t n = put_i32(p, (int32_t)strlen(key));

	memcpy(p + n, key, strlen(key));
	n += strlen(key);
	n += put_i32(p + n, (int32_t)strlen(value));
	memcpy(p + n, value, strlen(value));
	return n + strlen(value);
}

static void set_schema(struct ArrowSchema *s, const char *format, const char *name, bool nullable)
{
	memset(s, 0, sizeof(*s));
	s->format = format;
	s->name = name;
	s->flags = nullable ? ARROW_FLAG_NULLABLE : 0;
}

static void random_column(struct random_table *t, size_t i)
{
	struct random_column *c = &t->columns[i];
	const bool hostile = percent(t, 40), blank = percent(t, 10);
	const char *stem = names[below(t, NAMES)];
	char name[64];

	snprintf(name, sizeof(name), "%s%s%zu", hostile ? stem : "column", blank ? " " : "_", i);
	c->name = need(strdup(name));
	c->format = formats[i < FORMATS ? (i + t->random) % FORMATS : below(t, FORMATS)];
	c->nullable = percent(t, 60);
	c->has_nulls = c->nullable && percent(t, 70);
	c->null_percent = percent(t, 15) ? 100 : percent(t, 50) ? 2 : 40;
	c->profile = (enum profile)below(t, PROFILES);
	c->base = next(t);
	c->base >>= below(t, 60);
	c->last = c->base;
	c->long_texts = percent(t, 5);
	if (percent(t, 20) && strchr("cCsSiIlLu", c->format[0]) && !c->format[1]) {
		c->is_list = true;
		c->item_nullable = percent(t, 50);
	} else if (percent(t, 50) && !strcmp(c->format, "u")) {
		c->index = "csi"[below(t, 3)];
		c->fresh = percent(t, 20);
		c->dictionary_nulls = c->nullable && percent(t, 20);
	}
}

static const char *index_format(char c)
{
	return c == 'c' ? "c" : c == 's' ? "s" : "i";
}

static void make_schema(struct random_table *t)
{
	size_t n = put_i32(t->metadata, 3), k;

	n += put_pair(t->metadata + n, "tdat.clock", "local");
	n += put_pair(t->metadata + n, "host", "\xc3\xa4 \"host\"");
	put_pair(t->metadata + n, "empty", "");
	k = put_i32(t->column_metadata, 1);
	put_pair(t->column_metadata + k, "ctype", "unsigned long");
	set_schema(&t->schema, "+s", "", false);
	t->schema.metadata = t->metadata;
	t->schema.n_children = (int64_t)t->column_count;
	t->schema.children = t->child_list;
	for (size_t i = 0; i < t->column_count; i++) {
		struct random_column *c = &t->columns[i];
		struct ArrowSchema *s = t->child_list[i] = &t->children[i];

		set_schema(s,
			   c->index	? index_format(c->index)
			   : c->is_list ? "+l"
					: c->format,
			   c->name, c->nullable);
		if (i % 3 == 0)
			s->metadata = t->column_metadata;
		set_schema(&t->words[i], "u", NULL, true);
		if (c->index)
			s->dictionary = &t->words[i];
		if (!c->is_list)
			continue;
		set_schema(&t->items[i], c->format, "item", c->item_nullable);
		t->item_list[i] = &t->items[i];
		s->n_children = 1;
		s->children = &t->item_list[i];
	}
}

static void tell_schema(struct random_table *t)
{
	FILE *f = t->expected;

	fputs("{\"columns\": [", f);
	for (size_t i = 0; i < t->column_count; i++) {
		const struct random_column *c = &t->columns[i];

		fputs(i ? ", {\"name\": " : "{\"name\": ", f);
		tell_text(f, c->name, strlen(c->name));
		fprintf(f,
			", \"format\": \"%s\", \"list\": %s, \"nullable\": %s, "
			"\"item_nullable\": %s, \"index\": \"%s\", \"metadata\": %s}",
			c->format, c->is_list ? "true" : "false", c->nullable ? "true" : "false",
			c->item_nullable ? "true" : "false", c->index ? index_format(c->index) : "",
			i % 3 ? "false" : "true");
	}
	fputs("]}\n", f);
}

/* ---- values ---- */

static uint64_t random_bits(struct random_table *t, struct random_column *c)
{
	static const uint64_t extremes[] = {0,
					    1,
					    UINT64_MAX,
					    INT64_MAX,
					    UINT64_C(1) << 63,
					    INT32_MAX,
					    UINT32_MAX,
					    UINT64_C(1) << 31,
					    127,
					    128,
					    255,
					    32767,
					    32768,
					    65535};

	switch (c->profile) {
	case CONSTANT:
		return c->base;
	case FEW:
		return c->base + below(t, 9) * 1000003;
	case RISING:
		return c->last += below(t, 5000);
	case SMALL:
		return below(t, 200);
	case EXTREME:
		return extremes[below(t, sizeof(extremes) / sizeof(extremes[0]))];
	default:
		return next(t);
	}
}

static size_t width_of(const char *format)
{
	switch (format[0]) {
	case 'c':
	case 'C':
		return 1;
	case 's':
	case 'S':
		return 2;
	case 'i':
	case 'I':
		return 4;
	default:
		return 8;
	}
}

static void tell_number(FILE *f, const char *format, uint64_t v)
{
	switch (format[0]) {
	case 'c':
		fprintf(f, "%d", (int8_t)v);
		return;
	case 'C':
		fprintf(f, "%d", (uint8_t)v);
		return;
	case 's':
		fprintf(f, "%d", (int16_t)v);
		return;
	case 'S':
		fprintf(f, "%d", (uint16_t)v);
		return;
	case 'i':
		fprintf(f, "%d", (int32_t)v);
		return;
	case 'I':
		fprintf(f, "%u", (uint32_t)v);
		return;
	case 'L':
		fprintf(f, "%" PRIu64, v);
		return;
	case 'g':
		fprintf(f, "\"%016" PRIx64 "\"", v);
		return;
	default:
		fprintf(f, "%" PRId64, (int64_t)v);
	}
}

static void store_number(uint8_t *p, size_t width, uint64_t v)
{
	const uint8_t v1 = (uint8_t)v;
	const uint16_t v2 = (uint16_t)v;
	const uint32_t v4 = (uint32_t)v;

	memcpy(p,
	       width == 1   ? (const void *)&v1
	       : width == 2 ? (const void *)&v2
	       : width == 4 ? (const void *)&v4
			    : (const void *)&v,
	       width);
}

/* Some text; of bytes any, else UTF-8. */
static size_t random_text(struct random_table *t, struct random_column *c, char *p, size_t cap)
{
	static const char *const parts[] = {"swapper",
					    "/",
					    "kworker",
					    "0",
					    "a",
					    "\xc3\xa9",
					    "\xe2\x82\xac",
					    "\xf0\x9f\x98\x80",
					    "\"",
					    "\n",
					    " ",
					    "\xf4\x8f\xbf\xbf",
					    "\x7f",
					    "zz",
					    "\x01"};
	size_t len = 0, most = c->long_texts && percent(t, 3) ? cap - 8 : 1 + below(t, 20);

	if (c->profile == FEW || c->profile == CONSTANT)
		return (size_t)snprintf(p, cap, "value-%" PRIu64,
					below(t, c->profile == FEW ? 12 : 1));
	if (c->profile == EXTREME && percent(t, 30))
		most = 60 + below(t, 10);
	while (len < most) {
		const char *s = parts[c->profile == EXTREME && percent(t, 95)
					      ? 11
					      : below(t, sizeof(parts) / sizeof(parts[0]))];

		if (c->format[0] == 'z') {
			p[len++] = (char)(c->profile == EXTREME ? 0xff : (int)next(t));
			continue;
		}
		memcpy(p + len, s, strlen(s));
		len += strlen(s);
	}
	return percent(t, 5) ? 0 : len;
}

static void set_bit(uint8_t *bits, size_t i, bool v)
{
	if (v)
		bits[i / 8] |= (uint8_t)(1u << (i % 8));
	else
		bits[i / 8] &= (uint8_t) ~(1u << (i % 8));
}

static void set_array(struct random_table *t, struct ArrowArray *a, size_t len, size_t off,
		      int64_t buffers)
{
	memset(a, 0, sizeof(*a));
	a->length = (int64_t)len;
	a->offset = (int64_t)off;
	a->n_buffers = buffers;
	a->buffers = t->buffers[t->buffer_count++];
	memset((void *)(uintptr_t)a->buffers, 0, sizeof(t->buffers[0]));
}

/* A bitmap with random bits for off + len elements, or NULL; *nulls counts those in range. */
static uint8_t *random_validity(struct random_table *t, struct ArrowArray *a, bool nullable,
				unsigned int null_percent, bool keep_unknown)
{
	const size_t all = (size_t)(a->offset + a->length);
	uint8_t *bits;
	int64_t nulls = 0;

	if (!nullable) {
		a->null_count = percent(t, 50) ? 0 : -1;
		return NULL;
	}
	bits = own(t, all / 8 + 9);
	for (size_t i = 0; i < all; i++) {
		const bool set = !percent(t, null_percent);

		set_bit(bits, i, set);
		nulls += !set && i >= (size_t)a->offset;
	}
	a->null_count = keep_unknown || percent(t, 30) ? -1 : nulls;
	a->buffers[0] = bits;
	return bits;
}

/* Elements of a type that is no list; told are those from first on that are not hidden. */
static void random_elements(struct random_table *t, struct random_column *c, struct ArrowArray *a)
{
	const size_t all = (size_t)(a->offset + a->length);

	if (c->format[0] == 'u' || c->format[0] == 'z') {
		int32_t *offsets = own(t, (all + 1) * sizeof(*offsets));
		size_t cap = 0, len = 0;
		char *bytes = NULL;

		for (size_t i = 0; i < all; i++) {
			if (cap - len < 5000) {
				cap = cap * 2 + 10000;
				bytes = need(realloc(bytes, cap));
			}
			len += random_text(t, c, bytes + len, 5000);
			offsets[i + 1] = (int32_t)len;
		}
		a->buffers[1] = offsets;
		a->buffers[2] = memcpy(own(t, len), bytes ? bytes : "", len);
		free(bytes);
	} else if (c->format[0] == 'b') {
		uint8_t *bits = own(t, all / 8 + 9);

		for (size_t i = 0; i < all; i++)
			set_bit(bits, i, random_bits(t, c) & 1);
		a->buffers[1] = bits;
	} else {
		const size_t width = width_of(c->format);
		uint8_t *p = own(t, all * width);

		for (size_t i = 0; i < all; i++)
			store_number(p + i * width, width, random_bits(t, c));
		a->buffers[1] = p;
	}
}

static bool is_valid(const struct ArrowArray *a, size_t i)
{
	const uint8_t *bits = a->buffers[0];

	return !bits || bits[i / 8] >> (i % 8) & 1;
}

/* Element i, counted from the start of the buffers. */
static void tell_element(FILE *f, const struct random_column *c, const struct ArrowArray *a,
			 size_t i)
{
	if (!is_valid(a, i)) {
		fputs("null", f);
	} else if (c->format[0] == 'u' || c->format[0] == 'z') {
		const int32_t *offsets = a->buffers[1];
		const char *p = (const char *)a->buffers[2] + offsets[i];
		const size_t len = (size_t)(offsets[i + 1] - offsets[i]);

		(c->format[0] == 'u' ? tell_text : tell_bytes)(f, p, len);
	} else if (c->format[0] == 'b') {
		fputs(((const uint8_t *)a->buffers[1])[i / 8] >> (i % 8) & 1 ? "true" : "false", f);
	} else {
		const size_t width = width_of(c->format);
		const uint8_t *p = (const uint8_t *)a->buffers[1] + i * width;
		uint16_t v2;
		uint32_t v4;
		uint64_t v = *p;

		memcpy(&v2, p, width >= 2 ? 2 : 0);
		memcpy(&v4, p, width >= 4 ? 4 : 0);
		v = width == 2 ? v2 : width == 4 ? v4 : v;
		memcpy(&v, p, width == 8 ? 8 : 0);
		tell_number(f, c->format, v);
	}
}

/* ---- lists and dictionaries ---- */

static void random_list(struct random_table *t, size_t i, struct ArrowArray *a)
{
	struct random_column *c = &t->columns[i];
	struct ArrowArray *items = &t->item_arrays[i];
	const size_t all = (size_t)(a->offset + a->length);
	int32_t *offsets = own(t, (all + 1) * sizeof(*offsets));
	const size_t most = percent(t, 10) ? 100 : 6;

	offsets[0] = (int32_t)below(t, 3);
	for (size_t k = 0; k < all; k++)
		offsets[k + 1] = offsets[k] + (int32_t)(percent(t, 30) ? 0 : below(t, most));
	a->buffers[1] = offsets;
	a->n_children = 1;
	a->children = &t->item_array_list[i];
	t->item_array_list[i] = items;
	set_array(t, items, (size_t)offsets[all], below(t, JUNK_MOST), c->format[0] == 'u' ? 3 : 2);
	random_validity(t, items, c->item_nullable && percent(t, 70), 20, true);
	random_elements(t, c, items);
}

static void add_word(struct random_table *t, struct random_column *c)
{
	struct words *w = &c->words;
	char text[5200];
	size_t len = random_text(t, c, text, 5000);

	w->v = need(realloc(w->v, (w->count + 1) * sizeof(*w->v)));
	w->len = need(realloc(w->len, (w->count + 1) * sizeof(*w->len)));
	/* Words of a dictionary differ. */
	len += (size_t)snprintf(text + len, sizeof(text) - len, "#%zu", w->count);
	w->v[w->count] = memcpy(need(malloc(len)), text, len);
	w->len[w->count++] = len;
}

static void forget_words(struct words *w)
{
	while (w->count)
		free(w->v[--w->count]);
}

static void random_dictionary(struct random_table *t, size_t i, struct ArrowArray *a)
{
	struct random_column *c = &t->columns[i];
	struct ArrowArray *d = &t->word_arrays[i];
	const size_t all = (size_t)(a->offset + a->length),
		     width = width_of(index_format(c->index));
	const size_t most = c->index == 'c' ? 120 : WORDS_MOST;
	size_t more = below(t, c->index == 'c' ? 12 : 300), len = 0, off;
	int32_t *offsets;
	uint8_t *indices = own(t, all * width);
	char *bytes;

	if (c->fresh)
		forget_words(&c->words);
	for (; (more || !c->words.count) && c->words.count < most; more -= more ? 1 : 0)
		add_word(t, c);
	off = below(t, 4);
	set_array(t, d, c->words.count, off, 3);
	a->dictionary = d;
	random_validity(t, d, c->dictionary_nulls, 10, true);
	offsets = own(t, (c->words.count + off + 1) * sizeof(*offsets));
	for (size_t k = 0; k < c->words.count; k++)
		len += c->words.len[k];
	bytes = own(t, len);
	len = 0;
	for (size_t k = 0; k < c->words.count; k++) {
		memcpy(bytes + len, c->words.v[k], c->words.len[k]);
		len += c->words.len[k];
		offsets[off + k + 1] = (int32_t)len;
	}
	d->buffers[1] = offsets;
	d->buffers[2] = bytes;
	for (size_t k = 0; k < all; k++)
		store_number(indices + k * width, width, below(t, c->words.count));
	a->buffers[1] = indices;
}

static void tell_row(struct random_table *t, size_t column, const struct ArrowArray *a, size_t i)
{
	const struct random_column *c = &t->columns[column];
	FILE *f = t->expected;

	if ((c->is_list || c->index) && !is_valid(a, i)) {
		fputs("null", f);
	} else if (c->index) {
		const size_t width = width_of(index_format(c->index));
		uint32_t at = 0;

		/* Indices of these tests are small. */
		memcpy(&at, (const uint8_t *)a->buffers[1] + i * width, width);
		tell_element(f, c, a->dictionary, (size_t)a->dictionary->offset + at);
	} else if (c->is_list) {
		const int32_t *offsets = a->buffers[1];

		fputc('[', f);
		for (int32_t k = offsets[i]; k < offsets[i + 1]; k++) {
			fputs(k > offsets[i] ? ", " : "", f);
			tell_element(f, c, a->children[0], (size_t)(a->children[0]->offset + k));
		}
		fputc(']', f);
	} else {
		tell_element(f, c, a, i);
	}
}

/* ---- batches ---- */

static void random_array(struct random_table *t, size_t i, size_t len)
{
	struct random_column *c = &t->columns[i];
	struct ArrowArray *a = &t->arrays[i];
	const bool text = !c->is_list && !c->index && strchr("uz", c->format[0]);

	t->array_list[i] = a;
	set_array(t, a, len, percent(t, 50) ? below(t, JUNK_MOST) : 0, text ? 3 : 2);
	random_validity(t, a, c->has_nulls && percent(t, 80), c->null_percent, true);
	if (c->is_list)
		random_list(t, i, a);
	else if (c->index)
		random_dictionary(t, i, a);
	else
		random_elements(t, c, a);
}

static size_t random_len(struct random_table *t)
{
	switch (below(t, 6)) {
	case 0:
		return 1;
	case 1:
		return below(t, 10);
	case 2:
		return 200 + below(t, 200);
	case 3:
		return below(t, 3000);
	case 4:
		return t->large++ < 2 ? 10000 + below(t, 30000) : 256;
	default:
		return 1024;
	}
}

struct ArrowArray *random_table_next(struct random_table *t)
{
	const size_t len = random_len(t), off = percent(t, 30) ? below(t, 9) : 0;

	while (t->owned_count)
		free(t->owned[--t->owned_count]);
	t->buffer_count = 0;
	if (t->batch++ == t->batch_count)
		return NULL;
	set_array(t, &t->rows, len, off, 1);
	t->rows.n_children = (int64_t)t->column_count;
	t->rows.children = t->array_list;
	for (size_t i = 0; i < t->column_count; i++) {
		random_array(t, i, off + len);
		if (!t->expected)
			continue;
		fprintf(t->expected, "{\"column\": %zu, \"values\": [", i);
		for (size_t k = 0; k < len; k++) {
			fputs(k ? ", " : "", t->expected);
			tell_row(t, i, &t->arrays[i], (size_t)t->arrays[i].offset + off + k);
		}
		fputs("]}\n", t->expected);
	}
	return &t->rows;
}

struct ArrowSchema *random_table_schema(struct random_table *t)
{
	return &t->schema;
}

struct random_table *random_table_new(uint64_t seed, FILE *expected)
{
	struct random_table *t = need(calloc(1, sizeof(*t)));

	t->random = seed;
	t->expected = expected;
	next(t);
	t->column_count = 1 + below(t, COLUMNS_MOST);
	t->batch_count = percent(t, 8) ? 0 : 1 + below(t, BATCHES_MOST);
	for (size_t i = 0; i < t->column_count; i++)
		random_column(t, i);
	make_schema(t);
	if (expected)
		tell_schema(t);
	return t;
}

void random_table_free(struct random_table *t)
{
	for (size_t i = 0; i < t->column_count; i++) {
		forget_words(&t->columns[i].words);
		free(t->columns[i].words.v);
		free(t->columns[i].words.len);
		free(t->columns[i].name);
	}
	while (t->owned_count)
		free(t->owned[--t->owned_count]);
	free(t->owned);
	free(t);
}
