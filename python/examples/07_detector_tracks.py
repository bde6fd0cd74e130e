# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A detector of your own: generated events, tracks, and how many are found."""

import numpy as np

from trackplex import detector

sensor = {"pitch_u": 0.005, "pitch_v": 0.04, "thickness": 0.03, "radiation_lengths": 0.01}  # cm
builder = detector.Builder()
for n in (12, 24, 40, 60, 80, 100):
    builder.barrel(radius=0.3 * n, half_length=40, n_phi=n, n_z=10, overlap=0.1, stagger=0.3, **sensor)
modules = builder.build()  # or detector.read_trackml_detector(path)
field = detector.uniform_field(2.0)  # T

events = detector.generate_events(modules, field, 3, tracks=200, max_eta=1.2, noise=0.1)
tracks = detector.TrackFinder(modules, field, min_pt=0.4)(events)
found = detector.compare(events, tracks, min_pt=0.5)

errors = []
for event, of_event, particles in zip(events, tracks, found.particle_of_track):
    good = particles >= 0
    errors.append(np.abs(of_event.parameters[good, 3]) / event.starts[particles[good], 3] - 1)
resolution = np.median(np.abs(np.concatenate(errors)))
print(f"{100 * found.efficiency:.1f} % of the particles found, {100 * found.fake_rate:.1f} % fakes")
print(f"transverse momentum within {100 * resolution:.2f} %")
