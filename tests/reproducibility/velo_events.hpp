// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

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

}  // namespace trackplex::test
