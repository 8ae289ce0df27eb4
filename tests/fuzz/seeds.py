#!/usr/bin/python3
"""seeds.py TARGET DIRECTORY: writes the first inputs of a fuzz target, the same ones every time, and its dictionary
next to the directory.

An input begins with the bytes that choose options, as NAME_fuzz.c reads them.
"""
import bz2
import gzip
import itertools
import lzma
import os
import random
import struct
import sys
import zlib

NUMBERS = """0 -0 +1 7 -42 007 1.5 -.5 5. 0.10 1e3 1E-3 -1.25e+10 inf -Infinity nan +NAN 0x10 -0xfF 0X1p3 1e 1_000 1,5
--5 . + e5 0x 9223372036854775807 -9223372036854775808 9223372036854775808 18446744073709551615 18446744073709551616 255
256 -129 32768 4294967296 0.000000000000000001 0.0000000000000000001 170141183460469231731687303715884105727
170141183460469231731687303715884105728 1606938044258990275541962092341162602522202993782792835301375
6277101735386680763835789423207666416102355444464034512895 1e308 1.7976931348623157e308 1.7976931348623159e308 5e-324
2.4703282292062327e-324 2.4703282292062328e-324 3.4028235e38 3.4028236e38 1e-45 7e-46
1.00000005960464477539062500000000001
9007199254740993 9007199254740992.999999999999999999999999 2.2250738585072011e-308 8.41e21
123456789012345678901234567890e-25
1e-400 1e400 1e99999999999999999999 0e99999999999 0.1e-99999999999999999999 -""".split()
NUMBERS += ["0." + "0" * 400 + "1e400", "1" + "0" * 400 + "e-400", "9" * 39, "0" * 60 + "1", "1." + "0" * 40]
DOUBLES = [0.0, -0.0, 1.0, 0.1, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 1e21, 9.999999999999999e20,
           1e-7, 2251799813685248.25, 9007199254740993.0, float("inf"), float("nan"), 1 / 3, 2.0 ** -1074 * 3,
           4.4501477170144028e-308]
INTEGERS = [0, 1, 2**63 - 1, 2**63, 2**64 - 1, 10**19, 9999999999999999, 10**16, 99, 100, 0x7F7FFFFF, 0x00800000, 1]
TEXTS = [b"1 2 3\n", b"1.5\t2.25\r\n-3\n", b"a,1,b\nc,2,d\ne,-,f\n", b"x 10 y\n\nz\n u  v\n", b"1,2\r\n3\r\n\r\n,4",
         b"NA\nN/A\nnull\n-\n5\n",
         b"1e5 inf nan 0x10\n", b"0.1 0.22 0.333\n", b"300 -300 70000 5000000000 1e40\n", b"oops 1 2\n3 4 5 6 7 8 9\n",
         b"127.0.0.1 - - [01/Jan/2000:00:00:00 +0000] \"GET / HTTP/1.0\" 200 512\n", b"1\0002\n", b"\xef\xbb\xbf1\n2\n",
         b"9223372036854775807 1\n0.000000000000000001\n", b" \t\n\v\f\r 1 \n", b"1", b"", b"\n",
         b"root:x:0:0:root:/root:/bin/sh\n",
         b"# one\nname,size\n\"a \"\"b\"\"\",\"1\"\n\"x,\ny\", 2 \r\n#\"\n,\"3\"\"\"\n\"open,4\n", b"#x,\"open\n1,\"2\"\n#\n3,4\n",
         b"##\n1 # 2\n#3\nhead er\n4 5\n"]
FILES = [b"", b"hello\n", b"1\n2\n3\n" * 100, bytes(range(256)) * 8, bytes(3000)]


def number_inputs(rng):
    """Tokens, and values to be written."""
    for token in NUMBERS:
        yield bytes([rng.randrange(0, 256, 2)]) + token.encode()
    for value in DOUBLES:
        yield b"\1" + struct.pack("<d", value)
        yield b"\1" + struct.pack("<f", value if abs(value) < 1e38 else 1.0)
    for value in INTEGERS:
        yield b"\1" + struct.pack("<Q", value)


def decode_inputs(rng):
    """Every text under several rules."""
    for text in TEXTS:
        for field in (0, 0, 1, 2, 3, 9, 250):
            yield bytes([field] + [rng.randrange(256) for _ in range(9)]) + text
            lenient = [rng.randrange(32), 0x30 | rng.randrange(16), rng.randrange(256), rng.randrange(12), 18, 0, 0, 5, 0]
            yield bytes([field] + lenient) + text * 3
        for lines in (0x10, 0x12, 0x53, 0x18, 0x5e, 0x5f):  # CSV with comments; lines edited; headers
            yield bytes([rng.randrange(1, 3), 16, 0x31 + rng.randrange(3), lines, rng.randrange(12), 5, 0, 0, 11, 0]) + text


    decimals = "0.5 -2.25 -0.00 0 100 -922337203685477580.7 922337203685477580.8 1e-18 5000e-21 5001e-21 0e-30 1e25 1e40 12 5 -7".split()
    for _ in range(40):  # at their own scales, narrow and wide
        few = " ".join(rng.choice(decimals) for _ in range(rng.randrange(2, 9)))
        yield bytes([0, 0, 0x30, 0, 10, 0, 0, rng.randrange(40), 0]) + few.encode() + b"\n"


def scan_inputs(rng):
    """Every number among others, and some texts, as each type."""
    for kind in range(11):
        for how in (0, 2, 9, 18, 130):
            for token in rng.sample(NUMBERS, 12):
                yield bytes([kind, how, rng.randrange(17)]) + b" ".join((b"12", token.encode(), b"345678", b"-9.25\n0"))
    for text in TEXTS:
        yield bytes([rng.randrange(11), rng.randrange(256), 0]) + text


def gzip_inputs(rng):
    """Files as they are, sound and damaged; files to be made; and data to be deflated."""
    for plain in FILES:
        for level in (1, 6, 9):
            whole = gzip.compress(plain, level, mtime=0)
            pieces = bytes([rng.randrange(256), rng.randrange(256)])
            for file in (whole, whole * 2, whole + bytes(5), whole + b"oops", whole[:-3], whole + whole[:2],
                         whole[:-8] + bytes(8)):
                yield b"\0" + pieces + file
        stored = zlib.compressobj(0, zlib.DEFLATED, 31)
        yield b"\0\0\0" + stored.compress(plain) + stored.flush()
        for _ in range(6):
            yield bytes([1] + [rng.randrange(256) for _ in range(8)]) + plain
        for level in range(10):
            yield bytes([2, rng.randrange(256), rng.randrange(256), level, rng.randrange(256)]) + plain
    yield b"\0\7\0" + gzip.compress(bytes(1 << 20), 9, mtime=0)


def frames_inputs(rng):
    """Files of xz and bzip2 as they are, sound and damaged; beginnings of frames; and files to be made."""
    for plain in FILES:
        for whole in (lzma.compress(plain), bz2.compress(plain, 1), lzma.compress(plain, check=lzma.CHECK_CRC32)):
            pieces = bytes([rng.randrange(256), rng.randrange(256)])
            for file in (whole, whole * 2, whole + bytes(4) + whole, whole + bytes(5), whole + b"oops", whole[:-3], whole + whole[:2]):
                yield b"\0" + pieces + file
        for form in range(4):
            for damage in (0, 0, 0, 100, 130, 200):
                yield bytes([2 * form + 1, rng.randrange(256), rng.randrange(256), damage] + [rng.randrange(256) for _ in range(4)]) + plain
    for head in (b"\x28\xb5\x2f\xfd\x24\3\x19\0\0123", b"\4\"M\x18\x64\x40\xa7\3\0\0\x80123", b"\x50\x2a\x4d\x18\1\0\0\0x"):
        yield b"\0\0\0" + head
        yield b"\0\7\0" + head * 2


COMMANDS = """-op max|-e -op=sum f|-opmax|-eop|-i -o -op -op min|--op=prod --seed=5 --total
--include-initial --op xor -t i32|-f 2 -d , -a -H --as=x|-f name --csv --replace --as x,y
--csv -f 3 --header=2 --comment=#|-f 1,2|-f 1 -d \\t --missing=keep|--missing=zero --invalid=warn|--missing=-1.5e3|--missing=hold
--missing-marks=-999,x|--nan=propagate|--nan=hold --format=binary -t f64|--nan=0.5
--invalid=fail|-z -T 3 --chunk-size=64K|--gzip=9 -T 1024|--gzip=10|--gz -D none|--algorithm=sequential -D cpu
--alg blelloch|--algorithm=hillis-steele|-t i32:i64|-t <f4|-t num|-t dec -F %d|-F %+08.3f%%|-F x|--format=binary -t u8
--format=text --output-format=binary|--output-format=json|--stats|--progress -q --pro|--stats=json -v|-q -- -op f|- f - -e|-h|--help=op|--help=x|-V -l
--list-devices --help|-g 1 -f 2|--by x -f 1|--reset-on=2 -f 1|--reset-every=3|--reset-at=0
--reset-gap=1:2 -f 2|--reset-gap=t:30m -f 2|-g 1 -f 2 --total -e|-g 1 -op count|--by=k -op count,count -a|--reset-gap=1:9 -op count --replace|-op avg
--window=3|--window=7 -g 1 -f 2 -e|--window=0|--window=2 --seed=1|--no-sandbox|--verify|--|-ez|-T|-T 0x10|-T -1|--chunk-size=64G
--chunk-size=00065537|--line-buffered --no-mmap|-o out --trace=t|--overflow=wrap --overflow=error|--over wrap|--head
--s=1|f -op -- -op|-aHqvf1|-Hf x --replace --as=y|--csv -f 1 -d "|--log -f bytes,3 -a|--tsv -f name --replace|--log -f bites|--json -f a.b,/c~1d/0,1-2 -g x -a|--json --as=t -f 1|--logfmt --replace -f 2-,k|--json -f /~|--log --tsv -f 1|--comment= -f 1|--unknown|-x|-: y
--total --include-initial|-e -i|-i -e|-q|-v|-h|-l|-V|-a|--replace -f 1|-f 2|-f x|-z|--gzip=3|-T 1|-t f64|--as=z|-H
--header=3|--seed=1|--total|-op sum,max -f 1,3-4 -f name|-op ema:0.5,count -e|-f 2- -c 4|-c 3 -t u8|--columns=2 -f 2 -t i16
-op sum,|-f 1,|-f 3-1|-f 1--3|-c 0|-c 65537|-f 1-70000 -op sum,max|--seed=1,2 -f 1,2|--as=x,y -H -f 1,2 --csv|-H -f 1 --as=x
-f 2,1 --replace|-f 1,1 --replace|-f 1,b -a|-op first,last,lag,delta,drawdown,mean -t f32|-op ema|-op max:1|-f 2,1 -op linrec|-c 4 -op linrec,linrec -t f32 --seed=2,3|-c 2 -op + -op *
--show-operator=sum -t f32|--show-operator ema:0.5|--show-operator=ema|--show-op=sum,max -l
--plot -op sum,max|--plot=x.svg --plo|--plot=|--plot --total|--plot=a -g 1 -f 2"""


def args_inputs(rng):
    """Command lines, with and without a device and POSIX's order, and first blocks of text and binary."""
    blocks = [b"", b"\xff\xff1 2 3\n", b"\xff\xff\0\1\2", b"\xff\xff\x93NUMPY", b"\xff\xffa,\"b\"\n1,2\n"]
    commands = COMMANDS.replace("\n", "|").split("|")
    for line in commands + [" ".join(rng.sample(commands, 2)) for _ in range(300)]:
        words = line.encode().replace(b" ", b"\0")
        for environment in range(4):
            last = rng.choice([b"\0cpu", b"\0none", b"\0"]) if environment & 1 else b""
            yield bytes([environment]) + words + last + rng.choice(blocks)


SNIFFED = [b"\x93NUMPY\1\0", b"\x28\xb5\x2f\xfd\0", b"\xfd7zXZ\0\0", b"BZh91AY", b"BZh91AY&SY\xff", b"BZh1\x17rE8P\x90", b"\4\"M\x18", b"SQLite format 3\0\x10",
           bytes(257) + b"ustar\x0000", bytes(257) + b"ustar  \0", "\ufeff1 \u20ac\n".encode("utf-16-be"),
           "\ufeff\U0001d11e7\n".encode("utf-16-le"), "12\n".encode("utf-16-le"), "12\n".encode("utf-16-be"),
           struct.pack("<6f", 1, 1e-16, -2e15, float("nan"), 0, 3e38), struct.pack("<4q", 1, 0, -2, 1 << 40),
           struct.pack("<70d", *(i / 100 for i in range(70))), b"PK\3\4\n", b"\x89HDF\r\n\x1a\n\0",
           b"PAR1\x15", "gr\u00fc\u00dfe 1\n\u20ac 2\n\U0001d11e 3\n".encode(), b"\xed\xa0\x80", b"\xc0\x80",
           b"\xf4\x90\x80\x80", b"\xe0\x9f\xbf", b"\xf0\x8f\xbf\xbf", b"\xf5\x80\x80\x80", b"\x7f", b"\x1b[0m",
           b"1\t2\v3\f4\r\n", b"\xef\xbb\xbf1\n", b"\0"]


def json_inputs(_rng):
    """Lines of JSON and logfmt."""
    for line in (b'{}', b'{"a":1}', b'{"a":{"b":[1,2.5e-3,{"b":null}]},"":{"b":true}}', b'{"a":[0,{"b":"x"}],"a":{"b":false}}',
                 b'{"\\u0061":"\\ud83d\\ude00\\ud83d","\xc3\xa9":-0,"a~/":"\\"\\\\\\/\\b"} ', b'{"a":01}', b'{"a":"' + b"x" * 70 + b'"}',
                 b'{"a":' + b"[" * 1030 + b"]" * 1030 + b"}", b'{"\\u00E9":"\xf0\x9f\x98\x80"}\r'):
        yield b"\1" + line
    for line in (b'a=1 b="x \\" y" c', b"a=", b"a", b'a="', b"=1", b'a="1"x b=2', b"a.b=1 a=2\ta=3"):
        yield b"\0" + line


def sniff_inputs(_rng):
    """Texts and magics, whole and cut."""
    for block in SNIFFED + TEXTS:
        for size in (len(block), len(block) - 1, len(block) - 2, len(block) // 2):
            yield block[:max(size, 0)]
            yield b"text " + block[:max(size, 0)]


def record_inputs(rng):
    """Every text under several rules, cut in several places."""
    for text in TEXTS:
        for rules in range(0, 64, 3):
            yield bytes([rules] + [rng.randrange(256) for _ in range(5)]) + text
            yield bytes([rules | 1] + [rng.randrange(256) for _ in range(5)]) + text * 4


def numbers_of(rng, kind):
    """The bytes of some numbers of a type."""
    if kind == "text":
        return b" ".join(rng.choice(NUMBERS[:28]).encode() for _ in range(20)) + b"\n"
    if kind in "fd":
        floats = [0.1, 1e-9, 3.5, -2.25, 1e30, -0.0, float("inf")]
        return struct.pack("<40" + kind, *[rng.choice(floats) for _ in range(40)])
    low, high = (-50, 50) if kind.islower() else (0, 100)
    return struct.pack("<40" + kind, *[rng.randrange(low, high) for _ in range(40)])


def format_inputs(rng):
    """Values under formats of every kind, and formats that are none."""
    formats = ["%f", "%.0f", "%e", "%.3E", "%g", "%#G", "%d", "%i", "%+d", "% 012.4f|", "%-20.10g|", "a%%b%.17ec%%", "%",
               "x", "%5", "%x", "%f%f", "%.f", "%.1000f", "%1001d", "%#.0e", "%020d", "%.30d", "%0-+ #8.2F", "%ld", "%*d"]
    for text in formats:
        for value in DOUBLES:
            yield b"\x08" + struct.pack("<d", value) + text.encode()
        for value in INTEGERS + [5 * 10**17, 25, 15]:
            yield b"\x08" + struct.pack("<Q", value) + text.encode()
        yield bytes([rng.randrange(9)]) + rng.randbytes(8) + text.encode()


DECIMALS = [b"0.125 3 -7.25 99\n", b"1 2 3 4 5 6 7 8\n", b"9000000000000000000 1\n", b"1.5 2 1e3 4 NA 6.125\n",
            b"170141183460469231731687303715884105727 0.5 -1\n", b"0 1e5 999999999999999999999 0 -1 0.5\n",
            b"27670116110564327423 -9223372036854775809 18446744073709551617 -170141183460469231731687303715884105728 3\n",
            b"-1 7 27670116110564327423 5\n"]


TABLES = [b"a,b,c\n1,2,3\n4,5,6\n", b'"a","a ""b""",size\r\n"1","2", "3"\r\n"4\n4","5" ,"6,7"\r\n',
          b"#x\na;b\n1;2\n#y\n;\n3;NA\n4;-5", b"size|b|c\n||\n1|0x10|2\n-|null|N/A\n", b'b,b\n1,2\n', b'b\n"1\n',
          b"x\ty\n1\t2\t3\n\n9223372036854775807\t1\n", b"b\n##\n1\n2", b'a "b",b\n1,"2"x\n', b"a b c\n1  2\n"]


def csv_inputs(rng):
    """Tables, sound and not, under many rules; long enough for several chunks, too."""
    for table in TABLES + TEXTS:
        for lines in range(0, 80, 5):
            options = [lines] + [rng.randrange(256) for _ in range(5)]
            yield bytes(options + [rng.choice([0, 1])]) + table
            yield bytes(options + [rng.choice([200, 255])]) + table
    for table in TABLES:
        for field in range(8):  # a result for every line, under every name and number
            for lines in range(3):
                yield bytes([lines, field | rng.choice([0, 8, 24, 32]), rng.choice([1, 2, 5]), 0x0d, 0, 0, 0]) + table


def lanes_inputs(rng):
    """Tables of several numbers a line, of which some are missing, none, or grow; few lines and many."""
    tokens = ["1", "-2", "0.5", "12.25", "-", "", "NA", "x", "1e3", "9223372036854775807", "99999999999999999999.125", "7" * 40]
    for delimiter in (" ", ",", ";", "  "):
        for lines in (1, 3, 20, 90):
            for _ in range(6):
                few = rng.sample(tokens, 4) + ["3", "4.5", "60"]
                rows = [delimiter.join(rng.choice(few) for _ in range(rng.randrange(1, 7))) for _ in range(lines)]
                options = [rng.randrange(256) for _ in range(4)]
                options[3] = (options[3] & ~3) | {",": 1, ";": 2}.get(delimiter, 0)
                yield bytes(options + [rng.randrange(256), rng.choice([0, 0, 5, 40])]) + "\n".join(rows).encode()


def segment_inputs(rng):
    """Keys, resets and windows: numbers alone, and lines of a number, a key and a word."""
    for how in (1, 2, 3, 12, 16, 25, 28, 64, 97, 99, 255):
        for window in (255, 255, *rng.sample(range(8), 2)):
            for mode in (0, 1, 2, 3):
                words = [b"%s %s %s" % (rng.choice(NUMBERS[:12] + ["7", "0", "NA"]).encode(), rng.choice([b"a", b"b", b"a,", b"c" * 9]),
                                        rng.choice([b"x", b"x", b"y"])) for _ in range(rng.choice([1, 9, 40]))]
                kind = rng.randrange(10)
                data = numbers_of(rng, "bBhHiIqQfd"[kind]) if mode == 0 else b"\n".join(words) + b"\n"
                options = [rng.randrange(256) for _ in range(2)] + ([rng.randrange(3)] if window == 255 else [])
                options += [rng.randrange(256), rng.choice([0, 0, 8, 41]), rng.randrange(256), rng.choice([0, 0, 20, 255])]
                yield bytes([16 + mode, rng.randrange(7), how, window, kind, 0] + options) + data


def pipeline_inputs(rng):
    """Numbers of every type under every operator, algorithm and way in; texts as numbers."""
    yield from segment_inputs(rng)
    for kind, letter in enumerate("bBhHiIqQfd"):
        for op in range(7):
            for algorithm in range(3):
                options = [rng.randrange(256) for _ in range(8)]
                options[0] &= 127
                yield bytes([0, op, kind] + options[:3] + [algorithm] + options[3:6] + [255]) + numbers_of(rng, letter)
    # The first result that does not fit is the last one of a chunk of 4096 bytes; perhaps there is more behind it.
    for mode, pattern in ((0, bytes(31) + b"\1"), (1, b"0 " * 15 + b"1 "), (1, b"0\n" * 15 + b"1\n")):
        for repeats in (126, 127, 128, 200):
            for flags in (0, 1, 3, 4, 17):
                running = [rng.randrange(3), rng.randrange(256)]
                yield bytes([mode, 0, 0, 0, flags, 255] + running + [rng.choice([0, 8, 40]), 0, repeats]) + pattern
                yield bytes([mode, 0, 0, 129, flags, 0] + running + [rng.randrange(256), 0, repeats]) + pattern
    for mode in (1, 2, 2, 2, 3):
        for op in range(7):
            for text in TEXTS + DECIMALS + [numbers_of(rng, "text")]:
                options = [rng.randrange(256) for _ in range(9)]
                yield bytes([mode, op] + options + [rng.choice([0, 40, 255])]) + text
    for repeats in (150, 200, 255):  # a chunk that begins within a line with what begins a comment
        for source in (0, 1, 8, 40, 9):
            running = [rng.randrange(3), rng.randrange(256) & ~12]
            yield bytes([13, 0, 6, 0, 0, 255] + running + [source, 12, repeats]) + b"0 1" + b" 1" * 14 + b" 0 "
    for comment in range(1, 4):  # lines of very many numbers, and tokens that begin as a comment does
        for text in (b"1 " * 30 + b"#2\n", b"# 1 2\n3 #4 5\n", b"12 11 1\n1 2\n", b" ##\n2\n## 7\r\n3" + b" 5" * 50):
            for repeats in (0, 200, 201, 255):
                yield bytes([1 + rng.randrange(3) + 4 * comment, 0, 6] + [rng.randrange(256) for _ in range(6)]
                            + [rng.randrange(256) | 12, rng.randrange(256), repeats]) + text


PROGRAM = (b"typedef struct { double a; int b[N]; } state;", b"state lift(double x, ulong i)", b"{ state s = {x}; return s; }",
           b"static state combine(const state a, state b)", b"{ return a; }", b"struct r { float f; ulong n; };",
           b"struct r emit(state s, double x)", b"{ struct r r = {s.a}; return r; }", b"state identity(void)", b"{ }",
           b"typedef double carry;", b"carry carry_first(state total)", b"{ return total.a; }",
           b"carry carry_add(carry before, state total)", b"{ return before + total.a; }", b"state carry_prefix(const carry before)",
           b"{ state s = {before}; return s; }")


def declarations_inputs(rng):
    """Programs and parts of them, and words of the target's vocabulary."""
    for first in range(len(PROGRAM)):
        yield b"\0#define N 4\n" + b"\n".join(PROGRAM[first:])
        yield b"\0" + b" /* */ ".join(part for part in PROGRAM if part is not PROGRAM[first])
    for _ in range(50):
        yield b"\1" + bytes(rng.randrange(256) for _ in range(rng.randrange(1, 60)))


EXPRESSIONS = (b"a*b % 1000003", b"a != 0 ? b / a : -1", b"(a && b % a) || !{x y}", b"fma(a, b, 0.5f) - floor(a * 1e3)", b"(int)a >> 2 & ~3",
               b"max(a, min(b, abs({x y})))", b"a > 0.5 ? round(a * b) - 0.19 : -b", b"sqrt(a / b) + isnan(a)", b"1 ? 2 : 3 ? 4 : 5", b"((((a))))",
               b"(double)a / 3u + (uchar)i", b"i % 3 ? (float)(b * .25f) : 0x7FuL - {x y}", b"hypot(a, b) < pow(2, log2(b)) && ~(long)i >> 1")


def expression_inputs(rng):
    """Expressions for every type, and words of the target's vocabulary."""
    for kind, way in itertools.product(range(11), (0, 4)):
        for text in EXPRESSIONS:
            yield bytes((kind, way)) + text
    for _ in range(100):
        yield bytes((rng.randrange(11), rng.choice((1, 5)))) + bytes(rng.randrange(256) for _ in range(rng.randrange(1, 40)))


def npy_inputs(rng):
    """Headers as they are, and words of the target's vocabulary."""
    for version, width in ((1, 2), (2, 4), (3, 4)):
        for descr, shape in (("<f4", "(3,)"), (">i8", "()"), ("|u1", "(2, 0, 5)")):
            text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(117) + b"\n"
            yield b"\0\x93NUMPY" + bytes((version, 0)) + len(text).to_bytes(width, "little") + text
    for _ in range(50):
        yield bytes((rng.randrange(1, 4),)) + bytes(rng.randrange(256) for _ in range(rng.randrange(1, 40)))


def state_inputs(rng):
    """Every scan after some lines: as it was left, and changed in one place or in a few; and what is no state."""
    for scan in range(19):
        for lines in (0, 1, 9, 40):
            yield bytes((scan, lines))
            for changes in (1, 1, 2, 5):
                yield bytes((scan, lines)) + b"".join(bytes((rng.randrange(256), rng.randrange(256), 0, rng.randrange(256))) for _ in range(changes))
        yield bytes((scan, 200)) + bytes(40)


INPUTS = {
    "args": args_inputs, "csv": csv_inputs, "declarations": declarations_inputs, "decode": decode_inputs, "expression": expression_inputs, "format": format_inputs,
    "frames": frames_inputs, "gzip": gzip_inputs, "json": json_inputs,
    "lanes": lanes_inputs, "npy": npy_inputs, "number": number_inputs,
    "pipeline": pipeline_inputs, "record": record_inputs, "scan": scan_inputs, "sniff": sniff_inputs, "state": state_inputs,
}
WORDS = {
    "state": ["\\x00\\x00\\x00\\x00", "\\xff\\xff\\x00\\xff", "\\x80\\x10\\x00\\x01", "\\x05\\x20\\x00\\xff"],
    "number": ["0x", "inf", "infinity", "nan", "e-", "e+", "E", ".", "00000000", "99999999",
               "9007199254740993", "e308", "e-324"],
    "decode": ["NA", "N/A", "null", "-", ",", r'\"', r'\"\"', "#", "\\x0d\\x0a", "\\x0a", "\\x09", " ", "1.5", "-7", "1e3",
               "inf", "0x1f", "99999999999", "e-18", "9223372036854775807", ".25", "nan", "-NaN", "#N/A", "none", "nil", "\\x5cN"],
    "scan": ["00000000", "99999999", "\\x0a", " ", ".", "-", "+", "e-5", "9223372036854775807", "18446744073709551615"],
    "args": ["-op", "-op=", "--", "-", "\\x00", "\\xff\\xff", "--seed=", "--missing=", "--missing-marks=", "--nan=", "--comment=", "--as=", "--header=",
             "--format=", "--output-format=", "--chunk-size=", "--algorithm=", "--show-operator=", "-f", "-d", "-t", "-F%", "-T", "text",
             "binary", "sequential", "none", "keep", "wrap", "max", "18446744073709551616"],
    "declarations": ["typedef", "struct", "state", "lift", "combine", "emit", "identity", "carry", "carry_first", "carry_add", "carry_prefix", "double", "ulong i", "ulong n", "/*", "*/",
                     "//", "#define N 3", "\\x5c\\x0a", "__attribute__((packed))", "unsigned"],
    "expression": ["abs(", "min(", "round(", "fma(", "(int)", "(ulong)", "{x y}", "? 1 :", "&&", "||", "<<", "% 3", "0x1p3", "1e-5", "ul", "M_PI"],
    "sniff": ["\\xed\\xa0", "\\xe0\\x80", "\\xf0\\x80", "\\xf4\\x90", "\\xc1\\xbf", "\\xef\\xbb\\xbf", "NUMPY", "7zXZ", "HDF",
              "PAR1"],
    "record": ["\\x0d\\x0a", "\\x0a", r'\"', r'\"\"', ",", r',\"', r'\",', "#", "##", " ", "\\x09"],
    "csv": ["\\x0d\\x0a", "\\x0a", r'\"', r'\"\"', r',\"', r'\",', ",", ";", "\\x09", "|", "#", "##", "a", "b", "size",
            r'a \"\"b\"\"', "NA", "-", "null", "12", "-7", "9223372036854775807"],
    "lanes": ["NA", "-", "null", "\\x0a", " ", "\\x09", ",", ";", "0.5", "-7", "1e3", "9223372036854775807",
              "170141183460469231731687303715884105727", "0.000000000000000001"],
    "pipeline": ["9223372036854775807", "170141183460469231731687303715884105727", "0.000000000000000001", "1e308",
                 "inf", "nan", "-0", "NA", "-", "null", " ", "\\x0a", "\\x00\\x00\\x80\\x7f", "\\xff\\xff\\xff\\x7f"],
    "json": [r'\"', r'\"a\"', r'\"b\"', r'\"\":', "\\x5cu00", "\\x5cud83d", "\\x5cude00", "null", "true", "{", "}", "[", "]", ",", ":", "e-5",
             "\\xc3\\xa9", "\\xed\\xa0\\x80", " ", "a=", "a.b="],
    "npy": ["\\x93NUMPY", "{", "}", "'descr'", "'fortran_order'", "'shape'", "True", "False", "(3,)", "<f4", "18446744073709551616"],
    "format": ["%", "%%", "%.", "%0", "%-", "%+", "%#", "f", "e", "g", "d", ".17", "1000", "1001"],
    "frames": ["\\x28\\xb5\\x2f\\xfd", "\\x04\\x22\\x4d\\x18", "\\x50\\x2a\\x4d\\x18", "\\xfd7zXZ\\x00", "BZh11AY&SY", "\\x00\\x00\\x00\\x00"],
    "gzip": ["\\x1f\\x8b\\x08", "\\x00\\x00\\xff\\xff", "\\x01\\x00\\x00\\xff\\xff", "\\x03\\x00"],
}


def main():
    """Writes the inputs, numbered."""
    target, directory = sys.argv[1:]
    os.makedirs(directory, exist_ok=True)
    for index, data in enumerate(INPUTS[target](random.Random(target))):
        with open(os.path.join(directory, f"seed-{index:04}"), "wb") as file:
            file.write(data)
    with open(directory + ".dict", "w", encoding="ascii") as file:
        for word in WORDS[target]:
            print(f'"{word}"', file=file)


if __name__ == "__main__":
    main()
