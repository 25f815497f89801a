# SPDX-License-Identifier: GPL-2.0-or-later
# No statement changes the file, or anything else.
# Expectation: by hand: no statement does anything but read; the sentences are those of SQLite or made by tdat
cp "$FIXTURES/valid/i386-61-v7-buffers.dat" t.dat
before=$(sha256sum t.dat)
run() {
	printf '> %s\n' "$1"
	"$TDAT" sql t.dat "$1" 2>&1 && echo "exit 0" || echo "exit $?"
}
run "DELETE FROM info"
run "INSERT INTO events VALUES (1)"
run "UPDATE sched_switch SET ts = 0"
run "CREATE TABLE t (a)"
run "CREATE TEMP TABLE t (a)"
run "CREATE VIEW v AS SELECT 1"
run "CREATE TRIGGER g AFTER INSERT ON sqlite_master BEGIN SELECT 1; END"
run "CREATE VIRTUAL TABLE v USING sched_switch"
run "DROP TABLE events"
run "ALTER TABLE events RENAME TO e"
run "ATTACH 'out.db' AS o"
run "VACUUM INTO 'out.db'"
run "SELECT load_extension('libm.so.6')"
run "PRAGMA user_version = 3"
run "PRAGMA journal_mode = WAL"
run "PRAGMA temp_store_directory = '/tmp'"
run "PRAGMA writable_schema = 1"
run "BEGIN"
run "SAVEPOINT s"
run "ANALYZE"
run "REINDEX"
run "DETACH main"
run "EXPLAIN DELETE FROM info"
run "SELECT writefile('out', 'x')"
run "WITH x AS (SELECT 1) DELETE FROM info"
run "PRAGMA table_info(info)"
run "SELECT name FROM pragma_table_info('tasks')"
run "SELECT value FROM json_each('[1,\"a\"]')"
[ "$before" = "$(sha256sum t.dat)" ] && ls
