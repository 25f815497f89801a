/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the key=value lines beside a copy of the ring: docs/formats/ktr.md §2. The file says
 * how many slots a ring has and which is the oldest, for captures in which no header does. A
 * line that is not understood is reported with its offset. Called by ktr_inputs.c and
 * entry_reader.c.
 */
#include "ktr.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "import/importer_options.h"
#include "import/text_lines.h"

/* Bytes of a line. */
enum { LINE_CAP = 1024 };

/* True if the line is "key=value"; *value is trimmed. */
static bool key_is(struct tdat_span line, const char *key, struct tdat_span *value)
{
	if (!import_key_is(line, key, value))
		return false;
	while (value->len && value->ptr[value->len - 1] <= ' ')
		value->len--;
	while (value->len && *value->ptr <= ' ')
		*value = tdat_span_from(*value, 1);
	return true;
}

/* Reads a number with an optional 0x, as importer options have it. */
static bool take_number(struct tdat_span value, uint64_t *out)
{
	char text[32];

	if (!value.len || value.len >= sizeof(text))
		return false;
	memcpy(text, value.ptr, value.len);
	text[value.len] = '\0';
	return tdat_whole_size(text, out);
}

/* Copies a word; false if it is empty or too long. */
static bool take_word(struct tdat_span value, char *out, size_t cap)
{
	if (!value.len || value.len >= cap || memchr(value.ptr, 0, value.len))
		return false;
	memcpy(out, value.ptr, value.len);
	out[value.len] = '\0';
	return true;
}

/*
 * Takes one line. False: the key is known, but its value cannot be understood. Unknown keys are
 * skipped: the sidecar serves other tools too.
 */
static bool take_line(struct ktr_meta *m, struct tdat_span line)
{
	struct tdat_span v;

	if (key_is(line, "layout", &v))
		return take_word(v, m->layout, sizeof(m->layout));
	if (key_is(line, "endian", &v))
		return take_word(v, m->endian, sizeof(m->endian));
	if (key_is(line, "clock", &v))
		return take_word(v, m->clock, sizeof(m->clock));
	if (key_is(line, "long", &v))
		return take_number(v, &m->word) && (m->word == 4 || m->word == 8);
	if (key_is(line, "ktr_idx", &v))
		return m->has_idx = take_number(v, &m->idx);
	if (key_is(line, "ktr_entries", &v))
		return take_number(v, &m->entries);
	if (key_is(line, "ktr_version", &v))
		return take_number(v, &m->version);
	if (key_is(line, "ktr_size", &v))
		return take_number(v, &m->ring_len);
	if (key_is(line, "alq_failed", &v))
		return m->has_alq_failed = take_number(v, &m->alq_failed);
	return true;
}

/*
 * Reads the sidecar into *m, which borrows the input. Lines that are not understood cost a warning
 * each.
 */
enum tdat_status ktr_meta_read(struct ktr_meta *m, const struct tdat_import_input *in,
			       const struct tdat_emit *emit, struct tdat_error *err)
{
	struct import_lines lines;
	struct import_line line;
	enum tdat_status st;

	*m = (struct ktr_meta){.input = in};
	import_lines_init(&lines, in->source, LINE_CAP);
	while ((st = import_lines_next(&lines, &line, err)) == TDAT_OK) {
		if (take_line(m, line.text))
			continue;
		st = tdat_emit_warnf(emit, in->name, line.off, err, "\"%.*s\" is not understood",
				     (int)(line.text.len < 80 ? line.text.len : 80),
				     (const char *)line.text.ptr);
		if (st != TDAT_OK)
			break;
	}
	import_lines_fini(&lines);
	/* The end of the file: a last line without a line end may be cut. */
	return st == TDAT_E_NOT_FOUND ? import_warn_unended(in->name, in->source, emit, err) : st;
}

/*
 * Finds the write index of a CPU's ring ("idxN", in bytes). Read when needed: there may be
 * thousands.
 */
bool ktr_meta_ring_idx(const struct ktr_meta *m, uint32_t cpu, uint64_t *idx)
{
	struct import_lines lines;
	struct import_line line;
	bool found = false;
	uint8_t room[4 * LINE_CAP];
	char key[16];

	if (!m->input)
		return false;
	snprintf(key, sizeof(key), "idx%u", cpu);
	import_lines_init(&lines, m->input->source, LINE_CAP);
	/* On the stack, so that nothing can fail for lack of memory. */
	import_window_lend(&lines.window, room, sizeof(room));
	while (!found && import_lines_next(&lines, &line, NULL) == TDAT_OK) {
		struct tdat_span v;

		found = key_is(line.text, key, &v) && take_number(v, idx);
	}
	import_lines_fini(&lines);
	return found;
}

/* True if a line is "idxN=..." with N below cpus; returns N in *cpu. */
static bool is_ring_line(struct tdat_span line, uint32_t cpus, uint32_t *cpu)
{
	uint64_t v;

	if (line.len < 5 || memcmp(line.ptr, "idx", 3) != 0)
		return false;
	line = tdat_span_from(line, 3);
	if (!tdat_take_digits(&line, 10, &v) || !line.len || *line.ptr != '=' || v >= cpus)
		return false;
	*cpu = (uint32_t)v;
	return true;
}

/* Warns of each CPU that the sidecar names but whose ring file is missing. */
enum tdat_status ktr_meta_warn_absent(const struct ktr_meta *m, const bool *has_ring, uint32_t cpus,
				      const struct tdat_emit *emit, struct tdat_error *err)
{
	struct import_lines lines;
	struct import_line line;
	enum tdat_status st;
	uint32_t cpu;

	if (!m->input)
		return TDAT_OK;
	import_lines_init(&lines, m->input->source, LINE_CAP);
	while ((st = import_lines_next(&lines, &line, err)) == TDAT_OK) {
		if (!is_ring_line(line.text, cpus, &cpu) || has_ring[cpu])
			continue;
		st = tdat_emit_warnf(
			emit, m->input->name, line.off, err,
			"the file describes the ring of CPU %u, but ktr%u.bin is missing", cpu,
			cpu);
		if (st != TDAT_OK)
			break;
	}
	import_lines_fini(&lines);
	return st == TDAT_E_NOT_FOUND ? TDAT_OK : st;
}
