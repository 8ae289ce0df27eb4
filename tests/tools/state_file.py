"""Reads and writes a state's file by the words that stand in it: nothing here knows what pscan keeps.

The words are members "TYPE NAME", joined by ", " (src/base/layout.h explains the types). A file is read into sections,
each a list of members with the values that follow them. These can be changed and written again.
"""
import re
import struct
import zlib

MAGIC = b"pscan-st"
VERSION = 4
SIZES = {"i8": 1, "u8": 1, "i16": 2, "u16": 2, "i32": 4, "u32": 4, "i64": 8, "u64": 8, "f32": 4, "f64": 8, "i128": 16, "value": 16}
LEAST = "least byte first"


class Words:
    """Words as tokens."""

    def __init__(self, text):
        self.tokens = re.findall(r"[{}()\[\],]|[^{}()\[\], ]+", text)
        self.at = 0

    def peek(self):
        """The next token, or ""."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted=None):
        """Takes it."""
        token = self.peek()
        assert wanted is None or token == wanted, f"{wanted} expected, not {token}"
        self.at += 1
        return token


def parse_type(words):
    """A type: ("number", word), "count", "text", ("struct", members), ("choice", name, {number: type}), ("sized",
    type)."""
    token = words.take()
    if token == "{":
        members = parse_members(words)
        words.take("}")
        return ("struct", members)
    if token == "(":
        name, choices = words.take(), {}
        while words.peek() != ")":
            number = int(words.take())
            choices[number] = parse_type(words)
        words.take(")")
        return ("choice", name, choices)
    if token == "sized":
        return ("sized", parse_type(words))
    return ("number", token) if token in SIZES else (token,)


def parse_members(words):
    """Members: [type, name, None or how many: a number, or "" if that is said]."""
    members = []
    while words.peek() not in ("", "}"):
        kind, name, count = parse_type(words), words.take(), None
        if words.peek() == "[":
            words.take()
            count = "" if words.peek() == "]" else int(words.take())
            words.take("]")
        members.append([kind, name, count])
        if words.peek() == ",":
            words.take()
    return members


def say_type(kind):
    """The words for a type."""
    if kind[0] == "struct":
        return "{" + say(kind[1]) + "}"
    if kind[0] == "choice":
        return "(" + kind[1] + "".join(f" {n} {say_type(k)}" for n, k in kind[2].items()) + ")"
    if kind[0] == "sized":
        return "sized " + say_type(kind[1])
    return kind[-1]


def say(members):
    """The words for members."""
    return ", ".join(f"{say_type(kind)} {name}" + ("" if count is None else f"[{count}]") for kind, name, count in members)


class Reader:
    """Bytes of a file."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def raw(self, size):
        """So many."""
        assert self.at + size <= len(self.data), "a part is missing"
        self.at += size
        return self.data[self.at - size:self.at]

    def count(self):
        """A count."""
        number = shift = 0
        while True:
            byte = self.raw(1)[0]
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    def value(self, kind, scope):
        """What a type says; scope: the members before it."""
        if kind[0] == "number":
            return int.from_bytes(self.raw(SIZES[kind[1]]), "little")
        if kind == ("count",):
            return self.count()
        if kind == ("text",):
            return self.raw(self.count())
        if kind[0] == "struct":
            return self.members(kind[1])
        if kind[0] == "choice":
            return self.value(kind[2][scope[kind[1]]], scope)
        assert kind[0] == "sized", kind
        end = self.count() + self.at
        values = []
        while self.at < end:
            values.append(self.value(kind[1], scope))
        assert self.at == end, "sizes differ"
        return values

    def members(self, members):
        """Values by their names."""
        values = {}
        for kind, name, count in members:
            times = 1 if count is None else self.count() if count == "" else count
            found = [self.value(kind, values) for _ in range(times)]
            values[name] = found[0] if count is None else found
        return values


def put_count(number):
    """A count."""
    out = bytearray()
    while number >= 128:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def put(kind, value, scope, order="little"):
    """The way back."""
    if kind[0] == "number":
        return value.to_bytes(SIZES[kind[1]], order)
    if kind == ("count",):
        return put_count(value)
    if kind == ("text",):
        return put_count(len(value)) + value
    if kind[0] == "struct":
        return put_members(kind[1], value, order)
    if kind[0] == "choice":
        # (One that there is not is written as the first.)
        return put(kind[2].get(scope[kind[1]], next(iter(kind[2].values()))), value, scope, order)
    inner = b"".join(put(kind[1], v, scope, order) for v in value)
    return put_count(len(inner)) + inner


def put_members(members, values, order="little"):
    """The same of members."""
    out = b""
    for kind, name, count in members:
        found = [values[name]] if count is None else values[name]
        out += put_count(len(found)) if count == "" else b""
        out += b"".join(put(kind, value, values, order) for value in found)
    return out


class Section:
    """Words and what follows them: head (who wrote it, and so on), members, values."""

    def __init__(self, reader):
        text = reader.raw(reader.count()).decode()
        self.head, _, words = text.rpartition(": ")
        self.kinds = parse_members(Words(words))
        assert say(self.kinds) == words, (say(self.kinds), words)
        self.values = reader.members(self.kinds)

    def bytes(self, order="little"):
        """As it stands in a file."""
        text = ((self.head + ": " if self.head else "") + say(self.kinds)).encode()
        return put_count(len(text)) + text + put_members(self.kinds, self.values, order)


def read(path):
    """The sections of a file."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == MAGIC and struct.unpack("<IQ", data[8:20]) == (VERSION, len(data) - 24), "no state"
    assert zlib.crc32(data[:-4]) == struct.unpack("<I", data[-4:])[0], "the checksum is wrong"
    reader = Reader(data[20:-4])
    sections = []
    while reader.at < len(reader.data):
        sections.append(Section(reader))
    return sections


def write(path, sections, order="little"):
    """The way back."""
    content = b"".join(s.bytes(order) for s in sections)
    data = MAGIC + struct.pack("<IQ", VERSION, len(content)) + content
    with open(path, "wb") as file:
        file.write(data + struct.pack("<I", zlib.crc32(data)))
