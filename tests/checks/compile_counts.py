#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Counts what compiling costs, so that nobody makes it dearer unawares: compile_counts.py [--print] COMPILER FLAGS...

For each program: the steps of its longest constant evaluation (what -fconstexpr-steps and -fconstexpr-ops-limit count), and with clang the
functions and classes that are instantiated (-ftime-trace). The counts are exact for one compiler and one standard library; the test holds
those of the compilers named in EXPECTED, within 3 percent, on both sides: a count that has fallen is written down. --print prints them all.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HEAD = "#include <exprax/exprax.hpp>\nnamespace ex = exprax;\n"
PROGRAMS = {
    "include": HEAD,
    "kernel": HEAD + """
constexpr auto f = [](auto x, auto y) { return ex::maximum(0.0f, ex::dot(x, y) + 1.0f); };
float run(ex::array<float, 8, 8> const& x) { return ex::jit(f)(x, x)(0, 0); }
""",
    "scan": HEAD + """
constexpr auto f = [](auto x) { return ex::scan([](auto c, auto v) { return ex::tuple(c * 0.5f + v, ex::sin(c)); }, 0.0f, x); };
constexpr auto g = ex::vmap(f);
float run(ex::array<float, 8, 64> const& x) { return ex::get<0>(ex::jit(g)(x))(0); }
""",
    "chain of 500": HEAD + """
constexpr auto f = [](auto x) {
  auto a = x;
  for (int i = 0; i < 250; ++i) a = ex::maximum(a * x, 0.5f);
  return a;
};
float run(ex::array<float, 100> const& x) { return ex::jit(f)(x)(0); }
""",
}
# compiler and standard library -> program -> steps, functions, classes
EXPECTED = {
    "g++ 12, libstdc++ 12": {"include": [11312], "kernel": [95936], "scan": [459520], "chain of 500": [4501504]},
    "clang 19, libstdc++ 12": {
        "include": [2032, 2219, 3420],
        "kernel": [8448, 6037, 5193],
        "scan": [26240, 8077, 6140],
        "chain of 500": [482048, 5932, 5104],
    },
}
BAND = 0.03


def version(compiler):
    """such as clang 19, libstdc++ 12"""
    run = subprocess.run([compiler, "-std=c++20", "-dM", "-E", "-x", "c++", "-include", "cstddef", "/dev/null"], capture_output=True, text=True, check=True)
    macros = dict(line.split(None, 2)[1:] for line in run.stdout.splitlines() if len(line.split(None, 2)) == 3)
    name = f"clang {macros['__clang_major__']}" if "__clang_major__" in macros else f"g++ {macros['__GNUC__']}"
    return f"{name}, libstdc++ {macros.get('_GLIBCXX_RELEASE', 'none')}"


class compiling:
    def __init__(self, compiler, is_clang, flags, source, folder):
        self.is_clang = is_clang
        self.path = pathlib.Path(folder) / "program.cpp"
        self.path.write_text(source)
        self.limit = "-fconstexpr-steps=" if is_clang else "-fconstexpr-ops-limit="
        self.command = [compiler, *flags, "-w"]  # the limit that follows is the one that counts

    def works_with(self, steps):
        return subprocess.run([*self.command, f"{self.limit}{steps}", "-fsyntax-only", str(self.path)], capture_output=True).returncode == 0

    def steps(self):
        """the smallest limit, within a thousandth"""
        low, high = 0, 1024
        while not self.works_with(high):
            low, high = high, 2 * high
        while high - low > high // 1000:
            middle = (low + high) // 2
            low, high = (low, middle) if self.works_with(middle) else (middle, high)
        return high

    def instantiations(self):
        trace = self.path.with_suffix(".json")
        subprocess.run([*self.command, f"{self.limit}2147483647", "-c", "-o", str(self.path.with_suffix(".o")), f"-ftime-trace={trace}", "-ftime-trace-granularity=0",
                        str(self.path)], check=True, capture_output=True)
        events = json.loads(trace.read_text())["traceEvents"]
        return [sum(e["name"] == name for e in events) for name in ("InstantiateFunction", "InstantiateClass")]


def differences(program, expected):
    steps, *counts = expected
    most, least = int(steps * (1 + BAND)), int(steps * (1 - BAND))
    if not program.works_with(most):
        yield f"more than {most} steps of constant evaluation (expected: {steps})"
    elif program.works_with(least):
        yield f"fewer than {least} steps of constant evaluation (expected: {steps}): write the new number down"
    for what, now, before in zip(("functions", "classes"), program.instantiations() if counts else [], counts):
        if abs(now - before) > BAND * before:
            yield f"{now} {what} are instantiated (expected: {before})"


def main():
    printing = sys.argv[1] == "--print"
    compiler, *flags = sys.argv[1 + printing:]
    this = version(compiler)
    if not printing and this not in EXPECTED:
        print(f"no counts for {this}")
        sys.exit(77)
    found = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, source in PROGRAMS.items():
            program = compiling(compiler, this.startswith("clang"), flags, source, folder)
            if printing:
                print(f'"{name}": {[program.steps(), *(program.instantiations() if program.is_clang else [])]},', flush=True)
                continue
            for text in differences(program, EXPECTED[this][name]):
                print(f"{name}: {text}")
                found += 1
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
