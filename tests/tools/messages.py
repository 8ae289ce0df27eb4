"""Prints every message of the program once, by the room of src that it comes from, for people who read them all.

    messages.py [ROOM...]

Messages are the string literals that are phrases: two words or more. Neighbouring literals are one, and %s stands for
whatever is put in (%d, %zu and the like for a number). A message that is put together from parts is listed by its
parts.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|[A-Za-z_][A-Za-z_0-9]*|\s+|.', re.S)
WORD = re.compile("[A-Za-z]{2}|%[a-z]")
# What is not for people: code of OpenCL C, pragmas, SVG, and lists of words that are compared with.
NOT_MESSAGES = re.compile(r"^#(define|undef|line|pragma|ifdef)|^%jd|[;{}] |[;{}]$|\) \{|, ulong i\)|\bstatic |\btypedef |-cl-|as_float|as_double|assume_safety|^pscan_|[<>]/?(path|text|svg|rect|title)"
                          r"|^(csv tsv|cpu gpu|copy share|baseline v3|host ident|money percent|jan feb)[a-z0-9 ]*$")


def literals(text, names):
    """The literals of a file, each with its neighbours. names: macros that are literals."""
    found, joined = [], None
    skips = 0
    for token in TOKEN.findall(re.sub(r"#define [A-Z_]+ \"", '"', text)):
        if token.isspace() or token.startswith(("/*", "//")):
            continue
        if token in ("_Static_assert", "include"):
            skips = 2
        if token.startswith('"'):
            skips -= skips > 0
            if skips == 0:
                joined = (joined or "") + token[1:-1]
        elif re.fullmatch("PRI[a-zA-Z]+(64|32|MAX|SIZE)?", token) and joined is not None:
            joined += token[3]
        elif token in names and token.isupper():
            joined = (joined or "") + names[token]
        else:
            skips -= skips > 0 and token == ";"
            if joined:
                found.append(joined)
            joined = None
    return found


def messages_of(room, names):
    """The messages of a room, each once, in the order of its files."""
    seen = {}
    for path in sorted(ROOT.glob(f"src/{room}/*.[ch]") if room != "main" else ROOT.glob("src/*.c")):
        for text in literals(path.read_text(encoding="utf-8"), names):
            text = text.replace('\\"', '"').replace("\\\\", "\\").replace("\\n", " ").strip()
            is_phrase = sum(WORD.search(word) is not None for word in text.split()) > 1 and re.search("[a-z]{3}", text)
            if is_phrase and not NOT_MESSAGES.search(text):
                seen.setdefault(text, path.name)
    return list(seen)


def main():
    rooms = sys.argv[1:] or ["main", *sorted(path.name for path in (ROOT / "src").iterdir() if path.is_dir() and path.name != "tools")]
    names = {}
    for path in ROOT.glob("src/*/*.[ch]"):
        for name, value in re.findall(r'^#define ([A-Z_]+) "((?:\\.|[^"\\\n])*)"$', path.read_text(encoding="utf-8"), re.M):
            names[name] = value
    for room in rooms:
        messages = messages_of(room, names)
        if messages:
            print(f"{room} ({len(messages)})")
        for message in messages:
            print(f"  {message}")


if __name__ == "__main__":
    main()
