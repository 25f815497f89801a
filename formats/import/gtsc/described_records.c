/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads binary records as the user describes them, and makes an event type of each description.
 * A description (--record) gives fields by C type; the first field that is a constant tells
 * types apart. Each description becomes an event type with these fields. Types are searched
 * linearly for each record: records x arguments.
 */
#include "gtsc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/user_events.h>

#include "core/text.h"
#include "core/endian.h"
#include "import/importer_options.h"
#include "import/record.h"

/* Bytes of a description, with the NUL; the limit of user_events. */
enum { COMMAND_CAP = TDAT_USER_COMMAND_MAX + 1 };

/* Description of one kind of record. */
struct record_type {
	struct tdat_user_event *event;
	size_t len;			    /* of a record */
	const struct tdat_user_field *time; /* NULL: records are numbered */
	const struct tdat_user_field *pid;  /* NULL: unknown */
	uint64_t value;			    /* of the discriminator */
	uint16_t id;
};

/* All descriptions of a request. */
struct gtsc_record_types {
	struct record_type *types;
	size_t count;
	const struct tdat_user_field *which; /* the discriminator; NULL: there is one type */
	/* Some type has a time field. */
	bool timed;
};

void gtsc_record_types_free(struct gtsc_record_types *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->count; i++)
		tdat_user_event_free(t->types[i].event);
	free(t->types);
	free(t);
}

/* Field of a name; NULL: there is none, or no name. */
static const struct tdat_user_field *find_field(const struct tdat_user_event *e, const char *name)
{
	const struct tdat_user_field *f;

	for (size_t i = 0; name && (f = tdat_user_event_field(e, i)); i++)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

/* True for fields whose value can be a time, a pid or a discriminator. */
static bool is_number(const struct tdat_user_field *f)
{
	return f && f->loc == TDAT_USER_LOC_NONE && !strchr(f->type, '[') &&
	       (f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8) &&
	       strncmp(f->type, "struct ", 7);
}

/*
 * Turns "char comm[16]" of C into "char[16] comm", the order that user_events takes. Works in
 * place.
 */
static void move_brackets(char *s)
{
	for (char *piece = s; piece; piece = strchr(piece, ';')) {
		char *end, *name, *bracket, moved[COMMAND_CAP];
		size_t name_len, bracket_len;

		piece += *piece == ';';
		end = strchr(piece, ';');
		if (!end)
			end = piece + strlen(piece);
		while (end > piece && end[-1] == ' ')
			end--;
		if (end == piece || end[-1] != ']')
			continue;
		for (name = end; name > piece && name[-1] != ' ';)
			name--;
		bracket = memchr(name, '[', (size_t)(end - name));
		if (name == piece || !bracket || bracket == name)
			continue;
		name_len = (size_t)(bracket - name);
		bracket_len = (size_t)(end - bracket);
		/*
		 * " name[n]" and "[n] name" have equal length, so the text can be replaced in
		 * place.
		 */
		memcpy(moved, bracket, bracket_len);
		moved[bracket_len] = ' ';
		memcpy(moved + bracket_len + 1, name, name_len);
		memcpy(name - 1, moved, bracket_len + 1 + name_len);
	}
}

/* Takes "7:" off "7:fork u64 ts". False: there is no number with a colon. */
static bool take_value(const char **text, uint64_t *value)
{
	const char *colon = strchr(*text, ':');
	char number[32];

	if (!colon || (size_t)(colon - *text) >= sizeof(number))
		return false;
	memcpy(number, *text, (size_t)(colon - *text));
	number[colon - *text] = '\0';
	if (!tdat_whole_size(number, value))
		return false;
	*text = colon + 1;
	return true;
}

static enum tdat_status bad(struct tdat_error *err, const char *text, const char *why)
{
	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET, "option \"record\" is \"%s\": %s",
			      text, why);
}

/*
 * Parses one --record. valued: a discriminator is named, so each description begins with its value.
 */
static enum tdat_status parse_type(struct record_type *t, const char *text, bool valued,
				   struct tdat_error *err)
{
	const char *command = text;
	struct tdat_error why = TDAT_ERROR_INIT;
	const struct tdat_user_field *f;
	char moved[COMMAND_CAP];

	if (valued != take_value(&command, &t->value))
		return bad(err, text,
			   valued ? "with a discriminator, it starts with a value: \"7:fork u32 "
				    "kind; u64 ts\""
				  : "a value needs the option \"discriminator\"");
	if (strlen(command) >= sizeof(moved))
		return bad(err, text, "it has more than 511 bytes");
	strcpy(moved, command);
	move_brackets(moved);
	if (tdat_user_event_parse(&t->event, moved, &why) != TDAT_OK)
		return bad(err, text, why.message);
	if (!tdat_user_event_min_size(t->event))
		return bad(err, text, "a record needs a field");
	if (tdat_user_event_min_size(t->event) > RELAY_PAYLOAD_MAX)
		return bad(err, text, "it has more bytes than an event can have");
	/*
	 * user_events puts strings and dynamic arrays behind the fixed fields; a record of C has
	 * none.
	 */
	for (size_t i = 0; (f = tdat_user_event_field(t->event, i)); i++)
		if (f->loc != TDAT_USER_LOC_NONE)
			return bad(err, text, "fields after the record are not supported");
	return TDAT_OK;
}

/*
 * Finds the field that the user named (an error if it is not a number), or one of the usual names.
 * *out NULL: there is none.
 */
static enum tdat_status pick_field(const struct record_type *t, const char *given,
				   const char *const *usual, const char *option,
				   const struct tdat_user_field **out, struct tdat_error *err)
{
	*out = find_field(t->event, given);
	if (given && is_number(*out))
		return TDAT_OK;
	if (given)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "option \"%s\" is \"%s\", but %s has no such number", option,
				      given, tdat_user_event_name(t->event));
	for (; !*out && *usual; usual++)
		*out = find_field(t->event, *usual);
	if (!is_number(*out))
		*out = NULL;
	return TDAT_OK;
}

/*
 * Finds the fields of a type that have a meaning. The discriminator must be at one place in all
 * types, since it is read before the type is known.
 */
static enum tdat_status pick_fields(struct gtsc_record_types *all, struct record_type *t,
				    const struct tdat_import_request *request,
				    struct tdat_error *err)
{
	static const char *const times[] = {"ts", "time", "timestamp", "time_ns", NULL};
	static const char *const pids[] = {"pid", NULL};
	static const char *const none[] = {NULL};
	const char *given = import_option_find(request, "discriminator");
	const struct tdat_user_field *which;
	enum tdat_status st;

	st = pick_field(t, import_option_find(request, "time-field"), times, "time-field", &t->time,
			err);
	if (st == TDAT_OK)
		st = pick_field(t, import_option_find(request, "pid-field"), pids, "pid-field",
				&t->pid, err);
	if (st == TDAT_OK)
		st = pick_field(t, given, none, "discriminator", &which, err);
	if (st != TDAT_OK)
		return st;
	all->timed = all->timed || t->time;
	if (!all->which)
		all->which = which;
	if (given && (which->off != all->which->off || which->size != all->which->size))
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the discriminator %s of %s has %" PRIu32
				      " bytes at offset %" PRIu32
				      ", but earlier records have it with %" PRIu32 " at %" PRIu32,
				      given, tdat_user_event_name(t->event), which->size,
				      which->off - TDAT_USER_COMMON_LEN, all->which->size,
				      all->which->off - TDAT_USER_COMMON_LEN);
	return TDAT_OK;
}

/* Refuses a type with a value or name that an earlier one has. */
static enum tdat_status check_doubles(const struct gtsc_record_types *all,
				      const struct record_type *t, struct tdat_error *err)
{
	for (const struct record_type *other = all->types; other < t; other++) {
		if (other->value == t->value)
			return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					      "records %s and %s have the same value %" PRIu64,
					      tdat_user_event_name(other->event),
					      tdat_user_event_name(t->event), t->value);
		if (!strcmp(tdat_user_event_name(other->event), tdat_user_event_name(t->event)))
			return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					      "two records are named %s",
					      tdat_user_event_name(t->event));
	}
	return TDAT_OK;
}

/* Parses all --record options. *out must be freed also on failure. */
enum tdat_status gtsc_record_types_new(struct gtsc_record_types **out,
				       const struct tdat_import_request *request,
				       struct tdat_error *err)
{
	bool valued = import_option_find(request, "discriminator") != NULL;
	struct gtsc_record_types *all = calloc(1, sizeof(*all));
	enum tdat_status st = TDAT_OK;

	*out = all;
	if (all)
		all->types = calloc(request->option_count + 1, sizeof(*all->types));
	if (!all || !all->types)
		return tdat_error_no_memory(err, "records");
	for (size_t i = 0; i < request->option_count && st == TDAT_OK; i++) {
		struct record_type *t = &all->types[all->count];

		if (strcmp(request->options[i].key, "record") != 0)
			continue;
		if (all->count && !valued)
			return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					      "several records need the option \"discriminator\"");
		all->count++;
		st = parse_type(t, request->options[i].value, valued, err);
		if (st == TDAT_OK)
			st = pick_fields(all, t, request, err);
		if (st == TDAT_OK)
			t->len = tdat_user_event_min_size(t->event);
		if (st == TDAT_OK)
			st = check_doubles(all, t, err);
	}
	return st;
}

/* ---- reading ---- */

static struct gtsc_record_types *types_of(const struct relay_setup *s)
{
	return ((const struct gtsc_setup *)s->own)->types;
}

/*
 * Value of a field. Offsets of user_events count from the event's start; a record lacks the common
 * fields.
 */
static uint64_t load(const struct tdat_user_field *f, const uint8_t *data, bool big)
{
	return tdat_load_uint(data + f->off - TDAT_USER_COMMON_LEN, f->size, big);
}

/* Type of the record at data; NULL: no description has its value. */
static const struct record_type *type_of(const struct gtsc_record_types *all, const uint8_t *data,
					 bool big)
{
	uint64_t value;

	if (!all->which)
		return &all->types[0];
	value = load(all->which, data, big);
	for (size_t i = 0; i < all->count; i++)
		if (all->types[i].value == value)
			return &all->types[i];
	return NULL;
}

/*
 * Handles bytes that are less than a record: unused rest of a sub-buffer (*again: go on with the
 * next one), or the end of a cut file.
 */
static enum tdat_status left_over(struct relay_reader *r, uint64_t left, bool *again,
				  struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	*again = r->setup->geometry.sub_len && r->setup->geometry.padding != RELAY_PAD_COUNT;
	if (*again) {
		r->off = r->chunk.end;
		return TDAT_OK;
	}
	if (r->emit)
		st = tdat_emit_warnf(r->emit, r->file->name, r->off, err,
				     "%" PRIu64 " trailing bytes at %" PRIu64
				     " do not hold a record",
				     left, r->off);
	return relay_reader_stop(r, st);
}

/*
 * Sets the key of a record. Records without a time field take the time before them, or are numbered
 * if no type has a time.
 */
static void set_key(struct relay_reader *r, const struct record_type *t, const uint8_t *data,
		    struct import_merge_record *out)
{
	uint64_t v;

	if (!t->time) {
		out->key = types_of(r->setup)->timed ? r->key : ++r->key;
		return;
	}
	v = load(t->time, data, r->setup->big);
	/* Extend the sign of a narrow field. */
	if (t->time->is_signed && t->time->size < 8) {
		unsigned int shift = 64 - 8 * t->time->size;

		v = (uint64_t)((int64_t)(v << shift) >> shift);
	} else if (!t->time->is_signed && v > INT64_MAX) {
		r->clamped++;
		v = INT64_MAX;
	}
	r->clamped += !gtsc_scale(r->setup->own, (int64_t)v, &out->key);
	r->key = out->key;
}

/* Next record of the file; see struct relay_kind for the contract. */
static enum tdat_status record_next(struct relay_reader *r, struct import_merge_record *out,
				    struct tdat_error *err)
{
	const struct gtsc_record_types *all = types_of(r->setup);
	/* Bytes that tell the type. */
	size_t need = all->which ? all->which->off - TDAT_USER_COMMON_LEN + all->which->size : 0;
	const struct record_type *t = NULL;
	const uint8_t *p = NULL;
	enum tdat_status st;
	uint64_t left;
	bool again;

	do {
		again = false;
		st = relay_reader_chunk(r, err);
		if (st != TDAT_OK)
			return st;
		if (relay_reader_skip_zeros(r)) {
			again = true;
			continue;
		}
		left = r->chunk.end - r->off;
		if (left >= need) {
			p = relay_reader_get(r, need, err);
			if (!p)
				return relay_reader_status(r);
			t = type_of(all, p, r->setup->big);
		}
		if (left < need || (t && left < t->len))
			st = left_over(r, left, &again, err);
	} while (again && st == TDAT_OK);
	if (st != TDAT_OK)
		return st;
	/* The length of an unknown record is unknown, so the file ends here. */
	if (!t) {
		if (r->emit)
			st = tdat_emit_warnf(r->emit, r->file->name, r->off, err,
					     "record at %" PRIu64 " has %s %" PRIu64
					     ", which is none of the records, stopping",
					     r->off, all->which->name,
					     load(all->which, p, r->setup->big));
		return relay_reader_stop(r, st);
	}
	out->data.len = t->len;
	out->data.ptr = relay_reader_get(r, out->data.len, err);
	if (!out->data.ptr)
		return relay_reader_status(r);
	r->off += out->data.len;
	set_key(r, t, out->data.ptr, out);
	return TDAT_OK;
}

/*
 * Takes the records in the window, if there is one type and times need no second check. It does the
 * same as record_next() (tests/unit/formats/test_import_threads.c compares). A time that is not 0
 * shows that the sub-buffer's rest is not all zeros.
 */
static inline size_t take_usual(struct relay_reader *r, const struct record_type *t,
				struct import_merge_record *out, size_t max, const uint32_t size)
{
	const uint32_t time_off = t->time->off - TDAT_USER_COMMON_LEN;
	/* Largest time that needs no sign and no cut. */
	const uint64_t most = UINT64_MAX >> (64 - 8 * size + (t->time->is_signed || size == 8));
	const bool big = r->setup->big;
	const uint8_t *p = NULL;
	size_t room = relay_reader_in_window(r, &p), n = 0;

	for (; n < max && room >= t->len; n++) {
		const uint64_t v = tdat_load_uint(p + time_off, size, big);

		/* Leave signed times, and those that must be cut, to record_next(). */
		if (!v || v > most || !gtsc_scale(r->setup->own, (int64_t)v, &out[n].key))
			break;
		out[n].cpu = r->file->cpu;
		out[n].lost_before = 0;
		out[n].data = (struct tdat_span){p, t->len};
		p += t->len;
		room -= t->len;
	}
	if (n) {
		r->off += n * t->len;
		r->key = out[n - 1].key;
	}
	return n;
}

/* Batch function. Constant sizes let the compiler make a load out of each tdat_load_uint(). */
static size_t record_batch(struct relay_reader *r, struct import_merge_record *out, size_t max)
{
	const struct gtsc_record_types *all = types_of(r->setup);
	const struct record_type *t = &all->types[0];

	if (all->which || !t->time)
		return 0;
	if (t->time->size == 8)
		return take_usual(r, t, out, max, 8);
	return t->time->size == 4 ? take_usual(r, t, out, max, 4) : 0;
}

/* ---- events ---- */

/* Emits the format of each description and notes its id. */
static enum tdat_status record_begin(struct relay_output *o, struct tdat_error *err)
{
	const struct gtsc_setup *own = o->setup->own;
	struct gtsc_record_types *all = own->types;
	enum tdat_status st = TDAT_OK;
	char system[GTSC_NAME_CAP];

	gtsc_clean_name(own->system, strlen(own->system), system);
	for (size_t i = 0; i < all->count && st == TDAT_OK; i++) {
		const struct tdat_user_event *e = all->types[i].event;
		size_t len = tdat_user_event_format(e, 0, NULL, 0);
		char *text = malloc(len + 1);

		if (!text)
			return tdat_error_no_memory(err, "a format");
		tdat_user_event_format(e, 0, text, len + 1);
		st = tdat_emit_format(o->emit, system, text, len, &all->types[i].id, err);
		free(text);
	}
	return st;
}

/* Emits a record: common fields, then its bytes unchanged, as the format describes them. */
static enum tdat_status record_event(struct relay_output *o, const struct import_merge_record *rec,
				     struct tdat_error *err)
{
	bool big = o->setup->big;
	const struct record_type *t = type_of(types_of(o->setup), rec->data.ptr, big);
	int32_t pid = t->pid ? (int32_t)load(t->pid, rec->data.ptr, big) : 0;
	const size_t len = IMPORT_COMMON_LEN + rec->data.len;
	enum tdat_status st;
	uint8_t *p = relay_output_room(o, len, &st, err);

	if (!p)
		return st;
	tdat_store32(p, 0, big); /* common_flags and common_preempt_count */
	tdat_store16(p, t->id, big);
	tdat_store32(p + 4, (uint32_t)pid, big);
	memcpy(p + IMPORT_COMMON_LEN, rec->data.ptr, rec->data.len);
	return relay_output_give(o, rec, len, err);
}

/* Clock of the trace, by the unit of time that the options name. */
static const char *record_clock(const struct relay_setup *s)
{
	const struct gtsc_setup *own = s->own;

	if (!own->types->timed)
		return "counter";
	return own->unit == GTSC_TSC && !own->hz ? "x86-tsc" : "local";
}

const struct relay_kind gtsc_record_kind = {
	.importer = "gtsc",
	.keep_zeros = true,
	.by_cpu = true,
	.next = record_next,
	.batch = record_batch,
	.clock = record_clock,
	.begin = record_begin,
	.record = record_event,
};
