/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Numbers of the fields of Perfetto's messages, but for those of typed events (known_events.c).
 * Source: the message classes of the Python package perfetto 0.59.1.
 */
#ifndef TDAT_PERFETTO_NUMBERS_H
#define TDAT_PERFETTO_NUMBERS_H

enum { PF_TRACE_PACKET = 1 };

enum pf_packet {
	PF_PACKET_FTRACE_EVENTS = 1,
	PF_PACKET_PROCESS_TREE = 2,
	PF_PACKET_CLOCK_SNAPSHOT = 6,
	PF_PACKET_TIMESTAMP = 8,
	PF_PACKET_SEQUENCE_ID = 10,
	PF_PACKET_TRACK_EVENT = 11,
	PF_PACKET_INTERNED_DATA = 12,
	PF_PACKET_SEQUENCE_FLAGS = 13,
	PF_PACKET_FTRACE_STATS = 34,
	PF_PACKET_SYSTEM_INFO = 45,
	PF_PACKET_COMPRESSED_PACKETS = 50,
	PF_PACKET_DEFAULTS = 59,
	PF_PACKET_TRACK_DESCRIPTOR = 60,
	PF_PACKET_PERF_SAMPLE = 66,
	PF_PACKET_TRACE_UUID = 89,
	PF_PACKET_MACHINE_ID = 98,
	PF_PACKET_TRACE_ATTRIBUTES = 126,
	PF_PACKET_ZSTD_COMPRESSED_PACKETS = 133
};

enum pf_bundle {
	PF_BUNDLE_CPU = 1,
	PF_BUNDLE_EVENT = 2,
	PF_BUNDLE_LOST_EVENTS = 3,
	PF_BUNDLE_FTRACE_CLOCK = 5,
	PF_BUNDLE_DESCRIPTOR = 11
};

/* enum FtraceClock. UNKNOWN, 1, ends the whole import: it is never written. */
enum pf_ftrace_clock {
	PF_FTRACE_CLOCK_NONE = 0, /* not written: boot time */
	PF_FTRACE_CLOCK_GLOBAL = 2,
	PF_FTRACE_CLOCK_LOCAL = 3,
	PF_FTRACE_CLOCK_MONO_RAW = 4
};

enum pf_event {
	PF_EVENT_TIMESTAMP = 1,
	PF_EVENT_PID = 2,
	PF_EVENT_PRINT = 3,
	PF_EVENT_GENERIC = 327
};

enum pf_print { PF_PRINT_IP = 1, PF_PRINT_BUF = 2 };

enum pf_generic { PF_GENERIC_NAME = 1, PF_GENERIC_FIELD = 2 };

enum pf_generic_field {
	PF_GENERIC_FIELD_NAME = 1,
	PF_GENERIC_FIELD_STR = 3,
	PF_GENERIC_FIELD_INT = 4,
	PF_GENERIC_FIELD_UINT = 5
};

enum pf_descriptor { PF_DESCRIPTOR_ID = 1, PF_DESCRIPTOR_PROTO = 2, PF_DESCRIPTOR_GROUP = 3 };

/* google.protobuf.DescriptorProto and FieldDescriptorProto (descriptor.proto of protobuf). */
enum pf_descriptor_proto { PF_PROTO_NAME = 1, PF_PROTO_FIELD = 2 };
enum pf_field_proto {
	PF_FIELD_NAME = 1,
	PF_FIELD_NUMBER = 3,
	PF_FIELD_LABEL = 4,
	PF_FIELD_TYPE = 5
};
enum { PF_LABEL_OPTIONAL = 1 };
enum pf_type { PF_TYPE_INT64 = 3, PF_TYPE_UINT64 = 4, PF_TYPE_STRING = 9 };

enum pf_clock_snapshot { PF_SNAPSHOT_CLOCK = 1, PF_SNAPSHOT_PRIMARY = 2 };
enum pf_clock { PF_CLOCK_ID = 1, PF_CLOCK_TIMESTAMP = 2 };

/* enum BuiltinClock, and the clock of a sequence's own that bundles of GLOBAL and LOCAL have. */
enum pf_builtin_clock {
	PF_CLOCK_REALTIME = 1,
	PF_CLOCK_MONOTONIC = 3,
	PF_CLOCK_MONOTONIC_RAW = 5,
	PF_CLOCK_BOOTTIME = 6,
	PF_CLOCK_FTRACE = 64
};

enum pf_process_tree { PF_TREE_PROCESS = 1, PF_TREE_THREAD = 2 };
enum pf_process { PF_PROCESS_PID = 1, PF_PROCESS_CMDLINE = 3, PF_PROCESS_IS_COMM = 9 };
enum pf_thread { PF_THREAD_TID = 1, PF_THREAD_NAME = 2, PF_THREAD_TGID = 3 };

enum pf_system_info { PF_SYSTEM_UTSNAME = 1, PF_SYSTEM_PAGE_SIZE = 6, PF_SYSTEM_CPUS = 8 };
enum pf_utsname { PF_UTS_SYSNAME = 1, PF_UTS_RELEASE = 3, PF_UTS_MACHINE = 4 };

enum pf_uuid { PF_UUID_MSB = 1, PF_UUID_LSB = 2 };

enum pf_attributes { PF_ATTRIBUTES_ATTRIBUTE = 1 };
enum pf_attribute { PF_ATTRIBUTE_KEY = 1, PF_ATTRIBUTE_LONG = 2, PF_ATTRIBUTE_STRING = 3 };

/* TracePacket.SequenceFlags. */
enum pf_sequence_flags { PF_SEQ_CLEARED = 1, PF_SEQ_NEEDS = 2 };

enum pf_interned {
	PF_INTERNED_EVENT_NAMES = 2,
	PF_INTERNED_FUNCTION_NAMES = 5,
	PF_INTERNED_FRAMES = 6,
	PF_INTERNED_CALLSTACKS = 7,
	PF_INTERNED_MAPPING_PATHS = 17,
	PF_INTERNED_MAPPINGS = 19,
	PF_INTERNED_KERNEL_SYMBOLS = 26
};
/* InternedString and EventName. */
enum pf_interned_string { PF_INTERNED_IID = 1, PF_INTERNED_STR = 2 };
enum pf_mapping { PF_MAPPING_IID = 1, PF_MAPPING_PATHS = 7 };
enum pf_frame {
	PF_FRAME_IID = 1,
	PF_FRAME_FUNCTION = 2,
	PF_FRAME_MAPPING = 3,
	PF_FRAME_REL_PC = 4
};
enum pf_callstack { PF_CALLSTACK_IID = 1, PF_CALLSTACK_FRAMES = 2 };
enum pf_sample {
	PF_SAMPLE_CPU = 1,
	PF_SAMPLE_PID = 2,
	PF_SAMPLE_TID = 3,
	PF_SAMPLE_CALLSTACK = 4,
	PF_SAMPLE_MODE = 5,
	PF_SAMPLE_COUNT = 6
};
/* TracePacketDefaults, PerfSampleDefaults, PerfEvents.Timebase, PerfEvents.Tracepoint. */
enum pf_defaults { PF_DEFAULTS_SAMPLE = 12 };
enum pf_sample_defaults { PF_SAMPLE_DEFAULTS_TIMEBASE = 1 };
enum pf_timebase { PF_TIMEBASE_TRACEPOINT = 3, PF_TIMEBASE_NAME = 10 };
enum pf_tracepoint { PF_TRACEPOINT_NAME = 1 };
/* Profiling.CpuMode. */
enum pf_cpu_mode { PF_MODE_KERNEL = 1, PF_MODE_USER = 2 };

enum pf_track { PF_TRACK_UUID = 1, PF_TRACK_NAME = 2, PF_TRACK_THREAD = 4, PF_TRACK_PARENT = 5 };
enum pf_track_thread { PF_TRACK_THREAD_PID = 1, PF_TRACK_THREAD_TID = 2 };
enum pf_track_event {
	PF_TRACK_EVENT_TYPE = 9,
	PF_TRACK_EVENT_NAME = 10,
	PF_TRACK_EVENT_TRACK = 11
};
enum pf_slice { PF_SLICE_BEGIN = 1, PF_SLICE_END = 2 };

enum pf_stats { PF_STATS_PHASE = 1, PF_STATS_CPU = 2 };
enum pf_stats_phase { PF_PHASE_START = 1, PF_PHASE_END = 2 };
enum pf_cpu_stats {
	PF_CPU_STATS_CPU = 1,
	PF_CPU_STATS_OVERRUN = 3,
	PF_CPU_STATS_DROPPED = 8,
	PF_CPU_STATS_READ_EVENTS = 9
};

#endif
