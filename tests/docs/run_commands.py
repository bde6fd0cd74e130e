#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands in the documentation, blocks of ```sh, and lists those that it cannot run, each with its reason.

The commands of a page run in a folder of their own that looks like the project, with build/openmp as the given build folder; two
pages at a time, with a thread each.
"""

import argparse
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Patterns of commands that are not run here, and why.
NOT_RUN = {
    r"^(scripts/(demo|test|setup|build|gpu_report|matrix|fresh_machine|check_warnings)|\.ci/run)|_ROOT=\S+ scripts/build": "builds Trackplex",
    r"^(cmake|apt-get)": "configures, builds or installs; see the tests install.*",
    r"^scripts/(compile_times|include_cost|format|mutate|plot)( FILE)?$": "names a tool of developers; see the tests tools.*",
    r"^(build/cuda|nvidia-smi|compute-sanitizer)": "needs a GPU",
    r"^scripts/show_event": "needs npm or a browser; see the test tools.show_event",
    r"^mpirun": "needs MPI; see the tests <program>.ranks",
    r"KOKKOS_TOOLS_LIBS|kp_reader": "needs Kokkos Tools",
    r"scripts/bench": "needs an idle machine; see the test tools.bench",
    r"bench_|^\$B |(lanes|scan)\.json": "takes minutes",
    r"events\.mdf|(ring|par)\.(lte|seq)|linac\.lte|serial\.json|event\d{9}|hits\.csv\.gz|modules\.csv": "names files of the reader's",
}


def commands(text):
    """The commands of a page: lines without comments, continued lines joined."""
    for block in BLOCK.findall(text):
        for line in block.replace("\\\n", " ").splitlines():
            line = re.sub(r"(^|\s+)#.*", "", line).strip()
            if line:
                yield line


def reason_not_to_run(command, data):
    for pattern, reason in NOT_RUN.items():
        if re.search(pattern, command):
            return reason
    if re.search(r"(minibias|lhcb-(raw|scifi))/", command) and not data:
        return "needs the data folder (TRACKPLEX_DATA)"
    if "scripts/plot" in command and not python_with_matplotlib():
        return "needs matplotlib"
    return None


@functools.cache
def python_with_matplotlib():
    for python in ("python3", "/usr/bin/python3"):
        if shutil.which(python) and not subprocess.run([python, "-c", "import matplotlib"], capture_output=True).returncode:
            return shutil.which(python)
    return None


def make_project(folder, source, build, data):
    """A folder in which commands find what they name."""
    for entry in source.iterdir():
        if entry.name not in ("build", ".git"):
            (folder / entry.name).symlink_to(entry)
    (folder / "build").mkdir()
    (folder / "build" / "openmp").symlink_to(build)
    (folder / "tools").mkdir()
    if python_with_matplotlib():
        (folder / "tools" / "python3").symlink_to(python_with_matplotlib())
    if data:
        (folder / "minibias").symlink_to(data / "lhcb-velo-json" / "minibias")
        for name in ("lhcb-raw", "lhcb-scifi"):
            (folder / name).symlink_to(data / name)


def run(page, lines, source, build, data):
    """Runs the commands of a page in one shell; returns an error or nothing."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_project(folder, source, build, data)
        script = "set -e\ntrap 'echo \"failed: $BASH_COMMAND\" >&2' ERR\n" + "\n".join(lines)
        environment = {**os.environ, "PATH": f"{folder / 'tools'}:{build / 'bin'}:{os.environ['PATH']}", "OMP_NUM_THREADS": "1"}
        done = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, text=True, capture_output=True)
    return f"{page}: {done.stderr.strip() or done.stdout.strip()[-500:]}" if done.returncode else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("build", type=Path)
    parser.add_argument("pages", nargs="*", type=Path, help="only these")
    arguments = parser.parse_args()
    source = arguments.source.resolve()
    data = Path(os.environ.get("TRACKPLEX_DATA") or source.parent / "shared" / "data")
    data = data.resolve() if data.exists() else None
    pages = arguments.pages or sorted([*source.glob("*.md"), *source.glob("docs/**/*.md"), *source.glob("examples/*.md")])
    to_run = []
    for page in pages:
        lines = []
        for command in commands(page.read_text()):
            if reason := reason_not_to_run(command, data):
                print(f"not run: {page.name}: {command} ({reason})")
            else:
                lines.append(command)
        if lines:
            to_run.append((page.name, lines))
    run_page = functools.partial(run, source=source, build=arguments.build.resolve(), data=data)
    with ThreadPoolExecutor(2) as pool:
        failed = [error for error in pool.map(lambda page: run_page(*page), to_run) if error]
    n_run = sum(len(lines) for _, lines in to_run)
    print(*failed, sep="\n")
    print(f"{n_run} commands run on {len(pages)} pages, {len(failed)} pages failed")
    return 1 if failed or n_run == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
