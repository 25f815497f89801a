/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds which tasks of a host are the CPUs of a guest, where the files of both are inputs: option
 * GUEST of the host has the guest's trace id, that of its option TRACEID, and the pid of each
 * virtual CPU. So a task of a guest is followed into the host (critical_walk.c).
 */
#include <string.h>

#include <tdat/file_option.h>

#include "critical.h"

enum { VCPUS_MOST = 1 << 16 };

/* What an option says, as it is taken apart. */
struct reading {
	struct critical *c;
	uint64_t trace_id, wanted, cpu;
	uint32_t guest, guest_count, host, host_count;
};

static void take_number(void *ctx, const char *key, uint64_t value, bool hex)
{
	struct reading *r = ctx;

	(void)hex;
	if (!strcmp(key, "trace_id"))
		r->trace_id = value;
	else if (!strcmp(key, "cpu"))
		r->cpu = value;
}

/* Each pid ends a virtual CPU; the trace id of its guest comes before. */
static void take_pid(void *ctx, const char *key, int64_t value)
{
	struct reading *r = ctx;

	if (strcmp(key, "pid") != 0 || r->trace_id != r->wanted)
		return;
	for (uint32_t i = 0; i < r->guest_count; i++) {
		struct critical_vcpu *v = derived_entry_get(
			&r->c->state, &r->c->vcpus, (const uint64_t[]){r->guest + i, r->cpu});

		if (!v)
			return;
		v->host = r->host;
		v->host_count = r->host_count;
		v->pid = (int32_t)value;
	}
}

static void take_options(struct reading *r, const struct tdat_file *file, uint16_t id)
{
	const struct tdat_file_option_visitor visitor = {.size = sizeof(visitor),
							 .ctx = r,
							 .number = take_number,
							 .signed_number = take_pid};
	size_t count;
	const struct tdat_file_option *options = tdat_file_options(file, &count);

	for (size_t i = 0; i < count; i++)
		if (options[i].id == id)
			tdat_file_option_decode(file, &options[i], &visitor, NULL);
}

/* The recordings of the input of rec, which is the first one. */
static uint32_t recordings(const struct critical *c, uint32_t rec)
{
	const uint32_t all = derived_rec_count(c->state.out);
	uint32_t n = 1;

	while (rec + n < all &&
	       derived_rec_input(c->state.out, rec + n) == derived_rec_input(c->state.out, rec))
		n++;
	return n;
}

void critical_find_vcpus(struct critical *c)
{
	const uint32_t all = derived_rec_count(c->state.out);

	tdat_entries_init(&c->vcpus, sizeof(struct critical_vcpu), 2, VCPUS_MOST);
	for (uint32_t guest = 0; guest < all; guest += recordings(c, guest)) {
		struct reading r = {.c = c, .guest = guest, .guest_count = recordings(c, guest)};

		take_options(&r, derived_rec_input(c->state.out, guest)->file, TDAT_OPTION_TRACEID);
		r.wanted = r.trace_id;
		for (uint32_t host = 0; r.wanted && host < all; host += r.host_count) {
			r.host = host;
			r.host_count = recordings(c, host);
			r.trace_id = 0;
			if (host != guest)
				take_options(&r, derived_rec_input(c->state.out, host)->file,
					     TDAT_OPTION_GUEST);
		}
	}
}
