#!/usr/bin/python3
"""gpu_table.py [DIRECTORY]: prints what gpu.sh measured on a machine with a GPU as Markdown."""
import csv
import os
import sys

from machine import HERE

KERNEL_BYTES = "268435456"


def read(directory: str, name: str) -> list[list[str]]:
    """The rows of a file."""
    with open(os.path.join(directory, name), newline="", encoding="utf-8") as file:
        return list(csv.reader(file, delimiter="\t"))


def kernel_lines(directory: str) -> list[tuple[str, ...]]:
    """pscan's kernels beside CUB's scan, on 256 MiB."""
    cub = {(row[4], row[5], row[6]): row[8] for row in read(directory, "cub.tsv")}
    lines = []
    for row in read(directory, "kernels.tsv"):
        operator, kind, launch, what, rate = row[4], row[5], row[6], row[7], row[9]
        peer = cub.get(("cub-scan", kind, KERNEL_BYTES))
        if operator == "sum" and launch == KERNEL_BYTES and what in ("kernels", "in-flight") and peer:
            name = {"kernels": "up-sweep and down-sweep", "in-flight": "the same with the fold, three launches under way"}
            lines.append((f"{kind} sum of 256 MiB: {name[what]}", f"{rate} GB/s", f"CUB DeviceScan {peer} GB/s",
                          f"{float(rate) / float(peer):.2f}"))
    return lines


def pipeline_lines(directory: str) -> list[tuple[str, ...]]:
    """Whole processes; the peer of files and pipes is cat, that of the host its own single thread."""
    rows = {row[4]: row for row in read(directory, "pipeline.tsv")}
    peers = {"null": "-D none -T 1, null", "pipes": "cat, pipes", "file": "cat, file"}
    lines = []
    for case, row in rows.items():
        name, place = case.rsplit(", ", 1)
        peer = rows[peers[place]]
        if row is not peer and not name.startswith("cat"):
            lines.append((f"8 GiB f32 sum, `{name}`, to {place}", f"{row[7]} GB/s", f"{peer[4].rsplit(', ', 1)[0]} {peer[7]} GB/s",
                          f"{float(row[7]) / float(peer[7]):.2f}"))
    return lines


def program_lines(directory: str) -> list[tuple[str, ...]]:
    """Programs: kernels beside CUB's scan with the same operator, and whole processes beside what is written by hand.
    """
    cub = {(row[4], row[6]): float(row[7]) for row in read(directory, "cub.tsv")}
    lines = []
    for row in read(directory, "programs.tsv"):
        program, size, what, seconds = row[4], row[6], row[7], float(row[8])
        peer = cub.get((f"cub-{program}", size))
        if what == "kernels" and peer:
            lines.append((f"{program}, {int(size) >> 20} MiB in one launch: up-sweep and down-sweep", f"{seconds * 1e3:.3f} ms",
                          f"CUB DeviceScan {peer * 1e3:.3f} ms", f"{peer / seconds:.2f}"))
    rows = {row[4]: float(row[6]) for row in read(directory, "processes.tsv")}
    for case, peer in (("expensive, -D gpu, file", "expensive, vectors, file"), ("expensive, -D gpu, file", "expensive, openmp, file"),
                       ("recurrence, -D gpu, null", "recurrence, loop, null"), ("recurrence, -D none, null", "recurrence, loop, null")):
        lines.append((f"512 MiB, whole process: {case}", f"{rows[case]:.3f} s", f"{peer} {rows[peer]:.3f} s",
                      f"{rows[peer] / rows[case]:.2f}"))
    for size in ("4M", "16M"):
        one, every = (rows[f"sum, -D gpu --chunk-size={size}, {what}"] for what in ("one chunk", "all"))
        lines.append((f"16 GiB f32 sum, -D gpu, slots of {size}, to null: after the time of one chunk", f"{2 ** 34 / 1e9 / (every - one):.1f} GB/s",
                      f"-D none {2 ** 34 / 1e9 / rows['sum, -D none, all']:.1f} GB/s", f"{rows['sum, -D none, all'] / (every - one):.2f}"))
    return lines


def print_table(first: list[str], lines: list[tuple[str, ...]]) -> None:
    """Prints rows under where and when they were measured."""
    print(f"{first[1]}, 16 cores, {first[2]}, commit {first[3]}; medians.\n")
    print("| case | pscan | peer | ratio of rates |\n|---|---|---|---|")
    for line in lines:
        print("| " + " | ".join(line) + " |")


def main() -> int:
    """Prints the tables."""
    directory = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "results/h200")
    print_table(read(directory, "pipeline.tsv")[0], kernel_lines(directory) + pipeline_lines(directory))
    print("\nOperators of one's own:\n")
    print_table(read(directory, "programs.tsv")[0], program_lines(directory))
    return 0


if __name__ == "__main__":
    sys.exit(main())
