// SPDX-License-Identifier: GPL-2.0-or-later
// Tables of what threads, calls, handlers and disks did in a span, and links to the tables of a panel.

import { dataTable } from './datatable.js';
import { element, grouped, linkTo } from './text.js';

/** Titles of the tables, heads of their first columns. */
const TABLES = {
	thread_state: ['States of tasks', 'state'],
	slice: ['Slices', 'slice'],
	syscall: ['System calls', 'call'],
	function: ['Functions', 'function'],
	irq: ['Interrupts', 'irq'],
	softirq: ['Softirqs', 'softirq'],
	block_io: ['I/O', 'device, kind'],
};

/** Headings and tables of an answer of api/sums; `units` makes cells of spans, `length` is that of the span. */
export function sumTables({ tables }, units, length, shown) {
	return tables.flatMap(({ table, total, cells }) => {
		const [title, head] = TABLES[table];
		return [
			element('h3', { text: title }),
			...dataTable({
				id: `sums-${table}`,
				name: title.toLowerCase().replace('/', ''),
				heads: [head, 'time', 'at once', 'count', 'longest'],
				rows: cells.map(([name, n, time, longest]) => [
					name,
					units(time),
					{ value: time / length, text: (time / length).toPrecision(3) },
					{ value: n, text: grouped(n) },
					units(longest),
				]),
				shown,
				total,
			}),
		];
	});
}

/** Links to the headings of the tables in `panel`. */
export function tableLinks(panel) {
	return [...panel.querySelectorAll('h3')].flatMap((head) => [
		linkTo(head.textContent.replace(/,.*| by .*/, ''), () => {
			head.scrollIntoView({ block: 'start' });
			head.nextElementSibling.querySelector('button')?.focus({ preventScroll: true });
		}),
		' ',
	]);
}
