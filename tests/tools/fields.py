"""Structs of src and kernels that have more than 24 fields, and give no reason.

    fields.py [-v] [DIRECTORY...]

A struct within another one counts as one field there, and its own fields on their own. A list of fields that is a macro
(base/layout.h) counts each of them. The reason is a sentence of the comment before the struct that begins with
"More than 24 fields:". Exits with 1 after a line for each struct without a reason. -v: lists all structs.
"""
import pathlib
import re
import sys

MOST = 24
REASON = re.compile(r"\bMore than 24 fields: \w")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
STRUCT = re.compile(r"\bstruct\b[^;{}()=]*\{")


def blank(match):
    """Blanks, and the lines of what was matched."""
    return re.sub(r"[^\n]", " ", match.group())


def end_of_block(text, begin):
    """The index after the brace that closes the one at begin."""
    depth = 0
    for i in range(begin, len(text)):
        depth += (text[i] == "{") - (text[i] == "}")
        if depth == 0:
            return i + 1
    return len(text)


def count_fields(body, lists):
    """The fields that a struct's body declares; lists: the macros' names, and how many fields each has."""
    while "{" in body:
        begin = body.index("{")
        body = body[:begin] + " nested" + body[end_of_block(body, begin) :]
    for name, count in lists.items():
        body = re.sub(rf"\b{name}\(\w+\)", "int x;" * count, body)
    before = None
    while before != body:
        before = body
        body = re.sub(r"\([^()]*\)|\[[^][]*\]", " ", body)
    return sum(declaration.count(",") + 1 for declaration in body.split(";") if declaration.strip())


def structs(path):
    """For each struct: its line, how it begins, its number of fields, and whether a reason is given."""
    text = path.read_text()
    bare = COMMENT.sub(blank, text)
    lists = {name: len(re.findall(r"\bM\(", what)) for name, what in re.findall(r"^#define (\w+)\(M\)((?:.*\\\n)*.*)", bare, re.M)}
    bare = re.sub(r"^[ \t]*#(?:.*\\\n)*.*", blank, bare, flags=re.M)
    for match in STRUCT.finditer(bare):
        begin = match.end() - 1
        comment = text[text.rfind("\n\n", 0, match.start()) + 1 : match.start()]
        body = bare[begin + 1 : end_of_block(bare, begin) - 1]
        given = REASON.search(" ".join(comment.replace("\n *", " ").split())) is not None
        yield text.count("\n", 0, match.start()) + 1, match.group()[:-1].strip(), count_fields(body, lists), given


def main():
    """The exit status."""
    names = sys.argv[1:]
    lists_all = names[:1] == ["-v"]
    status = 0
    roots = [pathlib.Path(name) for name in names[lists_all:]] or [pathlib.Path("src"), pathlib.Path("kernels")]
    for path in sorted(path for root in roots for path in root.rglob("*") if path.suffix in (".c", ".h", ".cl", ".inc")):
        for line, name, count, given in structs(path):
            fails = count > MOST and not given
            status = 1 if fails else status
            if fails:
                print(f"{path}:{line}: {name} has {count} fields, more than {MOST}, and its comment gives no reason")
            elif lists_all:
                print(f"{path}:{line}: {name}: {count}")
    return status


if __name__ == "__main__":
    sys.exit(main())
