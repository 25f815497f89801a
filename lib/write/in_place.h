/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the spool the new file: the pages of a buffer, which lie in the spool as they came, are
 * moved to where each CPU's follow each other. That takes no second place for them, and on a file
 * system in memory half of the time of copying them, which there goes into getting and giving back
 * memory.
 */
#ifndef TDAT_WRITE_IN_PLACE_H
#define TDAT_WRITE_IN_PLACE_H

#include "writer.h"

/*
 * Moves the pages of all streams of buf, from the position of the new file on, if these are all
 * there is in the writer's spool and it can become the file; does nothing if not. Data of these
 * streams is passed over by write_data_put from then on, as it is in its place.
 */
enum tdat_status write_in_place(struct tdat_writer *w, struct write_buffer *buf,
				struct tdat_error *err);

#endif
