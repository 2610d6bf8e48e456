#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compiles every header by itself: headers_alone.py INCLUDE_FOLDER COMPILER FLAGS...

The standard library and the packages are precompiled; layers.py checks that a header includes what it uses of the standard library. All
that it includes of exprax must therefore be enough for it, without a warning. What many headers include, directly or not, is precompiled too:
a header is compiled after the largest such header that it includes in any case.
"""
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from layers import included

PRECOMPILED = 8  # headers of exprax, each with all that it includes


def hubs(including):
    """The headers whose precompiled form saves most: each is taken for the headers that gain by it over those taken before."""
    users = collections.defaultdict(list)
    for path, others in including.items():
        for other in others - {path}:
            users[other].append(path)
    saved = dict.fromkeys(including, 0)  # header -> how many includes of it are precompiled
    taken = []
    for _ in range(PRECOMPILED):
        gain = {hub: sum(max(0, len(including[hub]) - saved[path]) for path in paths) for hub, paths in users.items() if hub in including}
        best = max(gain, key=gain.get)
        taken.append(best)
        for path in users[best]:
            saved[path] = max(saved[path], len(including[best]))
    return taken


def main():
    root, compiler = pathlib.Path(sys.argv[1]), sys.argv[2]
    command = [compiler, *sys.argv[3:], "-Werror"]
    headers = [path for path in sorted(root.rglob("*.hpp")) if "#pragma once" in path.read_text()]
    outside = sorted({name for path in headers for name in re.findall(r"^#include <((?!exprax/)[^>]+)>", path.read_text(), re.M)})
    # header -> what it includes of exprax, directly or not, and itself
    including = {path: {path} | {root / name for name in included(path, root / "exprax") if name.startswith("exprax/")} for path in headers}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:

        def precompile(hub):
            common = pathlib.Path(folder) / f"{hub.relative_to(root) if hub else 'outside'}".replace("/", "_")
            common.write_text("".join(f"#include <{name}>\n" for name in outside) + (f'#include "{hub}"\n' if hub else ""))
            # Compilers look for it beside the header. A hub that does not compile has its turn among the headers.
            run = subprocess.run([*command, "-x", "c++-header", str(common), "-o", f"{common}.gch"], capture_output=bool(hub))
            return common if run.returncode == 0 else None

        chosen = [None, *hubs(including)]
        precompiled = dict(zip(chosen, pool.map(precompile, chosen)))

        def errors(path):
            own = [hub for hub in precompiled if hub and precompiled[hub] and hub != path and hub in including[path]]
            common = precompiled[max(own, key=lambda hub: len(including[hub]), default=None)]
            run = subprocess.run([*command, "-fsyntax-only", "-x", "c++", "-include", str(common), "-include", str(path), os.devnull], capture_output=True, text=True)
            return f"{path}:\n{run.stderr}" if run.returncode or run.stderr else ""

        found = [text for text in pool.map(errors, headers) if text]
    print("\n".join(found) if found else f"{len(headers)} headers")
    sys.exit(bool(found) or not headers)


if __name__ == "__main__":
    main()
