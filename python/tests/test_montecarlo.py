# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import signal
import threading

import numpy as np
import pytest

from trackplex import montecarlo
from trackplex.montecarlo import Axis, Material, Transport


def test_materials():
    water = Material.published("water")
    scattering = water.scattering(1.0)
    assert scattering.kinetic_energy == 1.0 and scattering.mean_free_paths(scattering.mean_free_path) == pytest.approx(1.0)
    silicon = Material.of_elements("silicon", [(14, 28.0855, 1.0)], 2.33)
    assert silicon.name == "silicon" and silicon.b_c > water.b_c
    h2o = Material.of_elements("water", [(1, 1.008, 2), (8, 15.999, 1)], 1.0, atoms=True)
    assert h2o.b_c == pytest.approx(water.b_c, rel=0.05)
    with pytest.raises(ValueError, match="cheese"):
        Material.published("cheese")


def test_the_mean_path_is_that_of_theory():
    scattering = Material.published("gold").scattering(1.0)
    limit = 10.0
    transport = Transport(scattering, limit)
    transport.run(0, 20000)
    counts = transport.take()
    # <cos> after a path of t mean free paths: exp(-t (1 - <cos of a scattering>)) (Goudsmit and Saunderson)
    a = scattering.screening
    loss = 2 * a * ((1 + a) * np.log((1 + a) / a) - 1)
    value, error = counts.moments["cosine"]
    assert abs(value - np.exp(-limit * loss)) < 5 * error
    scatterings, error = counts.moments["scatterings"]
    assert abs(scatterings - limit) < 5 * error


def test_tallies_are_views_with_their_shapes():
    transport = Transport(0.01, 5.0, tallies=[Axis("cosine", -1.0, 1.0, 10), (Axis("longitudinal", 0.0, 1.0, 4), Axis("angle", 0, 3, 6))])
    transport.run(0, 5000)
    counts = transport.take()
    one, plane = counts.tally(0), counts.tally(1)
    assert one.shape == (12,) and plane.shape == (6, 8) and one.dtype == np.uint64
    assert one.sum() == plane.sum() == 5000
    assert plane.ctypes.data == counts.cells.ctypes.data + one.nbytes
    with pytest.raises(IndexError):
        counts.tally(2)
    with pytest.raises(ValueError):
        one[0] = 1


def test_ranges_add_up():
    def counts_of(*ranges):
        transport = Transport(0.01, 5.0, tallies=[Axis("transverse", 0.0, 1.0, 50)])
        counts = None
        for begin, end in ranges:
            transport.run(begin, end)
            taken = transport.take()
            if counts is None:
                counts = taken
            else:
                counts += taken
        return counts

    one, two = counts_of((0, 3000)), counts_of((1000, 3000), (0, 1000))
    assert np.array_equal(one.cells, two.cells) and one.sums == two.sums and two.ranges == [(0, 3000)]
    with pytest.raises(ValueError, match="histor"):
        one += two
    other = Transport(0.01, 5.0).take()
    with pytest.raises(ValueError, match="other tallies"):
        one += other


def test_interruption_keeps_what_is_counted():
    transport = Transport(0.01, 50.0)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    done = []
    with pytest.raises(KeyboardInterrupt):
        transport.run(0, 1 << 29, progress=lambda n, all_of_them: done.append(n))
    timer.join()
    counts = transport.take()
    (begin, end), = counts.ranges
    assert begin == 0 and end >= done[-1] > 0 and counts.histories + counts.skipped == end


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match='tallies: there is no quantity "radius"'):
        Transport(0.01, 5.0, tallies=[Axis("radius", 0, 1, 2)])
    with pytest.raises(ValueError, match="neither one nor two axes"):
        Transport(0.01, 5.0, tallies=[[]])
    with pytest.raises(MemoryError, match="tallies"):
        Transport(0.01, 5.0, tallies=[Axis("angle", 0, 1, 2)] * 9)
    with pytest.raises(ValueError, match="precision"):
        Transport(0.01, 5.0, precision="half")
    with pytest.raises(ValueError, match="not above 0"):
        Transport(-1.0, 5.0)
    with pytest.raises(ValueError, match="ends before"):
        Transport(0.01, 5.0).run(3, 2)
    assert montecarlo.Axis("angle", 0, 1, 2) == Axis("angle", 0, 1, 2)
