#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Holds the rooms of the house: layers.py INCLUDE_FOLDER.

A folder of include/exprax includes its own files and those of folders earlier in the list. Third-party headers stay in the room that owns
them, slow standard headers stay out, and every header opens with its licence, `#pragma once`, and says what it holds. One of more than 300
lines gives its reason there: `// Longer than 300 lines: ...`.
"""
import pathlib
import re
import sys

ROOMS = ["base", "types", "math", "pytree", "program", "primitives", "transforms", "legalize", "passes", "plan", "emit", "text", "api", "numpy", "."]
# Folders of a room that build on each other in this order, and on nothing later; the files of the room itself come last.
FLOORS = {"plan": ["data", "analysis", "regions", "kernels"], "emit": ["simd", "kernels", "regions"]}
OWNERS = {"xsimd/": r"emit/simd/pack\w*\.hpp", "boost/": r"pytree/.*"}
BANNED = ["iostream", "ranges", "functional", "regex", "immintrin.h", "x86intrin.h", "arm_neon.h"]
LONGEST = 300


def floor(room, name):
    folders = FLOORS.get(room, [])
    folder = name.split("/")[1]
    return folders.index(folder) if folder in folders else len(folders)


def problems(path, name):
    text = path.read_text()
    lines = text.splitlines()
    room = name.split("/")[0] if "/" in name else "."
    if room not in ROOMS:
        yield 1, f"the folder {room} is no room"
        return
    if not lines or lines[0] != "// SPDX-License-Identifier: BSL-1.0":
        yield 1, "the first line is not the SPDX line"
    if len(lines) < 2 or not lines[1].startswith("// "):
        yield 2, "the second line does not say what the header holds"
    if "#pragma once" not in lines:
        yield 1, "no #pragma once"
    head = lines[:lines.index("#pragma once")] if "#pragma once" in lines else []
    reasons = [line for line in head if re.fullmatch(r"// Longer than 300 lines: \w.*\.", line)]
    if len(lines) > LONGEST and not reasons:
        yield len(lines), f"{len(lines)} lines, and its head says no reason: // Longer than {LONGEST} lines: ..."
    if reasons and (len(lines) <= LONGEST or head[-1] not in reasons):
        yield 1, "the reason for its length is the last line of the head of a long header"
    if not text.endswith("\n") or "\t" in text or "\r" in text:
        yield len(lines), "a tab, a carriage return, or no line end at the end"
    for number, line in enumerate(lines, 1):
        if re.search(r"\b(TODO|FIXME|XXX)\b", line):
            yield number, "unfinished work in a comment"
        if len(line) > 180:
            yield number, f"{len(line)} columns"
        if line != line.rstrip():
            yield number, "blanks at the end of the line"
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if not match:
            continue
        quote, header = match.groups()
        if quote == '"':
            yield number, f'"{header}": include with <>'
        elif header.startswith("exprax/"):
            target = header.removeprefix("exprax/")
            other = target.split("/")[0] if "/" in target else "."
            if not (path.parents[name.count("/")] / target).is_file():
                yield number, f"{header} does not exist"
            elif other == room and floor(room, target) > floor(room, name):
                yield number, f"{name} must not include {header}: its folder comes later"
            elif ROOMS.index(other) > ROOMS.index(room):
                yield number, f"{room}/ must not include {header}: {other}/ comes later"
            elif other == "text" and room not in ("text", "api", "."):
                yield number, f"{room}/ must not include {header}: only api/ and the umbrella print"
        elif header in BANNED:
            yield number, f"<{header}> has no place in a library header"
        else:
            for prefix, owner in OWNERS.items():
                if header.startswith(prefix) and not re.fullmatch(owner, name):
                    yield number, f"<{header}> belongs in {owner} alone"


def main():
    root = pathlib.Path(sys.argv[1]) / "exprax"
    found = 0
    for path in sorted(root.rglob("*.hpp")):
        for number, what in problems(path, path.relative_to(root).as_posix()):
            print(f"{path}:{number}: {what}")
            found += 1
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
