/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compares the page sizes that a file gives with the pages themselves. */
#ifndef TDAT_DAT_PAGE_SIZE_H
#define TDAT_DAT_PAGE_SIZE_H

#include "index.h"

/*
 * Checks the page sizes when all buffers are known: where option BUFFER, the head and
 * header_page differ, and pages of a buffer fit one of the other sizes only, the buffer gets
 * that one, which is a finding.
 */
enum tdat_status dat_index_page_sizes(struct dat_index *ix, struct tdat_error *err);

#endif
