/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes the place of sql.c if tdat is built without libsqlite3: the method exists and raises an
 * error.
 */
#include "ext.h"

PyObject *ext_trace_sql(PyObject *self, PyObject *args)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	(void)self;
	(void)args;
	tdat_error_set(&err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
		       "tdat was built without libsqlite3, which answers queries in SQL");
	return ext_raise(&err);
}
