/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table io: operations of file systems that record their begin and their end, as
 * ext4_sync_file_enter and ext4_sync_file_exit. Which events belong together is said by their
 * names: the same words with one of the endings below. Entries are keyed by recording, task and
 * operation; an operation within itself leaves the outer one without an end.
 */
#include "analysis.h"
#include "core/text.h"
#include "prints.h"

#include <stdlib.h>
#include <string.h>

/* Bounds the memory that a crafted trace can take. */
enum { OPEN_MAX = 1 << 19 };

enum { DEV, INO, POS, OFFSET, LEN, COUNT, RET };
static const char *const fields[] = {"dev", "ino", "pos", "offset", "len", "count", "ret", NULL};

/* The systems of file systems, those of the network and the journal included. */
static const struct derived_event events[] = {
	{"9p/*", 0, fields},	{"btrfs/*", 0, fields}, {"ceph/*", 0, fields},
	{"cifs/*", 0, fields},	{"erofs/*", 0, fields}, {"ext4/*", 0, fields},
	{"f2fs/*", 0, fields},	{"fuse/*", 0, fields},	{"gfs2/*", 0, fields},
	{"jbd2/*", 0, fields},	{"nfs/*", 0, fields},	{"nfs4/*", 0, fields},
	{"ocfs2/*", 0, fields}, {"xfs/*", 0, fields},
};

/* Endings of names. One that is a whole name is the name of its operation. */
static const struct ending {
	const char *begin, *end;
} endings[] = {
	{"_enter", "_exit"},
	{"_begin", "_end"},
	{"ext4_writepages", "ext4_writepages_result"},
};

static const struct meta_column columns[] = {
	{"fs", TABLE_NAME, 0, false}, {"op", TABLE_NAME, 0, false}, {"dev", TABLE_NAME, 0, false},
	{"ino", TABLE_INT, 8, false}, {"pos", TABLE_INT, 8, true},  {"len", TABLE_INT, 8, true},
	{"ret", TABLE_INT, 8, true},  {NULL, TABLE_INT, 0, false},
};

/* What a type of events does. */
struct role {
	bool known; /* the others are */
	bool begins;
	const char *op; /* NULL: it belongs to no pair */
	const char *fs;
};

/* An operation that a task is in. */
struct operation {
	struct derived_entry entry; /* recording, task, operation */
	const struct role *role;
	uint32_t has; /* of fields, as bits */
	uint64_t values[RET];
};

struct io {
	struct derived_state state;
	struct role *roles; /* by type */
};

/* Whether a name has the ending, and something before it; the ending may be the whole name. */
static bool ends_with(const char *name, const char *ending, size_t *rest)
{
	const size_t n = strlen(name), m = strlen(ending);

	if (n < m || strcmp(name + n - m, ending) != 0)
		return false;
	*rest = n - m;
	return n > m || ending[0] != '_';
}

static const struct role *role_of(struct io *io, const struct derived_type *type)
{
	struct role *r = &io->roles[type->index];
	const char *name = tdat_event_format_name(type->format);

	for (size_t i = 0; !r->known && i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t len;

		r->begins = ends_with(name, endings[i].begin, &len);
		if (!r->begins && !ends_with(name, endings[i].end, &len))
			continue;
		r->known = true;
		r->op = derived_intern(io->state.out,
				       len ? (struct tdat_span){(const uint8_t *)name, len}
					   : tdat_span_of(endings[i].begin));
		r->fs = derived_intern(io->state.out,
				       tdat_span_of(tdat_event_format_system(type->format)));
	}
	r->known = true;
	return r;
}

static void put_first(struct derived_out *o, const struct operation *op, size_t a, size_t b)
{
	const size_t i = op->has >> a & 1 ? a : b;

	derived_put_known(o, op->has >> i & 1, op->values[i]);
}

/* The field ret of the end of an operation, and the event. */
struct leaving {
	const struct derived_field *ret;
	struct tdat_span record;
};

static void put(void *state, const void *entry, const void *interval, const struct derived_end *end)
{
	struct derived_out *o = ((struct derived_state *)state)->out;
	const struct operation *op = entry;
	const struct leaving *l = end->how;

	(void)interval;
	derived_put_name(o, op->role->fs);
	derived_put_name(o, op->role->op);
	if (op->has >> DEV & 1)
		prints_dev(o, op->values[DEV]);
	else
		derived_put_null(o);
	put_first(o, op, INO, INO);
	put_first(o, op, POS, OFFSET);
	put_first(o, op, LEN, COUNT);
	derived_put_known(o, l && derived_has(l->ret, l->record),
			  l ? (uint64_t)derived_int(l->ret, l->record) : 0);
}

static void begin_operation(struct io *io, struct operation *op, const struct derived_type *type,
			    const struct tdat_event *ev)
{
	if (op->entry.open.is)
		derived_leave_open(io, op, DERIVED_OPEN_UNENDED);
	op->entry.open =
		(struct derived_open){.is = true,
				      .cpu = ev->cpu,
				      .ts = ev->ts,
				      .known = derived_now(&io->state, (uint32_t)op->entry.key[0]),
				      .pid = ev->pid};
	op->role = &io->roles[type->index];
	op->has = 0;
	for (size_t i = 0; i < RET; i++) {
		op->has |= derived_has(&type->fields[i], ev->record) ? 1u << i : 0;
		op->values[i] = (uint64_t)derived_int(&type->fields[i], ev->record);
	}
}

static void take_event(void *state, const struct derived_type *type, const struct tdat_event *ev,
		       uint32_t rec)
{
	struct io *io = state;
	const struct role *r = role_of(io, type);
	const struct leaving leaving = {&type->fields[RET], ev->record};
	/* Interned names have one address. */
	const uint64_t key[TDAT_KEY_MOST] = {rec, derived_task_key(ev->pid, ev->cpu),
					     (uintptr_t)r->op};
	struct operation *op;

	if (!r->op)
		return;
	op = r->begins ? derived_get(io, key) : derived_find(io, key);
	if (r->begins && op) {
		begin_operation(io, op, type, ev);
	} else if (!r->begins && op && op->entry.open.is) {
		derived_close(io, op, ev->ts, &leaving);
		derived_remove(io, op);
	} else if (!r->begins) {
		derived_note(io->state.out, DERIVED_NO_START);
	}
}

static void free_state(void *state)
{
	free(((struct io *)state)->roles);
}

static enum tdat_status begin(void *state, struct tdat_error *err)
{
	struct io *io = state;

	io->roles = calloc((size_t)derived_type_count(io->state.out) + 1, sizeof(*io->roles));
	return io->roles ? TDAT_OK : tdat_error_no_memory(err, "operations of file systems");
}

const struct table_derived analysis_io = {
	ANALYSIS_TABLE(io),
	.about = {"operations of file systems", "ext4/*|f2fs/*|nfs/*|xfs/*|btrfs/*|cifs/*",
		  "-e ext4"},

	.state_len = sizeof(struct io),
	.entry_len = sizeof(struct operation),
	.most = OPEN_MAX,
	.begin = begin,
	.event = take_event,
	.put = put,
	.free = free_state,
	.per_task = true,
};
