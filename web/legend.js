// SPDX-License-Identifier: GPL-2.0-or-later
// The legend below the picture: what the colours and marks of the rows in sight mean, drawn as the rows draw them.

import { byId, element } from './text.js';
import { arrowsFit, drawArrow, fitCanvas } from './draw.js';
import { colour, fillOf, hatching, onTheme, someFills } from './theme.js';
import { parseKey, vcpuOf } from './rows.js';

/** A fill: colours side by side, then a hatching on them. */
function filled(tints, hatch) {
	return (pen, width, height) => {
		for (const [at, tint] of tints.entries()) {
			pen.fillStyle = tint;
			pen.fillRect((at * width) / tints.length, 0, width / tints.length, height);
		}
		if (!hatch) return;
		pen.fillStyle = hatching(pen, hatch);
		pen.fillRect(0, 0, width, height);
	};
}

/** A mark of this colour: a strip between two heights, of 1. */
function strip(tint, from, to) {
	return (pen, width, height) => {
		pen.fillStyle = tint;
		pen.fillRect(0, height * from, width, height * (to - from));
	};
}

function outline(pen, width, height) {
	pen.strokeStyle = colour('warn');
	pen.lineWidth = 1.5;
	pen.strokeRect(1, 1, width - 2, height - 2);
}

/** Short lines at the foot, for single events. */
function eventLines(pen, width, height) {
	pen.fillStyle = colour('ink');
	for (const at of [0.3, 0.5, 0.8]) pen.fillRect(width * at, height * 0.4, 1.25, height * 0.5);
}

function arrow(pen, width, height) {
	pen.strokeStyle = pen.fillStyle = colour('faint');
	drawArrow(pen, width / 2, 0, width / 2, height - 1);
}

/** The shade between two lines that joins a CPU of a guest to its task. */
function joined(pen, width, height) {
	pen.fillStyle = colour('ink');
	pen.globalAlpha = 0.14;
	pen.fillRect(width * 0.25, 0, width * 0.5, height);
	pen.globalAlpha = 1;
	pen.fillStyle = colour('soft');
	for (const at of [0.25, 0.75]) pen.fillRect(width * at, 0, 1, height);
}

/** Whether an arrow leads from the waker's row to that of the woken task. */
function hasArrows({ picture, keysInSight, width }) {
	const keys = new Set(keysInSight);
	const isDrawn = ({ rec, pid, waker_pid: waker, waker_cpu: cpu }) =>
		keys.has(`task:${rec}:${pid}`) &&
		waker !== pid &&
		(keys.has(`task:${rec}:${waker}`) || keys.has(`cpu:${rec}:${cpu}`));
	return picture !== null && arrowsFit(picture, width) && picture.wakeups.some(isDrawn);
}

/** Whether the row of a CPU of a guest is joined to that of its task below it. */
function hasJoins({ picture, keysInSight }, trace) {
	return keysInSight.some((key, at) => {
		const vcpu = vcpuOf(key, trace);
		const task = vcpu && `${vcpu.host}:${vcpu.pid}`;
		return task && keysInSight[at + 1] === `task:${task}` && picture?.rows.get(`kvm:${task}`)?.cells.length > 0;
	});
}

/** What is drawn in the rows in sight: [[name, draw], ...]. */
function entriesOf(state, timeline) {
	const kinds = new Set(timeline.keysInSight.map((key) => parseKey(key).type));
	const has = (...some) => some.some((kind) => kinds.has(kind));
	const { trace, progress } = state;
	const paper = colour('paper');
	const tasks = someFills();
	const waits = timeline.picture?.wakeups.length > 0 && has('task');
	return [
		[has('cpu'), 'running: the color of its task', filled(tasks)],
		[has('cpus'), 'CPUs not idle', filled([fillOf('hits')])],
		[has('cpu', 'cpus'), 'idle', filled([paper])],
		[!has('cpu') && has('task', 'process'), 'running', filled(tasks)],
		[has('task'), 'runnable', filled([colour('runnable')], 'rising')],
		[has('task'), 'preempted', filled([colour('runnable')], 'crossed')],
		[has('task'), 'blocked', filled([colour('blocked')], 'dotted')],
		[has('task'), 'sleeping', filled([colour('asleep')])],
		[has('task'), 'dead', filled([paper])],
		[has('cpu', 'cpus', 'task'), 'unknown', filled([paper], 'falling')],
		[waits, 'from wakeup to CPU', outline],
		[hasArrows(timeline), 'from the task that woke it', arrow],
		[timeline.keysInSight.some((key) => timeline.ticks.of(key).length > 0), 'an event', eventLines],
		[hasJoins(timeline, trace), 'host works for the guest', joined],
		[has('cpu') && trace.events.includes('irq/irq_handler_entry'), 'irq', strip(colour('warn'), 0, 0.4)],
		[has('cpu') && trace.events.includes('irq/softirq_entry'), 'softirq', strip(colour('hit'), 0, 0.4)],
		[has('cpu') && state.pictureFilter, 'matches the filter', strip(colour('hit'), 0.6, 1)],
		[progress?.lost_marks > 0, 'events lost', strip(colour('warn'), 0.6, 1)],
		[progress?.damage.length > 0, 'damaged', strip(colour('ink'), 0.6, 1)],
		[state.notes.length > 0, 'note', strip(colour('hit'), 0, 1)],
	].filter(([applies]) => applies);
}

export class Legend {
	#state;
	#timeline;
	#shown = '';

	constructor(state, timeline) {
		this.#state = state;
		this.#timeline = timeline;
		state.on('picture ticks rows progress notes', () => this.#fill());
		onTheme(() => {
			this.#shown = '';
			this.#fill();
		});
		this.#fill();
	}

	#fill() {
		const entries = entriesOf(this.#state, this.#timeline);
		const names = entries.map(([, name]) => name);
		if (names.join('\n') === this.#shown) return;
		this.#shown = names.join('\n');
		const list = byId('legend');
		list.hidden = names.length === 0;
		const items = entries.map(([, name, draw]) => [element('canvas', { 'aria-hidden': 'true' }), name, draw]);
		list.replaceChildren(...items.map(([canvas, name]) => element('li', {}, canvas, name)));
		for (const [canvas, , draw] of items) {
			const { context, width, height } = fitCanvas(canvas);
			draw(context, width, height);
			context.lineWidth = 1;
			context.strokeStyle = colour('faint');
			context.strokeRect(0.5, 0.5, width - 1, height - 1);
		}
	}
}
