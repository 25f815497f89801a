// SPDX-License-Identifier: GPL-2.0-or-later
// Times of the wall clock, of traces whose times are nanoseconds since 1970: in the browser's zone, or in UTC.

import { byId } from './text.js';

export const CLOCKS = ['trace', 'wall', 'utc'];

let clock = 'trace';
/** Whether the trace knows the wall clock. */
let hasWall = false;

/** Whether times are shown as wall clocks show them. */
export function isWall() {
	return clock !== 'trace';
}

const pad = (number, digits = 2) => String(number).padStart(digits, '0');

/** Whole seconds of a time, and the nanoseconds beyond them. */
function secondsOf(ts) {
	const rest = ((ts % 1000000000n) + 1000000000n) % 1000000000n;
	return [Number((ts - rest) / 1000000000n), rest];
}

/** Year, month, day, hours, minutes and seconds of a time. */
function partsOf(seconds) {
	const date = new Date(seconds * 1000);
	const get = (name) => (clock === 'utc' ? date[`getUTC${name}`]() : date[`get${name}`]());
	return [get('FullYear'), get('Month') + 1, get('Date'), get('Hours'), get('Minutes'), get('Seconds')];
}

/** Nanoseconds of a whole second with these parts. */
function timeOf([year, month, day, hours, minutes, seconds]) {
	const parts = [year, month - 1, day, hours, minutes, seconds];
	return BigInt(clock === 'utc' ? Date.UTC(...parts) : new Date(...parts).getTime()) * 1000000n;
}

/** "2026-11-26". */
export function wallDay(ts) {
	const [year, month, day] = partsOf(secondsOf(ts)[0]);
	return `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
}

/**
 * "10:15:03.2", with as many digits as tell `step` apart; with the day where the step is 1 ns, for exact times, and
 * the day alone where it is a day or more.
 */
export function formatWall(ts, step) {
	const [seconds, rest] = secondsOf(ts);
	const day = step === 1n || step >= 86400000000000n ? wallDay(ts) : '';
	if (step >= 86400000000000n) return day;
	let digits = 9;
	for (let unit = 10n; digits > 0 && step >= unit; unit *= 10n) digits--;
	const time = partsOf(seconds).slice(3).map((part) => pad(part)).join(':');
	const part = digits ? `.${pad(rest, 9).slice(0, digits)}` : '';
	return `${day}${day && ' '}${time}${part}`;
}

/** How far the clock that is shown is before UTC at a time, in nanoseconds, so that marks are at its full hours. */
export function zoneShift(ts) {
	if (clock !== 'wall') return 0n;
	return BigInt(-new Date(secondsOf(ts)[0] * 1000).getTimezoneOffset()) * 60000000000n;
}

/**
 * The time of "10:15", "10:15:03.2" or "2026-11-26T10:15:03.2", on the day nearest to first..last where none is named;
 * null for what is none.
 */
export function parseWall(text, first, last) {
	const match = /^\s*(?:(\d{4})-(\d\d?)-(\d\d?)[T ])?(\d\d?):(\d\d?)(?::(\d\d?)(?:\.(\d+))?)?\s*$/.exec(text);
	if (!match || !hasWall) return null;
	const [hours, minutes, seconds] = [match[4], match[5], match[6] ?? 0].map(Number);
	if (hours > 23 || minutes > 59 || seconds > 59) return null;
	const rest = BigInt((match[7] ?? '').padEnd(9, '0').slice(0, 9));
	const on = (year, month, day) => timeOf([year, month, day, hours, minutes, seconds]) + rest;
	if (match[1]) return on(...match.slice(1, 4).map(Number));
	const away = (ts) => (ts < first ? first - ts : ts > last ? ts - last : 0n);
	const [year, month, day] = partsOf(secondsOf(first)[0]);
	const tries = [day, day - 1, day + 1].map((one) => on(year, month, one));
	return tries.reduce((best, ts) => (away(ts) < away(best) ? ts : best));
}

/** The choice of the clock, where the trace knows the wall clock. All that shows a time is drawn anew. */
export function startClock(state) {
	const box = byId('clock');
	hasWall = state.trace.date;
	box.parentElement.hidden = !hasWall;
	box.addEventListener('change', () => state.set({ clock: box.value }));
	state.on('clock', () => {
		clock = hasWall ? state.clock : 'trace';
		box.value = clock;
		state.tell('window', 'event', 'notes', 'markA', 'select', 'progress', 'pane');
	});
}
