#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Prints a markdown table of what compiling costs: compile_time.py [--repeat N] [--only TEXT] [--stages | --derivatives | --sizes] [compiler...].

Processor seconds (median) and peak memory for each program and compiler, and how many times Eigen's header it takes; Eigen and xtensor (Debian:
libeigen3-dev, libxtensor-dev) compile the same kernels. The programs are made here but for the quickstart. The jaxpr of the unrolled loop is made with the compiler's default
limits for constant evaluation, everything else with the exported ones.

--stages prints for each of three long programs what it costs up to a stage: processor seconds, steps of the longest constant evaluation for
each equation (with clang, of 1,000), and with clang the functions and classes that are instantiated.

--derivatives prints for each function of derivatives_bench.cpp and derivatives_models_bench.cpp the processor seconds at -O2 of a source that
calls it, of one that calls its gradient, each without those of the include, and how many times the first the second is.

--sizes prints JSON for plots.py: for each compiler the processor seconds at -O2, with those of the include, of chains of more and more
equations, each of the one before.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "checks"))
import compile_counts  # noqa: E402: beside the tests, which hold its counts

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMITS = {
    "g++": ["-fconstexpr-ops-limit=2147483647", "-fconstexpr-loop-limit=16777216", "-fconstexpr-depth=2048"],
    "clang": ["-fconstexpr-steps=2147483647", "-fconstexpr-depth=2048", "-fbracket-depth=2048"],
}

HEAD = "#include <exprax/exprax.hpp>\nnamespace ex = exprax;\n"
# An unrolled loop, and what follows it: an assertion about its jaxpr.
JAXPR = (ROOT / "tests/checks/default_limits.cpp").read_text()
RUN = JAXPR[:JAXPR.index("static_assert")] + """
float w[64 * 32], a[64 * 33];
int main() {
  for (float& x : w) x = 0.5f;
  ex::view<float, 64, 33> out(a);
  ex::jit(forward).into(out, ex::view<float const, 64, 32>(w));
  return a[33 * 32] > 0 ? 0 : 1;
}
"""


def chain(n):
    """n equations, each of which needs the one before: no pass removes one."""
    return HEAD + f"""
constexpr auto chain = [](auto x) {{
  auto a = x;
  for (int i = 0; i < {n} / 2; ++i) a = ex::maximum(a * x, 0.5f);
  return a;
}};
float x[1000], y[1000];
int main() {{
  ex::view<float, 1000> out(y);
  ex::jit(chain).into(out, ex::view<float const, 1000>(x));
  return y[0] == 0.5f ? 0 : 1;
}}
"""


def nest(depth):
    """loops in loops, each of which starts with a weak number that its body makes strong"""
    body = "y * x + i"
    for _ in range(depth):
        body = f"y + ex::fori_loop(0, n, [=](auto i, auto y) {{ return {body}; }}, 0.0f)"
    return HEAD + f"""
constexpr auto nest = [](auto n, auto x) {{ auto y = x; return {body.replace("y + ", "", 1)}; }};
int main() {{ return ex::jit(nest)(2, ex::array<float>(0.5f)) > 0 ? 0 : 1; }}
"""


MLP = HEAD + """
constexpr auto mlp = [](auto x, auto w1, auto b1, auto w2, auto b2) { return ex::dot(ex::tanh(ex::dot(x, w1) + b1), w2) + b2; };
constexpr auto batched = ex::vmap(mlp, ex::in_axes<0, ex::none, ex::none, ex::none, ex::none>);
float x[32 * 16], w1[16 * 64], b1[64], w2[64 * 4], b2[4], y[32 * 4];
int main() {
  ex::view<float, 32, 4> out(y);
  ex::jit(batched).into(out, ex::view<float const, 32, 16>(x), ex::view<float const, 16, 64>(w1), ex::view<float const, 64>(b1),
                        ex::view<float const, 64, 4>(w2), ex::view<float const, 4>(b2));
  return y[0] == 0 ? 0 : 1;
}
"""
SCAN = HEAD + """
constexpr auto smooth = [](auto x) { return ex::scan([](auto c, auto v) { auto d = c * 0.9f + v * 0.1f; return ex::tuple(d, ex::sin(d)); }, 0.0f, x); };
constexpr auto rows = ex::vmap(smooth);
float x[64 * 100], last[64], y[64 * 100];
int main() {
  auto out = ex::tuple(ex::view<float, 64>(last), ex::view<float, 64, 100>(y));
  ex::jit(rows).into(out, ex::view<float const, 64, 100>(x));
  return y[0] == 0 ? 0 : 1;
}
"""


EIGEN = "#include <Eigen/Dense>\n"
KERNEL = HEAD + """
constexpr auto kernel = [](auto x, auto y) {
  auto a = x * y + 0.5f;
  auto e = ex::exp(-ex::abs(a));
  auto b = e * x - y;
  auto c = ex::maximum(b, e);
  return c * c + e;
};
float x[1000], y[1000], z[1000];
int main() {
  ex::view<float, 1000> out(z);
  ex::jit(kernel).into(out, ex::view<float const, 1000>(x), ex::view<float const, 1000>(y));
  return z[0] > 0 ? 0 : 1;
}
"""
EIGEN_KERNEL = """#include <Eigen/Dense>
using vector = Eigen::Array<float, 1000, 1>;
vector x, y, z;
int main() {
  x.setZero(), y.setZero();
  auto const e = ((x * y + 0.5f).abs() * -1.0f).exp().eval();
  auto const c = (e * x - y).max(e).eval();
  z = c * c + e;
  return z[0] > 0 ? 0 : 1;
}
"""
XTENSOR_KERNEL = """#include <xtensor/xfixed.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
using vector = xt::xtensor_fixed<float, xt::xshape<1000>>;
vector x, y, z;
int main() {
  x.fill(0), y.fill(0);
  vector const e = xt::exp(-xt::abs(x * y + 0.5f));
  vector const c = xt::maximum(e * x - y, e);
  xt::noalias(z) = c * c + e;
  return z(0) > 0 ? 0 : 1;
}
"""
EIGEN_MLP = """#include <Eigen/Dense>
template <int R, int C>
using matrix = Eigen::Matrix<float, R, C, Eigen::RowMajor>;
matrix<32, 16> x;
matrix<16, 64> w1;
matrix<1, 64> b1;
matrix<64, 4> w2;
matrix<1, 4> b2;
matrix<32, 4> y;
int main() {
  x.setZero(), w1.setZero(), b1.setZero(), w2.setZero(), b2.setZero();
  matrix<32, 64> h = x * w1;
  h.rowwise() += b1;
  y.noalias() = matrix<32, 64>(h.array().tanh()) * w2;
  y.rowwise() += b2;
  return y(0, 0) == 0 ? 0 : 1;
}
"""


def programs():
    """name, source, flags, exported limits, whether it is run"""
    yield "Eigen/Dense, header alone", EIGEN, ["-fsyntax-only"], False, False
    yield "Eigen: kernel of ten operations, -O2", EIGEN_KERNEL, ["-O2"], False, True
    yield "Eigen: MLP of two layers, -O2", EIGEN_MLP, ["-O2"], False, True
    yield "xtensor/xtensor.hpp and xmath.hpp, headers alone", "#include <xtensor/xtensor.hpp>\n#include <xtensor/xmath.hpp>\n", ["-fsyntax-only"], False, False
    yield "xtensor: kernel of ten operations, -O2", XTENSOR_KERNEL, ["-O2"], False, True
    yield "exprax/core.hpp, header alone", "#include <exprax/core.hpp>\n", ["-fsyntax-only"], True, False
    yield "exprax/exprax.hpp, header alone", "#include <exprax/exprax.hpp>\n", ["-fsyntax-only"], True, False
    yield "kernel of ten operations, -O2", KERNEL, ["-O2"], True, True
    yield "quickstart, -O2", (ROOT / "examples" / "quickstart.cpp").read_text(), ["-O2"], True, True
    yield "MLP of two layers under vmap, -O2", MLP, ["-O2"], True, True
    yield "scan of 100 steps under vmap, -O2", SCAN, ["-O2"], True, True
    yield "unrolled loop 64x32: make_jaxpr, default limits", JAXPR, ["-fsyntax-only"], False, False
    yield "unrolled loop 64x32: jit, -O2", RUN, ["-O2"], True, True
    for n in (10, 100, 1000, 5000):
        yield f"chain of {n} equations, -O2", chain(n), ["-O2"], True, True
    for depth in range(1, 7):
        yield f"fori_loop, {depth} deep, -O2", nest(depth), ["-O2"], True, True


def stages(name):
    """name, source and flags of each stage of a program: up to it"""
    source, types = {
        "chain of 1000 equations": (chain(1000), "chain, ex::expr<float, 1000>"),
        "chain of 5000 equations": (chain(5000), "chain, ex::expr<float, 1000>"),
        "unrolled loop 64x32": (RUN, "forward, ex::expr<float, 64, 32>"),
    }[name]
    function, argument = types.split(", ", 1)
    head = source[:source.index("float ")] + f"using traced = ex::detail::traced<ex::detail::object_ref<{function}>, {argument}>;\n"
    yield "include", HEAD, ["-fsyntax-only"]
    yield "trace", head + "static_assert(traced::recorded.n.eqns > 0);\n", ["-fsyntax-only"]
    yield "passes", head + "static_assert(ex::detail::compiled<traced>::ref.n.eqns > 0);\n", ["-fsyntax-only"]
    yield "plan", head + "static_assert(ex::planned<ex::detail::compiled<traced>>::sizes.is_possible);\n", ["-fsyntax-only"]
    yield "kernels", source, ["-fsyntax-only"]
    yield "machine code, -O2", source, ["-O2", "-c", "-o", os.devnull]


def equations(name):
    return 3 * 63 * 62 if "unrolled" in name else int(name.split()[2])


def print_stages(name, compiler, flags, repeat, folder):
    """rows of one program and compiler"""
    is_clang = "clang" in compiler
    limits = LIMITS["clang" if is_clang else "g++"]
    for stage, source, more in stages(name):
        program = compile_counts.compiling(compiler, is_clang, [*flags, *limits], source, folder)
        seen = [measure([*program.command, *more, str(program.path)]) for _ in range(repeat)]
        if None in seen:
            print(f"| {name} | {compiler} | {stage} | failed | | | |", flush=True)
            continue
        steps = "" if not is_clang or stage.startswith("machine") or equations(name) > 1000 else f"{program.steps() / equations(name):.0f}"
        counts = [str(n) for n in program.instantiations()] if is_clang else ["", ""]
        print(f"| {name} | {compiler} | {stage} | {statistics.median(s for s, _ in seen):.2f} | {steps} | {' | '.join(counts)} |", flush=True)


def differentiated():
    """name, source of the value, source of the gradient"""
    text = "".join((ROOT / f"bench/derivatives{part}_bench.cpp").read_text() for part in ("", "_models"))
    head = HEAD + "".join(re.findall(r"^constexpr (?:int|double) .*?;\n", text, re.M))
    for name, arguments in {
        **dict.fromkeys(("sum", "sum_iter", "prod", "prod_iter", "log_sum_exp", "normal_log_pdf", "rosenbrock"), ["n"]),
        "matrix_product": ["2, side, side"],
        "regression": ["columns + 2", "rows, columns", "rows"],
        "stochastic_volatility": ["times + 3", "times"],
        "mlp": [["width, width", "width", "width, classes", "classes"], "batch, width", "batch, classes"],
        "lstm": [["units, gates", "units, gates", "gates", "moments, units"], "moments, units"],
        "lennard_jones": ["3, particles"],
        "lorenz_fit": ["6", "3, steps"],
    }.items():
        array = "ex::array<double, {}>{{}}".format
        values = [f"ex::tuple({', '.join(map(array, a))})" if isinstance(a, list) else array(a) for a in arguments]
        function = re.search(rf"^constexpr auto {name} = .*(?:;|{{\n(?s:.*?)^}};)$", text, re.M)[0]
        yield name, *(f"""{head}{function}
int main() {{
  auto const r = ex::jit({f})({', '.join(values)});
  asm volatile("" : : "r"(&r) : "memory");
}}
""" for f in (name, f"ex::grad({name})"))


def print_derivatives(compiler, only, flags, repeat, folder):
    """rows of one compiler"""
    path = pathlib.Path(folder) / "program.cpp"

    def seconds(source):
        path.write_text(source)
        command = [compiler, *flags, *LIMITS["clang" if "clang" in compiler else "g++"], "-O2", "-c", "-o", os.devnull, str(path)]
        seen = measure(command)
        return seen[0] if seen else float("nan")

    for name, *sources in differentiated():
        if only in name:
            # in turn, so that all meet the same machine
            seen = [[seconds(source) for source in (HEAD, *sources)] for _ in range(repeat)]
            include, *both = map(statistics.median, zip(*seen))
            value, gradient = (s - include for s in both)
            print(f"| {name} | {compiler} | {value:.2f} | {gradient:.2f} | {gradient / value:.1f} |", flush=True)


def chain_seconds(compiler, flags, repeat, folder):
    """[equations, processor seconds] of chains"""
    limits = LIMITS["clang" if "clang" in compiler else "g++"]
    for n in (0, 10, 30, 100, 300, 1000, 2000, 3000, 5000):
        path = pathlib.Path(folder) / "chain.cpp"
        path.write_text(chain(n))
        seen = [measure([compiler, *flags, *limits, "-O2", "-c", str(path), "-o", os.devnull]) for _ in range(repeat)]
        if None in seen:
            sys.exit(f"{compiler}: {n} equations do not compile")
        yield [n, statistics.median(s for s, _ in seen)]


def measure(command):
    """processor seconds and peak megabytes of a command, or None when it fails; the first error goes to stderr"""
    with tempfile.TemporaryFile("w+") as errors:
        process = os.posix_spawnp(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, errors.fileno(), 2)])
        _, status, usage = os.wait4(process, 0)
        if status == 0:
            return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
        errors.seek(0)
        print(next((line.strip()[:300] for line in errors if "error" in line), "no error text"), file=sys.stderr)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--march", default="native")
    parser.add_argument("compilers", nargs="*", default=["g++", "clang++-19"])
    parser.add_argument("--stages", action="store_true")
    parser.add_argument("--derivatives", action="store_true")
    parser.add_argument("--sizes", action="store_true")
    args = parser.parse_args()
    if args.sizes:
        with tempfile.TemporaryDirectory() as folder:
            flags = ["-std=c++20", f"-march={args.march}", f"-I{ROOT}/include"]
            print(json.dumps({c: list(chain_seconds(c, flags, args.repeat, folder)) for c in args.compilers}))
        return
    if args.stages:
        print("| program | compiler | up to | s | steps for an equation | functions | classes |\n|---|---|---|---|---|---|---|")
        with tempfile.TemporaryDirectory() as folder:
            for name in ("chain of 1000 equations", "chain of 5000 equations", "unrolled loop 64x32"):
                for compiler in args.compilers if args.only in name else []:
                    print_stages(name, compiler, ["-std=c++20", f"-march={args.march}", f"-I{ROOT}/include"], args.repeat, folder)
        return
    if args.derivatives:
        print("| program | compiler | value: s | gradient: s | gradient / value |\n|---|---|---|---|---|")
        with tempfile.TemporaryDirectory() as folder:
            for compiler in args.compilers:
                flags = ["-std=c++20", f"-march={args.march}", f"-I{ROOT}/include"]
                print_derivatives(compiler, args.only, flags, args.repeat, folder)
        return
    print("| program | " + " | ".join(f"{c}: s | MB | of Eigen" for c in args.compilers) + " |")
    print("|---|" + "---|---|---|" * len(args.compilers))
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        path, yardstick = pathlib.Path(folder) / "program.cpp", pathlib.Path(folder) / "yardstick.cpp"
        binary = str(path.with_suffix(""))
        yardstick.write_text(EIGEN)
        for name, source, flags, limits, run in programs():
            if args.only not in name:
                continue
            row = []
            for compiler in args.compilers:
                path.write_text(source)
                base = [compiler, "-std=c++20", f"-march={args.march}", f"-I{ROOT}/include", "-isystem/usr/include/eigen3"]
                extra = LIMITS["clang" if "clang" in compiler else "g++"] if limits else []
                output = [] if "-fsyntax-only" in flags else ["-o", binary]
                # In turn with the yardstick, so that both meet the same machine.
                seen = [(measure([*base, "-fsyntax-only", str(yardstick)]), measure([*base, *extra, *flags, str(path), *output])) for _ in range(args.repeat)]
                if any(None in s for s in seen) or (run and os.spawnv(os.P_WAIT, "/bin/sh", ["sh", "-c", f"{binary} > /dev/null"]) != 0):
                    row.append("failed | | ")
                    failed = True
                else:
                    ratio = statistics.median(p[0] / e[0] for e, p in seen)
                    row.append(f"{statistics.median(p[0] for _, p in seen):.2f} | {max(p[1] for _, p in seen):.0f} | {ratio:.1f}")
            print(f"| {name} | " + " | ".join(row) + " |", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
