#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Holds examples/README.md to its word: examples.py FOLDER

Each numbered example has a section, whose title links to it. The C++ in the section stands in the example, what it shows as text in
expected/, and no example has more than 80 lines. The pictures show what 21_seeing prints: those of graphs, which Graphviz lays out, have its
nodes, labels and edges, and the other one is its text.
"""
import collections
import pathlib
import re
import sys
import xml.etree.ElementTree


def graph_of_text(text):
    """what a graph in Graphviz's language has: (kind, name, label) -> how often"""
    parts = [("node", name, label.replace("\\n", "\n")) for name, label in re.findall(r'^ *(\w+) \[label="([^"]*)"', text, re.M)]
    parts += [("edge", f"{start}->{end}", label or "") for start, end, label in re.findall(r'^ *(\w+) -> (\w+)(?: \[label="([^"]*)"\])?', text, re.M)]
    parts += [("cluster", name, label or "") for name, label in re.findall(r'subgraph (\w+) \{\n(?: *label="([^"]*)"\n)?', text)]
    return collections.Counter(parts + [("graph", "", label) for label in re.findall(r'^  label="([^"]*)"', text, re.M)])


def graph_of_picture(path):
    """the same of the picture that Graphviz makes"""
    space = "{http://www.w3.org/2000/svg}"
    parts = []
    for group in xml.etree.ElementTree.parse(path).iter(f"{space}g"):
        kind, name = group.get("class"), "" if group.get("class") == "graph" else group.find(f"{space}title").text
        label = "\n".join(text.text.replace("\xa0", " ") for text in group.findall(f"{space}text"))
        parts += [(kind, name, label)] if kind != "graph" or label else []
    return collections.Counter(parts)


def wrong_pictures(folder, readme):
    text = (folder / "expected/21_seeing.txt").read_text()
    graphs = re.findall(r"^digraph \{\n.*?^\}\n", text, re.M | re.S)
    for name, graph in zip(["jaxpr", "plan"], graphs, strict=True):
        drawn, expected = graph_of_picture(folder / f"pictures/{name}.svg"), graph_of_text(graph)
        if drawn != expected:
            yield f"pictures/{name}.svg: not in the picture: {list(expected - drawn)}; not in the text: {list(drawn - expected)}"
    if (folder / "pictures/memory.svg").read_text() != text[text.index("<svg"):]:
        yield "pictures/memory.svg: not what the example prints"
    for path in sorted(folder.glob("pictures/*")):
        if f"](pictures/{path.name})" not in readme:
            yield f"pictures/{path.name}: not in README.md"


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
    errors += wrong_pictures(folder, (folder / "README.md").read_text())
    print("\n".join(errors))
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
