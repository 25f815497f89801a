#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes the table of the ftrace events that Perfetto has messages for.

usage: perfetto-events.py VERSION FILE

FILE becomes formats/export/perfetto/known_events.c. The names and numbers are read from the
message classes of the Python package perfetto, of which VERSION is the version, for the table's
first comment. Run it where that package is installed (tests/perfetto/requirements.txt).
"""
import subprocess
import sys

from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as trace

# Numbers of google.protobuf.FieldDescriptorProto.Type.
LETTERS = {3: "l", 4: "q", 5: "i", 13: "u", 9: "s", 12: "b"}

HEAD = """\
/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lists the ftrace events that Perfetto has messages for, sorted by name. Made by
 * scripts/perfetto-events.py from the Python package perfetto %s: do not edit.
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


def main():
    version, path = sys.argv[1:]
    rows = []
    for event in trace.FtraceEvent.DESCRIPTOR.fields:
        if event.message_type is None or event.name == "generic":
            continue
        fields = sorted(event.message_type.fields, key=lambda f: f.number)
        if all(f.type in LETTERS for f in fields):
            rows.append((event.name, event.number, [field_text(f) for f in fields]))
    with open(path, "w", encoding="utf-8") as out:
        out.write(HEAD % version)
        for name, number, fields in sorted(rows):
            strings = "\n\t ".join(f'"{line}"' for line in wrapped(fields))
            out.write(f'\t{{"{name}", {number},\n\t {strings}}},\n')
        out.write("};\n\n")
        out.write("const size_t pf_known_event_count =\n"
                  "\tsizeof(pf_known_events) / sizeof(pf_known_events[0]);\n")
    subprocess.run(["clang-format", "-i", path], check=True)
    print(f"{len(rows)} events")


main()
