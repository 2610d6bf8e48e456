#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Holds README.md to its word: readme.py README COMPILER FLAGS...

The first C++ block compiles and runs; the call that the text says is rejected is rejected, with the message shown; the other C++ blocks
compile, each in a namespace of its own, and so do those of types/README.md.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

REJECTED = "  ex::jit(layer)(ex::array<float, 4>(), ex::array<float, 5, 3>());\n}"

BEFORE = "#include <iostream>\n#include <vector>\n#include <exprax/exprax.hpp>\nnamespace ex = exprax;\n"


def main():
    path, compiler = pathlib.Path(sys.argv[1]), sys.argv[2:]
    readme, arrays = path.read_text(), (path.parent / "include/exprax/types/README.md").read_text()
    program = re.search(r"```cpp\n(.*?)```", readme, re.S)[1]
    snippets = re.findall(r"```cpp\n(.*?)```", readme + arrays, re.S)[1:]
    message = re.search(r"```\nerror: static assertion failed: (.*?)\n```", readme, re.S)[1]
    with tempfile.TemporaryDirectory() as folder:
        source, binary = pathlib.Path(folder) / "readme.cpp", str(pathlib.Path(folder) / "readme")
        source.write_text(program)
        subprocess.run([*compiler, str(source), "-o", binary], check=True)
        print(subprocess.run([binary], check=True, capture_output=True, text=True).stdout)
        source.write_text(BEFORE + "".join(f"namespace block_{k} {{\n{block}}}\n" for k, block in enumerate(snippets)))
        subprocess.run([*compiler, "-fsyntax-only", str(source)], check=True)
        source.write_text(program.rstrip().removesuffix("}") + REJECTED)
        result = subprocess.run([*compiler, "-fsyntax-only", str(source)], capture_output=True, text=True)
        print(result.stderr)
        if result.returncode == 0 or " ".join(message.split()) not in " ".join(result.stderr.split()):
            sys.exit(f"expected: {message}")


if __name__ == "__main__":
    main()
