// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/reduce.hpp>

#include <cmath>

namespace trackplex::beam {

namespace detail {

/// delta and s relative to another reference momentum.
template <class Real>
struct ChangeReference {
  using T = ScalarOf<Real>;
  BunchColumns<T> columns;
  T deviation, rest;  ///< of the new momentum, and minus its rounding error times `ratio`
  T ratio;            ///< old momentum over new momentum
  T shift;            ///< old path length minus new one, m

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const Real d = tile.load(columns.v[delta]) - Real(deviation);
    tile.store(columns.v[delta], fma(d, Real(ratio), Real(rest)));
    tile.store(columns.v[s], tile.load(columns.v[s]) + Real(shift));
  }
};

/// s after a change of the origin of time.
template <class Real>
struct ShiftTime {
  using T = ScalarOf<Real>;
  BunchColumns<T> columns;
  ArrivalTimes<T> times;
  T shift;  ///< of the time times the speed of light and p0^-2, over gamma/p0 of the reference, m

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const Real d = tile.load(columns.v[delta]), u = Real(1) + d, g = times.energy(u);
    const Real slower = d * (Real(2) + d) / (g * times.sum_of_energies(u, g));
    tile.store(columns.v[s], fma(Real(-shift), slower, tile.load(columns.v[s])));
  }
};

/// delta of each particle.
template <class Real>
struct DeltaTerms {
  using Double = Rebind<Real, double>;
  BunchColumns<ScalarOf<Real>> columns;

  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<Double, 1> operator()(const Tile<Double>& place) const {
    const Tile<Real> tile{place.first, place.count};
    return {{convert<Double>(tile.load(columns.v[delta]))}};
  }
};

/// Delay of each particle.
template <class Real>
struct DelayTerms {
  using Double = Rebind<Real, double>;
  BunchColumns<ScalarOf<Real>> columns;
  ArrivalTimes<ScalarOf<Real>> times;

  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<Double, 1> operator()(const Tile<Double>& place) const {
    const Tile<Real> tile{place.first, place.count};
    return {{convert<Double>(times.delay(tile.load(columns.v[s]), tile.load(columns.v[delta])))}};
  }
};

/// Returns the mean of the terms of at least one particle. Waits for the instance.
template <class Real, class ExecutionSpace, class Terms>
double mean_on_host(const ExecutionSpace& exec, const Share& particles, const Terms& terms,
                    Workspace<ExecutionSpace>& workspace) {
  const auto sum = workspace.template get<double>(exec, "Trackplex::Beam::mean", 1);
  reduce<Sum, Rebind<Real, double>>(exec, particles, terms, sum, workspace);
  return element_on_host(exec, sum, 0) / double(particles.all);
}

}  // namespace detail

/// Returns the mean of delta over the particles of a bunch, 0 if it has none. Waits for the
/// instance.
/// @tparam Width lanes on hosts
template <int Width, class ExecutionSpace, class T>
double mean_delta(const ExecutionSpace& exec, const Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                  Workspace<ExecutionSpace>& workspace) {
  using Real = LanesOf<T, Width>;
  if (bunch.share().all == 0) return 0.;
  return detail::mean_on_host<Real>(exec, bunch.share(), detail::DeltaTerms<Real>{bunch.columns()},
                                    workspace);
}

/// Returns the mean delay of the particles of a bunch relative to its reference particle
/// (see `ArrivalTimes`), m, at a distance, m, downstream, as if they moved along the axis; 0 if it
/// has none. Waits for the instance.
/// @tparam Width lanes on hosts
template <int Width, class ExecutionSpace, class T>
double mean_delay(const ExecutionSpace& exec, const Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                  Workspace<ExecutionSpace>& workspace, double distance = 0.) {
  using Real = LanesOf<T, Width>;
  if (bunch.share().all == 0) return 0.;
  ReferenceParticle reference = bunch.reference;
  reference.path_length += distance;
  return detail::mean_on_host<Real>(
      exec, bunch.share(), detail::DelayTerms<Real>{bunch.columns(), ArrivalTimes<T>(reference)},
      workspace);
}

/// Changes the momentum of the reference particle to p0 (beta gamma). Particles keep their momenta,
/// times and total paths: delta and s become relative to the new reference particle. Its path
/// length is multiplied by the ratio of velocities, so it arrives at the same time.
/// Enqueues on the instance.
/// @tparam Width lanes on hosts
/// @throws UsageError if p0 is not above 0
template <int Width, class ExecutionSpace, class T>
void change_reference_momentum(const ExecutionSpace& exec,
                               Bunch<T, MemoryOf<ExecutionSpace>>& bunch, double p0) {
  using Real = LanesOf<T, Width>;
  if (!(p0 > 0.) || !std::isfinite(p0))
    throw UsageError("reference momentum", "it is not above 0", shortest(p0), "it is beta gamma");
  ReferenceParticle& reference = bunch.reference;
  const double p = reference.p0, gamma = std::sqrt(1. + p * p), gamma0 = std::sqrt(1. + p0 * p0);
  const double velocity_less_1 =
      (p0 - p) * (p0 + p) / (p * gamma0 * (p0 * gamma + p * gamma0));  // of the ratio
  const double path_length =
      std::fma(reference.path_length, velocity_less_1, reference.path_length);
  const double deviation = (p0 - p) / p, ratio = p / p0;
  const double rest = (double(T(deviation)) - deviation) * ratio;
  for_each_tile<Real>(
      exec, "Trackplex::Beam::change_reference", bunch.size(),
      detail::ChangeReference<Real>{bunch.columns(), T(deviation), T(rest), T(ratio),
                                    T(reference.path_length - path_length)});
  reference.p0 = p0;
  reference.path_length = path_length;
}

/// Sets the reference momentum to the mean momentum of the particles, see
/// `change_reference_momentum`; a bunch without particles is unchanged. Waits for the instance.
/// @tparam Width lanes on hosts
/// @throws UsageError if the mean is not above 0
template <int Width, class ExecutionSpace, class T>
void set_reference_to_mean(const ExecutionSpace& exec, Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                           Workspace<ExecutionSpace>& workspace) {
  if (bunch.share().all == 0) return;
  const double mean = mean_delta<Width>(exec, bunch, workspace);
  change_reference_momentum<Width>(exec, bunch,
                                   std::fma(bunch.reference.p0, mean, bunch.reference.p0));
}

/// Subtracts a time, given times the speed of light, m, from the times of all particles: the path
/// of the reference particle becomes shorter, and delays are kept. Enqueues on the instance.
/// @tparam Width lanes on hosts
template <int Width, class ExecutionSpace, class T>
void shift_time(const ExecutionSpace& exec, Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                double light_path) {
  using Real = LanesOf<T, Width>;
  ReferenceParticle& reference = bunch.reference;
  const double p0_to_minus_2 = 1. / (reference.p0 * reference.p0);
  const double energy0 = std::sqrt(1. + p0_to_minus_2);
  for_each_tile<Real>(exec, "Trackplex::Beam::shift_time", bunch.size(),
                      detail::ShiftTime<Real>{bunch.columns(), ArrivalTimes<T>(reference),
                                              T(light_path * p0_to_minus_2 / energy0)});
  reference.path_length -= light_path / energy0;
}

}  // namespace trackplex::beam
