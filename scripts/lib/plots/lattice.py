# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The strip that shows the elements of a beam line, each kind with a shape of its own."""

from dataclasses import dataclass

from matplotlib.lines import Line2D
from matplotlib.patches import Ellipse, Patch, Polygon, Rectangle

MIN_WIDTH = 0.002  # of the line: shorter elements are drawn as long as that


@dataclass
class Shape:
    """How a kind of element is drawn in a strip from -1 to 1. Those with a sign stand above (strength > 0) or below the line."""
    label: str
    color: str
    height: float
    outline: str = "box"
    signed: bool = False
    hatch: str = ""


# Part of a kind's name -> its shape; the first that fits counts. A drift without space charge is the line itself.
SHAPES = {
    "quadrupole": Shape("quadrupole (up: focusing in x)", "#D55E00", 0.9, signed=True),
    "sextupole": Shape("sextupole (by sign)", "#009E73", 0.6, "hexagon", signed=True),
    "bend": Shape("bend", "#0072B2", 0.5),
    "space_charge": Shape("drift with space charge", "#E69F00", 0.16),
    "collimator": Shape("collimator", "#222222", 0.95, "jaws"),
    "cavity": Shape("cavity", "#CC79A7", 0.55, "ellipse"),
    "kicker": Shape("kicker", "#56B4E9", 0.45),
    "marker": Shape("marker", "#8C564B", 0.75, "tick"),
    "charge": None,
    "drift": None,
}
OTHER = Shape("other element", "#999999", 0.3, hatch="////")


def shape_of(element):
    """None for what is not drawn."""
    kind = element["kind"].lower().replace(" ", "_").replace("-", "_")
    return next((shape for part, shape in SHAPES.items() if part in kind), OTHER)


def heights(element, shape):
    """Of the lower and the upper side."""
    strength = element.get("strength")
    if not shape.signed or not strength:
        return -shape.height, shape.height
    return (0., shape.height) if strength > 0. else (-shape.height, 0.)


def patches(element, shape, begin, width):
    style = {"facecolor": shape.color, "edgecolor": "#333333", "linewidth": 0.3}
    low, high = heights(element, shape)
    middle = 0.5 * (low + high)
    if shape.outline == "ellipse":
        return [Ellipse((begin + 0.5 * width, middle), width, high - low, **style)]
    if shape.outline == "hexagon":
        inner, outer = (begin + 0.25 * width, begin + 0.75 * width), begin + width
        corners = [(begin, middle), (inner[0], high), (inner[1], high), (outer, middle), (inner[1], low), (inner[0], low)]
        return [Polygon(corners, **style)]
    if shape.outline == "jaws":
        return [Rectangle((begin, y), width, 0.6, **style) for y in (-0.95, 0.35)]
    return [Rectangle((begin, low), width, high - low, hatch=shape.hatch, **style)]


def draw(axes, elements):
    """Draws elements along x; the axes' frame is not shown."""
    first, last = min(e["begin"] for e in elements), max(e["end"] for e in elements)
    least = MIN_WIDTH * ((last - first) or 1.)
    axes.plot([first, last], [0., 0.], color="#444444", linewidth=0.9, zorder=1)
    for element in elements:
        shape = shape_of(element)
        if shape is None:
            continue
        if shape.outline == "tick":
            axes.plot([element["begin"]] * 2, [-shape.height, shape.height], color=shape.color, linewidth=0.9)
            continue
        width = max(element["end"] - element["begin"], least)
        middle = 0.5 * (element["begin"] + element["end"])
        for patch in patches(element, shape, middle - 0.5 * width, width):
            axes.add_patch(patch)
    axes.set_ylim(-1.1, 1.1)
    axes.axis("off")


def legend_entries(elements):
    """A handle and a label for each kind that is drawn."""
    shapes = {shape.label: shape for shape in map(shape_of, elements) if shape}
    return [(handle_of(shape), label) for label, shape in shapes.items()]


def handle_of(shape):
    if shape.outline == "tick":
        return Line2D([], [], color=shape.color, linestyle="none", marker="|", markersize=9)
    marker = {"hexagon": "H", "ellipse": "o"}.get(shape.outline)
    if marker:
        return Line2D([], [], color=shape.color, linestyle="none", marker=marker, markersize=8)
    return Patch(facecolor=shape.color, edgecolor="#333333", linewidth=0.3, hatch=shape.hatch)
