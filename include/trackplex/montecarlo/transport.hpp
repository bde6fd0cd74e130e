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
  double screening = 0.;  ///< A of the cross section
  double limit = 33.5;    ///< of the track length, mean free paths
  std::uint64_t seed = 1;
};

/// Follows histories of electrons (or positrons: their cross section is the same here) to a limit
/// of their track length and counts where they end. An object serves one instance at a time;
/// nothing is allocated after the first call.
template <class T, class ExecutionSpace, class Tallies, class Source = PencilSource,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::transport>>
class Transport {
 public:
  /// Waits for the instance.
  /// @throws UsageError if the screening or the limit is not above 0, the limit above `max_limit`,
  /// or the screening below `min_screening`
  Transport(const ExecutionSpace& exec, const TransportParams& params, const Tallies& tallies,
            const Source& source = {})
      : kernel_{tallies, source, PhiloxKey(params.seed), T(params.screening), T(params.limit)} {
    check(params);
    kernel_.counts = decltype(kernel_.counts)(
        Kokkos::view_alloc(exec, std::string("Trackplex::MonteCarlo::counts")), tallies.cells());
    kernel_.sums = decltype(kernel_.sums)(
        Kokkos::view_alloc(exec, std::string("Trackplex::MonteCarlo::sums")), Kernel::n_sums);
    exec.fence();
  }

  /// The most histories between two calls of `take`.
  static constexpr std::uint64_t max_histories = std::uint64_t(1) << 30;
  /// The longest limit, mean free paths.
  static constexpr double max_limit = 1 << 20;
  /// The least screening: with less, the 24 random bits that single precision has for an angle do
  /// not resolve large ones.
  static constexpr double min_screening = std::is_same_v<T, float> ? 0x1p-20 : 0.;

  /// Simulates histories [begin, end) and adds up in the device's memory what they count. Enqueues
  /// on the instance. Host threads take 8192 histories at a time, teams of a device as many: fast
  /// ranges have many times that.
  /// @throws UsageError for more than `max_histories`, or one that has run since the last `take`
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

  /// Takes the counts of all ranges since the last call; the next ones begin anew. Waits for the
  /// instance.
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
    Kokkos::deep_copy(exec, kernel_.counts, 0u);
    Kokkos::deep_copy(exec, kernel_.sums, 0);
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
