#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the README shows the compiled code example, and that the files it links to exist."""

import re
import sys
from pathlib import Path

source = Path(sys.argv[1])
readme = (source / "README.md").read_text()
example = (source / "tests/readme/first_tracks.cpp").read_text().split("\n", 1)[1].strip()
problems = []
if example not in readme:
    problems.append("README.md does not show tests/readme/first_tracks.cpp as it is")
for link in re.findall(r"\]\(([^)#]+)\)", readme):
    if "://" not in link and not (source / link).exists():
        problems.append(f"README.md links to {link}, which does not exist")
print(*problems, sep="\n")
sys.exit(1 if problems else 0)
