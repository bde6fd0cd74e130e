// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <memory>
#include <span>
#include <string>
#include <trackplex/lhcb/fingerprints.hpp>
#include <trackplex/lhcb/tracks_results.hpp>
#include <trackplex/lhcb/velo/velo_chain.hpp>
#include <trackplex/lhcb/velo_ut_chain.hpp>
#include <vector>

/// Results of the chains, and comparisons of all their bits.

namespace trackplex::test {

template <class Event>
using Shared = std::vector<std::shared_ptr<const Event>>;

template <class Event>
Shared<Event> shared(const std::vector<Event>& events) {
  Shared<Event> pointers;
  for (const auto& event : events) pointers.push_back(std::make_shared<const Event>(event));
  return pointers;
}

inline std::string bits(const lhcb::VeloResult& result) {
  Fingerprint hash;
  lhcb::add_tracks(hash, result.tracks);
  return hash.add(result.overflow).hex();
}

inline std::string bits(const lhcb::VeloUtResult& result) {
  Fingerprint hash;
  lhcb::add_result(hash, result);
  return hash.hex();
}

inline std::string bits(const lhcb::TracksResult& result) {
  Fingerprint hash;
  lhcb::add_result(hash, result);
  return hash.hex();
}

/// A hash of each event's result.
template <class Result>
std::vector<std::string> bits_of(const std::vector<Result>& results) {
  std::vector<std::string> hashes;
  for (const auto& result : results) hashes.push_back(bits(result));
  return hashes;
}

/// Runs a chain on batches of so many events, as a slot of a pipeline does.
template <class Chain, class Event>
auto in_batches(Chain& chain, const Shared<Event>& events, std::size_t batch) {
  std::vector<typename Chain::Result> results;
  const std::span<const std::shared_ptr<const Event>> all = events;
  for (std::size_t first = 0; first < events.size(); first += batch) {
    chain.stage(all.subspan(first, std::min(batch, events.size() - first)));
    chain.run();
    chain.collect(results);
  }
  return results;
}

/// The step that runs out of memory, or "" where none does.
template <class Chain, class Event>
std::string out_of_memory(Chain& chain, const Shared<Event>& events) {
  using Catch::Matchers::ContainsSubstring;
  try {
    chain.stage(events);
    chain.run();
  } catch (const trackplex::chain::ArenaError& error) {
    const std::string message = error.what();
    CHECK_THAT(message, ContainsSubstring("bytes for Trackplex::") &&
                            ContainsSubstring("take fewer events at a time"));
    return message.substr(0, message.find(':'));
  }
  return "";
}

/// Steps of the chain of VELO and UT, the UT's hits first.
inline const std::vector<std::string> velo_ut_in_other_order = {
    "stage_banks",       "copy_banks",   "decode_ut",       "cluster_vp", "sort_by_phi",
    "search_by_triplet", "fit_lines",    "velo_end_states", "ut_windows", "ut_tracks",
    "count_velo_ut",     "pack_velo_ut", "collect_velo_ut"};

}  // namespace trackplex::test
