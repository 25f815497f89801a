// SPDX-License-Identifier: GPL-2.0-or-later
// The answers of a report: the same functions as a server's, from the data inside of the page.

import { Failure, readEvent, readPicture } from './api.js';
import { parseKey } from './rows.js';
import { counted, grouped } from './text.js';
import { formatTime, parseInteger } from './time.js';

const NEEDS_SERVER =
	'A report has no server to answer this; run tdat view FILE.';

export class ReportSource {
	live = false;
	#report;
	#whole;
	#detail;
	#events;

	constructor(report) {
		this.#report = report;
		this.#whole = readPicture(report.picture);
		this.#detail = report.detail ? readPicture(report.detail) : null;
		this.#events = (report.events?.rows ?? []).map(readEvent);
	}

	async trace() {
		const trace = this.#report.trace;
		return {
			...trace,
			sql: false,
			from: parseInteger(trace.from) ?? 0n,
			to: parseInteger(trace.to) ?? 0n,
		};
	}

	/** The view that it was made of, as behind # in an address; a report has no filter. */
	get view() {
		const view = new URLSearchParams(this.#report.view ?? '');
		view.delete('filter');
		return view.toString();
	}

	/** The span that the report was made for. */
	get span() {
		const { from, to } = this.#report.span;
		return [BigInt(from), BigInt(to)];
	}

	async progress() {
		return this.#report.progress;
	}

	async tasks(match = '', limit = 100) {
		const wanted = match.toLowerCase();
		const all = this.#report.tasks.tasks.filter(
			(task) =>
				task.comm.toLowerCase().includes(wanted) ||
				String(task.pid) === match
		);
		return { total: all.length, tasks: all.slice(0, limit) };
	}

	/** Whether both pictures have a row. */
	has(key) {
		return this.#whole.rows.has(key) && (!this.#detail || this.#detail.rows.has(key));
	}

	/** The tasks whose rows it begins with: those of a view ran longest in the trace, others in the span. */
	async firstTasks(limit) {
		const { view, stats, tasks } = this.#report;
		const all = view === undefined ? stats.tasks : tasks.tasks;
		const shown = all.filter(({ rec, pid }) => this.has(`task:${rec}:${pid}`));
		return { total: tasks.tasks.length, tasks: shown.slice(0, limit) };
	}

	/** The rows of a kind that the picture has. */
	async kinds(kind) {
		if (kind === 'usual') {
			const rows = this.#report.usual.rows.filter(({ key }) => this.has(key));
			return { rows, total: rows.length };
		}
		const rows = [...this.#whole.rows.values()]
			.filter(({ key, cells }) => key.startsWith(`${kind}:`) && cells.length > 0)
			.map(({ key, cells }) => ({ key, label: parseKey(key).id, n: cells.length }));
		return { rows, total: rows.length };
	}

	/** Rows that the report shows before others: those it was made for, too. */
	async named() {
		return { rows: this.#report.first ?? [], stats: this.#report.stats, span: this.span };
	}

	/** The picture that has this window: that of the span in detail, or that of the whole trace. */
	async picture({ from, to, rows }) {
		const inside = this.#detail && from >= this.#detail.from && to <= this.#detail.to;
		const kept = inside ? this.#detail : this.#whole;
		const span = kept.to - kept.from;
		const width = BigInt(kept.width || 1);
		const found = rows.filter((key) => kept.rows.has(key)).map((key) => [key, kept.rows.get(key)]);
		// Cells that stand for many are not parted: they are of whole columns.
		const column = (ts, more) => kept.from + (span * (((ts - kept.from) * width + more) / (span || 1n))) / width;
		const shown = found.every(([, row]) => row.exact) ? [from, to] : [column(from, 0n), column(to, span - 1n)];
		const [first, last] = shown.map((ts) => Number(ts - kept.from));
		const wanted = new Set(rows);
		const wakeups = kept.wakeups.filter(({ rec, pid, waking, wakeup, t1 }) => {
			const start = waking ?? wakeup ?? t1;
			return wanted.has(`task:${rec}:${pid}`) && start <= last && (t1 ?? start) >= first;
		});
		return {
			...kept,
			rows: new Map(found),
			wakeups,
			wakeupsTotal: wakeups.reduce((sum, { n }) => sum + n, 0),
			resolution: span / width,
			shown,
			pending: false,
		};
	}

	get resolution() {
		return {
			whole: (this.#whole.to - this.#whole.from) / BigInt(this.#whole.width || 1),
			span: this.#detail ? [this.#detail.from, this.#detail.to] : null,
			detail: this.#detail
				? (this.#detail.to - this.#detail.from) /
					BigInt(this.#detail.width || 1)
				: null,
			events: this.#events.length,
			total: this.#report.events?.total ?? 0,
			limits: this.#report.limits ?? null,
		};
	}

	/** A report cannot filter by tdat's grammar, which the server knows: it has all of its rows. */
	async events({ filter, row, count }) {
		if (filter) throw new Failure(NEEDS_SERVER, 501);
		return {
			total: this.#events.length,
			pending: false,
			rows: this.#events
				.slice(row, row + count)
				.map((event, index) => ({ ...event, row: row + index })),
		};
	}

	async groupsOf(pids) {
		const { tasks } = await this.tasks('', 10000);
		const moves = this.#events.filter(({ event }) => event.endsWith('/cgroup_attach_task'));
		return { tasks: tasks.filter(({ pid }) => pids.includes(pid)), moves, total: moves.length };
	}

	/** A report has no fields: a text names a task as "pid=7" or "name:7 [120]". */
	async eventsAt({ ts, count, cpus, pids }) {
		const named = new RegExp(`pid=${pids}\\b|:${pids} \\[`);
		const found = [];
		for (const [index, event] of this.#events.entries()) {
			if (
				found.length < count &&
				event.ts >= ts &&
				(cpus === undefined || event.cpu === Number(cpus)) &&
				(pids === undefined || event.pid === Number(pids) || named.test(event.text))
			)
				found.push({ ...event, row: index });
		}
		return found;
	}

	/** A report has the first part of a text. */
	async text(file, at) {
		if (at > 0) throw new Failure(NEEDS_SERVER, 501);
		return this.#report[`text${file}`];
	}

	/** The first events of a window; null where the report has not all of them. */
	async eventsIn(from, to, count) {
		const { total, events, span } = this.resolution;
		const last = total > events ? this.#events.at(-1)?.ts : span?.[1];
		if (last === undefined || !span || from < span[0] || to > last) return null;
		return this.#events.filter(({ ts }) => ts >= from && ts <= to).slice(0, count);
	}

	async event(key) {
		const row = this.#events.find((event) => event.key === key);
		if (!row) throw new Failure(NEEDS_SERVER, 501);
		return { ...row, ts: String(row.ts), fields: null };
	}

	/** A sentence of searches that found nothing: a report searches texts, in the events that it has. */
	searched(text) {
		const { events, total } = this.resolution;
		const part = total > events ? `the first ${grouped(events)} of ${counted(total, 'event')}` : 'this report';
		const isFilter = text.includes(':') ? '; filters need tdat view FILE' : '';
		return ` in ${part}${isFilter}`;
	}

	/** Searches the line of an event, as the server does. */
	async search({ contains, from, after, dir }) {
		const inNs = this.#report.trace.unit !== 'ticks';
		const wanted = contains.toLowerCase();
		const step = dir === 'prev' ? -1 : 1;
		let at = after
			? this.#events.findIndex((event) => event.key === after) + step
			: this.#events.findIndex((event) => event.ts >= from) +
				(dir === 'prev' ? -1 : 0);
		for (; at >= 0 && at < this.#events.length; at += step) {
			const event = this.#events[at];
			const time = formatTime(event.ts, 1n, inNs);
			const line = `${time} ${event.cpu} ${event.comm}-${event.pid} ${event.event}: ${event.text}`;
			if (line.toLowerCase().includes(wanted)) return { ...event, row: at };
		}
		return null;
	}

	async stats() {
		if (!this.#report.stats) throw new Failure(NEEDS_SERVER, 501);
		return { ...this.#report.stats, fixed: true };
	}

	async sums() {
		return this.#report.sums;
	}

	async complete() {
		return { ok: true, candidates: [], from: 0 };
	}

	async sql() {
		throw new Failure(NEEDS_SERVER, 501);
	}
}

/** The report inside of this page, or null. */
export function embeddedData() {
	const text = document.getElementById('tdat-data')?.textContent;
	return text ? JSON.parse(text) : null;
}
