/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints the entries of a histogram as the tracefs file "hist" has them. The text is the
 * kernel's to the byte, for the version that the session asks for. Entries come sorted from
 * sort.c; this file does no input or output of its own, it appends to a struct tdat_build.
 * Called by write.c and view.c.
 */
#include "print.h"

#include "core/number.h"
#include "field.h"
#include "core/syscalls.h"
#include "symbols.h"
#include "tasks.h"

/* "name: " and a number, right-aligned in 10 columns; printf would take longer than counting. */
static void put_number(struct tdat_build *out, const char *before, const char *name, uint64_t v)
{
	char digits[TDAT_NUMBER_MAX], *end = digits + sizeof(digits);
	const char *start = tdat_number_dec(end, v);
	const size_t len = (size_t)(end - start);

	tdat_build_str(out, before);
	tdat_build_str(out, name);
	tdat_build_bytes(out, ": ", 2);
	if (len < 10)
		tdat_build_fill(out, ' ', 10 - len);
	tdat_build_bytes(out, start, len);
}

/* ---- keys ---- */

/* One line per frame, the innermost first. Frame 0 ends a stack that is shorter than its key. */
static void print_stack(struct tdat_hist *h, const struct hist_field *f, const uint8_t *at,
			struct tdat_build *out)
{
	const uint32_t w = h->long_len;

	if (f->field)
		tdat_build_printf(out, "%s.stacktrace", f->field->name);
	else
		tdat_build_str(out, h->kernel.new_words ? "common_stacktrace:\n" : "stacktrace:\n");
	for (uint32_t i = 0; i < HIST_FRAMES && (i + 1) * w <= f->size; i++) {
		const uint64_t addr = tdat_load_uint(at + (size_t)i * w, w, h->big);

		if (!addr)
			return;
		tdat_build_fill(out, ' ', 9);
		hist_syms_put(h, out, addr, true, 0);
		tdat_build_str(out, "\n");
	}
}

static void print_text(struct tdat_build *out, const void *text, size_t len, size_t width)
{
	const size_t start = out->len;

	tdat_build_bytes(out, text, len);
	hist_pad(out, start, width);
}

/*
 * Prints a key. Flags are tested in the kernel's order (hist_trigger_print_key()), as several may
 * be set.
 */
static void print_key(struct tdat_hist *h, const struct hist_field *f, const uint8_t *at,
		      uint32_t task, struct tdat_build *out)
{
	const unsigned long long v = tdat_load64(at, h->big);
	const char *name = f->flags & HF_STACKTRACE ? "" : hist_field_name(h, f);
	struct tdat_span s;

	if (f->flags & HF_HEX) {
		tdat_build_printf(out, "%s: %llx", name, v);
	} else if (f->flags & (HF_SYM | HF_SYM_OFFSET)) {
		/* The width of %-45s and %-55s in the kernel. */
		tdat_build_printf(out, "%s: [%llx] ", name, v);
		hist_syms_put(h, out, v, f->flags & HF_SYM_OFFSET,
			      f->flags & HF_SYM_OFFSET ? 55 : 45);
	} else if (f->flags & HF_EXECNAME) {
		s = hist_tasks_shown(h, task);
		tdat_build_printf(out, "%s: ", name);
		print_text(out, s.ptr, s.len, 16);
		tdat_build_printf(out, "[%10llu]", v);
	} else if (f->flags & HF_SYSCALL) {
		const char *call = tdat_syscall_function(h->syscalls, (uint32_t)v);

		tdat_build_printf(out, "%s: %-30s[%3llu]", name, call ? call : "unknown_syscall",
				  v);
	} else if (f->flags & HF_STACKTRACE) {
		print_stack(h, f, at, out);
	} else if (f->flags & HF_LOG2) {
		tdat_build_printf(out, "%s: ~ 2^%-2llu", name, v);
	} else if (f->flags & HF_BUCKET) {
		tdat_build_str(out, name);
		tdat_build_bytes(out, ": ~ ", 4);
		tdat_number_u64(out, v);
		tdat_build_bytes(out, "-", 1);
		tdat_number_u64(out, v + f->buckets - 1);
	} else if (f->flags & HF_STRING) {
		tdat_build_printf(out, "%s: ", name);
		print_text(out, at, strnlen((const char *)at, f->size), 50);
	} else {
		put_number(out, "", name, v);
	}
}

void hist_print_keys(struct tdat_hist *h, const struct hist_data *d, const uint8_t *key,
		     uint32_t task, struct tdat_build *out)
{
	bool lines = false;

	tdat_build_str(out, "{ ");
	for (uint32_t i = d->val_count; i < d->field_count; i++) {
		if (i > d->val_count)
			tdat_build_str(out, ", ");
		print_key(h, d->fields[i], key + d->fields[i]->off, task, out);
		/* hex and the like win over a stack, as in print_key. */
		lines |= (d->fields[i]->flags & HF_STACKTRACE) != 0;
	}
	tdat_build_str(out, lines ? "}" : " }");
}

/* ---- values ---- */

/* The kernel's __get_percentage(): large values are divided first, so that nothing overflows. */
uint32_t hist_share(uint64_t v, uint64_t of)
{
	if (of && v < UINT64_MAX / 10000)
		return (uint32_t)(v * 10000 / of);
	of /= 10000;
	if (of)
		return (uint32_t)(v / of);
	return v ? UINT32_MAX : 0;
}

/* 20 columns of "#" by the share of the largest value; [ERROR] without one. */
void hist_print_graph(uint64_t v, uint64_t max, char out[HIST_GRAPH + 1])
{
	const uint32_t share = hist_share(v, max);
	uint32_t len = share / (10000 / HIST_GRAPH);

	if (share == UINT32_MAX) {
		memcpy(out, "[ERROR]", sizeof("[ERROR]"));
		return;
	}
	len = len > HIST_GRAPH ? HIST_GRAPH : len;
	memset(out, '#', len);
	memset(out + len, ' ', HIST_GRAPH - len);
	out[HIST_GRAPH] = '\0';
}

/* Sums and maxima of all values, for .percent and .graph. Only entries in the table count. */
void hist_totals(const struct hist_data *d, struct hist_total totals[HIST_VALS])
{
	const uint32_t vals = d->val_count - d->var_count;

	memset(totals, 0, HIST_VALS * sizeof(*totals));
	for (uint32_t i = 0; i < d->map->index.count; i++) {
		const uint64_t *sums = hist_entry_sums(d->map, hist_map_entry(d->map, i));

		for (uint32_t k = 0; k < vals; k++) {
			totals[k].sum += sums[k];
			if (totals[k].max < sums[k])
				totals[k].max = sums[k];
		}
	}
}

/* Prints " NAME: VALUE"; hitcount too, with no flags. */
static void print_value(const char *name, uint32_t flags, uint64_t v, const struct hist_total *t,
			struct tdat_build *out)
{
	char graph[HIST_GRAPH + 1];
	uint32_t share;

	if (flags & HF_PERCENT) {
		share = hist_share(v, t->sum);
		if (share == UINT32_MAX)
			tdat_build_printf(out, " %s (%%):[ERROR]", name);
		else
			tdat_build_printf(out, " %s (%%): %3u.%02u", name, share / 100,
					  share % 100);
	} else if (flags & HF_GRAPH) {
		hist_print_graph(v, t->max, graph);
		tdat_build_printf(out, " %s: %20s", name, graph);
	} else if (flags & HF_HEX) {
		tdat_build_printf(out, " %s: %10llx", name, (unsigned long long)v);
	} else {
		put_number(out, " ", name, v);
	}
}

static void print_values(struct tdat_hist *h, const struct hist_data *d, const uint64_t *sums,
			 const struct hist_total *totals, struct tdat_build *out)
{
	if (!d->attrs.no_hitcount)
		print_value("hitcount", 0, sums[0], totals, out);
	for (uint32_t i = 1; i < d->val_count; i++) {
		const struct hist_field *f = d->fields[i];

		/* Expressions are values of variables; the kernel prints neither. */
		if (f->flags & (HF_VAR | HF_EXPR))
			continue;
		tdat_build_str(out, " ");
		print_value(hist_field_name(h, f), f->flags, sums[i], &totals[i], out);
	}
}

/* ---- what onmax and onchange keep ---- */

/* "  NAME: VALUE" of save(), as the entry had them when onmax or onchange fired last. */
static void print_saved(const struct hist_data *d, const struct hist_vars *vars,
			struct tdat_build *out)
{
	for (uint32_t i = 0; i < d->save_var_count; i++) {
		const struct hist_field_var *s = &d->save_vars[i];
		const struct hist_value *v = &vars->v[s->var->var_idx];

		tdat_build_printf(out, "  %s: ", s->var->var_name);
		if (s->val->flags & HF_STRING)
			print_text(out, v->str ? (const void *)v->str->u.text : "",
				   v->str ? v->str->len : 0, 32);
		else
			tdat_build_printf(out, "%10llu", (unsigned long long)v->num);
	}
}

/* A line for each onmax and onchange. Snapshots follow the histogram (write.c). */
static void print_actions(const struct hist_data *d, uint8_t *entry, struct tdat_build *out)
{
	for (uint32_t i = 0; i < d->action_count; i++) {
		const struct hist_action *a = d->actions[i];
		const struct hist_vars *vars;

		if (a->kind == HIST_SNAPSHOT || a->handler == HIST_ONMATCH)
			continue;
		vars = hist_entry_vars(d->map, entry);
		tdat_build_printf(out, "\n\t%s: %10llu",
				  a->handler == HIST_ONMAX ? "max" : "changed",
				  (unsigned long long)vars->v[a->track_idx].num);
		print_saved(d, vars, out);
	}
}

void hist_print_entry(struct tdat_hist *h, const struct hist_data *d, uint8_t *entry,
		      const struct hist_total *totals, struct tdat_build *out)
{
	const uint32_t task = d->execname ? *hist_entry_task(d->map, entry) : 0;

	hist_print_keys(h, d, entry, task, out);
	print_values(h, d, hist_entry_sums(d->map, entry), totals, out);
	print_actions(d, entry, out);
	tdat_build_str(out, "\n");
}
