// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <trackplex/lhcb/velo/velo_track_list.hpp>
#include <vector>

namespace trackplex::test {

/// Arrays of VELO tracks that a test makes one by one; converts to their view.
struct VeloTrackArrays {
  std::vector<std::uint32_t> offsets{0};
  std::vector<std::uint16_t> hits;
  std::vector<lhcb::VeloTrackState> states;

  void push_back(std::span<const std::uint16_t> track_hits) {
    hits.insert(hits.end(), track_hits.begin(), track_hits.end());
    offsets.push_back(std::uint32_t(hits.size()));
  }
  void push_back(std::span<const std::uint16_t> track_hits, const lhcb::VeloTrackState& state) {
    push_back(track_hits);
    states.push_back(state);
  }

  operator lhcb::VeloTrackList() const { return {offsets, hits, states}; }
};

}  // namespace trackplex::test
