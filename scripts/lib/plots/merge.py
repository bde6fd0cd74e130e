# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plots of the same name from several reports, put into one."""

import copy


def describe(source, keys):
    """The source by some of its keys: "openmp, 2 threads"."""
    words = []
    for key in keys:
        value = source.get(key)
        words.append(f"{value} {key if value != 1 else key[:-1]}" if key in ("threads", "lanes") else str(value))
    return ", ".join(words)


def descriptions(sources):
    """What tells the sources apart: program, backend, threads, lanes, precision as far as they differ, else their files."""
    keys = [key for key in ("program", "backend", "threads", "lanes", "precision")
            if len({str(source.get(key)) for source in sources}) > 1]
    words = [describe(source, keys) for source in sources]
    return words if len(set(words)) == len(words) else [source["file"] for source in sources]


def axes_of(plot):
    return [(panel.get("title"), panel.get("x", {}).get("label"), panel.get("y", {}).get("label")) for panel in plot["panels"]]


def match(plots):
    """Whether panels have the same titles and axes."""
    return all(axes_of(plot) == axes_of(plots[0]) for plot in plots)


def labelled(series, words, first_color):
    series = copy.copy(series)
    if series.get("label"):
        series["label"] = f"{series['label']} ({words})"
    elif not series.get("background"):
        series["label"] = words
    if "color" in series:
        series["color"] += first_color
    return series


def merged_ratios(panels, words):
    return [{key: f"{ratio[key]} ({word})" for key in ("of", "to")}
            for panel, word in zip(panels, words) if (ratio := panel.get("ratio"))]


def merged_panel(panels, words, colors):
    """The first panel with the series of all; a series that is the same in all is there once, as it is."""
    common = [series for series in panels[0]["series"] if all(series in panel["series"] for panel in panels)
              and (series.get("dashed") or series.get("background"))]
    own = [labelled(series, word, i * colors) for i, (panel, word) in enumerate(zip(panels, words))
           for series in panel["series"] if series not in common]
    panel = {**panels[0], "series": common + own, "ratio": merged_ratios(panels, words)}
    if any(other.get("text") != panel.get("text") for other in panels):
        panel.pop("text", None)
    return panel


def merged(plots, sources):
    """One plot of several that match."""
    words = descriptions(sources)
    colors = 1 + max((series["color"] for plot in plots for panel in plot["panels"] for series in panel["series"]
                      if "color" in series), default=-1)
    title = plots[0].get("title", "")
    if any(plot.get("title", "") != title for plot in plots):
        title = ""
    return {**plots[0], "title": title,
            "panels": [merged_panel(panels, words, colors) for panels in zip(*(plot["panels"] for plot in plots))]}
