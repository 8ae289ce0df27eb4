#!/bin/sh
# Fill-forward: a status log notes changes only; what was the state in each hour? Hours with a note give their own number,
# the others 0, and the running maximum of these is the hour of the last note.
set -eu
export LC_ALL=C
pscan=${PSCAN:-pscan}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/notes" <<'NOTES'
2 booted
5 idle
6 busy
13 idle
19 stopped
NOTES

# Every hour from 1 to 24, with its note if it has one.
seq 24 | awk 'NR == FNR { note[$1] = $2; next } { print $1, note[$1] }' "$work/notes" - >"$work/hours"
awk '{ print $2 == "" ? 0 : $1 }' "$work/hours" | "$pscan" -op max >"$work/last"
paste -d ' ' "$work/last" "$work/hours" |
	awk 'NR == FNR { note[$1] = $2; next } { printf "%02d:00 %s\n", $2, $1 == 0 ? "unknown" : note[$1] }' "$work/notes" -
