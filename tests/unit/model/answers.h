/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers of libtraceevent that a build for another machine compares with. Its text of
 * numbers, characters and strings depends on the host's byte order, its long and its
 * char; ours is on every host what libtraceevent's is on x86-64.
 *
 * scripts/test-foreign runs the tests natively with TDAT_ANSWERS_OUT=DIR, which keeps each
 * answer in DIR/TEST, and then on the emulated machine with TDAT_ANSWERS_IN=DIR.
 */
#ifndef TESTS_MODEL_ANSWERS_H
#define TESTS_MODEL_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/build.h"

/* Whether answers come from a file: then libtraceevent is not asked. */
bool answers_kept(void);

/* Whether libtraceevent's text means something here: asked on a host like x86-64, or kept. */
bool answers_usable(void);

/* What a question is known by: start with 0, and go on with all that the answer depends on. */
uint64_t answers_key(uint64_t key, const void *bytes, size_t len);

/* Keeps an answer where that was asked for. */
void answers_put(uint64_t key, const void *text, size_t len);

/* Appends the kept answer to out; false: there is none, as libtraceevent died of the question. */
bool answers_get(uint64_t key, struct tdat_build *out);

#endif
