// SPDX-License-Identifier: GPL-2.0-or-later
// The flame graph of a span: stacks as nested boxes, as wide as their share, from the tasks at the top down.

import { answerIn, openAnswer } from './answers.js';
import { dataTable } from './datatable.js';
import { parseKey, recordingLabel } from './rows.js';
import { fillOf } from './theme.js';
import { counted, element, grouped } from './text.js';
import { formatSpan, formatWindow } from './time.js';

/** Boxes narrower than this part of the width are left out; a click on one that is there makes it wide. */
const NARROWEST = 0.002;

function sayWeight(value, unit) {
	return unit === 'ns' ? formatSpan(BigInt(value)) : counted(value, unit.replace(/s$/, ''));
}

/** Reads the cells: nodes with their children. */
function treeOf(answer) {
	const nodes = answer.cells.map(([name, parent, self, total]) => ({ name, parent, self, total, children: [] }));
	for (const node of nodes) {
		if (node.parent !== null) nodes[node.parent].children.push(node);
	}
	return nodes;
}

/** The boxes of `root` and all below it, and of what leads to it, in rows from the top. */
function layOut(root, nodes) {
	const boxes = [];
	const above = [];
	for (let node = root; node.parent !== null; ) {
		node = nodes[node.parent];
		above.unshift(node);
	}
	for (const [depth, node] of above.entries()) boxes.push({ node, depth, x: 0, width: 1 });
	const stack = [{ node: root, depth: above.length, x: 0, width: 1 }];
	while (stack.length > 0) {
		const box = stack.pop();
		boxes.push(box);
		let { x } = box;
		for (const node of box.node.children) {
			const width = node.total / Math.max(1, root.total);
			if (width >= NARROWEST) stack.push({ node, depth: box.depth + 1, x, width });
			x += width;
		}
	}
	return boxes;
}

function drawFlame(box, root, nodes, unit) {
	const boxes = layOut(root, nodes);
	const tall = Math.max(...boxes.map(({ depth }) => depth)) + 1;
	box.style.height = `${tall * 1.35}rem`;
	box.replaceChildren(
		...boxes.map(({ node, depth, x, width }) => {
			const share = `${((node.total / Math.max(1, nodes[0].total)) * 100).toFixed(1)} %`;
			const made = element('button', {
				type: 'button',
				class: 'frame',
				text: node.name,
				title: `${node.name}: ${sayWeight(node.total, unit)}, ${share}; itself ${sayWeight(node.self, unit)}`,
				onclick: () => drawFlame(box, node, nodes, unit),
			});
			made.style.left = `${x * 100}%`;
			made.style.width = `${width * 100}%`;
			made.style.top = `${depth * 1.35}rem`;
			made.style.background = fillOf(node.name);
			return made;
		})
	);
}

/** Sums by function: its own weight, and that of all stacks that it is in, counted once where it calls itself. */
function functionsOf(nodes) {
	const sums = new Map();
	const isBelowItself = (node) => {
		for (let at = node.parent; at !== null; at = nodes[at].parent) {
			if (nodes[at].name === node.name) return true;
		}
		return false;
	};
	for (const node of nodes.slice(1)) {
		const sum = sums.get(node.name) ?? { self: 0, total: 0 };
		sum.self += node.self;
		if (!isBelowItself(node)) sum.total += node.total;
		sums.set(node.name, sum);
	}
	return [...sums].sort((a, b) => b[1].self - a[1].self);
}

function flameParts(answer, window, isFiltered) {
	const nodes = treeOf(answer);
	const { unit } = answer;
	if (answer.stacks === 0 || nodes.length < 2)
		return [element('p', { text: 'The span contains no stacks.' })];
	const box = element('div', { id: 'flame' });
	drawFlame(box, nodes[0], nodes, unit);
	const left = [
		...(answer.left_out > 0 ? [`${counted(answer.left_out, 'function')} too narrow to show`] : []),
		...(answer.dropped > 0 ? [`a weight of ${grouped(answer.dropped)} beyond the limit`] : []),
	];
	return [
		element('p', {
			id: 'flame-said',
			text:
				`${answer.title}, ${counted(answer.stacks, 'stack')}: ${window}. Click a function to zoom in.` +
				(isFiltered ? ' The filter does not apply to stacks.' : ''),
		}),
		box,
		...(left.length > 0 ? [element('p', { class: 'soft', text: `Omitted: ${left.join('; ')}.` })] : []),
		...dataTable({
			id: 'flame-functions',
			name: 'functions',
			heads: ['function', 'itself', 'with callees'],
			rows: functionsOf(nodes).map(([name, { self, total }]) => [
				name,
				{ value: self, text: sayWeight(self, unit) },
				{ value: total, text: sayWeight(total, unit) },
			]),
			shown: 12,
		}),
	];
}

/** What a row chooses of the events: its CPU, or its task, of its recording. */
function selectionOf(key, trace) {
	const { type, rec, id } = parseKey(key ?? '');
	const of = trace.recordings.length > 1 ? ` \u00b7 ${recordingLabel(trace, rec)}` : '';
	if (['cpu', 'events'].includes(type) && id) return { rec, cpus: id, said: `CPU ${id}${of}` };
	return ['task', 'functions'].includes(type) ? { rec, pids: id, said: `task ${id}${of}` } : null;
}

/** Buttons for the flame graph of a span: of all, and of the row that is chosen. */
export function flameOffers(state, source, from, to) {
	const ask = (row) => {
		const box = openAnswer('Flame graph');
		const window = formatWindow(from, to, 1n, state.inNs) + (row ? `, ${row.said}` : '');
		answerIn(
			box,
			() => source.get('flame', { from, to, rec: row?.rec, cpus: row?.cpus, pids: row?.pids }),
			(answer) => flameParts(answer, window, state.filter !== '')
		);
	};
	const row = selectionOf(state.focusRow, state.trace);
	return [
		['Flame graph', () => ask(null)],
		...(row ? [[`Flame graph of ${row.said}`, () => ask(row)]] : []),
	];
}
