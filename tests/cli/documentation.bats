#!/usr/bin/env bats
# The manual, -h, the completions and the option table of src/cli/options.inc agree, and the examples of the manual
# print what it shows. Its pages are read as their reader sees them: rendered, with lines too long to be wrapped.

load helper

PAGES=$(cd "$ROOT/man" && echo *.[17])
OPTIONS=$ROOT/src/cli/options.inc

# rendered PAGE WIDTH: a page as mandoc shows it in lines of WIDTH columns, in plain text.
rendered() {
	mandoc -Tutf8 -Owidth="$2" "$(dirname "$PSCAN")/$1" | sed "s/.$(printf '\b')//g"
}

setup_file() {
	for page in $PAGES; do
		rendered "$page" 1000 >"$BATS_FILE_TMPDIR/$page"
	done
}

setup() {
	# What is tested here does not depend on the device, but for the examples.
	DEVICE=$PSCAN_DEVICE PSCAN_DEVICE=none
	TEXT=$BATS_FILE_TMPDIR/pscan.1
	code=0 out='' err='' # set by run_pscan
	cd "$TMP" || return 1
}

# Prints a section of the rendered page.
section() {
	awk -v name="$1" '/^[A-Z]/ { inside = $0 == name; next } inside' "$TEXT"
}

# Prints the tags of a section's outermost lists, one a line.
tags() {
	section "$1" | sed -n 's/^     \([^ ].*\)$/\1/p' | sed 's/  .*//'
}

# Prints the spellings of the table's options: OPTION, or LATER for those that are reserved.
table() {
	sed -nE "s/^$1\\(([A-Z]+, )?\"([^\"]*)\".*/\\2/p" "$OPTIONS"
}

# Prints name, kind and letter or nothing for each name of the options that are spelled so.
named() {
	while IFS= read -r tag; do
		letter=
		case $tag in
		-op*) tag=--${tag#*--} ;;
		-[!-]*) letter=${tag:1:1} ;;
		esac
		grep -oE -- '--[a-z-]+(\[=|=)?' <<<"$tag" | while IFS= read -r name; do
			case $name in
			*\[=*) kind=optional ;;
			*=*) kind=required ;;
			*) kind=no ;;
			esac
			name=${name#--}
			echo "${name%%[=[]*} $kind $letter"
		done
	done
}

# Prints the options that OPTIONS documents as the table would have them: name, kind, letter or nothing.
documented() {
	tags OPTIONS | grep '^-' | named
}

# Prints the words of the lines of a list, one a line.
words_of_list() {
	sed -nE 's/^ +([a-z0-9]+(:A)?( or .*[^ ])?( [a-z0-9]+)*)  +.*$/\1/p' | sed 's/ or /\n/; s/ \([a-z]\)/\n\1/g'
}

# The options for development, which -h does not show.
DEVELOPMENT='algorithm|trace|verify'

# A value that each option takes.
value_for() {
	case $1 in
	op | ops | show-operator) echo max ;;
	reset-gap) echo 1:1 ;;
	seed | field | plot-time | group | by | reset-on | reset-every | reset-at | window | min-count | fill-limit | columns | threads | gzip | header | header-names) echo 1 ;;
	comment) echo '#' ;;
	as) echo total ;;
	number-format) echo %g ;;
	overflow) echo wrap ;;
	format | output-format) echo text ;;
	type) echo i64 ;;
	delimiter) echo , ;;
	missing | nan) echo skip ;;
	missing-marks) echo -,NA ;;
	decimal) echo , ;;
	thousands) echo "'" ;;
	accept) echo money ;;
	invalid) echo warn ;;
	output) echo result ;;
	state | show-state) echo state ;;
	device) echo none ;;
	chunk-size) echo 64K ;;
	map) echo x ;;
	emit) echo s ;;
	stats) echo json ;;
	axis | skip-bytes) echo 0 ;;
	alike) echo copy ;;
	zstd) echo 1 ;;
	plot) echo picture.svg ;;
	help) echo text ;;
	algorithm) echo sequential ;;
	trace) echo trace ;;
	*) return 1 ;;
	esac
}

# --- Pages ----------------------------------------------------------------------------------------------------------

@test "the manual passes mandoc's lint and groff with all warnings" {
	for page in $PAGES; do
		cp "$(dirname "$PSCAN")/$page" .
		assert_equal "$(mandoc -Tlint -Wwarning "$page" 2>&1)" ""
		assert_equal "$(groff -ww -mdoc -Tutf8 -z "$page" 2>&1)" ""
	done
}

@test "pscan(1) has at most 600 lines of 80 columns, with six examples before the description" {
	rendered pscan.1 80 >page
	[ "$(wc -l <page)" -le 600 ]
	[ "$(wc -l <page)" -ge 400 ]
	assert_equal "$(sed -n '/^EXAMPLES/,/^DESCRIPTION/p' page | awk '/^           \$/ && !inside { count++ } { inside = /^           / } END { print count }')" 6
}

@test "each page that a page names is there, and pscan(1) names all of them" {
	for page in $PAGES; do
		sed -nE 's/.*\<Xr (pscan[a-z-]*) ([0-9]).*/\1.\2/p' "$ROOT/man/$page" | sort -u >named
		while read -r name; do
			[ -e "$ROOT/man/$name" ]
		done <named
		[ "$page" != pscan.1 ] || cp named named_by_pscan
		[ "$page" = pscan.1 ] || grep -qxF pscan.1 named
	done
	assert_equal "$(paste -s -d ' ' named_by_pscan)" "$(tr ' ' '\n' <<<"$PAGES" | grep -vxF pscan.1 | sort | paste -s -d ' ' -)"
}

@test "each section that a page or a message names is there" {
	{
		for page in $PAGES; do
			sed -nE "s/.*\<Sx ([A-Z]{2,}( A| [A-Z]{2,})*)( No in Xr ([a-z-]+) ([0-9]))?.*/\4.\5 \1/p" "$ROOT/man/$page" | sed "s/^\. /$page /"
		done
		grep -rhoE '[A-Z][A-Z ]* in man [a-z-]+' "$ROOT/src" --include='*.[ch]' | sed -E 's/(.*) in man (.*)/\2.1 \1/'
	} | sort -u >named
	[ "$(grep -c ' LIMITS$' named)" -eq 2 ]
	[ "$(wc -l <named)" -ge 6 ]
	while read -r page section; do
		grep -qxE "\.S[hs] $section" "$ROOT/man/$page"
	done <named
}

@test "the words that people look for are in the manual" {
	while IFS=: read -r page word; do
		grep -qi -e "$word" "$BATS_FILE_TMPDIR/$page" || {
			echo "$page lacks: $word" >&2
			false
		}
	done <<'END'
pscan.1:cumulative
pscan.1:rolling
pscan.1:moving average
pscan.1:difference
pscan.1:percent
pscan.1:group by
pscan.1:scan per key
pscan.1:separator
pscan.1:start value
pscan.1:resume
pscan.1:checkpoint
pscan.1:skip header
pscan.1:follow a log
pscan.1:daily
pscan.1:median
pscan.1:percentile
pscan.1:unsorted
pscan.1:dedup
pscan.1:threads
pscan.1:exit status
pscan.1:overflow
pscan.1:NaN
pscan.1:\<NA\>
pscan-formats.7:skips a header
pscan-formats.7:decimal comma
pscan-numbers.7:overflow
pscan-numbers.7:After a NaN
pscan-mpi.1:as root
END
}

# --- Options --------------------------------------------------------------------------------------------------------

@test "the man page documents every option of the table that is not reserved with its letter, and no other" {
	# The other name of -g has no line of its own in the page.
	table OPTION | named | sed 's/^by required $/by required g/' | sort >"$TMP/table"
	documented | sort >"$TMP/documented"
	[ "$(wc -l <"$TMP/table")" -ge 25 ]
	diff "$TMP/table" "$TMP/documented"
}

# Prints the reserved options, one a line.
reserved() {
	table LATER | tr -d ' ' | tr ',' '\n'
}

@test "the man page lists every reserved option under LIMITS, and no other" {
	reserved | sort >"$TMP/table"
	section LIMITS | sed -n 's/^ *Reserved and refused.*: \(--.*\), and json of --format.*/\1/p' | tr -d ' ' | tr ',' '\n' | sort >"$TMP/documented"
	[ "$(wc -l <"$TMP/table")" -ge 2 ]
	diff "$TMP/table" "$TMP/documented"
}

@test "the table of what goes with what is that of the program: each pair of options" {
	printf '1 a 5\n2 b 6\n3 a 7\n' >in
	section LIMITS >limits
	"$PYTHON" - "$PSCAN" <<'END'
import itertools
import os
import re
import subprocess
import sys

ARGUMENTS = {
    "-e": ["-e"], "--include-initial": ["--include-initial"], "--seed": ["--seed=1"], "--total": ["--total"],
    "-r": ["-r"], "--state": ["--state=state"], "--window": ["--window=2"], "--window=FIELD:N": ["--window=1:2"],
    "lag:N": ["-op", "lag:2"], "delta:N": ["-op", "delta:2"], "distinct": ["-op", "distinct"], "-g": ["-g", "2"],
    "resets": ["--reset-every=2"], "-a": ["-a"], "--replace": ["--replace"], "--plot": ["--plot=plot.svg"],
    "--min-count": ["--min-count=2"], "--algorithm": ["--algorithm=sequential"], "mean": ["-op", "mean"],
    "argmax": ["-op", "argmax"], "--reset-at": ["--reset-at=6"], "--map": ["--map=x + 0"], "t in --emit": ["--emit=t - s"],
    "--check-associative": ["--check-associative"], "-t text": ["-t", "text", "-op", "lag"],
}
with open("limits", encoding="utf-8") as file:
    table = file.read().split("What goes with what\n")[1]
rows = {}
for tags, text in re.findall(r"^     (\S.*?)(?:  +|\n {8,})(\S.*)\n", table, re.M):
    words = set(re.split("[,;] ", text.split("; with ")[0]))
    for tag in tags.split(", "):
        rows[tag] = words
rows["--window=FIELD:N"] |= rows["--window"]
assert len(rows) >= 15, rows
ALSO = {"--reset-at": "resets", "t in --emit": "--emit"}
names = {name: {name, ALSO.get(name, name)} for name in ARGUMENTS}
excluded = {name: set().union(*(rows.get(also, set()) for also in names[name])) for name in ARGUMENTS}
count = 0
for one, other in itertools.combinations(ARGUMENTS, 2):
    options = ARGUMENTS[one] + ARGUMENTS[other]
    if options.count("-op") > 1 or {one, other} == {"--window", "--window=FIELD:N"} or {one, other} == {"resets", "--reset-at"}:
        continue
    wanted = bool(names[other] & excluded[one] or names[one] & excluded[other])
    done = subprocess.run([sys.argv[1], "-f", "1", *options, "in"], capture_output=True, text=True, check=False)
    if os.path.exists("state"):
        os.remove("state")
    if (done.returncode == 2) != wanted: # (1: with -r the times rise)
        print(f"{one} with {other}: {done.returncode} {done.stderr}")
        count += 1
sys.exit(count > 0)
END
}

@test "every reserved option is refused as not supported yet" {
	{
		reserved
		printf '%s\n' --format=json --output-format=json
	} >"$TMP/reserved"
	while read -r option; do
		run_pscan "$option" </dev/null
		assert_equal "$option: $code $out" "$option: 2 "
		assert_contains "$option: $err" "$option: not supported yet"
	done <"$TMP/reserved"
}

@test "every value that the man page lists is accepted" {
	echo 1 >in
	"$PSCAN" -t i8 --output-format=npy -o in.npy in
	{
		section OPERATORS | words_of_list | sed 's/^/op=/; s/:A$/:0.5/'
		section OPTIONS | grep '^             ' | words_of_list | sed 's/^/type=/'
		tags OPTIONS | sed -n 's/^.*--\([a-z-]*=.* | .*\)$/\1/p' | grep -v '^field=' | sed 's/\<value$/7.5/' |
			awk -F '=| [|] ' '{ for (i = 2; i <= NF; i++) print $1 "=" $i }'
		printf '%s\n' missing=zero device=auto device=none gzip=1 gzip=9 threads=0 threads=1024 chunk-size=1 chunk-size=64K \
			chunk-size=1M 'delimiter=\t' type=f64be type=i32le type=float32 type=uint8 'type=<f4' 'type=>i8' type=i32:f64be
	} >"$TMP/values"
	[ "$(grep -c '^op=' "$TMP/values")" -eq "$("$PSCAN" --list-operators | cut -c 1-11 | wc -w)" ]
	[ "$(grep -c '^type=' "$TMP/values")" -eq 20 ]
	[ "$(grep -cE '^(overflow|format|output-format|missing|nan|invalid)=' "$TMP/values")" -eq 25 ]
	while IFS= read -r value; do
		set -- -f 1 "--$value" in
		case $value in
		format=binary) set -- --format=binary -t i8 in ;;
		format=npy) set -- --format=npy in.npy ;;
		output-format=npy) set -- "$@" -t i8 -o out.npy ;;
		output-format=binary) set -- "$@" -t i8 ;;
		op=linrec) set -- -f 1,1 "--$value" in ;;
		op=and | op=or | op=xor | 'op=&' | 'op=|' | 'op=^') set -- "$@" -t u8 ;;
		type=text) set -- "$@" -op last ;;
		type=*) set -- "$@" --output-format=text ;;
		esac
		run_pscan "$@"
		assert_equal "$value: $code $err" "$value: 0 "
	done <"$TMP/values"
}

@test "a value that the man page does not list is refused" {
	for option in op=median op=MAX missing=drop invalid=drop overflow=saturate format=csv output-format=auto gzip=0 gzip=10 \
		threads=1025 chunk-size=65G delimiter=ab type=f16 type=num:f64; do
		run_pscan -f 1 "--$option" </dev/null
		assert_equal "$option: $code" "$option: 2"
	done
}

# --- The help -------------------------------------------------------------------------------------------------------

TOPICS='op scan numbers text keys files running development'

# Prints what stands for every option of the table in the lines of help: name, kind and letter. (`cut` takes its
# column.)
shown() {
	cut -c 3-30 | grep -e -- | while IFS= read -r option; do
		letter=
		[[ ! $option =~ ^-[a-zA-Z][\ ,] ]] || letter=${option:1:1}
		name=--${option##*--}
		name=${name%% *}
		case $name in
		*\[=*) kind=optional ;;
		*=*) kind=required ;;
		*) kind=no ;;
		esac
		name=${name#--}
		echo "${name%%[=[]*} $kind $letter"
	done
}

@test "-h: the commonest options, each in a line of its own as in its topic, five examples, the topics and the man page" {
	"$PSCAN" -h >"$TMP/help"
	assert_equal "$(awk 'length > 80' "$TMP/help")" ""
	[ "$(wc -l <"$TMP/help")" -le 40 ]
	grep '^  -' "$TMP/help" >"$TMP/lines"
	[ "$(wc -l <"$TMP/lines")" -ge 20 ]
	assert_equal "$(grep -vcE '^  -.{27} [^ ]' "$TMP/lines")" 0
	assert_equal "$(sort "$TMP/lines" | uniq -d)" ""
	for topic in $TOPICS; do
		"$PSCAN" --help="$topic"
	done >"$TMP/all"
	while IFS= read -r line; do
		grep -qxF -e "$line" "$TMP/all"
	done <"$TMP/lines"
	for name in op exclusive window type field csv json header append missing group output help; do
		assert_contains "$(shown <"$TMP/lines")" "$name "
	done
	assert_equal "$(shown <"$TMP/lines" | grep -E "^($DEVELOPMENT) ")" ""
	assert_equal "$(grep -c ' pscan.* # ' "$TMP/help")" 5
	assert_contains "$(cat "$TMP/help")" "${TOPICS// /, }"
	assert_equal "$(tail -n 1 "$TMP/help")" 'All of it: man pscan, pscan-formats, pscan-numbers and pscan-programs'
}

@test "headings of the help are bold on a terminal, unless NO_COLOR or TERM says no, and nothing else is" {
	# shown_on_terminal OPTION VARIABLE=VALUE...: what it prints on a terminal, which is all of its descriptors.
	shown_on_terminal() {
		env -u NO_COLOR TERM=xterm "${@:2}" "$PYTHON" -c '
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], [word for word in sys.argv[1:] if word])
try:
    while data := os.read(terminal, 65536):
        os.write(1, data.replace(b"\r\n", b"\n"))
except OSError:
    os.waitpid(pid, 0)' "$PSCAN" "$1"
	}
	for options in -h --help --help=op --help=--window --help=examples --help=ema; do
		"$PSCAN" "$options" >plain
		assert_equal "$(shown_on_terminal "$options" NO_COLOR=1)" "$(cat plain)"
		assert_equal "$(shown_on_terminal "$options" TERM=dumb)" "$(cat plain)"
		shown_on_terminal "$options" NO_COLOR= >bold
		assert_equal "$(sed 's/\x1b\[[01]m//g' bold)" "$(cat plain)"
		sed -n 's/^\x1b\[1m\([^\x1b]*\)\x1b\[0m.*/\1/p' bold >"bold$options"
		assert_equal "$(grep -c $'\x1b' bold)" "$(wc -l <"bold$options")"
	done
	assert_equal "$(cat bold-h)" $'Usage:\nMore:'
	assert_equal "$(cat bold--help)" "$({
		echo Usage:
		"$PSCAN" --help | grep -E '^[A-Z].* \(--help=[a-z]+\):$'
		echo 'All of it:'
	})"
	assert_equal "$(cat bold--help=--window) $(cat bold--help=op bold--help=examples bold--help=ema)" 'Options like it: '
	# A message about nothing to do is the short help, on the standard error.
	assert_equal "$(shown_on_terminal '' 2>&1 | head -n 1)" "$(printf '\033[1mUsage:\033[0m pscan [OPTION]... [FILE]...')"
}

@test "--help shows all topics under the man page's headings, the operators and the examples" {
	run_pscan --help
	assert_equal "$code $err" '0 '
	assert_equal "$(awk 'length > 80' "$TMP/out")" ""
	for topic in $TOPICS; do
		"$PSCAN" --help="$topic" >"$TMP/topic"
		heading=$(grep "(--help=$topic):\$" "$TMP/out")
		section OPTIONS | grep -qxF "   ${heading% (*}"
		awk -v heading="$heading" '$0 == heading { inside = 1; next } inside' "$TMP/out" |
			head -n "$(wc -l <"$TMP/topic")" | cmp - "$TMP/topic"
	done
	"$PSCAN" --help=all | cmp - "$TMP/out"
	assert_contains "$out" "$("$PSCAN" --help=examples)"
	assert_contains "$("$PSCAN" -h)" "$("$PSCAN" --help=examples)"
}

@test "--help=TOPIC shows every option of the table that is not reserved once, under what the man page has it under" {
	for topic in $TOPICS; do
		"$PSCAN" --help="$topic" >"$TMP/help"
		"$PSCAN" --help "$topic" | cmp - "$TMP/help"
		[ "$topic" != op ] || {
			"$PSCAN" --list-operators | cmp - <(sed '1,/^$/d' "$TMP/help")
			sed -i '/^$/,$d' "$TMP/help"
		}
		assert_equal "$(grep -vcE '^  -.{27} [^ ]' "$TMP/help")" 0
		sed -i '/^  --accept=[a-z]/d' "$TMP/help" # its words
		shown <"$TMP/help" | sed "s/\$/ $topic/"
	done >"$TMP/shown"
	# A line has one name of an option; the other one of -g has another line.
	documented | sed 's/^by required g$/by required /' | sort >"$TMP/documented"
	sed 's/ [a-z]*$//' "$TMP/shown" | sort | diff "$TMP/documented" -
	while read -r topic heading; do
		section OPTIONS | awk -v heading="   $heading" '/^   [A-Z]/ { inside = $0 == heading } inside' >"$TMP/part"
		awk -v topic="$topic" '$NF == topic { print $1 }' "$TMP/shown" | while read -r name; do
			grep -qE -- "^     (-.*)?--$name([^a-z-]|\$)" "$TMP/part"
		done
	done <<<$'op Operators\nscan The scan\nnumbers Numbers\ntext Text\nkeys Keys, segments and columns\nfiles Files\nrunning Running\ndevelopment For tests of pscan itself'
}

@test "every option of the help is accepted" {
	seq 3 >in
	"$PSCAN" -t i8 --output-format=npy -o in.npy in
	"$PSCAN" --state=state </dev/null
	for topic in $TOPICS; do
		"$PSCAN" --help="$topic"
	done | grep '^  -' | shown | sort -u >"$TMP/shown"
	while read -r name kind letter; do
		value=$(value_for "$name") || value=''
		set -- "--$name"
		case $kind in
		required) set -- "--$name=$value" "--$name" "$value" ;;
		optional) set -- "--$name" "--$name=$value" ;;
		esac
		[ -z "$letter" ] || { [ "$kind" = required ] && set -- "$@" "-$letter" "$value"; } || set -- "$@" "-$letter"
		case $name in
		delimiter | append | group | by | reset-on | reset-gap | replace | csv | tsv | log | plot-time) set -- "$@" -f 1 ;;
		json | logfmt) set -- "$@" -f 1 --missing=skip --invalid=ignore ;;
		as) set -- "$@" -H -f 1 -a ;;
		header-names) set -- "$@" -H ;;
		fill-limit) set -- "$@" --missing=hold ;;
		map | emit) set -- "$@" -D cpu ;;
		alike) set -- "$@" --state=another ;;
		esac
		input=in
		[ "$name" != axis ] || input=in.npy
		run_pscan "$@" "$input"
		assert_equal "$*: $code" "$*: 0"
		[[ $name =~ ^(stats|progress|plot|plot-time|verbose|no-header)$ ]] || assert_equal "$*: $err" "$*: "
	done <"$TMP/shown"
}

@test "--help=OPTION: every option by its name or letter, with dashes or without, abbreviated, and operators" {
	for topic in $TOPICS; do
		"$PSCAN" --help="$topic"
	done | grep '^  -' >"$TMP/all"
	while read -r name _ letter; do
		run_pscan --help="--$name"
		assert_equal "$name: $code $err" "$name: 0 "
		grep '^  -' "$TMP/out" >"$TMP/lines"
		grep -qE -- "--$name([^a-z-]|\$)" "$TMP/lines"
		assert_equal "$(grep -vxFc -f "$TMP/all" "$TMP/lines")" 0
		[[ " $TOPICS " == *" $name "* ]] || "$PSCAN" --help="$name" | cmp - "$TMP/out"
		[ "$name" != by ] || continue # another line has -g
		[ -z "$letter" ] || "$PSCAN" --help="-$letter" | cmp - "$TMP/out"
		[ -z "$letter" ] || "$PSCAN" --help "$letter" | cmp - "$TMP/out"
		[ -z "$letter" ] || "$PSCAN" --help "-$letter" | cmp - "$TMP/out"
		"$PSCAN" --help "--$name" | cmp - "$TMP/out"
	done < <(documented)
	"$PSCAN" --help=--wind | cmp - <("$PSCAN" --help=window)
	"$PSCAN" --help=--seed=5 | cmp - <("$PSCAN" --help=seed)
	"$PSCAN" --help --seed=5 | cmp - <("$PSCAN" --help=seed)
	"$PSCAN" --help -op | cmp - <("$PSCAN" --help=-op)
	"$PSCAN" --help -- -f | cmp - <("$PSCAN" --help)
	run_pscan --help --no-such
	assert_equal "$code" 2
	assert_equal "$("$PSCAN" --help=-op | grep -c -e '^  -op ')" 3
	assert_contains "$("$PSCAN" --help=window)" 'Options like it: pscan --help=scan'
	assert_equal "$("$PSCAN" --help=ema)" "$("$PSCAN" --list-operators | grep '^ema')"
	# A word after -h, or before --help, does not belong to it.
	"$PSCAN" -h op | cmp - <("$PSCAN" -h)
	"$PSCAN" op --help | cmp - <("$PSCAN" --help)
}

@test "--help of what there is not is refused: with what is known elsewhere, or the topics" {
	for word in texts '' re --nosuch - sum:2; do
		run_pscan --help="$word"
		assert_equal "$word: $code $out$err" \
			"$word: 2 pscan: --help: \"$word\" is not an option, operator or topic (${TOPICS// /, })"
	done
	run_pscan --help nosuch
	assert_equal "$code $out" '2 '
	run_pscan --help=rolling
	assert_equal "$code $out$err" '2 pscan: --help: "rolling" is not an option: perhaps --window=N'
}

@test "the five examples of the help do what they say" {
	"$PSCAN" --help=examples | sed -n 's/^  \(.*pscan.*\)# .*/\1/p' | sed 's/ *$//' >"$TMP/examples"
	assert_equal "$(wc -l <"$TMP/examples")" 5
	# shellcheck disable=SC2317 # the completion asks it for the operators
	pscan() { "$PSCAN" "$@"; }
	example() { eval "$(sed -n "$1p" "$TMP/examples")"; }

	assert_equal "$(sed -n 1p "$TMP/examples")" "seq 5 | pscan"
	assert_equal "$(example 1 | paste -s -d ' ' -)" "1 3 6 10 15"
	assert_equal "$(example 2 | paste -s -d ' ' -)" "1 1.5 2 3 4"

	printf 'account,amount\nx,1.10\ny,5\nx,2\n' >ledger.csv
	assert_equal "$(example 3 | paste -s -d ' ' -)" "account,amount,amount_sum x,1.10,1.10 y,5,5 x,2,3.10"

	for bytes in 512 - 1024; do
		echo '10.0.0.1 - - [20/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 '"$bytes"
	done | gzip >access.log.gz
	assert_equal "$(example 4 | paste -s -d ' ' -)" "512 512 1536"

	printf '\000\000\100\100\000\000\200\277\000\000\240\100' >data.bin # 3 -1 5
	example 5
	assert_equal "$(od -An -v -tx1 out.bin | tr -d ' \n')" "000080ff0000404000004040"
}

# --- What the man page shows ------------------------------------------------------------------------------------------

# Prints the examples of a page: literal blocks, indented by eleven blanks, that begin with a command behind a $.
examples() {
	awk '/^           \$ / { inside = 1 } !/^           / { inside = 0 } inside { print substr($0, 12) }' "$BATS_FILE_TMPDIR/$1"
}

# Runs the examples of a page in a directory of their own, and compares what they print. A file that an example shows is
# there as it shows it.
run_examples() {
	mkdir "$TMP/of $1"
	cd "$TMP/of $1" || return
	examples "$1" >"$TMP/shown"
	awk '/^\$ / { file = NF == 3 && $2 == "cat" ? $3 : ""; next } file != "" { print > file }' "$TMP/shown"
	[ "$1" != pscan.1 ] || {
		printf '10.0.0.1 - - [20/Nov/2026:10:00:0%s +0000] "GET / HTTP/1.1" %s\n' 0 '200 512' 5 '304 -' 9 '200 1024' >access.log
		"$PYTHON" -c 'import struct, sys; sys.stdout.buffer.write(struct.pack("=4i", 3, 1, 4, 1))' >counts.bin
	}
	rm -f "$TMP/ran"
	[ "$1" != pscan-programs.7 ] || local DEVICE=auto # t is not for devices
	while IFS= read -r line; do
		printf '%s\n' "$line" >>"$TMP/ran"
		PSCAN_DEVICE=$DEVICE sh -c "${line#??}" >>"$TMP/ran" 2>&1 </dev/null
	done < <(grep '^\$ ' "$TMP/shown")
	diff "$TMP/shown" "$TMP/ran"
}

# Makes programs of these names known to the examples.
install_programs() {
	mkdir bin
	for name; do
		printf '#!/bin/sh\nexec "%s" "$@"\n' "$(dirname "$PSCAN")/$name" >"bin/$name"
		chmod +x "bin/$name"
	done
	# shellcheck disable=SC2030 # each test has its own
	export PATH=$TMP/bin:$PATH
}

@test "every example of the manual runs with the result that it states" {
	install_programs pscan
	for page in $PAGES; do
		[ "$page" = pscan-mpi.1 ] || run_examples "$page"
	done
	cat "$BATS_FILE_TMPDIR"/pscan*.[17] | grep -c '^           \$ .*pscan' >count
	[ "$(cat count)" -ge 30 ]
	# Commands stand nowhere else.
	assert_equal "$(grep -E '^\.Dl .*(pscan [^:]|\$ )' "$ROOT"/man/*.[17])" ""
}

@test "the example of pscan-mpi(1) runs with the result that it states" {
	[ -e "$PSCAN-mpi" ] || skip 'no pscan-mpi (make mpi)'
	command -v mpirun >/dev/null || skip 'no mpirun'
	install_programs pscan-mpi
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
	run_examples pscan-mpi.1
}

@test "the main messages come where they should" {
	seq 3 | gzip >whole.gz
	head -c 15 whole.gz >cut.gz
	{ cat whole.gz; echo more; } >trailing.gz
	head -c 4099 /dev/zero >odd.bin
	printf 'PK\003\004' >some.zip
	printf '\050\265\057\375\000\220\001\000\000' >wide.zst
	echo 1 >loop
	printf '#!/bin/sh\nexec "%s" "$@" >>loop\n' "$PSCAN" >append
	chmod +x append
	cat >messages <<'END'
not a number: "TEXT" (see --invalid)
not an integer: "TEXT" (see -t)
the line has 1 field: "LINE" (see -f)
missing: "-" (see --missing=skip, --missing=0)
missing: "nan" (see --missing=skip, --missing=0, --nan)
empty or absent: "" (see --missing)
a NaN: "nan" (see --nan)
element 2: a NaN (see --nan)
out of the type's range: "TEXT" (see -t)
too large for a float: "TEXT" (see -t)
not a JSON object: "TEXT"
not in the line: "LINE" (see -f, --missing)
not the Common Log Format, whose field 4 is a time in brackets: "TEXT" (see -f, --invalid)
neither a number nor a time: "TEXT" (see --reset-gap)
not a time: "TEXT" (see -g)
"TEXT" has no time of day (two fields? --reset-gap=1+2:30m)
--window: the time is before that of an earlier line (sort them by time)
a time zone that is not UTC, GMT, Z or an offset such as +01:00: "TEXT"
--reset-gap: "TEXT" is in milliseconds, and the first value is in seconds
key "KEY": the sum does not fit i32 (see -t i32:i64, --overflow=wrap)
the sum does not fit i32 (see -t i32:i64, --overflow=wrap)
NUMBER does not fit i8 (see -t, --overflow=wrap)
cannot stay exact: "TEXT" (see -t)
byte 4096: 3 bytes left over, float32 needs 4
it is zip: use unzip -p F | pscan
taken for raw binary float32 (see --format)
looks like float64: -t f64 (or -t f32, if it is float32)
looks like int32: -t i32 (or -t f32, if it is float32)
looks like text that is not UTF-8: --format=text, or iconv
looks like text except for \x00 in line 1: --format=text, or tr '\000' ' '
not in the line, so nothing can be replaced: "LINE" (see --missing=skip)
no field is called "NAME" (there is TEXT)
line 2 has 5 fields, the header 3 names (choose the field by number: -f N)
3 fields, the header has 2 names: "LINE" (see --invalid)
field 3 is not under its name "NAME": "LINE" (a blank within a field? see --invalid)
line 1 may be a header: say -H or --no-header
line 1: a header of numbers, or data? see -H and --no-header
--csv needs -f; the columns are 1, 2: pscan --csv -f 2 FILE
several fields are called "NAME": 1, 2 (choose one by its number)
the header differs from that of the first file: "LINE"
a quoted field is not closed: "TEXT"
damaged gzip data: REASON
trailing bytes that are not a gzip member
a window of more than 128 MiB: use zstd -dc --long=31 F | pscan
standard output is the input file loop (to replace it: -o loop)
the trace is also the input or the output
no OpenCL device "SPEC" (see --list-devices)
no OpenCL device, which an operator of your own needs: install pocl-opencl-icd or a GPU's driver
-op:1:9: REASON
the expression has no value: REASON
was created or replaced after pscan had started (see --no-sandbox)
no progress for N s (see PSCAN_DEVICE_TIMEOUT)
a driver crashed (signal NUMBER)
a driver ended the process that tried it
a device's driver ended the program
must not run setuid or setgid
unknown option "TEXT": perhaps TEXT
ambiguous option "TEXT": TEXT
"TEXT" is not an operator: perhaps TEXT (see --list-operators)
not supported yet (see LIMITS in man pscan)
END
	while IFS= read -r message; do
		want=1
		case $message in
		'not a number:'*) run_pscan --format=text < <(echo 1.2.3) ;;
		'not a JSON object:'*) run_pscan --json -f a < <(echo '[1]') ;;
		'not in the line:'*) run_pscan --json -f a < <(echo '{"b":1}') ;;
		'not an integer:'*) run_pscan -t i32 < <(echo 2.5) ;;
		'missing: "-"'*) run_pscan -f 1 < <(echo -) ;;
		'missing: "nan"'*) run_pscan < <(echo nan) ;;
		'element 2: a NaN'*) run_pscan --nan=fail --format=binary -t f32 < <(printf '\0\0\0\0\0\0\300\177') ;;
		'a NaN:'*) run_pscan --nan=fail < <(echo nan) ;;
		'the line has 1 field:'*) run_pscan -f 2 < <(echo 1) ;;
		'empty or absent:'*) run_pscan -d , -f 2 < <(echo 1,) ;;
		'out of the type'*) run_pscan -t u8 < <(echo 256) ;;
		'too large for a float:'*) run_pscan -t f32 < <(echo 1e39) ;;
		'the sum does not fit'*) run_pscan -t i32 < <(printf '2147483647\n1\n') ;;
		'NUMBER does not fit'*) run_pscan -t i32:i8 < <(echo 200) ;;
		'cannot stay exact:'*) run_pscan -t dec < <(echo 1e-19) ;;
		'byte 4096:'*) run_pscan odd.bin ;;
		'looks like int32'*) want=2 && run_pscan < <(printf '\1\0\0\0') ;;
		'looks like float64'*) want=2 && run_pscan < <(printf '\0\0\0\0\0\0\360?') ;;
		'looks like text except'*) want=2 && run_pscan < <(printf '5\0\n6\n7\n') ;;
		'looks like text'*) want=2 && run_pscan < <(printf 'na\357ve 12\n') ;;
		'taken for raw binary float32 (float64'*)
			want=0
			run_pscan < <("$PYTHON" -c 'import array, sys
sys.stdout.buffer.write(array.array("d", [i / 100 for i in range(1, 200)]).tobytes())')
			;;
		'line 2 has 5 fields, the header 3 names'*) run_pscan --csv -f a < <(printf 'a,b,c\n1,2,3,4,5\n') ;;
		'3 fields, the header has 2 names:'*) message=${message/LINE/3,4,5} && run_pscan --csv -f a < <(printf 'a,b\n1,2\n3,4,5\n') ;;
		'field 3 is not under its name'*)
			message=${message/NAME/RSS} && message=${message/LINE/a b 5 6 sh}
			run_pscan -f RSS < <(printf 'USER  PID   RSS COMMAND\nroot    1 11500 init\na b 5 6 sh\n')
			;;
		'line 1: a header of numbers'*) want=2 && run_pscan --csv -f 2 < <(printf 'x,2020\ny,7\n') ;;
		'line 1 may be a header:'*) want=2 && run_pscan --csv -f 1- < <(printf 'x,7\n') ;;
		'--csv needs -f; the columns are 1, 2:'*) want=2 && message=${message% FILE} && run_pscan --csv < <(printf '1,2\n') ;;
		'"TEXT" is not an operator:'*) want=2 && run_pscan -op avg ;;
		'it is zip:'*) want=2 && run_pscan some.zip ;;
		'a window of more than'*)
			! "$PSCAN" --version | grep -q 'no zstd' || continue
			run_pscan wide.zst
			;;
		'taken for raw binary float32'*) want=0 && run_pscan < <(printf '\1\2\3\4') ;;
		'not in the line, so nothing can be replaced:'*) run_pscan -f 2 --replace --missing=7 < <(echo 1) ;;
		'no field is called'*) run_pscan -f NAME < <(echo x) ;;
		'several fields are called'*) run_pscan -f NAME < <(echo NAME NAME) ;;
		'the header differs'*)
			echo 'LINE 1' >one
			echo 'LINE 2' >two
			run_pscan -H -f 2 one two
			;;
		'a quoted field is not closed:'*) run_pscan --csv -f 1 < <(echo '"x') ;;
		'damaged gzip data:'*) run_pscan cut.gz ;;
		'trailing bytes'*) run_pscan trailing.gz ;;
		'standard output is the input file'*) want=2 && PSCAN=./append run_pscan loop ;;
		'the trace is also the input or the output'*) want=2 && run_pscan --trace=loop loop ;;
		'no OpenCL device, which an operator'*)
			want=4 && OCL_ICD_VENDORS=/nonexistent PSCAN_DEVICE=auto run_pscan -op "@$ROOT/samples/mean_deviation.cl" < <(echo 1)
			;;
		'the expression has no value:'*) PSCAN_DEVICE=none run_pscan -t i32 --map='1 / x' -op 'a + b' < <(echo 0) ;;
		'-op:1:9:'*) want=2 && PSCAN_DEVICE=cpu run_pscan -op 'a + b + c' < <(echo 1) ;;
		'was created or replaced'*) # sandbox.bats replaces a file while pscan runs
			grep -qF "$message" "$ROOT/tests/cli/sandbox.bats"
			continue
			;;
		'no OpenCL device'*) want=4 && run_pscan -D nonesuch -t i64 < <(echo 1) ;;
		'no progress for N s'*)
			want=4
			LAYER=$(dirname "$PSCAN")/fault/opencl_layer.so
			FAULT_HOLD=clFlush:$TMP/never FAULT_LOG=$TMP/log OPENCL_LAYERS=$LAYER PSCAN_SANDBOX_ALLOW=$TMP PSCAN_DEVICE_TIMEOUT=1 \
				run_pscan -D cpu -t i64 < <(seq 5000)
			;;
		'a driver crashed'* | 'a driver ended the process'* | *'driver ended the program') # faults.bats makes drivers for that
			grep -qF "${message%NUMBER)}" "$ROOT/tests/cli/faults.bats" || grep -qF "${message#a driver }" "$ROOT/tests/cli/faults.bats"
			continue
			;;
		'must not run setuid'*)
			cp "$PSCAN" setgid
			chgrp $(($(id -g) + 1)) setgid && chmod g+s setgid || continue # only root may
			want=2 && PSCAN=./setgid run_pscan < <(echo 1)
			;;
		'not the Common Log Format, '*) run_pscan --log -f bytes < <(echo '1.1.1.1 - bob smith [t] "GET /" 200 30') ;;
		'not the Combined Log Format, '*) run_pscan --log -f referer < <(echo 'h - - [t] "GET /" 200 30 0.1') ;;
		'neither a number nor a time:'*) run_pscan --reset-gap=1:1 -f 2 < <(echo x 1) ;;
		'--window: the time is before'*) run_pscan --window=1:2 -f 2 < <(printf '2 1\n1 1\n') ;;
		'not a time:'*) run_pscan -g 1:day -f 2 < <(echo x 1) ;;
		'"TEXT" has no time of day'*) run_pscan --reset-gap=1:30m -f 2 < <(echo 2024-05-01 1) ;;
		'a time zone that is not'*) run_pscan -d , --reset-gap=1:30m -f 2 < <(echo '2024-05-01 10:00:00 PST,1') ;;
		'--reset-gap: "TEXT" is in milliseconds'*) run_pscan --reset-gap=1:30m -f 2 < <(printf '5 1\n1714557600000 1\n') ;;
		'key "KEY": the sum does not fit i32'*)
			message=${message/KEY/a}
			run_pscan -t i32 -g 1 -f 2 < <(printf 'a 2147483647\na 1\n')
			;;
		'unknown option'*) want=2 && run_pscan --exlusive ;;
		'ambiguous option'*) want=2 && run_pscan --he ;;
		'not supported yet'*) want=2 && run_pscan --exact < <(echo 1) ;;
		*)
			echo "no command provokes: $message" >&2
			return 1
			;;
		esac
		assert_equal "$message: $code" "$message: $want"
		pattern=$(printf '%s\n' "$message" | sed 's/[][\.*^$]/\\&/g; s/TEXT\|NUMBER\|REASON\|SPEC\|LINE/.*/g; s/ N s/ [0-9]* s/')
		printf '%s\n' "$err" | grep -q "^pscan: .*$pattern" || assert_contains "$err" "$message"
	done <messages
}

@test "the exit statuses are those of the man page" {
	assert_equal "$(tags 'EXIT STATUS' | sed 's/ .*//' | grep -c '^[0-9]$')" 5
	run_pscan < <(seq 3)
	assert_equal "$code" 0
	run_pscan < <(echo x)
	assert_equal "$code" 1
	run_pscan --nonesuch
	assert_equal "$code" 2
	run_pscan nonesuch
	assert_equal "$code" 3
	run_pscan -D nonesuch -t i64 < <(seq 3)
	assert_equal "$code" 4
	PSCAN_DEVICE=nonesuch run_pscan -t i64 < <(seq 3)
	assert_equal "$code" 4
	seq 1000000 | { "$PSCAN" 2>"$TMP/err" || echo $? >"$TMP/code"; } | head -n 1 >"$TMP/out"
	assert_equal "$(cat "$TMP/code" "$TMP/err")" 141
}

@test "every environment variable that the program reads is in the man page, or for tests in tests/README.md" {
	grep -ohE 'getenv\("[A-Z_]+"\)' "$ROOT"/src/*.c "$ROOT"/src/*/*.c | sed 's/.*"\(.*\)".*/\1/' | sort -u >"$TMP/read"
	[ "$(wc -l <"$TMP/read")" -ge 6 ]
	tags ENVIRONMENT | sed 's/, /\n/g' >"$TMP/documented"
	# shellcheck disable=SC2016 # no expansion
	sed -n 's/^| `\(PSCAN_[A-Z_]*\)` .*/\1/p' "$ROOT/tests/README.md" >"$TMP/of_tests"
	[ "$(wc -l <"$TMP/of_tests")" -ge 5 ]
	sort "$TMP/documented" "$TMP/of_tests" | cut -d ' ' -f 1 | uniq -d | diff /dev/null -
	cat "$TMP/of_tests" >>"$TMP/documented"
	while read -r name; do
		grep -qE "^$name( |\$)" "$TMP/documented"
	done <"$TMP/read"
}

@test "the identities are those of the man page" {
	identity() { echo 1 | "$PSCAN" -D none -e -op "$1" ${2:+-t "$2"}; }
	for op in sum or xor; do
		assert_equal "$op $(identity $op i16)" "$op 0"
	done
	# An operator that the page gives no identity has none.
	"$PSCAN" --list-operators | sed 's/:A / /; s/ .*//' >"$TMP/operators"
	TEXT=$BATS_FILE_TMPDIR/pscan-numbers.7 section OPERATORS | sed -n 's/.*The identity is \(.*\) The other operators have none\..*/ \1 /p' | sed 's/[,.]/ /g' >"$TMP/sentence"
	while read -r op; do
		run_pscan -D none -e -op "${op/%ema/ema:1}" --output-format=text --format=text -f "$([ "$op" = linrec ] && echo 1,1 || echo 1)" < <(echo 1)
		if grep -q " $op " "$TMP/sentence"; then
			assert_equal "$op $code $err" "$op 0 "
		else
			assert_equal "$op $code $err" "$op 2 pscan: -e: $op has no start value of its own (see --seed)"
		fi
	done <"$TMP/operators"
	assert_equal "$(identity prod i16)" 1
	assert_equal "$(identity and i16)" -1
	assert_equal "$(identity and u16)" 65535
	assert_equal "$(identity max i16)" -32768
	assert_equal "$(identity max u16)" 0
	assert_equal "$(identity min i16)" 32767
	assert_equal "$(identity min u16)" 65535
	for type in '' f32 f64; do
		assert_equal "$type $(identity max $type)" "$type -inf"
		assert_equal "$type $(identity min $type)" "$type inf"
	done
}

@test "the defaults are those of the man page" {
	printf '\000\000\200\077' >one.bin
	assert_equal "$("$PSCAN" -D none --output-format=text one.bin)" 1
	assert_equal "$(echo 0.1 0.2 | "$PSCAN" -D none --total)" 0.3
}

@test "--total writes only the last result, with marks of --missing=keep too" {
	run_pscan -D none --total --missing=keep < <(printf '1\nNA\n2\nNA\n')
	assert_equal "$code $out" "0 3"
}

@test "what the man page calls no number is none" {
	for token in 1e 1_000 1,5 --5; do
		run_pscan < <(printf '%s\n' "$token")
		assert_equal "$token: $code $out" "$token: 1 "
		assert_contains "$err" "not a number: \"$token\""
	done
}

@test "-opmax and -zop are refused with a hint" {
	for option in -opmax -zop; do
		run_pscan "$option" </dev/null
		assert_equal "$code" 2
		assert_contains "$err" "write -op max"
	done
}

# --- Security ---------------------------------------------------------------------------------------------------------

# Lists the devices, which asks the drivers, with a home and a place for temporary files of its own.
list_devices() {
	env -u POCL_CACHE_DIR -u XDG_CACHE_HOME HOME="$TMP/home" TMPDIR="$TMP/scratch" "$@" "$PSCAN" -l >"$TMP/devices"
}

@test "the kernel cache is created below HOME for the user alone" {
	mkdir home scratch
	list_devices
	assert_equal "$(stat -c %a home/.cache/pscan home/.cache/pscan/pocl | paste -s -d ' ' -)" "700 700"
	assert_equal "$(ls -A scratch)" ""
}

@test "the kernel cache is below XDG_CACHE_HOME where that is set" {
	mkdir home scratch cache
	list_devices XDG_CACHE_HOME="$TMP/cache"
	assert_equal "$(stat -c %a cache/pscan cache/pscan/pocl | paste -s -d ' ' -)" "700 700"
	assert_equal "$(ls -A home scratch)" "$(printf 'home:\n\nscratch:')"
}

@test "a kernel cache that others may enter, or a link, is not used" {
	mkdir -p home/.cache scratch elsewhere
	mkdir -m 711 home/.cache/pscan
	list_devices
	assert_equal "$(ls -A home/.cache/pscan scratch)" "$(printf 'home/.cache/pscan:\n\nscratch:')"
	rmdir home/.cache/pscan
	ln -s "$TMP/elsewhere" home/.cache/pscan
	chmod 700 elsewhere
	list_devices
	assert_equal "$(ls -A elsewhere scratch)" "$(printf 'elsewhere:\n\nscratch:')"
}

@test "POCL_CACHE_DIR is left alone" {
	mkdir home scratch mine
	list_devices POCL_CACHE_DIR="$TMP/mine"
	assert_equal "$(ls -A home scratch)" "$(printf 'home:\n\nscratch:')"
}

@test "messages let no control byte of the input through" {
	run_pscan -D none --format=text < <(printf 'a\033[31m\302\233\342\200\256b\n')
	assert_equal "$code" 1
	assert_contains "$err" '"a\x1b[31m\xc2\x9b\xe2\x80\xaeb"'
}

# --- Completion -------------------------------------------------------------------------------------------------------

# Prints what the completion offers at the end of a line, for a program (default: pscan).
complete_line() {
	COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
	_pscan "${2:-pscan}"
	printf '%s\n' "${COMPREPLY[@]}"
}

@test "the completion offers every option that is not reserved, and no other" {
	# shellcheck source=/dev/null # made from man/pscan.bash
	source "$(dirname "$PSCAN")/pscan.bash"
	table OPTION | named | awk '{ print "--" $1 ($2 == "required" ? "=" : "") } $2 == "optional" { print "--" $1 "=" }' | sort >"$TMP/table"
	complete_line 'pscan --' | sort >"$TMP/offered"
	diff "$TMP/table" "$TMP/offered"
}

@test "the completion offers the values of -op, -t, --missing, --nan, --invalid and -D, and the program takes them" {
	# shellcheck source=/dev/null # made from man/pscan.bash
	source "$(dirname "$PSCAN")/pscan.bash"
	words() { complete_line "$1" | paste -s -d ' ' -; }
	# shellcheck disable=SC2317 # the completion asks it for the operators
	pscan() { "$PSCAN" "$@"; }
	assert_equal "$(words 'pscan -op ')" "$("$PSCAN" --list-operators | cut -d ' ' -f 1 | sed 's/:A$/:/' | paste -s -d ' ' -)"
	assert_contains "$(words 'pscan -op ')" "sum prod max min and or xor "
	assert_equal "$(words 'pscan -op=m')" "max min mean"
	# The program that is asked is the one that is completed, whatever the line begins with.
	assert_equal "$(complete_line 'A=1 ./elsewhere/pscan -op ra' "$PSCAN")" range
	assert_equal "$(words 'pscan --op=x')" "xor"
	assert_equal "$(words 'pscan -e -t i')" "i8 i16 i32 i64"
	assert_equal "$(words 'pscan -t u8:')" "i8 u8 i16 u16 i32 u32 i64 u64 f32 f64"
	assert_equal "$(words 'pscan --missing=')" "fail skip keep hold zero"
	assert_equal "$(words 'pscan --missing ')" "fail skip keep hold zero"
	assert_equal "$(words 'pscan --nan=')" "propagate fail skip keep hold zero"
	assert_equal "$(words 'pscan --invalid=')" "abort fail warn ignore"
	assert_equal "$(words 'pscan -D ')" "auto none gpu gpus cpu"
	assert_equal "$(words 'pscan --gzip ')" ""
	echo 1 1 >in
	for option in -op -t --missing --nan --invalid; do
		complete_line "pscan $option " | while read -r value; do
			fields=1
			[ "$value" != linrec ] || fields=1,2
			set -- -f $fields
			[ "$value" != text ] || set -- -f 1 -op last
			run_pscan -D none "$@" "$option" "${value/%:/:0.5}" in
			assert_equal "$option $value: $code $err" "$option $value: 0 "
		done
	done
	complete_line "pscan -D " | while read -r value; do
		run_pscan -D "$value" in
		[ "$code" -eq 0 ] || assert_equal "$err" "pscan: no OpenCL device \"$value\" (see --list-devices)"
	done
}

@test "fish completes the options of the table, and their values" {
	command -v fish >/dev/null || skip 'no fish'
	mkdir bin home
	ln -s "$PSCAN" bin/pscan
	offered() {
		# shellcheck disable=SC2016,SC2031 # fish's; the test's own
		HOME=$TMP/home XDG_CONFIG_HOME=$TMP/home PATH=$TMP/bin:$PATH fish --no-config \
			-c 'source $argv[1]; complete -C $argv[2]' "$(dirname "$PSCAN")/pscan.fish" "$1" | cut -f 1
	}
	table OPTION | named | sed 's/ .*//; s/^/--/' | sort >"$TMP/table"
	offered 'pscan --' | sed 's/=$//' | sort -u >"$TMP/offered"
	diff "$TMP/table" "$TMP/offered"
	assert_equal "$(offered 'pscan --missing ' | sort | paste -s -d ' ' -)" "fail hold keep skip zero"
	assert_equal "$(offered 'pscan -D ' | sort | paste -s -d ' ' -)" "auto cpu gpu gpus none"
	assert_equal "$(offered 'pscan -op m' | sort | paste -s -d ' ' -)" "max mean min"
	assert_equal "$(fish --no-config -n "$(dirname "$PSCAN")/pscan.fish" 2>&1)" ""
}

# Runs zsh's completion system for real, in a terminal of zsh's own, at the end of a line.
@test "zsh completes the options of the table, and their values" {
	command -v zsh >/dev/null || skip 'no zsh'
	mkdir bin functions
	ln -s "$PSCAN" bin/pscan
	cp "$(dirname "$PSCAN")/pscan.zsh" functions/_pscan
	zsh -n functions/_pscan
	cat >offered.zsh <<'END'
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1= PS2=; fpath=($PWD/functions \$fpath); path=($PWD/bin \$path); autoload -U compinit; compinit -u -D
compadd() { [[ \${@[1,(i)(-|--)]} == *-(O|A|D)* ]] && { builtin compadd \"\$@\"; return; }
typeset -a hits; builtin compadd -O hits \"\$@\"; (( \$#hits )) && print -rl -- @\$^hits >>$PWD/hits; builtin compadd \"\$@\" }
finish() { print done >>$PWD/hits }; zle -N finish; bindkey '^X' finish; bindkey '^I' complete-word; print ready >>$PWD/hits"
wait_for() { for i in {1..24000}; do zpty -r -t z x >/dev/null; grep -q "^$1" $PWD/hits 2>/dev/null && return; sleep 0.05; done }
wait_for ready
zpty -w -n z "$1"$'\t\x18'
wait_for done
zpty -d z
END
	offered() {
		rm -f hits
		zsh -f offered.zsh "$1"
		sed -n 's/^@//p' hits | sed 's/=$//' | sort -u
	}
	table OPTION | named | sed 's/ .*//; s/^/--/' | sort >"$TMP/table"
	offered 'pscan --' | grep '^--' >"$TMP/offered"
	diff "$TMP/table" "$TMP/offered"
	assert_equal "$(offered 'pscan --missing=' | paste -s -d ' ' -)" "fail hold keep skip zero"
	assert_equal "$(offered 'pscan -op m' | paste -s -d ' ' -)" "max mean min"
}

@test "the completion repeats nothing where readline breaks no words at = and :" {
	# shellcheck source=/dev/null # made from man/pscan.bash
	source "$(dirname "$PSCAN")/pscan.bash"
	# shellcheck disable=SC2317 # the completion asks it for the operators
	pscan() { "$PSCAN" "$@"; }
	COMP_WORDBREAKS=' '
	assert_equal "$(complete_line 'pscan --op=ma')" "--op=max"
	assert_equal "$(complete_line 'pscan --type=i32:f6')" "--type=i32:f64"
}

@test "every test and mode that tests/README.md names for a fault is there" {
	"$PYTHON" - "$ROOT" <<'END'
import re
import sys

root = sys.argv[1]
with open(f"{root}/tests/README.md", encoding="utf-8") as file:
    table = re.search(r"\| fault \|.*?\n\n", file.read(), re.S).group()
with open(f"{root}/tests/fault/loops.py", encoding="utf-8") as file:
    modes = re.findall(r'Mode\("([^"]*)"', file.read())
named = set()
for cell in (row.rsplit(" | ", 1)[1].rstrip(" |") for row in table.strip().split("\n")[2:]):
    for part in cell.split("; "):
        where, _, names = part.partition(": ")
        if where == "`make check-faults`":
            named.update(names.split(", "))
            continue
        if where.endswith(("_test.c`", ".py`")):
            open(f"{root}/{where.strip('`')}", encoding="utf-8").close()
            continue
        with open(f"{root}/tests/cli/{where}", encoding="utf-8") as file:
            tests = re.findall(r'^@test "(.*)" \{$', file.read(), re.M)
        for name in re.findall(r'"([^"]*)"', names):
            assert any(test.startswith(name) for test in tests), (where, name)
        assert names.count('"') >= 2, part
assert named == set(modes), (named, modes)
END
}

@test "all messages are in one list, each once in its room, and with those that any other search finds" {
	"$PYTHON" "$TOOLS/messages.py" >list
	# Rooms are those of src, and a message is a line below its room's.
	sed -n 's/^\([a-z]*\) ([0-9]*)$/\1/p' list >rooms
	while read -r room; do
		[ "$room" = main ] || [ -d "$ROOT/src/$room" ]
		awk -v room="$room" '/^[a-z]/ { inside = $1 == room } inside' list >of_room
		assert_equal "$(sed 1d of_room | sort | uniq -d)" ''
		assert_equal "$(head -n 1 of_room)" "$room ($(sed 1d of_room | wc -l))"
	done <rooms
	"$PYTHON" "$TOOLS/messages.py" "$(tail -n 1 rooms)" | diff of_room -
	assert_equal "$(sort -u rooms | wc -l) $(($(wc -l <rooms) >= 12))" "$(wc -l <rooms) 1"
	# What the functions that report are given in one line, with a phrase of three words.
	(cd "$ROOT" && grep -rhoE '(message_(error|refuse|fail|warning)|args_usage)\("[^"\\%]*"' src --include='*.c' | sed 's/^[^"]*"//; s/"$//' | grep -E '^[^ ]+( [^ ]+){2}') | sort -u >found
	[ "$(wc -l <found)" -ge 60 ]
	sed 's/^  //' list | sort -u >listed
	# (Macros may go on with the text.)
	assert_equal "$(awk 'NR == FNR { all = all "\n" $0; next } !index(all, "\n" $0)' listed found)" ''
	# Nothing that people do not read.
	assert_equal "$(grep -nE '_cl_|static inline|#define|<path' list)" ''
}
