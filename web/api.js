// SPDX-License-Identifier: GPL-2.0-or-later
// Where the page gets its answers: the server of tdat view, or the data inside of a report.

import { isSqlKey, SqlRows } from './sqlrows.js';
import { parseInteger } from './time.js';

/** What is wrong with a filter: "filter 'TEXT', column 29: SENTENCE", columns from 1. */
const OF_FILTER = /^filter '.*', column (\d+): (.*)$/s;

/** A failure in one sentence; `at` is a byte of the filter's text where it has one. */
export class Failure extends Error {
	constructor(sentence, status, at) {
		const found = OF_FILTER.exec(sentence);
		super(found?.[2] ?? sentence);
		this.status = status;
		this.at = at ?? (found ? Number(found[1]) - 1 : undefined);
	}
}

/** The cells of a table of an answer as objects. */
function objects(table) {
	return table.cells.map((cell) => {
		const made = {};
		for (let i = 0; i < cell.length; i++) made[table.columns[i] ?? 'open'] = cell[i];
		return made;
	});
}

/**
 * Cells of the rows that have most of them, by the places of their columns: objects that are written
 * out take a quarter of the time and less memory than those that are filled name by name.
 */
const READERS = {
	cpu: ([t0, t1, task, n, time, busy, worst, known]) => (cell) => ({
		t0: cell[t0],
		t1: cell[t1],
		task: cell[task],
		n: cell[n],
		time: cell[time],
		busy: cell[busy],
		worst: cell[worst],
		known: cell[known],
		open: undefined,
		pid: -1,
		comm: '',
		name: 'not known',
	}),
	states: ([t0, t1, state, cpu, n, time, worst]) => (cell) => ({
		t0: cell[t0],
		t1: cell[t1],
		state: cell[state],
		cpu: cell[cpu],
		n: cell[n],
		time: cell[time],
		worst: cell[worst],
		open: undefined,
		running: undefined,
		runnable: undefined,
		blocked: undefined,
		sleeping: undefined,
	}),
	slices: ([t0, t1, depth, name, n, time, worst]) => (cell) => ({
		t0: cell[t0],
		t1: cell[t1],
		depth: cell[depth],
		name: cell[name],
		n: cell[n],
		time: cell[time],
		worst: cell[worst],
		open: undefined,
	}),
	ticks: ([t0, t1, n]) => (cell) => ({ t0: cell[t0], t1: cell[t1], n: cell[n] }),
};
const COLUMNS = {
	cpu: 't0 t1 task n time busy worst known'.split(' '),
	states: 't0 t1 state cpu n time worst'.split(' '),
	slices: 't0 t1 depth name n time worst'.split(' '),
	ticks: ['t0', 't1', 'n'],
};

function readCells(row) {
	const reader = READERS[row.kind];
	if (!reader || row.cells.length === 0) return objects(row);
	const read = reader(COLUMNS[row.kind].map((name) => row.columns.indexOf(name)));
	const open = row.columns.indexOf('open');
	const shares = row.columns.indexOf('running');
	return row.cells.map((cell) => {
		const made = read(cell);
		if (open >= 0 && cell.length > open) made.open = cell[open];
		if (shares >= 0)
			[made.running, made.runnable, made.blocked, made.sleeping] = cell.slice(shares);
		return made;
	});
}

/** What a row of an answer is for the page: its cells with names instead of indexes. */
function readRow(row, answer) {
	const made = { ...row, type: row.key.split(':')[0], cells: row.cells ? readCells(row) : [] };
	delete made.columns;
	for (const cell of made.cells) {
		if (row.kind === 'cpu') {
			const task = answer.tasks[cell.task];
			cell.pid = task?.pid ?? -1;
			cell.comm = task?.comm ?? '';
			cell.name = task ? `${task.comm}-${task.pid}` : 'not known';
		} else if (row.kind === 'states') {
			cell.state = answer.states[cell.state];
		} else if (row.kind === 'slices') {
			cell.name = answer.names[cell.name] ?? '';
			made.lanes = Math.max(made.lanes ?? 1, cell.depth + 1);
		} else if (row.kind === 'plot') {
			made.min = Math.min(made.min ?? Infinity, cell.min);
			made.max = Math.max(made.max ?? -Infinity, cell.max);
		}
	}
	return made;
}

/** An answer of api/picture as the page draws it. */
export function readPicture(answer) {
	return {
		from: BigInt(answer.from),
		to: BigInt(answer.to),
		width: answer.width,
		rows: new Map(answer.rows.map((row) => [row.key, readRow(row, answer)])),
		wakeups: answer.wakeups ? objects(answer.wakeups) : [],
		wakeupsTotal: answer.wakeups?.total ?? 0,
		pending: Boolean(
			answer.pending ||
			answer.partial ||
			answer.wakeups?.pending ||
			answer.rows.some((row) => row.pending || row.partial)
		),
	};
}

export function readEvent(row) {
	return { ...row, ts: BigInt(row.ts) };
}

/** The trace's facts, with times as BigInt. */
function readTrace(answer) {
	return {
		...answer,
		from: parseInteger(answer.from) ?? 0n,
		to: parseInteger(answer.to) ?? 0n,
	};
}

/** Parameters as the server reads them: arrays are repeated, empty ones left out. */
function queryOf(parameters) {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) {
		for (const one of Array.isArray(value) ? value : [value]) {
			if (one !== undefined && one !== null && one !== '')
				query.append(name, String(one));
		}
	}
	// The server takes %20 for a blank, and + for itself.
	const text = query.toString().replaceAll('+', '%20');
	return text ? `?${text}` : '';
}

/** Asks until the answer is not pending any more, or not `wanted`. `answer` is one that is here already. */
export async function wholeAnswer(ask, answer = undefined, wanted = () => true) {
	answer ??= await ask();
	for (let patience = 50; (answer.pending || answer.partial) && wanted(); patience = Math.min(1000, patience * 1.5)) {
		await new Promise((done) => setTimeout(done, patience));
		answer = await ask();
	}
	return answer;
}

/** Moves of tasks into cgroups that are read at once. */
const MOVES_MOST = 10000;

/** A server's answers. Methods reject with a Failure. */
export class LiveSource {
	live = true;
	#first;
	#moves;
	#end = 0n;
	#queries = new SqlRows((query, limit) => this.sql(query, limit));

	/** `first` are answers that the page has from the beginning: to trace(), and tasks('', 20). */
	constructor(first = undefined) {
		this.#first = { ...first };
	}

	/** Such an answer, once. */
	#take(name) {
		const answer = this.#first[name];
		this.#first[name] = undefined;
		return answer;
	}

	/**
	 * A server that is busy says so, and is asked again some times; where the connection is lost, as
	 * one that was idle may be, it is asked once more.
	 */
	async get(path, parameters = {}, signal = undefined) {
		for (let left = { 503: 5, 0: 1 }, wait = 50; ; wait *= 2) {
			try {
				return await this.#once(path, parameters, signal);
			} catch (error) {
				if (!(left[error.status]-- > 0)) throw error;
			}
			await new Promise((done) => setTimeout(done, wait));
		}
	}

	async #once(path, parameters, signal) {
		const query = queryOf(parameters);
		let response;
		try {
			response = await fetch(`api/${path}${query}`, { cache: 'no-store', signal });
		} catch (error) {
			if (error.name === 'AbortError') throw error;
			throw new Failure(
				'tdat view does not respond: it has ended, or the connection to it was lost.',
				0
			);
		}
		const answer = await response.json().catch(() => null);
		if (!response.ok || answer === null)
			throw new Failure(
				answer?.error ?? `The server answered ${response.status}.`,
				response.status,
				answer?.at
			);
		return answer;
	}

	async trace() {
		const trace = readTrace(this.#take('trace') ?? (await this.get('trace')));
		this.#end = trace.to;
		return trace;
	}

	progress() {
		return this.get('progress');
	}

	async tasks(match = '', limit = 100) {
		const first = match === '' && limit === 20 ? this.#take('tasks') : undefined;
		return first ?? this.get('tasks', { limit, match });
	}

	/** Whether there may be such a row. */
	has() {
		return true;
	}

	/** The tasks that ran longest. */
	firstTasks(limit) {
		return this.tasks('', limit);
	}

	kinds(kind, limit) {
		return this.get('rows', { kind, limit });
	}

	/** Rows that a trace begins with besides CPUs and tasks. Where it `tells` what ran also: what the CPUs recorded. */
	async named(tells, { from, to }) {
		const { rows } = await wholeAnswer(() => this.kinds('usual'));
		const stats = tells ? await wholeAnswer(() => this.get('stats', { from, to })) : null;
		return { rows: rows.map(({ key }) => key), stats, span: [from, to] };
	}

	async picture({ from, to, width, rows, filter, contains }) {
		const drawn = rows.filter((key) => !isSqlKey(key));
		const answer = await this.get('picture', { from, to, width, rows: drawn, filter, contains });
		return this.#queries.add(readPicture(answer), rows, this.#end);
	}

	/** Rows that are not shown any more, or tried again: what failed is asked for when they are next shown. */
	forget(rows) {
		this.#queries.forget(rows);
	}

	/** Rows of the list from number `row` on. `total` is null while they are being counted. */
	async events({ filter, row, count }) {
		const answer = await this.get('events', { filter, at: row, count });
		return {
			total: answer.total,
			pending: Boolean(answer.pending),
			rows: (answer.rows ?? []).map(readEvent),
		};
	}

	/** The tasks of these pids, and the last events of `total` that moved tasks into cgroups. */
	async groupsOf(pids, trace) {
		const list = pids.join(',');
		const { tasks } = await wholeAnswer(() => this.get('tasks', { pids: list, limit: 10000 }));
		const events = trace.events.filter((type) => type.endsWith('/cgroup_attach_task'));
		// Imported text has no field for the pid that was moved: then all moves are read, once.
		if (!events.every((type) => type.startsWith('cgroup/')))
			return { tasks, ...(await (this.#moves ??= this.#lastOf({ events }))) };
		if (events.length === 0) return { tasks, moves: [], total: 0 };
		return { tasks, ...(await this.#lastOf({ events, pids: list })) };
	}

	async #lastOf(wanted) {
		const ask = (at, count) => wholeAnswer(() => this.get('events', { ...wanted, at, count }));
		const { total } = await ask(0, 0);
		const moves = [];
		for (let at = Math.max(0, total - MOVES_MOST); at < total; at += 1000)
			moves.push(...(await ask(at, 1000)).rows);
		return { moves, total };
	}

	/** Rows at or after a time; with `pids` those of a task, and those whose pid or next_pid it is. */
	async eventsAt({ filter, ts, count, cpus, pids }) {
		const answer = await this.get('events', { filter, at: `ts:${ts}`, count, cpus, pids });
		return (answer.rows ?? []).map(readEvent);
	}

	/** A part of the text of a latency tracer. */
	text(file, at) {
		return this.get('text', { file, at });
	}

	/** The first events of a window, without their texts. */
	async eventsIn(from, to, count) {
		const first = from < 0n ? 0n : from;
		const answer = await this.get('events', { from: first, to, at: `ts:${first}`, count, text: 0 });
		return (answer.rows ?? []).map(readEvent);
	}

	event(key) {
		return this.get('event', { key });
	}

	async search(wanted) {
		const { hit } = await wholeAnswer(() => this.get('search', wanted));
		return hit ? readEvent(hit) : null;
	}

	stats(from, to) {
		return this.get('stats', { from, to, latency: 1 });
	}

	sums(from, to) {
		return this.get('sums', { from, to });
	}

	complete(text, pos, signal) {
		return this.get('filter', { text: text === '' ? undefined : text, pos }, signal);
	}

	/** The server gives a query up whose signal is aborted. */
	sql(query, limit, signal) {
		return this.get('sql', { query, limit }, signal);
	}
}
