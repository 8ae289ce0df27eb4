"""Numbers as people write them (--decimal, --thousands, --accept) by their definition: regular expressions, decimals
and Python's dates. Nothing is taken from pscan.

notation_model.py SEED COUNT compares pscan's results of random tables of tokens, good and bad ones
"""
import csv
import io
import json
import os
import random
import re
import subprocess
import sys
from collections import namedtuple
from datetime import datetime, timezone
from decimal import Decimal, Overflow, getcontext

import cases

getcontext().prec = 60
getcontext().traps[Overflow] = False
PSCAN = os.environ.get("PSCAN", "build/pscan")
WORDS = ("money", "percent", "size", "duration", "time")
BLANKS = " \u00a0\u202f\u2009"
SIGNS = "$£¤¥฿" + "".join(map(chr, range(0x20a0, 0x20d0)))
CODES = """ADP AED AFN ALL AMD ANG AOA ARS ATS AUD AWG AZN BAM BBD BDT BEF BGN BHD BIF BMD BND BOB BOV BRL BSD BTC BTN
BWP BYN BYR BZD CAD CDF CHE CHF CHW CLF CLP CNH CNY COP COU CRC CUC CUP CVE CYP CZK DEM DJF DKK DOP DZD EEK
EGP ERN ESP ETB ETH EUR FIM FJD FKP FRF GBP GEL GHC GHS GIP GMD GNF GRD GTQ GYD HKD HNL HRK HTG HUF IDR IEP
ILS INR IQD IRR ISK ITL JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LTL LUF LVL LYD
MAD MCF MDL MGA MKD MMK MNT MOP MRO MRU MTL MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NLG NOK NPR NZD OMR PAB
PEN PGK PHP PKR PLN PTE PYG QAR RMB ROL RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SIT SKK SLE SLL SML SOS
SRD SSP STD STN SVC SYP SZL THB TJS TMT TND TOP TRL TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VAL VED
VEF VES VND VUV WST XAD XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XEU XOF XPD XPF XPT XSU XUA YER ZAR ZMK ZMW
ZWG ZWL""".split()
BEFORE_SIGN = "A AU BD BZ C CA CN EC FJ GB HK J JM JP L MX N NT NZ R RD S SG TT TW US".split() + CODES
CURRENCY = f"(?:{'|'.join(BEFORE_SIGN)})?[{SIGNS}]|(?:{'|'.join(CODES)})(?![A-Z])"
UNITS = "KMGTPEZYRQ"
FORMS = ("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S.%f", "%d/%b/%Y:%H:%M:%S %z", "%Y%m%d",
         "%Y%m%d%H%M%S")
MISSING = ("", "-", "NA")

# A number that was read: its value, whether an integer type takes it, whether it is a duration, and which kind of time.
Read = namedtuple("Read", "value is_integer is_duration kind", defaults=["a number"])
Notation = namedtuple("Notation", "mark thousands accept")


def integer_part(n):
    """What may be before the decimal mark, as a regular expression with a group g for digits in groups."""
    if n.thousands is None:
        return r"(?P<i>\d*)"
    marks = {" ": f"[{BLANKS}]", "'": "['\u2019]"}.get(n.thousands, re.escape(n.thousands))
    usual = rf"[1-9]\d{{0,2}}(?P<t>{marks})\d{{3}}(?:(?P=t)\d{{3}})*"
    indian = rf"[1-9]\d?(?P<u>{marks})(?:\d\d(?P=u))+\d{{3}}"
    return rf"(?:(?P<g>{usual}|{indian})(?!\d)|(?P<i>\d*))"


def read_duration(n, token):
    """A duration, or None."""
    end = rf"([0-5]\d(?:{re.escape(n.mark)}\d+)?)"
    for form, units in ((rf"([-+]?)(\d{{1,12}}):{end}", (60, 1)), (rf"([-+]?)(\d{{1,12}}):([0-5]\d):{end}", (3600, 60, 1)),
                        (rf"([-+]?)(\d{{1,12}}):([01]?\d|2[0-3]):([0-5]\d):{end}", (86400, 3600, 60, 1))):
        m = re.fullmatch(form, token, re.ASCII)
        if m:
            value = sum(Decimal(part.replace(",", ".")) * unit for part, unit in zip(m.groups()[1:], units))
            return Read(-value if m[1] == "-" else value, n.mark not in token, True)
    return None


def read_time(token):
    """A time, or None."""
    for form in FORMS:
        is_digits = "-" not in form and "/" not in form
        digits = re.fullmatch(r"(\d{8}|\d{14})(?:(?<=\d{14})[.,](\d+))?", token, re.ASCII)
        if is_digits and digits is None:
            continue
        try:
            at = datetime.strptime(digits[1] if is_digits else token, form)
        except ValueError:
            continue
        if is_digits and digits[2]:
            at = at.replace(microsecond=int((digits[2] + "0" * 6)[:6]))
        at = at if at.tzinfo else at.replace(tzinfo=timezone.utc)
        since = at - datetime(1970, 1, 1, tzinfo=timezone.utc)
        return Read(Decimal(since.days * 86400 + since.seconds) + Decimal(since.microseconds) / 1000000,
                    since.microseconds == 0, False,
                    "a date" if not is_digits else "a date in digits" if len(token) == 8 else "a date and time in digits")
    return None


def multiplied(number, digits, unit):
    """A number with `digits` digits after the point, times a unit of size."""
    unit = unit.removesuffix("B")
    power = UNITS.index(unit[0].upper()) + 1 if unit else 0
    if unit.endswith("i"):
        value = number * 1024 ** power
        return value, value == value.to_integral_value()
    return number * 1000 ** power, digits <= 3 * power


def read(n, token):
    """A token, or None if it is not a number."""
    found = "duration" in n.accept and ":" in token and read_duration(n, token) or "time" in n.accept and read_time(token)
    if found:
        return found
    money, percent = "money" in n.accept, "percent" in n.accept
    before = re.match(rf"(?:[{BLANKS}]|[-+(\u2212]|{CURRENCY})*" if money else "[-+]?", token)[0]
    m = re.match(integer_part(n) + rf"(?:(?P<m>{re.escape(n.mark)})(?P<f>\d*))?(?P<e>[eE][-+]?\d+)?", token[len(before):], re.ASCII)
    integer = m.groupdict().get("i") or ""
    grouped = m.groupdict().get("g") or ""
    if not (integer + grouped + (m["f"] or "")) or (grouped and m["e"]):
        return None
    after = token[len(before) + m.end():]
    if money and integer + grouped and m["m"] and not m["f"] and not m["e"]:
        after = re.sub("^(--(?!-)|[-\u2013\u2014])", "", after)  # no cents
    fraction = len(m["f"] or "")
    value = Decimal((re.sub(r"\D", "", grouped) or integer or "0") + "." + (m["f"] or "0") + (m["e"] or ""))
    is_integer = m["m"] is None and m["e"] is None
    unit = re.match("[kKMGTPEZYRQ]i?B?|B", after)
    if "size" in n.accept and unit and not (money and re.match(CURRENCY, after)):
        if m["e"]:
            return None
        if unit[0] != "B":  # bytes leave the number as it was written
            value, is_integer = multiplied(value, fraction, unit[0])
        after = after[unit.end():]
    parts = re.findall(f"[-+(\u2212]|{CURRENCY}", before)
    marks = [p for p in parts if p in "-+(\u2212"]
    units = len(parts) - len(marks)
    is_open = "(" in marks
    negative = bool(marks) and marks[0] != "+"
    allowed = (f"[{BLANKS}]" if money or percent else "") + ("|%" if percent else "") + (rf"|[)\u2212-]|{CURRENCY}" if money else "")
    if money and "size" in n.accept and unit and unit[0].endswith("B") and (units or re.search(CURRENCY, after)):
        return None  # bytes, or billions
    if len(marks) > 1 or units > 1 or (after and not (allowed and re.fullmatch(f"(?:{allowed.lstrip('|')})*", after))):
        return None
    for part in re.findall(rf"[)\u2212%-]|{CURRENCY}", after):
        if part == ")":
            if not is_open:
                return None
            is_open = False
        elif part in "-\u2212":
            if marks:
                return None
            marks, negative = ["-"], True
        else:
            units += 1
    if is_open or units > 1:
        return None
    return Read(-value if negative else value, is_integer, False)


def write_amount(rng, n):
    """A random amount without its sign."""
    whole = str(rng.choice([0, rng.randrange(10), rng.randrange(1000), rng.randrange(10 ** 5), rng.randrange(10 ** 9)]))
    if n.thousands is not None and rng.random() < 0.7:
        mark = rng.choice({" ": BLANKS, "'": "'\u2019"}.get(n.thousands, n.thousands))
        if rng.random() < 0.2 and len(whole) > 3:
            head = whole[:-3]
            pairs = [head[max(i - 2, 0):i] for i in range(len(head), 0, -2)][::-1]
            whole = mark.join(pairs + [whole[-3:]])
        else:
            whole = f"{int(whole):,}".replace(",", mark)
    return whole + (n.mark + "".join(rng.choices("0123456789", k=rng.randrange(5))) if rng.random() < 0.6 else "")


def write_token(rng, n, forms):
    """A token that is likely to be a number in the notation, and that may have been changed at random."""
    kind = rng.choice(("plain", "plain") + n.accept)
    token = rng.choice(["", "", "-", "+"]) + write_amount(rng, n)
    if kind == "time":
        at = datetime.fromtimestamp(rng.randrange(-10 ** 9, 2 * 10 ** 9), tz=timezone.utc)
        return at.strftime(rng.choice(forms))
    if kind == "duration":
        parts = [f"{rng.randrange(60):02d}" for _ in range(rng.choice([2, 2, 3]))]
        parts[0] = str(rng.randrange(200))
        if len(parts) == 3 and rng.random() < 0.2:
            parts = [str(rng.randrange(9)), f"{rng.randrange(24):02d}"] + parts[1:]
        token = rng.choice(["", "", "-"]) + ":".join(parts) + (n.mark + "5" if rng.random() < 0.3 else "")
    elif kind == "percent":
        token += rng.choice(["%", " %", "\u00a0%"])
    elif kind == "size":
        token += rng.choice(["B", *(u + rest for u in "KkMGT" for rest in ("", "i", "B", "iB"))])
    elif kind == "money":
        currency = rng.choice(["$", "€", "US$", "USD ", "EUR", "₹", "$ ", "K$", "M€", "B$", "KB$", "USDK$", "HK$", "CAD$", "EUR€", ""])
        amount = write_amount(rng, n)
        token = rng.choice([currency + amount, "-" + currency + amount, currency + "-" + amount, f"({currency}{amount})",
                            f"{currency}({amount})", amount + "-", "\u2212" + amount, f"{amount} {currency}".strip(),
                            f"{amount}\u00a0{currency}".strip("\u00a0"), amount + currency, f"-{amount} {currency}".strip(),
                            f"({amount} {currency})",
                            f"{amount}-{currency}".strip(), f"({amount}) {currency}".strip(),
                            f"{currency}{amount.split(n.mark)[0]}{n.mark}{rng.choice(['-', '--', chr(0x2013)])}",
                            f"{amount} {rng.choice(['MIO', 'CHF', 'TSD', 'NAN', rng.choice(CODES)])}"])
    if rng.random() < 0.25:
        at = rng.randrange(len(token) + 1)
        cut = rng.randrange(2)
        token = token[:at] + rng.choice(list("0123456789.,-+()$%: KiAE'") + ["", "00", "EUR"]) + token[at + cut:]
    return token.strip(" \t")


def is_usable(n, token):
    """Whether the model knows all that matters of a token."""
    if token.lower().lstrip("+-") in ("inf", "nan", "infinity") or '"' in token:
        return False
    number = read(n, token)
    return number is None or (abs(number.value) < Decimal(10) ** 17 and -number.value.as_tuple().exponent <= 12)


def table(rng, n, cut):
    """Rows of a key and a token."""
    rows = []
    # (Most columns have times in one way, and no other numbers.)
    is_pure = "time" in n.accept and rng.random() < 0.7
    forms = rng.choice((FORMS[:5], FORMS[5:6], FORMS[6:])) if is_pure else FORMS
    while len(rows) < rng.choice([1, 3, 10, 40]):
        token = rng.choice(MISSING) if rng.random() < 0.1 else write_token(rng, n, forms)
        number = read(n, token)
        if is_pure and number is not None and number.kind != ("a date" if len(forms) == 5 else read_time(datetime.now().strftime(forms[0])).kind):
            continue
        if cut == "blanks" and (" " in token or token == ""):
            continue
        if is_usable(n, token) and not (cut == "tsv" and "\t" in token):
            rows.append((rng.choice("abc"), token))
    return rows


def write_table(rng, rows, cut):
    """The rows as text, and the options that cut it."""
    if cut == "json":
        lines = []
        for key, token in rows:
            is_number = re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?", token) and rng.random() < 0.5
            value = token if is_number else json.dumps(token, ensure_ascii=rng.random() < 0.5)
            lines.append(f'{{"k":"{key}","v":{value}}}')
        return "\n".join(lines) + "\n", ["--json", "-f", "v"]
    if cut == "logfmt":
        return "".join(f'k={k} v="{t}"\n' for k, t in rows), ["--logfmt", "-f", "v"]
    if cut == "csv":
        out = io.StringIO()
        quoting = rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
        csv.writer(out, lineterminator="\n", quoting=quoting).writerows([("k", "v"), *rows])
        return out.getvalue(), ["--csv", "-f", "v"]
    delimiter = {"semicolon": ";", "tsv": "\t", "blanks": " "}[cut]
    text = "".join(delimiter.join(row) + "\n" for row in rows)
    return text, {"semicolon": ["-d", ";"], "tsv": ["--tsv", "--no-header"], "blanks": []}[cut] + ["-f", "2"]


def scan(op, state, value):
    """The result after one more value."""
    if state is None or op == "last":
        return value
    return {"sum": state + value, "max": max(state, value), "min": min(state, value)}[op]


def expect(rows, reads, op, by_key, missing, has_durations):
    """The result of each row and whether it is written as a duration, or None: it has none."""
    states, results, are_durations = {}, [], has_durations
    for (key, token), number in zip(rows, reads):
        key = key if by_key else ""
        if token in MISSING and missing is not None:
            number = Read(missing, True, True)
        if number is None:
            results.append(None)
            continue
        states[key] = scan(op, states.get(key), number.value)
        are_durations = are_durations and number.is_duration
        results.append((states[key], are_durations))
    return results


def value_of(text):
    """A result's value, and whether it is written as a duration."""
    m = re.fullmatch(r"(-?)(\d+):([0-5]\d):([0-5]\d(?:\.\d+)?)", text)
    if m is None:
        return Decimal(text), False
    value = Decimal(m[2]) * 3600 + Decimal(m[3]) * 60 + Decimal(m[4])
    return -value if m[1] else value, True


def fields_of(line, cut):
    """The last field of a line of results."""
    if cut == "json":
        value = list(json.loads(line, parse_float=str, parse_int=str).values())[-1]
        return str(value)
    if cut == "logfmt":
        return line.split("=")[-1].split(" ")[-1].strip('"')
    delimiter = {"csv": ",", "semicolon": ";", "tsv": "\t", "blanks": " "}[cut]
    return next(csv.reader([line], delimiter=delimiter))[-1]


def find_other(reads):
    """The first row that is not of the kind of the first one: its number and the message about it."""
    kinds = [(i, r.kind) for i, r in enumerate(reads) if r is not None]
    for i, kind in kinds:
        if kind != kinds[0][1]:
            return i, f"is {kind}, and the first value is {kinds[0][1]}"
    return None, None


def check(rng):
    """One run."""
    mark = rng.choice(".,")
    thousands = rng.choice([None, None, "'", " ", {".": ",", ",": "."}[mark]])
    accept = tuple(w for w in WORDS if rng.random() < 0.35)
    n = Notation(mark, thousands, accept)
    cut = rng.choice(["json", "logfmt", "csv", "csv", "semicolon", "semicolon", "tsv", "blanks"])
    rows = table(rng, n, cut)
    text, options = write_table(rng, rows, cut)
    kind = rng.choice(["num", "num", "f64", "i64"])
    op = rng.choice(["sum", "max", "min", "last"] if kind != "f64" else ["max", "min", "last"])
    plain = Notation(".", None, ())
    reads = []
    for i, (_, token) in enumerate(rows):
        is_number = cut == "json" and f'"v":{token}}}' in text.split("\n")[i]
        number = None if token in MISSING else read(plain if is_number else n, token)
        reads.append(number if number is not None and (kind != "i64" or number.is_integer) else None)
    by_key = rng.random() < 0.4
    stand_in = rng.choice([None, Decimal(7)] + ([Decimal("0.5")] if kind != "i64" else []))
    appends = rng.random() < 0.4 and cut not in ("json", "logfmt")
    options += ["-op", op, "-t", kind, "--invalid=ignore", f"--missing={'skip' if stand_in is None else stand_in}"]
    given = "\u00a0" if cut == "blanks" and thousands == " " else thousands
    options += [f"--decimal={mark}"] * (mark == "," or rng.random() < 0.2) + [f"--thousands={given}"] * (given is not None)
    options += [f"--accept={','.join(accept)}"] * bool(accept) + (["-g", "k" if cut in ("json", "logfmt", "csv") else "1"] if by_key else [])
    is_reversed = rng.random() < 0.15
    options += ["-r"] * is_reversed + ["-a"] * appends + [f"--chunk-size={rng.choice(['64', '4K', '1M'])}", "-T", rng.choice("123")]
    done = subprocess.run([PSCAN, "-D", "none", *options], input=text.encode(), capture_output=True, check=False)
    order = -1 if is_reversed else 1
    other, refused = find_other(reads) if "time" in accept else (None, None)
    if other is not None and is_reversed:
        assert done.returncode == 1 and "--accept=time: " in done.stderr.decode(), f"{options} {text} {done.stderr}"
        return
    if other is not None:
        assert done.returncode == 1 and refused in done.stderr.decode(), f"{options} {text} {refused} {done.stderr}"
        rows, reads = rows[:other], reads[:other]
    results = expect(rows[::order], reads[::order], op, by_key, stand_in, "duration" in accept and not is_reversed)
    want = [r for r in results[::order] if r is not None]
    lines = done.stdout.decode().splitlines()[1 if cut == "csv" else 0:]
    about = f"{options}\n{text}\n{done.stdout.decode()}{done.stderr.decode()}\nwant {[(str(w), d) for w, d in want]}"
    assert other is not None or (done.returncode == 0 and not done.stderr), about
    assert not appends or len(lines) == len(rows), about
    got = [fields_of(line, cut) for line in lines]
    got = [g for g in got if g not in ("", "-")] if appends else got
    if mark == "," and cut != "json":
        assert not any("." in g for g in got), about
        got = [g.replace(",", ".") for g in got]
    assert len(got) == len(want), about
    for a, (b, is_duration) in zip(got, want):
        value, has_form = value_of(a)
        assert has_form == (is_duration and abs(b) < 10 ** 18), f"{a} for {b}\n{about}"
        assert float(value) == float(b) if kind == "f64" else value == b, f"{a} for {b}\n{about}"


if __name__ == "__main__":
    sys.exit(cases.run(check))
