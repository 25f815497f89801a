/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares the page as one document, which view/http/page.cmake makes of the files of web/ and
 * which is built into the program.
 */
#ifndef VIEW_HTTP_PAGE_H
#define VIEW_HTTP_PAGE_H

#include <stddef.h>

struct view_page_part {
	const unsigned char *data;
	size_t len;
};

/* Data as JSON, in which "<" is escaped, stand between one of the heads and the tail. */
struct view_page {
	struct view_page_part live_head;   /* of the page of a server */
	struct view_page_part report_head; /* the same with the policy of a report */
	struct view_page_part tail;
	/* What a policy calls the script and the style by. */
	const char *script_hash, *style_hash;
};

extern const struct view_page view_page;

#endif
