# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a ring to a plot of its dynamic aperture."""

from trackplex import beam

cell = [beam.CanonicalQuadrupole("qf", length=0.2, k1=1.5), beam.CanonicalSextupole("s", length=0.1, k2=20.0),
        beam.ExactDrift("d", length=0.7), beam.CanonicalQuadrupole("qd", length=0.2, k1=-1.5), beam.ExactDrift("e", length=0.8)]
starts = beam.dynamic_aperture(cell * 8, p0=1000.0, turns=500, x_max=0.03, y_max=0.02)
print(f"{(starts.lost_turn < 0).sum()} of {len(starts)} starts survive 500 turns: {1e6 * starts.area:.1f} mm^2")

try:
    import matplotlib.pyplot as plt
except ImportError:
    print("without matplotlib there is no plot")
    raise SystemExit
plt.scatter(1e3 * starts.x, 1e3 * starts.y, c=starts.diffusion, s=12)
plt.xlabel("x (mm)")
plt.ylabel("y (mm)")
plt.colorbar(label="log10 of the diffusion of tunes")
plt.savefig("dynamic_aperture.png")
