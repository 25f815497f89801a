/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is compared: families of rows, each with its table, kind and key, and those of the pairs of
 * the command line. The values in a row's key columns find a group, as for other summaries, and the
 * group finds the key here: many tasks are one key, where digits of names are folded. Called by
 * diff.c, and by diff_take.c for rows.
 */
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "summary.h"
#include "table/derived.h"
#include "table/trace.h"

/* In the order in which they are listed. Families of one table stand together. */
static const struct diff_family families[] = {
	{"event", "events", DIFF_COUNT, DIFF_ALL, false, false, 2, {DIFF_SYSTEM, DIFF_EVENT}, '/'},
	{"on_cpu", "sched", DIFF_TIME, DIFF_BUSY, false, true, 0, {0}, 0},
	{"cpu_busy", "sched", DIFF_TIME, DIFF_BUSY, true, false, 0, {0}, 0},
	{"switches", "sched", DIFF_COUNT, DIFF_ALL, true, false, 0, {0}, 0},
	{"wait", "thread_state", DIFF_TIME, DIFF_WAITING, false, true, 0, {0}, 0},
	{"blocked", "thread_state", DIFF_TIME, DIFF_BLOCKED, false, true, 0, {0}, 0},
	{"migrations", "migration", DIFF_COUNT, DIFF_ALL, true, false, 0, {0}, 0},
	{"cpu_idle", "cpu_idle", DIFF_TIME, DIFF_ALL, true, false, 1, {DIFF_STATE}, 0},
	{"cpu_frequency", "cpu_frequency", DIFF_TIME, DIFF_ALL, true, false, 1, {DIFF_KHZ}, 0},
	{"wakeup", "wakeup", DIFF_VALUES, DIFF_ALL, false, true, 0, {0}, 0},
	{"irq", "irq", DIFF_VALUES, DIFF_ALL, true, false, 2, {DIFF_NAME, DIFF_IRQ}, 0},
	{"softirq", "softirq", DIFF_VALUES, DIFF_ALL, true, false, 1, {DIFF_NAME}, 0},
	{"syscall", "syscall", DIFF_VALUES, DIFF_ALL, false, false, 2, {DIFF_NAME, DIFF_NR}, 0},
	{"block_io",
	 "block_io",
	 DIFF_VALUES,
	 DIFF_ALL,
	 false,
	 false,
	 2,
	 {DIFF_DEV, DIFF_RWBS},
	 ' '},
	{"function", "function", DIFF_VALUES, DIFF_ALL, false, false, 1, {DIFF_FUNC}, 0},
};
enum { FAMILIES = sizeof(families) / sizeof(families[0]) };

/* Makes room for count families. */
static bool make_room(struct tdat_diff *d, size_t count)
{
	bool good = TDAT_GROW_ZERO(d->families, &d->family_cap, count) &&
		    TDAT_GROW_ZERO(d->groups, &d->group_cap, count);

	for (size_t side = 0; side < DIFF_SIDES && good; side++)
		good = TDAT_GROW_ZERO(d->sides[side].rows, &d->sides[side].row_cap, count);
	return good;
}

static bool add_family(struct tdat_diff *d, const struct diff_family *def)
{
	const size_t i = d->family_count;
	struct diff_family *f;

	if (!make_room(d, i + 1))
		return false;
	f = &d->families[i];
	*f = *def;
	if (f->by_task) {
		f->parts[f->part_count++] = DIFF_COMM;
		if (d->opts.by_pid)
			f->parts[f->part_count++] = DIFF_PID;
		f->join = '-';
	}
	summary_groups_init(&d->groups[i].groups, f->what, f->part_count);
	d->family_count++;
	return true;
}

bool diff_families(struct tdat_diff *d)
{
	bool good = true;

	for (size_t i = 0; i < FAMILIES && good; i++)
		good = add_family(d, &families[i]);
	return good;
}

/* Pairs are keyed by task, as their fields are of any kind. */
bool diff_pairs(struct tdat_diff *d, const struct tdat_trace *trace)
{
	size_t count;
	const struct tdat_table *all = tdat_trace_tables(trace, &count);

	for (size_t i = 0; i < count; i++) {
		const struct table_derived *def = trace->facts[i].derived;
		struct diff_family f = {.kind = DIFF_VALUES, .by_task = true};
		struct tdat_build needs;
		char *name;

		if (all[i].kind != TDAT_TABLE_DERIVED || all[i].about.summary)
			continue;
		name = TDAT_GROW(d->pairs, &d->pair_cap, d->pair_count + 1) ? strdup(all[i].name)
									    : NULL;
		if (!name)
			return false;
		d->pairs[d->pair_count++] = name;
		f.what = f.table = name;
		tdat_build_init(&needs, false);
		for (size_t k = 0; k < def->event_count; k++)
			tdat_build_printf(&needs, "%s%s", k ? " " : "", def->events[k].name);
		name = tdat_build_text(&needs);
		if (!name || !TDAT_GROW(d->pairs, &d->pair_cap, d->pair_count + 1)) {
			free(name);
			return false;
		}
		d->pairs[d->pair_count++] = name;
		if (!add_family(d, &f))
			return false;
		d->groups[d->family_count - 1].needs = name;
	}
	return true;
}

void diff_families_fini(struct tdat_diff *d)
{
	for (size_t i = 0; i < d->family_count; i++) {
		summary_groups_fini(&d->groups[i].groups);
		free(d->groups[i].keys);
	}
	for (size_t i = 0; i < d->pair_count; i++)
		free(d->pairs[i]);
	free(d->pairs);
	free(d->groups);
	free(d->families);
}

/* ---- what was recorded ---- */

/* Whether a side has an event of one of the names "a|b"; '*' ends one of any such. */
static bool has_event(const struct tdat_diff *d, int side, const char *names, const char *end)
{
	for (uint32_t key = 0; key < d->key_count; key++) {
		const struct tdat_span text = diff_key_text(d, key);

		if (d->keys[key].family != DIFF_EVENTS || !d->keys[key].sides[side].rows)
			continue;
		for (const char *p = names; p < end;) {
			const size_t n = strcspn(p, "| ");
			const bool begins = n && p[n - 1] == '*';

			if (begins ? text.len >= n - 1 && !memcmp(text.ptr, p, n - 1)
				   : text.len == n && !memcmp(text.ptr, p, n))
				return true;
			p += n + 1;
		}
	}
	return false;
}

bool diff_was_recorded(const struct tdat_diff *d, size_t family, int side)
{
	const char *p = d->groups[family].needs;

	if (d->sides[side].rows[family] || !p)
		return d->sides[side].rows[family];
	for (size_t n; *p; p += n + (p[n] == ' ')) {
		n = strcspn(p, " ");
		if (!has_event(d, side, p, p + n))
			return false;
	}
	return true;
}

/* ---- keys of rows ---- */

/* The text of a group: its parts with the family's character between, or the first one known. */
static void put_text(const struct tdat_diff *d, size_t family, size_t group, struct tdat_build *out)
{
	const struct diff_family *f = &d->families[family];
	const struct summary_groups *g = &d->groups[family].groups;

	for (size_t i = 0; i < f->part_count; i++) {
		const struct tdat_span part = summary_groups_part(g, group, i, NULL);

		if (i && f->join)
			tdat_build_u8(out, (uint8_t)f->join);
		if (f->by_task && !d->opts.by_pid)
			diff_fold(out, part);
		else if (part.ptr)
			tdat_build_bytes(out, part.ptr, part.len);
		if (!f->join && part.ptr)
			return;
	}
	/* An event whose format is unknown. */
	if (f->join == '/' && out->len == 1)
		tdat_build_str(out, "unknown");
}

/* The key of a group, which is remembered. False: no memory. */
bool diff_group_key(struct tdat_diff *d, size_t family, size_t group, uint32_t *key)
{
	struct diff_groups *g = &d->groups[family];
	struct tdat_build text;

	*key = DIFF_NO_KEY;
	if (summary_groups_are_others(&g->groups, group))
		return true;
	if (!TDAT_GROW_ZERO(g->keys, &g->cap, group + 1))
		return false;
	if (!g->keys[group]) {
		tdat_build_init(&text, false);
		put_text(d, family, group, &text);
		*key = text.failed ? DIFF_NO_KEY
				   : diff_key_of(d, (uint32_t)family,
						 (struct tdat_span){text.ptr, text.len});
		d->pool.failed |= text.failed;
		tdat_build_fini(&text);
		/* Where there is no room for the key there is none later. */
		g->keys[group] = *key == DIFF_NO_KEY ? DIFF_NO_KEY : *key + 1;
	}
	*key = g->keys[group] == DIFF_NO_KEY ? DIFF_NO_KEY : g->keys[group] - 1;
	return !d->pool.failed;
}
