/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the keys, values and variables of a histogram, and what it is sorted by. The order is
 * the kernel's: values, variables, keys, then sort keys. All limits, such as the number of
 * values and keys, are the kernel's as well. Called by trigger.c; single words go to field.c,
 * expressions to expr.c.
 */
#include "trigger.h"

/* Modifiers that a variable may not have, and those that a value may not have. */
static uint32_t refused_flags(const struct tdat_hist *h, bool is_var)
{
	uint32_t flags = HF_BUCKET | HF_LOG2;

	if (is_var || !h->kernel.val_shares)
		flags |= HF_GRAPH | HF_PERCENT;
	if (!is_var)
		flags |= HF_SYM | HF_SYM_OFFSET | HF_SYSCALL | HF_STACKTRACE;
	return flags;
}

/* Makes a value, or a variable if var_name is given; both are stored among the values. */
static bool make_value(struct tdat_hist *h, struct hist_data *d, const char *var_name,
		       const char *text, uint32_t flags)
{
	char *copy = hist_strdup(h, text);
	struct hist_field *f;
	uint32_t depth = 0;

	if (!copy)
		return false;
	f = hist_field_expr(h, d, copy, flags, var_name, &depth);
	if (!f)
		return false;
	/* The kernel splits the text at the operators before it complains. */
	if (f->flags & refused_flags(h, f->flags & HF_VAR))
		return hist_refuse(h, HIST_E_MODIFIER, copy);
	d->fields[d->val_count++] = f;
	d->field_count++;
	return true;
}

/* Every histogram has it as its first value. */
static bool make_hitcount(struct tdat_hist *h, struct hist_data *d)
{
	struct hist_field *f = hist_field_new(h, d, NULL, HF_HITCOUNT, NULL);

	if (!f)
		return false;
	d->fields[d->val_count++] = f;
	d->field_count++;
	return true;
}

/* "vals=a,b": hitcount comes first, whether named or not. */
static bool make_values(struct tdat_hist *h, struct hist_data *d)
{
	char *rest = d->attrs.vals ? hist_strdup(h, d->attrs.vals) : NULL, *one;
	uint32_t hitcounts = 0;

	if (!make_hitcount(h, d))
		return false;
	/* At most HIST_VALS words are read; "hitcount" among them counts. */
	for (uint32_t i = 0; i < HIST_VALS && d->val_count < HIST_VALS; i++) {
		one = hist_cut(&rest, ",");
		if (!one)
			break;
		if (!strcmp(one, "hitcount") && (!h->kernel.new_words || !hitcounts++))
			continue;
		if (!make_value(h, d, NULL, one, 0))
			return false;
	}
	/* Words beyond the limit are an error without a text. */
	if (rest && strcmp(rest, "hitcount") != 0)
		return false;
	if (d->val_count == 1 && d->attrs.no_hitcount)
		return hist_refuse(h, HIST_E_NOHC, NULL);
	return true;
}

/* A variable of a task's name is a string. */
static void make_execname_string(struct hist_field *f)
{
	f->flags = HF_STRING | HF_VAR | HF_EXECNAME;
	f->size = HIST_STR;
	f->is_signed = false;
	f->type = "char[]";
	f->fn = HIST_FN_EXECNAME;
}

/* Variables come behind the values, so the sums of an entry have their indexes. */
static bool make_vars(struct tdat_hist *h, struct hist_data *d)
{
	for (uint32_t i = 0; i < d->attrs.var_count; i++) {
		const char *name = d->attrs.var_names[i];
		struct hist_field *f;

		/* A text that removes a trigger defines its variables again. */
		if (hist_var_on(d, name) && !h->removing)
			return hist_refuse(h, HIST_E_DUP_VAR, name);
		if (!make_value(h, d, name, d->attrs.var_exprs[i], HF_VAR))
			return false;
		f = d->fields[d->val_count - 1];
		d->var_count++;
		if (f->flags & HF_EXECNAME)
			make_execname_string(f);
		/* Strings are kept outside the entry's numbers, at texts[str_idx]. */
		if (f->flags & (HF_STRING | HF_STACKTRACE))
			f->str_idx = d->var_str_count++;
	}
	return true;
}

/* "stacktrace" is the event's kernel stack. Variables cannot be keys: they belong to entries. */
static struct hist_field *make_key_field(struct tdat_hist *h, struct hist_data *d, const char *text)
{
	char *copy = hist_strdup(h, text);
	struct hist_field *f;
	uint32_t depth = 0;

	if (!copy)
		return NULL;
	if (!strcmp(text, "stacktrace"))
		return hist_field_new(h, d, NULL, HF_KEY | HF_STACKTRACE, NULL);
	f = hist_field_expr(h, d, copy, HF_KEY, NULL, &depth);
	if (f && hist_field_has_vars(f, 0))
		return hist_refused(h, HIST_E_KEY_REF, copy);
	return f;
}

/* Appends a key. Its bytes start at a multiple of 8, as each key is padded to u64. */
static bool make_key(struct tdat_hist *h, struct hist_data *d, const char *text)
{
	struct hist_field *f = make_key_field(h, d, text);

	if (!f)
		return false;
	f->flags |= HF_KEY;
	f->size = (f->size + 7) & ~7u;
	f->off = d->key_len;
	d->key_len += f->size;
	/* The kernel's HIST_KEY_SIZE_MAX. It fails without a text. */
	if (d->key_len > HIST_STR + (uint32_t)HIST_FRAMES * h->long_len)
		return false;
	d->fields[d->field_count++] = f;
	d->key_count++;
	return true;
}

/* More than HIST_KEYS keys, or none, are an error without a text. */
static bool make_keys(struct tdat_hist *h, struct hist_data *d)
{
	char *rest = hist_strdup(h, d->attrs.keys), *one;

	while (d->key_count < HIST_KEYS && (one = hist_cut(&rest, ",")))
		if (!make_key(h, d, one))
			return false;
	return !rest && d->key_count;
}

/* Variables get their numbers last, when no further field can fail. */
bool hist_fields_make(struct tdat_hist *h, struct hist_data *d)
{
	if (!make_values(h, d) || !make_vars(h, d) || !make_keys(h, d))
		return false;
	for (uint32_t i = 0; i < d->field_count; i++) {
		struct hist_field *f = d->fields[i];

		if ((f->flags & HF_VAR) && !hist_var_index(d, &f->var_idx))
			return false;
		if (f->flags & HF_VAR)
			f->data = d;
		d->execname |= (f->flags & HF_EXECNAME) != 0;
	}
	return true;
}

/* ---- sort= ---- */

/* "ascending" or "descending"; NULL: ascending. */
static bool parse_direction(struct tdat_hist *h, const char *text, bool *descending)
{
	*descending = text && !strcmp(text, "descending");
	if (text && !*descending && strcmp(text, "ascending") != 0)
		return hist_refuse(h, HIST_E_SORT_MODIFIER, text);
	return true;
}

/* Returns the number of the value or key of that name, counted without variables; 0: not found. */
static uint32_t find_sort(struct tdat_hist *h, const struct hist_data *d, const char *name)
{
	uint32_t idx = 0;

	for (uint32_t i = 1; i < d->field_count; i++) {
		if (d->fields[i]->flags & HF_VAR)
			continue;
		idx++;
		if (!strcmp(hist_field_name(h, d->fields[i]), name))
			return idx;
	}
	return 0;
}

/* "NAME[.DIRECTION]". out->idx stays 0 for hitcount. */
static bool make_sort(struct tdat_hist *h, struct hist_data *d, char *text, struct hist_sort *out)
{
	const char *name = hist_cut(&text, ".");

	if (!*name)
		return hist_refuse(h, HIST_E_EMPTY_SORT, "sort=");
	if (strcmp(name, "hitcount") != 0) {
		out->idx = find_sort(h, d, name);
		if (!out->idx)
			return hist_refuse(h, HIST_E_SORT, name);
	}
	return parse_direction(h, text, &out->descending);
}

bool hist_sorts_make(struct tdat_hist *h, struct hist_data *d)
{
	char *rest = d->attrs.sort ? hist_strdup(h, d->attrs.sort) : NULL, *one;

	/* Without sort= the kernel sorts by hitcount, ascending. */
	d->sort_count = 1;
	if (!d->attrs.sort)
		return true;
	for (d->sort_count = 0; d->sort_count < HIST_SORTS; d->sort_count++) {
		one = hist_cut(&rest, ",");
		if (!one)
			break;
		if (!*one)
			return hist_refuse(h, HIST_E_EMPTY_SORT, "sort=");
		/* One word more than the limit is named in the error; the rest is not read. */
		if (d->sort_count == HIST_SORTS - 1 && rest)
			return hist_refuse(h, HIST_E_SORTS, "sort=");
		if (!make_sort(h, d, one, &d->sorts[d->sort_count]))
			return false;
	}
	return true;
}
