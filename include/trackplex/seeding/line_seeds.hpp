// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Seeds of straight tracks along z: hits on consecutive planes without a field, strips or pixels.

#include <trackplex/chain/common_algorithms.hpp>
#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/scan.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/seeding/detail/line_seeds.hpp>
#include <trackplex/seeding/seeds.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace trackplex::seeding {

/// Checks the layers and the cuts of lines.
/// @throws UsageError
inline void check_lines(const LineSeedsParams& p, int layers) {
  const auto n = int(p.layers.size());
  if (n < 2 || n > detail::max_line_layers)
    throw UsageError("find_line_seeds", "there are too few or too many layers", std::to_string(n),
                     "from 2 to " + std::to_string(detail::max_line_layers));
  for (const int layer : p.layers)
    if (layer < 0 || layer >= layers)
      throw UsageError("find_line_seeds", "there is no such layer", std::to_string(layer));
  for (const double number :
       {p.sigma_x, p.sigma_y, p.sigma_x_slope, p.sigma_y_slope, p.n_sigma, p.min_momentum})
    if (!(number > 0.))
      throw UsageError("find_line_seeds", "a cut or an error is not positive", shortest(number));
  if (!(p.scattering >= 0.))
    throw UsageError("find_line_seeds", "the angle of scattering is negative",
                     shortest(p.scattering) + " rad");
  if (p.max_missed < 0 || p.max_missed > n - 2)
    throw UsageError("find_line_seeds", "too many layers may be missed",
                     std::to_string(p.max_missed) + " of " + std::to_string(n));
}

/// Numbers of the lines of the slots of a `CountLines`: `values` are those of earlier slots.
template <class ExecutionSpace>
struct LineOffsets : chain::Offsets<ExecutionSpace> {};

/// Counts the straight lines of all events: hits on the layers of `params`, each compatible with
/// the line through the previous hits, with up to `max_missed` layers without a hit, even if a
/// compatible one exists. Lines begin in a region of positions and slopes.
///
/// Each hit of the first layers is combined with all compatible hits of the other layers: suitable
/// for events with some tens of tracks.
template <class T, class ExecutionSpace>
struct CountLines {
  static constexpr const char* name = "count_lines";
  using MemorySpace = MemoryOf<ExecutionSpace>;            ///< of its arrays
  using Hits = hits::DetectorHits<T, MemorySpace>;         ///< input
  using Taken = Kokkos::View<std::uint8_t*, MemorySpace>;  ///< (hit): 1 if it is on a track and
                                                           ///< thus not for seeds; empty: no hit is
  using Offsets = LineOffsets<ExecutionSpace>;             ///< output
  using Lines = detail::LinesOfHits<T, MemorySpace>;       ///< search for the lines of a slot
  /// Numbers of lines.
  struct Scratch {
    Kokkos::View<std::int32_t*, MemorySpace> counts;  ///< (slot)
  };

  geometry::Detector<T, MemorySpace> detector;  ///< modules of the hits
  LineSeedsParams params;                       ///< layers and cuts

  /// Allocates the offsets.
  /// @throws UsageError for layers and cuts that are not possible, or if there are fewer flags than
  /// hits
  template <class Memory>
  void allocate(const Memory& memory, const Hits& hits, const Taken& taken, Offsets& offsets,
                Scratch& scratch) const {
    check_lines(params, hits.layers);
    if (taken.extent(0) > 0 && taken.extent(0) < std::size_t(hits.hits))
      throw UsageError("find_line_seeds", "the flags are not those of the hits",
                       std::to_string(taken.extent(0)) + " flags");
    const auto n = std::size_t(lines(hits, taken).slots());
    allocate_array(memory.scratch(), scratch.counts, "Trackplex::Seeding::line_counts", n);
    allocate_array(memory.of(offsets), offsets.values, "Trackplex::Seeding::line_offsets", n + 1);
    allocate_array(memory.of(offsets), offsets.total, "Trackplex::Seeding::n_lines", 1);
  }
  /// Enqueues the kernels and the copy of the number of lines.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Taken& taken,
                  Offsets& offsets, Scratch& scratch) const {
    const Lines lines = this->lines(hits, taken);
    const auto n = std::size_t(lines.slots());
    for_each_tile<int>(exec, "Trackplex::Seeding::count_lines", int(n),
                       detail::CountLines<Lines>{lines, scratch.counts.data()});
    exclusive_scan(exec, scratch.counts, offsets.values, int(n));
    copy_array(exec, offsets.total, Kokkos::subview(offsets.values, std::make_pair(n, n + 1)));
  }

  /// Returns the search for lines.
  Lines lines(const Hits& hits, const Taken& taken) const {
    return Lines(hits, detector, params, taken.extent(0) > 0 ? taken.data() : nullptr);
  }
};

/// Turns the lines of a `CountLines` into seeds, ordered by the indices of their hits. The state of
/// a seed is that of the line on the plane of its last hit; the error of q/p is 1 / min_momentum,
/// and q/p a thousandth of that. The seeds have no results of fits.
template <class T, class ExecutionSpace>
struct FillLines {
  static constexpr const char* name = "fill_lines";
  using Count = CountLines<T, ExecutionSpace>;                ///< the algorithm before
  using MemorySpace = MemoryOf<ExecutionSpace>;               ///< of its arrays
  using Hits = typename Count::Hits;                          ///< input
  using Taken = typename Count::Taken;                        ///< input
  using Offsets = typename Count::Offsets;                    ///< input
  using Found = Seeds<T, MemorySpace, kalman::ForwardTrack>;  ///< output

  Count count;  ///< with the same parameters

  /// Allocates the seeds.
  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const Taken&, const Offsets& offsets,
                Found& seeds, SeedOrigins& origins) const {
    origins = {};  // no line is lost
    const int n = offsets.total(0);
    seeds.allocate(memory.of(seeds), n, int(count.params.layers.size()));
    allocate_array(memory.of(seeds), seeds.layer, "Trackplex::Seeding::seed_layer", std::size_t(n));
  }
  /// Enqueues the kernel.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Taken& taken,
                  const Offsets& offsets, Found& seeds, SeedOrigins&) const {
    const auto lines = count.lines(hits, taken);
    const auto states = seeds.states.view();
    for_each_tile<int>(exec, "Trackplex::Seeding::fill_lines", lines.slots(),
                       detail::FillLines<typename Count::Lines, tracks::TrackHits<MemorySpace>,
                                         std::decay_t<decltype(states)>>{
                           lines, offsets.values.data(), seeds.hits, states, seeds.layer.data()});
  }
};

/// Finds seeds of straight tracks in all events: `CountLines` and `FillLines` in one call, which
/// allocates the seeds and waits for the instance twice. `taken` tells whether each hit is on a
/// track and thus not for seeds; empty: no hit is.
/// @throws UsageError for layers and cuts that are not possible
template <class ExecutionSpace, class T>
void find_line_seeds(const ExecutionSpace& exec,
                     const hits::DetectorHits<T, MemoryOf<ExecutionSpace>>& hits,
                     const geometry::Detector<T, MemoryOf<ExecutionSpace>>& detector,
                     const LineSeedsParams& params,
                     StartSeeds<T, MemoryOf<ExecutionSpace>, kalman::ForwardTrack>& seeds,
                     const Kokkos::View<std::uint8_t*, MemoryOf<ExecutionSpace>>& taken = {}) {
  const CountLines<T, ExecutionSpace> count{detector, params};
  LineOffsets<ExecutionSpace> offsets;
  typename CountLines<T, ExecutionSpace>::Scratch scratch;
  run_algorithm(exec, count, hits, taken, offsets, scratch);
  exec.fence();
  typename FillLines<T, ExecutionSpace>::Found found;
  static_cast<decltype(seeds)>(found) = seeds;
  SeedOrigins origins;
  run_algorithm(exec, FillLines<T, ExecutionSpace>{count}, hits, taken, offsets, found, origins);
  exec.fence();
  seeds = found;
}

}  // namespace trackplex::seeding
