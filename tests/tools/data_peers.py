"""The small vectors of other scans' own tests (cases/peers_scan.json), as text, as raw bytes and as decimals."""
import math
import os
import tempfile

import numpy as np

from data_common import DTYPES, HOST, cases, run, unlike
from decimal_oracle import Options


def peer_types(dtype):
    """Element and accumulator type of a case."""
    first, _, second = dtype.replace("bool/u8", "u8").replace("bool", "u8").partition("->")
    return first, second or first


def peer_skip(case):
    """Why a case cannot be expressed, or None."""
    has_null = None in case["input"]
    missing = case.get("missing", "")
    if "poison" in missing and has_null and case["dtype"][0] != "f":
        return "a missing integer cannot poison"
    return None


def nan_options(case):
    """How a NaN is left out: as the operator's identity, or by the result before it."""
    missing = case.get("missing", "")
    if "NaN" not in case["input"]:
        return []
    if "identity" in missing:
        return ["--nan=1" if case["op"] == "prod" else "--nan=0"]
    return ["--nan=hold"] if "ignored" in missing else []


def as_float(value):
    """A JSON value as a float; a null that poisons is a NaN."""
    return math.nan if value is None else float(value)


def same(got, want, dtype):
    """Whether results (texts, None for a mark) are those of the case, in the accumulator's type."""
    if len(got) != len(want):
        return False
    for g, w in zip(got, want):
        if g is None or w is None:
            if g is not w:
                return False
        elif dtype[0] != "f":
            if g != str(w):
                return False
        elif not np.array_equal(np.dtype(DTYPES[dtype]).type(g), np.dtype(DTYPES[dtype]).type(w), equal_nan=True):
            return False
    return True


def peer_values(case):
    """Returns input and expected values. A missing value is None, or NaN if it makes later results NaN."""
    missing = case.get("missing", "")
    values, want = case["input"], case["expected"]
    if "poison" in missing:
        values, want = [as_float(v) for v in values], [as_float(v) for v in want]
    if "NaN stays" in missing:
        values = [None if v == "NaN" else v for v in values]
        want = [None if v == "NaN" else v for v in want]
    return values, want


def peer_wraps(values, want, case, accumulator):
    """Whether the exact results leave the accumulator's type."""
    if accumulator[0] == "f" or case["op"] not in ("sum", "prod"):
        return False
    exact = Options(["-op", case["op"], f"--seed={case.get('init', 0 if case['op'] == 'sum' else 1)}"])
    lines = exact.expected([str(v) for v in values if v is not None]).lines
    return case["mode"] == "inclusive" and lines != [str(w) for w in want if w is not None]


def peer_runs(case, values, accumulator, extra):
    """The ways in which the input can be given: (name, options, bytes)."""
    element = peer_types(case["dtype"])[0]
    text = "".join(f"{'NA' if v is None else v}\n" for v in values).encode()
    kind = element if element == accumulator else f"{element}:{accumulator}"
    keep = ["--missing=keep"] if None in values else []
    yield "text", extra + keep + ["--format=text", "-t", kind], text
    if None not in values:
        data = np.array([as_float(v) if element[0] == "f" else v for v in values], DTYPES[element]).tobytes()
        yield "binary", extra + ["--format=binary", "--output-format=text", "-t", kind], data
    if accumulator[0] != "f" and element == accumulator and "--overflow=wrap" not in extra:
        yield "num", extra + keep + ["--format=text"], text


def check_peer_overflow(tally, case, options):
    """A checked sum that leaves its type: an error that names the element and the remedies."""
    element = peer_types(case["dtype"])[0]
    code, out, err = run(HOST + options + ["-t", element], f"{case['input'][0]}\n".encode())
    wrapped = np.array([case["input"][0] + case["init"] & 0xffffffffffffffff], np.uint64).astype(DTYPES[element])[0]
    code_wrap, out_wrap, _ = run(HOST + options + ["-t", element, "--overflow=wrap"], f"{case['input'][0]}\n".encode())
    tally.check(case["id"], unlike((code, out), (1, b""), "exit and output"),
                None if "element 1" in err and "--overflow=wrap" in err else f"message: {err}",
                unlike((code_wrap, out_wrap.decode()), (0, f"{wrapped}\n"), "wrapped"))


def check_peer_keys(tally, case):
    """A scan by key, by runs of equal keys, or from head flags on, which are counted here."""
    values, want = peer_values(case)
    keys = [str(key) for key in case["keys"]]
    if "head" in case["key_mode"]:
        keys = [str(sum(case["keys"][:i + 1])) for i in range(len(keys))]
    how = ["-g", "1"] if "by key value" in case["key_mode"] else ["--reset-on=1"]
    options = how + ["-f", "2", "-op", case["op"], "-t", case["dtype"]] + (["-e"] if case["mode"] == "exclusive" else [])
    options += [f"--seed={case['init']}"] if "init" in case else []
    text = "".join(f"{key} {value}\n" for key, value in zip(keys, values))
    code, out, err = run(HOST + options, text.encode())
    got = [line.split()[-1] for line in out.decode().splitlines()]
    tally.check(f"{case['id']} ({case['name']})", unlike(code, 0, f"exit ({err})"),
                None if same(got, want, case["dtype"]) else f"{got}, not {want}")


def suite_peers(tally):
    """The vectors of numpy's, pandas', Arrow's, Thrust's ... own tests."""
    modes = {"inclusive": [], "exclusive": ["-e"], "inclusive+leading identity": ["--include-initial"]}
    for case in cases("peers_scan"):
        if "keys" in case and (len(set(case["keys"])) > 1 or "head" in case["key_mode"]):
            check_peer_keys(tally, case)
            continue
        reason = peer_skip(case)
        if reason is not None:
            tally.skip(reason)
            continue
        options = ["-op", case["op"]] + modes[case["mode"]]
        options += [f"--seed={case['init']}"] if "init" in case else []
        options += nan_options(case) + (["-r"] if case.get("reverse") else [])
        if case["expected"] == "error: overflow":
            check_peer_overflow(tally, case, options)
            continue
        accumulator = peer_types(case["dtype"])[1]
        values, want = peer_values(case)
        options += ["--overflow=wrap"] if peer_wraps(values, want, case, accumulator) else []
        problems = []
        for name, arguments, data in peer_runs(case, values, accumulator, options):
            code, out, err = run(HOST + arguments, data)
            got = [None if t == "NA" else t for t in out.decode().split()]
            problems.append(unlike(code, 0, f"exit ({err})"))
            problems.append(None if same(got, want, accumulator) else f"{name}: {got}, not {want}")
        if "chunks" in case:
            problems.append(peer_as_files(case, options, want, accumulator))
        tally.check(f"{case['id']} ({case['name']})", *problems)


def peer_as_files(case, options, want, accumulator):
    """A chunked array given as several files is one stream."""
    with tempfile.TemporaryDirectory() as directory:
        names = []
        for index, chunk in enumerate(case["chunks"]):
            names.append(os.path.join(directory, str(index)))
            with open(names[-1], "w", encoding="ascii") as file:
                file.write(" ".join("NA" if v is None else str(v) for v in chunk))
        _, out, _ = run(HOST + options + ["--missing=keep"] + names)
    got = [None if t == "NA" else t for t in out.decode().split()]
    return None if same(got, want, accumulator) else f"as files: {got}, not {want}"
