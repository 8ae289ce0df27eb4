"""The table of operators, read from src/operators/operators.inc: FACTS maps the name of each operator of numbers that
users can name to its facts. (Python's own operator module has taken the shorter name for this file.)
"""
import os
import re
from typing import NamedTuple

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/operators/operators.inc")


class Facts(NamedTuple):
    """What the head of operators.inc explains, as it stands there."""
    identity: str
    seeded: bool
    inputs: int
    bitwise: bool
    of_floats: bool  # alone
    result: str
    takes_factor: bool
    lacks_first: bool
    emits_inputs: bool
    overflows: bool


def read():
    """The table in its order."""
    with open(TABLE, encoding="utf-8") as file:
        blocks = file.read().split("\n\n")[:-1]
    facts = {}
    for block in blocks:
        said = dict(re.findall(r"^#define OP_([A-Z_]+) (.*)$", block, re.M))
        if said["ABOUT"] == '""' or said.get("TEXTS") == "2":
            continue
        facts[re.search(r"^#define OP (\w+)$", block, re.M)[1]] = Facts(
            said.get("IDENTITY", "NONE"), said.get("SEED", "1") != "0", int(said.get("INPUTS", 1)), said.get("BITWISE") == "1",
            said.get("TYPES") == "TYPES_FLOAT", said.get("RESULT", "SAME"), said.get("PARAMETER") == "1",
            said.get("LACKS_FIRST") == "1", said.get("EMITS_INPUTS") == "1",
            said.get("OVERFLOWS") == "1")
    return facts


FACTS = read()
# Those of every type, whose elements are single numbers.
COMMON = [name for name, facts in FACTS.items() if facts.inputs == 1 and not facts.bitwise and not facts.of_floats]
BITWISE = [name for name, facts in FACTS.items() if facts.bitwise]


def with_factor(names, factor):
    """The names as -op takes them."""
    return [f"{name}:{factor}" if FACTS[name].takes_factor else name for name in names]


def where(holds):
    """The names of the operators of whose facts something holds."""
    return [name for name, facts in FACTS.items() if holds(facts)]
