// SPDX-License-Identifier: GPL-2.0-or-later
// How rows stand: kept at the top, moved by drag and keys, below their process or cgroup, folded; guests and hosts.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { pixel, placeOf, viewOf } from './harness.mjs';

/** The keys as they are shown. */
function shownRows(page) {
	return page.evaluate(() => [...window.tdat.timeline.layout.keys]);
}

/** The middle of a row's name. */
async function nameOf(page, key) {
	const { left, y } = await placeOf(page, key, 0);
	return { x: left - 100, y, pin: left - 12 };
}

export const rowCases = {
	/** The CPUs of a guest and the tasks of its host that they are stand together, joined where the host works. */
	async vcpus(harness) {
		execFileSync('python3', [`${harness.source}/tests/view/kvm_pair.py`, harness.tmp]);
		const [host, guest] = ['host', 'guest'].map((name) => `${harness.tmp}/${name}.dat`);
		const { address } = await harness.serve(host, guest);
		const page = await harness.open(address);
		const { rows } = await viewOf(page);
		for (const cpu of [0, 1])
			assert.equal(rows[rows.indexOf(`cpu:1:${cpu}`) + 1], `task:0:${500 + cpu}`, String(rows));
		// The list and the event name the file, as the rows do; the legend has the joins.
		const cpus = await page.$$eval('.event:not([hidden])', (all) => all.map((row) => row.children[2].textContent));
		for (const name of ['host', 'guest'])
			assert.ok(cpus.some((text) => new RegExp(`^\\d+ \u00b7 ${name}$`).test(text)), String(cpus));
		await page.evaluate(() => window.tdat.list.select(0, true));
		await page.waitForSelector('#pane-event dt:text("File")');
		assert.match(await page.textContent('#legend'), /host works for the guest/);
		const exits = harness.table(host, 'kvm').filter(({ pid }) => pid === 500);
		const cells = await page.evaluate(() => {
			const { picture } = window.tdat.timeline;
			return picture.rows.get('kvm:0:500').cells.map((one) => ({
				ts: Number(picture.from) + one.t0,
				dur: one.t1 - one.t0,
				name: one.name,
			}));
		});
		assert.deepEqual(cells, exits.map(({ ts, dur, reason }) => ({ ts, dur, name: reason })));
		assert.deepEqual(cells.map(({ name }) => name), ['IO_INSTRUCTION', 'HLT']);
		// The shade is there while the host works, and not while the guest runs.
		const at = async (ms) => {
			const { x, y } = await placeOf(page, 'cpu:1:0', BigInt(Math.round(ms * 1e6)));
			return { x, y, ink: await pixel(page, x, y + 4) };
		};
		const [inside, outside, later] = [await at(7), await at(11), await at(12)];
		assert.equal(outside.ink, later.ink);
		assert.notEqual(inside.ink, outside.ink);
		await page.mouse.move(inside.x, inside.y);
		assert.match(await page.textContent('#tip'), /kvm: HLT, for 4\.00\d* ms|kvm: HLT, for 4 ms/);
		const report = `${harness.tmp}/kvm.html`;
		harness.lines('view', '-f', '-o', report, host, guest);
		const still = await harness.open(`file://${report}`);
		assert.deepEqual((await viewOf(still)).rows.slice(0, 6), rows.slice(0, 6));
		assert.ok(await still.evaluate(() => window.tdat.timeline.picture.rows.get('kvm:0:500').cells.length === 2));
		const svg = harness.lines('view', '--svg', '-o', '-', '--row', 'kvm:0:500', host, guest).join('\n');
		assert.match(svg, />CPU 0\/KVM-500 kvm, rec 0</);
	},

	/** A row that is kept at the top stays there while others scroll; rows are moved; the address has it. */
	async pins(harness) {
		const { address } = await harness.serve(harness.fixture('s390x-61-v6-sched'));
		const page = await harness.open(address, { viewport: { width: 1000, height: 480 } });
		const first = await shownRows(page);
		const third = first[3];
		const { pin, y } = await nameOf(page, third);
		await page.mouse.move(pin, y);
		assert.match(await page.textContent('#tip'), /to keep the row at the top/);
		await page.mouse.click(pin, y);
		assert.deepEqual((await shownRows(page)).slice(0, 4), [third, ...first.slice(0, 3)]);
		await page.evaluate(() => window.tdat.timeline.scrollTo(1e6));
		await harness.settled(page);
		const seen = await page.evaluate(() => window.tdat.timeline.keysInSight);
		assert.ok(seen[0] === third && !seen.includes(first[0]) && seen.includes(first.at(-1)), String(seen));
		const cells = await page.evaluate((key) => window.tdat.timeline.picture.rows.get(key).cells.length, third);
		assert.ok(cells > 0);
		// Below the kept row its name is dragged out again, behind the first one.
		await page.evaluate(() => window.tdat.timeline.scrollTo(0));
		const from = await nameOf(page, third);
		const to = await nameOf(page, first[1]);
		await page.mouse.move(from.x, from.y);
		await page.mouse.down();
		await page.mouse.move(to.x, to.y - 6, { steps: 4 });
		await page.mouse.up();
		assert.deepEqual((await shownRows(page)).slice(0, 3), [first[0], third, first[1]]);
		const said = () => page.textContent('#said');
		const chosen = () => page.evaluate(() => window.tdat.state.focusRow);
		await page.keyboard.press('Alt+ArrowUp');
		assert.match(await said(), / is row 1 of \d+$/);
		await page.keyboard.press('k');
		assert.match(await said(), /: kept at the top$/);
		assert.equal(await chosen(), third);
		await page.waitForFunction(() => location.hash.includes('pin='));
		const rows = await shownRows(page);
		assert.deepEqual(rows.slice(0, 2), [third, first[0]]);
		const again = await harness.open(page.url(), { viewport: { width: 1000, height: 480 } });
		assert.deepEqual(await shownRows(again), rows);
		assert.deepEqual(await again.evaluate(() => window.tdat.state.pins), [third]);
		await page.keyboard.press('Delete');
		assert.match(await said(), / removed; at /);
		assert.equal(await chosen(), first[0]);
		assert.deepEqual(await shownRows(page), rows.slice(1));
		// No rows are a choice, too, which an address keeps, also for a report.
		await page.evaluate(() => window.tdat.state.set({ rows: [] }));
		await page.waitForFunction(() => location.hash.endsWith('row='));
		const none = await harness.open(page.url());
		assert.deepEqual(await shownRows(none), []);
		const report = `${harness.tmp}/none.html`;
		harness.lines('view', '-f', '-o', report, '--view', `${page.url()}&clock=utc`, harness.fixture('s390x-61-v6-sched'));
		assert.deepEqual(await shownRows(await harness.open(`file://${report}`)), []);
	},

	/** Tasks stand below their process or cgroup, which closes over them; what is not recorded cannot be chosen. */
	async groups(harness) {
		const text = `${harness.tmp}/groups.txt`;
		const dat = `${harness.tmp}/groups.dat`;
		const line = (pid, us, event) => `${'t'.padStart(16)}-${pid}   (  100) [000] d..2    10.${String(us).padStart(6, '0')}: ${event}`;
		const turn = (from, to) =>
			`sched_switch: prev_comm=t prev_pid=${from} prev_prio=120 prev_state=S ==> ` +
			`next_comm=t next_pid=${to} next_prio=120`;
		const moved = 'cgroup_attach_task: dst_root=1 dst_id=5 dst_level=1 dst_path=/a b pid=102 comm=t';
		writeFileSync(
			text,
			['# tracer: nop', '#', '#           TASK-PID    TGID    CPU#  ||||   TIMESTAMP  FUNCTION', line(101, 100, turn(101, 102)),
				line(102, 200, moved), line(102, 300, turn(102, 101)), line(101, 400, turn(101, 102)), ''].join('\n')
		);
		harness.lines('convert', '-f', '-q', '-o', dat, text);
		const { address } = await harness.serve(dat);
		const page = await harness.open(address);
		const tasks = (await shownRows(page)).filter((key) => key.startsWith('task:'));
		assert.deepEqual([...tasks].sort(), ['task:0:101', 'task:0:102']);
		await page.keyboard.press('r');
		await page.evaluate(() => window.tdat.groups);
		await page.selectOption('#rows-group', 'process');
		await page.click('#rows-close');
		const tail = async () => (await shownRows(page)).filter((key) => /^(task|process|cgroup):/.test(key));
		assert.deepEqual(await tail(), ['process:0:100', ...tasks]);
		await harness.settled(page);
		const { x, y } = await nameOf(page, 'process:0:100');
		await page.mouse.click(x, y);
		assert.deepEqual(await tail(), ['process:0:100']);
		await page.waitForFunction(() => location.hash.includes('group=process') && location.hash.includes('fold='));
		const again = await harness.open(page.url());
		await again.waitForFunction(() => !window.tdat.timeline.layout.keys.includes('task:0:101'));
		assert.deepEqual((await viewOf(again)).rows, (await viewOf(page)).rows);
		assert.deepEqual((await shownRows(again)).filter((key) => key.startsWith('process:')), ['process:0:100']);
		// The row of a process is shown once: at the top, or with its tasks below it.
		const head = 'process:0:100';
		await page.evaluate((key) => window.tdat.state.set({ folds: [], rows: [...window.tdat.state.rows, key], pins: [key] }), head);
		assert.equal((await shownRows(page))[0], head);
		assert.deepEqual(await tail(), [head, ...tasks]);
		await page.evaluate((key) => window.tdat.state.set({ focusRow: key }), head);
		await page.focus('#timeline');
		await page.keyboard.press('k');
		assert.match(await page.textContent('#said'), /process 100: released$/);
		assert.deepEqual(await tail(), [head, ...tasks]);
		assert.notEqual((await shownRows(page))[0], head);
		assert.ok(await page.evaluate((key) => window.tdat.timeline.layout.isMember(key), tasks[0]));
		await page.keyboard.press('k');
		assert.match(await page.textContent('#said'), /process 100: kept at the top$/);
		assert.ok(!(await page.evaluate((key) => window.tdat.timeline.layout.isMember(key), tasks[0])));
		// Nothing is left of a row that is removed: its tasks stand below their process again.
		await page.keyboard.press('Delete');
		assert.deepEqual(await tail(), [head, ...tasks]);
		await page.keyboard.press('r');
		await page.check(`[data-key="${head}"]`);
		await page.evaluate((key) => window.tdat.state.set({ pins: [key], focusRow: key, cursor: { key, t0: 0n, t1: 0n } }), head);
		await page.uncheck(`[data-key="${head}"]`);
		await page.click('#rows-close');
		const left = await page.evaluate(() => [window.tdat.state.pins, window.tdat.state.focusRow, window.tdat.state.cursor]);
		assert.deepEqual(left, [[], null, null]);
		// An address may still have such a pin.
		await page.evaluate((key) => window.tdat.state.set({ pins: [key] }), head);
		assert.deepEqual(await tail(), [head, ...tasks]);
		await page.evaluate(() => window.tdat.state.set({ pins: [] }));
		await page.evaluate(() => window.tdat.state.set({ group: 'cgroup' }));
		assert.deepEqual(await tail(), tasks[0] === 'task:0:102' ? ['cgroup:0:/a b', ...tasks] : [tasks[0], 'cgroup:0:/a b', tasks[1]]);
		await page.close();
		// Of more tasks and moves than are read at once: those of the rows are known, and what is left out is said.
		const many = [line(101, 100, turn(101, 102)), line(102, 101, turn(102, 101)), line(101, 102, turn(101, 2000))];
		for (let i = 0; i < 10100; i++)
			many.push(line(2000 + i, 200 + i, turn(2000 + i, 2001 + i)), line(1, 200 + i, moved.replace('102', '5')));
		many.push(line(1, 19000, moved));
		writeFileSync(text, ['# tracer: nop', '#', '#           TASK-PID    TGID    CPU#  ||||   TIMESTAMP  FUNCTION', ...many, ''].join('\n'));
		harness.lines('convert', '-f', '-q', '-o', dat, text);
		const full = await harness.open((await harness.serve(dat)).address);
		await full.evaluate(() => window.tdat.state.set({ rows: ['task:0:101', 'task:0:102'], group: 'process' }));
		await full.waitForFunction(() => window.tdat.timeline.layout.keys.join() === 'process:0:100,task:0:101,task:0:102');
		// The name of a row's task comes with the row: api/tasks is asked for the first tasks only.
		assert.ok((await full.evaluate(() => window.tdat.source.firstTasks(20))).tasks.every(({ pid }) => pid !== 9000));
		await full.evaluate(() => window.tdat.state.set({ rows: ['task:0:9000'], group: '' }));
		await full.waitForFunction(() => window.tdat.timeline.picture.rows.has('task:0:9000'));
		await full.keyboard.press('ArrowDown');
		assert.equal(await full.textContent('#said'), 'task t-9000');
		await full.evaluate(() => window.tdat.state.set({ rows: ['task:0:101', 'task:0:102'], group: 'process' }));
		await full.keyboard.press('r');
		await full.waitForFunction(() =>
			/^last cgroup \(the last 10.000 of 10.101 moves\)$/.test(document.querySelector('#rows-group option[value="cgroup"]').text)
		);
		await full.selectOption('#rows-group', 'cgroup');
		await full.waitForFunction(() => window.tdat.timeline.layout.keys.join() === 'task:0:101,cgroup:0:/a b,task:0:102');
		await full.close();
		const other = await harness.open((await harness.serve(harness.fixture('s390x-61-v6-sched'))).address);
		// What could not be asked once is asked again. It is asked of the rows that fill the page.
		await other.waitForFunction(() => window.tdat.state.roomFull);
		await other.route('**/api/tasks?*pids*', (route) => route.abort());
		other.expected = /ERR_FAILED/;
		await other.keyboard.press('r');
		await other.waitForSelector('#notice:not([hidden])');
		await other.unroute('**/api/tasks?*pids*');
		const pids = other.waitForRequest(/api\/tasks\?.*pids/);
		await other.click('#rows-close');
		await other.keyboard.press('r');
		await pids;
		await other.waitForFunction(() => document.querySelector('#rows-group option[value="cgroup"]').disabled);
	},

	/** Alt and arrows move a group past the next one, and a row within its group, wherever the rows of others lie. */
	async moves(harness) {
		const { address } = await harness.serve(harness.fixture('s390x-61-v6-sched'));
		const page = await harness.open(address);
		await page.evaluate(() => {
			// Tasks 1 and 4 are of process 10, task 2 is of 20, task 3 of none.
			const tasks = [[1, 10], [2, 20], [4, 10]].map(([pid, tgid]) => ({ rec: 0, pid, tgid }));
			window.tdat.source.groupsOf = async () => ({ tasks, moves: [], total: 0 });
			window.tdat.state.set({ rows: [1, 2, 3, 4].map((pid) => `task:0:${pid}`), group: 'process' });
		});
		const [p10, p20, t1, t2, t3, t4] = ['process:0:10', 'process:0:20', ...[1, 2, 3, 4].map((pid) => `task:0:${pid}`)];
		const isShown = (...keys) =>
			page.waitForFunction((want) => window.tdat.timeline.layout.keys.join() === want, keys.join());
		const press = (key, focusRow) =>
			page.evaluate((row) => window.tdat.state.set({ focusRow: row }), focusRow).then(() => page.keyboard.press(key));
		await isShown(p10, t1, t4, p20, t2, t3);
		await press('Alt+ArrowUp', p20);
		await isShown(p20, t2, p10, t1, t4, t3);
		assert.match(await page.textContent('#said'), / is row 1 of 6$/);
		await press('Alt+ArrowDown', p20);
		await isShown(p10, t1, t4, p20, t2, t3);
		await press('Alt+ArrowDown', t1);
		await isShown(p10, t4, t1, p20, t2, t3);
		await press('Alt+ArrowDown', t1);
		await isShown(p10, t4, t1, p20, t2, t3);
		assert.match(await page.textContent('#said'), / stays row 3 of 6$/);
		await press('Alt+ArrowUp', t3);
		await isShown(p10, t4, t1, t3, p20, t2);
		await press('Alt+ArrowUp', t3);
		await isShown(t3, p10, t4, t1, p20, t2);
		// A head that is dragged into another group stands before or behind it.
		const from = await nameOf(page, p20);
		const to = await nameOf(page, t1);
		await page.mouse.move(from.x, from.y);
		await page.mouse.down();
		await page.mouse.move(to.x, to.y - 4, { steps: 4 });
		await page.mouse.up();
		await isShown(t3, p20, t2, p10, t4, t1);
		// A head says how many rows it has; they are removed with it, and only they can be kept at the top.
		await page.evaluate(() => {
			window.texts = [];
			const fill = CanvasRenderingContext2D.prototype.fillText;
			CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
				window.texts.push(text);
				return fill.call(this, text, ...place);
			};
			window.tdat.timeline.draw();
		});
		await page.waitForFunction(() => window.texts.some((text) => /process 10 \(2 rows\)$/.test(text)));
		await press('k', p10);
		assert.match(await page.textContent('#said'), /process 10: only its rows can be kept at the top$/);
		// The dialog has the rows in the same order.
		await page.keyboard.press('r');
		const names = () => page.$$eval('#rows-shown span', (all) => all.map((one) => one.textContent));
		assert.deepEqual(await names(), ['task 3', 'process 20', 'task 2', 'process 10', 'task 4', 'task 1']);
		await page.click('#rows-shown button[aria-label="Up: process 10"]');
		assert.deepEqual(await names(), ['task 3', 'process 10', 'task 4', 'task 1', 'process 20', 'task 2']);
		await page.click('#rows-close');
		await press('Delete', p10);
		assert.match(await page.textContent('#said'), /process 10, 2 rows, removed; at process 20$/);
		await isShown(t3, p20, t2);
	},

	/** Functions in several lanes close to one. */
	async lanes(harness) {
		const { address } = await harness.serve(harness.fixture('i386-61-fgraph'));
		const page = await harness.open(address);
		const found = await page.waitForFunction(() => {
			const { view, layout } = window.tdat.timeline;
			return layout.keys.find((one) => one.startsWith('functions:') && view.lanesOf(one) > 1);
		});
		const key = await found.jsonValue();
		await harness.settled(page);
		await page.evaluate((one) => window.tdat.timeline.showRow(one), key);
		const heightOf = () =>
			page.evaluate((one) => {
				const { layout } = window.tdat.timeline;
				return layout.heights[layout.keys.indexOf(one)];
			}, key);
		const before = await heightOf();
		const { x, y } = await nameOf(page, key);
		await page.mouse.click(x, y);
		assert.ok((await heightOf()) < before);
		// A reload keeps the rows that filled the page before the row was closed.
		await page.waitForFunction(() => location.hash.includes('fold='));
		const again = await harness.open(page.url());
		assert.deepEqual(await shownRows(again), await shownRows(page));
		await page.keyboard.press('Enter');
		assert.equal(await heightOf(), before);
	},

	/** A row of a query draws no end that is not known, and says which intervals it lacks. */
	async sqlends(harness) {
		const file = harness.fixture('x64-lab612-lost-v6');
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		if (!(await page.isVisible('#sql-open'))) return;
		const row = (key) => page.evaluate((one) => window.tdat.timeline.picture.rows.get(one), key);
		const shown = async (query) => {
			await page.keyboard.press('q');
			await page.fill('#sql', query);
			await page.keyboard.press('Control+Enter');
			await page.click('#sql-answer button:text("Show as a row")');
			const key = `sql:0:${query}`;
			await page.waitForFunction(
				(one) => window.tdat.timeline.picture?.rows.get(one)?.pending === false && window.tdat.timeline.settled,
				key
			);
			return key;
		};
		const states = harness.table(file, 'thread_state').filter(({ dur }) => dur === null);
		const ends = states.filter(({ open }) => open === 'end').length;
		assert.ok(ends > 0 && ends < states.length, `${ends} of ${states.length}`);
		for (const [columns, known] of [
			['ts, dur, open, state', ends],
			['ts, dur, state', 0],
		]) {
			const key = await shown(`SELECT ${columns} FROM thread_state WHERE dur IS NULL ORDER BY ts`);
			const { cells, cut } = await row(key);
			assert.equal(cells.length, states.length);
			assert.equal(cut, '');
			assert.equal(cells.filter(({ t0, t1, open }) => t1 > t0 && open === 'end').length, known);
			assert.ok(cells.every(({ t0, t1, open, name }) => (t1 > t0 ? open === 'end' : name !== 'lost')));
			const { from } = await page.evaluate(() => window.tdat.timeline.picture);
			const mark = cells.find(({ open, depth }) => open !== 'end' && depth === 0);
			await page.evaluate((one) => window.tdat.timeline.showRow(one), key);
			await harness.settled(page);
			const { x, y } = await placeOf(page, key, from + BigInt(mark.t0));
			const height = await page.evaluate((one) => {
				const { keys, heights } = window.tdat.timeline.layout;
				return heights[keys.indexOf(one)];
			}, key);
			await page.mouse.move(x, y - height / 2 + 6);
			await page.waitForSelector('#tip:not([hidden])');
			const ending = known > 0 ? /its end was lost|has no end/ : /its end is unknown/;
			assert.match(await page.textContent('#tip'), ending);
			assert.doesNotMatch(await page.textContent('#tip'), /for 0 ns/);
		}
		const first = harness.events(file)[0].ts;
		const numbers = 'WITH RECURSIVE c(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM c WHERE x < 10099)';
		const long = await shown(`${numbers} SELECT ${first} + x AS ts, 1000000 AS dur, 'a  b' AS name FROM c`);
		const said = 'only the first 10\u2009000 rows of the answer are drawn; 9\u2009936 intervals omitted: more than 64 overlap';
		const { cells, cut } = await row(long);
		assert.deepEqual([cells.length, cells[0].name, cut], [64, 'a  b', said]);
		assert.equal(await page.textContent('#said'), `SQL: ${said}`);
		await page.evaluate(() => window.tdat.tabs.open('text'));
		await page.waitForFunction(
			(text) => [...document.querySelectorAll('#text-rows tr')].some((one) => one.textContent.includes(text)),
			said
		);
	},
};
