# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import copy
import gc
import pickle

import numpy as np
import pytest

from trackplex import beam


def address(array):
    return array.ctypes.data


def test_an_array_is_used_in_place():
    coordinates = np.zeros((6, 1000))
    bunch = beam.bunch_from(coordinates, p0=100.0)
    assert address(bunch.x) == address(coordinates)
    assert address(bunch.delta) == address(coordinates[5])
    assert address(bunch.coordinates) == address(coordinates)
    coordinates[1] = 1e-3
    beam.track([beam.Drift("d", length=2.0)], bunch)
    assert np.all(coordinates[0] == 2e-3)


def test_rows_may_be_apart():
    wide = np.zeros((6, 50))
    part = wide[:, 10:30]
    bunch = beam.bunch_from(part, p0=100.0)
    assert address(bunch.y) == address(part[2])
    bunch.yp[:] = 1e-3
    beam.track([beam.Drift("d", length=1.0)], bunch)
    assert np.all(wide[2, 10:30] == 1e-3) and np.all(wide[2, :10] == 0) and np.all(wide[2, 30:] == 0)


@pytest.mark.parametrize("unfit", [
    lambda a: a.astype(np.float32), lambda a: a.astype(np.int64), lambda a: np.asfortranarray(a), lambda a: a.tolist(),
    lambda a: np.lib.stride_tricks.as_strided(a, writeable=False), lambda a: a[:, ::-1], lambda a: a.astype(">f8")])
def test_others_are_copied(unfit):
    coordinates = unfit(np.arange(12.0).reshape(6, 2))
    bunch = beam.bunch_from(coordinates, p0=100.0)
    assert np.array_equal(bunch.coordinates, np.asarray(coordinates, dtype=np.float64))
    bunch.x[0] = 7.0
    assert np.asarray(coordinates)[0, 0] != 7.0


def test_views_keep_their_owner():
    def views():
        bunch = beam.generate_bunch(particles=1000, seed=3)
        return bunch.x, bunch.ids, bunch.coordinates, bunch.moments().mean, np.array(bunch.x), bunch.moments().mean.copy()

    x, ids, coordinates, mean, x_before, mean_before = views()
    gc.collect()
    garbage = [np.full(1000, 5.0) for _ in range(100)]
    assert np.array_equal(x, x_before) and np.array_equal(coordinates[0], x) and np.array_equal(mean, mean_before)
    assert np.array_equal(ids, np.arange(1000)) and len(garbage) == 100


def test_an_array_in_place_lives_as_long_as_its_views():
    coordinates = np.ones((6, 10))
    x = beam.bunch_from(coordinates, p0=1.0).x
    del coordinates
    gc.collect()
    assert np.all(x == 1.0)


def test_a_thousand_cycles():
    for i in range(1000):
        bunch = beam.generate_bunch(particles=10, seed=i)
        x = bunch.x
        del bunch
        x += 1.0
    coordinates = np.zeros((6, 3))
    import sys

    before = sys.getrefcount(coordinates)
    for _ in range(1000):
        view = beam.bunch_from(coordinates, p0=1.0).coordinates
        del view
    assert sys.getrefcount(coordinates) == before


def test_columns():
    bunch = beam.bunch_of(p0=100.0, x=[1e-3, 2e-3], delta=np.array([0, 1e-3], np.float32))
    assert np.array_equal(bunch.x, [1e-3, 2e-3]) and np.all(bunch.y == 0.0)
    assert len(bunch) == 2 and bunch.p0 == 100.0
    with pytest.raises(ValueError, match="xp has 3 values instead of 2"):
        beam.bunch_of(p0=1.0, x=[0, 0], xp=[0, 0, 0])
    with pytest.raises(TypeError, match="y has the dtype complex128"):
        beam.bunch_of(p0=1.0, x=[0, 0], y=[1j, 0])
    with pytest.raises(ValueError, match="x has 2 dimensions instead of 1"):
        beam.bunch_of(p0=1.0, x=[[0, 0]])
    with pytest.raises(TypeError, match="'z'"):
        beam.bunch_of(p0=1.0, z=[0])


def test_bad_bunches_are_errors():
    with pytest.raises(ValueError, match=r"coordinates have no shape \(6, n\)"):
        beam.bunch_from(np.zeros((5, 10)), p0=1.0)
    with pytest.raises(ValueError, match="momentum is not above 0"):
        beam.bunch_from(np.zeros((6, 10)), p0=0.0)
    with pytest.raises(TypeError, match="coordinates has the dtype"):
        beam.bunch_from(np.full((6, 2), "a"), p0=1.0)
    with pytest.raises(TypeError, match="no parameter 'emitance_x'"):
        beam.generate_bunch(emitance_x=1e-6)
    with pytest.raises(ValueError, match="generated bunch"):
        beam.generate_bunch(beta_x=-1.0)


def test_moments():
    bunch = beam.generate_bunch(particles=5000, emittance_x=1e-8, beta_x=10.0, alpha_x=0.5, sigma_s=1e-3)
    moments = bunch.moments()
    assert moments.number == 5000
    assert np.allclose(moments.mean, bunch.coordinates.mean(axis=1), atol=1e-12)
    assert np.allclose(moments.covariance, np.cov(bunch.coordinates, bias=True), rtol=1e-9, atol=1e-20)
    assert np.allclose(moments.sigma, bunch.coordinates.std(axis=1))
    assert moments.min[0] == bunch.x.min() and moments.max[4] == bunch.s.max()
    assert moments.optics("x").emittance == pytest.approx(1e-8, rel=0.1)
    with pytest.raises(ValueError, match="plane"):
        moments.optics("z")
    with pytest.raises(ValueError):
        moments.mean[0] = 1.0


def test_exact_moments():
    moments = beam.generate_bunch(
        particles=100, emittance_y=2e-9, beta_y=5.0, alpha_y=-1.0, exact_moments=True).moments()
    optics = moments.optics("y", betatron=True)
    assert (optics.emittance, optics.beta, optics.alpha) == pytest.approx((2e-9, 5.0, -1.0), rel=1e-9)


def some_bunch():
    """A bunch with losses, of which some are removed."""
    bunch = beam.generate_bunch(particles=3000, emittance_x=1e-6, emittance_y=1e-6)
    stop = beam.Collimator("c", aperture=beam.Aperture(x_max=4e-3, y_max=4e-3))
    beam.track([stop, beam.Drift("d", length=1.0)], bunch, turns=2)
    bunch.remove_lost()
    beam.track([stop, beam.Drift("d", length=1.0)], bunch)
    bunch.seed = 12345678901234567890
    bunch.particle_charge = 1e-12
    bunch.species = "muon"
    assert 0 < bunch.n_removed < 3000 and len(bunch) + bunch.n_removed == 3000
    return bunch


@pytest.mark.parametrize("copied", [lambda b: b.copy(), copy.copy, copy.deepcopy, lambda b: pickle.loads(pickle.dumps(b))])
def test_copies_are_the_same_and_independent(copied):
    bunch = some_bunch()
    other = copied(bunch)
    assert address(other.x) != address(bunch.x)
    for name in ("coordinates", "ids", "lost_turn", "lost_element"):
        assert np.array_equal(getattr(other, name), getattr(bunch, name))
    for name in ("p0", "path_length", "particle_charge", "seed", "turn", "n_removed", "species"):
        assert getattr(other, name) == getattr(bunch, name)
    assert other.fingerprint() == bunch.fingerprint()
    line = [beam.Quadrupole("q", length=0.1, k1=1.0), beam.Drift("d", length=1.0)]
    assert beam.track(line, other).fingerprint() == beam.track(line, bunch).fingerprint()


@pytest.mark.parametrize("name", ["bunch.csv", "bunch.sdds"])
def test_files(tmp_path, name):
    bunch = beam.generate_bunch(particles=100, p0=500.0)
    bunch.write(tmp_path / name)
    read = beam.read_bunch(tmp_path / name, p0=500.0)
    assert np.array_equal(read.x, bunch.x) and np.allclose(read.s, bunch.s, atol=1e-15)
    with pytest.raises(OSError, match="cannot be opened"):
        beam.read_bunch(tmp_path / "missing.csv")
    with pytest.raises(ValueError, match="txt"):
        bunch.write(tmp_path / "bunch.txt")
    with pytest.raises(OSError):
        bunch.write(tmp_path / "missing" / name)


def test_files_of_openpmd_keep_the_species(tmp_path):
    bunch = beam.generate_bunch(particles=100, p0=500.0)
    assert bunch.species == "electron"
    bunch.species = "antiproton"
    files = tmp_path / "one.openpmd.h5", tmp_path / "two.openpmd.h5"
    try:
        bunch.write(files[0])
    except ValueError as error:
        if "no HDF5" in str(error):
            pytest.skip("needs HDF5")
        raise
    read = beam.read_bunch(files[0])
    assert read.species == "anti-proton"
    read.write(files[1])
    again = beam.read_bunch(files[1])
    assert (again.species, again.fingerprint()) == ("anti-proton", bunch.fingerprint())
    bunch.species = "kaon"
    with pytest.raises(ValueError, match="mass of the species is not known"):
        bunch.write(files[0])


def test_iterations_of_openpmd(tmp_path):
    bunch = beam.generate_bunch(particles=10, p0=500.0)
    try:
        bunch.write(tmp_path / "one.openpmd.h5")
    except ValueError as error:
        if "no HDF5" in str(error):
            pytest.skip("needs HDF5")
        raise
    read = beam.read_bunch(tmp_path / "one.openpmd.h5", iteration=1, species="electron")
    assert read.fingerprint() == bunch.fingerprint()
    with pytest.raises(ValueError, match="has no iteration 2"):
        beam.read_bunch(tmp_path / "one.openpmd.h5", iteration=2)


def test_an_empty_bunch():
    bunch = beam.bunch_from(np.zeros((6, 0)), p0=10.0)
    assert len(bunch) == 0 and bunch.x.shape == (0,) and bunch.coordinates.shape == (6, 0)
    beam.track([beam.Drift("d", length=1.0)], bunch, turns=3)
    assert bunch.turn == 3 and bunch.moments().number == 0


def test_protocols_of_arrays():
    bunch = beam.generate_bunch(particles=10)
    x = bunch.x
    assert x.__array_interface__["data"][0] == address(x)
    if hasattr(np, "from_dlpack"):
        assert address(np.from_dlpack(x)) == address(x)
    assert address(np.asarray(memoryview(x))) == address(x)


def test_parameters_of_other_types_are_named():
    for name, value in (("spin", 1), ("particles", "a"), ("beta_x", None), ("seed", -1)):
        with pytest.raises(TypeError, match=f"{name} = {value!r} is no value of this parameter"):
            beam.generate_bunch(**{name: value})


def test_bunches_say_what_they_are():
    bunch = beam.generate_bunch(particles=10, p0=500.0)
    bunch.turn = 3
    assert repr(bunch) == "<Bunch of 10 particles, p0 = 500, after 3 turns>"
    assert repr(bunch.moments()) == "<Moments of 10 particles>"


def test_the_field_of_a_bunch_acts_by_charge_over_mass():
    rng = np.random.default_rng(5)
    coordinates = 1e-4 * rng.normal(size=(6, 1000))
    line = [beam.SpaceChargeKick("sc", effective_length=1.0, cells=[8, 8, 8])]

    def kick(species, charge):
        bunch = beam.bunch_from(coordinates.copy(), p0=20.0)
        bunch.particle_charge = charge
        bunch.species = species
        assert pickle.loads(pickle.dumps(bunch)).mass == copy.copy(bunch).mass == bunch.mass
        beam.track(line, bunch)
        return bunch.xp - coordinates[1]

    mass = 1836.152673
    assert np.allclose(kick("proton", 1e-12 * mass), kick("positron", 1e-12), rtol=1e-6, atol=1e-14)
    assert kick("proton", 1e-12).std() < 1e-3 * kick("electron", 1e-12).std()
    bunch = beam.bunch_from(coordinates.copy(), p0=20.0)
    assert (bunch.mass, bunch.charge_number) == (1, 1)
    with pytest.raises(ValueError, match="not above 0"):
        bunch.mass = 0.0
    with pytest.raises(ValueError, match="below 0"):
        bunch.charge_number = -1.0
