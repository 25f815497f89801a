/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Turns the version of a kernel into the rules of its hist triggers. Their words, limits and output
 * changed from release to release. This file sets a few flags; all other files ask the flags. The
 * version comes from the caller or from the file's option UNAME.
 */
#include "kernel.h"

#include <stdio.h>
#include <string.h>

#include "model/syscall_names.h"

/* "6.12.117+deb12-amd64" or "6.1.0-56-amd64"; *abi is Debian's number behind a patch level of 0. */
static bool parse_version(const char *s, struct hist_kernel *k, uint32_t *abi)
{
	uint32_t *const parts[] = {&k->major, &k->minor, &k->patch};

	*abi = 0;
	k->patch = UINT32_MAX; /* "6.1": the newest of them */
	for (size_t i = 0; i < 3; i++) {
		if (*s < '0' || *s > '9')
			return false;
		/* More than five digits are cut: versions are only compared. */
		for (*parts[i] = 0; *s >= '0' && *s <= '9' && *parts[i] < 100000; s++)
			*parts[i] = *parts[i] * 10 + (uint32_t)(*s - '0');
		if (*s != '.' || i == 2)
			break;
		s++;
	}
	if (!k->patch && *s == '-')
		for (s++; *s >= '0' && *s <= '9' && *abi < 100000; s++)
			*abi = *abi * 10 + (uint32_t)(*s - '0');
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

/* "Linux HOST RELEASE MACHINE": the word of that number, from 0. */
static const char *word_of(struct tdat_hist *h, struct tdat_span text, size_t number)
{
	size_t i = 0, from;

	for (;;) {
		while (i < text.len && text.ptr[i] == ' ')
			i++;
		for (from = i;
		     i < text.len && text.ptr[i] && text.ptr[i] != ' ' && text.ptr[i] != '\n';)
			i++;
		if (from == i)
			return "";
		if (!number--)
			return hist_strndup(h, (const char *)text.ptr + from, i - from);
	}
}

enum tdat_status hist_kernel_init(struct tdat_hist *h, const char *text, struct tdat_error *err)
{
	const struct tdat_option *o = tdat_file_option(h->file, TDAT_OPTION_UNAME);
	const char *release = "";
	uint32_t abi = 0;

	/* "Linux HOST RELEASE MACHINE": words 2 and 3, as uname -a prints them. */
	h->machine = "";
	if (o) {
		release = word_of(h, o->data, 2);
		h->machine = word_of(h, o->data, 3);
		if (!release || !h->machine)
			return tdat_error_no_memory(err, "the name of the kernel");
	}
	h->syscalls = model_syscalls_of(
		(struct tdat_span){(const uint8_t *)h->machine, strlen(h->machine)});
	/* A version from the caller must be right; one from the file may be of any kind. */
	if (text && !parse_version(text, &h->kernel, &abi))
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "'%s' is no version of a kernel, such as 6.12", text);
	if (!text && !parse_version(release, &h->kernel, &abi)) {
		parse_version("6.12", &h->kernel, &abi);
		hist_note(h, "the file does not say which kernel it is of: taken as 6.12");
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
