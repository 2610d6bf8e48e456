#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compiles a program with each head beside exprax.hpp, and one with all heads: heads.py COMPILER FLAGS..."""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

# What each head is there for, as conditions.
PROGRAMS = {
    "core": [
        "ex::jit([](auto x) { return ex::sum(ex::where(x > 1, x, 0) * 2.0f); })(row) == 10.0f",
        "ex::jit([](auto x) { return ex::vmap([](auto y) { return y + 1; })(x).at(ex::static_<0>).add(5); })(row) == ex::array<float, 3>{7, 3, 4}",
        "ex::jit([](auto x) { return ex::fori_loop(0, 3, [](auto, auto c) { return c + c; }, x); })(row) == ex::array<float, 3>{8, 16, 24}",
        "ex::jit([](auto x) { return ex::cumsum(ex::sort(-x)); })(row) == ex::array<float, 3>{-3, -5, -6}",
        "ex::jit([](auto x) { return ex::dot(x, x) + ex::mean(x); })(row) == 16.0f",
    ],
    "numpy": ["ex::jit([](auto x) { return ex::convolve(x, x); })(row) == ex::array<float, 5>{1, 4, 10, 12, 9}", "ex::jit([](auto x) { return ex::median(x); })(row) == 2.0f"],
    "lax": ["ex::jit([](auto x) { return ex::lax::mul(x, x); })(row) == ex::array<float, 3>{1, 4, 9}"],
    "linalg": ["ex::jit([](auto x) { return ex::linalg::det(x); })(ex::array<float, 2, 2>{{2, 1}, {1, 3}}) == 5.0f"],
    "fft": ["ex::jit([](auto x) { return ex::real(ex::fft::fft(x)); })(row)(0) == 6.0f"],
    "random": ["ex::jit([](auto s) { return ex::random::uniform<3>(ex::random::key(s)); })(1)(0) < 1.0f"],
    "nn": ["ex::jit([](auto x) { return ex::nn::relu(x - 2); })(row) == ex::array<float, 3>{0, 0, 1}"],
    "npy": ["requires { ex::save(\"row.npy\", row); }"],
    "special": ["ex::jit([](auto x) { return ex::special::xlogy(x - 1, x); })(row)(0) == 0.0f"],
    "distributed": ['ex::jit([](auto x) { return ex::vmap([](auto y) { return ex::lax::psum(y, ex::axis_name<"i">); }, ex::axis_name<"i">)(x); })(row) == ex::array<float, 3>{6, 6, 6}'],
}


def source_of(heads):
    lines = [f"#include <exprax/{head}.hpp>" for head in heads] + ["namespace ex = exprax;", "inline constexpr ex::array<float, 3> row{1, 2, 3};"]
    conditions = [f"static_assert({condition});" for head in heads for condition in PROGRAMS.get(head, [])]
    return "\n".join(lines + conditions) + "\n"


def main():
    with tempfile.TemporaryDirectory() as folder:

        def errors(heads):
            path = pathlib.Path(folder) / f"{'_'.join(heads)}.cpp"
            path.write_text(source_of(heads))
            run = subprocess.run([*sys.argv[1:], "-fsyntax-only", str(path)], capture_output=True, text=True)
            return f"{path.stem}:\n{run.stderr}" if run.returncode or run.stderr else ""

        everything = [*reversed(PROGRAMS), "exprax"]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = [text for text in pool.map(errors, [*([head] for head in PROGRAMS), everything]) if text]
    print("\n".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
