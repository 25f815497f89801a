/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes small clean files, and does one kind of damage to them. */
#include "make_damaged.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/scratch.h"
#include "core/endian.h"

enum { CPUS = 4, BUFFERS = 2 };

static const char format[] =
	"name: tick\nID: 1000\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:u64 n;\toffset:8;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"n=%llu\", REC->n\n";

static void put_events(const struct tdat_emit *emit, bool big, uint32_t per_cpu)
{
	for (uint32_t i = 0; i < per_cpu * CPUS * BUFFERS; i++) {
		uint8_t rec[16] = {0};
		struct tdat_emit_event ev = {.buffer = i % BUFFERS,
					     .cpu = i / BUFFERS % CPUS,
					     .ts = 1000000 + 1000ull * i,
					     .record = {rec, 16}};

		tdat_store16(rec, 1000, big);
		tdat_store32(rec + 4, 7, big);
		tdat_store64(rec + 8, i, big);
		ck_assert_int_eq(tdat_emit_event(emit, &ev, NULL), TDAT_OK);
	}
}

static void write_clean(const struct damaged *d, const char *path)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_emit *emit;
	struct tdat_writer *w;
	uint32_t number;
	uint16_t id;

	opts.version = d->version;
	opts.compression = d->compression ? d->compression : "none";
	opts.force = true;
	opts.threads = 1;
	info.big_endian = d->big;
	info.page_size = 1024;
	info.cpu_count = CPUS;
	info.clock = "local";
	info.uname = "Linux damaged 6.1.0";
	info.version = "test";
	ck_assert_msg(tdat_writer_new(&w, path, &opts, &err) == TDAT_OK, "%s", err.message);
	emit = tdat_writer_emit(w);
	ck_assert_int_eq(tdat_emit_info(emit, &info, NULL), TDAT_OK);
	ck_assert_int_eq(tdat_emit_buffer(emit, "inst", "local", &number, NULL), TDAT_OK);
	ck_assert_int_eq(tdat_emit_format(emit, "test", format, sizeof(format) - 1, &id, NULL),
			 TDAT_OK);
	put_events(emit, d->big, d->per_cpu);
	ck_assert_msg(tdat_writer_finish(w, &err) == TDAT_OK, "%s", err.message);
	tdat_writer_free(w);
}

void damaged_make(struct damaged *d, uint32_t version, bool big, const char *compression,
		  uint32_t per_cpu)
{
	char path[SCRATCH_PATH];
	FILE *f;

	*d = (struct damaged){
		.version = version, .big = big, .compression = compression, .per_cpu = per_cpu};
	scratch_file(path);
	write_clean(d, path);
	f = fopen(path, "rb");
	ck_assert_ptr_nonnull(f);
	fseek(f, 0, SEEK_END);
	d->len = (size_t)ftell(f);
	rewind(f);
	d->ptr = malloc(d->len);
	ck_assert_ptr_nonnull(d->ptr);
	ck_assert_uint_eq(fread(d->ptr, 1, d->len, f), d->len);
	fclose(f);
	ck_assert_int_eq(tdat_file_open(&d->clean, path, NULL, NULL), TDAT_OK);
	unlink(path);
}

void damaged_free(struct damaged *d)
{
	tdat_file_close(d->clean);
	free(d->ptr);
}

/* ---- places ---- */

static void put32(struct damaged *d, uint64_t off, uint32_t v)
{
	ck_assert_uint_le(off + 4, d->len);
	tdat_store32(d->ptr + off, v, d->big);
}

static void put64(struct damaged *d, uint64_t off, uint64_t v)
{
	ck_assert_uint_le(off + 8, d->len);
	tdat_store64(d->ptr + off, v, d->big);
}

static const struct tdat_buffer *buffer(const struct damaged *d, size_t index)
{
	size_t count;
	const struct tdat_buffer *list = tdat_file_buffers(d->clean, &count);

	ck_assert_uint_lt(index, count);
	return &list[index];
}

static const struct tdat_file_option *option(const struct damaged *d, uint16_t id)
{
	return tdat_file_option_by_id(d->clean, id);
}

static const struct tdat_section *section(const struct damaged *d, uint16_t id)
{
	size_t count;
	const struct tdat_section *list = tdat_file_sections(d->clean, &count);

	for (size_t i = 0; i < count; i++)
		if (list[i].id == id)
			return &list[i];
	return NULL;
}

/* Where the file tells the place of CPU index's data of the top buffer; its size follows. */
static uint64_t cpu_entry(const struct damaged *d, size_t index)
{
	const struct tdat_file_option *o;
	uint64_t off;
	size_t count;

	if (d->version == 6)
		return buffer(d, 0)->off + 10 + 16 * index;
	o = tdat_file_options(d->clean, &count);
	while (o->id != TDAT_OPTION_BUFFER)
		o++;
	/* place, "", clock, page size, count, then number, place, size of each */
	off = o->off + 8 + 1 + strlen(buffer(d, 0)->clock) + 1 + 4 + 4;
	return off + 20 * index + 4;
}

static uint64_t second_page(const struct damaged *d)
{
	return buffer(d, 0)->cpus[1].off + buffer(d, 0)->page_size;
}

/* ---- head ---- */

static bool page_size_0(struct damaged *d)
{
	put32(d, 14, 0);
	return true;
}

static bool page_size_2g(struct damaged *d)
{
	put32(d, 14, 1u << 31);
	return true;
}

static bool order_byte(struct damaged *d)
{
	d->ptr[12] = 0x55;
	return true;
}

static bool long_byte(struct damaged *d)
{
	d->ptr[13] = 0;
	return true;
}

/* ---- pages ---- */

static bool commit_beyond(struct damaged *d)
{
	put64(d, second_page(d) + 8, 100000);
	return true;
}

static bool length_0(struct damaged *d)
{
	put32(d, second_page(d) + 16 + 3 * 20, 0);
	put32(d, second_page(d) + 16 + 3 * 20 + 4, 0);
	return true;
}

static bool negative_padding(struct damaged *d)
{
	uint64_t off = second_page(d) + 16 + 3 * 20;

	put32(d, off, d->big ? 29u << 27 | 5 : 5u << 5 | 29);
	put32(d, off + 4, 0xfffffffc);
	return true;
}

static bool page_zeroed(struct damaged *d)
{
	memset(d->ptr + second_page(d), 0xff, buffer(d, 0)->page_size);
	return true;
}

/* ---- the table of CPU data ---- */

static bool cpu_outside(struct damaged *d)
{
	put64(d, cpu_entry(d, 1), 1ull << 63);
	return true;
}

static bool cpu_len_negative(struct damaged *d)
{
	put64(d, cpu_entry(d, 3) + 8, UINT64_MAX);
	return true;
}

static bool cpu_overlap(struct damaged *d)
{
	put64(d, cpu_entry(d, 2), buffer(d, 0)->cpus[1].off);
	return true;
}

static bool cpu_unaligned(struct damaged *d)
{
	put64(d, cpu_entry(d, 2), buffer(d, 0)->cpus[2].off + 20);
	return true;
}

static bool table_gone(struct damaged *d)
{
	for (size_t i = 0; i < CPUS; i++) {
		put64(d, cpu_entry(d, i), 0x4141414141414141);
		put64(d, cpu_entry(d, i) + 8, 0x4141414141414141);
	}
	return true;
}

static bool cpu_id_huge(struct damaged *d)
{
	if (d->version == 6)
		return false;
	put32(d, cpu_entry(d, 1) - 4, 1u << 31);
	return true;
}

static bool cpu_twice(struct damaged *d)
{
	if (d->version == 6)
		return false;
	put32(d, cpu_entry(d, 1) - 4, 2);
	return true;
}

static bool cpu_count_huge(struct damaged *d)
{
	const struct tdat_file_option *o = option(d, TDAT_OPTION_CPUCOUNT);

	if (d->version == 6)
		put32(d, section(d, 0)->off - 14, 1u << 31);
	else if (o)
		put32(d, o->off, 1u << 31);
	return d->version == 6 || o;
}

static bool buffer_past_end(struct damaged *d)
{
	const struct tdat_file_option *o = option(d, TDAT_OPTION_BUFFER);

	put64(d, o->off, 1ull << 40);
	return true;
}

/* As old recorders do on a machine of the other order: no damage. */
static bool buffer_other_order(struct damaged *d)
{
	uint64_t off = option(d, TDAT_OPTION_BUFFER)->off;

	if (d->version == 6)
		put64(d, off, __builtin_bswap64(tdat_load64(d->ptr + off, d->big)));
	return d->version == 6;
}

static bool buffer_page_size_0(struct damaged *d)
{
	if (d->version == 7)
		put32(d, cpu_entry(d, 0) - 12, 0);
	return d->version == 7;
}

/* ---- options ---- */

static bool options_loop(struct damaged *d)
{
	const struct tdat_file_option *o = option(d, TDAT_OPTION_DONE);

	if (d->version == 6)
		return false;
	put64(d, o->off, section(d, 0)->off);
	return true;
}

static bool options_gone(struct damaged *d)
{
	const struct tdat_section *s = section(d, 0);

	if (d->version == 6)
		tdat_store16(d->ptr + s->body_off, 0, d->big);
	else
		put64(d, 10 + 2 + 2 + 4 + strlen("none") + 1 + 1, 0);
	return true;
}

static bool option_size_huge(struct damaged *d)
{
	put32(d, option(d, TDAT_OPTION_UNAME)->off - 4, 0xfffffff0);
	return true;
}

static bool text_without_nul(struct damaged *d)
{
	const struct tdat_file_option *o = option(d, TDAT_OPTION_UNAME);

	d->ptr[o->off + o->data.len - 1] = 'x';
	return true;
}

/* ---- sections ---- */

static bool section_negative(struct damaged *d)
{
	if (d->version == 6)
		return false;
	put64(d, section(d, TDAT_OPTION_KALLSYMS)->off + 8, UINT64_MAX - 15);
	return true;
}

static bool section_other(struct damaged *d)
{
	if (d->version == 6)
		return false;
	tdat_store16(d->ptr + section(d, TDAT_OPTION_PRINTK)->off, 77, d->big);
	return true;
}

static bool format_count_huge(struct damaged *d)
{
	put32(d, section(d, TDAT_OPTION_FTRACE_EVENTS)->body_off, 0xffffffff);
	return true;
}

static bool system_count_huge(struct damaged *d)
{
	put32(d, section(d, TDAT_OPTION_EVENT_FORMATS)->body_off, 0xffffffff);
	return true;
}

static bool text_size_huge(struct damaged *d)
{
	put32(d, section(d, TDAT_OPTION_KALLSYMS)->body_off, 0xfffffff0);
	return true;
}

static bool header_page_huge(struct damaged *d)
{
	put64(d, section(d, TDAT_OPTION_HEADER_INFO)->body_off + 12, UINT64_MAX);
	return true;
}

/* ---- chunks ---- */

static uint64_t first_chunk(const struct damaged *d)
{
	return buffer(d, 0)->cpus[1].off + 4;
}

static bool chunk_more(struct damaged *d)
{
	put32(d, first_chunk(d) + 4, tdat_load32(d->ptr + first_chunk(d) + 4, d->big) - 1024);
	return true;
}

static bool chunk_less(struct damaged *d)
{
	put32(d, first_chunk(d) + 4, tdat_load32(d->ptr + first_chunk(d) + 4, d->big) + 1024);
	return true;
}

static bool chunk_promises_huge(struct damaged *d)
{
	put32(d, first_chunk(d) + 4, 0xffffffff);
	return true;
}

static bool chunk_stored_huge(struct damaged *d)
{
	put32(d, first_chunk(d), 0xffffffff);
	return true;
}

static bool chunk_count_huge(struct damaged *d)
{
	put32(d, first_chunk(d) - 4, 0xffffffff);
	return true;
}

static bool chunk_garbled(struct damaged *d)
{
	memset(d->ptr + first_chunk(d) + 8, 0x55, 40);
	return true;
}

static bool chunk_cut(struct damaged *d)
{
	const struct tdat_buffer *b = buffer(d, 0);

	d->len = b->cpus[1].off + b->cpus[1].len * 3 / 4;
	return true;
}

const struct damage_kind damage_kinds[] = {
	{"nothing", false, NULL},
	{"page size 0", false, page_size_0},
	{"page size 2 GiB", false, page_size_2g},
	{"byte order 85", false, order_byte},
	{"long of 0 bytes", false, long_byte},
	{"commit beyond the page", false, commit_beyond},
	{"record of length 0", false, length_0},
	{"negative padding", false, negative_padding},
	{"page of ones", false, page_zeroed},
	{"CPU data outside the file", false, cpu_outside},
	{"CPU data of negative size", false, cpu_len_negative},
	{"CPU data that overlaps", false, cpu_overlap},
	{"CPU data not aligned", false, cpu_unaligned},
	{"table of CPU data gone", false, table_gone},
	{"CPU number 2^31", false, cpu_id_huge},
	{"CPU twice", false, cpu_twice},
	{"number of CPUs 2^31", false, cpu_count_huge},
	{"buffer past the end", false, buffer_past_end},
	{"buffer in the other byte order", false, buffer_other_order},
	{"page size 0 of a buffer", false, buffer_page_size_0},
	{"options loop", false, options_loop},
	{"no options", false, options_gone},
	{"option of 4 GiB", false, option_size_huge},
	{"text without NUL", false, text_without_nul},
	{"section of negative size", false, section_negative},
	{"section of another id", false, section_other},
	{"number of formats 2^32", false, format_count_huge},
	{"number of systems 2^32", false, system_count_huge},
	{"symbols of 4 GiB", false, text_size_huge},
	{"header_page of negative size", false, header_page_huge},
	{"chunk gives more", true, chunk_more},
	{"chunk gives less", true, chunk_less},
	{"chunk promises 4 GiB", true, chunk_promises_huge},
	{"chunk stores 4 GiB", true, chunk_stored_huge},
	{"2^32 chunks", true, chunk_count_huge},
	{"chunk garbled", true, chunk_garbled},
	{"chunk cut", true, chunk_cut},
};
const size_t damage_kind_count = sizeof(damage_kinds) / sizeof(damage_kinds[0]);
