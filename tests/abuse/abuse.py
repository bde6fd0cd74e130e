#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs with wrong options, damaged files and outputs that cannot be written.

usage: abuse.py [--cases N] [--seed S] PROGRAM...

First every option with every kind of wrong value or output, then N random cases. Whatever it is given, a program ends within
limits of time and memory with an exit status from 0 to 3, by no signal; it says on stderr what is wrong where the status is
not 0; it prints no "nan" or "inf" where it is 0; and it replaces no file that it reads. Options and their types are taken from --help."""

import argparse
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SECONDS = 60
NOBODY = 65534

# A tiny run of each program.
TINY = {
    "beamline": ["--generate", "50", "--repeat", "1"],
    "coulomb": ["--histories", "50"],
    "cylinder_tracker": ["--generate", "1", "--tracks", "20", "--repeat", "1"],
    "detector_tracker": ["--generate", "1", "--tracks", "20", "--repeat", "1"],
    "forecast": ["--published"],
    "kalman_fit": ["--generate", "20", "--repeat", "1"],
    "lhcb_velo": ["--generate", "2", "--repeat", "1"],
    "lhcb_velo_ut": ["--generate", "2", "--repeat", "1"],
    "bench_p2r": ["--generate-sample", "--tracks", "8", "--events", "1", "--layers", "5", "--repeat", "1", "--iterations", "1"],
    "bench_p2z": ["--generate-sample", "--tracks", "8", "--events", "1", "--layers", "5", "--repeat", "1", "--iterations", "1"],
    "bench_tracking": ["--tracks", "20", "--events", "1", "--repeat", "1"],
}
# Options that name files or folders to be read.
INPUTS = {
    "beamline": ["--input", "--strengths", "--match", "--bunch"],
    "coulomb": ["--resume", "--merge", "--reference"],
    "cylinder_tracker": ["--input", "--sequence"],
    "detector_tracker": ["--input", "--geometry", "--particles", "--sequence"],
    "forecast": ["--input", "--devices", "--chains"],
    "lhcb_velo": ["--input", "--sequence"],
    "lhcb_velo_ut": ["--input", "--geometry", "--truth", "--kalman-parameters", "--field-map", "--sequence"],
    "bench_p2r": ["--input"],
    "bench_p2z": ["--input"],
}
FILE_TYPES = ("FILE", "DIR", "PREFIX")
# Values that no number option accepts, and values that some accept. None of them makes a run long.
NO_NUMBERS = ["nan", "-nan", "inf", "-inf", "1e400", "", "many", "1e", "0x10", "1,5", "--", "18446744073709551616"]
NUMBERS = ["0", "1", "2", "3", "-1", "0.5", "1e-12", "-0.0", "1e-400", "4294967297", "1e300"]
WORDS = ["all", "default", "float", "double", "serial", "openmp", "none", "", "nan", "\xe9", "x" * 5000, "%s%n", "-"]
VELO_EVENT = {"description": "test", "module_prefix_sum": [0] * 11 + [1, 1, 2, 2] + [3] * 38,
              "x": [-8.0, -10.0, -12.0], "y": [4.0, 5.0, 6.0], "z": [-62.5, -37.5, -12.5]}


class Program:
    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.name = Path(path).name
        self.tiny = TINY[self.name]
        self.inputs = INPUTS.get(self.name, [])
        self.options = self.options_of_help()

    def options_of_help(self):
        """The options with their types, "" for flags."""
        text = subprocess.run([self.path, "--help"], capture_output=True, text=True, check=True).stdout
        options = {}
        for line in text.split("Examples:")[0].splitlines():
            match = re.match(r"  (-[-\w,]+)(?: ([^ ]+(?: [A-Z](?= |$))*))?(?:$|  | \.\.\.| Excl)", line)
            if match and match[1] not in ("-h,--help", "--version"):
                options[match[1].split(",")[-1]] = (match[2] or "").split("=")[0]
        return options

    def outputs(self):
        return [name for name, kind in self.options.items() if kind.startswith(FILE_TYPES) and name not in self.inputs]

    def numbers(self):
        words = FILE_TYPES + ("NAME", "TYPE", "YEAR", "LIST", "WHAT", "W")
        return [name for name, kind in self.options.items() if kind and not kind.startswith(words)]


class Abuse:
    def __init__(self, programs, folder, limit):
        self.programs = programs
        self.folder = folder
        self.bytes = limit  # of address space; 0: none
        self.failures = 0
        self.runs = 0
        self.valid = self.valid_inputs()

    def run(self, program, arguments, expected=None, stdout=subprocess.PIPE, as_nobody=False):
        """Runs a program, perhaps as a user who may read and write little, and checks how it ends."""
        def limit():
            if as_nobody and os.geteuid() == 0:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            if self.bytes:
                resource.setrlimit(resource.RLIMIT_AS, (self.bytes, self.bytes))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        command = [program.path, *arguments]
        work = self.folder / "work"
        work.mkdir(exist_ok=True)
        self.runs += 1
        try:
            result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, cwd=work,
                                    timeout=SECONDS, preexec_fn=limit, env=os.environ | {"OMP_WAIT_POLICY": "passive"})
        except subprocess.TimeoutExpired:
            return self.fail(command, f"runs longer than {SECONDS} s")
        except ValueError:  # no argument of a process holds a zero
            return None
        except PermissionError:  # of a program in a folder of root's own
            if not as_nobody:
                raise
            return None
        out, err = ((text or b"").decode(errors="replace") for text in (result.stdout, result.stderr))
        if result.returncode < 0:
            self.fail(command, f"ended by signal {-result.returncode}: {err[-300:]}")
        elif result.returncode > 3:
            self.fail(command, f"exit status {result.returncode}: {err[-300:]}")
        elif result.returncode and not err.startswith(program.name + ": "):
            self.fail(command, f"exit status {result.returncode} without a message: {err[:300]}")
        elif expected is not None and result.returncode not in expected:
            self.fail(command, f"exit status {result.returncode}, not {expected}: {err[-300:]}")
        elif result.returncode == 0 and (number := re.search(r"(?<![\w.])[-+]?(nan|inf)(?![\w.])", out, re.I)):
            self.fail(command, "prints " + repr(out[max(0, number.start() - 60):number.end() + 20]))
        return result

    def fail(self, command, problem):
        self.failures += 1
        words = [repr(word) if not re.fullmatch(r"[-\w./:,=]+", word) else word for word in command]
        print(f"FAILED {' '.join(words)[:400]}\n    {problem}", flush=True)

    def valid_inputs(self):
        """Files and folders that are read well, by program."""
        made = self.folder / "made"
        made.mkdir()
        (made / "velo.json").write_text(json.dumps(VELO_EVENT))
        makers = {"beamline": ["--write-input", made / "beam"],
                  "coulomb": ["--checkpoint", made / "check.json", "--output", made / "tally"],
                  "cylinder_tracker": ["--write-input", made / "toy.bin"],
                  "forecast": ["--write-application", made / "application.json", "--write-devices", made / "devices.json"],
                  "lhcb_velo": ["--write-input", made / "velo"],
                  "lhcb_velo_ut": ["--write-input", made / "raw"]}
        for program in self.programs:
            if program.name in makers:
                self.run(program, [*program.tiny, *map(str, makers[program.name])], (0,))
            if "--sequence" in program.inputs:
                listing = self.run(program, ["--list-algorithms"], (0,))
                if listing and listing.stdout:
                    text = listing.stdout.decode()
                    (made / f"{program.name}_sequence.json").write_text(text[text.find("{"):])
        return sorted(made.rglob("*"))

    def fixed_cases(self):
        """Each wrong value of each number, each output that cannot be written, each file that cannot be read."""
        missing, is_file = str(self.folder / "no" / "a"), str(self.folder / "file")
        Path(is_file).write_text("")
        self.folder.chmod(0o755)
        unreadable = self.folder / "unreadable"
        unreadable.write_text("{}")
        unreadable.chmod(0)
        for program in self.programs:
            for name in program.numbers():
                for value in ("nan", "inf", "1e400", "many"):
                    values = [value] * len(program.options[name].split(" "))
                    tiny = without(program.tiny, name)
                    self.run(program, [*tiny, name, *values], (2,))
            for name in program.outputs():
                kind = program.options[name]
                paths = [is_file + "/a"]  # new folders are made with those above them, and a prefix may name a folder
                paths += [missing] if kind != "DIR" else []
                paths += [str(self.folder)] if kind != "PREFIX" else []
                for path in paths:
                    # A folder that is there is wrong usage where a new one is to be named.
                    self.run(program, [*program.tiny, name, path], (1, 2) if path == str(self.folder) else (1,))
            for name in program.inputs:
                for path in (missing, "/dev/zero"):
                    self.run(program, [*without_source(program), name, path], (2, 3))
                own = self.folder / "own.json"
                own.write_text("{}")
                self.run(program, [*without_source(program), name, str(own), "--json", str(own)], (2,))
                if own.read_text() != "{}":
                    self.fail([program.path, name, own.name], "the input was replaced by an output")
            for name in program.inputs:
                self.run(program, [*without_source(program), name, str(unreadable)], (2, 3), as_nobody=True)
            self.run(program, [*program.tiny, "--json", "/etc/trackplex.json"], (1,), as_nobody=True)
            self.run(program, [*program.tiny, "--json", str(unreadable)], (1,), as_nobody=True)
            with open("/dev/full", "w") as full:
                self.run(program, program.tiny, (1,), stdout=full)
                self.run(program, ["--help"], (1,), stdout=full)
            if "--threads" in program.options:
                self.run(program, [*program.tiny, "--threads", "600"], (2,))
            self.run(program, ["--json", "/dev/full", *program.tiny], (1,))
            self.run(program, ["--json", "/dev/stdout", *program.tiny], (0,))
            if os.path.exists("/dev/full.part") or not Path("/dev/full").is_char_device():
                self.fail([program.path], "/dev/full was replaced")

    def damaged(self, choose):
        """A file or folder that is damaged, or a good one."""
        source = choose.choice(self.valid)
        target = self.folder / f"damaged_{source.name}"
        shutil.rmtree(target, ignore_errors=True)
        target.unlink(missing_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
            files = [file for file in sorted(target.rglob("*")) if file.is_file()]
        elif source.exists():
            shutil.copy(source, target)
            files = [target]
        else:
            files = []
        for file in choose.sample(files, min(len(files), choose.randint(0, 2))):
            damage(file, choose)
        return str(target)

    def random_case(self, choose):
        program = choose.choice(self.programs)
        arguments = list(program.tiny)
        if program.inputs and choose.random() < 0.4:
            name = choose.choice(program.inputs)
            arguments = without_source(program) + [name] + [self.damaged(choose)]
        for _ in range(choose.randint(1, 3)):
            kind = choose.random()
            if kind < 0.35 and program.numbers():
                name = choose.choice(program.numbers())
                # A large count is a long run, not a wrong one.
                values = [choose.choice(NO_NUMBERS + NUMBERS) for _ in program.options[name].split(" ")]
                if name in ("--histories", "--turns") and values[0] in ("4294967297", "1e300"):
                    continue
                arguments = without(arguments, name) + [name, *values]
            elif kind < 0.6 and program.inputs:
                name = choose.choice(program.inputs)
                file = choose.choice([self.damaged(choose), "/dev/zero", "/dev/null", "/", "", str(self.folder / "none")]
                                     + [str(path) for path in self.valid])
                arguments += [name, file]
            elif kind < 0.75:
                name = choose.choice(program.outputs())
                arguments += [name, choose.choice(["/dev/full", "/dev/null", ".", "none/a.svg", "", "a.svg", "b.json",
                                                   "c.csv", "x" * 300])]
            elif kind < 0.9:
                name = choose.choice(list(program.options))
                arguments += [name] + ([choose.choice(WORDS)] if program.options[name] else [])
            else:
                arguments.insert(choose.randint(0, len(arguments)), choose.choice([*WORDS, "--nonsense", "-h", "stray"]))
        full = choose.random() < 0.05
        with open("/dev/full", "w") as stream:
            self.run(program, arguments, stdout=stream if full else subprocess.PIPE)

    def check_leftovers(self):
        left = [str(file) for file in self.folder.rglob("*.part")]
        if left:
            self.fail(left, "files left behind")


def without(arguments, name):
    """The arguments without an option and its values."""
    if name not in arguments:
        return list(arguments)
    at = arguments.index(name)
    end = at + 1
    while end < len(arguments) and not arguments[end].startswith("--"):
        end += 1
    return arguments[:at] + arguments[end:]


def without_source(program):
    """The arguments of a tiny run without what says where its input comes from."""
    source = {"forecast": "--published"}.get(program.name, "--generate")
    return without(program.tiny, source)


def damage(file, choose):
    data = bytearray(file.read_bytes())
    kind = choose.randint(0, 6)
    if kind == 0:
        data = data[:choose.randint(0, len(data))]
    elif kind in (1, 2) and data:
        for _ in range(choose.randint(1, 8)):
            data[choose.randrange(len(data))] ^= 1 << choose.randrange(8)
    elif kind == 3:
        data = bytearray(choose.randbytes(choose.randint(0, 4000)))
    elif kind == 4:
        data = bytearray(b"[" * 100000)
    elif kind == 5:  # a number that is none, or too large
        numbers = list(re.finditer(rb"-?\d+(\.\d+)?", bytes(data)))
        if numbers:
            number = choose.choice(numbers)
            data[number.start():number.end()] = choose.choice([b"1e400", b"nan", b"-1", b"0", b"99999999999999999999", b'"x"'])
    else:
        data = bytearray()
    file.write_bytes(data)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", type=int, default=6, metavar="GIB",
                        help="address space of a program; 0: unlimited (default: 6, of which OpenMP and Kokkos take some)")
    parser.add_argument("programs", nargs="+", metavar="PROGRAM")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        abuse = Abuse([Program(path) for path in arguments.programs], Path(folder), arguments.memory << 30)
        abuse.fixed_cases()
        for case in range(arguments.cases):
            abuse.random_case(random.Random(f"{arguments.seed} {case}"))
        abuse.check_leftovers()
    print(f"{abuse.runs} runs, {abuse.failures} failed")
    sys.exit(1 if abuse.failures else 0)


if __name__ == "__main__":
    main()
