/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the files of the page by name. */
#include "assets.h"

#include <string.h>

const struct view_asset *view_asset_find(const char *name)
{
	for (const struct view_asset *a = view_assets; a->name; a++)
		if (!strcmp(a->name, name))
			return a;
	return NULL;
}
