# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Single Coulomb scattering of electrons in a homogeneous medium. Lengths are in mm, energies in MeV."""

from __future__ import annotations as _annotations

from collections.abc import Callable as _Callable, Iterable as _Iterable
from dataclasses import dataclass as _dataclass

from ._trackplex import montecarlo as _core
from ._trackplex.montecarlo import Counts, Material, Scattering

__all__ = ["Axis", "Counts", "Material", "Scattering", "Transport"]

Material.__module__ = Scattering.__module__ = Counts.__module__ = __name__
Material.__doc__ = """A material by its constants b_c (1/mm) and chi_cc_square (MeV^2/mm) of Moliere's theory.

`Material.published(name)` has those of the published simulation: water, air, bone, tissue, gold.
`Material.of_elements(name, [(Z, A, fraction), ...], density, atoms=False)` computes them, for a density in g/cm^3 and fractions of
the mass or, with `atoms`, of atoms. `scattering(kinetic_energy)` returns the cross section at an energy, MeV."""
Scattering.__doc__ = """Cross section at an energy: `screening`, `mean_free_path` (mm), `kinetic_energy` (MeV), and
`mean_free_paths(length)`, which converts a length, mm."""
Counts.__doc__ = """Counts of histories, exact integers. Counts of other histories of the same simulation are added by `+=`.

`tally(i)` is a view of the cells of a tally, with one cell below each axis and one beyond it. `moments` are means with their
errors: z, z2, r2, cosine, cosine2, scatterings, lengths in units of the limit."""


@_dataclass(frozen=True)
class Axis:
    """Axis of a tally: a quantity, "longitudinal", "transverse" (in units of the limit), "cosine" or "angle" (rad), and its bins."""

    quantity: str
    low: float
    high: float
    bins: int


class Transport:
    """Follows histories from scattering to scattering up to a limit of their track length, and counts where they end.

    A tally is an Axis, or a pair of them. `limit` and the `radius` of the source, a disk, are in mean free paths. The histories are
    the same for every backend, number of threads and division into ranges.
    """

    def __init__(self, scattering: Scattering | float, limit: float, tallies: _Iterable[Axis | tuple[Axis, Axis]] = (), seed: int = 1,
                 radius: float = 0.0, precision: str = "double", backend: str = "") -> None:
        """`scattering`: a Scattering, or its screening as a number."""
        screening = getattr(scattering, "screening", scattering)
        lists = [[tally] if isinstance(tally, Axis) else list(tally) for tally in tallies]
        axes = [[(axis.quantity, axis.low, axis.high, axis.bins) for axis in tally] for tally in lists]
        self._transport = _core.Transport(screening, limit, seed, axes, radius, precision, backend)

    def run(self, begin: int, end: int, progress: _Callable[[int, int], object] | None = None) -> None:
        """Simulates the histories `begin` to `end` - 1. Ctrl-C ends it after a batch, which is counted.

        `progress(done, all)` is called now and then.
        """
        self._transport.run(begin, end, progress)

    def take(self) -> Counts:
        """Returns the counts since the last call."""
        return self._transport.take()
