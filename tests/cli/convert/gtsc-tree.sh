# SPDX-License-Identifier: GPL-2.0-or-later
# A trace root is walked: its only trace, with the control files beside the data, and the
# trace's name as the event's. Of several traces one has to be named. A trace without data says
# what is missing.
# Expectation: by hand from the records below; the golden is made by tdat

mkdir -p root/do_fork root/do_exit bare/do_fork
printf '[1000] parent 1\n' >root/do_fork/trace0
printf '[2000] parent 2\n' >root/do_fork/trace1
printf '3\n' >root/do_fork/dropped
printf '1\n' | tee root/do_fork/state bare/do_fork/state bare/do_fork/nr_sub >/dev/null
"$TDAT" convert -o one.dat root
"$TDAT" dump -t one.dat
printf '[3000] left\n' >root/do_exit/trace0
! "$TDAT" convert -o two.dat root || exit 1
"$TDAT" convert -q -o two.dat root/do_exit
"$TDAT" dump -t two.dat
! "$TDAT" convert -o bare.dat --from gtsc bare || exit 1
