// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/montecarlo/history_set.hpp>
#include <trackplex/montecarlo/material.hpp>
#include <trackplex/montecarlo/moments.hpp>
#include <trackplex/montecarlo/screened_rutherford.hpp>
#include <trackplex/montecarlo/tallies.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace trackplex::montecarlo {

/// Counts of histories. Ranges of histories add up exactly.
struct TransportCounts {
  std::vector<std::uint64_t> cells;  ///< of all tallies, in their order
  MomentSums moments;
  HistorySet histories;          ///< which these are
  std::uint64_t lane_steps = 0;  ///< steps that lanes had time for; depends on the backend

  /// Adds other histories of the same simulation; to an object without any, of any.
  /// @throws UsageError if the tallies differ or a history is in both; nothing is added then
  TransportCounts& operator+=(const TransportCounts& other) {
    const bool empty = cells.empty() && histories.size() == 0;
    if (!empty && cells.size() != other.cells.size())
      throw UsageError(
          "TransportCounts", "counts of other tallies cannot be added",
          std::to_string(cells.size()) + " and " + std::to_string(other.cells.size()) + " cells");
    histories.add(other.histories);
    cells.resize(other.cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] += other.cells[i];
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
  /// Whether the results are the same; they are, however the work was shared out.
  bool same_results(const TransportCounts& other) const {
    return cells == other.cells && moments == other.moments && histories == other.histories;
  }
};

/// The counts of one tally.
struct TallyView {
  TallyDescription description;
  std::span<const std::uint64_t> cells;

  /// Of one axis.
  std::uint64_t underflow() const { return cells.front(); }
  std::span<const std::uint64_t> bins() const { return cells.subspan(1, cells.size() - 2); }
  std::uint64_t overflow() const { return cells.back(); }

  /// Of two axes: 0 is below, 1 to n are the bins, n + 1 is beyond.
  std::uint64_t at(int first, int second) const {
    return cells[std::size_t(first) * std::size_t(description.axes[1].range.bins + 2) +
                 std::size_t(second)];
  }
};

/// The tallies one by one; they refer to the counts.
/// @throws UsageError if the counts are of other tallies
inline std::vector<TallyView> tally_views(const std::vector<TallyDescription>& tallies,
                                          const TransportCounts& counts) {
  std::size_t cells = 0;
  for (const auto& tally : tallies) cells += std::size_t(tally.cells);
  if (cells != counts.cells.size())
    throw UsageError(
        "tally_views", "the counts are of other tallies",
        std::to_string(counts.cells.size()) + " cells instead of " + std::to_string(cells));
  std::vector<TallyView> views;
  std::span<const std::uint64_t> rest = counts.cells;
  for (const auto& tally : tallies) {
    views.push_back({tally, rest.first(std::size_t(tally.cells))});
    rest = rest.subspan(std::size_t(tally.cells));
  }
  return views;
}
template <class... Tallies>
std::vector<TallyView> tally_views(const TallyList<Tallies...>& tallies,
                                   const TransportCounts& counts) {
  return tally_views(descriptions(tallies), counts);
}

/// All that the results of a simulation depend on, beside the numbers of its histories.
struct TransportDescription {
  Material material;
  ScreenedRutherford scattering;
  double limit = 0.;  ///< of the track length, mean free paths
  std::uint64_t seed = 0;
  std::string precision = "float";  ///< or "double"
  std::string source = "pencil";    ///< and its parameters
  std::vector<TallyDescription> tallies;
};

}  // namespace trackplex::montecarlo
