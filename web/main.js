// SPDX-License-Identifier: GPL-2.0-or-later
// Starts the page: asks what the trace is, makes the parts and ties them together.

import { announce, byId, counted, grouped } from './text.js';
import { cpusInSight, isGroup, toggled } from './cpus.js';
import { formatSpan, formatTime, formatWindow, parseMoment } from './time.js';
import { factsWithout, groupedTasks, learnGroups, toggledKey } from './arrange.js';
import { CLOCKS, startClock } from './wall.js';
import { Viewport } from './viewport.js';
import { Store } from './store.js';
import { restoreTheme, startTheme } from './theme.js';
import { startBars, Tabs } from './panels.js';
import { LiveSource, wholeAnswer } from './api.js';
import { embeddedData, ReportSource } from './report.js';
import { dimCpus, firstRows, mayTellTasks, parseKey, rememberTask } from './rows.js';
import { Room } from './room.js';
import { startAnswers } from './answers.js';
import { Why } from './why.js';
import { flameOffers } from './flame.js';
import { Compare } from './compare.js';
import { Pair } from './pair.js';
import { foldOf } from './draw.js';
import { Timeline } from './timeline.js';
import { Legend } from './legend.js';
import { Pointer } from './pointer.js';
import { Overview } from './overview.js';
import { EventList } from './list.js';
import { startFollow } from './follow.js';
import { EventPane } from './eventpane.js';
import { SpanPane } from './spanpane.js';
import { TextPane } from './textpane.js';
import { TracePane } from './tracepane.js';
import { Markers } from './markers.js';
import { Filter } from './filter.js';
import { Search } from './search.js';
import { RowsDialog } from './rowsdialog.js';
import { Session } from './session.js';
import { SqlBox } from './sqlbox.js';
import { Banner } from './banner.js';
import { showFileTexts } from './filetext.js';
import { Keys } from './keys.js';
import { keyGroups, Steps } from './actions.js';

/** Shows a failure until it is closed, or what failed works again. */
function showFailure(error) {
	byId('notice-text').textContent = error?.message ?? String(error);
	byId('notice').hidden = false;
}

function makeState(trace) {
	const state = new Store({
		trace,
		inNs: trace.unit !== 'ticks',
		viewport: new Viewport(trace.from, trace.to),
		rows: [],
		/** Rows that are kept at the top, those that are folded, and what tasks are put below: '', process, cgroup. */
		pins: [],
		folds: [],
		group: '',
		clock: 'trace',
		/** What moves with the other: '', list, picture. */
		follow: '',
		/** Rows are not asked for while the view is being restored. */
		held: location.hash.length > 1,
		filter: '',
		filterFor: 'both',
		listFilter: '',
		pictureFilter: '',
		search: '',
		markA: null,
		markB: null,
		/** Places that the user named: { ts, text }, in the order of time. */
		notes: [],
		select: null,
		event: null,
		focusRow: null,
		cursor: null,
		/** The place that was clicked on the row of a task; what Why was asked, and the path of its answer. */
		spot: null,
		asked: null,
		why: null,
		/** The first side of a comparison: [from, to]. */
		compareA: null,
		details: false,
		pane: 'event',
		progress: null,
	});
	state.fail = showFailure;
	state.reveal = (ts) => {
		if (state.viewport.reveal(ts)) state.tell('window');
	};
	state.addRow = (key, comm) => {
		const { rec, id } = parseKey(key);
		if (comm) rememberTask(rec, id, comm);
		if (!state.rows.includes(key)) state.set({ rows: [...state.rows, key] });
		state.set({ focusRow: key });
	};
	state.pin = (key) => {
		if (state.rows.includes(key)) state.set({ pins: toggledKey(state.pins, key), focusRow: key });
	};
	state.visit = (from, to, key, comm) => {
		state.addRow(key, comm);
		const margin = (to - from) / 2n + 1n;
		state.set({ select: [from, to] });
		if (state.viewport.set(from - margin, to + margin)) state.tell('window');
	};
	return state;
}

/** The event that a click on the picture means: where a single interval begins, else the next one. */
async function eventAt(found, state, source) {
	const { type, rec, id } = found.key ? parseKey(found.key) : {};
	if (found.tick) return found.tick;
	const ofCpu = ['cpu', 'events', 'irq', 'softirq', 'lost'].includes(type);
	const ofTask = ['task', 'slices', 'syscalls', 'functions', 'kvm'].includes(type);
	const rows = await source.eventsAt({
		ts: found.begin ?? found.ts,
		count: state.trace.recordings.length > 1 ? 200 : 1,
		filter:
			type === 'event'
				? found.key.slice(6)
				: type === 'hits'
					? state.pictureFilter
					: undefined,
		cpus: ofCpu ? id : undefined,
		pids: ofTask ? id : undefined,
	});
	return rows.find((row) => !(ofCpu || ofTask) || row.rec === rec) ?? null;
}

function startGoto(state) {
	const box = byId('goto');
	const error = byId('goto-error');
	box.addEventListener('input', () => {
		error.hidden = true;
	});
	byId('goto-form').addEventListener('submit', (event) => {
		event.preventDefault();
		const { trace, viewport, inNs } = state;
		const ts = parseMoment(box.value, trace.from, trace.to, inNs);
		const isIn = ts !== null && ts >= trace.from && ts <= trace.to;
		error.hidden = isIn;
		if (ts === null) {
			error.textContent = inNs
				? `A time is ${trace.date ? '10:15:03.2, ' : ''}12.5, 12500ms, +1s or -1s.`
				: 'A time is a number of ticks.';
		} else if (!isIn) {
			error.textContent =
				`${formatTime(ts, 1n, inNs)} is outside the trace:\n` +
				`${formatTime(trace.from, 1n, inNs)} \u2013 ${formatTime(trace.to, 1n, inNs)}`;
		}
		if (!isIn) return;
		viewport.set(ts - viewport.span / 2n, ts - viewport.span / 2n + viewport.span);
		state.tell('window');
		announce(`At ${formatTime(ts, 1n, inNs)}`);
		byId('timeline').focus();
	});
}

/** Learns the names of tasks, and gives the rows that a trace begins with. */
function learnTasks({ tasks, total }, state, { rows, stats, span }) {
	const { trace } = state;
	for (const task of tasks) rememberTask(task.rec, task.pid, task.comm);
	return firstRows(trace, tasks, rows, {
		tells: total > 0,
		dim: stats ? dimCpus(stats, Number(span[1] - span[0])) : undefined,
	});
}

/** Asks for the tasks that ran longest, and for what else was recorded, and gives their rows. */
async function awaitTasks(answer, page) {
	const { state, source } = page;
	const tasks = await wholeAnswer(() => source.firstTasks(20), answer);
	const standard = learnTasks(tasks, state, await source.named(tasks.total > 0, state.trace));
	await page.room.start(standard);
	await page.room.full;
	state.roomFull = true;
	page.timeline.draw();
}

/** Learns what the tasks of the rows can be grouped by, of each task once. */
async function awaitGroups(page) {
	const { state, source } = page;
	const ask = async () => {
		const news = groupedTasks(state.rows).filter((task) => !page.groupsKnown.has(task));
		if (news.length === 0) return;
		const pids = new Set(news.map((task) => Number(task.split(':')[1])));
		learnGroups(await source.groupsOf([...pids], state.trace));
		for (const task of news) page.groupsKnown.add(task);
		state.tell('group');
	};
	page.groups = page.groups.then(ask).catch(showFailure);
	await page.groups;
}

/** Brings the page to a view that an address or a file names. */
async function applyView(facts, page) {
	const { state, filter, search, tabs, room } = page;
	const { viewport } = state;
	if (facts.rows || page.started) state.set({ rows: facts.rows ?? [...room.rows] });
	state.set({
		markA: facts.a ?? null,
		markB: facts.b ?? null,
		notes: facts.notes ?? [],
		pins: facts.pins ?? [],
		folds: facts.folds ?? [],
		group: ['process', 'cgroup'].includes(facts.group) ? facts.group : '',
		clock: CLOCKS.includes(facts.clock) ? facts.clock : 'trace',
		follow: ['list', 'picture'].includes(facts.follow) ? facts.follow : '',
		focusRow: facts.focus ?? null,
		select: facts.select ?? null,
		compareA: facts.compare ?? null,
	});
	if (facts.from !== undefined && facts.to !== undefined && facts.to > facts.from)
		viewport.set(facts.from, facts.to);
	else if (page.started || page.source.live) viewport.all();
	else viewport.set(...page.source.span);
	state.tell('window');
	if (tabs.names.includes(facts.pane ?? 'event')) tabs.open(facts.pane ?? 'event', false);
	tabs.toggle(facts.details ? facts.details === 'open' : Boolean(facts.pane || facts.event));
	page.why.restore(facts.why ?? '');
	await filter.apply(
		facts.filter ?? '',
		['both', 'list', 'picture'].includes(facts['filter-for'])
			? facts['filter-for']
			: 'both'
	);
	search.use(facts.search ?? '').catch(showFailure);
	state.set({ event: null });
	if (facts.event && facts['event-ts'] !== undefined) {
		const rows = await page.source.eventsAt({ ts: facts['event-ts'], count: 200 });
		const event = rows.find((row) => row.key === facts.event);
		if (event) await page.choose(event, { opens: false });
	}
}

function say(state) {
	const { viewport, inNs, select } = state;
	const step = viewport.perPixel(1000);
	const selected = select ? `, selected ${formatSpan(select[1] - select[0], inNs)}` : '';
	byId('span-said').textContent =
		formatWindow(viewport.from, viewport.to, step, inNs) + selected;
	byId('timeline').setAttribute(
		'aria-label',
		`Timeline from ${formatTime(viewport.from, step, inNs)} to ` +
			`${formatTime(viewport.to, step, inNs)}, ${counted(state.rows.length, 'row')}`
	);
}

function makePage(state, source) {
	const page = { state, source, started: false, groups: Promise.resolve(), groupsKnown: new Set() };
	page.timeline = new Timeline(state, source);
	page.room = new Room(state, source, page.timeline);
	page.legend = new Legend(state, page.timeline);
	/** Opens a row of several CPUs, a group or one of several lanes, or closes it. */
	state.fold = (key) => {
		const opens = page.timeline.picture?.rows.get(key)?.opens ?? [];
		if (isGroup(key)) state.set({ rows: toggled(key, opens, state.rows, state.trace), focusRow: key });
		else state.set({ folds: toggledKey(state.folds, key), focusRow: key });
	};
	page.overview = new Overview(state, source);
	page.list = new EventList(state, source, (event) => page.choose(event, { fromList: true }));
	page.choose = async (event, { fromList = false, opens = true, spot = null } = {}) => {
		state.reveal(event.ts);
		state.set({ event, spot });
		if (opens) page.tabs.open('event');
		if (!fromList) await page.list.showEvent(event);
	};
	page.pointer = new Pointer(state, page.timeline, async (found, { shiftKey }) => {
		const there = () => eventAt(found, state, source).catch(showFailure);
		if (shiftKey && page.pair.measure(await there())) return;
		page.why.note(found);
		const { spot } = state;
		const asks = page.why.explains(found);
		const event = await there();
		if (event) await page.choose(event, { opens: !asks, spot });
		if (asks) await page.why.ask(spot);
	});
	page.chooseCursor = async (event) => {
		const { cursor, focusRow } = state;
		if (!cursor && foldOf(focusRow, page.timeline.view)) state.fold(focusRow);
		if (cursor) await page.pointer.chosen({ key: cursor.key, ts: cursor.t0, cell: cursor.cell }, event);
	};
	page.filter = new Filter(state, source);
	page.search = new Search(state, source, page.overview, (event) => page.choose(event));
	page.markers = new Markers(state);
	page.steps = new Steps(state, page.timeline);
	page.tabs = new Tabs((facts) => state.set(facts));
	state.openPane = (name) => page.tabs.open(name);
	page.why = new Why(state, source);
	page.compare = new Compare(state, source);
	page.pair = new Pair(state, source);
	page.list.measured = (event) => page.pair.measure(event);
	page.eventPane = new EventPane(state, source, {
		addRow: state.addRow,
		offers: (details, again) => [...page.why.offers(), ...page.pair.offers(details, again)],
		filter: (text) => page.filter.apply(text),
	});
	page.spanPane = new SpanPane(state, source, (from, to) => [
		...page.why.offersFor(from, to),
		...flameOffers(state, source, from, to),
		...page.compare.offers(from, to),
	]);
	page.textPane = new TextPane(state, page.timeline);
	page.tracePane = new TracePane(state, source);
	page.banner = new Banner(state);
	page.rowsDialog = new RowsDialog(state, source, () => [...page.room.rows], () => awaitGroups(page));
	for (const fact of ['group', 'rows']) state.on(fact, () => state.group && awaitGroups(page));
	page.sqlBox = new SqlBox(state, source, page.markers);
	page.keys = new Keys(keyGroups({ ...page, keys: () => page.keys }));
	return page;
}

async function start() {
	startTheme();
	startBars();
	startAnswers();
	byId('notice-close').addEventListener('click', () => {
		byId('notice').hidden = true;
	});
	const data = embeddedData();
	const source = data && !data.live ? new ReportSource(data) : new LiveSource(data?.live);
	const [trace, tasks] = await Promise.all([source.trace(), source.firstTasks(20)]);
	const state = makeState(trace);
	state.live = source.live;
	state.rows = tasks.partial
		? firstRows(trace, [], [], { tells: mayTellTasks(trace) })
		: learnTasks(tasks, state, { rows: [] });
	document.title = `${trace.files.map((file) => file.name).join(', ')} \u2013 tdat view`;
	byId('title').textContent = trace.files.map((file) => file.name).join(', ');
	byId('title').title = trace.files.map((file) => file.path).join('\n');
	const page = makePage(state, source);
	const session = new Session(state, page.room.rows, (facts) => applyView(facts, page), source.view);
	let shown = state.rows;
	state.on('rows', () => {
		const gone = shown.filter((key) => !state.rows.includes(key));
		shown = state.rows;
		source.forget?.(gone);
		if (gone.length > 0) state.set(factsWithout(state, gone));
	});
	startClock(state);
	state.on('window select rows', () => say(state));
	state.on('selected', () => page.tabs.open('span'));
	state.on('picture rows', () => {
		const { count, total } = cpusInSight(page.timeline.keysInSight, trace);
		byId('cpus-said').textContent =
			count < total
				? `${grouped(count)} of ${counted(total, 'CPU')} in sight`
				: page.timeline.keysInSight.some(isGroup)
					? `all ${counted(total, 'CPU')} in sight`
					: '';
	});
	state.on('picture', () => {
		if (source.live) return;
		byId('list-said').title =
			`One pixel of this report: ${formatSpan(page.timeline.picture.resolution, state.inNs)}`;
	});
	byId('notice-retry').addEventListener('click', () => {
		byId('notice').hidden = true;
		source.forget?.(state.rows);
		page.timeline.ask(true);
		page.list.reload();
		page.overview.load().catch(showFailure);
	});
	state.absent = source.live ? '' : 'not in this report';
	startGoto(state);
	startFollow(state, page.list);
	window.tdat = page;
	showFileTexts(trace, source, page.tabs).catch(showFailure);
	page.timeline.drawn.then(() => {
		restoreTheme();
		page.list.reload();
		page.overview.load().catch(showFailure);
	});
	await session.restore();
	state.held = false;
	page.timeline.ask();
	page.started = true;
	say(state);
	await awaitTasks(tasks, page);
	page.ready = true;
}

start().catch(showFailure);
