// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>

#include <array>

namespace trackplex::beam {

/// Polarisation of a bunch, on the host.
struct SpinMoments {
  using Vector = std::array<double, n_spin_components>;  ///< Value of each component.

  double number = 0.;  ///< Number of surviving particles; if 0, the rest is 0.
  Vector mean{};       ///< Polarisation: means of the components.
  Vector sigma{};      ///< Rms of the components about their means.

  /// Returns the degree of polarisation: the length of the mean, at most 1.
  double polarization() const;
};

/// Computes the moments of the spins of the first `bunch.size()` particles, without lost ones, from
/// a temporary copy. Waits for the instance.
/// @throws UsageError if the bunch has no spins
template <class T, class ExecutionSpace>
SpinMoments spin_moments_of(const ExecutionSpace& exec,
                            const Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                            Workspace<ExecutionSpace>& workspace) {
  if (!bunch.has_spins())
    throw UsageError("spin_moments_of", "the bunch has no spins", {},
                     "give its particles spins: ParticleTable::set_spins, BunchParams::spin");
  auto copy = bunch;
  copy.remove_spins();
  copy.allocate(exec, bunch.size_with_lost());
  copy.ids = bunch.ids;
  copy.losses = bunch.losses;
  for (int c = 0; c < n_coordinates; ++c)
    copy_array(exec, copy.values(c), bunch.spin_values(c % n_spin_components));
  const Moments moments = moments_of(exec, copy, workspace);
  SpinMoments spins{moments.number};
  for (int c = 0; c < n_spin_components; ++c) {
    spins.mean[c] = moments.mean[c];
    spins.sigma[c] = moments.sigma(c);
  }
  return spins;
}

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/bunch/detail/spin_moments.impl.hpp>
#endif
