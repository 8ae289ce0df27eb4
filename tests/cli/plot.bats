#!/usr/bin/env bats
# --plot: pictures. SVG pictures are compared with a model (plot_cases.py), those of the terminal with pictures that a
# person has checked.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan

load helper

# shellcheck disable=SC2034 # of python
PROLOGUE='
import fcntl, os, pty, re, resource, struct, subprocess, sys, termios
from running import PSCAN
'

setup() {
	cd "$TMP" || return 1
	unset COLUMNS NO_COLOR LC_CTYPE LANG
	# The host's, but where the test says so. (Not above: the file is read again for each test, with what it
	# exported before.)
	DEVICE=$PSCAN_DEVICE PSCAN_DEVICE=none
}

# shows OPTION...: what stands on standard input, 40 columns wide, and nothing else stands on standard error; the
# numbers are in.
shows() {
	COLUMNS=40 run_pscan --plot "$@" in
	assert_equal "$*: $code" "$*: 0"
	assert_equal "$err" "$(cat)"
	"$PSCAN" "$@" in | cmp - out
}

# --- In the terminal --------------------------------------------------------------------------------------------------

@test "a curve in ASCII" {
	printf '1\n3\n2\n5\n4\n' >in
	shows -op last <<'END'
   last
5 +                           :.
  |                          .' '..
  |                         .'     '.
  |                         :        '.
4 +                        :           '
  |                       :
  |                      .'
  |                      :
3 +        .''.         :
  |       .'   '.      :
  |      .'      '.   .'
2 +     :          ''.'
  |    :
  |   :
  | .'
1 +.'
  ++-----------------+-----------------+
   0                 2                 4
END
}

@test "a curve in Braille where the locale has UTF-8, whichever variable says so" {
	printf '1\n3\n2\n5\n4\n' >in
	cat >picture <<'END'
   last
5 ┤                           ⡜⠢⡀
  │                          ⡰⠁ ⠈⠒⢄
  │                         ⢠⠃     ⠑⢄⡀
  │                        ⢀⠇        ⠈⠢⡀
4 ┤                        ⡎           ⠈
  │                       ⡸
  │                      ⢰⠁
  │                     ⢠⠃
3 ┤        ⡠⠋⠢⡀         ⡎
  │       ⡰⠁  ⠈⠑⢄      ⡜
  │      ⡔⠁      ⠑⢄⡀  ⡰⠁
2 ┤    ⢀⠜          ⠈⠢⣀⠇
  │   ⢀⠎
  │  ⢠⠊
  │ ⢠⠃
1 ┤⡰⠁
  └┬─────────────────┬─────────────────┬
   0                 2                 4
END
	LC_ALL=C.UTF-8 shows -op last <picture
	LC_ALL='' LC_CTYPE=en_GB.utf8 LANG=C shows -op last <picture
	LC_ALL='' LANG=C.UTF-8 shows -op last <picture
	LC_ALL=C LC_CTYPE=C.UTF-8 run_pscan --plot -op last in
	assert_equal "$(LC_ALL=C tr -d '\n -~' <err)" ''
}

@test "several curves have marks of their own where there are no colours, and a legend" {
	printf '1 5\n3 4\n2 3\n5 2\n4 1\n' >in
	cat >picture <<'END'
   * 1_last  + 2_last
5 +++                         **
  |  ++                      *  **
  |    +++                  *     ***
  |       ++                *        **
4 +         ++             *           *
  |           +++         *
  |              ++      *
  |                ++    *
3 +        ****      +++*
  |       *    **      *++
  |      *       ***  *   +++
2 +     *           **       ++
  |    *                       +++
  |  **                           ++
  | *                               ++
1 +*                                  ++
  ++-----------------+-----------------+
   0                 2                 4
END
	shows -f 1,2 -op last <picture
	LC_ALL=C.UTF-8 COLUMNS=40 run_pscan --plot -f 1,2 -op last in
	# The axes alone are others.
	[ "$(grep -c '│\|┤' err)" -eq 16 ]
	assert_equal "$(LC_ALL=C.UTF-8 sed '18,$d; 2,$s/^\(..\)./\1 /' err)" "$(sed '18,$d; 2,$s/^\(..\)./\1 /' picture)"
}

@test "steep curves are joined, and the first of several is seen where others are, too" {
	echo 0 9 0 0 9 9 0 9 >in
	shows -op last <<'END'
    last
10 +
   |     .              ......         .
   |     ::             :     :        :
 8 +     ::             :     :        :
   |    .':            .'     :       .'
   |    :  :           :       :      :
 6 +    :  :           :       :      :
   |   :   '.         :        '.    :
   |   :    :         :         :    :
 4 +   :    :         :         :    :
   |  :     '.       :          '.  :
   |  :      :       :           :  :
 2 + .'      :      .'           : .'
   | :        :     :             ::
   | :        :     :             ::
 0 +.'        :.....'             :'
   ++------------------------+----------
    0                        5
END
	printf '0 0\n9 9\n1 1\n1 1\n8 0\n' >in
	shows -f 1,2 -op last <<'END'
    * 1_last  + 2_last
10 +
   |         *
   |         **
 8 +        * *                        *
   |       *   *                      *
   |       *   *                     *
 6 +      *     *                    *
   |     *       *                  *
   |     *        *                *
 4 +    *         *               *
   |   *           *             *
   |   *            *           *
 2 +  *              *          *
   | *               *         *
   | *                *********++++++
 0 +*                                +++
   ++-----------------+----------------+
    0                 2                4
END
}

@test "keys have curves against their own indices, the one with most records first, and the number of all is said" {
	for i in 1 2 3 4 5 6; do
		for key in $(seq $((15 - 2 * i))); do echo "k$key $((key * 2 - i * i % 7))"; done
	done >in
	shows -g 1 -f 2 -op last <<'END'
    * k1  + k2  o k3  x k4  # k5  @ k6
    % k7  & k8  = k9  ~ k10
    (10 of 13 keys)
20 +
   |~~~~
   |=== ~~~~      =
15 +&& ==== ======
   |%%&&&& = &&&&&&
   |@ %%%%&&& %%%%%%%%%%%%
10 + @@@@ %%%%  @@@@@@@@@@
   |#### @@@@@@@ ##########
   |xxx ######### xxxxxxxx ######
 5 +oo xxxx xxxxxx        xxxxxx      oo
   |++oooo x oooooooooooooooooo x oooo++
   |* ++++ooo ++++++++++++++++ ooo++++ *
 0 + **** ++++  ************  ++++ ****
   |     *******            *******
   |
-5 +
   ++-------------+-------------+-------
    0             2             4
END
}

@test "a legend wraps by the columns of its letters, which are question marks in ASCII; a key of nothing is seen" {
	# Two columns, one each, one for a letter and what is above it, none: 2 + 10, 2 + 4, 2 + 4, 2 + 2.
	for key in 日本の山川 ключ e$'\xcc\x81'tea ''; do
		echo "$key,1"
		echo "$key,2"
	done >in
	legend() {
		COLUMNS=$1 LC_ALL=$2 run_pscan -d, -g1 -f2 --plot in
		assert_equal "$code $(sed '/^ *[0-9]/,$d' err)" "0 $3"
	}
	legend 39 C.UTF-8 $'     * 日本の山川  + ключ  o e\xcc\x81tea  x ""'
	legend 38 C.UTF-8 $'     * 日本の山川  + ключ  o e\xcc\x81tea\n     x ""'
	legend 35 C $'     * ?????  + ????  o e?tea  x ""'
	legend 34 C $'     * ?????  + ????  o e?tea\n     x ""'
}

@test "a gap is where no number is, and a number alone is a dot" {
	printf '1 nan 1 1 nan 0' >in
	shows -t f64 -op last <<'END'
     last
  1 +'             '''''''
    |
    |
0.8 +
    |
    |
0.6 +
    |
    |
0.4 +
    |
    |
0.2 +
    |
    |
  0 +                                  .
    ++-------------+------------+-------
     0             2            4
END
}

@test "constant, negative, single, huge and no numbers have axes with numbers that can be read" {
	labels() {
		COLUMNS=40 run_pscan --plot -op last in
		assert_equal "$code" 0
		sed -n '2,17s/^ *\([^ ]*\) [+].*/\1/p' err | paste -s -d ' ' -
	}
	echo 5 5 5 >in
	assert_equal "$(labels)" '8 7 6 5 4 3 2'
	echo -7.25 >in
	assert_equal "$(labels)" '-2 -4 -6 -8 -10 -12'
	echo 0 >in
	assert_equal "$(labels)" '1 0.5 0 -0.5 -1'
	echo 1000000000000000001 1000000000000000003 >in
	assert_equal "$(labels)" '1.6e18 1.4e18 1.2e18 1e18 8e17 6e17 4e17'
	echo 1.7e308 -1.7e308 >in
	assert_equal "$(labels)" '1e308 0 -1e308'
	echo 0.00012 0.00019 >in
	assert_equal "$(labels)" '2e-4 1.8e-4 1.6e-4 1.4e-4 1.2e-4'
	: >in
	assert_equal "$(labels)" '1 0.8 0.6 0.4 0.2 0'
	assert_equal "$(head -n 1 err)" '     last (no finite results)'
}

@test "a terminal's width and colours are used, and no others" {
	python '
def draw(columns, environment, *options):
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
    process = subprocess.Popen([PSCAN, "--plot", *options], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=side,
                               env={**os.environ, **environment})
    os.close(side)
    process.stdin.write(b"1 9\n5 3\n2 2\n")
    process.stdin.close()
    text = b""
    while True:
        try:
            text += os.read(main, 65536)
        except OSError:
            break
    assert process.wait() == 0
    os.close(main)
    lines = text.decode().replace("\r\n", "\n").split("\n")
    bare = [re.sub("\x1b\\[[0-9;]*m", "", line) for line in lines]
    assert len(lines) == 20 and lines[-1] == "", lines
    assert max(map(len, bare)) == columns - 1, (columns, bare)
    return "\n".join(lines)

two = ["-f", "1,2", "-op", "last"]
utf8 = {"LC_ALL": "C.UTF-8", "TERM": "xterm"}
for columns in 50, 133:
    text = draw(columns, utf8, *two)
    assert set(re.findall("\x1b\\[([0-9;]*)m", text)) == {"0", "36", "33"}, text
    assert "\x1b[36m\u28ff\x1b[0m 1_last  \x1b[33m\u28ff\x1b[0m 2_last" in text, text
    for other in {"NO_COLOR": "1"}, {"TERM": "dumb"}, {"LC_ALL": "C"}:
        text = draw(columns, {**utf8, **other}, *two)
        assert "\x1b" not in text and "* 1_last  + 2_last" in text, text
    assert "\x1b" not in draw(columns, utf8, "-f", "1", "-op", "last")'
}

@test "where there is no terminal 80 columns are usual, and COLUMNS may say another number" {
	seq 10 >in
	width() { LC_ALL=C awk 'length > most { most = length } END { print most }' err; }
	run_pscan --plot in
	assert_equal "$(width)" 80
	for columns in '' 0 x -3 99999999; do
		COLUMNS=$columns run_pscan --plot in
		assert_equal "$columns: $code $(width)" "$columns: 0 80"
	done
	COLUMNS=100 run_pscan --plot in
	assert_equal "$(width)" 100
	COLUMNS=1 run_pscan --plot in
	assert_equal "$(width)" 32
}

@test "times stand along the picture, and their day or year below them where it changes" {
	printf 'time,n\n2024-05-01 08:00,3\n2024-05-01 09:30,1\n2024-05-01 14:00,5\n2024-05-02 02:00,4\n' >in
	shows --csv -f n --plot-time=time -op last <<'END'
   n_last
5 +            :'...
  |           .'    '''...
  |           :           '''....
  |          .'                  '''...
4 +          :                         '
  |         :
  |         :
  |        :
3 +'.     .'
  | :     :
  | :    .'
2 +  :   :
  |  :  :
  |  '. :
  |   ::
1 +   :'
  +--------+-----------+-----------+----
         12:00       18:00       00:00
      1 May 2024              2 May 2024
END
	# The picture needs no --plot, and records without a time are counted.
	printf '2024-05-01 1\nsoon 2\n' >in
	COLUMNS=40 run_pscan -f 2 --plot-time=1 in
	assert_equal "$code $out" $'0 1\n3'
	assert_contains "$err" '     sum  (1 record without a time)'
	assert_contains "$err" '30 Apr         1 May          2 May'
	# There is no day before the first one.
	echo '0001-01-01 1' >in
	COLUMNS=40 run_pscan -f 2 --plot-time=1 in
	assert_equal "$code $out $(tail -n 2 <<<"$err" | paste -sd ' ' | tr -s ' ')" '0 1  1 Jan 2 Jan 1'
}

# --- As SVG -----------------------------------------------------------------------------------------------------------

@test "curves are the least and greatest of each range, for every type, order, chunk, gap and name" {
	run "$PYTHON" "$TOOLS/plot_cases.py"
	assert_equal "$status: $output" "0: 89 pictures"
}

@test "times along a picture are where they belong, for every order, chunk, zone, field, key and unit of the axis" {
	run "$PYTHON" "$TOOLS/plot_times.py"
	assert_equal "$status: $output" "0: 31 pictures"
}

# bats test_tags=long
@test "curves of twice as many lines, and of the same key by key" {
	MANY=1 run "$PYTHON" "$TOOLS/plot_cases.py" 'more ranges than there is room for' 'the same, key by key'
	assert_equal "$status: $output" "0: 2 pictures"
}

@test "the same results give the same bytes, whatever the chunks, threads, device and locale" {
	raw_integers 3000000 >in
	"$PSCAN" --format=binary -t i32:i64 --plot=first.svg -o /dev/null in
	for more in '-T 1' '-T 7 --chunk-size=16K' "-D ${DEVICE:-cpu}" '--no-sandbox'; do
		# shellcheck disable=SC2086 # words
		LC_ALL=C.UTF-8 LC_NUMERIC=de_DE.UTF-8 run_pscan --format=binary -t i32:i64 --plot=again.svg $more -o /dev/null in
		assert_equal "$more: $code $err" "$more: 0 "
		cmp first.svg again.svg
	done
	"$PSCAN" --format=binary -t i32:i64 --plot=again.svg -o /dev/null <in
	cmp first.svg again.svg
}

@test "the same keys and results give the same bytes, whatever the chunks, threads and locale, and from a pipe" {
	# More ranges than there is room for; keys that come late and are many; results that take more and more digits.
	awk 'BEGIN { for (i = 0; i < 300000; i++) print "k" (i < 100000 ? i % 300 : i % 17 * i % 30001), i % 1000 == 0 ? i ".25" : i % 7 - 3 }' >in
	"$PSCAN" -g 1 -f 2 --plot=first.svg -o first in
	assert_contains "$(cat first.svg)" ' (10 of 29992 keys).</desc>'
	for more in '-T 1' '-T 7 --chunk-size=16K' '--chunk-size=1M' '--no-mmap --no-sandbox'; do
		# shellcheck disable=SC2086 # words
		LC_ALL=C.UTF-8 LC_NUMERIC=de_DE.UTF-8 run_pscan -g 1 -f 2 --plot=again.svg $more -o again in
		assert_equal "$more: $code $err" "$more: 0 "
		cmp first.svg again.svg
		cmp first again
	done
	"$PSCAN" -g 1 -f 2 --plot=again.svg -o /dev/null < <(cat in)
	cmp first.svg again.svg
}

@test "a run that goes on from a state draws the records of its own" {
	printf 'a 1\nb 2\nc 3\n' >first
	printf 'c 4\na 5\nc 6\n' >second
	"$PSCAN" -g 1 -f 2 --state=state --plot=first.svg first >/dev/null
	"$PSCAN" -g 1 -f 2 --state=state --plot=second.svg second >/dev/null
	assert_contains "$(cat first.svg)" '<title id="title">a, b, c</title>'
	assert_contains "$(cat second.svg)" '<title id="title">c, a</title>'
	assert_contains "$(cat second.svg)" '>Up to 2 results of a key against their index, from 6 to 13.<'
}

@test "results of operators of one's own are drawn, each by its name" {
	raw_integers 20000 >in
	run_pscan -D "${DEVICE:-cpu}" -op 'a + b' --format=binary -t i32 --plot=own.svg -o /dev/null in
	assert_equal "$code $err" '0 '
	"$PSCAN" --format=binary -t i32 --plot=sum.svg -o /dev/null in
	assert_equal "$(sed 's/expr/sum/' own.svg)" "$(cat sum.svg)"
	cat >two.cl <<'END'
typedef struct { int total, count; } state;
typedef struct { int count, total; } results;
state lift(int x) { state s = { x, 1 }; return s; }
state combine(state a, state b) { state s = { a.total + b.total, a.count + b.count }; return s; }
results emit(state s) { results r = { s.count, s.total }; return r; }
END
	run_pscan -D "${DEVICE:-cpu}" -op @two.cl --format=binary --plot=own.svg -o /dev/null in
	assert_equal "$code $err" '0 '
	"$PSCAN" --format=binary -t i32 -op count,sum --plot=two.svg -o /dev/null in
	assert_equal "$(sed 's/total/sum/' own.svg)" "$(cat two.svg)"
}

@test "an SVG is well-formed, needs nothing else, and says what it shows" {
	printf '{"a<&>\\u0007":1}\n' | "$PSCAN" --json -f 'a<&>'$'\a' --plot=picture.svg >/dev/null
	python '
import xml.etree.ElementTree as tree
root = tree.parse("picture.svg").getroot()
space = "{http://www.w3.org/2000/svg}"
assert root.tag == space + "svg" and root.get("role") == "img" and root.get("viewBox") == "0 0 800 400"
assert root.find(space + "title").text == "a<&>\\x07_sum", root.find(space + "title").text
assert root.find(space + "desc").text == "1 results against their index, from 1 to 1."
tags = {element.tag.replace(space, "") for element in root.iter()}
assert tags == {"svg", "title", "desc", "style", "rect", "path", "text"}, tags
text = open("picture.svg").read()
assert "prefers-color-scheme:dark" in text and text.count("http") == 1 and "url(" not in text'
}

@test "the guide's picture is what its command draws" {
	command=$(sed -n 's/^\(seq .*--plot=\)samples\/liouville\.svg > .*$/\1picture.svg/p' "$ROOT/GUIDE.md")
	[ -n "$command" ]
	mkdir bin
	ln -s "$PSCAN" bin/pscan
	PATH=$TMP/bin:$PATH sh -c "$command" >results
	cmp picture.svg "$ROOT/samples/liouville.svg"
	grep -qF '](samples/liouville.svg)' "$ROOT/GUIDE.md"
}

# memory_of RECORDS KEYS...: with a picture a scan takes no more memory than each key needs.
memory_of() {
	[ -z "${ASAN_OPTIONS:-}${TSAN_OPTIONS:-}" ] || skip 'memory is not measured under a sanitizer'
	python '
def peak(key_count, *options):
    program = "BEGIN { for (i = 0; i < %s; i++) print i * 7919 %% %d, i %% 9 - 4 }" % (sys.argv[1], key_count)
    awk = subprocess.Popen(["awk", program], stdout=subprocess.PIPE)
    p = subprocess.Popen([PSCAN, "-T1", "--chunk-size=64K", "-g", "1", "-f", "2", "-o", "/dev/null", *options], stdin=awk.stdout)
    _, status, usage = os.wait4(p.pid, 0)
    assert status == 0 and awk.wait() == 0
    return usage.ru_maxrss
for key_count in map(int, sys.argv[2:]):
    without, with_picture = peak(key_count), peak(key_count, "--plot=picture.svg")
    # Ranges beside one of each key, what each key has, and seven slots. (Their chunks are small, as how many are in use
    # depends on the machine.)
    assert with_picture < without + (24 << 10) + key_count * 32 // 1024 + 8192, (key_count, without, with_picture)
assert f"(10 of {key_count} keys)" in open("picture.svg").read()' "$@"
}

@test "memory grows with the keys, by a range for each" {
	memory_of 300000 100000
}

# bats test_tags=long
@test "memory grows with the keys, by a range for each, and not with their results" {
	memory_of 2000000 10 400000
}

@test "memory does not grow with the results" {
	python '
def peak(*options):
    with open("/dev/zero") as zero:
        head = subprocess.Popen(["head", "-c", "160000000"], stdin=zero, stdout=subprocess.PIPE)
        p = subprocess.Popen([PSCAN, "--format=binary", "-T1", "-t", "f64", "-o", "/dev/null", *options], stdin=head.stdout)
        _, status, usage = os.wait4(p.pid, 0)
        assert status == 0
        head.wait()
        return usage.ru_maxrss
without = peak()
with_picture = peak("--plot=picture.svg")
assert with_picture < without + 4096, (without, with_picture)
text = open("picture.svg").read()
assert ">20000000 results" in text and len(text) < 100000, len(text)'
}

# --- What can go wrong ------------------------------------------------------------------------------------------------

@test "a picture is there whole or not at all" {
	echo old >picture.svg
	printf '1\n2\nx\n' >in
	run_pscan --plot=picture.svg in
	assert_equal "$code $(cat picture.svg) $out" $'1 old 1\n3'
	run_pscan --plot in
	assert_equal "$code $err" "1 pscan: in: line 3: not a number: \"x\" (see --invalid)"
	run_pscan --plot=picture.svg --invalid=fail in
	assert_equal "$code $out" $'1 1\n3'
	assert_contains "$(cat picture.svg)" '>2 results against their index, from 1 to 3.<'
	assert_equal "$(find . -name '.pscan*')" ''
}

@test "a picture that cannot be written is exit 3, with one line; the results are there" {
	seq 3 >in
	run_pscan --plot=/dev/full in
	assert_equal "$code $err $out" $'3 pscan: /dev/full: No space left on device 1\n3\n6'
	run_pscan --plot=none/picture.svg in
	assert_equal "$code $out" '3 '
	assert_equal "$err" "pscan: none/picture.svg: cannot create a temporary file next to it: No such file or directory"
	run_pscan --plot=/dev/null in
	assert_equal "$code $err" '0 '
}

@test "a picture that the terminal does not take is exit 3; the results are there" {
	local status=0
	printf '1\n2\n' | "$PSCAN" --plot >out 2>/dev/full || status=$?
	assert_equal "$status $(paste -s -d ' ' out)" '3 1 3'
}

@test "a run that a signal ends leaves no picture, and no temporary file" {
	echo old >picture.svg
	mkfifo pipe
	"$PSCAN" --plot=picture.svg -o result pipe &
	pid=$!
	exec 9>pipe
	echo 1 >&9
	both_there() { [ "$(find . -name '.pscan*' | wc -l)" -eq 2 ]; }
	wait_until both_there
	kill -TERM "$pid"
	status=0
	wait "$pid" || status=$?
	exec 9>&-
	assert_equal "$status $(find . -name '.pscan*') $(cat picture.svg)" '143  old'
	[ ! -e result ]
}

@test "the picture keeps the mode of the file that it replaces, and follows a symlink" {
	echo old >real.svg
	chmod 640 real.svg
	ln -s real.svg picture.svg
	seq 3 | "$PSCAN" --plot=picture.svg >/dev/null
	[ -L picture.svg ]
	assert_equal "$(stat -c %a real.svg) $(head -c 4 real.svg)" '640 <svg'
}

@test "a picture is no input, output, state or trace" {
	echo 1 >in
	for options in '--plot=in in' '--plot=x -o x in' '--plot=./x --state=x in' '--plot=x --trace=x in' '--plot=- in' '--plot=/dev/stdout in' '--plot=out in' \
		'--plot=in <'; do
		# shellcheck disable=SC2086 # words
		case $options in
		*'<') run_pscan ${options% <} <in ;;
		*) run_pscan $options ;;
		esac
		assert_equal "$options: $code $out" "$options: 2 "
		assert_contains "$err" ': the picture needs a file of its own (see --plot)'
		assert_equal "$(ls) $(cat in)" $'err\nin\nout 1'
	done
}

@test "what has no results to draw, or too many, is refused" {
	refused() {
		local message=$1
		shift
		run_pscan "$@" < <(echo 1 2)
		assert_equal "$*: $code $out" "$*: 2 "
		assert_contains "$err" "$message"
		[ ! -e picture.svg ]
	}
	refused '--plot draws the running results, which --total leaves out' --plot=picture.svg --total
	refused "--plot: a file's name is missing" --plot=
	refused '--plot-time needs -f, the field of the numbers (only -op count works without)' --plot=picture.svg --plot-time=1
	refused '--plot-time: "1-2" is not one field or two' -f 1 --plot=picture.svg --plot-time=1-2
	refused '--plot draws the running results, which --total leaves out' -f 2 --plot-time=1 --total
	refused '--plot: 11 results of a record, but a picture has room for 10 (see -f, -op)' --plot=picture.svg --format=binary -c 11 -t u8
	run_pscan --plot=picture.svg --format=binary -c 10 -t u8 < <(printf '0123456789')
	assert_equal "$code $err $(grep -c '^<path class="c[0-9]" d="M[0-9. ]*Z"/>$' picture.svg)" '0  10'
}

@test "the picture comes after messages, statistics and the last line of --progress" {
	seq 3 >in
	run_pscan --plot --stats --progress in
	assert_equal "$code" 0
	assert_equal "$(grep -nE '^elements|^pscan: 100%' err | cut -d : -f 1 | paste -s -d ' ' -) $(wc -l <err)" "$(grep -nE '^elements|^pscan: 100%' err |
		cut -d : -f 1 | paste -s -d ' ' -) $(($(grep -n '^ *sum$' err | cut -d : -f 1) + 18))"
	[ "$(grep -n '^pscan: 100%' err | cut -d : -f 1)" -lt "$(grep -n '^ *sum$' err | cut -d : -f 1)" ]
	[ "$(grep -n '^elements' err | cut -d : -f 1)" -lt "$(grep -n '^ *sum$' err | cut -d : -f 1)" ]
}

@test "records that are kept or held have an index in the picture, whatever else is asked" {
	# x: 90 up to 780; y: 360 is 0, and 40 is 8.
	for options in '' '-t f64' '-a' '--reset-every=9' '-t f32 --window=9'; do
		# shellcheck disable=SC2086
		run_pscan --missing=hold --plot=p.svg $options < <(printf '%s\n' 1 2 NA NA 4)
		assert_equal "$options: $code" "$options: 0"
		assert_contains "$(cat p.svg)" 'd="M90 320L262.5 240L435 240L607.5 240L780 80"'
		# shellcheck disable=SC2086
		run_pscan --missing=keep --plot=p.svg $options < <(printf '%s\n' 1 2 NA NA 4)
		assert_equal "$options: $code" "$options: 0"
		assert_contains "$(cat p.svg)" 'd="M90 320L262.5 240M780 80Z"'
	done
	run_pscan -e --missing=hold --plot=p.svg < <(printf '%s\n' 1 2 NA NA 5 1)
	assert_equal "$code $(paste -sd ' ' out)" '0 0 1 3 3 3 8'
	assert_contains "$(cat p.svg)" 'd="M90 360L228 320L366 240L504 240L642 240L780 40"'
}
