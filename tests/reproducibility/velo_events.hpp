// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/fingerprint.hpp>
#include <trackplex/lhcb/velo_track_list.hpp>
#include <trackplex/simulation/velo_generator.hpp>
#include <vector>

namespace trackplex::test {

/// The 30 generated events whose tracks have golden hashes.
inline const std::vector<lhcb::VeloEvent>& generated_velo_events() {
  static const auto events = [] {
    const simulation::VeloGenerator generate({}, 2024);
    std::vector<lhcb::VeloEvent> result;
    for (int i = 0; i < 30; ++i) result.push_back(generate(i));
    return result;
  }();
  return events;
}

/// All hits and states, as they were found with numbers of type Real.
template <class Real>
void add(Fingerprint& hash, const lhcb::VeloTrackList& list) {
  hash.add(list.offsets).add(list.hits);
  for (const auto& s : list.states) {
    for (const double value : {s.x, s.y, s.z, s.tx, s.ty, s.chi2}) hash.add(Real(value));
    hash.add(s.ndf).add(s.backward);
  }
}

}  // namespace trackplex::test
