/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps the registry of events, which all recorded programs share: registering, deleting, defining
 * and enabling with the errno of the kernel. It lies in shared memory, under a robust lock.
 * Pointers are never stored, only indexes. The recorder compiles it, too, for notified calls.
 */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tdat/user_events.h>

#include "state.h"

/* ---- events ---- */

/* FNV-1a: the names come from the recorded programs themselves, so no key is needed. */
static uint32_t hash_name(const char *name)
{
	uint32_t h = 2166136261u;

	while (*name)
		h = (h ^ (uint8_t)*name++) * 16777619u;
	return h;
}

/* Copies the name at the beginning of a command. */
static void command_name(char *out, size_t cap, const char *command)
{
	size_t len = strcspn(command, " ");

	if (len >= cap)
		len = cap - 1;
	memcpy(out, command, len);
	out[len] = '\0';
}

/* The command begins with the name. */
static bool is_named(const struct ue_event *e, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(e->command, name, len) && (e->command[len] == ' ' || !e->command[len]);
}

/*
 * Finds an event by its name and, if command is given, its fields. live: false for deleted events.
 */
static struct ue_event *find(const char *name, bool multi, const char *command, bool live)
{
	struct ue_shared *s = ue.shared;
	uint32_t hash = hash_name(name), at = s->buckets[hash % UE_BUCKETS];

	while (at) {
		struct ue_event *e = &s->events[at - 1];

		at = e->next;
		if (e->hash != hash || e->is_multi != multi || !is_named(e, name))
			continue;
		if ((bool)e->is_live == live && (!command || !strcmp(e->command, command)))
			return e;
	}
	return NULL;
}

/* The last rule that matches decides; without one the event is off. */
static bool rules_allow(const char *name)
{
	const struct ue_shared *s = ue.shared;
	bool on = false;

	for (uint32_t at = 0; at < s->rules_len; at += (uint32_t)strlen(s->rules + at) + 1)
		if (!fnmatch(s->rules + at + 1, name, 0))
			on = s->rules[at] == '+';
	return on;
}

/* Lists the fields that point elsewhere, so that a write is checked without parsing (check.h). */
static void fill_locs(struct ue_event *e, const struct tdat_user_event *parsed)
{
	const struct tdat_user_field *f;

	e->loc_count = 0;
	for (size_t i = 0; (f = tdat_user_event_field(parsed, i)); i++) {
		struct ue_loc *loc = &e->locs[e->loc_count];

		if (f->loc == TDAT_USER_LOC_NONE || e->loc_count >= UE_LOCS_MAX)
			continue;
		loc->off = (uint16_t)(f->off - TDAT_USER_COMMON_LEN);
		loc->is_rel = f->loc == TDAT_USER_LOC_REL;
		loc->is_text = strstr(f->type, "char") != NULL;
		e->loc_count++;
	}
}

/*
 * Adds an event to the table. *out: its entry. Fields behind 64 KiB cannot occur: the record would
 * be too long.
 */
static int add(const struct tdat_user_event *parsed, const char *command, bool multi,
	       struct ue_event **out)
{
	struct ue_shared *s = ue.shared;
	uint32_t count = atomic_load(&s->event_count);
	struct ue_event *e = &s->events[count];
	const char *name = tdat_user_event_name(parsed);

	if (count >= UE_EVENTS_MAX)
		return EMFILE;
	e->hash = hash_name(name);
	e->min_size = tdat_user_event_min_size(parsed);
	e->is_multi = multi;
	e->multi_number = multi ? s->multi_count++ : 0;
	snprintf(e->command, sizeof(e->command), "%s", command);
	snprintf(e->name, sizeof(e->name), multi ? "%s.%x" : "%s", name,
		 (unsigned int)e->multi_number);
	fill_locs(e, parsed);
	e->next = s->buckets[e->hash % UE_BUCKETS];
	s->buckets[e->hash % UE_BUCKETS] = count + 1;
	/* Readers without the lock see the count last, with the entry complete. */
	atomic_store(&s->event_count, count + 1);
	*out = e;
	return 0;
}

/* The status in the page, by both ways of indexing; programs can write any number there. */
static void set_status(struct ue_shared *s, const struct ue_event *e, bool on)
{
	const uint32_t status = e->status;
	uint8_t *page = s->status, bit = (uint8_t)(1u << status % 8);

	if (!status || status >= UE_STATUS_LEN)
		return;
	page[status] = on ? 1 : 0;
	page[status / 8] = (uint8_t)(on ? page[status / 8] | bit : page[status / 8] & ~bit);
}

void ue_set_enabled(struct ue_shared *s, struct ue_event *e, bool on)
{
	atomic_store(&e->enabled, on);
	set_status(s, e, on);
}

/* A deleted event that is registered again keeps its entry, number and id. */
static void bring_to_life(struct ue_event *e)
{
	e->is_live = 1;
	e->refs = 0;
	e->is_persistent = 0;
	ue_set_enabled(ue.shared, e, rules_allow(e->name));
}

/*
 * Finds the event of a command, or adds it. The errno is that of the kernel's user_event_parse().
 */
static int find_or_add(const char *command, bool multi, struct ue_event **out)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_user_event *parsed = NULL;
	char name[UE_COMMAND_LEN], text[UE_COMMAND_LEN + 16];
	int rc = 0;

	command_name(name, sizeof(name), command);
	if (tdat_user_event_parse(&parsed, command, &err)) {
		if (err.status == TDAT_E_NOMEM)
			return ENOMEM;
		/* A name in use is reported before wrong fields. */
		return !multi && find(name, false, NULL, true) ? EADDRINUSE : err.sys_errno;
	}
	tdat_user_event_command(parsed, text, sizeof(text));
	*out = find(name, multi, multi ? text : NULL, true);
	if (*out && strcmp((*out)->command, text))
		rc = EADDRINUSE;
	/* First among deleted events: their entries explain records that may still be in rings. */
	if (!*out) {
		*out = find(name, multi, text, false);
		if (!*out)
			rc = add(parsed, text, multi, out);
		if (!rc)
			bring_to_life(*out);
	}
	tdat_user_event_free(parsed);
	return rc;
}

static void end_event(struct ue_shared *s, struct ue_event *e)
{
	e->is_live = 0;
	e->is_persistent = 0;
	set_status(s, e, false);
}

void ue_drop_ref(struct ue_shared *s, uint32_t number)
{
	struct ue_event *e = number < UE_EVENTS_MAX ? &s->events[number] : NULL;

	if (e && e->refs && !--e->refs && !e->is_persistent)
		end_event(s, e);
}

/* ---- bits that follow ---- */

struct ue_process *ue_own_process(void)
{
	struct ue_shared *s = ue.shared;

	/* A fork that was missed would leave the parent's number in place. */
	ue_current();
	if (ue.process)
		return &s->processes[ue.process - 1];
	for (uint32_t i = 0; i < UE_PROCESSES_MAX; i++) {
		struct ue_process *p = &s->processes[i];

		if (p->is_used)
			continue;
		ue_identify(p);
		p->first = 0;
		p->is_used = 1;
		ue.process = i + 1;
		return p;
	}
	return NULL;
}

/* Returns the link to the follower, so that it can be taken out of the list. */
static uint32_t *find_follower(struct ue_process *p, uint64_t addr, uint8_t bit)
{
	uint32_t *at = &p->first;

	for (; *at; at = &ue.shared->followers[*at - 1].next)
		if (ue.shared->followers[*at - 1].addr == addr &&
		    ue.shared->followers[*at - 1].bit == bit)
			return at;
	return NULL;
}

/* Freed places are used first. */
static int add_follower(struct ue_process *p, uint32_t event, uint64_t addr, uint8_t bit,
			uint8_t size)
{
	struct ue_shared *s = ue.shared;
	uint32_t at = s->followers_free;
	struct ue_follower *f;

	if (at)
		s->followers_free = s->followers[at - 1].next;
	else if (s->followers_used < UE_FOLLOWERS_MAX)
		at = ++s->followers_used;
	else
		return ENOMEM;
	f = &s->followers[at - 1];
	*f = (struct ue_follower){addr, event, p->first, bit, size};
	p->first = at;
	s->events[event].refs++;
	return 0;
}

void ue_remove_follower(struct ue_shared *s, uint32_t *at)
{
	uint32_t number = *at;
	struct ue_follower *f = &s->followers[number - 1];

	*at = f->next;
	ue_drop_ref(s, f->event);
	f->next = s->followers_free;
	s->followers_free = number;
}

/*
 * Lets this new process follow the events of its parent. The parent may have changed its list since
 * the fork: a bit that it added meanwhile may lie where this process has no memory.
 */
void ue_follow_again(uint32_t parent, uint64_t cookie)
{
	struct ue_shared *s = ue.shared;
	struct ue_process *own;
	uint32_t at;

	ue_lock(&s->lock);
	at = s->processes[parent - 1].is_used && s->processes[parent - 1].cookie == cookie
		     ? s->processes[parent - 1].first
		     : 0;
	own = at ? ue_own_process() : NULL;
	for (; own && at; at = s->followers[at - 1].next) {
		struct ue_follower f = s->followers[at - 1];

		if (!ue_writable((void *)(uintptr_t)f.addr, f.size))
			continue;
		if (add_follower(own, f.event, f.addr, f.bit, f.size))
			break;
		ue_set_bit(f.addr, f.bit, f.size, atomic_load(&s->events[f.event].enabled));
	}
	pthread_mutex_unlock(&s->lock);
}

/* At the end of the process; the recorder does the same for one that was killed. */
void ue_detach(void)
{
	struct ue_process *p;

	if (!ue.process)
		return;
	ue_lock_registry();
	p = &ue.shared->processes[ue.process - 1];
	while (p->first)
		ue_remove_follower(ue.shared, &p->first);
	p->is_used = 0;
	ue.process = 0;
	ue_unlock_registry();
}

/* ---- the calls ---- */

/*
 * A lock of the open file description: it lasts until the last duplicate is closed, by which upkeep
 * knows that the indexes can be freed.
 */
bool ue_lock_slot(int fd, uint32_t slot, short type)
{
	struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = slot, .l_len = 1};

	return !fcntl(fd, F_OFD_SETLK, &lock);
}

int ue_take_slot(int fd)
{
	for (uint32_t i = 0; i < UE_FILES_MAX; i++) {
		struct ue_file *file = &ue.shared->files[i];

		if (file->is_used || !ue_lock_slot(fd, i, F_WRLCK))
			continue;
		file->is_used = 1;
		atomic_store(&file->count, 0);
		return (int)i;
	}
	return -1;
}

/* Returns the index of an event in an open file. The same event has one index per file. */
static int index_of(struct ue_file *file, uint32_t event, uint32_t *index)
{
	uint32_t count = atomic_load(&file->count);

	for (*index = 0; *index < count; ++*index)
		if (file->events[*index] == event)
			return 0;
	if (count >= UE_EVENTS_MAX)
		return EMFILE;
	file->events[count] = event;
	ue.shared->events[event].refs++;
	atomic_store_explicit(&file->count, count + 1, memory_order_release);
	return 0;
}

/* Gives an event its place in the status page, for programs of the early interface. */
static int give_status(struct ue_event *e, uint32_t *status)
{
	if (!e->status && ue.shared->status_next >= UE_STATUS_LEN)
		return EMFILE;
	if (!e->status) {
		e->status = ue.shared->status_next++;
		set_status(ue.shared, e, atomic_load(&e->enabled));
	}
	*status = e->status;
	return 0;
}

/* The steps of a registration, in the kernel's order; each errno is the kernel's. */
static int register_locked(uint32_t file, const char *command, uint16_t flags, void *enable,
			   uint8_t bit, uint8_t size, uint32_t *index, uint32_t *status)
{
	uint64_t addr = (uint64_t)(uintptr_t)enable;
	struct ue_process *p = enable ? ue_own_process() : NULL;
	struct ue_event *e = NULL;
	uint32_t number;
	int rc;

	if (enable && !p)
		return ENOMEM;
	if (enable && find_follower(p, addr, bit))
		return EADDRINUSE;
	rc = find_or_add(command, flags & TDAT_USER_MULTI_FORMAT, &e);
	if (rc)
		return rc;
	number = (uint32_t)(e - ue.shared->events);
	/*
	 * Set even if a later step fails, as the event then exists. With the early struct, whose
	 * kernels know no other end, it stays until it is deleted by name.
	 */
	if (flags & TDAT_USER_PERSIST || status)
		e->is_persistent = 1;
	rc = index_of(&ue.shared->files[file], number, index);
	if (!rc && status)
		rc = give_status(e, status);
	if (!rc && enable && !ue_writable(enable, size))
		rc = EFAULT;
	if (!rc && enable)
		rc = add_follower(p, number, addr, bit, size);
	if (!rc && enable)
		ue_set_bit(addr, bit, size, atomic_load(&e->enabled));
	return rc;
}

/*
 * EADDRINUSE may come from a process that has ended: the recorder is asked once to free its
 * entries.
 */
int ue_register(uint32_t file, const char *command, uint16_t flags, void *enable, uint8_t bit,
		uint8_t size, uint32_t *index, uint32_t *status)
{
	for (int turn = 0;; turn++) {
		int rc;

		ue_lock_registry();
		rc = register_locked(file, command, flags, enable, bit, size, index, status);
		ue_unlock_registry();
		if (rc != EADDRINUSE || turn)
			return rc;
		ue_ask_to_reap();
	}
}

/* ENOENT: the process has no such bit. */
int ue_unregister(uint64_t addr, uint8_t bit)
{
	uint32_t *at = NULL;

	ue_lock_registry();
	ue_current();
	if (ue.process)
		at = find_follower(&ue.shared->processes[ue.process - 1], addr, bit);
	if (at) {
		uint8_t size = ue.shared->followers[*at - 1].size;

		if (ue_writable((void *)(uintptr_t)addr, size))
			ue_set_bit(addr, bit, size, false);
		ue_remove_follower(ue.shared, at);
	}
	ue_unlock_registry();
	return at ? 0 : ENOENT;
}

/* The live event that tracefs shows by a name: of a set or not (1, 0), or of either (-1). */
static struct ue_event *find_shown(const char *name, int multi)
{
	struct ue_event *e = ue.shared->events, *end = e + atomic_load(&ue.shared->event_count);

	while (e < end &&
	       !(e->is_live && (multi < 0 || e->is_multi == multi) && !strcmp(e->name, name)))
		e++;
	return e < end ? e : NULL;
}

/* By its name, or by the name with a number that tracefs shows for a set. */
static int delete_locked(const char *name)
{
	struct ue_event *e = find(name, false, NULL, true);

	if (!e)
		e = find_shown(name, -1);
	if (!e)
		return ENOENT;
	if (e->refs)
		return EBUSY;
	end_event(ue.shared, e);
	return 0;
}

/* EBUSY may come from ended processes, too. */
int ue_delete(const char *name)
{
	for (int turn = 0;; turn++) {
		int rc;

		ue_lock_registry();
		rc = delete_locked(name);
		ue_unlock_registry();
		if (rc != EBUSY || turn)
			return rc;
		ue_ask_to_reap();
	}
}

/* The number of events that are used; the others are deleted. */
static uint32_t delete_unused(struct ue_shared *s)
{
	const uint32_t count = atomic_load(&s->event_count);
	uint32_t used = 0;

	ue_lock_registry();
	for (uint32_t i = 0; i < count; i++) {
		struct ue_event *e = &s->events[i];

		used += e->is_live && e->refs;
		if (e->is_live && !e->refs)
			end_event(s, e);
	}
	ue_unlock_registry();
	return used;
}

/* The kernel deletes nothing and fails with EBUSY where one event of any kind is used. */
void ue_opening(struct ue_target target, int flags)
{
	if (target.kind != UE_DYNAMIC || !(flags & O_TRUNC) || (flags & O_ACCMODE) == O_RDONLY)
		return;
	if (delete_unused(ue.shared)) {
		ue_ask_to_reap();
		delete_unused(ue.shared);
	}
}

/* A line of dynamic_events: "u:NAME FIELDS" defines; "-:NAME" and "!u:NAME" delete. */
int ue_define(const char *line)
{
	struct ue_event *e = NULL;
	const char *colon;
	int rc;

	if (*line == '-' || *line == '!') {
		colon = strchr(line, ':');
		if (!colon || (*line == '-' && colon != line + 1))
			return EINVAL;
		return ue_delete(colon + 1);
	}
	if (strncmp(line, "u:", 2))
		return ECANCELED;
	for (line += 2; *line == ' ';)
		line++;
	ue_lock_registry();
	rc = find_or_add(line, false, &e);
	if (!rc)
		e->is_persistent = 1;
	ue_unlock_registry();
	return rc;
}

int ue_enable(uint32_t number, bool on)
{
	struct ue_shared *s = ue.shared;
	uint32_t count = atomic_load(&s->event_count);

	if (number != UE_ALL && number >= count)
		return ENOENT;
	ue_lock_registry();
	for (uint32_t i = 0; i < count; i++)
		if ((number == UE_ALL || number == i) && s->events[i].is_live)
			ue_set_enabled(s, &s->events[i], on);
	ue_current();
	for (uint32_t at = ue.process ? s->processes[ue.process - 1].first : 0; at;
	     at = s->followers[at - 1].next) {
		struct ue_follower *f = &s->followers[at - 1];

		if (ue_writable((void *)(uintptr_t)f->addr, f->size))
			ue_set_bit(f->addr, f->bit, f->size,
				   atomic_load(&s->events[f->event].enabled));
	}
	ue_unlock_registry();
	/* Bits in other processes are the recorder's. */
	atomic_fetch_add(&s->enable_changes, 1);
	ue_wake_recorder();
	return 0;
}

/* Only live events have files in tracefs. */
int ue_find(const char *system, const char *name, uint32_t *number)
{
	const struct ue_event *e = find_shown(name, !strcmp(system, "user_events_multi"));

	if (!e)
		return ENOENT;
	*number = (uint32_t)(e - ue.shared->events);
	return 0;
}
