# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a module of Python with the documentation of structs in the headers of beam, by struct and member.

usage: header_docs.py <include/trackplex/beam> <module.py>
"""

import pprint
import re
import sys
from pathlib import Path

MEMBER = re.compile(r"  (?P<type>\w[\w:<>, ]*) (?P<name>\w+)\s*(?:=[^;]*|{[^;]*})?;(?:\s*///<\s*(?P<text>.*))?$")
STRUCT = re.compile(r"(?P<indent>(?:  )?)struct (?P<name>\w+)(?: : [\w:<>, ]+)? {$")


def documented_members(lines):
    """The members of the struct whose body begins with these lines, with their documentation: before them, or after ///<."""
    members, before, last = {}, "", None
    for line in lines:
        if line.startswith("};"):
            break
        if found := re.match(r"\s*///<\s*(.*)", line):  # goes on
            if last:
                members[last] += " " + found[1]
        elif found := re.match(r"  /// (.*)", line):
            before, last = f"{before} {found[1]}".strip(), None
        else:
            found = MEMBER.match(line)
            last = found["name"] if found else None
            if found and (found["text"] or before):
                members[last] = found["text"] or before
            before = ""
    return members


def documented_structs(path):
    text = re.sub(r"\nnamespace steps {\n.*?\n}  // namespace steps\n", "\n", path.read_text(), flags=re.DOTALL)
    lines, outer = text.splitlines(), ""
    for number, line in enumerate(lines):
        if not (found := STRUCT.match(line)):
            continue
        indent, name = found["indent"], found["name"]
        if not indent:
            outer = name
        body = [text.removeprefix(indent) for text in lines[number + 1:]]
        yield (f"{outer}::{name}" if indent else name), documented_members(body)


def main():
    include, module = map(Path, sys.argv[1:])
    structs = {}
    for path in sorted(include.rglob("*.hpp")):
        if "detail" not in path.parts:
            structs.update((name, members) for name, members in documented_structs(path) if members and name not in structs)
    module.write_text(
        f'"""Documentation of structs, from the headers."""\n\nSTRUCTS = {pprint.pformat(structs, width=140, sort_dicts=False)}\n')


if __name__ == "__main__":
    main()
