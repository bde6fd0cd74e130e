// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/montecarlo/history_moments.hpp>
#include <trackplex/montecarlo/history_set.hpp>
#include <trackplex/montecarlo/material.hpp>
#include <trackplex/montecarlo/screened_rutherford.hpp>
#include <trackplex/montecarlo/tallies.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace trackplex::montecarlo {

/// Counts of histories on the host: the result of a simulation. Counts of disjoint ranges of
/// histories add up exactly.
struct TransportCounts {
  std::vector<std::uint64_t> cells;  ///< Counts of the cells of all tallies, one after the other.
  MomentSums moments;                ///< Moments of the ends.
  HistorySet histories;              ///< Numbers of the histories that are counted.
  /// Steps of all lanes, with or without a history; depends on the backend.
  std::uint64_t lane_steps = 0;

  /// Adds the counts of other histories of the same simulation. An object without histories
  /// accepts the counts of any simulation.
  /// @throws UsageError if the number of cells differs or a history is in both; nothing is added
  /// then
  TransportCounts& operator+=(const TransportCounts& other);
  /// Returns the fraction of lane steps in which a history made a step (its scatterings, and the
  /// step to the limit).
  double occupancy() const;
  /// Returns whether the results are the same: cells, moments and histories, which do not depend
  /// on how the work was divided.
  bool same_results(const TransportCounts& other) const {
    return cells == other.cells && moments == other.moments && histories == other.histories;
  }
};

/// Counts of one tally, which refer to a `TransportCounts`.
struct TallyView {
  TallyDescription description;          ///< Name and axes.
  std::span<const std::uint64_t> cells;  ///< Counts, `description.cells` of them.

  /// Returns the count below the axis of a tally with one axis.
  std::uint64_t underflow() const { return cells.front(); }
  /// Returns the counts in the bins of a tally with one axis.
  std::span<const std::uint64_t> bins() const { return cells.subspan(1, cells.size() - 2); }
  /// Returns the count beyond the axis of a tally with one axis.
  std::uint64_t overflow() const { return cells.back(); }

  /// Returns a count of a tally with two axes. On each axis 0 is below, 1 to n are the bins, n
  /// + 1 is beyond.
  std::uint64_t at(int first, int second) const {
    return cells[std::size_t(first) * std::size_t(description.axes[1].range.bins + 2) +
                 std::size_t(second)];
  }
};

/// Returns the counts of each tally of a list of descriptions; they refer to `counts`.
/// @throws UsageError if the counts have another number of cells than the tallies
std::vector<TallyView> tally_views(const std::vector<TallyDescription>& tallies,
                                   const TransportCounts& counts);
/// The same for a list of tallies.
/// @throws UsageError if the counts have another number of cells than the tallies
template <class... Tallies>
std::vector<TallyView> tally_views(const TallyList<Tallies...>& tallies,
                                   const TransportCounts& counts) {
  return tally_views(descriptions(tallies), counts);
}

/// Description of a simulation: everything that its results depend on, except the numbers of
/// its histories. Checkpoints contain it, so that counts of different simulations are not added.
struct TransportDescription {
  Material material;                      ///< Material.
  ScreenedRutherford scattering;          ///< Cross section at the energy of the simulation.
  double limit = 0.;                      ///< Limit of the track length, mean free paths.
  std::uint64_t seed = 0;                 ///< Seed of the random numbers.
  std::string precision = "float";        ///< "float" or "double".
  std::string source = "pencil";          ///< Source with its parameters, as text.
  std::vector<TallyDescription> tallies;  ///< Tallies, in the order of their cells.
};

}  // namespace trackplex::montecarlo

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/montecarlo/detail/transport_counts.impl.hpp>
#endif
