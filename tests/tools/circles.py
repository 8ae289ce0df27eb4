"""Files of src that need each other, according to their objects: no file may need, directly or through others, a file
that needs it.

    circles.py BUILD

Prints a line for each circle with the symbols that make it one, and exits with 1 if there is any.
"""
import pathlib
import subprocess
import sys


def symbols(path):
    """What an object defines, and what it needs."""
    defined, needed = set(), set()
    for line in subprocess.run(["nm", "-P", path], capture_output=True, check=True, text=True).stdout.splitlines():
        name, kind = line.split()[:2]
        (needed if kind == "U" else defined if kind.isupper() else set()).add(name)
    return defined, needed


def reached(edges, start):
    """All that start needs, over others or not."""
    seen, left = set(), list(edges[start])
    while left:
        name = left.pop()
        if name not in seen:
            seen.add(name)
            left += edges[name]
    return seen


def main():
    """The exit status."""
    build = pathlib.Path(sys.argv[1])
    objects = {str(path.relative_to("src").with_suffix("")): build / path.relative_to("src").with_suffix(".o") for path in pathlib.Path("src").rglob("*.c")}
    found = {name: symbols(path) for name, path in objects.items() if path.exists()}
    owner = {symbol: name for name, (defined, _) in found.items() for symbol in defined}
    edges = {name: {owner[symbol] for symbol in needed if symbol in owner} - {name} for name, (_, needed) in found.items()}
    if not edges:
        print(f"{build}: there are no objects (make)")
        return 1
    circle = {name for name in edges if name in reached(edges, name)}
    for name in sorted(circle):
        for other in sorted(edges[name] & circle):
            if name in reached(edges, other):
                print(f"{name} needs {other}: {' '.join(sorted(symbol for symbol in found[name][1] if owner.get(symbol) == other))}")
    return 1 if circle else 0


if __name__ == "__main__":
    sys.exit(main())
