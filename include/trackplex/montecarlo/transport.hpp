// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/montecarlo/detail/transport_kernel.hpp>
#include <trackplex/montecarlo/source.hpp>
#include <trackplex/montecarlo/transport_counts.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>

namespace trackplex::montecarlo {

/// Parameters of a simulation.
struct TransportParams {
  double screening = 0.;   ///< Screening parameter A of the cross section.
  double limit = 33.5;     ///< Limit of the track length, mean free paths.
  std::uint64_t seed = 1;  ///< Seed: key of the random numbers.
};

/// Simulation of electrons or positrons in an infinite homogeneous medium: follows histories
/// from scattering to scattering up to a limit of their track length and counts where they end,
/// without energy loss. Results do not depend on backend, threads, lanes or the division into
/// ranges. An object is used by one execution-space instance at a time; nothing is allocated after
/// the first call.
/// @tparam T              precision of the histories, float or double
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Tallies        a `TallyList`, the type of `tallies(...)`
/// @tparam Source         starts of the histories, see source.hpp
/// @tparam Width          lanes on hosts
template <class T, class ExecutionSpace, class Tallies, class Source = PencilSource,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::transport>>
class Transport {
 public:
  /// Allocates the counts, all 0. Tallies and source are copied. Waits for the instance.
  /// @throws UsageError if the screening or the limit is not above 0, the screening not finite, the
  /// limit above `max_limit`, or the screening below `min_screening`
  Transport(const ExecutionSpace& exec, const TransportParams& params, const Tallies& tallies,
            const Source& source = {})
      : kernel_{tallies, source, PhiloxKey(params.seed), T(params.screening), T(params.limit)} {
    check(params);
    kernel_.counts =
        new_zeros<decltype(kernel_.counts)>(exec, "Trackplex::MonteCarlo::counts", tallies.cells());
    kernel_.sums =
        new_zeros<decltype(kernel_.sums)>(exec, "Trackplex::MonteCarlo::sums", Kernel::n_sums);
    exec.fence();
  }

  /// Max number of histories between two calls of `take`.
  static constexpr std::uint64_t max_histories = std::uint64_t(1) << 30;
  /// Max limit of the track length, mean free paths.
  static constexpr double max_limit = 1 << 20;
  /// Min screening: below it, the 24 random bits that single precision has for an angle do not
  /// resolve large deflections. Double precision has no limit.
  static constexpr double min_screening = std::is_same_v<T, float> ? 0x1p-20 : 0.;

  /// Simulates the histories [begin, end) and adds their counts to those in device memory.
  /// Enqueues on the instance. A host thread gets 8192 histories at a time, a device thread 64:
  /// ranges many times larger keep all threads busy.
  /// @throws UsageError if the range ends before it begins, one of its histories has run since the
  /// last `take`, or there are more than `max_histories`; nothing runs then
  void run(const ExecutionSpace& exec, const HistoryRange& range) {
    if (range.end >= range.begin && range.size() > max_histories - pending_.size())
      throw UsageError("transport", "there are too many histories",
                       std::to_string(range.begin) + " to " + std::to_string(range.end),
                       "take the counts after at most " + std::to_string(max_histories));
    pending_.add(range);
    kernel_.first = range.begin;
    kernel_.histories = int(range.size());
    kernel_.launch(exec);
  }

  /// Returns the counts of all ranges since the last call and sets the device counts to 0. Waits
  /// for the instance.
  TransportCounts take(const ExecutionSpace& exec) {
    TransportCounts out;
    const auto cells = to_host(exec, kernel_.counts);
    const auto sums = to_host(exec, kernel_.sums);
    out.cells.assign(cells.data(), cells.data() + cells.extent(0));
    for (int i = 0; i < n_moments; ++i) {
      out.moments.sums[i].high = sums(Kernel::high_sums + i);
      out.moments.sums[i] += sums(Kernel::low_sums + i);
    }
    out.moments.skipped = std::uint64_t(sums(Kernel::skipped));
    out.moments.histories = pending_.size() - out.moments.skipped;
    out.lane_steps = std::uint64_t(sums(Kernel::lane_steps));
    out.histories = pending_;
    fill_with_zeros(exec, kernel_.counts);
    fill_with_zeros(exec, kernel_.sums);
    exec.fence();
    pending_.clear();
    return out;
  }

 private:
  using Kernel =
      detail::TransportKernel<LanesOf<T, Width>, MemoryOf<ExecutionSpace>, Tallies, Source>;

  static void check(const TransportParams& params) {
    const auto text = [](double value) {
      char digits[32];
      std::snprintf(digits, sizeof digits, "%.9g", value);
      return std::string(digits);
    };
    if (!(params.screening > 0.) || !(params.limit > 0.))
      throw UsageError("transport", "the screening or the limit is not above 0",
                       text(params.screening) + ", " + text(params.limit));
    if (!(params.limit <= max_limit))
      throw UsageError("transport", "the limit is too long",
                       text(params.limit) + " mean free paths", "it is at most " + text(max_limit));
    if (!std::isfinite(params.screening))
      throw UsageError("transport", "the screening is not finite", text(params.screening));
    if (params.screening < min_screening)
      throw UsageError("transport", "the screening is too small for single precision",
                       text(params.screening), "take double precision");
  }

  Kernel kernel_;
  HistorySet pending_;  ///< histories since the last `take`
};

}  // namespace trackplex::montecarlo
