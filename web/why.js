// SPDX-License-Identifier: GPL-2.0-or-later
// Why a task waited: its critical path in words, and drawn over the rows of the tasks that it leads through.

import { answerIn } from './answers.js';
import { dataTable } from './datatable.js';
import { colour } from './theme.js';
import { parseKey } from './rows.js';
import { byId, counted, element, grouped, linkTo } from './text.js';
import { formatSpan, formatTime } from './time.js';

const HAD_CPU = '%b had the CPU that %w waited for';
/** Of a guest. */
const VIRTUAL_CPU = '%b is the virtual CPU that %w waited for';
const woke = (how) => [`%b ran before it ${how}`, `%b later ${how}`];
const wokeFrom = (wait) => woke(`woke %w from ${wait}`);
/**
 * The sentences of a kind; cli/commands/why_text.c has the same. %w is the task that waited, %b the task that it
 * waited for. A cause has the first sentence if %b is known, otherwise the last. A wait between the cause and the
 * explained task has the second.
 */
const SENTENCES = {
	running: ['%b ran', '%b is the virtual CPU of %w', '%w ran'],
	runnable: [HAD_CPU, HAD_CPU, 'another task had the CPU that %w waited for'],
	migration: ['%b moved %w to another CPU', '%w waited for %b', '%w moved to another CPU'],
	irq: ['', VIRTUAL_CPU, 'an interrupt ran on the CPU of %w'],
	softirq: ['', VIRTUAL_CPU, 'a softirq ran on the CPU of %w'],
	idle_exit: ['', VIRTUAL_CPU, 'the CPU of %w had to leave an idle state'],
	lock: [...wokeFrom('a wait for a lock'), '%w waited for a lock'],
	futex: [...wokeFrom('a wait for a futex'), '%w waited for a futex'],
	pipe: [...wokeFrom('a wait for a pipe'), '%w waited for a pipe'],
	signal: [...woke('sent a signal to %w'), '%w waited for a signal'],
	page_fault: [...wokeFrom('a page fault'), '%w waited for a page'],
	block_io: [...wokeFrom('a wait for block I/O'), '%w waited for block I/O'],
	network: [...wokeFrom('a wait for the network'), '%w waited for the network'],
	timer: [...wokeFrom('a sleep'), '%w waited for a timer'],
	blocked: [...woke('woke %w'), '%w waited for an interrupt'],
	unknown: ['', VIRTUAL_CPU, 'the cause is unknown for %w'],
};
/** A wait is the time that a task is off the CPU, in any other state. */
const NO_WAITS = new Set(['running', 'dead', 'unknown']);
/** Rows that are added for tasks of the path. */
const MOST_ROWS = 6;

/** What was asked of a task, at a time or in a span, as a text of an address; and back, or null. */
export function askedText({ rec, pid, at, from, to }) {
	return [rec, pid, ...(at === undefined ? [from, to] : [at])].join(':');
}

function askedOf(text) {
	if (!/^\d+:\d+(:\d+){1,2}$/.test(text)) return null;
	const [rec, pid, from, to] = text.split(':').map(BigInt);
	return { rec: Number(rec), pid: Number(pid), ...(to === undefined ? { at: from } : { from, to }) };
}

/** The task whose row it is, or null. */
function taskOf(key) {
	const { type, rec, id } = parseKey(key ?? '');
	return type === 'task' ? { rec, pid: Number(id) } : null;
}

function nameOfTask(comm, pid) {
	return `${comm ?? '<...>'}-${pid}`;
}

/** A cause of the time of `task` in words, then the waits that lead from the cause to the task. */
export function sayCause(cause, task) {
	const say = (text, waiter, by, what) =>
		text.replace(/%[wb]/g, (name) => (name === '%w' ? waiter : by)) + (what ? ` (${what})` : '');
	const waiters = [task, ...cause.via.map((link) => nameOfTask(link.by_comm, link.by_pid))];
	const [by, , alone] = SENTENCES[cause.kind] ?? SENTENCES.unknown;
	const known = cause.by_pid !== undefined && by;
	const said = [
		say(known || alone, waiters.at(-1), nameOfTask(cause.by_comm, cause.by_pid), cause.what),
	];
	for (const [at, { kind, what }] of [...cause.via.entries()].reverse()) {
		const [, via] = SENTENCES[kind] ?? SENTENCES.unknown;
		said.push(say(via, waiters[at], waiters[at + 1], kind === 'running' ? '' : what));
	}
	return said.join('; ');
}

/**
 * The segments of an answer as objects, with the keys of the rows of their tasks, and of the tasks that they waited
 * for. A virtual CPU is a task of another recording: the deeper segment behind says of which.
 */
function segmentsOf({ columns, cells }) {
	const segments = cells.map((cell) => Object.fromEntries(columns.map((name, at) => [name, cell[at]])));
	for (const [at, one] of segments.entries()) {
		const next = segments[at + 1];
		const rec = next?.depth === one.depth + 1 && next.pid === one.by_pid ? next.rec : one.rec;
		one.key = one.pid > 0 ? `task:${one.rec}:${one.pid}` : null;
		const by = `task:${rec}:${one.by_pid}`;
		one.by = one.by_pid > 0 && by !== one.key ? by : null;
	}
	return segments;
}

/** Draws the path: a line along the row of each task that it leads through, and from one to the next. */
export function drawWhy(pen, view) {
	const { state, viewport, layout, gutter, width, ruler, rem } = view;
	const { why } = state;
	if (!why) return;
	const placeOfRow = (key) => {
		const at = layout.keys.indexOf(key);
		if (at < 0) return null;
		const foot = layout.y(at) + layout.heights[at] - 0.2 * rem;
		const isCovered = at >= layout.kept && foot < layout.top;
		return isCovered ? null : ruler + foot;
	};
	pen.save();
	pen.beginPath();
	pen.rect(gutter, ruler, width, view.height - ruler);
	pen.clip();
	pen.strokeStyle = pen.fillStyle = colour('mark-b');
	pen.lineWidth = 2;
	for (const { t0, t1, key, depth, kind, by } of why.segments) {
		const x0 = gutter + viewport.x(why.from + BigInt(t0), width);
		const x1 = gutter + viewport.x(why.from + BigInt(t1), width);
		const y = placeOfRow(key);
		if (y === null || x1 < gutter || x0 > gutter + width) continue;
		pen.setLineDash(kind === 'unknown' ? [3, 3] : []);
		pen.strokeRect(x0, y - 1, Math.max(1, x1 - x0), 1);
		pen.setLineDash([]);
		// What it waited for: the line goes on at the end of the other task's part, which freed it.
		const next = by === null ? null : placeOfRow(by);
		if (next !== null && depth < 64) {
			pen.lineWidth = 1;
			pen.beginPath();
			pen.moveTo(x1, y);
			pen.lineTo(x1, next);
			pen.stroke();
			pen.beginPath();
			pen.arc(x1, next, 2.5, 0, 7);
			pen.fill();
			pen.lineWidth = 2;
		}
	}
	pen.restore();
}

export class Why {
	#state;
	#source;
	#pane = byId('pane-why');

	constructor(state, source) {
		this.#state = state;
		this.#source = source;
		state.on('spot', () => this.#idle());
		this.#idle();
	}

	/** Notes the place of a click: on the row of a task its wait there can be asked for. */
	note(found) {
		const task = taskOf(found.key);
		this.#state.set({ spot: task && { ...task, at: found.ts } });
	}

	/** Whether a click there asks why: it is on a single wait of a task, not on one of its events. */
	explains({ cell, tick }) {
		const isWait = cell?.n === 1 && !NO_WAITS.has(cell.state);
		return this.#source.live && Boolean(this.#state.spot) && !tick && isWait;
	}

	/** What can be asked: the wait that was clicked, or what the task of the chosen row did in a span. */
	offers() {
		const { spot } = this.#state;
		return spot && this.#source.live
			? [[`Why did task ${spot.pid} wait here?`, () => this.ask(spot)]]
			: [];
	}

	/** The same for a span, of the task whose row is chosen. */
	offersFor(from, to) {
		const task = taskOf(this.#state.focusRow);
		return task ? [[`Explain task ${task.pid}`, () => this.ask({ ...task, from, to })]] : [];
	}

	#idle() {
		if (this.#state.why) return;
		this.#pane.replaceChildren(
			element('p', {
				class: 'soft',
				text: !this.#source.live
					? 'A report has no server to explain waits; run tdat view FILE.'
					: 'To ask why a task waited, click a wait in the row of the task. To explain a span, ' +
					'choose the row, select the span, and use Explain in the tab Span.',
			}),
			...this.offers().map(([text, onclick]) => element('p', {}, linkTo(text, onclick)))
		);
	}

	clear() {
		this.#state.set({ why: null, asked: null });
		this.#idle();
	}

	/** Asks what an address says, whose view has the rows already. */
	restore(text) {
		const asked = askedOf(text);
		if (asked && this.#source.live) this.#answer(asked, () => {});
		else this.clear();
	}

	/** Asks, shows the answer, and draws it. `wanted` has rec and pid, and at, or from and to. */
	async ask(wanted) {
		this.#state.openPane('why');
		await this.#answer(wanted, (from, segments) => {
			this.#addRows(segments);
			// A wait that was clicked is in sight.
			if (wanted.at === undefined) this.#state.reveal(from);
		});
	}

	async #answer(wanted, found) {
		this.#state.set({ why: null, asked: wanted });
		await answerIn(
			this.#pane,
			() => this.#source.get('why', wanted),
			(answer) => this.#show(answer, wanted, found)
		);
	}

	#show(answer, { pid, at }, found) {
		const { inNs } = this.#state;
		if (answer.from === null)
			return [
				element('p', {
					text:
						`Task ${pid} did not wait at that time, or the wait does not begin and end ` +
						'in the trace.',
				}),
			];
		const from = BigInt(answer.from);
		const to = BigInt(answer.to);
		const segments = segmentsOf(answer.segments);
		this.#state.set({ why: { from, segments } });
		found(from, segments);
		const say = (units) => formatSpan(BigInt(units), inNs);
		const when = (time) => formatTime(time, 1n, inNs);
		const share = (units) => `${((units / answer.dur) * 100).toFixed(1)} %`;
		const name = nameOfTask(answer.comm, answer.pid);
		const spent = at === undefined ? 'spent' : 'waited';
		return [
			element('h2', {
				id: 'why-said',
				text: `${name} ${spent} ${say(answer.dur)} from ${when(from)} to ${when(to)}`,
			}),
			...dataTable({
				id: 'why-causes',
				name: 'causes',
				heads: ['cause', 'time', 'share'],
				rows: answer.causes.map((cause) => [
					sayCause(cause, name),
					{ value: cause.dur, text: say(cause.dur) },
					{ value: cause.dur / answer.dur, text: share(cause.dur) },
				]),
				shown: 20,
				total: answer.causes_total,
			}),
			element('p', {
				class: 'soft',
				text: this.#sayPath(segments, answer.segments_total),
			}),
			element(
				'p',
				{},
				linkTo('Show it', () => this.#visit(from, to)),
				' ',
				linkTo('Remove the path', () => this.clear())
			),
		];
	}

	/** How many segments of the path are drawn, and why others are not. */
	#sayPath(segments, total) {
		const drawn = segments.filter(({ key }) => this.#state.rows.includes(key)).length;
		const rowless = segments.length - drawn;
		return (
			`The lines below the rows are the path: ${drawn < total ? `${grouped(drawn)} of ` : ''}` +
			`${counted(total, 'segment')}. The cause of a dashed segment is unknown.` +
			(rowless > 0 ? ` The tasks of ${counted(rowless, 'segment')} have no row.` : '')
		);
	}

	/** The tasks of the path get rows, so that it can be drawn. */
	#addRows(segments) {
		const { rows } = this.#state;
		const keys = new Set(segments.flatMap(({ key, by }) => [key, by]).filter((key) => key !== null));
		const added = [...keys].filter((key) => !rows.includes(key)).slice(0, MOST_ROWS);
		if (added.length > 0) this.#state.set({ rows: [...rows, ...added] });
	}

	#visit(from, to) {
		const margin = (to - from) / 4n + 1n;
		if (this.#state.viewport.set(from - margin, to + margin)) this.#state.tell('window');
	}
}
