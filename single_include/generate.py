#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Writes all of exprax as one header, beside this file: generate.py [--check].

With --check nothing is written; it fails when the header does not follow from the parts.
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parent / "include"
TARGET = HERE / "exprax" / "exprax.hpp"
HEAD = "// SPDX-License-Identifier: BSL-1.0\n"


def text_of(name, seen):
    """The text of a header with the headers of exprax in the place where they are first included."""
    seen.add(name)
    lines = (INCLUDE / name).read_text().removeprefix(HEAD).splitlines()
    body = []
    for line in lines:
        match = re.match(r"#include <(exprax/[^>]+)>", line)
        if match:
            if match[1] not in seen:
                body += ["", *text_of(match[1], seen), ""]
        elif line not in ("#pragma once", "#pragma GCC system_header"):
            body.append(line)
    return [f"// {name}", *body]


def single_header():
    text = "\n".join(text_of("exprax/exprax.hpp", set()))
    text = re.sub(r"\n{3,}", "\n\n", text).strip()
    guard = "EXPRAX_SINGLE_HEADER_HPP"
    note = "// Made from include/ by single_include/generate.py: change it there."
    return f"{HEAD}{note}\n#ifndef {guard}\n#define {guard}\n\n{text}\n\n#endif  // {guard}\n"


def main():
    text = single_header()
    if "--check" in sys.argv[1:]:
        if not TARGET.is_file() or TARGET.read_text() != text:
            sys.exit(f"{TARGET} does not follow from include/: run single_include/generate.py")
        return
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(text)


if __name__ == "__main__":
    main()
