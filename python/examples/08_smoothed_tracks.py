# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits and smoothed residuals of tracks in ten cylinders, of which one is turned."""

import numpy as np

from trackplex import kalman

tracks = kalman.generate_cylinder_tracks(5000, field=2.0)  # with 1 mm of silicon in each cylinder
points = tracks.points.copy()
points[3, :, 0] -= 0.001 * tracks.points[3, :, 1]  # turned by 1 mrad, 160 um at its radius
points[3, :, 1] += 0.001 * tracks.points[3, :, 0]

hits = kalman.cylinder_hits(points, kalman.cylinder_covariances(points, sigma_r_phi=0.01, sigma_z=0.1), thickness=0.1)
fits = kalman.fit(hits, 2.0, tracks.parameters, tracks.covariance_elements, tracks.charges, smooth=True)

good = fits.reached & tracks.complete
resolution = np.median(abs(fits.smoothed.parameters[0] / tracks.truth_on_layers[0] - 1)[good, 3])
print(f"{good.sum()} of {len(fits)} tracks fitted, chi2/ndf {np.mean(fits.chi2[good] / fits.measurements[good]):.2f}, "
      f"1/pT within {100 * resolution:.1f} %")
for layer, residuals in enumerate(fits.smoothed.residuals[:, good, 0]):
    print(f"layer {layer}: r phi {1e4 * residuals.mean():+6.1f} um")
