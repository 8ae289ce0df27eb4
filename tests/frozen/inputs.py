"""Inputs of the frozen vectors, from integer arithmetic alone: no version of a library can change a byte of them.

make(name, seed, count) returns the bytes of an input of count elements. A name is a generator and, for raw elements,
their type: small:i32, wide:f64be. Never change what a generator makes: add another one.
"""
MASK = (1 << 64) - 1
BYTES = {"8": 1, "6": 2, "2": 4, "4": 8}  # by the last digit of a type's name


def words(seed):
    """Steele, Lea and Flood's SplitMix64 ("Fast splittable pseudorandom number generators", 2014)."""
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


# --- Raw elements: each generator yields the bits of count elements, in a type of that width -------------------------

def bits(random, count, width, _signed):
    """Any bits."""
    return [next(random) & ((1 << width) - 1) for _ in range(count)]


def odd(random, count, width, _signed):
    """Any odd number."""
    return [next(random) & ((1 << width) - 1) | 1 for _ in range(count)]


def small(random, count, width, signed):
    """Running sums stay within 0..99."""
    if not signed:
        return [int(next(random) % max(1, count // 50) == 0) for _ in range(count)]
    elements, before = [], 0
    for _ in range(count):
        after = next(random) % 100
        elements.append((after - before) & ((1 << width) - 1))
        before = after
    return elements


def factors(random, count, width, signed):
    """Running products stay below 64: ones (of either sign), and a few twos."""
    twos = [next(random) % max(1, count) for _ in range(6)]
    elements = [(1 << width) - 1 if signed and next(random) & 1 else 1 for _ in range(count)]
    for place in twos:
        if count:
            elements[place] = 2
    return elements


def layout(width):
    """The bits of a float's fraction and its exponent's bias."""
    return (23, 127) if width == 32 else (52, 1023)


def unit(random, count, width, _signed):
    """1 to 2."""
    fraction, bias = layout(width)
    return [bias << fraction | next(random) >> (64 - fraction) for _ in range(count)]


def wide(random, count, width, _signed):
    """Either sign, 2^-20 to 2^20."""
    fraction, bias = layout(width)
    elements = []
    for _ in range(count):
        word = next(random)
        exponent = bias - 20 + (word & 0xFFFF) % 40
        elements.append((word >> 16 & 1) << (width - 1) | exponent << fraction | next(random) >> (64 - fraction))
    return elements


def near_one(random, count, width, _signed):
    """Factors of 1 - 2^-9 to 1 + 2^-8."""
    fraction, bias = layout(width)
    elements = []
    for _ in range(count):
        word = next(random)
        if word & 1:
            elements.append(bias << fraction | word >> (64 - fraction + 8))
        else:
            elements.append((bias << fraction) - 1 - (word >> (64 - fraction + 8)))
    return elements


def denormal(random, count, width, _signed):
    """Denormals and zeros of either sign."""
    fraction, _ = layout(width)
    elements = []
    for _ in range(count):
        word = next(random)
        size = word >> (64 - fraction) if word % 5 else 0
        elements.append((word >> 1 & 1) << (width - 1) | size)
    return elements


def special(random, count, width, _signed):
    """Now and then an infinity of one sign, a signed zero, a denormal or a huge number; NaNs of all sorts in the last
    third."""
    fraction, bias = layout(width)
    infinity = (2 * bias + 1) << fraction
    elements = wide(random, count, width, True)
    for i in range(count):
        word = next(random)
        sign = (word >> 8 & 1) << (width - 1)
        kind = word % 64
        if kind == 0 and i > count // 2:
            elements[i] = infinity
        elif kind == 1:
            elements[i] = sign
        elif kind == 2:
            elements[i] = sign | 1 + (word >> 40)
        elif kind == 3:
            elements[i] = sign | infinity - 1 - (word >> 44)
        elif kind == 4 and i > 2 * count // 3:
            elements[i] = sign | infinity | 1 + (word >> 42)
    return elements


RAW = {"bits": bits, "odd": odd, "small": small, "factors": factors, "unit": unit, "wide": wide, "near-one": near_one,
       "denormal": denormal, "special": special}


def make_raw(kind, type_name, seed, count):
    """Raw elements of a type."""
    order = "big" if type_name.endswith("be") else "little"
    name = type_name.removesuffix("be").removesuffix("le")
    size = BYTES[name[-1]]
    elements = RAW[kind](words(seed), count, 8 * size, name[0] != "u")
    return b"".join(element.to_bytes(size, order) for element in elements)


# --- Text: each generator yields lines -------------------------------------------------------------------------------

def signed_int(word, limit):
    """An integer of -limit..limit."""
    return word % (2 * limit + 1) - limit


def integers(random, count):
    """Integers of up to six digits."""
    return [str(signed_int(next(random), 999999)) for _ in range(count)]


def little(random, count):
    """Integers whose running sums stay within 0..99."""
    out, before = [], 0
    for _ in range(count):
        after = next(random) % 100
        out.append(str(after - before))
        before = after
    return out


def ones(random, count):
    """1, now and then."""
    return [str(int(next(random) % max(1, count // 50) == 0)) for _ in range(count)]


def decimal(word, places):
    """A decimal with so many places behind the point."""
    number = signed_int(word >> 8, 99999999)
    digits = str(abs(number)).rjust(places + 1, "0")
    return ("-" if number < 0 else "") + (digits[:-places] + "." + digits[-places:] if places else digits)


def decimals(random, count):
    """Decimals whose fractions get longer in the course of the stream."""
    return [decimal(next(random), i * 7 // max(1, count)) for i in range(count)]


def cents(random, count):
    """Decimals with two places."""
    return [decimal(next(random), 2) for _ in range(count)]


def broad(random, count):
    """Integers of 19 digits: their sums take more than 64 bits."""
    return [str(10 ** 18 + next(random) % (9 * 10 ** 18)) for _ in range(count)]


def broad_decimals(random, count):
    """Decimals of 18 digits behind the point: sums take 128 bits."""
    return [f"{next(random) % 1000}.{next(random) % 10 ** 18:018d}" for _ in range(count)]


def restart(random, count):
    """Exact decimals, and in the second half numbers that are none: exactness ends at the first."""
    out = cents(random, count)
    for i in range(count // 2, count, 3):
        out[i] = f"{signed_int(next(random), 999)}7e-{19 + next(random) % 6}"
    return out


def beyond(random, count):
    """Integers of 37 digits: the sum leaves 128 bits and goes on in f64."""
    return [str(10 ** 36 + next(random) * next(random) % (9 * 10 ** 36)) for _ in range(count)]


def fractions(random, count):
    """Factors near one; the first one with a fraction comes late."""
    return ["2" if i == 3 else "-1" if next(random) & 1 else f"1.{next(random) % 100:02d}" if i > count // 2 else "1"
            for i in range(count)]


def floats(random, count):
    """Numbers as floats are often written, with exponents and without."""
    out = []
    for _ in range(count):
        word = next(random)
        number = decimal(next(random), word % 7)
        out.append(f"{number}e{signed_int(word >> 32, 12)}" if word & 256 else number)
    return out


def marks(random, count):
    """Decimals with marks of missing numbers among them."""
    return [("-", "NA", "N/A", "null")[next(random) % 4] if next(random) % 9 == 0 else decimal(next(random), 1)
            for _ in range(count)]


def table(random, count):
    """A name, a number or a mark, a note; fields by blanks."""
    return [f"row{i}  {'-' if next(random) % 11 == 0 else decimal(next(random), 2)} note{next(random) % 100}"
            for i in range(count)]


def columns(random, count):
    """Four numbers a line: with two places, with ever more, a float and an integer whose sums take more than 64 bits.
    """
    return [f"{decimal(next(random), 2)} {decimal(next(random), 5 * i // count)}  {next(random) % 1000}e{next(random) % 5}"
            f"\t{9 * 10 ** 17 + next(random) % 10 ** 9}" for i in range(count)]


def semicolons(random, count):
    """Integers between semicolons; some lines lack them."""
    return ["short" if next(random) % 13 == 0 else f"a b; {signed_int(next(random), 9999)};c" for _ in range(count)]


def csv(random, count):
    """A header and records with quotes, doubled ones, commas and newlines in them."""
    names = ('"Ely, north"', "Bath", '"a ""b"""', '"two\nlines"', "")
    return ["place,units,price"] + [f"{names[next(random) % 5]},{next(random) % 90},{decimal(next(random), 2)}"
                                    for _ in range(count)]


TEXT = {function.__name__: function for function in (
    integers, little, ones, decimals, cents, broad, broad_decimals, restart, beyond, fractions, floats, marks, table, columns,
    semicolons, csv)}


def make(name, seed, count):
    """The bytes of an input."""
    kind, _, type_name = name.partition(":")
    if type_name:
        return make_raw(kind, type_name, seed, count)
    return "".join(line + "\n" for line in TEXT[kind](words(seed), count)).encode()
