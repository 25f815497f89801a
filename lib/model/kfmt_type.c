/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Knows the C types of kernels by name. Names of integers whose size a kernel's configuration or
 * architecture decides (dma_addr_t, time_t ...) are left out unless they are as wide as a long
 * everywhere: a cast to an unknown type leaves its value alone.
 */
#include "kfmt.h"

#include <string.h>

/* len 0: as wide as a long. */
static const struct {
	const char *name;
	uint8_t len;
	bool is_signed;
} types[] = {
	/*
	 * Most widths are those of include/uapi/asm-generic/int-ll64.h and include/linux/types.h.
	 */
	{"u8", 1, false},	    {"s8", 1, true},
	{"u16", 2, false},	    {"s16", 2, true},
	{"u32", 4, false},	    {"s32", 4, true},
	{"u64", 8, false},	    {"s64", 8, true},
	{"__u8", 1, false},	    {"__s8", 1, true},
	{"__u16", 2, false},	    {"__s16", 2, true},
	{"__u32", 4, false},	    {"__s32", 4, true},
	{"__u64", 8, false},	    {"__s64", 8, true},
	{"uint8_t", 1, false},	    {"int8_t", 1, true},
	{"uint16_t", 2, false},	    {"int16_t", 2, true},
	{"uint32_t", 4, false},	    {"int32_t", 4, true},
	{"uint64_t", 8, false},	    {"int64_t", 8, true},
	{"__be16", 2, false},	    {"__be32", 4, false},
	{"__be64", 8, false},	    {"__le16", 2, false},
	{"__le32", 4, false},	    {"__le64", 8, false},
	{"uchar", 1, false},	    {"ushort", 2, false},
	{"uint", 4, false},	    {"ulong", 0, false},
	{"size_t", 0, false},	    {"ssize_t", 0, true},
	{"uintptr_t", 0, false},    {"intptr_t", 0, true},
	{"ptrdiff_t", 0, true},	    {"gfp_t", 4, false},
	{"fmode_t", 4, false},	    {"umode_t", 2, false},
	{"dev_t", 4, false},	    {"pid_t", 4, true},
	{"uid_t", 4, false},	    {"gid_t", 4, false},
	{"loff_t", 8, true},	    {"off_t", 0, true},
	{"sector_t", 8, false},	    {"blkcnt_t", 8, false},
	{"pgoff_t", 0, false},	    {"ktime_t", 8, true},
	{"time64_t", 8, true},	    {"cycles_t", 0, false},
	{"blk_opf_t", 4, false},    {"sa_family_t", 2, false},
	{"slab_flags_t", 4, false}, {"isolate_mode_t", 4, false},
	{"cputime_t", 0, false},    {"nfs_opnum4", 4, false},
};

/* Facts from the words of a type so far. */
struct words {
	bool any, is_unsigned, is_signed, is_char, is_short, structure;
	unsigned longs;
};

static bool is_word(const char *p, size_t len, const char *word)
{
	return len == strlen(word) && !memcmp(p, word, len);
}

/* Sets the type that a single word names; false: no such word. */
static bool take_typedef(struct ktype *t, const char *p, size_t len, uint8_t long_size)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (!is_word(p, len, types[i].name))
			continue;
		t->len = types[i].len ? types[i].len : long_size;
		t->is_signed = types[i].is_signed;
		return true;
	}
	if (!is_word(p, len, "bool") && !is_word(p, len, "_Bool"))
		return false;
	t->len = 1;
	t->is_bool = true;
	return true;
}

/*
 * Notes a word of C's own types, which come in any order ("long unsigned int"); false: another
 * word.
 */
static bool take_word(struct words *w, const char *p, size_t len)
{
	if (is_word(p, len, "unsigned"))
		w->is_unsigned = true;
	else if (is_word(p, len, "signed") || is_word(p, len, "__signed__"))
		w->is_signed = true;
	else if (is_word(p, len, "char"))
		w->is_char = true;
	else if (is_word(p, len, "short"))
		w->is_short = true;
	else if (is_word(p, len, "long"))
		w->longs++;
	else if (!is_word(p, len, "int"))
		return false;
	w->any = true;
	return true;
}

/* True for words that change neither size nor sign. */
static bool is_qualifier(const char *p, size_t len)
{
	return is_word(p, len, "const") || is_word(p, len, "volatile") ||
	       is_word(p, len, "__user") || is_word(p, len, "__rcu") || is_word(p, len, "static");
}

/* Sets the type that C's own words name together. */
static void of_words(struct ktype *t, const struct words *w, uint8_t long_size)
{
	if (!w->any)
		return;
	t->is_signed = !w->is_unsigned;
	t->len = w->is_char ? 1 : w->is_short ? 2 : w->longs > 1 ? 8 : w->longs ? long_size : 4;
}

/* Returns the length of the word at p, 0 at a blank, star or bracket. */
static size_t word_len(const char *p, const char *end)
{
	const char *start = p;

	while (p < end && !strchr(" \t\n*[", *p))
		p++;
	return (size_t)(p - start);
}

/* Reads a type as it stands in a cast or in a format's field line. */
bool ktype_named(struct ktype *out, const char *name, size_t len, uint8_t long_size)
{
	const char *p = name, *end = name + len;
	struct words w = {0};
	bool known = false;

	*out = (struct ktype){0};
	while (p < end && *p != '[') {
		const size_t n = word_len(p, end);

		if (!n) {
			if (*p == '*' && out->ptr < UINT8_MAX)
				out->ptr++;
			p++;
			continue;
		}
		if (w.structure) {
			w.structure = false; /* its name */
			out->opaque = !out->len;
		} else if (is_word(p, n, "struct") || is_word(p, n, "union")) {
			w.structure = known = true;
		} else if (is_word(p, n, "enum")) {
			w.structure = known = true;
			/* An enum of the kernel has the size of an int. */
			out->len = 4;
		} else if (is_word(p, n, "void")) {
			known = true;
		} else if (!is_qualifier(p, n) && !take_word(&w, p, n)) {
			/* A second unknown word: not a type. */
			if (known || w.any || out->opaque)
				return false;
			known = take_typedef(out, p, n, long_size);
			out->opaque = !known;
		}
		p += n;
	}
	of_words(out, &w, long_size);
	return known || w.any || (out->opaque && out->ptr);
}

struct ktype ktype_of_field(const struct tdat_field *field)
{
	struct ktype t;
	const char *type = field->type;

	if (!strncmp(type, "__data_loc ", 11))
		type += 11;
	else if (!strncmp(type, "__rel_loc ", 10))
		type += 10;
	if (!ktype_named(&t, type, strlen(type), field->format->long_size))
		t = (struct ktype){0};
	/* The format says what the kernel's compiler made of the type: it decides. */
	if (field->flags & (TDAT_FIELD_DYNAMIC | TDAT_FIELD_RELATIVE)) {
		t.is_signed = field->flags & TDAT_FIELD_SIGNED;
		return t;
	}
	if (t.ptr)
		return t;
	/* Arrays of probes do not tell how many elements they have: the type does. */
	if (t.len && field->flags & TDAT_FIELD_ARRAY && !field->array_count &&
	    field->len % t.len == 0) {
		t.is_signed = field->flags & TDAT_FIELD_SIGNED;
		return t;
	}
	t.len = model_is_number_len(field->elem_len) ? (uint8_t)field->elem_len : 0;
	if (!strncmp(type, "struct ", 7) || !strncmp(type, "union ", 6))
		t.len = 0;
	t.is_signed = field->flags & TDAT_FIELD_SIGNED;
	return t;
}
