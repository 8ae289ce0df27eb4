"""Inputs of everyday work, and what pscan must write for them, as numpy computes it: windows by time, days as keys,
amounts as people write them, and how many different texts there were so far. pscan takes no part in this.
"""
from collections.abc import Callable, Iterable, Iterator

import numpy as np

SEED = 4
START = np.datetime64("2024-01-01T00:00:00")
HOUR, DAY = 3600, 86400
TIMES, DATES, USERS = "times.csv", "dates.csv", "users.txt"


def plain(cents: int) -> str:
    """Hundredths as a program writes them."""
    return f"{cents // 100}.{cents % 100:02}"


def dollars(cents: int) -> str:
    """Hundredths as an American bank writes them."""
    return f"${cents // 100:,}.{cents % 100:02}"


def with_commas(cents: int) -> str:
    """Hundredths with a decimal comma, and points between thousands."""
    return dollars(cents)[1:].translate(str.maketrans(",.", ".,"))


def euros(cents: int) -> str:
    """Hundredths as a German bank writes them."""
    return f"{with_commas(cents)} €"


def comma(cents: int) -> str:
    """Hundredths as pscan writes them with --decimal=, in results."""
    return plain(cents).replace(".", ",")


# Tables of amounts: their delimiter, how an amount is written, and how a result is.
AMOUNTS: dict[str, tuple[str, Callable[[int], str], Callable[[int], str]]] = {
    "dollars.csv": (",", dollars, plain),
    "amounts.csv": (",", plain, plain),
    "euros.csv": (";", euros, comma),
    "commas.csv": (";", with_commas, comma),
    "semicolons.csv": (";", plain, plain),
}
NAMES = (TIMES, DATES, USERS, *AMOUNTS)


def requests(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Seconds since START, one to three from one to the next, so that some 1800 are in an hour; and bytes."""
    rng = np.random.default_rng(SEED)
    return np.cumsum(rng.integers(1, 3, count, endpoint=True)), rng.integers(0, 100_000, count)


def users(count: int) -> np.ndarray:
    """Numbers of users, a fifth of count different ones in random order."""
    return np.random.default_rng(SEED).permutation(count) % max(1, count // 5) * 7919 % 1000003


def amounts(count: int) -> np.ndarray:
    """Cents."""
    return np.random.default_rng(SEED).integers(1, 10**7, count)


def lines_of(name: str, count: int) -> Iterator[str]:
    """The lines of an input, with its header if it has one."""
    if name == USERS:
        yield from (f"user{number}@example.net" for number in users(count).tolist())
    elif name in AMOUNTS:
        delimiter, write, _ = AMOUNTS[name]
        yield f"id{delimiter}amount"
        yield from (f'{i}{delimiter}"{write(cents)}"' for i, cents in enumerate(amounts(count).tolist()))
    else:
        yield "time,bytes" if name == TIMES else "date,clock,bytes"
        seconds, numbers = requests(count)
        between = "T" if name == TIMES else ","
        times = np.datetime_as_string(START + seconds).tolist()
        yield from (f"{time[:10]}{between}{time[11:]}Z,{number}" for time, number in zip(times, numbers.tolist()))


def range_maxima(values: np.ndarray, first: np.ndarray) -> np.ndarray:
    """The greatest of values[first[i]] to values[i], for each i: of two blocks of a power of two, which may overlap."""
    last = np.arange(len(values))
    lengths = last - first + 1
    results = np.empty_like(values)
    size, blocks = 1, values  # blocks[i]: the greatest of values[i] to values[i + size - 1]
    while size <= lengths.max():
        mine = (lengths >= size) & (lengths < 2 * size)
        results[mine] = np.maximum(blocks[first[mine]], blocks[last[mine] - size + 1])
        blocks = np.maximum(blocks[:-size], blocks[size:])
        size *= 2
    return results


def results_of_requests(op: str, window: str, keyed: bool, count: int) -> np.ndarray:
    """The greatest in windows by time or of a number of lines; running sums of all or day by day."""
    seconds, numbers = requests(count)
    if op == "max":
        first = (np.searchsorted(seconds, seconds - HOUR, side="right") if window == "time:1h"
                 else np.maximum(np.arange(count) - int(window) + 1, 0))
        return range_maxima(numbers, first)
    sums = np.cumsum(numbers)
    days = seconds // DAY if keyed else np.zeros(count, int)
    first = np.searchsorted(days, days)
    return sums - sums[first] + numbers[first]


def running_distinct(numbers: np.ndarray) -> np.ndarray:
    """How many different numbers there were so far."""
    is_first = np.zeros(len(numbers), int)
    is_first[np.unique(numbers, return_index=True)[1]] = 1
    return np.cumsum(is_first)


def outputs_of(name: str, op: str, window: str, keyed: bool, count: int) -> Iterable[str]:
    """The lines that pscan must write: those of the input with results, but of texts the results alone."""
    if name == USERS:
        return map(str, running_distinct(users(count)).tolist())
    if name in AMOUNTS:
        delimiter, _, write = AMOUNTS[name]
        field, results = "amount", map(write, np.cumsum(amounts(count)).tolist())
    else:
        delimiter, field = ",", "bytes"
        results = map(str, results_of_requests(op, window, keyed, count).tolist())
    header, *lines = lines_of(name, count)
    return (f"{line}{delimiter}{result}" for line, result in zip([header, *lines], [f"{field}_{op}", *results]))


def write(path: str, lines: Iterable[str]) -> None:
    """A file of lines."""
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)
