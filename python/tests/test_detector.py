# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import gc

import numpy as np
import pytest

from trackplex import detector


@pytest.fixture(scope="module")
def modules():
    return detector.small_detector()


@pytest.fixture(scope="module")
def field():
    return detector.uniform_field(2.0)


@pytest.fixture(scope="module")
def events(modules, field):
    return detector.generate_events(modules, field, 2, tracks=150, noise=0.1, seed=3)


@pytest.fixture(scope="module")
def find(modules, field):
    return detector.TrackFinder(modules, field, min_pt=0.3, max_d0=0.2)


def test_tracks_agree_with_the_truth(events, find):
    found = find(events)
    result = detector.compare(events, found, min_pt=0.5)
    assert result.efficiency > 0.97 and result.fake_rate < 0.02 and result.purity > 0.99
    assert result.score > 0.9 and result.efficiency_error < 0.02
    for event, tracks, particles in zip(events, found, result.particle_of_track):
        assert len(particles) == len(tracks)
        good = particles >= 0
        truth, starts = particles[good], tracks.parameters[good]
        ratio = starts[:, 3] * tracks.charges[good] / (event.starts[truth, 3] * event.charges[truth])
        assert abs(np.median(ratio) - 1) < 0.01 and np.mean(abs(ratio - 1) < 0.1) > 0.95
        pulls = (starts[:, 3] - np.abs(event.starts[truth, 3])) / np.sqrt(tracks.covariances[good][:, 3, 3])
        assert 0.5 < np.median(np.abs(pulls)) / 0.6745 < 1.5


def test_results_are_views_that_stay(events, find):
    tracks, = find(events[:1])
    parameters, hits = tracks.parameters, tracks.track(3)
    assert parameters.base is not None and not parameters.flags.writeable and parameters.shape == (len(tracks), 6)
    assert np.array_equal(hits, tracks.track_hits[tracks.track_offsets[3]:tracks.track_offsets[4]])
    lower = np.tril_indices(6)
    assert np.array_equal(tracks.covariances[0][lower], tracks.covariance_elements[0])
    assert np.array_equal(tracks.covariances[0], tracks.covariances[0].T)
    copy = parameters.copy()
    del tracks
    gc.collect()
    again, = find(events[:1])
    assert np.array_equal(parameters, copy) and np.array_equal(again.parameters, copy)
    with pytest.raises(IndexError):
        again.track(len(again))


def test_a_batch_is_its_events(events, find):
    together = find(events)
    for event, tracks in zip(events, together):
        alone, = find([event])
        assert np.array_equal(alone.parameters, tracks.parameters) and np.array_equal(alone.track_hits, tracks.track_hits)
    assert find([]) == []


def test_events_from_arrays(modules, events, find):
    event = events[0]
    shuffled = np.random.default_rng(1).permutation(len(event))
    copy = detector.Event(modules, event.modules[shuffled], event.u[shuffled], event.v[shuffled], event.variance_u[shuffled],
                          event.variance_v[shuffled])
    assert len(copy) == len(event) and not copy.has_truth and event.has_truth
    assert np.array_equal(copy.u, event.u[shuffled][copy.added])
    expected, found = find([event])[0], find([copy])[0]
    assert abs(len(found) - len(expected)) <= 2  # equal candidates may be taken in another order
    points = modules.points(event.modules, event.u, event.v)
    assert points.shape == (len(event), 3) and np.isfinite(points).all()
    assert np.allclose(modules.points([5], [0.0], [0.0])[0], modules.centres[5])


def test_generated_events_depend_on_seed_and_number_only(modules, field, events):
    again = detector.generate_events(modules, field, 1, tracks=150, noise=0.1, seed=3, first=1)[0]
    assert np.array_equal(again.u, events[1].u) and np.array_equal(again.particle_of_hit, events[1].particle_of_hit)
    one, = detector.generate_events(modules, field, 1, particles=([[0, 0, 0, 0.5, 1.0, 1.2]], [-1]))
    assert len(one.starts) == 1 and one.charges[0] == -1 and one.n_hits[0] == len(one) > 5
    none, = detector.generate_events(modules, field, 1, tracks=0)
    assert len(none) == 0 and none.starts.shape == (0, 6)


def test_detectors_from_parts():
    pixels = {"pitch_u": 0.005, "pitch_v": 0.04, "thickness": 0.03, "radiation_lengths": 0.003}
    builder = detector.Builder()
    for n in (14, 22, 30, 38):
        builder.barrel(radius=0.3 * n, half_length=30, n_phi=n, n_z=8, name=f"barrel {n}", **pixels)
    modules = builder.disk(z=40, inner=4, outer=12, n_phi=[16], **pixels).build()
    assert len(modules) == 8 * (14 + 22 + 30 + 38) + 16 and modules.layers[1] == "barrel 22"
    assert modules.layer_of_module[-1] == 4 and modules.pitch_v[0] == 0.04
    shifted = modules.moved(modules.centres + [0.0, 0.0, 1.0], modules.u, modules.v)
    assert np.allclose(shifted.centres[:, 2], modules.centres[:, 2] + 1.0)
    with pytest.raises(ValueError, match="module 0"):
        modules.moved(modules.centres, 2.0 * modules.u, modules.v)
    with pytest.raises(ValueError, match=r"centres does not have the shape"):
        modules.moved(modules.centres[:-1], modules.u, modules.v)
    with pytest.raises(ValueError):
        detector.Builder().barrel(radius=-1, half_length=10, n_phi=4)


def test_fields():
    r, z = np.meshgrid(np.linspace(0, 100, 11), np.linspace(-200, 200, 21), indexing="ij")
    field = detector.AxialField((0, 100), (-200, 200), 0.0 * r, 2.0 - 1e-5 * z**2, centre=(0, 0, 10))
    b = field([[0, 0, 10], [10, 0, 110], [0, 0, 500]])
    assert np.allclose(b[0], [0, 0, 2]) and np.allclose(b[1], [0, 0, 1.9]) and np.array_equal(b[2], [0, 0, 0])
    assert np.allclose(detector.uniform_field(1.5)([[3, 4, 5]]), [[0, 0, 1.5]])
    assert abs(detector.trackml_field()([[-15, -15, -15]])[0, 2] - 1.99) < 0.01
    with pytest.raises(ValueError, match="b_r and b_z differ"):
        detector.AxialField((0, 100), (-200, 200), r[:-1], z)
    with pytest.raises(ValueError, match="not finite"):
        detector.AxialField((0, 100), (-200, 200), np.nan * r, z)


def test_files(tmp_path):
    table = tmp_path / "detectors.csv"
    header = ("volume_id,layer_id,module_id,cx,cy,cz,rot_xu,rot_xv,rot_xw,rot_yu,rot_yv,rot_yw,rot_zu,rot_zv,rot_zw,module_t,"
              "module_minhu,module_maxhu,module_hv,pitch_u,pitch_v")
    rows = [f"1,{layer},1,0,0,{100 * layer},1,0,0,0,1,0,0,0,1,0.15,20,20,20,0.05,0.05" for layer in (1, 2, 3)]
    table.write_text("\n".join([header, *rows]) + "\n")
    modules = detector.read_trackml_detector(table)
    assert len(modules) == 3 and np.allclose(modules.centres[:, 2], [10, 20, 30])
    assert np.allclose(modules.radiation_lengths, 0.03 / 9.37, rtol=0.01)
    assert not detector.read_trackml_detector(table, material="none").radiation_lengths.any()
    prefix = tmp_path / "event1"
    (tmp_path / "event1-hits.csv").write_text("hit_id,x,y,z,volume_id,layer_id,module_id\n1,1,2,100,1,1,1\n2,2,4,200,1,2,1\n")
    event = detector.read_trackml_event(modules, prefix)
    assert np.allclose(event.u, [0.1, 0.2]) and not event.has_truth
    (tmp_path / "event1-hits.csv").write_text("hit_id,x,y,z,volume_id,layer_id,module_id\n1,1,2,150,1,1,1\n")
    with pytest.raises(ValueError, match="event1-hits.csv"):
        detector.read_trackml_event(modules, prefix)
    with pytest.raises(OSError):
        detector.read_trackml_detector(tmp_path / "missing.csv")
    with pytest.raises(ValueError, match="material"):
        detector.read_trackml_detector(table, material="lead")


def test_bad_arguments_are_named(modules, field, events, find):
    other = detector.small_detector()
    with pytest.raises(ValueError, match="another detector"):
        detector.TrackFinder(other, field, min_pt=0.3)(events)
    with pytest.raises(ValueError, match="min_pt"):
        detector.TrackFinder(modules, field, min_pt=0.0)
    with pytest.raises(ValueError, match="passes"):
        detector.TrackFinder(modules, field, passes=-1)
    for module in (0.5, 2**32):  # not module 0
        with pytest.raises(ValueError, match="modules has numbers that are not of int32"):
            detector.Event(modules, [module], [0.0], [0.0], [1e-6], [1e-6])
    with pytest.raises(ValueError, match="no such module"):
        detector.Event(modules, [len(modules)], [0.0], [0.0], [1e-6], [1e-6])
    with pytest.raises(ValueError, match="v has 2 values instead of 1"):
        detector.Event(modules, [1], [0.0], [0.0, 1.0], [1e-6], [1e-6])
    with pytest.raises(TypeError):
        find([None])
    with pytest.raises(ValueError, match="2 events"):
        detector.compare(events, find(events[:1]))
    with pytest.raises(ValueError, match="starts have no 6"):
        detector.generate_events(modules, field, 1, particles=([[0, 0]], [1]))
