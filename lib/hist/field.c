/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes fields of single words: a field of the event with its modifier, a number, a reference. The
 * word "pid.execname", "$lat" or "16" becomes a struct hist_field with its size, sign and modifier.
 * Words that the kernel refuses are refused with the same error. Called by fields.c, expr.c and
 * action.c.
 */
#include "field.h"

/* Returns how a number of the record is read; NONE: the kernel has no function for the size. */
static enum hist_fn number_fn(uint32_t size, bool is_signed)
{
	switch (size) {
	case 8:
		return is_signed ? HIST_FN_S64 : HIST_FN_U64;
	case 4:
		return is_signed ? HIST_FN_S32 : HIST_FN_U32;
	case 2:
		return is_signed ? HIST_FN_S16 : HIST_FN_U16;
	case 1:
		return is_signed ? HIST_FN_S8 : HIST_FN_U8;
	default:
		return HIST_FN_NONE;
	}
}

/* Initializes a field of the event: strings and stacks by their kind, others as numbers. */
static bool init_plain(struct hist_field *f, const struct hist_efield *ef)
{
	f->type = ef->type;
	f->size = ef->len;
	switch (ef->kind) {
	case HIST_TYPE_STATIC:
		f->flags |= HF_STRING;
		f->fn = HIST_FN_STRING;
		return true;
	case HIST_TYPE_DYN:
	case HIST_TYPE_REL:
		f->flags |= HF_STRING;
		/* Dynamic strings are cut to the kernel's STR_VAR_LEN_MAX. */
		f->size = HIST_STR;
		f->fn = ef->kind == HIST_TYPE_DYN ? HIST_FN_DYN : HIST_FN_REL;
		return true;
	case HIST_TYPE_STACK:
		f->flags |= HF_STACKTRACE;
		f->size = HIST_STR;
		f->fn = HIST_FN_STACK;
		return true;
	default:
		f->is_signed = ef->is_signed;
		f->fn = number_fn(ef->len, ef->is_signed);
		return f->fn != HIST_FN_NONE;
	}
}

/* For words that are not fields of the record. */
static void init_special(struct hist_field *f, enum hist_fn fn, uint32_t size, const char *type)
{
	f->fn = fn;
	f->size = size;
	f->type = type;
}

/*
 * Sets function, size and type by the flags. Flags are tested in the kernel's order
 * (create_hist_field()).
 */
static bool init_field(struct tdat_hist *h, struct hist_data *d, struct hist_field *f,
		       const struct hist_efield *ef)
{
	if (f->flags & (HF_EXPR | HF_ALIAS))
		return true; /* the caller fills it in */
	if (f->flags & HF_VAR_REF) {
		f->fn = HIST_FN_VAR_REF;
	} else if (f->flags & HF_HITCOUNT) {
		init_special(f, HIST_FN_COUNTER, 8, "u64");
	} else if (f->flags & HF_CONST) {
		init_special(f, HIST_FN_CONST, 8, "u64");
	} else if (f->flags & HF_STACKTRACE) {
		init_special(f, HIST_FN_STACK, HIST_FRAMES * h->long_len, "unsigned long[]");
	} else if (f->flags & (HF_LOG2 | HF_BUCKET)) {
		f->fn = f->flags & HF_LOG2 ? HIST_FN_LOG2 : HIST_FN_BUCKET;
		/* log2 and buckets wrap the plain field, which keeps the remaining flags. */
		f->operands[0] = hist_field_new(h, d, ef, f->flags & ~(HF_LOG2 | HF_BUCKET), NULL);
		if (!f->operands[0])
			return false;
		f->size = f->operands[0]->size;
		f->type = f->operands[0]->type;
	} else if (f->flags & HF_TIMESTAMP) {
		init_special(f, HIST_FN_TIMESTAMP, 8, "u64");
	} else if (f->flags & HF_CPU) {
		init_special(f, HIST_FN_CPU, 4, "unsigned int");
	} else {
		return ef && init_plain(f, ef);
	}
	return true;
}

/* flags: enum hist_flags. ef: NULL if the word is not a field of the event. */
struct hist_field *hist_field_new(struct tdat_hist *h, struct hist_data *d,
				  const struct hist_efield *ef, uint32_t flags,
				  const char *var_name)
{
	struct hist_field *f = hist_alloc(h, 1, sizeof(*f));

	if (!f)
		return NULL;
	f->flags = flags;
	f->data = d;
	f->type = "";
	f->field = ef;
	f->var_name = var_name;
	return init_field(h, d, f, ef) ? f : NULL;
}

/* ---- names ---- */

/* level bounds the recursion as in the kernel: deeper operands have no name. */
static const char *name_at(struct tdat_hist *h, const struct hist_field *f, uint32_t level)
{
	const char *name = NULL;

	if (level > 1)
		return "";
	if (f->field)
		name = f->field->name;
	else if (f->flags & (HF_LOG2 | HF_ALIAS | HF_BUCKET))
		name = f->operands[0] ? name_at(h, f->operands[0], level + 1) : NULL;
	else if (f->flags & HF_CPU)
		name = "common_cpu";
	else if (f->flags & (HF_EXPR | HF_VAR_REF))
		name = f->system ? hist_text(h, "%s.%s.%s", f->system, f->event_name, f->name)
				 : f->name;
	else if (f->flags & HF_TIMESTAMP)
		name = "common_timestamp";
	else if (f->flags & HF_STACKTRACE)
		name = h->kernel.new_words ? "common_stacktrace" : "stacktrace";
	else if (f->flags & HF_HITCOUNT)
		name = "hitcount";
	return name ? name : "";
}

const char *hist_field_name(struct tdat_hist *h, const struct hist_field *f)
{
	return name_at(h, f, 0);
}

/* The first flag of the table wins. The order is that of the kernel's get_hist_field_flags(). */
const char *hist_field_modifier(const struct hist_field *f)
{
	static const struct {
		uint32_t flag;
		const char *name;
	} names[] = {
		{HF_HEX, "hex"},
		{HF_SYM, "sym"},
		{HF_SYM_OFFSET, "sym-offset"},
		{HF_EXECNAME, "execname"},
		{HF_SYSCALL, "syscall"},
		{HF_LOG2, "log2"},
		{HF_BUCKET, "buckets"},
		{HF_USECS, "usecs"},
		{HF_PERCENT, "percent"},
		{HF_GRAPH, "graph"},
		{HF_STACKTRACE, "stacktrace"},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (f->flags & names[i].flag)
			return names[i].name;
	return NULL;
}

/* level: the recursion ends behind 3, as in the kernel's field_has_hist_vars(). */
bool hist_field_has_vars(const struct hist_field *f, uint32_t level)
{
	if (level > 3 || !f)
		return false;
	return (f->flags & (HF_VAR | HF_VAR_REF)) ||
	       hist_field_has_vars(f->operands[0], level + 1) ||
	       hist_field_has_vars(f->operands[1], level + 1);
}

/* ---- a word and its modifier ---- */

/* "buckets=N" or "bucket=N"; *at is where the complaint points. */
static bool parse_buckets(const char **at, uint64_t *buckets)
{
	const char *p = *at + strlen("bucket");

	p += *p == 's';
	*at = p;
	if (*p != '=')
		return false;
	*at = ++p;
	return hist_parse_u64(p, buckets) && *buckets;
}

static bool parse_modifier(struct tdat_hist *h, const char *name, const char *modifier,
			   uint32_t *flags, uint64_t *buckets)
{
	static const struct {
		const char *name;
		uint32_t flag;
	} plain[] = {
		{"hex", HF_HEX},	 {"sym", HF_SYM},   {"symXoffset", HF_SYM_OFFSET},
		{"syscall", HF_SYSCALL}, {"log2", HF_LOG2}, {"usecs", HF_USECS},
	};
	/*
	 * .percent and .graph belong to plain values; on keys and variables the kernel refuses
	 * them.
	 */
	const bool shares = !(*flags & (HF_VAR | HF_KEY));
	const char *at = modifier;

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (!strcmp(modifier, plain[i].name)) {
			*flags |= plain[i].flag;
			return true;
		}
	/* The kernel knows names of tasks by common_pid only. */
	if (!strcmp(modifier, "execname") && !strcmp(name, "common_pid")) {
		*flags |= HF_EXECNAME;
		return true;
	}
	if (!strcmp(modifier, "stacktrace") && h->kernel.new_words) {
		*flags |= HF_STACKTRACE;
		return true;
	}
	/* ".buckets=10" or ".bucket=10"; zero is refused, since it divides. */
	if (hist_has_prefix(modifier, "bucket")) {
		if (!parse_buckets(&at, buckets))
			return hist_refuse(h, HIST_E_MODIFIER, at);
		*flags |= HF_BUCKET;
		return true;
	}
	if (shares && hist_has_prefix(modifier, "percent")) {
		*flags |= HF_PERCENT;
		return true;
	}
	if (shares && hist_has_prefix(modifier, "graph")) {
		*flags |= HF_GRAPH;
		return true;
	}
	return hist_refuse(h, HIST_E_MODIFIER, modifier);
}

/* The field of a name, or a flag for a name that every event has. */
static bool find_field(struct tdat_hist *h, struct hist_data *d, const char *name, uint32_t *flags,
		       const struct hist_efield **out)
{
	const struct hist_efield *ef;

	*out = NULL;
	/* The field of a name that is not in the record is a flag; *out stays NULL. */
	if (!strcmp(name, "common_timestamp")) {
		*flags |= HF_TIMESTAMP;
		d->stamps = true;
		if (*flags & HF_USECS)
			d->attrs.usecs = true;
		return true;
	}
	if (!strcmp(name, "common_cpu")) {
		*flags |= HF_CPU;
		return true;
	}
	if (h->kernel.new_words && !strcmp(name, "common_stacktrace")) {
		*flags |= HF_STACKTRACE;
		return true;
	}
	if (h->kernel.new_words && !strcmp(name, "hitcount")) {
		*flags |= HF_HITCOUNT;
		return true;
	}
	/* Fields of the event; length 0 marks those of every event. */
	ef = hist_event_field(d->event, name);
	if (ef && ef->len) {
		*out = ef;
		return true;
	}
	if (ef && ef->kind == HIST_TYPE_CPU) {
		*flags |= HF_CPU;
		*out = ef;
		return true;
	}
	/*
	 * Events may have a field "stacktrace", so the word means the kernel stack only if they do
	 * not.
	 */
	if (h->kernel.new_words && (!strcmp(name, "stacktrace") || !strcmp(name, "STACKTRACE"))) {
		*flags |= HF_STACKTRACE;
		return true;
	}
	hist_hint_field(h, d->event, name);
	return hist_refuse(h, HIST_E_NO_FIELD, name);
}

/* Base 0, as kstrtoull(): "0x10" is 16. */
static struct hist_field *parse_constant(struct tdat_hist *h, struct hist_data *d, const char *text,
					 uint32_t *flags, const char *var_name)
{
	struct hist_field *f;
	uint64_t v;

	if (!hist_parse_u64(text, &v))
		return hist_refused(h, HIST_E_NUMBER, text);
	*flags |= HF_CONST;
	f = hist_field_new(h, d, NULL, *flags, var_name);
	if (f)
		f->constant = v;
	return f;
}

/* c=$x: a variable that takes over another one's value. */
static struct hist_field *make_alias(struct tdat_hist *h, struct hist_data *d,
				     struct hist_field *ref, const char *var_name)
{
	struct hist_field *f = hist_field_new(h, d, NULL, HF_ALIAS | HF_VAR, var_name);

	if (!f)
		return NULL;
	f->fn = ref->fn;
	f->operands[0] = ref;
	hist_var_init_ref(f, ref, ref->system, ref->event_name);
	f->ref_idx = ref->ref_idx;
	return f;
}

static bool is_ref(const char *word)
{
	return word[0] == '$' && word[1];
}

/*
 * Returns the field behind "$x" if the trigger itself defines x as a plain field, else NULL. The
 * kernel then reads the field instead of the variable.
 */
static const char *own_plain_var(const struct hist_data *d, const char *system, const char *event,
				 const char *word)
{
	if (system && event &&
	    (strcmp(system, d->event->system) != 0 || strcmp(event, d->event->name) != 0))
		return NULL;
	/* A qualifier has both parts or neither. */
	if (!system != !event || !is_ref(word))
		return NULL;
	for (uint32_t i = 0; i < d->attrs.var_count; i++) {
		const char *expr = d->attrs.var_exprs[i];

		/* An expression, or a reference to another variable, is not a plain field. */
		if (!strcmp(d->attrs.var_names[i], word + 1) && !strpbrk(expr, "-+*/") &&
		    !is_ref(expr))
			return expr;
	}
	return NULL;
}

/* "NAME" or "NAME.MODIFIER" of the event itself. */
static struct hist_field *parse_plain(struct tdat_hist *h, struct hist_data *d, const char *text,
				      uint32_t *flags, const char *var_name)
{
	char *copy = hist_strdup(h, text);
	const struct hist_efield *ef;
	const char *name;
	uint64_t buckets = 0;
	struct hist_field *f;

	if (!copy)
		return NULL;
	name = hist_cut(&copy, ".");
	if (copy && !parse_modifier(h, name, copy, flags, &buckets))
		return NULL;
	if (!find_field(h, d, name, flags, &ef))
		return NULL;
	f = hist_field_new(h, d, ef, *flags, var_name);
	/* The kernel would take the string's address as a number. */
	if (f && f->operands[0] && (f->operands[0]->flags & (HF_STRING | HF_STACKTRACE))) {
		h->refusal.ours = "log2 and buckets of a string group its kernel address, which "
				  "the file does not contain";
		return NULL;
	}
	if (f) {
		f->buckets = buckets;
		*flags = f->flags;
	}
	return f;
}

struct hist_field *hist_field_atom(struct tdat_hist *h, struct hist_data *d, char *text,
				   uint32_t *flags, const char *var_name)
{
	char *system = NULL, *event = NULL, *dot;
	const char *plain;

	if (*text >= '0' && *text <= '9')
		return parse_constant(h, d, text, flags, var_name);
	/* "system.event.$x" has two dots, "field.modifier" one. */
	dot = strchr(text, '.');
	if (dot && strchr(dot + 1, '.')) {
		system = hist_cut(&text, ".");
		event = hist_cut(&text, ".");
	}
	plain = own_plain_var(d, system, event, text);
	if (!plain && is_ref(text)) {
		struct hist_field *var = hist_var_find(h, d, system, event, text + 1), *ref = NULL;

		if (var)
			ref = hist_var_ref(h, d, var, system, event);
		/* "c=$x" makes a variable c; as an operand the reference is used directly. */
		if (ref)
			return var_name ? make_alias(h, d, ref, var_name) : ref;
		/* The kernel adds this error, then tries the word as a field. */
		hist_refuse(h, HIST_E_NO_VAR, text + 1);
	}
	return parse_plain(h, d, plain ? plain : text, flags, var_name);
}
