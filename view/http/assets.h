/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares the files of the page, which are built into the program: view/http/embed.cmake makes the
 * table.
 */
#ifndef VIEW_HTTP_ASSETS_H
#define VIEW_HTTP_ASSETS_H

#include <stddef.h>

struct view_asset {
	const char *name, *type;
	const unsigned char *data;
	size_t len;
};

/* The table ends with an entry without a name. */
extern const struct view_asset view_assets[];

/* The page as one document, in two parts: a report has its JSON between them. */
struct view_report_page {
	const unsigned char *head;
	size_t head_len;
	const unsigned char *tail;
	size_t tail_len;
};

/* view/http/report.cmake makes it. */
extern const struct view_report_page view_report_page;

/* The file of a name, or NULL. */
const struct view_asset *view_asset_find(const char *name);

#endif
