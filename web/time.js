// SPDX-License-Identifier: GPL-2.0-or-later
// Times: parsed, printed and divided for the ruler, as BigInt, so that no nanosecond is lost.

import { formatWall, isWall, parseWall, zoneShift } from './wall.js';

const UNITS = [
	['s', 1000000000n],
	['ms', 1000000n],
	['\u00b5s', 1000n],
	['ns', 1n],
];
const LONG_UNITS = [
	['y', 31557600n],
	['d', 86400n],
	['h', 3600n],
	['min', 60n],
];
const SECOND = 1000000000n;

export function absolute(value) {
	return value < 0n ? -value : value;
}

function least(a, b) {
	return a < b ? a : b;
}

/** A decimal string as a BigInt; null for anything else. */
export function parseInteger(text) {
	return /^-?\d{1,20}$/.test(String(text)) ? BigInt(text) : null;
}

/**
 * A time as tdat dump prints it: seconds with as many digits as tell `step` apart, or the bare
 * number where the clock does not count nanoseconds. Or as the wall clock, if the user chose so.
 */
export function formatTime(ts, step = 1n, inNs = true) {
	if (!inNs) return String(ts);
	if (isWall()) return formatWall(ts, step);
	const sign = ts < 0n ? '-' : '';
	const whole = absolute(ts) / SECOND;
	const part = String(absolute(ts) % SECOND).padStart(9, '0');
	let digits = 9;
	for (let unit = 10n; digits > 0 && step >= unit; unit *= 10n) digits--;
	return `${sign}${whole}${digits ? `.${part.slice(0, digits)}` : ''}`;
}

/** A window: from, to and how long it is, to as many digits as tell `step` apart. */
export function formatWindow(from, to, step = 1n, inNs = true) {
	return (
		`${formatTime(from, step, inNs)} \u2013 ${formatTime(to, step, inNs)}, ` +
		formatSpan(to - from, inNs)
	);
}

/** A duration for people: "1.234 ms", "2 h 5 min", exact to four digits; `exact` gives all. */
export function formatSpan(span, inNs = true, exact = false) {
	if (!inNs) return `${span} ticks`;
	const sign = span < 0n ? '\u2212' : '';
	const size = absolute(span);
	if (exact) return `${sign}${size / SECOND}.${String(size % SECOND).padStart(9, '0')} s`;
	if (size >= 120n * SECOND) return sign + formatLong(size / SECOND);
	for (const [name, unit] of UNITS) {
		if (size < unit) continue;
		const whole = size / unit;
		const digits = Math.max(0, 4 - String(whole).length);
		const part = String(size % unit)
			.padStart(String(unit).length - 1, '0')
			.slice(0, digits);
		const kept = unit === 1n ? '' : part.replace(/0+$/, '');
		return `${sign}${whole}${kept ? `.${kept}` : ''} ${name}`;
	}
	return '0 ns';
}

function formatLong(seconds) {
	const said = [];
	let left = seconds;
	for (const [name, unit] of LONG_UNITS) {
		if (said.length < 2 && left >= unit) {
			said.push(`${left / unit} ${name}`);
			left %= unit;
		}
	}
	return said.length < 2 && left > 0n ? `${said.join(' ')} ${left} s` : said.join(' ');
}

/**
 * The moment that a text means: 12.5 or 12500ms as the clock counts, +1s after the first moment,
 * -1s before the last, as the times of tdat dump. Null for what is none.
 */
export function parseMoment(text, first, last, inNs = true) {
	if (inNs && text.includes(':')) return parseWall(text, first, last);
	const match = /^\s*([+-]?)(\d*)(?:\.(\d*))?\s*(s|ms|us|\u00b5s|ns)?\s*$/.exec(text);
	if (!match || (!match[2] && !match[3])) return null;
	let value;
	if (inNs) {
		const unit =
			{ ms: 1000000n, us: 1000n, '\u00b5s': 1000n, ns: 1n }[match[4]] ?? SECOND;
		const part = (match[3] ?? '').slice(0, 18);
		value = BigInt(match[2] || 0) * unit;
		value += (BigInt(part || 0) * unit) / 10n ** BigInt(part.length);
	} else {
		if (match[3] || match[4]) return null;
		value = BigInt(match[2]);
	}
	if (match[1] === '+') return first + value;
	return match[1] === '-' ? last - value : value;
}

/** Steps of 1, 2 and 5 times a power of ten up to a minute, then of clocks and calendars. */
function stepFor(wanted, inNs) {
	const steps = [60n, 120n, 300n, 600n, 1800n, 3600n, 7200n, 21600n, 43200n, 86400n];
	if (inNs && wanted > 30n * SECOND && wanted <= 86400n * SECOND)
		return steps.map((s) => s * SECOND).find((s) => s >= wanted);
	for (let unit = 1n; ; unit *= 10n) {
		for (const times of [1n, 2n, 5n]) {
			if (unit * times >= wanted) return unit * times;
		}
	}
}

/** The ruler's marks of a window: their step and their times, at least `apart` pixels apart. */
export function rulerMarks(from, to, width, apart = 110, inNs = true) {
	const span = to - from;
	const count = BigInt(Math.max(1, Math.floor(width / apart)));
	const step = stepFor((span + count - 1n) / count || 1n, inNs);
	const shift = zoneShift(from);
	let at = ((from + shift) / step) * step - shift;
	const marks = [];
	if (at < from) at += step;
	for (; at <= to && marks.length < 1000; at += step) marks.push(at);
	return { step: least(step, span > 0n ? span : 1n), marks };
}
