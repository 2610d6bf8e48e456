#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Holds the table JAX -> exprax to the headers: jax_table.py INCLUDE_FOLDER COMPILER FLAGS...

Every public function and option has a line in the tables of numpy/README.md, and what the right column shows compiles: a name as a using-declaration,
anything else as an expression of the values that the first C++ block of the page declares. `ex::{sin cos}(x)` stands for one call of each.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

from options import WORDS, functions

PAGE = "exprax/numpy/README.md"
# Where public functions are declared: folders, and headers of folders that hold more than what users call.
PUBLIC = ["api", "numpy", "pytree", "npy.hpp", "types/print.hpp"]
INCLUDES = "#include <iostream>\n#include <vector>\n#include <exprax/exprax.hpp>\n#include <exprax/npy.hpp>\nnamespace ex = exprax;\n"


def without_brackets(head):
    """A declaration without its template parameters and its requires-clause."""
    def skip(text, opening, closing):
        depth = 0
        for at, letter in enumerate(text):
            depth += (letter == opening) - (letter == closing)
            if depth == 0:
                return text[at + 1:].lstrip()
        return ""
    while match := re.match(r"template (?=<)|requires ?(?=\()", head):
        rest = head[match.end():]
        head = skip(rest, *("<>" if rest[0] == "<" else "()"))
    return head


def as_functions(using):
    return "\n".join(f"constexpr auto {name.split('::')[-1]}() {{}}" for name in using[1].split(","))


def public_names(include):
    """The qualified names, without exprax::, of functions, and of what one namespace takes from another."""
    found = set()
    for place in PUBLIC:
        path = include / "exprax" / place
        for header in [path] if path.is_file() else sorted(path.rglob("*.hpp")):
            text = re.sub(r" = \{\}| noexcept", "", header.read_text())
            text = re.sub(r"^using (exprax::[\w:,\s]+);", as_functions, text, flags=re.M)
            declared = [(scopes, re.search(r"(?<![\w:])(\w+)\(", without_brackets(head))) for scopes, head, _ in functions(text)]
            declared = [("::".join(scope.removeprefix("namespace ") for scope in scopes), name[1]) for scopes, name in declared if name]
            found |= {f"{namespace}::{name}" for namespace, name in declared if re.fullmatch(r"exprax(::\w+)*", namespace) and "detail" not in namespace}
    # by_argument holds what a call without a namespace finds by its arguments: names that exprax has.
    # function is the parameter of macros that make functions.
    wrong = re.compile(r"(operator|requires|decltype|auto|function|EXPRAX_\w+)")
    return {name.removeprefix("exprax::").removeprefix("by_argument::") for name in found if not wrong.fullmatch(name.split("::")[-1])}


def expanded(code):
    """ex::{sin cos}(x) as ex::sin(x) and ex::cos(x)."""
    group = re.search(r"ex::([\w:]*)\{([\w ]+)\}", code)
    if not group:
        return [code]
    return [call for name in group[2].split() for call in expanded(code.replace(group[0], f"ex::{group[1]}{name}", 1))]


def rows(page):
    """(line number, code of the left column, code of the right one) of each row of the tables with the heading JAX | exprax."""
    inside = False
    for number, line in enumerate(page.splitlines(), 1):
        if not line.startswith("|"):
            inside = False
        elif re.match(r"\| JAX \| exprax \|", line):
            inside = True
        elif inside and not line.startswith("|---"):
            cells = re.split(r" (?<!\\)\| ", line.strip("|"))
            if len(cells) != 2 or len(line) > 180:
                sys.exit(f"{PAGE}:{number}: a row has two columns and at most 180 characters: {line}")
            yield number, *[[code.replace("\\|", "|") for code in re.findall(r"`([^`]+)`", cell)] for cell in cells]


def main():
    include, compiler = pathlib.Path(sys.argv[1]), sys.argv[2:]
    page = (include / PAGE).read_text()
    source, shown = [INCLUDES, re.search(r"```cpp\n(.*?)```", page, re.S)[1]], set()
    for number, _, right in rows(page):
        for code in (call for code in right if not re.match(r"[-#]", code) for call in expanded(code)):
            shown |= set(re.findall(r"\bex::([\w:]*\w)", code))
            made = f"shown_{number}_{len(source)}"
            source.append(f"namespace {made} {{ using {code.replace('ex::', 'exprax::')}; }}" if re.fullmatch(r"ex::[\w:]+", code) else f"using {made} = decltype({code});")
    options = set(re.findall(r"\bex::([\w:]*\w)", str(WORDS)))
    wrongs = [f"{PAGE} has no line for ex::{name}" for name in sorted((public_names(include) | options) - shown)]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "table.cpp"
        path.write_text("\n".join(source) + "\n")
        result = subprocess.run([*compiler, "-fsyntax-only", str(path)], capture_output=True, text=True)
        lines = path.read_text().splitlines()
    if result.returncode:
        wrongs += sorted({f"{PAGE}: {lines[int(at) - 1]}" for at in re.findall(r"table\.cpp:(\d+):\d+", result.stderr)}) + [result.stderr]
    print(f"{len(source) - 2} calls and names, {len(shown)} names shown")
    sys.exit("\n".join(wrongs) or 0)


if __name__ == "__main__":
    main()
