# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import gc
import threading

import numpy as np
import pytest

from trackplex import detector, kalman

FIELD = 3.8112


@pytest.fixture(scope="module")
def tracks():
    return kalman.generate_cylinder_tracks(2000)


def fit(tracks, hits=None, field=FIELD, **options):
    return kalman.fit(hits or tracks.hits, field, tracks.parameters, tracks.covariance_elements, tracks.charges, **options)


def same(a, b):
    return np.array_equal(a, b, equal_nan=True)


def test_pulls(tracks):
    fits = fit(tracks, smooth=True)
    good = fits.reached & tracks.complete
    assert good.mean() > 0.99 and (fits.status[fits.reached] == kalman.FitStatus.FITTED).all()
    assert abs((fits.chi2[good] / fits.measurements[good]).mean() - 1) < 0.02 and (fits.measurements[good] == 20).all()
    errors = {"last": (fits.parameters - tracks.truth_on_layers[-1], fits.covariances)}
    for layer in (0, 5):
        errors[layer] = fits.smoothed.parameters[layer] - tracks.truth_on_layers[layer], fits.smoothed.covariances[layer]
    for difference, covariance in errors.values():
        for i in (2, 3, 4, 5):
            pulls = difference[good, i] / np.sqrt(covariance[good, i, i])
            assert abs(pulls.mean()) < 0.1 and abs(pulls.std() - 1) < 0.08
    smoothed = fits.smoothed
    variance = smoothed.residual_covariance_elements[..., [0, 2]]
    pulls = (smoothed.residuals / np.sqrt(variance))[:, good]
    assert (abs(pulls.mean(axis=1)) < 0.1).all() and (abs(pulls.std(axis=1) - 1) < 0.08).all()


def test_fits_and_smoothed_fits_agree(tracks):
    one, two = fit(tracks), fit(tracks, smooth=True)
    assert one.smoothed is None and len(two.smoothed) == tracks.hits.layers == 10 and len(one) == len(tracks.hits) == 2000
    for name in ("parameters", "covariance_elements", "charges", "chi2", "measurements", "outliers", "reached", "status"):
        assert same(getattr(one, name), getattr(two, name)), name
    last, good = two.smoothed.parameters[-1], one.reached
    assert np.allclose(last[good], one.parameters[good], rtol=1e-9, atol=1e-9)
    assert np.isnan(last[~good]).all() and np.isnan(two.smoothed.residuals[:, ~good]).all()


def test_hits_from_arrays_are_those_that_were_generated(tracks):
    lower = np.tril_indices(3)
    covariances = np.zeros((*tracks.points.shape, 3))
    covariances[(..., *lower)] = covariances[(..., *lower[::-1])] = tracks.hit_covariance_elements
    for given in (covariances, tracks.hit_covariance_elements):
        hits = kalman.cylinder_hits(tracks.points, given, thickness=0.1)
        assert same(fit(tracks, hits).parameters, fit(tracks).parameters)
    computed = kalman.cylinder_covariances(tracks.points, 0.01, 0.1)
    assert np.allclose(computed, covariances, rtol=1e-3, atol=1e-12)
    thin = kalman.cylinder_hits(tracks.points, tracks.hit_covariance_elements)
    assert not same(fit(tracks, thin).covariance_elements, fit(tracks).covariance_elements)


def test_a_uniform_map_is_a_uniform_field(tracks):
    fits, there = fit(tracks), fit(tracks, field=detector.uniform_field(FIELD))
    good = fits.reached & there.reached
    assert good.mean() > 0.99
    error = np.sqrt(fits.covariances[:, np.arange(6), np.arange(6)])
    assert (abs(there.parameters - fits.parameters) < 1e-3 * error)[good].all()


def planes(n=500, layers=8, seed=1):
    """Straight tracks along x through planes of pixels, every second one turned by 30 degrees, and what they start from."""
    random = np.random.default_rng(seed)
    slopes, offsets = random.normal(0, 0.1, (2, n)), random.normal(0, 0.5, (2, n))
    distance = 10.0 * (1 + np.arange(layers))[:, None]
    turned = np.radians(30.0) * (np.arange(layers) % 2)
    u = np.stack([np.zeros(layers), np.cos(turned), np.sin(turned)], axis=-1)[:, None]
    v = np.stack([np.zeros(layers), -np.sin(turned), np.cos(turned)], axis=-1)[:, None]
    truth = np.stack([distance + 0 * slopes[0], offsets[0] + distance * slopes[0], offsets[1] + distance * slopes[1]], axis=-1)
    noise = random.normal(0, 0.01, (2, layers, n, 1))
    points = truth + noise[0] * u + noise[1] * v
    phi, theta = np.arctan(slopes[0]), np.arctan2(np.hypot(1, slopes[0]), slopes[1])
    start = np.stack([0 * phi, *offsets, 0 * phi, phi, theta], axis=-1)
    sigma = np.array([1e-3, 1.0, 1.0, 1e-6, 0.3, 0.3])
    start[:, [1, 2, 4, 5]] += random.normal(0, 0.1, (n, 4))
    return points, u, v, truth, start, np.diag(sigma**2)


def test_planes():
    points, u, v, truth, start, covariance = planes()
    hits = kalman.plane_hits(points, u, v, 1e-4 * np.eye(2))
    fits = kalman.fit(hits, 0.0, start, covariance, smooth=True)
    assert fits.reached.all() and (fits.measurements == 16).all()
    assert abs((fits.chi2 / 16).mean() - 12 / 16) < 0.03  # errors at the start are far smaller than their weight
    smoothed = fits.smoothed
    for i in (1, 2):
        pulls = (smoothed.parameters[..., i] - truth[..., i]) / np.sqrt(smoothed.covariances[..., i, i])
        assert (abs(pulls.mean(axis=1)) < 0.15).all() and (abs(pulls.std(axis=1) - 1) < 0.12).all()
    off = points - smoothed.parameters[..., :3]
    along = np.stack([(off * u).sum(axis=-1), (off * v).sum(axis=-1)], axis=-1)
    assert np.allclose(along, smoothed.residuals, atol=1e-9)
    moved = points.copy()
    moved[3, :, 1] += 0.05
    seen = kalman.fit(kalman.plane_hits(moved, u, v, 1e-4 * np.eye(2)), 0.0, start, covariance, smooth=True).smoothed.residuals
    assert np.argmax(abs(seen.mean(axis=1)).max(axis=-1)) == 3


def test_strips_gaps_and_material():
    points, u, v, truth, start, covariance = planes(40)
    counts = np.full(points.shape[:2], 2)
    counts[2], counts[3, ::2], counts[4], counts[-1, 5] = 1, 0, -1, -1
    hits = kalman.plane_hits(points, u, v, 1e-4 * np.eye(2), counts, radiation_lengths=0.01)
    start[:, 3] = 1.0
    fits = kalman.fit(hits, 0.0, start, covariance, smooth=True)
    expected = np.where(np.arange(40) % 2 == 0, 11, 13) - 2 * (np.arange(40) == 5)
    assert (fits.measurements == expected).all() and fits.reached.all()
    assert same(fits.smoothed.residuals[4], np.zeros((40, 2))) and (fits.smoothed.residual_covariance_elements[4, :, 0] == 1).all()
    assert (fits.parameters[:, 3] > 1.0).all()  # energy is lost
    back = kalman.fit(hits, 0.0, start, covariance, along=False)
    assert (back.parameters[:, 3] < 1.0).all()
    thin = kalman.fit(kalman.plane_hits(points, u, v, 1e-4 * np.eye(2), counts), 0.0, start, covariance)
    assert (thin.covariances[:, 4, 4] < fits.covariances[:, 4, 4]).all()


def test_found_tracks_are_fitted_again():
    modules, field = detector.small_detector(), detector.uniform_field(2.0)
    event, = detector.generate_events(modules, field, 1, tracks=100, seed=3)
    tracks, = detector.TrackFinder(modules, field, min_pt=0.3)([event])
    hits = kalman.hits_of_tracks(event, tracks)
    assert len(hits) == len(tracks) > 50 and hits.layers == np.diff(tracks.track_offsets).max()
    fits = kalman.fit(hits, field, tracks.parameters, 100 * tracks.covariances, tracks.charges, smooth=True)
    assert fits.reached.mean() > 0.99 and (fits.measurements == tracks.measurements).mean() > 0.9
    first = fits.smoothed.parameters[0]
    sigma = np.sqrt(tracks.covariances[:, np.arange(6), np.arange(6)])
    assert np.nanmean((abs(first - tracks.parameters) < 0.5 * sigma)[:, 3:]) > 0.95
    none, = detector.generate_events(modules, field, 1, tracks=0)
    assert len(kalman.hits_of_tracks(none, detector.TrackFinder(modules, field, min_pt=0.3)([none])[0])) == 0


def test_outliers_and_lost_tracks(tracks):
    points = tracks.points.copy()
    points[4, :, 2] += 10.0
    hits = kalman.cylinder_hits(points, tracks.hit_covariance_elements, 0.1)
    fits = fit(tracks, hits, max_chi2=50.0)
    good = fits.reached & tracks.complete
    assert (fits.outliers[good] >= 1).all() and (fits.outliers[good] == 1).mean() > 0.99
    parameters = tracks.parameters.copy()
    parameters[0, 5], parameters[1, 3] = np.nan, 100.0
    covariances = tracks.covariance_elements.copy()
    covariances[2, 0] = -1.0
    status = kalman.fit(tracks.hits, FIELD, parameters, covariances, tracks.charges).status
    assert status[0] == kalman.FitStatus.NOT_REACHED and status[2] == kalman.FitStatus.INVALID_START
    assert status[1] in (kalman.FitStatus.NOT_REACHED, kalman.FitStatus.STOPPED)


def test_results_are_views_that_stay(tracks):
    fits = fit(tracks, smooth=True)
    smoothed = fits.smoothed
    views = [getattr(fits, name) for name in ("parameters", "covariance_elements", "charges", "chi2", "measurements", "outliers",
                                              "reached", "status")]
    views += [getattr(smoothed, name) for name in ("parameters", "covariance_elements", "residuals", "residual_covariance_elements")]
    copies = [view.copy() for view in views]
    address = fits.parameters.__array_interface__["data"][0]
    assert address == views[0].__array_interface__["data"][0] == fits.parameters[:5].__array_interface__["data"][0]
    assert np.shares_memory(smoothed.parameters[3], views[8]) and not any(view.flags.writeable for view in views)
    lower = np.tril_indices(6)
    assert same(fits.covariances[(..., *lower)], views[1]) and same(smoothed.covariances[(..., *lower)], views[9])
    del fits, smoothed
    gc.collect()
    fit(tracks)
    assert all(same(view, copy) for view, copy in zip(views, copies))


def test_other_threads(tracks):
    expected, found = fit(tracks).parameters, []
    covariances = tracks.hit_covariance_elements

    def work():
        hits = kalman.cylinder_hits(tracks.points, covariances, 0.1)
        found.append(fit(tracks, hits).parameters)
        points, u, v, _, start, covariance = planes(50)
        found.append(kalman.fit(kalman.plane_hits(points, u, v, 1e-4 * np.eye(2)), 0.0, start, covariance).reached.all())

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6 and all(same(f, expected) if isinstance(f, np.ndarray) else f for f in found)


def test_objects_say_what_they_are(tracks):
    fits = fit(tracks, smooth=True)
    assert repr(tracks.hits) == "<CylinderHits of 2000 tracks on 10 layers>" and repr(fits).startswith("<Fits of 2000 tracks, ")
    assert repr(fits.smoothed) == "<Smoothed states of 2000 tracks on 10 layers>"


def test_no_tracks():
    hits = kalman.cylinder_hits(np.zeros((3, 0, 3)), np.eye(3))
    fits = kalman.fit(hits, FIELD, np.zeros((0, 6)), np.eye(6), smooth=True)
    assert len(fits) == 0 and fits.parameters.shape == (0, 6) and fits.smoothed.covariances.shape == (3, 0, 6, 6)
    assert fits.reached.shape == (0,) and len(kalman.generate_cylinder_tracks(0).truth) == 0


def test_bad_arguments_are_named(tracks):
    points, u, v, _, start, covariance = planes(4)
    pixels = 1e-4 * np.eye(2)
    hits = kalman.plane_hits(points, u, v, pixels)
    for problem, bad in {
            r"parameters has the shape \(3, 6\)": lambda: kalman.fit(hits, 0.0, start[:3], covariance),
            r"covariances has the shape \(5, 5\), which ends neither": lambda: kalman.fit(hits, 0.0, start, np.eye(5)),
            "covariances are not symmetric": lambda: kalman.fit(hits, 0.0, start, np.triu(np.ones((6, 6)))),
            r"covariances has the shape \(\), which ends neither in \(3, 3\)": lambda: kalman.cylinder_hits(points, 0.01),
            r"charges has the shape \(3,\)": lambda: kalman.fit(hits, 0.0, start, covariance, np.ones(3)),
            "max_chi2": lambda: kalman.fit(hits, 0.0, start, covariance, max_chi2=-1.0),
            "mass": lambda: kalman.fit(hits, 0.0, start, covariance, mass=0.0),
            r"points has the shape \(4, 3\)": lambda: kalman.plane_hits(points[0], u, v, pixels),
            "points have no layers": lambda: kalman.plane_hits(points[:0], u[:0], v[:0], pixels),
            r"u has the shape \(7, 1, 3\)": lambda: kalman.plane_hits(points, u[1:], v, pixels),
            "hit of track 0 on layer 0.*unit vectors": lambda: kalman.plane_hits(points, 2 * u, v, pixels),
            "hit of track 0 on layer 0.*covariance": lambda: kalman.plane_hits(points, u, v, -pixels),
            "hit of track 0 on layer 0: its covariance": lambda: kalman.plane_hits(points, u, v, np.nan * pixels),
            "hit of track 0 on layer 0.*point": lambda: kalman.plane_hits(np.nan * points, u, v, pixels),
            "counts has numbers that are not of int64": lambda: kalman.plane_hits(points, u, v, pixels, counts=1.5),
            "hit of track 0 on layer 0.*coordinates": lambda: kalman.plane_hits(points, u, v, pixels, counts=3),
            "hit of track 0 on layer 0.*coordinates.*": lambda: kalman.plane_hits(points, u, v, pixels, counts=-2),
            "radiation_lengths": lambda: kalman.plane_hits(points, u, v, pixels, radiation_lengths=-1.0),
            "thickness": lambda: kalman.cylinder_hits(points, np.eye(3), thickness=-1.0),
            "n is negative": lambda: kalman.generate_cylinder_tracks(-1),
            "min_pt": lambda: kalman.generate_cylinder_tracks(1, min_pt=0.0),
            "backend": lambda: kalman.fit(hits, 0.0, start, covariance, backend="cuda")}.items():
        with pytest.raises(ValueError, match=problem):
            bad()
    with pytest.raises(TypeError, match="field is neither a number nor an AxialField"):
        kalman.fit(hits, "strong", start, covariance)
    with pytest.raises(TypeError, match="hits are neither CylinderHits nor PlaneHits"):
        kalman.fit(points, 0.0, start, covariance)
    with pytest.raises(TypeError, match="parameters has the dtype"):
        kalman.fit(hits, 0.0, start.astype(complex), covariance)
