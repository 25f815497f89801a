/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns records of rings into events of the trace. It gives each event type an id and a format
 * when its first record comes, converts times, and hands events to the writer's tdat_emit.
 * Records come from memory that programs can write: lengths and indexes are checked again here.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <tdat/define.h>
#include <tdat/user_events.h>

#include "core/grow.h"
#include "recorder.h"
#include "terminal/message.h"

enum { SPOILED = UINT16_MAX }; /* instead of an id */

/* The facts of this machine, as the programs run on it. Times are those of CLOCK_MONOTONIC. */
int record_emit_info(struct record_session *s)
{
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct utsname name;
	char text[4 * sizeof(name.release)];

	info.big_endian = TDAT_HOST_BIG_ENDIAN;
	info.long_size = sizeof(long);
	/* The trace has pages of 4 KiB on every machine: see UE_RECORD_MAX. */
	info.page_size = 4096;
	info.cpu_count = s->cpu_count;
	info.clock = "mono";
	if (!uname(&name)) {
		snprintf(text, sizeof(text), "%s %s %s %s", name.sysname, name.nodename,
			 name.release, name.machine);
		info.uname = text;
	}
	if (tdat_emit_info(s->emit, &info, &err))
		return cli_fail(NULL, &err);
	return CLI_OK;
}

/* True if an event of the trace has the name already. */
static bool is_taken(const struct record_session *s, const char *name)
{
	for (size_t i = 0; i < s->name_count; i++)
		if (!strcmp(s->names[i], name))
			return true;
	return false;
}

/*
 * Writes the name for the trace: one that trace-cmd reads has letters, digits and '_' only, so
 * that "test.0" becomes "test_0".
 */
static int choose_name(struct record_session *s, const char *own, char name[UE_NAME_LEN])
{
	size_t len;

	snprintf(name, UE_NAME_LEN, "%.*s", UE_NAME_LEN - 8, own);
	for (char *p = name; *p; p++)
		if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
		      (*p >= '0' && *p <= '9')))
			*p = '_';
	len = strlen(name);
	/*
	 * An event that was deleted and came back with other fields keeps its name. Only names that
	 * were changed need a number, as they may now equal another one.
	 */
	for (unsigned int i = 1; strcmp(name, own) && is_taken(s, name) && i < 10000; i++)
		snprintf(name + len, UE_NAME_LEN - len, "_%u", i);
	if (!TDAT_GROW(s->names, &s->name_cap, s->name_count + 1))
		return cli_nomem();
	memcpy(s->names[s->name_count++], name, UE_NAME_LEN);
	return CLI_OK;
}

/* Makes the format that tracefs would show with another name, which is in the first line only. */
static char *format_of(const struct tdat_user_event *parsed, const char *name, uint16_t id,
		       size_t *len)
{
	size_t old = strlen(tdat_user_event_name(parsed)), fresh = strlen(name);
	size_t all = tdat_user_event_format(parsed, id, NULL, 0), head = strlen("name: ");
	char *text = malloc(all + fresh + 1);

	if (!text)
		return NULL;
	tdat_user_event_format(parsed, id, text, all + 1);
	/* The text is moved behind "name: " by the difference of both lengths. */
	memmove(text + head + fresh, text + head + old, all - head - old + 1);
	memcpy(text + head, name, fresh);
	*len = all - old + fresh;
	return text;
}

/* The name that tracefs shows, and the registry has beside the definition. */
static void name_of(const struct ue_event *e, const struct tdat_user_event *parsed,
		    char name[UE_NAME_LEN])
{
	const char *plain = tdat_user_event_name(parsed);

	if (e->is_multi)
		snprintf(name, UE_NAME_LEN, "%s.%x", plain, (unsigned int)e->multi_number);
	else
		snprintf(name, UE_NAME_LEN, "%s", plain);
}

/* Reports an event whose definition is none; all that is written of it is lost. */
static int spoiled(struct record_session *s, uint32_t number, const struct tdat_error *err)
{
	if (err->status == TDAT_E_NOMEM || err->status == TDAT_E_SYSTEM)
		return cli_fail(NULL, err);
	cli_error("user-events record",
		  "a program overwrote the recorder's memory (the definition of event %u): this "
		  "event's writes are lost",
		  (unsigned int)number);
	s->ids[number] = SPOILED;
	return CLI_OK;
}

/* Nothing in the shared memory is taken for sound, because a program can write anything into it. */
static int emit_format(struct record_session *s, uint32_t number)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_user_event *parsed = NULL;
	struct ue_event e = s->shared->events[number];
	uint16_t id = (uint16_t)(UE_FIRST_ID + number);
	char own[UE_NAME_LEN], name[UE_NAME_LEN], *text;
	size_t len = 0;
	int rc;

	e.name[sizeof(e.name) - 1] = '\0';
	e.command[sizeof(e.command) - 1] = '\0';
	if (tdat_user_event_parse(&parsed, e.command, &err))
		return spoiled(s, number, &err);
	name_of(&e, parsed, own);
	if (strcmp(own, e.name) != 0) {
		tdat_user_event_free(parsed);
		return spoiled(s, number, &err);
	}
	rc = choose_name(s, own, name);
	text = rc ? NULL : format_of(parsed, name, id, &len);
	if (!rc && !text)
		rc = cli_nomem();
	if (!rc && tdat_emit_format(s->emit, e.is_multi ? "user_events_multi" : "user_events", text,
				    len, &s->ids[number], &err))
		rc = spoiled(s, number, &err);
	free(text);
	tdat_user_event_free(parsed);
	return rc;
}

/* Hands one event to the writer. *ev was checked by rings.c, or comes from notify_calls.c. */
static int hand_over(struct record_session *s, const struct record_event *ev, uint16_t id,
		     uint64_t lost)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	uint8_t record[8 + UE_RECORD_MAX] = {0};
	struct tdat_emit_event out = {.cpu = ev->cpu, .ts = ev->ts_ns};

	/* The common fields: u16 type, u8 flags and u8 preempt_count (both zero), s32 pid. */
	memcpy(record, &id, sizeof(id));
	memcpy(record + 4, &ev->tid, sizeof(ev->tid));
	memcpy(record + 8, ev->payload, ev->payload_len);
	out.lost_before = (int64_t)lost;
	out.record = (struct tdat_span){record, 8 + ev->payload_len};
	if (tdat_emit_event(s->emit, &out, &err))
		return cli_fail(NULL, &err);
	s->lost += lost;
	return CLI_OK;
}

/* Events of a spoiled type become losses of the next event that can be written. */
int record_emit_event(struct record_session *s, const struct record_event *event)
{
	struct record_event ev = *event;
	uint64_t lost = ev.lost + s->pending_lost;
	int rc = CLI_OK;

	if (!s->ids[ev.event])
		rc = emit_format(s, ev.event);
	if (rc)
		return rc;
	if (s->ids[ev.event] == SPOILED) {
		s->pending_lost = lost + 1;
		return CLI_OK;
	}
	/*
	 * Only a record that took long to write can come behind one with a later time. It gets that
	 * later time, at which it was still being written.
	 */
	if (ev.ts_ns < s->last_ns)
		ev.ts_ns = s->last_ns;
	s->last_ns = ev.ts_ns;
	s->pending_lost = 0;
	s->events++;
	return hand_over(s, &ev, s->ids[ev.event], lost);
}

/* Called when a ring is first seen, and again from time to time, as threads rename themselves. */
int record_note_comm(struct record_session *s, int32_t tid, const char comm[16])
{
	struct record_comm *c = NULL;

	/* From the end, where the threads are that started last. */
	for (size_t i = s->comm_count; i-- && !c;)
		if (s->comms[i].tid == tid)
			c = &s->comms[i];
	if (!c) {
		if (!TDAT_GROW(s->comms, &s->comm_cap, s->comm_count + 1))
			return cli_nomem();
		c = &s->comms[s->comm_count++];
		c->tid = tid;
	}
	memcpy(c->comm, comm, sizeof(c->comm));
	c->comm[sizeof(c->comm) - 1] = '\0';
	return CLI_OK;
}

/*
 * A loss is told by the event behind it. At the end of the trace an event is added that tells the
 * last loss and nothing else.
 */
static int emit_last_loss(struct record_session *s)
{
	static const struct tdat_field_def field = {"u64", "count", 0, 0, 0, false};
	struct tdat_error err = TDAT_ERROR_INIT;
	uint64_t count = s->pending_lost;
	struct record_event ev = {.ts_ns = record_now_ns(),
				  .payload = (const uint8_t *)&count,
				  .payload_len = sizeof(count)};
	uint16_t id;

	if (!count)
		return CLI_OK;
	if (ev.ts_ns < s->last_ns)
		ev.ts_ns = s->last_ns;
	if (tdat_emit_define(s->emit, "tdat", "lost_events", &field, 1, NULL, &id, &err))
		return cli_fail(NULL, &err);
	s->pending_lost = 0;
	return hand_over(s, &ev, id, count);
}

/* Called once, after the last event. Names come last because threads can still change them. */
int record_emit_end(struct record_session *s)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	int rc;

	s->pending_lost += atomic_exchange(&s->shared->lost_without_ring, 0);
	rc = emit_last_loss(s);
	for (size_t i = 0; i < s->comm_count && !rc; i++)
		if (tdat_emit_comm(s->emit, s->comms[i].tid, s->comms[i].comm, &err))
			rc = cli_fail(NULL, &err);
	return rc;
}
