/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shares what the files of this importer know of a perf.data: its events (attributes), its header,
 * and the records of its data.
 */
#ifndef TDAT_IMPORT_PERF_H
#define TDAT_IMPORT_PERF_H

#include <tdat/emit.h>

#include "core/build.h"
#include "core/cursor.h"
#include "core/map.h"

/* Types of records; those from 64 on are perf's own, the others the kernel's. */
enum perf_type {
	PERF_LOST = 2,
	PERF_COMM = 3,
	PERF_EXIT = 4,
	PERF_FORK = 7,
	PERF_SAMPLE = 9,
	PERF_LOST_SAMPLES = 13,
	PERF_KERNEL_LAST = 22,
	PERF_HEADER_ATTR = 64,
	PERF_TRACING_DATA = 66,
	PERF_FINISHED_ROUND = 68,
	PERF_AUXTRACE = 71,
	PERF_EVENT_UPDATE = 78,
	PERF_HEADER_FEATURE = 80,
	PERF_COMPRESSED = 81,
	PERF_COMPRESSED2 = 83,
	PERF_TYPE_LAST = 84
};

/* Bits of sample_type. */
enum perf_sample_bit {
	PERF_S_IP = 1 << 0,
	PERF_S_TID = 1 << 1,
	PERF_S_TIME = 1 << 2,
	PERF_S_ADDR = 1 << 3,
	PERF_S_READ = 1 << 4,
	PERF_S_CALLCHAIN = 1 << 5,
	PERF_S_ID = 1 << 6,
	PERF_S_CPU = 1 << 7,
	PERF_S_PERIOD = 1 << 8,
	PERF_S_STREAM_ID = 1 << 9,
	PERF_S_RAW = 1 << 10,
	PERF_S_IDENTIFIER = 1 << 16
};

/* Numbers of features, and types of events. */
enum {
	PERF_F_TRACING_DATA = 1,
	PERF_F_HOSTNAME = 3,
	PERF_F_OSRELEASE = 4,
	PERF_F_VERSION = 5,
	PERF_F_ARCH = 6,
	PERF_F_EVENT_DESC = 12,
	PERF_F_COUNT = 256,
	PERF_EVENT_TRACEPOINT = 2
};

/* The page size of what is written: a record of perf has 16 bits of length. */
enum { PERF_HEAD_LEN = 8, PERF_PAGE = 64 * 1024, PERF_RECORD_MOST = 60 * 1024, PERF_CPUS = 65536 };

/* One event of the recording (perf_event_attr). */
struct perf_attr {
	uint32_t type;
	uint64_t config, sample_type, read_format;
	bool id_all; /* records other than samples end in the fields of a sample_id */
	bool has_clock;
	int32_t clock;
	char name[64];	 /* empty: not told yet */
	uint16_t format; /* of its samples without raw data; valid with has_format */
	bool has_format;
};

struct perf_id {
	uint64_t id;
	uint32_t attr;
};

struct perf_tasks {
	struct perf_task *v;
	size_t cap;
	struct tdat_map map;
};

/* Text of features. */
struct perf_text {
	char host[65], release[65], version[65], arch[65];
};

struct perf_data {
	const struct tdat_import_request *request;
	const struct tdat_emit *emit;
	const char *path; /* of the input that is read */
	bool big;
	struct perf_attr *attrs;
	size_t attr_count, attr_cap;
	struct perf_id *ids;
	size_t id_cap;
	struct tdat_map id_map;
	struct perf_text text;
	struct tdat_build tracing; /* tracing data, as it stands in the file */
	uint8_t long_size;	   /* 0: unknown */
	struct perf_tasks tasks;
};

/* What a record holds that samples and the fields behind other records have. */
struct perf_sample {
	const struct perf_attr *attr;
	uint64_t ip, time, addr, period, value;
	uint32_t pid, tid, cpu;
	bool has_time, has_cpu, has_tid;
	struct tdat_span chain; /* u64 each */
	struct tdat_span raw;
};

/* perf_header.c: the header of a file, and what stands in its place in a pipe. */
struct perf_range {
	uint64_t off, end;
	bool pipe;
};
bool perf_magic(const struct tdat_source *source, bool *big);
enum tdat_status perf_header_read(struct perf_data *d, const struct tdat_source *source,
				  struct perf_range *data, struct tdat_error *err);
enum tdat_status perf_attr_record(struct perf_data *d, struct tdat_cursor c,
				  struct tdat_error *err);
void perf_update_record(struct perf_data *d, struct tdat_cursor c);
enum tdat_status perf_feature(struct perf_data *d, uint64_t number, struct tdat_cursor c,
			      struct tdat_error *err);
uint32_t perf_find_id(const struct perf_data *d, uint64_t id);

/* perf_tracing.c: formats, symbols and names that tracing data has; ids maps those of formats. */
enum tdat_status perf_tracing_look(struct perf_data *d, struct tdat_error *err);
enum tdat_status perf_tracing_emit(struct perf_data *d, uint16_t *ids, struct tdat_error *err);

/* perf_walk.c: gives the records of a range of a file, inflated. */
struct perf_record {
	uint32_t type;
	const uint8_t *bytes; /* with the head */
	size_t len;
	uint64_t off;		 /* in the file; of the compressed record for those in it */
	struct tdat_span behind; /* bytes of tracing data, which stand behind the record */
};
typedef enum tdat_status (*perf_record_fn)(void *ctx, const struct perf_record *r,
					   struct tdat_error *err);
enum tdat_status perf_walk(struct perf_data *d, const struct tdat_source *source,
			   struct perf_range range, bool warns, perf_record_fn fn, void *ctx,
			   struct tdat_error *err);

/* perf_sample.c: false where the record is shorter than its event says. */
bool perf_sample_read(const struct perf_data *d, const struct perf_record *r,
		      struct perf_sample *s);
bool perf_trailer_read(const struct perf_data *d, const struct perf_record *r,
		       struct perf_sample *s);

/* perf_tasks.c: names of threads as time goes by. */
enum tdat_status perf_tasks_record(struct perf_data *d, const struct perf_record *r,
				   struct tdat_error *err);
void perf_tasks_sampled(struct perf_tasks *t, uint32_t tid);
enum tdat_status perf_tasks_emit(const struct perf_tasks *t, const struct tdat_emit *emit,
				 struct tdat_error *err);
void perf_tasks_fini(struct perf_tasks *t);

/* perf_events.c: makes events of the records, which come in order of time. */
struct perf_out {
	struct perf_data *data;
	uint16_t *ids; /* by common_type: of the format in the trace.dat; 0: there is none */
	bool ranks;    /* no time is known: events are numbered */
	uint64_t rank;
	uint64_t *lost; /* by CPU, before its next event */
	size_t lost_cap;
	uint16_t kernel_stack, user_stack;
	bool has_kernel_stack, has_user_stack;
	struct tdat_build record;
	uint64_t events, unknown_format, too_long;
};
enum tdat_status perf_out_record(struct perf_out *o, uint64_t ts, uint32_t cpu,
				 const struct perf_record *r, struct tdat_error *err);
void perf_out_fini(struct perf_out *o);

static inline struct tdat_cursor perf_body(const struct perf_data *d, const struct perf_record *r)
{
	return tdat_cursor_init(r->bytes + PERF_HEAD_LEN, r->len - PERF_HEAD_LEN,
				r->off + PERF_HEAD_LEN, d->big);
}

#endif
