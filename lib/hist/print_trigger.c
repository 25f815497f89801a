/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints the line of a trigger as the tracefs file "trigger" has it. The kernel prints a
 * trigger in a form of its own, with defaults filled in: keys, values, sort keys, size,
 * actions, filter. The text is made of the parsed trigger, not of the user's.
 */
#include "field.h"
#include "print.h"

/* Also the column name of tables and JSON (view.c). */
void hist_print_field(struct tdat_hist *h, const struct hist_field *f, struct tdat_build *out)
{
	const char *modifier = NULL;

	if (f->var_name)
		tdat_build_printf(out, "%s=", f->var_name);
	if (f->flags & HF_CPU)
		tdat_build_str(out, "common_cpu");
	else if (f->flags & HF_CONST)
		tdat_build_printf(out, "%llu", (unsigned long long)f->constant);
	else
		tdat_build_printf(out, "%s%s", f->flags & (HF_VAR_REF | HF_ALIAS) ? "$" : "",
				  hist_field_name(h, f));
	/* References and expressions have modifiers in their names; print_key() handles stacks. */
	if (!(f->flags & (HF_VAR_REF | HF_EXPR | HF_STACKTRACE)))
		modifier = hist_field_modifier(f);
	if (modifier)
		tdat_build_printf(out, ".%s", modifier);
	if (f->buckets)
		tdat_build_printf(out, "=%llu", (unsigned long long)f->buckets);
}

/* A stack field is printed with its modifier, which is part of the kernel's text. */
static void print_key(struct tdat_hist *h, const struct hist_field *f, struct tdat_build *out)
{
	if (!(f->flags & HF_STACKTRACE))
		hist_print_field(h, f, out);
	else if (f->field)
		tdat_build_printf(out, "%s.stacktrace", f->field->name);
	else
		tdat_build_str(out, h->kernel.new_words ? "common_stacktrace" : "stacktrace");
}

/* ":vals=hitcount,a,b" and then ":x=..." with the variables. */
static void print_values(struct tdat_hist *h, const struct hist_data *d, struct tdat_build *out)
{
	const char *sep = "";

	tdat_build_str(out, ":vals=");
	for (uint32_t i = 0; i < d->val_count; i++) {
		if ((d->fields[i]->flags & HF_VAR) || (!i && d->attrs.no_hitcount))
			continue;
		tdat_build_str(out, sep);
		if (!i)
			tdat_build_str(out, "hitcount");
		else
			hist_print_field(h, d->fields[i], out);
		sep = ",";
	}
	sep = ":";
	for (uint32_t i = 0; i < d->val_count; i++) {
		if (!(d->fields[i]->flags & HF_VAR))
			continue;
		tdat_build_str(out, sep);
		hist_print_field(h, d->fields[i], out);
		sep = ",";
	}
}

static void print_sorts(struct tdat_hist *h, const struct hist_data *d, struct tdat_build *out)
{
	const uint32_t vals = d->val_count - d->var_count;

	tdat_build_str(out, ":sort=");
	for (uint32_t i = 0; i < d->sort_count; i++) {
		const struct hist_sort *s = &d->sorts[i];

		if (i)
			tdat_build_str(out, ",");
		/* Sort keys are numbered without variables, which lie between values and keys. */
		if (!s->idx)
			tdat_build_str(out, "hitcount");
		else
			hist_print_field(
				h, d->fields[s->idx >= vals ? s->idx + d->var_count : s->idx], out);
		if (s->descending)
			tdat_build_str(out, ".descending");
	}
}

/* Parameters of trace and names of save() are printed as the text had them. */
static void print_action(const struct hist_data *d, const struct hist_action *a,
			 struct tdat_build *out)
{
	const char *sep = "";

	if (a->handler == HIST_ONMATCH)
		tdat_build_printf(out, ":onmatch(%s.%s).%s(", a->match_system, a->match_event,
				  a->name);
	else
		tdat_build_printf(out, ":%s(%s).%s(",
				  a->handler == HIST_ONMAX ? "onmax" : "onchange", a->var_str,
				  a->name);
	if (a->kind == HIST_SAVE) {
		for (uint32_t i = 0; i < d->save_var_count; i++)
			tdat_build_printf(out, "%s%s", i ? "," : "", d->save_vars[i].var->var_name);
	} else if (a->kind == HIST_TRACE) {
		if (a->by_trace) {
			tdat_build_str(out, a->synth_name);
			sep = ",";
		}
		for (uint32_t i = 0; i < a->param_count; i++, sep = ",")
			tdat_build_printf(out, "%s%s", sep, a->params[i]);
	}
	tdat_build_str(out, ")");
}

/* The text can be written back to "trigger": it defines the same histogram. */
static void print_hist(struct tdat_hist *h, const struct hist_trigger *t, struct tdat_build *out)
{
	const struct hist_data *d = t->data;

	tdat_build_str(out, "hist:");
	if (t->name)
		tdat_build_printf(out, "%s:", t->name);
	tdat_build_str(out, "keys=");
	for (uint32_t i = d->val_count; i < d->field_count; i++) {
		if (i > d->val_count)
			tdat_build_str(out, ",");
		print_key(h, d->fields[i], out);
	}
	print_values(h, d, out);
	print_sorts(h, d, out);
	tdat_build_printf(out, ":size=%u", 1u << d->attrs.bits);
	if (d->stamps)
		tdat_build_printf(out, ":clock=%s", d->attrs.clock);
	if (d->attrs.no_hitcount)
		tdat_build_str(out, ":nohitcount");
	for (uint32_t i = 0; i < d->action_count; i++)
		print_action(d, d->actions[i], out);
	if (t->filter_str)
		tdat_build_printf(out, " if %s", t->filter_str);
	tdat_build_str(out, t->paused ? " [paused]\n" : " [active]\n");
}

void hist_print_trigger(struct tdat_hist *h, const struct hist_trigger *t, struct tdat_build *out)
{
	if (t->data) {
		print_hist(h, t, out);
		return;
	}
	tdat_build_printf(out, "%s:%s:%s", t->enable ? "enable_hist" : "disable_hist",
			  t->target->system, t->target->name);
	if (t->count < 0)
		tdat_build_str(out, ":unlimited");
	else
		tdat_build_printf(out, ":count=%lld", (long long)t->count);
	if (t->filter_str)
		tdat_build_printf(out, " if %s", t->filter_str);
	tdat_build_str(out, "\n");
}
