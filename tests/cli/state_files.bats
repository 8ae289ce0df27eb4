#!/usr/bin/env bats
# --state: how an input file is recognised, row by row of the table at the top of src/state/match.c, and what
# --alike decides. tests/tools/state_days.py runs through days of logs.
# shellcheck disable=SC2154,SC2034 # code, out and err are set by run_pscan; PROLOGUE is python's

load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return 1
}

PROLOGUE='
import sys
import state_file
'

# lines NUMBER...: each as a line, with a word before it.
lines() { printf 'n %s\n' "$@"; }

# total ARGUMENT...: the sum of the second fields over all runs.
total() { run_pscan -q --total -f 2 --state=state "$@"; }

# begin: another state, without files.
begin() { rm -rf -- ./*; }

# gives SUM WHAT FILE...: a run of these says that; "": that nothing is new.
gives() {
	total "${@:3}"
	assert_scanned "$1" "$2"
}

# in_doubt NAME OTHER FILE...: a run of these files is refused for that one, which may be a copy of another; nothing was
# touched.
in_doubt() {
	cp state before
	total "${@:3}"
	assert_equal "$code $out" '2 '
	assert_contains "$err" "$1: it begins with the "
	assert_contains "$err" "bytes that were read from \"$PWD/$2\": a copy of it, or another log that begins alike? (say --alike=copy or --alike=new)"
	cmp state before
	[ ! -e .state.pscan-state ]
}

# decided COPY NEW FILE...: what --alike makes of it, either way; then the state is as before.
decided() {
	cp state before
	gives "$1" 'a copy' --alike=copy "${@:3}"
	cp before state
	gives "$2" 'a file of its own' --alike=new "${@:3}"
	cp before state
}

@test "its own fits: a log that was cut and begins as it did before goes on after what was taken since" {
	lines 1 2 3 >log
	gives 6 'first' log
	lines 1 2 >log
	gives 9 'cut, and begun anew' log
	lines 3 >>log
	cp state kept
	gives 12 'as long as it was before' log
	cp kept state
	lines 4 >>log
	gives 16 'longer than it was before' log
	gives '' 'nothing is new' log
	# So it is where what it had before lies in a file that the state does not know.
	begin
	lines 1 2 3 >log
	gives 6 'first' log
	cp log log.1
	: >log
	gives 6 'cut' log
	lines 1 2 3 >>log
	gives 12 'the very bytes again' log
}

@test "its own fits: one that is there has less, or other bytes" {
	lines 1 2 >log.1
	lines 1 >log
	gives 4 'both' log.1 log
	lines 2 3 >>log
	gives 9 'there, with less' log.1 log
	# More bytes, but others.
	begin
	lines 1 2 >log.1
	lines 1 >log
	gives 4 'both' log.1 log
	lines 5 6 7 >>log.1
	lines 2 4 >>log
	gives 28 'there, with others' log log.1
}

@test "its own fits, and it may be a copy: in doubt" {
	lines 1 2 >log.1
	lines 1 >log
	gives 4 'both' log.1 log
	lines 2 >>log
	in_doubt log log.1 log.1 log
	in_doubt log log.1 log
	decided '' 6 log.1 log
	# The other one has a new name, which is not said.
	mv log.1 elsewhere
	in_doubt log log.1 log
	rm elsewhere
	in_doubt log log.1 log
	decided '' 6 log
	# The empty file of a rotated log.
	begin
	lines 7 >log
	gives 7 'first' log
	mv log log.1
	: >log
	gives '' 'rotated' log.1 log
	lines 7 >>log
	in_doubt log log.1 log.1 log
	decided '' 14 log.1 log
	# With more it may be a copy on a used inode, to which lines were appended.
	lines 1 >>log
	in_doubt log log.1 log.1 log
	decided 8 15 log.1 log
	# One of copytruncate.
	begin
	lines 7 >log
	gives 7 'first' log
	cp log log.1
	: >log
	gives '' 'cut' log.1 log
	assert_equal "$("$PSCAN" --show-state=state | grep -c "^input.*0$")" 1
	lines 7 >>log
	in_doubt log log.1 log.1 log
	decided '' 14 log.1 log
}

@test "its own fits, and another one that had more was cut: in doubt" {
	lines 1 >log.1
	lines 1 2 >log
	gives 4 'both' log.1 log
	cp log log.1
	lines 9 >log
	in_doubt log.1 log log.1
	decided '' 6 log.1
	in_doubt log.1 log log.1 log
	gives 13 'the log alone' log
}

@test "its own fits not: it was cut, or was overwritten by what another one had before it was cut" {
	lines 5 >log.1
	lines 1 2 >log
	gives 8 'both' log.1 log
	lines 3 >>log
	cp log log.1
	: >log
	touch -d '2020-01-01 10:00' log.1
	touch -d '2020-01-01 10:01' log
	cp state kept
	gives 11 'copied before it was cut' log.1 log
	gives '' 'nothing is new' log.1 log
	# But if that was written to after it was cut, it may have been begun so.
	cp kept state
	touch -d '2020-01-01 10:02' log.1
	in_doubt log.1 log log.1 log
	decided 11 14 log.1 log
	# Two that look as if they had changed places: the log began as the one before it did.
	begin
	lines 1 >log.1
	lines 2 >log
	gives 3 'both' log.1 log
	cp log log.1
	lines 1 >log
	touch -d '2020-01-01 10:00' log.1
	touch -d '2020-01-01 10:01' log
	in_doubt log log.1 log.1 log
	decided '' 4 log.1 log
}

@test "its own fits not, and it begins as one that is there, gone, or as itself long before: in doubt" {
	lines 1 >log.1
	lines 2 3 >log
	gives 6 'both' log.1 log
	lines 1 >log
	in_doubt log log.1 log.1 log
	decided '' 7 log.1 log
	rm log.1
	in_doubt log log.1 log
	decided '' 7 log
	begin
	lines 1 >log
	gives 1 'first' log
	lines 2 >log
	gives 3 'second' log
	lines 1 >log
	in_doubt log log log
	decided '' 4 log
	lines 4 >>log
	in_doubt log log log
	decided 7 8 log
}

@test "a file that is not known is a copy of one that is there, or of one that is gone, with a warning" {
	lines 1 2 >log
	gives 3 'first' log
	cp log copy
	cp state kept
	run_pscan --total -f 2 --state=state copy
	assert_equal "$code $out" '0 '
	assert_contains "$err" "copy: it begins with the 8 bytes that were read from \"$PWD/log\", and is taken for a copy of it (if it is not: again from the state of before, with --alike=new)"
	# Now it is known.
	cp state before
	run_pscan --total -f 2 --state=state copy
	assert_equal "$code $out $err" '0  pscan: warning: --state: all of these files were read in earlier runs: nothing to do'
	cmp state before
	assert_equal "$("$PSCAN" --show-state=state | grep -c ^input)" 2
	assert_equal "$("$PSCAN" --show-state=state | grep -E '^(runs|elements)' | tr '\t\n' '  ')" 'runs 1 elements 2 '
	lines 4 >>copy
	gives 7 'it grows' copy
	lines 4 >>log
	in_doubt log copy log
	lines 8 >>log
	gives 19 'more than the copy has' log
	cp kept state
	rm copy
	cp log copy
	rm log
	gives 15 'the other one is gone' copy
	# Of its own, if one says so.
	begin
	lines 1 2 >log
	gives 3 'first' log
	cp log day
	decided '' 6 day
	mkdir aside
	mv log aside
	decided '' 6 day
}

# warned FILE OTHER: a run of the file says that it is taken for a copy of what was taken of the other one.
warned() {
	run_pscan --total -f 2 --state=state "$1"
	assert_equal "$code $out" '0 '
	assert_contains "$err" "$1: it begins with the 4 bytes that were read from \"$PWD/$2\", and is taken for a copy of it"
}

@test "what an inode had before is gone: a file that is not known is its copy with a warning, however old" {
	lines 1 >log
	gives 1 'first' log
	lines 2 >log
	gives 3 'cut, and other lines' log
	lines 1 >copy
	touch -d '2020-01-01 10:00' copy
	warned copy log
	# There is no warning where the log was cut since it was read last.
	: >log
	lines 2 >copy.2
	touch -d '2020-01-01 10:00' copy.2
	total copy.2
	assert_scanned '' 'copied before the log was cut'
}

@test "a file that has the name of one that is gone goes on after it; of one that has another name now it is a copy with a warning" {
	mkdir aside
	lines 1 >log
	gives 1 'first' log
	# (Aside it is not looked for, and keeps its inode from the new file.)
	mv log aside
	lines 1 2 >log
	cp state before
	gives 3 'replaced' log
	cp before state
	gives 3 'replaced, whatever is said of copies' --alike=new log
	begin
	lines 1 >log
	gives 1 'first' log
	mv log log.1
	lines 1 >log
	warned log log
}

@test "a file is in a state once, and what an inode had before is while no other file is known by these bytes" {
	files() { assert_equal "$("$PSCAN" --show-state=state | grep ^input | sed "s|$PWD/||" | tr '\t\n' '  ')" "$1 "; }
	lines 1 >log
	gives 1 'first' log
	lines 2 >>log
	gives 3 'it grows' log
	files 'input log 8'
	lines 9 >log
	gives 12 'cut, and other lines' log
	files 'input log 8 input log 4'
	# By copytruncate.
	begin
	lines 1 >log
	gives 1 'first' log
	cp log log.1
	lines 9 >log
	touch -d '2020-01-01 10:00' log.1
	gives 10 'copied, and cut' log.1 log
	files 'input log.1 4 input log 4'
	# So it is where the file that was copied to was there, and empty.
	begin
	: >log.1
	lines 1 >log
	gives 1 'first' log.1 log
	cp log log.1
	lines 9 >log
	touch -d '2020-01-01 10:00' log.1
	gives 10 'copied, and cut' log.1 log
	files 'input log.1 4 input log 4'
}

# may_be NAME BYTES OTHER FILE...: a run of these files is refused for that one, which may be the first bytes of another
# one that cannot be looked at; nothing was touched.
may_be() {
	cp state before
	total "${@:4}"
	assert_equal "$code $out" '2 '
	assert_contains "$err" "$1: it may be the first $2 bytes that were read from \"$PWD/$3\", which can no longer be compared: a copy of them, or another log that begins alike? (say --alike=copy or --alike=new)"
	cmp state before
}

@test "the first lines of a log that was cut, or is gone, are in doubt; a file with other bytes is new" {
	for lines in 4 3000; do
		for way in cut 'cut, and read since' removed replaced compressed; do
			begin
			seq "$lines" | sed 's/^/n /' >log
			sum=$((lines * (lines + 1) / 2))
			head -n $((lines / 2)) log >half
			bytes=$(wc -c <half)
			half=$((lines * (lines + 2) / 8)) # of half of the numbers
			gives "$sum" "$way: first" log
			name=log
			case $way in
			cut) lines 9 >log ;;
			cut*) lines 9 >log && gives $((sum += 9)) 'cut' log ;;
			removed) mkdir aside && mv log aside ;;
			replaced) mkdir aside && mv log aside && lines 9 >log && gives $((sum += 9)) 'replaced' log ;;
			compressed) gzip log && mv log.gz log.1.gz && name=log.1.gz && gives '' 'compressed' log.1.gz ;;
			esac
			may_be half "$bytes" "$name" half
			[ ! -e log ] || may_be half "$bytes" "$name" half log
			[ ! -e log ] || may_be half "$bytes" "$name" log half
			decided '' $((sum + half)) half
			# With more lines it is no part: other lines, too.
			cp state kept
			lines 12345678 >>half
			if [ "$lines" = 4 ]; then
				gives $((sum + half + 12345678)) "$way: other lines" half
			fi
			cp kept state
			lines 2 1 >other
			gives $((sum + 3)) "$way: another file" other
		done
	done
	# A log that begins as itself long before is new, as one is that begins as it did before it was cut.
	begin
	for numbers in '1 2 3' '9' '1 2'; do
		# shellcheck disable=SC2086 # some numbers
		lines $numbers >log
		total log
	done
	assert_scanned 18 'cut twice'
	# So is a log of which only the header, and the beginning of the first record, are those of one that was cut.
	begin
	header=time,$(printf '%0500d' 7),v
	printf '%s\n2024-01-01T00:00,x,1\n2024-01-01T01:00,x,2\n' "$header" >log
	run_pscan -q --csv -f v --total --state=state log
	assert_equal "$code ${out#*$'\n'}" '0 3'
	printf '%s\n' "$header" >log
	printf '%s\n2024-01-02T00:00,%020d,4\n' "$header" 1 >day
	run_pscan -q --csv -f v --total --state=state day
	assert_equal "$code ${out#*$'\n'}" '0 7'
}

@test "the first bytes of raw numbers that are gone are in doubt" {
	printf '\1\2\3\4' >data
	printf '\1\2' >half
	printf '\1\3' >other
	sums() { run_pscan -q -t u8:u16 --format=binary --output-format=text --total --state=state "$@"; }
	sums data
	assert_scanned 10 'first'
	rm data
	sums half
	assert_equal "$code $out" '2 '
	assert_contains "$err" 'half: it may be the first 2 bytes'
	sums other
	assert_scanned 14 'other numbers'
}

@test "a file that is named twice in a run counts once, by whatever names" {
	lines 1 2 >log
	mkdir aside
	ln log aside/hard
	ln -s log soft
	for names in 'log log' 'log aside/hard' 'aside/hard log' 'log soft' 'soft log' './log aside/../log soft aside/hard'; do
		rm -f state
		# shellcheck disable=SC2086 # some names
		gives 3 "$names" $names
		lines 4 >>log
		# shellcheck disable=SC2086
		gives 7 "$names: it grows" $names
		lines 1 2 >log
	done
	rm -f state
	# shellcheck disable=SC2094 # it only reads
	run_pscan -q --total -f 2 --state=state log - <log
	assert_scanned 3 'the standard input, too'
}

@test "a file that is not known and is no copy of one that is there, which it begins with: in doubt" {
	lines 1 2 >log
	gives 3 'first' log
	cp log new
	lines 4 >>new
	in_doubt new log new
	in_doubt new log log new
	decided 7 10 log new
	# The same if that has grown, by other lines.
	lines 5 >>log
	in_doubt new log new
	# Rotated by a new name that is not said.
	begin
	lines 1 >log
	gives 1 'first' log
	lines 2 >>log
	mv log log.1
	lines 1 5 >log
	in_doubt log log log
	in_doubt log log log.1 log
	decided 6 7 log
}

@test "two files that were copies of each other: their new bytes count once, or are in doubt" {
	lines 1 2 >log
	gives 3 'first' log
	cp log copy
	gives '' 'a copy' log copy
	lines 4 >>log
	cp log copy
	cp state before
	cp state kept
	total log copy
	assert_equal "$code $out" '2 '
	assert_contains "$err" 'log and copy begin with the same bytes, which were read before, and both have more (if one is a copy, read it first, alone; else --alike=new)'
	cmp state before
	gives 7 'one' log
	in_doubt copy log copy
	cp kept state
	lines 8 >>copy
	total log copy
	assert_equal "$code $out" '2 '
	lines 1 2 16 >copy
	gives 23 'other lines' log copy
}

@test "two files that look as copies of what a log was before it was cut: the later one may have begun alike" {
	lines 1 >log
	gives 1 'first' log
	cp log log.2
	: >log
	lines 1 >log.1
	touch -d '2020-01-01 10:00' log.2
	touch -d '2020-01-01 10:01' log.1
	touch -d '2020-01-01 10:02' log
	cp state before
	total log.2 log.1 log
	assert_equal "$code $out" '2 '
	assert_contains "$err" 'log.2 and log.1 begin with the same bytes, which were read before (if one is a copy, read it first, alone; else --alike=new)'
	cmp state before
	gives '' 'the copy' log.2
	gives 2 'the other one' --alike=new log.2 log.1 log
}

@test "a header alone that was taken is no record, by a header of a name in CSV neither" {
	for options in '-H -d, -f 2' '--csv -f v'; do
		begin
		printf 'k,v\n' >day.1
		# shellcheck disable=SC2086 # some words
		run_pscan $options --total --state=state day.1
		assert_equal "$code" 0
		printf 'k,v\na,5\n' >day
		# shellcheck disable=SC2086
		run_pscan $options --total --state=state day.1 day
		assert_equal "$options: $code ${out##*$'\n'}" "$options: 0 5"
		# shellcheck disable=SC2086
		run_pscan $options --total --state=state day.1 day
		assert_equal "$options: $code $out" "$options: 0 "
	done
}

@test "raw numbers, and lines without an end, are in doubt as lines are" {
	printf '\1\2\3' >data.1
	printf '\1' >data
	sums() { run_pscan -q -t u8:u16 --format=binary --output-format=text --total --state=state "$@"; }
	sums data.1
	assert_scanned 6 'first'
	cp state before
	sums data
	assert_equal "$code $out" '2 '
	assert_contains "$err" "data: it begins with the 1 bytes that were read from \"$PWD/data.1\": a copy of it"
	cmp state before
	printf '\4' >>data
	sums data
	assert_scanned 11 'other numbers'
	printf '\1\2\3' >data
	sums data
	assert_equal "$code" 2
}

@test "--alike is copy or new, and goes with --state" {
	run_pscan --alike=copy <<<1
	assert_equal "$code" 2
	assert_contains "$err" '--alike is for --state'
	run_pscan --alike=neither --state=state <<<1
	assert_equal "$code" 2
	assert_contains "$err" 'copy or new'
	[ ! -e state ]
}

@test "an array that has grown in place is refused, not counted from its beginning; another one in its place is new" {
	# save FILE ELEMENTS...
	save() { "$PYTHON" -c 'import sys, numpy; numpy.save(sys.argv[1], numpy.array(sys.argv[2:], dtype="i8"))' "$@"; }
	totals() { run_pscan -q --total --output-format=text --state=state "$@"; }
	# in_place FILE ELEMENTS...: as numpy.lib.format would write it over the old one.
	in_place() {
		inode=$(stat -c %i "$1")
		save "$@"
		assert_equal "$(stat -c %i "$1")" "$inode"
	}
	for first in 3 11; do # the size in the header gets another digit, or not
		begin
		# shellcheck disable=SC2046 # some numbers
		save day.npy $(seq "$first")
		totals day.npy
		assert_scanned $((first * (first + 1) / 2)) 'first'
		cp state before
		# shellcheck disable=SC2046
		in_place day.npy $(seq $((first + 100)))
		totals day.npy
		assert_equal "$code $out" '2 '
		assert_contains "$err" 'day.npy: it was read as a whole and has grown since (put what is new into a file of its own)'
		cmp state before
		mv day.npy other.npy
		totals other.npy
		assert_equal "$code $out" '2 '
		# A copy of it, and a file that was moved over it.
		cp other.npy day.npy
		totals day.npy
		assert_equal "$code $out" '2 '
		# What is new, by itself.
		save new.npy 5
		totals new.npy
		assert_scanned $((first * (first + 1) / 2 + 5)) 'new'
		# Another header, but its numbers.
		"$PYTHON" -c 'import sys, numpy
numpy.lib.format.write_array(open("same.npy", "wb"), numpy.arange(1, int(sys.argv[1]) + 1), version=(2, 0))' "$first"
		totals same.npy
		assert_scanned '' 'another header'
		# Other numbers in its place, and fewer.
		in_place other.npy 7 8
		totals other.npy
		assert_scanned $((first * (first + 1) / 2 + 20)) 'others'
		in_place other.npy
		totals other.npy
		assert_scanned $((first * (first + 1) / 2 + 20)) 'none'
		in_place other.npy 1
		totals other.npy
		assert_scanned $((first * (first + 1) / 2 + 21)) 'one, after none'
	done
}

@test "an array whose header has become longer is refused as well, if it has grown" {
	# save HEADER ELEMENT...: day.npy with a header of that many bytes, anew in place.
	save() { "$PYTHON" -c 'import struct, sys
size, elements = int(sys.argv[1]), [int(x) for x in sys.argv[2:]]
words = "{\"descr\": \"<i8\", \"fortran_order\": False, \"shape\": (%d,), }" % len(elements)
begin = b"\x93NUMPY\x01\x00" + struct.pack("<H", size - 10) + words.ljust(size - 11).encode() + b"\n"
open("day.npy", "r+b" if sys.argv[1] != "128" else "wb").write(begin + struct.pack("<%dq" % len(elements), *elements))' "$@"; }
	save 128 1 2 3
	run_pscan --total --output-format=text --state=state day.npy
	assert_scanned 6 'first'
	cp state before
	save 192 1 2 3
	run_pscan -q --total --output-format=text --state=state day.npy
	assert_scanned '' 'the same numbers'
	cp before state
	save 192 1 2 3 4
	run_pscan --total --output-format=text --state=state day.npy
	assert_equal "$code $out" '2 '
	assert_contains "$err" 'day.npy: it was read as a whole and has grown since'
	cmp state before
}

@test "a header before raw numbers that is written anew in place is no other beginning" {
	# records HEADER BYTE...: a header of four bytes, which counts them, and the bytes.
	records() { printf %04d $#; [ $# -eq 0 ] || printf "\\x%s" "$@" | xargs -0 printf %b; }
	sums() { run_pscan -q -t u8:u16 --skip-bytes=4 --output-format=text --total --state=state "$@"; }
	records 01 02 >data
	sums data
	assert_scanned 3 'first'
	records 01 02 04 >data
	sums data
	assert_scanned 7 'it has grown, and its header says so'
	cp data copy
	printf '9999' | dd of=copy conv=notrunc status=none
	sums copy
	assert_scanned '' 'a copy with another header'
	records 02 01 04 08 >data
	sums data
	assert_scanned 22 'other numbers'
	# A header alone, first.
	rm -f state
	records >data
	sums data
	assert_equal "$code" 0
	records 03 05 >data
	sums data
	assert_scanned 8 'a header alone before'
}

@test "of two files that it may be a copy of it is the longest one's" {
	printf '1\n2\n3\n' >a
	printf '1\n2\n' >b
	run_pscan --state=state --alike=new a b
	assert_scanned '1 3 6 7 9' 'two files'
	rm a
	printf '1\n2\n3\n4\n' >c
	run_pscan --state=state c
	assert_equal "$code $out" '0 13'
}
