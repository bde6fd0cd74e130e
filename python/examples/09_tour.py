# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A tour in cells, as notebooks and editors run them: an event and its tracks, a ring and its dynamic aperture, drawn."""

# %% An event in the middle of a detector of modules: hits, and the tracks that are found.
import numpy as np

from trackplex import beam, detector, kalman

modules = detector.small_detector()
field = detector.uniform_field(2.0)  # T, along z
event, = detector.generate_events(modules, field, 1, tracks=60, min_pt=0.6, noise=0.05, seed=7)
tracks, = detector.TrackFinder(modules, field, min_pt=0.4)([event])
points = modules.points(event.modules, event.u, event.v)
print(f"{len(event)} hits, {len(tracks)} tracks")

# %% Each track, fitted again, on all its layers.
fits = kalman.fit(kalman.hits_of_tracks(event, tracks), field, tracks.parameters, 100 * tracks.covariances, tracks.charges, smooth=True)
lines = fits.smoothed.parameters[:, fits.reached, :3]
print(f"chi2/ndf {fits.chi2.sum() / (fits.measurements.sum() - 5 * len(fits)):.2f}")

# %% A ring of eight cells, and the particles that stay in it for 300 turns.
cell = [beam.ChromaticQuadrupole("qf", length=0.2, k1=1.5), beam.CanonicalSextupole("s", length=0.1, k2=20.0),
        beam.ExactDrift("d", length=0.7), beam.ChromaticQuadrupole("qd", length=0.2, k1=-1.55), beam.ExactDrift("e", length=0.8)]
ring = beam.Line(cell * 8)
starts = beam.dynamic_aperture(ring, p0=1000.0, turns=300, x_max=0.03, y_max=0.02)
orbit = beam.closed_orbit(ring, p0=1000.0)
print(f"tunes {orbit.tune_x:.4f} and {orbit.tune_y:.4f}, dynamic aperture {1e6 * starts.area:.0f} mm^2")

# %% The drawings.
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("without matplotlib there are no drawings")
    raise SystemExit
figure, (across, along, aperture) = plt.subplots(1, 3, figsize=(15, 4.5))
for axes, horizontal in ((across, 0), (along, 2)):
    axes.plot(points[:, horizontal], points[:, 1], ".", ms=2, c="0.6")
    axes.plot(lines[:, :, horizontal], lines[:, :, 1], lw=0.8)
    axes.set(xlabel=f"{'xyz'[horizontal]} (cm)", ylabel="y (cm)")
drawn = aperture.scatter(1e3 * starts.x, 1e3 * starts.y, c=np.where(starts.lost_turn < 0, starts.diffusion, np.nan), s=10)
aperture.set(xlabel="x (mm)", ylabel="y (mm)")
figure.colorbar(drawn, label="log10 of the diffusion of tunes")
figure.savefig("tour.png")
