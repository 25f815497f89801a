/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps registered events as the kernel does, and takes writes to them:
 * docs/user-events.md §1, §5. It is the kernel's state machine without a kernel:
 * register, delete, enable and write return its errno. Events go to a tdat_emit with the time
 * that the caller gives. A registry belongs to one thread.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/build.h"
#include "core/grow.h"
#include "core/map.h"
#include "core/opts.h"
#include "core/text.h"
#include "event.h"

/* EVENTS_MAX: the kernel's default of user_events_max. IDS_MAX: ids have 16 bits, 0 is not used. */
enum {
	EVENTS_MAX = 32768,
	NAME_MAX_LEN = TDAT_USER_COMMAND_MAX + 16,
	IDS_MAX = 65535,
	UNDERSCORES_MAX = 4,
	SUFFIX_MAX = 20 /* these, a number and a NUL */
};

/* An event, also after it was deleted: records may still refer to its id. */
struct known {
	struct tdat_user_event *event;
	char *shown;	      /* name of the tracepoint: the event's, or with ".0" */
	char *written;	      /* the same, or made of words, as the format says it */
	uint32_t write_index; /* if it has one */
	uint16_t id;
	bool multi;
	bool enabled;
	bool indexed; /* has a write index */
};

/* A bit in the program's memory that follows whether an event is enabled. */
struct follower {
	void *enable;
	uint8_t bit;
	uint8_t size;
	uint32_t known;
};

/* The ways to find an event; each has a hash table. */
enum by {
	BY_NAME,    /* those that are not multi, by name */
	BY_FIELDS,  /* multi ones, by name and fields */
	BY_SHOWN,   /* multi ones, by the name of the tracepoint */
	BY_WRITTEN, /* by the name in the format */
	BY_COUNT
};

/*
 * The registry: state as the kernel would have it, and the tdat_emit that gets formats and events.
 */
struct tdat_user_events {
	const struct tdat_emit *emit;
	struct tdat_user_events_opts opts;
	struct known *known;
	uint32_t known_count;
	size_t known_cap;
	uint32_t live_count;
	uint32_t multi_count; /* with those that were deleted: numbers are not used again */
	uint32_t *indexes;    /* write index -> known */
	uint32_t index_count;
	size_t index_cap;
	struct follower *followers;
	size_t follower_count;
	size_t follower_cap;
	struct tdat_build record;
	struct tdat_hash_seed seed;
	struct tdat_map indexed[BY_COUNT]; /* of known */
	uint32_t next_suffix;		   /* of names in formats that are taken: rising */
};

/* *out must be freed even after a failure. */
enum tdat_status tdat_user_events_new(struct tdat_user_events **out, const struct tdat_emit *emit,
				      const struct tdat_user_events_opts *opts,
				      struct tdat_error *err)
{
	static const struct tdat_user_events_opts usual = TDAT_USER_EVENTS_OPTS_INIT;
	enum tdat_status st = tdat_emit_check(emit, err);
	struct tdat_user_events *ue = st == TDAT_OK ? calloc(1, sizeof(*ue)) : NULL;

	*out = ue;
	if (st != TDAT_OK)
		return st;
	if (!ue)
		return tdat_error_no_memory(err, "user events");
	ue->emit = emit;
	ue->seed = tdat_hash_seed();
	ue->opts = usual;
	tdat_opts_copy(&ue->opts, sizeof(ue->opts), opts);
	if (!ue->opts.max)
		ue->opts.max = EVENTS_MAX;
	tdat_build_init(&ue->record, ue->opts.big_endian);
	return TDAT_OK;
}

void tdat_user_events_free(struct tdat_user_events *ue)
{
	if (!ue)
		return;
	for (uint32_t i = 0; i < ue->known_count; i++) {
		tdat_user_event_free(ue->known[i].event);
		free(ue->known[i].shown);
		free(ue->known[i].written);
	}
	for (int i = 0; i < BY_COUNT; i++)
		tdat_map_fini(&ue->indexed[i]);
	tdat_build_fini(&ue->record);
	free(ue->known);
	free(ue->indexes);
	free(ue->followers);
	free(ue);
}

/* ---- events ---- */

/* Keyed: names come from untrusted programs. */
static uint64_t hash_text(const struct tdat_user_events *ue, const char *text)
{
	return tdat_hash_bytes(ue->seed, text, strlen(text));
}

/* Hashes all parts that tdat_user_event_same() compares. */
static uint64_t hash_fields(const struct tdat_user_events *ue, const struct tdat_user_event *e)
{
	uint64_t hash = hash_text(ue, e->name);

	for (size_t i = 0; i < e->field_count; i++) {
		hash = tdat_hash_pair(ue->seed, hash, hash_text(ue, e->fields[i].type));
		hash = tdat_hash_pair(ue->seed, hash, hash_text(ue, e->fields[i].name));
		hash = tdat_hash_pair(ue->seed, hash, e->fields[i].size);
	}
	return hash;
}

/* The text by which an event is found in a table. */
static const char *text_by(const struct known *k, enum by by)
{
	return by == BY_SHOWN ? k->shown : by == BY_WRITTEN ? k->written : k->event->name;
}

/* Compares after hashing, as different texts may share a hash. */
static struct known *find_by(const struct tdat_user_events *ue, enum by by, bool multi,
			     const char *text)
{
	const struct known *v = ue->known;
	uint32_t i;

	TDAT_MAP_FIND(i, &ue->indexed[by], hash_text(ue, text),
		      v[i].multi == multi && !strcmp(text_by(&v[i], by), text));
	return i == TDAT_MAP_NONE ? NULL : &ue->known[i];
}

/* A set with several formats is found by the name that tracefs shows. */
static struct known *find_name(const struct tdat_user_events *ue, const char *name, bool multi)
{
	return find_by(ue, multi ? BY_SHOWN : BY_NAME, multi, name);
}

/* Finds an event by its name, or with MULTI_FORMAT by name and fields. */
static struct known *find_event(const struct tdat_user_events *ue,
				const struct tdat_user_event *event, bool multi)
{
	uint32_t i;

	if (!multi)
		return find_name(ue, event->name, false);
	TDAT_MAP_FIND(i, &ue->indexed[BY_FIELDS], hash_fields(ue, event),
		      tdat_user_event_same(ue->known[i].event, event));
	return i == TDAT_MAP_NONE ? NULL : &ue->known[i];
}

static bool add_to(struct tdat_map *map, uint64_t hash, uint32_t item)
{
	if (!tdat_map_reserve(map))
		return false;
	tdat_map_put(map, hash, item);
	return true;
}

/* Enters a known event into the tables by which it is found. */
static bool add_names(struct tdat_user_events *ue, const struct known *k)
{
	const uint32_t at = (uint32_t)(k - ue->known);
	struct tdat_map *x = ue->indexed;
	bool ok = add_to(&x[BY_WRITTEN], hash_text(ue, k->written), at);

	if (!k->multi)
		return add_to(&x[BY_NAME], hash_text(ue, k->event->name), at) && ok;
	ok = add_to(&x[BY_SHOWN], hash_text(ue, k->shown), at) && ok;
	return add_to(&x[BY_FIELDS], hash_fields(ue, k->event), at) && ok;
}

static void remove_names(struct tdat_user_events *ue, const struct known *k)
{
	const uint32_t at = (uint32_t)(k - ue->known);
	struct tdat_map *x = ue->indexed;

	tdat_map_remove(&x[BY_WRITTEN], hash_text(ue, k->written), at);
	tdat_map_remove(&x[BY_NAME], hash_text(ue, k->event->name), at);
	tdat_map_remove(&x[BY_SHOWN], hash_text(ue, k->shown), at);
	tdat_map_remove(&x[BY_FIELDS], hash_fields(ue, k->event), at);
}

/* Characters that libtraceevent accepts in an event's name: one word. */
static const char *first_odd_char(const char *name)
{
	while (tdat_is_word((uint8_t)*name))
		name++;
	return name;
}

/*
 * Returns the name for the format, to be freed; NULL: no memory. While another event has it, a "_"
 * is added; after UNDERSCORES_MAX of them a number that was not tried before.
 */
static char *written_name(struct tdat_user_events *ue, const struct known *k)
{
	size_t len = strlen(k->shown);
	char *s = malloc(len + SUFFIX_MAX);

	if (!s)
		return NULL;
	memcpy(s, k->shown, len + 1);
	if (!ue->opts.word_names)
		return s;
	for (char *at = s; *at; at++)
		if (!tdat_is_word(*at))
			*at = '_';
	/* Names that differ in odd characters only become equal here. */
	for (int tries = 0; find_by(ue, BY_WRITTEN, k->multi, s); tries++)
		if (tries < UNDERSCORES_MAX)
			snprintf(s + len + tries, 2, "_");
		else
			snprintf(s + len + UNDERSCORES_MAX, SUFFIX_MAX - UNDERSCORES_MAX,
				 "%" PRIu32, ue->next_suffix++);
	return s;
}

/* Notes a name that trace-cmd cannot read. */
static enum tdat_status doubt_name(const struct tdat_user_events *ue, const char *name,
				   struct tdat_error *err)
{
	const char *odd = first_odd_char(name);

	if (!*odd)
		return TDAT_OK;
	return tdat_emit_notef(ue->emit, NULL, TDAT_NO_OFFSET, err,
			       "event %s: trace-cmd cannot read a name with '%c' and will print "
			       "[UNKNOWN EVENT]: --word-names replaces it with '_'",
			       name, *odd);
}

/* Emits the format of an event when it is first registered. */
static enum tdat_status emit_format(struct tdat_user_events *ue, struct known *k,
				    struct tdat_error *err)
{
	const char *system = k->multi ? "user_events_multi" : "user_events";
	uint32_t number = (uint32_t)(k - ue->known), id = 0;
	struct tdat_user_event named = *k->event;
	enum tdat_status st;
	size_t len;
	char *text;

	if (ue->opts.first_id)
		id = ue->opts.first_id + number;
	if (id > IDS_MAX)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "no event id below 65536 is left for %s", k->shown);
	st = doubt_name(ue, k->written, err);
	if (st != TDAT_OK)
		return st;
	named.name = k->written;
	len = tdat_user_event_format(&named, (uint16_t)id, NULL, 0);
	text = malloc(len + 1);
	if (!text)
		return tdat_error_no_memory(err, "user events");
	tdat_user_event_format(&named, (uint16_t)id, text, len + 1);
	st = tdat_emit_format(ue->emit, system, text, len, &k->id, err);
	free(text);
	return st;
}

/* Events with MULTI_FORMAT have their number behind the name, in hexadecimal, as in the kernel. */
static char *shown_name(const char *name, bool multi, uint32_t number)
{
	char *s;

	if (!multi)
		return strdup(name);
	return asprintf(&s, "%s.%" PRIx32, name, number) < 0 ? NULL : s;
}

/* Adds an event to the registry, which owns it even after a failure. */
static enum tdat_status add_known(struct tdat_user_events *ue, struct tdat_user_event *event,
				  bool multi, struct known **out, struct tdat_error *err)
{
	struct known k = {.event = event, .multi = multi, .enabled = !ue->opts.disabled};
	struct known *grown = NULL;
	enum tdat_status st;

	/* The kernel answers EMFILE at user_events_max. */
	if (ue->live_count >= ue->opts.max) {
		st = user_refuse(err, EMFILE, "there are already %" PRIu32 " events", ue->opts.max);
	} else {
		k.shown = shown_name(event->name, multi, ue->multi_count);
		k.written = k.shown ? written_name(ue, &k) : NULL;
		if (k.written)
			grown = tdat_grown(ue->known, &ue->known_cap, (size_t)ue->known_count + 1,
					   sizeof(*grown));
		st = grown ? TDAT_OK : tdat_error_no_memory(err, "user events");
	}
	if (grown) {
		ue->known = grown;
		*out = &grown[ue->known_count];
		**out = k;
		/*
		 * The format is emitted before the event counts as known: a failure leaves the
		 * registry unchanged.
		 */
		st = emit_format(ue, *out, err);
	}
	if (st != TDAT_OK) {
		free(k.shown);
		free(k.written);
		tdat_user_event_free(event);
		return st;
	}
	ue->known_count++;
	ue->live_count++;
	ue->multi_count += multi;
	return add_names(ue, *out) ? TDAT_OK : tdat_error_no_memory(err, "user events");
}

/* Finds the event of a command, or adds it. */
static enum tdat_status find_or_add(struct tdat_user_events *ue, const char *command, bool multi,
				    struct known **out, struct tdat_error *err)
{
	struct tdat_user_event *event;
	enum tdat_status st;
	const char *space;
	char name[NAME_MAX_LEN];

	/* A name in use is reported before wrong fields. */
	space = strchr(command, ' ');
	snprintf(name, sizeof(name), "%.*s",
		 space ? (int)(space - command) : (int)strnlen(command, sizeof(name)), command);
	st = tdat_user_event_parse(&event, command, err);
	if (st == TDAT_E_USAGE && err && err->sys_errno == EINVAL && !multi &&
	    find_name(ue, name, false))
		return user_refuse(err, EADDRINUSE, "event %s has other fields", name);
	if (st != TDAT_OK)
		return st;
	*out = find_event(ue, event, multi);
	if (!*out)
		return add_known(ue, event, multi, out, err);
	if (tdat_user_event_same((*out)->event, event)) {
		tdat_user_event_free(event);
		return TDAT_OK;
	}
	tdat_user_event_free(event);
	return user_refuse(err, EADDRINUSE, "event %s has other fields", name);
}

/* ---- enable bits ---- */

/* memcpy(): the program's word may lack the alignment of its type. */
static void set_bit(const struct follower *f, bool on)
{
	if (f->size == 8) {
		uint64_t v, mask = 1ull << f->bit;

		memcpy(&v, f->enable, sizeof(v));
		v = on ? v | mask : v & ~mask;
		memcpy(f->enable, &v, sizeof(v));
	} else {
		uint32_t v, mask = 1u << f->bit;

		memcpy(&v, f->enable, sizeof(v));
		v = on ? v | mask : v & ~mask;
		memcpy(f->enable, &v, sizeof(v));
	}
}

/* Few bits are registered: a linear search suffices. */
static struct follower *find_follower(const struct tdat_user_events *ue, const void *enable,
				      uint8_t bit)
{
	for (size_t i = 0; i < ue->follower_count; i++)
		if (ue->followers[i].enable == enable && ue->followers[i].bit == bit)
			return &ue->followers[i];
	return NULL;
}

/* The checks of the kernel's user_reg_get(), in its order. */
static enum tdat_status check_enable(const struct tdat_user_events *ue, const void *enable,
				     uint8_t bit, uint8_t size, struct tdat_error *err)
{
	if (!enable)
		return TDAT_OK;
	if (size != 4 && size != 8)
		return user_refuse(err, EINVAL, "enable_size is %u, not 4 or 8", size);
	if (bit >= size * 8)
		return user_refuse(err, EINVAL, "enable_bit is %u, more than %u", bit,
				   size * 8 - 1);
	if ((uintptr_t)enable % size)
		return user_refuse(err, EINVAL, "enable_addr is not a multiple of %u", size);
	if (find_follower(ue, enable, bit))
		return user_refuse(err, EADDRINUSE, "bit %u of this address is in use", bit);
	return TDAT_OK;
}

/* A bit is set at once if the event is enabled. */
static enum tdat_status add_follower(struct tdat_user_events *ue, void *enable, uint8_t bit,
				     uint8_t size, const struct known *k, struct tdat_error *err)
{
	struct follower *f;

	if (!enable)
		return TDAT_OK;
	if (!TDAT_GROW(ue->followers, &ue->follower_cap, ue->follower_count + 1))
		return tdat_error_no_memory(err, "user events");
	f = &ue->followers[ue->follower_count++];
	*f = (struct follower){enable, bit, size, (uint32_t)(k - ue->known)};
	if (k->enabled)
		set_bit(f, true);
	return TDAT_OK;
}

/* ---- the calls of a program ---- */

/* An event has one write index, however often it is registered. */
static enum tdat_status index_of(struct tdat_user_events *ue, struct known *k,
				 uint32_t *write_index, struct tdat_error *err)
{
	if (k->indexed) {
		*write_index = k->write_index;
		return TDAT_OK;
	}
	if (!TDAT_GROW(ue->indexes, &ue->index_cap, (size_t)ue->index_count + 1))
		return tdat_error_no_memory(err, "user events");
	ue->indexes[ue->index_count] = (uint32_t)(k - ue->known);
	*write_index = k->write_index = ue->index_count++;
	k->indexed = true;
	return TDAT_OK;
}

/* Each errno is the kernel's. */
enum tdat_status tdat_user_events_register(struct tdat_user_events *ue, const char *command,
					   uint16_t flags, void *enable, uint8_t enable_bit,
					   uint8_t enable_size, uint32_t *write_index,
					   struct tdat_error *err)
{
	struct tdat_error own = TDAT_ERROR_INIT;
	struct known *k = NULL;
	enum tdat_status st;

	if (!err)
		err = &own;
	if (flags & ~(TDAT_USER_PERSIST | TDAT_USER_MULTI_FORMAT))
		return user_refuse(err, EINVAL, "flags 0x%x are unknown",
				   flags & ~(TDAT_USER_PERSIST | TDAT_USER_MULTI_FORMAT));
	st = check_enable(ue, enable, enable_bit, enable_size, err);
	if (st != TDAT_OK)
		return st;
	/* The kernel asks for CAP_PERFMON, which a registry without a kernel cannot grant. */
	if (flags & TDAT_USER_PERSIST)
		return user_refuse(err, EPERM, "flag PERSIST needs a privilege");
	st = find_or_add(ue, command, flags & TDAT_USER_MULTI_FORMAT, &k, err);
	if (st == TDAT_OK)
		st = add_follower(ue, enable, enable_bit, enable_size, k, err);
	return st == TDAT_OK ? index_of(ue, k, write_index, err) : st;
}

/* The event itself stays. */
enum tdat_status tdat_user_events_unregister(struct tdat_user_events *ue, void *enable,
					     uint8_t enable_bit, struct tdat_error *err)
{
	struct follower *f = find_follower(ue, enable, enable_bit);

	if (!f)
		return user_refuse(err, ENOENT, "no event uses bit %u of this address", enable_bit);
	set_bit(f, false);
	*f = ue->followers[--ue->follower_count];
	return TDAT_OK;
}

/* Names of single events come first. */
static struct known *find_any(const struct tdat_user_events *ue, const char *name)
{
	struct known *k = find_name(ue, name, false);

	return k ? k : find_name(ue, name, true);
}

/* The entry stays in known: its format was emitted. */
enum tdat_status tdat_user_events_delete(struct tdat_user_events *ue, const char *name,
					 struct tdat_error *err)
{
	struct known *k = find_any(ue, name);

	if (!k)
		return user_refuse(err, ENOENT, "there is no event %s", name);
	if (k->indexed)
		return user_refuse(err, EBUSY, "event %s is registered", name);
	remove_names(ue, k);
	ue->live_count--;
	return TDAT_OK;
}

/* A line of dynamic_events. */
enum tdat_status tdat_user_events_define(struct tdat_user_events *ue, const char *line,
					 struct tdat_error *err)
{
	struct tdat_error own = TDAT_ERROR_INIT;
	struct known *k;

	if (strncmp(line, "u:", 2))
		return user_refuse(err ? err : &own, ECANCELED,
				   "the line begins with \"%.2s\", not with u:", line);
	for (line += 2; *line == ' ';)
		line++;
	return find_or_add(ue, line, false, &k, err ? err : &own);
}

/* Also sets the bits of all followers, as the kernel does in the programs' memory. */
enum tdat_status tdat_user_events_enable(struct tdat_user_events *ue, const char *name, bool on,
					 struct tdat_error *err)
{
	struct known *k = find_any(ue, name);

	if (!k)
		return user_refuse(err, ENOENT, "there is no event %s", name);
	k->enabled = on;
	for (size_t i = 0; i < ue->follower_count; i++)
		if (&ue->known[ue->followers[i].known] == k)
			set_bit(&ue->followers[i], on);
	return TDAT_OK;
}

/* NULL: the index is not registered. */
const struct tdat_user_event *tdat_user_events_find(const struct tdat_user_events *ue,
						    uint32_t write_index)
{
	return write_index < ue->index_count ? ue->known[ue->indexes[write_index]].event : NULL;
}

/* ---- writes ---- */

/* The checks of a write, in the kernel's order. *out: the event, once it is known. */
static enum tdat_status verify(const struct tdat_user_events *ue, const uint8_t *data, size_t len,
			       const struct known **out, struct tdat_error *err)
{
	const struct known *k;
	int32_t index;

	if (len < 4)
		return user_refuse(err, EFAULT, "no room for the index");
	index = (int32_t)tdat_load32(data, ue->opts.big_endian);
	if (index < 0)
		return user_refuse(err, EINVAL, "negative index %" PRId32, index);
	if ((uint32_t)index >= ue->index_count)
		return user_refuse(err, ENOENT, "index %" PRId32 " is not registered", index);
	k = &ue->known[ue->indexes[index]];
	/* A short payload is reported before a disabled event. */
	if (len - 4 < k->event->min_size)
		return tdat_user_event_check(k->event, data + 4, len - 4, ue->opts.big_endian, err);
	if (!k->enabled)
		return user_refuse(err, EBADF, "event %s is not enabled", k->event->name);
	*out = k;
	return tdat_user_event_check(k->event, data + 4, len - 4, ue->opts.big_endian, err);
}

/* The checks of a write alone: nothing is emitted. */
enum tdat_status tdat_user_events_verify(const struct tdat_user_events *ue, const void *data,
					 size_t len, const struct tdat_user_event **event,
					 struct tdat_error *err)
{
	const struct known *k = NULL;
	enum tdat_status st = verify(ue, data, len, &k, err);

	*event = k ? k->event : NULL;
	return st;
}

/* Builds the record: common fields, then the payload behind the index. */
enum tdat_status tdat_user_events_write(struct tdat_user_events *ue,
					const struct tdat_user_origin *origin, const void *data,
					size_t len, struct tdat_error *err)
{
	struct tdat_emit_event event = {.cpu = origin->cpu, .ts = origin->ts};
	const uint8_t *bytes = data;
	const struct known *k = NULL;
	enum tdat_status st = verify(ue, bytes, len, &k, err);

	if (st != TDAT_OK)
		return st;
	/* The kernel drops longer events without an error. */
	if (len - 4 > TDAT_USER_RECORD_MAX - TDAT_USER_COMMON_LEN)
		return tdat_error_set(
			err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
			"%zu payload bytes of event %s are too many: a page can hold %d", len - 4,
			k->event->name, TDAT_USER_RECORD_MAX - TDAT_USER_COMMON_LEN);
	ue->record.len = 0;
	tdat_build_u16(&ue->record, k->id);
	tdat_build_u16(&ue->record, 0);
	tdat_build_u32(&ue->record, (uint32_t)origin->pid);
	tdat_build_bytes(&ue->record, bytes + 4, len - 4);
	if (ue->record.failed)
		return tdat_error_no_memory(err, "user events");
	event.record = (struct tdat_span){ue->record.ptr, ue->record.len};
	return tdat_emit_event(ue->emit, &event, err);
}

/* The parts are joined first, as the kernel reads them. */
enum tdat_status tdat_user_events_writev(struct tdat_user_events *ue,
					 const struct tdat_user_origin *origin,
					 const struct tdat_user_iovec *iov, size_t count,
					 struct tdat_error *err)
{
	struct tdat_build all;
	enum tdat_status st;

	tdat_build_init(&all, ue->opts.big_endian);
	for (size_t i = 0; i < count; i++)
		tdat_build_bytes(&all, iov[i].base, iov[i].len);
	st = all.failed ? tdat_error_no_memory(err, "user events")
			: tdat_user_events_write(ue, origin, all.len ? all.ptr : (const void *)"",
						 all.len, err);
	tdat_build_fini(&all);
	return st;
}
