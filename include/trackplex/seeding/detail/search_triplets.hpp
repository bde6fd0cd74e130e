// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Frame of the kernel that finds triplets (find_triplets.hpp): memory, the choice among the
/// triplets, and the number of seeds of each event.

#include <trackplex/core/allocate.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/scan.hpp>
#include <trackplex/core/team_launch.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace trackplex::seeding::detail {

template <class Results>
struct ClearCounts {
  Results triplets;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    triplets.not_best(tile.first) = triplets.dropped(tile.first) = 0;
  }
};

/// Triplets as the teams write them: those of middle hit m are the counts(m) entries from first(m)
/// on, and the middle hits are in any order.
template <class MemorySpace>
struct TripletsOfTeams {
  using Array = Kokkos::View<std::int32_t*, MemorySpace>;  ///< one integer per entry

  Array inner, outer;  ///< places of hits among the binned hits
  Array first;         ///< (middle hit): its first triplet
  Array counts;        ///< (middle hit): number of its triplets
  Array used;          ///< one entry: number of triplets found

  /// Calls `f(i)` with the numbers of the triplets of a middle hit.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_of(int middle, const F& f) const {
    const std::int32_t from = first(middle), n = counts(middle);
    for (std::int32_t i = 0; i < n; ++i) f(from + i);
  }
};

/// No triplets of middle hits: some are hits that no team has.
template <class Found>
struct ClearMiddleHits {
  Found found;
  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    found.first(tile.first) = found.counts(tile.first) = 0;
    if (tile.first == 0) found.used(0) = 0;
  }
};

/// Marks the triplets a, b, c of a hit b for which there is a triplet x, a, b: their inner places
/// become negative. Only the hit's own inner places are written or read.
template <class Found>
struct MarkContinued {
  Found found;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    const int middle = tile.first;
    found.for_each_of(middle, [&](std::int32_t i) {
      std::int32_t& inner = found.inner(i);
      bool continues = false;
      found.for_each_of(inner, [&](std::int32_t j) {
        if (found.outer(j) == middle) continues = true;
      });
      if (continues) inner = -1;
    });
  }
};

/// Counts the triplets of a middle hit that are not marked.
template <class Found, class Results>
struct CountTripletsOfHit {
  Found found;
  Results triplets;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    std::int32_t kept = 0;
    found.for_each_of(tile.first, [&](std::int32_t i) { kept += found.inner(i) >= 0; });
    triplets.offsets(tile.first) = kept;
  }
};

/// Writes the triplets that are not marked in the order of their middle hits.
template <class Found, class Results>
struct OrderTriplets {
  Found found;
  Results triplets;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    std::int32_t to = triplets.offsets(tile.first);
    found.for_each_of(tile.first, [&](std::int32_t i) {
      if (found.inner(i) < 0) return;
      triplets.inner(to) = found.inner(i);
      triplets.outer(to++) = found.outer(i);
    });
  }
};

/// Limits the number of seeds of each event, from which a scan computes `first_seed`.
template <class Hits, class Results>
struct LimitSeeds {
  Hits hits;
  Results triplets;
  int max_per_event;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    const int event = tile.first;
    const std::int32_t n = triplets.offsets(triplets.first_middle(hits, event + 1)) -
                           triplets.offsets(triplets.first_middle(hits, event));
    const std::int32_t kept = min(n, max_per_event);
    triplets.first_seed(event) = kept;
    triplets.overflow(event) = n - kept;
  }
};

/// Number of middle hits of all events.
template <class Hits, class Results>
int count_middle_hits(const Hits& hits, const Results& triplets) {
  return triplets.hits_per_event > 0 ? hits.events * triplets.hits_per_event : hits.hits;
}

/// Checks the capacities of a search, which `where` names in the message.
template <class Params>
void check_triplet_capacities(const char* where, const Params& params) {
  const int capacities[] = {params.max_per_middle_hit, params.max_per_event, params.max_window_hits,
                            params.max_pairs};  // apart from the loop for nvcc
  for (const int capacity : capacities)
    if (capacity < 1)
      throw UsageError(where, "a capacity is not positive", std::to_string(capacity));
}

/// Allocates the arrays of triplets whose numbers are set, and `found`, which is scratch memory.
/// @throws UsageError that names `where` if there are too many places for 32-bit indices
template <class Memory, class Hits, class Results, class Found>
void allocate_triplets(const char* where, const Memory& memory, const Hits& hits, Results& triplets,
                       Found& found) {
  const auto of_triplets = memory.of(triplets);
  const auto events = std::size_t(hits.events),
             middle_hits = std::size_t(count_middle_hits(hits, triplets)),
             n = middle_hits * std::size_t(triplets.per_hit);
  if (n > std::size_t(std::numeric_limits<std::int32_t>::max()))
    throw UsageError(where, "there are too many middle hits for one batch",
                     std::to_string(middle_hits) + " with up to " +
                         std::to_string(triplets.per_hit) + " triplets",
                     "use smaller batches, or keep fewer triplets of a hit");
  triplets.events = hits.events;
  allocate_array(of_triplets, triplets.inner, "Trackplex::Seeding::triplet_inner", n);
  allocate_array(of_triplets, triplets.outer, "Trackplex::Seeding::triplet_outer", n);
  const auto scratch = memory.scratch();
  allocate_array(scratch, found.inner, "Trackplex::Seeding::found_inner", n);
  allocate_array(scratch, found.outer, "Trackplex::Seeding::found_outer", n);
  allocate_array(scratch, found.first, "Trackplex::Seeding::first_found", middle_hits);
  allocate_array(scratch, found.counts, "Trackplex::Seeding::found_counts", middle_hits);
  allocate_array(scratch, found.used, "Trackplex::Seeding::triplets_found", 1);
  allocate_array(of_triplets, triplets.offsets, "Trackplex::Seeding::triplet_offsets",
                 middle_hits + 1);
  allocate_array(of_triplets, triplets.first_seed, "Trackplex::Seeding::first_seed", events + 1);
  for (auto* counter : {&triplets.overflow, &triplets.not_best, &triplets.dropped})
    allocate_array(of_triplets, *counter, "Trackplex::Seeding::triplets_left_out", events);
}

/// Enqueues the search of a kernel in all events. With `drop_continued`, triplets that continue
/// others are dropped.
template <class ExecutionSpace, class Hits, class Kernel>
void search_triplets(const ExecutionSpace& exec, const char* label, const Hits& hits, int teams,
                     int team_size, const Kernel& kernel, int max_per_event, bool drop_continued) {
  const auto& found = kernel.found;
  const auto& triplets = kernel.results;
  using Found = std::decay_t<decltype(found)>;
  using Results = std::decay_t<decltype(triplets)>;
  const int middle_hits = count_middle_hits(hits, triplets);
  for_each_tile<int>(exec, "Trackplex::Seeding::clear_counts", hits.events,
                     ClearCounts<Results>{triplets});
  for_each_tile<int>(exec, "Trackplex::Seeding::clear_middle_hits", middle_hits,
                     ClearMiddleHits<Found>{found});
  for_each_team(exec, label, teams, kernel, team_size);
  if (drop_continued)
    for_each_tile<int>(exec, "Trackplex::Seeding::mark_continued", middle_hits,
                       MarkContinued<Found>{found});
  for_each_tile<int>(exec, "Trackplex::Seeding::count_triplets_of_hit", middle_hits,
                     CountTripletsOfHit<Found, Results>{found, triplets});
  exclusive_scan(exec, triplets.offsets, triplets.offsets, middle_hits);
  for_each_tile<int>(exec, "Trackplex::Seeding::order_triplets", middle_hits,
                     OrderTriplets<Found, Results>{found, triplets});
  for_each_tile<int>(exec, "Trackplex::Seeding::limit_seeds", hits.events,
                     LimitSeeds<Hits, Results>{hits, triplets, max_per_event});
  exclusive_scan(exec, triplets.first_seed, triplets.first_seed, hits.events);
}

}  // namespace trackplex::seeding::detail
