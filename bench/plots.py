#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Draws the plots of README.md: plots.py RESULTS.json [TITLE] (Debian: python3-matplotlib).

  build/bench-clang/bench/sizes_bench --benchmark_format=json > sizes.json && bench/plots.py sizes.json "clang 19, AVX-512"
  bench/compile_time.py --sizes > compile.json && bench/plots.py compile.json "-O2"

Of Google Benchmark's JSON of sizes_bench, plots/product.png: GFLOP/s of square products over their size, of exprax, of its peers, and of
fused multiply-adds in registers; plots/speed.png: time of exprax and of Eigen for each element over the size, for the other kernels. Of what
compile_time.py prints, plots/compile.png: processor seconds over the number of equations.
"""
import collections
import json
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402: the backend comes first

FOLDER = pathlib.Path(__file__).resolve().parent / "plots"
OURS, PEERS = "#b5361c", ("#5b6770", "#2f6f8f")


def series(results):
    """name -> {"exprax" or a peer: [(size, ns)]}; dtype -> the limit in GFLOP/s"""
    found, limits = collections.defaultdict(lambda: collections.defaultdict(list)), {}
    for row in results["benchmarks"]:
        if row.get("error_occurred"):
            sys.exit(f"{row['name']}: {row['error_message']}")
        name, size = row["name"].split("/")[:2]
        if name.startswith("limit "):
            limits[name.removeprefix("limit ")] = row["GFLOP/s"]
            continue
        for key, value in row.items():
            if key.endswith("_ns") and key != "peer_ns":
                found[name]["exprax" if key == "ours_ns" else key.removesuffix("_ns")].append((int(size), value))
    return found, limits


def draw(axes, title, rows, value):
    peers = iter(PEERS)
    for label, points in sorted(rows.items(), key=lambda row: row[0] != "exprax"):
        style = {"color": OURS} if label == "exprax" else {"color": next(peers), "linestyle": "--"}
        axes.plot(*zip(*((n, value(n, ns)) for n, ns in sorted(points))), marker=".", label=label, **style)
    axes.set_xscale("log")
    axes.set_title(title, fontsize=10)
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)


def save(figure, name, title):
    figure.suptitle(title, fontsize=11)
    figure.tight_layout()
    figure.savefig(FOLDER / name, dpi=110, metadata={"Software": None})


def draw_compile_time(compilers, title):
    figure, axes = plt.subplots(figsize=(5, 3.4))
    for (name, rows), color, line in zip(compilers.items(), (OURS, PEERS[0]), ("-", "--")):
        axes.plot(*zip(*rows), color=color, marker=".", linestyle=line, label=name)
    axes.set_xlabel("equations")
    axes.set_ylabel("processor seconds")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, frameon=False)
    save(figure, "compile.png", f"compile time ({title})")


def main():
    title = sys.argv[2] if len(sys.argv) > 2 else ""
    FOLDER.mkdir(exist_ok=True)
    results = json.loads(pathlib.Path(sys.argv[1]).read_text())
    if "benchmarks" not in results:
        return draw_compile_time(results, title)
    found, limits = series(results)
    products = [name for name in found if name.startswith("product")]
    figure, axes = plt.subplots(1, len(products), figsize=(5 * len(products), 3.4))
    for at, name in zip(axes, products):
        draw(at, name, found[name], lambda n, ns: 2 * n**3 / ns)
        if (limit := limits.get(name.split()[-1])) is not None:
            at.axhline(limit, color="#b0b0b0", linewidth=1, label="fused multiply-adds in registers")
        at.legend(fontsize=8, frameon=False)
        at.set_xlabel("n")
        at.set_ylabel("GFLOP/s")
    save(figure, "product.png", f"n × n products, one core ({title})")

    others = [name for name in found if name not in products]
    figure, axes = plt.subplots(1, len(others), figsize=(4 * len(others), 3.4))
    for at, name in zip(axes, others):
        per = 64 if "64 rows" in name else 1
        draw(at, name, found[name], lambda n, ns: ns / n / per)
        at.legend(fontsize=8, frameon=False)
        at.set_xlabel("elements" if per == 1 else "elements of a row")
        at.set_ylabel("ns for each element")
        at.set_yscale("log")
        at.autoscale(axis="y")
    save(figure, "speed.png", f"one core ({title})")


if __name__ == "__main__":
    main()
