/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the C types of format files. It answers three questions about the type of a field: how
 * many bytes an element has, whether it is signed, a pointer, a boolean or text, and how many
 * bytes the widest kernel gives it. Words that are not known leave the answer to the field's
 * size. Used by field_kind.c.
 */
#include "ctype.h"

#include <ctype.h>
#include <string.h>

/*
 * Marks of types whose length differs between kernels. LONG: that of a long, which the file's
 * header has. SIZE: not known, 4 or 8. FLAGS: 4 bytes, but 8 in events of other versions.
 */
enum { LONG = 0xff, SIZE = 0xfe, FLAGS = 0xfd };

/* Sorted by name for readers only: the search is linear, once per word of a type. */
static const struct {
	const char *name;
	uint8_t len;
	bool is_signed;
} named[] = {
	{"__be16", 2, false},
	{"__be32", 4, false},
	{"__be64", 8, false},
	{"__le16", 2, false},
	{"__le32", 4, false},
	{"__le64", 8, false},
	{"__s16", 2, true},
	{"__s32", 4, true},
	{"__s64", 8, true},
	{"__s8", 1, true},
	{"__u16", 2, false},
	{"__u32", 4, false},
	{"__u64", 8, false},
	{"__u8", 1, false},
	{"blk_opf_t", 4, false},
	{"blkcnt_t", 8, false},
	{"clock_t", LONG, true},
	{"dev_t", 4, false},
	{"dma_addr_t", 8, false},
	{"fl_owner_t", LONG, false},
	{"gfp_t", FLAGS, false},
	{"gid_t", 4, false},
	{"initcall_t", LONG, false},
	{"ino_t", LONG, false},
	{"int16_t", 2, true},
	{"int32_t", 4, true},
	{"int64_t", 8, true},
	{"int8_t", 1, true},
	{"intptr_t", LONG, true},
	{"ktime_t", 8, true},
	{"loff_t", 8, true},
	{"off_t", LONG, true},
	{"p4dval_t", SIZE, false},
	{"pgdval_t", SIZE, false},
	{"pgoff_t", LONG, false},
	{"phys_addr_t", 8, false},
	{"pid_t", 4, true},
	{"pmdval_t", SIZE, false},
	{"pteval_t", SIZE, false},
	{"ptrdiff_t", LONG, true},
	{"pudval_t", SIZE, false},
	{"resource_size_t", SIZE, false},
	{"s16", 2, true},
	{"s32", 4, true},
	{"s64", 8, true},
	{"s8", 1, true},
	{"sector_t", 8, false},
	{"size_t", LONG, false},
	{"ssize_t", LONG, true},
	{"time64_t", 8, true},
	{"u16", 2, false},
	{"u32", 4, false},
	{"u64", 8, false},
	{"u8", 1, false},
	{"uid_t", 4, false},
	{"uint16_t", 2, false},
	{"uint32_t", 4, false},
	{"uint64_t", 8, false},
	{"uint8_t", 1, false},
	{"uintptr_t", LONG, false},
	{"umode_t", 2, false},
	{"work_func_t", LONG, false},
	{"xen_mc_callback_fn_t", LONG, false},
	{"xfs_ino_t", 8, false},
};

/* The words that C's own integer types are made of. */
struct words {
	unsigned int is_unsigned, is_signed, is_char, is_short, is_int, longs;
	bool pointer, is_enum;
};

static bool is_word(const char *p, size_t n, const char *word)
{
	return strlen(word) == n && !memcmp(p, word, n);
}

static void set_len(struct table_ctype *t, uint8_t len, uint32_t long_size)
{
	t->widest = len <= 8 ? len : 8;
	t->len = len == LONG ? long_size : len == FLAGS ? 4 : len == SIZE ? 0 : len;
}

/*
 * Counts one word of a type. A name of the kernel sets length and sign at once; words of C are
 * counted, since their order is free ("long unsigned int").
 */
static void take_word(struct table_ctype *t, struct words *w, const char *p, size_t n,
		      uint32_t long_size)
{
	w->is_unsigned += is_word(p, n, "unsigned");
	w->is_signed += is_word(p, n, "signed");
	w->is_char += is_word(p, n, "char");
	w->is_short += is_word(p, n, "short");
	w->is_int += is_word(p, n, "int");
	w->longs += is_word(p, n, "long");
	w->is_enum |= is_word(p, n, "enum");
	if (is_word(p, n, "bool") || is_word(p, n, "_Bool")) {
		t->len = 1;
		t->is_bool = true;
	}
	/* cpumask_t and struct cpumask print as lists of CPUs. */
	t->is_cpumask |= n >= 7 && !memcmp(p, "cpumask", 7);
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		if (!is_word(p, n, named[i].name))
			continue;
		set_len(t, named[i].len, long_size);
		t->is_signed = named[i].is_signed;
	}
}

/*
 * Adds the words of C's own types up to one type. Plain char alone is text: "unsigned char" and
 * "signed char" are small numbers.
 */
static void add_up(struct table_ctype *t, const struct words *w, uint32_t long_size)
{
	if (w->is_char) {
		set_len(t, 1, long_size);
		t->is_char = !w->is_unsigned && !w->is_signed;
	} else if (w->is_short) {
		set_len(t, 2, long_size);
	} else if (w->longs) {
		set_len(t, w->longs > 1 ? 8 : LONG, long_size);
	} else if (w->is_int || w->is_unsigned || w->is_signed) {
		set_len(t, 4, long_size);
	} else {
		return;
	}
	t->is_signed = !w->is_unsigned;
}

/*
 * Reads a type such as "const char *" or "u32[4]", up to its bracket. len is 0 if no word is
 * known; the caller then uses the size in the format.
 */
struct table_ctype table_ctype(const char *type, uint32_t long_size)
{
	struct table_ctype t = {.len = 0};
	struct words w = {.pointer = false};
	const char *p = type;

	while (*p && *p != '[') {
		size_t n = 0;

		while (isalnum((unsigned char)p[n]) || p[n] == '_')
			n++;
		w.pointer |= *p == '*';
		take_word(&t, &w, p, n, long_size);
		p += n ? n : 1;
	}
	/* Any pointer is an address: as wide as a long, and unsigned. */
	if (w.pointer)
		return (struct table_ctype){.len = long_size, .widest = 8};
	/* Kernels declare some enums as one byte, others as an int. */
	if (w.is_enum)
		t.widest = 4;
	add_up(&t, &w, long_size);
	return t;
}
