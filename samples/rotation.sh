#!/bin/sh
# A report from cron that counts each line of a log once, also where the log has grown, was rotated or did not change.
# The state file knows how much of each file was read, and the sum of each host.
set -eu
export LC_ALL=C
pscan=${PSCAN:-pscan}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cd "$work"

# report: the bytes of each host, by all lines so far. The rotated log comes first.
report() {
	echo "$1:"
	set -- access.log
	[ ! -e access.log.1 ] || set -- access.log.1 access.log
	"$pscan" -q --state=seen -g 1 -f 2 --total "$@"
}

printf 'ann 500\nbob 20\n' >access.log
report 'the first run'
printf 'ann 7\n' >>access.log
report 'a line more'
printf 'bob 1\n' >>access.log
mv access.log access.log.1
printf 'cat 300\n' >access.log
report 'rotated, with a line in each file'
report 'nothing new'
