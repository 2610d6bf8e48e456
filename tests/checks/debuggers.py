#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What debuggers show of debugged.cpp: debuggers.py INCLUDE_FOLDER COMPILER FLAGS...

The scripts of include/exprax/debug compile, and the natvis file is XML. GDB prints what PRINTED says, and LLDB where there is one. Exit code 77:
there is no GDB, or it may not run programs here.
"""
import os
import pathlib
import py_compile
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

SOURCE = pathlib.Path(__file__).resolve().parent / "debugged.cpp"
# expression -> what GDB prints, and what LLDB prints, in one line
PRINTED = {
    "matrix": ("f32[2,3] = {{1, 2, 3}, {4, 5, 6.5}}", "f32[2,3] { [0] = ([0] = 1, [1] = 2, [2] = 3) [1] = ([0] = 4, [1] = 5, [2] = 6.5) }"),
    "cube": ("i16[2,1,2] = {{{1, -2}}, {{3, 4}}}", "i16[2,1,2] { [0] = { [0] = ([0] = 1, [1] = -2) } [1] = { [0] = ([0] = 3, [1] = 4) } }"),
    "scalar": ("f64[] 2.5", "f64[] 2.5"),
    "flags": ("bool[2] = {true, false}", "bool[2] { [0] = true [1] = false }"),
    "complexes": ("c64[1] = {{_M_value = 1 + 2i}}", "c64[1] { [0] = (_M_value = 1 + 2i) }"),
    "halves": ("f16[2] = {0.5, -2}", "f16[2] { [0] = 0.5 [1] = -2 }"),
    "brains": ("bf16[1] = {3}", "bf16[1] { [0] = 3 }"),
    "nothing": ("u64[0,3]", "u64[0,3]"),
    "largest_in_the_object": ("f32[2,512] = {{0 <repeats 512 times>}, {0 <repeats 512 times>}}", None),
    "heap": ("i32[2,1000] = {{0 <repeats 1000 times>}, {0 <repeats 999 times>, 7}}", None),
    "heap[1][999]": (None, "7"),
    "moved": ("i32[2,1000] (no elements: it was moved from)",) * 2,
    "taker": ("i32[2,1000] = {{0 <repeats 1000 times>}, {0 <repeats 999 times>, 7}}", None),
    "view": ("f32[3,2] = {{1, 2}, {3, 4}, {5, 6.5}}", "f32[3,2] { [0] = ([0] = 1, [1] = 2) [1] = ([0] = 3, [1] = 4) [2] = ([0] = 5, [1] = 6.5) }"),
    "reference": ("f32[2,3] = {{1, 2, 3}, {4, 5, 6.5}}", "@ f32[2,3]: { [0] = ([0] = 1, [1] = 2, [2] = 3) [1] = ([0] = 4, [1] = 5, [2] = 6.5) }"),
    "handle": ("f32[2,3], value 1 of tape @",) * 2,
    "traced": ("f32[2,3], value 1 of tape @",) * 2,
    "unassigned": ("~f32[], no value yet",) * 2,
}


def shown_by_gdb(gdb, script, program):
    commands = ["set width 0", "set print elements 2000", f"source {script}", "break look_at", "run", "up"]
    commands += [f"print {name}" for name, (expected, _) in PRINTED.items() if expected]
    command = [gdb, "-batch", "-nx", *(word for line in commands for word in ("-ex", line)), program]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return run.stdout + run.stderr, re.findall(r"^\$\d+ = (.*)$", run.stdout, re.M)


def shown_by_lldb(lldb, script, program):
    commands = [f"command script import {script}", "breakpoint set --func-regex look_at", "run", "up"]
    commands += [f"v {name}" for name, (_, expected) in PRINTED.items() if expected]
    command = [lldb, "--no-lldbinit", "--batch", *(word for line in commands for word in ("-o", line)), program]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    parts = re.split(r"^\(lldb\) v .*\n", run.stdout, flags=re.M)[1:]
    return run.stdout + run.stderr, [re.sub(r"\s+", " ", re.sub(r"^\(.*\) \S+ = ", "", part)).strip() for part in parts]


def differences(debugger, column, output, shown):
    expected = {name: texts[column] for name, texts in PRINTED.items() if texts[column]}
    if len(shown) != len(expected):
        return [f"{debugger} prints {len(shown)} values of {len(expected)}:\n{output}"]
    shown = [re.sub(r"0x[0-9a-f]+", "@", text) for text in shown]
    return [f"{debugger} prints {name} as\n  {text}\nand not as\n  {expected[name]}" for name, text in zip(expected, shown) if text != expected[name]]


def main():
    folder, compiler = pathlib.Path(sys.argv[1]) / "exprax/debug", sys.argv[2:]
    wrongs = []
    with tempfile.TemporaryDirectory() as work:
        for script in folder.glob("*.py"):
            py_compile.compile(str(script), cfile=os.path.join(work, "script.pyc"), doraise=True)
        types = xml.etree.ElementTree.parse(folder / "exprax.natvis").getroot()
        names = [kind.get("Name") for kind in types]
        if len(names) != len(set(names)) or "exprax::array<*,*,*>" not in names:
            wrongs.append(f"exprax.natvis: {names}")
        gdb, lldb = shutil.which("gdb"), shutil.which("lldb") or shutil.which("lldb-19")
        ran = bool(gdb)
        if gdb or lldb:
            program = os.path.join(work, "debugged")
            subprocess.run([*compiler, "-g", "-O0", str(SOURCE), "-o", program], check=True)
        if gdb:
            output, shown = shown_by_gdb(gdb, folder / "exprax_gdb.py", program)
            ran = not re.search("ptrace: Operation not permitted|Couldn't get (CS|registers)|Python scripting is not supported", output)
            wrongs += differences("gdb", 0, output, shown) if ran else []
        if lldb:
            output, shown = shown_by_lldb(lldb, folder / "exprax_lldb.py", program)
            if shown and not re.search("Operation not permitted|embedded script interpreter", output):
                wrongs += differences("lldb", 1, output, shown)
    if wrongs:
        sys.exit("\n".join(wrongs))
    if not ran:
        print("no GDB, or it cannot run programs here")
        sys.exit(77)
    print(f"{len(PRINTED)} values")


if __name__ == "__main__":
    main()
