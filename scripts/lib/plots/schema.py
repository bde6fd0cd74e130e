# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that plots follow the schema of docs/guide/reports.md."""

from numbers import Real

# Style -> lists that a series of it must have, and those that it may have.
STYLES = {
    "points": (("x", "y"), ("error", "names", "open")),
    "line": (("x", "y"), ("error", )),
    "steps": (("edges", "y"), ("error", )),
    "dots": (("x", "y"), ()),
    "polylines": (("x", "y"), ()),
    "circles": (("r", ), ()),
    "segments": (("x", "y"), ()),
    "spans": (("lane", "name", "begin", "end"), ("number", )),
}
NESTED = ("polylines", "segments")  # x and y are lists of lists
WORDS = ("names", "name")
COMPLETE = ("edges", "r", "name", "begin", "end")  # lists without null
LATTICE_KEYS = ("kind", "begin", "end")


class SchemaError(ValueError):
    """A plot that cannot be drawn, and the place in the report that is to blame."""

    def __init__(self, place, problem):
        super().__init__(f"{place}: {problem}")


def is_number(value):
    return isinstance(value, Real) and not isinstance(value, bool)


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_error(value):
    return value is None or is_number(value) and value >= 0.


def is_number_or_null(value):
    return value is None or is_number(value)


def expect(condition, place, problem):
    if not condition:
        raise SchemaError(place, problem)


def expect_numbers(values, place):
    expect(isinstance(values, list), place, "is not a list")
    for i, value in enumerate(values):
        expect(is_number_or_null(value), f"{place}[{i}]", f"{value!r} is not a number")


def expect_length(values, count, place, of):
    expect(len(values) == count, place, f"has {len(values)} entries, {count} belong to {of}")


def expect_text(owner, key, place):
    expect(owner.get(key) is None or isinstance(owner[key], str), f"{place}.{key}", f"{owner.get(key)!r} is not a text")


def check_axis(axis, place):
    expect(isinstance(axis, dict), place, "is not an object")
    expect_text(axis, "label", place)
    if (limits := axis.get("range")) is not None:
        expect_numbers(limits, f"{place}.range")
        expect_length(limits, 2, f"{place}.range", "[low, high]")
        expect(not axis.get("log") or all(limit is None or limit > 0. for limit in limits), f"{place}.range",
               "has a limit that is not above 0 on a logarithmic axis")
    expect(isinstance(axis.get("names", []), list), f"{place}.names", "is not a list")


def check_error(error, count, place):
    expect(isinstance(error, list), place, "is not a list")
    expect_length(error, count, place, "y")
    for i, value in enumerate(error):
        pair = isinstance(value, list) and len(value) == 2 and all(map(is_error, value))
        expect(pair or is_error(value), f"{place}[{i}]", f"{value!r} is neither a number, 0 or more, nor [below, above]")


def check_entries(values, key, place):
    """Numbers or words; null where something may be missing."""
    for i, value in enumerate(values):
        if value is None:
            expect(key not in COMPLETE, f"{place}[{i}]", "is null")
        elif key in WORDS:
            expect(isinstance(value, str), f"{place}[{i}]", f"{value!r} is not a text")
        elif key == "open":
            expect(isinstance(value, bool), f"{place}[{i}]", f"{value!r} is neither true nor false")
        else:
            expect(is_number(value), f"{place}[{i}]", f"{value!r} is not a number")


def check_nested(series, place):
    expect_length(series["x"], len(series["y"]), f"{place}.x", "y")
    for i, (x, y) in enumerate(zip(series["x"], series["y"])):
        expect_numbers(x, f"{place}.x[{i}]")
        expect_numbers(y, f"{place}.y[{i}]")
        count = 2 if series["style"] == "segments" else len(y)
        expect_length(x, count, f"{place}.x[{i}]", "[from, to]" if count == 2 else "y")
        expect_length(y, count, f"{place}.y[{i}]", "[from, to]" if count == 2 else "x")


def check_series(series, place):
    expect(isinstance(series, dict), place, "is not an object")
    style = series.get("style")
    expect(isinstance(style, str) and style in STYLES, place, f"unknown style {style!r} (known: {', '.join(STYLES)})")
    required, optional = STYLES[style]
    for key in required:
        expect(isinstance(series.get(key), list), place, f'style {style} needs the list "{key}"')
    expect_text(series, "label", place)
    expect(is_whole(series.get("color", 0)) and series.get("color", 0) >= 0, f"{place}.color", "is not 0, 1, ...")
    if style in NESTED:
        check_nested(series, place)
        return
    last = required[-1]
    count = len(series[last])
    for key in (*required, *(key for key in optional if series.get(key) is not None)):
        if key == "error":
            check_error(series["error"], count, f"{place}.error")
            continue
        expect(isinstance(series[key], list), f"{place}.{key}", "is not a list")
        if key == "edges":
            expect_length(series[key], count + 1, f"{place}.{key}", f"{count} steps")
        else:
            expect_length(series[key], count, f"{place}.{key}", last)
        if key != "lane":  # which check_lanes does
            check_entries(series[key], key, f"{place}.{key}")


def check_ratio(ratio, all_series, place):
    expect(isinstance(ratio, dict), place, "is not an object")
    chosen = []
    for key in ("of", "to"):
        found = [series for series in all_series if series.get("label") == ratio.get(key)]
        expect(found, place, f'"{key}" is {ratio.get(key)!r}, which is no label of a series')
        expect(found[0]["style"] in ("points", "line", "steps"), place, f"{ratio[key]!r} has the style {found[0]['style']}")
        chosen.append(found[0])
    places = [series.get("edges", series.get("x")) for series in chosen]
    expect(places[0] == places[1], place, f"{ratio['of']!r} and {ratio['to']!r} have different x or edges")


def check_lanes(panel, place):
    """Spans are in lanes that have a name."""
    names = panel.get("y", {}).get("names") or []
    for i, series in enumerate(panel["series"]):
        for k, lane in enumerate(series["lane"] if series["style"] == "spans" else []):
            known = lane in names or not names if isinstance(lane, str) else is_whole(lane) and 0 <= lane < len(names)
            expect(known, f"{place}.series[{i}].lane[{k}]", f"{lane!r} is neither one of the axis' names nor the number of one")


def check_lattice(elements, place):
    expect(isinstance(elements, list), place, "is not a list")
    for i, element in enumerate(elements):
        for key in LATTICE_KEYS:
            expect(isinstance(element, dict) and key in element, f"{place}[{i}]", f'has no "{key}"')
        expect(isinstance(element["kind"], str), f"{place}[{i}].kind", f"{element['kind']!r} is not a text")
        for key in ("begin", "end"):
            expect(is_number(element[key]), f"{place}[{i}].{key}", f"{element[key]!r} is not a number")
        expect(is_number_or_null(element.get("strength")), f"{place}[{i}].strength", "is not a number")


def check_panel(panel, place):
    expect(isinstance(panel, dict), place, "is not an object")
    expect_text(panel, "title", place)
    for line in lines_of(panel):
        expect(isinstance(line, str), f"{place}.text", f"{line!r} is not a text")
    for key in ("x", "y"):
        check_axis(panel.get(key, {}), f"{place}.{key}")
    expect(isinstance(panel.get("series"), list), place, 'needs the list "series"')
    for i, series in enumerate(panel["series"]):
        check_series(series, f"{place}.series[{i}]")
    check_lanes(panel, place)
    check_lattice(panel.get("lattice") or [], f"{place}.lattice")
    for ratio in ratios_of(panel):
        check_ratio(ratio, panel["series"], f"{place}.ratio")


def check_plot(plot, place):
    """Raises SchemaError, which names the place, if the plot does not follow the schema."""
    expect(isinstance(plot, dict), place, "is not an object")
    expect_text(plot, "title", place)
    name = plot.get("name")
    expect(isinstance(name, str) and name and "/" not in name, place, 'needs a "name", which becomes a part of a file\'s name')
    columns = plot.get("columns", 1)
    expect(is_whole(columns) and columns > 0, f"{place}.columns", "is not 1, 2, ...")
    expect(isinstance(plot.get("panels"), list) and plot["panels"], place, 'needs "panels", a list of at least one')
    for i, panel in enumerate(plot["panels"]):
        check_panel(panel, f"{place}.panels[{i}]")


def lines_of(panel):
    """Of the text in a corner."""
    text = panel.get("text") or []
    return text if isinstance(text, list) else [text]


def ratios_of(panel):
    """The ratios of a panel: one, or, where series of several reports were put together, one for each report."""
    ratio = panel.get("ratio") or []
    return ratio if isinstance(ratio, list) else [ratio]
