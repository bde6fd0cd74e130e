# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws plots that follow the schema of docs/guide/reports.md, with matplotlib."""

import textwrap
from dataclasses import dataclass

import numpy as np
from matplotlib import ticker
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Patch

from . import lattice
from .schema import ratios_of

# Okabe and Ito's palette, which the colour-blind tell apart, without yellow and with black kept for references; grey is for
# what is left over.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C564B", "#8A8A8A")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
REFERENCE, BACKGROUND, WAIT = "#444444", "#c4c4c4", "#e6e6e6"
LETTERS = 12.  # of an inch of a title
MAX_VECTOR_DOTS = 5000  # more are drawn as pixels, which keeps files small


@dataclass
class Look:
    """How a series is drawn."""
    color: str
    marker: str = "o"
    pale: bool = False

    @property
    def zorder(self):
        return 1.5 if self.pale else 2.5


def mixed(color, part, other=1.):
    """The colour with a part of white (1) or black (0)."""
    return tuple((1. - part) * component + part * other for component in to_rgb(color))


def readable_on(color):
    red, green, blue = to_rgb(color)
    return "black" if 0.3 * red + 0.59 * green + 0.11 * blue > 0.45 else "white"


def color_of(number):
    """The palette, then paler and darker ones of the same."""
    color, shade = PALETTE[number % len(PALETTE)], number // len(PALETTE) % 3
    return (color, mixed(color, 0.5), mixed(color, 0.4, 0.))[shade]


class Looks:
    """Colours of a plot's series: their own numbers, else the same for equal labels in all panels."""

    def __init__(self, plot):
        all_series = [series for panel in plot["panels"] for series in panel["series"]]
        self.explicit = {series["color"] for series in all_series if "color" in series}
        self.of_labels = {series["label"]: series["color"] for series in all_series if series.get("label") and "color" in series}
        for series in all_series:
            if not has_fixed_color(series) and series.get("label") and series["label"] not in self.of_labels:
                self.of_labels[series["label"]] = first_free(self.explicit | set(self.of_labels.values()))

    def of_panel(self, panel):
        """A look for each series. Those without a label get numbers that nothing else in the panel has."""
        taken = self.explicit | {self.of_labels.get(series.get("label")) for series in panel["series"]}
        looks = []
        for series in panel["series"]:
            if not has_fixed_color(series) and not series.get("label"):
                looks.append(look_of(series, first_free(taken)))
                taken.add(first_free(taken))
            else:
                looks.append(look_of(series, series.get("color", self.of_labels.get(series.get("label")))))
        return looks


def has_fixed_color(series):
    return "color" in series or series.get("background") or series.get("dashed")


def first_free(taken):
    return next(number for number in range(len(taken) + 1) if number not in taken)


def look_of(series, number):
    pale = bool(series.get("background"))
    if number is None or (has_fixed_color(series) and "color" not in series):
        return Look(BACKGROUND if pale else REFERENCE, pale=pale)
    color = color_of(number)
    return Look(mixed(color, 0.65) if pale else color, MARKERS[number % len(MARKERS)], pale)


def numbers(values):
    """As an array, with nan for null."""
    return np.array([np.nan if value is None else value for value in values], dtype=float)


def errors_of(series):
    """Two rows, below and above."""
    pairs = [error if isinstance(error, list) else [error, error] for error in series["error"]]
    return np.array([[0. if value is None else value for value in pair] for pair in pairs], dtype=float).reshape(-1, 2).T


def draw_errors(axes, x, y, series, look):
    if series.get("error"):
        axes.errorbar(x, y, errors_of(series), fmt="none", ecolor=look.color, elinewidth=1.2, capsize=2.5, zorder=look.zorder)


def draw_points(axes, series, look):
    x, y = numbers(series["x"]), numbers(series["y"])
    draw_errors(axes, x, y, series, look)
    is_open = np.array(series.get("open") or [False] * len(x), dtype=bool)
    for chosen, face in ((is_open, "white"), (~is_open, look.color)):
        axes.plot(x[chosen], y[chosen], look.marker, markersize=5.5, color=look.color, markerfacecolor=face,
                  zorder=look.zorder)


def draw_line(axes, series, look):
    x, y = numbers(series["x"]), numbers(series["y"])
    draw_errors(axes, x, y, series, look)
    axes.plot(x, y, "--" if series.get("dashed") else "-", color=look.color, zorder=look.zorder,
              linewidth=1.2 if series.get("dashed") else 1.7, marker=look.marker if series.get("error") else None, markersize=5)


def draw_steps(axes, series, look):
    edges, y = numbers(series["edges"]), numbers(series["y"])
    axes.stairs(y, edges, color=look.color, fill=look.pale, linewidth=1.5, zorder=look.zorder,
                baseline=0. if look.pale else None)
    draw_errors(axes, 0.5 * (edges[1:] + edges[:-1]), y, series, look)


def draw_dots(axes, series, look):
    axes.plot(numbers(series["x"]), numbers(series["y"]), ".", markersize=3.5, markeredgewidth=0, color=look.color,
              zorder=look.zorder, rasterized=len(series["x"]) > MAX_VECTOR_DOTS)


def draw_polylines(axes, series, look):
    lines = [np.column_stack([numbers(x), numbers(y)]) for x, y in zip(series["x"], series["y"])]
    own = not look.pale and "color" not in series
    colors = [color_of(n % (2 * len(PALETTE))) for n in range(len(lines))] if own else look.color
    axes.add_collection(LineCollection(lines, colors=colors, linewidths=1.1, zorder=look.zorder))


def draw_circles(axes, series, look):
    for radius in series["r"]:
        axes.add_patch(Circle((0., 0.), radius, fill=False, edgecolor=look.color, linewidth=1., zorder=look.zorder))


def draw_segments(axes, series, look):
    lines = [list(zip(x, y)) for x, y in zip(series["x"], series["y"])]
    axes.add_collection(LineCollection(lines, colors=look.color, linewidths=0.8, zorder=look.zorder))


def lanes_of(panel):
    """Names of the lanes of a trace: those of the axis, else those that are in the spans."""
    spans = [series for series in panel["series"] if series["style"] == "spans"]
    return panel.get("y", {}).get("names") or list(dict.fromkeys(lane for series in spans for lane in series["lane"]))


def span_names(panel):
    return list(dict.fromkeys(name for series in panel["series"] if series["style"] == "spans" for name in series["name"]))


def span_colors(panel):
    names = [name for name in span_names(panel) if name != "wait"]
    return {"wait": WAIT} | {name: color_of(n) for n, name in enumerate(names)}


def lane_number(lane, lanes):
    return lanes.index(lane) if isinstance(lane, str) else int(lane)


def draw_spans(axes, series, panel):
    lanes, colors = lanes_of(panel), span_colors(panel)
    bars = {}
    for lane, name, begin, end in zip(series["lane"], series["name"], series["begin"], series["end"]):
        bars.setdefault((lane_number(lane, lanes), name), []).append((begin, end - begin))
    for (lane, name), places in bars.items():
        height = 0.3 if name == "wait" else 0.76
        axes.broken_barh(places, (lane - 0.5 * height, height), facecolor=colors[name],
                         edgecolor="none" if name == "wait" else mixed(colors[name], 0.35, 0.), linewidth=0.3, zorder=2.5)


DRAW = {"points": draw_points, "line": draw_line, "steps": draw_steps, "dots": draw_dots, "polylines": draw_polylines,
        "circles": draw_circles, "segments": draw_segments}


def legend_handle(series, look):
    style = series["style"]
    if style == "steps" and look.pale:
        return Patch(color=look.color)
    if style in ("points", "dots"):
        return Line2D([], [], color=look.color, linestyle="none", marker=look.marker if style == "points" else ".")
    marker = look.marker if style == "line" and series.get("error") else None
    return Line2D([], [], color=look.color, linestyle="--" if series.get("dashed") else "-", marker=marker, markersize=5)


def draw_legend(axes, panel, looks, width):
    """The panel's title and legend above it, in as many columns as have room; the inches it takes."""
    entries = [(legend_handle(series, look), series["label"])
               for series, look in zip(panel["series"], looks) if series.get("label") and series["style"] != "spans"]
    entries += [(Patch(facecolor=color, edgecolor="#444444", linewidth=0.3), name)
                for name, color in span_colors(panel).items() if name in span_names(panel)]
    entries += lattice.legend_entries(panel.get("lattice") or [])
    title = "\n".join(textwrap.wrap(panel.get("title") or "", int(LETTERS * width)))
    if not entries:
        axes.set_title(title, loc="left")
        return 0.18 * len(title.splitlines())
    handles, labels = zip(*entries)
    for columns in range(min(len(labels), 7), 0, -1):
        legend = axes.legend(handles, labels, loc="lower left", bbox_to_anchor=(0., 1.), ncol=columns, borderaxespad=0.2,
                             borderpad=0.1, title=title or None, title_fontsize=10.5, alignment="left", columnspacing=1.4,
                             handlelength=1.6, handletextpad=0.6, labelspacing=0.35)
        extent = legend.get_window_extent(axes.figure.canvas.get_renderer())
        if extent.width / axes.figure.dpi < width:
            break
    return extent.height / axes.figure.dpi


def shows_integers(values):
    return len(values) > 0 and all(float(value).is_integer() for value in values)


def measured_at(panel):
    """Distinct x of points and lines, without references: where a logarithmic axis of few points has its ticks."""
    values = {x for series in panel["series"] if series["style"] in ("points", "line") and not series.get("dashed")
              for x in series["x"]}
    return sorted(value for value in values if value is not None)


def far_apart(values):
    """Whether labels at these values do not touch on a logarithmic axis."""
    logs = np.log10(values)
    return len(values) < 2 or np.diff(logs).min() > 0.05 * (logs[-1] - logs[0])


def log_ticks(axis, limits, values=()):
    """Plain numbers where there are few decades, at the values themselves where these are few."""
    low, high = sorted(abs(limit) for limit in limits)
    if 0 < len(values) <= 12 and values[0] > 0 and far_apart(values):
        axis.set_major_locator(ticker.FixedLocator(values))
    elif high < 300. * low:
        axis.set_major_locator(ticker.LogLocator(subs=(1., 2., 5.)))
    elif high > 1e5 or low < 1e-5:
        return
    axis.set_minor_locator(ticker.NullLocator())
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))


def linear_ticks(axis, limits, values):
    """Whole numbers for whole numbers. A common factor would stand where the legend is: no axis has one."""
    if shows_integers(values):
        axis.set_major_locator(ticker.MaxNLocator(integer=True))
    if 1e-4 <= max(map(abs, limits)) < 1e7:
        axis.set_major_formatter(ticker.ScalarFormatter(useOffset=False))
        axis.get_major_formatter().set_scientific(False)
    else:
        axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))


def set_names(axes, key, names, width):
    axes.set(**{f"{key}lim": (-0.5, len(names) - 0.5)})
    if key == "y":
        axes.set_yticks(range(len(names)), names)
    elif 0.085 * sum(len(str(name)) + 2 for name in names) < width:
        axes.set_xticks(range(len(names)), names)
    else:
        axes.set_xticks(range(len(names)), names, rotation=35, ha="right", rotation_mode="anchor")


def set_axis(axes, key, axis, panel, width):
    """Label, scale, range and ticks."""
    axes.set(**{f"{key}label": axis.get("label") or ""})
    mpl_axis = getattr(axes, f"{key}axis")
    values = measured_at(panel) if key == "x" else []
    if axis.get("log"):
        axes.set(**{f"{key}scale": "log"})
    if axis.get("names"):
        set_names(axes, key, axis["names"], width)
        axes.grid(False, axis=key)
    if axis.get("range"):
        axes.set(**{f"{key}lim": axis["range"]})
    if axis.get("log"):
        log_ticks(mpl_axis, getattr(axes, f"get_{key}lim")(), values)
    elif not axis.get("names"):
        linear_ticks(mpl_axis, getattr(axes, f"get_{key}lim")(), values)


def begin_at_zero(axes, panel):
    """Histograms of counts stand on the axis."""
    y = panel.get("y", {})
    values = [value for series in panel["series"] for value in series.get("y", []) if series["style"] == "steps"]
    only_steps = values and all(series["style"] == "steps" for series in panel["series"])
    if only_steps and not y.get("log") and not y.get("range") and min(value or 0. for value in values) >= 0.:
        axes.set_ylim(bottom=0.)


def draw_main(axes, panel, looks, width):
    for series, look in zip(panel["series"], looks):
        if series["style"] == "spans":
            draw_spans(axes, series, panel)
        else:
            DRAW[series["style"]](axes, series, look)
    axes.autoscale_view()
    if panel.get("equal"):
        axes.set_aspect("equal", adjustable="datalim")
    begin_at_zero(axes, panel)
    for key in ("x", "y"):
        set_axis(axes, key, panel.get(key, {}), panel, width)
    if span_names(panel):
        show_lanes(axes, panel)


def show_lanes(axes, panel):
    lanes = lanes_of(panel)
    axes.set_yticks(range(len(lanes)), lanes)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(lanes) - 0.4, -0.6)
    axes.grid(False, axis="y")
    axes.margins(x=0.)


def draw_ratio(axes, panel, looks):
    """Ratios of two series, with errors where both or one have some."""
    labels = [series.get("label") for series in panel["series"]]
    certain = []
    for ratio in ratios_of(panel):
        indices = [labels.index(ratio[key]) for key in ("of", "to")]
        of, to = (panel["series"][i] for i in indices)
        look = looks[indices[0]]
        a, b = numbers(of["y"]), numbers(to["y"])
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.where(b != 0., a / b, np.nan)
            none = np.zeros((2, len(a)))
            relative = [errors_of(series) / np.abs(y) if series.get("error") else none for series, y in ((of, a), (to, b))]
            error = np.abs(values) * np.hypot(relative[0], relative[1][::-1])
        error = np.where(np.isfinite(error), error, 0.)
        edges = numbers(of["edges"]) if "edges" in of else None
        x = numbers(of["x"]) if edges is None else 0.5 * (edges[1:] + edges[:-1])
        axes.errorbar(x, values, error if error.any() else None, fmt=look.marker, color=look.color, markersize=3.5,
                      elinewidth=1., capsize=1.5)
        certain += [v for v, e in zip(values, error.max(axis=0)) if np.isfinite(v) and e <= 0.5 * abs(v)]
    axes.axhline(1., color=REFERENCE, linestyle="--", linewidth=1.)
    if certain:
        reach = 1.3 * max(max(abs(value - 1.) for value in certain), 1e-3)
        axes.set_ylim(max(1. - reach, 0.), 1. + reach)
    first = ratios_of(panel)[0]
    axes.set_ylabel(f"{first['of']} /\n{first['to']}" if len(ratios_of(panel)) == 1 else "ratio", fontsize=9)
    axes.yaxis.set_major_locator(ticker.MaxNLocator(4))
