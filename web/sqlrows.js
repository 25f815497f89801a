// SPDX-License-Identifier: GPL-2.0-or-later
// Rows of the picture that show the answer of a query. The key of such a row is the query itself, so
// that an address or a saved view that contains the key shows the row again.

import { compare } from './datatable.js';
import { parseInteger } from './time.js';

/** The most rows of an answer that become cells: the most that the server returns. */
export const SQL_CELLS_MOST = 10000;

const KEY_OF_SQL = 'sql:0:';

/** The names of columns with times. */
export const OF_TIME = /(^|_)ts$/;

/** The key of the row of a query. */
export function sqlKeyOf(query) {
	return KEY_OF_SQL + query.replace(/\s+/g, ' ').trim();
}

export function isSqlKey(key) {
	return key.startsWith(KEY_OF_SQL);
}

/** The columns of an answer that make intervals: time, duration or -1, first text or -1. Null without a time. */
function spanColumns({ columns, rows }) {
	const ts = columns.findIndex((name) => OF_TIME.test(name));
	const isText = (value) => typeof value === 'string' && parseInteger(value) === null;
	const name = columns.findIndex((_, at) => rows.some((row) => isText(row[at])));
	return ts < 0 ? null : { ts, dur: columns.indexOf('dur'), name };
}

/** The intervals of an answer, by time. An interval without an end lasts until `end`. */
function spansOf(answer, end) {
	const at = spanColumns(answer);
	if (!at) throw new Error('The answer has no column ts.');
	const spans = [];
	for (const row of answer.rows) {
		const from = parseInteger(row[at.ts]);
		const dur = at.dur < 0 ? 0n : parseInteger(row[at.dur]);
		if (from === null) continue;
		const to = dur === null ? end : from + dur;
		spans.push({ from, to, open: dur === null ? 'end' : undefined, name: String(row[at.name] ?? '') });
	}
	spans.sort((a, b) => compare(a.from, b.from) || compare(b.to, a.to));
	// Intervals that overlap are drawn below one another.
	const lanes = [];
	for (const span of spans) {
		const free = lanes.findIndex((busy) => busy <= span.from);
		span.depth = free < 0 ? lanes.length : free;
		lanes[span.depth] = span.to;
	}
	return { spans, lanes: Math.max(1, lanes.length) };
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
			const { pending, error, spans = [], lanes } = this.#answerOf(key, end);
			const cells = spans
				.filter(({ from, to }) => from <= picture.to && to >= picture.from)
				.map(({ from, to, open, depth, name }) => {
					const time = Number(to - from);
					const t0 = Number(from - picture.from);
					return { t0, t1: t0 + time, depth, name, n: 1, time, worst: time, open };
				});
			picture.rows.set(key, { key, type: 'sql', kind: 'slices', pending, error, cells, lanes, exact: true });
			picture.pending ||= pending;
		}
		return picture;
	}
}
