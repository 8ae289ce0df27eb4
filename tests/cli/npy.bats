#!/usr/bin/env bats
# Arrays of numpy: numpy makes them, and reads the output.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan

load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return
}

# shellcheck disable=SC2034 # python uses it
PROLOGUE='
import gzip
import io
import os
import subprocess
import sys
import numpy as np

def run(data, *options):
    r = subprocess.run([os.environ["PSCAN"], *options], input=data, capture_output=True)
    return r.returncode, r.stdout, r.stderr.decode()

def saved(array, version=(1, 0)):
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version=version)
    return file.getvalue()

def loaded(data, *options):
    status, output, messages = run(data, *options)
    assert (status, messages) == (0, ""), (options, status, messages)
    return np.load(io.BytesIO(output))

def with_header(text, data=b"", version=1):
    return b"\x93NUMPY" + bytes([version, 0]) + len(text).to_bytes(2 if version == 1 else 4, "little") + text.encode() + data
'

# bats test_tags=many
@test "random arrays are what numpy makes of them" {
	run "$PYTHON" "$TOOLS/npy_cases.py" 7 250
	assert_equal "$output" $'\n250 arrays, 0 wrong'
}

@test "random arrays on PoCL are what numpy makes of them" {
	need_opencl
	run "$PYTHON" "$TOOLS/npy_cases.py" 8 4 -D cpu
	assert_equal "$output" $'\n4 arrays, 0 wrong'
}

# bats test_tags=long
@test "more random arrays on PoCL are what numpy makes of them" {
	need_opencl
	run "$PYTHON" "$TOOLS/npy_cases.py" 18 12 -D cpu
	assert_equal "$output" $'\n12 arrays, 0 wrong'
}

# bats test_tags=long
@test "more of them on PoCL" {
	need_opencl
	run "$PYTHON" "$TOOLS/npy_cases.py" 10 20 -D cpu
	assert_equal "$output" $'\n20 arrays, 0 wrong'
}

# bats test_tags=long
@test "thousands of random arrays are what numpy makes of them" {
	run "$PYTHON" "$TOOLS/npy_cases.py" 9 5000
	assert_equal "$output" $'\n5000 arrays, 0 wrong'
}

@test "floats differ from numpy's sums by rounding alone" {
	python '
a = np.random.default_rng(3).random(100000, dtype="f4")
got = loaded(saved(a))
assert np.allclose(got, np.cumsum(a, dtype="f8"), rtol=3e-7, atol=0), got
'
}

@test "the numbers of an array have the bits of the raw ones" {
	python '
for order in "<>":
    a = np.random.default_rng(4).normal(size=(300, 70)).astype(order + "f8")
    got = run(saved(a))[1]
    assert got[128:] == run(a.tobytes(), "-t", order + "f8")[1]
    assert got[:128] == saved(a)[:128] or len(got) == 128 + a.nbytes
'
}

@test "an array without axes, one of nothing" {
	python '
assert loaded(saved(np.array(7))).shape == () and loaded(saved(np.array(7))) == 7
for shape in (0,), (3, 0), (0, 2), (2, 0, 2):
    assert loaded(saved(np.zeros(shape, "i4"))).shape == shape
    for axis in range(len(shape)):
        got = loaded(saved(np.zeros(shape, "i4")), "--total", f"--axis={axis}")
        assert np.array_equal(got, np.zeros(shape, "i4").sum(axis=axis)), (shape, axis, got)
assert loaded(saved(np.zeros((0, 3), "f4")), "--total") == 0
'
}

@test "-t names the accumulator of an array, and no other type of its own" {
	python '
a = np.arange(6, dtype="<i4").reshape(2, 3)
for name, dtype in ("i32:f64", "<f8"), ("i4:", None), ("<i4:>f8", ">f8"), ("i32:i64be", ">i8"):
    if dtype is None: continue
    got = loaded(saved(a), "-t", name)
    assert (got.dtype.str, got.shape) == (dtype, (2, 3)) and np.array_equal(got, np.cumsum(a).reshape(2, 3)), (name, got)
for name, hint in ("f64", "see -t i32:f64"), (">i4", "i32 (<i4)"), ("i64:f64", "i32 (<i4)"), ("i32:f16", "\"i32:f16\" is not a type"):
    status, output, messages = run(saved(a), "-t", name)
    assert (status, output, messages.count("\n")) == (2, b"", 1) and hint in messages, (name, messages)
assert loaded(saved(a), "-op", "count").dtype == "<u8" and loaded(saved(a.astype(">i4")), "-op", "count").dtype == ">u8"
'
}

@test "several operators give a structured array" {
	python '
a = np.arange(6, dtype=">i2").reshape(2, 3)
got = loaded(saved(a), "-op", "sum,max,sum,ema:0.5", "-t", "i16:f64", "--axis=0")
assert got.dtype.names == ("sum", "max", "sum_2", "ema:0.5") and got.shape == (2, 3), got.dtype
assert np.array_equal(got["sum_2"], a.cumsum(axis=0)) and np.array_equal(got["max"], a), got
'
}

@test "--include-initial makes the axis one longer" {
	python '
a = np.arange(6, dtype="i4").reshape(2, 3)
assert loaded(saved(a), "--include-initial").tolist() == [0, 0, 1, 3, 6, 10, 15]
assert loaded(saved(a), "--include-initial", "--axis=0").tolist() == [[0, 0, 0], [0, 1, 2], [3, 5, 7]]
status, output, messages = run(saved(a), "--include-initial", "--axis=1")
assert (status, output) == (2, b""), messages
'
}

@test "several files are joined along the first axis" {
	python '
rows = [np.arange(6, dtype="i4").reshape(2, 3), np.ones((0, 3), "i4"), np.full((4, 3), 5, "i4")]
for i, a in enumerate(rows):
    open(f"{i}.npy", "wb").write(saved(a))
subprocess.run(["gzip", "0.npy"], check=True)
names = ["0.npy.gz", "1.npy", "2.npy"]
whole = np.concatenate(rows)
assert np.array_equal(loaded(b"", *names), whole.cumsum().reshape(whole.shape))
for axis in 0, 1:
    assert np.array_equal(loaded(b"", *names, f"--axis={axis}"), whole.cumsum(axis=axis))
for other in np.ones((2, 2), "i4"), np.ones((2, 3), ">i4"), np.ones((2, 3), "i8"), np.ones(3, "i4"):
    open("other.npy", "wb").write(saved(other))
    status, output, messages = run(b"", "1.npy", "other.npy")
    assert (status, output, messages.count("\n")) == (1, b"", 1) and "pscan: other.npy: its " in messages, messages
status, output, messages = run(saved(rows[0]), "1.npy", "-")
assert (status, output) == (2, b"") and "regular" in messages, messages
'
}

@test "an array after raw numbers is none of them, unless its bytes are asked for" {
	need_same_byte_order
	python '
raw = np.arange(5, dtype="u1").tobytes()
array = saved(np.arange(3, dtype="u1"))
open("raw", "wb").write(raw)
open("a.npy", "wb").write(array)
open("a.npy.gz", "wb").write(gzip.compress(array))
for name in "a.npy", "a.npy.gz":
    status, output, messages = run(b"", "-t", "u8:u64", "raw", name, "raw")
    assert (status, output) == (1, np.arange(5, dtype="u1").cumsum(dtype="u8").tobytes()), status
    assert messages == "pscan: %s: it is an array (.npy) after raw numbers (see --format=binary)\n" % name, messages
bytes = np.frombuffer(raw + array, "u1").cumsum(dtype="u8").tobytes()
assert run(b"", "-t", "u8:u64", "--format=binary", "raw", "a.npy") == (0, bytes, "")
for size in 1, 5, 6, 4095, 4096, 4097, 70000:
    more = np.arange(size, dtype="u4").astype("u1").tobytes()
    open("more", "wb").write(more)
    assert run(b"", "-t", "u8:u64", "raw", "more") == (0, np.frombuffer(raw + more, "u1").cumsum(dtype="u8").tobytes(), ""), size
'
}

@test "what is not a type of ours is refused with what mends it" {
	python '
a = np.ones((2, 3))
cases = [(a.astype("c16"), "real"), (a.astype("f2"), "astype"), (a.astype("U3"), "<U3"),
         (np.zeros(3, "M8[s]"), "view"), (np.zeros(3, [("a", "f4"), ("b", "f4")]), "NAME"),
         (np.asfortranarray(a), "numpy.save(F, numpy.ascontiguousarray(a))"), (a.astype("f2"), "f64")]
for array, hint in cases:
    status, output, messages = run(saved(array))
    assert (status, output, messages.count("\n")) == (2, b"", 1) and hint in messages, (array.dtype, messages)
# Of one long axis Fortran order is no other.
one = with_header("{\x27descr\x27: \x27<i4\x27, \x27fortran_order\x27: True, \x27shape\x27: (1, 3)}", np.arange(3, dtype="<i4").tobytes())
assert loaded(one).tolist() == [[0, 1, 3]]
'
}

@test "headers that others write are read, damaged ones are not" {
	need_same_byte_order
	python '
data = np.arange(3, dtype="<i4").tobytes()
good = ["{\"shape\": (3,), \"descr\": \"<i4\", \"fortran_order\": False}", "{ \x27descr\x27:\x27<i4\x27,\x27fortran_order\x27:False,\x27shape\x27:(3L,),}\t\n\n",
        "{\x27descr\x27: \x27=i4\x27, \x27fortran_order\x27: False, \x27shape\x27: (1, 3, )}" + " " * 3000 + "\n",
        "{\x27descr\x27: \x27i4\x27, \x27fortran_order\x27: False, \x27shape\x27: (3,)}",
        "{\x27descr\x27: \x27int32\x27, \x27fortran_order\x27: False, \x27shape\x27: (3, 1)}"]
for text in good:
    for version in 1, 2, 3:
        assert loaded(with_header(text, data, version)).reshape(-1).tolist() == [0, 1, 3], text
t = "{\x27descr\x27: \x27<i4\x27, \x27fortran_order\x27: False, \x27shape\x27: %s}"
bad = [t % s for s in ("(3)", "(3", "3,", "(-3,)", "(3,,)", "(,)", "(3.0,)", "[3]", "(9223372036854775808,)", "(4294967296, 4294967296)",
                       "(0x3,)", "(" + "1," * 65 + ")")]
bad += [(t % "(3,)").replace(*change) for change in (("False", "false"), ("False", "0"), ("descr", "descs"), ("}", ""), ("{", ""),
        ("}", "} x"), (", \x27shape", ", \x27fortran_order\x27: False, \x27shape"), (", \x27fortran_order\x27: False", ""), (": \x27", ":: \x27"))]
for text in bad:
    status, output, messages = run(with_header(text, data), "--format=npy")
    assert (status, output, messages.count("\n")) == (1, b"", 1) and "pscan: standard input: " in messages, (text, status, messages)
long = with_header(t % "(3,)" + " " * 5000, data)
assert run(long)[0] == 2 and "4096" in run(long)[2]
header = with_header(t % "(3,)")
for size in range(len(header)):
    assert run(header[:size], "--format=npy")[:2] == (1, b""), size
assert run(with_header(t % "(3,)", data, 4))[2].count("version 4.0") == 1
'
}

@test "of an array that is cut off the sound part is written, and no whole is claimed" {
	python '
a = np.arange(1000, dtype="<i4")
whole, right = saved(a), run(saved(a))[1]
for cut in 128, 129, 2000, 2003, len(whole) - 1:
    open("cut.npy", "wb").write(whole[:cut])
    for status, output, messages in run(whole[:cut]), run(b"", "cut.npy"), run(b"", "cut.npy", "--chunk-size=1"):
        kept = cut // 4 * 4
        assert (status, output) == (1, right[:kept] if kept > 128 else b""), (cut, status, len(output))
        assert f"byte {kept}: the array is cut off: {kept - 128} of its 4000 bytes are there" in messages, messages
    assert run(b"", "cut.npy", "-o", "out.npy")[0] == 1 and not os.path.exists("out.npy")
for tail in b"x", whole:
    open("long.npy", "wb").write(whole + tail)
    for status, output, messages in run(whole + tail), run(b"", "long.npy"):
        assert (status, output) == (1, right) and "byte 4128: trailing bytes after the array" in messages, messages
'
}

@test "an array in a pipe that pauses is scanned as it comes" {
	python '
import time
a = np.arange(3000, dtype="<i4")
data = saved(a)
for cut in 3, 50, 128, 130, 5000, len(data):
    p = subprocess.Popen([os.environ["PSCAN"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    p.stdin.write(data[:cut]); p.stdin.flush()
    got = os.read(p.stdout.fileno(), 1 << 20) if cut > 5000 else b""
    time.sleep(0.1)
    p.stdin.write(data[cut:]); p.stdin.close()
    got += p.stdout.read()
    assert p.wait() == 0 and np.array_equal(np.load(io.BytesIO(got)), a.cumsum(dtype="i4")), cut
'
}

@test "a closed descriptor stands after the array" {
	python '
open("two.npy", "wb").write(saved(np.arange(6)) + b"rest")
'
	{ "$PSCAN" >out.npy 2>err || ended=$?; cat >rest; } <two.npy
	assert_equal "$ended $(cat rest)" '1 rest'
}

@test "text and raw numbers become arrays" {
	need_same_byte_order
	python '
lines = b"1 2\n3 4\n5 6\n"
def to_file(data, *options):
    status, output, messages = run(data, *options, "--output-format=npy", "-o", "out.npy")
    assert (status, messages) == (0, ""), messages
    return np.load("out.npy")
assert to_file(lines, "-t", "i64").tolist() == [1, 3, 6, 10, 15, 21]
assert to_file(lines, "-f", "1,2", "-t", "i16").tolist() == [[1, 2], [4, 6], [9, 12]]
assert to_file(b"", "-t", "i16").shape == (0,)
assert to_file(lines, "-t", "i64", "--reset-every=4", "--total").tolist() == [10, 11]
raw = np.arange(20, dtype="f4")
open("raw", "wb").write(raw.tobytes())
assert to_file(raw.tobytes(), "-t", "f32").tolist() == raw.cumsum().tolist()
# The size of a file is known, and of totals there is one: a pipe will do.
assert loaded(b"", "-t", "f32", "--output-format=npy", "raw").tolist() == raw.cumsum().tolist()
assert loaded(b"", "-t", "f32", "-c", "4", "--output-format=npy", "raw").tolist() == raw.reshape(5, 4).cumsum(axis=0).tolist()
assert loaded(b"", "-t", "f32", "--include-initial", "--output-format=npy", "raw").shape == (21,)
assert loaded(lines, "-t", "i64", "--total", "--output-format=npy") == 21
for options in ["-t", "i64"], ["-t", "i64", "-z", "-o", "o.npy"]:
    status, output, messages = run(lines, "--output-format=npy", *options)
    assert (status, output, messages.count("\n")) == (2, b"", 1) and "-o" in messages, messages
assert run(lines, "--output-format=npy")[0] == 2
'
}

@test "arrays become text and raw numbers" {
	python '
a = np.arange(6, dtype="i4").reshape(2, 3)
assert run(saved(a), "--output-format=text", "--axis=0")[1] == b"0 1 2\n3 5 7\n"
assert run(saved(a), "--output-format=text")[1] == b"0\n1\n3\n6\n10\n15\n"
assert run(saved(a), "--output-format=binary", "-o", "-")[1] == a.cumsum(dtype="i4").tobytes()
'
}

@test "arrays of one day after the other go on from --state as one, along the first axis and as plain numbers" {
	python '
def days(parts, *options):
    if os.path.exists("state"):
        os.remove("state")
    for part in parts:
        with open("day.npy", "wb") as file:
            file.write(saved(part))
        status, output, messages = run(b"", *options, "--state=state", "-o", "sums.npy", "day.npy")
        assert (status, output, messages) == (0, b"", ""), (options, status, messages)
        yield np.load("sums.npy")

a = np.random.default_rng(4).integers(-99, 99, 1000, dtype="i4")
for options in ([], ["-e"], ["--include-initial", "--seed=5"], ["-e", "--include-initial"], ["-op", "mean"], ["--reset-every=7"], ["--window=5"], ["-t", "i32:f64"],
                ["--axis=0"], ["--reset-every=7", "--total"], ["--reset-at=3", "--total"]):
    whole = next(days([a], *options))
    parts = list(days(np.split(a, [10, 10, 503]), *options))
    if "--total" not in options:
        assert [len(p) for p in parts] == [10 + ("--include-initial" in options), 0, 493, 497], options
        assert np.concatenate(parts).tobytes() == whole.tobytes(), options
    else:
        # A total that a day ends with may be given again, as what it has come to.
        assert parts[-1][-1] == whole[-1] and set(whole) <= set(np.concatenate(parts)), options
assert [int(p) for p in days(np.split(a, [10, 10]), "--total")] == [a[:10].sum(), a[:10].sum(), a.sum()]
b = a.reshape(-1, 4)
parts = list(days(np.split(b, [3, 3, 100]), "--axis=0"))
assert [p.shape for p in parts] == [(3, 4), (0, 4), (97, 4), (150, 4)]
assert (np.concatenate(parts) == b.cumsum(axis=0)).all()
assert "\"-c 4\" in the state, \"-c 3\" now" in run(saved(b[:, :3]), "--axis=0", "--state=state")[2]
assert run(saved(b.reshape(-1, 2, 2)), "--axis=0", "--state=shape")[0] == 0
for other in (b, b.reshape(-1, 4, 1), b.reshape(-1, 1, 2, 2)):
    status, output, messages = run(saved(other), "--axis=0", "--state=shape")
    assert (status, output) == (2, b"") and "(2, 2)" in messages, messages
assert [p.tolist() for p in days(np.split(b, [3, 3]), "--axis=0", "--total")] == [b[:3].sum(axis=0).tolist()] * 2 + [b.sum(axis=0).tolist()]
assert (np.concatenate([p.ravel() for p in days(np.split(b, [3]))]) == a.cumsum()).all()
more = run(a.astype("<i4").tobytes(), "--format=binary", "-t", "<i4", "--state=state")
assert np.frombuffer(more[1], "<i4").tolist() == (a.sum() + a.cumsum()).tolist(), more[2]
for axis in "1", "-1":
    status, output, messages = run(saved(b), "--axis=" + axis, "--state=other")
    assert (status, output) == (2, b"") and "--axis=0" in messages and not os.path.exists("other"), messages
status, output, messages = run(saved(a), "--reset-every=7", "--total", "--state=other")
assert (status, output) == (2, b"") and "must be a new file" in messages, messages
'
}

@test "what does not go with arrays is refused" {
	python '
open("a.npy", "wb").write(saved(np.arange(6).reshape(2, 3)))
for options in (["--axis=2"], ["--axis=-3"], ["-c", "3"], ["-op", "linrec"], ["--axis=0", "--reset-every=2"], ["--axis=0", "--reset-at=2"], ["--format=npy", "-f", "1"],
                ["--axis=x"], ["--axis=-0"], ["--axis=65"], ["--axis=0", "--format=binary"], ["--axis=0", "--format=text"],
                ["-t", "num"], ["--axis=0", "--total", "--reset-at=1"]):
    status, output, messages = run(b"", *options, "a.npy")
    assert (status, output, messages.count("\n")) == (2, b"", 1), (options, status, messages)
assert run(b"1 2\n", "--axis=0")[0] == 2 and run(b"1 2\n", "--format=npy")[0] == 1
wide = with_header("{\x27descr\x27: \x27<i4\x27, \x27fortran_order\x27: False, \x27shape\x27: (2, 65537)}")
assert "numpy.moveaxis(a, 0, -1)" in run(wide, "--axis=0")[2]
'
}

@test "arrays that numpy wrote" {
	need_data
	DATA=$DATA python '
import glob
tried = 0
for path in sorted(glob.glob(os.environ["DATA"] + "/binary/npy_by_numpy/*.npy")):
    try:
        a = np.load(path)
    except ValueError:
        continue
    if a.dtype.kind not in "iuf" or a.dtype.itemsize in (2, 16) and a.dtype.kind == "f" or np.isfortran(a) or "trailing" in path:
        continue
    got = loaded(open(path, "rb").read(), "--overflow=wrap")
    with np.errstate(all="ignore"):
        want = a.cumsum(dtype=a.dtype.newbyteorder("=")).reshape(a.shape)
    assert (got.dtype, got.shape) == (a.dtype, a.shape), path
    assert np.array_equal(got, want) if a.dtype.kind != "f" else np.allclose(got, want, rtol=1e-4, atol=1e-3, equal_nan=True), path
    tried += 1
assert tried > 15, tried
'
}

@test "what cannot be read is said as of other files" {
	python '
import gzip
zipped = gzip.compress(saved(np.arange(100)))
status, output, messages = run(zipped[:30], "--format=npy")
assert (status, output) == (1, b"") and "damaged gzip data" in messages, messages
status, output, messages = run(b"", "--format=npy", ".")
assert status == 3 and "Is a directory" in messages, messages
assert run(b"", "--format=npy", "none.npy")[0] == 3
'
}

@test "arrays of bool are read as u8" {
	"$PYTHON" -c 'import numpy as np
np.save("flags.npy", np.array([True, False, True, True]))'
	run_pscan --output-format=text flags.npy
	assert_equal "$code $(paste -sd ' ' out) $err" '0 1 1 2 3 '
	run_pscan -op max -o most.npy flags.npy
	assert_equal "$code $("$PYTHON" -c 'import numpy as np
print(np.load("most.npy").dtype, *np.load("most.npy"))')" '0 uint8 1 1 1 1'
}

@test "records with names are refused, also those of one member, and the advice works" {
	"$PYTHON" -c 'import numpy as np
np.save("one.npy", np.array([(1,), (2,)], dtype=[("x", "<i4")]))
np.save("two.npy", np.array([(1, 5), (2, 6)], dtype=[("x", "<i4"), ("y", "<f8")]))'
	local name
	for name in one two; do
		run_pscan "$name.npy"
		assert_equal "$code $out$err" "2 pscan: $name.npy: its elements are records with names: numpy.save(F, a['NAME'])"
		"$PYTHON" -c 'import numpy, sys
numpy.save("x.npy", numpy.load(sys.argv[1])["x"])' "$name.npy"
		run_pscan --output-format=text x.npy
		assert_equal "$code $(paste -sd ' ' out)" '0 1 3'
	done
}

@test "to an array: the option that makes lines is named, and the type that is lacking" {
	run_pscan --reset-on=1 --total -t i64 -f 2 -o made.npy --output-format=npy <<<'a 1'
	assert_equal "$code $err" '2 pscan: --total with --reset-on writes lines with its fields, which cannot be .npy (see --help=total)'
	run_pscan -g 1 --reset-on=1 --total -t i64 -f 2 -o made.npy --output-format=npy <<<'a 1'
	assert_equal "$code $err" '2 pscan: --total with -g writes lines with the keys, which cannot be .npy (see --help=total)'
	local op
	for op in count argmax; do
		run_pscan -op $op -o made.npy --output-format=npy < <(seq 3)
		assert_equal "$code $err" "2 pscan: --output-format=npy: name the elements' type, such as -t f64 (results of $op are u64)"
		run_pscan -op $op -t f64 -o made.npy --output-format=npy < <(seq 3)
		assert_equal "$code $("$PYTHON" -c 'import numpy as np
print(np.load("made.npy").dtype, np.load("made.npy").size)')" '0 uint64 3'
	done
}
