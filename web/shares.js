// SPDX-License-Identifier: GPL-2.0-or-later
// How the states of a row share its pixels: blocks where one interval fills some, columns elsewhere.

/** The states that are told apart where many share a pixel, from the foot of a row to its top. */
export const SHARES = ['running', 'runnable', 'blocked', 'sleeping'];
const PLACES = { running: 0, runnable: 1, preempted: 1, uninterruptible: 2 };
const ASLEEP = 3;

/** Whether the cells of a row are states, so that time without a cell is unknown. */
export function hasShares(row) {
	return row.kind === 'cpu' || row.kind === 'cpus' || row.kind === 'states';
}

/** The times of the states in a cell, in the order of SHARES. Idle is the sleep of a CPU. */
export function timesOf(row, cell) {
	if (row.kind === 'cpu') return [cell.busy, 0, 0, cell.known - cell.busy];
	if (row.kind === 'cpus')
		return [cell.busy / row.cpus, 0, 0, (cell.known - cell.busy) / row.cpus];
	if (cell.running !== undefined)
		return [cell.running, cell.runnable, cell.blocked, cell.sleeping];
	const times = [0, 0, 0, 0];
	times[PLACES[cell.state] ?? ASLEEP] = cell.t1 - cell.t0;
	return times;
}

/** Whether a cell is one interval; one that fills a part of its pixel is not. */
function isBlock(row, cell) {
	if (cell.n !== 1) return false;
	const known = timesOf(row, cell).reduce((sum, time) => sum + time, 0);
	return known >= cell.t1 - cell.t0;
}

/** The columns of a row, while its cells are added. */
class Columns {
	constructor(count) {
		this.count = count;
		this.shares = new Float32Array(count * SHARES.length);
		this.filled = new Uint8Array(count);
		this.most = new Float32Array(count);
		this.names = new Array(count);
	}

	/** Adds the part of a cell from x0 to x1; `perPixel` are its states in one pixel. */
	add(x0, x1, perPixel, name) {
		for (let x = Math.floor(x0); x < x1 && x < this.count; x++) {
			if (this.filled[x]) continue;
			const part = Math.min(x1, x + 1) - Math.max(x0, x);
			for (let at = 0; at < SHARES.length; at++)
				this.shares[x * SHARES.length + at] += part * perPixel[at];
			const ran = part * perPixel[0];
			if (ran > this.most[x]) {
				this.most[x] = ran;
				this.names[x] = name;
			}
		}
	}

	/** What is to be drawn: alike columns side by side are one. */
	*runs(left) {
		const places = SHARES.length;
		const same = (a, b) => {
			if (this.filled[b] || this.names[a] !== this.names[b]) return false;
			for (let at = 0; at < places; at++)
				if (this.shares[a * places + at] !== this.shares[b * places + at]) return false;
			return true;
		};
		for (let x = 0, end; x < this.count; x = end) {
			end = x + 1;
			if (this.filled[x]) continue;
			while (end < this.count && same(x, end)) end++;
			yield {
				x: left + x,
				width: end - x,
				shares: this.shares.subarray(x * places, (x + 1) * places),
				name: this.names[x] ?? '',
			};
		}
	}
}

/**
 * Gives blocks ({cell, x, width} of single intervals that fill pixels) and columns ({x, width,
 * shares, name}, name of the task that ran longest on a CPU) of the cells of a row. Cells that stand
 * for several and are wider than a pixel, as in a report, are columns that are alike.
 */
export function shareOut(row, place) {
	const { left, right, shift, scale } = place;
	const columns = new Columns(Math.max(0, Math.round(right - left)));
	const blocks = [];
	// Cells of the server end at whole units of time, which may be a part of a pixel off.
	const slack = Math.min(scale, 0.01) + 1e-6;
	const parts = [];
	for (const cell of row.cells) {
		const from = shift + cell.t0 * scale - left;
		const to = shift + cell.t1 * scale - left;
		if (from > columns.count) break;
		if (to <= 0 || to <= from) continue;
		const x0 = Math.max(0, from);
		const x1 = Math.min(columns.count, to);
		const first = Math.ceil(x0 - slack);
		const last = Math.floor(x1 + slack);
		if (isBlock(row, cell) && last > first) {
			blocks.push({ cell, x: left + first, width: last - first });
			columns.filled.fill(1, first, last);
		}
		parts.push([cell, x0, x1, to - from]);
	}
	for (const [cell, x0, x1, wide] of parts) {
		const length = Math.max(1e-9, cell.t1 - cell.t0);
		const perPixel = timesOf(row, cell).map((time) => Math.min(1, time / length));
		if (wide > 0) columns.add(x0, x1, perPixel, cell.name);
	}
	return { blocks, columns: columns.runs(left) };
}
