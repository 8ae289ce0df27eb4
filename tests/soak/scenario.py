"""A random scenario: the input, its way in, the way out, and the faults.

All of it follows from the seed and the scenario's number.
"""
import random
from dataclasses import dataclass, field
from typing import List, Optional

import numpy as np

import decimal_oracle
import keyed
import lines
import packing
import programs
import random_inputs
from grid_oracle import DTYPES, FLOATS, INTEGERS, OPERATORS, OVERFLOWING, Scan, parse_types
from stream_model import Answer, Stream, answer

SMALL = (0, 1, 2, 15, 16, 17, 100, 255, 1000, 4095, 4096, 4097)
LARGE = 5000000
CHUNKS = ("1", "1", "16K", "32K", "100K", "256K", "1M")
TEXT_FORMATS = ("%.2f", "%g", "%.3e", "%+.1f", "%-10.4f|", " %12.6g", "%.0f")


@dataclass
class Scenario:
    """One run."""

    number: int
    stream: Stream = None
    files: List[bytes] = field(default_factory=list)  # before packing
    packings: List[str] = field(default_factory=list)
    contents: List[bytes] = field(default_factory=list)  # as pscan gets them
    device: str = "none"
    shape: str = ""
    lie: bool = False
    running: List[str] = field(default_factory=list)
    source: str = "file"  # file, stdin or pipe: how the first file comes
    sink: str = "pipe"  # pipe, file, new, old or in-place
    packed_out: bool = False
    writes: int = 1 << 20  # the most bytes of a write into the pipe
    pause: float = 0.0  # all pauses while writing
    fault: str = ""
    detail: str = ""
    elements: int = 0
    sound: bytes = b""  # what zlib makes of a damaged last file
    answer: Answer = None
    code: int = 0

    @property
    def kind(self):
        """For the table at the end."""
        if self.fault:
            return "fault: " + self.fault
        form = "text" if self.stream.text else "binary"
        which = "program, " if self.is_program else "keyed, " if self.is_keyed else ""
        return which + form + (" lines" if self.stream.rules else "")

    @property
    def is_program(self):
        """Whether the operator is a user's, which only a device can do."""
        return isinstance(self.stream, programs.ProgramStream)

    @property
    def is_keyed(self):
        """Whether there are keys, resets or windows."""
        return isinstance(self.stream, keyed.KeyedStream)

    def expect(self):
        """What must come out, of these files."""
        own = self.is_program or self.is_keyed
        self.answer = self.stream.answer(self.files) if own else answer(self.stream, self.files)

    @property
    def engine(self):
        """For the table at the end."""
        return self.device + (f" {self.shape} shape" if self.shape else "") + (" posing as a GPU" if self.lie else "")


# --- What is scanned -------------------------------------------------------------------------------------------------

def random_size(rng):
    """Small or medium; now and then large."""
    kind = rng.random()
    if kind < 0.3:
        return rng.choice(SMALL)
    if kind < 0.7:
        return rng.randint(0, 20000)
    if kind < 0.85:
        return rng.randint(0, 60000)
    return rng.randint(60000, 300000) if kind < 0.994 else LARGE + rng.randint(-9, 9)


def random_mode(rng):
    """Exclusive, total or include-initial."""
    kind = rng.random()
    return {"exclusive": kind < 0.25 or kind > 0.9, "total": 0.25 <= kind < 0.35, "include_initial": 0.35 <= kind < 0.45}


def random_seed(rng, op, kind):
    """A seed that the type can hold."""
    if rng.random() < 0.7:
        return None
    if kind in FLOATS:
        return rng.choice(("0.1", "-0", "1e30", "-inf", "nan", "16777217", "-12.5"))
    if op == "prod":
        return rng.choice(("1", "2"))
    return rng.choice(("0", "3", "100"))


def random_elements(rng, op, kind, count):
    """An array, and whether its sums or products must wrap."""
    generator = np.random.default_rng(rng.getrandbits(64))
    dtype = DTYPES[kind]
    if count > 300000 and kind in INTEGERS:
        return random_inputs.random_bits(generator, dtype, count), True
    if count < 20:
        return random_inputs.random_bits(generator, dtype, count), True
    inputs = random_inputs.inputs_of(op, kind)
    if op == "sum" and count > 50000 and kind in INTEGERS:
        inputs = inputs[1:]
    _, wrap, make = rng.choice(inputs)
    return make(generator, count), wrap


def binary_stream(scenario, rng, count):
    """Raw elements of any type."""
    kind = rng.choice(list(DTYPES))
    op = rng.choice([op for op in OPERATORS if kind in INTEGERS or op not in ("and", "or", "xor")])
    elements, wrap = random_elements(rng, op, kind, count)
    accumulator = ""
    if rng.random() < 0.2:
        accumulator = rng.choice([name for name in DTYPES if name in INTEGERS or op not in ("and", "or", "xor")])
        wrap = wrap or rng.random() < 0.8
    if op in OVERFLOWING and rng.random() < 0.1:
        wrap = False  # it overflows, most likely
    order = rng.choice(("", "", "le", "be"))
    scan = Scan(op, kind + order + (f":{accumulator}{rng.choice(('', 'be'))}" if accumulator else ""),
                seed=random_seed(rng, op, accumulator or kind), wrap=wrap, **random_mode(rng))
    scenario.stream = Stream(scan, text_out=True if count < 20000 and rng.random() < 0.15 else None)
    if count < 20000 and rng.random() < 0.15:
        scenario.stream.algorithm = rng.choice(("hillis-steele", "sequential"))
    data = elements.astype(elements.dtype.newbyteorder(">" if order == "be" else "<")).tobytes()
    cut_files(scenario, rng, data, elements.itemsize)


def cut_files(scenario, rng, data, unit):
    """Distributes the data over files."""
    total = len(data) // unit
    places = sorted(rng.randint(0, total) for _ in range(rng.choice((0, 0, 0, 1, 2, 3))))
    scenario.files = [data[a * unit:b * unit] for a, b in zip([0] + places, places + [total])]
    scenario.elements = total


def number_tokens(rng, kind, count):
    """Tokens of a type, whose sums may overflow."""
    if kind in FLOATS:
        return [f"{rng.randint(-10 ** 6, 10 ** 6)}{rng.choice(('', '.5', '.125', '.0625', 'e-3', 'e5', '.1'))}"
                for _ in range(count)]
    limits = np.iinfo(DTYPES[kind])
    greatest = max(1, int(limits.max) // max(1, count)) if rng.random() < 0.8 else int(limits.max)
    return [str(rng.randint(-greatest if limits.min else 0, greatest)) for _ in range(count)]


def text_stream(scenario, rng, count):
    """Numbers between white space."""
    count = min(count, 200000)
    mode = random_mode(rng)
    if rng.random() < 0.6:
        options = decimal_oracle.random_options(rng)
        # A NaN among exact decimals is a mark, which the stream's model does not know.
        tokens = ["inf" if token.lower().lstrip("+-") == "nan" else token
                  for token in decimal_oracle.random_tokens(rng, options.op, min(count, 60000))]
        scan = Scan(options.op, "dec" if options.strict else "num", seed=options.seed, exclusive=options.mode == "exclusive",
                    total=options.mode == "total", include_initial=options.mode == "include-initial")
        stream = Stream(scan, True, missing=rng.choice(("keep", "keep", "skip", "zero")))
    else:
        kind = rng.choice(list(DTYPES))
        count = min(count, 60000)
        op = rng.choice(("sum", "max", "min") if kind in FLOATS else ("sum", "max", "min", "xor", "or", "prod"))
        tokens = number_tokens(rng, kind, count)
        scan = Scan(op, kind, seed=random_seed(rng, op, kind), wrap=rng.random() < 0.7 and kind in INTEGERS, **mode)
        stream = Stream(scan, True, text_out=False if rng.random() < 0.2 else None)
    if stream.text_out is None and rng.random() < 0.15:
        is_integer = scan.type in INTEGERS
        stream.number_format = rng.choice(("%d", "%8d", "%+d;") if is_integer else TEXT_FORMATS)
        stream.missing = "skip" if stream.missing == "keep" else stream.missing
    scenario.stream = stream
    scenario.elements = len(tokens)
    ends = rng.choice((("\n",), ("\n",), ("\n", " ", "\t", "\r\n", "\n\n")))
    places = sorted(rng.randint(0, len(tokens)) for _ in range(rng.choice((0, 0, 0, 1, 2))))
    for a, b in zip([0] + places, places + [len(tokens)]):
        scenario.files.append("".join(token + rng.choice(ends) for token in tokens[a:b]).encode())


def line_stream(scenario, rng, _count):
    """Lines with fields, headers, comments, quotes."""
    rules = lines.Rules(rng)
    header = []
    for i in range(rules.header):
        names = [f"name{k}" if i == rules.header - 1 else f"title{k}" for k in range(1, 6)]
        header.append(rules.delimiter.join(names))
    texts = [lines.random_file(rng, rules, header) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
    scan = Scan(rules.operator, rng.choice(("num", "num", "f64")), exclusive=rules.exclusive)
    scenario.stream = Stream(scan, True, rules=rules)
    scenario.files = [text.encode() for text in texts]
    scenario.elements = sum(text.count("\n") for text in texts)


def program_stream(scenario, rng, count):
    """Records for an operator of a user, raw or lines."""
    stream, lanes = programs.random_stream(rng, count, random_mode)
    scenario.stream = stream
    data = stream.encode(lanes)
    if not stream.text:
        cut_files(scenario, rng, data, stream.unit)
        return
    every = data.splitlines(True)
    places = sorted(rng.randint(0, len(every)) for _ in range(rng.choice((0, 0, 0, 1, 2))))
    scenario.files = [b"".join(every[a:b]) for a, b in zip([0] + places, places + [len(every)])]
    scenario.elements = len(every)


def keyed_stream(scenario, rng, count):
    """Records with keys, resets or windows."""
    scenario.stream, parts, head = keyed.random_stream(rng, count, random_mode, number_tokens)
    places = sorted(rng.randint(0, len(parts)) for _ in range(rng.choice((0, 0, 0, 1, 2))))
    scenario.files = [head + b"".join(parts[a:b]) for a, b in zip([0] + places, places + [len(parts)])]
    scenario.elements = len(parts)


# --- How it comes and goes -------------------------------------------------------------------------------------------

def choose_engine(scenario, rng, tools):
    """Where it is scanned."""
    if scenario.is_program:
        scenario.device, scenario.shape = rng.choice(
            [("cpu", "cpu"), ("cpu", "gpu"), ("auto", "")] * tools.has_cpu + [(device, "") for device in tools.devices])
        return
    engines = [("none", "", False)] * 9 + [("cpu", "cpu", False), ("cpu", "gpu", False)] * 2 * tools.has_cpu
    engines += [("auto", "", False)] * 3 + [("auto", "", True)] * 2 * tools.has_layer
    engines += [(device, "", False) for device in tools.devices for _ in range(4)]
    scenario.device, scenario.shape, scenario.lie = rng.choice(engines)
    if scenario.stream.algorithm == "sequential":
        scenario.device, scenario.shape, scenario.lie = "none", "", False


def choose_running(scenario, rng, tools):
    """Chunks, threads, packing, pipes and files."""
    size = sum(map(len, scenario.files))
    scenario.packings = [rng.choice(packing.PACKINGS) if data else "plain" for data in scenario.files]
    if rng.random() < 0.7:
        chunk = rng.choice(CHUNKS)
        # So many chunks take long on a device.
        scenario.running.append("--chunk-size=" + ("1M" if size > 4000000 else chunk))
    if rng.random() < 0.6:
        scenario.running += ["-T", str(rng.choice((0, 1, 2, 3, 5, 16)))]
    if rng.random() < 0.1:
        scenario.running.append("--no-mmap")
    if scenario.elements < 3000 and rng.random() < 0.1:
        scenario.running.append("--line-buffered")
    scenario.running += [option for option in tools.options if rng.random() < 0.15 and (option != "--verify" or not scenario.is_program)]
    scenario.source = rng.choice(("file", "file", "stdin", "pipe", "pipe"))
    scenario.sink = rng.choice(("pipe", "pipe", "file", "new", "old", "in-place"))
    if scenario.sink == "in-place" and scenario.source != "file":
        scenario.sink = "old"
    scenario.packed_out = rng.random() < 0.15
    if scenario.packed_out:
        scenario.running.append(rng.choice(("-z", "--gzip=1", "--gzip=6")))
    scenario.writes = rng.choice((100, 5000, 70000, 1 << 20))
    scenario.writes = max(scenario.writes, size // 300)
    if scenario.source == "pipe" and rng.random() < 0.5:
        scenario.pause = rng.choice((0.02, 0.1, 0.1, 0.5))
    if scenario.lie and scenario.source == "pipe":
        scenario.pause = rng.choice((0.3, 0.6, 1.0))  # so that the device is ready before the input ends


# --- What goes wrong -------------------------------------------------------------------------------------------------

def fault_gzip(scenario, rng, _tools):
    """The last file is damaged."""
    stream = scenario.stream
    kind = rng.choice(packing.DAMAGES)
    has_own_text = (scenario.is_program or scenario.is_keyed) and stream.text
    if stream.rules is not None or not scenario.files[-1] or has_own_text or (kind == "flip" and stream.text):
        return False
    if scenario.is_keyed and stream.scan.total:
        return False  # totals of segments that ended before are written
    scenario.packings[-1] = "gzip" if kind == "checksum" else rng.choice(("gzip", "members", "bgzf"))
    packed = packing.pack(scenario.files[-1], scenario.packings[-1], rng)
    scenario.contents[-1] = packing.damage(packed, kind, rng)
    sound = packing.unpack(scenario.contents[-1])
    if sound.whole:
        # Between two members, or in a byte that does not matter.
        scenario.files[-1] = sound.data
        scenario.detail = kind + " (harmless)"
        return True
    kept = scenario.sound = sound.data
    if stream.text:
        kept = kept[:max(kept.rfind(end) for end in (b"\n", b" ", b"\t", b"\r")) + 1]
    scenario.files[-1] = kept
    scenario.code = 1
    scenario.detail = kind
    return True


def fault_token(scenario, rng, _tools):
    """A token is no number."""
    if not scenario.stream.text or scenario.stream.rules is not None or scenario.is_program or scenario.is_keyed:
        return False
    index = rng.randrange(len(scenario.files))
    tokens = scenario.files[index].split(b"\n")
    tokens.insert(rng.randint(0, len(tokens) - 1), rng.choice((b"bad", b"1.2.3", b"--5", b"1,5", b"\xc3\xa9", b"1e", b"x" * 500)))
    scenario.files[index] = b"\n".join(tokens)
    scenario.contents[index] = packing.pack(scenario.files[index], scenario.packings[index], rng)
    return True


def fault_left_over(scenario, rng, _tools):
    """The last file is no whole number of elements."""
    stream = scenario.stream
    if stream.text:
        return False
    size = stream.unit if scenario.is_program or scenario.is_keyed else parse_types(stream.scan.type).element.itemsize
    if size == 1 or (scenario.is_keyed and stream.scan.total):
        return False
    more = bytes(rng.randrange(1, 256) for _ in range(rng.randint(1, size - 1)))
    scenario.contents[-1] = packing.pack(scenario.files[-1] + more, scenario.packings[-1], rng)
    scenario.code = 1
    return True


def fault_trailing(scenario, rng, _tools):
    """Something stands behind the last member."""
    if scenario.packings[-1] == "plain":
        return False
    scenario.contents[-1] += rng.choice((b"tail", b"\x00\x00x", b"PK\x03\x04" * 100))
    scenario.code = 1
    return True


def fault_opencl(scenario, rng, tools):
    """A call of OpenCL fails."""
    is_device_used = scenario.device != "auto" or scenario.lie or scenario.is_program or tools.devices
    if scenario.device == "none" or tools.layer is None or not is_device_used:
        return False
    name = rng.choice(("any", "any", "enqueue", "enqueue", "clWaitForEvents", "clFlush", "clSetKernelArg", "clCreateBuffer",
                       "clBuildProgram", "clCreateContext", "clCreateKernel", "clCreateCommandQueue"))
    number = 1 if name in ("clBuildProgram", "clCreateContext") else rng.choice((rng.randint(1, 10), rng.randint(1, 150)))
    mode = rng.choice(("-5:once", "-36:lost", "-5:sticky", "-4:once") + (("-36:late",) if name == "enqueue" else ()))
    scenario.detail = f"{name}:{number}:{mode}"
    return True


def fault_signal(scenario, rng, _tools):
    """SIGTERM after some milliseconds; mostly while the input is still held open."""
    if rng.random() < 0.6:
        scenario.source, scenario.pause = "pipe", 0.4
        scenario.sink = "old" if scenario.sink == "in-place" else scenario.sink
    scenario.detail = str(rng.choice((rng.random() * 0.01, rng.random() * 0.1, rng.random() * 0.4)))
    return True


def fault_reader(scenario, rng, _tools):
    """The reader goes away."""
    scenario.sink = "pipe"
    scenario.detail = str(rng.choice((0, 1, rng.randint(0, 5000), rng.randint(0, 500000))))
    return True


def fault_limit(scenario, rng, _tools):
    """Files may not be longer than so many blocks of 512 bytes."""
    # A driver that may not write its cache ends the program.
    if scenario.device != "none" or scenario.sink == "pipe":
        return False
    scenario.detail = str(rng.choice((0, 1, rng.randint(0, 40), rng.randint(0, 2000))))
    return True


FAULTS = {"gzip": fault_gzip, "token": fault_token, "left over": fault_left_over, "trailing": fault_trailing,
          "opencl": fault_opencl, "signal": fault_signal, "reader": fault_reader, "limit": fault_limit}


def make(seed, number, tools):
    """The scenario of that number."""
    rng = random.Random(f"{seed}:{number}")
    scenario = Scenario(number)
    makers = [binary_stream, binary_stream, binary_stream, text_stream, text_stream, line_stream] + [keyed_stream] * 3
    make_stream = rng.choice(makers + [program_stream] * 2 * (tools.has_cpu or len(tools.devices) > 0))
    make_stream(scenario, rng, random_size(rng))
    choose_engine(scenario, rng, tools)
    choose_running(scenario, rng, tools)
    scenario.contents = [packing.pack(data, how, rng) for data, how in zip(scenario.files, scenario.packings)]
    if rng.random() < 0.45:
        names = list(FAULTS)
        rng.shuffle(names)
        scenario.fault = next((name for name in names if FAULTS[name](scenario, rng, tools)), "")
    scenario.expect()
    if scenario.answer.error is not None:
        scenario.code = 1
        scenario.fault = scenario.fault or "data"
    elif scenario.fault in ("gzip", "left over") and scenario.code == 1 and scenario.stream.scan.total:
        scenario.answer = Answer(b"", None, 0)
    return scenario


def as_trailing(scenario):
    """The damage made a member no gzip member at all: it is but trailing bytes."""
    scenario.fault = "trailing"
    scenario.files[-1] = scenario.sound
    scenario.expect()


def first_element(scenario) -> Optional[int]:
    """The element, from 1, that a message must name; None if it need not."""
    if scenario.stream.text or len(scenario.files) > 1 or scenario.answer.error is None:
        return None
    if scenario.is_keyed and (scenario.stream.lanes > 1 or scenario.stream.scan.exclusive):
        return None  # a record's number, or that of the element beside the result
    return scenario.answer.error + 1
