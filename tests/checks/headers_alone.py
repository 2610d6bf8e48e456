#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compiles every header by itself: headers_alone.py INCLUDE_FOLDER COMPILER FLAGS...

The standard library and the packages are compiled once, as a precompiled header; layers.py checks that a header includes what it uses of
the standard library. All that it includes of exprax must therefore be enough for it, without a warning.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def main():
    root, compiler = pathlib.Path(sys.argv[1]), sys.argv[2]
    command = [compiler, *sys.argv[3:], "-Werror"]
    headers = [path for path in sorted(root.rglob("*.hpp")) if "#pragma once" in path.read_text()]
    outside = sorted({name for path in headers for name in re.findall(r"^#include <((?!exprax/)[^>]+)>", path.read_text(), re.M)})
    with tempfile.TemporaryDirectory() as folder:
        common = pathlib.Path(folder) / "common.hpp"
        common.write_text("".join(f"#include <{name}>\n" for name in outside))
        subprocess.run([*command, "-x", "c++-header", str(common), "-o", f"{common}.gch"], check=True)  # compilers look for it beside the header

        def errors(path):
            run = subprocess.run([*command, "-fsyntax-only", "-x", "c++", "-include", str(common), "-include", str(path), os.devnull], capture_output=True, text=True)
            return f"{path}:\n{run.stderr}" if run.returncode or run.stderr else ""

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = [text for text in pool.map(errors, headers) if text]
    print("\n".join(found) if found else f"{len(headers)} headers")
    sys.exit(bool(found) or not headers)


if __name__ == "__main__":
    main()
