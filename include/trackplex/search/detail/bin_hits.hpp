// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/allocate.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/quartet.hpp>
#include <trackplex/core/team_launch.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace trackplex::search::detail {

/// A counting sort of the hits of one layer of one event by the team of that layer. `Binned`
/// has the bin of a hit (`bin_of`) and the record that is made of it (`store`).
template <class Real, class Hits, class Binned, class Integers, class Reals>
struct BinHits {
  using Integer = IntegerOf<Real>;

  Hits hits;
  Binned binned;
  Integers keys, order, cursors;  ///< of all events: the bin of each hit, hits by place, next place
  Reals first_coordinate;         ///< of each hit, the azimuth for example

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return 0; }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, const ScratchCarver&) const {
    const TeamLanes<Real, Member> team(member);
    const int event = member.league_rank() / hits.layers;
    const int layer = member.league_rank() % hits.layers;
    const int first = hits.first(event, layer), n = hits.first(event, layer + 1) - first;
    std::int32_t* const table = binned.table(event, layer);
    std::int32_t* const cursor = cursors.data() + (table - binned.places.data());
    const int bins = binned.bins_of(layer);

    count(team, layer, first, n, table, bins);
    team.exclusive_scan(table, bins + 1);
    team.for_each(bins + 1, [&](Tile<Real> tile) {
      const Integer place = tile.template load<Integer>(table) + Integer(ScalarOf<Integer>(first));
      tile.store(table, place);
      tile.store(cursor, place);
    });
    team.barrier();
    place_hits(team, first, n, cursor);
    if (!team.alone()) restore_order(team, table, bins);
    copy(team, layer, first, table[bins] - first);
  }

 private:
  template <class Team>
  KOKKOS_FUNCTION void count(const Team& team, int layer, int first, int n, std::int32_t* table,
                             int bins) const {
    team.for_each(bins + 1, [&](Tile<Real> tile) { tile.store(table, Integer(0)); });
    team.barrier();
    team.for_each(n, [&](Tile<Real> tile) {
      const auto of_hit = binned.bin_of(hits, layer, first, tile);
      tile.store(first_coordinate.data() + first, of_hit.first);
      tile.store(keys.data() + first, of_hit.bin);
      for (int lane = 0; lane < tile.count; ++lane) {
        const auto bin = extract(of_hit.bin, lane);
        if (!Binned::on_modules || bin >= 0) team.increment(table + bin);
      }
    });
    team.barrier();
  }

  template <class Team>
  KOKKOS_FUNCTION void place_hits(const Team& team, int first, int n, std::int32_t* cursor) const {
    team.template for_each<int>(n, [&](Tile<int> hit) {
      const std::int32_t bin = keys(first + hit.first);
      if (!Binned::on_modules || bin >= 0) order(team.increment(cursor + bin)) = hit.first;
    });
    team.barrier();
  }

  /// Several threads leave the hits of a bin in any order.
  template <class Team>
  KOKKOS_FUNCTION void restore_order(const Team& team, const std::int32_t* table, int bins) const {
    team.template for_each<int>(bins, [&](Tile<int> bin) {
      const int begin = table[bin.first], end = table[bin.first + 1];
      for (int i = begin + 1; i < end; ++i) {
        const std::int32_t hit = order(i);
        int to = i;
        for (; to > begin && order(to - 1) > hit; --to) order(to) = order(to - 1);
        order(to) = hit;
      }
    });
    team.barrier();
  }

  template <class Team>
  KOKKOS_FUNCTION void copy(const Team& team, int layer, int first, int n) const {
    team.template for_each<int>(n, [&](Tile<int> item) {
      const int place = first + item.first;
      const std::int32_t hit = order(place);
      const int from = first + hit;
      binned.store(hits, layer, from, place, first_coordinate(from));
      binned.index(place) = Binned::on_modules ? from : hit;
    });
  }
};

/// Arrays that only the sort needs.
template <class T, class MemorySpace>
struct BinningScratch {
  Kokkos::View<std::int32_t*, MemorySpace> keys,   ///< bin of each hit
      order,                                       ///< hits by place
      cursors;                                     ///< next place of each bin
  Kokkos::View<T*, MemorySpace> first_coordinate;  ///< of each hit
};

/// Allocates the binned hits, without any until they are sorted, and the scratch arrays.
/// @throws UsageError if there are too many bins or hits for 32-bit indices
template <class Memory, class Hits, class Binned, class Scratch>
void allocate_bins(const char* where, const Memory& memory, const Hits& hits, int places_per_event,
                   Binned& binned, Scratch& scratch) {
  // One more, so that any place for which a lane asks exists
  const auto n = std::size_t(hits.hits) + 1;
  const auto places = std::size_t(hits.events) * std::size_t(places_per_event);
  constexpr std::size_t max = std::numeric_limits<std::int32_t>::max();  // kernels count in 32 bits
  if (places > max || n * Binned::records_per_hit > max)
    throw UsageError(where, "there are too many events for one batch",
                     std::to_string(hits.events) + " events, " + std::to_string(hits.hits) +
                         " hits, " + std::to_string(places_per_event) + " bins per event",
                     "use smaller batches, or wider bins");
  binned.events = 0;
  const auto of_binned = memory.of(binned);
  allocate_array(of_binned, binned.records, "Trackplex::Search::records",
                 n * Binned::records_per_hit);
  allocate_array(of_binned, binned.index, "Trackplex::Search::binned_index", n);
  allocate_array(of_binned, binned.places, "Trackplex::Search::places", places);
  allocate_array(memory.scratch(), scratch.keys, "Trackplex::Search::bins", n);
  allocate_array(memory.scratch(), scratch.order, "Trackplex::Search::order", n);
  allocate_array(memory.scratch(), scratch.first_coordinate, "Trackplex::Search::first_coordinate",
                 n);
  allocate_array(memory.scratch(), scratch.cursors, "Trackplex::Search::cursors", places);
}

/// Enqueues the sort of all layers of all events.
template <class Real, class ExecutionSpace, class Hits, class Binned, class Scratch>
void bin_hits(const ExecutionSpace& exec, const char* label, const Hits& hits, Binned& binned,
              const Scratch& scratch, int team_size) {
  using Kernel =
      BinHits<Real, Hits, Binned, decltype(scratch.keys), decltype(scratch.first_coordinate)>;
  binned.events = hits.events;
  for_each_team(
      exec, label, hits.events * hits.layers,
      Kernel{hits, binned, scratch.keys, scratch.order, scratch.cursors, scratch.first_coordinate},
      team_size);
}

}  // namespace trackplex::search::detail
