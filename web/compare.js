// SPDX-License-Identifier: GPL-2.0-or-later
// Two windows, or two files, side by side: what changed beyond noise, as tdat diff tells it.

import { answerIn, openAnswer } from './answers.js';
import { dataTable } from './datatable.js';
import { announce, counted, element, grouped } from './text.js';
import { formatSpan, formatWindow } from './time.js';

/** A value of a metric in words. */
function sayValue(value, { metric }, inNs) {
	if (value === null) return '';
	if (metric === 'rate') return `${Number(value.toPrecision(4))} ${inNs ? '/s' : '/tick'}`;
	if (metric === 'time') return `${(value * 100).toPrecision(3)} %`;
	return formatSpan(BigInt(Math.round(value)), inNs);
}

function percentOf(value) {
	return value === null ? 'new' : `${value > 0 ? '+' : ''}${(value * 100).toFixed(1)} %`;
}

function diffParts(answer, names, inNs) {
	const said = answer.sides.map(
		({ time, cpus, lost, lost_marks: marks }, at) =>
			`${'AB'[at]}: ${names[at]}; ${cpus.toFixed(1)} CPUs with events` +
			(lost || marks ? `; ${counted(lost, 'lost event')}, losses of unknown size: ${grouped(marks)}` : '') +
			`, ${formatSpan(BigInt(Math.round(time)), inNs)}`
	);
	const rest =
		`${grouped(answer.unchanged)} unchanged, ` +
		`${grouped(answer.too_few)} with too few values to compare`;
	return [
		...said.map((text) => element('p', { text })),
		element('p', {
			id: 'diff-said',
			text:
				(answer.total === 0 ? 'Nothing changed beyond noise: ' : `${counted(answer.total, 'change')}; `) +
				rest +
				(answer.left_out > 0 ? `, ${grouped(answer.left_out)} omitted: too many.` : '.'),
		}),
		...(answer.changes.length === 0
			? []
			: dataTable({
					id: 'diff-changes',
					name: 'changes',
					heads: ['what', 'of', 'measure', 'A', 'B', 'change', '95 % from', 'to'],
					rows: answer.changes.map((change) => [
						change.what,
						change.key,
						change.metric + (change.per_cpu ? ', per CPU' : ''),
						{ value: change.a, text: sayValue(change.a, change, inNs) },
						{ value: change.b, text: sayValue(change.b, change, inNs) },
						{ value: change.change, text: percentOf(change.change) },
						{ value: change.low, text: percentOf(change.low) },
						{ value: change.high, text: percentOf(change.high) },
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
