# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The golden hashes of the C++ tests (tests/reproducibility/golden_hashes.hpp), from Python, on every backend."""

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import trackplex
from trackplex import beam, detector, kalman, lhcb, montecarlo, random

SOURCE = Path(__file__).parents[2] / "tests" / "reproducibility" / "golden_hashes.hpp"
if not SOURCE.exists():
    pytest.skip("the golden hashes are in the sources of Trackplex", allow_module_level=True)


def golden(name, precision="double"):
    """The hash of a name and a precision."""
    found = re.search(rf"\b{name}(_golden)?\s*(?:=|{{)\s*\"(\w+)\"(?:,\s*\"(\w+)\")?", SOURCE.read_text())
    return found[3] if precision == "double" and found[3] else found[2]


@pytest.fixture(params=trackplex.backends(), autouse=True)
def backend(request):
    before = trackplex.backend()
    trackplex.set_backend(request.param)
    yield request.param
    trackplex.set_backend(before)


def add_bunch(fingerprint, bunch):
    fingerprint.add_values(*(bunch.coordinates)).add(bunch.ids).add(np.int32(len(bunch)), np.float64(bunch.path_length))
    fingerprint.add_values(np.stack([bunch.lost_turn, bunch.lost_element], axis=1))


def test_generated_bunches():
    fingerprint = trackplex.Fingerprint()
    for flat in (False, True):
        for exact in (False, True):
            bunch = beam.generate_bunch(
                particles=10007, emittance_x=1e-8, beta_x=10.0, alpha_x=-1.5, dispersion_x=0.3, sigma_delta=1e-3, chirp=4.0,
                modulation_wavelength=1e-4, modulation_depth=0.2, flat=flat, exact_moments=exact)
            add_bunch(fingerprint, bunch)
            moments = bunch.moments()
            add_moments(fingerprint, moments.number, moments.mean, moments.min, moments.max, moments.covariance)
    assert fingerprint.hex() == golden("generated_bunches")


def test_dynamic_aperture():
    cell = [
        beam.CanonicalQuadrupole("QF", length=0.2, k1=1.5, slices=2),
        beam.CanonicalSextupole("S", length=0.1, k2=30.0, slices=1),
        beam.ExactDrift("D", length=0.7),
        beam.CanonicalQuadrupole("QD", length=0.2, k1=-1.5, slices=2),
        beam.ExactDrift("D", length=0.8),
    ]
    about = beam.optics_at(
        beta_x=5.5, alpha_x=-1.5, beta_y=2.5, alpha_y=0.625, dispersion=[0.125, 0.0, 0.0, 0.0],
        orbit=[1e-5, 0.0, 0.0, 1e-6, 0.0, 1e-3], tune_x=0.25, tune_y=0.25)
    starts = beam.dynamic_aperture(
        beam.Line(cell * 3), p0=1000.0, turns=65, columns=23, rows=9, x_max=0.02, y_max=0.015, optics=about)
    fingerprint = trackplex.Fingerprint()
    for i in range(len(starts)):
        fingerprint.add(starts.x[i], starts.y[i], starts.lost_turn[i], starts.lost_element[i])
        if starts.lost_element[i] < 0:
            fingerprint.add(starts.tune_x[i], starts.tune_y[i], starts.diffusion[i])
    assert 20 < np.count_nonzero(starts.lost_turn >= 0) < len(starts) - 20
    assert fingerprint.hex() == golden("dynamic_aperture")


def add_moments(fingerprint, number, mean, low, high, covariance):
    fingerprint.add(np.float64(number), mean, low, high, *covariance)


def test_space_charge():
    cutoff = beam.FrequencyCutoff
    line = beam.Line([
        beam.Charge("charge", total=1e-9), beam.Quadrupole("qf", length=0.2, k1=1.5),
        beam.SpaceChargeDrift("many_steps", length=1.0, bins=256),
        beam.Collimator("c", aperture=beam.Aperture("ellipse", 4e-4, 4e-4)),
        beam.SpaceChargeDrift(
            "smooth", length=0.2, bins=90, smoothing=True, smoothing_half_width=4, smoothing_order=2,
            low_frequency=cutoff(0.02, 0.05), high_frequency=cutoff(0.3, 0.5)),
        beam.SpaceChargeDrift("kick", effective_length=0.2, bins=200, interpolate=False),
        beam.Quadrupole("qd", length=0.2, k1=-1.5), beam.SpaceChargeDrift("off", length=0.1, space_charge=False)])
    bunch = beam.generate_bunch(particles=10007, emittance_x=1.5e-9, beta_x=15.0, emittance_y=1.5e-9, beta_y=7.0)
    tracker = beam.Tracker(line, monitors=[2, 4, 5, 7])
    fingerprint = trackplex.Fingerprint()
    tracker.track(bunch, 2, observer=lambda turn, element, bunch: fingerprint.add_values(tracker.space_charge(element)["steps"]))
    add_records(fingerprint, tracker.records)
    profile = tracker.space_charge(4)
    fingerprint.add(profile["current"], profile["voltage"])
    add_bunch(fingerprint, bunch)
    assert fingerprint.hex() == golden("bunches_with_space_charge")


def add_records(fingerprint, records):
    fingerprint.add(np.int32(len(records)))
    for i in range(len(records)):
        add_moments(fingerprint, records.number[i], records.mean[i], records.min[i], records.max[i], records.covariance[i])


def add_tracked(fingerprint, line, stops, **parameters):
    """Adds a bunch after two turns of one call, with monitors and without, and of two calls."""
    after = set()
    for monitors, calls in (((), 1), (stops, 1), ((), 2)):
        bunch = beam.generate_bunch(**parameters)
        bunch.turn = 5
        tracker = beam.Tracker(line, monitors=monitors)
        for _ in range(calls):
            tracker.track(bunch, 2 // calls)
        add_records(fingerprint, tracker.records)
        bunch.remove_lost()
        assert 100 < bunch.n_removed < parameters["particles"] - 100
        of_bunch = trackplex.Fingerprint()
        add_bunch(of_bunch, bunch)
        after.add(of_bunch.hex())
    assert len(after) == 1
    return fingerprint.add(np.frombuffer(after.pop().encode(), np.uint8))


def test_madx_elements():
    moved = beam.Misalignment(1e-3, 0.0, 0.1)
    linear = beam.CanonicalBend(
        "lin", length=0.3, angle=0.1, strengths=[0.5, 4.0], entrance=0.05, exit=0.04, half_gap=0.02, slices=2, k0=0.3, crossing=-0.005,
        entrance_effects="linear", exit_effects="linear")
    exact = replace(linear, name="exact", angle=-0.1, k0=-0.35, entrance_curve=0.2, exit_fringe=0.3, entrance_effects="exact",
                    exit_effects="exact")
    rotated = replace(linear, name="rotated", misalignment=beam.Misalignment(1e-3, -2e-3, 0.1, 1e-3), is_rigid=True, error_tilt=1e-2)
    line = beam.Line([
        linear, exact, replace(exact, name="k0", angle=0.0), rotated,
        beam.ThinBend("thin", 0.02, beam.Multipoles([0.02, 0.1, 1.0]), 0.5, moved), beam.ExpandedDrift("xd", 0.2),
        beam.ExactSolenoid("sol", 0.3, 1.2, moved), beam.DipoleEdge("edge", 0.4, 0.1, 0.02, 0.5), beam.Charge("charge", 1e-9),
        beam.Center("center"), beam.RemoveCorrelations("free"),
        beam.CsrBend("bend", length=0.2, angle=0.05, slices=3, radiates=True, quantum=True, bins=100),
        beam.Collimator("limit", aperture=beam.Aperture("ellipse", 5e-3, 5e-3))])
    fingerprint = add_tracked(
        trackplex.Fingerprint(), line, [4, 8], particles=3001, p0=2000.0, emittance_x=5e-7, beta_x=5.0, dispersion_x=0.2, emittance_y=5e-7,
        beta_y=5.0, sigma_delta=1e-3)
    assert fingerprint.hex() == golden("bunches_behind_madx_elements")


def test_closed_maps():
    bend = beam.CanonicalBend("b", length=0.4, angle=0.1, entrance=0.1, exit=0.05, closed=True, half_gap=0.01, field_error=2e-3,
                              entrance_effects="exact", exit_effects="exact")
    back = beam.CanonicalBend("back", length=0.2, angle=-1e-4, closed=True, misalignment=beam.Misalignment(1e-4, -1e-4, 0.2))
    line = beam.Line([
        beam.ChromaticQuadrupole("qf", 0.2, 3.0, beam.Misalignment(1e-3, -2e-3, 0.1)), bend, beam.ExpandedDrift("xd", 0.2),
        beam.ChromaticQuadrupole("qd", 0.3, -12.0), back, beam.Collimator("c", aperture=beam.Aperture("ellipse", 2e-2, 2e-2))])
    parameters = {"particles": 3001, "emittance_x": 1e-6, "beta_x": 0.5, "emittance_y": 1e-6, "beta_y": 0.5, "sigma_delta": 0.02,
                  "canonical": True, "cutoff": math.inf}
    fingerprint = add_tracked(trackplex.Fingerprint(), line, [1, 3, 5], **parameters)
    moments = beam.generate_bunch(**parameters).canonical_moments()
    fingerprint.add(np.float64(moments.number), moments.mean, *moments.covariance)
    assert fingerprint.hex() == golden("bunches_after_closed_maps")


def test_space_charge_kicks():
    line = beam.Line([
        beam.Charge("charge", 1e-9), beam.Quadrupole("qf", 0.2, 1.5),
        beam.SpaceChargeKick("in space", effective_length=0.3, cells=[16, 32, 8]), beam.ExactDrift("d", 0.3),
        beam.Collimator("c", aperture=beam.Aperture("ellipse", 4e-4, 4e-4)),
        beam.SpaceChargeKick("projected", effective_length=0.3, model="projected", cells=[32, 16, 64], pipe_radius=0.02),
        beam.Quadrupole("qd", 0.2, -1.5), beam.ExactDrift("d", 0.3)])
    fingerprint = add_tracked(
        trackplex.Fingerprint(), line, [2, 5], particles=30011, emittance_x=1.5e-9, beta_x=15.0, emittance_y=1.5e-9, beta_y=7.0,
        sigma_delta=1e-3)
    assert fingerprint.hex() == golden("bunches_after_space_charge_kicks")


def test_spins():
    line = beam.Line([
        beam.ChromaticQuadrupole("qf", 0.2, 3.0), beam.ExactDrift("d", 0.3),
        beam.CanonicalBend("closed", length=0.3, angle=-0.2, closed=True),
        beam.CanonicalQuadrupole("qd", 0.2, -3.0, slices=2),
        beam.Collimator("c", 0.1, beam.Aperture("ellipse", 4e-3, 4e-3)),
        beam.CanonicalBend("integrated", length=0.3, angle=0.2, slices=2, misalignment=beam.Misalignment(tilt=0.1)),
        beam.CanonicalSextupole("s", 0.1, 20.0, slices=1),
        beam.CanonicalMultipole("m", field=beam.Multipoles([1e-3, 0.02], [2e-3]), slices=1), beam.ExactSolenoid("sol", 0.2, 0.5),
        beam.RfCavity("rf", voltage=1e5), beam.ExactKicker("k", 0.1, 1e-4, -2e-4), beam.PlaneRotation("turn", 1e-3),
        beam.Rotator("roll", 0.3), beam.Bend("map", length=0.3, angle=0.1), beam.Quadrupole("qm", 0.2, 2.0),
        beam.Kicker("km", 0.1, 1e-4)])
    for monitors in ((), (0, 5, 11)):
        bunch = beam.generate_bunch(particles=5003, p0=2000.0, emittance_x=5e-7, beta_x=5.0, emittance_y=5e-7, beta_y=5.0,
                                    sigma_delta=3e-3, spin=(0.36, 0.48, 0.8))
        beam.Tracker(line, monitors=monitors).track(bunch, 2)
        bunch.remove_lost()
        assert 100 < bunch.n_removed < 4900
        fingerprint = trackplex.Fingerprint()
        add_bunch(fingerprint, bunch)
        moments = bunch.spin_moments()
        fingerprint.add_values(bunch.spins).add(moments.mean, moments.sigma)
        assert fingerprint.hex() == golden("spins")


def add_tracks(fingerprint, result):
    fingerprint.add(result.track_offsets, result.track_hits)
    numbers = ("x", "y", "z", "tx", "ty", "chi2")
    packed = np.empty(len(result.states), [(n, "f4") for n in numbers] + [("ndf", "i4"), ("backward", "?")])
    for name in packed.dtype.names:
        packed[name] = result.states[name]
    fingerprint.add_values(packed)


@pytest.mark.parametrize("cuts", ["2019", "2020", "2023"])
def test_velo_tracks(cuts):
    events = lhcb.generate_velo_events(30, seed=2024)
    fingerprint = trackplex.Fingerprint()
    for result in lhcb.VeloFinder(cuts)(events):
        add_tracks(fingerprint, result)
    assert fingerprint.hex() == golden(f"velo_tracks_{cuts}", "single")


def test_velo_ut_tracks():
    velo_ut = lhcb.ideal_detector()
    events = [event for event, truth in lhcb.generate_raw_events(velo_ut, 16, seed=2024)]
    hits, tracks = trackplex.Fingerprint(), trackplex.Fingerprint()
    for result in lhcb.VeloUtFinder(velo_ut, velo="2020", ut="2020")(events):
        hits.add(*(values.astype("f4") for values in (result.velo_x, result.velo_y, result.velo_z)))
        hits.add(result.velo_modules, result.velo_ids, np.uint32(result.velo_invalid))
        hits.add(*(values.astype("f4") for values in (result.ut_y_begin, result.ut_y_end, result.ut_x, result.ut_z)))
        hits.add(result.ut_ids, result.ut_layer_offsets, np.uint32(result.ut_unmapped))
        add_tracks(tracks, result)
        windows = result.windows()
        tracks.add(np.uint64(len(windows)))
        for track, layers in windows:
            tracks.add(np.uint16(track))
            for layer in layers:
                tracks.add_values(np.array(layer, np.uint32))
        tracks.add(np.uint64(len(result.ut_tracks)))
        for track in result.ut_tracks:
            tracks.add(track["velo_track"], track["hits"])
            tracks.add(*(np.float32(track[name]) for name in ("qop", "chi2", "x", "slope")))
    assert hits.hex() == golden("velo_ut_hits", "single")
    assert tracks.hex() == golden("velo_ut_tracks_2020", "single")


def test_vertices():
    detector = lhcb.ideal_detector()
    events = [event for event, truth in lhcb.generate_raw_events(detector, 16, seed=2024)]
    fingerprint = trackplex.Fingerprint()
    for result in lhcb.TracksFinder(detector)(events):
        fingerprint.add_values(np.uint64(len(result.vertices)))
        for vertex in result.vertices:
            fingerprint.add_values(*(np.float32(vertex[name]) for name in ("position", "covariance", "weight")), vertex["tracks"])
    assert fingerprint.hex() == golden("vertices", "single")


@pytest.mark.parametrize("precision", ["single", "double"])
@pytest.mark.parametrize("size", [20000, 6007])
def test_transport(precision, size):
    axis = montecarlo.Axis
    transport = montecarlo.Transport(
        1.323518893e-3, 33.5, seed=20260101, radius=5.0, precision="float" if precision == "single" else "double",
        tallies=[axis("longitudinal", -1.0, 1.01, 201), axis("angle", 0.0, 3.2, 64),
                 (axis("cosine", -1.0, 1.0, 300), axis("transverse", 0.0, 1.0, 300))])
    middle, n = 1 << 32, 10000
    counts = None
    for begin in range(middle - n, middle + n, size):
        transport.run(begin, min(begin + size, middle + n))
        taken = transport.take()
        if counts is None:
            counts = taken
        else:
            counts += taken
    assert counts.ranges == [(middle - n, middle + n)]
    fingerprint = trackplex.Fingerprint().add(counts.cells, np.uint64(counts.histories), np.uint64(counts.skipped))
    for high, low in counts.sums:
        fingerprint.add(np.int64(high), np.uint64(low))
    assert fingerprint.hex() == golden("transport", precision)


def rounded(values):
    """To multiples of 2^-30, as the C++ test rounds them."""
    return np.copysign(np.floor(np.abs(values) * 2.0**30 + 0.5), values) * 2.0**-30


def random_particles(event, n=100):
    starts, charges = [], []
    for i in range(n):
        draw = random.Stream(11, event << 32 | i)

        def uniform(low, high):
            return low + (high - low) * float(draw.uniform(1)[0])

        eta, pt = uniform(-2.2, 2.2), uniform(0.4, 4.0)
        starts.append([uniform(-0.05, 0.05), uniform(-0.05, 0.05), uniform(-4.0, 4.0), 1.0 / pt, uniform(-math.pi, math.pi),
                       2.0 * math.atan(math.exp(-eta))])
        charges.append(-1 if draw.uniform(1)[0] < 0.5 else 1)
    return starts, charges


def barrels_and_disks():
    pixels = {"pitch_u": 0.006, "pitch_v": 0.02, "thickness": 0.03, "radiation_lengths": 0.005}
    strips = {**pixels, "pitch_u": 0.008, "pitch_v": 0.0}
    overlap = {"overlap": 0.3, "stagger": 0.6}
    builder = detector.Builder()
    for n in (12, 24, 36, 48, 60, 72, 90):
        builder.barrel(radius=0.3 * n, half_length=30.0, n_phi=n, **overlap,
                       **({"n_z": 6, **strips} if n in (60, 72) else {"n_z": 10, **pixels}))
    for side in (-1.0, 1.0):
        for z in (34.0, 40.0, 47.0, 55.0, 64.0, 74.0):
            builder.disk(z=side * z, inner=3.0, outer=25.0, n_phi=[12, 24, 36, 48], **overlap, **pixels)
    modules = builder.build()
    return modules.moved(rounded(modules.centres), rounded(modules.u), rounded(modules.v))


def displaced_map():
    r, z = np.meshgrid(np.linspace(0.0, 60.0, 4), np.linspace(-100.0, 100.0, 9), indexing="ij")
    return detector.AxialField((0.0, 60.0), (-100.0, 100.0), 1e-5 * r * z, 2.0 - 1e-5 * z * z, centre=(0.5, -0.25, 0.0))


def test_tracks_in_a_detector():
    modules = barrels_and_disks()
    events = []
    for number in range(2):
        event, = detector.generate_events(
            modules, detector.uniform_field(2.0), 1, first=number, particles=random_particles(number), noise=0.5, inefficiency=0.05)
        order = np.argsort(event.added)
        events.append(detector.Event(modules, event.modules[order], rounded(event.u)[order], rounded(event.v)[order],
                                     event.variance_u[order], event.variance_v[order]))
    find = detector.TrackFinder(modules, displaced_map(), min_pt=0.3, passes=2)
    fingerprint = trackplex.Fingerprint()
    for tracks in find(events):
        fingerprint.add(tracks.track_offsets, tracks.track_hits, tracks.measurements, tracks.passes)
        fingerprint.add_values(np.float32(tracks.chi2))
        for parameters, covariance in zip(tracks.parameters, tracks.covariance_elements):
            fingerprint.add_values(np.float32(parameters), np.float32(covariance))
    assert fingerprint.hex() == golden("detector_finding", "single")


def add_fits(fingerprint, fits):
    fingerprint.add_values(np.concatenate([fits.parameters, fits.covariance_elements], axis=1))
    for chi2, measurements, outliers, reached in zip(fits.chi2, fits.measurements, fits.outliers, fits.reached):
        fingerprint.add_values(chi2, measurements, outliers, reached)
    smoothed = fits.smoothed
    fingerprint.add_values(np.concatenate(
        [smoothed.parameters, smoothed.covariance_elements, smoothed.residuals, smoothed.residual_covariance_elements],
        axis=-1)[:, fits.reached])


def test_smoothed_tracks():
    tracks = kalman.generate_cylinder_tracks(301, min_pt=0.2, start_seed=2)
    fits = kalman.fit(tracks.hits, 3.8112, tracks.parameters, tracks.covariance_elements, tracks.charges, smooth=True, max_chi2=10.0)
    smoothed = fits.smoothed
    assert 0 < fits.reached.sum() < 301
    fingerprint = trackplex.Fingerprint().add_values(fits.parameters, fits.covariance_elements, fits.chi2)
    fingerprint.add_values(fits.measurements.astype(np.uint8), fits.outliers.astype(np.uint8), fits.reached)
    for array in (smoothed.parameters, smoothed.covariance_elements, smoothed.residuals, smoothed.residual_covariance_elements):
        fingerprint.add_values(array[:, fits.reached])
    assert fingerprint.hex() == golden("smoothed_tracks")


def test_fits_in_fields():
    n, layers = 77, 9

    def uniform(track, i):
        return random.Stream(2027, track, i).uniform(1)[0] - 0.5

    noise = np.array([[[uniform(track, 2 * layer + i) for track in range(n)] for layer in range(layers)] for i in range(2)])
    layer, track = np.arange(layers)[:, None], np.arange(n)
    d = 4.0 * (layer + 1)
    across = 0.01 * d + 0.02 * noise[0]
    points = np.stack([0.6 * d - 0.8 * across, 0.8 * d + 0.6 * across, 0.125 * d + 0.02 * noise[1]], axis=-1)
    counts = np.where((track + 5 * layer) % 13 == 0, -1,
                      np.where((track + 2 * layer) % 11 == 0, 0, np.where((track + layer) % 3 == 0, 1, 2)))
    planes = kalman.plane_hits(points, [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0], [1e-4, 2e-5, 1e-4], counts,
                               np.where(layer % 2 == 0, 0.01, 0.0))
    cylinders = kalman.cylinder_hits(points, [1e-4, 0.0, 1e-4, 0.0, 2e-5, 1e-4], thickness=0.0625)
    starts = np.zeros((n, 6))
    starts[:, 3] = [0.25 + 0.125 * uniform(t, 100) for t in range(n)]
    starts[:, 4], starts[:, 5] = 0.9375, 1.4375
    covariance = np.diag(np.square([0.5, 0.5, 0.5, 0.25, 0.0625, 0.0625]))
    fingerprint = trackplex.Fingerprint()
    for hits, field in ((planes, 2.0), (planes, displaced_map()), (cylinders, displaced_map())):
        add_fits(fingerprint, kalman.fit(hits, field, starts, covariance, np.where(track % 2 == 0, 1.0, -1.0), smooth=True, max_chi2=2.0))
    assert fingerprint.hex() == golden("fits_in_fields")
