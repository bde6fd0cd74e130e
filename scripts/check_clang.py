#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that clang accepts what another compiler builds.

Takes the kernels, tests, benchmarks, examples and programs in compile_commands.json of a build folder. clang checks each,
including template instantiations, without precompiled headers and without generating code. Warnings count as errors.
Programs are checked one source at a time, as users build them, since a unity source hides missing includes. Needs a
configured build folder, but no build. Exits with 1 if clang rejects a source.
"""

import argparse
import concurrent.futures
import itertools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

# Options that clang does not have, or that belong to output.
DROPPED = re.compile(r"-Winvalid-pch|-Wno-maybe-uninitialized|-c|-O\w*|-g\w*")


def clang_command(clang, command):
    """The command with which clang checks what another compiler's command compiles."""
    words = shlex.split(command)[1:]
    if not words[0].startswith("-"):  # the compiler, after a launcher such as ccache
        words.pop(0)
    kept = []
    while words:
        word = words.pop(0)
        if word in ("-o", "-include"):
            words.pop(0)
        elif not DROPPED.fullmatch(word):
            kept.append(word)
    return [clang, *kept, "-fsyntax-only", "-Werror", "-Wno-unused-command-line-argument"]


def check(clang, entry):
    """What clang says about an entry of compile_commands.json, or nothing."""
    done = subprocess.run(clang_command(clang, entry["command"]), cwd=entry["directory"], capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def sources_of(entry):
    """An entry for each source of a program's unity source; others as they are."""
    file = Path(entry["file"])
    if "examples" not in file.parts or file.parent.name != "Unity":
        return [entry]
    sources = re.findall(r'^#include "(.*)"', file.read_text(), re.MULTILINE)
    return [{**entry, "file": source, "command": entry["command"].replace(entry["file"], source)} for source in sources]


def entries_of(build, pattern):
    """Entries of compile_commands.json of a build folder whose files match."""
    try:
        entries = json.loads((build / "compile_commands.json").read_text())
    except (OSError, ValueError) as error:
        sys.exit(f"check_clang: cannot read compile_commands.json in {build} ({error}): configure it with a preset")
    # Neither precompiled headers nor tests on the emulated device, whose Kokkos is another.
    return [entry for entry in itertools.chain.from_iterable(map(sources_of, entries))
            if re.search(pattern, entry["file"]) and "cmake_pch" not in entry["file"]
            and "-DTRACKPLEX_EMULATED_DEVICE" not in entry["command"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path, nargs="?", default=Path(__file__).resolve().parent.parent / "build" / "test",
                        help="build folder (default: build/test)")
    parser.add_argument("--clang", default="clang++", help="the compiler (default: clang++)")
    parser.add_argument("--only", default="", metavar="REGEX", help="sources whose paths match")
    parser.add_argument("--jobs", "-j", type=int, default=os.cpu_count(), help="how many at a time (default: all cores)")
    arguments = parser.parse_args()
    entries = entries_of(arguments.build, arguments.only)
    if not entries:
        sys.exit(f"check_clang: no sources in {arguments.build} match '{arguments.only}'")
    if not shutil.which(arguments.clang):
        sys.exit(f"check_clang: there is no {arguments.clang}: scripts/setup asan brings clang with its OpenMP")
    refused = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for entry, message in zip(entries, pool.map(lambda entry: check(arguments.clang, entry), entries)):
            if message:
                print(f"{entry['file']}:\n{message}")
                refused += 1
    print(f"check_clang: {len(entries)} sources, {refused} refused")
    sys.exit(1 if refused else 0)


if __name__ == "__main__":
    main()
