#!/usr/bin/env bats
# --state: a scan continues where another one ended. tests/tools/state_cuts.py cuts random streams and compares them
# with the uncut ones, which other files compare with oracles; state_kills.py kills runs.
# shellcheck disable=SC2030,SC2031,SC2034,SC2059,SC2154 # code, out and err are set by run_pscan; PROLOGUE is python's

load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return 1
}

# go_on TEXT ARGUMENT...: runs with the state and the text as input, by a pipe: a file with these bytes may have been
# read before.
go_on() {
	run_pscan --state=state "${@:2}" < <(printf "$1")
}

# assert_refused WORDS: usage error with these words, and the state is as it was; nothing lies beside it.
assert_refused() {
	assert_equal "$code" 2
	assert_contains "$err" "$1"
	assert_equal "$out" ''
	cmp state before
	[ ! -e .state.pscan-state ]
}

# shown NAME: that line of --show-state.
shown() { "$PSCAN" --show-state=state | awk -F'\t' -v name="$1" '$1 == name { sub(/^[^\t]*\t/, ""); print }'; }

# Changes that are wrong, in what is read and written by its own words. Frame: around that.
PROLOGUE='
import os, struct, sys, zlib
import state_file
def rewrite(change):
    data = bytearray(open("state", "rb").read()[:-4])
    data = change(data) or data
    data[12:20] = struct.pack("<Q", len(data) - 20)
    open("state", "wb").write(bytes(data) + struct.pack("<I", zlib.crc32(data)))
def alter(change):
    sections = state_file.read("state")
    change(sections[0].values, sections[1].values)
    state_file.write("state", sections)
'

# bats test_tags=many
@test "a product beyond the range comes back in a later run" {
	go_on '1.0715086071862673e301\n1.0715086071862673e301\n' -t f64 -op prod
	assert_equal "$code $out" $'0 1.0715086071862673e+301\ninf'
	assert_equal "$(shown result)" inf
	go_on '9.332636185032189e-302\n9.332636185032189e-302\n' -t f64 -op prod
	assert_equal "$code $out" $'0 1.0715086071862673e+301\n1'
}

@test "a stream cut into runs gives what it gives as one" {
	"$PYTHON" "$TOOLS/state_cuts.py" 11 60
	"$PYTHON" "$TOOLS/state_cuts.py" 12 20
}

# bats test_tags=long
@test "random streams cut into runs, of the host and of a device, give what they give as one" {
	"$PYTHON" "$TOOLS/state_cuts.py" 21 300
	"$PYTHON" "$TOOLS/state_cuts.py" 22 60 cpu
}

@test "runs that are killed are run again, and no day counts twice" {
	"$PYTHON" "$TOOLS/state_kills.py" 31 60
}

@test "the first day, another, and an empty one" {
	go_on '1.5\n2\n'
	assert_scanned '1.5 3.5' 'first'
	go_on '3\n4.25\n'
	assert_scanned '6.5 10.75' 'second'
	go_on ''
	assert_scanned '' 'empty'
	go_on '1\n'
	assert_scanned '11.75' 'last'
	assert_equal "$(shown runs) $(shown elements) $(shown bytes) $(shown result)" '4 5 15 11.75'
}

@test "a total is that of all runs, of an empty one the last" {
	go_on '5\n7\n' --total
	assert_scanned '12' 'first'
	go_on '' --total
	assert_scanned '12' 'empty'
	go_on '1\n' --total
	assert_scanned '13' 'last'
}

@test "a seed and what is before the results count at the first run only, but keys go on to begin with the seed" {
	go_on '1\n' --seed=10 --include-initial
	assert_scanned '10 11' 'first'
	go_on '1\n' --seed=77 --include-initial
	assert_scanned '12' 'second'
	rm state
	go_on 'a,1\n' -d, -g1 -f2 --seed=10 -a
	assert_scanned 'a,1,11' 'key'
	go_on 'a,1\nb,1\n' -d, -g1 -f2 -a
	assert_scanned 'a,1,12 b,1,11' 'keys'
	assert_equal "$(shown --seed) $(shown keys)" '10 2'
	assert_equal "$("$PSCAN" --show-state=state | grep -P '^key\t')" "$(printf 'key\ta\t12\nkey\tb\t11')"
}

@test "a file that was taken in already is not taken in again, whatever it is called, from standard input neither" {
	seq 4 >day
	run_pscan --state=state day
	assert_scanned '1 3 6 10' 'day'
	cp state before
	run_pscan --state=state ./day
	assert_equal "$code $out" '0 '
	assert_contains "$err" 'were read in earlier runs'
	cmp state before
	run_pscan -q --state=state day
	assert_scanned '' 'day'
	touch -d '2001-01-01' day
	run_pscan -q --state=state day
	assert_scanned '' 'another time'
	run_pscan -q --state=state <day
	assert_scanned '' 'standard input'
	ln day link
	mv day moved
	for name in link moved; do
		run_pscan -q --state=state "$name"
		assert_scanned '' "$name"
	done
	cmp state before
	cp -p moved copy
	run_pscan -q --state=state copy
	assert_scanned '' 'copy'
	# It is known now, but nothing was scanned.
	assert_equal "$(shown runs) $(shown elements) $(shown result)" '1 4 10'
	cp state before
	run_pscan -q --state=state copy link moved
	assert_scanned '' 'all of them'
	cmp state before
	printf '4\n3\n2\n1\n' >other
	touch -r moved other
	run_pscan --state=state other
	assert_scanned '14 17 19 20' 'another of the same size and time'
	run_pscan -q --state=state moved
	assert_scanned '' 'the one before'
	: >empty
	run_pscan --state=state empty
	assert_scanned '' 'an empty day'
	run_pscan -q --state=state <moved
	assert_scanned '' 'the day before, after an empty one'
	run_pscan -q --state=state empty other
	assert_scanned '' 'with an empty file'
	run_pscan --state=state -op max empty other
	assert_equal "$code $out" '2 '
	assert_contains "$err" '"-op sum" in the state, "-op max" now'
}

@test "a file that has grown goes on after what was taken" {
	printf 'k,v\na,1\nb,2\n' >log
	for options in '-d, -f2 -H' '--csv -f v' '--csv -f v -g k' '-d, -f2 -H --window=2' '--csv -f v -op count,max' '--csv -f v --total'; do
		rm -f state
		cp log grown
		# shellcheck disable=SC2086 # some words
		run_pscan $options --state=state grown
		assert_equal "$options: $code $err" "$options: 0 "
		printf 'a,30\na,400\n' >>grown
		# shellcheck disable=SC2086
		run_pscan $options --state=state grown
		assert_equal "$options: $code $err" "$options: 0 "
		case $options in
		*window*) wanted='32 430' ;;
		*count*) wanted='3,30 4,400' ;;
		*-g*) wanted='a,31 a,431' ;;
		*total*) wanted=433 ;;
		*) wanted='33 433' ;;
		esac
		assert_equal "$options: ${out//$'\n'/ }" "$options: $wanted"
		# shellcheck disable=SC2086
		run_pscan -q $options --state=state grown
		assert_scanned '' "$options: nothing is new"
	done
}

@test "raw numbers and standard input go on after what was taken, too" {
	printf '\1\2' >raw
	run_pscan -t u8:u16 --output-format=text --state=raw.state raw
	printf '\3' >>raw
	run_pscan -t u8:u16 --output-format=text --state=raw.state raw
	assert_scanned '6' 'raw'
	seq 3 >in
	run_pscan --state=state <in
	seq 4 5 >>in
	run_pscan --state=state <in
	assert_scanned '10 15' 'standard input'
	# What another has passed over there is not read, taken or not.
	seq 6 8 >>in
	exec 9<in
	head -c 12 <&9 >/dev/null
	run_pscan --state=state <&9
	exec 9<&-
	assert_scanned '22 30' 'after a line that another has read'
}

@test "a rotated log is known by its inode, a copied one by what it begins with" {
	seq 2000 >log
	run_pscan --total --state=state log
	seq 2001 2003 >>log
	mv log log.1
	seq 5 -1 1 >log
	run_pscan --total --state=state log.1 log
	assert_scanned $((2003 * 2004 / 2 + 15)) 'by rename'
	seq 6 2500 >>log
	run_pscan --total --state=state log.1 log
	assert_scanned $((2003 * 2004 / 2 + 2500 * 2501 / 2)) 'it grows'
	echo 7 >>log
	mv log.1 log.2
	cp log log.1
	printf '10\n' >log
	run_pscan --total --state=state log.2 log.1 log
	assert_scanned $((2003 * 2004 / 2 + 2500 * 2501 / 2 + 17)) 'by copytruncate'
	run_pscan -q --total --state=state log.2 log.1 log
	assert_scanned '' 'nothing is new'
	assert_equal "$(shown elements)" 4505
}

@test "a log that is copied while it grows counts no line twice" {
	total() { run_pscan -q --total -f 2 --state=state "$@"; }
	printf 'a 1\nb 2\n' >log
	total log
	assert_scanned 3 'log'
	# A new copy, which is read before the log is.
	printf 'd 8\n' >>log
	cp log copy
	cp state before
	total copy log
	assert_refused 'copy and log begin with the same bytes, which were read before, and both have more (if one is a copy, read it first, alone; else --alike=new)'
	total copy
	assert_scanned 11 'the copy'
	total log
	assert_scanned '' 'the log has nothing more'
	printf 'e 16\n' >>log
	total log
	assert_scanned 27 'but when it grows'
	cp log log.3
	printf 'a 1\nb 2\nx 32\n' >log
	total log.3 copy
	assert_scanned '' 'copies'
	assert_equal "$(shown elements)" 4
}

@test "a new log may begin as an old one did that is there" {
	printf 'a 1\nb 2\n' >log.1
	run_pscan -f 2 --total --state=state log.1
	printf 'a 1\n' >log
	cp state before
	run_pscan -f 2 --total --state=state log.1 log
	assert_refused "log: it begins with the 4 bytes that were read from \"$PWD/log.1\": a copy of it, or another log that begins alike?"
	run_pscan -f 2 --total --state=state --alike=new log.1 log
	assert_scanned 4 'it is shorter'
	printf 'b 2\nc 3\n' >>log
	run_pscan -f 2 --total --state=state log.1 log
	assert_scanned 9 'it has grown beyond'
	# Bytes that were taken are a header alone: no record is lost or counted twice after it.
	printf 'k v\n' >day.1
	run_pscan -f v --total --state=header.state day.1
	printf 'k v\na 5\n' >day
	run_pscan -f v --total --state=header.state day.1 day
	assert_scanned 5 'a header'
}

@test "a shorter file, or one that begins or ends with other bytes, is a new one" {
	seq 3000 >log
	run_pscan -op count --total --state=state log
	seq 2999 >log
	run_pscan -op count --total --state=state log
	assert_scanned 5999 'shorter'
	seq 3000 | sed '1s/1/2/' >log
	run_pscan -op count --total --state=state log
	assert_scanned 8999 'another beginning'
	seq 3000 | sed "2999s|2|1|" >log
	run_pscan -op count --total --state=state log
	assert_scanned 11999 'another end'
}

@test "a compressed file is taken once, as a whole" {
	seq 3 | gzip >log.gz
	run_pscan --state=state log.gz
	assert_scanned '1 3 6' 'new'
	cp log.gz copy.gz
	run_pscan -q --state=state copy.gz log.gz
	assert_scanned '' 'a copy, and it again'
	echo 4 >log
	run_pscan --state=state log.gz log
	assert_scanned '10' 'with a log'
	cp state before
	seq 5 6 | gzip >>log.gz
	run_pscan --state=state log.gz
	assert_refused 'log.gz: it was read as a whole and has grown since'
	"$PYTHON" -c 'import numpy; numpy.save("day.npy", numpy.arange(3))'
	run_pscan --output-format=text --state=arrays day.npy
	run_pscan -q --output-format=text --state=arrays day.npy
	assert_scanned '' 'an array'
}

@test "a log that is compressed after it was taken, or inflated after it was taken compressed, counts no line twice" {
	total() { run_pscan -q --total --state=state "$@"; }
	# As gzip does, but the file's inode is not used again: a copy in it would be in doubt.
	compress() {
		gzip -c "$1" >"$1.gz"
		mkdir -p aside
		mv "$1" aside
	}
	for lines in 3 3000; do
		rm -rf ./*
		seq "$lines" >log.1
		echo 55 >log
		total log.1 log
		assert_scanned $((lines * (lines + 1) / 2 + 55)) "$lines"
		compress log.1
		total log.1.gz log
		assert_scanned '' "$lines: compressed"
		total <log.1.gz
		assert_scanned '' "$lines: standard input"
		# What was not taken before it was compressed is in doubt.
		seq "$lines" >longer
		echo 5 >>longer
		compress longer
		bytes=$(seq "$lines" | wc -c)
		cp state before
		total longer.gz
		assert_refused "longer.gz: decompressed, it begins with the $bytes bytes that were read from \"$PWD/log.1.gz\", and has more (leave it out, and read its rest after byte $bytes through a pipe; or --alike=new)"
		cp state kept
		total --alike=new longer.gz
		assert_scanned $((lines * (lines + 1) + 60)) "$lines: a file of its own"
		cp kept state
		total < <(gzip -dc longer.gz | tail -c +$((bytes + 1)))
		assert_scanned $((lines * (lines + 1) / 2 + 60)) "$lines: through a pipe"
		# Other bytes: new ones.
		{ echo 2; seq 2 "$lines"; } | gzip >new.gz
		total new.gz
		assert_scanned $((lines * (lines + 1) + 61)) "$lines: another beginning"
		seq "$lines" | sed '$s/^./5/' | gzip >end.gz
		total end.gz
		assert_scanned $((lines * (lines + 1) + lines * (lines - 1) / 2 + 61 + ${lines/3/5})) "$lines: another end"
		# A compressed file that was taken comes as it stands, compressed anew, or grows so.
		gunzip -k new.gz
		gzip -1 -c new >again.gz
		total new again.gz
		assert_scanned '' "$lines: inflated, and compressed anew"
		before=$(shown result)
		echo 1 >>new
		total new
		assert_scanned $((before + 1)) "$lines: it grows"
	done
	# A header alone is no record.
	printf 'k v\n' >header
	printf 'k v\na 5\n' | gzip >table.gz
	for file in header table.gz; do
		run_pscan -f v --state=header.state "$file"
		assert_equal "$file: $code" "$file: 0"
	done
	assert_equal "$out" $'v_sum\n5'
	# A damaged file is no copy.
	seq 7 9 >log.2
	total log.2
	assert_equal "$code" 0
	gzip -c log.2 | head -c -4 >cut.gz
	total cut.gz
	assert_equal "$code $out" '2 '
}

@test "a line that was taken before it was complete goes on nowhere; its mere end is passed over" {
	for end in '\n' '\r\n'; do
		rm -f state
		printf 'a 10\nb 5' >log
		run_pscan -f 2 --state=state log
		assert_scanned '10 15' 'half a line, perhaps'
		# shellcheck disable=SC2059
		printf "${end}c 1\n" >>log
		run_pscan -f 2 --state=state log
		assert_scanned '16' "it was whole: $end"
	done
	# Nothing of the end is left for the next run.
	for end in '\n' '\r\n'; do
		rm -f state
		printf 'a 10\nb 5' >log
		run_pscan -f 2 -a --state=state log
		# shellcheck disable=SC2059
		printf "${end}c 1\n" >>log
		run_pscan -f 2 -a --state=state log
		assert_scanned 'c 1 16' "its end: $end"
	done
	for options in '-f 2' '-f 2 -a' '-f 2 -g 1' '-f 2 --total'; do
		rm -f state
		printf 'a 10\nb 5' >log
		# shellcheck disable=SC2086
		run_pscan $options --state=state log
		assert_equal "$code" 0
		cp state before
		printf '12\nc 1\n' >>log
		for name in log copy; do
			cp log copy
			# shellcheck disable=SC2086
			run_pscan $options --state=state "$name"
			assert_refused "$name: line 2 was read as \"b 5\" before it was complete (--whole-lines leaves such a line for later)"
		done
		# shellcheck disable=SC2086
		run_pscan $options --state=state <log
		assert_refused 'standard input: line 2 was read as "b 5" before'
	done
}

@test "--whole-lines leaves a last line without its end unread" {
	printf 'a 10\nb 5' >log
	run_pscan -f 2 --whole-lines --state=state log
	assert_scanned '10' 'half a line'
	run_pscan -f 2 --whole-lines --state=state log
	assert_scanned '' 'it is still there'
	printf '12\nc 1\nd' >>log
	run_pscan -f 2 --whole-lines --state=state log
	assert_scanned '522 523' 'it was complete'
	assert_equal "$(shown input | cut -f2)" 15
	printf 'x,y' >header
	run_pscan --csv -f y --whole-lines --state=header.state header
	assert_scanned '' 'half a header'
	printf 'z\n1,2\n3,4' >>header
	run_pscan --csv -f yz --whole-lines --state=header.state header
	assert_equal "$code $out" '2 '
	assert_contains "$err" '"-f y" in the state, "-f yz" now'
	rm header.state
	run_pscan --csv -f yz --whole-lines --state=header.state header
	assert_scanned 'yz_sum 2' 'a whole one'
	# Without a state, by pipes, and of several files.
	printf '1\n2' >one
	printf '3\n' >other
	run_pscan --whole-lines one other
	assert_scanned '1 4' 'two files'
	printf '1\n2' | { run_pscan --whole-lines; assert_scanned '1' 'a pipe'; }
	printf '"a",1\n"b\n' >quotes
	run_pscan --csv -H -f 2 --whole-lines quotes
	gzip -k one
	run_pscan --whole-lines one.gz
	assert_scanned '1 3' 'a compressed file grows no more'
	(cat >left; cmp left <(printf 2)) < <(exec 8<one; "$PSCAN" --whole-lines <&8 >/dev/null; cat <&8)
	run_pscan --format=binary --whole-lines one
	assert_equal "$code" 2
}

@test "--whole-lines takes nothing of a header that is not whole, and the next run takes it all" {
	local whole='5\n6\n7\n8'
	for size in 0 1 2 3; do
		for options in '--header=2' '--header=2 -f 1' '--header=2 -f 1 --csv'; do
			printf "$whole" | head -c "$size" >log
			rm -f state
			# shellcheck disable=SC2086
			run_pscan $options --whole-lines < <(cat log)
			assert_equal "$size $options, a pipe: $code $out" "$size $options, a pipe: 0 "
			# shellcheck disable=SC2086
			run_pscan $options --whole-lines --state=state log
			assert_equal "$size $options: $code $out" "$size $options: 0 "
			printf "$whole" | tail -c "+$((size + 1))" >>log
			# shellcheck disable=SC2086
			run_pscan $options --whole-lines --state=state log
			assert_equal "$size $options: $code $(tail -n 1 <<<"$out")" "$size $options: 0 7"
		done
	done
	# A later file has the header that is known, or a part of it.
	for text in '5\n' '5\n6'; do
		printf '5\n6\n3\n' >first
		printf "$text" >later
		run_pscan --header=2 -f 1 --whole-lines first later
		assert_equal "$text: $code $(tail -n 1 <<<"$out")" "$text: 0 3"
	done
}

@test "--whole-lines leaves an unfinished line of numbers that ends in a blank, too, and the next run takes it" {
	for text in '1 2 3\n4 5 ' '1 2 3\n4 5' '1 2 3\n4\t5\t' '1 2 3\n4 5 \r'; do
		for options in '' '--comment=#' '-H'; do
			first='1 3 6' second='10 15 21 28'
			[ "$options" != -H ] || first='1 2 3' second='4 9 15 22'
			printf "$text" >log
			rm -f state log.gz
			for how in file pipe; do
				# shellcheck disable=SC2086
				case $how in
				file) run_pscan $options --whole-lines log ;;
				pipe) run_pscan $options --whole-lines < <(cat log) ;;
				esac
				assert_scanned "$first" "$text $options $how"
			done
			gzip -k log
			# shellcheck disable=SC2086
			run_pscan $options --whole-lines --total log.gz
			assert_equal "$text $options: $code ${out##*$'\n'}" "$text $options: 0 $((${#options} == 2 ? 9 : 15))"
			# shellcheck disable=SC2086
			run_pscan $options --whole-lines --state=state log
			assert_scanned "$first" "$text $options"
			assert_equal "$(shown input | cut -f2)" 6
			printf ' 6\n7\n8' >>log
			# shellcheck disable=SC2086
			run_pscan $options --whole-lines --state=state log
			assert_scanned "$second" "$text $options: the next run"
		done
	done
	# Lines that are longer than a chunk.
	for end in '' '\n' '\n5 ' '\n5 6\n7'; do
		"$PYTHON" -c 'print("2 2\n" + "1 " * 1000000, end="")' >log
		printf "$end" >>log
		case $end in '') wanted=4 ;; *6*) wanted=1000015 ;; *) wanted=1000004 ;; esac
		for options in '' '--comment=#'; do
			# shellcheck disable=SC2086
			run_pscan $options --whole-lines --total log
			assert_scanned "$wanted" "$end $options"
			# shellcheck disable=SC2086
			run_pscan $options --whole-lines --total < <(cat log)
			assert_scanned "$wanted" "$end $options, a pipe"
		done
	done
}

@test "messages number the lines of a file that goes on from its first" {
	printf 'k,v\na,1\nb,2\n' >log
	run_pscan --csv -f v --state=state log
	printf 'c,3\nd,x\n' >>log
	cp state before
	run_pscan --csv -f v --state=state log
	assert_equal "$code $out" '1 6'
	assert_contains "$err" 'log: line 5, field 2: not a number: "x"'
	cmp state before
	printf 'k,v\nq,y\n' >next
	printf 'k,v\na,1\nb,2\n' >log
	run_pscan --csv -f v --state=state log next
	assert_contains "$err" 'next: line 2, field 2: not a number: "y"'
	# Each of two files that go on has its own.
	rm state
	printf 'k,v\nq,4\n' >next
	run_pscan --csv -f v --state=state log next
	printf 'd,5\n' >>log
	printf 'r,y\n' >>next
	run_pscan --csv -f v --state=state log next
	assert_equal "$code $out" '1 12'
	assert_contains "$err" 'next: line 3, field 2: not a number: "y"'
}

@test "days of a log that grows, is rotated, ends in half a line and comes compressed count each line once, killed or not" {
	"$PYTHON" "$TOOLS/state_days.py" 3 40
}

@test "days of logs that begin alike count each line once, or a run says which file it cannot know" {
	"$PYTHON" "$TOOLS/state_alike.py" 6 30
}

# bats test_tags=long
@test "2,000 days of logs that begin alike" {
	"$PYTHON" "$TOOLS/state_alike.py" 5 2000
}

# bats test_tags=long
@test "2,000 days of logs count each line once" {
	"$PYTHON" "$TOOLS/state_days.py" 2 2000
}

@test "an empty day among days of arrays is empty input, of their types and columns" {
	: >empty
	"$PYTHON" -c 'import numpy
a = numpy.arange(1, 13, dtype="i4")
for shape, name in ((12,), "1"), ((6, 2), "2"), ((3, 2, 2), "3"):
    numpy.save(name, a.reshape(shape))'
	local options
	while IFS='|' read -r options file sums twice; do
		rm -f state
		for day in "$file" empty; do
			# shellcheck disable=SC2086 # some words
			run_pscan $options --total --output-format=text --state=state "$day"
			assert_scanned "$sums" "$options: $day"
		done
		# shellcheck disable=SC2086
		"$PSCAN" $options --total --state=state empty >total.npy
		# shellcheck disable=SC2086
		"$PSCAN" $options --state=state empty >empty.npy
		assert_equal "$("$PYTHON" -c 'import numpy
total, results = numpy.load("total.npy"), numpy.load("empty.npy")
print(*total.flat, results.size, total.dtype, results.dtype)')" "$sums 0 int32 int32"
		cp "$file" again.npy
		# shellcheck disable=SC2086
		run_pscan -q $options --alike=new --total --output-format=text --state=state again.npy
		assert_scanned "$twice" "$options: once more"
	done <<-'END'
		|1.npy|78|156
		--axis=0|2.npy|36 42|72 84
		--axis=0|3.npy|15 18 21 24|30 36 42 48
	END
	# A file that was empty may become an array.
	cat 3.npy >empty
	run_pscan -q --axis=0 --alike=new --total --output-format=text --state=state empty
	assert_scanned '45 54 63 72' 'no longer empty'
}

@test "an empty day among days of raw numbers is one of them, though nobody says what it is" {
	printf '\2\376' >binary
	: >empty
	: >later
	run_pscan -t u8:u16 --state=state binary
	[ "$code" -eq 0 ]
	run_pscan -t u8:u16 --state=state empty
	assert_equal "$code $out $err" '0  '
	run_pscan -t u8:u16 --state=state <empty
	assert_equal "$code $out $err" '0  '
	printf '\1\377' >next
	printf '\3\375' >last
	run_pscan -t u8:u16 --state=state later binary next last
	assert_equal "$code $err $("$PSCAN" --show-state=state | grep -P '^(--format|bytes|result)\t' | paste -s -d ' ' -)" \
		'0  bytes	6 --format	binary result	768'
	run_pscan -t u8:u16 --format=text --state=state empty
	assert_equal "$code $out" '2 '
	# Input that was not scanned yet is text.
	run_pscan -t u8:u16 --state=text empty
	assert_equal "$code $("$PSCAN" --show-state=text | grep -P '^--format\t')" '0 --format	text'
}

@test "a day without an element does not make the files of the day before new ones" {
	printf 'a\n1\n' >day
	printf 'a\n' >header
	run_pscan --csv -f a --state=state day
	run_pscan --csv -f a --state=state header
	run_pscan -q --csv -f a --state=state day
	assert_scanned '' 'a header alone between them'
	"$PYTHON" -c 'import numpy; numpy.save("day.npy", numpy.arange(3)); numpy.save("none.npy", numpy.arange(0))'
	run_pscan --output-format=text --state=arrays day.npy
	run_pscan --output-format=text --state=arrays none.npy
	run_pscan -q --output-format=text --state=arrays day.npy
	assert_scanned '' 'an empty array between them'
}

@test "another scan's state is refused, and what differs is named" {
	go_on 'a,1,5\n' -d, -f2 -g1 -op max
	cp state before
	while read -r options; do
		# shellcheck disable=SC2086 # some words
		go_on 'a,1,5\n' -d, $options
		assert_refused 'it belongs to a scan with other options'
	done <<-'END'
		-f2 -g1 -op sum
		-f3 -g1 -op max
		-f2 -op max
		-f2 -g1 -op max -e
		-f2 -g1 -op max -t f64
		-f2 -g1 -op max,min
		-f2 -g1 -op max --window=3
		-f2 -g1 -op max --reset-every=3
		-f2 -g1 -op max --reset-on=3
		-f2 -g1 -op max --missing=skip
		-f2 -g1 -op max --nan=keep
	END
	go_on 'a,1,5\n' -d, -f2 -g1 -op max --window=3
	assert_refused '"no --window" in the state, "--window=3" now'
	go_on 'a,1,5\n' -d, -f2 -g1 -op max
	assert_scanned 'a,1' 'the same'
}

@test "what a time is, the first run says: numbers do not go on after dates, nor milliseconds after seconds" {
	# Of each kind a record, and its name in a message.
	kinds=('2024-05-01T10:00:00 1' 'a date' '20240501101500 2' 'a date and time in digits' '1714557600 3' 'in seconds'
		'1714557600000 4' 'in milliseconds' '1714557600000000 5' 'in microseconds' '1714557600000000000 6' 'in nanoseconds')
	for ((first = 0; first < ${#kinds[@]}; first += 2)); do
		rm -f state
		go_on "${kinds[first]}\\n" -f 2 --reset-gap=1:30m
		assert_equal "$code $out" "0 ${kinds[first]##* }"
		# A run without a record in between forgets nothing.
		go_on '' -f 2 --reset-gap=1:30m
		assert_equal "$code $out" '0 '
		cp state before
		for ((next = 0; next < ${#kinds[@]}; next += 2)); do
			[ "$next" -ne "$first" ] || continue
			go_on "${kinds[next]}\\n" -f 2 --reset-gap=1:30m
			assert_equal "$code $out" '1 '
			assert_contains "$err" "--reset-gap: the value is ${kinds[next + 1]}, and the first value is ${kinds[first + 1]}"
			cmp state before
		done
		go_on "${kinds[first]}\\n" -f 2 --reset-gap=1:30m
		assert_equal "$code $out" "0 $((2 * ${kinds[first]##* }))"
	done
	python 'alter(lambda head, scan: scan.update(place_kinds=9))'
	cp state before
	go_on "${kinds[first - 2]}\\n" -f 2 --reset-gap=1:30m
	assert_refused 'does not hold a state of this scan'
	# So it is for numbers that may be times.
	for kinds in '\t\0' '\2' '\2\0\0'; do
		rm -f state
		go_on '2024-05-01\n' -f 1 --accept=time -op sum
		python "alter(lambda head, scan: scan.update(number_kinds=b'$kinds'))"
		cp state before
		go_on '2024-05-01\n' -f 1 --accept=time -op sum
		assert_refused 'does not hold a state of this scan'
	done
}

@test "what is damaged, newer or no state is refused, and stays" {
	go_on '1\n2\n'
	cp state good
	python 'rewrite(lambda data: data.__setitem__(8, 5))'
	cp state before
	go_on '1\n'
	assert_refused 'a newer pscan wrote it in another layout'
	cp good state
	python 'rewrite(lambda data: data.__setitem__(8, 1))'
	cp state before
	go_on '1\n'
	assert_refused 'pscan 0.1.1 or older wrote it in another layout'
	for cut in 0 5 19 100 -1; do
		head -c "$cut" good >state
		cp state before
		go_on '1\n'
		assert_equal "$code" 2
		cmp state before
	done
	{ cat good; echo; } >state
	cp state before
	go_on '1\n'
	assert_refused 'it is damaged'
	seq 100 >state
	cp state before
	go_on '1\n'
	assert_refused "it is not a state of pscan"
	run_pscan --show-state=state
	assert_equal "$code $err" '2 pscan: --show-state: state: it is not a state of pscan'
	size=$(wc -c <good)
	for place in 0 9 20 50 $((size / 2)) $((size - 5)) $((size - 1)); do
		python 'data = bytearray(open("good", "rb").read()); data[int(sys.argv[1])] ^= 4; open("state", "wb").write(data)' "$place"
		cp state before
		go_on '1\n'
		assert_equal "$place: $code" "$place: 2"
		cmp state before
	done
}

@test "bytes that nobody would write are refused or gone on from, whatever they are" {
	for options in '-op sum' '-d, -f1 -g2' '-d, -f1 -g2 --window=3 -op max' '-d, -f1 --reset-on=2 --total' '-op mean -t f64'; do
		rm -f state
		# shellcheck disable=SC2086 # some words
		go_on '1.5,a\n2,b\n3,a\n1e30,a\n' ${options/-op/-d, -f1 -op}
		assert_equal "$options: $code" "$options: 0"
		python 'import random
good = open("state", "rb").read()
def spoil(data):
    begin = rng.choice([20, data.rindex(b"lane1")])  # the words, or what they are for
    for _ in range(rng.choice([1, 2, 8])):
        data[rng.randrange(begin, len(data))] = rng.choice([0, 1, 127, 128, 255, rng.randrange(256)])
    return data[:rng.randrange(60, len(data))] if rng.random() < 0.3 else data
for seed in sys.argv[1:]:
    rng = random.Random(seed)
    open("state", "wb").write(good)
    rewrite(spoil)
    os.rename("state", "spoilt." + seed)' $(seq "$(cases 20)")
		for seed in $(seq "$(cases 20)"); do
			mv "spoilt.$seed" state
			# shellcheck disable=SC2086 # some words
			go_on '1,a\n2,b\n' ${options/-op/-d, -f1 -op}
			[ "$code" -le 2 ] || { echo "$options, seed $seed: exit $code: $err"; return 1; }
			run_pscan --show-state=state
			[ "$code" -le 2 ] || { echo "$options, seed $seed, shown: exit $code: $err"; return 1; }
		done
	done
}

@test "a key that is there twice is refused, near and far, and where it is the last" {
	for keys in 'k7 k8' 'k07 k39' 'k39 k40' 'k06 k07'; do
		rm -f state
		go_on "$(seq -f 1,k%02.0f 40)\\n1,${keys% *}\\n1,${keys#* }\\n" -d, -f1 -g2 -t i64
		assert_equal "$code" 0
		KEYS=$keys python 'def twice(data):
    one, other = os.environ["KEYS"].encode().split()
    at = data.rindex(other)
    data[at:at + len(one)] = one
rewrite(twice)'
		go_on '1,k50\n' -d, -f1 -g2 -t i64
		assert_equal "$code $out" '2 '
		assert_contains "$err" 'does not hold a state of this scan'
	done
}

@test "a width that the type has not and a place outside of a window are refused" {
	local width options
	for options in '-t i64' '-t i64 --window=3' '-t f64' '-t i32 -op mean'; do
		for width in 1 2 3 200; do
			rm -f state
			# shellcheck disable=SC2086
			go_on '1,a\n' -d, -f1 -g2 $options
			python 'import sys
alter(lambda head, scan: scan["keys"][0]["lane1"].update(width=int(sys.argv[1])))' "$width"
			# shellcheck disable=SC2086
			go_on '1,a\n' -d, -f1 -g2 $options
			assert_equal "$options, $width: $code $out" "$options, $width: 2 "
			assert_contains "$err" 'does not hold a state of this scan'
		done
	done
	rm state
	go_on '1\n2\n3\n4\n' --window=3 -t i64
	python 'alter(lambda head, scan: scan["keys"][0]["lane1"].update(place=127))'
	go_on '1\n' --window=3 -t i64
	assert_equal "$code $out" '2 '
	assert_contains "$err" 'does not hold a state of this scan'
}

@test "an output that is not on the disk leaves the state as it was" {
	need_strace
	go_on '1\n'
	cp state before
	code=0
	strace_pscan -f -o trace -e trace=fsync -e inject=fsync:error=EIO:when=1 "$PSCAN" --state=state -o made <<<'2' 2>err || code=$?
	assert_equal "$code" 3
	grep -q EIO trace
	[ ! -e made ]
	cmp state before
	run_pscan --state=state -o made <<<'2'
	assert_equal "$code $(cat made)" '0 3'
}

@test "a run that fails leaves the state as it was" {
	go_on '1\n'
	cp state before
	go_on '2\nx\n'
	assert_equal "$code $out" '1 3'
	cmp state before
	run_pscan --state=state -o /dev/full <<<'2'
	assert_equal "$code" 3
	cmp state before
	[ ! -e .state.pscan-state ]
	run_pscan --state=new nowhere
	assert_equal "$code" 3
	[ ! -e new ]
	[ ! -e .new.pscan-state ]
	# Also if its results are complete.
	printf '2\n' >in
	for option in --plot=/dev/full --trace=/dev/full; do
		run_pscan --state=state "$option" in
		assert_equal "$option: $code $out" "$option: 3 3"
		cmp state before
	done
	[ ! -e .state.pscan-state ]
}

@test "-o has the results of a failed run only if they are complete, and the run after it gives them again" {
	go_on '1\n'
	cp state before
	printf '2\nx\n4\n' >in
	for times in 1 2; do
		run_pscan --state=state --invalid=fail -o made in
		assert_equal "$times: $code $(paste -s -d ' ' made)" "$times: 1 3 7"
		cmp state before
	done
	{ gzip <in && echo more; } >trailing.gz
	run_pscan --state=state --invalid=ignore -o made trailing.gz
	assert_equal "$code $(paste -s -d ' ' made)" '1 3 7'
	cmp state before
	echo old >made
	run_pscan --state=state -o made in
	assert_equal "$code $(cat made)" '1 old'
	gzip <in | head -c -6 >cut.gz
	run_pscan --state=state --invalid=ignore -o made cut.gz
	assert_equal "$code $(cat made)" '1 old'
	cmp state before
	run_pscan --state=state --invalid=warn -o made in
	assert_equal "$code $(paste -s -d ' ' made)" '0 3 7'
	run_pscan -q --state=state --invalid=fail -o made in
	assert_equal "$code $(paste -s -d ' ' made)" '0 3 7'
}

@test "two runs do not have one state at once" {
	mkfifo pipe
	"$PSCAN" --state=state --line-buffered <pipe >first &
	exec 9>pipe
	# What has given a result has the state.
	echo 4 >&9
	wait_until has_lines first 1
	run_pscan --state=state <<<'1'
	assert_equal "$code $out" '2 '
	assert_contains "$err" 'another run is using it'
	exec 9>&-
	wait $!
	assert_equal "$(cat first)" 4
	# A file that a killed run has left is taken over, and one that others may have written to is replaced.
	seq 2000 >.state.pscan-state
	chmod 600 .state.pscan-state
	go_on '1\n'
	assert_scanned '5' 'after a kill'
	[ ! -e .state.pscan-state ]
	seq 2000 >.state.pscan-state
	chmod 666 .state.pscan-state
	go_on '1\n'
	assert_scanned '6' 'and after that'
	[ ! -e .state.pscan-state ]
	go_on '1\n'
	assert_scanned '7' 'at the end'
}

# is_empty FD: what was written into that pipe has been read.
is_empty() {
	"$PYTHON" -c 'import fcntl, sys, termios
sys.exit(any(fcntl.ioctl(int(sys.argv[1]), termios.FIONREAD, bytes(4))))' "$1"
}

@test "a signal ends the input after a whole record, and the program after the state is kept" {
	for signal in TERM INT HUP; do
		rm -f state pipe
		mkfifo pipe
		# (A shell has its background processes ignore SIGINT.)
		"$PYTHON" -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$PSCAN" --state=state --line-buffered <pipe >first &
		pid=$!
		exec 9>pipe
		printf '4\n5\n' >&9
		wait_until has_lines first 2
		printf 66 >&9
		wait_until is_empty 9
		kill "-$signal" "$pid"
		code=0
		wait "$pid" || code=$?
		exec 9>&-
		assert_equal "$signal: $code $(tr '\n' ' ' <first)" "$signal: $((128 + $(kill -l "$signal"))) 4 9 "
		assert_equal "$(shown bytes) $(shown result)" '4 9'
		go_on '1\n'
		assert_scanned '10' "$signal"
	done
}

@test "a signal while files are read keeps nothing: they are read again" {
	seq 3000000 >day
	mkfifo out
	exec 9<>out # it stays open, whoever reads
	"$PSCAN" --state=state day >out 9<&- &
	pid=$!
	head -n 1 <&9 >/dev/null
	kill "$pid"
	code=0
	wait "$pid" || code=$?
	exec 9>&-
	assert_equal "$code" 143
	[ ! -e state ]
	[ ! -e .state.pscan-state ]
}

@test "the state is a file: no device, directory, output or link to nowhere" {
	for name in /dev/null . /dev/stdout; do
		run_pscan --state="$name" <<<'1'
		[ "$code" -ge 2 ] || { echo "$name: $code"; return 1; }
		assert_equal "$out" ''
	done
	run_pscan --state=same -o same <<<'1'
	assert_equal "$code" 2
	[ ! -e same ]
	mkdir there
	ln -s there/state link
	run_pscan --state=link <<<'1'
	assert_scanned '1' 'through a link'
	[ -f there/state ]
	[ -L link ]
	chmod 640 there/state
	run_pscan --state=link <<<'1'
	assert_scanned '2' 'through a link'
	assert_equal "$(stat -c %a there/state)" 640
}

@test "an overflow that counts only if an element follows waits for the next run" {
	need_same_byte_order
	printf '\377\377\377\377\377\377\377\177\001\0\0\0\0\0\0\0' >in
	run_pscan -e -t i64 --output-format=text --format=binary --state=state in
	assert_scanned '0 9223372036854775807' 'not needed'
	cp state good
	printf '\001\0\0\0\0\0\0\0' >in
	run_pscan -e -t i64 --output-format=text --format=binary --state=state in
	assert_equal "$code $out" '1 '
	assert_contains "$err" 'element 1: the sum does not fit i64'
	# Without an element it waits on.
	cp good state
	: >in
	run_pscan -e -t i64 --output-format=text --format=binary --state=state in
	assert_equal "$code $out" '0 '
	printf '\001\0\0\0\0\0\0\0' >in
	run_pscan -e -t i64 --output-format=text --format=binary --state=state in
	assert_equal "$code $out" '1 '
}

@test "what --show-state shows steers no terminal, and has no decimals that there cannot be" {
	go_on '1.5\n'
	python 'alter(lambda head, scan: head.update(options=head["options"].replace(b"--missing\tfail", b"--missing\t\33[3m")))'
	run_pscan --show-state=state
	assert_equal "$code $(LC_ALL=C tr -d '\n\t -~' <out | wc -c)" '0 0'
	assert_contains "$out" "--missing	\\x1b[3m"
	local change='scan["keys"][0]["lane1"].update(last_form=19)'
	for keys in '' 'with keys'; do
		rm state
		if [[ -n $keys ]]; then go_on '1.5,a\n' -d, -f1 -g2; else go_on '1.5\n'; fi
		python 'alter(lambda head, scan: eval(sys.argv[1]))' "$change"
		run_pscan --show-state=state
		assert_equal "$keys: $code $out" "$keys: 2 "
		assert_contains "$err" 'it is damaged'
	done
}

# assert_left_alone WORDS: the run was refused with these words, and gave nothing.
assert_left_alone() {
	run_pscan --state=state <<<'1'
	assert_equal "$code $out" '2 '
	assert_contains "$err" "$1"
	[ ! -e state ]
}

@test "what lies in the place of the file beside the state is this user's regular file, or is refused and stays" {
	echo 7 >other
	ln -s other .state.pscan-state
	assert_left_alone '.state.pscan-state is not a regular file: remove it'
	[ -L .state.pscan-state ]
	rm .state.pscan-state
	ln -s nowhere .state.pscan-state
	assert_left_alone 'is not a regular file'
	[ ! -e nowhere ]
	rm .state.pscan-state
	mkfifo .state.pscan-state
	assert_left_alone 'is not a regular file'
	rm .state.pscan-state
	mkdir .state.pscan-state
	assert_left_alone 'is not a regular file'
	rmdir .state.pscan-state
	ln other .state.pscan-state
	assert_left_alone '.state.pscan-state has another hard link: remove .state.pscan-state'
	assert_equal "$(cat other)" 7
	rm .state.pscan-state
	go_on '1\n'
	assert_scanned '1' 'nothing is there'
}

@test "what a killed run has left that others may open is not used, but made anew" {
	echo left >.state.pscan-state
	chmod 644 .state.pscan-state
	exec 9<.state.pscan-state
	go_on '1\n'
	assert_scanned '1' 'a new file'
	assert_equal "$(cat <&9)" left
	exec 9<&-
	assert_equal "$(shown result)" 1
}

@test "another user owns neither the file beside the state nor a state where everybody may make files" {
	[ "$(id -u)" -eq 0 ] || skip 'only root can make files of another user'
	echo planted >.state.pscan-state
	chown 65534 .state.pscan-state
	assert_left_alone ".state.pscan-state belongs to another user: remove it"
	assert_equal "$(cat .state.pscan-state) $(stat -c %u .state.pscan-state)" 'planted 65534'
	rm .state.pscan-state
	go_on '1\n'
	mkdir shared
	cp state shared/state
	chown 65534 shared/state
	run_pscan --state=shared/state <<<'1'
	assert_scanned '2' 'nobody else makes files there'
	assert_equal "$(stat -c %u shared/state)" 0
	chown 65534 shared/state
	chmod 1777 shared
	run_pscan --state=shared/state <<<'1'
	assert_equal "$code $out" '2 '
	assert_contains "$err" "it belongs to another user, in a directory where everyone may create files"
}

@test "a state's name may be as long as any" {
	for length in 241 242 243 255; do
		name=$(printf "%${length}s" '' | tr ' ' n)
		run_pscan --state="$name" <<<'1'
		assert_scanned '1' "$length bytes"
		run_pscan --state="$name" <<<'1'
		assert_scanned '2' "$length bytes, again"
		assert_equal "$(ls -A)" "$(printf '%s\n' err "$name" out)"
		rm "$name"
	done
}

@test "a range of fields without an end is of as many as at first, and a message says how many that are" {
	go_on 'a 1 2\n' -f 2-
	assert_scanned '1 2' 'two'
	cp state before
	go_on 'a 1 2 3\n' -f 2-
	assert_refused 'it belongs to a scan with other options: "fields 2" in the state, "fields 3" now'
	go_on 'a 1\n' -f 2-
	assert_refused 'it belongs to a scan with other options: "fields 2" in the state, "fields 1" now'
	go_on 'a 3 4\n' -f 2-
	assert_scanned '4 6' 'two again'
}

@test "a header alone, or a part of one, is no record of the runs after it" {
	printf '2019 2020 2021\n6' >years
	run_pscan -H -f '"2021"' --whole-lines --state=years.state years
	assert_equal "$code $(cat out)" '0 2021_sum'
	printf '2019 2020 2021\n6 7 8\n' >years
	run_pscan -H -f '"2021"' --whole-lines --state=years.state years
	assert_equal "$code $(cat out)" '0 8'
	printf '# c\n' >two
	run_pscan --header=2 -f '"2021"' --state=two.state two
	assert_equal "$code" 0
	printf '# c\n2019 2021\n1 3\n' >two
	run_pscan --header=2 -f '"2021"' --state=two.state two
	assert_equal "$code $(cat out)" '0 3'
	# That of a file of which nothing is new is the stream's, too.
	printf 'a,b\n3,4\n' >log.1
	run_pscan --csv -f 2 --state=log.state log.1
	assert_equal "$code" 0
	printf '1,2\n5,6\n' >log
	run_pscan --csv -f 2 --state=log.state log.1 log
	assert_equal "$code $err" '1 pscan: log: line 1: the header differs from that of the first file: "1,2"'
}

@test "--whole-lines is for text: raw numbers are refused, not taken for an unfinished line" {
	printf '\0\0\200\77\0\0\0\100' >in # 1 and 2 as float32
	for option in -q --format=binary; do
		run_pscan --whole-lines $option in
		assert_equal "$code $out $err" '2  pscan: --whole-lines is for text, which this input is not (see --format=text)'
	done
}

@test "a file after a pipe counts as new, with a warning" {
	seq 3 >log
	run_pscan --state=S --total < <(cat log)
	assert_equal "$code $out $err" '0 6 '
	run_pscan --state=S --total log
	assert_equal "$code $out $err" '0 12 pscan: warning: S has 6 bytes of a pipe; log counts as new'
	# From now on the file is known. Another pipe is what was asked for.
	seq 4 >log
	run_pscan --state=S --total log
	assert_equal "$code $out $err" '0 16 '
	run_pscan --state=P --total < <(seq 3)
	run_pscan --state=P --total < <(seq 3)
	assert_equal "$code $out $err" '0 12 '
	# Nothing was read from the pipe.
	run_pscan --state=E --total </dev/null
	run_pscan --state=E --total < <(:)
	run_pscan --state=E --total log
	assert_equal "$code $out $err" '0 10 '
}
