"""Operators of users for the soak: which scan has which, and its expected output (tests/tools/program_model.py)."""
from dataclasses import dataclass

import numpy as np

import program_model
from grid_oracle import Scan
from stream_model import Answer

FILE = "program.cl"  # of the scenario's folder
OPERATORS = [*program_model.programs().values(), *program_model.expressions(), *program_model.around_table()]
MOST = 20000


@dataclass
class ProgramStream:
    """As Stream in stream_model.py, for an operator of a user."""

    operator: program_model.Operator
    scan: Scan
    text: bool
    text_out: bool
    lanes: int
    seed: tuple = None
    algorithm: str = "blelloch"
    rules: object = None

    @property
    def unit(self):
        """The bytes of a record."""
        return self.operator.inputs.itemsize * self.lanes

    @property
    def fields(self):
        """The numbers of a record."""
        return len(self.operator.inputs.names) * self.lanes

    def arguments(self):
        """The options for pscan."""
        options = [option.format(program=FILE) for option in self.operator.options]
        options += ["-e"] * self.scan.exclusive + ["--total"] * self.scan.total + ["--include-initial"] * self.scan.include_initial
        options += [f"--seed={','.join(str(x) for x in self.seed)}"] if self.seed is not None else []
        options += [f"--algorithm={self.algorithm}"] if self.algorithm != "blelloch" else []
        options += ["--format=text" if self.text else "--format=binary"]
        options += ["--output-format=text"] if self.text_out and not self.text else []
        options += [f"-c{self.fields}"] if self.lanes > 1 or (self.text and self.fields > 1) else []
        return options

    def encode(self, lanes):
        """Arrays of records, one for each lane, as bytes, and the bytes of one (0: lines)."""
        if not self.text:
            return program_model.beside(lanes).tobytes()
        return program_model.as_lines(program_model.beside(lanes))

    def decode(self, files):
        """What whole records of the files are."""
        one = program_model.beside([np.zeros(0, self.operator.inputs)] * self.lanes).dtype
        if not self.text:
            data = b"".join(data[:len(data) - len(data) % self.unit] for data in files)
            both = np.frombuffer(data, one)
        else:
            lines = [tuple(line.split()) for data in files for line in data.decode().splitlines()]
            both = np.array(lines, [(name, "U40") for name in one.names]).astype(one) if lines else np.zeros(0, one)
        return program_model.apart(both, self.operator.inputs, self.lanes)

    def answer(self, files):
        """What pscan must write."""
        scan = self.scan
        results = [program_model.scan(self.operator, elements, exclusive=scan.exclusive, total=scan.total,
                                      include_initial=scan.include_initial, seed=self.seed) for elements in self.decode(files)]
        both = program_model.beside(results)
        data = program_model.as_lines(both) if self.text_out else both.tobytes()
        return Answer(data, None, len(data))


def random_stream(rng, count, random_mode):
    """A stream with so many records or fewer, and its lanes."""
    operator = rng.choice(OPERATORS)
    count = min(count, MOST)
    mode = random_mode(rng)
    if operator.emits_inputs:
        mode["include_initial"] = False
    if isinstance(operator, program_model.OfTable):
        mode["exclusive"] = False
    drawn = operator.elements(np.random.default_rng(rng.getrandbits(64)), 2 * count + 1)
    needs_seed = operator.identity is None and (mode["exclusive"] or mode["include_initial"] or (mode["total"] and count == 0))
    seed = program_model.rows(drawn[-1:])[0] if needs_seed or rng.random() < 0.3 else None
    text = rng.random() < 0.35
    lanes = rng.choice((1, 1, 2))
    stream = ProgramStream(operator, Scan(type="u8", **mode), text, text or rng.random() < 0.1, lanes, seed)
    if operator.exact and rng.random() < 0.15:
        stream.algorithm = "hillis-steele"
    return stream, [drawn[k * count:(k + 1) * count] for k in range(lanes)]
