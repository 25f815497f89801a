/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the text of the files: user_events_status, dynamic_events, and those of single events.
 * Text is made from the shared registry under its lock, as the kernel would print it now. Used
 * by the library for reads and by the recorder for notified ones.
 */
#include <stdlib.h>

#include <tdat/user_events.h>

#include "core/build.h"
#include "state.h"

static void put_status(struct tdat_build *t)
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
			tdat_build_printf(t, "%u:", (unsigned int)e->status);
		tdat_build_printf(t, "%s%s\n", e->name,
				  atomic_load(&e->enabled) ? " # Used by ftrace" : "");
	}
	tdat_build_printf(t, "\nActive: %u\nBusy: %u\n", active, busy);
	if (ue.is_early)
		tdat_build_printf(t, "Max: %d\n", UE_STATUS_LEN - UE_STATUS_FIRST);
}

static void put_dynamic(struct tdat_build *t)
{
	struct ue_shared *s = ue.shared;
	uint32_t count = atomic_load(&s->event_count);

	for (uint32_t i = 0; i < count; i++)
		if (s->events[i].is_live)
			tdat_build_printf(t, "u:%s\n", s->events[i].command);
}

static void put_format(struct tdat_build *t, uint32_t number)
{
	const uint16_t id = (uint16_t)(UE_FIRST_ID + number);
	struct tdat_user_event *parsed;
	size_t len;
	char *room;

	if (tdat_user_event_parse(&parsed, ue.shared->events[number].command, NULL))
		return;
	len = tdat_user_event_format(parsed, id, NULL, 0);
	room = (char *)tdat_build_room(t, len + 1);
	if (room)
		t->len += tdat_user_event_format(parsed, id, room, len + 1);
	tdat_user_event_free(parsed);
}

static void put_enable(struct tdat_build *t, uint32_t number)
{
	struct ue_shared *s = ue.shared;
	uint32_t count = atomic_load(&s->event_count), on = 0, live = 0;

	for (uint32_t i = 0; i < count; i++)
		if (s->events[i].is_live && (number == UE_ALL || number == i)) {
			live++;
			on += atomic_load(&s->events[i].enabled) ? 1 : 0;
		}
	tdat_build_printf(t, "%s\n", !on ? "0" : on == live ? "1" : "X");
}

/* An unknown kind has an empty text. */
char *ue_text(struct ue_target target, size_t *len)
{
	struct tdat_build t;

	tdat_build_init(&t, false);
	tdat_build_room(&t, 1); /* an empty text is one, too */
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
		tdat_build_printf(&t, "%u\n", (unsigned int)(UE_FIRST_ID + target.number));
	ue_unlock_registry();
	if (t.failed)
		tdat_build_fini(&t);
	*len = t.len;
	return (char *)t.ptr;
}
