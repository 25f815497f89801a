#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes the table of the ftrace events that Perfetto has messages for.

usage: perfetto-events.py VERSION FILE TRACE_PROCESSOR

FILE becomes formats/export/perfetto/known_events.c. The names and numbers are read from the
message classes of the Python package perfetto, of which VERSION is the version, for the table's
first comment. Run it where that package is installed (tests/perfetto/requirements.txt).

TRACE_PROCESSOR is the folder of a trace processor (tests/perfetto/trace-processor prints it). It is given
each message with a value in each field, and what it does not show is not in the table: the messages
are one thing, its own list of their fields another, and it drops what it does not know without a word.
"""
import os
import subprocess
import sys
import tempfile

from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as trace

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "perfetto"))
from processor import Processor  # noqa: E402

# Numbers of google.protobuf.FieldDescriptorProto.Type.
LETTERS = {3: "l", 4: "q", 5: "i", 13: "u", 9: "s", 12: "b"}

HEAD = """\
/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lists the ftrace events that Perfetto has messages for, with the fields that its trace processor
 * shows, sorted by name. Made by scripts/perfetto-events.py from the Python package perfetto %s and
 * trace processor %s: do not edit.
 */
#include "known_events.h"

const struct pf_known_event pf_known_events[] = {
"""


def field_text(field):
    letter = LETTERS[field.type]
    if field.is_repeated:
        letter = letter.upper()
    return f"{field.number}{letter}{field.name}"


def wrapped(texts):
    """The texts, each followed by a blank, in strings that fit into a line."""
    lines, line = [], ""
    for text in texts:
        if line and len(line) + len(text) > 76:
            lines.append(line)
            line = ""
        line += text + " "
    return lines + [line] if line or not lines else lines


def test_value(field):
    return f"text {field.number}" if field.type == 9 else \
        b"bytes" if field.type == 12 else field.number


def trace_of(events):
    """A trace with one event of each message, in which each field has a value of its own."""
    t = trace.Trace()
    t.packet.add().system_info.utsname.sysname = "Linux"
    bundle = t.packet.add().ftrace_events
    bundle.cpu = 0
    for ts, event in enumerate(events):
        message = getattr(bundle.event.add(timestamp=1000 + ts, pid=7), event.name)
        message.SetInParent()
        for field in fields_of(event):
            if field.is_repeated:
                getattr(message, field.name).append(test_value(field))
            else:
                setattr(message, field.name, test_value(field))
    return t


def shown_by(processor, events):
    """The pairs of event and field that trace processor shows, and (event, None) of each event."""
    with tempfile.NamedTemporaryFile() as f:
        f.write(trace_of(events).SerializeToString())
        f.flush()
        processor.load(f.name)
    shown = set(processor.query("select name, null from ftrace_event"))
    values = {(name, key): text if text is not None else number
              for name, key, number, text in processor.query(
                  "select f.name, key, int_value, string_value from ftrace_event f"
                  " join args using (arg_set_id)")}
    return shown | {(e.name, f.name) for e in events for f in fields_of(e)
                    if values.get((e.name, f.name)) == test_value(f)}


def fields_of(event):
    return sorted(event.message_type.fields, key=lambda f: f.number)


def is_kept(event, field, shown):
    """Of a repeated field trace processor shows the last value; args of sys_enter are in slices."""
    return (event.name, field.name) in shown and (not field.is_repeated or event.name == "sys_enter")


def main():
    version, path, program = sys.argv[1:]
    events = [e for e in trace.FtraceEvent.DESCRIPTOR.fields
              if e.message_type is not None and e.name != "generic"
              and all(f.type in LETTERS for f in fields_of(e))]
    processor = Processor(os.path.join(HERE, "..", "tests", "perfetto", "trace_processor.js"), program)
    shown = shown_by(processor, events)
    rows = [(e.name, e.number, [field_text(f) for f in fields_of(e) if is_kept(e, f, shown)])
            for e in events if (e.name, None) in shown]
    release = processor.status().version_code
    processor.close()
    with open(path, "w", encoding="utf-8") as out:
        out.write(HEAD % (version, release))
        for name, number, fields in sorted(rows):
            strings = "\n\t ".join(f'"{line}"' for line in wrapped(fields))
            out.write(f'\t{{"{name}", {number},\n\t {strings}}},\n')
        out.write("};\n\n")
        out.write("const size_t pf_known_event_count =\n"
                  "\tsizeof(pf_known_events) / sizeof(pf_known_events[0]);\n")
    subprocess.run(["clang-format", "-i", path], check=True)
    print(f"{len(rows)} events")


main()
