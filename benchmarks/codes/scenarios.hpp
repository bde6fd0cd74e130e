// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Scenarios of the public beam dynamics benchmarks (impactx-benchmarks, state of 2026-09-08):
/// lines, beams, and what their moments are for infinitely many particles.

#include <trackplex/beam/bunch/canonical.hpp>
#include <trackplex/beam/bunch/spin_moments.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/simulation/bunch_params.hpp>

#include <string>
#include <vector>

namespace trackplex::benchmarks {

/// A number that a scenario is validated by.
struct Observable {
  std::string name;         ///< "sigma_x"
  double expected;          ///< by quadrature over the initial distribution
  double tolerance;         ///< relative, of the benchmark; 3/sqrt(particles) is added
  double quadrature_error;  ///< relative: how well a quadrature of ours must agree

  /// Returns its value.
  double of(const beam::CanonicalMoments& moments, const beam::SpinMoments& spins) const;
};

/// What particles pass, once.
struct Scenario {
  std::string name;
  std::string purpose;
  beam::BeamLine line;
  simulation::BunchParams bunch;
  std::vector<Observable> observables;
};

/// Returns all scenarios.
std::vector<Scenario> scenarios();

}  // namespace trackplex::benchmarks
