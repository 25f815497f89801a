/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints system calls as the kernel does: "sys_read(fd: 3, buf: 7ffe0, count: 400)" and
 * "sys_read -> 0x400". Numbers got their "0x" with Linux 6.18; since 6.19 some calls have bytes of
 * user space in a further field, __NAME_val, which is printed behind argument NAME.
 */
#include "native_kernel.h"

#include <stdlib.h>
#include <string.h>

enum { ARGS_MOST = 8, KERNEL_6_18 = 6 << 16 | 18 << 8 };

struct arg {
	const char *name;
	uint32_t off, len;
	uint32_t user; /* the offset of its __NAME_val; 0: none */
};

/* A handler of one sys_enter_ or sys_exit_ event. */
struct syscall {
	struct model_native base;
	const char *prefix; /* "sys" or "compat_sys" */
	const char *name;   /* "_read" */
	size_t arg_count;
	struct arg args[ARGS_MOST]; /* of an exit: what is returned */
	bool prefixed;		    /* prefixed: numbers have "0x" */
	bool is_text;		    /* bytes of user space are a string */
};

static void put_name(const struct syscall *s, struct tdat_build *out)
{
	tdat_build_str(out, s->prefix);
	tdat_build_str(out, s->name);
}

/* Returns argument i, 0 if the call has fewer. */
static uint64_t value(const struct syscall *s, const struct model_event *event, size_t i)
{
	return i < s->arg_count ? native_load(event->record, s->args[i].off, s->args[i].len,
					      s->base.format->big)
				: 0;
}

/*
 * Prints bytes as text, too, if any of them is printable. cut: there were more than were recorded.
 */
static void put_printable(struct tdat_span bytes, bool cut, struct tdat_build *out)
{
	size_t i = 0;

	while (i < bytes.len && (bytes.ptr[i] < ' ' || bytes.ptr[i] > '~'))
		i++;
	if (i == bytes.len)
		return;
	native_lit(out, " \"");
	for (i = 0; i < bytes.len; i++)
		tdat_build_u8(out, bytes.ptr[i] < ' ' || bytes.ptr[i] > '~' ? '.' : bytes.ptr[i]);
	tdat_build_u8(out, '"');
	if (cut)
		native_lit(out, "...");
}

/*
 * Prints bytes of user space. size is the argument that says how many there were; the kernel
 * records a part only.
 */
static void put_user(const struct syscall *s, struct tdat_span bytes, uint64_t size,
		     struct tdat_build *out)
{
	const bool cut = (int64_t)bytes.len < (int32_t)size;

	if (s->is_text) {
		native_lit(out, " \"");
		native_text(out, native_cstr(bytes, 0));
		tdat_build_u8(out, '"');
		return;
	}
	native_lit(out, " (");
	for (size_t i = 0; i < bytes.len; i++) {
		if (i)
			tdat_build_u8(out, ':');
		tdat_number_x64(out, bytes.ptr[i], 2);
	}
	if (cut)
		native_lit(out, ", ...");
	tdat_build_u8(out, ')');
	put_printable(bytes, cut, out);
}

/* Prints "sys_read(fd: 3, buf: 0x7ffe0, count: 0x400)". */
static bool enter_run(const struct model_native *self, const struct model_event *event,
		      struct tdat_build *out)
{
	const struct syscall *s = (const struct syscall *)self;

	put_name(s, out);
	for (size_t i = 0; i < s->arg_count; i++) {
		const struct arg *a = &s->args[i];
		const uint64_t v = value(s, event, i);

		tdat_build_str(out, i ? ", " : "(");
		tdat_build_str(out, a->name);
		native_lit(out, ": ");
		/* Below 10 a prefix says nothing. */
		if (s->prefixed && v > 9)
			native_lit(out, "0x");
		tdat_number_x64(out, v, 0);
		if (a->user)
			put_user(s, native_loc(event->record, a->user, s->base.format->big),
				 value(s, event, i + 1), out);
	}
	tdat_build_str(out, s->arg_count ? ")" : "()");
	return true;
}

static bool exit_run(const struct model_native *self, const struct model_event *event,
		     struct tdat_build *out)
{
	const struct syscall *s = (const struct syscall *)self;

	put_name(s, out);
	native_lit(out, " -> 0x");
	tdat_number_x64(out, value(s, event, 0), 0);
	return true;
}

/* True if user is the name "__NAME_val" of the bytes that argument NAME points to. */
static bool is_user_of(const char *user, const char *name)
{
	const size_t n = strlen(name);

	return !strncmp(user, "__", 2) && !strncmp(user + 2, name, n) &&
	       !strcmp(user + 2 + n, "_val");
}

/* Takes an argument, or the bytes of an earlier one. False: no system call has such a field. */
static bool add_field(struct syscall *s, const struct tdat_field *f)
{
	size_t i = 0;

	if (!model_field_is_loc(f)) {
		if (s->arg_count == ARGS_MOST || (f->len != 4 && f->len != 8))
			return false;
		s->args[s->arg_count++] =
			(struct arg){.name = f->name, .off = f->off, .len = f->len};
		return true;
	}
	while (i < s->arg_count && !is_user_of(f->name, s->args[i].name))
		i++;
	if (i == s->arg_count)
		return false;
	s->args[i].user = f->off;
	s->prefixed = true;
	return true;
}

/* Takes all fields of the event. False: it is not a system call. */
static bool add_fields(struct syscall *s, const struct tdat_event_format *format)
{
	/* The first field is the number of the call. */
	size_t i = format->common_count + 1;

	while (i < format->field_count && add_field(s, &format->fields[i]))
		i++;
	return i == format->field_count && i > format->common_count;
}

/* Reads "sys" or "compat_sys", and behind it "_enter_" or "_exit_". False: another name. */
static bool read_name(struct syscall *s, const char *name)
{
	s->prefix = strncmp(name, "compat_", 7) ? "sys" : "compat_sys";
	if (strncmp(name, s->prefix, strlen(s->prefix)) != 0)
		return false;
	name += strlen(s->prefix);
	if (!strncmp(name, "_enter_", 7)) {
		s->base.run = enter_run;
		s->name = name + 6;
	} else if (!strncmp(name, "_exit_", 6)) {
		s->base.run = exit_run;
		s->name = name + 5;
	}
	return s->name;
}

enum tdat_status native_ksyscall_new(struct model_native **out,
				     const struct tdat_event_format *format,
				     const struct model_env *env, struct tdat_error *err)
{
	struct syscall *s = native_new(sizeof(*s), NULL, format, env, err);

	if (!s)
		return TDAT_E_NOMEM;
	s->prefixed = env->kernel_version >= KERNEL_6_18;
	s->is_text = !strstr(format->print_fmt, "__print_dynamic_array");
	/* Some of 6.19 have flags by name, too: "flags: %s%s". */
	if (!read_name(s, format->name) || !add_fields(s, format) ||
	    (s->base.run == exit_run && s->arg_count != 1) || strstr(format->print_fmt, "%s%s"))
		free(s);
	else
		*out = &s->base;
	return TDAT_OK;
}
