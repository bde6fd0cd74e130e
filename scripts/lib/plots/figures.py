# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures of plots: panels in a grid, and the texts that are placed when it is known where all else is."""

import textwrap

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from . import lattice, panels
from .schema import lines_of

WIDTHS = {1: 7.2, 2: 5.0}  # of a panel by columns, in inches as all sizes here
WIDTH_OF_MANY = 4.2
WIDTH_OF_TRACE = 13.
EQUAL_WIDTH = 12.  # of all panels with equal units
SIDE = 0.95  # of labels and ticks beside the axes
BELOW = 0.85  # of labels and ticks below them, with what separates rows
# Where a word may be, from its point, in points; and how far from others, in pixels.
SIDES = [(7, 0), (-7, 0), (0, 7), (0, -7)] + [(x, y) for y in (8, -8, 18, -18, 28, -28, 38, -38) for x in (8, -8)]
MARKER = 7.
STRIP, RATIO = 0.5, 1.1
LANE = 0.34
SETTINGS = {
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"], "font.size": 10, "axes.titlesize": 10.5,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "axes.axisbelow": True, "grid.color": "#e8e8e8",
    "legend.frameon": False, "legend.fontsize": 9.5, "svg.fonttype": "none", "svg.hashsalt": "trackplex",
    "figure.constrained_layout.use": True, "figure.constrained_layout.h_pad": 0.08, "savefig.dpi": 150, "figure.dpi": 150,
}
METADATA = {"svg": {"Date": None, "Creator": None}, "pdf": {"CreationDate": None}, "png": {}}


def shape_of_data(panel):
    """Height over width of what a panel shows."""
    spans = {"x": [], "y": []}
    for series in panel["series"]:
        for key, values in spans.items():
            flat = np.hstack([panels.numbers(part) for part in series.get(key, [])]
                             if series["style"] in ("polylines", "segments") else [panels.numbers(series.get(key, []))] or [[]])
            values += list(flat[np.isfinite(flat)])
            values += [sign * r for r in series.get("r", []) for sign in (-1., 1.)]
    for key, values in spans.items():
        limits = panel.get(key, {}).get("range") or ()
        spans[key] = list(limits) if len(limits) == 2 and None not in limits else values
    if not all(spans.values()):
        return 1.
    width, height = (max(values) - min(values) for values in spans.values())
    return height / width if width > 0. else 1.


def widths_of(plot, columns):
    """Of the columns. Panels with equal units get widths that suit what they show, at equal heights."""
    if any(map(panels.span_names, plot["panels"])):
        return [WIDTH_OF_TRACE / columns] * columns
    if columns == 1 or not all(panel.get("equal") for panel in plot["panels"]):
        return [WIDTHS.get(columns, WIDTH_OF_MANY)] * columns
    flatness = [max(1. / limited_shape(panel) for panel in plot["panels"][k::columns]) for k in range(columns)]
    height = min(max((EQUAL_WIDTH - columns * SIDE) / sum(flatness), 3.2), 4.5)
    return [height * value + SIDE for value in flatness]


def limited_shape(panel):
    return min(max(shape_of_data(panel), 0.4), 1.5)


def main_height(panel, width, columns):
    """Of the axes without strip and ratio."""
    if panels.span_names(panel):
        return LANE * len(panels.lanes_of(panel))
    if panel.get("equal"):
        return (width - SIDE) * limited_shape(panel)
    return 3.7 if columns == 1 else 3.1


def parts_of(panel, width, columns):
    """Heights of strip, axes and ratio, as far as there are some."""
    heights = {"strip": STRIP} if panel.get("lattice") else {}
    heights["main"] = main_height(panel, width, columns)
    if panel.get("ratio"):
        heights["ratio"] = RATIO
    return heights


def draw_panel(figure, cell, panel, looks, heights, width):
    """The axes of a panel, and the height of what stands above them."""
    grid = cell.subgridspec(len(heights), 1, height_ratios=list(heights.values()), hspace=0.03) if len(heights) > 1 else [cell]
    places = dict(zip(heights, grid))
    axes = {"main": figure.add_subplot(places["main"])}
    panels.draw_main(axes["main"], panel, looks, width - SIDE)
    for part in ("strip", "ratio"):
        if part in places:
            axes[part] = figure.add_subplot(places[part], sharex=axes["main"])
    if "strip" in axes:
        lattice.draw(axes["strip"], panel["lattice"])
        if not panel.get("x", {}).get("range"):
            axes["main"].set_xlim(panel["lattice"][0]["begin"], max(e["end"] for e in panel["lattice"]))
    if "ratio" in axes:
        panels.draw_ratio(axes["ratio"], panel, looks)
        axes["ratio"].set_xlabel(axes["main"].get_xlabel())
        axes["main"].set_xlabel("")
        axes["main"].tick_params(labelbottom=False)
    top = axes.get("strip", axes["main"])
    return axes["main"], panels.draw_legend(top, panel, looks, width - SIDE)


def curve_of(series):
    """Points along what a series draws, close enough that nothing passes between them."""
    if series["style"] in ("polylines", "segments"):
        lines = list(zip(series["x"], series["y"]))
    elif series["style"] == "steps":
        lines = [(np.repeat(panels.numbers(series["edges"]), 2)[1:-1], np.repeat(panels.numbers(series["y"]), 2))]
    elif series["style"] == "circles":
        turn = np.linspace(0., 2. * np.pi, 100)
        lines = [(r * np.cos(turn), r * np.sin(turn)) for r in series["r"]]
    else:
        lines = [(series.get("x", []), series.get("y", []))]
    return [(panels.numbers(x), panels.numbers(y)) for x, y in lines if len(x)]


def drawn_points(axes, panel):
    """Where something is drawn, as fractions of the axes."""
    found = [np.empty((0, 2))]
    for series in panel["series"]:
        for x, y in curve_of(series):
            at = axes.transAxes.inverted().transform(axes.transData.transform(np.column_stack([x, y])))
            if series["style"] not in ("points", "dots") and len(at) > 1:
                steps = np.linspace(0., len(at) - 1., 20 * len(at))
                at = np.column_stack([np.interp(steps, np.arange(len(at)), at[:, i]) for i in (0, 1)])
            found.append(at)
            if series.get("error"):
                below, above = panels.errors_of(series)
                middle = x if len(x) == len(series["error"]) else 0.5 * (x[::2] + x[1::2])
                for tip in (panels.numbers(series["y"]) - below, panels.numbers(series["y"]) + above):
                    found.append(axes.transAxes.inverted().transform(axes.transData.transform(np.column_stack([middle, tip]))))
    points = np.vstack(found)
    return points[np.isfinite(points).all(axis=1)]


def raise_top(axes, part):
    """Lets the upper part of the axes be free."""
    scale = axes.yaxis.get_transform()
    low, high = scale.transform(np.array(axes.get_ylim()))
    axes.set_ylim(top=float(scale.inverted().transform(low + (high - low) / (1. - part))))


def place_text(axes, panel):
    """The panel's text in the corner where least is drawn; above all else where every corner has something."""
    if not lines_of(panel):
        return
    text = axes.text(0., 0., "\n".join(lines_of(panel)), transform=axes.transAxes, fontsize=9, linespacing=1.3, zorder=5)
    text.set_in_layout(False)
    box = text.get_window_extent().transformed(axes.transAxes.inverted())
    points = drawn_points(axes, panel)
    covered = {}
    for vertical, horizontal in (("top", "right"), ("top", "left"), ("bottom", "right"), ("bottom", "left")):
        x = points[:, 0] if horizontal == "left" else 1. - points[:, 0]
        y = points[:, 1] if vertical == "bottom" else 1. - points[:, 1]
        inside = (-0.01 < x) & (x < box.width + 0.04) & (-0.01 < y) & (y < box.height + 0.05)
        covered[vertical, horizontal] = np.count_nonzero(inside)
    vertical, horizontal = min(covered, key=covered.get)
    if covered[vertical, horizontal] and not panel.get("equal") and not panel.get("y", {}).get("range"):
        raise_top(axes, box.height + 0.05)
        vertical = "top"
    text.set(x=0.02 if horizontal == "left" else 0.98, y=0.03 if vertical == "bottom" else 0.97, ha=horizontal, va=vertical)
    text.set_bbox({"facecolor": "white", "alpha": 0.75, "edgecolor": "none", "pad": 1.5})


def place_names(axes, panel):
    """A word beside each point, on the side where it covers least."""
    if not any(series.get("names") for series in panel["series"]):
        return
    points = axes.transAxes.transform(drawn_points(axes, panel))
    taken = []
    for series in panel["series"]:
        for x, y, name in zip(series.get("x", []), series.get("y", []), series.get("names") or []):
            if x is not None and y is not None and name:
                taken.append(place_name(axes, (x, y), name, points, taken))


def place_name(axes, point, name, points, taken):
    """Returns the box of the word."""
    text = axes.annotate(name, point, xytext=(0, 0), textcoords="offset points", fontsize=8.5, zorder=6,
                         arrowprops={"arrowstyle": "-", "linewidth": 0.5, "color": "#777777", "shrinkA": 0, "shrinkB": 5})
    text.set_in_layout(False)
    inside = axes.get_window_extent()

    def cost(side):
        box = move_name(text, side)
        outside = not (inside.x0 <= box.x0 and box.x1 <= inside.x1 and inside.y0 <= box.y0 and box.y1 <= inside.y1)
        covers = np.count_nonzero(((points > box.min - MARKER) & (points < box.max + MARKER)).all(axis=1))
        return 100 * sum(box.overlaps(other) for other in taken) + 50 * outside + min(covers, 40)

    return move_name(text, min(SIDES, key=cost))


def move_name(text, side):
    """The box of the word alone, without the line to its point."""
    x, y = side
    text.set(position=side, ha="center" if x == 0 else "left" if x > 0 else "right",
             va="center" if x else "bottom" if y > 0 else "top")
    text.update_positions(text.figure.canvas.get_renderer())
    return Text.get_window_extent(text)


def place_numbers(axes, panel):
    """The number of each span that is long enough."""
    lanes, colors = panels.lanes_of(panel), panels.span_colors(panel)
    low, high = axes.get_xlim()
    per_unit = axes.get_window_extent().width / (high - low) * 72. / axes.figure.dpi
    for series in panel["series"]:
        for lane, name, begin, end, number in zip(*(series.get(key) or [] for key in ("lane", "name", "begin", "end", "number"))):
            if number is None or begin < low or end > high or (end - begin) * per_unit < 6. * len(str(number)) + 2.:
                continue
            axes.text(0.5 * (begin + end), panels.lane_number(lane, lanes), str(number), fontsize=8, ha="center",
                      color=panels.readable_on(colors[name]), va="center_baseline", clip_on=True, zorder=4).set_in_layout(False)


def figure_of(plot):
    """The figure of a plot that follows the schema."""
    with matplotlib.rc_context(SETTINGS):
        columns = min(plot.get("columns", 1), len(plot["panels"]))
        widths = widths_of(plot, columns)
        rows = [plot["panels"][i:i + columns] for i in range(0, len(plot["panels"]), columns)]
        heights = [[parts_of(panel, widths[k], columns) for k, panel in enumerate(row)] for row in rows]
        row_heights = [max(sum(parts.values()) for parts in row) + BELOW for row in heights]
        figure = Figure(figsize=(sum(widths), sum(row_heights)))
        FigureCanvasAgg(figure)
        grid = figure.add_gridspec(len(rows), columns, height_ratios=row_heights, width_ratios=widths)
        looks = panels.Looks(plot)
        drawn, above = [], 0.
        for i, row in enumerate(rows):
            cells = [draw_panel(figure, grid[i, k], panel, looks.of_panel(panel), heights[i][k], widths[k])
                     for k, panel in enumerate(row)]
            drawn += zip((axes for axes, _ in cells), row)
            above += max(height for _, height in cells)
        add_title(figure, plot.get("title") or "", above)
        figure.draw_without_rendering()
        for axes, panel in drawn:
            place_text(axes, panel)
            place_names(axes, panel)
            place_numbers(axes, panel)
        return figure


def add_title(figure, title, above):
    """Makes the figure as much higher as the title and what stands above the panels need."""
    lines = textwrap.wrap(title, int(figure.get_figwidth() * 10.5))
    if lines:
        figure.suptitle("\n".join(lines), fontsize=12.5, x=0.01, ha="left")
    figure.set_figheight(figure.get_figheight() + above + 0.28 * len(lines) + 0.2 * bool(lines))


def save(figure, file):
    """Writes the figure in the format of the file's ending; equal figures give equal bytes."""
    kind = file.suffix[1:]
    with matplotlib.rc_context(SETTINGS):
        figure.savefig(file, format=kind, metadata=METADATA[kind])
