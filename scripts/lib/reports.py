# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The runs of reports, which docs/guide/reports.md describes."""


def runs_of(report):
    """The runs with times; of a report without a list of them the one that it describes."""
    runs = report.get("runs") or [report]
    return [run for run in runs if isinstance(run, dict) and run.get("time_us") and run.get("time_spread_us")]


def work_of(run):
    """What the run did, where a program measures several things: a text, maybe empty."""
    results = run.get("results") or {}
    return run.get("work") or ", ".join(str(results[key]) for key in ("study", "case") if results.get(key))


def count(number, unit):
    return f"{number} {unit}{'s' * (number != 1)}"
