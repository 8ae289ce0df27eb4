"""Functions that are declared under the heading of a file that does not define them.

    headings.py

A header of src whose functions are in several files has headings: comments of one line that begin with the file's name
(with "--- " before it in some). A header's first line is not a heading. Prints a line for each function that stands
under another file's heading, and exits with 1 if there is any.
"""
import pathlib
import re
import sys

HEADING = re.compile(r"^/\* (?:--- )?(\w+\.c)\b(?=[:. ])")
DECLARED = re.compile(r"^(?!static|#|typedef|struct \w+ \{|enum \w+ \{)[a-z][\w *]*?\b(\w+)\(")


def misplaced(header):
    """For each misplaced declaration: its line, the function, and the file of the heading."""
    source = None
    for number, line in enumerate(header.read_text().split("\n"), 1):
        heading = number > 1 and HEADING.match(line)
        declared = DECLARED.match(line)
        if heading:
            source = header.parent / heading.group(1)
        elif source and declared and not re.search(rf"^[a-z][^;=]*\b{declared.group(1)}\(", source.read_text(), re.M):
            yield number, declared.group(1), source.name


def main():
    found = False
    for header in sorted(pathlib.Path("src").rglob("*.h")):
        for number, function, source in misplaced(header):
            print(f"{header}:{number}: {function} is not in {source}")
            found = True
    sys.exit(found)


main()
