"""gzip for the soak: members, BGZF, damage, and zlib's reading of it."""
import struct
import zlib
from typing import NamedTuple

PACKINGS = ("plain", "plain", "plain", "gzip", "members", "bgzf")
BGZF_END = bytes.fromhex("1f8b08040000000000ff0600424302001b0003000000000000000000")


def gzip_member(data, level):
    """One member."""
    packer = zlib.compressobj(level, zlib.DEFLATED, 31)
    return packer.compress(data) + packer.flush()


def bgzf_member(data):
    """A member that says its size."""
    packer = zlib.compressobj(1, zlib.DEFLATED, -15)
    body = packer.compress(data) + packer.flush()
    head = bytes.fromhex("1f8b08040000000000ff0600424302") + b"\x00" + struct.pack("<H", len(body) + 25)
    return head + body + struct.pack("<II", zlib.crc32(data), len(data))


def pack(data, packing, rng):
    """The file's bytes."""
    if packing == "plain":
        return data
    if packing == "gzip":
        return gzip_member(data, rng.choice((0, 1, 6, 9)))
    if packing == "bgzf":
        return b"".join(bgzf_member(data[i:i + 60000]) for i in range(0, len(data), 60000)) + BGZF_END
    cuts = sorted(rng.randint(0, len(data)) for _ in range(rng.randint(1, 5)))
    return b"".join(gzip_member(data[a:b], 1) for a, b in zip([0] + cuts, cuts + [len(data)]))


class Sound(NamedTuple):
    """What inflates without a fault, and whether that is all."""

    data: bytes
    whole: bool


def unpack(packed):
    """All members up to the first fault."""
    out = []
    while packed:
        inflater = zlib.decompressobj(31)
        try:
            # An error gives nothing back of its call: byte by byte near the fault.
            for i in range(0, len(packed), 4096):
                before = inflater.copy()
                try:
                    out.append(inflater.decompress(packed[i:i + 4096]))
                except zlib.error:
                    for k in range(i, min(i + 4096, len(packed))):
                        out.append(before.decompress(packed[k:k + 1]))
                if inflater.eof:
                    rest = inflater.unused_data + packed[i + 4096:]
                    break
            else:
                return Sound(b"".join(out), False)
        except zlib.error:
            return Sound(b"".join(out), False)
        packed = rest
    return Sound(b"".join(out), True)


def unpacked_part(packed):
    """What the first member gives of itself, and whether it is complete."""
    inflater = zlib.decompressobj(31)
    return inflater.decompress(packed), inflater.eof and not inflater.unused_data


DAMAGES = ("cut", "cut", "checksum", "flip")


def damage(packed, kind, rng):
    """A damaged copy."""
    data = bytearray(packed)
    if kind == "cut":
        return bytes(data[:rng.randint(min(12, len(data)), len(data) - 1)])
    first = len(data) - 8 if kind == "checksum" else min(18, len(data) - 9)
    place = rng.randint(first, len(data) - (1 if kind == "checksum" else 9))
    data[place] ^= 1 << rng.randrange(8)
    return bytes(data)
