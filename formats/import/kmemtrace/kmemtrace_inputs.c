/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tells which input is data of a CPU and which a sidecar, by its name and the options. A CPU's
 * number comes from the name of its file, or from options. Files that are neither data nor
 * known beside it are reported as left out.
 */
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "import/importer_options.h"
#include "import/left_out.h"
#include "kmemtrace.h"

/*
 * Parses the digits at s as a CPU number, saturating. Returns their end, or NULL without a digit.
 */
static const char *parse_cpu(const char *s, uint64_t *cpu)
{
	const char *p = tdat_read_digits(s, NULL, 10, cpu);

	return p == s ? NULL : p;
}

/* Number behind the first "cpu" that has one: "cpu3.out", "trace-cpu3". */
static bool number_in_name(const char *name, uint64_t *cpu)
{
	for (const char *p = strstr(name, "cpu"); p; p = strstr(p + 3, "cpu"))
		if (parse_cpu(p + 3, cpu))
			return true;
	return false;
}

bool kmem_cpu_of_name(const char *name, uint32_t *cpu)
{
	uint64_t v;

	if (!number_in_name(name, &v) || v > KMEM_CPU_MAX)
		return false;
	*cpu = (uint32_t)v;
	return true;
}

/* True if a file begins as text. No record begins with a printable byte. */
bool kmem_is_text(const struct tdat_source *source)
{
	uint8_t c;

	if (!tdat_source_len(source) || tdat_source_read(source, 0, &c, 1, NULL) != TDAT_OK)
		return false;
	return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t' || c == '\r';
}

/* Returns the place for a sidecar of this name; NULL: it is not a sidecar. */
static const struct tdat_import_input **sidecar(struct kmem_files *f, const char *name)
{
	if (!strcmp(name, "abi_version"))
		return &f->abi_version;
	if (!strcmp(name, "total_overruns"))
		return &f->total_overruns;
	if (!strcmp(name, "meta"))
		return &f->data.meta;
	return strstr(name, "kallsyms") ? &f->kallsyms : NULL;
}

/* Finds the number that "--cpu N=FILE" gives an input; -1: no option names it. */
static enum tdat_status cpu_by_user(const struct tdat_import_request *request,
				    const struct tdat_import_input *in, int64_t *cpu,
				    struct tdat_error *err)
{
	*cpu = -1;
	for (size_t i = 0; i < request->option_count; i++) {
		const char *value = request->options[i].value, *end;
		uint64_t v;

		if (strcmp(request->options[i].key, "cpu"))
			continue;
		end = parse_cpu(value, &v);
		if (!end || *end != '=' || v > KMEM_CPU_MAX)
			return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					      "option \"cpu\" is \"%s\", but must be N=FILE with "
					      "N of 0 to %d",
					      value, KMEM_CPU_MAX);
		if (!strcmp(end + 1, in->name) || !strcmp(end + 1, in->path))
			*cpu = (int64_t)v;
	}
	return TDAT_OK;
}

/* Fails unless every "--cpu N=FILE" names an input: a typo must not pass silently. */
static enum tdat_status check_cpu_options(const struct tdat_import_request *request,
					  struct tdat_error *err)
{
	for (size_t i = 0; i < request->option_count; i++) {
		const char *file = strchr(request->options[i].value, '=');
		bool found = false;

		if (strcmp(request->options[i].key, "cpu"))
			continue;
		for (size_t j = 0; file && j < request->input_count; j++)
			found = found || !strcmp(file + 1, request->inputs[j].name) ||
				!strcmp(file + 1, request->inputs[j].path);
		if (!found)
			return tdat_error_set(
				err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				"option \"cpu\" is \"%s\", but no input has that name",
				request->options[i].value);
	}
	return TDAT_OK;
}

/* Sorts one input into data or sidecars. A file named by --cpu is data whatever its name. */
static enum tdat_status add_file(struct kmem_files *f, const struct tdat_import_request *request,
				 const struct tdat_import_input *in, const struct tdat_emit *emit,
				 struct tdat_error *err)
{
	const struct tdat_import_input **slot = sidecar(f, in->name);
	struct relay_file *file = &f->data.files[f->data.count];
	enum tdat_status st;
	uint64_t v;
	int64_t cpu;

	st = cpu_by_user(request, in, &cpu, err);
	if (st != TDAT_OK)
		return st;
	*file = (struct relay_file){.name = in->name, .path = in->path, .source = in->source};
	if (cpu < 0 && slot)
		return import_take_once(slot, in, emit, err);
	if (cpu < 0 && number_in_name(in->name, &v)) {
		if (v > KMEM_CPU_MAX)
			return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
					      "%s: a CPU number above %d", in->name, KMEM_CPU_MAX);
		cpu = (int64_t)v;
	}
	file->numbered = cpu >= 0;
	file->cpu = cpu >= 0 ? (uint32_t)cpu : 0;
	f->data.count++;
	return TDAT_OK;
}

/*
 * Decides about files without a CPU number. Binary ones are data, numbered in the order given. Text
 * never is data, and an empty file only if it is the only one.
 */
static enum tdat_status settle_unnumbered(struct relay_files *f, const struct tdat_emit *emit,
					  struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	size_t kept = 0;

	for (size_t i = 0; i < f->count && st == TDAT_OK; i++) {
		struct relay_file *file = &f->files[i];
		const struct tdat_import_input in = {file->name, file->path, file->source};

		if (!file->numbered) {
			if (f->count > 1 && !tdat_source_len(file->source))
				continue;
			if (kmem_is_text(file->source)) {
				st = import_warn_left_out(
					emit, &in, strstr(in.name, "cpu") != NULL,
					"they begin with text, but records are binary", err);
				continue;
			}
			file->cpu = (uint32_t)kept;
		}
		f->files[kept++] = *file;
	}
	f->count = kept;
	return st;
}

/* Sorts the inputs; files->files is ordered by CPU. */
enum tdat_status kmem_files_init(struct kmem_files *f, const struct tdat_import_request *request,
				 const struct tdat_emit *emit, struct tdat_error *err)
{
	enum tdat_status st = check_cpu_options(request, err);

	*f = (struct kmem_files){.data = {.stem = "cpu", .suffix = ".out"}};
	if (st != TDAT_OK)
		return st;
	f->data.files = calloc(request->input_count + 1, sizeof(*f->data.files));
	if (!f->data.files)
		return tdat_error_no_memory(err, "inputs");
	for (size_t i = 0; i < request->input_count; i++) {
		st = add_file(f, request, &request->inputs[i], emit, err);
		if (st != TDAT_OK)
			return st;
	}
	st = settle_unnumbered(&f->data, emit, err);
	if (st != TDAT_OK)
		return st;
	relay_sort_by_cpu(f->data.files, f->data.count);
	if (!f->data.count)
		return tdat_error_set(err, TDAT_E_FORMAT, TDAT_NO_OFFSET,
				      "no kmemtrace data among the inputs: no cpu<N>.out and no "
				      "other binary file");
	return TDAT_OK;
}
