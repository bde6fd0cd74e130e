// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/run.hpp>
#include <trackplex/montecarlo/transport.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace coulomb {

using namespace trackplex;

/// Bins of the tallies: n for each limit of the track length, and for each radian. Axes end one bin
/// beyond what is possible, so that this is in a bin, too.
struct Binning {
  int n = 100;
  bool plane = false;  ///< longitudinal and transverse position together

  montecarlo::AxisRange longitudinal() const { return {-1., 1. + 1. / n, 2 * n + 1}; }
  montecarlo::AxisRange transverse() const { return {0., 1. + 1. / n, n + 1}; }
  montecarlo::AxisRange angular() const {
    const int bins = int(3.1415927 * n) + 1;
    return {0., double(bins) / n, bins};
  }
};

/// A pencil or a disk.
struct Source {
  double radius = 0.;  ///< mean free paths

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION montecarlo::Start<Real> operator()(
      PhiloxKey key, const montecarlo::HistoryNumbers<Real>& history) const {
    if (radius > 0.) return montecarlo::DiskSource{radius}(key, history);
    return montecarlo::PencilSource()(key, history);
  }
};

/// The tally of the plane, which has no cells where it is not asked for.
template <class T>
class OptionalPlane {
 public:
  explicit OptionalPlane(const Binning& bins)
      : plane_(bins.longitudinal(), bins.transverse()), on_(bins.plane) {}

  KOKKOS_FUNCTION int cells() const { return on_ ? plane_.cells() : 0; }
  KOKKOS_FUNCTION int cell(const montecarlo::End<T>& end) const {
    return on_ ? plane_.cell(end) : -1;
  }
  montecarlo::TallyDescription describe() const {
    return on_ ? plane_.describe() : montecarlo::TallyDescription();
  }

 private:
  montecarlo::PlaneTally<montecarlo::Longitudinal, montecarlo::Transverse, T> plane_;
  bool on_;
};

/// The tallies of the program.
template <class T>
auto tallies_of(const Binning& bins) {
  using namespace montecarlo;
  return tallies(AxisTally<Longitudinal, T>(bins.longitudinal()),
                 AxisTally<Transverse, T>(bins.transverse()), AxisTally<Angle, T>(bins.angular()),
                 OptionalPlane<T>(bins));
}

/// All that the counts of a history depend on, beside the number type.
struct Simulation {
  montecarlo::Material material;
  montecarlo::ScreenedRutherford scattering;
  double limit = 33.5;        ///< of the track length, mean free paths
  double source_radius = 0.;  ///< of a disk, mm; 0: a pencil
  std::uint64_t seed = 1;
  Binning binning;

  double limit_mm() const { return limit * scattering.mean_free_path; }
  std::string source() const {
    return source_radius > 0. ? fmt::format("disk:{}mm", source_radius) : "pencil";
  }
  /// As checkpoints have it.
  montecarlo::TransportDescription description(const std::string& precision) const {
    auto tallies = montecarlo::descriptions(tallies_of<double>(binning));
    if (!binning.plane) tallies.pop_back();
    return {material, scattering, limit, seed, precision, source(), tallies};
  }
  /// Histories that take some milliseconds: to begin with.
  std::uint64_t few_histories() const { return 1 + std::uint64_t((1 << 19) / (1. + limit)); }
};

/// A warm-up, which is forgotten, and then the histories that `next()` asks for, as long as it
/// does; `take` receives what they count, and the seconds that this took. Compiled once per backend
/// and number type, in simulate.cpp.
template <class Real, class ExecutionSpace>
void simulate(const program::Run<Real, ExecutionSpace>& run, const Simulation& simulation,
              const std::function<std::optional<montecarlo::HistoryRange>()>& next,
              const std::function<void(const montecarlo::TransportCounts&, double)>& take);

}  // namespace coulomb
