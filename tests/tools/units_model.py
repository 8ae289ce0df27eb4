"""Units of time (-g time:day, --reset-on=1+2:month) by their definition: times as times_model.py reads them, and days
and weeks as Python counts them. Nothing is taken from pscan.

units_model.py SEED COUNT compares random tables, cut in every way, with keys, resets, totals, runs of --state and
chunks of any size
"""
import datetime
import json
import os
import re
import subprocess
import sys

import cases
import times_model

PSCAN = os.environ.get("PSCAN", "build/pscan")
UNITS = {"second": "%Y-%m-%dT%H:%M:%S", "minute": "%Y-%m-%dT%H:%M", "hour": "%Y-%m-%dT%H", "day": "%Y-%m-%d", "week": "", "month": "%Y-%m",
         "year": "%Y"}
SPAN = {"second": 1, "minute": 60, "hour": 3600}


def text_of(parts, unit):
    """The unit of a time: year, month, day, hour, minute, second."""
    at = datetime.datetime(*parts[:5])
    if unit == "week":
        year, week, _ = at.isocalendar()
        return f"{year:04d}-W{week:02d}"
    # (Python knows no second 60, nor years before 1000 with four digits.)
    return at.strftime(UNITS[unit].replace("%S", f"{parts[5]:02d}").replace("%Y", f"{parts[0]:04d}"))


def parts_of(text):
    """A time as it is written; a number in UTC."""
    bare = re.sub(r"\]$", "", re.sub(r"^\[", "", text))
    for form in times_model.FORMS:
        m = form.fullmatch(bare)
        if m is not None:
            g = m.groupdict()
            month = times_model.MONTHS.index(g["mon"].lower()) + 1 if g.get("mon") else int(g["mo"])
            return int(g["y"]), month, int(g["d"]), int(g["h"] or 0), int(g["mi"] or 0), int(g["s"] or 0)
    m = re.fullmatch(r"(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)([.,]\d+)?)?", text)
    if m is not None:
        return tuple(int(part or 0) for part in m.groups()[:6])
    seconds, _ = times_model.place_of(text, times_model.DAY, True)
    try:
        at = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds.__floor__())
    except OverflowError:
        raise times_model.Refused("not a time") from None
    return at.year, at.month, at.day, at.hour, at.minute, at.second


class Column:
    """The values of one time and unit, whose kind the first one decides."""

    def __init__(self, unit):
        self.unit = unit
        self.kind = None

    def take(self, text):
        """The unit's text of the next value."""
        gap = SPAN.get(self.unit, times_model.DAY)
        _, kind = times_model.first_of(text, gap, True, True) if self.kind is None else times_model.place_of(text, gap, True)
        parts = parts_of(text)
        if self.kind not in (None, kind):
            raise times_model.Refused("the first value is")
        self.kind = kind
        return text_of(parts, self.unit)


def cut_of(rng, is_two):
    """A way to cut lines, and what must not be in a value."""
    cut = rng.choice(["-d;", "--csv", "--tsv", "--json", "--logfmt", "blanks"])
    return "--csv" if cut == "blanks" and not is_two else cut


def write(cut, names, rows, rng):
    """The lines of a table."""
    lines = []
    for row in rows:
        if cut == "--json":
            lines.append(json.dumps(dict(zip(names, row[:-1] + [int(row[-1])]))))
        elif cut == "--logfmt":
            lines.append(" ".join(f"{n}={json.dumps(v) if re.search('[ =,]', v) or v == '' else v}" for n, v in zip(names, row)))
        elif cut == "--csv":
            lines.append(",".join(f'"{v}"' if "," in v or rng.random() < 0.1 else v for v in row))
        else:
            lines.append({"-d;": ";", "--tsv": "\t", "blanks": " "}[cut].join(row))
    return lines


def shown(cut, names, values):
    """A line of keys and a result."""
    if cut == "--json":
        return json.dumps(dict(zip(names, values)), separators=(",", ":"))
    return {"-d;": ";", "--tsv": "\t", "--csv": ","}.get(cut, " ").join(str(v) for v in values)


def scan(rows, keys, resets, total, cut, names):
    """Lines of results, and what the line after them is refused for. keys, resets: functions of a row."""
    sums, before, out = {}, {}, []
    for row in rows:
        try:
            key, reset = tuple(f(row) for f in keys), tuple(f(row) for f in resets)
        except times_model.Refused as refused:
            return out, str(refused)
        if resets and key in sums and before[key] != reset:
            if total:
                out.append(shown(cut, names, key + before[key] + (sums[key],)))
            sums[key] = 0
        sums[key] = sums.get(key, 0) + int(row[-1])
        before[key] = reset
        if not total:
            out.append(shown(cut, names[:len(keys)] + names[-1:], key + (sums[key],)))
    if total:
        out += [shown(cut, names, key + before[key] + (sums[key],)) for key in sums]
    return out, None


def run(data, *options):
    """Exit code, output and messages."""
    done = subprocess.run([PSCAN, "-D", "none", *options], input=data, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr.decode()


def check(rng):
    """One run."""
    places, is_two = times_model.draw(rng, True)
    if rng.random() < 0.3:
        places = [p for p in places for _ in range(rng.randint(1, 40))]
    is_two = is_two and all(" " in p for p in places)
    cut = cut_of(rng, is_two and all(re.fullmatch(r"\S+ \S+", p) for p in places))
    has_names = cut in ("--json", "--logfmt") or rng.random() < 0.6
    rows = [(p.split(" ", 1) if is_two else [p]) + [rng.choice("ab"), str(rng.randint(-9, 9))] for p in places]
    rows = [[v.strip(" ") for v in row] for row in rows]
    names = (["day", "clock"] if is_two else ["when"]) + ["k", "n"]
    lines = write(cut, names, rows, rng)
    units = rng.sample(list(UNITS), rng.choice([1, 1, 2]))
    columns, words, titles = [], [], []
    for unit in units:
        column = Column(unit)
        columns.append(lambda row, c=column: c.take(" ".join(row[:-2])))
        word = ("+".join(names[:-2]) if has_names else "+".join(str(i + 1) for i in range(len(names) - 2)))
        words.append(f"{word}:{unit}")
        titles.append(f"{names[0]}_{unit}")
    plain = [(lambda row: row[-2], "k" if has_names else str(len(names) - 1), "k")]
    use = rng.choice(["-g", "-g", "--reset-on", "both"])
    timed = list(zip(columns, words, titles))
    keys = {"-g": timed + (plain if rng.random() < 0.4 else []), "--reset-on": [], "both": plain}[use]
    resets = timed if use in ("--reset-on", "both") else []
    rng.shuffle(keys)
    total = rng.random() < 0.4
    options = ["-f", "n" if has_names else str(len(names))]
    options += [] if cut == "blanks" else ["-d", ";"] if cut == "-d;" else [cut]
    options += ["-H"] if has_names and cut in ("-d;", "blanks") else ["--no-header"] if not has_names and cut in ("--csv", "--tsv") else []
    options += ["-g", ",".join(w for _, w, _ in keys)] if keys else []
    options += ["--reset-on=" + ",".join(w for _, w, _ in resets)] if resets else []
    options += ["--total"] if total else []
    options += [f"--chunk-size={rng.choice(['1', '64', '4K', '1M'])}"]
    header = [] if not has_names or cut in ("--json", "--logfmt") else [{"-d;": ";", "--csv": ",", "--tsv": "\t"}.get(cut, " ").join(names)]
    title = [t for _, _, t in keys] + ([t for _, _, t in resets] if total else []) + ["n_sum"]
    want, refused = scan(rows, [f for f, _, _ in keys], [f for f, _, _ in resets], total, cut, title)
    code, out, err = cases.scan(rng, run, options, [line + "\n" for line in header], [line + "\n" for line in lines])
    got = out.decode().splitlines()
    if header and (keys or not total):
        assert not got or got[0] == shown(cut, [], title), f"{options} {got[:1]} {title}"
        got = got[1:]
    about = f"{options} {lines}\n{got} {err}\n{want} {refused}"
    if refused is not None:
        refused = refused.replace("neither a number nor a time", "not a time")
        # (Of two faults in a time, one for each of its units, either may be named.)
        also = "has no time of day" if len(units) == 2 else refused
        assert code == 1 and (refused in err or also in err), about
        assert total or got == want, about
        return
    assert code == 0 and got == want, about


if __name__ == "__main__":
    sys.exit(cases.run(check))
