#!/bin/sh
# alive.sh COMMAND...: runs the command, with a line every 8 seconds that says for how long it has been running.
set -u
start=$(date +%s)

clock() {
	pause=
	trap 'kill $pause 2>/dev/null; exit' TERM
	while kill -0 $$ 2>/dev/null; do
		sleep "${ALIVE_SECONDS:-8}" >/dev/null 2>&1 &
		pause=$!
		wait $pause
		printf '  ... %d s\n' $(($(date +%s) - start))
	done
}
clock &
clock=$!
trap 'kill $clock 2>/dev/null' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
"$@"
