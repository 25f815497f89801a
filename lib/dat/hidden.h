/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds records that a changed length of the record before them has hidden: behind the fields of
 * that record, as the formats have them, follow whole records up to its end.
 */
#ifndef TDAT_DAT_HIDDEN_H
#define TDAT_DAT_HIDDEN_H

#include "page.h"

/*
 * Makes the record that was read last as long as its fields, and lets the page go on behind it, if
 * all that follows them are records; page->hidden is set then. Sets page->short_record where it is
 * shorter than its fields. The record is left as it is where the layout has no ends.
 */
void dat_give_back(struct dat_page *page, const struct dat_page_layout *layout,
		   struct dat_record *rec);

/*
 * Writes the length of a record, as dat_page_next gave it, into its header; data is the page's
 * data.
 */
void dat_record_put_len(uint8_t *data, const struct dat_record *rec,
			const struct dat_page_layout *layout);

#endif
