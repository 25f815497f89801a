/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tells of a program whether the dynamic linker will load a preloaded library into it. */
#ifndef TDAT_PRELOAD_REACH_H
#define TDAT_PRELOAD_REACH_H

#define UE_IS_STATIC "it is linked statically"

/*
 * ue_unreachable returns why the program at path cannot be reached, a static text, or NULL when it
 * can or cannot be read. Scripts are as their interpreters are. It allocates nothing.
 */
const char *ue_unreachable(const char *path);

#endif
