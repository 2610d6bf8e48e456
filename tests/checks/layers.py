#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Holds the rooms of the house: layers.py INCLUDE_FOLDER.

A folder of include/exprax includes its own files and those of folders earlier in the list. Third-party headers stay in the room that owns
them, slow standard headers stay out, and every header opens with its licence, `#pragma once`, and says what it holds. One of more than 300
lines gives its reason there: `// Longer than 300 lines: ...`.
"""
import functools
import pathlib
import re
import sys

ROOMS = ["base", "types", "math", "pytree", "program", "primitives", "transforms", "legalize", "passes", "plan", "emit", "text", "api", "numpy", "."]
# Folders of a room that build on each other in this order, and on nothing later; the files of the room itself come last.
FLOORS = {"plan": ["data", "analysis", "regions", "kernels", "rows"], "emit": ["simd", "kernels", "regions"]}
OWNERS = {"xsimd/": r"emit/simd/pack\w*\.hpp", "boost/": r"pytree/.*"}
BANNED = ["iostream", "ranges", "functional", "regex", "immintrin.h", "x86intrin.h", "arm_neon.h"]
EACH_TIME = ("base/begin.hpp", "base/end.hpp", "base/macros.hpp")  # included once for each head
LONGEST = 300
# What a header uses of the standard library, it includes, or another header of exprax that it includes does.
STANDARD = {
    "array": "array", "bit": "bit_cast|bit_ceil|bit_width|countl_zero|rotl", "complex": "complex", "concepts": "floating_point|integral|same_as",
    "cstddef": "byte|ptrdiff_t|size_t", "cstdint": r"u?int\d+_t|uintptr_t", "cstdio": "fprintf|fwrite", "cstdlib": "abort", "cstring": "memcpy",
    "initializer_list": "initializer_list", "limits": "numeric_limits", "memory": "construct_at|destroy_at", "new": "align_val_t",
    "string_view": "string_view", "tuple": "apply|make_tuple|tie|tuple|tuple_cat",
    "type_traits": r"bool_constant|common_type_t|conditional_t|integral_constant|invoke_result_t|is_\w+_v|make_(un)?signed_t|remove_\w+_t|type_identity",
    "utility": r"cmp_\w+|declval|exchange|forward|(make_)?(index|integer)_sequence\w*|move|pair|swap",
}
STANDARD = {header: re.compile(rf"std::({names})\b") for header, names in STANDARD.items()}


@functools.cache
def includes(path):
    return re.findall(r"^#include <([^>]+)>", path.read_text(), re.M) if path.is_file() else []


def included(path, root):
    """every header that a header includes, also by others"""
    found, open_headers = set(), includes(path)[:]
    while open_headers:
        header = open_headers.pop()
        if header not in found:
            found.add(header)
            open_headers += includes(root.parent / header)
    return found


def missing_from_the_module(root):
    """headers outside exprax that its headers include and that the module (exprax.cppm) does not"""
    return sorted({header for path in root.rglob("*.hpp") for header in includes(path) if not header.startswith("exprax/")} - set(includes(root / "exprax.cppm")))


def heads(root):
    """problems of the heads beside exprax.hpp: together they include what it includes, in its order"""
    whole = [header for header in includes(root / "exprax.hpp") if "/base/" not in header]
    found = set()
    for path in root.glob("*.hpp"):
        part = [header for header in includes(path) if header.count("/") > 1 and "/base/" not in header]
        if path.name != "exprax.hpp":
            found |= set(part)
        if part != [header for header in whole if header in part]:
            yield f"{path}:1: a header that is not in exprax.hpp, or another order"
    for header in set(whole) - found:
        yield f"{root}/exprax.hpp:1: {header} is in no other head"


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
    if ("#pragma once" in lines) == (name in EACH_TIME):
        yield 1, "no #pragma once" if name not in EACH_TIME else "#pragma once, but it is for each head"
    head = lines[:lines.index("#pragma once")] if "#pragma once" in lines else []
    reasons = [line for line in head if re.fullmatch(r"// Longer than 300 lines: \w.*\.", line)]
    if len(lines) > LONGEST and not reasons:
        yield len(lines), f"{len(lines)} lines, and its head says no reason: // Longer than {LONGEST} lines: ..."
    if reasons and (len(lines) <= LONGEST or head[-1] not in reasons):
        yield 1, "the reason for its length is the last line of the head of a long header"
    if not text.endswith("\n") or "\t" in text or "\r" in text:
        yield len(lines), "a tab, a carriage return, or no line end at the end"
    code = "\n".join(line for line in lines if not line.startswith("//"))
    for header, names in STANDARD.items():
        if (use := names.search(code)) and header not in included(path, path.parents[name.count("/")]):
            yield 1, f"uses {use[0]} without <{header}>"
    for number, line in enumerate(lines, 1):
        if "std::is_constant_evaluated" in line:
            yield number, "std::is_constant_evaluated: write __builtin_is_constant_evaluated(), for which g++ does not compile the other branch"
        if re.search(r"\b(TODO|FIXME|XXX)\b", line):
            yield number, "unfinished work in a comment"
        if len(line) > 140:
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
            elif other == room != "." and floor(room, target) > floor(room, name):
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
    for header in missing_from_the_module(root):
        print(f"{root}/exprax.cppm:1: does not include <{header}>, as a header of exprax does")
        found += 1
    for problem in heads(root):
        print(problem)
        found += 1
    for path in sorted(root.rglob("*.hpp")):
        for number, what in problems(path, path.relative_to(root).as_posix()):
            print(f"{path}:{number}: {what}")
            found += 1
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
