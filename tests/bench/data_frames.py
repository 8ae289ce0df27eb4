#!/usr/bin/python3
"""data_frames.py WHAT IN OUT: what pscan does, by a library, from file to file.

    polars, duckdb, pandas   each line of a table with the running total of its host: pscan --csv -g host -f bytes -a
    json                     by duckdb, the running total of a member of lines of JSON: pscan --json -f bytes
    rolling                  by pandas, the greatest of the last 1000 of raw f64: pscan --window=1000 -op max
    map                      by polars in floats, each line of a bank's table with the balance so far:
                             pscan --csv --map='credit - debit' -a
    polars_hour, duckdb_hour each line of a table with the greatest bytes of the last hour:
                             pscan --csv -f bytes --window=time:1h -op max -a
    duckdb_distinct          how many different lines there were so far: pscan -op distinct

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


def with_polars_hour() -> Callable[[str, str], None]:
    """Windows by time. Each time is parsed and also kept as text. Eager frames take as long."""
    os.environ["POLARS_MAX_THREADS"] = str(THREADS)
    import polars

    def greatest(source: str, target: str) -> None:
        parsed = polars.col("time").str.to_datetime("%Y-%m-%dT%H:%M:%SZ")
        maxima = polars.col("bytes").rolling_max_by(parsed, window_size="1h").alias("bytes_max")
        polars.scan_csv(source).with_columns(maxima).sink_csv(target)
    return greatest


def with_duckdb_hour() -> Callable[[str, str], None]:
    """The same. A window begins after the time an hour ago, and times are whole seconds: 3599 of them."""
    import duckdb

    def greatest(source: str, target: str) -> None:
        database = duckdb.connect(config={"threads": THREADS})
        database.execute("COPY (SELECT time, bytes, max(bytes) OVER (ORDER BY CAST(time AS TIMESTAMP) RANGE BETWEEN "
                         "INTERVAL 3599 SECONDS PRECEDING AND CURRENT ROW) AS bytes_max FROM "
                         f"read_csv('{source}', types={{'time': 'VARCHAR'}})) "
                         f"TO '{target}' (HEADER, USE_TMP_FILE false)")
    return greatest


def with_duckdb_distinct() -> Callable[[str, str], None]:
    """Counts the lines in which a text comes first. This is faster than count(DISTINCT text) OVER."""
    import duckdb

    def count(source: str, target: str) -> None:
        database = duckdb.connect(config={"threads": THREADS})
        database.execute("CREATE TABLE lines AS SELECT * FROM "
                         f"read_csv('{source}', header=false, columns={{'text': 'VARCHAR'}})")
        database.execute("COPY (SELECT count(id) OVER (ORDER BY lines.rowid ROWS UNBOUNDED PRECEDING) FROM lines "
                         "LEFT JOIN (SELECT min(rowid) AS id FROM lines GROUP BY text) ON id = lines.rowid "
                         f"ORDER BY lines.rowid) TO '{target}' (HEADER false, USE_TMP_FILE false)")
    return count


def main() -> int:
    """Times one of them."""
    what, source, target = sys.argv[1:]
    work = {"polars": with_polars, "duckdb": with_duckdb, "pandas": with_pandas, "json": with_json, "map": with_map,
            "rolling": with_rolling, "polars_hour": with_polars_hour, "duckdb_hour": with_duckdb_hour,
            "duckdb_distinct": with_duckdb_distinct}[what]()
    begin = time.perf_counter()
    work(source, target)
    print(f"{time.perf_counter() - begin:.6f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
