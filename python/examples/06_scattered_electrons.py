# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Electrons of 0.2 MeV in 10 um of silicon, scattered one by one."""

from trackplex.montecarlo import Axis, Material, Transport

silicon = Material.of_elements("silicon", [(14, 28.0855, 1.0)], density=2.33)
scattering = silicon.scattering(kinetic_energy=0.2)
angle = Axis("angle", 0.0, 3.2, 64)
transport = Transport(scattering, scattering.mean_free_paths(0.01), tallies=[angle], seed=42)
transport.run(0, 100000)
counts = transport.take()

z, error = counts.moments["z"]
print(f"{counts.moments['scatterings'][0]:.1f} scatterings, z = {z:.4f} +- {error:.4f} of the path")
bins = counts.tally(0)[1:-1]
print(f"most probable angle {(bins.argmax() + 0.5) * 3.2 / 64:.2f} rad")
