/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Refuses records that the user describes, in builds without the rules of user_events. */
#include "gtsc.h"

const struct relay_kind gtsc_record_kind = {0};

enum tdat_status gtsc_record_types_new(struct gtsc_record_types **out,
				       const struct tdat_import_request *request,
				       struct tdat_error *err)
{
	(void)request;
	*out = NULL;
	return tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
			      "cannot describe records: this libtdat was built without user_events "
			      "(TDAT_USER_EVENTS=OFF)");
}

void gtsc_record_types_free(struct gtsc_record_types *t)
{
	(void)t;
}
