#!/usr/bin/python3
"""key_slices.py PSCAN DIR: chunks with thousands of keys, which several threads look up and scan in slices, beside sums
in Python.

One number has other decimals than all others, one key's sum needs more than 64 bits, and some records have no number.
Prints the number of runs, and how many were wrong.
"""
import random
import subprocess
import sys
from fractions import Fraction

KEYS = 9000
LINES = 24000


def show(total: Fraction, scale: int) -> str:
    units = total * 10**scale
    assert units.denominator == 1
    digits = str(abs(units.numerator)).rjust(scale + 1, "0")
    text = digits[:len(digits) - scale] + ("." + digits[len(digits) - scale:] if scale > 0 else "")
    return ("-" if units < 0 else "") + text


def expected(rows: list[tuple[str, str]], marks: bool) -> tuple[list[str], list[str]]:
    """The lines with the sums so far, and the totals by key. marks: "-" stands for no number."""
    totals: dict[str, tuple[Fraction, int]] = {}
    lines = []
    for key, text in rows:
        if marks and text == "-":
            lines.append(f"{key},{text},")
            continue
        total, scale = totals.get(key, (Fraction(0), 0))
        totals[key] = (total + Fraction(text), max(scale, len(text.partition(".")[2])))
        lines.append(f"{key},{text},{show(*totals[key])}")
    return lines, [f"{key},{show(*total)}" for key, total in totals.items()]


def main() -> int:
    program, directory = sys.argv[1:3]
    rng = random.Random(36)
    plain = [(f"k{rng.randrange(KEYS)}", f"{rng.randrange(-10**6, 10**6) / 100:.2f}") for _ in range(LINES)]
    great = "50000000000000000.00"  # two need more than 64 bits
    cases = {
        "plain": plain,
        "decimals": plain[:15000] + [("late", "0.125")] + plain[15000:] + [("late", "1.00")],
        "wide": plain[:20000] + [("late", great)] * 2 + plain[20000:],
        "missing": [(key, "-" if i % 3 == 0 else text) for i, (key, text) in enumerate(plain)],
    }
    runs = wrong = 0
    for name, rows in cases.items():
        source = f"{directory}/{name}.csv"
        with open(source, "w", encoding="ascii") as file:
            file.write("".join(f"{key},{text}\n" for key, text in rows))
        lines, totals = expected(rows, name == "missing")
        for arguments, answer in ((["-a"], lines), (["--total"], totals)):
            for others in (["-T", "1"], ["-T", "4"], ["-T", "3", "--chunk-size=64K"]):
                command = [program, "-d", ",", "-g", "1", "-f", "2", "--missing=skip", *arguments, *others, source]
                result = subprocess.run(command, capture_output=True, text=True, check=False)
                runs += 1
                if (result.returncode, result.stderr, result.stdout.splitlines()) != (0, "", answer):
                    wrong += 1
                    print("wrong:", " ".join(command), result.returncode, result.stderr)
    print(f"{runs} runs, {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
