#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Input filter of Doxygen: prints a file of the project as Doxygen reads it, line by line.

Markdown: formulas in $...$ and $$...$$, links between pages, to headings and to short examples.
Headers: what a folder of include/trackplex holds is in the group of that domain; names of algorithms are documented.
"""

import re
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)  # of code
CODE = re.compile(r"(`[^`]*`)")
LINK = re.compile(r"(^- )?(?<!!)\[([^\[\]]+)\]\(([^)\s]+)\)", re.MULTILINE)
HEADING = re.compile(r"(#+) +(.*?)\s*$")
DOMAINS = """core matriplex histogram geometry kalman hits tracks search seeding candidates cylinder detector lhcb beam montecarlo chain pipeline
    simulation validation io hdf5 mpi perfmodel""".split()  # in the order of the reference
OTHER_PAGES = [PROJECT / name for name in ("examples/README.md", "CHANGELOG.md", "CONTRIBUTING.md")]  # than docs/


def slug(heading):
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def headings(text):
    """The anchors of the headings of a Markdown text, in order; they are unique."""
    seen = {}
    for line in BLOCK.sub("", text).splitlines():
        heading = HEADING.match(line)
        if heading:
            anchor = slug(heading[2])
            seen[anchor] = seen.get(anchor, -1) + 1
            yield f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor


def has_subpages(document):
    """Whether the list items of a page link to the pages below it in the tree."""
    return document.name == "README.md" and document.parent in [PROJECT, *(PROJECT / "docs").iterdir()]


def label(document, anchor=""):
    """Doxygen's name of a page, or of a heading in it."""
    if document == PROJECT / "README.md":
        page = "index"
    else:
        page = "_".join(["page", *document.relative_to(PROJECT).with_suffix("").parts]).lower()
    return f"{page}_{anchor}".replace("-", "_") if anchor else page


def link(document, match):
    """A link of a page in Doxygen's form; those that leave the documentation become plain text."""
    text, target = match[2].replace("\n", " ").replace("`", ""), match[3]
    lines = "\n" * match[2].count("\n")  # as many as before
    if "://" in target:
        return match[0]
    path, _, anchor = target.partition("#")
    file = (document.parent / path).resolve() if path else document
    if file.is_dir():
        file = file / "README.md"
    if file.parent == PROJECT / "examples" and file.suffix == ".cpp":
        text = f'<a href="{file.stem}_8cpp-example.html">{text}</a>'
    elif file == PROJECT / "README.md":
        text = f'<a href="index.html">{text}</a>'
    elif file in OTHER_PAGES or (file.suffix == ".md" and file.is_relative_to(PROJECT / "docs")):
        is_subpage = match[1] and has_subpages(document)
        text = f'{"@subpage" if is_subpage else "@ref"} {label(file, anchor)} "{text}"'
    return (match[1] or "") + lines + text


def prose(document, text):
    """Text between blocks of code."""
    parts = CODE.split(text)
    in_formula = False
    for i in range(0, len(parts), 2):  # the others are code
        parts[i] = parts[i].replace("@", "\\@").replace("$$", "\0")
        pieces = parts[i].replace("$", "\\f$").split("\0")
        for k in range(1, len(pieces)):
            in_formula = not in_formula
            pieces[k] = ("\\f[" if in_formula else "\\f]") + pieces[k]
        parts[i] = "".join(pieces)
    text = re.sub(r"^<!--.*-->$", "", "".join(parts), flags=re.MULTILINE)
    return LINK.sub(lambda match: link(document, match), text)


def markdown(document):
    text = document.read_text()
    blocks = BLOCK.split(text)
    blocks[::2] = [prose(document, block) for block in blocks[::2]]
    anchors = headings(text)
    first = True
    in_code = False
    for line in "".join(blocks).splitlines():
        in_code ^= line.startswith("```")
        if not in_code and HEADING.match(line):
            anchor = next(anchors)
            if not first or document != PROJECT / "README.md":
                line = f"{line} {{#{label(document, '' if first else anchor)}}}"
            first = False
        yield line


def header(file):
    domain = file.relative_to(PROJECT / "include" / "trackplex").parts[0]
    for line in file.read_text().splitlines():
        if re.match(r"namespace trackplex(?!.*detail)", line):
            line += f" /** @addtogroup {domain} */ /** @{{ */"
        elif re.match(r"}  // namespace trackplex(?!.*detail)", line):
            line = "/** @} */ " + line
        elif re.match(r"\s*/// @{ @brief", line):
            # Doxygen needs a name of the group for its comment to be that of all members
            line = re.sub(r"/// @{ @brief ([^,]*)", r"/** @name \1 */ /// @{ @brief \1", line)
        elif re.match(r"\s*static constexpr const char\* name = [^;]*;$", line):
            line += "  ///< Label of its kernels and arrays."
        yield line


def comment(*lines):
    return ["/**", *lines, "*/"]


def groups():
    """Comments that define the group of each domain, described by its README, and the pages of examples."""
    include = PROJECT / "include" / "trackplex"
    for domain in DOMAINS + sorted(d.name for d in include.iterdir() if d.is_dir() and d.name not in DOMAINS):
        text = "\n".join(markdown(include / domain / "README.md")).strip().splitlines()
        title = re.sub(r" \{#.*", "", text[0].lstrip("# "))
        yield from comment(f"@defgroup {domain} {title}", *text[1:])
    for row in (PROJECT / "examples" / "README.md").read_text().splitlines():
        example = re.match(r"\| \[(\w+)\]\((\w+\.cpp)\) \| (.*?) \|", row)
        if example:
            yield from comment(f"@example {example[2]}", example[3])


if __name__ == "__main__":
    if sys.argv[1] == "--groups":
        lines = groups()
    else:
        path = Path(sys.argv[1]).resolve()
        lines = markdown(path) if path.suffix == ".md" else header(path)
    print(*lines, sep="\n")
