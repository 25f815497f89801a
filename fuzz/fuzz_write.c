/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A script of bytes drives the writer: formats made of fields, buffers of several
 * page sizes, events with gaps and losses, whole pages, options, texts. What was
 * written opens strictly, check has nothing to say of it, and each CPU's events
 * come back as they were given; the number of threads does not show in the file.
 *
 * Input: u8 of version, byte order, long size, compression; u8 of page size and clock;
 * u8 CPUs; then operations, each a byte and what it takes (see ops below).
 */
#include <string.h>

#include "core/build.h"
#include "core/cursor.h"
#include "trace.h"

enum { FLAG_V6 = 1, FLAG_BIG = 2, FLAG_LONG4 = 4, FLAG_CODEC = 8 | 16, FLAG_THREADS = 32 };
enum { EVENTS_MOST = 400, STREAMS_MOST = 64, FORMATS_MOST = 16, BUFFERS_MOST = 4, FIELDS_MOST = 8 };
enum { RECORD_MOST = 1 << 16, OPS_MOST = 600 };

struct event {
	uint64_t ts;
	int64_t lost;
	size_t at, len;	    /* in records */
	bool lost_may_hide; /* no room for the count: it may become "unknown" */
};

struct stream {
	uint32_t buffer, cpu;
	size_t count, seen;
	struct event events[EVENTS_MOST];
};

struct script {
	struct tdat_cursor in;
	struct tdat_writer *w;
	const struct tdat_emit *emit;
	uint8_t flags;
	uint32_t page[BUFFERS_MOST];
	bool has_data[BUFFERS_MOST], has_text[BUFFERS_MOST];
	uint32_t options_given; /* a bit for each id that op_option() gave */
	char names[BUFFERS_MOST][8];
	uint32_t buffer_count;
	struct {
		uint16_t id;
		uint32_t len;
	} formats[FORMATS_MOST];
	uint32_t format_count;
	uint64_t ts;
	struct tdat_build records;
	struct stream *streams; /* STREAMS_MOST */
	size_t stream_count, event_count;
	bool has_longer; /* an event has bytes behind its fields */
	struct tdat_error err;
};

static bool big(const struct script *s)
{
	return s->flags & FLAG_BIG;
}

static uint32_t long_size(const struct script *s)
{
	return s->flags & FLAG_LONG4 ? 4 : 8;
}

static uint32_t page_head(const struct script *s)
{
	return 8 + long_size(s);
}

#define MUST(s, call) FUZZ_ASSERT((call) == TDAT_OK)

/* Refused, with a sentence, and the writer goes on. */
static void must_refuse(struct script *s, enum tdat_status st, enum tdat_status expected)
{
	FUZZ_ASSERT(st == expected && s->err.status == st && *s->err.message);
	tdat_error_reset(&s->err);
}

/* ---- formats ---- */

struct field_kind {
	const char *type, *array;
	uint32_t len;
	bool is_signed;
	const char *print;
};

static const struct field_kind kinds[] = {
	{"unsigned char", "", 1, false, "%u"},
	{"short", "", 2, true, "%d"},
	{"u32", "", 4, false, "0x%x"},
	{"s64", "", 8, true, "%lld"},
	{"unsigned long", "", 0, false, "%lu"},
	{"char", "[16]", 16, false, "%s"},
	{"__data_loc char[]", "", 4, false, "%s"},
	{"u16", "[3]", 6, false, "%*ph"},
};

static uint32_t put_field(const struct script *s, struct tdat_build *b, const struct field_kind *k,
			  uint32_t i, uint32_t off)
{
	uint32_t len = k->len ? k->len : long_size(s);
	uint32_t align = len > 8 ? 1 : len == 6 ? 2 : len;

	off = (off + align - 1) / align * align;
	tdat_build_printf(b, "\tfield:%s f%u%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n", k->type, i,
			  k->array, off, len, k->is_signed);
	return off + len;
}

static void put_print(struct tdat_build *b, const uint8_t *fields, uint32_t count)
{
	uint32_t i;

	tdat_build_str(b, "\nprint fmt: \"");
	for (i = 0; i < count; i++)
		tdat_build_printf(b, "f%u=%s ", i, kinds[fields[i]].print);
	tdat_build_str(b, "\"");
	for (i = 0; i < count; i++)
		tdat_build_printf(b,
				  fields[i] == 6   ? ", __get_str(f%u)"
				  : fields[i] == 7 ? ", 6, REC->f%u"
						   : ", REC->f%u",
				  i);
	tdat_build_str(b, "\n");
}

static uint32_t put_fields(const struct script *s, struct tdat_build *b, const uint8_t *fields,
			   uint32_t count)
{
	uint32_t off = 8, i;

	tdat_build_str(b, "format:\n"
			  "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			  "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
			  "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"
			  "\tsigned:0;\n"
			  "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n");
	for (i = 0; i < count; i++)
		off = put_field(s, b, &kinds[fields[i]], i, off);
	return off;
}

static bool id_taken(const struct script *s, uint32_t id)
{
	uint32_t i;

	for (i = 0; id && i < s->format_count; i++)
		if (s->formats[i].id == id)
			return true;
	return false;
}

/* u8 number of fields, their kinds, u16 id (0: any is chosen). */
static void op_format(struct script *s)
{
	uint32_t count = tdat_cursor_u8(&s->in) % (FIELDS_MOST + 1), id, i, n = s->format_count;
	uint8_t fields[FIELDS_MOST] = {0};
	struct tdat_build b;
	enum tdat_status st;

	for (i = 0; i < FIELDS_MOST && i < count; i++)
		fields[i] = tdat_cursor_u8(&s->in) % (sizeof(kinds) / sizeof(kinds[0]));
	id = tdat_cursor_u16(&s->in);
	if (n == FORMATS_MOST)
		return;
	tdat_build_init(&b, false);
	tdat_build_printf(&b, "name: event%u\nID: %u\n", n, id);
	s->formats[n].len = put_fields(s, &b, fields, count);
	put_print(&b, fields, count);
	FUZZ_ASSERT(!b.failed);
	st = tdat_emit_format(s->emit, n % 3 ? "fuzz" : "ftrace", (char *)b.ptr, b.len,
			      &s->formats[n].id, &s->err);
	tdat_build_fini(&b);
	if (id_taken(s, id)) {
		must_refuse(s, st, TDAT_E_USAGE);
		return;
	}
	FUZZ_ASSERT(st == TDAT_OK && s->formats[n].id && (!id || s->formats[n].id == id));
	FUZZ_ASSERT(!id_taken(s, s->formats[n].id));
	s->format_count++;
}

/* ---- events ---- */

static struct stream *find_stream(struct script *s, uint32_t buffer, uint32_t cpu)
{
	size_t i;

	for (i = 0; i < s->stream_count; i++)
		if (s->streams[i].buffer == buffer && s->streams[i].cpu == cpu)
			return &s->streams[i];
	if (s->stream_count == STREAMS_MOST)
		return NULL;
	s->streams[i].buffer = buffer;
	s->streams[i].cpu = cpu;
	s->stream_count++;
	return &s->streams[i];
}

/* Most CPUs are few, one is far. */
static uint32_t take_cpu(struct script *s)
{
	uint32_t cpu = tdat_cursor_u8(&s->in) % 8;

	return cpu == 7 ? 200 : cpu;
}

/* A step of at most 63, or of a power of two and some. */
static bool take_time(struct script *s)
{
	uint8_t code = tdat_cursor_u8(&s->in);
	uint64_t step = code < 128 ? code & 63 : (1ull << (code & 63)) + (code & 64 ? 1 : 0) - 1;

	if (step > (1ull << 62) || s->ts > (1ull << 62))
		return false;
	s->ts += step;
	return true;
}

static int64_t take_lost(struct script *s)
{
	uint8_t code = tdat_cursor_u8(&s->in);

	if (code < 192)
		return 0;
	if (code == 192)
		return -1;
	return code < 224 ? code - 192 : (int64_t)(1ull << ((code - 224) * 2));
}

/* What the kernel's layout takes: a header word, the payload in words, a length word. */
static uint64_t room_needed(size_t len)
{
	uint64_t need = 4 + (len + 3) / 4 * 4;

	return len > 112 || need == 8 ? need + 4 : need;
}

static size_t put_record(struct script *s, size_t len, uint16_t id)
{
	size_t at = s->records.len, i;
	uint8_t *p;

	tdat_build_fill(&s->records, 0, len);
	FUZZ_ASSERT(!s->records.failed);
	p = s->records.ptr + at;
	for (i = 4; i < len; i++)
		p[i] = tdat_cursor_left(&s->in) && i < 64 ? tdat_cursor_u8(&s->in)
							  : (uint8_t)(i * 37);
	tdat_store16(p, id, big(s));
	return at;
}

static void keep_event(struct script *s, struct stream *st, size_t at, size_t len, int64_t lost)
{
	struct event *e = &st->events[st->count++];
	uint64_t data = s->page[st->buffer] - page_head(s);

	*e = (struct event){s->ts, lost, at, len, false};
	e->lost_may_hide = lost > 0 && (data - room_needed(len) < long_size(s) ||
					(long_size(s) == 4 && lost > UINT32_MAX));
	s->event_count++;
}

/* u8 buffer, u8 CPU, u8 step, u8 loss, u8 format, u16 further bytes, the payload's start. */
static void op_event(struct script *s)
{
	uint32_t buffer = tdat_cursor_u8(&s->in) % s->buffer_count, cpu = take_cpu(s), f;
	struct tdat_emit_event ev = {.buffer = buffer, .cpu = cpu};
	struct stream *stream = NULL;
	enum tdat_status st;
	size_t at, len;

	if (!take_time(s) || s->event_count == EVENTS_MOST)
		return;
	ev.ts = s->ts;
	ev.lost_before = take_lost(s);
	f = tdat_cursor_u8(&s->in) % s->format_count;
	len = s->formats[f].len + (tdat_cursor_u16(&s->in) & 8191);
	at = put_record(s, len, s->formats[f].id);
	ev.record = (struct tdat_span){s->records.ptr + at, len};
	if (!s->has_text[buffer])
		stream = find_stream(s, buffer, cpu);
	if (!s->has_text[buffer] && !stream)
		return;
	st = tdat_emit_event(s->emit, &ev, &s->err);
	if (s->has_text[buffer] || room_needed(len) > s->page[buffer] - page_head(s)) {
		must_refuse(s, st, TDAT_E_USAGE);
		s->has_data[buffer] |= stream != NULL;
		return;
	}
	FUZZ_ASSERT(st == TDAT_OK);
	s->has_data[buffer] = true;
	s->has_longer |= len > s->formats[f].len;
	keep_event(s, stream, at, len, ev.lost_before);
}

/* u8 buffer, u8 CPU, u8 step: a page with one event on it, as a kernel hands it over. */
static void op_page(struct script *s)
{
	uint32_t buffer = tdat_cursor_u8(&s->in) % s->buffer_count, cpu = take_cpu(s), pos;
	struct stream *stream;
	struct tdat_build b;
	size_t at;

	if (!take_time(s) || s->event_count == EVENTS_MOST || s->has_text[buffer] ||
	    s->formats[0].len > 112)
		return;
	stream = find_stream(s, buffer, cpu);
	if (!stream)
		return;
	at = put_record(s, (s->formats[0].len + 3) / 4 * 4, s->formats[0].id);
	pos = (uint32_t)(s->records.len - at);
	tdat_build_init(&b, big(s));
	tdat_build_u64(&b, s->ts);
	if (long_size(s) == 8)
		tdat_build_u64(&b, 4 + pos);
	else
		tdat_build_u32(&b, 4 + pos);
	tdat_build_u32(&b, big(s) ? pos / 4 << 27 : pos / 4);
	tdat_build_bytes(&b, s->records.ptr + at, pos);
	tdat_build_fill(&b, 0, s->page[buffer] - b.len);
	FUZZ_ASSERT(!b.failed);
	MUST(s, tdat_emit_pages(s->emit, buffer, cpu, b.ptr, b.len, &s->err));
	must_refuse(s, tdat_emit_pages(s->emit, buffer, cpu, b.ptr, b.len - 1, &s->err),
		    TDAT_E_USAGE);
	tdat_build_fini(&b);
	s->has_data[buffer] = true;
	keep_event(s, stream, at, pos, 0);
}

/* ---- buffers ---- */

static const char *const clocks[] = {"local", "global", "mono", "x86-tsc", "counter", "own"};

static const char *take_clock(struct script *s)
{
	return clocks[tdat_cursor_u8(&s->in) % (sizeof(clocks) / sizeof(clocks[0]))];
}

static void op_buffer(struct script *s)
{
	uint32_t n = s->buffer_count, number = 0;
	const char *clock = take_clock(s);

	if (n == BUFFERS_MOST)
		return;
	snprintf(s->names[n], sizeof(s->names[n]), "i%u", n);
	MUST(s, tdat_emit_buffer(s->emit, s->names[n], clock, &number, &s->err));
	FUZZ_ASSERT(number == n);
	must_refuse(s, tdat_emit_buffer(s->emit, s->names[n], NULL, &number, &s->err),
		    TDAT_E_USAGE);
	s->page[n] = s->page[0];
	s->buffer_count++;
}

static uint32_t take_page_size(struct script *s)
{
	return 256u << tdat_cursor_u8(&s->in) % 7;
}

/* The top buffer's pages are those of the header. */
static void op_subbuf(struct script *s)
{
	uint32_t buffer = tdat_cursor_u8(&s->in) % s->buffer_count, size = take_page_size(s);
	enum tdat_status st;

	if (!buffer)
		return;
	st = tdat_emit_subbuf(s->emit, buffer, size, &s->err);
	if (s->flags & FLAG_V6 && size != s->page[0])
		must_refuse(s, st, TDAT_E_UNSUPPORTED);
	else if (s->has_data[buffer] || s->has_text[buffer])
		must_refuse(s, st, TDAT_E_USAGE);
	else
		FUZZ_ASSERT(st == TDAT_OK);
	if (st == TDAT_OK)
		s->page[buffer] = size;
}

static void op_latency(struct script *s)
{
	uint32_t buffer = tdat_cursor_u8(&s->in) % s->buffer_count;
	static const char text[] = "# tracer: irqsoff\n#\n";
	enum tdat_status st;

	st = tdat_emit_latency(s->emit, buffer, text, sizeof(text) - 1, &s->err);
	if (s->has_data[buffer]) {
		must_refuse(s, st, TDAT_E_USAGE);
		return;
	}
	FUZZ_ASSERT(st == TDAT_OK);
	s->has_text[buffer] = true;
}

/* ---- tables and options ---- */

/* Up to 15 bytes that may stand in a name. */
static void take_name(struct script *s, char name[16])
{
	uint32_t len = tdat_cursor_u8(&s->in) % 15, i;

	for (i = 0; i < len; i++) {
		name[i] = (char)tdat_cursor_u8(&s->in);
		if (name[i] == '\0')
			name[i] = ' ';
	}
	name[len] = '\0';
}

static void op_comm(struct script *s)
{
	int32_t pid = (int32_t)tdat_cursor_u32(&s->in);
	char name[16];

	take_name(s, name);
	MUST(s, tdat_emit_comm(s->emit, pid, name, &s->err));
}

static void op_kallsyms(struct script *s)
{
	uint64_t addr = tdat_cursor_u64(&s->in);
	char line[64];
	int n = snprintf(line, sizeof(line), "%016llx T symbol_%u\n", (unsigned long long)addr,
			 tdat_cursor_u8(&s->in));

	MUST(s, tdat_emit_kallsyms(s->emit, line, (size_t)n, &s->err));
}

static void op_printk(struct script *s)
{
	char line[64];
	int n = snprintf(line, sizeof(line), "0x%x : \"text %u\"\n", tdat_cursor_u32(&s->in),
			 tdat_cursor_u8(&s->in));

	MUST(s, tdat_emit_printk(s->emit, line, (size_t)n, &s->err));
}

/* An option whose payload means something. */
static void put_known(struct tdat_build *b, uint16_t id, uint64_t v)
{
	switch (id) {
	case TDAT_OPTION_DATE:
	case TDAT_OPTION_OFFSET:
		tdat_build_printf(b, "0x%llx", (unsigned long long)v % 1000000007);
		tdat_build_u8(b, 0);
		break;
	case TDAT_OPTION_TRACEID:
		tdat_build_u64(b, v);
		break;
	case TDAT_OPTION_TSC2NSEC:
		tdat_build_u32(b, (uint32_t)v);
		tdat_build_u32(b, (uint32_t)(v >> 32) % 64);
		tdat_build_u64(b, v);
		break;
	case TDAT_OPTION_CPUSTAT:
		tdat_build_printf(b, "CPU: %llu\nentries: 1\n", (unsigned long long)v);
		tdat_build_u8(b, 0);
		break;
	default:
		tdat_build_printf(b, "text %llu", (unsigned long long)v);
		tdat_build_u8(b, 0);
	}
}

static void op_option(struct script *s)
{
	static const uint16_t known[] = {
		TDAT_OPTION_DATE,    TDAT_OPTION_CPUSTAT, TDAT_OPTION_UNAME,   TDAT_OPTION_OFFSET,
		TDAT_OPTION_VERSION, TDAT_OPTION_TRACEID, TDAT_OPTION_TSC2NSEC};
	uint16_t id = known[tdat_cursor_u8(&s->in) % (sizeof(known) / sizeof(known[0]))];
	bool once = id == TDAT_OPTION_DATE || id == TDAT_OPTION_OFFSET ||
		    id == TDAT_OPTION_TRACEID || id == TDAT_OPTION_TSC2NSEC;
	struct tdat_build b;
	enum tdat_status st;

	tdat_build_init(&b, big(s));
	put_known(&b, id, tdat_cursor_u64(&s->in));
	FUZZ_ASSERT(!b.failed);
	st = tdat_emit_option(s->emit, id, b.ptr, b.len, &s->err);
	tdat_build_fini(&b);
	if (once && s->options_given & 1u << id)
		must_refuse(s, st, TDAT_E_USAGE);
	else
		FUZZ_ASSERT(st == TDAT_OK);
	s->options_given |= 1u << id;
}

/* u16 id, u8 length, bytes: ids that nobody knows, and those of the writer itself. */
static void op_any_option(struct script *s)
{
	uint16_t id = tdat_cursor_u16(&s->in);
	size_t len = tdat_cursor_u8(&s->in), left = tdat_cursor_left(&s->in);
	struct tdat_span data = tdat_cursor_bytes(&s->in, len < left ? len : left);
	bool own = id == TDAT_OPTION_DONE || id == TDAT_OPTION_BUFFER ||
		   id == TDAT_OPTION_MODULES_FILE ||
		   (id >= TDAT_OPTION_STRINGS && id <= TDAT_OPTION_BTF_FILE);
	enum tdat_status st;

	if (!own && id <= TDAT_OPTION_SAVED_TGIDS)
		return;
	st = tdat_emit_option(s->emit, id, data.ptr ? data.ptr : s->in.base, data.len, &s->err);
	if (own)
		must_refuse(s, st, TDAT_E_USAGE);
	else
		FUZZ_ASSERT(st == TDAT_OK);
}

/* u32 CPUs, as option CPUCOUNT tells. */
static void op_cpus(struct script *s)
{
	uint32_t cpus = tdat_cursor_u32(&s->in);
	uint8_t data[4];
	enum tdat_status st;

	if (cpus > 1024 && cpus <= 65536) /* the limit of this target's reading */
		return;
	tdat_store32(data, cpus, big(s));
	st = tdat_emit_option(s->emit, TDAT_OPTION_CPUCOUNT, data, sizeof(data), &s->err);
	if (cpus > 65536)
		must_refuse(s, st, TDAT_E_LIMIT);
	else
		FUZZ_ASSERT(st == TDAT_OK);
}

/* ---- the script ---- */

static void (*const ops[])(struct script *s) = {
	op_event,  op_format, op_buffer, op_subbuf, op_comm,	   op_kallsyms,
	op_printk, op_option, op_cpus,	 op_page,   op_any_option, op_latency,
};

enum { OP_COUNT = sizeof(ops) / sizeof(ops[0]) };

static void start(struct script *s)
{
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;

	info.big_endian = big(s);
	info.long_size = (uint8_t)long_size(s);
	info.page_size = take_page_size(s);
	info.clock = take_clock(s);
	info.cpu_count = tdat_cursor_u8(&s->in);
	info.uname = info.cpu_count & 1 ? "uname" : NULL;
	info.version = info.cpu_count & 2 ? "version" : NULL;
	s->page[0] = info.page_size;
	s->buffer_count = 1;
	MUST(s, tdat_emit_info(s->emit, &info, &s->err));
	must_refuse(s, tdat_emit_info(s->emit, &info, &s->err), TDAT_E_USAGE);
}

/* Half of all bytes are events. */
static void run(struct script *s)
{
	size_t i;

	start(s);
	op_format(s);
	FUZZ_ASSERT(s->format_count == 1);
	for (i = 0; i < OPS_MOST && tdat_cursor_left(&s->in); i++) {
		uint8_t op = tdat_cursor_u8(&s->in);

		ops[op < 128 ? 0 : op % OP_COUNT](s);
	}
}

/* ---- what came of it ---- */

static struct stream *stream_of(struct script *s, const char *name, uint32_t cpu)
{
	size_t i = 0;

	while (i < s->stream_count &&
	       (s->streams[i].cpu != cpu || strcmp(s->names[s->streams[i].buffer], name) != 0))
		i++;
	FUZZ_ASSERT(i < s->stream_count);
	return &s->streams[i];
}

static void check_event(const struct script *s, const struct event *e, const struct tdat_event *ev)
{
	struct tdat_span r = ev->record;
	size_t i;

	FUZZ_ASSERT(ev->ts == e->ts);
	FUZZ_ASSERT(ev->lost_before == e->lost || (e->lost_may_hide && ev->lost_before == -1));
	FUZZ_ASSERT(r.len >= e->len && r.len < e->len + 8);
	FUZZ_ASSERT(!memcmp(r.ptr, s->records.ptr + e->at, e->len));
	for (i = e->len; i < r.len; i++)
		FUZZ_ASSERT(!r.ptr[i]);
}

static void check_events(struct script *s, struct tdat_file *file)
{
	struct tdat_iter_input in = {.file = file};
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	const struct tdat_event *ev = NULL;
	const struct tdat_buffer *buffers;
	uint64_t last = 0, count = 0;
	struct tdat_iter *iter;
	size_t n;

	opts.raw_ts = true;
	buffers = tdat_file_buffers(file, &n);
	FUZZ_ASSERT(tdat_iter_new(&iter, &in, 1, &opts, &s->err) == TDAT_OK);
	while (tdat_iter_next(iter, &ev, &s->err) == TDAT_OK && ev) {
		struct stream *st = stream_of(s, buffers[ev->buffer].name, ev->cpu);

		FUZZ_ASSERT(st->seen < st->count && ev->ts >= last);
		check_event(s, &st->events[st->seen++], ev);
		last = ev->ts;
		count++;
	}
	FUZZ_ASSERT(s->err.status == TDAT_OK && count == s->event_count);
	tdat_iter_free(iter);
}

static void check_formats(const struct script *s, const struct tdat_file *file)
{
	uint32_t i;

	FUZZ_ASSERT(tdat_file_format_count(file) == s->format_count);
	for (i = 0; i < s->format_count; i++) {
		const struct tdat_event_format *f = tdat_file_format_by_id(file, s->formats[i].id);
		char name[16];

		snprintf(name, sizeof(name), "event%u", i);
		FUZZ_ASSERT(f && !strcmp(tdat_event_format_name(f), name));
	}
}

/* Version 6 holds latency text in the top buffer alone, and no events beside it. */
static bool may_fail(const struct script *s)
{
	uint32_t i;

	for (i = 0; i < s->buffer_count; i++)
		if (s->flags & FLAG_V6 && s->has_text[i])
			return true;
	return false;
}

static struct tdat_file *finish(struct script *s)
{
	enum tdat_status st = tdat_writer_finish(s->w, &s->err);

	if (st != TDAT_OK) {
		FUZZ_ASSERT(may_fail(s));
		must_refuse(s, st, TDAT_E_USAGE);
		return NULL;
	}
	FUZZ_ASSERT(tdat_writer_events(s->w) == s->event_count);
	must_refuse(s, tdat_writer_finish(s->w, &s->err), TDAT_E_USAGE);
	return fuzz_reopen();
}

static void write_once(struct script *s, const uint8_t *data, size_t size, uint32_t threads)
{
	static const char *const codecs[] = {"none", "zlib", "zstd", "any"};

	memset(s->streams, 0, STREAMS_MOST * sizeof(*s->streams));
	s->in = tdat_cursor_init(data, size, 0, false);
	s->flags = tdat_cursor_u8(&s->in);
	tdat_build_init(&s->records, false);
	s->w = fuzz_writer_threads(s->flags & FLAG_V6 ? 6 : 7, codecs[s->flags / 8 % 4], threads);
	s->emit = tdat_writer_emit(s->w);
	run(s);
}

static uint64_t hash_of(const struct tdat_file *file)
{
	const struct tdat_source *src = tdat_file_source(file);
	uint64_t len = tdat_source_len(src), hash;
	uint8_t *p = malloc(len);

	FUZZ_ASSERT(p && tdat_source_read(src, 0, p, len, NULL) == TDAT_OK);
	hash = fuzz_hash(FUZZ_HASH_INIT, p, len);
	free(p);
	return hash;
}

/* Commands show only the first latency text of a file, and check says so of each other one. */
static uint64_t hidden_texts(const struct script *s)
{
	uint64_t texts = 0;

	for (uint32_t i = 0; i < s->buffer_count; i++)
		texts += s->has_text[i];
	return texts ? texts - 1 : 0;
}

static uint64_t write_and_check(const uint8_t *data, size_t size, uint32_t threads)
{
	struct script s = {.err = TDAT_ERROR_INIT};
	struct tdat_check_result result;
	struct tdat_file *file;
	uint64_t hash = 0;

	s.streams = malloc(STREAMS_MOST * sizeof(*s.streams));
	FUZZ_ASSERT(s.streams);
	write_once(&s, data, size, threads);
	file = finish(&s);
	if (file) {
		FUZZ_ASSERT(fuzz_check(file, &result));
		/* Bytes behind the fields that look like records are read as records. */
		const bool hides = s.has_longer && result.bad_pages;

		FUZZ_ASSERT(!result.doubts);
		FUZZ_ASSERT(result.damages == hidden_texts(&s) + (hides ? result.bad_pages : 0));
		FUZZ_ASSERT(hides ? result.events >= s.event_count
				  : result.events == s.event_count);
		check_formats(&s, file);
		if (!hides)
			check_events(&s, file);
		hash = hash_of(file);
		tdat_file_close(file);
	}
	tdat_writer_free(s.w);
	tdat_build_fini(&s.records);
	free(s.streams);
	return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t one;

	if (!size)
		return 0;
	one = write_and_check(data, size, 1);
	if (data[0] & FLAG_THREADS)
		FUZZ_ASSERT(write_and_check(data, size, 3) == one);
	return 0;
}
