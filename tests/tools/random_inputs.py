"""Arrays for the differential tests: each maker takes a random generator, a type and a count.

Integers come in two sorts: those whose results fit, and any bits at all. Floats come in eight, from the ordinary to
NaNs with payloads, so that every rule of the operators is needed by one of them.
"""
import numpy as np

from grid_oracle import DTYPES, FLOATS, TILE


def random_bits(rng, dtype, count):
    """Any bit pattern at all."""
    return np.frombuffer(rng.bytes(count * dtype.itemsize), dtype).copy()


def random_between(rng, dtype, least, greatest, count):
    """Integers, uniform, both ends included."""
    return rng.integers(least, greatest, count, dtype=dtype, endpoint=True)


def running_sums(rng, dtype, count, least=None, greatest=None):
    """Integers from least to greatest (the type's) whose running sum visits both and never leaves them.

    The sums of runs alone may leave them."""
    limits = np.iinfo(dtype)
    least = int(limits.min) if least is None else least
    greatest = int(limits.max) if greatest is None else greatest
    if least == 0:
        return rising_sums(rng, dtype, count, greatest)
    elements = []
    total = 0
    for aim in random_between(rng, dtype, least, greatest, count).tolist():
        aim = (least if aim < 0 else greatest) if aim % 7 == 0 else aim
        step = min(max(aim - total, least), greatest)
        total += step
        elements.append(step)
    return np.array(elements, dtype)


def rising_sums(rng, dtype, count, greatest):
    """Integers, none negative, whose running sum reaches greatest with the last one at the latest."""
    sums = np.sort(random_between(rng, dtype, 0, greatest, count))
    sums[count - 1 - count // 4:] = greatest
    return np.diff(sums, prepend=dtype.type(0))


def running_products(rng, dtype, count):
    """Integers whose running product never leaves the type: a few factors, then a zero, then anything."""
    limits = np.iinfo(dtype)
    elements = np.ones(count, dtype)
    if limits.min < 0:
        elements[rng.random(count) < 0.5] = -1
    product = 1
    for index in np.sort(rng.integers(0, max(1, count // 2), 40)).tolist():
        factor = int(rng.integers(2, 6))
        if product * factor <= limits.max:
            product *= abs(int(elements[index])) * factor
            elements[index] *= dtype.type(factor)
    late = 5 * count // 8
    elements[late:] = random_bits(rng, dtype, count - late)
    elements[late:late + 1] = 0
    return elements


def ramp(rng, dtype, count, falling):
    """Integers below a rising limit (above a falling one), so that the running extreme goes on changing."""
    limits = np.iinfo(dtype)
    part = rng.random(count) * np.linspace(0.0, 1.0, count, endpoint=False)
    offset = [int(x) for x in (part * float(limits.max - limits.min)).tolist()]
    span = int(limits.max) - int(limits.min)
    values = [int(limits.max) - min(x, span) if falling else int(limits.min) + min(x, span) for x in offset]
    return np.array(values, dtype)


def few_bits(rng, dtype, count, inverted):
    """Mostly zero, now and then a single bit (or the inverse)."""
    unsigned = np.dtype(f"u{dtype.itemsize}")
    shift = rng.integers(0, 8 * dtype.itemsize, count).astype(unsigned)
    rare = rng.random(count) < 8 * dtype.itemsize / max(1, count)
    bits = np.where(rare, np.left_shift(unsigned.type(1), shift), unsigned.type(0)).astype(unsigned)
    return (~bits if inverted else bits).view(dtype)


def fitting_integers(op, dtype, rng, count):
    """Integers whose results all fit."""
    if op == "sum":
        return running_sums(rng, dtype, count)
    if op == "prod":
        return running_products(rng, dtype, count)
    if op in ("max", "min"):
        return ramp(rng, dtype, count, op == "min")
    return few_bits(rng, dtype, count, op == "and")


def float_bits(dtype):
    """The unsigned type of a float's bits, its infinity's bits, and its sign bit."""
    unsigned = np.dtype(f"u{dtype.itemsize}")
    infinity = int(np.array([np.inf], dtype).view(unsigned)[0])
    return unsigned, infinity, 1 << (8 * dtype.itemsize - 1)


def random_nans(rng, dtype, count):
    """Quiet and signalling NaNs of either sign with any payload."""
    unsigned, infinity, _ = float_bits(dtype)
    return (random_bits(rng, unsigned, count) | unsigned.type(infinity + 1)).view(dtype)


def floats_unit(rng, dtype, count):
    """Uniform in 0..1."""
    return rng.random(count, dtype=dtype)


def floats_wide(rng, dtype, count):
    """Either sign, twelve decades."""
    return (rng.standard_normal(count) * 10.0 ** rng.uniform(-6, 6, count)).astype(dtype)


def floats_near_one(rng, dtype, count):
    """Factors whose running product stays near 1."""
    return (1 + 0.02 * rng.standard_normal(count)).astype(dtype)


def floats_tiny(rng, dtype, count):
    """Denormals, zeros of either sign and the smallest normal numbers."""
    unsigned, _, sign = float_bits(dtype)
    least_normal = int(np.array([np.finfo(dtype).tiny]).view(unsigned)[0])
    bits = random_between(rng, unsigned, 0, 2 * least_normal, count)
    bits[rng.random(count) < 0.2] = 0
    return (bits | (random_bits(rng, unsigned, count) & unsigned.type(sign))).view(dtype)


def floats_zero(rng, dtype, count):
    """-0 for a tile and more, then zeros of either sign."""
    zeros = np.where(rng.random(count) < 0.01, 0.0, -0.0)
    zeros[:TILE + 700] = -0.0
    return zeros.astype(dtype)


def floats_huge(rng, dtype, count):
    """Running sums rise past the greatest number and come back; at last an infinity."""
    greatest = float(np.finfo(dtype).max)
    slope = np.cos(np.linspace(0.0, np.pi, count)) * (4.5 / max(count, 16))
    values = (slope + rng.standard_normal(count) / 4000) * greatest
    values[7 * count // 8:7 * count // 8 + 1] = np.inf
    return values.astype(dtype)


def floats_any(rng, dtype, count):
    """Any bits but NaNs, and those after five eighths."""
    unsigned, infinity, sign = float_bits(dtype)
    bits = random_bits(rng, unsigned, count)
    magnitude = bits & unsigned.type(sign - 1)
    values = np.where(magnitude >= unsigned.type(infinity), bits ^ magnitude, bits).view(dtype).copy()
    late = 5 * count // 8
    where = late + np.flatnonzero(rng.random(count - late) < 0.01)
    values[where] = random_nans(rng, dtype, len(where))
    return values


def floats_ramp(rng, dtype, count):
    """Growing magnitudes of either sign, so that extremes go on changing; at last a NaN."""
    grow = np.linspace(0.0, 1.0, count)
    values = (rng.uniform(-1, 1, count) * grow * np.where(grow < 0.1, 0.0, 1.0)).astype(dtype)
    late = 7 * count // 8
    values[late:late + 1] = random_nans(rng, dtype, len(values[late:late + 1]))
    return values


FLOAT_INPUTS = {
    "unit": floats_unit, "wide": floats_wide, "near-one": floats_near_one, "tiny": floats_tiny,
    "zero": floats_zero, "huge": floats_huge, "any": floats_any, "ramp": floats_ramp,
}


def inputs_of(op, kind):
    """The inputs for a row: (name, whether integers must wrap, maker of an array)."""
    dtype = DTYPES[kind]
    if kind in FLOATS:
        return [(name, False, lambda rng, n, make=make: make(rng, dtype, n)) for name, make in FLOAT_INPUTS.items()]
    inputs = [("fits", False, lambda rng, n: fitting_integers(op, dtype, rng, n))]
    if op == "prod":
        # Odd factors: an even one every few elements would soon leave nothing but zeros.
        inputs.append(("wild", True, lambda rng, n: random_bits(rng, dtype, n) | dtype.type(1)))
    else:
        inputs.append(("wild", op == "sum", lambda rng, n: random_bits(rng, dtype, n)))
    return inputs


def fitting_elements(rng, source, accumulator, count):
    """Elements of one type that can be converted to the other, its limits and fractions among them."""
    if accumulator.kind == "f":
        return random_bits(rng, source, count) if source.kind != "f" else floats_wide(rng, source, count)
    limits = np.iinfo(accumulator)
    if source.kind != "f":
        least = max(int(limits.min), int(np.iinfo(source).min))
        greatest = min(int(limits.max), int(np.iinfo(source).max))
        values = random_between(rng, source, least, greatest, count)
        values[:2] = (least, greatest)[:count]
        return values
    values = (rng.uniform(-1, 1, count) * float(limits.max) * np.linspace(0.001, 0.9, count)).astype(source)
    values = np.abs(values) if limits.min == 0 else values
    # The outermost floats that are truncated into the type.
    greatest = np.nextafter(source.type(float(limits.max + 1)), source.type(0))
    least = np.nextafter(source.type(float(limits.min) - 1), source.type(0))
    least = least if np.trunc(least) >= float(limits.min) else source.type(float(limits.min))
    values[:4] = np.array([greatest, least, -0.75, 0.75], source)[:count]
    return values


def small_sums(rng, source, accumulator, count):
    """Integers that both types hold, and whose running sum both hold."""
    least = max(int(np.iinfo(source).min), int(np.iinfo(accumulator).min))
    greatest = min(int(np.iinfo(source).max), int(np.iinfo(accumulator).max))
    return running_sums(rng, source, count, least, greatest)


def overflow_at(op, kind, place, downwards=False):
    """A maker of elements whose exact result is at the type's limit and leaves it at a place; others there do not fit
    either."""
    dtype = DTYPES[kind]
    limits = np.iinfo(dtype)

    def make_sum(rng, count):
        elements = np.zeros(count, dtype)
        elements[:place] = rising_sums(rng, dtype, place, int(limits.max))
        elements[place::50] = 1
        if downwards:
            # One further: the least number is one beyond minus the greatest.
            elements = -elements
            elements[:1] -= 1
        return elements

    def make_product(_rng, count):
        elements = np.ones(count, dtype)
        elements[0] = limits.max
        if limits.min:
            # The least number is reached, and -1 times that is one too many.
            elements[0] = limits.min // 2 if downwards else limits.min
            elements[place // 2] *= 2 if downwards else 1
        elements[place] = -1 if limits.min and not downwards else 2
        elements[place + 1::77] = 3
        return elements

    return make_sum if op == "sum" else make_product
