/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a version 7 file with sections and an option that tdat does not know. */
#include "make_unknown.h"

#include <stdio.h>

#include <core/build.h>
#include <tdat/file.h>

#include "../common/asserts.h"

const char unknown_option_data[5] = {0, 1, (char)0xfe, 3, 0};
const char unknown_section_data[301] = "what a later trace-cmd may write";
const char unknown_btf[64] = "\x9f\xeb\x01 type information";
const char unknown_modules[29] = "ext4 1 0 - Live 0xffffffffc0\n";

struct section {
	uint16_t id;
	const char *data;
	size_t len;
};

static const struct section sections[] = {
	{TDAT_OPTION_BTF_FILE, unknown_btf, sizeof(unknown_btf)},
	{UNKNOWN_SECTION, unknown_section_data, sizeof(unknown_section_data)},
	{TDAT_OPTION_MODULES_FILE, unknown_modules, sizeof(unknown_modules)},
};

static void put_section(struct tdat_build *b, uint16_t id, const void *data, size_t len)
{
	tdat_build_u16(b, id);
	tdat_build_u16(b, 0);
	tdat_build_u32(b, UINT32_MAX); /* no description */
	tdat_build_u64(b, len);
	tdat_build_bytes(b, data, len);
}

static void put_option(struct tdat_build *b, uint16_t id, const void *data, size_t len)
{
	tdat_build_u16(b, id);
	tdat_build_u32(b, (uint32_t)len);
	tdat_build_bytes(b, data, len);
}

/* Sections behind the end of the file, then the options that tell of them. */
static void put_all(struct tdat_build *b, uint64_t end, uint64_t *options_off)
{
	struct tdat_build options;
	uint8_t off[8];

	tdat_build_init(&options, false);
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		tdat_store64(off, end + b->len, false);
		put_option(&options, sections[i].id, off, sizeof(off));
		put_section(b, sections[i].id, sections[i].data, sections[i].len);
	}
	put_option(&options, UNKNOWN_OPTION, unknown_option_data, sizeof(unknown_option_data));
	tdat_store64(off, 0, false);
	put_option(&options, TDAT_OPTION_DONE, off, sizeof(off));
	*options_off = end + b->len;
	put_section(b, TDAT_OPTION_DONE, options.ptr, options.len);
	tdat_build_fini(&options);
}

/* Where the last options section tells that there is no next one. */
static uint64_t link_place(const char *path, uint64_t *end)
{
	const struct tdat_section *list;
	struct tdat_file *file;
	uint64_t place = 0;
	size_t count;

	ck_assert(!tdat_file_open(&file, path, NULL, NULL));
	list = tdat_file_sections(file, &count);
	for (size_t i = 0; i < count; i++)
		if (list[i].id == TDAT_OPTION_DONE && list[i].body_off + list[i].body_len > place)
			place = list[i].body_off + list[i].body_len;
	*end = tdat_file_info(file)->len;
	tdat_file_close(file);
	ck_assert_uint_gt(place, 8);
	return place - 8;
}

void make_unknown(const char *path)
{
	uint64_t end, options_off, place = link_place(path, &end);
	struct tdat_build b;
	uint8_t off[8];
	FILE *f = fopen(path, "r+b");

	ck_assert_ptr_nonnull(f);
	tdat_build_init(&b, false);
	put_all(&b, end, &options_off);
	tdat_store64(off, options_off, false);
	ck_assert(!fseek(f, (long)place, SEEK_SET) && fwrite(off, 8, 1, f) == 1);
	ck_assert(!fseek(f, 0, SEEK_END) && fwrite(b.ptr, b.len, 1, f) == 1);
	ck_assert(!fclose(f));
	tdat_build_fini(&b);
}
