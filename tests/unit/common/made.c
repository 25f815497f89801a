/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making small trace.dat files and opening their index. */
#include "unit/common/made.h"

#include <stdio.h>
#include <stdlib.h>

#include "asserts.h"

void made_init(struct made *m, uint32_t version, bool big, const char *compression)
{
	memset(m, 0, sizeof(*m));
	m->limits.size = sizeof(m->limits);
	m->version = version;
	tdat_build_init(&m->b, big);
	tdat_build_bytes(&m->b, "\x17\x08\x44tracing", 10);
	tdat_build_cstr(&m->b, version == 6 ? "6" : "7");
	tdat_build_u8(&m->b, big);
	tdat_build_u8(&m->b, 8);
	tdat_build_u32(&m->b, MADE_PAGE);
	if (version > 6) {
		tdat_build_cstr(&m->b, compression);
		tdat_build_cstr(&m->b, "1.0");
	}
}

static void close_index(struct made *m)
{
	if (!m->src)
		return;
	dat_index_fini(&m->ix);
	tdat_source_close(m->src);
	free(m->copy);
	m->src = NULL;
	m->copy = NULL;
}

void made_fini(struct made *m)
{
	close_index(m);
	tdat_build_fini(&m->b);
}

size_t made_text(struct made *m, unsigned size_len, const char *text)
{
	size_t at = m->b.len;

	if (size_len == 8)
		tdat_build_u64(&m->b, strlen(text));
	else
		tdat_build_u32(&m->b, (uint32_t)strlen(text));
	tdat_build_str(&m->b, text);
	return at;
}

void made_headers(struct made *m)
{
	tdat_build_cstr(&m->b, "header_page");
	made_text(m, 8,
		  "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		  "\tfield: char data;\toffset:16;\tsize:48;\tsigned:1;\n");
	tdat_build_cstr(&m->b, "header_event");
	made_text(m, 8, "# compressed entry header\n");
}

const char *made_format(char *out, size_t size, const char *name, uint32_t id)
{
	int n = snprintf(out, size,
			 "name: %s\nID: %u\nformat:\n"
			 "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			 "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
			 "\tfield:unsigned int value;\toffset:8;\tsize:4;\tsigned:0;\n\n"
			 "print fmt: \"%%u\", REC->value\n",
			 name, id);

	ck_assert_int_gt(n, 0);
	ck_assert_uint_lt((size_t)n, size);
	return out;
}

uint64_t made_page(struct made *m, uint64_t ts, uint16_t id, int32_t pid, uint32_t value)
{
	uint64_t off;

	tdat_build_fill(&m->b, 0, (MADE_PAGE - m->b.len % MADE_PAGE) % MADE_PAGE);
	off = m->b.len;
	tdat_build_u64(&m->b, ts);
	tdat_build_u64(&m->b, 16); /* commit: a header of 4 bytes and the record */
	tdat_build_u32(&m->b, m->b.big ? 3u << 27 : 3); /* 12 bytes, no time after the page's */
	tdat_build_u16(&m->b, id);
	tdat_build_u16(&m->b, 0);
	tdat_build_u32(&m->b, (uint32_t)pid);
	tdat_build_u32(&m->b, value);
	tdat_build_fill(&m->b, 0, MADE_PAGE - 32);
	return off;
}

void made_set(struct made *m, size_t off, unsigned len, uint64_t value)
{
	ck_assert_uint_le(off + len, m->b.len);
	switch (len) {
	case 1:
		m->b.ptr[off] = (uint8_t)value;
		break;
	case 2:
		tdat_store16(m->b.ptr + off, (uint16_t)value, m->b.big);
		break;
	case 4:
		tdat_store32(m->b.ptr + off, (uint32_t)value, m->b.big);
		break;
	default:
		ck_assert_uint_eq(len, 8);
		tdat_store64(m->b.ptr + off, value, m->b.big);
	}
}

enum tdat_status made_open(struct made *m, size_t len, bool tolerate)
{
	ck_assert(!m->b.failed);
	ck_assert_uint_le(len, m->b.len);
	close_index(m);
	m->copy = malloc(len ? len : 1);
	ck_assert_ptr_nonnull(m->copy);
	memcpy(m->copy, m->b.ptr, len);
	tdat_error_reset(&m->err);
	ck_assert_int_eq(tdat_source_open_memory(&m->src, m->copy, len, "made", NULL), TDAT_OK);
	return dat_index_read(&m->ix, m->src, &m->limits, tolerate, &m->err);
}

void made_fails(struct made *m, bool tolerate, enum tdat_status want, const char *words)
{
	enum tdat_status st = made_open(m, m->b.len, tolerate);

	ck_assert_msg(st == want, "status %d, not %d: %s", st, want, m->err.message);
	ck_assert_int_eq(m->err.status, st);
	ck_assert_msg(strstr(m->err.message, words), "\"%s\" is not in: %s", words, m->err.message);
}

void made_opens(struct made *m, bool tolerate)
{
	enum tdat_status st = made_open(m, m->b.len, tolerate);

	ck_assert_msg(st == TDAT_OK, "%s", m->err.message);
	ck_assert_int_eq(m->err.status, TDAT_OK);
	ck_assert(tolerate || !m->ix.damage_count);
}

void made_finds(struct made *m, const char *words)
{
	size_t i;

	made_opens(m, true);
	for (i = 0; i < m->ix.damage_count; i++)
		if (strstr(m->ix.damage[i].message, words))
			return;
	ck_abort_msg("no finding of %zu says \"%s\"; the first: %s", m->ix.damage_count, words,
		     i ? m->ix.damage[0].message : "");
}
