#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads CTF back with babeltrace2 and compares all events with tdat dump --json.

Events, times, CPUs, buffers, tasks, all values of fields, and what was lost.
usage: ctf_values.py TDAT FOLDER [--damage] FILE...
With --damage before them damaged copies of the files are compared.
FILE may be the folder of a capture of a foreign format, which is converted first.
Exit status 77: the Python module bt2 (Debian: python3-bt2) is not here.
"""
import collections
import json
import os
import random
import re
import shutil
import subprocess
import sys

try:
    import bt2
except ImportError:
    print("ctf_values: there is no Python module bt2", file=sys.stderr)
    sys.exit(77)

COUNTS = collections.Counter()
# How far a number of 8, 16, 32 or 64 bits with a sign is from the one without.
SIGNS = {2**8, 2**16, 2**32, 2**64}


def fail(where, what):
    sys.exit(f"ctf_values: {where}: {what}")


def plain(value):
    """A value of bt2 as Python has it; a field that is not there is None."""
    if value is None:
        return None
    if isinstance(value, bt2._VariantFieldConst):
        some = value.selected_option
        return plain(some["value"]) if "value" in some else None
    if isinstance(value, bt2._ArrayFieldConst):
        return [int(v) for v in value]
    if isinstance(value, bt2._StringFieldConst):
        return str(value)
    return int(value)


def payload(event):
    """The fields, without the lengths and marks that stand before some of them."""
    values = event.payload_field
    out = {}
    for name in values or ():
        if name.endswith("_has") and name[1:-4] in values or \
                name.endswith("_length") and name[1:-7] in values:
            continue
        out[name] = plain(values[name])
    return out


def same(value, field):
    if isinstance(value, list):
        if isinstance(field, list):
            # The sign of elements: by "signed:1" or by the type.
            return len(value) == len(field) and all(
                v == f or isinstance(f, int) and abs(v - f) in SIGNS for v, f in zip(value, field))
        # Bytes are hexadecimal digits.
        return isinstance(field, str) and bytes(v & 0xff for v in value).hex() == field
    if isinstance(field, bool):
        return bool(value) == field
    if isinstance(value, int) and isinstance(field, str):
        return re.fullmatch("0x[0-9a-f]+|-?[0-9]+", field) and int(field, 0) == value
    return value == field


def name_in_json(name, fields):
    """Names of CTF have letters, digits and '_'; where that makes two the same, a number."""
    if name in fields:
        return name
    for known in fields:
        mangled = re.sub("[^A-Za-z0-9_]", "_", known.encode("utf-8", "replace").decode("latin-1"))
        if name == (mangled or "_") or re.fullmatch(f"f[0-9]+_{re.escape(mangled)}", name):
            return known
    return None


def difference(event, row):
    """What differs between an event of CTF and one of JSON; None: nothing."""
    name = row["event"] if row["event"] is not None else "unknown_event"
    if event["name"] != name:
        return f"event {event['name']}, JSON {name}"
    for key in ("ts", "pid", "comm"):
        if event[key] != row[key]:
            return f"{name}: {key} {event[key]!r}, JSON {row[key]!r}"
    if row["event"] is None:
        same_bytes = bytes(event["fields"]["record"]).hex() == row["record"]
        return None if same_bytes else f"{name}: other bytes"
    for field, value in event["fields"].items():
        if (name, field) == ("bprint", "fmt"):
            continue  # the address of the string, which JSON has in its place
        known = name_in_json(field, row["fields"])
        if known is None:
            if not field.startswith("common_") and "cut" not in row:
                return f"{name}: field {field} is not in JSON"
            continue
        COUNTS["values"] += 1
        if not same(value, row["fields"][known]):
            return f"{name} at {row['ts']}: {field} {value!r}, JSON {row['fields'][known]!r}"
    return None


def compare_in_order(where, got, want):
    for event, row in zip(got, want):
        what = difference(event, row)
        if what:
            fail(where, what)


def compare_unordered(where, got, want):
    """Events of one CPU in several streams: those of one time may have any order."""
    by_time = collections.defaultdict(list)
    for event in got:
        by_time[event["ts"]].append(event)
    for row in want:
        those = by_time[row["ts"]]
        found = next((e for e in those if not difference(e, row)), None)
        if not found:
            fail(where, f"no event at {row['ts']} is {row}")
        those.remove(found)


def read_ctf(path):
    """Events by (buffer, cpu), and how many were discarded there."""
    events, lost, streams = (collections.defaultdict(list), collections.Counter(),
                             collections.defaultdict(set))
    where = {}
    for message in bt2.TraceCollectionMessageIterator(path):
        kind = type(message)
        if kind is bt2._EventMessageConst:
            event = message.event
            context = event.packet.context_field
            key = (str(context["buffer"]), int(context["cpu_id"]))
            common = event.common_context_field
            streams[key].add(event.stream.name)
            events[key].append({
                "name": event.name, "ts": message.default_clock_snapshot.ns_from_origin,
                "pid": int(common["common_pid"]), "comm": str(common["comm"]),
                "fields": payload(event)})
        elif kind is bt2._PacketBeginningMessageConst:
            context = message.packet.context_field
            where[message.packet.stream.name] = (str(context["buffer"]), int(context["cpu_id"]))
        elif kind is bt2._DiscardedEventsMessageConst:
            lost[message.stream.name] += message.count
    by_key = collections.Counter()
    for stream, count in lost.items():
        by_key[where[stream]] += count
    return events, by_key, streams


def read_json(tdat, path):
    events, lost = collections.defaultdict(list), collections.Counter()
    out = subprocess.run([tdat, "dump", "--json", path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=False).stdout
    for line in out.decode("utf-8").splitlines():
        row = json.loads(line)
        key = (row.get("buffer", ""), row["cpu"])
        events[key].append(row)
        if "lost" in row:
            lost[key] += 1 if row["lost"] is True else row["lost"]
    return events, lost


def compare(tdat, folder, path):
    out = os.path.join(folder, "ctf")
    shutil.rmtree(out, ignore_errors=True)
    ran = subprocess.run([tdat, "export", "--to", "ctf", "--ctf-names", "ftrace", "-o", out, path],
                         stderr=subprocess.PIPE, check=False)
    if not os.path.isdir(out):
        if "latency" in ran.stderr.decode() and ran.returncode == 1:
            COUNTS["refused"] += 1
            return
        fail(path, ran.stderr.decode())
    rows, lost = read_json(tdat, path)
    events, discarded, streams = read_ctf(out)
    if set(rows) != set(events):
        fail(path, f"streams {sorted(events)}, JSON {sorted(rows)}")
    for key, want in rows.items():
        got = events[key]
        if len(got) != len(want):
            fail(path, f"{key}: {len(got)} events, JSON {len(want)}")
        if len(streams[key]) > 1:  # time went back
            compare_unordered(f"{path}: {key}", got, want)
            COUNTS["of_several_streams"] += len(got)
        else:
            compare_in_order(f"{path}: {key}", got, want)
        COUNTS["events"] += len(got)
    if discarded != lost:
        fail(path, f"discarded {discarded}, JSON {lost}")
    COUNTS["lost"] += sum(lost.values())
    COUNTS["files"] += 1


def convert(tdat, folder, path):
    """A trace.dat of the capture in a folder; None where there is none to be had."""
    files = [os.path.join(path, name) for name in sorted(os.listdir(path))
             if name != "expected.txt"]
    for inputs in files, [path]:
        out = os.path.join(folder, "converted.dat")
        subprocess.run([tdat, "convert", "-f", "-q", "-o", out, *inputs],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if os.path.exists(out):
            os.rename(out, os.path.join(folder, "t.dat"))
            COUNTS["converted"] += 1
            return os.path.join(folder, "t.dat")
    COUNTS["not_converted"] += 1
    return None


def damaged(folder, path):
    """Copies that are cut, or have other bytes in some places: the same ones each time."""
    with open(path, "rb") as f:
        sound = f.read()
    chance = random.Random(len(sound))
    for count in 0, 5, 50, 500:
        data = bytearray(sound if count else sound[:len(sound) * 3 // 4])
        for _ in range(count):
            data[chance.randrange(len(data) // 2, len(data))] = chance.randrange(256)
        copy = os.path.join(folder, f"damaged-{count}.dat")
        with open(copy, "wb") as f:
            f.write(data)
        COUNTS["damaged"] += 1
        yield copy


def main():
    tdat, folder, *paths = sys.argv[1:]
    if paths[0] == "--damage":
        paths = (copy for path in paths[1:] for copy in damaged(folder, path))
    for path in paths:
        if os.path.isdir(path):
            path = convert(tdat, folder, path)
        elif not path.endswith(".dat"):  # tables beside captures
            COUNTS["left_out"] += 1
            continue
        if path:
            compare(tdat, folder, path)
    if not COUNTS["values"]:
        fail(folder, "nothing was compared")
    print(", ".join(f"{n} {what}" for what, n in sorted(COUNTS.items())))


main()
