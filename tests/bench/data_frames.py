#!/usr/bin/python3
"""data_frames.py polars|duckdb|pandas IN OUT: each line of a table with the running total of its host, as pscan --csv
-g host -f bytes -a data_frames.py json IN OUT: the running total of a member of lines of JSON, by duckdb, as pscan
--json -f bytes data_frames.py rolling IN OUT: the greatest of the last 1000 of raw f64, by pandas, as pscan
--window=1000 -op max data_frames.py map IN OUT: each line of a bank's table with the balance so far, by polars in
floats, as pscan --csv --map='credit - debit' -a

Prints the seconds from reading the file to having written the results: the interpreter's start and imports do not
count. Libraries use as many threads as there are cores; pandas has only one.
"""
import os
import sys
import time
from collections.abc import Callable

THREADS = len(os.sched_getaffinity(0))
WINDOW = 1000


def with_polars() -> Callable[[str, str], None]:
    """A window expression."""
    os.environ["POLARS_MAX_THREADS"] = str(THREADS)
    import polars

    def total(source: str, target: str) -> None:
        totals = polars.col("bytes").cum_sum().over("host").alias("bytes_sum")
        polars.read_csv(source).with_columns(totals).write_csv(target)
    return total


def with_map() -> Callable[[str, str], None]:
    """An expression of two columns."""
    os.environ["POLARS_MAX_THREADS"] = str(THREADS)
    import polars

    def total(source: str, target: str) -> None:
        balances = (polars.col("credit") - polars.col("debit")).cum_sum().alias("sum")
        polars.read_csv(source).with_columns(balances).write_csv(target)
    return total


def with_duckdb() -> Callable[[str, str], None]:
    """A window function; a table knows the order of its rows, a file does not."""
    import duckdb

    def total(source: str, target: str) -> None:
        database = duckdb.connect(config={"threads": THREADS})
        database.execute(f"CREATE TABLE lines AS SELECT * FROM read_csv('{source}')")
        database.execute("COPY (SELECT host, bytes, CAST(sum(bytes) OVER (PARTITION BY host ORDER BY rowid "
                         "ROWS UNBOUNDED PRECEDING) AS BIGINT) AS bytes_sum FROM lines ORDER BY rowid) "
                         f"TO '{target}' (HEADER, USE_TMP_FILE false)")
    return total


def with_json() -> Callable[[str, str], None]:
    """The same of a table that read_json gives."""
    import duckdb

    def total(source: str, target: str) -> None:
        database = duckdb.connect(config={"threads": THREADS})
        database.execute(f"CREATE TABLE lines AS SELECT bytes FROM read_json('{source}')")
        database.execute("COPY (SELECT CAST(sum(bytes) OVER (ORDER BY rowid ROWS UNBOUNDED PRECEDING) AS BIGINT) AS bytes_sum "
                         f"FROM lines ORDER BY rowid) TO '{target}' (FORMAT json, USE_TMP_FILE false)")
    return total


def with_pandas() -> Callable[[str, str], None]:
    """Groups."""
    import pandas

    def total(source: str, target: str) -> None:
        table = pandas.read_csv(source)
        table["bytes_sum"] = table.groupby("host", sort=False)["bytes"].cumsum()
        table.to_csv(target, index=False)
    return total


def with_rolling() -> Callable[[str, str], None]:
    """Windows; those at the beginning have fewer elements."""
    import numpy
    import pandas

    def greatest(source: str, target: str) -> None:
        elements = pandas.Series(numpy.fromfile(source))
        elements.rolling(WINDOW, min_periods=1).max().to_numpy().tofile(target)
    return greatest


def main() -> int:
    """Times one of them."""
    what, source, target = sys.argv[1:]
    work = {"polars": with_polars, "duckdb": with_duckdb, "pandas": with_pandas, "json": with_json, "map": with_map,
            "rolling": with_rolling}[what]()
    begin = time.perf_counter()
    work(source, target)
    print(f"{time.perf_counter() - begin:.6f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
