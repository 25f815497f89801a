// SPDX-License-Identifier: GPL-2.0-or-later
// A table of data: sorted by a click on a heading, copied, and downloaded as CSV, always with all of its rows.

import { announce, counted, element, grouped, linkTo, safeText } from './text.js';

/** A cell is a value, or { value, text, element }: what it is sorted and copied by, and what is shown. */
function valueOf(cell) {
	return cell !== null && typeof cell === 'object' ? cell.value : cell;
}

function textOf(cell) {
	return cell !== null && typeof cell === 'object' ? (cell.text ?? cell.value) : cell;
}

/** Numbers by their size (also those beyond 2^53, which are texts), behind them other texts, behind all nothing. */
export function compare(a, b) {
	if (a === null || a === undefined || b === null || b === undefined)
		return Number(a === null || a === undefined) - Number(b === null || b === undefined);
	const [x, y] = [a, b].map((one) => (typeof one === 'number' ? one : /^-?\d+$/.test(one) ? BigInt(one) : null));
	if (x === null || y === null)
		return Number(x === null) - Number(y === null) || String(a).localeCompare(String(b), 'en');
	return x < y ? -1 : Number(x > y);
}

function csvOf(heads, rows) {
	const quoted = (value) => {
		const text = String(value ?? '');
		return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
	};
	return [heads, ...rows.map((row) => row.map(valueOf))]
		.map((line) => line.map(quoted).join(',') + '\r\n')
		.join('');
}

/** Gives the user a file. */
export function download(name, type, text) {
	const address = URL.createObjectURL(new Blob([text], { type }));
	element('a', { href: address, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** Copies a text, and says what was copied, or what else can be done. */
export async function copyText(text, said = 'Copied', instead = text) {
	try {
		await navigator.clipboard.writeText(text);
		announce(said);
	} catch {
		announce(`The browser does not let this page copy: ${instead}`);
	}
}

async function copy(heads, rows) {
	const lines = [heads, ...rows.map((row) => row.map((cell) => safeText(valueOf(cell))))];
	const text = lines.map((line) => line.join('\t')).join('\n');
	await copyText(text, `${counted(rows.length, 'row')} copied`, 'download CSV');
}

/** How tables with an id are sorted, [column, falling]: they stay so when they are made again. */
const sortedBy = new Map();

/**
 * The parts of a table: `heads` are texts, `rows` arrays of cells. The first column is text unless `numbers` says
 * otherwise (a boolean for each column). `shown` rows are drawn until the button below asks for all; `total` counts
 * rows that the answer did not have.
 */
export function dataTable({ id, name, heads, rows, numbers, shown = Infinity, total = rows.length }) {
	const kinds = heads.map((_, at) => ((numbers ? numbers[at] : at > 0) ? 'number' : 'value'));
	const body = element('tbody');
	let sorted = rows;
	let [by, falling] = sortedBy.get(id) ?? [-1, false];
	const fill = () => {
		body.replaceChildren(
			...sorted.slice(0, shown).map((row) =>
				element(
					'tr',
					{},
					...row.map((cell, at) =>
						element(
							'td',
							cell?.element
								? { class: kinds[at] }
								: { class: kinds[at], text: textOf(cell) },
							cell?.element ?? null
						)
					)
				)
			)
		);
	};
	const titles = heads.map((text, at) => {
		const button = element('button', { type: 'button', class: 'sort', text, title: `Sort by ${text}` });
		const title = element('th', { scope: 'col', class: kinds[at], 'aria-sort': 'none' }, button);
		title.addEventListener('click', () => {
			falling = by === at ? !falling : kinds[at] === 'number';
			by = at;
			if (id) sortedBy.set(id, [by, falling]);
			sort();
			fill();
		});
		return title;
	});
	const sort = () => {
		if (by < 0) return;
		sorted = [...rows].sort((a, b) => compare(valueOf(a[by]), valueOf(b[by])) * (falling ? -1 : 1));
		for (const [at, title] of titles.entries())
			title.setAttribute('aria-sort', at !== by ? 'none' : falling ? 'descending' : 'ascending');
	};
	const link = (text, onclick) => linkTo(text, onclick, { 'aria-label': `${text}: ${name}` });
	const below = element('p', { class: 'soft below' });
	const rest = rows.length - Math.min(shown, rows.length);
	const all = link(`Show all ${grouped(rows.length)}`, () => {
		shown = Infinity;
		all.remove();
		fill();
	});
	if (rest > 0) below.append(all, ' ');
	if (total > rows.length) below.append(`and ${grouped(total - rows.length)} more `);
	below.append(
		link('Copy', () => copy(heads, sorted)),
		' ',
		link('CSV', () =>
			download(`${name.replace(/\W+/g, '-')}.csv`, 'text/csv', csvOf(heads, sorted))
		)
	);
	sort();
	fill();
	return [element('table', { id }, element('thead', {}, element('tr', {}, ...titles)), body), below];
}
