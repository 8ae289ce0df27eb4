"""Random expressions (expressions.py), and numbers for them: of edges more than of others."""
import numpy as np

from expressions import (ARITIES, COMPARISONS, FLOATS, LEVELS, NAMES, NEARLY, OF_INTEGERS, RANKS, WIDTHS, Expression, Refused, Tree,
                         is_float, limits, parse)

WHOLE = ("0", "1", "2", "3", "5", "7", "10", "16", "31", "32", "33", "63", "64", "65", "100", "127", "128", "255", "256",
         "1000", "32768", "65535", "1000003", "2147483647", "2147483648", "4294967295", "4294967296",
         "9223372036854775807", "0x7f", "0xff", "0x80000000", "0xFFFFFFFF", "0x7fffffffffffffff", "0xffffffffffffffff",
         "010", "0777", "1u", "3U", "4294967295u", "2147483648u", "1l", "2L", "7ul", "5lu", "18446744073709551615ul",
         "0x8000000000000000")
BROKEN = ("0.5", ".25", "1.", "1.5", "0.1", "3.0", "1e3", "1e-3", "2.5e+2", "1e300", "1e-300", "0.5f", "1.1f", "3.f", "1e10f",
          "1e-40f", "4294967296.0", "9007199254740993.0", "16777217.0f", "2e9")
EXACT = ("0", "1", "2", "3", "7", "10", "100", "0.5", ".25", "1.", "0.19", "1.00", "010", "0.001", "12.345", "1000000", "0.000001")
CASTS = tuple(NAMES)
BINARY = tuple(mark for level in LEVELS for mark in sorted(level))


class Maker:
    """names: types by name. nearly: functions whose bits are not promised are allowed. for_device: calls as OpenCL C
    wants them, of arguments of one type. rules: see Expression."""

    def __init__(self, rng, names, nearly=False, for_device=False, rules="C"):
        self.rng = rng
        self.rules = rules
        self.names = names
        self.for_device = for_device
        self.calls = tuple(name for name in ARITIES if nearly or name not in NEARLY)

    def kind(self, tree):
        """The type of a tree."""
        return Expression(shown(tree), self.names, "f64", rules=self.rules).typed.kind

    def leaf(self):
        """A name or a constant."""
        sort = self.rng.random()
        if sort < 0.65:
            return Tree("name", self.rng.choice(list(self.names)))
        if sort < 0.9:
            return self.whole_constant()
        return Tree("number", self.rng.choice(BROKEN))

    def whole_constant(self):
        """An integer: small, at an edge, or any."""
        sort = self.rng.random()
        if sort < 0.4:
            return Tree("number", self.rng.choice(WHOLE[:8]))
        if sort < 0.8:
            return Tree("number", self.rng.choice(WHOLE))
        return Tree("number", str(self.rng.getrandbits(self.rng.randint(1, 63))) + self.rng.choice(("", "", "u", "l", "ul")))

    def tree(self, size):
        """A tree of at most that many operators."""
        if size <= 0:
            return self.leaf()
        sort = self.rng.random()
        first = self.rng.randint(0, size - 1)
        if sort < 0.55:
            return self.binary(first, size - 1 - first)
        if sort < 0.65:
            return Tree("cast", self.rng.choice(CASTS), (self.tree(size - 1),))
        if sort < 0.77:
            return self.unary(size)
        if sort < 0.87:
            second = self.rng.randint(0, size - 1 - first)
            parts = (self.condition(first), self.tree(second), self.tree(size - 1 - first - second))
            return Tree("choose", "", parts)
        name = self.rng.choice(self.calls)
        parts = tuple(map(self.tree, self.shares(size - 1, ARITIES[name])))
        return self.call_for_device(name, parts) if self.for_device else Tree("call", name, parts)

    def call_for_device(self, name, parts):
        """With arguments of one type, which the function has."""
        kinds = [self.kind(part) for part in parts]
        if name == "abs":
            return Tree("call", "floor" if is_float(kinds[0]) else name, parts)
        of_floats = name not in ("min", "max")
        if len(set(kinds)) > 1 or (of_floats and not is_float(kinds[0])):
            known = [kind for kind in kinds if kind in RANKS and (is_float(kind) or not of_floats)]
            kind = max([*known, "f64" if of_floats else "i32"], key=RANKS.index)
            parts = tuple(Tree("cast", next(name for name in NAMES if NAMES[name] == kind), (part,)) for part in parts)
        return Tree("call", name, parts)

    def shares(self, size, count):
        """So many numbers whose sum is the size."""
        cuts = sorted(self.rng.randint(0, size) for _ in range(count - 1))
        return [end - begin for begin, end in zip([0, *cuts], [*cuts, size])]

    def condition(self, size):
        """What often is 0 and often is not."""
        if size == 0 or self.rng.random() < 0.2:
            tree = self.tree(size)
            of_float = self.for_device and is_float(self.kind(tree))
            return Tree("binary", "!=", (tree, Tree("number", "0"))) if of_float else tree
        first = self.rng.randint(0, size - 1)
        return Tree("binary", self.rng.choice(sorted(COMPARISONS)), (self.tree(first), self.tree(size - 1 - first)))

    def unary(self, size):
        """A sign that the type allows."""
        part = self.tree(size - 1)
        sign = self.rng.choice("--!~+")
        return Tree("unary", "-" if sign == "~" and is_float(self.kind(part)) else sign, (part,))

    def whole(self, tree):
        """A tree as an integer."""
        return Tree("cast", self.rng.choice(CASTS[:8]), (tree,)) if is_float(self.kind(tree)) else tree

    def binary(self, first, second):
        """An operator of two; integers where it needs them; often a divisor that is guarded or a constant."""
        sign = self.rng.choice(BINARY + ("+", "-", "*") * 2)
        left, right = self.tree(first), self.tree(second)
        if sign in ("/", "%") and self.rng.random() < 0.4:
            right = self.whole_constant()
            if self.rng.random() < 0.2:
                right = Tree("unary", "-", (right,))
        if sign in OF_INTEGERS:
            left, right = self.whole(left), self.whole(right)
        plain = sign in ("/", "%") and not is_float(self.kind(right)) and right.what not in ("number", "unary")
        quotient = Tree("binary", sign, (left, right))
        if plain and self.rng.random() < 0.8:
            zero = Tree("number", "0")
            if self.rng.random() < 0.5:
                return Tree("choose", "", (Tree("binary", "==", (right, zero)), left, quotient))
            nonzero = Tree("binary", "!=", (right, zero))
            return Tree("binary", "&&", (nonzero, quotient)) if self.rng.random() < 0.3 else Tree("choose", "", (right, quotient, zero))
        return quotient

    def text(self, size, must_use=()):
        """An expression's text, which uses these names."""
        while True:
            try:
                tree = self.tree(size)
                text = shown(tree, self.rng)
                assert parse(text) == tree, text
                if set(must_use) <= Expression(text, self.names, "f64", rules=self.rules).used:
                    return text
            except Refused:
                pass


class ExactMaker(Maker):
    """What is exact for decimals."""

    def leaf(self):
        if self.rng.random() < 0.6:
            return Tree("name", self.rng.choice(list(self.names)))
        return Tree("number", self.rng.choice(EXACT))

    def unary(self, size):
        return Tree("unary", self.rng.choice("--!"), (self.tree(size - 1),))

    def tree(self, size):
        if size <= 0:
            return self.leaf()
        sort = self.rng.random()
        first = self.rng.randint(0, size - 1)
        if sort < 0.6:
            sign = self.rng.choice(("+", "-", "*") * 4 + ("&&", "||", *sorted(COMPARISONS)))
            return Tree("binary", sign, (self.tree(first), self.tree(size - 1 - first)))
        if sort < 0.7:
            return self.unary(size)
        if sort < 0.8:
            second = self.rng.randint(0, size - 1 - first)
            return Tree("choose", "", (self.condition(first), self.tree(second), self.tree(size - 1 - first - second)))
        name = self.rng.choice(("abs", "min", "max", "floor", "ceil", "trunc", "round"))
        return Tree("call", name, tuple(map(self.tree, self.shares(size - 1, ARITIES[name]))))


# --- Text ------------------------------------------------------------------------------------------------------------

LEVEL_OF = {mark: level for level, marks in enumerate(LEVELS) for mark in marks}


def binding(tree):
    """How tight a tree's outermost operator binds: ?: the least."""
    return {"choose": -1, "binary": LEVEL_OF.get(tree.text), "unary": 20, "cast": 20}.get(tree.what, 30)


def shown(tree, rng=None):
    """Its text, with no more brackets than it needs; rng: with some of them and with blanks that it does not need."""
    def part(one, least):
        text = shown(one, rng)
        return f"({text})" if binding(one) < least or (rng is not None and rng.random() < 0.1) else text

    blank = " " if rng is None or rng.random() < 0.7 else ""
    if tree.what in ("number", "name"):
        return tree.text
    if tree.what == "cast":
        return f"({tree.text}){blank if rng else ''}{part(tree.parts[0], 20)}"
    if tree.what == "unary":
        text = part(tree.parts[0], 20)
        # -- and ++ would be operators of C
        return tree.text + (" " if text[0] in "+-" else "") + text
    if tree.what == "call":
        return f"{tree.text}({(',' + blank).join(part(one, -1) for one in tree.parts)})"
    if tree.what == "choose":
        condition, x, y = tree.parts
        return f"{part(condition, 0)}{blank}?{blank}{part(x, -1)}{blank}:{blank}{part(y, -1)}"
    level = LEVEL_OF[tree.text]
    least = LEVEL_OF["<"] + 1 if tree.text in COMPARISONS else level  # comparisons of comparisons have brackets
    left, right = part(tree.parts[0], least), part(tree.parts[1], max(least, level + 1))
    blank = " " if (right[0] in "+-&|" or left[-1].isalnum()) and not blank and tree.text in "+-&" else blank
    return f"{left}{blank}{tree.text}{blank}{right}"


# --- Numbers ---------------------------------------------------------------------------------------------------------

def number(rng, kind):
    """A number of a type: small, at an edge, or any."""
    sort = rng.random()
    if is_float(kind):
        return FLOATS[kind](some_float(rng, kind, sort))
    least, greatest = limits(kind)
    if sort < 0.5:
        return rng.randint(max(least, -9), 9)
    if sort < 0.75:
        edge = rng.choice((least, greatest, 0, 1 << rng.randrange(WIDTHS[kind])))
        return min(max(edge + rng.randint(-2, 2), least), greatest)
    return rng.randint(least, greatest)


def some_float(rng, kind, sort):
    """One of all kinds but NaN."""
    if sort < 0.4:
        return rng.randint(-9, 9)
    if sort < 0.7:
        return rng.randint(-1000, 1000) / 8 + rng.choice((0, 0, 0.5))
    if sort < 0.85:
        return rng.gauss(0, 1e3)
    info = np.finfo(FLOATS[kind])
    return rng.choice((0.0, -0.0, np.inf, -np.inf, info.max, info.tiny, float(info.tiny) * 2.0 ** -20, -1.5, 0.49999997,
                       0.49999999999999994, 2.0 ** 31, 2.0 ** 63, 2.0 ** 64, 4503599627370495.5, 8388609.5, 1e30))


def constant(kind, value):
    """What a literal gives, as text (for seeds)."""
    return repr(float(value)) if is_float(kind) else str(value)
