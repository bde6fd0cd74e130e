# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures a program on several numbers of ranks, in turn, so that a machine that changes its speed is one for all of them."""

import json
import os
import shlex
import statistics
import tempfile
from pathlib import Path

from reports import runs_of

from . import BenchError, markdown, measure

LAUNCHER = os.environ.get("TRACKPLEX_MPIEXEC") or "mpirun -n {ranks}"


def command(launcher, ranks, program):
    """The words of a command line; 0 ranks: without a launcher."""
    return [*(shlex.split(launcher.replace("{ranks}", str(ranks))) if ranks else []), program]


def report_of(words, arguments):
    """The report of a run."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "report.json")
        result = measure.run_program(*words, *measure.options("trackplex", arguments, None, file))
        if result.returncode != 0:
            raise BenchError(1, f"{' '.join(words)} failed with status {result.returncode}\n{result.stderr.strip()}")
        try:
            return json.loads(file.read_text())
        except (OSError, ValueError) as error:
            raise BenchError(1, f"{' '.join(words)} wrote no report that can be read ({error})") from None


def time_of(report, ranks):
    """Of the first run, in microseconds."""
    if report.get("ranks") != max(1, ranks):
        raise BenchError(1, f"the program ran on {report.get('ranks')} ranks instead of {max(1, ranks)} (is it built with the MPI of "
                         "this launcher?)")
    times = next((run["time_us"] for run in runs_of(report)), {})
    if not times.get("total"):
        raise BenchError(1, "the program measured no time in total")
    return times["total"]


def quartiles(values):
    lower, median, upper = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    return {"median": median, "lower_quartile": lower, "upper_quartile": upper}


def measure_ranks(program, arguments, numbers, rounds, launcher=LAUNCHER):
    """Times of each number of ranks, 0 (without a launcher) first, and what they gain over that, round by round."""
    numbers = [0, *numbers]
    times, hashes = {ranks: [] for ranks in numbers}, set()
    for _ in range(rounds):
        for ranks in numbers:
            report = report_of(command(launcher, ranks, program), arguments)
            times[ranks].append(time_of(report, ranks))
            hashes.add(json.dumps([run.get("hash") for run in runs_of(report)]))
    rows = [{"ranks": ranks, "time_us": {**quartiles(of_ranks), "all": of_ranks},
             "speed_up": quartiles([alone / time for alone, time in zip(times[0], of_ranks)])}
            for ranks, of_ranks in times.items()]
    return {**measure.world_of(report), "command": [Path(program).name, *arguments], "launcher": launcher, "rounds": rounds,
            "threads": report.get("threads"), "same_bits": len(hashes) == 1, "ranks": rows}


def with_quartiles(text, values):
    median, lower, upper = (text(values[key]) for key in ("median", "lower_quartile", "upper_quartile"))
    return f"{median} ({lower} to {upper})"


def table(measured):
    """Markdown: medians (quartiles) of all rounds."""
    yield "| ranks | time | speed-up | efficiency |"
    yield "|---|---|---|---|"
    for row in measured["ranks"]:
        ranks, speed_up = row["ranks"], row["speed_up"]
        cells = [str(ranks) if ranks else "no launcher", with_quartiles(markdown.time_text, row["time_us"]),
                 with_quartiles("{:.2f}".format, speed_up), f"{100 * speed_up['median'] / max(1, ranks):.0f} %"]
        yield f"| {' | '.join(cells)} |"
