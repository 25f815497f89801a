// SPDX-License-Identifier: GPL-2.0-or-later
// The window of time that is looked at: two BigInts, and what zooming and moving make of them.

const SMALLEST = 4n;

/** The part of a span: `fraction` times it, exact for spans that a double can hold. */
function part(span, fraction) {
	if (span <= 1n << 52n) return BigInt(Math.round(Number(span) * fraction));
	return (span * BigInt(Math.round(fraction * 2 ** 40))) >> 40n;
}

export class Viewport {
	constructor(first, last) {
		this.setBounds(first, last);
		this.from = this.first;
		this.to = this.last;
	}

	/** First and last moment of the trace; the window goes a little beyond them. */
	setBounds(first, last) {
		this.first = first;
		this.last = last > first + SMALLEST ? last : first + SMALLEST;
	}

	get span() {
		return this.to - this.from;
	}

	/** Shows from..to, moved and cut to where the trace is. Says whether anything changed. */
	set(from, to) {
		const margin = (this.last - this.first) / 50n + SMALLEST;
		const least = this.first - margin;
		const most = this.last + margin;
		let span = to - from;
		span = span < SMALLEST ? SMALLEST : span;
		span = span > most - least ? most - least : span;
		let start = from;
		start = start + span > most ? most - span : start;
		start = start < least ? least : start;
		const changed = start !== this.from || start + span !== this.to;
		this.from = start;
		this.to = start + span;
		return changed;
	}

	/** All of the trace. */
	all() {
		return this.set(this.first, this.last);
	}

	/** The window becomes `factor` times as long; what is at `fraction` of it stays there. */
	zoom(factor, fraction = 0.5) {
		let span = part(this.span, factor);
		if (factor > 1 && span === this.span) span += 1n;
		span = span < SMALLEST ? SMALLEST : span;
		const anchor = this.from + part(this.span, fraction);
		const from = anchor - part(span, fraction);
		return this.set(from, from + span);
	}

	/** Moves by a part of the window; at least one unit of the clock. */
	pan(fraction) {
		let by = part(this.span, fraction);
		if (by === 0n && fraction !== 0) by = fraction > 0 ? 1n : -1n;
		return this.set(this.from + by, this.to + by);
	}

	/** Brings a moment into the window, to its middle if it was outside. */
	reveal(ts) {
		if (ts >= this.from && ts <= this.to) return false;
		return this.set(ts - this.span / 2n, ts - this.span / 2n + this.span);
	}

	/** Where a moment lies on `width` pixels; outside of them where it is outside. */
	x(ts, width) {
		return (Number(ts - this.from) / Number(this.span)) * width;
	}

	/** The moment at a pixel. */
	at(x, width) {
		return this.from + part(this.span, x / width);
	}

	/** How much time one pixel stands for, at least 1. */
	perPixel(width) {
		const step = this.span / BigInt(Math.max(1, Math.round(width)));
		return step > 0n ? step : 1n;
	}
}
