/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes the file "metadata", which describes clock, streams and event types in the language TSDL.
 * Source: "The Common Trace Format" 1.8.3; the shapes of headers and names of the environment
 * are those of LTTng's kernel tracer, since its readers look for them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "core/search.h"
#include "core/text.h"
#include "core/utf8.h"
#include "ctf.h"

/* Bytes of metadata that are written at once. */
enum { PIECE = 256 * 1024 };

static const char *order(bool big)
{
	return big ? "be" : "le";
}

/* Writes text in quotes. Characters that are not visible become question marks. */
static void put_string(struct tdat_build *b, const void *text, size_t len)
{
	const uint8_t *p = text;
	size_t n;

	tdat_build_u8(b, '"');
	for (; len; p += n, len -= n) {
		uint32_t code;

		n = tdat_utf8_len(p, len, &code);
		if (!n)
			tdat_build_str(b, "\xef\xbf\xbd");
		else if (tdat_utf8_is_hidden(code))
			tdat_build_u8(b, '?');
		else if (code == '"' || code == '\\')
			tdat_build_printf(b, "\\%c", (char)code);
		else
			tdat_build_bytes(b, p, n);
		n = n ? n : 1;
	}
	tdat_build_u8(b, '"');
}

/* Writes an integer type. Alignment of 8 bits means: none within bytes. */
static void put_int(struct tdat_build *b, unsigned bits, bool is_signed, unsigned base, bool big)
{
	tdat_build_printf(b,
			  "integer { size = %u; align = 8; signed = %d; base = %u; "
			  "byte_order = %s; }",
			  bits, is_signed, base, order(big));
}

/* ---- the trace ---- */

/* Writes the trace's block: version, uuid and packet header. */
static void put_trace(struct tdat_build *b, const struct ctf_state *s)
{
	const bool big = s->inputs[0].big;
	const uint8_t *u = s->uuid;

	tdat_build_printf(
		b,
		"/* CTF 1.8 */\n\ntrace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = \""
		"%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x\";\n",
		u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12],
		u[13], u[14], u[15]);
	tdat_build_printf(b, "\tbyte_order = %s;\n\tpacket.header := struct {\n\t\t", order(big));
	put_int(b, 32, false, 16, big);
	tdat_build_str(b, " magic;\n\t\t");
	put_int(b, 8, false, 10, big);
	tdat_build_str(b, " uuid[16];\n\t\t");
	put_int(b, 32, false, 10, big);
	tdat_build_str(b, " stream_id;\n\t};\n};\n\n");
}

/* Returns uname's text, as in "Linux host 6.1.0 #1 SMP ... x86_64", without its end of line. */
static struct tdat_span uname_text(const struct tdat_file *file)
{
	const struct tdat_file_option *o = tdat_file_option_by_id(file, TDAT_OPTION_UNAME);
	struct tdat_span text = o ? o->data : (struct tdat_span){NULL, 0};

	if (text.len)
		text.len = strnlen((const char *)text.ptr, text.len);
	while (text.len && (text.ptr[text.len - 1] == '\n' || text.ptr[text.len - 1] == ' '))
		text.len--;
	return text;
}

/* Last word of uname's text, which names the system call table. */
struct tdat_span ctf_machine(const struct tdat_file *file)
{
	const struct tdat_span text = uname_text(file);
	size_t from = text.len;

	while (from && text.ptr[from - 1] != ' ' && text.ptr[from - 1] != '\n')
		from--;
	return (struct tdat_span){text.ptr + from, text.len - from};
}

/* Writes a variable of the environment, unless it is empty. */
static void put_env(struct tdat_build *b, const char *key, struct tdat_span value)
{
	if (!value.len)
		return;
	tdat_build_printf(b, "\t%s = ", key);
	put_string(b, value.ptr, value.len);
	tdat_build_str(b, ";\n");
}

/* Takes uname's text apart: sysname, hostname, release, version (which has blanks), machine. */
static void put_system(struct tdat_build *b, const struct tdat_file *file)
{
	const struct tdat_span uname = uname_text(file), machine = ctf_machine(file);
	const struct tdat_span release = tdat_word(uname, 2);
	struct tdat_span text = {release.ptr + release.len, 0};

	text.len = (size_t)(uname.ptr + uname.len - text.ptr);
	put_env(b, "sysname", tdat_word(uname, 0));
	put_env(b, "hostname", tdat_word(uname, 1));
	put_env(b, "kernel_release", release);
	tdat_take_blanks(&text);
	if (text.len > machine.len)
		put_env(b, "kernel_version",
			(struct tdat_span){text.ptr, text.len - machine.len - 1});
	put_env(b, "architecture", machine);
}

/* Writes the environment. With several inputs, the first one's system is described. */
static void put_environment(struct tdat_build *b, const struct ctf_state *s)
{
	tdat_build_str(b, "env {\n");
	put_system(b, s->inputs[0].file);
	if (s->names == CTF_NAMES_LTTNG) {
		/* Readers take the names of events and fields from these. */
		tdat_build_str(b, "\tdomain = \"kernel\";\n\ttracer_name = \"lttng-modules\";\n"
				  "\ttracer_major = 2;\n\ttracer_minor = 13;\n"
				  "\ttracer_patchlevel = 0;\n");
	} else {
		tdat_build_str(b, "\ttracer_name = \"ftrace\";\n");
	}
	tdat_build_printf(b, "\tarchitecture_bit_width = %u;\n",
			  8u * tdat_file_info(s->inputs[0].file)->kernel_long_size);
	put_env(b, "tdat_version", tdat_span_of(tdat_version()));
	for (size_t i = 0; i < s->input_count && s->input_count > 1; i++) {
		char key[40];

		snprintf(key, sizeof(key), "tdat_stream_%zu_file", i);
		put_env(b, key, tdat_span_of(tdat_file_info(s->inputs[i].file)->name));
	}
	tdat_build_str(b, "};\n\n");
}

/* Writes the clock. Ticks are described as ticks, since readers show them as nanoseconds. */
static void put_clock(struct tdat_build *b, const struct ctf_state *s)
{
	const int64_t off = (int64_t)s->clock_offset;
	int64_t seconds = off / 1000000000, rest = off % 1000000000;
	const struct tdat_buffer *buffers;
	char text[200];
	size_t count;

	/* A clock's offset must not be negative: take a second more. */
	if (rest < 0) {
		rest += 1000000000;
		seconds--;
	}
	buffers = tdat_file_buffers(s->inputs[0].file, &count);
	snprintf(text, sizeof(text), "clock of ftrace: %s, %s",
		 count && *buffers[0].clock ? buffers[0].clock : "not named",
		 tdat_file_shows_seconds(s->inputs[0].file) ? "nanoseconds"
							    : "ticks, shown as nanoseconds");
	tdat_build_str(b, "clock {\n\tname = \"monotonic\";\n\tdescription = ");
	put_string(b, text, strlen(text));
	tdat_build_printf(b,
			  ";\n\tfreq = 1000000000;\n\toffset_s = %" PRId64 ";\n\toffset = %" PRId64
			  ";\n\tabsolute = %s;\n};\n\n",
			  seconds, rest, s->wall ? "true" : "false");
}

/* ---- streams ---- */

/* Writes an integer type whose values are times of the clock. */
static void put_time(struct tdat_build *b, unsigned bits, unsigned align, bool big,
		     const char *name)
{
	tdat_build_printf(b,
			  "integer { size = %u; align = %u; signed = 0; byte_order = %s; "
			  "map = clock.monotonic.value; } %s;\n",
			  bits, align, order(big), name);
}

/*
 * Writes the header of events: LTTng's compact or large one, which put_header() in stream.c fills.
 */
static void put_event_header(struct tdat_build *b, const struct ctf_input *in)
{
	const unsigned bits = in->compact ? 5 : 16, most = in->compact ? 31 : 65535;
	const unsigned align = in->compact ? 1 : 8;

	tdat_build_printf(b,
			  "\tevent.header := struct {\n\t\tenum : integer { size = %u; align = %u; "
			  "signed = 0; byte_order = %s; } {\n"
			  "\t\t\tcompact = 0 ... %u,\n\t\t\textended = %u\n\t\t} id;\n"
			  "\t\tvariant <id> {\n\t\t\tstruct {\n\t\t\t\t",
			  bits, align, order(in->big), most - 1, most);
	put_time(b, 32 - (in->compact ? 5 : 0), align, in->big, "timestamp");
	tdat_build_str(b, "\t\t\t} compact;\n\t\t\tstruct {\n\t\t\t\t");
	put_int(b, 32, false, 10, in->big);
	tdat_build_str(b, " id;\n\t\t\t\t");
	put_time(b, 64, 8, in->big, "timestamp");
	tdat_build_str(b, "\t\t\t} extended;\n\t\t} v;\n\t} align(8);\n");
}

/* Writes the packet context, in the order of packet_begin() in stream.c. */
static void put_packet_context(struct tdat_build *b, bool big)
{
	static const char *const names[] = {"content_size", "packet_size", "packet_seq_num",
					    "events_discarded"};

	tdat_build_str(b, "\tpacket.context := struct {\n\t\t");
	put_time(b, 64, 8, big, "timestamp_begin");
	tdat_build_str(b, "\t\t");
	put_time(b, 64, 8, big, "timestamp_end");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		tdat_build_str(b, "\t\t");
		put_int(b, 64, false, 10, big);
		tdat_build_printf(b, " %s;\n", names[i]);
	}
	tdat_build_str(b, "\t\t");
	put_int(b, 32, false, 10, big);
	tdat_build_str(b, " cpu_id;\n\t\tstring _buffer;\n\t};\n");
}

/* Writes the context of each event: thread, its name, flags and preempt count. */
static void put_event_context(struct tdat_build *b, const struct ctf_state *s, bool big)
{
	const bool lttng = s->names == CTF_NAMES_LTTNG;

	tdat_build_str(b, "\tevent.context := struct {\n\t\t");
	put_int(b, 32, true, 10, big);
	tdat_build_printf(b, " _%s;\n\t\tstring _%s;\n\t\t", lttng ? "tid" : "common_pid",
			  lttng ? "procname" : "comm");
	put_int(b, 8, false, 16, big);
	tdat_build_str(b, " _common_flags;\n\t\t");
	put_int(b, 8, false, 10, big);
	tdat_build_str(b, " _common_preempt_count;\n\t};\n");
}

/* Writes the stream class of an input. */
static void put_stream(struct tdat_build *b, const struct ctf_state *s, size_t input)
{
	const struct ctf_input *in = &s->inputs[input];

	tdat_build_printf(b, "stream {\n\tid = %zu;\n", input);
	put_event_header(b, in);
	put_packet_context(b, in->big);
	put_event_context(b, s, in->big);
	tdat_build_str(b, "};\n\n");
}

/* ---- fields ---- */

/*
 * Returns a copy of a name in which characters that TSDL does not allow are "_". NULL: no memory.
 */
static char *plain_name(const char *name)
{
	char *copy = strdup(*name ? name : "_");

	for (char *p = copy; p && *p; p++)
		if (!tdat_is_alnum((uint8_t)*p))
			*p = '_';
	return copy;
}

/*
 * True if two of the names, or of the names with suffixes that are made of them, are equal; also
 * without memory, since numbered names are always right.
 */
static bool any_twice(char *const *names, size_t count)
{
	static const char *const suffixes[] = {"", "_length", "_has"};
	const size_t all = 3 * count;
	char **list = calloc(all + 1, sizeof(*list));
	bool twice = !list;

	for (size_t i = 0; list && i < all; i++) {
		const char *suffix = suffixes[i % 3];
		const size_t len = strlen(names[i / 3]) + strlen(suffix) + 2;

		list[i] = malloc(len);
		if (!list[i]) {
			twice = true;
			break;
		}
		/* Members get the prefix "_", helpers two of them. */
		snprintf(list[i], len, "%s%s%s", *suffix ? "_" : "", names[i / 3], suffix);
	}
	if (!twice)
		qsort(list, all, sizeof(*list), tdat_by_text);
	for (size_t i = 1; !twice && i < all; i++)
		twice = !strcmp(list[i - 1], list[i]);
	for (size_t i = 0; list && i < all; i++)
		free(list[i]);
	free(list);
	return twice;
}

static void free_names(char **names, size_t count)
{
	for (size_t i = 0; names && i < count; i++)
		free(names[i]);
	free(names);
}

/*
 * Returns names for the fields of an event type. If two become equal, all get numbers. NULL: no
 * memory.
 */
static char **field_names(const struct ctf_state *s, const struct ctf_class *c)
{
	char **names = calloc(c->field_count + 1, sizeof(*names));
	bool ok = names;

	for (size_t i = 0; ok && i < c->field_count; i++) {
		names[i] = plain_name(ctf_field_name(c->list[c->fields[i]].field, s->names));
		ok = names[i];
	}
	if (ok && any_twice(names, c->field_count)) {
		for (size_t i = 0; ok && i < c->field_count; i++) {
			const size_t len = strlen(names[i]) + 32;
			char *numbered = malloc(len);

			ok = numbered;
			if (!ok)
				break;
			snprintf(numbered, len, "f%zu_%s", i, names[i]);
			free(names[i]);
			names[i] = numbered;
		}
	}
	if (ok)
		return names;
	free_names(names, c->field_count);
	return NULL;
}

/* Changes the number of a name to the width and sign of its field. False: it does not fit. */
static bool fit_value(const struct tdat_field_type *type, uint64_t *value)
{
	const unsigned unused = 64 - 8u * type->len;
	const uint64_t low = *value << unused >> unused;
	const uint64_t wide = (uint64_t)((int64_t)(*value << unused) >> unused);

	if (*value != low && *value != wide)
		return false;
	*value = type->is_signed ? wide : low;
	return true;
}

/* Writes an enum type: numbers with the names from the print fmt. */
static void put_enum(struct tdat_build *b, const struct tdat_field_type *type, bool big)
{
	bool first = true;

	tdat_build_str(b, "enum : ");
	put_int(b, 8u * type->len, type->is_signed, type->hex ? 16 : 10, big);
	tdat_build_str(b, " { ");
	for (size_t i = 0; i < type->name_count; i++) {
		uint64_t v = type->names[i].value;

		if (!fit_value(type, &v))
			continue;
		tdat_build_str(b, first ? "" : ", ");
		first = false;
		put_string(b, type->names[i].text, strlen(type->names[i].text));
		tdat_build_str(b, " = ");
		tdat_number_int(b, v, type->is_signed);
	}
	tdat_build_str(b, " }");
}

/* True if a name fits the field: an enum needs one member. */
static bool has_enum(const struct tdat_field_type *type)
{
	for (size_t i = 0; i < type->name_count; i++) {
		uint64_t v = type->names[i].value;

		if (fit_value(type, &v))
			return true;
	}
	return false;
}

/* Writes a member of an event. Dynamic arrays and bit lists have a length before them. */
static void put_member(struct tdat_build *b, const struct tdat_field_type *type, bool big,
		       const char *name)
{
	const unsigned base = type->hex || type->kind == TDAT_VALUE_BYTES ? 16 : 10;

	if (type->kind == TDAT_VALUE_TEXT) {
		tdat_build_printf(b, "string _%s;\n", name);
		return;
	}
	if (type->kind == TDAT_VALUE_INT || type->kind == TDAT_VALUE_BOOL) {
		if (has_enum(type))
			put_enum(b, type, big);
		else
			put_int(b, 8u * type->len, type->is_signed, base, big);
		tdat_build_printf(b, " _%s;\n", name);
		return;
	}
	if (!type->fixed || type->kind == TDAT_VALUE_BITS) {
		put_int(b, 32, false, 10, big);
		tdat_build_printf(b, " __%s_length;\n\t\t", name);
	}
	put_int(b, type->kind == TDAT_VALUE_BITS ? 32 : 8u * type->len, type->is_signed, base, big);
	if (!type->fixed || type->kind == TDAT_VALUE_BITS)
		tdat_build_printf(b, " _%s[ __%s_length ];\n", name, name);
	else
		tdat_build_printf(b, " _%s[%u];\n", name, type->field->len / type->len);
}

/*
 * Writes a field. In partial events each is a variant behind a byte that says if it is there
 * (put_partial() in encode.c).
 */
static void put_field(struct tdat_build *b, const struct tdat_field_type *type, bool partial,
		      bool big, const char *name)
{
	tdat_build_str(b, "\t\t");
	if (!partial) {
		put_member(b, type, big, name);
		return;
	}
	tdat_build_printf(b,
			  "enum : integer { size = 8; align = 8; signed = 0; } { none = 0, "
			  "some = 1 } __%s_has;\n\t\tvariant <__%s_has> {\n"
			  "\t\tstruct { } none;\n\t\tstruct {\n\t\t",
			  name, name);
	put_member(b, type, big, "value");
	tdat_build_printf(b, "\t\t} some;\n\t\t} _%s;\n", name);
}

/* ---- event types ---- */

/* Writes the fields of events that their file does not describe. */
static void put_unknown(struct tdat_build *b, bool big)
{
	tdat_build_str(b, "\t\t");
	put_int(b, 32, false, 10, big);
	tdat_build_str(b, " _id;\n\t\t");
	put_int(b, 32, false, 10, big);
	tdat_build_str(b, " __record_length;\n\t\t");
	put_int(b, 8, false, 16, big);
	tdat_build_str(b, " _record[ __record_length ];\n");
}

/* Writes the name of an event class. */
static void put_event_name(struct tdat_build *b, const struct ctf_state *s,
			   const struct ctf_input *in, const struct ctf_used *used,
			   const struct ctf_class *c)
{
	struct tdat_build name;

	tdat_build_init(&name, false);
	if (c)
		ctf_event_name(&name, c->format, s->names,
			       tdat_syscall_name(in->calls, used->call));
	else
		tdat_build_str(&name, "unknown_event");
	put_string(b, name.ptr, name.len);
	b->failed |= name.failed;
	tdat_build_fini(&name);
}

/* Writes an event class. The class is made again, as threads had their own. */
static enum tdat_status put_event(struct tdat_build *b, const struct ctf_state *s, size_t input,
				  size_t number, struct tdat_error *err)
{
	const struct ctf_input *in = &s->inputs[input];
	const struct ctf_used *used = &in->used[number];
	struct ctf_class *c = NULL;
	enum tdat_status st = TDAT_OK;
	char **names = NULL;

	if (used->shape != CTF_UNKNOWN)
		st = ctf_class_new(&c, s, input, used->id, err);
	if (st == TDAT_OK && c)
		names = field_names(s, c);
	if (st == TDAT_OK && c && !names)
		st = tdat_error_no_memory(err, "names of fields");
	if (st == TDAT_OK) {
		tdat_build_str(b, "event {\n\tname = ");
		put_event_name(b, s, in, used, c);
		tdat_build_printf(b, ";\n\tid = %zu;\n\tstream_id = %zu;\n\tfields := struct {\n",
				  number, input);
		if (!c)
			put_unknown(b, in->big);
		for (size_t i = 0; c && i < c->field_count; i++)
			put_field(b, &c->list[c->fields[i]], used->shape == CTF_PARTIAL, in->big,
				  names[i]);
		tdat_build_str(b, "\t};\n};\n\n");
	}
	if (c)
		free_names(names, c->field_count);
	ctf_class_free(c);
	return st;
}

/* Writes the text out if it has more than least bytes. */
static enum tdat_status write_out(const struct ctf_state *s, struct tdat_build *b, size_t least,
				  struct tdat_error *err)
{
	enum tdat_status st;

	if (b->failed)
		return tdat_error_no_memory(err, "metadata");
	if (b->len <= least)
		return TDAT_OK;
	st = s->output(s->output_ctx, "metadata", b->ptr, b->len, err);
	b->len = 0;
	return st;
}

/* Writes the file metadata: trace, environment, clock, and the streams with their event classes. */
enum tdat_status ctf_metadata(struct ctf_state *s, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	struct tdat_build b;

	tdat_build_init(&b, false);
	put_trace(&b, s);
	put_environment(&b, s);
	put_clock(&b, s);
	for (size_t i = 0; i < s->input_count && st == TDAT_OK; i++) {
		put_stream(&b, s, i);
		for (size_t k = 0; k < s->inputs[i].used_count && st == TDAT_OK; k++) {
			st = put_event(&b, s, i, k, err);
			if (st == TDAT_OK)
				st = write_out(s, &b, PIECE, err);
		}
	}
	if (st == TDAT_OK)
		st = write_out(s, &b, 0, err);
	tdat_build_fini(&b);
	return st;
}
