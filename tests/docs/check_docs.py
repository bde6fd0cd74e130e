#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the documentation shows compiled code as it is, and that the files it links to exist.

A code block that follows the line `<!-- file: PATH -->` is the file at PATH, without its SPDX line.
"""

import re
import sys
from pathlib import Path

SHOWN = re.compile(r"<!-- file: (\S+) -->\s*```\w*\n(.*?)```", re.DOTALL)
CODE = re.compile(r"```.*?```", re.DOTALL)
LINK = re.compile(r"\]\(([^)#]+)\)")


def problems(document):
    text = document.read_text()
    for path, code in SHOWN.findall(text):
        file = source / path
        shown = file.read_text().split("\n", 1)[1].strip() if file.exists() else None
        if code.strip() != shown:
            yield f"{document.relative_to(source)}: does not show {path} as it is"
    for link in LINK.findall(CODE.sub("", text)):
        if "://" not in link and not (document.parent / link).exists():
            yield f"{document.relative_to(source)}: links to {link}, which does not exist"


source = Path(sys.argv[1])
found = [p for d in sorted([*source.glob("*.md"), *source.glob("docs/**/*.md"), *source.glob("examples/*.md")]) for p in problems(d)]
print(*found, sep="\n", end="\n" if found else "")
sys.exit(1 if found else 0)
