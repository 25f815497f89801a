#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Loads exported traces with Perfetto's trace processor and compares its tables with dump --json.

usage: importer.py TDAT FOLDER TRACE_PROCESSOR FILE...

TRACE_PROCESSOR is the folder that trace_processor.js wants.
"""
import collections
import json
import os
import sys

import compare
import oracle
import packets
from processor import Failed, Processor

need = packets.need
MESSAGES = packets.pb.FtraceEvent.DESCRIPTOR.fields_by_name


def kind_of(event, field):
    """The type that Perfetto's own message has for a field; 3, a number of 64 bits, for others."""
    message = MESSAGES.get(event)
    known = message and message.message_type and message.message_type.fields_by_name.get(field)
    return known.type if known else 3


class Event(packets.Event):
    __slots__ = ()


def imported_events(processor):
    args = collections.defaultdict(lambda: collections.defaultdict(list))
    for arg_set, key, number, text in processor.query(
            "select arg_set_id, key, int_value, string_value from args order by id"):
        args[arg_set][key].append(number if text is None else text)
    for machine, cpu, ts, tid, name, arg_set in processor.query(
            "select t.machine_id, c.cpu, f.ts, t.tid, f.name, f.arg_set_id from ftrace_event f"
            " join thread t using (utid) join cpu c using (ucpu) order by f.id"):
        e = Event()
        e.machine, e.cpu, e.ts, e.pid, e.name = machine or 0, cpu, ts, tid, name
        e.fields = [(k, v if len(v) > 1 else v[0], kind_of(name, k))
                    for k, v in args.get(arg_set, {}).items()]
        e.typed = name in MESSAGES
        yield e


def dumped(tdat, files, options=()):
    out = compare.run(tdat, "dump", "--json", "--text", *options, *sum((["-i", f] for f in files), [])).stdout
    events = []
    for text in out.splitlines():
        e = json.loads(text)
        e["machine"] = files.index(e["file"]) if "file" in e else 0
        if not e["event"]:
            e["fields"] = {"record": e["record"]}
        events.append(e)
    return events


def wrong_in(line, event, left_out):
    """What is wrong with an event's values; None: nothing."""
    line = dict(line, fields=dict(line["fields"]))
    for name, value, _ in event.fields:
        if isinstance(line["fields"].get(name + "_sym"), str) and isinstance(value, str):
            line["fields"][name] = oracle.symbol(line, name)
        if event.name == "sys_enter" and name == "args":
            line["fields"][name] = line["fields"][name][-1]  # its slice has all of them
    return compare.check_fields(line, event, left_out)


def check_events(processor, events, left_out, files):
    """The events in trace processor's order, which differs where CPUs have the same time."""
    lines = collections.defaultdict(list)
    for e in events:
        lines[compare.key_of_json(e, files)].append(e)
    found = []
    for event in imported_events(processor):
        key = (event.machine, event.cpu, event.ts, event.pid, event.name)
        there = lines.get(key)
        need(there, f"no such event: {key}")
        wrongs = [wrong_in(line, event, left_out) for line in there]
        need(None in wrongs, f"{key}: {wrongs[0]}")
        found.append(there.pop(wrongs.index(None)))
    need(len(found) == len(events), f"{len(found)} events, not {len(events)}")
    return found


def is_late(event):
    """Times are signed numbers for trace processor, which drops others and says so; export says so, too."""
    return event["ts"] >= 2**63


def check_stats(processor, events):
    """No error; losses are those of the file."""
    lost, marks = collections.Counter(), set()
    for e in events:
        if e.get("lost"):
            marks.add((e["machine"], e["cpu"]))
            lost[e["cpu"]] += e["lost"] if e["lost"] is not True else 0
    for name, cpu, value in processor.query(
            "select name, idx, value from stats where value != 0 and severity != 'info'"):
        if name == "mismatched_sched_switch_tids":
            need(value == oracle.mismatches(events), f"{value} mismatches")
            continue
        if name == "trace_sorter_negative_timestamp_dropped":
            need(value == sum(is_late(e) for e in events), f"{value} dropped")
            continue
        need(name == "ftrace_cpu_has_data_loss" and any(cpu == m[1] for m in marks),
             f"stat {name} of {cpu}: {value}")
    got = collections.Counter()
    for cpu, value in processor.query(
            "select idx, value from stats where name = 'ftrace_cpu_overrun_delta'"):
        got[cpu] += value
    need(+got == +lost, f"losses {dict(+got)}, not {dict(+lost)}")


def same_rows(what, want, got):
    need(want == got, f"{what}: {sum(got.values())} rows, {sum(want.values())} wanted; "
         f"not there: {sorted((want - got).items(), key=str)[:3]}; "
         f"not wanted: {sorted((got - want).items(), key=str)[:3]}")
    return sum(got.values())


def rows(processor, sql):
    return collections.Counter((row[0] or 0, *row[1:]) for row in processor.query(sql))


def check_sched(processor, events):
    got = rows(processor, "select t.machine_id, s.ts, s.dur, c.cpu, t.tid, s.end_state, s.priority"
               " from sched_slice s join thread t using (utid) join cpu c using (ucpu)")
    return same_rows("sched", oracle.sched(events), got)


def check_thread_state(processor, events):
    got = rows(processor, "select t.machine_id, s.ts, s.dur, c.cpu, t.tid, s.state, w.tid"
               " from thread_state s join thread t using (utid) left join cpu c using (ucpu)"
               " left join thread w on s.waker_utid = w.utid")
    return same_rows("thread_state", oracle.thread_state(events), got)


def check_cpu_slices(processor, events):
    got = rows(processor, "select t.machine_id, t.type, a.int_value, s.ts, s.dur, s.name"
               " from slice s join track t on s.track_id = t.id join args a on"
               " t.dimension_arg_set_id = a.arg_set_id and a.key = 'cpu'"
               " where t.type in ('cpu_irq', 'cpu_softirq', 'cpu_hrtimer')")
    return same_rows("slices of CPUs", oracle.cpu_slices(events), got)


def check_functions(processor, events):
    of_tasks = rows(processor, "select t.machine_id, t.type, h.tid, s.ts, s.dur, s.name"
                    " from slice s join track t on s.track_id = t.id join args a on"
                    " t.dimension_arg_set_id = a.arg_set_id and a.key = 'utid'"
                    " join thread h on h.utid = a.int_value where t.type = 'thread_funcgraph'")
    of_cpus = rows(processor, "select t.machine_id, t.type, a.int_value, s.ts, s.dur, s.name"
                   " from slice s join track t on s.track_id = t.id join args a on"
                   " t.dimension_arg_set_id = a.arg_set_id and a.key = 'cpu'"
                   " where t.type = 'cpu_funcgraph'")
    return same_rows("functions", oracle.functions(events), of_tasks + of_cpus)


def check_stacks(processor, events):
    names = dict(processor.query("select id, name from stack_profile_frame"))
    sites = {number: (parent, names[frame]) for number, parent, frame in processor.query(
        "select id, parent_id, frame_id from stack_profile_callsite")}
    got = collections.Counter()
    for machine, cpu, ts, tid, whose, site in processor.query(
            "select t.machine_id, s.cpu, s.ts, t.tid, s.cpu_mode, s.callsite_id"
            " from perf_sample s join thread t using (utid)"):
        frames = []
        while site is not None:
            site, name = sites[site]
            frames.append(name)
        got[machine or 0, cpu, ts, tid, whose, tuple(frames)] += 1
    return same_rows("stacks", oracle.stacks(events), got)


def check_tracks(processor, events):
    """The slices of --tracks: under their threads, or of an idle CPU."""
    got = rows(processor, "select t.machine_id, 'thread_funcgraph', h.tid, s.ts, s.dur, s.name"
               " from slice s join track t on s.track_id = t.id join args a on"
               " t.dimension_arg_set_id = a.arg_set_id and a.key = 'utid'"
               " join thread h on h.utid = a.int_value where t.name = 'functions'")
    idle = "functions of idle CPU "
    for machine, name, ts, dur, function in processor.query(
            "select t.machine_id, t.name, s.ts, s.dur, s.name from slice s join track t"
            f" on s.track_id = t.id where t.name glob '{idle}*'"):
        got[machine or 0, "cpu_funcgraph", int(name[len(idle):]), ts, dur, function] += 1
    return same_rows("tracks", oracle.functions(events), got)


def check_names(processor, events):
    got = set(rows(processor, "select machine_id, tid, name from thread where name is not null"))
    want = oracle.names(events)
    need(set(want) <= got, f"names: {sorted(set(want) - got)[:3]}")
    return len(want)


def call_names(processor):
    """Names of system calls, from the C library's header; sys_N on other machines."""
    machine = dict(processor.query("select name, str_value from metadata")).get("system_machine")
    names = {}
    path = "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"
    if machine == "x86_64" and os.path.exists(path):
        with open(path, encoding="ascii") as f:
            for line in f:
                words = line.split()
                if len(words) == 3 and words[1].startswith("__NR_"):
                    names[int(words[2])] = "sys_" + words[1][5:]
    return lambda number: names.get(number, f"sys_{number}")


def check_thread_slices(processor, events):
    got = rows(processor, "select t.machine_id, h.tid, s.ts, s.dur, s.name"
               " from slice s join track t on s.track_id = t.id join args a on"
               " t.dimension_arg_set_id = a.arg_set_id and a.key = 'utid'"
               " join thread h on h.utid = a.int_value where t.type = 'thread_execution'")
    return same_rows("slices of threads", oracle.thread_slices(events, call_names(processor)), got)


def check_counters(processor, events):
    of_cpus = rows(processor, "select t.machine_id, t.type, t.name, a.int_value, c.ts, c.value"
                   " from counter c join track t on c.track_id = t.id join args a on"
                   " t.dimension_arg_set_id = a.arg_set_id and a.key = 'cpu'"
                   " where t.type in ('cpu_idle', 'cpu_frequency', 'perf_cpu_counter')")
    of_processes = rows(processor, "select t.machine_id, t.type, t.name, p.pid, c.ts, c.value"
                        " from counter c join track t on c.track_id = t.id join args a on"
                        " t.dimension_arg_set_id = a.arg_set_id and a.key = 'upid'"
                        " join process p on p.upid = a.int_value"
                        " where t.type in ('atrace_counter', 'process_memory')")
    return same_rows("counters", oracle.counters(events), of_cpus + of_processes)


def check(tdat, processor, folder, files, options=(), tracks=False):
    """With tracks, the slices of functions are those of tracks in place of Perfetto's own messages."""
    out = os.path.join(folder, "out.pftrace")
    done = compare.run(tdat, "export", "--to", "perfetto", "-f", "-o", out, *options, *files)
    need(done.returncode in (0, 1), done.stderr.decode())
    processor.load(out)
    events = dumped(tdat, files, [o for o in options if o == "--nodate"])
    check_stats(processor, events)
    need(any(map(is_late, events)) == (b"2^63" in done.stderr), "late events were not told of")
    events = [e for e in events if not is_late(e)]
    events = check_events(processor, events, compare.left_out_of(done.stderr.decode()), files)
    counts = {"events": len(events)}
    for name in ("sched", "thread_state", "cpu_slices", "functions", "thread_slices", "counters",
                 "stacks", "names"):
        checked = "tracks" if tracks and name == "functions" else name
        counts[checked] = globals()["check_" + checked](processor, events)
    return ", ".join(f"{n} {name}" for name, n in counts.items() if n)


def start(program):
    here = os.path.dirname(os.path.abspath(__file__))
    processor = Processor(os.path.join(here, "trace_processor.js"), program)
    print(processor.status().human_readable_version)
    return processor


def main():
    tdat, folder, program = sys.argv[1:4]
    processor = start(program)
    bad = 0
    for path in sys.argv[4:]:
        try:
            print(f"{os.path.basename(path)}: {check(tdat, processor, folder, [path])}", flush=True)
        except (packets.Broken, Failed) as e:
            print(f"{os.path.basename(path)}: BROKEN: {e}", flush=True)
            bad += 1
    processor.close()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
