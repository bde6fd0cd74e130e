# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tracks in any detector of modules around a collision region. Lengths are in cm, momenta in GeV, fields in T, angles in rad."""

from __future__ import annotations as _annotations

from collections.abc import Iterable as _Iterable
from dataclasses import dataclass as _dataclass
from os import PathLike as _PathLike
from os import fspath as _fspath
from pathlib import Path as _Path

import numpy as _numpy
from numpy.typing import ArrayLike as _ArrayLike

from ._trackplex import detector as _core
from ._trackplex.detector import AxialField, Builder, Detector, Event, TrackFinder, Tracks

__all__ = [
    "AxialField", "Builder", "Comparison", "Detector", "Event", "TrackFinder", "Tracks", "compare", "generate_events",
    "read_acts_detector", "read_acts_measurements", "read_trackml_detector", "read_trackml_event", "small_detector", "trackml_field",
    "uniform_field",
]

_PION_MASS = 0.13957039

_DOCS = {
    AxialField: """Magnetic field with an axis along z through `centre`, from a map that is interpolated linearly; 0 outside of it.

`AxialField(r, z, b_r, b_z)`: first and last node along r and z, and arrays of the shape (nodes along r, nodes along z).
`field(points)` returns the field at points of the shape (n, 3).""",
    Builder: """Builder of detectors: `Builder().barrel(radius=3, half_length=25, n_phi=14, n_z=8, pitch_u=0.005,
pitch_v=0.04).disk(z=30, inner=3, outer=15, n_phi=[16, 24], ...).build()`. A `pitch_v` of 0 is a strip; `thickness` and
`radiation_lengths` are those of modules; neighbours overlap by `overlap` and are staggered by `stagger`.""",
    Detector: """Modules on layers. `len(detector)` is the number of modules; `centres`, `u`, `v` (n, 3) are their frames, and
`layer_of_module`, `pitch_u`, `pitch_v`, `radiation_lengths`, `identifiers` have a number for each. `moved(centres, u, v)` returns the
same modules at other places; `points(modules, u, v)` the points in space of coordinates on modules.""",
    Event: """Hits on modules, ordered by layer, and the truth if it is known.

`Event(detector, modules, u, v, variance_u, variance_v)` copies its arrays; a variance_v of 0 is a strip. `added` is the place of each
hit in these arrays. With truth, `particle_of_hit` has the particle of each hit (-1: noise), `starts` (n, 6) has x, y, z, 1/pT, phi and
theta of the particles at their vertices, `charges` their charges, `n_hits` their numbers of hits, and `weights` those of TrackML's
score.""",
    TrackFinder: """Finds the tracks of particles from a collision region, in five passes, in single precision.

`TrackFinder(detector, field, min_pt=0.15, sigma_z=5.5, beam=(0, 0, 0))`: collisions are normally distributed about `beam` with the
standard deviation `sigma_z` along z; a detector has at least three layers of pixels, one after the other. `max_d0`: distance from the
beam of the tracks of the last pass; `mass`: that of the particles; `passes`: only the first ones (0: all). `finder(events)` returns a
Tracks for each Event.""",
    Tracks: """Tracks of an event. Track i has the hits `track(i)`: track_hits[track_offsets[i]:track_offsets[i + 1]], indices into the
hits of the event. `parameters` (n, 6) are x, y, z, 1/pT, phi, theta on the module of the first hit, `covariances` (n, 6, 6) theirs (a
copy; `covariance_elements` are the lower triangles), `charges`, `chi2` and `measurements` (two for a pixel) those of the fits; `passes`
says in which pass a track was found, and `lost_seeds` how many seeds were beyond the capacities.""",
}
for _what, _text in _DOCS.items():
    _what.__doc__ = _text
    _what.__module__ = __name__
del _what, _text

Detector.__repr__ = lambda modules: f"<Detector of {len(modules)} modules on {len(modules.layers)} layers>"
Event.__repr__ = lambda event: f"<Event of {len(event)} hits{', with truth' if event.has_truth else ''}>"
Tracks.__repr__ = lambda tracks: f"<Tracks: {len(tracks)}>"


def small_detector() -> Detector:
    """Returns a detector of 8 barrels and 12 disks with about 2000 modules, for trials without files."""
    return Detector.small()


def read_trackml_detector(path: str | _PathLike, material: str = "silicon") -> Detector:
    """Reads a table of modules, detectors.csv of TrackML or your own.

    `material`: "silicon" of the thickness of the modules, "trackml" (modules and supports of TrackML's detector) or "none".
    """
    return Detector.read_trackml(path, material)


def read_acts_detector(path: str | _PathLike) -> Detector:
    """Reads a table of surfaces of ACTS; it says nothing of material."""
    return Detector.read_acts(path)


def uniform_field(tesla: float) -> AxialField:
    """Returns a uniform field along z."""
    return AxialField.uniform(tesla)


def trackml_field() -> AxialField:
    """Returns the field of TrackML, a displaced solenoid of 2 T."""
    return AxialField.trackml()


def generate_events(detector: Detector, field: AxialField, n: int, *, tracks: int = 1000, seed: int = 1, first: int = 0,
                    min_pt: float = 0.5, max_pt: float = 10.0, max_eta: float = 2.0, beam: tuple[float, float, float] = (0.0, 0.0, 0.0),
                    sigma_xy: float = 0.01, sigma_z: float = 5.5, noise: float = 0.0, inefficiency: float = 0.0,
                    mass: float = _PION_MASS, like_trackml: bool = False,
                    particles: tuple[_ArrayLike, _ArrayLike] | None = None) -> list[Event]:
    """Generates events with truth: particles fly through field and material, and leave smeared hits. Event i has the number first + i.

    `tracks` particles have 1/pT between the limits, with a uniform logarithm, and vertices about `beam`; or all events have
    `particles`: their starts (n, 6) and charges. `noise`: noise hits over all hits; `inefficiency`: probability that a module has no
    hit; `like_trackml`: with the passive material and interactions of TrackML's detector. An event depends only on the parameters,
    the seed and its number.
    """
    generator = _core.Generator(detector, field, noise, inefficiency, mass, like_trackml, seed)
    if particles is not None:
        return [generator.event(first + i, *particles) for i in range(n)]
    return [generator.random(first + i, tracks, min_pt, max_pt, max_eta, beam, sigma_xy, sigma_z) for i in range(n)]


def read_trackml_event(detector: Detector, prefix: str | _PathLike) -> Event:
    """Reads an event of TrackML from the files PREFIX-hits.csv, and -particles.csv and -truth.csv where they exist; .gz, too."""
    return _core.read_trackml_event(detector, prefix)


def read_acts_measurements(detector: Detector, path: str | _PathLike) -> Event:
    """Reads the measurements of an event of ACTS."""
    return _core.parse_acts_measurements(detector, _Path(path).read_text(), _fspath(path))


@_dataclass(frozen=True)
class Comparison:
    """Tracks against the truth, by double majority: more than half of the hits of the track and of the particle are common."""

    score: float  #: TrackML's score; 0 without weights
    efficiency: float  #: particles with a good track
    efficiency_error: float  #: half the interval of one standard deviation
    fake_rate: float  #: tracks with no particle that has most of their hits
    duplicate_rate: float  #: particles with two or more good tracks, over those with one or more
    hit_efficiency: float  #: common hits over the hits of the particles of good tracks
    purity: float  #: common hits over the hits of good tracks
    particle_of_track: list[_numpy.ndarray]  #: for each event and track the particle in the event, or -1


def compare(events: _Iterable[Event], tracks: _Iterable[Tracks], min_track_hits: int = 4, min_particle_hits: int = 4,
            min_pt: float = 0.0, max_vertex_radius: float = 1e9) -> Comparison:
    """Compares tracks with the truth of their events.

    Tracks with fewer hits do not count, nor do particles with fewer hits, below `min_pt`, or from beyond a radius about the z axis.
    """
    return Comparison(**_core.compare(list(events), list(tracks), min_track_hits, min_particle_hits, min_pt, max_vertex_radius))
