// SPDX-License-Identifier: GPL-2.0-or-later
// Facts about the trace: its files, buffers, damage, and what the marks of the picture mean.

import { copyText } from './datatable.js';
import { reportCommand } from './session.js';
import { byId, counted, element, grouped, linkTo } from './text.js';
import { formatSpan, formatTime } from './time.js';

const LEGEND = [
	['Block with a name', 'a task on a CPU, a call, a handler: one interval'],
	[
		'Height on a row of a CPU or task',
		'the share of the pixel\u2019s time in each state: running at the foot, then runnable, blocked, sleeping',
	],
	[
		'Task\u2019s colour, amber, violet, pale',
		'running; runnable (w) or preempted (p); blocked (D); sleeping (S), parked or stopped',
	],
	['White on a CPU\u2019s row', 'idle'],
	['Height on a row of several CPUs', 'how much of their time was not idle; its name opens it'],
	['Hatched', 'unknown: nothing was recorded that tells the state'],
	['Crossed, red mark below', 'events were lost'],
	['Crossed, black mark below', 'data of the CPU is damaged'],
	[
		'Dark foot of a call or handler',
		'the cell stands for many; the tooltip says how many, the most and the longest',
	],
	['Short lines at the foot', 'events, where fewer than 1,000 are in sight'],
	['Upper edge of a CPU\u2019s row', 'irqs, and below them softirqs'],
	[
		'Shade from a guest\u2019s CPU to the task below it',
		'the host worked for this virtual CPU, from its exit until it entered the guest again',
	],
	['Outlined box', 'from the wakeup until the task got a CPU'],
	['Arrow', 'from who woke it'],
];

/** A table of names and what they are. */
function facts(rows) {
	return element(
		'table',
		{},
		element(
			'tbody',
			{},
			...rows
				.filter(
					([, value]) =>
						value !== '' &&
						value !== null &&
						value !== undefined
				)
				.map(([name, value]) =>
					element(
						'tr',
						{},
						element('th', { text: name, scope: 'row' }),
						element('td', { text: value })
					)
				)
		)
	);
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
		for (const file of trace.files) {
			parts.push(
				element('h2', { text: file.name }),
				facts([
					['Size', `${grouped(file.len)} bytes`],
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
			element('h3', { text: 'All of it' }),
			facts([
				['From', formatTime(trace.from, 1n, inNs)],
				['To', formatTime(trace.to, 1n, inNs)],
				['Length', formatSpan(trace.to - trace.from, inNs)],
				[
					'Events',
					progress
						? `${grouped(progress.events)}${progress.ready ? '' : ' so far'}`
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
				facts([
					['Finest of all', formatSpan(whole, inNs)],
					[
						'In detail',
						span
							? `${formatTime(span[0], 1n, inNs)} \u2013 ${formatTime(span[1], 1n, inNs)}`
							: '',
					],
					[
						'Finest there',
						detail === null ? '' : formatSpan(detail, inNs),
					],
					[
						'Events in it',
						`${grouped(events)} of ${grouped(total)} of that span`,
					],
					[
						'Rows in it',
						limits
							? `${grouped(limits.rows)} of ${grouped(limits.rows_wanted)}`
							: '',
					],
					[
						'Bounded to',
						limits
							? `${grouped(limits.events)} events, ${grouped(limits.width)} pixels (--events, --width)`
							: '',
					],
				])
			);
		}
		parts.push(element('h3', { text: 'What marks mean' }), facts(LEGEND));
		return parts;
	}
}
