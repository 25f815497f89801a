/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and writes the memory of other processes, and reads what /proc says of them. */
#ifndef USER_EVENTS_RECORDER_THERE_H
#define USER_EVENTS_RECORDER_THERE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* These return false, with errno, unless all len bytes are there. */
bool there_read(int32_t pid, uint64_t addr, void *out, size_t len);
bool there_write(int32_t pid, uint64_t addr, const void *data, size_t len);

/* there_set_bit sets or clears a bit of a word of size bytes. */
bool there_set_bit(int32_t pid, uint64_t addr, uint8_t bit, uint8_t size, bool on);

/*
 * there_text reads the file of /proc that name says, below the directory of pid, and ends it with
 * a NUL; the length, 0 where it cannot be read.
 */
size_t there_text(int32_t pid, const char *name, char *out, size_t cap);

#endif
