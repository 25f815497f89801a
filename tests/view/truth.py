# SPDX-License-Identifier: GPL-2.0-or-later
"""What a trace tells of its CPUs and tasks besides the tables: who ran before the first switch of a
CPU, behind and between losses; and where losses began. Made from the events that tdat dump prints."""
import collections


class Truth:
    """events: objects of dump --json, in order."""

    def __init__(self, events):
        self.losses = collections.defaultdict(list)  # by buffer and CPU: (from, to)
        self.early = []  # runs that no row of sched has: buffer, CPU, pid, from, to
        last, known = {}, collections.Counter()
        seen = collections.defaultdict(list)  # (pid, ts) of events in a row, without losses and switches
        switched = {(e.get("buffer", ""), e["cpu"]) for e in events
                    if (e["system"], e["event"]) == ("sched", "sched_switch")}

        def end(at, to):
            """Events between losses that are all of one task: it ran from the first to the last."""
            pids = {pid for pid, _ in seen[at]}
            if at in switched and len(pids) == 1 and min(pids) > 0 and seen[at][0][1] < to:
                self.early.append((*at, *seen[at][0], to))
            seen[at] = []

        for e in events:
            at = (e.get("buffer", ""), e["cpu"])
            if e.get("lost"):
                begin = min(last.get(at, events[0]["ts"]), e["ts"])
                self.losses[at].append((begin, e["ts"]))
                known[at] = False
                end(at, begin)
            last[at] = e["ts"]
            if (e["system"], e["event"]) == ("sched", "sched_switch"):
                prev, mine = e["fields"]["prev_pid"], []
                while seen[at] and seen[at][-1][0] == prev:
                    mine.append(seen[at].pop())
                if not known[at] and mine and mine[-1][1] < e["ts"]:
                    self.early.append((*at, *mine[-1], e["ts"]))
                known[at] = True
                seen[at] = []
            elif not known[at]:
                seen[at].append((e["pid"], e["ts"]))
        for at in list(seen):
            end(at, last[at])

    def lost_at(self, buffer, cpu, ts):
        """When a loss behind ts began, of one CPU, or of any (None); no earlier than ts."""
        found = []
        for at, losses in self.losses.items():
            if at[0] == buffer and (cpu is None or at[1] == cpu):
                found += [max(ts, begin) for begin, end in losses if end > ts][:1]
        return min(found, default=ts)
