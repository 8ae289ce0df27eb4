"""Programs with every number of inputs and results and states of all sizes, and their expected results: the same text
is compiled by the system's compiler and combined from the first element to the last. (All they compute is exactly
associative.)
"""

import concurrent.futures
import os
import random
import subprocess
import sys

import numpy as np

TYPES = {"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "long": "i8",
         "ulong": "u8", "float": "f4", "double": "f8"}
FLOATS = ("float", "double")
C_TYPES = """#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef uint8_t uchar; typedef uint16_t ushort; typedef uint32_t uint; typedef uint64_t ulong_; typedef int64_t long_;
#define long long_
#define ulong ulong_
"""


def program(rng, inputs, results, size):
    """A program's text, with inputs and results of random types, and a state of at least size bytes, at most 128."""
    types = [rng.choice(list(TYPES)) for _ in range(inputs)]
    given = [rng.choice(list(TYPES)) for _ in range(results)]
    names = [f"x{j}" for j in range(inputs)]
    # An affine map of 32 bits (not commutative), a count if there is room, and sums of 16 bits to fill the rest.
    members = ["uint factor", "uint offset"] if size >= 8 else ["ushort factor", "ushort offset"]
    used = 8 if size >= 8 else 4
    counts = size >= 24 and rng.random() < 0.7
    if counts:
        members.append(rng.choice(["ulong count", "double count"]))
        used += 8
    pads = (size - used) // 2
    if pads > 0:
        members.insert(rng.randrange(len(members) + 1), "short pad[PADS]")
    word = "uint" if size >= 8 else "ushort"
    mixed = " + ".join(f"({word})(long)({name} * {7 * j + 3}) * {2 * j + 5}u" for j, name in enumerate(names))
    lines = [f"#define PADS {max(pads, 1)}", "/* Not commutative. */", "typedef struct {"]
    lines += [f"\t{m};" for m in members] + ["} state;", ""]
    parameters = [f"{t} {n}" for t, n in zip(types, names)]
    indexed = rng.random() < 0.5
    place = rng.randrange(inputs + 1)
    lift = parameters[:place] + (["ulong i"] if indexed else []) + parameters[place:]
    lines += [f"state lift({', '.join(lift)})", "{", "\tstate s;", f"\ts.factor = ({word})({mixed}) * 2u + 1u;",
              f"\ts.offset = ({word})(long)({names[-1]} * 3){' ^ (' + word + ')i' if indexed else ''};"]
    if counts:
        lines.append("\ts.count = 1;")
    if pads > 0:
        lines.append(f"\tfor (int k = 0; k < PADS; k++)\n\t\ts.pad[k] = (short)({names[0]} * (k + 1));")
    lines += ["\treturn s;", "}", "", "static inline state combine(const state a, const state b)", "{", "\tstate s;",
              f"\ts.factor = ({word})((uint)a.factor * b.factor);",
              f"\ts.offset = ({word})((uint)b.factor * a.offset + b.offset);"]
    if counts:
        lines.append("\ts.count = a.count + b.count;")
    if pads > 0:
        lines.append("\tfor (int k = 0; k < PADS; k++)\n\t\ts.pad[k] = (short)(a.pad[k] + b.pad[k]);")
    lines += ["\treturn s;", "}", ""]
    sources = ["s.factor", "s.offset"] + (["s.count"] if counts else []) + (["s.pad[PADS - 1]"] if pads > 0 else [])
    extra = []
    if rng.random() < 0.6:
        extra += parameters
        sources += names
    if rng.random() < 0.5:
        extra.append("ulong n")
        sources.append("n")
    if rng.random() < 0.5:
        extra.append("ulong i")
        sources.append("i")
    # (What C leaves open is left out: negative floats as unsigned integers, floats that round.)
    values = []
    for t in given:
        values.append(f"({t})((long)({rng.choice(sources)}){' % 100003' if t in FLOATS else ''})")
    single = results == 1 and rng.random() < 0.5
    if single:
        lines += [f"{given[0]} emit({', '.join(['state s'] + extra)})", "{", f"\treturn {values[0]};", "}"]
    else:
        lines += ["struct results {"] + [f"\t{t} r{k};" for k, t in enumerate(given)] + ["};", ""]
        lines += [f"struct results emit({', '.join(['state s'] + extra)})", "{", "\tstruct results r;"]
        lines += [f"\tr.r{k} = {v};" for k, v in enumerate(values)] + ["\treturn r;", "}"]
    order = [p.split()[1] for p in extra]
    return "\n".join(lines) + "\n", types, given, indexed, place, order, single


def oracle(text, types, given, indexed, place, order, single):
    """C that reads records of the inputs and writes the results, packed."""
    arguments = [f"x{j}" for j in range(len(types))]
    lift = arguments[:place] + (["i"] if indexed else []) + arguments[place:]
    size = sum(np.dtype(TYPES[t]).itemsize for t in types)
    out = [C_TYPES, text, "int main(void)\n{", f"\tunsigned char record[{size}];", "\tstate s;",
           "\tfor (ulong i = 0; fread(record, sizeof record, 1, stdin) == 1; i++) {", "\t\tconst ulong n = i + 1;"]
    at = 0
    for j, t in enumerate(types):
        out.append(f"\t\t{t} x{j};\n\t\tmemcpy(&x{j}, record + {at}, sizeof x{j});")
        at += np.dtype(TYPES[t]).itemsize
    out.append(f"\t\tconst state e = lift({', '.join(lift)});\n\t\ts = i > 0 ? combine(s, e) : e;\n\t\t(void)n;")
    call = f"emit({', '.join(['s'] + order)})"
    if single:
        out.append(f"\t\tconst {given[0]} r0 = {call};\n\t\tfwrite(&r0, sizeof r0, 1, stdout);")
    else:
        out.append(f"\t\tconst struct results r = {call};")
        out += [f"\t\tfwrite(&r.r{k}, sizeof r.r{k}, 1, stdout);" for k in range(len(given))]
    return "\n".join(out) + "\n\t}\n\treturn 0;\n}\n"


def elements(rng, types, count):
    """Records of small whole numbers."""
    records = np.zeros(count, np.dtype([(f"x{j}", TYPES[t]) for j, t in enumerate(types)]))
    for j, t in enumerate(types):
        low = 0 if t.startswith("u") else -100
        records[f"x{j}"] = rng.integers(low, 101, count)
    return records.tobytes()


def compare(name, file, oracle_program, data, modes):
    """How many of the modes give other results than the oracle's; each is printed."""
    right = subprocess.run([oracle_program], input=data, capture_output=True, check=True).stdout
    wrong = 0
    on_cpu = os.environ.get("PSCAN_DEVICE", "cpu") == "cpu"  # other devices have a shape of their own
    for shape, arguments in modes:
        given = subprocess.run([os.environ["PSCAN"], "--format=binary", "-op", "@" + file, *arguments], input=data,
                               capture_output=True, check=False, env={**os.environ, **({"PSCAN_SHAPE": shape} if on_cpu else {})})
        if given.returncode != 0 or given.stdout != right:
            wrong += 1
            print(f"{name}, {shape} {arguments}: {given.stderr.decode()}")
    return wrong


def run(seed, sizes, modes, keep):
    """Every number of inputs and of results once. Prints how many runs there were and how many were wrong."""
    rng = random.Random(seed)
    numbers = np.random.default_rng(seed)
    runs = 0
    checks = []
    pool = concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "1")))
    results = list(range(1, 9))
    rng.shuffle(results)
    for inputs in range(1, 9):
        size = [4, 8, 12, 24, 40, 72, 100, 128][(inputs + seed) % 8]
        case = program(rng, inputs, results[inputs - 1], size)
        file = os.path.join(keep, f"program{inputs}.cl")
        source = os.path.join(keep, f"oracle{inputs}.c")
        with open(file, "w", encoding="ascii") as f:
            f.write(case[0])
        with open(source, "w", encoding="ascii") as f:
            f.write(oracle(*case))
        if os.environ.get("INPUTS", str(inputs)).find(str(inputs)) < 0:
            continue
        subprocess.run([*os.environ.get("CC", "cc").split(), "-w", "-O1", "-ffp-contract=off", "-o", source[:-2], source], check=True)
        for k, count in enumerate(sizes):
            # Each mode has its own kernels: most programs have one.
            wanted = modes if inputs % 4 == 3 and k > 2 else modes[:1]
            runs += len(wanted)
            data = elements(numbers, case[1], count)
            checks.append(pool.submit(compare, f"seed {seed}, {inputs} inputs, {count} elements", file, source[:-2], data, wanted))
            # The first run compiles what the others have from the cache.
            if k == 0:
                checks[-1].result()
    wrong = sum(check.result() for check in checks)
    print(f"{runs} runs, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    # program_cases.py SEED DIRECTORY [STRIDE [FIRST]]: with a stride the sizes to 8200, of those above 64 that are not
    # at a tile's edge each STRIDE-th from FIRST (0) on. INPUTS in the environment: only programs of so many inputs, a
    # digit each. TREES=1: in one tree.
    SIZES = [0, 1, 17, 4096, 20011]
    MODES = [("cpu", []), ("gpu", ["--chunk-size=70K"]), ("cpu", ["--algorithm=hillis-steele"])]
    if os.environ.get("TREES") == "1":
        MODES.pop()
    if len(sys.argv) > 3:
        STRIDE, FIRST = int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 0
        SIZES = [size for size in range(8201) if size <= 64 or (size + 1) % 4096 <= 2 or size % STRIDE == FIRST]
        MODES = [("cpu", [])]
    sys.exit(run(int(sys.argv[1]), SIZES, MODES, sys.argv[2]))
