/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A capture gives the same file and the same warnings whichever way it is read: by one thread,
 * merged as a whole and record by record (from memory, where the readers' short ways for usual
 * records do not go), or CPU by CPU on any number of threads. Captures are made here, of many
 * records, usual ones and others.
 */
#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tdat/writer.h>

#include "../common/run.h"
#include "collect.h"
#include "core/build.h"

enum { CPUS = 3, RECORDS = 9000 };

struct made {
	const char *importer;
	const char *const *options;
	const char *before, *behind; /* the CPU in the name of a file */
	void (*make)(struct tdat_build *files, bool clean);
};

static uint32_t draw(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

/* ---- captures ---- */

static void put_kmemtrace(struct tdat_build *b, uint32_t seq, uint32_t r, bool clean)
{
	const bool is_free = r % 3 == 0, feature = !clean && r % 97 == 0;

	tdat_build_u8(b, is_free ? 2 : 1);
	tdat_build_u8(b, (uint8_t)(clean || r % 501 ? r / 3 % 3 : 7));
	tdat_build_u16(b, (uint16_t)((is_free ? 24 : 48) + (feature ? 5 : 0)));
	tdat_build_u32(b, seq);
	tdat_build_u64(b, 0xffffffff80000000 + r);
	tdat_build_u64(b, 0xffff880000000000 + r * 8ull);
	if (!is_free) {
		tdat_build_u64(b, clean || r % 301 ? r % 999 + 1 : 0);
		tdat_build_u64(b, 1024);
		tdat_build_u32(b, r % 77);
		tdat_build_u32(b, r % 5 ? UINT32_MAX : 1);
	}
	if (feature) {
		tdat_build_u16(b, 5);
		tdat_build_u8(b, 1);
		tdat_build_u16(b, (uint16_t)r);
	}
}

/* Numbers begin near the end of 32 bits; some are missing and some are there twice. */
static void make_kmemtrace(struct tdat_build *files, bool clean)
{
	uint32_t state = 1, seq = UINT32_MAX - 5000;

	for (unsigned int i = 0; i < RECORDS; i++) {
		const uint32_t r = draw(&state);

		seq += r % 29 ? 1 : r % 500;
		put_kmemtrace(&files[r / 64 % CPUS], !clean && r % 2000 == 0 ? seq - 9000 : seq, r,
			      clean);
	}
}

static void make_text(struct tdat_build *files, bool clean)
{
	uint32_t state = 2;
	uint64_t now = 5000000;

	for (unsigned int i = 0; i < RECORDS; i++) {
		const uint32_t r = draw(&state);
		struct tdat_build *b = &files[r / 64 % CPUS];

		now += r % 4000;
		tdat_build_printf(b, "[%" PRIu64 "] ", !clean && r % 2000 == 0 ? now - 90000 : now);
		for (unsigned int k = 0; r % 31 && k < r % 9; k++)
			tdat_build_printf(b, "word%u ", k);
		if (!clean && r % 211 == 0)
			for (unsigned int k = 0; k < 300; k++)
				tdat_build_str(b, "a long line ");
		tdat_build_str(b, r % 17 ? "\n" : "\r\n");
		if (!clean && r % 101 == 0)
			tdat_build_str(b, "goes on here\n\nand here\n");
		if (!clean && r % 307 == 0)
			tdat_build_bytes(b, "\0\0\0\n", 4);
	}
}

static void put_blk(struct tdat_build *b, uint32_t seq, uint32_t cpu, uint64_t now, uint32_t r,
		    bool clean)
{
	const bool note = r % 43 == 0, drv = r % 59 == 0;
	char name[16] = "";

	tdat_build_u32(b, 0x65617407);
	tdat_build_u32(b, seq);
	tdat_build_u64(b, now);
	tdat_build_u64(b, r);
	tdat_build_u32(b, 4096);
	tdat_build_u32(b, note ? 0x400u << 16 : (r % 17) | (r & 0xbb0eu) << 16);
	tdat_build_u32(b, 100 + r % 7);
	tdat_build_u32(b, 8u << 20);
	tdat_build_u32(b, !clean && r % 4001 == 0 ? (cpu + 1) % CPUS : cpu);
	tdat_build_u16(b, 0);
	tdat_build_u16(b, note ? sizeof(name) : drv ? 5 : 0);
	snprintf(name, sizeof(name), "task%u", r % 1000);
	if (note)
		tdat_build_bytes(b, name, sizeof(name));
	else if (drv)
		tdat_build_bytes(b, "\1\2\3\4\5", 5);
}

/* Names of tasks change all the time, by records of any CPU; times are often equal. */
static void make_blktrace(struct tdat_build *files, bool clean)
{
	uint32_t state = 3, seqs[CPUS] = {0};
	uint64_t now = 100;

	for (unsigned int i = 0; i < RECORDS; i++) {
		const uint32_t r = draw(&state), cpu = r / 64 % CPUS;

		now += r % 3;
		seqs[cpu] += clean || r % 401 ? 1 : 5;
		put_blk(&files[cpu], seqs[cpu], cpu, !clean && r % 2000 == 0 ? now - 50 : now, r,
			clean);
	}
	if (!clean)
		tdat_build_str(&files[1], "no record");
}

static void make_records(struct tdat_build *files, bool clean)
{
	uint32_t state = 4;
	uint64_t now = 100;

	for (unsigned int i = 0; i < RECORDS; i++) {
		const uint32_t r = draw(&state);
		struct tdat_build *b = &files[r / 64 % CPUS];

		now += r % 3;
		tdat_build_u64(b, !clean && r % 2000 == 0 ? now - 50 : now);
		tdat_build_u32(b, r);
	}
}

/* Times go beyond 31 bits: where they have a sign they become negative there. */
static void make_short_records(struct tdat_build *files, bool clean)
{
	uint32_t state = 5, now = INT32_MAX - RECORDS;

	for (unsigned int i = 0; i < RECORDS; i++) {
		const uint32_t r = draw(&state);
		struct tdat_build *b = &files[r / 64 % CPUS];

		now += r % 5;
		tdat_build_u32(b, !clean && r % 2000 == 0 ? r % 3 : now);
		tdat_build_u16(b, (uint16_t)r);
	}
}

static const char *const record_options[] = {"record=fork u64 ts; u32 pid", NULL};
static const char *const short_options[] = {"record=fork u32 ts; u16 pid", NULL};
static const char *const signed_options[] = {"record=fork s32 ts; u16 pid", NULL};

static const struct made captures[] = {
	{"kmemtrace", NULL, "cpu", ".out", make_kmemtrace},
	{"gtsc", NULL, "trace", "", make_text},
	{"blktrace", NULL, "sda.blktrace.", "", make_blktrace},
	{"gtsc", record_options, "trace", "", make_records},
	{"gtsc", short_options, "trace", "", make_short_records},
	{"gtsc", signed_options, "trace", "", make_short_records},
};

/* ---- ways to read them ---- */

struct told {
	struct tdat_build text;
};

static enum tdat_status tell(void *ctx, const char *input, uint64_t off, const char *sentence,
			     struct tdat_error *err)
{
	struct told *t = ctx;

	(void)err;
	tdat_build_printf(&t->text, "%s %" PRIu64 " %s\n", input ? input : "", off, sentence);
	return TDAT_OK;
}

/* Imports into OUT; what was warned of is returned, to be freed. */
static char *import(const struct made *m, const struct collect_inputs *in, uint32_t threads,
		    bool cpu_emits, const char *out)
{
	struct tdat_keyed_option option = {"record", m->options ? m->options[0] + 7 : ""};
	struct tdat_import_request request = {sizeof(request),
					      .inputs = in->inputs,
					      .input_count = in->count,
					      .options = &option,
					      .option_count = m->options != NULL,
					      .threads = threads};
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_writer *w;
	struct tdat_emit_ops ops;
	struct tdat_emit emit;
	struct told told;

	tdat_build_init(&told.text, false);
	opts.compression = "none";
	opts.force = true;
	EXPECT(tdat_writer_new(&w, out, &opts, &err) == TDAT_OK, "%s", err.message);
	tdat_writer_on_warn(w, tell, &told);
	ops = *tdat_writer_emit(w)->ops;
	if (!cpu_emits)
		ops.cpu_emit = NULL;
	emit = (struct tdat_emit){&ops, tdat_writer_emit(w)->ctx};
	EXPECT(tdat_importer_run(tdat_importer_find(m->importer), &request, &emit, &err) == TDAT_OK,
	       "%s", err.message);
	EXPECT(tdat_writer_finish(w, &err) == TDAT_OK, "%s", err.message);
	EXPECT(tdat_writer_events(w) > RECORDS / 2, "only %" PRIu64 " events",
	       tdat_writer_events(w));
	tdat_writer_free(w);
	tdat_build_u8(&told.text, 0);
	return (char *)told.text.ptr;
}

static void expect_same(const char *file, const char *warnings, const char *other_file,
			const char *other_warnings, uint32_t threads)
{
	size_t len, other_len;
	char *data = collect_read_file(file, &len);
	char *other = collect_read_file(other_file, &other_len);

	ck_assert_str_eq(warnings, other_warnings);
	ck_assert_msg(len == other_len && !memcmp(data, other, len), "another file with %u threads",
		      threads);
	free(data);
	free(other);
}

static void read_both_ways(const struct made *m, const char *dir, bool clean)
{
	static const uint32_t threads[] = {1, 2, 5};
	struct collect_inputs memory = {0}, disk = {0};
	struct tdat_build files[CPUS];
	char out[64], whole[64], *warnings;

	snprintf(whole, sizeof(whole), "%s/whole.dat", dir);
	snprintf(out, sizeof(out), "%s/out.dat", dir);
	for (int i = 0; i < CPUS; i++)
		tdat_build_init(&files[i], false);
	m->make(files, clean);
	for (int i = 0; i < CPUS; i++) {
		char path[64];
		FILE *f;

		snprintf(path, sizeof(path), "%s/%s%d%s", dir, m->before, i, m->behind);
		f = fopen(path, "wb");
		EXPECT(f && fwrite(files[i].ptr, 1, files[i].len, f) == files[i].len && !fclose(f),
		       "cannot write %s", path);
		collect_add_memory(&memory, path, files[i].ptr, files[i].len);
		collect_add_file(&disk, path, TDAT_ACCESS_READ);
		unlink(path);
	}
	warnings = import(m, &memory, 1, false, whole);
	ck_assert(clean || *warnings || m->options);
	for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
		char *others = import(m, &disk, threads[i], true, out);

		expect_same(whole, warnings, out, others, threads[i]);
		free(others);
	}
	free(warnings);
	collect_close(&memory);
	collect_close(&disk);
	for (int i = 0; i < CPUS; i++)
		tdat_build_fini(&files[i]);
	unlink(whole);
	unlink(out);
}

START_TEST(any_way_gives_the_same_file)
{
	char dir[] = "import-threads-XXXXXX";

	ck_assert_ptr_nonnull(mkdtemp(dir));
	read_both_ways(&captures[_i], dir, true);
	read_both_ways(&captures[_i], dir, false);
	rmdir(dir);
}
END_TEST

/* ---- KTR, which has one file ---- */

static const char ktr_strings[] =
	"0xffffffff80e00000\t\"KTRGRAPH group:\\\"thread\\\", id:\\\"%s\\\", state:\\\"%s\\\", "
	"attributes: prio:%d\"\n"
	"0xffffffff80e00100\t\"callout %p func %p arg %#x to %300d %s\"\n"
	"0xffffffff80e00200\t\"KTRGRAPH group:\\\"load\\\", id:\\\"%s\\\", counter:%d, "
	"attributes: none\"\n"
	"0xffffffff80e00300\t\"sshd tid 100057\"\n"
	"0xffffffff80e00400\t\"bell\\a and tid 7\"\n"
	"0xffffffff80e00500\t\"running\"\n"
	"0xffffffff80e00600\t\"\"\n";

/* Threads get their numbers by what other CPUs say; some texts are not known; CPUs are late. */
static void make_ktr(struct tdat_build *b, uint64_t late)
{
	const uint64_t base = 0xffffffff80e00000;
	uint32_t state = 6;
	uint64_t now = 1000000;

	for (unsigned int i = 0; i < RECORDS; i++) {
		const uint32_t r = draw(&state);

		now += r % 7;
		tdat_build_u64(b, r % 3 ? now : now - r / 64 % late);
		tdat_build_u32(b, r / 32 % CPUS);
		tdat_build_u32(b, r % 999);
		tdat_build_u64(b, base + (r % 50 ? 0x500 : r % 7 * 0x100));
		tdat_build_u64(b, base + r / 8 % 4 * 0x100);
		tdat_build_u64(b, r % 11 ? 0xfffff80003000000 + r / 16 % 2000 * 0x500 : 0);
		for (unsigned int k = 0; k < 6; k++)
			tdat_build_u64(b, r >> k & 1 ? base + (r / 4 + k) % 8 * 0x100 : r >> k);
	}
}

static void ktr_inputs(struct collect_inputs *in, struct tdat_build *data, uint64_t late)
{
	tdat_build_init(data, false);
	make_ktr(data, late);
	collect_add_memory(in, "ktr.out", data->ptr, data->len);
	collect_add_memory(in, "strings.txt", ktr_strings, sizeof(ktr_strings) - 1);
}

/* In order, nearly so, and beyond what a window puts in order. */
static const uint64_t ktr_late[] = {1, 500, 1000000};
enum { KTR_LATE = sizeof(ktr_late) / sizeof(ktr_late[0]) };

/* One thread or two make the same file and the same warnings. */
START_TEST(ktr_threads)
{
	static const struct made ktr = {.importer = "ktr"};
	char dir[] = "import-ktr-XXXXXX", out[64], whole[64], *warnings;
	struct collect_inputs in = {0};
	struct tdat_build data;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(whole, sizeof(whole), "%s/whole.dat", dir);
	snprintf(out, sizeof(out), "%s/out.dat", dir);
	ktr_inputs(&in, &data, ktr_late[_i]);
	warnings = import(&ktr, &in, 1, true, whole);
	ck_assert(*warnings);
	for (uint32_t threads = 2; threads < 4; threads++) {
		char *others = import(&ktr, &in, threads, true, out);

		expect_same(whole, warnings, out, others, threads);
		free(others);
	}
	free(warnings);
	collect_close(&in);
	tdat_build_fini(&data);
	unlink(whole);
	unlink(out);
	rmdir(dir);
}
END_TEST

/* The next event "ktr" from i on. */
static size_t next_ktr(const struct collect *c, size_t i)
{
	while (i < c->event_count && strcmp(c->events[i].format->name, "ktr") != 0)
		i++;
	return i;
}

/* Events made in batches are those that are made one by one where others are asked for, too. */
START_TEST(ktr_batches)
{
	static const char *const with_others[] = {"graph", NULL};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in = {0};
	struct tdat_build data;
	struct collect one, many;
	size_t k = 0;

	ktr_inputs(&in, &data, ktr_late[_i]);
	collect_init(&many);
	collect_init(&one);
	EXPECT(collect_run(&many, "ktr", &in, NULL, &err) == TDAT_OK, "%s", err.message);
	EXPECT(collect_run(&one, "ktr", &in, with_others, &err) == TDAT_OK, "%s", err.message);
	EXPECT(many.event_count == RECORDS, "%zu events", many.event_count);
	for (size_t i = 0; i < many.event_count; i++, k++) {
		const struct collect_event *a = &many.events[i], *b;

		k = next_ktr(&one, k);
		EXPECT(k < one.event_count, "an event is missing");
		b = &one.events[k];
		EXPECT(a->cpu == b->cpu && a->ts == b->ts && a->len == b->len &&
			       !memcmp(a->data, b->data, a->len),
		       "event %zu is another one", i);
	}
	EXPECT(next_ktr(&one, k) == one.event_count, "more events one by one");
	collect_fini(&one);
	collect_fini(&many);
	collect_close(&in);
	tdat_build_fini(&data);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("import_threads");
	TCase *tc = tcase_create("threads");

	tcase_add_loop_test(tc, any_way_gives_the_same_file, 0,
			    sizeof(captures) / sizeof(captures[0]));
	tcase_add_loop_test(tc, ktr_threads, 0, KTR_LATE);
	tcase_add_loop_test(tc, ktr_batches, 0, KTR_LATE);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
