/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each kind of damage, in both versions and byte orders: what check says (golden,
 * tests/fixtures/damaged/findings.txt; TDAT_UPDATE=1 writes it anew), that reading
 * ends, and that repair makes a clean file with the same events.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/part.h"
#include "../common/run.h"
#include "../common/scratch.h"
#include "core/endian.h"
#include "make_damaged.h"

enum { PER_CPU = 300 };

struct text {
	char *ptr;
	size_t len;
	FILE *to;
};

static enum tdat_status on_finding(void *ctx, const struct tdat_finding *f, struct tdat_error *err)
{
	FILE *to = ctx;

	(void)err;
	if (f->severity != TDAT_NOTE)
		fprintf(to, "  %s: %s (lost: %s)\n", tdat_severity_name(f->severity), f->sentence,
			f->cost);
	return TDAT_OK;
}

static uint64_t read_all(struct tdat_file *file, uint64_t *sum)
{
	const struct tdat_iter_input in = {file, 0, 0};
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_event *ev;
	struct tdat_iter *iter;
	uint64_t n = 0;

	*sum = 0;
	ck_assert_msg(tdat_iter_new(&iter, &in, 1, NULL, &err) == TDAT_OK, "%s", err.message);
	for (;; n++) {
		ck_assert_msg(tdat_iter_next(iter, &ev, &err) == TDAT_OK, "%s", err.message);
		if (!ev)
			break;
		*sum = *sum * 31 + ev->ts + ev->cpu + ev->buffer;
		for (size_t i = 0; i < ev->record.len; i++)
			*sum = *sum * 31 + ev->record.ptr[i];
	}
	tdat_iter_free(iter);
	return n;
}

static void check_repaired(const struct tdat_file *file, uint64_t want, uint64_t want_sum, FILE *to)
{
	char path[SCRATCH_PATH];
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_check_result checked;
	struct tdat_repair_result result;
	struct tdat_file *again;
	struct tdat_writer *w;
	uint64_t got, sum;

	scratch_file(path);
	opts.version = tdat_file_info(file)->version;
	opts.compression = opts.version == 7 ? tdat_file_info(file)->compression : NULL;
	opts.force = true;
	opts.threads = 1;
	ck_assert_int_eq(tdat_writer_new(&w, path, &opts, &err), TDAT_OK);
	ck_assert_msg(tdat_repair(w, file, NULL, NULL, NULL, &result, &err) == TDAT_OK, "%s",
		      err.message);
	ck_assert_msg(tdat_writer_finish(w, &err) == TDAT_OK, "%s", err.message);
	tdat_writer_free(w);
	ck_assert_msg(tdat_file_open(&again, path, NULL, &err) == TDAT_OK, "%s", err.message);
	ck_assert_int_eq(tdat_check(again, on_finding, to, &checked, &err), TDAT_OK);
	if (!result.unknown_events && (checked.damages || checked.doubts))
		fprintf(to, "  REPAIRED, BUT NOT CLEAN\n");
	got = read_all(again, &sum);
	if (want_sum && (got != want || sum != want_sum))
		fprintf(to, "  REPAIRED, BUT %llu EVENTS\n", (unsigned long long)got);
	tdat_file_close(again);
	unlink(path);
}

static void run_kind(const struct damage_kind *kind, uint32_t version, bool big,
		     const char *compression, FILE *to)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_file *file;
	struct damaged d;
	uint8_t *copy;

	damaged_make(&d, version, big, compression, PER_CPU);
	if (kind->do_it && !kind->do_it(&d)) {
		damaged_free(&d);
		return;
	}
	fprintf(to, "%s, version %u, %s endian%s%s\n", kind->name, version, big ? "big" : "little",
		compression ? ", " : "", compression ? compression : "");
	/* An allocation of its own, so that a sanitizer sees a byte too far. */
	copy = malloc(d.len);
	ck_assert_ptr_nonnull(copy);
	memcpy(copy, d.ptr, d.len);
	opts.tolerate_damage = true;
	if (tdat_file_open_memory(&file, copy, d.len, "damaged", &opts, &err) != TDAT_OK) {
		fprintf(to, "  not opened: %s\n", err.message);
	} else {
		uint64_t n, sum;

		ck_assert_int_eq(tdat_check(file, on_finding, to, NULL, &err), TDAT_OK);
		n = read_all(file, &sum);
		fprintf(to, "  %llu events\n", (unsigned long long)n);
		check_repaired(file, n, sum, to);
		tdat_file_close(file);
	}
	free(copy);
	damaged_free(&d);
}

/* Sizes of compressed data are the codec's business. */
static void run_chunked(const struct damage_kind *kind, bool big, const char *codec, FILE *to)
{
	char *text;
	size_t len;
	FILE *own = open_memstream(&text, &len);

	ck_assert_ptr_nonnull(own);
	run_kind(kind, 7, big, codec, own);
	fclose(own);
	for (size_t i = 0; i < len; i++)
		if (text[i] < '0' || text[i] > '9')
			fputc(text[i], to);
		else if (!i || text[i - 1] < '0' || text[i - 1] > '9')
			fputc('N', to);
	free(text);
}

static void run_all(FILE *to)
{
	static const char *const codecs[] = {"zlib", "zstd"};

	for (size_t i = 0; i < damage_kind_count; i++)
		for (int v = 0; v < 4; v++) {
			if (!damage_kinds[i].chunked)
				run_kind(&damage_kinds[i], v < 2 ? 6 : 7, v & 1, NULL, to);
			else
				run_chunked(&damage_kinds[i], v & 1, codecs[v / 2], to);
		}
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* Some numbers overwritten, mostly in the metadata, with values that hurt. */
static void mutate(struct damaged *d, uint32_t *seed)
{
	static const uint32_t values[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 4096, 29, 65};
	size_t area = next_random(seed) % 3 ? 2048 : d->len;
	unsigned n = 1 + next_random(seed) % 4;

	while (n--) {
		size_t off = next_random(seed) % (area < d->len ? area : d->len);

		/* Sections and options of version 7 lie at the end, too. */
		if (d->version == 7 && area != d->len && next_random(seed) % 2)
			off = d->len - 1 - off % 1200;
		if (next_random(seed) % 2 || off + 4 > d->len)
			d->ptr[off] = (uint8_t)next_random(seed);
		else
			tdat_store32(d->ptr + off, values[next_random(seed) % 8], d->big);
	}
}

static void run_mutant(const struct damaged *d, unsigned number)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_file *file;
	char *text;
	size_t len;
	uint64_t sum;
	FILE *to = open_memstream(&text, &len), *none = fopen("/dev/null", "w");

	ck_assert_ptr_nonnull(to);
	ck_assert_ptr_nonnull(none);
	opts.tolerate_damage = true;
	if (tdat_file_open_memory(&file, d->ptr, d->len, "mutant", &opts, &err) == TDAT_OK) {
		ck_assert_int_eq(tdat_check(file, on_finding, none, NULL, &err), TDAT_OK);
		read_all(file, &sum);
		check_repaired(file, 0, 0, to);
		tdat_file_close(file);
	}
	fclose(to);
	fclose(none);
	ck_assert_msg(!strstr(text, "NOT CLEAN"), "version %u, %s, %s endian, mutant %u: %s",
		      d->version, d->compression ? d->compression : "plain",
		      d->big ? "big" : "little", number, text);
	free(text);
}

/* Nothing crashes or hangs, and what repair makes opens strictly and is clean. */
START_TEST(mutants)
{
	static const char *const codecs[] = {NULL, NULL, "zlib", "zstd"};
	unsigned count =
		part_of(getenv("TDAT_MUTANTS") ? (unsigned)atoi(getenv("TDAT_MUTANTS")) : 30);
	uint32_t seed = 77 + (uint32_t)_i;
	struct damaged d;

	damaged_make(&d, _i / 2 == 0 ? 6 : 7, _i & 1, codecs[_i / 2], PER_CPU);
	for (unsigned i = 0; i < count; i++) {
		uint8_t *clean = d.ptr;

		d.ptr = malloc(d.len);
		ck_assert_ptr_nonnull(d.ptr);
		memcpy(d.ptr, clean, d.len);
		mutate(&d, &seed);
		run_mutant(&d, i);
		free(d.ptr);
		d.ptr = clean;
	}
	damaged_free(&d);
}
END_TEST

START_TEST(findings)
{
	const char *dir = getenv("TDAT_FIXTURES");
	char path[4096], *want, *got;
	size_t got_len, want_len;
	FILE *to = open_memstream(&got, &got_len), *f;

	ck_assert_ptr_nonnull(to);
	ck_assert_ptr_nonnull(dir);
	run_all(to);
	fclose(to);
	snprintf(path, sizeof(path), "%s/damaged/findings.txt", dir);
	if (getenv("TDAT_UPDATE")) {
		f = fopen(path, "wb");
		ck_assert_ptr_nonnull(f);
		fwrite(got, 1, got_len, f);
		fclose(f);
	}
	f = fopen(path, "rb");
	ck_assert_msg(f != NULL, "%s is missing", path);
	fseek(f, 0, SEEK_END);
	want_len = (size_t)ftell(f);
	rewind(f);
	want = calloc(1, want_len + 1);
	ck_assert_ptr_nonnull(want);
	ck_assert_uint_eq(fread(want, 1, want_len, f), want_len);
	fclose(f);
	if (want_len != got_len || memcmp(want, got, got_len)) {
		size_t i = 0, line = 0;

		for (; i < got_len && i < want_len && got[i] == want[i]; i++)
			if (got[i] == '\n')
				line = i + 1;
		ck_abort_msg("%s has\n%.200s\nfound\n%.200s", path, want + line, got + line);
	}
	free(want);
	free(got);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("damage");
	TCase *t = tcase_create("damage");

	tcase_add_test(t, findings);
	tcase_add_loop_test(t, mutants, 0, 8);
	tcase_set_timeout(t, 120);
	suite_add_tcase(s, t);
	return run_suite(s);
}
