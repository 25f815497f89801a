/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Turns the version of a kernel into the rules of its hist triggers. Their words, limits and output
 * changed from release to release. This file sets a few flags; all other files ask the flags. The
 * version comes from the caller or from the file's option UNAME.
 */
#include "kernel.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "core/syscalls.h"

static const char *read_part(const char *s, uint32_t *part)
{
	uint64_t v;

	s = tdat_read_digits(s, NULL, 10, &v);
	*part = v < UINT32_MAX ? (uint32_t)v : UINT32_MAX - 1;
	return s;
}

/* "6.12.117+deb12-amd64" or "6.1.0-56-amd64"; *abi is Debian's number behind a patch level of 0. */
static bool parse_version(const char *s, struct hist_kernel *k, uint32_t *abi)
{
	uint32_t *const parts[] = {&k->major, &k->minor, &k->patch};

	*abi = 0;
	k->patch = UINT32_MAX; /* "6.1": the newest of them */
	for (size_t i = 0; i < 3; i++) {
		if (!tdat_is_dec((uint8_t)*s))
			return false;
		s = read_part(s, parts[i]);
		if (*s != '.' || i == 2)
			break;
		s++;
	}
	if (!k->patch && *s == '-')
		read_part(s + 1, abi);
	return true;
}

/* True if the kernel is of this release or a newer one. */
static bool is_from(const struct hist_kernel *k, uint32_t major, uint32_t minor)
{
	return k->major != major ? k->major > major : k->minor >= minor;
}

/*
 * .percent and .graph on values, which all kernels document, were refused by 6.1.176 and 6.12.95,
 * and are taken by 6.1.192 and 6.12.117. Debian's 6.1.0-50 is 6.1.176, its 6.1.0-56 is 6.1.192.
 */
static bool takes_shares(const struct hist_kernel *k, uint32_t abi)
{
	if (k->major == 6 && k->minor == 1)
		return abi ? abi > 50 : k->patch > 176;
	if (k->major == 6 && k->minor == 12)
		return k->patch > 95;
	return (k->major == 6 && k->minor == 2) || is_from(k, 6, 13);
}

/* Sets the flags. Each names the first release that has the rule. */
static void set_rules(struct hist_kernel *k, uint32_t abi)
{
	k->new_words = is_from(k, 6, 3);
	k->new_sort = is_from(k, 6, 11);
	k->sets = is_from(k, 6, 6);
	k->val_shares = takes_shares(k, abi);
	k->cuts_cmd = !is_from(k, 6, 12);
}

enum tdat_status hist_kernel_init(struct tdat_hist *h, const char *text, struct tdat_error *err)
{
	const struct tdat_span word = file_uname(h->file, UNAME_RELEASE);
	const struct tdat_span machine = file_uname(h->file, UNAME_MACHINE);
	const char *release = hist_strndup(h, (const char *)word.ptr, word.len);
	uint32_t abi = 0;

	h->machine = hist_strndup(h, (const char *)machine.ptr, machine.len);
	if (!release || !h->machine)
		return tdat_error_no_memory(err, "the name of the kernel");
	h->syscalls = tdat_syscalls_of(machine);
	/* A version from the caller must be right; one from the file may be of any kind. */
	if (text && !parse_version(text, &h->kernel, &abi))
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "'%s' is not a kernel version such as 6.12", text);
	if (!text && !parse_version(release, &h->kernel, &abi)) {
		parse_version("6.12", &h->kernel, &abi);
		hist_note(h, "the file does not name its kernel version: tdat assumes 6.12");
	}
	set_rules(&h->kernel, abi);
	return TDAT_OK;
}

/* Clocks that count cycles or jiffies: .usecs does not divide their times. */
void hist_clock_init(struct tdat_hist *h, const char *clock)
{
	h->clock_ns = strcmp(clock, "counter") != 0 && strcmp(clock, "uptime") != 0 &&
		      strcmp(clock, "x86-tsc") != 0 && strcmp(clock, "ppc-tb") != 0;
}
