/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares the kind record: binary records that the user describes in the language of
 * user_events.
 */
#ifndef TDAT_IMPORT_GTSC_DESCRIBED_RECORDS_H
#define TDAT_IMPORT_GTSC_DESCRIBED_RECORDS_H

#include "gtsc_setup.h"

extern const struct relay_kind gtsc_record_kind;

/* The types that options describe; to be freed also after a failure. */
enum tdat_status gtsc_record_types_new(struct gtsc_record_types **out,
				       const struct tdat_import_request *request,
				       struct tdat_error *err);
void gtsc_record_types_free(struct gtsc_record_types *t);

#endif
