#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the kernels in the output of device compilers: registers, stack, spills, and double-precision instructions.

  check_device_code.py compile RESULT EXCEPTIONS COMMAND...   runs a compiler that writes assembly to the file after -o, PTX
                                                              (which ptxas then compiles) or AMD GPU assembly, writes the resources of
                                                              its kernels to RESULT, and checks the limits
  check_device_code.py table TABLE EXCEPTIONS RESULT...       writes a table of all results to TABLE; an unused exception is an
                                                              error

No kernel may spill registers or have more than 512 bytes of stack per thread; a kernel has double-precision instructions only
if its name has double. A line of EXCEPTIONS allows more, up to a value: spill, stack or f64, the value, the kernel's name as
the table shows it (* stands for any characters), and the reason after a #.
"""

import fnmatch
import json
import re
import subprocess
import sys
from pathlib import Path

LIMITS = {"spill": 0, "stack": 512, "f64": 0}

# Templates around a functor, with the place of the functor among their arguments. Arguments that belong to it are steps.
WRAPPERS = {"range_kernel": 1, "reduce_kernel": 1, "scan_kernel": 0, "team_kernel": 0, "TeamFunctor": 0, "TileFunctor": 1,
            "OneByOne": 0}
SPACES = re.compile(r"(Cuda|HIP|Device)(Space)?$")


def split_arguments(name):
    """The name of a template, its arguments, and what follows: "A<B, C<D>>::E" gives ("A", ["B", "C<D>"], "::E")."""
    head, bracket, rest = name.partition("<")
    if not bracket:
        return name, [], ""
    arguments, depth, begin = [], 1, 0
    for i, character in enumerate(rest):
        if character == "<":
            depth += 1
        elif character == ">":
            depth -= 1
        if depth == 0 or (depth == 1 and character == ","):
            arguments.append(rest[begin:i].strip())
            begin = i + 1
        if depth == 0:
            return head, arguments, rest[i + 1:]
    raise ValueError(f"not a name of a template: {name}")


def readable(demangled):
    """The functor of a kernel, with its arguments but not those of these: "kalman::FitTracks<float, UniformField>"."""
    name = re.sub(r"^void |\(anonymous namespace\)::|\b(Kokkos|trackplex|detail|Impl)::| const\b|\([\w:]+\)(?=\d)", "", demangled)
    step = ""
    head, arguments, rest = split_arguments(name)
    while head in WRAPPERS:
        name = arguments.pop(WRAPPERS[head])
        step += "".join(argument.removeprefix(name) for argument in arguments if argument.startswith(name + "::"))
        head, arguments, rest = split_arguments(name)
    short = []
    for argument in arguments:
        inner, _, member = split_arguments(argument)
        if not SPACES.match(inner):
            short.append(re.sub(r"^&?(\w+::)*", "", inner) + member.partition("<")[0])
    name = head + (f"<{', '.join(short)}>" if short else "") + rest.split("(")[0] + step
    for precision in ("float", "double"):
        if precision in demangled and precision not in name:
            name += f" of {precision}"
    return name


def f64_instructions(bodies, functions, opcode):
    """Kernel or function -> its double-precision instructions, which opcode matches, with those of functions that it names."""
    own = {name: sum(1 for line in body.splitlines() if opcode.match(line)) for name, body in bodies.items()}
    named = {name: functions & set(re.findall(r"[\w$]+", body)) for name, body in bodies.items()}

    def called(name, seen):
        for other in named[name] - seen:
            seen |= called(other, seen | {other})
        return seen

    return {name: sum(own[other] for other in called(name, {name})) for name in own}


PTX_FUNCTION = re.compile(r"^[^\S\n]*(?:\.visible |\.weak )*\.(?P<kind>entry|func)\s+(?:\([^)]*\) )?(?P<name>[\w$]+)", re.MULTILINE)
PTX_F64 = re.compile(r"\s+(?:@!?%\w+\s+)?(?!ld|st|mov|selp)[a-z]\w*[.\w]*\.f64\b")
PTXAS = re.compile(r"Compiling entry function '(.+)' for.*\n(?:(?!.*Compiling).*\n)*?\s*(\d+) bytes stack frame, "
                   r"(\d+) bytes spill stores, (\d+) bytes spill loads\n.*Used (\d+) registers")


def split_at(pattern, text):
    """Function -> its text, which begins where the pattern matches."""
    places = [*pattern.finditer(text), None]
    return {here["name"]: text[here.end():following and following.start()] for here, following in zip(places, places[1:])}


def kernels_of_ptx(text, ptxas):
    """Mangled name -> what the kernel uses, of PTX and what `ptxas -v` says of it."""
    bodies = split_at(PTX_FUNCTION, text)
    functions = {place["name"] for place in PTX_FUNCTION.finditer(text) if place["kind"] == "func"}
    f64 = f64_instructions(bodies, functions, PTX_F64)
    return {name: {"registers": int(registers), "stack": int(stack), "spill": int(stores) + int(loads), "f64": f64[name]}
            for name, stack, stores, loads, registers in PTXAS.findall(ptxas)}


AMD_FUNCTION = re.compile(r"^\s*\.type\s+(?P<name>[\w$.]+),@function$", re.MULTILINE)
AMD_F64 = re.compile(r"\s+v_\w+_f64")


def kernels_of_amd(text):
    """Mangled name -> what the kernel uses, of assembly for an AMD GPU."""
    code, _, metadata = text.partition("\namdhsa.kernels:")
    kernels = {}
    for entry in metadata.partition("\namdhsa.target:")[0].split("\n  - ")[1:]:
        values = dict(re.findall(r"^    \.(\w+): +(\S+)$", entry, re.MULTILINE))
        kernels[values["name"]] = {"registers": int(values["vgpr_count"]), "stack": int(values["private_segment_fixed_size"]),
                                   "spill": int(values["vgpr_spill_count"])}  # scalar registers spill to vector registers
    bodies = split_at(AMD_FUNCTION, code)
    f64 = f64_instructions(bodies, bodies.keys() - kernels.keys(), AMD_F64)
    return {name: uses | {"f64": f64[name]} for name, uses in kernels.items()}


def demangle(names):
    done = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    return zip(names, done.stdout.splitlines())


def merge(kernels):
    """Readable name -> the most that kernels with this name use, from pairs of them."""
    merged = {}
    for name, uses in kernels:
        old = merged.get(name, uses)
        merged[name] = {key: max(value, old[key]) for key, value in uses.items()}
    return merged


def read_exceptions(path):
    """(limit, kernel pattern) -> value, from a file with lines "stack 1600 kalman::Fit<*> # reason"."""
    exceptions = {}
    for line in path.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        match = re.fullmatch(r"(spill|stack|f64)\s+(\d+)\s+(\S.*?)\s+# (.+)", line)
        if not match:
            sys.exit(f"{path}: write a limit, a value, a kernel and '# reason': {line}")
        exceptions[match[1], match[3]] = int(match[2])
    return exceptions


def problems_of(kernels, exceptions):
    """Messages about kernels over their limits, and the exceptions that kernels need."""
    messages, needed = [], set()
    for name, uses in kernels.items():
        for what, limit in LIMITS.items():
            if uses[what] <= limit or (what == "f64" and "double" in name):
                continue
            matching = {key for key in exceptions if key[0] == what and fnmatch.fnmatchcase(name, key[1])}
            needed |= matching
            limit = max((exceptions[key] for key in matching), default=limit)
            if uses[what] > limit:
                messages.append(f"{name}: {what} {uses[what]} (limit {limit})")
    return messages, needed


def compile_part(result, exceptions, command):
    """Compiles a part, writes what its kernels use; returns messages about them."""
    assembly = Path(command[command.index("-o") + 1])
    if subprocess.run(command, check=False).returncode:
        return [f"{assembly.name} does not compile"]
    if assembly.suffix == ".ptx":
        ptxas = [str(Path(command[0]).parent / "ptxas"), "-v", "-arch=sm_90", str(assembly), "-o", f"{assembly}.cubin"]
        done = subprocess.run(ptxas, capture_output=True, text=True, check=False)
        if done.returncode:
            return [done.stderr]
        uses = kernels_of_ptx(assembly.read_text(), done.stderr)
    else:
        uses = kernels_of_amd(assembly.read_text())
    kernels = merge((readable(name), uses[mangled]) for mangled, name in demangle(uses))
    result.write_text(json.dumps(kernels))
    return problems_of(kernels, exceptions)[0]


def table(path, exceptions, results):
    """Writes the table; returns messages about exceptions without need."""
    kernels = merge(item for result in results for item in json.loads(result.read_text()).items())
    columns = next(iter(kernels.values()))
    lines = [[*columns, "kernel"]] + [[*uses.values(), name] for name, uses in sorted(kernels.items())]
    path.write_text("".join("{:>9} {:>9} {:>9} {:>9}  {}\n".format(*line) for line in lines))
    print(f"check_device_code: {len(kernels)} kernels, table in {path}")
    unused = exceptions.keys() - problems_of(kernels, exceptions)[1]
    return [f"no kernel needs the exception: {' '.join(key)}" for key in sorted(unused)]


def main():
    if len(sys.argv) < 5 or sys.argv[1] not in ("compile", "table"):
        sys.exit(__doc__)
    output, exceptions, arguments = Path(sys.argv[2]), read_exceptions(Path(sys.argv[3])), sys.argv[4:]
    if sys.argv[1] == "compile":
        messages = compile_part(output, exceptions, arguments)
    else:
        messages = table(output, exceptions, [Path(name) for name in arguments])
    sys.exit("\n".join(messages) or 0)


if __name__ == "__main__":
    main()
