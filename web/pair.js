// SPDX-License-Identifier: GPL-2.0-or-later
// Latencies from one event to another: two events are chosen, then each such pair is measured.

import { answerIn, closeAnswer, openAnswer } from './answers.js';
import { dataTable } from './datatable.js';
import { recordingLabel } from './rows.js';
import { announce, counted, element, grouped, linkTo } from './text.js';
import { formatSpan, formatWindow } from './time.js';

const SVG = 'http://www.w3.org/2000/svg';
const WIDE = 800;
const TALL = 180;

function shape(tag, attributes, title) {
	const made = document.createElementNS(SVG, tag);
	for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
	if (title) {
		const said = document.createElementNS(SVG, 'title');
		said.textContent = title;
		made.append(said);
	}
	return made;
}

function picture(id, label, parts) {
	const made = shape('svg', {
		id,
		class: 'chart',
		viewBox: `0 0 ${WIDE} ${TALL + 20}`,
		role: 'img',
		'aria-label': label,
	});
	made.append(...parts);
	return made;
}

function words(x, y, said, anchor = 'start') {
	const made = shape('text', { x, y, 'text-anchor': anchor });
	made.textContent = said;
	return made;
}

/** Fields that say of what kind an event is, or how it ended, but not which one it is. */
const VAGUE = /^(dev|ret)$|(comm|prio|state)$/;
/** A number or an argument of a system call may be the same in any thread. */
const CALL = /^(raw_)?syscalls\//;

/**
 * Fields whose values agree in both events: a pair is known by them. A pid says more than a number that happens to
 * agree; the thread says more than a field of its system call, or a vague one.
 */
export function keysOf(first, second) {
	const usual = /^common_/;
	const found = [];
	for (const a of first.fields ?? []) {
		for (const b of second.fields ?? []) {
			const isSame = a.value !== null && typeof a.value !== 'object' && a.value === b.value;
			// Fields that tdat computes have no type: a pair cannot name them.
			if (!isSame || !a.type || !b.type || usual.test(a.name) || usual.test(b.name)) continue;
			const named = CALL.test(first.event) || VAGUE.test(a.name) ? 1 : 4;
			const score = Number(/pid$/.test(a.name) && /pid$/.test(b.name)) * 8 + Number(a.name === b.name) * named;
			found.push({ a: a.name, b: b.name, score });
		}
	}
	if (first.pid === second.pid) found.push({ a: 'common_pid', b: 'common_pid', score: 2 });
	found.sort((x, y) => y.score - x.score);
	const keys = found.filter(({ score }) => score > 0).map(({ a, b }) => [a, b]);
	if (first.cpu === second.cpu) keys.push(['CPU', 'CPU']);
	return keys;
}

export class Pair {
	#state;
	#source;
	#first = null;

	constructor(state, source) {
		this.#state = state;
		this.#source = source;
	}

	/** Opens the latencies from the chosen event to `last`. Returns false in a report, or without another event. */
	measure(last) {
		const { event } = this.#state;
		if (!this.#source.live || !event || !last || event.key === last.key) return false;
		Promise.all([event, last].map(({ key }) => this.#source.event(key)))
			.then((both) => this.#open(...both))
			.catch((error) => this.#state.fail(error));
		return true;
	}

	/** What the chosen event offers: to be the first of a pair, or the second. */
	offers(details, again) {
		if (!this.#source.live) return [];
		const made = [
			[
				'Latency from this event\u2026',
				() => {
					this.#first = details;
					announce(`From ${details.event}: choose the event that ends the interval`);
					again();
				},
				', or Shift-click the event that ends the interval',
			],
		];
		if (this.#first && this.#first !== details)
			made.unshift([
				`Latency from ${this.#first.event} to this event`,
				() => this.#open(this.#first, details),
			]);
		return made;
	}

	#open(first, second) {
		const { select, viewport } = this.#state;
		const [from, to] = select ?? [viewport.from, viewport.to];
		const keys = keysOf(first, second);
		const texts = (keys.length > 0 ? keys : [['CPU', 'CPU']]).map(
			([a, b]) => `${first.event}(${a}) -> ${second.event}(${b})`
		);
		const box = element('input', {
			type: 'text',
			id: 'pair-text',
			spellcheck: 'false',
			'aria-label': 'Pair',
			value: texts[0],
		});
		const answer = element('div');
		const said = first.rec === second.rec ? null : this.#sayApart(first, second);
		const apart = said ? [element('p', { id: 'pair-apart', text: said })] : [];
		const ask = () =>
			answerIn(
				answer,
				() => this.#source.get('pair', { pair: box.value, from, to, width: 400 }),
				(made) => [...apart, ...this.#parts(made, from, to)]
			);
		const others = texts.slice(1, 6).map((text) =>
			linkTo(text, () => {
				box.value = text;
				ask();
			})
		);
		openAnswer('Latency from event to event').replaceChildren(
			element(
				'form',
				{
					class: 'buttons',
					onsubmit: (event) => {
						event.preventDefault();
						ask();
					},
				},
				box,
				element('button', { type: 'submit', text: 'Measure' })
			),
			...(others.length > 0
				? [element('p', { class: 'soft' }, 'Or by ', ...others.flatMap((one) => [one, ' ']))]
				: []),
			answer
		);
		ask();
	}

	/** Events of two recordings are no pair, whatever their fields are. */
	#sayApart(...events) {
		const [a, b] = events.map(({ rec }) => recordingLabel(this.#state.trace, rec));
		return (
			'The two events are not a pair, because they are in different buffers or files: the first is in ' +
			`${a}, the second in ${b}. A pair begins and ends in one buffer of a file.`
		);
	}

	#say(units) {
		return formatSpan(BigInt(Math.round(units)), this.#state.inNs);
	}

	#parts(answer, from, to) {
		const window = formatWindow(from, to, 1n, this.#state.inNs);
		const { n, not_counted: open } = answer;
		const notCounted =
			open > 0
				? [
						element('p', {
							id: 'pair-open',
							class: 'soft',
							text: `Not counted: ${grouped(open)} of ${grouped(open + n)} rows, whose dur is unknown.`,
						}),
					]
				: [];
		if (n === 0)
			return [element('p', { text: `No pair of these events overlaps ${window}.` }), ...notCounted];
		const early = n - answer.points.cells.reduce((sum, [, drawn]) => sum + drawn, 0);
		const rows = [
			['min', 'min'],
			['p50', 'p50'],
			['p90', 'p90'],
			['p99', 'p99'],
			['p99.9', 'p99_9'],
			['max', 'max'],
			['mean', 'mean'],
		];
		return [
			element('p', { id: 'pair-said', text: `${counted(n, 'pair')} in ${window}` }),
			...notCounted,
			...(early > 0
				? [
						element('p', {
							id: 'pair-early',
							class: 'soft',
							text: `Not in the plot: ${counted(early, 'pair')} that began before the span.`,
						}),
					]
				: []),
			...(early < n ? [this.#plot(answer, from, to)] : []),
			this.#histogram(answer.buckets),
			...dataTable({
				id: 'pair-sums',
				name: 'latencies',
				heads: ['statistic', 'latency'],
				rows: rows.map(([name, key]) => [name, { value: answer[key], text: this.#say(answer[key]) }]),
			}),
		];
	}

	/** Time from left to right, latency upward in logarithms: from the least to the longest in each place. */
	#plot({ points, min, max }, from, to) {
		const log = (value) => Math.log2(Math.max(1, value));
		const [low, high] = [log(min), Math.max(log(max), log(min) + 1)];
		const y = (value) => TALL - 4 - ((log(value) - low) / (high - low)) * (TALL - 20);
		const parts = points.cells.map(([t, n, least, most]) => {
			const x = (t / Math.max(1, Number(to - from))) * WIDE;
			const made = shape(
				'line',
				{ class: 'point', x1: x, x2: x, y1: y(least) + 2, y2: y(most) - 2 },
				`${counted(n, 'pair')}, longest ${this.#say(most)}: click to go there`
			);
			made.addEventListener('click', () => {
				closeAnswer();
				const ts = from + BigInt(t);
				this.#state.set({ select: [ts, ts + BigInt(most)] });
				this.#state.reveal(ts);
			});
			return made;
		});
		return picture('pair-plot', 'Latencies by time', [
			words(0, 12, this.#say(max)),
			words(0, TALL + 14, this.#say(min)),
			...parts,
		]);
	}

	/** Distribution of latencies, by powers of two. */
	#histogram(buckets) {
		const first = Math.max(0, buckets.findIndex((n) => n > 0));
		const shown = buckets.slice(first);
		const most = Math.max(...shown);
		const wide = WIDE / shown.length;
		return picture('pair-histogram', 'Distribution of latencies', [
			...shown.flatMap((n, at) => {
				const tall = (n / most) * (TALL - 20);
				const less = this.#say(2 ** (first + at));
				return [
					shape(
						'rect',
						{
							class: 'bar',
							x: at * wide + 1,
							y: TALL - tall,
							width: Math.max(1, wide - 2),
							height: tall,
						},
						`${grouped(n)} took less than ${less}`
					),
					words(at * wide + wide / 2, TALL - tall - 3, n ? grouped(n) : '', 'middle'),
					words(
						at * wide,
						TALL + 14,
						at % Math.ceil(shown.length / 9) === 0 ? `< ${less}` : ''
					),
				];
			}),
		]);
	}
}
