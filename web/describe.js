// SPDX-License-Identifier: GPL-2.0-or-later
// What a cell of the picture stands for, in words: for the tooltip, screen readers and the text pane.

import { counted, grouped, safeText } from './text.js';
import { formatSpan, formatTime } from './time.js';
import { formatValue, longLabelOf } from './rows.js';
import { tickText } from './ticks.js';
import { hasShares, SHARES, timesOf } from './shares.js';

function spanOf(state, units) {
	return formatSpan(BigInt(Math.round(units)), state.inNs);
}

function percent(part, whole) {
	return whole > 0 ? `${((part / whole) * 100).toFixed(part / whole < 0.1 ? 1 : 0)} %` : '';
}

const OPEN = {
	end: 'continues after the end of the recording',
	lost: 'its end was lost',
	unended: 'has no end',
	unknown: 'its end is unknown',
};

function describeCpu(cell, state) {
	if (cell.n === 1)
		return [
			cell.pid < 0
				? 'running task unknown'
				: cell.pid === 0
					? 'idle'
					: cell.name,
			`for ${spanOf(state, Math.max(cell.time, cell.worst))}`,
		];
	const unknown = cell.t1 - cell.t0 - cell.known;
	return [
		`represents ${counted(grouped(cell.n), 'interval')}`,
		`busy ${percent(cell.busy, cell.t1 - cell.t0)}, ${spanOf(state, cell.busy)}`,
		...(unknown > (cell.t1 - cell.t0) / 1000
			? [`unknown ${percent(unknown, cell.t1 - cell.t0)}`]
			: []),
		cell.pid > 0
			? `most: ${cell.name}, ${spanOf(state, cell.time)}`
			: `most: ${cell.pid === 0 ? 'idle' : 'unknown'}, ${spanOf(state, cell.time)}`,
		`longest of a task: ${spanOf(state, cell.worst)}`,
	];
}

/** The share of each state in a cell for many, and of what is not known. */
function sharesOf(row, cell) {
	const length = Math.max(1, cell.t1 - cell.t0);
	const times = timesOf(row, cell);
	const rest = length - times.reduce((sum, time) => sum + time, 0);
	return [...times, rest]
		.map((time, at) => [SHARES[at] ?? 'unknown', time])
		.filter(([, time]) => time > length / 10000)
		.map(([name, time]) => `${name} ${percent(time, length)}`)
		.join(', ');
}

function describeCpus(row, cell) {
	const whole = (cell.t1 - cell.t0) * row.cpus;
	return [
		`${counted(grouped(row.cpus), 'CPU')}`,
		`busy ${percent(cell.busy, whole) || '0 %'}`,
		...(cell.known < whole * 0.999 ? [`unknown ${percent(whole - cell.known, whole)}`] : []),
		...(cell.lost > 0 ? [`events lost at ${counted(cell.lost, 'place')}`] : []),
	];
}

/** A state in words: idle is also what a CPU is, but here a kernel thread sleeps. */
export function stateText(name) {
	return name === 'idle' ? 'idle (sleeping)' : name;
}

function describeState(row, cell, state) {
	const where = cell.cpu === null ? '' : ` on CPU ${cell.cpu}`;
	if (cell.n === 1)
		return [`${stateText(cell.state)}${where}`, `for ${spanOf(state, Math.max(cell.t1 - cell.t0, cell.worst))}`];
	return [
		`represents ${counted(grouped(cell.n), 'state')}`,
		sharesOf(row, cell),
		`most: ${stateText(cell.state)}, ${spanOf(state, cell.time)}`,
		`longest: ${spanOf(state, cell.worst)}`,
	];
}

function describeSlice(cell, state) {
	if (cell.open && cell.t1 === cell.t0) return [cell.name];
	if (cell.n === 1) return [cell.name, `for ${spanOf(state, cell.t1 - cell.t0)}`];
	return [
		`represents ${grouped(cell.n)}`,
		`most: ${cell.name}, ${spanOf(state, cell.time)}`,
		`longest: ${spanOf(state, cell.worst)}`,
	];
}

/** Sentences about a cell of a row. */
export function describeCell(row, cell, state) {
	const value = (number) => formatValue(row.key, number);
	const said = {
		cpu: () => describeCpu(cell, state),
		cpus: () => describeCpus(row, cell),
		states: () => describeState(row, cell, state),
		slices: () => describeSlice(cell, state),
		process: () => [
			`${counted(grouped(cell.n), 'time')} on a CPU`,
			`ran ${spanOf(state, cell.time)}`,
		],
		ticks: () => [counted(grouped(cell.n), 'event')],
		plot: () =>
			cell.n === 1
				? [`value ${value(cell.last)}`]
				: [
						`represents ${counted(grouped(cell.n), 'value')}`,
						`from ${value(cell.min)} to ${value(cell.max)}, last ${value(cell.last)}`,
					],
		lost: () => [
			cell.count >= 0
				? `${counted(grouped(cell.count), 'event')} lost`
				: row.damage
					? 'damaged data, or an unknown number of lost events'
					: 'an unknown number of events was lost',
		],
	}[row.kind]();
	if (cell.open) said.push(OPEN[cell.open] ?? cell.open);
	if (row.coarse && cell.n > 1) said.push('more than the index stores: no finer detail');
	return said.map(safeText);
}

/** The same with the row's name and the time. */
export function describeHit(found, state) {
	const step = state.viewport.perPixel(1000);
	const lines = [
		`${longLabelOf(found.key, state.trace)} at ${formatTime(found.ts, step, state.inNs)}`,
	];
	if (found.row?.error) lines.push(safeText(found.row.error));
	else if (found.row?.pending)
		lines.push(
			found.row.kind === 'states'
				? 'loading: only times on a CPU are known so far'
				: 'being made'
		);
	else if (!found.row && state.absent) lines.push(state.absent);
	else if (found.cell) lines.push(...describeCell(found.row, found.cell, state));
	else if (found.row && hasShares(found.row) && !found.row.partial)
		lines.push(found.row.kind !== 'states' ? 'running task unknown' : 'task state unknown');
	if (found.tick) lines.push(tickText(found.tick));
	if (found.row?.cut) lines.push(found.row.cut);
	if (found.damage) lines.push(`data of this CPU: ${safeText(found.damage)}`);
	for (const [row, cell] of found.over ?? [])
		lines.push(`${row.type}: ${describeCell(row, cell, state).join(', ')}`);
	return lines;
}
