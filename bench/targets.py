#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The programs of target_bench and the seeds' for one instruction set after the other, as one table: what the default costs, and
whether anything is slower than a plain loop (ratios above 1: exprax is faster; medians of one run).

  bench/targets.py [--compilers g++,clang++-19] [--targets x86-64,x86-64-v2,x86-64-v3,native] [--sources target_bench,...]
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

BENCH = pathlib.Path(__file__).resolve().parent
LIMITS = {
    True: ["-fconstexpr-steps=2147483647", "-fconstexpr-depth=2048", "-fbracket-depth=2048"],
    False: ["-fconstexpr-ops-limit=2147483647", "-fconstexpr-loop-limit=16777216", "-fconstexpr-depth=2048"],
}
RATIOS = ["plain/ours", "xsimd/ours", "peer/ours", "hand/ours", "serial/ours"]


def measured(compiler, target, source, folder):
    program = folder / f"{compiler}_{target}_{source}"
    flags = ["-std=c++20", "-O2", f"-march={target}", f"-I{BENCH.parent}/include", "-isystem/usr/include/eigen3", "-w", *LIMITS["clang" in compiler]]
    subprocess.run([compiler, *flags, str(BENCH / f"{source}.cpp"), "-o", str(program), "-lbenchmark_main", "-lbenchmark", "-lpthread"], check=True)
    output = subprocess.run([str(program), "--benchmark_format=json"], check=True, capture_output=True, text=True).stdout
    return {row["name"].split("/")[0]: row for row in json.loads(output)["benchmarks"]}


def cell(row):
    shown = [f"{row['ours_ns']:.0f} ns"]
    if "ns/element" in row:
        shown = [f"{row['ns/element']:.2f} ns/element"]
    return " ".join(shown + [f"{name[:-5]} {row[name]:.2f}" for name in RATIOS if name in row])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compilers", default="g++,clang++-19")
    parser.add_argument("--targets", default="x86-64,x86-64-v2,x86-64-v3,native")
    parser.add_argument("--sources", default="target_bench,forward3_bench,nonzero_bench")
    options = parser.parse_args()
    targets = options.targets.split(",")
    with tempfile.TemporaryDirectory() as folder:
        for compiler in options.compilers.split(","):
            columns = [{} for _ in targets]
            for source in options.sources.split(","):
                for column, target in zip(columns, targets):
                    column.update(measured(compiler, target, source, pathlib.Path(folder)))
            print(f"| {compiler} | " + " | ".join(targets) + " |")
            print("|---" * (len(targets) + 1) + "|")
            for name in columns[0]:
                print(f"| {name} | " + " | ".join(cell(column[name]) for column in columns) + " |", flush=True)
            print()


if __name__ == "__main__":
    main()
