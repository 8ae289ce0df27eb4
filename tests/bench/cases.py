"""The table of benchmarks: one row a case, with its command, its peer's command, the unit and the requirement.

A row's value and its peer's are in the same unit, and the ratio is always ours to the peer's. A case without a peer is
judged by its own value: for memory the greatest, for time the median. Commands are written as for pipeline.py; `pscan`
without -D is what users get. The interpreter and the small programs in this folder are named by their names.
"""
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Metric:
    """A unit, and how a value is had from a sample's seconds, input bytes and peak memory in bytes."""
    unit: str
    value: Callable[[float, int, int], float]
    of_memory: bool = False
    of_output: bool = False  # the value is made of the output's size instead


SECONDS = Metric("s", lambda seconds, size, peak: seconds)
MILLISECONDS = Metric("ms", lambda seconds, size, peak: 1e3 * seconds)
RATE = Metric("GB/s", lambda seconds, size, peak: size / seconds / 1e9)
PER_BYTE = Metric("ns/B", lambda seconds, size, peak: 1e9 * seconds / size)
TEXT_RATE = Metric("MB/s", lambda seconds, size, peak: size / seconds / 1e6)
OUTPUT_SIZE = Metric("MB", lambda seconds, size, peak: size / 1e6, of_output=True)
MEMORY = Metric("MiB", lambda seconds, size, peak: peak / 2**20, of_memory=True)


@dataclass(frozen=True)
class Bound:
    """What a ratio, or a value without a peer, must be."""
    least: float | None = None
    greatest: float | None = None

    def holds(self, value: float) -> bool:
        """True if the value is within the bound."""
        return (self.least is None or value >= self.least) and (self.greatest is None or value <= self.greatest)

    def __str__(self) -> str:
        if self.least is None:
            return f"<= {self.greatest:g}"
        return f">= {self.least:g}" if self.greatest is None else f"{self.least:g}..{self.greatest:g}"


@dataclass(frozen=True)
class Case:
    """One row: a name, our command, the peer's, the unit, the bound; the rest is rarely needed.

    A sample is so many runs in succession (repeat, peer_repeat), and its value their mean. A peer with its own clock
    prints the seconds. Where the input is not a file, expects is the output. The stretch is what one would like to
    reach beyond the bound; rounds, if fewer will do; least_cores, if it makes no sense on one; cold, if CACHE is
    emptied before every run."""
    group: str
    name: str
    command: str
    peer: str
    metric: Metric
    must: Bound | None = None
    repeat: int = 1
    peer_repeat: int = 1
    own_clock: bool = False
    expects: bytes = b""
    stretch: Bound | None = None
    rounds: int | None = None
    least_cores: int = 1
    cold: bool = False

    def device(self) -> str:
        """The device that the command names: none, cpu, gpu; or auto."""
        _, _, rest = self.command.partition("-D ")
        return rest.split()[0] if rest else "auto"


def at_most(value: float) -> Bound:
    """No more than the value."""
    return Bound(greatest=value)


def at_least(value: float) -> Bound:
    """No less than the value."""
    return Bound(least=value)


READ = "read_file f32.bin"
F32_SUM = "pscan -D none f32.bin > /dev/null"
WITHIN_TWICE = at_least(0.5)
FLAT = Bound(0.85, 1.15)
PER_GIB = "pscan -D none zeros.bin > /dev/null"

MAWK_SUM = "mawk '{ s += $1; printf \"%.15g\\n\", s }'"
MAWK_LOG = "mawk '{ s += $10; printf \"%.15g\\n\", s }'"
MILLER_SUM = "mlr --inidx --ifs space --onidx step -a rsum -f 1 integers.txt > /dev/null"
INTEGERS = "pscan integers.txt > /dev/null"
DECIMALS = "pscan decimals.txt > /dev/null"
JSON = "pscan --json -f bytes events.json > /dev/null"
LOG = "pscan -f 10 --missing=zero apache.log.gz > /dev/null"
COLUMNS = "pscan -D none columns.bin > /dev/null"
TABLE = "pscan -f 2 -a table.txt > /dev/null"
GZIP_6 = "pscan --gzip=6 integers.txt > out.gz"
GZIP_1 = "pscan --gzip=1 integers.txt > out.gz"
GZIP = "pscan -z integers.txt > out.gz"

# Where a command keeps compiled kernels that names CACHE as the value of one of these variables.
CACHE = "cache"
CACHES = ("XDG_CACHE_HOME", "POCL_CACHE_DIR")
MODULUS = "-t u64 -op 'a*b % 1000003'"
MODULAR = f"echo 1 2 3 4 5 6 7 8 9 10 | env -u POCL_CACHE_DIR XDG_CACHE_HOME={CACHE} pscan -D cpu {MODULUS}"
MODULAR_RESULTS = b"1\n2\n6\n24\n120\n720\n5040\n40320\n362880\n628791\n"
EXPENSIVE = "pscan -D cpu --format=binary -op @expensive.cl expensive.bin > /dev/null"
RECURRENCE = "pscan -D cpu --format=binary -op @recurrence.cl pairs.bin > /dev/null"
LINREC = "pscan -D none -t f64 -c 2 -f 1,2 -op linrec pairs.bin > /dev/null"
LOOP = "recurrence_peer pairs.bin /dev/null"
NUMBA = "python3 numba_recurrence.py pairs.bin /dev/null"

PROGRAM_CASES = (
    Case("programs", "expensive operator, PoCL, beside OpenMP", EXPENSIVE, "expensive_peer openmp expensive.bin /dev/null",
         TEXT_RATE, at_least(6), stretch=at_least(12)),
    Case("programs", "expensive operator, PoCL, beside vectors by hand", EXPENSIVE,
         "expensive_peer vectors expensive.bin /dev/null", TEXT_RATE),
    Case("programs", "linear recurrence, PoCL, beside a loop", RECURRENCE, LOOP, RATE, at_least(1.5), stretch=at_least(3)),
    Case("programs", "linear recurrence, host, beside a loop", LINREC, LOOP, RATE, at_least(2), stretch=at_least(3)),
    Case("programs", "linear recurrence, host, beside numba", LINREC, NUMBA, SECONDS, own_clock=True),
    Case("programs", "an expression's first run", MODULAR, "", SECONDS, at_most(1), stretch=at_most(0.6),
         expects=MODULAR_RESULTS, cold=True),
    Case("programs", "an expression's second run", MODULAR, "", MILLISECONDS, at_most(120), stretch=at_most(60), repeat=5,
         expects=MODULAR_RESULTS),
    # The text of a program beside that of the table, whose tiles both are scanned by kernels/in_step.h.
    Case("programs", "f32 sum as an expression, PoCL", "pscan -D cpu -op 'a + b' f32.bin > /dev/null",
         "pscan -D cpu f32.bin > /dev/null", RATE, at_least(0.8)),
    Case("programs", "u32 sum as an expression, PoCL", "pscan -D cpu -t u32 -op '(a + b)' i32.bin > /dev/null",
         "pscan -D cpu -t u32 --overflow=wrap i32.bin > /dev/null", RATE, at_least(0.8)),
    Case("programs", "i32 max as an expression, PoCL", "pscan -D cpu -t i32 -op 'a > b ? a : b' i32.bin > /dev/null",
         "pscan -D cpu -t i32 -op max i32.bin > /dev/null", RATE, at_least(0.8)),
)

TEXT_CASES = (
    Case("text", "integers as text", INTEGERS, f"{MAWK_SUM} integers.txt > /dev/null", TEXT_RATE, at_least(15),
         stretch=at_least(25)),
    Case("text", "integers as text, beside Miller", INTEGERS, MILLER_SUM, TEXT_RATE, at_least(40), stretch=at_least(60)),
    Case("text", "integers as text, two cores beside one", INTEGERS, "taskset -c 0 " + INTEGERS, TEXT_RATE,
         at_least(1.6), stretch=at_least(1.8), least_cores=2),
    Case("text", "exact decimals", DECIMALS, f"{MAWK_SUM} decimals.txt > /dev/null", TEXT_RATE, at_least(18),
         stretch=at_least(30)),
    Case("text", "exact decimals, two cores beside one", DECIMALS, "taskset -c 0 " + DECIMALS, TEXT_RATE,
         at_least(1.6), stretch=at_least(1.8), least_cores=2),
    Case("text", "decimals in f64", "pscan -t f64 decimals.txt > /dev/null", f"{MAWK_SUM} decimals.txt > /dev/null",
         TEXT_RATE, at_least(10), stretch=at_least(18)),
    Case("text", "field 10 of a gzipped log, beside igzip alone", LOG, "igzip -dc apache.log.gz > /dev/null", SECONDS,
         at_most(3), stretch=at_most(1.5)),
    Case("text", "field 10 of a gzipped log", LOG, f"gzip -dc apache.log.gz | {MAWK_LOG} > /dev/null", TEXT_RATE,
         at_least(4), stretch=at_least(8)),
    Case("json", "a member of lines of JSON", JSON, "jq .bytes events.json > /dev/null", TEXT_RATE, at_least(10), stretch=at_least(25)),
    Case("json", "a member of lines of JSON, beside Miller", JSON, "mlr --ijsonl --ojsonl step -a rsum -f bytes events.json > /dev/null", TEXT_RATE,
         at_least(3), stretch=at_least(10)),
    Case("json", "a member of lines of JSON, beside DuckDB", JSON, "peers_python3 data_frames.py json events.json out.csv", SECONDS,
         at_most(0.66), stretch=at_most(0.33), own_clock=True),
    Case("text", "integers compressed with zstd", "pscan integers.txt.zst > /dev/null", "zstd -dc integers.txt.zst | pscan > /dev/null",
         SECONDS, at_most(1.1)),
    Case("text", "gzip level 6 beside pigz", GZIP_6, "pscan integers.txt | pigz -6 > out.gz", TEXT_RATE, at_least(1),
         stretch=at_least(1.5)),
    Case("text", "gzip level 1 beside igzip", GZIP_1, "pscan integers.txt | igzip -1 > out.gz", TEXT_RATE, at_least(1),
         stretch=at_least(1.5)),
    Case("text", "gzip's default level, size beside level 6", GZIP, GZIP_6, OUTPUT_SIZE, at_most(1.03), rounds=1),
    Case("text", "gzip's default level beside level 6", GZIP, GZIP_6, TEXT_RATE, at_least(4)),
    Case("text", "peak memory on text", "seq 100000000 last_of_4times | pscan > /dev/null", "", MEMORY, at_most(128),
         rounds=1),
)

LANE_CASES = (
    Case("lanes", "f32 sum of 3 columns", "pscan -D none -c 3 columns.bin > /dev/null", COLUMNS, RATE, at_least(0.6)),
    Case("lanes", "f32 sum of 1000 columns", "pscan -D none -c 1000 columns.bin > /dev/null", COLUMNS, RATE,
         at_least(0.3)),
    Case("lanes", "f32 sum of 3 columns, file to file, beside numpy", "pscan -c 3 columns.bin > out.bin",
         "python3 numpy_cumsum.py columns.bin out.bin 3", SECONDS, at_most(0.333), own_clock=True),
    Case("lanes", "f32 sum of 1000 columns, file to file, beside numpy", "pscan -c 1000 columns.bin > out.bin",
         "python3 numpy_cumsum.py columns.bin out.bin 1000", SECONDS, at_most(0.333), own_clock=True),
    Case("lanes", "f64 mean", "pscan -D none -t f64 -op mean f64.bin > /dev/null",
         "pscan -D none -t f64 f64.bin > /dev/null", RATE, at_least(0.4), stretch=at_least(0.7)),
    Case("lanes", "lines with four results", "pscan -f 2,4 -op sum,max -a table.txt > /dev/null", TABLE, SECONDS,
         at_most(1.6)),
    Case("lanes", "lines with one result", TABLE, "mawk '{ s += $2; print $0, s }' table.txt > /dev/null", TEXT_RATE),
)

MAWK_KEYS = "mawk -F, 'NR == 1 { print; next } { s[$1] += $2; printf \"%s,%.0f\\n\", $0, s[$1] }'"
KEYS_1000 = "pscan --csv -g host -f bytes -a keys_1000.csv > /dev/null"
KEYS_MILLION = "pscan --csv -g host -f bytes -a keys_million.csv > /dev/null"
# Libraries that write their tables to files: all get two cores.
TWO_CORES = "taskset -c 0,1"
FRAMES = (("Polars", "polars", None), ("DuckDB", "duckdb", None), ("pandas", "pandas", 3))
# What must be reached beside Polars, and the stretch.
TABLES = (("1000 keys", "keys_1000.csv", 1 / 2.5, 1 / 4), ("a million keys", "keys_million.csv", 1 / 1.8, 1 / 3))

FRAME_CASES = tuple(
    Case("keys", f"{keys}, two cores, file to file, beside {library}",
         f"{TWO_CORES} pscan --csv -g host -f bytes -a {table} > out.csv",
         f"{TWO_CORES} peers_python3 data_frames.py {what} {table} out.csv", SECONDS,
         at_most(round(must, 3)) if what == "polars" else None, stretch=at_most(round(stretch, 3)) if what == "polars" else None,
         own_clock=True, rounds=rounds, least_cores=2)
    for keys, table, must, stretch in TABLES for library, what, rounds in FRAMES) + (
    Case("keys", "f64 max in windows of 1000, two cores, file to file, beside pandas",
         f"{TWO_CORES} pscan -D none -t f64 --window=1000 -op max f64.bin > out.bin",
         f"{TWO_CORES} peers_python3 data_frames.py rolling f64.bin out.bin", SECONDS, at_most(0.1), stretch=at_most(0.05), own_clock=True, rounds=3, least_cores=2),
)

KEY_CASES = (
    Case("keys", "1000 keys", KEYS_1000, f"{MAWK_KEYS} keys_1000.csv > /dev/null", TEXT_RATE, at_least(5),
         stretch=at_least(8)),
    Case("keys", "1000 keys, beside none", KEYS_1000, "pscan --csv -f bytes -a keys_1000.csv > /dev/null", SECONDS,
         at_most(1.5)),
    Case("keys", "a million keys", KEYS_MILLION, f"{MAWK_KEYS} keys_million.csv > /dev/null", TEXT_RATE, at_least(4),
         stretch=at_least(6)),
    Case("keys", "peak memory with a million keys", KEYS_MILLION, "", MEMORY, at_most(190), stretch=at_most(115), rounds=1),
    Case("keys", "segments of 3 lines, beside none", "pscan --csv --reset-on=host -f bytes -a segments.csv > /dev/null",
         "pscan --csv -f bytes -a segments.csv > /dev/null", SECONDS, at_most(1.15), stretch=at_most(1.05)),
    Case("keys", "totals by host of a gzipped log, beside igzip alone",
         "pscan --log -g host -f bytes --missing=zero --total apache.log.gz > /dev/null",
         "igzip -dc apache.log.gz > /dev/null", SECONDS, at_most(2.5), stretch=at_most(1.8)),
    Case("keys", "i32 sum in segments of 64, beside none", "pscan -D none -t i32 --reset-every=64 i32.bin > /dev/null",
         "pscan -D none -t i32 i32.bin > /dev/null", RATE, at_least(0.7), stretch=at_least(0.9)),
    Case("keys", "totals of 64 f32, beside none", "pscan -D none --reset-every=64 --total f32.bin > /dev/null",
         "pscan -D none f32.bin > /dev/null", RATE, at_least(1)),
    Case("keys", "f64 max in windows of 1000, beside none", "pscan -D none -t f64 --window=1000 -op max f64.bin > /dev/null",
         "pscan -D none -t f64 -op max f64.bin > /dev/null", RATE, at_least(0.4), stretch=at_least(0.7)),
    Case("keys", "f64 sum that looks for NaNs, beside none", "pscan -D none -t f64 --nan=hold f64.bin > /dev/null",
         "pscan -D none -t f64 f64.bin > /dev/null", RATE, at_least(0.7), stretch=at_least(0.9)),
    Case("keys", "one line with a key, beside none", "echo a 1 | pscan -g 1 -f 2 -a", "echo a 1 | pscan -f 2 -a", MILLISECONDS,
         at_most(1.1), repeat=100, peer_repeat=100, expects=b"a 1 1\n"),
)

AT_ONCE = f"echo 1 2 3 4 5 6 7 8 9 10 | XDG_CACHE_HOME={CACHE} POCL_CACHE_DIR={CACHE} pscan {MODULUS}"
F64 = "pscan -D none -t f64"
F64_SUM = f"{F64} -op sum f64.bin > /dev/null"
BALANCE = "pscan --csv --map='credit - debit' -a bank.csv"
KEYED = "pscan --csv -g host -f bytes"

EXPRESSION_CASES = (
    Case("expressions", "an operator as an expression, nothing cached", AT_ONCE, "", MILLISECONDS, at_most(5),
         stretch=at_most(2), repeat=100, expects=MODULAR_RESULTS, cold=True),
    Case("expressions", "f64 sum as an expression", f"{F64} -op 'a + b' f64.bin > /dev/null", F64_SUM, RATE,
         at_least(0.5), stretch=at_least(0.8)),
    Case("expressions", "f64 sum as an expression in windows of 1000", f"{F64} --window=1000 -op 'a + b' f64.bin > /dev/null",
         f"{F64} --window=1000 -op sum f64.bin > /dev/null", RATE),
    Case("expressions", "f64 square root of the mean", f"{F64} --emit='sqrt(s / n)' f64.bin > /dev/null", F64_SUM, RATE),
    Case("expressions", "f64 sum of squares", f"{F64} --map='x*x' f64.bin > /dev/null", F64_SUM, RATE),
    Case("expressions", "f64 percentages of the total, beside none", f"{F64} --emit='100 * s / t' f64.bin > /dev/null",
         f"{F64} --emit='100 * s' f64.bin > /dev/null", RATE),
    Case("expressions", "i32 max as an expression", "pscan -D none -t i32 -op 'a > b ? a : b' i32.bin > /dev/null",
         "pscan -D none -t i32 -op max i32.bin > /dev/null", RATE),
    Case("expressions", "u64 products modulo 1000003, two cores, beside a loop",
         f"{TWO_CORES} pscan -D none {MODULUS} residues.bin > /dev/null",
         f"{TWO_CORES} modular_peer residues.bin > /dev/null", RATE, at_least(1.5), stretch=at_least(3), least_cores=2),
    Case("expressions", "credit less debit, beside both", f"{BALANCE} > /dev/null",
         "pscan --csv -f credit,debit -a bank.csv > /dev/null", SECONDS, at_most(1.15), stretch=at_most(1)),
    Case("expressions", "credit less debit, two cores, file to file, beside Polars", f"{TWO_CORES} {BALANCE} > out.csv",
         f"{TWO_CORES} peers_python3 data_frames.py map bank.csv out.csv", SECONDS, at_most(0.333), stretch=at_most(0.25),
         own_clock=True, least_cores=2),
    Case("expressions", "1000 keys, a sum as an expression", f"{KEYED} -op 'a + b' -a keys_1000.csv > /dev/null",
         f"{KEYED} -a keys_1000.csv > /dev/null", SECONDS),
)

HOUR = "pscan --csv -f bytes --window=time:1h -op max -a times.csv"
REVERSE = f"{F64} -op sum --reverse f64.bin > out.bin"
DISTINCT = "pscan -op distinct users.txt"
MAWK_DISTINCT = "mawk '{ if (!($1 in s)) { s[$1]; n++ } print n }' users.txt"
AMOUNTS = "pscan --csv -f amount -a"
AMOUNTS_IN_EUROS = f"{AMOUNTS} -d ';' --decimal=, --thousands=."
# Tables of amounts, quoted, as people write them; and the same values as plain numbers, quoted alike.
AMOUNT_PAIRS = (("dollars", f"{AMOUNTS} --accept=money --thousands=, dollars.csv", f"{AMOUNTS} amounts.csv"),
                ("euros", f"{AMOUNTS_IN_EUROS} --accept=money euros.csv", f"{AMOUNTS} -d ';' semicolons.csv"),
                ("decimal commas", f"{AMOUNTS_IN_EUROS} commas.csv", f"{AMOUNTS} -d ';' semicolons.csv"))

EVERYDAY_CASES = (
    Case("everyday", "f64 sum from the end, file to file, beside forward", REVERSE, REVERSE.replace("--reverse ", ""),
         SECONDS, at_most(1.3), stretch=at_most(1.1)),
    Case("everyday", "max of an hour, beside 1800 lines", f"{HOUR} > /dev/null",
         f"{HOUR.replace('time:1h', '1800')} > /dev/null", SECONDS, at_most(1.3), stretch=at_most(1.1)),
    *(Case("everyday", f"max of an hour, two cores, file to file, beside {library}", f"{TWO_CORES} {HOUR} > out.csv",
           f"{TWO_CORES} peers_python3 data_frames.py {library.lower()}_hour times.csv out.csv", SECONDS, at_most(0.5),
           stretch=at_most(0.25), own_clock=True, rounds=rounds, least_cores=2)
      for library, rounds in (("Polars", None), ("DuckDB", 3))),
    Case("everyday", "days of times as keys, beside a field of dates",
         "pscan --csv -g time:day -f bytes -a times.csv > /dev/null",
         "pscan --csv -g date -f bytes -a dates.csv > /dev/null", SECONDS, at_most(1.3), stretch=at_most(1.1)),
    *(Case("everyday", f"amounts with {kind}, beside plain numbers", f"{ours} > /dev/null", f"{numbers} > /dev/null",
           SECONDS, at_most(1.3), stretch=at_most(1.15)) for kind, ours, numbers in AMOUNT_PAIRS),
    Case("everyday", "a million distinct texts", f"{DISTINCT} > /dev/null", f"{MAWK_DISTINCT} > /dev/null", TEXT_RATE,
         at_least(4), stretch=at_least(8), rounds=3),
    Case("everyday", "a million distinct texts, two cores, file to file, beside DuckDB",
         f"{TWO_CORES} {DISTINCT} > out.csv",
         f"{TWO_CORES} peers_python3 data_frames.py duckdb_distinct users.txt out.csv", SECONDS, own_clock=True,
         least_cores=2),
)

CASES = TEXT_CASES + LANE_CASES + PROGRAM_CASES + KEY_CASES + FRAME_CASES + EXPRESSION_CASES + EVERYDAY_CASES + (
    Case("cost", "one number", "echo 1 | pscan", "echo 1 | mawk '{s+=$1; print s}'", MILLISECONDS, at_most(2),
         repeat=100, peer_repeat=100, expects=b"1\n"),
    Case("cost", "f32 sum, file to file", "pscan f32.bin > out.bin", "cat f32.bin > out.bin", SECONDS, at_most(1.25)),
    Case("cost", "f32 exclusive max through pipes", "cat f32.bin | pscan -e -op max | cat > /dev/null",
         "cat f32.bin | cat | cat > /dev/null", SECONDS, at_most(1.3)),
    Case("cost", "f32 sum of .npy, host", "pscan -D none --output-format=binary f32.npy > /dev/null", F32_SUM, RATE, at_least(0.9)),
    Case("cost", "f32 sum, file to file, beside numpy", "pscan f32.bin > out.bin",
         "python3 numpy_cumsum.py f32.bin out.bin", SECONDS, at_most(0.25), own_clock=True),
    Case("cost", "f32 sum, host", F32_SUM, READ, RATE, at_least(0.5)),
    Case("cost", "f32 sum, OpenCL on the CPU", "pscan -D cpu f32.bin > /dev/null", READ, RATE, at_least(0.35)),
    Case("cost", "f32 sum, auto", "pscan f32.bin > /dev/null", READ, RATE),
    Case("cost", "f32 max", "pscan -D none -op max f32.bin > /dev/null", F32_SUM, RATE, WITHIN_TWICE),
    Case("cost", "f64 sum", "pscan -D none -t f64 f64.bin > /dev/null", F32_SUM, RATE, WITHIN_TWICE),
    Case("cost", "i32 sum", "pscan -D none -t i32 i32.bin > /dev/null", F32_SUM, RATE, WITHIN_TWICE),
    Case("cost", "i32 max", "pscan -D none -t i32 -op max i32.bin > /dev/null", F32_SUM, RATE, WITHIN_TWICE),
    Case("cost", "i32 sum in i64", "pscan -D none -t i32:i64 i32.bin > /dev/null", F32_SUM, RATE, WITHIN_TWICE),
    Case("cost", "i32 sum, overflow check", "pscan -D none -t i32 i32.bin > /dev/null",
         "pscan -D none -t i32 --overflow=wrap i32.bin > /dev/null", SECONDS, at_most(1.15)),
    Case("cost", "i64 sum", "pscan -D none -t i64 i64.bin > /dev/null", F32_SUM, RATE, WITHIN_TWICE),
    Case("cost", "i64 sum, overflow check", "pscan -D none -t i64 i64.bin > /dev/null",
         "pscan -D none -t i64 --overflow=wrap i64.bin > /dev/null", SECONDS, at_most(1.15)),
    Case("cost", "u8 sum", "pscan -D none -t u8 u8.bin > /dev/null", F32_SUM, RATE, WITHIN_TWICE),

    Case("memory", "peak memory, host", "pscan -D none zeros_8times.bin > /dev/null", "", MEMORY, at_most(96)),
    Case("memory", "peak memory, OpenCL on the CPU", "pscan -D cpu zeros_8times.bin > /dev/null", "", MEMORY,
         at_most(400)),

    Case("flat", "time a byte", "pscan -D none zeros_64th.bin > /dev/null", PER_GIB, PER_BYTE, FLAT, repeat=16),
    Case("flat", "time a byte", "pscan -D none zeros_4th.bin > /dev/null", PER_GIB, PER_BYTE, FLAT, repeat=4),
    Case("flat", "time a byte", "pscan -D none zeros_8times.bin > /dev/null", PER_GIB, PER_BYTE, FLAT),

    Case("gpu", "f32 sum, GPU", "pscan -D gpu f32.bin > /dev/null", READ, RATE),
    Case("gpu", "f32 sum, host", F32_SUM, READ, RATE),
    Case("gpu", "f32 sum, file to file, GPU", "pscan -D gpu f32.bin > out.bin", "cat f32.bin > out.bin", SECONDS),
    Case("gpu", "f32 exclusive max through pipes, GPU", "cat f32.bin | pscan -D gpu -e -op max | cat > /dev/null",
         "cat f32.bin | cat | cat > /dev/null", SECONDS),
    Case("gpu", "f64 sum, GPU", "pscan -D gpu -t f64 f64.bin > /dev/null", "pscan -D none -t f64 f64.bin > /dev/null",
         RATE),
)

CHUNK_BYTES = tuple(1 << power for power in range(16, 26))


def chunk_command(device: str, chunk_bytes: int) -> str:
    """The command whose rate is measured against the chunk size."""
    return f"pscan -D {device} --chunk-size={chunk_bytes} f32.bin > /dev/null"
