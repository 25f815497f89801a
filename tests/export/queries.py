#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Twelve queries of exported tables, and four of wall-clock times, which DuckDB, polars and
ClickHouse (chdb) answer alike.

usage: queries.py TDAT FOLDER FIXTURES
Of the shared corpus, where TDAT_SHARED names one, a larger file is queried as well.
"""
import datetime
import os
import subprocess
import sys

import chdb
import duckdb
import polars as pl


def need(good, what):
    if not good:
        sys.exit(f"queries: {what}")


def plain(value):
    """One form of values for all three: numbers as integers where they are whole."""
    if isinstance(value, datetime.datetime):
        utc = value if value.tzinfo else value.replace(tzinfo=datetime.timezone.utc)
        return utc.astimezone(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, float):
        return int(value) if value == int(value) else round(value, 6)
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value


def rows_of(rows):
    return sorted(([plain(v) for v in row] for row in rows), key=repr)


class Duck:
    name = "DuckDB"

    def rows(self, query, tables):
        for table, path in tables.items():
            query = query.replace(f"{{{table}}}", f"read_parquet('{path}')")
        return duckdb.sql(query).fetchall()


class Click:
    name = "ClickHouse"

    def rows(self, query, tables):
        for table, path in tables.items():
            query = query.replace(f"{{{table}}}", f"file('{path}', Parquet)")
        text = chdb.query(query + " settings session_timezone='UTC'", "ArrowStream").bytes()
        table = pl.read_ipc_stream(text) if text else pl.DataFrame()
        return [[v.decode() if isinstance(v, bytes) else v for v in row] for row in table.rows()]


class Polars:
    name = "polars"

    def rows(self, query, tables):
        return query({t: pl.scan_parquet(p) for t, p in tables.items()}).collect().rows()


SWITCH, WAKE, STACK = "switch", "wake", "stack"
C = pl.col
# For each: the tables it needs, SQL of DuckDB, SQL of ClickHouse where it differs, polars.
QUERIES = (
    ("rows", (SWITCH,), "select count(*) from {switch}", None,
     lambda t: t[SWITCH].select(pl.len())),
    ("switches by CPU", (SWITCH,), "select cpu, count(*) from {switch} group by cpu", None,
     lambda t: t[SWITCH].group_by("cpu").agg(pl.len())),
    ("tasks by switches", (SWITCH,),
     "select next_comm, next_pid, count(*) from {switch} where next_pid != 0 "
     "group by next_comm, next_pid", None,
     lambda t: t[SWITCH].filter(C("next_pid") != 0).group_by("next_comm", "next_pid")
     .agg(pl.len())),
    ("names of states", (SWITCH,),
     "select prev_state_name, count(*) from {switch} group by prev_state_name", None,
     lambda t: t[SWITCH].group_by(C("prev_state_name").cast(pl.String)).agg(pl.len())),
    ("first and last times", (SWITCH,), "select min(ts), max(ts) from {switch}", None,
     lambda t: t[SWITCH].select(C("ts").min().alias("a"), C("ts").max().alias("b"))),
    ("span of time", (SWITCH,),
     "select count(*) from {switch} where ts >= {from} and ts < {to}", None, "span"),
    ("percentiles of a field", (SWITCH,),
     "select quantile_disc(next_pid, 0.5), quantile_disc(next_pid, 0.9) from {switch}",
     "select quantileExactLow(0.5)(next_pid), quantileExactLow(0.9)(next_pid) from {switch}",
     "percentiles"),
    ("flags", (SWITCH,),
     "select count(*) from {switch} where irqs_off and not hardirq and lost is null", None,
     lambda t: t[SWITCH].filter(C("irqs_off") & ~C("hardirq") & C("lost").is_null())
     .select(pl.len())),
    ("wake-ups and their next switch", (SWITCH, WAKE),
     "select count(*), sum(s.ts - w.ts) from {wake} w asof join {switch} s "
     "on w.field_pid = s.next_pid and w.ts < s.ts", None,
     lambda t: t[WAKE].sort("ts").with_columns(C("ts") + 1)
     .join_asof(t[SWITCH].sort("ts").with_columns(C("ts").alias("at")), on="ts",
                by_left="field_pid", by_right="next_pid", strategy="forward",
                check_sortedness=False)
     .filter(C("at").is_not_null())
     .select(pl.len().alias("n"), (C("at") - C("ts") + 1).sum().alias("sum"))),
    ("wake-ups by woken and waker", (SWITCH, WAKE),
     "select w.comm, count(distinct s.next_pid) from {wake} w join {switch} s "
     "on w.field_pid = s.next_pid group by w.comm", None,
     lambda t: t[WAKE].join(t[SWITCH], left_on="field_pid", right_on="next_pid")
     .group_by(C("comm").cast(pl.String)).agg(C("field_pid").n_unique())),
    ("depths of stacks", (STACK,),
     "select len(caller), count(*) from {stack} group by 1",
     "select length(caller), count(*) from {stack} group by 1",
     lambda t: t[STACK].group_by(C("caller").list.len().cast(pl.Int64)).agg(pl.len())),
    ("functions of stacks", (STACK,),
     "select f, count(*) from (select unnest(caller_sym) f from {stack}) group by f",
     "select f, count(*) from (select arrayJoin(caller_sym) f from {stack}) group by f",
     lambda t: t[STACK].select(C("caller_sym").cast(pl.List(pl.String)).explode().alias("f"))
     .group_by("f").agg(pl.len())),
)


# Of a file whose times are those of a wall clock, and a timestamp type in the tables.
WALL_QUERIES = (
    ("first and last second", (SWITCH,),
     "select strftime(min(ts), '%Y-%m-%d %H:%M:%S'), strftime(max(ts), '%Y-%m-%d %H:%M:%S') "
     "from {switch}",
     "select formatDateTime(min(ts), '%Y-%m-%d %H:%i:%S'), "
     "formatDateTime(max(ts), '%Y-%m-%d %H:%i:%S') from {switch}",
     lambda t: t[SWITCH].select(C("ts").min().dt.strftime("%Y-%m-%d %H:%M:%S").alias("a"),
                                C("ts").max().dt.strftime("%Y-%m-%d %H:%M:%S").alias("b"))),
    ("switches by tenth of a second", (SWITCH,),
     "select epoch_ns(ts) // 100000000, count(*) from {switch} group by 1",
     "select intDiv(toUnixTimestamp64Nano(ts), 100000000), count(*) from {switch} group by 1",
     lambda t: t[SWITCH].group_by(C("ts").dt.epoch("ns") // 100000000).agg(pl.len())),
    ("by the parts of the time", (SWITCH,),
     "select year(t), month(t), day(t), hour(t), minute(t), second(t), count(*) "
     "from (select ts::TIMESTAMPTZ t from {switch}) group by all",
     "select toYear(ts), toMonth(ts), toDayOfMonth(ts), toHour(ts), toMinute(ts), toSecond(ts), "
     "count(*) from {switch} group by 1, 2, 3, 4, 5, 6",
     lambda t: t[SWITCH].group_by(*(getattr(C("ts").dt, part)().cast(pl.Int64).alias(part)
                                    for part in ("year", "month", "day", "hour", "minute",
                                                 "second")))
     .agg(pl.len())),
    ("after a moment", (SWITCH,),
     "select count(*) from {switch} "
     "where ts::TIMESTAMPTZ > TIMESTAMPTZ '2026-11-21 02:16:52.25+00'",
     "select count(*) from {switch} where ts > toDateTime64('2026-11-21 02:16:52.25', 9, 'UTC')",
     lambda t: t[SWITCH].filter(C("ts") > datetime.datetime(
         2026, 11, 21, 2, 16, 52, 250000, tzinfo=datetime.timezone.utc)).select(pl.len())),
)


def of_polars(query, lo, hi):
    if query == "span":
        return lambda t: t[SWITCH].filter((C("ts") >= lo) & (C("ts") < hi)).select(pl.len())
    if query == "percentiles":
        return lambda t: t[SWITCH].select(*(
            C("next_pid").sort().get(((pl.len() * p).ceil().cast(pl.Int64) - 1)).alias(n)
            for n, p in (("a", 0.5), ("b", 0.9))))
    return query


def ask(path, tables, queries=QUERIES):
    lo, hi = 0, 0  # a span of counted time
    if queries is QUERIES:
        lo, hi = duckdb.sql(f"select min(ts), max(ts) from read_parquet('{tables[SWITCH]}')"
                            ).fetchall()[0]
    lo, hi = lo + (hi - lo) // 4, lo + (hi - lo) // 2
    asked = set()
    for name, wanted, duck, click, polars in queries:
        if not all(t in tables for t in wanted):
            continue
        sql = [q.replace("{from}", str(lo)).replace("{to}", str(hi)) for q in (duck, click or duck)]
        answers = {Duck.name: rows_of(Duck().rows(sql[0], tables)),
                   Click.name: rows_of(Click().rows(sql[1], tables)),
                   Polars.name: rows_of(Polars().rows(of_polars(polars, lo, hi), tables))}
        need(answers[Duck.name] and len({repr(a) for a in answers.values()}) == 1,
             f"{path}: {name}: " + "; ".join(f"{e} {str(a)[:300]}" for e, a in answers.items()))
        asked.add(name)
    return asked


def main():
    tdat, folder, fixtures = sys.argv[1:]
    files = [os.path.join(fixtures, "valid", f) for f in ("arm64-16k-612-kstack.dat",
                                                          "s390x-61-v7-zstd-sched.dat")]
    shared = os.environ.get("TDAT_SHARED")
    more = os.path.join(shared or "", "corpus", "files", "x64-lab612-tc283-v6-sched.dat")
    if shared and os.path.exists(more):
        files.append(more)
    asked = set()
    for number, path in enumerate(files):
        out = os.path.join(folder, str(number))
        subprocess.run([tdat, "export", "-q", "--nodate", "--to", "parquet", "-o", out, path],
                       check=True)
        tables = {SWITCH: "sched.sched_switch", WAKE: "sched.sched_wakeup",
                  STACK: "ftrace.kernel_stack"}
        tables = {t: os.path.join(out, f"{n}.parquet") for t, n in tables.items()}
        asked.update(ask(path, {t: p for t, p in tables.items() if os.path.exists(p)}))
    need(len(asked) == len(QUERIES), f"few queries: {asked}")
    duckdb.sql("set TimeZone = 'UTC'")
    out = os.path.join(folder, "wall")
    date = os.path.join(fixtures, "valid", "x64-61-date.dat")
    subprocess.run([tdat, "export", "-q", "--to", "parquet", "-o", out, date], check=True)
    asked.update(ask(date, {SWITCH: os.path.join(out, "sched.sched_switch.parquet")},
                     WALL_QUERIES))
    print(f"{len(files)} files, {len(asked)} queries")


main()
