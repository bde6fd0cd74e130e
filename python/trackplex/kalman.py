# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kalman fits and smoothers of arrays of tracks with known hits. Lengths are in cm, momenta in GeV, fields in T, angles in rad.

The parameters of a track are x, y, z, 1/pT, phi and theta. Numbers are in double precision.
"""

from __future__ import annotations as _annotations

import enum as _enum
from dataclasses import dataclass as _dataclass

import numpy as _numpy
from numpy.typing import ArrayLike as _ArrayLike, NDArray as _NDArray

from ._trackplex import kalman as _core
from ._trackplex.detector import AxialField as _AxialField, Event as _Event, Tracks as _Tracks
from ._trackplex.kalman import CylinderHits, Fits, PlaneHits, Smoothed

__all__ = [
    "CylinderHits", "CylinderTracks", "FitStatus", "Fits", "PlaneHits", "Smoothed", "cylinder_covariances", "cylinder_hits", "fit",
    "generate_cylinder_tracks", "hits_of_tracks", "plane_hits",
]

_PION_MASS = 0.13957039

_DOCS = {
    CylinderHits: """Hits on cylinders around the z axis, one per track and layer: `cylinder_hits`. `len(hits)` is the number of tracks, of
`layers` hits each.""",
    PlaneHits: """Hits on planes, at most one per track and layer: `plane_hits`. `len(hits)` is the number of tracks, `layers` the max number
of hits of a track.""",
    Fits: """Fits of tracks: arrays with a row for each, views of the memory of the fit.

`parameters` (n, 6) at the last layer, `covariances` (n, 6, 6) of the parameters (a copy; `covariance_elements`, (n, 21), are the views of
the lower triangles, row by row), `charges`, `chi2`, `measurements` (numbers that were used: two for a hit with two coordinates),
`outliers` (hits that were not used), `reached` (all layers were) and `status`, a FitStatus. A track that is lost keeps its last good
state. `smoothed` is a Smoothed, or None.""",
    Smoothed: """States on all layers, each from all hits of its track; NaN for tracks that are not `reached`.

`parameters` (layers, n, 6), `covariances`, `covariance_elements` and `charges` as those of Fits; `residuals` (layers, n, 2) of hits
minus states, r phi and z on cylinders and u and v on planes, and `residual_covariance_elements` (layers, n, 3), the lower triangles
of their covariances. Without a hit the residual is 0 and its variance 1.""",
}
for _what, _text in _DOCS.items():
    _what.__doc__ = _text
    _what.__module__ = __name__
del _what, _text

CylinderHits.__repr__ = PlaneHits.__repr__ = lambda hits: f"<{type(hits).__name__} of {len(hits)} tracks on {hits.layers} layers>"
Fits.__repr__ = lambda fits: f"<Fits of {len(fits)} tracks, {fits.reached.sum()} reached>"
Smoothed.__repr__ = lambda smoothed: f"<Smoothed states of {smoothed.charges.shape[1]} tracks on {len(smoothed)} layers>"


class FitStatus(_enum.IntEnum):
    """Outcome of the fit of a track, in the order of harm."""

    FITTED = 0  #: all is well
    INVALID_HIT = 1  #: fitted, without hits whose covariances are none
    INVALID_COVARIANCE = 2  #: rounding has made a variance negative: the errors are wrong
    NOT_REACHED = 3  #: a layer was not reached; the state is the last one before
    STOPPED = 4  #: the particle has no energy left; the state is the last one before
    INVALID_START = 5  #: the covariance at the start is none: the state was not updated


def _broadcast(argument, values, shape):
    array = _numpy.asarray(values)
    try:
        return _numpy.broadcast_to(array, shape)
    except ValueError:
        raise ValueError(f"{argument} has the shape {array.shape}, which does not fit {shape}") from None


def _lower_triangles(argument, values, shape, n):
    """Lower triangles of symmetric matrices (..., n, n), or themselves (..., n (n + 1) / 2)."""
    array = _numpy.asarray(values)
    if array.ndim >= 2 and array.shape[-2:] == (n, n):
        largest = _numpy.max(_numpy.abs(array), initial=0.0, where=_numpy.isfinite(array))
        if not _numpy.allclose(array, _numpy.swapaxes(array, -1, -2), rtol=1e-6, atol=1e-12 * largest, equal_nan=True):
            raise ValueError(f"{argument} are not symmetric")
        array = array[(..., *_numpy.tril_indices(n))]
    elements = n * (n + 1) // 2
    if array.shape[-1:] != (elements,):
        raise ValueError(f"{argument} has the shape {array.shape}, which ends neither in ({n}, {n}) nor, lower triangles, in {elements}")
    return _broadcast(argument, array, (*shape, elements))


def _points(points):
    points = _numpy.asarray(points)
    if points.ndim != 3 or points.shape[-1] != 3:
        raise ValueError(f"points has the shape {points.shape} instead of (layers, n, 3)")
    return points


def cylinder_covariances(points: _ArrayLike, sigma_r_phi: _ArrayLike, sigma_z: _ArrayLike) -> _NDArray:
    """Returns the covariances (..., 3, 3) of points (..., 3) with errors, cm, across the radius and along z."""
    x, y, _ = _numpy.moveaxis(_numpy.asarray(points, _numpy.float64), -1, 0)
    scale = _numpy.asarray(sigma_r_phi) / _numpy.hypot(x, y)
    across, along = _numpy.stack([-y * scale, x * scale], axis=-1), _numpy.zeros((*x.shape, 3, 3))
    along[..., 2, 2] = _numpy.square(sigma_z)
    along[..., :2, :2] = across[..., :, None] * across[..., None, :]
    return along


def cylinder_hits(points: _ArrayLike, covariances: _ArrayLike, thickness: float = 0.0) -> CylinderHits:
    """Makes hits on cylinders, in the order of the fit: the cylinder of each is that through its point.

    `points` (layers, n, 3): x, y, z; `covariances`: (layers, n, 3, 3), or of a shape that extends to it, of r phi and z in space
    (`cylinder_covariances`); `thickness`: of silicon in each layer. The arrays are copied.
    """
    points = _points(points)
    return CylinderHits(points, _lower_triangles("covariances", covariances, points.shape[:2], 3), thickness)


def plane_hits(points: _ArrayLike, u: _ArrayLike, v: _ArrayLike, covariances: _ArrayLike, counts: _ArrayLike = 2,
               radiation_lengths: _ArrayLike = 0.0) -> PlaneHits:
    """Makes hits on planes of any orientation, in the order of the fit.

    `points` (layers, n, 3): measured points, of a strip any point on it; `u`, `v`: unit vectors at right angles in the plane;
    `covariances` (layers, n, 2, 2) along them; `counts` (layers, n) of measured coordinates: 2, or 1 for a strip, which measures u, or
    0 for a plane that is crossed only; -1: the track has no plane here; `radiation_lengths` (layers, n): of silicon, along the normal.
    All but `points` may be of shapes that extend to these, such as (layers, 1, 3) for axes. The arrays are copied.
    """
    points = _points(points)
    shape = points.shape[:2]
    return PlaneHits(
        points, _broadcast("u", u, (*shape, 3)), _broadcast("v", v, (*shape, 3)), _lower_triangles("covariances", covariances, shape, 2),
        _broadcast("counts", counts, shape), _broadcast("radiation_lengths", radiation_lengths, shape))


def hits_of_tracks(event: _Event, tracks: _Tracks) -> PlaneHits:
    """Makes the hits of tracks that a TrackFinder has found in an event, along each track, with the material of their modules."""
    first, end = tracks.track_offsets[:-1], tracks.track_offsets[1:]
    layer = _numpy.arange(max(1, _numpy.max(end - first, initial=1)))[:, None]
    hit = tracks.track_hits[_numpy.minimum(first + layer, end - 1)]
    modules, u, v = event.modules[hit], event.u[hit], event.v[hit]
    detector, is_strip = event.detector, event.variance_v[hit] == 0
    covariances = _numpy.stack([event.variance_u[hit], _numpy.zeros(hit.shape), event.variance_v[hit]], axis=-1)
    points = detector.points(modules.ravel(), u.ravel(), v.ravel()).reshape(*hit.shape, 3)
    counts = _numpy.where(first + layer < end, _numpy.where(is_strip, 1, 2), -1)
    return plane_hits(points, detector.u[modules], detector.v[modules], covariances, counts, detector.radiation_lengths[modules])


def fit(hits: CylinderHits | PlaneHits, field: float | _AxialField, parameters: _ArrayLike, covariances: _ArrayLike,
        charges: _ArrayLike = 1.0, smooth: bool = False, max_chi2: float = _numpy.inf, mass: float = _PION_MASS, along: bool = True,
        backend: str = "") -> Fits:
    """Fits each track with its hits, one layer after the other, and with `smooth` computes its states on every layer.

    `field`: along z, or a map; `parameters` (n, 6), `covariances` (n, 6, 6) or (6, 6) and `charges` (n) or one: the states before the
    first layer, whose covariances give their weight. They are copied. Hits with a larger chi2 than `max_chi2` are outliers.
    `along=False`: the fit goes against the momentum, and the energy that the particle has lost in material is added back.
    """
    if not isinstance(hits, (CylinderHits, PlaneHits)):
        raise TypeError("hits are neither CylinderHits nor PlaneHits: cylinder_hits and plane_hits make them of arrays")
    parameters = _numpy.asarray(parameters)
    n = len(hits)
    if parameters.shape != (n, 6):
        raise ValueError(f"parameters has the shape {parameters.shape}, but there are hits of {n} tracks: it has to be {(n, 6)}")
    return hits.fit(field, parameters, _lower_triangles("covariances", covariances, (n,), 6), _broadcast("charges", charges, (n,)),
                    max_chi2, mass, along, smooth, backend)


@_dataclass(frozen=True)
class CylinderTracks:
    """Generated tracks in cylinders, with the truth and with states to start a fit from."""

    hits: CylinderHits
    points: _numpy.ndarray  #: (layers, n, 3) of the hits
    hit_covariance_elements: _numpy.ndarray  #: (layers, n, 6), lower triangles
    truth: _numpy.ndarray  #: (n, 6) parameters at the vertices
    truth_on_layers: _numpy.ndarray  #: (layers, n, 6)
    charges: _numpy.ndarray  #: (n)
    complete: _numpy.ndarray  #: (n) the particle has reached all layers
    parameters: _numpy.ndarray  #: (n, 6) to start from: the truth with random errors
    covariance_elements: _numpy.ndarray  #: (n, 21) of these, lower triangles


def generate_cylinder_tracks(
        n: int, field: float = 3.8112, layers: int = 10, first_radius: float = 4.0, spacing: float = 4.0, min_pt: float = 0.5,
        max_pt: float = 10.0, max_eta: float = 1.0, vertex_sigma_xy: float = 0.1, vertex_sigma_z: float = 1.0, sigma_r_phi: float = 0.01,
        sigma_z: float = 0.1, sigma_r: float = 0.0, thickness: float = 0.1, mass: float = _PION_MASS, seed: int = 1,
        start_sigma: tuple[float, ...] = (0.1, 0.1, 1.0, 0.05, 0.02, 0.02), start_seed: int | None = None) -> CylinderTracks:
    """Generates the tracks of the program kalman_fit: pions in a detector of cylinders, with scattering and energy loss in silicon.

    A track depends only on the parameters, the seed and its number. `start_sigma`: errors of the states to start from;
    `start_seed`: of their random numbers (None: all bits of the seed flipped).
    """
    if start_seed is None:
        start_seed = ~seed & 0xFFFFFFFFFFFFFFFF
    return CylinderTracks(**_core.generate_cylinder_tracks(
        n, field, layers, first_radius, spacing, min_pt, max_pt, max_eta, vertex_sigma_xy, vertex_sigma_z, sigma_r_phi, sigma_z,
        sigma_r, thickness, mass, seed, start_sigma, start_seed))
