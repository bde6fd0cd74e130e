#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the sources that check that every header compiles alone, several headers to a source.

A source includes a chain of headers, each of which is included by the next one, directly or not. Before a header of the
chain the compiler has seen only what this header includes itself, so it is checked as if it were alone.

Headers that include Kokkos_Core.hpp go to the folder kokkos, to be compiled with that header precompiled; others to the
folder plain. Files that would not change are left alone.
"""

import argparse
import re
from pathlib import Path

KOKKOS = "Kokkos_Core.hpp"
INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^">]+)[">]')
HEAD = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n// Written by scripts/lib/header_chains.py.\n"


def read_includes(root):
    """What each header below root includes, by names relative to root."""
    return {
        path.relative_to(root).as_posix(): [m.group(1) for m in map(INCLUDE.match, path.read_text().splitlines()) if m]
        for path in sorted(root.rglob("*.hpp"))
    }


def closure(header, includes):
    """All that a header includes, directly or not, without itself."""
    found, todo = set(), [header]
    while todo:
        for name in includes.get(todo.pop(), ()):
            if name not in found:
                found.add(name)
                todo.append(name)
    return found - {header}


def chains(closures):
    """As few lists as possible that hold all headers, in each of which a header is in the closure of the next one. (The
    fewest paths that cover an order are those of a maximum matching; here by augmenting paths.) Headers that include
    each other are in different lists."""
    order = sorted(closures, key=lambda header: (-len(closures[header]), header))
    below = {h: [o for o in order if o in closures[h] and len(closures[o]) < len(closures[h])] for h in order}
    next_above = {}

    def extend(header, seen):
        for other in below[header]:
            if other not in seen:
                seen.add(other)
                if other not in next_above or extend(next_above[other], seen):
                    next_above[other] = header
                    return True
        return False

    for header in order:
        extend(header, set())
    below_of = {above: header for header, above in next_above.items()}
    result = []
    for header in order:
        if header not in next_above:  # the top of a chain
            chain = [header]
            while chain[-1] in below_of:
                chain.append(below_of[chain[-1]])
            result.append(chain[::-1])
    return result


def source_name(header):
    return header.removeprefix("trackplex/").removesuffix(".hpp").replace("/", "-") + ".cpp"


def write(root, output, left_out):
    """Writes all sources and removes those of earlier calls."""
    includes = read_includes(root)
    folders = {"kokkos": {}, "plain": {}}
    for header in includes:
        if header.split("/")[1] not in left_out:
            found = closure(header, includes)
            folders["kokkos" if KOKKOS in found else "plain"][header] = found
    for folder, closures in folders.items():
        wanted = {}
        for chain in chains(closures):
            wanted[source_name(chain[-1])] = HEAD + "".join(f"#include <{header}>\n" for header in chain)
        (output / folder).mkdir(parents=True, exist_ok=True)
        for path in (output / folder).glob("*.cpp"):
            if path.name not in wanted:
                path.unlink()
        for name, text in wanted.items():
            path = output / folder / name
            if not path.exists() or path.read_text() != text:
                path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path, help="the folder that holds trackplex/")
    parser.add_argument("output", type=Path, help="where the folders kokkos and plain go")
    parser.add_argument("--without", nargs="*", default=[], metavar="DOMAIN", help="domains that are left out")
    arguments = parser.parse_args()
    write(arguments.root, arguments.output, arguments.without)


if __name__ == "__main__":
    main()
