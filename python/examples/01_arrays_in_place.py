# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of NumPy are particles: tracking changes them where they are."""

import numpy as np

from trackplex import beam

coordinates = np.zeros((6, 1000))  # x, xp, y, yp, s, delta
coordinates[1] = 1e-3
bunch = beam.bunch_from(coordinates, p0=200.0)
print("in place:", bunch.x.ctypes.data == coordinates.ctypes.data)

beam.track([beam.Drift("d", length=2.0)], bunch)
print(f"after 2 m, x = {1e3 * coordinates[0, 0]:.1f} mm")
