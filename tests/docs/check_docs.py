#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the documentation shows compiled code as it is, and that its links lead to files and headings that exist.

A code block that follows the line `<!-- file: PATH -->` is the file at PATH, without its SPDX line.
"""

import re
import sys
from pathlib import Path

source = Path(sys.argv[1]).resolve()
sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs"))
from filter import BLOCK, headings  # noqa: E402

SHOWN = re.compile(r"<!-- file: (\S+) -->\s*```\w*\n(.*?)```", re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
SRC = re.compile(r'<img [^>]*src="([^"]+)"')


def problem_of_link(document, link):
    path, _, anchor = link.partition("#")
    target = document.parent / path if path else document
    if not target.exists():
        return f"links to {link}, which does not exist"
    if target.is_dir():
        target = target / "README.md"
    if anchor and target.suffix == ".md" and anchor not in headings(target.read_text()):
        return f"links to {link}, where there is no such heading"
    return None


def problems(document):
    text = document.read_text()
    for path, code in SHOWN.findall(text):
        file = source / path
        shown = file.read_text().split("\n", 1)[1].strip() if file.exists() else None
        if code.strip() != shown:
            yield f"does not show {path} as it is"
    prose = BLOCK.sub("", text)
    for link in LINK.findall(prose) + SRC.findall(prose):
        problem = None if "://" in link or link.startswith("mailto:") else problem_of_link(document, link)
        if problem:
            yield problem
    if "operatorname" in prose:
        yield "uses \\operatorname, which GitHub does not show; write \\mathrm"


documents = sorted(d for d in source.rglob("*.md") if d.relative_to(source).parts[0] != "build")
found = [f"{d.relative_to(source)}: {p}" for d in documents for p in problems(d)]
print(*found, sep="\n", end="\n" if found else "")
sys.exit(1 if found else 0)
