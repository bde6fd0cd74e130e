# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import signal
import threading

import numpy as np
import pytest

import trackplex
from trackplex import beam

CELL = [
    beam.CanonicalQuadrupole("qf", length=0.2, k1=1.4), beam.ExactDrift("d", length=0.8),
    beam.CanonicalQuadrupole("qd", length=0.2, k1=-1.35), beam.ExactDrift("d", length=0.8),
]
RING = beam.Line(
    [beam.Collimator("scraper", aperture=beam.Aperture("ellipse", x_max=4e-3, y_max=4e-3)), CELL * 5], name="ring")


def bunch_of(n=500):
    return beam.generate_bunch(particles=n, p0=1000.0, emittance_x=3e-7, beta_x=3.0, emittance_y=3e-7, beta_y=3.0)


def test_turns_in_one_call_or_many():
    tracker = beam.Tracker(RING)
    one, many = bunch_of(), bunch_of()
    tracker.track(one, 64)
    for _ in range(64):
        tracker.track(many)
    assert one.turn == many.turn == 64
    assert one.fingerprint() == many.fingerprint()
    assert np.count_nonzero(one.lost_turn >= 0) > 10
    assert one.lost_turn.max() > 0 and set(np.unique(one.lost_element)) >= {-1, 0}


def test_particles_are_those_of_the_same_program_in_cpp():
    # generate_bunch, LineTracker::track and fingerprint_of in C++, with the same ring and bunch
    assert beam.track(RING, bunch_of(), 64).fingerprint() == "b9e69e6e8335efad"


def test_backends_give_the_same_bits():
    fingerprints = set()
    for backend in trackplex.backends():
        bunch = bunch_of()
        beam.Tracker(RING, backend=backend).track(bunch, 20)
        fingerprints.add(bunch.fingerprint())
    assert len(fingerprints) == 1
    with pytest.raises(ValueError, match='backend: there is none called "cuda9"'):
        beam.Tracker(RING, backend="cuda9")


def test_a_linear_line_is_its_matrix():
    line = beam.Line([beam.Quadrupole("q", length=0.2, k1=1.5, order=1), beam.Drift("d", length=1.0, order=1)])
    bunch = bunch_of(100)
    before = bunch.coordinates.copy()
    beam.track(line, bunch)
    assert np.allclose(bunch.coordinates, line.map() @ before, rtol=1e-12, atol=1e-18)


def test_monitors_record_moments():
    tracker = beam.Tracker(RING, monitors=["qf", len(RING) - 1])
    assert tracker.monitors == RING.find("qf") + [len(RING) - 1]
    bunch, other = bunch_of(), bunch_of()
    tracker.track(bunch, 3)
    records = tracker.records
    assert len(records) == 3 * 6
    assert list(records.turn) == [0] * 6 + [1] * 6 + [2] * 6
    assert list(records.element[:6]) == tracker.monitors
    beam.track(RING, other, 3)
    assert other.fingerprint() == bunch.fingerprint()
    last = other.moments()
    assert records.number[-1] == last.number
    assert np.array_equal(records.mean[-1], last.mean)
    assert np.array_equal(records.covariance[-1], last.covariance)
    assert np.array_equal(records.sigma[-1], last.sigma)
    assert records.optics("x")["emittance"][-1] == last.optics("x").emittance
    assert records.path_length[-1] == pytest.approx(3 * RING.length)


def test_views_of_records_stay():
    tracker = beam.Tracker(RING, monitors="qd")
    bunch = bunch_of(50)
    tracker.track(bunch, 2)
    first = tracker.records
    mean = first.mean
    copy = mean.copy()
    tracker.track(bunch, 200)
    assert len(first) == 10 and len(tracker.records) == 1010
    assert np.array_equal(mean, copy) and np.array_equal(tracker.records.mean[:10], copy)
    tracker.clear()
    assert len(tracker.records) == 0 and tracker.records.covariance.shape == (0, 6, 6)
    assert np.array_equal(mean, copy)


def test_an_observer_sees_and_changes_the_bunch():
    calls = []

    def kick(turn, element, bunch):
        calls.append((turn, element))
        bunch.xp[:] += 1e-3
        assert bunch.moments().number == 3  # kernels may run inside

    line = beam.Line([beam.Drift("a", length=1.0), beam.Drift("b", length=1.0)])
    bunch = beam.bunch_of(p0=100.0, x=np.zeros(3))
    beam.Tracker(line, monitors=["a"]).track(bunch, 2, observer=kick)
    assert calls == [(0, 0), (1, 0)]
    assert np.allclose(bunch.x, 1e-3 + 1e-3 + 2e-3, rtol=1e-15)
    with pytest.raises(ValueError, match="no monitors"):
        beam.track(line, bunch, observer=kick)


def test_a_tracker_tracks_one_bunch_at_a_time():
    tracker = beam.Tracker(RING, monitors=["qf"])
    with pytest.raises(RuntimeError, match="already tracking"):
        tracker.track(bunch_of(), observer=lambda turn, element, bunch: tracker.track(bunch_of()))
    tracker.track(bunch_of())
    assert len(tracker.records) == 5


def test_exceptions_of_callbacks_arrive():
    def fail(turn, element, bunch):
        if turn == 2:
            raise LookupError("the third turn")

    tracker = beam.Tracker(RING, monitors=["qf"])
    bunch = bunch_of()
    with pytest.raises(LookupError, match="the third turn"):
        tracker.track(bunch, 10, observer=fail)
    assert bunch.turn == 2 and len(tracker.records) == 10

    def stop(done, turns):
        if done >= 5:
            raise StopIteration

    bunch = bunch_of()
    with pytest.raises(StopIteration):
        beam.track(RING, bunch, 1000000, progress=stop)
    assert 5 <= bunch.turn < 1000000
    other = bunch_of()
    beam.track(RING, other, bunch.turn)
    assert other.fingerprint() == bunch.fingerprint()


def test_progress():
    done = []
    beam.track(RING, bunch_of(10), 100, progress=lambda n, turns: done.append((n, turns)))
    assert done[-1] == (100, 100) and done == sorted(set(done))


def test_interruption_loses_nothing():
    bunch = bunch_of(2000)
    timer = threading.Timer(0.4, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        beam.track(RING, bunch, 100_000_000)
    timer.join()
    assert bunch.turn > 0
    other = bunch_of(2000)
    beam.track(RING, other, bunch.turn)
    assert other.fingerprint() == bunch.fingerprint()


def test_other_threads_run_meanwhile():
    count, stop = 0, threading.Event()

    def work():
        nonlocal count
        while not stop.is_set():
            count += 1

    worker = threading.Thread(target=work)
    tracker, bunch = beam.Tracker(RING), bunch_of(20000)
    worker.start()
    before = count
    tracker.track(bunch, 20)
    after = count
    stop.set()
    worker.join()
    assert after - before > 100


def test_several_threads_track():
    expected = beam.track(RING, bunch_of(300), 50).fingerprint()
    found = []

    def work():
        for _ in range(3):
            found.append(beam.track(RING, bunch_of(300), 50).fingerprint())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 12


def test_cavities_and_charges_track():
    line = beam.Line([
        beam.Charge("q", total=1e-9), beam.RfCavity("rf", length=0.3, voltage=1e5, phase=np.pi / 2, frequency=5e8),
        beam.SpaceChargeDrift("sc", length=0.5, bins=64)])
    bunch = beam.generate_bunch(particles=2000, p0=200.0)
    beam.track(line, bunch)
    assert bunch.moments().mean[5] == pytest.approx(1e5 / 510999.06 / 200.0, rel=1e-2)
    assert bunch.particle_charge == pytest.approx(1e-9 / 2000)


def test_bad_trackers_are_errors():
    with pytest.raises(ValueError, match="no elements"):
        beam.Tracker([])
    with pytest.raises(ValueError, match="the line has no element 'qx'"):
        beam.Tracker(RING, monitors=["qx"])
    with pytest.raises(ValueError, match="there is no element 1000"):
        beam.Tracker(RING, monitors=[1000])
    with pytest.raises(ValueError, match="turns is negative"):
        beam.track(RING, bunch_of(10), -1)
    with pytest.raises(TypeError, match="bunch is no Bunch"):
        beam.track(RING, np.zeros((6, 3)))


def test_dynamic_aperture_of_a_ring():
    sextupole = beam.CanonicalSextupole("s", length=0.1, k2=20.0, slices=1)
    ring = beam.Line([[CELL[0], sextupole, CELL[1], CELL[2], CELL[3]]] * 5)
    done = []
    starts = beam.dynamic_aperture(
        ring, p0=1000.0, turns=200, x_max=0.05, y_max=0.03, columns=15, rows=6, progress=lambda n, of: done.append((n, of)))
    assert len(starts) == 90 and (starts.columns, starts.rows) == (15, 6)
    survives = (starts.lost_turn < 0).reshape(6, 15)
    assert survives[0, 7] and not survives.all() and starts.area > 0
    tune = beam.closed_orbit(ring, p0=1000.0).tune_x
    assert starts.tune_x.reshape(6, 15)[0, 7] == pytest.approx(tune, abs=2e-3)
    assert done[-1] == (200, 200)
    with pytest.raises(ValueError, match="fewer than 2 turns"):
        beam.dynamic_aperture(ring, p0=1000.0, turns=1)
