# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LHCb: raw banks and hits to tracks of VELO and UT. Lengths are in mm, momenta in MeV."""

from __future__ import annotations as _annotations

from os import PathLike as _PathLike

from ._trackplex import lhcb as _core
from ._trackplex.lhcb import (
    Detector, McEvent, RawEvent, VeloEvent, VeloFinder, VeloResult, VeloUtFinder, VeloUtResult)

__all__ = [
    "Detector", "McEvent", "RawEvent", "VeloEvent", "VeloFinder", "VeloResult", "VeloUtFinder", "VeloUtResult",
    "generate_raw_events", "generate_velo_events", "ideal_detector", "read_detector", "read_mdf", "read_raw_events", "write_mdf",
]

_DOCS = {
    Detector: "Geometry of VELO and UT, and the magnet: `Detector.ideal()`, `Detector.read(folder)`, `write(folder)`.",
    McEvent: """Truth of a simulated event: an array for each property of its particles, and the LHCbIDs of their hits,
`velo_ids(particle)` and `ut_ids(particle)`.""",
    RawEvent: """Raw banks of an event, `vp` and `ut`: dictionaries of version, sources, first_words and words (and bytes). Bank b has
the words first_words[b] to first_words[b + 1]. An event copies the arrays it is made of.""",
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


def ideal_detector() -> Detector:
    """Returns a regular detector with the dimensions of the upgraded LHCb."""
    return Detector.ideal()


def read_detector(folder: str | _PathLike) -> Detector:
    """Reads the detector that the files of a folder describe."""
    return Detector.read(folder)


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


def read_raw_events(folder: str | _PathLike) -> list[RawEvent]:
    """Reads the events of a folder of bank files, banks/VP/NAME.bin and banks/UT/NAME.bin."""
    return _core.read_raw_events(folder)
