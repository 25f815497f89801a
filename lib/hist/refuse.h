/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the texts with which the kernel refuses triggers, filters and synthetic events. */
#ifndef TDAT_HIST_REFUSE_H
#define TDAT_HIST_REFUSE_H

#include "hist.h"

/* The texts of tracing's error_log, as user space sees them. */
#define HIST_E_DUP_VAR "Variable already defined"
#define HIST_E_VAR_NOT_UNIQUE                                                                      \
	"Variable name not unique, need to use fully qualified name (subsys.event.var) for "       \
	"variable"
#define HIST_E_VARS "Too many variables defined"
#define HIST_E_ASSIGNMENT "Malformed assignment"
#define HIST_E_NAMED "Named hist trigger doesn't match existing named trigger (includes variables)"
#define HIST_E_EXISTS "Hist trigger already exists"
#define HIST_E_CLEAR "Can't clear or continue a nonexistent hist trigger"
#define HIST_E_CLOCK "Couldn't set trace_clock"
#define HIST_E_MODIFIER "Invalid field modifier"
#define HIST_E_SUBEXPR "Too many subexpressions (3 max)"
#define HIST_E_STAMPS "Timestamp units in expression don't match"
#define HIST_E_FIELD_VARS "Too many field variables defined"
#define HIST_E_NO_FILE "Event file not found"
#define HIST_E_NO_HIST "Matching event histogram not found"
#define HIST_E_CREATE "Couldn't create histogram for field"
#define HIST_E_SYNTH_VAR "Couldn't find synthetic variable"
#define HIST_E_NO_SYNTH "Couldn't find synthetic event"
#define HIST_E_SYNTH_TYPE "Param type doesn't match synthetic event field type"
#define HIST_E_SYNTH_COUNT "Param count doesn't match synthetic event field count"
#define HIST_E_FIELD_VAR_PARSE "Couldn't parse field variable"
#define HIST_E_VAR_CREATE "Couldn't create or find variable"
#define HIST_E_ONX_NOT_VAR "For onmax(x) or onchange(x), x must be a variable"
#define HIST_E_ONX_NO_VAR "Couldn't find onmax or onchange variable"
#define HIST_E_ONX_CREATE "Couldn't create onmax or onchange variable"
#define HIST_E_FIELD_VAR_CREATE "Couldn't create field variable"
#define HIST_E_PARAMS "Too many action params"
#define HIST_E_NO_PARAM "Couldn't find param"
#define HIST_E_PARAM "Invalid action param"
#define HIST_E_NO_ACTION "No action found"
#define HIST_E_SAVES "Can't have more than one save() action per hist"
#define HIST_E_ACTION "Handler doesn't support action"
#define HIST_E_PAREN "No closing paren found"
#define HIST_E_SUBSYS "Missing subsystem"
#define HIST_E_EVENT "Invalid subsystem or event name"
#define HIST_E_KEY_REF "Using variable references in keys not supported"
#define HIST_E_NO_VAR "Couldn't find variable"
#define HIST_E_NO_FIELD "Couldn't find field"
#define HIST_E_EMPTY "Empty assignment"
#define HIST_E_SORT_MODIFIER "Invalid sort modifier"
#define HIST_E_EMPTY_SORT "Empty sort field"
#define HIST_E_SORTS "Too many sort fields (Max = 2)"
#define HIST_E_SORT "Sort field must be a key or a val"
#define HIST_E_STRING "String type can not be an operand in expression"
#define HIST_E_NUMBER "Expecting numeric literal"
#define HIST_E_NEG "Unary minus not supported in sub-expressions"
#define HIST_E_DIV "Division by zero"
#define HIST_E_NOHC "Non-hitcount value is required for 'nohitcount'"

#define HIST_E_F_OP "Invalid operator"
#define HIST_E_F_OPEN "Too many '('"
#define HIST_E_F_CLOSE "Too few '('"
#define HIST_E_F_QUOTE "Missing matching quote"
#define HIST_E_F_LONG "Operand too long"
#define HIST_E_F_STRING "Expecting string field"
#define HIST_E_F_DIGIT "Expecting numeric field"
#define HIST_E_F_FIELD_OP "Illegal operation for field type"
#define HIST_E_F_NO_FIELD "Field not found"
#define HIST_E_F_INT "Illegal integer value"
#define HIST_E_F_TERMS "Too many terms in predicate expression"
#define HIST_E_F_VALUE "Invalid value (did you forget quotes)?"
#define HIST_E_F_BRACE_OPEN "Missing '{'"
#define HIST_E_F_BRACE_CLOSE "Missing '}'"
#define HIST_E_F_CPULIST "Invalid cpulist"
#define HIST_E_F_NO_FUNCTION "Function not found"
#define HIST_E_F_ERRNO "Error"

#define HIST_E_S_NAME "Illegal name"
#define HIST_E_S_CMD "Command must be of the form: <name> field[;field] ..."
#define HIST_E_S_EXISTS "Event already exists"
#define HIST_E_S_MANY "Too many fields"
#define HIST_E_S_TYPE "Incomplete type"
#define HIST_E_S_BAD_TYPE "Invalid type"
#define HIST_E_S_FIELD "Invalid field"

/* Forgets what was refused before; the command of a trigger is "hist:" and its text. */
void hist_refuse_begin(struct tdat_hist *h, const char *system, const char *event,
		       const char *prefix, const char *text);
/*
 * Adds an error. word: the caret stands where the command has it first; NULL, or a word that it
 * does not have: at its start. The result is false, for the caller to return.
 */
bool hist_refuse(struct tdat_hist *h, const char *text, const char *word);

/* The same with all that error_log shows, for filters and synthetic events. */
bool hist_refuse_at(struct tdat_hist *h, const char *who, const char *text, const char *cmd,
		    size_t column);

/* Proposes the nearest field of an event that has none of that name; the refusal follows. */
void hist_hint_field(struct tdat_hist *h, const struct hist_event *e, const char *name);

/* hist_refuse() for functions that return a pointer: NULL. */
static inline void *hist_refused(struct tdat_hist *h, const char *text, const char *word)
{
	hist_refuse(h, text, word);
	return NULL;
}

#endif
