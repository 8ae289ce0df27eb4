#!/usr/bin/env bats
# --progress and SIGUSR1. The tests feed input by hand and know the numbers that must be shown. What is drawn is
# compared with what a terminal would show.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan

load helper

# shellcheck disable=SC2034 # of python
PROLOGUE='
import gzip, os, re, signal, subprocess, sys, time
from running import PSCAN, start, wait_for
from terminal import LINE, OnTerminal, answers, ask, ask_until, parts_of

def feed(process, data, results):
    """Gives input, and waits for the results."""
    process.stdin.write(data)
    got = b""
    while len(got) < len(results):
        got += os.read(process.stdout.fileno(), 65536)
    assert got == results, (got, results)
'

setup() {
	# The host's, but where the test says so.
	DEVICE=$PSCAN_DEVICE PSCAN_DEVICE=none
	cd "$TMP" || return 1
}

# --- SIGUSR1 ----------------------------------------------------------------------------------------------------------

@test "SIGUSR1 before anything was read says that nothing was" {
	python '
for options in [], ["--progress"], ["-q"]:
    p = start(*options)
    answers(p)
    assert parts_of(ask(p)) == (None, 0, 0)
    out, err = p.communicate(b"1 2\n")
    assert (p.returncode, out) == (0, b"1\n3\n"), (out, err)
    assert (err == b"") == ("--progress" not in options), err'
}

@test "SIGUSR1 says exactly what was read and scanned" {
	python '
for options in [], ["--progress"], ["-T1"], ["--line-buffered"]:
    p = start(*options)
    answers(p)
    feed(p, b"1\n2\n3\n", b"1\n3\n6\n")
    ask_until(p, (None, 6, 3))
    feed(p, b"44 5\n\n", b"50\n55\n")
    seen = ask_until(p, (None, 12, 5))
    # Bytes are counted a moment before elements.
    assert all(parts_of(line) in [(None, 6, 3), (None, 12, 3), (None, 12, 5)] for line in seen), seen
    assert not any("left" in line or " in " in line for line in seen), seen
    p.stdin.close()
    assert p.wait() == 0'
}

@test "SIGUSR1 counts records that have no result as bytes alone, and every element of a line" {
	python '
p = start("-f", "1,2", "--missing=skip", "-a", "-d", ",")
answers(p)
feed(p, b"1,2\n-,-\n", b"1,2,1,2\n-,-,,\n")
ask_until(p, (None, 8, 2))
p.stdin.close()
assert p.wait() == 0'
}

@test "SIGUSR1 holds nothing back: what was read before it comes out" {
	python '
p = start()
answers(p)
total = 0
for i in range(150):
    p.stdin.write(b"1\n")
    for _ in range(4):
        p.send_signal(signal.SIGUSR1)
        time.sleep(0.002)
    total += 1
    got = b""
    while not got.endswith(b"\n"):
        got += os.read(p.stdout.fileno(), 100)
    assert got == b"%d\n" % total, got
    os.set_blocking(p.stderr.fileno(), False)
    while p.stderr.read():
        pass
p.stdin.close()
assert p.wait() == 0'
}

@test "any number of SIGUSR1 changes no result, on many threads" {
	seq 3000000 >in
	"$PSCAN" in | md5sum >want
	python '
for options in [], ["--progress"], ["-z"]:
    count = 0
    while count <= 20:  # it may be done before the next one can be sent
        with open("err", "wb") as err, open("out", "wb") as out:
            p = start("-T4", *options, "in", stderr=err, stdout=out)
            answers(p)
            while p.poll() is None:
                p.send_signal(signal.SIGUSR1)
                count += 1
                time.sleep(0.0005)
            assert p.returncode == 0, p.returncode
    out = open("out", "rb").read()
    out = gzip.decompress(out) if "-z" in options else out
    done = subprocess.run(["md5sum"], input=out, capture_output=True, check=True).stdout
    assert done == open("want", "rb").read(), options
    before = (0, 0, 0)
    size = os.stat("in").st_size
    # (Each is counted a moment after the one before it.)
    for line in open("err", encoding="ascii").read().splitlines():
        now = parts_of(line)
        assert all(new >= old for new, old in zip(now, before)), (line, before)
        assert now[0] <= 100 and now[1] <= size and now[2] <= 3000000 and before[0] <= 100 * now[1] // size, (line, before)
        before = now
    assert before == (100, size, 3000000) or "--progress" not in options, before'
}

@test "a SIGUSR1 that was ignored at the start stays so" {
	python '
p = subprocess.Popen([PSCAN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                     preexec_fn=lambda: signal.signal(signal.SIGUSR1, signal.SIG_IGN))
feed(p, b"1\n", b"1\n")
p.send_signal(signal.SIGUSR1)
feed(p, b"2\n", b"3\n")
assert p.communicate() == (b"", b"") and p.returncode == 0'
}

@test "SIGUSR1 is answered where a driver has handlers of its own" {
	PSCAN_DEVICE=$DEVICE python '
for options in [], ["-op", "a + b"]:
    p = start("-D", "cpu", "-t", "i64", *options)
    feed(p, b"1\n2\n", b"1\n3\n")
    answers(p)
    ask_until(p, (None, 4, 2))
    p.stdin.close()
    assert p.wait() == 0'
}

@test "SIGUSR1 to the whole job ends no compiler of a driver" {
	mkdir cache
	PSCAN_DEVICE=$DEVICE POCL_CACHE_DIR=$TMP/cache PSCAN_SANDBOX_ALLOW=$TMP python '
# A pipe that is not read would be full after a thousand answers.
with open("err", "wb") as err:
    p = start("-D", "cpu", "-op", "a + b + 0", start_new_session=True, stderr=err)
answers(p)
p.stdin.write(b"1\n2\n")
p.stdin.close()
while p.poll() is None:
    os.killpg(p.pid, signal.SIGUSR1)
    time.sleep(0.002)
assert (p.returncode, p.stdout.read()) == (0, b"1\n3\n"), open("err", encoding="utf-8").read()'
}

# --- Sizes ------------------------------------------------------------------------------------------------------------

# Prints percent, bytes and elements of the last line of --progress. Nothing else may be said but, every ten seconds,
# another one.
last_line() {
	"$PSCAN" --progress "$@" 2>err >out
	sed -i -E '$!{/^pscan: [0-9]+.* elements, [0-9.]+ [kMGT]?B\/s(, [0-9:]+ left)?$/d}' err
	[ "$(wc -l <err)" -eq 1 ]
	sed -nE 's/^pscan: (([0-9]+)%, )?([0-9]+) bytes, ([0-9]+) elements, [0-9.]+ [kMGT]?B\/s, in [0-9]+:[0-9]{2}$/\2 \3 \4/p' err
}

@test "where standard error is no terminal the last line comes, with the bytes of all files" {
	seq 100000 >a
	seq 5 >b
	: >empty
	assert_equal "$(last_line a b empty)" "100 $(cat a b | wc -c) 100005"
	assert_equal "$(last_line -q a)" "100 $(stat -c %s a) 100000"
	assert_equal "$(last_line empty)" " 0 0"
	assert_equal "$(last_line --total - <b)" "100 10 5"
	assert_equal "$(last_line - - <b)" "100 10 5"
	assert_equal "$(last_line a - < <(seq 3))" " $(($(stat -c %s a) + 6)) 100003"
	assert_equal "$(last_line a <(seq 3))" " $(($(stat -c %s a) + 6)) 100003"
	assert_equal "$(last_line -t i32 --format=binary < <(head -c 400 /dev/zero))" " 400 100"
	head -c 4000000 /dev/zero >zero
	assert_equal "$(last_line -t i32 --format=binary -o sums zero)" "100 4000000 1000000"
}

@test "of a descriptor in the middle of a file the rest counts" {
	seq 10 >a
	{
		read -r _
		assert_equal "$(last_line)" "100 19 9"
	} <a
	seq -f %.0f 1000000 1400000 >b
	python '
size = os.stat("b").st_size
with open("b", "rb") as file:
    os.lseek(file.fileno(), size // 16 * 8, os.SEEK_SET)
    p = start("-T2", "--chunk-size=64K", stdin=file)
total = size - size // 16 * 8
answers(p)
count = 0
while count < 50000:
    count += os.read(p.stdout.fileno(), 1 << 16).count(b"\n")
def is_right(line):
    percent, done, elements = parts_of(line)
    return percent == 100 * done // total and 0 < percent < 100
ask_until(p, is_right)
p.communicate()
assert p.returncode == 0'
}

@test "compressed files count by their own bytes" {
	seq 200000 >a
	gzip -c a >a.gz
	cat a.gz a.gz >two.gz
	set -- a.gz two.gz
	for tool in zstd xz bzip2 lz4; do
		! command -v $tool >/dev/null || "$PSCAN" --version | grep -q "no $tool" || {
			$tool -qc a >"a.$tool"
			set -- "$@" "a.$tool"
		}
	done
	for file; do
		count=200000
		[ "$file" != two.gz ] || count=400000
		assert_equal "$file $(last_line --total "$file")" "$file 100 $(stat -c %s "$file") $count"
	done
	assert_equal "$(last_line --total a.gz a)" "100 $(cat a.gz a | wc -c) 400000"
	assert_equal "$(last_line --total < <(cat a.gz))" " $(stat -c %s a.gz) 200000"
}

@test "members that are inflated in parallel count by their own bytes" {
	seq 2000000 | python '
import struct, zlib
text = sys.stdin.buffer.read()
with open("a.gz", "wb") as file:
    for at in range(0, len(text) + 60000, 60000):  # the last one is empty
        part = text[at:at + 60000]
        packer = zlib.compressobj(6, zlib.DEFLATED, -15)
        packed = packer.compress(part) + packer.flush()
        file.write(b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0BC\x02\0" + struct.pack("<H", len(packed) + 25) + packed
                   + struct.pack("<2I", zlib.crc32(part), len(part)))'
	assert_equal "$(last_line --total a.gz)" "100 $(stat -c %s a.gz) 2000000"
}

@test "in the midst of files the percentage is that of the bytes, and what is left is told" {
	seq 400000 >a
	gzip -c a >b
	python '
sizes = os.stat("a").st_size, os.stat("b").st_size
total = sum(sizes) + 8
open("c", "wb").write(b"1\n1\n1\n1\n")
p = start("-T2", "--chunk-size=64K", "a", "b", "c")
answers(p)
read = []
while True:
    got = os.read(p.stdout.fileno(), 1 << 16)
    if not got:
        break
    # (What comes last may stand in the pipe when the program has ended.)
    if len(read) % 20 == 0 and sum(map(len, read)) < 7 << 20:
        def is_right(line):
            percent, done, elements = parts_of(line)
            return percent == 100 * done // total and ("left" in line) == (done > 0)
        ask_until(p, is_right)
    read.append(got)
assert p.wait() == 0 and p.stderr.read() == b""
assert sum(map(len, read)) > 8 << 20 and b"".join(read).count(b"\n") == 800004'
}

@test "a file that says it is empty, and one that grows, have no wrong percentage" {
	assert_equal "$(last_line --total /proc/sys/kernel/pid_max)" " $(wc -c </proc/sys/kernel/pid_max) 1"
	python '
open("grows", "wb").write(b"1\n")
p = start("--line-buffered", "grows", "-")
answers(p)
got = os.read(p.stdout.fileno(), 100)
assert got == b"1\n"
ask_until(p, (None, 2, 1))
p.stdin.close()
assert p.wait() == 0'
}

# --- What is drawn ----------------------------------------------------------------------------------------------------

@test "on a terminal the line is drawn anew in its place, and its last form stays" {
	python '
t = OnTerminal("--progress")
p = t.process
feed(p, b"1\n2\n", b"1\n3\n")
t.look_until(lambda s: s.rows[-1].startswith("pscan: 4 bytes, 2 elements, "))
feed(p, b"3\n", b"6\n")
t.look_until(lambda s: s.rows[-1].startswith("pscan: 6 bytes, 3 elements, "))
assert len(t.screen.rows) == 1, t.screen.rows
p.stdin.close()
status, rows = t.finish()
assert status == 0 and len(rows) == 1, rows
assert parts_of(rows[0]) == (None, 6, 3) and ", in " in rows[0], rows
assert t.screen.rows[-1] == "" and t.screen.column == 0, t.screen.rows'
}

@test "while the input waits the line goes on, and the rate falls to nothing" {
	python '
t = OnTerminal("--progress")
feed(t.process, b"1\n" * 1000, b"".join(b"%d\n" % (i + 1) for i in range(1000)))
t.look_until(lambda s: s.rows[-1].rstrip() == "pscan: 2000 bytes, 1000 elements, 0 B/s")  # and nothing else stays there
t.process.stdin.close()
assert t.finish()[0] == 0'
}

# Where nothing keeps the program from looking in time, and the test from seeing it.
# bats test_tags=long
@test "while the input waits the rate falls by and by" {
	python '
t = OnTerminal("--progress")
feed(t.process, b"1\n" * 1000, b"".join(b"%d\n" % (i + 1) for i in range(1000)))
t.look_until(lambda s: "pscan: 2000 bytes, 1000 elements, 0 B/s" in s.drawn())
rates = []
for line in t.screen.drawn():
    match = LINE.fullmatch(line)
    if match[2] == "2000":
        number, unit = match[4].split()
        rates.append(float(number) * {"B/s": 1, "kB/s": 1000, "MB/s": 10**6}[unit])
assert rates == sorted(rates, reverse=True) and len(set(rates)) > 3, rates
t.process.stdin.close()
assert t.finish()[0] == 0'
}

@test "messages and answers stand above the line, each on a line of its own" {
	python '
t = OnTerminal("--progress", "--invalid=warn")
p = t.process
feed(p, b"1\n", b"1\n")
t.look_until(lambda s: s.rows[-1].startswith("pscan: 2 bytes, 1 elements"))
feed(p, b"x\n2\n", b"3\n")
t.look_until(lambda s: s.rows[-1].startswith("pscan: 6 bytes, 2 elements"))
p.send_signal(signal.SIGUSR1)
t.look_until(lambda s: len(s.rows) == 3 and s.rows[-1].startswith("pscan: 6 bytes, 2 elements"))
p.stdin.close()
status, rows = t.finish()
assert status == 0, status
assert rows[0] == "pscan: warning: standard input: line 2: not a number: \"x\"", rows
# At once, and not only when it is drawn the next time.
assert b"\"x\"\r\npscan: 2 bytes" in t.screen.raw, t.screen.raw
assert len(rows) == 3 and parts_of(rows[1]) == parts_of(rows[2]) == (None, 6, 2), rows'
}

@test "the line is never wider than the terminal: parts are left out, and no number is cut" {
	python '
wanted = {100: "pscan: 50 bytes, 25 elements, R", 34: "50 bytes, 25 elements, R", 24: "50 bytes, R", 9: "50 bytes", 8: "", 2: ""}
results = b"".join(b"%d\n" % (i + 1) for i in range(25))
for columns, form in wanted.items():
    t = OnTerminal("--progress", columns=columns)
    feed(t.process, b"1\n" * 25, results)
    def drawn():
        return {re.sub(r"\d+(\.\d+)? k?B/s", "R", line) for line in t.screen.drawn()}
    if form:
        t.look_until(lambda s: form in drawn())
    else:
        t.look(0.8)
        assert not drawn(), (columns, drawn())
    t.process.stdin.close()
    status, rows = t.finish()
    assert status == 0 and not t.screen.wrapped, (columns, rows)'
}

@test "a terminal that becomes narrower is asked for its width before each drawing" {
	python '
t = OnTerminal("--progress", columns=90)
feed(t.process, b"1\n" * 5, b"1\n2\n3\n4\n5\n")
t.look_until(lambda s: s.rows[-1].startswith("pscan: 10 bytes, 5 elements, "))
t.screen.rows[-1] = ""  # as terminals differ in what they make of it
t.screen.column = 0
t.resize(20)
narrow = lambda s: [line for line in s.drawn() if re.fullmatch(r"10 bytes, \d.*B/s", line)]
t.look_until(narrow)
# (It may have asked for the first one before the terminal became narrower.)
t.screen.wrapped = False
seen = len(narrow(t.screen))
t.look_until(lambda s: len(narrow(s)) >= seen + 2)
assert not t.screen.wrapped, t.screen.rows
t.process.stdin.close()
assert t.finish()[0] == 0'
}

@test "where the results go to the same terminal only the last line comes" {
	python '
t = OnTerminal("--progress", results_too=True)
t.process.stdin.write(b"1\n2\n")
t.look_until(lambda s: s.rows == ["1", "3", ""])
t.look(0.8)
assert t.screen.rows == ["1", "3", ""], t.screen.rows
t.process.stdin.close()
status, rows = t.finish()
assert status == 0 and rows[:2] == ["1", "3"] and len(rows) == 3 and parts_of(rows[2]) == (None, 4, 2), rows'
}

@test "nothing is drawn without --progress, whatever standard error is" {
	python '
t = OnTerminal()
feed(t.process, b"1\n", b"1\n")
t.look(0.8)
t.process.stdin.close()
assert t.finish() == (0, [""])'
}

@test "nothing is drawn in the background, and in the foreground again it is" {
	python '
import fcntl, pty, termios
master, slave = pty.openpty()
name = os.ttyname(slave)
# A shell of its own session, whose job pscan is.
shell = r"""
import os, signal, subprocess, sys
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
tty = os.open(sys.argv[1], os.O_RDWR)
job = subprocess.Popen([os.environ["PSCAN"], "--progress"], stderr=tty, preexec_fn=os.setpgrp)
for line in os.fdopen(3):
    os.tcsetpgrp(tty, job.pid if line == "fg\n" else os.getpgrp())
    print(line, end="", flush=True, file=os.fdopen(4, "w", closefd=False))
sys.exit(job.wait())
"""
to_shell, from_shell = os.pipe(), os.pipe()
feed_in, feed_out = os.pipe()
def prepare():
    os.setsid()
    os.dup2(to_shell[0], 3)
    os.dup2(from_shell[1], 4)
p = subprocess.Popen([sys.executable, "-c", shell, name], stdin=feed_in, stdout=subprocess.DEVNULL, preexec_fn=prepare,
                     pass_fds=(3, 4))
os.close(feed_in)
def tell(what):
    os.write(to_shell[1], what + b"\n")
    assert os.read(from_shell[0], 10) == what + b"\n"
os.set_blocking(master, False)
def drawn():
    try:
        return os.read(master, 65536)
    except BlockingIOError:
        return b""
tell(b"bg")
time.sleep(0.8)
assert drawn() == b""
tell(b"fg")
seen = []
wait_for(lambda: seen.append(drawn()) or b"pscan: 0 bytes" in b"".join(seen))
os.close(feed_out)
os.close(to_shell[1])
assert p.wait() == 0'
}

@test "a signal that ends the program leaves the line, and the next one begins below" {
	python '
for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
    t = OnTerminal("--progress")
    feed(t.process, b"1\n", b"1\n")
    t.look_until(lambda s: s.rows[-1].startswith("pscan: 2 bytes, 1 elements"))
    t.process.send_signal(number)
    status, rows = t.finish()
    assert status == -number and all(row.startswith("pscan: 2 bytes, 1 elements") for row in rows), (status, rows)
    assert b"\n" in t.screen.raw, t.screen.raw
    # (A line that was about to be drawn at that moment may come below it.)
    assert len(rows) == 2 or t.screen.rows[-1] == "" and t.screen.column == 0, t.screen.rows'
}

@test "a signal ends the program though its terminal was halted" {
	python '
import termios
t = OnTerminal("--progress")
feed(t.process, b"1\n", b"1\n")
t.look_until(lambda s: s.rows[-1].startswith("pscan: 2 bytes, 1 elements"))
termios.tcflow(t.slave, termios.TCOOFF)
time.sleep(0.4)
t.process.send_signal(signal.SIGTERM)
assert t.process.wait(1200) == -signal.SIGTERM'
}

@test "a run that was stopped goes on" {
	python '
t = OnTerminal("--progress")
feed(t.process, b"1\n" * 1000, b"".join(b"%d\n" % (i + 1) for i in range(1000)))
t.look_until(lambda s: s.rows[-1].startswith("pscan: 2000 bytes, 1000 elements, "))
t.process.send_signal(signal.SIGSTOP)
t.look()
seen = len(t.screen.drawn())
t.process.send_signal(signal.SIGCONT)
t.look_until(lambda s: len(s.drawn()) >= seen + 3)
feed(t.process, b"1\n" * 1000, b"".join(b"%d\n" % (i + 1001) for i in range(1000)))
t.look_until(lambda s: s.rows[-1].startswith("pscan: 4000 bytes, 2000 elements, "))
t.process.stdin.close()
assert t.finish()[0] == 0'
}

# Where it is stopped for no other reason.
# bats test_tags=long
@test "the rate of a run that was stopped is that of the time since" {
	python '
t = OnTerminal("--progress")
feed(t.process, b"1\n" * 1000, b"".join(b"%d\n" % (i + 1) for i in range(1000)))
t.look_until(lambda s: s.rows[-1].startswith("pscan: 2000 bytes, 1000 elements, "))
t.process.send_signal(signal.SIGSTOP)
time.sleep(2.5)
t.look()
seen = len(t.screen.drawn())
t.process.send_signal(signal.SIGCONT)
t.look_until(lambda s: len(s.drawn()) >= seen + 4)
# (The first one may have been about to be drawn, or the last one before was not seen as a whole.)
assert all(line.endswith(", 0 B/s") for line in t.screen.drawn()[seen + 2:]), t.screen.drawn()[seen:]
feed(t.process, b"1\n" * 1000, b"".join(b"%d\n" % (i + 1001) for i in range(1000)))
t.look_until(lambda s: re.match("pscan: 4000 bytes, 2000 elements, .* kB/s", s.rows[-1]))
t.process.stdin.close()
assert t.finish()[0] == 0'
}

@test "an error of usage, and one of the data, leave what was said" {
	run_pscan --progress < <(printf 'PK\003\004')
	assert_equal "$code $out$err" '2 pscan: standard input: it is zip: use unzip -p F | pscan'
	python '
t = OnTerminal("--progress", "-op", "and", "-t", "f32", "--format=text")
t.process.stdin.close()
status, rows = t.finish()
assert status == 2 and len(rows) == 1 and "and" in rows[0], rows
t = OnTerminal("--progress")
t.process.stdin.write(b"1\nx\n")
t.process.stdin.close()
status, rows = t.finish()
assert status == 1 and "not a number" in rows[0] and parts_of(rows[1])[1:] == (4, 1), rows'
}

@test "standard error that is closed, or full, is no reason to fail" {
	seq 5 >in
	assert_equal "$("$PSCAN" --progress in 2>&- | tail -n 1)" 15
	assert_equal "$("$PSCAN" --progress in 2>/dev/full | tail -n 1)" 15
}
