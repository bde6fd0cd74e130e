# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program with all combinations of values of some of its options, and collects numbers of its reports."""

import csv
import itertools
import math
from pathlib import Path

from . import BenchError, measure, scaling


def split(text, option):
    """Name and value of NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise BenchError(2, f"{option} {text}: give NAME=VALUE")
    return name, value


def number_at(report, path):
    """The number at a path of keys, and that of the key with _error; None where it is null or there is none."""
    *keys, last = path.split("/")
    place = report
    for key in keys:
        place = place.get(key) if isinstance(place, dict) else None
    if not isinstance(place, dict) or last not in place:
        raise BenchError(3, f"the report has no {path}" + (f" (there: {', '.join(place)})" if isinstance(place, dict) else ""))
    if place[last] is not None and (isinstance(place[last], bool) or not isinstance(place[last], (int, float))):
        raise BenchError(3, f"{path} is not a number in the report")
    return place[last], place.get(f"{last}_error")


def point(reports, path):
    """Median and quartiles of the runs, or of a single one its number and the error that the report has."""
    numbers, errors = zip(*(number_at(report, path) for report in reports))
    if None in numbers:
        return None
    if len(numbers) == 1 and isinstance(errors[0], (int, float)):
        return {"median": numbers[0], "lower_quartile": numbers[0] - errors[0], "upper_quartile": numbers[0] + errors[0]}
    return scaling.quartiles(list(numbers))


def read_beside(file, options, names):
    """The rows of a table, as numbers by the values of the options."""
    if not file:
        return {}
    try:
        with open(file, newline="") as lines:
            rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
        return {tuple(row[option] for option in options): {name: float(row[name]) for name in names} for row in rows}
    except OSError as error:
        raise BenchError(3, f"cannot read {file} ({error.strerror})") from None
    except (KeyError, TypeError, ValueError) as error:
        raise BenchError(3, f"{file} has no table of numbers with the columns {', '.join([*options, *names])} ({error})") from None


def scan(program, arguments, over, values, rounds, beside):
    """`over`: lists of values by option; `values`: paths in the report by name. Round by round, so that a machine that changes
    its speed is one for all points."""
    points = list(itertools.product(*over.values()))
    published = read_beside(beside, list(over), list(values))
    reports = {at: [] for at in points}
    for _ in range(rounds):
        for at in points:
            options = [word for name, value in zip(over, at) for word in (f"--{name}", value)]
            reports[at].append(scaling.report_of([program], [*arguments, *options]))
    rows = [{"options": dict(zip(over, at)), "values": {name: point(reports[at], path) for name, path in values.items()},
             "beside": published.get(at)} for at in points]
    world = measure.world_of(reports[points[0]][0])
    return {**world, "program": Path(program).name, "command": [Path(program).name, *arguments], "rounds": rounds, "points": rows,
            "plots": plots(over, list(values), rows)}


def is_number(text):
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def plots(over, names, rows):
    """A panel for each value, against the last option of numbers; a line for each combination of the others."""
    numeric = [option for option, values in over.items() if all(map(is_number, values))]
    if not numeric:
        return []
    x = numeric[-1]
    xs = [float(value) for value in over[x]]
    panels = [{"title": name, "x": {"label": x, "log": min(xs) > 0. and max(xs) >= 10. * min(xs)}, "y": {"label": name},
               "series": series(x, name, rows)} for name in names]
    return [{"name": "scan", "title": f"{', '.join(names)} against {', '.join(over)}", "columns": min(3, len(panels)), "panels": panels}]


def series(x, name, rows):
    """Lines, and open points for the numbers beside them."""
    lines, beside = {}, {}
    for row in rows:
        others = ", ".join(f"{option} {value}" for option, value in row["options"].items() if option != x)
        at, number = float(row["options"][x]), row["values"][name]
        color = lines.setdefault(others, {"label": others, "style": "line", "color": len(lines), "x": [], "y": [], "error": []})["color"]
        if number:
            lines[others]["x"].append(at)
            lines[others]["y"].append(number["median"])
            lines[others]["error"].append([number["median"] - number["lower_quartile"], number["upper_quartile"] - number["median"]])
        if row["beside"]:
            points = beside.setdefault(others, {"label": "", "style": "points", "color": color, "x": [], "y": [], "open": []})
            points["x"].append(at)
            points["y"].append(row["beside"][name])
            points["open"].append(True)
    return [*lines.values(), *beside.values()]


def cell(number):
    if number is None:
        return "-"
    if number["lower_quartile"] == number["upper_quartile"]:
        return f"{number['median']:.5g}"
    return scaling.with_quartiles("{:.5g}".format, number)


def table(measured):
    """Markdown: the values of each point, and those beside them."""
    rows = measured["points"]
    names = list(rows[0]["values"])
    has_beside = any(row["beside"] for row in rows)
    header = [*rows[0]["options"], *names, *(f"{name}, beside" for name in names if has_beside)]
    yield f"| {' | '.join(header)} |"
    yield "|---" * len(header) + "|"
    for row in rows:
        beside = row["beside"] or {}
        cells = [*row["options"].values(), *map(cell, row["values"].values()),
                 *(f"{beside[name]:.5g}" if name in beside else "" for name in names if has_beside)]
        yield f"| {' | '.join(cells)} |"
