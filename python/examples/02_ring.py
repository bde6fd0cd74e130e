# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A ring of elements: optics, a matched bunch, thousands of turns with losses."""

import numpy as np

from trackplex import beam

qf = beam.CanonicalQuadrupole("qf", length=0.2, k1=1.4)
qd = beam.CanonicalQuadrupole("qd", length=0.2, k1=-1.35)
d = beam.ExactDrift("d", length=0.8)
scraper = beam.Collimator("scraper", aperture=beam.Aperture(x_max=4e-3, y_max=4e-3))
ring = beam.Line([scraper, [qf, d, qd, d] * 10], name="ring")

optics = beam.twiss(ring)
print(f"tunes {optics.tune_x:.4f} and {optics.tune_y:.4f}, chromaticity {optics.chromaticity_x:.2f}")

bunch = beam.generate_bunch(
    particles=10000, p0=1000.0, emittance_x=3e-7, beta_x=optics.beta_x[0], alpha_x=optics.alpha_x[0],
    emittance_y=3e-7, beta_y=optics.beta_y[0], alpha_y=optics.alpha_y[0])
tracker = beam.Tracker(ring, monitors=[len(ring) - 1])
tracker.track(bunch, turns=100)
emittance = tracker.records.optics("x")["emittance"]
lost = np.count_nonzero(bunch.lost_turn >= 0)
print(f"{lost} of {bunch.size_with_lost} particles lost, emittance {1e6 * emittance[0]:.3f} to {1e6 * emittance[-1]:.3f} um")
