/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command lines that the help of a command and its manual page begin with. */
#ifndef CLI_EXAMPLES_H
#define CLI_EXAMPLES_H

enum { CLI_EXAMPLES = 3 };

/* cli_examples returns CLI_EXAMPLES lines, or NULL for a word that is no command. */
const char *const *cli_examples(const char *command);

#endif
