"""Lines longer than 120 columns, where a tab counts to the next multiple of 8.

    widths.py FILE...

In src and kernels any line counts; in tests comments and docstrings do, because commands and their expected output
often cannot be cut. EXEMPT has the files that may have longer lines. Prints each line's place and width, and exits with
1 if there is any.
"""

import ast
import re
import sys

COLUMNS = 120
# The completions and the help's tests read an option's row by row: one that is cut would be two rows to them.
EXEMPT = {"src/cli/options.inc"}
COMMENT = re.compile(r"\s*(#(?!(!|\s*(shellcheck|include|define|if|elif|error|pragma))\b)|/\*|\*(?=[\s/])|//)")


def docstring_lines(text):
    """The numbers of the lines of all docstrings of a Python text, from 1."""
    numbers = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            numbers.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return numbers


def counts(path, lines, docstrings):
    """A function that says whether line `number` (from 1) of the file counts."""
    if path.startswith(("src/", "kernels/")):
        return lambda number: True
    return lambda number: number in docstrings or COMMENT.match(lines[number - 1])


def main():
    found = False
    for path in sys.argv[1:]:
        if path in EXEMPT:
            continue
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        lines = text.split("\n")
        is_counted = counts(path, lines, docstring_lines(text) if path.endswith(".py") else set())
        for number, line in enumerate(lines, 1):
            width = len(line.expandtabs(8))
            if width > COLUMNS and is_counted(number):
                print(f"{path}:{number}: {width} columns")
                found = True
    sys.exit(found)


main()
