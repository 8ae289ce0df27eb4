#!/bin/sh
# Offsets from counts, the exclusive scan's classic: words sorted by their first letter are one list; an index of where each
# letter begins and how many words it has finds them again without searching.
set -eu
export LC_ALL=C
pscan=${PSCAN:-pscan}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

tr -s ' ' '\n' <<'WORDS' | sort -u >"$work/words"
birch ash cedar alder beech oak maple elm chestnut apple walnut
ebony olive willow aspen cherry mahogany bamboo cypress balsa
WORDS

cut -c 1 "$work/words" | uniq -c >"$work/counts"
"$pscan" -e -f 1 "$work/counts" >"$work/offsets"
paste -d ' ' "$work/counts" "$work/offsets" |
	awk '{ printf "%s begins at %2d and has %d\n", $2, $3, $1 }' >"$work/index"
cat "$work/index"

# The words with c, by the index alone.
echo
awk '$1 == "c" { print $4, $7 }' "$work/index" | while read -r begin count; do
	tail -n "+$((begin + 1))" "$work/words" | head -n "$count" | paste -s -d ' ' -
done
