#!/usr/bin/env bats
# README.md and GUIDE.md: what they show is what comes out, and what they and the other pages name is there.

load helper

setup() {
	# Nothing here needs a device.
	mkdir "$TMP/bin"
	printf '#!/bin/sh\nexec "%s" "$@"\n' "$PSCAN" >"$TMP/bin/pscan"
	chmod +x "$TMP/bin/pscan"
	export PATH=$TMP/bin:$PATH PSCAN_DEVICE=none
	cd "$TMP" || return 1
}

# page TEXT...: a page of these lines in `page.md`.
page() {
	printf '%s\n' "$@" >page.md
}

@test "every example of the README prints what it shows" {
	"$PYTHON" "$TOOLS/pages.py" "$ROOT/README.md"
}

@test "the README's commands for files that it does not show do what it says" {
	grep '^pscan -' "$ROOT/README.md" >commands
	assert_equal "$(wc -l <commands)" 2
	printf '10.0.0.1 - - [20/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 %s\n' 512 - 1024 | gzip >access.log.gz
	"$PYTHON" -c 'import array; array.array("f", [3, -1, 5]).tofile(open("data.bin", "wb"))'
	assert_equal "$(sh commands | paste -s -d ' ' -)" '512 512 1536'
	"$PYTHON" -c 'import array; x = array.array("f"); x.fromfile(open("out.bin", "rb"), 3); assert list(x) == [-float("inf"), 3, 3], x'
}

@test "every example of the guide prints what it shows" {
	"$PYTHON" "$TOOLS/pages.py" "$ROOT/GUIDE.md"
}

@test "an example that prints something else is noticed: another number, a line more or less, a message" {
	local block='```'
	# shellcheck disable=SC1003,SC2016 # a page's text
	page '# A' '`numbers`:' '' "$block" '1' '2' "$block" '' "${block}console" '$ pscan \' '  numbers' 1 3 '$ pscan x' \
		'pscan: x: No such file or directory' "$block"
	"$PYTHON" "$TOOLS/pages.py" page.md
	for change in 's/^3$/4/' '/^3$/d' 's/^3$/&\n3/' 's/No such/&&/' 's/^2$/5/' 's/numbers$/another/'; do
		sed "$change" page.md >changed.md
		run "$PYTHON" "$TOOLS/pages.py" changed.md
		assert_equal "$change: $status" "$change: 1"
	done
	# A block that would never be run is an error.
	sed 's/console$//' page.md >changed.md
	run "$PYTHON" "$TOOLS/pages.py" changed.md
	assert_contains "$output" 'neither a file, console nor sh'
}

@test "the guide's tables: awk, Miller, SQL, pandas and numpy give what pscan gives, as far as they are installed" {
	"$PYTHON" "$TOOLS/side_by_side.py" "$ROOT/GUIDE.md" >counts
	read -r rows _ compared _ <counts
	[ "$rows" -ge 50 ]
	[ "$compared" -ge 30 ]
	sed "s/{ s += \$2; print s }/{ s += \$3; print s }/" "$ROOT/GUIDE.md" >page.md
	run "$PYTHON" "$TOOLS/side_by_side.py" page.md
	assert_contains "$output" 'awk, running total:'
}

@test "the guide's table of operators has each of them, with its results" {
	# shellcheck disable=SC2016 # no expansion
	sed -n 's/^| `\(pscan -op .*\)` | \(.*\) | .* |$/\1#\2/p' "$ROOT/GUIDE.md" >rows
	while IFS='#' read -r command results; do
		assert_equal "$command: $(echo 3 1 4 1 5 | sh -c "$command" | paste -s -d ' ' -)" "$command: $results"
	done <rows
	operator_list | sed 's/, /\n/g; s/:A/:0.5/' >names
	while read -r name; do
		grep -qE "^pscan -op ${name}[ #]" rows || grep -qF -e "-op $name" "$ROOT/GUIDE.md"
	done <names
	[ "$(wc -l <rows)" -ge "$(wc -l <names)" ]
}

@test "the README's picture is what its script draws of what pscan prints" {
	"$PYTHON" "$ROOT/samples/terminal.py" >terminal.svg
	cmp terminal.svg "$ROOT/samples/terminal.svg"
	grep -qF '](samples/terminal.svg)' "$ROOT/README.md"
	"$PYTHON" -c 'import sys, xml.etree.ElementTree as tree; tree.parse(sys.argv[1])' terminal.svg
}

@test "links lead somewhere, and every option that the pages name is one" {
	pages='README.md GUIDE.md CONTRIBUTING.md tests/README.md tests/bench/README.md'
	# shellcheck disable=SC2086 # a list
	"$PYTHON" "$TOOLS/page_names.py" "$ROOT" $pages
	mkdir -p tree/src/cli
	cp "$ROOT/src/cli/options.inc" tree/src/cli
	# shellcheck disable=SC2016 # a page's text
	printf '%s\n' '# One, two' '[a](#one-two) [b](#three) [c](gone.md)' '`--window` `--widow=3` `seq 3 | pscan -q --maximum`' \
		'`sort --key=2 | pscan -W`' >tree/page.md
	run "$PYTHON" "$TOOLS/page_names.py" tree page.md
	assert_equal "$status" 1
	assert_equal "$(printf '%s\n' "$output" | sed 's/^page.md: there is no //; s/: .*//' | paste -s -d ' ' -)" \
		'heading #three gone.md option --widow option --maximum option -W'
}

@test "the README is short, and its speeds are those that tests/bench/README.md has" {
	[ "$(wc -l <"$ROOT/README.md")" -le 110 ]
	assert_equal "$(awk 'length > 100' "$ROOT/README.md")" ''
	"$PYTHON" - "$ROOT" <<-'PYTHON'
		import re
		import sys

		def table(path, columns):
		    """The rows of all tables with these columns."""
		    text = open(f"{sys.argv[1]}/{path}", encoding="utf-8").read()
		    head = "| " + " | ".join(columns) + " |\n"
		    for part in text.split(head)[1:]:
		        for line in part.split("\n")[1:]:
		            if not line.startswith("|"):
		                break
		            yield re.split(r" (?<!\\)\| ", line[2:-2])

		measured = list(table("tests/bench/README.md", ["case", "device", "pscan", "peer", "peer's", "ratio", "must", "commit"]))
		shown = list(table("README.md", ["job", "compared with", "times as fast"]))
		assert len(shown) >= 6, shown
		for job, beside, factor in shown:
		    words = beside.lower().split(" and ")
		    row = next(row for row in measured if row[0].startswith(job) and all(word in (row[0] + row[3]).lower() for word in words))
		    ratio = float(row[5]) if row[2].endswith("B/s") else 1 / float(row[5])
		    assert abs(float(factor) / ratio - 1) < 0.02, (job, beside, factor, row)
	PYTHON
}
