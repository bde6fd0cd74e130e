#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that no translation unit of a build holds too many kernels, or too much code.

What a unit takes to compile grows with the kernels that it instantiates; their number is the same on every
machine, unlike seconds; the size of the code is nearly so, for one set of instructions. Nor may a unit hold a kernel that the
library trackplex_kernels has: its target lacks a table. Looks at the object files that exist of those in
compile_commands.json. Exits with 1 where a unit is over its budget, with 77 where nothing is built. Budgets are for the preset
test.
"""

import argparse
import fnmatch
import json
import re
import subprocess
import sys
from pathlib import Path

# The function templates that hold the body of a kernel: each instantiation is a body.
BODIES = ("trackplex::detail::run_places", "trackplex::detail::run_tiles")

# Objects with the kernels that are compiled once.
LIBRARY = "*/trackplex_kernels.dir/*"
# Objects with another Kokkos, which do not link to them: tests on the emulated device.
OTHER_KOKKOS = "*/test_device_*.dir/*"

# Sources of a program that are not among its KERNELS: they are not optimised, and the linker may take their kernels for all.
OF_PROGRAM = re.compile(r"examples/(\w+)/CMakeFiles/\1\.dir/")
MAX_BODIES_OF_PROGRAM = 8  # of generators, for example

MAX_BODIES = 64
MAX_TEXT_KB = 2000
MAX_REPEATED = 12  # small ones are parts of kernels that are in no table, too
# Object files with budgets of their own: pattern -> (bodies, kB of text, repeated kernels, reason). The first that matches
# counts.
EXCEPTIONS = {
    "tests/reproducibility/*": (100, 3000, MAX_REPEATED, "all lane widths, also of whole beam lines"),
    "benchmarks/beam/*": (64, 2500, MAX_REPEATED, "beam lines of every kind"),
    "tests/beam/*": (64, MAX_TEXT_KB, 40, "actions by themselves, of which g++ makes small kernels again to inline them"),
}


def mangled_prefix(function):
    """What the symbols of a function template's instantiations begin with; what is local to them begins with _ZZ."""
    return "_ZN" + "".join(f"{len(part)}{part}" for part in function.split("::")) + "I"


OUTPUT = re.compile(r" -o (\S+\.o) ")
PREFIXES = tuple(mangled_prefix(function) for function in BODIES)


def tool_output(tool, options, files, folder):
    """Lines of a tool of binutils, called with a part of the files at a time."""
    for first in range(0, len(files), 200):
        command = [tool, *options, *files[first:first + 200]]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
        except FileNotFoundError:
            sys.exit(f"check_unit_budgets: {tool} is missing: install binutils")
        except subprocess.CalledProcessError as error:
            sys.exit(f"check_unit_budgets: {tool} failed: {error.stderr.strip()}")
        yield from done.stdout.splitlines()


def object_files(build):
    """The object files of a build folder that exist, relative to it."""
    try:
        commands = json.loads((build / "compile_commands.json").read_text())
    except (OSError, ValueError) as error:
        sys.exit(f"check_unit_budgets: cannot read compile_commands.json in {build} ({error}): configure it with a preset")
    build = build.resolve()
    files = {build / entry.get("directory", ".") / match.group(1)
             for entry in commands if (match := OUTPUT.search(entry["command"]))}
    return sorted(str(file.relative_to(build)) for file in files if file.is_file())


def measure(build):
    """Object file -> (bodies, kB of text, bodies that the library of kernels has, too)."""
    files = object_files(build)
    bodies = {name: set() for name in files}
    for line in tool_output("nm", ["--defined-only", "-o"], files, build):
        name, _, symbol = line.rpartition(" ")
        if symbol.startswith(PREFIXES):
            bodies[name.split(":")[0]].add(symbol.split(".")[0])  # parts of a function have a suffix
    text = {}
    for line in tool_output("size", ["--format=berkeley"], files, build):
        fields = line.split(None, 5)
        if fields[0] != "text":
            text[fields[5]] = int(fields[0]) / 1000
    library = set().union(*(bodies[name] for name in fnmatch.filter(files, LIBRARY)))

    def repeated(name):
        unrelated = any(fnmatch.fnmatch(name, pattern) for pattern in (LIBRARY, OTHER_KOKKOS))
        return 0 if unrelated else len(bodies[name] & library)

    return {name: (len(bodies[name]), text[name], repeated(name)) for name in files}


def budget(name):
    """(bodies, kB, repeated kernels) that an object file may have."""
    for pattern, (*limits, _) in EXCEPTIONS.items():
        if fnmatch.fnmatch(name, pattern):
            return limits
    return MAX_BODIES_OF_PROGRAM if OF_PROGRAM.match(name) else MAX_BODIES, MAX_TEXT_KB, MAX_REPEATED


def check(build, number):
    """Prints what is over its budget, and the heaviest units; returns how many are over."""
    units = measure(build)
    if not units:
        print(f"check_unit_budgets: no object files in {build}")
        sys.exit(77)
    problems = 0
    for name, (bodies, kilobytes, repeated) in units.items():
        max_bodies, max_kilobytes, max_repeated = budget(name)
        if bodies > max_bodies or kilobytes > max_kilobytes:
            print(f"{name}: {bodies} kernel bodies (limit {max_bodies}), {kilobytes:.0f} kB of text (limit {max_kilobytes})")
            problems += 1
        if repeated > max_repeated:
            print(f"{name}: {repeated} kernels of trackplex_kernels (limit {max_repeated}): name their tables (cmake/kernels) for its target")
            problems += 1
    if problems:
        print("Units over their budget take too long to compile: split the source, or instantiate fewer spaces, number types "
              "or lane widths; kernels of a program belong into its KERNELS sources")
    for key, unit in ((0, "kernel bodies"), (1, "kB of text")):
        print(f"Most {unit}:")
        for name, measured in sorted(units.items(), key=lambda item: -item[1][key])[:number]:
            print(f"{measured[key]:8.0f}  {name}")
    print(f"check_unit_budgets: {len(units)} units, {problems} over their budget")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path, nargs="?", default=Path(__file__).resolve().parent.parent / "build" / "test",
                        help="build folder (default: build/test)")
    parser.add_argument("--number", "-n", type=int, default=10, metavar="N", help="heaviest units shown (default: 10)")
    arguments = parser.parse_args()
    sys.exit(1 if check(arguments.build, arguments.number) else 0)


if __name__ == "__main__":
    main()
