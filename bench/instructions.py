#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Counts the instructions of one call of each candidate of benchmarks, with valgrind: counts do not depend on what else the machine does.

  bench/instructions.py [--filter REGEX] [--limit SECONDS] build/bench/rows_bench... (Debian: valgrind)

Build for x86-64-v3 at most: valgrind has no AVX-512. Of a row of compare.hpp: the second call of ours and of each peer, and the fewest of a
peer over ours (above 1: exprax needs fewer). Of other benchmarks: one iteration, in the second run of the benchmark, and what an item
takes. Left out is what takes longer than the limit without valgrind, which takes 50 times as long. "~": two runs in one process counted
differently by more than one in a thousand.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

CALL, ITERATION = "bench::count_ends()", "benchmark::State::FinishKeepRunning()"
BEGINS = ["--zero-before=bench::count_begins()", "--dump-after=benchmark::State::StartKeepRunning()"]  # a dump sets the count to zero
ONE_ITERATION = "--benchmark_min_time=1e-9"
ENVIRONMENT = os.environ | {"EXPRAX_BENCH_COUNTED": "1", "LD_BIND_NOW": "1", "OMP_NUM_THREADS": "1"}
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}


def output_of(command):
    result = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(command)}: {result.returncode}\n{result.stderr}")
    return result.stdout


def rows_of(program, options):
    """One iteration each, without valgrind: (name, items of an iteration) of what does not fail and is within the limit."""
    rows = []
    results = json.loads(output_of([program, "--benchmark_format=json", ONE_ITERATION, f"--benchmark_filter={options.filter}"]))
    for row in results["benchmarks"]:
        name, unit = row["name"], SECONDS[row.get("time_unit", "ns")]
        if row.get("error_occurred"):
            print(f"{name}: {row['error_message']}", file=sys.stderr)
        elif row["real_time"] * unit > options.limit:
            print(f"{name}: left out, {row['real_time'] * unit:.2f} s", file=sys.stderr)
        else:
            time = row["real_time" if re.search("/(manual|real)_time", name) else "cpu_time"]
            rows.append((name, round(row.get("items_per_second", 0) * time * unit)))
    return rows


def runs_of(program, names, folder):
    """The counts of each run of a benchmark, two of each in turn: of each candidate, or of the one iteration."""
    exact = "|".join(re.sub(r"[][().*+?{}|^$\\]", r"\\\g<0>", name) for name in names)
    tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/dump", "--compress-strings=yes", "--dump-line=no"]
    ends = [f"--dump-before={CALL}", f"--dump-before={ITERATION}"]
    output_of([*tool, *BEGINS, *ends, program, ONE_ITERATION, "--benchmark_repetitions=2", f"--benchmark_filter=^({exact})$"])
    runs, candidates = [], []
    for dump in sorted(folder.glob("dump.*"), key=lambda path: int(path.suffix[1:])):
        text = dump.read_text()
        trigger = re.search(r"^desc: Trigger: (.*)$", text, re.M)[1]
        count = int(re.search(r"^(?:totals|summary): (\d+)", text, re.M)[1])
        if CALL in trigger:
            candidates.append(count)
        elif ITERATION in trigger:
            runs.append(candidates or [count])
            candidates = []
    return runs


def line(name, items, first, last):
    if len(last) == 1:  # no peers: the first run pays what is paid once
        return [name, f"{last[0]:,}", "", "", f"{last[0] / items:.2f}" if items else ""]
    mark = "~" if any(abs(a - b) > 1e-3 * b for a, b in zip(first, last)) else ""
    peers = [count for count in last[1:] if count > 16]  # less is a peer that is not installed
    return [name, f"{mark}{last[0]:,}", " ".join(f"{count:,}" for count in peers), f"{min(peers) / last[0]:.2f}" if peers else "", ""]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--filter", default=".*")
    parser.add_argument("--limit", type=float, default=0.2)
    options = parser.parse_args()
    print("| benchmark | instructions | of peers | peer/ours | an item |\n|---|---|---|---|---|")
    for program in options.programs:
        program = str(pathlib.Path(program).resolve())
        rows = rows_of(program, options)
        if not rows:
            continue
        with tempfile.TemporaryDirectory() as folder:
            runs = runs_of(program, [name for name, _ in rows], pathlib.Path(folder))
        if len(runs) != 2 * len(rows):
            sys.exit(f"{program}: {len(runs)} counts of {len(rows)} benchmarks")
        for k, (name, items) in enumerate(rows):
            shown = re.sub("/(iterations:.*|manual_time|real_time)$", "", name)
            print("| " + " | ".join(line(shown, items, runs[2 * k], runs[2 * k + 1])) + " |", flush=True)


if __name__ == "__main__":
    main()
