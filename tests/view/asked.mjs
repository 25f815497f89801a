// SPDX-License-Identifier: GPL-2.0-or-later
// What the page explains, compares and measures: the facts that tdat why, flame, diff and latency print.

import { execFileSync } from 'node:child_process';
import assert from 'node:assert/strict';
import { placeOf, show, viewOf } from './harness.mjs';

const SCHED = 's390x-61-v6-sched';

function json(harness, ...args) {
	return JSON.parse(harness.lines(...args).join('\n'));
}

/** Selects a span, and opens what is said of it. */
async function select(page, from, to) {
	await page.evaluate(
		([a, b]) => {
			window.tdat.state.set({ select: [BigInt(a), BigInt(b)] });
			window.tdat.tabs.open('span');
		},
		[String(from), String(to)]
	);
	await page.waitForSelector('#span-offers button');
}

async function answered(page, id) {
	await page.waitForSelector(`#${id}`);
	return page.textContent(`#${id}`);
}

export const askedCases = {
	/** A click on a wait, and the question why: the causes of tdat why, and the path over the rows. */
	async why(harness) {
		const file = harness.fixture(SCHED);
		const [want] = json(harness, 'why', '--json', '--of', 'waits', '--task', 'rcu_sched', '--worst', '1', file);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		const key = `task:0:${want.pid}`;
		await page.evaluate(
			([row, from, to]) => {
				const { state } = window.tdat;
				state.addRow(row);
				state.viewport.set(BigInt(from) - 1000000n, BigInt(to) + 1000000n);
				state.tell('window');
				window.tdat.timeline.showRow(row);
			},
			[key, want.from, want.to]
		);
		await harness.settled(page);
		const { x, y } = await placeOf(page, key, want.from + Math.floor(want.dur / 2));
		await page.mouse.click(x, y);
		// The click itself asks, and so does the key at the cell; an event chosen elsewhere does not.
		const said = await answered(page, 'why-said');
		assert.ok(await page.isVisible('#pane-why'));
		await page.waitForFunction(() => window.tdat.state.event !== null);
		await page.evaluate(() => window.tdat.list.select(0, true));
		await page.waitForFunction(() => window.tdat.state.spot === null);
		await page.waitForFunction(() => {
			const goOn = document.querySelector('#pane-event:not([hidden]) .go-on');
			return goOn && !goOn.textContent.includes('Why did task');
		});
		await page.evaluate(() => window.tdat.why.clear());
		await show(harness, page, BigInt(want.from) - 1000000n, BigInt(want.to) + 1000000n);
		await page.focus('#timeline');
		await page.evaluate(
			([row, from]) => {
				window.tdat.state.set({ focusRow: row, cursor: { key: row, t0: BigInt(from) - 1n } });
				window.tdat.steps.cell(1);
			},
			[key, want.from]
		);
		await page.keyboard.press('Enter');
		await page.waitForSelector('#pane-why:not([hidden]) #why-said');
		await page.evaluate(() => window.tdat.why.clear());
		await page.mouse.click(x, y);
		await page.waitForSelector('#pane-why:not([hidden]) #why-said');
		assert.ok(said.startsWith(`rcu_sched-${want.pid} waited `), said);
		const rows = await page.$$eval('#why-causes tbody tr', (all) => all.map((row) => row.textContent));
		assert.equal(rows.length, want.causes.length);
		// The sentences are the program's.
		const lines = harness.lines('why', '--of', 'waits', '--task', 'rcu_sched', '--worst', '1', '--top', '0', file);
		for (const [at, { dur }] of want.causes.entries()) {
			const sentence = / % {2}(.*)$/.exec(lines[at + 1])[1];
			assert.ok(rows[at].startsWith(sentence), `${rows[at]}: ${sentence}`);
			assert.ok(rows[at].includes(`${((dur / want.dur) * 100).toFixed(1)} %`), rows[at]);
		}
		const segments = await page.evaluate(() =>
			window.tdat.state.why.segments.map((one) => [Number(window.tdat.state.why.from) + one.t0, one.t1 - one.t0, one.kind])
		);
		assert.deepEqual(segments, want.segments.map(({ ts, dur, kind }) => [ts, dur, kind]));
		// The sentence counts the segments of tasks that have rows.
		const counts = await page.evaluate(() => {
			const { why, rows } = window.tdat.state;
			return [why.segments.filter(({ pid }) => rows.includes(`task:0:${pid}`)).length, why.segments.length];
		});
		const path = (await page.textContent('#pane-why')).match(/are the path: (?:(\d+) of )?(\d+) segment/);
		assert.deepEqual([Number(path[1] ?? path[2]), Number(path[2])], counts);
		// The address asks again, with the rows as they are; closed details stay closed.
		await page.click('#side-close');
		await page.waitForFunction(() => location.hash.includes('details=closed'));
		assert.match(new URL(page.url()).hash, new RegExp(`pane=why.*&why=0:${want.pid}:\\d+&`));
		const again = await harness.open(page.url());
		await again.waitForFunction(() => window.tdat.state.why);
		assert.deepEqual((await viewOf(again)).rows, (await viewOf(page)).rows);
		assert.equal(await again.isVisible('#side'), false);
		await again.click('#side-open');
		assert.equal(await again.textContent('#pane-why:not([hidden]) #why-said'), said);
		await again.click('text=Remove the path');
		assert.deepEqual(await again.evaluate(() => [window.tdat.state.why, window.tdat.state.asked]), [null, null]);
		await again.waitForFunction(() => !location.hash.includes('why='));
		// So does one of a span; a report of such a view has it without the answer.
		await page.evaluate(([pid, from, to]) => window.tdat.why.ask({ rec: 0, pid, from, to }), [want.pid, want.from, want.to]);
		await page.waitForFunction((end) => location.hash.includes(end), `why=0:${want.pid}:${want.from}:${want.to}`);
		const span = await harness.open(page.url());
		await span.waitForFunction(() => window.tdat.state.why);
		assert.match(await span.textContent('#why-said'), / spent /);
		const report = `${harness.tmp}/why.html`;
		harness.lines('view', '-f', '-o', report, '--view', page.url(), file);
		const still = await harness.open(`file://${report}`);
		assert.equal(await still.evaluate(() => window.tdat.state.asked), null);
	},

	/** A task of a guest waited for what its host did: the sentences of tdat why, and the rows of both machines. */
	async whyguest(harness) {
		execFileSync('python3', [`${harness.source}/tests/view/kvm_pair.py`, harness.tmp]);
		const files = ['host', 'guest'].map((name) => `${harness.tmp}/${name}.dat`);
		const span = ['--from', '500000ns', '--until', '15000000ns'];
		const lines = harness.lines('why', '--task', '100', '--top', '0', ...span, ...files);
		const want = lines.slice(1).flatMap((line) => / % {2}(.*)$/.exec(line)?.[1] ?? []);
		assert.ok(want.some((sentence) => sentence.includes('CPU 0/KVM-500 is the virtual CPU of app-100')), String(want));
		const { address } = await harness.serve(...files);
		const page = await harness.open(address);
		await page.evaluate(() => window.tdat.state.set({ rows: ['task:1:100'] }));
		await page.evaluate(() => window.tdat.why.ask({ rec: 1, pid: 100, from: 500000n, to: 15000000n }));
		await page.waitForSelector('#pane-why:not([hidden]) #why-said');
		const rows = await page.$$eval('#why-causes tbody tr', (all) => all.map((row) => row.children[0].textContent));
		assert.deepEqual(rows, want);
		assert.deepEqual(await page.evaluate(() => window.tdat.state.rows), ['task:1:100', 'task:0:500']);
	},

	/** The flame graph of a span has the weights that tdat flame folds; a click makes a function wide. */
	async flame(harness) {
		const file = harness.fixture('s390x-61-kstack');
		const events = harness.events(file);
		const until = events[Math.floor(events.length / 2)].ts;
		const folded = harness.lines('flame', '--to', 'folded', '--until', `${until}ns`, file);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		await select(page, events[0].ts, until);
		await page.click('#span-offers >> text="Flame graph"');
		const said = await answered(page, 'flame-said');
		const total = folded.reduce((sum, line) => sum + Number(/ (\d+)$/.exec(line)[1]), 0);
		assert.ok(said.startsWith(`Kernel stacks, ${total} stacks`) && !said.includes('filter'), said);
		const byTask = new Map();
		for (const line of folded) {
			const [, task, count] = /^([^;]+);.* (\d+)$/.exec(line);
			byTask.set(task, (byTask.get(task) ?? 0) + Number(count));
		}
		const frames = await page.$$eval('#flame .frame', (all) => all.map((frame) => [frame.title, frame.style.width]));
		for (const [task, count] of byTask) {
			const frame = frames.find(([title]) => title.startsWith(`${task}: ${count} sample`));
			assert.ok(frame, `${task} ${count}: ${JSON.stringify(frames)}`);
			assert.ok(Math.abs(parseFloat(frame[1]) - (count / total) * 100) < 0.01, `${task} ${frame}`);
		}
		const [task] = byTask.keys();
		await page.click(`#flame .frame[title^="${task}: "]`);
		assert.equal(
			await page.$eval(`#flame .frame[title^="${task}: "]`, (frame) => frame.style.width),
			'100%'
		);
		await page.click('#answer-close');
		// Filters and searches select events, not stacks.
		await page.fill('#filter', 'sched_switch');
		await page.keyboard.press('Enter');
		await page.waitForFunction(() => window.tdat.state.filter !== '');
		await page.click('#span-offers >> text="Flame graph"');
		await page.waitForFunction(() => document.getElementById('flame-said')?.textContent.includes('The filter does not apply'));
		// The flame graph of a row is of its file.
		const other = harness.fixture('arm64-16k-612-kstack');
		const two = await harness.open((await harness.serve(other, file)).address);
		for (const [rec, one] of [other, file].entries()) {
			await two.evaluate((key) => window.tdat.state.set({ focusRow: key }), `cpu:${rec}:0`);
			const { from: begin, to } = await two.evaluate(() => ({
				from: String(window.tdat.state.trace.from),
				to: String(window.tdat.state.trace.to),
			}));
			await select(two, begin, to);
			await two.click('#span-offers >> text=Flame graph of CPU 0 \u00b7');
			const ofRow = await answered(two, 'flame-said');
			const count = harness.lines('flame', '--cpu', '0', one).reduce((sum, line) => sum + Number(/ (\d+)$/.exec(line)[1]), 0);
			assert.ok(ofRow.startsWith(`Kernel stacks, ${count} stacks`) && ofRow.includes(', CPU 0 \u00b7 '), `${ofRow}: ${count}`);
			await two.click('#answer-close');
		}
		await two.evaluate(() => window.tdat.state.set({ focusRow: 'events' }));
		await two.waitForFunction(() => !document.getElementById('span-offers').textContent.includes('Flame graph of'));
		// Time off the CPU without stacks is no flame graph.
		const none = await harness.open((await harness.serve(harness.fixture('i386-61-v7-zstd-sched'))).address);
		none.expected = /404/;
		await none.evaluate(() => {
			const { state, tabs } = window.tdat;
			state.set({ select: [state.trace.from, state.trace.to] });
			tabs.open('span');
		});
		await none.click('#span-offers >> text="Flame graph"');
		await none.waitForSelector('#answer .error');
		assert.match(await none.textContent('#answer .error'), /^flame needs sched\/sched_switch and ftrace\/kernel_stack; this trace has /);
	},

	/** Two windows, and two files, side by side: the changes of tdat diff. */
	async compare(harness) {
		const file = harness.fixture(SCHED);
		const events = harness.events(file);
		const [first, last] = [events[0].ts, events.at(-1).ts];
		const half = (first + last) / 2n;
		const want = json(harness, 'diff', '--json', '--a', `--until ${half}ns`, '--b', `--from ${half + 1n}ns`, file);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		await select(page, first, half);
		await page.click('#span-offers >> text="Compare: use this as A"');
		await select(page, half + 1n, last);
		// A reload keeps A and the span.
		await page.waitForFunction(
			([a, span]) => location.hash.includes(`compare-to=${a}`) && location.hash.includes(`select-to=${span}`),
			[String(half), String(last)]
		);
		await page.reload();
		await page.waitForSelector('#span-offers button');
		await page.click('#span-offers >> text="Compare A with this"');
		const said = await answered(page, 'diff-said');
		assert.ok(want.changes.length > 0);
		assert.ok(said.startsWith(`${want.changes.length} change`), said);
		const rows = await page.$$eval('#diff-changes tbody tr', (all) =>
			all.map((row) => [...row.children].slice(0, 3).map((cell) => cell.textContent))
		);
		assert.deepEqual(
			rows.map(([what, key, metric]) => [what, key, metric.split(',')[0]]),
			want.changes.map(({ of, key, metric }) => [of, key ?? '', metric])
		);
		// The last columns, and what was not compared, are those of the table that tdat diff prints.
		const printed = harness.lines('diff', '--a', `--until ${half}ns`, '--b', `--from ${half + 1n}ns`, file);
		const ends = await page.$$eval('#diff-changes tbody tr', (all) =>
			all.map((row) => [...row.children].slice(5).map((cell) => cell.textContent))
		);
		for (const [at, end] of ends.entries()) {
			const line = printed[printed.findIndex((one) => one.startsWith('what ')) + 1 + at];
			assert.ok(line.replace(/ +/g, ' ').endsWith(end.join(' ')), `${line}: ${end}`);
		}
		const omitted = await page.$$eval('.diff-rest', (all) => all.map((one) => one.textContent).join(' '));
		for (const { on, table: of, what, count } of want.left_out_rows)
			assert.ok(omitted.includes(`${count} of ${on.toUpperCase()} (${of}: ${what})`), omitted);
		// What only one side has is told in words: A has no events here, though its CPUs ran tasks.
		const quiet = await harness.serve(harness.fixture('x64-61-conv-v7-zstd'));
		const silent = await harness.open(quiet.address);
		await select(silent, 64853871601n, 64860324236n);
		await silent.click('#span-offers >> text="Compare: use this as A"');
		await select(silent, 64870000000n, 65300000000n);
		await silent.click('#span-offers >> text="Compare A with this"');
		await answered(silent, 'diff-said');
		const sentences = await silent.textContent('#answer');
		assert.match(sentences, /Not compared, because only B has the events: event, switches, wait, migrations, wakeup\./);
		assert.match(sentences, /; 2 CPUs, 6\.45\d ms/);
		const both = await harness.serve(file, harness.fixture('s390x-61-kstack'));
		const other = await harness.open(both.address);
		// The tables say of which file a CPU and a task are.
		await select(other, first, half);
		const table = (id) =>
			other.$$eval(`#${id} tr`, (all) => all.map((row) => [row.firstChild.textContent, row.lastChild.textContent]));
		const cpus = ['v6-sched', 'kstack'].flatMap((name) => [['CPU 0', name], ['CPU 1', name]]);
		assert.deepEqual(await table('stats-cpus'), [['CPU', 'file'], ...cpus]);
		const [, ...tasks] = await table('stats-tasks');
		assert.ok(tasks.every(([, name]) => name === 'v6-sched') && tasks.length > 3, String(tasks));
		await select(other, first, half);
		await other.click('#span-offers >> text="Compare the two files"');
		assert.match(await answered(other, 'diff-said'), /change|beyond noise/);
	},

	/** From one event to another: the latencies of tdat latency --pair, as a plot and a histogram. */
	async pair(harness) {
		const file = harness.fixture(SCHED);
		const events = harness.events(file);
		const from = events.findIndex(({ event, fields }) => event === 'sched_waking' && fields.pid > 0);
		const to = events.findIndex(
			({ event, fields }, at) =>
				at > from && event === 'sched_switch' && fields.next_pid === events[from].fields.pid
		);
		const pair = 'sched/sched_waking(pid) -> sched/sched_switch(next_pid)';
		const [want] = json(harness, 'latency', '--json', '--pair', `p: ${pair}`, file);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		await page.evaluate((at) => window.tdat.list.select(at, true), from);
		await page.focus('.go-on >> text=Latency from this event');
		await page.keyboard.press('Enter');
		assert.match(await page.evaluate(() => document.activeElement.textContent), /^Latency from this event/);
		await page.evaluate((at) => window.tdat.list.select(at, true), to);
		await page.click('text=Latency from sched/sched_waking to this event');
		const said = await answered(page, 'pair-said');
		assert.equal(await page.inputValue('#pair-text'), pair);
		const { all } = want;
		assert.equal(want.rows_without_value, 2);
		assert.equal(await page.textContent('#pair-open'), 'Not counted: 2 of 90 rows, whose dur is unknown.');
		assert.ok(harness.lines('latency', '--pair', `p: ${pair}`, file).includes('Not counted: 2 of 90 rows, whose dur is unknown'));
		assert.equal(await page.$('#pair-apart'), null);
		assert.ok(said.startsWith(`${all.count} pairs`), `${said}: ${JSON.stringify(all)}`);
		const bars = await page.$$eval('#pair-histogram .bar title', (list) =>
			list.map((one) => Number(one.textContent.split(' ')[0]))
		);
		assert.equal(bars.reduce((sum, n) => sum + n, 0), all.count);
		const points = await page.$$eval('#pair-plot .point title', (list) =>
			list.map((one) => Number(one.textContent.split(' ')[0]))
		);
		assert.equal(points.reduce((sum, n) => sum + n, 0), all.count);
		const sums = await page.$$eval('#pair-sums td:first-child', (cells) => cells.map((cell) => cell.textContent));
		assert.deepEqual(sums, ['min', 'p50', 'p90', 'p99', 'p99.9', 'max', 'mean']);
		assert.equal(await page.$('#pair-early'), null);
		page.expected = /400/;
		await page.fill('#pair-text', 'nonsense');
		await page.keyboard.press('Enter');
		const error = await page.textContent('#answer .error');
		assert.equal(error, 'pair "nonsense": expected SYSTEM/EVENT at column 9');
		await page.fill('#pair-text', 'sched/sched_waking(pid) -> sched/sched_waking(pid)');
		await page.keyboard.press('Enter');
		const each = json(harness, 'latency', '--json', '--pair', 'sched/sched_waking(pid) -> sched/sched_waking(pid)', file)[0].all;
		await page.waitForFunction((n) => document.getElementById('pair-said')?.textContent.startsWith(`${n} pairs`), each.count);
		// Shift and a click on the second event open the same answer, and so does Shift Enter. The first event stays chosen.
		const clicked = () =>
			page.evaluate(() => [document.getElementById('pair-text')?.value, String(window.tdat.list.current), String(getSelection())]);
		const closed = async () => {
			await page.keyboard.press('Escape');
			await page.waitForSelector('#answer-dialog', { state: 'hidden' });
			await page.evaluate(() => document.getElementById('answer').replaceChildren());
		};
		await closed();
		await page.evaluate((at) => window.tdat.list.select(at, true), from);
		await page.waitForSelector('.go-on >> text=or Shift-click the event that ends the interval');
		await page.evaluate((at) => window.tdat.list.showTime(BigInt(at), true), String(events[to].ts));
		await page.click(`.event[data-row="${to}"]`, { modifiers: ['Shift'] });
		await answered(page, 'pair-said');
		assert.deepEqual(await clicked(), [pair, String(from), '']);
		await closed();
		// The chosen event is not the second event of a pair.
		await page.evaluate((at) => window.tdat.list.select(at), from);
		await page.click(`.event[data-row="${from}"]`, { modifiers: ['Shift'] });
		assert.equal(await page.isVisible('#answer-dialog'), false);
		const { ts, cpu } = events[to];
		const keys = [`events:0:${cpu}`, `cpu:0:${cpu}`, `task:0:${events[to].pid}`];
		await page.evaluate((rows) => window.tdat.state.set({ rows }), keys);
		await show(harness, page, ts - 20000n, ts + 20000n);
		for (const key of keys) {
			const { x, y } = await placeOf(page, key, ts);
			await page.keyboard.down('Shift');
			await page.mouse.click(x, y);
			await page.keyboard.up('Shift');
			await answered(page, 'pair-said');
			assert.deepEqual(await clicked(), [pair, String(from), ''], key);
			await closed();
		}
		await page.focus('#timeline');
		await page.evaluate(
			([key, before]) => {
				window.tdat.state.set({ focusRow: key, cursor: { key, t0: BigInt(before) } });
				window.tdat.steps.cell(1);
			},
			[keys[0], String(ts - 1n)]
		);
		await page.keyboard.press('Shift+Enter');
		await answered(page, 'pair-said');
		assert.deepEqual(await clicked(), [pair, String(from), '']);
		await closed();
		// A field that tdat computes is no key; pairs that began before the span are counted, and the plot says that it lacks them.
		const raise = events.findIndex(({ event }) => event === 'softirq_raise');
		const entry = events.findIndex(
			({ event, fields, cpu: on }, at) =>
				at > raise && event === 'softirq_entry' && on === events[raise].cpu && fields.vec === events[raise].fields.vec
		);
		await page.evaluate((at) => window.tdat.list.select(at, true), raise);
		const begun = events[raise].ts + 1n;
		await page.evaluate(
			([a, b]) => window.tdat.state.set({ select: [BigInt(a), BigInt(b)] }),
			[String(begun), String(begun + 1n)]
		);
		await page.evaluate((at) => window.tdat.list.showTime(BigInt(at), true), String(events[entry].ts));
		await page.click(`.event[data-row="${entry}"]`, { modifiers: ['Shift'] });
		assert.match(await answered(page, 'pair-said'), /^1 pair /);
		assert.equal(await page.inputValue('#pair-text'), 'irq/softirq_raise(vec) -> irq/softirq_entry(vec)');
		assert.equal(await page.textContent('#pair-early'), 'Not in the plot: 1 pair that began before the span.');
		assert.equal(await page.$('#pair-plot'), null);
		assert.doesNotMatch(await page.textContent('#answer'), /vec_name/);
		await page.evaluate(() => window.tdat.state.set({ select: null }));
		await closed();
		// In a report, which has no server, the click chooses the event, and the help does not name it.
		harness.lines('view', '-f', '-o', `${harness.tmp}/pair.html`, file);
		const still = await harness.open(`file://${harness.tmp}/pair.html`);
		await still.evaluate((at) => window.tdat.list.select(at, true), from);
		await still.waitForSelector('.go-on');
		await still.click(`.event[data-row="${from - 3}"]`, { modifiers: ['Shift'] });
		await still.waitForFunction((at) => window.tdat.list.current === at, from - 3);
		assert.equal(await still.isVisible('#answer-dialog'), false);
		await still.click('#help-open');
		assert.doesNotMatch(await still.evaluate(() => document.body.innerText), /Shift.click/);
		// The calls of a thread are known by the thread, whatever their number is: table syscall has as many with a length.
		const calls = harness.fixture('x64-61-syscalls');
		const measured = await harness.open((await harness.serve(calls)).address);
		const recorded = harness.events(calls);
		const enter = recorded.findIndex(({ event, fields }) => event === 'sys_enter' && fields.id === '1');
		const exit = recorded.findIndex(
			({ event, fields, pid }, at) => at > enter && event === 'sys_exit' && fields.id === '1' && pid === recorded[enter].pid
		);
		await measured.evaluate((at) => window.tdat.list.select(at, true), enter);
		await measured.evaluate((at) => window.tdat.list.showTime(BigInt(at), true), String(recorded[exit].ts));
		await measured.click(`.event[data-row="${exit}"]`, { modifiers: ['Shift'] });
		const lengths = harness.table(calls, 'syscall').filter(({ dur }) => dur !== null);
		const count = await answered(measured, 'pair-said');
		assert.equal(await measured.inputValue('#pair-text'), 'raw_syscalls/sys_enter(common_pid) -> raw_syscalls/sys_exit(common_pid)');
		assert.ok(count.startsWith(`${lengths.length} pairs`), `${count}: ${lengths.length}`);
		// Events of two buffers are no pair.
		const buffers = harness.fixture('i386-61-v7-buffers');
		const other = await harness.open((await harness.serve(buffers)).address);
		const { rows } = await other.evaluate(async () => (await fetch('api/events?count=1000&text=0')).json());
		const begin = rows.find(({ event, rec }) => rec > 0 && event === 'sched/sched_switch') ?? rows.find(({ rec }) => rec > 0);
		const end = rows.find(({ event, rec, row }) => row > begin.row && rec !== begin.rec && event !== begin.event);
		await other.evaluate((at) => window.tdat.list.select(at, true), begin.row);
		await other.click('text=Latency from this event');
		await other.evaluate((at) => window.tdat.list.select(at, true), end.row);
		await other.click(`text=Latency from ${begin.event} to this event`);
		assert.match(
			await answered(other, 'pair-apart'),
			/^The two events are not a pair, because they are in different buffers or files: the first is in .*, the second in /
		);
	},

	/** What states, calls and slices took in a span: the tables say the same. */
	async sums(harness) {
		for (const [name, table, column] of [
			[SCHED, 'thread_state', 'state'],
			['x64-61-syscalls', 'syscall', 'name'],
			['i386-61-markers', 'slice', 'name'],
			['i386-61-fgraph', 'function', 'func'],
		]) {
			const file = harness.fixture(name);
			const events = harness.events(file);
			const [first, last] = [events[0].ts, events.at(-1).ts];
			const [from, to] = [first + (last - first) / 3n, first + ((last - first) * 3n) / 4n];
			const want = new Map();
			for (const row of harness.table(file, table)) {
				const begin = BigInt(row.ts);
				// The last call of a task has no known length.
				const lasts = row.open === 'end' && !['exit', 'exit_group'].includes(row[column]);
				const end = row.dur === null ? (lasts ? last : begin) : begin + BigInt(row.dur);
				if (begin > to || end < from) continue;
				const sum = want.get(row[column]) ?? [0n, 0, 0n];
				const inside = (end < to ? end : to) - (begin > from ? begin : from);
				const long = end - begin > sum[2] ? end - begin : sum[2];
				want.set(row[column], [sum[0] + inside, sum[1] + 1, long]);
			}
			const { address } = await harness.serve(file);
			const page = await harness.open(address);
			await select(page, from, to);
			await page.waitForSelector(`#sums-${table}`);
			const got = await page.evaluate(
				async ([a, b, one]) => {
					const answer = await (await fetch(`api/sums?from=${a}&to=${b}`)).json();
					return answer.tables.find((found) => found.table === one);
				},
				[String(from), String(to), table]
			);
			assert.equal(got.total, want.size);
			for (const [key, n, time, longest] of got.cells)
				assert.deepEqual([BigInt(time), n, BigInt(longest)], want.get(key), `${name} ${key}`);
			const rows = await page.$$eval(`#sums-${table} tbody tr`, (all) => all.length);
			assert.equal(rows, Math.min(15, want.size));
			await page.click(`#sums-${table} th:nth-child(4) .sort`);
			const counts = await page.$$eval(`#sums-${table} td:nth-child(4)`, (all) =>
				all.map((cell) => Number(cell.textContent.replace(/\D/g, '')))
			);
			assert.deepEqual(counts, counts.toSorted((a, b) => b - a));
			await page.click('#span-tables button:last-of-type');
			assert.ok(await page.isVisible(`#sums-${table}`));
			await page.close();
		}
	},
};
