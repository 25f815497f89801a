/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps the JSON of what all events begin with behind their time: CPU, task and flags, which events
 * that follow each other on a CPU often share. It belongs to one thread.
 */
#ifndef EXPORT_JSON_HEAD_H
#define EXPORT_JSON_HEAD_H

#include <string.h>

#include <tdat/iter.h>

#include "core/build.h"

enum { EXPORT_HEAD_BITS = 6, EXPORT_HEAD_TEXT = 128, EXPORT_HEAD_FLAGS = 8 };

struct export_head {
	const uint8_t *comm; /* names of tasks never move; NULL: the slot is empty */
	size_t comm_len;
	uint32_t input, buffer, cpu;
	int32_t pid;
	uint64_t flags;
	size_t len;
	uint8_t text[EXPORT_HEAD_TEXT];
};

/* All zero: none. */
struct export_heads {
	struct export_head slots[1 << EXPORT_HEAD_BITS];
};

/*
 * Finds the text of an event's head. False: there is none yet, and *head takes it, if it is not
 * NULL.
 */
static inline bool export_head_find(struct export_heads *heads, const struct tdat_event *ev,
				    struct tdat_span flags, struct export_head **head)
{
	uint64_t word = 0, hash;
	struct export_head *h;

	*head = NULL;
	if (flags.len > EXPORT_HEAD_FLAGS || !ev->comm.ptr)
		return false;
	memcpy(&word, flags.ptr, flags.len);
	hash = (word ^ (uint64_t)ev->cpu << 48 ^ (uint32_t)ev->pid) * UINT64_C(0x9e3779b97f4a7c15);
	h = &heads->slots[hash >> (64 - EXPORT_HEAD_BITS)];
	*head = h;
	if (h->comm == ev->comm.ptr && h->comm_len == ev->comm.len && h->flags == word &&
	    h->pid == ev->pid && h->cpu == ev->cpu && h->buffer == ev->buffer &&
	    h->input == ev->input)
		return true;
	*h = (struct export_head){NULL,	   ev->comm.len, ev->input, ev->buffer, ev->cpu,
				  ev->pid, word,	 0,	    {0}};
	return false;
}

/* Keeps the text that was made for the event of export_head_find. */
static inline void export_head_keep(struct export_head *head, const struct tdat_event *ev,
				    const uint8_t *text, size_t len)
{
	if (!head || len > EXPORT_HEAD_TEXT)
		return;
	memcpy(head->text, text, len);
	head->len = len;
	head->comm = ev->comm.ptr;
}

/* A copy of fixed length takes fewer steps; what is behind the text is overwritten. */
static inline void export_head_put(const struct export_head *head, struct tdat_build *out)
{
	uint8_t *room = tdat_build_room(out, EXPORT_HEAD_TEXT);

	if (!room)
		return;
	memcpy(room, head->text, EXPORT_HEAD_TEXT);
	out->len += head->len;
}

#endif
