/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sets of CPUs and names of functions in filters. Errors and the places they name are those of
 * kernel/trace/trace_events_filter.c, lists of CPUs those of lib/bitmap-str.c. Called by
 * filter.c while parsing, and by filter_run.c for each event.
 */
#include "filter_value.h"

#include "core/text.h"
#include "read.h"
#include "refuse.h"
#include "symbols.h"

/* CPUs of a set: the most that kernels are built for. A file does not say how many its had. */
enum { CPUS_MOST = 8192, WORDS = CPUS_MOST / 64, DIGITS_MOST = 24 };

/* ---- lists of CPUs ---- */

/*
 * Reads a number, or N for the last CPU. False: neither is there. Numbers above 32 bits saturate.
 */
static bool read_cpu(const struct tdat_hist *h, const char **at, uint32_t *cpu)
{
	const char *p = *at;
	uint64_t v = 0;

	if (*p == 'N') {
		*at = p + 1;
		v = tdat_file_info(h->file)->cpu_count;
		*cpu = v ? (uint32_t)v - 1 : 0;
		return true;
	}
	*at = tdat_read_digits(p, NULL, 10, &v);
	if (*at == p)
		return false;
	*cpu = v < UINT32_MAX ? (uint32_t)v : UINT32_MAX;
	return true;
}

/* The kernel's end_of_region(). */
static bool ends_region(char c)
{
	return c == ',' || c == '\0' || c == '\n';
}

/* "3", "0-7", "0-7:1/2" or "all". */
static bool read_region(const struct tdat_hist *h, const char **at, uint64_t *set)
{
	uint32_t start = 0, end = CPUS_MOST - 1, used, group;

	if (((*at)[0] | 0x20) == 'a' && ((*at)[1] | 0x20) == 'l' && ((*at)[2] | 0x20) == 'l') {
		*at += 3;
	} else {
		if (!read_cpu(h, at, &start))
			return false;
		end = start;
		if (**at == '-') {
			++*at;
			if (!read_cpu(h, at, &end))
				return false;
		} else if (!ends_region(**at)) {
			return false;
		}
	}
	/* Without ":used/group" the whole range is one group, all used. */
	used = group = end + 1;
	if (!ends_region(**at)) {
		if (*(*at)++ != ':' || !read_cpu(h, at, &used) || *(*at)++ != '/' ||
		    !read_cpu(h, at, &group) || !ends_region(**at))
			return false;
	}
	if (start > end || !group || used > group || end >= CPUS_MOST)
		return false;
	/* The first CPUs of each group are set. */
	for (uint32_t i = start; i <= end; i++)
		if ((i - start) % group < used)
			set[i / 64] |= UINT64_C(1) << i % 64;
	return true;
}

/* Regions separated by blanks or commas, as the kernel's bitmap_parselist() takes them. */
static bool read_list(const struct tdat_hist *h, const char *list, uint64_t *set)
{
	for (;;) {
		list += strspn(list, " \t\n\v\f\r,");
		if (!*list)
			return true;
		if (!read_region(h, &list, set))
			return false;
	}
}

/* ---- CPUS{...} ---- */

/* A field that is a set of CPUs itself, such as cpumask of ipi events. */
static bool is_cpumask(const struct hist_efield *f)
{
	return strstr(f->type, "__data_loc") && strstr(f->type, "cpumask_t");
}

const char *hist_filter_read_cpus(struct tdat_hist *h, struct hist_pred *pred, const char **at)
{
	const char *start, *end;
	uint32_t count = 0;
	uint64_t *set;
	char *list;

	/* Only numbers, masks and the CPU can be compared with a set. */
	if (pred->field->kind != HIST_TYPE_NUMBER && pred->field->kind != HIST_TYPE_CPU)
		return HIST_E_F_FIELD_OP;
	if (pred->op != HIST_OP_EQ && pred->op != HIST_OP_NE && pred->op != HIST_OP_BAND)
		return HIST_E_F_FIELD_OP;
	*at += strlen("CPUS");
	if (*(*at)++ != '{')
		return HIST_E_F_BRACE_OPEN;
	start = *at;
	end = start + strcspn(start, "}");
	*at = end;
	if (!*end)
		return HIST_E_F_BRACE_CLOSE;
	set = hist_alloc(h, WORDS, sizeof(*set));
	list = hist_strndup(h, start, (size_t)(end - start));
	if (!set || !list)
		return HIST_E_F_ERRNO;
	memset(set, 0, WORDS * sizeof(*set));
	if (start == end || !read_list(h, list, set))
		return HIST_E_F_CPULIST;
	++*at;
	/* The first CPU's number, and how many the set has. */
	for (uint32_t i = 0; i < WORDS; i++) {
		if (set[i] && !count)
			pred->num = (uint64_t)i * 64 + (uint64_t)__builtin_ctzll(set[i]);
		count += (uint32_t)__builtin_popcountll(set[i]);
	}
	pred->cpus = set;
	pred->one_cpu = count == 1;
	/* The kernel compares a single one as a number. */
	if (pred->one_cpu && !is_cpumask(pred->field)) {
		pred->cpus = NULL;
		pred->op = pred->op == HIST_OP_BAND ? HIST_OP_EQ : pred->op;
	}
	return NULL;
}

/* Compares a mask in the record with the set, long by long. Bits behind its end are 0. */
static bool run_mask(const struct tdat_hist *h, const struct hist_pred *pred,
		     const struct hist_hit *hit)
{
	const uint32_t w = h->long_len, bits = 8 * w;
	bool both = false, equal = true;
	struct tdat_span mask;

	if (!hist_read_bytes(h, pred->field, hit, &mask))
		return false;
	for (uint32_t i = 0; i < CPUS_MOST; i += bits) {
		const size_t off = (size_t)(i / bits) * w;
		const uint64_t here =
			off + w <= mask.len ? tdat_load_uint(mask.ptr + off, w, h->big) : 0;
		const uint64_t want = pred->cpus[i / 64] >> i % 64 & UINT64_MAX >> (64 - bits);

		both |= (here & want) != 0;
		equal &= here == want;
	}
	return pred->op == HIST_OP_BAND ? both : equal == (pred->op == HIST_OP_EQ);
}

/* True if the field's CPU, or one of its mask, is in the set. */
bool hist_filter_run_cpus(const struct tdat_hist *h, const struct hist_pred *pred,
			  const struct hist_hit *hit)
{
	uint64_t v;

	if (is_cpumask(pred->field))
		return run_mask(h, pred, hit);
	if (!hist_read_filtered(h, pred->field, hit, &v))
		return false;
	/* Small signed fields were extended; the kernel compares their own bits. */
	if (pred->field->len && pred->field->len < 4)
		v &= (UINT64_C(1) << 8 * pred->field->len) - 1;
	v = (uint32_t)v;
	if (v >= CPUS_MOST)
		return false;
	/* A set of several CPUs never is one. */
	if (pred->op != HIST_OP_BAND)
		return pred->op == HIST_OP_NE;
	return pred->cpus[v / 64] >> v % 64 & 1;
}

/* ---- functions ---- */

/* The value may be a name or an address; both are resolved to the bounds of the function. */
const char *hist_filter_read_function(struct tdat_hist *h, struct hist_pred *pred, const char **at)
{
	const char *start = *at;
	char text[DIGITS_MOST];
	uint64_t addr;
	size_t len;

	/* Only fields of a pointer's size can be addresses. */
	if (pred->field->len != h->long_len)
		return HIST_E_F_FIELD_OP;
	if (pred->op != HIST_OP_EQ && pred->op != HIST_OP_NE)
		return HIST_E_F_OP;
	if (tdat_is_dec((uint8_t)*start)) {
		while (tdat_is_alnum((uint8_t) * *at))
			++*at;
		len = (size_t)(*at - start);
		if (len >= sizeof(text))
			return HIST_E_F_LONG;
		memcpy(text, start, len);
		text[len] = '\0';
		if (!hist_parse_u64(text, &addr))
			return HIST_E_F_VALUE;
	} else {
		len = strcspn(start, " \t\n\v\f\r");
		*at = start + len;
		if (!hist_syms_addr(h, (struct tdat_span){(const uint8_t *)start, len}, &addr))
			return HIST_E_F_NO_FUNCTION;
	}
	pred->function = true;
	return hist_syms_bounds(h, addr, &pred->num, &pred->end) ? NULL : HIST_E_F_NO_FUNCTION;
}

/* True if the address lies in the function, whose bounds were found while parsing. */
bool hist_filter_run_function(const struct tdat_hist *h, const struct hist_pred *pred,
			      const struct hist_hit *hit)
{
	uint64_t v;

	if (!hist_read_number(h, pred->field, hit, &v))
		return false;
	return (v >= pred->num && v < pred->end) == (pred->op == HIST_OP_EQ);
}
