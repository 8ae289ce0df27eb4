#!/usr/bin/env python3
"""States whose layout is changed, words and bytes together, must be refused by name and stay as they are. The unchanged
states must continue bit for bit.

Usage: state_layout.py SEED EVERY: one in EVERY is tried. PSCAN: the program.
"""
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile

import state_file

PSCAN = os.environ["PSCAN"]
LINES = b"".join(b"k%d,%s,%d\n" % (i % 3, [b"1", b"2.5", b"-7", b"0.125"][i % 4], i // 4) for i in range(40))
SCANS = [
    ["-f2"], ["-f2", "-tf64", "-op=sum,mean,std"], ["-f3", "-ti64", "-op=max,lag,argmax"], ["-f2", "-tf32", "-op=ema:0.5,last"],
    ["-f2", "-g1"], ["-f2,2", "-g1", "-op=range,delta", "--reset-on=3"], ["-f2", "--window=3", "-op=sum,max"],
    ["-f2", "-g1", "--window=4", "-op=max,first"], ["-f2", "-tf64", "--algorithm=hillis-steele"],
    ["-f2", "-tf64", "--algorithm=sequential"], ["-f3", "-ti32:i64", "-op=mean,count,drawdown"], ["-f2", "-op=prod", "-e", "--reset-every=7"],
]


def run(options, state, data):
    """Exit code, output, message."""
    done = subprocess.run([PSCAN, "-D", "none", "-d,", *options, f"--state={state}"], input=data, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr.decode()


def structs(section):
    """Every list of members in a section, with all values that go by it."""
    found = []

    def visit(members, values):
        found.append((members, values))
        for kind, name, count in members:
            inner = [v for value in values for v in ([value[name]] if count is None else value[name])]
            scopes = [value for value in values for _ in ([0] if count is None else value[name])]
            down(kind, inner, scopes)

    def down(kind, values, scopes):
        if kind[0] == "struct":
            visit(kind[1], values)
        elif kind[0] == "sized":
            down(kind[1], [v for value in values for v in value], [s for s, value in zip(scopes, values) for _ in value])
        elif kind[0] == "choice":
            for number, chosen in kind[2].items():
                pairs = [(v, s) for v, s in zip(values, scopes) if s[kind[1]] == number]
                down(chosen, [v for v, _ in pairs], [s for _, s in pairs])

    visit(section.kinds, [section.values])
    return found


def swap(members, _, i):
    """A member and the next."""
    members[i], members[(i + 1) % len(members)] = members[(i + 1) % len(members)], members[i]


def remove(members, _, i):
    """One member less."""
    del members[i]


def add(members, values, i):
    """One more."""
    members.insert(i, [("number", "u8"), "another", None])
    for value in values:
        value["another"] = 1


def rename(members, values, i):
    """Renames a member, in the layout and in its values."""
    old = members[i][1]
    members[i][1] = old + "_"
    for value in values:
        value[old + "_"] = value[old]


def widen(members, _, i):
    """A number of more bytes."""
    if members[i][0] in (("number", "u8"), ("number", "u32")):
        members[i][0] = ("number", "u64")


def is_chosen_by(members, name):
    """Whether a member says which type another one has: that cannot be read without it."""
    return any(f"({name} " in state_file.say_type(kind) for kind, _, _ in members)


def changed_files(sections, is_wanted):
    """Files that differ from this one in their layout, those that is_wanted() chooses before they are made."""
    for s, section in enumerate(sections):
        for which, (members, _) in enumerate(structs(section)):
            for i in range(len(members)):
                for change in (swap, remove, add, rename, widen):
                    if change is swap and len(members) == 1 or change is not add and is_chosen_by(members, members[i][1]):
                        continue
                    if not is_wanted():
                        continue
                    other = copy.deepcopy(sections)
                    its, values = structs(other[s])[which]
                    before = state_file.say(its)
                    change(its, values, i)
                    if change is not swap or len(its) > 2 or i == 0:
                        if state_file.say(its) != before:
                            yield f"section {s}, {before}: {change.__name__} {i}", other


def check_scan(rng, options, folder):
    """One scan's state. How many files were tried."""
    state, good, again = (os.path.join(folder, n) for n in ("state", "good", "again"))
    for name in (state, good, again):
        if os.path.exists(name):
            os.remove(name)
    code, _, said = run(options, good, LINES)
    assert code == 0, (options, said)
    sections = state_file.read(good)
    state_file.write(again, sections)
    with open(good, "rb") as a, open(again, "rb") as b:
        assert a.read() == b.read(), f"{options}: not written as it was read"
    shutil.copy(good, state)
    wanted = run(options, state, LINES)
    assert wanted[0] == 0, wanted
    sections[0].head = sections[0].head.replace("pscan ", "pscan 9.", 1)
    state_file.write(again, sections)
    assert run(options, again, LINES) == wanted, f"{options}: another version's, of this layout"
    tried = 0
    for what, other in changed_files(state_file.read(good), lambda: rng.randrange(int(sys.argv[2])) == 0):
        check_refused(options, state, what, other, "little", "in another layout")
        tried += 1
    other = state_file.read(good)
    other[0].head = other[0].head.replace(state_file.LEAST, "most byte first")
    check_refused(options, state, "the order of bytes", other, "big", '"most byte first" in the state, "least byte first" now')
    other = state_file.read(good)
    other[0].head = other[0].head.replace("grid 2", "grid 1")
    check_refused(options, state, "the grid", other, "little", 'another grid: "grid 1" in the state, "grid 2" now')
    other = state_file.read(good)
    rename(*structs(other[-1])[0], 0)
    check_refused(options, state, "a member of the scan is renamed", other, "little", "in another layout")
    shown = subprocess.run([PSCAN, f"--show-state={state}"], capture_output=True, check=False)
    assert (shown.returncode, shown.stdout) == (2, b"") and b"the scan is in another layout" in shown.stderr, f"{options}: shown {shown}"
    return tried + 3


def check_refused(options, state, what, sections, order, words):
    """It is refused, by a run and by --show-state, and stays."""
    state_file.write(state, sections, order)
    with open(state, "rb") as file:
        before = file.read()
    code, out, said = run(options, state, LINES)
    assert (code, out) == (2, b"") and words in said and said.count("\n") == 1, f"{options}: {what}: {code} {out} {said}"
    with open(state, "rb") as file:
        assert file.read() == before, f"{options}: {what}: changed"
    shown = subprocess.run([PSCAN, f"--show-state={state}"], capture_output=True, check=False)
    sized = "sized" in state_file.say(sections[-1].kinds)
    assert shown.returncode == 2 or (shown.returncode == 0 and sized), f"{options}: {what}: shown {shown}"


def main():
    """All scans."""
    tried, rng = 0, random.Random(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for options in SCANS:
            tried += check_scan(rng, options, folder)
    print(f"{len(SCANS)} scans, {tried} other layouts, all refused")


if __name__ == "__main__":
    main()
