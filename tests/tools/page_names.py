"""Checks the names in Markdown pages: page_names.py ROOT PAGE... (pages below ROOT).

    links        the file is there, and so is the heading after a #
    options      --NAME, alone in quotes or in a command of pscan, is in src/cli/options.inc; so are the letters of -x

Options in commands of other programs are theirs. Prints what is wrong.
"""
import os
import re
import sys


def options(root):
    """The names (with dashes) that the table has, and its letters."""
    with open(f"{root}/src/cli/options.inc", encoding="utf-8") as file:
        rows = re.findall(r'^(?:OPTION|SPELLING)\(\w+, "([^"]*)"|^LATER\("([^"]*)"', file.read(), re.M)
    spellings = " ".join(a or b for a, b in rows)
    return set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*|-[A-Z]\b", spellings))


def fragments(text):
    """The code of a page: lines of its blocks, and what is in quotes."""
    blocks = re.findall(r"^```(?:console|sh)\n(.*?)^```$", text, re.M | re.S)
    for block in blocks:
        yield from block.replace("\\\n", " ").split("\n")
    text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    yield from (code.replace(r"\|", "|") for code in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text))


def named(fragment):
    """The options of pscan that a fragment of code names."""
    fragment = re.sub(r"'[^']*'|\"[^\"]*\"", "''", fragment)
    for command in re.split(r"\||;|&&|\$\(", fragment):
        words = command.replace("$ ", " ").split()
        while words and re.match(r"[A-Z_]+=", words[0]):
            del words[0]
        if words and (os.path.basename(words[0]) == "pscan" or words[0].startswith("--")):
            for word in words:
                match = re.match(r"(--[a-z][a-z-]*|-[a-zA-Z]+)", word)
                if match:
                    yield match.group()


def anchors(path):
    """What links may call the headings of a page."""
    with open(path, encoding="utf-8") as file:
        headings = re.findall(r"^#+ (.*)$", file.read(), re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def wrong(root, page, known):
    """What is wrong in a page."""
    path = f"{root}/{page}"
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for link in re.findall(r"\]\(([^)]*)\)", text):
        if link.startswith("http"):
            continue
        target, _, anchor = link.partition("#")
        target = os.path.join(os.path.dirname(path), target) if target else path
        if not os.path.exists(target):
            yield f"{page}: there is no {link}"
        elif anchor and anchor not in anchors(target):
            yield f"{page}: there is no heading {link}"
    for fragment in fragments(text):
        for name in named(fragment):
            if name not in known:
                yield f"{page}: there is no option {name}: {fragment}"


def main():
    """All pages; exit 1 if something is wrong."""
    root, *pages = sys.argv[1:]
    known = options(root)
    found = [line for page in pages for line in wrong(root, page, known)]
    print("\n".join(found))
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
