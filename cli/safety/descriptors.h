/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Standard descriptors at the start and the end of the program, and the number of open files. */
#ifndef CLI_DESCRIPTORS_H
#define CLI_DESCRIPTORS_H

/* cli_stdio_guard opens /dev/null in place of a closed descriptor 0, 1 or 2. */
void cli_stdio_guard(void);

/*
 * cli_stdout_close flushes and closes stdout. Output that could not be written
 * (full disk, closed descriptor) makes a complaint and CLI_FAILED; else it
 * returns status.
 */
int cli_stdout_close(int status);

/* cli_raise_file_limit lets many files be open at once: soft limits are often 1024. */
void cli_raise_file_limit(void);

#endif
