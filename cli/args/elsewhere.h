/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of trace-cmd that a command of the same name does not have, and what answers them. */
#ifndef CLI_ELSEWHERE_H
#define CLI_ELSEWHERE_H

#include <stddef.h>

/* cli_elsewhere says what answers an option, such as "w" or "profile". NULL: it is none of these.
 */
const char *cli_elsewhere(const char *command, const char *option, size_t len);

#endif
