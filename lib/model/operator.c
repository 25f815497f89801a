/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Holds the operators of C that print fmts have. The kernel's reading takes them as C does; the
 * reading of trace-cmd takes strength as libtraceevent's priorities, which are in the same order.
 */
#include "operator.h"

#include <stdbool.h>

#include "expr_op.h"

/* By op. */
static const struct print_operator operators[] = {
	['~'] = {'~', "~", 12, 0, 0},
	['!'] = {'!', "!", 12, 0, 0},
	['*'] = {'*', "*", 10, X_MUL, X_MUL},
	['/'] = {'/', "/", 10, X_DIV, X_SDIV},
	['%'] = {'%', "%", 10, X_MOD, X_SMOD},
	['+'] = {'+', "+", 9, X_ADD, X_ADD},
	['-'] = {'-', "-", 9, X_SUB, X_SUB},
	[KOP_SHR] = {KOP_SHR, ">>", 8, X_SHR, X_SAR},
	[KOP_SHL] = {KOP_SHL, "<<", 8, X_SHL, X_SHL},
	['<'] = {'<', "<", 7, X_LT, X_SLT},
	['>'] = {'>', ">", 7, X_GT, X_SGT},
	[KOP_GE] = {KOP_GE, ">=", 7, X_GE, X_SGE},
	[KOP_LE] = {KOP_LE, "<=", 7, X_LE, X_SLE},
	[KOP_EQ] = {KOP_EQ, "==", 6, X_EQ, X_EQ},
	[KOP_NE] = {KOP_NE, "!=", 6, X_NE, X_NE},
	['&'] = {'&', "&", 5, X_AND, X_AND},
	['^'] = {'^', "^", 4, X_XOR, X_XOR},
	['|'] = {'|', "|", 3, X_OR, X_OR},
	[KOP_LAND] = {KOP_LAND, "&&", 2, X_LAND, X_LAND},
	[KOP_LOR] = {KOP_LOR, "||", 1, X_LOR, X_LOR},
	['?'] = {'?', "?", 0, 0, 0},
	[KOP_ARROW] = {KOP_ARROW, "->", 0, 0, 0},
};

const struct print_operator *operator_of(int op)
{
	const bool known = op >= 0 && op <= KOP_ARROW && operators[op].op;

	return known ? &operators[op] : NULL;
}

/* Asked for each operator of each print fmt, which takes a part of the time of short dumps. */
const struct print_operator *operator_named(const char *text, size_t len)
{
	if (len == 1)
		return operator_of((unsigned char)*text);
	for (int op = KOP_SHL; len == 2 && op <= KOP_ARROW; op++)
		if (operators[op].text[0] == text[0] && operators[op].text[1] == text[1])
			return &operators[op];
	return NULL;
}
