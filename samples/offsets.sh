#!/bin/sh
# Offsets from counts. Sorted words are one list; an index says where each letter begins and how many words it has. The
# index finds the words of a letter without searching.
set -eu
export LC_ALL=C
pscan=${PSCAN:-pscan}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

tr -s ' ' '\n' <<'WORDS' | sort -u >"$work/words"
birch ash cedar alder beech oak maple elm chestnut apple walnut
ebony olive willow aspen cherry mahogany bamboo cypress balsa
WORDS

# Count, letter, offset: an exclusive sum of the counts.
cut -c 1 "$work/words" | uniq -c | "$pscan" -e -f 1 -a >"$work/index"
awk '{ printf "%s begins at %2d and has %d\n", $2, $3, $1 }' "$work/index"

# The words with c, by the index alone.
echo
awk '$2 == "c" { print $3, $1 }' "$work/index" | while read -r begin count; do
	tail -n "+$((begin + 1))" "$work/words" | head -n "$count" | paste -s -d ' ' -
done
