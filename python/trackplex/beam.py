# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Beam dynamics: lines and rings, bunches, tracking, optics. Lengths are in m, momenta are beta gamma.

Elements are dataclasses with the parameters and defaults of the C++ structs; a Line is a list of them. The coordinates of a
particle are x, xp = dx/dz, y, yp, s (path length minus that of the reference particle; larger: later) and delta = (p - p0)/p0.
"""

from __future__ import annotations as _annotations

import dataclasses as _dataclasses
import fnmatch as _fnmatch
import os as _os
from collections.abc import Callable as _Callable, Iterable as _Iterable
from dataclasses import dataclass as _dataclass, field as _field

import numpy as _numpy
from numpy.typing import ArrayLike as _ArrayLike

from . import _header_docs
from ._trackplex import beam as _core
from ._trackplex.beam import Bunch, CanonicalMoments, Moments, Optics, PlaneOptics, Records, SpinMoments, SpinOptics
from ._trackplex.beam import Aperture as Starts

# Parts of elements -------------------------------------------------------------------------------


@_dataclass
class Misalignment:
    """Displacement (m) and rotation around the axis (rad, from x towards y) of a magnet."""

    dx: float = 0.0
    dy: float = 0.0
    tilt: float = 0.0
    dz: float = 0.0


@_dataclass
class Aperture:
    """Limits of x and y, m; 0: no limit. Shapes are "rectangle" and "ellipse" (half axes x_max, y_max)."""

    shape: str = "rectangle"
    x_max: float = 0.0
    y_max: float = 0.0
    dx: float = 0.0
    dy: float = 0.0
    x_exponent: int = 2
    y_exponent: int = 2
    is_inverted: bool = False
    open: str = "none"
    tilt: float = 0.0
    x_corner: float = 0.0
    y_corner: float = 0.0


@_dataclass
class Multipoles:
    """Integrated strengths K_n L, 1/m^n, from the dipole (n = 0) on: normal and skew ones."""

    normal: list = _field(default_factory=list)
    skew: list = _field(default_factory=list)


@_dataclass
class QuadrupoleFringe:
    """Fringe fields of a quadrupole: the length of each, m, and whether they are there."""

    length: float = 0.0
    entrance: bool = True
    exit: bool = True


@_dataclass
class FrequencyCutoff:
    """Begin and end of the slope of a filter, in units of the Nyquist frequency; below 0: none."""

    begin: float = -1.0
    end: float = -1.0


@_dataclass
class SegmentPlane:
    """Optics of one plane of a LineSegmentMap: tune with chromaticities and detunings (1/m, 1/m^2), beta (m), alpha, dispersion eta (m)."""

    tune: float = 0.0
    chromaticity: float = 0.0
    chromaticity2: float = 0.0
    chromaticity3: float = 0.0
    detuning_x: float = 0.0
    detuning2_x: float = 0.0
    detuning_y: float = 0.0
    detuning2_y: float = 0.0
    detuning_xy: float = 0.0
    beta: float = 1.0
    beta_derivative: float = 0.0
    alpha: float = 0.0
    alpha_derivative: float = 0.0
    eta: float = 0.0
    eta_slope: float = 0.0
    eta_derivative: float = 0.0
    eta_slope_derivative: float = 0.0


# Elements ----------------------------------------------------------------------------------------


@_dataclass
class Element:
    """Element of a line: a name, and the parameters of its type."""

    name: str = ""

    def _parts(self):
        fields = {f.name: getattr(self, f.name) for f in _dataclasses.fields(self) if f.name != "name"}
        for key, value in fields.items():
            if _dataclasses.is_dataclass(value):
                fields[key] = _dataclasses.asdict(value)
        return (type(self).__name__, self.name, fields)


def _part(of):
    return _field(default_factory=of)


@_dataclass
class Drift(Element):
    """Drift by its Taylor map (DRIF): length, m; order of the map, 1 to 3."""

    length: float = 0.0
    order: int = 2


@_dataclass
class ExactDrift(Element):
    """Exact drift along straight lines (EDRIFT)."""

    length: float = 0.0


@_dataclass
class ExpandedDrift(Element):
    """Drift with the expanded Hamiltonian, to second order in slopes: length, m."""

    length: float = 0.0


@_dataclass
class Monitor(Element):
    """Monitor of the position of the beam (MONI): a drift."""

    length: float = 0.0
    order: int = 2


@_dataclass
class Quadrupole(Element):
    """Quadrupole by its Taylor map (QUAD): k1, 1/m^2, positive: focuses in x; kicks, rad."""

    length: float = 0.0
    k1: float = 0.0
    order: int = 2
    misalignment: Misalignment = _part(Misalignment)
    fringe: QuadrupoleFringe = _part(QuadrupoleFringe)
    horizontal: float = 0.0
    vertical: float = 0.0


@_dataclass
class Sextupole(Element):
    """Sextupole by its Taylor map (SEXT): k2, 1/m^3; its quadrupole components k1 and j1, 1/m^2."""

    length: float = 0.0
    k2: float = 0.0
    order: int = 2
    misalignment: Misalignment = _part(Misalignment)
    k1: float = 0.0
    j1: float = 0.0


@_dataclass
class Octupole(Element):
    """Octupole by its Taylor map (OCTU): k3, 1/m^4."""

    length: float = 0.0
    k3: float = 0.0
    order: int = 2
    misalignment: Misalignment = _part(Misalignment)


@_dataclass
class Solenoid(Element):
    """Solenoid by its Taylor map (SOLE): ks, 1/m; particles turn by half of it per length."""

    length: float = 0.0
    ks: float = 0.0
    order: int = 2
    misalignment: Misalignment = _part(Misalignment)


@_dataclass
class SolenoidField(Element):
    """Solenoid by its Taylor map, with its field along the axis, T, instead of a strength."""

    length: float = 0.0
    field: float = 0.0
    order: int = 2
    misalignment: Misalignment = _part(Misalignment)


@_dataclass
class Bend(Element):
    """Bend by its Taylor map (SBEN): angle, rad, positive: towards negative x; strengths, edges, errors."""

    length: float = 0.0
    angle: float = 0.0
    k1: float = 0.0
    k2: float = 0.0
    entrance: float = 0.0
    exit: float = 0.0
    half_gap: float = 0.0
    fringe: float = 0.5
    entrance_edge: bool = True
    exit_edge: bool = True
    entrance_curvature: float = 0.0
    exit_curvature: float = 0.0
    dipole_error: float = 0.0
    error_tilt: float = 0.0
    edge_order: int = 0
    order: int = 2
    misalignment: Misalignment = _part(Misalignment)


@_dataclass
class Kicker(Element):
    """Kicker by its Taylor map (KICKER): angles, rad."""

    length: float = 0.0
    horizontal: float = 0.0
    vertical: float = 0.0
    tilt: float = 0.0
    order: int = 2
    b2: float = 0.0
    edges: bool = False


@_dataclass
class CanonicalQuadrupole(Element):
    """Quadrupole by symplectic integration (KQUAD): k1, 1/m^2."""

    length: float = 0.0
    k1: float = 0.0
    slices: int = 4
    integration_order: int = 4
    misalignment: Misalignment = _part(Misalignment)


@_dataclass
class ChromaticQuadrupole(Element):
    """Quadrupole by its closed map, exact in the momentum: k1, 1/m^2."""

    length: float = 0.0
    k1: float = 0.0
    misalignment: Misalignment = _part(Misalignment)


@_dataclass
class CanonicalSextupole(Element):
    """Sextupole by symplectic integration (KSEXT): k2, 1/m^3."""

    length: float = 0.0
    k2: float = 0.0
    slices: int = 4
    integration_order: int = 4
    misalignment: Misalignment = _part(Misalignment)


@_dataclass
class CanonicalMultipole(Element):
    """Magnet of several multipoles by symplectic integration; its field is integrated over the length."""

    length: float = 0.0
    field: Multipoles = _part(Multipoles)
    slices: int = 4
    integration_order: int = 4
    misalignment: Misalignment = _part(Misalignment)
    expanded: bool = False
    radiates: bool = False
    quantum: bool = False


@_dataclass
class CanonicalBend(Element):
    """Bend by symplectic integration or its closed map (CSBEND). Strengths are those from the quadrupole on, 1/m^(n+1)."""

    length: float = 0.0
    angle: float = 0.0
    strengths: list = _part(list)
    entrance: float = 0.0
    exit: float = 0.0
    entrance_curve: float = 0.0
    exit_curve: float = 0.0
    half_gap: float = 0.0
    fringe: float = 0.5
    entrance_effects: str = "slopes"
    exit_effects: str = "slopes"
    edge_order: int = 1
    field_error: float = 0.0
    slices: int = 4
    integration_order: int = 4
    nonlinear: bool = True
    expansion_order: int = 0
    horizontal_kick: float = 0.0
    vertical_kick: float = 0.0
    error_tilt: float = 0.0
    expanded: bool = False
    closed: bool = False
    is_corrected: bool = False
    radiates: bool = False
    quantum: bool = False
    misalignment: Misalignment = _part(Misalignment)
    k0: float | None = None
    exit_fringe: float | None = None
    crossing: float = 0.0
    is_rigid: bool = False


@_dataclass
class ThinBend(Element):
    """Dipole without a length: angle of the axis, rad, and its field, integrated, with the dipole."""

    angle: float = 0.0
    field: Multipoles = _part(Multipoles)
    field_length: float = 0.0
    misalignment: Misalignment = _part(Misalignment)
    has_curved_gradient: bool = False


@_dataclass
class DipoleEdge(Element):
    """Edge of a dipole without a length, by its linear map: curvature of the axis in the dipole, 1/m; angle, rad."""

    curvature: float = 0.0
    angle: float = 0.0
    half_gap: float = 0.0
    fringe: float = 0.0
    misalignment: Misalignment = _part(Misalignment)


@_dataclass
class ExactSolenoid(Element):
    """Exact solenoid: ks, 1/m; particles turn by half of it per length."""

    length: float = 0.0
    ks: float = 0.0
    misalignment: Misalignment = _part(Misalignment)


@_dataclass
class ExactKicker(Element):
    """Exact kicker: angles of the reference particle, rad."""

    length: float = 0.0
    horizontal: float = 0.0
    vertical: float = 0.0
    misalignment: Misalignment = _part(Misalignment)


@_dataclass
class Collimator(Element):
    """Aperture at both ends of a drift (RCOL, ECOL)."""

    length: float = 0.0
    aperture: Aperture = _part(Aperture)


@_dataclass
class Scraper(Element):
    """Aperture from a side, "plus_x", ..., "both_y" (SCRAPER): position of its edge, m."""

    length: float = 0.0
    side: str = "none"
    position: float = 0.0
    dx: float = 0.0
    dy: float = 0.0


@_dataclass
class MaxAmplitude(Element):
    """Aperture from here on along the line (MAXAMP)."""

    aperture: Aperture = _part(Aperture)


@_dataclass
class Rotator(Element):
    """Rotation of the coordinates around the axis (ROTATE), rad."""

    tilt: float = 0.0


@_dataclass
class PlaneRotation(Element):
    """Rotation of the axis in a plane, rad: towards x, or towards y."""

    angle: float = 0.0
    is_vertical: bool = False


@_dataclass
class Displacement(Element):
    """Adds to the coordinates: dx, dy, dz, m; dxp, dyp; dt, s; dp of delta, de of the relative energy; in one turn, or all (-1)."""

    dx: float = 0.0
    dxp: float = 0.0
    dy: float = 0.0
    dyp: float = 0.0
    dz: float = 0.0
    dt: float = 0.0
    dp: float = 0.0
    de: float = 0.0
    on_pass: int = -1


@_dataclass
class LineSegmentMap(Element):
    """Map of a part of a ring by its optics: tunes with chromaticities and detunings, path lengths; tilt of the planes, rad."""

    length: float = 0.0
    x: SegmentPlane = _part(SegmentPlane)
    y: SegmentPlane = _part(SegmentPlane)
    compaction: float = 0.0
    compaction2: float = 0.0
    compaction3: float = 0.0
    longer_x: float = 0.0
    longer2_x: float = 0.0
    longer_y: float = 0.0
    longer2_y: float = 0.0
    longer_xy: float = 0.0
    tilt: float = 0.0
    may_cross: bool = False


@_dataclass
class Scatter(Element):
    """Random kicks, normal or uniform: amplitudes of x, y, m, of x', y' and of delta; turns in which it acts (-1: to the end)."""

    dx: float = 0.0
    dxp: float = 0.0
    dy: float = 0.0
    dyp: float = 0.0
    dp: float = 0.0
    probability: float = 1.0
    is_uniform: bool = False
    first_turn: int = 0
    last_turn: int = -1


@_dataclass
class Marker(Element):
    """Name of a place (MARK)."""


@_dataclass
class Center(Element):
    """Moves the bunch so that the means of these coordinates are 0; s: that of the total path, time: that of the time."""

    x: bool = True
    xp: bool = True
    y: bool = True
    yp: bool = True
    s: bool = False
    delta: bool = False
    time: bool = False


@_dataclass
class RemoveCorrelations(Element):
    """Removes the correlations of x, x', y and y' (those that are true in `of`) with the `other` coordinate, "x" to "delta"."""

    of: list = _field(default_factory=lambda: [True] * 4)
    other: str = "delta"


@_dataclass
class Charge(Element):
    """Sets the charge of the bunch (CHARGE), C: the total, or that of a particle."""

    total: float = 0.0
    per_particle: float = 0.0


@_dataclass
class RfCavity(Element):
    """Accelerating cavity (RFCA): voltage, V; phase, rad, pi/2: the crest; frequency, Hz."""

    length: float = 0.0
    voltage: float = 0.0
    phase: float = 0.0
    frequency: float = 5e8
    quality: float = 0.0
    phase_reference: int = 0
    change_momentum: bool = False
    change_time: bool = False
    fiducial: str = "mean_time"
    entrance_focus: bool = False
    exit_focus: bool = False
    body_focus: str = "none"
    kicks: int = 0
    standing_wave: bool = False
    dx: float = 0.0
    dy: float = 0.0
    reference_time: float | None = None
    linearize: bool = False
    lock_phase: bool = False
    rest_energy: float = 1e6 * 0.51099906  # of elegant


@_dataclass
class RfDeflector(Element):
    """Deflecting cavity: voltage, V; phase, rad, 0: max kick; frequency, Hz."""

    length: float = 0.0
    voltage: float = 0.0
    phase: float = 0.0
    frequency: float = 2.856e9
    kicks: int = 0
    standing_wave: bool = False
    magnetic: bool = False
    misalignment: Misalignment = _part(Misalignment)


@_dataclass
class SpaceChargeDrift(Element):
    """Drift with longitudinal space charge (LSCDRIFT): bins of time, smoothing, filters."""

    length: float = 0.0
    effective_length: float = 0.0
    bins: int = 0
    smoothing: bool = False
    smoothing_half_width: int = 1
    smoothing_order: int = 1
    interpolate: bool = True
    low_frequency: FrequencyCutoff = _part(FrequencyCutoff)
    high_frequency: FrequencyCutoff = _part(FrequencyCutoff)
    radius_factor: float = 1.7
    space_charge: bool = True
    max_steps: int = 10000


@_dataclass
class SpaceChargeKick(Element):
    """Kick by space charge over a length, m: "three_dimensional", or "projected" (2.5 dimensions); cells: powers of two in x, y, z."""

    effective_length: float = 0.0
    model: str = "three_dimensional"
    cells: list = _field(default_factory=lambda: [64, 64, 64])
    margin: float = 0.1
    pipe_radius: float = 0.0


@_dataclass
class CsrBend(CanonicalBend):
    """Bend with coherent synchrotron radiation (CSRCSBEND): a CanonicalBend with bins of time and filters of the density."""

    bins: int = 0
    range_factor: float = 1.2
    smoothing_half_width: int = 0
    smoothing_order: int = 1
    derivative_half_width: int = 0
    derivative_order: int = 1
    radiation: bool = True
    steady_state: bool = False
    radiates_behind: bool = True
    angle_before: float = 0.0


@_dataclass
class CsrDrift(Element):
    """Drift after a CsrBend, whose radiation continues in it (CSRDRIFT): "none", "constant", "decaying", "overtaking", "transient"."""

    length: float = 0.0
    field: str = "constant"
    steps: int = 1
    step_length: float = 0.0
    attenuation_length: float = 0.0
    overtaking_factor: float = 1.0


class OtherElement:
    """Element of a type that only files make. It can be used in other lines; `family` tells its kind."""

    def __init__(self, line, family: str, name: str) -> None:
        self._line = line
        self.family = family
        self.name = name

    def __repr__(self):
        return f"OtherElement({self.name!r}, {self.family})"


_TYPES = {
    cls.__name__: cls
    for cls in (
        Drift, ExactDrift, ExpandedDrift, Monitor, Quadrupole, Sextupole, Octupole, Solenoid, SolenoidField, Bend, Kicker,
        CanonicalQuadrupole, ChromaticQuadrupole, CanonicalSextupole, CanonicalMultipole, CanonicalBend, ThinBend, DipoleEdge,
        ExactSolenoid, ExactKicker, Collimator, Scraper, MaxAmplitude, Rotator, PlaneRotation, Displacement, LineSegmentMap, Scatter,
        Marker, Center, RemoveCorrelations, Charge, RfCavity, RfDeflector, SpaceChargeDrift, SpaceChargeKick, CsrBend, CsrDrift)
}
_NESTED = {
    "misalignment": Misalignment, "aperture": Aperture, "field": Multipoles, "low_frequency": FrequencyCutoff,
    "high_frequency": FrequencyCutoff, "x": SegmentPlane, "y": SegmentPlane,
}


# Members that have the documentation of another struct too, and those of another name in C++.
_STRUCTS = {"SegmentPlane": ["LineSegmentMap::Plane"], "Bend": ["SectorBend", "Bend"], "CsrBend": ["CanonicalBend", "CsrBend"]}
_RENAMED = {"side": "from", "of": "from", "other": "with"}


def _document(cls):
    """Adds the documentation of the members in C++ to that of a class."""
    texts = {}
    for struct in _STRUCTS.get(cls.__name__, [cls.__name__]):
        texts |= _header_docs.STRUCTS.get(struct, {})
    names = [field.name for field in _dataclasses.fields(cls) if field.name != "name"]
    cls.__doc__ = "\n".join([cls.__doc__, "", *(f"{name}: {texts[_RENAMED.get(name, name)]}" for name in names)]).rstrip()


for _cls in (Misalignment, Aperture, Multipoles, QuadrupoleFringe, FrequencyCutoff, SegmentPlane, *_TYPES.values()):
    _document(_cls)
del _cls


def _element_of(line, i):
    kind, name, fields = line.element(i)
    if fields is None:
        return OtherElement(line.slice(i, i + 1), kind, name)
    for key, value in fields.items():
        if isinstance(value, dict):
            fields[key] = (QuadrupoleFringe if key == "fringe" else _NESTED[key])(**value)
    return _TYPES[kind](name=name, **fields)


def _parts_of(items):
    """Parts of a line, as C++ takes them: of elements, lines, and lists of these."""
    if isinstance(items, Element):
        return [items._parts()]
    if isinstance(items, (Line, OtherElement)):
        return [items._line]
    if isinstance(items, (str, bytes, dict)) or not hasattr(items, "__iter__"):
        raise TypeError(f"{items!r} is neither an element nor a line, nor a list of them")
    return [part for item in items for part in _parts_of(item)]


class Line:
    """Elements in the order in which particles pass them: a sequence that does not change.

    Made of elements, lines, and lists of these: `Line([qf, d, [qd, d] * 2, other_line])`. Lines are added by `+` and repeated by
    `*`; `line[i]` is a copy of an element.
    """

    __slots__ = ("_line",)

    def __init__(self, items: _Iterable = (), name: str = "") -> None:
        self._line = _core.Line(_parts_of(items), name)

    @classmethod
    def _of(cls, line):
        self = object.__new__(cls)
        self._line = line
        return self

    def _like(self, line):
        line._line.p0 = self._line.p0
        return line

    @property
    def name(self) -> str:
        """Name of the line."""
        return self._line.name

    @property
    def names(self) -> list[str]:
        """Names of the elements."""
        return self._line.names

    @property
    def length(self) -> float:
        """Length of the axis, m."""
        return self._line.length

    @property
    def p0(self) -> float:
        """Momentum, beta gamma, of the beam of its file; 0: the file has none."""
        return self._line.p0

    @property
    def remarks(self) -> list[str]:
        """What the reader of its file remarked."""
        return self._line.remarks

    @property
    def injection(self) -> Line | None:
        """What is passed once before the turns (before RECIRC), or None."""
        injection = self._line.injection
        return None if injection is None else Line._of(injection)

    def find(self, pattern: str) -> list[int]:
        """Returns the numbers of the elements whose names match a pattern, in any case: * is any letters, ? is one."""
        pattern = pattern.lower()
        return [i for i, name in enumerate(self._line.names) if _fnmatch.fnmatchcase(name.lower(), pattern)]

    def replaced(self, i: int, item) -> Line:
        """Returns the line with other items in the place of element i."""
        i = range(len(self))[i]
        return self._like(Line([self[:i], item, self[i + 1:]], self.name))

    def reversed(self) -> Line:
        """Returns the line as it is passed from its end to its start: entrance and exit of bends are exchanged."""
        return Line._of(self._line.reversed())

    def split(self, parts: int) -> Line:
        """Returns the line with each element that can be split in equal parts."""
        return Line._of(self._line.split(parts))

    def map(self, p0: float = 0.0) -> _numpy.ndarray:
        """Returns the linear map, (6, 6); with a momentum, beta gamma, cavities focus."""
        return _core.map_of(self._line, p0)

    def __len__(self) -> int:
        return len(self._line)

    def __getitem__(self, i):
        if isinstance(i, slice):
            begin, end, step = i.indices(len(self))
            if step == 1:
                return Line._of(self._line.slice(begin, max(begin, end)))
            return Line([self[k] for k in range(begin, end, step)], self.name)
        return _element_of(self._line, range(len(self))[i])

    def __add__(self, other):
        return self._like(Line([self, other]))

    def __mul__(self, n):
        return self._like(Line([self] * n, self.name))

    __rmul__ = __mul__

    def __repr__(self):
        return f"<Line {self.name!r} of {len(self)} elements, {self.length:.6g} m>"

    def __reduce__(self):
        return Line, (list(self), self.name)


# Files -------------------------------------------------------------------------------------------


def read_elegant(path: str | _os.PathLike, line: str = "", p0: float = 0.0, skip_unknown: bool = False,
                 numbers: dict[str, float] | None = None, changes: dict[str, float | str] | None = None,
                 exact_edges: bool = False) -> Line:
    """Reads a line of a lattice of elegant; by default that of USE, else the last.

    `p0`: momentum, beta gamma, for magnets whose field is given. `skip_unknown`: elements that cannot be tracked become drifts.
    `numbers`: names and values for its expressions. `changes`: values of parameters, as in {"Q*.K1": 0.3}. `exact_edges`: edges of
    CSBEND are exact, as those of MAD-X and PALS with `exact`.
    """
    return Line._of(_core.read_elegant(_os.fspath(path), line, p0, skip_unknown, numbers or {}, changes or {}, exact_edges))


def parse_elegant(text: str, line: str = "", p0: float = 0.0) -> Line:
    """Reads a line from a text in the language of elegant."""
    return Line._of(_core.parse_elegant(text, line, p0))


class MadxFile:
    """Contents of files of MAD-X: variables and sequences.

    `exact`: drifts and edges of bends are exact. `slices`: those of integrated magnets (0: as needed). `variables`: values that go
    before those of the files.
    """

    def __init__(self, *paths: str | _os.PathLike, exact: bool = False, slices: int = 0, apertures: bool = True,
                 skip_unknown: bool = False, variables: dict[str, float] | None = None) -> None:
        self._file = _core.MadxFile(exact, slices, apertures, skip_unknown, variables or {})
        for path in paths:
            self._file.read_file(_os.fspath(path))

    def read(self, text: str) -> None:
        """Reads statements."""
        self._file.read(text)

    def __getitem__(self, variable: str | tuple[str, str]) -> float:
        """Value of a variable, or by two names that of an attribute of an element."""
        if isinstance(variable, tuple):
            return self._file.get(*variable)
        if not self._file.has(variable):
            raise KeyError(variable)
        return self._file.get(variable)

    def __setitem__(self, variable: str, value: float) -> None:
        self._file.set(variable, value)

    def __contains__(self, variable: str) -> bool:
        return self._file.has(variable)

    @property
    def sequences(self) -> list[str]:
        """Names of the sequences and lines."""
        return self._file.sequences

    def line(self, sequence: str = "") -> Line:
        """Returns a sequence or line, with the present values of the variables; by default that of USE, else the last."""
        return Line._of(self._file.line(sequence))


def read_madx(*paths: str | _os.PathLike, sequence: str = "", **options) -> Line:
    """Reads a sequence of files of MAD-X, with its strengths; options as of MadxFile."""
    return MadxFile(*paths, **options).line(sequence)


def parse_madx(text: str, sequence: str = "", **options) -> Line:
    """Reads a sequence from a text in the language of MAD-X; options as of MadxFile."""
    file = MadxFile(**options)
    file.read(text)
    return file.line(sequence)


def read_xsuite(path: str | _os.PathLike, line: str = "", skip_unknown: bool = False, apertures: bool = True,
                slices: int = 0) -> Line:
    """Reads a line of Xsuite (JSON, gzip or not). `line`: its name in a file of several; `slices` of integrated magnets: 0 as needed."""
    return Line._of(_core.read_xsuite(_os.fspath(path), line, skip_unknown, apertures, slices))


def read_pals(path: str | _os.PathLike, branch: str = "", exact: bool = False, skip_unknown: bool = False, apertures: bool = True,
              slices: int = 0) -> Line:
    """Reads a branch of a lattice of PALS. `exact`: drifts, quadrupoles and edges of bends are exact."""
    return Line._of(_core.read_pals(_os.fspath(path), branch, exact, skip_unknown, apertures, slices))


def write_pals(path: str | _os.PathLike, line: Line | _Iterable, p0: float = 0.0, mass: float = 0.51099895e6, charge: float = -1.0,
               skip_unknown: bool = False) -> list[str]:
    """Writes a line in the language of PALS, and returns remarks on what is not as in the line.

    `p0`: momentum, beta gamma (0: that of the line's file), of the particle with this rest energy (eV) and charge.
    """
    line = _line_of(line)
    return _core.write_pals(_os.fspath(path), line, _momentum(line, p0), mass, charge, skip_unknown)


def with_space_charge(line: Line | _Iterable, kick: SpaceChargeKick | None = None, max_length: float = 0.1,
                      kick_first: bool = False) -> Line:
    """Returns a line with kicks by space charge: elements with a length are cut into equal steps of at most `max_length`, m.

    `kick` has the model and its grid. The kick of a step is in its middle, which is exact to second order, or first. Kicks have the
    name of the element with ".sc" after it.
    """
    _, _, fields = (kick or SpaceChargeKick())._parts()
    return Line._of(_line_of(line).with_space_charge(fields, max_length, kick_first))


# Bunches -----------------------------------------------------------------------------------------

_PLANE = ("emittance", "normalized_emittance", "beta", "alpha", "dispersion", "dispersion_slope", "position", "slope")
_BUNCH_PARAMETERS = {
    "particles", "p0", "charge", "sigma_s", "sigma_delta", "chirp", "mean_s", "mean_delta", "cutoff", "modulation_wavelength",
    "modulation_depth", "seed", "exact_moments", "flat", "canonical", "spin", "anomaly", *(f"{name}_{plane}" for name in _PLANE for plane in "xy"),
}
_COORDINATES = ("x", "xp", "y", "yp", "s", "delta")

#: Anomalous magnetic moments, (g - 2)/2, by the names of particles.
ANOMALIES = dict(_core.anomalies)

for _type in (Bunch, CanonicalMoments, Moments, PlaneOptics, Optics, Records, SpinMoments, SpinOptics, Starts):
    _type.__module__ = __name__
del _type
Starts.__name__ = Starts.__qualname__ = "Starts"
Bunch.__repr__ = lambda bunch: f"<Bunch of {len(bunch)} particles, p0 = {bunch.p0:g}, after {bunch.turn} turns>"
Records.__repr__ = lambda records: f"<Records of {len(records)} passes>"
CanonicalMoments.__repr__ = lambda moments: f"<CanonicalMoments of {moments.number:.0f} particles>"
Moments.__repr__ = lambda moments: f"<Moments of {moments.number:.0f} particles>"
SpinMoments.__repr__ = lambda moments: f"<SpinMoments of {moments.number:.0f} particles, polarization {moments.polarization:.6f}>"
SpinOptics.__repr__ = lambda optics: f"<SpinOptics at {len(optics)} places, tune {optics.tune:.6f}>"
Optics.__repr__ = lambda optics: f"<Optics at {len(optics)} places" + (
    f", tunes {optics.tune_x:.6f} and {optics.tune_y:.6f}>" if optics.is_periodic else ">")
Starts.__repr__ = lambda starts: f"<Starts of a dynamic aperture, {len(starts)}, {(starts.lost_turn < 0).sum()} survive>"

Bunch.__doc__ = """Particles: an array for each coordinate (x, xp, y, yp, s, delta), which are views of the bunch and can be written to.

`generate_bunch`, `bunch_of`, `bunch_from` and `read_bunch` make one. `len(bunch)` is the number of particles that are not removed;
`lost_turn` and `lost_element` are -1 where a particle is not lost. `turn` counts the turns of `Tracker.track`. `moments()` are those
of the surviving particles, `canonical_moments()` those in canonical coordinates, `remove_lost()` moves the others to the end of the arrays, `fingerprint()` is the hash of all particles.
`species` names the particles, such as "proton", also in files of openPMD; known ones get their mass and charge, by which space charge,
wakes and radiation act on them (`mass` in that of electrons, `charge_number` without sign; both can be set for others).

`spins` are unit vectors along x, y and the axis, (3, n), or None; a bunch gets them by `bunch.spins = [0, 1, 0]`, or an array with a
spin for each particle, and loses them by `bunch.spins = None`. Tracking turns them, by the anomalous magnetic moment `anomaly`;
`spin_moments()` are those of the surviving particles.
"""
Moments.__doc__ = """First and second moments of a bunch: mean, min, max, sigma (6), covariance (6, 6), and `optics(plane, betatron=False)`
of a plane, "x" or "y"; with `betatron` without the contribution of dispersion."""
CanonicalMoments.__doc__ = """First and second moments of a bunch in canonical coordinates: `mean` (6) and `covariance` (6, 6) of x, px, y, py (over
p0), ct (m; larger: later) and pt, minus the deviation of the energy over p0 c."""
SpinMoments.__doc__ = """Polarisation of a bunch: mean and sigma (3) of the components of spins, and `polarization`, the length of the mean."""
SpinOptics.__doc__ = """Spin `tune`, the turns of a spin around the invariant axis in a turn of the ring, and `axis` (n, 3): the invariant one at
the start and after each element."""
PlaneOptics.__doc__ = """Optical functions of a bunch in one plane: emittance (m), normalized_emittance, beta, alpha, dispersion,
dispersion_slope."""
Records.__doc__ = """Moments of a bunch at the monitors of a tracker: arrays with a row for each pass, with its turn and element."""
Optics.__doc__ = """Optics at the start of a line and after each element: position, beta_x, alpha_x, phase_x, ..., dispersion (n, 4), and the
orbit (n, 6) that they are about, or None for the axis. Periodic ones have tunes, chromaticities and momentum_compaction."""
Starts.__doc__ = """Starts of a dynamic aperture: x, y (m), lost_turn (-1: survives), lost_element, tune_x, tune_y, diffusion (log10 of the change
of the tunes); rows of `columns` starts; `area` (m^2) of the connected surviving ones."""


def generate_bunch(**parameters: float | tuple[float, float, float]) -> Bunch:
    """Generates a bunch; particle i is the same in every bunch of a seed.

    particles, p0 (beta gamma), charge (C), seed; for each plane, x and y: emittance_x or normalized_emittance_x (m), beta_x,
    alpha_x, dispersion_x, dispersion_slope_x, position_x, slope_x; sigma_s (m), sigma_delta, chirp (1/m), mean_s, mean_delta;
    cutoff (standard deviations), flat (profile along s), modulation_wavelength (m), modulation_depth; exact_moments: those of the
    sample are exact; canonical: moments are those of canonical coordinates; spin: a unit vector (3), of all particles; anomaly: their
    anomalous magnetic moment, one of ANOMALIES.
    """
    for name in parameters:
        if name not in _BUNCH_PARAMETERS:
            raise TypeError(f"generate_bunch has no parameter {name!r}")
    return Bunch._generate(parameters)


def bunch_from(coordinates: _ArrayLike, p0: float) -> Bunch:
    """Makes a bunch of an array (6, n) of numbers, in its order of coordinates; p0: reference momentum, beta gamma.

    An array of float64 with contiguous rows is used in place: tracking changes it. Other ones are copied.
    """
    return Bunch.from_array(_numpy.asarray(coordinates), p0)


def bunch_of(p0: float, **coordinates: _ArrayLike) -> Bunch:
    """Makes a bunch from arrays of coordinates, x, xp, y, yp, s, delta, which are copied; others are 0."""
    for name in coordinates:
        if name not in _COORDINATES:
            raise TypeError(f"bunch_of has no parameter {name!r}: coordinates are {', '.join(_COORDINATES)}")
    if not coordinates:
        raise TypeError("bunch_of needs the values of a coordinate")
    arrays = {name: _numpy.atleast_1d(values) for name, values in coordinates.items()}
    return Bunch._from_columns(arrays, len(next(iter(arrays.values()))), p0)


def read_bunch(path: str | _os.PathLike, p0: float = 0.0, iteration: str | int = "", species: str = "") -> Bunch:
    """Reads a bunch of CSV, HDF5, SDDS or openPMD; p0: its reference momentum (0: that of the file, else the mean).

    `iteration` and `species` name one of a file of openPMD that has several.
    """
    return Bunch.read(_os.fspath(path), p0, str(iteration), species)


# Tracking ----------------------------------------------------------------------------------------


class Tracker:
    """Tracks bunches through a line, for any number of turns.

    `monitors`: elements after which moments are recorded, by numbers or patterns of names. Particles beyond the limits of |x| and
    |y| (m) and of slopes at the end of a turn are lost. `records` are the moments so far; `clear()` removes them.
    """

    def __init__(self, line: Line | _Iterable, monitors: str | int | _Iterable[str | int] = (), max_position: float = 10.0,
                 max_slope: float = 1.0, backend: str = "") -> None:
        self.line = line if isinstance(line, Line) else Line(line)
        stops = []
        for monitor in [monitors] if isinstance(monitors, (str, int)) else monitors:
            if isinstance(monitor, str):
                found = self.line.find(monitor)
                if not found:
                    raise ValueError(f"monitors: the line has no element {monitor!r}")
                stops += found
            else:
                stops.append(int(monitor))
        self._tracker = _core.Tracker(self.line._line, max_position, max_slope, stops, backend)

    @property
    def monitors(self) -> list[int]:
        """Numbers of the elements of the monitors."""
        return self._tracker.stops

    @property
    def records(self) -> Records:
        """Moments at the monitors, of all turns so far."""
        return self._tracker.records

    def clear(self) -> None:
        """Removes the records; arrays of them stay valid."""
        self._tracker.clear()

    def space_charge(self, element: int) -> dict[str, _numpy.ndarray]:
        """Returns what a SpaceChargeDrift did in its last pass, also inside of observers.

        A dictionary: steps (n, 3) of length (m), radius (m) and peak current (A); and of the last step time (s), current (A) and
        voltage (V) of each bin, empty if there was no field.
        """
        return self._tracker.space_charge(range(len(self.line))[element])

    def track(self, bunch: Bunch, turns: int = 1, observer: _Callable[[int, int, Bunch], object] | None = None,
              progress: _Callable[[int, int], object] | None = None, record: bool = True) -> None:
        """Tracks a bunch, from its turn `bunch.turn` on.

        `observer(turn, element, bunch)` is called after each monitor and may change coordinates; `progress(done, turns)` after every
        some turns, at least each 0.2 s unless a turn takes longer. Ctrl-C ends the tracking after a turn: the bunch is what it is
        then, `bunch.turn` tells where, and the next call goes on. An exception of an observer leaves the bunch at that element.
        """
        if observer is not None and not self.monitors:
            raise ValueError("observer: the tracker has no monitors, after which it would be called")
        self._tracker.track(bunch, turns, observer, progress, record)


def track(line: Line | _Iterable, bunch: Bunch, turns: int = 1, **options) -> Bunch:
    """Tracks a bunch through a line, as Tracker does, and returns the bunch."""
    Tracker(line).track(bunch, turns, **options)
    return bunch


# Optics ------------------------------------------------------------------------------------------


def _line_of(line):
    return (line if isinstance(line, Line) else Line(line))._line


def _momentum(line, p0):
    if p0:
        return p0
    if line.p0 > 0.0:
        return line.p0
    raise ValueError("p0: the line's file has no beam, give its momentum, beta gamma")


def optics_at(beta_x: float, beta_y: float, alpha_x: float = 0.0, alpha_y: float = 0.0, dispersion: _ArrayLike | None = None,
              orbit: _ArrayLike | None = None, tune_x: float = 0.0, tune_y: float = 0.0) -> Optics:
    """Returns optics of one place, as the start of `twiss` or of `dynamic_aperture`: dispersion (4), orbit (6)."""
    return _core.optics_at(beta_x, alpha_x, beta_y, alpha_y, dispersion, orbit, tune_x, tune_y)


def twiss(line: Line | _Iterable, start: Optics | None = None, p0: float = 0.0) -> Optics:
    """Computes optics along a line by Taylor maps: periodic ones about the axis, or from those of a start."""
    return _core.twiss(_line_of(line), p0, start)


def closed_orbit(line: Line | _Iterable, p0: float = 0.0, delta: float = 0.0, chromaticity: bool = True) -> Optics:
    """Computes the closed orbit of a momentum and the optics about it, by tracked particles. p0: default that of the file."""
    line = _line_of(line)
    return _core.closed_orbit(line, _momentum(line, p0), delta, chromaticity)


def radiation(line: Line | _Iterable, p0: float = 0.0, optics: Optics | None = None) -> dict[str, float]:
    """Computes the equilibrium of electrons in a flat ring: a dictionary of energy_loss (eV), x_emittance, times (s), ..."""
    line = _line_of(line)
    return _core.radiation(line, optics or _core.twiss(line, p0, None), _momentum(line, p0))


def synchrotron_motion(line: Line | _Iterable, p0: float = 0.0) -> dict[str, float]:
    """Computes the longitudinal motion of a ring: a dictionary of tune, slip and compaction."""
    line = _line_of(line)
    return _core.synchrotron(line, _momentum(line, p0))


def spin_optics(line: Line | _Iterable, p0: float = 0.0, orbit: _ArrayLike | None = None,
                anomaly: float = ANOMALIES["electron"]) -> SpinOptics:
    """Computes spin tune and invariant spin axis of a ring about the particle that starts at `orbit` (6), by default on the axis.

    `closed_orbit(line).orbit[0]` is such a start.
    """
    line = _line_of(line)
    return _core.spin_optics(line, _momentum(line, p0), orbit, anomaly)


def dynamic_aperture(line: Line | _Iterable, p0: float = 0.0, turns: int = 1000, x_max: float = 0.02, y_max: float = 0.01,
                     columns: int = 45, rows: int = 22, optics: Optics | None = None, backend: str = "",
                     progress: _Callable[[int, int], object] | None = None) -> Starts:
    """Tracks a grid of starts about the closed orbit (of `optics`, else it is computed), with |x| to x_max and y from 0 to y_max, m.

    `progress(done, turns)` is called now and then. Returns a Starts.
    """
    line = _line_of(line)
    p0 = _momentum(line, p0)
    about = optics or _core.closed_orbit(line, p0, 0.0, False)
    return _core.dynamic_aperture(line, p0, about, turns, columns, rows, x_max, y_max, backend, progress)


__all__ = [
    "ANOMALIES", "Aperture", "Bunch", "CanonicalMoments", "Element", "FrequencyCutoff", "Line", "MadxFile", "Misalignment", "Moments", "Multipoles", "Optics",
    "OtherElement", "PlaneOptics", "QuadrupoleFringe", "Records", "SegmentPlane", "SpinMoments", "SpinOptics", "Starts", "Tracker",
    "bunch_from", "bunch_of", "closed_orbit", "dynamic_aperture", "generate_bunch", "optics_at", "parse_elegant", "parse_madx",
    "radiation", "read_bunch", "read_elegant", "read_madx", "read_pals", "read_xsuite", "spin_optics", "synchrotron_motion", "track",
    "twiss", "with_space_charge", "write_pals", *_TYPES,
]
