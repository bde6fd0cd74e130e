// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/on_host.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/montecarlo/moments.hpp>
#include <trackplex/montecarlo/source.hpp>

#include <vector>

namespace trackplex::montecarlo {

/// What is simulated.
struct TransportParams {
  double screening = 0.;  ///< A of the cross section
  double limit = 33.5;    ///< of the track length, mean free paths
  std::uint64_t seed = 1;
};

/// Histories [begin, end).
struct HistoryRange {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t size() const { return end - begin; }
};

/// What histories have counted. Ranges of histories add up exactly.
struct TransportCounts {
  std::vector<std::uint64_t> cells;  ///< of all tallies, in their order
  MomentSums moments;
  std::uint64_t lane_steps = 0;  ///< steps that lanes had time for; depends on the backend

  TransportCounts& operator+=(const TransportCounts& other) {
    cells.resize(std::max(cells.size(), other.cells.size()));
    for (std::size_t i = 0; i < other.cells.size(); ++i) cells[i] += other.cells[i];
    moments += other.moments;
    lane_steps += other.lane_steps;
    return *this;
  }
  /// The share of lane steps in which a history made a step: scatterings, and the one to the limit.
  double occupancy() const {
    if (lane_steps == 0) return 0.;
    const double steps = moments.sums[int(Moment::scatterings)].value() + double(moments.histories);
    return steps / double(lane_steps);
  }
};

}  // namespace trackplex::montecarlo

#include <trackplex/montecarlo/detail/transport_kernel.hpp>

namespace trackplex::montecarlo {

/// Follows histories of electrons to a limit of their track length and counts where they end. An
/// object serves one instance at a time; nothing is allocated after the first call.
template <class T, class ExecutionSpace, class Tallies, class Source = PencilSource,
          int Width = default_lane_width<ExecutionSpace, T>>
class Transport {
 public:
  /// Waits for the instance.
  /// @throws UsageError if the screening or the limit is not above 0
  Transport(const ExecutionSpace& exec, const TransportParams& params, const Tallies& tallies,
            const Source& source = {});

  /// The most histories that one call of `run` may take.
  static constexpr std::uint64_t most_histories = std::uint64_t(1) << 30;

  /// Simulates histories [begin, end) and adds up in the device's memory what they count. Enqueues
  /// on the instance.
  /// @throws UsageError for more than `most_histories`
  void run(const ExecutionSpace& exec, const HistoryRange& range);

  /// What all ranges since the last call have counted. Waits for the instance.
  TransportCounts take(const ExecutionSpace& exec);

 private:
  using Kernel = detail::TransportKernel<LanesOf<T, Width>, ExecutionSpace, Tallies, Source>;

  Kernel kernel_;
  std::uint64_t pending_ = 0;
};

template <class T, class ExecutionSpace, class Tallies, class Source, int Width>
Transport<T, ExecutionSpace, Tallies, Source, Width>::Transport(const ExecutionSpace& exec,
                                                                const TransportParams& params,
                                                                const Tallies& tallies,
                                                                const Source& source)
    : kernel_{tallies, source, PhiloxKey(params.seed), T(params.screening), T(params.limit)} {
  if (!(params.screening > 0.) || !(params.limit > 0.))
    throw UsageError("Transport", "the screening or the limit is not above 0",
                     std::to_string(params.screening) + ", " + std::to_string(params.limit));
  kernel_.counts = decltype(kernel_.counts)(
      Kokkos::view_alloc(exec, std::string("Trackplex::MonteCarlo::counts")), tallies.cells());
  kernel_.moments = decltype(kernel_.moments)(
      Kokkos::view_alloc(exec, std::string("Trackplex::MonteCarlo::moments")), n_moments + 1);
  exec.fence();
}

template <class T, class ExecutionSpace, class Tallies, class Source, int Width>
void Transport<T, ExecutionSpace, Tallies, Source, Width>::run(const ExecutionSpace& exec,
                                                               const HistoryRange& range) {
  if (range.end < range.begin || range.size() > most_histories ||
      pending_ + range.size() > most_histories)
    throw UsageError("Transport::run", "the range of histories is too long",
                     std::to_string(range.begin) + " to " + std::to_string(range.end),
                     "take the counts after at most " + std::to_string(most_histories));
  pending_ += range.size();
  kernel_.first = range.begin;
  kernel_.histories = int(range.size());
  kernel_.launch(exec);
}

template <class T, class ExecutionSpace, class Tallies, class Source, int Width>
TransportCounts Transport<T, ExecutionSpace, Tallies, Source, Width>::take(
    const ExecutionSpace& exec) {
  TransportCounts out;
  const auto cells = on_host(exec, kernel_.counts);
  const auto moments = on_host(exec, kernel_.moments);
  out.cells.assign(cells.data(), cells.data() + cells.extent(0));
  out.moments.histories = pending_;
  for (int i = 0; i < n_moments; ++i) out.moments.sums[i] += moments(i);
  out.lane_steps = std::uint64_t(moments(n_moments));
  Kokkos::deep_copy(exec, kernel_.counts, 0u);
  Kokkos::deep_copy(exec, kernel_.moments, 0);
  exec.fence();
  pending_ = 0;
  return out;
}

}  // namespace trackplex::montecarlo
