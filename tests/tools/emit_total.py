"""Compares t of --emit, the scan's total, with a model, over random records, options and kinds of input.

Usage: emit_total.py PSCAN DIRECTORY SEED COUNT

The directory is for temporary files. TMPDIR, below it, must be empty after every run. Prints the first differences, and
the number of cases; ends with 1 if there are differences.
"""

import array
import gzip
import os
import random
import subprocess
import sys

EMITS = {
    "100 * s / t": lambda s, t, n, i, x: 100 * s / t,
    "t": lambda s, t, n, i, x: t,
    "t - s + 2 * x": lambda s, t, n, i, x: t - s + 2 * x,
    "t * 1000 + n * 7 + i": lambda s, t, n, i, x: t * 1000 + n * 7 + i,
}
OPERATORS = {"sum": lambda a, b: a + b, "max": max, "a + b": lambda a, b: a + b}


def random_records(random):
    count = random.choice([1, 2, 3, 50, 4095, 4097, 9000])
    keys = random.choice([1, 3, 200])
    place = 0
    records = []
    for _ in range(count):
        place += random.choice([0, 1, 2, 9])
        records.append((random.randrange(keys), random.randrange(3), place, random.randrange(1, 100)))
    return records


def random_options(random):
    """Returns what begins segments: a dictionary."""
    chosen = {}
    if random.random() < 0.5:
        chosen["keys"] = True
    kind = random.choice(["none", "none", "every", "on", "gap", "at", "every and on"])
    if "every" in kind:
        chosen["every"] = random.choice([1, 2, 7, 1000])
    if "on" in kind.split():
        chosen["on"] = True
    if kind == "gap":
        chosen["gap"] = 5
    if kind == "at":
        chosen["at"] = random.randrange(1, 100)
    return chosen


def words(chosen):
    given = []
    if "keys" in chosen:
        given += ["-g", "key"]
    if "every" in chosen:
        given += [f"--reset-every={chosen['every']}"]
    if "on" in chosen:
        given += ["--reset-on", "tag"]
    if "gap" in chosen:
        given += [f"--reset-gap=place:{chosen['gap']}"]
    if "at" in chosen:
        given += [f"--reset-at={chosen['at']}"]
    return given


def segments_of(records, chosen):
    """The segments: lists of the indices of records."""
    present = {}
    found = []
    for number, (key, tag, place, value) in enumerate(records):
        key = key if "keys" in chosen else 0
        mine = present.get(key)
        begins = mine is None
        if mine is not None:
            last = records[mine[-1]]
            begins = (
                ("on" in chosen and last[1] != tag)
                or ("gap" in chosen and place - last[2] >= chosen["gap"])
                or ("at" in chosen and value == chosen["at"])
                or ("every" in chosen and len(mine) == chosen["every"])
            )
        if begins:
            present[key] = []
            found.append(present[key])
        present[key].append(number)
    return found


def expected(records, chosen, operator, emit, exclusive):
    results = [None] * len(records)
    for segment in segments_of(records, chosen):
        total = records[segment[0]][3]
        for number in segment[1:]:
            total = OPERATORS[operator](total, records[number][3])
        s = 0
        for index, number in enumerate(segment):
            x = records[number][3]
            after = x if index == 0 else OPERATORS[operator](s, x)
            shown, n = (s, index) if exclusive else (after, index + 1)
            results[number] = EMITS[emit](float(shown), float(total), n, index, x)
            s = after
    return results


def csv_of(records):
    lines = "".join(f"{key},{tag},{place},{value}\n" for key, tag, place, value in records)
    return lines.encode()


def run(command, environment, **given):
    return subprocess.run(command, env=environment, capture_output=True, timeout=600, **given)


def feed(command, environment, parts, how, directory):
    """Runs the command with the parts of the input as files, or through pipes."""
    names = []
    packed = [gzip.compress(part) if "gz" in how else part for part in parts]
    if "file" in how or "mixed" in how:
        for number, part in enumerate(packed):
            names.append(os.path.join(directory, f"part{number}"))
            with open(names[-1], "wb") as file:
                file.write(part)
    if "file" in how:
        return run(command + names, environment, input=b"")
    if "stdin" in how:
        with open(os.path.join(directory, "part0"), "wb") as file:
            file.write(b"not this\n" + parts[0])
        with open(os.path.join(directory, "part0"), "rb") as file:
            os.lseek(file.fileno(), len(b"not this\n"), os.SEEK_SET)
            return run(command, environment, stdin=file)
    if "mixed" in how:
        quoted = " ".join(f"<(cat '{name}')" if number % 2 else f"'{name}'" for number, name in enumerate(names))
        line = " ".join(f"'{word}'" for word in command) + " " + quoted
        return run(["bash", "-c", line], environment, input=b"")
    return run(command, environment, input=b"".join(packed))


def one_case(pscan, directory, random):
    records = random_records(random)
    chosen = random_options(random)
    emit = random.choice(list(EMITS))
    operator = random.choice(list(OPERATORS))
    exclusive = operator == "sum" and random.random() < 0.3
    how = random.choice(["file", "gz file", "pipe", "gz pipe", "mixed", "gz mixed", "stdin"])
    command = [pscan, f"--emit={emit}", "-op", operator, f"-T{random.choice([1, 4])}"]
    command += random.choice([[], ["--chunk-size=4K"], ["--chunk-size=64K"]]) + ["-e"] * exclusive
    is_binary = not chosen and random.random() < 0.5
    cut = sorted(random.randrange(len(records) + 1) for _ in range(0 if how == "stdin" else random.choice([0, 1, 2])))
    parts = [records[a:b] for a, b in zip([0] + cut, cut + [len(records)])]
    if is_binary:
        command += ["-t", "f64", "--format=binary"]
        parts = [array.array("d", [float(record[3]) for record in part]).tobytes() for part in parts]
    else:
        head = b"key,tag,place,value\n"
        # (The last column is that of the last field and operator.)
        command += ["--csv", "-H", "-f", random.choice(["value", "place,value"]), "-a"] + words(chosen)
        command[command.index("-op") + 1] = random.choice(["", "max,"]) + operator
        is_joined = "pipe" in how
        parts = [(head if number == 0 or not is_joined else b"") + csv_of(part) for number, part in enumerate(parts)]
    temporary = os.path.join(directory, "temporary")
    os.makedirs(temporary, exist_ok=True)
    environment = dict(os.environ, TMPDIR=temporary, PSCAN_DEVICE="none")
    done = feed(command, environment, parts, how, directory)
    if is_binary:
        actual = list(array.array("d", done.stdout[: len(done.stdout) // 8 * 8]))
    else:
        actual = [float(line.rsplit(b",", 1)[1]) for line in done.stdout.splitlines()[1:]]
    right = expected(records, chosen, operator, emit, exclusive)
    wrong = actual != right or done.returncode != 0 or done.stderr != b"" or os.listdir(temporary) != []
    if wrong:
        at = next((i for i, (a, b) in enumerate(zip(actual, right)) if a != b), min(len(actual), len(right)))
        print(how, chosen, command, done.returncode, done.stderr[:300], os.listdir(temporary))
        print(f"  {len(actual)} results for {len(right)}; at {at}:", actual[at : at + 2], right[at : at + 2])
    return wrong


def one_lacking_case(pscan, directory, random):
    """Records without numbers: t is the last s of a segment. A number with n = 1 begins one."""
    records = random_records(random)
    chosen = random_options(random)
    lacks = random.choice([0.05, 0.5, 0.9])
    lines = "".join(
        f"{key},{tag},{place},{'' if random.random() < lacks else value}\n" for key, tag, place, value in records
    )
    path = os.path.join(directory, "lacking")
    with open(path, "w") as file:
        file.write("key,tag,place,value\n" + lines)
    options = [f"--missing={random.choice(['skip', 'keep', 'hold'])}", random.choice(["--min-count=1", "--min-count=2"])]
    options += [random.choice(["--chunk-size=4K", "--chunk-size=64K"]), "--csv", "-H", "-f", "value", "-a"]
    options += words(chosen) + [path]
    environment = dict(os.environ, PSCAN_DEVICE="none")
    columns = []
    for emit in ["n", "s", "t", "s - t"]:
        done = run([pscan, f"--emit={emit}"] + options, environment)
        if done.returncode != 0 or done.stderr != b"":
            print(emit, options, done.returncode, done.stderr[:300])
            return True
        columns.append([line.split(",") for line in done.stdout.decode().splitlines()[1:]])
    present = {}
    segments = []
    for number, (n, s) in enumerate(zip(columns[0], columns[1])):
        if n[3] == "":  # It has no number.
            continue
        key = n[0] if "keys" in chosen else ""
        # (Where a result covers too few numbers, all of its columns lack it.)
        if n[4] == "" or float(n[4]) == 1 or key not in present:
            present[key] = []
            segments.append(present[key])
        present[key].append(number)
    for segment in segments:
        total = columns[1][segment[-1]][4]
        for number in segment:
            s, t, rest = (columns[column][number][4] for column in (1, 2, 3))
            if s != "" and (float(t) != float(total) or float(rest) != float(s) - float(total)):
                print(options, "at", number, "s, t, s - t:", s, t, rest, "total:", total)
                return True
    return False


def main():
    pscan, directory, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    wrong = 0
    for number in range(count):
        case = one_lacking_case if number % 4 == 3 else one_case
        wrong += case(pscan, directory, random.Random(f"{seed} {number}"))
        if wrong == 3:
            break
    print(f"{count} cases, {wrong} wrong")
    sys.exit(wrong > 0)


main()
