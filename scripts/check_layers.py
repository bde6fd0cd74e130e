#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks rules that no compiler checks: includes and uses between domains, the contents of headers, and lists of files.

READMEs list the public headers of their folder, the CMakeLists.txt of tests their sources.

usage: scripts/check_layers.py [--root FOLDER]

Prints "file:line: problem (why) suggestion" for each violation and exits with 1 if there is one.
"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent / "lib"))
import std_headers  # noqa: E402

# Folder -> allowed includes besides core and itself, with their own allowed includes. A folder's detail/ counts as
# the folder; only the folder and its subfolders may include it.
DOMAINS = {
    "core": (),
    "matriplex": (),
    "geometry": ("matriplex",),
    "kalman": ("geometry",),
    "histogram": (),
    "hits": ("geometry",),
    "tracks": ("hits", "kalman"),
    "search": ("histogram", "hits"),
    "seeding": ("search", "tracks", "chain"),
    "candidates": ("seeding",),
    "vertexing": (),
    "lhcb/velo": ("chain", "vertexing"),
    "lhcb/ut": ("lhcb/velo", "candidates"),
    "lhcb/scifi": ("lhcb/ut",),
    "lhcb/fit": ("lhcb/scifi",),
    "lhcb": ("lhcb/ut", "lhcb/scifi", "lhcb/fit"),
    "beam/bunch": (),
    "beam/maps": ("beam/bunch",),
    "beam/steps": ("beam/maps",),
    "beam/elements": ("beam/steps",),
    "beam/collective": ("beam/elements", "histogram"),
    "beam": ("beam/collective",),
    "beam/optics": ("beam",),
    "montecarlo": ("histogram",),
    "cylinder": ("candidates", "chain"),
    "detector": ("candidates",),
    "chain": (),
    "pipeline": ("chain",),
    "perfmodel": (),
    "hdf5": (),
    "lzma": (),
    "mpi": ("pipeline",),
}
# These serve the domains.
SERVED = tuple(name for name in DOMAINS if name not in ("core", "chain", "pipeline", "hdf5", "lzma", "mpi"))
LAYERS = DOMAINS | {
    "simulation": SERVED,
    "validation": SERVED,
    "io": (),
    "io/sdds": ("io", "beam/collective"),
    "io/openpmd": ("io", "hdf5", "beam/bunch"),
    "io/tables": ("io/sdds", "io/openpmd", "beam", "geometry", "kalman", "montecarlo"),
    "io/elegant": ("io/sdds", "beam", "simulation"),
    "io/madx": ("io", "beam/optics"),
    "io/detectors": ("io/tables", "tracks"),
    "io/display": ("io", "lhcb", "geometry"),
    "io/pals": ("io", "beam"),
    "io/xsuite": ("io", "beam"),
    "io/lhcb": ("io/tables", "lhcb", "validation", "lzma"),
    "io/montecarlo": ("io", "montecarlo"),
    "io/perfmodel": ("io", "perfmodel"),
    "io/pipeline": ("io",),
}
# Domains that the umbrella header trackplex.hpp leaves out.
NOT_IN_UMBRELLA = ("io", "hdf5", "lzma", "mpi", "perfmodel", "simulation", "validation")

MAXIMUM_LINES = 400
MAX_TEMPLATE_PARAMETERS = 5
# Public templates that may have more: independent choices of the user, most of which have defaults.
MANY_TEMPLATE_PARAMETERS = {
    "BuildTracks": 7,  # strategy, scalar, space, field, kind of hits, lanes, model
}
README_ROW = re.compile(r"\| `(\w+\.hpp)` \| .*\w.* \|$")
SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
NO_SPDX = re.compile(r"(^|/)LICENSE$|^LICENSES/|^packaging/debian/(changelog|source/format)$|\.(png|svg|pdf|bin|mdf|gz|dat|csv|golden)$|(?<!Presets)\.json$")

INCLUDE = re.compile(r'\s*#\s*include\s*[<"]trackplex/([^">]+)[">]')
# (pattern, problem, why, suggestion)
OUTSIDE_CORE = (
    (
        re.compile(r"\s*#\s*(el)?ifn?(def)?\b.*\b(KOKKOS_ENABLE_(SERIAL|OPENMP|THREADS|CUDA|HIP|SYCL)\b"
                   r"|__CUDA|__NVCC__|__HIP|_OPENMP\b|__AVX|__SSE|__FMA__|__ARM_|__aarch64__|__x86_64__)"
                   r"|\bKOKKOS_IF_ON_(HOST|DEVICE)\b"),
        "#if on a backend or an instruction set",
        "a kernel is written once; only core/ knows backends",
        "use the number types and launch helpers of core/",
    ),
    (
        re.compile(r"\b(_mm\d*_\w+|__m(128|256|512)[di]?\b|vld1q?_\w+|vst1q?_\w+)|#\s*include\s*<(\w*intrin|arm_neon)\.h>"),
        "SIMD intrinsic",
        "lanes are a type of core/",
        "use Lanes and its functions",
    ),
    (
        re.compile(r"\s*#\s*pragma\s+(omp|simd|ivdep|vector|unroll|GCC\s+(ivdep|unroll)|clang\s+loop)\b"),
        "pragma on a loop",
        "lanes are a type of core/, loops are Kokkos'",
        "use Lanes, or a launch helper of core/",
    ),
)
# Layers whose numbers are for reports alone.
REPORTING = ("perfmodel", "validation")
OUTSIDE_REPORTS = (
    (
        re.compile(r"\b(?:std|Kokkos)\s*::\s*(?:a?(?:sin|cos|tan)h?|atan2|exp2?|expm1|log(?:2|10|1p)?|pow|hypot|cbrt|erfc?|[lt]gamma"
                   r"|arg|norm|polar)\b|\bstd\s*::\s*\w+_distribution\b"),
        "function of the C or C++ library",
        "libraries differ in the last bits",
        "take those of core/: math.hpp, derived_math.hpp, expm1.hpp, pow.hpp, error_function.hpp, random.hpp",
    ),
)
# Where arrays are allocated.
ALLOCATING = "core/allocate.hpp"
OUTSIDE_ALLOCATE = (
    (
        re.compile(r"\bKokkos\s*::\s*(view_alloc|kokkos_malloc)\b"),
        "allocation by Kokkos",
        "without Kokkos running it would end the program instead of throwing",
        "use new_array, new_zeros or allocate_array of core/allocate.hpp",
    ),
    (
        re.compile(r"(?<![<\w:])(Kokkos\s*::\s*)?View\s*<[^;]*>\s*\w*\s*[({]\s*\""),
        "allocation by the constructor of a View",
        "without Kokkos running it would end the program instead of throwing",
        "use new_array, new_zeros or allocate_array of core/allocate.hpp",
    ),
)
EVERYWHERE = (
    (
        re.compile(r"\bKokkos\s*::\s*fence\s*\("),
        "global fence",
        "it waits for every instance; algorithms enqueue on the caller's and return",
        "leave the fence to the caller, or fence the instance: space.fence(...)",
    ),
)


def closure(layer):
    """All layers that a layer may include."""
    allowed = {layer, "core"}
    todo = list(LAYERS[layer])
    while todo:
        name = todo.pop()
        if name not in allowed:
            allowed.add(name)
            todo += LAYERS[name]
    return allowed


def without_comments(text):
    """The text with comments and string literals blanked, line breaks kept."""
    token = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)

    def blank(match):
        found = match.group()
        if found.startswith('"'):
            return found if "/" in found and found.endswith('.hpp"') else '""'
        return re.sub(r"[^\n]", " ", found)

    return token.sub(blank, text)


def end_of_brackets(code, begin, opening, closing):
    """The place after the bracket that closes the one before `begin`, and the places of the commas directly inside."""
    depth, inner, commas = 1, 0, []
    for i in range(begin, len(code)):
        character = code[i]
        inner += (character in "([{") - (character in ")]}") if opening == "<" else 0
        depth += (character == opening and not inner) - (character == closing and not inner)
        if depth == 0:
            return i + 1, commas
        if character == "," and depth == 1 and not inner:
            commas.append(i)
    return len(code), commas


def long_templates(code):
    """Templates outside namespace detail with too many parameters: line, number and name."""
    hidden = [(m.start(), end_of_brackets(code, m.end(), "{", "}")[0])
              for m in re.finditer(r"\bnamespace\s+(?:\w+::)*detail\s*\{", code)]
    for match in re.finditer(r"\btemplate\s*<", code):
        end, commas = end_of_brackets(code, match.end(), "<", ">")
        if len(commas) < MAX_TEMPLATE_PARAMETERS or any(begin <= match.start() < end for begin, end in hidden):
            continue
        name = re.search(r"\b(?:class|struct|using|concept)\s+(\w+)|(\w+)\s*\(", re.sub(r"\b(requires|decltype)\s*\(", " ", code[end:]))
        name = name and (name[1] or name[2])
        if len(commas) + 1 > MANY_TEMPLATE_PARAMETERS.get(name, MAX_TEMPLATE_PARAMETERS):
            yield code.count("\n", 0, match.start()) + 1, len(commas) + 1, name


def folder_of(header):
    """The folder of LAYERS that a header belongs to, "" for one directly in trackplex/."""
    return re.sub(r"/detail$", "", header.rpartition("/")[0])


def include_problem(layer, included):
    """Why a header of a layer ("" for one directly in trackplex/) may not include a file, or None."""
    if "/" not in included:
        if included == "version.hpp":
            return None
        return "the umbrella header is for users", "include the headers that are needed"
    target = folder_of(included)
    if target not in LAYERS:
        return f"{target} is no layer of the design", "add it to LAYERS in scripts/check_layers.py, or fix the path"
    if "/detail/" in included and not f"{layer}/".startswith(f"{target}/"):
        return f"{target}/detail is for headers of {target}", "include what is public, or make this so"
    if layer == "":
        domain = target.split("/")[0]
        if domain in NOT_IN_UMBRELLA:
            return f"{domain} is only for some programs, and costs the others time", "leave it to who includes its headers"
        return None
    allowed = closure(layer)
    if target in allowed:
        return None
    others = ", ".join(sorted(allowed - {layer})) or "nothing else"
    return f"{layer} may include {others}", "move what is shared to a lower layer"


def check_header(path, relative):
    """Violations of one header; relative is its path below include/trackplex."""
    layer = folder_of(relative.as_posix())
    if layer and layer not in LAYERS:
        yield 1, f"unknown layer {layer}", "every folder has its place in the design", "add it to LAYERS"
        return
    text = path.read_text(encoding="utf-8")
    lines = text.count("\n")
    if lines > MAXIMUM_LINES:
        yield lines, "long header", f"at most {MAXIMUM_LINES} lines are readable", "split it by topic"
    code = without_comments(text)
    for name, (header, number) in std_headers.missing(code).items():
        yield number, f"std::{name} without <{header}>", "what others include may change", f"add #include <{header}>"
    for number, parameters, name in long_templates(code) if relative.parent.name != "detail" else ():
        yield (number, f"{name} has {parameters} template parameters", f"at most {MAX_TEMPLATE_PARAMETERS} are readable",
               "deduce them, bundle what belongs together, or move it to detail")
    for number, line in enumerate(code.splitlines(), 1):
        include = INCLUDE.match(line)
        if include:
            problem = include_problem(layer, include.group(1))
            if problem:
                yield (number, f"{layer or relative.name} includes {include.group(1)}", *problem)
        patterns = (EVERYWHERE + (OUTSIDE_CORE if layer != "core" else ()) + (OUTSIDE_REPORTS if layer not in REPORTING else ())
                    + (OUTSIDE_ALLOCATE if relative.as_posix() != ALLOCATING else ()))
        for pattern, *message in patterns:
            if pattern.search(line):
                yield (number, *message)


def check_readme(folder):
    """Differences between a folder's public headers and those that its README lists, a row of a table each: line and message."""
    readme = folder / "README.md"
    lines = readme.read_text(encoding="utf-8").splitlines() if readme.is_file() else []
    rows = [(number, row[1]) for number, row in enumerate(map(README_ROW.match, lines), 1) if row]
    listed = [name for _, name in rows]
    headers = {path.name for path in folder.glob("*.hpp")}
    for name in sorted(headers.difference(listed)):
        yield 1, f"{name} is not listed", "a folder's README lists its public headers", f"add a row: | `{name}` | what it holds |"
    for i, (number, name) in enumerate(rows):
        if name not in headers:
            yield number, f"there is no {name}", "it was moved or removed", "remove the row"
        elif name in listed[:i]:
            yield number, f"{name} is listed twice", "one row a header", "remove a row"


def unlisted_tests(root):
    """Sources of tests that the CMakeLists.txt of their domain does not build."""
    for lists in sorted(root.glob("tests/*/CMakeLists.txt")):
        built = re.sub(r"set_source_files_properties\([^)]*\)", "", lists.read_text(encoding="utf-8"))
        words = set(re.split(r"[\s()\"]+", built))
        for source in sorted(lists.parent.rglob("*.cpp")):
            if source.relative_to(lists.parent).as_posix() not in words and "TEST_CASE" in source.read_text(encoding="utf-8"):
                yield source


def project_files(root):
    """Files that are or will be committed."""
    command = ["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, capture_output=True, text=True, check=False) if shutil.which("git") else None
    if listed and listed.returncode == 0:
        names = [name for name in listed.stdout.split("\0") if name]
    else:  # a released archive, or a machine without git
        names = [str(p.relative_to(root)) for p in root.rglob("*") if p.is_file() and p.relative_to(root).parts[0] != "build"]
    return [name for name in sorted(names) if (root / name).is_file()]


def check(root):
    """Prints all violations; returns their number."""
    problems = 0
    include = root / "include" / "trackplex"
    headers = sorted(include.rglob("*.hpp"))
    for path in headers:
        shown = path.relative_to(root)
        for number, problem, why, suggestion in check_header(path, path.relative_to(include)):
            print(f"{shown}:{number}: {problem} ({why}) {suggestion}")
            problems += 1
    for folder in sorted({path.parent for path in headers} - {include}):
        if folder.name == "detail":
            continue
        for number, problem, why, suggestion in check_readme(folder):
            print(f"{folder.relative_to(root)}/README.md:{number}: {problem} ({why}) {suggestion}")
            problems += 1
    for source in unlisted_tests(root):
        print(f"{source.relative_to(root)}:1: it is not built (no list of sources has it) add it to trackplex_add_tests")
        problems += 1
    files = project_files(root)
    for name in files:
        if NO_SPDX.search(name):
            continue
        head = (root / name).read_bytes()[:1000]
        if head and b"\0" not in head and SPDX.encode() not in head:
            print(f"{name}:1: no licence line (every text file names its licence) add: {SPDX}")
            problems += 1
    print(f"check_layers: {len(headers)} headers, {len(files)} files, {problems} problems")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent, help="the project's folder")
    sys.exit(1 if check(parser.parse_args().root) else 0)


if __name__ == "__main__":
    main()
