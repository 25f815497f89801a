// SPDX-License-Identifier: GPL-2.0-or-later
// What the page gives its space to, tables that sort and are downloaded, notes, the list that follows.

import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { placeOf, show, viewOf } from './harness.mjs';

const SCHED = 's390x-61-v6-sched';

/** The file that a click downloads. */
async function downloaded(page, action) {
	const [download] = await Promise.all([page.waitForEvent('download'), action()]);
	return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

export const pageCases = {
	/** Details take no space before there is something in them; below the list on a narrow screen. */
	async room(harness) {
		const { address } = await harness.serve(harness.fixture(SCHED));
		const page = await harness.open(address);
		const widthOf = (id) => page.evaluate((one) => document.getElementById(one).clientWidth, id);
		assert.equal(await widthOf('timeline-box'), 1200);
		await page.evaluate(() => window.tdat.list.select(5, true));
		await page.waitForSelector('#event-fields');
		assert.ok((await widthOf('timeline-box')) < 1000);
		await page.click('#side-close');
		assert.equal(await widthOf('timeline-box'), 1200);
		const narrow = await harness.open(address, { viewport: { width: 800, height: 900 } });
		await narrow.click('#side-open');
		const box = await narrow.locator('#side').boundingBox();
		const list = await narrow.locator('#list-box').boundingBox();
		assert.ok(box.width === 800 && box.y >= list.y + list.height, JSON.stringify([box, list]));
		// Half of the height is left to the picture.
		const heights = await narrow.evaluate(() => ['#picture', 'main'].map((one) => document.querySelector(one).clientHeight));
		assert.ok(heights[0] > heights[1] / 2, String(heights));
		// The names of rows have room, up to a fifth of the picture, unless the user gives them another one.
		const graph = await harness.open((await harness.serve(harness.fixture('i386-61-fgraph'))).address);
		const gutter = () => graph.evaluate(() => window.tdat.timeline.view.gutter);
		assert.ok((await gutter()) > 176 && (await gutter()) <= 240, String(await gutter()));
		await graph.focus('#gutter');
		await graph.keyboard.press('ArrowLeft');
		const smaller = await gutter();
		await graph.evaluate(() => window.tdat.state.addRow('field:ftrace/funcgraph_exit:calltime_of_a_long_name'));
		await harness.settled(graph);
		assert.equal(await gutter(), smaller);
		// The columns of the list are as wide as what they show.
		const cut = await narrow.evaluate(() =>
			[...document.querySelectorAll('.event:not([hidden]) span:not(:last-child)')].filter(
				(cell) => cell.scrollWidth > cell.clientWidth
			).length
		);
		assert.equal(cut, 0);
	},

	/** The first rows are what was recorded. */
	async firstrows(harness) {
		for (const [name, kind, table] of [
			['i386-61-fgraph', 'functions', 'function'],
			['x64-61-syscalls', 'syscalls', 'syscall'],
		]) {
			const file = harness.fixture(name);
			const { address } = await harness.serve(file);
			const page = await harness.open(address);
			await page.waitForFunction(
				(one) => window.tdat.state.rows.some((key) => key.startsWith(`${one}:`)),
				kind
			);
			const { rows } = await viewOf(page);
			const counts = new Map();
			for (const { pid } of harness.table(file, table)) counts.set(String(pid), (counts.get(String(pid)) ?? 0) + 1);
			const shown = rows.filter((key) => key.startsWith(`${kind}:`)).map((key) => counts.get(key.split(':')[2]));
			assert.ok(shown.length >= 4 && shown.every((n) => n > 0));
			assert.equal(Math.max(...shown), Math.max(...counts.values()));
			// A task has its name also where sched_switch was not recorded.
			await harness.settled(page);
			const comms = new Map(harness.events(file).map(({ pid, comm }) => [String(pid), comm]));
			const [key] = rows.filter((row) => row.startsWith(`${kind}:`));
			await page.evaluate((row) => window.tdat.state.set({ rows: [row] }), key);
			await harness.settled(page);
			const { y, left } = await placeOf(page, key, 0);
			await page.mouse.move(left - 60, y);
			const pid = key.split(':')[2];
			assert.match(await page.textContent('#tip'), new RegExp(`^${comms.get(pid)}-${pid} `));
		}
	},

	/** As many rows as fit are shown, and more of them in a larger window, unless the user chose rows. */
	async fills(harness) {
		const tables = { functions: 'function', syscalls: 'syscall', task: 'sched' };
		for (const [name, ...kinds] of [
			['i386-61-fgraph', 'functions', 'task'],
			['x64-61-syscalls', 'syscalls'],
			[SCHED, 'task'],
		]) {
			const file = harness.fixture(name);
			const recorded = kinds.flatMap((kind) => {
				const pids = new Set(harness.table(file, tables[kind]).map(({ pid }) => pid));
				return [...pids].filter((pid) => kind !== 'task' || pid > 0).map((pid) => `${kind}:0:${pid}`);
			});
			const { address } = await harness.serve(file);
			const page = await harness.open(address, { viewport: { width: 1440, height: 700 } });
			const small = (await viewOf(page)).rows;
			for (const [width, height] of [[1440, 900], [3840, 2160]]) {
				const other = await harness.open(address, { viewport: { width, height } });
				const { rows } = await viewOf(other);
				await page.setViewportSize({ width, height });
				await page.waitForFunction((keys) => window.tdat.state.rows.join() === keys, rows.join());
				const white = await other.evaluate(() => {
					const { view, layout } = window.tdat.timeline;
					return 1 - layout.total / (view.height - view.ruler);
				});
				const missing = recorded.filter((key) => !rows.includes(key));
				assert.ok(white < 0.1 || missing.length === 0, `${name} at ${width}: ${white} is white, without ${missing}`);
				assert.ok(rows.length >= small.length && new Set(rows).size === rows.length);
				await other.context().close();
			}
			await page.setViewportSize({ width: 1440, height: 700 });
			await page.evaluate(() => window.tdat.state.set({ rows: window.tdat.state.rows.slice(0, 2) }));
			await page.setViewportSize({ width: 1440, height: 2160 });
			await harness.settled(page);
			assert.equal((await viewOf(page)).rows.length, 2);
			const answer = await page.evaluate(async () => (await fetch('api/rows?kind=usual&limit=2')).json());
			assert.ok(answer.rows.length <= 2 && answer.total >= answer.rows.length);
			await page.context().close();
		}
	},

	/** A file of a latency tracer has text in place of events: page and report show it, from part to part. */
	async filetext(harness) {
		const file = `${harness.tmp}/latency.dat`;
		const own = harness.fixture('x64-lab612-latency-irqsoff-v7zstd');
		harness.lines('convert', '-f', '--file-version', '6', '-o', file, own);
		const line = '   cat-290  0d..1  12us+: <not> a tag\t\u202e_raw_spin\n';
		appendFileSync(file, line.repeat(8000));
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		const text = () => page.$eval('#file-text pre', (box) => box.textContent);
		await page.waitForFunction(() => document.querySelector('#file-text pre')?.textContent.length > 100000);
		const safe = line.replace('\t', '        ').replace('\u202e', '\\u{202e}');
		const first = (await text()).length;
		assert.ok((await text()).startsWith(`# tracer: irqsoff\n#\n${safe}`), (await text()).slice(0, 200));
		await page.click('#file-text button');
		await page.waitForFunction((n) => document.querySelector('#file-text pre').textContent.length > n, first);
		assert.equal(await text(), `# tracer: irqsoff\n#\n${safe.repeat(8000)}`);
		assert.equal(await page.isVisible('#file-text button'), false);
		// Nothing is offered that needs events, and the footer claims none.
		const offered = await page.$$eval('header :is(input, select, button), main > *, #picture > *, footer *', (all) =>
			all.filter((one) => one.offsetParent && one.textContent.trim() !== '').map((one) => one.id || one.tagName)
		);
		assert.deepEqual(offered.filter((id) => /[a-z]/.test(id)), ['side-open', 'picture', 'file-text', 'theme', 'said']);
		assert.match(await page.textContent('#said'), /^No events, \d+.\d+ bytes of text of a latency tracer$/);
		for (const key of ['r', 'q', 'm', '2']) await page.keyboard.press(key);
		assert.equal(await page.$('dialog[open], main[data-side]'), null);
		await page.click('#side-open');
		const details = await page.$$eval('[role="tab"], [role="tabpanel"]', (all) => all.filter((one) => one.offsetParent));
		assert.equal(details.length, 2);
		const report = `${harness.tmp}/latency.html`;
		harness.lines('view', '-f', '-o', report, own);
		const still = await harness.open(`file://${report}`);
		assert.equal(await still.textContent('#file-text pre'), '# tracer: irqsoff\n#\n');
	},

	/** A call that never returns ends with its task. */
	async death(harness) {
		const endsAt = async (file, end, open) => {
			const { address } = await harness.serve(file);
			const page = await harness.open(`${address}#row=syscalls:0:99&row=syscalls:0:100`);
			const [cell] = await page.evaluate(() => {
				const { picture } = window.tdat.timeline;
				return picture.rows.get('syscalls:0:100').cells.map((one) => ({
					...one,
					from: String(picture.from + BigInt(one.t0)),
					to: String(picture.from + BigInt(one.t1)),
				}));
			});
			assert.deepEqual([cell.name, cell.from, cell.to, cell.open], ['exit_group', '10000200000', end, open]);
		};
		const text = `${harness.tmp}/death.txt`;
		const line = (comm, pid, ts, what) => `${comm.padStart(16)}-${pid.padEnd(7)} [000] d....    ${ts}: ${what}\n`;
		const switched = (from, to) => `sched_switch: ${from} prev_prio=120 prev_state=Z ==> ${to} next_prio=120`;
		const [sh, idle] = ['comm=sh', 'comm=swapper/0'];
		writeFileSync(
			text,
			'# tracer: nop\n#\n' +
				line('<idle>', '0', '10.000100', switched(`prev_${idle} prev_pid=0`, `next_${sh} next_pid=100`)) +
				line('sh', '100', '10.000200', 'sys_exit_group(error_code: 0)') +
				line('sh', '100', '10.000700', switched(`prev_${sh} prev_pid=100`, `next_${idle} next_pid=0`)) +
				line('<idle>', '0', '12.000000', 'sched_waking: comm=other pid=7 prio=120 target_cpu=000')
		);
		const file = `${harness.tmp}/death.dat`;
		harness.lines('convert', '-f', '-o', file, text);
		await endsAt(file, '10000700000');
		// Also where only the exit of the task was recorded.
		const other = `${harness.tmp}/exit.dat`;
		writeFileSync(
			text,
			'# tracer: nop\n#\n' +
				line('sh', '100', '10.000200', 'sys_exit_group(error_code: 0)') +
				line('sh', '100', '10.000400', 'sched_process_exit: comm=sh pid=100 prio=120') +
				line('sh', '7', '12.000000', 'sched_process_exit: comm=sh pid=7 prio=120')
		);
		harness.lines('convert', '-f', '-o', other, text);
		await endsAt(other, '10000400000');
		// The state of another task, read in the same pass, says nothing about this one.
		const mixed = `${harness.tmp}/mixed.dat`;
		writeFileSync(
			text,
			'# tracer: nop\n#\n' +
				line('sh', '99', '10.000100', 'sys_exit_group(error_code: 0)') +
				line('sh', '99', '10.000150', switched('prev_comm=sh prev_pid=99', `next_${idle} next_pid=0`)) +
				line('sh', '100', '10.000200', 'sys_exit_group(error_code: 0)') +
				line('sh', '100', '10.000400', 'sched_process_exit: comm=sh pid=100 prio=120')
		);
		harness.lines('convert', '-f', '-o', mixed, text);
		await endsAt(mixed, '10000400000');
		// Where the death was not recorded, the call is not drawn on.
		const undead = `${harness.tmp}/undead.dat`;
		writeFileSync(
			text,
			'# tracer: nop\n#\n' +
				line('sh', '100', '10.000200', 'sys_exit_group(error_code: 0)') +
				line('sh', '7', '12.000000', 'sys_exit_group(error_code: 0)')
		);
		harness.lines('convert', '-f', '-o', undead, text);
		await endsAt(undead, '10000200000', 'end');
		// Functions end with their task, too: these tasks never return from exit_group. Only the last calls end there: one
		// that others of its depth follow has ended before. The events lost in the third recording were dropped later.
		const dying = [
			['x64-61-fgraph', 808, 'functions'],
			['x64-61-fgraph-v6', 416, 'functions'],
			['x64-lab612-all-zstd', 446, 'syscalls'],
		];
		for (const [name, id, kind] of process.env.TDAT_SHARED ? dying : []) {
			const graph = `${process.env.TDAT_SHARED}/corpus/files/${name}.dat`;
			const [died] = harness.table(graph, 'thread_state').filter(({ pid, state }) => pid === id && state === 'dead');
			const { address } = await harness.serve(graph);
			const page = await harness.open(`${address}#row=${kind}:0:${id}`);
			const [end, ends] = await page.evaluate((key) => {
				const { picture } = window.tdat.timeline;
				const { cells } = picture.rows.get(key);
				const last = Math.max(...cells.map((one) => one.t1));
				const follows = (one) => cells.some(({ t0, depth }) => t0 > one.t0 && t0 < last && depth <= one.depth);
				return [
					String(picture.from + BigInt(last)),
					cells.filter((one) => one.t1 === last).map(follows),
				];
			}, `${kind}:0:${id}`);
			assert.equal(end, String(died.ts));
			assert.ok(ends.length > 0 && !ends.includes(true), `${name}: calls that end with task ${id}`);
		}
	},


	/** Tables sort by their headings, and CSV has all rows in that order. */
	async tables(harness) {
		const file = harness.fixture(SCHED);
		const types = new Map();
		const events = harness.events(file);
		for (const { event } of events) types.set(event, (types.get(event) ?? 0) + 1);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		await page.keyboard.press('2');
		await page.waitForSelector('#stats-types');
		// The tables that come last move the others.
		await page.waitForSelector('#sums-thread_state');
		await page.click('#stats-types th:first-child', { position: { x: 60, y: 8 } });
		const names = await page.$$eval('#stats-types td:first-child', (cells) => cells.map((cell) => cell.textContent));
		assert.deepEqual(names, [...names].sort((a, b) => a.localeCompare(b, 'en')));
		const { name, bytes } = await downloaded(page, () => page.click('#stats-types + .below button:last-child'));
		assert.equal(name, 'events-by-type.csv');
		const lines = bytes.toString().trimEnd().split('\r\n');
		assert.equal(lines.shift(), 'event,count');
		assert.deepEqual(new Map(lines.map((line) => [line.split(',')[0].split('/').pop(), Number(line.split(',')[1])])), types);
		// The fields of an event and the facts about the trace are such tables, too.
		const at = events.findIndex(({ event }) => event === 'sched_switch');
		await page.evaluate((number) => window.tdat.list.select(number, true), at);
		await page.waitForSelector('#event-fields');
		const fields = () => page.$$eval('#event-fields td:first-child', (cells) => cells.map((cell) => cell.textContent));
		const unsorted = await fields();
		await page.click('#event-fields .sort >> nth=0');
		assert.deepEqual(await fields(), [...unsorted].sort((a, b) => a.localeCompare(b, 'en')));
		const csv = await downloaded(page, () => page.click('#event-fields + .below button:last-child'));
		assert.equal(csv.name, 'fields-of-sched-sched_switch.csv');
		const saved = csv.bytes.toString().trimEnd().split('\r\n');
		assert.equal(saved[0], 'field,value,type');
		assert.ok(saved.includes(`next_pid,${events[at].fields.next_pid},pid_t`), String(saved));
		await page.click('#tab-trace');
		const trace = await downloaded(page, () => page.click('#trace-whole + .below button:last-child'));
		assert.ok(trace.bytes.toString().includes(`\r\nEvents,${events.length}\r\n`), trace.bytes.toString());
		// A name of one word is one line, however long the value is.
		await page.evaluate(() => {
			const { state } = window.tdat;
			state.trace.files[0].uname = 'Linux '.repeat(20) + 'x'.repeat(200);
			state.tell('trace');
		});
		const facts = await page.$$eval('#trace-file-0 td:first-child', (cells) =>
			cells.map((cell) => {
				const range = document.createRange();
				range.selectNodeContents(cell);
				return [cell.textContent, range.getClientRects().length];
			})
		);
		assert.ok(facts.length > 3 && facts.every(([, count]) => count === 1), String(facts));
		await page.click('#trace-file-0 .sort >> nth=0');
		assert.equal(await page.textContent('#trace-file-0 td'), 'Clock');
		const image = await downloaded(page, () => page.keyboard.press('i'));
		assert.equal(image.name, `${SCHED}.dat.png`);
		assert.equal(image.bytes.subarray(1, 4).toString(), 'PNG');
	},

	/** Notes of the user and of a query; the address keeps them. */
	async notes(harness) {
		const { address } = await harness.serve(harness.fixture(SCHED));
		const page = await harness.open(address);
		await page.mouse.move(600, 300);
		await page.keyboard.press('m');
		await page.keyboard.type('here, <b>slow</b>');
		await page.keyboard.press('Enter');
		await page.keyboard.press('Escape');
		await page.click('#sql-open');
		await page.fill('#sql', "SELECT ts, comm FROM events WHERE event = 'sched_switch' LIMIT 3");
		await page.click('#sql-run');
		await page.click('text=Mark these times');
		const notes = await page.evaluate(() => window.tdat.state.notes.map(({ ts, text }) => `${ts}:${text}`));
		assert.equal(notes.length, 4);
		assert.ok(notes.some((note) => note.endsWith(':here, <b>slow</b>')));
		await page.waitForFunction(() => location.hash.split('note=').length === 5);
		const again = await harness.open(page.url());
		assert.deepEqual(
			await again.evaluate(() => window.tdat.state.notes.map(({ ts, text }) => `${ts}:${text}`)),
			notes
		);
	},

	/** The list follows the window, and the window the list; the rows dialog has the busiest tasks of the window. */
	async follow(harness) {
		const file = harness.fixture(SCHED);
		const events = harness.events(file);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		await page.selectOption('#follow', 'list');
		const { ts } = events[700];
		await show(harness, page, ts, ts + 2000000n);
		const first = events.findIndex((event) => event.ts >= ts);
		await page.waitForFunction(
			(row) => document.getElementById('list-said').textContent.includes(`Rows ${row}\u2013`),
			first + 1
		);
		// So it does where the chosen event is in the window; the window that moves to show an event leaves the list there.
		const listIsAt = (row) =>
			page.waitForFunction((number) => document.getElementById('list-said').textContent.includes(`Rows ${number}\u2013`), row);
		await page.evaluate((row) => window.tdat.list.select(row, true), first + 2);
		await show(harness, page, events[600].ts, ts + 2000000n);
		await listIsAt(events.findIndex((event) => event.ts >= events[600].ts) + 1);
		await page.evaluate((row) => window.tdat.list.select(row, true), 5);
		await page.waitForFunction((at) => window.tdat.state.viewport.from <= BigInt(at), String(events[5].ts));
		await page.waitForTimeout(400);
		assert.ok(await page.isVisible('#list-rows .event[aria-selected="true"]'));
		await show(harness, page, ts, ts + 2000000n);
		await listIsAt(first + 1);
		await page.selectOption('#follow', 'picture');
		await page.hover('#list');
		await page.mouse.wheel(0, -3000);
		await page.waitForFunction((shown) => window.tdat.state.viewport.from !== BigInt(shown), String(ts));
		const [top] = /\d+/.exec(await page.textContent('#list-said'));
		const moved = await viewOf(page);
		assert.equal(moved.from, String(events[top - 1].ts));
		assert.equal(BigInt(moved.to) - BigInt(moved.from), 2000000n);
		await page.waitForFunction(() => location.hash.includes('follow=picture'));
		const again = await harness.open(page.url());
		assert.equal(await again.inputValue('#follow'), 'picture');
		await show(harness, page, ts, ts + 2000000n);
		await page.click('#rows-open');
		await page.click('#rows-busiest');
		const [from, to] = [ts, ts + 2000000n];
		const time = new Map();
		for (const row of harness.table(file, 'sched')) {
			const start = BigInt(row.ts);
			const end = row.dur === null ? events.at(-1).ts : start + BigInt(row.dur);
			const inside = Number((end < to ? end : to) - (start > from ? start : from));
			if (inside > 0 && row.pid !== 0) time.set(String(row.pid), (time.get(String(row.pid)) ?? 0) + inside);
		}
		await page.waitForFunction(
			(count) => window.tdat.state.rows.filter((key) => key.startsWith('task:')).length === count,
			Math.min(16, time.size)
		);
		const { rows } = await viewOf(page);
		const busiest = [...time].sort((a, b) => b[1] - a[1])[0][0];
		assert.equal(rows.find((key) => key.startsWith('task:')), `task:0:${busiest}`);
	},
};
