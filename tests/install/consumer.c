/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The smallest program that uses an installed libtdat. */
#include <stdio.h>
#include <tdat/tdat.h>

int main(void)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_source *src;

	if (tdat_source_open_path(&src, "/nonexistent", TDAT_ACCESS_READ, &err) != TDAT_E_SYSTEM)
		return 1;
	printf("%s %s\n", tdat_version(), tdat_status_name(err.status));
	return 0;
}
