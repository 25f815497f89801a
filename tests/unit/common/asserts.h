/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Assertions of libcheck, of which those that hold cost nothing. Its own write a message to
 * the parent process for each, which takes most of the time of a test that compares each byte or
 * event; it tells where a test that crashed had been, as a sanitizer or debugger does.
 */
#ifndef TDAT_TESTS_ASSERTS_H
#define TDAT_TESTS_ASSERTS_H

#include <check.h>

/* The assertions of numbers, texts, pointers and memory are all made of this one. */
#undef ck_assert_msg
#define ck_assert_msg(expr, ...) ((expr) ? (void)0 : ck_abort_msg(__VA_ARGS__))
#undef ck_assert
#define ck_assert(expr) ck_assert_msg(expr, "Assertion '%s' failed", #expr)

#endif
