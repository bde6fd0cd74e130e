// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/json_values.hpp>
#include <trackplex/io/montecarlo/transport_checkpoint_data.hpp>
#include <trackplex/montecarlo/transport_counts.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace trackplex::io::detail {

inline constexpr const char* checkpoint_format = "trackplex transport checkpoint";
inline constexpr int checkpoint_version = 1;

/// An integer: a number where doubles hold it, else its decimal digits.
template <class Integer>
Json exact_integer(Integer value) {
  constexpr std::int64_t most = std::int64_t(1) << 53;
  if (std::cmp_less_equal(value, most) && std::cmp_greater_equal(value, -most)) return value;
  return std::to_string(value);
}

inline Json description_json(const montecarlo::TransportDescription& d) {
  Json tallies = Json::array();
  for (const auto& tally : d.tallies) {
    Json axes = Json::array();
    for (const auto& axis : tally.axes)
      axes.push_back({{"quantity", axis.quantity},
                      {"low", axis.range.low},
                      {"high", axis.range.high},
                      {"bins", axis.range.bins}});
    tallies.push_back({{"name", tally.name}, {"axes", axes}, {"cells", tally.cells}});
  }
  return {{"material",
           {{"name", d.material.name},
            {"b_c_per_mm", d.material.b_c},
            {"chi_cc_square_MeV2_per_mm", d.material.chi_cc_square}}},
          {"kinetic_energy_MeV", d.scattering.kinetic_energy},
          {"screening", d.scattering.screening},
          {"mean_free_path_mm", d.scattering.mean_free_path},
          {"limit_mean_free_paths", d.limit},
          {"seed", exact_integer(d.seed)},
          {"precision", d.precision},
          {"source", d.source},
          {"tallies", tallies}};
}

inline Json counts_json(const montecarlo::TransportCounts& counts) {
  Json ranges = Json::array(), sums = Json::array(), cells = Json::array();
  for (const auto& range : counts.histories.ranges())
    ranges.push_back({exact_integer(range.begin), exact_integer(range.end)});
  for (const auto& sum : counts.moments.sums)
    sums.push_back({exact_integer(sum.high), exact_integer(sum.low)});
  for (const auto count : counts.cells) cells.push_back(exact_integer(count));
  return {{"histories", ranges},
          {"moments",
           {{"histories", exact_integer(counts.moments.histories)},
            {"left_out", exact_integer(counts.moments.skipped)},
            {"sums", sums}}},
          {"lane_steps", exact_integer(counts.lane_steps)},
          {"cells", cells}};
}

inline Json checkpoint_json(const TransportCheckpoint& checkpoint) {
  return {{"format", checkpoint_format},
          {"version", checkpoint_version},
          {"simulation", description_json(checkpoint.description)},
          {"counts", counts_json(checkpoint.counts)}};
}

}  // namespace trackplex::io::detail
