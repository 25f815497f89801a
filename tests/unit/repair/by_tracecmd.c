/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a file by libtracecmd, where that is installed, and compares the events. */
#include "by_tracecmd.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_TRACECMD
#include <event-parse.h>
#include <trace-cmd.h>

#include "../common/asserts.h"

/* libtracecmd loses some strings: not our leak. */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

static size_t next_of(const struct seen_all *a, size_t index, uint32_t buffer, uint32_t cpu)
{
	while (index < a->count && (a->v[index].buffer != buffer || a->v[index].cpu != cpu))
		index++;
	return index;
}

static void check_cpu(struct tracecmd_input *in, const struct seen_all *want, uint32_t buffer,
		      uint32_t cpu, const char *what)
{
	size_t index = next_of(want, 0, buffer, cpu);
	struct tep_record *rec;

	while ((rec = tracecmd_read_data(in, (int)cpu))) {
		struct tdat_span s = {rec->data, (size_t)rec->size};

		ck_assert_msg(index < want->count, "%s: libtracecmd reads more on CPU %u", what,
			      cpu);
		ck_assert_msg(
			rec->ts == want->v[index].ts && seen_hash(s) == want->v[index].hash,
			"%s: libtracecmd reads another event %zu on CPU %u: at %llu, not %llu",
			what, index, cpu, (unsigned long long)rec->ts,
			(unsigned long long)want->v[index].ts);
		tracecmd_free_record(rec);
		index = next_of(want, index + 1, buffer, cpu);
	}
	ck_assert_msg(index == want->count,
		      "%s: libtracecmd ends on CPU %u of buffer %u before %zu", what, cpu, buffer,
		      index);
}

static void check_buffer(struct tracecmd_input *in, const struct tdat_buffer *b, uint32_t number,
			 const struct seen_all *want, const char *what)
{
	for (uint32_t i = 0; i < b->cpu_count; i++)
		check_cpu(in, want, number, b->cpus[i].cpu, what);
}

void check_by_tracecmd(const char *path, const struct tdat_file *file, const struct seen_all *want,
		       const char *what)
{
	struct tracecmd_input *in, *sub;
	const struct tdat_buffer *list;
	size_t count;
	int instance = 0;

	if (__lsan_disable)
		__lsan_disable();
	tracecmd_set_loglevel(TEP_LOG_NONE);
	list = tdat_file_buffers(file, &count);
	in = tracecmd_open(path, 0);
	ck_assert_msg(in != NULL, "%s: libtracecmd cannot open it", what);
	for (size_t i = 0; i < count; i++) {
		if (list[i].latency || !*list[i].name) {
			check_buffer(in, &list[i], (uint32_t)i, want, what);
			continue;
		}
		ck_assert_str_eq(tracecmd_buffer_instance_name(in, instance), list[i].name);
		sub = tracecmd_buffer_instance_handle(in, instance++);
		ck_assert_msg(sub != NULL, "%s: libtracecmd has no buffer %s", what, list[i].name);
		check_buffer(sub, &list[i], (uint32_t)i, want, what);
		tracecmd_close(sub);
	}
	tracecmd_close(in);
	if (__lsan_enable)
		__lsan_enable();
}
#else
void check_by_tracecmd(const char *path, const struct tdat_file *file, const struct seen_all *want,
		       const char *what)
{
	(void)path;
	(void)file;
	(void)want;
	(void)what;
}
#endif
