// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Common parts of the actions of elements with coherent radiation.

#include <trackplex/beam/collective/detail/add_counts.hpp>
#include <trackplex/beam/collective/detail/csr_particles.hpp>
#include <trackplex/beam/collective/detail/space_charge_particles.hpp>
#include <trackplex/beam/steps/step_builder.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/index_in_list.hpp>
#include <trackplex/histogram/deposit.hpp>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace trackplex::beam::detail {

template <class BunchType>
void require_whole_bunch(const char* where, const BunchType& bunch) {
  if (bunch.may_have_lost)
    throw UsageError(where, "lost particles may be among the others of the bunch", {},
                     "move them after the others with remove_lost");
}

inline void require_charge(const char* where, double charge) {
  if (!(charge > 0.))
    throw UsageError(where, "the particles have no charge", shortest(charge),
                     "put a CHARGE before the first one");
}

/// Returns q e/(4 pi eps0 m c^2) over p0, of the charge q of a particle of a bunch, m.
template <class BunchType>
double csr_unit(const BunchType& bunch) {
  constexpr double c = constants::speed_of_light;
  return bunch.particle_charge * 1e-7 * c * c /
         (constants::elegant::electron_energy_from_mass * bunch.reference.mass_per_charge() *
          bunch.reference.p0);
}

/// Steps at one end of a bend, on the device.
template <class T, class MemorySpace>
class BendEndArrays {
 public:
  /// Stores the steps that `add(StepBuilder&)` adds.
  template <class ExecutionSpace, class Add>
  BendEndArrays(const ExecutionSpace& exec, const Add& add) {
    TrackingSteps built;
    built.segments.emplace_back();
    StepBuilder builder(built, 0);
    add(builder);
    std::vector<KernelStep> steps;
    for (const TrackingStep& step : built.steps) {
      const int type = index_in_list<BendEndSteps>(step.type.id);
      if (type < 0)
        throw UsageError("coherent bend", "it has a step of another type", step.type.id.name());
      steps.push_back({type, 0, step.first});
    }
    steps_ = to_device<KernelStep>(exec, "Trackplex::Beam::bend_end", steps);
    coefficients_ =
        to_device<T>(exec, "Trackplex::Beam::bend_end_coefficients", built.coefficients);
  }

  BendEnd<T> kernel() const { return {steps_.data(), coefficients_.data(), int(steps_.extent(0))}; }

 private:
  Kokkos::View<KernelStep*, MemorySpace> steps_;
  Kokkos::View<T*, MemorySpace> coefficients_;
};

/// Bins and filters of a bend.
struct CsrBinning {
  int bins;
  double range_factor;
  int smoothing_half_width, smoothing_order;
  int derivative_half_width, derivative_order;
};

/// Bunch as the source of a field: its bins, and the changes of energy in them. The changes after
/// a bend are separate from the last ones inside.
template <class T, class ExecutionSpace, int Width>
class CsrSource {
  using Real = LanesOf<T, Width>;
  using FieldReal = LanesOf<double, (Width < 4 ? Width : 4)>;
  using Memory = MemoryOf<ExecutionSpace>;
  template <class U>
  using Array = Kokkos::View<U*, Memory>;
  using Scratch = Workspace<ExecutionSpace>;
  static constexpr int path_bins = 10000;

 public:
  CsrSource(const ExecutionSpace& exec, const CsrBinning& binning) : binning_(binning) {
    constexpr const char* where = "coherent bend";
    const int bins = binning.bins;
    if (bins < 2 || bins >= histogram::detail::too_many_bins)
      throw UsageError(where, "no such number of bins", std::to_string(bins),
                       "a few hundred serve most bunches");
    if (!(binning.range_factor >= 1.1))
      throw UsageError(where, "the range factor is below 1.1", shortest(binning.range_factor));
    std::vector<double> smoothing;
    if (binning.smoothing_half_width != 0)
      smoothing = smoothing_weights(binning.smoothing_half_width, binning.smoothing_order);
    arrays_.smoothing = to_device<double>(exec, "Trackplex::Beam::smoothing", smoothing);
    arrays_.derivative = to_device<double>(
        exec, "Trackplex::Beam::derivative",
        derivative_weights(binning.derivative_half_width, binning.derivative_order));
    std::vector<double> roots(std::size_t(bins) + 1, 0.);
    for (int k = 1; k <= bins; ++k) roots[k] = 1. / cbrt(double(k));
    inverse_cube_roots_ = to_device<double>(exec, "Trackplex::Beam::inverse_cube_roots", roots);
    zeros(arrays_.counts, "bin_counts", bins);
    zeros(arrays_.outside, "outside_count", 1);
    zeros(arrays_.range, "delay_range", 2);
    zeros(kicks_, "csr_kicks", bins + 1);
    zeros(kicks_behind_, "csr_kicks_behind", bins + 1);
    zeros(grids_, "csr_grids", 2);
  }

  const double* inverse_cube_roots() const { return inverse_cube_roots_.data(); }
  T* kicks() const { return kicks_.data(); }
  T* kicks_behind() const { return kicks_behind_.data(); }
  CsrGrid* grid() const { return grids_.data(); }
  CsrGrid* grid_behind() const { return grids_.data() + 1; }
  CsrKick<Real> kick() const { return {kicks(), grid(), binning_.bins}; }
  CsrKick<Real> kick_behind() const { return {kicks_behind(), grid_behind(), binning_.bins}; }

  /// Enqueues a pass over the particles that also returns the range of their delays.
  template <class Terms>
  void reduce_range(const ExecutionSpace& exec, const Share& particles, const Terms& terms,
                    Scratch& workspace) {
    reduce<RangeOperations, Rebind<Real, double>>(exec, particles, terms, arrays_.range, workspace);
  }

  /// Enqueues the changes of energy by the radiation of particles with delays in this range.
  template <class Radiation>
  void find_field(const ExecutionSpace& exec, const Share& particles, const T* delays,
                  const Radiation& radiation, T* kicks, CsrGrid* grid, Scratch& workspace) {
    const int bins = binning_.bins;
    deposit(exec, particles, delays, binning_.range_factor, bins, arrays_.counts, workspace);
    for_each_team(exec, "Trackplex::Beam::csr_field", 1,
                  CsrField<T, FieldReal, Memory, Radiation>{
                      arrays_, radiation, binning_.range_factor, bins, grid, kicks},
                  SpaceTraits<ExecutionSpace>::large_team_size);
  }

  /// Throws if the last range had no extent or was not finite. Waits for the instance.
  void require_field(const ExecutionSpace& exec) const {
    const double first = element_on_host(exec, arrays_.range, 0);
    const double last = element_on_host(exec, arrays_.range, 1);
    if (first > last) return;  // all are lost
    if (!std::isfinite(last - first))
      throw UsageError("coherent radiation", "the times of the particles are not finite", {},
                       "remove lost particles");
    if (first == last)
      throw UsageError("coherent radiation", "the bunch has no length",
                       "all particles arrive at one time");
  }

  /// Returns the width in s, m, of the central 68.26 % of a bunch, on bins of a ten thousandth of
  /// its range: from the last bin within that share before the median to the last one after it.
  /// Waits for the instance.
  double width_of_most(const ExecutionSpace& exec, const Bunch<T, Memory>& bunch,
                       Scratch& workspace) {
    constexpr double share = 0.6826, factor = 1.01;
    const Share& particles = bunch.share();
    if (path_counts_.extent(0) == 0) zeros(path_counts_, "path_counts", path_bins);
    reduce_range(exec, particles, PathTerms<Real>{bunch.column(s)}, workspace);
    require_field(exec);
    deposit(exec, particles, bunch.column(s), factor, path_bins, path_counts_, workspace);
    const auto counts = to_host(exec, path_counts_);
    std::vector<double> below(path_bins);
    double sum = 0.;
    for (int i = 0; i < path_bins; ++i) below[i] = (sum += counts(i)) / double(particles.all);
    int median = path_bins / 2;
    for (int i = 0; i < path_bins; ++i)
      if (below[i] < 0.5) median = i;
    int first = median, last = median;
    while (last + 1 < path_bins && below[last + 1] - 0.5 < 0.5 * share) ++last;
    while (first > 0 && 0.5 - below[first - 1] < 0.5 * share) --first;
    const double range =
        element_on_host(exec, arrays_.range, 1) - element_on_host(exec, arrays_.range, 0);
    return (last - first) * (factor * range / path_bins);
  }

  template <class Profile>
  Profile profile(const ExecutionSpace& exec, const T* kicks, const CsrGrid* grid,
                  const ReferenceParticle& reference) const {
    const auto host_kicks = to_host(exec, kicks == kicks_.data() ? kicks_ : kicks_behind_);
    const CsrGrid on_host = element_on_host(exec, grids_, std::size_t(grid - grids_.data()));
    Profile profile;
    for (int bin = 0; bin < binning_.bins; ++bin) {
      profile.time.push_back((on_host.lower + bin * on_host.width) / constants::speed_of_light);
      profile.gain.push_back(double(host_kicks(bin)) * reference.p0 *
                             constants::elegant::electron_energy * reference.mass);
    }
    return profile;
  }

 private:
  template <class View>
  static void zeros(View& view, const std::string& label, int n) {
    view = new_zeros<View>("Trackplex::Beam::" + label, std::size_t(n));
  }

  void deposit(const ExecutionSpace& exec, const Share& particles, const T* values, double factor,
               int bins, Array<int>& counts, Scratch& workspace) {
    const CsrPositions<Real> positions{values, arrays_.range.data(), factor, bins};
    const histogram::Deposit<T, ExecutionSpace, Width> deposit{{.bins = bins}};
    deposit(exec, particles.n, positions, counts, arrays_.outside, workspace);
    add_counts(exec, particles.ranks, counts, bins, arrays_.outside);
  }

  CsrBinning binning_;
  CsrArrays<Memory> arrays_;
  Array<double> inverse_cube_roots_;
  Array<T> kicks_, kicks_behind_;
  Array<CsrGrid> grids_;  ///< inside a bend, and after it
  Array<int> path_counts_;
};

/// Field that the last bend leaves to the downstream drifts.
template <class Source>
struct CsrHandover {
  std::shared_ptr<Source> source;  ///< none: there is no field
  double slice = 0.;               ///< length that its kicks are of, m
  double radius = 0.;              ///< of the bend, m
  double angle = 0.;               ///< of the bend
  double exit = 0.;                ///< path length at the exit of the bend, m
  double last = 0.;                ///< the same where `strength` holds, m
  double strength = 1.;            ///< of the field relative to that at the exit
};

}  // namespace trackplex::beam::detail
