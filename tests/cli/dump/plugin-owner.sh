# SPDX-License-Identifier: GPL-2.0-or-later
# Plugins are code: a folder, or an object in it, that others own or can write is
# refused with one sentence.
# Expectation: made by tdat, proves only that nothing changed; by hand: which folders are
# refused, and which object is loaded
f=$FIXTURES/valid/i386-61-function.dat
mkdir mine theirs
umask 022
chmod 755 mine
: >mine/plugin_x.so
: >mine/.hidden.so
: >mine/readme.txt
chmod 666 mine/readme.txt
cp -r mine linked
chmod 777 theirs

try() {
	"$TDAT" dump --plugin-dir "$1" "$f" >out 2>err && rc=0 || rc=$?
	echo "$1: exit $rc, $(wc -l <out) lines, $(cat err)"
}

try mine
try none
try theirs
chmod 664 mine/.hidden.so
try mine
chmod 644 mine/.hidden.so
ln -sf ../theirs/evil.so linked/plugin_x.so
: >theirs/evil.so
chmod 777 theirs/evil.so
try linked

# Only there is looked: not in the folders that libtraceevent knows by itself.
chmod 644 mine/plugin_x.so
mkdir -p home/.local/lib/traceevent/plugins env
: >home/.local/lib/traceevent/plugins/plugin_home.so
: >env/plugin_env.so
HOME=$PWD/home TRACEEVENT_PLUGIN_DIR=$PWD/env LD_DEBUG=files \
	"$TDAT" dump --plugin-dir mine "$f" 2>&1 >/dev/null | grep -o 'file=[^ ]*plugin_[a-z]*.so' |
	sort -u

if [ "$(id -u)" = 0 ]; then
	chown 12345 mine/plugin_x.so
	"$TDAT" dump --plugin-dir mine "$f" 2>err && echo "another's plugin was loaded"
	grep -q 'mine/plugin_x.so: belongs to user 12345: plugins are code' err || cat err
fi
