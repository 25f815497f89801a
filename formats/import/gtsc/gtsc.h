/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Captures of relay channels under GTSC and its kin: inputs -> sub-buffers
 * without padding -> records per file -> merged -> events. What a record is
 * depends on the producer: text, records the user describes, SystemTap's bulk
 * text, blktrace.
 */
#ifndef TDAT_IMPORT_GTSC_GTSC_H
#define TDAT_IMPORT_GTSC_GTSC_H

#include <regex.h>

#include <tdat/emit.h>

#include "core/build.h"
#include "import/record_merge.h"
#include "import/window.h"

enum gtsc_kind { GTSC_TEXT, GTSC_STAP, GTSC_BLK, GTSC_RECORD, GTSC_KIND_COUNT };

enum {
	GTSC_CPU_MAX = 65535,
	GTSC_TEXT_MAX = 4000, /* longest text an event of a 4096-byte page gets */
	GTSC_SUB_MAX = 1 << 26
};

/* ---- files.c ---- */

struct gtsc_file {
	const char *name;
	const char *path;
	const struct tdat_source *source;
	size_t stem_len; /* of the name, without its number */
	uint32_t cpu;
	bool numbered;
};

struct gtsc_files {
	struct gtsc_file *files; /* ordered by CPU */
	size_t count;
	const struct tdat_import_input *dropped;
	const struct tdat_import_input *nr_sub;
	const struct tdat_import_input *sub_size;
	const struct tdat_import_input *state;
	const struct tdat_import_input *meta;
};

/* "sda.blktrace.12" -> 12 and the length of what is before; false without a number. */
bool gtsc_cpu_of_name(const char *name, uint32_t *cpu, size_t *stem_len);
/* Whether data files of these facilities have such names: "trace0", "sda.blktrace.0". */
bool gtsc_is_data_name(const char *name);
bool gtsc_is_sidecar(const char *name);

enum tdat_status gtsc_files_init(struct gtsc_files *f, const struct tdat_import_request *request,
				 struct tdat_error *err);
void gtsc_files_fini(struct gtsc_files *f);

/* First line of a sidecar, cut to cap; "" without one. */
void gtsc_sidecar_line(const struct tdat_import_input *in, char *buf, size_t cap);
/* The value after "key=" in the meta file; false without. */
bool gtsc_meta_value(const struct tdat_import_input *meta, const char *key, char *buf,
		     size_t cap);
/* CPUs below the highest that left no file. */
enum tdat_status gtsc_warn_absent(const struct gtsc_files *f, const struct tdat_emit *emit,
				  struct tdat_error *err);

/* ---- relay.c ---- */

enum gtsc_padding { GTSC_PAD_NONE, GTSC_PAD_ZERO, GTSC_PAD_COUNT };

/* How raw images of relay buffers lie in a file. */
struct gtsc_geometry {
	uint64_t sub_len; /* 0: no sub-buffers, the file is dense */
	enum gtsc_padding padding;
	uint64_t produced; /* sub-buffers ever begun; 0: unknown, not rotated */
};

/* A stretch of a file that holds records only, and maybe zeros at its end. */
struct gtsc_chunk {
	uint64_t off;
	uint64_t end;
};

struct gtsc_relay {
	const struct gtsc_geometry *geometry;
	const char *name;
	const struct tdat_emit *emit; /* NULL: quiet */
	struct import_window window;
	bool big;	 /* of padding counts */
	bool keep_zeros; /* at the end: they may belong to a record */
	uint64_t next;	 /* slot, in order of time */
};

void gtsc_relay_init(struct gtsc_relay *r, const struct gtsc_geometry *geometry, bool big,
		     const struct gtsc_file *file, size_t window_len,
		     const struct tdat_emit *emit);
void gtsc_relay_fini(struct gtsc_relay *r);
/* The next one, oldest first. TDAT_E_NOT_FOUND at the end. */
enum tdat_status gtsc_relay_next(struct gtsc_relay *r, struct gtsc_chunk *out,
				 struct tdat_error *err);
/* The byte order in which more padding counts are sound: -1 when both are alike. */
int gtsc_relay_guess_big(const struct gtsc_geometry *geometry, const struct tdat_source *source);

/* ---- records ---- */

enum gtsc_unit { GTSC_NS, GTSC_US, GTSC_MS, GTSC_S, GTSC_TSC };

struct gtsc_record_types;

/* What is known of the capture before a record is read. */
struct gtsc_setup {
	enum gtsc_kind kind;
	bool big;
	bool order_known; /* false: nothing depends on the byte order */
	bool stamped;     /* text: some line has a stamp */
	enum gtsc_unit unit;
	uint64_t hz; /* of the unit tsc; 0: ticks stay as they are */
	struct gtsc_geometry geometry;
	unsigned int blk_version;
	struct gtsc_record_types *types; /* of the kind record */
};

/* The stamp in ns, or as it is; false when that is no 64-bit number any more. */
bool gtsc_scale(const struct gtsc_setup *s, int64_t stamp, int64_t *key);

struct gtsc_line {
	struct tdat_span text;
	uint64_t off;
	bool cut;
};

struct gtsc_doubts {
	uint64_t leading;      /* lines before the first stamp */
	uint64_t unstamped;    /* lines of a file that has none */
	uint64_t continuation;
	uint64_t cut;
	uint64_t nuls;
	uint64_t behind_nul;   /* bytes of sub-buffers */
	uint64_t clamped;      /* times */
};

struct gtsc_blk_wall {
	bool set;
	int64_t offset_ns; /* wall clock minus the trace's */
};

struct gtsc_reader {
	const struct gtsc_setup *setup;
	const struct gtsc_file *file;
	const struct tdat_emit *emit; /* NULL: quiet */
	struct gtsc_relay relay;
	struct gtsc_chunk chunk;
	uint64_t off; /* of what comes next; chunk.end: a new chunk is needed */
	size_t window_len;
	bool stopped; /* by damage */
	uint64_t records;
	struct gtsc_doubts doubts;
	/* text */
	bool has_stamp;
	int64_t first_key;
	struct tdat_build text; /* the record under way */
	struct tdat_build next; /* the text of the stamped line behind it */
	int64_t next_key;
	bool have_next;
	/* SystemTap, blktrace, records */
	int64_t key;
	uint32_t last_seq;
	bool seq_known;
	struct gtsc_blk_wall wall;
	uint64_t missing_seq;
};

void gtsc_reader_init(struct gtsc_reader *r, const struct gtsc_setup *setup,
		      const struct gtsc_file *file, size_t window_len,
		      const struct tdat_emit *emit);
void gtsc_reader_fini(struct gtsc_reader *r);
/* A new chunk when the last one is used up; TDAT_E_NOT_FOUND at the end. */
enum tdat_status gtsc_reader_chunk(struct gtsc_reader *r, struct tdat_error *err);
/* Says how many bytes of the chunk there are at off and gives them; len bytes must be there. */
const uint8_t *gtsc_reader_get(struct gtsc_reader *r, size_t len, struct tdat_error *err);
/* Whether only zeros follow in a sub-buffer; then they are passed. */
bool gtsc_reader_skip_zeros(struct gtsc_reader *r);
struct import_merge_stream gtsc_reader_stream(struct gtsc_reader *r);
/* Warnings about the whole file, after the first pass. */
enum tdat_status gtsc_reader_tell(struct gtsc_reader *r, struct tdat_error *err);

/* text.c: parses "[stamp] "; *len is its length. */
bool gtsc_parse_stamp(struct tdat_span line, int64_t *stamp, size_t *len);
/* Finds out whether the file has stamps, and the first. */
enum tdat_status gtsc_text_scan(struct gtsc_reader *r, struct tdat_error *err);
enum tdat_status gtsc_text_next(struct gtsc_reader *r, struct import_merge_record *out,
				struct tdat_error *err);
/* stap.c */
enum tdat_status gtsc_stap_next(struct gtsc_reader *r, struct import_merge_record *out,
				struct tdat_error *err);
/* Bytes of a chain of records from the start of head. */
size_t gtsc_stap_score(struct tdat_span head, bool big, size_t *records);

/* ---- detect.c ---- */

/* The head of a source, in place or copied to buf. */
struct tdat_span gtsc_look(const struct tdat_source *source, uint8_t *buf, size_t cap);
enum gtsc_kind gtsc_detect_kind(const struct gtsc_files *files);
/* Percent of bytes that no text has. */
unsigned int gtsc_binary_percent(struct tdat_span head);
uint32_t gtsc_probe(const struct tdat_import_input *inputs, size_t input_count);

/* ---- blk_read.c ---- */

enum { BLK_HEADER_V7 = 48, BLK_HEADER_V8 = 64 };

struct blk_record {
	uint32_t sequence;
	uint64_t time;
	uint64_t sector;
	uint32_t bytes;
	uint16_t action;     /* without BLK_CGROUP */
	uint32_t categories; /* READ 1, WRITE 2 ... */
	uint64_t raw_action;
	uint32_t pid;
	uint32_t device;
	uint32_t cpu;
	uint16_t error;
	struct tdat_span pdu;
};

enum {
	BLK_TC_WRITE = 0x2,
	BLK_TC_FLUSH = 0x4,
	BLK_TC_SYNC = 0x8,
	BLK_TC_PC = 0x200,
	BLK_TC_NOTIFY = 0x400,
	BLK_TC_AHEAD = 0x800,
	BLK_TC_META = 0x1000,
	BLK_TC_DISCARD = 0x2000,
	BLK_TC_FUA = 0x8000
};

enum { BLK_NOTIFY_PROCESS, BLK_NOTIFY_TIMESTAMP, BLK_NOTIFY_MESSAGE };

/* 0: not blktrace. Otherwise the version and byte order of the record at head. */
unsigned int blk_version(struct tdat_span head, bool *big);
/* data: a whole record. */
void blk_decode(unsigned int version, bool big, struct tdat_span data, struct blk_record *out);
/*
 * Finds version and order; files that cannot be read are warned of and taken
 * out. Fails when none is left.
 */
enum tdat_status blk_settle(struct gtsc_setup *s, struct gtsc_files *f,
			    const struct tdat_emit *emit, struct tdat_error *err);
enum tdat_status blk_next(struct gtsc_reader *r, struct import_merge_record *out,
			  struct tdat_error *err);
uint32_t blk_probe(const struct tdat_import_input *inputs, size_t input_count);

/* ---- output.c, blk_output.c ---- */

struct gtsc_output_opts {
	const char *system;
	const char *event; /* NULL: from the capture's folder */
	bool as_print;
	bool atrace;
	bool mark_dropped;
	const regex_t *pid_regex; /* NULL: no pid in the text */
};

struct blk_output;

struct gtsc_output {
	const struct tdat_emit *emit;
	const struct gtsc_setup *setup;
	const struct gtsc_files *files;
	struct gtsc_output_opts opts;
	struct tdat_build payload;
	uint16_t event_id;
	struct blk_output *blk;
	uint64_t *cpu_records; /* by CPU */
	uint32_t cpu_count;
	uint64_t dropped;
	uint64_t shift; /* added to every key */
};

enum tdat_status gtsc_output_init(struct gtsc_output *o, struct tdat_error *err);
void gtsc_output_fini(struct gtsc_output *o);
enum tdat_status gtsc_output_record(struct gtsc_output *o, const struct import_merge_record *rec,
				    struct tdat_error *err);
enum tdat_status gtsc_output_payload(struct gtsc_output *o, uint32_t cpu, uint64_t ts,
				     int64_t lost, struct tdat_error *err);
/* Statistics of the CPUs and facts. */
enum tdat_status gtsc_output_end(struct gtsc_output *o, const struct import_merge_range *range,
				 uint64_t missing_seq, struct tdat_error *err);

struct blk_output *blk_output_new(struct gtsc_output *o, enum tdat_status *st,
				  struct tdat_error *err);
void blk_output_free(struct blk_output *b);
enum tdat_status blk_output_record(struct gtsc_output *o, const struct import_merge_record *rec,
				   struct tdat_error *err);
/* Tasks beyond the table, to be told. */
uint64_t blk_output_unnamed(const struct blk_output *b);

/* ---- record.c ---- */

/* The types that options describe; to be freed also after a failure. */
enum tdat_status gtsc_record_types_new(struct gtsc_record_types **out,
				       const struct tdat_import_request *request,
				       struct tdat_error *err);
void gtsc_record_types_free(struct gtsc_record_types *t);
/* Whether some type has a time. */
bool gtsc_record_timed(const struct gtsc_record_types *t);
enum tdat_status gtsc_record_next(struct gtsc_reader *r, struct import_merge_record *out,
				  struct tdat_error *err);
enum tdat_status gtsc_record_formats(struct gtsc_output *o, const char *system,
				     struct tdat_error *err);
void gtsc_record_build(struct gtsc_output *o, struct tdat_span data);

/* ---- gtsc.c ---- */

/* All of an import, with the kind given or GTSC_KIND_COUNT to find out. */
enum tdat_status gtsc_import(const struct tdat_import_request *request,
			     const struct tdat_import_opt_desc *descs, const char *importer,
			     enum gtsc_kind kind, const struct tdat_emit *emit,
			     struct tdat_error *err);

#endif
