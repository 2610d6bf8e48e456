#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Builds and runs the quickstart, the seeds, the tests of packs and the golden bits with every compiler and for every target that this
machine has, and prints the table: targets.py [--only REGEX] [--programs quickstart,seeds,...] [--chroot DIR]... [--work DIR].

Debian 12 has g++-11 (refused), g++-12, clang-13 (refused), clang-14, clang-15, clang-16, clang-19, clang-22; for other targets
g++-{aarch64,riscv64,powerpc64le,s390x}-linux-gnu and qemu-user; for microcontrollers gcc-arm-none-eabi,
libstdc++-arm-none-eabi-newlib and qemu-system-arm. Header files: libxsimd-dev libboost-dev doctest-dev.

The compilers of other suites run in folders of their own, as root:
  debootstrap --variant=minbase sid DIR
  chroot DIR apt-get install -y --no-install-recommends g++-13 g++-14 g++-15 g++-16 clang-21 libxsimd-dev libboost-dev doctest-dev
and the same with trixie for clang-17 and clang-18. Then: targets.py --chroot DIR. The sources are copied to DIR/tmp/exprax.

ok: built without a warning, and what ran returned 0 (for "refused": the sentence stands in the first lines). built: nothing here runs it.
-: not for this target. The output of what failed is in the work folder.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ("quickstart", "seeds", "packs", "bits")
BARE = "tests/checks/bare_metal"
WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion -Werror".split()
GCC = "-fconstexpr-ops-limit=2147483647 -fconstexpr-loop-limit=16777216 -fconstexpr-depth=2048".split()
CLANG = "-fconstexpr-steps=2147483647 -fconstexpr-depth=2048 -fbracket-depth=2048".split()


class Target:
    """A row: how to compile, and how to run what came out; runner None: it is only compiled."""

    def __init__(self, name, compiler, flags="", runner=(), root=None, cross=False, board=None, refused=False, programs=PROGRAMS):
        self.name, self.compiler, self.flags, self.runner = name, compiler, flags.split(), runner
        self.root, self.cross, self.board, self.refused, self.programs = root, cross, board, refused, programs

    def sources(self, program):
        seeds = sorted(p.relative_to(ROOT).as_posix() for p in (ROOT / "tests/seeds").glob("*.cpp"))
        bits = sorted(p.relative_to(ROOT).as_posix() for p in (ROOT / "tests/laws").glob("bits_*_test.cpp"))
        if not self.board:
            main = ["tests/main.cpp"]
            return {"quickstart": ["examples/quickstart.cpp"], "seeds": main + seeds, "packs": main + ["tests/emit/pack_test.cpp"], "bits": main + bits}[program]
        if self.board["ram"] == "16K":  # what fits
            seeds = [s for s in seeds if re.search(r"/(jit|vmap)\.cpp$", s)]
        return [f"{BARE}/start.cpp"] + {"quickstart": [f"{BARE}/small.cpp"], "seeds": seeds, "bits": bits}[program]

    def installed(self):
        if self.root:
            return (self.root / "usr/bin" / self.compiler).exists()
        return shutil.which(self.compiler) is not None and (not self.runner or shutil.which(self.runner[0]) is not None)


def hosted(root=None):
    where = f" in {root.name}" if root else ""
    for kind, first, last in ("g++", 12, 16), ("clang++", 14, 22):
        if not root:
            yield Target(f"x86-64 {kind} {first - 1}: refused", f"{kind}-{first - 1}", refused=True, programs=("quickstart",))
        for version in range(first, last + 1):
            yield Target(f"x86-64 {kind} {version}{where}", f"{kind}-{version}", "-march=x86-64-v3", root=root)


def others():
    for compiler in "g++-12", "clang++-19":
        yield Target(f"x86-64 Knights Landing {compiler}", compiler, "-march=knl", runner=None)
    for arch, name in ("aarch64", "aarch64"), ("riscv64", "riscv64"), ("powerpc64le", "ppc64le"), ("s390x", "s390x"):
        run = (f"qemu-{name}", "-L", f"/usr/{arch}-linux-gnu")
        yield Target(f"{name} g++", f"{arch}-linux-gnu-g++", runner=run, cross=True)
        if arch == "aarch64":
            yield Target("aarch64 clang 19", "clang++-19", "--target=aarch64-linux-gnu", runner=run, cross=True)
            yield Target("aarch64 SVE 256 g++", f"{arch}-linux-gnu-g++", "-march=armv8.2-a+sve -msve-vector-bits=256",
                         runner=(run[0], "-cpu", "max,sve256=on", *run[1:]), cross=True)
    bare = "-mthumb -Os -fno-exceptions -fno-rtti -ffunction-sections -fdata-sections -fno-threadsafe-statics"
    arm = "arm-none-eabi-g++"
    yield Target("32-bit ARM with NEON", arm, "-mcpu=cortex-a15 -mfpu=neon-vfpv4 -mfloat-abi=hard -fno-exceptions -fno-rtti", runner=None, cross=True,
                 programs=("quickstart",))
    for name, core, machine, ram in (("M0", "-mcpu=cortex-m0 -mfloat-abi=soft", "microbit", "16K"),
                                     ("M4F", "-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16", "mps2-an386", "4M"),
                                     ("M7", "-mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-d16", "mps2-an500", "4M")):
        run = ("qemu-system-arm", "-M", machine, "-nographic", "-semihosting-config", "enable=on,target=native", "-kernel")
        programs = ("quickstart", "seeds") if ram == "16K" else ("quickstart", "seeds", "bits")
        yield Target(f"Cortex-{name}", arm, f"{core} {bare}", runner=run, cross=True, programs=programs,
                     board={"flash": "256K" if ram == "16K" else "4M", "ram": ram})


def compile_flags(target, headers):
    limits = CLANG if target.compiler.startswith("clang") else GCC
    quiet = ["-Wno-c2y-extensions"] if target.compiler == "clang++-22" else []  # __COUNTER__ in doctest
    flags = ["-std=c++20", "-O1", *limits, *target.flags, "-Iinclude"]
    if target.board:
        return [*flags, *WARNINGS, f"-I{BARE}", "-Itests", "-isystem", str(headers / "boost_alone")]
    if target.cross:
        flags += ["-isystem", str(headers / "all")]
    return [*flags, *WARNINGS, *quiet, "-Itests"]


def command(target, arguments):
    return ["chroot", str(target.root), "sh", "-c", 'cd /tmp/exprax && exec "$@"', "sh", *arguments] if target.root else arguments


def call(target, arguments, log, limit=3600):
    with open(log, "ab") as out:
        out.write((" ".join(map(str, arguments)) + "\n").encode())
        out.flush()
        try:
            return subprocess.run(command(target, arguments), cwd=ROOT, stdin=subprocess.DEVNULL, stdout=out, stderr=out, timeout=limit).returncode
        except subprocess.TimeoutExpired:
            return -1


def is_refused(target, headers):
    made = subprocess.run([target.compiler, *compile_flags(target, headers), "-fsyntax-only", "examples/quickstart.cpp"], cwd=ROOT, capture_output=True, text=True)
    return made.returncode != 0 and "is too old" in "".join(made.stderr.splitlines(keepends=True)[:3])


def attempt(target, program, work, headers):
    """What stands in the table."""
    if program not in target.programs:
        return "-"
    if target.refused:
        return "ok" if is_refused(target, headers) else "failed"
    name = re.sub(r"[^a-z0-9]+", "_", f"{target.name} {program}".lower())
    log = work / f"{name}.log"
    log.unlink(missing_ok=True)
    folder = pathlib.Path("/tmp/exprax") if target.root else work
    flags, objects = compile_flags(target, headers), []
    for source in target.sources(program):
        object_file = str(folder / f"{name}_{pathlib.Path(source).stem}.o")
        if call(target, [target.compiler, *flags, "-c", source, "-o", object_file], log) != 0:
            return "failed"
        objects.append(object_file)
    if target.runner is None:
        return "built"
    binary = str(folder / f"{name}.bin")
    link = []
    if target.board:
        link = ["--specs=nano.specs", "--specs=nosys.specs", "-nostartfiles", "-Wl,--gc-sections", f"-Wl,--defsym=FLASH_SIZE={target.board['flash']}",
                f"-Wl,--defsym=RAM_SIZE={target.board['ram']}", "-T", f"{BARE}/memory.ld"]
    if call(target, [target.compiler, *target.flags, *link, *objects, "-o", binary], log) != 0:
        return "failed"
    return "ok" if call(target, [*target.runner, binary], log, 900) == 0 else "failed"


def copy_sources(root):
    for folder in "include", "tests", "examples":
        shutil.rmtree(root / "tmp/exprax" / folder, ignore_errors=True)
        shutil.copytree(ROOT / folder, root / "tmp/exprax" / folder)


def link_headers(work):
    """Headers that are the same for every target, apart from those that are not."""
    headers = work / "headers"
    for folder, names in ("all", ("boost", "xsimd", "doctest")), ("boost_alone", ("boost",)):
        (headers / folder).mkdir(parents=True, exist_ok=True)
        for name in names:
            link = headers / folder / name
            if not link.is_symlink():
                link.symlink_to(f"/usr/include/{name}")
    return headers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="a regular expression for the names of the rows")
    parser.add_argument("--programs", default=",".join(PROGRAMS))
    parser.add_argument("--chroot", action="append", default=[], type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "exprax_targets")
    options = parser.parse_args()
    programs = [p for p in PROGRAMS if p in options.programs.split(",")]
    options.work.mkdir(parents=True, exist_ok=True)
    headers = link_headers(options.work)
    for root in options.chroot:
        copy_sources(root)

    rows = [t for t in hosted() if t.installed() or not options.chroot]
    rows += [t for root in options.chroot for t in hosted(root) if t.installed()] + list(others())
    print("".join(f"{c:<30}" if c == "target" else f"{c:<14}" for c in ("target", *programs)), flush=True)
    failed = False
    for target in rows:
        if not re.search(options.only, target.name):
            continue
        print(f"{target.name:<30}", end="", flush=True)
        for program in programs:
            start = time.monotonic()
            result = attempt(target, program, options.work, headers) if target.installed() else "not installed"
            failed = failed or result == "failed"
            print(f"{result if result in ('-', 'not installed') else f'{result} {time.monotonic() - start:.0f} s':<14}", end="", flush=True)
        print(flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
