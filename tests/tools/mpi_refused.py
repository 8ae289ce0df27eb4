#!/usr/bin/env python3
"""What ranks of MPI refuse, with status 2 and a message, before anything is written; that their messages are those of
one process; and what --stats reports of the data they send.

Usage: mpi_refused.py. PSCAN and PSCAN_MPI: the programs.
"""
import gzip
import itertools
import os
import random
import re
import struct
import subprocess
import tempfile

from mpi_cases import ENVIRONMENT, JOBS, LAUNCH, PSCAN, PSCAN_MPI, bgzf, end, outcome, side_by_side

# BGZF that is cut off, or followed by something; a wrong size of the first member, of the second, and a whole file
# without the empty member at its end.
DAMAGED = ["CUT", "CUTEND", "CUTHEADER", "PADDED", "FOLLOWED", "APPENDED", "WRONGSIZE", "LATERSIZE", "NOEND"]
# Options, and the words that say what is not done; IN is a file of f32, TEXT, GZIP and PIPE are what they say.
REFUSED = [
    ("-f 1 -g 2 -t f64 -o OUT TEXT", "-g and sum of f64 with MPI: not supported yet"),
    ("-f 1 -g 2 -op max,var -o OUT TEXT", "-g and var of f64 with MPI: not supported yet"),
    ("-f 1 -g 2 -op drawdown -o OUT TEXT", "-g and drawdown of num with MPI: not supported yet"),
    ("-f 1 -g 2 -t i64 -op count,range -o OUT TEXT", "-g and range of i64 with MPI: not supported yet"),
    ("-f 1 -g 2 -op a+b -o OUT TEXT", "-g and operators of your own with MPI: not supported yet"),
    ("-f 1 -g 2 --reset-every=3 -o OUT TEXT", "-g and --reset-every, --reset-on or --reset-gap with MPI: not supported yet"),
    ("-f 1 -g 2 --reset-on=2 -o OUT TEXT", "-g and --reset-every, --reset-on or --reset-gap with MPI: not supported yet"),
    ("-f 1 -g 2 --missing=hold -o OUT TEXT", "-g and --missing=keep or hold, or --nan=keep or hold with MPI: not supported yet"),
    ("-f 1 -g 2 --total TEXT", "with MPI results cannot go to standard output"),
    ("-f 1 -g 2 --window=3 -o OUT TEXT", "--window with MPI: not supported yet"),
    ("-t f32 --window=7 -o OUT IN", "--window with MPI: not supported yet"),
    ("-t f32 -op sum,lag:2 -o OUT IN", "lag:N and delta:N with MPI: not supported yet"),
    ("-op distinct -o OUT TEXT", "distinct with MPI: not supported yet"),
    ("-f 1 --reset-on=2:day -o OUT TEXT", "units of time with MPI: not supported yet"),
    ("-f 1 --window=2:1h -o OUT TEXT", "--window with MPI: not supported yet"),
    ("-f 1 --accept=duration -o OUT TEXT", "--accept=duration with MPI: not supported yet"),
    ("-f 1 --accept=time -o OUT TEXT", "--accept=time with MPI: not supported yet"),
    ("-t f32 -r -o OUT IN", "--reverse with MPI: not supported yet"),
    ("-t f32 --state=STATE -o OUT IN", "--state with MPI: not supported yet"),
    ("-t f32 --reset-every=3 --total IN", "with MPI results cannot go to standard output"),
    ("-t f32 --emit=s/t -o OUT IN", "t in --emit with MPI: not supported yet"),
    ("-t f32 --skip-bytes=4 -o OUT IN", "--skip-bytes with MPI: not supported yet"),
    ("-t f32 -z -o OUT IN", "compressed output with MPI: not supported yet"),
    ("-t f32 -D cpu -op a+b --min-count=2 -o OUT IN", "operators of your own and --min-count or --fill-limit with MPI: not supported yet"),
    ("-f 1 --missing=hold --reset-every=3 -o OUT TEXT", "--missing=keep and hold with --reset-every with MPI: not supported yet"),
    ("-f 1 --missing=keep --reset-at=missing -o OUT TEXT", "--reset-at=missing with MPI: not supported yet"),
    ("-t f32 -D cpu -op a*b --nan=hold -o OUT NANS", "--nan=keep and hold with operators of your own with MPI: not supported yet"),
    ("-t f32 -D cpu -op sum --map=x+i --nan=hold -o OUT NANS", "i in --map, --emit and programs when records without a number are written with MPI: not supported yet"),
    ("-t f32 --algorithm=sequential -o OUT IN", "--algorithm=sequential with MPI: not supported yet"),
    ("-t f32 --progress -o OUT IN", "--progress with MPI: not supported yet"),
    ("-t f32 --trace=TRACE -o OUT IN", "--trace with MPI: not supported yet"),
    ("-t f32 --plot -o OUT IN", "--plot with MPI: not supported yet"),
    ("-t i64 -D cpu --overflow=wrap -op a+b -o OUT TEXT", "operators of your own on text with MPI: not supported yet"),
    ("-t f64 -D cpu --map=x*i --total TEXT", "operators of your own on text with MPI: not supported yet"),
    ("-o /dev/null TEXT", "MPI needs a regular file"),
    ("-o OUT GZIP", "compressed input with MPI: not supported yet, but from bgzip"),
    ("-t f32 -o OUT IN GZIP", "compressed input with MPI: not supported yet, but from bgzip"),
    ("-t f64 --output-format=npy -o OUT TEXT", ".npy whose number of results is known only at the end with MPI: not supported yet"),
    ("--reset-at=3 --total -o OUT ARRAY", ".npy whose number of results is known only at the end with MPI: not supported yet"),
    ("-o OUT PACKEDARRAY", "compressed npy with MPI: not supported yet"),
    ("-t f32 -o OUT PIPE", "MPI needs a regular file"),
    ("-t f32 -o OUT", "with MPI standard input cannot be read"),
    ("-t f32 IN", "with MPI results cannot go to standard output"),
    ("-t f32 -o /dev/null IN", "MPI needs a regular file"),
]
# The same as one process's, on every number of ranks.
ALIKE = [
    "-t f32 --total IN",
    "-t f32 -op max,mean --total IN IN",
    "-t f32 -o OUT nothing",
    "-t f32 -o OUT nowhere/out IN",
    "-t f32 -o nowhere/out IN",
    "-t f32 -o OUT EMPTY",
    "-t f32 --include-initial -o OUT EMPTY",
    "-t f32 --total -op delta EMPTY",
    "-t i8 -o OUT IN",
    "-t f32 --reset-every=1000 -e --seed=1 -o OUT IN",
    "-t f32 --reset-every=5000 -op sum,argmax -o OUT IN",
    "-t i32 -D cpu --overflow=wrap -op a*b%1000003 -o OUT IN",
    "-t i64 -D cpu --overflow=wrap --map=x*i -e -o OUT IN",
    "-t f32 -D cpu --emit=s/n -op max -o OUT IN",
    "-t f32 -D nothing -op a*b -o OUT IN",
    "-t i8 --format=binary -o OUT LATE",
    "-t f32 -o OUT IN ARRAY",
    "-t f32 -o OUT PACKED",
    "-t i8 --format=binary -e -o OUT ZEROS LATE",
    "-t f32 -q --bad",
    "-t f32 --nan=hold -op sum,max -o OUT NANS",
    "--missing=hold --fill-limit=1 --min-count=700 -op sum,mean,max -o OUT HELD",
    "--missing=keep --min-count=1590 -op last --total -o OUT HELD",
    "-t f32 --nan=hold --fill-limit=3 --min-count=20000 -op sum,drawdown -o OUT NANS",
    "-t f32 -op argmax,max --nan=hold --output-format=text -o OUT NANS",
    "--missing=keep -op argmax,argmin -o OUT HELD",
    # Exact decimals of any kind, also where they end.
    "-op drawdown -o OUT TEXT",
    "-o OUT INEXACT",
    # What does not fit is shown by a record without a number alone, perhaps another rank's.
    "-t i8 -e --missing=hold -o OUT HELD",
    "-t i16 -e --missing=hold -op sum,prod -o OUT HELD",
    # Messages number the tokens, those without a number too, whatever ranks they belong to.
    "-t i8 --missing=keep -o OUT HELD",
    "-t i8 --missing=hold -o OUT HELD",
    "-t f32 -D cpu -op a+b --nan=hold --reset-every=1000 -o OUT NANS",
    "-t f32 --nan=keep -c 2 -e -op sum,delta -o OUT NANS",
    "-t f32 --nan=keep --total -op mean NANS NANS",
    "-t f32 --nan=7 -o OUT NANS",
    "-t f32 --nan=fail -o OUT NANS",
    "-o OUT ARRAY",
    "--axis=0 --include-initial -o OUT ARRAY ARRAY",
    "--axis=-1 --total -o OUT ARRAY ARRAY",
    "-op mean --total ARRAY",
    "--output-format=text -o OUT ARRAY TORNARRAY ARRAY",
    "-o OUT TORNARRAY",
    "-o OUT ARRAY LONGARRAY",
    "-t f32 --format=binary --output-format=npy -o OUT IN",
    "-t f32 -o OUT DIRECTORY",
    "-t f32 -o OUT IN DIRECTORY",
    *(f"-t f64 -o OUT TEXT {name} TEXT" for name in DAMAGED),
    *(f"-t u8 --format=binary --overflow=wrap -o OUT {name}" for name in DAMAGED[:4]),
    "--version",
    "--list-operators",
]


def words(template, directory):
    """A command line with the files' names."""
    return [os.path.join(directory, word) if word.isupper() and word[0] != "-" else re.sub(r"=([A-Z]+)$", "=" + directory + r"/\1", word) for word in template.split()]


def launch(ranks):
    return [*LAUNCH, "-n", str(ranks), PSCAN_MPI]


def refusals(directory, first):
    """Returns what is wrong with every JOBS-th case."""
    output = os.path.join(directory, "OUT")
    before = sorted(os.listdir(directory))
    for template, wanted in REFUSED[first::JOBS]:
        code, messages, out, content = outcome([*launch(2), *words(template, directory)], output)
        advice = "(run pscan without mpirun; see LIMITS in man pscan-mpi)" if "not supported yet" in wanted else ""
        if code != 2 or len(messages) != 1 or wanted not in messages[0] or advice not in messages[0] or out or content is not None:
            yield f"{template}: {code} {messages}"
        if sorted(os.listdir(directory)) != before:
            yield f"{template}: it left {os.listdir(directory)}"


def differences(directory, first):
    """Where several ranks do not say what one process does, of every JOBS-th of these."""
    output = os.path.join(directory, "OUT")
    for number, template in list(enumerate(ALIKE))[first::JOBS]:
        ranks = 3 if "-D" in template else 2 + number % 2  # so that a slice in the middle has several tiles
        wanted = outcome([PSCAN, *words(template, directory)], output)
        got = outcome([*launch(ranks), *words(template, directory)], output)
        if wanted != got:
            yield f"{template}: {ranks} ranks: {got[:3]}, not {wanted[:3]}"


def sent(directory, ranks, elements):
    """Messages and bytes that --stats tells of."""
    source = os.path.join(directory, "IN")
    with open(source, "wb") as file:
        file.truncate(4 * elements)
    done = subprocess.run([*launch(ranks), "-t", "f32", "--stats", "-o", os.path.join(directory, "OUT"), source], capture_output=True, check=True, env=ENVIRONMENT)
    shown = re.search(rb"^(\d+) ranks: (\d+) messages, (\d+) bytes$", done.stderr, re.MULTILINE)
    if int(shown[1]) != ranks:
        raise ValueError(done.stderr)
    return int(shown[2]), int(shown[3])


def growth(directory):
    """Checks that the messages' bytes grow with the ranks and not with the elements."""
    few = sent(directory, 2, 20 * 4096)
    many = sent(directory, 2, 2000 * 4096 + 5)
    more_ranks = sent(directory, 4, 20 * 4096)
    if few[0] != many[0] or abs(few[1] - many[1]) > 64:
        yield f"2 ranks send {few} for 20 tiles and {many} for 2000"
    if not few[0] < more_ranks[0] <= 3 * few[0]:
        yield f"2 ranks send {few}, 4 ranks {more_ranks}"


def no_cache(directory):
    """Where kernels are kept nowhere, each pass of a rank goes on with the drivers and the directory of the one before.
    """
    output = os.path.join(directory, "OUT")
    template = "-t i32 -D cpu --overflow=wrap -op a*b+1 -o OUT IN"
    wanted = outcome([PSCAN, *words(template, directory)], output)
    with tempfile.TemporaryDirectory() as temporary:
        got = outcome(["env", "XDG_CACHE_HOME=/dev/null", "HOME=/dev/null", "TMPDIR=" + temporary, *launch(2), *words(template, directory)], output)
        left = [name for name in os.listdir(temporary) if name.startswith("pscan-")]
    if wanted != got or left:
        yield f"{template} without a cache: {got[:3]}, not {wanted[:3]}; left {left}"


def write_files(directory):
    """What the templates name."""
    for name, content in (("IN", bytes(range(1, 101)) * 9000), ("TEXT", b"1 2\n3 4\n"), ("GZIP", gzip.compress(bytes(4096))), ("EMPTY", b""),
                          ("ZEROS", bytes(10000)), ("LATE", bytes(30000) + b"\x7f\x01" + bytes(9000)), ("HELD", b"".join(b"-\n" if i % 3 == 2 else b"%d\n" % (100 * (i > 2000)) for i in range(2400))), ("NANS", struct.pack("<100000f", *(float("nan") if i % 1013 == 7 or 40000 < i < 45000 else i % 97 + i / 1e5 for i in range(100000)))),
                          ("INEXACT", b"0.0000000000001\n1" + bytes(30).replace(b"\0", b"0") + b"\n" + b"1\n" * 99)):
        with open(os.path.join(directory, name), "wb") as file:
            file.write(content)
    whole = bgzf("".join(f"{i % 89}.{i * i % 997}\n" for i in range(60000)).encode(), random.Random(1))
    second = int.from_bytes(whole[16:18], "little") + 1
    for name, content in zip(DAMAGED, (whole[:-5000], whole[:-29], whole[:11], whole + bytes(600), whole + b"words\n",
                                       whole + gzip.compress(b"5\n6\n"), whole[:16] + b"\7" + whole[17:], whole[:second + 16] + b"\7" + whole[second + 17:], whole[:-28])):
        with open(os.path.join(directory, name), "wb") as file:
            file.write(content)
    with open(os.path.join(directory, "PACKED"), "wb") as file:
        file.write(bgzf(bytes(range(1, 101)) * 9000, random.Random(2)))
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (20000, 3), }".ljust(117) + "\n"
    array = b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() + struct.pack("<60000f", *(i % 97 + i / 1e5 for i in range(60000)))
    for name, content in (("ARRAY", array), ("TORNARRAY", array[:-70001]), ("LONGARRAY", array + b"more"), ("PACKEDARRAY", gzip.compress(array))):
        with open(os.path.join(directory, name), "wb") as file:
            file.write(content)
    os.mkdir(os.path.join(directory, "DIRECTORY"))
    os.mkfifo(os.path.join(directory, "PIPE"))


def share(first):
    """Returns what is wrong with a share of all cases, run in a directory of its own."""
    with tempfile.TemporaryDirectory() as directory:
        write_files(directory)
        others = itertools.chain.from_iterable(part(directory) for part in (growth, no_cache)[first::JOBS])
        return [*refusals(directory, first), *differences(directory, first), *others]


def main():
    end(itertools.chain.from_iterable(side_by_side(share, range(JOBS))), len(REFUSED) + len(ALIKE) + 4)


if __name__ == "__main__":
    main()
