# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import gc
import os
from pathlib import Path

import numpy as np
import pytest

from trackplex import io, lhcb


@pytest.fixture(scope="module")
def detector():
    return lhcb.ideal_detector()


@pytest.fixture(scope="module")
def events(detector):
    return lhcb.generate_raw_events(detector, 3, seed=5)


def test_tracks_of_the_velo():
    events = lhcb.generate_velo_events(4, seed=1)
    results = lhcb.VeloFinder()(events)
    assert len(results) == 4
    for event, result in zip(events, results):
        assert len(result) > 50 and len(result.track_offsets) == len(result) + 1 and result.overflow == 0
        hits = result.track(0)
        assert np.array_equal(hits, result.track_hits[:result.track_offsets[1]])
        state = result.states[0]
        at_hits = state["x"] + state["tx"] * (event.z[hits] - state["z"])
        assert np.allclose(at_hits, event.x[hits], atol=0.5)
    with pytest.raises(IndexError):
        results[0].track(len(results[0]))
    assert lhcb.VeloFinder()([]) == []


def test_tracks_with_momentum_agree_with_the_truth(detector, events):
    results = lhcb.VeloUtFinder(detector)([event for event, truth in events])
    close = total = 0
    for (event, truth), result in zip(events, results):
        owner = {}
        for particle in range(len(truth)):
            for hit in truth.velo_ids(particle):
                owner[hit] = particle
        for track in result.ut_tracks:
            owners = [owner.get(result.velo_ids[hit], -1) for hit in result.track(track["velo_track"])]
            particle = max(set(owners), key=owners.count)
            if particle < 0 or truth.p[particle] < 3000:
                continue
            total += 1
            close += abs(abs(1 / track["qop"]) / truth.p[particle] - 1) < 0.5
    assert total > 50 and close > 0.8 * total


def test_results_are_views_that_stay(detector, events):
    result, = lhcb.VeloUtFinder(detector)([events[0][0]])
    fingerprint, states, tracks = result.fingerprint(), result.states, result.ut_tracks
    assert states.base is not None and not states.flags.writeable
    assert tracks.dtype.names == ("velo_track", "hits", "qop", "chi2", "x", "slope")
    copy = states.copy(), tracks.copy()
    del result
    gc.collect()
    again, = lhcb.VeloUtFinder(detector)([events[0][0]])
    assert np.array_equal(states, copy[0]) and np.array_equal(tracks, copy[1])
    assert again.fingerprint() == fingerprint


def test_a_batch_is_its_events(detector, events):
    finder = lhcb.VeloUtFinder(detector)
    together = [result.fingerprint() for result in finder([event for event, truth in events])]
    assert together == [finder([event])[0].fingerprint() for event, truth in events]


def test_events_from_arrays(detector, events):
    event = events[0][0]
    copy = lhcb.RawEvent(event.vp, event.ut, name="copy", number=7)
    assert np.array_equal(copy.vp["words"], event.vp["words"]) and copy.number == 7
    finder = lhcb.VeloUtFinder(detector)
    assert finder([copy])[0].fingerprint() == finder([event])[0].fingerprint()
    with pytest.raises(ValueError, match="copy"):
        lhcb.RawEvent({**event.vp, "version": 9}, event.ut, name="copy")
    with pytest.raises(ValueError, match="first_words has"):
        lhcb.RawEvent({**event.vp, "first_words": event.vp["first_words"][:-1]}, event.ut)
    velo = lhcb.generate_velo_events(1)[0]
    again = lhcb.VeloEvent(velo.x, velo.y, velo.z, velo.module_offsets)
    found, expected = lhcb.VeloFinder()([again, velo])
    assert np.array_equal(found.states, expected.states)
    with pytest.raises(ValueError, match="module_offsets"):
        lhcb.VeloEvent(velo.x, velo.y, velo.z, velo.module_offsets[::-1])


def test_files(tmp_path, detector, events):
    io.write_mdf(tmp_path / "events.mdf", events)
    read = io.read_mdf(tmp_path / "events.mdf")
    assert len(read) == 3
    assert np.array_equal(read[1][0].ut["words"], events[1][0].ut["words"])
    assert np.array_equal(read[1][1].p, events[1][1].p)
    detector.write(tmp_path / "geometry")
    assert io.read_detector(tmp_path / "geometry").polarity == detector.polarity
    (tmp_path / "events.mdf").write_bytes(b"\0" * 100)
    with pytest.raises(ValueError, match="events.mdf"):
        io.read_mdf(tmp_path / "events.mdf")
    with pytest.raises(OSError):
        io.read_mdf(tmp_path / "missing.mdf")


def test_vertices_of_generated_events(detector, events):
    results = lhcb.TracksFinder(detector)([event for event, truth in events])
    for result, velo_ut in zip(results, lhcb.VeloUtFinder(detector)([event for event, truth in events])):
        assert len(result.vertices) > 0 and len(result.long_tracks) == len(result.scifi_x) == 0  # there is no SciFi
        assert np.abs(result.vertices["position"][:, :2]).max() < 1.0 and (result.vertices["covariance"][:, 5] > 0).all()
        assert np.array_equal(result.states, velo_ut.states) and np.array_equal(result.ut_tracks, velo_ut.ut_tracks)


def test_long_tracks_of_generated_events():
    detector = lhcb.ideal_detector(scifi=True)
    events = lhcb.generate_raw_events(detector, 3, seed=5)
    results = lhcb.TracksFinder(detector)([raw for raw, _ in events])
    for (_, truth), result in zip(events, results):
        owner = {hit: particle for particle in range(len(truth)) for hit in truth.scifi_ids(particle)}
        assert owner.keys() <= set(result.scifi_ids)
        assert len(result.long_tracks) > 0.5 * truth.is_long.sum()


def test_long_tracks_of_files():
    data = Path(os.environ.get("TRACKPLEX_DATA") or Path(__file__).parents[2] / "../shared/data")
    folders = data / "lhcb-raw", data / "lhcb-scifi"
    if not all(folder.exists() for folder in folders):
        pytest.skip(f"there is no {folders[1]} (TRACKPLEX_DATA)")
    geometry = [folder / "geometry" for folder in folders]
    detector = lhcb.read_detector(*geometry)
    events = lhcb.read_raw_events(*folders)[:3]
    assert len(events[0].scifi["words"]) > 100
    results = lhcb.TracksFinder(detector, ut="2020", velo="2020")(events)
    for event, result in zip(events, results):
        truth = lhcb.read_mc_event(folders[1], event.name)
        owner = {hit: particle for particle in range(len(truth)) for hit in truth.scifi_ids(particle)}
        right = total = 0
        for track in result.long_tracks:
            owners = [owner.get(result.scifi_ids[hit], -1) for hit in track["hits"] if hit >= 0]
            particle = max(set(owners), key=owners.count)
            if particle >= 0 and owners.count(particle) > 0.7 * len(owners):
                total += 1
                right += abs(abs(1 / track["qop"]) / truth.p[particle] - 1) < 0.05
        assert total > 10 and right > 0.8 * total and total > 0.7 * len(result.long_tracks)
        assert 1 <= len(result.vertices) < 20
    copy = lhcb.RawEvent(events[0].vp, events[0].ut, name=events[0].name, scifi=events[0].scifi)
    assert lhcb.TracksFinder(detector, ut="2020", velo="2020")([copy])[0].fingerprint() == results[0].fingerprint()
    numbers = [len(lhcb.TracksFinder(detector, search=search)(events[:1])[0].long_tracks) for search in ("forward", "matching", "both")]
    assert numbers[2] > max(numbers[:2]) and min(numbers) > 10
    without = lhcb.TracksFinder(detector, long_tracks=False)(events[:1])[0]
    assert len(without.long_tracks) == 0 and len(without.vertices) > 0
    fitted, = lhcb.TracksFinder(detector, fit_parameters=geometry[1] / "kalman")(events[:1])
    assert len(fitted.long_fits) == len(fitted.long_tracks) > 10 and (fitted.long_fits["ndf"] > 10).all()
    difference = np.abs(fitted.long_fits["qop"] / fitted.long_tracks["qop"] - 1)
    assert 0 < np.median(difference) < 0.02
    limited, = lhcb.TracksFinder(detector, fit_parameters=geometry[1] / "kalman", max_chi2_per_ndf=2)(events[:1])
    good = fitted.long_fits["chi2"] <= 2 * fitted.long_fits["ndf"]
    assert 10 < good.sum() < len(good) and (limited.long_tracks == fitted.long_tracks[good]).all()


def test_fits_in_a_map(tmp_path):
    detector = lhcb.ideal_detector(scifi=True)
    (raw, _), = lhcb.generate_raw_events(detector, 1, seed=5)
    file = tmp_path / "map.csv"
    nodes = [(x, y, z) for x in (-400, 400) for y in (-300, 300) for z in range(0, 1001, 20)]
    rows = [f"{x},{y},{z},0,{-1.1 * min(1, max(0, (240 - abs(z - 520)) / 100))},0" for x, y, z in nodes]
    file.write_text("\n".join(["x[cm],y[cm],z[cm],Bx[T],By[T],Bz[T]"] + rows))
    result, = lhcb.TracksFinder(detector, field_map=file)([raw])
    assert len(result.long_fits) == len(result.long_tracks) > 10 and (result.long_fits["ndf"] > 10).all()
    assert np.median(np.abs(result.long_fits["qop"] / result.long_tracks["qop"] - 1)) < 0.1


def test_bad_arguments_are_named(detector):
    with pytest.raises(ValueError, match='ut: there are no cuts of "1999"'):
        lhcb.VeloUtFinder(detector, ut="1999")
    with pytest.raises(ValueError, match='search: there is no search "any"'):
        lhcb.TracksFinder(detector, search="any")
    with pytest.raises(TypeError):
        lhcb.VeloFinder()([1])
