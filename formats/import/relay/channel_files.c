/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tells which input is data of a CPU and which a sidecar, by its name. Files are sorted by CPU,
 * which is linear for each file in the usual order; a folder of 65,536 files in reverse costs
 * half of the square. Sidecars are the files that debugfs has beside a channel.
 */
#include "relay.h"

#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "import/left_out.h"
#include "import/text_lines.h"

enum { ABSENT_NAMED = 64 /* absent CPUs that are named one by one */ };

/*
 * Reads the number behind a file name's stem: "sda.blktrace.12" gives CPU 12, and in *stem_len the
 * length of "sda.blktrace.". False: there is no number of up to five digits.
 */
static bool cpu_of_name(const char *name, uint32_t *cpu, size_t *stem_len)
{
	size_t len = strlen(name), stem = len;
	uint64_t v;

	while (stem && tdat_is_dec((uint8_t)name[stem - 1]))
		stem--;
	if (stem == len || len - stem > 5)
		return false;
	tdat_read_digits(name + stem, NULL, 10, &v);
	if (v > RELAY_CPU_MAX)
		return false;
	*cpu = (uint32_t)v;
	*stem_len = stem;
	return true;
}

/*
 * True if a name is one that tools give to data: NAME.blktrace.N, traceN or stpd_cpuN. Files of a
 * trace below the trace root have "TRACE/" before it.
 */
bool relay_is_data_name(const char *name)
{
	static const char blk[] = ".blktrace.";
	uint32_t cpu;
	size_t stem;

	name = tdat_base_name(name);
	if (!cpu_of_name(name, &cpu, &stem))
		return false;
	if (stem > sizeof(blk) - 1 &&
	    !strncmp(name + stem - (sizeof(blk) - 1), blk, sizeof(blk) - 1))
		return true;
	return (stem == 5 && !strncmp(name, "trace", 5)) ||
	       (stem == 8 && !strncmp(name, "stpd_cpu", 8));
}

/* Returns the place for a sidecar of this name; NULL: it is not a sidecar. */
static const struct tdat_import_input **sidecar(struct relay_files *f, const char *name)
{
	name = tdat_base_name(name);
	if (!strcmp(name, "dropped"))
		return &f->dropped;
	if (!strcmp(name, "nr_sub"))
		return &f->nr_sub;
	if (!strcmp(name, "sub_size"))
		return &f->sub_size;
	if (!strcmp(name, "state"))
		return &f->state;
	return !strcmp(name, "meta") ? &f->meta : NULL;
}

bool relay_is_sidecar(const char *name)
{
	/* Only the address of a member is used, f is never read. */
	struct relay_files f;

	return sidecar(&f, name) || !strcmp(tdat_base_name(name), "rewind");
}

/* Files of a trace below the folder that the user named, which is the trace root. */
bool relay_wants(const struct tdat_import_request *request, const char *name, bool live)
{
	const char *slash = strchr(name, '/');

	(void)request;
	if (live || !slash || strchr(slash + 1, '/'))
		return false;
	return !slash[1] || relay_is_data_name(name) || relay_is_sidecar(name);
}

/*
 * Rank of an input as data: 4 by a known name, 3 by such in a folder, 2 by a number, 1 because it
 * is not a sidecar. Only inputs of the best rank found are read.
 */
static unsigned int data_rank(const char *name)
{
	uint32_t cpu;
	size_t stem;

	if (relay_is_sidecar(name))
		return 0;
	if (relay_is_data_name(name))
		return strchr(name, '/') ? 3 : 4;
	return cpu_of_name(name, &cpu, &stem) ? 2 : 1;
}

/*
 * True if an ignored text may be channel data rather than a note: its name resembles data, or it
 * begins as a timestamp does. Then a warning is due.
 */
static bool is_like_data(const struct tdat_import_input *in)
{
	const char *name = in->name;
	uint8_t first;

	return data_rank(name) > 1 || !strncmp(name, "trace", 5) || !strncmp(name, "stpd_cpu", 8) ||
	       strstr(name, ".blktrace") ||
	       (tdat_source_read(in->source, 0, &first, 1, NULL) == TDAT_OK && first == '[');
}

/* Adds a data file. Without a number, files are CPUs in the order given. */
static void add_file(struct relay_files *f, const struct tdat_import_input *in)
{
	struct relay_file *file = &f->files[f->count];

	*file = (struct relay_file){.name = in->name, .path = in->path, .source = in->source};
	file->numbered = cpu_of_name(in->name, &file->cpu, &file->stem_len);
	if (!file->numbered)
		file->cpu = (uint32_t)f->count;
	f->count++;
}

/* Insertion sort, which keeps equal CPUs in order; files usually come sorted. */
void relay_sort_by_cpu(struct relay_file *files, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct relay_file moving = files[i];
		size_t j = i;

		for (; j && files[j - 1].cpu > moving.cpu; j--)
			files[j] = files[j - 1];
		files[j] = moving;
	}
}

/* Whether names have the same folder before them, or none. */
static bool same_folder(const char *a, const char *b)
{
	const size_t len = (size_t)(tdat_base_name(a) - a);

	return len == (size_t)(tdat_base_name(b) - b) && !memcmp(a, b, len);
}

/* Takes the sidecars, which lie beside the data or in the folder that the user named. */
static enum tdat_status take_sidecars(struct relay_files *f,
				      const struct tdat_import_request *request,
				      const struct tdat_emit *emit, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < request->input_count && st == TDAT_OK; i++) {
		const struct tdat_import_input *in = &request->inputs[i];
		const struct tdat_import_input **slot = sidecar(f, in->name);

		if (slot && (!strchr(in->name, '/') || same_folder(in->name, f->files[0].name)))
			st = import_take_once(slot, in, emit, err);
	}
	return st;
}

/* Their events would be one, and their clocks may differ. */
static enum tdat_status refuse_several(const struct relay_files *f, struct tdat_error *err)
{
	for (size_t i = 1; i < f->count; i++)
		if (!same_folder(f->files[i].name, f->files[0].name))
			return tdat_error_set(err, TDAT_E_FORMAT, TDAT_NO_OFFSET,
					      "the inputs contain several traces (%s, %s): name "
					      "the folder of one",
					      f->files[0].path, f->files[i].path);
	return TDAT_OK;
}

/* Sorts the inputs into data and sidecars; f->files is ordered by CPU. */
enum tdat_status relay_files_init(struct relay_files *f, const struct tdat_import_request *request,
				  const struct tdat_emit *emit, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	unsigned int best = 0;

	*f = (struct relay_files){0};
	f->files = calloc(request->input_count + 1, sizeof(*f->files));
	if (!f->files)
		return tdat_error_no_memory(err, "inputs");
	for (size_t i = 0; i < request->input_count; i++) {
		unsigned int rank = data_rank(request->inputs[i].name);

		if (rank > best)
			best = rank;
	}
	/* Second round: the best rank is known now. */
	for (size_t i = 0; i < request->input_count && st == TDAT_OK; i++) {
		const struct tdat_import_input *in = &request->inputs[i];
		unsigned int rank = data_rank(in->name);

		if (rank && rank == best && f->count <= RELAY_CPU_MAX)
			add_file(f, in);
		else if (rank)
			st = import_warn_left_out(
				emit, in, is_like_data(in),
				"other files are named like the data of a CPU from 0 to 65535",
				err);
	}
	if (st == TDAT_OK && !f->count)
		return tdat_error_set(err, TDAT_E_FORMAT, TDAT_NO_OFFSET,
				      "the inputs contain no channel data: trace<N>, "
				      "NAME.blktrace.<N>, stpd_cpu<N> or another file");
	if (st == TDAT_OK)
		st = refuse_several(f, err);
	if (st == TDAT_OK)
		st = take_sidecars(f, request, emit, err);
	relay_sort_by_cpu(f->files, f->count);
	return st;
}

void relay_files_fini(struct relay_files *f)
{
	free(f->files);
	f->files = NULL;
}

/* Copies a line without blanks at its end, cut to cap - 1 bytes. */
static void copy_line(struct tdat_span s, char *buf, size_t cap)
{
	size_t n;

	while (s.len &&
	       (s.ptr[s.len - 1] == ' ' || s.ptr[s.len - 1] == '\t' || s.ptr[s.len - 1] == '\r'))
		s.len--;
	n = s.len < cap - 1 ? s.len : cap - 1;
	/* A NUL of a damaged file must not end a number. */
	for (size_t i = 0; i < n; i++)
		buf[i] = s.ptr[i] ? (char)s.ptr[i] : '?';
	buf[n] = '\0';
}

/* Reads the first line of a sidecar; "" if it cannot be read. Needs no memory. */
void relay_sidecar_line(const struct tdat_import_input *in, char *buf, size_t cap)
{
	struct import_lines lines;
	struct import_line line;
	uint8_t room[1024];

	import_lines_init(&lines, in->source, sizeof(room) / 4);
	import_window_lend(&lines.window, room, sizeof(room));
	buf[0] = '\0';
	if (import_lines_next(&lines, &line, NULL) == TDAT_OK)
		copy_line(line.text, buf, cap);
	import_lines_fini(&lines);
}

/* Reads the value of a "key=value" line of meta. False: there is no such line. */
bool relay_meta_value(const struct tdat_import_input *meta, const char *key, char *buf, size_t cap)
{
	struct import_lines lines;
	struct import_line line;
	struct tdat_span value;
	bool found = false;
	uint8_t room[4096];

	import_lines_init(&lines, meta->source, sizeof(room) / 4);
	import_window_lend(&lines.window, room, sizeof(room));
	while (!found && import_lines_next(&lines, &line, NULL) == TDAT_OK) {
		found = import_key_is(line.text, key, &value);
		if (found)
			copy_line(value, buf, cap);
	}
	import_lines_fini(&lines);
	return found;
}

/* True if all files have one stem, so that a missing number means a missing CPU. */
static bool same_stem(const struct relay_files *f)
{
	for (size_t i = 0; i < f->count; i++)
		if (!f->files[i].numbered || f->files[i].stem_len != f->files[0].stem_len ||
		    strncmp(f->files[i].name, f->files[0].name, f->files[0].stem_len))
			return false;
	return true;
}

/* Warns of CPUs without a file, below the highest one. Long gaps make one warning. */
enum tdat_status relay_warn_absent(const struct relay_files *f, const struct tdat_emit *emit,
				   struct tdat_error *err)
{
	const char *name = f->stem ? f->stem : f->files[0].name, *end = f->stem ? f->suffix : "";
	const int stem = (int)(f->stem ? strlen(f->stem) : f->files[0].stem_len);
	uint32_t next = 0, warned = 0;
	enum tdat_status st = TDAT_OK;

	if (!f->stem && !same_stem(f))
		return TDAT_OK;
	for (size_t i = 0; i < f->count && st == TDAT_OK; i++) {
		uint32_t cpu = f->files[i].cpu;

		for (; next < cpu && warned < ABSENT_NAMED && st == TDAT_OK; next++, warned++)
			st = tdat_emit_warnf(emit, NULL, TDAT_NO_OFFSET, err, "%.*s%u%s is absent",
					     stem, name, next, end);
		if (next < cpu && st == TDAT_OK)
			st = tdat_emit_warnf(emit, NULL, TDAT_NO_OFFSET, err,
					     "%.*s%u%s to %.*s%u%s are absent", stem, name, next,
					     end, stem, name, cpu - 1, end);
		next = cpu + 1;
	}
	return st;
}
