/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts short marks of a track together, so that a track of any length stays within a bound. */
#ifndef VIEW_DATA_TRACK_MERGE_H
#define VIEW_DATA_TRACK_MERGE_H

#include "tracks.h"

/*
 * view_track_merge puts together marks of one depth that are shorter than a granule and begin in
 * the same one, and makes granules longer until at most `most` marks are left; from and to are
 * the time of the trace. t->granule tells how long granules became. Marks are kept in their
 * order, which has to be by the time when they came for most to be put together. How they are put
 * together depends on the marks alone. False: there was no memory for it.
 */
bool view_track_merge(struct view_track *t, enum view_track_kind kind, uint64_t from, uint64_t to,
		      size_t most);

#endif
