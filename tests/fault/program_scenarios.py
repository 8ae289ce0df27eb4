"""Scenarios of operators of users, which only a device can do: programs in files, expressions, --map and --emit. The
program's file is an input like others.
"""
import io

import numpy as np
import program_model
from scenarios import BINARY, DEVICE, DEVICE_TEXT, Scenario, generator

TABLE = {one.name: one for one in [*program_model.programs().values(), *program_model.expressions(), *program_model.around_table()]}
# Two tiles and a part of one, in chunks that hold one.
COUNT = 9000


def elements_of(operator, count=COUNT):
    """Its records, and a seed."""
    drawn = operator.elements(generator(operator.name), count + 1)
    return drawn[:-1], program_model.rows(drawn[-1:])[0]


def seed_option(seed):
    """As the program has it."""
    return f"--seed={','.join(str(x) for x in seed)}"


def program(name, operator, options, inputs, expected, **more):
    """A scenario with that operator."""
    if operator.text is not None:
        inputs = {"program": operator.text.encode(), **inputs}
    return Scenario(f"program: {name}", (*options, *operator.options), inputs, expected, program=True, **more)


def raw(name, operator, how, options=(), base=DEVICE, **more):
    """Records in and results out, exclusive, with a seed or whatever how says."""
    elements, seed = elements_of(operator)
    how = {**how, **({"seed": seed} if "seed" in how else {})}
    options = (*base, *BINARY, *options, *([seed_option(seed)] if "seed" in how else []))
    return program(name, operator, options if "stdin" in more else (*options, "{in}"), {"in": elements.tobytes()},
                   program_model.scan(operator, elements, **how).tobytes(), **more)


def table(operator, delimiter=","):
    """Lines with a header and other fields beside the inputs, and what -a makes of them."""
    elements, _ = elements_of(operator)
    results = program_model.texts(program_model.scan(operator, elements))
    given, wanted = io.StringIO(), io.StringIO()
    names = [f"in{k}" for k in range(len(elements.dtype.names))]
    head = delimiter.join(["place", *names])
    given.write(head + "\n")
    wanted.write(delimiter.join([head, *operator.shown]) + "\n")
    for i, (record, result) in enumerate(zip(program_model.texts(elements), results)):
        line = delimiter.join([f'"{i}{delimiter}"', *record])
        given.write(line + "\n")
        wanted.write(delimiter.join([line, *result]) + "\n")
    return given.getvalue().encode(), wanted.getvalue().encode()


def program_scenarios():
    """Cheap and costly programs, raw and text, in both shapes, with everything that has to do with files once."""
    appended, with_results = table(TABLE["mixed"])
    elements, seed = elements_of(TABLE["affine"])
    last = program_model.as_lines(program_model.scan(TABLE["affine"], elements, total=True, seed=seed))
    products = TABLE["a*b % 1000003 of u64"]
    numbers, begin = elements_of(products)
    segments = np.concatenate([program_model.scan(products, numbers[i:i + 70]) for i in range(0, COUNT, 70)])
    initial = program_model.as_lines(program_model.scan(products, numbers, include_initial=True, seed=begin))
    return [
        raw("a recurrence of floats", TABLE["recurrence"], {}),
        raw("side by side, a file replaced", TABLE["fibonacci"], {"exclusive": True}, ["-e"], out="-o", old=b"old results\n"),
        raw("mixed members, exclusive, GPU shape", TABLE["mixed"], {"exclusive": True, "seed": True}, ["-e"], stdin="in", feed="pipe",
            environment={"PSCAN_SHAPE": "gpu", "PSCAN_MEMORY": "copy"}),
        raw("map and emit, in place", TABLE["mapped sum of i64"], {}, stdin="in", out="file"),
        program("fields of CSV, results appended", TABLE["mixed"], (*DEVICE_TEXT, "--csv", "-f", "in0,in1", "-a", "{in}"),
                {"in": appended}, with_results),
        # Whatever device there is: only one can do it.
        program("the total of text", TABLE["affine"], ("-T", "2", "-f", "1,2", "--total", seed_option(seed), "{in}"),
                {"in": program_model.as_lines(elements)}, last),
        program("segments", products, (*DEVICE_TEXT, "--reset-every=70", "{in}"), {"in": program_model.as_lines(numbers)},
                program_model.as_lines(segments)),
        program("an expression, with its initial value", products, (*DEVICE_TEXT, "--include-initial", seed_option(begin), "{in}"),
                {"in": program_model.as_lines(numbers)}, initial, environment={"PSCAN_MEMORY": "copy"}),
    ]
