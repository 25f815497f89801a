/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ELF images that are wrong: libelf is given memory that ends at an unreadable
 * page, so that a step behind the end cannot stay unseen.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../common/run.h"
#include "collect.h"
#include "core/build.h"
#include "core/endian.h"
#include "import/ktr/address_map.h"
#include "import/ktr/elf_image.h"
#include "import/ktr/entry_layout.h"
#include "import/ktr/ktr.h"

enum { ROUNDS = 8000, MODULE_AT = 0x1000 };

/* len readable bytes that end at a page nobody may touch. */
struct fence {
	uint8_t *map;
	size_t map_len;
	size_t room;
};

static void fence_open(struct fence *f, size_t len)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	f->room = (len + page - 1) / page * page;
	f->map_len = f->room + page;
	f->map = mmap(NULL, f->map_len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(f->map, MAP_FAILED);
	ck_assert_int_eq(mprotect(f->map + f->room, page, PROT_NONE), 0);
}

static uint64_t next_random(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

/* Mostly into headers: the file's, the segments', the sections' at the end. */
static size_t place(uint64_t *x, size_t len)
{
	switch (next_random(x) % 4) {
	case 0:
		return next_random(x) % 64;
	case 1:
		return 64 + next_random(x) % 128;
	case 2:
		return len > 256 ? len - 1 - next_random(x) % 256 : 0;
	default:
		return next_random(x) % len;
	}
}

static void hurt(uint64_t *x, uint8_t *p, size_t len)
{
	for (uint64_t n = 1 + next_random(x) % 4; n; n--) {
		size_t at = place(x, len);
		uint64_t v = next_random(x);

		if (at >= len)
			continue;
		if (v >> 61 == 0 && at + 8 <= len)
			memset(p + at, v & 1 ? 0xff : 0x7f, 8);
		else if (v >> 61 == 1 && at + 4 <= len)
			tdat_store32(p + at, (uint32_t)(len - v % 32), false);
		else
			p[at] = (uint8_t)v;
	}
}

/* Everything an import asks an image; whether it could be opened. */
static bool use_image(const uint8_t *p, size_t len, uint64_t base)
{
	struct tdat_source *source;
	struct ktr_image *image;
	struct tdat_build out;
	volatile unsigned int sum = 0; /* bytes have to be touched */
	uint32_t version;
	bool opened;

	ck_assert(tdat_source_open_memory(&source, p, len, "kernel", NULL) == TDAT_OK);
	opened = ktr_is_elf(source) &&
		 ktr_image_open(&image, source, "kernel", base, NULL) == TDAT_OK;
	if (opened) {
		tdat_build_init(&out, false);
		ktr_image_int(image, "ktr_version", &version);
		ktr_image_text(image, "ktr_entries");
		EXPECT(ktr_image_kallsyms(image, "m", &out, NULL) == TDAT_OK, "kallsyms");
		for (uint64_t addr = 0xffffffff80e00000; addr < 0xffffffff80e00200; addr += 16) {
			struct tdat_span s = ktr_image_string(image, addr, KTR_STRING_MAX);

			for (size_t i = 0; i < s.len; i++)
				sum = sum + s.ptr[i];
		}
		tdat_build_fini(&out);
		ktr_image_close(image);
	}
	tdat_source_close(source);
	return opened;
}

START_TEST(hostile)
{
	static const char *const samples[] = {"fbsd_amd64_alq", "fbsd_i386_alq"};
	uint64_t x = 88172645463325252ull;
	unsigned int opened = 0;
	char path[4096], *kernel;
	struct fence f;
	size_t len;

	snprintf(path, sizeof(path), "%s/foreign/ktr/%s/kernel.elf", getenv("TDAT_FIXTURES"),
		 samples[_i]);
	kernel = collect_read_file(path, &len);
	fence_open(&f, len);
	for (unsigned int round = 0; round < ROUNDS; round++) {
		size_t n = round & 3 ? len : 1 + next_random(&x) % len;
		uint8_t *p = f.map + f.room - n;

		memcpy(p, kernel, n);
		/* A third are taken for modules, whose sections are laid out. */
		if (round % 3 == 0 && n > 16)
			p[16] = 1;
		hurt(&x, p, n);
		opened += use_image(p, n, round % 3 ? 0 : MODULE_AT);
	}
	ck_assert_uint_gt(opened, ROUNDS / 2);
	munmap(f.map, f.map_len);
	free(kernel);
}
END_TEST

START_TEST(sound)
{
	char path[4096], *kernel;
	struct tdat_source *source;
	struct ktr_image *image;
	struct tdat_build out;
	struct tdat_span s;
	uint32_t version = 0;
	size_t len;

	snprintf(path, sizeof(path), "%s/foreign/ktr/fbsd_amd64_alq/kernel.elf",
		 getenv("TDAT_FIXTURES"));
	kernel = collect_read_file(path, &len);
	ck_assert(tdat_source_open_memory(&source, kernel, len, "kernel", NULL) == TDAT_OK);
	ck_assert(ktr_image_open(&image, source, "kernel", 0, NULL) == TDAT_OK);
	ck_assert(ktr_image_int(image, "ktr_version", &version));
	ck_assert_uint_eq(version, 2);
	ck_assert(!ktr_image_int(image, "no_such_symbol", &version));
	s = ktr_image_string(image, 0xffffffff80e00067, KTR_STRING_MAX);
	ck_assert_uint_eq(s.len, strlen("kern/kern_synch.c"));
	ck_assert(!memcmp(s.ptr, "kern/kern_synch.c", s.len));
	ck_assert_uint_eq(ktr_image_string(image, 0xffffffff80e00067, 4).len, 4);
	ck_assert_ptr_null(ktr_image_string(image, 0xffffffff80dfffff, 4).ptr);
	ck_assert_ptr_null(ktr_image_string(image, 0xffffffff80e0018e, 4).ptr);
	tdat_build_init(&out, false);
	ck_assert(ktr_image_kallsyms(image, NULL, &out, NULL) == TDAT_OK);
	tdat_build_u8(&out, 0);
	ck_assert(strstr((char *)out.ptr, "ffffffff81000000 D ktr_version\n"));
	tdat_build_fini(&out);
	ktr_image_close(image);
	/* As a module somewhere else: everything moves along. */
	ck_assert(ktr_image_open(&image, source, "kernel", 0xffffffff82000000, NULL) == TDAT_OK);
	s = ktr_image_string(image, 0xffffffff82000067, KTR_STRING_MAX);
	ck_assert_uint_eq(s.len, strlen("kern/kern_synch.c"));
	ktr_image_close(image);
	tdat_source_close(source);
	free(kernel);
}
END_TEST

/* Ranges that overlap, are empty or reach the last address: the first that holds an address. */
START_TEST(overlaps)
{
	struct ktr_range ranges[12];
	struct ktr_address_map map;
	uint64_t x = 7;

	for (int round = 0; round < 2000; round++) {
		const uint64_t base = round % 2 ? UINT64_MAX - 40 : 0;
		const size_t count = next_random(&x) % 13;

		for (size_t i = 0; i < count; i++) {
			ranges[i].addr = base + next_random(&x) % 30;
			ranges[i].len = next_random(&x) % 12;
		}
		ck_assert(ktr_address_map_init(&map, ranges, count));
		for (uint64_t addr = base; addr < base + 40; addr++) {
			size_t want = 0, got = count;

			while (want < count && addr - ranges[want].addr >= ranges[want].len)
				want++;
			ck_assert_int_eq(ktr_address_map_find(&map, addr, &got), want < count);
			ck_assert_uint_eq(got, want);
		}
		ktr_address_map_fini(&map);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("ktr_image");
	TCase *t = tcase_create("images");

	tcase_add_test(t, sound);
	tcase_add_test(t, overlaps);
	tcase_add_loop_test(t, hostile, 0, 2);
	suite_add_tcase(s, t);
	return run_suite(s);
}
