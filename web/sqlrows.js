// SPDX-License-Identifier: GPL-2.0-or-later
// Rows of the picture that show the answer of a query. The key of such a row is the query itself, so
// that an address or a saved view that contains the key shows the row again.

import { compare } from './datatable.js';
import { announce, counted } from './text.js';
import { LANES_MOST } from './rows.js';
import { parseInteger } from './time.js';

/** The most rows of an answer that become cells: the most that the server returns. */
export const SQL_CELLS_MOST = 10000;

const KEY_OF_SQL = 'sql:0:';

/** The names of columns with times. */
export const OF_TIME = /(^|_)ts$/;

/** The key of the row of a query. */
export function sqlKeyOf(query) {
	return KEY_OF_SQL + query.trim();
}

export function isSqlKey(key) {
	return key.startsWith(KEY_OF_SQL);
}

/**
 * The columns of an answer that make intervals: time, and duration, the way in which it is open, and the first
 * other text, each -1 where there is none. Null without a time.
 */
function spanColumns({ columns, rows }) {
	const ts = columns.findIndex((name) => OF_TIME.test(name));
	const isText = (value) => typeof value === 'string' && parseInteger(value) === null;
	const open = columns.indexOf('open');
	const name = columns.findIndex((_, at) => at !== open && rows.some((row) => isText(row[at])));
	return ts < 0 ? null : { ts, dur: columns.indexOf('dur'), open, name };
}

/**
 * The intervals of an answer, by time, and a sentence if they are not all that the query gives. An interval
 * without an end lasts until `end` if its column `open` says so; otherwise it is a mark at its begin.
 */
function spansOf(answer, end) {
	const at = spanColumns(answer);
	if (!at) throw new Error('The answer has no column ts.');
	const spans = [];
	for (const row of answer.rows) {
		const from = parseInteger(row[at.ts]);
		const dur = at.dur < 0 ? 0n : parseInteger(row[at.dur]);
		if (from === null) continue;
		const open = dur === null ? String(row[at.open] ?? 'unknown') : undefined;
		const to = open === 'end' ? end : from + (dur ?? 0n);
		spans.push({ from, to, open, name: String(row[at.name] ?? '') });
	}
	spans.sort((a, b) => compare(a.from, b.from) || compare(b.to, a.to));
	// Intervals that overlap are drawn below one another.
	const lanes = [];
	const drawn = spans.filter((span) => {
		const free = lanes.findIndex((busy) => busy <= span.from);
		span.depth = free < 0 ? lanes.length : free;
		if (span.depth < LANES_MOST) lanes[span.depth] = span.to;
		return span.depth < LANES_MOST;
	});
	const deep = spans.length - drawn.length;
	const cut = [
		answer.more ? `only the first ${counted(answer.rows.length, 'row')} of the answer are drawn` : '',
		deep > 0 ? `${counted(deep, 'interval')} omitted: more than ${LANES_MOST} overlap` : '',
	];
	return { spans: drawn, lanes: Math.max(1, lanes.length), cut: cut.filter(Boolean).join('; ') };
}

/** The answers of such rows. `ask(query, limit)` gives one of api/sql; one query runs at a time. */
export class SqlRows {
	#ask;
	#made = new Map();
	#last = Promise.resolve();

	constructor(ask) {
		this.#ask = ask;
	}

	/** `end`: where the trace ends. */
	#answerOf(key, end) {
		let made = this.#made.get(key);
		if (made) return made;
		made = { pending: true };
		this.#made.set(key, made);
		this.#last = this.#last.then(async () => {
			try {
				Object.assign(made, spansOf(await this.#ask(key.slice(KEY_OF_SQL.length), SQL_CELLS_MOST), end));
				if (made.cut) announce(`SQL: ${made.cut}`);
			} catch (failure) {
				made.error = failure.message;
			}
			made.pending = false;
		});
		return made;
	}

	/** Asks again for those of these rows that failed, when they are shown next. */
	forget(keys) {
		for (const key of keys) if (this.#made.get(key)?.error) this.#made.delete(key);
	}

	/** Adds the rows of queries to a picture. */
	add(picture, keys, end) {
		for (const key of keys.filter(isSqlKey)) {
			const { pending, error, spans = [], lanes, cut } = this.#answerOf(key, end);
			const cells = spans
				.filter(({ from, to }) => from <= picture.to && to >= picture.from)
				.map(({ from, to, open, depth, name }) => {
					const time = Number(to - from);
					const t0 = Number(from - picture.from);
					return { t0, t1: t0 + time, depth, name, n: 1, time, worst: time, open };
				});
			picture.rows.set(key, { key, type: 'sql', kind: 'slices', pending, error, cells, lanes, cut, exact: true });
			picture.pending ||= pending;
		}
		return picture;
	}
}
