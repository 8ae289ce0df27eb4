"""Random lines of JSON, scanned by pscan --json and by Python: its json module says which lines are objects and what
they contain, and the reader below finds where a value stands. Every byte must be equal.

    json_lines.py PSCAN SEED COUNT

Prints the number of cases.
"""
import gzip
import json
import random
import re
import subprocess
import sys
import tempfile
from decimal import Decimal
from pathlib import Path

NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
BLANKS = re.compile(r"[ \t\r]*")
MARKS = ["", "-", "NA", "N/A", "#N/A", "null", "none", "nil", "\\N", "nan"]
FIELDS = [("a", ["a"]), ("b", ["b"]), ("c.d", ["c", "d"]), ("/c/d", ["c", "d"]), ("/e/1", ["e", "1"]), ("e.0.a", ["e", "0", "a"]),
          ("/x.y", ["x.y"]), ("/m~1~0", ["m/~"]), ("\u00e9", ["\u00e9"]), ("\U0001f600", ["\U0001f600"])]


class Value:
    """A value of a line: what it says and where it stands. Members and elements are a dictionary by their names."""

    def __init__(self, text, at):
        self.begin = at
        self.within = {}
        self.tail = at + 1
        if text[at] == "{" or text[at] == "[":
            self.end = self.read_container(text, at)
        else:
            kind = STRING if text[at] == '"' else re.compile("[a-z]+|" + NUMBER.pattern)
            self.end = kind.match(text, at).end()
        self.text = text[self.begin:self.end]

    def read_container(self, text, at):
        """Its members, of one name the last; tail becomes the end of the last one."""
        is_object = text[at] == "{"
        at = BLANKS.match(text, at + 1).end()
        index = 0
        while text[at] not in "]}":
            name = str(index)
            if is_object:
                match = STRING.match(text, at)
                name = json.loads(match.group())
                at = BLANKS.match(text, match.end()).end()
                at = BLANKS.match(text, at + 1).end()
            value = Value(text, at)
            self.within[name] = value
            self.tail = value.end
            at = BLANKS.match(text, value.end).end()
            at = BLANKS.match(text, at + 1).end() if text[at] == "," else at
            index += 1
        return at + 1

    def find(self, path):
        """The value that a path leads to, or None."""
        return self if not path else self.within[path[0]].find(path[1:]) if path[0] in self.within else None


def read(line):
    """Returns the object of a line, or None if the line is not an object."""
    def refuse(_word):
        raise ValueError

    try:
        text = line.decode("utf-8")
        if not isinstance(json.loads(text, parse_constant=refuse), dict):
            return None
    except (ValueError, RecursionError):
        return None
    return Value(text, BLANKS.match(text).end())


# --- Random lines


def random_string(rng, text):
    """A text as a string, some of its characters escaped."""
    out = ""
    for c in text:
        units = c.encode("utf-16-be", "surrogatepass")
        escape = "".join(f"\\u{units[i:i + 2].hex()}" for i in range(0, len(units), 2))
        if c in '"\\' or c < " " or rng.random() < 0.05:
            out += rng.choice([escape, escape.upper().replace("\\U", "\\u")])
        elif c == "/" and rng.random() < 0.5:
            out += "\\/"
        else:
            out += c
    return f'"{out}"'


def random_number(rng):
    """A number without an exponent."""
    return rng.choice([str(rng.randint(-99, 999)), f"{rng.randint(-9, 99)}.{rng.randint(0, 99):02}", "-0", "0", "0.5",
                       str(rng.randint(0, 10**12))])


def random_junk(rng, depth=0):
    """Any value."""
    kind = rng.randrange(9 if depth < 4 else 6)
    if kind == 0:
        return rng.choice(["true", "false", "null"])
    if kind < 3:
        return random_number(rng)
    if kind < 6:
        return random_string(rng, rng.choice(["", "h1", "x" * rng.randint(0, 40), "a\nb\t\x01", "\u20ac/\u00e9", "\U0001f600\"", "{[,:]}",
                                              "\ud83d", "\x7f"]))
    blank = rng.choice(["", " ", "\t"])
    items = [random_junk(rng, depth + 1) for _ in range(rng.randint(0, 3))]
    if kind == 6:
        return f"[{blank}" + f"{blank},".join(items) + "]"
    return "{" + f",{blank}".join(f"{random_string(rng, rng.choice('abcd'))}:{item}" for item in items) + blank + "}"


def random_value(rng):
    """Returns a random value: mostly a number, perhaps in a string, or something else."""
    kind = rng.random()
    if kind < 0.7:
        return random_number(rng)
    if kind < 0.8:
        return random_string(rng, random_number(rng))
    if kind < 0.9:
        return rng.choice(["null", "null", random_string(rng, rng.choice(MARKS[:-1]))])
    return random_junk(rng)


def random_member(rng):
    """A member that may be looked for, or another."""
    path = rng.choice(FIELDS)[1] if rng.random() < 0.8 else ["other"]
    if path == ["other"] and rng.random() < 0.5:
        return random_string(rng, "other") + ":" + rng.choice(["1e5", "-0.0E-3", "1E+2"])
    if rng.random() < 0.3:
        return random_string(rng, "k") + ":" + rng.choice([random_string(rng, f"h{rng.randint(0, 3)}"), str(rng.randint(0, 2)), '"1"', "null"])
    value = random_value(rng)
    for name in reversed(path[1:]):
        if path[0] == "e":
            value = "{" + random_string(rng, name) + ":" + value + "}" if name == "a" else f"[{value},{random_value(rng)}]"
        else:
            value = "{" + rng.choice(["", '"z":[],']) + random_string(rng, name) + ":" + value + "}"
    blank = rng.choice(["", "", " "])
    return random_string(rng, path[0]) + f"{blank}:{blank}{value}{blank}"


def random_line(rng, damage):
    """An object mostly."""
    line = "{" + rng.choice(["", "", " "])
    line += rng.choice([",", ",", ", "]).join(random_member(rng) for _ in range(rng.choice([0, 1, 2, 3, 3, 4, 5, 9]))) + "}"
    line = bytearray(line.encode("utf-8", "surrogatepass"))
    if rng.random() < damage:
        for _ in range(rng.randint(1, 2)):
            at = rng.randrange(len(line))
            change = rng.randrange(3)
            if change == 0:
                del line[at]
            elif change == 1:
                line.insert(at, rng.choice(b'"{}[],:0-.\\u \x01\xff\x80'))
            else:
                line[at] = rng.choice(b'"{}[],:01\\\xc3')
    line = bytes(line).replace(b"\n", b"").replace(b"\r", b"")
    return line if line.strip(b" \t") else b"{}"


# --- The scan


class Lane:
    """A sum and a maximum of exact decimals."""

    def __init__(self):
        self.total, self.decimals, self.greatest = Decimal(0), 0, None

    def add(self, token):
        """Takes an element in."""
        value = Decimal(token)
        self.total += value
        self.decimals = max(self.decimals, -value.as_tuple().exponent)
        if self.greatest is None or value > self.greatest[0]:
            self.greatest = (value, token)

    def results(self, ops):
        """What there is now, as text; None: nothing."""
        if self.greatest is None:
            return [None] * len(ops)
        texts = {"sum": f"{self.total + 0:.{self.decimals}f}", "max": f"{self.greatest[0] + 0:f}"}
        return [texts[op] for op in ops]


def canonical(value):
    """Returns a value as a key: equal strings give equal keys whatever their escapes; other values stay as they are."""
    if value is None:
        return ""
    if value.text[0] != '"':
        return value.text
    out = json.dumps(json.loads(value.text), ensure_ascii=False).replace("\x7f", "\\u007f")
    return "".join(f"\\u{ord(c):04x}" if 0xd800 <= ord(c) < 0xe000 else c for c in out)


def classify(value):
    """What a field is: "number", "missing" or "invalid", and its token."""
    if value is None:
        return "missing", ""
    token = json.loads(value.text) if value.text[0] == '"' else value.text
    if value.text == "null" or token.lower() in (mark.lower() for mark in MARKS):
        return "missing", token
    return ("number" if re.fullmatch(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?", token) else "invalid"), token


def scan(lines, case):
    """The output that is to come."""
    out, lanes, totals = [], {}, {}
    names = [f"{name}_{op}" for name, _path in case["fields"] for op in case["ops"]]
    for line in lines:
        top = read(line)
        whole = case["lines"] != "dropped"
        if not line.strip(b" \t") or top is None:
            if whole:
                out.append(line)
            continue
        values = [top.find(path) for _name, path in case["fields"]]
        kinds = [classify(value) for value in values]
        if case["key"] and all(kind != "number" and (kind == "invalid") for kind, _token in kinds):
            key = None
        else:
            key = canonical(top.find(["k"])) if case["key"] else ""
        results, has_any = [], False
        for index, (kind, token) in enumerate(kinds):
            lane = lanes.setdefault((key, index), Lane())
            shown = [None] * len(case["ops"])
            if kind == "missing" and case["missing"] == "0":
                kind, token = "number", "0"
            if kind == "number":
                lane.add(token)
                totals.setdefault(key, []).append(index)
                shown = lane.results(case["ops"])
                has_any = True
            elif kind == "missing" and case["missing"] == "keep":
                text = values[index].text if values[index] is not None else "null"
                shown = [text] * len(case["ops"])
                has_any = True
            elif kind == "missing" and case["missing"] == "hold":
                raw = values[index].text if values[index] is not None else None
                shown = [raw if s is None else s for s in lane.results(case["ops"])]
                has_any = True
            results += shown
        members = ",".join(f"{json.dumps(name, ensure_ascii=False)}:{'null' if r is None else r}" for name, r in zip(names, results))
        text = line.decode("utf-8")
        if case["lines"] == "appended":
            comma = "" if not top.within else ","
            text = text[:top.tail] + comma + members + text[top.tail:]
        elif case["lines"] == "replaced":
            for value, r, (kind, _token) in sorted(zip(values, results, kinds), key=lambda v: -1 if v[0] is None else -v[0].begin):
                if value is not None and r is not None and kind != "invalid":
                    text = text[:value.begin] + r + text[value.end:]
        elif has_any:
            text = "{" + (f'"k":{key},' if key else "") + members + "}"
        else:
            continue
        out.append(text.encode("utf-8", "surrogatepass"))
    if case["total"]:
        out = []
        for key in totals if case["key"] else [""]:
            results = [r for index in range(len(case["fields"])) for r in lanes.get((key, index), Lane()).results(case["ops"])]
            results = ["0" if r is None and op == "sum" else r for r, op in zip(results, case["ops"] * len(case["fields"]))]
            members = ([("k", key)] if key else []) + list(zip(names, results))
            text = "{" + ",".join(f"{json.dumps(n, ensure_ascii=False)}:{'null' if v is None else v}" for n, v in members) + "}"
            out.append(text.encode("utf-8", "surrogatepass"))
    return b"".join(line + b"\n" for line in out)


def random_case(rng):
    """Options."""
    fields, taken = [], []
    for name, path in rng.sample(FIELDS, rng.choice([1, 1, 2, 3])):
        if path not in taken:
            fields.append((name, path))
            taken.append(path)
    lines = rng.choice(["dropped", "appended", "replaced"])
    missing = rng.choice(["skip", "skip", "keep", "hold", "0"])
    if lines == "replaced":
        missing = rng.choice(["skip", "keep"])
    total = lines == "dropped" and rng.random() < 0.3
    return {"fields": fields, "lines": lines, "missing": missing, "key": rng.random() < 0.4, "total": total,
            "ops": [rng.choice(["sum", "max"])] if lines == "replaced" or rng.random() < 0.5 else ["sum", "max"]}


def check(pscan, rng, directory):
    """One case; its output by pscan and by the model."""
    case = random_case(rng)
    damage = rng.choice([0, 0, 0.05, 0.5])
    lines = [random_line(rng, damage) for _ in range(rng.choice([1, 5, 40, 400]))]
    if rng.random() < 0.3:
        lines.insert(rng.randrange(len(lines) + 1), rng.choice([b"", b" "]))
    if case["key"]:
        lines.insert(0, b'{"k":"first"}') # the first line must have what keys go by
    want = scan(lines, case)
    end = rng.choice([b"\n", b"\n", b"\r\n"])
    data = end.join(lines) + rng.choice([end, end, b"" if lines[-1].strip() else end])
    if end == b"\r\n" and case["lines"] != "dropped":
        ended = want.split(b"\n")[:-1]
        last = b"\r\n" if data.endswith(end) else b"\n"
        want = b"".join(line + b"\r\n" for line in ended[:-1]) + ended[-1] + last
    options = ["--json", "--invalid=ignore", f"--missing={case['missing']}", "-op", ",".join(case["ops"])]
    for name, _path in case["fields"]:
        options += ["-f", name]
    options += {"dropped": [], "appended": ["-a"], "replaced": ["--replace"]}[case["lines"]]
    options += (["-g", "k"] if case["key"] else []) + (["--total"] if case["total"] else [])
    options += [f"-T{rng.randint(1, 4)}", "--chunk-size=" + rng.choice(["1", "32K", "1M"])] + rng.choice([[], ["--line-buffered"]])
    name = str(directory / "in")
    how = rng.randrange(3)
    Path(name).write_bytes(gzip.compress(data) if how == 2 else data)
    with open(name, "rb") as file:
        done = subprocess.run([pscan, *options, *([] if how == 0 else [name])], stdin=file, capture_output=True, timeout=1200)
    if (done.returncode, done.stdout, done.stderr) != (0, want, b""):
        print(options, done.returncode, done.stderr.decode("utf-8", "replace"))
        got, expected = done.stdout.split(b"\n"), want.split(b"\n")
        for i, (g, w) in enumerate(zip(got + [b""], expected + [b""])):
            if g != w:
                print("line", i + 1, "of output\n got ", g, "\n want", w)
                break
        print(len(got), len(expected))
        Path("/tmp/json_lines_failed").write_bytes(data) if len(sys.argv) > 4 else None
        return False
    return True


def main():
    """All cases."""
    pscan, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as directory:
        for _ in range(count):
            if not check(pscan, rng, Path(directory)):
                sys.exit(1)
    print(count)


if __name__ == "__main__":
    main()
