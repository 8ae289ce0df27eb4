"""Random tables whose names need not line up with the fields. pscan scans them by a name, and a second reading of the
manual's rules here must agree.

    names_model.py SEED COUNT

A table is text. The model cuts it into names and records again, decides which field the name means or that this cannot
be known, and adds up. Prints the number of cases and how many of them were wrong.
"""
import random
import subprocess
import sys

from running import PSCAN

HASHES = ("#", "#fields", "#Fields:")
REFUSED = "refused"
MARK = "\ufeff"


def cut(line, delimiter):
    """The fields of a line as text, begin and end."""
    found, begin = [], None
    if delimiter != " ":
        at = 0
        for field in line.split(delimiter):
            found.append((field.strip(" "), at, at + len(field)))
            at += len(field) + 1
        return found
    for at, char in enumerate(line + " "):
        if char == " " and begin is not None:
            found.append((line[begin:at], begin, at))
            begin = None
        elif char != " " and begin is None:
            begin = at
    return found


def nearness(name, field):
    """None where they share no column; else whether they are aligned, and how many they share."""
    shared = set(range(name[1], name[2])) & set(range(field[1], field[2]))
    return (name[1] == field[1] or name[2] == field[2], len(shared)) if shared else None


def by_columns(names, fields, index):
    """The field that stands under a name, or None."""
    own, following = (nearness(names[index], fields[i]) if i < len(fields) else None for i in (index, index + 1))
    if own is None:
        return None if following is None else index + 1
    return index if following is None or own >= following else None


def is_laid_out(items):
    """Whether a line has more blanks than one between two of its words, or some before the first."""
    ends = [-1] + [item[2] for item in items]
    return any(item[1] - end != 1 for end, item in zip(ends, items))


def by_alignment(names, fields):
    """The field of each name (None: it has none) where all that follow the labels, up to the last name's, begin or end
    with a name of their own; and how many labels there are. None: they do not."""
    labels = sum(field[2] <= names[0][1] for field in fields)
    partners = [None] * len(names)
    for at, field in enumerate(fields[labels:], labels):
        if partners[-1] is not None:
            break
        own = [i for i, name in enumerate(names) if (nearness(name, field) or (False,))[0]]
        if not own or any(partners[i] is not None for i in own):
            return None, labels
        for i in own:
            partners[i] = at
    return (partners if labels < len(fields) else None), labels


def is_spread(items):
    """Whether two words of a line are further apart than one blank."""
    return any(b[1] - a[2] > 1 for a, b in zip(items, items[1:]))


def is_pushed(items, others, last, tight):
    """Whether an item before the last one is over its partner, and reaches the one after that."""
    return any(nearness(items[i], others[i]) and items[i][2] >= others[i + 1][1]
               and (not tight or items[i + 1][1] - items[i][2] == 1)
               for i in range(min(last, len(items) - 1, len(others) - 1)))


def is_elsewhere(names, fields, index, own, is_aligned, may_be_wide, labels=0):
    """Whether a name is over another field than its own. may_be_wide: names may push each other to the right."""
    near = [nearness(names[index], field) for field in fields]
    if own >= len(fields):
        near = near + [None] * (own + 1 - len(fields))
    # The name that a field before the own one has, where that is known.
    partners = names[index - own:index + 1] if own <= index else []
    others = [n for i, n in enumerate(near) if n and i < own
              and not any(f[2] >= names[0][1] for f in fields[:min(labels, i + 1)])
              and not (partners and is_pushed(fields[:i + 2], partners, min(i + 1, own), False))]
    if not (may_be_wide and is_pushed(names, fields, index, True)):
        others += [n for n in near[own + 1:] if n]
    if near[own] is None:
        return bool(others)
    return is_aligned and not near[own][0] and any(n[0] for n in others)


class Table:
    """What a header and the first record say: which field a name means, and which records fit."""

    def __init__(self, names, fields, delimiter):
        self.names, self.fields = names, fields
        self.is_delimited = delimiter != " "
        self.more = len(fields) - len(names)
        self.has_hash = self.more == -1 and names[0][0] in HASHES
        self.is_lined_up = self.is_aligned = False
        if not self.is_delimited:
            self.look_at_columns(names[self.has_hash:], fields)
        self.is_ended = self.is_delimited and self.more > 0 and all(field[0] == "" for field in fields[len(names):])
        self.places = self.place_between_blanks() if not self.is_delimited and not self.has_hash else None

    def look_at_columns(self, names, fields):
        """Whether the first record is in columns under the names, and whether they are aligned."""
        self.labels = labels = sum(field[2] <= names[0][1] for field in fields)
        if len(names) != len(fields) or (labels and not self.has_hash):
            self.is_lined_up = is_spread(fields)
            self.is_aligned = bool(labels) and by_alignment(names, fields)[0] is not None
            return
        near = [nearness(*pair) for pair in zip(names, fields)]
        self.is_aligned = (is_laid_out(names) or is_laid_out(fields)) and all(n and n[0] for n in near)
        self.is_lined_up = self.is_aligned or (is_spread(names) and is_spread(fields) and all(near)
                                               and not is_pushed(names, fields, len(names), True))

    def place_between_blanks(self):
        """The field of each name, or None; and the fields that a record has at least."""
        names, fields = self.names, self.fields
        partners, labels = by_alignment(names, fields)
        if labels and partners:
            self.least = 1 + max((p for p in partners if p is not None), default=-1)
            return partners
        is_padded = is_laid_out(names), is_laid_out(fields)
        self.least = min(len(names), len(fields))
        own = [i if i < len(fields) and nearness(name, fields[i]) else None for i, name in enumerate(names)]
        if self.more == 0:
            if all(is_padded) and labels:
                is_shifted = any(o is None and any(nearness(name, f) for f in fields[i + 1:])
                                 for i, (o, name) in enumerate(zip(own, names)))
            else:
                is_shifted = all(is_padded) and partners is not None and partners != list(range(len(names)))
            best = [by_columns(names, fields, i) for i in range(len(names))]
            lost = [all(is_padded) and is_elsewhere(names, fields, i, i, False, True) for i in range(len(names))]
            is_shifted = is_shifted or any(lost)
            return [o if best[i] == i and not lost[i] else None for i, o in enumerate(own)] if is_shifted else list(range(len(names)))
        if self.more == 1 and not any(is_padded):
            return [None] * len(names)
        found = [by_columns(names, fields, i) for i in range(len(names))]
        if any(f == i + 1 for i, f in enumerate(found)):
            self.least = min(len(fields), len(names) + 1)
            self.is_lined_up &= all(f is None or nearness(name, fields[f])[0] for f, name in zip(found, names))
        return found

    def field_of(self, index):
        """The index of the field that a name means, or None."""
        if self.has_hash:
            return index - 1 if index > 0 else None
        if not self.is_delimited:
            return self.places[index]
        if self.more > 1 and not self.is_ended:
            return None
        return index + 1 if self.more == 1 and not self.is_ended else index

    def is_over(self, index, fields):
        """Whether a name is over its field in a record that has more of them than it need have."""
        field = self.field_of(index)
        own = nearness(self.names[index], fields[field])
        return own is not None and all(own >= (nearness(self.names[index], f) or (False, 0)) for f in fields[field:])

    def fits(self, fields, index, appends):
        """Whether a record does, of which a name's field is taken. (A result at the end of a short one would be under
        another name.)"""
        names = len(self.names) - self.has_hash
        if not self.is_delimited:
            least = len(self.fields) if self.has_hash else self.least
            field = self.field_of(index)
            if len(fields) < least:
                return (not self.has_hash and not appends and is_laid_out(self.names) and field < len(fields)
                        and (nearness(self.names[index], fields[field]) or (False,))[0] and self.is_over(index, fields))
            if len(fields) > least:
                return self.is_over(index, fields)
            hash_ = int(self.has_hash)
            return not (self.is_lined_up and is_elsewhere(self.names[hash_:], fields, index - hash_, field,
                                                          self.is_aligned, False, 0 if self.has_hash else self.labels))
        ended = all(field[0] == "" for field in fields[names:]) or not self.is_ended
        return len(fields) <= self.width() and ended

    def width(self):
        """Fields before new ones."""
        return len(self.names) - self.has_hash + max(0, self.more)


def bare(line, delimiter):
    """What a repeated header is compared by: its fields, without a byte order mark, blanks around them and quotes."""
    return [field[0].strip('"') for field in cut(line.removeprefix(MARK), delimiter)]


def disguised(rng, header, delimiter, is_csv):
    """A header as it may come again."""
    fields = [f'"{field[0]}"' if is_csv and rng.random() < 0.5 else field[0] for field in cut(header, delimiter)]
    blanks = "" if fields[0].startswith('"') else rng.choice(["", "  "])
    return rng.choice(["", MARK]) + blanks + delimiter.join(fields)


def read(lines, delimiter, name, appends):
    """What pscan writes, or REFUSED; and whether it ends with an error."""
    names = cut(lines[0], delimiter)
    wanted = [i for i, n in enumerate(names) if n[0] == name]
    header = bare(lines[0], delimiter)
    records = [line for line in lines[1:] if bare(line, delimiter) != header and line.strip(" ")]
    title = f"{name}_sum"
    head = lines[0] + delimiter + title if appends else title
    if len(wanted) != 1:
        return REFUSED, True
    if not records:
        return [head] + (lines[1:] if appends else []), False
    table = Table(names, cut(records[0], delimiter), delimiter)
    field = table.field_of(wanted[0])
    if field is None:
        return REFUSED, True
    if appends and table.is_ended:
        head = lines[0] + delimiter * (1 + table.more) + title
    out, total = [head], 0
    for line in lines[1:]:
        if bare(line, delimiter) == header or not line.strip(" "):
            out += [line] * appends
            continue
        fields = cut(line, delimiter)
        if not table.fits(fields, wanted[0], appends):
            return out, True
        token = fields[field][0] if field < len(fields) else ""
        if not token.lstrip("-").isdigit():
            return out, True
        total += int(token)
        lacking = max(0, table.width() - len(fields)) if table.is_delimited else 0
        out.append(line + delimiter * (lacking + 1) + str(total) if appends else str(total))
    return out, False


def read_range(lines, delimiter, first):
    """The totals of the fields from one on to the last that has a name, and the exit status."""
    names = cut(lines[0], delimiter)
    records = [cut(line, delimiter) for line in lines[1:]
               if bare(line, delimiter) != bare(lines[0], delimiter) and line.strip(" ")]
    last = len(names)
    if records:
        table = Table(names, records[0], delimiter)
        last = max((field + 1 for field in map(table.field_of, range(len(names))) if field is not None), default=0)
    if last < first:
        return None, 2
    fields = range(first - 1, last)
    words = [[record[i][0] if i < len(record) else "" for i in fields] for record in records]
    if not all(word.lstrip("-").isdigit() for row in words for word in row):
        return None, 1
    return [str(sum(int(row[i]) for row in words)) for i in range(len(fields))], 0


def range_case(lines, delimiter, options, first):
    """Returns what is wrong with a range that is open to the right, or None."""
    options = ["-D", "none", "-H", "-f", f"{first}-", "--total", *options]
    want, code = read_range(lines, delimiter, first)
    done = subprocess.run([PSCAN, *options], input="".join(line + "\n" for line in lines).encode(), capture_output=True, check=False)
    got = done.stdout.decode().splitlines()[-1:]
    if done.returncode == code and (want is None or got == [delimiter.join(want)]):
        return None
    return f"{' '.join(options)}: {lines}: {got}, exit {done.returncode}, not {want}, {code}: {done.stderr.decode()}"


def padded(rng, words, widths):
    """Words in columns, each at the left or the right."""
    return " ".join(w.ljust(n) if rng.random() < 0.5 else w.rjust(n) for w, n in zip(words, widths)).rstrip(" ")


def frame(rng):
    """As pandas and R print a table: labels without names, names of one or two words, all at the right or at the left.
    """
    names = ["abcdef"[i] * rng.randint(1, 4) + str(i) + rng.choice(["", "", f" w{i}"]) for i in range(rng.randint(1, 4))]
    labels = rng.choice([0, 1, 1, 2, 2])
    rows = [[rng.choice(["x", "lab", str(rng.randint(0, 99))]) for _ in range(labels)]
            + [str(rng.randint(0, 10 ** rng.randint(1, 6))) for _ in names] for _ in range(rng.randint(1, 6))]
    if rng.random() < 0.3:
        column = rng.randrange(len(rows[0]))
        rng.choice(rows)[column] += " 7"
    if rng.random() < 0.2:
        rng.choice(rows)[-1] += " 8 9"
    table = [[""] * labels + names] + rows
    widths = [max(len(row[c]) for row in table) + rng.randint(0, 2) for c in range(len(table[0]))]
    sides = [rng.random() < 0.3 for _ in widths]
    name_sides = [side if rng.random() < 0.9 else not side for side in sides]

    def line(row, sides):
        return " ".join(w.ljust(n) if side else w.rjust(n) for w, n, side in zip(row, widths, sides)).rstrip(" ")
    lines = [line(table[0], name_sides)] + [line(row, sides) for row in rows]
    if rng.random() < 0.15:
        lines = [" ".join(text.split()) for text in lines]
    return lines, " ", rng.choice(" ".join(names).split())


def draw(rng):
    """The lines of a table, its delimiter and a name."""
    if rng.random() < 0.35:
        return frame(rng)
    delimiter = rng.choice([" ", " ", ",", ";", "\t", "|"])
    count = rng.randint(1, 5)
    names = [rng.choice("abcdefgh") * rng.randint(1, 6) + str(i) for i in range(count)]
    kind = rng.choice(["equal", "hash", "label", "ended", "empty", "any", "words"])
    numbers = count
    if kind == "hash":
        names.insert(0, rng.choice(HASHES))
    elif kind == "empty" and delimiter != " ":
        names.append("")
    elif kind == "any":
        numbers = rng.randint(1, 7)
    elif kind == "words" and delimiter == " ":
        names.insert(rng.randint(0, count), "on")
    widths = [rng.randint(1, 9) for _ in range(9)]

    ends = rng.choice([1, 1, 2]) if kind == "ended" and delimiter != " " else 0

    def record():
        words = [str(rng.randint(0, 10 ** rng.randint(1, 6))) for _ in range(numbers)]
        words = [rng.choice(["x", "lab"])] * (kind == "label") + words + [""] * ends
        if rng.random() < 0.1:
            words = words[:rng.randint(1, len(words))]
        if rng.random() < 0.05:
            words.append(rng.choice(["7", ""]) if delimiter != " " else "7")
        return padded(rng, words, widths) if delimiter == " " else delimiter.join(words)
    shift = kind == "label" and rng.random() < 0.8
    header = padded(rng, [""] * shift + names, widths) if delimiter == " " else delimiter.join(names)
    lines = [header]
    for _ in range(rng.randint(0, 8)):
        chance = rng.random()
        lines.append(header if chance < 0.1 else "" if chance < 0.15 else record())
    return lines, delimiter, rng.choice([n for n in names if n])


def case(rng):
    """Returns what is wrong with one table, or None."""
    lines, delimiter, name = draw(rng)
    appends = rng.random() < 0.5
    # (In CSV of one column a blank line is a record.)
    is_csv = delimiter != " " and rng.random() < 0.5 and len(cut(lines[0], delimiter)) > 1
    if rng.random() < 0.5:
        lines[1:] = [disguised(rng, line, delimiter, is_csv) if line == lines[0] else line for line in lines[1:]]
    separated = ["-d", delimiter] * (delimiter != " ") + ["--csv"] * is_csv
    if rng.random() < 0.2:
        return range_case(lines, delimiter, separated, rng.randint(1, 4))
    options = ["-D", "none", "-f", f'"{name}"' if rng.random() < 0.3 else name, f"--chunk-size={rng.choice(['1', '1M'])}"]
    options += separated + ["-a"] * appends
    end = rng.choice(["\n", "\n", "\r\n"])
    want, fails = read(lines, delimiter, name, appends)
    done = subprocess.run([PSCAN, *options], input="".join(line + end for line in lines).encode(), capture_output=True, check=False)
    got = done.stdout.decode().replace("\r\n", "\n").splitlines()
    if (got, done.returncode) == ([] if want == REFUSED else want, 1 if fails else 0):
        return None
    return f"{' '.join(options)}: {lines}: {got}, exit {done.returncode}, not {want}: {done.stderr.decode()}"


def main():
    """All of them."""
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    wrong = 0
    for number in range(count):
        told = case(random.Random(seed * 1000003 + number))
        if told is not None:
            wrong += 1
            print(f"case {number}: {told}")
    print(f"{count} cases, {wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
