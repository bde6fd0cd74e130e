# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import copy
import gc
import math
import pickle

import numpy as np
import pytest

from trackplex import beam

P0 = 2000.0
ANGLE = math.pi / 4
RING = beam.Line([
    beam.CanonicalQuadrupole("qf", length=0.2, k1=1.2), beam.ExactDrift("d", length=0.5),
    beam.CanonicalBend("b", length=1.0, angle=ANGLE, closed=True), beam.CanonicalQuadrupole("qd", length=0.2, k1=-1.2),
    beam.ExactDrift("d", length=0.5)] * 8, name="ring")
A_GAMMA = beam.ANOMALIES["electron"] * math.hypot(1.0, P0)


def polarized(spin=(0.0, 1.0, 0.0), n=500):
    return beam.generate_bunch(particles=n, p0=P0, emittance_x=1e-9, beta_x=3.0, emittance_y=1e-9, beta_y=3.0, sigma_delta=1e-4, spin=spin)


def random_spins(n):
    spins = np.random.default_rng(1).normal(size=(3, n))
    return spins / np.linalg.norm(spins, axis=0)


def test_bunches_have_spins_or_none():
    bunch = beam.generate_bunch(particles=100)
    assert bunch.spins is None and bunch.anomaly == beam.ANOMALIES["electron"]
    bunch.spins = [0.0, 0.6, 0.8]
    assert bunch.spins.shape == (3, 100) and (bunch.spins[1] == 0.6).all()
    spins = random_spins(100)
    bunch.spins = spins
    assert np.array_equal(bunch.spins, spins)
    view = bunch.spins
    view[:, 3] = [1.0, 0.0, 0.0]
    assert list(bunch.spins[:, 3]) == [1.0, 0.0, 0.0]
    bunch.spins = None
    assert bunch.spins is None
    del bunch
    gc.collect()
    assert list(view[:, 3]) == [1.0, 0.0, 0.0] and np.array_equal(view[:, 4], spins[:, 4])


def test_bunches_in_place_have_spins():
    coordinates = np.zeros((6, 50))
    bunch = beam.bunch_from(coordinates, P0)
    bunch.spins = random_spins(50)
    beam.track(RING, bunch)
    assert np.shares_memory(bunch.x, coordinates) and np.allclose(np.linalg.norm(bunch.spins, axis=0), 1.0, atol=1e-13)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, beam.Bunch.copy, lambda bunch: pickle.loads(pickle.dumps(bunch))])
def test_copies_have_the_spins(copied):
    bunch = polarized()
    bunch.spins, bunch.anomaly = random_spins(500), beam.ANOMALIES["proton"]
    other = copied(bunch)
    assert np.array_equal(other.spins, bunch.spins) and other.anomaly == bunch.anomaly
    other.spins[:, 0] = [0.0, 0.0, 1.0]
    assert not np.array_equal(other.spins, bunch.spins)
    assert copied(beam.generate_bunch(particles=3)).spins is None


@pytest.mark.parametrize("name", ["bunch.openpmd.h5", "bunch.csv", "bunch.sdds"])
def test_files_keep_spins(tmp_path, name):
    bunch = polarized()
    bunch.spins = random_spins(500)
    bunch.species, bunch.anomaly = "proton", beam.ANOMALIES["proton"]
    bunch.write(tmp_path / name)
    read = beam.read_bunch(tmp_path / name, p0=P0)
    assert np.allclose(read.spins, bunch.spins, atol=1e-12)
    if "openpmd" in name:
        assert np.array_equal(read.spins, bunch.spins) and (read.species, read.anomaly) == ("proton", bunch.anomaly)


def test_spins_turn_in_a_ring():
    found = beam.spin_optics(RING, P0)
    assert found.tune == pytest.approx(A_GAMMA % 1.0, abs=1e-9) and len(found) == len(RING) + 1
    assert found.axis.shape == (len(RING) + 1, 3) and np.allclose(found.axis, [0.0, 1.0, 0.0], atol=1e-9)
    bunch = polarized()
    beam.track(RING, bunch, 5)
    vertical = bunch.spin_moments()
    assert vertical.number == 500 and vertical.polarization > 0.9999 and vertical.mean[1] > 0.9999
    one = beam.bunch_of(P0, x=[0.0])
    one.spins = [0.0, 0.0, 1.0]
    beam.track(RING, one)
    x, y, z = one.spins[:, 0]
    turned = (2 * math.pi * found.tune) % (2 * math.pi)
    assert math.cos(turned) == pytest.approx(z, abs=1e-9) and abs(y) < 1e-9 and abs(x) == pytest.approx(abs(math.sin(turned)), abs=1e-9)
    flat = polarized((1.0, 0.0, 0.0))
    beam.track(RING, flat, 200)
    assert flat.spin_moments().polarization < polarized((1.0, 0.0, 0.0)).spin_moments().polarization
    assert np.allclose(np.linalg.norm(flat.spins, axis=0), 1.0, atol=1e-12)


def test_the_axis_of_a_closed_orbit():
    kicked = beam.Line([beam.ExactKicker("k", horizontal=1e-4, vertical=2e-4), RING])
    orbit = beam.closed_orbit(kicked, P0).orbit
    found = beam.spin_optics(kicked, P0, orbit=orbit[0])
    bunch = beam.bunch_from(np.repeat(orbit[0][:, None], 2, axis=1), P0)
    bunch.spins = found.axis[0]
    beam.track(kicked, bunch, 3)
    assert np.allclose(bunch.spins[:, 0], found.axis[0], atol=1e-6) and abs(found.axis[0][1]) < 1.0 - 1e-9


def test_bad_spins_are_named():
    bunch = polarized()
    with pytest.raises(ValueError, match="spins: x, y and z of particle 0 are not a unit vector"):
        bunch.spins = [1.0, 1.0, 0.0]
    with pytest.raises(ValueError, match=r"spins does not have the shape \(3, 500\)"):
        bunch.spins = np.zeros((3, 4))
    with pytest.raises(ValueError, match="particle 7"):
        spins = random_spins(500)
        spins[0, 7] = np.nan
        bunch.spins = spins
    assert np.array_equal(bunch.spins[1], np.ones(500))
    with pytest.raises(ValueError, match="the spin is not a unit vector"):
        polarized((0.0, 2.0, 0.0))
    with pytest.raises(ValueError, match="the bunch has no spins"):
        beam.generate_bunch(particles=10).spin_moments()
    with pytest.raises(ValueError, match="'o'.*effect on spins is not known"):
        beam.track([beam.Scatter("o", dx=1e-3)], bunch)
    with pytest.raises(ValueError, match="orbit has 2 values"):
        beam.spin_optics(RING, P0, orbit=[0.0, 0.0])
