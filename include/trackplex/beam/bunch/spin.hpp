// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/tile.hpp>

namespace trackplex::beam {

/// Components of a spin in the local system: x, y, and z along the axis.
inline constexpr int n_spin_components = 3;

/// Anomalous magnetic moments, a = (g - 2)/2; CODATA 2018.
namespace anomaly {
inline constexpr double electron = 1.15965218128e-3;  ///< Electron and positron.
inline constexpr double muon = 1.16592089e-3;         ///< Muon.
inline constexpr double proton = 1.79284734463;       ///< Proton: half of g = 5.5856946893, less 1.
}  // namespace anomaly

/// Spin of one particle, or of one in each lane, with what its precession depends on.
template <class Real>
struct Spin {
  Real x,        ///< Horizontal component.
      y,         ///< Vertical component.
      z;         ///< Component along the axis.
  Real gamma;    ///< Energy of the particle over its rest energy.
  Real anomaly;  ///< Anomalous magnetic moment.
};

/// Arrays of the spins of a bunch as kernels access them: one for each component.
template <class T>
struct SpinColumns {
  T* v[n_spin_components];  ///< v[component][particle].

  /// Loads the spins of a tile.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void load(const Tile<Real>& tile, Spin<Real>& spin) const {
    spin.x = tile.load(v[0]);
    spin.y = tile.load(v[1]);
    spin.z = tile.load(v[2]);
  }
  /// Stores the spins of a tile.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Tile<Real>& tile, const Spin<Real>& spin) const {
    tile.store(v[0], spin.x);
    tile.store(v[1], spin.y);
    tile.store(v[2], spin.z);
  }
};

}  // namespace trackplex::beam
