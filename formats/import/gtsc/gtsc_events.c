/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes events of text records: docs/formats/gtsc.md §8. A record's text becomes one event,
 * named after the capture; --pid-regex finds the pid in it. Line feeds within a record were
 * escaped before. Types are emitted at their first use.
 */
#include "gtsc.h"

#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "import/embedded_format.h"
#include "import/record.h"

extern const struct import_format import_formats_gtsc[];

/* Makes an identifier of up to GTSC_NAME_CAP - 1 characters; others become "_". */
void gtsc_clean_name(const char *s, size_t len, char *out)
{
	size_t n = 0;

	if (len && tdat_is_dec((uint8_t)s[0]))
		out[n++] = '_';
	for (size_t i = 0; i < len && n < GTSC_NAME_CAP - 1; i++)
		out[n++] = s[i];
	for (size_t i = 0; i < n; i++)
		if (!tdat_is_word((uint8_t)out[i]))
			out[i] = '_';
	out[n] = '\0';
}

/* Name of the event: the option's, else the capture's folder, else "trace". */
static void event_name(const struct relay_output *o, char *out)
{
	const struct gtsc_setup *own = o->setup->own;
	const char *path = o->files->files[0].path, *end = strrchr(path, '/'), *start;

	if (own->event) {
		gtsc_clean_name(own->event, strlen(own->event), out);
		return;
	}
	strcpy(out, "trace");
	while (end && end > path && end[-1] == '/')
		end--;
	if (!end || end == path)
		return;
	for (start = end; start > path && start[-1] != '/';)
		start--;
	/* Hidden folders and ".." are not names. */
	if (start[0] != '.')
		gtsc_clean_name(start, (size_t)(end - start), out);
}

/*
 * Emits the text event's format under the capture's name. The built-in format's first line, its
 * name, is replaced.
 */
static enum tdat_status emit_named(const struct relay_output *o, uint16_t *id,
				   struct tdat_error *err)
{
	const struct gtsc_setup *own = o->setup->own;
	const struct import_format *f = import_format_find(import_formats_gtsc, "gtsc", "trace");
	char name[GTSC_NAME_CAP], system[GTSC_NAME_CAP];
	struct tdat_build b;
	enum tdat_status st;

	event_name(o, name);
	gtsc_clean_name(own->system, strlen(own->system), system);
	tdat_build_init(&b, false);
	tdat_build_printf(&b, "name: %s\n", name);
	tdat_build_str(&b, strchr(f->text, '\n') + 1);
	if (b.failed)
		st = tdat_error_no_memory(err, "a format");
	else
		st = tdat_emit_format(o->emit, system, (const char *)b.ptr, b.len, id, err);
	tdat_build_fini(&b);
	return st;
}

/* Emits the format of the only event and keeps its id in o->own. */
enum tdat_status gtsc_text_begin(struct relay_output *o, struct tdat_error *err)
{
	const struct gtsc_setup *own = o->setup->own;
	uint16_t *id = malloc(sizeof(*id));

	o->own = id;
	if (!id)
		return tdat_error_no_memory(err, "a format");
	if (own->as_print)
		return relay_format_print(o->emit, id, err);
	if (own->atrace)
		return import_format_emit(import_formats_gtsc, "gtsc", "tracing_mark_write",
					  o->emit, id, err);
	return emit_named(o, id, err);
}

void gtsc_text_close_output(struct relay_output *o)
{
	free(o->own);
}

/* Number in the first group of --pid-regex; 0: no match, or it is not a pid. */
static int32_t pid_of(const regex_t *regex, struct tdat_span text)
{
	char buf[RELAY_PAYLOAD_MAX + 1];
	regmatch_t m[2];
	uint64_t pid;

	if (!regex)
		return 0;
	/* regexec() needs a NUL behind the text, which ends at the first NUL for it. */
	memcpy(buf, text.ptr ? (const char *)text.ptr : "", text.len);
	buf[text.len] = '\0';
	if (regexec(regex, buf, 2, m, 0) || m[1].rm_so < 0)
		return 0;
	if (tdat_read_digits(buf + m[1].rm_so, buf + m[1].rm_eo, 10, &pid) != buf + m[1].rm_eo)
		return 0;
	return pid > INT32_MAX ? 0 : (int32_t)pid;
}

/*
 * Emits the usual event without a build: common fields, the __data_loc of the text, the text and
 * its NUL.
 */
static enum tdat_status give_text(struct relay_output *o, uint16_t id,
				  const struct import_merge_record *rec, struct tdat_error *err)
{
	enum { TEXT_OFF = IMPORT_COMMON_LEN + 4 };
	const struct tdat_span text = rec->data;
	const bool big = o->setup->big;
	enum tdat_status st;
	uint8_t *p = relay_output_room(o, TEXT_OFF + text.len + 1, &st, err);

	if (!p)
		return st;
	memset(p, 0, TEXT_OFF);
	tdat_store16(p, id, big);
	tdat_store32(p + IMPORT_COMMON_LEN, (uint32_t)(text.len + 1) << 16 | TEXT_OFF, big);
	memcpy(p + TEXT_OFF, text.ptr, text.len);
	p[TEXT_OFF + text.len] = 0;
	return relay_output_give(o, rec, TEXT_OFF + text.len + 1, err);
}

/* Emits the event of a text record; text is at most RELAY_PAYLOAD_MAX bytes. */
enum tdat_status gtsc_text_record(struct relay_output *o, const struct import_merge_record *rec,
				  struct tdat_error *err)
{
	const struct gtsc_setup *own = o->setup->own;
	const uint16_t *id = o->own;
	struct tdat_build *b = &o->payload;
	struct tdat_span text = rec->data;

	if (!own->as_print && !own->pid_regex && text.len && text.len <= RELAY_PAYLOAD_MAX)
		return give_text(o, *id, rec, err);
	import_record_begin(b, *id, pid_of(own->pid_regex, text));
	if (own->as_print) {
		/* Ftrace:print has the caller's address before its text; none was recorded. */
		tdat_build_u64(b, 0);
		tdat_build_bytes(b, text.ptr, text.len);
		tdat_build_u8(b, 0);
	} else {
		size_t at = import_record_loc(b);

		import_record_string(b, at, text.ptr, text.len);
	}
	return relay_output_send(o, rec, err);
}
