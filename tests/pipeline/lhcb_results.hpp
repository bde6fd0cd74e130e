// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <trackplex/lhcb/fingerprints.hpp>
#include <trackplex/lhcb/velo_tracking.hpp>
#include <trackplex/lhcb/velo_ut_tracking.hpp>
#include <vector>

/// Results of the direct calls and of sequences, and comparisons of all their bits.

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

/// A hash of each event's result.
template <class Result>
std::vector<std::string> bits_of(const std::vector<Result>& results) {
  std::vector<std::string> hashes;
  for (const auto& result : results) hashes.push_back(bits(result));
  return hashes;
}

/// What the direct calls find in the events, all at a time.
template <class Tracking>
std::vector<lhcb::VeloResult> direct_velo(Tracking& tracking,
                                          const std::vector<lhcb::VeloEvent>& events) {
  tracking.load(events);
  tracking.reconstruct();
  const auto tracks = tracking.tracks();
  const auto overflow = tracking.overflow();
  std::vector<lhcb::VeloResult> results;
  for (std::size_t e = 0; e < events.size(); ++e) results.push_back({tracks[e], overflow[e]});
  return results;
}

template <class Tracking>
std::vector<lhcb::VeloUtResult> direct_velo_ut(Tracking& tracking,
                                               const std::vector<lhcb::RawEvent>& events) {
  tracking.load(events);
  tracking.reconstruct();
  const auto velo_hits = tracking.velo_hits();
  const auto velo_tracks = tracking.velo_tracks();
  const auto overflow = tracking.velo_overflow();
  const auto ut_hits = tracking.ut_hits();
  const auto windows = tracking.ut_windows();
  const auto ut_tracks = tracking.ut_tracks();
  std::vector<lhcb::VeloUtResult> results;
  for (std::size_t e = 0; e < events.size(); ++e)
    results.push_back(
        {velo_hits[e], velo_tracks[e], overflow[e], ut_hits[e], windows[e], ut_tracks[e]});
  return results;
}

/// Runs a processor on batches of so many events.
template <class Processor, class Event>
auto in_batches(Processor& processor, const Shared<Event>& events, std::size_t batch) {
  std::vector<typename Processor::Result> results;
  const std::span<const std::shared_ptr<const Event>> all = events;
  for (std::size_t first = 0; first < events.size(); first += batch) {
    processor.stage(all.subspan(first, std::min(batch, events.size() - first)));
    processor.run();
    processor.collect(results);
  }
  return results;
}

/// The steps of the VELO sequence, one kernel each.
inline const std::vector<std::string> velo_step_by_step = {
    "stage_velo_hits", "copy_velo_hits",    "sort_by_phi",        "search_by_triplet",
    "fit_lines",       "fetch_velo_tracks", "collect_velo_tracks"};

/// The VELO tracks in one kernel, all else one kernel each.
inline const std::vector<std::string> velo_ut_step_by_step = {
    "stage_banks", "copy_banks", "cluster_vp", "velo_tracks",   "velo_end_states",
    "decode_ut",   "ut_windows", "ut_tracks",  "fetch_velo_ut", "collect_velo_ut"};

/// One kernel each, the UT's hits first.
inline const std::vector<std::string> velo_ut_in_other_order = {
    "stage_banks", "copy_banks",        "decode_ut",     "cluster_vp",
    "sort_by_phi", "search_by_triplet", "fit_lines",     "velo_end_states",
    "ut_windows",  "ut_tracks",         "fetch_velo_ut", "collect_velo_ut"};

}  // namespace trackplex::test
