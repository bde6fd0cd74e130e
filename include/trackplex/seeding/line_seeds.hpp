// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Seeds of straight tracks along z: hits on consecutive planes without a field, strips or pixels.

#include <trackplex/core/launch.hpp>
#include <trackplex/core/scan.hpp>
#include <trackplex/seeding/detail/line_seeds.hpp>
#include <trackplex/seeding/seeds.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace trackplex::seeding {

namespace detail {

/// Checks the layers and the cuts of lines.
inline void check_lines(const LineSeedsParams& p, int layers) {
  const auto n = int(p.layers.size());
  if (n < 2 || n > max_line_layers)
    throw UsageError("find_line_seeds", "there are too few or too many layers", std::to_string(n),
                     "from 2 to " + std::to_string(max_line_layers));
  for (const int layer : p.layers)
    if (layer < 0 || layer >= layers)
      throw UsageError("find_line_seeds", "there is no such layer", std::to_string(layer));
  for (const double number :
       {p.sigma_x, p.sigma_y, p.sigma_x_slope, p.sigma_y_slope, p.n_sigma, p.min_momentum})
    if (!(number > 0.))
      throw UsageError("find_line_seeds", "a cut or an error is not positive",
                       std::to_string(number));
  if (!(p.scattering >= 0.))
    throw UsageError("find_line_seeds", "the angle of scattering is negative",
                     std::to_string(p.scattering) + " rad");
  if (p.max_missed < 0 || p.max_missed > n - 2)
    throw UsageError("find_line_seeds", "too many layers may be missed",
                     std::to_string(p.max_missed) + " of " + std::to_string(n));
}

}  // namespace detail

/// Finds seeds of straight tracks in all events: hits on the layers of `params`, each compatible
/// with the line through the previous hits, with up to `max_missed` layers without a hit, even if a
/// compatible one exists. Lines begin in a region of positions and slopes. A seed's state is that
/// of the line on the plane of its last hit; the error of q/p is 1 / min_momentum, and q/p a
/// thousandth of that. `taken` tells whether each hit is on a track and thus not for seeds; empty:
/// no hit is. Seeds are ordered by the indices of their hits. Allocates the seeds and waits for the
/// instance twice.
///
/// Each hit of the first layers is combined with all compatible hits of the other layers: suitable
/// for events with some tens of tracks.
/// @throws UsageError for layers and cuts that are not possible
template <class ExecutionSpace, class T>
void find_line_seeds(const ExecutionSpace& exec,
                     const search::DetectorHits<T, MemoryOf<ExecutionSpace>>& hits,
                     const geometry::Detector<T, MemoryOf<ExecutionSpace>>& detector,
                     const LineSeedsParams& params,
                     StartSeeds<T, MemoryOf<ExecutionSpace>, kalman::ForwardTrack>& seeds,
                     const Kokkos::View<std::uint8_t*, MemoryOf<ExecutionSpace>>& taken = {}) {
  using Memory = MemoryOf<ExecutionSpace>;
  using Lines = detail::LinesOfHits<T, Memory>;
  detail::check_lines(params, hits.layers);
  if (taken.extent(0) > 0 && taken.extent(0) < std::size_t(hits.hits))
    throw UsageError("find_line_seeds", "the flags are not those of the hits",
                     std::to_string(taken.extent(0)) + " flags");
  const Lines lines(hits, detector, params, taken.extent(0) > 0 ? taken.data() : nullptr);
  const int slots = lines.slots();
  Kokkos::View<std::int32_t*, Memory> counts, offsets;
  allocate_array(exec, counts, "Trackplex::Seeding::line_counts", std::size_t(slots));
  allocate_array(exec, offsets, "Trackplex::Seeding::line_offsets", std::size_t(slots) + 1);
  for_each_tile<int>(exec, "Trackplex::Seeding::count_lines", slots,
                     detail::CountLines<Lines>{lines, counts.data()});
  exclusive_scan(exec, counts, offsets, slots);
  const int n = element_on_host(exec, offsets, std::size_t(slots));
  seeds.allocate(exec, n, int(params.layers.size()));
  allocate_array(exec, seeds.layer, "Trackplex::Seeding::seed_layer", std::size_t(n));
  const auto states = seeds.states.view();
  for_each_tile<int>(exec, "Trackplex::Seeding::fill_lines", slots,
                     detail::FillLines<Lines, TrackHits<Memory>, std::decay_t<decltype(states)>>{
                         lines, offsets.data(), seeds.hits, states, seeds.layer.data()});
  exec.fence();
}

}  // namespace trackplex::seeding
