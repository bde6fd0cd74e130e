# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LHCb: raw banks and hits to tracks of VELO, UT and SciFi, and primary vertices. Lengths are in mm, momenta in MeV."""

from __future__ import annotations as _annotations

from os import PathLike as _PathLike
from pathlib import Path as _Path

from ._trackplex import lhcb as _core
from ._trackplex.lhcb import (
    Detector, McEvent, RawEvent, TracksFinder, TracksResult, VeloEvent, VeloFinder, VeloResult, VeloUtFinder, VeloUtResult)

__all__ = [
    "Detector", "McEvent", "RawEvent", "TracksFinder", "TracksResult", "VeloEvent", "VeloFinder", "VeloResult", "VeloUtFinder",
    "VeloUtResult", "generate_raw_events", "generate_velo_events", "ideal_detector", "read_detector", "read_mc_event", "read_mdf",
    "read_raw_events", "write_mdf",
]

_DOCS = {
    Detector: "Geometry of VELO, UT and, where it is known, SciFi, and the magnet: `read_detector`, `ideal_detector`, `write(folder)`.",
    McEvent: """Truth of a simulated event: an array for each property of its particles, and the LHCbIDs of their hits,
`velo_ids(particle)`, `ut_ids(particle)` and `scifi_ids(particle)`.""",
    RawEvent: """Raw banks of an event, `vp`, `ut` and `scifi`: dictionaries of version, sources, first_words and words (and bytes). Bank b has
the words first_words[b] to first_words[b + 1]. An event copies the arrays it is made of.""",
    TracksFinder: """Finds what VeloUtFinder finds, primary vertices and, where the detector has a SciFi, long tracks.

Without `long_tracks` these are left out. `search` is "forward" (from the UT; with `without_ut` also from VELO tracks without it), "matching"
(of tracks in the SciFi with those of the VELO) or "both". `fit_parameters`: folder with the parameters of LHCb's Kalman filter, with which
long tracks are fitted; or `field_map`: file with a map of the magnet, in which they are fitted instead. Those with a larger chi2/ndf than
`max_chi2_per_ndf` are dropped (0: none). `finder(events)` returns a TracksResult for each RawEvent.""",
    TracksResult: """A VeloUtResult with the hits of the SciFi, scifi_x, ..., scifi_ids, and structured arrays: `long_tracks`, with
velo_track, ut_track (-1: none), hits (one for each layer, -1: none), qop (1/MeV), quality and x, y, tx, ty after the SciFi; `long_fits`,
their fits, with x, y, z, tx, ty, qop next to the beam, covariance (lower triangle), chi2 and ndf; `vertices`, with position, covariance
(xx, xy, yy, xz, yz, zz), weight and tracks.""",
    VeloEvent: """Hits of the VELO, ordered by module: those of module m are module_offsets[m] to module_offsets[m + 1] of x, y and z.
An event copies the arrays it is made of.""",
    VeloFinder: """Finds the tracks of the VELO by Search by triplet, with the cuts of "2019", "2020" or "2023", in single precision.
`finder(events)` returns a VeloResult for each VeloEvent.""",
    VeloResult: """Tracks of the VELO. Track i has the hits `track(i)`: track_hits[track_offsets[i]:track_offsets[i + 1]], indices into
the hits of the event. `states` is a structured array with x, y, z, tx, ty, chi2, ndf and backward.""",
    VeloUtFinder: """Finds tracks through VELO and UT, with momentum: clusters of pixels, Search by triplet, decoding of the UT, Compass.
The cuts are `velo` ("2019", "2020", "2023") and `ut` (these and "paper"). `finder(events)` returns a VeloUtResult for each
RawEvent; `finder([event for event, truth in events])` for generated ones.""",
    VeloUtResult: """Hits and tracks of VELO and UT: the tracks of the VELO as in VeloResult, its hits velo_x, ..., velo_ids, those of the
UT ut_x, ..., ut_ids, and `ut_tracks`, a structured array with velo_track, hits (one for each layer, -1: none), qop (1/MeV), chi2, x
and slope. All arrays are views of those of the batch.""",
}
for _what, _text in _DOCS.items():
    _what.__doc__ = _text
    _what.__module__ = __name__
del _what, _text

VeloResult.__repr__ = VeloUtResult.__repr__ = TracksResult.__repr__ = lambda result: f"<{type(result).__name__} of {len(result)} tracks>"


def ideal_detector(scifi: bool = False) -> Detector:
    """Returns a regular detector with the dimensions of the upgraded LHCb; if `scifi`, also with a SciFi, for long tracks."""
    return Detector.ideal(scifi)


def read_detector(*folders: str | _PathLike) -> Detector:
    """Reads the detector that the files of folders describe; of files in several folders the last one is read."""
    return Detector.read(folders)


def generate_raw_events(detector: Detector, n: int, seed: int = 1, first: int = 0) -> list[tuple[RawEvent, McEvent]]:
    """Generates events with truth: a list of pairs of RawEvent and McEvent. An event depends only on detector, seed and number."""
    return _core.generate_raw_events(detector, n, seed, first)


def generate_velo_events(n: int, seed: int = 1, first: int = 0) -> list[VeloEvent]:
    """Generates events of the VELO: a list of VeloEvent."""
    return _core.generate_velo_events(n, seed, first)


def read_mdf(path: str | _PathLike) -> list[tuple[RawEvent, McEvent | None]]:
    """Reads all events of an MDF file: a list of pairs of RawEvent and McEvent, or None without truth."""
    return _core.read_mdf(path)


def write_mdf(path: str | _PathLike, events: list[tuple[RawEvent, McEvent | None]]) -> None:
    """Writes pairs of RawEvent and McEvent (or None) as an MDF file."""
    _core.write_mdf(path, events)


def read_raw_events(*folders: str | _PathLike) -> list[RawEvent]:
    """Reads the events of folders of bank files, banks/VP/NAME.bin, banks/UT/NAME.bin and, if there are some, banks/FTCluster/NAME.bin.

    Folders complete each other: banks of a kind are read from the last one that has some.
    """
    return _core.read_raw_events(folders)


def read_mc_event(folder: str | _PathLike, name: str) -> McEvent:
    """Reads the truth of an event, MC_info/tracks/NAME.bin and MC_info/PVs/NAME.bin in a folder. `event.name` serves as a name."""
    return _core.read_mc_event(folder, _Path(name).name)
