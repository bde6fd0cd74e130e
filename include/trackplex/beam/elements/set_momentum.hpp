// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/change_reference.hpp>
#include <trackplex/beam/elements/element.hpp>

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class SetMomentumAction;

/// Changes the reference momentum, or momenta of particles to match it (ENERGY).
struct SetMomentum {
  double momentum = 0.;          ///< Reference momentum beta gamma; 0: unchanged.
  bool match_line = false;       ///< Whether it is set to the mean of the particles.
  bool match_particles = false;  ///< Whether momenta change so that their mean is the
                                 ///< unchanged reference momentum; times are kept.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "other";
  void check(const ElementCheck& check) const { check.not_negative("momentum", momentum); }
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  double momentum_behind(double p0) const {
    return momentum > 0. && !match_line && !match_particles ? momentum : p0;
  }
  template <class T, class ExecutionSpace, int Width>
  using Action = SetMomentumAction<T, ExecutionSpace, Width>;
  /// @}
};

namespace detail {

/// Adds a term to the momentum u = 1 + delta, with the time kept.
template <class Real>
struct ShiftMomentum {
  using T = ScalarOf<Real>;
  BunchColumns<T> columns;
  T shift, p0_to_minus_2, path;  ///< the last one times p0^-2

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const Real inverse(p0_to_minus_2), step(shift), s0 = tile.load(columns.v[s]);
    const Real u = Real(1) + tile.load(columns.v[delta]), u1 = u + step;
    const Real g = sqrt(fma(u, u, inverse)), g1 = sqrt(fma(u1, u1, inverse)), cross = u * g1;
    const Real way = fma(s0, inverse, Real(path));
    tile.store(columns.v[s],
               fma(way * (step * (u + u1)), Real(1) / (cross * fma(u1, g, cross)), s0));
    tile.store(columns.v[delta], tile.load(columns.v[delta]) + step);
  }
};

}  // namespace detail

/// Action of `SetMomentum`. Waits for the instance if it needs the mean momentum.
template <class T, class ExecutionSpace, int Width>
class SetMomentumAction {
 public:
  /// Takes the settings of an element.
  SetMomentumAction(const ExecutionSpace&, const SetMomentum& element) : element_(element) {}

  /// Changes the reference momentum, or the momenta of particles.
  void operator()(const ExecutionSpace& exec, Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                  Workspace<ExecutionSpace>& workspace) const {
    using Real = LanesOf<T, Width>;
    if (element_.match_line) return set_reference_to_mean<Width>(exec, bunch, workspace);
    if (element_.match_particles) {
      const double p0 = bunch.reference.p0, inverse_square = 1. / (p0 * p0);
      const double mean = mean_delta<Width>(exec, bunch, workspace);
      for_each_tile<Real>(
          exec, "Trackplex::Beam::match_particles", bunch.size(),
          detail::ShiftMomentum<Real>{bunch.columns(), T(-mean), T(inverse_square),
                                      T(bunch.reference.path_length * inverse_square)});
    } else if (element_.momentum > 0.) {
      change_reference_momentum<Width>(exec, bunch, element_.momentum);
    }
  }

 private:
  SetMomentum element_;
};

}  // namespace trackplex::beam
