"""Random log lines with quotes and brackets, scanned by pscan --log and by the regular expression below. Every byte
must be equal.

    logs.py PSCAN SEED COUNT

Prints the number of cases.
"""
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

NAMES = ["host", "ident", "user", "time", "request", "status", "bytes", "referer", "agent"]
# What closes must be followed by a blank or the end; else what follows belongs to the field, which then has its quotes.
FIELD = re.compile(r'"(?P<quoted>(?:[^"\\]|\\.)*)"(?![^ \t])|\[(?P<bracketed>[^]]*)\](?![^ \t])'
                   r'|"(?:[^"\\]|\\.)*"[^ \t]+|\[[^]]*\][^ \t]+|["[].*|[^ \t]+')


def random_field(rng, is_number):
    """A field's text as it stands in the line."""
    if is_number and rng.random() < 0.9:
        text = str(rng.randint(-99, 99999))
        return rng.choice([text, text, text, f'"{text}"', f"[{text}]", f'" {text}\t"'])
    if is_number and rng.random() < 0.7:
        return rng.choice(["-", '"-"', '""', "[]"])
    word = rng.choice(["a", "GET /x HTTP/1.0", "10/Oct/2000:13:55:36 -0700", "Mozilla/4.08 [en] (Win98; I ;Nav)", "é", "x" * 70,
                       "", "] [", "a, b"])
    escaped = word + rng.choice(["", r"\"", r"\\", r"\"x\" y", r"\\\"", r"\a"])
    kind = rng.random()
    if kind < 0.4:
        return f'"{escaped}"'
    if kind < 0.6:
        return "[" + word.replace("]", ")") + "]"
    if kind < 0.65:
        return rng.choice([f'"{escaped}"x', "[1]2", '"1"2', '""""', '"a"b"', "[]]"])
    return rng.choice(["a", 'b"c', "d[e f]".split()[0], "\\", "-", 'x"'])


def random_place(rng, place, number):
    """A field for its place from 0 on: mostly what the format has there."""
    if place in (3, 4) and rng.random() < 0.9:
        word = rng.choice([str(rng.randint(0, 99)), "10/Oct/2000:13:55:36 -0700", "a b"])
        return f"[{word}]" if place == 3 else f'"{word}"'
    if place == 5 and rng.random() < 0.9:
        return rng.choice(["200", "404", "000", '"301"', "-", "20", "2000", "2x0"] if rng.random() < 0.3 else ["200", "503"])
    if place == 6 and rng.random() < 0.8:
        return rng.choice(["-", "0", str(rng.randint(0, 99999))])
    if place in (7, 8) and rng.random() < 0.8:
        return f'"{rng.randint(-9, 999)}"' if place + 1 == number else '"http://x/ y"'
    return random_field(rng, place + 1 == number)


def random_line(rng, number):
    """A line with a number perhaps in the field of that number."""
    count = rng.randint(0, 10) if rng.random() < 0.2 else rng.randint(number, number + 3)
    line = rng.choice(["", "", " "])
    line += rng.choice([" ", " ", "  ", "\t"]).join(random_place(rng, i, number) for i in range(count))
    return line + rng.choice(["", "", "", " ", ' "open', " [open x"] if count else [""])


def said(match):
    """What a field says: without quotes or brackets, and the blanks around it."""
    token = match["quoted"] if match["quoted"] is not None else match["bracketed"]
    return (match[0] if token is None else token).strip(" \t")


def is_unlike(fields, number):
    """Whether some field up to this one, or the status, is not what a log has there."""
    if len(fields) < max(6, min(7, number)):
        return True
    good = [fields[3]["bracketed"] is not None, fields[4]["quoted"] is not None,
            re.fullmatch("-|[0-9]{3}", said(fields[5]))]
    good += [re.fullmatch("-|[0-9]+", said(field)) for field in fields[6:7]]
    good += [field["quoted"] is not None for field in fields[7:]]
    return not all(good[:max(6, number) - 3])


def wanted(lines, number, how, named):
    """What pscan is to write, the total so far in how's place. Fields of names are where the format has them."""
    total = 0
    for line, end in lines:
        fields = list(FIELD.finditer(line))
        if not fields:
            if how:
                yield line + end
            continue
        token = ""
        if number <= len(fields):
            match = fields[number - 1]
            token = said(match)
        if named and is_unlike(fields, number):
            token = ""
        result = None
        if re.fullmatch(r"-?[0-9]+", token):
            total += int(token)
            result = str(total)
        if not how:
            if result is not None:
                yield result + "\n"
        elif how == "-a":
            yield f"{line} {result or ''}{end}"
        elif result is None:
            yield line + end
        else:
            yield line[:match.start()] + result + line[match.end():] + end


def run_case(pscan, rng, folder):
    """One case; returns what failed, or None."""
    number = rng.randint(1, len(NAMES))
    end = rng.choice(["\n", "\n", "\r\n"])
    lines = [(random_line(rng, number), end) for _ in range(rng.choice([5, 50, 800]))]
    how = rng.choice(["", "-a", "--replace"])
    path = folder / "log"
    path.write_bytes("".join(line + end for line, end in lines).encode())
    for running in (["-T", "1"], ["--chunk-size=1", "-T", "3"]):
        named = rng.random() < 0.5
        want = "".join(wanted(lines, number, how, named)).encode()
        command = [pscan, "-D", "none", "--log", "-f", NAMES[number - 1] if named else str(number), "--missing=skip",
                   "--invalid=ignore", *running, *([how] if how else []), str(path)]
        done = subprocess.run(command, capture_output=True, timeout=1200, check=False)
        if done.returncode != 0 or done.stdout != want or done.stderr:
            at = next((k for k, (a, b) in enumerate(zip(want, done.stdout)) if a != b), min(len(want), len(done.stdout)))
            near = slice(max(0, at - 80), at + 60)
            return (f"{' '.join(command)}: exit {done.returncode}, {done.stderr[:200]!r}, byte {at}: "
                    f"want {want[near]!r}, got {done.stdout[near]!r}")
    return None


def main():
    """Runs the cases."""
    pscan, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for i in range(count):
        with tempfile.TemporaryDirectory() as folder:
            failure = run_case(pscan, random.Random(seed * 1000003 + i), Path(folder))
        if failure is not None:
            sys.exit(f"case {i}: {failure}")
    print(count, "cases")


if __name__ == "__main__":
    main()
