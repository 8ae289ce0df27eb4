"""Texts that are JSON and texts that are not, written by hand and judged by Python's json module. pscan --json must
accept the first, and name the place of the error in the others.

    json_cases.py PSCAN

Prints how many were accepted and refused.
"""
import json
import subprocess
import sys

# Values that RFC 8259 has.
GOOD = [b"0", b"-0", b"-1", b"10", b"123456789012345678901234567890", b"0.0", b"-0.5", b"1e5", b"1E5", b"1e+5", b"1e-5", b"0e1", b"1.25E-3", b"true", b"false",
        b"null", b'""', b'"\\""', b'"\\\\\\/\\b\\f\\n\\r\\t"', b'"\\u0000"', b'"\\uD83D\\uDE00"', b'"\\ud83d"', b'"\\uDE00\\uD83D"', b'"\\uabCD"', b'"\x7f"',
        '"\u00e9\u20ac\U0001f600\uffff\U0010ffff"'.encode(), b'"a/b"', b'" "', b"[]", b"[ ]", b"[1]", b"[ 1 , 2 ]", b"[[],[[]],{}]", b"{}", b"{ }", b'{"":0}',
        b'{"a":1,"a":2}', b'{ "a" : 1 , "b" : [ ] }', b'{"a":{"a":{"a":null}}}', b"[null,true,false,\"\",-0]", b'"' + b"x" * 100 + b'"',
        b"[" * 1000 + b"]" * 1000, b'{"a":' * 1000 + b"1" + b"}" * 1000, b'"\\u005C"', b'\t"\\t"\t', b'"\xef\xbb\xbf"']
# What it has not, with the character where that can be seen, from 0; None: at the end.
BAD = [(b"", 0), (b"+1", 0), (b"01", 0), (b"-01", 1), (b"-", 1), (b"--1", 1), (b".5", 0), (b"1.", 2), (b"1.e5", 2), (b"1e", 2), (b"1e+", 3), (b"1ee5", 2), (b"0x1", 1), (b"1_0", 1),
       (b"1 2", 2), (b"NaN", 0), (b"Infinity", 0), (b"-Infinity", 1), (b"nul", 0), (b"nulll", 4), (b"True", 0), (b"TRUE", 0), (b"undefined", 0), (b"'a'", 0),
       (b"a", 0), (b"\\u0031", 0), (b'"\\x41"', 1), (b'"\\a"', 1), (b'"\\"', None), (b'"\\u12"', 1), (b'"\\u12g4"', 1), (b'"\\u-123"', 1), (b'"\\U0041"', 1), (b'"\\ 1"', 1), (b'"\\\xc3\xa9"', 1),
       (b'"\x00"', 1), (b'"\t"', 1), (b'"\x1f"', 1), (b'"a', None), (b'"a\\', None), (b'"\xff"', 1), (b'"\x80"', 1), (b'"\xc3"', 1), (b'"\xc0\xaf"', 1), (b'"\xe0\x80\xaf"', 1),
       (b'"\xed\xa0\x80"', 1), (b'"\xf4\x90\x80\x80"', 1), (b'"\xf5\x80\x80\x80"', 1), (b'"\xe2\x82"', 1), (b'"abc\xe9"', 4), (b'"\\u00e9\xe9"', 7), (b"\xe9", 0), (b"[1", None), (b"[1,", None),
       (b"[1,]", 3), (b"[,1]", 1), (b"[1,,2]", 3), (b"[1 2]", 3), (b"[1:2]", 2), (b"[1}", 2), (b"]", 0), (b"[1]]", 3), (b'{"a"}', 4), (b'{"a":}', 5), (b'{"a":1,}', 7),
       (b'{"a" 1}', 5), (b'{"a",1}', 4), (b"{a:1}", 1), (b"{'a':1}", 1), (b"{1:1}", 1), (b"{,}", 1), (b'{"a":1 "b":2}', 7), (b'{"a":1]', 6), (b'{"a":1', None), (b'{"a"', None), (b"{", None),
       (b'{null:1}', 1), (b'{[]:1}', 1), (b"1//x", 1), (b"1/**/", 1), (b"#1", 0), (b"\xef\xbb\xbf1", 0), (b"\xc2\xa01", 0), (b"\x0c1", 0), (b"\x0b1", 0), (b"1;", 1), (b"*", 0)]
# The same of whole lines.
BAD_LINES = [b"[]", b"1", b'"a"', b"null", b"x", b"}", b"{}x", b"{} {}", b"{}{}", b"{},", b"{}]", b"[{}]", b"{", b"{}\x00", b"\x00{}", b"\xef\xbb\xbf{}", b"{}\xef\xbb\xbf", b"\x0c{}"]


def is_json(text):
    """What Python says."""
    def refuse(_word):
        raise ValueError

    try:
        return isinstance(json.loads(text.decode("utf-8"), parse_constant=refuse), dict)
    except ValueError:
        return False


def run(pscan, data, *options):
    """Status, output and messages."""
    done = subprocess.run([pscan, "--json", *options], input=data, capture_output=True, timeout=1200)
    return done.returncode, done.stdout, done.stderr.decode()


def main():
    """All lists."""
    sys.setrecursionlimit(5000)
    pscan = sys.argv[1]
    before, after = b'{"\xc3\xa9\\"":', b',"z":1}'
    lines = [before + value + after for value in GOOD]
    assert all(is_json(line) for line in lines)
    want = b"".join(b'{"z_sum":%d}\n' % (i + 1) for i in range(len(lines)))
    for end in b"\n", b"\r\n":
        got = run(pscan, end.join(lines) + end, "-f", "z")
        assert got == (0, want, ""), got
    bad = [(before + value + after if at is not None else before + value, at) for value, at in BAD]
    for line, at in bad + [(line, -1) for line in BAD_LINES]:
        assert not is_json(line), line
        for rest in b"", b"\n", b'\n{"z":5}\n', b'"}\n':
            if rest == b'"}\n' and at is not None:
                continue
            if rest == b'"}\n':
                rest = b"\n\"}\n"
            code, out, err = run(pscan, b'{"z":4}\n' + line + rest, "-f", "z")
            assert (code, out) == (1, b'{"z_sum":4}\n'), (line, rest, code, out, err)
            where = err.split(": ")[2]
            if at is not None and at >= 0:
                assert where == f"line 2, column {7 + at + 1}", (line, at, err)
            elif at is None:
                assert where == f"line 2, column {len(line.decode('utf-8', 'replace')) + 1}", (line, err)
            else:
                assert where.startswith("line 2, column "), (line, err)
            assert err.count("\n") == 1 and "JSON" in err, err
        # What is left out has no element, and stays as it is.
        code, out, err = run(pscan, b'{"z":4}\n' + line + b'\n{"z":5}\n', "-f", "z", "-a", "--invalid=ignore")
        assert (code, out, err) == (0, b'{"z":4,"z_sum":4}\n' + line + b'\n{"z":5,"z_sum":9}\n', ""), (line, out, err)
    print(len(lines), len(bad) + len(BAD_LINES))


if __name__ == "__main__":
    main()
