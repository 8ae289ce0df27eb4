#!/usr/bin/python3
"""Known answers from other people's tests and data ($PSCAN_DATA_DIR/cases/*.json), compared with pscan ($PSCAN).

    data_cases.py SUITE    peers, gzip-good, gzip-bad, gzip-trailing, arrays, offsets, numbers, literals or logs

Prints one line, "N passed, M skipped (reason: count, ...)". Failures go to standard error (exit status 1). A case that
pscan cannot express yet is skipped. Where peers disagree, pscan's interface decides: integers wrap only with
--overflow=wrap, a finite literal that rounds to infinity is an error, and an empty file is not gzip. Sums of floats
must have the bits of the grid (grid_oracle.py), and be within 3 ulp of the running sum of magnitudes of the exact sums.
Where the known answer is a sum from left to right, which has other bits, the last results may differ by a further 2
sqrt(n) of these ulp.
"""
import io
import math
import os
import re
import sys
import zlib
from fractions import Fraction

import numpy as np

from data_common import DTYPES, HOST, Tally, cases, path_of, read_file, run, sha256, unlike
from data_peers import suite_peers
from decimal_oracle import Options
from grid_oracle import inclusive


# --- gzip ------------------------------------------------------------------------------------------------------------

BYTES = HOST + ["--format=binary", "-t", "u8"]


def scanned_bytes(out):
    """The bytes whose running xor is out: the scan undone."""
    results = np.frombuffer(out, np.uint8)
    return (results ^ np.concatenate((np.zeros(1, np.uint8), results))[:len(results)]).tobytes()


def peer_inflate(data):
    """What zlib inflates, byte by byte, until it fails or the members end."""
    out = b""
    while data[:2] == b"\x1f\x8b":
        member = zlib.decompressobj(31)
        for at in range(len(data)):
            try:
                out += member.decompress(data[at:at + 1])
            except zlib.error:
                return out
            if member.eof:
                break
        data = data[at + 1:] if member.eof else b""
    return out


def check_bytes(case, content, name, data):
    """Problems of running xor and max over an inflated file whose content is known."""
    code, out, err = run(BYTES + ["-op", "xor", name], data)
    maxima = np.maximum.accumulate(np.frombuffer(content, np.uint8)).tobytes() if content else b""
    top = run(BYTES + ["-op", "max", name], data)[1]
    got = scanned_bytes(out)
    yield unlike(sha256(got), case.get("expected_sha256", sha256(content)), "digest of the content")
    yield unlike(len(got), case.get("expected_size", len(content)), "size of the content")
    yield unlike(top, maxima, "running maximum")
    yield unlike((code, err), (0, ""), "exit and messages") if case["expect"] == "ok" else None


def suite_gzip_good(tally):
    """Files that every gunzip reads: the content is scanned, from a file and from a pipe."""
    for case in cases("gzip"):
        if case["expect"] != "ok":
            continue
        with open(path_of(case["file"]), "rb") as file:
            data = file.read()
        content = peer_inflate(data)
        problems = list(check_bytes(case, content, path_of(case["file"]), None))
        problems += list(check_bytes(case, content, "-", data))
        if case["name"].startswith("klauspost:1_byte"):
            problems.append(unlike(run(HOST + [path_of(case["file"])]), (0, b"1\n", ""), "its number"))
        if "numbers-10" in case["name"]:
            # One token of 131072 digits: a finite literal that rounds to infinity.
            code, out, err = run(HOST + [path_of(case["file"])])
            problems.append(unlike((code, out, len(err) < 1000), (1, b"", True), "its number"))
        tally.check(case["name"], *problems)


def suite_gzip_bad(tally):
    """Damaged files: the sound part is scanned; then exit 1 with the place of the damage."""
    for case in cases("gzip"):
        if case["expect"] != "error":
            continue
        with open(path_of(case["file"]), "rb") as file:
            data = file.read()
        if not data.startswith(b"\x1f\x8b"):
            tally.check(case["name"], *check_no_gzip(data, path_of(case["file"])))
            continue
        sound = peer_inflate(data)
        problems = []
        for name, given in ((path_of(case["file"]), None), ("-", data)):
            code, out, err = run(BYTES + ["-op", "xor", name], given)
            place = re.search(r"\bbyte (\d+)\b", err)
            got = scanned_bytes(out)
            problems.append(unlike(code, 1, "exit"))
            problems.append(None if place and int(place[1]) <= len(data) else f"names no place: {err}")
            problems.append(unlike(err.count("\n"), 1, "lines of messages"))
            if "prefix_hex" in case:
                problems.append(unlike(got, bytes.fromhex(case["prefix_hex"]), "sound part"))
            # Within the last byte zlib may have got further than it tells, byte by byte.
            problems.append(None if got.startswith(sound) else f"sound part is {got!r}, not {sound!r}")
        tally.check(case["name"], *problems)


def check_no_gzip(data, name):
    """Problems with what libdeflate calls malformed gzip, and pscan no gzip at all: empty, "1", "abcdefgh"."""
    code, out, err = run(HOST + [name])
    if data.strip().isdigit() or not data:
        yield unlike((code, out, err), (0, data, ""), "exit, output and messages")
    else:
        yield unlike((code, out), (1, b""), "exit and output")
        yield None if "not a number" in err else f"message: {err}"


def suite_gzip_trailing(tally):
    """NUL padding is accepted; other bytes after the last member are a warning and exit 1."""
    for case in cases("gzip"):
        if case["expect"] != "ok-by-peer":
            continue
        with open(path_of(case["file"]), "rb") as file:
            data = file.read()
        padded = data.endswith(b"\0")
        content = peer_inflate(data.rstrip(b"\0") if padded else data[:-4])
        code, out, err = run(BYTES + ["-op", "xor", path_of(case["file"])])
        tally.check(case["name"], *check_bytes(case, content, path_of(case["file"]), None),
                    unlike(code, 0 if padded else 1, "exit"), unlike(bool(err), not padded, "says something"),
                    unlike(sha256(scanned_bytes(out)), case["expected_sha256"], "digest of the content"))


# --- Arrays ----------------------------------------------------------------------------------------------------------

def running_bound(values):
    """3 ulp of the running sums of magnitudes, in the type of the values."""
    with np.errstate(all="ignore"):
        return 3 * np.spacing(np.cumsum(np.abs(values.astype(np.float64))).astype(values.dtype)).astype(np.float64)


def exact_sums(values):
    """Running sums of finite floats, each rounded once to f64."""
    total = Fraction(0)
    sums = []
    for value in values.tolist():
        total += Fraction(value)
        sums.append(float(total))
    return np.array(sums)


def float_sum_problems(got, values, known_last):
    """Sums of floats: the grid's bits, near the exact sums and near a known last one."""
    yield unlike(got.tobytes(), inclusive("sum", values).tobytes(), "sums on the grid")
    if not np.isfinite(values).all():
        return
    with np.errstate(all="ignore"):
        bound = running_bound(values)
        far = np.abs(got.astype(np.float64) - exact_sums(values)) > bound
    yield f"result {int(np.argmax(far))} is far from the exact sum" if far.any() else None
    # A sum left to right is off by half an ulp for each element at the worst, by a root of that as a rule.
    near = bound[-1] / 3 * math.sqrt(len(values)) * 2 + bound[-1]
    yield f"the last sum {got[-1]} is far from {known_last}" if abs(float(got[-1]) - known_last) > near else None


ANSWERS = {"cumsum_same_dtype": "sum", "cumsum_64bit": "sum", "cumsum_f64": "sum", "cummax": "max", "cummin": "min",
           "cumxor": "xor", "cumor": "or"}


def type_name(dtype):
    """A numpy type as pscan takes it."""
    return dtype.name if dtype.itemsize == 1 else dtype.str


def check_array(tally, name, payload, stored, answers):
    """All answers about one array, given as raw bytes of the stored type."""
    values = np.frombuffer(payload, stored).astype(stored.newbyteorder("<"))
    for key, op in ANSWERS.items():
        if key not in answers:
            continue
        answer = answers[key]
        acc = np.dtype({"cumsum_64bit": answer.get("dtype", "<i8"), "cumsum_f64": "<f8"}.get(key, values.dtype.str))
        arguments = ["--format=binary", "-op", op, "-t", f"{type_name(stored)}:{type_name(acc)}", "--overflow=wrap"]
        code, out, err = run(HOST + arguments, payload)
        problems = [unlike(code, 0, f"exit ({err})"), unlike(len(out), len(values) * acc.itemsize, "size")]
        if op == "sum" and acc.kind == "f" and not answers.get("has_nan"):
            got = np.frombuffer(out, acc)
            problems += float_sum_problems(got, values.astype(acc), float(answer["last"]))
        else:
            problems.append(unlike(sha256(out), answer["sha256_le"], "digest of the results"))
        tally.check(f"{name} {key}", *problems)


def check_npy_file(tally, case):
    """Scans an npy file: its results have its shape and the bits of a scan of its numbers, or one line says what is
    wrong."""
    name = os.path.basename(case["file"])
    code, out, err = run(HOST + ["--format=npy", "--overflow=wrap", path_of(case["file"])])
    if case.get("expect", "").startswith("reject") or case.get("fortran_order") or case.get("dtype_in_file", "").endswith("f2"):
        tally.check(f"{name} as it is", unlike(code in (1, 2), True, f"exit {code}"), unlike(err.count("\n"), 1, f"messages ({err})"))
        return
    array = np.load(path_of(case["file"]))
    trailing = case["file"].endswith("extra_trailing_bytes.npy")
    got = np.load(io.BytesIO(out)) if code == int(trailing) else None
    code_raw, raw, _ = run(HOST + ["--format=binary", "--overflow=wrap", "-t", type_name(array.dtype)], array.tobytes())
    tally.check(f"{name} as it is", unlike((code, code_raw), (int(trailing), 0), f"exit ({err})"),
                None if got is None else unlike((got.dtype.str, got.shape), (array.dtype.str, array.shape), "type and shape"),
                None if got is None else unlike(got.tobytes(), raw, "numbers"))


def check_npy(tally, case):
    """An npy file, and its numbers as raw bytes."""
    data = read_file(case["file"])
    name = os.path.basename(case["file"])
    check_npy_file(tally, case)
    if "expect" in case:
        return
    stored = np.dtype(case["dtype_in_file"])
    answers = case["storage_order" if case["fortran_order"] else "logical_C_order"]
    if stored == np.float16:
        tally.skip("no f16")
        return
    size = math.prod(case["shape"]) * stored.itemsize
    payload = data[case["data_offset"]:case["data_offset"] + size]
    check_array(tally, name, payload, stored, answers)


def suite_arrays(tally):
    """Arrays written by numpy and labels in idx files, in both byte orders, as raw bytes."""
    for case in cases("binary_arrays")["arrays"]:
        if case["format"] == "npy":
            check_npy(tally, case)
        else:
            payload = read_file(case["file"])[case["data_offset"]:]
            check_array(tally, os.path.basename(case["file"]), payload, np.dtype("u1"), case["values"])


def suite_offsets(tally):
    """Row counts of sparse matrices: --include-initial gives their offsets (CSR indptr), in either byte order."""
    directory = path_of("binary/raw")
    for name in sorted(os.listdir(directory)):
        if not name.endswith("_rowcounts.i32le"):
            continue
        for order in ("le", "be"):
            target = name.replace("_rowcounts.i32le", f"_indptr.i32{order}")
            code, out, _ = run(HOST + ["--format=binary", "--include-initial", "-t", f"i32le:i32{order}",
                                       os.path.join(directory, name)])
            tally.check(target, unlike((code, out), (0, read_file("binary/raw/" + target)), "exit and offsets"))


# --- Numbers ---------------------------------------------------------------------------------------------------------

def parsed_by_pscan(tokens, order, kind):
    """The bits of tokens as pscan reads them: in ascending order each is its own running maximum."""
    code, out, err = run(HOST + ["--format=text", "-t", kind, "-op", "max", "--output-format=binary"],
                         "".join(tokens[i] + "\n" for i in order).encode())
    results = np.frombuffer(out, DTYPES[kind])
    if code != 0 or len(results) != len(tokens):
        return f"exit {code}, {len(results)} of {len(tokens)} results: {err}"
    values = np.empty_like(results)
    values[order] = results
    return values


def ascending(values):
    """An order in which values ascend, -0 before 0."""
    return np.lexsort((~np.signbit(values), values))


def check_nist(tally, case):
    """A column of decimals whose sum is known exactly."""
    name = os.path.basename(case["file"])
    lines = read_file(case["file"]).decode().splitlines()[case["data_first_line"] - 1:]
    data = "".join(line + "\n" for line in lines).encode()
    tokens = [line.split()[case["field"] - 1] for line in lines]
    values = np.array([float(token) for token in tokens])
    column = ["--format=text", "-f", str(case["field"])]
    code, out, _ = run(column, data)
    last = out.decode().split()[-1]
    tally.check(f"{name} exactly", unlike((code, len(tokens)), (0, case["n"]), "exit and count"),
                unlike(out.decode().split(), Options([]).expected(tokens).lines, "exact sums"),
                unlike(float(last), float(case["exact_decimal_sum_rounded_to_f64"]), "last sum"))
    raw = ["-t", "f64", "--output-format=binary"]
    got = np.frombuffer(run(column + raw, data)[1])
    tally.check(f"{name} in f64", *float_sum_problems(got, values, float.fromhex(case["exact_sum_of_doubles_rounded"])))
    for op in ("max", "min"):
        out = run(column + raw + ["-op", op], data)[1]
        tally.check(f"{name} {op}", unlike(sha256(out), case[f"cum{op}_sha256"], "digest of the results"))
    parsed = parsed_by_pscan(tokens, ascending(values), "f64")
    tally.check(f"{name} read as f64", unlike(sha256(bytes(parsed)), case["parsed_f64_le_sha256"], "digest"))
    parsed = parsed_by_pscan(tokens, ascending(values), "f32")
    tally.check(f"{name} read as f32", unlike(sha256(bytes(parsed)), case["parsed_f32_via_f64_sha256"], "digest"))
    tally.skip("sums strictly left to right: --algorithm=sequential is later", 2)


def suite_numbers(tally):
    """NIST's columns: exact decimal sums, sums in f64, extremes, and how the decimals are read."""
    for case in cases("numbers"):
        if "field" in case:
            check_nist(tally, case)


def suite_literals(tally):
    """The parse-number-fxx rows through pscan (the unit test number_data_test takes them one by one)."""
    for case in cases("numbers"):
        if "rows" not in case:
            continue
        name = os.path.basename(case["file"])
        rows = [line.split() for line in read_file(case["file"]).decode().splitlines()]
        for kind, column, unsigned in (("f32", 1, np.uint32), ("f64", 2, np.uint64)):
            bits = np.array([int(row[column], 16) for row in rows], unsigned)
            values = bits.view(DTYPES[kind])
            finite = np.isfinite(values)
            tokens = [row[3] for row, is_finite in zip(rows, finite) if is_finite]
            got = parsed_by_pscan(tokens, ascending(values[finite]), kind)
            wrong = got if isinstance(got, str) else unlike(got.tobytes(), values[finite].tobytes(), "values")
            tally.check(f"{name} {kind}", unlike(len(rows), case["rows"], "rows"), wrong)
            infinite = [row[3] for row, is_finite in zip(rows, finite) if not is_finite]
            taken = [t for t in infinite[::20] if run(HOST + ["--format=text", "-t", kind], t.encode())[:2] != (1, b"")]
            tally.check(f"{name} {kind} past the type", unlike(taken, [], "literals taken that round to infinity"))


# --- Logs ------------------------------------------------------------------------------------------------------------

def check_runs(tally, name, runs, arguments, data):
    """The answers about one column."""
    for key, answer in runs.items():
        words = key.split()
        options = ["-op", words[-1]] + (["-e"] if words[0] == "exclusive" else [])
        code, out, err = run(arguments + options, data)
        if any(word.startswith("-g") for word in arguments):  # each result stands after its key
            out = b"".join(re.split(b"[\t ]", line)[-1] + b"\n" for line in out.splitlines())
        lines = out.decode().splitlines()
        problems = [unlike(lines[int(at) - 1], str(value), f"result {at}") for at, value in answer.get("at", {}).items()
                    if int(at) <= len(lines)]
        tally.check(f"{name} {key}", unlike(code, 0, f"exit ({err})"), *problems,
                    unlike(len(lines), answer.get("n", len(lines)), "number of results"),
                    unlike(sha256(out), answer["text_sha256"], "digest of the results"))


def check_keyed(tally, case, where, data):
    """Running totals per key, and per run of lines with one key. where: of each word that a case's name may have, the
    options that make it the key."""
    for name in case:
        if "keyed" not in name:
            continue
        field, more = next((f, m) for word, (f, m) in where.items() if word in name)
        how = f"--reset-on={field}" if "adjacent runs" in name else f"-g{field}"
        check_runs(tally, f"{case['file']} {name}", {"inclusive sum": case[name]}, [how, *more], data)


def check_apache(tally, case):
    """Bytes served, of a log in which "-" stands for none."""
    for name, missing, key in (("apache, - as 0", "zero", "runs_dash_as_0"),
                               ("apache, - dropped", "skip", "runs_dash_lines_dropped")):
        arguments = ["-d", " ", "-f", "10", f"--missing={missing}", path_of(case["gz"])]
        check_runs(tally, name, case[key], arguments, None)
    more = ["-d", " ", "-f", "10", "--missing=zero", path_of(case["gz"])]
    check_keyed(tally, case, {"client IP": (1, more), "status": (9, more)}, None)


def check_nasa(tally, case):
    """Bytes served, and time stamps restored from their differences."""
    lines = read_file(case["gz"]).decode("latin-1").splitlines(keepends=True)[case["header_lines"]:]
    data = "".join(lines).encode("latin-1")
    check_runs(tally, "nasa", case["runs"], ["--format=text", "-d", "\\t", "-f", "7"], data)
    check_keyed(tally, case, {"host": (1, ["--format=text", "-d", "\\t", "-f", "7"])}, data)
    stamps = [int(line.split("\t")[2]) for line in lines]
    steps = [after - before for before, after in zip([0] + stamps, stamps)]
    _, out, _ = run(["-t", "i64"], "\n".join(str(step) for step in steps).encode())
    tally.check("nasa time stamps", unlike([int(t) for t in out.split()], stamps, "running sum of the differences"))


def check_wikiticker(tally, case):
    """Edits: added and deleted bytes, published totals, and the original as bytes."""
    table = path_of(case["derived_tsv"].split()[0])
    for field, name in (("2", "delta"), ("3", "added")):
        check_runs(tally, f"wikiticker {name}", case[name], ["-d", "\\t", "-f", field, table], None)
    for field, name in (("2", "DELTA"), ("3", "ADDED"), ("4", "DELETED")):
        out = run(["-d", "\\t", "-f", field, "--total", table])[1]
        tally.check(f"wikiticker {name}", unlike(out, b"%d\n" % case["published_totals"][name], "total"))
    check_keyed(tally, case, {"channel": (1, ["-d", "\\t", "-f", "2", table])}, None)
    content = read_file(case["file"])
    out = run(["--format=binary", "-t", "u8:u64", "--total", "--output-format=text", path_of(case["file"])])[1]
    tally.check("wikiticker as bytes", unlike(len(content), case["uncompressed"], "size"),
                unlike(out, b"%d\n" % sum(content), "sum of the bytes"))


def suite_logs(tally):
    """Columns of real logs, inflated on the way, with the default type."""
    checks = {"logs/elastic_apache_logs.log": check_apache, "logs/nasa_19950801_7col.tsv": check_nasa,
              "logs/wikiticker_2015-09-12.json.gz": check_wikiticker}
    for case in cases("logs"):
        checks[case["file"]](tally, case)


def suite_series(tally):
    """A column that its publisher cumulated country by country, from left to right in f64."""
    for case in cases("series"):
        name = case["derived_tsv"].split()[0]
        wanted = [line.split("\t")[2] for line in read_file(name + ".gz").decode().splitlines()]
        by_country = ["-t", "f64", "-d", "\\t", "-g", "1", "-f", "2", path_of(name + ".gz")]
        code, out, err = run(["-D", "none", "--algorithm=sequential"] + by_country)
        tally.check(case["file"], unlike(code, 0, f"exit ({err})"), unlike(len(wanted), case["rows"], "rows"),
                    unlike([float(line.split("\t")[-1]) for line in out.decode().splitlines()], [float(x) for x in wanted],
                           "cumulated column"))
        out = run(["--total"] + by_country)[1]
        tally.check(f"{case['file']} groups", unlike(len(out.splitlines()), case["groups"], "lines of totals"))


SUITES = {"peers": suite_peers, "gzip-good": suite_gzip_good, "gzip-bad": suite_gzip_bad,
          "gzip-trailing": suite_gzip_trailing, "arrays": suite_arrays, "offsets": suite_offsets,
          "numbers": suite_numbers, "literals": suite_literals, "logs": suite_logs, "series": suite_series}


def main():
    """Runs one suite."""
    if len(sys.argv) != 2 or sys.argv[1] not in SUITES:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    tally = Tally()
    SUITES[sys.argv[1]](tally)
    print(tally.summary())
    return 1 if tally.failed or not tally.passed else 0


if __name__ == "__main__":
    sys.exit(main())
