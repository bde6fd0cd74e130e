# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs benchmarks, and makes records of what they write: Trackplex' reports, or the JSON of Google Benchmark."""

import datetime
import hashlib
import json
import os
import platform
import re
import statistics
import subprocess
import tempfile
from pathlib import Path

from reports import runs_of, work_of

from . import BenchError, records

MAX_LOAD = 0.5  # of a core
GOOGLE_REPETITIONS = 5
MICROSECONDS = {"ns": 1e-3, "us": 1., "ms": 1e3, "s": 1e6}
BACKENDS = ("serial", "openmp", "threads", "cuda", "hip", "sycl")
ROOT = Path(__file__).resolve().parents[3]


def load_now():
    """Programs that run or wait, averaged over a minute; None where that is not known."""
    try:
        return os.getloadavg()[0]
    except OSError:
        return None


def check_load(busy):
    """None, or a warning: other programs spoil times. Raises BenchError unless that is accepted."""
    load = load_now()
    if load is None or load <= MAX_LOAD * (os.cpu_count() or 1):
        return None
    problem = f"the load is {load:.1f} on {os.cpu_count()} cores: times would be those of a busy machine"
    if not busy:
        raise BenchError(1, f"{problem} (wait until it is below {MAX_LOAD} for each core, or give --busy)")
    return problem


def cpu_name():
    try:
        found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    except OSError:
        found = None
    return found[1] if found else platform.processor() or platform.machine()


def revision():
    """Of the working tree; None without git."""
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def run_program(program, *arguments):
    try:
        return subprocess.run([str(program), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              errors="replace")
    except OSError as error:
        raise BenchError(2, f"cannot run {program} ({error.strerror})") from None


def kind_of(program):
    """"trackplex" or "google", by the options that its help lists."""
    text = run_program(program, "--help")
    text = text.stdout + text.stderr
    if "--benchmark_out" in text:
        return "google"
    if "--json" in text:
        return "trackplex"
    raise BenchError(2, f"{program} is no benchmark: its --help has neither --json nor --benchmark_out")


def has_option(arguments, name):
    return any(argument == name or argument.startswith(name + "=") for argument in arguments)


def options(kind, arguments, repeat, file):
    """The arguments with those that make the program write its times to the file."""
    own = "--json" if kind == "trackplex" else "--benchmark_out"
    if has_option(arguments, own):
        raise BenchError(2, f"leave {own} out: scripts/bench reads what the program writes")
    if kind == "trackplex":
        return [*arguments, *(["--repeat", str(repeat)] if repeat else []), "--json", str(file)]
    if repeat or not has_option(arguments, "--benchmark_repetitions"):
        arguments = [*arguments, f"--benchmark_repetitions={repeat or GOOGLE_REPETITIONS}"]
    return [*arguments, f"--benchmark_out={file}", "--benchmark_out_format=json"]


def measure(program, arguments, repeat=None, label=None):
    """Runs the program; its records."""
    kind, load = kind_of(program), load_now()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "times.json")
        result = run_program(program, *options(kind, arguments, repeat, file))
        if result.returncode != 0:
            raise BenchError(1, f"{program} failed with status {result.returncode}\n{result.stderr.strip()}")
        try:
            content = json.loads(file.read_text())
            works = list(works_of_report(content, repeat) if kind == "trackplex" else works_of_google(content))
            world = world_of(content if kind == "trackplex" else content["context"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise BenchError(1, f"{program} wrote no times that can be read ({type(error).__name__}: {error})") from None
    if not works:
        raise BenchError(1, f"{program} measured nothing: no run has time_us and time_spread_us")
    world["load"] = load if world["load"] is None else world["load"]
    common = {"schema": records.SCHEMA, "schema_version": records.VERSION, **world, "label": label,
              "program": content.get("program") or Path(program).name, "command": [Path(program).name, *arguments], "unit": "us"}
    return [{**common, **work} for work in works]


def world_of(content):
    """When, where and of what; what the program does not say is found out here."""
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    load = content.get("load", (content.get("load_avg") or [None])[0])
    return {"date": content.get("date") or now, "host": content.get("host") or content.get("host_name") or platform.node(),
            "cpu": content.get("cpu") or cpu_name(), "load": load, "git": content.get("git") or revision(),
            "compiler": content.get("compiler")}


def digest(value):
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]


def works_of_report(report, repeat):
    """A work for each step of each run."""
    seen = set()
    for run in runs_of(report):
        fixed = {key: run.get(key) for key in ("backend", "precision", "lanes", "threads")}
        found = run.get("hash") or (run.get("results") or {}).get("hash")
        name = unique(work_of(run), tuple(fixed.values()), seen)
        for step, median in run["time_us"].items():
            spread = run["time_spread_us"][step]
            if not median:  # a step that did not run
                continue
            yield {"work": f"{name}: {step}" if name else step, "input": digest(report.get("input")), **fixed, "median": median,
                   **{key: spread[key] for key in ("lower_quartile", "upper_quartile", "min", "max")}, "n": report.get("repeat") or repeat,
                   "hash": found if isinstance(found, str) or found is None else digest(found)}


def unique(name, fixed, seen):
    """Runs that say the same of themselves are numbered."""
    number, result = 1, name
    while (result, fixed) in seen:
        number += 1
        result = f"{name} #{number}".strip()
    seen.add((result, fixed))
    return result


def works_of_google(content):
    """A work for each name, from all its repetitions."""
    times = {}
    for entry in content["benchmarks"]:
        if entry.get("error_occurred"):
            raise ValueError(f"{entry['name']}: {entry.get('error_message')}")
        if entry.get("run_type", "iteration") == "iteration":
            name = entry.get("run_name", entry["name"])
            times.setdefault(name, []).append(entry["real_time"] * MICROSECONDS[entry.get("time_unit", "ns")])
    for name, values in times.items():
        lower, median, upper = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
        yield {**parts_of(name, content["context"]), "input": None, "median": median, "lower_quartile": lower,
               "upper_quartile": upper, "min": min(values), "max": max(values), "n": len(values), "hash": None}


def parts_of(name, context):
    """Backend, precision, lanes and threads from the parts of a name such as kalman/Serial/lanes:8/fit/real_time."""
    found = {"backend": None, "precision": None, "lanes": None, "threads": None}
    words = []
    for part in name.split("/"):
        key, _, value = part.partition(":")
        if part.lower() in BACKENDS:
            found["backend"] = part.lower()
        elif part in ("float", "double"):
            found["precision"] = part
        elif key in ("lanes", "threads") and value.isdigit():
            found[key] = int(value)
        elif part not in ("real_time", "process_time"):
            words.append(part)
    if found["threads"] is None:
        found["threads"] = 1 if found["backend"] == "serial" else int(context.get("threads") or 1)
    return {"work": "/".join(words), **found}


def benchmarks_of(build):
    """The benchmarks of a build folder."""
    programs = sorted(file for file in (Path(build) / "bin").glob("bench_*") if os.access(file, os.X_OK) and file.is_file())
    if not programs:
        raise BenchError(2, f"{build} has no bin/bench_* (build it with scripts/build, or name another with --build)")
    return programs
