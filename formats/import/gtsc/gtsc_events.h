/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes events of text records, and the names that events of GTSC captures have. */
#ifndef TDAT_IMPORT_GTSC_GTSC_EVENTS_H
#define TDAT_IMPORT_GTSC_GTSC_EVENTS_H

#include "import/relay/relay_output.h"

enum { GTSC_NAME_CAP = 128 };

/* A name as events have them: other characters become '_', no digit first. out: GTSC_NAME_CAP. */
void gtsc_clean_name(const char *s, size_t len, char *out);
/* The functions begin and record of kinds whose records are text. */
enum tdat_status gtsc_text_begin(struct relay_output *o, struct tdat_error *err);
enum tdat_status gtsc_text_record(struct relay_output *o, const struct import_merge_record *rec,
				  struct tdat_error *err);
void gtsc_text_close_output(struct relay_output *o);

#endif
