// SPDX-License-Identifier: GPL-2.0-or-later
// Two windows, or two files, side by side: what changed beyond noise, as tdat diff tells it.

import { answerIn, openAnswer } from './answers.js';
import { dataTable } from './datatable.js';
import { announce, counted, element, grouped } from './text.js';
import { formatSpan, formatWindow } from './time.js';

/** Metrics of which 0 says that there is nothing. */
const RATES = new Set(['rate', 'time']);
const SIDES = ['A', 'B'];

function digits(value) {
	return String(Number(value.toPrecision(3)));
}

/** A value of a metric in words. */
function sayValue(value, { metric }, inNs) {
	if (RATES.has(metric) && !(value > 0)) return '-';
	if (metric === 'rate') return `${Number(value.toPrecision(4))} ${inNs ? '/s' : '/tick'}`;
	if (metric === 'time') return `${digits(value * 100)} %`;
	return formatSpan(BigInt(Math.round(value)), inNs);
}

/** In percent, or as a factor where it is large; null is infinite. */
function percentOf(value) {
	if (value === null || value >= 9) return `x ${value === null ? 'inf' : digits(value + 1)}`;
	return `${value > 0 ? '+' : ''}${(value * 100).toFixed(1)} %`;
}

function sayChange({ metric, a, b, change }) {
	if (RATES.has(metric) && !(a > 0)) return 'new';
	return RATES.has(metric) && !(b > 0) ? 'gone' : percentOf(change);
}

function sayInterval({ low, high }) {
	const isNone = low === null || (high !== null && low >= high);
	return isNone ? '-' : `${percentOf(low)} to ${percentOf(high)}`;
}

/** The sentences about what was not compared. */
function restOf(answer) {
	const said = [];
	for (const [at, side] of ['a', 'b'].entries()) {
		const alone = answer.one_side.filter(({ on }) => on === side).map(({ what }) => what);
		if (alone.length > 0)
			said.push(`Not compared, because only ${SIDES[at]} has the events: ${alone.join(', ')}.`);
	}
	if (answer.left_out > 0) said.push(`${counted(answer.left_out, 'key')} not compared: too many keys.`);
	if (answer.others > 0) said.push(`${counted(answer.others, 'row')} of further keys not compared.`);
	if (answer.left_out_rows.length > 0)
		said.push(
			'Rows omitted in the whole files because events are missing: ' +
				answer.left_out_rows
					.map(({ on, table, what, count }) => `${grouped(count)} of ${on.toUpperCase()} (${table}: ${what})`)
					.join(', ') +
				'.'
		);
	return said;
}

function diffParts(answer, names, inNs) {
	const said = answer.sides.map(
		({ time, cpus, lost, lost_marks: marks }, at) =>
			`${SIDES[at]}: ${names[at]}; ${counted(digits(cpus), 'CPU')}` +
			(lost || marks ? `; ${counted(lost, 'lost event')}, losses of unknown size: ${grouped(marks)}` : '') +
			`, ${formatSpan(BigInt(Math.round(time)), inNs)}`
	);
	const rest =
		`${grouped(answer.unchanged)} unchanged, ` +
		`${counted(answer.too_few, 'key')} with too few events to compare.`;
	return [
		...said.map((text) => element('p', { text })),
		element('p', {
			id: 'diff-said',
			text:
				(answer.total === 0 ? 'Nothing changed beyond noise: ' : `${counted(answer.total, 'change')}; `) + rest,
		}),
		...restOf(answer).map((text) => element('p', { class: 'soft diff-rest', text })),
		...(answer.changes.length === 0
			? []
			: dataTable({
					id: 'diff-changes',
					name: 'changes',
					heads: ['what', 'of', 'measure', 'A', 'B', 'change', '95 % interval', 'p'],
					rows: answer.changes.map((change) => [
						change.what,
						change.key,
						change.metric + (change.per_cpu ? ', per CPU' : ''),
						{ value: change.a, text: sayValue(change.a, change, inNs) },
						{ value: change.b, text: sayValue(change.b, change, inNs) },
						{ value: change.change, text: sayChange(change) },
						{ value: change.low, text: sayInterval(change) },
						{ value: change.p, text: change.p < 0.0001 ? '<0.0001' : change.p.toFixed(4) },
					]),
					numbers: [false, false, false, true, true, true, true, true],
					shown: 40,
					total: answer.total,
				})),
	];
}

export class Compare {
	#state;
	#source;

	constructor(state, source) {
		this.#state = state;
		this.#source = source;
	}

	#ask(question, names) {
		const { inNs } = this.#state;
		answerIn(
			openAnswer('Compare A with B'),
			() => this.#source.get('diff', question),
			(answer) => diffParts(answer, names, inNs)
		);
	}

	/** Buttons for a span: take it as A, compare A with it; with two files, compare these in it. */
	offers(from, to) {
		const { trace, inNs, compareA: a } = this.#state;
		const say = (span) => formatWindow(...span, 1n, inNs);
		const made = [
			[
				a ? 'Compare: use this as A instead' : 'Compare: use this as A',
				() => {
					this.#state.set({ compareA: [from, to] });
					announce(`A is ${say([from, to])}: select another span to compare`);
				},
			],
		];
		if (a && (a[0] !== from || a[1] !== to))
			made.push([
				'Compare A with this',
				() =>
					this.#ask({ a_from: a[0], a_to: a[1], b_from: from, b_to: to }, [say(a), say([from, to])]),
			]);
		if (trace.files.length === 2)
			made.push([
				'Compare the two files',
				() => this.#ask({ a_file: 0, b_file: 1 }, trace.files.map(({ name }) => name)),
			]);
		return made;
	}
}
