#!/usr/bin/env bats
# --state: what a compressed file is, row by row of the table at the top of src/state/inflated.c, and what its bytes
# say of the files that were read before.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan

load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return 1
}

# total ARGUMENT...: the sum of the second fields over all runs.
total() { run_pscan -q --total -f 2 --state=state "$@"; }

# gives SUM WHAT FILE...: a run of these says that; "": that nothing is new.
gives() {
	total "${@:3}"
	assert_scanned "$1" "$2"
}

# begin: another state, without files.
begin() { rm -rf -- ./*; }

# refused TEXT FILE...: a run of these is refused with that text; nothing was touched.
refused() {
	cp state before
	total "${@:2}"
	assert_equal "$code $out" '2 '
	assert_contains "$err" "$1"
	cmp state before
}

# known: the files in the state, and their bytes.
known() { "$PSCAN" --show-state=state | grep ^input | cut -f 2- | sed "s|$PWD/||" | tr '\t\n' '  '; }

# into FILE OTHER NAME: compresses a file, which is removed, into the inode of another, which gets that name.
into() {
	"${PACK:-gzip}" -c "$1" >packed
	cat packed >"$2"
	rm "$1" packed
	mv "$2" "$3"
}

@test "a log that is compressed into the inode of a file that had no record counts no line twice" {
	for PACK in gzip xz; do
		begin
		: >first
		printf 'a 1\na 2\n' >log
		gives 3 'first' first log
		into log first log.1.packed
		printf 'b 10\nb 20\n' >log
		gives 33 "$PACK: an empty file's inode" log.1.packed log
		gives '' 'nothing is new' log.1.packed log
	done
	# A header alone, which is left for the first record.
	begin
	printf 'k v\n' >first
	run_pscan -q -H -f 2 --total --state=state first
	assert_equal "$code $(known)" '0 first 0 '
	printf 'k v\na 1\na 2\n' >log
	run_pscan -q -H -f 2 --total --state=state log
	assert_scanned 3 'first records'
	into log first log.1.packed
	run_pscan -q -H -f 2 --total --state=state log.1.packed
	assert_scanned '' 'its inode'
	# A compressed file that is new is read there as well.
	begin
	: >first
	printf 'a 1\n' >log
	gives 1 'first' first log
	printf 'a 5\na 6\n' >new
	into new first new.gz
	gives 12 'new, and in an empty file'\''s inode' new.gz log
}

@test "a log that begins as the compressed one before it did is in doubt, also in the inode of that, also later" {
	for is_alone in no yes; do
		begin
		printf 'a 7\n' >log
		gives 7 'first' log
		cp log old
		into log old log.1.gz # (so the new log may have the old one's inode or another one)
		[ "$is_alone" = no ] || gives '' 'compressed' log.1.gz
		printf 'a 7\na 1\n' >log
		refused "log: it begins with the 4 bytes that were read from \"$PWD/log.1.gz\": a copy of it, or another log that begins alike? (say --alike=copy or --alike=new)" log.1.gz log
		cp state kept
		gives 8 'a copy' --alike=copy log.1.gz log
		gives '' 'nothing is new' log.1.gz log
		cp kept state
		gives 15 'a log of its own' --alike=new log.1.gz log
		gives '' 'nothing is new' log.1.gz log
	done
	# In the very inode, as where it is used again.
	begin
	printf 'a 7\n' >log
	gives 7 'first' log
	gzip -c log >log.1.gz
	printf 'a 7\na 1\n' >log
	refused 'log: it begins with the 4 bytes' log.1.gz log
	refused 'log: it begins with the 4 bytes' log log.1.gz
	cp state kept
	gives 15 'a log of its own' --alike=new log.1.gz log
	cp kept state
	gives '' 'the compressed one alone' log.1.gz
	assert_equal "$(known)" 'log.1.gz 4 log.1.gz 28 '
	refused 'log: it begins with the 4 bytes' log
	gives 15 'a log of its own, later' --alike=new log
	# What that inode had still earlier says nothing of it.
	begin
	printf 'a 7\n' >log
	gives 7 'first' log
	printf 'b 5\n' >log
	gives 12 'cut' log
	gzip -c log >log.1.gz
	printf 'a 7\na 1\n' >log
	gives '' 'the compressed one' log.1.gz
	gives 20 'a log of its own' log
	# As much as the old one had: a copy, with a warning.
	begin
	printf 'a 7\n' >log
	gives 7 'first' log
	gzip log
	mv log.gz log.1.gz
	gives '' 'compressed' log.1.gz
	printf 'a 7\n' >log
	run_pscan --total -f 2 --state=state log
	assert_equal "$code $out" '0 '
	assert_contains "$err" "log: it begins with the 4 bytes that were read from \"$PWD/log.1.gz\", and is taken for a copy of it"
	# A log that has grown beside its compressed copy goes on where the copy was seen before.
	begin
	printf 'a 7\n' >log
	gives 7 'first' log
	gzip -k log
	gives '' 'a copy' log.gz log
	printf 'a 1\n' >>log
	gives 8 'it grows' log.gz log
}

@test "a compressed file with the lines of one that is as it was is a copy with a warning, or with --alike=new another log" {
	printf 'a 7\n' >log
	gives 7 'first' log
	gzip -k log
	cp state kept
	run_pscan --total -f 2 --state=state log.gz
	assert_equal "$code $out" '0 '
	assert_contains "$err" "log.gz: decompressed, it is the 4 bytes that were read from \"$PWD/log\", and is taken for a copy of them (if it is not: again from the state of before, with --alike=new)"
	cp kept state
	gives 14 'another log' --alike=new log.gz
	# Of two equal ones the one that was compressed is gone.
	cp log log.2
	gives 21 'the same lines' --alike=new log.2
	gzip -9 log.2
	gives '' 'compressed' --alike=new log.2.gz
	# Of several with these lines it is the one that is gone, not one that has grown; of two gone ones, the last.
	begin
	for name in log.3 log.2 log.1; do
		printf 'a 7\n' >"$name"
		total --alike=new "$name"
	done
	assert_scanned 21 'equal ones'
	mkdir aside
	mv log.2 log.3 aside
	gzip -c aside/log.2 >log.2.gz
	printf 'a 1\n' >>log.1
	gives 22 'compressed, and grown' log.2.gz log.1
	mv aside/log.2 log # (a new one, in the inode of the old one)
	printf 'a 2\n' >>log
	refused 'log: it begins with the 4 bytes' log
	# Of a compressed log, too.
	begin
	printf 'a 7\n' | gzip >day.1.gz
	printf 'a 7\n' | xz >day.2.xz
	gives 7 'first' day.1.gz
	cp state kept
	run_pscan --total -f 2 --state=state day.2.xz
	assert_equal "$code $out" '0 '
	assert_contains "$err" "day.2.xz: decompressed, it is the 4 bytes that were read from \"$PWD/day.1.gz\", and is taken for a copy"
	cp kept state
	gives 14 'another log' --alike=new day.2.xz
	# Compressed anew under its name it is no other log.
	begin
	printf 'a 7\n' | gzip >day.gz
	gives 7 'first' day.gz
	printf 'a 7\n' | gzip -1 >new
	mv new day.gz
	run_pscan --total -f 2 --alike=new --state=state day.gz
	assert_equal "$code $out" '0 '
	[[ $err != *copy* ]]
}

@test "a compressed file that has the first lines of one that is there is in doubt" {
	for lines in 2 3000; do
		begin
		seq "$lines" | sed 's/^/n /' >log
		gzip -c log >noon.gz
		echo 'n 5' >>log
		sum=$((lines * (lines + 1) / 2 + 5))
		bytes=$(gzip -dc noon.gz | wc -c)
		gives "$sum" "$lines: first" log
		refused "noon.gz: decompressed, it is the first $bytes bytes that were read from \"$PWD/log\": a copy of them, or another log that begins alike? (say --alike=copy or --alike=new)" noon.gz log
		cp state kept
		gives '' 'a copy' --alike=copy noon.gz log
		gives '' 'known' noon.gz log
		cp kept state
		gives $((2 * sum - 5)) 'another log' --alike=new noon.gz log
		# One that was compressed before, and was copied then, is known as it lies.
		begin
		seq "$lines" | sed 's/^/n /' >log
		gives $((sum - 5)) "$lines: first" log
		gzip -k log
		gives '' 'a copy' log.gz log
		echo 'n 5' >>log
		gives "$sum" 'it grows' log.gz log
		cp log.gz other.gz
		gives '' 'a copy of the copy' other.gz
	done
	# Other lines are new.
	printf 'n 1\nn 9\n' | gzip >new.gz
	gives $((sum + 10)) 'other lines' new.gz
}

@test "a compressed file that has the first lines of one that was cut, or is gone, is in doubt" {
	for lines in 4 3000; do
		for way in cut removed compressed inflated; do
			begin
			seq "$lines" | sed 's/^/n /' >log
			sum=$((lines * (lines + 1) / 2))
			head -n $((lines / 2)) log | gzip >half.gz
			bytes=$(gzip -dc half.gz | wc -c)
			half=$((lines * (lines + 2) / 8)) # of half of the numbers
			name=log
			if [ "$way" = inflated ]; then
				gzip log
				name=log.gz
			fi
			gives "$sum" "$way: first" $name
			case $way in
			cut) printf 'n 9\n' >log ;;
			removed) rm log ;;
			compressed) gzip log && mv log.gz log.1.gz && name=log.1.gz && gives '' 'compressed' log.1.gz ;;
			esac
			refused "half.gz: decompressed, it may be the first $bytes bytes that were read from \"$PWD/$name\", which can no longer be compared: a copy of them, or another log that begins alike? (say --alike=copy or --alike=new)" half.gz
			cp state kept
			gives '' "$way: a copy" --alike=copy half.gz
			gives '' "$way: known" half.gz
			cp kept state
			gives $((sum + half)) "$way: another log" --alike=new half.gz
			cp kept state
			printf 'n 2\nn 1\n' | gzip >other.gz
			gives $((sum + 3)) "$way: other lines" other.gz
		done
	done
}

@test "a file and its compressed copy that are both new in one run count with a warning" {
	printf 'a 1\na 2\n' >log
	gzip -k log
	xz -k log
	printf 'a 2\na 2\n' | gzip >other.gz
	printf 'a 5\n' >another
	for pair in 'log log.gz' 'log.gz log' 'log.xz log.gz'; do
		rm -f state
		# shellcheck disable=SC2086 # two names
		run_pscan --total -f 2 --state=state another $pair other.gz
		assert_equal "$pair: $code $out" "$pair: 0 15"
		assert_equal "$err" "pscan: warning: --state: ${pair#* } has the bytes of ${pair% *}, and both count (if one is a copy: again from the state of before, without it; else --alike=new)"
		rm -f state
		# shellcheck disable=SC2086
		run_pscan --total -f 2 --alike=new --state=state another $pair other.gz
		assert_equal "$pair: $code $out$err" "$pair: 0 15"
	done
	# Empty files, and headers alone, are no such files.
	: >empty
	: >none
	gzip -kn empty none
	run_pscan --total -f 2 --state=empty.state empty none empty.gz none.gz
	assert_equal "$code $err" '0 '
	printf 'k,v\n' >day.1
	gzip -k day.1
	run_pscan --csv -f v --total --state=days day.1 day.1.gz
	assert_equal "$code $err" '0 '
	printf 'k,v\na,1\n' >day.2
	gzip -k day.2
	run_pscan --csv -f v --total --state=days day.2 day.2.gz
	assert_equal "$code ${out#*$'\n'}" '0 2'
	assert_contains "$err" 'day.2.gz has the bytes of day.2, and both count'
	# Long ones that differ at their ends.
	seq 1000 3000 >long
	sed '$s/.*/9999/' long >end
	run_pscan --total --state=long.state long end
	assert_equal "$code $err" '0 '
}

@test "raw numbers after --skip-bytes, and arrays, count once, compressed before or after" {
	printf 'HEAD\1\2\3' >data
	printf 'HEAX\1\2\3' | gzip >data.gz
	printf 'HEAX\1\2\4' | gzip >other.gz
	sums() { run_pscan -q -t u8:u16 --format=binary --skip-bytes=4 --output-format=text --total --state=state "$@"; }
	for pair in 'data data.gz' 'data.gz data'; do
		rm -f state
		sums "${pair% *}"
		assert_scanned 6 "$pair: first"
		sums "${pair#* }"
		assert_scanned '' "$pair: the other"
		sums other.gz
		assert_scanned 13 "$pair: other numbers"
	done
	begin
	"$PYTHON" -c 'import numpy
numpy.save("day.npy", numpy.arange(1, 4))
numpy.save("long.npy", numpy.arange(1, 5))
numpy.save("other.npy", numpy.arange(2, 5))'
	gzip -k day.npy long.npy other.npy
	sums() { run_pscan -q --output-format=text --total --state=state "$@"; }
	for pair in 'day.npy day.npy.gz' 'day.npy.gz day.npy'; do
		rm -f state
		sums "${pair% *}"
		assert_scanned 6 "$pair: first"
		sums "${pair#* }"
		assert_scanned '' "$pair: the other"
		sums other.npy.gz
		assert_scanned 15 "$pair: other numbers"
		sums long.npy.gz
		assert_equal "$code $out" '2 '
		assert_contains "$err" 'long.npy.gz: decompressed, it begins with the'
	done
}
