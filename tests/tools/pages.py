"""Runs the examples of Markdown pages, and prints how they differ from what the pages show.

    pages.py [--write] PAGE...

Every part of a page ("## ") has an empty directory of its own. In it:

    `NAME`:        a line of this form alone: the block that follows is the file NAME
    ```console     commands after "$ ", each with all that it prints; a command that ends in a backslash has more lines
    ```sh          commands that are not run

--write puts what came out into the pages. (Then read it: it may be wrong.)
"""
import difflib
import os
import re
import subprocess
import sys
import tempfile


class Runner:
    """Goes through a page line by line; self.out is the page as it should be."""

    def __init__(self, path):
        self.path = path
        with open(path, encoding="utf-8") as file:
            self.lines = file.read().split("\n")
        self.out = []
        self.at = 0
        self.directory = None
        self.commands = 0

    def fail(self, text):
        """Ends with the place in the page."""
        sys.exit(f"{self.path}:{self.at}: {text}")

    def block(self):
        """The lines up to the end of a block."""
        start = self.at
        while self.at < len(self.lines) and self.lines[self.at] != "```":
            self.at += 1
        if self.at == len(self.lines):
            self.fail("a block without its end")
        self.at += 1
        return self.lines[start:self.at - 1]

    def run(self, block):
        """A block of commands, with what they print now."""
        shown = []
        at = 0
        if not block or not block[0].startswith("$ "):
            self.fail("a block of commands begins with one")
        while at < len(block):
            line = block[at]
            at += 1
            if not line.startswith("$ "):
                continue
            command = [line]
            while command[-1].endswith("\\"):
                command.append(block[at])
                at += 1
            shown += command
            done = subprocess.run(["sh", "-c", "\n".join(command)[2:]], cwd=self.directory, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            self.commands += 1
            text = done.stdout.decode("utf-8")
            shown += text.removesuffix("\n").split("\n") if text else []
        return shown

    def page(self, scratch):
        """The whole page."""
        parts = 0
        name = None
        while self.at < len(self.lines):
            line = self.lines[self.at]
            self.at += 1
            self.out.append(line)
            if re.match("##? ", line):
                parts += 1
                self.directory = os.path.join(scratch, str(parts))
                os.mkdir(self.directory)
            elif re.fullmatch(r"`[^`/]+`:", line):
                name = line[1:-2]
            elif line.startswith("```"):
                block = self.block()
                kind = line[3:]
                if name and not kind:
                    with open(os.path.join(self.directory, name), "w", encoding="utf-8") as file:
                        file.write("\n".join(block) + "\n")
                elif kind == "console":
                    block = self.run(block)
                elif kind != "sh":
                    self.fail("a block that is neither a file, console nor sh")
                self.out += block + ["```"]
                name = None
            elif line and name:
                self.fail(f"{name} has no block")
        return "\n".join(self.out)


def main():
    """Runs all pages; exit 1 if one differs."""
    write = sys.argv[1:2] == ["--write"]
    code = 0
    for path in sys.argv[1 + write:]:
        with tempfile.TemporaryDirectory() as scratch:
            runner = Runner(path)
            page = runner.page(scratch)
        if write:
            with open(path, "w", encoding="utf-8") as file:
                file.write(page)
        differences = list(difflib.unified_diff(runner.lines, page.split("\n"), path, "what came out", lineterm=""))
        if not runner.commands:
            sys.exit(f"{path}: no commands")
        if differences and not write:
            print("\n".join(differences))
            code = 1
    sys.exit(code)


if __name__ == "__main__":
    main()
