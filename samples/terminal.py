#!/usr/bin/env python3
"""Draws the picture of a terminal that README.md shows: terminal.py > terminal.svg, with pscan in PATH.

The commands are run, and what they print is drawn: text as text, Braille's dots as dots (few fonts have them).
"""
import datetime
import html
import os
import re
import subprocess
import tempfile

CELL = 8.4  # a character's width, in units of the picture
LINE = 17
LEFT, TOP = 16, 52
COLUMNS = 76
BACKGROUND, FRAME, TEXT, PROMPT, RESULT, DOTS = "#16181d", "#5b616e", "#d8dee9", "#8fd18a", "#ffd479", "#7fb4ff"
FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"

NOVEMBER = """date,account,amount
2026-11-01,home,-812.40
2026-11-02,work,150.00
2026-11-04,home,0.10
2026-11-04,home,0.20
2026-11-30,work,-49.90
"""

COMMANDS = [
    "pscan --csv -f amount -g account -a --as=balance november.csv",
    "pscan --csv -f amount --plot-time=day year.csv > /dev/null",
]


def year():
    """A year of an account: a wage each month, the rent, and something each day."""
    lines = ["day,amount"]
    state = 7
    for day in range(365):
        state = state * 16807 % 2147483647
        amount = -2500 - state % 4500
        if day == 0:
            amount += 230000
        if day % 30 == 14:
            amount += 239000
        if day % 30 == 0:
            amount -= 80000
        lines.append(f"{datetime.date(2026, 1, 1) + datetime.timedelta(day)},{amount / 100:.2f}")
    return "\n".join(lines) + "\n"


def braille(x, y, character):
    """The dots of a cell as the part of a path."""
    bits = ord(character) - 0x2800
    places = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]
    return "".join(f"M{x + CELL * (0.25 + 0.5 * column):.1f} {y + LINE * (row / 4 - 0.65):.1f}h0"
                   for bit, (column, row) in enumerate(places) if bits >> bit & 1)


def coloured(text):
    """Text of a terminal as SVG: what pscan has appended to a line of CSV has a colour of its own."""
    before, comma, result = text.rpartition(",")
    if not comma:
        return html.escape(text)
    return f'{html.escape(before + comma)}<tspan fill="{RESULT}">{html.escape(result)}</tspan>'


def draw(lines):
    """Lines of a terminal, as (text, colour) each, as SVG."""
    width, height = round(2 * LEFT + CELL * COLUMNS), TOP + LINE * len(lines)
    picture = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">',
               "<title>pscan in a terminal: a balance for each account, and a plot of a year's balance</title>",
               f'<rect x="1" y="1" width="{width - 2}" height="{height - 2}" rx="9" fill="{BACKGROUND}" stroke="{FRAME}"/>']
    picture += [f'<circle cx="{20 + 18 * i}" cy="19" r="5.5" fill="{colour}"/>'
                for i, colour in enumerate(("#ec6a5e", "#f4bf4f", "#61c554"))]
    picture.append(f'<g font-family="{FONT}" font-size="14">')
    dots = ""
    for i, (text, colour) in enumerate(lines):
        y = TOP + LINE * i
        plain = "".join(" " if 0x2800 <= ord(c) < 0x2900 else c for c in text)
        dots += "".join(braille(LEFT + CELL * at, y, c) for at, c in enumerate(text) if 0x2800 <= ord(c) < 0x2900)
        # Words that are far apart are texts of their own: not every viewer keeps blanks.
        picture += [f'<text x="{LEFT + CELL * part.start():.1f}" y="{y}" fill="{colour}" textLength="{CELL * len(part[0]):.1f}" '
                    f'lengthAdjust="spacingAndGlyphs">{coloured(part[0])}</text>' for part in re.finditer(r"\S+( \S+)*", plain)]
    picture.append("</g>")
    picture.append(f'<path d="{dots}" stroke="{DOTS}" stroke-width="2.6" stroke-linecap="round" fill="none"/>')
    picture.append("</svg>")
    return "\n".join(picture)


def main():
    """Runs the commands in an empty directory and prints the picture."""
    environment = dict(os.environ, LC_ALL="C.UTF-8", COLUMNS=str(COLUMNS))
    lines = []
    with tempfile.TemporaryDirectory() as directory:
        for name, content in (("november.csv", NOVEMBER), ("year.csv", year())):
            with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
                file.write(content)
        for command in COMMANDS:
            output = subprocess.run(["sh", "-c", command], cwd=directory, env=environment, stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, check=True).stdout.decode("utf-8")
            lines.append(("$ " + command, PROMPT))
            lines += [(line, TEXT) for line in output.removesuffix("\n").split("\n")]
    lines.append(("$", PROMPT))
    print(draw(lines))


if __name__ == "__main__":
    main()
