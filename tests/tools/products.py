"""prod of floats, compared with exact products in Python's integers, which have no range. Streams have any magnitudes,
subnormal numbers, zeros, infinities and NaNs. A result may be nan, infinite or 0 only where the exact product is, or
where it is outside the type's range; otherwise it must be near the exact product.

    products.py [STREAMS]           2000 of each type, in several shapes
"""
import math
import os
import random
import struct
import subprocess
import sys

PSCAN = os.environ.get("PSCAN", "build/pscan")
KEPT = 300  # bits of a product's mantissa: what is cut off does not matter
TYPES = {"f32": ("f", 24, -149, 128), "f64": ("d", 53, -1074, 1024)}  # struct's name, mantissa, least and greatest power of two


def float_of(rng, kind, wild):
    """A random number of the type. wild: of any magnitude, or none; else products stay near 1 for a while."""
    name, bits, least, greatest = TYPES[kind]
    if rng.random() < 0.01 * wild:
        return rng.choice((0.0, -0.0, math.inf, -math.inf, math.nan)) if rng.random() < 0.3 else 2.0 ** least * rng.randrange(1, 5)
    power = rng.uniform(least, greatest - 1) if wild else rng.gauss(0, 3)
    x = rng.choice((1, -1)) * rng.uniform(1, 2) * 2.0 ** max(least, min(int(power), greatest - 2))
    return struct.unpack(name, struct.pack(name, x))[0]


def stream_of(rng, kind, count):
    """Wild ones, calm ones, and those that come back: each number is followed by one of about the inverse magnitude, or
    all are."""
    style = rng.randrange(4)
    xs = [float_of(rng, kind, style != 1) for _ in range(count)]
    if style == 2:  # away and back
        half = [x for x in xs[:count // 2] if math.isfinite(x) and abs(x) > 2.0 ** (2 - TYPES[kind][3])]
        name = TYPES[kind][0]
        back = [struct.unpack(name, struct.pack(name, 1 / x))[0] for x in half]
        rng.shuffle(back)
        xs = (half + back + [1.0] * count)[:count]
    return xs


def parts(x):
    """A finite number as an integer and a power of two."""
    mantissa, exponent = math.frexp(x)
    return int(mantissa * 2 ** 53), exponent - 53


def is_right(kind, got, mantissa, exponent, steps):
    """Whether a result is possible for a finite exact product after this number of roundings."""
    _, bits, least, greatest = TYPES[kind]
    if mantissa == 0:
        return got == 0
    if math.isnan(got) or (got != 0 and (got < 0) != (mantissa < 0)):
        return False
    size = abs(mantissa).bit_length() + exponent  # 2^(size-1) <= product < 2^size
    if math.isinf(got):
        return size >= greatest
    there, power = parts(got) if got != 0 else (0, exponent)
    low = min(power, exponent)
    if max(power, exponent) - low > 10000:
        return got == 0 and size < least
    error = abs((there << power - low) - (mantissa << exponent - low))
    allowed = (abs(mantissa) << exponent - low) * (steps + 2) >> bits
    return error <= allowed + (1 << max(0, least - low) if size < least + bits + 1 else 0)


def check_stream(kind, xs, results):
    """The first result that is wrong, or None."""
    mantissa, exponent = 1, 0
    nan = infinite = zero = False
    for i, (x, got) in enumerate(zip(xs, results)):
        nan, infinite, zero = nan or math.isnan(x), infinite or math.isinf(x), zero or x == 0
        if nan or (infinite and zero):
            right = math.isnan(got)
        elif infinite or zero:
            right = math.isinf(got) if infinite else got == 0
        else:
            more, power = parts(x)
            mantissa, exponent = mantissa * more, exponent + power
            cut = max(0, abs(mantissa).bit_length() - KEPT)
            mantissa, exponent = (abs(mantissa) >> cut) * (1 if mantissa > 0 else -1), exponent + cut
            right = is_right(kind, got, mantissa, exponent, i)
        if not right:
            return i
    return None


def main():
    """All streams of a type and a length in one run, which begins anew after each; and as columns."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    streams = wrong = finite = 0
    for kind, (name, *_) in TYPES.items():
        for length, share in ((1, 20), (16, 4), (40, 2), (256, 40), (1000, 100), (9000, 1000)):
            rng = random.Random(f"{kind} {length}")
            many = [stream_of(rng, kind, length) for _ in range(max(1, wanted // share))]
            flat = [x for xs in many for x in xs]
            side = [x for row in zip(*many) for x in row]
            for arguments, elements in ((["--reset-every", str(length)], flat), (["-c", str(len(many))], side)):
                done = subprocess.run([PSCAN, "-D", "none", "-t", kind, "-op", "prod", *arguments], stdout=subprocess.PIPE, check=True,
                                      input=struct.pack(f"{len(elements)}{name}", *elements))
                results = struct.unpack(f"{len(elements)}{name}", done.stdout)
                for k, xs in enumerate(many):
                    own = results[k * length:(k + 1) * length] if elements is flat else results[k::len(many)]
                    place = check_stream(kind, xs, own)
                    streams += 1
                    finite += sum(math.isfinite(r) and r != 0 for r in own)
                    if place is not None:
                        wrong += 1
                        print(f"{kind} {' '.join(arguments)}, stream {k}: {own[place]} is the product of {xs[:place + 1]}"[:300])
    print(f"{streams} streams, {finite} finite results, {wrong} wrong")
    return 0 if streams >= wanted and finite > 10 * streams and wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
