#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Input filter of Doxygen: prints a file of the project as Doxygen takes it, line by line.

Markdown: formulas in $...$ and $$...$$, links to headings and to examples as GitHub reads them.
Headers: what stands in a domain's folder is in the group of this domain; the names of algorithms are documented.
"""

import re
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^\s*(```|~~~)")
CONTENTS = PROJECT / "docs" / "README.md"  # its links make the tree of pages


def slug(heading):
    """The anchor that GitHub gives a heading."""
    text = re.sub(r"[^\w\- ]", "", heading.strip().lower().replace("`", ""))
    return text.replace(" ", "-")


def page_of(path):
    """The label of a Markdown file."""
    if path == PROJECT / "README.md":
        return "index"
    parts = path.relative_to(PROJECT).with_suffix("").parts
    return "page_" + "_".join(part.lower() for part in parts)


def anchor_of(path, heading):
    return page_of(path) + "_" + heading.replace("-", "_")


def formulas(line, open_display):
    """The line with the formulas in Doxygen's commands, and whether $$ is open behind it."""
    out = []
    for i, part in enumerate(re.split(r"(`[^`]*`)", line)):
        if i % 2:
            out.append(part)
            continue
        pieces = part.split("$$")
        for k, piece in enumerate(pieces):
            if k:
                out.append("\\f]" if open_display else "\\f[")
                open_display = not open_display
            out.append(piece if open_display else re.sub(r"\$([^$]+)\$", r"\\f$\1\\f$", piece))
    return "".join(out), open_display


def link(document, text, target):
    """A link as Doxygen takes it."""
    if "://" in target or target.startswith("mailto:"):
        return f"[{text}]({target})"
    path, _, heading = target.partition("#")
    file = (document.parent / path).resolve() if path else document
    if file.is_dir() and (file / "README.md").exists():
        file = file / "README.md"
    if file.suffix == ".md" and file.is_relative_to(PROJECT):
        label = anchor_of(file, heading) if heading else page_of(file)
        if label == "index":
            return f'<a href="index.html">{text}</a>'
        command = "\\subpage" if document == CONTENTS and not heading else "\\ref"
        return f'{command} {label} "{text}"'
    if file.parent == PROJECT / "examples" and file.suffix == ".cpp":
        return f'<a href="{file.stem}_8cpp-example.html">{text}</a>'
    return text  # a file that is not in the site


def markdown(document):
    open_display = in_code = False
    headings = {}
    for number, line in enumerate(document.read_text().splitlines()):
        if FENCE.match(line):
            in_code = not in_code
        elif not in_code:
            title = re.match(r"^(#+) +(.*?)\s*$", line)
            if title:
                label = page_of(document)
                if title[1] != "#" or headings:
                    name = slug(title[2])
                    headings[name] = headings.get(name, -1) + 1
                    suffix = f"-{headings[name]}" if headings[name] else ""
                    label = anchor_of(document, name + suffix)
                else:
                    headings[""] = 0
                line = f"{title[1]} {title[2]} {{#{label}}}"
            else:
                line = re.sub(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)", lambda m: link(document, m[1], m[2]), line)
                line, open_display = formulas(line, open_display)
        yield line


def header(file):
    domain = file.relative_to(PROJECT / "include" / "trackplex").parts[0]
    lines = file.read_text().splitlines()
    opening = [i for i, line in enumerate(lines) if re.match(r"namespace trackplex(?!.*detail)", line)]
    closing = [i for i, line in enumerate(lines) if re.match(r"}  // namespace trackplex(?!.*detail)", line)]
    for i, line in enumerate(lines):
        if i in opening:
            line += f" /** @addtogroup {domain} */ /** @{{ */"
        if i in closing:
            line = "/** @} */ " + line
        if re.match(r"\s*static constexpr const char\* name = [^;]*;$", line):
            line += "  ///< Label of its kernels and arrays."
        yield line


if __name__ == "__main__":
    path = Path(sys.argv[1]).resolve()
    print(*(markdown(path) if path.suffix == ".md" else header(path)), sep="\n")
