/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the text of the files: user_events_status, dynamic_events, and those of single events.
 * Text is made from the shared registry under its lock, as the kernel would print it now. Used
 * by the library for reads and by the recorder for notified ones.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/user_events.h>

#include "state.h"

struct text {
	char *ptr;
	size_t len, cap;
	bool failed;
};

static __attribute__((format(printf, 2, 3))) void put(struct text *t, const char *fmt, ...)
{
	va_list args;
	int n;

	if (t->cap - t->len < 2 * UE_NAME_LEN) {
		size_t cap = t->cap ? 2 * t->cap : 16384;
		char *grown = realloc(t->ptr, cap);

		if (!grown) {
			t->failed = true;
			return;
		}
		t->ptr = grown;
		t->cap = cap;
	}
	va_start(args, fmt);
	n = vsnprintf(t->ptr + t->len, t->cap - t->len, fmt, args);
	va_end(args);
	t->len += n > 0 ? (size_t)n : 0;
}

static void put_status(struct text *t)
{
	struct ue_shared *s = ue.shared;
	uint32_t count = atomic_load(&s->event_count);
	unsigned int active = 0, busy = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct ue_event *e = &s->events[i];

		if (!e->is_live)
			continue;
		active++;
		busy += atomic_load(&e->enabled) ? 1 : 0;
		if (ue.is_early)
			put(t, "%u:", (unsigned int)e->status);
		put(t, "%s%s\n", e->name, atomic_load(&e->enabled) ? " # Used by ftrace" : "");
	}
	put(t, "\nActive: %u\nBusy: %u\n", active, busy);
	if (ue.is_early)
		put(t, "Max: %d\n", UE_STATUS_LEN - UE_STATUS_FIRST);
}

static void put_dynamic(struct text *t)
{
	struct ue_shared *s = ue.shared;
	uint32_t count = atomic_load(&s->event_count);

	for (uint32_t i = 0; i < count; i++)
		if (s->events[i].is_live)
			put(t, "u:%s\n", s->events[i].command);
}

static void put_format(struct text *t, uint32_t number)
{
	const struct ue_event *e = &ue.shared->events[number];
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_user_event *parsed;
	char *format;
	size_t len;

	if (tdat_user_event_parse(&parsed, e->command, &err))
		return;
	len = tdat_user_event_format(parsed, (uint16_t)(UE_FIRST_ID + number), NULL, 0);
	format = malloc(len + 1);
	if (format) {
		tdat_user_event_format(parsed, (uint16_t)(UE_FIRST_ID + number), format, len + 1);
		free(t->ptr);
		*t = (struct text){format, len, len + 1, false};
	}
	tdat_user_event_free(parsed);
}

static void put_enable(struct text *t, uint32_t number)
{
	struct ue_shared *s = ue.shared;
	uint32_t count = atomic_load(&s->event_count), on = 0, live = 0;

	for (uint32_t i = 0; i < count; i++)
		if (s->events[i].is_live && (number == UE_ALL || number == i)) {
			live++;
			on += atomic_load(&s->events[i].enabled) ? 1 : 0;
		}
	put(t, "%s\n", !on ? "0" : on == live ? "1" : "X");
}

char *ue_text(struct ue_target target, size_t *len)
{
	struct text t = {NULL, 0, 0, false};

	put(&t, "%s", "");
	ue_lock_registry();
	if (target.kind == UE_STATUS)
		put_status(&t);
	else if (target.kind == UE_DYNAMIC)
		put_dynamic(&t);
	else if (target.kind == UE_FORMAT)
		put_format(&t, target.number);
	else if (target.kind == UE_ENABLE)
		put_enable(&t, target.number);
	else if (target.kind == UE_ID)
		put(&t, "%u\n", (unsigned int)(UE_FIRST_ID + target.number));
	ue_unlock_registry();
	if (t.failed) {
		free(t.ptr);
		return NULL;
	}
	*len = t.len;
	return t.ptr;
}
