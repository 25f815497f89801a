/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a small file of text that an option names, before the sandbox is entered. */
#ifndef CLI_TEXT_FILE_H
#define CLI_TEXT_FILE_H

#include <stddef.h>

/*
 * cli_text_file reads a file of at most `most` bytes, or standard input for "-", into *text, which
 * ends with NUL; the caller frees it also after a failure, where it may be NULL. Longer files,
 * devices and files with a NUL are refused as no `what`, such as "script": exit status `refused`.
 */
int cli_text_file(const char *path, size_t most, const char *what, int refused, char **text);

#endif
