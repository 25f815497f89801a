// SPDX-License-Identifier: GPL-2.0-or-later
// Facts about the trace: its files, buffers, damage, and what the marks of the picture mean.

import { copyText, dataTable } from './datatable.js';
import { reportCommand } from './session.js';
import { byId, counted, element, facts, grouped, linkTo } from './text.js';
import { formatSpan, formatTime } from './time.js';

const LEGEND = [
	['Block with a name', 'a task on a CPU, a call, a handler: one interval'],
	[
		'Height on a row of a CPU or task',
		'the share of the pixel\u2019s time in each state: running at the bottom, then runnable, blocked, all others',
	],
	[
		'Task\u2019s color, amber, violet, pale',
		'running; runnable (w) or preempted (p); blocked (D); sleeping (S), idle, stopped, traced or parked',
	],
	['White on a CPU\u2019s row', 'idle'],
	['White on a task\u2019s row', 'dead'],
	['Height on a row of several CPUs', 'the busy share of their time; click its name to open the row'],
	['Hatched', 'unknown: no recorded event shows the state'],
	['Crossed, red mark below', 'events were lost'],
	['Crossed, black mark below', 'data of the CPU is damaged'],
	[
		'Dark bottom edge of a call or handler',
		'the cell represents several; the tooltip shows their number, the most frequent and the longest',
	],
	['Short lines at the bottom', 'events, if fewer than 1,000 are in sight'],
	['Upper edge of a CPU\u2019s row', 'hard interrupts, and below them soft interrupts'],
	[
		'Shade from a guest\u2019s CPU to the task below it',
		'the host worked for this virtual CPU, from its exit until it entered the guest again',
	],
	['Outlined box', 'from the wakeup until the task got a CPU'],
	['Arrow', 'from the task that woke it'],
];

/** A table of facts about the trace, without those that have no value. */
function factsTable(id, name, told) {
	const rows = told.filter(([, value]) => value !== '' && value !== null && value !== undefined);
	return dataTable({ id, name, heads: ['fact', 'value'], rows, numbers: [false, false] });
}

export class TracePane {
	constructor(state, source) {
		const show = () =>
			byId('pane-trace').replaceChildren(...this.#parts(state, source));
		state.on('trace progress', show);
		show();
	}

	#parts(state, source) {
		const { trace, inNs, progress } = state;
		const parts = [];
		for (const [at, file] of trace.files.entries()) {
			parts.push(
				element('h2', { text: file.name }),
				...factsTable(`trace-file-${at}`, file.name, [
					['Size', { value: file.len, text: `${grouped(file.len)} bytes` }],
					[
						'Format',
						`trace.dat version ${file.version}, ${file.big_endian ? 'big' : 'little'} endian`,
					],
					['System', file.uname],
					['Clock', file.clock],
					['CPUs', file.cpu_count],
					[
						'Shifted by',
						file.ts_offset === '0'
							? ''
							: formatSpan(BigInt(file.ts_offset), inNs),
					],
				])
			);
			for (const damage of file.damage ?? [])
				parts.push(element('p', { class: 'error', text: damage }));
		}
		for (const damage of progress?.damage ?? [])
			parts.push(element('p', { class: 'error', text: damage }));
		parts.push(
			element('h3', { text: 'Whole trace' }),
			...factsTable('trace-whole', 'whole trace', [
				['From', trace.empty ? '' : formatTime(trace.from, 1n, inNs)],
				['To', trace.empty ? '' : formatTime(trace.to, 1n, inNs)],
				['Length', trace.empty ? '' : formatSpan(trace.to - trace.from, inNs)],
				[
					'Events',
					progress
						? {
								value: progress.events,
								text: `${grouped(progress.events)}${progress.ready ? '' : ' so far'}`,
							}
						: '',
				],
				[
					'Lost',
					progress?.lost_marks
						? `${counted(progress.lost, 'event')} at ${counted(progress.lost_marks, 'place')}`
						: '',
				],
				[
					'Buffers',
					trace.recordings
						.map((one) => one.buffer || 'top')
						.join(', '),
				],
				['tdat', trace.tdat],
			])
		);
		if (source.live) {
			const copyCommand = () => copyText(reportCommand(state));
			parts.push(element('p', {}, linkTo('Copy the command for a report of this view', copyCommand)));
		}
		if (!source.live) {
			const { whole, span, detail, events, total, limits } = source.resolution;
			parts.push(
				element('h3', { text: 'This report' }),
				...factsTable('trace-report', 'report', [
					['Resolution of the trace', formatSpan(whole, inNs)],
					[
						'Detailed span',
						span
							? `${formatTime(span[0], 1n, inNs)} \u2013 ${formatTime(span[1], 1n, inNs)}`
							: '',
					],
					[
						'Resolution of that span',
						detail === null ? '' : formatSpan(detail, inNs),
					],
					[
						'Events in the report',
						`${grouped(events)} of ${grouped(total)} of that span`,
					],
					[
						'Rows in the report',
						limits
							? `${grouped(limits.rows)} of ${grouped(limits.rows_wanted)}`
							: '',
					],
					[
						'Limit',
						limits
							? `${grouped(limits.events)} events, ${grouped(limits.width)} pixels (--events, --width)`
							: '',
					],
				])
			);
		}
		if (!trace.empty) parts.push(element('h3', { text: 'What marks mean' }), facts(LEGEND));
		return parts;
	}
}
