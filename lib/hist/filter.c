/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parses the filter of a trigger. Errors and the places they name are those of
 * kernel/trace/trace_events_filter.c. The result is a list of steps: comparisons, each with the
 * step to go to if it decides, which filter_run.c walks. A value is converted to the type of
 * its field here. Nesting is bounded, as parsing recurses.
 */
#include "filter.h"

#include "core/text.h"
#include "filter_value.h"
#include "refuse.h"

/* Levels of parentheses within each other; the kernel has no bound but the length. */
enum { NEST_MOST = 200 };

/* The state of one parse. Errors point into text; at is the next character. */
struct parser {
	struct tdat_hist *h;
	const struct hist_event *event;
	const char *text, *at;
	struct hist_filter *f;
	uint32_t nest;
	bool failed;
};

/* Only the first error is reported: it causes the later ones. The result is false. */
static bool fail(struct parser *p, const char *text, size_t column)
{
	if (!p->failed)
		hist_refuse_at(p->h, "event filter parse error", text, p->text, column);
	p->failed = true;
	return false;
}

static void skip_blanks(struct parser *p)
{
	while (tdat_is_space(*p->at))
		p->at++;
}

/* ---- quotes and parentheses, checked before terms ---- */

/* The opening parenthesis that has no partner. */
static size_t find_open(const char *text, size_t end)
{
	size_t level = 0;
	char quote = 0;

	/*
	 * Backwards from the end: the first "(" that no ")" has matched. Quotes hide parentheses.
	 */
	for (size_t i = end; i-- > 0;) {
		if (quote) {
			quote = text[i] == quote ? 0 : quote;
		} else if (text[i] == '\'' || text[i] == '"') {
			quote = text[i];
		} else if (text[i] == ')') {
			level++;
		} else if (text[i] == '(') {
			if (!level)
				return i;
			level--;
		}
	}
	return 0;
}

/*
 * The kernel's calc_stack(): it counts parentheses and terms before any field is known, so its
 * errors come first.
 */
static bool check_shape(struct parser *p)
{
	const char *s = p->text;
	size_t open = 0, terms = 0, last_quote = 0, i;
	bool in_term = false;
	char quote = 0;

	for (i = 0; s[i]; i++) {
		if (tdat_is_space(s[i]))
			continue;
		if (quote) {
			quote = s[i] == quote ? 0 : quote;
			continue;
		}
		if (s[i] == '\'' || s[i] == '"') {
			quote = s[i];
			last_quote = i;
		} else if ((s[i] == '|' || s[i] == '&') && s[i + 1] == s[i]) {
			in_term = false;
			continue;
		} else if (s[i] == '(' || s[i] == ')') {
			in_term = false;
			if (s[i] == ')' && !open)
				return fail(p, HIST_E_F_CLOSE, i);
			open = s[i] == '(' ? open + 1 : open - 1;
			continue;
		}
		/* A term begins at its first character that is not an operator or a parenthesis. */
		terms += !in_term;
		in_term = true;
	}
	if (quote)
		return fail(p, HIST_E_F_QUOTE, last_quote);
	if (open)
		return fail(p, HIST_E_F_OPEN, find_open(s, i));
	/* No terms: the kernel has no text for it. */
	return terms || fail(p, HIST_E_F_ERRNO, 0);
}

/* ---- one comparison ---- */

/* The kernel counts places in a comparison from its second character. */
static size_t at(const struct parser *p, const char *place)
{
	return 1 + (size_t)(place - p->text);
}

/* Strings need quotes; all other fields are compared with numbers. */
static bool is_string_kind(enum hist_field_type kind)
{
	return kind == HIST_TYPE_STATIC || kind == HIST_TYPE_DYN || kind == HIST_TYPE_REL ||
	       kind == HIST_TYPE_POINTER || kind == HIST_TYPE_COMM;
}

/* Sets the kind of a pattern and cuts off its first and last star (filter_parse_regex()). */
static void read_glob(struct hist_pred *pred, char *text)
{
	size_t len = strlen(text);
	enum hist_glob glob = HIST_GLOB_FULL;

	if (*text == '!') {
		pred->invert = !pred->invert;
		text++;
		len--;
	}
	pred->text = text;
	pred->text_len = len;
	pred->glob = HIST_GLOB_FULL;
	/* The kernel compares patterns that start with a digit in full. */
	if (*text >= '0' && *text <= '9')
		return;
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '*') {
			if (!i) {
				glob = HIST_GLOB_END;
			} else if (i == len - 1) {
				glob = glob == HIST_GLOB_END ? HIST_GLOB_MIDDLE : HIST_GLOB_FRONT;
				/*
				 * "*x*" and "x*" need no glob matching: a search or a prefix
				 * suffices.
				 */
				text[i] = '\0';
				break;
			} else {
				pred->glob = HIST_GLOB_ANY;
				return;
			}
		} else if (strchr("[?\\", text[i])) {
			pred->glob = HIST_GLOB_ANY;
			return;
		}
	}
	pred->glob = glob;
	pred->text += *text == '*';
	pred->text_len = strlen(pred->text);
}

/* A value in quotes. */
static bool read_quoted(struct parser *p, struct hist_pred *pred)
{
	const char quote = *p->at, *start = p->at + 1, *end = strchr(start, quote);
	char *copy;

	if (pred->op != HIST_OP_GLOB && pred->op != HIST_OP_EQ && pred->op != HIST_OP_NE)
		return fail(p, HIST_E_F_FIELD_OP, at(p, p->at));
	if (!is_string_kind(pred->field->kind))
		return fail(p, HIST_E_F_DIGIT, at(p, p->at));
	if (!end)
		return fail(p, HIST_E_F_QUOTE, 1 + strlen(p->text));
	/* The kernel's MAX_FILTER_STR_VAL: 256 bytes, the NUL included. */
	if (end - start >= HIST_STR)
		return fail(p, HIST_E_F_LONG, at(p, end));
	copy = hist_strndup(p->h, start, (size_t)(end - start));
	if (!copy)
		return false;
	p->at = end + 1;
	pred->is_string = true;
	pred->invert = pred->op == HIST_OP_NE;
	pred->text = copy;
	pred->text_len = strlen(copy);
	if (pred->op == HIST_OP_GLOB)
		read_glob(pred, copy);
	p->f->comm |= pred->field->kind == HIST_TYPE_COMM;
	if (pred->field->kind == HIST_TYPE_POINTER)
		hist_note(p->h,
			  "a filter compares the string that field %s of %s points to, but the "
			  "file has only the pointer, so it never matches",
			  pred->field->name, p->event->name);
	return true;
}

/* A number in any base. Signed fields take a sign, unsigned ones refuse it. */
static bool read_number(struct parser *p, struct hist_pred *pred)
{
	const char *start = p->at;
	char digits[24];
	size_t len;
	int64_t v;
	bool good;

	if (is_string_kind(pred->field->kind))
		return fail(p, HIST_E_F_STRING, at(p, start));
	if (pred->op == HIST_OP_GLOB)
		return fail(p, HIST_E_F_FIELD_OP, at(p, start));
	/* Letters belong to the number, so that "12ab" is one wrong number. */
	p->at += *p->at == '-';
	while (tdat_is_alnum(*p->at))
		p->at++;
	len = (size_t)(p->at - start);
	if (len >= sizeof(digits))
		return fail(p, HIST_E_F_LONG, at(p, p->at));
	memcpy(digits, start, len);
	digits[len] = '\0';
	if (pred->field->is_signed) {
		good = hist_parse_i64(digits, &v);
		pred->num = (uint64_t)v;
	} else {
		good = hist_parse_u64(digits, &pred->num);
	}
	return good || fail(p, HIST_E_F_INT, at(p, start));
}

static bool read_op(struct parser *p, struct hist_pred *pred)
{
	/* The order is that of enum hist_op. "<=" precedes "<", its prefix. */
	static const char *const ops[] = {"~", "!=", "==", "<=", "<", ">=", ">", "&"};

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (hist_has_prefix(p->at, ops[i])) {
			pred->op = (enum hist_op)i;
			p->at += strlen(ops[i]);
			return true;
		}
	return fail(p, HIST_E_F_OP, at(p, p->at));
}

/* Parses FIELD OP VALUE. Columns of errors follow the kernel's parse_pred(). */
static bool read_pred(struct parser *p, struct hist_pred *pred)
{
	const char *start = p->at, *error;
	bool function = false;
	char *name;

	while (tdat_is_alnum(*p->at) || *p->at == '_')
		p->at++;
	if (p->at == start)
		return fail(p, HIST_E_F_ERRNO, 0);
	name = hist_strndup(p->h, start, (size_t)(p->at - start));
	if (!name)
		return false;
	pred->field = hist_event_field(p->event, name);
	if (!pred->field) {
		hist_hint_field(p->h, p->event, name);
		return fail(p, HIST_E_F_NO_FIELD, at(p, p->at));
	}
	/* Whose string it is, of the kernel or of a program, is not asked: a file has neither. */
	if (hist_has_prefix(p->at, ".ustring"))
		p->at += strlen(".ustring");
	if (p->h->kernel.new_words && hist_has_prefix(p->at, ".function")) {
		p->at += strlen(".function");
		function = true;
	}
	skip_blanks(p);
	if (!read_op(p, pred))
		return false;
	skip_blanks(p);
	/*
	 * .function (6.3) and CPUS{} (6.6) are parsed by filter_value.c, which returns the error's
	 * text.
	 */
	if (function || (p->h->kernel.sets && hist_has_prefix(p->at, "CPUS"))) {
		error = function ? hist_filter_read_function(p->h, pred, &p->at)
				 : hist_filter_read_cpus(p->h, pred, &p->at);
		return !error || fail(p, error, at(p, p->at));
	}
	if (*p->at == '"' || *p->at == '\'')
		return read_quoted(p, pred);
	if ((*p->at >= '0' && *p->at <= '9') || *p->at == '-')
		return read_number(p, pred);
	return fail(p, HIST_E_F_VALUE, at(p, p->at));
}

/* ---- steps ---- */

static void add_step(struct parser *p, enum hist_step_kind kind, uint32_t target)
{
	p->f->steps[p->f->step_count++] = (struct hist_step){kind, target};
}

static bool parse_or(struct parser *p);

/* "!" TERM, "(" OR ")" or a comparison. "!=" and "!~" are operators, not negations. */
static bool parse_term(struct parser *p)
{
	bool invert = false;

	for (skip_blanks(p); *p->at == '!' && p->at[1] != '=' && p->at[1] != '~'; skip_blanks(p)) {
		invert = !invert;
		p->at++;
	}
	if (*p->at == '(') {
		if (++p->nest > NEST_MOST)
			return fail(p, HIST_E_F_OPEN, (size_t)(p->at - p->text));
		p->at++;
		if (!parse_or(p))
			return false;
		p->nest--;
		if (*p->at != ')')
			return fail(p, HIST_E_F_TERMS, (size_t)(p->at - p->text));
		p->at++;
	} else {
		if (!read_pred(p, &p->f->preds[p->f->pred_count]))
			return false;
		add_step(p, HIST_STEP_PRED, p->f->pred_count++);
	}
	if (invert)
		add_step(p, HIST_STEP_NOT, 0);
	return true;
}

/*
 * Parses terms with one operator between them. The first term that decides jumps behind all of
 * them. Until the chain ends, each jump's target holds the number of the previous jump.
 */
static bool parse_chain(struct parser *p, char op, bool (*term)(struct parser *),
			enum hist_step_kind jump)
{
	uint32_t last = UINT32_MAX; /* of the jumps, each of which holds the one before */

	for (;;) {
		if (!term(p))
			return false;
		skip_blanks(p);
		if (*p->at != op || p->at[1] != op)
			break;
		p->at += 2;
		add_step(p, jump, last);
		last = p->f->step_count - 1;
	}
	/* The end is known now: all jumps of the chain are set to it. */
	while (last != UINT32_MAX) {
		const uint32_t before = p->f->steps[last].target;

		p->f->steps[last].target = p->f->step_count;
		last = before;
	}
	return true;
}

static bool parse_and(struct parser *p)
{
	return parse_chain(p, '&', parse_term, HIST_STEP_JUMP_FALSE);
}

static bool parse_or(struct parser *p)
{
	return parse_chain(p, '|', parse_and, HIST_STEP_JUMP_TRUE);
}

/* The shape is checked first, as in the kernel; then terms are parsed by recursive descent. */
struct hist_filter *hist_filter_new(struct tdat_hist *h, const struct hist_event *e,
				    const char *text)
{
	struct parser p = {.h = h, .event = e, .text = text, .at = text};

	p.f = hist_alloc(h, 1, sizeof(*p.f));
	if (!p.f || !check_shape(&p))
		return NULL;
	/* A comparison takes three characters of the text or more, another step one. */
	p.f->steps = hist_alloc(h, strlen(text), sizeof(*p.f->steps));
	p.f->preds = hist_alloc(h, strlen(text) / 3 + 1, sizeof(*p.f->preds));
	if (!p.f->steps || !p.f->preds || !parse_or(&p))
		return NULL;
	/* A ")" or a word behind a complete expression. */
	if (*p.at) {
		fail(&p, HIST_E_F_TERMS, (size_t)(p.at - text));
		return NULL;
	}
	return p.f;
}
