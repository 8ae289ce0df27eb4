"""Expressions of --map, --emit and -op by their definition: an own parser, and an evaluation with OpenCL C's types over
Python's integers, numpy's floats and fractions. Nothing is taken from pscan.

    Expression(text, {"x": "i32", "i": "u64"}, "i32").value((5, 0))     one value, or Bad
    Expression(text, {"x": "f64", "i": "u64"}, "f64", rules="num")         the same of text without a type
    Decimals(text, ["x"]).value((Fraction(1, 4), 2), ...)               the same of exact decimals
"""
import re
from fractions import Fraction
from typing import Callable, NamedTuple, Optional

import numpy as np

WIDTHS = {"i8": 8, "u8": 8, "i16": 16, "u16": 16, "i32": 32, "u32": 32, "i64": 64, "u64": 64}
FLOATS = {"f32": np.float32, "f64": np.float64}
NAMES = {"char": "i8", "uchar": "u8", "short": "i16", "ushort": "u16", "int": "i32", "uint": "u32", "long": "i64",
         "ulong": "u64", "float": "f32", "double": "f64"}
RANKS = ("i32", "u32", "i64", "u64", "f32", "f64")  # the greater one of both operands is the type of what is computed
LEVELS = ({"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">="}, {"<<", ">>"}, {"+", "-"},
          {"*", "/", "%"})
OF_INTEGERS = {"%", "&", "|", "^", "<<", ">>"}
COMPARISONS = {"==", "!=", "<", ">", "<=", ">="}
ARITIES = {"abs": 1, "min": 2, "max": 2, "floor": 1, "ceil": 1, "trunc": 1, "round": 1, "sqrt": 1, "fma": 3, "exp": 1,
           "log": 1, "log2": 1, "log10": 1, "pow": 2, "sin": 1, "cos": 1, "tan": 1, "atan2": 2, "hypot": 2, "isnan": 1}
NEARLY = {"exp": np.exp, "log": np.log, "log2": np.log2, "log10": np.log10, "pow": np.power, "sin": np.sin,
          "cos": np.cos, "tan": np.tan, "atan2": np.arctan2, "hypot": np.hypot}  # whose bits are not promised
TOKEN = re.compile(r"\s*(?:(0[xX][0-9a-fA-F]+[uUlL]*|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFuUlL]*)|([A-Za-z_]\w*|\{[^}]*\})"
                   r"|(<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>!&|^~?:(),]))")


class Refused(Exception):
    """The text is no expression that the host evaluates."""


class Bad(Exception):
    """There is no value."""


class Undefined(Exception):
    """OpenCL C leaves the value open, and pscan's host does not."""


# --- Text ------------------------------------------------------------------------------------------------------------

class Tree(NamedTuple):
    """what: number, name, cast, call, choose, or an operator of one or two parts."""

    what: str
    text: str
    parts: tuple = ()


def tokens_of(text):
    """(sort, token) of each, and a last one of nothing. Sorts are 0: number, 1: name, 2: mark."""
    tokens = []
    place = 0
    while text[place:].strip():
        found = TOKEN.match(text, place)
        if not found:
            raise Refused(f"at {place}: {text[place:]}")
        place = found.end()
        sort = next(k for k in range(3) if found.group(k + 1))
        tokens.append((sort, found.group(sort + 1)))
    return [*tokens, (2, "")]


class Parser:
    """By precedence."""

    def __init__(self, text):
        self.tokens = tokens_of(text)
        self.place = 0
        self.bare = []  # comparisons without brackets around them

    def next_is(self, *marks):
        """Whether one of these is next."""
        sort, token = self.tokens[self.place]
        return sort == 2 and token in marks

    def take(self, mark=None):
        """The next token, which must be the mark."""
        sort, token = self.tokens[self.place]
        if mark is not None and (sort, token) != (2, mark):
            raise Refused(f"{token} where {mark} is due")
        self.place += 1
        return sort, token

    def whole(self):
        """The text's tree."""
        tree = self.choice()
        self.take("")
        return tree

    def choice(self):
        """?: groups from the right."""
        condition = self.binary(0)
        if not self.next_is("?"):
            return condition
        self.take("?")
        chosen = self.choice()
        self.take(":")
        return Tree("choose", "", (condition, chosen, self.choice()))

    def binary(self, level):
        """Operators of this level and those that bind tighter, from the left."""
        if level == len(LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.next_is(*LEVELS[level]):
            sign = self.take()[1]
            right = self.binary(level + 1)
            if sign in COMPARISONS and any(part is one for part in (left, right) for one in self.bare):
                raise Refused("a comparison of a comparison")
            left = Tree("binary", sign, (left, right))
            if sign in COMPARISONS:
                self.bare.append(left)
        return left

    def unary(self):
        """Signs, casts, calls, brackets and what is one token."""
        sort, token = self.take()
        if sort == 0:
            return Tree("number", token)
        if sort == 1:
            if not self.next_is("("):
                return Tree("name", token)
            self.take("(")
            parts = [self.choice()]
            while self.next_is(","):
                self.take(",")
                parts.append(self.choice())
            self.take(")")
            return Tree("call", token, tuple(parts))
        if token in ("+", "-", "!", "~"):
            return Tree("unary", token, (self.unary(),))
        if token != "(":
            raise Refused(f"{token} where a value is due")
        sort, token = self.tokens[self.place]
        if sort == 1 and token in NAMES:
            self.take()
            self.take(")")
            return Tree("cast", token, (self.unary(),))
        tree = self.choice()
        self.take(")")
        self.bare = [one for one in self.bare if one is not tree]
        return tree


def parse(text):
    """The tree of a text."""
    return Parser(text).whole()


# --- Numbers ---------------------------------------------------------------------------------------------------------

def limits(kind):
    """The least and the greatest integer."""
    bits = WIDTHS[kind]
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if kind[0] == "i" else (0, (1 << bits) - 1)


def wrap(kind, number):
    """Modulo the type's size."""
    bits = WIDTHS[kind]
    number &= (1 << bits) - 1
    return number - (1 << bits) if kind[0] == "i" and number >> (bits - 1) else number


def rounded(number, kind):
    """A fraction or an integer as the nearest float, ties to even."""
    try:
        near = np.float64(float(Fraction(number)))
    except OverflowError:
        near = np.float64(np.inf if number > 0 else -np.inf)
    if kind == "f64":
        return near
    middle = np.float32(near)
    around = [middle, np.nextafter(middle, np.float32(-np.inf)), np.nextafter(middle, np.float32(np.inf))]
    if abs(number) >= 2 ** 128 - 2 ** 103:
        return np.float32(np.inf if number > 0 else -np.inf)
    around = [x for x in around if np.isfinite(x)]
    best = min(around, key=lambda x: (abs(Fraction(float(x)) - number), int(x.view(np.uint32)) & 1))
    return np.copysign(best, np.float32(near))


def truncated(number, kind):
    """A float as an integer."""
    if not np.isfinite(number):
        raise Bad
    whole = int(number)
    least, greatest = limits(kind)
    if not least <= whole <= greatest:
        raise Bad
    return whole


def divided(a, b):
    """Quotient and remainder as C has them."""
    quotient = abs(a) // abs(b)
    quotient = -quotient if (a < 0) != (b < 0) else quotient
    return quotient, a - quotient * b


def nearest_whole(x):
    """Halves away from 0."""
    whole = np.trunc(x)
    return whole + np.copysign(type(x)(1), x) if np.abs(x - whole) >= 0.5 else whole


def fused(a, b, c):
    """a * b + c, rounded once."""
    kind = "f32" if isinstance(a, np.float32) else "f64"
    if np.isfinite(a) and np.isfinite(b):
        if not np.isfinite(c):
            return c
        exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
        if exact != 0:
            return rounded(exact, kind)
        if a != 0 and b != 0:
            return type(a)(0)
    return a * b + c


# --- Types -----------------------------------------------------------------------------------------------------------

class Typed(NamedTuple):
    """A part of an expression: its type, what computes it from the inputs, and the integer that it is if it is made of
    constants."""

    kind: str
    value: Callable
    constant: Optional[int] = None


def is_float(kind):
    """f32 or f64."""
    return kind in FLOATS


def converted(part, kind):
    """In another type."""
    old, value, constant = part
    if old == kind:
        return part
    if is_float(kind):
        number = FLOATS[kind]
        if is_float(old):
            return Typed(kind, lambda inputs: number(value(inputs)))
        if WIDTHS[old] <= 16 or (kind == "f64" and WIDTHS[old] == 32):
            return Typed(kind, lambda inputs: number(value(inputs)))
        return Typed(kind, lambda inputs: rounded(value(inputs), kind))
    if is_float(old):
        return Typed(kind, lambda inputs: truncated(value(inputs), kind))
    return Typed(kind, lambda inputs: wrap(kind, value(inputs)), None if constant is None else wrap(kind, constant))


def folded(sign, kind, a, b):
    """An operation of two integer constants of a type. None: it is no constant."""
    if sign in "/%" and b == 0:
        raise Refused("a division by 0")
    if sign == "/" and divided(a, b)[1] != 0:
        raise Refused("a division with a remainder")
    if sign == "<<" and b >= WIDTHS[kind]:
        raise Refused("a shift by too many bits")
    number = {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: divided(a, b)[0],
              "%": lambda: divided(a, b)[1], "<<": lambda: a << b if b >= 0 else None}.get(sign, lambda: None)()
    if number is None or kind[0] == "u":
        return None if number is None else wrap(kind, number)
    if wrap(kind, number) != number:
        raise Refused("a constant does not fit")
    return number


def literal(text, is_num=False):
    """A constant as C types it; of num an i64 if it has no suffix."""
    low = text.lower()
    if not low.startswith("0x") and re.search(r"[.ef]", low):
        if low[-1] in "ul" or (low[-1] == "f" and not re.search(r"[.e]", low)):
            raise Refused(text)
        kind = "f32" if low[-1] == "f" else "f64"
        return kind, rounded(Fraction(low.rstrip("f")), kind)
    digits = low.rstrip("ul")
    suffix = low[len(digits):]
    if suffix not in ("", "u", "l", "ul", "lu"):
        raise Refused(text)
    octal = len(digits) > 1 and digits[0] == "0" and digits[1] != "x"
    number = int(digits, 8 if octal else 0)
    kinds = [k for k in ("i32", "u32", "i64", "u64") if not ("u" in suffix and k[0] == "i") and not ("l" in suffix and "3" in k)]
    if is_num and not suffix:
        kinds = ["i64"]
    elif digits[0] != "0" and "u" not in suffix:
        kinds = [k for k in kinds if k[0] == "i"]
    for kind in kinds:
        if number <= limits(kind)[1]:
            return kind, number
    raise Refused(text)


def signed_overflow(kind, exact):
    """What wraps here is undefined in OpenCL C."""
    if kind[0] == "i" and not limits(kind)[0] <= exact <= limits(kind)[1]:
        raise Undefined


class Expression:
    """Compiled for inputs of certain types. strict: what OpenCL C leaves open raises Undefined. rules: those of C;
    of num; floats: of num where it was exact, there all constants are floats."""

    def __init__(self, text, kinds, kind, strict=False, rules="C"):
        self.rules = rules
        self.is_num = rules != "C"
        self.may_be_bad = False  # some values of the inputs have no value
        kinds = {name: "i64" if self.is_num and of == "u64" else of for name, of in kinds.items()}
        self.places = {name: (place, of) for place, (name, of) in enumerate(kinds.items())}
        self.strict = strict
        self.used = set()
        self.typed = self.compiled(parse(text))
        self.kind = kind
        self.value = converted(self.typed, kind).value  # of a tuple of the inputs, in their order

    def compiled(self, tree):
        """A tree with types."""
        return getattr(self, "of_" + tree.what)(tree.text, tree.parts)

    def of_number(self, text, _):
        """Constants."""
        kind, number = literal(text, self.is_num)
        if self.rules == "floats":
            number = rounded(Fraction(text) if is_float(kind) else number, "f64")
            return Typed("f64", lambda inputs: number)
        return Typed(kind, lambda inputs: number, None if is_float(kind) else number)

    def promoted(self, part):
        """What is narrower than int is an int; of num, integers have 64 bits."""
        narrow = [kind for kind, width in WIDTHS.items() if width < (64 if self.is_num else 32)]
        return converted(part, "i64" if self.is_num else "i32") if part.kind in narrow else part

    def brought_together(self, *parts):
        """The usual arithmetic conversions."""
        parts = [self.promoted(part) for part in parts]
        kind = max((part.kind for part in parts), key=RANKS.index)
        return [converted(part, kind) for part in parts]

    def alike(self, *parts):
        """The type that they have in common, and what computes them as such."""
        parts = self.brought_together(*parts)
        return parts[0].kind, [part.value for part in parts]

    def of_name(self, name, _):
        """Inputs."""
        if name not in self.places:
            raise Refused(f"no {name}")
        place, kind = self.places[name]
        self.used.add(name)
        return Typed(kind, lambda inputs: inputs[place])

    def of_cast(self, name, parts):
        """(type)x"""
        given = self.compiled(parts[0])
        self.may_be_bad |= is_float(given.kind) and not is_float(NAMES[name])
        return converted(given, NAMES[name])

    def of_unary(self, sign, parts):
        """+ - ! ~"""
        given = self.compiled(parts[0])
        if sign == "!":
            value = given.value
            return Typed("i32", lambda inputs: int(value(inputs) == 0))
        kind, value, constant = self.promoted(given)
        if sign == "+":
            return Typed(kind, value, constant)
        if is_float(kind):
            if sign == "~":
                raise Refused("~ of a float")
            return Typed(kind, lambda inputs: -value(inputs))
        if sign == "~":
            return Typed(kind, lambda inputs: wrap(kind, ~value(inputs)))
        return self.wrapping(kind, lambda inputs: -value(inputs))._replace(
            constant=None if constant is None else folded("-", kind, 0, constant))

    def wrapping(self, kind, exact):
        """Integers that wrap."""
        if not self.strict:
            return Typed(kind, lambda inputs: wrap(kind, exact(inputs)))

        def checked(inputs):
            number = exact(inputs)
            signed_overflow(kind, number)
            return wrap(kind, number)
        return Typed(kind, checked)

    def of_choose(self, _, parts):
        """c ? x : y, of which one is left out."""
        condition = self.compiled(parts[0]).value
        kind, (x, y) = self.alike(self.compiled(parts[1]), self.compiled(parts[2]))
        return Typed(kind, lambda inputs: x(inputs) if condition(inputs) != 0 else y(inputs))

    def of_binary(self, sign, parts):
        """Operators of two."""
        left, right = map(self.compiled, parts)
        if sign in ("&&", "||"):
            x, y = left.value, right.value
            if sign == "&&":
                return Typed("i32", lambda inputs: int(x(inputs) != 0 and y(inputs) != 0))
            return Typed("i32", lambda inputs: int(x(inputs) != 0 or y(inputs) != 0))
        if sign in OF_INTEGERS and (is_float(left.kind) or is_float(right.kind)):
            raise Refused(f"{sign} of a float")
        if sign in ("<<", ">>"):
            return self.shifted(sign, self.promoted(left), right)
        if self.is_num and sign == "/" and not is_float(left.kind) and not is_float(right.kind):
            left, right = converted(left, "f64"), converted(right, "f64")
        left, right = self.brought_together(left, right)
        kind, x, y = left.kind, left.value, right.value
        constant = None
        if left.constant is not None and right.constant is not None and sign not in COMPARISONS:
            constant = folded(sign, kind, left.constant, right.constant)
        if sign in COMPARISONS:
            compare = {"==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b,
                       ">": lambda a, b: a > b, "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b}[sign]
            return Typed("i32", lambda inputs: int(compare(x(inputs), y(inputs))))
        if sign in ("/", "%") and not is_float(kind):
            return self.divided(sign, kind, x, y)._replace(constant=constant)
        exact = {"+": lambda inputs: x(inputs) + y(inputs), "-": lambda inputs: x(inputs) - y(inputs),
                 "*": lambda inputs: x(inputs) * y(inputs), "/": lambda inputs: x(inputs) / y(inputs),
                 "&": lambda inputs: x(inputs) & y(inputs), "|": lambda inputs: x(inputs) | y(inputs),
                 "^": lambda inputs: x(inputs) ^ y(inputs)}[sign]
        if is_float(kind) or sign in "&|^":
            return Typed(kind, exact)
        return self.wrapping(kind, exact)._replace(constant=constant)

    def shifted(self, sign, left, right):
        """The count is modulo the width of the left operand's type."""
        kind, x, constant = left
        y = right.value
        mask = WIDTHS[kind] - 1
        if sign == "<<":
            constant = None if None in (constant, right.constant) else folded(sign, kind, constant, right.constant)
            return Typed(kind, lambda inputs: wrap(kind, x(inputs) << (y(inputs) & mask)), constant)
        return Typed(kind, lambda inputs: x(inputs) >> (y(inputs) & mask))

    def divided(self, sign, kind, x, y):
        """Of integers."""
        self.may_be_bad = True
        least = limits(kind)[0]

        def quotient(inputs):
            a, b = x(inputs), y(inputs)
            if b == 0:
                raise Bad
            if b == -1 and a == least:
                if sign == "/":
                    raise Bad
                if self.strict:
                    raise Undefined
            return divided(a, b)[sign == "%"]
        return Typed(kind, quotient)

    def of_call(self, name, parts):
        """Functions."""
        if ARITIES.get(name) != len(parts):
            raise Refused(f"{name} of {len(parts)}")
        given = [self.compiled(part) for part in parts]
        if name == "abs":
            if self.is_num and WIDTHS.get(given[0].kind, 0) >= 32:
                kind, value, _ = self.promoted(given[0])
                return Typed(kind, lambda inputs: wrap(kind, abs(value(inputs))))
            kind, value, _ = given[0]
            return Typed(kind.replace("i", "u"), lambda inputs: abs(value(inputs)))
        if name in ("min", "max"):
            if given[0].kind == given[1].kind and not (self.is_num and WIDTHS.get(given[0].kind) == 32):
                kind, (x, y) = given[0].kind, (given[0].value, given[1].value)
            else:
                kind, (x, y) = self.alike(*given)
            return Typed(kind, self.extreme(name, x, y))
        kind, values = self.alike(*(part if is_float(part.kind) else converted(part, "f64") for part in given))
        if name == "isnan":
            return Typed("i32", lambda inputs: int(np.isnan(values[0](inputs))))
        function = {"floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "round": nearest_whole, "sqrt": np.sqrt,
                    "fma": fused, **NEARLY}[name]
        return Typed(kind, lambda inputs: function(*(value(inputs) for value in values)))

    def extreme(self, name, x, y):
        """y < x ? y : x, and x < y ? y : x."""
        def chosen(inputs):
            a, b = x(inputs), y(inputs)
            if self.strict and (a != a or b != b or (a == b == 0)):  # NaN; which zero it is
                raise Undefined
            return b if (b < a if name == "min" else a < b) else a
        return chosen


# --- Exact decimals --------------------------------------------------------------------------------------------------

SCALE_MAX = 18
EXACT_CALLS = ("abs", "min", "max", "floor", "ceil", "trunc", "round")


class TooWide(Exception):
    """A value is no exact decimal of 128 bits."""


def exponent_form(text):
    """The number 1.5e-3, and its scale: the digits after the point less the exponent."""
    digits, exponent = re.split("[eE]", text)
    return Fraction(text), max(len(digits.partition(".")[2]) - int(exponent), 0)


def is_exact(tree):
    """Whether all of it is exact for decimals."""
    if tree.what == "number":
        if re.fullmatch(r"(\d+\.?\d*|\.\d+)[eE][+-]?\d+", tree.text):
            number, scale = exponent_form(tree.text)
            return scale <= SCALE_MAX and number * 10 ** scale < 2 ** 127
        return re.fullmatch(r"0[0-7]+|\d*\.\d*|0|[1-9]\d*", tree.text) is not None
    if tree.what in ("unary", "binary", "call", "cast"):
        allowed = {"unary": ("+", "-", "!"), "binary": ("+", "-", "*", "&&", "||", *COMPARISONS), "call": EXACT_CALLS,
                   "cast": ()}[tree.what]
        if tree.text not in allowed:
            return False
    return all(map(is_exact, tree.parts))


def fitted(value, scale):
    """A number with its scale, which zeros at its end may make less."""
    while scale > SCALE_MAX and (value * 10 ** (scale - 1)).denominator == 1:
        scale -= 1
    if scale > SCALE_MAX or not -2 ** 127 <= value * 10 ** scale < 2 ** 127:
        raise TooWide
    return value, scale


class Decimals:
    """An exact expression of names."""

    def __init__(self, text, names):
        self.tree = parse(text)
        if not is_exact(self.tree):
            raise Refused("not exact")
        self.names = names
        self.doubles = Expression(text, {name: "f64" for name in names}, "f64", rules="floats")

    def value(self, inputs):
        """inputs: (fraction, scale), or a float each. The same, or a float."""
        try:
            return self.of(self.tree, dict(zip(self.names, inputs)))
        except TooWide:
            floats = (x if isinstance(x, float) else rounded(x[0], "f64") for x in inputs)
            return float(self.doubles.value(tuple(map(np.float64, floats))))

    def of(self, tree, inputs):
        """(fraction, scale) of a part."""
        if tree.what == "number":
            if "e" in tree.text.lower():
                return fitted(*exponent_form(tree.text))
            if "." not in tree.text:
                return fitted(Fraction(literal(tree.text)[1]), 0)
            return fitted(Fraction(tree.text), len(tree.text.partition(".")[2]))
        if tree.what == "name":
            if isinstance(inputs[tree.text], float):
                raise TooWide
            return inputs[tree.text]
        if tree.what == "choose":
            return self.of(tree.parts[1 if self.of(tree.parts[0], inputs)[0] != 0 else 2], inputs)
        x, x_scale = self.of(tree.parts[0], inputs)
        if tree.text in ("&&", "||"):
            decided = (x != 0) == (tree.text == "||")
            return Fraction(int(x != 0 if decided else self.of(tree.parts[1], inputs)[0] != 0)), 0
        if len(tree.parts) == 1:
            half = Fraction(1, 2)
            number, scale = {"+": lambda: (x, x_scale), "-": lambda: (-x, x_scale), "!": lambda: (int(x == 0), 0),
                             "abs": lambda: (abs(x), x_scale), "floor": lambda: (x // 1, 0),
                             "ceil": lambda: (-(-x // 1), 0), "trunc": lambda: (int(x), 0),
                             "round": lambda: ((x + half) // 1 if x >= 0 else -((half - x) // 1), 0)}[tree.text]()
            return fitted(Fraction(number), scale)
        y, y_scale = self.of(tree.parts[1], inputs)
        if tree.text in ("min", "max"):
            return (y, y_scale) if (y < x if tree.text == "min" else x < y) else (x, x_scale)
        common = max(x_scale, y_scale)
        number, scale = {"+": lambda: (x + y, common), "-": lambda: (x - y, common), "*": lambda: (x * y, x_scale + y_scale),
                         "==": lambda: (int(x == y), 0), "!=": lambda: (int(x != y), 0), "<": lambda: (int(x < y), 0),
                         ">": lambda: (int(x > y), 0), "<=": lambda: (int(x <= y), 0),
                         ">=": lambda: (int(x >= y), 0)}[tree.text]()
        return fitted(Fraction(number), scale)
