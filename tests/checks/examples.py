#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Holds examples/README.md to its word: examples.py FOLDER

Each numbered example has a section, whose title links to it. The C++ in the section stands in the example, what it shows as text in
expected/, and no example has more than 80 lines.
"""
import pathlib
import re
import sys


def main():
    folder = pathlib.Path(sys.argv[1])
    errors = []
    quoted = set()
    for section in re.split(r"^## ", (folder / "README.md").read_text(), flags=re.M)[1:]:
        title = section.splitlines()[0]
        link = re.search(r"\]\((\d\d_\w+)\.cpp\)", title)
        if not link:
            continue
        name = link[1]
        quoted.add(name)
        blocks = re.findall(r"^```(\w+)\n(.*?)^```$", section, re.M | re.S)
        for language, text in blocks:
            path = folder / f"expected/{name}.txt" if language == "text" else folder / f"{name}.{language}"
            if not path.exists() or text not in path.read_text():
                errors.append(f"README.md: {title}: not in {path.name}:\n{text}")
        if {language for language, text in blocks} < {"cpp", "text"}:
            errors.append(f"README.md: {title}: it lacks the code or the output")
    for path in sorted(folder.glob("[0-9][0-9]_*.*")):
        if path.suffix == ".cpp" and path.stem not in quoted:
            errors.append(f"{path.name}: no section of README.md")
        if len(path.read_text().splitlines()) > 80:
            errors.append(f"{path.name}: more than 80 lines")
    for name in quoted:
        if not (folder / f"expected/{name}.txt").exists():
            errors.append(f"{name}: no expected output")
    print("\n".join(errors))
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
