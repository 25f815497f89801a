/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of real files in every version and compression hold the same: events,
 * options, parts; and version 6 to version 6 gives the same bytes.
 */
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tdat/iter.h>
#include <tdat/merge.h>
#include <tdat/writer.h>

#include "../common/part.h"
#include "../common/run.h"
#include "../common/scratch.h"
#include "make_unknown.h"

static const struct {
	uint32_t version;
	const char *compression;
	int level;
} kinds[] = {{6, "none", 0}, {7, "none", 0}, {7, "zstd", 0}, {7, "zlib", 1}, {7, "zstd", 1}};

static char copy_path[SCRATCH_PATH], second_path[SCRATCH_PATH];

static void setup(void)
{
	scratch_file(copy_path);
	scratch_file(second_path);
}

static void teardown(void)
{
	unlink(copy_path);
	unlink(second_path);
}

static struct tdat_file *open_file(const char *path)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_file *file;

	ck_assert_msg(!tdat_file_open(&file, path, NULL, &err), "%s: %s", path, err.message);
	return file;
}

/* The writer's answer; the number of warnings in *warnings. */
static enum tdat_status copy(const struct tdat_file *from, const char *to, int kind,
			     uint64_t *warnings, struct tdat_error *err)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_writer *w;
	enum tdat_status st;

	opts.version = kinds[kind].version;
	opts.compression = kinds[kind].compression;
	opts.level = kinds[kind].level;
	opts.force = true;
	opts.threads = 2;
	ck_assert_msg(!tdat_writer_new(&w, to, &opts, err), "%s", err->message);
	st = tdat_writer_copy(w, from, err);
	if (st == TDAT_OK)
		st = tdat_writer_finish(w, err);
	*warnings = tdat_writer_warnings(w);
	tdat_writer_free(w);
	return st;
}

static struct tdat_iter *iterate(struct tdat_file *file)
{
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	struct tdat_iter_input input = {.file = file};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_iter *iter;

	opts.raw_ts = true;
	ck_assert_msg(!tdat_iter_new(&iter, &input, 1, &opts, &err), "%s", err.message);
	return iter;
}

static const char *buffer_name(const struct tdat_file *file, uint32_t index)
{
	size_t count;
	const struct tdat_buffer *b = tdat_file_buffers(file, &count);

	ck_assert_uint_lt(index, count);
	return b[index].name;
}

static void same_events(const char *name, struct tdat_file *a, struct tdat_file *b)
{
	struct tdat_iter *ia = iterate(a), *ib = iterate(b);
	const struct tdat_event *ea, *eb;
	size_t n = 0;

	for (;; n++) {
		ck_assert(!tdat_iter_next(ia, &ea, NULL) && !tdat_iter_next(ib, &eb, NULL));
		ck_assert_msg(!ea == !eb, "%s: %zu events, then one ends", name, n);
		if (!ea)
			break;
		ck_assert_msg(ea->ts == eb->ts && ea->cpu == eb->cpu &&
				      ea->lost_before == eb->lost_before &&
				      ea->record.len == eb->record.len &&
				      !memcmp(ea->record.ptr, eb->record.ptr, ea->record.len),
			      "%s: event %zu differs", name, n);
		ck_assert_str_eq(buffer_name(a, ea->buffer), buffer_name(b, eb->buffer));
	}
	tdat_iter_free(ia);
	tdat_iter_free(ib);
}

static void same_parts(const char *name, const struct tdat_file *a, const struct tdat_file *b)
{
	const struct tdat_file_info *ia = tdat_file_info(a), *ib = tdat_file_info(b);

	for (int p = TDAT_PART_HEADER_PAGE; p <= TDAT_PART_LATENCY; p++) {
		struct tdat_span sa = tdat_file_part(a, (enum tdat_part)p);
		struct tdat_span sb = tdat_file_part(b, (enum tdat_part)p);

		ck_assert_msg(sa.len == sb.len && (!sa.len || !memcmp(sa.ptr, sb.ptr, sa.len)),
			      "%s: part %d differs", name, p);
	}
	ck_assert_uint_eq(tdat_file_format_count(a), tdat_file_format_count(b));
	for (size_t i = 0; i < tdat_file_format_count(a); i++) {
		const char *system_a, *system_b;
		struct tdat_span sa = tdat_file_format_text(a, i, &system_a);
		struct tdat_span sb = tdat_file_format_text(b, i, &system_b);

		ck_assert_str_eq(system_a, system_b);
		ck_assert(sa.len == sb.len && !memcmp(sa.ptr, sb.ptr, sa.len));
	}
	ck_assert(ia->big_endian == ib->big_endian && ia->long_size == ib->long_size &&
		  ia->kernel_long_size == ib->kernel_long_size && ia->cpu_count == ib->cpu_count);
	ck_assert_uint_eq(tdat_file_shows_seconds(a), tdat_file_shows_seconds(b));
}

/* Those that tell of the capture, not of places in the file. */
static const struct tdat_file_option *next_fact(const struct tdat_file *file, size_t *index)
{
	size_t count;
	const struct tdat_file_option *o = tdat_file_options(file, &count);

	for (; *index < count; (*index)++) {
		uint16_t id = o[*index].id;

		if (id == TDAT_OPTION_DONE || id == TDAT_OPTION_BUFFER ||
		    id == TDAT_OPTION_CPUCOUNT || (id >= 15 && id <= 23) ||
		    id == TDAT_OPTION_MODULES_FILE)
			continue;
		return &o[(*index)++];
	}
	return NULL;
}

static void same_options(const char *name, const struct tdat_file *a, const struct tdat_file *b)
{
	size_t at_a = 0, at_b = 0;
	const struct tdat_file_option *oa, *ob;

	do {
		oa = next_fact(a, &at_a);
		ob = next_fact(b, &at_b);
		ck_assert_msg(!oa == !ob, "%s: other number of options", name);
		if (!oa || (oa->id == TDAT_OPTION_TRACECLOCK && !oa->data.len))
			continue; /* an old mark may have got its text */
		ck_assert_msg(oa->id == ob->id && oa->data.len == ob->data.len &&
				      !memcmp(oa->data.ptr, ob->data.ptr, oa->data.len),
			      "%s: option %u differs", name, oa->id);
	} while (oa);
}

static void same(const char *name, struct tdat_file *a, const char *path)
{
	struct tdat_file *b = open_file(path);

	same_parts(name, a, b);
	same_options(name, a, b);
	same_events(name, a, b);
	tdat_file_close(b);
}

/* Two files of one length and content. */
static bool same_bytes(const char *one, const char *two)
{
	char shell[4096];

	snprintf(shell, sizeof(shell), "cmp -s '%s' '%s'", one, two);
	return system(shell) == 0;
}

/*
 * Once more into the kind it came from: the way back, and chunks that are copied
 * as they are.
 */
static void way_back(const char *name, struct tdat_file *file)
{
	int kind = tdat_file_info(file)->version == 6			? 0
		   : !strcmp(tdat_file_info(file)->compression, "none") ? 1
									: 2;
	struct tdat_file *middle = open_file(copy_path);
	struct tdat_error err = TDAT_ERROR_INIT;
	uint64_t warnings;

	ck_assert_msg(!copy(middle, second_path, kind, &warnings, &err), "%s: %s", name,
		      err.message);
	same(name, file, second_path);
	tdat_file_close(middle);
}

static enum tdat_status turn(struct tdat_file *from, const char *to, bool big,
			     struct tdat_error *err)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_writer *w;
	enum tdat_status st;

	opts.version = tdat_file_info(from)->version;
	opts.force = true;
	ck_assert_msg(!tdat_writer_new(&w, to, &opts, err), "%s", err->message);
	st = tdat_writer_copy_endian(w, from, big, err);
	if (st == TDAT_OK)
		st = tdat_writer_finish(w, err);
	else
		ck_assert_int_ne(tdat_writer_finish(w, NULL), TDAT_OK);
	tdat_writer_free(w);
	return st;
}

/* Times, CPUs, ids and pids do not change with the byte order. */
static void same_order(const char *name, struct tdat_file *a, struct tdat_file *b)
{
	struct tdat_iter *ia = iterate(a), *ib = iterate(b);
	const struct tdat_event *ea, *eb;

	do {
		ck_assert(!tdat_iter_next(ia, &ea, NULL) && !tdat_iter_next(ib, &eb, NULL));
		ck_assert_msg(!ea == !eb, "%s: one ends", name);
		ck_assert_msg(!ea || (ea->ts == eb->ts && ea->cpu == eb->cpu && ea->id == eb->id &&
				      ea->pid == eb->pid && ea->lost_before == eb->lost_before),
			      "%s: an event differs", name);
	} while (ea);
	tdat_iter_free(ia);
	tdat_iter_free(ib);
}

/* Into the other byte order and back; true when its formats tell enough for that. */
static bool check_turn(const char *name, struct tdat_file *file)
{
	bool big = tdat_file_info(file)->big_endian;
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st = turn(file, copy_path, !big, &err);
	struct tdat_file *other;

	if (st == TDAT_E_UNSUPPORTED)
		return false;
	ck_assert_msg(st == TDAT_OK, "%s: %s", name, err.message);
	other = open_file(copy_path);
	ck_assert(tdat_file_info(other)->big_endian == !big);
	same_order(name, file, other);
	ck_assert_msg(!turn(other, second_path, big, &err), "%s: %s", name, err.message);
	same(name, file, second_path);
	tdat_file_close(other);
	return true;
}

static void check_file(const char *path)
{
	struct tdat_file *file = open_file(path);
	struct tdat_error err = TDAT_ERROR_INIT;
	uint64_t warnings;

	for (int kind = 0; kind < (int)(sizeof(kinds) / sizeof(kinds[0])); kind++) {
		enum tdat_status st = copy(file, copy_path, kind, &warnings, &err);

		if (st == TDAT_E_UNSUPPORTED && !kind && strstr(path, "subbuf"))
			continue; /* version 6 has one page size */
		ck_assert_msg(st == TDAT_OK, "%s: %s", path, err.message);
		ck_assert_msg(!warnings || (!kind && strstr(path, "tc34")), "%s: warnings", path);
		same(path, file, copy_path);
		if (!kind && tdat_file_info(file)->version == 6)
			ck_assert_msg(same_bytes(path, copy_path), "%s: bytes differ", path);
		if (kind < 3 && !warnings)
			way_back(path, file);
	}
	if (!check_turn(path, file))
		ck_assert_msg(strstr(path, "trace-printk") || strstr(path, "user-events"),
			      "%s: cannot be byte-swapped", path);
	tdat_file_close(file);
}

static int check_folder(const char *folder)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	int count = 0;

	while (d && (e = readdir(d))) {
		const char *dot = strrchr(e->d_name, '.');
		char path[1024];

		if (!dot || strcmp(dot, ".dat") || !part_takes_file(e->d_name))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		check_file(path);
		count++;
	}
	if (d)
		closedir(d);
	return count;
}

START_TEST(real_files)
{
	const char *fixtures = getenv("TDAT_FIXTURES"), *shared = getenv("TDAT_SHARED");
	char path[1024];
	int count = 0;

	if (fixtures) {
		snprintf(path, sizeof(path), "%s/valid", fixtures);
		count += check_folder(path);
	}
	if (shared) {
		snprintf(path, sizeof(path), "%s/corpus/files", shared);
		count += check_folder(path);
	}
	printf("%d files copied (fixtures %s, shared %s)\n", count, fixtures ? fixtures : "none",
	       shared ? shared : "none");
}
END_TEST

/* ---- sections and options that are not known ---- */

static char warnings_told[2048];

static enum tdat_status note(void *ctx, const char *input, uint64_t off, const char *sentence,
			     struct tdat_error *err)
{
	size_t used = strlen(warnings_told);

	(void)ctx, (void)input, (void)off, (void)err;
	snprintf(warnings_told + used, sizeof(warnings_told) - used, "%s\n", sentence);
	return TDAT_OK;
}

/* The body of the only section of that id, plain in the file. */
static void has_section(const struct tdat_file *file, uint16_t id, const char *data, size_t len)
{
	const struct tdat_section *list;
	size_t count, found = 0;
	uint8_t body[512];

	list = tdat_file_sections(file, &count);
	for (size_t i = 0; i < count; i++) {
		if (list[i].id != id)
			continue;
		found++;
		ck_assert_uint_eq(list[i].body_len, len);
		ck_assert(!tdat_source_read(tdat_file_source(file), list[i].body_off, body, len,
					    NULL));
		ck_assert_msg(!memcmp(body, data, len), "section %u differs", id);
	}
	ck_assert_msg(found == 1, "%zu sections %u", found, id);
}

static void has_unknown(const char *path)
{
	struct tdat_file *file = open_file(path);
	const struct tdat_file_option *o = tdat_file_option_by_id(file, UNKNOWN_OPTION);

	has_section(file, TDAT_OPTION_BTF_FILE, unknown_btf, sizeof(unknown_btf));
	has_section(file, TDAT_OPTION_MODULES_FILE, unknown_modules, sizeof(unknown_modules));
	has_section(file, UNKNOWN_SECTION, unknown_section_data, sizeof(unknown_section_data));
	ck_assert(o && o->data.len == sizeof(unknown_option_data) &&
		  !memcmp(o->data.ptr, unknown_option_data, o->data.len));
	tdat_file_close(file);
}

/* Copies from into to; what the writer said is in warnings_told. */
static void copy_as(const char *from, const char *to, uint32_t version, const char *compression)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_file *file = open_file(from);
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_writer *w;

	opts.version = version;
	opts.compression = compression;
	opts.force = true;
	warnings_told[0] = '\0';
	ck_assert_msg(!tdat_writer_new(&w, to, &opts, &err), "%s", err.message);
	tdat_writer_on_warn(w, note, NULL);
	ck_assert_msg(!tdat_writer_copy(w, file, &err) && !tdat_writer_finish(w, &err), "%s",
		      err.message);
	tdat_writer_free(w);
	tdat_file_close(file);
}

START_TEST(unknown_parts)
{
	char path[1024], back[80];
	struct tdat_file *file;

	snprintf(path, sizeof(path), "%s/valid/x64-61-v7-none-tiny.dat", getenv("TDAT_FIXTURES"));
	copy_as(path, copy_path, 7, "none");
	make_unknown(copy_path);
	has_unknown(copy_path);
	copy_as(copy_path, second_path, 7, "none");
	ck_assert_str_eq(warnings_told, "");
	has_unknown(second_path);
	snprintf(back, sizeof(back), "%s-back", second_path);
	copy_as(copy_path, second_path, 7, "zstd");
	ck_assert_str_eq(warnings_told, "");
	copy_as(second_path, back, 7, "none");
	has_unknown(back);
	copy_as(copy_path, second_path, 6, "none");
	ck_assert_msg(strstr(warnings_told, "section 23 ") &&
			      strstr(warnings_told, "section 25 ") &&
			      strstr(warnings_told, "section 900 "),
		      "%s", warnings_told);
	file = open_file(second_path);
	ck_assert_ptr_nonnull(
		tdat_file_option_by_id(file, UNKNOWN_OPTION)); /* version 6 has these */
	tdat_file_close(file);
	unlink(back);
}
END_TEST

/* Merged: what two inputs both have is there once, what differs is told. */
START_TEST(unknown_merged)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_iter_input in[2] = {{.file = NULL}};
	struct tdat_merge_result result;
	struct tdat_writer *w;
	char path[1024];

	snprintf(path, sizeof(path), "%s/valid/x64-61-v7-none-tiny.dat", getenv("TDAT_FIXTURES"));
	copy_as(path, copy_path, 7, "none");
	make_unknown(copy_path);
	in[0].file = open_file(copy_path);
	in[1].file = open_file(copy_path);
	opts.compression = "none";
	opts.force = true;
	warnings_told[0] = '\0';
	ck_assert_msg(!tdat_writer_new(&w, second_path, &opts, &err), "%s", err.message);
	tdat_writer_on_warn(w, note, NULL);
	ck_assert_msg(!tdat_writer_merge(w, in, 2, NULL, &result, &err) &&
			      !tdat_writer_finish(w, &err),
		      "%s", err.message);
	tdat_writer_free(w);
	ck_assert_str_eq(warnings_told, "");
	has_unknown(second_path);
	tdat_file_close(in[0].file);
	tdat_file_close(in[1].file);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("write_copy");
	TCase *tc = tcase_create("copy");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 600);
	tcase_add_test(tc, real_files);
	tcase_add_test(tc, unknown_parts);
	tcase_add_test(tc, unknown_merged);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
